"""A fitting while it is built and placed: boxes and meshes around its origin, facing +y with the wall behind at -y."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from storyengine.previz.looks import Colour
from storyengine.previz.places.model import Bounds, Obstacle, Top
from storyengine.previz.places.tones import Tones
from storyengine.previz.render import Box, Instance, Lamp, Material, Mesh, Vec3, composed, placement, shapes
from storyengine.previz.render.values import Floats

Random = np.random.Generator


@dataclass(frozen=True)
class Glowing:
    """A mesh of a piece, and how much light of its own it has."""

    mesh: Mesh
    glow: float = 0.0


@dataclass
class Piece:
    """A fitting under construction. Its origin is the middle of its footprint, or the point it hangs from."""

    random: Random
    tones: Tones
    width: float
    depth: float
    height: float
    boxes: list[Box] = field(default_factory=list)
    meshes: list[Glowing] = field(default_factory=list)
    lamps: list[Lamp] = field(default_factory=list)
    tops: list[Top] = field(default_factory=list)
    solid: bool = True
    """False where people and cameras may pass: rugs, lamps, beams."""

    def block(self, at: Vec3, size: Vec3, material: Material, yaw: float = 0.0) -> None:
        """A box; `at` is the middle of its underside."""
        self.boxes.append(Box((at[0], at[1], at[2] + size[2] / 2), size, material, yaw))

    def add(
        self, mesh: Mesh, at: Vec3 = (0, 0, 0), yaw: float = 0, pitch: float = 0, roll: float = 0, glow: float = 0
    ) -> None:
        """A mesh of its own. Keep it compact: it shades the room through its bounding box."""
        self.meshes.append(Glowing(mesh.moved(placement(at, yaw, pitch, roll)), glow))

    def top(self, name: str, at: Vec3, width: float, depth: float) -> None:
        self.tops.append(Top(name, at, 0.0, width, depth))


@dataclass(frozen=True, eq=False)
class Placed:
    """A piece somewhere in the world."""

    boxes: tuple[Box, ...]
    fittings: tuple[Instance, ...]
    lamps: tuple[Lamp, ...]
    tops: tuple[Top, ...]
    obstacle: Obstacle | None
    bounds: Bounds


def place(piece: Piece, at: Vec3, yaw: float, number: int) -> Placed:
    """Moves a piece into the world; `number` is its id in the id buffer."""
    matrix = placement(at, yaw)
    boxes = tuple(replace(box, centre=_moved(matrix, box.centre), yaw=box.yaw + yaw, id=number) for box in piece.boxes)
    fittings = tuple(
        Instance(part.mesh, composed(matrix, placement()), number, glow=part.glow, casts_shadow=part.glow < 0.5)
        for part in piece.meshes
    )
    lamps = tuple(replace(lamp, position=_moved(matrix, lamp.position)) for lamp in piece.lamps)
    tops = tuple(replace(top, position=_moved(matrix, top.position), yaw=yaw) for top in piece.tops)
    return Placed(boxes, fittings, lamps, tops, _obstacle(piece, at, yaw), _bounds(boxes, fittings))


def _moved(matrix: Floats, point: Vec3) -> Vec3:
    out = matrix[:, :3] @ np.array(point) + matrix[:, 3]
    return (float(out[0]), float(out[1]), float(out[2]))


def _obstacle(piece: Piece, at: Vec3, yaw: float) -> Obstacle | None:
    if not piece.solid:
        return None
    return Obstacle((at[0], at[1]), (piece.width / 2, piece.depth / 2), yaw, at[2], at[2] + piece.height)


def _bounds(boxes: tuple[Box, ...], fittings: tuple[Instance, ...]) -> Bounds:
    points = [np.array(corner) for box in boxes for corner in _corners(box)]
    for fitting in fittings:
        moved = fitting.mesh.vertices @ fitting.matrix[:, :3].T + fitting.matrix[:, 3]
        points += [moved.min(axis=0), moved.max(axis=0)]
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    return Bounds((float(low[0]), float(low[1]), float(low[2])), (float(high[0]), float(high[1]), float(high[2])))


def _corners(box: Box) -> list[Vec3]:
    a = math.radians(-box.yaw)
    out = []
    for sx in (-0.5, 0.5):
        for sy in (-0.5, 0.5):
            x, y = sx * box.size[0], sy * box.size[1]
            at = (box.centre[0] + x * math.cos(a) - y * math.sin(a), box.centre[1] + x * math.sin(a) + y * math.cos(a))
            out += [(*at, box.centre[2] + sz * box.size[2]) for sz in (-0.5, 0.5)]
    return out


# ------------------------------------------------------------------------------------------------- small solids


def slab(size: Vec3, colour: Colour, at: Vec3 = (0, 0, 0), bevel: float = 0.0) -> Mesh:
    """A box mesh; `at` is the middle of its underside."""
    return shapes.box(size, colour, bevel).moved(placement((at[0], at[1], at[2] + size[2] / 2)))


def drum(radius: float, height: float, colour: Colour, at: Vec3 = (0, 0, 0), sides: int = 16) -> Mesh:
    """An upright cylinder; `at` is the middle of its underside."""
    return shapes.cylinder(radius, height, colour, sides).moved(placement((at[0], at[1], at[2] + height / 2)))


def rod(start: Vec3, end: Vec3, radius: float, colour: Colour, sides: int = 8) -> Mesh:
    return shapes.tube([start, end], radius, colour, sides)
