"""Procedural surfaces: calm to the eye, yet with enough small marks that two views of one wall can be matched.

A pattern paints one tile of 8 × 8 metres at 256 texels a metre, without colours: for each texel how much of the second
colour shows (`amount`, 0…1), how light or dark it is (`shade`, about 1), and whether it leans to warm or cold (`hue`,
-1…1). The same tile serves every colour of the pattern. Contrast is kept low on purpose: neighbouring bricks differ
by a few per cent, joints by about fifteen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.errors import InputError
from storyengine.previz.render.values import Material

Map = npt.NDArray[np.float32]
Random = np.random.Generator
Layers = tuple[Map, Map] | tuple[Map, Map, Map]
"""amount, shade and, where the pattern has one, hue."""

TEXELS = 256
"""Texels per metre of a tile."""
TILE_METRES = 8
SIDE = TEXELS * TILE_METRES
MOTTLING = {
    "wood": 0.34,
    "paint": 0.32,
    "cloth": 0.34,
    "planks": 0.34,
    "parquet": 0.34,
    "shelves": 0.12,
    "gravel": 0.12,
}
"""Strength of a place's mottling on a pattern, where not the usual one."""
USUAL_MOTTLING = 0.26
VARIANTS = 16
"""Different tiles of one pattern; the place and the material's seed choose."""


@lru_cache(maxsize=32)
def _tile(pattern: str, scale: float, variant: int) -> npt.NDArray[np.uint8]:
    paint = PATTERNS.get(pattern)
    if paint is None:
        known = ", ".join(sorted(PATTERNS))
        raise InputError(f"There is no surface pattern '{pattern}'.", next_step=f"Use one of: {known}.")
    random = np.random.default_rng([variant, sum(pattern.encode()), 7])
    layers = paint(random, max(scale, 0.1))
    out = np.full((SIDE, SIDE, 3), 128, np.uint8)
    out[..., 0] = _bytes(layers[0] * 255)
    patina = 1 + 0.05 * (fractal(random, 5, 3) - 0.5)
    out[..., 1] = _bytes(layers[1] * patina * 128)
    if len(layers) == 3:
        out[..., 2] = _bytes(128 + 127 * layers[2])
    out.setflags(write=False)
    return out


def _bytes(values: Map) -> npt.NDArray[np.uint8]:
    return np.asarray(np.clip(values + 0.5, 0, 255), np.uint8)


@lru_cache(maxsize=64)
def _made(pattern: str, scale: float, variant: int, texels: int, turned: bool) -> npt.NDArray[np.uint8]:
    """A tile made coarser, or with its grain upright."""
    if turned:
        return np.ascontiguousarray(_at(pattern, scale, variant, texels, turned=False).transpose(1, 0, 2))
    side = TILE_METRES * texels
    return np.asarray(cv2.resize(_tile(pattern, scale, variant), (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def _at(pattern: str, scale: float, variant: int, texels: int, *, turned: bool) -> npt.NDArray[np.uint8]:
    if texels >= TEXELS and not turned:
        return _tile(pattern, scale, variant)
    return _made(pattern, scale, variant, texels, turned)


def tile_at(material: Material, texels: int = TEXELS, place: int = 0, *, turned: bool = False) -> npt.NDArray[np.uint8]:
    """The tile of a material at 256, 128, 64, 32 or 16 texels a metre: amount, shade and hue as bytes.

    `place` is the seed of the room it is used in; a `turned` tile has its grain upright.
    """
    variant = (material.seed + place) % VARIANTS
    return _at(material.pattern, round(material.scale, 2), variant, texels, turned=turned)


@lru_cache(maxsize=24)
def mottling(place: int, texels: int = TEXELS) -> npt.NDArray[np.uint8]:
    """Soft blotches of 2 to 6 cm, 128 in the middle, that belong to one place alone: it can be told by them."""
    if texels < TEXELS:
        side = TILE_METRES * texels
        return np.asarray(cv2.resize(mottling(place), (side, side), interpolation=cv2.INTER_AREA), np.uint8)
    random = np.random.default_rng([abs(place), 31])
    return _bytes(_f(256 * fractal(random, 120, 3, 0.75)))


def mottling_strength(material: Material) -> float:
    return MOTTLING.get(material.pattern, USUAL_MOTTLING)


# ---------------------------------------------------------------------------------------------- building blocks


def noise(random: Random, cells: int) -> Map:
    """Smooth noise in 0…1 with so many cells across the tile; it wraps."""
    grid = random.random((cells, cells), dtype=np.float32)
    padded = np.pad(grid, 2, mode="wrap")
    step = SIDE / cells
    side = round((cells + 4) * step)
    grown = cv2.resize(padded, (side, side), interpolation=cv2.INTER_LINEAR)
    start = round(2 * step)
    return np.asarray(grown[start : start + SIDE, start : start + SIDE], np.float32)


def fractal(random: Random, cells: int, octaves: int, fade: float = 0.55) -> Map:
    """Noise upon noise, each twice as fine; about 0…1 with mean 0.5."""
    total: Map = np.zeros((SIDE, SIDE), np.float32)
    weight, size = 1.0, 0.0
    for _ in range(octaves):
        total += np.float32(weight) * noise(random, min(cells, SIDE // 2))
        size += weight
        weight *= fade
        cells *= 2
    total /= np.float32(size)
    return total


def _f(value: Any) -> Map:
    return np.asarray(value, np.float32)


def _grain(random: Random, amount: float, cells: int = 512) -> Map:
    """Fine irregularity around 1."""
    return _f(1.0 + amount * (fractal(random, cells, 2) - 0.5))


def _specks(random: Random, count: int, size: tuple[float, float], strength: float) -> Map:
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
    return _f(1 + strength * np.asarray(cv2.GaussianBlur(layer, (0, 0), 1.0)))


class _Blocks:
    """A wall of blocks: rows × columns over the tile, each row shifted by `offsets` of a block."""

    def __init__(self, rows: int, columns: int, offsets: npt.NDArray[Any] | None = None) -> None:
        self.rows, self.columns = rows, columns
        line = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE
        row = np.minimum((line * rows).astype(np.int64), rows - 1)
        shift = np.zeros(rows) if offsets is None else offsets
        along = _f(line[None, :] * columns + shift[row][:, None].astype(np.float32))
        column = np.floor(along)
        self.u = _f(along - column)
        self.v = _f(np.broadcast_to((line * rows - row)[:, None], (SIDE, SIDE)))
        self.number = (row * columns)[:, None] + column.astype(np.int64) % columns

    def joint(self, width: float, *, across: bool = True, along: bool = True, soft: float = 0.6) -> Map:
        """1 in the joints between blocks, 0 inside; `width` in metres."""
        d = np.full((SIDE, SIDE), 1.0, np.float32)
        if across:
            d = _f(np.minimum(d, np.minimum(self.u, 1 - self.u) * (TILE_METRES / self.columns)))
        if along:
            d = _f(np.minimum(d, np.minimum(self.v, 1 - self.v) * (TILE_METRES / self.rows)))
        return _f(np.clip((width / 2 - d) / (width * soft / 2) + 0.5, 0, 1))

    def each(self, random: Random, spread: float) -> Map:
        """One number per block around 1."""
        value = random.normal(0.0, spread, self.rows * self.columns).astype(np.float32)
        return _f(1 + np.clip(value, -2 * spread, 2 * spread)[self.number])


def _even(count: float) -> int:
    return max(2, 2 * round(count / 2))


# --------------------------------------------------------------------------------------------------- patterns


def plaster(random: Random, scale: float) -> Layers:
    amount = 0.34 * fractal(random, 10, 6, 0.62)
    marks = _specks(random, 2600, (0.8, 3.2), 0.07) * _specks(random, 160, (4.0, 12.0), 0.022)
    return _f(amount), _f(marks * _grain(random, 0.05))


def brick(random: Random, scale: float) -> Layers:
    rows = _even(107 / scale)
    blocks = _Blocks(rows, _even(33 / scale), (np.arange(rows) % 2) * 0.5)
    joint = blocks.joint(0.011) * (0.7 + 0.3 * noise(random, 256))
    shade = (
        blocks.each(random, 0.05) * (1 + 0.14 * (fractal(random, 64, 4) - 0.5)) * _specks(random, 500, (1.5, 7), 0.1)
    )
    return _f(joint), _f(np.where(joint > 0.5, 1.0, shade)), _f((blocks.each(random, 0.22) - 1) * (1 - joint))


def stone(random: Random, scale: float) -> Layers:
    """Squared stones in courses."""
    rows, columns = _even(26 / scale), _even(16 / scale)
    blocks = _Blocks(rows, columns, random.random(rows))
    wobble = _f(0.05 * (noise(random, 48) - 0.5))
    blocks.u = _f(np.clip(blocks.u + wobble, 0, 1))
    blocks.v = _f(np.clip(blocks.v + 2 * wobble, 0, 1))
    shade = blocks.each(random, 0.06) * (1.07 - 0.16 * fractal(random, 40, 5, 0.7))
    shade = shade * _specks(random, 700, (2, 10), 0.09) * _grain(random, 0.06)
    return _f(0.8 * blocks.joint(0.022, soft=0.9)), _f(shade), _f(blocks.each(random, 0.16) - 1)


def tiles(random: Random, scale: float) -> Layers:
    """Square tiles, 20 cm."""
    blocks = _Blocks(_even(40 / scale), _even(40 / scale))
    shade = blocks.each(random, 0.026) * (1 + 0.05 * (fractal(random, 30, 4) - 0.5))
    return _f(0.8 * blocks.joint(0.007)), _f(shade * _specks(random, 600, (1.2, 6), 0.09) * _grain(random, 0.025))


def chequer(random: Random, scale: float) -> Layers:
    """Two colours of floor tile, 33 cm, worn."""
    blocks = _Blocks(_even(24 / scale), _even(24 / scale))
    odd = (blocks.number // blocks.columns + blocks.number % blocks.columns) % 2
    shade = blocks.each(random, 0.03) * (1 - 0.2 * blocks.joint(0.006)) * _specks(random, 900, (1.5, 8), 0.08)
    return _f(odd), _f(shade * _grain(random, 0.04))


def _boards(random: Random, across: int, lengths: int, groove: float) -> tuple[Map, Map]:
    """Boards running along the tile's rows: grain, grooves, a butt joint now and then."""
    blocks = _Blocks(across, lengths, random.random(across))
    narrow = fractal(random, 24, 5, 0.6)[:, : SIDE // 10]
    stretch = _f(cv2.resize(narrow, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR))
    shift = random.random(across * lengths).astype(np.float32)[blocks.number]
    rings = 0.5 + 0.5 * np.sin((blocks.v * 9 + 14 * stretch + 6 * shift) * np.float32(np.pi))
    seam = np.maximum(blocks.joint(groove, across=False), blocks.joint(0.005, along=False))
    return _f(0.10 + 0.30 * rings * (0.4 + 0.6 * stretch)), _f(blocks.each(random, 0.05) * (1 - 0.36 * seam))


def _knots(random: Random, count: int) -> Map:
    layer = np.zeros((SIDE, SIDE), np.float32)
    for x, y in random.integers(16, SIDE - 16, (count, 2)):
        size = random.uniform(2.5, 6)
        cv2.ellipse(layer, (int(x), int(y)), (round(size * 1.7), round(size)), 0, 0, 360, 0.6, -1, cv2.LINE_AA)
        cv2.ellipse(layer, (int(x), int(y)), (round(size), round(size * 0.6)), 0, 0, 360, 1.0, -1, cv2.LINE_AA)
    return _f(1 - 0.22 * np.asarray(cv2.GaussianBlur(layer, (0, 0), 1.2)))


def planks(random: Random, scale: float) -> Layers:
    """A floor of boards 14 cm wide."""
    amount, shade = _boards(random, _even(57 / scale), 4, 0.006)
    return amount, _f(shade * _knots(random, 260) * _specks(random, 600, (1.5, 9), 0.08) * _grain(random, 0.05))


def cladding(random: Random, scale: float) -> Layers:
    """Overlapping outside boards, each with a thin shadow under it."""
    across = _even(44 / scale)
    amount, shade = _boards(random, across, 3, 0.010)
    line = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE * across
    fall = _f(1.04 - 0.11 * (line - np.floor(line)))[:, None]
    return amount, _f(shade * fall * _knots(random, 200) * _grain(random, 0.05))


def panelling(random: Random, scale: float) -> Layers:
    """Upright tongue-and-groove boards, 10 cm."""
    amount, shade = _boards(random, _even(80 / scale), 2, 0.008)
    return _f(0.6 * amount.T), _f(shade.T * _specks(random, 500, (1.5, 7), 0.07) * _grain(random, 0.03))


def parquet(random: Random, scale: float) -> Layers:
    """Squares of five staves, turned by turns."""
    count = _even(20 / scale)
    blocks = _Blocks(count, count)
    turned = (blocks.number // count + blocks.number % count) % 2 == 1
    a, b = np.where(turned, blocks.v, blocks.u), np.where(turned, blocks.u, blocks.v)
    stave = np.minimum((b * 5).astype(np.int64), 4)
    tone = 1 + np.clip(random.normal(0, 0.05, count * count * 5), -0.1, 0.1)[blocks.number * 5 + stave]
    rings = 0.5 + 0.5 * np.sin(40 * b + 9 * fractal(random, 40, 4) + 2 * a)
    inside = b * 5 - stave
    gap = np.clip((0.004 / 2 - np.minimum(inside, 1 - inside) * TILE_METRES / (5 * count)) / 0.0012 + 0.5, 0, 1)
    seam = np.maximum(blocks.joint(0.005), gap)
    return _f(0.10 + 0.22 * rings), _f(tone * (1 - 0.3 * seam) * _specks(random, 500, (1.5, 7), 0.07))


def concrete(random: Random, scale: float) -> Layers:
    """Poured slabs with pores and stains."""
    count = _even(6 / scale)
    shade = (1 - 0.15 * _Blocks(count, count).joint(0.010)) * _specks(random, 2200, (0.8, 4.5), 0.12)
    return _f(0.55 * fractal(random, 7, 7, 0.66)), _f(shade * _grain(random, 0.06))


def metal(random: Random, scale: float) -> Layers:
    """Painted sheet in panels with rivets."""
    blocks = _Blocks(_even(8 / scale), _even(10 / scale))
    brushed = _f(cv2.resize(noise(random, 1024)[: SIDE // 16], (SIDE, SIDE), interpolation=cv2.INTER_LINEAR))
    rivets = np.zeros((SIDE, SIDE), np.float32)
    for row in range(blocks.rows):
        for x in range(12, SIDE, 30):
            for dy in (7, -7):
                centre = (x, int((row * SIDE / blocks.rows + dy) % SIDE))
                cv2.circle(rivets, centre, 2, 1.0, -1, cv2.LINE_AA)
    shade = (blocks.each(random, 0.02) + 0.03 * (brushed - 0.5)) * (1 - 0.16 * rivets)
    return _f(0.7 * blocks.joint(0.008)), _f(shade * _specks(random, 900, (1.0, 8.0), 0.08))


def corrugated(random: Random, scale: float) -> Layers:
    """Upright waves of sheet iron, streaked by weather."""
    x = np.arange(SIDE, dtype=np.float32) / SIDE
    wave = _f(np.sin(x * _even(90 / scale) * 2 * np.pi))[None, :]
    streak = _f(cv2.resize(fractal(random, 80, 4)[: SIDE // 8], (SIDE, SIDE), interpolation=cv2.INTER_LINEAR))
    sheets = _Blocks(_even(4 / scale), _even(9 / scale))
    shade = (1 + 0.10 * wave) * (1 - 0.2 * sheets.joint(0.010)) * _specks(random, 900, (1.0, 6.0), 0.10)
    return _f(0.36 * streak + 0.2 * fractal(random, 10, 5)), _f(shade)


def wallpaper(random: Random, scale: float) -> Layers:
    """Faint stripes with small sprigs, each a little different."""
    x = np.arange(SIDE, dtype=np.float32) / SIDE
    stripe = _f(np.sin(x * round(40 / scale) * 2 * np.pi) > 0)[None, :]
    layer = np.zeros((SIDE, SIDE), np.float32)
    step = int(SIDE / _even(34 / scale))
    for row, y in enumerate(range(step // 2, SIDE - 8, step)):
        for x0 in range(step // 2 + (row % 2) * step // 2, SIDE - 8, step):
            for dx, dy, a, b, angle in random.uniform((-8, -8, 3, 1, 0), (8, 8, 7, 3.5, 360), (4, 5)):
                at = (int(x0 + dx), int(y + dy))
                cv2.ellipse(layer, at, (int(a), int(b)), float(angle), 0, 360, 1.0, -1, cv2.LINE_AA)
    sprigs = _f(cv2.GaussianBlur(layer, (0, 0), 0.7))
    amount = 0.12 * stripe + 0.14 * fractal(random, 12, 4) + 0.62 * sprigs
    return _f(np.clip(amount, 0, 1)), _f(_specks(random, 400, (1.5, 8), 0.05) * _grain(random, 0.03))


def earth(random: Random, scale: float) -> Layers:
    amount = np.clip(1.5 * fractal(random, 12, 7, 0.68) - 0.3, 0, 1)
    return _f(amount), _f(_specks(random, 3500, (1.0, 6.0), 0.14) * _grain(random, 0.12))


def gravel(random: Random, scale: float) -> Layers:
    return _pebbles(random, _even(200 / scale), 0.09)


def cobbles(random: Random, scale: float) -> Layers:
    return _pebbles(random, _even(66 / scale), 0.065)


def _pebbles(random: Random, across: int, spread: float) -> Layers:
    """Rounded stones on a jittered grid, each with a lit crown and a dark rim."""
    step = SIDE / across
    tone, body = np.ones((SIDE, SIDE), np.float32), np.zeros((SIDE, SIDE), np.float32)
    jitter = random.uniform(-0.12, 0.12, (across, across, 2))
    values = 1 + random.normal(0, spread, (across, across))
    shape = random.uniform(0.40, 0.52, (across, across, 2))
    turn = random.uniform(0, 180, (across, across))
    for i in range(across):
        for j in range(across):
            x = (j + 0.5 + (i % 2) * 0.5 + jitter[i, j, 0]) * step
            y = (i + 0.5 + jitter[i, j, 1]) * step
            axes = (max(1, round(shape[i, j, 0] * step)), max(1, round(shape[i, j, 1] * step * 0.94)))
            for left in (int(x), int(x) - SIDE) if x > SIDE - step else (int(x),):
                angle = float(turn[i, j])
                cv2.ellipse(tone, (left, int(y)), axes, angle, 0, 360, float(values[i, j]), -1, cv2.LINE_AA)
                cv2.ellipse(body, (left, int(y)), axes, angle, 0, 360, 1.0, -1, cv2.LINE_AA)
    soft = _f(cv2.GaussianBlur(body, (0, 0), step * 0.09))
    crown = np.clip((soft - 0.5) * 2, 0, 1) * body
    return _f(0.85 * (1 - crown)), _f(tone * _grain(random, 0.09))


def grass(random: Random, scale: float) -> Layers:
    """Short blades over soft patches."""
    layer = np.zeros((SIDE, SIDE), np.float32)
    count = 12000
    blades = random.integers((0, 0, -4, 5), (SIDE, SIDE, 5, 13), (count, 4))
    tone = random.choice(np.array([-1.0, 0.8, 0.5]), count)
    for (x, y, dx, dy), t in zip(blades.tolist(), tone.tolist(), strict=True):
        cv2.line(layer, (x, y), (x + dx, y - dy), t, 1, cv2.LINE_AA)
    amount = np.clip(1.3 * fractal(random, 9, 6, 0.62) - 0.2, 0, 1)
    return _f(amount), _f((1 + 0.10 * layer) * _grain(random, 0.08))


def asphalt(random: Random, scale: float) -> Layers:
    return _f(0.9 * fractal(random, 8, 5)), _f(_specks(random, 5000, (0.8, 3.0), 0.15) * _grain(random, 0.13))


def cloth(random: Random, scale: float) -> Layers:
    """A woven rug: bands of the two colours with a fine weave."""
    y = np.arange(SIDE, dtype=np.float32) / SIDE
    bands = _f(np.clip(np.sin(y * round(24 / scale) * 2 * np.pi) * 3, -1, 1) * 0.5 + 0.5)[:, None]
    n = np.arange(SIDE) // 3
    weave = 1 - 0.04 * ((n[:, None] + n[None, :]) % 2)
    amount = 0.8 * bands + 0.16 * fractal(random, 30, 4)
    return _f(np.clip(amount, 0, 1)), _f(weave * _specks(random, 600, (1.5, 7), 0.06) * _grain(random, 0.05))


def paint(random: Random, scale: float) -> Layers:
    """Painted wood or metal of furniture: nearly plain, with worn places."""
    return _f(0.22 * fractal(random, 24, 5, 0.6)), _specks(random, 1500, (1.0, 5.0), 0.07) * _grain(random, 0.025)


def wood(random: Random, scale: float) -> Layers:
    """Timber of furniture: long grain, few joints."""
    amount, shade = _boards(random, _even(34 / scale), 2, 0.003)
    return amount, _f(shade * _knots(random, 160) * _grain(random, 0.04))


def shelves(random: Random, scale: float) -> Layers:
    """Rows of files and jars on shelves, muted; 34 cm between shelves."""
    rows = _even(24 / scale)
    amount, shade = np.ones((SIDE, SIDE), np.float32), np.full((SIDE, SIDE), 0.70, np.float32)
    hue = np.zeros((SIDE, SIDE), np.float32)
    step = SIDE // rows
    for row in range(rows):
        x = 4
        while x < SIDE - 30:
            width = int(random.integers(8, 26))
            top, left, right = row * step + int(random.integers(8, 30)), x, x + width - 2
            bottom = (row + 1) * step - 8
            mixed, tone, lean = random.uniform((0.35, 0.86, -0.5), (0.8, 1.0, 0.5))
            for layer, value in ((amount, mixed), (shade, tone), (hue, lean)):
                layer[top:bottom, left:right] = value
            if width > 13:
                amount[top + 12 : top + 22, left + 3 : right - 3] = 0.25
                shade[top + 12 : top + 22, left + 3 : right - 3] = tone * 1.04
            x += width + int(random.integers(0, 2)) * int(random.integers(0, 12))
        shade[(row + 1) * step - 8 : (row + 1) * step] = 0.95
        amount[(row + 1) * step - 8 : (row + 1) * step] = 1
    return amount, _f(shade * _grain(random, 0.05)), hue


PATTERNS: dict[str, Callable[[Random, float], Layers]] = {
    function.__name__: function
    for function in (
        plaster, brick, stone, tiles, chequer, planks, cladding, panelling, parquet, concrete, metal, corrugated,
        wallpaper, earth, gravel, cobbles, grass, asphalt, cloth, paint, wood, shelves,
    )
}  # fmt: skip
