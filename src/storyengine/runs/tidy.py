"""What can be removed from a project, found first and shown before anything goes.

Always safe: unfinished writes of dead processes, damaged artifacts that were moved aside, and artifacts that
nothing refers to. On request also results of free steps that were replaced by newer ones; they can be made
again. Results of paid calls, and whatever a record names, always stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storyengine.runs.digest import is_digest
from storyengine.runs.folder import folder_errors
from storyengine.runs.journal import JournalReader
from storyengine.runs.project import Project
from storyengine.runs.rows import Effect, StepRow
from storyengine.runs.store import LocalStore


@dataclass(frozen=True)
class Removable:
    """Something that can go."""

    name: str
    """Digest of an artifact, or name of a left-over file."""
    size: int
    why: str
    path: Path | None = None
    """Set for left-over files, which are no artifacts."""
    keys: tuple[str, ...] = ()
    """Steps that are forgotten with it."""


def find_removable(journal: JournalReader, store: LocalStore, *, superseded: bool = False) -> list[Removable]:
    """What can go, largest first. Changes nothing."""
    found = list(_leftovers(store))
    steps = journal.steps()
    old = _superseded(journal, steps) if superseded else []
    old_keys = {step.key for step in old}
    needed = _needed(journal, [step for step in steps if step.key not in old_keys])
    for digest in store.digests():
        if digest in needed:
            continue
        keys = tuple(step.key for step in old if step.digest == digest)
        why = "replaced by a newer result" if keys else "nothing refers to it"
        found.append(Removable(digest, store.size(digest), why, keys=keys))
    return sorted(found, key=lambda item: (-item.size, item.name))


def remove(project: Project, items: list[Removable]) -> int:
    """Remove these; returns the bytes that were freed. Steps are forgotten before their artifacts go."""
    project.journal.forget([key for item in items for key in item.keys])
    project.journal.commit()
    for item in items:
        if item.path is None:
            project.store.delete(item.name)
        else:
            with folder_errors("remove", item.path):
                item.path.unlink(missing_ok=True)
    return sum(item.size for item in items)


def _leftovers(store: LocalStore) -> Iterator[Removable]:
    for path in store.leftovers():
        why = "a write that was never finished" if path.parent.name == "tmp" else "damaged and moved aside"
        yield Removable(path.name, path.stat().st_size, why, path=path)


def _superseded(journal: JournalReader, steps: list[StepRow]) -> list[StepRow]:
    current = set(journal.slots().values())
    return [step for step in steps if step.effect is Effect.PURE and step.key not in current]


def _needed(journal: JournalReader, steps: list[StepRow]) -> set[str]:
    needed = {step.digest for step in steps if step.digest}
    needed.update(digest for step in steps for digest in step.inputs.values())
    needed.update(call.digest for call in journal.calls() if call.digest)
    for record in journal.all_records():
        needed.update(_digests_in(record.body))
    return needed


def _digests_in(value: Any) -> Iterator[str]:
    if isinstance(value, str) and is_digest(value):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _digests_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _digests_in(item)
