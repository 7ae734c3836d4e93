"""Boxes, cupboards and bags: what is opened, and what is in it."""

from __future__ import annotations

from functools import partial

from storyengine.previz.props.kit import (
    BRASS,
    DARK_WOOD,
    IRON,
    STRAW,
    UNDER_LID,
    WOOD,
    Draft,
    at,
    bar,
    bent,
    drum,
    lumps,
    shade,
    slab,
    tray_box,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, merged, placement, shapes

AJAR = 0.3
"""How far a lid is open when what is inside begins to show."""


def _lidded(d: Draft, s: Axes, size: tuple[float, float, float], trim: bool = True) -> None:
    """A box whose lid is hinged at the back."""
    w, h, t = size[0], size[2], 0.03
    depth, lid = size[1], max(0.05, size[2] * 0.12)
    d.add("box", lambda: d.own(tray_box(w, depth, h - lid, t, d.body)))
    d.add("inner", lambda: slab(w - 2 * t, depth - 2 * t, 0.01, shade(d.body, 0.55), 0, t))
    if trim:
        d.add(
            "straps",
            lambda: merged(
                [at(slab(0.05, depth + 0.012, h - lid, d.accent, 0.004), x) for x in (-w * 0.42, w * 0.42)]
                + [at(slab(0.07, 0.03, 0.09, BRASS), y=depth / 2, z=h - lid - 0.08)]
            ),
        )

    def cover() -> Mesh:
        plates = [at(d.own(slab(w + 0.03, depth + 0.03, lid, d.body, 0.012)), y=depth / 2)]
        if trim:
            plates += [
                at(slab(0.05, depth + 0.045, lid + 0.012, d.accent, 0.004), x, depth / 2, -0.004)
                for x in (-w * 0.42, w * 0.42)
            ]
        return merged(plates)

    d.add("lid", cover, placement((0, -depth / 2, h - lid), pitch=105 * s.get("open", 0.0)))
    d.room((-w / 2 + t, -depth / 2 + t, t + 0.01), (w / 2 - t, depth / 2 - t, h - lid))
    d.fill(s.get("fill", 0.0) * (0.92 if s.get("open", 0.0) > AJAR else UNDER_LID))
    d.rest("lid", h, w * 0.9, depth * 0.9)
    d.grip((-w / 2, 0, (h - lid) * 0.7), (0, 1, 0), (-1, 0, 0))
    d.grip((w / 2, 0, (h - lid) * 0.7), (0, 1, 0), (1, 0, 0))


@family((0.9, 0.55, 0.6), axes=("open", "fill"), surface="wood", colour=WOOD, accent=IRON, carry="two hands front")
def chest(d: Draft, s: Axes) -> None:
    """A chest or bin with a hinged lid and straps."""
    _lidded(d, s, (0.9, 0.55, 0.6))


@family((0.45, 0.35, 0.32), axes=("open", "fill"), surface="painted", carry="two hands front")
def box(d: Draft, s: Axes) -> None:
    """The plain box: also what stands for a thing nobody has a word for."""
    _lidded(d, s, (0.45, 0.35, 0.32), trim=False)
    d.add(
        "corner trim",
        lambda: merged(
            [at(slab(0.025, 0.025, 0.27, d.accent, 0.003), x, y) for x in (-0.222, 0.222) for y in (-0.172, 0.172)]
        ),
    )


@family((0.7, 0.5, 0.5), axes=("open", "fill"), surface="wood", colour=(0.74, 0.60, 0.41), carry="two hands front")
def crate(d: Draft, s: Axes) -> None:
    """Slatted sides with a frame; the lid lies against its side when open, straw shows inside."""
    w, dp, h = 0.7, 0.5, 0.5

    def slats() -> Mesh:
        out = [slab(w, dp, 0.02, shade(d.body, 0.7), 0)]
        for k in range(4):
            z = 0.015 + k * 0.122
            out += [at(slab(w, 0.018, 0.1, d.body, 0.003), y=y, z=z) for y in (-dp / 2, dp / 2)]
            out += [at(slab(0.018, dp, 0.1, d.body, 0.003), x=x, z=z) for x in (-w / 2, w / 2)]
        return merged(out)

    d.add("slats", lambda: d.own(slats()))
    d.add(
        "frame",
        lambda: merged(
            [
                at(slab(0.05, 0.03, h, d.accent, 0.004), x, y)
                for x in (-w / 2 + 0.02, w / 2 - 0.02)
                for y in (-dp / 2 - 0.014, dp / 2 + 0.014)
            ]
            + [at(slab(w * 1.12, 0.022, 0.05, d.accent, 0.003), y=dp / 2 + 0.016, z=0.22, roll=0)]
        ),
    )
    opened = s.get("open", 0.0)
    d.add(
        "lid",
        lambda: d.own(
            merged(
                [at(slab(w, 0.085, 0.02, d.body, 0.003), y=-dp / 2 + 0.05 + 0.1 * k) for k in range(5)]
                + [at(slab(0.05, dp, 0.02, d.accent, 0.003), x, z=0.02) for x in (-0.25, 0.25)]
            )
        ),
        placement((0.52 * opened, 0, h * (1 - opened) + 0.3 * opened), roll=-68 * opened),
    )
    if opened > AJAR:
        d.add("straw", lambda: merged([lumps(60, 0.05, (w * 0.85, dp * 0.8), STRAW, 5, 0.4)]))
    d.room((-w / 2 + 0.03, -dp / 2 + 0.03, 0.03), (w / 2 - 0.03, dp / 2 - 0.03, h - 0.06))
    d.fill(s.get("fill", 0.0) * (0.95 if opened > AJAR else UNDER_LID))
    d.rest("lid", h + 0.02, w * 0.9, dp * 0.9)
    d.grip((-w / 2, 0, 0.4), (0, 1, 0), (-1, 0, 0))
    d.grip((w / 2, 0, 0.4), (0, 1, 0), (1, 0, 0))


@family((0.45, 0.22, 0.24), axes=("open",), surface="painted", colour=(0.76, 0.20, 0.16), accent=(0.25, 0.26, 0.28))
def toolbox(d: Draft, s: Axes) -> None:
    """A tin box with a carrying handle; two half lids fold away and tools show."""
    d.add("body", lambda: d.own(tray_box(0.45, 0.2, 0.15, 0.012, d.body)))
    turn = 165 * s.get("open", 0.0)

    def half() -> Mesh:
        return at(slab(0.45, 0.1, 0.035, d.body, 0.006), y=0.05)

    d.add("lid back", lambda: d.own(half()), placement((0, -0.1, 0.15), pitch=turn))
    d.add("lid front", lambda: d.own(half()), placement((0, 0.1, 0.15), yaw=180, pitch=turn))
    d.add(
        "handle",
        lambda: bent([(-0.12, 0, 0.185), (-0.1, 0, 0.24), (0.1, 0, 0.24), (0.12, 0, 0.185)], 0.011, d.accent),
        placement((0, 0.1 * s.get("open", 0.0), 0), pitch=0),
    )
    if s.get("open", 0) > AJAR:
        d.add(
            "tools",
            lambda: merged(
                [
                    bar((-0.18, y, 0.145), (0.17, -y, 0.165), 0.018, c)
                    for y, c in ((0.05, IRON), (-0.03, (0.8, 0.6, 0.2)), (0.0, (0.5, 0.5, 0.52)))
                ]
            ),
        )
    d.room((-0.2, -0.08, 0.02), (0.2, 0.08, 0.14))
    d.grip((0, 0, 0.24), (1, 0, 0), (0, 0, 1))


@family(
    (0.95, 0.5, 1.75), axes=("open", "loaded"), surface="wood", colour=DARK_WOOD, accent=BRASS, carry="fixed", wall=True
)
def cupboard(d: Draft, s: Axes) -> None:
    """Two doors, shelves behind them."""
    w, dp, h = 0.95, 0.45, 1.75
    d.add("carcass", lambda: d.own(_carcass(w, dp, h, d, (0.5, 0.95, 1.35))))
    for side in (-1, 1):
        d.add(
            f"leaf {side}",
            partial(_leaf, w / 2, h - 0.12, side, d),
            placement((side * w / 2, dp / 2, 0.08), yaw=side * 108 * s.get("open", 0.0)),
        )
    _shelf_goods(d, s, w, dp, (0.08, 0.5, 0.95, 1.35))
    d.room((-w / 2 + 0.05, -dp / 2 + 0.04, 0.08), (w / 2 - 0.05, dp / 2 - 0.05, h - 0.05))
    d.rest("shelf", 0.97, w * 0.85, dp * 0.7)
    d.rest("top", h, w * 0.9, dp * 0.9)
    d.grip((0.04, dp / 2 + 0.03, 0.95), (0, 0, 1), (0, 1, 0))


def _carcass(w: float, dp: float, h: float, d: Draft, shelves: tuple[float, ...]) -> Mesh:
    dark = shade(d.body, 0.36)
    out = [
        at(slab(w, 0.02, h, dark, 0), y=-dp / 2 + 0.01),
        slab(w, dp, 0.08, d.body, 0.005),
        slab(w + 0.04, dp + 0.04, 0.05, d.body, 0.01, h - 0.05),
    ]
    out += [at(slab(0.025, dp, h, d.body, 0.003), x) for x in (-w / 2 + 0.012, w / 2 - 0.012)]
    out += [slab(w - 0.05, dp - 0.03, 0.02, dark, 0, z) for z in shelves]
    return merged(out)


def _leaf(w: float, h: float, side: int, d: Draft) -> Mesh:
    """A door leaf whose hinge is the z axis; it extends away from `side`."""
    middle = -side * w / 2
    out = [
        at(slab(w - 0.006, 0.025, h, d.body, 0.006), middle),
        at(slab(w * 0.66, 0.012, h * 0.8, shade(d.body, 0.86), 0.006), middle, 0.014, h * 0.1),
    ]
    out.append(at(shapes.sphere(0.022, d.accent, 10, 6), -side * (w - 0.05), 0.04, h * 0.52))
    return d.own(merged(out))


def _shelf_goods(d: Draft, s: Axes, w: float, dp: float, heights: tuple[float, ...]) -> None:
    if s.get("loaded", s.get("fill", 0.0)) < 0.5:
        return
    tones = [(0.74, 0.44, 0.30), (0.35, 0.48, 0.56), (0.83, 0.73, 0.46), (0.50, 0.56, 0.38)]
    d.add(
        "goods",
        lambda: merged(
            [
                at(
                    drum(0.07, 0.16 + 0.05 * ((k + j) % 3), tones[(k + j) % 4])
                    if (k + j) % 2
                    else slab(0.15, 0.18, 0.2, tones[(k * 2 + j) % 4]),
                    -w / 2 + 0.16 + k * (w - 0.3) / 3,
                    -0.02,
                    z + 0.02,
                )
                for j, z in enumerate(heights)
                for k in range(4)
            ]
        ),
    )


@family(
    (0.46, 0.5, 1.8),
    axes=("open", "loaded"),
    surface="steel",
    colour=(0.42, 0.52, 0.55),
    accent=(0.8, 0.8, 0.78),
    carry="fixed",
    wall=True,
)
def locker(d: Draft, s: Axes) -> None:
    """A narrow steel locker with slots in its one door; a shelf and a hook inside."""
    w, dp, h = 0.46, 0.48, 1.8
    d.add("carcass", lambda: d.own(_carcass(w, dp, h, d, (1.45,))))
    d.add(
        "hook",
        lambda: merged(
            [
                bar((0, -0.1, 1.44), (0, -0.1, 1.36), 0.01, IRON),
                bent([(0, -0.1, 1.36), (0, -0.06, 1.33), (0, -0.03, 1.37)], 0.01, IRON),
            ]
        ),
    )

    def door() -> Mesh:
        out = [at(slab(w - 0.01, 0.022, h - 0.12, d.body, 0.006), w / 2)]
        out += [
            at(slab(w * 0.5, 0.01, 0.02, shade(d.body, 0.4), 0), w / 2, 0.012, z)
            for z in (1.3, 1.36, 1.42, 1.48, 0.2, 0.26)
        ]
        out += [
            at(slab(0.03, 0.04, 0.14, d.accent, 0.004), w - 0.06, 0.02, 0.8),
            at(slab(0.16, 0.01, 0.09, (0.92, 0.9, 0.84), 0), w / 2, 0.012, 1.1),
        ]
        return merged(out)

    d.add("door", lambda: d.own(door()), placement((-w / 2, dp / 2, 0.06), yaw=-112 * s.get("open", 0.0)))
    _shelf_goods(d, s, w, dp, (0.06, 1.45))
    d.room((-w / 2 + 0.04, -dp / 2 + 0.04, 0.08), (w / 2 - 0.04, dp / 2 - 0.04, 1.44))
    d.rest("shelf", 1.47, w * 0.8, dp * 0.7)
    d.grip((w / 2 - 0.06, dp / 2 + 0.05, 0.93), (0, 0, 1), (0, 1, 0))


@family(
    (0.8, 0.5, 0.85),
    axes=("open", "fill"),
    surface="wood",
    colour=(0.62, 0.46, 0.30),
    accent=BRASS,
    carry="fixed",
    wall=True,
)
def drawers(d: Draft, s: Axes) -> None:
    """A chest of drawers; the middle drawer comes out when open."""
    w, dp, h = 0.8, 0.48, 0.85
    d.add(
        "carcass",
        lambda: d.own(
            merged(
                [
                    slab(w, dp - 0.03, h - 0.03, shade(d.body, 0.8), 0.006),
                    slab(w + 0.04, dp + 0.03, 0.035, d.body, 0.01, h - 0.03),
                ]
            )
        ),
    )

    def front(z: float) -> Mesh:
        return merged(
            [
                at(slab(w - 0.06, 0.025, 0.23, d.body, 0.006), y=dp / 2, z=z),
                *[at(shapes.sphere(0.02, d.accent, 10, 6), x, dp / 2 + 0.025, z + 0.115) for x in (-0.2, 0.2)],
            ]
        )

    d.add("fronts", lambda: d.own(merged([front(0.05), front(0.57)])))
    out = 0.32 * s.get("open", 0.0)
    d.add(
        "drawer",
        lambda: d.own(merged([front(0.31), at(tray_box(w - 0.1, dp - 0.06, 0.19, 0.015, shade(d.body, 0.9)), z=0.32)])),
        placement((0, out, 0)),
    )
    if s.get("fill", 0.0) > 0.3:
        d.add(
            f"contents {d.content}",
            lambda: lumps(48, 0.07, (w - 0.2, dp - 0.16), d.content, 8, 0.5),
            placement((0, out, 0)),
        )
    d.room((-w / 2 + 0.08, -dp / 2 + 0.05 + out, 0.34), (w / 2 - 0.08, dp / 2 - 0.05 + out, 0.5))
    d.rest("top", h, w * 0.95, dp * 0.9)
    d.grip((0, dp / 2 + 0.03 + out, 0.43), (1, 0, 0), (0, 1, 0))


@family((0.62, 0.2, 0.46), axes=("open", "fill"), surface="leather", colour=(0.50, 0.32, 0.20), accent=BRASS)
def suitcase(d: Draft, s: Axes) -> None:
    """Stands upright on its long edge; opened, it lies in two halves that show the lining."""
    opened = s.get("open", 0.0)

    def half() -> Mesh:
        return merged(
            [
                at(tray_box(0.62, 0.42, 0.09, 0.012, d.body, lining=(0.82, 0.72, 0.58)), y=0.21),
                *[at(slab(0.03, 0.425, 0.012, shade(d.body, 0.6), 0), x, 0.21, -0.004) for x in (-0.18, 0.18)],
            ]
        )

    # Shut: both halves stand face to face; open: they lie side by side about the hinge at the bottom.
    tilt = 90 * (1 - opened)
    d.add("back half", lambda: d.own(half()), placement((0, -0.095 * (1 - opened), 0.0), yaw=180, pitch=tilt))
    d.add("front half", lambda: d.own(half()), placement((0, 0.095 * (1 - opened), 0.0), pitch=tilt))
    d.add(
        "handle",
        lambda: merged(
            [
                bent([(-0.08, 0, 0), (-0.07, 0, 0.045), (0.07, 0, 0.045), (0.08, 0, 0)], 0.011, d.accent),
                *[at(slab(0.05, 0.05, 0.02, BRASS), x, 0, -0.01) for x in (-0.2, 0.2)],
            ]
        ),
        placement((0, 0.43 * opened, 0.42 * (1 - opened) + 0.06 * opened), pitch=-80 * opened),
    )
    if opened > AJAR and s.get("fill", 1.0) > 0.3:
        d.add(
            "clothes",
            lambda: merged(
                [
                    at(slab(0.26, 0.3, 0.05, c, 0.02), x, 0.21, 0.03)
                    for x, c in ((-0.14, (0.36, 0.46, 0.6)), (0.15, (0.9, 0.87, 0.8)))
                ]
            ),
        )
    d.grip((0, 0, 0.46), (1, 0, 0), (0, 0, 1))


@family((0.46, 0.34, 0.72), axes=("fill", "open"), surface="canvas", colour=(0.76, 0.64, 0.45), carry="on shoulder")
def sack(d: Draft, s: Axes) -> None:
    """Full, it stands plump with a tied neck; empty, it lies flat and limp."""
    full = s.get("fill", 1.0)
    opened = s.get("open", 0.0) > 0.5
    if full < 0.15:
        d.add(
            "limp",
            lambda: d.own(
                merged(
                    [
                        at(shapes.ellipsoid((0.3, 0.22, 0.045), d.body), z=0.04),
                        at(shapes.ellipsoid((0.18, 0.12, 0.05), shade(d.body, 0.93)), 0.1, 0.03, 0.06),
                        at(shapes.ellipsoid((0.1, 0.13, 0.035), shade(d.body, 0.88)), 0.34, 0, 0.035),
                    ]
                )
            ),
        )
        d.grip((0.3, 0, 0.06), (0, 1, 0), (1, 0, 0))
        return
    body = [(0.0, 0.0), (0.17, 0.0), (0.225, 0.08), (0.235, 0.28), (0.2, 0.46), (0.12, 0.56)]
    neck = (
        [(0.16, 0.62), (0.17, 0.63), (0.13, 0.57), (0.0, 0.54)]
        if opened
        else [(0.045, 0.6), (0.06, 0.64), (0.085, 0.71), (0.0, 0.66)]
    )
    flat = placement(scale=(1.0, 0.78, 0.45 + 0.55 * full))
    d.add(f"body {opened}", lambda: d.own(shapes.lathe([*body, *neck], d.body, 24, 60)), flat)
    if opened:
        d.add(f"contents {d.content}", lambda: at(shapes.ellipsoid((0.14, 0.14, 0.06), d.content), z=0.6), flat)
    else:
        d.add("cord", lambda: at(shapes.torus(0.052, 0.014, d.accent), z=0.6), flat)
    d.grip((-0.12, 0, 0.56), (0, 1, 0), (-1, 0, 0))
    d.grip((0.12, 0, 0.56), (0, 1, 0), (1, 0, 0))


@family((0.4, 0.18, 0.42), axes=("open", "fill"), surface="leather", accent=BRASS)
def bag(d: Draft, s: Axes) -> None:
    """A satchel with a flap and a strap; empty, it is flat and has sunk."""
    full = s.get("fill", 0.7)
    fat, tall = 0.3 + full, min(0.62 + 0.54 * full, 1.1)
    pose = placement(scale=(1, fat, tall))
    d.add("body", lambda: d.own(slab(0.38, 0.15, 0.28, d.body, 0.035)), pose)
    d.add(
        "flap",
        lambda: merged(
            [
                at(slab(0.385, 0.17, 0.02, shade(d.body, 0.85), 0.008), y=0.085),
                at(slab(0.385, 0.018, 0.17, shade(d.body, 0.85), 0.006), y=0.162, z=-0.16),
                at(slab(0.05, 0.03, 0.05, d.accent, 0.004), y=0.17, z=-0.15),
            ]
        ),
        placement((0, -0.085 * fat, 0.285 * tall), pitch=120 * s.get("open", 0.0), scale=(1, fat, tall)),
    )
    d.add(
        "strap",
        lambda: bent(
            [(-0.19, 0, 0.22), (-0.16, 0, 0.42), (0, 0, 0.5), (0.16, 0, 0.42), (0.19, 0, 0.22)],
            0.013,
            shade(d.body, 0.7),
        ),
        placement(scale=(1, 1, tall)),
    )
    if s.get("open", 0) > 0.4:
        d.add("mouth", lambda: slab(0.32, 0.1, 0.004, shade(d.body, 0.3), 0, 0.282), pose)
    d.room((-0.16, -0.05, 0.03), (0.16, 0.05, 0.27))
    d.grip((0, 0, 0.5 * tall), (1, 0, 0), (0, 0, 1))


@family((0.36, 0.37, 0.52), axes=("open", "fill"), surface="canvas", accent=(0.42, 0.28, 0.18))
def backpack(d: Draft, s: Axes) -> None:
    """A rucksack: rounded body, front pocket, flap, shoulder straps at the back; empty, it is flat and has sunk."""
    full = s.get("fill", 0.8)
    fat, tall = 0.3 + 0.85 * full, 0.6 + 0.5 * full
    pose = placement(scale=(1, fat, tall))
    d.add(
        "body",
        lambda: d.own(
            merged([at(shapes.ellipsoid((0.18, 0.12, 0.24), d.body), z=0.24), slab(0.3, 0.2, 0.36, d.body, 0.07, 0.01)])
        ),
        pose,
    )
    d.add(
        "pocket",
        lambda: merged(
            [
                at(slab(0.22, 0.08, 0.17, shade(d.body, 0.88), 0.03), y=0.12, z=0.05),
                at(slab(0.03, 0.095, 0.17, d.accent, 0.004), y=0.12, z=0.05),
            ]
        ),
        pose,
    )
    d.add(
        "flap",
        lambda: merged(
            [
                at(shapes.ellipsoid((0.17, 0.13, 0.05), shade(d.body, 0.82)), y=0.11),
                *[at(slab(0.03, 0.02, 0.12, d.accent, 0.003), x, 0.235, -0.11) for x in (-0.08, 0.08)],
            ]
        ),
        placement((0, -0.11 * fat, 0.43 * tall), pitch=125 * s.get("open", 0.0), scale=(1, fat, 1)),
    )
    d.add(
        "straps",
        lambda: merged(
            [
                bent([(x, -0.1, 0.4), (x * 1.3, -0.19, 0.32), (x * 1.3, -0.17, 0.15), (x, -0.1, 0.06)], 0.016, d.accent)
                for x in (-0.09, 0.09)
            ]
            + [bent([(-0.04, -0.1, 0.44), (0, -0.1, 0.5), (0.04, -0.1, 0.44)], 0.01, d.accent)]
        ),
        placement(scale=(1, 1, tall)),
    )
    if s.get("open", 0) > 0.4:
        d.add("mouth", lambda: at(shapes.cylinder(0.11, 0.01, shade(d.body, 0.3)), z=0.46), pose)
    d.room((-0.14, -0.08, 0.05), (0.14, 0.08, 0.42))
    d.grip((0, -0.1, 0.5 * tall), (1, 0, 0), (0, 0, 1))


@family((0.2, 0.14, 0.05), name="lock", axes=("open", "turned"), surface="brass", colour=BRASS, accent=IRON)
def lock_(d: Draft, s: Axes) -> None:
    """A lock case lying on its back; open, its works show."""
    d.add("case", lambda: d.own(slab(0.2, 0.13, 0.035, d.body, 0.004)))
    d.add(
        "bolt",
        lambda: merged(
            [slab(0.05, 0.05, 0.02, d.accent, 0.003, 0.008), at(slab(0.012, 0.16, 0.036, d.body, 0.002), x=-0.02)]
        ),
        placement((0.1 + 0.025 * s.get("turned", 0.0), 0, 0)),
    )
    if s.get("open", 0.0) > 0.4:
        d.add(
            "works",
            lambda: merged(
                [
                    slab(0.17, 0.1, 0.003, (0.16, 0.13, 0.1), 0, 0.034),
                    drum(0.03, 0.012, BRASS, 0.035),
                    at(slab(0.09, 0.02, 0.01, IRON, 0), 0.04, 0.03, 0.036),
                    at(slab(0.07, 0.012, 0.01, (0.75, 0.75, 0.75), 0), -0.03, -0.03, 0.036),
                ]
            ),
        )
    else:
        d.add(
            "keyhole",
            lambda: merged(
                [
                    at(drum(0.011, 0.004, (0.05, 0.05, 0.05), 0.034, 12, 0), 0.01),
                    at(slab(0.008, 0.03, 0.004, (0.05, 0.05, 0.05), 0, 0.034), 0.01, -0.015),
                ]
            ),
        )
    d.grip((0, 0, 0.03), (1, 0, 0), (0, 0, 1))
