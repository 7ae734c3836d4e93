"""Executors run pure steps. This one uses the machine at hand; `ray_executor` uses many.

An executor works in *lanes*. A lane does one step at a time, keeps its warm helper, and is thrown away when
its worker dies or its step is cancelled. How many lanes there are follows from the resources steps hold.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, Protocol, Self

import anyio

from storyengine.errors import ContractError, Unavailable
from storyengine.runs.store import Artifact, Store
from storyengine.runs.worker import Fault, Job, Outcome, perform, serve

RETRIES = 2
"""How often a pure step is tried again after its worker died."""


class Executor(Protocol):
    """Runs pure steps somewhere. Never sees the journal, never makes a paid call."""

    @property
    def capacity(self) -> Mapping[str, int]:
        """Resources that steps may hold at once."""

    async def run(self, job: Job, store: Store) -> Artifact:
        """Do the work; its result lies in the store. Raises what the work raised, as one of the family."""

    async def close(self) -> None: ...


class WorkerLost(Exception):
    """The worker died under its step. Stays inside the executors."""


class Lane(Protocol):
    async def run(self, job: Job, store: Store) -> Outcome: ...

    def stop(self) -> None: ...


class Lanes:
    """Idle lanes by the helper they keep warm; the one used last goes first."""

    def __init__(self) -> None:
        self._idle: dict[str, list[Any]] = {}

    def take(self, job: Job) -> Any:
        idle = self._idle.get(_helper(job), [])
        return idle.pop() if idle else None

    def give(self, job: Job, lane: Any) -> None:
        self._idle.setdefault(_helper(job), []).append(lane)

    def empty(self) -> list[Any]:
        lanes = [lane for idle in self._idle.values() for lane in idle]
        self._idle.clear()
        return lanes


class LocalExecutor:
    """Runs pure steps on this machine, in processes (the default) or threads.

    Threads suit work that leaves the interpreter (numba, a GPU) and share their memory; a cancelled step
    then ends when its function returns, while a process is stopped at once.
    """

    def __init__(
        self,
        mode: Literal["processes", "threads"] = "processes",
        capacity: Mapping[str, int] | None = None,
    ) -> None:
        self._mode = mode
        self._capacity = {"cpu": os.cpu_count() or 1, **(capacity or {})}
        self._lanes = Lanes()

    @property
    def capacity(self) -> Mapping[str, int]:
        return self._capacity

    async def run(self, job: Job, store: Store) -> Artifact:
        for _ in range(1 + RETRIES):
            lane: Lane = self._lanes.take(job) or (_Process() if self._mode == "processes" else _Thread())
            try:
                outcome = await lane.run(job, store)
            except WorkerLost:
                lane.stop()
                continue
            except BaseException:
                lane.stop()
                raise
            self._lanes.give(job, lane)
            return artifact_of(outcome, job)
        raise lost_for_good(job)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        for lane in self._lanes.empty():
            lane.stop()


class _Thread:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="storyengine")
        self._helpers: dict[str, Any] = {}

    async def run(self, job: Job, store: Store) -> Outcome:
        return await asyncio.wrap_future(self._pool.submit(perform, job, store, self._helpers))

    def stop(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


class _Process:
    def __init__(self) -> None:
        # Forking a process that has threads and an event loop can leave locks held for ever.
        context = multiprocessing.get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    async def run(self, job: Job, store: Store) -> Outcome:
        try:
            self._line.send((job, store))
        except OSError as error:
            raise WorkerLost from error
        except Exception as error:
            raise ContractError(
                f"Step {job.slot!r} cannot be sent to a worker process: {error}.",
                next_step="Its work, warm helper and parameters must be importable by name or plain values.",
            ) from error
        await anyio.wait_readable(self._line.fileno())
        try:
            outcome: Outcome = self._line.recv()
        except (EOFError, OSError) as error:
            raise WorkerLost from error
        return outcome

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._line.close()


def artifact_of(outcome: Outcome, job: Job) -> Artifact:
    if isinstance(outcome, Fault):
        raise outcome.error(job.slot)
    return outcome


def lost_for_good(job: Job) -> Unavailable:
    return Unavailable(
        f"The worker of step {job.slot!r} died {1 + RETRIES} times.",
        next_step="It may need more memory than there is; lower the parallelism and run the same command again.",
    )


def _helper(job: Job) -> str:
    return job.warm.name if job.warm else ""
