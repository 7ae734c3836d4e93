"""Does judging and repairing make films truer? First candidates against final takes, by the renderer's truth.

    python benchmarks/repair.py [--stories 20] [--only NAME …] [--seeds 3] [--profiles default flat] [--size 640x360]
                                [--seconds 2] [--shots N] [--jobs 2] [--truthful]
    python benchmarks/repair.py --examples --profiles none --seeds 1 --size 1280x720

Films are made on the embedded studio with seeded failures. For every shot the required criteria that its first
candidate breaks are counted, and those that the take in the film breaks; a file that cannot be used breaks all of them.
What the truth cannot decide is not counted. Bar: at most a third, under each profile. Without failures, on all
examples: of those in the film none is false, and the judge passes all.

Verdict errors compare the judge with the truth on every candidate it judged: *passed though false* is what slips
through, *not passed though true* is what costs a repair for nothing. `--truthful` puts a judge in the evaluator's place
that knows the truth: what the loop could do with perfect eyes.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import anyio
from ground_truth import Canon, TruthfulJudge, Witness, canon_of, seen_by_judge, studio_catalog
from studio_crew import Studio, example_stories, resized, stories, studio_crew

from storyengine.backends.ports import Verdict
from storyengine.continuity.crew import Crew
from storyengine.continuity.shooting import Candidate, Take
from storyengine.delivery import Film
from storyengine.pipeline import make_film
from storyengine.plan import Catalog, SemanticPlan
from storyengine.previz.studio.index import Index

SHARE = 1 / 3
FAULTLESS = "none"
LEFT, DOUBTED = "left: ", "doubted: "


@dataclass(frozen=True)
class Bench:
    """Who knows what a film of one story really shows."""

    index: Index
    catalog: Catalog
    canon: Canon

    def answers(self, take: Take, candidate: Candidate) -> dict[str, bool | None]:
        """The truth of every required criterion; all false where there is no usable file."""
        required = [c for c in take.contract.criteria if c.required]
        track = self.index.track(candidate.clip) if candidate.clip and not candidate.faults else None
        if track is None:
            return dict.fromkeys((c.id for c in required), False)
        witness = Witness(seen_by_judge(track), self.catalog, self.canon)
        return {c.id: witness.says(c.statement, c.phase) for c in required}

    def count(self, film: Film) -> Counter:
        found: Counter = Counter()
        for take in film.takes:
            found["shots"] += 1
            found["candidates"] += len(take.candidates)
            found["accepted"] += take.accepted
            for candidate in take.candidates:
                truth = self.answers(take, candidate)
                false = sum(answer is False for answer in truth.values())
                if candidate is take.candidates[0]:
                    found["required"] += sum(answer is not None for answer in truth.values())
                    found["false at first"] += false
                    found += Counter(_doubted(take, candidate, truth))
                if candidate is take.chosen:
                    found["false in the film"] += false
                    found += Counter(_left(take, truth))
                found += _verdicts(candidate, truth)
            required = sum(c.required for c in take.contract.criteria)
            found["false at first"] += 0 if take.candidates else required  # no opening could be made at all
            found["false in the film"] += 0 if take.chosen else required
        return found


def _left(take: Take, truth: dict[str, bool | None]) -> Iterator[str]:
    """What the film shows wrongly, in words, and what the judge said of it."""
    verdicts = take.chosen.judgement.verdicts if take.chosen is not None and take.chosen.judgement is not None else {}
    for criterion in take.contract.criteria:
        if truth.get(criterion.id) is False:
            said = f"{criterion.phase}: {criterion.statement} ({_told(verdicts.get(criterion.id))})"
            yield f"{LEFT}shot {take.contract.shot}, {said}"


def _told(verdict: Verdict | None) -> str:
    return f"{verdict.label}: {verdict.evidence}" if verdict is not None else "not judged"


def _doubted(take: Take, candidate: Candidate, truth: dict[str, bool | None]) -> Iterator[str]:
    """What the judge did not pass of a first candidate though nothing is wrong with it, in words."""
    verdicts = candidate.judgement.verdicts if candidate.judgement is not None else {}
    for criterion in take.contract.criteria:
        verdict = verdicts.get(criterion.id)
        if (
            criterion.required
            and verdict is not None
            and verdict.label != "PASS"
            and truth.get(criterion.id) is not False
        ):
            said = f"{criterion.phase}: {criterion.statement} ({_told(verdict)})"
            yield f"{DOUBTED}shot {take.contract.shot}, {said}"


def _verdicts(candidate: Candidate, truth: dict[str, bool | None]) -> Counter:
    found: Counter = Counter()
    if candidate.judgement is None:
        return found
    for criterion in candidate.judgement.criteria:
        answer = truth.get(criterion.id)
        if answer is None:
            continue
        label = candidate.judgement.label(criterion)
        found["judged true"] += answer
        found["judged false"] += not answer
        found["passed though false"] += label == "PASS" and not answer
        found["not passed though true"] += label != "PASS" and answer
        found["unknown"] += label == "UNKNOWN"
    return found


async def film(plan: SemanticPlan, place: Path, profile: str, seed: int, truthful: bool) -> Counter:
    studio = Studio.at(place / "studio", profile)
    if truthful:
        judge = TruthfulJudge(studio.painter.index, plan)
        judge.watch(studio.animator)
        studio = replace(studio, judge=judge)
    async with studio_crew(plan, place / "film", studio) as crew:
        made = await make_film(plan, crew, place / "film", seed=seed)
        return Bench(studio.painter.index, studio_catalog(plan), _canon(crew, studio.painter.index, made)).count(made)


def _film(plan: SemanticPlan, profile: str, seed: int, truthful: bool) -> Counter:
    with tempfile.TemporaryDirectory() as name:
        return anyio.run(film, plan, Path(name), profile, 100_000 * seed, truthful)


def _canon(crew: Crew, index: Index, made: Film) -> Canon:
    contexts = [take.contract.context for take in made.takes]
    listed = [context.panorama for context in contexts if context.panorama]
    listed += [binding.asset for context in contexts for binding in context.bindings]
    return canon_of(index, crew.read, list(dict.fromkeys(listed)))


def told(profile: str, found: Counter) -> dict:
    first, last = found["false at first"], found["false in the film"]
    return {
        "profile": profile,
        "shots": found["shots"],
        "required criteria": found["required"],
        "false at first": first,
        "false in the film": last,
        "left": round(last / first, 3) if first else None,
        "candidates a shot": round(found["candidates"] / max(found["shots"], 1), 2),
        "accepted shots": found["accepted"],
        "passed though false": f"{found['passed though false']} of {found['judged false']}",
        "not passed though true": f"{found['not passed though true']} of {found['judged true']}",
        "unknown": found["unknown"],
        "ok": _is_ok(profile, found),
    }


def _is_ok(profile: str, found: Counter) -> bool:
    if profile == FAULTLESS:
        return bool(found["required"]) and not found["false in the film"] and found["accepted"] == found["shots"]
    return bool(found["false at first"]) and found["false in the film"] <= SHARE * found["false at first"]


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--stories", type=int, default=20)
    words.add_argument("--examples", action="store_true", help="the examples instead, with that of forty shots")
    words.add_argument("--only", nargs="+", help="these stories alone, by their names")
    words.add_argument("--seeds", type=int, default=3)
    words.add_argument("--profiles", nargs="+", default=["default", "flat"])
    words.add_argument("--size", default="640x360")
    words.add_argument("--seconds", type=float, default=2.0, help="length of every shot")
    words.add_argument("--shots", type=int, help="only the first so many shots of every story")
    words.add_argument("--jobs", type=int, default=2, help="films made at the same time")
    words.add_argument("--truthful", action="store_true", help="a judge that knows the truth")
    chosen = words.parse_args()
    width, height = map(int, chosen.size.split("x"))
    plans = {
        name: resized(plan, width, height, chosen.seconds, shots=chosen.shots)
        for name, plan in (example_stories() if chosen.examples else stories(chosen.stories)).items()
    }
    plans = {name: plan for name, plan in plans.items() if not chosen.only or name in chosen.only}
    began = time.monotonic()
    totals = {profile: Counter() for profile in chosen.profiles}
    films = [(story, profile, seed) for story in plans for profile in chosen.profiles for seed in range(chosen.seeds)]
    with ProcessPoolExecutor(chosen.jobs, mp_context=get_context("spawn")) as pool:
        counted = pool.map(_film, *zip(*((plans[story], p, s, chosen.truthful) for story, p, s in films), strict=True))
        for (story, profile, seed), found in zip(films, counted, strict=True):
            totals[profile] += found
            counts = f"{found['false at first']} → {found['false in the film']} of {found['required']}"
            print(f"{story}, {profile}, seed {seed}: {counts}", flush=True)
            for name in (name for name in found if name.startswith((LEFT, DOUBTED))):
                print(f"  {name}", flush=True)
    results = [told(profile, found) for profile, found in totals.items()]
    for result in results:
        print()
        for name, figure in result.items():
            print(f"{name:>24}  {figure}")
    enough = len(plans) >= 20 and chosen.seeds >= 3
    if chosen.profiles == [FAULTLESS]:
        enough = plans.keys() >= example_stories().keys() and not chosen.shots
    figures = {
        "name": "repair",
        "judge": "truthful" if chosen.truthful else "embedded",
        "stories": len(plans),
        "seeds": chosen.seeds,
        "shots a story": chosen.shots or "all",
        "results": results,
        "seconds": round(time.monotonic() - began, 1),
        "ok": all(result["ok"] for result in results) and enough,
    }
    print(json.dumps(figures))
    return 0 if figures["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
