"""`storyengine status`: where a project stands."""

from __future__ import annotations

from rich.markup import escape

from storyengine.change.projects import find_project
from storyengine.change.status import look_at
from storyengine.cli.change import ProjectOption
from storyengine.cli.output import JsonOption, out, print_json
from storyengine.runs.ledger import dollars


def status(project: ProjectOption = None, json_output: JsonOption = False) -> None:
    """Say what is done, running, missing and spent in a project, and what to do next."""
    found = look_at(find_project(project))
    if json_output:
        print_json({"ok": True, **found.data()})
        return
    console = out()
    console.print(f"[bold]{escape(found.title)}[/]  [dim]{escape(found.project)}[/]")
    console.print(f"  done     {len(found.done)} of {found.shots} shots" + _listed(", degraded: ", found.degraded))
    if found.missing:
        console.print(f"  missing  {_listed('shots ', found.missing)}")
    if found.running is not None:
        console.print(f"  running  process {found.running}")
    if found.pinned:
        console.print(f"  pinned   {escape(', '.join(found.pinned))}")
    reserved = f", {dollars(found.reserved)} on its way or unclear" if found.reserved else ""
    console.print(f"  spent    {dollars(found.spent)}{reserved}")
    console.print(f"  cuts     {found.cuts}")
    console.print(f"  next     {escape(found.next_step)}")


def _listed(words: str, numbers: tuple[int, ...]) -> str:
    return words + ", ".join(map(str, numbers)) if numbers else ""
