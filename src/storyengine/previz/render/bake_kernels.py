"""Soft light by rays, once per room: lamps, windows, sun and sky, and one bounce off every surface.

Rays meet boxes (through a tree) and the room's flat surfaces. Samples are fixed low-discrepancy points turned by a
hash of the texel, so the same room always gets the same light.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: ANN001, ANN201, ANN202
import math
from typing import Any, NamedTuple

import numpy as np

from storyengine.media.kernel import inline_part, kernel, part

FAR = 1e9
TWO_PI = 6.283185307179586
LIFT = 0.004  # metres above a surface where its rays start
CONTACT = 0.22  # a bounce from nearer than this counts less: contact darkening

# Columns of the light table.
L_KIND, L_AT, L_U, L_V, L_NORMAL, L_COLOUR, L_SHADE = 0, 1, 4, 7, 10, 13, 16
LIGHT_COLUMNS = 17
LAMP, WINDOW, SUN = 0, 1, 2


class Rays(NamedTuple):
    """What rays meet, and what they bring back."""

    node_box: Any  # (n, 6) low and high corner
    node_skip: Any  # (n,) next node when this one is missed
    node_leaf: Any  # (n,) box number, or -1 inside the tree
    box_inverse: Any  # (b, 3, 4) world to the unit cube
    quad: Any  # (q, 12): corner, normal, u/|u|², v/|v|²
    exitance: Any  # (q + 6·b, 3) light leaving each face
    sky: Any  # (3, 3): zenith, horizon, ground radiance; zeros indoors
    lights: Any  # (l, LIGHT_COLUMNS)


@inline_part
def _enters(box, ox, oy, oz, ix, iy, iz, limit):
    """Whether a ray enters an upright box before `limit`."""
    a = (box[0] - ox) * ix
    b = (box[3] - ox) * ix
    near = min(a, b)
    far = max(a, b)
    a = (box[1] - oy) * iy
    b = (box[4] - oy) * iy
    near = max(near, min(a, b))
    far = min(far, max(a, b))
    a = (box[2] - oz) * iz
    b = (box[5] - oz) * iz
    near = max(near, min(a, b))
    far = min(far, max(a, b))
    return far >= near and far > 0.0 and near < limit


@part
def hit_box(inverse, b, ox, oy, oz, dx, dy, dz, limit):
    """Distance to a box and the side that is hit; distance -1 for a miss."""
    near = 1e-4
    far = limit
    side = -1
    for k in range(3):
        o = inverse[b, k, 0] * ox + inverse[b, k, 1] * oy + inverse[b, k, 2] * oz + inverse[b, k, 3]
        d = inverse[b, k, 0] * dx + inverse[b, k, 1] * dy + inverse[b, k, 2] * dz
        if abs(d) < 1e-12:
            if o < -0.5 or o > 0.5:
                return -1.0, -1
        else:
            t0 = (-0.5 - o) / d
            t1 = (0.5 - o) / d
            s = 2 * k
            if t0 > t1:
                t0, t1 = t1, t0
                s = 2 * k + 1
            if t0 > near:
                near = t0
                side = s
            far = min(far, t1)
            if near > far:
                return -1.0, -1
    if side < 0:
        return -1.0, -1
    return near, side


@inline_part
def _reciprocal(d):
    return 1.0 / d if abs(d) > 1e-12 else 1e12


@part
def blocked(rays, ox, oy, oz, dx, dy, dz, limit, own):
    """Whether a box stands in the way. `own` is a box to look through (-1: none)."""
    ix = _reciprocal(dx)
    iy = _reciprocal(dy)
    iz = _reciprocal(dz)
    i = 0
    while i < rays.node_skip.shape[0]:
        if not _enters(rays.node_box[i], ox, oy, oz, ix, iy, iz, limit):
            i = rays.node_skip[i]
            continue
        b = rays.node_leaf[i]
        if b >= 0 and b != own:
            t, _ = hit_box(rays.box_inverse, b, ox, oy, oz, dx, dy, dz, limit)
            if t > 0:
                return True
        i += 1
    return False


@part
def first_hit(rays, ox, oy, oz, dx, dy, dz, own):
    """Distance and face number of the first surface; face -1 is the sky."""
    best = FAR
    face = -1
    quads = rays.quad
    for q in range(quads.shape[0]):
        facing = dx * quads[q, 3] + dy * quads[q, 4] + dz * quads[q, 5]
        if facing >= -1e-9:
            continue
        rx = quads[q, 0] - ox
        ry = quads[q, 1] - oy
        rz = quads[q, 2] - oz
        t = (rx * quads[q, 3] + ry * quads[q, 4] + rz * quads[q, 5]) / facing
        if t < 1e-4 or t >= best:
            continue
        px = t * dx - rx
        py = t * dy - ry
        pz = t * dz - rz
        u = px * quads[q, 6] + py * quads[q, 7] + pz * quads[q, 8]
        v = px * quads[q, 9] + py * quads[q, 10] + pz * quads[q, 11]
        if u >= 0.0 and u <= 1.0 and v >= 0.0 and v <= 1.0:
            best = t
            face = q
    ix = _reciprocal(dx)
    iy = _reciprocal(dy)
    iz = _reciprocal(dz)
    i = 0
    while i < rays.node_skip.shape[0]:
        if not _enters(rays.node_box[i], ox, oy, oz, ix, iy, iz, best):
            i = rays.node_skip[i]
            continue
        b = rays.node_leaf[i]
        if b >= 0 and b != own:
            t, side = hit_box(rays.box_inverse, b, ox, oy, oz, dx, dy, dz, best)
            if t > 0 and t < best:
                best = t
                face = quads.shape[0] + 6 * b + side
        i += 1
    return best, face


@inline_part
def _sample_offset(s, turn):
    """The s-th low-discrepancy point of the unit square, turned."""
    return (s * 0.7548776662466927 + turn) % 1.0, (s * 0.5698402909980532 + turn * 7.13) % 1.0


@kernel
def light_point(light, a, b, px, py, pz, out):
    """A point of a light, seen from p: direction in out[0:3], distance in out[3], strength in out[4]."""
    kind = int(light[L_KIND])
    if kind == SUN:
        r = light[L_SHADE] * math.sqrt(a)
        th = TWO_PI * b
        for k in range(3):
            out[k] = light[L_AT + k] + r * (math.cos(th) * light[L_U + k] + math.sin(th) * light[L_V + k])
        n = 1.0 / math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2])
        for k in range(3):
            out[k] *= n
        out[3] = FAR
        out[4] = 1.0
        return
    p = (px, py, pz)
    squared = 0.0
    if kind == LAMP:
        r = math.sqrt(a)
        th = TWO_PI * b
        u = r * math.cos(th)
        v = r * math.sin(th)
    else:
        u = a
        v = b
    for k in range(3):
        out[k] = light[L_AT + k] + u * light[L_U + k] + v * light[L_V + k] - p[k]
        squared += out[k] * out[k]
    distance = math.sqrt(squared)
    for k in range(3):
        out[k] /= distance
    out[3] = distance
    if kind == LAMP:
        shade = light[L_SHADE]
        out[4] = (1.0 - shade + shade * max(out[2], 0.0)) / (0.35 + squared)
    else:
        facing = -(out[0] * light[L_NORMAL] + out[1] * light[L_NORMAL + 1] + out[2] * light[L_NORMAL + 2])
        out[4] = max(facing, 0.0) / (0.25 + squared)


@part
def direct(rays, number, px, py, pz, nx, ny, nz, turn, samples, own, out):
    """Light of one source on a point with a normal, shadows included (without its colour)."""
    light = rays.lights[number]
    total = 0.0
    for s in range(samples):
        a, b = _sample_offset(s, turn + 0.31 * number)
        light_point(light, a, b, px, py, pz, out)
        c = out[0] * nx + out[1] * ny + out[2] * nz
        if c <= 0.0 or out[4] <= 0.0:
            continue
        if not blocked(rays, px, py, pz, out[0], out[1], out[2], out[3] - 0.05, own):
            total += c * out[4]
    return total / samples


@part
def radiance(rays, ox, oy, oz, dx, dy, dz, own, out):
    """Light coming along a ray: what the first surface sends back, or the sky."""
    t, face = first_hit(rays, ox, oy, oz, dx, dy, dz, own)
    if face >= 0:
        k = t / (t + CONTACT)
        for c in range(3):
            out[c] = rays.exitance[face, c] * k
        return
    up = abs(dz)
    other = 0 if dz > 0 else 2
    for c in range(3):
        out[c] = rays.sky[1, c] + (rays.sky[other, c] - rays.sky[1, c]) * math.sqrt(up)


@part
def bounced(rays, px, py, pz, nx, ny, nz, turn, samples, own, work, out):
    """Light from all around on a point with a normal, by cosine-weighted rays."""
    if abs(nz) < 0.9:
        tx, ty, tz = ny, -nx, 0.0
    else:
        tx, ty, tz = 0.0, nz, -ny
    n = 1.0 / math.sqrt(tx * tx + ty * ty + tz * tz)
    tx *= n
    ty *= n
    tz *= n
    bx = ny * tz - nz * ty
    by = nz * tx - nx * tz
    bz = nx * ty - ny * tx
    for c in range(3):
        out[c] = 0.0
    for s in range(samples):
        a = (s + 0.5) / samples
        th = TWO_PI * ((s * 0.6180339887498949 + turn) % 1.0)
        r = math.sqrt(a)
        z = math.sqrt(1.0 - a)
        u = r * math.cos(th)
        v = r * math.sin(th)
        radiance(
            rays, px, py, pz, tx * u + bx * v + nx * z, ty * u + by * v + ny * z, tz * u + bz * v + nz * z, own, work
        )
        for c in range(3):
            out[c] += work[c]
    for c in range(3):
        out[c] /= samples


@part
def light_at(rays, key, px, py, pz, nx, ny, nz, turn, direct_samples, bounce_samples, own, work, out):
    """All light on a point: rgb, and the key light's share of it in out[3]."""
    for c in range(4):
        out[c] = 0.0
    key_part = 0.0
    for number in range(rays.lights.shape[0]):
        e = direct(rays, number, px, py, pz, nx, ny, nz, turn, direct_samples, own, work)
        for c in range(3):
            out[c] += e * rays.lights[number, L_COLOUR + c]
        if number == key:
            key_part = e * rays.lights[number, L_COLOUR + 1]
    if bounce_samples > 0:
        bounced(rays, px, py, pz, nx, ny, nz, turn, bounce_samples, own, work, work[5:])
        for c in range(3):
            out[c] += work[5 + c]
    out[3] = key_part / out[1] if out[1] > 1e-9 else 0.0


@part
def _turn_of(i, j, seed):
    return (((i * 73856093) ^ (j * 19349663) ^ (seed * 83492791)) & 0xFFFF) / 65536.0


@kernel
def bake_surface(rays, key, corner, u, v, normal, seed, direct_samples, bounce_samples, out):
    """Light map (h, w, 4) of a flat surface; row 0 is at its corner."""
    height, width, _ = out.shape
    work = np.zeros(16)
    one = np.zeros(4)
    nobody = np.int64(-1)
    for j in range(height):
        for i in range(width):
            a = (i + 0.5) / width
            b = (j + 0.5) / height
            px = corner[0] + a * u[0] + b * v[0] + normal[0] * LIFT
            py = corner[1] + a * u[1] + b * v[1] + normal[1] * LIFT
            pz = corner[2] + a * u[2] + b * v[2] + normal[2] * LIFT
            turn = _turn_of(i, j, seed)
            light_at(
                rays, key, px, py, pz, normal[0], normal[1], normal[2], turn,
                direct_samples, bounce_samples, nobody, work, one,
            )  # fmt: skip
            for c in range(4):
                out[j, i, c] = one[c]


@kernel
def bake_vertices(rays, key, points, normals, own, direct_samples, bounce_samples, out):
    """Light (n, 3) on the vertices of a fixed fitting."""
    work = np.zeros(16)
    one = np.zeros(4)
    for i in range(points.shape[0]):
        nx = normals[i, 0]
        ny = normals[i, 1]
        nz = normals[i, 2]
        light_at(
            rays, key, points[i, 0] + nx * 0.01, points[i, 1] + ny * 0.01, points[i, 2] + nz * 0.01, nx, ny, nz,
            0.37, direct_samples, bounce_samples, own, work, one,
        )  # fmt: skip
        for c in range(3):
            out[i, c] = one[c]


@kernel
def bake_probes(rays, key, low, step, samples, light_samples, out):
    """Light for things that move, on a grid (nx, ny, nz, 13).

    Per channel four numbers, so that the light on a normal n is a + b·n; the last number is how much of the key
    light reaches the place (its own light is left out of the rest, because it is added with its exact direction).
    """
    work = np.zeros(16)
    for x in range(out.shape[0]):
        for y in range(out.shape[1]):
            for z in range(out.shape[2]):
                px = low[0] + x * step[0]
                py = low[1] + y * step[1]
                pz = low[2] + z * step[2]
                for c in range(13):
                    out[x, y, z, c] = 0.0
                for s in range(samples):
                    dz = 1.0 - 2.0 * (s + 0.5) / samples
                    r = math.sqrt(1.0 - dz * dz)
                    th = TWO_PI * ((s * 0.6180339887498949) % 1.0)
                    dx = r * math.cos(th)
                    dy = r * math.sin(th)
                    radiance(rays, px, py, pz, dx, dy, dz, -1, work)
                    for c in range(3):
                        e = work[c] / samples
                        out[x, y, z, 4 * c] += e
                        out[x, y, z, 4 * c + 1] += 2.0 * e * dx
                        out[x, y, z, 4 * c + 2] += 2.0 * e * dy
                        out[x, y, z, 4 * c + 3] += 2.0 * e * dz
                for number in range(rays.lights.shape[0]):
                    _probe_light(rays, number, number == key, px, py, pz, light_samples, work, out[x, y, z])


@part
def _probe_light(rays, number, is_key, px, py, pz, samples, work, out):
    """Add one light to a probe: a direction with a soft half-way wrap, or the key's visibility."""
    for s in range(samples):
        a, b = _sample_offset(s, 0.17)
        light_point(rays.lights[number], a, b, px, py, pz, work)
        if work[4] <= 0.0 or blocked(rays, px, py, pz, work[0], work[1], work[2], work[3] - 0.05, -1):
            continue
        if is_key:
            out[12] += 1.0 / samples
            continue
        for c in range(3):
            e = work[4] * rays.lights[number, L_COLOUR + c] / samples
            out[4 * c] += 0.32 * e
            for k in range(3):
                out[4 * c + 1 + k] += 0.55 * e * work[k]


# ------------------------------------------------------------------------------------- light into the texture

TONE_STEPS = 4096
TONE_TOP = 4.0  # brightest linear value the tone curve tells apart


HUE = 0.30  # how far a tile's hue channel turns a colour to warm or cold


@kernel
def compose(
    tile, ox, oy, mixed, first, second, mottle, strength, linear, light, lx, ly, lw, lh, tone, glow, balance, out
):  # fmt: skip
    """Packed texels (h, w): tone(albedo × light), with the key light's share in the top byte.

    `tile` repeats from (ox, oy). `mixed` tiles hold amount, shade and hue of two linear colours, others sRGB; only they
    get the place's `mottle`, which is shifted against the tile so that no two surfaces agree. `light` is the whole
    surface's map, of which this panel covers the part from (lx, ly), lw × lh in cells.
    """
    height, width = out.shape
    th, tw, _ = tile.shape
    mh, mw, _ = light.shape
    row = np.empty((mw, 4), np.float32)
    albedo = np.empty(3, np.float32)
    scale = np.float32((TONE_STEPS - 1) / TONE_TOP)
    for j in range(height):
        y = min(max(ly + (height - 1 - j + 0.5) / height * lh - 0.5, 0.0), mh - 1.0)
        y0 = min(int(y), max(mh - 2, 0))
        y1 = min(y0 + 1, mh - 1)
        fy = np.float32(y - y0)
        for m in range(mw):
            for c in range(4):
                row[m, c] = light[y0, m, c] + (light[y1, m, c] - light[y0, m, c]) * fy
        ay = (oy + j) % th
        ax = ox % tw
        my = (oy * 3 + j) % mottle.shape[0]
        mx = ox * 5 % mottle.shape[1]
        for i in range(width):
            x = np.float32(min(max(lx + (i + 0.5) / width * lw - 0.5, 0.0), mw - 1.0))
            x0 = min(int(x), max(mw - 2, 0))
            x1 = min(x0 + 1, mw - 1)
            fx = x - np.float32(x0)
            if mixed:
                amount = np.float32(tile[ay, ax, 0]) * np.float32(1 / 255)
                shade = np.float32(tile[ay, ax, 1]) * np.float32(1 / 128)
                shade *= np.float32(1) + strength * (np.float32(mottle[my, mx]) - np.float32(128))
                shade *= shade
                lean = (np.float32(tile[ay, ax, 2]) - np.float32(128)) * np.float32(HUE / 127)
                for c in range(3):
                    albedo[c] = (first[c] + (second[c] - first[c]) * amount) * shade
                albedo[0] *= np.float32(1) + lean
                albedo[2] *= np.float32(1) - lean
            else:
                for c in range(3):
                    albedo[c] = linear[tile[ay, ax, c]]
            ax += 1
            if ax == tw:
                ax = 0
            mx += 1
            if mx == mottle.shape[1]:
                mx = 0
            share = row[x0, 3] + (row[x1, 3] - row[x0, 3]) * fx
            packed = np.uint32(np.uint32(share * np.float32(255)) << np.uint32(24))
            for c in range(3):
                here = row[x0, c] + (row[x1, c] - row[x0, c]) * fx
                k = min(int(albedo[c] * (here * balance[c] + glow) * scale), TONE_STEPS - 1)
                packed = np.uint32(packed | np.uint32(np.uint32(tone[k]) << np.uint32(8 * c)))
            out[j, i] = packed
