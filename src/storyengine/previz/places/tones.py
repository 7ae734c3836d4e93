"""The colours of a place's fixed equipment: a small calm palette per place, so that places differ at a glance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from storyengine.previz.looks import Colour
from storyengine.previz.render import Material

_WOODS: tuple[Colour, ...] = (
    (0.66, 0.50, 0.34), (0.50, 0.36, 0.25), (0.76, 0.63, 0.45), (0.42, 0.32, 0.25), (0.60, 0.42, 0.28),
    (0.62, 0.56, 0.47),
)  # fmt: skip
_PAINTS: tuple[Colour, ...] = (
    (0.42, 0.52, 0.50), (0.62, 0.60, 0.50), (0.40, 0.46, 0.56), (0.66, 0.50, 0.42), (0.52, 0.57, 0.44),
    (0.72, 0.66, 0.54), (0.48, 0.42, 0.46), (0.58, 0.64, 0.66), (0.74, 0.72, 0.68), (0.36, 0.40, 0.38),
)  # fmt: skip
_METALS: tuple[Colour, ...] = ((0.58, 0.60, 0.61), (0.36, 0.38, 0.40), (0.48, 0.45, 0.42), (0.66, 0.66, 0.63))
_CLOTHS: tuple[Colour, ...] = (
    (0.62, 0.42, 0.36), (0.44, 0.50, 0.58), (0.68, 0.60, 0.44), (0.48, 0.54, 0.44), (0.58, 0.46, 0.54),
)  # fmt: skip
SMALL_THINGS: tuple[Colour, ...] = (
    (0.62, 0.36, 0.28), (0.36, 0.46, 0.52), (0.74, 0.62, 0.38), (0.50, 0.54, 0.40), (0.80, 0.76, 0.66),
    (0.40, 0.34, 0.32), (0.56, 0.48, 0.56), (0.66, 0.70, 0.68), (0.48, 0.40, 0.30), (0.70, 0.52, 0.42),
)  # fmt: skip
"""Muted colours of jars, books and tins: lively together, none louder than a story prop."""
IRON: Colour = (0.27, 0.28, 0.30)
STEEL: Colour = (0.60, 0.62, 0.64)
BRASS: Colour = (0.70, 0.57, 0.32)
COPPER: Colour = (0.66, 0.44, 0.33)
CREAM: Colour = (0.88, 0.84, 0.75)
DARK: Colour = (0.16, 0.16, 0.17)
SACKING: Colour = (0.70, 0.60, 0.45)
EMBER: Colour = (1.0, 0.52, 0.20)
LEAF: Colour = (0.40, 0.50, 0.31)


@dataclass(frozen=True)
class Tones:
    """A place's palette."""

    wood: Colour
    paint: Colour
    second: Colour
    metal: Colour
    cloth: Colour
    variant: int
    """Which of the renderer's tiles its materials show: one per pattern, since every tile takes time to paint."""

    def timber(self, shade: float = 1.0) -> Material:
        return Material("wood", shaded(self.wood, shade), seed=self.variant)

    def painted(self, shade: float = 1.0) -> Material:
        return Material("paint", shaded(self.paint, shade), seed=self.variant)

    def steel(self, shade: float = 1.0) -> Material:
        return Material("paint", shaded(self.metal, shade), seed=self.variant)

    def coloured(self, colour: Colour) -> Material:
        return Material("paint", colour, seed=self.variant)


def tones_of(random: np.random.Generator) -> Tones:
    paint, second = random.choice(len(_PAINTS), 2, replace=False)
    return Tones(
        wood=_WOODS[int(random.integers(len(_WOODS)))],
        paint=_PAINTS[int(paint)],
        second=_PAINTS[int(second)],
        metal=_METALS[int(random.integers(len(_METALS)))],
        cloth=_CLOTHS[int(random.integers(len(_CLOTHS)))],
        variant=int(random.integers(1 << 10)),
    )


def shaded(colour: Colour, factor: float) -> Colour:
    """Darker below 1, lighter above (towards white)."""
    if factor <= 1:
        return (colour[0] * factor, colour[1] * factor, colour[2] * factor)
    t = min(factor - 1, 1.0)
    return (colour[0] + (1 - colour[0]) * t, colour[1] + (1 - colour[1]) * t, colour[2] + (1 - colour[2]) * t)


def calm(colour: Colour, most: float = 0.26) -> Colour:
    """The colour with its spread of channels limited: surroundings stay quieter than story things."""
    spread = max(colour) - min(colour)
    if spread <= most:
        return colour
    grey, keep = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2], most / spread
    return (grey + (colour[0] - grey) * keep, grey + (colour[1] - grey) * keep, grey + (colour[2] - grey) * keep)


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """`share` of `b` in `a`."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share)


def varied(colour: Colour, random: np.random.Generator, amount: float = 0.08) -> Colour:
    """A neighbour of a colour, as two boards or stones differ."""
    return shaded(colour, 1 + float(random.uniform(-amount, amount)))


def small_thing(random: np.random.Generator) -> Colour:
    return varied(SMALL_THINGS[int(random.integers(len(SMALL_THINGS)))], random)
