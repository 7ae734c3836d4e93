"""Parts of the building and its comforts: columns, beams, stairs, lamps, doors, pictures, plants, rugs, beds."""

from __future__ import annotations

import math

from storyengine.previz.places.fittings import clutter
from storyengine.previz.places.fittings.registry import fitting
from storyengine.previz.places.piece import Piece, Random, rod, slab
from storyengine.previz.places.tones import BRASS, CREAM, DARK, IRON, LEAF, Tones, shaded, small_thing, varied
from storyengine.previz.render import Lamp, Material, Mesh, Vec3, merged, placement, shapes

LAMP_LIGHT = (1.0, 0.86, 0.66)


@fitting("ceiling", 0.4, 0.4)
def hanging_lamps(random: Random, tones: Tones, width: float) -> Piece:
    """One pendant with an enamel shade. Origin: where it hangs from."""
    drop = width
    piece = Piece(random, tones, 0.4, 0.4, drop, solid=False)
    r = float(random.uniform(0.17, 0.23))
    piece.add(rod((0, 0, 0), (0, 0, -drop + 0.14), 0.008, DARK, 6))
    shade = shapes.lathe(
        [(r, -0.13), (r, -0.12), (r * 0.55, -0.03), (0.04, 0.0), (0.03, 0.02), (0, 0.02)], tones.second, 20, 60
    )
    inner = shapes.lathe([(0.0, -0.03), (r * 0.5, -0.045), (r * 0.96, -0.125)], CREAM, 20, 90)
    piece.add(merged([shade, inner]), (0, 0, -drop + 0.13), glow=0.35)
    piece.add(shapes.sphere(0.05, (1.0, 0.95, 0.82), 12, 8), (0, 0, -drop + 0.03), glow=1.0)
    piece.lamps.append(Lamp((0, 0, -drop - 0.04), LAMP_LIGHT, 1.0, 0.18, 0.6))
    return piece


@fitting("ceiling", 1.0, 20.0)
def beams(random: Random, tones: Tones, width: float) -> Piece:
    """One beam across the room. Origin: middle of its upper side."""
    tall = float(random.uniform(0.18, 0.26))
    piece = Piece(random, tones, width, 0.2, tall, solid=False)
    piece.block((0, 0, -tall), (width, 0.2, tall), tones.timber(0.7))
    return piece


@fitting("floor", 0.3, 0.5)
def columns(random: Random, tones: Tones, width: float) -> Piece:
    """One column of iron or timber; `width` is its height."""
    height = width
    piece = Piece(random, tones, 0.3, 0.3, height)
    if random.random() < 0.5:
        colour = shaded(tones.paint, 0.7)
        foot = [(0.0, 0.0), (0.15, 0.0), (0.15, 0.12), (0.09, 0.2)]
        below = ((0.08, 0.3), (0.1, 0.26), (0.08, 0.22), (0.16, 0.04), (0.16, 0.0), (0.0, 0.0))
        profile = [*foot, *((r, height - z) for r, z in below)]
        piece.add(shapes.lathe(profile, colour, 18))
    else:
        piece.block((0, 0, 0.25), (0.18, 0.18, height - 0.25), tones.timber(0.75))
        piece.block((0, 0, 0), (0.28, 0.28, 0.25), Material("stone", (0.62, 0.60, 0.55), seed=tones.variant))
    return piece


@fitting("wall", 1.5, 2.6)
def stairs(random: Random, tones: Tones, width: float) -> Piece:
    """A flight along the wall, rising to the right, with a handrail."""
    piece = Piece(random, tones, min(width, 2.4), 0.85, 2.2)
    steps, w = 9, piece.width
    run, rise = w / steps, 2.0 / steps
    for k in range(steps):
        x = -w / 2 + run * (k + 0.5)
        piece.block((x, 0, rise * k + rise - 0.045), (run + 0.03, 0.85, 0.045), tones.timber())
        piece.block((x, -0.02, 0), (run, 0.78, rise * (k + 1) - 0.045), tones.painted(1.1))
    feet = [(-w / 2 + run * (k + 0.5), rise * (k + 1)) for k in range(0, steps, 2)]
    rail = [rod((x, 0.4, z), (x, 0.4, z + 0.8), 0.013, IRON, 6) for x, z in feet]
    rail.append(
        rod(
            (-w / 2 + run * 0.2, 0.4, rise + 0.78),
            (w / 2 - run * 0.5, 0.4, 2.0 + 0.8),
            0.022,
            shaded(tones.wood, 0.8),
            8,
        )
    )
    piece.add(merged(rail))
    return piece


@fitting("wall", 1.2, 3.2)
def railing(random: Random, tones: Tones, width: float) -> Piece:
    """An iron rail on posts along a wall or an edge."""
    piece = Piece(random, tones, width, 0.12, 1.05)
    colour = shaded(tones.paint, 0.6)
    count = max(2, round(width / 0.9))
    parts = [rod((x, 0, 0), (x, 0, 1.05), 0.025, colour) for x in (width * (k / count - 0.5) for k in range(count + 1))]
    parts += [rod((-width / 2, 0, z), (width / 2, 0, z), 0.018, colour, 6) for z in (0.35, 0.7, 1.03)]
    piece.add(merged(parts))
    return piece


@fitting("wall", 0.95, 1.2)
def door(random: Random, tones: Tones, width: float) -> Piece:
    """A shut door in its frame, as part of the building."""
    piece = Piece(random, tones, 1.05, 0.1, 2.12)
    frame, leaf = tones.timber(0.8), tones.coloured(shaded(tones.second, 0.95))
    for s in (-1, 1):
        piece.block((s * 0.485, 0, 0), (0.08, 0.1, 2.1), frame)
    piece.block((0, 0, 2.04), (1.05, 0.1, 0.09), frame)
    piece.block((0, -0.02, 0.01), (0.89, 0.05, 2.03), leaf)
    for x in (-0.21, 0.21):
        for z, tall in ((0.18, 0.75), (1.08, 0.8)):
            piece.block((x, 0.008, z), (0.31, 0.014, tall), tones.coloured(shaded(tones.second, 1.1)))
    piece.add(
        merged([shapes.sphere(0.03, BRASS, 10, 8), slab((0.05, 0.01, 0.18), BRASS, (0, -0.03, -0.1))]),
        (0.36, 0.05, 1.02),
    )
    return piece


@fitting("hung", 0.5, 2.2)
def pictures(random: Random, tones: Tones, width: float) -> Piece:
    """Framed pictures and prints without words. Origin: middle of the upper edge."""
    piece = Piece(random, tones, width, 0.05, 0.8, solid=False)
    x = -width / 2
    while x < width / 2 - 0.3:
        wide, tall = float(random.uniform(0.3, 0.55)), float(random.uniform(0.35, 0.7))
        if x + wide > width / 2:
            break
        z = -float(random.uniform(0.0, 0.12)) - tall
        piece.block((x + wide / 2, -0.012, z), (wide, 0.025, tall), tones.timber(0.7))
        art = Material("paint", CREAM, picture=clutter.picture(random, small_thing(random)))
        piece.block((x + wide / 2, 0.002, z + 0.03), (wide - 0.06, 0.012, tall - 0.06), art)
        x += wide + float(random.uniform(0.08, 0.22))
    return piece


@fitting("hung", 0.4, 0.6)
def clock(random: Random, tones: Tones, width: float) -> Piece:
    """A round clock with hands and strokes for hours. Origin: top of its rim."""
    piece = Piece(random, tones, 0.4, 0.08, 0.4, solid=False)
    turn = {"pitch": 90.0}
    face = merged([shapes.cylinder(0.2, 0.05, shaded(tones.wood, 0.7), 28).moved(placement((0, 0, 0), **turn)),
                   shapes.cylinder(0.175, 0.056, CREAM, 28).moved(placement((0, 0, 0), **turn))])  # fmt: skip
    marks = []
    for k in range(12):
        a = 2 * math.pi * k / 12
        marks.append(
            rod(
                (0.13 * math.sin(a), 0.03, 0.13 * math.cos(a)),
                (0.16 * math.sin(a), 0.03, 0.16 * math.cos(a)),
                0.006,
                DARK,
                4,
            )
        )
    for long in (0.09, 0.13):
        a = float(random.uniform(0, 6.28))
        marks.append(rod((0, 0.034, 0), (long * math.sin(a), 0.034, long * math.cos(a)), 0.008, DARK, 4))
    piece.add(merged([face, *marks]), (0, 0, -0.2))
    return piece


@fitting("corner", 0.5, 1.0)
def plants(random: Random, tones: Tones, width: float) -> Piece:
    """A potted plant with arching leaves."""
    piece = Piece(random, tones, 0.6, 0.6, 1.3)
    pot = shapes.lathe(
        [(0, 0), (0.14, 0), (0.19, 0.3), (0.2, 0.33), (0.17, 0.33), (0.15, 0.28), (0, 0.28)], (0.66, 0.44, 0.34), 18
    )
    leaves = []
    tall = float(random.uniform(0.55, 0.9))
    for k in range(16):
        a = 2 * math.pi * (k * 0.618 % 1)
        reach, up = float(random.uniform(0.12, 0.34)), tall * float(random.uniform(0.5, 1.0))
        tip = (reach * math.cos(a), reach * math.sin(a), 0.3 + up)
        leaf = shapes.ellipsoid((0.05, 0.012, 0.16), varied(LEAF, random, 0.2), 8, 6)
        leaves.append(leaf.moved(placement(tip, yaw=90 - math.degrees(a), pitch=-float(random.uniform(25, 65)))))
        leaves.append(rod((0, 0, 0.28), tip, 0.008, shaded(LEAF, 0.7), 4))
    piece.add(merged([pot, *leaves]))
    return piece


@fitting("floor", 1.2, 3.0)
def rug(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, width, width * 0.62, 0.01, solid=False)
    piece.block(
        (0, 0, 0),
        (width, width * 0.62, 0.012),
        Material("cloth", tones.cloth, tones.second, scale=float(random.uniform(0.7, 1.6))),
    )
    return piece


@fitting("wall", 1.9, 2.1)
def bed(random: Random, tones: Tones, width: float) -> Piece:
    """Along the wall, with a blanket and a pillow."""
    piece = Piece(random, tones, 2.0, 0.95, 0.9)
    for x, h in ((-0.97, 0.9), (0.97, 0.65)):
        piece.block((x, 0, 0), (0.06, 0.95, h), tones.timber(0.85))
    piece.block((0, 0, 0.22), (1.9, 0.9, 0.12), tones.timber(0.9))
    piece.block((0, 0, 0.34), (1.88, 0.86, 0.16), tones.coloured(CREAM))
    piece.block((0.25, 0.01, 0.4), (1.36, 0.9, 0.12), Material("cloth", tones.cloth, tones.second, scale=0.8))
    piece.add(shapes.ellipsoid((0.2, 0.34, 0.09), (0.90, 0.88, 0.82)), (-0.72, 0, 0.55))
    return piece


@fitting("wall", 0.9, 2.0)
def bench(random: Random, tones: Tones, width: float) -> Piece:
    """A plain bench to sit on."""
    piece = Piece(random, tones, width, 0.4, 0.46)
    piece.block((0, 0, 0.42), (width, 0.38, 0.045), tones.timber())
    for s in (-1, 1):
        piece.block((s * (width / 2 - 0.15), 0, 0), (0.06, 0.34, 0.42), tones.timber(0.85))
    piece.top("bench", (0, 0, 0.465), width, 0.38)
    return piece


@fitting("hung", 0.8, 2.4)
def nets(random: Random, tones: Tones, width: float) -> Piece:
    """Fishing net draped on hooks with cork floats. Origin: middle of its upper edge."""
    piece = Piece(random, tones, width, 0.1, 1.0, solid=False)
    across, down = max(8, round(width / 0.12)), 8

    def knot(i: int, j: int) -> Vec3:
        sag = 0.18 * math.sin(math.pi * ((i * 3 / across) % 1))
        return (width * (i / across - 0.5), 0.0, -0.02 - sag - 0.1 * j)

    threads: list[Mesh] = []
    for j in range(down):
        threads += [rod(knot(i, j), knot(i + 1, j + 1), 0.004, (0.42, 0.40, 0.34), 3) for i in range(across)]
        threads += [rod(knot(i + 1, j), knot(i, j + 1), 0.004, (0.42, 0.40, 0.34), 3) for i in range(across)]
    floats = [
        shapes.sphere(0.045, varied((0.70, 0.46, 0.30), random, 0.2), 8, 6).moved(placement(knot(i, 0)))
        for i in range(0, across + 1, 2)
    ]
    piece.add(merged([*threads, *floats]))
    return piece
