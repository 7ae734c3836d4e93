"""Food, heaps, and a token."""

from __future__ import annotations

import math

import numpy as np

from storyengine.previz.props.kit import (
    BLACK,
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


@family(
    (0.3, 0.22, 0.15), axes=("broken", "open"), surface="plain", colour=(0.80, 0.58, 0.32), accent=(0.93, 0.82, 0.62)
)
def loaf(d: Draft, s: Axes) -> None:
    """A round loaf with slashes; broken or cut, its crumb shows."""
    cut = max(s.get("broken", 0.0), s.get("open", 0.0)) > 0.4
    d.add(
        "loaf",
        lambda: merged([at(shapes.ellipsoid((0.15, 0.11, 0.08), d.body, 24, 14), z=0.07)]),
        placement(scale=(0.62, 1, 1)) if cut else None,
    )
    d.add(
        "slashes",
        lambda: merged(
            [
                at(
                    shapes.ellipsoid((0.012, 0.07, 0.012), d.accent, 10, 6),
                    -0.07 + 0.07 * k,
                    0,
                    0.145 - 0.012 * abs(k - 1),
                    yaw=25,
                )
                for k in range(3)
            ]
        ),
        placement(scale=(0.62, 1, 1)) if cut else None,
    )
    if cut:
        d.add(
            "crumb",
            lambda: merged(
                [
                    at(shapes.cylinder(0.085, 0.02, d.accent, 22), 0.06, 0, 0.075, roll=90),
                    at(shapes.ellipsoid((0.012, 0.1, 0.075), d.body), 0.16, 0.02, 0.012, yaw=10, roll=80),
                    at(shapes.cylinder(0.075, 0.012, d.accent, 20), 0.165, 0.02, 0.026, roll=2),
                ]
            ),
        )
    d.grip((0, 0, 0.08), (1, 0, 0), (0, 0, 1))


@family(
    (0.34, 0.34, 0.14),
    axes=("broken", "open"),
    surface="plain",
    colour=(0.93, 0.76, 0.34),
    accent=(0.97, 0.90, 0.62),
)
def cheese(d: Draft, s: Axes) -> None:
    """A wheel of cheese; cut, a wedge lies beside it."""
    cut = max(s.get("broken", 0.0), s.get("open", 0.0)) > 0.4

    def wedge(start: float, end: float) -> Mesh:
        arc = [(0.17 * math.cos(a), 0.17 * math.sin(a)) for a in np.linspace(start, end, 18)]
        return merged(
            [
                shapes.extruded([(0.0, 0.0), *arc], 0.13, d.accent),
                shapes.extruded([(0.002, 0.002), *[(x * 1.012, y * 1.012) for x, y in arc]], 0.118, d.body).moved(
                    placement((0, 0, 0.006))
                ),
            ]
        )

    if cut:
        d.add("wheel", lambda: merged([wedge(1.2, 2 * math.pi + 0.35)]))
        d.add("wedge", lambda: wedge(0.35, 1.2), placement((0.16, 0.1, 0)))
    else:
        d.add("whole", lambda: merged([drum(0.17, 0.13, d.body, bevel=0.02), drum(0.1, 0.004, d.accent, 0.128)]))
        d.add(
            "holes",
            lambda: merged(
                [
                    at(
                        shapes.cylinder(0.016, 0.006, shade(d.body, 0.7), 12),
                        0.1 * math.cos(a),
                        0.1 * math.sin(a),
                        0.13,
                    )
                    for a in (0.5, 1.7, 3.0, 4.4, 5.5)
                ]
            ),
        )
    d.grip((0.17, 0, 0.07), (0, 1, 0), (1, 0, 0))


@family((0.32, 0.06, 0.13), surface="plain", colour=(0.62, 0.68, 0.72), accent=(0.36, 0.44, 0.50))
def fish(d: Draft, s: Axes) -> None:
    d.add(
        "fish",
        lambda: merged(
            [
                at(shapes.ellipsoid((0.13, 0.028, 0.05), d.body, 22, 12), z=0.05),
                at(shapes.ellipsoid((0.125, 0.022, 0.03), d.accent, 20, 10), z=0.072),
                at(
                    shapes.extruded([(0, 0), (-0.075, 0.055), (-0.055, 0), (-0.075, -0.055)], 0.014, d.accent),
                    -0.115,
                    0.007,
                    0.05,
                    pitch=90,
                ),
                at(shapes.extruded([(-0.03, 0), (0.03, 0), (-0.02, 0.04)], 0.01, d.accent), 0.0, 0.005, 0.09, pitch=90),
                *[at(shapes.sphere(0.009, BLACK, 8, 6), 0.095, y, 0.058) for y in (-0.02, 0.02)],
            ]
        ),
    )
    d.grip((0, 0, 0.05), (1, 0, 0), (0, 0, 1))


@family((0.24, 0.2, 0.15), surface="plain", colour=(0.78, 0.22, 0.17), accent=(0.38, 0.55, 0.25))
def fruit(d: Draft, s: Axes) -> None:
    spots = ((-0.06, 0.0, 0.045), (0.05, 0.03, 0.045), (0.01, -0.06, 0.045), (0.0, 0.0, 0.115))
    d.add(
        "fruit",
        lambda: merged(
            [
                at(shapes.ellipsoid((0.048, 0.048, 0.045), shade(d.body, 0.92 + 0.06 * k), 16, 10), *p)
                for k, p in enumerate(spots)
            ]
            + [bar((x, y, z + 0.035), (x + 0.012, y, z + 0.065), 0.004, (0.35, 0.24, 0.15)) for x, y, z in spots]
            + [at(shapes.ellipsoid((0.024, 0.01, 0.004), d.accent, 10, 6), 0.03, 0, 0.172)]
        ),
    )
    d.grip((0, 0, 0.07), (1, 0, 0), (0, 0, 1))


@family((0.7, 0.7, 0.3), axes=("spread", "fill"), surface="plain", colour=(0.70, 0.58, 0.40), carry="two hands front")
def heap(d: Draft, s: Axes) -> None:
    """A heap of loose stuff, no larger than two arms can hold; spread, it lies flat."""
    flat = s.get("spread", 0.0)
    size = s.get("fill", 1.0)
    pose = placement(
        scale=(
            (1 + 0.25 * flat) * (0.35 + 0.65 * size),
            (1 + 0.25 * flat) * (0.35 + 0.65 * size),
            (1 - 0.8 * flat) * (0.2 + 0.8 * size),
        )
    )
    d.add(
        "mound",
        lambda: merged(
            [
                shapes.lathe([(0, 0), (0.33, 0), (0.25, 0.07), (0.13, 0.22), (0.05, 0.28), (0, 0.29)], d.body, 22, 70),
                lumps(40, 0.03, (0.54, 0.54), d.body, 13, 0.02),
            ]
        ),
        pose,
    )
    d.grip((-0.3, 0, 0.04), (0, 1, 0), (-1, 0, 0))
    d.grip((0.3, 0, 0.04), (0, 1, 0), (1, 0, 0))


@family((0.09, 0.09, 0.02), surface="brass", colour=(0.85, 0.68, 0.30))
def medal(d: Draft, s: Axes) -> None:
    """A round token on a ribbon."""
    d.add(
        "token",
        lambda: d.own(
            merged(
                [
                    drum(0.035, 0.008, d.body, 0.0, 24, 0.002),
                    at(shapes.torus(0.03, 0.003, shade(d.body, 0.75), 22, 6), z=0.008),
                ]
            )
        ),
    )
    d.add(
        "ribbon",
        lambda: merged(
            [at(slab(0.022, 0.06, 0.003, d.accent, 0), x, 0.06, yaw=t) for x, t in ((-0.012, -14), (0.012, 14))]
        ),
    )
    d.grip((0, 0, 0.006), (1, 0, 0), (0, 0, 1))
