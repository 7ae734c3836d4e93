"""Furniture: what people sit at, put things on and climb."""

from __future__ import annotations

import math

from storyengine.previz.props.kit import (
    BRASS,
    DARK_WOOD,
    WHITE,
    WOOD,
    Draft,
    at,
    bar,
    drum,
    lumps,
    shade,
    slab,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, merged, placement, shapes


def _legs(w: float, dp: float, h: float, t: float, d: Draft) -> Mesh:
    return merged([at(slab(t, t, h, shade(d.body, 0.85)), x, y) for x in (-w, w) for y in (-dp, dp)])


@family((1.4, 0.75, 0.76), surface="wood", colour=WOOD, carry="fixed")
def table(d: Draft, s: Axes) -> None:
    d.add("top", lambda: d.own(slab(1.4, 0.75, 0.045, d.body, 0.01, 0.715)))
    d.add(
        "legs",
        lambda: d.own(merged([_legs(0.62, 0.3, 0.72, 0.07, d), slab(1.2, 0.55, 0.09, shade(d.body, 0.8), 0, 0.63)])),
    )
    d.rest("top", 0.76, 1.3, 0.65)
    d.grip((-0.7, 0, 0.74), (0, 1, 0), (-1, 0, 0))
    d.grip((0.7, 0, 0.74), (0, 1, 0), (1, 0, 0))


@family((1.2, 0.7, 1.05), axes=("open",), surface="wood", colour=DARK_WOOD, accent=BRASS, carry="fixed", wall=True)
def desk(d: Draft, s: Axes) -> None:
    """A sloping writing desk with a drawer underneath that slides out."""
    d.add(
        "slope",
        lambda: d.own(
            merged(
                [
                    at(shapes.box((1.2, 0.62, 0.04), d.body, 0.008), 0, 0.02, 0.93, pitch=-15),
                    slab(1.2, 0.16, 0.04, d.body, 0.006, 1.0).moved(placement((0, -0.3, 0))),
                ]
            )
        ),
    )
    d.add(
        "frame",
        lambda: d.own(
            merged(
                [
                    at(_legs(0.55, 0.28, 0.9, 0.07, d)),
                    slab(1.1, 0.58, 0.18, shade(d.body, 0.8), 0.005, 0.66),
                    at(slab(1.1, 0.05, 0.05, shade(d.body, 0.8)), y=-0.28, z=0.2),
                ]
            )
        ),
    )
    out = 0.26 * s.get("open", 0.0)
    d.add(
        "drawer",
        lambda: d.own(
            merged(
                [
                    at(slab(0.6, 0.03, 0.14, shade(d.body, 1.1), 0.005), y=0.3, z=0.68),
                    at(slab(0.56, 0.4, 0.09, shade(d.body, 0.5), 0), y=0.08, z=0.69),
                    at(shapes.sphere(0.02, d.accent, 10, 6), 0, 0.33, 0.75),
                ]
            )
        ),
        placement((0, out, 0)),
    )
    d.add("rail", lambda: bar((-0.55, 0.31, 0.88), (0.55, 0.31, 0.88), 0.012, d.accent))
    d.rest("slope", 0.97, 1.0, 0.45)
    d.room((-0.26, -0.1 + out, 0.7), (0.26, 0.26 + out, 0.8))
    d.grip((0, 0.33 + out, 0.75), (1, 0, 0), (0, 1, 0))


@family((1.6, 0.42, 0.46), surface="wood", colour=WOOD, carry="fixed")
def bench(d: Draft, s: Axes) -> None:
    d.add(
        "seat", lambda: d.own(merged([at(slab(1.6, 0.19, 0.05, d.body, 0.008), y=y, z=0.41) for y in (-0.105, 0.105)]))
    )
    d.add(
        "legs",
        lambda: d.own(
            merged(
                [at(slab(0.08, 0.38, 0.41, d.accent), x) for x in (-0.62, 0.62)]
                + [at(slab(1.2, 0.05, 0.07, d.accent), z=0.15)]
            )
        ),
    )
    d.rest("seat", 0.46, 1.5, 0.38)


@family((0.46, 0.48, 0.92), surface="wood", colour=WOOD, carry="two hands front")
def chair(d: Draft, s: Axes) -> None:
    """Seat, four legs, a back with slats; the back is at -y."""
    d.add("seat", lambda: d.own(slab(0.44, 0.44, 0.035, d.accent, 0.01, 0.44)))
    d.add(
        "frame",
        lambda: d.own(
            merged(
                [
                    *[bar((x, 0.18, 0), (x, 0.18, 0.45), 0.022, d.body) for x in (-0.18, 0.18)],
                    *[bar((x, -0.2, 0), (x * 1.05, -0.24, 0.92), 0.022, d.body) for x in (-0.18, 0.18)],
                    *[bar((x, -0.19, 0.2), (x, 0.18, 0.2), 0.013, d.body) for x in (-0.18, 0.18)],
                    at(slab(0.4, 0.025, 0.1, d.body, 0.006), y=-0.24, z=0.82),
                    at(slab(0.38, 0.02, 0.06, d.body, 0.005), y=-0.225, z=0.62),
                ]
            )
        ),
    )
    d.rest("seat", 0.475, 0.4, 0.4)
    d.grip((-0.19, -0.24, 0.88), (1, 0, 0), (0, -1, 0))
    d.grip((0.19, -0.24, 0.88), (1, 0, 0), (0, -1, 0))


@family((0.36, 0.36, 0.5), surface="wood", colour=WOOD)
def stool(d: Draft, s: Axes) -> None:
    d.add("seat", lambda: d.own(drum(0.17, 0.045, d.body, 0.455)))
    feet = [(math.cos(a), math.sin(a)) for a in (0.5, 2.6, 4.7)]
    d.add(
        "legs",
        lambda: merged(
            [bar((0.09 * x, 0.09 * y, 0.46), (0.17 * x, 0.17 * y, 0), 0.02, d.accent) for x, y in feet]
            + [
                bar(
                    (0.14 * feet[k][0], 0.14 * feet[k][1], 0.18),
                    (0.14 * feet[k - 1][0], 0.14 * feet[k - 1][1], 0.18),
                    0.01,
                    d.accent,
                )
                for k in range(3)
            ]
        ),
    )
    d.rest("seat", 0.5, 0.24, 0.24)
    d.grip((0.17, 0, 0.48), (0, 1, 0), (1, 0, 0))


@family((1.1, 0.35, 1.8), axes=("loaded",), surface="wood", colour=WOOD, carry="fixed", wall=True)
def shelf(d: Draft, s: Axes) -> None:
    """A shelf unit with five boards; loaded, jars and boxes stand on them."""
    levels = (0.08, 0.5, 0.92, 1.34, 1.76)
    d.add("boards", lambda: d.own(merged([slab(1.06, 0.34, 0.03, d.body, 0.004, z) for z in levels])))
    d.add(
        "sides",
        lambda: d.own(
            merged(
                [at(slab(0.035, 0.35, 1.8, shade(d.body, 0.82), 0.004), x) for x in (-0.535, 0.535)]
                + [at(slab(1.06, 0.012, 1.75, shade(d.body, 0.62), 0), y=-0.165)]
            )
        ),
    )
    if s.get("loaded", 0.0) > 0.3:
        tones = [(0.74, 0.40, 0.28), (0.32, 0.48, 0.58), (0.84, 0.72, 0.42), (0.48, 0.56, 0.36), (0.9, 0.88, 0.8)]
        d.add(
            "goods",
            lambda: merged(
                [
                    at(
                        drum(0.06, 0.18, tones[(j + 2 * k) % 5])
                        if (j + k) % 2
                        else slab(0.16, 0.2, 0.14 + 0.05 * (k % 3), tones[(j + k) % 5]),
                        -0.42 + 0.21 * k,
                        0,
                        z + 0.03,
                    )
                    for j, z in enumerate(levels[:4])
                    for k in range(5)
                ]
            ),
        )
    for z in levels[:-1]:
        d.rest(f"shelf {z:.2f}", z + 0.03, 1.0, 0.3)
    d.rest("top", 1.79, 1.0, 0.3)


@family((0.75, 0.55, 1.7), axes=("loaded",), surface="steel", colour=(0.66, 0.68, 0.70), carry="push")
def rack(d: Draft, s: Axes) -> None:
    """A tall open rack of bars on castors with trays; loaded, round things stand on every tray."""
    levels = (0.25, 0.6, 0.95, 1.3)
    d.add(
        "frame",
        lambda: d.own(
            merged(
                [bar((x, y, 0.08), (x, y, 1.7), 0.02, d.body) for x in (-0.35, 0.35) for y in (-0.25, 0.25)]
                + [bar((-0.35, y, 1.68), (0.35, y, 1.68), 0.018, d.body) for y in (-0.25, 0.25)]
                + [bar((x, -0.25, z), (x, 0.25, z), 0.015, d.body) for x in (-0.35, 0.35) for z in (*levels, 1.68)]
            )
        ),
    )
    d.add("trays", lambda: d.own(merged([slab(0.7, 0.5, 0.02, shade(d.body, 0.9), 0.004, z) for z in levels])))
    d.add(
        "castors",
        lambda: merged(
            [
                at(shapes.cylinder(0.05, 0.035, d.accent, 14), x, y, 0.05, roll=90)
                for x in (-0.35, 0.35)
                for y in (-0.25, 0.25)
            ]
        ),
    )
    if s.get("loaded", 0.0) > 0.3:
        d.add(
            f"load {d.content}",
            lambda: merged(
                [
                    at(shapes.ellipsoid((0.09, 0.09, 0.06), shade(d.content, 0.95)), -0.23 + 0.23 * k, y, z + 0.07)
                    for z in levels
                    for k in range(3)
                    for y in (-0.12, 0.12)
                ]
            ),
        )
    for z in levels:
        d.rest(f"tray {z:.2f}", z + 0.02, 0.62, 0.44)
    d.grip((-0.35, -0.25, 1.1), (0, 0, 1), (0, -1, 0))
    d.grip((0.35, -0.25, 1.1), (0, 0, 1), (0, -1, 0))


@family(
    (1.93, 0.85, 0.75), axes=("spread", "covered"), surface="wood", colour=WOOD, accent=(0.35, 0.45, 0.6), carry="fixed"
)
def bed(d: Draft, s: Axes) -> None:
    d.add(
        "frame",
        lambda: d.own(
            merged(
                [
                    slab(1.9, 0.85, 0.12, d.body, 0.01, 0.2),
                    at(slab(0.05, 0.85, 0.75, d.body, 0.01), -0.94),
                    at(slab(0.05, 0.85, 0.5, d.body, 0.01), 0.94),
                    _legs(0.9, 0.38, 0.2, 0.07, d),
                ]
            )
        ),
    )
    d.add(
        "mattress",
        lambda: merged(
            [slab(1.8, 0.8, 0.16, WHITE, 0.05, 0.32), at(shapes.ellipsoid((0.17, 0.3, 0.07), WHITE), -0.7, 0, 0.53)]
        ),
    )
    made = s.get("spread", s.get("covered", 1.0))
    d.add(
        "blanket",
        lambda: at(slab(1.25, 0.84, 0.03, d.accent, 0.01), 0.27, z=0.475),
        placement((0.4 * (1 - made), 0, 0), scale=(0.45 + 0.55 * made, 1, 1)),
    )
    d.rest("bed", 0.5, 1.7, 0.75)


@family((1.1, 0.6, 0.75), axes=("loaded",), surface="wood", colour=WOOD, carry="two hands front")
def trestle(d: Draft, s: Axes) -> None:
    d.add("beam", lambda: d.own(slab(1.1, 0.12, 0.1, d.body, 0.01, 0.65)))
    d.add(
        "legs",
        lambda: d.own(
            merged(
                [bar((x, 0, 0.68), (x * 1.08, y, 0), 0.03, d.accent) for x in (-0.4, 0.4) for y in (-0.28, 0.28)]
                + [bar((x, -0.16, 0.28), (x, 0.16, 0.28), 0.02, d.accent) for x in (-0.43, 0.43)]
            )
        ),
    )
    d.rest("beam", 0.75, 1.0, 0.12)
    if s.get("loaded", 0.0) > 0.3:
        d.add("log", lambda: at(shapes.cylinder(0.11, 0.9, (0.5, 0.37, 0.25), 16), z=0.86, roll=90))


@family((0.5, 0.3, 2.4), axes=("raised",), surface="wood", colour=(0.74, 0.60, 0.42), carry="on shoulder", wall=True)
def ladder(d: Draft, s: Axes) -> None:
    """Leans back against the wall; lowered, it lies along the foot of it."""
    down = 1 - s.get("raised", 1.0)
    pose = placement((0, -0.1 * (1 - down), 0.04 * down), pitch=7 * (1 - down), roll=90 * down)
    d.add(
        "rails", lambda: d.own(merged([bar((x, 0, 0), (x * 0.86, 0, 2.4), 0.026, d.body) for x in (-0.23, 0.23)])), pose
    )
    d.add(
        "rungs",
        lambda: merged([bar((-0.22, 0, 0.2 + 0.27 * k), (0.22, 0, 0.2 + 0.27 * k), 0.018, d.accent) for k in range(8)]),
        pose,
    )
    d.grip((-0.22, 0, 1.1), (0, 0, 1), (-1, 0, 0))
    d.grip((0.22, 0, 1.1), (0, 0, 1), (1, 0, 0))


@family((0.4, 0.4, 0.35), axes=("broken",), surface="painted", carry="fixed")
def block(d: Draft, s: Axes) -> None:
    d.add("block", lambda: d.own(slab(0.4, 0.4, 0.35, d.body, 0.015)))
    d.rest("top", 0.35, 0.38, 0.38)
    d.grip((-0.2, 0, 0.25), (0, 1, 0), (-1, 0, 0))
    d.grip((0.2, 0, 0.25), (0, 1, 0), (1, 0, 0))
    if s.get("broken", 0.0) > 0.4:
        d.add(
            "crack",
            lambda: merged(
                [
                    at(shapes.box((0.012, 0.41, 0.2), (0.1, 0.09, 0.09)), x, 0, z, roll=r)
                    for x, z, r in ((0.02, 0.26, 18), (-0.01, 0.1, -20))
                ]
                + [lumps(6, 0.04, (0.6, 0.5), shade(d.body, 0.85), 3, 0.02)]
            ),
        )
