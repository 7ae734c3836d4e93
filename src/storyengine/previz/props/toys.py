"""Instruments and toys."""

from __future__ import annotations

import math

import numpy as np

from storyengine.previz.props.kit import (
    BLACK,
    BRASS,
    CREAM,
    RED,
    WHITE,
    WOOD,
    Draft,
    at,
    bar,
    bent,
    slab,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import merged, placement, shapes


@family(
    (1.05, 0.36, 0.14),
    axes=("broken",),
    surface="wood",
    colour=(0.78, 0.50, 0.24),
    accent=(0.30, 0.20, 0.14),
    carry="two hands front",
)
def guitar(d: Draft, s: Axes) -> None:
    """Lies on its back, neck to the right."""
    outline = [(-0.23 - 0.2 * math.cos(a), 0.19 * math.sin(a)) for a in np.linspace(-1.9, 1.9, 18)]
    upper = [(0.05 + 0.13 * math.cos(a), 0.135 * math.sin(a)) for a in np.linspace(1.9, -1.9, 14)]
    d.add("body", lambda: d.own(shapes.extruded([*outline, (-0.09, 0.115), *upper, (-0.09, -0.115)], 0.09, d.body)))
    d.add(
        "neck",
        lambda: merged(
            [
                at(slab(0.46, 0.05, 0.025, d.accent, 0.006), 0.38, 0, 0.085),
                at(slab(0.13, 0.08, 0.022, d.accent, 0.006), 0.66, 0, 0.08),
                at(shapes.cylinder(0.055, 0.006, BLACK, 20), -0.02, 0, 0.091),
                at(slab(0.03, 0.13, 0.014, d.accent, 0.003), -0.25, 0, 0.09),
            ]
        ),
    )
    if s.get("broken", 0.0) < 0.4:
        d.add(
            "strings",
            lambda: merged(
                [bar((-0.25, y, 0.108), (0.62, y * 0.7, 0.114), 0.003, WHITE, 4) for y in (-0.02, -0.007, 0.007, 0.02)]
            ),
        )
    else:
        d.add(
            "loose strings",
            lambda: merged(
                [
                    bent([(-0.25, y, 0.108), (-0.05, y * 4, 0.2), (0.1, y * 9, 0.13)], 0.003, WHITE, 4)
                    for y in (-0.02, -0.007, 0.007, 0.02)
                ]
            ),
        )
    d.grip((0.4, 0, 0.1), (1, 0, 0), (0, 0, 1))


@family((0.6, 0.22, 0.1), surface="wood", colour=(0.60, 0.30, 0.16), accent=(0.16, 0.12, 0.10))
def violin(d: Draft, s: Axes) -> None:
    """Lies on its back with the bow beside it."""
    half = [
        (-0.3, 0.0),
        (-0.29, 0.06),
        (-0.24, 0.1),
        (-0.18, 0.1),
        (-0.14, 0.075),
        (-0.13, 0.05),
        (-0.1, 0.055),
        (-0.07, 0.08),
        (-0.02, 0.082),
        (0.03, 0.055),
        (0.045, 0.0),
    ]
    d.add("body", lambda: d.own(shapes.extruded([*half, *[(x, -y) for x, y in reversed(half[1:-1])]], 0.045, d.body)))
    d.add(
        "neck",
        lambda: merged(
            [
                at(slab(0.26, 0.026, 0.018, d.accent, 0.004), 0.09, 0, 0.048),
                at(shapes.torus(0.018, 0.01, d.accent, 14, 6), 0.25, 0, 0.045),
                at(slab(0.06, 0.03, 0.018, d.accent, 0.004), -0.24, 0, 0.045),
                *[bar((-0.22, y, 0.068), (0.2, y * 0.6, 0.068), 0.002, WHITE, 4) for y in (-0.008, 0, 0.008)],
                *[at(slab(0.06, 0.006, 0.003, BLACK, 0), -0.12, y, 0.045, yaw=12) for y in (-0.045, 0.045)],
            ]
        ),
    )
    d.add(
        "bow",
        lambda: merged(
            [
                bent([(-0.3, 0.15, 0.01), (0.0, 0.163, 0.012), (0.32, 0.15, 0.01)], 0.006, d.body),
                bar((-0.3, 0.14, 0.01), (0.32, 0.14, 0.01), 0.003, WHITE),
            ]
        ),
    )
    d.grip((0.12, 0, 0.05), (1, 0, 0), (0, 0, 1))


@family((0.5, 0.2, 0.2), surface="brass", colour=BRASS, accent=RED)
def horn(d: Draft, s: Axes) -> None:
    d.add(
        "bell",
        lambda: d.own(
            at(
                shapes.lathe(
                    [
                        (0.02, -0.2),
                        (0.025, 0.0),
                        (0.04, 0.14),
                        (0.1, 0.24),
                        (0.095, 0.24),
                        (0.035, 0.13),
                        (0.015, -0.19),
                        (0.02, -0.2),
                    ],
                    d.body,
                ),
                0,
                0,
                0.1,
                roll=90,
            )
        ),
    )
    d.add(
        "mouthpiece",
        lambda: merged(
            [
                at(shapes.cone(0.02, 0.03, 0.04, d.accent), -0.22, 0, 0.1, roll=-90),
                at(shapes.torus(0.026, 0.007, d.accent, 16, 6), 0, 0, 0.1, roll=90),
            ]
        ),
    )
    d.grip((-0.05, 0, 0.1), (1, 0, 0), (0, 0, 1))


@family((0.26, 0.26, 0.26), axes=("broken",), surface="leather", accent=WHITE)
def ball(d: Draft, s: Axes) -> None:
    flat = s.get("broken", 0.0)
    d.add(
        "ball",
        lambda: d.own(shapes.sphere(0.13, d.body, 24, 16)),
        placement((0, 0, 0.13 - 0.085 * flat), scale=(1 + 0.1 * flat, 1 + 0.1 * flat, 1 - 0.66 * flat)),
    )
    d.add(
        "bands",
        lambda: merged(
            [
                at(shapes.torus(0.1295, 0.008, d.accent, 32, 6)),
                at(shapes.torus(0.1295, 0.008, d.accent, 32, 6), roll=90),
            ]
        ),
        placement(
            (0, 0, 0.13 - 0.085 * flat), scale=(1 + 0.1 * flat, 1 + 0.1 * flat, 1 - 0.66 * flat), roll=20, pitch=25
        ),
    )
    d.grip((0.13, 0, 0.13), (0, 0, 1), (1, 0, 0))


@family((0.84, 0.49, 0.85), surface="paper", accent=CREAM)
def kite(d: Draft, s: Axes) -> None:
    """A diamond leaning, with a tail of bows."""
    pose = placement((0, -0.1, 0.02), pitch=14)
    d.add(
        "sail",
        lambda: d.own(
            at(shapes.extruded([(0, 0), (0.34, 0.5), (0, 0.85), (-0.34, 0.5)], 0.008, d.body), y=0.004, pitch=90)
        ),
        pose,
    )
    d.add(
        "spars",
        lambda: merged(
            [
                bar((0, 0.006, 0), (0, 0.006, 0.85), 0.009, WOOD),
                bar((-0.34, 0.006, 0.5), (0.34, 0.006, 0.5), 0.009, WOOD),
                *[
                    at(shapes.extruded(q, 0.012, d.accent), y=0.007, pitch=90)
                    for q in ([(0, 0.5), (0.34, 0.5), (0, 0.85)], [(0, 0.5), (-0.34, 0.5), (0, 0)])
                ],
            ]
        ),
        pose,
    )
    d.add(
        "tail",
        lambda: merged(
            [
                bent([(0, -0.1, 0.03), (0.12, 0.1, 0.02), (0.3, 0.14, 0.02), (0.5, 0.06, 0.02)], 0.006, CREAM),
                *[
                    at(shapes.ellipsoid((0.06, 0.035, 0.015), d.body, 10, 6), x, y, 0.03, yaw=40)
                    for x, y in ((0.12, 0.1), (0.3, 0.14), (0.46, 0.08))
                ],
            ]
        ),
    )
    d.grip((0, 0, 0.4), (0, 0, 1), (0, 1, 0))


@family((0.3, 0.2, 0.42), surface="cloth", colour=(0.70, 0.50, 0.30), accent=(0.90, 0.78, 0.60))
def doll(d: Draft, s: Axes) -> None:
    """A sitting bear."""
    d.add(
        "bear",
        lambda: d.own(
            merged(
                [
                    at(shapes.ellipsoid((0.1, 0.085, 0.12), d.body), z=0.12),
                    at(shapes.sphere(0.085, d.body), z=0.3),
                    *[at(shapes.sphere(0.034, d.body, 12, 8), x, 0, 0.37) for x in (-0.065, 0.065)],
                    *[
                        at(shapes.capsule(0.035, 0.035, 0.1, d.body, 12), x, 0.05, 0.05, pitch=-80, yaw=x * 250)
                        for x in (-0.07, 0.07)
                    ],
                    *[
                        at(shapes.capsule(0.032, 0.03, 0.09, d.body, 12), x, 0.02, 0.2, roll=x * 900, pitch=-30)
                        for x in (-0.08, 0.08)
                    ],
                ]
            )
        ),
    )
    d.add(
        "face",
        lambda: merged(
            [
                at(shapes.ellipsoid((0.04, 0.03, 0.03), d.accent), 0, 0.07, 0.28),
                at(shapes.sphere(0.013, BLACK, 8, 6), 0, 0.1, 0.29),
                *[at(shapes.sphere(0.011, BLACK, 8, 6), x, 0.078, 0.325) for x in (-0.03, 0.03)],
                at(shapes.ellipsoid((0.06, 0.02, 0.07), d.accent), 0, 0.075, 0.12),
            ]
        ),
    )
    d.grip((0, 0, 0.2), (0, 0, 1), (0, 1, 0))
