"""Do errors in the last frame of a shot reach the next one? 200 planted errors on the embedded studio, stills only.

    python benchmarks/tails.py [--cases 200] [--stories N] [--only NAME …] [--size 1280x720] [--fallibility none]
                               [--truthful] [--seed 1] [--jobs 2]

For every cut inside one place the shot before it is staged to its end, without filming it, and its last frame is drawn
with one error: a thing that should be elsewhere is left over, it is another room, or the shot's actions did not happen.
Gate and opening then work as they do in a film, with the embedded evaluator as the judge. The error *reached* the
next shot where the renderer's truth of the accepted opening still breaks a criterion that the planted error broke.

The same cuts with faultless last frames give the other figures: how many the gate permits to be reused, and how many
of these become the opening; *permitted by the truth* is how many miss no more than the gate allows by the renderer's
truth. `--truthful` puts a judge in the evaluator's place that knows the truth. Bars: at most 2 % reached, at least half
permitted, at least 80 % of these reused.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import anyio
from staging import Stage, staged
from studio_crew import resized, stories

from storyengine.continuity.film import judge_references, shot_references
from storyengine.continuity.gate import MOST_MISSED_FOR_REUSE, Mode
from storyengine.continuity.opening import Opener
from storyengine.contract import RenderContract
from storyengine.language import Absent
from storyengine.plan import SemanticPlan
from storyengine.previz.studio.scene import Scene, Thing
from storyengine.previz.studio.sets import place_of, site_for
from storyengine.previz.studio.staging import model_of

KINDS = ("object left over", "wrong room", "missing action")
REACHED, PERMITTED, REUSED = 0.02, 0.5, 0.8
WRONG_ROOM = 1_000_003
"""Added to a room's seed: the same wrong room for every case of a place, since baking one takes seconds."""


@dataclass(frozen=True)
class Cut:
    """Two shots in one place, the first of them staged to its end."""

    before: RenderContract
    after: RenderContract
    opening: Scene
    """How the first shot begins."""
    tail: Scene
    """How it ends, when all goes well."""


def planted(stage: Stage, cut: Cut, kind: str, chance: random.Random) -> Scene | None:
    """The last frame with one error; None where the story offers no such error at this cut."""
    if kind == "missing action":
        return replace(cut.opening, lens=cut.tail.lens) if cut.before.events else None
    if kind == "wrong room":
        assert cut.tail.setting is not None
        return replace(cut.tail, setting=replace(cut.tail.setting, seed=cut.tail.setting.seed + WRONG_ROOM))
    left_over = list(elsewhere(stage, cut))
    return put(cut.tail, chance.choice(left_over)) if left_over else None


def elsewhere(stage: Stage, cut: Cut) -> Iterator[Thing]:
    """Things of the story that should not be in the next opening, as their references show them."""
    absent = {c.claim.entity for c in cut.after.criteria if isinstance(c.claim, Absent) and c.phase == "start"}
    for asset in stage.ready.library.assets:
        if asset.entity in absent:
            scene = stage.studio.painter.index.recognise(stage.crew.picture(asset.picture))
            if scene is not None and scene.things:
                yield scene.things[0]


def put(scene: Scene, thing: Thing) -> Scene:
    """The scene with a thing standing where the people are."""
    assert scene.setting is not None
    place = place_of(scene.setting)
    zone = next((actor.zone for actor in scene.actors if actor.zone in place.spots), next(iter(place.spots)))
    order = sum(other.zone == zone for other in scene.things)
    stand = site_for(place, zone, model_of(thing), scene.things, order)
    return scene.with_thing(replace(thing, relation="stands", target="", stand=stand, zone=zone))


@dataclass(frozen=True)
class Outcome:
    """What became of a cut."""

    story: str
    shot: int
    kind: str
    gate: str
    mode: str
    accepted: bool
    missed: tuple[str, ...]
    """Statements that the faultless tail breaks, by the truth."""
    refused: tuple[str, ...]
    """Statements for which a tail that was permitted is not reused, by the judge."""
    reached: tuple[str, ...]
    """Statements that the error broke in the tail and that are broken in the opening too."""


async def outcome(stage: Stage, story: str, cut: Cut, kind: str, tail: Scene, seed: int) -> Outcome | None:
    """Let gate and opening work on a tail; None where the error breaks nothing that can be seen."""
    contract = cut.after
    clean = stage.broken(contract, cut.tail)
    spoiled = stage.broken(contract, tail).keys() - clean
    if kind != "none" and not spoiled:
        return None
    ready = stage.ready
    references = shot_references(ready.catalog, contract, ready.library)
    evidence = judge_references(ready.catalog, contract, ready.library)
    opener = Opener(stage.crew, stage.plan, ready.catalog, contract, references, evidence, seed)
    gate = await opener.meet_tail(stage.show(tail), "")
    opening = await opener.find()
    scene = stage.studio.painter.index.recognise(stage.crew.picture(opening.picture))
    assert scene is not None
    still = stage.broken(contract, scene)
    return Outcome(
        story,
        contract.shot,
        kind,
        gate.mode.name.lower(),
        opening.mode.name.lower(),
        opening.accepted,
        tuple(clean.values()),
        tuple(
            c.statement for t in opener.tries if t.mode is Mode.REUSE for c in t.judgement.missed() if c.decides_opening
        ),
        tuple(still[key] for key in still if key in spoiled) if opening.accepted else (),
    )


async def measure(
    story: str, plan: SemanticPlan, place: Path, fallibility: str, seeds: range, most: int, truthful: bool
) -> list[Outcome]:
    """All cuts of one story: each once without an error, and with each kind of error for every seed."""
    found: list[Outcome] = []
    async with staged(plan, place / story, place / "studio", fallibility, truthful=truthful) as stage:
        pairs = list(pairwise(stage.ready.contracts))
        for seed in seeds:
            for before, after in [pair for pair in pairs if pair[0].environment == pair[1].environment]:
                if sum(item.kind != "none" for item in found) >= most:
                    return found
                opening, track = stage.shot(before, 1_000 * seed + after.shot)
                cut = Cut(before, after, opening, track.at(len(track.lenses) - 1))
                for kind in ("none", *KINDS):
                    chance = random.Random(f"{story} {after.shot} {kind} {seed}")
                    tail = cut.tail if kind == "none" else planted(stage, cut, kind, chance)
                    if tail is not None:
                        item = await outcome(stage, story, cut, kind, tail, 1_000 * seed + 17)
                        found += [item] if item is not None else []
    return found


def _story(story: str, plan: SemanticPlan, fallibility: str, seeds: range, most: int, truthful: bool) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as name:
        return anyio.run(measure, story, plan, Path(name), fallibility, seeds, most, truthful)


def told(found: list[Outcome], seconds: float) -> dict:
    errors = [item for item in found if item.kind != "none"]
    clean = [item for item in found if item.kind == "none"]
    permitted = [item for item in clean if item.gate == Mode.REUSE.name.lower()]
    reused = [item for item in permitted if item.mode == Mode.REUSE.name.lower() and item.accepted]
    reached = [item for item in errors if item.reached]
    by_kind = {
        kind: f"{sum(item.kind == kind for item in reached)} of {sum(item.kind == kind for item in errors)}"
        for kind in KINDS
    }
    figures = {
        "name": "tails",
        "cases": len(errors),
        "reached": len(reached),
        "reached share": round(len(reached) / len(errors), 4) if errors else None,
        "reached by kind": by_kind,
        "openings accepted": sum(item.accepted for item in errors),
        "modes of accepted openings": dict(Counter(item.mode for item in errors if item.accepted)),
        "same-place cuts": len(clean),
        "permitted by the truth": sum(len(item.missed) <= MOST_MISSED_FOR_REUSE for item in clean),
        "permitted": len(permitted),
        "reused": len(reused),
        "faultless tails miss": dict(Counter(missed for item in clean for missed in item.missed).most_common(8)),
        "clean openings accepted": sum(item.accepted for item in clean),
        "seconds": round(seconds, 1),
    }
    figures["ok"] = bool(
        errors
        and len(reached) <= REACHED * len(errors)
        and len(permitted) >= PERMITTED * len(clean)
        and len(reused) >= REUSED * len(permitted)
    )
    for item in permitted:
        if item not in reused:
            print(f"  not reused: {item.story} shot {item.shot}: {', '.join(item.refused)}")
    for item in reached:
        print(f"  reached: {item.story} shot {item.shot}, {item.kind}, opening {item.mode}: {', '.join(item.reached)}")
    return figures


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--cases", type=int, default=200)
    words.add_argument("--stories", type=int, help="how many stories; all without it")
    words.add_argument("--only", nargs="+", help="these stories alone, by their names")
    words.add_argument("--size", default="1280x720")
    words.add_argument("--fallibility", default="none", help="of the painter that paints the openings")
    words.add_argument("--truthful", action="store_true", help="a judge that knows the truth")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--jobs", type=int, default=2, help="stories at the same time")
    chosen = words.parse_args()
    width, height = map(int, chosen.size.split("x"))
    plans = {name: resized(plan, width, height) for name, plan in stories(chosen.stories).items()}
    plans = {name: plan for name, plan in plans.items() if not chosen.only or name in chosen.only}
    began = time.monotonic()
    found: list[Outcome] = []
    share, seeds = -(-chosen.cases // len(plans)), range(chosen.seed, chosen.seed + 20)
    asked = [(story, plan, chosen.fallibility, seeds, share, chosen.truthful) for story, plan in plans.items()]
    with ProcessPoolExecutor(chosen.jobs, mp_context=get_context("spawn")) as pool:
        for outcomes in pool.map(_story, *zip(*asked, strict=True)):
            found += outcomes
            print(f"\r{len(found)} cuts", end="", file=sys.stderr)
    print(file=sys.stderr)
    figures = told(found, time.monotonic() - began)
    for name, figure in figures.items():
        print(f"{name:>28}  {figure}")
    print(json.dumps(figures))
    return 0 if figures["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
