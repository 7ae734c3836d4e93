"""What the journal holds, as frozen values. Every row carries a seal: the digest of all its other fields.

SQLite notices torn pages, not a flipped bit inside a text; the seal does.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from storyengine.errors import CorruptData
from storyengine.runs.digest import digest


class Effect(StrEnum):
    """What doing a step twice costs."""

    PURE = "pure"
    """Nothing but time: it may be retried, repeated and moved to another machine."""
    PAID = "paid"
    """Money: it is made by the runner alone, and never sent again without a decision."""


class CallState(StrEnum):
    """How far a paid call has come. Each state is on disk before the next thing happens."""

    INTENT = "intent"
    """About to be sent, or sent and not yet answered."""
    SUBMITTED = "submitted"
    """The provider gave a job id; the job is polled, in this run or a later one."""
    DONE = "done"
    """The answer lies in the store."""
    REFUSED = "refused"
    """The provider declined this content. Asking again with the same request gives the same refusal."""
    FAILED = "failed"
    """It did not work; asking for the step again makes a new attempt."""
    AMBIGUOUS = "ambiguous"
    """It may or may not have reached the provider, which cannot say. A person decides."""


OPEN_STATES = frozenset({CallState.INTENT, CallState.SUBMITTED, CallState.AMBIGUOUS})
"""States in which the final cost is not known: the estimate counts as spent."""


@dataclass(frozen=True)
class StepRow:
    """A step that finished, or a paid one that was begun (then without a digest)."""

    key: str
    kind: str
    version: str
    effect: Effect
    inputs: dict[str, str]
    """Digest of each named input."""
    params: dict[str, Any]
    """The parameters, with secrets hidden; for reading, not for hashing."""
    digest: str | None
    size: int | None
    run: int
    at: float
    """Wall-clock time; for people. Order is never decided by it."""


@dataclass(frozen=True)
class Call:
    """One attempt at one paid call."""

    name: str
    """Unique; sent to the provider as idempotency key or metadata, so that it can be found again."""
    key: str
    attempt: int
    slot: str
    provider: str
    stage: str
    state: CallState
    job: str | None
    digest: str | None
    size: int | None
    estimate: int
    """Micro-dollars expected before the call."""
    actual: int | None
    """Micro-dollars charged; None while it is not known."""
    reason: str
    """Why it was refused, failed or is ambiguous, in a sentence."""
    run: int
    at: float

    @property
    def exposure(self) -> int:
        """The most this call can cost as far as we know."""
        return self.estimate if self.actual is None else self.actual


@dataclass(frozen=True)
class Record:
    """Something written once and for all, which the journal does not look into."""

    id: int
    kind: str
    body: Any
    run: int
    at: float


def seal(kind: str, row: StepRow | Call) -> str:
    """The digest of the row's content."""
    return digest(f"journal.{kind}", [getattr(row, field.name) for field in fields(row)])


def unseal(kind: str, row: StepRow | Call, found: str) -> None:
    """Raise CorruptData when a row is not the one that was sealed."""
    if seal(kind, row) != found:
        raise damaged(f"the {kind} {row.key[:12]} does not match its seal")


def damaged(what: str) -> CorruptData:
    return CorruptData(
        f"The journal of this project is damaged: {what}.",
        next_step="Copy the project folder, then replace .storyengine/journal.sqlite by the last good copy, "
        ".storyengine/journal.backup, and remove journal.sqlite-wal. Nothing in the store is touched by this.",
    )
