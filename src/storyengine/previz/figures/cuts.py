"""How garments are cut, and the pieces that several of them share: panels, straps, arcs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from storyengine.previz.figures import body
from storyengine.previz.figures.cloth import cloth_of
from storyengine.previz.figures.loft import clothed, loft
from storyengine.previz.figures.skeleton import Measures
from storyengine.previz.looks import Colour, Garment, GarmentKind
from storyengine.previz.render import shapes
from storyengine.previz.render.values import Floats, Mesh

Parts = dict[str, list[Mesh]]
"""Meshes by bone, from the inside out."""


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


def tone(garment: Garment, factor: float) -> Colour:
    r, g, b = garment.colour
    return (r * factor, g * factor, b * factor)


def arc_between(start: float, end: float, z: Floats) -> tuple[Floats, Floats]:
    return np.full_like(z, start), np.full_like(z, end)


def front_panel(
    m: Measures, garment: Garment, bone: str, loose: float, top: float, half: Callable[[Floats], Floats]
) -> Mesh:
    """A panel over the front of a torso bone up to `top` body heights; `half(z)` is its half-angle."""
    texture, colour = cloth_of(garment)
    rows = [r for r in body.torso(m, bone, loose) if r[0] < (top + 0.02) * m.height]
    mesh = loft(rows, colour, sides=10, rings=5, power=2.3, arc=lambda z: (-half(z), half(z)))
    return clothed(mesh, texture)


def straps(m: Measures, garment: Garment, loose: float) -> list[Mesh]:
    rows = body.torso(m, "chest", loose)
    zs, wide, deep, ys = ([r[k] for r in rows] for k in (0, 1, 2, 4))
    out = []
    for sign in (-1.0, 1.0):
        path = []
        for share in np.linspace(-1, 1, 13):
            z = m.height * (0.146 * body.rise(m) - (0.15 if share > 0 else 0.12) * abs(share) ** 1.6)
            x = sign * m.height * (0.046 if share > 0 else 0.046 - 0.022 * abs(share))
            half = float(np.interp(z, zs, wide))
            flat = max(0.0, 1 - (abs(x) / half) ** 2.3) ** (1 / 2.3)
            y = float(np.interp(z, zs, ys)) + np.sign(share) * float(np.interp(z, zs, deep)) * flat
            path.append((x, float(y), float(z)))
        strap = shapes.tube(path, 0.0075, tone(garment, 0.9), 5)
        out.append(strap)
    return out
