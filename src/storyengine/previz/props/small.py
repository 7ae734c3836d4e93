"""Small and soft things: paper, cloth, rope, clothes as things, food, instruments and toys, heaps."""

from __future__ import annotations

import math

import numpy as np

from storyengine.previz.props.kit import (
    BLACK, BRASS, CREAM, IRON, RED, STEEL, WHITE, WOOD, Draft, at, bar, bent, drum, lumps, mix, shade, slab,
)  # fmt: skip
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, merged, placement, shapes
from storyengine.previz.render.values import Vec3


@family((0.24, 0.32, 0.06), axes=("open",), surface="leather", accent=CREAM, carry="one hand low")
def book(d: Draft, s: Axes) -> None:
    """Shut, a thick cover with pages; open, two white halves with lines."""
    opened = s.get("open", 0.0)
    if opened < 0.5:
        d.add("pages", lambda: at(slab(0.21, 0.29, 0.04, (0.95, 0.93, 0.86), 0.002, 0.008), 0.008))
        d.add("covers", lambda: d.own(merged([slab(0.24, 0.32, 0.009, d.body, 0.002), slab(0.24, 0.32, 0.009, d.body, 0.002, 0.047), at(slab(0.016, 0.32, 0.056, shade(d.body, 0.8), 0.006), -0.115)])))
        d.add("label", lambda: merged([at(slab(0.13, 0.07, 0.002, d.accent, 0, 0.056), 0.01, 0.07), at(slab(0.05, 0.325, 0.058, shade(d.body, 0.7), 0.002), -0.06)]))
    else:
        d.add("spread cover", lambda: d.own(slab(0.5, 0.33, 0.008, d.body, 0.003)))
        d.add("spread pages", lambda: merged([at(slab(0.23, 0.3, 0.022, (0.96, 0.95, 0.90), 0.008, 0.006), x, roll=r) for x, r in ((-0.12, -3), (0.12, 3))]
              + [at(slab(0.16, 0.008, 0.002, (0.55, 0.55, 0.58), 0, 0.034), x, 0.11 - 0.036 * k) for x in (-0.12, 0.12) for k in range(7)]))  # fmt: skip
    d.grip((0.1, 0, 0.03), (0, 1, 0), (1, 0, 0))


@family((0.22, 0.3, 0.012), axes=("spread", "open", "broken", "fastened"), surface="paper", colour=(0.95, 0.93, 0.87), accent=RED)
def paper(d: Draft, s: Axes) -> None:
    """A sheet with lines; folded it is an envelope, sealed it carries wax, torn it is in two."""
    flat = s.get("spread", s.get("open", 1.0)) > 0.5
    if s.get("broken", 0.0) > 0.4:
        for k, (x, turn) in enumerate(((-0.07, -10), (0.08, 14))):
            d.add(f"half {k}", lambda k=k: merged([at(shapes.extruded([(-0.05, -0.14), (0.04 + 0.01 * k, -0.14), (0.03, -0.05), (0.06, 0.0), (0.03, 0.06), (0.05, 0.14), (-0.05, 0.14)], 0.004, d.body), yaw=180 * k)]), placement((x, 0, 0.001 + 0.003 * k), yaw=turn))  # type: ignore[misc]
    elif flat and s.get("fastened", 0.0) < 0.4:
        d.add("sheet", lambda: merged([shapes.sheet(0.22, 0.3, lambda u, v: 0.006 + 0.012 * (u - 0.5) ** 2 * 4, d.body, (8, 2)), *[at(slab(0.15 - 0.03 * (k % 3 == 2), 0.006, 0.001, (0.4, 0.42, 0.48), 0, 0.008), -0.01, 0.1 - 0.03 * k) for k in range(7)]]))
    else:
        d.add("envelope", lambda: merged([slab(0.22, 0.14, 0.008, d.body, 0.002), *[bar((x, 0.07, 0.009), (0, -0.005, 0.009), 0.002, shade(d.body, 0.6)) for x in (-0.11, 0.11)]]))
        d.add("seal", lambda: drum(0.022, 0.008, d.accent, 0.008))
    d.grip((0.1, 0, 0.006), (0, 1, 0), (1, 0, 0))


@family((0.8, 0.55, 0.05), axes=("spread", "open"), surface="paper", colour=(0.90, 0.84, 0.66), accent=(0.35, 0.5, 0.58), carry="two hands front")
def map_(d: Draft, s: Axes) -> None:
    """Spread, a big sheet with coast, route and grid; rolled up, a scroll with a ribbon."""
    if s.get("spread", s.get("open", 1.0)) > 0.5:
        d.add("sheet", lambda: merged([shapes.sheet(0.8, 0.55, lambda u, v: 0.008 + 0.01 * abs(math.sin(u * 9.4)), d.body, (16, 2)), at(shapes.extruded([(-0.3, -0.2), (0.0, -0.22), (0.1, -0.08), (-0.02, 0.05), (0.06, 0.2), (-0.3, 0.2)], 0.002, mix(d.accent, d.body, 0.35)), z=0.019),
              *[bar((-0.3 + 0.2 * k, -0.25, 0.021), (-0.3 + 0.2 * k, 0.25, 0.021), 0.002, shade(d.body, 0.6), 4) for k in range(4)], shapes.tube([(0.35, -0.15, 0.022), (0.2, 0.0, 0.022), (0.24, 0.15, 0.022)], 0.006, RED, 5)]))  # fmt: skip
    else:
        d.add("scroll", lambda: merged([at(shapes.cylinder(0.04, 0.6, d.body, 18), z=0.04, roll=90), at(shapes.torus(0.041, 0.008, RED, 20, 6), z=0.04, roll=90), *[at(shapes.cylinder(0.02, 0.605, shade(d.body, 0.6), 14), z=0.04, roll=90)]]))
    d.grip((-0.3, 0, 0.03), (1, 0, 0), (0, 0, 1))
    d.grip((0.3, 0, 0.03), (1, 0, 0), (0, 0, 1))


@family((0.86, 0.14, 1.95), axes=("raised", "spread", "open"), surface="cloth", accent=WHITE, wall=False)
def flag(d: Draft, s: Axes) -> None:
    """A flag on a pole; lowered it hangs half way down, furled it is rolled around the pole."""
    d.add("pole", lambda: merged([d.of("wood", bar((-0.4, 0, 0), (-0.4, 0, 1.9), 0.02, WOOD)), at(shapes.sphere(0.04, BRASS), -0.4, 0, 1.92)]))
    flying = s.get("spread", s.get("open", 1.0)) > 0.5
    height = 1.3 * s.get("raised", 1.0) + 0.28 * (1 - s.get("raised", 1.0))
    if flying:
        d.add("cloth", lambda: d.own(at(shapes.sheet(0.8, 0.5, lambda u, v: 0.07 * math.sin(u * 8) * u, d.body, (20, 6)), pitch=90)), placement((0.02, 0, height + 0.27)))
        if d.look.pattern == "plain":
            d.add("stripe", lambda: at(shapes.sheet(0.8, 0.12, lambda u, v: 0.07 * math.sin(u * 8) * u - 0.003, d.accent, (20, 2)), pitch=90), placement((0.02, -0.0, height + 0.27)))
            d.add("stripe back", lambda: at(shapes.sheet(0.8, 0.12, lambda u, v: 0.07 * math.sin(u * 8) * u + 0.003, d.accent, (20, 2)), pitch=90), placement((0.02, 0.0, height + 0.27)))
    else:
        d.add("furled", lambda: merged([at(shapes.capsule(0.055, 0.045, 0.75, d.body), -0.37, 0, -0.35), *[at(shapes.torus(0.055, 0.01, d.accent, 16, 6), -0.38, 0, z) for z in (-0.2, 0.1)]]), placement((0, 0, height + 0.2)))
    d.grip((-0.4, 0, 0.5), (0, 0, 1), (0, 1, 0))


@family((0.75, 0.75, 0.35), axes=("wound", "spread", "broken"), surface="rope", colour=(0.80, 0.68, 0.46), accent=(0.45, 0.35, 0.24), carry="on shoulder")
def rope(d: Draft, s: Axes) -> None:
    """Wound, a neat coil with a whipped end; unwound, it snakes over the floor; broken, its ends fray."""
    wound = s.get("wound", 1 - s["spread"] if "spread" in s else 1.0)
    if s.get("broken", 0.0) > 0.4:
        for k, side in enumerate((-1, 1)):
            d.add(f"piece {k}", lambda side=side: d.own(merged([bent([(side * 0.55, 0.2, 0.04), (side * 0.35, -0.05, 0.04), (side * 0.22, 0.1, 0.04), (side * 0.08, 0.02, 0.04)], 0.035, d.body), *[bar((side * 0.09, 0.02, 0.04), (side * 0.01, 0.02 + 0.035 * j, 0.05 + 0.01 * j), 0.008, d.body, 5) for j in (-2, -1, 0, 1, 2)]])))  # type: ignore[misc]
    elif wound > 0.5:
        def coil() -> Mesh:
            path: list[Vec3] = []
            for k in range(5 * 24 + 1):
                a = 2 * math.pi * k / 24
                level = k / 24
                path.append(((0.29 - 0.012 * (level % 2)) * math.cos(a), (0.29 - 0.012 * (level % 2)) * math.sin(a), 0.04 + 0.062 * level))
            path += [(0.36, 0.12, 0.25), (0.42, 0.2, 0.05)]
            return shapes.tube(path, 0.036, d.body, 8)

        d.add("coil", lambda: d.own(coil()).textured(d.of("rope", shapes.box((1, 1, 1))).textures[0], (1, 40)) if d.look.pattern == "plain" else d.own(coil()))
        d.add("whipping", lambda: bar((0.41, 0.19, 0.075), (0.43, 0.215, 0.02), 0.041, d.accent))
    else:
        d.add("line", lambda: d.own(bent([(-0.75, -0.3, 0.04), (-0.4, 0.2, 0.04), (-0.1, -0.25, 0.04), (0.2, 0.2, 0.04), (0.5, -0.15, 0.04), (0.8, 0.2, 0.04)], 0.034, d.body, 8, 10)).textured(d.of("rope", shapes.box((1, 1, 1))).textures[0], (1, 20)))
        d.add("end", lambda: bar((0.78, 0.18, 0.04), (0.84, 0.25, 0.04), 0.04, d.accent))
    d.grip((0.29, 0, 0.2), (0, 1, 0), (1, 0, 0))


@family((0.9, 0.2, 0.07), axes=("wound", "broken", "hung"), surface="iron", colour=(0.46, 0.47, 0.5), carry="one hand low")
def chain(d: Draft, s: Axes) -> None:
    """Links in a line; broken, one link gapes; wound, they lie in a heap."""
    if s.get("wound", 0.0) > 0.5:
        d.add("heap", lambda: merged([at(shapes.torus(0.05, 0.014, d.body, 14, 6), 0.16 * math.cos(k * 2.4) * (0.4 + 0.06 * (k % 9)), 0.16 * math.sin(k * 2.4) * (0.4 + 0.06 * (k % 9)), 0.03 + 0.012 * (k // 3), yaw=k * 50, pitch=25 * (k % 4)) for k in range(24)]))
    else:
        gap = 0.1 if s.get("broken", 0.0) > 0.4 else 0.0
        d.add(f"links {gap > 0}", lambda: merged([at(shapes.torus(0.048, 0.014, d.body, 16, 6).moved(placement(scale=(1.25, 0.85, 1))), -0.43 + 0.079 * k + (gap if k > 5 else -gap * 0.5), 0.03 * math.sin(k), 0.04, pitch=90 * (k % 2)) for k in range(12)]))
    d.grip((-0.4, 0, 0.04), (1, 0, 0), (0, 0, 1))


@family((0.5, 0.16, 0.22), axes=("loaded", "hung"), surface="iron", colour=(0.30, 0.31, 0.33), accent=(0.50, 0.36, 0.24), carry="fixed", wall=True)
def hook(d: Draft, s: Axes) -> None:
    """A board with two hooks on the wall; loaded, keys hang there."""
    d.add("board", lambda: d.of("wood", at(slab(0.5, 0.03, 0.13, d.accent, 0.008), y=-0.05, z=0.1)))
    d.add("hooks", lambda: merged([bent([(x, -0.04, 0.19), (x, 0.04, 0.17), (x, 0.05, 0.07), (x, 0.0, 0.03), (x, -0.02, 0.08)][:4], 0.014, d.body) for x in (-0.14, 0.14)]))
    if max(s.get("loaded", 0.0), s.get("hung", 0.0)) > 0.3:
        d.add("keys", lambda: merged([at(shapes.torus(0.05, 0.008, BRASS, 18, 6), 0.14, 0.04, 0.02, roll=90), bar((0.14, 0.04, -0.03), (0.14, 0.04, -0.16), 0.01, BRASS)]))
    d.grip((0.14, 0.05, 0.08), (0, 0, 1), (0, 1, 0))


@family((1.1, 0.8, 0.3), axes=("spread", "hung", "broken"), surface="rope", colour=(0.38, 0.28, 0.20), accent=(0.80, 0.62, 0.40), carry="on shoulder")
def net(d: Draft, s: Axes) -> None:
    """Mesh edged with corks: heaped, or spread flat."""
    if s.get("spread", 0.0) > 0.5:
        d.add("mesh", lambda: merged([bar((-0.6, -0.4 + 0.1 * k, 0.02), (0.6, -0.4 + 0.1 * k, 0.02), 0.009, d.body, 5) for k in range(9)] + [bar((-0.6 + 0.1 * k, -0.4, 0.02), (-0.6 + 0.1 * k, 0.4, 0.02), 0.009, d.body, 5) for k in range(13)]))
        d.add("corks", lambda: merged([at(shapes.sphere(0.045, d.accent, 10, 6), -0.6 + 0.2 * k, 0.42, 0.04) for k in range(7)]))
    else:
        def strands() -> Mesh:
            random = np.random.default_rng(5)
            out = [at(shapes.ellipsoid((0.42, 0.3, 0.16), shade(d.body, 0.7)), z=0.1)]
            for _ in range(26):
                a, b = random.random(2) * 2 * math.pi
                p = [(0.44 * math.cos(a + 0.5 * t) * (1 - 0.1 * t), 0.32 * math.sin(a + 0.5 * t), 0.05 + 0.2 * math.sin(math.pi * (t + 0.3) / 4) * math.cos(b / 9)) for t in range(4)]
                out.append(bent(p, 0.011, shade(d.body, 1.15), 5, 4))
            return merged(out)

        d.add("heap", strands)
        d.add("corks heaped", lambda: merged([at(shapes.sphere(0.048, d.accent, 10, 6), 0.46 * math.cos(a), 0.34 * math.sin(a), 0.07 + 0.05 * (k % 3)) for k, a in enumerate([0.2, 0.75, 1.3, 1.9, 2.5, 3.2, 4.4, 5.6])]))
    d.grip((0.4, 0, 0.1), (0, 1, 0), (1, 0, 0))


@family((0.95, 0.18, 0.12), axes=("open", "spread", "wet", "broken"), surface="cloth", accent=WOOD)
def umbrella(d: Draft, s: Axes) -> None:
    """Open, a canopy on the floor with the handle up-turned; shut, it lies rolled."""
    if s.get("open", s.get("spread", 0.0)) > 0.5:
        d.add("canopy", lambda: d.own(merged([shapes.lathe([(0.5, 0.45), (0.46, 0.56), (0.34, 0.69), (0.18, 0.77), (0.0, 0.8), (0.0, 0.79), (0.18, 0.75), (0.34, 0.67), (0.46, 0.54), (0.5, 0.45)], d.body, 8, 50)])))
        d.add("stick", lambda: merged([bar((0, 0, 0.12), (0, 0, 0.86), 0.013, STEEL), bent([(0, 0, 0.14), (0, 0.0, 0.04), (0.06, 0, 0.0), (0.1, 0, 0.05)], 0.018, d.accent)]))
        d.grip((0, 0, 0.16), (0, 0, 1), (0, 1, 0))
    else:
        d.add("rolled", lambda: d.own(at(shapes.cone(0.06, 0.012, 0.62, d.body, 10), 0.1, 0, 0.06, roll=90)))
        d.add("crook", lambda: merged([bar((0.4, 0, 0.06), (0.5, 0, 0.06), 0.01, STEEL), bent([(-0.2, 0, 0.06), (-0.36, 0, 0.06), (-0.43, 0.05, 0.06), (-0.37, 0.11, 0.06)], 0.018, d.accent), at(shapes.torus(0.05, 0.008, shade(d.body, 0.6), 16, 6), 0.02, 0, 0.06, roll=90)]))
        d.grip((-0.3, 0, 0.06), (1, 0, 0), (0, 0, 1))


@family((0.32, 0.32, 0.17), axes=("dirty",), surface="cloth", accent=(0.25, 0.22, 0.22))
def hat(d: Draft, s: Axes) -> None:
    d.add("crown", lambda: d.own(shapes.lathe([(0.0, 0.0), (0.16, 0.0), (0.165, 0.012), (0.1, 0.02), (0.095, 0.1), (0.08, 0.15), (0, 0.16)], d.body, 24)))
    d.add("band", lambda: at(shapes.cylinder(0.101, 0.03, d.accent, 24), z=0.038))
    d.grip((0.14, 0, 0.01), (0, 1, 0), (1, 0, 0))


@family((0.75, 0.2, 1.05), axes=("hung", "open"), surface="cloth", accent=BRASS)
def coat(d: Draft, s: Axes) -> None:
    """A garment on a hanger: shoulders, sleeves, buttons; taken down, it lies folded."""
    if s.get("hung", 1.0) > 0.5:
        d.add("cloth", lambda: d.own(merged([at(shapes.extruded([(-0.24, 0.0), (0.24, 0.0), (0.2, 0.5), (0.24, 0.82), (0.08, 0.93), (-0.08, 0.93), (-0.24, 0.82), (-0.2, 0.5)], 0.13, d.body), y=0.065, pitch=90), *[at(shapes.capsule(0.05, 0.07, 0.5, d.body), sx * 0.34, 0, 0.3, roll=sx * -14) for sx in (-1, 1)]])))
        d.add("front", lambda: merged([at(slab(0.012, 0.012, 0.78, shade(d.body, 0.6), 0), y=0.066, z=0.04), *[at(shapes.sphere(0.018, d.accent, 10, 6), 0.035, 0.07, 0.2 + 0.16 * k) for k in range(4)], *[at(slab(0.13, 0.012, 0.1, shade(d.body, 0.8), 0.003), x, 0.067, 0.22) for x in (-0.14, 0.14)], at(shapes.extruded([(-0.1, 0.93), (0, 0.68), (0.1, 0.93)], 0.014, shade(d.body, 0.75)), y=0.078, pitch=90), bent([(0, 0, 0.93), (0, 0, 1.02), (0.04, 0, 1.05), (0.05, 0, 1.0)], 0.008, IRON)]))
        d.grip((0, 0, 0.95), (1, 0, 0), (0, 0, 1))
    else:
        d.add("folded", lambda: d.own(merged([slab(0.46, 0.34, 0.05, d.body, 0.02), slab(0.42, 0.3, 0.045, shade(d.body, 0.92), 0.02, 0.05), at(slab(0.1, 0.24, 0.03, shade(d.body, 0.8), 0.012), 0.1, 0, 0.09)])))
        d.add("buttons", lambda: merged([at(shapes.sphere(0.018, d.accent, 10, 6), -0.1, -0.1 + 0.09 * k, 0.1) for k in range(3)]))
        d.grip((0, 0.15, 0.06), (1, 0, 0), (0, 1, 0))


@family((0.3, 0.32, 0.32), axes=("dirty", "wet"), surface="leather", colour=(0.30, 0.20, 0.14))
def boots(d: Draft, s: Axes) -> None:
    d.add("pair", lambda: d.own(merged([at(merged([shapes.lathe([(0, 0.05), (0.055, 0.05), (0.05, 0.2), (0.06, 0.32), (0.05, 0.32), (0.04, 0.22), (0, 0.22)], d.body, 16), at(shapes.ellipsoid((0.05, 0.13, 0.055), d.body), y=0.07, z=0.06), at(slab(0.1, 0.25, 0.022, (0.12, 0.1, 0.09), 0.006), y=0.06)]), x, -0.05, yaw=t) for x, t in ((-0.08, -6), (0.08, 8))])))
    d.add("tops", lambda: merged([at(shapes.torus(0.058, 0.008, d.accent, 18, 6), x, -0.05, 0.31) for x in (-0.08, 0.08)]))
    d.grip((0, -0.05, 0.3), (1, 0, 0), (0, 0, 1))


@family((0.3, 0.26, 0.05), axes=("dirty", "wet"), surface="leather", colour=(0.66, 0.48, 0.30))
def gloves(d: Draft, s: Axes) -> None:
    d.add("pair", lambda: d.own(merged([at(merged([at(shapes.ellipsoid((0.05, 0.06, 0.018), d.body), z=0.018), *[at(shapes.capsule(0.013, 0.011, 0.065, d.body, 10), -0.033 + 0.022 * k, 0.045, 0.018, pitch=-90) for k in range(4)], at(shapes.capsule(0.014, 0.012, 0.05, d.body, 10), 0.042 * m, 0.0, 0.018, pitch=-90, yaw=45 * m), at(slab(0.09, 0.07, 0.03, shade(d.body, 0.8), 0.01), y=-0.075, z=0.004)]), x, 0, 0, yaw=t) for x, t, m in ((-0.08, -8, 1), (0.08, 10, -1))])))
    d.grip((0.0, -0.06, 0.02), (0, 1, 0), (0, 0, 1))


@family((0.6, 0.45, 0.14), axes=("spread", "wet", "covered"), surface="cloth", accent=CREAM, carry="two hands front")
def blanket(d: Draft, s: Axes) -> None:
    """Folded in a stack, or spread flat with folds."""
    flat = s.get("spread", s.get("covered", 0.0))
    if flat > 0.5:
        d.add("sheet", lambda: d.own(shapes.sheet(1.3, 0.9, lambda u, v: 0.012 + 0.012 * math.sin(u * 11 + v * 3) + 0.008 * math.sin(v * 9), d.body, (26, 18))))
        if d.look.pattern == "plain":
            d.add("border", lambda: merged([shapes.sheet(1.3, 0.07, lambda u, v: 0.032 + 0.01 * math.sin(u * 11), d.accent, (26, 1)).moved(placement((0, y, 0))) for y in (-0.38, 0.38)]))
    elif flat > 0.15:
        d.add("crumpled", lambda: d.own(shapes.sheet(0.8, 0.65, lambda u, v: 0.09 * math.sin(math.pi * u) * math.sin(math.pi * v) * (1.2 + math.sin(u * 17 + v * 6) + 0.7 * math.sin(v * 21 - u * 5)) + 0.005, d.body, (28, 24))))
    else:
        d.add("stack", lambda: d.own(merged([slab(0.6 - 0.01 * k, 0.44 - 0.01 * k, 0.034, shade(d.body, 1.0 - 0.06 * (k % 2)), 0.015, 0.034 * k) for k in range(4)])))
        d.add("edge", lambda: merged([at(slab(0.605, 0.05, 0.14, d.accent, 0.01), y=0.12)]))
    d.grip((-0.28, 0, 0.06), (0, 1, 0), (-1, 0, 0))
    d.grip((0.28, 0, 0.06), (0, 1, 0), (1, 0, 0))


@family((0.3, 0.22, 0.15), axes=("broken", "open"), surface="plain", colour=(0.80, 0.58, 0.32), accent=(0.93, 0.82, 0.62))
def loaf(d: Draft, s: Axes) -> None:
    """A round loaf with slashes; broken or cut, its crumb shows."""
    cut = max(s.get("broken", 0.0), s.get("open", 0.0)) > 0.4
    d.add("loaf", lambda: merged([at(shapes.ellipsoid((0.15, 0.11, 0.08), d.body, 24, 14), z=0.07)]), placement(scale=(0.62, 1, 1)) if cut else None)
    d.add("slashes", lambda: merged([at(shapes.ellipsoid((0.012, 0.07, 0.012), d.accent, 10, 6), -0.07 + 0.07 * k, 0, 0.145 - 0.012 * abs(k - 1), yaw=25) for k in range(3)]), placement(scale=(0.62, 1, 1)) if cut else None)
    if cut:
        d.add("crumb", lambda: merged([at(shapes.cylinder(0.085, 0.02, d.accent, 22), 0.06, 0, 0.075, roll=90), at(shapes.ellipsoid((0.012, 0.1, 0.075), d.body), 0.16, 0.02, 0.012, yaw=10, roll=80), at(shapes.cylinder(0.075, 0.012, d.accent, 20), 0.165, 0.02, 0.026, roll=2)]))
    d.grip((0, 0, 0.08), (1, 0, 0), (0, 0, 1))


@family((0.34, 0.34, 0.14), axes=("broken", "open", "turned"), surface="plain", colour=(0.93, 0.76, 0.34), accent=(0.97, 0.90, 0.62))
def cheese(d: Draft, s: Axes) -> None:
    """A wheel of cheese; cut, a wedge lies beside it."""
    cut = max(s.get("broken", 0.0), s.get("open", 0.0)) > 0.4

    def wedge(start: float, end: float) -> Mesh:
        arc = [(0.17 * math.cos(a), 0.17 * math.sin(a)) for a in np.linspace(start, end, 18)]
        return merged([shapes.extruded([(0.0, 0.0), *arc], 0.13, d.accent), shapes.extruded([(0.002, 0.002), *[(x * 1.012, y * 1.012) for x, y in arc]], 0.118, d.body).moved(placement((0, 0, 0.006)))])

    if cut:
        d.add("wheel", lambda: merged([wedge(1.2, 2 * math.pi + 0.35)]))
        d.add("wedge", lambda: wedge(0.35, 1.2), placement((0.16, 0.1, 0)))
    else:
        d.add("whole", lambda: merged([drum(0.17, 0.13, d.body, bevel=0.02), drum(0.1, 0.004, d.accent, 0.128)]))
        d.add("holes", lambda: merged([at(shapes.cylinder(0.016, 0.006, shade(d.body, 0.7), 12), 0.1 * math.cos(a), 0.1 * math.sin(a), 0.13) for a in (0.5, 1.7, 3.0, 4.4, 5.5)]))
    d.grip((0.17, 0, 0.07), (0, 1, 0), (1, 0, 0))


@family((0.32, 0.06, 0.13), axes=("broken",), surface="plain", colour=(0.62, 0.68, 0.72), accent=(0.36, 0.44, 0.50))
def fish(d: Draft, s: Axes) -> None:
    d.add("fish", lambda: merged([at(shapes.ellipsoid((0.13, 0.028, 0.05), d.body, 22, 12), z=0.05), at(shapes.ellipsoid((0.125, 0.022, 0.03), d.accent, 20, 10), z=0.072), at(shapes.extruded([(0, 0), (-0.075, 0.055), (-0.055, 0), (-0.075, -0.055)], 0.014, d.accent), -0.115, 0.007, 0.05, pitch=90), at(shapes.extruded([(-0.03, 0), (0.03, 0), (-0.02, 0.04)], 0.01, d.accent), 0.0, 0.005, 0.09, pitch=90), *[at(shapes.sphere(0.009, BLACK, 8, 6), 0.095, y, 0.058) for y in (-0.02, 0.02)]]))
    d.grip((0, 0, 0.05), (1, 0, 0), (0, 0, 1))


@family((0.24, 0.2, 0.15), axes=("broken",), surface="plain", colour=(0.78, 0.22, 0.17), accent=(0.38, 0.55, 0.25))
def fruit(d: Draft, s: Axes) -> None:
    spots = ((-0.06, 0.0, 0.045), (0.05, 0.03, 0.045), (0.01, -0.06, 0.045), (0.0, 0.0, 0.115))
    d.add("fruit", lambda: merged([at(shapes.ellipsoid((0.048, 0.048, 0.045), shade(d.body, 0.92 + 0.06 * k), 16, 10), *p) for k, p in enumerate(spots)] + [bar((x, y, z + 0.035), (x + 0.012, y, z + 0.065), 0.004, (0.35, 0.24, 0.15)) for x, y, z in spots] + [at(shapes.ellipsoid((0.024, 0.01, 0.004), d.accent, 10, 6), 0.03, 0, 0.172)]))
    d.grip((0, 0, 0.07), (1, 0, 0), (0, 0, 1))


@family((0.8, 0.24, 0.24), axes=("spread", "broken", "fastened"), surface="plain", colour=(0.56, 0.36, 0.24), accent=CREAM, carry="two hands front")
def bundle(d: Draft, s: Axes) -> None:
    """A sheaf of twigs tied in the middle; spread or untied, they lie loose."""
    loose = s.get("spread", 1 - s["fastened"] if "fastened" in s else 0.0) > 0.5
    random = np.random.default_rng(3)
    twigs = [(float(a), float(r), float(e)) for a, r, e in zip(random.random(26) * 6.28, random.random(26) ** 0.5, random.random(26), strict=True)]
    if loose:
        d.add("loose", lambda: merged([bar((-0.35 + 0.1 * e, -0.3 + 0.6 * k / 26, 0.015 + 0.02 * (k % 3)), (0.35, -0.3 + 0.6 * k / 26 + 0.12 * (r - 0.5), 0.02), 0.012, shade(d.body, 0.8 + 0.3 * e), 5) for k, (a, r, e) in enumerate(twigs)]))
    else:
        d.add("sheaf", lambda: merged([bent([(-0.4 + 0.06 * e, 0.11 * r * math.cos(a), 0.11 + 0.11 * r * math.sin(a)), (0, 0.07 * r * math.cos(a), 0.11 + 0.07 * r * math.sin(a)), (0.4 - 0.06 * e, 0.13 * r * math.cos(a + 0.3), 0.11 + 0.12 * r * math.sin(a + 0.3))], 0.012, shade(d.body, 0.8 + 0.3 * e), 5, 3) for a, r, e in twigs]))
        d.add("tie", lambda: merged([at(shapes.torus(0.085, 0.018, d.accent, 22, 8), x, 0, 0.11, roll=90) for x in (-0.02, 0.02)]))
    d.grip((0, 0, 0.2), (1, 0, 0), (0, 0, 1))


@family((1.05, 0.36, 0.14), axes=("broken",), surface="wood", colour=(0.78, 0.50, 0.24), accent=(0.30, 0.20, 0.14), carry="two hands front")
def guitar(d: Draft, s: Axes) -> None:
    """Lies on its back, neck to the right."""
    left = [(-0.42 + 0.19 * (1 - math.cos(a)), 0.18 * math.sin(a)) for a in np.linspace(math.pi * 0.5, -math.pi * 0.5, 10)]
    outline = [(-0.23 - 0.2 * math.cos(a), 0.19 * math.sin(a)) for a in np.linspace(-1.9, 1.9, 18)]
    upper = [(0.05 + 0.13 * math.cos(a), 0.135 * math.sin(a)) for a in np.linspace(1.9, -1.9, 14)]
    d.add("body", lambda: d.own(shapes.extruded([*outline, (-0.09, 0.115), *upper, (-0.09, -0.115)], 0.09, d.body)) if left else d.own(slab(0.5, 0.36, 0.09, d.body)))
    d.add("neck", lambda: merged([at(slab(0.46, 0.05, 0.025, d.accent, 0.006), 0.38, 0, 0.085), at(slab(0.13, 0.08, 0.022, d.accent, 0.006), 0.66, 0, 0.08), at(shapes.cylinder(0.055, 0.006, BLACK, 20), -0.02, 0, 0.091), at(slab(0.03, 0.13, 0.014, d.accent, 0.003), -0.25, 0, 0.09)]))
    if s.get("broken", 0.0) < 0.4:
        d.add("strings", lambda: merged([bar((-0.25, y, 0.108), (0.62, y * 0.7, 0.114), 0.003, WHITE, 4) for y in (-0.02, -0.007, 0.007, 0.02)]))
    else:
        d.add("loose strings", lambda: merged([bent([(-0.25, y, 0.108), (-0.05, y * 4, 0.2), (0.1, y * 9, 0.13)], 0.003, WHITE, 4) for y in (-0.02, -0.007, 0.007, 0.02)]))
    d.grip((0.4, 0, 0.1), (1, 0, 0), (0, 0, 1))


@family((0.6, 0.22, 0.1), axes=("broken",), surface="wood", colour=(0.60, 0.30, 0.16), accent=(0.16, 0.12, 0.10))
def violin(d: Draft, s: Axes) -> None:
    """Lies on its back with the bow beside it."""
    half = [(-0.3, 0.0), (-0.29, 0.06), (-0.24, 0.1), (-0.18, 0.1), (-0.14, 0.075), (-0.13, 0.05), (-0.1, 0.055), (-0.07, 0.08), (-0.02, 0.082), (0.03, 0.055), (0.045, 0.0)]
    d.add("body", lambda: d.own(shapes.extruded([*half, *[(x, -y) for x, y in reversed(half[1:-1])]], 0.045, d.body)))
    d.add("neck", lambda: merged([at(slab(0.26, 0.026, 0.018, d.accent, 0.004), 0.09, 0, 0.048), at(shapes.torus(0.018, 0.01, d.accent, 14, 6), 0.25, 0, 0.045), at(slab(0.06, 0.03, 0.018, d.accent, 0.004), -0.24, 0, 0.045), *[bar((-0.22, y, 0.068), (0.2, y * 0.6, 0.068), 0.002, WHITE, 4) for y in (-0.008, 0, 0.008)], *[at(slab(0.06, 0.006, 0.003, BLACK, 0), -0.12, y, 0.045, yaw=12) for y in (-0.045, 0.045)]]))
    d.add("bow", lambda: merged([bent([(-0.3, 0.15, 0.01), (0.0, 0.163, 0.012), (0.32, 0.15, 0.01)], 0.006, d.body), bar((-0.3, 0.14, 0.01), (0.32, 0.14, 0.01), 0.003, WHITE)]))
    d.grip((0.12, 0, 0.05), (1, 0, 0), (0, 0, 1))


@family((0.5, 0.2, 0.2), axes=("running",), surface="brass", colour=BRASS, accent=RED)
def horn(d: Draft, s: Axes) -> None:
    d.add("bell", lambda: d.own(at(shapes.lathe([(0.02, -0.2), (0.025, 0.0), (0.04, 0.14), (0.1, 0.24), (0.095, 0.24), (0.035, 0.13), (0.015, -0.19), (0.02, -0.2)], d.body), 0, 0, 0.1, roll=90)))
    d.add("mouthpiece", lambda: merged([at(shapes.cone(0.02, 0.03, 0.04, d.accent), -0.22, 0, 0.1, roll=-90), at(shapes.torus(0.026, 0.007, d.accent, 16, 6), 0, 0, 0.1, roll=90)]))
    d.grip((-0.05, 0, 0.1), (1, 0, 0), (0, 0, 1))


@family((0.26, 0.26, 0.26), axes=("broken",), surface="leather", accent=WHITE)
def ball(d: Draft, s: Axes) -> None:
    flat = s.get("broken", 0.0)
    d.add("ball", lambda: d.own(shapes.sphere(0.13, d.body, 24, 16)), placement((0, 0, 0.13 - 0.085 * flat), scale=(1 + 0.1 * flat, 1 + 0.1 * flat, 1 - 0.66 * flat)))
    d.add("bands", lambda: merged([at(shapes.torus(0.1295, 0.008, d.accent, 32, 6)), at(shapes.torus(0.1295, 0.008, d.accent, 32, 6), roll=90)]), placement((0, 0, 0.13 - 0.085 * flat), scale=(1 + 0.1 * flat, 1 + 0.1 * flat, 1 - 0.66 * flat), roll=20, pitch=25))
    d.grip((0.13, 0, 0.13), (0, 0, 1), (1, 0, 0))


@family((0.84, 0.49, 0.85), axes=("broken",), surface="paper", accent=(0.95, 0.80, 0.30))
def kite(d: Draft, s: Axes) -> None:
    """A diamond leaning, with a tail of bows."""
    pose = placement((0, -0.1, 0.02), pitch=14)
    d.add("sail", lambda: d.own(at(shapes.extruded([(0, 0), (0.34, 0.5), (0, 0.85), (-0.34, 0.5)], 0.008, d.body), y=0.004, pitch=90)), pose)
    d.add("spars", lambda: merged([bar((0, 0.006, 0), (0, 0.006, 0.85), 0.009, WOOD), bar((-0.34, 0.006, 0.5), (0.34, 0.006, 0.5), 0.009, WOOD), at(shapes.extruded([(0, 0.5), (0.34, 0.5), (0, 0.85)], 0.01, d.accent), y=0.006, pitch=90)]), pose)
    d.add("tail", lambda: merged([bent([(0, -0.1, 0.03), (0.12, 0.1, 0.02), (0.3, 0.14, 0.02), (0.5, 0.06, 0.02)], 0.006, CREAM), *[at(shapes.ellipsoid((0.05, 0.025, 0.012), d.accent, 10, 6), x, y, 0.03, yaw=40) for x, y in ((0.12, 0.1), (0.3, 0.14), (0.46, 0.08))]]))
    d.grip((0, 0, 0.4), (0, 0, 1), (0, 1, 0))


@family((0.3, 0.2, 0.42), axes=("broken", "dirty"), surface="cloth", colour=(0.70, 0.50, 0.30), accent=(0.90, 0.78, 0.60))
def doll(d: Draft, s: Axes) -> None:
    """A sitting bear."""
    d.add("bear", lambda: d.own(merged([at(shapes.ellipsoid((0.1, 0.085, 0.12), d.body), z=0.12), at(shapes.sphere(0.085, d.body), z=0.3), *[at(shapes.sphere(0.034, d.body, 12, 8), x, 0, 0.37) for x in (-0.065, 0.065)], *[at(shapes.capsule(0.035, 0.035, 0.1, d.body, 12), x, 0.05, 0.05, pitch=-80, yaw=x * 250) for x in (-0.07, 0.07)], *[at(shapes.capsule(0.032, 0.03, 0.09, d.body, 12), x, 0.02, 0.2, roll=x * 900, pitch=-30) for x in (-0.08, 0.08)]])))
    d.add("face", lambda: merged([at(shapes.ellipsoid((0.04, 0.03, 0.03), d.accent), 0, 0.07, 0.28), at(shapes.sphere(0.013, BLACK, 8, 6), 0, 0.1, 0.29), *[at(shapes.sphere(0.011, BLACK, 8, 6), x, 0.078, 0.325) for x in (-0.03, 0.03)], at(shapes.ellipsoid((0.06, 0.02, 0.07), d.accent), 0, 0.075, 0.12)]))
    d.grip((0, 0, 0.2), (0, 0, 1), (0, 1, 0))


@family((0.72, 0.72, 0.07), axes=("open", "broken", "hung"), surface="iron", colour=(0.22, 0.24, 0.28), carry="one hand low")
def hoop(d: Draft, s: Axes) -> None:
    """A broad band lying flat; open, its ends gape."""
    gap = max(s.get("open", 0.0), s.get("broken", 0.0))

    def ring(spread: float) -> Mesh:
        angles = np.linspace(0.06 + spread, 2 * math.pi - 0.06 - spread, 40)
        out = []
        for a, b in zip(angles, angles[1:], strict=False):
            m = (a + b) / 2
            out.append(at(shapes.box((0.014, 0.36 * (b - a) * 1.06, 0.07), d.body), 0.355 * math.cos(m), 0.355 * math.sin(m), 0.035, yaw=-math.degrees(m)))
        return merged(out)

    step = round(gap * 6) / 6
    d.add(f"band {step:.2f}", lambda: d.own(ring(0.42 * step)))
    if gap < 0.5:
        d.add("rivets", lambda: merged([at(slab(0.024, 0.1, 0.07, shade(d.body, 1.15), 0.004), 0.358), *[at(shapes.sphere(0.014, STEEL, 8, 6), 0.372, y, 0.035) for y in (-0.025, 0.025)]]))
    d.grip((-0.355, 0, 0.035), (0, 1, 0), (-1, 0, 0))


@family((1.2, 1.0, 0.5), axes=("spread", "fill", "wet"), surface="plain", colour=(0.70, 0.58, 0.40), carry="fixed")
def heap(d: Draft, s: Axes) -> None:
    """A heap of loose stuff; spread, it lies flat."""
    flat = s.get("spread", 0.0)
    size = s.get("fill", 1.0)
    pose = placement(scale=((1 + 0.25 * flat) * (0.35 + 0.65 * size), (1 + 0.25 * flat) * (0.35 + 0.65 * size), (1 - 0.8 * flat) * (0.2 + 0.8 * size)))
    d.add("mound", lambda: merged([shapes.lathe([(0, 0), (0.55, 0), (0.42, 0.12), (0.22, 0.36), (0.08, 0.47), (0, 0.48)], d.body, 22, 70), lumps(40, 0.05, (0.9, 0.9), d.body, 13, 0.03)]), pose)


@family((0.2, 0.2, 0.26), axes=("wound", "fill", "broken"), surface="wood", colour=WOOD, accent=(0.35, 0.58, 0.28))
def reel(d: Draft, s: Axes) -> None:
    """A bobbin; wound, it is fat with twine (the accent), unwound it is bare."""
    d.add("spool", lambda: d.own(merged([drum(0.1, 0.025, d.body), drum(0.1, 0.025, d.body, 0.235), drum(0.035, 0.26, d.body)])))
    fat = s.get("wound", s.get("fill", 1.0))
    if fat > 0.05:
        d.add("twine", lambda: d.of("rope", merged([at(shapes.torus(0.068, 0.018, shade(d.accent, 0.9 + 0.12 * (k % 2)), 24, 8), z=0.045 + 0.0245 * k) for k in range(8)] + [drum(0.07, 0.19, shade(d.accent, 0.8), 0.035)])), placement(scale=(0.5 + 0.5 * fat, 0.5 + 0.5 * fat, 1)))
    if fat < 0.95:
        d.add("loose end", lambda: bent([(0.06, 0.03, 0.05), (0.14, 0.06, 0.01), (0.2, -0.04, 0.008), (0.3, 0.02, 0.008)], 0.008, d.accent))
    d.grip((0, 0, 0.13), (0, 0, 1), (0, 1, 0))


@family((0.09, 0.09, 0.02), axes=("broken",), surface="brass", colour=(0.85, 0.68, 0.30))
def medal(d: Draft, s: Axes) -> None:
    """A round token on a ribbon."""
    d.add("token", lambda: d.own(merged([drum(0.035, 0.008, d.body, 0.0, 24, 0.002), at(shapes.torus(0.03, 0.003, shade(d.body, 0.75), 22, 6), z=0.008)])))
    d.add("ribbon", lambda: merged([at(slab(0.022, 0.06, 0.003, d.accent, 0), x, 0.06, yaw=t) for x, t in ((-0.012, -14), (0.012, 14))]))
    d.grip((0, 0, 0.006), (1, 0, 0), (0, 0, 1))
