"""Cutting a mesh with planes, for broken and mended things."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from storyengine.previz.render import Mesh, merged
from storyengine.previz.render.values import Floats, Ints


def halves(mesh: Mesh, point: Floats, normal: Floats) -> tuple[Mesh, Mesh]:
    """The pieces on the normal's side of the plane and on the other side. Their insides are dark."""
    heights = (mesh.vertices - point) @ normal
    return _side(mesh, heights), _side(mesh, -heights)


def between(mesh: Mesh, start: Floats, end: Floats) -> Mesh:
    """The slice between two parallel planes through two points, and nothing else of it: no paint, no other vertices."""
    upper, _ = halves(mesh, start, end - start)
    _, cut = halves(upper, end, end - start)
    used, numbers = np.unique(cut.faces, return_inverse=True)
    kept = used[used >= 0]
    faces = numbers.reshape(cut.faces.shape) - (len(used) - len(kept))
    return replace(
        cut,
        vertices=cut.vertices[kept],
        normals=cut.normals[kept],
        uv=cut.uv[kept],
        faces=faces,
        textures=(),
        texture_of=np.full(len(faces), -1),
    )


def _side(mesh: Mesh, heights: Floats) -> Mesh:
    corners = mesh.faces >= 0
    above = (heights[mesh.faces] >= 0) & corners
    whole = above.sum(axis=1) == corners.sum(axis=1)
    crossed = np.flatnonzero(above.any(axis=1) & ~whole)
    points, normals, uv = list(mesh.vertices), list(mesh.normals), list(mesh.uv)
    faces, sources = [], []

    def crossing(a: int, b: int) -> int:
        t = heights[a] / (heights[a] - heights[b])
        for store in (points, normals, uv):
            store.append(store[a] + (store[b] - store[a]) * t)
        return len(points) - 1

    for number in crossed:
        ring = [int(i) for i in mesh.faces[number] if i >= 0]
        kept: list[int] = []
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            if heights[a] >= 0:
                kept.append(a)
            if (heights[a] >= 0) != (heights[b] >= 0):
                kept.append(crossing(a, b))
        for k in range(1, len(kept) - 1):
            faces.append((kept[0], kept[k], kept[k + 1], -1))
            sources.append(int(number))
    all_faces = np.vstack([mesh.faces[whole], np.array(faces, np.int64).reshape(-1, 4)])
    if not len(all_faces):
        # A plane that misses leaves nothing on one side: one empty face keeps the mesh legal.
        all_faces, sources = np.array([(0, 0, 0, -1)], np.int64), [0]
    chosen: Ints = np.concatenate([np.flatnonzero(whole), np.array(sources, np.int64)])
    out = replace(
        mesh,
        vertices=np.array(points),
        normals=np.array(normals),
        uv=np.array(uv),
        faces=all_faces,
        colours=mesh.colours[chosen],
        groups=mesh.groups[chosen],
        texture_of=mesh.texture_of[chosen],
    )
    return merged([out, _lining(out)])


def _lining(mesh: Mesh) -> Mesh:
    """The same surface seen from within, dark."""
    four = mesh.faces[:, 3] >= 0
    turned = mesh.faces[:, [0, 2, 1, 3]]
    turned[four] = mesh.faces[four][:, [0, 3, 2, 1]]
    return replace(mesh, faces=turned, normals=-mesh.normals, colours=mesh.colours * 0.35)
