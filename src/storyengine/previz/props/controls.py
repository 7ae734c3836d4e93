"""Controls: levers, valves, boards and dials. Where they stand is what they say."""

from __future__ import annotations

import math

from storyengine.previz.props.kit import (
    BLACK,
    BRASS,
    IRON,
    RED,
    STEEL,
    WHITE,
    Draft,
    at,
    bar,
    shade,
    slab,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import merged, placement, shapes


@family((0.3, 0.5, 1.25), axes=("turned", "raised"), surface="iron", accent=RED, carry="fixed")
def lever(d: Draft, s: Axes) -> None:
    """A floor lever in a quadrant: upright when straight or raised, pulled forward when turned or lowered."""
    turn = s.get("turned", 1 - s["raised"] if "raised" in s else 0.0)
    d.add(
        "base",
        lambda: merged(
            [
                slab(0.3, 0.5, 0.06, IRON, 0.01),
                *[
                    at(
                        shapes.extruded([(-0.2, 0), (0.2, 0), (0.14, 0.2), (-0.14, 0.2)], 0.025, shade(IRON, 1.2)),
                        x,
                        0,
                        0.06,
                        yaw=90,
                        pitch=90,
                    )
                    for x in (-0.09, 0.06)
                ],
            ]
        ),
    )
    d.add(
        "arm",
        lambda: d.own(merged([bar((0, 0, 0), (0, 0, 1.0), 0.026, d.body)])),
        placement((0, 0, 0.15), pitch=-62 * turn + 12),
    )
    d.add(
        "knob",
        lambda: merged([at(shapes.sphere(0.06, d.accent), z=1.03), bar((0, 0, 0.86), (0, 0, 1.0), 0.034, d.accent)]),
        placement((0, 0, 0.15), pitch=-62 * turn + 12),
    )
    a = math.radians(-62 * turn + 12)
    d.grip((0, -1.0 * math.sin(a), 0.15 + 1.0 * math.cos(a)), (0, -math.sin(a), math.cos(a)), (0, -1, 0))


@family(
    (0.5, 0.4, 0.95),
    axes=("turned", "open", "across", "wet", "running"),
    surface="iron",
    accent=(0.74, 0.20, 0.16),
    carry="fixed",
)
def valve(d: Draft, s: Axes) -> None:
    """A valve on a pipe with a hand wheel; open, the wheel is turned up its spindle and a white arm lies in line."""
    opened = max(s.get("turned", 0.0), s.get("open", 0.0), 1 - s["across"] if "across" in s else 0.0)
    d.add(
        "body",
        lambda: d.own(
            merged(
                [
                    at(shapes.cylinder(0.1, 0.5, d.body, 20), z=0.3, roll=90),
                    *[at(shapes.cylinder(0.15, 0.04, d.body, 20), x, 0, 0.3, roll=90) for x in (-0.23, 0.23)],
                    shapes.lathe([(0.12, 0.25), (0.15, 0.38), (0.07, 0.55), (0.06, 0.66), (0, 0.66)], d.body),
                    slab(0.2, 0.22, 0.22, shade(d.body, 0.8)),
                ]
            )
        ),
    )
    d.add(
        "wheel",
        lambda: merged(
            [
                at(shapes.torus(0.2, 0.022, d.accent, 30, 8)),
                *[
                    bar(
                        (-0.19 * math.cos(a), -0.19 * math.sin(a), 0),
                        (0.19 * math.cos(a), 0.19 * math.sin(a), 0),
                        0.014,
                        d.accent,
                    )
                    for a in (0.2, 1.25, 2.3)
                ],
                at(shapes.sphere(0.03, WHITE, 10, 6), 0.2),
                bar((0, 0, -0.3), (0, 0, 0.03), 0.02, STEEL),
            ]
        ),
        placement((0, 0, 0.8 + 0.12 * opened), yaw=200 * opened),
    )
    d.add(
        "arm",
        lambda: at(slab(0.34, 0.03, 0.04, WHITE, 0.004), y=0.17, z=-0.02),
        placement((0, 0, 0.52), roll=90 * (1 - opened)),
    )
    if max(s.get("running", 0.0), s.get("wet", 0.0)) > 0.1:
        d.add(
            "jet",
            lambda: shapes.tube([(0.25, 0, 0.3), (0.42, 0, 0.28), (0.5, 0, 0.02)], 0.05, (0.62, 0.8, 0.9)),
            glow=0.15,
        )
    d.grip((-0.2, 0, 0.8 + 0.12 * opened), (0, 1, 0), (0, 0, 1))
    d.grip((0.2, 0, 0.8 + 0.12 * opened), (0, 1, 0), (0, 0, 1))


@family(
    (1.2, 0.4, 1.9),
    axes=("lit", "running", "turned"),
    surface="painted",
    colour=(0.30, 0.36, 0.36),
    accent=BRASS,
    carry="fixed",
    wall=True,
)
def switchboard(d: Draft, s: Axes) -> None:
    """An upright panel with dials, knife switches and a row of lamps that glow when it is on."""
    on = max(s.get("lit", 0.0), s.get("running", 0.0))
    d.add(
        "panel",
        lambda: d.own(
            merged(
                [
                    slab(1.2, 0.3, 1.9, d.body, 0.02),
                    at(slab(1.1, 0.02, 1.3, shade(d.body, 0.72), 0.005), y=0.155, z=0.5),
                ]
            )
        ),
    )
    d.add(
        "dials",
        lambda: merged(
            [at(shapes.cylinder(0.13, 0.05, d.accent, 22), x, 0.17, 1.6, pitch=90) for x in (-0.36, 0, 0.36)]
            + [at(shapes.cylinder(0.11, 0.06, WHITE, 22), x, 0.17, 1.6, pitch=90) for x in (-0.36, 0, 0.36)]
        ),
    )
    d.add(
        "pointers",
        lambda: merged([at(slab(0.014, 0.006, 0.09, RED, 0), 0, 0, 0)]),
        placement((-0.36, 0.205, 1.6), roll=50 - 100 * on),
    )
    d.add("pointer 2", lambda: at(slab(0.014, 0.006, 0.09, RED, 0)), placement((0, 0.205, 1.6), roll=50 - 90 * on))
    d.add("pointer 3", lambda: at(slab(0.014, 0.006, 0.09, RED, 0)), placement((0.36, 0.205, 1.6), roll=50 - 80 * on))
    for k in range(5):
        x = -0.44 + 0.22 * k
        d.add(
            f"lamp {on > 0.1}",
            lambda: at(shapes.sphere(0.055, (1.0, 0.75, 0.3) if on > 0.1 else (0.3, 0.24, 0.2), 12, 8)),
            placement((x, 0.17, 1.32)),
            glow=on,
        )
        flip = max(on, s.get("turned", 0.0))
        d.add(
            "switch",
            lambda: merged(
                [
                    at(slab(0.04, 0.03, 0.2, d.accent, 0.004)),
                    at(slab(0.07, 0.05, 0.07, (0.15, 0.14, 0.14), 0.01), z=0.18),
                ]
            ),
            placement((x, 0.17, 0.95), pitch=-140 * (1 - flip)),
        )
        d.add(
            "clips",
            lambda: merged([at(slab(0.06, 0.04, 0.05, d.accent, 0.004), y=0.165, z=z) for z in (0.78, 0.95, 1.12)]),
            placement((x, 0, 0)),
        )
    d.grip((0.0, 0.24, 1.1), (1, 0, 0), (0, 1, 0))


@family((0.45, 0.4, 1.15), axes=("turned",), surface="brass", colour=BRASS, accent=RED, carry="fixed")
def telegraph(d: Draft, s: Axes) -> None:
    """A ship's order telegraph: pedestal, a drum with a segmented dial, a handle that swings forward."""
    d.add(
        "pedestal",
        lambda: d.own(
            merged(
                [
                    shapes.lathe(
                        [(0, 0), (0.2, 0), (0.18, 0.05), (0.075, 0.14), (0.065, 0.72), (0.1, 0.78), (0, 0.8)], d.body
                    ),
                    at(shapes.cylinder(0.2, 0.2, d.body, 28, 0.012), z=0.93, roll=90),
                ]
            )
        ),
    )
    tones = (WHITE, (0.3, 0.5, 0.4), WHITE, RED, WHITE, (0.3, 0.42, 0.6))
    d.add(
        "dial",
        lambda: merged(
            [
                at(shapes.cylinder(0.17, 0.215, WHITE, 28), z=0.93, roll=90),
                *[
                    at(
                        shapes.box((0.22, 0.035, 0.09), tones[k]),
                        0,
                        0.12 * math.sin(a),
                        0.93 + 0.12 * math.cos(a),
                        pitch=-math.degrees(a),
                    )
                    for k, a in enumerate([-1.5, -0.9, -0.3, 0.3, 0.9, 1.5])
                ],
            ]
        ),
    )
    d.add(
        "handle",
        lambda: merged(
            [
                *[bar((x, 0, 0), (x, 0, 0.3), 0.014, STEEL) for x in (-0.13, 0.13)],
                bar((-0.16, 0, 0.3), (0.16, 0, 0.3), 0.026, d.accent),
            ]
        ),
        placement((0, 0, 0.93), pitch=-72 * s.get("turned", 0.0)),
    )
    a = math.radians(-72 * s.get("turned", 0.0))
    d.grip((0, -0.3 * math.sin(a), 0.93 + 0.3 * math.cos(a)), (1, 0, 0), (0, 0, 1))


@family(
    (0.5, 0.14, 0.5),
    axes=("turned", "broken"),
    surface="wood",
    colour=(0.45, 0.30, 0.2),
    accent=WHITE,
    wall=True,
)
def clock(d: Draft, s: Axes) -> None:
    """A round wall clock; its hands move with `turned`; broken, its face is cracked."""
    turn = s.get("turned", 0.0)
    d.add("case", lambda: d.own(at(shapes.cylinder(0.24, 0.1, d.body, 30, 0.02), z=0.25, pitch=90)))
    d.add(
        "face",
        lambda: merged(
            [
                at(shapes.cylinder(0.2, 0.11, d.accent, 30), z=0.25, pitch=90),
                *[
                    at(slab(0.014, 0.006, 0.035, BLACK, 0), 0.165 * math.sin(a), 0.056, 0.2325 + 0.165 * math.cos(a))
                    for a in [k * math.pi / 6 for k in range(12)]
                ],
            ]
        ),
    )
    d.add("hour", lambda: at(slab(0.018, 0.006, 0.1, BLACK, 0)), placement((0, 0.06, 0.25), roll=60 - 90 * turn))
    d.add("minute", lambda: at(slab(0.013, 0.006, 0.155, BLACK, 0)), placement((0, 0.066, 0.25), roll=-50 - 200 * turn))
    if s.get("broken", 0.0) > 0.4:
        d.add(
            "cracks",
            lambda: merged(
                [
                    at(slab(0.007, 0.004, length, (0.2, 0.2, 0.22), 0), 0.03, 0.07, 0.26, roll=r)
                    for r, length in ((20, 0.16), (95, 0.12), (170, 0.18), (250, 0.14), (310, 0.1))
                ]
            ),
        )
    d.grip((0, 0.05, 0.1), (1, 0, 0), (0, 0, -1))


@family(
    (0.42, 0.16, 0.42),
    axes=("turned", "raised", "fill", "wound", "broken"),
    surface="painted",
    colour=WHITE,
    accent=RED,
    wall=True,
    carry="fixed",
)
def gauge(d: Draft, s: Axes) -> None:
    """A round dial with one thick red pointer: at the top, over to the right."""
    value = max(s.get("turned", 0.0), s.get("raised", 0.0), s.get("fill", 0.0), s.get("wound", 0.0))
    d.add("case", lambda: d.of("brass", at(shapes.cylinder(0.2, 0.1, BRASS, 30, 0.015), z=0.21, pitch=90)))
    d.add(
        "face",
        lambda: merged(
            [
                at(shapes.cylinder(0.17, 0.11, d.body, 30), z=0.21, pitch=90),
                *[
                    at(slab(0.01, 0.006, 0.03, BLACK, 0), 0.14 * math.sin(a), 0.056, 0.195 + 0.14 * math.cos(a))
                    for a in [-2.1 + 0.42 * k for k in range(11)]
                ],
            ]
        ),
    )
    d.add(
        "pointer",
        lambda: merged(
            [at(slab(0.022, 0.008, 0.15, d.accent, 0)), at(shapes.cylinder(0.025, 0.012, BLACK, 14), pitch=90)]
        ),
        placement((0, 0.062, 0.21), roll=-95 * value),
    )
    if s.get("broken", 0.0) > 0.4:
        d.add(
            "cracks",
            lambda: merged(
                [
                    at(slab(0.006, 0.004, length, (0.2, 0.2, 0.22), 0), 0.03, 0.07, 0.22, roll=r)
                    for r, length in ((20, 0.14), (120, 0.12), (230, 0.15))
                ]
            ),
        )
    d.grip((0, 0.06, 0.05), (1, 0, 0), (0, 1, 0))
