"""Clothes: what each garment covers, and the shells it adds to each bone.

A body is dressed from the inside out. The outermost closed layer replaces the skin of a bone; open jackets show what
is under them; skirts, coat tails and aprons hang from bones of their own that give way to the legs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from storyengine.previz.figures import body
from storyengine.previz.figures.cloth import cloth_of
from storyengine.previz.figures.loft import both_sides, clothed, loft, middles, painted_where, section, surface
from storyengine.previz.figures.skeleton import Measures
from storyengine.previz.looks import Colour, Garment, GarmentKind, PersonLook
from storyengine.previz.render import shapes
from storyengine.previz.render.values import Floats, Mesh, merged, placement


@dataclass(frozen=True)
class Cut:
    """How a garment is cut. Lengths are shares of the limb; `skirt` is a share of the leg."""

    layer: int = 0
    """0 does not cover the torso; higher layers lie outside lower ones."""
    sleeve: float = 0.0
    """0 none, 1 to the elbow, 2 to the wrist."""
    loose: float = 0.008
    front: str = "closed"
    """closed, buttons, open, bib or zip."""
    neck: str = "round"
    """round, collar, high, vee or none."""
    hem: bool = False
    """Falls over the hips instead of being tucked in."""
    skirt: float = 0.0
    legs: float = 0.0
    """0 none, 1 to the knee, 2 to the ankle."""


CUTS: dict[GarmentKind, Cut] = {
    "shirt": Cut(1, 2, 0.008, "buttons", "collar"),
    "t-shirt": Cut(1, 0.6, 0.007, "closed", "round", hem=True),
    "blouse": Cut(1, 2, 0.010, "buttons", "collar"),
    "dress": Cut(1, 1, 0.006, "closed", "round", skirt=0.62),
    "jumper": Cut(3, 2, 0.015, "closed", "round", hem=True),
    "cardigan": Cut(4, 2, 0.014, "open", "none", hem=True),
    "waistcoat": Cut(2, 0, 0.012, "open", "none", hem=True),
    "uniform": Cut(4, 2, 0.014, "buttons", "high", hem=True),
    "jacket": Cut(4, 2, 0.017, "open", "collar", hem=True),
    "coat": Cut(5, 2, 0.022, "open", "collar", skirt=0.58),
    "raincoat": Cut(5, 2, 0.024, "buttons", "collar", skirt=0.55),
    "oilskin": Cut(5, 2, 0.026, "buttons", "collar", skirt=0.42),
    "smock": Cut(4, 2, 0.024, "closed", "collar", skirt=0.30),
    "overall": Cut(3, 2, 0.015, "buttons", "collar", legs=2),
    "boiler suit": Cut(3, 2, 0.016, "zip", "collar", legs=2),
    "dungarees": Cut(2, 0, 0.011, "bib", "none", legs=2),
    "tabard": Cut(6, 0, 0.026, "panel", "none"),
    "cape": Cut(6, 0, 0.03, "cape", "none"),
    "trousers": Cut(0, legs=2, loose=0.012),
    "shorts": Cut(0, legs=0.9, loose=0.014),
    "waders": Cut(2, 0, 0.016, "bib", "none", legs=2),
    "skirt": Cut(0, skirt=0.55),
}
"""Garments that cover torso or legs; the others are put on bone by bone below."""

Parts = dict[str, list[Mesh]]
_SHIRT = Garment("shirt", (0.80, 0.77, 0.70), (0.7, 0.68, 0.62))
_TROUSERS = Garment("trousers", (0.30, 0.31, 0.35), (0.3, 0.3, 0.3))
_SHOES = Garment("shoes", (0.24, 0.18, 0.14), (0.14, 0.11, 0.09))
_FOOTWEAR = ("boots", "shoes", "clogs", "waders")


def dress(look: PersonLook, m: Measures) -> Parts:
    """Meshes of body and clothes by bone, hair, face and hats apart."""
    worn = _completed(look.garments)
    parts: Parts = defaultdict(list)
    torso = sorted((g for g in worn if g.kind in CUTS and CUTS[g.kind].layer > 0), key=lambda g: CUTS[g.kind].layer)
    _torso(parts, m, look.skin, torso)
    _arms(parts, m, look.skin, torso)
    _legs(parts, m, look.skin, worn)
    _hands(parts, m, look.skin, worn)
    for garment in worn:
        if garment.kind in CUTS and CUTS[garment.kind].skirt > 0:
            _skirt(parts, m, garment, open_front=CUTS[garment.kind].front == "open")
        _accessory(parts, m, garment, worn)
    parts["neck"].append(body.neck(m, look.skin))
    return dict(parts)


def _completed(garments: tuple[Garment, ...]) -> tuple[Garment, ...]:
    """Nobody walks about half dressed: what the look leaves out is plain."""
    kinds = {g.kind for g in garments}
    out = list(garments)
    cuts = [CUTS[k] for k in kinds if k in CUTS]
    if not any(c.layer > 0 and c.front in ("closed", "buttons", "zip") for c in cuts):
        out.insert(0, _SHIRT)
    if not any(c.legs > 0 for c in cuts) and not kinds & {"dress", "skirt"}:
        out.insert(0, _TROUSERS)
    if not kinds & set(_FOOTWEAR):
        out.insert(0, _SHOES)
    return tuple(out)


def _tone(garment: Garment, factor: float) -> Colour:
    r, g, b = garment.colour
    return (r * factor, g * factor, b * factor)


# ------------------------------------------------------------------------------------------------ torso


def _torso(parts: Parts, m: Measures, skin: Colour, layers: list[Garment]) -> None:
    """The outermost closed layer, and open or partial ones over it."""
    closed = [g for g in layers if CUTS[g.kind].front in ("closed", "buttons", "zip")]
    base = closed[-1]
    rank = CUTS[base.kind].layer
    for bone in ("pelvis", "waist", "chest"):
        if bone == "pelvis" and not CUTS[base.kind].hem and not CUTS[base.kind].legs and not CUTS[base.kind].skirt:
            continue
        parts[bone].append(_shell(m, bone, base))
    parts["chest"] += _neckline(m, base, skin, [g for g in closed if g is not base])
    parts["chest"] += _fastening(m, base)
    for over in layers:
        cut = CUTS[over.kind]
        if cut.layer > rank and cut.front == "open":
            for bone in ("waist", "chest") + (("pelvis",) if cut.hem else ()):
                parts[bone].append(_opened(m, bone, over))
            if cut.neck == "collar":
                parts["chest"].append(_collar(m, over, wide=1.12))
        elif cut.front == "bib" and (cut.layer > rank or cut.layer == 2):
            _bib(parts, m, over, loose=cut.loose + CUTS[base.kind].loose)
        elif cut.front == "panel":
            _panels(parts, m, over)
        elif cut.front == "cape":
            _cape(parts, m, over)


def _shell(m: Measures, bone: str, garment: Garment, more: float = 0.0) -> Mesh:
    cut = CUTS[garment.kind]
    texture, colour = cloth_of(garment)
    rows = body.torso(m, bone, cut.loose + more)
    if bone == "pelvis" and (cut.hem or cut.skirt):
        rows = [r for r in rows if r[0] > -0.03 * m.height]
        low = rows[0]
        rows = [section(-0.036 * m.height, low[1] * 1.05, low[2] * 1.07), *rows]
    if bone == "chest":
        rows = rows[:-1]
    cap = (0.012 if bone == "pelvis" and cut.hem else 0.035, 0.015)
    return clothed(loft(rows, colour, sides=18, rings=8 if bone == "chest" else 5, cap=cap, power=2.3), texture)


def _neckline(m: Measures, base: Garment, skin: Colour, under: list[Garment]) -> list[Mesh]:
    cut = CUTS[base.kind]
    if cut.neck == "collar":
        return [_collar(m, base)]
    out = []
    if under and CUTS[under[-1].kind].neck == "collar":
        out.append(_collar(m, under[-1], wide=0.97))
    texture, colour = cloth_of(base)
    tall = m.height
    wide = tall * (0.044 - 0.004 * m.feminine) * (0.4 + 0.6 * m.stout)
    if cut.neck == "high":
        rows = [section(0.150 * tall, wide * 1.5, wide * 1.25), section(0.186 * tall, wide * 1.0, wide * 1.0)]
        out.append(clothed(loft(rows, colour, sides=18, rings=4, cap=(0.0, 0.004)), texture))
    else:
        ring = shapes.torus(wide * 1.10, 0.0085, _tone(base, 0.86), 20, 7)
        out.append(ring.moved(placement(at=(0, -0.004 * tall, 0.160 * tall), pitch=-8, scale=(1.12, 0.98, 1.0))))
    return out


def _collar(m: Measures, garment: Garment, wide: float = 1.0) -> Mesh:
    """A folded collar with two points in front."""
    tall = m.height
    texture, colour = cloth_of(garment)
    across = tall * (0.050 - 0.005 * m.feminine) * (0.4 + 0.6 * m.stout) * wide
    turn = np.linspace(0.22, 2 * np.pi - 0.22, 25) + np.pi / 2
    points = np.empty((4, len(turn), 3))
    front = np.clip(np.sin(turn), 0, 1) ** 3
    for k, (grow, z) in enumerate(((1.30, 0.142), (1.18, 0.158), (0.98, 0.176), (0.86, 0.170))):
        droop = front * (0.020 if k == 0 else 0.008) * tall
        points[k, :, 0] = across * grow * np.cos(turn)
        points[k, :, 1] = across * grow * np.sin(turn) * 0.92 - 0.004 * tall
        points[k, :, 2] = z * tall - droop - 0.010 * tall * (k >= 2) * np.clip(np.sin(turn), 0, 1)
    mesh = surface(points, colour if texture is not None else _tone(garment, 0.94), closed=False)
    return clothed(both_sides(mesh), texture)


def _fastening(m: Measures, base: Garment) -> list[Mesh]:
    """A row of buttons or a zip down the chest."""
    front = CUTS[base.kind].front
    if front not in ("buttons", "zip"):
        return []
    rows = body.torso(m, "chest", CUTS[base.kind].loose)
    zs = [r[0] for r in rows]
    ys = [r[2] + r[4] for r in rows]
    out = []
    if front == "zip":
        path = [(0.0, float(np.interp(z, zs, ys)) + 0.001, float(z)) for z in np.linspace(-0.04, 0.13, 8) * m.height]
        return [shapes.tube(path, 0.0045, _tone(base, 0.55), 6)]
    colour = base.second if base.pattern == "plain" and base.second != base.colour else _tone(base, 0.62)
    for z in np.linspace(-0.03, 0.125, 4) * m.height:
        y = float(np.interp(z, zs, ys))
        out.append(shapes.ellipsoid((0.008, 0.005, 0.008), colour, 8, 5).moved(placement(at=(0, y, float(z)))))
    return out


def _opened(m: Measures, bone: str, garment: Garment) -> Mesh:
    """A shell with an open front that widens towards the neck."""
    texture, colour = cloth_of(garment)
    tall = m.height
    rows = body.torso(m, bone, CUTS[garment.kind].loose + (0.010 if bone == "pelvis" else 0.0))
    if bone == "pelvis":
        rows = [r for r in rows if r[0] > -0.03 * tall]
    if bone == "chest":
        rows = rows[:-1]

    def arc(z: Floats) -> tuple[Floats, Floats]:
        gap = np.full_like(z, 0.30) if bone != "chest" else 0.30 + 0.45 * np.clip(z / (0.14 * tall), 0, 1)
        return gap, 2 * np.pi - gap

    return clothed(loft(rows, colour, sides=18, rings=8 if bone == "chest" else 4, power=2.3, arc=arc), texture)


def _bib(parts: Parts, m: Measures, garment: Garment, loose: float) -> None:
    """Dungarees and waders: hips, a bib in front, straps over the shoulders."""
    texture, colour = cloth_of(garment)
    for bone in ("pelvis", "waist"):
        rows = body.torso(m, bone, loose)
        if bone == "waist":
            rows = [r for r in rows if r[0] < 0.06 * m.height]
        parts[bone].append(clothed(loft(rows, colour, sides=18, rings=5, cap=(0.02, 0.006), power=2.3), texture))
    parts["chest"].append(
        _front(m, garment, "chest", loose + 0.004, 0.085, lambda z: 0.80 - 0.9 * np.clip(z / m.height, 0, 0.3))
    )
    parts["chest"] += _straps(m, garment, loose + 0.004)


def _front(
    m: Measures, garment: Garment, bone: str, loose: float, top: float, half: Callable[[Floats], Floats]
) -> Mesh:
    """A panel over the front of a torso bone up to `top` body heights; `half(z)` is its half-angle."""
    texture, colour = cloth_of(garment)
    rows = [r for r in body.torso(m, bone, loose) if r[0] < (top + 0.02) * m.height]
    mesh = loft(rows, colour, sides=10, rings=5, power=2.3, arc=lambda z: (-half(z), half(z)))
    return clothed(mesh, texture)


def _straps(m: Measures, garment: Garment, loose: float) -> list[Mesh]:
    rows = body.torso(m, "chest", loose)
    zs, wide, deep, ys = ([r[k] for r in rows] for k in (0, 1, 2, 4))
    out = []
    for sign in (-1.0, 1.0):
        path = []
        for share in np.linspace(-1, 1, 13):
            z = m.height * (0.146 - (0.15 if share > 0 else 0.12) * abs(share) ** 1.6)
            x = sign * m.height * (0.046 if share > 0 else 0.046 - 0.022 * abs(share))
            half = float(np.interp(z, zs, wide))
            flat = max(0.0, 1 - (abs(x) / half) ** 2.3) ** (1 / 2.3)
            y = float(np.interp(z, zs, ys)) + np.sign(share) * float(np.interp(z, zs, deep)) * flat
            path.append((x, float(y), float(z)))
        strap = shapes.tube(path, 0.0075, _tone(garment, 0.9), 5)
        out.append(strap)
    return out


def _panels(parts: Parts, m: Measures, garment: Garment) -> None:
    """A tabard: front and back panels, open at the sides."""
    texture, colour = cloth_of(garment)
    for bone in ("waist", "chest"):
        rows = body.torso(m, bone, 0.028)
        for middle in (0.0, np.pi):
            edges = partial(_between, middle - 0.95, middle + 0.95)
            parts[bone].append(clothed(loft(rows, colour, sides=10, rings=6, power=2.4, arc=edges), texture))
    _hanging_panel(parts, m, garment, "apron", 0.30, front=True)
    _hanging_panel(parts, m, garment, "skirt", 0.30, front=False)


def _between(start: float, end: float, z: Floats) -> tuple[Floats, Floats]:
    return np.full_like(z, start), np.full_like(z, end)


def _cape(parts: Parts, m: Measures, garment: Garment) -> None:
    tall = m.height
    texture, colour = cloth_of(garment)
    wide = m.shoulder + 0.055 * tall
    rows = [section(-0.20 * tall, wide * 1.22, 0.125 * tall), section(-0.02 * tall, wide * 1.12, 0.115 * tall),
            section(0.10 * tall, wide, 0.092 * tall), section(0.145 * tall, wide * 0.72, 0.066 * tall),
            section(0.170 * tall, wide * 0.36, 0.046 * tall)]  # fmt: skip
    mesh = loft(rows, colour, sides=22, rings=7, arc=partial(_between, 0.0, 2 * np.pi),
                ripple=lambda a, s: 1 + 0.03 * (1 - s) * np.sin(9 * a))  # fmt: skip
    parts["chest"].append(clothed(mesh, texture))
    parts["chest"].append(_collar(m, garment))


# ------------------------------------------------------------------------------------------------ limbs


def _arms(parts: Parts, m: Measures, skin: Colour, layers: list[Garment]) -> None:
    sleeved = [g for g in layers if CUTS[g.kind].sleeve > 0]
    outer = max(sleeved, key=lambda g: CUTS[g.kind].layer, default=None)
    reach = CUTS[outer.kind].sleeve if outer else 0.0
    for bone, start in (("upper arm", 0.0), ("forearm", 1.0)):
        covered = min(max(reach - start, 0.0), 1.0)
        meshes = []
        if covered < 1:
            meshes.append(body.bare_limb(m, bone, skin))
        if outer is not None and covered > 0:
            meshes += _sleeve(m, bone, outer, covered)
        for side in ("left", "right"):
            parts[f"{side} {bone}"] += meshes


def _sleeve(m: Measures, bone: str, garment: Garment, covered: float) -> list[Mesh]:
    cut = CUTS[garment.kind]
    texture, colour = cloth_of(garment)
    loose = cut.loose * (0.75 if bone == "upper arm" else 0.85)
    rows = body.limb(m, bone, loose, 0.0, covered * (0.97 if bone == "forearm" else 1.0))
    cuff = bone == "forearm" or covered < 1
    low = 0.004 if cuff else rows[0][1]
    mesh = clothed(
        loft(rows, colour, sides=12, rings=5, cap=(low, rows[-1][1] * (1.0 if bone == "forearm" else 0.9))), texture
    )
    if not cuff:
        return [mesh]
    z, wide, _, x, y = rows[0]
    ring = shapes.torus(wide * 0.98, 0.0055, _tone(garment, 0.84), 12, 5)
    return [mesh, ring.moved(placement(at=(x, y, z + 0.004)))]


def _legs(parts: Parts, m: Measures, skin: Colour, worn: tuple[Garment, ...]) -> None:
    trousered = [g for g in worn if g.kind in CUTS and CUTS[g.kind].legs > 0]
    outer = trousered[-1] if trousered else None
    reach = CUTS[outer.kind].legs if outer else 0.0
    shoes = next(g for g in reversed(worn) if g.kind in _FOOTWEAR)
    hips = outer or next((g for g in worn if g.kind in ("skirt", "dress")), _TROUSERS)
    texture, colour = cloth_of(hips)
    if not (outer and CUTS[outer.kind].layer > 0):
        loose = CUTS[hips.kind].loose * 0.7
        parts["pelvis"].append(
            clothed(
                loft(body.torso(m, "pelvis", loose), colour, sides=18, rings=6, cap=(0.02, 0.02), power=2.3), texture
            )
        )
    for bone, start in (("thigh", 0.0), ("shin", 1.0)):
        covered = min(max(reach - start, 0.0), 1.0)
        meshes = []
        if covered < 1:
            meshes.append(body.bare_limb(m, bone, skin))
        if outer is not None and covered > 0:
            rows = body.limb(
                m,
                bone,
                CUTS[outer.kind].loose * (0.55 if bone == "thigh" else 0.95),
                0.0,
                covered * (0.95 if bone == "shin" else 1),
            )
            low = 0.003 if bone == "shin" or covered < 1 else rows[0][1]
            meshes.append(clothed(loft(rows, colour, sides=14, rings=6, cap=(low, rows[-1][1])), texture))
        if bone == "shin" and shoes.kind in ("boots", "waders"):
            high = 0.42 if shoes.kind == "boots" else 0.05
            top = body.limb(m, bone, 0.022, high, 1.0)
            boot = loft(top, shoes.colour, sides=14, rings=4, cap=(0.01, 0.004))
            rim = middles(boot)[:, 2] > top[-1][0] - 0.022
            meshes.append(painted_where(boot, rim, _tone(shoes, 0.8)))
        for side in ("left", "right"):
            parts[f"{side} {bone}"] += meshes
    heavy = 0.022 if shoes.kind in ("boots", "clogs", "waders") else 0.012
    sole = (0.55, 0.40, 0.26) if shoes.kind == "clogs" else _tone(shoes, 0.6)
    for side in ("left", "right"):
        parts[f"{side} foot"].append(body.foot(m, shoes.colour, sole, thick_sole=heavy))


def _hands(parts: Parts, m: Measures, skin: Colour, worn: tuple[Garment, ...]) -> None:
    glove = next((g for g in worn if g.kind in ("gloves", "fingerless gloves")), None)
    whole = glove is not None and glove.kind == "gloves"
    colour = glove.colour if glove else skin
    grow = 1.14 if glove else 1.0
    tips = colour if whole else skin
    for side in ("left", "right"):
        parts[f"{side} palm"].append(body.palm(m, colour, grow))
        parts[f"{side} fingers"].append(body.fingers(m, colour, tips=False, grow=grow))
        parts[f"{side} fingertips"].append(body.fingers(m, tips, tips=True, grow=grow if whole else 1.0))
        parts[f"{side} thumb"].append(body.thumb(m, tips, grow if whole else 1.0))
        if glove:
            cuff = loft(
                [section(-0.02, 0.030, 0.034), section(0.035, 0.036, 0.038)],
                _tone(glove, 0.88),
                sides=12,
                rings=3,
                cap=(0.004, 0.004),
            )
            parts[f"{side} palm"].append(cuff)


# ------------------------------------------------------------------------------------------------ what hangs


def _skirt(parts: Parts, m: Measures, garment: Garment, *, open_front: bool) -> None:
    """From the waist down, on a bone that widens with the stride."""
    texture, colour = cloth_of(garment)
    cut = CUTS[garment.kind]
    tall, length = m.height, cut.skirt * (m.thigh + m.shin)
    loose = cut.loose + 0.004
    hips = body.torso(m, "pelvis", loose)
    wide, deep = hips[2][1], hips[2][2]
    flare = 1.42 if cut.layer < 2 else 1.26
    rows = [
        section(-0.06 * tall - length, wide * flare, deep * flare * 1.12),
        section(-0.06 * tall - length * 0.5, wide * (1 + (flare - 1) * 0.62), deep * (1 + flare) / 2 * 1.08),
        section(-0.06 * tall, wide * 1.03, deep * 1.06),
        section(-0.015 * tall, wide * 0.98, deep * 1.0),
        section(0.028 * tall, hips[4][1] * 1.01, hips[4][2] * 1.01),
    ]
    folds = 0.045 if cut.layer < 2 else 0.022
    gap = 0.30 if open_front else 0.0
    mesh = loft(rows, colour, sides=26, rings=7, power=2.2, arc=partial(_between, gap, 2 * np.pi - gap),
                ripple=lambda a, s: 1 + folds * np.clip(1 - s * 1.4, 0, 1) * np.sin(8 * a))  # fmt: skip
    parts["skirt"].append(clothed(mesh, texture))


def _hanging_panel(
    parts: Parts, m: Measures, garment: Garment, bone: str, drop: float, *, front: bool, over_skirt: bool = False
) -> None:
    """A panel in front or behind, from the waist down."""
    texture, colour = cloth_of(garment)
    tall = m.height
    rows = body.torso(m, "pelvis", 0.030)
    wide, deep = rows[2][1], rows[2][2]
    half = np.linspace(-1.05, 1.05, 13) * (0.95 if front else 0.8)
    turn = (np.pi / 2 if front else -np.pi / 2) + half
    zs = np.linspace(-drop * (m.thigh + m.shin) - 0.02 * tall, 0.03 * tall, 8)
    points = np.empty((len(zs), len(turn), 3))
    for k, z in enumerate(zs):
        down = (0.03 * tall - z) / tall
        spread = 1.9 if over_skirt else 0.5
        points[k, :, 0] = wide * (1.02 + 0.22 * down) * np.cos(turn)
        points[k, :, 1] = deep * (1.04 + spread * down) * np.sin(turn) * (1 + 0.08 * down * np.cos(6 * half))
        points[k, :, 2] = z
    parts[bone].append(clothed(both_sides(surface(points, colour, closed=False)), texture))


def _apron(parts: Parts, m: Measures, garment: Garment, over_skirt: bool) -> None:
    tall = m.height
    parts["chest"].append(
        _front(m, garment, "chest", 0.026, 0.085, lambda z: 0.98 - 1.6 * np.clip(z / tall + 0.02, 0, 0.2))
    )
    parts["waist"].append(_front(m, garment, "waist", 0.025, 0.2, lambda z: 1.05 + 0 * z))
    _hanging_panel(parts, m, garment, "apron", 0.46, front=True, over_skirt=over_skirt)
    parts["waist"].append(_band(m, "waist", -0.012, 0.012, 0.030, _tone(garment, 0.82)))
    parts["chest"] += _straps(m, replace(garment, colour=_tone(garment, 0.92)), 0.026)


def _band(m: Measures, bone: str, low: float, high: float, loose: float, colour: Colour) -> Mesh:
    rows = body.torso(m, bone, loose)
    zs = [r[0] for r in rows]
    cut = []
    for z in (low * m.height, (low + high) / 2 * m.height, high * m.height):
        cut.append(section(z, *(float(np.interp(z, zs, [r[k] for r in rows])) for k in (1, 2, 3, 4))))
    return loft(cut, colour, sides=22, rings=3, cap=(0.003, 0.003), power=2.3)


def _accessory(parts: Parts, m: Measures, garment: Garment, worn: tuple[Garment, ...]) -> None:
    """Things that are neither top nor legs; hats and spectacles belong to the head."""
    kind, tall = garment.kind, m.height
    if kind in ("apron", "leather apron"):
        skirted = any(g.kind in CUTS and CUTS[g.kind].skirt > 0 for g in worn)
        _apron(parts, m, garment, skirted)
    elif kind == "belt":
        parts["pelvis"].append(_band(m, "pelvis", 0.035, 0.058, 0.022, garment.colour))
        front = body.torso(m, "pelvis", 0.024)[3]
        buckle = shapes.box((0.042, 0.012, 0.040), (0.72, 0.62, 0.38), 0.004)
        parts["pelvis"].append(buckle.moved(placement(at=(0, front[2], 0.046 * tall))))
    elif kind == "sash":
        parts["pelvis"].append(_band(m, "pelvis", 0.020, 0.062, 0.024, garment.colour))
        tail = shapes.box((0.05, 0.012, 0.20), garment.colour, 0.005)
        parts["pelvis"].append(tail.moved(placement(at=(-0.085 * tall, 0.045 * tall, -0.04 * tall), yaw=-40)))
    elif kind == "back-brace":
        parts["waist"].append(_band(m, "waist", -0.045, 0.050, 0.024, garment.colour))
        parts["chest"] += _straps(m, garment, 0.020)
    elif kind == "braces":
        parts["chest"] += _straps(m, garment, 0.014)
    elif kind in ("scarf", "neckerchief"):
        _neck_cloth(parts, m, garment)


def _neck_cloth(parts: Parts, m: Measures, garment: Garment) -> None:
    tall = m.height
    texture, colour = cloth_of(garment)
    thick = 0.026 if garment.kind == "scarf" else 0.015
    wide = tall * 0.044 * (0.4 + 0.6 * m.stout)
    roll = shapes.torus(wide, thick, colour, 22, 9).moved(
        placement(at=(0, 0, 0.166 * tall), pitch=-10, scale=(1.1, 1.02, 1.0))
    )
    parts["chest"].append(clothed(roll, texture))
    y = body.torso(m, "chest", 0.0)[3][2] + 0.020
    if garment.kind == "scarf":
        tail = loft(
            [section(-0.22, 0.034, 0.010), section(-0.02, 0.030, 0.012)],
            colour,
            sides=10,
            rings=4,
            cap=(0.004, 0.01),
            power=3,
        )
        parts["chest"].append(
            clothed(tail, texture).moved(placement(at=(-0.03 * tall, y * 0.96, 0.155 * tall), roll=-7, pitch=-3))
        )
    else:
        knot = shapes.ellipsoid((0.017, 0.013, 0.014), colour, 10, 6)
        parts["chest"].append(knot.moved(placement(at=(0, y * 0.66, 0.145 * tall))))
        tip = loft(
            [section(-0.075, 0.008, 0.004), section(0.0, 0.030, 0.006)], colour, sides=8, rings=3, cap=(0.003, 0.004)
        )
        for sign in (-1, 1):
            parts["chest"].append(
                clothed(tip, texture).moved(
                    placement(at=(sign * 0.012, y * 0.72, 0.143 * tall), roll=sign * 22, pitch=12)
                )
            )


def merged_by_bone(parts: Parts) -> dict[str, Mesh]:
    return {bone: merged(meshes) for bone, meshes in parts.items() if meshes}
