"""Replay and check of long plans: how long, how it grows, how much memory.

    python benchmarks/core.py [--shots 100 1000 10000]

Every plan has 3 events per shot, 50 entities and 20 places. The bar: 10,000 shots in at most 5 s, growth close
to linear (time per shot at the largest size at most twice that at the smallest).
"""

import argparse
import json
import time
import tracemalloc

from storyengine.check import check_plan
from storyengine.plan import SemanticPlan
from storyengine.state import replay

PLACES, PEOPLE, PROPS = 20, 10, 40


def long_plan(shots: int) -> SemanticPlan:
    """A sound story of any length: people walk from place to place, take things up and put them down."""
    people = [{"id": f"person-{i}", "name": f"Person {i}", "kind": "character", "look": "grey"} for i in range(PEOPLE)]
    props = [
        {"id": f"prop-{i}", "name": f"prop {i}", "kind": "prop", "look": f"look {i}", "attributes": [SWITCH]}
        for i in range(PROPS)
    ]
    places = [{"id": f"place-{i}", "name": f"place {i}", "zones": ZONES} for i in range(PLACES)]
    initial = [f"person-{i} at place-0.left" for i in range(PEOPLE)]
    initial += [f"prop-{i} at place-{i % PLACES}.right" for i in range(PROPS)]
    initial += [f"prop-{i}.state = off" for i in range(PROPS)]
    lit: set[int] = set()
    return SemanticPlan.model_validate(
        {
            "request": {"idea": "A long day.", "shots": min(shots, 1000)},
            "entities": people + props,
            "environments": places,
            "initial": initial,
            "shots": [shot(number, lit) for number in range(shots)],
        }
    )


SWITCH = {"name": "state", "values": ["off", "on"]}
ZONES = [{"id": "left", "name": "on the left"}, {"id": "right", "name": "on the right"}]


def shot(number: int, lit: set[int]) -> dict[str, object]:
    place, person = number % PLACES, f"person-{number % PEOPLE}"
    thing = place + PLACES * (number // PLACES % (PROPS // PLACES))
    lit.symmetric_difference_update({thing})
    come = {"action": f"{person} comes in.", "actors": [person], "effects": [f"{person} at place-{place}.left"]}
    return {
        "environment": f"place-{place}",
        "offscreen": [come],
        "events": [
            event(person, f"prop-{thing} held by {person}"),
            event(person, f"prop-{thing}.state = {'on' if thing in lit else 'off'}"),
            event(person, f"prop-{thing} at place-{place}.right"),
        ],
        "view": {"region": "left", "subjects": [person]},
    }


def event(person: str, effect: str) -> dict[str, object]:
    return {"action": f"{person} works.", "actors": [person], "effects": [effect]}


def measure(shots: int) -> dict[str, float]:
    plan = long_plan(shots)
    start = time.perf_counter()
    trajectory = replay(plan)
    replayed = time.perf_counter()
    findings = check_plan(plan)
    checked = time.perf_counter()
    wrong = {finding.code for finding in findings.blocking} - {"shot-count"}
    assert not wrong, wrong
    assert len(trajectory.shots) == shots
    return {"replay_s": replayed - start, "check_s": checked - replayed, "total_s": checked - start}


def peak_memory(shots: int) -> float:
    plan = long_plan(shots)
    tracemalloc.start()
    trajectory = replay(plan)
    check_plan(plan)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert trajectory.shots
    return peak / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shots", type=int, nargs="+", default=[100, 1_000, 10_000])
    sizes = parser.parse_args().shots
    measure(min(sizes))  # the first run pays for imports
    figures = {shots: min((measure(shots) for _ in range(2)), key=lambda run: run["total_s"]) for shots in sizes}
    print(f"{'shots':>8} {'replay':>10} {'check':>10} {'total':>10} {'per shot':>12}")
    for shots, run in figures.items():
        per_shot = run["total_s"] / shots * 1e6
        print(f"{shots:8,} {run['replay_s']:9.3f}s {run['check_s']:9.3f}s {run['total_s']:9.3f}s {per_shot:10.1f}µs")
    memory = peak_memory(max(sizes))
    growth = (figures[max(sizes)]["total_s"] / max(sizes)) / (figures[min(sizes)]["total_s"] / min(sizes))
    print(f"time per shot at {max(sizes):,} / at {min(sizes):,}: {growth:.2f}")
    print(f"peak memory at {max(sizes):,} shots: {memory:.0f} MB")
    print(
        json.dumps(
            {
                "name": "core",
                "seconds": {str(shots): round(run["total_s"], 3) for shots, run in figures.items()},
                "growth": round(growth, 2),
                "peak_mb": round(memory),
                "ok": figures[max(sizes)]["total_s"] <= 5.0 and growth <= 2.0,
            }
        )
    )


if __name__ == "__main__":
    main()
