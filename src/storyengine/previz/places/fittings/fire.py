"""Heat and steam: stoves, ovens, hearths, furnaces, boilers, pipes."""

from __future__ import annotations

from storyengine.previz.places.fittings.registry import fitting
from storyengine.previz.places.piece import Piece, Random, drum, rod, slab
from storyengine.previz.places.tones import BRASS, COPPER, CREAM, DARK, EMBER, IRON, STEEL, Tones, shaded, varied
from storyengine.previz.render import Lamp, Material, merged, placement, shapes

FIRE_LIGHT = (1.0, 0.62, 0.34)


def _brick(random: Random, tones: Tones) -> Material:
    return Material("brick", varied((0.60, 0.44, 0.37), random, 0.15), seed=tones.variant)


@fitting("wall", 0.8, 1.4)
def stove(random: Random, tones: Tones, width: float) -> Piece:
    """A cast-iron range with a rail, pots and a pipe up the wall."""
    piece = Piece(random, tones, min(width, 1.2), 0.7, 0.9)
    w = piece.width
    iron = Material("paint", (0.25, 0.26, 0.27), seed=tones.variant)
    for x in (-w / 2 + 0.1, w / 2 - 0.1):
        for y in (-0.25, 0.25):
            piece.block((x, y, 0), (0.07, 0.07, 0.14), iron)
    piece.block((0, 0, 0.14), (w, 0.64, 0.66), iron)
    piece.block((0, 0, 0.8), (w + 0.04, 0.68, 0.05), Material("paint", (0.34, 0.35, 0.36), seed=tones.variant))
    for x in (-w * 0.25, w * 0.25):
        piece.block((x, 0.325, 0.3), (w * 0.38, 0.03, 0.36), Material("paint", (0.32, 0.33, 0.35), seed=tones.variant))
        piece.add(rod((x - 0.1, 0.36, 0.58), (x + 0.1, 0.36, 0.58), 0.012, BRASS, 6))
    piece.add(rod((-w / 2, 0.4, 0.78), (w / 2, 0.4, 0.78), 0.014, BRASS))
    piece.add(drum(0.09, 1.9, IRON, (w * 0.3, -0.2, 0.85), 14))
    pot = shapes.lathe(
        [(0, 0), (0.14, 0), (0.15, 0.16), (0.16, 0.17), (0.14, 0.17), (0.12, 0.02), (0, 0.02)], COPPER, 18
    )
    piece.add(pot, (-w * 0.25, 0.05, 0.85))
    piece.add(merged([drum(0.1, 0.13, STEEL), drum(0.03, 0.03, DARK, (0, 0, 0.13), 10)]), (w * 0.05, -0.08, 0.85))
    return piece


@fitting("wall", 1.4, 2.4)
def oven(random: Random, tones: Tones, width: float) -> Piece:
    """A brick baking oven: two arched mouths with iron doors, a ledge, a hood."""
    piece = Piece(random, tones, min(width, 2.2), 0.9, 2.1)
    w, brick = piece.width, _brick(random, tones)
    piece.block((0, -0.05, 0), (w, 0.8, 1.75), brick)
    piece.block((0, -0.1, 1.75), (w * 0.7, 0.65, 0.35), brick)
    piece.block((0, 0.36, 0.82), (w, 0.16, 0.07), Material("stone", (0.66, 0.63, 0.57), seed=tones.variant))
    for x in (-w * 0.25, w * 0.25):
        door = merged([slab((w * 0.34, 0.036, 0.34), IRON, (0, 0, 0)),
                       shapes.cylinder(w * 0.17, 0.03, IRON, 24).moved(placement((0, 0, 0.34), pitch=90)),
                       rod((-0.08, 0.04, 0.3), (0.08, 0.04, 0.3), 0.012, BRASS, 6)])  # fmt: skip
        piece.add(door, (x, 0.365, 0.93))
        piece.add(slab((w * 0.28, 0.012, 0.22), DARK), (x, 0.356, 0.42))
    return piece


@fitting("wall", 1.2, 2.0)
def furnace(random: Random, tones: Tones, width: float) -> Piece:
    """A brick furnace with a glowing mouth under an iron hood."""
    piece = Piece(random, tones, min(width, 1.8), 0.95, 2.3)
    w, brick = piece.width, _brick(random, tones)
    piece.block((0, -0.05, 0), (w, 0.85, 0.7), brick)
    for s in (-1, 1):
        piece.block((s * w * 0.36, -0.05, 0.7), (w * 0.28, 0.85, 0.75), brick)
    piece.block(
        (0, -0.38, 0.7), (w * 0.5, 0.2, 0.75), Material("brick", (0.34, 0.22, 0.18), seed=tones.variant, glow=0.12)
    )
    piece.block((0, -0.05, 1.45), (w, 0.85, 0.16), Material("stone", (0.55, 0.52, 0.48), seed=tones.variant))
    piece.block((0, -0.1, 1.61), (w * 0.62, 0.7, 0.7), Material("metal", (0.38, 0.37, 0.36), seed=tones.variant))
    coals = []
    for _ in range(34):
        x, y = float(random.uniform(-0.2, 0.2)) * w, float(random.uniform(-0.25, 0.3))
        colour = EMBER if random.random() < 0.6 else (0.45, 0.16, 0.10)
        coals.append(shapes.sphere(float(random.uniform(0.03, 0.06)), colour, 8, 5).moved(placement((x, y, 0.03))))
    piece.add(merged(coals), (0, 0, 0.7), glow=0.8)
    piece.lamps.append(Lamp((0, 0.5, 0.95), FIRE_LIGHT, 0.55, 0.2, 0.0))
    return piece


@fitting("wall", 1.2, 2.0)
def fireplace(random: Random, tones: Tones, width: float) -> Piece:
    """A hearth with a mantel and a small fire."""
    piece = Piece(random, tones, min(width, 1.7), 0.55, 2.4)
    w = piece.width
    stone = Material("stone", varied((0.64, 0.61, 0.56), random, 0.1), scale=0.8, seed=tones.variant)
    for s in (-1, 1):
        piece.block((s * (w / 2 - 0.18), 0, 0), (0.36, 0.5, 1.1), stone)
    piece.block((0, 0, 1.1), (w, 0.5, 0.2), stone)
    piece.block((0, 0.03, 1.3), (w + 0.14, 0.6, 0.06), tones.timber(0.8))
    piece.block((0, -0.08, 1.36), (w * 0.75, 0.36, 1.2), stone)
    piece.block((0, -0.24, 0), (w - 0.7, 0.04, 1.1), Material("brick", (0.26, 0.21, 0.19), seed=tones.variant))
    logs = [
        rod((-0.22, 0.02 * k, 0.08 + 0.05 * k), (0.22, -0.04 * k, 0.09 + 0.04 * k), 0.045, (0.34, 0.24, 0.18))
        for k in range(3)
    ]
    piece.add(merged(logs))
    flames = [
        shapes.cone(0.06, 0.0, float(random.uniform(0.16, 0.3)), EMBER, 10).moved(placement((x, 0, 0.28)))
        for x in (-0.14, -0.03, 0.09, 0.17)
    ]
    piece.add(merged(flames), glow=1.0)
    piece.add(merged([drum(0.03, 0.16, CREAM, (x, 0.1, 1.36), 10) for x in (-w * 0.35, -w * 0.28, w * 0.33)]))
    piece.lamps.append(Lamp((0, 0.5, 0.5), FIRE_LIGHT, 0.5, 0.2, 0.0))
    return piece


@fitting("wall", 1.0, 1.8)
def boiler(random: Random, tones: Tones, width: float) -> Piece:
    """An upright riveted boiler with gauge, firebox door and pipes."""
    piece = Piece(random, tones, 1.1, 0.95, 2.2)
    r, colour = 0.44, shaded(tones.paint, 0.75)
    piece.block((0, 0, 0), (1.05, 0.9, 0.12), Material("concrete", (0.56, 0.55, 0.52), seed=tones.variant))
    body = shapes.lathe([(0, 0), (r, 0), (r, 1.5), (r * 0.85, 1.68), (r * 0.4, 1.78), (0, 1.8)], colour, 28)
    bands = [
        shapes.lathe([(r, -0.03), (r + 0.012, -0.03), (r + 0.012, 0.03), (r, 0.03)], shaded(colour, 0.7), 28).moved(
            placement((0, 0, z))
        )
        for z in (0.06, 0.75, 1.47)
    ]
    rivets = []
    for z in (0.06, 0.75, 1.47):
        for k in range(22):
            turn = placement((0, 0, z), yaw=k * 360 / 22)
            rivets.append(
                shapes.box((0.022, 0.012, 0.022), shaded(colour, 1.15)).moved(placement((0, r + 0.015, 0))).moved(turn)
            )
    piece.add(merged([body, *bands, *rivets]), (0, 0, 0.12))
    piece.add(
        merged([slab((0.34, 0.05, 0.3), IRON), slab((0.2, 0.02, 0.05), EMBER, (0, 0.025, 0.06))]), (0, r + 0.0, 0.3)
    )
    gauge = [shapes.cylinder(0.1, 0.04, BRASS, 20), shapes.cylinder(0.085, 0.045, CREAM, 20)]
    piece.add(merged([g.moved(placement((0, 0, 0), pitch=90)) for g in gauge]), (0, r + 0.03, 1.35))
    piece.add(drum(0.11, 1.2, IRON, (0, 0, 1.9), 16))
    piece.add(shapes.tube([(0.3, 0.2, 1.2), (0.52, 0.2, 1.2), (0.52, 0.2, 2.3)], 0.04, COPPER, 10))
    return piece


@fitting("hung", 1.2, 4.0)
def pipes(random: Random, tones: Tones, width: float) -> Piece:
    """Pipes along the wall with valves and brackets. Origin: middle of the upper pipe."""
    piece = Piece(random, tones, width, 0.2, 0.5, solid=False)
    colours = (COPPER, shaded(tones.paint, 0.9), tones.metal)
    for k, z in enumerate((0.0, -0.16, -0.3)[: int(random.integers(2, 4))]):
        r = (0.05, 0.04, 0.03)[k]
        piece.add(rod((-width / 2, -0.02, z), (width / 2, -0.02, z), r, colours[k], 10))
        joints = [
            shapes.cylinder(r * 1.35, 0.07, shaded(colours[k], 0.8), 12).moved(placement((x, -0.02, z), roll=90))
            for x in (-width * 0.38, -width * 0.05, width * 0.3)
        ]
        piece.add(merged(joints))
    x = float(random.uniform(-0.3, 0.3)) * width
    wheel = merged([shapes.torus(0.09, 0.014, (0.55, 0.25, 0.20), 18, 6).moved(placement((0, 0.12, 0), pitch=90)),
                    rod((0, 0, 0), (0, 0.12, 0), 0.02, IRON, 8),
                    rod((-0.09, 0.12, 0), (0.09, 0.12, 0), 0.01, IRON, 6)])  # fmt: skip
    piece.add(wheel, (x, 0, 0))
    for x in (-width * 0.45, width * 0.45):
        piece.add(slab((0.04, 0.05, 0.5), IRON), (x, -0.075, -0.42))
    return piece
