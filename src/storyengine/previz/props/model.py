"""What a built prop is: posed parts, and where hands, other things and contents go.

Metres, z up, facing +y. The origin is the middle of the footprint on the ground; a thing that hangs has its origin at
the hanging point and extends downwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from storyengine.previz.looks import Colour, PropLook, Surface
from storyengine.previz.render import Instance, Mesh, composed
from storyengine.previz.render.values import Floats, Vec3

Carry = Literal["one hand low", "two hands front", "on shoulder", "push", "fixed"]
"""How it is taken along; `fixed` is not."""


@dataclass(frozen=True, eq=False)
class Part:
    """A mesh of its own motion: the leaf of a door, the wheel of a barrow. `mesh` stays the same in every state."""

    name: str
    mesh: Mesh
    matrix: Floats
    glow: float = 0.0


@dataclass(frozen=True)
class Grip:
    """Where a hand holds: the middle of the grip, the bar's direction (towards the working end), where the palm is."""

    at: Vec3
    along: Vec3
    palm: Vec3 = (0.0, 0.0, 1.0)
    """From the bar towards the palm of the hand that holds it."""


@dataclass(frozen=True)
class Rest:
    """A level surface that things are put on: height, and its rectangle seen from above."""

    name: str
    z: float
    low: tuple[float, float]
    high: tuple[float, float]


@dataclass(frozen=True)
class Space:
    """The room inside a container: low and high corner."""

    low: Vec3
    high: Vec3


LYING = frozenset(("shards", "puddle"))
"""Parts that lie about a thing and are not picked up with it."""


@dataclass(frozen=True, eq=False)
class PropModel:
    """A prop in one state."""

    look: PropLook
    parts: tuple[Part, ...]
    size: Vec3
    """Width, depth and height of its usual state; openings may reach further."""
    grips: tuple[Grip, ...] = ()
    rests: tuple[Rest, ...] = ()
    inside: Space | None = None
    hangs: bool = False
    """The origin is the point it hangs from."""
    wall: bool = False
    """It stands against or hangs on a wall, which lies behind it at -y."""
    carry: Carry = "one hand low"

    def instances(self, matrix: Floats, id: int, *, lifted: bool = False) -> tuple[Instance, ...]:
        """The parts somewhere in the world, as one thing with one outline; `lifted`, without what lies about."""
        return tuple(
            Instance(part.mesh, composed(matrix, part.matrix), id, glow=part.glow, casts_shadow=part.glow < 0.5)
            for part in self.parts
            if not (lifted and part.name in LYING)
        )

    def bounds(self) -> tuple[Vec3, Vec3]:
        """Low and high corner of the parts as they are posed."""
        lows, highs = [], []
        for part in self.parts:
            points = part.mesh.vertices @ part.matrix[:, :3].T + part.matrix[:, 3]
            lows.append(points.min(axis=0))
            highs.append(points.max(axis=0))
        low, high = np.min(lows, axis=0), np.max(highs, axis=0)
        return (float(low[0]), float(low[1]), float(low[2])), (float(high[0]), float(high[1]), float(high[2]))


Axes = dict[str, float]
"""State as numbers from 0 to 1 by axis; see `states.AXES`."""


@dataclass(frozen=True)
class Family:
    """A shape that people name at a glance."""

    name: str
    build: Callable[..., None]
    """`build(draft, axes)` adds the parts."""
    size: Vec3
    """Usual width, depth and height."""
    axes: tuple[str, ...] = ()
    """The axes of state that its own parts show; the others are shown the general way (`props.overlays`)."""
    surface: Surface = "painted"
    colour: Colour | None = None
    """Its natural colour where the text says none; None takes one of the palette."""
    accent: Colour | None = None
    carry: Carry = "one hand low"
    wall: bool = False
    hangs: bool = False


FAMILIES: dict[str, Family] = {}
"""All shape families by name."""


def family(
    size: Vec3,
    *,
    name: str = "",
    axes: tuple[str, ...] = (),
    surface: Surface = "painted",
    colour: Colour | None = None,
    accent: Colour | None = None,
    carry: Carry = "one hand low",
    wall: bool = False,
    hangs: bool = False,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Registers a builder under its function's name (underscores are spaces) or under `name`."""

    def register(build: Callable[..., None]) -> Callable[..., None]:
        known = name or build.__name__.strip("_").replace("_", " ")
        FAMILIES[known] = Family(known, build, size, axes, surface, colour, accent, carry, wall, hangs)
        return build

    return register


@dataclass(frozen=True, eq=False)
class Shape:
    """What a family's builder hands over, before overlays and size."""

    parts: tuple[Part, ...]
    grips: tuple[Grip, ...] = ()
    rests: tuple[Rest, ...] = ()
    inside: Space | None = None
    carry: Carry | None = None

    def with_parts(self, *more: Part) -> Shape:
        return replace(self, parts=(*self.parts, *more))
