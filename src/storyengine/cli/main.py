"""`storyengine`: the product's commands, and the one place where errors become exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Annotated

import typer

from storyengine import __version__
from storyengine.cli import bench, change, check, clean, demo, doctor, export, make, new, plan, previz, state, why
from storyengine.cli import status as project_status
from storyengine.cli import verify as verification
from storyengine.cli.output import err, print_error
from storyengine.errors import ContractError, ExitCode, Interrupted, StoryEngineError
from storyengine.runs.secrecy import redact_logs

EXIT_CODES = "\n\n".join(
    [
        "[bold]Exit codes[/]",
        "0 sound, done · 1 blocking findings · 2 unreadable or invalid input · 3 delivered but degraded · "
        "4 budget spent · 5 interrupted, resumable · 6 backend failed or refused · 7 folder, disk or installation · "
        "70 an error inside StoryEngine",
    ]
)

app = typer.Typer(
    name="storyengine",
    help="Turns a story brief into a coherent multi-shot film. Start with [bold]storyengine demo[/].",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"storyengine {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


app.command()(demo.demo)
app.command()(new.new)
app.command()(check.check)
app.command()(state.state)
app.command()(why.why)
app.command()(plan.plan)
app.command()(make.make)
app.command()(make.storyboard)
app.command()(change.redo)
app.command()(change.pin)
app.command()(change.unpin)
app.command()(change.cuts)
app.command()(project_status.status)
app.command()(verification.verify)
app.command()(export.export)
app.command()(clean.clean)
app.command()(doctor.doctor)
app.add_typer(bench.app, name="bench")
app.add_typer(previz.app, name="previz")


def main() -> None:
    """Run a command; every way to fail ends in a message, an exit code and, with --json, one JSON line."""
    as_json = "--json" in sys.argv[1:]
    # The studio has threads of its own. Those of numpy's matrix products wait in a loop after every product and took
    # an eighth of a film's processor time; numpy reads this when it is imported, which commands do when they begin.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    redact_logs()
    try:
        app()
    except StoryEngineError as error:
        print_error(error, as_json=as_json)
        sys.exit(int(error.exit_code))
    except KeyboardInterrupt:
        print_error(Interrupted("Stopped.", next_step="Run the same command again to go on."), as_json=as_json)
        sys.exit(int(ExitCode.INTERRUPTED))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(int(ExitCode.OK))
    except Exception as error:
        err().print(traceback.format_exc(), markup=False)
        bug = ContractError(f"{type(error).__name__}: {error}", next_step="This is a bug; please report it.")
        print_error(bug, as_json=as_json)
        sys.exit(int(ExitCode.BUG))
