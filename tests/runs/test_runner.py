import multiprocessing
import os
import signal

import anyio
import pytest

from storyengine.errors import ContractError, FolderError, InputError, Interrupted, Unavailable
from storyengine.runs.executor import LocalExecutor
from storyengine.runs.interrupt import until_interrupted
from storyengine.runs.project import Project, read_journal
from storyengine.runs.runner import Runner
from storyengine.runs.step import Done, Failed, From, Skipped, Step
from storyengine.runs.why import Change, Status
from tests.runs.work import (
    MODEL,
    break_down,
    complain,
    count,
    die,
    die_once,
    draft,
    graph,
    join,
    miss,
    paid_step,
    refuse,
    reject,
    text_step,
    use_model,
)


def redone(results):
    return {slot for slot, result in results.items() if isinstance(result, Done) and not result.hit}


def counting(folder, slot="count", **more):
    params = {"marks": str(folder) + ".marks", **more}
    return Step(kind="count", version="1", slot=slot, params=params, work=count)


def marks(folder):
    path = folder.with_name(folder.name + ".marks")
    return path.read_text().split() if path.exists() else []


def test_a_graph_runs_in_order_and_is_found_again(in_runner):
    first = in_runner(lambda runner: runner.run(graph(30)))
    second = in_runner(lambda runner: runner.run(graph(30)))
    assert redone(first) == set(first)
    assert redone(second) == set()
    assert {s: r.artifact for s, r in first.items()} == {s: r.artifact for s, r in second.items()}


def test_one_changed_input_redoes_exactly_its_dependants(in_runner):
    in_runner(lambda runner: runner.run(graph(40)))
    results = in_runner(lambda runner: runner.run(graph(40, change=14)))
    assert redone(results) == {f"shot {index}" for index in range(14, 20)}
    # Going back is free: the old results are still known by their keys.
    assert redone(in_runner(lambda runner: runner.run(graph(40)))) == set()


def test_a_change_without_effect_stops_where_the_content_is_the_same(in_runner):
    def steps(version):
        yield text_step("a", "same", version=version)
        yield text_step("b", "after", source=From("a"))

    in_runner(lambda runner: runner.run(steps("1")))
    assert redone(in_runner(lambda runner: runner.run(steps("2")))) == {"a"}


def test_why_names_what_changed(in_runner):
    async def use(runner: Runner):
        red, blue = [await runner.do(text_step(name, name)) for name in ("red", "blue")]
        old = text_step("kite", "flies", colour=red.digest)
        assert runner.why(old).status is Status.NEW
        await runner.do(old)
        assert runner.why(old).status is Status.FINISHED
        why = runner.why(text_step("kite", "falls", version="2", colour=blue.digest))
        assert why.status is Status.STALE
        assert why.changes == (
            Change("version", "", "1", "2"),
            Change("input", "colour", red.digest, blue.digest),
            Change("param", "text", "flies", "falls"),
        )
        assert str(why) == "kite: version, input colour, param text changed"
        added = runner.why(text_step("kite", "flies", colour=red.digest, wind=blue.digest))
        assert added.changes == (Change("input", "wind", None, blue.digest),)
        return (await runner.do(old)).digest

    digest = in_runner(use)

    async def lose(runner: Runner):
        runner.project.store.delete(digest)
        step = text_step("kite", "flies", colour=(await runner.do(text_step("red", "red"))).digest)
        assert runner.why(step).status is Status.LOST
        assert (await runner.do(step)).digest == digest

    in_runner(lose)


def test_why_compares_with_what_the_name_last_stood_for(in_runner):
    async def use(runner: Runner):
        for text in ("one", "two", "one"):
            await runner.do(text_step("line", text))
        (change,) = runner.why(text_step("line", "three")).changes
        return change.before

    assert in_runner(use) == "one"


def test_identical_steps_run_once(in_runner, folder):
    async def use(runner: Runner):
        async with anyio.create_task_group() as tasks:
            for index in range(10):
                tasks.start_soon(runner.do, counting(folder, f"slot {index}", seconds=0.05))
        return runner.project.journal.slots()

    assert len(in_runner(use)) == 10
    assert len(marks(folder)) == 1


def test_a_cancelled_step_is_taken_over_by_whoever_waits_for_it(in_runner, folder):
    async def use(runner: Runner):
        async with anyio.create_task_group() as tasks:
            scope = anyio.CancelScope()

            async def impatient():
                with scope:
                    await runner.do(counting(folder, "first", seconds=0.1))

            tasks.start_soon(impatient)
            await anyio.sleep(0.02)
            tasks.start_soon(runner.do, counting(folder, "second", seconds=0.1))
            await anyio.sleep(0.02)
            scope.cancel()

    in_runner(use)
    assert len(marks(folder)) == 2
    with read_journal(folder) as journal:
        assert list(journal.slots()) == ["second"]


def test_failures_are_results_and_stop_only_what_depends_on_them(in_runner, folder):
    steps = [
        text_step("good", "fine"),
        text_step("bad", work=complain),
        text_step("after bad", "x", source=From("bad")),
        text_step("later", "x", source=From("after bad")),
        text_step("after good", "y", source=From("good")),
        text_step("broken", "y", work=break_down),
    ]
    results = in_runner(lambda runner: runner.run(steps))
    assert isinstance(results["bad"], Failed)
    assert isinstance(results["bad"].error, InputError)
    assert str(results["bad"].error) == "The lens is missing. Choose a lens."
    assert results["after bad"] == Skipped("after bad", "bad")
    assert results["later"] == Skipped("later", "after bad")
    assert isinstance(results["after good"], Done)
    assert isinstance(results["broken"].error, ContractError)
    with read_journal(folder) as journal:
        failures = journal.records("failure")
    assert {failure.body["slot"] for failure in failures} == {"bad", "broken"}
    assert "sk-planted" not in str(failures)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([text_step("a", x=From("b")), text_step("b", x=From("a"))], "circle"),
        ([text_step("a", x=From("nowhere"))], "not in the graph"),
        ([text_step("a"), text_step("a", "other")], "same slot"),
    ],
)
def test_impossible_graphs_are_refused_before_anything_runs(in_runner, steps, message):
    with pytest.raises(ContractError, match=message):
        in_runner(lambda runner: runner.run(steps))


def test_a_step_is_either_free_or_paid():
    with pytest.raises(ContractError, match="either"):
        Step(kind="k", version="1", slot="s")
    with pytest.raises(ContractError, match="has not run"):
        _ = text_step("a", x=From("b")).key


def test_needs_that_cannot_be_met_are_refused(in_runner):
    step = Step(kind="k", version="1", slot="clip", params={"text": ""}, work=join, needs={"gpu_video": 1, "cpu": 1})
    result = in_runner(lambda runner: runner.attempt(step))
    assert isinstance(result.error, InputError)
    assert "gpu_video" in str(result.error)


def test_files_in_scratch_become_artifacts(in_runner):
    async def use(runner: Runner):
        source = runner.project.store.put(b"footage")
        made = await runner.do(text_step("draft", work=draft, source=source.digest))
        return runner.project.store.get(made.digest)

    assert in_runner(use) == b"footage as a file"


def in_processes(folder, use, **capacity):
    async def main():
        with Project(folder) as project:
            async with (
                LocalExecutor("processes", {"cpu": 2, **capacity}) as executor,
                Runner(project, executor) as runner,
            ):
                return await use(runner)

    return anyio.run(main)


def test_processes_give_the_same_results_as_threads(in_runner, folder, tmp_path):
    threads = in_runner(lambda runner: runner.run(graph(20)))
    processes = in_processes(tmp_path / "other", lambda runner: runner.run(graph(20)))
    assert {s: r.artifact for s, r in threads.items()} == {s: r.artifact for s, r in processes.items()}


def test_a_killed_worker_is_replaced_and_its_step_done_again(folder, tmp_path):
    step = Step(kind="k", version="1", slot="s", params={"mark": str(tmp_path / "mark")}, work=die_once)
    digest = in_processes(folder, lambda runner: runner.do(step)).digest
    with Project(folder) as project:
        assert project.store.get(digest) == b"alive"


def test_a_step_that_always_kills_its_worker_fails_in_the_end(folder):
    result = in_processes(folder, lambda runner: runner.attempt(text_step("deadly", work=die)))
    assert isinstance(result.error, Unavailable)
    assert "died 3 times" in str(result.error)


def test_an_error_keeps_its_kind_on_its_way_between_processes(folder):
    steps = [
        text_step("complains", work=complain),
        text_step("refuses", "b", work=refuse),
        text_step("rejects", "c", work=reject),
        text_step("misses", "d", work=miss),
        text_step("lost", source="a" * 64),
        Step(kind="k", version="1", slot="unsendable", work=lambda _: b""),
    ]
    results = in_processes(folder, lambda runner: runner.run(steps))
    errors = {slot: result.error for slot, result in results.items()}
    assert {slot: type(error).__name__ for slot, error in errors.items()} == {
        "complains": "InputError",
        "refuses": "Refused",
        "rejects": "InputError",  # PlanInvalid carries findings, which stay behind
        "misses": "MissingDependency",
        "lost": "FolderError",
        "unsendable": "ContractError",
    }
    assert errors["refuses"].reason == "no such scenes"
    assert "storyengine[wan]" in str(errors["misses"])
    assert "importable" in str(errors["unsendable"])


@pytest.mark.parametrize("mode", ["threads", "processes"])
def test_warm_helpers_stay_alive_and_apart(folder, mode):
    steps = [
        Step(
            kind="k",
            version="1",
            slot=f"clip {index}",
            params={"text": index},
            work=use_model,
            warm=MODEL,
            needs={"gpu_video": 1},
        )
        for index in range(8)
    ]

    async def main():
        with Project(folder) as project:
            async with (
                LocalExecutor(mode, {"gpu_video": 2}) as executor,
                Runner(project, executor) as runner,
            ):
                results = await runner.run(steps)
                return [project.store.get(result.artifact.digest).split() for result in results.values()]

    answers = anyio.run(main)
    # Two models at most were loaded: their counts add up to eight uses.
    loads = sum(used == b"1" for _, used, _ in answers)
    assert loads in (1, 2)
    assert len({worker for worker, _, _ in answers}) <= 2
    assert max(int(used) for _, used, _ in answers) >= 4


def test_a_cancelled_run_leaves_a_clean_state(folder, tmp_path):
    steps = [counting(tmp_path / "cancelled", f"s{index}", seconds=300, index=index) for index in range(4)]

    async def use(runner: Runner):
        await runner.do(text_step("quick", "quick"))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runner.run, steps)
            while not marks(tmp_path / "cancelled"):
                await anyio.sleep(0.02)
            tasks.cancel_scope.cancel()

    in_processes(folder, use)  # ends at once: the workers are stopped, not waited for
    with Project(folder) as project:
        assert not project.journal.was_cut_short
        assert list(project.journal.slots()) == ["quick"]
        assert list(project.store.leftovers()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_cleanly(folder, providers, number):
    """What Ctrl-C does: sent calls are booked, the journal is closed, the exit is Interrupted."""

    async def work():
        clients = providers()
        with Project(folder) as project:
            async with (
                LocalExecutor("threads") as executor,
                Runner(project, executor, providers=clients, keep_free=0) as runner,
            ):
                os.kill(os.getpid(), number)
                steps = [paid_step(f"view {i}", f"signalled {number} {i}", "direct") for i in range(50)]
                await runner.run(steps)

    def main():
        try:
            anyio.run(until_interrupted, work)
        except Interrupted as error:
            os._exit(0 if "resume" in str(error) else 1)
        os._exit(2)

    child = multiprocessing.get_context("fork").Process(target=main)
    child.start()
    child.join()
    assert child.exitcode == 0
    with Project(folder) as project:
        assert not project.journal.was_cut_short
        assert {call.state for call in project.journal.calls()} <= {"done"}


def test_a_nearly_full_disk_buys_nothing(in_runner, folder, providers):
    async def main():
        clients = providers()
        with Project(folder) as project:
            async with (
                LocalExecutor("threads") as executor,
                Runner(project, executor, providers=clients, keep_free=1 << 60) as runner,
            ):
                return await runner.attempt(paid_step("opening", "no room")), project.journal.calls()

    result, calls = anyio.run(main)
    assert isinstance(result.error, FolderError)
    assert "not bought" in str(result.error)
    assert calls == []
