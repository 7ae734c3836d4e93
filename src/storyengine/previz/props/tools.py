"""Tools with handles. Long ones stand leaning with the working end where people leave it; short ones lie down.

The main colour is the head's, the accent the handle's. Grips point along the handle to the working end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from storyengine.previz.props.kit import BRASS, IRON, STEEL, STRAW, WOOD, Draft, at, bar, bent, drum, lumps, shade, slab
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, merged, placement, shapes
from storyengine.previz.render.values import Floats

BLADE = (0.74, 0.76, 0.78)


def _stand(d: Draft, s: Axes, length: float, head: Callable[[], Mesh], z: float = 0.0, radius: float = 0.02) -> None:
    """A long tool upright: shaft from z = 0, head at height `z`; broken, the shaft's upper half lies beside it."""
    snapped = s.get("broken", 0.0) > 0.4
    if not snapped:
        d.add("shaft", lambda: d.of("wood", bar((0, 0, 0), (0, 0, length), radius, d.accent, 10)))
        d.add("head", head, placement((0, 0, z)))
    else:
        half = length * 0.48
        lying = placement((0.1, 0.16, radius), roll=90, yaw=-12)
        d.add(
            "lower half",
            lambda: d.of(
                "wood", merged([bar((0, 0, 0), (0, 0, half), radius, d.accent, 10), *_splinters(half, radius)])
            ),
            placement(roll=0) if z < half else lying,
        )
        d.add(
            "upper half",
            lambda: d.of(
                "wood", merged([bar((0, 0, 0), (0, 0, length - half), radius, d.accent, 10), *_splinters(0.0, -radius)])
            ),
            lying if z < half else placement((-0.06, -0.1, 0), roll=-3),
        )
        here = placement((0, 0, z)) if z < half else placement((-0.06 - 0.052 * (z - half), -0.1, z - half), roll=-3)
        d.add("head", head, here)
    d.grip((0, 0, length * 0.42), (0, 0, 1 if z > length / 2 else -1), (0, 1, 0))
    d.grip((0, 0, length * 0.68), (0, 0, 1 if z > length / 2 else -1), (0, 1, 0))


def _splinters(z: float, radius: float) -> list[Mesh]:
    r = abs(radius)
    reach = math.copysign(0.1, radius)
    return [
        bar(
            (r * math.cos(a) * 0.5, r * math.sin(a) * 0.5, z),
            (r * math.cos(a), r * math.sin(a), z + reach * (0.5 + 0.2 * k)),
            r * 0.3,
            (0.9, 0.8, 0.6),
            5,
        )
        for k, a in enumerate((0.4, 2.4, 4.4))
    ]


@family(
    (0.34, 0.05, 1.9),
    axes=("broken",),
    surface="wood",
    colour=(0.82, 0.71, 0.53),
    accent=WOOD,
    wall=True,
    carry="two hands front",
)
def peel(d: Draft, s: Axes) -> None:
    """A baker's peel: flat blade at the top."""
    outline = [(0.17 * math.sin(a), 0.27 - 0.2 * math.cos(a)) for a in [2 * math.pi * k / 24 for k in range(24)]]
    _stand(
        d,
        s,
        1.5,
        lambda: d.own(
            at(shapes.extruded([(x, y * 0.95) for x, y in outline], 0.022, d.body), y=0.011, z=-0.06, pitch=90)
        ),
        1.46,
    )


@family(
    (0.42, 0.2, 1.75), axes=("broken",), surface="wood", colour=IRON, accent=WOOD, wall=True, carry="two hands front"
)
def rake(d: Draft, s: Axes) -> None:
    """Head up: a bar with teeth."""

    def head() -> Mesh:
        return merged(
            [
                at(slab(0.44, 0.04, 0.05, d.body, 0.008)),
                *[bar((-0.2 + 0.05 * k, 0.01, 0.02), (-0.2 + 0.05 * k, 0.15, 0.0), 0.011, d.body, 6) for k in range(9)],
            ]
        )

    _stand(d, s, 1.7, head, 1.68)


@family(
    (0.36, 0.16, 1.5), axes=("broken",), surface="plain", colour=STRAW, accent=WOOD, wall=True, carry="two hands front"
)
def broom(d: Draft, s: Axes) -> None:
    """Bristles down."""

    def head() -> Mesh:
        return merged(
            [
                at(slab(0.34, 0.1, 0.06, shade(d.body, 0.6), 0.015), z=0.17),
                *[
                    bar((x, y, 0.18), (x * 1.15, y * 1.5, 0.0), 0.016, shade(d.body, 0.85 + 0.1 * ((k + j) % 3)), 5)
                    for k, x in enumerate([-0.15 + 0.043 * i for i in range(8)])
                    for j, y in enumerate((-0.03, 0, 0.03))
                ],
            ]
        )

    _stand(d, s, 1.5, head, 0.0)


@family(
    (0.28, 0.1, 1.45),
    axes=("broken", "loaded"),
    surface="steel",
    colour=(0.6, 0.62, 0.64),
    accent=WOOD,
    wall=True,
    carry="two hands front",
)
def spade(d: Draft, s: Axes) -> None:
    """Blade down, D-handle on top."""

    def blade() -> Mesh:
        return merged(
            [
                at(
                    shapes.extruded(
                        [(-0.14, 0.0), (-0.1, -0.02), (0.1, -0.02), (0.14, 0.0), (0.15, 0.32), (-0.15, 0.32)],
                        0.02,
                        d.body,
                    ),
                    y=0.01,
                    pitch=90,
                ),
                at(shapes.cone(0.045, 0.024, 0.14, d.body), z=0.38),
            ]
        )

    _stand(d, s, 1.36, lambda: d.own(blade()), 0.02)
    if s.get("broken", 0.0) <= 0.4:
        d.add(
            "grip",
            lambda: merged(
                [
                    bar((-0.07, 0, 1.44), (0.07, 0, 1.44), 0.02, d.accent),
                    bar((-0.065, 0, 1.44), (0, 0, 1.32), 0.014, d.accent),
                    bar((0.065, 0, 1.44), (0, 0, 1.32), 0.014, d.accent),
                ]
            ),
        )
    if s.get("loaded", 0.0) > 0.3:
        d.add(f"load {d.content}", lambda: lumps(16, 0.05, (0.2, 0.1), d.content, 4, 0.18), placement((0, 0.06, 0)))


@family(
    (0.3, 0.1, 1.5),
    axes=("broken", "loaded"),
    surface="steel",
    colour=(0.34, 0.35, 0.37),
    accent=WOOD,
    wall=True,
    carry="two hands front",
)
def fork(d: Draft, s: Axes) -> None:
    """A pitchfork, tines up."""

    def head() -> Mesh:
        return merged(
            [
                bent([(-0.13, 0, 0.38), (-0.13, 0, 0.1), (0, 0, 0.02), (0.13, 0, 0.1), (0.13, 0, 0.38)], 0.013, d.body),
                bar((0, 0, 0), (0, 0, 0.38), 0.013, d.body),
                bent([(-0.065, 0, 0.38), (-0.065, 0, 0.08), (0, 0, 0.02)], 0.011, d.body),
                bent([(0.065, 0, 0.38), (0.065, 0, 0.08), (0, 0, 0.02)], 0.011, d.body),
            ]
        )

    _stand(d, s, 1.15, head, 1.12)
    if s.get("loaded", 0.0) > 0.3:
        d.add("hay", lambda: at(lumps(30, 0.06, (0.36, 0.2), STRAW, 6), z=1.42))


@family((0.08, 0.16, 2.0), axes=("broken",), surface="wood", colour=WOOD, accent=IRON, wall=True, carry="on shoulder")
def pole(d: Draft, s: Axes) -> None:
    """A staff or rod with a tip; bands show a pattern of two colours."""
    snapped = s.get("broken", 0.0) > 0.4
    parts = [(0.0, 1.9)] if not snapped else [(0.0, 0.95), (0.95, 1.9)]

    def stick(low: float, high: float) -> Mesh:
        banded = d.look.pattern != "plain"
        n = 10 if banded else 1
        step = (high - low) / n
        return d.of(
            "wood",
            merged(
                [
                    bar(
                        (0, 0, low + k * step),
                        (0, 0, low + (k + 1) * step),
                        0.026,
                        d.accent if banded and k % 2 else d.body,
                        10,
                    )
                    for k in range(n)
                ]
            ),
        )

    for k, (low, high) in enumerate(parts):
        pose = placement() if k == 0 else placement((0.2 - 0.95, 0.1, 0.03), roll=90, yaw=10)
        d.add(f"stick {low} {high}", partial(stick, low, high), pose)
    d.add("ferrule", lambda: drum(0.032, 0.1, d.accent))
    d.add(
        "tip",
        lambda: merged(
            [
                drum(0.032, 0.06, d.accent, 1.84),
                bent([(0, 0, 1.86), (0, 0.02, 1.98), (0, 0.1, 1.99), (0, 0.11, 1.92)], 0.014, d.accent),
            ]
        ),
        placement() if not snapped else placement((0.2 - 0.95, 0.1, 0.03), roll=90, yaw=10),
    )
    d.grip((0, 0, 0.95), (0, 0, 1), (0, 1, 0))
    d.grip((0, 0, 1.25), (0, 0, 1), (0, 1, 0))


@family(
    (0.5, 0.11, 1.25),
    name="valve key",
    axes=("turned",),
    surface="steel",
    accent=IRON,
    wall=True,
    carry="on shoulder",
)
def valve_key(d: Draft, s: Axes) -> None:
    """A T-shaped key: crossbar on top for both hands, a square socket at the foot."""
    turn = placement(yaw=80 * s.get("turned", 0.0))
    d.add(
        "key",
        lambda: d.own(
            merged(
                [bar((0, 0, 0.08), (0, 0, 1.22), 0.026, d.body), bar((-0.25, 0, 1.22), (0.25, 0, 1.22), 0.028, d.body)]
            )
        ),
        turn,
    )
    d.add(
        "socket",
        lambda: merged(
            [
                slab(0.11, 0.11, 0.14, d.accent, 0.012),
                *[bar((x, 0, 1.22), (x * 0.68, 0, 1.22), 0.034, d.accent) for x in (-0.25, 0.25)],
            ]
        ),
        turn,
    )
    a = math.radians(80 * s.get("turned", 0.0))
    for sign in (-1, 1):
        d.grip((sign * 0.2 * math.cos(a), -sign * 0.2 * math.sin(a), 1.22), (math.cos(a), -math.sin(a), 0), (0, 0, 1))


def _lie(d: Draft, length: float, radius: float, pose: Floats | None = None) -> None:
    """A short handle lying along x, from -length to 0."""
    d.add("handle", lambda: d.of("wood", bar((-length, 0, radius), (0, 0, radius), radius, d.accent, 10)), pose)
    d.grip((-length * 0.6, 0, radius), (1, 0, 0), (0, 0, 1))


@family((0.38, 0.2, 0.09), axes=("broken",), surface="iron", colour=(0.36, 0.37, 0.39), accent=WOOD)
def hammer(d: Draft, s: Axes) -> None:
    """Lies on its side, head to the right."""
    _lie(d, 0.3, 0.018)
    away = s.get("broken", 0.0)
    d.add(
        "head",
        lambda: d.own(
            merged(
                [
                    at(shapes.cylinder(0.045, 0.09, d.body, 16, 0.008), 0.03, -0.05, 0.045, pitch=90),
                    at(shapes.box((0.07, 0.07, 0.06), d.body, 0.006), 0.03, 0.0, 0.045),
                    at(shapes.cone(0.035, 0.012, 0.08, d.body), 0.03, 0.07, 0.045, pitch=-90),
                ]
            )
        ),
        placement((0.14 * away, 0.05 * away, 0), yaw=50 * away),
    )


@family((0.62, 0.24, 0.05), axes=("broken",), surface="steel", colour=(0.62, 0.64, 0.66), accent=WOOD)
def axe(d: Draft, s: Axes) -> None:
    _lie(d, 0.52, 0.018)
    away = s.get("broken", 0.0)
    d.add(
        "head",
        lambda: d.own(
            at(
                shapes.extruded(
                    [
                        (-0.045, 0.05),
                        (0.045, 0.05),
                        (0.06, -0.06),
                        (0.1, -0.17),
                        (0.0, -0.2),
                        (-0.1, -0.17),
                        (-0.06, -0.06),
                    ],
                    0.034,
                    d.body,
                ),
                0.02,
            )
        ),
        placement((0.14 * away, 0.05 * away, 0.002), yaw=40 * away),
    )


@family((0.62, 0.16, 0.03), axes=("open",), surface="steel", colour=BLADE, accent=(0.80, 0.45, 0.18))
def saw(d: Draft, s: Axes) -> None:
    """A toothed blade and a handle with a hole; a folding saw shut is `open` 0 with its blade in the handle."""
    teeth: list[tuple[float, float]] = []
    for k in range(22):
        teeth += [(0.02 * k, 0.0), (0.02 * k + 0.01, -0.02)]
    outline = [*teeth, (0.44, 0.0), (0.44, 0.045), (0.0, 0.11)]
    fold = (1 - s["open"]) if "open" in s else 0.0
    d.add(
        "blade",
        lambda: d.own(at(shapes.extruded(outline, 0.008, d.body), 0, -0.05, 0.008)),
        placement((0, 0, 0.004), yaw=-168 * fold),
    )
    d.add(
        "handle",
        lambda: d.of(
            "wood",
            merged(
                [
                    bent(
                        [
                            (0.0, -0.045, 0.014),
                            (-0.13, -0.06, 0.014),
                            (-0.15, 0.06, 0.014),
                            (-0.02, 0.06, 0.014),
                            (0.0, -0.03, 0.014),
                        ],
                        0.02,
                        d.accent,
                    )
                ]
            ),
        ),
    )
    d.grip((-0.1, 0, 0.014), (1, 0, 0), (0, 0, 1))


@family((0.36, 0.06, 0.03), axes=("open",), surface="steel", colour=BLADE, accent=(0.44, 0.28, 0.18))
def knife(d: Draft, s: Axes) -> None:
    d.add(
        "handle",
        lambda: d.of(
            "wood",
            merged(
                [
                    at(shapes.box((0.13, 0.032, 0.026), d.accent, 0.008), -0.075, 0, 0.014),
                    *[at(shapes.cylinder(0.005, 0.03, BRASS, 8), x, 0, 0.014) for x in (-0.11, -0.05)],
                ]
            ),
        ),
    )
    fold = (1 - s["open"]) if "open" in s else 0.0
    d.add(
        "blade",
        lambda: d.own(
            at(shapes.extruded([(0.0, -0.016), (0.15, -0.016), (0.21, 0.02), (0.0, 0.02)], 0.005, d.body), -0.005)
        ),
        placement((0, 0, 0.011), yaw=172 * fold),
    )
    d.grip((-0.07, 0, 0.014), (1, 0, 0), (0, 0, 1))


@family((0.16, 0.06, 0.02), surface="brass", colour=BRASS)
def key(d: Draft, s: Axes) -> None:
    d.add(
        "key",
        lambda: d.own(
            merged(
                [
                    at(shapes.torus(0.024, 0.007, d.body, 20, 8), -0.06, 0, 0.008),
                    bar((-0.036, 0, 0.008), (0.075, 0, 0.008), 0.007, d.body),
                    at(slab(0.012, 0.03, 0.012, d.body, 0.001), 0.07, -0.018, 0.002),
                    at(slab(0.012, 0.022, 0.012, d.body, 0.001), 0.048, -0.014, 0.002),
                    at(shapes.torus(0.009, 0.004, d.body, 12, 6), -0.03, 0, 0.008, yaw=90, pitch=90),
                ]
            )
        ),
    )
    d.grip((-0.06, 0, 0.008), (1, 0, 0), (0, 0, 1))


@family((0.6, 0.24, 0.05), axes=("open",), surface="iron", colour=(0.3, 0.31, 0.33), accent=WOOD)
def tongs(d: Draft, s: Axes) -> None:
    """Two arms crossing at a rivet; open, the jaws gape."""
    gape = 6 + 20 * s.get("open", 0.4)
    for k, side in enumerate((-1, 1)):
        d.add(
            f"arm {k}",
            partial(_tong, d, side),
            placement((0, 0, 0.02 + 0.018 * k), yaw=side * gape),
        )
    d.add("rivet", lambda: drum(0.022, 0.06, STEEL))
    d.grip((-0.3, 0, 0.03), (1, 0, 0), (0, 0, 1))


@family((0.3, 0.12, 0.08), axes=("fill", "loaded"), surface="brass", colour=BRASS, accent=WOOD)
def scoop(d: Draft, s: Axes) -> None:
    """An open scoop or ladle lying down; full, what it holds is heaped in it."""
    d.add("cup", lambda: d.own(merged([at(_half_tube(d), 0.08, 0, 0)])))
    d.add(
        "handle",
        lambda: merged(
            [bar((-0.17, 0, 0.05), (0.0, 0, 0.04), 0.014, d.accent), at(shapes.sphere(0.02, d.accent), -0.17, 0, 0.05)]
        ),
    )
    if max(s.get("fill", 0.0), s.get("loaded", 0.0)) > 0.1:
        d.add(f"contents {d.content}", lambda: at(shapes.ellipsoid((0.075, 0.045, 0.035), d.content), 0.08, 0, 0.05))
    d.grip((-0.1, 0, 0.045), (1, 0, 0), (0, 0, 1))


def _half_tube(d: Draft) -> Mesh:
    """Half a tube, open above and in front."""
    out = []
    for k in range(7):
        a = math.pi * (k + 0.5) / 7
        out.append(
            at(
                shapes.box((0.16, 0.03, 0.005), d.body),
                0,
                -0.055 * math.cos(a),
                0.06 - 0.055 * math.sin(a),
                pitch=math.degrees(a) - 90,
            )
        )
    out.append(at(shapes.cylinder(0.055, 0.005, d.body, 16), -0.08, 0, 0.055, roll=90))
    return merged(out)


@family((0.3, 0.08, 0.025), surface="steel", colour=(0.64, 0.66, 0.68))
def spanner(d: Draft, s: Axes) -> None:
    """A double-ended spanner."""
    jaw = [
        (0.0, -0.018),
        (0.03, -0.036),
        (0.07, -0.03),
        (0.075, -0.012),
        (0.045, -0.012),
        (0.045, 0.012),
        (0.075, 0.012),
        (0.07, 0.03),
        (0.03, 0.036),
        (0.0, 0.018),
    ]
    d.add(
        "spanner",
        lambda: d.own(
            merged(
                [
                    slab(0.2, 0.03, 0.014, d.body, 0.003),
                    at(shapes.extruded(jaw, 0.018, d.body), 0.09),
                    at(shapes.extruded(jaw, 0.018, d.body), -0.09, yaw=180),
                ]
            )
        ),
    )
    d.grip((-0.03, 0, 0.012), (1, 0, 0), (0, 0, 1))


@family(
    (0.18, 0.05, 1.7),
    axes=("broken",),
    surface="wood",
    colour=(0.78, 0.62, 0.42),
    accent=WOOD,
    wall=True,
    carry="on shoulder",
)
def paddle(d: Draft, s: Axes) -> None:
    """An oar standing on its handle, blade up."""

    def blade() -> Mesh:
        return at(
            shapes.extruded(
                [
                    (-0.04, 0),
                    (0.04, 0),
                    (0.09, 0.16),
                    (0.09, 0.42),
                    (0.05, 0.5),
                    (-0.05, 0.5),
                    (-0.09, 0.42),
                    (-0.09, 0.16),
                ],
                0.025,
                d.body,
            ),
            y=0.012,
            pitch=90,
        )

    _stand(d, s, 1.25, lambda: d.own(blade()), 1.18, 0.022)


def _tong(d: Draft, side: int) -> Mesh:
    """One arm of a pair of tongs, rivet at the origin."""
    jaw = bent([(0, 0, 0), (0.1, -side * 0.075, 0), (0.2, -side * 0.07, 0), (0.24, 0.0, 0)], 0.013, d.body)
    arm = bar((0, 0, 0), (-0.36, side * 0.02, 0), 0.013, d.body)
    return d.own(merged([arm, jaw, bar((-0.36, side * 0.02, 0), (-0.24, side * 0.013, 0), 0.02, d.accent)]))
