"""Painting light into surfaces: albedo × light → print, as packed texels on static polygons."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.previz.render import bake_kernels as light
from storyengine.previz.render.lighting import Lighting, Lightmap, Surface, colours_of, side_by_side, to_linear
from storyengine.previz.render.materials import TEXELS, mottling, mottling_strength, tile_at
from storyengine.previz.render.raster_kernels import BAKED, LIT
from storyengine.previz.render.sky import paint_sky
from storyengine.previz.render.textures import TextureHeap, pack
from storyengine.previz.render.values import Floats, Room, Sky, Window, smooth_split

TEXEL_BUDGET = 28_000_000
PANEL = 2048
"""Most texels along one side of a panel."""
SKY_DISTANCE = 120.0


def tone(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Linear light to sRGB: a soft shoulder, then a matte print (blacks a little up, whites a little down)."""
    shoulder = np.where(x < 0.5, x, 0.5 + 0.5 * (1 - np.exp(-(x - 0.5) / 0.5)))
    return np.asarray(0.022 + 0.962 * np.clip(shoulder, 0, 1) ** (1 / 2.2))


def _tone_table() -> npt.NDArray[np.uint8]:
    x = np.linspace(0, light.TONE_TOP, light.TONE_STEPS)
    return (tone(x) * 255 + 0.5).astype(np.uint8)


def light_curve() -> Floats:
    """Light on a vertex to the factor on its sRGB colour, matched to the tone curve at a middle albedo."""
    e = np.linspace(0, 4.0, 2048)
    middle = 0.55
    return np.asarray(tone(middle * e) / middle ** (1 / 2.2))


@dataclass
class Static:
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
    fits: int = 2 ** round(math.log2(max(2500 / longest, 16)))
    for limit in (4.0, 12.0, 30.0):
        if distance > limit:
            density //= 2
    return max(min(density, fits), 16)


Panel = tuple[Floats, Floats, Floats, npt.NDArray[np.uint32]]
"""Corner, sides and texels."""


def _panels(surface: Surface, lightmap: Lightmap, density: int, balance: Floats, place: int) -> list[Panel]:
    """A surface cut into panels of at most 2048 texels, with albedo × light painted into each."""
    material = surface.material
    nu = max(1, math.ceil(surface.width * density / PANEL))
    nv = max(1, math.ceil(surface.height * density / PANEL))
    width = max(2, round(surface.width * density / nu))
    height = max(2, round(surface.height * density / nv))
    tile, along, down = _tile_of(surface, density, place)
    first, second = (c.astype(np.float32) for c in colours_of(material))
    mottle = mottling(place, density)
    rows, columns = lightmap.shape[:2]
    out = []
    for j in range(nv):
        for i in range(nu):
            if material.picture is not None:
                tile = np.ascontiguousarray(_piece(material.picture.pixels, i, j, nu, nv, width, height))
            tile.setflags(write=False)  # like the tiles of patterns, so that one kernel serves all
            texels = np.empty((height, width), np.uint32)
            light.compose(
                tile, along + i * width, down + (nv - 1 - j) * height, material.picture is None, first, second, mottle,
                np.float32(mottling_strength(material) / 256), _LINEAR, lightmap, i * columns / nu, j * rows / nv,
                columns / nu, rows / nv, _TONE, np.float32(2.2 * material.glow), balance, texels,
            )  # fmt: skip
            corner = surface.corner + surface.u * (i / nu) + surface.v * (j / nv)
            out.append((corner, surface.u / nu, surface.v / nv, texels))
    return out


_LINEAR = to_linear(np.arange(256) / 255.0).astype(np.float32)
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


def _tile_of(surface: Surface, density: int, place: int) -> tuple[npt.NDArray[np.uint8], int, int]:
    """The tile, and where on it this surface begins.

    Every surface of every place shows another part, found from where it stands: adding furniture moves no other grain.
    """
    if surface.material.picture is not None:
        return np.zeros((1, 1, 3), np.uint8), 0, 0
    upright = surface.material.pattern == "wood" and surface.height > 1.15 * surface.width
    tile = tile_at(surface.material, density, place, turned=upright)
    where = np.rint(1000 * np.concatenate([surface.corner, surface.normal])).astype(np.int64)
    mark = int(where @ np.array([73856093, 19349663, 83492791, 49979687, 86028121, 32452843])) + 7919 * place
    side = tile.shape[0]
    return tile, int(mark * 0.6180339887498949 % 1 * side), int(mark * 0.7548776662466927 % 1 * side)


def _paint_window(static: Static, heap: TextureHeap, window: Window, eye: Floats, group: int) -> None:
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


def _paint_sky_box(static: Static, heap: TextureHeap, sky: Sky, centre: Floats, group: int) -> None:
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


def _add_fittings(static: Static, heap: TextureHeap, room: Room, lit: list[Lightmap], gain: Floats) -> None:
    curve = light_curve()
    group = max(static.group, default=0) + 1
    for fitting, values in zip(room.fittings, lit, strict=True):
        mesh = smooth_split(fitting.mesh.moved(fitting.matrix))
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


def _exposed(raw: Lightmap, exposure: float) -> Lightmap:
    """A light map as the print needs it: sampling noise blurred away, exposed."""
    soft: Lightmap = np.maximum(cv2.GaussianBlur(raw, (0, 0), 0.9), 0).astype(np.float32)
    soft[..., :3] *= exposure
    # Moving shadows multiply the finished colour, so the key light's share goes through the print's gamma.
    soft[..., 3] = 1 - (1 - np.clip(soft[..., 3], 0, 0.97)) ** (1 / 2.2)
    return soft


def paint_room(
    static: Static,
    heap: TextureHeap,
    room: Room,
    surfaces: list[Surface],
    found: Lighting,
    exposure: float,
    balance: Floats,
) -> None:
    low, high = room.bounds()
    density = _density(room, surfaces)

    def paint(k: int) -> list[Panel]:
        soft = _exposed(found.maps[k], exposure)
        return _panels(surfaces[k], soft, _panel_density(surfaces[k], density, low, high), balance, room.seed)

    # Tiles first, each once, so that two threads never paint the same one.
    plain = [s.material for s in surfaces if s.material.picture is None]
    needed = {(m.pattern, m.scale, m.seed): m for m in plain}
    once = list(needed.values())
    side_by_side(lambda k: tile_at(once[k], TEXELS, room.seed), len(once))
    for surface in surfaces:
        texels = _panel_density(surface, density, low, high)
        _tile_of(surface, texels, room.seed)
        mottling(room.seed, texels)
    for surface, panels in zip(surfaces, side_by_side(paint, len(surfaces)), strict=True):
        for corner, u, v, painted in panels:
            static.add_quad(corner, u, v, heap.add_baked(painted), surface.id, surface.group)
    group = 1 + max(static.group, default=0)
    eye = (low + high) / 2
    eye[2] = low[2] + 1.5
    for window in room.windows:
        _paint_window(static, heap, window, eye, group)
        group += 1
    if room.sky is not None:
        _paint_sky_box(static, heap, room.sky, eye, group)
    _add_fittings(static, heap, room, found.vertices, exposure * balance)
