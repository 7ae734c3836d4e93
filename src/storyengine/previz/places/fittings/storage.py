"""Where things are kept: shelves, cupboards, lockers, racks, stacks."""

from __future__ import annotations

import math

from storyengine.previz.places.fittings import clutter
from storyengine.previz.places.fittings.registry import fitting
from storyengine.previz.places.piece import Piece, Random, drum, rod, slab
from storyengine.previz.places.tones import BRASS, IRON, SACKING, Tones, shaded, varied
from storyengine.previz.render import Mesh, merged, placement, shapes


def _carcass(piece: Piece, boards: int, shade: float = 1.0, back: bool = True, foot: float = 0.06) -> list[float]:
    """Two sides, a back and shelves of boards; gives the heights of the shelves' upper sides."""
    w, d, h = piece.width, piece.depth, piece.height
    timber, dark = piece.tones.timber(shade), piece.tones.timber(shade * 0.8)
    for x in (-w / 2 + 0.015, w / 2 - 0.015):
        piece.block((x, 0, 0), (0.03, d, h), timber)
    if back:
        piece.block((0, -d / 2 + 0.01, foot), (w - 0.06, 0.015, h - foot), dark)
    levels = [foot + (h - foot - 0.03) * k / boards for k in range(boards + 1)]
    for z in levels:
        piece.block((0, 0, z), (w - 0.06, d - 0.01, 0.03), timber)
    return [z + 0.03 for z in levels]


def _stocked(piece: Piece, levels: list[float], kinds: tuple[clutter.Row, ...]) -> None:
    gap = levels[1] - levels[0] - 0.03
    for z in levels[:-1]:
        if piece.random.random() < 0.92:
            piece.add(clutter.row(piece.random, piece.width - 0.1, piece.depth, gap, kinds), (0, 0, z))


@fitting("wall", 0.9, 2.4)
def shelves(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, width, 0.42, float(random.uniform(1.7, 2.1)))
    levels = _carcass(piece, int(random.integers(4, 6)), back=random.random() < 0.6)
    _stocked(piece, levels, (clutter.jars, clutter.tins, clutter.boxes, clutter.bowls))
    return piece


@fitting("wall", 0.9, 2.4)
def bookshelf(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, width, 0.32, float(random.uniform(1.9, 2.25)))
    levels = _carcass(piece, 6, 0.85)
    _stocked(piece, levels, (clutter.books,))
    return piece


@fitting("wall", 0.8, 1.5)
def cupboard(random: Random, tones: Tones, width: float) -> Piece:
    """Doors below and above, a moulding on top."""
    piece = Piece(random, tones, width, 0.5, float(random.uniform(1.75, 2.05)))
    w, d, h = width, 0.5, piece.height
    painted = tones.painted() if random.random() < 0.6 else tones.timber()
    piece.block((0, 0, 0.08), (w, d - 0.02, h - 0.12), painted)
    piece.block((0, 0, 0), (w - 0.06, d - 0.08, 0.08), tones.timber(0.6))
    piece.block((0, 0.01, h - 0.05), (w + 0.06, d + 0.04, 0.05), tones.timber(0.85))
    split = 0.08 + (h - 0.12) * 0.42
    panel = tones.coloured(shaded(painted.colour, 1.08))
    for x in (-w / 4, w / 4):
        for z, tall in ((0.12, split - 0.16), (split + 0.02, h - split - 0.1)):
            piece.block((x, d / 2 - 0.005, z), (w / 2 - 0.05, 0.02, tall), panel)
            piece.block((x, d / 2 + 0.006, z + 0.07), (w / 2 - 0.19, 0.012, tall - 0.14), painted)
            piece.add(
                shapes.sphere(0.018, BRASS, 8, 6), (x - math.copysign(w / 4 - 0.06, x), d / 2 + 0.02, z + tall / 2)
            )
    return piece


@fitting("wall", 0.9, 2.6)
def lockers(random: Random, tones: Tones, width: float) -> Piece:
    count = max(2, round(width / 0.42))
    wide = width / count
    piece = Piece(random, tones, width, 0.48, 1.85)
    body = tones.painted()
    slits = _slits(random)
    label, grip = float(random.uniform(1.3, 1.56)), float(random.uniform(0.8, 1.15))
    piece.block((0, 0, 0.1), (width, 0.45, 1.75), tones.painted(0.8))
    piece.block((0, 0, 0), (width - 0.04, 0.4, 0.1), tones.steel(0.5))
    for k in range(count):
        x = -width / 2 + wide * (k + 0.5)
        piece.block((x, 0.23, 0.13), (wide - 0.025, 0.02, 1.69), body)
        slots = [slab((wide * 0.5, 0.006, 0.012), shaded(tones.paint, 0.35), (x, 0.243, z)) for z in slits]
        plate = slab((0.08, 0.006, 0.045), (0.85, 0.83, 0.76), (x, 0.243, label))
        piece.add(merged([*slots, plate, slab((0.02, 0.02, 0.11), tones.metal, (x + wide * 0.32, 0.24, grip))]))
    return piece


def _slits(random: Random) -> list[float]:
    """Heights of a locker's vents: some above, some below."""
    above, below = int(random.integers(2, 5)), int(random.integers(0, 5))
    step = float(random.uniform(0.034, 0.05))
    return [1.62 + step * k for k in range(above)] + [0.28 + step * k for k in range(below)]


@fitting("wall", 0.8, 1.6)
def drawers(random: Random, tones: Tones, width: float) -> Piece:
    """A bank of small drawers, as for seeds, screws or type."""
    piece = Piece(random, tones, width, 0.45, float(random.uniform(1.0, 1.35)))
    h = piece.height
    piece.block((0, 0, 0), (width, 0.43, h), tones.timber(0.85))
    piece.block((0, 0, h), (width + 0.04, 0.47, 0.035), tones.timber())
    columns, rows = (max(3, round(side / float(random.uniform(0.15, 0.3)))) for side in (width, h))
    labelled, knob = random.random() < 0.6, float(random.uniform(0.2, 0.45))
    knobs = []
    for i in range(columns):
        for j in range(rows):
            wide, tall = width / columns, (h - 0.08) / rows
            x, z = -width / 2 + wide * (i + 0.5), 0.06 + tall * j
            front = slab((wide - 0.025, 0.014, tall - 0.022), varied(tones.wood, random, 0.12), (x, 0.222, z))
            knobs.append(front)
            if labelled:
                knobs.append(slab((0.05, 0.004, 0.03), (0.86, 0.83, 0.74), (x, 0.231, z + tall * (knob + 0.28))))
            knobs.append(shapes.sphere(0.013, BRASS, 6, 4).moved(placement((x, 0.235, z + tall * knob))))
    piece.add(merged(knobs))
    piece.add(clutter.row(random, width - 0.2, 0.36, 0.4), (0, 0, h + 0.035))
    piece.top("drawers", (0, 0, h + 0.035), width, 0.45)
    return piece


@fitting("hung", 0.9, 2.4)
def tool_rack(random: Random, tones: Tones, width: float) -> Piece:
    """A board on the wall with tools on hooks. Origin: middle of its upper edge."""
    piece = Piece(random, tones, width, 0.14, 0.9, solid=False)
    piece.block((0, -0.055, -0.85), (width, 0.025, 0.85), tones.timber(0.9))
    piece.block((0, -0.03, -0.12), (width - 0.1, 0.03, 0.05), tones.timber(0.7))
    x = -width / 2 + 0.14
    while x < width / 2 - 0.1:
        piece.add(clutter.hanging_tool(random, tones.wood), (x, -0.02, -0.1))
        x += float(random.uniform(0.14, 0.22))
    return piece


@fitting("hung", 0.7, 2.2)
def pegs(random: Random, tones: Tones, width: float) -> Piece:
    """A rail of pegs with a few coats, cloths and a coil of rope. Origin: middle of its upper edge."""
    piece = Piece(random, tones, width, 0.16, 0.9, solid=False)
    piece.block((0, -0.06, -0.11), (width, 0.03, 0.11), tones.timber(0.85))
    count = max(3, round(width / 0.28))
    for k in range(count):
        x = -width / 2 + width * (k + 0.5) / count
        peg = rod((0, -0.045, 0), (0, 0.06, 0.035), 0.014, shaded(tones.wood, 0.7), 6)
        what = random.random()
        if what < 0.45:
            long, wide = float(random.uniform(0.5, 0.85)), float(random.uniform(0.11, 0.16))
            colour = varied(tones.cloth if random.random() < 0.5 else tones.second, random, 0.2)
            cloth = shapes.lathe(
                [(0, -long), (wide, -long), (wide * 0.85, -long * 0.4), (wide * 0.55, -0.06), (0.02, 0.0)], colour, 10
            ).moved(placement((0, 0.02, 0), scale=(1.0, 0.35, 1.0)))
            piece.add(merged([peg, cloth]), (x, 0, -0.07))
        elif what < 0.6:
            piece.add(merged([peg, clutter.coil(float(random.uniform(0.12, 0.17)), SACKING)]), (x, 0, -0.07))
        else:
            piece.add(peg, (x, 0, -0.07))
    return piece


@fitting("hung", 0.8, 2.0)
def wall_shelf(random: Random, tones: Tones, width: float) -> Piece:
    """Two boards on brackets with jars and books. Origin: middle of its upper edge."""
    piece = Piece(random, tones, width, 0.26, 0.75, solid=False)
    for z in (-0.75, -0.37):
        piece.block((0, 0, z), (width, 0.24, 0.028), tones.timber())
        brackets = [slab((0.02, 0.2, 0.1), shaded(tones.metal, 0.6), (s * width * 0.38, -0.01, -0.1)) for s in (-1, 1)]
        piece.add(merged(brackets), (0, 0, z))
        piece.add(clutter.row(random, width - 0.08, 0.24, 0.32), (0, 0, z + 0.028))
    return piece


@fitting("corner", 0.9, 1.6)
def barrels(random: Random, tones: Tones, width: float) -> Piece:
    """Casks standing and one lying on top."""
    piece = Piece(random, tones, min(width, 1.5), 0.95, 1.3)
    for x, y in ((-0.38, -0.1), (0.36, -0.12), (0.0, 0.2))[: 2 if width < 1.2 else 3]:
        piece.add(_cask(random, tones), (x, y, 0))
    lying = _cask(random, tones).moved(placement((0, 0, 0), pitch=90))
    piece.add(lying, (0.0, 0.28, 1.1), yaw=float(random.uniform(-8, 8)))
    return piece


def _cask(random: Random, tones: Tones) -> Mesh:
    h, r = 0.82, 0.29
    colour = varied(tones.wood, random, 0.12)
    body = shapes.lathe(
        [(0, 0), (r * 0.82, 0), (r * 0.95, h * 0.25), (r, h * 0.5), (r * 0.95, h * 0.75), (r * 0.82, h),
         (r * 0.76, h), (r * 0.76, h - 0.03), (0, h - 0.03)], colour, 20,
    )  # fmt: skip
    hoops = [
        shapes.lathe([(rr, -0.02), (rr + 0.008, -0.02), (rr + 0.008, 0.02), (rr, 0.02)], IRON, 20).moved(
            placement((0, 0, z))
        )
        for z, rr in ((0.07, r * 0.87), (0.24, r * 0.96), (0.58, r * 0.96), (0.75, r * 0.87))
    ]
    return merged([body, *hoops])


@fitting("corner", 0.8, 1.6)
def sacks(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, min(width, 1.5), 0.9, 0.9)
    spots = [
        (-0.42, -0.1, 0.0),
        (0.05, -0.15, 0.0),
        (0.48, -0.05, 0.0),
        (-0.2, 0.2, 0.0),
        (-0.15, -0.12, 0.42),
        (0.3, -0.1, 0.42),
    ]
    for x, y, z in spots:
        colour = varied(SACKING, random, 0.12)
        lean = float(random.uniform(-9, 9))
        body = shapes.lathe(
            [(0, 0), (0.2, 0.02), (0.25, 0.14), (0.23, 0.36), (0.14, 0.46), (0.055, 0.5), (0.09, 0.57), (0, 0.56)],
            colour,
            14,
            70,
        )
        if z:
            body = body.moved(placement((0, -0.25, 0.2), pitch=-90, scale=(1.0, 0.8, 1.0)))
        piece.add(
            body, (x * min(width, 1.5) / 1.5, y, z), yaw=float(random.uniform(0, 360)) if not z else lean, roll=lean
        )
    return piece


@fitting("corner", 0.8, 1.7)
def crates(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, min(width, 1.5), 0.8, 1.25)
    scale = piece.width / 1.5
    for x, y, z in ((-0.4, 0, 0), (0.32, -0.05, 0), (-0.3, -0.03, 0.5), (0.3, 0.0, 0.5))[: int(random.integers(3, 5))]:
        size = (float(random.uniform(0.55, 0.66)) * scale, float(random.uniform(0.5, 0.6)), 0.46)
        turn = float(random.uniform(-7, 7))
        timber = tones.timber(float(random.uniform(0.85, 1.12)))
        piece.block((x * scale, y, z), size, timber, turn)
        slats = []
        for side in (-1, 1):
            slats.append(slab((size[0] + 0.02, 0.018, 0.08), shaded(timber.colour, 0.8), (0, side * size[1] / 2, 0.0)))
            slats.append(
                slab((size[0] + 0.02, 0.018, 0.08), shaded(timber.colour, 0.8), (0, side * size[1] / 2, size[2] - 0.08))
            )
            slats += [
                slab(
                    (0.08, 0.022, size[2]),
                    shaded(timber.colour, 0.75),
                    (k * (size[0] / 2 - 0.04), side * size[1] / 2, 0),
                )
                for k in (-1, 1)
            ]
        piece.add(merged(slats), (x * scale, y, z), yaw=turn)
    return piece


@fitting("corner", 0.6, 1.2)
def baskets(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, min(width, 1.1), 0.7, 0.75)
    for x, y, z, r in ((-0.28, 0, 0, 0.27), (0.27, -0.05, 0, 0.24), (-0.2, 0.0, 0.3, 0.22)):
        colour = varied((0.66, 0.52, 0.34), random, 0.15)
        body = shapes.lathe(
            [(0, 0), (r * 0.75, 0), (r, 0.3), (r * 1.05, 0.32), (r * 0.92, 0.32), (r * 0.7, 0.05), (0, 0.05)],
            colour,
            16,
        )
        bands = [
            shapes.torus(r * (0.78 + 0.25 * z2 / 0.32), 0.012, shaded(colour, 0.75), 16, 6).moved(placement((0, 0, z2)))
            for z2 in (0.05, 0.13, 0.21, 0.31)
        ]
        piece.add(merged([body, *bands]), (x * piece.width / 1.1, y, z))
    return piece


@fitting("corner", 0.5, 1.0)
def ladder(random: Random, tones: Tones, width: float) -> Piece:
    """Leaning against the wall."""
    piece = Piece(random, tones, 0.55, 0.6, 2.4)
    rails = [rod((s * 0.2, 0.28, 0), (s * 0.17, -0.24, 2.4), 0.025, tones.wood, 8) for s in (-1, 1)]
    rungs = [
        rod((-0.2, 0.28 - 0.52 * t, 2.4 * t), (0.2, 0.28 - 0.52 * t, 2.4 * t), 0.016, shaded(tones.wood, 0.85), 6)
        for t in (0.1, 0.22, 0.34, 0.46, 0.58, 0.7, 0.82, 0.94)
    ]
    piece.add(merged([*rails, *rungs]))
    return piece


@fitting("corner", 0.6, 1.3)
def brooms(random: Random, tones: Tones, width: float) -> Piece:
    """A broom, a rake and a shovel leaning together, a bucket beside them."""
    piece = Piece(random, tones, 0.9, 0.5, 1.6)
    for k, x in enumerate((-0.3, -0.1, 0.1)):
        lean = float(random.uniform(-0.08, 0.08))
        stick = rod((x, 0.1, 0.02), (x + lean, -0.2, 1.55), 0.016, varied(tones.wood, random, 0.2), 6)
        head = (
            slab((0.3, 0.06, 0.12), SACKING, (x, 0.1, 0))
            if k == 0
            else slab((0.22, 0.03, 0.28), tones.metal, (x, 0.1, 0))
        )
        piece.add(merged([stick, head]))
    bucket = shapes.lathe([(0, 0), (0.12, 0), (0.155, 0.28), (0.145, 0.28), (0.11, 0.02), (0, 0.02)], tones.metal, 16)
    piece.add(bucket, (0.32, 0.05, 0))
    piece.add(drum(0.01, 0.01, IRON), (0.32, 0.05, 0.28))
    return piece
