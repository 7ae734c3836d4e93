"""The same steps on Ray. The workers find the tests' work through PYTHONPATH, as they find any package."""

import os
import signal
import sys
import time
from pathlib import Path

import anyio
import pytest

from storyengine.errors import InputError, MissingDependency
from storyengine.runs.executor import LocalExecutor
from storyengine.runs.project import Project
from storyengine.runs.ray_executor import RayExecutor
from storyengine.runs.runner import Runner
from storyengine.runs.step import Done, Step
from tests.runs.work import MODEL, complain, count, die_once, graph, text_step, use_model

# Ray leaves sockets and files for its own exit handlers to close.
pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning", "ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def ray_here():
    """Ray on this machine, with one resource of our own."""
    ray = pytest.importorskip("ray", reason="Ray is an extra")
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    ray.init(
        num_cpus=2,
        resources={"gpu_video": 1},
        include_dashboard=False,
        log_to_driver=False,
        configure_logging=False,
        _system_config={"worker_register_timeout_seconds": 120},
    )
    yield ray
    ray.shutdown()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


def on(executor_of, folder, use):
    async def main():
        with Project(folder) as project:
            async with executor_of() as executor, Runner(project, executor) as runner:
                return await use(runner)

    return anyio.run(main)


def local():
    return LocalExecutor("threads")


def artifacts(results):
    return {slot: result.artifact for slot, result in results.items() if isinstance(result, Done)}


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False])
def test_ray_gives_the_same_results(ray_here, tmp_path, shared):
    here = on(local, tmp_path / "here", lambda runner: runner.run(graph(40)))
    there = on(lambda: RayExecutor(shared_store=shared), tmp_path / "there", lambda runner: runner.run(graph(40)))
    assert len(artifacts(here)) == 40
    assert artifacts(here) == artifacts(there)


@pytest.mark.slow
def test_a_killed_worker_costs_time_only(ray_here, tmp_path):
    step = Step(kind="k", version="1", slot="s", params={"mark": str(tmp_path / "mark")}, work=die_once)
    result = on(RayExecutor, tmp_path / "film", lambda runner: runner.attempt(step))
    assert isinstance(result, Done)


@pytest.mark.slow
def test_an_error_keeps_its_kind(ray_here, tmp_path):
    result = on(RayExecutor, tmp_path / "film", lambda r: r.attempt(text_step("bad", work=complain)))
    assert type(result.error) is InputError


@pytest.mark.slow
def test_a_warm_helper_lives_in_one_actor_and_survives_its_death(ray_here, tmp_path):
    def steps(start):
        return [
            Step(
                kind="k",
                version="1",
                slot=f"clip {index}",
                params={"text": index},
                work=use_model,
                warm=MODEL,
                needs={"gpu_video": 1},
            )
            for index in range(start, start + 4)
        ]

    async def use(runner):
        def read(results):
            return [runner.project.store.get(r.artifact.digest).split() for r in results.values()]

        first = read(await runner.run(steps(0)))
        os.kill(int(first[0][0]), signal.SIGKILL)
        return first, read(await runner.run(steps(4)))

    first, second = on(RayExecutor, tmp_path / "film", use)
    assert sorted(int(used) for _, used, _ in first) == [1, 2, 3, 4]
    assert len({worker for worker, _, _ in first}) == 1
    assert sorted(int(used) for _, used, _ in second) == [1, 2, 3, 4]  # loaded anew after its death
    assert first[0][0] != second[0][0]


@pytest.mark.slow
def test_a_cancelled_step_is_stopped(ray_here, tmp_path):
    params = {"marks": str(tmp_path / "marks"), "seconds": 300}
    step = Step(kind="k", version="1", slot="s", params=params, work=count)

    async def use(runner):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runner.attempt, step)
            while not (tmp_path / "marks").exists():
                await anyio.sleep(0.05)
            tasks.cancel_scope.cancel()

    on(RayExecutor, tmp_path / "film", use)
    worker = int((tmp_path / "marks").read_text())
    while alive(worker):
        time.sleep(0.05)
    with Project(tmp_path / "film") as project:
        assert project.journal.steps() == []


def alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def test_without_ray_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingDependency, match=r"storyengine\[ray\]"):
        RayExecutor()
