"""`storyengine clean`: show what a project no longer needs, and remove it when told to."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from storyengine.cli.output import JsonOption, err, out, print_json
from storyengine.runs.project import Project, read_journal, store_path
from storyengine.runs.store import LocalStore
from storyengine.runs.tidy import Removable, find_removable, remove

_SHOWN = 20


def clean(
    folder: Annotated[Path, typer.Argument(help="The project folder.")] = Path(),
    yes: Annotated[bool, typer.Option("--yes", help="Really remove it.")] = False,
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Also results of free steps that newer ones replaced.")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Show what a project no longer needs; with [bold]--yes[/], remove it.

    Unfinished writes, damaged artifacts that were moved aside, and artifacts that nothing refers to.
    Results of paid calls and everything that belongs to a cut stay.
    """
    with read_journal(folder) as journal:  # also says so where there is no project
        found = find_removable(journal, LocalStore(store_path(folder)), superseded=superseded)
    freed = 0
    if yes:
        with Project(folder) as project:
            # Once more, now that nobody else can change it.
            found = find_removable(project.journal, project.store, superseded=superseded)
            freed = remove(project, found)
    if json_output:
        items = [{name: value for name, value in asdict(item).items() if name in _FIELDS} for item in found]
        print_json({"ok": True, "removed": yes, "freed": freed, "items": items})
    else:
        _show(found, removed=yes)


_FIELDS = ("name", "size", "why")


def _show(found: list[Removable], *, removed: bool) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("what", no_wrap=True)
    table.add_column("why")
    for item in found[:_SHOWN]:
        table.add_row(_bytes(item.size), Text(item.name[:16]), item.why)
    if found:
        out().print(table)
    more = f", of which the {_SHOWN} largest are shown" if len(found) > _SHOWN else ""
    total = f"{len(found)} files, {_bytes(sum(item.size for item in found))}{more}."
    if not found:
        err().print("There is nothing to remove.")
    elif removed:
        err().print(f"Removed {total}")
    else:
        err().print(f"Would remove {total} Add --yes to do it.")


def _bytes(size: int) -> str:
    amount = float(size)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
