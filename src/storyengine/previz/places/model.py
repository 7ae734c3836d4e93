"""What a built place is: its room, where people and things can stand, and where its landmarks are.

Metres, z up, north +y; yaw is a compass bearing. A room's floor runs from (0, 0) to (width, depth).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from storyengine.previz.render import Room, Vec3

Mount = Literal["wall", "corner", "hung", "ceiling", "floor", "edge", "beyond"]
"""At a wall, in a corner, high on a wall, under the ceiling, on the floor; outdoors along an edge or beyond it."""


class LandmarkWords(NamedTuple):
    """A landmark as the plan words it."""

    id: str
    name: str
    look: str = ""
    zone: str = ""
    """Name of the zone it stands in; empty where that does not matter."""


@dataclass(frozen=True)
class Bounds:
    """A box in the world: low and high corner."""

    low: Vec3
    high: Vec3

    @property
    def middle(self) -> Vec3:
        return (
            (self.low[0] + self.high[0]) / 2,
            (self.low[1] + self.high[1]) / 2,
            (self.low[2] + self.high[2]) / 2,
        )


@dataclass(frozen=True)
class Site:
    """A clear rectangle of floor for a thing that the story brings: its middle, where it faces, and its size."""

    position: Vec3
    yaw: float
    width: float
    depth: float


@dataclass(frozen=True)
class Top:
    """A level surface of a fitting on which small things can be put."""

    name: str
    position: Vec3
    """Its middle."""
    yaw: float
    width: float
    depth: float


@dataclass(frozen=True)
class Spot:
    """Where a zone's action is: clear floor for two people, the wall behind it, and sites for things."""

    name: str
    position: Vec3
    """Where the first person stands."""
    facing: float
    """Towards the zone's wall or middle: where hands and eyes go."""
    partner: Vec3
    """Where a second person stands, 0.9 m beside the first."""
    side: Literal["north", "east", "south", "west", "open"]
    """The wall the zone lies at."""
    sites: tuple[Site, ...]
    """Clear floor for story things: first against the wall, then free-standing."""
    tops: tuple[Top, ...] = ()
    """Surfaces of fixed fittings within reach."""


@dataclass(frozen=True)
class Landmark:
    """A landmark as it was built into the room."""

    id: str
    name: str
    number: int
    """Its id in the renderer's id buffer."""
    position: Vec3
    yaw: float
    box: Bounds
    zone: str = ""


@dataclass(frozen=True)
class Obstacle:
    """What a camera or a walker must keep out of, and cannot look through: a turned box on the floor plan."""

    middle: tuple[float, float]
    half: tuple[float, float]
    yaw: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class PlaceModel:
    """A place ready to be baked, staged and filmed."""

    room: Room
    spots: Mapping[str, Spot]
    """By zone name."""
    landmarks: Mapping[str, Landmark]
    """By landmark id."""
    obstacles: tuple[Obstacle, ...]
    bounds: Bounds
    """Where people and cameras may be."""
    outdoor: bool
