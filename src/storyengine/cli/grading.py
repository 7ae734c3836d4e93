"""`storyengine previz grade`: how often the embedded evaluator errs, as tables and as one JSON line."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from storyengine.cli.output import err
from storyengine.errors import FolderError, InputError

if TYPE_CHECKING:
    from storyengine.previz.grading.words import Words


def grade_evaluator(
    scenes: int, seed: int, jobs: int, scenes_from: Path | None, save: Path | None, only: tuple[str, ...], clean: bool
) -> dict[str, Any]:
    """Draw what is lacking, judge everything, report; tables go to stderr as they are known."""
    from storyengine.previz.grading.folder import SceneFolder
    from storyengine.previz.grading.judging import judge_scenes
    from storyengine.previz.grading.mistakes import save_mistakes
    from storyengine.previz.grading.report import grade
    from storyengine.previz.grading.scenes import draw_scenes

    with _folder(scenes_from) as path, _progress() as progress:
        folder = SceneFolder(path)
        if not _is_complete(folder, scenes, seed):
            drawing = progress.add_task("scenes drawn", total=None)
            draw_scenes(folder, _words(), scenes, seed, jobs, lambda n: progress.update(drawing, completed=n))
        judging = progress.add_task("requests judged", total=None)
        numbers = [number for number in folder.numbers() if number < scenes]
        judged = judge_scenes(
            folder, numbers, jobs, only=only, clean=clean, tell=lambda n: progress.update(judging, completed=n)
        )
        if not judged.answers:
            raise InputError("No question was asked.", next_step="Ask for more scenes, or for other kinds with --only.")
        report = grade(judged, scenes, seed)
        if save is not None:
            report["saved"] = save_mistakes(folder, judged.answers, save)
    show(report)
    return report


def _words() -> dict[str, Words]:
    """The benchmark's mini set, and descriptions of the grade's own: known ones and ones kept apart."""
    from storyengine.bench.story import stories
    from storyengine.previz.grading.words import own_words, unseen_words, words_of

    sheets = [story.sheet for story in stories(mini=True)]
    entities = [entity for sheet in sheets for entity in (*sheet.cast, *sheet.props)]
    mini = words_of(entities, [place for sheet in sheets for place in sheet.places])
    return {"benchmark": mini, "own": own_words(), "unseen": unseen_words()}


def _is_complete(folder: Any, scenes: int, seed: int) -> bool:
    manifest = folder.manifest()
    if manifest is not None and manifest["seed"] != seed:
        raise FolderError(
            f"{folder.path} holds scenes of seed {manifest['seed']}, not {seed}.",
            next_step=f"Grade with --seed {manifest['seed']}, or name another folder.",
        )
    return manifest is not None and manifest["scenes"] >= scenes


@contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    if wanted is not None:
        yield wanted
    else:
        with tempfile.TemporaryDirectory(prefix="storyengine-grade-") as name:
            yield Path(name)


def _progress() -> Progress:
    columns = TextColumn("{task.description}: {task.completed}"), TimeElapsedColumn()
    return Progress(*columns, console=err(), transient=True)


# --- tables ----------------------------------------------------------------------------------------------------


def show(report: dict[str, Any]) -> None:
    console = err()
    for title, part in (
        ("Clean pictures, 1 % of the frame or more", "kinds"),
        ("Smaller than 1 % of the frame (no bar)", "small"),
        ("By share of the frame", "shares"),
        ("By framing", "framings"),
        ("Stills and clips", "forms"),
        ("By origin of the descriptions", "words"),
        ("Degraded pictures, on every fifth scene", "conditions"),
    ):
        if report[part]:
            console.print(_table(title, report[part]))
    console.print(_planted(report["planted"]))
    found = report["locate"]
    if found["shown"]:
        console.print(
            f"Locating: {found['shown']} things shown in views of empty places; precision "
            f"{_figure(found['precision'])}, recall {_figure(found['recall'])}."
        )
    console.print(
        f"{report['questions']} questions about {report['scenes']} scenes; a request took "
        f"{report['seconds']['median']} s in the middle, {report['seconds']['largest']} s at most."
    )
    if report["ok"]:
        console.print("All bars are held.")
    else:
        console.print(f"Short of the bars: {', '.join([*report['short'], *report['missed']])}.")


def _table(title: str, rows: dict[str, Any]) -> Table:
    table = Table(title=f"{title}; p precision, r recall", title_justify="left", box=SIMPLE_HEAD, padding=0)
    for name in ("", "true", "false", "PASS p", "r", "FAIL p", "r", "UNK", ""):
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    for name, row in rows.items():
        figures = (row["pass"]["precision"], row["pass"]["recall"], row["fail"]["precision"], row["fail"]["recall"])
        mark = {True: "ok", False: "short", None: "few"}[row["ok"]] if "ok" in row else ""
        counts = (str(row["true"]), str(row["false"]))
        table.add_row(name, *counts, *(_figure(f) for f in (*figures, row["unknown"])), mark)
    return table


def _planted(rows: dict[str, Any]) -> Table:
    table = Table(title="Planted errors", title_justify="left", box=SIMPLE_HEAD, padding=(0, 1))
    for name in ("", "number", "caught", "unknown", "passed"):
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    for name, row in rows.items():
        table.add_row(name, str(row["number"]), *(_figure(row[part]) for part in ("caught", "unknown", "passed")))
    return table


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}" if value < 0.995 else "1"
