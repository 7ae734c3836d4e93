"""Small things that make equipment look used: rows of jars, books, tins, boxes; tools on a wall; papers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from storyengine.previz.looks import Colour
from storyengine.previz.places.piece import Random, drum, rod, slab
from storyengine.previz.places.tones import BRASS, CREAM, IRON, STEEL, small_thing, varied
from storyengine.previz.render import Mesh, Texture, merged, placement, shapes

Row = Callable[[Random, float, float, float], Mesh]
"""`row(random, length, depth, height)`: things standing on z = 0 along x, middle at the origin."""


def books(random: Random, length: float, depth: float, height: float) -> Mesh:
    out, x = [], -length / 2 + 0.02
    while x < length / 2 - 0.06:
        thick = float(random.uniform(0.022, 0.06))
        if random.random() < 0.08:
            x += float(random.uniform(0.05, 0.16))
            continue
        tall = min(float(random.uniform(0.18, 0.28)), height * 0.9)
        deep = min(float(random.uniform(0.14, 0.2)), depth * 0.9)
        out.append(slab((thick, deep, tall), small_thing(random), (x + thick / 2, depth / 2 - deep / 2 - 0.03, 0)))
        x += thick + 0.002
    return merged(out)


def jars(random: Random, length: float, depth: float, height: float) -> Mesh:
    out, x = [], -length / 2 + 0.08
    while x < length / 2 - 0.06:
        r = float(random.uniform(0.045, 0.075))
        tall = min(float(random.uniform(0.12, 0.24)), height * 0.8)
        y = float(random.uniform(-0.25, 0.25)) * max(depth - 2 * r, 0)
        body = shapes.lathe(
            [(0, 0), (r, 0), (r, tall * 0.7), (r * 0.62, tall * 0.84), (r * 0.7, tall * 0.86), (r * 0.7, tall),
             (0, tall)], small_thing(random), 12,
        )  # fmt: skip
        out.append(body.moved(placement((x, y, 0))))
        x += 2 * r + float(random.uniform(0.01, 0.09))
    return merged(out)


def tins(random: Random, length: float, depth: float, height: float) -> Mesh:
    out, x = [], -length / 2 + 0.08
    while x < length / 2 - 0.06:
        r = float(random.uniform(0.04, 0.08))
        tall = min(float(random.uniform(0.09, 0.2)), height * 0.8)
        colour = small_thing(random)
        out.append(drum(r, tall, colour, (x, float(random.uniform(-0.04, 0.04)), 0), 12))
        out.append(drum(r * 1.02, tall * 0.3, CREAM, (x, 0, tall * 0.3), 12))
        x += 2 * r + float(random.uniform(0.01, 0.12))
    return merged(out)


def boxes(random: Random, length: float, depth: float, height: float) -> Mesh:
    out, x = [], -length / 2 + 0.03
    while x < length / 2 - 0.12:
        wide = min(float(random.uniform(0.14, 0.34)), length / 2 - x)
        tall = min(float(random.uniform(0.1, 0.26)), height * 0.85)
        deep = min(float(random.uniform(0.18, 0.34)), depth * 0.9)
        colour = small_thing(random)
        out.append(slab((wide, deep, tall), colour, (x + wide / 2, depth / 2 - deep / 2 - 0.03, 0)))
        out.append(slab((wide * 0.4, 0.006, tall * 0.35), CREAM, (x + wide / 2, depth / 2 - 0.027, tall * 0.35)))
        x += wide + float(random.uniform(0.01, 0.14))
    return merged(out) if out else slab((0.1, 0.1, 0.1), small_thing(random))


def bowls(random: Random, length: float, depth: float, height: float) -> Mesh:
    out, x = [], -length / 2 + 0.14
    while x < length / 2 - 0.1:
        r = float(random.uniform(0.07, 0.13))
        colour = small_thing(random)
        for k in range(int(random.integers(1, 4))):
            bowl = shapes.lathe(
                [(0, 0), (r * 0.5, 0), (r, 0.06), (r * 0.94, 0.06), (r * 0.45, 0.015), (0, 0.015)], colour, 14
            )
            out.append(bowl.moved(placement((x, 0, k * 0.035))))
        x += 2 * r + float(random.uniform(0.02, 0.1))
    return merged(out)


ROWS: tuple[Row, ...] = (books, jars, tins, boxes, bowls)


def row(random: Random, length: float, depth: float, height: float, kinds: tuple[Row, ...] = ROWS) -> Mesh:
    """One kind of things along a shelf, or two side by side."""
    if length < 0.9:
        return kinds[int(random.integers(len(kinds)))](random, length, depth, height)
    cut = float(random.uniform(0.35, 0.65)) * length
    left = kinds[int(random.integers(len(kinds)))](random, cut, depth, height)
    right = kinds[int(random.integers(len(kinds)))](random, length - cut, depth, height)
    return merged([left.moved(placement((cut / 2 - length / 2, 0, 0))), right.moved(placement((cut / 2, 0, 0)))])


def hanging_tool(random: Random, wood: Colour) -> Mesh:
    """A tool that hangs down from the origin in front of a wall at -y."""
    kind, long = int(random.integers(5)), float(random.uniform(0.28, 0.5))
    handle = rod((0, 0.03, 0), (0, 0.03, -long), 0.013, varied(wood, random, 0.15), 6)
    if kind == 0:
        return merged([handle, slab((0.13, 0.05, 0.05), STEEL, (0, 0.03, -long - 0.03))])
    if kind == 1:
        blade = shapes.extruded([(-0.02, 0), (0.02, 0), (0.06, 0.3), (-0.05, 0.3)], 0.006, STEEL)
        return merged([handle, blade.moved(placement((0, 0.03, -long - 0.28), pitch=90))])
    if kind == 2:
        ring = shapes.torus(0.06, 0.012, IRON, 16, 6).moved(placement((0, 0.03, -long - 0.05), pitch=90))
        return merged([handle, ring])
    if kind == 3:
        return merged([handle, slab((0.2, 0.03, 0.06), varied(wood, random, 0.2), (0, 0.03, -long - 0.05))])
    jaws = [rod((0, 0.03, -0.1), (s * 0.05, 0.03, -long - 0.1), 0.011, IRON, 6) for s in (-1, 1)]
    return merged([*jaws, drum(0.025, 0.03, BRASS, (0, 0.03, -0.12), 8)])


def coil(radius: float, colour: Colour, turns: int = 3) -> Mesh:
    """A coil of rope hanging against a wall from the origin."""
    rings = [
        shapes.torus(radius - 0.012 * k, 0.016, colour, 20, 6).moved(
            placement((0.01 * k, 0.04 + 0.022 * k, -radius), pitch=90)
        )
        for k in range(turns)
    ]
    return merged(rings)


def picture(random: Random, ground: Colour, side: int = 128) -> Texture:
    """An abstract picture without text: a few soft shapes over a ground."""
    y, x = np.mgrid[0:side, 0:side] / side
    out = np.broadcast_to(np.array(ground), (side, side, 3)).copy()
    out *= 0.9 + 0.2 * (1 - y)[..., None]
    for _ in range(int(random.integers(4, 8))):
        cx, cy = random.uniform(0.1, 0.9, 2)
        rx, ry = random.uniform(0.05, 0.32, 2)
        turn = float(random.uniform(0, 3.14))
        u = (x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)
        v = -(x - cx) * np.sin(turn) + (y - cy) * np.cos(turn)
        inside = (u / rx) ** 2 + (v / ry) ** 2 < 1 if random.random() < 0.5 else (abs(u) < rx) & (abs(v) < ry * 0.5)
        out[inside] = np.array(small_thing(random))
    edge = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y)) < 0.05
    out[edge] = np.array(CREAM)
    return Texture((np.clip(out, 0, 1) * 255).astype(np.uint8))
