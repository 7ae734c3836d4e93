"""Paid calls against a real service over a real socket: paid once, found again, never silently repeated."""

import contextlib
import multiprocessing
import os
import signal

import anyio
import pytest

from storyengine.errors import AmbiguousCharge, BudgetExhausted, CorruptData, InputError, Refused, Unavailable
from storyengine.runs.payment import repay_all
from storyengine.runs.project import Project, read_journal
from storyengine.runs.rows import CallState
from storyengine.runs.runner import Runner
from storyengine.runs.step import Done, Failed
from tests.runs.work import paid_step, text_step


def charges_of(service, runner_or_calls):
    names = {call.name for call in runner_or_calls}
    return sum(charge in names for charge in service.charges())


def calls(folder):
    with read_journal(folder) as journal:
        return journal.calls()


@pytest.mark.parametrize("provider", ["jobs", "lookup", "idempotent", "direct"])
def test_a_call_is_paid_once_over_two_runs(provider, in_runner, folder, service):
    step = paid_step("opening", f"a red kite ({provider})", provider)
    first = in_runner(lambda runner: runner.attempt(step))
    second = in_runner(lambda runner: runner.attempt(step))
    assert isinstance(first, Done)
    assert not first.hit
    assert isinstance(second, Done)
    assert second.hit
    assert first.artifact == second.artifact
    assert [call.state for call in calls(folder)] == [CallState.DONE]
    assert charges_of(service, calls(folder)) == 1


def test_tasks_that_want_the_same_share_one_call(in_runner, folder, service):
    async def use(runner: Runner):
        found = []

        async def one(slot):
            found.append(await runner.do(paid_step(slot, "the same lake")))

        async with anyio.create_task_group() as tasks:
            for slot in range(20):
                tasks.start_soon(one, f"view {slot}")
        return found

    assert len(set(in_runner(use))) == 1
    assert charges_of(service, calls(folder)) == 1


def test_inputs_reach_the_provider(in_runner):
    async def use(runner: Runner):
        red = await runner.do(text_step("red", "red"))
        blue = await runner.do(text_step("blue", "blue"))
        return [await runner.do(paid_step(f"kite {c.digest}", "kite", source=c.digest)) for c in (red, blue)]

    red_kite, blue_kite = in_runner(use)
    assert red_kite != blue_kite


@pytest.mark.parametrize(("word", "cost"), [("refuse", 0), ("fail later", 20_000)])
def test_a_refusal_is_final_and_booked(word, cost, in_runner, folder, service):
    step = paid_step("opening", word)
    for _ in range(2):
        result = in_runner(lambda runner: runner.attempt(step))
        assert isinstance(result, Failed)
        assert isinstance(result.error, Refused)
        assert result.error.reason
    assert [(call.state, call.actual) for call in calls(folder)] == [(CallState.REFUSED, cost)]
    assert charges_of(service, calls(folder)) == (1 if cost else 0)


def test_an_overloaded_provider_costs_nothing_and_is_asked_again_later(in_runner, folder):
    step = paid_step("opening", "overload")
    for attempt in (1, 2):
        result = in_runner(lambda runner: runner.attempt(step))
        assert isinstance(result.error, Unavailable)
        assert [call.state for call in calls(folder)] == [CallState.FAILED] * attempt


@pytest.mark.parametrize("provider", ["jobs", "direct"])
def test_a_broken_connection_is_ambiguous_until_somebody_decides(provider, in_runner, folder, service):
    step = paid_step("opening", "hang up", provider)
    for _ in range(2):
        result = in_runner(lambda runner: runner.attempt(step))
        assert isinstance(result.error, AmbiguousCharge)
        assert "--repay" in str(result.error)
    assert charges_of(service, calls(folder)) == 1
    assert [call.state for call in calls(folder)] == [CallState.AMBIGUOUS]
    in_runner(lambda runner: runner.attempt(step), repay=repay_all)
    assert len(calls(folder)) == 2
    assert charges_of(service, calls(folder)) == 2


def test_a_broken_connection_is_cleared_up_by_a_look_up(in_runner, folder, service):
    # This service hangs up before it made the job, so the look-up says: never arrived.
    result = in_runner(lambda runner: runner.attempt(paid_step("opening", "hang up", "lookup")))
    assert isinstance(result.error, Unavailable)
    assert [call.state for call in calls(folder)] == [CallState.INTENT]


def test_the_cap_refuses_before_the_call_and_the_project_goes_on(in_runner, folder, service):
    steps = [paid_step(f"view {index}", f"view {index}", estimate=50_000) for index in range(5)]
    results = in_runner(lambda runner: runner.run(steps), cap=120_000)
    failed = [result for result in results.values() if isinstance(result, Failed)]
    assert len(failed) >= 3  # two fit while reserved; what is settled below its estimate may let a third in
    assert all(isinstance(result.error, BudgetExhausted) for result in failed)
    spent = sum(call.exposure for call in calls(folder))
    assert spent <= 120_000
    assert charges_of(service, calls(folder)) == 5 - len(failed)
    results = in_runner(lambda runner: runner.run(steps), cap=250_000)
    assert all(isinstance(result, Done) for result in results.values())
    assert charges_of(service, calls(folder)) == 5


def test_a_damaged_paid_artifact_is_fetched_again_without_paying(in_runner, folder, service):
    step = paid_step("opening", "a lighthouse")
    digest = in_runner(lambda runner: runner.do(step)).digest
    path = folder / ".storyengine/store" / digest[:2] / digest[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1] + b"!")

    async def read(runner: Runner):
        return runner.project.store.get((await runner.do(step)).digest)

    with pytest.raises(CorruptData, match="damaged"):
        in_runner(read)
    assert in_runner(read)
    assert charges_of(service, calls(folder)) == 1
    assert calls(folder)[0].actual == 40_000


def test_a_lost_direct_answer_waits_for_a_decision(in_runner, folder, service):
    step = paid_step("line", "a line of dialogue", "direct")
    digest = in_runner(lambda runner: runner.do(step)).digest
    (folder / ".storyengine/store" / digest[:2] / digest[2:]).unlink()
    result = in_runner(lambda runner: runner.attempt(step))
    assert isinstance(result.error, CorruptData)
    assert "--repay" in str(result.error)
    assert in_runner(lambda runner: runner.do(step), repay=repay_all).digest == digest
    assert charges_of(service, calls(folder)) == 2


def test_an_unknown_provider_names_the_known_ones(in_runner):
    result = in_runner(lambda runner: runner.attempt(paid_step("opening", "kite", "nobody")))
    assert isinstance(result.error, InputError)
    assert "direct, idempotent, jobs, lookup" in str(result.error)


def test_cancelling_books_what_was_sent(in_runner, folder, service):
    """A cancelled run stops without a call whose fate is unknown; the next one pays for nothing twice."""
    steps = [paid_step(f"view {index}", f"cancelled view {index}", "direct") for index in range(20)]

    async def use(runner: Runner):
        with anyio.move_on_after(0.03):
            await runner.run(steps)

    in_runner(use)
    assert {call.state for call in calls(folder)} <= {CallState.DONE}
    results = in_runner(lambda runner: runner.run(steps))
    assert all(isinstance(result, Done) for result in results.values())
    assert charges_of(service, calls(folder)) == 20


def test_leftover_jobs_can_be_collected(in_runner, folder, service):
    async def use(runner: Runner):
        with anyio.move_on_after(0.004):
            await runner.do(paid_step("opening", "left on the counter"))

    in_runner(use)
    while not calls(folder):  # cancelled before it was sent: nothing is on the books, send it again
        in_runner(use)
    assert in_runner(lambda runner: runner.collect_open()) == []
    assert calls(folder)[0].state is CallState.DONE
    hit = in_runner(lambda runner: runner.attempt(paid_step("opening", "left on the counter")))
    assert hit.hit


@pytest.mark.parametrize("moment", ["before charge", "after charge", "after response"])
@pytest.mark.parametrize("provider", ["jobs", "lookup", "idempotent", "direct"])
def test_a_run_killed_at_the_worst_moment(moment, provider, in_runner, folder, service):
    step = paid_step("opening", f"killed {moment} at {provider}", provider)
    service.kill_caller(moment, after=0)
    child = multiprocessing.get_context("fork").Process(target=lambda: in_runner(lambda r: r.do(step)))
    child.start()
    child.join()
    # The answer and the signal race: the child may have committed, or even ended, before it died.
    assert child.exitcode in (-signal.SIGKILL, 0)
    result = in_runner(lambda runner: runner.attempt(step))
    # The service charges even when its caller dies while it does.
    assert charges_of(service, calls(folder)) == 1
    if provider in ("lookup", "idempotent"):
        assert isinstance(result, Done)
    elif isinstance(result, Failed):
        assert isinstance(result.error, AmbiguousCharge)
        again = in_runner(lambda runner: runner.attempt(step), repay=repay_all)
        assert isinstance(again, Done)
        assert charges_of(service, calls(folder)) == 2


def test_a_journal_that_lost_its_end_pays_for_nothing_twice(in_runner, folder, service):
    """The rows of a call are gone, the job is not: it is looked up before anything is sent."""
    step = paid_step("opening", "forgotten by the disk")
    in_runner(lambda runner: runner.do(text_step("first", "makes the journal")))

    def main():
        async def use(runner: Runner):
            await runner.do(step)
            os._exit(9)

        in_runner(use)

    child = multiprocessing.get_context("fork").Process(target=main)
    child.start()
    child.join()
    assert child.exitcode == 9
    assert len(calls(folder)) == 1
    os.truncate(folder / ".storyengine" / "journal.sqlite-wal", 0)
    with Project(folder) as project:
        assert project.journal.calls() == []
        assert project.journal.was_cut_short
        result = in_runner(lambda runner: runner.attempt(step), project=contextlib.nullcontext(project))
    assert isinstance(result, Done)
    assert charges_of(service, calls(folder)) == 1
