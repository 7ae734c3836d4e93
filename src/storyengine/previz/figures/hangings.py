"""What hangs from the body: skirts, coat tails, aprons, panels; belts, braces, scarves."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from storyengine.previz.figures import body
from storyengine.previz.figures.cloth import cloth_of
from storyengine.previz.figures.cuts import CUTS, Parts, arc_between, front_panel, straps, tone
from storyengine.previz.figures.loft import both_sides, clothed, loft, section, surface
from storyengine.previz.figures.skeleton import Measures
from storyengine.previz.looks import Colour, Garment
from storyengine.previz.render import shapes
from storyengine.previz.render.values import Mesh, placement


def skirt(parts: Parts, m: Measures, garment: Garment, *, open_front: bool) -> None:
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
    mesh = loft(rows, colour, sides=26, rings=7, power=2.2, arc=partial(arc_between, gap, 2 * np.pi - gap),
                ripple=lambda a, s: 1 + folds * np.clip(1 - s * 1.4, 0, 1) * np.sin(8 * a))  # fmt: skip
    parts["skirt"].append(clothed(mesh, texture))


def hanging_panel(
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
        front_panel(m, garment, "chest", 0.026, 0.085, lambda z: 0.98 - 1.6 * np.clip(z / tall + 0.02, 0, 0.2))
    )
    parts["waist"].append(front_panel(m, garment, "waist", 0.025, 0.2, lambda z: 1.05 + 0 * z))
    hanging_panel(parts, m, garment, "apron", 0.46, front=True, over_skirt=over_skirt)
    parts["waist"].append(_band(m, "waist", -0.012, 0.012, 0.030, tone(garment, 0.82)))
    parts["chest"] += straps(m, replace(garment, colour=tone(garment, 0.92)), 0.013)


def _band(m: Measures, bone: str, low: float, high: float, loose: float, colour: Colour) -> Mesh:
    rows = body.torso(m, bone, loose)
    zs = [r[0] for r in rows]
    cut = []
    for z in (low * m.height, (low + high) / 2 * m.height, high * m.height):
        cut.append(section(z, *(float(np.interp(z, zs, [r[k] for r in rows])) for k in (1, 2, 3, 4))))
    return loft(cut, colour, sides=22, rings=3, cap=(0.003, 0.003), power=2.3)


def accessory(parts: Parts, m: Measures, garment: Garment, worn: tuple[Garment, ...]) -> None:
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
        parts["chest"] += straps(m, garment, 0.020)
    elif kind == "braces":
        parts["chest"] += straps(m, garment, 0.014)
        parts["waist"] += _lower_straps(m, garment)
    elif kind in ("scarf", "neckerchief"):
        _neck_cloth(parts, m, garment)


def _lower_straps(m: Measures, garment: Garment) -> list[Mesh]:
    """Braces between the chest and the trousers, in front and behind."""
    rows = body.torso(m, "waist", 0.013)
    zs, deep = [r[0] for r in rows], [r[2] for r in rows]
    out = []
    for x in (-0.044, 0.044):
        for face in (0.94, -0.96):
            line = [
                (x * m.height, face * float(np.interp(z, zs, deep)), float(z)) for z in np.linspace(zs[0], zs[-1], 5)
            ]
            out.append(shapes.tube(line, 0.0075, tone(garment, 0.9), 5))
    return out


def _neck_cloth(parts: Parts, m: Measures, garment: Garment) -> None:
    tall, up = m.height, m.height * body.rise(m)
    texture, colour = cloth_of(garment)
    thick = 0.026 if garment.kind == "scarf" else 0.015
    wide = tall * 0.044 * (0.4 + 0.6 * m.stout)
    roll = shapes.torus(wide, thick, colour, 22, 9).moved(
        placement(at=(0, 0, 0.166 * up), pitch=-10, scale=(1.1, 1.02, 1.0))
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
            clothed(tail, texture).moved(placement(at=(-0.03 * tall, y * 0.96, 0.155 * up), roll=-7, pitch=-3))
        )
    else:
        knot = shapes.ellipsoid((0.017, 0.013, 0.014), colour, 10, 6)
        parts["chest"].append(knot.moved(placement(at=(0, y * 0.66, 0.145 * up))))
        tip = loft(
            [section(-0.075, 0.008, 0.004), section(0.0, 0.030, 0.006)], colour, sides=8, rings=3, cap=(0.003, 0.004)
        )
        for sign in (-1, 1):
            parts["chest"].append(
                clothed(tip, texture).moved(
                    placement(at=(sign * 0.012, y * 0.72, 0.143 * up), roll=sign * 22, pitch=12)
                )
            )
