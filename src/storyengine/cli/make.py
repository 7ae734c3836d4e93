"""`storyengine make` and `storyengine storyboard`: from a brief or a plan to a film, or to its openings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.markup import escape

from storyengine.check import check_plan
from storyengine.cli.output import JsonOption, err, finish, open_document, out, print_json
from storyengine.errors import InputError, PlanUnsound
from storyengine.files import write_text
from storyengine.plan import SemanticPlan, is_plan, plan_yaml, read_plan
from storyengine.profile import EMBEDDED, Profile, read_profile
from storyengine.request import read_request

if TYPE_CHECKING:
    from storyengine.cli.making import Board

StoryArgument = Annotated[Path, typer.Argument(help="A brief or a plan, YAML or JSON.", show_default=False)]
OutOption = Annotated[Path | None, typer.Option("--out", help="Project folder. [dim]Default: films/NAME.[/]")]
ProfileOption = Annotated[
    Path | None, typer.Option(help="Who makes it. [dim]Default: profile.yaml beside the story.[/]")
]
SetOption = Annotated[list[str] | None, typer.Option("--set", help="Change one part of the profile: animator=previz.")]
FallibilityOption = Annotated[
    str, typer.Option(help="How faulty the embedded studio pretends to be: none, low, default, high, flat.")
]
SeedOption = Annotated[int, typer.Option(help="Another seed makes another film from the same plan.")]


def make(
    story: StoryArgument,
    folder: OutOption = None,
    profile: ProfileOption = None,
    changes: SetOption = None,
    fallibility: FallibilityOption = "none",
    seed: SeedOption = 0,
    until: Annotated[
        Literal["plan", "openings", "film"], typer.Option(help="Stop early: only the plan, or only the openings.")
    ] = "film",
    max_cost: Annotated[float | None, typer.Option(help="Most that may be spent, in dollars.")] = None,
    repay: Annotated[bool, typer.Option("--repay", help="Send paid calls again whose fate is unknown.")] = False,
    json_output: JsonOption = False,
) -> None:
    """Make a film. Running the same command again resumes; nothing is made or paid twice.

    The embedded studio is the default: free, offline, deterministic. Exit code 3: delivered, but a shot misses
    something required; 4: the cost cap was reached.
    """
    plan = story_plan(story)
    target = folder or Path("films") / story.stem.removesuffix(".plan")
    if until == "plan":
        write_text(target / "plan.yaml", plan_yaml(plan))
        out().print(f"The plan is in {escape(str(target / 'plan.yaml'))}.")
        return
    from storyengine.cli import making  # numpy, OpenCV and numba are loaded only when something is made

    settings = making.read_settings(profile, story.with_name("profile.yaml"), changes or [])
    cap = None if max_cost is None else round(max_cost * 1_000_000)
    how = making.Making(settings, fallibility, cap, repay)
    console = err() if json_output else out()
    if until == "openings":
        _tell_board(making.board(plan, target, how, seed, console), json_output=json_output)
        return
    film = making.film(plan, target, how, seed, console)
    if json_output:
        print_json(
            {
                "ok": not film.degraded,
                "film": str(film.path),
                "shots": len(film.takes),
                "degraded": list(film.degraded),
                "candidates": [len(take.candidates) for take in film.takes],
            }
        )
    else:
        console.print(f"\nThe film: [bold]{escape(str(film.path))}[/]")
        if film.degraded:
            listed, audit = ", ".join(map(str, film.degraded)), escape(str(target / "audit"))
            console.print(f"[yellow]Degraded:[/] shots {listed} miss something required; see {audit}.")
    finish(film.exit_code)


def storyboard(
    story: StoryArgument,
    folder: OutOption = None,
    profile: ProfileOption = None,
    changes: SetOption = None,
    seed: SeedOption = 0,
    json_output: JsonOption = False,
) -> None:
    """Paint only the opening of every shot, as one printable sheet."""
    plan = story_plan(story)
    target = folder or Path("films") / story.stem.removesuffix(".plan")
    from storyengine.cli import making  # as above

    settings = making.read_settings(profile, story.with_name("profile.yaml"), changes or [])
    console = err() if json_output else out()
    _tell_board(making.board(plan, target, making.Making(settings), seed, console), json_output=json_output)


def _tell_board(board: Board, *, json_output: bool) -> None:
    if json_output:
        accepted = list(board.accepted)
        print_json({"ok": all(accepted), "storyboard": str(board.path), "accepted": accepted})
    else:
        out().print(f"The storyboard: [bold]{escape(str(board.path))}[/]")


def story_plan(story: Path) -> SemanticPlan:
    """The plan of a story file: read, or made by the embedded planner from a brief."""
    document = open_document(story)
    if is_plan(document):
        plan = read_plan(document)
        check_plan(plan).raise_if_blocking()
        return plan
    request = read_request(document)
    beside = story.with_name(f"{story.stem}.plan.yaml")
    if beside.is_file():
        return story_plan(beside)
    beside = story.with_name("profile.yaml")
    settings = read_profile(open_document(beside)) if beside.is_file() else Profile()
    if settings.planner.backend != EMBEDDED:
        raise InputError(
            f"{story} has no plan yet, and its profile plans with {settings.planner.backend!r}, which costs money.",
            next_step=f"Plan it first: storyengine plan {story}",
        )
    from storyengine.planning.embedded import plan_with_rules  # the reader's word lists are not needed elsewhere

    planned = plan_with_rules(request)
    if planned.findings.blocking:
        raise PlanUnsound(
            f"No sound plan came out of {story}.",
            planned.findings,
            next_step=f"See what is wrong: storyengine plan {story}",
        )
    return planned.plan
