"""What happens in a run, told to whoever listens. The runner never prints."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol, TextIO

from storyengine.runs.secrecy import redact_value

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RunStarted:
    folder: str
    run: int
    cut_short: bool
    """Whether the run before this one was killed."""


@dataclass(frozen=True)
class StepStarted:
    slot: str
    kind: str
    key: str
    why: str
    """Why it is done: new, lost, or what changed."""


@dataclass(frozen=True)
class StepFound:
    """Finished earlier; nothing to do."""

    slot: str
    kind: str
    key: str
    digest: str


@dataclass(frozen=True)
class StepDone:
    slot: str
    kind: str
    key: str
    digest: str
    size: int


@dataclass(frozen=True)
class StepFailed:
    slot: str
    kind: str
    key: str
    error: str
    """Name of the error in the error family."""
    message: str


@dataclass(frozen=True)
class CallMoved:
    """A paid call reached a new state, which is on disk."""

    slot: str
    provider: str
    stage: str
    state: str
    job: str | None
    estimate: int
    actual: int | None
    exposure: int
    """Micro-dollars spent, reserved and uncertain in the whole project."""
    reason: str


@dataclass(frozen=True)
class RunEnded:
    done: int
    found: int
    failed: int
    spent: int
    """Micro-dollars, over all runs of the project."""


Event = RunStarted | StepStarted | StepFound | StepDone | StepFailed | CallMoved | RunEnded


class Listener(Protocol):
    def tell(self, event: Event) -> None: ...


class Silent:
    """Hears everything, says nothing."""

    def tell(self, event: Event) -> None:
        pass


class JsonLines:
    """One JSON object per event, for other programs. Secrets are hidden."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def tell(self, event: Event) -> None:
        body = {"event": type(event).__name__, **redact_value(asdict(event))}
        self._stream.write(json.dumps(body, ensure_ascii=False) + "\n")
        self._stream.flush()


class Broadcast:
    """Tells several listeners. One that fails is dropped: watching a run must never break it."""

    def __init__(self, listeners: Sequence[Listener]) -> None:
        self._listeners = list(listeners)

    def tell(self, event: Event) -> None:
        for listener in list(self._listeners):
            try:
                listener.tell(event)
            except Exception:
                self._listeners.remove(listener)
                _log.exception("A progress listener (%s) failed and is dropped.", type(listener).__name__)
