"""Drawing: one renderer per thread, any number per baked room.

draw(view) = pose → shadows → light on vertices → set-up → visibility and shading

While the camera rests, the room and the things that stand still in it are seen and shaded once and kept as a plate;
every further frame costs only what moves, and the shadows and light that it changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.errors import InputError
from storyengine.previz.render import raster_kernels as raster
from storyengine.previz.render import shade_kernels as shade
from storyengine.previz.render import stage_kernels as stage
from storyengine.previz.render import warming
from storyengine.previz.render.baking import BakedRoom
from storyengine.previz.render.cast import Cast, Extent, Flags, MeshPool, World
from storyengine.previz.render.textures import Packed, unpack
from storyengine.previz.render.values import Camera, Floats, Instance, Mesh, Vec3, View

SHADOW_MAP = 384
COARSE = 96
TOP_BLUR = 3.2
"""Softness of the dark under things, in texels of the map from above."""
LARGEST = 8192
SAME_LIGHT = 1 / 400
"""Changes of light on a vertex below this are not drawn again."""


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


class Maps(NamedTuple):
    """What things hide from the key light and stand over, unblurred."""

    key: npt.NDArray[np.uint8]
    key_depth: npt.NDArray[np.float32]
    top: npt.NDArray[np.uint8]
    top_depth: npt.NDArray[np.float32]

    @classmethod
    def empty(cls) -> Maps:
        shape = (SHADOW_MAP, SHADOW_MAP)
        none = np.zeros(shape, np.uint8)
        return cls(none, np.full(shape, 1e9, np.float32), none.copy(), np.full(shape, -1e9, np.float32))

    def copied(self) -> Maps:
        return Maps(self.key.copy(), self.key_depth.copy(), self.top.copy(), self.top_depth.copy())

    def take(self, other: Maps) -> None:
        """Become the same as another."""
        self.key[:], self.key_depth[:] = other.key, other.key_depth
        self.top[:], self.top_depth[:] = other.top, other.top_depth


@dataclass(frozen=True, eq=False)
class Standing:
    """What stands still before a camera: the room and perhaps some things, with their shadows."""

    end: Extent
    maps: Maps
    things: Cast | None = None
    light: Floats | None = None
    """On the vertices of the things, before anything else came."""
    plate: raster.Plate | None = None
    fixed: int = 0
    """How many polygons of it are on the screen."""


Poses = dict[int, frozenset[tuple[object, ...]]]
"""By id: where all the instances of a thing are."""


@dataclass
class Rest:
    """A camera that stays where it is, and what has been seen to move before it."""

    camera: Floats
    shape: tuple[int, ...]
    before: Poses
    restless: set[int] = field(default_factory=set)
    plated: Poses = field(default_factory=dict)
    standing: Standing | None = None

    def holds(self, camera: Floats, shape: tuple[int, ...]) -> bool:
        return shape == self.shape and np.array_equal(camera, self.camera)

    def is_stale(self, poses: Poses) -> bool:
        """Whether the plate shows something that is no longer there."""
        return self.standing is None or any(poses.get(thing) != how for thing, how in self.plated.items())

    def settle(self, poses: Poses) -> None:
        """Choose what goes into the plate: what has not moved since the frame before, nor ever stirred in a plate."""
        self.restless |= {thing for thing, how in self.plated.items() if poses.get(thing) != how}
        still = {thing: how for thing, how in poses.items() if self.before.get(thing) == how}
        self.plated = {thing: how for thing, how in still.items() if thing not in self.restless}


class Renderer:
    """Working memory of one thread for one room. Not to be shared between threads."""

    def __init__(self, baked: BakedRoom, *, ink: float = 1.0, shadows: bool = True) -> None:
        warming.wait()
        self._baked = baked
        self._ink = float(ink)
        self._shadows_on = shadows
        self._world = World(baked)
        self._pool: MeshPool | None = None
        self._room = Standing(self._world.room, Maps.empty())
        self._none = _no_shadows(baked)
        self._maps = Maps.empty()
        self._rest: Rest | None = None
        self._scratch: dict[tuple[int, int], tuple[raster.Scratch, raster.Plate]] = {}

    def draw(self, view: View, width: int, height: int, *, truth: bool = False, into: Packed | None = None) -> Frame:
        """One perspective picture. Sides must be even and between 16 and 8192.

        `into` is a buffer (h, w) to draw in; fresh memory costs a millisecond a frame.
        """
        if not (16 <= width <= LARGEST and 16 <= height <= LARGEST) or width % 2 or height % 2:
            raise InputError(
                f"A picture of {width}×{height} cannot be drawn.",
                next_step=f"Both sides must be even and between 16 and {LARGEST}.",
            )
        out = np.empty((height, width), np.uint32) if into is None else into
        camera = _camera_row(view.camera, width, height)
        poses, rest = _poses(view.instances), self._rest
        if rest is None or not rest.holds(camera, out.shape):
            self._rest = Rest(camera, out.shape, poses)
            return self._shoot(self._room, view.instances, camera, out, truth=truth)
        if rest.is_stale(poses):
            rest.settle(poses)
            rest.standing = self._make_plate(rest, view.instances)
        rest.before = poses
        assert rest.standing is not None
        moving = tuple(i for i in view.instances if i.id not in rest.plated)
        return self._shoot(rest.standing, moving, camera, out, truth=truth)

    def panorama(self, station: Vec3, instances: tuple[Instance, ...] = (), width: int = 4096) -> Frame:
        """A 2:1 picture of all directions; north is in the middle, east to its right."""
        if not 256 <= width <= LARGEST or width % 4:
            raise InputError(
                f"A panorama {width} pixels wide cannot be drawn.",
                next_step=f"The width must be a multiple of 4 between 256 and {LARGEST}.",
            )
        self._rest = None
        side = max(64, width // 4)
        strip = np.empty((6 * side, side), np.uint32)
        uncovered = 0
        for number, (forward, up) in enumerate(CUBE):
            part = strip[number * side : (number + 1) * side]
            row = _cube_row(station, forward, up, side)
            uncovered += self._shoot(self._room, instances, row, part, truth=False).uncovered
        across, down = _panorama_maps(side, width)
        rgba = strip.view(np.uint8).reshape(6 * side, side, 4)
        whole = cv2.remap(rgba, across, down, cv2.INTER_LINEAR)
        return Frame(np.ascontiguousarray(whole).view(np.uint32)[..., 0], uncovered)

    # -------------------------------------------------------------------------------------------- stages

    def _shoot(
        self, standing: Standing, moving: tuple[Instance, ...], camera: Floats, out: Packed, *, truth: bool
    ) -> Frame:
        """A frame: things that move before what stands still."""
        height, width = out.shape
        end, shadows, wanted = self._prepare(standing, moving)
        geometry, polygons = self._world.geometry, self._world.polygons(end.faces)
        scratch, band = self._scratch_for(width, height, end.faces)
        room, fixed = self._world.room.faces, standing.fixed
        if standing.plate is None:
            fixed = raster.set_up(geometry, 0, _all(room), camera, width, height, shadows, polygons, 0)
        number = raster.set_up(geometry, room, wanted, camera, width, height, shadows, polygons, fixed)
        shape = (height, width) if truth else (1, 1)
        ids, depth = np.empty(shape, np.int32), np.empty(shape, np.float32)
        heap, plate = self._baked.heap, standing.plate or band
        uncovered = shade.draw(
            fixed, number, standing.plate is None, polygons, heap.table, heap.texels, shadows, self._ink, scratch,
            plate, out, ids, depth,
        )  # fmt: skip
        return Frame(out, int(uncovered), ids if truth else None, depth if truth else None)

    def _make_plate(self, rest: Rest, instances: tuple[Instance, ...]) -> Standing:
        """See and shade what stands still, once."""
        (height, width), heap = rest.shape, self._baked.heap
        still = tuple(i for i in instances if i.id in rest.plated)
        end, shadows, _ = self._prepare(self._room, still)
        geometry, polygons = self._world.geometry, self._world.polygons(end.faces)
        fixed = raster.set_up(geometry, 0, _all(end.faces), rest.camera, width, height, shadows, polygons, 0)
        scratch, _ = self._scratch_for(width, height, end.faces)
        plate = (rest.standing.plate if rest.standing else None) or _plate(width, height, height)
        nothing = np.empty((1, 1), np.int32), np.empty((1, 1), np.float32)
        shade.draw(
            fixed, fixed, True, polygons, heap.table, heap.texels, shadows, self._ink, scratch, plate, plate.colour,
            *nothing,
        )  # fmt: skip
        if not still:
            return Standing(end, self._room.maps, plate=plate, fixed=fixed)
        room = self._world.room.vertices
        things = Cast.of(still, self._pool_of(still))
        light = geometry.light[room : end.vertices].copy()
        maps = self._maps.copied() if self._shadows_on else self._room.maps
        return Standing(end, maps, things, light, plate, fixed)

    def _prepare(self, standing: Standing, moving: tuple[Instance, ...]) -> tuple[Extent, raster.Shadows, Flags]:
        """Pose what moves, draw its shadows, light it. Gives also which faces behind the room are to be drawn."""
        cast = Cast.of(moving, self._pool_of(moving)) if moving else None
        end = self._world.put(cast, standing.end) if cast else standing.end
        shadows = self._none
        if self._shadows_on and (cast or standing.things):
            shadows = self._shadows(standing, cast, end)
        relit = np.zeros(0, np.bool_)
        if standing.things is not None:
            relit = self._relit(standing, shadows)
        if cast:
            self._light(cast, standing.end.vertices, shadows)
        return end, shadows, np.concatenate([relit, np.ones(end.faces - standing.end.faces, np.bool_)])

    def _light(self, cast: Cast, first: int, shadows: raster.Shadows) -> None:
        baked, geometry = self._baked, self._world.geometry
        stage.light_vertices(
            geometry.points, self._world.normals, first, cast.mesh_of, cast.pool.vertex_count, cast.middles(),
            cast.glows, baked.probes.grid, baked.probes.low, baked.probes.step, baked.key.row, baked.exposure,
            baked.balance, baked.curve, shadows.key, shadows.key_depth, shadows.frame, self._shadows_on, geometry.light,
        )  # fmt: skip

    def _relit(self, standing: Standing, shadows: raster.Shadows) -> Flags:
        """The faces of standing things on which what moves now changes the light."""
        assert standing.things is not None
        room, geometry = self._world.room, self._world.geometry
        self._light(standing.things, room.vertices, shadows)
        now = geometry.light[room.vertices : standing.end.vertices]
        changed = np.zeros(standing.end.vertices + 1, np.bool_)  # the last is for -1, the missing corner of a triangle
        changed[room.vertices : -1] = (np.abs(now - standing.light) > SAME_LIGHT).any(axis=1)
        return np.asarray(changed[geometry.corners[room.faces : standing.end.faces]].any(axis=1))

    def _pool_of(self, instances: tuple[Instance, ...]) -> MeshPool:
        if self._pool is None or not self._pool.holds(instances):
            self._pool = MeshPool.of(_meshes(instances), self._baked.heap)
        return self._pool

    def _shadows(self, standing: Standing, cast: Cast | None, end: Extent) -> raster.Shadows:
        """Masks of all things from the key light and from above, blurred, and a coarse index of what is new in each."""
        baked, maps, geometry, before = self._baked, self._maps, self._world.geometry, standing.maps
        maps.take(before)
        if cast is not None:
            at = (geometry.points, geometry.corners, standing.end.faces, end.faces, cast.casts())
            stage.key_mask(*at, baked.key.frame, maps.key, maps.key_depth)
            stage.top_mask(*at, baked.top_frame, maps.top, maps.top_depth)
        new_key = (maps.key != before.key) | (maps.key_depth != before.key_depth)
        new_top = (maps.top != before.top) | (maps.top_depth != before.top_depth)
        return self._none._replace(
            key=_softened(maps.key, baked.key.blur) * _edge_fade(),
            key_depth=cv2.erode(maps.key_depth, _square(_reach_of(baked.key.blur))),
            top=_softened(maps.top, TOP_BLUR) * np.float32(1 / 255),
            top_depth=cv2.dilate(maps.top_depth, _square(_reach_of(TOP_BLUR))),
            key_area=_coarse(new_key, _reach_of(baked.key.blur) + 4),
            top_area=_coarse(new_top, _reach_of(TOP_BLUR) + 4),
            strength=1.0,
        )

    def _scratch_for(self, width: int, height: int, faces: int) -> tuple[raster.Scratch, raster.Plate]:
        """Working memory for a size of picture, and a plate of one band."""
        found = self._scratch.get((width, height))
        need = faces * 14 + height
        if found is None or len(found[0].bin_items) < need:
            found = (_scratch(width, height, need), _plate(width, height, raster.BAND))
            self._scratch[width, height] = found
        return found


def _poses(instances: tuple[Instance, ...]) -> Poses:
    out: dict[int, set[tuple[object, ...]]] = {}
    for i in instances:
        how = (id(i.mesh), i.matrix.tobytes(), i.tint, i.glow, i.casts_shadow)
        out.setdefault(i.id, set()).add(how)
    return {thing: frozenset(how) for thing, how in out.items()}


def _meshes(instances: tuple[Instance, ...]) -> tuple[Mesh, ...]:
    return tuple({id(i.mesh): i.mesh for i in instances}.values())


@lru_cache(maxsize=16)
def _all(count: int) -> Flags:
    return np.ones(count, np.bool_)


def _no_shadows(baked: BakedRoom) -> raster.Shadows:
    none = np.zeros((SHADOW_MAP, SHADOW_MAP), np.float32)
    empty = np.zeros((COARSE + 1, COARSE + 1), np.int32)
    return raster.Shadows(none, none, none, none, empty, empty, baked.key.frame, baked.top_frame, 0.0)


def _scratch(width: int, height: int, items: int) -> raster.Scratch:
    def words(kind: type[np.generic]) -> npt.NDArray[np.generic]:
        return np.zeros(width, kind)

    return raster.Scratch(
        np.zeros(raster.BAND * 4 * width, np.float32), np.zeros((raster.BAND * 4, width), np.int32),
        np.zeros(height // raster.BAND + 4, np.int64), np.empty(items, np.int64),
        np.zeros(height // raster.BAND + 4, np.int64), np.empty(items, np.int64), words(np.uint32), words(np.int32),
        words(np.int32), words(np.int32), words(np.int32), words(np.uint32), words(np.uint32), words(np.uint32),
        words(np.uint32), np.zeros((width, 4), np.int64), np.zeros(4, np.int64),
    )  # fmt: skip


def _plate(width: int, height: int, rows: int) -> raster.Plate:
    """Memory for so many rows of what stands still; untouched pages cost nothing."""
    return raster.Plate(
        np.empty(rows * 4 * width, np.float32), np.empty((rows * 4, width), np.int32),
        np.empty((rows, width), np.uint32), np.empty((rows, width), np.uint32),
        np.empty((height * width, 3), np.int32), np.zeros(height + 1, np.int64), np.zeros(1, np.int64),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _square(side: int) -> npt.NDArray[np.uint8]:
    return np.ones((side, side), np.uint8)


def _softened(mask: npt.NDArray[np.uint8], sigma: float) -> npt.NDArray[np.float32]:
    """A mask blurred by two box filters, which are much cheaper than a Gaussian and look the same here."""
    side = _box_of(sigma)
    return np.asarray(cv2.blur(cv2.blur(mask, (side, side)), (side, side)), np.float32)


def _box_of(sigma: float) -> int:
    return max(3, round(math.sqrt(6 * sigma * sigma + 1)) | 1)


def _reach_of(sigma: float) -> int:
    """How wide a square is that a single texel is blurred over."""
    return 2 * _box_of(sigma) - 1


@lru_cache(maxsize=1)
def _edge_fade() -> npt.NDArray[np.float32]:
    """Bytes to 0…1, falling to nothing at the rim, so that no shadow is cut off where a light's map ends."""
    rim = np.minimum(np.arange(SHADOW_MAP), np.arange(SHADOW_MAP)[::-1]) / (0.10 * SHADOW_MAP)
    ramp = np.clip(rim, 0, 1)
    return (np.minimum(ramp[:, None], ramp[None, :]) / 255).astype(np.float32)


def _coarse(new: Flags, reach: int) -> npt.NDArray[np.int32]:
    """Summed areas of a coarse mask, grown by the blur's reach: says quickly where no shadow can have changed."""
    grown = cv2.dilate(new.view(np.uint8) * np.uint8(255), _square(reach))
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
