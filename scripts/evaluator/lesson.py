"""What all lessons share: their options, the loop over time, and keeping what was learned."""

from __future__ import annotations

import argparse
import math
import random
import time
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from data import DEVICE, Reader
from torch import Tensor, nn

Parts = dict[str, nn.Module]
STEEPEST = 4.0
"""Length to which a network's gradient is cut."""
WARMING = 150
"""Steps in which the rate rises."""
TELLS, CHECKS = 20, 120
"""Seconds between two lines, and between two looks at what is held back."""


def parser(about: str, name: str, rate: float) -> argparse.ArgumentParser:
    """What every lesson can be told."""
    said = argparse.ArgumentParser(description=about.splitlines()[0])
    said.set_defaults(name=name)
    said.add_argument("folder", type=Path, help="where drawn files are, or will be")
    said.add_argument("out", type=Path)
    said.add_argument("--minutes", type=float, default=15)
    said.add_argument("--rate", type=float, default=rate)
    said.add_argument("--end", type=float, default=0.004, help="the rate at the end, as a part of the first")
    said.add_argument("--start", type=Path, help="what an earlier lesson kept, to go on from")
    said.add_argument("--least", type=int, default=1, help="files without which it does not begin")
    said.add_argument("--most", type=int, default=10_000, help="files that are read")
    said.add_argument("--batch", type=int, default=96)
    return said


def options(said: argparse.ArgumentParser) -> argparse.Namespace:
    """What the command line says. Also makes chance and GPU ready."""
    args = said.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    random.seed(1), torch.manual_seed(1)
    return args


def with_blocks(said: argparse.ArgumentParser) -> argparse.ArgumentParser:
    said.add_argument("--blocks", type=Path, help="what a lesson of states kept, whose blocks to begin with")
    return said


def take_blocks(args: argparse.Namespace, early: nn.Module) -> None:
    """Look with the blocks of the lesson of states, which is about windows, too."""
    if args.blocks:
        kept = torch.load(args.blocks, map_location=DEVICE, weights_only=False)["state"]
        own = {name.removeprefix("early."): v for name, v in kept.items() if name.startswith("early.")}
        early.load_state_dict({name: v.float() if v.is_floating_point() else v for name, v in own.items()})


def begin(args: argparse.Namespace, parts: Parts) -> None:
    """Go on from an earlier lesson, if one is named."""
    if args.start:
        kept = torch.load(args.start, map_location=DEVICE, weights_only=False)
        for name, part in parts.items():
            part.load_state_dict({k: v.float() if v.is_floating_point() else v for k, v in kept[name].items()})


def keep(parts: Parts, path: Path) -> None:
    state = {
        name: {k: v.half() if v.is_floating_point() else v for k, v in part.state_dict().items()}
        for name, part in parts.items()
    }
    torch.save(state, path)


class Lesson(Protocol):
    """What is taught: networks, which learn from drawn files, and from more of them whenever they are there."""

    drawn: str
    """What the files are called."""
    parts: Parts

    def decode(self, file: dict) -> dict:
        """A file's pictures, off the GPU; called by another thread."""

    def add(self, number: int, file: dict) -> None: ...

    def step(self) -> tuple[Tensor, dict[str, Tensor]]: ...

    def check(self) -> None: ...


def teach(args: argparse.Namespace, lesson: Lesson, decay: float) -> None:
    """Steps until the minutes are over, with a rate that rises quickly and falls as a cosine; `check` now and then."""
    reader = Reader(args.folder, lesson.drawn, lesson.decode, args.most)
    files = 0
    while files < args.least and (new := reader.next(wait=900)):
        lesson.add(*new)
        files += 1
    begin(args, lesson.parts)
    optimiser = torch.optim.AdamW(
        [p for part in lesson.parts.values() for p in part.parameters()], lr=args.rate, weight_decay=decay
    )
    began = told = checked = time.time()
    end, count = began + 60 * args.minutes, 0
    while time.time() < end:
        done = (time.time() - began) / (end - began)
        falls = args.end + (1 - args.end) * 0.5 * (1 + math.cos(math.pi * done))
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, (count + 1) / WARMING) * falls
        if count % 4 == 0 and (new := reader.next()):
            lesson.add(*new)
            files += 1
        total, losses = lesson.step()
        optimiser.zero_grad(set_to_none=True)
        total.backward()
        for part in lesson.parts.values():
            nn.utils.clip_grad_norm_(part.parameters(), STEEPEST)
        optimiser.step()
        count += 1
        if time.time() - told > TELLS:
            told = time.time()
            figures = " ".join(f"{name} {value.item():.3f}" for name, value in losses.items())
            print(count, f"{told - began:.0f} s", files, "files", figures, flush=True)
        if time.time() - checked > CHECKS:
            _look(args, lesson)
            checked = time.time()
    _look(args, lesson)
    print("steps", count, flush=True)


def _look(args: argparse.Namespace, lesson: Lesson) -> None:
    """How good it is on rooms that were held back; what was learned so far is kept."""
    for part in lesson.parts.values():
        part.eval()
    dice = random.getstate()
    random.seed(5)
    with torch.no_grad():
        lesson.check()
    random.setstate(dice)
    for part in lesson.parts.values():
        part.train()
    keep(lesson.parts, args.out / f"{args.name}.pt")


def area(true: np.ndarray, wrong: np.ndarray) -> float:
    """How often something true is surer than something wrong."""
    return float((true[:, None] > wrong[None]).mean()) if len(true) and len(wrong) else 0.5
