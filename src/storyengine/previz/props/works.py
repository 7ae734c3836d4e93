"""Works: what is pumped, pressed, ground, churned, hammered, wound and cranked."""

from __future__ import annotations

import math

from storyengine.previz.props.kit import (
    BRASS,
    CREAM,
    EMBER,
    IRON,
    STEEL,
    WATER,
    WHITE,
    WOOD,
    Draft,
    at,
    bar,
    bent,
    drum,
    shade,
    slab,
    wheel_disc,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import composed, merged, placement, shapes


@family((0.4, 0.96, 1.15), axes=("raised", "running", "turned", "wet"), surface="iron", accent=WOOD, carry="fixed")
def pump(d: Draft, s: Axes) -> None:
    """A hand pump: column, spout, long handle that goes up and down; running, water pours."""
    d.add(
        "column",
        lambda: d.own(
            merged(
                [
                    drum(0.2, 0.06, d.body),
                    shapes.lathe(
                        [
                            (0, 0.05),
                            (0.1, 0.05),
                            (0.085, 0.3),
                            (0.085, 0.85),
                            (0.12, 0.9),
                            (0.12, 1.0),
                            (0.06, 1.08),
                            (0, 1.1),
                        ],
                        d.body,
                    ),
                    bent([(0, 0.05, 0.78), (0, 0.22, 0.8), (0, 0.3, 0.7)], 0.045, d.body),
                ]
            )
        ),
    )
    lift = s.get("raised", s.get("turned", 0.35))
    d.add(
        "handle",
        lambda: merged(
            [bar((0, 0.1, 0.02), (0, -0.35, 0), 0.022, IRON), bar((0, -0.35, 0), (0, -0.62, -0.02), 0.03, d.accent)]
        ),
        placement((0, 0, 1.1), pitch=28 - 62 * lift),
    )
    if max(s.get("running", 0.0), s.get("wet", 0.0)) > 0.1:
        d.add(
            "water",
            lambda: merged(
                [
                    shapes.tube([(0, 0.3, 0.7), (0, 0.31, 0.4), (0, 0.31, 0.0)], 0.032, (0.62, 0.8, 0.9)),
                    at(shapes.cylinder(0.22, 0.012, WATER, 24), 0, 0.32, 0.008),
                ]
            ),
            glow=0.15,
        )
    a = math.radians(28 - 62 * lift)
    d.grip((0, -0.55 * math.cos(a), 1.1 - 0.55 * math.sin(a)), (0, -1, 0), (0, 0, 1))


@family(
    (0.8, 0.6, 1.4),
    axes=("turned", "raised", "open", "loaded"),
    surface="iron",
    colour=(0.24, 0.32, 0.28),
    accent=BRASS,
    carry="fixed",
)
def press(d: Draft, s: Axes) -> None:
    """A screw press: frame, platen that comes down as the bar on top is turned."""
    down = s.get("turned", 1 - max(s.get("raised", 0.0), s.get("open", 0.0)) if ("raised" in s or "open" in s) else 0.0)
    d.add(
        "frame",
        lambda: d.own(
            merged(
                [
                    slab(0.8, 0.55, 0.5, d.body, 0.02),
                    *[at(slab(0.09, 0.16, 0.62, d.body, 0.012), x, 0, 0.5) for x in (-0.34, 0.34)],
                    slab(0.78, 0.18, 0.13, d.body, 0.02, 1.1),
                ]
            )
        ),
    )
    d.add(
        "platen",
        lambda: merged([slab(0.56, 0.44, 0.05, d.accent, 0.01), bar((0, 0, 0.05), (0, 0, 0.62), 0.035, STEEL)]),
        placement((0, 0, 0.88 - 0.3 * down)),
    )
    d.add(
        "wheel",
        lambda: merged(
            [
                bar((-0.42, 0, 0), (0.42, 0, 0), 0.022, STEEL),
                *[at(shapes.sphere(0.055, d.accent), x) for x in (-0.42, 0.42)],
            ]
        ),
        placement((0, 0, 1.5 - 0.3 * down), yaw=130 * down),
    )
    if s.get("loaded", 0.0) > 0.3:
        d.add("work", lambda: slab(0.4, 0.34, 0.07, (0.93, 0.9, 0.82), 0.004, 0.5))
    d.rest("bed", 0.5, 0.5, 0.4)
    a = math.radians(130 * down)
    d.grip((0.42 * math.cos(a), -0.42 * math.sin(a), 1.5 - 0.3 * down), (0, 0, 1), (1, 0, 0))


@family((0.7, 0.6, 1.05), axes=("turned", "running", "fill"), surface="iron", accent=(0.78, 0.64, 0.36), carry="fixed")
def mill(d: Draft, s: Axes) -> None:
    """A mill: hopper on top, body on legs, a big hand wheel at its side."""
    d.add(
        "body",
        lambda: d.own(
            merged(
                [
                    slab(0.46, 0.46, 0.42, d.body, 0.03, 0.38),
                    *[
                        at(slab(0.07, 0.07, 0.4, shade(d.body, 0.8)), x, y)
                        for x in (-0.19, 0.19)
                        for y in (-0.19, 0.19)
                    ],
                    at(slab(0.26, 0.2, 0.04, shade(d.body, 0.7)), y=0.3, z=0.36),
                ]
            )
        ),
    )
    d.add(
        "hopper",
        lambda: at(shapes.lathe([(0.1, 0), (0.32, 0.27), (0.3, 0.27), (0.08, 0.0)], d.accent, 4, 10), z=0.79, yaw=45),
    )
    d.add(
        "wheel",
        lambda: merged([wheel_disc(0.27, 0.05, IRON, IRON, 5), bar((0.02, 0, 0.22), (0.14, 0, 0.22), 0.02, WOOD)]),
        placement((0.32, 0, 0.6), pitch=-200 * max(s.get("turned", 0.0), s.get("running", 0.0))),
    )
    if s.get("fill", 0.0) > 0.1:
        d.add(
            f"grain {d.content}",
            lambda: at(shapes.lathe([(0.0, 0.14), (0.235, 0.17), (0.0, 0.25)], d.content, 4, 10), z=0.84, yaw=45),
        )
    if s.get("running", 0.0) > 0.1:
        d.add(
            "meal",
            lambda: merged(
                [
                    at(shapes.cone(0.14, 0, 0.12, CREAM), 0, 0.42, 0.06),
                    bar((0, 0.38, 0.36), (0, 0.42, 0.1), 0.02, CREAM),
                ]
            ),
        )
    d.grip((0.46, 0, 0.82), (1, 0, 0), (0, 0, 1))


@family(
    (0.45, 0.45, 1.15),
    axes=("raised", "open"),
    surface="wood",
    colour=(0.78, 0.62, 0.42),
    accent=IRON,
    carry="two hands front",
)
def churn(d: Draft, s: Axes) -> None:
    """A butter churn: tapering staves and a plunger that goes up and down."""
    d.add("staves", lambda: d.own(shapes.lathe([(0, 0), (0.21, 0), (0.15, 0.66), (0, 0.66)], d.body)))
    d.add(
        "hoops",
        lambda: merged(
            [at(shapes.torus(r, 0.013, d.accent), z=z) for r, z in ((0.208, 0.06), (0.185, 0.3), (0.16, 0.58))]
        ),
    )
    up = s.get("raised", 0.0)
    d.add(
        "plunger",
        lambda: merged([bar((0, 0, 0), (0, 0, 0.5), 0.016, WOOD), bar((-0.1, 0, 0.46), (0.1, 0, 0.46), 0.02, WOOD)]),
        placement((0, 0, 0.64 + 0.28 * up - 0.02)),
    )
    d.add(
        "lid",
        lambda: drum(0.16, 0.035, shade(d.body, 0.85), 0.65),
        placement((0.3 * s.get("open", 0.0), 0, -0.62 * s.get("open", 0.0))),
    )
    d.grip((0, 0, 1.1 + 0.28 * up), (1, 0, 0), (0, 0, 1))


@family(
    (0.6, 0.36, 0.85),
    axes=("loaded",),
    surface="iron",
    colour=(0.26, 0.27, 0.29),
    accent=(0.55, 0.40, 0.27),
    carry="fixed",
)
def anvil(d: Draft, s: Axes) -> None:
    """An anvil with its horn on a stump."""
    d.add("stump", lambda: d.of("wood", drum(0.21, 0.48, d.accent)))
    d.add(
        "anvil",
        lambda: d.own(
            merged(
                [
                    slab(0.34, 0.26, 0.06, d.body, 0.01, 0.48),
                    slab(0.16, 0.16, 0.14, d.body, 0.02, 0.53),
                    slab(0.36, 0.19, 0.13, d.body, 0.01, 0.66),
                    at(shapes.cone(0.085, 0.012, 0.26, d.body), 0.3, 0, 0.73, roll=90),
                    at(slab(0.12, 0.14, 0.07, d.body), -0.22, 0, 0.72),
                ]
            )
        ),
    )
    if s.get("loaded", 0.0) > 0.3:
        d.add("iron", lambda: bar((-0.25, 0.02, 0.81), (0.2, -0.02, 0.81), 0.02, EMBER), glow=0.7)
    d.rest("face", 0.79, 0.34, 0.17)


@family(
    (0.8, 0.8, 1.0), axes=("open", "turned"), surface="iron", colour=(0.24, 0.25, 0.27), accent=STEEL, carry="fixed"
)
def vice(d: Draft, s: Axes) -> None:
    """A leg vice: two jaws, a screw with a bar."""
    gap = 0.12 * s.get("open", 0.0)
    d.add(
        "back",
        lambda: d.own(
            merged(
                [
                    at(slab(0.8, 0.34, 0.07, WOOD, 0.01), y=-0.28, z=0.86),
                    at(slab(0.12, 0.1, 0.95, d.body, 0.015), y=-0.06),
                    at(slab(0.28, 0.08, 0.12, d.body, 0.01), y=-0.03, z=0.88),
                    slab(0.3, 0.3, 0.05, shade(d.body, 0.8)),
                ]
            )
        ),
    )
    d.add(
        "front",
        lambda: d.own(
            merged(
                [
                    at(slab(0.12, 0.09, 0.6, d.body, 0.015), y=0.05, z=0.3),
                    at(slab(0.28, 0.08, 0.12, d.body, 0.01), y=0.04, z=0.88),
                ]
            )
        ),
        placement((0, gap, 0)),
    )
    d.add(
        "screw",
        lambda: merged(
            [bar((0, -0.05, 0.72), (0, 0.3, 0.72), 0.034, d.accent), at(shapes.sphere(0.045, d.accent), 0, 0.28, 0.72)]
        ),
        placement((0, gap, 0)),
    )
    d.add(
        "bar",
        lambda: merged(
            [
                bar((-0.16, 0, 0), (0.16, 0, 0), 0.012, d.accent),
                *[at(shapes.sphere(0.022, d.accent), x) for x in (-0.16, 0.16)],
            ]
        ),
        placement((0, 0.28 + gap, 0.72), roll=20 + 100 * s.get("turned", 0.0)),
    )
    d.grip((0.14, 0.28 + gap, 0.72), (1, 0, 0), (0, 1, 0))


@family(
    (1.1, 0.6, 1.05),
    axes=("turned", "wound", "running"),
    surface="wood",
    colour=WOOD,
    accent=(0.74, 0.60, 0.38),
    carry="fixed",
)
def windlass(d: Draft, s: Axes) -> None:
    """A drum between two posts with a cranked handle; wound, rope fills the drum; unwound, it hangs down."""
    wound = s.get("wound", 0.5)
    turn = 160 * s.get("turned", s.get("running", 0.0)) + 300 * wound
    d.add(
        "posts",
        lambda: d.own(
            merged(
                [at(slab(0.1, 0.12, 1.05, d.body), x) for x in (-0.4, 0.4)]
                + [at(slab(0.12, 0.6, 0.08, d.body), x) for x in (-0.4, 0.4)]
            )
        ),
    )
    d.add(
        "drum",
        lambda: d.own(
            merged(
                [
                    at(shapes.cylinder(0.1, 0.7, shade(d.body, 0.8), 18), roll=90),
                    *[
                        bar(
                            (-0.3, -0.3 * math.cos(a), -0.3 * math.sin(a)),
                            (-0.3, 0.3 * math.cos(a), 0.3 * math.sin(a)),
                            0.02,
                            d.body,
                        )
                        for a in (0.3, 1.87)
                    ],
                ]
            )
        ),
        placement((0, 0, 0.8), pitch=-turn),
    )
    d.add(
        "handle",
        lambda: merged(
            [
                bar((0.4, 0, 0), (0.52, 0, 0), 0.022, IRON),
                bar((0.52, 0, 0), (0.52, 0.26, 0), 0.02, IRON),
                bar((0.52, 0.26, 0), (0.68, 0.26, 0), 0.026, (0.2, 0.16, 0.13)),
            ]
        ),
        placement((0, 0, 0.8), pitch=-turn),
    )
    turns = max(1, round(8 * wound))
    d.add(
        f"rope {turns}",
        lambda: d.of(
            "rope",
            merged(
                [
                    at(shapes.torus(0.135, 0.032, d.accent, 22, 8), -0.2 + 0.058 * k, 0, 0.8, roll=90)
                    for k in range(turns)
                ]
            ),
        ),
    )
    d.add(
        "fall",
        lambda: d.of("rope", bar((0, 0, 0), (0, 0, -1), 0.03, d.accent)),
        placement((-0.2 + 0.058 * turns, 0.16, 0.8), scale=(1, 1, 0.12 + 0.66 * (1 - wound))),
    )
    a = math.radians(-turn)
    d.grip((0.6, 0.26 * math.cos(a), 0.8 + 0.26 * math.sin(a)), (1, 0, 0), (0, 0, 1))


@family(
    (0.34, 0.47, 1.16), axes=("turned", "running", "wound"), surface="iron", accent=(0.72, 0.22, 0.18), carry="fixed"
)
def crank(d: Draft, s: Axes) -> None:
    """A gear case on a stand with a cranked handle in front."""
    turn = 200 * max(s.get("turned", 0.0), s.get("running", 0.0), s.get("wound", 0.0))
    d.add(
        "case",
        lambda: d.own(
            merged(
                [
                    slab(0.3, 0.3, 0.05, d.body),
                    slab(0.14, 0.14, 0.75, d.body, 0.01),
                    at(shapes.cylinder(0.17, 0.16, d.body, 24, 0.01), z=0.85, pitch=90),
                ]
            )
        ),
    )
    d.add(
        "handle",
        lambda: merged(
            [
                at(shapes.cylinder(0.04, 0.1, STEEL, 14), y=0.1, pitch=90),
                at(slab(0.05, 0.03, 0.3, STEEL, 0.006), y=0.14),
                bar((0, 0.14, 0.28), (0, 0.32, 0.28), 0.026, d.accent),
            ]
        ),
        placement((0, 0, 0.85), roll=turn),
    )
    a = math.radians(turn)
    d.grip((0.28 * math.sin(a), 0.24, 0.85 + 0.28 * math.cos(a)), (0, 1, 0), (0, 0, 1))


@family((1.3, 0.8, 1.2), axes=("running", "turned"), surface="painted", accent=IRON, carry="fixed")
def engine(d: Draft, s: Axes) -> None:
    """A machine with a cylinder, a flywheel that turns, and a chimney that smokes when it runs."""
    run = s.get("running", 0.0)
    turn = 200 * max(run, s.get("turned", 0.0))
    d.add(
        "bed",
        lambda: d.own(
            merged(
                [
                    slab(1.25, 0.7, 0.22, shade(d.body, 0.8), 0.02),
                    slab(0.6, 0.46, 0.5, d.body, 0.03, 0.22).moved(placement((0.25, 0, 0))),
                    at(shapes.cylinder(0.17, 0.5, d.body, 22), -0.28, 0, 0.5, roll=90),
                    at(slab(0.3, 0.3, 0.16, shade(d.body, 0.9), 0.02), -0.3, 0, 0.2),
                ]
            )
        ),
    )
    d.add(
        "pipes",
        lambda: merged(
            [
                bent([(-0.3, 0, 0.66), (-0.3, 0, 0.95), (0.1, 0, 1.0), (0.2, 0, 0.72)], 0.035, BRASS),
                bar((0.4, -0.1, 0.7), (0.4, -0.1, 1.2), 0.06, IRON),
                at(shapes.cylinder(0.09, 0.05, CREAM, 20), 0.2, 0.25, 0.56, pitch=90),
            ]
        ),
    )
    d.add(
        "flywheel",
        lambda: merged(
            [wheel_disc(0.36, 0.08, d.accent, shade(d.accent, 0.8), 5), at(slab(0.09, 0.09, 0.03, WHITE, 0), z=0.32)]
        ),
        composed(placement((0.25, 0.42, 0.5), yaw=90), placement(pitch=-turn)),
    )
    if run > 0.1:
        d.add(
            "smoke",
            lambda: merged(
                [
                    at(shapes.sphere(0.07 + 0.03 * k, (0.86, 0.87, 0.88), 10, 7), 0.4 + 0.06 * k, -0.1, 1.28 + 0.13 * k)
                    for k in range(4)
                ]
            ),
            glow=0.2,
        )
        d.add("lamp", lambda: at(shapes.sphere(0.045, (0.45, 0.95, 0.4)), 0.42, 0.24, 0.66), glow=run)
    d.rest("top", 0.72, 0.5, 0.4, x=0.25)
    d.grip((0.25, 0.5, 0.86), (1, 0, 0), (0, 1, 0))


@family(
    (0.66, 0.5, 0.68),
    axes=("running", "turned"),
    surface="brass",
    colour=(0.72, 0.56, 0.27),
    accent=WOOD,
    carry="two hands front",
)
def bell(d: Draft, s: Axes) -> None:
    """A bell on a beam; ringing, it swings and the clapper shows."""
    swing = 38 * max(s.get("running", 0.0), s.get("turned", 0.0))
    pose = placement((0, 0, 0.62), roll=swing)
    d.add(
        "mouth",
        lambda: d.own(
            shapes.lathe(
                [
                    (0.25, -0.56),
                    (0.24, -0.52),
                    (0.17, -0.36),
                    (0.14, -0.2),
                    (0.1, -0.1),
                    (0.03, -0.07),
                    (0, -0.07),
                    (0, -0.1),
                    (0.09, -0.13),
                    (0.12, -0.22),
                    (0.15, -0.36),
                    (0.22, -0.55),
                    (0.25, -0.56),
                ],
                d.body,
                30,
            )
        ),
        pose,
    )
    d.add(
        "bands",
        lambda: merged(
            [
                at(shapes.torus(0.245, 0.012, shade(d.body, 0.75)), z=-0.53),
                at(shapes.torus(0.155, 0.008, shade(d.body, 0.75)), z=-0.29),
                at(shapes.torus(0.03, 0.012, shade(d.body, 0.7), 14, 6), z=-0.05, pitch=90),
            ]
        ),
        pose,
    )
    d.add(
        "clapper",
        lambda: merged([bar((0, 0, -0.1), (0, 0, -0.55), 0.015, IRON), at(shapes.sphere(0.05, IRON), z=-0.57)]),
        placement((0, 0, 0.62), roll=-swing * 0.5),
    )
    d.add(
        "beam",
        lambda: d.of(
            "wood",
            merged(
                [
                    at(slab(0.62, 0.08, 0.08, d.accent), z=0.6),
                    *[bar((x, 0, 0.62), (x, 0.0, 0), 0.03, d.accent) for x in (-0.3, 0.3)],
                    *[at(slab(0.06, 0.34, 0.05, d.accent), x) for x in (-0.3, 0.3)],
                ]
            ),
        ),
    )
    d.grip((0.15, 0.1, 0.2), (1, 0, 0), (0, 1, 0))
