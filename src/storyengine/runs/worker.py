"""Where a pure step runs: a thread, a process, or a Ray worker. None of them ever sees the journal.

Kept free of everything a worker does not need: a process starts as fast as this module loads.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from storyengine import errors
from storyengine.errors import ContractError, StoryEngineError
from storyengine.runs.step import Materials, Warm, Work
from storyengine.runs.store import Artifact, Store


@dataclass(frozen=True)
class Job:
    """A pure step, as a worker gets it."""

    slot: str
    work: Work
    inputs: Mapping[str, str]
    params: Mapping[str, Any]
    needs: Mapping[str, int]
    warm: Warm | None


@dataclass(frozen=True)
class Fault:
    """An error as data: exceptions with their own arguments do not survive the way between processes."""

    kind: str
    """Its class; for an error that carries more than text, the nearest one in the family that does not."""
    message: str
    next_step: str
    more: dict[str, str]
    trace: str

    @classmethod
    def of(cls, error: Exception) -> Fault:
        trace = traceback.format_exc(limit=-4)
        if not isinstance(error, StoryEngineError):
            return cls(type(error).__name__, str(error), "", {}, trace)
        more = {name: value for name, value in vars(error).items() if name not in ("message", "next_step")}
        if all(isinstance(value, str) for value in more.values()):
            return cls(type(error).__name__, error.message, error.next_step, more, trace)
        plain = next(kind for kind in type(error).__mro__ if "__init__" not in vars(kind) or kind is StoryEngineError)
        return cls(plain.__name__, error.message, error.next_step, {}, trace)

    def error(self, slot: str) -> StoryEngineError:
        """The error again, as one of the family; anything foreign is a broken promise of the step's code."""
        found = getattr(errors, self.kind, None)
        if isinstance(found, type) and issubclass(found, StoryEngineError):
            error = found.__new__(found)
            StoryEngineError.__init__(error, self.message, next_step=self.next_step)
            vars(error).update(self.more)
            return error
        return ContractError(
            f"Step {slot!r} broke with {self.kind}: {self.message}",
            next_step=f"Please report it with this trace:\n{self.trace}",
        )


Outcome = Artifact | Fault


def perform(job: Job, store: Store, helpers: dict[str, Any]) -> Outcome:
    """Do the work and put its result into the store. `helpers` keeps what stays warm in this worker."""
    materials = None
    try:
        if job.warm and job.warm.name not in helpers:
            helpers[job.warm.name] = job.warm.make()
        materials = Materials(job.inputs, job.params, store, helpers[job.warm.name] if job.warm else None)
        return store.put(job.work(materials))
    except Exception as error:
        return Fault.of(error)
    finally:
        if materials:
            materials.clear()


def serve(line: Connection) -> None:
    """The life of a worker process: take a job, do it, answer, until the runner hangs up."""
    # Ctrl-C reaches the whole group of processes; the runner decides when a worker ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    helpers: dict[str, Any] = {}
    while True:
        try:
            job, store = line.recv()
        except (EOFError, OSError):
            return
        except Exception as error:
            answer: Outcome = Fault.of(error)
        else:
            answer = perform(job, store, helpers)
        try:
            line.send(answer)
        except OSError:
            return
