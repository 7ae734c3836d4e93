"""Things that move: posing meshes, what they hide from the key light and stand over, and the light on them."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: ANN001, ANN201, ANN202
import math

import numpy as np

from storyengine.media.kernel import kernel, part

F4 = np.float32
TONE_RANGE = 4.0  # brightest light on a vertex that the curve tells apart
SELF_SHADOW = 0.16  # metres by which a moving thing must lie behind another to be in its shadow


@kernel
def pose(matrices, mesh_of, vertex_start, vertex_count, pool_points, pool_normals, points, normals, base):
    """Vertices and unit normals of all instances in the world, written from row `base` on; returns the end."""
    o = base
    n = np.empty((3, 3))
    for k in range(matrices.shape[0]):
        m = matrices[k]
        # Rows of the inverse transpose, up to scale: cross products of the columns.
        n[0, 0] = m[1, 1] * m[2, 2] - m[2, 1] * m[1, 2]
        n[0, 1] = m[1, 2] * m[2, 0] - m[1, 0] * m[2, 2]
        n[0, 2] = m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0]
        n[1, 0] = m[2, 1] * m[0, 2] - m[0, 1] * m[2, 2]
        n[1, 1] = m[0, 0] * m[2, 2] - m[2, 0] * m[0, 2]
        n[1, 2] = m[0, 1] * m[2, 0] - m[0, 0] * m[2, 1]
        n[2, 0] = m[0, 1] * m[1, 2] - m[0, 2] * m[1, 1]
        n[2, 1] = m[0, 2] * m[1, 0] - m[0, 0] * m[1, 2]
        n[2, 2] = m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]
        mirrored = m[0, 0] * n[0, 0] + m[0, 1] * n[0, 1] + m[0, 2] * n[0, 2] < 0
        sign = -1.0 if mirrored else 1.0
        start = vertex_start[mesh_of[k]]
        for i in range(vertex_count[mesh_of[k]]):
            x = pool_points[start + i, 0]
            y = pool_points[start + i, 1]
            z = pool_points[start + i, 2]
            a = pool_normals[start + i, 0]
            b = pool_normals[start + i, 1]
            c = pool_normals[start + i, 2]
            for r in range(3):
                points[o, r] = m[r, 0] * x + m[r, 1] * y + m[r, 2] * z + m[r, 3]
                normals[o, r] = sign * (n[r, 0] * a + n[r, 1] * b + n[r, 2] * c)
            s = 1.0 / math.sqrt(normals[o, 0] ** 2 + normals[o, 1] ** 2 + normals[o, 2] ** 2 + 1e-30)
            for r in range(3):
                normals[o, r] *= s
            o += 1
    return o


@kernel
def spread_faces(
    matrices, mesh_of, ids, tints, vertex_count, face_start, face_count, pool_faces, pool_texture, pool_group,
    pool_colour, base_vertex, base_face, base_group, corners, texture, id_out, group, colour,
):  # fmt: skip
    """Faces of all instances, with vertex numbers of the frame; returns the end."""
    v = base_vertex
    f = base_face
    g = base_group
    for k in range(matrices.shape[0]):
        m = matrices[k]
        det = (
            m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
            - m[0, 1] * (m[1, 0] * m[2, 2] - m[1, 2] * m[2, 0])
            + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])
        )
        mesh = mesh_of[k]
        highest = 0
        for i in range(face_start[mesh], face_start[mesh] + face_count[mesh]):
            for c in range(4):
                corners[f, c] = pool_faces[i, c] + v if pool_faces[i, c] >= 0 else -1
            if det < 0:
                if corners[f, 3] >= 0:
                    corners[f, 1], corners[f, 3] = corners[f, 3], corners[f, 1]
                else:
                    corners[f, 1], corners[f, 2] = corners[f, 2], corners[f, 1]
            texture[f] = pool_texture[i]
            id_out[f] = ids[k]
            group[f] = g + pool_group[i]
            highest = max(highest, pool_group[i])
            for c in range(3):
                colour[f, c] = pool_colour[i, c] * tints[k, c]
            f += 1
        g += highest + 1
        v += vertex_count[mesh]
    return f


@part
def _fill(mask, depth, sx, sy, corners, h, nearest):
    """Mark a convex polygon in a light's map and keep the nearest (or farthest) depth."""
    n = mask.shape[0]
    y0 = 1e9
    y1 = -1e9
    for k in range(corners):
        y0 = min(y0, sy[k])
        y1 = max(y1, sy[k])
    for y in range(max(0, math.ceil(y0 - 0.5)), min(n, math.ceil(y1 - 0.5))):
        yc = y + 0.5
        xl = 1e9
        xr = -1e9
        for k in range(corners):
            k2 = k + 1 if k + 1 < corners else 0
            if (sy[k] <= yc) != (sy[k2] <= yc):
                x = sx[k] + (yc - sy[k]) * (sx[k2] - sx[k]) / (sy[k2] - sy[k])
                xl = min(xl, x)
                xr = max(xr, x)
        for x in range(max(0, math.ceil(xl - 0.5)), min(n, math.ceil(xr - 0.5))):
            mask[y, x] = 255
            if nearest > 0:
                depth[y, x] = min(depth[y, x], F4(h))
            else:
                depth[y, x] = max(depth[y, x], F4(h))


@kernel
def key_mask(points, corners_of, first, last, casts, frame, mask, depth):
    """Add what faces hide from the key light: marked texels and the depth of the nearest thing."""
    n = mask.shape[0]
    sx = np.empty(4)
    sy = np.empty(4)
    for p in range(first, last):
        if not casts[p - first]:
            continue
        corners = 4 if corners_of[p, 3] >= 0 else 3
        h = 1e9
        seen = True
        for k in range(corners):
            i = corners_of[p, k]
            dx = points[i, 0] - frame[0, 3]
            dy = points[i, 1] - frame[1, 3]
            dz = points[i, 2] - frame[2, 3]
            q = frame[2, 0] * dx + frame[2, 1] * dy + frame[2, 2] * dz
            if q < 0.12:
                seen = False
                break
            sx[k] = (frame[0, 0] * dx + frame[0, 1] * dy + frame[0, 2] * dz) / q * n
            sy[k] = (frame[1, 0] * dx + frame[1, 1] * dy + frame[1, 2] * dz) / q * n
            h = min(h, q)
        if seen:
            _fill(mask, depth, sx, sy, corners, h, np.int64(1))


@kernel
def top_mask(points, corners_of, first, last, casts, frame, mask, depth):
    """Add what faces stand over: footprints seen from above and the depth of the lowest underside."""
    n = mask.shape[0]
    sx = np.empty(4)
    sy = np.empty(4)
    for p in range(first, last):
        if not casts[p - first]:
            continue
        corners = 4 if corners_of[p, 3] >= 0 else 3
        h = -1e9
        for k in range(corners):
            i = corners_of[p, k]
            sx[k] = (points[i, 0] - frame[0]) * frame[2] * n
            sy[k] = (points[i, 1] - frame[1]) * frame[2] * n
            h = max(h, frame[3] - points[i, 2])
        _fill(mask, depth, sx, sy, corners, h, np.int64(0))


@part
def sample_probes(probes, low, step, at, out):
    """Trilinear light at a place."""
    i = np.empty(3, np.int64)
    f = np.empty(3)
    for k in range(3):
        x = min(max((at[k] - low[k]) / step[k], 0.0), probes.shape[k] - 1.000001)
        i[k] = int(x)
        f[k] = x - i[k]
    for c in range(13):
        total = 0.0
        for corner in range(8):
            a = corner & 1
            b = (corner >> 1) & 1
            d = corner >> 2
            w = (f[0] if a else 1 - f[0]) * (f[1] if b else 1 - f[1]) * (f[2] if d else 1 - f[2])
            total += w * probes[i[0] + a, i[1] + b, i[2] + d, c]
        out[c] = total


@part
def _key_shadow(shadow, depth, frame, x, y, z):
    """How much of the key light other moving things take from a point."""
    n = shadow.shape[0]
    dx = x - frame[0, 3]
    dy = y - frame[1, 3]
    dz = z - frame[2, 3]
    q = frame[2, 0] * dx + frame[2, 1] * dy + frame[2, 2] * dz
    if q <= 0.12:
        return 0.0
    s = (frame[0, 0] * dx + frame[0, 1] * dy + frame[0, 2] * dz) / q * n
    t = (frame[1, 0] * dx + frame[1, 1] * dy + frame[1, 2] * dz) / q * n
    if s < 0 or t < 0 or s >= n or t >= n:
        return 0.0
    gap = q - depth[int(t), int(s)] - SELF_SHADOW
    if gap <= 0:
        return 0.0
    return shadow[int(t), int(s)] * min(gap * 3.0, 1.0)


@kernel
def light_vertices(
    points, normals, base, mesh_of, vertex_count, middles, glows, probes, low, step, key, exposure, balance, curve,
    shadow, shadow_depth, frame, shadows_on, light,
):  # fmt: skip
    """Light on every vertex of the instances: the probes' soft light plus the key light with its own direction.

    key: kind (0 lamp, 1 window, 2 sun), place or direction (3), colour (3), normal (3), lamp shade.
    """
    at_instance = np.zeros(13)
    o = base
    for k in range(mesh_of.shape[0]):
        sample_probes(probes, low, step, middles[k], at_instance)
        glow = glows[k]
        for _ in range(vertex_count[mesh_of[k]]):
            nx = normals[o, 0]
            ny = normals[o, 1]
            nz = normals[o, 2]
            strength = _key_strength(key, points, normals, o) * at_instance[12]
            if shadows_on and strength > 0:
                strength *= 1.0 - _key_shadow(shadow, shadow_depth, frame, points[o, 0], points[o, 1], points[o, 2])
            for c in range(3):
                e = (
                    at_instance[4 * c]
                    + at_instance[4 * c + 1] * nx
                    + at_instance[4 * c + 2] * ny
                    + at_instance[4 * c + 3] * nz
                )
                e = max(e, 0.25 * at_instance[4 * c]) + strength * key[4 + c]
                i = min(e * exposure * balance[c] / TONE_RANGE, 1.0) * (curve.shape[0] - 1)
                value = curve[int(i)]
                light[o, c] = value + glow * max(1.15 - value, 0.0)
            o += 1


@part
def _key_strength(key, points, normals, o):
    """The key light on a vertex, softly wrapped around the form."""
    if key[0] < 0:
        return 0.0
    dx = key[1]
    dy = key[2]
    dz = key[3]
    fall = 1.0
    if key[0] < 2:
        dx -= points[o, 0]
        dy -= points[o, 1]
        dz -= points[o, 2]
        squared = dx * dx + dy * dy + dz * dz
        r = 1.0 / math.sqrt(squared + 1e-12)
        dx *= r
        dy *= r
        dz *= r
        if key[0] == 0:
            fall = (1.0 - key[10] + key[10] * max(dz, 0.0)) / (0.35 + squared)
        else:
            fall = max(-(dx * key[7] + dy * key[8] + dz * key[9]), 0.0) / (0.25 + squared)
    facing = (normals[o, 0] * dx + normals[o, 1] * dy + normals[o, 2] * dz) * 0.78 + 0.22
    return max(facing, 0.0) * fall
