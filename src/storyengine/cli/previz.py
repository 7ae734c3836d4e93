"""`storyengine previz`: the embedded studio by itself."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from storyengine.cli.output import JsonOption, finish, out, print_json
from storyengine.errors import ExitCode, FolderError, InputError, StoryEngineError

app = typer.Typer(help="The embedded studio by itself: draw pictures and clips from words.", no_args_is_help=True)


class Kind(StrEnum):
    """What to draw."""

    still = "still"
    clip = "clip"
    panorama = "panorama"
    sheet = "sheet"


_SIZES = {Kind.still: (1280, 720), Kind.clip: (1280, 720), Kind.panorama: (4096, 2048), Kind.sheet: (1280, 720)}


@app.callback()
def _previz() -> None:
    pass


@app.command()
def draw(
    words: Annotated[str, typer.Argument(help="What to draw, in plain English or as a prompt in sections.")],
    kind: Annotated[Kind, typer.Option("--as", help="What to make of it.")] = Kind.still,
    file: Annotated[
        Path | None, typer.Option("--out", help="Where to write it; drawing.png or drawing.mp4 by default.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed invents the rest differently.")] = 0,
    seconds: Annotated[float, typer.Option(help="How long a clip is.", min=0.5, max=60.0)] = 6.0,
    fallibility: Annotated[str, typer.Option(help="none, low, default, high or flat.")] = "none",
    json_output: JsonOption = False,
) -> None:
    """Draw a still, a clip, a panorama or an identity sheet from words.

    Everything is made on this machine, for free. The same words and seed always give the same file.
    """
    target = file or Path("drawing.mp4" if kind is Kind.clip else "drawing.png")
    if target.suffix.lower() not in ((".mp4",) if kind is Kind.clip else (".png",)):
        raise InputError(
            f"{target} cannot hold a {kind.value}.",
            next_step=f"Give a name that ends in {'.mp4' if kind is Kind.clip else '.png'}.",
        )
    data = _clip(words, seed, seconds, fallibility) if kind is Kind.clip else _picture(words, kind, seed, fallibility)
    try:
        target.write_bytes(data)
    except OSError as error:
        raise FolderError(f"{target} cannot be written: {error.strerror}.") from error
    if json_output:
        print_json({"ok": True, "file": str(target), "bytes": len(data)})
    else:
        out().print(f"Wrote {target}")


@app.command()
def grade(
    scenes: Annotated[int, typer.Option(help="How many random scenes.", min=1, max=9999)] = 500,
    seed: Annotated[int, typer.Option(help="Another seed, other scenes.")] = 7,
    jobs: Annotated[int, typer.Option(help="Processes at once.", min=1, max=64)] = 2,
    scenes_from: Annotated[
        Path | None, typer.Option(help="Folder of drawn scenes; what it lacks is drawn into it first.")
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Folder for pictures of wrong and undecided verdicts.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Ask only this kind of claim; may be repeated.")] = None,
    clean: Annotated[bool, typer.Option("--clean", help="Leave out the degraded conditions.")] = False,
    json_output: JsonOption = False,
) -> None:
    """Measure how often the embedded evaluator errs.

    Random scenes are drawn with errors planted in them; the evaluator judges bare frames in a process of its own; the
    renderer knows the truth. Tables go to stderr. Exit status 1 when a bar is missed.
    """
    from storyengine.cli.grading import grade_evaluator

    report = grade_evaluator(scenes, seed, jobs, scenes_from, save, tuple(only or ()), clean)
    if json_output:
        print_json(report)
    finish(ExitCode.OK if report["ok"] else ExitCode.FINDINGS)


def _picture(words: str, kind: Kind, seed: int, fallibility: str) -> bytes:
    from storyengine.backends.ports import PaintRequest
    from storyengine.previz.studio.painter import make_painter
    from storyengine.previz.studio.reading import Task

    tasks: dict[Kind, Task | None] = {
        Kind.still: None,
        Kind.clip: "clip",
        Kind.panorama: "panorama",
        Kind.sheet: "sheet",
    }
    width, height = _SIZES[kind]
    outcome = make_painter(fallibility=fallibility).paint(PaintRequest(words, width, height, seed=seed), tasks[kind])
    return _delivered(outcome.data, outcome.error)


def _clip(words: str, seed: int, seconds: float, fallibility: str) -> bytes:
    from storyengine.backends.ports import AnimateRequest
    from storyengine.previz.studio.animator import make_animator

    opening = _picture(words, Kind.clip, seed, fallibility)
    width, height = _SIZES[Kind.clip]
    request = AnimateRequest(words, opening, seconds, width, height, 24, seed=seed)
    outcome = make_animator(fallibility=fallibility).animate(request)
    return _delivered(outcome.data, outcome.error)


def _delivered(data: bytes, error: StoryEngineError | None) -> bytes:
    if error is not None:
        raise error
    return data
