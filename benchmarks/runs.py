"""What a step costs on top of its work: resuming, local workers, Ray.

    python benchmarks/runs.py [--resume 1000] [--graph 500] [--no-ray]

1. A finished run of 1,000 steps is run again (nothing to do), then with one input changed.
2. The same 500-step graph on local processes and on Ray: a two-node cluster simulated on this machine, with
   a worker killed half-way. Results must be identical; the overhead per step is printed for both.
3. A journal of 120,000 steps is opened: what the integrity check costs at that size.
"""

import argparse
import json
import os
import platform
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import anyio

# The graphs that the tests use.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.runs.work import graph

from storyengine.runs.executor import LocalExecutor
from storyengine.runs.project import Project
from storyengine.runs.rows import Effect, StepRow
from storyengine.runs.runner import Runner
from storyengine.runs.step import Done


async def run(folder, executor, steps):
    """Results, and the seconds from opening the project to closing it."""
    began = time.perf_counter()
    with Project(folder) as project:
        async with Runner(project, executor) as runner:
            results = await runner.run(steps)
    return results, time.perf_counter() - began


def digests(results):
    return {slot: result.artifact.digest for slot, result in results.items() if isinstance(result, Done)}


def redone(results):
    return {slot for slot, result in results.items() if isinstance(result, Done) and not result.hit}


def dependants(steps, slot):
    """The step and everything after it, read off the graph itself."""
    found = {slot}
    for step in steps:
        if step.after() & found:
            found.add(step.slot)
    return found


async def resuming(place, size):
    async with LocalExecutor("threads") as executor:
        _, first = await run(place, executor, graph(size))
        again, no_op = await run(place, executor, graph(size))
        changed = graph(size, change=size // 2)
        results, one = await run(place, executor, changed)
    wanted = dependants(changed, f"shot {size // 2}")
    return {
        "steps": size,
        "first run s": round(first, 2),
        "resume with nothing to do s": round(no_op, 3),
        "steps redone by it": len(redone(again)),
        "one input changed s": round(one, 3),
        "steps redone": len(redone(results)),
        "exactly its dependants": redone(results) == wanted,
    }


async def on_local(place, size, mode):
    async with LocalExecutor(mode) as executor:
        await run(place / "warm-up", executor, graph(4))
        results, seconds = await run(place / "film", executor, graph(size))
    return digests(results), seconds


async def on_ray(place, size, address):
    """With a worker killed half-way; the killer watches the store grow, as somebody outside would."""
    from storyengine.runs.ray_executor import RayExecutor

    async with RayExecutor(address, shared_store=True) as executor:
        await run(place / "warm-up", executor, graph(4))
        quiet, seconds = await run(place / "film", executor, graph(size))
        killed: list[int] = []
        watcher = threading.Thread(target=kill_a_worker, args=(place / "hurt", size // 2, killed))
        watcher.start()
        hurt, hurt_seconds = await run(place / "hurt", executor, graph(size))
        watcher.join()
    return digests(quiet), seconds, digests(hurt), hurt_seconds, killed


def kill_a_worker(folder, wanted, killed):
    store = folder / ".storyengine" / "store"
    while sum(1 for _ in store.glob("[0-9a-f][0-9a-f]/*")) < wanted:
        time.sleep(0.02)
    for _ in range(200):
        busy = [process for process in ray_workers() if "_run" in process[1]]
        if busy:
            killed.append(busy[0][0])
            os.kill(busy[0][0], signal.SIGKILL)
            return
        time.sleep(0.001)


def ray_workers():
    """Worker processes of the cluster; Ray names each after what it is doing."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().split(b"\0")[0].decode(errors="replace")
        except OSError:
            continue
        if line.startswith("ray::"):
            yield int(path.parent.name), line


def two_nodes():
    from ray.cluster_utils import Cluster

    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    return Cluster(initialize_head=True, connect=False, head_node_args={"num_cpus": 1, "include_dashboard": False})


def scaling(place, size, with_ray):
    figures = {"steps": size}
    threads, seconds = anyio.run(on_local, place / "threads", size, "threads")
    figures["threads ms per step"] = round(1000 * seconds / size, 2)
    processes, seconds = anyio.run(on_local, place / "processes", size, "processes")
    figures["processes ms per step"] = round(1000 * seconds / size, 2)
    figures["threads and processes agree"] = threads == processes and len(threads) == size
    if with_ray:
        cluster = two_nodes()
        try:
            cluster.add_node(num_cpus=1)
            cluster.wait_for_nodes()
            quiet, seconds, hurt, hurt_seconds, killed = anyio.run(on_ray, place / "ray", size, cluster.address)
        finally:
            cluster.shutdown()
        figures["ray ms per step"] = round(1000 * seconds / size, 2)
        figures["ray, a worker killed, ms per step"] = round(1000 * hurt_seconds / size, 2)
        figures["workers killed"] = len(killed)
        figures["ray agrees"] = quiet == threads
        figures["ray agrees with a worker killed"] = hurt == threads and len(killed) == 1
    return figures


def opening(place, size):
    with Project(place) as project:
        for index in range(size):
            row = StepRow(
                key=f"{index:064x}",
                kind="clip",
                version="1",
                effect=Effect.PURE,
                inputs={"tail": f"{index + 1:064x}"},
                params={"prompt": "a line of text of ordinary length, " * 3, "seed": index},
                digest=f"{index:064x}",
                size=1000,
                run=0,
                at=0.0,
            )
            project.journal.finish_step(row, f"shot {index}")
    began = time.perf_counter()
    Project(place).close()
    return {
        "steps": size,
        "open and close s": round(time.perf_counter() - began, 2),
        "journal MB": round((place / ".storyengine" / "journal.sqlite").stat().st_size / 1e6, 1),
    }


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--resume", type=int, default=1000)
    words.add_argument("--graph", type=int, default=500)
    words.add_argument("--journal", type=int, default=120_000)
    words.add_argument("--no-ray", action="store_true")
    chosen = words.parse_args()
    with tempfile.TemporaryDirectory() as place:
        figures = {
            "name": "runs",
            "machine": f"{os.cpu_count()} cores, Python {platform.python_version()}",
            "resume": anyio.run(resuming, Path(place, "resume"), chosen.resume),
            "opening": opening(Path(place, "opening"), chosen.journal),
            "graph": scaling(Path(place, "graph"), chosen.graph, not chosen.no_ray),
        }
    checks = [figures["resume"]["resume with nothing to do s"] < 1, figures["resume"]["steps redone by it"] == 0]
    checks += [figures["resume"]["exactly its dependants"]]
    checks += [value for name, value in figures["graph"].items() if "agree" in name]
    figures["ok"] = all(checks)
    for part in ("resume", "opening", "graph"):
        print(part)
        for name, figure in figures[part].items():
            print(f"{name:>38}  {figure}")
    print(json.dumps(figures))
    return 0 if figures["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
