"""Teach the closer look: whether a window in which the first looks found a thing shows it, and whether it shows two.

python scripts/evaluator/teach_likeness.py WINDOWS OUT --minutes 15 --blocks scripts/evaluator/kept/state.pt

Windows are those of `draw_windows.py`: regions that are the thing, regions that are not, and regions held against
another thing of the same cast or the same kind; and things by themselves (`draw_things.py`), in the same folder. The
blocks that look begin with those of the lesson of states.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import lesson
import numpy as np
import torch
import torch.nn.functional as F
from data import DEVICE, THING, Store, is_held_back, picture, things_of
from export import export_parts
from lesson import area
from likeness_net import SIDE, LikenessNet
from spoiling import coarser, looks_at, masks, mirrors, spoiled, tinted
from torch import Tensor

from storyengine.previz.evaluator.networks import AXES
from storyengine.previz.evaluator.subjects import LIKENESS_SIZE

MOST = 200_000
"""Windows for which there is room on the GPU."""
RIGHT, WRONG = 0.45, 0.3
"""Parts of a batch that are regions of the thing, and regions of something else that answered; the rest are regions of
something else of the same kind or cast."""
TWO, SAME_KIND = 0.2, 0.5
"""Part of the regions of the thing that show two, and of the strangers those of the same kind."""
PICTURES = 2
"""Pictures of a thing of which the nearest is taken."""


@dataclass
class Region:
    window: int
    thing: int
    right: bool
    two: bool | None
    firm: float | None
    """None for things by themselves, which nobody had to find."""
    share: float


@dataclass
class Thing:
    pictures: list[int]
    family: str
    cast: tuple[int, int]
    numbers: bytes


def _by_itself(name: str, _: object, share: float, window: tuple[bytes, bytes]) -> tuple:
    """A thing on a small stage of its own, as a region of it."""
    return name, False, True, False, None, share, *window


class Likeness:
    drawn = "*-*.pickle"

    def __init__(self) -> None:
        self.batch = 384
        self.windows, self.masks = Store(MOST), Store(MOST)
        self.references, self.numbers = Store(MOST // 4), Store(MOST // 4)
        self.things: list[Thing] = []
        self.families: dict[str, list[int]] = {}
        self.casts: dict[tuple[int, int], list[int]] = {}
        self.regions: list[dict[str, list[Region]]] = [{"right": [], "two": [], "wrong": []} for _ in range(2)]
        """To learn from and held back."""
        self.network = LikenessNet(2 * len(AXES) + THING).to(DEVICE)
        self.parts: lesson.Parts = {"likeness": self.network}

    # --- what is learned from

    @staticmethod
    def decode(file: dict) -> dict:
        file["references"] = [picture(p) for thing in file["things"].values() for *_, p in thing["shown"]]
        alone = [] if "found" in file else [_by_itself(*one) for one in file["states"]]
        file["regions"] = [*file.get("sights", ()), *alone]
        file["windows"] = [picture(one[-2]) for one in file["regions"]]
        file["masks"] = [masks(one[-1], 1) for one in file["regions"]]
        return file

    def add(self, number: int, file: dict) -> None:
        if self.windows.count + len(file["windows"]) > self.windows.most:
            return
        things = things_of(file, self.references.add(file["references"]))
        every = [np.concatenate([axes, t.numbers]) for t in things.values() for _, axes in t.states]
        self.numbers.add(np.array(every, np.float32))
        window = self.windows.add(file["windows"])
        self.masks.add(file["masks"])
        at = {}
        for (cast, name), thing in things.items():
            at[f"{cast} {name}"] = len(self.things)
            self.families.setdefault(thing.family, []).append(len(self.things))
            self.casts.setdefault((number, cast), []).append(len(self.things))
            pictures = list(range(thing.first, thing.first + thing.count))
            self.things.append(Thing(pictures, thing.family, (number, cast), thing.numbers.tobytes()))
        side = self.regions[int(is_held_back(number))]
        for name, _, right, two, firm, share, *_ in file["regions"]:
            region = Region(window, at[name], right, two, firm, share)
            side["two" if right and two else "right" if right else "wrong"].append(region)
            window += 1

    # --- lessons

    def step(self) -> tuple[Tensor, dict[str, Tensor]]:
        found = self.regions[0]
        right, wrong = round(RIGHT * self.batch), round(WRONG * self.batch)
        two = round(TWO * right) if found["two"] else 0
        items = [*random.choices(found["right"], k=right - two), *random.choices(found["two"] or [None], k=two)]
        items += random.choices(found["wrong"], k=wrong)
        items += [self._stranger(region) for region in random.choices(found["right"], k=self.batch - len(items))]
        odds = self.told(items, True)
        truth = torch.tensor([float(item.right) for item in items], device=DEVICE)
        asked = torch.tensor([item.right and item.two is not None for item in items], device=DEVICE)
        twice = torch.tensor([float(bool(item.two)) for item in items], device=DEVICE)
        same = F.binary_cross_entropy_with_logits(odds[:, 0], truth)
        both = (F.binary_cross_entropy_with_logits(odds[:, 1], twice, reduction="none") * asked).sum() / asked.sum()
        return same + 0.5 * both, {"same": same, "two": both}

    def _stranger(self, region: Region) -> Region:
        """A region of a thing, held against another one of its kind or its cast."""
        own = self.things[region.thing]
        some = self.families[own.family] if random.random() < SAME_KIND else self.casts[own.cast]
        other = random.choice(some)
        if self.things[other].numbers == own.numbers:
            other = random.randrange(len(self.things))
        same = self.things[other].numbers == own.numbers
        return Region(region.window, other, same, None, region.firm, region.share)

    def told(self, items: list[Region], training: bool) -> Tensor:
        rows = [item.window for item in items]
        shown = []
        for item in items:
            every = self.things[item.thing].pictures
            some = random.sample(every, min(PICTURES, len(every)))
            shown += [some[k % len(some)] for k in range(PICTURES)]
        pixels, mask = self.windows[rows].permute(0, 3, 1, 2).float(), self.masks[rows].float() / 255
        mask = F.interpolate(spoiled(mask) if training else mask, size=pixels.shape[2:], mode="bilinear")
        pixels, mask = looks_at(pixels, mask, LIKENESS_SIZE, mirrors(len(rows), training), training)
        references = self.references[shown].permute(0, 3, 1, 2).float()
        references = F.interpolate(references, size=pixels.shape[2:], mode="area")
        if training:
            pixels = tinted(coarser(pixels))
            references = torch.roll(references, torch.randint(-5, 6, (2,)).tolist(), (2, 3))
        nothing = torch.zeros_like(references[:, :2])
        seen = torch.cat([pixels / 255, mask, torch.zeros_like(mask)], 1)
        both = torch.cat([seen, torch.cat([references / 255, nothing], 1)])
        net = self.network
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            parts = net.parts(both.contiguous(memory_format=torch.channels_last))
            window, pictures = parts[: len(rows)], parts[len(rows) :].unflatten(0, (-1, PICTURES))
            marked = F.adaptive_avg_pool2d(mask, SIDE).flatten(1)
            with torch.no_grad():
                which = net.nearest(window, marked, pictures)
            each = torch.arange(len(rows), device=DEVICE)
            numbers = self.numbers[shown].unflatten(0, (-1, PICTURES))[each, which]
            if training:
                untold = torch.rand(len(rows), 1, device=DEVICE) < 0.1
                numbers = numbers.masked_fill(untold, 0)
            return net.alike(window, marked, pictures[each, which], numbers).float()

    # --- how good it is

    def check(self) -> None:
        groups = {}
        for name, every in self.regions[1].items():
            found = [item for item in every if item.firm is not None]
            items = random.sample(found, min(3000, len(found)))
            odds = [self.told(items[k : k + 256], False).cpu().numpy() for k in range(0, len(items), 256)]
            groups[name] = (items, np.concatenate(odds) if odds else np.zeros((0, 2)))
        true = np.concatenate([groups["right"][1], groups["two"][1]])[:, 0]
        firm_true = np.array([i.firm for i in (*groups["right"][0], *groups["two"][0])])
        wrong, firm_wrong = groups["wrong"][1][:, 0], np.array([i.firm for i in groups["wrong"][0]])
        parts = [area(true, wrong), area(firm_true, firm_wrong), area(true + 0.9 * firm_true, wrong + 0.9 * firm_wrong)]
        least = np.quantile(true, 0.05) if len(true) else 0.0
        two = area(groups["two"][1][:, 1], groups["right"][1][:, 1])
        caught = np.quantile(groups["right"][1][:, 1], 0.98) if len(groups["right"][1]) else 0.0
        print(
            f"   likeness: area {parts[0]:.4f}, by firmness {parts[1]:.4f}, both {parts[2]:.4f} of {len(true)} and "
            f"{len(wrong)}; {(wrong >= least).mean():.3f} wrong at recall .95; two {two:.4f} of "
            f"{len(groups['two'][1])}, {(groups['two'][1][:, 1] > caught).mean():.3f} found with .02 alarms",
            flush=True,
        )


def export_all(likeness: Likeness, out: Path) -> None:
    export_parts("likeness", likeness.network, LIKENESS_SIZE, out)


def main() -> None:
    said = lesson.parser(__doc__, "likeness", rate=6.0e-4)
    said.set_defaults(batch=384)
    args = lesson.options(lesson.with_blocks(said))
    likeness = Likeness()
    likeness.batch = args.batch
    lesson.take_blocks(args, likeness.network.early)
    lesson.teach(args, likeness, decay=0.05)
    export_all(likeness, args.out)


if __name__ == "__main__":
    main()
