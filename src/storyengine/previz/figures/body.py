"""The bare body, bone by bone: cross-sections that skin and clothes are both cut from."""

from __future__ import annotations

import math

import numpy as np

from storyengine.previz.figures.loft import Section, loft, middles, painted_where, section
from storyengine.previz.figures.skeleton import Measures
from storyengine.previz.looks import Colour
from storyengine.previz.render import shapes
from storyengine.previz.render.values import Mesh, merged, placement

# Height, half-width, half-depth about the bone's joint, in body heights; a broad body is wider, a feminine one curved.
_PELVIS = (
    (-0.085, 0.026, 0.034),
    (-0.060, 0.060, 0.054),
    (-0.015, 0.092, 0.068),
    (0.03, 0.089, 0.063),
    (0.07, 0.082, 0.058),
)
_WAIST = ((-0.055, 0.088, 0.062), (-0.01, 0.083, 0.058), (0.04, 0.082, 0.058), (0.09, 0.086, 0.061))
_CHEST = (
    (-0.060, 0.081, 0.057), (-0.02, 0.085, 0.062), (0.03, 0.091, 0.068), (0.08, 0.098, 0.070), (0.110, 0.104, 0.064),
    (0.128, 0.100, 0.054), (0.143, 0.080, 0.046), (0.156, 0.055, 0.041), (0.168, 0.043, 0.038),
)  # fmt: skip
_UPPER_ARM = ((0.0, 0.0270), (-0.22, 0.0305), (-0.65, 0.0265), (-1.0, 0.0240))
_FOREARM = ((0.0, 0.0240), (-0.25, 0.0262), (-0.7, 0.0208), (-1.0, 0.0165))
_THIGH = ((0.0, 0.0530), (-0.3, 0.0500), (-0.7, 0.0405), (-1.0, 0.0345))
_SHIN = ((0.0, 0.0340), (-0.25, 0.0360), (-0.6, 0.0280), (-1.0, 0.0215))


def rise(m: Measures) -> float:
    """How much taller the chest is than the usual one: it fills the space between hips and chin."""
    chest = m.ankle + m.shin + m.thigh + 0.155 * m.height
    return ((m.height - m.head - chest) / m.height - 0.016) / 0.168


def torso(m: Measures, bone: str, loose: float = 0.0) -> list[Section]:
    """Sections of "pelvis", "waist" or "chest", `loose` metres outside the skin."""
    tall, fem, stout = m.height, m.feminine, m.stout
    rows = {"pelvis": _PELVIS, "waist": _WAIST, "chest": _CHEST}[bone]
    shoulder = m.shoulder / (tall * 0.0925)
    out = []
    for z, wide, deep in rows:
        y = 0.0
        if bone == "pelvis":
            wide *= (1 + 0.07 * fem) * stout
            deep *= stout
        elif bone == "waist":
            wide *= (1 - 0.10 * fem) * stout
            deep *= (1 - 0.06 * fem) * stout**1.4
            y = 0.006 * (stout - 1) / 0.16 if stout > 1 else 0.0
        else:
            high = min(max((z + 0.02) / 0.13, 0.0), 1.0)
            wide *= ((1 - 0.09 * fem) * stout) * (1 - high) + shoulder * high
            bust = math.exp(-(((z - 0.055) / 0.035) ** 2)) * fem
            deep = deep * (0.4 + 0.6 * stout) + 0.007 * bust
            y = 0.008 * bust
        up = rise(m) if bone == "chest" and z > 0 else 1.0
        out.append(section(z * up * tall, wide * tall + loose, deep * tall + loose, 0.0, y * tall))
    return out


def limb(m: Measures, bone: str, loose: float = 0.0, start: float = 0.0, end: float = 1.0) -> list[Section]:
    """Sections of a limb from `start` to `end` of its length, lowest first."""
    rows, length = {
        "upper arm": (_UPPER_ARM, m.upper_arm),
        "forearm": (_FOREARM, m.forearm),
        "thigh": (_THIGH, m.thigh),
        "shin": (_SHIN, m.shin),
    }[bone]
    thick = 0.35 + 0.65 * m.stout - 0.06 * m.feminine * (bone in ("upper arm", "forearm"))
    at = [-r[0] for r in rows]
    radii = [r[1] * thick * m.height for r in rows]
    out = []
    for share in np.linspace(end, start, 5):
        radius = float(np.interp(share, at, radii)) + loose
        back = -0.006 * m.height * math.sin(math.pi * min(share * 1.6, 1.0)) if bone == "shin" else 0.0
        out.append(section(-float(share) * length, radius, radius * 1.04, 0.0, back))
    return out


def bare_limb(m: Measures, bone: str, skin: Colour) -> Mesh:
    rows = limb(m, bone)
    return loft(rows, skin, sides=12, rings=5, cap=(rows[0][1], rows[-1][1]))


def bare_torso(m: Measures, bone: str, skin: Colour) -> Mesh:
    return loft(torso(m, bone), skin, sides=20, rings=9, cap=(0.03, 0.012), power=2.3)


def neck(m: Measures, skin: Colour) -> Mesh:
    wide = m.height * (0.0315 - 0.005 * m.feminine) * (0.4 + 0.6 * m.stout)
    top = 0.022 * m.height + m.head * 0.34
    shade = (skin[0] * 0.89, skin[1] * 0.84, skin[2] * 0.82)
    rows = [section(-0.03 * m.height, wide * 1.30, wide * 1.2), section(0.0, wide * 1.08, wide * 1.1),
            section(top * 0.6, wide * 0.98, wide * 1.05), section(top, wide, wide * 1.1, 0, 0.002)]  # fmt: skip
    return loft(rows, shade, sides=12, rings=4, cap=(0.0, 0.0))


def palm(m: Measures, colour: Colour, grow: float = 1.0) -> Mesh:
    tall, hand = m.height, m.hand
    rows = [
        section(-0.50 * hand, 0.0090 * tall * grow, 0.0240 * tall * grow),
        section(-0.28 * hand, 0.0112 * tall * grow, 0.0246 * tall * grow, 0, 0.001 * tall),
        section(-0.08 * hand, 0.0115 * tall * grow, 0.0190 * tall * grow),
        section(0.04 * hand, 0.0125 * tall * grow, 0.0165 * tall * grow),
    ]
    return loft(rows, colour, sides=10, rings=4, cap=(0.008, 0.01), power=2.6)


def fingers(m: Measures, colour: Colour, *, tips: bool, grow: float = 1.0) -> Mesh:
    """Four fingers from knuckle to middle joint, or from there to the tips, pointing down."""
    length = m.hand * (0.25 if tips else 0.27)
    out = []
    for k, share in enumerate((0.93, 1.0, 0.95, 0.76)):
        radius = m.height * 0.0064 * grow * (0.9 if k == 3 else 1.0)
        y = m.height * 0.0168 * (1 - k * 2 / 3) * grow
        top, low = (radius, radius * 0.86) if tips else (radius * 1.05, radius)
        one = shapes.capsule(low, top, length * share, colour, 6, 2)
        out.append(one.moved(placement(at=(0, y, -length * share))))
    return merged(out)


def thumb(m: Measures, colour: Colour, grow: float = 1.0) -> Mesh:
    """Points down and forwards from its root."""
    radius = m.height * 0.0082 * grow
    one = shapes.capsule(radius * 0.85, radius * 1.15, m.hand * 0.34, colour, 7, 2)
    return one.moved(placement(at=(0, 0, -m.hand * 0.34))).moved(placement(pitch=32))


def foot(m: Measures, colour: Colour, sole: Colour, *, thick_sole: float = 0.010, bare: bool = False) -> Mesh:
    """A foot or shoe about the ankle, toes towards +y."""
    tall, length, floor = m.height, m.foot, m.ankle
    # Along the foot: share of length, half-width, top and bottom above the floor, in body heights.
    rows = (
        (-0.26, 0.0200, 0.034, 0.000), (-0.20, 0.0230, 0.046, 0.000), (0.00, 0.0235, 0.055, 0.000),
        (0.22, 0.0240, 0.041, 0.001),
        (0.45, 0.0275, 0.029, 0.000), (0.62, 0.0265, 0.024, 0.000), (0.72, 0.0200, 0.020, 0.002),
    )  # fmt: skip
    sections = []
    for share, wide, top, bottom in rows:
        half = (top - bottom) / 2 * tall
        middle = (top + bottom) / 2 * tall - floor
        sections.append(section(share * length, wide * tall * (0.92 if bare else 1.04), half, 0.0, -middle))
    along = loft(sections, colour, sides=12, rings=8, cap=(0.012, 0.016), power=2.5)
    mesh = along.moved(placement(pitch=-90))
    if bare:
        return mesh
    low = middles(mesh)[:, 2] < -floor + max(thick_sole, 0.012)
    return painted_where(mesh, low, sole)
