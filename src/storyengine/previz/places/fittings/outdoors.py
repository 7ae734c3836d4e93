"""Equipment and scenery of open places: fences, trees, sheds, boats, stalls, hills."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np

from storyengine.previz.looks import Colour
from storyengine.previz.places.fittings import clutter
from storyengine.previz.places.fittings.registry import fitting
from storyengine.previz.places.piece import Piece, Random, drum, rod, slab
from storyengine.previz.places.tones import DARK, IRON, LEAF, Tones, shaded, varied
from storyengine.previz.render import Lamp, Material, Mesh, Texture, Vec3, merged, placement, shapes

BARK: Colour = (0.40, 0.33, 0.27)
STRAW: Colour = (0.76, 0.66, 0.42)


@lru_cache(maxsize=1)
def _leaves() -> Texture:
    """Small light and dark leaves, to lie over plain green."""
    random = np.random.default_rng(41)
    side = 128
    out = np.full((side, side, 3), 205, np.uint8)
    for _ in range(420):
        at = (int(random.integers(side)), int(random.integers(side)))
        axes = (int(random.integers(3, 8)), int(random.integers(2, 4)))
        tone = int(random.integers(150, 256))
        for dx in (-side, 0, side):
            for dy in (-side, 0, side):
                cv2.ellipse(out, (at[0] + dx, at[1] + dy), axes, float(random.uniform(0, 180)), 0, 360, (tone,) * 3, -1)
    return Texture(out)


def _leafy(radius: float, flat: float, colour: Colour, at: Vec3) -> Mesh:
    """One clump of leaves."""
    clump = shapes.ellipsoid((radius, radius, radius * flat), shaded(colour, 1.12), 10, 6)
    return clump.textured(_leaves(), (max(2.0, round(radius * 7)), max(1.0, round(radius * 3.5)))).moved(placement(at))


@fitting("edge", 2.0, 20.0)
def fence(random: Random, tones: Tones, width: float) -> Piece:
    """Posts with two rails, or close palings."""
    piece = Piece(random, tones, width, 0.14, 1.15)
    count = max(2, round(width / 1.7))
    for k in range(count + 1):
        piece.block((width * (k / count - 0.5), 0, 0), (0.1, 0.1, 1.2), tones.timber(0.85))
    for z in (0.35, 0.85):
        piece.block((0, 0, z), (width, 0.04, 0.11), tones.timber())
    if random.random() < 0.6:
        for k in range(round(width / 0.42)):
            x = -width / 2 + 0.21 + 0.42 * k
            boards = []
            for j in range(3):
                colour = varied(tones.wood, random, 0.12)
                boards.append(
                    slab((0.1, 0.02, float(random.uniform(0.98, 1.08))), colour, (x + 0.13 * (j - 1), 0.05, 0.06))
                )
            piece.add(merged(boards))
    return piece


@fitting("edge", 1.5, 20.0)
def hedge(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, width, 0.7, 1.3)
    x = -width / 2
    while x < width / 2:
        leaves = []
        for _ in range(6):
            r = float(random.uniform(0.22, 0.36))
            at = (
                x + float(random.uniform(0, 0.8)),
                float(random.uniform(-0.15, 0.15)),
                float(random.uniform(0.2, 0.95)),
            )
            leaves.append(_leafy(r, 0.9, varied(LEAF, random, 0.15), at))
        piece.add(merged(leaves))
        x += 0.7
    return piece


@fitting("edge", 1.5, 20.0)
def stone_wall(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, width, 0.45, 1.05)
    piece.block((0, 0, 0), (width, 0.4, 0.92), Material("stone", (0.60, 0.58, 0.53), scale=0.7, seed=tones.variant))
    piece.block((0, 0, 0.92), (width, 0.48, 0.12), Material("stone", (0.66, 0.64, 0.59), scale=0.9, seed=tones.variant))
    return piece


@fitting("edge", 2.0, 30.0)
def quay_wall(random: Random, tones: Tones, width: float) -> Piece:
    """Coping stones at the water's edge, bollards and a mooring rope."""
    piece = Piece(random, tones, width, 0.5, 0.2)
    piece.block((0, 0, 0), (width, 0.5, 0.12), Material("stone", (0.66, 0.65, 0.61), scale=1.3, seed=tones.variant))
    for k in range(max(2, round(width / 3.4))):
        x = width * ((k + 0.5) / max(2, round(width / 3.4)) - 0.5)
        bollard = shapes.lathe(
            [(0, 0), (0.15, 0), (0.11, 0.1), (0.1, 0.35), (0.16, 0.42), (0.14, 0.5), (0, 0.52)], IRON, 16
        )
        piece.add(bollard, (x, 0, 0.12))
    return piece


@fitting("edge", 3.0, 30.0)
def tracks(random: Random, tones: Tones, width: float) -> Piece:
    """A pair of rails on sleepers in ballast."""
    piece = Piece(random, tones, width, 2.4, 0.2, solid=False)
    piece.block((0, 0, 0), (width, 2.4, 0.06), Material("gravel", (0.50, 0.48, 0.45), seed=tones.variant))
    sleepers = Material("wood", (0.34, 0.28, 0.24), seed=tones.variant)
    for k in range(round(width / 0.65)):
        piece.block((-width / 2 + 0.32 + 0.65 * k, 0, 0.06), (0.24, 2.1, 0.09), sleepers)
    for y in (-0.72, 0.72):
        piece.block((0, y, 0.15), (width, 0.07, 0.13), Material("paint", (0.46, 0.42, 0.40), seed=tones.variant))
    return piece


@fitting("beyond", 2.0, 4.0)
def trees(random: Random, tones: Tones, width: float) -> Piece:
    """One broad-leaved tree."""
    tall = float(random.uniform(3.8, 5.6))
    piece = Piece(random, tones, 0.5, 0.5, 2.0)
    lean = float(random.uniform(-0.2, 0.2))
    trunk = [shapes.tube([(0, 0, 0), (lean * 0.4, 0, tall * 0.3), (lean, 0, tall * 0.62)], 0.15, BARK, 10)]
    trunk += [rod((lean * 0.6, 0, tall * 0.4), (lean + s * 0.8, 0.25 * s, tall * 0.66), 0.06, BARK, 8) for s in (-1, 1)]
    piece.add(merged(trunk))
    leaf = varied(LEAF, random, 0.2)
    crown = []
    for k in range(13):
        a, r = 2 * math.pi * (k * 0.618 % 1), 0.35 + 0.75 * (k % 5) / 4
        size = float(random.uniform(0.55, 0.95))
        at = (lean + r * math.cos(a), r * math.sin(a), tall * float(random.uniform(0.58, 0.95)))
        crown.append(_leafy(size, 0.78, varied(leaf, random, 0.13), at))
    piece.add(merged(crown))
    return piece


@fitting("beyond", 1.5, 3.0)
def conifers(random: Random, tones: Tones, width: float) -> Piece:
    tall = float(random.uniform(3.6, 6.2))
    piece = Piece(random, tones, 0.5, 0.5, 2.0)
    piece.add(drum(0.11, 0.8, BARK, sides=10))
    green, tiers = varied((0.28, 0.38, 0.31), random, 0.2), []
    for k in range(5):
        r, z = (1.15 - 0.2 * k) * tall / 5, 0.5 + (tall - 1.0) * k / 5
        skirt = shapes.lathe(
            [(0.05, -0.1), (r, 0.0), (r * 0.45, tall * 0.16), (0.03, tall * 0.3)], varied(green, random, 0.1), 14
        )
        tiers.append(skirt.moved(placement((0, 0, z))))
    piece.add(merged(tiers))
    return piece


@fitting("wall", 0.8, 2.2)
def bushes(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, width, 0.8, 0.9)
    for k in range(max(1, round(width / 0.7))):
        leaves = []
        for _ in range(7):
            r = float(random.uniform(0.18, 0.32))
            at = (
                float(random.uniform(-0.28, 0.28)),
                float(random.uniform(-0.2, 0.2)),
                float(random.uniform(0.15, 0.65)),
            )
            leaves.append(_leafy(r, 0.85, varied(LEAF, random, 0.22), at))
        piece.add(merged(leaves), (-width / 2 + 0.35 + 0.7 * k, 0, 0))
    return piece


@fitting("beyond", 2.4, 4.0)
def shed(random: Random, tones: Tones, width: float) -> Piece:
    """Boarded walls, a pitched roof, a door and a small window."""
    w = min(width, 3.4)
    piece = Piece(random, tones, w, 2.4, 2.9)
    boards = Material("cladding", tones.second, seed=tones.variant)
    piece.block((0, 0, 0), (w, 2.4, 2.1), boards)
    roof = shapes.extruded([(-1.45, 0), (1.45, 0), (0, 0.95)], w + 0.4, shaded(tones.paint, 0.62))
    piece.add(roof, (w / 2 + 0.2, 0, 2.08), yaw=90, pitch=90, roll=0)
    piece.block((-w * 0.2, 1.2, 0), (0.85, 0.05, 1.85), tones.timber(0.8))
    for x in (-0.42, 0.42):
        piece.block((-w * 0.2 + x, 1.22, 0), (0.07, 0.05, 1.92), tones.coloured(shaded(tones.paint, 1.3)))
    piece.block((w * 0.25, 1.2, 1.0), (0.7, 0.06, 0.6), tones.coloured(shaded(tones.paint, 1.3)))
    for x in (-0.16, 0.16):
        piece.block((w * 0.25 + x, 1.225, 1.05), (0.27, 0.02, 0.5), Material("paint", (0.30, 0.36, 0.40), seed=1))
    return piece


@fitting("wall", 2.4, 3.6)
def boat(random: Random, tones: Tones, width: float) -> Piece:
    """A rowing boat drawn up on its keel."""
    long = min(width, 3.2)
    piece = Piece(random, tones, long, 1.15, 0.6)
    colour, inside = shaded(tones.second, 0.95), shaded(tones.wood, 1.1)
    rings: list[list[tuple[float, float, float]]] = []
    for k in range(11):
        t = k / 10 * 2 - 1
        beam = 0.52 * (1 - abs(t) ** 2.6) + 0.02
        keel, rail = 0.06 + 0.16 * t**4, 0.46 + 0.14 * t**2
        rings.append(
            [
                (t * long / 2, beam * math.sin(a), rail - (rail - keel) * math.cos(a))
                for a in (-1.57, -1.1, -0.5, 0, 0.5, 1.1, 1.57)
            ]
        )
    piece.add(merged([_skin(rings, colour), _skin([list(reversed(ring)) for ring in rings], inside)]))
    for t in (-0.4, 0.05, 0.5):
        piece.add(slab((0.2, 0.9 * (1 - abs(t) ** 2.6), 0.03), shaded(inside, 0.9)), (t * long / 2, 0, 0.36))
    rails = [[(r[i][0], r[i][1], r[i][2]) for r in rings] for i in (0, 6)]
    piece.add(merged([shapes.tube(line, 0.028, shaded(tones.wood, 0.75), 6) for line in rails]))
    piece.add(rod((-long * 0.3, 0.15, 0.48), (long * 0.38, -0.1, 0.5), 0.02, tones.wood, 6))
    return piece


def _skin(rings: list[list[tuple[float, float, float]]], colour: Colour) -> Mesh:
    """A sheet through rings of points, seen from one side."""
    flat = shapes.sheet(1.0, 1.0, colour=colour, cells=(len(rings[0]) - 1, len(rings) - 1))
    half = len(flat.vertices) // 2
    points = np.array(rings).reshape(-1, 3)
    front = flat.faces[: len(flat.faces) // 2]
    grid = points.reshape(len(rings), -1, 3)
    normals = np.cross(np.gradient(grid, axis=1), np.gradient(grid, axis=0)).reshape(-1, 3)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return Mesh(points, normals, flat.uv[:half], front, flat.colours[: len(front)], np.zeros(len(front), np.int64))


@fitting("wall", 0.8, 2.4)
def posts(random: Random, tones: Tones, width: float) -> Piece:
    """Mooring or fence posts with a slack rope."""
    piece = Piece(random, tones, width, 0.3, 1.0)
    count = max(2, round(width / 0.9))
    xs = [width * (k / (count - 1) - 0.5) * 0.9 for k in range(count)]
    for x in xs:
        post = [
            drum(0.09, 0.95, varied(tones.wood, random, 0.12), (x, 0, 0), 12),
            drum(0.095, 0.05, shaded(tones.wood, 0.6), (x, 0, 0.78), 12),
        ]
        piece.add(merged(post))
    for a, b in pairwise(xs):
        sag = [(a + (b - a) * t, 0.09, 0.8 - 0.9 * t * (1 - t)) for t in (0, 0.15, 0.3, 0.5, 0.7, 0.85, 1)]
        piece.add(shapes.tube(sag, 0.016, (0.72, 0.64, 0.48), 6))
    return piece


@fitting("beyond", 2.0, 3.4)
def haystack(random: Random, tones: Tones, width: float) -> Piece:
    r = min(width / 2, 1.5)
    piece = Piece(random, tones, 2 * r, 2 * r, 2.4)
    body = shapes.lathe(
        [(0, 0), (r * 0.9, 0), (r, 0.9), (r * 0.85, 1.5), (r * 0.4, 2.3), (0, 2.6)], varied(STRAW, random, 0.1), 20, 70
    )
    wisps = []
    for _ in range(46):
        a, z = float(random.uniform(0, 6.28)), float(random.uniform(0.1, 1.6))
        wisp = slab((0.03, 0.02, 0.3), varied(STRAW, random, 0.25)).moved(
            placement((0, r * 0.96, z), pitch=float(random.uniform(-12, 12)))
        )
        wisps.append(wisp.moved(placement((0, 0, 0), yaw=math.degrees(a))))
    piece.add(merged([body, *wisps]))
    return piece


def _log(radius: float, bark: Colour, wood: Colour) -> Mesh:
    """Half a metre along z: bark around, pale ends."""
    plain = shapes.cylinder(radius, 0.5, bark, 8)
    colours = np.where((plain.groups == 1)[:, None], np.array(bark), np.array(wood))
    return replace(plain, colours=colours)


@fitting("wall", 1.0, 2.6)
def woodpile(random: Random, tones: Tones, width: float) -> Piece:
    """Split logs between two stakes."""
    piece = Piece(random, tones, width, 0.6, 1.1)
    thick = float(random.uniform(0.06, 0.1))
    step = 1.9 * thick
    for row in range(int(1.05 / step)):
        logs, x = [], -width / 2 + thick + step * float(random.uniform(0.1, 0.6))
        while x < width / 2 - thick:
            r = thick * float(random.uniform(0.75, 1.1))
            log = _log(r, varied(BARK, random, 0.2), varied((0.76, 0.62, 0.44), random, 0.15))
            logs.append(log.moved(placement((x, float(random.uniform(-0.03, 0.03)), thick + step * row), pitch=90)))
            x += 2.1 * thick
        piece.add(merged(logs))
    for s in (-1, 1):
        piece.add(rod((s * (width / 2 + 0.0), 0.0, 0), (s * (width / 2), 0.0, 1.2), 0.035, tones.wood))
    return piece


@fitting("wall", 1.8, 2.6)
def market_stall(random: Random, tones: Tones, width: float) -> Piece:
    """A table of goods under a striped awning."""
    piece = Piece(random, tones, min(width, 2.3), 1.0, 2.3)
    w = piece.width
    for sx in (-1, 1):
        for y, h in ((-0.42, 2.25), (0.42, 1.95)):
            piece.block((sx * (w / 2 - 0.05), y, 0), (0.07, 0.07, h), tones.timber())
    piece.block((0, 0.1, 0.78), (w, 0.75, 0.05), tones.timber(0.95))
    piece.block((0, 0.46, 0.3), (w - 0.1, 0.03, 0.48), tones.painted())
    stripes = 8
    for k in range(stripes):
        colour = tones.cloth if k % 2 else (0.90, 0.87, 0.79)
        cloth = shapes.box((w * 1.08 / stripes, 1.25, 0.025), colour)
        piece.add(cloth, (w * 1.08 * ((k + 0.5) / stripes - 0.5), 0.05, 2.14), pitch=-14)
    for x, row in ((-w / 4, clutter.boxes), (w / 4, clutter.bowls)):
        piece.add(row(random, w / 2 - 0.15, 0.5, 0.3), (x, 0.1, 0.83))
    piece.top("market stall", (0, 0.2, 0.83), w * 0.8, 0.4)
    return piece


@fitting("wall", 0.5, 0.8)
def lamp_post(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, 0.4, 0.4, 3.2)
    iron = shaded(tones.paint, 0.5)
    post = shapes.lathe(
        [(0, 0), (0.16, 0), (0.16, 0.15), (0.08, 0.35), (0.05, 0.5), (0.045, 2.7), (0.08, 2.75), (0, 2.78)], iron, 14
    )
    piece.add(merged([post, rod((-0.25, 0, 2.45), (0.25, 0, 2.45), 0.018, iron, 6)]))
    glass = shapes.lathe([(0, 0), (0.09, 0), (0.15, 0.36), (0, 0.36)], (1.0, 0.93, 0.75), 6)
    cap = shapes.lathe([(0, 0.36), (0.19, 0.36), (0.06, 0.5), (0, 0.56)], iron, 6)
    piece.add(merged([glass, cap]), (0, 0, 2.78), glow=0.5)
    piece.lamps.append(Lamp((0, 0.2, 2.7), (1.0, 0.85, 0.6), 0.5, 0.15, 0.3))
    return piece


@fitting("wall", 1.2, 1.8)
def well(random: Random, tones: Tones, width: float) -> Piece:
    """A stone ring with a windlass under a little roof."""
    piece = Piece(random, tones, 1.4, 1.4, 2.3)
    ring = shapes.lathe(
        [(0, 0), (0.62, 0), (0.6, 0.75), (0.64, 0.75), (0.64, 0.84), (0.46, 0.84), (0.46, 0.3), (0, 0.3)],
        (0.60, 0.58, 0.53),
        24,
    )
    stones = []
    for j in range(4):
        for k in range(14):
            block = shapes.box((0.25, 0.03, 0.16), varied((0.62, 0.60, 0.55), random, 0.14)).moved(
                placement((0, 0.605, 0.1 + 0.19 * j))
            )
            stones.append(block.moved(placement((0, 0, 0), yaw=360 * (k + 0.5 * (j % 2)) / 14)))
    piece.add(merged([ring, *stones]))
    for s in (-1, 1):
        piece.block((s * 0.62, 0, 0.3), (0.1, 0.1, 1.6), tones.timber(0.85))
    piece.add(shapes.cylinder(0.09, 1.1, tones.wood, 14).moved(placement((0, 0, 1.35), roll=90)))
    roof = shapes.extruded([(-0.75, 0), (0.75, 0), (0, 0.5)], 1.7, shaded(tones.cloth, 0.8))
    piece.add(roof, (0.85, 0, 1.85), yaw=90, pitch=90)
    piece.add(rod((0, 0.02, 1.3), (0, 0.02, 0.7), 0.012, (0.72, 0.64, 0.48), 6))
    return piece


@fitting("beyond", 6.0, 14.0)
def hills(random: Random, tones: Tones, width: float) -> Piece:
    """A low green rise behind."""
    piece = Piece(random, tones, width, 6.0, 1.6)
    colour = varied((0.48, 0.53, 0.36), random, 0.1)
    piece.add(shapes.ellipsoid((width / 2, 3.2, float(random.uniform(1.0, 1.9))), colour, 28, 12))
    return piece


@fitting("beyond", 4.0, 14.0)
def house(random: Random, tones: Tones, width: float) -> Piece:
    """A building's front: windows, a door, a plinth and a roof. `tones.paint` is the colour of its walls."""
    tall = 3.3
    piece = Piece(random, tones, width, 4.0, 5.0)
    walls = Material("plaster", tones.paint, seed=tones.variant)
    return house_of(piece, walls, tall)


def house_of(piece: Piece, walls: Material, tall: float) -> Piece:
    w, tones, random = piece.width, piece.tones, piece.random
    piece.block((0, 0, 0), (w, 4.0, tall), walls)
    piece.block((0, 0, 0), (w + 0.06, 4.06, 0.4), Material("stone", (0.56, 0.54, 0.50), seed=tones.variant))
    roof = shapes.extruded([(-2.45, 0), (2.45, 0), (0, 1.7)], w + 0.5, shaded(tones.cloth, 0.72))
    piece.add(roof, (w / 2 + 0.25, 0, tall), yaw=90, pitch=90)
    frame, glass = tones.coloured((0.84, 0.82, 0.76)), Material("paint", (0.33, 0.39, 0.43), seed=1)
    slots = max(3, round(w / 2.0))
    door_at = int(random.integers(slots))
    for k in range(slots):
        x = w * ((k + 0.5) / slots - 0.5)
        if k == door_at:
            piece.block((x, 2.0, 0), (1.15, 0.06, 2.2), frame)
            piece.block((x, 2.02, 0.03), (0.95, 0.06, 2.08), tones.coloured(shaded(tones.second, 0.8)))
            piece.block((x, 2.2, 0), (1.4, 0.5, 0.14), Material("stone", (0.6, 0.58, 0.54), seed=tones.variant))
            continue
        piece.block((x, 2.0, 1.0), (1.1, 0.06, 1.35), frame)
        for sx in (-1, 1):
            for z in (1.06, 1.7):
                piece.block((x + sx * 0.26, 2.03, z), (0.46, 0.02, 0.58), glass)
        piece.block((x, 2.06, 0.94), (1.3, 0.2, 0.07), frame)
    piece.add(slab((0.5, 0.5, 1.2), (0.55, 0.40, 0.34)), (w * 0.3, 0, tall + 1.0))
    piece.add(drum(0.01, 0.01, DARK), (0, 2.0, tall - 0.02))
    return piece
