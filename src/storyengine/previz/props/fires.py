"""Fires: ovens, stoves, furnaces and hearths. What burns glows; doors show it or hide it."""

from __future__ import annotations

import math

from storyengine.previz.props.finish import masonry
from storyengine.previz.props.kit import (
    BRASS,
    EMBER,
    IRON,
    STEEL,
    Draft,
    at,
    bar,
    bent,
    flame,
    lumps,
    shade,
    slab,
    tray_box,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, merged, placement, shapes

_MOUTH = (0.07, 0.06, 0.06)


_BRICK = (0.62, 0.38, 0.30)


def _bricks(mesh: Mesh, across: float = 1.0, up: float = 1.0) -> Mesh:
    return mesh.textured(masonry(), (across, up))


def _fire(d: Draft, lit: float, y: float, z: float, w: float) -> None:
    """The glow in a mouth."""
    if lit > 0.05:
        d.add(
            "embers",
            lambda: at(
                merged(
                    [
                        slab(w, 0.04, 0.06, EMBER, 0),
                        *[at(flame(0.26 - 0.05 * (k % 2)), -w / 3 + k * w / 3, 0, 0.04) for k in range(3)],
                    ]
                ),
                y=y,
                z=z,
            ),
            glow=lit,
        )


@family(
    (1.5, 1.1, 1.6),
    axes=("raised", "open", "lit", "fill"),
    surface="stone",
    colour=_BRICK,
    accent=IRON,
    carry="fixed",
    wall=True,
)
def oven(d: Draft, s: Axes) -> None:
    """A brick oven with a low mouth; its iron door is drawn up on a chain."""
    d.add(
        "body",
        lambda: merged(
            [
                _bricks(slab(1.5, 1.1, 1.15, d.body, 0.01), 1.3, 1.2),
                _bricks(slab(1.3, 0.95, 0.3, shade(d.body, 0.92), 0.05, 1.15), 1.3, 0.4),
                at(slab(0.95, 0.08, 0.06, shade(d.body, 0.6)), y=0.56, z=0.5),
                slab(0.36, 0.36, 0.35, shade(d.body, 0.85), 0.01, 1.3),
            ]
        ),
    )
    d.add(
        "arch",
        lambda: merged(
            [
                at(
                    shapes.box((0.09, 0.08, 0.17), shade(d.body, 0.72), 0.01),
                    0.4 * math.sin(a),
                    0.56,
                    0.86 + 0.2 * math.cos(a),
                    roll=math.degrees(a),
                )
                for a in [-1.35 + 0.3 * k for k in range(10)]
            ]
        ),
    )
    d.add("mouth", lambda: at(slab(0.72, 0.02, 0.44, _MOUTH, 0), y=0.55, z=0.56))
    lit = s.get("lit", 0.0)
    _fire(d, lit, 0.57, 0.58, 0.5)
    up = max(s.get("raised", 0.0), s.get("open", 0.0))
    d.add(
        "door",
        lambda: d.of(
            "iron",
            merged(
                [
                    at(slab(0.74, 0.035, 0.46, d.accent, 0.012), y=0.6, z=0.55),
                    at(slab(0.3, 0.05, 0.04, STEEL, 0.005), y=0.63, z=0.66),
                    *[at(shapes.sphere(0.018, STEEL, 8, 5), x, 0.62, z) for x in (-0.32, 0.32) for z in (0.6, 0.96)],
                ]
            ),
        ),
        placement((0, 0, 0.5 * up)),
    )
    d.add(
        "chain",
        lambda: merged(
            [
                at(shapes.torus(0.022, 0.007, STEEL, 12, 6), 0, 0.6, 1.04 + 0.045 * k, yaw=90 * (k % 2), pitch=90)
                for k in range(15)
            ]
        ),
    )
    d.room((-0.34, 0.1, 0.58), (0.34, 0.54, 0.95))
    if s.get("fill", 0.0) > 0.1:
        d.add(
            "loaves",
            lambda: merged(
                [at(shapes.ellipsoid((0.12, 0.1, 0.11), (0.88, 0.66, 0.36)), x, 0.58, 0.64) for x in (-0.23, 0, 0.23)]
            ),
        )
    d.grip((0.0, 0.66, 0.68 + 0.5 * up), (1, 0, 0), (0, 1, 0))


@family(
    (0.62, 0.66, 1.5),
    axes=("open", "lit"),
    surface="iron",
    colour=(0.20, 0.20, 0.22),
    accent=BRASS,
    carry="fixed",
    wall=True,
)
def stove(d: Draft, s: Axes) -> None:
    """A pot-bellied stove with a little door, a flat top and a crooked pipe."""
    d.add(
        "belly",
        lambda: d.own(
            shapes.lathe(
                [
                    (0, 0.12),
                    (0.2, 0.12),
                    (0.29, 0.28),
                    (0.31, 0.45),
                    (0.27, 0.66),
                    (0.22, 0.78),
                    (0.3, 0.8),
                    (0.3, 0.85),
                    (0, 0.85),
                ],
                d.body,
            )
        ),
    )
    d.add(
        "fittings",
        lambda: merged(
            [
                bent(
                    [(0, -0.12, 0.85), (0, -0.12, 1.1), (0.1, -0.16, 1.25), (0.1, -0.2, 1.5)], 0.07, shade(d.body, 1.12)
                ),
                at(shapes.torus(0.31, 0.018, d.accent), z=0.45),
                *[
                    bar(
                        (0.2 * math.cos(a), 0.2 * math.sin(a), 0.15),
                        (0.28 * math.cos(a), 0.28 * math.sin(a), 0),
                        0.025,
                        d.body,
                    )
                    for a in (0.8, 2.3, 3.9, 5.4)
                ],
            ]
        ),
    )
    lit = s.get("lit", 0.0)
    fire = EMBER if lit > 0.1 else _MOUTH
    swing = placement((-0.15, 0.325, 0.32), yaw=-105 * s.get("open", 0.0))
    d.add(f"mouth {lit > 0.1}", lambda: at(slab(0.26, 0.03, 0.24, fire, 0), y=0.3, z=0.34), glow=lit)
    d.add("door", lambda: at(slab(0.3, 0.03, 0.28, shade(d.body, 1.25), 0.012), 0.15), swing)
    d.add("knob", lambda: at(shapes.sphere(0.022, d.accent, 10, 6), 0.26, 0.03, 0.14), swing)
    slots = [at(slab(0.18, 0.036, 0.028, fire, 0), 0.13, 0.002, 0.05 + 0.07 * k) for k in range(3)]
    d.add(f"slots {lit > 0.1}", lambda: merged(slots), swing, glow=lit)
    d.rest("top", 0.85, 0.4, 0.4)
    d.grip((0.09, 0.36, 0.46), (0, 0, 1), (0, 1, 0))


@family(
    (1.4, 1.2, 1.9),
    axes=("open", "lit"),
    surface="iron",
    colour=(0.27, 0.26, 0.27),
    accent=(0.72, 0.36, 0.2),
    carry="fixed",
    wall=True,
)
def furnace(d: Draft, s: Axes) -> None:
    """A domed furnace with a round door and hoops; the fire shows when it is open and lit."""
    d.add(
        "dome",
        lambda: d.own(
            shapes.lathe(
                [(0, 0), (0.62, 0), (0.62, 1.0), (0.55, 1.3), (0.38, 1.5), (0.2, 1.58), (0.2, 1.9), (0, 1.9)],
                d.body,
                28,
            )
        ),
    )
    d.add(
        "hoops",
        lambda: merged(
            [at(shapes.torus(0.625, 0.025, d.accent, 32, 6), z=z) for z in (0.15, 0.98)]
            + [at(shapes.torus(0.25, 0.04, d.accent, 24, 8), y=0.61, z=0.6, pitch=90)]
        ),
    )
    lit = s.get("lit", 0.0)
    d.add(
        f"mouth {lit > 0.1}",
        lambda: at(shapes.cylinder(0.23, 0.1, EMBER if lit > 0.1 else _MOUTH, 22), y=0.6, z=0.6, pitch=90),
        glow=lit,
    )
    if lit > 0.1:
        d.add("flames", lambda: merged([at(flame(0.24), x, 0.66, 0.45) for x in (-0.1, 0, 0.1)]), glow=lit)
    d.add(
        "door",
        lambda: merged(
            [
                at(shapes.cylinder(0.25, 0.05, shade(d.body, 1.2), 22, 0.01), 0.25, pitch=90),
                at(slab(0.06, 0.06, 0.1, STEEL, 0.01), 0.42, 0.04, -0.05),
            ]
        ),
        placement((-0.25, 0.69, 0.6), yaw=-110 * s.get("open", 0.0)),
    )
    d.rest("top", 1.9, 0.3, 0.3)
    d.room((-0.3, -0.2, 0.4), (0.3, 0.5, 0.8))
    d.grip((0.18, 0.75, 0.6), (0, 0, 1), (0, 1, 0))


@family((1.1, 0.85, 1.0), axes=("lit",), surface="stone", colour=_BRICK, accent=IRON, carry="fixed")
def forge(d: Draft, s: Axes) -> None:
    """A hearth: bed of coals in a brick box at hip height; lit, it glows with flames."""
    d.add("box", lambda: _bricks(slab(1.1, 0.85, 0.72, d.body, 0.01), 1.0, 0.8))
    d.add("rim", lambda: at(tray_box(1.12, 0.87, 0.14, 0.08, d.accent), z=0.7))
    lit = s.get("lit", 0.0)
    d.add(
        f"coals {lit > 0.1}",
        lambda: lumps(70, 0.06, (0.85, 0.6), EMBER if lit > 0.1 else (0.17, 0.16, 0.16), 7, 0.8),
        glow=0.85 * lit,
    )
    if lit > 0.3:
        d.add(
            "flames",
            lambda: merged(
                [
                    at(flame(h), x, y, 0.82)
                    for x, y, h in ((0, 0, 0.4), (0.2, 0.08, 0.26), (-0.22, 0.02, 0.3), (0.05, -0.16, 0.24))
                ]
            ),
            glow=1.0,
        )
    d.rest("coals", 0.84, 0.8, 0.55)
