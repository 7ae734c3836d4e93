"""The light of a room, found by rays: surfaces, what rays meet, light maps, probes, the key light.

light_room(room) = surfaces → rays → exitance (coarse direct light) → light maps (direct + one bounce) → probes
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from storyengine.previz.render import bake_kernels as light
from storyengine.previz.render.materials import tile_at
from storyengine.previz.render.values import Box, Floats, Instance, Ints, Material, Room

CELL = 0.055
"""Smallest cell of a light map, metres."""
CELLS = 150
"""Most cells along one side of a light map."""
DIRECT_SAMPLES = 16
BOUNCE_SAMPLES = 40
THREADS = 2

Lightmap = npt.NDArray[np.float32]


def to_linear(colour: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray(np.asarray(colour, float) ** 2.2)


@dataclass(frozen=True, eq=False)
class Surface:
    """A flat static face: of the room itself or of a box."""

    corner: Floats
    u: Floats
    v: Floats
    normal: Floats
    material: Material
    id: int
    group: int
    face: int
    """Its number among what rays meet."""

    @property
    def width(self) -> float:
        return float(np.linalg.norm(self.u))

    @property
    def height(self) -> float:
        return float(np.linalg.norm(self.v))


def surfaces_of(room: Room) -> list[Surface]:
    out = []
    for number, quad in enumerate(room.surfaces):
        u, v = np.array(quad.u, float), np.array(quad.v, float)
        normal = np.cross(u, v)
        normal /= np.linalg.norm(normal)
        out.append(Surface(np.array(quad.corner, float), u, v, normal, quad.material, quad.id, number, number))
    group = len(out)
    for index, box in enumerate(room.boxes):
        out += _box_surfaces(box, group + 6 * index, len(room.surfaces) + 6 * index)
    return out


def _box_matrix(box: Box) -> Floats:
    a = math.radians(-box.yaw)
    turn = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    out = np.zeros((3, 4))
    out[:, :3] = turn * np.array(box.size)
    out[:, 3] = box.centre
    return out


def _box_surfaces(box: Box, group: int, face: int) -> list[Surface]:
    matrix = _box_matrix(box)
    out = []
    for side in range(6):
        axis, sign = side // 2, 1.0 if side % 2 else -1.0
        if side == 4 and box.centre[2] - box.size[2] / 2 < 0.006:
            continue  # stands on the floor: nobody sees its underside
        normal = np.zeros(3)
        normal[axis] = sign
        up = np.array([0.0, 1.0, 0.0]) if axis == 2 else np.array([0.0, 0.0, 1.0])
        right = np.cross(up, normal)
        corner = matrix[:, :3] @ (0.5 * (normal - right - up)) + matrix[:, 3]
        world = matrix[:, :3] @ normal
        out.append(
            Surface(
                corner,
                matrix[:, :3] @ right,
                matrix[:, :3] @ up,
                world / np.linalg.norm(world),
                box.material,
                box.id,
                group + side,
                face + side,
            )
        )
    return out


def _proxy(fitting: Instance) -> Floats:
    """A fitting's bounding box, a little smaller, as what it hides from the light."""
    low, high = fitting.mesh.bounds()
    out = np.zeros((3, 4))
    size = np.maximum((high - low) * 0.92, 0.01)
    out[:, :3] = fitting.matrix[:, :3] * size
    out[:, 3] = fitting.matrix[:, :3] @ ((low + high) / 2) + fitting.matrix[:, 3]
    return out


def _tree(matrices: list[Floats]) -> tuple[Floats, Ints, Ints]:
    """Boxes in a tree, in depth-first order: corners, where to go on a miss, and the box of each leaf."""
    corners = np.array([[(a, b, c) for a in (-0.5, 0.5) for b in (-0.5, 0.5) for c in (-0.5, 0.5)]])
    bounds = []
    for matrix in matrices:
        points = corners[0] @ matrix[:, :3].T + matrix[:, 3]
        bounds.append(np.concatenate([points.min(axis=0), points.max(axis=0)]))
    boxes: list[Floats] = []
    skips: list[int] = []
    leaves: list[int] = []

    def grow(members: list[int]) -> None:
        here = len(boxes)
        inside = np.array([bounds[i] for i in members])
        boxes.append(np.concatenate([inside[:, :3].min(axis=0), inside[:, 3:].max(axis=0)]))
        skips.append(0)
        leaves.append(members[0] if len(members) == 1 else -1)
        if len(members) > 1:
            middle = (inside[:, :3] + inside[:, 3:]) / 2
            axis = int(np.ptp(middle, axis=0).argmax())
            order = [members[i] for i in np.argsort(middle[:, axis], kind="stable")]
            grow(order[: len(order) // 2])
            grow(order[len(order) // 2 :])
        skips[here] = len(boxes)

    if matrices:
        grow(list(range(len(matrices))))
    return np.array(boxes).reshape(-1, 6), np.array(skips, np.int64), np.array(leaves, np.int64)


def light_table(room: Room) -> Floats:
    rows = []
    for lamp in room.lamps:
        colour = to_linear(np.array(lamp.colour)) * lamp.power * 7.0
        r = lamp.radius
        rows.append([light.LAMP, *lamp.position, r, 0, 0, 0, r, 0, 0, 0, -1, *colour, lamp.shade])
    for window in room.windows:
        u, v = np.array(window.u, float), np.array(window.v, float)
        normal = np.cross(u, v)
        area = float(np.linalg.norm(normal))
        normal /= area
        colour = to_linear(np.array(window.colour)) * window.power * 5.0 * area
        corner = np.array(window.corner) + 0.03 * normal
        rows.append([light.WINDOW, *corner, *u, *v, *normal, *colour, 0])
    sun = room.sky.sun if room.sky is not None else None
    if sun is not None:
        b, h = math.radians(sun.bearing), math.radians(sun.height)
        to = np.array([math.sin(b) * math.cos(h), math.cos(b) * math.cos(h), math.sin(h)])
        u = np.cross(to, (0, 0, 1.0) if abs(to[2]) < 0.95 else (1.0, 0, 0))
        u /= np.linalg.norm(u)
        colour = to_linear(np.array(sun.colour)) * sun.power * 1.6
        rows.append([light.SUN, *to, *u, *np.cross(to, u), *(-to), *colour, sun.softness])
    return np.array(rows, float).reshape(-1, light.LIGHT_COLUMNS)


def _rays(room: Room, surfaces: list[Surface], exitance: Floats, lights: Floats) -> light.Rays:
    hidden = np.array([[1e-6, 0, 0, 0], [0, 1e-6, 0, 0], [0, 0, 1e-6, -1e4]])
    proxies = [_proxy(f) if f.casts_shadow else hidden for f in room.fittings]
    matrices = [_box_matrix(box) for box in room.boxes] + proxies
    nodes, skips, leaves = _tree(matrices)
    inverse = np.zeros((max(len(matrices), 1), 3, 4))
    for i, matrix in enumerate(matrices):
        full = np.vstack([matrix, [0, 0, 0, 1]])
        inverse[i] = np.linalg.inv(full)[:3]
    quads = np.array(
        [[*s.corner, *s.normal, *(s.u / s.width**2), *(s.v / s.height**2)] for s in surfaces[: len(room.surfaces)]]
    )
    sky = np.zeros((3, 3))
    if room.sky is not None:
        scale = 0.9 * room.sky.power
        sky = np.array([to_linear(np.array(c)) * scale for c in (room.sky.zenith, room.sky.horizon, room.sky.ground)])
    return light.Rays(nodes, skips, leaves, inverse, quads.reshape(-1, 12), exitance, sky, lights)


def colours_of(material: Material) -> tuple[Floats, Floats]:
    """A material's two colours, linear; a missing second one is a calm darker neighbour."""
    first = np.asarray(to_linear(np.array(material.colour)))
    second = to_linear(np.array(material.second)) if material.second is not None else first * 0.60
    return first, np.asarray(second)


def _mean_albedo(material: Material) -> Floats:
    if material.picture is not None:
        return np.asarray(to_linear(material.picture.pixels.reshape(-1, 3) / 255.0).mean(axis=0))
    first, second = colours_of(material)
    own, other = _mean_weights(material.pattern, material.scale, material.seed)
    return np.asarray(own * first + other * second)


@lru_cache(maxsize=256)
def _mean_weights(pattern: str, scale: float, seed: int) -> tuple[float, float]:
    """How much of its two colours a pattern sends back on average."""
    tile = tile_at(Material(pattern, (0.0, 0.0, 0.0), scale=scale, seed=seed), 16).reshape(-1, 3)
    amount, shade = tile[:, 0] / 255.0, (tile[:, 1] / 128.0) ** 2
    return float(((1 - amount) * shade).mean()), float((amount * shade).mean())


@dataclass(frozen=True, eq=False)
class Lighting:
    """Everything that rays found out; what the disk cache holds."""

    maps: list[Lightmap]
    vertices: list[Lightmap]
    probes: Floats
    key: int


def side_by_side(work: Callable[[int], Any], count: int) -> list[Any]:
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, range(count)))


def _light_map(rays: light.Rays, key: int, surface: Surface, cell: float, direct: int, bounce: int) -> Lightmap:
    cell = max(cell, max(surface.width, surface.height) / CELLS)
    width, height = (max(4, math.ceil(side / cell)) for side in (surface.width, surface.height))
    out = np.zeros((height, width, 4), np.float32)
    light.bake_surface(
        rays, key, surface.corner, surface.u, surface.v, surface.normal, surface.face, direct, bounce, out
    )
    return out


def _choose_key(rays: light.Rays, room: Room) -> int:
    """The light that is strongest in the middle of the stage, where people are."""
    low, high = room.bounds()
    work = np.zeros(16)
    best, key = 0.0, -1
    for number in range(len(rays.lights)):
        total = 0.0
        for x, y in ((0.35, 0.35), (0.65, 0.35), (0.5, 0.5), (0.35, 0.65), (0.65, 0.65)):
            at = low + (high - low) * np.array([x, y, 0.0])
            light.light_point(rays.lights[number], 0.5, 0.5, at[0], at[1], low[2] + 1.2, work)
            total += work[4] * rays.lights[number, light.L_COLOUR + 1]
        if total > best:
            best, key = total, number
    return key


def light_room(room: Room, surfaces: list[Surface]) -> Lighting:
    lights = light_table(room)
    faces = len(room.surfaces) + 6 * (len(room.boxes) + len(room.fittings))
    exitance = np.zeros((faces, 3))
    rays = _rays(room, surfaces, exitance, lights)
    key = _choose_key(rays, room)
    albedo = np.full((faces, 3), 0.35)
    coarse = side_by_side(lambda k: _light_map(rays, key, surfaces[k], 0.22, 6, 0), len(surfaces))
    for surface, one in zip(surfaces, coarse, strict=True):
        albedo[surface.face] = _mean_albedo(surface.material)
        exitance[surface.face] = one[..., :3].reshape(-1, 3).mean(axis=0)
    bare = exitance[: len(room.surfaces)].mean(axis=0) if room.surfaces else np.zeros(3)
    exitance[len(room.surfaces) + 6 * len(room.boxes) :] = bare
    exitance *= albedo
    # Light goes on bouncing: what the walls send back on average lights every face a second time.
    exitance += 0.75 * albedo * exitance[: len(room.surfaces)].mean(axis=0)
    maps = side_by_side(
        lambda k: _light_map(rays, key, surfaces[k], CELL, DIRECT_SAMPLES, BOUNCE_SAMPLES), len(surfaces)
    )
    vertices = side_by_side(lambda k: _light_fitting(rays, key, room, k), len(room.fittings))
    low, high, step = probe_grid(room)
    probes = np.zeros((*(np.rint((high - low) / step).astype(int) + 1), 13))
    light.bake_probes(rays, key, low, step, 72, 8, probes)
    return Lighting(maps, vertices, probes, key)


def _light_fitting(rays: light.Rays, key: int, room: Room, index: int) -> Lightmap:
    fitting = room.fittings[index]
    moved = fitting.mesh.moved(fitting.matrix)
    out = np.zeros((len(moved.vertices), 3), np.float32)
    light.bake_vertices(rays, key, moved.vertices, moved.normals, len(room.boxes) + index, 10, 24, out)
    return out


def probe_grid(room: Room) -> tuple[Floats, Floats, Floats]:
    low, high = room.bounds()
    inset = np.array([0.12, 0.12, 0.08])
    low, high = low + inset, np.maximum(high - inset, low + inset + 0.2)
    high[2] = min(high[2], low[2] + 3.0)
    count = np.clip(np.ceil((high - low) / 0.6), 1, (16, 16, 6))
    return low, high, (high - low) / count


ADAPTATION = 0.6
"""How far the eye takes the light's own colour for white."""


def print_of(room: Room, surfaces: list[Surface], maps: list[Lightmap]) -> tuple[float, Floats]:
    """Exposure and white balance: surfaces as bright on average as `room.brightness` asks, and nearly neutral."""
    low, high = room.bounds()
    total, area = np.zeros(3), 0.0
    for surface, one in zip(surfaces, maps, strict=True):
        middle = surface.corner + (surface.u + surface.v) / 2
        if np.any(middle < low - 1) or np.any(middle > high + 1):
            continue
        weight = surface.width * surface.height
        total += weight * one[..., :3].reshape(-1, 3).mean(axis=0)
        area += weight
    mean = np.maximum(total / max(area, 1e-9), 1e-6)
    grey = float(mean @ np.array([0.3, 0.6, 0.1]))
    warm = max(-1.0, min(1.0, room.warmth))
    balance = (grey / mean) ** ADAPTATION * np.array([1 + 0.12 * warm, 1.0, 1 - 0.15 * warm])
    return 1.55 * room.brightness / grey, np.asarray(balance)


@dataclass(frozen=True, eq=False)
class KeyLight:
    """The one light whose moving shadows are drawn: row of numbers for the kernels and the frame of its map."""

    row: Floats
    frame: Floats
    blur: float


def key_light_of(room: Room, key: int) -> KeyLight:
    table = light_table(room)
    low, high = room.bounds()
    frame = np.zeros((3, 4))
    if key < 0:
        return KeyLight(
            np.array([-1.0, *[0.0] * 10]), _light_frame(np.array([0, 0, -1.0]), np.array([0, 0, 1e3]), 1.0), 2.2
        )
    row = table[key]
    kind = int(row[light.L_KIND])
    place = row[light.L_AT : light.L_AT + 3].copy()
    normal = row[light.L_NORMAL : light.L_NORMAL + 3]
    colour = row[light.L_COLOUR : light.L_COLOUR + 3]
    if kind == light.LAMP:
        frame = _light_frame(np.array([0.0, 0.0, -1.0]), place, 0.5 / 2.4)
        blur = 2.0
    elif kind == light.WINDOW:
        place = place + 0.5 * (row[light.L_U : light.L_U + 3] + row[light.L_V : light.L_V + 3])
        aim = normal + np.array([0.0, 0.0, -0.35])
        frame = _light_frame(aim / np.linalg.norm(aim), place - 0.8 * normal, 0.5 / 1.3)
        blur = 6.0
    else:
        reach = float(np.linalg.norm(high - low)) / 2 + 1.0
        centre = (low + high) / 2
        frame = _light_frame(-place, centre + 60.0 * place, 0.5 * 60.0 / reach)
        blur = 1.6
    numbers = np.array([kind, *place, *colour, *normal, row[light.L_SHADE] if kind == light.LAMP else 0.0])
    return KeyLight(numbers, frame, blur)


def _light_frame(axis: Floats, place: Floats, scale: float) -> Floats:
    """World to a light's map: homogeneous s and t in 0…1, and depth along the axis."""
    helper = np.array([0.0, 0.0, 1.0]) if abs(axis[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
    right = np.cross(axis, helper)
    right /= np.linalg.norm(right)
    up = np.cross(right, axis)
    frame = np.zeros((3, 4))
    frame[0, :3] = 0.5 * axis + scale * right
    frame[1, :3] = 0.5 * axis + scale * up
    frame[2, :3] = axis
    frame[:, 3] = place
    return frame
