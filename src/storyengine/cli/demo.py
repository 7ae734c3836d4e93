"""`storyengine demo`: a film on the embedded studio, from a story that comes with StoryEngine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from storyengine.cli.output import open_plan, out
from storyengine.demo import plan_text
from storyengine.files import write_text

if TYPE_CHECKING:
    from storyengine.continuity.shooting import Take


def demo(
    folder: Annotated[Path, typer.Option("--out", help="Where the film goes.")] = Path("films/notebook"),
    fallibility: Annotated[
        str, typer.Option(help="How faulty the studio pretends to be: none, low, default, high, flat.")
    ] = "default",
) -> None:
    """Make the film of the forgotten notebook: no key, no GPU, no internet.

    The embedded studio makes mistakes on purpose, so that there is something to catch and repair. Running it again
    resumes, or does nothing when the film is there.
    """
    from storyengine.cli import making  # numpy, OpenCV and numba are loaded only when something is made
    from storyengine.profile import Profile

    console = out()
    kept = folder / "plan.yaml"  # it may have been edited since: that is one of the things to try
    if not kept.exists():
        write_text(kept, plan_text())
    plan = open_plan(kept)
    console.print(f"[bold]{escape(plan.title)}[/]\n{escape(plan.request.idea)}\n")
    console.print("[dim]The first run also compiles the renderer, which takes a moment.[/]")
    film = making.film(plan, folder, making.how(Profile(), fallibility), 0, console)
    console.print(f"\n{_sum(film.takes)}")
    if film.degraded:
        listed = ", ".join(map(str, film.degraded))
        console.print(f"[yellow]Shots {listed} still miss something that was required; the report says what.[/]")
    console.print(f"\nThe film:   [bold]{escape(str(film.path))}[/]")
    console.print(f"The report: [bold]{escape(str(folder / 'report.html'))}[/]  (open it in a browser)\n")
    console.print("Three things to try:")
    for what, command in (
        ("Why is the backpack where it is?", f"why {kept} backpack@4"),
        (f"Edit {kept}, then see what would change:", f"make {folder} --dry-run"),
        ("Make a film of your own:", "new my-film"),
    ):
        console.print(f"  {escape(what)}\n    [bold]storyengine {escape(command)}[/]")


def _sum(takes: Sequence[Take]) -> str:
    """How much was caught and repaired, in a sentence."""
    shot = sum(len(take.candidates) for take in takes)
    openings = sum(not attempt.accepted for take in takes for attempt in take.openings)
    rejected = sum(c.judgement is None or bool(c.judgement.missed_required()) for t in takes for c in t.candidates)
    mended = sum(take.accepted and len(take.candidates) > 1 for take in takes)
    counted = f"{len(takes)} shots from {shot} takes. Rejected: {openings + rejected} "
    return counted + f"(openings {openings}, takes {rejected}); mended by a later take: {mended} of the shots."
