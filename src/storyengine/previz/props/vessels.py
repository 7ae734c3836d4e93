"""Vessels: what is filled, carried full, and seen empty."""

from __future__ import annotations

import math

from storyengine.previz.props.kit import (
    BRASS,
    EMBER,
    IRON,
    STEEL,
    WHITE,
    WOOD,
    Draft,
    at,
    bar,
    bent,
    drum,
    flame,
    hollow,
    lumps,
    mix,
    shade,
    slab,
    tray_box,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import merged, placement, shapes
from storyengine.previz.render.values import Vec3


def _bail(draft: Draft, radius: float, z: float, height: float) -> None:
    """A wire handle over a vessel, with its grip on top."""
    draft.add(
        "bail",
        lambda: merged(
            [
                bent(
                    [
                        (-radius, 0, z),
                        (-radius * 0.8, 0, z + height * 0.7),
                        (0, 0, z + height),
                        (radius * 0.8, 0, z + height * 0.7),
                        (radius, 0, z),
                    ],
                    0.006,
                    IRON,
                ),
                bar((-0.05, 0, z + height), (0.05, 0, z + height), 0.014, draft.accent),
            ]
        ),
    )
    draft.grip((0, 0, z + height), (1, 0, 0), (0, 0, 1))


@family((0.62, 0.62, 0.92), axes=("fill", "open", "pierced"), surface="wood", colour=WOOD, carry="two hands front")
def barrel(d: Draft, s: Axes) -> None:
    """Staves that bulge, iron hoops, no head: contents are seen from above. Splayed staves are `open`."""
    splay = s.get("open", 0.0)
    profile = [(0.24, 0.0), (0.285, 0.2), (0.305, 0.46), (0.285, 0.72), (0.24, 0.92)]
    if splay > 0.5:
        profile = [(0.38, 0.0), (0.36, 0.2), (0.31, 0.5), (0.26, 0.74), (0.24, 0.92)]
    name = "splayed " if splay > 0.5 else ""
    d.add(f"{name}staves", lambda: d.own(hollow(profile, 0.025, d.body)))
    rings = profile[3:] if splay > 0.5 else profile
    d.add(
        f"{name}hoops",
        lambda: merged(
            [
                at(shapes.torus(r + 0.004, 0.014, d.accent, 28, 6), z=min(max(z, 0.05), 0.87))
                for r, z in rings
                if z != 0.46
            ]
        ),
    )
    if s.get("pierced", 0) > 0.5:
        d.add("bung", lambda: at(shapes.cylinder(0.075, 0.02, (0.08, 0.06, 0.05), 16), y=0.302, z=0.46, pitch=90))
    d.room((-0.27, -0.27, 0.03), (0.27, 0.27, 0.9))
    d.fill(s.get("fill", 0.0), 0.225)
    d.rest("top", 0.92, 0.34, 0.34)
    d.grip((-0.3, 0, 0.5), (0, 0, 1), (-1, 0, 0))
    d.grip((0.3, 0, 0.5), (0, 0, 1), (1, 0, 0))


@family((1.0, 1.0, 0.62), axes=("fill",), surface="wood", colour=(0.72, 0.57, 0.38), carry="fixed")
def tub(d: Draft, s: Axes) -> None:
    """A wide open tub or vat with hoops."""
    d.add("wall", lambda: d.own(hollow([(0.44, 0), (0.5, 0.62)], 0.04, d.body, 28)))
    d.add(
        "hoops", lambda: merged([at(shapes.torus(0.455 + 0.045 * z / 0.62, 0.013, d.accent), z=z) for z in (0.1, 0.5)])
    )
    d.room((-0.44, -0.44, 0.05), (0.44, 0.44, 0.56))
    d.fill(s.get("fill", 0.0), 0.43)
    d.grip((-0.5, 0, 0.6), (0, 1, 0), (0, 0, 1))
    d.grip((0.5, 0, 0.6), (0, 1, 0), (0, 0, 1))


@family((1.1, 0.8, 1.35), axes=("fill",), surface="steel", carry="fixed")
def tank(d: Draft, s: Axes) -> None:
    """A square riveted tank on feet with a sight glass that shows the level, and a tap."""
    d.add("body", lambda: d.own(merged([slab(1.06, 0.76, 1.15, d.body, 0.03, 0.2)])))
    d.add(
        "fittings",
        lambda: merged(
            [
                *[at(slab(0.09, 0.09, 0.22, IRON), x, y) for x in (-0.45, 0.45) for y in (-0.3, 0.3)],
                *[at(slab(1.1, 0.8, 0.05, shade(d.body, 0.8)), z=z) for z in (0.28, 1.22)],
                *[
                    at(shapes.sphere(0.018, shade(d.body, 0.6), 8, 5), x=-0.48 + 0.12 * k, y=0.4, z=z)
                    for k in range(9)
                    for z in (0.305, 1.245)
                ],
                bar((0, 0.38, 0.34), (0, 0.52, 0.34), 0.03, BRASS),
                bar((0, 0.5, 0.34), (0, 0.5, 0.25), 0.022, BRASS),
                at(slab(0.13, 0.03, 0.03, d.accent), y=0.46, z=0.38),
                bar((0.25, 0.42, 0.4), (0.25, 0.42, 1.15), 0.09, WHITE, 16),
            ]
        ),
    )
    level = s.get("fill", 0.0)
    if level > 0.02:
        d.add(
            f"gauge {d.content}",
            lambda: bar((0, 0, 0), (0, 0, 1), 0.096, mix(d.content, (0.1, 0.3, 0.7), 0.5), 16),
            placement((0.25, 0.425, 0.4), scale=(1, 1, 0.75 * level)),
        )
    d.room((-0.48, -0.33, 0.25), (0.48, 0.33, 1.3))
    d.rest("top", 1.35, 0.9, 0.6)


@family((0.33, 0.33, 0.5), axes=("fill",), surface="steel", colour=(0.64, 0.67, 0.69))
def bucket(d: Draft, s: Axes) -> None:
    d.add("wall", lambda: d.own(hollow([(0.105, 0), (0.15, 0.29), (0.158, 0.3)], 0.008, d.body)))
    d.add(
        "rims",
        lambda: merged(
            [
                at(shapes.torus(0.156, 0.008, d.accent, 24, 6), z=0.3),
                at(shapes.torus(0.108, 0.007, d.accent, 24, 6), z=0.01),
            ]
        ),
    )
    _bail(d, 0.155, 0.29, 0.2)
    d.room((-0.13, -0.13, 0.01), (0.13, 0.13, 0.27))
    d.fill(s.get("fill", 0.0), 0.14, 0.1, heap=True)


@family((0.42, 0.24, 0.36), axes=("fill",), surface="painted")
def can(d: Draft, s: Axes) -> None:
    """A paraffin, oil or watering can: round body, curved spout, handle over the back."""
    d.add(
        "body",
        lambda: d.own(
            merged(
                [
                    drum(0.11, 0.22, d.body),
                    at(shapes.cone(0.11, 0.045, 0.08, d.body), z=0.26),
                    drum(0.045, 0.03, d.body, 0.3),
                ]
            )
        ),
    )
    d.add("spout", lambda: bent([(0.09, 0, 0.07), (0.19, 0, 0.16), (0.23, 0, 0.3), (0.28, 0, 0.34)], 0.017, d.body))
    d.add(
        "handle", lambda: bent([(-0.1, 0, 0.06), (-0.19, 0, 0.16), (-0.16, 0, 0.3), (-0.05, 0, 0.3)], 0.012, d.accent)
    )
    d.add("cap", lambda: drum(0.03, 0.03, d.accent, 0.33))
    level = s.get("fill", 0.0)
    if level > 0.02:  # a strip of sight glass: the only way to see into a can
        d.add(
            f"sight {d.content}",
            lambda: at(slab(0.03, 0.01, 1, shade(d.content, 0.9), 0), y=0.108),
            placement((0, 0, 0.03), scale=(1, 1, 0.17 * level)),
        )
    d.grip((-0.18, 0, 0.2), (0, 0, 1), (-1, 0, 0))


@family((0.24, 0.18, 0.28), axes=("fill",), surface="clay", colour=(0.90, 0.86, 0.78))
def jug(d: Draft, s: Axes) -> None:
    """A pitcher with a lip and a handle."""
    d.add(
        "body",
        lambda: d.own(hollow([(0.055, 0), (0.09, 0.08), (0.088, 0.14), (0.055, 0.21), (0.062, 0.27)], 0.006, d.body)),
    )
    d.add("lip", lambda: at(shapes.cone(0.012, 0.03, 0.06, d.body, 12), x=0.062, z=0.25, roll=35))
    d.add(
        "handle",
        lambda: bent([(-0.055, 0, 0.24), (-0.14, 0, 0.22), (-0.14, 0, 0.1), (-0.085, 0, 0.07)], 0.011, d.accent),
    )
    d.add("band", lambda: at(shapes.torus(0.092, 0.006, d.accent), z=0.11))
    d.room((-0.05, -0.05, 0.02), (0.05, 0.05, 0.266))
    d.fill(s.get("fill", 0.0), 0.056)
    d.grip((-0.14, 0, 0.16), (0, 0, 1), (-1, 0, 0))


def _see_through(d: Draft, s: Axes, profile: list[tuple[float, float]], radius: float, top: float) -> None:
    """A glass vessel: contents are drawn as its body up to the level, the glass above pale."""
    level = s.get("fill", 0.0) * top
    glass = d.look.surface == "glass"
    pale = mix(d.body, (0.92, 0.96, 0.95), 0.62) if glass else d.body
    d.add("glass", lambda: d.own(hollow(profile, 0.006, pale)))
    if glass and level > 0.02:
        d.add(
            f"contents {d.content}",
            lambda: drum(radius + 0.004, 1.0, mix(d.content, d.body, 0.15), bevel=0),
            placement((0, 0, 0.012), scale=(1, 1, level)),
        )


@family((0.14, 0.14, 0.2), axes=("fill", "open"), surface="glass", colour=(0.62, 0.78, 0.74))
def jar(d: Draft, s: Axes) -> None:
    """A wide jar; its lid lies beside it when open."""
    _see_through(d, s, [(0.06, 0), (0.066, 0.02), (0.066, 0.14), (0.052, 0.165), (0.052, 0.18)], 0.0655, 0.13)
    opened = s.get("open", 0.0)
    d.add("lid", lambda: drum(0.058, 0.024, d.accent), placement((0.13 * opened, 0.05 * opened, 0.178 * (1 - opened))))
    d.room((-0.05, -0.05, 0.01), (0.05, 0.05, 0.15))
    d.grip((0, 0, 0.09), (0, 0, 1), (0, 1, 0))


@family((0.12, 0.12, 0.34), axes=("fill", "open"), surface="glass", colour=(0.24, 0.44, 0.28))
def bottle(d: Draft, s: Axes) -> None:
    profile = [(0.045, 0), (0.05, 0.01), (0.05, 0.17), (0.035, 0.22), (0.017, 0.25), (0.017, 0.31), (0.021, 0.32)]
    _see_through(d, s, profile, 0.0495, 0.18)
    d.add("label", lambda: shapes.lathe([(0.0515, 0.06), (0.0515, 0.13)], (0.93, 0.90, 0.80), 20))
    opened = s.get("open", 0.0)
    d.add("cork", lambda: drum(0.015, 0.04, d.accent), placement((0.09 * opened, 0.03 * opened, 0.305 * (1 - opened))))
    d.grip((0, 0, 0.15), (0, 0, 1), (0, 1, 0))


@family((0.3, 0.3, 0.12), axes=("fill",), surface="clay")
def bowl(d: Draft, s: Axes) -> None:
    d.add("body", lambda: d.own(hollow([(0.06, 0), (0.07, 0.012), (0.12, 0.05), (0.15, 0.115)], 0.01, d.body)))
    d.add("rim", lambda: at(shapes.torus(0.147, 0.008, d.accent), z=0.115))
    d.room((-0.11, -0.11, 0.03), (0.11, 0.11, 0.1))
    d.fill(s.get("fill", 0.0), 0.13, 0.07, heap=True)
    d.grip((-0.15, 0, 0.1), (0, 1, 0), (-1, 0, 0))
    d.grip((0.15, 0, 0.1), (0, 1, 0), (1, 0, 0))


@family((0.13, 0.09, 0.1), axes=("fill",), surface="clay")
def cup(d: Draft, s: Axes) -> None:
    d.add("body", lambda: d.own(hollow([(0.035, 0), (0.042, 0.01), (0.045, 0.1)], 0.005, d.body)))
    d.add(
        "handle",
        lambda: bent([(-0.042, 0, 0.085), (-0.078, 0, 0.075), (-0.075, 0, 0.03), (-0.04, 0, 0.02)], 0.007, d.accent),
    )
    d.room((-0.04, -0.04, 0.01), (0.04, 0.04, 0.09))
    d.fill(s.get("fill", 0.0), 0.04)
    d.grip((-0.075, 0, 0.05), (0, 0, 1), (-1, 0, 0))


@family((0.27, 0.27, 0.03), axes=("loaded",), surface="clay", colour=(0.93, 0.92, 0.88))
def plate(d: Draft, s: Axes) -> None:
    d.add("body", lambda: hollow([(0.08, 0), (0.085, 0.008), (0.132, 0.025)], 0.006, d.body))
    d.add("rim", lambda: at(shapes.torus(0.131, 0.006, d.accent), z=0.026))
    d.rest("plate", 0.012, 0.16, 0.16)
    if s.get("loaded", 0) > 0.5:
        d.add(
            "meal",
            lambda: merged(
                [
                    at(shapes.ellipsoid((0.055, 0.04, 0.03), (0.76, 0.52, 0.28)), -0.02, 0, 0.03),
                    lumps(7, 0.016, (0.06, 0.08), (0.34, 0.56, 0.26), 4, 0.025),
                ]
            ),
        )
    d.grip((-0.13, 0, 0.025), (0, 1, 0), (0, 0, -1))


@family((0.56, 0.38, 0.05), axes=("loaded",), surface="painted", carry="two hands front")
def tray(d: Draft, s: Axes) -> None:
    d.add("body", lambda: d.own(tray_box(0.56, 0.38, 0.045, 0.012, d.body)))
    d.add(
        "rim",
        lambda: merged(
            [bar((x, -0.19, 0.045), (x, 0.19, 0.045), 0.009, d.accent) for x in (-0.275, 0.275)]
            + [bar((-0.28, y, 0.045), (0.28, y, 0.045), 0.009, d.accent) for y in (-0.185, 0.185)]
        ),
    )
    d.rest("tray", 0.012, 0.5, 0.33)
    if s.get("loaded", 0) > 0.5:
        d.add(f"load {d.content}", lambda: lumps(70, 0.022, (0.48, 0.31), d.content, 3, 0.018))
    d.grip((-0.28, 0, 0.04), (0, 1, 0), (-1, 0, 0))
    d.grip((0.28, 0, 0.04), (0, 1, 0), (1, 0, 0))


@family((0.44, 0.44, 0.44), axes=("fill",), surface="wicker", colour=(0.72, 0.54, 0.33))
def basket(d: Draft, s: Axes) -> None:
    """Round wicker with an arch to carry it by."""
    d.add(
        "wall",
        lambda: d.of("wicker", hollow([(0.16, 0), (0.2, 0.12), (0.22, 0.24)], 0.02, d.body)).textured(
            d.of("wicker", shapes.box((1, 1, 1))).textures[0], (5, 3)
        ),
    )
    d.add("rim", lambda: at(shapes.torus(0.213, 0.018, shade(d.body, 0.8)), z=0.24))
    d.add(
        "arch",
        lambda: bent(
            [(-0.21, 0, 0.22), (-0.18, 0, 0.36), (0, 0, 0.44), (0.18, 0, 0.36), (0.21, 0, 0.22)], 0.016, d.accent
        ),
    )
    d.room((-0.19, -0.19, 0.03), (0.19, 0.19, 0.22))
    if s.get("fill", 0.0) > 0.02:
        d.add(
            f"contents {d.content}",
            lambda: merged(
                [drum(0.18, 0.15, shade(d.content, 0.8), 0.03), lumps(34, 0.045, (0.26, 0.26), d.content, 9, 0.2)]
            ),
            placement((0, 0, -0.14 * (1 - s["fill"]))),
        )
    d.grip((0, 0, 0.44), (1, 0, 0), (0, 0, 1))


@family((0.22, 0.22, 0.36), axes=("fill",), surface="clay")
def vase(d: Draft, s: Axes) -> None:
    """A vase; full, it holds flowers."""
    d.add(
        "body",
        lambda: d.own(hollow([(0.05, 0), (0.095, 0.1), (0.1, 0.16), (0.045, 0.28), (0.065, 0.34)], 0.007, d.body)),
    )
    d.add("band", lambda: at(shapes.torus(0.102, 0.008, d.accent), z=0.15))
    if s.get("fill", 0.0) > 0.3:
        stems = [(0.10 * math.cos(k * 2.4), 0.10 * math.sin(k * 2.4), 0.52 + 0.04 * (k % 3)) for k in range(7)]
        d.add(
            "flowers",
            lambda: merged(
                [
                    bent([(0, 0, 0.28), (x * 0.5, y * 0.5, 0.42), (x, y, z)], 0.005, (0.3, 0.5, 0.25))
                    for x, y, z in stems
                ]
                + [
                    at(
                        shapes.sphere(0.035, ((0.90, 0.45, 0.5), (0.95, 0.8, 0.35), (0.95, 0.93, 0.9))[k % 3], 10, 6),
                        *p,
                    )
                    for k, p in enumerate(stems)
                ]
            ),
        )
    d.grip((0, 0, 0.2), (0, 0, 1), (0, 1, 0))


@family((0.4, 0.4, 0.38), axes=("fill", "lit"), surface="iron", colour=(0.22, 0.22, 0.24), carry="two hands front")
def pot(d: Draft, s: Axes) -> None:
    """A round-bellied pot on three short legs; lit, it steams over a small fire."""
    d.add(
        "belly",
        lambda: d.own(hollow([(0.09, 0.07), (0.17, 0.13), (0.185, 0.22), (0.15, 0.32), (0.165, 0.35)], 0.012, d.body)),
    )
    d.add(
        "legs",
        lambda: merged(
            [
                bar(
                    (0.1 * math.cos(a), 0.1 * math.sin(a), 0.1),
                    (0.14 * math.cos(a), 0.14 * math.sin(a), 0),
                    0.018,
                    d.body,
                )
                for a in (0.5, 2.6, 4.7)
            ]
        ),
    )
    d.add(
        "ears",
        lambda: merged([at(shapes.torus(0.035, 0.009, d.accent, 14, 6), x, 0, 0.31, pitch=90) for x in (-0.19, 0.19)]),
    )
    d.room((-0.13, -0.13, 0.1), (0.13, 0.13, 0.32))
    d.fill(s.get("fill", 0.0), 0.145)
    if s.get("lit", 0) > 0.1:
        d.add(
            "fire", lambda: merged([at(flame(0.12), x, y) for x, y in ((0, 0), (0.07, 0.04), (-0.06, 0.05))]), glow=1.0
        )
    d.grip((-0.19, 0, 0.31), (0, 1, 0), (-1, 0, 0))
    d.grip((0.19, 0, 0.31), (0, 1, 0), (1, 0, 0))


@family((0.3, 0.24, 0.26), axes=("lit",), surface="steel", colour=(0.30, 0.38, 0.52))
def kettle(d: Draft, s: Axes) -> None:
    """A kettle or teapot; hot, it steams."""
    d.add(
        "body",
        lambda: d.own(shapes.lathe([(0, 0), (0.1, 0), (0.11, 0.05), (0.09, 0.12), (0.05, 0.15), (0, 0.155)], d.body)),
    )
    d.add("spout", lambda: bent([(0.09, 0, 0.06), (0.15, 0, 0.1), (0.17, 0, 0.15)], 0.016, d.body))
    d.add(
        "knob",
        lambda: merged(
            [
                at(shapes.sphere(0.017, d.accent), z=0.17),
                bent([(-0.09, 0, 0.11), (-0.08, 0, 0.22), (0.05, 0, 0.24), (0.08, 0, 0.12)], 0.01, d.accent),
            ]
        ),
    )
    if s.get("lit", 0) > 0.1:
        d.add(
            "steam",
            lambda: merged(
                [
                    at(shapes.sphere(0.02 + 0.01 * k, (0.93, 0.95, 0.96), 10, 6), 0.19 + 0.02 * k, 0, 0.19 + 0.05 * k)
                    for k in range(4)
                ]
            ),
            glow=0.3,
        )
    d.grip((-0.02, 0, 0.24), (1, 0, 0), (0, 0, 1))


@family((1.5, 0.55, 0.75), axes=("fill",), surface="wood", colour=(0.78, 0.65, 0.46), carry="fixed")
def trough(d: Draft, s: Axes) -> None:
    """A long open box on four legs."""
    d.add("box", lambda: d.own(tray_box(1.5, 0.55, 0.34, 0.04, d.body, 0.41)))
    d.add(
        "legs",
        lambda: d.own(
            merged([at(slab(0.08, 0.08, 0.45, shade(d.body, 0.85)), x, y) for x in (-0.62, 0.62) for y in (-0.2, 0.2)])
        ),
    )
    d.room((-0.7, -0.23, 0.45), (0.7, 0.23, 0.73))
    d.fill(s.get("fill", 0.0))


@family((0.9, 0.58, 1.16), axes=("fill",), surface="painted", colour=(0.62, 0.70, 0.72), carry="fixed")
def sink(d: Draft, s: Axes) -> None:
    """A white basin on a cupboard, with a tap at its back."""
    d.add("basin", lambda: tray_box(0.9, 0.58, 0.22, 0.05, WHITE, 0.72))
    d.add("cupboard", lambda: d.own(slab(0.82, 0.5, 0.72, d.body, 0.01)))
    doors = [at(slab(0.37, 0.02, 0.6, shade(d.body, 1.2), 0.008, 0.06), x, 0.25) for x in (-0.2, 0.2)]
    knobs = [at(shapes.sphere(0.022, STEEL, 10, 6), x, 0.275, 0.42) for x in (-0.06, 0.06)]
    d.add("doors", lambda: merged([*doors, *knobs]))
    spout: list[Vec3] = [(0, -0.24, 0.9), (0, -0.24, 1.1), (0, -0.14, 1.15), (0, -0.04, 1.1), (0, -0.03, 1.04)]
    d.add("tap", lambda: merged([bent(spout, 0.02, STEEL), at(slab(0.16, 0.03, 0.03, STEEL, 0.006), 0, -0.24, 1.0)]))
    d.room((-0.39, -0.23, 0.77), (0.39, 0.23, 0.93))
    d.fill(s.get("fill", 0.0))


@family((0.5, 0.5, 0.62), axes=("lit",), surface="iron", colour=(0.24, 0.24, 0.26), carry="two hands front")
def brazier(d: Draft, s: Axes) -> None:
    """An iron fire basket on three legs; coals glow and flames stand in it when lit."""
    angles = [2 * math.pi * k / 12 for k in range(12)]
    d.add(
        "cage",
        lambda: merged(
            [
                bar(
                    (0.15 * math.cos(a), 0.15 * math.sin(a), 0.26),
                    (0.23 * math.cos(a), 0.23 * math.sin(a), 0.6),
                    0.012,
                    d.body,
                    6,
                )
                for a in angles
            ]
            + [at(shapes.torus(r, 0.014, d.body, 24, 6), z=z) for r, z in ((0.15, 0.26), (0.19, 0.43), (0.23, 0.6))]
            + [
                bar(
                    (0.13 * math.cos(a), 0.13 * math.sin(a), 0.28),
                    (0.24 * math.cos(a), 0.24 * math.sin(a), 0),
                    0.016,
                    d.body,
                )
                for a in (0.5, 2.6, 4.7)
            ]
            + [drum(0.15, 0.02, d.body, 0.26)]
        ),
    )
    lit = s.get("lit", 0.0)
    coals = (EMBER, 0.9) if lit > 0.1 else ((0.16, 0.15, 0.15), 0.0)
    d.add(
        f"coals {lit > 0.1}",
        lambda: merged(
            [drum(0.15, 0.12, shade(coals[0], 0.7), 0.29), lumps(24, 0.045, (0.27, 0.27), coals[0], 6, 0.42)]
        ),
        glow=coals[1],
    )
    if lit > 0.3:
        d.add(
            "flames",
            lambda: merged(
                [
                    at(flame(h), x, y, 0.42)
                    for x, y, h in ((0, 0, 0.42), (0.09, 0.04, 0.28), (-0.09, 0.05, 0.32), (0.02, -0.1, 0.26))
                ]
            ),
            glow=1.0,
        )
    d.grip((-0.23, 0, 0.6), (0, 1, 0), (-1, 0, 0))
    d.grip((0.23, 0, 0.6), (0, 1, 0), (1, 0, 0))


@family((0.22, 0.22, 0.09), axes=("open", "fill"), surface="painted")
def tin(d: Draft, s: Axes) -> None:
    """A round flat tin with a lid that leans against it when open."""
    d.add("body", lambda: d.own(hollow([(0.105, 0), (0.105, 0.07)], 0.006, d.body)))
    opened = s.get("open", 0.0)
    d.add(
        "lid",
        lambda: merged(
            [drum(0.109, 0.02, shade(d.body, 0.9)), at(shapes.torus(0.085, 0.006, d.accent, 28, 6), z=0.02)]
        ),
        placement((0.2 * opened, 0, 0.07 * (1 - opened) + 0.046 * opened), roll=25 * opened),
    )
    d.room((-0.09, -0.09, 0.01), (0.09, 0.09, 0.06))
    d.fill(max(s.get("fill", 0.0), 0.0), 0.098)
    d.grip((0, 0.1, 0.04), (1, 0, 0), (0, 1, 0))
