"""Light: how bright and warm a frame is, where no reference view tells better."""

from __future__ import annotations

from typing import get_args

import numpy as np

from storyengine.media.picture import Pixels
from storyengine.plan.model import Brightness, Tone
from storyengine.previz.evaluator.seeing import shrunk

LEVELS: dict[Brightness, float] = {"dark": 0.22, "dim": 0.35, "even": 0.52, "bright": 0.68}
"""Usual mean luminance of a frame by class."""
WARM, COOL = 0.16, 0.02
"""Logarithm of red by blue from which a frame is warm, and below which it is cool."""


def level_and_warmth(pixels: Pixels) -> tuple[float, float]:
    """Mean luminance, 0…1, and the median logarithm of red by blue."""
    small = shrunk(pixels, 160).reshape(-1, 3).astype(np.float32) / 255
    level = float((small @ np.array([0.2126, 0.7152, 0.0722], np.float32)).mean())
    return level, float(np.median(np.log((small[:, 0] + 0.02) / (small[:, 2] + 0.02))))


def brightness_classes(level: float) -> tuple[Brightness, ...]:
    """The classes that a mean luminance may be: the nearest, and its neighbour where it lies between."""
    order = sorted(get_args(Brightness), key=lambda name: abs(LEVELS[name] - level))
    return tuple(name for name in order if abs(LEVELS[name] - level) < abs(LEVELS[order[0]] - level) + 0.10)


def tone_classes(warmth: float) -> tuple[Tone, ...]:
    """The tones that a frame may have."""
    if warmth > WARM + 0.10:
        return ("warm",)
    if warmth > WARM - 0.06:
        return ("warm", "neutral")
    if warmth > COOL:
        return ("neutral", "cool") if warmth < COOL + 0.08 else ("neutral",)
    return ("cool", "neutral") if warmth > COOL - 0.10 else ("cool",)
