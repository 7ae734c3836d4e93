"""Teach how things relate to what they are on, in or held by.

python scripts/evaluator/teach_close.py ROOMS OUT --minutes 15
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import lesson
import numpy as np
import torch
import torch.nn.functional as F
from cutting import SPARE
from data import DEVICE, Store, is_held_back, normal, picture
from export import export, table
from nets import RelationNet
from torch import Tensor

from storyengine.previz.evaluator.windows import PAIR, RELATIONS

MOST = 500_000
"""Windows of a kind for which there is room on the GPU."""
WEIGHTS = (5, 5, 5, 2, 8)
"""How often each relation is asked."""


def moved(pixels: Tensor, masks: Tensor, size: int, training: bool) -> tuple[Tensor, Tensor]:
    """The evaluator's window of one that was cut wider; while training, a bit beside it, nearer, or mirrored."""
    count = len(pixels)
    turn = torch.zeros(count, 2, 3, device=DEVICE)
    near = torch.full((count,), 1 / SPARE, device=DEVICE)
    flip = torch.ones(count, device=DEVICE)
    if training:
        near = (near * torch.exp(torch.randn(count, device=DEVICE) * 0.1)).clamp(max=1.05)
        flip = torch.where(torch.rand(count, device=DEVICE) < 0.5, -1.0, 1.0)
        turn[:, :, 2] = torch.randn(count, 2, device=DEVICE) * 0.06
    turn[:, 0, 0], turn[:, 1, 1] = near * flip, near
    grid = F.affine_grid(turn, [count, 3, size, size], align_corners=False)
    return (
        F.grid_sample(pixels, grid, align_corners=False, padding_mode="border"),
        F.grid_sample(masks, grid, align_corners=False, padding_mode="zeros"),
    )


def spoiled(mask: Tensor) -> Tensor:
    """Masks (n, k, cells, cells) as the frame network gives them: soft, too large or small, with holes and strays."""
    kind = random.random()
    if kind < 0.3:
        mask = F.max_pool2d(mask, 3, 1, 1)
    elif kind < 0.45:
        mask = -F.max_pool2d(-mask, 3, 1, 1)
    if random.random() < 0.5:
        mask = F.avg_pool2d(mask, 3, 1, 1)
    noise = F.interpolate(torch.randn(*mask.shape[:2], 5, 5, device=DEVICE), size=mask.shape[2:], mode="bilinear")
    each = torch.rand(*mask.shape[:2], 1, 1, device=DEVICE)
    hole, stray = (each < 0.25) & (noise > 0.9), (each > 0.8) & (noise < -1.1)
    return torch.where(hole, 0.0, torch.where(stray, 1.0, mask)).clamp(0, 1)


def coarser(pixels: Tensor) -> Tensor:
    """As a thing further away is seen."""
    if random.random() < 0.5:
        return pixels
    small = F.interpolate(pixels, size=random.choice([28, 36, 48, 72]), mode="area")
    return F.interpolate(small, size=pixels.shape[2:], mode="bilinear")


def tinted(pixels: Tensor) -> Tensor:
    count = len(pixels)
    gain = torch.exp(torch.randn(count, 1, 1, 1, device=DEVICE) * 0.1)
    tint = torch.exp(torch.randn(count, 3, 1, 1, device=DEVICE) * 0.025)
    noise = torch.randn_like(pixels) * torch.rand(count, 1, 1, 1, device=DEVICE) * 5
    soft = (torch.rand(count, 1, 1, 1, device=DEVICE) < 0.3).float() * 0.8
    blurred = F.avg_pool2d(F.pad(pixels, (1, 1, 1, 1), mode="replicate"), 3, 1)
    return ((pixels * (1 - soft) + blurred * soft) * gain * tint + noise).clamp(0, 255)


@dataclass
class Relation:
    window: int
    kind: int
    person: bool


class Close:
    drawn = "room-*.pickle"

    def __init__(self) -> None:
        self.near, self.far = Store(MOST), Store(MOST)
        self.near_masks, self.far_masks = Store(MOST), Store(MOST)
        self.relations: list[dict[bool, list[list[Relation]]]] = [
            {composed: [[] for _ in RELATIONS] for composed in (True, False)} for _ in range(2)
        ]
        """To learn from and held back; composed as a film's or not; by kind."""
        self.relation = RelationNet().to(DEVICE)
        self.parts: lesson.Parts = {"relation": self.relation}
        self.batch = 96

    # --- what is learned from

    @staticmethod
    def decode(room: dict) -> dict:
        pairs = [pair for frame in room["frames"] for pair in frame["relations"]]
        for name, at in (("near", 4), ("far", 5)):
            room[name] = [picture(pair[at][0]) for pair in pairs]
            room[f"{name}_masks"] = [masks(pair[at][1], 2) for pair in pairs]
        return room

    def add(self, number: int, room: dict) -> None:
        if self.near.count + len(room["near"]) > self.near.most:
            return
        side, pair = int(is_held_back(number)), self.near.count
        for name in ("near", "far", "near_masks", "far_masks"):
            getattr(self, name).add(room[name])
        for frame in room["frames"]:
            for _, _, relation, person, _, _ in frame["relations"]:
                kind = RELATIONS.index("fastened" if relation == "worn" else relation)
                self.relations[side][frame["composed"]][kind].append(Relation(pair, kind, person))
                pair += 1

    # --- lessons

    def step(self) -> tuple[Tensor, dict[str, Tensor]]:
        loss = F.cross_entropy(*self.told_relations(self.some_relations(), True))
        return loss, {"relation": loss}

    def some_relations(self) -> list[Relation]:
        """Half of them as films show them, if there are any."""
        some = []
        for composed in (True, False):
            every = self.relations[0][composed]
            known = [k for k, one in enumerate(every) if one]
            kinds = random.choices(known, weights=[WEIGHTS[k] for k in known], k=self.batch // 2) if known else []
            some += [random.choice(every[k]) for k in kinds]
        return some

    def told_relations(self, items: list[Relation], training: bool) -> tuple[Tensor, Tensor]:
        rows = [i.window for i in items]
        looks = []
        for pixels_, masks_ in ((self.near, self.near_masks), (self.far, self.far_masks)):
            mask = masks_[rows].float() / 255
            mask = spoiled(mask) if training else mask
            pixels, mask = moved(pixels_[rows].permute(0, 3, 1, 2).float(), mask, PAIR, training)
            looks.append(torch.cat([normal(tinted(pixels) if training else pixels), mask * 2 - 1], 1))
        person = torch.tensor([[float(i.person)] for i in items], device=DEVICE)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            odds = self.relation(looks[0], looks[1], person)
        return odds.float(), torch.tensor([i.kind for i in items], device=DEVICE)

    # --- how good it is

    def check(self) -> None:
        for composed, kinds in self.relations[1].items():
            counts = np.zeros((len(RELATIONS), len(RELATIONS)), int)
            for every in kinds:
                items = random.sample(every, min(500, len(every)))
                for k in range(0, len(items), 256):
                    odds, truth = self.told_relations(items[k : k + 256], False)
                    np.add.at(counts, (truth.cpu().numpy(), odds.argmax(1).cpu().numpy()), 1)
            drawn = "composed" if composed else "staged"
            print(f"   relation, {drawn} (rows true:", *RELATIONS, ")", counts.tolist(), flush=True)


def masks(data: bytes, count: int) -> np.ndarray:
    return np.stack(np.split(picture(data), count, axis=1))


def export_all(close: Close, out: Path) -> None:
    relation = close.relation
    export(relation.near, [(1, 5, PAIR, PAIR)], out / "relation_near.onnx", pixels=False)
    export(relation.far, [(1, 5, PAIR, PAIR)], out / "relation_far.onnx", pixels=False)
    tables = {f"relation_{k}": v for k, v in table(relation.kind).items()}
    np.savez_compressed(out / "close.npz", **tables)


def main() -> None:
    args = lesson.options(lesson.parser(__doc__, "close", rate=1.0e-3))
    close = Close()
    close.batch = args.batch
    lesson.teach(args, close, decay=0.03)
    export_all(close, args.out)


if __name__ == "__main__":
    main()
