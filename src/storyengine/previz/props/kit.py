"""The bench that families are built on: solids that stand on z = 0, and the draft that collects posed parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from storyengine.previz.looks import Colour, PropLook, Surface
from storyengine.previz.props.finish import finished
from storyengine.previz.props.model import Carry, Grip, Part, Rest, Shape, Space
from storyengine.previz.render import Mesh, merged, placement, shapes
from storyengine.previz.render.values import Floats, Vec3

WOOD: Colour = (0.66, 0.50, 0.33)
DARK_WOOD: Colour = (0.42, 0.30, 0.21)
STEEL: Colour = (0.66, 0.68, 0.70)
IRON: Colour = (0.25, 0.26, 0.28)
BRASS: Colour = (0.80, 0.64, 0.30)
GOLD: Colour = (0.95, 0.75, 0.20)
CREAM: Colour = (0.93, 0.89, 0.78)
WHITE: Colour = (0.94, 0.94, 0.92)
BLACK: Colour = (0.12, 0.12, 0.13)
RUBBER: Colour = (0.20, 0.20, 0.21)
STRAW: Colour = (0.84, 0.72, 0.42)
RED: Colour = (0.78, 0.22, 0.18)
WATER: Colour = (0.40, 0.58, 0.68)
FLAME: Colour = (1.0, 0.72, 0.26)
EMBER: Colour = (0.96, 0.42, 0.14)


def shade(colour: Colour, factor: float) -> Colour:
    """Darker below 1, lighter above."""
    if factor <= 1:
        return (colour[0] * factor, colour[1] * factor, colour[2] * factor)
    return mix(colour, (1.0, 1.0, 1.0), min(factor - 1, 1.0))


def mix(a: Colour, b: Colour, t: float) -> Colour:
    return (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t)


def at(mesh: Mesh, x: float = 0, y: float = 0, z: float = 0, yaw: float = 0, pitch: float = 0, roll: float = 0) -> Mesh:
    return mesh.moved(placement((x, y, z), yaw, pitch, roll))


def slab(width: float, depth: float, height: float, colour: Colour, bevel: float = 0.008, z: float = 0.0) -> Mesh:
    """A box whose bottom lies at `z`."""
    return at(shapes.box((width, depth, height), colour, bevel), z=z + height / 2)


def drum(
    radius: float, height: float, colour: Colour, z: float = 0.0, segments: int = 20, bevel: float = 0.006
) -> Mesh:
    """A cylinder whose bottom lies at `z`."""
    return at(shapes.cylinder(radius, height, colour, segments, bevel), z=z + height / 2)


def bar(start: Vec3, end: Vec3, radius: float, colour: Colour, sides: int = 8) -> Mesh:
    """A round rod."""
    return shapes.tube([start, end], radius, colour, sides)


def bent(path: Sequence[Vec3], radius: float, colour: Colour, sides: int = 8, steps: int = 6) -> Mesh:
    """A round rod along a smooth curve through the points."""
    points = np.array(path, float)
    padded = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    line = []
    for k in range(1, len(padded) - 2):
        a, b, c, d = padded[k - 1 : k + 3]
        for t in np.arange(steps) / steps:
            line.append(
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
            )
    line.append(points[-1])
    return shapes.tube([(float(p[0]), float(p[1]), float(p[2])) for p in line], radius, colour, sides)


def hollow(profile: Sequence[tuple[float, float]], wall: float, colour: Colour, segments: int = 24) -> Mesh:
    """A vessel turned from its outer (radius, z) profile, open at the top, with an inner side `wall` further in."""
    inner = [(max(r - wall, 0.0), z) for r, z in reversed(profile)]
    bottom = profile[0][1] + wall
    inner = [(r, max(z, bottom)) for r, z in inner]
    return shapes.lathe([(0, profile[0][1]), *profile, *inner, (0, bottom)], colour, segments)


def tray_box(
    width: float, depth: float, height: float, wall: float, colour: Colour, z: float = 0.0, lining: Colour | None = None
) -> Mesh:
    """A box open at the top, made of five boards."""
    side = lining or colour
    return merged(
        [
            slab(width - 0.004, depth - 0.004, wall, side, 0, z + 0.002),
            at(slab(width, wall, height, colour, 0.004), y=depth / 2 - wall / 2, z=z),
            at(slab(width, wall, height, colour, 0.004), y=-depth / 2 + wall / 2, z=z),
            at(slab(wall, depth - 2 * wall, height, colour, 0.004), x=width / 2 - wall / 2, z=z),
            at(slab(wall, depth - 2 * wall, height, colour, 0.004), x=-width / 2 + wall / 2, z=z),
        ]
    )


def wheel_disc(radius: float, width: float, tyre: Colour, hub: Colour, spokes: int = 6) -> Mesh:
    """A spoked wheel with its axle along x, centred on the origin. Spokes show that it turns."""
    rim = at(shapes.torus(radius - width / 2, width / 2, tyre, 24, 8), roll=90)
    rods = []
    for k in range(spokes):
        a = 2 * math.pi * k / spokes
        rods.append(bar((0, 0, 0), (0, math.cos(a) * (radius - width), math.sin(a) * (radius - width)), width / 4, hub))
    return merged([rim, at(shapes.cylinder(radius * 0.16, width * 1.5, hub, 12), roll=90), *rods])


def flame(height: float) -> Mesh:
    """A flame standing on z = 0."""
    outer = shapes.lathe(
        [(0, 0), (0.16 * height, 0.12 * height), (0.22 * height, 0.3 * height), (0.12 * height, 0.65 * height),
         (0, height)], FLAME, 12, 90,
    )  # fmt: skip
    inner = shapes.lathe(
        [(0, 0.02), (0.25 * height, 0.2 * height), (0.1 * height, 0.45 * height), (0, 0.6 * height)],
        (1, 0.93, 0.66),
        10,
    )
    return merged([outer, inner])


def lumps(count: int, radius: float, spread: tuple[float, float], colour: Colour, seed: int, z: float = 0.0) -> Mesh:
    """A heap of small round things over a rectangle."""
    random = np.random.default_rng(seed)
    out = []
    for _ in range(count):
        x, y = (random.random(2) - 0.5) * np.array(spread)
        tone = shade(colour, float(0.8 + 0.35 * random.random()))
        r = radius * float(0.7 + 0.6 * random.random())
        out.append(at(shapes.ellipsoid((r, r * 0.9, r * 0.75), tone, 8, 5), float(x), float(y), z))
    return merged(out)


HEAPED, UNDER_LID = 0.85, 0.8
"""Level from which contents are heaped, and to which they reach below a lid that is shut."""


@dataclass
class Draft:
    """Collects the posed parts of one prop in one state. Meshes are made once per look and kept in `shelf`."""

    look: PropLook
    shelf: dict[str, Mesh]
    content: Colour
    parts: list[Part] = field(default_factory=list)
    grips: list[Grip] = field(default_factory=list)
    rests: list[Rest] = field(default_factory=list)
    inside: Space | None = None
    carry: Carry | None = None

    @property
    def body(self) -> Colour:
        return self.look.colour

    @property
    def accent(self) -> Colour:
        return self.look.accent

    def add(self, name: str, make: Callable[[], Mesh], pose: Floats | None = None, glow: float = 0.0) -> None:
        """A part by name. `make` runs once per look, so it may not depend on the state; put that into the name."""
        self.parts.append(Part(name, self.mesh(name, make), placement() if pose is None else pose, glow))

    def mesh(self, name: str, make: Callable[[], Mesh]) -> Mesh:
        found = self.shelf.get(name)
        if found is None:
            found = self.shelf[name] = make()
        return found

    def own(self, mesh: Mesh) -> Mesh:
        """Finished like the thing's main surface, with its pattern."""
        return finished(mesh, self.look.surface, self.look.pattern, self.look.accent)

    def of(self, surface: Surface, mesh: Mesh) -> Mesh:
        return finished(mesh, surface)

    def grip(self, at: Vec3, along: Vec3, palm: Vec3 = (0, 0, 1)) -> None:
        self.grips.append(Grip(at, along, palm))

    def rest(self, name: str, z: float, width: float, depth: float, x: float = 0, y: float = 0) -> None:
        self.rests.append(Rest(name, z, (x - width / 2, y - depth / 2), (x + width / 2, y + depth / 2)))

    def room(self, low: Vec3, high: Vec3) -> None:
        """Declares where contents are."""
        self.inside = Space(low, high)

    def fill(self, level: float, radius: float = 0.0, foot: float = 0.0, heap: bool = False) -> None:
        """Contents in the declared room up to `level`: square, or round with `radius` at the top and `foot` below.

        What is full is heaped over the rim, or nobody who looks from the side could tell.
        """
        if level <= 0.02 or self.inside is None:
            return
        low, high = np.array(self.inside.low), np.array(self.inside.high)
        w, d, h = (float(x) for x in high - low)
        middle = (low + high) / 2
        heap = heap or level >= HEAPED

        def surface() -> Mesh:
            if radius:
                rise = 0.6 * radius if heap else 0.0
                profile = [(0.0, -0.01), (radius, -0.01), (radius, 0.0), (radius * 0.6, rise * 0.7), (0.0, rise)]
                return shapes.lathe(profile, self.content, 20)
            top = [slab(w, d, 0.02, self.content, 0, -0.02)]
            if heap:
                top.append(shapes.ellipsoid((w * 0.46, d * 0.46, 0.36 * min(w, d)), self.content))
            return merged(top)

        narrow = (foot + (radius - foot) * level) / radius if radius and foot else 1.0
        pose = placement(
            (float(middle[0]), float(middle[1]), float(low[2]) + h * level), scale=(narrow, narrow, max(narrow, 0.05))
        )
        self.add(f"contents {self.content} {heap}", surface, pose)

    def shape(self) -> Shape:
        return Shape(tuple(self.parts), tuple(self.grips), tuple(self.rests), self.inside, self.carry)


@lru_cache(maxsize=512)
def shelf_of(look: PropLook) -> dict[str, Mesh]:
    """The meshes made for a look so far: states only move them."""
    return {}
