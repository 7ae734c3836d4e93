"""`storyengine make` and `storyengine storyboard`: from a brief or a plan to a film, or to its openings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.markup import escape

from storyengine.change.projects import Remembered, find_project, recall
from storyengine.check import check_plan
from storyengine.cli.output import JsonOption, err, finish, open_document, out, print_json
from storyengine.cli.settings import read_settings
from storyengine.cli.story import Paying, project_folder, story_plan
from storyengine.errors import InputError
from storyengine.plan import SemanticPlan, is_plan, read_plan
from storyengine.profile import Profile
from storyengine.runs.ledger import micro_dollars
from storyengine.runs.project import journal_path, read_journal

if TYPE_CHECKING:
    from storyengine.cli.making import Board
    from storyengine.delivery import Film

OptionalStory = Annotated[
    Path | None,
    typer.Argument(help="A brief, a plan, or a project's folder. [dim]Default: the newest project here.[/]"),
]
StoryArgument = Annotated[Path, typer.Argument(help="A brief or a plan, YAML or JSON.", show_default=False)]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="Project folder. [dim]Default: films/NAME, or where the plan lies.[/]")
]
ProfileOption = Annotated[
    Path | None, typer.Option(help="Who makes it. [dim]Default: profile.yaml beside the story.[/]")
]
SetOption = Annotated[list[str] | None, typer.Option("--set", help="Change one part of the profile: animator=previz.")]
FallibilityOption = Annotated[
    str | None,
    typer.Option(
        help="How faulty the embedded studio pretends to be: none, low, default, high, flat. [dim]Default: as before, "
        "or none.[/]"
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(help="Another seed makes another film from the same plan. [dim]Default: as before, or 0.[/]"),
]
OnlyOption = Annotated[
    list[int] | None,
    typer.Option("--only", help="Make only this shot; every other keeps its take, and is verified.", metavar="SHOT"),
]
MaxCostOption = Annotated[
    str | None, typer.Option(help="Most that the project may spend, in dollars.", metavar="DOLLARS")
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Agree beforehand to what paid work costs.")]
RepayOption = Annotated[bool, typer.Option("--repay", help="Send paid calls again whose fate is unknown.")]


def make(
    story: OptionalStory = None,
    folder: OutOption = None,
    profile: ProfileOption = None,
    changes: SetOption = None,
    fallibility: FallibilityOption = None,
    seed: SeedOption = None,
    until: Annotated[
        Literal["plan", "references", "openings", "film"], typer.Option(help="Stop early, to look before going on.")
    ] = "film",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show which shots would change, why, and for how much.")
    ] = False,
    only: OnlyOption = None,
    max_cost: MaxCostOption = None,
    yes: YesOption = False,
    repay: RepayOption = False,
    json_output: JsonOption = False,
) -> None:
    """Make a film. Running the same command again resumes; nothing is made or paid twice.

    The embedded studio is the default: free, offline, deterministic. What costs money, planning by a language model
    included, is estimated and asked for first. An edited plan is applied: exactly the shots that it changes are made
    again. Exit code 3: delivered, but a shot misses something required; 4: the cost cap was reached.
    """
    story = _story_file(story, folder)
    target = folder or project_folder(story)
    before = _before(target)
    settings = read_settings(profile, story.with_name("profile.yaml"), changes or [], before.profile)
    fallibility = before.fallibility if fallibility is None else fallibility
    seed = before.seed if seed is None else seed
    cap = None if max_cost is None else micro_dollars(max_cost)
    if dry_run:
        from storyengine.cli.change import dry_run as show

        plan = _plan_as_it_is(story) or story_plan(story, target, settings, Paying(False, cap, repay))
        show(plan, target, settings, fallibility, seed, only or [], json_output=json_output)
        return
    plan = story_plan(story, target, settings, Paying(yes, cap, repay))
    if until == "plan":
        _tell("plan", target / "plan.yaml", json_output=json_output)
        return
    from storyengine.cli import making  # numpy, OpenCV and numba are loaded only when something is made

    how = making.how(settings, fallibility, cap, repay=repay, yes=yes)
    console = err() if json_output else out()
    if until == "references":
        _tell("references", making.references(plan, target, how, seed, console), json_output=json_output)
    elif until == "openings":
        _tell_board(making.board(plan, target, how, seed, console), json_output=json_output)
    else:
        film = making.film(plan, target, how, seed, console, _shots(plan, only or []))
        tell_film(film, json_output=json_output)
        finish(film.exit_code)


def storyboard(
    story: StoryArgument,
    folder: OutOption = None,
    profile: ProfileOption = None,
    changes: SetOption = None,
    seed: SeedOption = None,
    max_cost: MaxCostOption = None,
    yes: YesOption = False,
    json_output: JsonOption = False,
) -> None:
    """Paint only the opening of every shot, as one printable sheet."""
    target = folder or project_folder(story)
    before = _before(target)
    settings = read_settings(profile, story.with_name("profile.yaml"), changes or [], before.profile)
    seed = before.seed if seed is None else seed
    cap = None if max_cost is None else micro_dollars(max_cost)
    plan = story_plan(story, target, settings, Paying(yes, cap))
    from storyengine.cli import making  # as above

    console = err() if json_output else out()
    how = making.how(settings, before.fallibility, cap, yes=yes)
    _tell_board(making.board(plan, target, how, seed, console), json_output=json_output)


def _story_file(story: Path | None, folder: Path | None) -> Path:
    """The file behind what was named: the plan of a project's folder, or of the newest project."""
    if story is None or story.is_dir():
        return find_project(folder if story is None else story) / "plan.yaml"
    return story


def _before(folder: Path) -> Remembered:
    """How the project was made last, if it was."""
    if not journal_path(folder).exists():
        return Remembered(Profile())
    with read_journal(folder) as journal:
        return recall(journal)


def _plan_as_it_is(story: Path) -> SemanticPlan | None:
    """The plan in a story file; None where it is a brief. Nothing is written."""
    document = open_document(story)
    if not is_plan(document):
        return None
    plan = read_plan(document)
    check_plan(plan).raise_if_blocking()
    return plan


def _shots(plan: SemanticPlan, only: list[int]) -> list[int]:
    for number in only:
        if not 1 <= number <= len(plan.shots):
            raise InputError(f"There is no shot {number}; the plan has shots 1 to {len(plan.shots)}.")
    return only


def _tell(what: str, path: Path, *, json_output: bool) -> None:
    if json_output:
        print_json({"ok": True, what: str(path)})
    else:
        out().print(f"The {what}: [bold]{escape(str(path))}[/]")


def _tell_board(board: Board, *, json_output: bool) -> None:
    if json_output:
        accepted = list(board.accepted)
        print_json({"ok": all(accepted), "storyboard": str(board.path), "accepted": accepted})
    else:
        out().print(f"The storyboard: [bold]{escape(str(board.path))}[/]")


def tell_film(film: Film, *, json_output: bool, changed: list[int] | None = None) -> None:
    """Say where the film is and what it misses; after a change also which shots came out differently."""
    if json_output:
        print_json(
            {
                "ok": not film.degraded,
                "film": str(film.path),
                "shots": len(film.takes),
                "degraded": list(film.degraded),
                "candidates": [len(take.candidates) for take in film.takes],
                **({} if changed is None else {"changed": changed}),
            }
        )
        return
    console = out()
    if changed is not None:
        listed = f"shots {', '.join(map(str, changed))}" if changed else "nothing; every shot came out as it was"
        console.print(f"\nNew in this cut: {listed}.")
    console.print(f"\nThe film:   [bold]{escape(str(film.path))}[/]")
    console.print(f"The report: {escape(str(film.folder / 'report.html'))}")
    if film.degraded:
        listed = ", ".join(map(str, film.degraded))
        console.print(f"[yellow]Degraded:[/] shots {listed} miss something required; the report says what.")
