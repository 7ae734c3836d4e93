"""Books, papers and maps: shut or folded, open or spread. Lines stand for writing; there are no letters."""

from __future__ import annotations

import math
from functools import partial

from storyengine.previz.props.kit import (
    CREAM,
    RED,
    Draft,
    at,
    bar,
    drum,
    mix,
    shade,
    slab,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, merged, placement, shapes


@family((0.24, 0.32, 0.06), axes=("open",), surface="leather", accent=CREAM, carry="one hand low")
def book(d: Draft, s: Axes) -> None:
    """Shut, a thick cover with pages; open, two white halves with lines."""
    opened = s.get("open", 0.0)
    if opened < 0.5:
        d.add("pages", lambda: at(slab(0.21, 0.29, 0.04, (0.95, 0.93, 0.86), 0.002, 0.008), 0.008))
        d.add(
            "covers",
            lambda: d.own(
                merged(
                    [
                        slab(0.24, 0.32, 0.009, d.body, 0.002),
                        slab(0.24, 0.32, 0.009, d.body, 0.002, 0.047),
                        at(slab(0.016, 0.32, 0.056, shade(d.body, 0.8), 0.006), -0.115),
                    ]
                )
            ),
        )
        d.add(
            "label",
            lambda: merged(
                [
                    at(slab(0.13, 0.07, 0.002, d.accent, 0, 0.056), 0.01, 0.07),
                    at(slab(0.05, 0.325, 0.058, shade(d.body, 0.7), 0.002), -0.06),
                ]
            ),
        )
    else:
        d.add("spread cover", lambda: d.own(slab(0.5, 0.33, 0.008, d.body, 0.003)))
        d.add(
            "spread pages",
            lambda: merged(
                [
                    at(slab(0.23, 0.3, 0.022, (0.96, 0.95, 0.90), 0.008, 0.006), x, roll=r)
                    for x, r in ((-0.12, -3), (0.12, 3))
                ]
                + [
                    at(slab(0.16, 0.008, 0.002, (0.55, 0.55, 0.58), 0, 0.034), x, 0.11 - 0.036 * k)
                    for x in (-0.12, 0.12)
                    for k in range(7)
                ]
            ),
        )
    d.grip((0.1, 0, 0.03), (0, 1, 0), (1, 0, 0))


@family(
    (0.22, 0.3, 0.012),
    axes=("spread", "open", "broken", "fastened"),
    surface="paper",
    colour=(0.95, 0.93, 0.87),
    accent=RED,
)
def paper(d: Draft, s: Axes) -> None:
    """A sheet with lines; folded it is an envelope, sealed it carries wax, torn it is in two."""
    flat = s.get("spread", s.get("open", 1.0)) > 0.5
    if s.get("broken", 0.0) > 0.4:
        for k, (x, turn) in enumerate(((-0.07, -10), (0.08, 14))):
            d.add(
                f"half {k}",
                partial(_torn, d, k),
                placement((x, 0, 0.001 + 0.003 * k), yaw=turn),
            )
    elif flat and s.get("fastened", 0.0) < 0.4:
        d.add(
            "sheet",
            lambda: merged(
                [
                    shapes.sheet(0.22, 0.3, lambda u, v: 0.006 + 0.012 * (u - 0.5) ** 2 * 4, d.body, (8, 2)),
                    *[
                        at(
                            slab(0.15 - 0.03 * (k % 3 == 2), 0.006, 0.001, (0.4, 0.42, 0.48), 0, 0.008),
                            -0.01,
                            0.1 - 0.03 * k,
                        )
                        for k in range(7)
                    ],
                ]
            ),
        )
    else:
        d.add(
            "envelope",
            lambda: merged(
                [
                    slab(0.22, 0.14, 0.008, d.body, 0.002),
                    *[bar((x, 0.07, 0.009), (0, -0.005, 0.009), 0.002, shade(d.body, 0.6)) for x in (-0.11, 0.11)],
                ]
            ),
        )
        d.add("seal", lambda: drum(0.022, 0.008, d.accent, 0.008))
    d.grip((0.1, 0, 0.006), (0, 1, 0), (1, 0, 0))


@family(
    (0.8, 0.55, 0.05),
    axes=("spread", "open"),
    surface="paper",
    colour=(0.90, 0.84, 0.66),
    accent=(0.35, 0.5, 0.58),
    carry="two hands front",
)
def map_(d: Draft, s: Axes) -> None:
    """Spread, a big sheet with coast, route and grid; rolled up, a scroll with a ribbon."""
    if s.get("spread", s.get("open", 1.0)) > 0.5:
        d.add(
            "sheet",
            lambda: merged(
                [
                    shapes.sheet(0.8, 0.55, lambda u, v: 0.008 + 0.01 * abs(math.sin(u * 9.4)), d.body, (16, 2)),
                    at(
                        shapes.extruded(
                            [(-0.3, -0.2), (0.0, -0.22), (0.1, -0.08), (-0.02, 0.05), (0.06, 0.2), (-0.3, 0.2)],
                            0.002,
                            mix(d.accent, d.body, 0.35),
                        ),
                        z=0.019,
                    ),
                    *[
                        bar((-0.3 + 0.2 * k, -0.25, 0.021), (-0.3 + 0.2 * k, 0.25, 0.021), 0.002, shade(d.body, 0.6), 4)
                        for k in range(4)
                    ],
                    shapes.tube([(0.35, -0.15, 0.022), (0.2, 0.0, 0.022), (0.24, 0.15, 0.022)], 0.006, RED, 5),
                ]
            ),
        )
    else:
        d.add(
            "scroll",
            lambda: merged(
                [
                    at(shapes.cylinder(0.04, 0.6, d.body, 18), z=0.04, roll=90),
                    at(shapes.torus(0.041, 0.008, RED, 20, 6), z=0.04, roll=90),
                    *[at(shapes.cylinder(0.02, 0.605, shade(d.body, 0.6), 14), z=0.04, roll=90)],
                ]
            ),
        )
    d.grip((-0.3, 0, 0.03), (1, 0, 0), (0, 0, 1))
    d.grip((0.3, 0, 0.03), (1, 0, 0), (0, 0, 1))


def _torn(d: Draft, k: int) -> Mesh:
    """The left or right half of a torn sheet."""
    edge = [(0.04 + 0.01 * k, -0.14), (0.03, -0.05), (0.06, 0.0), (0.03, 0.06), (0.05, 0.14)]
    return at(shapes.extruded([(-0.05, -0.14), *edge, (-0.05, 0.14)], 0.004, d.body), yaw=180 * k)
