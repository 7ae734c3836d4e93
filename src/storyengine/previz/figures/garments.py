"""Clothes: what each garment covers, and the shells it adds to each bone.

A body is dressed from the inside out. The outermost closed layer replaces the skin of a bone; open jackets show what
is under them; skirts, coat tails and aprons hang from bones of their own that give way to the legs.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial

import numpy as np

from storyengine.previz.figures import body
from storyengine.previz.figures.cloth import cloth_of
from storyengine.previz.figures.cuts import CUTS, Parts, arc_between, front_panel, straps, tone
from storyengine.previz.figures.hangings import accessory, hanging_panel, skirt
from storyengine.previz.figures.loft import both_sides, clothed, loft, middles, painted_where, section, surface
from storyengine.previz.figures.skeleton import Measures
from storyengine.previz.looks import Colour, Garment, PersonLook
from storyengine.previz.render import shapes
from storyengine.previz.render.values import Floats, Mesh, merged, placement

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
            skirt(parts, m, garment, open_front=CUTS[garment.kind].front == "open")
        accessory(parts, m, garment, worn)
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
        elif cut.front == "bib" and rank < 4:
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
    tall, up = m.height, m.height * body.rise(m)
    wide = tall * (0.044 - 0.004 * m.feminine) * (0.4 + 0.6 * m.stout)
    if cut.neck == "high":
        rows = [section(0.150 * up, wide * 1.5, wide * 1.25), section(0.186 * up, wide * 1.0, wide * 1.0)]
        out.append(clothed(loft(rows, colour, sides=18, rings=4, cap=(0.0, 0.004)), texture))
    else:
        ring = shapes.torus(wide * 1.10, 0.0085, tone(base, 0.86), 20, 7)
        out.append(ring.moved(placement(at=(0, -0.004 * tall, 0.160 * up), pitch=-8, scale=(1.12, 0.98, 1.0))))
    return out


def _collar(m: Measures, garment: Garment, wide: float = 1.0) -> Mesh:
    """A folded collar with two points in front."""
    tall, up = m.height, m.height * body.rise(m)
    texture, colour = cloth_of(garment)
    across = tall * (0.050 - 0.005 * m.feminine) * (0.4 + 0.6 * m.stout) * wide
    turn = np.linspace(0.22, 2 * np.pi - 0.22, 25) + np.pi / 2
    points = np.empty((4, len(turn), 3))
    front = np.clip(np.sin(turn), 0, 1) ** 3
    for k, (grow, z) in enumerate(((1.30, 0.142), (1.18, 0.158), (0.98, 0.176), (0.86, 0.170))):
        droop = front * (0.020 if k == 0 else 0.008) * tall
        points[k, :, 0] = across * grow * np.cos(turn)
        points[k, :, 1] = across * grow * np.sin(turn) * 0.92 - 0.004 * tall
        points[k, :, 2] = z * up - droop - 0.010 * tall * (k >= 2) * np.clip(np.sin(turn), 0, 1)
    mesh = surface(points, colour if texture is not None else tone(garment, 0.94), closed=False)
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
        path = [
            (0.0, float(np.interp(z, zs, ys)) + 0.001, float(z))
            for z in np.linspace(-0.04, 0.13 * body.rise(m), 8) * m.height
        ]
        return [shapes.tube(path, 0.0045, tone(base, 0.55), 6)]
    colour = base.second if base.pattern == "plain" and base.second != base.colour else tone(base, 0.62)
    for z in np.linspace(-0.03, 0.125 * body.rise(m), 4) * m.height:
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
        front_panel(m, garment, "chest", loose + 0.004, 0.085, lambda z: 0.80 - 0.9 * np.clip(z / m.height, 0, 0.3))
    )
    parts["chest"] += straps(m, garment, loose + 0.004)


def _panels(parts: Parts, m: Measures, garment: Garment) -> None:
    """A tabard: front and back panels, open at the sides."""
    texture, colour = cloth_of(garment)
    for bone in ("waist", "chest"):
        rows = body.torso(m, bone, 0.028)
        for middle in (0.0, np.pi):
            edges = partial(arc_between, middle - 0.95, middle + 0.95)
            parts[bone].append(clothed(loft(rows, colour, sides=10, rings=6, power=2.4, arc=edges), texture))
    hanging_panel(parts, m, garment, "apron", 0.30, front=True)
    hanging_panel(parts, m, garment, "skirt", 0.30, front=False)


def _cape(parts: Parts, m: Measures, garment: Garment) -> None:
    tall, up = m.height, m.height * body.rise(m)
    texture, colour = cloth_of(garment)
    wide = m.shoulder + 0.055 * tall
    rows = [section(-0.20 * tall, wide * 1.22, 0.125 * tall), section(-0.02 * tall, wide * 1.12, 0.115 * tall),
            section(0.10 * up, wide, 0.092 * tall), section(0.145 * up, wide * 0.72, 0.066 * tall),
            section(0.170 * up, wide * 0.36, 0.046 * tall)]  # fmt: skip
    mesh = loft(rows, colour, sides=22, rings=7, arc=partial(arc_between, 0.0, 2 * np.pi),
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
    ring = shapes.torus(wide * 0.98, 0.0055, tone(garment, 0.84), 12, 5)
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
            meshes.append(painted_where(boot, rim, tone(shoes, 0.8)))
        for side in ("left", "right"):
            parts[f"{side} {bone}"] += meshes
    heavy = 0.022 if shoes.kind in ("boots", "clogs", "waders") else 0.012
    sole = (0.55, 0.40, 0.26) if shoes.kind == "clogs" else tone(shoes, 0.6)
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
                tone(glove, 0.88),
                sides=12,
                rings=3,
                cap=(0.004, 0.004),
            )
            parts[f"{side} palm"].append(cuff)


def merged_by_bone(parts: Parts) -> dict[str, Mesh]:
    return {bone: merged(meshes) for bone, meshes in parts.items() if meshes}
