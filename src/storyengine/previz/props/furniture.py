"""Furniture: what people sit at, put things on, climb, and what stands or hangs about a room."""

from __future__ import annotations

import math

from storyengine.previz.props.kit import (
    BRASS,
    CREAM,
    DARK_WOOD,
    IRON,
    WHITE,
    WOOD,
    Draft,
    at,
    bar,
    bent,
    drum,
    hollow,
    lumps,
    mix,
    shade,
    slab,
)  # fmt: skip
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, merged, placement, shapes


def _legs(w: float, dp: float, h: float, t: float, d: Draft) -> Mesh:
    return merged([at(slab(t, t, h, shade(d.body, 0.85)), x, y) for x in (-w, w) for y in (-dp, dp)])


@family((1.4, 0.75, 0.76), surface="wood", colour=WOOD, carry="fixed")
def table(d: Draft, s: Axes) -> None:
    d.add("top", lambda: d.own(slab(1.4, 0.75, 0.045, d.body, 0.01, 0.715)))
    d.add("legs", lambda: d.own(merged([_legs(0.62, 0.3, 0.72, 0.07, d), slab(1.2, 0.55, 0.09, shade(d.body, 0.8), 0, 0.63)])))
    d.rest("top", 0.76, 1.3, 0.65)
    d.grip((-0.7, 0, 0.74), (0, 1, 0), (-1, 0, 0))
    d.grip((0.7, 0, 0.74), (0, 1, 0), (1, 0, 0))


@family((1.2, 0.7, 1.05), axes=("open",), surface="wood", colour=DARK_WOOD, accent=BRASS, carry="fixed", wall=True)
def desk(d: Draft, s: Axes) -> None:
    """A sloping writing desk with a drawer underneath that slides out."""
    d.add("slope", lambda: d.own(merged([at(shapes.box((1.2, 0.62, 0.04), d.body, 0.008), 0, 0.02, 0.93, pitch=-15), slab(1.2, 0.16, 0.04, d.body, 0.006, 1.0).moved(placement((0, -0.3, 0)))])))
    d.add("frame", lambda: d.own(merged([at(_legs(0.55, 0.28, 0.9, 0.07, d)), slab(1.1, 0.58, 0.18, shade(d.body, 0.8), 0.005, 0.66), at(slab(1.1, 0.05, 0.05, shade(d.body, 0.8)), y=-0.28, z=0.2)])))
    out = 0.26 * s.get("open", 0.0)
    d.add("drawer", lambda: d.own(merged([at(slab(0.6, 0.03, 0.14, shade(d.body, 1.1), 0.005), y=0.3, z=0.68), at(slab(0.56, 0.4, 0.09, shade(d.body, 0.5), 0), y=0.08, z=0.69),
          at(shapes.sphere(0.02, d.accent, 10, 6), 0, 0.33, 0.75)])), placement((0, out, 0)))  # fmt: skip
    d.add("rail", lambda: bar((-0.55, 0.31, 0.88), (0.55, 0.31, 0.88), 0.012, d.accent))
    d.rest("slope", 0.97, 1.0, 0.45)
    d.room((-0.26, -0.1 + out, 0.7), (0.26, 0.26 + out, 0.8))
    d.grip((0, 0.33 + out, 0.75), (1, 0, 0), (0, 1, 0))


@family((1.6, 0.42, 0.46), surface="wood", colour=WOOD, carry="fixed")
def bench(d: Draft, s: Axes) -> None:
    d.add("seat", lambda: d.own(merged([at(slab(1.6, 0.19, 0.05, d.body, 0.008), y=y, z=0.41) for y in (-0.105, 0.105)])))
    d.add("legs", lambda: d.own(merged([at(slab(0.08, 0.38, 0.41, d.accent), x) for x in (-0.62, 0.62)] + [at(slab(1.2, 0.05, 0.07, d.accent), z=0.15)])))
    d.rest("seat", 0.46, 1.5, 0.38)


@family((0.46, 0.48, 0.92), surface="wood", colour=WOOD, carry="two hands front")
def chair(d: Draft, s: Axes) -> None:
    """Seat, four legs, a back with slats; the back is at -y."""
    d.add("seat", lambda: d.own(slab(0.44, 0.44, 0.035, d.accent, 0.01, 0.44)))
    d.add("frame", lambda: d.own(merged([
        *[bar((x, 0.18, 0), (x, 0.18, 0.45), 0.022, d.body) for x in (-0.18, 0.18)],
        *[bar((x, -0.2, 0), (x * 1.05, -0.24, 0.92), 0.022, d.body) for x in (-0.18, 0.18)],
        *[bar((x, -0.19, 0.2), (x, 0.18, 0.2), 0.013, d.body) for x in (-0.18, 0.18)],
        at(slab(0.4, 0.025, 0.1, d.body, 0.006), y=-0.24, z=0.82), at(slab(0.38, 0.02, 0.06, d.body, 0.005), y=-0.225, z=0.62),
    ])))  # fmt: skip
    d.rest("seat", 0.475, 0.4, 0.4)
    d.grip((-0.19, -0.24, 0.88), (1, 0, 0), (0, -1, 0))
    d.grip((0.19, -0.24, 0.88), (1, 0, 0), (0, -1, 0))


@family((0.36, 0.36, 0.5), surface="wood", colour=WOOD)
def stool(d: Draft, s: Axes) -> None:
    d.add("seat", lambda: d.own(drum(0.17, 0.045, d.body, 0.455)))
    feet = [(math.cos(a), math.sin(a)) for a in (0.5, 2.6, 4.7)]
    d.add("legs", lambda: merged([bar((0.09 * x, 0.09 * y, 0.46), (0.17 * x, 0.17 * y, 0), 0.02, d.accent) for x, y in feet]
          + [bar((0.14 * feet[k][0], 0.14 * feet[k][1], 0.18), (0.14 * feet[k - 1][0], 0.14 * feet[k - 1][1], 0.18), 0.01, d.accent) for k in range(3)]))  # fmt: skip
    d.rest("seat", 0.5, 0.24, 0.24)
    d.grip((0.17, 0, 0.48), (0, 1, 0), (1, 0, 0))


@family((1.1, 0.35, 1.8), axes=("loaded",), surface="wood", colour=WOOD, carry="fixed", wall=True)
def shelf(d: Draft, s: Axes) -> None:
    """A shelf unit with five boards; loaded, jars and boxes stand on them."""
    levels = (0.08, 0.5, 0.92, 1.34, 1.76)
    d.add("boards", lambda: d.own(merged([slab(1.06, 0.34, 0.03, d.body, 0.004, z) for z in levels])))
    d.add("sides", lambda: d.own(merged([at(slab(0.035, 0.35, 1.8, shade(d.body, 0.82), 0.004), x) for x in (-0.535, 0.535)] + [at(slab(1.06, 0.012, 1.75, shade(d.body, 0.62), 0), y=-0.165)])))
    if s.get("loaded", 0.0) > 0.3:
        tones = [(0.74, 0.40, 0.28), (0.32, 0.48, 0.58), (0.84, 0.72, 0.42), (0.48, 0.56, 0.36), (0.9, 0.88, 0.8)]
        d.add("goods", lambda: merged([at(drum(0.06, 0.18, tones[(j + 2 * k) % 5]) if (j + k) % 2 else slab(0.16, 0.2, 0.14 + 0.05 * (k % 3), tones[(j + k) % 5]), -0.42 + 0.21 * k, 0, z + 0.03)
              for j, z in enumerate(levels[:4]) for k in range(5)]))  # fmt: skip
    for z in levels[:-1]:
        d.rest(f"shelf {z:.2f}", z + 0.03, 1.0, 0.3)
    d.rest("top", 1.79, 1.0, 0.3)


@family((0.75, 0.55, 1.7), axes=("loaded",), surface="steel", colour=(0.66, 0.68, 0.70), carry="push")
def rack(d: Draft, s: Axes) -> None:
    """A tall open rack of bars on castors with trays; loaded, round things stand on every tray."""
    levels = (0.25, 0.6, 0.95, 1.3)
    d.add("frame", lambda: d.own(merged([bar((x, y, 0.08), (x, y, 1.7), 0.02, d.body) for x in (-0.35, 0.35) for y in (-0.25, 0.25)]
          + [bar((-0.35, y, 1.68), (0.35, y, 1.68), 0.018, d.body) for y in (-0.25, 0.25)] + [bar((x, -0.25, z), (x, 0.25, z), 0.015, d.body) for x in (-0.35, 0.35) for z in (*levels, 1.68)])))  # fmt: skip
    d.add("trays", lambda: d.own(merged([slab(0.7, 0.5, 0.02, shade(d.body, 0.9), 0.004, z) for z in levels])))
    d.add("castors", lambda: merged([at(shapes.cylinder(0.05, 0.035, d.accent, 14), x, y, 0.05, roll=90) for x in (-0.35, 0.35) for y in (-0.25, 0.25)]))
    if s.get("loaded", 0.0) > 0.3:
        d.add(f"load {d.content}", lambda: merged([at(shapes.ellipsoid((0.09, 0.09, 0.06), shade(d.content, 0.95)), -0.23 + 0.23 * k, y, z + 0.07) for z in levels for k in range(3) for y in (-0.12, 0.12)]))
    for z in levels:
        d.rest(f"tray {z:.2f}", z + 0.02, 0.62, 0.44)
    d.grip((-0.35, -0.25, 1.1), (0, 0, 1), (0, -1, 0))
    d.grip((0.35, -0.25, 1.1), (0, 0, 1), (0, -1, 0))


@family((1.93, 0.85, 0.75), axes=("spread", "covered"), surface="wood", colour=WOOD, accent=(0.35, 0.45, 0.6), carry="fixed")
def bed(d: Draft, s: Axes) -> None:
    d.add("frame", lambda: d.own(merged([slab(1.9, 0.85, 0.12, d.body, 0.01, 0.2), at(slab(0.05, 0.85, 0.75, d.body, 0.01), -0.94), at(slab(0.05, 0.85, 0.5, d.body, 0.01), 0.94), _legs(0.9, 0.38, 0.2, 0.07, d)])))
    d.add("mattress", lambda: merged([slab(1.8, 0.8, 0.16, WHITE, 0.05, 0.32), at(shapes.ellipsoid((0.17, 0.3, 0.07), WHITE), -0.7, 0, 0.53)]))
    made = s.get("spread", s.get("covered", 1.0))
    d.add("blanket", lambda: at(slab(1.25, 0.84, 0.03, d.accent, 0.01), 0.27, z=0.475), placement((0.4 * (1 - made), 0, 0), scale=(0.45 + 0.55 * made, 1, 1)))
    d.rest("bed", 0.5, 1.7, 0.75)


@family((1.1, 0.6, 0.75), axes=("loaded",), surface="wood", colour=WOOD, carry="two hands front")
def trestle(d: Draft, s: Axes) -> None:
    d.add("beam", lambda: d.own(slab(1.1, 0.12, 0.1, d.body, 0.01, 0.65)))
    d.add("legs", lambda: d.own(merged([bar((x, 0, 0.68), (x * 1.08, y, 0), 0.03, d.accent) for x in (-0.4, 0.4) for y in (-0.28, 0.28)] + [bar((x, -0.16, 0.28), (x, 0.16, 0.28), 0.02, d.accent) for x in (-0.43, 0.43)])))
    d.rest("beam", 0.75, 1.0, 0.12)
    if s.get("loaded", 0.0) > 0.3:
        d.add("log", lambda: at(shapes.cylinder(0.11, 0.9, (0.5, 0.37, 0.25), 16), z=0.86, roll=90))


@family((0.5, 0.3, 2.4), axes=("raised",), surface="wood", colour=(0.74, 0.60, 0.42), carry="on shoulder", wall=True)
def ladder(d: Draft, s: Axes) -> None:
    """Leans back against the wall; lowered, it lies along the foot of it."""
    down = 1 - s.get("raised", 1.0)
    pose = placement((0, -0.1 * (1 - down), 0.04 * down), pitch=7 * (1 - down), roll=90 * down)
    d.add("rails", lambda: d.own(merged([bar((x, 0, 0), (x * 0.86, 0, 2.4), 0.026, d.body) for x in (-0.23, 0.23)])), pose)
    d.add("rungs", lambda: merged([bar((-0.22, 0, 0.2 + 0.27 * k), (0.22, 0, 0.2 + 0.27 * k), 0.018, d.accent) for k in range(8)]), pose)
    d.grip((-0.22, 0, 1.1), (0, 0, 1), (-1, 0, 0))
    d.grip((0.22, 0, 1.1), (0, 0, 1), (1, 0, 0))


@family((0.6, 0.6, 0.75), axes=("wet", "fill"), surface="clay", colour=(0.72, 0.42, 0.29), accent=(0.32, 0.52, 0.27))
def plant(d: Draft, s: Axes) -> None:
    """Leaves in a clay pot; dry, they droop."""
    d.add("pot", lambda: d.own(merged([hollow([(0.1, 0), (0.14, 0.22), (0.155, 0.22), (0.155, 0.26)], 0.012, d.body), drum(0.135, 0.02, (0.3, 0.22, 0.16), 0.22)])))
    droop = 1 - s.get("wet", s.get("fill", 1.0)) > 0.5
    tone = mix(d.accent, (0.62, 0.55, 0.3), 0.7) if droop else d.accent

    def leaves() -> Mesh:
        out = []
        for k in range(11):
            a, reach = k * 2.4, 0.13 + 0.1 * ((k * 7) % 5) / 5
            top = (0.22 if droop else 0.5) + 0.22 * (1 - k / 11)
            tip = (reach * 1.5 * math.cos(a), reach * 1.5 * math.sin(a), top)
            out.append(bent([(0, 0, 0.24), (tip[0] * 0.4, tip[1] * 0.4, 0.45), tip], 0.006, shade(tone, 0.8)))
            out.append(at(shapes.ellipsoid((0.1, 0.05, 0.015), shade(tone, 0.85 + 0.05 * (k % 5)), 12, 6), *tip, yaw=-math.degrees(a), roll=(35 if droop else -15)))
        return merged(out)

    d.add(f"leaves {droop}", leaves)
    d.grip((0.15, 0, 0.2), (0, 1, 0), (1, 0, 0))


@family((1.1, 1.1, 2.1), axes=("broken", "fill", "loaded"), surface="wood", colour=(0.36, 0.54, 0.28), accent=(0.45, 0.33, 0.24), carry="fixed")
def tree(d: Draft, s: Axes) -> None:
    """A small tree; loaded or full, it bears fruit; broken, a limb hangs."""
    d.add("trunk", lambda: d.of("wood", merged([bent([(0, 0, 0), (0.04, 0.02, 0.5), (0, 0, 1.1)], 0.07, d.accent), bent([(0, 0, 0.9), (0.25, 0.05, 1.3), (0.4, 0.1, 1.5)], 0.035, d.accent), bent([(0, 0, 0.9), (-0.2, -0.05, 1.35), (-0.3, 0, 1.6)], 0.035, d.accent)])))
    tops = [(0, 0, 1.65, 0.42), (0.36, 0.05, 1.5, 0.3), (-0.34, 0.02, 1.55, 0.32), (0.05, 0.25, 1.4, 0.3), (0, -0.25, 1.45, 0.3)]
    bald = s.get("broken", 0.0) > 0.5
    d.add(f"crown {bald}", lambda: merged([at(shapes.ellipsoid((r, r, r * 0.85), shade(d.body, 0.85 + 0.07 * k), 14, 9), x, y, z) for k, (x, y, z, r) in enumerate(tops[2 if bald else 0 :])]))
    if bald:
        d.add("limb", lambda: merged([bar((0.25, 0.1, 1.25), (0.5, 0.2, 0.25), 0.035, d.accent), at(shapes.ellipsoid((0.3, 0.25, 0.22), shade(d.body, 0.8)), 0.55, 0.22, 0.2)]))
    if max(s.get("fill", 0.0), s.get("loaded", 0.0)) > 0.3:
        d.add("fruit", lambda: merged([at(shapes.sphere(0.055, (0.84, 0.25, 0.18), 10, 6), 0.4 * math.sin(k * 2.1), 0.36 + 0.05 * math.cos(k), 1.35 + 0.5 * ((k * 5) % 7) / 7) for k in range(9)]))


@family((0.7, 0.06, 0.55), axes=("turned",), surface="wood", colour=(0.70, 0.54, 0.26), accent=(0.42, 0.56, 0.62), wall=True, carry="two hands front")
def picture(d: Draft, s: Axes) -> None:
    """A framed landscape, hanging; turned, it hangs crooked. Its back is against the wall."""
    pose = placement((0, 0, 0.275), roll=14 * s.get("turned", 0.0))
    d.add("frame", lambda: d.own(merged([at(shapes.box((0.7, 0.05, 0.06), d.body, 0.012), z=z) for z in (-0.245, 0.245)] + [at(shapes.box((0.06, 0.05, 0.43), d.body, 0.012), x) for x in (-0.32, 0.32)])), pose)
    d.add("canvas", lambda: merged([at(shapes.box((0.6, 0.02, 0.45), mix(d.accent, WHITE, 0.45))), at(shapes.box((0.6, 0.022, 0.2), mix(d.accent, (0.35, 0.45, 0.25), 0.7)), z=-0.12),
          at(shapes.cylinder(0.05, 0.024, (0.95, 0.85, 0.5), 18), 0.14, 0, 0.1, pitch=90), at(shapes.extruded([(-0.28, 0), (-0.05, 0.17), (0.12, 0)], 0.024, shade(d.accent, 0.6)), -0.02, 0.012, -0.03, pitch=90)]), pose)  # fmt: skip
    d.grip((-0.35, 0, 0.27), (0, 0, 1), (-1, 0, 0))
    d.grip((0.35, 0, 0.27), (0, 0, 1), (1, 0, 0))


@family((0.9, 0.12, 1.5), axes=("turned",), surface="wood", accent=CREAM, carry="two hands front")
def sign(d: Draft, s: Axes) -> None:
    """A board on a post with an arrow, no writing."""
    d.add("post", lambda: d.of("wood", bar((0, -0.02, 0), (0, -0.02, 1.5), 0.04, WOOD)))
    turn = placement(yaw=180 * s.get("turned", 0.0))
    d.add("board", lambda: d.own(merged([at(shapes.box((0.9, 0.04, 0.42), d.body, 0.01), y=0.03, z=1.2)])), turn)
    d.add("arrow", lambda: at(shapes.extruded([(-0.3, -0.05), (0.08, -0.05), (0.08, -0.14), (0.32, 0), (0.08, 0.14), (0.08, 0.05), (-0.3, 0.05)], 0.02, d.accent), y=0.07, z=1.2, pitch=90), turn)
    d.grip((0, -0.02, 0.9), (0, 0, 1), (0, -1, 0))


@family((0.5, 0.5, 0.6), axes=("lit",), surface="brass", colour=BRASS, accent=CREAM)
def lamp(d: Draft, s: Axes) -> None:
    """A table lamp with a shade that glows when lit."""
    lit = s.get("lit", 0.0)
    d.add("stem", lambda: d.own(merged([shapes.lathe([(0, 0), (0.13, 0), (0.12, 0.025), (0.04, 0.05), (0.025, 0.1), (0.06, 0.17), (0.05, 0.24), (0.018, 0.3), (0.018, 0.42), (0, 0.42)], d.body)])))
    d.add("shade", lambda: shapes.lathe([(0.19, 0.33), (0.1, 0.56), (0.09, 0.56), (0.18, 0.335)], d.accent, 24), glow=0.95 * lit)
    if lit > 0.05:
        d.add("bulb", lambda: at(shapes.sphere(0.06, (1.0, 0.9, 0.6), 12, 8), z=0.4), glow=lit)
    d.grip((0, 0, 0.16), (0, 0, 1), (0, 1, 0))


@family((0.26, 0.26, 0.42), axes=("lit",), surface="painted", accent=BRASS)
def lantern(d: Draft, s: Axes) -> None:
    """A hand lantern: base, glass with the flame behind bars, cap, ring to carry it by."""
    lit = s.get("lit", 0.0)
    d.add("base", lambda: d.own(merged([drum(0.1, 0.06, d.body), shapes.lathe([(0.1, 0.26), (0.11, 0.27), (0.05, 0.33), (0.04, 0.36), (0, 0.36)], d.body)])))
    d.add("bars", lambda: merged([bar((0.095 * math.cos(a), 0.095 * math.sin(a), 0.05), (0.095 * math.cos(a), 0.095 * math.sin(a), 0.28), 0.008, d.accent) for a in [k * math.pi / 3 + 0.5 for k in range(6)]] + [at(shapes.torus(0.098, 0.009, d.accent), z=0.17)]))
    d.add(f"glass {lit > 0.1}", lambda: drum(0.078, 0.2, (1.0, 0.86, 0.5) if lit > 0.1 else (0.38, 0.42, 0.44), 0.06), glow=lit)
    d.add("ring", lambda: bent([(-0.09, 0, 0.3), (-0.08, 0, 0.42), (0.08, 0, 0.42), (0.09, 0, 0.3)], 0.008, d.accent))
    d.grip((0, 0, 0.43), (1, 0, 0), (0, 0, 1))


@family((0.14, 0.14, 0.26), axes=("lit", "broken"), surface="plain", colour=(0.95, 0.92, 0.83), accent=BRASS)
def candle(d: Draft, s: Axes) -> None:
    """A candle in a saucer with a finger ring."""
    d.add("saucer", lambda: merged([hollow([(0.05, 0), (0.07, 0.02)], 0.005, d.accent), at(shapes.torus(0.022, 0.006, d.accent, 16, 6), x=-0.09, z=0.02, pitch=90)]))
    d.add("stick", lambda: merged([drum(0.024, 0.16, d.body, 0.005), at(shapes.sphere(0.012, d.body, 8, 6), 0.02, 0.008, 0.13), at(shapes.capsule(0.006, 0.008, 0.05, d.body), -0.021, 0.01, 0.09)]))
    d.add("wick", lambda: bar((0, 0, 0.16), (0, 0, 0.182), 0.004, (0.1, 0.1, 0.1)))
    if s.get("lit", 0.0) > 0.05:
        d.add("flame", lambda: at(shapes.lathe([(0, 0), (0.014, 0.015), (0.018, 0.03), (0.008, 0.062), (0, 0.085)], (1.0, 0.82, 0.36), 12, 90), z=0.172), glow=1.0)
    d.grip((-0.1, 0, 0.02), (0, 1, 0), (-1, 0, 0))


@family((0.26, 0.07, 0.07), axes=("lit",), surface="painted", accent=(0.75, 0.76, 0.78))
def torch(d: Draft, s: Axes) -> None:
    """An electric torch lying on its side; lit, its lens and a patch of light glow."""
    d.add("tube", lambda: d.own(merged([at(shapes.cylinder(0.022, 0.16, d.body, 16), -0.03, 0, 0.035, roll=90), at(shapes.cylinder(0.012, 0.02, IRON, 10), -0.02, 0, 0.06)])))
    d.add("head", lambda: at(shapes.cone(0.022, 0.036, 0.06, d.accent), 0.08, 0, 0.036, roll=90))
    lit = s.get("lit", 0.0)
    d.add(f"lens {lit > 0.1}", lambda: at(shapes.cylinder(0.032, 0.006, (1, 0.95, 0.7) if lit > 0.1 else (0.5, 0.55, 0.58), 18), 0.112, 0, 0.036, roll=90), glow=lit)
    if lit > 0.1:
        d.add("beam", lambda: at(shapes.ellipsoid((0.11, 0.06, 0.002), (1, 0.95, 0.72)), 0.24, 0, 0.003), glow=0.9)
    d.grip((-0.05, 0, 0.035), (1, 0, 0), (0, 0, 1))


@family((0.4, 0.4, 0.35), axes=("broken",), surface="painted", carry="fixed")
def block(d: Draft, s: Axes) -> None:
    d.add("block", lambda: d.own(slab(0.4, 0.4, 0.35, d.body, 0.015)))
    d.rest("top", 0.35, 0.38, 0.38)
    d.grip((-0.2, 0, 0.25), (0, 1, 0), (-1, 0, 0))
    d.grip((0.2, 0, 0.25), (0, 1, 0), (1, 0, 0))
    if s.get("broken", 0.0) > 0.4:
        d.add("crack", lambda: merged([at(shapes.box((0.012, 0.41, 0.2), (0.1, 0.09, 0.09)), x, 0, z, roll=r) for x, z, r in ((0.02, 0.26, 18), (-0.01, 0.1, -20))] + [lumps(6, 0.04, (0.6, 0.5), shade(d.body, 0.85), 3, 0.02)]))
