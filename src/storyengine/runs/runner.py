"""The runner decides what has to be done, journals it, and makes every paid call.

do(step)
    wait for the same key, if it is under way
    found in the journal and the store?  that is the answer
    pure: hold its resources, run it on the executor, journal its artifact
    paid: payment.make
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Self

import anyio

from storyengine.errors import BudgetExhausted, ContractError, StoryEngineError
from storyengine.runs.executor import Executor
from storyengine.runs.ledger import Ledger
from storyengine.runs.limits import Resources
from storyengine.runs.payment import FREE_BYTES, Payments, RepayPolicy, never_repay
from storyengine.runs.progress import (
    Broadcast,
    Listener,
    RunEnded,
    RunStarted,
    StepDone,
    StepFailed,
    StepFound,
    StepStarted,
)
from storyengine.runs.project import Project
from storyengine.runs.provider import Provider
from storyengine.runs.rows import Call
from storyengine.runs.step import Done, Failed, Result, Skipped, Step
from storyengine.runs.store import Artifact
from storyengine.runs.why import Why, explain
from storyengine.runs.worker import Job

_log = logging.getLogger(__name__)

_GROUP = 64
_GROUP_SECONDS = 0.2
"""Free results share a commit until there are this many, or this long has passed. A crash repeats them."""


@dataclass
class _Running:
    """A step that is being done; others that want the same key wait for it."""

    over: anyio.Event
    artifact: Artifact | None = None
    error: StoryEngineError | None = None


class Runner:
    """Runs steps of one project. Use as an async context manager; `do` may be called from any task inside it.

    `cap` bounds the project's money over all its runs, in micro-dollars. The executor belongs to the
    caller, who may share it between projects and closes it.
    """

    def __init__(
        self,
        project: Project,
        executor: Executor,
        *,
        providers: Sequence[Provider] = (),
        cap: int | None = None,
        repay: RepayPolicy = never_repay,
        listeners: Sequence[Listener] = (),
        keep_free: int = FREE_BYTES,
    ) -> None:
        self.project = project
        self.ledger = Ledger(project.journal.calls(), cap)
        self._executor = executor
        self._providers = providers
        self._repay = repay
        self._keep_free = keep_free
        self._listener = Broadcast(listeners)
        self._resources = Resources(executor.capacity)
        self._running: dict[str, _Running] = {}
        self._counts = {"done": 0, "found": 0, "failed": 0}
        self._commit_due: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Self:
        journal = self.project.journal
        self._payments = Payments(
            self.project,
            self._providers,
            self.ledger,
            self._repay,
            self._listener,
            keep_free=self._keep_free,
        )
        self._listener.tell(RunStarted(str(self.project.folder), journal.run, journal.was_cut_short))
        await self._payments.reconcile()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._commit_due:
            self._commit_due.cancel()
        with suppress(StoryEngineError):  # a journal that broke has told the step that broke it
            self.project.journal.commit()
        self._listener.tell(RunEnded(**self._counts, spent=self.ledger.spent))

    async def do(self, step: Step) -> Artifact:
        """The step's artifact, found or made. Raises one of the error family."""
        return (await self._done(step)).artifact

    async def attempt(self, step: Step) -> Done | Failed:
        """The same, with a failure as a value."""
        try:
            return await self._done(step)
        except StoryEngineError as error:
            return Failed(step.slot, step.key, error)

    async def run(self, steps: Iterable[Step]) -> dict[str, Result]:
        """A whole graph: each step as soon as those it takes from have finished. One result per slot."""
        listed = list(steps)
        graph = {step.slot: step for step in listed}
        sorter = _sorted_graph(graph, listed)
        results: dict[str, Result] = {}

        async with anyio.create_task_group() as tasks:

            async def one(step: Step) -> None:
                results[step.slot] = await self._in_graph(step, results)
                sorter.done(step.slot)
                start_ready()

            def start_ready() -> None:
                for slot in sorter.get_ready():
                    tasks.start_soon(one, graph[slot])

            start_ready()
        return {slot: results[slot] for slot in graph}

    def why(self, step: Step) -> Why:
        """Whether the step would be done now, and what changed since a step of its name finished."""
        return explain(step, self.project.journal.in_slot(step.slot), there=self._find(step) is not None)

    async def collect_open(self) -> list[Call]:
        """Fetch paid jobs that no step asked for again; returns calls that are still open."""
        return await self._payments.collect_open()

    async def _in_graph(self, step: Step, results: dict[str, Result]) -> Result:
        made = {}
        for slot in step.after():
            before = results[slot]
            if not isinstance(before, Done):
                return Skipped(step.slot, slot)
            made[slot] = before.artifact
        return await self.attempt(step.filled(made))

    async def _done(self, step: Step) -> Done:
        while (running := self._running.get(step.key)) is not None:
            await running.over.wait()
            if running.error:
                raise running.error
            # Neither error nor artifact: whoever did it was cancelled, so it is our turn.
        found = self._find(step)
        if found:
            self._note_found(step, found)
            return Done(step.slot, step.key, found, hit=True)
        running = self._running[step.key] = _Running(anyio.Event())
        try:
            running.artifact = await self._make(step)
            return Done(step.slot, step.key, running.artifact, hit=False)
        except StoryEngineError as error:
            running.error = error
            raise
        finally:
            del self._running[step.key]
            running.over.set()

    async def _make(self, step: Step) -> Artifact:
        self._listener.tell(StepStarted(step.slot, step.kind, step.key, str(self.why(step))))
        try:
            artifact = await (self._payments.make(step) if step.paid else self._run_pure(step))
        except StoryEngineError as error:
            self._note_failed(step, error)
            raise
        except Exception as error:
            _log.exception("Step %s broke.", step.slot)
            broken = ContractError(f"Step {step.slot!r} broke: {type(error).__name__}: {error}")
            self._note_failed(step, broken)
            raise broken from error
        self._counts["done"] += 1
        self._listener.tell(StepDone(step.slot, step.kind, step.key, artifact.digest, artifact.size))
        return artifact

    async def _run_pure(self, step: Step) -> Artifact:
        assert step.work is not None
        self._resources.require(step.needs, step.slot)
        job = Job(step.slot, step.work, step.digests, dict(step.params), dict(step.needs), step.warm)
        async with self._resources.hold(step.needs):
            artifact = await self._executor.run(job, self.project.store)
        self.project.journal.finish_step(step.row(artifact), step.slot)
        self._commit_soon()
        return artifact

    def _find(self, step: Step) -> Artifact | None:
        row = self.project.journal.step(step.key)
        if row is None or row.digest is None or row.size is None:
            return None
        return Artifact(row.digest, row.size) if self.project.store.has(row.digest, row.size) else None

    def _note_found(self, step: Step, found: Artifact) -> None:
        if self.project.journal.key_in_slot(step.slot) != step.key:
            self.project.journal.stands_for(step.slot, step.key)
            self._commit_soon()
        self._counts["found"] += 1
        self._listener.tell(StepFound(step.slot, step.kind, step.key, found.digest))

    def _note_failed(self, step: Step, error: StoryEngineError) -> None:
        self._counts["failed"] += 1
        self._listener.tell(StepFailed(step.slot, step.kind, step.key, type(error).__name__, str(error)))
        if isinstance(error, BudgetExhausted):
            return  # nothing happened that a later reader would want to know
        with suppress(StoryEngineError):  # the error being noted may be the journal's own
            body = {"slot": step.slot, "key": step.key, "error": type(error).__name__, "message": str(error)}
            self.project.journal.append("failure", body)
            self._commit_soon()

    def _commit_soon(self) -> None:
        if self.project.journal.pending >= _GROUP:
            self.project.journal.commit()
        elif self._commit_due is None:
            self._commit_due = asyncio.get_running_loop().call_later(_GROUP_SECONDS, self._commit_now)

    def _commit_now(self) -> None:
        self._commit_due = None
        with suppress(StoryEngineError):  # the journal refuses the next write with the same error
            self.project.journal.commit()


def _sorted_graph(graph: dict[str, Step], steps: list[Step]) -> TopologicalSorter[str]:
    if len(graph) != len(steps):
        names = [step.slot for step in steps]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ContractError(f"Two steps of one graph have the same slot: {', '.join(twice)}.")
    for step in steps:
        for slot in step.after() - graph.keys():
            raise ContractError(f"Step {step.slot!r} takes from {slot!r}, which is not in the graph.")
    sorter = TopologicalSorter({step.slot: step.after() for step in steps})
    try:
        sorter.prepare()
    except CycleError as error:
        raise ContractError(f"Steps wait for each other in a circle: {' → '.join(error.args[1])}.") from error
    return sorter
