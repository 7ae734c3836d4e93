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
    message: str
    next_step: str
    trace: str

    def error(self, slot: str) -> StoryEngineError:
        """The error again, as one of the family; anything foreign is a broken promise of the step's code."""
        found = getattr(errors, self.kind, None)
        if isinstance(found, type) and issubclass(found, StoryEngineError):
            try:
                return found(self.message, next_step=self.next_step)
            except TypeError:
                return StoryEngineError(self.message, next_step=self.next_step)
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
        text = error.message if isinstance(error, StoryEngineError) else str(error)
        next_step = error.next_step if isinstance(error, StoryEngineError) else ""
        return Fault(type(error).__name__, text, next_step, traceback.format_exc(limit=-4))
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
            answer: Outcome = Fault(type(error).__name__, str(error), "", traceback.format_exc(limit=-4))
        else:
            answer = perform(job, store, helpers)
        try:
            line.send(answer)
        except OSError:
            return
