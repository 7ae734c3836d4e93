"""What all lessons share: their options, the loop over time, and keeping what was learned."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path

import torch
from data import DEVICE
from torch import Tensor, nn

Parts = dict[str, nn.Module]
WARMING = 150
"""Steps in which the rate rises."""
TELLS, CHECKS = 20, 120
"""Seconds between two lines, and between two looks at what is held back."""


def options(about: str, rate: float) -> argparse.ArgumentParser:
    said = argparse.ArgumentParser(description=about.splitlines()[0])
    said.add_argument("rooms", type=Path)
    said.add_argument("out", type=Path)
    said.add_argument("--minutes", type=float, default=15)
    said.add_argument("--rate", type=float, default=rate)
    said.add_argument("--end", type=float, default=0.004, help="the rate at the end, as a part of the first")
    said.add_argument("--start", type=Path, help="what an earlier lesson kept, to go on from")
    said.add_argument("--most", type=int, default=10_000, help="rooms that are read")
    return said


def begin(args: argparse.Namespace, parts: Parts) -> None:
    """Go on from an earlier lesson, if one is named."""
    if args.start:
        kept = torch.load(args.start, map_location=DEVICE, weights_only=False)
        for name, part in parts.items():
            part.load_state_dict({k: v.float() if v.is_floating_point() else v for k, v in kept[name].items()})


def keep(parts: Parts, families: list[str], path: Path) -> None:
    state = {
        name: {k: v.half() if v.is_floating_point() else v for k, v in part.state_dict().items()}
        for name, part in parts.items()
    }
    torch.save({"families": families, **state}, path)


def teach(
    args: argparse.Namespace,
    optimiser: torch.optim.Optimizer,
    step: Callable[[], tuple[Tensor, dict[str, Tensor]]],
    clip: Callable[[], None],
    check: Callable[[], None],
) -> None:
    """Steps until the minutes are over, with a rate that rises quickly and falls as a cosine; `check` now and then."""
    began = told = checked = time.time()
    end, count = began + 60 * args.minutes, 0
    while time.time() < end:
        done = (time.time() - began) / (end - began)
        falls = args.end + (1 - args.end) * 0.5 * (1 + math.cos(math.pi * done))
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, (count + 1) / WARMING) * falls
        total, losses = step()
        optimiser.zero_grad(set_to_none=True)
        total.backward()
        clip()
        optimiser.step()
        count += 1
        if time.time() - told > TELLS:
            told = time.time()
            figures = " ".join(f"{name} {value.item():.3f}" for name, value in losses.items())
            print(count, f"{told - began:.0f} s", figures, flush=True)
        if time.time() - checked > CHECKS:
            check()
            checked = time.time()
    check()
    print("steps", count, flush=True)
