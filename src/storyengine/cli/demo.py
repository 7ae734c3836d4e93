"""`storyengine demo`: a film on the embedded studio, from a story that comes with StoryEngine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from storyengine.cli.output import out
from storyengine.demo import demo_plan, plan_text
from storyengine.files import write_text


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
    plan = demo_plan()
    console.print(f"[bold]{escape(plan.title)}[/]\n{escape(plan.request.idea)}\n")
    console.print("[dim]The first run also compiles the renderer, which takes a moment.[/]")
    write_text(folder / "plan.yaml", plan_text())
    film = making.film(plan, folder, making.how(Profile(), fallibility), 0, console)
    takes = sum(len(take.candidates) for take in film.takes)
    console.print(f"\n{len(film.takes)} shots from {takes} takes; {takes - len(film.takes)} were repairs.")
    if film.degraded:
        listed = ", ".join(map(str, film.degraded))
        console.print(f"[yellow]Shots {listed} still miss something that was required; the report says what.[/]")
    console.print(f"\nThe film:   [bold]{escape(str(film.path))}[/]")
    console.print(f"The report: [bold]{escape(str(folder / 'report.html'))}[/]  (open it in a browser)\n")
    console.print("Three things to try:")
    for command in (f"why {folder / 'plan.yaml'} backpack@4", f"state {folder / 'plan.yaml'}", "new my-film"):
        console.print(f"  storyengine {escape(command)}")
