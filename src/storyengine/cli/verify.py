"""`storyengine verify`: clips made anywhere, judged against a plan."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from storyengine.change.projects import find_project
from storyengine.check import check_plan
from storyengine.cli.make import MaxCostOption, ProfileOption, SetOption, YesOption
from storyengine.cli.output import JsonOption, PlanArgument, finish, open_plan, out, print_json
from storyengine.cli.settings import read_settings
from storyengine.errors import ExitCode
from storyengine.runs.ledger import micro_dollars

if TYPE_CHECKING:
    from storyengine.change.verifying import Verified

_SHOWN = 5


def verify(
    plan_file: PlanArgument,
    clips: Annotated[Path, typer.Argument(help="Folder with one clip per shot: 01.mp4, 02.mp4 …", show_default=False)],
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Folder that keeps the verdicts, so that none is asked for twice.")
    ] = None,
    project: Annotated[
        Path | None,
        typer.Option("--project", "-p", help="Use this project's references, and keep verdicts in it."),
    ] = None,
    profile: ProfileOption = None,
    changes: SetOption = None,
    max_cost: MaxCostOption = None,
    yes: YesOption = False,
    json_output: JsonOption = False,
) -> None:
    """Judge clips that were made anywhere against what the plan requires of each shot.

    Without [bold]--project[/] only the author's own reference pictures are known; where there is none, nobody can say
    whether a person looks right.
    Exit code 3: a clip is missing, broken, or misses something required.
    """
    plan = open_plan(plan_file)
    check_plan(plan).raise_if_blocking()
    settings = read_settings(profile, plan_file.with_name("profile.yaml"), changes or [])
    from storyengine.cli import making  # numpy, OpenCV and numba are loaded only where something is looked at
    from storyengine.making import verify_folder

    cap = None if max_cost is None else micro_dollars(max_cost)
    how = making.how(settings, max_cost=cap, yes=yes)
    project = find_project(project) if project is not None else None
    with tempfile.TemporaryDirectory(prefix="storyengine-") as scratch:
        found = verify_folder(plan, clips, keep or Path(scratch), how, beside=plan_file.parent, project=project)
    holds = all(shot.holds for shot in found)
    if json_output:
        print_json({"ok": holds, "plan": str(plan_file), "shots": [shot.data() for shot in found]})
    else:
        for shot in found:
            _print(shot)
    finish(ExitCode.OK if holds else ExitCode.DEGRADED)


def _print(shot: Verified) -> None:
    console = out()
    if shot.file is None:
        console.print(f"[yellow]shot {shot.shot}[/]  no clip")
        return
    mark = "[green]✓[/]" if shot.holds else "[red]✗[/]"
    asked = len(shot.judgement.criteria) if shot.judgement else 0
    held = len(shot.judgement.passed()) if shot.judgement else 0
    console.print(f"{mark} shot {shot.shot}  {escape(shot.file.name)}: {held} of {asked} statements hold")
    for fault in shot.faults:
        console.print(f"    [red]{escape(str(fault))}[/]")
    missed = shot.judgement.missed_required() if shot.judgement else ()
    for criterion in missed[:_SHOWN]:
        label = shot.judgement.label(criterion) if shot.judgement else ""
        console.print(f"    [yellow]not so:[/] {escape(criterion.statement)} [dim]({label})[/]")
    if len(missed) > _SHOWN:
        console.print(f"    [dim]and {len(missed) - _SHOWN} more[/]")
