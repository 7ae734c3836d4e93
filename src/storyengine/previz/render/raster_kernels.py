"""From the world to the screen: set-up of polygons, and which one each sample sees.

A frame is drawn in bands of 16 rows, so that depth and polygon numbers of a band stay in the processor's cache.
Each pixel has four samples on a rotated grid. What stands still comes first, what moves in front of it second: while
the camera rests, the first part is seen and shaded only once.

Everything is written for numba: no slicing in hot loops, unsigned indices, explicit 32-bit steps.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: ANN001, ANN201, ANN202
import math
from typing import Any, NamedTuple

import numpy as np

from storyengine.media.kernel import inline_part, kernel, part

F4 = np.float32
NEAR = 0.04
BAND = 16

# Sample positions in the pixel.
OFFSET_X = np.array([0.375, 0.875, 0.125, 0.625])
OFFSET_Y = np.array([0.125, 0.375, 0.625, 0.875])

# Columns of `Polygons.plane`: nine attributes, each linear in the screen (value/w = a·x + b·y + c).
P_W, P_U, P_V = 0, 3, 6
P_RED, P_GREEN, P_BLUE = 9, 12, 15  # lit polygons: colour times light
P_KEY_S, P_KEY_T, P_KEY_Q = 9, 12, 15  # baked polygons: homogeneous place in the key light's map
P_TOP_S, P_TOP_T, P_TOP_H = 18, 21, 24  # baked polygons: place in the map from above, and depth below its top
PLANES = 27

# Columns of `Polygons.meta`.
M_TEXTURE, M_KIND, M_ID, M_GROUP = 0, 1, 2, 3
M_LEVEL, M_FLAT = 4, 4  # lit polygons: mip level; baked polygons: 1 when they lie flat, so that things stand on them
BAKED, LIT = 0, 1

# Columns of the texture table: where a mip level starts in the heap, its size, and its row stride.
T_START, T_WIDTH, T_HEIGHT, T_STRIDE = 0, 1, 2, 3
MIP_LEVELS = 11


class Geometry(NamedTuple):
    """World polygons of a frame."""

    points: Any  # (v, 3) world
    uv: Any  # (v, 2)
    light: Any  # (v, 3) light on a vertex, for lit polygons
    corners: Any  # (n, 4) vertex numbers, -1 pads a triangle
    texture: Any  # (n,)
    kind: Any  # (n,) BAKED or LIT
    id: Any  # (n,)
    group: Any  # (n,)
    colour: Any  # (n, 3)


class Polygons(NamedTuple):
    """Polygons on the screen."""

    screen: Any  # (n, 8, 2)
    count: Any  # (n,) corners after clipping
    plane: Any  # (n, PLANES)
    rows: Any  # (n, 2) first and last y
    meta: Any  # (n, 5)
    edge: Any  # (n, 8, 4): y from, y to, slope, x at y = 0


class Shadows(NamedTuple):
    """Moving shadows: what the moving things hide from the key light, and what they stand over."""

    key: Any  # (n, n) float32 0…1, blurred darkness in the key light's view
    key_depth: Any  # (n, n) float32 depth of the nearest moving thing
    top: Any  # (n, n) float32 0…1, blurred footprint seen from above
    top_depth: Any  # (n, n) float32 depth of the underside of the lowest moving thing
    key_area: Any  # (k+1, k+1) summed area of where the key mask is not that of the plate, coarsely
    top_area: Any  # (k+1, k+1)
    frame: Any  # (3, 4) world to key light space, 4th column the light
    top_frame: Any  # (4,): x0, y0, scale, z of the top
    strength: float  # 0 turns moving shadows off


class Plate(NamedTuple):
    """What the camera sees that stands still: of one band, or of the whole frame where the camera rests."""

    depth: Any  # (rows*4*w,) float32
    seen: Any  # (rows*4, w) int32
    clean: Any  # (rows, w) uint32, without any thing's shadow; the top byte is the key light's share
    colour: Any  # (rows, w) uint32, with the shadows of what stands still
    stretches: Any  # (h*w, 3) int32: from, to and baked polygon of every run or edge pixel
    row_start: Any  # (h+1,) int64: where a row's stretches begin
    uncovered: Any  # (1,) int64


class Scratch(NamedTuple):
    """Working memory of one thread, for one picture width."""

    depth: Any  # (BAND*4*w,) float32
    seen: Any  # (BAND*4, w) int32
    bin_start: Any
    bin_items: Any
    moving_start: Any
    moving_items: Any
    colour: Any  # (w,) uint32
    key: Any  # (w,) int32
    first: Any  # (w,) int32 heap address of the upper texel row
    second: Any  # (w,) int32
    weight: Any  # (w,) int32
    t00: Any  # (w,) uint32
    t01: Any
    t10: Any
    t11: Any
    runs: Any  # (w, 4) int64
    shaded: Any  # (4,) int64, the samples of an edge pixel


# ----------------------------------------------------------------------------------------------------- set-up


@inline_part
def _plane(out, p, k, i, a, b, c):
    out[p, k] = i[0] * a + i[1] * b + i[2] * c
    out[p, k + 1] = i[3] * a + i[4] * b + i[5] * c
    out[p, k + 2] = i[6] * a + i[7] * b + i[8] * c


@part
def _inverse(x, y, w, out):
    """Inverse of the rows (x, y, w) of the first three corners; False for a back face."""
    i00 = y[1] * w[2] - w[1] * y[2]
    i01 = w[0] * y[2] - y[0] * w[2]
    i02 = y[0] * w[1] - w[0] * y[1]
    det = x[0] * i00 + x[1] * i01 + x[2] * i02
    if det >= -1e-9:
        return False
    inv = 1.0 / det
    out[0] = i00 * inv
    out[1] = i01 * inv
    out[2] = i02 * inv
    out[3] = (w[1] * x[2] - x[1] * w[2]) * inv
    out[4] = (x[0] * w[2] - w[0] * x[2]) * inv
    out[5] = (w[0] * x[1] - x[0] * w[1]) * inv
    out[6] = (x[1] * y[2] - y[1] * x[2]) * inv
    out[7] = (y[0] * x[2] - x[0] * y[2]) * inv
    out[8] = (x[0] * y[1] - y[0] * x[1]) * inv
    return True


@part
def _clip_near(x, y, w, corners, cx, cy, cw):
    """Cut a convex polygon at the near plane; returns its number of corners."""
    m = 0
    for k in range(corners):
        k2 = k + 1 if k + 1 < corners else 0
        inside = w[k] > NEAR
        if inside:
            cx[m] = x[k]
            cy[m] = y[k]
            cw[m] = w[k]
            m += 1
        if inside != (w[k2] > NEAR):
            t = (NEAR - w[k]) / (w[k2] - w[k])
            cx[m] = x[k] + t * (x[k2] - x[k])
            cy[m] = y[k] + t * (y[k2] - y[k])
            cw[m] = NEAR
            m += 1
    return m


@part
def _key_plane(points, frame, plane, p, inv, va, vb, vc):
    """Planes of a baked polygon's place in the key light's map (homogeneous)."""
    for k in range(3):
        a = 0.0
        b = 0.0
        c = 0.0
        for j in range(3):
            a += frame[k, j] * (points[va, j] - frame[j, 3])
            b += frame[k, j] * (points[vb, j] - frame[j, 3])
            c += frame[k, j] * (points[vc, j] - frame[j, 3])
        _plane(plane, p, P_KEY_S + 3 * k, inv, a, b, c)


@kernel
def set_up(geometry, first, wanted, camera, width, height, shadows, polygons, out):
    """Project, cull and clip the wanted faces from `first` on; attribute planes from the 3×3 inverse.

    Polygons on screen are written from number `out` on; returns the end.

    camera: right, up, forward, station (3 each), focal length, centre x, centre y.
    """
    points, uv, light, corners_of, texture, kind, ids, group, colour = geometry
    screen, count, plane, rows, meta, _ = polygons
    x = np.empty(8)
    y = np.empty(8)
    w = np.empty(8)
    cx = np.empty(8)
    cy = np.empty(8)
    cw = np.empty(8)
    inv = np.empty(9)
    top = shadows.top_frame
    for p in range(first, first + wanted.shape[0]):
        if not wanted[p - first]:
            continue
        corners = 4 if corners_of[p, 3] >= 0 else 3
        behind = True
        for k in range(corners):
            i = corners_of[p, k]
            dx = points[i, 0] - camera[9]
            dy = points[i, 1] - camera[10]
            dz = points[i, 2] - camera[11]
            xc = dx * camera[0] + dy * camera[1] + dz * camera[2]
            yc = dx * camera[3] + dy * camera[4] + dz * camera[5]
            wc = dx * camera[6] + dy * camera[7] + dz * camera[8]
            x[k] = camera[12] * xc + camera[13] * wc
            y[k] = -camera[12] * yc + camera[14] * wc
            w[k] = wc
            if wc > NEAR:
                behind = False
        if behind or not _inverse(x, y, w, inv):
            continue
        m = _clip_near(x, y, w, corners, cx, cy, cw)
        if m < 3:
            continue
        x0 = 1e30
        x1 = -1e30
        y0 = 1e30
        y1 = -1e30
        for k in range(m):
            q = 1.0 / cw[k]
            sx = cx[k] * q
            sy = cy[k] * q
            screen[out, k, 0] = sx
            screen[out, k, 1] = sy
            x0 = min(x0, sx)
            x1 = max(x1, sx)
            y0 = min(y0, sy)
            y1 = max(y1, sy)
        if x1 < 0 or x0 > width or y1 < 0 or y0 > height:
            continue
        count[out] = m
        rows[out, 0] = y0
        rows[out, 1] = y1
        meta[out, M_TEXTURE] = texture[p]
        meta[out, M_KIND] = kind[p]
        meta[out, M_ID] = ids[p]
        meta[out, M_GROUP] = group[p]
        va = corners_of[p, 0]
        vb = corners_of[p, 1]
        vc = corners_of[p, 2]
        _plane(plane, out, P_W, inv, 1.0, 1.0, 1.0)
        _plane(plane, out, P_U, inv, uv[va, 0], uv[vb, 0], uv[vc, 0])
        _plane(plane, out, P_V, inv, uv[va, 1], uv[vb, 1], uv[vc, 1])
        if kind[p] == LIT:
            for k in range(3):
                c = colour[p, k]
                _plane(plane, out, P_RED + 3 * k, inv, c * light[va, k], c * light[vb, k], c * light[vc, k])
        else:
            _key_plane(points, shadows.frame, plane, out, inv, va, vb, vc)
            for k in range(2):
                o = top[k]
                s = top[2]
                _plane(
                    plane, out, P_TOP_S + 3 * k, inv,
                    (points[va, k] - o) * s, (points[vb, k] - o) * s, (points[vc, k] - o) * s,
                )  # fmt: skip
            za = points[va, 2]
            zb = points[vb, 2]
            zc = points[vc, 2]
            _plane(plane, out, P_TOP_H, inv, top[3] - za, top[3] - zb, top[3] - zc)
            meta[out, M_FLAT] = 1 if abs(za - zb) < 1e-3 and abs(za - zc) < 1e-3 else 0
        out += 1
    return out


@part
def _edges(polygons, p):
    """Edges ordered by y, so that two polygons sharing one leave no gap between them."""
    m = polygons.count[p]
    for k in range(m):
        k2 = k + 1 if k + 1 < m else 0
        xa = polygons.screen[p, k, 0]
        ya = polygons.screen[p, k, 1]
        xb = polygons.screen[p, k2, 0]
        yb = polygons.screen[p, k2, 1]
        if ya > yb:
            xa, xb = xb, xa
            ya, yb = yb, ya
        slope = (xb - xa) / (yb - ya) if yb > ya else 0.0
        polygons.edge[p, k, 0] = ya
        polygons.edge[p, k, 1] = yb
        polygons.edge[p, k, 2] = slope
        polygons.edge[p, k, 3] = xa - ya * slope


@part
def sort_into_bands(first, number, polygons, start, items, height):
    """Which polygons from `first` on touch which band of rows."""
    bands = (height + BAND - 1) // BAND
    rows = polygons.rows
    for i in range(bands + 1):
        start[i] = 0
    for p in range(first, number):
        a = max(int(rows[p, 0]) - 1, 0)
        b = min(int(rows[p, 1]) + 1, height - 1)
        for k in range(a // BAND, b // BAND + 1):
            start[k + 1] += 1
    for i in range(bands):
        start[i + 1] += start[i]
    fill = np.zeros(bands, np.int64)
    for p in range(first, number):
        a = max(int(rows[p, 0]) - 1, 0)
        b = min(int(rows[p, 1]) + 1, height - 1)
        for k in range(a // BAND, b // BAND + 1):
            items[start[k] + fill[k]] = p
            fill[k] += 1
        _edges(polygons, p)
    return bands


# ------------------------------------------------------------------------------------------------- visibility


@part
def clear(start, end, depth, seen):
    for i in range(start, end):
        depth[i] = F4(0)
    for i in range(start, end):
        seen[i] = np.int32(-1)


@part
def visibility(top_row, sub_rows, width, q0, q1, items, polygons, start, depth, seen):
    """Nearest polygon of each sample in a band, written from sample `start` on: spans between edges, test on 1/w.

    Of two equally near ones the later wins, so that a face of the plate can be drawn again in other light.
    """
    count = polygons.count
    rows = polygons.rows
    plane = polygons.plane
    edge = polygons.edge
    for q in range(q0, q1):
        p = items[q]
        m = count[p]
        a = plane[p, 0]
        b = plane[p, 1]
        c = plane[p, 2]
        step = F4(a)
        # Row r of samples lies at (r + 1/2) / 4: small polygons often lie between two of them.
        s0 = max(0, math.ceil((rows[p, 0] - top_row) * 4.0 - 0.5001))
        s1 = min(sub_rows, math.floor((rows[p, 1] - top_row) * 4.0 - 0.4999) + 1)
        for r in range(s0, s1):
            y = top_row + (r >> 2) + OFFSET_Y[r & 3]
            ox = OFFSET_X[r & 3]
            xl = 1e30
            xr = -1e30
            for k in range(m):  # choices, not branches: which edges a row crosses cannot be foretold
                crossed = (edge[p, k, 0] <= y) & (y < edge[p, k, 1])
                x = edge[p, k, 3] + y * edge[p, k, 2]
                left = x if crossed else 1e30
                right = x if crossed else -1e30
                xl = left if left < xl else xl
                xr = right if right > xr else xr
            if xr <= xl:
                continue
            xl = max(xl, 0.0)
            xr = min(xr, float(width))
            i0 = max(math.ceil(xl - ox), 0)
            i1 = min(math.ceil(xr - ox), width)
            if i1 <= i0:
                continue
            z0 = F4(a * (i0 + ox) + b * y + c)
            number = np.int32(p)
            base = np.uint64(start + r * width + i0)
            for i in range(i1 - i0):
                z = z0 + F4(i) * step
                j = base + np.uint64(i)
                if z >= depth[j]:
                    depth[j] = z
                    seen[j] = number


@part
def reach(width, q0, q1, items, polygons):
    """The columns that some polygons of a band lie in: from, to."""
    low = 1e30
    high = -1e30
    for q in range(q0, q1):
        p = items[q]
        for k in range(polygons.count[p]):
            low = min(low, polygons.screen[p, k, 0])
            high = max(high, polygons.screen[p, k, 0])
    return int(max(low, 0.0)), int(min(high + 1.0, float(width)))


@part
def lift(sub_rows, width, x0, x1, start, depth, seen, depth_out, seen_out):
    """Copy what a band of the plate sees between two columns, to draw in front of it."""
    for r in range(sub_rows):
        for x in range(x0, x1):
            i = np.uint64(r * width + x)
            j = np.uint64(start + r * width + x)
            depth_out[i] = depth[j]
            seen_out[i] = seen[j]
