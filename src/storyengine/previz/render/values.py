"""What the renderer is given: frozen values in metres, degrees and sRGB.

The world is right-handed with z up; north is +y and east is +x. Yaw is a compass bearing (0 looks north, 90 looks
east), pitch is positive upwards, and a field of view is horizontal. Colours are sRGB in 0…1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Vec3 = tuple[float, float, float]
Colour = tuple[float, float, float]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

WHITE: Colour = (1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Texture:
    """A small picture painted on a surface, sRGB uint8 (h, w, 3).

    On meshes it repeats, so both sides must be powers of two (at most 1024); on room surfaces it is stretched over
    the whole face and may have any size.
    """

    pixels: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        frozen = np.ascontiguousarray(self.pixels, dtype=np.uint8)
        if frozen.ndim != 3 or frozen.shape[2] != 3:
            raise ValueError(f"a texture is (height, width, 3) sRGB bytes, not {frozen.shape}")
        frozen.setflags(write=False)
        object.__setattr__(self, "pixels", frozen)


@dataclass(frozen=True)
class Material:
    """How a room surface looks: a procedural pattern (see `materials.PATTERNS`) in two colours."""

    pattern: str
    colour: Colour
    second: Colour | None = None
    """Colour of joints, grain or motif; None lets the pattern choose a calm neighbour of `colour`."""
    scale: float = 1.0
    """Size of the pattern's units relative to the usual one (a brick is 24 cm at 1.0)."""
    seed: int = 0
    glow: float = 0.0
    """Light of its own, 0 (none) to 1 (a lit lampshade or a screen)."""
    picture: Texture | None = None
    """Painted over the whole face instead of the pattern: a sign, a dial, a poster."""


@dataclass(frozen=True)
class Quad:
    """A flat static surface: corner + s·u + t·v, seen from the side of u × v. `v` is up in its picture."""

    corner: Vec3
    u: Vec3
    v: Vec3
    material: Material
    id: int = 0


@dataclass(frozen=True)
class Box:
    """A static box that casts and receives soft light. It may turn about the vertical only."""

    centre: Vec3
    size: Vec3
    material: Material
    yaw: float = 0.0
    id: int = 0


@dataclass(frozen=True)
class Lamp:
    """A round lamp. `shade` 1 throws its light down (a pendant), 0 to all sides (a bare bulb)."""

    position: Vec3
    colour: Colour = (1.0, 0.86, 0.68)
    power: float = 1.0
    radius: float = 0.22
    shade: float = 0.6


@dataclass(frozen=True)
class Window:
    """Daylight through a rectangle: corner, u, v as in `Quad`, seen from inside. It shows `view`."""

    corner: Vec3
    u: Vec3
    v: Vec3
    view: Sky
    power: float = 1.0
    colour: Colour = (0.80, 0.92, 1.0)
    id: int = 0


@dataclass(frozen=True)
class Sun:
    """Direct sunlight from a bearing and a height above the horizon, in degrees."""

    bearing: float
    height: float
    colour: Colour = (1.0, 0.90, 0.72)
    power: float = 1.0
    softness: float = 0.06
    """Apparent radius in radians; larger is softer."""


@dataclass(frozen=True)
class Sky:
    """What lies beyond: overhead, at the horizon, and a far skyline."""

    zenith: Colour = (0.56, 0.70, 0.84)
    horizon: Colour = (0.88, 0.90, 0.88)
    ground: Colour = (0.50, 0.52, 0.42)
    skyline: str = "hills"
    """One of `sky.SKYLINES`."""
    clouds: float = 0.4
    power: float = 1.0
    sun: Sun | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices with normals and texture coordinates; faces of three or four corners, each with its own colour.

    Faces are wound counter-clockwise seen from outside. `groups` joins the faces of one smooth surface: pixels
    inside a group are shaded once and carry no ink line between them.
    """

    vertices: Floats
    normals: Floats
    uv: Floats
    faces: Ints
    """(m, 4) vertex numbers; the fourth is -1 for a triangle."""
    colours: Floats
    """(m, 3) sRGB."""
    groups: Ints
    textures: tuple[Texture, ...] = ()
    texture_of: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """(m,) index into `textures`, -1 for plain colour."""

    def __post_init__(self) -> None:
        count = len(self.faces)
        if len(self.texture_of) != count:
            object.__setattr__(self, "texture_of", np.full(count, -1, np.int64))
        for name in ("vertices", "normals", "uv", "colours"):
            _freeze(self, name, np.float64)
        for name in ("faces", "groups", "texture_of"):
            _freeze(self, name, np.int64)

    def bounds(self) -> tuple[Floats, Floats]:
        return self.vertices.min(axis=0), self.vertices.max(axis=0)

    def moved(self, matrix: Floats) -> Mesh:
        """The same mesh under a 3×4 matrix."""
        linear = matrix[:, :3]
        normals = self.normals @ np.linalg.inv(linear)
        normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        faces = self.faces
        if np.linalg.det(linear) < 0:
            faces = _flipped(faces)
        return replace(self, vertices=self.vertices @ linear.T + matrix[:, 3], normals=normals, faces=faces)

    def painted(self, colour: Colour) -> Mesh:
        """The same shape in one colour."""
        return replace(self, colours=np.tile(np.array(colour, float), (len(self.faces), 1)))

    def textured(self, texture: Texture, repeat: tuple[float, float] = (1.0, 1.0)) -> Mesh:
        """The same shape with one repeating texture on every face; face colours multiply it."""
        return replace(
            self,
            uv=self.uv * np.array(repeat),
            textures=(texture,),
            texture_of=np.zeros(len(self.faces), np.int64),
        )


SPLIT_NORMAL = 0.08
"""How far a quad's fourth normal may be from what the other three foretell: about that much of the light."""
SPLIT_UV = 0.02
"""The same of its place on the texture, in repeats of it."""
SPLIT_BENT = 0.10
"""How far its fourth corner may lie off the plane of the others, in lengths of its sides."""


def smooth_split(mesh: Mesh) -> Mesh:
    """The same mesh with curved quads cut into triangles: light is exact at three corners of a face, not at four."""
    curved = _curved(mesh)
    if not curved.any():
        return mesh
    order = np.repeat(np.arange(len(mesh.faces)), 1 + curved)
    faces = mesh.faces[order].copy()
    second = np.concatenate([[False], order[1:] == order[:-1]])
    first = np.concatenate([order[1:] == order[:-1], [False]])
    faces[first, 3] = -1
    faces[second] = np.column_stack([faces[second][:, [0, 2, 3]], np.full(int(second.sum()), -1)])
    return replace(
        mesh, faces=faces, colours=mesh.colours[order], groups=mesh.groups[order], texture_of=mesh.texture_of[order]
    )


def _curved(mesh: Mesh) -> npt.NDArray[np.bool_]:
    """The quads whose fourth corner is not where, or not as, a plane through the first three would have it."""
    curved = mesh.faces[:, 3] >= 0
    quads = mesh.faces[curved]
    p, n, uv = mesh.vertices[quads], mesh.normals[quads], mesh.uv[quads]
    first, second, last = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0], p[:, 3] - p[:, 0]
    normal = np.cross(first, second)
    area = np.maximum(np.einsum("ij,ij->i", normal, normal), 1e-18)
    # Where the fourth corner lies in the triangle's own coordinates, and how far off its plane.
    along = np.einsum("ij,ij->i", np.cross(last, second), normal) / area
    across = np.einsum("ij,ij->i", np.cross(first, last), normal) / area
    off = np.abs(np.einsum("ij,ij->i", normal, last)) / np.sqrt(area)
    side = np.sqrt(np.maximum(np.einsum("ij,ij->i", second, second), 1e-18))

    def foretold(corners: Floats) -> Floats:
        a, b = along[:, None], across[:, None]
        return np.asarray(corners[:, 0] + a * (corners[:, 1] - corners[:, 0]) + b * (corners[:, 2] - corners[:, 0]))

    turned = np.abs(foretold(n) - n[:, 3]).max(axis=1, initial=0.0) > SPLIT_NORMAL
    shifted = np.abs(foretold(uv) - uv[:, 3]).max(axis=1, initial=0.0) > SPLIT_UV
    textured = mesh.texture_of[curved] >= 0
    curved[curved] = turned | (textured & shifted) | (off > SPLIT_BENT * side)
    return curved


def _freeze(mesh: Mesh, name: str, kind: Any) -> None:
    array = np.ascontiguousarray(getattr(mesh, name), dtype=kind)
    array.setflags(write=False)
    object.__setattr__(mesh, name, array)


def _flipped(faces: Ints) -> Ints:
    out = faces[:, [0, 2, 1, 3]].copy()
    four = faces[:, 3] >= 0
    out[four] = faces[four][:, [0, 3, 2, 1]]
    return out


def merged(meshes: Iterable[Mesh]) -> Mesh:
    """Several meshes as one. Groups and textures stay apart."""
    parts = list(meshes)
    vertex, group, texture = 0, 0, 0
    faces, groups, chosen = [], [], []
    for part in parts:
        faces.append(np.where(part.faces >= 0, part.faces + vertex, -1))
        groups.append(part.groups + group)
        chosen.append(np.where(part.texture_of >= 0, part.texture_of + texture, -1))
        vertex += len(part.vertices)
        group += int(part.groups.max()) + 1
        texture += len(part.textures)
    return Mesh(
        vertices=np.vstack([p.vertices for p in parts]),
        normals=np.vstack([p.normals for p in parts]),
        uv=np.vstack([p.uv for p in parts]),
        faces=np.vstack(faces),
        colours=np.vstack([p.colours for p in parts]),
        groups=np.concatenate(groups),
        textures=tuple(t for p in parts for t in p.textures),
        texture_of=np.concatenate(chosen),
    )


def placement(
    at: Vec3 = (0.0, 0.0, 0.0), yaw: float = 0.0, pitch: float = 0.0, roll: float = 0.0, scale: float | Vec3 = 1.0
) -> Floats:
    """A 3×4 matrix: scale, then roll about y, pitch about x, yaw about z (clockwise from above), then move."""
    sizes = (scale, scale, scale) if isinstance(scale, int | float) else scale
    a, b, c = (math.radians(x) for x in (-yaw, pitch, roll))
    turn = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    tip = np.array([[1, 0, 0], [0, math.cos(b), -math.sin(b)], [0, math.sin(b), math.cos(b)]])
    bank = np.array([[math.cos(c), 0, math.sin(c)], [0, 1, 0], [-math.sin(c), 0, math.cos(c)]])
    out = np.zeros((3, 4))
    out[:, :3] = turn @ tip @ bank @ np.diag(sizes)
    out[:, 3] = at
    return out


def composed(outer: Floats, inner: Floats) -> Floats:
    """The 3×4 matrix that applies `inner` first and then `outer`."""
    out = np.empty((3, 4))
    out[:, :3] = outer[:, :3] @ inner[:, :3]
    out[:, 3] = outer[:, :3] @ inner[:, 3] + outer[:, 3]
    return out


@dataclass(frozen=True, eq=False)
class Instance:
    """A mesh somewhere in the frame. `id` is what the id buffer says; instances with one id share one silhouette."""

    mesh: Mesh
    matrix: Floats
    id: int = 0
    tint: Colour = WHITE
    glow: float = 0.0
    """Light of its own: 0 for ordinary things, 1 for a lit lamp."""
    casts_shadow: bool = True


@dataclass(frozen=True)
class Room:
    """A place: its surfaces, furniture, fixed fittings and light. Everything here is baked once and never moves."""

    surfaces: tuple[Quad, ...]
    boxes: tuple[Box, ...] = ()
    fittings: tuple[Instance, ...] = ()
    """Static meshes. They are lit from the bake and shade the room through their bounding boxes (if they cast)."""
    lamps: tuple[Lamp, ...] = ()
    windows: tuple[Window, ...] = ()
    sky: Sky | None = None
    """Given for outdoor places: drawn all around, lights everything from above."""
    brightness: float = 0.5
    """What the eye adapts to: 0.5 is a well-lit room, 0.2 an evening, 0.65 a bright noon."""
    warmth: float = 0.0
    """White balance of the picture: -1 (cold) to 1 (warm)."""
    seed: int = 0
    """Which place this is. Surfaces of places with different seeds carry different marks, whatever else agrees."""
    stage: tuple[Vec3, Vec3] | None = None
    """Where people and cameras are: low and high corner. None takes the bounds of the surfaces."""

    def bounds(self) -> tuple[Floats, Floats]:
        if self.stage is not None:
            return np.array(self.stage[0], float), np.array(self.stage[1], float)
        corners = np.array([_corners(q) for q in self.surfaces]).reshape(-1, 3)
        return corners.min(axis=0), corners.max(axis=0)


def _corners(quad: Quad) -> Floats:
    corner, u, v = (np.array(x, float) for x in (quad.corner, quad.u, quad.v))
    return np.array([corner, corner + u, corner + u + v, corner + v])


@dataclass(frozen=True)
class Camera:
    """Where the picture is taken from, and how."""

    station: Vec3
    yaw: float
    pitch: float = 0.0
    fov: float = 60.0
    """Horizontal, in degrees, between 1 and 150."""

    @classmethod
    def looking_at(cls, station: Vec3, target: Vec3, fov: float = 60.0) -> Camera:
        dx, dy, dz = (target[i] - station[i] for i in range(3))
        flat = math.hypot(dx, dy)
        return cls(station, math.degrees(math.atan2(dx, dy)), math.degrees(math.atan2(dz, flat)), fov)

    def axes(self) -> Floats:
        """Rows: right, up, forward."""
        yaw, pitch = math.radians(self.yaw), math.radians(self.pitch)
        forward = (math.sin(yaw) * math.cos(pitch), math.cos(yaw) * math.cos(pitch), math.sin(pitch))
        right = (math.cos(yaw), -math.sin(yaw), 0.0)
        return np.array([right, np.cross(right, forward), forward])

    def focal(self, width: int) -> float:
        """Focal length in pixels for a picture of this width."""
        return width / 2 / math.tan(math.radians(self.fov) / 2)

    def project(self, points: Floats, width: int, height: int) -> Floats:
        """World points (n, 3) to (x, y, depth) in pixels and metres; depth ≤ 0 lies behind the camera."""
        local = (np.atleast_2d(points) - np.array(self.station)) @ self.axes().T
        depth = local[:, 2]
        safe = np.where(np.abs(depth) < 1e-9, 1e-9, depth)
        focal = self.focal(width)
        return np.stack([width / 2 + focal * local[:, 0] / safe, height / 2 - focal * local[:, 1] / safe, depth], 1)


@dataclass(frozen=True, eq=False)
class View:
    """One moment as a camera sees it."""

    camera: Camera
    instances: tuple[Instance, ...] = ()
