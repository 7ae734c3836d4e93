"""Soft shapes of bodies and clothes: closed surfaces through a few measured cross-sections.

A section is (z, half-width, half-depth, x, y): an ellipse at a height. Lengths in metres. Surfaces are smooth, painted
face by face, and their texture coordinates count repeats of a cloth of a given size, so that checks keep their size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from storyengine.previz.render.values import Colour, Floats, Mesh, Texture

Section = tuple[float, float, float, float, float]
CLOTH = 0.16
"""Metres that one repeat of a cloth texture covers."""


def section(z: float, wide: float, deep: float, x: float = 0.0, y: float = 0.0) -> Section:
    return (z, wide, deep, x, y)


def loft(
    sections: Sequence[Section],
    colour: Colour,
    *,
    sides: int = 16,
    rings: int = 10,
    cap: tuple[float, float] = (0.02, 0.02),
    power: float = 2.0,
    ripple: Callable[[Floats, Floats], Floats] | None = None,
    arc: Callable[[Floats], tuple[Floats, Floats]] | None = None,
) -> Mesh:
    """A closed surface through the sections, from the lowest to the highest.

    `cap` is how far the round ends bulge out below and above (0 leaves the end open); `power` above 2 makes the
    cross-section boxier; `ripple(angle, share of height)` gives a factor on the radius: folds and pleats.
    `arc(height)` keeps only part of each ring, from one angle to another in radians counter-clockwise from the
    front: open jackets, bibs, panels. Their cloth has two sides and no caps.
    """
    rows = _through(np.array(sections, float), rings)
    share = np.linspace(0, 1, len(rows))
    if arc is not None:
        cap = (0.0, 0.0)
    if cap[0] > 0:
        rows, share = _round_end(rows, share, -cap[0])
    if cap[1] > 0:
        rows, share = _round_end(rows, share, cap[1])
    low, high = (np.zeros(len(rows)), np.full(len(rows), 2 * np.pi)) if arc is None else arc(rows[:, 0])
    angle = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, sides + 1)[None, :] + np.pi / 2
    c, s = np.cos(angle), np.sin(angle)
    norm = (np.abs(c) ** power + np.abs(s) ** power) ** (-1 / power)
    factor = np.ones((len(rows), sides + 1)) if ripple is None else ripple(angle, share[:, None])
    points = np.empty((len(rows), sides + 1, 3))
    points[..., 0] = rows[:, 3, None] + rows[:, 1, None] * (c * norm) * factor
    points[..., 1] = rows[:, 4, None] + rows[:, 2, None] * (s * norm) * factor
    points[..., 2] = rows[:, 0, None]
    return surface(points, colour) if arc is None else both_sides(surface(points, colour, closed=False))


def surface(points: Floats, colour: Colour, *, closed: bool = True) -> Mesh:
    """A smooth mesh over a grid of points: rows run from bottom to top, columns counter-clockwise seen from above.

    A closed grid repeats its first column as its last. Rows that shrink to one point become the tip of a fan.
    """
    rows, stride = points.shape[:2]
    normals = _normals(points, closed=closed)
    girth = np.linalg.norm(np.diff(points, axis=1), axis=2).sum(axis=1).max()
    repeats = max(1.0, round(float(girth) / CLOTH)) if closed else float(girth) / CLOTH
    length = np.concatenate([[0], np.linalg.norm(np.diff(points, axis=0), axis=2).mean(axis=1).cumsum()])
    uv = np.stack(np.meshgrid(np.linspace(0, repeats, stride), -length / CLOTH), axis=-1)
    a = (np.arange(rows - 1)[:, None] * stride + np.arange(stride - 1)[None, :]).ravel()
    faces = np.stack([a, a + 1, a + stride + 1, a + stride], axis=1)
    faces = _fan_tips(faces, points.reshape(-1, 3))
    return Mesh(
        vertices=points.reshape(-1, 3),
        normals=normals.reshape(-1, 3),
        uv=uv.reshape(-1, 2),
        faces=faces,
        colours=np.tile(np.array(colour, float), (len(faces), 1)),
        groups=np.zeros(len(faces), np.int64),
    )


def painted_where(mesh: Mesh, chosen: npt.NDArray[np.bool_], colour: Colour) -> Mesh:
    """The same mesh with some faces in a plain colour of their own."""
    colours, textures = mesh.colours.copy(), mesh.texture_of.copy()
    colours[chosen] = colour
    textures[chosen] = -1
    return replace(mesh, colours=colours, texture_of=textures)


def kept(mesh: Mesh, chosen: npt.NDArray[np.bool_]) -> Mesh:
    """The mesh without the faces that are not chosen."""
    return replace(
        mesh,
        faces=mesh.faces[chosen],
        colours=mesh.colours[chosen],
        groups=mesh.groups[chosen],
        texture_of=mesh.texture_of[chosen],
    )


def middles(mesh: Mesh) -> Floats:
    """The middle of every face."""
    fourth = np.where(mesh.faces[:, 3] >= 0, mesh.faces[:, 3], mesh.faces[:, 2])
    corners = np.concatenate([mesh.faces[:, :3], fourth[:, None]], axis=1)
    return np.asarray(mesh.vertices[corners].mean(axis=1))


def both_sides(mesh: Mesh) -> Mesh:
    """Cloth that is seen from inside too."""
    faces = mesh.faces[:, [2, 1, 0, 3]].copy()
    four = mesh.faces[:, 3] >= 0
    faces[four] = mesh.faces[four][:, [3, 2, 1, 0]]
    count = len(mesh.vertices)
    return Mesh(
        vertices=np.vstack([mesh.vertices, mesh.vertices]),
        normals=np.vstack([mesh.normals, -mesh.normals]),
        uv=np.vstack([mesh.uv, mesh.uv]),
        faces=np.vstack([mesh.faces, np.where(faces >= 0, faces + count, -1)]),
        colours=np.vstack([mesh.colours, mesh.colours * 0.8]),
        groups=np.concatenate([mesh.groups, mesh.groups + mesh.groups.max() + 1]),
        textures=mesh.textures,
        texture_of=np.concatenate([mesh.texture_of, mesh.texture_of]),
    )


def clothed(mesh: Mesh, texture: Texture | None) -> Mesh:
    """The mesh in a cloth; its face colours multiply the cloth's picture."""
    return mesh if texture is None else mesh.textured(texture)


def _through(rows: Floats, count: int) -> Floats:
    """A smooth curve through the control rows (Catmull-Rom), `count` pieces long."""
    if len(rows) < 3:
        t = np.linspace(0, 1, count + 1)[:, None]
        return np.asarray(rows[0] * (1 - t) + rows[-1] * t)
    steps = np.linalg.norm(np.diff(rows[:, [0, 3, 4]], axis=0), axis=1) + 1e-6
    at = np.concatenate([[0], steps.cumsum()])
    slopes = np.gradient(rows, at, axis=0)
    t = np.linspace(0, at[-1], count + 1)
    k = np.clip(np.searchsorted(at, t, side="right") - 1, 0, len(at) - 2)
    width = (at[k + 1] - at[k])[:, None]
    f = (t[:, None] - at[k][:, None]) / width
    out = (
        (1 + 2 * f) * (1 - f) ** 2 * rows[k]
        + f * (1 - f) ** 2 * width * slopes[k]
        + f * f * (3 - 2 * f) * rows[k + 1]
        + f * f * (f - 1) * width * slopes[k + 1]
    )
    out[:, 1:3] = np.maximum(out[:, 1:3], 1e-4)
    return np.asarray(out)


def _round_end(rows: Floats, share: Floats, bulge: float) -> tuple[Floats, Floats]:
    """Rings that close an end like a dome."""
    top = bulge > 0
    edge = rows[-1] if top else rows[0]
    ring = []
    for a in (0.8, np.pi / 2):
        row = edge.copy()
        row[0] += bulge * np.sin(a)
        row[1:3] *= np.cos(a) if a < 1.5 else 0.0
        ring.append(row)
    if top:
        return np.vstack([rows, ring]), np.concatenate([share, [1.0] * 2])
    return np.vstack([ring[::-1], rows]), np.concatenate([[0.0] * 2, share])


def _normals(points: Floats, *, closed: bool) -> Floats:
    if closed:
        ring = points[:, :-1]
        across = np.roll(ring, -1, axis=1) - np.roll(ring, 1, axis=1)
        across = np.concatenate([across, across[:, :1]], axis=1)
    else:
        across = np.gradient(points, axis=1)
    along = np.gradient(points, axis=0)
    out = np.cross(across, along)
    size = np.linalg.norm(out, axis=2, keepdims=True)
    away = points - points.mean(axis=(0, 1))
    away /= np.maximum(np.linalg.norm(away, axis=2, keepdims=True), 1e-12)
    # Where the grid folds onto itself the surface looks away from the middle.
    out = np.where(size > 1e-10, out / np.maximum(size, 1e-12), away)
    for end, sign in ((0, -1.0), (-1, 1.0)):
        if np.ptp(points[end, :, :], axis=0).max() < 1e-6:
            inner = points[1 if end == 0 else -2].mean(axis=0)
            axis = points[end, 0] - inner
            out[end] = axis / max(float(np.linalg.norm(axis)), 1e-12) if np.any(axis) else (0, 0, sign)
    return np.asarray(out)


def _fan_tips(faces: npt.NDArray[np.int64], points: Floats) -> npt.NDArray[np.int64]:
    """Quads with an edge of no length become triangles."""
    low = np.linalg.norm(points[faces[:, 0]] - points[faces[:, 1]], axis=1) < 1e-7
    high = np.linalg.norm(points[faces[:, 2]] - points[faces[:, 3]], axis=1) < 1e-7
    out = faces.copy()
    out[low] = np.stack([faces[low, 0], faces[low, 2], faces[low, 3], np.full(low.sum(), -1)], axis=1)
    out[high] = np.stack([faces[high, 0], faces[high, 1], faces[high, 2], np.full(high.sum(), -1)], axis=1)
    return np.asarray(out[~(low & high)])
