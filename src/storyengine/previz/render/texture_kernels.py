"""Texels: packed colours, mip levels, addresses of runs, bilinear mixing."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: ANN001, ANN201, ANN202
import math

import numpy as np

from storyengine.media.kernel import inline_part, part
from storyengine.previz.render.raster_kernels import F4, MIP_LEVELS

LANES = np.uint32(0xFF00FF)
HIGH_LANES = np.uint32(0xFF00FF00)
LOW = np.uint32(0xFF)
E8 = np.uint32(8)
FULL = np.uint32(256)


@inline_part
def _mix_lanes(a, b, va, vb):
    """a·va + b·vb in two 16-bit lanes; every step is forced back to 32 bits so that it stays in narrow registers."""
    return np.uint32(np.uint32(a * va) + np.uint32(b * vb))


@inline_part
def blend_four(a, b, c, d, wx, wy):
    """Bilinear mix of four packed texels, two channels at a time; weights 0…255."""
    vx = np.uint32(FULL - wx)
    vy = np.uint32(FULL - wy)
    t = np.uint32(np.uint32(_mix_lanes(np.uint32(a & LANES), np.uint32(b & LANES), vx, wx) >> E8) & LANES)
    u = np.uint32(np.uint32(_mix_lanes(np.uint32(c & LANES), np.uint32(d & LANES), vx, wx) >> E8) & LANES)
    even = np.uint32(np.uint32(_mix_lanes(t, u, vy, wy) >> E8) & LANES)
    a8 = np.uint32(np.uint32(a >> E8) & LANES)
    b8 = np.uint32(np.uint32(b >> E8) & LANES)
    c8 = np.uint32(np.uint32(c >> E8) & LANES)
    d8 = np.uint32(np.uint32(d >> E8) & LANES)
    t = np.uint32(np.uint32(_mix_lanes(a8, b8, vx, wx) >> E8) & LANES)
    u = np.uint32(np.uint32(_mix_lanes(c8, d8, vx, wx) >> E8) & LANES)
    odd = np.uint32(_mix_lanes(t, u, vy, wy) & HIGH_LANES)
    return np.uint32(even | odd)


@part
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


@part
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


@part
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


@part
def gather(x0, x1, heap, first, second, t00, t01, t10, t11):
    for x in range(x0, x1):
        i = np.uint32(first[x])
        j = np.uint32(second[x])
        t00[x] = heap[i]
        t01[x] = heap[i + np.uint32(1)]
        t10[x] = heap[j]
        t11[x] = heap[j + np.uint32(1)]


@part
def blend_row(x0, x1, t00, t01, t10, t11, weight, out):
    for x in range(x0, x1):
        f = np.uint32(weight[x])
        out[x] = blend_four(t00[x], t01[x], t10[x], t11[x], np.uint32(f & LOW), np.uint32(f >> E8))
