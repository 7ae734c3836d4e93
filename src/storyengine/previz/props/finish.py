"""What surfaces are like close up: grain, weave, brush marks, patterns. Small repeating textures, painted once."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from storyengine.previz.looks import Colour, Pattern, Surface
from storyengine.previz.render import Mesh, Texture
from storyengine.previz.render.values import Floats

SIDE = 64


def finished(mesh: Mesh, surface: Surface, pattern: Pattern = "plain", second: Colour = (1, 1, 1)) -> Mesh:
    """The mesh with the texture of its surface; a pattern in two colours beats the surface's own grain."""
    if pattern != "plain":
        first = tuple(float(c) for c in mesh.colours[0])
        return mesh.painted((1.0, 1.0, 1.0)).textured(_pattern(pattern, (first[0], first[1], first[2]), second))
    paint = _GRAINS.get(surface)
    return mesh if paint is None else mesh.textured(_grain(paint), _REPEATS.get(paint, (1.0, 1.0)))


@lru_cache(maxsize=64)
def _grain(name: str) -> Texture:
    random = np.random.default_rng(sum(name.encode()))
    values = _PAINTERS[name](random)
    return Texture((np.clip(values, 0, 1)[..., None] * np.ones(3) * 255 + 0.5).astype(np.uint8))


def _smooth(random: np.random.Generator, across: float, down: float) -> Floats:
    """Wrapping noise, blurred by so many texels each way, 0…1."""
    raw = random.random((SIDE, SIDE))
    tiled = np.tile(raw, (3, 3))
    blurred = cv2.GaussianBlur(tiled, (0, 0), sigmaX=max(across, 0.3), sigmaY=max(down, 0.3))
    middle = blurred[SIDE : 2 * SIDE, SIDE : 2 * SIDE]
    return np.asarray((middle - middle.min()) / max(float(np.ptp(middle)), 1e-9))


def _wood(random: np.random.Generator) -> Floats:
    return 0.84 + 0.16 * _smooth(random, 1.1, 14)


def _brushed(random: np.random.Generator) -> Floats:
    return 0.90 + 0.10 * _smooth(random, 12, 0.8)


def _weave(_: np.random.Generator) -> Floats:
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    over = ((x // 4 + y // 4) % 2) == 0
    rounded = np.where(over, np.sin((x % 4 + 0.5) / 4 * np.pi), np.sin((y % 4 + 0.5) / 4 * np.pi))
    return np.asarray(0.82 + 0.18 * rounded)


def _wicker(_: np.random.Generator) -> Floats:
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    shifted = (x + np.where((y // 8) % 2 == 0, 0, 8)) % 16
    strand = np.sin((y % 8 + 0.5) / 8 * np.pi) * (0.55 + 0.45 * np.sin((shifted + 0.5) / 16 * np.pi))
    return np.asarray(0.52 + 0.48 * strand)


def _mottled(random: np.random.Generator) -> Floats:
    return 0.84 + 0.16 * _smooth(random, 3, 3)


def _masonry(random: np.random.Generator) -> Floats:
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    row = y // 8
    joint = (y % 8 == 0) | ((x + (row % 2) * 8) % 16 == 0)
    tone = random.random((SIDE // 8, 8))[row % 8, ((x + (row % 2) * 8) // 16) % 4]
    return np.asarray(np.where(joint, 0.72, 0.86 + 0.14 * tone))


def _twist(_: np.random.Generator) -> Floats:
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    return np.asarray(0.72 + 0.28 * np.abs(np.sin((x + y * 2) / 16 * np.pi)))


_PAINTERS = {
    "wood": _wood, "brushed": _brushed, "weave": _weave, "wicker": _wicker, "mottled": _mottled, "masonry": _masonry,
    "twist": _twist,
}  # fmt: skip
_GRAINS: dict[Surface, str] = {
    "wood": "wood", "steel": "brushed", "iron": "mottled", "brass": "brushed", "copper": "brushed", "stone": "mottled",
    "clay": "mottled", "cloth": "weave", "canvas": "weave", "leather": "mottled", "wool": "weave", "wicker": "wicker",
    "rope": "twist",
}  # fmt: skip


# Weaves are fine: many threads across a face.
_REPEATS: dict[str, tuple[float, float]] = {"weave": (4.0, 4.0)}


@lru_cache(maxsize=64)
def masonry() -> Texture:
    """Bricks in running bond; eight courses."""
    return _grain("masonry")


@lru_cache(maxsize=256)
def _pattern(pattern: Pattern, first: Colour, second: Colour) -> Texture:
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    if pattern == "checked":
        mask = 0.5 * ((x // 16) % 2) + 0.5 * ((y // 16) % 2)
    elif pattern == "striped":
        mask = (((x + y) // 16) % 2).astype(float)
    else:
        mask = (((x % 32) - 16) ** 2 + ((y % 32) - 16) ** 2 < 64).astype(float)
    picture = np.array(first) * (1 - mask[..., None]) + np.array(second) * mask[..., None]
    return Texture((np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8))


@lru_cache(maxsize=8)
def dirt(level: int) -> Texture:
    """Mud in blotches; level 1 to 4 covers more."""
    random = np.random.default_rng(11)
    field = 0.65 * _smooth(random, 6, 6) + 0.35 * _smooth(random, 2, 2)
    cover = np.clip((field - (0.72 - 0.13 * level)) * 9, 0, 1)[..., None]
    picture = np.ones(3) * (1 - cover) + np.array([0.40, 0.30, 0.20]) * cover
    return Texture((picture * 255 + 0.5).astype(np.uint8))


@lru_cache(maxsize=8)
def water(level: int) -> Texture:
    """Dark wet streaks with bright drops running down."""
    random = np.random.default_rng(12)
    streaks = np.clip((_smooth(random, 1.6, 16) - 0.42) * 4, 0, 1)[..., None] * (level / 4)
    drops = np.clip((_smooth(random, 0.8, 2.5) - 0.78) * 9, 0, 1)[..., None] * (level / 4)
    picture = np.ones(3) * (1 - streaks) + np.array([0.42, 0.50, 0.60]) * streaks
    picture = picture * (1 - drops) + np.array([0.92, 0.97, 1.0]) * drops
    return Texture((picture * 255 + 0.5).astype(np.uint8))
