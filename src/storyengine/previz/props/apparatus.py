"""Apparatus: scales, and what people listen to, speak into and look through."""

from __future__ import annotations

import math

from storyengine.previz.props.kit import (
    BLACK,
    BRASS,
    CREAM,
    IRON,
    RED,
    STEEL,
    WHITE,
    WOOD,
    Draft,
    at,
    bar,
    bent,
    drum,
    hollow,
    mix,
    shade,
    slab,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import merged, placement, shapes


@family(
    (0.9, 0.35, 0.8),
    axes=("raised", "fill", "loaded"),
    surface="brass",
    colour=BRASS,
    accent=(0.45, 0.30, 0.2),
    carry="two hands front",
)
def scales(d: Draft, s: Axes) -> None:
    """A beam balance with two pans: the left one sinks when it is loaded or full, and rises when it is raised."""
    load = max(s.get("fill", 0.0), s.get("loaded", 0.0))
    tilt = -13 * s["raised"] + 13 * (1 - s["raised"]) if "raised" in s else 13 * load
    d.add(
        "stand",
        lambda: d.own(
            merged(
                [
                    slab(0.4, 0.26, 0.06, d.accent, 0.01),
                    bar((0, 0, 0.05), (0, 0, 0.72), 0.022, d.body),
                    at(shapes.sphere(0.035, d.body), z=0.75),
                ]
            )
        ),
    )
    d.add(
        "beam",
        lambda: merged([bar((-0.38, 0, 0), (0.38, 0, 0), 0.016, d.body), at(slab(0.02, 0.01, 0.16, RED), z=-0.16)]),
        placement((0, 0.01, 0.7), roll=-tilt),
    )
    for k, x in enumerate((-0.38, 0.38)):
        z = 0.7 + x * math.sin(math.radians(tilt))
        pose = placement((x, 0.01, z))
        d.add(
            f"pan {k}",
            lambda: merged(
                [
                    *[
                        bar((0, 0, 0), (0.13 * math.cos(a), 0.13 * math.sin(a), -0.36), 0.004, d.body)
                        for a in (0.3, 2.4, 4.5)
                    ],
                    at(hollow([(0.05, 0), (0.14, 0.05)], 0.006, d.body), z=-0.4),
                ]
            ),
            pose,
        )
        if k == 0 and load > 0.1:
            d.add(f"goods {d.content}", lambda: at(shapes.ellipsoid((0.11, 0.11, 0.08), d.content), z=-0.34), pose)
        if k == 1:
            d.add("weight", lambda: at(drum(0.045, 0.08, IRON), z=-0.39), pose)
    d.rest("pan", 0.33, 0.16, 0.16, x=-0.38)
    d.grip((0, 0, 0.5), (0, 0, 1), (0, 1, 0))


@family((0.7, 0.9, 1.25), axes=("loaded", "turned"), surface="painted", accent=WHITE, carry="fixed")
def weighing_machine(d: Draft, s: Axes) -> None:
    """A platform scale: low platform in front, a pillar with a dial whose pointer moves."""
    d.add(
        "base",
        lambda: d.own(
            merged([slab(0.66, 0.86, 0.14, d.body, 0.02), at(slab(0.2, 0.14, 0.85, d.body, 0.02), y=-0.34, z=0.12)])
        ),
    )
    d.add("plate", lambda: at(slab(0.58, 0.56, 0.025, shade(d.body, 0.6), 0.004), y=0.1, z=0.14))
    d.add(
        "dial",
        lambda: merged(
            [
                at(shapes.cylinder(0.2, 0.09, d.body, 26), y=-0.3, z=1.05, pitch=90),
                at(shapes.cylinder(0.17, 0.1, d.accent, 26), y=-0.3, z=1.05, pitch=90),
                *[
                    at(slab(0.012, 0.004, 0.03, BLACK, 0), 0.14 * math.sin(a), -0.248, 1.035 + 0.14 * math.cos(a))
                    for a in [k * math.pi / 6 for k in range(12)]
                ],
            ]
        ),
    )
    turn = 150 * max(s.get("loaded", 0.0), s.get("turned", 0.0))
    d.add("pointer", lambda: at(slab(0.018, 0.006, 0.14, RED, 0), z=0), placement((0, -0.24, 1.05), roll=100 - turn))
    if s.get("loaded", 0.0) > 0.3:
        d.add("load", lambda: at(slab(0.4, 0.36, 0.36, (0.79, 0.66, 0.45), 0.04), y=0.1, z=0.165))
    d.rest("platform", 0.165, 0.55, 0.54, y=0.1)


@family(
    (0.4, 0.4, 1.05),
    name="hanging scales",
    axes=("fill", "loaded", "raised"),
    surface="steel",
    colour=(0.72, 0.74, 0.75),
    accent=WHITE,
    carry="fixed",
    hangs=True,
)
def hanging_scales(d: Draft, s: Axes) -> None:
    """Hangs from its hook: a round dial, and one deep pan on three chains that sinks with its load."""
    load = max(s.get("fill", 0.0), s.get("loaded", 0.0), 1 - s["raised"] if "raised" in s else 0.0)
    d.add("hook", lambda: bent([(0, 0, 0), (0, 0, -0.08), (0, 0, -0.14)], 0.012, IRON))
    d.add(
        "dial",
        lambda: merged(
            [
                d.own(at(shapes.cylinder(0.17, 0.08, d.body, 28, 0.01), z=-0.3, pitch=90)),
                at(shapes.cylinder(0.145, 0.09, d.accent, 28), z=-0.3, pitch=90),
                *[
                    at(slab(0.01, 0.005, 0.03, BLACK, 0), 0.12 * math.sin(a), 0.045, -0.315 + 0.12 * math.cos(a))
                    for a in [k * math.pi / 6 for k in range(12)]
                ],
            ]
        ),
    )
    d.add("pointer", lambda: slab(0.016, 0.006, 0.12, RED, 0), placement((0, 0.05, -0.3), roll=-170 * load))
    drop = placement((0, 0, -0.06 * load))
    d.add(
        "pan",
        lambda: merged(
            [
                *[
                    bar((0, 0, -0.46), (0.17 * math.cos(a), 0.17 * math.sin(a), -0.86), 0.006, STEEL)
                    for a in (0.5, 2.6, 4.7)
                ],
                d.own(at(hollow([(0.1, 0), (0.17, 0.06), (0.185, 0.13)], 0.008, d.body), z=-0.98)),
            ]
        ),
        drop,
    )
    d.room((-0.15, -0.15, -0.96), (0.15, 0.15, -0.87))
    if max(s.get("fill", 0.0), s.get("loaded", 0.0)) > 0.05:
        d.add(f"heap {d.content}", lambda: at(shapes.ellipsoid((0.155, 0.155, 0.11), d.content), z=-0.88), drop)
    d.rest("pan", -0.95, 0.2, 0.2)


@family(
    (0.45, 0.23, 0.5),
    axes=("lit", "running"),
    surface="wood",
    colour=(0.46, 0.30, 0.2),
    accent=CREAM,
    carry="two hands front",
)
def radio(d: Draft, s: Axes) -> None:
    on = max(s.get("lit", 0.0), s.get("running", 0.0))
    d.add("case", lambda: d.own(slab(0.45, 0.2, 0.3, d.body, 0.035)))
    d.add(
        "front",
        lambda: merged(
            [
                at(slab(0.19, 0.012, 0.19, (0.75, 0.66, 0.48), 0.004), -0.1, 0.1, 0.055),
                *[at(slab(0.19, 0.016, 0.008, shade(d.body, 0.6), 0), -0.1, 0.1, 0.075 + 0.028 * k) for k in range(6)],
                *[at(shapes.cylinder(0.026, 0.03, d.accent, 16), x, 0.11, 0.07, pitch=90) for x in (0.06, 0.15)],
                bar((0.18, -0.05, 0.3), (0.22, -0.05, 0.5), 0.006, STEEL),
            ]
        ),
    )
    d.add(
        f"scale {on > 0.1}",
        lambda: at(
            slab(0.16, 0.012, 0.08, (1.0, 0.86, 0.5) if on > 0.1 else (0.3, 0.28, 0.24), 0.003), 0.105, 0.1, 0.15
        ),
        glow=on,
    )
    d.grip((-0.22, 0, 0.15), (0, 0, 1), (-1, 0, 0))
    d.grip((0.22, 0, 0.15), (0, 0, 1), (1, 0, 0))


@family(
    (0.26, 0.24, 0.2),
    axes=("raised", "open"),
    surface="painted",
    colour=(0.14, 0.14, 0.15),
    accent=WHITE,
    carry="two hands front",
)
def telephone(d: Draft, s: Axes) -> None:
    """A dial telephone; raised (off the hook), the handset lies beside it."""
    off = max(s.get("raised", 0.0), s.get("open", 0.0))
    d.add(
        "body",
        lambda: d.own(
            merged(
                [
                    shapes.lathe([(0, 0), (0.16, 0), (0.15, 0.03), (0.09, 0.11), (0, 0.12)], d.body, 4, 30).moved(
                        placement(yaw=45)
                    ),
                    at(slab(0.1, 0.05, 0.05, d.body, 0.01), z=0.1),
                ]
            )
        ),
    )
    d.add(
        "dial",
        lambda: at(
            merged(
                [
                    shapes.cylinder(0.058, 0.02, d.accent, 22),
                    *[
                        at(shapes.cylinder(0.009, 0.024, BLACK, 8), 0.04 * math.cos(a), 0.04 * math.sin(a))
                        for a in [0.6 * k for k in range(9)]
                    ],
                ]
            ),
            y=0.075,
            z=0.085,
            pitch=-48,
        ),
    )
    d.add(
        "handset",
        lambda: d.own(
            merged(
                [
                    bent([(-0.11, 0, -0.02), (-0.08, 0, 0.02), (0.08, 0, 0.02), (0.11, 0, -0.02)], 0.019, d.body),
                    *[at(shapes.cylinder(0.036, 0.035, d.body, 16), x, 0, -0.035) for x in (-0.11, 0.11)],
                ]
            )
        ),
        placement((0.24 * off, 0.06 * off, 0.17 * (1 - off) + 0.055 * off), yaw=60 * off),
    )
    d.grip((0.24 * off, 0.06 * off, 0.19 * (1 - off) + 0.07 * off), (1, 0, 0), (0, 0, 1))


@family(
    (0.55, 0.3, 0.45),
    axes=("lit", "running", "open"),
    surface="painted",
    colour=(0.70, 0.70, 0.66),
    accent=(0.3, 0.5, 0.6),
    carry="two hands front",
)
def computer(d: Draft, s: Axes) -> None:
    """A screen with keys in front; on, it glows with bars that are no writing."""
    on = max(s.get("lit", 0.0), s.get("running", 0.0), s.get("open", 0.0))
    d.add(
        "case",
        lambda: d.own(
            merged(
                [
                    at(slab(0.5, 0.06, 0.34, d.body, 0.012), z=0.08),
                    slab(0.2, 0.16, 0.02, d.body, 0.006),
                    at(slab(0.05, 0.04, 0.1, d.body), y=-0.02),
                ]
            )
        ),
    )
    d.add(
        "keys",
        lambda: merged(
            [
                at(slab(0.44, 0.14, 0.02, shade(d.body, 0.8), 0.004), y=0.2),
                *[
                    at(slab(0.034, 0.034, 0.012, WHITE, 0.002), -0.19 + 0.042 * k, 0.16 + 0.042 * j, 0.02)
                    for k in range(10)
                    for j in range(3)
                ],
            ]
        ),
    )
    d.add(
        f"screen {on > 0.1}",
        lambda: at(
            slab(0.45, 0.01, 0.28, mix(d.accent, WHITE, 0.25) if on > 0.1 else (0.1, 0.11, 0.12), 0), y=0.031, z=0.11
        ),
        glow=0.8 * on,
    )
    if on > 0.1:
        d.add(
            "bars",
            lambda: merged(
                [
                    at(
                        slab(0.05, 0.012, 0.06 + 0.03 * ((k * 3) % 5), (0.95, 0.8, 0.35), 0),
                        -0.15 + 0.075 * k,
                        0.034,
                        0.13,
                    )
                    for k in range(5)
                ]
            ),
            glow=0.8 * on,
        )
    d.grip((0, 0.03, 0.3), (1, 0, 0), (0, 1, 0))


@family(
    (0.55, 0.55, 1.45),
    axes=("turned",),
    surface="painted",
    colour=(0.18, 0.18, 0.2),
    accent=BRASS,
    carry="two hands front",
)
def camera(d: Draft, s: Axes) -> None:
    """A camera or telescope on a tripod, looking to +y."""
    turn = placement((0, 0, 1.15), yaw=70 * s.get("turned", 0.0))
    d.add(
        "tripod",
        lambda: d.of(
            "wood",
            merged(
                [
                    bar(
                        (0.03 * math.cos(a), 0.03 * math.sin(a), 1.12),
                        (0.3 * math.cos(a), 0.3 * math.sin(a), 0),
                        0.018,
                        WOOD,
                    )
                    for a in (0.52, 2.62, 4.71)
                ]
            ),
        ),
    )
    d.add(
        "body",
        lambda: d.own(
            merged([slab(0.2, 0.26, 0.2, d.body, 0.015), at(slab(0.26, 0.03, 0.26, d.body, 0.006), y=-0.14, z=-0.03)])
        ),
        turn,
    )
    d.add(
        "lens",
        lambda: merged(
            [
                at(shapes.cylinder(0.07, 0.14, d.accent, 20), y=0.2, z=0.1, pitch=90),
                at(shapes.cylinder(0.055, 0.15, (0.25, 0.35, 0.42), 20), y=0.2, z=0.1, pitch=90),
            ]
        ),
        turn,
    )
    d.grip((0.13, 0, 1.25), (0, 1, 0), (1, 0, 0))
