"""How a state shows on any thing whose own parts do not show it: dirt, water, a break, a cover, a load, a ribbon.

Each overlay takes a shape and a strength and gives the shape with it. Order matters: surfaces first, then what lies
on or around the thing, then how the whole thing stands.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from storyengine.previz.looks import Colour
from storyengine.previz.props import finish
from storyengine.previz.props.cut import between, halves
from storyengine.previz.props.kit import GOLD, IRON, RED, WATER, WOOD, Draft, at, bar, drum, lumps, shade, slab
from storyengine.previz.props.model import Part, Shape
from storyengine.previz.render import Mesh, composed, merged, placement, shapes
from storyengine.previz.render.values import Floats, Vec3

Overlay = Callable[[Shape, float, Draft], Shape]


def _bounds(shape: Shape) -> tuple[Floats, Floats]:
    points = [p.mesh.vertices @ p.matrix[:, :3].T + p.matrix[:, 3] for p in shape.parts]
    every = np.vstack(points)
    return every.min(axis=0), every.max(axis=0)


def _level(strength: float) -> int:
    """Surfaces change in four steps, so that a moving state needs few meshes."""
    return max(1, min(4, round(strength * 4)))


def _coated(shape: Shape, draft: Draft, name: str, coat: Callable[[Mesh], Mesh]) -> Shape:
    parts = []
    for part in shape.parts:
        if part.glow > 0.5:
            parts.append(part)
            continue
        mesh = draft.mesh(f"{name} {part.name}", partial(coat, part.mesh))
        parts.append(replace(part, mesh=mesh))
    return replace(shape, parts=tuple(parts))


def dirty(shape: Shape, strength: float, draft: Draft) -> Shape:
    level = _level(strength)
    out = _coated(shape, draft, f"dirty {level}", lambda mesh: mesh.textured(finish.dirt(level)))
    low, high = _bounds(shape)
    x, y = float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2
    spread = (float(high[0] - low[0]) * 1.1, float(high[1] - low[1]) * 1.1)
    crumbs = draft.mesh(f"crumbs {level}", lambda: lumps(6 * level, 0.03 * max(spread), spread, (0.36, 0.27, 0.18), 2))
    return out.with_parts(Part("crumbs", crumbs, placement((x, y, float(low[2])))))


def wet(shape: Shape, strength: float, draft: Draft) -> Shape:
    """Streaks, drops and a puddle."""
    level = _level(strength)

    def soak(mesh: Mesh) -> Mesh:
        darker = replace(mesh, colours=mesh.colours * (1 - 0.22 * strength))
        return darker.textured(finish.water(level))

    out = _coated(shape, draft, f"wet {level}", soak)
    low, high = _bounds(shape)
    middle = (low + high) / 2
    radius = 0.62 * float(max(high[0] - low[0], high[1] - low[1]))
    puddle = draft.mesh("puddle", lambda: shapes.lathe([(0, 0.0), (1.0, 0.0), (0.96, 0.02), (0, 0.02)], WATER, 28))
    pose = placement((float(middle[0]), float(middle[1]), float(low[2])), scale=(radius, radius * 0.8, 0.35))
    return out.with_parts(Part("puddle", puddle, pose))


def _break(low: Floats, size: Floats) -> tuple[int, Floats, Floats]:
    """Where a thing breaks: along which axis, at which point, and the normal of the slanting cut."""
    axis = int(np.argmax(size))
    normal = np.array([0.25, 0.0, 1.0]) if axis == 2 else np.eye(3)[axis] + np.array([0.0, 0.0, 0.3])
    return axis, low + size * np.array([0.5, 0.5, 0.52]), normal / np.linalg.norm(normal)


def _as_one(shape: Shape, size: Floats) -> tuple[Mesh, str]:
    """All parts as one mesh, and a name for it."""
    whole = merged([part.mesh.moved(part.matrix) for part in shape.parts])
    return whole, f"{[part.name for part in shape.parts]} {np.round(size, 2).tolist()}"


def broken(shape: Shape, strength: float, draft: Draft) -> Shape:
    """Cut in two along a slant; the upper piece slides off and leans, shards lie about."""
    low, high = _bounds(shape)
    size = high - low
    axis, point, normal = _break(low, size)
    whole, key = _as_one(shape, size)
    lower = draft.mesh(f"lower {key}", lambda: halves(whole, point, normal)[1])
    upper = draft.mesh(f"upper {key}", lambda: halves(whole, point, normal)[0])
    middle = tuple(float(c) for c in point)
    slide: Vec3 = (
        middle[0] + float(size[0]) * 0.16 * strength,
        middle[1],
        middle[2] - float(size[2]) * 0.04 * strength,
    )
    if axis != 2:
        slide = (middle[0] + float(size[0]) * 0.09 * strength, middle[1] + float(size[1]) * 0.03, middle[2])
    tilt = placement(slide, roll=(24.0 if axis == 2 else 0.0) * strength, yaw=(0.0 if axis == 2 else 28.0) * strength)
    pose = composed(tilt, placement((-middle[0], -middle[1], -middle[2])))
    spread = (float(size[0]) * 1.5 + 0.1, float(size[1]) * 1.4 + 0.1)
    shard = max(0.014, 0.035 * float(max(size)))
    shards = draft.mesh("shards", lambda: lumps(9, shard, spread, shade(draft.body, 0.8), 17, shard * 0.4))
    ground = placement((float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2, float(low[2])))
    parts = (Part("lower piece", lower, placement()), Part("upper piece", upper, pose), Part("shards", shards, ground))
    return replace(shape, parts=parts)


_SEAM, _RIBBON = 0.035, 0.09
"""Half the width of a mended seam, of the thing's length, and of a ribbon, of its height."""
_PROUD, _PROUDEST = 0.035, 0.007
"""How far a band stands out at least: of what it goes around, and in metres, so that it shows on a pole."""


def mended(shape: Shape, strength: float, draft: Draft) -> Shape:
    """A golden seam where it had been in two."""
    low, high = _bounds(shape)
    axis, point, normal = _break(low, high - low)
    return _banded(shape, draft, "seam", point, normal * _SEAM * float((high - low)[axis]), GOLD, strength)


def _banded(
    shape: Shape, draft: Draft, name: str, point: Floats, half: Floats, colour: Colour, strength: float = 1.0
) -> Shape:
    """With a band around it that follows its outline: a slice of it in another colour, a little larger."""
    low, high = _bounds(shape)
    whole, key = _as_one(shape, high - low)
    mesh = draft.mesh(f"{name} {colour} {key}", lambda: between(whole, point - half, point + half).painted(colour))
    first, last = mesh.bounds()
    x, y, z = (float(c) for c in (first + last) / 2)
    out = 1 + np.maximum(_PROUD, _PROUDEST * 2 / np.maximum(last - first, 0.01)) * strength
    pose = composed(placement((x, y, z), scale=tuple(out.tolist())), placement((-x, -y, -z)))
    return shape.with_parts(Part(name, mesh, pose))


def opened(shape: Shape, strength: float, draft: Draft) -> Shape:
    """A lid on top, swung back from a dark inside."""
    low, high = _bounds(shape)
    w, d = (float(x) for x in (high - low)[:2])
    size, thick = f"{w:.2f} {d:.2f}", max(0.008, 0.03 * min(w, d))  # families have lids of their own
    inside = draft.mesh(f"dark inside {size}", lambda: slab(w * 0.72, d * 0.72, thick * 0.6, (0.07, 0.06, 0.06), 0))
    lid = draft.mesh(f"swung lid {size}", lambda: at(slab(w * 0.8, d * 0.8, thick, shade(draft.body, 1.12)), y=d * 0.4))
    x, y, top = float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2, float(high[2])
    hinge = placement((x, y - d * 0.4, top), pitch=105 * strength)
    return shape.with_parts(Part("dark inside", inside, placement((x, y, top))), Part("lid", lid, hinge))


def covered(shape: Shape, strength: float, draft: Draft) -> Shape:
    """A canvas over it that leaves the foot free."""
    low, high = _bounds(shape)
    size = (high - low) * np.array([1.06, 1.06, 1.0]) + np.array([0.03, 0.03, 0.02])
    w, d, h = (float(x) for x in size)
    drop = h * 0.82 * strength

    def cloth() -> Mesh:
        top = slab(w, d, max(h * 0.06, 0.02), (0.70, 0.64, 0.50), min(w, d) * 0.06)
        folds, wave = [], 0.03 * min(w, d)
        for x0, y0, length, turn in ((0, d / 2, w, 0), (0, -d / 2, w, 0), (w / 2, 0, d, 90), (-w / 2, 0, d, 90)):
            sheet = shapes.sheet(
                length, drop, lambda u, v: wave * float(np.sin(u * 19)) * (1 - v), (0.66, 0.60, 0.46), (24, 4)
            )
            folds.append(at(at(sheet, pitch=90), x0, y0, -drop / 2 + h * 0.03, yaw=turn))
        return merged([top, *folds])

    mesh = draft.mesh(f"cover {round(w, 2)} {round(d, 2)} {round(drop, 2)}", cloth)
    pose = placement((float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2, float(high[2])))
    return shape.with_parts(Part("cover", mesh, pose))


def fastened(shape: Shape, strength: float, draft: Draft) -> Shape:
    """A cord around it with a red seal in front."""
    low, high = _bounds(shape)
    w, d, h = (float(x) for x in high - low)
    t = max(0.006, 0.016 * max(w, h))

    def cord() -> Mesh:
        x, y = w / 2 + t, d / 2 + t
        corners: list[Vec3] = [(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0), (-x, -y, 0)]
        around = [bar(a, b, t * 0.6, (0.88, 0.80, 0.60)) for a, b in pairwise(corners)]
        seal = at(shapes.cylinder(max(3.2 * t, 0.025), t, RED, 18, 0.003), y=y + t * 0.6, pitch=90)
        return merged([*around, seal])

    mesh = draft.mesh(f"cord {round(w, 2)} {round(d, 2)}", cord)
    x, y = float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2
    return shape.with_parts(Part("cord", mesh, placement((x, y, float(low[2]) + h * 0.62))))


def loaded(shape: Shape, strength: float, draft: Draft) -> Shape:
    """Parcels and a roll on its largest rest, or on top of it."""
    low, high = _bounds(shape)
    z, x0, y0, x1, y1 = float(high[2]), float(low[0]), float(low[1]), float(high[0]), float(high[1])
    if shape.rests:
        best = max(shape.rests, key=lambda r: (r.high[0] - r.low[0]) * (r.high[1] - r.low[1]))
        z, (x0, y0), (x1, y1) = best.z, best.low, best.high
    w, d = x1 - x0, y1 - y0
    unit = min(w, d, 0.5)

    def load() -> Mesh:
        tones = ((0.80, 0.66, 0.44), (0.46, 0.55, 0.58), (0.70, 0.42, 0.32))
        return merged(
            [
                at(slab(w * 0.42, unit * 0.6, unit * 0.5, tones[0]), -w * 0.22),
                at(slab(w * 0.3, unit * 0.5, unit * 0.32, tones[1]), w * 0.22),
                at(drum(unit * 0.17, unit * 0.36, tones[2]), w * 0.18, 0, unit * 0.32),
            ]
        )

    mesh = draft.mesh(f"load {round(w, 2)} {round(d, 2)}", load)
    return shape.with_parts(Part("load", mesh, placement(((x0 + x1) / 2, (y0 + y1) / 2, z), scale=max(strength, 0.05))))


def filled(shape: Shape, strength: float, draft: Draft) -> Shape:
    """Full of something that has no inside of its own: it is heaped on top."""
    low, high = _bounds(shape)
    w, d = float(high[0] - low[0]), float(high[1] - low[1])
    r = 0.13 * min(w, d)
    heap = draft.mesh(f"heap {draft.content}", lambda: lumps(26, r, (w * 0.7, d * 0.7), draft.content, 21))
    x, y = float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2
    return shape.with_parts(Part("heap", heap, placement((x, y, float(high[2])), scale=max(strength, 0.05))))


def lit(shape: Shape, strength: float, draft: Draft) -> Shape:
    """A small lamp on the front glows."""
    low, high = _bounds(shape)
    r = max(0.018, 0.05 * float(max(high - low)))
    bulb = draft.mesh(f"pilot {round(r, 3)}", lambda: shapes.sphere(r, (1.0, 0.82, 0.36), 12, 8))
    x, z = float(low[0] + high[0]) / 2, float(low[2] + (high[2] - low[2]) * 0.8)
    return shape.with_parts(Part("pilot lamp", bulb, placement((x, float(high[1]) + r * 0.4, z)), glow=strength))


def running(shape: Shape, strength: float, draft: Draft) -> Shape:
    """A machine at work: its lamp is green and steam rises."""
    low, high = _bounds(shape)
    r = max(0.02, 0.06 * float(max(high - low)))
    bulb = draft.mesh(f"green lamp {round(r, 3)}", lambda: shapes.sphere(r * 0.8, (0.45, 0.95, 0.45), 12, 8))
    puffs = draft.mesh(
        f"steam {round(r, 3)}",
        lambda: merged(
            [
                at(shapes.sphere(r * (0.8 + 0.35 * k), (0.94, 0.95, 0.96), 10, 7), r * 0.7 * k, 0, r * 1.9 * k)
                for k in range(4)
            ]
        ),
    )
    x, top = float(low[0] + high[0]) / 2, float(high[2])
    return shape.with_parts(
        Part("green lamp", bulb, placement((x, float(high[1]) + r * 0.3, top - r)), glow=strength),
        Part(
            "steam", puffs, placement((float(high[0]) * 0.4 + x * 0.6, float(low[1] + high[1]) / 2, top + r)), glow=0.25
        ),
    )


def pierced(shape: Shape, strength: float, draft: Draft) -> Shape:
    """A dark slot in the front."""
    low, high = _bounds(shape)
    w, h = float(high[0] - low[0]), float(high[2] - low[2])
    slot = draft.mesh("slot", lambda: slab(max(w * 0.12, 0.02), 0.01, max(h * 0.12, 0.02), (0.06, 0.05, 0.05), 0))
    x = float(low[0] + high[0]) / 2
    return shape.with_parts(Part("slot", slot, placement((x, float(high[1]) + 0.002, float(low[2]) + h * 0.48))))


def mark(shape: Shape, value: float, draft: Draft) -> Shape:
    """A ribbon in a colour of its own: some state that nobody has a picture for."""
    low, high = _bounds(shape)
    colour = colorsys.hsv_to_rgb(value, 0.72, 0.85)
    height = float((high - low)[2])
    point = low + (high - low) * np.array([0.5, 0.5, 0.52])
    half = np.array([0.0, 0.0, max(_RIBBON * height, 0.006)])
    return _banded(shape, draft, f"ribbon {value:.2f}", point, half, colour)


def tipped(shape: Shape, strength: float, draft: Draft) -> Shape:
    """Over on its side, resting on the ground."""
    return _turned_whole(shape, placement(roll=90 * strength))


def turned(shape: Shape, strength: float, draft: Draft) -> Shape:
    """Turned about the vertical."""
    return _turned_whole(shape, placement(yaw=65 * strength))


def across(shape: Shape, strength: float, draft: Draft) -> Shape:
    """Crosswise: a quarter turn."""
    return _turned_whole(shape, placement(yaw=90 * strength))


def raised(shape: Shape, strength: float, draft: Draft) -> Shape:
    """Up on two blocks."""
    low, high = _bounds(shape)
    w, d = float(high[0] - low[0]), float(high[1] - low[1])
    lift = 0.12 + 0.18 * float(high[2] - low[2])
    blocks = draft.mesh(
        "blocks", lambda: merged([at(slab(w * 0.18, d * 0.9, lift, WOOD), x) for x in (-w * 0.34, w * 0.34)])
    )
    up = placement((0, 0, lift * strength))
    parts = tuple(replace(p, matrix=composed(up, p.matrix)) for p in shape.parts)
    under = placement((0, float(low[1] + high[1]) / 2, float(low[2])), scale=(1, 1, max(strength, 0.02)))
    return replace(shape, parts=(*parts, Part("blocks", blocks, under)))


def hung(shape: Shape, strength: float, draft: Draft) -> Shape:
    """On a nail with a loop of cord."""
    low, high = _bounds(shape)
    loop = draft.mesh(
        "loop",
        lambda: merged(
            [
                at(shapes.torus(0.05, 0.006, (0.86, 0.78, 0.58), 18, 6), pitch=90),
                at(drum(0.012, 0.05, IRON), z=0.05, pitch=90),
            ]
        ),
    )
    x, y = float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2
    return shape.with_parts(Part("loop", loop, placement((x, y, float(high[2]) + 0.04))))


def _turned_whole(shape: Shape, turn: Floats) -> Shape:
    """Every part turned; then set down so that the lowest point keeps its height."""
    before = _bounds(shape)[0][2]
    moved = replace(shape, parts=tuple(replace(p, matrix=composed(turn, p.matrix)) for p in shape.parts))
    low, high = _bounds(moved)
    shift = placement((-float(low[0] + high[0]) / 2, -float(low[1] + high[1]) / 2, float(before - low[2])))
    return replace(moved, parts=tuple(replace(p, matrix=composed(shift, p.matrix)) for p in moved.parts))


OVERLAYS: dict[str, Overlay] = {
    "dirty": dirty,
    "wet": wet,
    "mended": mended,
    "open": opened,
    "loaded": loaded,
    "fill": filled,
    "lit": lit,
    "running": running,
    "pierced": pierced,
    "mark": mark,
    "fastened": fastened,
    "broken": broken,
    "covered": covered,
    "raised": raised,
    "turned": turned,
    "across": across,
    "tipped": tipped,
    "hung": hung,
}
"""In the order they are applied."""
