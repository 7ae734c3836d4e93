"""Shading: runs of one surface along a row, edge pixels with their ink line, and the frame as a whole.

Where all four samples of a pixel see one surface it is shaded once, together with its neighbours; the one pixel in a
hundred where surfaces meet shades each of them once, takes the mean, and is darkened by the ink line.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: ANN001, ANN201, ANN202
import numpy as np

from storyengine.media.kernel import kernel, part
from storyengine.previz.render.raster_kernels import (
    BAND,
    F4,
    LIT,
    M_FLAT,
    M_GROUP,
    M_ID,
    M_KIND,
    M_LEVEL,
    M_TEXTURE,
    T_HEIGHT,
    T_START,
    T_STRIDE,
    T_WIDTH,
    sort_into_bands,
    visibility,
)
from storyengine.previz.render.shadow_kernels import (
    contact_run,
    key_run,
    may_be_under,
    may_lose_key,
    sample_darkness,
)
from storyengine.previz.render.texture_kernels import (
    E8,
    LOW,
    address_clamped,
    address_repeated,
    blend_four,
    blend_row,
    gather,
    mip_level,
)

# What a stretch of a row still needs after texturing.
R_LIGHT, R_KEY, R_CONTACT, R_EDGE = 1, 2, 3, 4
PIECE = 48  # pixels of a run that are asked for moving shadows at once

INK_OUTLINE = 0.62
INK_CREASE = 0.20
INK_FADE = 7.0  # metres at which lines are half as strong


@part
def light_run(x0, n, iw, diw, rs, dr, gs, dg, bs, db, out):
    """Multiply a run of a lit surface by colour and light."""
    top = F4(255)
    for i in range(n):
        j = np.uint64(x0) + np.uint64(i)
        f = F4(i)
        w = F4(1) / (iw + f * diw)
        c = np.int32(out[j])
        r = (rs + f * dr) * w * F4(c & np.int32(255))
        g = (gs + f * dg) * w * F4((c >> np.int32(8)) & np.int32(255))
        b = (bs + f * db) * w * F4((c >> np.int32(16)) & np.int32(255))
        r = r if r > F4(0) else F4(0)
        g = g if g > F4(0) else F4(0)
        b = b if b > F4(0) else F4(0)
        r = r if r < top else top
        g = g if g < top else top
        b = b if b < top else top
        out[j] = np.uint32(np.int32(np.int32(r) | (np.int32(g) << np.int32(8)) | (np.int32(b) << np.int32(16))))


@part
def shade_sample(polygons, table, heap, p, x, y, shadows):
    """One sample of one polygon: three channels in 16-bit lanes."""
    plane = polygons.plane
    meta = polygons.meta
    t = meta[p, M_TEXTURE]
    w = 1.0 / (plane[p, 0] * x + plane[p, 1] * y + plane[p, 2])
    u = (plane[p, 3] * x + plane[p, 4] * y + plane[p, 5]) * w
    v = (plane[p, 6] * x + plane[p, 7] * y + plane[p, 8]) * w
    lit = meta[p, M_KIND] == LIT
    level = meta[p, M_LEVEL] if lit else mip_level(plane, p, x, y, table[t, 0, T_WIDTH], table[t, 0, T_HEIGHT])
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
    wx = np.uint32(fu & 255)
    wy = np.uint32(fv & 255)
    c = blend_four(heap[i], heap[i + 1], heap[i + stride], heap[i + stride + 1], wx, wy)
    kr = 256.0
    kg = 256.0
    kb = 256.0
    if lit:
        kr = max((plane[p, 9] * x + plane[p, 10] * y + plane[p, 11]) * w * 256.0, 0.0)
        kg = max((plane[p, 12] * x + plane[p, 13] * y + plane[p, 14]) * w * 256.0, 0.0)
        kb = max((plane[p, 15] * x + plane[p, 16] * y + plane[p, 17]) * w * 256.0, 0.0)
    elif shadows.strength > 0:
        share = F4(c >> np.uint32(24)) * F4(1 / 255)
        kr -= 256.0 * sample_darkness(plane, p, x, y, w, meta[p, M_FLAT] == 1, share, shadows)
        kg = kr
        kb = kr
    red = min((int(c & LOW) * int(kr)) >> 8, 255)
    green = min((int((c >> E8) & LOW) * int(kg)) >> 8, 255)
    blue = min((int((c >> np.uint32(16)) & LOW) * int(kb)) >> 8, 255)
    return np.int64(red | (green << 16) | (blue << 32))


@part
def ink_level(polygons, samples, x, y):
    """How dark the ink line through an edge pixel is: 0 (none) to 1. Strongest where the samples split evenly."""
    meta = polygons.meta
    plane = polygons.plane
    front = -1.0
    outline = 0
    crease = 0
    for k in range(4):
        p = samples[k]
        if p < 0:
            continue
        front = max(front, plane[p, 0] * x + plane[p, 1] * y + plane[p, 2])
        for j in range(k):
            o = samples[j]
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


@part
def shade_edge(polygons, table, heap, samples, x, y, shadows, ink):
    """A pixel where surfaces meet: shade each once, average, draw the ink line."""
    meta = polygons.meta
    total = np.int64(0)
    covered = 0
    c0 = np.int64(0)
    c1 = np.int64(0)
    c2 = np.int64(0)
    c3 = np.int64(0)
    p0, p1, p2, p3 = samples
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
        if g2 == g0:
            c2 = c0
        elif g2 == g1:
            c2 = c1
        else:
            c2 = shade_sample(polygons, table, heap, p2, x + 0.125, y + 0.625, shadows)
        total += c2
        covered += 1
    if g3 >= 0:
        if g3 == g0:
            c3 = c0
        elif g3 == g1:
            c3 = c1
        elif g3 == g2:
            c3 = c2
        else:
            c3 = shade_sample(polygons, table, heap, p3, x + 0.625, y + 0.875, shadows)
        total += c3
        covered += 1
    if covered == 0:
        return np.uint32(0)
    k = 1.0 / covered
    if ink > 0:
        k *= 1.0 - ink * ink_level(polygons, samples, x + 0.5, y + 0.5)
    red = int((total & 0xFFFF) * k + 0.5)
    green = int(((total >> 16) & 0xFFFF) * k + 0.5)
    blue = int((total >> 32) * k + 0.5)
    return np.uint32(red | (green << 8) | (blue << 16))


@part
def agree(width, a0, a1, a2, a3, key):
    """The polygon of each pixel whose four samples agree, else -2."""
    for x in range(width):
        p = a0[x]
        key[x] = p if (a1[x] == p and a2[x] == p and a3[x] == p) else np.int32(-2)


@part
def _same_group(meta, a, b, c, d):
    if a < 0 or b < 0 or c < 0 or d < 0:
        return False
    g = meta[a, M_GROUP]
    return meta[b, M_GROUP] == g and meta[c, M_GROUP] == g and meta[d, M_GROUP] == g


@part
def _end_of_level(plane, p, x, e, y, level, width, height):
    """Where the run's mip level changes, looked at every 64 pixels."""
    s = x + 64
    while s < e:
        if mip_level(plane, p, 0.5 * (s + min(e, s + 64)), y, width, height) != level:
            return s
        s += 64
    return e


@part
def _note(runs, n, x, e, p, what):
    runs[n, 0] = x
    runs[n, 1] = e
    runs[n, 2] = p
    runs[n, 3] = what
    return n + 1


@part
def _note_shadows(plane, p, flat, x, e, y, key_area, top_area, runs, n):
    """Note the pieces of a run that a moving shadow can touch."""
    s = x
    while s < e:
        z = min(e, s + PIECE)
        if may_lose_key(plane, p, s + 0.5, z - 0.5, y, key_area):
            n = _note(runs, n, s, z, p, R_KEY)
        if flat and may_be_under(plane, p, s + 0.5, z - 0.5, y, top_area):
            n = _note(runs, n, s, z, p, R_CONTACT)
        s = z
    return n


@part
def trace_row(
    y, width, a0, a1, a2, a3, plane, meta, table, strength, key_area, top_area, key, first, second, weight, runs
):
    """Split a row into runs of one surface and find their texels; returns how many stretches need more work."""
    yc = y + 0.5
    x = 0
    n = 0
    while x < width:
        p = key[x]
        if p == -2 and _same_group(meta, a0[x], a1[x], a2[x], a3[x]):
            p = a2[x]
            key[x] = p
        if p < 0:
            first[x] = 0
            second[x] = 0
            weight[x] = 0
            n = _note(runs, n, x, x + 1, p, R_EDGE)
            x += 1
            continue
        e = x + 1
        while e < width and key[e] == p:
            e += 1
        t = meta[p, M_TEXTURE]
        lit = meta[p, M_KIND] == LIT
        if lit:
            level = meta[p, M_LEVEL]
            n = _note(runs, n, x, e, p, R_LIGHT)
        else:
            full = table[t, 0, T_WIDTH]
            tall = table[t, 0, T_HEIGHT]
            level = mip_level(plane, p, 0.5 * (x + min(e, x + 64)), yc, full, tall)
            e = _end_of_level(plane, p, x, e, yc, level, full, tall)
            if strength > 0:
                n = _note_shadows(plane, p, meta[p, M_FLAT] == 1, x, e, yc, key_area, top_area, runs, n)
        xc = x + 0.5
        w = table[t, level, T_WIDTH]
        h = table[t, level, T_HEIGHT]
        start = np.int32(table[t, level, T_START])
        iw = F4(plane[p, 0] * xc + plane[p, 1] * yc + plane[p, 2])
        us = F4(plane[p, 3] * xc + plane[p, 4] * yc + plane[p, 5])
        vs = F4(plane[p, 6] * xc + plane[p, 7] * yc + plane[p, 8])
        diw = F4(plane[p, 0])
        du = F4(plane[p, 3])
        dv = F4(plane[p, 6])
        if lit:
            address_repeated(x, e - x, start, np.int32(w), np.int32(h), iw, diw, us, du, vs, dv, first, second, weight)
        else:
            address_clamped(
                x, e - x, start, np.int32(w), F4(w * 256 - 257), F4(h * 256 - 257), F4(w * 256), F4(h * 256),
                iw, diw, us, du, vs, dv, first, second, weight,
            )  # fmt: skip
        x = e
    return n


@part
def finish_row(y, n, a0, a1, a2, a3, polygons, table, heap, shadows, ink, runs, out):
    """Light, shadows and edges of a textured row; returns how many pixels nothing covers."""
    plane = polygons.plane
    yc = y + 0.5
    uncovered = 0
    for k in range(n):
        x = runs[k, 0]
        count = runs[k, 1] - x
        p = runs[k, 2]
        what = runs[k, 3]
        xc = x + 0.5
        if what == R_LIGHT:
            light_run(
                x, count,
                F4(plane[p, 0] * xc + plane[p, 1] * yc + plane[p, 2]), F4(plane[p, 0]),
                F4(plane[p, 9] * xc + plane[p, 10] * yc + plane[p, 11]), F4(plane[p, 9]),
                F4(plane[p, 12] * xc + plane[p, 13] * yc + plane[p, 14]), F4(plane[p, 12]),
                F4(plane[p, 15] * xc + plane[p, 16] * yc + plane[p, 17]), F4(plane[p, 15]), out,
            )  # fmt: skip
        elif what == R_KEY:
            key_run(x, count, xc, yc, plane, p, shadows.key, shadows.key_depth, out)
        elif what == R_CONTACT:
            contact_run(x, count, xc, yc, plane, p, shadows.top, shadows.top_depth, out)
        else:
            samples = (a0[x], a1[x], a2[x], a3[x])
            out[x] = shade_edge(polygons, table, heap, samples, x, y, shadows, ink)
            if samples[0] < 0 and samples[1] < 0 and samples[2] < 0 and samples[3] < 0:
                uncovered += 1
    return uncovered


@part
def choose_levels(number, polygons, table):
    """Mip level of each lit polygon, at its middle."""
    for p in range(number):
        if polygons.meta[p, M_KIND] == LIT:
            sx = 0.0
            sy = 0.0
            m = polygons.count[p]
            for k in range(m):
                sx += polygons.screen[p, k, 0]
                sy += polygons.screen[p, k, 1]
            t = polygons.meta[p, M_TEXTURE]
            polygons.meta[p, M_LEVEL] = mip_level(
                polygons.plane, p, sx / m, sy / m, table[t, 0, T_WIDTH], table[t, 0, T_HEIGHT]
            )


@part
def keep_truth(y, width, row, seen, depth, meta, ids_out, depth_out):
    """Object id and depth of a row's pixels, for grading."""
    for x in range(width):
        p = seen[row, x]
        ids_out[y, x] = meta[p, M_ID] if p >= 0 else -1
        depth_out[y, x] = F4(1) / depth[row * width + x] if p >= 0 else F4(0)


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
            row = out[y]
            agree(width, a0, a1, a2, a3, scratch.key)
            n = trace_row(
                y, width, a0, a1, a2, a3, polygons.plane, polygons.meta, table, shadows.strength,
                shadows.key_area, shadows.top_area, scratch.key, scratch.first, scratch.second, scratch.weight,
                scratch.runs,
            )  # fmt: skip
            gather(width, heap, scratch.first, scratch.second, scratch.t00, scratch.t01, scratch.t10, scratch.t11)
            blend_row(width, scratch.t00, scratch.t01, scratch.t10, scratch.t11, scratch.weight, row)
            uncovered += finish_row(y, n, a0, a1, a2, a3, polygons, table, heap, shadows, ink, scratch.runs, row)
            if truth:
                keep_truth(y, width, r + 2, seen, scratch.depth, polygons.meta, ids_out, depth_out)
    return uncovered
