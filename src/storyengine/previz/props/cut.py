"""Cutting a mesh in two with a plane, for broken things."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from storyengine.previz.render import Mesh, merged
from storyengine.previz.render.values import Floats


def halves(mesh: Mesh, point: Floats, normal: Floats) -> tuple[Mesh, Mesh]:
    """The pieces on the normal's side of the plane and on the other side. Their insides are dark."""
    return _side(mesh, point, normal), _side(mesh, point, -normal)


def _side(mesh: Mesh, point: Floats, normal: Floats) -> Mesh:
    heights = (mesh.vertices - point) @ normal
    points, normals, uv = list(mesh.vertices), list(mesh.normals), list(mesh.uv)
    faces, sources = [], []

    def crossing(a: int, b: int) -> int:
        t = heights[a] / (heights[a] - heights[b])
        for store in (points, normals, uv):
            store.append(store[a] + (store[b] - store[a]) * t)
        return len(points) - 1

    for number, face in enumerate(mesh.faces):
        ring = [int(i) for i in face if i >= 0]
        kept: list[int] = []
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            if heights[a] >= 0:
                kept.append(a)
            if (heights[a] >= 0) != (heights[b] >= 0):
                kept.append(crossing(a, b))
        for k in range(1, len(kept) - 1):
            faces.append((kept[0], kept[k], kept[k + 1], -1))
            sources.append(number)
    if not faces:
        # A plane that misses leaves a sliver: one degenerate face keeps the mesh legal.
        faces, sources = [(0, 0, 0, -1)], [0]
    chosen = np.array(sources, np.int64)
    out = replace(
        mesh,
        vertices=np.array(points), normals=np.array(normals), uv=np.array(uv), faces=np.array(faces, np.int64),
        colours=mesh.colours[chosen], groups=mesh.groups[chosen], texture_of=mesh.texture_of[chosen],
    )  # fmt: skip
    inside = replace(out, faces=out.faces[:, [0, 2, 1, 3]], normals=-out.normals, colours=out.colours * 0.35)
    return merged([out, inside])
