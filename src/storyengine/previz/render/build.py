"""Shells of places: walls around a room, ground under an open sky, windows with their frames."""

from __future__ import annotations

import math

from storyengine.previz.render.values import Box, Material, Quad, Sky, Vec3, Window

WALLS = ("north", "east", "south", "west")
_FRAME_DEPTH = 0.06


def shell(
    width: float,
    depth: float,
    height: float,
    floor: Material,
    ceiling: Material,
    walls: tuple[Material, Material, Material, Material],
) -> tuple[Quad, ...]:
    """Six faces seen from inside: x from 0 to `width`, y from 0 to `depth`; walls are north, east, south, west."""
    w, d, h = width, depth, height
    north, east, south, west = walls
    return (
        Quad((0, 0, 0), (w, 0, 0), (0, d, 0), floor),
        Quad((0, d, h), (w, 0, 0), (0, -d, 0), ceiling),
        Quad((0, d, 0), (w, 0, 0), (0, 0, h), north),
        Quad((w, d, 0), (0, -d, 0), (0, 0, h), east),
        Quad((w, 0, 0), (-w, 0, 0), (0, 0, h), south),
        Quad((0, 0, 0), (0, d, 0), (0, 0, h), west),
    )


def ground(
    width: float, depth: float, near: Material, far: Material | None = None, reach: float = 60.0
) -> tuple[Quad, ...]:
    """Open ground: a finely lit stage (x 0…width, y 0…depth), and coarser rings of 8 m and `reach` m around it."""
    ring = far or near
    inner = _ring((0.0, 0.0), (width, depth), 8.0, ring)
    outer = _ring((-8.0, -8.0), (width + 8, depth + 8), reach, ring)
    return (Quad((0, 0, 0), (width, 0, 0), (0, depth, 0), near), *inner, *outer)


def _ring(low: tuple[float, float], high: tuple[float, float], reach: float, material: Material) -> tuple[Quad, ...]:
    (x0, y0), (x1, y1), r = low, high, reach
    return (
        Quad((x0 - r, y1, 0), (x1 - x0 + 2 * r, 0, 0), (0, r, 0), material),
        Quad((x0 - r, y0 - r, 0), (x1 - x0 + 2 * r, 0, 0), (0, r, 0), material),
        Quad((x0 - r, y0, 0), (r, 0, 0), (0, y1 - y0, 0), material),
        Quad((x1, y0, 0), (r, 0, 0), (0, y1 - y0, 0), material),
    )


def window(
    wall: str,
    along: float,
    sill: float,
    size: tuple[float, float],
    room: tuple[float, float],
    view: Sky,
    frame: Material,
    *,
    power: float = 1.0,
    panes: int = 2,
    across: int = 1,
    id: int = 0,
) -> tuple[Window, tuple[Box, ...]]:
    """A window in a wall of a `shell`, its middle `along` metres from the wall's left end (seen from inside).

    `panes` stand beside one another, parted by so many bars `across`.
    """
    w, h = size
    start, right = _wall_line(wall, room)
    corner = tuple(start[i] + right[i] * (along - w / 2) for i in range(2))
    pane = Window((corner[0], corner[1], sill), (right[0] * w, right[1] * w, 0), (0, 0, h), view, power, id=id)
    bearing = math.degrees(math.atan2(-right[1], right[0]))
    boxes = []
    for k in range(panes + 1):
        at = along - w / 2 + w * k / panes
        thick = 0.07 if k in (0, panes) else 0.045
        boxes.append(_bar(start, right, at, sill + h / 2, (thick, _FRAME_DEPTH, h + 0.07), bearing, frame, id))
    for k in range(1, across + 1):
        z = sill + h * k / (across + 1)
        boxes.append(_bar(start, right, along, z, (w, _FRAME_DEPTH * 0.8, 0.04), bearing, frame, id))
    boxes.append(_bar(start, right, along, sill + h, (w + 0.07, _FRAME_DEPTH, 0.07), bearing, frame, id))
    boxes.append(_bar(start, right, along, sill - 0.01, (w + 0.16, 0.16, 0.045), bearing, frame, id))
    return pane, tuple(boxes)


def _wall_line(wall: str, room: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Left end of a wall seen from inside, and the direction to its right end."""
    w, d = room
    return {
        "north": ((0.0, d), (1.0, 0.0)),
        "east": ((w, d), (0.0, -1.0)),
        "south": ((w, 0.0), (-1.0, 0.0)),
        "west": ((0.0, 0.0), (0.0, 1.0)),
    }[wall]


def _bar(
    start: tuple[float, float],
    right: tuple[float, float],
    along: float,
    z: float,
    size: Vec3,
    bearing: float,
    material: Material,
    id: int,
) -> Box:
    """A box against a wall: its size is along the wall, out of it, and up."""
    inward = (right[1], -right[0])
    out = size[1] / 2
    x = start[0] + right[0] * along + inward[0] * out
    y = start[1] + right[1] * along + inward[1] * out
    return Box((x, y, z), size, material, bearing, id)
