"""Cloth: small repeating pictures for checks, stripes, dots and weaves, shared by everything that wears them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from storyengine.previz.looks import Colour, Garment, Pattern
from storyengine.previz.render.values import Texture

SIDE = 64
_KNITTED = ("jumper", "cardigan", "woolly hat", "scarf", "fingerless gloves")
_SMOOTH = ("leather apron", "raincoat", "oilskin", "hard hat", "boots", "shoes", "clogs", "waders", "belt", "goggles",
           "spectacles")  # fmt: skip


def cloth_of(garment: Garment) -> tuple[Texture | None, Colour]:
    """The picture of a garment's cloth, and the face colour that multiplies it."""
    if garment.pattern != "plain":
        return _pattern(garment.pattern, garment.colour, garment.second), (1.0, 1.0, 1.0)
    if garment.kind in _SMOOTH:
        return None, garment.colour
    return _weave(garment.kind in _KNITTED), garment.colour


@lru_cache(maxsize=4)
def _weave(knitted: bool) -> Texture:
    z, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    rng = np.random.default_rng(4)
    if knitted:
        ribs = np.abs(np.sin(x * np.pi * 12)) ** 0.6
        loops = 0.5 + 0.5 * np.sin(z * np.pi * 24 + np.abs(np.sin(x * np.pi * 12)) * 2.5)
        grey = 0.84 + 0.12 * ribs + 0.04 * loops
    else:
        grain = rng.uniform(0, 1, (SIDE, SIDE))
        soft = (grain + np.roll(grain, 1, 0) + np.roll(grain, 2, 0) + np.roll(grain, 1, 1)) / 4
        folds = 0.5 + 0.5 * np.sin((x * 2 + 0.18 * np.sin(z * 2 * np.pi)) * 2 * np.pi)
        grey = 0.94 + 0.05 * soft - 0.03 * folds
    return Texture(np.repeat((np.clip(grey, 0, 1) * 255).astype(np.uint8)[..., None], 3, axis=2))


@lru_cache(maxsize=256)
def _pattern(pattern: Pattern, colour: Colour, second: Colour) -> Texture:
    z, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    if pattern == "checked":
        across, down = (x * 4 % 1) < 0.5, (z * 4 % 1) < 0.5
        share = 0.5 * across + 0.5 * down
    elif pattern == "striped":
        share = ((x * 5 % 1) < 0.42).astype(float)
    else:
        dx, dz = (x * 4 % 1) - 0.5, (z * 4 % 1) - 0.5
        share = (np.hypot(dx, dz) < 0.27).astype(float)
    a, b = np.array(colour), np.array(second)
    picture = a * (1 - share[..., None]) + b * share[..., None]
    return Texture((np.clip(picture, 0, 1) * 255).astype(np.uint8))
