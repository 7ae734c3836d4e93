"""Lights: dark until lit, and then they glow."""

from __future__ import annotations

import math

from storyengine.previz.props.kit import (
    BRASS,
    CREAM,
    IRON,
    Draft,
    at,
    bar,
    bent,
    drum,
    hollow,
    mix,
    shade,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import merged, shapes

WARM = (1.0, 0.94, 0.72)
"""What lamplight makes of a shade."""


@family((0.5, 0.5, 0.6), axes=("lit",), surface="brass", colour=BRASS, accent=CREAM)
def lamp(d: Draft, s: Axes) -> None:
    """A table lamp with a shade that glows when lit."""
    lit = s.get("lit", 0.0)
    d.add(
        "stem",
        lambda: d.own(
            merged(
                [
                    shapes.lathe(
                        [
                            (0, 0),
                            (0.13, 0),
                            (0.12, 0.025),
                            (0.04, 0.05),
                            (0.025, 0.1),
                            (0.06, 0.17),
                            (0.05, 0.24),
                            (0.018, 0.3),
                            (0.018, 0.42),
                            (0, 0.42),
                        ],
                        d.body,
                    )
                ]
            )
        ),
    )
    cloth = mix(d.accent, WARM, 0.65) if lit > 0.05 else shade(d.accent, 0.6)
    d.add(
        f"shade {lit > 0.05}",
        lambda: shapes.lathe([(0.19, 0.33), (0.1, 0.56), (0.09, 0.56), (0.18, 0.335)], cloth, 24),
        glow=0.95 * lit,
    )
    if lit > 0.05:
        d.add("bulb", lambda: at(shapes.sphere(0.06, (1.0, 0.9, 0.6), 12, 8), z=0.4), glow=lit)
    d.grip((0, 0, 0.16), (0, 0, 1), (0, 1, 0))


@family(
    (0.37, 0.37, 0.85), name="hanging lamp", axes=("lit",), surface="painted", accent=BRASS, carry="fixed", hangs=True
)
def hanging_lamp(d: Draft, s: Axes) -> None:
    """Hangs from a chain: a shade over a bulb."""
    lit = s.get("lit", 0.0)
    d.add(
        "chain",
        lambda: merged(
            [
                at(shapes.torus(0.016, 0.005, IRON, 12, 6), z=-0.02 - 0.032 * k, yaw=90 * (k % 2), pitch=90)
                for k in range(13)
            ]
        ),
    )
    d.add(
        "shade",
        lambda: d.own(
            shapes.lathe(
                [
                    (0.18, -0.68),
                    (0.17, -0.6),
                    (0.06, -0.5),
                    (0.035, -0.42),
                    (0, -0.42),
                    (0, -0.44),
                    (0.05, -0.52),
                    (0.16, -0.62),
                    (0.17, -0.68),
                    (0.18, -0.68),
                ],
                d.body,
            )
        ),
    )
    d.add("rim", lambda: at(shapes.torus(0.178, 0.008, d.accent), z=-0.68))
    d.add(
        f"bulb {lit > 0.1}",
        lambda: at(
            shapes.ellipsoid((0.14, 0.14, 0.13), (1.0, 0.9, 0.58) if lit > 0.1 else (0.66, 0.69, 0.7), 16, 10), z=-0.72
        ),
        glow=lit,
    )
    d.grip((0, 0, -0.72), (0, 0, 1), (0, 1, 0))


@family((0.26, 0.26, 0.42), axes=("lit",), surface="painted", accent=BRASS)
def lantern(d: Draft, s: Axes) -> None:
    """A hand lantern: base, glass with the flame behind bars, cap, ring to carry it by."""
    lit = s.get("lit", 0.0)
    d.add(
        "base",
        lambda: d.own(
            merged(
                [
                    drum(0.1, 0.06, d.body),
                    shapes.lathe([(0.1, 0.26), (0.11, 0.27), (0.05, 0.33), (0.04, 0.36), (0, 0.36)], d.body),
                ]
            )
        ),
    )
    d.add(
        "bars",
        lambda: merged(
            [
                bar(
                    (0.095 * math.cos(a), 0.095 * math.sin(a), 0.05),
                    (0.095 * math.cos(a), 0.095 * math.sin(a), 0.28),
                    0.008,
                    d.accent,
                )
                for a in [k * math.pi / 3 + 0.5 for k in range(6)]
            ]
            + [at(shapes.torus(0.098, 0.009, d.accent), z=0.17)]
        ),
    )
    d.add(
        f"glass {lit > 0.1}",
        lambda: drum(0.078, 0.2, (1.0, 0.86, 0.5) if lit > 0.1 else (0.38, 0.42, 0.44), 0.06),
        glow=lit,
    )
    d.add("ring", lambda: bent([(-0.09, 0, 0.3), (-0.08, 0, 0.42), (0.08, 0, 0.42), (0.09, 0, 0.3)], 0.008, d.accent))
    d.grip((0, 0, 0.43), (1, 0, 0), (0, 0, 1))


@family((0.14, 0.14, 0.26), axes=("lit",), surface="plain", colour=(0.95, 0.92, 0.83), accent=BRASS)
def candle(d: Draft, s: Axes) -> None:
    """A candle in a saucer with a finger ring."""
    d.add(
        "saucer",
        lambda: merged(
            [
                hollow([(0.05, 0), (0.07, 0.02)], 0.005, d.accent),
                at(shapes.torus(0.022, 0.006, d.accent, 16, 6), x=-0.09, z=0.02, pitch=90),
            ]
        ),
    )
    d.add(
        "stick",
        lambda: merged(
            [
                drum(0.024, 0.16, d.body, 0.005),
                at(shapes.sphere(0.012, d.body, 8, 6), 0.02, 0.008, 0.13),
                at(shapes.capsule(0.006, 0.008, 0.05, d.body), -0.021, 0.01, 0.09),
            ]
        ),
    )
    d.add("wick", lambda: bar((0, 0, 0.16), (0, 0, 0.182), 0.004, (0.1, 0.1, 0.1)))
    if s.get("lit", 0.0) > 0.05:
        d.add(
            "flame",
            lambda: at(
                shapes.lathe(
                    [(0, 0), (0.014, 0.015), (0.018, 0.03), (0.008, 0.062), (0, 0.085)], (1.0, 0.82, 0.36), 12, 90
                ),
                z=0.172,
            ),
            glow=1.0,
        )
    d.grip((-0.1, 0, 0.02), (0, 1, 0), (-1, 0, 0))


@family((0.26, 0.07, 0.07), axes=("lit",), surface="painted", accent=(0.75, 0.76, 0.78))
def torch(d: Draft, s: Axes) -> None:
    """An electric torch lying on its side; lit, its lens and a patch of light glow."""
    d.add(
        "tube",
        lambda: d.own(
            merged(
                [
                    at(shapes.cylinder(0.022, 0.16, d.body, 16), -0.03, 0, 0.035, roll=90),
                    at(shapes.cylinder(0.012, 0.02, IRON, 10), -0.02, 0, 0.06),
                ]
            )
        ),
    )
    d.add("head", lambda: at(shapes.cone(0.022, 0.036, 0.06, d.accent), 0.08, 0, 0.036, roll=90))
    lit = s.get("lit", 0.0)
    d.add(
        f"lens {lit > 0.1}",
        lambda: at(
            shapes.cylinder(0.032, 0.006, (1, 0.95, 0.7) if lit > 0.1 else (0.5, 0.55, 0.58), 18),
            0.112,
            0,
            0.036,
            roll=90,
        ),
        glow=lit,
    )
    if lit > 0.1:
        d.add("beam", lambda: at(shapes.ellipsoid((0.11, 0.06, 0.002), (1, 0.95, 0.72)), 0.24, 0, 0.003), glow=0.9)
    d.grip((-0.05, 0, 0.035), (1, 0, 0), (0, 0, 1))
