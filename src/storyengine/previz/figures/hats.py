"""Hats, head-cloths, goggles and spectacles, in metres about the joint of the head."""

from __future__ import annotations

import numpy as np

from storyengine.previz.figures.cloth import cloth_of
from storyengine.previz.figures.face import EYE_RADIUS, Face
from storyengine.previz.figures.hair import edge, shell
from storyengine.previz.figures.head import CENTRE, FaceForm
from storyengine.previz.figures.loft import clothed, loft, section, surface
from storyengine.previz.looks import Garment
from storyengine.previz.render import shapes
from storyengine.previz.render.values import Colour, Floats, Mesh, merged, placement

HATS = ("cap", "flat cap", "head-cloth", "hard hat", "wide hat", "woolly hat", "headscarf")


def build_headwear(garment: Garment, form: FaceForm, face: Face, head: float) -> Mesh | None:
    """The mesh of something worn on the head, None for other garments."""
    kind = garment.kind
    if kind in ("cap", "flat cap"):
        return _cap(garment, form, head, flat=kind == "flat cap")
    if kind in ("head-cloth", "headscarf"):
        return _cloth(garment, form, head, chin=kind == "headscarf")
    if kind == "hard hat":
        return _hard_hat(garment, form, head)
    if kind == "wide hat":
        return _wide_hat(garment, form, head)
    if kind == "woolly hat":
        return _woolly(garment, form, head)
    if kind == "spectacles":
        return _glasses(garment.colour, face, head, thick=0.0035, lift=0.0)
    if kind == "goggles":
        return _goggles(garment, form, head)
    return None


def _tone(colour: Colour, factor: float) -> Colour:
    return (colour[0] * factor, colour[1] * factor, colour[2] * factor)


def _crown(garment: Garment, form: FaceForm, head: float, line: float, thick: float, rise: float) -> Mesh:
    """A shell above a level line that tips up in front; `rise` adds height at the top."""
    texture, colour = cloth_of(garment)

    def offset(turn: Floats, z: Floats) -> Floats:
        low = line - 0.10 * np.clip(turn / 180, 0, 1)
        top = thick + rise * np.clip((z - 0.2) / 0.3, 0, 1)
        return edge(z - low, top, 0.03)

    return clothed(shell(form, offset, colour, head), texture)


def _brim(
    form: FaceForm, head: float, colour: Colour, z: float, out: float, angle: tuple[float, float], drop: float
) -> Mesh:
    """A flat brim or peak around part of the head: angles in degrees from the front."""
    turns = np.radians(np.linspace(angle[0], angle[1], 25))
    whole = angle[1] - angle[0] >= 360
    points = np.empty((6, 25, 3))
    reach = np.ones(25) if whole else np.clip(np.cos(turns * 90 / angle[1]), 0, 1) ** 0.6
    for k, (share, lift) in enumerate(((0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 0.014), (0.5, 0.016), (0, 0.016))):
        grow = out * share * reach
        points[k, :, 0] = -(0.350 * form.width + grow) * np.sin(turns)
        points[k, :, 1] = (0.405 + grow) * np.cos(turns)
        points[k, :, 2] = z + lift - drop * share * reach * (1 if not whole else 0.5)
    points = points * head + np.array(CENTRE) * head
    return surface(points, colour, closed=False)


def _cap(garment: Garment, form: FaceForm, head: float, *, flat: bool) -> Mesh:
    crown = _crown(garment, form, head, 0.20, 0.060 if not flat else 0.095, 0.02 if not flat else -0.035)
    peak = _brim(form, head, _tone(garment.colour, 0.82), 0.205, 0.24 if not flat else 0.17, (-62, 62), 0.05)
    return merged([crown, peak])


def _hard_hat(garment: Garment, form: FaceForm, head: float) -> Mesh:
    crown = _crown(garment, form, head, 0.17, 0.075, 0.03)
    brim = _brim(form, head, _tone(garment.colour, 0.94), 0.165, 0.09, (-180, 180), 0.02)
    peak = _brim(form, head, garment.colour, 0.16, 0.17, (-60, 60), 0.05)
    return merged([crown, brim, peak])


def _wide_hat(garment: Garment, form: FaceForm, head: float) -> Mesh:
    crown = _crown(garment, form, head, 0.21, 0.06, 0.05)
    brim = _brim(form, head, _tone(garment.colour, 0.95), 0.20, 0.30, (-180, 180), 0.05)
    band = _brim(form, head, garment.second, 0.225, 0.075, (-180, 180), -0.06)
    return merged([crown, brim, band])


def _woolly(garment: Garment, form: FaceForm, head: float) -> Mesh:
    crown = _crown(garment, form, head, 0.15, 0.062, 0.05)
    texture, colour = cloth_of(garment)

    def roll(turn: Floats, z: Floats) -> Floats:
        low = 0.14 - 0.10 * np.clip(turn / 180, 0, 1)
        return edge(np.minimum(z - low, low + 0.11 - z), 0.085, 0.02)

    rim = clothed(shell(form, roll, _tone(colour, 0.86), head), texture)
    bobble = shapes.sphere(0.075 * head, _tone(colour, 0.9), 12, 8)
    return merged(
        [crown, rim, clothed(bobble, texture).moved(placement(at=(0, CENTRE[1] * head, (CENTRE[2] + 0.63) * head)))]
    )


def _cloth(garment: Garment, form: FaceForm, head: float, *, chin: bool) -> Mesh:
    texture, colour = cloth_of(garment)

    def offset(turn: Floats, z: Floats) -> Floats:
        if chin:
            low = np.interp(turn, (0, 40, 58, 70, 90, 180), (0.24, 0.22, 0.08, -0.35, -0.48, -0.44))
        else:
            low = np.interp(turn, (0, 40, 70, 95, 130, 180), (0.24, 0.22, 0.10, 0.0, -0.22, -0.28))
        return edge(z - low, 0.048 + 0.012 * np.sin(z * 30), 0.03)

    parts = [shell(form, offset, colour, head)]
    knot = shapes.ellipsoid((0.06 * head, 0.05 * head, 0.05 * head), _tone(colour, 0.9), 10, 7)
    if not chin:
        y, z = CENTRE[1] - 0.40, CENTRE[2] - 0.20
        parts.append(knot.moved(placement(at=(0, y * head, z * head))))
        for sign in (-1, 1):
            tail = loft(
                [section(-0.30, 0.07, 0.015), section(0.0, 0.03, 0.02)], colour, sides=8, rings=3, cap=(0.01, 0.01)
            )
            parts.append(tail.moved(placement(roll=sign * 24, pitch=-16, at=(0, y, z))).moved(placement(scale=head)))
    return clothed(merged(parts), texture)


def _glasses(colour: Colour, face: Face, head: float, *, thick: float, lift: float) -> Mesh:
    parts = []
    radius = EYE_RADIUS * 1.55 * head
    for x, y, z in face.eye_centres:
        ring = shapes.torus(radius, thick, colour, 18, 5)
        parts.append(ring.moved(placement(at=(x, y + 0.075 * head, z - 0.01 * head + lift), pitch=88)))
        side = 1.0 if x > 0 else -1.0
        arm = [(x + side * radius, y + 0.07 * head, z + lift), (side * 0.36 * head, y - 0.10 * head, z + lift),
               (side * 0.365 * head, (CENTRE[1] - 0.03) * head, z + lift)]  # fmt: skip
        parts.append(shapes.tube(arm, thick * 0.8, colour, 5))
    (x0, y0, z0), (x1, _, _) = face.eye_centres
    y = y0 + 0.085 * head
    bridge = [
        (x0 + radius, y, z0 + lift),
        (0.0, y + 0.01 * head, z0 + 0.012 * head + lift),
        (x1 - radius, y, z0 + lift),
    ]
    parts.append(shapes.tube(bridge, thick, colour, 5))
    return merged(parts)


def _goggles(garment: Garment, form: FaceForm, head: float) -> Mesh:
    """Pushed up on the forehead, over hair or hat."""
    parts = []
    for sign in (-1.0, 1.0):
        cup = shapes.cylinder(0.098 * head, 0.07 * head, garment.colour, 16, 0.01 * head)
        lens = shapes.cylinder(0.075 * head, 0.078 * head, (0.42, 0.55, 0.58), 16)
        at = placement(
            at=((CENTRE[0] + sign * 0.115) * head, (CENTRE[1] + 0.385) * head, (CENTRE[2] + 0.27) * head),
            pitch=-68,
            yaw=sign * 14,
        )
        parts += [cup.moved(at), lens.moved(at)]

    def offset(turn: Floats, z: Floats) -> Floats:
        return edge(0.035 - np.abs(z - 0.27 + 0.0012 * turn), 0.066, 0.01)

    parts.append(shell(form, offset, _tone(garment.colour, 0.7), head))
    return merged(parts)
