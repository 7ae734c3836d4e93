"""Ropes, chains, nets and what they hang on or are wound on."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise

import numpy as np

from storyengine.previz.props.kit import (
    BRASS,
    CREAM,
    STEEL,
    WOOD,
    Draft,
    at,
    bar,
    bent,
    drum,
    shade,
    slab,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, merged, placement, shapes
from storyengine.previz.render.values import Vec3


@family(
    (0.75, 0.75, 0.35),
    axes=("wound", "spread", "broken"),
    surface="rope",
    colour=(0.80, 0.68, 0.46),
    accent=(0.45, 0.35, 0.24),
    carry="two hands front",
)
def rope(d: Draft, s: Axes) -> None:
    """Wound, a neat coil with a whipped end; unwound, it snakes over the floor; broken, its ends fray."""
    wound = s.get("wound", 1 - s["spread"] if "spread" in s else 1.0)
    if s.get("broken", 0.0) > 0.4:
        for k, side in enumerate((-1, 1)):
            d.add(
                f"piece {k}",
                partial(_frayed, d, side),
            )
    elif wound > 0.5:

        def coil() -> Mesh:
            path: list[Vec3] = []
            for k in range(5 * 24 + 1):
                a = 2 * math.pi * k / 24
                level = k / 24
                path.append(
                    (
                        (0.29 - 0.012 * (level % 2)) * math.cos(a),
                        (0.29 - 0.012 * (level % 2)) * math.sin(a),
                        0.04 + 0.062 * level,
                    )
                )
            path += [(0.36, 0.12, 0.25), (0.42, 0.2, 0.05)]
            return shapes.tube(path, 0.036, d.body, 8)

        d.add(
            "coil",
            lambda: (
                d.own(coil()).textured(d.of("rope", shapes.box((1, 1, 1))).textures[0], (1, 40))
                if d.look.pattern == "plain"
                else d.own(coil())
            ),
        )
        d.add("whipping", lambda: bar((0.41, 0.19, 0.075), (0.43, 0.215, 0.02), 0.041, d.accent))
    else:
        d.add(
            "line",
            lambda: d.own(
                bent(
                    [
                        (-0.75, -0.3, 0.04),
                        (-0.4, 0.2, 0.04),
                        (-0.1, -0.25, 0.04),
                        (0.2, 0.2, 0.04),
                        (0.5, -0.15, 0.04),
                        (0.8, 0.2, 0.04),
                    ],
                    0.034,
                    d.body,
                    8,
                    10,
                )
            ).textured(d.of("rope", shapes.box((1, 1, 1))).textures[0], (1, 20)),
        )
        d.add("end", lambda: bar((0.78, 0.18, 0.04), (0.84, 0.25, 0.04), 0.04, d.accent))
    d.grip((0.29, 0, 0.2), (0, 1, 0), (1, 0, 0))


@family((0.9, 0.2, 0.07), axes=("wound", "broken"), surface="iron", colour=(0.46, 0.47, 0.5), carry="one hand low")
def chain(d: Draft, s: Axes) -> None:
    """Links in a line; broken, one link gapes; wound, they lie in a heap."""
    if s.get("wound", 0.0) > 0.5:
        d.add(
            "heap",
            lambda: merged(
                [
                    at(
                        shapes.torus(0.05, 0.014, d.body, 14, 6),
                        0.16 * math.cos(k * 2.4) * (0.4 + 0.06 * (k % 9)),
                        0.16 * math.sin(k * 2.4) * (0.4 + 0.06 * (k % 9)),
                        0.03 + 0.012 * (k // 3),
                        yaw=k * 50,
                        pitch=25 * (k % 4),
                    )
                    for k in range(24)
                ]
            ),
        )
    else:
        gap = 0.1 if s.get("broken", 0.0) > 0.4 else 0.0
        d.add(
            f"links {gap > 0}",
            lambda: merged(
                [
                    at(
                        shapes.torus(0.048, 0.014, d.body, 16, 6).moved(placement(scale=(1.25, 0.85, 1))),
                        -0.43 + 0.079 * k + (gap if k > 5 else -gap * 0.5),
                        0.03 * math.sin(k),
                        0.04,
                        pitch=90 * (k % 2),
                    )
                    for k in range(12)
                ]
            ),
        )
    d.grip((-0.4, 0, 0.04), (1, 0, 0), (0, 0, 1))


@family(
    (0.5, 0.16, 0.22),
    axes=("loaded", "hung"),
    surface="iron",
    colour=(0.30, 0.31, 0.33),
    accent=(0.50, 0.36, 0.24),
    carry="fixed",
    wall=True,
)
def hook(d: Draft, s: Axes) -> None:
    """A board with two hooks on the wall; loaded, keys hang there."""
    d.add("board", lambda: d.of("wood", at(slab(0.5, 0.03, 0.13, d.accent, 0.008), y=-0.05, z=0.1)))
    d.add(
        "hooks",
        lambda: merged(
            [
                bent(
                    [(x, -0.04, 0.19), (x, 0.04, 0.17), (x, 0.05, 0.07), (x, 0.0, 0.03), (x, -0.02, 0.08)][:4],
                    0.014,
                    d.body,
                )
                for x in (-0.14, 0.14)
            ]
        ),
    )
    if max(s.get("loaded", 0.0), s.get("hung", 0.0)) > 0.3:
        d.add(
            "keys",
            lambda: merged(
                [
                    at(shapes.torus(0.05, 0.008, BRASS, 18, 6), 0.14, 0.04, 0.02, roll=90),
                    bar((0.14, 0.04, -0.03), (0.14, 0.04, -0.16), 0.01, BRASS),
                ]
            ),
        )
    d.grip((0.14, 0.05, 0.08), (0, 0, 1), (0, 1, 0))


@family(
    (1.0, 0.75, 0.3),
    axes=("spread",),
    surface="rope",
    colour=(0.38, 0.28, 0.20),
    accent=(0.80, 0.62, 0.40),
    carry="two hands front",
)
def net(d: Draft, s: Axes) -> None:
    """Mesh edged with corks: heaped, or spread flat."""
    if s.get("spread", 0.0) > 0.5:
        d.add(
            "mesh",
            lambda: merged(
                [bar((-0.6, -0.4 + 0.1 * k, 0.02), (0.6, -0.4 + 0.1 * k, 0.02), 0.009, d.body, 5) for k in range(9)]
                + [bar((-0.6 + 0.1 * k, -0.4, 0.02), (-0.6 + 0.1 * k, 0.4, 0.02), 0.009, d.body, 5) for k in range(13)]
            ),
        )
        d.add(
            "corks",
            lambda: merged([at(shapes.sphere(0.045, d.accent, 10, 6), -0.6 + 0.2 * k, 0.42, 0.04) for k in range(7)]),
        )
    else:

        def strands() -> Mesh:
            dome = [
                (0.0, 0.0),
                *[(math.cos(t), 0.27 * math.sin(t)) for t in np.linspace(0, math.pi / 2 - 0.01, 9)],
                (0.0, 0.27),
            ]
            out = [shapes.lathe(dome, shade(d.body, 0.55), 22, 90).moved(placement(scale=(0.46, 0.34, 1.0)))]
            for k in range(9):
                a = math.pi * k / 9
                arch = [
                    (0.48 * math.cos(a) * math.cos(t), 0.36 * math.sin(a) * math.cos(t), 0.29 * math.sin(t))
                    for t in np.linspace(0, math.pi, 9)
                ]
                out.append(bent(arch, 0.012, shade(d.body, 1.25), 5, 2))
            for z in (0.06, 0.13, 0.2, 0.26):
                narrow = math.sqrt(max(0.0, 1 - (z / 0.285) ** 2))
                out.append(
                    at(
                        shapes.torus(1.0, 0.03, shade(d.body, 1.25), 26, 5).moved(
                            placement(scale=(0.48 * narrow, 0.36 * narrow, 0.4))
                        ),
                        z=z,
                    )
                )
            return merged(out)

        d.add("heap", strands)
        d.add(
            "corks heaped",
            lambda: merged(
                [
                    at(
                        shapes.sphere(0.048, d.accent, 10, 6),
                        0.46 * math.cos(a),
                        0.34 * math.sin(a),
                        0.07 + 0.05 * (k % 3),
                    )
                    for k, a in enumerate([0.2, 0.75, 1.3, 1.9, 2.5, 3.2, 4.4, 5.6])
                ]
            ),
        )
    d.grip((0.4, 0, 0.1), (0, 1, 0), (1, 0, 0))


@family((0.2, 0.2, 0.26), axes=("wound", "fill"), surface="wood", colour=WOOD, accent=(0.35, 0.58, 0.28))
def reel(d: Draft, s: Axes) -> None:
    """A bobbin; wound, it is fat with twine (the accent), unwound it is bare."""
    d.add(
        "spool",
        lambda: d.own(merged([drum(0.1, 0.025, d.body), drum(0.1, 0.025, d.body, 0.235), drum(0.035, 0.26, d.body)])),
    )
    fat = s.get("wound", s.get("fill", 1.0))
    if fat > 0.05:
        d.add(
            "twine",
            lambda: d.of(
                "rope",
                merged(
                    [
                        at(
                            shapes.torus(0.068, 0.018, shade(d.accent, 0.9 + 0.12 * (k % 2)), 24, 8),
                            z=0.045 + 0.0245 * k,
                        )
                        for k in range(8)
                    ]
                    + [drum(0.07, 0.19, shade(d.accent, 0.8), 0.035)]
                ),
            ),
            placement(scale=(0.5 + 0.5 * fat, 0.5 + 0.5 * fat, 1)),
        )
    if fat < 0.95:
        d.add(
            "loose end",
            lambda: bent(
                [(0.06, 0.03, 0.05), (0.14, 0.06, 0.01), (0.2, -0.04, 0.008), (0.3, 0.02, 0.008)], 0.008, d.accent
            ),
        )
    d.grip((0, 0, 0.13), (0, 0, 1), (0, 1, 0))


@family((0.72, 0.72, 0.07), axes=("open", "broken"), surface="iron", colour=(0.22, 0.24, 0.28), carry="one hand low")
def hoop(d: Draft, s: Axes) -> None:
    """A broad band lying flat; open, its ends gape."""
    gap = max(s.get("open", 0.0), s.get("broken", 0.0))

    def ring(spread: float) -> Mesh:
        angles = np.linspace(0.06 + spread, 2 * math.pi - 0.06 - spread, 40)
        out = []
        for a, b in pairwise(angles):
            m = (a + b) / 2
            out.append(
                at(
                    shapes.box((0.014, 0.36 * (b - a) * 1.06, 0.07), d.body),
                    0.355 * math.cos(m),
                    0.355 * math.sin(m),
                    0.035,
                    yaw=-math.degrees(m),
                )
            )
        return merged(out)

    step = round(gap * 6) / 6
    d.add(f"band {step:.2f}", lambda: d.own(ring(0.42 * step)))
    if gap < 0.5:
        d.add(
            "rivets",
            lambda: merged(
                [
                    at(slab(0.024, 0.1, 0.07, shade(d.body, 1.15), 0.004), 0.358),
                    *[at(shapes.sphere(0.014, STEEL, 8, 6), 0.372, y, 0.035) for y in (-0.025, 0.025)],
                ]
            ),
        )
    d.grip((-0.355, 0, 0.035), (0, 1, 0), (-1, 0, 0))


@family(
    (0.8, 0.24, 0.24),
    axes=("spread", "fastened"),
    surface="plain",
    colour=(0.56, 0.36, 0.24),
    accent=CREAM,
    carry="two hands front",
)
def bundle(d: Draft, s: Axes) -> None:
    """A sheaf of twigs tied in the middle; spread or untied, they lie loose."""
    loose = s.get("spread", 1 - s["fastened"] if "fastened" in s else 0.0) > 0.5
    random = np.random.default_rng(3)
    twigs = [
        (float(a), float(r), float(e))
        for a, r, e in zip(random.random(26) * 6.28, random.random(26) ** 0.5, random.random(26), strict=True)
    ]
    if loose:
        d.add(
            "loose",
            lambda: merged(
                [
                    bar(
                        (-0.35 + 0.1 * e, -0.3 + 0.6 * k / 26, 0.015 + 0.02 * (k % 3)),
                        (0.35, -0.3 + 0.6 * k / 26 + 0.12 * (r - 0.5), 0.02),
                        0.012,
                        shade(d.body, 0.8 + 0.3 * e),
                        5,
                    )
                    for k, (a, r, e) in enumerate(twigs)
                ]
            ),
        )
    else:
        d.add(
            "sheaf",
            lambda: merged(
                [
                    bent(
                        [
                            (-0.4 + 0.06 * e, 0.11 * r * math.cos(a), 0.11 + 0.11 * r * math.sin(a)),
                            (0, 0.07 * r * math.cos(a), 0.11 + 0.07 * r * math.sin(a)),
                            (0.4 - 0.06 * e, 0.13 * r * math.cos(a + 0.3), 0.11 + 0.12 * r * math.sin(a + 0.3)),
                        ],
                        0.012,
                        shade(d.body, 0.8 + 0.3 * e),
                        5,
                        3,
                    )
                    for a, r, e in twigs
                ]
            ),
        )
        d.add(
            "tie",
            lambda: merged(
                [at(shapes.torus(0.085, 0.018, d.accent, 22, 8), x, 0, 0.11, roll=90) for x in (-0.02, 0.02)]
            ),
        )
    d.grip((0, 0, 0.2), (1, 0, 0), (0, 0, 1))


def _frayed(d: Draft, side: int) -> Mesh:
    """Half of a parted rope: a loose end that frays towards the middle."""
    line = bent(
        [(side * 0.55, 0.2, 0.04), (side * 0.35, -0.05, 0.04), (side * 0.22, 0.1, 0.04), (side * 0.08, 0.02, 0.04)],
        0.035,
        d.body,
    )
    yarns = [
        bar((side * 0.09, 0.02, 0.04), (side * 0.01, 0.02 + 0.035 * j, 0.05 + 0.01 * j), 0.008, d.body, 5)
        for j in (-2, -1, 0, 1, 2)
    ]
    return d.own(merged([line, *yarns]))
