"""Windows as lessons spoil them: moved, mirrored, coarse, tinted, with regions as uncertain as they are found."""

from __future__ import annotations

import random

import numpy as np
import torch
import torch.nn.functional as F
from cutting import SPARE
from data import DEVICE, picture
from torch import Tensor

CUT, DEEPEST = 0.3, 0.45
"""How often a window is cut off as by the edge of a frame, and how much of it at most."""


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


def masks(data: bytes, count: int) -> np.ndarray:
    return np.stack(np.split(picture(data), count, axis=1))


def mirrors(count: int, training: bool) -> Tensor:
    """-1 for windows that are mirrored."""
    even = torch.rand(count, device=DEVICE) < 0.5
    return torch.where(even, -1.0, 1.0) if training else torch.ones(count, device=DEVICE)


def looks_at(pixels: Tensor, marks: Tensor, size: int, flip: Tensor, training: bool) -> tuple[Tensor, Tensor]:
    """The evaluator's windows of some that were cut wider, mirrored or not; while training, a bit beside it, nearer, or
    cut off by the edge of a frame, where the last row of pixels is repeated and nothing is marked."""
    count = len(pixels)
    turn = torch.zeros(count, 2, 3, device=DEVICE)
    near = torch.full((count,), 1 / SPARE, device=DEVICE)
    low, high = (torch.full((count, 2), end, device=DEVICE) for end in (-9.0, 9.0))
    if training:
        near = (near * torch.exp(torch.randn(count, device=DEVICE) * 0.14)).clamp(max=1.15)
        turn[:, :, 2] = torch.randn(count, 2, device=DEVICE) * 0.08
        edge = 0.66 - DEEPEST * 1.3 * torch.rand(count, 2, device=DEVICE)
        is_cut, is_low = torch.rand(count, 2, device=DEVICE) < CUT / 2, torch.rand(count, 2, device=DEVICE) < 0.5
        low, high = torch.where(is_cut & is_low, -edge, low), torch.where(is_cut & ~is_low, edge, high)
        turn[:, :, 2] += torch.where(is_cut, torch.where(is_low, 1.0, -1.0) * (0.66 - edge) / 2, 0.0)
    turn[:, 0, 0], turn[:, 1, 1] = near * flip, near
    grid = F.affine_grid(turn, [count, 3, size, size], align_corners=False)
    held = torch.minimum(torch.maximum(grid, low[:, None, None]), high[:, None, None])
    outside = (held != grid).any(3)[:, None]
    seen = F.grid_sample(pixels, held, align_corners=False, padding_mode="border")
    marked = F.grid_sample(marks, held, align_corners=False, padding_mode="zeros")
    return seen, torch.where(outside, 0.0, marked)
