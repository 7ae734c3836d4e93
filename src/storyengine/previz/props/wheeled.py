"""Things on wheels and on water. Wheels are parts of their own, so that they can turn."""

from __future__ import annotations

import math

import numpy as np

from storyengine.previz.props.kit import (
    CREAM,
    IRON,
    RUBBER,
    STEEL,
    WOOD,
    Draft,
    at,
    bar,
    bent,
    drum,
    lumps,
    shade,
    slab,
    tray_box,
    wheel_disc,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, composed, merged, placement, shapes
from storyengine.previz.render.values import Floats


def _wheels(
    d: Draft,
    radius: float,
    width: float,
    places: tuple[tuple[float, float], ...],
    spin: float,
    whole: Floats | None = None,
) -> None:
    for k, (x, y) in enumerate(places):
        pose = placement((x, y, radius), pitch=-spin)
        d.add(
            f"wheel {k}",
            lambda: wheel_disc(radius, width, d.accent, shade(d.accent, 0.7)),
            pose if whole is None else composed(whole, pose),
        )


@family((0.65, 1.45, 0.75), axes=("loaded", "fill", "tipped"), accent=RUBBER, carry="push")
def barrow(d: Draft, s: Axes) -> None:
    """A wheelbarrow: tray, one wheel in front (+y), two handles behind; tipped, it stands on its nose."""
    tip = s.get("tipped", 0.0)
    whole = placement((0, 0.35 * tip, 0.0), pitch=-62 * tip)

    def tray() -> Mesh:
        out = []
        low, high = (0.2, 0.4), (0.31, 0.55)
        for sx in (-1, 1):
            out.append(
                _board(
                    [
                        (sx * low[0], -0.32, 0.32),
                        (sx * low[0], 0.22, 0.32),
                        (sx * high[0], 0.42, 0.62),
                        (sx * high[0], -0.42, 0.62),
                    ],
                    d.body,
                )
            )
        for y0, y1 in ((-0.32, -0.42), (0.22, 0.42)):
            out.append(
                _board([(-low[0], y0, 0.32), (low[0], y0, 0.32), (high[0], y1, 0.62), (-high[0], y1, 0.62)], d.body)
            )
        out.append(
            _board(
                [(-low[0], -0.32, 0.32), (low[0], -0.32, 0.32), (low[0], 0.22, 0.32), (-low[0], 0.22, 0.32)],
                shade(d.body, 0.8),
            )
        )
        return merged(out)

    d.add("tray", lambda: d.own(tray()), whole)
    d.add(
        "frame",
        lambda: merged(
            [bar((x, -0.85, 0.62), (x * 0.75, 0.2, 0.32), 0.022, WOOD) for x in (-0.27, 0.27)]
            + [bar((x * 0.75, 0.2, 0.32), (x * 0.25, 0.55, 0.2), 0.02, WOOD) for x in (-0.27, 0.27)]
            + [bar((x, -0.3, 0.35), (x, -0.36, 0), 0.02, IRON) for x in (-0.22, 0.22)]
        ),
        whole,
    )
    _wheels(d, 0.2, 0.07, ((0.0, 0.55),), 0.0, whole)
    d.add(
        "grips",
        lambda: merged(
            [bar((x, -0.88, 0.63), (x * 0.98, -0.74, 0.59), 0.03, (0.15, 0.15, 0.15)) for x in (-0.275, 0.275)]
        ),
        whole,
    )
    load = max(s.get("loaded", 0.0), s.get("fill", 0.0))
    if load > 0.05 and tip < 0.5:
        d.add(
            f"heap {d.content}",
            lambda: merged(
                [
                    at(shapes.ellipsoid((0.27, 0.38, 0.2), d.content), z=0.56),
                    lumps(30, 0.05, (0.42, 0.6), d.content, 3, 0.68),
                ]
            ),
            placement((0, 0, -0.28 * (1 - load))),
        )
    d.rest("tray", 0.34, 0.36, 0.5, y=-0.05)
    d.room((-0.2, -0.32, 0.33), (0.2, 0.22, 0.62))
    for x in (-0.275, 0.275):
        d.grip((x, -0.82, 0.61), (0, 1, 0), (0, 0, 1))


def _board(corners: list[tuple[float, float, float]], colour: tuple[float, float, float]) -> Mesh:
    """A thin plate through four points, seen from both sides."""
    points = np.array(corners, float)
    normal = np.cross(points[1] - points[0], points[2] - points[0])
    normal /= np.linalg.norm(normal)
    uv = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], float)
    both = np.vstack([points, points])
    normals = np.vstack([np.tile(normal, (4, 1)), np.tile(-normal, (4, 1))])
    faces = np.array([(0, 1, 2, 3), (7, 6, 5, 4)], np.int64)
    return Mesh(
        both, normals, np.vstack([uv, uv]), faces, np.tile(np.array(colour), (2, 1)), np.array([0, 1], np.int64)
    )


@family((0.63, 1.5, 0.62), axes=("loaded", "tipped"), accent=RUBBER, carry="push")
def truck(d: Draft, s: Axes) -> None:
    """A sack barrow: an upright ladder frame with a toe plate and two wheels.

    Level, it lies back on wheels and legs; standing on end (`tipped`) it stands upright on its plate.
    """
    up = s.get("tipped", 0.0)
    whole = placement((0, 0.45 * (1 - up), 0.162 * (1 - up)), pitch=66 * (1 - up))
    d.add(
        "frame",
        lambda: d.own(
            merged(
                [bar((x, 0, 0.03), (x, 0, 1.2), 0.024, d.body) for x in (-0.2, 0.2)]
                + [bar((-0.2, 0, z), (0.2, 0, z), 0.018, d.body) for z in (0.3, 0.55, 0.8, 1.05)]
                + [at(slab(0.5, 0.28, 0.025, d.body, 0.005), y=0.12)]
                + [bent([(x, 0, 1.18), (x, -0.04, 1.26), (x, -0.14, 1.32)], 0.026, d.body) for x in (-0.2, 0.2)]
            )
        ),
        whole,
    )
    for k, x in enumerate((-0.27, 0.27)):
        d.add(
            f"wheel {k}", lambda: wheel_disc(0.15, 0.06, d.accent, STEEL), composed(whole, placement((x, -0.08, 0.15)))
        )
    d.add(
        "grips",
        lambda: merged([bar((x, -0.1, 1.3), (x, -0.2, 1.34), 0.032, (0.16, 0.16, 0.16)) for x in (-0.2, 0.2)]),
        whole,
    )
    if up < 0.5:
        d.add("leg", lambda: merged([bar((x, -0.37, 0.52), (x, -0.4, 0.0), 0.018, IRON) for x in (-0.19, 0.19)]))
    if s.get("loaded", 0.0) > 0.3:
        d.add(
            "load",
            lambda: merged(
                [
                    at(slab(0.42, 0.3, 0.5, (0.78, 0.66, 0.46), 0.06), y=0.17, z=0.03),
                    at(slab(0.38, 0.26, 0.3, (0.70, 0.56, 0.38), 0.05), y=0.16, z=0.53),
                ]
            ),
            whole,
        )
    if up >= 0.5:
        d.rest("plate", 0.03, 0.44, 0.24, y=0.14)
        d.grip((-0.2, -0.15, 1.32), (0, 1, 0), (0, 0, 1))
        d.grip((0.2, -0.15, 1.32), (0, 1, 0), (0, 0, 1))
    else:
        d.rest("frame", 0.42, 0.38, 0.7, y=-0.1)
        d.grip((-0.2, -0.82, 0.56), (0, 1, -0.4), (0, 0, 1))
        d.grip((0.2, -0.82, 0.56), (0, 1, -0.4), (0, 0, 1))


@family((0.6, 0.95, 0.95), axes=("loaded",), accent=RUBBER, carry="push")
def trolley(d: Draft, s: Axes) -> None:
    """Two decks on four castors with a push bar behind (-y)."""
    d.add("decks", lambda: d.own(merged([slab(0.58, 0.9, 0.04, d.body, 0.01, z) for z in (0.2, 0.66)])))
    d.add(
        "posts",
        lambda: merged(
            [bar((x, y, 0.12), (x, y, 0.68), 0.018, STEEL) for x in (-0.26, 0.26) for y in (-0.42, 0.42)]
            + [
                bent(
                    [(-0.26, -0.43, 0.66), (-0.26, -0.52, 0.92), (0.26, -0.52, 0.92), (0.26, -0.43, 0.66)], 0.018, STEEL
                )
            ]
        ),
    )
    for k, (x, y) in enumerate(((-0.25, -0.38), (0.25, -0.38), (-0.25, 0.38), (0.25, 0.38))):
        d.add(f"wheel {k}", lambda: wheel_disc(0.085, 0.04, d.accent, STEEL, 4), placement((x, y, 0.085)))
    if s.get("loaded", 0.0) > 0.3:
        d.add(
            "load",
            lambda: merged(
                [
                    at(slab(0.4, 0.34, 0.26, (0.79, 0.66, 0.45)), -0.04, 0.2, 0.7),
                    at(slab(0.3, 0.3, 0.2, (0.5, 0.56, 0.5)), 0.08, -0.2, 0.7),
                    at(drum(0.1, 0.3, (0.7, 0.4, 0.3)), 0.1, 0.1, 0.24),
                ]
            ),
        )
    d.rest("top", 0.7, 0.52, 0.84)
    d.rest("lower", 0.24, 0.5, 0.8)
    for x in (-0.15, 0.15):
        d.grip((x, -0.53, 0.92), (1, 0, 0), (0, 0, 1))


@family((0.95, 1.7, 0.9), axes=("loaded", "fill", "tipped"), accent=IRON, surface="wood", carry="push")
def cart(d: Draft, s: Axes) -> None:
    """A two-wheeled box cart with big spoked wheels and two shafts behind; tipped, it empties forwards."""
    tip = s.get("tipped", 0.0)
    whole = placement((0, 0.05, 0.32), pitch=-24 * tip)
    d.add("box", lambda: d.own(at(tray_box(0.7, 1.1, 0.36, 0.035, d.body), z=0.12)), whole)
    d.add(
        "shafts",
        lambda: d.of(
            "wood",
            merged(
                [bar((x, 0.3, 0.12), (x, -1.1, 0.3), 0.025, WOOD) for x in (-0.3, 0.3)]
                + [bar((-0.3, -1.08, 0.3), (0.3, -1.08, 0.3), 0.022, WOOD)]
            ),
        ),
        whole,
    )
    for k, x in enumerate((-0.42, 0.42)):
        d.add(
            f"wheel {k}",
            lambda: wheel_disc(0.36, 0.06, d.accent, shade(d.accent, 0.75), 10),
            placement((x, 0.05, 0.36)),
        )
    load = max(s.get("loaded", 0.0), s.get("fill", 0.0))
    if load > 0.05:
        d.add(
            f"heap {d.content}",
            lambda: merged(
                [at(slab(0.62, 1.0, 0.26, d.content, 0), z=0.15), lumps(50, 0.07, (0.56, 0.9), d.content, 5, 0.45)]
            ),
            whole,
        )
    d.rest("box", 0.48, 0.6, 1.0, y=0.05)
    d.room((-0.31, -0.46, 0.48), (0.31, 0.56, 0.8))
    for x in (-0.2, 0.2):
        d.grip((x, -1.03, 0.62), (1, 0, 0), (0, 0, 1))


@family((0.7, 1.3, 0.95), axes=("open", "fill"), accent=(0.92, 0.76, 0.2), carry="push")
def drill(d: Draft, s: Axes) -> None:
    """A push-along sower: hopper with a lid, two spoked wheels, coulters below, handles behind."""
    d.add(
        "hopper",
        lambda: d.own(
            at(
                shapes.lathe([(0, 0), (0.12, 0), (0.24, 0.3), (0.22, 0.3), (0.11, 0.02), (0, 0.02)], d.body, 4, 10),
                z=0.42,
                yaw=45,
            )
        ),
    )
    d.add(
        "lid",
        lambda: d.own(at(slab(0.38, 0.38, 0.025, shade(d.body, 0.85), 0.006), y=0.19)),
        placement((0, -0.19, 0.725), pitch=110 * s.get("open", 0.0)),
    )
    for k, x in enumerate((-0.3, 0.3)):
        d.add(f"wheel {k}", lambda: wheel_disc(0.28, 0.045, d.accent, d.accent, 8), placement((x, 0.08, 0.28)))
    d.add(
        "frame",
        lambda: merged(
            [
                bar((-0.3, 0.08, 0.28), (0.3, 0.08, 0.28), 0.02, IRON),
                *[bar((x, 0.1, 0.36), (x * 1.4, -0.75, 0.92), 0.02, WOOD) for x in (-0.17, 0.17)],
                *[bar((x, 0, 0.42), (x, 0.05, 0.02), 0.016, STEEL) for x in (-0.1, 0, 0.1)],
            ]
        ),
    )
    if s.get("fill", 0.0) > 0.05:
        d.add(
            f"seed {d.content}",
            lambda: merged(
                [
                    at(slab(0.28, 0.28, 0.02, d.content, 0), z=0.68),
                    at(shapes.ellipsoid((0.13, 0.13, 0.05), d.content), z=0.69),
                ]
            ),
            placement((0, 0, -0.12 * (1 - s["fill"]))),
        )
    d.room((-0.13, -0.13, 0.46), (0.13, 0.13, 0.7))
    for x in (-0.235, 0.235):
        d.grip((x, -0.72, 0.9), (0, 1, -0.6), (0, 0, 1))


@family((0.33, 1.1, 1.1), axes=("turned", "running", "broken"), surface="wood", accent=IRON, carry="two hands front")
def wheel(d: Draft, s: Axes) -> None:
    """A great spoked wheel standing on its rim; one spoke is painted so that a turn shows."""
    turn = 130 * max(s.get("turned", 0.0), s.get("running", 0.0))
    missing = s.get("broken", 0.0) > 0.4

    def spokes() -> Mesh:
        out = [
            at(shapes.torus(0.5, 0.045, d.body, 36, 8), roll=90),
            at(shapes.cylinder(0.1, 0.16, d.accent, 18), roll=90),
        ]
        for k in range(8):
            if missing and k in (1, 2):
                continue
            a = 2 * math.pi * k / 8
            out.append(
                bar(
                    (0, 0, 0),
                    (0, 0.48 * math.cos(a), 0.48 * math.sin(a)),
                    0.028,
                    (0.85, 0.2, 0.16) if k == 2 else shade(d.body, 0.85),
                )
            )
        return merged(out)

    d.add(
        f"wheel {missing}",
        lambda: d.own(spokes()) if d.look.pattern != "plain" else spokes(),
        placement((0, 0, 0.545), pitch=-turn),
    )
    d.add(
        "stand",
        lambda: merged(
            [
                slab(0.3, 0.7, 0.05, shade(WOOD, 0.8)),
                *[bar((x, 0, 0.0), (x, 0, 0.58), 0.035, shade(WOOD, 0.9)) for x in (-0.13, 0.13)],
            ]
        ),
    )
    if missing:
        d.add("spoke on the ground", lambda: bar((0.25, -0.3, 0.03), (0.3, 0.2, 0.03), 0.026, shade(d.body, 0.85)))
    d.grip((0, 0.5, 0.55), (0, 0, 1), (0, 1, 0))
    d.grip((0, -0.5, 0.55), (0, 0, 1), (0, -1, 0))


@family((1.1, 3.0, 0.65), axes=("fill",), surface="wood", accent=CREAM, carry="fixed")
def boat(d: Draft, s: Axes) -> None:
    """A rowing boat, bow to +y, with thwarts; full, water stands in it."""

    def hull(scale: float, colour: tuple[float, float, float]) -> Mesh:
        rows = []
        for y in np.linspace(-1.5, 1.5, 15):
            t = (y + 1.5) / 3.0
            half = 0.55 * (1 - max(0.0, (t - 0.45) / 0.55) ** 2.2) * (0.78 + 0.22 * min(1, t / 0.4))
            sheer = 0.42 + 0.22 * (t - 0.4) ** 2 * 2
            rows.append(
                [
                    (
                        half * scale * math.sin(a),
                        y * (scale if abs(y) > 1.3 else 1),
                        0.03 + (sheer - 0.03) * (1 - math.cos(a)) ** 0.8,
                    )
                    for a in np.linspace(-math.pi / 2, math.pi / 2, 11)
                ]
            )
        return _skin(np.array(rows), colour)

    d.add("hull", lambda: d.own(hull(1.0, d.body)))
    d.add(
        "rail",
        lambda: merged(
            [
                shapes.tube(
                    [
                        (
                            sx
                            * 0.55
                            * (1 - max(0.0, ((y + 1.5) / 3 - 0.45) / 0.55) ** 2.2)
                            * (0.78 + 0.22 * min(1, (y + 1.5) / 3 / 0.4)),
                            y,
                            0.43 + 0.44 * ((y + 1.5) / 3 - 0.4) ** 2,
                        )
                        for y in np.linspace(-1.5, 1.5, 17)
                    ],
                    0.028,
                    d.accent,
                )
                for sx in (-1, 1)
            ]
        ),
    )
    d.add(
        "thwarts",
        lambda: d.of(
            "wood",
            merged(
                [
                    at(slab(w, 0.2, 0.035, shade(WOOD, 0.9), 0.006), y=y, z=0.3)
                    for y, w in ((-1.1, 0.85), (-0.3, 1.0), (0.5, 0.92))
                ]
                + [at(slab(0.86, 0.03, 0.4, d.body, 0.005), y=-1.49, z=0.05)]
            ),
        ),
    )
    if s.get("fill", 0.0) > 0.05:
        d.add(
            "water",
            lambda: at(shapes.ellipsoid((0.46, 1.2, 0.02), (0.36, 0.62, 0.78)), y=-0.15),
            placement((0, 0, 0.12 + 0.26 * s["fill"])),
        )
    d.rest("thwart", 0.335, 0.9, 0.2, y=-0.3)
    d.room((-0.4, -1.3, 0.1), (0.4, 0.9, 0.4))
    d.grip((0, 1.45, 0.55), (1, 0, 0), (0, 1, 0))


def _skin(rows: Floats, colour: tuple[float, float, float]) -> Mesh:
    """A smooth two-sided sheet through a grid of points."""
    n, m = rows.shape[:2]
    uv = np.array([[(j / (m - 1) * 2, i / (n - 1) * 3) for j in range(m)] for i in range(n)], float).reshape(-1, 2)
    faces = np.array(
        [(i * m + j, i * m + j + 1, (i + 1) * m + j + 1, (i + 1) * m + j) for i in range(n - 1) for j in range(m - 1)],
        np.int64,
    )
    points, flat = rows.reshape(-1, 3), shapes.grid_normals(rows).reshape(-1, 3)
    colours = np.tile(np.array(colour), (len(faces), 1))
    up = Mesh(points, flat, uv, faces, colours, np.zeros(len(faces), np.int64))
    down = Mesh(points, -flat, uv, faces[:, ::-1], colours * 0.8, np.zeros(len(faces), np.int64))
    return merged([up, down])


@family((2.2, 4.2, 2.6), accent=CREAM, carry="fixed")
def tram(d: Draft, s: Axes) -> None:
    """A tram, bus or van: two colours, windows, a headlamp in front (+y), four wheels."""
    d.add("lower", lambda: d.own(slab(2.0, 4.2, 1.0, d.body, 0.12, 0.35)))
    d.add(
        "upper",
        lambda: merged(
            [slab(2.0, 4.2, 1.05, d.accent, 0.12, 1.3), slab(1.9, 4.0, 0.18, shade(d.accent, 0.75), 0.08, 2.35)]
        ),
    )
    d.add(
        "windows",
        lambda: merged(
            [
                at(slab(0.02, 0.75, 0.62, (0.42, 0.54, 0.60), 0.005), x, -1.4 + 0.95 * k, 1.5)
                for x in (-1.005, 1.005)
                for k in range(4)
            ]
            + [
                at(slab(0.52, 0.02, 0.66, (0.42, 0.54, 0.60), 0.005), x, y, 1.48)
                for x in (-0.6, 0, 0.6)
                for y in (-2.105, 2.105)
            ]
        ),
    )
    d.add(
        "front",
        lambda: merged(
            [
                at(shapes.cylinder(0.16, 0.08, (0.97, 0.93, 0.78), 20), 0, 2.12, 0.9, pitch=90),
                at(slab(1.9, 0.12, 0.14, IRON, 0.02), y=2.12, z=0.34),
            ]
        ),
    )
    for k, (x, y) in enumerate(((-0.85, 1.2), (0.85, 1.2), (-0.85, -1.2), (0.85, -1.2))):
        d.add(f"wheel {k}", lambda: wheel_disc(0.34, 0.14, IRON, STEEL, 6), placement((x, y, 0.34)))
    d.grip((1.0, 1.9, 1.1), (0, 0, 1), (1, 0, 0))


@family((0.5, 1.7, 1.05), accent=RUBBER, carry="push")
def bicycle(d: Draft, s: Axes) -> None:
    for k, y in enumerate((-0.52, 0.52)):
        d.add(f"wheel {k}", lambda: wheel_disc(0.33, 0.045, d.accent, STEEL, 12), placement((0, y, 0.33)))
    d.add(
        "frame",
        lambda: d.own(
            merged(
                [
                    bar(a, b, 0.02, d.body)
                    for a, b in (
                        ((0, -0.52, 0.33), (0, -0.12, 0.33)),
                        ((0, -0.52, 0.33), (0, -0.22, 0.8)),
                        ((0, -0.12, 0.33), (0, -0.24, 0.86)),
                        ((0, -0.12, 0.33), (0, 0.34, 0.78)),
                        ((0, -0.22, 0.78), (0, 0.34, 0.82)),
                        ((0, 0.34, 0.95), (0, 0.52, 0.33)),
                    )
                ]
            )
        ),
    )
    d.add(
        "saddle",
        lambda: merged(
            [
                at(shapes.ellipsoid((0.09, 0.15, 0.04), (0.2, 0.15, 0.12)), y=-0.25, z=0.9),
                bent([(-0.24, 0.2, 0.98), (-0.2, 0.36, 1.02), (0.2, 0.36, 1.02), (0.24, 0.2, 0.98)], 0.014, STEEL),
                bar((-0.14, -0.12, 0.2), (0.14, -0.12, 0.42), 0.012, IRON),
            ]
        ),
    )
    for x in (-0.24, 0.24):
        d.grip((x, 0.22, 0.98), (0, 1, 0), (0, 0, 1))
