"""Machines and works: what is stoked, cranked, pumped, weighed and switched."""

from __future__ import annotations

import math

from storyengine.previz.props.kit import (
    BLACK, BRASS, CREAM, EMBER, IRON, RED, STEEL, WATER, WHITE, WOOD, Draft, at, bar, bent, drum, flame, hollow, lumps, mix,
    shade, slab, tray_box, wheel_disc,
)  # fmt: skip
from storyengine.previz.props.finish import masonry
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, composed, merged, placement, shapes

_MOUTH = (0.07, 0.06, 0.06)
_BRICK = (0.62, 0.38, 0.30)


def _bricks(mesh: Mesh, across: float = 1.0, up: float = 1.0) -> Mesh:
    return mesh.textured(masonry(), (across, up))


def _fire(d: Draft, lit: float, y: float, z: float, w: float) -> None:
    """The glow in a mouth."""
    if lit > 0.05:
        d.add("embers", lambda: at(merged([slab(w, 0.04, 0.06, EMBER, 0), *[at(flame(0.26 - 0.05 * (k % 2)), -w / 3 + k * w / 3, 0, 0.04) for k in range(3)]]), y=y, z=z), glow=lit)


@family((1.5, 1.1, 1.6), axes=("raised", "open", "lit", "fill"), surface="stone", colour=_BRICK, accent=IRON, carry="fixed", wall=True)
def oven(d: Draft, s: Axes) -> None:
    """A brick oven with a low mouth; its iron door is drawn up on a chain."""
    d.add("body", lambda: merged([_bricks(slab(1.5, 1.1, 1.15, d.body, 0.01), 1.3, 1.2), _bricks(slab(1.3, 0.95, 0.3, shade(d.body, 0.92), 0.05, 1.15), 1.3, 0.4), at(slab(0.95, 0.08, 0.06, shade(d.body, 0.6)), y=0.56, z=0.5),
          slab(0.36, 0.36, 0.35, shade(d.body, 0.85), 0.01, 1.3)]))  # fmt: skip
    d.add("arch", lambda: merged([at(shapes.box((0.09, 0.08, 0.17), shade(d.body, 0.72), 0.01), 0.4 * math.sin(a), 0.56, 0.86 + 0.2 * math.cos(a), roll=math.degrees(a)) for a in [-1.35 + 0.3 * k for k in range(10)]]))
    d.add("mouth", lambda: at(slab(0.72, 0.02, 0.44, _MOUTH, 0), y=0.55, z=0.56))
    lit = s.get("lit", 0.0)
    _fire(d, lit, 0.57, 0.58, 0.5)
    up = max(s.get("raised", 0.0), s.get("open", 0.0))
    d.add("door", lambda: d.of("iron", merged([at(slab(0.74, 0.035, 0.46, d.accent, 0.012), y=0.6, z=0.55), at(slab(0.3, 0.05, 0.04, STEEL, 0.005), y=0.63, z=0.66), *[at(shapes.sphere(0.018, STEEL, 8, 5), x, 0.62, z) for x in (-0.32, 0.32) for z in (0.6, 0.96)]])), placement((0, 0, 0.5 * up)))
    d.add("chain", lambda: merged([at(shapes.torus(0.022, 0.007, STEEL, 12, 6), 0, 0.6, 1.04 + 0.045 * k, yaw=90 * (k % 2), pitch=90) for k in range(15)]))
    d.room((-0.34, 0.1, 0.58), (0.34, 0.54, 0.95))
    if s.get("fill", 0.0) > 0.1:
        d.add("loaves", lambda: merged([at(shapes.ellipsoid((0.1, 0.08, 0.06), (0.80, 0.60, 0.36)), x, 0.56, 0.62) for x in (-0.22, 0, 0.22)]))
    d.grip((0.0, 0.66, 0.68 + 0.5 * up), (1, 0, 0), (0, 1, 0))


@family((0.8, 0.65, 2.0), axes=("open", "lit"), surface="iron", colour=(0.20, 0.20, 0.22), accent=BRASS, carry="fixed", wall=True)
def stove(d: Draft, s: Axes) -> None:
    """A pot-bellied stove with a little door, a flat top and a crooked pipe."""
    d.add("belly", lambda: d.own(shapes.lathe([(0, 0.12), (0.2, 0.12), (0.29, 0.28), (0.31, 0.45), (0.27, 0.66), (0.22, 0.78), (0.3, 0.8), (0.3, 0.85), (0, 0.85)], d.body)))
    d.add("fittings", lambda: merged([bent([(0, -0.12, 0.85), (0, -0.12, 1.35), (0.12, -0.16, 1.55), (0.12, -0.2, 2.0)], 0.07, shade(d.body, 1.12)), at(shapes.torus(0.31, 0.018, d.accent), z=0.45),
          *[bar((0.2 * math.cos(a), 0.2 * math.sin(a), 0.15), (0.28 * math.cos(a), 0.28 * math.sin(a), 0), 0.025, d.body) for a in (0.8, 2.3, 3.9, 5.4)]]))  # fmt: skip
    lit = s.get("lit", 0.0)
    d.add(f"mouth {lit > 0.1}", lambda: at(slab(0.22, 0.03, 0.2, EMBER if lit > 0.1 else _MOUTH, 0), y=0.3, z=0.36), glow=lit)
    d.add("door", lambda: merged([at(slab(0.26, 0.03, 0.24, shade(d.body, 1.25), 0.012), 0.13), at(shapes.sphere(0.02, d.accent, 10, 6), 0.22, 0.03, 0.12), *[at(slab(0.16, 0.034, 0.014, EMBER if lit > 0.1 else _MOUTH, 0), 0.13, 0, 0.05 + 0.05 * k) for k in range(3)]])
          if lit <= 0.1 else merged([at(slab(0.26, 0.03, 0.24, shade(d.body, 1.25), 0.012), 0.13), at(shapes.sphere(0.02, d.accent, 10, 6), 0.22, 0.03, 0.12)]), placement((-0.13, 0.325, 0.34), yaw=-105 * s.get("open", 0.0)))  # fmt: skip
    if lit > 0.1:
        d.add("slots", lambda: merged([at(slab(0.16, 0.034, 0.014, (1.0, 0.62, 0.2), 0), 0.13, 0.004, 0.05 + 0.05 * k) for k in range(3)]), placement((-0.13, 0.325, 0.34), yaw=-105 * s.get("open", 0.0)), glow=lit)
    d.rest("top", 0.85, 0.4, 0.4)
    d.grip((0.09, 0.36, 0.46), (0, 0, 1), (0, 1, 0))


@family((1.4, 1.2, 1.9), axes=("open", "lit", "fill"), surface="iron", colour=(0.27, 0.26, 0.27), accent=(0.72, 0.36, 0.2), carry="fixed", wall=True)
def furnace(d: Draft, s: Axes) -> None:
    """A domed furnace with a round door and hoops; the fire shows when it is open and lit."""
    d.add("dome", lambda: d.own(shapes.lathe([(0, 0), (0.62, 0), (0.62, 1.0), (0.55, 1.3), (0.38, 1.5), (0.2, 1.58), (0.2, 1.9), (0, 1.9)], d.body, 28)))
    d.add("hoops", lambda: merged([at(shapes.torus(0.625, 0.025, d.accent, 32, 6), z=z) for z in (0.15, 0.98)] + [at(shapes.torus(0.25, 0.04, d.accent, 24, 8), y=0.61, z=0.6, pitch=90)]))
    lit = s.get("lit", 0.0)
    d.add(f"mouth {lit > 0.1}", lambda: at(shapes.cylinder(0.23, 0.1, EMBER if lit > 0.1 else _MOUTH, 22), y=0.6, z=0.6, pitch=90), glow=lit)
    if lit > 0.1:
        d.add("flames", lambda: merged([at(flame(0.24), x, 0.66, 0.45) for x in (-0.1, 0, 0.1)]), glow=lit)
    d.add("door", lambda: merged([at(shapes.cylinder(0.25, 0.05, shade(d.body, 1.2), 22, 0.01), 0.25, pitch=90), at(slab(0.06, 0.06, 0.1, STEEL, 0.01), 0.42, 0.04, -0.05)]), placement((-0.25, 0.69, 0.6), yaw=-110 * s.get("open", 0.0)))
    d.rest("top", 1.9, 0.3, 0.3)
    d.room((-0.3, -0.2, 0.4), (0.3, 0.5, 0.8))
    d.grip((0.18, 0.75, 0.6), (0, 0, 1), (0, 1, 0))


@family((1.1, 0.85, 1.0), axes=("lit",), surface="stone", colour=_BRICK, accent=IRON, carry="fixed")
def forge(d: Draft, s: Axes) -> None:
    """A hearth: bed of coals in a brick box at hip height; lit, it glows with flames."""
    d.add("box", lambda: _bricks(slab(1.1, 0.85, 0.72, d.body, 0.01), 1.0, 0.8))
    d.add("rim", lambda: at(tray_box(1.12, 0.87, 0.14, 0.08, d.accent), z=0.7))
    lit = s.get("lit", 0.0)
    d.add(f"coals {lit > 0.1}", lambda: lumps(70, 0.06, (0.85, 0.6), EMBER if lit > 0.1 else (0.17, 0.16, 0.16), 7, 0.8), glow=0.85 * lit)
    if lit > 0.3:
        d.add("flames", lambda: merged([at(flame(h), x, y, 0.82) for x, y, h in ((0, 0, 0.4), (0.2, 0.08, 0.26), (-0.22, 0.02, 0.3), (0.05, -0.16, 0.24))]), glow=1.0)
    d.rest("coals", 0.84, 0.8, 0.55)


@family((0.4, 0.96, 1.15), axes=("raised", "running", "turned", "wet"), surface="iron", accent=WOOD, carry="fixed")
def pump(d: Draft, s: Axes) -> None:
    """A hand pump: column, spout, long handle that goes up and down; running, water pours."""
    d.add("column", lambda: d.own(merged([drum(0.2, 0.06, d.body), shapes.lathe([(0, 0.05), (0.1, 0.05), (0.085, 0.3), (0.085, 0.85), (0.12, 0.9), (0.12, 1.0), (0.06, 1.08), (0, 1.1)], d.body), bent([(0, 0.05, 0.78), (0, 0.22, 0.8), (0, 0.3, 0.7)], 0.045, d.body)])))
    lift = s.get("raised", s.get("turned", 0.35))
    d.add("handle", lambda: merged([bar((0, 0.1, 0.02), (0, -0.35, 0), 0.022, IRON), bar((0, -0.35, 0), (0, -0.62, -0.02), 0.03, d.accent)]), placement((0, 0, 1.1), pitch=28 - 62 * lift))
    if max(s.get("running", 0.0), s.get("wet", 0.0)) > 0.1:
        d.add("water", lambda: merged([shapes.tube([(0, 0.3, 0.7), (0, 0.31, 0.4), (0, 0.31, 0.0)], 0.032, (0.62, 0.8, 0.9)), at(shapes.cylinder(0.22, 0.012, WATER, 24), 0, 0.32, 0.008)]), glow=0.15)
    a = math.radians(28 - 62 * lift)
    d.grip((0, -0.55 * math.cos(a), 1.1 - 0.55 * math.sin(a)), (0, -1, 0), (0, 0, 1))


@family((0.8, 0.6, 1.4), axes=("turned", "raised", "open", "loaded"), surface="iron", colour=(0.24, 0.32, 0.28), accent=BRASS, carry="fixed")
def press(d: Draft, s: Axes) -> None:
    """A screw press: frame, platen that comes down as the bar on top is turned."""
    down = s.get("turned", 1 - max(s.get("raised", 0.0), s.get("open", 0.0)) if ("raised" in s or "open" in s) else 0.0)
    d.add("frame", lambda: d.own(merged([slab(0.8, 0.55, 0.5, d.body, 0.02), *[at(slab(0.09, 0.16, 0.62, d.body, 0.012), x, 0, 0.5) for x in (-0.34, 0.34)], slab(0.78, 0.18, 0.13, d.body, 0.02, 1.1)])))
    d.add("platen", lambda: merged([slab(0.56, 0.44, 0.05, d.accent, 0.01), bar((0, 0, 0.05), (0, 0, 0.62), 0.035, STEEL)]), placement((0, 0, 0.88 - 0.3 * down)))
    d.add("wheel", lambda: merged([bar((-0.42, 0, 0), (0.42, 0, 0), 0.022, STEEL), *[at(shapes.sphere(0.055, d.accent), x) for x in (-0.42, 0.42)]]), placement((0, 0, 1.5 - 0.3 * down), yaw=130 * down))
    if s.get("loaded", 0.0) > 0.3:
        d.add("work", lambda: slab(0.4, 0.34, 0.07, (0.93, 0.9, 0.82), 0.004, 0.5))
    d.rest("bed", 0.5, 0.5, 0.4)
    a = math.radians(130 * down)
    d.grip((0.42 * math.cos(a), -0.42 * math.sin(a), 1.5 - 0.3 * down), (0, 0, 1), (1, 0, 0))


@family((0.7, 0.6, 1.05), axes=("turned", "running", "fill"), surface="iron", accent=(0.78, 0.64, 0.36), carry="fixed")
def mill(d: Draft, s: Axes) -> None:
    """A mill: hopper on top, body on legs, a big hand wheel at its side."""
    d.add("body", lambda: d.own(merged([slab(0.46, 0.46, 0.42, d.body, 0.03, 0.38), *[at(slab(0.07, 0.07, 0.4, shade(d.body, 0.8)), x, y) for x in (-0.19, 0.19) for y in (-0.19, 0.19)], at(slab(0.26, 0.2, 0.04, shade(d.body, 0.7)), y=0.3, z=0.36)])))
    d.add("hopper", lambda: at(shapes.lathe([(0.1, 0), (0.32, 0.27), (0.3, 0.27), (0.08, 0.0)], d.accent, 4, 10), z=0.79, yaw=45))
    d.add("wheel", lambda: merged([wheel_disc(0.27, 0.05, IRON, IRON, 5), bar((0.02, 0, 0.22), (0.14, 0, 0.22), 0.02, WOOD)]), placement((0.32, 0, 0.6), pitch=-200 * max(s.get("turned", 0.0), s.get("running", 0.0))))
    if s.get("fill", 0.0) > 0.1:
        d.add(f"grain {d.content}", lambda: at(shapes.lathe([(0.0, 0.14), (0.235, 0.17), (0.0, 0.25)], d.content, 4, 10), z=0.84, yaw=45))
    if s.get("running", 0.0) > 0.1:
        d.add("meal", lambda: merged([at(shapes.cone(0.14, 0, 0.12, CREAM), 0, 0.42, 0.06), bar((0, 0.38, 0.36), (0, 0.42, 0.1), 0.02, CREAM)]))
    d.grip((0.46, 0, 0.82), (1, 0, 0), (0, 0, 1))


@family((0.45, 0.45, 1.15), axes=("raised", "fill", "open"), surface="wood", colour=(0.78, 0.62, 0.42), accent=IRON, carry="two hands front")
def churn(d: Draft, s: Axes) -> None:
    """A butter churn: tapering staves and a plunger that goes up and down."""
    d.add("staves", lambda: d.own(shapes.lathe([(0, 0), (0.21, 0), (0.15, 0.66), (0, 0.66)], d.body)))
    d.add("hoops", lambda: merged([at(shapes.torus(r, 0.013, d.accent), z=z) for r, z in ((0.208, 0.06), (0.185, 0.3), (0.16, 0.58))]))
    up = s.get("raised", 0.0)
    d.add("plunger", lambda: merged([bar((0, 0, 0), (0, 0, 0.5), 0.016, WOOD), bar((-0.1, 0, 0.46), (0.1, 0, 0.46), 0.02, WOOD)]), placement((0, 0, 0.64 + 0.28 * up - 0.02)))
    d.add("lid", lambda: drum(0.16, 0.035, shade(d.body, 0.85), 0.65), placement((0.3 * s.get("open", 0.0), 0, -0.62 * s.get("open", 0.0))))
    d.grip((0, 0, 1.1 + 0.28 * up), (1, 0, 0), (0, 0, 1))


@family((0.6, 0.36, 0.85), axes=("loaded",), surface="iron", colour=(0.26, 0.27, 0.29), accent=(0.55, 0.40, 0.27), carry="fixed")
def anvil(d: Draft, s: Axes) -> None:
    """An anvil with its horn on a stump."""
    d.add("stump", lambda: d.of("wood", drum(0.21, 0.48, d.accent)))
    d.add("anvil", lambda: d.own(merged([slab(0.34, 0.26, 0.06, d.body, 0.01, 0.48), slab(0.16, 0.16, 0.14, d.body, 0.02, 0.53), slab(0.36, 0.19, 0.13, d.body, 0.01, 0.66), at(shapes.cone(0.085, 0.012, 0.26, d.body), 0.3, 0, 0.73, roll=90), at(slab(0.12, 0.14, 0.07, d.body), -0.22, 0, 0.72)])))
    if s.get("loaded", 0.0) > 0.3:
        d.add("iron", lambda: bar((-0.25, 0.02, 0.81), (0.2, -0.02, 0.81), 0.02, EMBER), glow=0.7)
    d.rest("face", 0.79, 0.34, 0.17)


@family((0.4, 0.5, 1.0), axes=("open", "turned", "loaded"), surface="iron", colour=(0.24, 0.25, 0.27), accent=STEEL, carry="fixed")
def vice(d: Draft, s: Axes) -> None:
    """A leg vice: two jaws, a screw with a bar."""
    gap = 0.12 * s.get("open", 0.0)
    d.add("back", lambda: d.own(merged([at(slab(0.12, 0.1, 0.95, d.body, 0.015), y=-0.06), at(slab(0.22, 0.07, 0.1, d.body, 0.01), y=-0.03, z=0.88), slab(0.3, 0.3, 0.05, shade(d.body, 0.8))])))
    d.add("front", lambda: d.own(merged([at(slab(0.12, 0.09, 0.6, d.body, 0.015), y=0.05, z=0.3), at(slab(0.22, 0.07, 0.1, d.body, 0.01), y=0.035, z=0.88)])), placement((0, gap, 0)))
    d.add("screw", lambda: merged([bar((0, -0.05, 0.72), (0, 0.3, 0.72), 0.025, d.accent), at(shapes.sphere(0.045, d.accent), 0, 0.28, 0.72)]), placement((0, gap, 0)))
    d.add("bar", lambda: merged([bar((-0.16, 0, 0), (0.16, 0, 0), 0.012, d.accent), *[at(shapes.sphere(0.022, d.accent), x) for x in (-0.16, 0.16)]]), placement((0, 0.28 + gap, 0.72), roll=20 + 100 * s.get("turned", 0.0)))
    d.grip((0.14, 0.28 + gap, 0.72), (1, 0, 0), (0, 1, 0))


@family((0.9, 0.35, 0.8), axes=("raised", "fill", "loaded"), surface="brass", colour=BRASS, accent=(0.45, 0.30, 0.2), carry="two hands front")
def scales(d: Draft, s: Axes) -> None:
    """A beam balance with two pans: the left one sinks when it is loaded or full, and rises when it is raised."""
    load = max(s.get("fill", 0.0), s.get("loaded", 0.0))
    tilt = -13 * s["raised"] + 13 * (1 - s["raised"]) if "raised" in s else 13 * load
    d.add("stand", lambda: d.own(merged([slab(0.4, 0.26, 0.06, d.accent, 0.01), bar((0, 0, 0.05), (0, 0, 0.72), 0.022, d.body), at(shapes.sphere(0.035, d.body), z=0.75)])))
    d.add("beam", lambda: merged([bar((-0.38, 0, 0), (0.38, 0, 0), 0.016, d.body), at(slab(0.02, 0.01, 0.16, RED), z=-0.16)]), placement((0, 0.01, 0.7), roll=-tilt))
    for k, x in enumerate((-0.38, 0.38)):
        z = 0.7 + x * math.sin(math.radians(tilt))
        pose = placement((x, 0.01, z))
        d.add(f"pan {k}", lambda: merged([*[bar((0, 0, 0), (0.13 * math.cos(a), 0.13 * math.sin(a), -0.36), 0.004, d.body) for a in (0.3, 2.4, 4.5)], at(hollow([(0.05, 0), (0.14, 0.05)], 0.006, d.body), z=-0.4)]), pose)
        if k == 0 and load > 0.1:
            d.add(f"goods {d.content}", lambda: at(shapes.ellipsoid((0.11, 0.11, 0.08), d.content), z=-0.34), pose)
        if k == 1:
            d.add("weight", lambda: at(drum(0.045, 0.08, IRON), z=-0.39), pose)
    d.rest("pan", 0.33, 0.16, 0.16, x=-0.38)
    d.grip((0, 0, 0.5), (0, 0, 1), (0, 1, 0))


@family((0.7, 0.9, 1.25), axes=("loaded", "turned"), surface="painted", accent=WHITE, carry="fixed")
def weighing_machine(d: Draft, s: Axes) -> None:
    """A platform scale: low platform in front, a pillar with a dial whose pointer moves."""
    d.add("base", lambda: d.own(merged([slab(0.66, 0.86, 0.14, d.body, 0.02), at(slab(0.2, 0.14, 0.85, d.body, 0.02), y=-0.34, z=0.12)])))
    d.add("plate", lambda: at(slab(0.58, 0.56, 0.025, shade(d.body, 0.6), 0.004), y=0.1, z=0.14))
    d.add("dial", lambda: merged([at(shapes.cylinder(0.2, 0.09, d.body, 26), y=-0.3, z=1.05, pitch=90), at(shapes.cylinder(0.17, 0.1, d.accent, 26), y=-0.3, z=1.05, pitch=90), *[at(slab(0.012, 0.004, 0.03, BLACK, 0), 0.14 * math.sin(a), -0.248, 1.035 + 0.14 * math.cos(a)) for a in [k * math.pi / 6 for k in range(12)]]]))
    turn = 150 * max(s.get("loaded", 0.0), s.get("turned", 0.0))
    d.add("pointer", lambda: at(slab(0.018, 0.006, 0.14, RED, 0), z=0), placement((0, -0.24, 1.05), roll=-100 + turn))
    if s.get("loaded", 0.0) > 0.3:
        d.add("load", lambda: at(slab(0.4, 0.36, 0.36, (0.79, 0.66, 0.45), 0.04), y=0.1, z=0.165))
    d.rest("platform", 0.165, 0.55, 0.54, y=0.1)


@family((1.1, 0.6, 1.05), axes=("turned", "wound", "running"), surface="wood", colour=WOOD, accent=(0.74, 0.60, 0.38), carry="fixed")
def windlass(d: Draft, s: Axes) -> None:
    """A drum between two posts with a cranked handle; wound, rope fills the drum; unwound, it hangs down."""
    wound = s.get("wound", 0.5)
    turn = 160 * s.get("turned", s.get("running", 0.0)) + 300 * wound
    d.add("posts", lambda: d.own(merged([at(slab(0.1, 0.12, 1.05, d.body), x) for x in (-0.4, 0.4)] + [at(slab(0.12, 0.6, 0.08, d.body), x) for x in (-0.4, 0.4)])))
    d.add("drum", lambda: d.own(merged([at(shapes.cylinder(0.1, 0.7, shade(d.body, 0.8), 18), roll=90), *[bar((-0.3, -0.3 * math.cos(a), -0.3 * math.sin(a)), (-0.3, 0.3 * math.cos(a), 0.3 * math.sin(a)), 0.02, d.body) for a in (0.3, 1.87)]])), placement((0, 0, 0.8), pitch=-turn))
    d.add("handle", lambda: merged([bar((0.4, 0, 0), (0.52, 0, 0), 0.022, IRON), bar((0.52, 0, 0), (0.52, 0.26, 0), 0.02, IRON), bar((0.52, 0.26, 0), (0.68, 0.26, 0), 0.026, (0.2, 0.16, 0.13))]), placement((0, 0, 0.8), pitch=-turn))
    turns = max(1, round(8 * wound))
    d.add(f"rope {turns}", lambda: d.of("rope", merged([at(shapes.torus(0.125 if k < 8 else 0.15, 0.022, d.accent, 22, 8), -0.16 + 0.045 * k, 0, 0.8, roll=90) for k in range(turns)])))
    d.add("fall", lambda: d.of("rope", bar((0, 0, 0), (0, 0, -1), 0.02, d.accent)), placement((-0.16 + 0.045 * turns, 0.13, 0.8), scale=(1, 1, 0.15 + 0.62 * (1 - wound))))
    a = math.radians(-turn)
    d.grip((0.6, 0.26 * math.cos(a), 0.8 + 0.26 * math.sin(a)), (1, 0, 0), (0, 0, 1))


@family((0.34, 0.47, 1.16), axes=("turned", "running", "wound"), surface="iron", accent=(0.72, 0.22, 0.18), carry="fixed")
def crank(d: Draft, s: Axes) -> None:
    """A gear case on a stand with a cranked handle in front."""
    turn = 200 * max(s.get("turned", 0.0), s.get("running", 0.0), s.get("wound", 0.0))
    d.add("case", lambda: d.own(merged([slab(0.3, 0.3, 0.05, d.body), slab(0.14, 0.14, 0.75, d.body, 0.01), at(shapes.cylinder(0.17, 0.16, d.body, 24, 0.01), z=0.85, pitch=90)])))
    d.add("handle", lambda: merged([at(shapes.cylinder(0.04, 0.1, STEEL, 14), y=0.1, pitch=90), at(slab(0.05, 0.03, 0.3, STEEL, 0.006), y=0.14), bar((0, 0.14, 0.28), (0, 0.32, 0.28), 0.026, d.accent)]), placement((0, 0, 0.85), roll=turn))
    a = math.radians(turn)
    d.grip((0.28 * math.sin(a), 0.24, 0.85 + 0.28 * math.cos(a)), (0, 1, 0), (0, 0, 1))


@family((0.3, 0.5, 1.25), axes=("turned", "raised"), surface="iron", accent=RED, carry="fixed")
def lever(d: Draft, s: Axes) -> None:
    """A floor lever in a quadrant: upright when straight or raised, pulled forward when turned or lowered."""
    turn = s.get("turned", 1 - s["raised"] if "raised" in s else 0.0)
    d.add("base", lambda: merged([slab(0.3, 0.5, 0.06, IRON, 0.01), *[at(shapes.extruded([(-0.2, 0), (0.2, 0), (0.14, 0.2), (-0.14, 0.2)], 0.025, shade(IRON, 1.2)), x, 0, 0.06, yaw=90, pitch=90) for x in (-0.09, 0.06)]]))
    d.add("arm", lambda: d.own(merged([bar((0, 0, 0), (0, 0, 1.0), 0.026, d.body)])), placement((0, 0, 0.15), pitch=-62 * turn + 12))
    d.add("knob", lambda: merged([at(shapes.sphere(0.06, d.accent), z=1.03), bar((0, 0, 0.86), (0, 0, 1.0), 0.034, d.accent)]), placement((0, 0, 0.15), pitch=-62 * turn + 12))
    a = math.radians(-62 * turn + 12)
    d.grip((0, -1.0 * math.sin(a), 0.15 + 1.0 * math.cos(a)), (0, -math.sin(a), math.cos(a)), (0, -1, 0))


@family((0.5, 0.4, 0.95), axes=("turned", "open", "wet", "running"), surface="iron", accent=(0.74, 0.20, 0.16), carry="fixed")
def valve(d: Draft, s: Axes) -> None:
    """A valve on a pipe with a hand wheel; open, the wheel is turned up its spindle and a white arm lies in line."""
    opened = max(s.get("turned", 0.0), s.get("open", 0.0))
    d.add("body", lambda: d.own(merged([at(shapes.cylinder(0.1, 0.5, d.body, 20), z=0.3, roll=90), *[at(shapes.cylinder(0.15, 0.04, d.body, 20), x, 0, 0.3, roll=90) for x in (-0.23, 0.23)], shapes.lathe([(0.12, 0.25), (0.15, 0.38), (0.07, 0.55), (0.06, 0.66), (0, 0.66)], d.body), slab(0.2, 0.22, 0.22, shade(d.body, 0.8))])))
    d.add("wheel", lambda: merged([at(shapes.torus(0.2, 0.022, d.accent, 30, 8)), *[bar((-0.19 * math.cos(a), -0.19 * math.sin(a), 0), (0.19 * math.cos(a), 0.19 * math.sin(a), 0), 0.014, d.accent) for a in (0.2, 1.25, 2.3)], at(shapes.sphere(0.03, WHITE, 10, 6), 0.2), bar((0, 0, -0.3), (0, 0, 0.03), 0.02, STEEL)]), placement((0, 0, 0.8 + 0.12 * opened), yaw=200 * opened))
    d.add("arm", lambda: at(slab(0.34, 0.03, 0.04, WHITE, 0.004), y=0.17, z=-0.02), placement((0, 0, 0.52), roll=90 * (1 - opened)))
    if max(s.get("running", 0.0), s.get("wet", 0.0)) > 0.1:
        d.add("jet", lambda: shapes.tube([(0.25, 0, 0.3), (0.42, 0, 0.28), (0.5, 0, 0.02)], 0.05, (0.62, 0.8, 0.9)), glow=0.15)
    d.grip((-0.2, 0, 0.8 + 0.12 * opened), (0, 1, 0), (0, 0, 1))
    d.grip((0.2, 0, 0.8 + 0.12 * opened), (0, 1, 0), (0, 0, 1))


@family((1.2, 0.4, 1.9), axes=("lit", "running", "turned"), surface="painted", colour=(0.30, 0.36, 0.36), accent=BRASS, carry="fixed", wall=True)
def switchboard(d: Draft, s: Axes) -> None:
    """An upright panel with dials, knife switches and a row of lamps that glow when it is on."""
    on = max(s.get("lit", 0.0), s.get("running", 0.0))
    d.add("panel", lambda: d.own(merged([slab(1.2, 0.3, 1.9, d.body, 0.02), at(slab(1.1, 0.02, 1.3, shade(d.body, 0.72), 0.005), y=0.155, z=0.5)])))
    d.add("dials", lambda: merged([at(shapes.cylinder(0.13, 0.05, d.accent, 22), x, 0.17, 1.6, pitch=90) for x in (-0.36, 0, 0.36)] + [at(shapes.cylinder(0.11, 0.06, WHITE, 22), x, 0.17, 1.6, pitch=90) for x in (-0.36, 0, 0.36)]))
    d.add("pointers", lambda: merged([at(slab(0.014, 0.006, 0.09, RED, 0), 0, 0, 0)]), placement((-0.36, 0.205, 1.6), roll=-50 + 100 * on))
    d.add("pointer 2", lambda: at(slab(0.014, 0.006, 0.09, RED, 0)), placement((0, 0.205, 1.6), roll=-50 + 90 * on))
    d.add("pointer 3", lambda: at(slab(0.014, 0.006, 0.09, RED, 0)), placement((0.36, 0.205, 1.6), roll=-50 + 80 * on))
    for k in range(5):
        x = -0.44 + 0.22 * k
        d.add(f"lamp {on > 0.1}", lambda: at(shapes.sphere(0.035, (1.0, 0.75, 0.3) if on > 0.1 else (0.3, 0.24, 0.2), 12, 8)), placement((x, 0.17, 1.32)), glow=on)
        flip = max(on, s.get("turned", 0.0))
        d.add("switch", lambda: merged([at(slab(0.04, 0.03, 0.2, d.accent, 0.004)), at(slab(0.07, 0.05, 0.07, (0.15, 0.14, 0.14), 0.01), z=0.18)]), placement((x, 0.17, 0.95), pitch=-140 * (1 - flip)))
        d.add("clips", lambda: merged([at(slab(0.06, 0.04, 0.05, d.accent, 0.004), y=0.165, z=z) for z in (0.78, 0.95, 1.12)]), placement((x, 0, 0)))
    d.grip((0.0, 0.24, 1.1), (1, 0, 0), (0, 1, 0))


@family((0.45, 0.4, 1.15), axes=("turned",), surface="brass", colour=BRASS, accent=RED, carry="fixed")
def telegraph(d: Draft, s: Axes) -> None:
    """A ship's order telegraph: pedestal, a drum with a segmented dial, a handle that swings forward."""
    d.add("pedestal", lambda: d.own(merged([shapes.lathe([(0, 0), (0.2, 0), (0.18, 0.05), (0.075, 0.14), (0.065, 0.72), (0.1, 0.78), (0, 0.8)], d.body), at(shapes.cylinder(0.2, 0.2, d.body, 28, 0.012), z=0.93, roll=90)])))
    tones = (WHITE, (0.3, 0.5, 0.4), WHITE, RED, WHITE, (0.3, 0.42, 0.6))
    d.add("dial", lambda: merged([at(shapes.cylinder(0.17, 0.215, WHITE, 28), z=0.93, roll=90), *[at(shapes.box((0.22, 0.035, 0.09), tones[k]), 0, 0.12 * math.sin(a), 0.93 + 0.12 * math.cos(a), pitch=-math.degrees(a)) for k, a in enumerate([-1.5, -0.9, -0.3, 0.3, 0.9, 1.5])]]))
    d.add("handle", lambda: merged([*[bar((x, 0, 0), (x, 0, 0.3), 0.014, STEEL) for x in (-0.13, 0.13)], bar((-0.16, 0, 0.3), (0.16, 0, 0.3), 0.026, d.accent)]), placement((0, 0, 0.93), pitch=-72 * s.get("turned", 0.0)))
    a = math.radians(-72 * s.get("turned", 0.0))
    d.grip((0, -0.3 * math.sin(a), 0.93 + 0.3 * math.cos(a)), (1, 0, 0), (0, 0, 1))


@family((0.45, 0.23, 0.5), axes=("lit", "running"), surface="wood", colour=(0.46, 0.30, 0.2), accent=CREAM, carry="two hands front")
def radio(d: Draft, s: Axes) -> None:
    on = max(s.get("lit", 0.0), s.get("running", 0.0))
    d.add("case", lambda: d.own(slab(0.45, 0.2, 0.3, d.body, 0.035)))
    d.add("front", lambda: merged([at(slab(0.19, 0.012, 0.19, (0.75, 0.66, 0.48), 0.004), -0.1, 0.1, 0.055), *[at(slab(0.19, 0.016, 0.008, shade(d.body, 0.6), 0), -0.1, 0.1, 0.075 + 0.028 * k) for k in range(6)], *[at(shapes.cylinder(0.026, 0.03, d.accent, 16), x, 0.11, 0.07, pitch=90) for x in (0.06, 0.15)], bar((0.18, -0.05, 0.3), (0.22, -0.05, 0.5), 0.006, STEEL)]))
    d.add(f"scale {on > 0.1}", lambda: at(slab(0.16, 0.012, 0.08, (1.0, 0.86, 0.5) if on > 0.1 else (0.3, 0.28, 0.24), 0.003), 0.105, 0.1, 0.15), glow=on)
    d.grip((-0.22, 0, 0.15), (0, 0, 1), (-1, 0, 0))
    d.grip((0.22, 0, 0.15), (0, 0, 1), (1, 0, 0))


@family((0.26, 0.24, 0.2), axes=("raised", "open"), surface="painted", colour=(0.14, 0.14, 0.15), accent=WHITE, carry="two hands front")
def telephone(d: Draft, s: Axes) -> None:
    """A dial telephone; raised (off the hook), the handset lies beside it."""
    off = max(s.get("raised", 0.0), s.get("open", 0.0))
    d.add("body", lambda: d.own(merged([shapes.lathe([(0, 0), (0.16, 0), (0.15, 0.03), (0.09, 0.11), (0, 0.12)], d.body, 4, 30).moved(placement(yaw=45)), at(slab(0.1, 0.05, 0.05, d.body, 0.01), z=0.1)])))
    d.add("dial", lambda: at(merged([shapes.cylinder(0.058, 0.02, d.accent, 22), *[at(shapes.cylinder(0.009, 0.024, BLACK, 8), 0.04 * math.cos(a), 0.04 * math.sin(a)) for a in [0.6 * k for k in range(9)]]]), y=0.075, z=0.085, pitch=-48))
    d.add("handset", lambda: d.own(merged([bent([(-0.11, 0, -0.02), (-0.08, 0, 0.02), (0.08, 0, 0.02), (0.11, 0, -0.02)], 0.019, d.body), *[at(shapes.cylinder(0.036, 0.035, d.body, 16), x, 0, -0.035) for x in (-0.11, 0.11)]])), placement((0.24 * off, 0.06 * off, 0.17 * (1 - off) + 0.055 * off), yaw=60 * off))
    d.grip((0.24 * off, 0.06 * off, 0.19 * (1 - off) + 0.07 * off), (1, 0, 0), (0, 0, 1))


@family((0.55, 0.3, 0.45), axes=("lit", "running", "open"), surface="painted", colour=(0.70, 0.70, 0.66), accent=(0.3, 0.5, 0.6), carry="two hands front")
def computer(d: Draft, s: Axes) -> None:
    """A screen with keys in front; on, it glows with bars that are no writing."""
    on = max(s.get("lit", 0.0), s.get("running", 0.0), s.get("open", 0.0))
    d.add("case", lambda: d.own(merged([at(slab(0.5, 0.06, 0.34, d.body, 0.012), z=0.08), slab(0.2, 0.16, 0.02, d.body, 0.006), at(slab(0.05, 0.04, 0.1, d.body), y=-0.02)])))
    d.add("keys", lambda: merged([at(slab(0.44, 0.14, 0.02, shade(d.body, 0.8), 0.004), y=0.2), *[at(slab(0.034, 0.034, 0.012, WHITE, 0.002), -0.19 + 0.042 * k, 0.16 + 0.042 * j, 0.02) for k in range(10) for j in range(3)]]))
    d.add(f"screen {on > 0.1}", lambda: at(slab(0.45, 0.01, 0.28, mix(d.accent, WHITE, 0.25) if on > 0.1 else (0.1, 0.11, 0.12), 0), y=0.031, z=0.11), glow=0.8 * on)
    if on > 0.1:
        d.add("bars", lambda: merged([at(slab(0.05, 0.012, 0.06 + 0.03 * ((k * 3) % 5), (0.95, 0.8, 0.35), 0), -0.15 + 0.075 * k, 0.034, 0.13) for k in range(5)]), glow=0.8 * on)
    d.grip((0, 0.03, 0.3), (1, 0, 0), (0, 1, 0))


@family((0.55, 0.55, 1.45), axes=("turned", "lit"), surface="painted", colour=(0.18, 0.18, 0.2), accent=BRASS, carry="two hands front")
def camera(d: Draft, s: Axes) -> None:
    """A camera or telescope on a tripod, looking to +y."""
    turn = placement((0, 0, 1.15), yaw=70 * s.get("turned", 0.0))
    d.add("tripod", lambda: d.of("wood", merged([bar((0.03 * math.cos(a), 0.03 * math.sin(a), 1.12), (0.3 * math.cos(a), 0.3 * math.sin(a), 0), 0.018, WOOD) for a in (0.52, 2.62, 4.71)])))
    d.add("body", lambda: d.own(merged([slab(0.2, 0.26, 0.2, d.body, 0.015), at(slab(0.26, 0.03, 0.26, d.body, 0.006), y=-0.14, z=-0.03)])), turn)
    d.add("lens", lambda: merged([at(shapes.cylinder(0.07, 0.14, d.accent, 20), y=0.2, z=0.1, pitch=90), at(shapes.cylinder(0.055, 0.15, (0.25, 0.35, 0.42), 20), y=0.2, z=0.1, pitch=90)]), turn)
    d.grip((0.13, 0, 1.25), (0, 1, 0), (1, 0, 0))


@family((1.3, 0.8, 1.2), axes=("running", "turned", "open"), surface="painted", accent=IRON, carry="fixed")
def engine(d: Draft, s: Axes) -> None:
    """A machine with a cylinder, a flywheel that turns, and a chimney that smokes when it runs."""
    run = s.get("running", 0.0)
    turn = 200 * max(run, s.get("turned", 0.0))
    d.add("bed", lambda: d.own(merged([slab(1.25, 0.7, 0.22, shade(d.body, 0.8), 0.02), slab(0.6, 0.46, 0.5, d.body, 0.03, 0.22).moved(placement((0.25, 0, 0))), at(shapes.cylinder(0.17, 0.5, d.body, 22), -0.28, 0, 0.5, roll=90), at(slab(0.3, 0.3, 0.16, shade(d.body, 0.9), 0.02), -0.3, 0, 0.2)])))
    d.add("pipes", lambda: merged([bent([(-0.3, 0, 0.66), (-0.3, 0, 0.95), (0.1, 0, 1.0), (0.2, 0, 0.72)], 0.035, BRASS), bar((0.4, -0.1, 0.7), (0.4, -0.1, 1.2), 0.06, IRON), at(shapes.cylinder(0.09, 0.05, CREAM, 20), 0.2, 0.25, 0.56, pitch=90)]))
    d.add("flywheel", lambda: merged([wheel_disc(0.36, 0.08, d.accent, shade(d.accent, 0.8), 5), at(slab(0.09, 0.09, 0.03, WHITE, 0), z=0.32)]), composed(placement((0.25, 0.42, 0.5), yaw=90), placement(pitch=-turn)))
    if run > 0.1:
        d.add("smoke", lambda: merged([at(shapes.sphere(0.07 + 0.03 * k, (0.86, 0.87, 0.88), 10, 7), 0.4 + 0.06 * k, -0.1, 1.28 + 0.13 * k) for k in range(4)]), glow=0.2)
        d.add("lamp", lambda: at(shapes.sphere(0.045, (0.45, 0.95, 0.4)), 0.42, 0.24, 0.66), glow=run)
    d.rest("top", 0.72, 0.5, 0.4, x=0.25)
    d.grip((0.25, 0.5, 0.86), (1, 0, 0), (0, 1, 0))


@family((0.5, 0.14, 0.5), axes=("turned", "running", "wound", "broken"), surface="wood", colour=(0.45, 0.30, 0.2), accent=WHITE, wall=True)
def clock(d: Draft, s: Axes) -> None:
    """A round wall clock; its hands move with `turned`; broken, its face is cracked."""
    turn = s.get("turned", 0.0)
    d.add("case", lambda: d.own(at(shapes.cylinder(0.24, 0.1, d.body, 30, 0.02), z=0.25, pitch=90)))
    d.add("face", lambda: merged([at(shapes.cylinder(0.2, 0.11, d.accent, 30), z=0.25, pitch=90), *[at(slab(0.014, 0.006, 0.035, BLACK, 0), 0.165 * math.sin(a), 0.056, 0.2325 + 0.165 * math.cos(a)) for a in [k * math.pi / 6 for k in range(12)]]]))
    d.add("hour", lambda: at(slab(0.018, 0.006, 0.1, BLACK, 0)), placement((0, 0.06, 0.25), roll=-60 + 90 * turn))
    d.add("minute", lambda: at(slab(0.013, 0.006, 0.155, BLACK, 0)), placement((0, 0.066, 0.25), roll=50 + 200 * turn))
    if s.get("broken", 0.0) > 0.4:
        d.add("cracks", lambda: merged([at(slab(0.007, 0.004, length, (0.2, 0.2, 0.22), 0), 0.03, 0.07, 0.26, roll=r) for r, length in ((20, 0.16), (95, 0.12), (170, 0.18), (250, 0.14), (310, 0.1))]))
    d.grip((0, 0.05, 0.1), (1, 0, 0), (0, 0, -1))


@family((0.42, 0.16, 0.42), axes=("turned", "raised", "fill", "wound", "broken"), surface="brass", colour=BRASS, accent=WHITE, wall=True, carry="fixed")
def gauge(d: Draft, s: Axes) -> None:
    """A round dial with one thick red pointer: at the top, over to the right."""
    value = max(s.get("turned", 0.0), s.get("raised", 0.0), s.get("fill", 0.0), s.get("wound", 0.0))
    d.add("case", lambda: d.own(merged([at(shapes.cylinder(0.2, 0.1, d.body, 30, 0.015), z=0.21, pitch=90)])))
    d.add("face", lambda: merged([at(shapes.cylinder(0.17, 0.11, d.accent, 30), z=0.21, pitch=90), *[at(slab(0.01, 0.006, 0.03, BLACK, 0), 0.14 * math.sin(a), 0.056, 0.195 + 0.14 * math.cos(a)) for a in [-2.1 + 0.42 * k for k in range(11)]]]))
    d.add("pointer", lambda: merged([at(slab(0.022, 0.008, 0.15, RED, 0)), at(shapes.cylinder(0.025, 0.012, BLACK, 14), pitch=90)]), placement((0, 0.062, 0.21), roll=95 * value))
    if s.get("broken", 0.0) > 0.4:
        d.add("cracks", lambda: merged([at(slab(0.006, 0.004, length, (0.2, 0.2, 0.22), 0), 0.03, 0.07, 0.22, roll=r) for r, length in ((20, 0.14), (120, 0.12), (230, 0.15))]))
    d.grip((0, 0.06, 0.05), (1, 0, 0), (0, 1, 0))


@family((0.66, 0.5, 0.68), axes=("running", "turned", "covered"), surface="brass", colour=(0.72, 0.56, 0.27), accent=WOOD, carry="two hands front")
def bell(d: Draft, s: Axes) -> None:
    """A bell on a beam; ringing, it swings and the clapper shows."""
    swing = 38 * max(s.get("running", 0.0), s.get("turned", 0.0))
    pose = placement((0, 0, 0.62), roll=swing)
    d.add("mouth", lambda: d.own(shapes.lathe([(0.25, -0.56), (0.24, -0.52), (0.17, -0.36), (0.14, -0.2), (0.1, -0.1), (0.03, -0.07), (0, -0.07), (0, -0.1), (0.09, -0.13), (0.12, -0.22), (0.15, -0.36), (0.22, -0.55), (0.25, -0.56)], d.body, 30)), pose)
    d.add("bands", lambda: merged([at(shapes.torus(0.245, 0.012, shade(d.body, 0.75)), z=-0.53), at(shapes.torus(0.155, 0.008, shade(d.body, 0.75)), z=-0.29), at(shapes.torus(0.03, 0.012, shade(d.body, 0.7), 14, 6), z=-0.05, pitch=90)]), pose)
    d.add("clapper", lambda: merged([bar((0, 0, -0.1), (0, 0, -0.55), 0.015, IRON), at(shapes.sphere(0.05, IRON), z=-0.57)]), placement((0, 0, 0.62), roll=-swing * 0.5))
    d.add("beam", lambda: d.of("wood", merged([at(slab(0.62, 0.08, 0.08, d.accent), z=0.6), *[bar((x, 0, 0.62), (x, 0.0, 0), 0.03, d.accent) for x in (-0.3, 0.3)], *[at(slab(0.06, 0.34, 0.05, d.accent), x) for x in (-0.3, 0.3)]])))
    d.grip((0.15, 0.1, 0.2), (1, 0, 0), (0, 1, 0))
