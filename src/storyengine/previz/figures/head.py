"""The form of a head: a face's proportions from its seed, and the surface that carries face, hair and hats.

Everything here is in head heights: z from -0.5 (chin) to 0.5 (crown), x to the figure's right, y forwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cache

import numpy as np

from storyengine.previz.looks import Age, PersonLook
from storyengine.previz.render.values import Floats

CENTRE = (0.0, 0.03, 0.24)
"""Middle of the head relative to the joint it nods about."""

# z, half-width, front, back of a plain skull.
_SKULL = np.array(
    [
        (0.500, 0.000, 0.000, 0.000), (0.485, 0.105, 0.110, 0.120), (0.455, 0.180, 0.190, 0.215),
        (0.400, 0.248, 0.268, 0.300), (0.310, 0.303, 0.336, 0.375), (0.200, 0.335, 0.376, 0.425),
        (0.080, 0.345, 0.389, 0.440), (-0.020, 0.342, 0.383, 0.425), (-0.120, 0.330, 0.378, 0.385),
        (-0.220, 0.308, 0.376, 0.330), (-0.310, 0.278, 0.372, 0.270), (-0.390, 0.232, 0.362, 0.215),
        (-0.445, 0.176, 0.338, 0.180), (-0.480, 0.115, 0.290, 0.150), (-0.497, 0.050, 0.200, 0.110),
        (-0.500, 0.000, 0.120, 0.060),
    ]
)  # fmt: skip


@dataclass(frozen=True)
class FaceForm:
    """Proportions of one face. Lengths in head heights, angles in degrees; 1 is usual for factors."""

    width: float
    jaw: float
    chin: float
    cheeks: float
    forehead: float
    eye_apart: float
    """Half the distance between the eyes."""
    eye_height: float
    eye_size: float
    eye_tilt: float
    eye_open: float
    brow_height: float
    brow_thick: float
    brow_tilt: float
    brow_arch: float
    brow_gap: float
    nose_long: float
    nose_wide: float
    nose_out: float
    nose_bend: float
    mouth_wide: float
    mouth_height: float
    lip_full: float
    smile: float
    ears: float
    iris: tuple[float, float, float]
    lip_red: float
    freckles: float
    age: float
    """0 (smooth) to 1 (wrinkled)."""
    child: bool
    seed: int


_IRISES = ((0.30, 0.19, 0.11), (0.20, 0.13, 0.09), (0.36, 0.44, 0.50), (0.36, 0.40, 0.24), (0.45, 0.33, 0.16))
_AGES: dict[Age, float] = {"child": 0.0, "young": 0.05, "adult": 0.3, "old": 1.0}


def face_form(look: PersonLook) -> FaceForm:
    """The face of a look: wide spreads, because faces have to be told apart at forty pixels."""
    rng = np.random.default_rng([look.face & 0xFFFFFFFF, 77])
    child = look.age == "child"
    fem = 0.6 if child else look.feminine

    def between(low: float, high: float, shift: float = 0.0) -> float:
        return float(rng.uniform(low, high)) + shift

    return FaceForm(
        width=between(0.90, 1.10) + (0.04 if child else 0.0),
        jaw=between(0.84, 1.16, -0.10 * fem + 0.03),
        chin=between(0.5, 1.6, -0.25 * fem),
        cheeks=between(0.2, 1.6),
        forehead=between(-0.03, 0.03, 0.02 if child else 0.0),
        eye_apart=between(0.126, 0.174),
        eye_height=between(-0.045, 0.035, -0.04 if child else 0.0),
        eye_size=between(0.86, 1.16, 0.10 * fem) * (1.08 if child else 1.0),
        eye_tilt=between(-9, 9, 2 * fem),
        eye_open=between(0.72, 1.08),
        brow_height=between(0.082, 0.128, 0.008 * fem),
        brow_thick=between(0.5, 1.6, -0.25 * fem),
        brow_tilt=between(-7, 12),
        brow_arch=between(0.0, 0.045),
        brow_gap=between(0.030, 0.075),
        nose_long=between(0.76, 1.26) * (0.78 if child else 1.0),
        nose_wide=between(0.72, 1.5),
        nose_out=between(0.65, 1.45, -0.12 * fem) * (0.7 if child else 1.0),
        nose_bend=between(-0.5, 1.0),
        mouth_wide=between(0.088, 0.152),
        mouth_height=between(-0.028, 0.022),
        lip_full=between(0.5, 1.5, 0.2 * fem),
        smile=between(-0.1, 1.3),
        ears=between(0.8, 1.25),
        iris=_IRISES[int(rng.integers(len(_IRISES)))],
        lip_red=between(0.25, 0.75, 0.25 * fem),
        freckles=max(0.0, between(-1.6, 1.0)),
        age=_AGES[look.age],
        child=child,
        seed=look.face & 0xFFFFFFFF,
    )


def unlike(look: PersonLook, others: Iterable[PersonLook]) -> PersonLook:
    """Of some people the one whose head differs most: two at random may be too much alike to tell."""
    return max(others, key=lambda other: _unlikeness(look, other))


def _unlikeness(look: PersonLook, other: PersonLook) -> float:
    """Proportions of the face in their usual spread, skin and hair as far as they can be seen."""
    proportions = float((np.abs(_proportions(other) - _proportions(look)) / _spread()).mean())
    skin = float(np.abs(np.subtract(other.skin, look.skin)).max())
    hair = float(np.abs(np.subtract(other.hair_colour, look.hair_colour)).max()) if look.hair != "bald" else 0.0
    return proportions + 2 * skin + hair + 0.3 * (other.hair != look.hair)


_PROPORTIONS = [part.name for part in fields(FaceForm) if part.type == "float" and part.name != "age"]


def _proportions(look: PersonLook) -> Floats:
    form = face_form(look)
    return np.array([getattr(form, name) for name in _PROPORTIONS])


@cache
def _spread() -> Floats:
    """How much each proportion varies between faces."""
    plain = PersonLook((0.8, 0.6, 0.5), "short", (0.2, 0.1, 0.1), "none", "adult", "average", 1.7, 0.5, (), 0)
    return np.asarray(np.std([_proportions(replace(plain, face=face)) for face in range(64)], axis=0), np.float64)


def surface_grid(form: FaceForm, heights: Floats, angles: Floats, *, features: bool = True) -> Floats:
    """Points of the head's surface, (heights, angles, 3). Angles in degrees from the front, counter-clockwise."""
    wide, front, back = (np.interp(heights, _SKULL[::-1, 0], _SKULL[::-1, k]) for k in (1, 2, 3))
    lower = np.clip((-heights - 0.05) / 0.4, 0, 1)
    wide = wide * form.width * (1 + (form.jaw - 1) * lower)
    front = front * (1 + 0.10 * (form.chin - 1) * np.clip((-heights - 0.3) / 0.2, 0, 1))
    turn = np.radians(angles)
    c, s = np.cos(turn), np.sin(turn)
    power = np.where(c > 0, 2.35, 2.1)
    norm = (np.abs(c) ** power + np.abs(s) ** power) ** (-1 / power)
    points = np.empty((len(heights), len(angles), 3))
    points[..., 0] = -wide[:, None] * (s * norm)
    points[..., 1] = np.where(c > 0, front[:, None], back[:, None]) * (c * norm)
    points[..., 2] = heights[:, None]
    if features:
        ahead = np.clip(c * 1.6, 0, 1)
        points[..., 1] += ahead * _relief(form, points[..., 0], points[..., 2])
    return points


def eye_at(form: FaceForm, sign: float) -> tuple[float, float]:
    """(x, z) of an eye: sign is -1 for the left."""
    return sign * form.eye_apart, -0.01 + form.eye_height


def nose_tip(form: FaceForm) -> float:
    """Its height."""
    return eye_at(form, 1)[1] - 0.150 * form.nose_long


def mouth_line(form: FaceForm) -> float:
    """Its height."""
    return min(-0.285 + form.mouth_height + 0.3 * form.eye_height, nose_tip(form) - 0.085)


def bump(x: Floats, z: Floats, at: tuple[float, float], spread: tuple[float, float]) -> Floats:
    return np.asarray(np.exp(-(((x - at[0]) / spread[0]) ** 2) - ((z - at[1]) / spread[1]) ** 2))


def _relief(form: FaceForm, x: Floats, z: Floats) -> Floats:
    """What stands out of the face, in head heights."""
    ex, ez = eye_at(form, 1)
    mouth = mouth_line(form)
    side = np.abs(x)
    out = -0.040 * bump(side, z, (ex, ez), (0.085, 0.055))
    out += 0.014 * bump(side, z, (ex, ez + form.brow_height), (0.11, 0.03)) * (1.3 - 0.5 * min(form.brow_arch * 20, 1))
    out += 0.018 * form.cheeks * bump(side, z, (ex + 0.045, ez - 0.13), (0.075, 0.06))
    out += _nose(form, x, z)
    out += 0.020 * bump(x, z, (0, mouth), (0.10, 0.055))
    out += 0.010 * form.lip_full * bump(x, z, (0, mouth + 0.017), (0.07, 0.014))
    out += 0.012 * form.lip_full * bump(x, z, (0, mouth - 0.022), (0.06, 0.016))
    out -= 0.010 * bump(x, z, (0, mouth), (0.09, 0.008))
    out -= 0.010 * bump(x, z, (0, mouth - 0.062), (0.07, 0.02))
    out += 0.026 * form.chin * bump(x, z, (0, -0.435), (0.075, 0.045))
    return np.asarray(out)


def _nose(form: FaceForm, x: Floats, z: Floats) -> Floats:
    ez, tip = eye_at(form, 1)[1], nose_tip(form)
    along = np.clip((ez + 0.03 - z) / (ez + 0.03 - tip), 0, 1.0)
    below = np.clip((tip - z) / 0.035, 0, 1)
    height = (0.016 + 0.085 * form.nose_out * along ** (1.5 - 0.5 * form.nose_bend)) * (1 - below**1.5)
    height *= np.clip((ez + 0.09 - z) / 0.06, 0, 1)
    spread = 0.026 + 0.020 * form.nose_wide * along**2
    ridge = height * np.exp(-((x / spread) ** 2))
    wings = 0.030 * bump(np.abs(x), z, (0.042 * form.nose_wide, tip + 0.008), (0.022, 0.022))
    return np.asarray(ridge + wings)
