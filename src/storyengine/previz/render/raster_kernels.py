"""From polygons to pixels: set-up, visibility with four samples a pixel, shading by runs.

A frame is drawn in bands of 16 rows, so that depth and polygon numbers of a band stay in the processor's cache.
Each pixel has four samples on a rotated grid. Where all four see one surface the pixel is shaded once, in runs along
the row; the one pixel in a hundred where surfaces meet shades each of them and gets the ink line.

Everything is written for numba: no slicing in hot loops, unsigned indices, explicit 32-bit steps.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: ANN001, ANN201, ANN202
import math
from typing import Any, NamedTuple

import numpy as np

from storyengine.media.kernel import inline_kernel, kernel

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
M_TEXTURE, M_KIND, M_ID, M_GROUP, M_LOD = 0, 1, 2, 3, 4
BAKED, LIT = 0, 1

# Columns of the texture table: where a mip level starts in the heap, its size, and its row stride.
T_START, T_WIDTH, T_HEIGHT, T_STRIDE = 0, 1, 2, 3
MIP_LEVELS = 11

# What a stretch of a row still needs after texturing.
R_LIGHT, R_SHADE, R_EDGE = 1, 2, 3


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
    key_area: Any  # (k+1, k+1) summed area of the coarse key mask
    top_area: Any  # (k+1, k+1)
    frame: Any  # (3, 4) world to key light space, 4th column the light
    top_frame: Any  # (4,): x0, y0, scale, z of the top
    strength: float  # 0 turns moving shadows off


class Scratch(NamedTuple):
    """Working memory of one thread, for one picture width."""

    depth: Any  # (BAND*4*w,) float32
    seen: Any  # (BAND*4, w) int32
    bin_start: Any
    bin_items: Any
    key: Any  # (w,) int32
    first: Any  # (w,) int32 heap address of the upper texel row
    second: Any  # (w,) int32
    weight: Any  # (w,) int32
    t00: Any  # (w,) uint32
    t01: Any
    t10: Any
    t11: Any
    runs: Any  # (4*w, 4) int64


# ----------------------------------------------------------------------------------------------------- set-up


@inline_kernel
def _plane(out, p, k, i, a, b, c):
    out[p, k] = i[0] * a + i[1] * b + i[2] * c
    out[p, k + 1] = i[3] * a + i[4] * b + i[5] * c
    out[p, k + 2] = i[6] * a + i[7] * b + i[8] * c


@kernel
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


@kernel
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


@kernel
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
def set_up(geometry, camera, width, height, shadows, polygons):
    """Project, cull and clip; attribute planes from the 3×3 inverse. Returns how many polygons are on screen.

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
    out = 0
    for p in range(corners_of.shape[0]):
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
            _plane(plane, out, P_TOP_H, inv, top[3] - points[va, 2], top[3] - points[vb, 2], top[3] - points[vc, 2])
        out += 1
    return out


@kernel
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


@kernel
def sort_into_bands(number, polygons, start, items, height):
    """Which polygons touch which band of rows."""
    bands = (height + BAND - 1) // BAND
    rows = polygons.rows
    for i in range(bands + 1):
        start[i] = 0
    for p in range(number):
        a = max(int(rows[p, 0]) - 1, 0)
        b = min(int(rows[p, 1]) + 1, height - 1)
        for k in range(a // BAND, b // BAND + 1):
            start[k + 1] += 1
    for i in range(bands):
        start[i + 1] += start[i]
    fill = np.zeros(bands, np.int64)
    for p in range(number):
        a = max(int(rows[p, 0]) - 1, 0)
        b = min(int(rows[p, 1]) + 1, height - 1)
        for k in range(a // BAND, b // BAND + 1):
            items[start[k] + fill[k]] = p
            fill[k] += 1
        _edges(polygons, p)
    return bands


# ------------------------------------------------------------------------------------------------- visibility


@kernel
def visibility(top_row, sub_rows, width, q0, q1, items, polygons, depth, seen):
    """Nearest polygon of each sample in a band: spans between edges, test on 1/w."""
    count = polygons.count
    rows = polygons.rows
    plane = polygons.plane
    edge = polygons.edge
    for i in range(sub_rows * width):
        depth[i] = F4(0)
    for i in range(sub_rows * width):
        seen[i] = np.int32(-1)
    for q in range(q0, q1):
        p = items[q]
        m = count[p]
        a = plane[p, 0]
        b = plane[p, 1]
        c = plane[p, 2]
        step = F4(a)
        s0 = max(0, int((rows[p, 0] - top_row) * 4.0) - 1)
        s1 = min(sub_rows, int((rows[p, 1] - top_row) * 4.0) + 2)
        for r in range(s0, s1):
            y = top_row + (r >> 2) + OFFSET_Y[r & 3]
            ox = OFFSET_X[r & 3]
            xl = 1e30
            xr = -1e30
            for k in range(m):
                if edge[p, k, 0] <= y and y < edge[p, k, 1]:
                    x = edge[p, k, 3] + y * edge[p, k, 2]
                    if x < xl:
                        xl = x
                    if x > xr:
                        xr = x
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
            base = np.uint64(r * width + i0)
            for i in range(i1 - i0):
                z = z0 + F4(i) * step
                j = base + np.uint64(i)
                if z > depth[j]:
                    depth[j] = z
                    seen[j] = number


# ---------------------------------------------------------------------------------------------------- texture

LANES = np.uint32(0xFF00FF)
LOW = np.uint32(0xFF)
E8 = np.uint32(8)
FULL = np.uint32(256)


@inline_kernel
def blend_four(a, b, c, d, wx, wy):
    """Bilinear mix of four packed texels, two channels at a time; weights 0…255."""
    vx = np.uint32(FULL - wx)
    vy = np.uint32(FULL - wy)
    t = np.uint32(np.uint32(np.uint32(a & LANES) * vx + np.uint32(b & LANES) * wx) >> E8) & LANES
    u = np.uint32(np.uint32(np.uint32(c & LANES) * vx + np.uint32(d & LANES) * wx) >> E8) & LANES
    even = np.uint32(np.uint32(t * vy + u * wy) >> E8) & LANES
    t = (
        np.uint32(
            np.uint32(np.uint32(np.uint32(a >> E8) & LANES) * vx + np.uint32(np.uint32(b >> E8) & LANES) * wx) >> E8
        )
        & LANES
    )
    u = (
        np.uint32(
            np.uint32(np.uint32(np.uint32(c >> E8) & LANES) * vx + np.uint32(np.uint32(d >> E8) & LANES) * wx) >> E8
        )
        & LANES
    )
    odd = np.uint32(t * vy + u * wy) & np.uint32(0xFF00FF00)
    return np.uint32(even | odd)


@kernel
def mip_level(plane, p, x, y, width, height):
    """Mip level at a pixel: between the footprint's area and its longer side."""
    w = 1.0 / (plane[p, 0] * x + plane[p, 1] * y + plane[p, 2])
    u = (plane[p, 3] * x + plane[p, 4] * y + plane[p, 5]) * w
    v = (plane[p, 6] * x + plane[p, 7] * y + plane[p, 8]) * w
    ux = (plane[p, 3] - u * plane[p, 0]) * w * width
    uy = (plane[p, 4] - u * plane[p, 1]) * w * width
    vx = (plane[p, 6] - v * plane[p, 0]) * w * height
    vy = (plane[p, 7] - v * plane[p, 1]) * w * height
    area = abs(ux * vy - uy * vx)
    longest = max(ux * ux + vx * vx, uy * uy + vy * vy)
    q = math.sqrt(area * longest) * 0.6
    level = 0
    while q > 2.0 and level < MIP_LEVELS - 1:
        q *= 0.25
        level += 1
    return level


@kernel
def address_clamped(x0, n, start, width, lx, ly, fw, fh, iw, diw, us, du, vs, dv, first, second, weight):
    """Texel addresses of a run on a baked surface."""
    for i in range(n):
        f = F4(i)
        w = F4(1) / (iw + f * diw)
        u = (us + f * du) * w * fw - F4(128)
        v = (vs + f * dv) * w * fh - F4(128)
        u = u if u > F4(0) else F4(0)
        v = v if v > F4(0) else F4(0)
        u = u if u < lx else lx
        v = v if v < ly else ly
        fu = np.int32(u)
        fv = np.int32(v)
        q = np.int32(start + np.int32(np.int32(fv >> np.int32(8)) * width) + np.int32(fu >> np.int32(8)))
        j = np.uint64(x0) + np.uint64(i)
        first[j] = q
        second[j] = np.int32(q + width)
        weight[j] = np.int32((fu & np.int32(255)) | ((fv & np.int32(255)) << np.int32(8)))


@kernel
def address_repeated(x0, n, start, width, height, iw, diw, us, du, vs, dv, first, second, weight):
    """Texel addresses of a run on a mesh: the texture repeats, sides are powers of two, rows carry one texel more."""
    fw = F4(width * 256)
    fh = F4(height * 256)
    mu = np.int32(width - 1)
    mv = np.int32(height - 1)
    stride = np.int32(width + 1)
    for i in range(n):
        f = F4(i)
        w = F4(1) / (iw + f * diw)
        fu = np.int32((us + f * du) * w * fw + fw * F4(32) - F4(128))
        fv = np.int32((vs + f * dv) * w * fh + fh * F4(32) - F4(128))
        q = np.int32(
            start
            + np.int32(np.int32(np.int32(fv >> np.int32(8)) & mv) * stride)
            + np.int32(np.int32(fu >> np.int32(8)) & mu)
        )
        j = np.uint64(x0) + np.uint64(i)
        first[j] = q
        second[j] = np.int32(q + stride)
        weight[j] = np.int32((fu & np.int32(255)) | ((fv & np.int32(255)) << np.int32(8)))


@kernel
def gather(width, heap, first, second, t00, t01, t10, t11):
    for x in range(width):
        i = np.uint32(first[x])
        j = np.uint32(second[x])
        t00[x] = heap[i]
        t01[x] = heap[i + np.uint32(1)]
        t10[x] = heap[j]
        t11[x] = heap[j + np.uint32(1)]


@kernel
def blend_row(width, t00, t01, t10, t11, weight, out):
    for x in range(width):
        f = np.uint32(weight[x])
        out[x] = blend_four(t00[x], t01[x], t10[x], t11[x], np.uint32(f & LOW), np.uint32(f >> E8))


# ------------------------------------------------------------------------------------------ light and shadow


@kernel
def light_run(x0, n, iw, diw, rs, dr, gs, dg, bs, db, out):
    """Multiply a run of a lit surface by colour and light."""
    for i in range(n):
        j = np.uint64(x0) + np.uint64(i)
        f = F4(i)
        w = F4(1) / (iw + f * diw)
        c = np.int32(out[j])
        r = (rs + f * dr) * w * F4(c & np.int32(255))
        g = (gs + f * dg) * w * F4((c >> np.int32(8)) & np.int32(255))
        b = (bs + f * db) * w * F4((c >> np.int32(16)) & np.int32(255))
        r = min(max(r, F4(0)), F4(255))
        g = min(max(g, F4(0)), F4(255))
        b = min(max(b, F4(0)), F4(255))
        out[j] = np.uint32(np.int32(np.int32(r) | (np.int32(g) << np.int32(8)) | (np.int32(b) << np.int32(16))))


@inline_kernel
def _bilinear(image, s, t):
    i = np.uint64(s)
    j = np.uint64(t)
    fx = s - F4(i)
    fy = t - F4(j)
    i1 = i + np.uint64(1)
    j1 = j + np.uint64(1)
    upper = image[j, i] + (image[j, i1] - image[j, i]) * fx
    lower = image[j1, i] + (image[j1, i1] - image[j1, i]) * fx
    return upper + (lower - upper) * fy


CONTACT_REACH = 0.45
CONTACT_DARK = 0.55


@inline_kernel
def darkness(key, key_depth, top, top_depth, s, t, h, a, b, c, share):
    """How much light moving things take from a point: 0 (none) to 1.

    (s, t) is its texel in the key map and h its depth there; (a, b, c) the same in the map from above. `share` is
    the key light's part of the light baked into the surface.
    """
    limit = F4(key.shape[0] - 2)
    dark = F4(0)
    if s >= F4(0) and t >= F4(0) and s < limit and t < limit:
        gap = h - key_depth[np.uint64(t), np.uint64(s)] - F4(0.02)
        if gap > F4(0):
            dark = share * _bilinear(key, s, t) * min(gap * F4(20), F4(1))
    if a >= F4(0) and b >= F4(0) and a < limit and b < limit:
        gap = c - top_depth[np.uint64(b), np.uint64(a)]
        if gap > F4(-0.05) and gap < F4(CONTACT_REACH):
            near = F4(1) - max(gap, F4(0)) * F4(1.0 / CONTACT_REACH)
            contact = F4(CONTACT_DARK) * near * near * _bilinear(top, a, b)
            dark = dark + contact * (F4(1) - dark)
    return dark


@kernel
def shadow_run(x0, n, x, y, plane, p, key, key_depth, top, top_depth, out):
    """Darken a run of a baked surface."""
    size = F4(key.shape[0])
    half = F4(0.5)
    iw = F4(plane[p, 0] * x + plane[p, 1] * y + plane[p, 2])
    diw = F4(plane[p, 0])
    s0 = F4(plane[p, 9] * x + plane[p, 10] * y + plane[p, 11])
    ds = F4(plane[p, 9])
    t0 = F4(plane[p, 12] * x + plane[p, 13] * y + plane[p, 14])
    dt = F4(plane[p, 12])
    q0 = F4(plane[p, 15] * x + plane[p, 16] * y + plane[p, 17])
    dq = F4(plane[p, 15])
    a0 = F4(plane[p, 18] * x + plane[p, 19] * y + plane[p, 20])
    da = F4(plane[p, 18])
    b0 = F4(plane[p, 21] * x + plane[p, 22] * y + plane[p, 23])
    db = F4(plane[p, 21])
    c0 = F4(plane[p, 24] * x + plane[p, 25] * y + plane[p, 26])
    dc = F4(plane[p, 24])
    for i in range(n):
        f = F4(i)
        w = F4(1) / (iw + f * diw)
        q = q0 + f * dq
        s = F4(-1)
        t = F4(-1)
        if q > F4(0):
            s = (s0 + f * ds) / q * size - half
            t = (t0 + f * dt) / q * size - half
        j = np.uint64(x0) + np.uint64(i)
        colour = out[j]
        share = F4(colour >> np.uint32(24)) * F4(1 / 255)
        dark = darkness(
            key, key_depth, top, top_depth, s, t, q * w,
            (a0 + f * da) * w * size - half, (b0 + f * db) * w * size - half, (c0 + f * dc) * w, share,
        )  # fmt: skip
        if dark > F4(0):
            k = np.uint32(F4(256) - dark * F4(256))
            even = np.uint32(np.uint32(np.uint32(colour & LANES) * k) >> E8) & LANES
            out[j] = np.uint32(even | (np.uint32(np.uint32(np.uint32(colour >> E8) & LOW) * k) & np.uint32(0xFF00)))


@inline_kernel
def _any_in(area, s0, t0, s1, t1):
    """Whether the coarse mask has anything between two points given in 0…1."""
    n = area.shape[0] - 1
    ls = min(s0, s1) * n
    hs = max(s0, s1) * n
    lt = min(t0, t1) * n
    ht = max(t0, t1) * n
    found = False
    if hs >= 0.0 and ht >= 0.0 and ls < n and lt < n:
        i0 = int(max(ls, 0.0))
        i1 = int(min(hs, n - 1.0)) + 1
        j0 = int(max(lt, 0.0))
        j1 = int(min(ht, n - 1.0)) + 1
        found = area[j1, i1] - area[j0, i1] - area[j1, i0] + area[j0, i0] > 0
    return found


@kernel
def may_be_shadowed(plane, p, xa, xb, y, shadows):
    """Whether a moving shadow can touch the pixels between xa and xb of one row."""
    qa = plane[p, 15] * xa + plane[p, 16] * y + plane[p, 17]
    qb = plane[p, 15] * xb + plane[p, 16] * y + plane[p, 17]
    if qa > 0 and qb > 0:
        s0 = (plane[p, 9] * xa + plane[p, 10] * y + plane[p, 11]) / qa
        t0 = (plane[p, 12] * xa + plane[p, 13] * y + plane[p, 14]) / qa
        s1 = (plane[p, 9] * xb + plane[p, 10] * y + plane[p, 11]) / qb
        t1 = (plane[p, 12] * xb + plane[p, 13] * y + plane[p, 14]) / qb
        if _any_in(shadows.key_area, s0, t0, s1, t1):
            return True
    wa = 1.0 / (plane[p, 0] * xa + plane[p, 1] * y + plane[p, 2])
    wb = 1.0 / (plane[p, 0] * xb + plane[p, 1] * y + plane[p, 2])
    s0 = (plane[p, 18] * xa + plane[p, 19] * y + plane[p, 20]) * wa
    t0 = (plane[p, 21] * xa + plane[p, 22] * y + plane[p, 23]) * wa
    s1 = (plane[p, 18] * xb + plane[p, 19] * y + plane[p, 20]) * wb
    t1 = (plane[p, 21] * xb + plane[p, 22] * y + plane[p, 23]) * wb
    return _any_in(shadows.top_area, s0, t0, s1, t1)


# ---------------------------------------------------------------------------------------------------- shading


@kernel
def shade_sample(polygons, table, heap, p, x, y, shadows):
    """One sample of one polygon: three channels in 16-bit lanes."""
    plane = polygons.plane
    meta = polygons.meta
    t = meta[p, M_TEXTURE]
    w = 1.0 / (plane[p, 0] * x + plane[p, 1] * y + plane[p, 2])
    u = (plane[p, 3] * x + plane[p, 4] * y + plane[p, 5]) * w
    v = (plane[p, 6] * x + plane[p, 7] * y + plane[p, 8]) * w
    lit = meta[p, M_KIND] == LIT
    level = meta[p, M_LOD] if lit else mip_level(plane, p, x, y, table[t, 0, T_WIDTH], table[t, 0, T_HEIGHT])
    width = table[t, level, T_WIDTH]
    height = table[t, level, T_HEIGHT]
    stride = table[t, level, T_STRIDE]
    if lit:
        fu = int(u * (width * 256) + width * 8192.0 - 128.0)
        fv = int(v * (height * 256) + height * 8192.0 - 128.0)
        i = table[t, level, T_START] + ((fv >> 8) & (height - 1)) * stride + ((fu >> 8) & (width - 1))
    else:
        fu = int(min(max(u * (width * 256) - 128.0, 0.0), width * 256 - 257.0))
        fv = int(min(max(v * (height * 256) - 128.0, 0.0), height * 256 - 257.0))
        i = table[t, level, T_START] + (fv >> 8) * stride + (fu >> 8)
    c = blend_four(
        heap[i], heap[i + 1], heap[i + stride], heap[i + stride + 1], np.uint32(fu & 255), np.uint32(fv & 255)
    )
    kr = 256.0
    kg = 256.0
    kb = 256.0
    if lit:
        kr = max((plane[p, 9] * x + plane[p, 10] * y + plane[p, 11]) * w * 256.0, 0.0)
        kg = max((plane[p, 12] * x + plane[p, 13] * y + plane[p, 14]) * w * 256.0, 0.0)
        kb = max((plane[p, 15] * x + plane[p, 16] * y + plane[p, 17]) * w * 256.0, 0.0)
    elif shadows.strength > 0:
        size = shadows.key.shape[0]
        q = plane[p, 15] * x + plane[p, 16] * y + plane[p, 17]
        s = -1.0
        r = -1.0
        if q > 0:
            s = (plane[p, 9] * x + plane[p, 10] * y + plane[p, 11]) / q * size - 0.5
            r = (plane[p, 12] * x + plane[p, 13] * y + plane[p, 14]) / q * size - 0.5
        a = (plane[p, 18] * x + plane[p, 19] * y + plane[p, 20]) * w * size - 0.5
        b = (plane[p, 21] * x + plane[p, 22] * y + plane[p, 23]) * w * size - 0.5
        h = (plane[p, 24] * x + plane[p, 25] * y + plane[p, 26]) * w
        dark = darkness(
            shadows.key, shadows.key_depth, shadows.top, shadows.top_depth,
            F4(s), F4(r), F4(q * w), F4(a), F4(b), F4(h), F4(c >> np.uint32(24)) * F4(1 / 255),
        )  # fmt: skip
        kr = 256.0 - 256.0 * dark
        kg = kr
        kb = kr
    red = min((int(c & LOW) * int(kr)) >> 8, 255)
    green = min((int((c >> E8) & LOW) * int(kg)) >> 8, 255)
    blue = min((int((c >> np.uint32(16)) & LOW) * int(kb)) >> 8, 255)
    return np.int64(red | (green << 16) | (blue << 32))


INK_OUTLINE = 0.62
INK_CREASE = 0.22
INK_FADE = 7.0  # metres at which lines are half as strong


@kernel
def ink_level(polygons, s0, s1, s2, s3, x, y):
    """How dark the ink line through an edge pixel is: 0 (none) to 1. Strongest where the samples split evenly."""
    meta = polygons.meta
    plane = polygons.plane
    front = -1.0
    outline = 0
    crease = 0
    for k in range(4):
        p = s0 if k == 0 else (s1 if k == 1 else (s2 if k == 2 else s3))
        if p < 0:
            continue
        iw = plane[p, 0] * x + plane[p, 1] * y + plane[p, 2]
        front = max(front, iw)
        for j in range(k):
            o = s0 if j == 0 else (s1 if j == 1 else s2)
            if o < 0:
                continue
            if meta[o, M_ID] != meta[p, M_ID]:
                outline += 1
            elif meta[o, M_GROUP] != meta[p, M_GROUP]:
                crease += 1
    if front <= 0:
        return 0.0
    fade = 1.0 / (1.0 + 1.0 / (front * INK_FADE))
    return (INK_OUTLINE * outline + INK_CREASE * crease) * 0.25 * fade


@kernel
def shade_edge(polygons, table, heap, p0, p1, p2, p3, x, y, shadows, ink):
    """A pixel where surfaces meet: shade each once, average, draw the ink line."""
    meta = polygons.meta
    total = np.int64(0)
    covered = 0
    c0 = np.int64(0)
    c1 = np.int64(0)
    c2 = np.int64(0)
    g0 = meta[p0, M_GROUP] if p0 >= 0 else -1
    g1 = meta[p1, M_GROUP] if p1 >= 0 else -1
    g2 = meta[p2, M_GROUP] if p2 >= 0 else -1
    g3 = meta[p3, M_GROUP] if p3 >= 0 else -1
    if g0 >= 0:
        c0 = shade_sample(polygons, table, heap, p0, x + 0.375, y + 0.125, shadows)
        total += c0
        covered += 1
    if g1 >= 0:
        c1 = c0 if g1 == g0 else shade_sample(polygons, table, heap, p1, x + 0.875, y + 0.375, shadows)
        total += c1
        covered += 1
    if g2 >= 0:
        c2 = c0 if g2 == g0 else (
            c1 if g2 == g1 else shade_sample(polygons, table, heap, p2, x + 0.125, y + 0.625, shadows)
        )  # fmt: skip
        total += c2
        covered += 1
    if g3 >= 0:
        c3 = c0 if g3 == g0 else (
            c1 if g3 == g1 else (
                c2 if g3 == g2 else shade_sample(polygons, table, heap, p3, x + 0.625, y + 0.875, shadows)
            )
        )  # fmt: skip
        total += c3
        covered += 1
    if covered == 0:
        return np.uint32(0)
    k = 1.0 / covered
    if ink > 0:
        k *= 1.0 - ink * ink_level(polygons, p0, p1, p2, p3, x + 0.5, y + 0.5)
    red = int((total & 0xFFFF) * k + 0.5)
    green = int(((total >> 16) & 0xFFFF) * k + 0.5)
    blue = int((total >> 32) * k + 0.5)
    return np.uint32(red | (green << 8) | (blue << 16))


@kernel
def agree(width, a0, a1, a2, a3, key):
    """The polygon of each pixel whose four samples agree, else -2."""
    for x in range(width):
        p = a0[x]
        key[x] = p if (a1[x] == p and a2[x] == p and a3[x] == p) else np.int32(-2)


@kernel
def _same_group(meta, a, b, c, d):
    if a < 0 or b < 0 or c < 0 or d < 0:
        return False
    g = meta[a, M_GROUP]
    return meta[b, M_GROUP] == g and meta[c, M_GROUP] == g and meta[d, M_GROUP] == g


@kernel
def _end_of_level(polygons, table, p, x, e, y, level):
    """Where the run's mip level changes, looked at every 64 pixels."""
    t = polygons.meta[p, M_TEXTURE]
    s = x + 64
    while s < e:
        at = 0.5 * (s + min(e, s + 64))
        if mip_level(polygons.plane, p, at, y, table[t, 0, T_WIDTH], table[t, 0, T_HEIGHT]) != level:
            return s
        s += 64
    return e


@kernel
def _note_shadows(polygons, p, x, e, y, shadows, runs, n):
    """Note the 48-pixel pieces of a run that a moving shadow can touch."""
    s = x
    while s < e:
        z = min(e, s + 48)
        if may_be_shadowed(polygons.plane, p, s + 0.5, z - 0.5, y, shadows):
            runs[n, 0] = s
            runs[n, 1] = z
            runs[n, 2] = p
            runs[n, 3] = R_SHADE
            n += 1
        s = z
    return n


@kernel
def trace_row(y, width, a0, a1, a2, a3, polygons, table, shadows, scratch):
    """Split a row into runs of one surface and find their texels; returns how many runs need more work."""
    plane = polygons.plane
    meta = polygons.meta
    key = scratch.key
    runs = scratch.runs
    yc = y + 0.5
    x = 0
    n = 0
    while x < width:
        p = key[x]
        if p == -2 and _same_group(meta, a0[x], a1[x], a2[x], a3[x]):
            p = a2[x]
            key[x] = p
        if p < 0:
            scratch.first[x] = 0
            scratch.second[x] = 0
            scratch.weight[x] = 0
            runs[n, 0] = x
            runs[n, 3] = R_EDGE
            n += 1
            x += 1
            continue
        e = x + 1
        while e < width and key[e] == p:
            e += 1
        t = meta[p, M_TEXTURE]
        lit = meta[p, M_KIND] == LIT
        if lit:
            level = meta[p, M_LOD]
            runs[n, 0] = x
            runs[n, 1] = e
            runs[n, 2] = p
            runs[n, 3] = R_LIGHT
            n += 1
        else:
            at = 0.5 * (x + min(e, x + 64))
            level = mip_level(plane, p, at, yc, table[t, 0, T_WIDTH], table[t, 0, T_HEIGHT])
            e = _end_of_level(polygons, table, p, x, e, yc, level)
            if shadows.strength > 0:
                n = _note_shadows(polygons, p, x, e, yc, shadows, runs, n)
        xc = x + 0.5
        w = table[t, level, T_WIDTH]
        h = table[t, level, T_HEIGHT]
        start = np.int32(table[t, level, T_START])
        iw = F4(plane[p, 0] * xc + plane[p, 1] * yc + plane[p, 2])
        us = F4(plane[p, 3] * xc + plane[p, 4] * yc + plane[p, 5])
        vs = F4(plane[p, 6] * xc + plane[p, 7] * yc + plane[p, 8])
        if lit:
            address_repeated(
                x, e - x, start, np.int32(w), np.int32(h), iw, F4(plane[p, 0]), us, F4(plane[p, 3]), vs, F4(plane[p, 6]),
                scratch.first, scratch.second, scratch.weight,
            )  # fmt: skip
        else:
            address_clamped(
                x, e - x, start, np.int32(w), F4(w * 256 - 257), F4(h * 256 - 257), F4(w * 256), F4(h * 256),
                iw, F4(plane[p, 0]), us, F4(plane[p, 3]), vs, F4(plane[p, 6]),
                scratch.first, scratch.second, scratch.weight,
            )  # fmt: skip
        x = e
    return n


@kernel
def finish_row(y, n, a0, a1, a2, a3, polygons, table, heap, shadows, ink, runs, out):
    """Light, shadows and edges of a textured row."""
    plane = polygons.plane
    yc = y + 0.5
    for k in range(n):
        x = runs[k, 0]
        e = runs[k, 1]
        p = runs[k, 2]
        xc = x + 0.5
        if runs[k, 3] == R_LIGHT:
            light_run(
                x, e - x,
                F4(plane[p, 0] * xc + plane[p, 1] * yc + plane[p, 2]), F4(plane[p, 0]),
                F4(plane[p, 9] * xc + plane[p, 10] * yc + plane[p, 11]), F4(plane[p, 9]),
                F4(plane[p, 12] * xc + plane[p, 13] * yc + plane[p, 14]), F4(plane[p, 12]),
                F4(plane[p, 15] * xc + plane[p, 16] * yc + plane[p, 17]), F4(plane[p, 15]), out,
            )  # fmt: skip
        elif runs[k, 3] == R_SHADE:
            shadow_run(x, e - x, xc, yc, plane, p, shadows.key, shadows.key_depth, shadows.top, shadows.top_depth, out)
        else:
            out[x] = shade_edge(polygons, table, heap, a0[x], a1[x], a2[x], a3[x], x, y, shadows, ink)


@kernel
def choose_levels(number, polygons, table):
    """Mip level of each lit polygon, at its middle."""
    for p in range(number):
        if polygons.meta[p, M_KIND] == LIT:
            sx = 0.0
            sy = 0.0
            for k in range(polygons.count[p]):
                sx += polygons.screen[p, k, 0]
                sy += polygons.screen[p, k, 1]
            t = polygons.meta[p, M_TEXTURE]
            m = polygons.count[p]
            polygons.meta[p, M_LOD] = mip_level(
                polygons.plane, p, sx / m, sy / m, table[t, 0, T_WIDTH], table[t, 0, T_HEIGHT]
            )


@kernel
def keep_truth(y, width, row, depth_row, seen, depth, meta, ids_out, depth_out):
    """Object id and depth of a row's pixels, for grading."""
    for x in range(width):
        p = seen[row, x]
        ids_out[y, x] = meta[p, M_ID] if p >= 0 else -1
        depth_out[y, x] = F4(1) / depth[depth_row + x] if p >= 0 else F4(0)


@kernel
def draw(number, polygons, table, heap, shadows, ink, scratch, out, ids_out, depth_out):
    """A frame from polygons on the screen. `out` is (h, w) of 0x__BBGGRR. Returns the number of uncovered pixels."""
    height, width = out.shape
    choose_levels(number, polygons, table)
    bands = sort_into_bands(number, polygons, scratch.bin_start, scratch.bin_items, height)
    seen = scratch.seen
    flat = seen.reshape(-1)
    truth = ids_out.shape[0] > 1
    uncovered = 0
    for band in range(bands):
        top = band * BAND
        bottom = min(top + BAND, height)
        visibility(
            top, (bottom - top) * 4, width, scratch.bin_start[band], scratch.bin_start[band + 1],
            scratch.bin_items, polygons, scratch.depth, flat,
        )  # fmt: skip
        for y in range(top, bottom):
            r = (y - top) * 4
            a0 = seen[r]
            a1 = seen[r + 1]
            a2 = seen[r + 2]
            a3 = seen[r + 3]
            agree(width, a0, a1, a2, a3, scratch.key)
            n = trace_row(y, width, a0, a1, a2, a3, polygons, table, shadows, scratch)
            gather(width, heap, scratch.first, scratch.second, scratch.t00, scratch.t01, scratch.t10, scratch.t11)
            blend_row(width, scratch.t00, scratch.t01, scratch.t10, scratch.t11, scratch.weight, out[y])
            finish_row(y, n, a0, a1, a2, a3, polygons, table, heap, shadows, ink, scratch.runs, out[y])
            for k in range(n):
                x = scratch.runs[k, 0]
                if scratch.runs[k, 3] == R_EDGE and a0[x] < 0 and a1[x] < 0 and a2[x] < 0 and a3[x] < 0:
                    uncovered += 1
            if truth:
                keep_truth(y, width, r + 2, (r + 2) * width, seen, scratch.depth, polygons.meta, ids_out, depth_out)
    return uncovered
