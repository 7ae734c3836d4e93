"""Things in front of the room: meshes end to end, instances as arrays, and the frame's geometry with room for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from storyengine.previz.render import raster_kernels as raster
from storyengine.previz.render import stage_kernels as stage
from storyengine.previz.render.baking import BakedRoom
from storyengine.previz.render.textures import TextureHeap
from storyengine.previz.render.values import Floats, Instance, Ints, Mesh, smooth_split

Flags = npt.NDArray[np.bool_]


@lru_cache(maxsize=512)
def _split(mesh: Mesh) -> Mesh:
    return smooth_split(mesh)


@dataclass(frozen=True, eq=False)
class MeshPool:
    """Some meshes, end to end."""

    meshes: tuple[Mesh, ...]
    vertex_start: Ints
    vertex_count: Ints
    face_start: Ints
    face_count: Ints
    group_count: Ints
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
        meshes = tuple(_split(m) for m in originals)
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
            group_count=np.array([m.groups.max() + 1 for m in meshes], np.int64),
            points=np.vstack([m.vertices for m in meshes]),
            normals=np.vstack([m.normals for m in meshes]),
            uv=np.vstack([m.uv for m in meshes]),
            faces=np.vstack([m.faces for m in meshes]),
            texture=np.concatenate(slots),
            group=np.concatenate([m.groups for m in meshes]),
            colour=np.vstack([m.colours for m in meshes]),
            middle=np.array([(m.vertices.min(axis=0) + m.vertices.max(axis=0)) / 2 for m in meshes]),
        )

    def holds(self, instances: tuple[Instance, ...]) -> bool:
        known = {id(m) for m in self.meshes}
        return all(id(i.mesh) in known for i in instances)


@dataclass(frozen=True, eq=False)
class Cast:
    """Instances of a frame as arrays, with the pool that has their meshes."""

    pool: MeshPool
    matrices: Floats
    mesh_of: Ints
    ids: Ints
    tints: Floats
    glows: Floats
    shadow: Flags

    @classmethod
    def of(cls, instances: tuple[Instance, ...], pool: MeshPool) -> Cast:
        where = {id(mesh): number for number, mesh in enumerate(pool.meshes)}
        return cls(
            pool,
            np.ascontiguousarray([i.matrix for i in instances], np.float64),
            np.array([where[id(i.mesh)] for i in instances], np.int64),
            np.array([i.id for i in instances], np.int64),
            np.array([i.tint for i in instances], np.float64),
            np.array([i.glow for i in instances], np.float64),
            np.array([i.casts_shadow for i in instances], np.bool_),
        )

    @property
    def vertices(self) -> int:
        return int(self.pool.vertex_count[self.mesh_of].sum())

    @property
    def faces(self) -> int:
        return int(self.pool.face_count[self.mesh_of].sum())

    @property
    def groups(self) -> int:
        return int(self.pool.group_count[self.mesh_of].sum())

    def casts(self) -> Flags:
        """Per face: whether it throws a shadow."""
        return np.repeat(self.shadow, self.pool.face_count[self.mesh_of])

    def middles(self) -> Floats:
        turned = np.einsum("kij,kj->ki", self.matrices[:, :, :3], self.pool.middle[self.mesh_of])
        return np.asarray(turned + self.matrices[:, :, 3])


@dataclass(frozen=True)
class Extent:
    """How much of a frame's geometry is filled: vertices, faces and smooth groups."""

    vertices: int
    faces: int
    groups: int

    def after(self, cast: Cast) -> Extent:
        return Extent(self.vertices + cast.vertices, self.faces + cast.faces, self.groups + cast.groups)


class World:
    """The room's own geometry with room behind it for things; grows when a frame needs more."""

    def __init__(self, baked: BakedRoom) -> None:
        b = baked
        self.room = Extent(len(b.points), len(b.corners), int(b.group.max()) + 1)
        own = (b.points, b.uv, b.light, b.corners, b.texture, b.kind, b.id, b.group, b.colour)
        self._whole = raster.Geometry(*(array.copy() for array in own))
        self._normals: Floats = np.zeros((len(b.points), 3))
        self._polygons: raster.Polygons | None = None

    def put(self, cast: Cast, start: Extent) -> Extent:
        """Pose things behind what is there already; returns where they end."""
        end = start.after(cast)
        self._make_room(end)
        w, pool = self._whole, cast.pool
        stage.pose(
            cast.matrices, cast.mesh_of, pool.vertex_start, pool.vertex_count, pool.points, pool.normals, w.points,
            self._normals, start.vertices,
        )  # fmt: skip
        stage.spread_faces(
            cast.matrices, cast.mesh_of, cast.ids, cast.tints, pool.vertex_count, pool.face_start, pool.face_count,
            pool.faces, pool.texture, pool.group, pool.colour, start.vertices, start.faces, start.groups, w.corners,
            w.texture, w.id, w.group, w.colour,
        )  # fmt: skip
        w.kind[start.faces : end.faces] = raster.LIT
        at = start.vertices
        for mesh in cast.mesh_of:
            first, count = pool.vertex_start[mesh], pool.vertex_count[mesh]
            w.uv[at : at + count] = pool.uv[first : first + count]
            at += count
        return end

    @property
    def geometry(self) -> raster.Geometry:
        return self._whole

    @property
    def normals(self) -> Floats:
        return self._normals

    def _make_room(self, end: Extent) -> None:
        w = self._whole
        vertices, faces = end.vertices - len(w.points), end.faces - len(w.corners)
        if vertices <= 0 and faces <= 0:
            return
        v, f = max(vertices, 0) + end.vertices // 4, max(faces, 0) + end.faces // 4

        def longer(array: npt.NDArray[np.generic], more: int) -> npt.NDArray[np.generic]:
            return np.concatenate([array, np.zeros((more, *array.shape[1:]), array.dtype)])

        self._whole = raster.Geometry(*(longer(a, v) for a in w[:3]), *(longer(a, f) for a in w[3:]))
        self._normals = np.concatenate([self._normals, np.zeros((v, 3))])

    def polygons(self, faces: int) -> raster.Polygons:
        """Memory for so many faces on the screen; what is in it stays."""
        have = 0 if self._polygons is None else len(self._polygons.count)
        if self._polygons is None or have < faces + 8:
            n = faces * 5 // 4 + 8
            grown = raster.Polygons(
                np.zeros((n, 8, 2)), np.zeros(n, np.int64), np.zeros((n, raster.PLANES)), np.zeros((n, 2)),
                np.zeros((n, 5), np.int64), np.zeros((n, 8, 4)),
            )  # fmt: skip
            for old, new in zip(self._polygons or (), grown, strict=False):
                new[:have] = old
            self._polygons = grown
        return self._polygons
