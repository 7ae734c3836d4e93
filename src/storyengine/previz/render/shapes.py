"""Primitives that props, garments and figures are built from.

Every function returns a `Mesh` centred on its natural origin (said in its docstring), z up, in metres, in one colour,
with smooth normals where the surface is smooth and texture coordinates that run once around or across it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from storyengine.previz.render.values import Colour, Floats, Mesh, merged

GREY: Colour = (0.6, 0.6, 0.6)


def box(size: tuple[float, float, float], colour: Colour = GREY, bevel: float = 0.0) -> Mesh:
    """A box around the origin. `bevel` cuts the edges by that many metres, which catches the light."""
    half = np.array(size, float) / 2
    cut = min(bevel, float(half.min()) * 0.9)
    if cut <= 0:
        return _box_faces(half, half, colour)
    return merged([_box_faces(half, half - cut, colour), *_bevel_strips(half, cut, colour)])


_SIDES = [(axis, sign) for axis in range(3) for sign in (-1.0, 1.0)]


def _side_frame(axis: int, sign: float) -> tuple[Floats, Floats, Floats]:
    """Normal, right and up of one side of a box, with right × up = normal."""
    normal = np.zeros(3)
    normal[axis] = sign
    up = np.array([0.0, 0.0, 1.0]) if axis != 2 else np.array([0.0, 1.0, 0.0])
    return normal, np.cross(up, normal), up


def _box_faces(half: Floats, inner: Floats, colour: Colour) -> Mesh:
    points, normals = [], []
    for axis, sign in _SIDES:
        normal, right, up = _side_frame(axis, sign)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            points.append(normal * half + a * right * inner + b * up * inner)
            normals.append(normal)
    uv = np.tile([(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)], (6, 1))
    return _mesh(points, normals, uv, np.arange(24).reshape(6, 4), colour, np.arange(6))


def _bevel_strips(half: Floats, cut: float, colour: Colour) -> list[Mesh]:
    """Twelve edge strips and eight corner triangles, one smooth group each."""
    points: list[Floats] = []
    faces: list[list[int]] = []
    inner = half - cut

    def corner(signs: Floats, axis: int) -> Floats:
        out = signs * inner
        out[axis] = signs[axis] * half[axis]
        return out

    for axis in range(3):
        a, b = (axis + 1) % 3, (axis + 2) % 3
        for sa in (-1.0, 1.0):
            for sb in (-1.0, 1.0):
                ends = []
                for along in (-1.0, 1.0):
                    signs = np.zeros(3)
                    signs[axis], signs[a], signs[b] = along, sa, sb
                    ends.append((corner(signs, a), corner(signs, b)))
                faces.append(list(range(len(points), len(points) + 4)))
                points += [ends[0][0], ends[1][0], ends[1][1], ends[0][1]]
    for sx in (-1.0, 1.0):
        for sy in (-1.0, 1.0):
            for sz in (-1.0, 1.0):
                signs = np.array([sx, sy, sz])
                faces.append([*range(len(points), len(points) + 3), -1])
                points += [corner(signs, 0), corner(signs, 1), corner(signs, 2)]
    return [_flat(np.array(points), faces, colour, outward_from=np.zeros(3))]


def lathe(
    profile: Sequence[tuple[float, float]], colour: Colour = GREY, segments: int = 24, crease: float = 40.0
) -> Mesh:
    """A profile of (radius, z) turned about the z axis, from bottom to top (outside on the right).

    Where the profile bends by more than `crease` degrees the edge stays sharp.
    """
    rings, groups = _profile_rings(profile, crease)
    points, normals, uv, faces, face_groups = [], [], [], [], []
    length = max(sum(math.dist(profile[i], profile[i + 1]) for i in range(len(profile) - 1)), 1e-9)
    stride = segments + 1
    angles = [2 * math.pi * j / segments for j in range(stride)]
    for radius, z, nr, nz, along in rings:
        for j, angle in enumerate(angles):
            points.append((radius * math.cos(angle), radius * math.sin(angle), z))
            normals.append((nr * math.cos(angle), nr * math.sin(angle), nz))
            uv.append((j / segments, 1 - along / length))
    for k in range(0, len(rings), 2):
        lower, upper = rings[k], rings[k + 1]
        for j in range(segments):
            a, b = k * stride + j, (k + 1) * stride + j
            if lower[0] < 1e-9:
                faces.append((a, b + 1, b, -1))
            elif upper[0] < 1e-9:
                faces.append((a, a + 1, b, -1))
            else:
                faces.append((a, a + 1, b + 1, b))
            face_groups.append(groups[k // 2])
    return _mesh(points, normals, uv, faces, colour, face_groups)


def _profile_rings(
    profile: Sequence[tuple[float, float]], crease: float
) -> tuple[list[tuple[float, float, float, float, float]], list[int]]:
    """Two rings (radius, z, normal r, normal z, distance along) per profile piece, and the piece's smooth group."""
    pieces = []
    for (r0, z0), (r1, z1) in pairwise(profile):
        size = math.hypot(r1 - r0, z1 - z0)
        if size > 1e-9:
            pieces.append(((r0, z0), (r1, z1), ((z1 - z0) / size, (r0 - r1) / size), size))
    rings: list[tuple[float, float, float, float, float]] = []
    groups: list[int] = []
    group, along = 0, 0.0
    limit = math.cos(math.radians(crease))
    for k, (low, high, normal, size) in enumerate(pieces):
        before = pieces[k - 1][2] if k else normal
        after = pieces[k + 1][2] if k + 1 < len(pieces) else normal
        if k and before[0] * normal[0] + before[1] * normal[1] < limit:
            group += 1
        rings.append((*low, *_smooth(normal, before, limit), along))
        along += size
        rings.append((*high, *_smooth(normal, after, limit), along))
        groups.append(group)
    return rings, groups


def _smooth(own: tuple[float, float], other: tuple[float, float], limit: float) -> tuple[float, float]:
    if own[0] * other[0] + own[1] * other[1] < limit:
        return own
    x, y = own[0] + other[0], own[1] + other[1]
    size = math.hypot(x, y)
    return x / size, y / size


def cylinder(radius: float, height: float, colour: Colour = GREY, segments: int = 24, bevel: float = 0.0) -> Mesh:
    """Around the z axis, centred on the origin."""
    z, cut = height / 2, min(bevel, radius * 0.5, height * 0.45)
    if cut <= 0:
        return lathe([(0, -z), (radius, -z), (radius, z), (0, z)], colour, segments)
    ends = [(0.0, -z), (radius - cut, -z), (radius, -z + cut), (radius, z - cut), (radius - cut, z), (0.0, z)]
    return lathe(ends, colour, segments)


def cone(bottom: float, top: float, height: float, colour: Colour = GREY, segments: int = 24) -> Mesh:
    """A cone or frustum around the z axis, centred on the origin; `top` may be 0."""
    z = height / 2
    return lathe([(0, -z), (bottom, -z), (top, z), (0, z)], colour, segments)


def ellipsoid(radii: tuple[float, float, float], colour: Colour = GREY, segments: int = 20, rings: int = 12) -> Mesh:
    """Around the origin. u runs around z from +x, v from the top down."""
    profile = [(math.sin(math.pi * i / rings), -math.cos(math.pi * i / rings)) for i in range(rings + 1)]
    profile[0], profile[-1] = (0.0, -1.0), (0.0, 1.0)
    unit = lathe(profile, colour, segments, crease=90.0)
    scale = np.zeros((3, 4))
    scale[:, :3] = np.diag(radii)
    return unit.moved(scale)


def sphere(radius: float, colour: Colour = GREY, segments: int = 20, rings: int = 12) -> Mesh:
    return ellipsoid((radius, radius, radius), colour, segments, rings)


def capsule(
    bottom: float, top: float, length: float, colour: Colour = GREY, segments: int = 16, rings: int = 5
) -> Mesh:
    """A limb along z from (0, 0, 0) to (0, 0, length): a tapered tube with round ends of the two radii."""
    low = [(bottom * math.sin(a), -bottom * math.cos(a)) for a in np.linspace(0, math.pi / 2, rings + 1)]
    high = [(top * math.cos(a), length + top * math.sin(a)) for a in np.linspace(0, math.pi / 2, rings + 1)]
    low[0], high[-1] = (0.0, low[0][1]), (0.0, high[-1][1])
    return lathe([*low, *high], colour, segments, crease=90.0)


def torus(radius: float, thickness: float, colour: Colour = GREY, segments: int = 28, sides: int = 10) -> Mesh:
    """A ring in the xy plane; `thickness` is the radius of its tube."""
    points, normals, uv, faces = [], [], [], []
    for i in range(segments + 1):
        a = 2 * math.pi * i / segments
        for j in range(sides + 1):
            b = 2 * math.pi * j / sides
            ring = radius + thickness * math.cos(b)
            points.append((ring * math.cos(a), ring * math.sin(a), thickness * math.sin(b)))
            normals.append((math.cos(b) * math.cos(a), math.cos(b) * math.sin(a), math.sin(b)))
            uv.append((i / segments, j / sides))
    stride = sides + 1
    for i in range(segments):
        for j in range(sides):
            a0, b0 = i * stride + j, (i + 1) * stride + j
            faces.append((a0, b0, b0 + 1, a0 + 1))
    return _mesh(points, normals, uv, faces, colour, np.zeros(len(faces)))


def extruded(outline: Sequence[tuple[float, float]], height: float, colour: Colour = GREY) -> Mesh:
    """A polygon in the xy plane (counter-clockwise, convex or not) standing from z = 0 to `height`."""
    shape = np.array(outline, float)
    if _area(shape) < 0:
        shape = shape[::-1]
    count = len(shape)
    triangles = _ears(shape)
    points = [(x, y, z) for z in (0.0, height) for x, y in shape]
    faces = [[c, b, a, -1] for a, b, c in triangles]
    faces += [[a + count, b + count, c + count, -1] for a, b, c in triangles]
    groups = [0] * len(triangles) + [1] * len(triangles)
    for k in range(count):
        nxt = (k + 1) % count
        faces.append([k, nxt, nxt + count, k + count])
        groups.append(2 + k)
    return _flat(np.array(points), faces, colour, groups=groups)


def tube(path: Sequence[tuple[float, float, float]], radius: float, colour: Colour = GREY, sides: int = 10) -> Mesh:
    """A round bar along a path: handles, rails, ropes, pipes. Ends are closed."""
    line = np.array(path, float)
    tangents = np.gradient(line, axis=0)
    tangents /= np.maximum(np.linalg.norm(tangents, axis=1, keepdims=True), 1e-12)
    side = _any_normal(tangents[0])
    points, normals, uv = [], [], []
    for k, (at, along) in enumerate(zip(line, tangents, strict=True)):
        side = side - along * (side @ along)
        side /= max(float(np.linalg.norm(side)), 1e-12)
        other = np.cross(along, side)
        for j in range(sides + 1):
            a = 2 * math.pi * j / sides
            normal = math.cos(a) * side + math.sin(a) * other
            points.append(at + radius * normal)
            normals.append(normal)
            uv.append((j / sides, k / max(len(line) - 1, 1)))
    stride = sides + 1
    faces: list[tuple[int, ...]] = []
    for k in range(len(line) - 1):
        for j in range(sides):
            a0, b0 = k * stride + j, (k + 1) * stride + j
            faces.append((a0, a0 + 1, b0 + 1, b0))
    for first, outward in ((0, -tangents[0]), ((len(line) - 1) * stride, tangents[-1])):
        start = len(points)
        points += [points[first + j] for j in range(sides)]
        normals += [outward] * sides
        uv += [(0.5, 0.5)] * sides
        fan = [(start, start + j, start + j + 1, -1) for j in range(1, sides - 1)]
        faces += fan if first else [(a, c, b, -1) for a, b, c, _ in fan]
    return _mesh(points, normals, uv, faces, colour, np.zeros(len(faces)))


def sheet(
    width: float,
    depth: float,
    height: Callable[[float, float], float] = lambda u, v: 0.0,
    colour: Colour = GREY,
    cells: tuple[int, int] = (16, 16),
) -> Mesh:
    """Cloth or paper over the xy plane, both sides visible; `height(u, v)` in 0…1 gives its folds."""
    nu, nv = cells
    us, vs = np.linspace(0, 1, nu + 1), np.linspace(0, 1, nv + 1)
    grid = np.array([[((u - 0.5) * width, (v - 0.5) * depth, height(float(u), float(v))) for u in us] for v in vs])
    normals = grid_normals(grid)
    uv = np.array([[(u, 1 - v) for u in us] for v in vs]).reshape(-1, 2)
    front = []
    for j in range(nv):
        for i in range(nu):
            a = j * (nu + 1) + i
            front.append((a, a + 1, a + nu + 2, a + nu + 1))
    points = grid.reshape(-1, 3)
    top = _mesh(points, normals.reshape(-1, 3), uv, front, colour, np.zeros(len(front)))
    back = [(d, c, b, a) for a, b, c, d in front]
    bottom = _mesh(points, -normals.reshape(-1, 3), uv, back, colour, np.zeros(len(back)))
    return merged([top, bottom])


def grid_normals(grid: Floats) -> Floats:
    """Normals of a surface through rows of points. Where it is pinched to a point it looks as the whole does."""
    normals = np.cross(np.gradient(grid, axis=1), np.gradient(grid, axis=0))
    length = np.linalg.norm(normals, axis=2)
    pinched = length < 1e-9
    normals[~pinched] /= length[~pinched][:, None]
    if pinched.any():
        mean = normals[~pinched].sum(axis=0)
        normals[pinched] = mean / np.linalg.norm(mean) if np.linalg.norm(mean) > 1e-6 else (0.0, 0.0, 1.0)
    return normals


def quad(width: float, height: float, colour: Colour = GREY) -> Mesh:
    """A card standing in the xz plane, seen from -y, upright; for labels, pages and dials."""
    x, z = width / 2, height / 2
    points = [(-x, 0, -z), (x, 0, -z), (x, 0, z), (-x, 0, z)]
    uv = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]
    return _mesh(points, [(0, -1, 0)] * 4, uv, [(0, 1, 2, 3)], colour, [0])


def _mesh(points: object, normals: object, uv: object, faces: object, colour: Colour, groups: object) -> Mesh:
    faces_array = np.array(faces, np.int64)
    return Mesh(
        vertices=np.array(points, float),
        normals=np.array(normals, float),
        uv=np.array(uv, float),
        faces=faces_array,
        colours=np.tile(np.array(colour, float), (len(faces_array), 1)),
        groups=np.array(groups, np.int64),
    )


def _flat(
    points: Floats,
    faces: Sequence[Sequence[int]],
    colour: Colour,
    groups: Sequence[int] | None = None,
    outward_from: Floats | None = None,
) -> Mesh:
    """Each face with vertices of its own, so that its edges stay sharp."""
    corners: list[Floats] = []
    normals, uv, out = [], [], []
    for face in faces:
        ring = [points[i] for i in face if i >= 0]
        normal = np.cross(ring[1] - ring[0], ring[2] - ring[0])
        if outward_from is not None and normal @ (ring[0] - outward_from) < 0:
            ring, normal = ring[::-1], -normal
        normal = normal / max(float(np.linalg.norm(normal)), 1e-12)
        right = _any_normal(normal)
        up = np.cross(normal, right)
        start = len(corners)
        out.append([*range(start, start + len(ring)), *([-1] * (4 - len(ring)))])
        corners += ring
        normals += [normal] * len(ring)
        uv += [(float(p @ right), float(p @ up)) for p in ring]
    return _mesh(corners, normals, uv, out, colour, groups if groups is not None else range(len(out)))


def _any_normal(direction: Floats) -> Floats:
    helper = np.array([0.0, 0.0, 1.0]) if abs(direction[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    out = np.cross(helper, direction)
    return np.asarray(out / np.linalg.norm(out))


def _area(shape: Floats) -> float:
    x, y = shape[:, 0], shape[:, 1]
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def _ears(shape: Floats) -> list[tuple[int, int, int]]:
    """Triangles of a simple counter-clockwise polygon, by cutting ears."""
    left = list(range(len(shape)))
    out: list[tuple[int, int, int]] = []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            if _turn(shape[a], shape[b], shape[c]) <= 1e-12:
                continue
            others = [shape[i] for i in left if i not in (a, b, c)]
            if any(_inside(p, shape[a], shape[b], shape[c]) for p in others):
                continue
            out.append((a, b, c))
            del left[k]
            break
        else:
            raise ValueError("the outline of an extruded shape crosses itself")
    if _turn(shape[left[0]], shape[left[1]], shape[left[2]]) < -1e-9:
        raise ValueError("the outline of an extruded shape crosses itself")
    out.append((left[0], left[1], left[2]))
    return out


def _turn(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _inside(p: Floats, a: Floats, b: Floats, c: Floats) -> bool:
    """Inside a triangle or on its rim: an ear must not even touch another corner."""
    return _turn(a, b, p) >= -1e-12 and _turn(b, c, p) >= -1e-12 and _turn(c, a, p) >= -1e-12
