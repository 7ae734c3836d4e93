"""A paid call, from intent to result. Each state is on disk before the next thing happens.

    open     intent → disk            the reservation of its estimate is the same row
    send     request → provider       carrying the call's name
             submitted(job) → disk
    collect  poll, fetch, store
             done(digest, cost) → disk

After a crash: a submitted job is polled. An intent is looked up by its name where the provider can; where
sending a name twice makes one job, it is sent again; otherwise it is ambiguous, reported, and left to a
person. It is never silently sent again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

import anyio
import anyio.to_thread

from storyengine.errors import (
    AmbiguousCharge,
    BackendError,
    CorruptData,
    FolderError,
    InputError,
    Malformed,
    Refused,
    StoryEngineError,
    Unavailable,
)
from storyengine.runs.digest import digest
from storyengine.runs.folder import free_bytes
from storyengine.runs.ledger import Ledger
from storyengine.runs.limits import Pace
from storyengine.runs.progress import CallMoved, Listener
from storyengine.runs.project import Project
from storyengine.runs.provider import (
    Answer,
    Declined,
    DirectProvider,
    JobProvider,
    LooksUp,
    Provider,
    Ready,
    Request,
)
from storyengine.runs.rows import Call, CallState
from storyengine.runs.step import Materials, Step
from storyengine.runs.store import Artifact

RepayPolicy = Callable[[Call], bool]
"""Whether to pay once more for a call whose fate nobody knows, or whose answer was lost."""

FREE_BYTES = 64 * 1024 * 1024
"""Nothing is bought while the disk has less room than this: the answer could not be kept."""


def never_repay(call: Call) -> bool:
    """Leave it to a person. The default."""
    return False


def repay_all(call: Call) -> bool:
    """Send again whatever is ambiguous. What `--repay` means."""
    return True


def refusal(call: Call) -> Refused:
    """What a step ends in whose request was declined before: the same one is not sent again."""
    return Refused(
        f"{call.provider} declined {call.slot}: {call.reason}",
        call.reason,
        next_step="Change the request; the same one is not sent again.",
    )


class Counter:
    """One provider's counter: how many calls stand at it, and how fast they are served."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self.places = anyio.CapacityLimiter(provider.limits.concurrency)
        self.pace = Pace(provider.limits.per_second)


class Payments:
    """Makes every paid call of a run. One task per step; all of them on the runner's thread."""

    def __init__(
        self,
        project: Project,
        providers: Iterable[Provider],
        ledger: Ledger,
        repay: RepayPolicy,
        listener: Listener,
        *,
        keep_free: int = FREE_BYTES,
    ) -> None:
        self._journal, self._store, self._folder = project.journal, project.store, project.folder
        self._counters = {provider.name: Counter(provider) for provider in providers}
        self._ledger = ledger
        self._repay = repay
        self._listener = listener
        self._keep_free = keep_free
        self._started = anyio.current_time()
        self._sent_at: dict[str, float] = {}

    async def make(self, step: Step) -> Artifact:
        """The answer to this step's request, paid for at most once."""
        assert step.paid is not None
        counter = self._counter(step.paid.provider, step.slot)
        async with counter.places:
            earlier = await self._take_up(counter, self._journal.call(step.key))
            if earlier is None or earlier.state is CallState.INTENT:
                await counter.pace.turn()
                # From here to the answer there is no way back: the request may be charged.
                with anyio.CancelScope(shield=True):
                    opened = earlier or await self._open(counter, step)
                    call = await self._send(counter, step, opened)
                if call.state is CallState.INTENT:
                    call = await self._unsure(counter, call)
            else:
                call = earlier
            if call.state is CallState.SUBMITTED:
                call = await self._collect(counter, call)
        return _artifact(call)

    async def reconcile(self) -> None:
        """Find out what became of calls that a dead run was about to send. Reported, not raised."""
        for call in self._newest():
            if call.state is CallState.INTENT and call.provider in self._counters:
                with suppress(AmbiguousCharge, BackendError):
                    await self._resolve(self._counters[call.provider], call)

    async def collect_open(self) -> list[Call]:
        """Fetch what was paid for and not yet collected, wanted or not. Returns what is still open."""
        for call in self._newest():
            if call.state is CallState.SUBMITTED and call.provider in self._counters:
                counter = self._counters[call.provider]
                with suppress(BackendError):
                    async with counter.places:
                        await self._collect(counter, call)
        return [call for call in self._newest() if call.state in (CallState.INTENT, CallState.SUBMITTED)]

    async def _take_up(self, counter: Counter, earlier: Call | None) -> Call | None:
        """Go on with an earlier attempt. None: there is nothing to go on with, a new attempt is due."""
        if earlier is None or earlier.state is CallState.FAILED:
            return None
        if earlier.state is CallState.REFUSED:
            raise refusal(earlier)
        if earlier.state is CallState.SUBMITTED:
            return earlier
        if earlier.state is CallState.DONE:
            return await self._fetch_again(counter, earlier)
        return await self._resolve(counter, earlier)

    async def _open(self, counter: Counter, step: Step) -> Call:
        """A new attempt: reserved and on disk, not yet sent."""
        assert step.paid is not None
        self._ledger.require(step.paid.estimate, step.slot)
        if free_bytes(self._folder) < self._keep_free:
            raise FolderError(
                f"The disk of {self._folder} is nearly full, so {step.slot} was not bought.",
                next_step="Free some space and run the same command again; nothing is lost.",
            )
        earlier = self._journal.call(step.key)
        attempt = earlier.attempt + 1 if earlier else 1
        call = Call(
            name=digest("call", [self._journal.project, step.key, attempt]),
            key=step.key,
            attempt=attempt,
            slot=step.slot,
            provider=step.paid.provider,
            stage=step.paid.stage,
            state=CallState.INTENT,
            job=None,
            digest=None,
            size=None,
            estimate=step.paid.estimate,
            actual=None,
            reason="",
            run=0,
            at=0.0,
        )
        self._journal.begin_step(step.row())
        call = await self._move(call, CallState.INTENT)
        if self._journal.was_cut_short and isinstance(counter.provider, LooksUp):
            # The end of the journal may be missing, and with it a call that was sent.
            call = await self._resolve(counter, call) or call
        return call

    async def _send(self, counter: Counter, step: Step, call: Call) -> Call:
        """Send the request. Still INTENT afterwards: nobody knows whether it arrived."""
        if call.state is not CallState.INTENT:
            return call
        materials = Materials(step.digests, step.params, self._store)
        self._sent_at[call.name] = anyio.current_time()
        try:
            reply = await _ask(counter.provider, Request(call.name, step.kind, materials))
            if isinstance(reply, str):
                return await self._move(call, CallState.SUBMITTED, job=reply)
            return await self._book(call, reply)
        except _NotSent as error:
            state = CallState.REFUSED if isinstance(error.cause, Refused) else CallState.FAILED
            await self._move(call, state, actual=0, reason=_reason(error.cause))
            raise error.cause from None
        except _NobodyKnows as error:
            return replace(call, reason=str(error))
        finally:
            materials.clear()

    async def _unsure(self, counter: Counter, call: Call) -> Call:
        """The request was sent and no answer came: find out, or leave it for the next run to find out."""
        found = await self._resolve(counter, call)
        if found is not None and found.state is CallState.SUBMITTED:
            return found
        raise Unavailable(
            f"{call.provider} did not answer for {call.slot}: {call.reason}",
            next_step="Run the same command again; it will not be charged twice.",
        )

    async def _resolve(self, counter: Counter, call: Call) -> Call | None:
        """SUBMITTED: it arrived. INTENT: it may safely be sent. None: a person decided to pay again."""
        provider = counter.provider
        if isinstance(provider, LooksUp):
            # A request of a process that just died may still be under way inside the provider.
            sent = self._sent_at.get(call.name, self._started)
            await anyio.sleep_until(sent + provider.limits.settle_seconds)
            job = await provider.lookup(call.name)
            if job is not None:
                return await self._move(call, CallState.SUBMITTED, job=job)
            return replace(call, state=CallState.INTENT)
        if provider.limits.idempotent:
            return replace(call, state=CallState.INTENT)
        if call.state is not CallState.AMBIGUOUS:
            reason = call.reason or "the process ended after the call was recorded and before its answer was"
            call = await self._move(call, CallState.AMBIGUOUS, reason=reason)
        if self._repay(call):
            return None
        raise AmbiguousCharge(
            f"{call.slot} may or may not have been charged by {call.provider}: {call.reason}.",
            next_step=f"Look for call {call.name[:16]} in the provider's account. To send it again and perhaps "
            "pay twice, run the same command with --repay.",
        )

    async def _collect(self, counter: Counter, call: Call) -> Call:
        """Wait for a job and book its answer. Until that is on disk, the job stays open."""
        assert isinstance(counter.provider, JobProvider)
        assert call.job is not None
        try:
            answer = await _wait_for(counter.provider, call, call.job)
        except Refused as error:
            answer = Declined(error)
        except Malformed as error:
            answer = Declined(error, cost=call.estimate)
        return await self._book(call, answer)

    async def _book(self, call: Call, answer: Answer | Declined) -> Call:
        """Store the answer, then write its digest and its cost in one commit."""
        with anyio.CancelScope(shield=True):
            if isinstance(answer, Declined):
                state = CallState.REFUSED if isinstance(answer.error, Refused) else CallState.FAILED
                await self._move(call, state, actual=answer.cost, reason=_reason(answer.error))
                raise answer.error
            artifact = await self._keep(call, answer)
            step = self._journal.step(call.key)
            assert step is not None
            self._journal.finish_step(replace(step, digest=artifact.digest, size=artifact.size), call.slot)
            cost = call.estimate if answer.cost is None else answer.cost
            call = await self._move(call, CallState.DONE, digest=artifact.digest, size=artifact.size, actual=cost)
        return call  # noqa: RET504 - returning from inside the scope looks to mypy like falling out of it

    async def _keep(self, call: Call, answer: Answer) -> Artifact:
        try:
            return await anyio.to_thread.run_sync(self._store.put, answer.data)
        except FolderError as error:
            if call.job is None:
                lost = f"it was answered, but the answer could not be kept ({error.message})"
                await self._move(call, CallState.AMBIGUOUS, actual=answer.cost, reason=lost)
            raise

    async def _fetch_again(self, counter: Counter, call: Call) -> Call | None:
        """The artifact of a paid call is gone: ask the provider for it, or a person whether to pay again."""
        provider = counter.provider
        if isinstance(provider, JobProvider) and call.job is not None:
            answer = None
            with suppress(BackendError):
                answer = await provider.fetch(call.job)
            if answer is not None:
                return await self._book(call, replace(answer, cost=call.actual))
        if self._repay(call):
            return None
        raise CorruptData(
            f"The paid answer for {call.slot} is missing or damaged, and {call.provider} does not give it again.",
            next_step="To pay for it once more, run the same command with --repay.",
        )

    async def _move(
        self,
        call: Call,
        state: CallState,
        *,
        job: str | None = None,
        digest: str | None = None,
        size: int | None = None,
        actual: int | None = None,
        reason: str = "",
    ) -> Call:
        """Write the call's new state, wait until it is on disk, and tell."""
        call = self._journal.write_call(
            replace(call, state=state, job=job or call.job, digest=digest, size=size, actual=actual, reason=reason)
        )
        self._ledger.note(call)
        await self._journal.committed()
        self._listener.tell(
            CallMoved(
                slot=call.slot,
                provider=call.provider,
                stage=call.stage,
                state=call.state,
                job=call.job,
                estimate=call.estimate,
                actual=call.actual,
                exposure=self._ledger.exposure,
                reason=call.reason,
            )
        )
        return call

    def _newest(self) -> list[Call]:
        return list({call.key: call for call in self._journal.calls()}.values())

    def _counter(self, name: str, slot: str) -> Counter:
        if name not in self._counters:
            known = ", ".join(sorted(self._counters)) or "none"
            raise InputError(f"Step {slot!r} is to be paid at {name!r}, which this run does not know. Known: {known}.")
        return self._counters[name]


class _NotSent(Exception):
    """The provider certainly did not charge."""

    def __init__(self, cause: StoryEngineError) -> None:
        self.cause = cause


class _NobodyKnows(Exception):
    """The request may have arrived."""


async def _ask(provider: Provider, request: Request) -> str | Answer | Declined:
    """Send a request; a job id or the answer. Splits what went wrong by what it may have cost."""
    try:
        if isinstance(provider, DirectProvider):
            return await provider.answer(request)
        assert isinstance(provider, JobProvider)
        return await provider.submit(request)
    except AmbiguousCharge as error:
        raise _NobodyKnows(error.message) from error
    except StoryEngineError as error:
        raise _NotSent(error) from error
    except Exception as error:
        raise _NobodyKnows(f"{type(error).__name__}: {error}") from error


async def _wait_for(provider: JobProvider, call: Call, job: str) -> Answer | Declined:
    """Ask about a job until it has ended, and fetch its result."""
    patience = anyio.current_time() + provider.limits.patience_seconds
    while True:
        state = await provider.poll(job)
        if isinstance(state, Ready):
            return await provider.fetch(job)
        if isinstance(state, Declined):
            return state
        if anyio.current_time() > patience:
            raise Unavailable(
                f"{call.provider} has not finished {call.slot} (job {job}).",
                next_step="Run the same command again later; the job is asked for, not paid again.",
            )
        await anyio.sleep(provider.limits.poll_seconds)


def _reason(error: StoryEngineError) -> str:
    return error.reason if isinstance(error, Refused) else error.message


def _artifact(call: Call) -> Artifact:
    assert call.digest is not None
    assert call.size is not None
    return Artifact(call.digest, call.size)
