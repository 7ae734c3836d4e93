"""Cloth, clothes as things, flags and umbrellas."""

from __future__ import annotations

import math

from storyengine.previz.props.kit import (
    BRASS,
    CREAM,
    IRON,
    STEEL,
    WHITE,
    WOOD,
    Draft,
    at,
    bar,
    bent,
    shade,
    slab,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import merged, placement, shapes


@family((0.86, 0.14, 1.95), axes=("raised", "spread", "open"), surface="cloth", accent=WHITE, wall=False)
def flag(d: Draft, s: Axes) -> None:
    """A flag on a pole; lowered it hangs half way down, furled it is rolled around the pole."""
    d.add(
        "pole",
        lambda: merged(
            [d.of("wood", bar((-0.4, 0, 0), (-0.4, 0, 1.9), 0.02, WOOD)), at(shapes.sphere(0.04, BRASS), -0.4, 0, 1.92)]
        ),
    )
    flying = s.get("spread", s.get("open", 1.0)) > 0.5
    height = 1.3 * s.get("raised", 1.0) + 0.28 * (1 - s.get("raised", 1.0))
    if flying:
        d.add(
            "cloth",
            lambda: d.own(
                at(shapes.sheet(0.8, 0.5, lambda u, v: 0.07 * math.sin(u * 8) * u, d.body, (20, 6)), pitch=90)
            ),
            placement((0.02, 0, height + 0.27)),
        )
        if d.look.pattern == "plain":
            d.add(
                "stripe",
                lambda: at(
                    shapes.sheet(0.8, 0.12, lambda u, v: 0.07 * math.sin(u * 8) * u - 0.003, d.accent, (20, 2)),
                    pitch=90,
                ),
                placement((0.02, -0.0, height + 0.27)),
            )
            d.add(
                "stripe back",
                lambda: at(
                    shapes.sheet(0.8, 0.12, lambda u, v: 0.07 * math.sin(u * 8) * u + 0.003, d.accent, (20, 2)),
                    pitch=90,
                ),
                placement((0.02, 0.0, height + 0.27)),
            )
    else:
        d.add(
            "furled",
            lambda: merged(
                [
                    at(shapes.capsule(0.055, 0.045, 0.75, d.body), -0.37, 0, -0.35),
                    *[at(shapes.torus(0.055, 0.01, d.accent, 16, 6), -0.38, 0, z) for z in (-0.2, 0.1)],
                ]
            ),
            placement((0, 0, height + 0.2)),
        )
    d.grip((-0.4, 0, 0.5), (0, 0, 1), (0, 1, 0))


@family((0.95, 0.18, 0.12), axes=("open", "spread"), surface="cloth", accent=WOOD)
def umbrella(d: Draft, s: Axes) -> None:
    """Open, a canopy on the floor with the handle up-turned; shut, it lies rolled."""
    if s.get("open", s.get("spread", 0.0)) > 0.5:
        d.add(
            "canopy",
            lambda: d.own(
                merged(
                    [
                        shapes.lathe(
                            [
                                (0.5, 0.45),
                                (0.46, 0.56),
                                (0.34, 0.69),
                                (0.18, 0.77),
                                (0.0, 0.8),
                                (0.0, 0.79),
                                (0.18, 0.75),
                                (0.34, 0.67),
                                (0.46, 0.54),
                                (0.5, 0.45),
                            ],
                            d.body,
                            8,
                            50,
                        )
                    ]
                )
            ),
        )
        d.add(
            "stick",
            lambda: merged(
                [
                    bar((0, 0, 0.12), (0, 0, 0.86), 0.013, STEEL),
                    bent([(0, 0, 0.14), (0, 0.0, 0.04), (0.06, 0, 0.0), (0.1, 0, 0.05)], 0.018, d.accent),
                ]
            ),
        )
        d.grip((0, 0, 0.16), (0, 0, 1), (0, 1, 0))
    else:
        d.add("rolled", lambda: d.own(at(shapes.cone(0.06, 0.012, 0.62, d.body, 10), 0.1, 0, 0.06, roll=90)))
        d.add(
            "crook",
            lambda: merged(
                [
                    bar((0.4, 0, 0.06), (0.5, 0, 0.06), 0.01, STEEL),
                    bent(
                        [(-0.2, 0, 0.06), (-0.36, 0, 0.06), (-0.43, 0.05, 0.06), (-0.37, 0.11, 0.06)], 0.018, d.accent
                    ),
                    at(shapes.torus(0.05, 0.008, shade(d.body, 0.6), 16, 6), 0.02, 0, 0.06, roll=90),
                ]
            ),
        )
        d.grip((-0.3, 0, 0.06), (1, 0, 0), (0, 0, 1))


@family((0.32, 0.32, 0.17), surface="cloth", accent=(0.25, 0.22, 0.22))
def hat(d: Draft, s: Axes) -> None:
    d.add(
        "crown",
        lambda: d.own(
            shapes.lathe(
                [(0.0, 0.0), (0.16, 0.0), (0.165, 0.012), (0.1, 0.02), (0.095, 0.1), (0.08, 0.15), (0, 0.16)],
                d.body,
                24,
            )
        ),
    )
    d.add("band", lambda: at(shapes.cylinder(0.101, 0.03, d.accent, 24), z=0.038))
    d.grip((0.14, 0, 0.01), (0, 1, 0), (1, 0, 0))


@family((0.75, 0.2, 1.05), axes=("hung",), surface="cloth", accent=BRASS)
def coat(d: Draft, s: Axes) -> None:
    """A garment on a hanger: shoulders, sleeves, buttons; taken down, it lies folded."""
    if s.get("hung", 1.0) > 0.5:
        d.add(
            "cloth",
            lambda: d.own(
                merged(
                    [
                        at(
                            shapes.extruded(
                                [
                                    (-0.24, 0.0),
                                    (0.24, 0.0),
                                    (0.2, 0.5),
                                    (0.24, 0.82),
                                    (0.08, 0.93),
                                    (-0.08, 0.93),
                                    (-0.24, 0.82),
                                    (-0.2, 0.5),
                                ],
                                0.13,
                                d.body,
                            ),
                            y=0.065,
                            pitch=90,
                        ),
                        *[
                            at(shapes.capsule(0.05, 0.07, 0.5, d.body), sx * 0.34, 0, 0.3, roll=sx * -14)
                            for sx in (-1, 1)
                        ],
                    ]
                )
            ),
        )
        d.add(
            "front",
            lambda: merged(
                [
                    at(slab(0.012, 0.012, 0.78, shade(d.body, 0.6), 0), y=0.066, z=0.04),
                    *[at(shapes.sphere(0.018, d.accent, 10, 6), 0.035, 0.07, 0.2 + 0.16 * k) for k in range(4)],
                    *[at(slab(0.13, 0.012, 0.1, shade(d.body, 0.8), 0.003), x, 0.067, 0.22) for x in (-0.14, 0.14)],
                    at(
                        shapes.extruded([(-0.1, 0.93), (0, 0.68), (0.1, 0.93)], 0.014, shade(d.body, 0.75)),
                        y=0.078,
                        pitch=90,
                    ),
                    bent([(0, 0, 0.93), (0, 0, 1.02), (0.04, 0, 1.05), (0.05, 0, 1.0)], 0.008, IRON),
                ]
            ),
        )
        d.grip((0, 0, 0.95), (1, 0, 0), (0, 0, 1))
    else:
        d.add(
            "folded",
            lambda: d.own(
                merged(
                    [
                        slab(0.46, 0.34, 0.05, d.body, 0.02),
                        slab(0.42, 0.3, 0.045, shade(d.body, 0.92), 0.02, 0.05),
                        at(slab(0.1, 0.24, 0.03, shade(d.body, 0.8), 0.012), 0.1, 0, 0.09),
                    ]
                )
            ),
        )
        d.add(
            "buttons",
            lambda: merged([at(shapes.sphere(0.018, d.accent, 10, 6), -0.1, -0.1 + 0.09 * k, 0.1) for k in range(3)]),
        )
        d.grip((0, 0.15, 0.06), (1, 0, 0), (0, 1, 0))


@family((0.3, 0.32, 0.32), surface="leather", colour=(0.30, 0.20, 0.14))
def boots(d: Draft, s: Axes) -> None:
    d.add(
        "pair",
        lambda: d.own(
            merged(
                [
                    at(
                        merged(
                            [
                                shapes.lathe(
                                    [
                                        (0, 0.05),
                                        (0.055, 0.05),
                                        (0.05, 0.2),
                                        (0.06, 0.32),
                                        (0.05, 0.32),
                                        (0.04, 0.22),
                                        (0, 0.22),
                                    ],
                                    d.body,
                                    16,
                                ),
                                at(shapes.ellipsoid((0.05, 0.13, 0.055), d.body), y=0.07, z=0.06),
                                at(slab(0.1, 0.25, 0.022, (0.12, 0.1, 0.09), 0.006), y=0.06),
                            ]
                        ),
                        x,
                        -0.05,
                        yaw=t,
                    )
                    for x, t in ((-0.08, -6), (0.08, 8))
                ]
            )
        ),
    )
    d.add(
        "tops", lambda: merged([at(shapes.torus(0.058, 0.008, d.accent, 18, 6), x, -0.05, 0.31) for x in (-0.08, 0.08)])
    )
    d.grip((0, -0.05, 0.3), (1, 0, 0), (0, 0, 1))


@family((0.3, 0.26, 0.05), surface="leather", colour=(0.66, 0.48, 0.30))
def gloves(d: Draft, s: Axes) -> None:
    d.add(
        "pair",
        lambda: d.own(
            merged(
                [
                    at(
                        merged(
                            [
                                at(shapes.ellipsoid((0.05, 0.06, 0.018), d.body), z=0.018),
                                *[
                                    at(
                                        shapes.capsule(0.013, 0.011, 0.065, d.body, 10),
                                        -0.033 + 0.022 * k,
                                        0.045,
                                        0.018,
                                        pitch=-90,
                                    )
                                    for k in range(4)
                                ],
                                at(
                                    shapes.capsule(0.014, 0.012, 0.05, d.body, 10),
                                    0.042 * m,
                                    0.0,
                                    0.018,
                                    pitch=-90,
                                    yaw=45 * m,
                                ),
                                at(slab(0.09, 0.07, 0.03, shade(d.body, 0.8), 0.01), y=-0.075, z=0.004),
                            ]
                        ),
                        x,
                        0,
                        0,
                        yaw=t,
                    )
                    for x, t, m in ((-0.08, -8, 1), (0.08, 10, -1))
                ]
            )
        ),
    )
    d.grip((0.0, -0.06, 0.02), (0, 1, 0), (0, 0, 1))


@family((0.6, 0.45, 0.14), axes=("spread", "covered"), surface="cloth", accent=CREAM, carry="two hands front")
def blanket(d: Draft, s: Axes) -> None:
    """Folded in a stack, or spread flat with folds."""
    flat = s.get("spread", s.get("covered", 0.0))
    if flat > 0.5:
        d.add(
            "sheet",
            lambda: d.own(
                shapes.sheet(
                    1.3,
                    0.9,
                    lambda u, v: 0.012 + 0.012 * math.sin(u * 11 + v * 3) + 0.008 * math.sin(v * 9),
                    d.body,
                    (26, 18),
                )
            ),
        )
        if d.look.pattern == "plain":
            d.add(
                "border",
                lambda: merged(
                    [
                        shapes.sheet(1.3, 0.07, lambda u, v: 0.032 + 0.01 * math.sin(u * 11), d.accent, (26, 1)).moved(
                            placement((0, y, 0))
                        )
                        for y in (-0.38, 0.38)
                    ]
                ),
            )
    elif flat > 0.15:
        d.add(
            "crumpled",
            lambda: d.own(
                shapes.sheet(
                    0.8,
                    0.65,
                    lambda u, v: (
                        0.09
                        * math.sin(math.pi * u)
                        * math.sin(math.pi * v)
                        * (1.2 + math.sin(u * 17 + v * 6) + 0.7 * math.sin(v * 21 - u * 5))
                        + 0.005
                    ),
                    d.body,
                    (28, 24),
                )
            ),
        )
    else:
        d.add(
            "stack",
            lambda: d.own(
                merged(
                    [
                        slab(
                            0.6 - 0.01 * k,
                            0.44 - 0.01 * k,
                            0.034,
                            shade(d.body, 1.0 - 0.06 * (k % 2)),
                            0.015,
                            0.034 * k,
                        )
                        for k in range(4)
                    ]
                )
            ),
        )
        d.add("edge", lambda: merged([at(slab(0.605, 0.05, 0.14, d.accent, 0.01), y=0.12)]))
    d.grip((-0.28, 0, 0.06), (0, 1, 0), (-1, 0, 0))
    d.grip((0.28, 0, 0.06), (0, 1, 0), (1, 0, 0))
