"""Where work is done: benches, counters, machines, vessels, boards."""

from __future__ import annotations

import math

from storyengine.previz.places.fittings import clutter
from storyengine.previz.places.fittings.registry import fitting
from storyengine.previz.places.piece import Piece, Random, drum, rod, slab
from storyengine.previz.places.tones import BRASS, COPPER, CREAM, DARK, IRON, STEEL, Tones, shaded, small_thing
from storyengine.previz.render import Material, Mesh, merged, placement, shapes


def _legs(piece: Piece, height: float, thick: float = 0.09) -> None:
    for sx in (-1, 1):
        for sy in (-1, 1):
            at = (sx * (piece.width / 2 - thick), sy * (piece.depth / 2 - thick), 0.0)
            piece.block(at, (thick, thick, height), piece.tones.timber(0.85))


@fitting("wall", 1.2, 2.6)
def workbench(random: Random, tones: Tones, width: float) -> Piece:
    """A thick top on legs with a board below, a vice, and work lying about."""
    piece = Piece(random, tones, width, 0.72, 0.9)
    _legs(piece, 0.82)
    piece.block((0, 0, 0.82), (width, 0.72, 0.075), tones.timber())
    piece.block((0, 0, 0.2), (width - 0.14, 0.55, 0.03), tones.timber(0.8))
    piece.block((0, 0.28, 0.68), (width - 0.2, 0.03, 0.13), tones.timber(0.9))
    piece.add(clutter.row(random, width - 0.3, 0.5, 0.4, (clutter.boxes, clutter.tins)), (0, 0, 0.23))
    third = width / 3
    piece.add(clutter.row(random, third, 0.3, 0.3), (-width / 2 + third / 2 + 0.05, -0.18, 0.895))
    vice = merged([slab((0.16, 0.1, 0.12), IRON), slab((0.14, 0.06, 0.13), shaded(IRON, 1.3), (0, 0.12, 0)),
                   rod((-0.1, 0.17, 0.05), (0.1, 0.17, 0.05), 0.01, STEEL, 6)])  # fmt: skip
    piece.add(vice, (width * 0.33, 0.2, 0.895))
    piece.add(slab((0.34, 0.22, 0.008), CREAM), (0.05, -0.05, 0.895), yaw=float(random.uniform(-20, 20)))
    piece.top("workbench", (0, 0.05, 0.895), width * 0.5, 0.45)
    return piece


@fitting("wall", 1.2, 3.0)
def counter(random: Random, tones: Tones, width: float) -> Piece:
    """A closed counter with panelled front and an overhanging top."""
    piece = Piece(random, tones, width, 0.65, 0.98)
    painted = tones.painted()
    piece.block((0, -0.02, 0.08), (width - 0.06, 0.55, 0.86), painted)
    piece.block((0, -0.04, 0), (width - 0.12, 0.48, 0.08), tones.coloured(shaded(tones.paint, 0.5)))
    piece.block((0, 0, 0.94), (width, 0.65, 0.045), tones.timber())
    count = max(2, round(width / 0.55))
    for k in range(count):
        x = (-0.5 + (k + 0.5) / count) * (width - 0.1)
        piece.block((x, 0.258, 0.16), (width / count - 0.14, 0.018, 0.68), tones.coloured(shaded(tones.paint, 1.12)))
    piece.add(clutter.row(random, width * 0.4, 0.3, 0.3), (-width * 0.25, -0.15, 0.985))
    piece.top("counter", (width * 0.1, 0.08, 0.985), width * 0.6, 0.4)
    return piece


@fitting("wall", 1.0, 1.7)
def desk(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, width, 0.68, 0.76)
    piece.block((0, 0, 0.72), (width, 0.68, 0.04), tones.timber())
    for s in (-1, 1):
        piece.block((s * (width / 2 - 0.22), 0, 0.06), (0.38, 0.58, 0.66), tones.timber(0.9))
        fronts = [slab((0.32, 0.012, 0.17), shaded(tones.wood, 1.06), (0, 0.293, z)) for z in (0.12, 0.32, 0.52)]
        knobs = [shapes.sphere(0.014, BRASS, 6, 4).moved(placement((0, 0.305, z))) for z in (0.2, 0.4, 0.6)]
        piece.add(merged([*fronts, *knobs]), (s * (width / 2 - 0.22), 0, 0))
    papers = [
        slab((0.21, 0.29, 0.006), CREAM, (0, 0, 0.007 * k)).moved(placement((0, 0, 0), yaw=14.0 * k)) for k in range(3)
    ]
    piece.add(merged(papers), (-0.2, 0.02, 0.76))
    piece.add(clutter.books(random, 0.5, 0.3, 0.35), (width * 0.28, -0.15, 0.76))
    piece.top("desk", (0.1, 0.1, 0.76), width * 0.5, 0.4)
    return piece


@fitting("wall", 1.2, 2.2)
def table(random: Random, tones: Tones, width: float) -> Piece:
    piece = Piece(random, tones, width, 0.75, 0.78)
    _legs(piece, 0.74, 0.07)
    piece.block((0, 0, 0.74), (width, 0.75, 0.04), tones.timber())
    piece.block((0, 0, 0.64), (width - 0.16, 0.6, 0.1), tones.timber(0.9))
    piece.add(clutter.bowls(random, width * 0.5, 0.4, 0.3), (-width * 0.15, -0.15, 0.78))
    piece.top("table", (0, 0.08, 0.78), width * 0.8, 0.5)
    return piece


@fitting("wall", 1.2, 2.6)
def sinks(random: Random, tones: Tones, width: float) -> Piece:
    """A stone trough on piers, taps on a pipe along the wall, a splashback of tiles."""
    piece = Piece(random, tones, width, 0.58, 0.9)
    stone = Material("concrete", (0.66, 0.65, 0.61), seed=tones.variant)
    for x in (-width / 2 + 0.15, width / 2 - 0.15):
        piece.block((x, 0, 0), (0.2, 0.45, 0.6), stone)
    piece.block((0, 0, 0.6), (width, 0.58, 0.08), stone)
    for y in (-0.25, 0.25):
        piece.block((0, y, 0.68), (width, 0.07, 0.2), stone)
    for x in (-width / 2 + 0.035, width / 2 - 0.035, 0.0):
        piece.block((x, 0, 0.68), (0.07, 0.44, 0.19), stone)
    piece.block(
        (0, -0.28, 0.9), (width, 0.02, 0.6), Material("tiles", (0.80, 0.80, 0.76), scale=0.6, seed=tones.variant)
    )
    pipe = rod((-width / 2, -0.22, 1.2), (width / 2, -0.22, 1.2), 0.022, COPPER)
    piece.add(pipe)
    for x in (-width / 4, width / 4):
        spout = shapes.tube([(0, -0.22, 1.2), (0, -0.1, 1.22), (0, -0.04, 1.18), (0, -0.03, 1.1)], 0.018, BRASS, 8)
        piece.add(merged([spout, slab((0.1, 0.02, 0.02), BRASS, (0, -0.2, 1.24))]), (x, 0, 0))
    return piece


@fitting("wall", 1.0, 2.4)
def machine(random: Random, tones: Tones, width: float) -> Piece:
    """A cast-iron machine: bed, head, flywheel, belt pulley, hand wheels."""
    piece = Piece(random, tones, min(width, 1.7), 0.8, 1.55)
    w = piece.width
    body, dark = tones.painted(0.9), tones.steel(0.6)
    for x in (-w * 0.34, w * 0.34):
        piece.block((x, 0, 0), (w * 0.2, 0.6, 0.1), dark)
        piece.block((x, 0, 0.1), (w * 0.14, 0.45, 0.6), body)
    piece.block((0, 0, 0.7), (w, 0.55, 0.14), body)
    piece.block((-w * 0.3, -0.05, 0.84), (w * 0.26, 0.42, 0.6), body)
    piece.block((w * 0.1, 0.05, 0.84), (w * 0.22, 0.3, 0.16), tones.steel())
    wheel = _hand_wheel(0.36, IRON, 0.035)
    piece.add(wheel, (-w * 0.48, -0.02, 1.05), yaw=90)
    piece.add(_hand_wheel(0.13, BRASS, 0.014), (w * 0.1, 0.26, 0.95), yaw=180)
    piece.add(shapes.cylinder(0.07, w * 0.5, STEEL, 14).moved(placement((0.04, 0, 1.15), roll=90)))
    dial = [shapes.cylinder(0.05, 0.01, CREAM, 14), shapes.torus(0.05, 0.008, BRASS, 16, 6)]
    piece.add(merged([part.moved(placement((0, 0, 0), pitch=90)) for part in dial]), (-w * 0.3, 0.167, 1.3))
    piece.add(rod((w * 0.3, 0.1, 0.84), (w * 0.36, 0.25, 1.2), 0.015, STEEL))
    piece.add(shapes.sphere(0.03, (0.5, 0.2, 0.16), 10, 8), (w * 0.36, 0.25, 1.2))
    return piece


def _hand_wheel(radius: float, colour: tuple[float, float, float], thick: float) -> Mesh:
    """A spoked wheel that faces ±y."""
    spokes = [
        rod((0, 0, 0), (radius * math.cos(a), 0, radius * math.sin(a)), thick * 0.5, colour, 6)
        for a in (0.3 + 2 * math.pi * k / 5 for k in range(5))
    ]
    hub = shapes.cylinder(thick * 1.6, thick * 2.4, colour, 12).moved(placement((0, 0, 0), pitch=90))
    return merged([shapes.torus(radius, thick, colour, 24, 8).moved(placement((0, 0, 0), pitch=90)), hub, *spokes])


@fitting("wall", 0.9, 1.4)
def press(random: Random, tones: Tones, width: float) -> Piece:
    """Two uprights, a screw with a bar, a bed: for paper, cheese or grapes."""
    piece = Piece(random, tones, 1.0, 0.75, 1.9)
    piece.block((0, 0, 0), (1.0, 0.7, 0.16), tones.timber(0.8))
    piece.block((0, 0, 0.16), (0.7, 0.62, 0.5), tones.timber())
    for s in (-1, 1):
        piece.block((s * 0.43, 0, 0.16), (0.13, 0.2, 1.5), tones.timber(0.85))
    piece.block((0, 0, 1.62), (1.0, 0.26, 0.2), tones.timber(0.9))
    piece.block((0, 0, 0.95), (0.62, 0.5, 0.08), tones.timber(0.9))
    piece.add(drum(0.055, 0.95, STEEL, (0, 0, 1.0), 14))
    piece.add(rod((-0.4, 0.12, 1.3), (0.4, -0.12, 1.3), 0.022, IRON))
    piece.top("press", (0, 0, 0.66), 0.6, 0.5)
    return piece


@fitting("wall", 1.0, 2.6)
def vats(random: Random, tones: Tones, width: float) -> Piece:
    """Round wooden or copper vats side by side on a plinth."""
    piece = Piece(random, tones, width, 0.95, 1.25)
    count = max(1, round(width / 1.0))
    copper = random.random() < 0.35
    piece.block((0, 0, 0), (width, 0.9, 0.14), Material("concrete", (0.6, 0.58, 0.54), seed=tones.variant))
    r = min(width / count / 2 - 0.04, 0.46)
    colour = COPPER if copper else tones.wood
    for k in range(count):
        x = (-0.5 + (k + 0.5) / count) * width
        body = shapes.lathe([(0, 0), (r, 0), (r * 0.93, 1.0), (r * 0.86, 1.0), (r * 0.86, 0.82), (0, 0.82)], colour, 24)
        hoops = [
            shapes.lathe([(q, -0.022), (q + 0.01, -0.022), (q + 0.01, 0.022), (q, 0.022)], IRON, 24).moved(
                placement((0, 0, z))
            )
            for z, q in ((0.12, r * 0.992), (0.45, r * 0.97), (0.85, r * 0.94))
        ]
        tap = shapes.tube([(0, r * 0.98, 0.12), (0, r + 0.09, 0.12), (0, r + 0.1, 0.06)], 0.02, BRASS, 8)
        inside = drum(r * 0.86, 0.01, (0.42, 0.36, 0.26), (0, 0, 0.83), 24)
        piece.add(merged([body, *hoops, tap, inside]), (x, 0, 0.14))
    return piece


@fitting("hung", 1.2, 2.6)
def blackboard(random: Random, tones: Tones, width: float) -> Piece:
    """A board with a chalk drawing of lines, no words. Origin: middle of its upper edge."""
    piece = Piece(random, tones, width, 0.08, 1.05, solid=False)
    piece.block((0, -0.025, -1.05), (width, 0.03, 1.05), tones.timber())
    piece.block((0, -0.008, -1.0), (width - 0.1, 0.012, 0.95), Material("paint", (0.20, 0.25, 0.23), seed=1))
    piece.block((0, 0.02, -1.07), (width, 0.08, 0.02), tones.timber(0.9))
    marks = []
    for _ in range(int(random.integers(7, 12))):
        x, z = float(random.uniform(-0.42, 0.42)) * width, float(random.uniform(-0.85, -0.15))
        wide = float(random.uniform(0.12, 0.4))
        if random.random() < 0.4:
            marks.append(shapes.torus(wide * 0.25, 0.004, CREAM, 16, 4).moved(placement((x, 0, z), pitch=90)))
        else:
            marks.append(slab((wide, 0.003, 0.009), CREAM, (x, 0, z)))
    piece.add(merged(marks), (0, 0.001, 0))
    piece.add(merged([slab((0.08, 0.025, 0.02), CREAM, (k * 0.14, 0, 0)) for k in range(3)]), (0, 0.025, -1.05))
    return piece


@fitting("wall", 1.2, 2.8)
def switchboard(random: Random, tones: Tones, width: float) -> Piece:
    """A wall of panels with dials, lamps and switches."""
    piece = Piece(random, tones, width, 0.35, 2.0)
    count = max(2, round(width / 0.7))
    wide = width / count
    piece.block((0, 0, 0), (width, 0.3, 0.12), tones.steel(0.5))
    for k in range(count):
        x = -width / 2 + wide * (k + 0.5)
        piece.block((x, -0.01, 0.12), (wide - 0.01, 0.3, 1.88), tones.painted(0.95 + 0.1 * (k % 2)))
        piece.add(merged([*_dials(random, wide), *_switches(random, wide)]), (x, 0, 0))
        grille = (wide * 0.7, 0.012, float(random.uniform(0.14, 0.34)))
        piece.add(slab(grille, shaded(tones.paint, 0.7), (x, 0.142, float(random.uniform(0.2, 0.32)))))
    return piece


def _dials(random: Random, wide: float) -> list[Mesh]:
    """One to three dials across a panel, each with its needle somewhere else."""
    count = int(random.integers(1, 4))
    radius = min(0.42 * wide / count, float(random.uniform(0.07, 0.13)))
    z, out = float(random.uniform(1.52, 1.72)), []
    for j in range(count):
        at = ((j + 0.5) / count * wide * 0.9 - wide * 0.45, 0.15, z)
        out.append(shapes.cylinder(radius, 0.03, DARK, 18).moved(placement(at, pitch=90)))
        out.append(shapes.cylinder(radius * 0.85, 0.034, CREAM, 18).moved(placement(at, pitch=90)))
        a, long = float(random.uniform(-2, 2)), radius * 0.66
        out.append(rod((at[0], 0.17, z), (at[0] + long * math.sin(a), 0.17, z + long * math.cos(a)), 0.005, DARK, 4))
    return out


def _switches(random: Random, wide: float) -> list[Mesh]:
    columns, rows = int(random.integers(2, 6)), int(random.integers(3, 6))
    across, up = wide * 0.8 / columns, float(random.uniform(0.1, 0.14))
    size = (min(0.5 * across, 0.06), 0.03, 0.45 * up)
    return [
        slab(size, small_thing(random), ((i + 0.5) * across - wide * 0.4, 0.145, 0.75 + up * j))
        for i in range(columns)
        for j in range(rows)
        if random.random() < 0.75
    ]


@fitting("wall", 1.3, 2.2)
def loom(random: Random, tones: Tones, width: float) -> Piece:
    """A frame with a half-woven cloth."""
    piece = Piece(random, tones, min(width, 1.8), 0.9, 1.7)
    w = piece.width
    for sx in (-1, 1):
        for y, h in ((-0.38, 1.7), (0.38, 1.0)):
            piece.block((sx * (w / 2 - 0.05), y, 0), (0.09, 0.09, h), tones.timber())
        piece.block((sx * (w / 2 - 0.05), 0, 0.75), (0.07, 0.72, 0.08), tones.timber(0.9))
    piece.block((0, -0.38, 1.6), (w, 0.1, 0.1), tones.timber(0.9))
    for y, z in ((0.38, 0.9), (-0.38, 0.9)):
        piece.add(shapes.cylinder(0.06, w - 0.15, tones.wood, 14).moved(placement((0, y, z), roll=90)))
    piece.block((0, 0.15, 0.93), (w - 0.35, 0.5, 0.012), Material("cloth", tones.cloth, tones.second, scale=0.5))
    threads = [
        rod((x, -0.1, 0.94), (x, -0.38, 1.62), 0.004, CREAM, 4)
        for x in (w * (-0.38 + 0.76 * k / 15) for k in range(16))
    ]
    piece.add(merged(threads))
    return piece
