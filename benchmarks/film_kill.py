"""Kills a film in the making with SIGKILL at random points, resumes it, and compares it with an undisturbed one.

    python benchmarks/film_kill.py [--kills 30] [--per-film 10] [--studio] [--seed 1]

Every life is the installed program, `storyengine make`, in a process of its own. By default painter, animator and
judge are a service on a real socket that is never killed; it kills its caller at a random order: before it takes it,
right after its answer has left, or a moment later. With `--studio` the embedded studio paints and animates, and its
jobs die with the process; the service judges, and kills. A film is killed again and again, about `--per-film` times,
and then left to finish.

The film must have the same bytes as the undisturbed one, and no picture or clip may be ordered twice. A question to
the judge that was under way when the process died is asked again; the service charges such a question once.
"""

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

# The service and the small film that the tests use; second ones here would drift away from them.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.film.service import ARGUMENTS, FilmService, environment, film_service
from tests.film.test_pipeline import small

from storyengine.plan import SemanticPlan, plan_data, plan_yaml
from storyengine.runs.project import journal_path, read_journal

PROGRAM = Path(sys.executable).with_name("storyengine")
ORDERS = ("paint", "animate", "judge", "locate")
MOMENTS = ("before", "after", "later")


@dataclass
class Maker:
    """One way to make the film, life after life."""

    plan: Path
    words: list[str]
    env: dict[str, str]
    service: FilmService
    chance: random.Random
    ends: Counter = field(default_factory=Counter)

    def live(self, folder: Path) -> int:
        """One life, from the start or from wherever the last one died."""
        command = [PROGRAM, "make", self.plan, "--out", folder, *self.words]
        self.process = subprocess.Popen(
            command, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        _, self.told = self.process.communicate()
        return self.process.returncode

    def kill_often(self, folder: Path, kills: int, orders: int) -> int:
        """Kill life after life, each after about its share of the work that is left; returns how many were killed."""
        killed = 0
        while killed < kills:
            moment = self.chance.choice(MOMENTS)
            left = orders - sum(self.service.asked[what] for what in ORDERS)
            share = max(1, 2 * left // (kills - killed))
            with self._struck(moment, self.chance.randint(1, share)):
                code = self.live(folder)
            if code != -signal.SIGKILL:
                break
            killed += 1
            self.ends[moment] += 1
            print(f"\rkilled {sum(self.ends.values())} times", end="", file=sys.stderr)
        return killed

    @contextmanager
    def _struck(self, moment: str, after: int) -> Iterator[None]:
        """The service kills its caller at the n-th order from now."""
        count, lock = Counter(), threading.Lock()

        def strike(what: str, body: dict, before: int) -> None:
            if what not in ORDERS:
                return
            with lock:
                count["orders"] += 1
                due = count["orders"] == after
            if due and moment == "before":
                self.process.kill()
            elif due:
                longest = 0.02 if moment == "after" else 0.3
                threading.Timer(self.chance.uniform(0, longest), self._kill, (self.process.pid,)).start()

        self.service.fault = strike
        try:
            yield
        finally:
            self.service.fault = lambda what, body, before: None

    def _kill(self, pid: int) -> None:
        if self.process.pid == pid and self.process.poll() is None:
            self.process.kill()


def shortened(plan: SemanticPlan) -> SemanticPlan:
    """Three shots that the embedded studio makes in seconds."""
    data = plan_data(plan)
    data["request"] |= {"delivery": {"width": 320, "height": 180, "fps": 12, "durations": [1.0]}, "shots": 3}
    data["shots"] = data["shots"][:3]
    data["order"] = []
    for shot in data["shots"]:
        shot["seconds"] = 1.0
    return SemanticPlan.model_validate(data)


def repeated_calls(folder: Path) -> int:
    """Calls of the journal that were begun a second time."""
    with read_journal(folder) as journal:
        return sum(call.attempt > 1 for call in journal.calls())


def killed_films(maker: Maker, place: Path, kills: int, per_film: int) -> dict:
    """One undisturbed film and several killed ones."""
    began = time.monotonic()
    if maker.live(place / "calm") not in (0, 3):
        raise SystemExit(f"The undisturbed film failed: {maker.told}")
    seconds = time.monotonic() - began
    wanted = (place / "calm" / "film.mp4").read_bytes()
    orders = sum(maker.service.asked[what] for what in ORDERS)
    films, other, attempts, done, repeats = 0, 0, 0, 0, 0
    while done < kills and films < kills:
        folder = place / f"killed-{films}"
        films += 1
        maker.service.orders.clear()  # another project may order the same things
        maker.service.asked.clear()
        done += maker.kill_often(folder, min(per_film, kills - done), orders)
        code = maker.live(folder)
        other += code not in (0, 3) or (folder / "film.mp4").read_bytes() != wanted
        attempts += repeated_calls(folder) if journal_path(folder).exists() else 0
        repeats += len(maker.service.repeated())
    return {
        "kills": done,
        "kills by moment": dict(maker.ends),
        "films": films,
        "films that differ": other,
        "orders repeated": repeats,
        "calls begun again": attempts,
        "seconds undisturbed": round(seconds, 1),
        "seconds": round(time.monotonic() - began, 1),
    }


def run(kills: int, per_film: int, seed: int, *, studio: bool) -> dict:
    """The whole measurement; also what the slow test looks at."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name, film_service() as service:
        place = Path(name)
        plan = place / "story.plan.yaml"
        plan.write_text(plan_yaml(shortened(small()) if studio else small()))
        backends = ["--set", "judge=service", "--fallibility", "default"] if studio else ARGUMENTS
        maker = Maker(plan, [*backends, "--yes"], environment(service), service, chance)
        figures = {"name": "film kill", "backends": "embedded studio, judge: service" if studio else "service"}
        figures |= killed_films(maker, place, kills, per_film)
    right = figures["films that differ"] == figures["orders repeated"] == figures["calls begun again"] == 0
    figures["ok"] = right and figures["kills"] >= kills
    return figures


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--kills", type=int, default=30)
    words.add_argument("--per-film", type=int, default=10, help="kills of one film")
    words.add_argument("--studio", action="store_true", help="the embedded studio instead of the service")
    words.add_argument("--seed", type=int, default=1)
    chosen = words.parse_args()
    figures = run(chosen.kills, chosen.per_film, chosen.seed, studio=chosen.studio)
    print(file=sys.stderr)
    for name, figure in figures.items():
        print(f"{name:>22}  {figure}")
    print(json.dumps(figures))
    return 0 if figures["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
