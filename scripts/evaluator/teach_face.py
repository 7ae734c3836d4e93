"""Teach the face network: views of a face agree with its sheet, and not with two others who share all but the face.

    python scripts/evaluator/teach_face.py FACES ROOMS OUT --minutes 8

Frames of ROOMS stand behind the faces.
"""

from __future__ import annotations

import argparse
import math
import pickle
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from data import DEVICE, picture
from export import export
from nets import FaceNet
from torch import Tensor, nn

SIZE = 80
PEOPLE, VIEWS = 32, 5
"""People and views of each in a batch."""
SHARP = 0.08
HELD_BACK = 8
"""Every so many people are never learned from."""


def normal(x: Tensor) -> Tensor:
    return (x / 255 - 0.5) / 0.25


class Faces:
    def __init__(self, faces: Path, rooms: Path) -> None:
        known: dict[tuple[int, int], dict] = {}
        for path in sorted(faces.glob("faces-*.pickle")):
            known |= pickle.loads(path.read_bytes())
        self.names = sorted(known)
        self.sheets = torch.from_numpy(
            np.stack([np.stack([picture(p) for p in known[n]["sheet"]]) for n in self.names])
        ).to(DEVICE)
        rows = [(k, *view) for k, n in enumerate(self.names) for view in known[n]["views"]]
        self.face = np.array([row[0] for row in rows])
        self.turned = np.array([(row[1] + 180) % 360 - 180 for row in rows])
        shown = [np.dstack([picture(row[2]), picture(row[3])]) for row in rows]
        self.views = torch.from_numpy(np.stack(shown)).to(DEVICE)
        behind = [
            picture(f["jpg"])
            for path in sorted(rooms.glob("room-*.pickle"))[:40]
            for f in pickle.loads(path.read_bytes())["frames"][::6]
        ]
        self.behind = torch.from_numpy(np.stack(behind)).to(DEVICE)
        self.person = np.array([self.names[k][0] for k in self.face])

    def drawn(self, rows: list[int], training: bool) -> Tensor:
        """Views before a part of some frame, in some light, at some size."""
        count = len(rows)
        view = self.views[rows].permute(0, 3, 1, 2).float()
        side = view.shape[-1]
        y, x = random.randint(0, 240), random.randint(0, 520)
        back = self.behind[np.random.randint(len(self.behind), size=count)][:, y : y + side, x : x + side]
        gain = torch.exp(
            torch.randn(count, 3, 1, 1, device=DEVICE) * 0.05 + torch.randn(count, 1, 1, 1, device=DEVICE) * 0.25 - 0.1
        )
        mask = view[:, 3:] / 255
        pixels = (view[:, :3] * (gain if training else 0.85)).clamp(0, 255) * mask
        pixels = pixels + back.permute(0, 3, 1, 2).float() * (1 - mask)
        near = (
            torch.empty(count, device=DEVICE).uniform_(0.66, 0.98)
            if training
            else torch.full((count,), 0.8, device=DEVICE)
        )
        shift = torch.randn(count, 2, device=DEVICE) * 0.08 * training
        pixels = cut(pixels, near, shift)
        if training and random.random() < 0.6:
            small = random.choice([24, 32, 40, 56])
            pixels = F.interpolate(F.interpolate(pixels, size=small, mode="area"), size=SIZE, mode="bilinear")
        return normal((pixels + torch.randn_like(pixels) * random.choice([0, 2, 4, 6]) * training).clamp(0, 255))

    def sheet(self, faces: list[int], training: bool) -> Tensor:
        pixels = self.sheets[faces].flatten(0, 1).permute(0, 3, 1, 2).float()
        count = len(pixels)
        near = torch.empty(count, device=DEVICE).uniform_(0.9, 1.12) if training else torch.ones(count, device=DEVICE)
        return normal(cut(pixels, near, torch.randn(count, 2, device=DEVICE) * 0.04 * training))


def cut(pixels: Tensor, near: Tensor, shift: Tensor) -> Tensor:
    turn = torch.zeros(len(pixels), 2, 3, device=DEVICE)
    turn[:, 0, 0], turn[:, 1, 1], turn[:, :, 2] = near, near, shift
    grid = F.affine_grid(turn, [len(pixels), 3, SIZE, SIZE], align_corners=False)
    return F.grid_sample(pixels, grid, padding_mode="border", align_corners=False)


def agreement(network: FaceNet, views: Tensor, sheets: Tensor) -> Tensor:
    """(views, faces): the better of front and side."""
    seen = F.normalize(network(views), dim=1)
    known = F.normalize(network(sheets), dim=1).view(-1, 2, seen.shape[1])
    return torch.einsum("vd,nkd->vnk", seen, known).amax(2)


def step(network: FaceNet, faces: Faces, by_person: dict[int, list[int]]) -> Tensor:
    people = random.sample(sorted(by_person), min(PEOPLE, len(by_person)))
    rows = [k for p in people for k in random.sample(by_person[p], min(VIEWS, len(by_person[p])))]
    known = [k for k, name in enumerate(faces.names) if name[0] in set(people)]
    true = torch.tensor([known.index(faces.face[k]) for k in rows], device=DEVICE)
    agree = agreement(network, faces.drawn(rows, True), faces.sheet(known, True))
    own = F.one_hot(true, len(known)) > 0
    siblings = torch.from_numpy(faces.person[rows][:, None] == np.array([faces.names[k][0] for k in known])[None]).to(
        DEVICE
    )
    apart = F.softplus((0.5 - agree) * 12)[own].mean() + F.softplus((agree - 0.5) * 12)[siblings & ~own].mean()
    return F.cross_entropy(agree / SHARP, true) + 0.8 * apart


@torch.no_grad()
def validate(network: FaceNet, faces: Faces) -> None:
    network.eval()
    for most in (40, 70):
        rows = np.flatnonzero((faces.person % HELD_BACK == 0) & (np.abs(faces.turned) < most))
        same, other = [], []
        for k in rows:
            known = [n for n, name in enumerate(faces.names) if name[0] == faces.person[k]]
            found = agreement(network, faces.drawn([int(k)], False), faces.sheet(known, False))[0].tolist()
            for n, value in zip(known, found, strict=True):
                (same if n == faces.face[k] else other).append(value)
        a, b = np.array(same), np.array(other)
        print(
            f"   turned up to {most}: auc {(a[:, None] > b[None]).mean():.4f} of {len(a)}",
            np.quantile(a, [0.03, 0.1, 0.5]).round(2),
            np.quantile(b, [0.5, 0.9, 0.97]).round(2),
            flush=True,
        )
    network.train()


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    said.add_argument("faces", type=Path)
    said.add_argument("rooms", type=Path)
    said.add_argument("out", type=Path)
    said.add_argument("--minutes", type=float, default=8)
    said.add_argument("--rate", type=float, default=1.5e-3)
    args = said.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    faces, network = Faces(args.faces, args.rooms), FaceNet().to(DEVICE)
    by_person: dict[int, list[int]] = {}
    for k in np.flatnonzero((faces.person % HELD_BACK > 0) & (np.abs(faces.turned) < 85)):
        by_person.setdefault(int(faces.person[k]), []).append(int(k))
    optimiser = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=0.05)
    began = checked = time.time()
    end, count = began + 60 * args.minutes, 0
    while time.time() < end:
        done = (time.time() - began) / (end - began)
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, (count + 1) / 200) * (0.5 * (1 + math.cos(math.pi * done)) + 0.01)
        loss = step(network, faces, by_person)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        count += 1
        if time.time() - checked > 60:
            checked = time.time()
            print(count, f"{checked - began:.0f} s", f"{loss.item():.3f}", flush=True)
            validate(network, faces)
    validate(network, faces)
    export(network, [(1, 3, SIZE, SIZE)], args.out / "face.onnx")
    print("steps", count, flush=True)


if __name__ == "__main__":
    main()
