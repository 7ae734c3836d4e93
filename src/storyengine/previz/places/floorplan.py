"""The floor plan of a room: which stretch of which wall is taken, and by what.

A position on a wall is `along`: metres from its left end as seen from inside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from storyengine.previz.render import Vec3

WallName = Literal["north", "east", "south", "west"]
WALLS: tuple[WallName, ...] = ("north", "east", "south", "west")
GAP = 0.06
"""Least air between two neighbours at a wall, metres."""


@dataclass(frozen=True)
class Stretch:
    """A taken piece of a wall: from, to, and how far it comes into the room."""

    start: float
    end: float
    depth: float


@dataclass
class Wall:
    """One wall while the room is laid out. Floor and upper part are taken separately."""

    name: WallName
    length: float
    room: tuple[float, float]
    low: list[Stretch] = field(default_factory=list)
    """What stands on the floor."""
    tall: list[Stretch] = field(default_factory=list)
    """What reaches above a metre: windows and hung things must keep clear."""

    @property
    def inward(self) -> float:
        """Bearing of the direction into the room."""
        return {"north": 180.0, "east": 270.0, "south": 0.0, "west": 90.0}[self.name]

    def point(self, along: float, out: float, z: float = 0.0) -> Vec3:
        """The world point at a position on the wall, `out` metres into the room."""
        w, d = self.room
        if self.name == "north":
            return (along, d - out, z)
        if self.name == "east":
            return (w - out, d - along, z)
        if self.name == "south":
            return (w - along, out, z)
        return (out, along, z)

    def gaps(self, layer: Literal["low", "tall"], margin: float = 0.1) -> list[tuple[float, float]]:
        """Free stretches, from left to right."""
        taken = sorted(self.low if layer == "low" else self.tall, key=lambda s: s.start)
        out, at = [], margin
        for stretch in taken:
            if stretch.start - GAP > at:
                out.append((at, stretch.start - GAP))
            at = max(at, stretch.end + GAP)
        if self.length - margin > at:
            out.append((at, self.length - margin))
        return out

    def nearest(self, layer: Literal["low", "tall"], along: float, width: float, margin: float = 0.1) -> float | None:
        """The free position nearest to `along` for something so wide; None where nothing is free."""
        best: float | None = None
        for start, end in self.gaps(layer, margin):
            if end - start < width:
                continue
            at = min(max(along, start + width / 2), end - width / 2)
            if best is None or abs(at - along) < abs(best - along):
                best = at
        return best

    def nearest_clear(self, along: float, width: float) -> float | None:
        """The nearest position that is free on the floor and above."""
        best: float | None = None
        for start, end in self.gaps("low"):
            for high_start, high_end in self.gaps("tall"):
                left, right = max(start, high_start), min(end, high_end)
                if right - left < width:
                    continue
                at = min(max(along, left + width / 2), right - width / 2)
                if best is None or abs(at - along) < abs(best - along):
                    best = at
        return best

    def take(self, along: float, width: float, depth: float, *, low: bool, tall: bool) -> None:
        stretch = Stretch(along - width / 2, along + width / 2, depth)
        if low:
            self.low.append(stretch)
        if tall:
            self.tall.append(stretch)


@dataclass(frozen=True)
class FloorPlan:
    """The four walls of a room that is being laid out."""

    width: float
    depth: float
    height: float
    walls: dict[WallName, Wall]

    @classmethod
    def empty(cls, width: float, depth: float, height: float) -> FloorPlan:
        room = (width, depth)
        walls = {name: Wall(name, width if name in ("north", "south") else depth, room) for name in WALLS}
        return cls(width, depth, height, walls)

    def take(
        self, wall: Wall, along: float, width: float, depth: float, *, low: bool = True, tall: bool = True
    ) -> None:
        """Takes a stretch, and the corner of the neighbouring wall where it reaches into it."""
        wall.take(along, width, depth, low=low, tall=tall)
        order = WALLS.index(wall.name)
        right, left = self.walls[WALLS[(order + 1) % 4]], self.walls[WALLS[(order - 1) % 4]]
        if along + width / 2 > wall.length - 1.0:
            right.take(depth / 2, depth, 1.0, low=low, tall=tall)
        if along - width / 2 < 1.0:
            left.take(left.length - depth / 2, depth, 1.0, low=low, tall=tall)


def offset(point: Vec3, bearing: float, distance: float) -> Vec3:
    """The point so many metres away in a compass direction."""
    a = math.radians(bearing)
    return (point[0] + math.sin(a) * distance, point[1] + math.cos(a) * distance, point[2])
