"""Drawing: one renderer per thread, any number per baked room.

draw(view) = pose → moving shadows → light on vertices → set-up → visibility and shading
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.errors import InputError
from storyengine.previz.render import raster_kernels as raster
from storyengine.previz.render import shade_kernels as shade
from storyengine.previz.render import stage_kernels as stage
from storyengine.previz.render.baking import BakedRoom
from storyengine.previz.render.textures import Packed, TextureHeap, unpack
from storyengine.previz.render.values import Camera, Floats, Instance, Ints, Mesh, Vec3, View, smooth_split

SHADOW_MAP = 384
COARSE = 96
LARGEST = 8192


@dataclass(frozen=True, eq=False)
class Frame:
    """A drawn picture. `ids` and `depth` are the renderer's truth, for grading only; None unless asked for."""

    packed: Packed
    uncovered: int
    ids: npt.NDArray[np.int32] | None = None
    depth: npt.NDArray[np.float32] | None = None

    @property
    def pixels(self) -> npt.NDArray[np.uint8]:
        """sRGB bytes (h, w, 3)."""
        return unpack(self.packed)


@dataclass(frozen=True, eq=False)
class MeshPool:
    """The meshes of a frame, end to end."""

    meshes: tuple[Mesh, ...]
    vertex_start: Ints
    vertex_count: Ints
    face_start: Ints
    face_count: Ints
    points: Floats
    normals: Floats
    uv: Floats
    faces: Ints
    texture: Ints
    group: Ints
    colour: Floats
    middle: Floats

    @classmethod
    def of(cls, originals: tuple[Mesh, ...], heap: TextureHeap) -> MeshPool:
        meshes = tuple(smooth_split(m) for m in originals)
        vertices = np.array([len(m.vertices) for m in meshes], np.int64)
        faces = np.array([len(m.faces) for m in meshes], np.int64)
        slots = []
        for mesh in meshes:
            of = np.array([heap.add_repeating(t) for t in mesh.textures] + [0], np.int64)
            slots.append(of[mesh.texture_of])
        return cls(
            meshes=originals,
            vertex_start=np.concatenate([[0], np.cumsum(vertices)[:-1]]).astype(np.int64),
            vertex_count=vertices,
            face_start=np.concatenate([[0], np.cumsum(faces)[:-1]]).astype(np.int64),
            face_count=faces,
            points=np.vstack([m.vertices for m in meshes]),
            normals=np.vstack([m.normals for m in meshes]),
            uv=np.vstack([m.uv for m in meshes]),
            faces=np.vstack([m.faces for m in meshes]),
            texture=np.concatenate(slots),
            group=np.concatenate([m.groups for m in meshes]),
            colour=np.vstack([m.colours for m in meshes]),
            middle=np.array([(m.vertices.min(axis=0) + m.vertices.max(axis=0)) / 2 for m in meshes]),
        )


class Renderer:
    """Working memory of one thread for one room. Not to be shared between threads."""

    def __init__(self, baked: BakedRoom, *, ink: float = 1.0, shadows: bool = True) -> None:
        self._baked = baked
        self._ink = float(ink)
        self._shadows_on = shadows
        self._pool: MeshPool | None = None
        self._still = _StillFrame(baked)
        self._scratch: dict[tuple[int, int], raster.Scratch] = {}
        size = SHADOW_MAP
        self._mask = np.zeros((size, size), np.uint8)
        self._depth = np.zeros((size, size), np.float32)

    def draw(self, view: View, width: int, height: int, *, truth: bool = False, into: Packed | None = None) -> Frame:
        """One perspective picture. Sides must be even and between 16 and 8192.

        `into` is a buffer (h, w) to draw in; fresh memory costs a millisecond a frame.
        """
        if not (16 <= width <= LARGEST and 16 <= height <= LARGEST) or width % 2 or height % 2:
            raise InputError(
                f"A picture of {width}×{height} cannot be drawn.",
                next_step=f"Both sides must be even and between 16 and {LARGEST}.",
            )
        geometry, shadows = self._prepare(view.instances)
        out = np.empty((height, width), np.uint32) if into is None else into
        return self._shoot(geometry, shadows, _camera_row(view.camera, width, height), out, truth=truth)

    def panorama(self, station: Vec3, instances: tuple[Instance, ...] = (), width: int = 4096) -> Frame:
        """A 2:1 picture of all directions; north is in the middle, east to its right."""
        if not 256 <= width <= LARGEST or width % 4:
            raise InputError(
                f"A panorama {width} pixels wide cannot be drawn.",
                next_step=f"The width must be a multiple of 4 between 256 and {LARGEST}.",
            )
        geometry, shadows = self._prepare(instances)
        side = max(64, width // 4)
        strip = np.empty((6 * side, side), np.uint32)
        uncovered = 0
        for number, (forward, up) in enumerate(CUBE):
            part = strip[number * side : (number + 1) * side]
            row = _cube_row(station, forward, up, side)
            uncovered += self._shoot(geometry, shadows, row, part, truth=False).uncovered
        across, down = _panorama_maps(side, width)
        rgba = strip.view(np.uint8).reshape(6 * side, side, 4)
        whole = cv2.remap(rgba, across, down, cv2.INTER_LINEAR)
        return Frame(np.ascontiguousarray(whole).view(np.uint32)[..., 0], uncovered)

    # -------------------------------------------------------------------------------------------- stages

    def _prepare(self, instances: tuple[Instance, ...]) -> tuple[raster.Geometry, raster.Shadows]:
        """Pose the moving things, draw their shadows, light them."""
        if not instances:
            return self._still.geometry, self._still.shadows
        pool = self._pool_of(instances)
        baked, moving = self._baked, _Moving.of(instances, pool)
        vertices = int(pool.vertex_count[moving.mesh_of].sum())
        faces = int(pool.face_count[moving.mesh_of].sum())
        geometry = self._still.with_room_for(vertices, faces)
        base, first = len(baked.points), len(baked.corners)
        normals = self._still.normals
        stage.pose(
            moving.matrices, moving.mesh_of, pool.vertex_start, pool.vertex_count, pool.points, pool.normals,
            geometry.points, normals, base,
        )  # fmt: skip
        stage.spread_faces(
            moving.matrices, moving.mesh_of, moving.ids, moving.tints, pool.vertex_count, pool.face_start,
            pool.face_count, pool.faces, pool.texture, pool.group, pool.colour, base, first,
            self._still.next_group, geometry.corners, geometry.texture, geometry.id, geometry.group, geometry.colour,
        )  # fmt: skip
        _spread_uv(geometry.uv, base, moving.mesh_of, pool)
        shadows = self._moving_shadows(geometry, first, moving.casts(pool))
        middles = (
            np.einsum("kij,kj->ki", moving.matrices[:, :, :3], pool.middle[moving.mesh_of]) + moving.matrices[:, :, 3]
        )
        stage.light_vertices(
            geometry.points, normals, base, moving.mesh_of, pool.vertex_count, middles, moving.glows,
            baked.probes.grid, baked.probes.low, baked.probes.step, baked.key.row, baked.exposure, baked.balance,
            baked.curve, shadows.key, shadows.key_depth, shadows.frame, self._shadows_on, geometry.light,
        )  # fmt: skip
        return geometry, shadows

    def _pool_of(self, instances: tuple[Instance, ...]) -> MeshPool:
        meshes = tuple({id(i.mesh): i.mesh for i in instances}.values())
        pool = self._pool
        if pool is not None:
            known = {id(m) for m in pool.meshes}
            if all(id(m) in known for m in meshes):
                return pool
        self._pool = MeshPool.of(meshes, self._baked.heap)
        return self._pool

    def _moving_shadows(self, geometry: raster.Geometry, first: int, casts: npt.NDArray[np.bool_]) -> raster.Shadows:
        """Masks of the moving things from the key light and from above, blurred, with a coarse index each."""
        still, baked = self._still.shadows, self._baked
        if not self._shadows_on:
            return still
        last = len(geometry.corners)
        stage.key_mask(geometry.points, geometry.corners, first, last, casts, still.frame, self._mask, self._depth)
        key = _softened(self._mask, baked.key.blur) * _edge_fade()
        key_depth = cv2.erode(self._depth, _square(7))
        key_area = _coarse(self._mask, 15 if baked.key.blur < 4 else 33)
        stage.top_mask(geometry.points, geometry.corners, first, last, casts, still.top_frame, self._mask, self._depth)
        top = _softened(self._mask, 3.2) * np.float32(1 / 255)
        top_depth = cv2.dilate(self._depth, _square(15))
        return still._replace(
            key=key, key_depth=key_depth, top=top, top_depth=top_depth, key_area=key_area,
            top_area=_coarse(self._mask, 21), strength=1.0,
        )  # fmt: skip

    def _shoot(
        self, geometry: raster.Geometry, shadows: raster.Shadows, camera: Floats, out: Packed, *, truth: bool
    ) -> Frame:
        height, width = out.shape
        polygons = self._still.polygons(len(geometry.corners))
        number = raster.set_up(geometry, camera, width, height, shadows, polygons)
        scratch = self._scratch_for(width, height, len(geometry.corners))
        shape = (height, width) if truth else (1, 1)
        ids, depth = np.empty(shape, np.int32), np.empty(shape, np.float32)
        heap = self._baked.heap
        uncovered = shade.draw(number, polygons, heap.table, heap.texels, shadows, self._ink, scratch, out, ids, depth)
        return Frame(out, int(uncovered), ids if truth else None, depth if truth else None)

    def _scratch_for(self, width: int, height: int, polygons: int) -> raster.Scratch:
        found = self._scratch.get((width, height))
        need = polygons * 14 + height
        if found is None or len(found.bin_items) < need:
            found = _scratch(width, height, need)
            self._scratch[width, height] = found
        return found


class _StillFrame:
    """The room's own geometry with room behind it for what moves; grows when a frame needs more."""

    def __init__(self, baked: BakedRoom) -> None:
        self._baked = baked
        self.next_group = int(baked.group.max()) + 1
        self._whole = self._allocate(0, 0)
        self.geometry = self._whole
        self.normals: Floats = np.zeros((len(baked.points), 3))
        self._polygons: raster.Polygons | None = None
        none = np.zeros((SHADOW_MAP, SHADOW_MAP), np.float32)
        empty = np.zeros((COARSE + 1, COARSE + 1), np.int32)
        self.shadows = raster.Shadows(none, none, none, none, empty, empty, baked.key.frame, baked.top_frame, 0.0)

    def _allocate(self, vertices: int, faces: int) -> raster.Geometry:
        b = self._baked

        def longer(array: npt.NDArray[np.generic], more: int) -> npt.NDArray[np.generic]:
            return np.concatenate([array, np.zeros((more, *array.shape[1:]), array.dtype)])

        kind = np.concatenate([b.kind, np.full(faces, raster.LIT, np.int64)])
        return raster.Geometry(
            longer(b.points, vertices), longer(b.uv, vertices), longer(b.light, vertices), longer(b.corners, faces),
            longer(b.texture, faces), kind, longer(b.id, faces), longer(b.group, faces), longer(b.colour, faces),
        )  # fmt: skip

    def with_room_for(self, vertices: int, faces: int) -> raster.Geometry:
        v, f = len(self._baked.points) + vertices, len(self._baked.corners) + faces
        if len(self._whole.points) < v or len(self._whole.corners) < f:
            self._whole = self._allocate(vertices * 5 // 4 + 64, faces * 5 // 4 + 64)
            self.normals = np.zeros((len(self._whole.points), 3))
        w = self._whole
        return raster.Geometry(
            w.points[:v], w.uv[:v], w.light[:v], w.corners[:f], w.texture[:f], w.kind[:f], w.id[:f], w.group[:f],
            w.colour[:f],
        )  # fmt: skip

    def polygons(self, count: int) -> raster.Polygons:
        if self._polygons is None or len(self._polygons.count) < count + 8:
            n = count * 5 // 4 + 8
            self._polygons = raster.Polygons(
                np.zeros((n, 8, 2)), np.zeros(n, np.int64), np.zeros((n, raster.PLANES)), np.zeros((n, 2)),
                np.zeros((n, 5), np.int64), np.zeros((n, 8, 4)),
            )  # fmt: skip
        return self._polygons


@dataclass(frozen=True, eq=False)
class _Moving:
    """The instances of a frame as arrays."""

    matrices: Floats
    mesh_of: Ints
    ids: Ints
    tints: Floats
    glows: Floats
    shadow: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, instances: tuple[Instance, ...], pool: MeshPool) -> _Moving:
        where = {id(mesh): number for number, mesh in enumerate(pool.meshes)}
        return cls(
            np.ascontiguousarray([i.matrix for i in instances], np.float64),
            np.array([where[id(i.mesh)] for i in instances], np.int64),
            np.array([i.id for i in instances], np.int64),
            np.array([i.tint for i in instances], np.float64),
            np.array([i.glow for i in instances], np.float64),
            np.array([i.casts_shadow for i in instances], np.bool_),
        )

    def casts(self, pool: MeshPool) -> npt.NDArray[np.bool_]:
        """Per face: whether it throws a shadow."""
        return np.repeat(self.shadow, pool.face_count[self.mesh_of])


def _spread_uv(out: Floats, base: int, mesh_of: Ints, pool: MeshPool) -> None:
    at = base
    for mesh in mesh_of:
        start, count = pool.vertex_start[mesh], pool.vertex_count[mesh]
        out[at : at + count] = pool.uv[start : start + count]
        at += count


def _scratch(width: int, height: int, items: int) -> raster.Scratch:
    def words(kind: type[np.generic]) -> npt.NDArray[np.generic]:
        return np.zeros(width, kind)

    return raster.Scratch(
        np.zeros(raster.BAND * 4 * width, np.float32), np.zeros((raster.BAND * 4, width), np.int32),
        np.zeros(height // raster.BAND + 4, np.int64), np.zeros(items, np.int64), words(np.int32),
        words(np.int32), words(np.int32), words(np.int32), words(np.uint32), words(np.uint32), words(np.uint32),
        words(np.uint32), np.zeros((4 * width, 4), np.int64),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _square(side: int) -> npt.NDArray[np.uint8]:
    return np.ones((side, side), np.uint8)


def _softened(mask: npt.NDArray[np.uint8], sigma: float) -> npt.NDArray[np.float32]:
    """A mask blurred by two box filters, which are much cheaper than a Gaussian and look the same here."""
    side = max(3, round(math.sqrt(6 * sigma * sigma + 1)) | 1)
    return np.asarray(cv2.blur(cv2.blur(mask, (side, side)), (side, side)), np.float32)


@lru_cache(maxsize=1)
def _edge_fade() -> npt.NDArray[np.float32]:
    """Bytes to 0…1, falling to nothing at the rim, so that no shadow is cut off where a light's map ends."""
    rim = np.minimum(np.arange(SHADOW_MAP), np.arange(SHADOW_MAP)[::-1]) / (0.10 * SHADOW_MAP)
    ramp = np.clip(rim, 0, 1)
    return (np.minimum(ramp[:, None], ramp[None, :]) / 255).astype(np.float32)


def _coarse(mask: npt.NDArray[np.uint8], reach: int) -> npt.NDArray[np.int32]:
    """Summed areas of a coarse mask, grown by the blur's reach: says quickly where no shadow can be."""
    grown = cv2.dilate(mask, _square(reach))
    small = cv2.resize(grown, (COARSE, COARSE), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.integral(small), np.int32)


def _camera_row(camera: Camera, width: int, height: int) -> Floats:
    if not 1.0 <= camera.fov <= 150.0:
        raise InputError(f"A field of view of {camera.fov}° cannot be drawn.", next_step="Use 1 to 150 degrees.")
    return np.array([*camera.axes().ravel(), *camera.station, camera.focal(width), width / 2, height / 2])


# Forward and up of the six faces of a panorama: north, east, south, west, up, down.
CUBE: tuple[tuple[Vec3, Vec3], ...] = (
    ((0, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, 0, 1)),
    ((0, 0, 1), (0, -1, 0)),
    ((0, 0, -1), (0, 1, 0)),
)
FACE_MARGIN = 0.98
"""Faces see a little more than 90 degrees, so that filtering at their edges has neighbours."""


def _cube_row(station: Vec3, forward: Vec3, up: Vec3, side: int) -> Floats:
    right = np.cross(forward, up)
    return np.array([*right, *up, *forward, *station, side / 2 * FACE_MARGIN, side / 2, side / 2], float)


@lru_cache(maxsize=4)
def _panorama_maps(side: int, width: int) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    """Where each pixel of a panorama lies on the strip of six faces."""
    height = width // 2
    lon = ((np.arange(width, dtype=np.float32) + 0.5) / width * 2 - 1) * np.float32(np.pi)
    lat = (0.5 - (np.arange(height, dtype=np.float32) + 0.5) / height) * np.float32(np.pi)
    flat = np.cos(lat)[:, None]
    rays = np.empty((height, width, 3), np.float32)
    rays[..., 0] = flat * np.sin(lon)
    rays[..., 1] = flat * np.cos(lon)
    rays[..., 2] = np.sin(lat)[:, None]
    axis = np.abs(rays).argmax(axis=-1)
    positive = np.take_along_axis(rays, axis[..., None], -1)[..., 0] > 0
    face = np.choose(axis, [np.where(positive, 1, 3), np.where(positive, 0, 2), np.where(positive, 4, 5)])
    x, y = np.empty((height, width), np.float32), np.empty((height, width), np.float32)
    focal = side / 2 * FACE_MARGIN
    for number, (forward, up) in enumerate(CUBE):
        chosen = face == number
        here = rays[chosen]
        f, u = np.array(forward, np.float32), np.array(up, np.float32)
        depth = here @ f
        x[chosen] = side / 2 + focal * (here @ np.cross(f, u)) / depth - 0.5
        y[chosen] = side / 2 - focal * (here @ u) / depth - 0.5 + number * side
    across, down = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return np.asarray(across, np.int16), np.asarray(down, np.uint16)
