"""Where a project stands: what is done, running, missing, spent, and what to do next."""

from __future__ import annotations

import fcntl
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from storyengine.change.projects import audits, project_plan
from storyengine.change.record import Changes, read_changes
from storyengine.runs.ledger import Ledger
from storyengine.runs.project import INSIDE, read_journal
from storyengine.runs.rows import OPEN_STATES, CallState


@dataclass(frozen=True)
class Status:
    """A look at a project, also while another process works on it."""

    project: str
    title: str
    shots: int
    done: tuple[int, ...]
    """Shots that have a take."""
    degraded: tuple[int, ...]
    """Of those, the ones whose take misses something required."""
    missing: tuple[int, ...]
    running: int | None
    """Process that works on the project now."""
    cuts: int
    spent: int
    """Micro-dollars."""
    reserved: int
    """Micro-dollars of calls that are on their way, or may have been made."""
    unclear: int
    """Paid calls whose fate a person has to decide."""
    pinned: tuple[str, ...]
    next_step: str

    def data(self) -> dict[str, Any]:
        return asdict(self)


def look_at(folder: Path) -> Status:
    """Read off the journal and the plan; nothing is written."""
    plan = project_plan(folder)
    found = audits(folder)
    with read_journal(folder) as journal:
        calls = journal.calls()
        cuts = len(journal.records("cut"))
        changes: Changes = read_changes(journal)
    ledger = Ledger(calls)
    shots = range(1, len(plan.shots) + 1)
    done = tuple(shot for shot in shots if shot in found)
    missing = tuple(shot for shot in shots if shot not in found)
    degraded = tuple(shot for shot in done if found[shot]["degraded"])
    unclear = sum(call.state is CallState.AMBIGUOUS for call in calls)
    running = _holder(folder)
    return Status(
        project=str(folder),
        title=plan.title or plan.request.title or folder.name,
        shots=len(plan.shots),
        done=done,
        degraded=degraded,
        missing=missing,
        running=running,
        cuts=cuts,
        spent=ledger.spent,
        reserved=sum(call.exposure for call in calls if call.state in OPEN_STATES),
        unclear=unclear,
        pinned=tuple(pin.target for pin in changes.pins),
        next_step=_next(folder, running, unclear, missing, degraded, cuts),
    )


def _next(
    folder: Path, running: int | None, unclear: int, missing: tuple[int, ...], degraded: tuple[int, ...], cuts: int
) -> str:
    if running is not None:
        return f"Process {running} is at work; wait for it."
    if unclear:
        return f"Some paid calls may or may not have been made. To send them again: storyengine make {folder} --repay"
    if missing or not cuts:
        return f"Go on: storyengine make {folder}"
    if degraded:
        return (
            f"See why: storyengine why {folder} {degraded[0]}; then: storyengine redo {degraded[0]} --project {folder}"
        )
    return f"Look at it: {folder / 'report.html'}"


def _holder(folder: Path) -> int | None:
    """The process that holds the project's lock, if any does."""
    path = folder / INSIDE / "lock"
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return None  # read-only, or never opened: nobody can be writing
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        words = os.read(handle, 100).decode(errors="replace").strip()
        return int(words) if words.isdecimal() else 0
    finally:
        os.close(handle)
    return None
