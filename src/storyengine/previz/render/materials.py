"""Procedural surfaces: calm to the eye, yet with enough small marks that two views of one wall can be matched.

A pattern paints one tile of 8 × 8 metres at 256 texels a metre. It gets the two colours, a random generator and the
scale, and returns linear steps of sRGB (float32, 0…1). Contrast is kept low on purpose: neighbouring bricks differ by
a few per cent, joints by about fifteen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.errors import InputError
from storyengine.previz.render.values import Colour, Material

Image = npt.NDArray[Any]
Random = np.random.Generator

TEXELS = 256
"""Texels per metre of a tile."""
TILE_METRES = 8
SIDE = TEXELS * TILE_METRES


@lru_cache(maxsize=24)
def tile(material: Material) -> npt.NDArray[np.uint8]:
    """The tile of a material, sRGB bytes, (SIDE, SIDE, 3); it repeats without a seam."""
    paint = PATTERNS.get(material.pattern)
    if paint is None:
        known = ", ".join(sorted(PATTERNS))
        raise InputError(f"There is no surface pattern '{material.pattern}'.", next_step=f"Use one of: {known}.")
    random = np.random.default_rng([material.seed, sum(material.pattern.encode()), 7])
    first = _rgb(material.colour)
    second = _rgb(material.second) if material.second is not None else first * 0.80
    picture = paint(first, second, random, max(material.scale, 0.1))
    picture = picture * (1.0 + 0.05 * (fractal(random, 5, 3) - 0.5))[..., None]
    out = (np.clip(picture, 0.0, 1.0) * 255 + 0.5).astype(np.uint8)
    out.setflags(write=False)
    return out


@lru_cache(maxsize=48)
def tile_at(material: Material, texels: int) -> npt.NDArray[np.uint8]:
    """The tile at a coarser density: 256, 128, 64, 32 or 16 texels a metre."""
    full = tile(material)
    if texels >= TEXELS:
        return full
    side = TILE_METRES * texels
    return np.asarray(cv2.resize(full, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


# ---------------------------------------------------------------------------------------------- building blocks


def _rgb(colour: Colour) -> Image:
    return np.array(colour, np.float32)


def noise(random: Random, cells: int) -> Image:
    """Smooth noise in 0…1 with so many cells across the tile; it wraps."""
    grid = random.random((cells, cells), dtype=np.float32)
    padded = np.pad(grid, 2, mode="wrap")
    step = SIDE / cells
    grown = cv2.resize(padded, None, fx=step, fy=step, interpolation=cv2.INTER_LINEAR)
    start = round(2 * step)
    return np.asarray(grown[start : start + SIDE, start : start + SIDE], np.float32)


def fractal(random: Random, cells: int, octaves: int, fade: float = 0.55) -> Image:
    """Noise upon noise, each twice as fine; about 0…1 with mean 0.5."""
    total = np.zeros((SIDE, SIDE), np.float32)
    weight, size = 1.0, 0.0
    for _ in range(octaves):
        total += weight * noise(random, min(cells, SIDE // 2))
        size += weight
        weight *= fade
        cells *= 2
    return np.asarray(total / size, np.float32)


def mix(first: Image, second: Image, amount: Image) -> Image:
    t = np.clip(amount, 0.0, 1.0)[..., None]
    return np.asarray(first * (1 - t) + second * t, np.float32)


def _grain(random: Random, picture: Image, amount: float, cells: int = 512) -> Image:
    """Fine irregularity over everything."""
    value = 1.0 + amount * (fractal(random, cells, 2) - 0.5)
    return np.asarray(picture * value[..., None], np.float32)


def _specks(random: Random, picture: Image, count: int, size: tuple[float, float], strength: float) -> Image:
    """Small scuffs, nicks and stains, light and dark, each somewhere else: what a matcher holds on to."""
    layer = np.zeros((SIDE, SIDE), np.float32)
    xs, ys = random.integers(8, SIDE - 8, (2, count))
    long = random.uniform(size[0], size[1], count)
    round_ = random.uniform(0.25, 1.0, count)
    turn = random.uniform(0, 180, count)
    tone = random.choice(np.array([-1.0, -0.7, 0.6]), count)
    for x, y, a, r, t, v in zip(xs, ys, long, round_, turn, tone, strict=True):
        axes = (max(1, round(a)), max(1, round(a * r)))
        cv2.ellipse(layer, (int(x), int(y)), axes, float(t), 0, 360, float(v), -1, cv2.LINE_AA)
    soft = np.asarray(cv2.GaussianBlur(layer, (0, 0), 0.8))
    return np.asarray(picture * (1 + strength * soft)[..., None], np.float32)


def _cells(rows: int, columns: int, offsets: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], Image, Image]:
    """A wall of blocks: number of each texel's block, and its place inside the block (0…1 each way).

    `offsets` shifts each row by a part of a block.
    """
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / SIDE
    row = np.minimum((y * rows).astype(np.int64), rows - 1)
    along = x * columns + offsets[row].astype(np.float32)
    column = np.floor(along).astype(np.int64)
    number = row * columns + column % columns
    return number, np.asarray(along - column, np.float32), np.asarray(y * rows - row, np.float32)


def _joint(u: Image, v: Image, columns: int, rows: int, width: float, soft: float = 0.6) -> Image:
    """1 in the joints between blocks, 0 inside; `width` in metres."""
    du = np.minimum(u, 1 - u) * (TILE_METRES / columns)
    dv = np.minimum(v, 1 - v) * (TILE_METRES / rows)
    d = np.minimum(du, dv)
    return np.clip((width / 2 - d) / (width * soft / 2) + 0.5, 0, 1).astype(np.float32)


def _per_block(random: Random, number: npt.NDArray[np.int64], spread: float) -> Image:
    value = random.normal(0.0, spread, int(number.max()) + 1).astype(np.float32)
    return np.asarray(1 + np.clip(value, -2 * spread, 2 * spread)[number], np.float32)


def _round(count: float) -> int:
    return max(2, 2 * round(count / 2))


# --------------------------------------------------------------------------------------------------- patterns


def plaster(first: Image, second: Image, random: Random, scale: float) -> Image:
    picture = mix(first, second, 0.34 * fractal(random, 10, 6, 0.62) - 0.02)
    picture = _specks(random, picture, 900, (1.5, 9.0), 0.10)
    return _grain(random, picture, 0.05)


def _wall_of_blocks(
    first: Image, second: Image, random: Random, rows: int, columns: int, joint: float, spread: float
) -> Image:
    offsets = (np.arange(rows) % 2) * 0.5
    number, u, v = _cells(rows, columns, offsets)
    gap = _joint(u, v, columns, rows, joint)
    tone = _per_block(random, number, spread)
    hue = 1 + 0.35 * (np.stack([_per_block(random, number, spread) for _ in range(3)], -1) - 1)
    picture = first * tone[..., None] * hue
    picture = picture * (1 + 0.14 * (fractal(random, 64, 4) - 0.5))[..., None]
    return mix(picture, second, gap * (0.75 + 0.3 * noise(random, 256)))


def brick(first: Image, second: Image, random: Random, scale: float) -> Image:
    mortar = 0.55 * second + 0.45 * np.array([0.72, 0.70, 0.66], np.float32)
    picture = _wall_of_blocks(first, mortar, random, _round(107 / scale), _round(33 / scale), 0.011, 0.060)
    return _grain(random, _specks(random, picture, 500, (1.5, 7), 0.12), 0.05)


def stone(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Squared stones in courses of uneven length."""
    rows = _round(26 / scale)
    offsets = random.random(rows)
    number, u, v = _cells(rows, _round(16 / scale), offsets)
    wobble = 0.03 * (noise(random, 48) - 0.5)
    gap = _joint(np.clip(u + wobble, 0, 1), np.clip(v + 2 * wobble, 0, 1), _round(16 / scale), rows, 0.022, 0.9)
    picture = first * _per_block(random, number, 0.07)[..., None]
    picture = mix(picture, picture * 0.86, fractal(random, 40, 5, 0.7))
    picture = mix(picture, second, 0.8 * gap)
    return _grain(random, _specks(random, picture, 700, (2, 10), 0.10), 0.07)


def tiles(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Square tiles, 20 cm."""
    count = _round(40 / scale)
    number, u, v = _cells(count, count, np.zeros(count))
    picture = first * _per_block(random, number, 0.028)[..., None]
    picture = picture * (1 + 0.05 * (fractal(random, 30, 4) - 0.5))[..., None]
    picture = mix(picture, second, 0.8 * _joint(u, v, count, count, 0.007))
    return _grain(random, _specks(random, picture, 600, (1.2, 6), 0.10), 0.025)


def chequer(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Two colours of floor tile, 33 cm, worn."""
    count = _round(24 / scale)
    number, u, v = _cells(count, count, np.zeros(count))
    odd = ((number // count + number % count) % 2).astype(np.float32)
    picture = mix(first, second, odd) * _per_block(random, number, 0.03)[..., None]
    picture = mix(picture, picture * 0.75, 0.7 * _joint(u, v, count, count, 0.006))
    return _grain(random, _specks(random, picture, 900, (1.5, 8), 0.09), 0.04)


def _boards(first: Image, second: Image, random: Random, across: int, lengths: int, groove: float) -> Image:
    """Boards running along the tile's rows: grain, knots, grooves, a butt joint now and then."""
    number, u, v = _cells(across, lengths, random.random(across))
    tone = _per_block(random, number, 0.055)
    stretch = cv2.resize(fractal(random, 24, 5, 0.6)[:, : SIDE // 10], (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    shift = random.random(int(number.max()) + 1).astype(np.float32)[number]
    rings = 0.5 + 0.5 * np.sin((v * 9 + 14 * stretch + 6 * shift) * np.float32(np.pi))
    picture = mix(first, second, 0.10 + 0.30 * rings * (0.4 + 0.6 * stretch)) * tone[..., None]
    seam = np.maximum(
        _joint(np.full_like(u, 0.5), v, lengths, across, groove),
        _joint(u, np.full_like(v, 0.5), lengths, across, 0.005),
    )
    return np.asarray(picture * (1 - 0.42 * seam)[..., None], np.float32)


def _knots(random: Random, picture: Image, count: int) -> Image:
    layer = np.zeros((SIDE, SIDE), np.float32)
    for x, y in random.integers(16, SIDE - 16, (count, 2)):
        size = random.uniform(2.5, 6)
        cv2.ellipse(layer, (int(x), int(y)), (round(size * 1.7), round(size)), 0, 0, 360, 0.6, -1, cv2.LINE_AA)
        cv2.ellipse(layer, (int(x), int(y)), (round(size), round(size * 0.6)), 0, 0, 360, 1.0, -1, cv2.LINE_AA)
    soft = np.asarray(cv2.GaussianBlur(layer, (0, 0), 1.2))
    return np.asarray(picture * (1 - 0.22 * soft)[..., None], np.float32)


def planks(first: Image, second: Image, random: Random, scale: float) -> Image:
    """A floor of boards 14 cm wide."""
    picture = _boards(first, second, random, _round(57 / scale), 4, 0.006)
    return _grain(random, _specks(random, _knots(random, picture, 260), 600, (1.5, 9), 0.09), 0.05)


def cladding(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Overlapping outside boards, each with a thin shadow under it."""
    across = _round(44 / scale)
    picture = _boards(first, second, random, across, 3, 0.010)
    _, _, v = _cells(across, 3, np.zeros(across))
    fall = 1.03 - 0.10 * v
    return _grain(random, _knots(random, picture * fall[..., None], 200), 0.05)


def panelling(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Upright tongue-and-groove boards, 10 cm."""
    picture = np.transpose(_boards(first, second, random, _round(80 / scale), 2, 0.008), (1, 0, 2))
    return _grain(random, _specks(random, np.ascontiguousarray(picture), 500, (1.5, 7), 0.08), 0.03)


def parquet(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Squares of five staves, turned by turns."""
    count = _round(20 / scale)
    number, u, v = _cells(count, count, np.zeros(count))
    turned = (number // count + number % count) % 2 == 1
    a, b = np.where(turned, v, u), np.where(turned, u, v)
    stave = np.minimum((b * 5).astype(np.int64), 4)
    tone = _per_block(random, number * 5 + stave, 0.05)
    rings = 0.5 + 0.5 * np.sin(40 * b + 9 * fractal(random, 40, 4) + 2 * a)
    picture = mix(first, second, 0.10 + 0.22 * rings) * tone[..., None]
    seam = np.maximum(
        _joint(u, v, count, count, 0.005), _joint(np.full_like(a, 0.5), b * 5 - stave, 1, 5 * count, 0.004)
    )
    return _grain(random, _specks(random, picture * (1 - 0.32 * seam)[..., None], 500, (1.5, 7), 0.08), 0.04)


def concrete(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Poured slabs with pores and stains."""
    picture = mix(first, second, 0.55 * fractal(random, 7, 7, 0.66) - 0.05)
    count = _round(6 / scale)
    _, u, v = _cells(count, count, np.zeros(count))
    picture = picture * (1 - 0.16 * _joint(u, v, count, count, 0.010))[..., None]
    return _grain(random, _specks(random, picture, 2200, (0.8, 4.5), 0.13), 0.07)


def metal(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Painted sheet in panels with rivets."""
    rows, columns = _round(8 / scale), _round(10 / scale)
    number, u, v = _cells(rows, columns, np.zeros(rows))
    brushed = cv2.resize(noise(random, 1024)[: SIDE // 16], (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    picture = first * (_per_block(random, number, 0.02) + 0.03 * (brushed - 0.5))[..., None]
    picture = mix(picture, second, 0.7 * _joint(u, v, columns, rows, 0.008))
    layer = np.zeros((SIDE, SIDE), np.float32)
    for row in range(rows):
        for x in np.arange(12, SIDE, 30):
            for dy in (7, -7):
                centre = (int(x), int((row * SIDE / rows + dy) % SIDE))
                cv2.circle(layer, centre, 2, 1.0, -1, cv2.LINE_AA)
    picture = picture * (1 - 0.16 * layer)[..., None]
    return _specks(random, picture, 900, (1.0, 8.0), 0.09)


def corrugated(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Upright waves of sheet iron, streaked by weather."""
    waves = _round(90 / scale)
    x = np.arange(SIDE, dtype=np.float32)[None, :] / SIDE
    wave = np.sin(x * waves * 2 * np.pi).astype(np.float32)
    streak = cv2.resize(fractal(random, 80, 4)[: SIDE // 8], (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    picture = mix(first, second, 0.30 * streak + 0.16 * fractal(random, 10, 5))
    picture = picture * (1 + 0.11 * wave)[..., None]
    _, u, v = _cells(_round(4 / scale), _round(9 / scale), np.zeros(_round(4 / scale)))
    picture = picture * (1 - 0.2 * _joint(u, v, _round(9 / scale), _round(4 / scale), 0.010))[..., None]
    return _specks(random, picture, 900, (1.0, 6.0), 0.11)


def wallpaper(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Faint stripes with small sprigs, each a little different."""
    x = np.arange(SIDE, dtype=np.float32)[None, :] / SIDE
    stripe = np.broadcast_to((np.sin(x * 40 / scale * 2 * np.pi) > 0).astype(np.float32), (SIDE, SIDE))
    picture = mix(first, second, 0.10 * stripe + 0.12 * fractal(random, 12, 4))
    layer = np.zeros((SIDE, SIDE), np.float32)
    step = int(SIDE / _round(34 / scale))
    for row, y in enumerate(range(step // 2, SIDE - 8, step)):
        for x0 in range(step // 2 + (row % 2) * step // 2, SIDE - 8, step):
            jx, jy = random.integers(-3, 4, 2)
            for _ in range(4):
                angle = float(random.uniform(0, 360))
                dx, dy = random.integers(-6, 7, 2)
                axes = (int(random.integers(3, 7)), int(random.integers(1, 4)))
                cv2.ellipse(layer, (int(x0 + jx + dx), int(y + jy + dy)), axes, angle, 0, 360, 1.0, -1, cv2.LINE_AA)
    picture = mix(picture, second * 0.88, 0.55 * cv2.GaussianBlur(layer, (0, 0), 0.7))
    return _grain(random, _specks(random, picture, 400, (1.5, 8), 0.06), 0.03)


def earth(first: Image, second: Image, random: Random, scale: float) -> Image:
    picture = mix(first, second, 1.5 * fractal(random, 12, 7, 0.68) - 0.35)
    picture = _specks(random, picture, 3500, (1.0, 6.0), 0.16)
    return _grain(random, picture, 0.12)


def gravel(first: Image, second: Image, random: Random, scale: float) -> Image:
    return _pebbles(first, second, random, _round(200 / scale), 0.10)


def cobbles(first: Image, second: Image, random: Random, scale: float) -> Image:
    return _pebbles(first, second, random, _round(66 / scale), 0.075)


def _pebbles(first: Image, second: Image, random: Random, across: int, spread: float) -> Image:
    """Rounded stones on a jittered grid, each with a lit crown and a dark rim."""
    step = SIDE / across
    tone = np.full((SIDE, SIDE), 0.0, np.float32)
    body = np.zeros((SIDE, SIDE), np.float32)
    jitter = random.uniform(-0.12, 0.12, (across, across, 2))
    values = 1 + random.normal(0, spread, (across, across))
    shape = random.uniform(0.40, 0.52, (across, across, 2))
    turn = random.uniform(0, 180, (across, across))
    for i in range(across):
        for j in range(across):
            x = (j + 0.5 + (i % 2) * 0.5 + jitter[i, j, 0]) * step
            y = (i + 0.5 + jitter[i, j, 1]) * step
            axes = (max(1, round(shape[i, j, 0] * step)), max(1, round(shape[i, j, 1] * step * 0.94)))
            for wrap in (0, -SIDE):
                centre = (int(x) + wrap, int(y))
                cv2.ellipse(tone, centre, axes, float(turn[i, j]), 0, 360, float(values[i, j]), -1, cv2.LINE_AA)
                cv2.ellipse(body, centre, axes, float(turn[i, j]), 0, 360, 1.0, -1, cv2.LINE_AA)
    crown = cv2.GaussianBlur(body, (0, 0), step * 0.09)
    crown = np.clip((crown - 0.5) * 2, 0, 1) * body
    picture = mix(second * 0.86, first, 0.15 + 0.85 * crown) * np.where(tone > 0, tone, 1.0)[..., None]
    return _grain(random, picture.astype(np.float32), 0.09)


def grass(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Short blades over soft patches."""
    picture = mix(first, second, 1.3 * fractal(random, 9, 6, 0.62) - 0.25)
    layer = np.zeros((SIDE, SIDE), np.float32)
    count = 15000
    xs, ys = random.integers(0, SIDE, (2, count))
    lean = random.integers(-4, 5, count)
    long = random.integers(5, 13, count)
    tone = random.choice(np.array([-1.0, 0.8, 0.5]), count)
    for x, y, dx, dy, t in zip(xs, ys, lean, long, tone, strict=True):
        cv2.line(layer, (int(x), int(y)), (int(x + dx), int(y - dy)), float(t), 1, cv2.LINE_AA)
    return _grain(random, picture * (1 + 0.10 * layer)[..., None], 0.08)


def asphalt(first: Image, second: Image, random: Random, scale: float) -> Image:
    picture = mix(first, second, 0.9 * fractal(random, 8, 5) - 0.1)
    picture = _specks(random, picture, 6000, (0.8, 3.0), 0.16)
    return _grain(random, picture, 0.14)


def cloth(first: Image, second: Image, random: Random, scale: float) -> Image:
    """A woven rug: bands of the two colours with a fine weave."""
    y = np.arange(SIDE, dtype=np.float32)[:, None] / SIDE
    bands = np.clip(np.sin(y * 24 / scale * 2 * np.pi) * 3, -1, 1) * 0.5 + 0.5
    weave = 0.04 * ((np.indices((SIDE, SIDE)) // 3).sum(0) % 2)
    picture = mix(first, second, np.broadcast_to(bands, (SIDE, SIDE)) * 0.8 + 0.12 * fractal(random, 30, 4))
    return _grain(random, _specks(random, picture * (1 - weave)[..., None], 600, (1.5, 7), 0.07), 0.05)


def paint(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Painted wood or metal of furniture: nearly plain, with worn places."""
    picture = mix(first, second, 0.22 * fractal(random, 24, 5, 0.6))
    return _grain(random, _specks(random, picture, 1500, (1.0, 5.0), 0.08), 0.025)


def wood(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Timber of furniture: long grain, few joints."""
    picture = _boards(first, second, random, _round(34 / scale), 2, 0.003)
    return _grain(random, _knots(random, picture, 160), 0.04)


def shelves(first: Image, second: Image, random: Random, scale: float) -> Image:
    """Rows of files and jars on shelves, muted; 34 cm between shelves."""
    rows = _round(24 / scale)
    picture = np.broadcast_to(second * 0.55, (SIDE, SIDE, 3)).astype(np.float32).copy()
    step = SIDE // rows
    for row in range(rows):
        x = 4
        while x < SIDE - 24:
            width = int(random.integers(8, 26))
            top = row * step + int(random.integers(8, 30))
            tone = first * random.uniform(0.75, 1.12) + random.uniform(-0.07, 0.07, 3)
            cv2.rectangle(picture, (x, top), (x + width - 2, (row + 1) * step - 8), tone.tolist(), -1)
            label = (tone * 0.6 + 0.36).tolist()
            if width > 13:
                cv2.rectangle(picture, (x + 3, top + 12), (x + width - 6, top + 22), label, -1)
            x += width + int(random.integers(0, 2)) * int(random.integers(0, 12))
        cv2.rectangle(picture, (0, (row + 1) * step - 8), (SIDE, (row + 1) * step - 1), (second * 0.95).tolist(), -1)
    return _grain(random, picture, 0.05)


PATTERNS: dict[str, Callable[[Image, Image, Random, float], Image]] = {
    function.__name__: function
    for function in (
        plaster, brick, stone, tiles, chequer, planks, cladding, panelling, parquet, concrete, metal, corrugated,
        wallpaper, earth, gravel, cobbles, grass, asphalt, cloth, paint, wood, shelves,
    )
}  # fmt: skip
