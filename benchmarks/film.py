"""A faultless film of ten shots and sixty seconds on the embedded studio, from its brief to MP4 and report.

    python benchmarks/film.py [--size 1280x720] [--agreeable] [--profile FILE]

Prints the phases, how long painter, animator and judge worked in each, and what remains: the engine's overhead is the
time in which none of them works. Bars, on two idle cores with compiled kernels: sixty seconds, five per cent.

`--agreeable` puts a judge in the evaluator's place that agrees to everything at once, to see the rest without it.
Kernels are compiled by a warm-up film of one shot, which is not counted.
"""

import argparse
import cProfile
import json
import os
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the command line does, before numpy is imported

import anyio
from studio_crew import Studio, resized, studio_crew

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.film.small_crew import SmallJudge

from storyengine.continuity.narration import Stage, Told
from storyengine.pipeline import make_film
from storyengine.plan import SemanticPlan, plan_data
from storyengine.planning.embedded import plan_with_rules
from storyengine.request import StoryRequest

LONGEST, OVERHEAD = 60.0, 0.05
BRIEF = StoryRequest(
    title="Bread and key",
    idea="Ada, a baker with grey hair in a white apron, takes the round brown loaf from the wooden table and puts it "
    "into the blue basket. She carries the basket to the shop and sets it on the long counter. She lights the brass "
    "lamp. Then she remembers the iron key that she left on the wooden table. She goes back to the bakehouse, picks up "
    "the key and shuts the oak cupboard. She returns to the shop and hangs the key on the iron hook. She opens the tin "
    "box and puts the key into the box. Shots 1-2 are in the bakehouse, shots 3-5 in the shop, shots 6-7 in the "
    "bakehouse, shots 8-10 in the shop.",
    shots=10,
    style="Calm, matte picture-book colours. The bakehouse has warm lamp light; the shop has cool morning light.",
    required_entities=("Ada", "brown loaf", "iron key"),
    delivery={"durations": (6.0,)},
)


class Clock:
    """When the phases began, and when each backend was at work."""

    def __init__(self) -> None:
        self.phases: list[tuple[str, float]] = [("plan", time.monotonic())]
        self.work: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self._lock = threading.Lock()

    def tell(self, told: Told) -> None:
        """A narrator: stages are the phases."""
        if isinstance(told, Stage):
            self.phases.append((told.name, time.monotonic()))

    def worked(self, who: str, began: float) -> None:
        with self._lock:
            self.work[who].append((began, time.monotonic()))

    def timed(self, who: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def work(*values: Any) -> Any:
            began = time.monotonic()
            try:
                return function(*values)
            finally:
                self.worked(who, began)

        return work

    def timed_async(self, who: str, function: Callable[..., Any]) -> Callable[..., Any]:
        async def work(*values: Any) -> Any:
            began = time.monotonic()
            try:
                return await function(*values)
            finally:
                self.worked(who, began)

        return work

    def watch(self, studio: Studio) -> None:
        # A job's work begins and ends inside the desk; seen from the port it would also hold the waiting.
        for who, part in (("painter", studio.painter), ("animator", studio.animator)):
            part._desk._work = self.timed(who, part._desk._work)
        studio.judge.judge = self.timed_async("judge", studio.judge.judge)
        studio.judge.locate = self.timed_async("judge", studio.judge.locate)

    def at_work(self, start: float, end: float, who: str | None = None) -> float:
        """Seconds in which somebody, or one of them, was at work."""
        listed = self.work[who] if who else [span for spans in self.work.values() for span in spans]
        busy, until = 0.0, start
        for began, ended in sorted(listed):
            began, ended = max(began, until), min(ended, end)
            if ended > began:
                busy, until = busy + ended - began, ended
        return busy


async def film(plan: SemanticPlan, folder: Path, studio: Studio, clock: Clock) -> Any:
    async with studio_crew(plan, folder / "film", studio) as crew:
        return await make_film(plan, crew, folder / "film", narrator=clock)


def warm_up(plan: SemanticPlan, place: Path, judge: Any) -> None:
    data = plan_data(resized(plan, 320, 180, 1.0))
    data["shots"], data["order"] = data["shots"][:1], []
    data["request"] |= {"shots": 1, "required_entities": []}
    short = SemanticPlan.model_validate(data)
    anyio.run(film, short, place / "warm", Studio.at(place / "warm studio", "none", judge), Clock())


def rows(clock: Clock, ended: float) -> list[tuple[str, float, float, dict[str, float]]]:
    """Each phase: its name, its length, how much of it no backend worked, and how long each of them did."""
    found = []
    for (name, start), (_, end) in zip(clock.phases, [*clock.phases[1:], ("", ended)], strict=True):
        parts = {who: clock.at_work(start, end, who) for who in ("painter", "animator", "judge")}
        found.append((name, end - start, end - start - clock.at_work(start, end), parts))
    return found


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--size", default="1280x720")
    words.add_argument("--agreeable", action="store_true", help="a judge that agrees to everything at once")
    words.add_argument("--profile", type=Path, help="where a profile of the engine's thread goes")
    chosen = words.parse_args()
    width, height = map(int, chosen.size.split("x"))
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        judge = SmallJudge() if chosen.agreeable else None
        warm_up(plan_with_rules(BRIEF).plan, place, judge)
        clock, profile = Clock(), cProfile.Profile()
        began, cpu = time.monotonic(), time.process_time()
        if chosen.profile:
            profile.enable()
        plan = resized(plan_with_rules(BRIEF).plan, width, height)
        studio = Studio.at(place / "studio", "none", judge)
        clock.watch(studio)
        made = anyio.run(film, plan, place, studio, clock)
        if chosen.profile:
            profile.disable()
            profile.dump_stats(chosen.profile)
        ended, cpu = time.monotonic(), time.process_time() - cpu
        size = made.path.stat().st_size
    total = ended - began
    print(f"{'phase':>12}{'seconds':>9}{'nobody':>9}{'painter':>9}{'animator':>9}{'judge':>9}")
    for phase, seconds, idle, parts in rows(clock, ended):
        listed = "".join(f"{parts[who]:9.2f}" for who in ("painter", "animator", "judge"))
        print(f"{phase:>12}{seconds:9.2f}{idle:9.2f}{listed}")
    for take in made.takes:
        for candidate in take.candidates[:1]:
            for criterion in candidate.judgement.missed() if candidate.judgement else ():
                if criterion.required:
                    said = candidate.judgement.verdicts[criterion.id]
                    print(f"shot {take.contract.shot}, not passed: {criterion.statement} ({said.evidence})")
    overhead = total - clock.at_work(began, ended)
    candidates = [len(take.candidates) for take in made.takes]
    figures = {
        "name": "film",
        "judge": "agreeable" if chosen.agreeable else "embedded",
        "size": chosen.size,
        "shots": len(plan.shots),
        "film seconds": sum(shot.seconds for shot in plan.shots),
        "seconds": round(total, 1),
        "cpu seconds": round(cpu, 1),
        "overhead seconds": round(overhead, 2),
        "overhead share": round(overhead / total, 4),
        "candidates": candidates,
        "degraded": list(made.degraded),
        "megabytes": round(size / 1e6, 1),
        "ok": total <= LONGEST and overhead / total <= OVERHEAD and not made.degraded and sum(candidates) == 10,
    }
    for name, figure in figures.items():
        print(f"{name:>18}  {figure}")
    print(json.dumps(figures))
    return 0 if figures["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
