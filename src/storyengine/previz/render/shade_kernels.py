"""Shading: runs of one surface along a row, edge pixels with their ink line, and the frame as a whole.

Where all four samples of a pixel see one surface it is shaded once, together with its neighbours; the one pixel in a
hundred where surfaces meet shades each of them once, takes the mean, and is darkened by the ink line.

What stands still is shaded first, without things' shadows, and kept as a plate while the camera rests; then the shadows
fall on it, where they are not those of the plate; then the pixels that moving things touch are shaded.
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
    OFFSET_X,
    OFFSET_Y,
    T_HEIGHT,
    T_START,
    T_STRIDE,
    T_WIDTH,
    clear,
    lift,
    reach,
    sort_into_bands,
    visibility,
)
from storyengine.previz.render.shadow_kernels import (
    contact_run,
    key_run,
    may_be_under,
    may_lose_key,
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

# What a run of a row is: a lit surface, a baked one, or a pixel where surfaces meet.
R_LIGHT, R_BAKED, R_EDGE = 1, 2, 3
# Numbers that are no polygon: samples disagree; nothing that moves is here.
MIXED, UNTOUCHED = np.int32(-2), np.int32(-3)
PIECE = 48  # pixels of a run that are asked for moving shadows at once

INK_OUTLINE = 0.62
INK_CREASE = 0.20
INK_FADE = 7.0  # metres at which lines are half as strong


@part
def light_run(x0, n, iw, diw, rs, dr, gs, dg, bs, db, texels, out):
    """Multiply a run of a lit surface by colour and light."""
    top = F4(255)
    for i in range(n):
        j = np.uint64(x0) + np.uint64(i)
        f = F4(i)
        w = F4(1) / (iw + f * diw)
        c = np.int32(texels[j])
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
def shade_sample(polygons, table, heap, p, x, y):
    """One sample of one polygon: three channels and the key light's share in 16-bit lanes."""
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
    red = min((int(c & LOW) * int(kr)) >> 8, 255)
    green = min((int((c >> E8) & LOW) * int(kg)) >> 8, 255)
    blue = min((int((c >> np.uint32(16)) & LOW) * int(kb)) >> 8, 255)
    left = np.int64(0) if lit else np.int64(np.uint32(c >> np.uint32(24)))
    return np.int64(red | (green << 16) | (blue << 32) | (left << np.int64(48)))


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
def shade_edge(polygons, table, heap, samples, x, y, least, behind, ink, shaded):
    """A pixel where surfaces meet: shade each once, average, draw the ink line.

    Samples below `least` show what was there before. `shaded` has room for four samples.
    """
    meta = polygons.meta
    total = np.int64(0)
    covered = 0
    for k in range(4):
        p = samples[k]
        if p < 0:
            continue
        same = -1
        for j in range(k):
            if samples[j] >= least and samples[j] >= 0 and meta[samples[j], M_GROUP] == meta[p, M_GROUP]:
                same = j
        if p < least:
            shaded[k] = behind
        elif same >= 0:
            shaded[k] = shaded[same]
        else:
            shaded[k] = shade_sample(polygons, table, heap, p, x + OFFSET_X[k], y + OFFSET_Y[k])
        total += shaded[k]
        covered += 1
    if covered == 0:
        return np.uint32(0)
    part_of = 1.0 / covered
    share = int((total >> 48) * part_of)
    if ink > 0:
        part_of *= 1.0 - ink * ink_level(polygons, samples, x + 0.5, y + 0.5)
    red = int((total & 0xFFFF) * part_of + 0.5)
    green = int(((total >> 16) & 0xFFFF) * part_of + 0.5)
    blue = int(((total >> 32) & 0xFFFF) * part_of + 0.5)
    return np.uint32(red | (green << 8) | (blue << 16) | (share << 24))


@part
def _same_group(meta, a, b, c, d):
    if a < 0 or b < 0 or c < 0 or d < 0:
        return False
    g = meta[a, M_GROUP]
    return meta[b, M_GROUP] == g and meta[c, M_GROUP] == g and meta[d, M_GROUP] == g


@part
def agree(x0, x1, a0, a1, a2, a3, least, meta, key):
    """The polygon of each pixel whose four samples see one smooth surface, else MIXED.

    UNTOUCHED where all are below `least`.
    """
    for x in range(x0, x1):
        p = a0[x]
        same = a1[x] == p and a2[x] == p and a3[x] == p
        touched = p >= least or a1[x] >= least or a2[x] >= least or a3[x] >= least
        key[x] = (p if same else MIXED) if touched else UNTOUCHED
    for x in range(x0, x1):
        if key[x] == MIXED and _same_group(meta, a0[x], a1[x], a2[x], a3[x]):
            key[x] = a2[x]


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
def trace_row(y, x0, x1, plane, meta, table, key, first, second, weight, runs):
    """Split a row into runs of one surface and find their texels; returns how many runs and edge pixels there are."""
    yc = y + 0.5
    x = x0
    n = 0
    while x < x1:
        p = key[x]
        if p < 0:
            first[x] = 0
            second[x] = 0
            weight[x] = 0
            if p != UNTOUCHED:
                runs[n, 0] = x
                runs[n, 1] = x + 1
                runs[n, 2] = p
                runs[n, 3] = R_EDGE
                n += 1
            x += 1
            continue
        e = x + 1
        while e < x1 and key[e] == p:
            e += 1
        t = meta[p, M_TEXTURE]
        lit = meta[p, M_KIND] == LIT
        if lit:
            level = meta[p, M_LEVEL]
        else:
            full = table[t, 0, T_WIDTH]
            tall = table[t, 0, T_HEIGHT]
            level = mip_level(plane, p, 0.5 * (x + min(e, x + 64)), yc, full, tall)
            e = _end_of_level(plane, p, x, e, yc, level, full, tall)
        runs[n, 0] = x
        runs[n, 1] = e
        runs[n, 2] = p
        runs[n, 3] = R_LIGHT if lit else R_BAKED
        n += 1
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
def finish_row(y, n, least, a0, a1, a2, a3, polygons, table, heap, ink, runs, shaded, texels, out):
    """Light and edges of a textured row; returns how many pixels nothing covers."""
    plane = polygons.plane
    yc = y + 0.5
    uncovered = 0
    for k in range(n):
        x = runs[k, 0]
        p = runs[k, 2]
        xc = x + 0.5
        if runs[k, 3] == R_LIGHT:
            light_run(
                x, runs[k, 1] - x,
                F4(plane[p, 0] * xc + plane[p, 1] * yc + plane[p, 2]), F4(plane[p, 0]),
                F4(plane[p, 9] * xc + plane[p, 10] * yc + plane[p, 11]), F4(plane[p, 9]),
                F4(plane[p, 12] * xc + plane[p, 13] * yc + plane[p, 14]), F4(plane[p, 12]),
                F4(plane[p, 15] * xc + plane[p, 16] * yc + plane[p, 17]), F4(plane[p, 15]), texels, out,
            )  # fmt: skip
        elif runs[k, 3] == R_EDGE:
            samples = (a0[x], a1[x], a2[x], a3[x])
            old = np.int64(out[x])
            behind = (old & 0xFF) | ((old & 0xFF00) << 8) | ((old & 0xFF0000) << 16)
            out[x] = shade_edge(polygons, table, heap, samples, x, y, least, behind, ink, shaded)
            if samples[0] < 0 and samples[1] < 0 and samples[2] < 0 and samples[3] < 0:
                uncovered += 1
    return uncovered


@part
def shade_row(y, x0, x1, least, a0, a1, a2, a3, polygons, table, heap, ink, scratch, texels, out):
    """Shade the pixels of a row that polygons from number `least` on touch; returns how many runs it has."""
    agree(x0, x1, a0, a1, a2, a3, least, polygons.meta, scratch.key)
    n = trace_row(
        y, x0, x1, polygons.plane, polygons.meta, table, scratch.key, scratch.first, scratch.second,
        scratch.weight, scratch.runs,
    )  # fmt: skip
    gather(x0, x1, heap, scratch.first, scratch.second, scratch.t00, scratch.t01, scratch.t10, scratch.t11)
    blend_row(x0, x1, scratch.t00, scratch.t01, scratch.t10, scratch.t11, scratch.weight, texels)
    return n, finish_row(
        y, n, least, a0, a1, a2, a3, polygons, table, heap, ink, scratch.runs, scratch.shaded, texels, out
    )  # fmt: skip


@part
def _baked_of(meta, samples):
    """The first baked surface among an edge pixel's samples, or -1."""
    for k in range(4):
        if samples[k] >= 0 and meta[samples[k], M_KIND] != LIT:
            return samples[k]
    return np.int32(-1)


@part
def keep_stretches(y, n, a0, a1, a2, a3, meta, runs, plate):
    """Remember where on a row things' shadows can fall: on baked surfaces, and on edges by the first of them."""
    start = plate.row_start[y]
    for k in range(n):
        what = runs[k, 3]
        x = runs[k, 0]
        p = runs[k, 2]
        if what == R_EDGE:
            p = _baked_of(meta, (a0[x], a1[x], a2[x], a3[x]))
        if what != R_LIGHT and p >= 0:
            plate.stretches[start, 0] = x
            plate.stretches[start, 1] = runs[k, 1]
            plate.stretches[start, 2] = p
            start += 1
    plate.row_start[y + 1] = start


@part
def shadow_row(y, polygons, shadows, plate, clean, out):
    """Let the shadows fall on a row of what stands still, where they are not those that `out` has already."""
    plane = polygons.plane
    yc = y + 0.5
    for k in range(plate.row_start[y], plate.row_start[y + 1]):
        x = int(plate.stretches[k, 0])
        e = int(plate.stretches[k, 1])
        p = int(plate.stretches[k, 2])
        flat = polygons.meta[p, M_FLAT] == 1
        while x < e:
            z = min(e, x + PIECE)
            if may_lose_key(plane, p, x + 0.5, z - 0.5, yc, shadows.key_area) or (
                flat and may_be_under(plane, p, x + 0.5, z - 0.5, yc, shadows.top_area)
            ):
                for i in range(x, z):
                    out[i] = clean[i]
                key_run(x, z - x, x + 0.5, yc, plane, p, shadows.key, shadows.key_depth, out)
                if flat:
                    contact_run(x, z - x, x + 0.5, yc, plane, p, shadows.top, shadows.top_depth, out)
            x = z


@part
def choose_levels(first, number, polygons, table):
    """Mip level of each lit polygon, at its middle."""
    for p in range(first, number):
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
def keep_truth(y, x0, x1, start, seen, depth, meta, ids_out, depth_out):
    """Object id and depth of a row's pixels, for grading; `start` is the row's first sample."""
    for x in range(x0, x1):
        p = seen[start + x]
        ids_out[y, x] = meta[p, M_ID] if p >= 0 else -1
        depth_out[y, x] = F4(1) / depth[start + x] if p >= 0 else F4(0)


@kernel
def draw(fixed, number, fresh, polygons, table, heap, shadows, ink, scratch, plate, out, ids_out, depth_out):
    """A frame from polygons on the screen: what stands still up to `fixed`, then what moves, up to `number`.

    `fresh` sees and shades what stands still; otherwise the plate has it already. `out` is (h, w) of 0x__BBGGRR.
    Returns the number of pixels that are covered by nothing that stands still.
    """
    height, width = out.shape
    bands = (height + BAND - 1) // BAND
    kept = plate.colour.shape[0] == height
    room_depth = plate.depth
    room_seen = plate.seen.reshape(-1)
    seen = scratch.seen.reshape(-1)
    truth = ids_out.shape[0] > 1
    meta = polygons.meta
    # Numbers of one type, since every call with a literal would be compiled on its own.
    zero = np.int64(0)
    everything = np.int64(-9)
    if fresh:
        choose_levels(zero, fixed, polygons, table)
        sort_into_bands(zero, fixed, polygons, scratch.bin_start, scratch.bin_items, height)
        plate.row_start[0] = 0
        plate.uncovered[0] = 0
    choose_levels(fixed, number, polygons, table)
    sort_into_bands(fixed, number, polygons, scratch.moving_start, scratch.moving_items, height)
    for band in range(bands):
        top = band * BAND
        bottom = min(top + BAND, height)
        sub_rows = (bottom - top) * 4
        base = top * 4 if kept else 0
        if fresh:
            clear(base * width, (base + sub_rows) * width, room_depth, room_seen)
            visibility(
                top, sub_rows, width, scratch.bin_start[band], scratch.bin_start[band + 1], scratch.bin_items, polygons,
                base * width, room_depth, room_seen,
            )  # fmt: skip
        q0 = scratch.moving_start[band]
        q1 = scratch.moving_start[band + 1]
        x0 = 0
        x1 = 0
        if kept:
            x0, x1 = reach(width, q0, q1, scratch.moving_items, polygons)
        else:  # nothing to keep apart: what moves is seen and shaded together with the rest
            visibility(top, sub_rows, width, q0, q1, scratch.moving_items, polygons, zero, room_depth, room_seen)
        if x0 < x1:
            lift(sub_rows, width, x0, x1, base * width, room_depth, room_seen, scratch.depth, seen)
            visibility(top, sub_rows, width, q0, q1, scratch.moving_items, polygons, zero, scratch.depth, seen)
        for y in range(top, bottom):
            r = (y - top) * 4
            a0 = plate.seen[base + r]
            a1 = plate.seen[base + r + 1]
            a2 = plate.seen[base + r + 2]
            a3 = plate.seen[base + r + 3]
            row = out[y]
            clean = plate.clean[y] if kept else row
            if fresh:
                n, missed = shade_row(
                    y, zero, width, everything, a0, a1, a2, a3, polygons, table, heap, ink, scratch, clean, clean,
                )  # fmt: skip
                keep_stretches(y, n, a0, a1, a2, a3, meta, scratch.runs, plate)
                plate.uncovered[0] += missed
            if kept:
                ready = clean if fresh else plate.colour[y]
                for x in range(width):
                    row[x] = ready[x]
            if shadows.strength > 0:
                shadow_row(y, polygons, shadows, plate, clean, row)
            if x0 < x1:
                b0 = scratch.seen[r]
                b1 = scratch.seen[r + 1]
                b2 = scratch.seen[r + 2]
                b3 = scratch.seen[r + 3]
                shade_row(
                    y, x0, x1, fixed, b0, b1, b2, b3, polygons, table, heap, ink, scratch, scratch.colour,
                    row,
                )  # fmt: skip
            if truth:
                keep_truth(y, zero, width, (base + r + 2) * width, room_seen, room_depth, meta, ids_out, depth_out)
                if x0 < x1:
                    keep_truth(y, x0, x1, (r + 2) * width, seen, scratch.depth, meta, ids_out, depth_out)
    return plate.uncovered[0]
