"""Baking a room: its light once, its surfaces with that light painted in, and probes for things that move.

    bake(room) = geometry → rays → exitance (coarse direct light) → light maps (direct + one bounce)
               → exposure → probes → textures

The light is kept on disk under the product's cache folder by the room's fingerprint, so a room is lit only once.
"""

from __future__ import annotations

import dataclasses
import math
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.media.kernel import cache_folder
from storyengine.previz.render import bake_kernels as light
from storyengine.previz.render.materials import TEXELS, tile_at
from storyengine.previz.render.raster_kernels import BAKED, LIT
from storyengine.previz.render.sky import paint_sky
from storyengine.previz.render.textures import TextureHeap, pack
from storyengine.previz.render.values import Box, Floats, Instance, Ints, Material, Quad, Room, Sky, Window
from storyengine.runs.digest import digest_bytes

CELL = 0.055
"""Smallest cell of a light map, metres."""
CELLS = 150
"""Most cells along one side of a light map."""
DIRECT_SAMPLES = 16
BOUNCE_SAMPLES = 40
TEXEL_BUDGET = 28_000_000
SKY_DISTANCE = 120.0
THREADS = 2

Lightmap = npt.NDArray[np.float32]


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


@dataclass(frozen=True, eq=False)
class Probes:
    grid: Floats
    low: Floats
    step: Floats


@dataclass(frozen=True, eq=False)
class KeyLight:
    """The one light whose moving shadows are drawn: row of numbers for the kernels and the frame of its map."""

    row: Floats
    frame: Floats
    blur: float


@dataclass(frozen=True, eq=False)
class BakedRoom:
    """A room ready to be drawn: static geometry with baked light, and all that moving things need."""

    room: Room
    points: Floats
    uv: Floats
    light: Floats
    corners: Ints
    texture: Ints
    kind: Ints
    id: Ints
    group: Ints
    colour: Floats
    heap: TextureHeap
    probes: Probes
    key: KeyLight
    top_frame: Floats
    exposure: float
    balance: Floats
    curve: Floats
    fingerprint: str


# ------------------------------------------------------------------------------------------------------- tone


def tone(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Linear light to sRGB: a soft shoulder, then a matte print (blacks a little up, whites a little down)."""
    shoulder = np.where(x < 0.5, x, 0.5 + 0.5 * (1 - np.exp(-(x - 0.5) / 0.5)))
    return np.asarray(0.022 + 0.962 * np.clip(shoulder, 0, 1) ** (1 / 2.2))


def _tone_table() -> npt.NDArray[np.uint8]:
    x = np.linspace(0, light.TONE_TOP, light.TONE_STEPS)
    return (tone(x) * 255 + 0.5).astype(np.uint8)


def _light_curve() -> Floats:
    """Light on a vertex to the factor on its sRGB colour, matched to the tone curve at a middle albedo."""
    e = np.linspace(0, 4.0, 2048)
    middle = 0.36
    return np.asarray(tone(middle * e) / middle ** (1 / 2.2))


def to_linear(colour: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray(np.asarray(colour, float) ** 2.2)


# --------------------------------------------------------------------------------------------------- geometry


def _surfaces(room: Room) -> list[Surface]:
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
            )  # fmt: skip
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


# ------------------------------------------------------------------------------------------------------- rays


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


def _light_table(room: Room) -> Floats:
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
    matrices = [_box_matrix(box) for box in room.boxes] + [_proxy(f) for f in room.fittings]
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


def _mean_albedo(material: Material) -> Floats:
    if material.picture is not None:
        pixels = material.picture.pixels.reshape(-1, 3)
    else:
        pixels = tile_at(material, 16).reshape(-1, 3)
    return np.asarray(to_linear(pixels / 255.0).mean(axis=0))


# ------------------------------------------------------------------------------------------------------ light


@dataclass(frozen=True, eq=False)
class Lighting:
    """Everything that rays found out; what the disk cache holds."""

    maps: list[Lightmap]
    vertices: list[Lightmap]
    probes: Floats
    key: int


def _side_by_side(work: Callable[[int], Any], count: int) -> list[Any]:
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


def _light_room(room: Room, surfaces: list[Surface]) -> Lighting:
    lights = _light_table(room)
    faces = len(room.surfaces) + 6 * (len(room.boxes) + len(room.fittings))
    exitance = np.zeros((faces, 3))
    rays = _rays(room, surfaces, exitance, lights)
    key = _choose_key(rays, room)
    albedo = np.full((faces, 3), 0.35)
    coarse = _side_by_side(lambda k: _light_map(rays, key, surfaces[k], 0.22, 6, 0), len(surfaces))
    for surface, one in zip(surfaces, coarse, strict=True):
        albedo[surface.face] = _mean_albedo(surface.material)
        exitance[surface.face] = one[..., :3].reshape(-1, 3).mean(axis=0)
    bare = exitance[: len(room.surfaces)].mean(axis=0) if room.surfaces else np.zeros(3)
    exitance[len(room.surfaces) + 6 * len(room.boxes) :] = bare
    exitance *= albedo
    # Light goes on bouncing: what the walls send back on average lights every face a second time.
    exitance += 0.75 * albedo * exitance[: len(room.surfaces)].mean(axis=0)
    maps = _side_by_side(
        lambda k: _light_map(rays, key, surfaces[k], CELL, DIRECT_SAMPLES, BOUNCE_SAMPLES), len(surfaces)
    )
    vertices = _side_by_side(lambda k: _light_fitting(rays, key, room, k), len(room.fittings))
    low, high, step = _probe_grid(room)
    probes = np.zeros((*(np.rint((high - low) / step).astype(int) + 1), 13))
    light.bake_probes(rays, key, low, step, 72, 8, probes)
    return Lighting(maps, vertices, probes, key)


def _light_fitting(rays: light.Rays, key: int, room: Room, index: int) -> Lightmap:
    fitting = room.fittings[index]
    moved = fitting.mesh.moved(fitting.matrix)
    out = np.zeros((len(moved.vertices), 3), np.float32)
    light.bake_vertices(rays, key, moved.vertices, moved.normals, len(room.boxes) + index, 10, 24, out)
    return out


def _probe_grid(room: Room) -> tuple[Floats, Floats, Floats]:
    low, high = room.bounds()
    inset = np.array([0.12, 0.12, 0.08])
    low, high = low + inset, np.maximum(high - inset, low + inset + 0.2)
    high[2] = min(high[2], low[2] + 3.0)
    count = np.clip(np.ceil((high - low) / 0.6), 1, (16, 16, 6))
    return low, high, (high - low) / count


# ------------------------------------------------------------------------------------------------- disk cache


def fingerprint(room: Room) -> str:
    """The same for equal rooms, in every process."""
    return digest_bytes(b"room\n" + _bytes_of(room))


def _bytes_of(value: Any) -> bytes:
    if isinstance(value, np.ndarray):
        return f"{value.shape}{value.dtype}".encode() + np.ascontiguousarray(value).tobytes()
    if isinstance(value, tuple):
        return b"(" + b",".join(_bytes_of(item) for item in value) + b")"
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return type(value).__name__.encode() + b"".join(_bytes_of(getattr(value, f.name)) for f in fields)
    return repr(value).encode()


def _cache_path(room_fingerprint: str) -> Path:
    here = Path(__file__).parent
    recipe = b"".join((here / name).read_bytes() for name in ("bake.py", "bake_kernels.py", "materials.py"))
    return cache_folder() / "rooms" / f"{digest_bytes(recipe)[:12]}-{room_fingerprint[:32]}.npz"


def _load(path: Path) -> Lighting | None:
    try:
        with np.load(path, allow_pickle=False) as stored:
            count = {name: int(stored[f"{name}_count"]) for name in ("map", "vertex")}
            return Lighting(
                [stored[f"map{i}"] for i in range(count["map"])],
                [stored[f"vertex{i}"] for i in range(count["vertex"])],
                stored["probes"],
                int(stored["key"]),
            )
    except (OSError, KeyError, ValueError):
        return None


def _keep(path: Path, found: Lighting) -> None:
    arrays: dict[str, Any] = {f"map{i}": m for i, m in enumerate(found.maps)}
    arrays |= {f"vertex{i}": m for i, m in enumerate(found.vertices)}
    arrays |= {"probes": found.probes, "key": np.int64(found.key)}
    arrays |= {"map_count": np.int64(len(found.maps)), "vertex_count": np.int64(len(found.vertices))}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            np.savez(file, **arrays)
        os.replace(file.name, path)
    except OSError:
        return  # a cache that cannot be written costs time, nothing else


# --------------------------------------------------------------------------------------------------- textures


@dataclass
class _Static:
    """Static geometry while it is put together."""

    points: list[Floats]
    uv: list[Floats]
    light: list[Floats]
    corners: list[list[int]]
    texture: list[int]
    kind: list[int]
    id: list[int]
    group: list[int]
    colour: list[Floats]

    def add_quad(self, corner: Floats, u: Floats, v: Floats, texture: int, id_: int, group: int) -> None:
        start = len(self.points)
        self.points += [corner, corner + u, corner + u + v, corner + v]
        self.uv += [np.array(x) for x in ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))]
        self.light += [np.ones(3)] * 4
        self.corners.append([start, start + 1, start + 2, start + 3])
        self.texture.append(texture)
        self.kind.append(BAKED)
        self.id.append(id_)
        self.group.append(group)
        self.colour.append(np.ones(3))


def _density(room: Room, surfaces: list[Surface]) -> int:
    low, high = room.bounds()
    density = TEXELS
    while density > 32:
        total = sum(_panel_density(s, density, low, high) ** 2 * s.width * s.height for s in surfaces)
        if total <= TEXEL_BUDGET:
            break
        density //= 2
    return density


def _panel_density(surface: Surface, density: int, low: Floats, high: Floats) -> int:
    """Texels a metre of a surface: coarser the farther it lies from the stage."""
    corners = np.array([surface.corner + a * surface.u + b * surface.v for a in (0, 1) for b in (0, 1)])
    gap = np.maximum(np.maximum(low - corners.max(axis=0), corners.min(axis=0) - high), 0)
    distance = float(np.linalg.norm(gap))
    longest = max(surface.width, surface.height)
    for limit in (2.0, 8.0, 20.0):
        if distance > limit or longest > 8 * limit:
            density //= 2
    return max(density, 16)


def _paint_surface(
    static: _Static, heap: TextureHeap, surface: Surface, lightmap: Lightmap, density: int, balance: Floats
) -> None:
    """Cut a surface into panels of at most 2048 texels and paint albedo × light into each."""
    material = surface.material
    nu = max(1, math.ceil(surface.width * density / 2048))
    nv = max(1, math.ceil(surface.height * density / 2048))
    albedo, along, down = _albedo_of(surface, density)
    linear = to_linear(np.arange(256) / 255.0).astype(np.float32)
    rows, columns = lightmap.shape[:2]
    for j in range(nv):
        for i in range(nu):
            width = max(2, round(surface.width * density / nu))
            height = max(2, round(surface.height * density / nv))
            if material.picture is not None:
                albedo = np.ascontiguousarray(_piece(material.picture.pixels, i, j, nu, nv, width, height))
            out = np.empty((height, width), np.uint32)
            light.compose(
                albedo, along + i * width, down + (nv - 1 - j) * height, linear, lightmap,
                i * columns / nu, j * rows / nv, columns / nu, rows / nv,
                _TONE, np.float32(2.2 * material.glow), balance, out,
            )  # fmt: skip
            static.add_quad(
                surface.corner + surface.u * (i / nu) + surface.v * (j / nv),
                surface.u / nu, surface.v / nv, heap.add_baked(out), surface.id, surface.group,
            )  # fmt: skip


_TONE = _tone_table()


def _piece(
    pixels: npt.NDArray[np.uint8], i: int, j: int, nu: int, nv: int, width: int, height: int
) -> npt.NDArray[np.uint8]:
    """The part of a picture that falls on one panel, at the panel's size."""
    rows, columns = pixels.shape[:2]
    top, bottom = round(rows * (nv - 1 - j) / nv), round(rows * (nv - j) / nv)
    left, right = round(columns * i / nu), round(columns * (i + 1) / nu)
    shrink = (right - left) > width
    how = cv2.INTER_AREA if shrink else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels[top:bottom, left:right], (width, height), interpolation=how), np.uint8)


def _albedo_of(surface: Surface, density: int) -> tuple[npt.NDArray[np.uint8], int, int]:
    """The tile, and where on it this surface begins: every surface shows another part."""
    if surface.material.picture is not None:
        return np.zeros((1, 1, 3), np.uint8), 0, 0
    tile = tile_at(surface.material, density)
    if surface.material.pattern == "wood" and surface.height > 1.15 * surface.width:
        tile = np.ascontiguousarray(tile.transpose(1, 0, 2))
    if surface.face < 8 and max(surface.width, surface.height) > 2.0:
        return tile, 0, 0
    side = tile.shape[0]
    turn = (surface.face * 0.6180339887, surface.face * 0.7548776662)
    return tile, int(turn[0] % 1 * side), int(turn[1] % 1 * side)


def _paint_window(static: _Static, heap: TextureHeap, window: Window, eye: Floats, group: int) -> None:
    corner, u, v = (np.array(x, float) for x in (window.corner, window.u, window.v))
    normal = np.cross(u, v)
    normal /= np.linalg.norm(normal)
    corner = corner + 0.012 * normal
    columns = max(16, min(512, int(np.linalg.norm(u) * 160)))
    rows = max(16, min(512, int(np.linalg.norm(v) * 160)))
    a = (np.arange(columns) + 0.5) / columns
    b = 1 - (np.arange(rows) + 0.5) / rows
    ray = corner + a[None, :, None] * u + b[:, None, None] * v - eye
    ray /= np.linalg.norm(ray, axis=-1, keepdims=True)
    static.add_quad(corner, u, v, heap.add_baked(pack(paint_sky(window.view, ray))), window.id, group)


def _paint_sky_box(static: _Static, heap: TextureHeap, sky: Sky, centre: Floats, group: int) -> None:
    """Six far faces all around."""
    d = SKY_DISTANCE
    frames = [
        ((0, 1, 0), (0, 0, 1)), ((1, 0, 0), (0, 0, 1)), ((0, -1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, 0, 1)), ((0, 0, 1), (0, -1, 0)), ((0, 0, -1), (0, 1, 0)),
    ]  # fmt: skip
    side = 1024
    t = (np.arange(side) + 0.5) / side * 2 - 1
    for forward, up in frames:
        f, v = np.array(forward, float), np.array(up, float)
        r = np.cross(f, v)
        ray = f + t[None, :, None] * r - t[:, None, None] * v
        ray /= np.linalg.norm(ray, axis=-1, keepdims=True)
        slot = heap.add_baked(pack(paint_sky(sky, ray)))
        static.add_quad(centre + d * (f - r - v), 2 * d * r, 2 * d * v, slot, -2, group)


def _add_fittings(static: _Static, heap: TextureHeap, room: Room, lit: list[Lightmap], gain: Floats) -> None:
    curve = _light_curve()
    group = max(static.group, default=0) + 1
    for fitting, values in zip(room.fittings, lit, strict=True):
        mesh = fitting.mesh.moved(fitting.matrix)
        start = len(static.points)
        slots = [heap.add_repeating(t) for t in mesh.textures]
        index = np.minimum(values * gain / 4.0, 1.0) * (len(curve) - 1)
        factor = curve[index.astype(int)]
        factor = factor + fitting.glow * np.maximum(1.15 - factor, 0)
        static.points += list(mesh.vertices)
        static.uv += list(mesh.uv)
        static.light += list(factor)
        static.corners += np.where(mesh.faces >= 0, mesh.faces + start, -1).tolist()
        static.texture += [slots[t] if t >= 0 else 0 for t in mesh.texture_of]
        static.kind += [LIT] * len(mesh.faces)
        static.id += [fitting.id] * len(mesh.faces)
        static.group += (mesh.groups + group).tolist()
        static.colour += list(mesh.colours * np.array(fitting.tint))
        group += int(mesh.groups.max()) + 1


# ------------------------------------------------------------------------------------------------------- bake


def bake(room: Room) -> BakedRoom:
    """Light a room and paint its surfaces. About a second and a half the first time, a third of that afterwards."""
    cv2.setNumThreads(1)
    surfaces = _surfaces(room)
    mark = fingerprint(room)
    path = _cache_path(mark)
    found = _load(path)
    if found is None:
        found = _light_room(room, surfaces)
        _keep(path, found)
    exposure = _exposure(room, surfaces, found.maps)
    warm = max(-1.0, min(1.0, room.warmth))
    balance = np.array([1 + 0.10 * warm, 1.0, 1 - 0.12 * warm])
    static, heap = _Static([], [], [], [], [], [], [], [], []), TextureHeap()
    _paint_everything(static, heap, room, surfaces, found, exposure, balance)
    low, high = room.bounds()
    margin = 0.4
    size = float(max(high[0] - low[0], high[1] - low[1])) + 2 * margin
    probe_low, _, probe_step = _probe_grid(room)
    return BakedRoom(
        room=room,
        points=np.array(static.points),
        uv=np.array(static.uv),
        light=np.array(static.light),
        corners=np.array(static.corners, np.int64),
        texture=np.array(static.texture, np.int64),
        kind=np.array(static.kind, np.int64),
        id=np.array(static.id, np.int64),
        group=np.array(static.group, np.int64),
        colour=np.array(static.colour),
        heap=heap,
        probes=Probes(found.probes, probe_low, probe_step),
        key=_key_light(room, found.key),
        top_frame=np.array([low[0] - margin, low[1] - margin, 1 / size, max(high[2], low[2] + 2.5) + 1.0]),
        exposure=exposure,
        balance=balance,
        curve=_light_curve(),
        fingerprint=mark,
    )


def _paint_everything(
    static: _Static,
    heap: TextureHeap,
    room: Room,
    surfaces: list[Surface],
    found: Lighting,
    exposure: float,
    balance: Floats,
) -> None:
    low, high = room.bounds()
    density = _density(room, surfaces)
    for surface, raw in zip(surfaces, found.maps, strict=True):
        soft: Lightmap = np.maximum(cv2.GaussianBlur(raw, (0, 0), 0.9), 0).astype(np.float32)
        soft[..., :3] *= exposure
        # Moving shadows multiply the finished colour, so the key light's share goes through the print's gamma.
        soft[..., 3] = 1 - (1 - np.clip(soft[..., 3], 0, 0.97)) ** (1 / 2.2)
        _paint_surface(static, heap, surface, soft, _panel_density(surface, density, low, high), balance)
    group = 1 + max(static.group, default=0)
    eye = (low + high) / 2
    eye[2] = low[2] + 1.5
    for window in room.windows:
        _paint_window(static, heap, window, eye, group)
        group += 1
    if room.sky is not None:
        _paint_sky_box(static, heap, room.sky, eye, group)
    _add_fittings(static, heap, room, found.vertices, exposure * balance)


def _exposure(room: Room, surfaces: list[Surface], maps: list[Lightmap]) -> float:
    """What makes the room's surfaces as bright on average as `room.brightness` asks."""
    low, high = room.bounds()
    total, area = 0.0, 0.0
    for surface, one in zip(surfaces, maps, strict=True):
        middle = surface.corner + (surface.u + surface.v) / 2
        if np.any(middle < low - 1) or np.any(middle > high + 1):
            continue
        weight = surface.width * surface.height
        total += weight * float(one[..., :3].mean())
        area += weight
    return 1.55 * room.brightness / max(total / max(area, 1e-9), 1e-6)


def _key_light(room: Room, key: int) -> KeyLight:
    table = _light_table(room)
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
        frame = _light_frame(np.array([0.0, 0.0, -1.0]), place, 0.5 / 1.8)
        blur = 2.4
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


__all__ = ["BakedRoom", "Quad", "bake", "fingerprint"]
