"""Moving shadows on baked surfaces: what the key light loses behind a figure, and the dark under its feet.

These shadows are soft, so runs look them up at every fourth pixel and take the mean way between.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: ANN001, ANN201, ANN202
import numpy as np

from storyengine.media.kernel import inline_part, part
from storyengine.previz.render.raster_kernels import F4
from storyengine.previz.render.texture_kernels import E8, LANES, LOW

CONTACT_REACH = 0.45
"""Metres above a surface within which things darken it."""
CONTACT_DARK = 0.55
NODES = 4  # pixels from one look-up to the next
KEY_BIAS = 0.02


@inline_part
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


@inline_part
def key_darkness(key, key_depth, s, t, h):
    """How much of the key light is lost at texel (s, t) of its map, h metres along its axis: 0 to 1."""
    limit = F4(key.shape[0] - 2)
    dark = F4(0)
    if s >= F4(0) and t >= F4(0) and s < limit and t < limit:
        gap = h - key_depth[np.uint64(t), np.uint64(s)] - F4(KEY_BIAS)
        if gap > F4(0):
            fade = gap * F4(20)
            dark = _bilinear(key, s, t) * (fade if fade < F4(1) else F4(1))
    return dark


@inline_part
def contact_darkness(top, top_depth, a, b, h):
    """How dark it is under things that stand or hover at texel (a, b), h metres below the map's top: 0 to 1."""
    limit = F4(top.shape[0] - 2)
    dark = F4(0)
    if a >= F4(0) and b >= F4(0) and a < limit and b < limit:
        gap = h - top_depth[np.uint64(b), np.uint64(a)]
        if gap > F4(-0.05) and gap < F4(CONTACT_REACH):
            near = F4(1) - (gap if gap > F4(0) else F4(0)) * F4(1.0 / CONTACT_REACH)
            dark = F4(CONTACT_DARK) * near * near * _bilinear(top, a, b)
    return dark


@inline_part
def _darkened(colour, dark):
    k = np.uint32(F4(256) - dark * F4(256))
    even = np.uint32(np.uint32(np.uint32(np.uint32(colour & LANES) * k) >> E8) & LANES)
    green = np.uint32(np.uint32(np.uint32(np.uint32(colour >> E8) & LOW) * k) & np.uint32(0xFF00))
    return np.uint32(np.uint32(even | green) | np.uint32(colour & np.uint32(0xFF000000)))


@part
def key_run(x0, n, x, y, plane, p, key, key_depth, out):
    """Darken a run of a baked surface by what the key light loses; the top byte says how much of its light that is."""
    size = F4(key.shape[0])
    half = F4(0.5)
    iw = F4(plane[p, 0] * x + plane[p, 1] * y + plane[p, 2])
    diw = F4(plane[p, 0])
    s0 = F4(plane[p, 9] * x + plane[p, 10] * y + plane[p, 11]) * size
    ds = F4(plane[p, 9]) * size
    t0 = F4(plane[p, 12] * x + plane[p, 13] * y + plane[p, 14]) * size
    dt = F4(plane[p, 12]) * size
    q0 = F4(plane[p, 15] * x + plane[p, 16] * y + plane[p, 17])
    dq = F4(plane[p, 15])
    before = F4(0)
    for i in range(-NODES, n, NODES):
        f = F4(i + NODES)
        q = q0 + f * dq
        qi = F4(1) / q
        dark = key_darkness(key, key_depth, (s0 + f * ds) * qi - half, (t0 + f * dt) * qi - half, q / (iw + f * diw))
        if i >= 0 and (dark > F4(0) or before > F4(0)):
            step = (dark - before) * F4(1.0 / NODES)
            for k in range(i, min(i + NODES, n)):
                j = np.uint64(x0) + np.uint64(k)
                colour = out[j]
                share = F4(np.uint32(colour >> np.uint32(24))) * F4(1 / 255)
                out[j] = _darkened(colour, (before + step * F4(k - i)) * share)
        before = dark


@part
def contact_run(x0, n, x, y, plane, p, top, top_depth, out):
    """Darken a run of a flat baked surface under things that stand on it."""
    size = F4(top.shape[0])
    half = F4(0.5)
    iw = F4(plane[p, 0] * x + plane[p, 1] * y + plane[p, 2])
    diw = F4(plane[p, 0])
    a0 = F4(plane[p, 18] * x + plane[p, 19] * y + plane[p, 20]) * size
    da = F4(plane[p, 18]) * size
    b0 = F4(plane[p, 21] * x + plane[p, 22] * y + plane[p, 23]) * size
    db = F4(plane[p, 21]) * size
    c0 = F4(plane[p, 24] * x + plane[p, 25] * y + plane[p, 26])
    dc = F4(plane[p, 24])
    before = F4(0)
    for i in range(-NODES, n, NODES):
        f = F4(i + NODES)
        w = F4(1) / (iw + f * diw)
        dark = contact_darkness(top, top_depth, (a0 + f * da) * w - half, (b0 + f * db) * w - half, (c0 + f * dc) * w)
        if i >= 0 and (dark > F4(0) or before > F4(0)):
            step = (dark - before) * F4(1.0 / NODES)
            for k in range(i, min(i + NODES, n)):
                j = np.uint64(x0) + np.uint64(k)
                out[j] = _darkened(out[j], before + step * F4(k - i))
        before = dark


@inline_part
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


@part
def may_lose_key(plane, p, xa, xb, y, area):
    """Whether a moving shadow of the key light can touch the pixels between xa and xb of one row."""
    qa = plane[p, 15] * xa + plane[p, 16] * y + plane[p, 17]
    qb = plane[p, 15] * xb + plane[p, 16] * y + plane[p, 17]
    if qa <= 1e-6 or qb <= 1e-6:
        return False
    s0 = (plane[p, 9] * xa + plane[p, 10] * y + plane[p, 11]) / qa
    t0 = (plane[p, 12] * xa + plane[p, 13] * y + plane[p, 14]) / qa
    s1 = (plane[p, 9] * xb + plane[p, 10] * y + plane[p, 11]) / qb
    t1 = (plane[p, 12] * xb + plane[p, 13] * y + plane[p, 14]) / qb
    return _any_in(area, s0, t0, s1, t1)


@part
def may_be_under(plane, p, xa, xb, y, area):
    """Whether something can stand over the pixels between xa and xb of one row of a flat surface."""
    wa = 1.0 / (plane[p, 0] * xa + plane[p, 1] * y + plane[p, 2])
    wb = 1.0 / (plane[p, 0] * xb + plane[p, 1] * y + plane[p, 2])
    s0 = (plane[p, 18] * xa + plane[p, 19] * y + plane[p, 20]) * wa
    t0 = (plane[p, 21] * xa + plane[p, 22] * y + plane[p, 23]) * wa
    s1 = (plane[p, 18] * xb + plane[p, 19] * y + plane[p, 20]) * wb
    t1 = (plane[p, 21] * xb + plane[p, 22] * y + plane[p, 23]) * wb
    return _any_in(area, s0, t0, s1, t1)
