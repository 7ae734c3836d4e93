"""Teach the closer look: whether a window in which the first looks found a thing shows it.

    python scripts/evaluator/teach_sight.py SIGHTS OUT --minutes 15

Windows are those of `draw_sights.py`, half of them right. What a window really shows is also held against all other
things of the batch.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import lesson
import numpy as np
import torch
import torch.nn.functional as F
from data import DEVICE, THING, Store, is_held_back, look_numbers, normal, picture
from export import export, table
from nets import SightNet
from spoiling import coarser, moved, tinted
from torch import Tensor

from storyengine.previz.evaluator.subjects import SIGHT_SIZE

MOST = 600_000
"""Windows for which there is room on the GPU."""
PICTURES = 3
"""The most pictures of a thing that are compared."""
OTHERS = 0.4
"""What the batch's other things count."""


@dataclass
class Sight:
    window: int
    thing: int
    right: bool
    firm: float
    share: float


class Sights:
    drawn = "sights-*.pickle"
    size = SIGHT_SIZE

    def __init__(self) -> None:
        self.windows, self.masks = Store(MOST), Store(MOST)
        self.references, self.numbers = Store(MOST // 6), Store(MOST // 6)
        self.pictures: list[list[int]] = []
        """Of each thing: where its pictures are."""
        self.sights: list[list[list[Sight]]] = [[[], []], [[], []]]
        """To learn from and held back; wrong and right."""
        self.parts = self.networks()
        self.batch = 256

    def networks(self) -> lesson.Parts:
        self.network = SightNet(THING).to(DEVICE)
        return {"sight": self.network}

    def decode(self, file: dict) -> dict:
        shown, size = [p for thing in file["things"].values() for *_, p in thing["shown"]], (self.size, self.size)
        file["references"] = [cv2.resize(picture(p), size, interpolation=cv2.INTER_AREA) for p in shown]
        file["windows"] = [picture(one[-2]) for one in file["sights"]]
        file["masks"] = [picture(one[-1])[None] for one in file["sights"]]
        return file

    def add(self, number: int, file: dict) -> None:
        if self.windows.count + len(file["windows"]) > self.windows.most:
            return
        first, window = self.references.add(file["references"]), self.windows.add(file["windows"])
        self.masks.add(file["masks"])
        self.numbers.add([look_numbers(t["look"]) for t in file["things"].values() for _ in t["shown"]])
        at = {}
        for name, thing in file["things"].items():
            at[name] = len(self.pictures)
            self.pictures.append(list(range(first, first + len(thing["shown"]))))
            first += len(thing["shown"])
        for name, _, right, firm, share, *_ in file["sights"]:
            self.sights[int(is_held_back(number))][int(right)].append(Sight(window, at[name], right, firm, share))
            window += 1

    # --- lessons

    def seen(self, items: list[Sight], training: bool) -> Tensor:
        rows = [item.window for item in items]
        pixels, mask = self.windows[rows].permute(0, 3, 1, 2).float(), self.masks[rows].float() / 255
        pixels, mask = moved(pixels, mask, self.size, training)
        if training:
            pixels = tinted(coarser(pixels))
        return self.windows_told(pixels, mask)

    def windows_told(self, pixels: Tensor, mask: Tensor) -> Tensor:
        return self.network.window(torch.cat([normal(pixels), mask * 2 - 1], 1))

    def pictures_told(self, pixels: Tensor, numbers: Tensor) -> Tensor:
        return self.network.thing(normal(pixels), numbers)

    def known(self, things: list[int], training: bool) -> Tensor:
        """(things, PICTURES, length): things with fewer pictures are shown some twice."""
        rows = []
        for thing in things:
            every = self.pictures[thing]
            some = random.sample(every, min(PICTURES, random.randint(1, len(every)))) if training else every
            rows += [some[k % len(some)] for k in range(PICTURES)]
        pixels = self.references[rows].permute(0, 3, 1, 2).float()
        if training:
            pixels = torch.roll(pixels, torch.randint(-4, 5, (2,)).tolist(), (2, 3))
        return self.pictures_told(pixels, self.numbers[rows]).unflatten(0, (-1, PICTURES))

    def judged(self, seen: Tensor, known: Tensor) -> Tensor:
        """Log-odds by the picture that fits best."""
        each = self.network.judged(seen.repeat_interleave(PICTURES, 0), known.flatten(0, 1))
        return each.unflatten(0, (-1, PICTURES)).amax(1)

    def step(self) -> tuple[Tensor, dict[str, Tensor]]:
        half = self.batch // 2
        items = [random.choice(self.sights[0][right]) for right in (0, 1) for _ in range(half)]
        truth = torch.tensor([float(item.right) for item in items], device=DEVICE)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            seen, known = self.seen(items, True), self.known([item.thing for item in items], True)
            own = self.judged(seen, known)
            right, count = seen[half:], min(half, 96)
            pairs = right[:count].repeat_interleave(count, 0), known[half : half + count].repeat(count, 1, 1)
            every = self.judged(*pairs).view(count, count)
        things = torch.tensor([item.thing for item in items[half : half + count]], device=DEVICE)
        twin = (things[:, None] == things[None]) & ~torch.eye(count, dtype=torch.bool, device=DEVICE)
        which = F.cross_entropy(every.float().masked_fill(twin, -30), torch.arange(count, device=DEVICE))
        found = {"right": F.binary_cross_entropy_with_logits(own.float(), truth), "which": which}
        return found["right"] + OTHERS * which, found

    # --- how good it is

    def check(self) -> None:
        odds: list[list[float]] = [[], []]
        firm: list[list[float]] = [[], []]
        small: list[list[bool]] = [[], []]
        for right, every in enumerate(self.sights[1]):
            items = random.sample(every, min(4000, len(every)))
            for k in range(0, len(items), 256):
                some = items[k : k + 256]
                with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
                    found = self.judged(self.seen(some, False), self.known([s.thing for s in some], False))
                odds[right] += found.float().tolist()
                firm[right] += [s.firm for s in some]
                small[right] += [s.share < 0.005 for s in some]
        tell_sights(odds, firm, small)


def tell_sights(odds: list[list[float]], firm: list[list[float]], small: list[list[bool]]) -> None:
    """How well right windows are told from wrong ones; all three by wrong and right."""
    if not odds[0] or not odds[1]:
        return
    wrong, true = np.array(odds[0]), np.array(odds[1])
    both = [np.array(o) + 0.9 * np.array(f) for o, f in zip(odds, firm, strict=True)]
    parts = [area(true, wrong), area(np.array(firm[1]), np.array(firm[0])), area(both[1], both[0])]
    tiny = area(true[np.array(small[1])], wrong[np.array(small[0])])
    told = f"{parts[0]:.4f}, by firmness {parts[1]:.4f}, both {parts[2]:.4f}, small ones {tiny:.4f}"
    print(f"   sights: area {told} of {len(true)} and {len(wrong)}", flush=True)


def area(true: np.ndarray, wrong: np.ndarray) -> float:
    return float((true[:, None] > wrong[None]).mean()) if len(true) and len(wrong) else 0.5


def export_all(sights: Sights, out: Path) -> None:
    network = sights.network
    size = sights.size
    export(network.window, [(1, 4, size, size)], out / "sight_window.onnx", pixels=False)
    export(network.picture, [(1, 3, size, size)], out / "sight_picture.onnx")
    tables = {f"told_{k}": v for k, v in table(network.told).items()}
    tables |= {f"same_{k}": v for k, v in table(network.same).items()}
    np.savez_compressed(out / "sight.npz", **tables)


def main() -> None:
    args = lesson.options(lesson.parser(__doc__, "sight", rate=1.0e-3))
    sights = Sights()
    sights.batch = args.batch
    lesson.teach(args, sights, decay=0.05)
    export_all(sights, args.out)


if __name__ == "__main__":
    main()
