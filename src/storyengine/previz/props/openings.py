"""Openings: doors, gates, windows, hatches, gratings and pits. Shut and open are told apart across a room."""

from __future__ import annotations

from storyengine.previz.props.kit import (
    BLACK,
    BRASS,
    DARK_WOOD,
    IRON,
    STEEL,
    WATER,
    WHITE,
    WOOD,
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

DARK = 0.25
"""Brightest channel of a colour up to which it is dark."""


@family((1.0, 0.16, 2.05), axes=("open", "fastened", "pierced"), surface="wood", accent=BRASS, carry="fixed", wall=True)
def door(d: Draft, s: Axes) -> None:
    """A panelled leaf in a frame; it swings towards the viewer; fastened, a bar lies across."""
    d.add(
        "frame",
        lambda: d.of(
            "wood",
            merged(
                [at(slab(0.09, 0.14, 2.05, shade(d.body, 0.62)), x) for x in (-0.5, 0.5)]
                + [slab(1.09, 0.14, 0.09, shade(d.body, 0.62), 0.006, 1.98)]
            ),
        ),
    )
    # What is behind a door is dark, and light behind a dark one: it must be seen that a leaf stands off its frame.
    beyond = (0.66, 0.60, 0.48) if max(d.body) < DARK else (0.10, 0.10, 0.12)
    d.add("beyond", lambda: at(slab(0.92, 0.01, 1.98, beyond, 0), y=-0.06))

    def leaf() -> Mesh:
        out = [at(slab(0.9, 0.045, 1.96, d.body, 0.008), 0.45)]
        out += [
            at(slab(0.34, 0.055, h, shade(d.body, 0.84), 0.012), x, 0, z)
            for x in (0.24, 0.67)
            for z, h in ((0.15, 0.7), (1.0, 0.8))
        ]
        out += [at(shapes.sphere(0.035, d.accent, 12, 8), 0.83, y, 0.98) for y in (-0.06, 0.06)]
        if s.get("pierced", 0.0) > 0.5:
            out.append(at(slab(0.13, 0.07, 0.3, (0.05, 0.05, 0.05), 0), 0.83, 0, 0.85))
        return merged(out)

    d.add(
        f"leaf {s.get('pierced', 0.0) > 0.5}",
        lambda: d.own(leaf()),
        placement((-0.45, 0.0, 0.01), yaw=-95 * s.get("open", 0.0)),
    )
    if s.get("fastened", 0.0) > 0.4:
        d.add(
            "bar",
            lambda: merged(
                [
                    at(slab(1.12, 0.06, 0.11, DARK_WOOD, 0.01), y=0.08, z=1.15),
                    *[at(slab(0.06, 0.1, 0.18, IRON), x, 0.07, 1.1) for x in (-0.42, 0.42)],
                ]
            ),
        )
    d.grip((0.38, 0.09, 0.99), (1, 0, 0), (0, 1, 0))


@family((1.5, 0.12, 1.3), axes=("open", "raised", "fastened"), surface="wood", accent=IRON, carry="fixed")
def gate(d: Draft, s: Axes) -> None:
    """A barred gate in a dark frame: swings open, or rises where it is the kind that is raised."""
    dark = shade(d.body, 0.45)

    def frame() -> Mesh:
        posts = [at(slab(0.17, 0.13, 1.62, dark), x) for x in (-0.82, 0.82)]
        return merged([*posts, at(slab(1.95, 0.1, 0.13, dark), y=-0.09, z=1.49)])

    d.add("frame", lambda: d.own(frame()))

    def leaf() -> Mesh:
        out = [at(slab(1.46, 0.035, 0.08, d.body, 0.005), 0.73, 0, z) for z in (0.12, 1.14)]
        out += [at(slab(0.07, 0.045, 1.2, d.body, 0.006), 0.06 + 0.19 * k, 0, 0.06) for k in range(8)]
        out.append(bar((0.05, 0, 0.15), (1.4, 0, 1.15), 0.028, shade(d.body, 0.85)))
        return merged(out)

    rise = s.get("raised", 0.0)
    d.add("leaf", lambda: d.own(leaf()), placement((-0.73, 0, 0.95 * rise), yaw=-88 * s.get("open", 0.0)))
    if s.get("fastened", 0.0) > 0.4:
        d.add(
            "seal",
            lambda: merged(
                [
                    at(shapes.torus(0.07, 0.014, STEEL, 18, 6), 0.74, 0.05, 0.75, pitch=90),
                    at(slab(0.1, 0.05, 0.12, (0.78, 0.2, 0.16), 0.01), 0.74, 0.07, 0.58),
                ]
            ),
        )
    d.grip((0.65, 0.05, 0.95), (0, 0, 1), (0, 1, 0))


@family(
    (1.2, 0.24, 1.4),
    axes=("open", "broken", "covered"),
    surface="wood",
    colour=WHITE,
    accent=(0.62, 0.76, 0.82),
    carry="fixed",
    wall=True,
)
def window(d: Draft, s: Axes) -> None:
    """A sash window: the lower sash slides up. Its origin is the middle of the sill."""
    w, h = 1.0, 1.4
    d.add(
        "frame",
        lambda: d.own(
            merged(
                [at(slab(0.08, 0.14, h, d.body), x) for x in (-w / 2, w / 2)]
                + [slab(w + 0.08, 0.14, 0.08, d.body, 0.006, h - 0.08), slab(w + 0.2, 0.24, 0.05, d.body, 0.008)]
            )
        ),
    )
    d.add("beyond", lambda: at(slab(w, 0.01, h, mix(d.accent, (0.9, 0.95, 0.98), 0.55), 0), y=-0.06), glow=0.25)

    def sash() -> Mesh:
        out = [at(slab(w - 0.08, 0.03, 0.06, d.body, 0.004), z=z) for z in (0, 0.61)]
        out += [at(slab(0.055, 0.03, 0.66, d.body, 0.004), x) for x in (-0.44, 0, 0.44)]
        out.append(at(slab(w - 0.1, 0.01, 0.6, d.accent, 0), z=0.03))
        return merged(out)

    d.add("upper sash", lambda: d.own(sash()), placement((0, -0.02, 0.69)))
    d.add("lower sash", lambda: d.own(sash()), placement((0, 0.025, 0.05 + 0.58 * s.get("open", 0.0))))
    if s.get("broken", 0.0) > 0.4:
        d.add(
            "hole",
            lambda: merged(
                [
                    at(
                        shapes.extruded(
                            [
                                (-0.14, -0.1),
                                (0, -0.16),
                                (0.05, -0.05),
                                (0.17, 0),
                                (0.04, 0.05),
                                (0.02, 0.17),
                                (-0.06, 0.05),
                                (-0.18, 0.03),
                            ],
                            0.012,
                            (0.08, 0.09, 0.1),
                        ),
                        -0.22,
                        0.06,
                        0.38,
                        pitch=90,
                    )
                ]
            ),
        )
    if s.get("covered", 0.0) > 0.3:
        d.add("blind", lambda: merged([at(slab(w - 0.06, 0.02, 1.15, (0.87, 0.82, 0.70), 0.004), y=0.07, z=0.16)]))
    d.grip((0, 0.06, 0.1 + 0.58 * s.get("open", 0.0)), (1, 0, 0), (0, 1, 0))


@family((1.2, 0.16, 1.4), axes=("raised",), surface="cloth", accent=WHITE, carry="fixed", wall=True)
def blind(d: Draft, s: Axes) -> None:
    """A roller blind before a pane: pulled down, a sheet with a bar and a cord; drawn up, the roll above it."""
    w, h, up = 1.0, 1.4, s.get("raised", 0.0)
    long = h - 0.36 - 0.85 * up
    d.add("pane", lambda: merged([
        at(slab(w + 0.1, 0.02, h, mix((0.62, 0.76, 0.82), (0.9, 0.95, 0.98), 0.55), 0), y=-0.07),
        *[at(slab(0.08, 0.06, h, d.accent), x, -0.05) for x in (-w / 2 - 0.04, 0, w / 2 + 0.04)],
        slab(w + 0.2, 0.16, 0.05, d.accent, 0.008),
    ]))  # fmt: skip
    d.add(
        "roll",
        lambda: d.own(shapes.cylinder(0.05, w + 0.04, d.body, 16, 0.004)),
        placement((0, 0.03, h - 0.07), roll=90, scale=(1 + 0.6 * up, 1 + 0.6 * up, 1)),
    )
    d.add(
        "sheet", lambda: d.own(slab(w, 0.012, 1.0, d.body, 0)), placement((0, 0.03, h - 0.1 - long), scale=(1, 1, long))
    )
    d.add("bar", lambda: slab(w + 0.02, 0.03, 0.05, shade(d.body, 0.6), 0.006), placement((0, 0.03, h - 0.12 - long)))
    d.add(
        "pull",
        lambda: merged([slab(0.008, 0.008, 0.16, d.accent, 0, -0.16), slab(0.05, 0.02, 0.05, d.accent, 0.01, -0.2)]),
        placement((0, 0.05, h - 0.1 - long)),
    )
    d.grip((0, 0.06, max(h - 0.3 - long, 0.05)), (1, 0, 0), (0, 1, 0))


@family((1.0, 1.0, 0.12), axes=("open", "fastened"), surface="wood", accent=IRON, carry="fixed")
def hatch(d: Draft, s: Axes) -> None:
    """A trapdoor in the floor: the leaf stands up when open and the hole is black."""
    d.add(
        "kerb",
        lambda: d.of(
            "wood",
            merged(
                [
                    at(slab(1.0, 0.09, 0.07, shade(d.body, 0.7) if sum(d.body) > 0.6 else (0.3, 0.3, 0.3)), y=y)
                    for y in (-0.455, 0.455)
                ]
                + [at(slab(0.09, 0.82, 0.07, (0.35, 0.3, 0.26)), x) for x in (-0.455, 0.455)]
            ),
        ),
    )
    d.add("hole", lambda: slab(0.84, 0.84, 0.012, (0.05, 0.05, 0.06), 0))
    d.add(
        "leaf",
        lambda: merged(
            [
                d.own(at(slab(0.84, 0.84, 0.05, d.body, 0.006), y=0.42)),
                *[at(slab(0.06, 0.7, 0.012, d.accent, 0), x, 0.4, 0.05) for x in (-0.3, 0.3)],
                at(shapes.torus(0.06, 0.012, STEEL, 18, 6), 0, 0.72, 0.055),
            ]
        ),
        placement((0, -0.42, 0.05), pitch=105 * s.get("open", 0.0)),
    )
    if s.get("fastened", 0.0) > 0.4:
        d.add(
            "bolt",
            lambda: merged(
                [
                    at(slab(0.5, 0.06, 0.04, IRON, 0.006), 0, 0.38, 0.1),
                    at(shapes.sphere(0.035, STEEL), 0.27, 0.38, 0.13),
                ]
            ),
        )
    d.grip((0, 0.3, 0.12), (1, 0, 0), (0, 0, 1))


@family((0.9, 0.9, 0.05), axes=("tipped",), surface="iron", colour=(0.28, 0.29, 0.31), carry="two hands front")
def grating(d: Draft, s: Axes) -> None:
    """A square of crossed bars; leaning, it stands on its edge."""
    lean = min(s.get("tipped", 0.0) * 4, 1.0)
    pose = placement((0, -0.2 * lean, 0.0), pitch=78 * lean)

    def bars() -> Mesh:
        out = [at(slab(0.9, 0.05, 0.045, d.body, 0.004), y=y) for y in (-0.425, 0.425)] + [
            at(slab(0.05, 0.9, 0.045, d.body, 0.004), x) for x in (-0.425, 0.425)
        ]
        out += [at(slab(0.85, 0.028, 0.03, d.body, 0.003), y=-0.36 + 0.12 * k) for k in range(7)] + [
            at(slab(0.028, 0.85, 0.03, shade(d.body, 1.1), 0.003), x=-0.36 + 0.12 * k, z=0.012) for k in range(7)
        ]
        return at(merged(out), y=0.45)

    d.add("bars", lambda: d.own(bars()), placement((0, -0.45 * (1 - lean), 0), pitch=0) if lean == 0 else pose)
    d.rest("bars", 0.05, 0.85, 0.85)
    d.grip((-0.42, 0, 0.04), (0, 1, 0), (-1, 0, 0))
    d.grip((0.42, 0, 0.04), (0, 1, 0), (1, 0, 0))


@family((1.2, 1.2, 0.14), axes=("fill", "covered"), surface="stone", colour=(0.52, 0.46, 0.42), carry="fixed")
def pit(d: Draft, s: Axes) -> None:
    """A square well in the floor with a kerb: full, water stands at the brim; empty, its dark bricks show."""
    d.add(
        "kerb",
        lambda: d.own(
            merged(
                [at(slab(1.2, 0.14, 0.14, d.body, 0.015), y=y) for y in (-0.53, 0.53)]
                + [at(slab(0.14, 0.92, 0.14, d.body, 0.015), x) for x in (-0.53, 0.53)]
            )
        ),
    )
    level = s.get("fill", 0.0)
    d.add(
        "bottom",
        lambda: merged(
            [
                slab(0.92, 0.92, 0.006, (0.09, 0.08, 0.08), 0),
                *[at(slab(0.92, 0.012, 0.004, (0.2, 0.16, 0.14), 0, 0.006), y=-0.36 + 0.18 * k) for k in range(5)],
            ]
        ),
    )
    if level > 0.02:
        water = mix(d.content, WATER, 0.6)
        d.add(
            f"water {d.content}",
            lambda: merged(
                [
                    slab(0.92, 0.92, 0.01, water, 0),
                    *[
                        at(shapes.torus(r, 0.006, mix(water, WHITE, 0.45), 24, 5), 0.1, -0.1, 0.012)
                        for r in (0.1, 0.2, 0.3)
                    ],
                ]
            ),
            placement((0, 0, 0.01 + 0.09 * level)),
        )
    if s.get("covered", 0.0) > 0.4:
        d.add(
            "boards",
            lambda: d.of(
                "wood",
                merged(
                    [
                        at(
                            slab(1.22, 0.18, 0.035, shade(WOOD, 0.9 + 0.05 * (k % 3)), 0.006),
                            y=-0.48 + 0.19 * k,
                            z=0.14,
                        )
                        for k in range(6)
                    ]
                ),
            ),
        )
    d.room((-0.46, -0.46, 0.0), (0.46, 0.46, 0.12))


@family((2.0, 0.22, 0.06), axes=("broken",), surface="wood", colour=WOOD, carry="on shoulder")
def plank(d: Draft, s: Axes) -> None:
    half = s.get("broken", 0.0) > 0.4
    if half:
        d.add("left half", lambda: d.own(at(slab(1.0, 0.22, 0.06, d.body, 0.006), -0.52)), placement(roll=6))
        d.add(
            "right half",
            lambda: d.own(at(slab(0.96, 0.22, 0.06, d.body, 0.006), 0.52)),
            placement((0.03, 0.05, 0.02), yaw=16, roll=-7),
        )
        d.add(
            "splinters",
            lambda: merged(
                [
                    bar((-0.02, -0.08 + 0.04 * k, 0.03), (0.09, -0.09 + 0.05 * k, 0.05), 0.008, (0.86, 0.74, 0.52))
                    for k in range(5)
                ]
            ),
        )
    else:
        d.add("board", lambda: d.own(slab(2.0, 0.22, 0.06, d.body, 0.006)))
        d.add("ends", lambda: merged([at(slab(0.12, 0.225, 0.064, d.accent, 0.004), x) for x in (-0.94, 0.94)]))
    d.rest("board", 0.06, 1.8, 0.2)
    d.grip((-0.4, 0, 0.05), (1, 0, 0), (0, 0, 1))
    d.grip((0.4, 0, 0.05), (1, 0, 0), (0, 0, 1))


@family((0.5, 0.5, 0.75), axes=("wet", "broken", "fill"), surface="iron", colour=(0.46, 0.48, 0.5), carry="fixed")
def pipe(d: Draft, s: Axes) -> None:
    """A standing pipe with a bolted flange; open or leaking, water runs from the joint."""
    d.add(
        "pipe",
        lambda: d.own(
            merged(
                [
                    drum(0.11, 0.75, d.body),
                    drum(0.18, 0.05, shade(d.body, 0.85), 0.33),
                    drum(0.18, 0.05, shade(d.body, 0.85), 0.385),
                    at(shapes.torus(0.12, 0.02, d.accent), z=0.74),
                    drum(0.16, 0.03, shade(d.body, 0.8)),
                ]
            )
        ),
    )
    d.add(
        "bolts",
        lambda: merged(
            [
                at(drum(0.02, 0.13, d.accent, 0.32, 6), 0.15 * x, 0.15 * y)
                for x, y in ((1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87), (0.5, -0.87))
            ]
        ),
    )
    d.add("mouth", lambda: drum(0.095, 0.01, BLACK, 0.745))
    if s.get("fill", 0.0) > 0.1:  # a joint that is packed
        d.add(f"packing {d.content}", lambda: at(shapes.torus(0.165, 0.05, d.content, 26, 8), z=0.382))
    wet = max(s.get("wet", 0.0), s.get("broken", 0.0))
    if wet > 0.1:
        jets = [
            ((0.16, 0.08, 0.38), (0.42, 0.2, 0.3), (0.5, 0.24, 0.0)),
            ((-0.15, 0.1, 0.38), (-0.36, 0.25, 0.28), (-0.42, 0.3, 0.0)),
            ((0.0, 0.18, 0.38), (0.02, 0.4, 0.32), (0.03, 0.5, 0.0)),
        ]
        d.add(
            "jets",
            lambda: merged(
                [
                    shapes.tube([a, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0.39), b, c], 0.018, (0.68, 0.84, 0.92))
                    for a, b, c in jets
                ]
                + [at(shapes.cylinder(0.5, 0.012, WATER, 28), 0.05, 0.15, 0.006)]
            ),
            glow=0.15,
        )
