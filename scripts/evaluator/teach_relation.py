"""Teach how things relate: held by somebody, on, in or fastened to something, or none of these.

python scripts/evaluator/teach_relation.py WINDOWS OUT --minutes 15 --blocks scripts/evaluator/kept/state.pt

Windows are those of `draw_windows.py`. The blocks that look begin with those of the lesson of states, which is about
the same windows.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import lesson
import numpy as np
import torch
import torch.nn.functional as F
from data import DEVICE, THING, Store, is_held_back, look_numbers, picture
from export import export_parts
from lesson import area
from relation_net import RelationNet
from spoiling import coarser, looks_at, masks, mirrors, spoiled, tinted
from state_net import SIDE
from torch import Tensor

from storyengine.previz.evaluator.relating import PATCH, RELATIONS
from storyengine.previz.evaluator.windows import RELATION_SIZE

MOST = 90_000
"""Windows for which there is room on the GPU."""
WEIGHTS = (5, 4, 4, 2, 9)
"""How often each relation is asked."""
PLACE = 7
"""Numbers that tell where the other one lies."""
ALONE = 0.15
"""How often nothing is told of a look: it tells what could be, not what is."""


@dataclass
class Relation:
    window: int
    other: int
    """Row of the other one's mask and numbers."""
    kind: int
    person: bool


class Relations:
    drawn = "windows-*.pickle"

    def __init__(self) -> None:
        self.batch = 256
        self.windows, self.masks, self.looks = Store(MOST), Store(MOST), Store(MOST)
        self.others, self.numbers = Store(4 * MOST), Store(4 * MOST)
        self.asked: list[dict[bool, list[list[Relation]]]] = [
            {composed: [[] for _ in RELATIONS] for composed in (True, False)} for _ in range(2)
        ]
        """To learn from and held back; composed as a film's or not; by kind."""
        self.network = RelationNet(THING, THING + 1 + PLACE).to(DEVICE)
        self.parts: lesson.Parts = {"relation": self.network}

    # --- what is learned from

    @staticmethod
    def decode(file: dict) -> dict:
        file["pixels"] = [picture(jpg) for _, _, _, jpg, _, _ in file["relations"]]
        file["masks"] = [masks(png, 2) for *_, png, _ in file["relations"]]
        file["others"] = [picture(other[3]) for *_, others in file["relations"] for other in others]
        return file

    def add(self, number: int, file: dict) -> None:
        if self.windows.count + len(file["pixels"]) > self.windows.most or not file["others"]:
            return
        looks = {name: look_numbers(thing["look"]) for name, thing in file["things"].items()}
        window, other = self.windows.add(file["pixels"]), self.others.add(file["others"])
        self.masks.add(file["masks"])
        self.looks.add([looks[f"{cast} {name}"] for cast, _, name, *_ in file["relations"]])
        told, side = [], self.asked[int(is_held_back(number))]
        for cast, composed, _, _, _, others in file["relations"]:
            for name, person, relation, _, where in others:
                look = np.zeros(THING, np.float32) if person else looks[f"{cast} {name}"]
                told.append(np.array([*look, float(person), *where], np.float32))
                kind = RELATIONS.index("fastened" if relation == "worn" else relation)
                side[composed][kind].append(Relation(window, other, kind, person))
                other += 1
            window += 1
        self.numbers.add(told)

    # --- lessons

    def step(self) -> tuple[Tensor, dict[str, Tensor]]:
        loss = F.cross_entropy(*self.told(self.some(), True))
        return loss, {"relation": loss}

    def some(self) -> list[Relation]:
        """Two thirds of them as films show them, if there are any."""
        found = []
        for composed, count in ((True, self.batch * 2 // 3), (False, self.batch - self.batch * 2 // 3)):
            every = self.asked[0][composed]
            known = [k for k, one in enumerate(every) if one]
            kinds = random.choices(known, weights=[WEIGHTS[k] for k in known], k=count) if known else []
            found += [random.choice(every[k]) for k in kinds]
        return found

    def told(self, items: list[Relation], training: bool) -> tuple[Tensor, Tensor]:
        rows, others = [i.window for i in items], [i.other for i in items]
        pixels = self.windows[rows].permute(0, 3, 1, 2).float()
        marks = torch.cat([self.masks[rows], self.others[others][:, None]], 1).float() / 255
        marks = marks[:, [0, 2, 1]]  # the thing, the other one, anybody
        marks = F.interpolate(spoiled(marks) if training else marks, size=pixels.shape[2:], mode="bilinear")
        flip = mirrors(len(rows), training)
        pixels, marks = looks_at(pixels, marks, RELATION_SIZE, flip, training)
        looks, numbers = self.looks[rows].clone(), self.numbers[others].clone()
        numbers[:, THING + 1] *= flip
        if training:
            pixels = tinted(coarser(pixels))
            untold = torch.rand(len(rows), 1, device=DEVICE) < ALONE
            looks = looks.masked_fill(untold, 0)
            numbers[:, :THING] = numbers[:, :THING].masked_fill(untold, 0)
        x = torch.cat([pixels / 255, marks[:, :1], torch.zeros_like(marks[:, :1])], 1)
        small = F.adaptive_avg_pool2d(marks, SIDE * PATCH)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            odds = self.network.related(self.network.parts(x), small, looks, numbers)
        return odds.float(), torch.tensor([i.kind for i in items], device=DEVICE)

    # --- how good it is

    def check(self) -> None:
        for composed, kinds in self.asked[1].items():
            odds, truth, person = [], [], []
            for every in kinds:
                items = random.sample(every, min(900, len(every)))
                for k in range(0, len(items), 256):
                    told = self.told(items[k : k + 256], False)
                    odds.append(told[0].softmax(1).cpu().numpy())
                    truth.append(told[1].cpu().numpy())
                    person += [i.person for i in items[k : k + 256]]
            if not odds:
                continue
            likely, true, somebody = np.concatenate(odds), np.concatenate(truth), np.array(person)
            said = []
            for kind, name in enumerate(RELATIONS[:-1]):
                fits = somebody == (name == "held") if name != "fastened" else somebody | True
                right, wrong = likely[fits & (true == kind), kind], likely[fits & (true != kind), kind]
                least = np.quantile(right, 0.1) if len(right) else 1.0
                false = float((wrong >= least).mean()) if len(wrong) else 0.0
                said.append(f"{name} {area(right, wrong):.3f} ({len(right)}, {len(wrong)}; at recall 0.9 {false:.3f})")
            print(f"   relation, {'composed' if composed else 'staged'}:", *said, flush=True)


def export_all(relations: Relations, out: Path) -> None:
    export_parts("relation", relations.network, RELATION_SIZE, out)


def main() -> None:
    said = lesson.parser(__doc__, "relation", rate=6.0e-4)
    said.set_defaults(batch=256)
    args = lesson.options(lesson.with_blocks(said))
    relations = Relations()
    relations.batch = args.batch
    lesson.take_blocks(args, relations.network.early)
    lesson.teach(args, relations, decay=0.05)
    export_all(relations, args.out)


if __name__ == "__main__":
    main()
