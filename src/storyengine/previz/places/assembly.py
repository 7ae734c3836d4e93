"""A place while it is put together: what has been placed so far, numbered for the id buffer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from storyengine.previz.places.fittings import FITTINGS, Fitting
from storyengine.previz.places.model import Landmark, LandmarkWords, Obstacle, Top
from storyengine.previz.places.piece import Piece, Placed, Random, place
from storyengine.previz.places.tones import Tones
from storyengine.previz.render import Box, Instance, Lamp, Vec3, Window

FIRST_NUMBER = 9000
"""Ids of a place's own equipment in the id buffer begin here; story things take smaller ones."""


@dataclass
class Assembly:
    """Collects what a place is made of. `seed` gives every piece a random stream of its own."""

    seed: tuple[int, ...]
    tones: Tones
    boxes: list[Box] = field(default_factory=list)
    fittings: list[Instance] = field(default_factory=list)
    lamps: list[Lamp] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    obstacles: list[Obstacle] = field(default_factory=list)
    tops: list[Top] = field(default_factory=list)
    landmarks: dict[str, Landmark] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    """Kinds of fittings that stand already."""
    count: int = 0

    def stream(self, *more: int) -> Random:
        return np.random.default_rng([*self.seed, *more])

    def make(self, kind: str, width: float) -> Piece:
        """A fitting as wide as there is room for, within its own limits; each one made differs from the last."""
        self.count += 1
        self.made.add(kind)
        found: Fitting = FITTINGS[kind]
        return found.build(self.stream(1, self.count), self.tones, min(max(width, found.least), found.most))

    def next_number(self) -> int:
        self.count += 1
        return FIRST_NUMBER + self.count

    def put(self, piece: Piece, at: Vec3, yaw: float) -> tuple[int, Placed]:
        number = self.next_number()
        placed = place(piece, at, yaw, number)
        self.boxes += placed.boxes
        self.fittings += placed.fittings
        self.lamps += placed.lamps
        self.tops += placed.tops
        if placed.obstacle is not None:
            self.obstacles.append(placed.obstacle)
        return number, placed

    def mark(self, words: LandmarkWords, number: int, placed: Placed, at: Vec3, yaw: float) -> None:
        """Remembers a placed piece as a landmark."""
        self.landmarks[words.id] = Landmark(words.id, words.name, number, at, yaw, placed.bounds, words.zone)

    def tops_near(self, at: Vec3, reach: float) -> tuple[Top, ...]:
        return tuple(top for top in self.tops if _apart(top.position, at) < reach)


def _apart(a: Vec3, b: Vec3) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def words_of(landmarks: Iterable[tuple[str, ...]]) -> tuple[LandmarkWords, ...]:
    return tuple(LandmarkWords(*landmark) for landmark in landmarks)
