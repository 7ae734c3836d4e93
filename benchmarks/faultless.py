"""Does a faultless studio show what contracts ask for? Every required criterion, by the renderer's truth.

    python benchmarks/faultless.py [--stories N] [--only NAME …] [--size 640x360] [--all] [--pictures FOLDER]

Every shot of the examples is painted and staged without a planted failure and without filming it, and all its required
criteria are held against the truth of its first frame, of the frames a judge would see, and of its last. What is false
is a fault of the contract, which asks what the camera does not show, or of the studio, which does not do what it is
told. Bar: none. `--all` adds the benchmark's mini set, as the embedded planner plans it; `--pictures` keeps the first
and last frames of the shots in question.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import anyio
from ground_truth import Witness, seen_by_judge, studio_catalog
from staging import staged
from studio_crew import example_stories, resized, stories

from storyengine.plan import SemanticPlan
from storyengine.previz.studio.drawing import draw_scene

LONGEST = 40
"""Shots of the longest story that is asked for: the film of forty shots counts too."""


async def false_criteria(
    story: str, plan: SemanticPlan, place: Path, pictures: Path | None
) -> tuple[Counter, list[dict]]:
    """How many required criteria there are by kind, and those that are not true."""
    asked: Counter = Counter()
    false: list[dict] = []
    async with staged(plan, place / story, place / "studio", "none", truthful=True) as stage:
        for contract in stage.ready.contracts:
            _, track = stage.shot(contract, 1_000 * contract.shot)
            before = len(false)
            witness = Witness(seen_by_judge(track), studio_catalog(plan), stage.canon)
            for criterion in contract.criteria:
                if not criterion.required:
                    continue
                answer = witness.says(criterion.statement, criterion.phase)
                asked["required"] += 1
                asked["not decided by the truth"] += answer is None
                if answer is False:
                    kind = f"{criterion.phase} {criterion.evidence}"
                    item = {"story": story, "shot": contract.shot, "kind": kind, "statement": criterion.statement}
                    false.append(item)
            if pictures is not None and len(false) > before:
                for name, scene in (("first", witness.scenes[0]), ("last", witness.scenes[-1])):
                    drawn = draw_scene(scene, *stage.size)
                    (pictures / f"{story}-{contract.shot:02d}-{name}.png").write_bytes(drawn.to_png())
    return asked, false


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--stories", type=int, help="how many stories; all without it")
    words.add_argument("--only", nargs="+", help="these stories alone, by their names")
    words.add_argument("--size", default="640x360")
    words.add_argument("--all", action="store_true", help="the mini set of the benchmark too")
    words.add_argument("--pictures", type=Path, help="a folder for frames of the shots in question")
    chosen = words.parse_args()
    if chosen.pictures:
        chosen.pictures.mkdir(parents=True, exist_ok=True)
    width, height = map(int, chosen.size.split("x"))
    plans = stories(longest=LONGEST) if chosen.all else example_stories()
    plans = {name: plan for name, plan in plans.items() if not chosen.only or name in chosen.only}
    plans = dict(list(plans.items())[: chosen.stories])
    began = time.monotonic()
    asked: Counter = Counter()
    false: list[dict] = []
    with tempfile.TemporaryDirectory() as place:
        for story, plan in plans.items():
            counts, found = anyio.run(false_criteria, story, resized(plan, width, height), Path(place), chosen.pictures)
            asked += counts
            false += found
            for item in found:
                print(f"  {story} shot {item['shot']}, {item['kind']}: {item['statement']}", flush=True)
    figures = {
        "name": "faultless",
        "stories": len(plans),
        **asked,
        "false": len(false),
        "false share": round(len(false) / max(asked["required"], 1), 4),
        "false by kind": dict(Counter(item["kind"] for item in false).most_common()),
        "seconds": round(time.monotonic() - began, 1),
        "ok": bool(asked) and not false,
    }
    for name, figure in figures.items():
        print(f"{name:>26}  {figure}")
    print(json.dumps(figures))
    return 0 if figures["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
