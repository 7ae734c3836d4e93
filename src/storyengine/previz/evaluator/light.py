"""Light: what a place's light does to colours, and how bright and warm a frame is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import numpy as np

from storyengine.media.picture import Pixels
from storyengine.plan import Light
from storyengine.plan.model import Brightness, Tone
from storyengine.previz.evaluator.seeing import shrunk

Gain = tuple[float, float, float]

PLAIN: Gain = (1.0, 1.0, 1.0)
"""The even, neutral light of reference pictures."""

_EXPOSURE: dict[str, float] = {"dark": 0.52, "dim": 0.70, "even": 0.92, "bright": 1.06}
_TINT: dict[str, Gain] = {"cool": (0.95, 1.0, 1.04), "neutral": (1.0, 1.0, 0.97), "warm": (1.04, 1.0, 0.89)}


def expected_gain(light: Light) -> Gain:
    """What the light of a place makes of colours that are known from evenly lit pictures."""
    exposure, tint = _EXPOSURE[light.brightness], _TINT[light.tone]
    return (round(exposure * tint[0], 3), round(exposure * tint[1], 3), round(exposure * tint[2], 3))


@dataclass(frozen=True, eq=False)
class Exposure:
    """How a picture is lit, as a light meter would say."""

    pixels: Pixels

    @cached_property
    def _small(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return (shrunk(self.pixels, 160).reshape(-1, 3) / 255).astype(np.float32)

    @cached_property
    def level(self) -> float:
        """Mean luminance, 0…1."""
        return float((self._small @ np.array([0.2126, 0.7152, 0.0722], np.float32)).mean())

    @cached_property
    def warmth(self) -> float:
        """Logarithm of red by blue, of the middle half of the pixels; 0 is neutral."""
        ratio = np.log((self._small[:, 0] + 0.02) / (self._small[:, 2] + 0.02))
        return float(np.median(ratio))


LEVELS: dict[Brightness, float] = {"dark": 0.22, "dim": 0.35, "even": 0.52, "bright": 0.68}
"""Usual mean luminance of a frame by class."""


def brightness_classes(level: float) -> tuple[Brightness, ...]:
    """The classes that a mean luminance may be: the nearest, and its neighbour where it lies between."""
    order = sorted(get_args(Brightness), key=lambda name: abs(LEVELS[name] - level))
    near = [name for name in order if abs(LEVELS[name] - level) < abs(LEVELS[order[0]] - level) + 0.10]
    return tuple(near)


WARM, COOL = 0.16, 0.02


def tone_classes(warmth: float) -> tuple[Tone, ...]:
    """The tones that a red-by-blue ratio may be."""
    tones: list[Tone] = []
    if warmth > WARM:
        tones.append("warm")
    if COOL - 0.10 < warmth < WARM + 0.16:
        tones.append("neutral")
    if warmth < COOL + 0.06:
        tones.append("cool")
    return tuple(tones)
