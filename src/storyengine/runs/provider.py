"""What the runner needs to know of a paid service. Backends implement these; the runner makes every call.

A provider either takes a job and is asked about it later (`JobProvider`), or answers in the response
(`DirectProvider`). Its errors tell the runner what happened to the money:

- `Refused`: the content was declined; final for this request.
- `AmbiguousCharge`: the request may have arrived (a time-out after sending, a dropped connection).
- any other StoryEngineError from `submit` or `answer`: certainly not charged.
- anything else that is raised: treated as AmbiguousCharge, because nobody knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from storyengine.errors import StoryEngineError
from storyengine.runs.step import Materials


@dataclass(frozen=True)
class Limits:
    """How a provider may be used, and how it behaves after a crash."""

    concurrency: int = 4
    """Calls on their way at once; a job counts until it is fetched."""
    per_second: float | None = None
    """Requests that start a charge, per second, evenly spaced."""
    poll_seconds: float = 2.0
    """Pause between two questions about one job."""
    patience_seconds: float = 1800.0
    """After this long the step fails for now; the job stays on the books and is asked for in the next run."""
    settle_seconds: float = 10.0
    """How long a request may be under way inside the provider before a look-up would show it."""
    idempotent: bool = False
    """Whether sending the same call name twice makes one job and one charge."""


@dataclass(frozen=True)
class Request:
    """One paid call, as the provider gets it."""

    call: str
    """Unique name of this call: send it as idempotency key or client metadata, never show it as a prompt."""
    kind: str
    materials: Materials


@dataclass(frozen=True)
class Answer:
    """What was paid for."""

    data: bytes | Path
    cost: int | None = None
    """Micro-dollars charged; None where the provider does not say, then the estimate is booked."""


@dataclass(frozen=True)
class Waiting:
    """The job is not finished."""


@dataclass(frozen=True)
class Ready:
    """The job can be fetched."""


@dataclass(frozen=True)
class Declined:
    """The job ended without a result. `error` is Refused for a refusal of content."""

    error: StoryEngineError
    cost: int = 0
    """Micro-dollars charged all the same."""


class Provider(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def limits(self) -> Limits: ...


@runtime_checkable
class JobProvider(Provider, Protocol):
    """Takes a job, answers later."""

    async def submit(self, request: Request) -> str:
        """Start the job and return its id."""

    async def poll(self, job: str) -> Waiting | Ready | Declined: ...

    async def fetch(self, job: str) -> Answer:
        """The result of a finished job; may be asked for more than once."""


@runtime_checkable
class LooksUp(Protocol):
    """A job provider that can find a job by the name of its call."""

    async def lookup(self, call: str) -> str | None:
        """The job id of this call, or None where it never arrived."""


@runtime_checkable
class DirectProvider(Provider, Protocol):
    """Answers in the response. A crash between sending and answer is always ambiguous."""

    async def answer(self, request: Request) -> Answer | Declined: ...
