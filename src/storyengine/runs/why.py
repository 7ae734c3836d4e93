"""Why a step is done again, as data: the command line, the studio and the log all read the same answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from storyengine.runs.rows import StepRow
from storyengine.runs.secrecy import redact_value
from storyengine.runs.step import Step


class Status(StrEnum):
    FINISHED = "finished"
    """Its result is there; nothing will be done."""
    NEW = "new"
    """No step of this name has ever finished."""
    STALE = "stale"
    """A step of this name finished with something else; `changes` says what."""
    LOST = "lost"
    """It finished, but its artifact is missing or was damaged."""


@dataclass(frozen=True)
class Change:
    """One thing a step depends on that is not what it was."""

    what: str
    """"input", "param", "kind" or "version"."""
    name: str
    before: Any
    """None where there was none."""
    after: Any


@dataclass(frozen=True)
class Why:
    slot: str
    status: Status
    changes: tuple[Change, ...] = ()

    def __str__(self) -> str:
        if self.status is not Status.STALE:
            return f"{self.slot}: {self.status}"
        named = ", ".join(f"{change.what} {change.name}".rstrip() for change in self.changes)
        return f"{self.slot}: {named or 'a hidden value'} changed"


def explain(step: Step, before: StepRow | None, *, there: bool) -> Why:
    """Compare a step with the one that last finished under its name. `there`: its own artifact is in the store."""
    if before is None:
        return Why(step.slot, Status.FINISHED if there else Status.NEW)
    if there:
        return Why(step.slot, Status.FINISHED)
    if before.key == step.key:
        return Why(step.slot, Status.LOST)
    return Why(step.slot, Status.STALE, tuple(_changes(step, before)))


def _changes(step: Step, before: StepRow) -> Iterator[Change]:
    for what, old, new in (("kind", before.kind, step.kind), ("version", before.version, step.version)):
        if old != new:
            yield Change(what, "", old, new)
    yield from _differences("input", before.inputs, step.digests)
    # The journal holds parameters with secrets hidden and as JSON (a tuple is a list there).
    yield from _differences("param", before.params, json.loads(json.dumps(redact_value(step.params))))


def _differences(what: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield Change(what, name, old.get(name), new.get(name))
