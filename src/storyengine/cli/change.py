"""`storyengine redo`, `pin`, `unpin` and `cuts`: change one thing, keep the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from storyengine.change.projects import find_project, project_plan, recall
from storyengine.change.record import Changes
from storyengine.change.target import read_target
from storyengine.cli.make import MaxCostOption, YesOption, tell_film
from storyengine.cli.output import JsonOption, err, finish, out, print_json
from storyengine.errors import InputError
from storyengine.plan import SemanticPlan
from storyengine.profile import Profile
from storyengine.runs.ledger import micro_dollars
from storyengine.runs.project import Project, read_journal, store_path
from storyengine.runs.store import LocalStore

if TYPE_CHECKING:
    from storyengine.making import Making

ProjectOption = Annotated[
    Path | None, typer.Option("--project", "-p", help="The project's folder. [dim]Default: the newest one here.[/]")
]
TargetArgument = Annotated[
    str,
    typer.Argument(help="A shot (4), its opening (4.opening), a character, a prop or a place.", show_default=False),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Only show what would change, why, and for how much.")]
OnlyFlag = Annotated[
    bool, typer.Option("--only", help="Keep every other shot as it is, and verify it, also where it would follow.")
]


@dataclass(frozen=True)
class Opened:
    """A project as a change finds it."""

    folder: Path
    plan: SemanticPlan
    changes: Changes


@dataclass(frozen=True)
class Change:
    """What a command asks for: the changes there are from now on, and the only shots that may follow them."""

    changes: Changes
    only: tuple[int, ...] = ()


def _how(
    project: ProjectOption = None,
    dry_run: DryRunOption = False,
    max_cost: MaxCostOption = None,
    yes: YesOption = False,
    json_output: JsonOption = False,
) -> None:
    """The options that every change of a film has, declared once."""


def _changing(decide: Callable[..., Change]) -> Callable[..., None]:
    """A command with the arguments of `decide` and the options of every change: `decide` says what, they say how."""
    own = list(signature(decide, eval_str=True).parameters.values())[1:]
    shared = list(signature(_how, eval_str=True).parameters.values())

    def command(**given: Any) -> None:
        how = {option.name: given.pop(option.name) for option in shared}
        opened = _open(how.pop("project"))
        _apply(opened, decide(opened, **given), **how)

    command.__doc__, command.__name__ = decide.__doc__, decide.__name__
    command.__annotations__ = {each.name: each.annotation for each in (*own, *shared)}
    command.__signature__ = Signature([*own, *shared])  # type: ignore[attr-defined]
    return command


@_changing
def redo(
    opened: Opened,
    target: TargetArgument,
    note: Annotated[str, typer.Option(help="What should be different, in your words.")] = "",
    only: OnlyFlag = False,
) -> Change:
    """Ask for one thing again: a shot, an opening, or the look of a character, a prop or a place.

    It gets another seed, and your note a place in its prompt; what depends on it is made again, and nothing else.
    Earlier takes are kept: see [bold]storyengine cuts[/].
    """
    wanted = read_target(target, opened.plan)
    if opened.changes.pin(wanted) is not None:
        raise InputError(f"{wanted} is pinned.", next_step=f"Free it first: storyengine unpin {wanted}")
    if only and wanted.shot is None:
        raise InputError(f"--only keeps every shot but one, and {wanted} is no shot.")
    changes = opened.changes.redone(wanted, " ".join(note.split()))
    return Change(changes, (wanted.shot,) if only and wanted.shot else ())


@_changing
def pin(
    opened: Opened,
    target: TargetArgument,
    what: Annotated[
        str | None,
        typer.Argument(
            help="A candidate or opening by its number, a digest, or a file. [dim]Default: what is there.[/]"
        ),
    ] = None,
) -> Change:
    """Fix a take, an opening or a reference: it is never made again, and still verified.

    [bold]pin 4 2[/] takes candidate 2 of shot 4; [bold]pin 4.opening photo.jpg[/] opens shot 4 with your photograph.
    """
    from storyengine.change.pinning import choose  # decodes what it is given, so it needs the media libraries

    wanted = read_target(target, opened.plan)
    with Project(opened.folder) as held:
        digest, source = choose(opened.folder, wanted, what, opened.plan.request.delivery, held.store)
    return Change(opened.changes.pinned(wanted, digest, source))


@_changing
def unpin(opened: Opened, target: TargetArgument) -> Change:
    """Free what was pinned. What was made before it was pinned is found again, not made again."""
    wanted = read_target(target, opened.plan)
    if opened.changes.pin(wanted) is None:
        pinned = ", ".join(pin.target for pin in opened.changes.pins) or "nothing"
        raise InputError(f"{wanted} is not pinned; pinned is: {pinned}.")
    return Change(opened.changes.unpinned(wanted))


def cuts(
    restore: Annotated[
        int | None, typer.Option("--restore", help="Bring this cut back: film, shots, plan, report.")
    ] = None,
    project: ProjectOption = None,
    json_output: JsonOption = False,
) -> None:
    """List every film that this project delivered, and bring one back. Nothing is made or paid for that."""
    from storyengine.change.cuts import bring_back, list_cuts  # joins clips, so it needs the media libraries

    folder = find_project(project)
    if restore is not None:
        with Project(folder) as held:
            cut = bring_back(held, restore)
        if json_output:
            print_json({"ok": True, "restored": restore, "cut": cut.number, "film": str(folder / "film.mp4")})
        else:
            out().print(f"Cut {restore} is back, as cut {cut.number}: [bold]{escape(str(folder / 'film.mp4'))}[/]")
        return
    with read_journal(folder) as journal:
        found = list_cuts(journal)
    rows = [
        {
            "cut": cut.number,
            "at": cut.at.isoformat(timespec="seconds"),
            "shots": len(cut.takes),
            "changed": list(cut.differs_from(found[position - 1])) if position else list(cut.takes),
            "degraded": list(cut.degraded),
        }
        for position, cut in enumerate(found)
    ]
    if json_output:
        print_json({"ok": True, "project": str(folder), "cuts": rows})
        return
    for row in rows:
        changed = ", ".join(map(str, row["changed"])) if row["cut"] != 1 else "all"  # type: ignore[call-overload]
        bad = f", degraded: {', '.join(map(str, row['degraded']))}" if row["degraded"] else ""  # type: ignore[call-overload]
        out().print(f"cut {row['cut']}  [dim]{row['at']}[/]  new shots: {changed or 'none'}{bad}")
    if not rows:
        err().print("There is no cut yet.")


def _open(project: Path | None) -> Opened:
    folder = find_project(project)
    plan = project_plan(folder)
    from storyengine.change.cuts import current_changes  # joins clips, so it needs the media libraries

    with read_journal(folder) as journal:
        return Opened(folder, plan, current_changes(journal, LocalStore(store_path(folder)), plan))


def _apply(
    opened: Opened, change: Change, *, dry_run: bool, max_cost: str | None, yes: bool, json_output: bool
) -> None:
    """Make the film with a change, as it was made before; or only say what that would do."""
    from storyengine.change.cuts import last_takes
    from storyengine.cli import making  # numpy, OpenCV and numba are loaded only when something is made

    folder, plan, changes, only = opened.folder, opened.plan, change.changes, list(change.only)
    with read_journal(folder) as journal:
        before = recall(journal)
        takes = last_takes(journal, LocalStore(store_path(folder)), plan)
    cap = None if max_cost is None else micro_dollars(max_cost)
    how = making.how(before.profile, before.fallibility, cap, yes=yes)
    if dry_run:
        show_outlook(plan, folder, how, before.seed, changes=changes, only=only, json_output=json_output)
        return
    console = err() if json_output else out()
    film = making.film(plan, folder, how, before.seed, console, only, changes)
    changed = [take.contract.shot for take in film.takes if take.clip != takes.get(take.contract.shot)]
    tell_film(film, json_output=json_output, changed=changed)
    finish(film.exit_code)


def dry_run(
    plan: SemanticPlan,
    folder: Path,
    settings: Profile,
    fallibility: str,
    seed: int,
    only: list[int],
    *,
    json_output: bool,
) -> None:
    """What making a film would do, with the changes there are."""
    from storyengine.cli import making  # as above

    how = making.how(settings, fallibility)
    show_outlook(plan, folder, how, seed, changes=None, only=only, json_output=json_output)


def show_outlook(
    plan: SemanticPlan,
    folder: Path,
    how: Making,
    seed: int,
    *,
    changes: Changes | None,
    only: list[int],
    json_output: bool,
) -> None:
    """What making the film would do."""
    from storyengine.cli.outlook_text import outlook_data, print_outlook
    from storyengine.making import outlook

    found = outlook(plan, folder, how, seed=seed, changes=changes, only=only)
    if json_output:
        print_json(outlook_data(found))
    else:
        print_outlook(found)
