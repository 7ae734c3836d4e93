"""Teach the face network: views of a head agree with its sheet, and not with two others in the same clothes.

    python scripts/evaluator/teach_face.py FACES OUT --minutes 8

Heads stand before what other views show behind them, and now and then behind it.
"""

from __future__ import annotations

import random
from pathlib import Path

import lesson
import numpy as np
import torch
import torch.nn.functional as F
from data import DEVICE, Store, is_held_back, normal, picture
from export import export
from nets import FaceNet
from torch import Tensor

SIZE = 80
VIEWS = 5
"""Views of each person in a batch."""
SHARP = 0.08
MOST = 200_000
"""Views for which there is room on the GPU."""
SIDES = 3
"""Figures of a sheet."""
COVERED, COVER = 0.3, 0.35
"""How often something covers a part of a head, and how much of the view at most."""


def cut(pixels: Tensor, near: Tensor, shift: Tensor) -> Tensor:
    turn = torch.zeros(len(pixels), 2, 3, device=DEVICE)
    turn[:, 0, 0], turn[:, 1, 1], turn[:, :, 2] = near, near, shift
    grid = F.affine_grid(turn, [len(pixels), 3, SIZE, SIZE], align_corners=False)
    return F.grid_sample(pixels, grid, padding_mode="border", align_corners=False)


def covered(pixels: Tensor) -> Tensor:
    """Some of the views with a part, from one side, that shows something else."""
    count, _, high, wide = pixels.shape
    across = torch.linspace(-1, 1, wide, device=DEVICE)[None, None].expand(count, high, -1)
    down = torch.linspace(-1, 1, high, device=DEVICE)[None, :, None].expand(count, -1, wide)
    turn = torch.rand(count, 1, 1, device=DEVICE) * 2 * torch.pi
    part = torch.rand(count, 1, 1, device=DEVICE) * COVER * (torch.rand(count, 1, 1, device=DEVICE) < COVERED)
    hides = (across * torch.cos(turn) + down * torch.sin(turn) > 1 - 2 * part) & (part > 0)
    return torch.where(hides[:, None], pixels.roll(3, 0).flip(2), pixels)


class Faces:
    drawn = "faces-*.pickle"

    def __init__(self) -> None:
        self.sheets, self.views = Store(MOST // 2), Store(MOST)
        self.people: tuple[list[list[int]], list[list[int]]] = ([], [])
        """To learn from and held back: views of each person."""
        self.face: list[int] = []
        """Of each view: whose it is, by where the face's sheet begins."""
        self.turned: list[float] = []
        self.network = FaceNet().to(DEVICE)
        self.parts = {"face": self.network}
        self.batch = 48

    # --- what is learned from

    @staticmethod
    def decode(faces: dict) -> dict:
        return {
            name: (
                [picture(p) for p in face["sheet"]],
                [(turned, np.dstack([picture(seen), picture(mask)])) for turned, seen, mask in face["views"]],
            )
            for name, face in faces.items()
        }

    def add(self, number: int, faces: dict) -> None:
        side = int(is_held_back(number))
        for person in sorted({person for person, _ in faces}):
            rows: list[int] = []
            for (who, _), (sheet, views) in faces.items():
                if who != person:
                    continue
                known, first = self.sheets.add(sheet), self.views.add([pixels for _, pixels in views])
                rows += range(first, first + len(views))
                self.face += [known] * len(views)
                self.turned += [turned for turned, _ in views]
            self.people[side].append(rows)

    def seen(self, rows: list[int], training: bool) -> Tensor:
        """Views before what is behind others, in some light, at some size."""
        count = len(rows)
        view = self.views[rows].permute(0, 3, 1, 2).float()
        mask = view[:, 3:] / 255
        pixels = view[:, :3]
        if training:
            gain = torch.exp(torch.randn(count, 3, 1, 1, device=DEVICE) * 0.05)
            gain = gain * torch.exp(torch.randn(count, 1, 1, 1, device=DEVICE) * 0.2)
            behind = pixels.roll(1, 0).flip(3) if random.random() < 0.5 else pixels
            pixels = (pixels * gain).clamp(0, 255) * mask + behind * (1 - mask)
            pixels = covered(pixels)
        near, shift = torch.full((count,), 0.8, device=DEVICE), torch.zeros(count, 2, device=DEVICE)
        if training:
            near, shift = near.uniform_(0.66, 0.98), torch.randn(count, 2, device=DEVICE) * 0.08
        pixels = cut(pixels, near, shift)
        if training and random.random() < 0.6:
            small = random.choice([24, 32, 40, 56])
            pixels = F.interpolate(F.interpolate(pixels, size=small, mode="area"), size=SIZE, mode="bilinear")
        return normal((pixels + torch.randn_like(pixels) * random.choice([0, 2, 4, 6]) * training).clamp(0, 255))

    def known(self, sheets: list[int], training: bool) -> Tensor:
        """Front, side and rear of each."""
        pixels = self.sheets[[k + side for k in sheets for side in range(SIDES)]].permute(0, 3, 1, 2).float()
        near, shift = torch.ones(len(pixels), device=DEVICE), torch.zeros(len(pixels), 2, device=DEVICE)
        if training:
            near, shift = near.uniform_(0.9, 1.12), torch.randn(len(pixels), 2, device=DEVICE) * 0.04
        return normal(cut(pixels, near, shift))

    def agreement(self, views: Tensor, sheets: Tensor) -> Tensor:
        """(views, faces): the best of front, side and rear."""
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            seen, known = self.network(views), self.network(sheets)
        seen, known = F.normalize(seen.float(), dim=1), F.normalize(known.float(), dim=1)
        return torch.einsum("vd,nkd->vnk", seen, known.view(-1, SIDES, seen.shape[1])).amax(2)

    # --- lessons

    def step(self) -> tuple[Tensor, dict[str, Tensor]]:
        people = random.sample(self.people[0], min(self.batch, len(self.people[0])))
        some = [random.sample(rows, min(VIEWS, len(rows))) for rows in people]
        rows = [k for part in some for k in part]
        whose = [n for n, part in enumerate(some) for _ in part]
        sheets = [sorted({self.face[k] for k in rows}) for rows in people]
        known = [sheet for part in sheets for sheet in part]
        known_whose = torch.tensor([n for n, part in enumerate(sheets) for _ in part], device=DEVICE)
        at = {sheet: n for n, sheet in enumerate(known)}
        true = torch.tensor([at[self.face[k]] for k in rows], device=DEVICE)
        agree = self.agreement(self.seen(rows, True), self.known(known, True))
        own = F.one_hot(true, len(known)) > 0
        siblings = torch.tensor(whose, device=DEVICE)[:, None] == known_whose[None]
        apart = F.softplus((0.5 - agree) * 12)[own].mean() + F.softplus((agree - 0.5) * 12)[siblings & ~own].mean()
        found = {"which": F.cross_entropy(agree / SHARP, true), "apart": apart}
        return found["which"] + 0.8 * apart, found

    # --- how good it is

    def check(self) -> None:
        for most in (40, 75, 180):
            same: list[float] = []
            other: list[float] = []
            for rows in self.people[1]:
                near = [k for k in rows if abs(self.turned[k]) < most]
                sheets = sorted({self.face[k] for k in rows})
                if not near or len(sheets) < 2:
                    continue
                found = self.agreement(self.seen(near, False), self.known(sheets, False)).tolist()
                for k, row in zip(near, found, strict=True):
                    for sheet, value in zip(sheets, row, strict=True):
                        (same if sheet == self.face[k] else other).append(value)
            if same and other:
                a, b = np.array(same), np.array(other)
                print(
                    f"   turned up to {most}: auc {(a[:, None] > b[None]).mean():.4f} of {len(a)}",
                    np.quantile(a, [0.03, 0.1, 0.5]).round(2),
                    np.quantile(b, [0.5, 0.9, 0.97]).round(2),
                    flush=True,
                )


def export_all(faces: Faces, out: Path) -> None:
    export(faces.network, [(1, 3, SIZE, SIZE)], out / "face.onnx")


def main() -> None:
    args = lesson.options(lesson.parser(__doc__, "face", rate=1.5e-3))
    faces = Faces()
    faces.batch = args.batch
    lesson.teach(args, faces, decay=0.05)
    export_all(faces, args.out)


if __name__ == "__main__":
    main()
