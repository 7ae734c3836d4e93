"""What lies beyond a place: a sky with soft clouds and a far skyline, painted by direction."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.previz.render.values import Sky

Image = npt.NDArray[np.float32]

SKYLINES = ("hills", "trees", "roofs", "works", "sea", "none")
HAZE = 0.55
"""How far the skyline fades into the horizon's colour."""


def paint_sky(sky: Sky, directions: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """sRGB bytes for an (h, w, 3) field of unit directions."""
    strip = _panorama_strip(sky)
    bearing = np.arctan2(directions[..., 0], directions[..., 1])
    height = np.arcsin(np.clip(directions[..., 2], -1, 1))
    rows, columns = strip.shape[:2]
    x = ((bearing / (2 * np.pi) + 0.5) * columns - 0.5).astype(np.float32)
    y = ((0.5 - height / np.pi) * rows - 0.5).astype(np.float32)
    return np.asarray(cv2.remap(strip, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP), np.uint8)


def _panorama_strip(sky: Sky, width: int = 2048) -> npt.NDArray[np.uint8]:
    """The whole surroundings as a 2:1 picture; north is in the middle."""
    height = width // 2
    random = np.random.default_rng([sky.seed, 91])
    zenith, horizon, ground = (np.array(c, np.float32) for c in (sky.zenith, sky.horizon, sky.ground))
    up = np.linspace(np.pi / 2, -np.pi / 2, height, dtype=np.float32)[:, None, None]
    rise = np.clip(np.sin(up), 0, 1) ** 0.55
    picture = np.broadcast_to(horizon * (1 - rise) + zenith * rise, (height, width, 3)).astype(np.float32).copy()
    _add_clouds(picture, sky, random, up[..., 0])
    below = up[..., 0] < 0
    depth = np.clip(-np.sin(up) * 6, 0, 1)
    land = horizon * (1 - HAZE) * (1 - depth) + ground * (HAZE * (1 - depth) + depth)
    picture = np.where(below[..., None], np.broadcast_to(land, picture.shape), picture)
    _add_skyline(picture, sky, random)
    return (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)


def _ridge(random: np.random.Generator, width: int, waves: tuple[int, ...], height: float) -> Image:
    """A smooth closed line of hills, in radians above the horizon."""
    angle = np.linspace(0, 2 * np.pi, width, endpoint=False)
    line = np.zeros(width)
    for count in waves:
        line += np.sin(angle * count + random.uniform(0, 7)) / count**0.7
    line = (line - line.min()) / max(float(np.ptp(line)), 1e-9)
    return np.asarray(height * (0.25 + 0.75 * line), np.float32)


def _add_clouds(picture: Image, sky: Sky, random: np.random.Generator, up: Image) -> None:
    if sky.clouds <= 0:
        return
    height, width = picture.shape[:2]
    total = np.zeros((height, width), np.float32)
    weight = 1.0
    for cells in (5, 10, 21, 43, 86):
        grid = random.random((cells, cells * 2), dtype=np.float32)
        padded = np.hstack([grid[:, -1:], grid, grid[:, :1]])
        wide = cv2.resize(padded, (round(width * (cells * 2 + 2) / (cells * 2)), height), interpolation=cv2.INTER_CUBIC)
        start = (wide.shape[1] - width) // 2
        total += weight * wide[:, start : start + width]
        weight *= 0.55
    total = (total - total.min()) / max(float(np.ptp(total)), 1e-9)
    cover = np.clip((total - (0.72 - 0.35 * sky.clouds)) * 3.2, 0, 1) * np.clip(np.sin(up) * 5, 0, 1) * 0.75
    picture += cover[..., None] * (np.array([0.97, 0.97, 0.97], np.float32) - picture)


def _add_skyline(picture: Image, sky: Sky, random: np.random.Generator) -> None:
    if sky.skyline == "none":
        return
    height, width = picture.shape[:2]
    horizon, ground = np.array(sky.horizon, np.float32), np.array(sky.ground, np.float32)
    rows = np.arange(height)[:, None]
    middle = height / 2
    for layer, (haze, size) in enumerate(((0.62, 0.105), (0.42, 0.065), (0.22, 0.030))):
        top = _layer_line(sky.skyline, random, width, size, layer)
        if top is None:
            continue
        tone = horizon * haze + ground * (1 - haze) * (0.94 - 0.06 * layer)
        inside = (rows > middle - top[None, :] / np.pi * height) & (rows <= middle + 3)
        coarse = cv2.GaussianBlur(random.random((height // 4, width // 4), dtype=np.float32), (0, 0), 1)
        fine = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR))
        grain = 1 + 0.06 * (fine - 0.5)
        picture[:] = np.where(inside[..., None], tone * grain[..., None], picture)


def _layer_line(kind: str, random: np.random.Generator, width: int, size: float, layer: int) -> Image | None:
    if kind == "hills":
        return _ridge(random, width, (2 + layer, 5 + layer, 11, 17), size)
    if kind == "sea":
        return _ridge(random, width, (2, 5, 9), size * 0.4) if layer == 0 else None
    base = _ridge(random, width, (2, 5, 9), size * 0.5)
    if kind == "trees":
        crowns = np.abs(np.sin(np.cumsum(random.uniform(0.02, 0.16, width)))) ** 0.7
        return np.asarray(base + size * 0.9 * crowns * random.uniform(0.7, 1.0), np.float32)
    return base + _blocks(random, width, size * (1.3 if kind == "works" else 0.9), chimneys=kind == "works")


def _blocks(random: np.random.Generator, width: int, size: float, *, chimneys: bool) -> Image:
    """Roofs: blocks with gables, and for works a tall chimney now and then."""
    line = np.zeros(width, np.float32)
    x = 0
    while x < width:
        w = int(random.integers(18, 60))
        level = size * random.uniform(0.35, 1.0)
        span = np.arange(min(w, width - x))
        gable = size * 0.35 * (1 - np.abs(span / max(w - 1, 1) * 2 - 1)) if random.random() < 0.7 else 0.0
        line[x : x + len(span)] = level + gable
        if chimneys and random.random() < 0.25:
            line[x + 4 : x + 9] = size * 2.1
        x += w
    return line
