"""`storyengine export`: the film as a timeline for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.markup import escape

from storyengine.change.projects import find_project
from storyengine.cli.change import ProjectOption
from storyengine.cli.output import JsonOption, out, print_json

FormatOption = Annotated[
    Literal["otio", "edl", "fcpxml"] | None,
    typer.Option("--format", help="Write only this timeline. [dim]Default: all three.[/]"),
]


def export(
    project: ProjectOption = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="Folder for timelines and shots. [dim]Default: the project.[/]")
    ] = None,
    form: FormatOption = None,
    json_output: JsonOption = False,
) -> None:
    """Write the film's timeline as OpenTimelineIO, EDL and FCPXML.

    Criteria, gate modes and degradations are markers; each shot is a file of its own, with its sound. Needs
    [bold]pip install "storyengine\\[timeline]"[/].
    """
    from storyengine.change.cuts import newest_cut  # these decode clips
    from storyengine.delivery.timeline import FORMATS, export_timeline

    folder = find_project(project)
    plan, audits = newest_cut(folder)
    written = export_timeline(folder, plan, audits, to or folder, (form,) if form else FORMATS)
    if json_output:
        print_json({"ok": True, "project": str(folder), "files": [str(path) for path in written]})
        return
    for path in written:
        out().print(escape(str(path)))
