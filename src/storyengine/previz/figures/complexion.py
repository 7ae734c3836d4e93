"""The painted skin of a face: planes, brows, lips, wrinkles and stubble as a picture over the head's surface."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.previz.figures.head import FaceForm, bump, eye_at, mouth_line, nose_tip
from storyengine.previz.looks import PersonLook
from storyengine.previz.render.values import Colour, Floats

TEXELS = 512
FRECKLE = 0.007
"""Its radius, in head heights."""

Part = tuple[slice, slice]
WHOLE: Part = (slice(None), slice(None))


def paint_face(form: FaceForm, look: PersonLook, grid: Floats, scalp: Colour | None) -> npt.NDArray[np.uint8]:
    """The face as a picture over the surface's grid: TEXELS square, rows from the crown down."""
    rows, columns = grid.shape[:2]
    across = np.broadcast_to(np.linspace(0, columns - 1, TEXELS, dtype=np.float32)[None], (TEXELS, TEXELS))
    down = np.broadcast_to(np.linspace(rows - 1, 0, TEXELS, dtype=np.float32)[:, None], (TEXELS, TEXELS))
    where: Any = cv2.remap(
        grid.astype(np.float32), np.ascontiguousarray(across), np.ascontiguousarray(down), cv2.INTER_LINEAR
    )
    x, y, z = where[..., 0], where[..., 1], where[..., 2]
    front = np.clip(y / 0.12, 0, 1)
    face = _seen_ahead(front)
    canvas = _Canvas(np.empty((*x[:, face].shape, 3), np.float32), front[:, face])
    canvas.pixels[:] = look.skin
    _paint_features(canvas, form, look, x[:, face], z[:, face])
    pixels: Any = np.empty((TEXELS, TEXELS, 3), np.float32)
    pixels[:] = look.skin
    pixels[:, face] = canvas.pixels
    if scalp is not None:
        grown = np.clip((z - 0.36) / 0.04, 0, 1) + np.clip((-y - 0.05) / 0.1, 0, 1) * np.clip((z + 0.25) / 0.1, 0, 1)
        a = np.clip(grown, 0, 1)[..., None]
        pixels = pixels * (1 - a) + np.array(scalp, np.float32) * a
    return np.asarray(np.clip(pixels * 255 + 0.5, 0, 255), np.uint8)


def _seen_ahead(front: Floats) -> slice:
    """The columns that look ahead at all: no feature is painted on the back of a head."""
    return _span(front.max(axis=0) > 0)


def _span(near: npt.ArrayLike) -> slice:
    """From the first that is meant to the last; empty where none is."""
    found = np.flatnonzero(near)
    return slice(int(found[0]), int(found[-1]) + 1) if len(found) else slice(0, 0)


def _paint_features(canvas: _Canvas, form: FaceForm, look: PersonLook, x: Floats, z: Floats) -> None:
    hair = look.hair_colour
    _paint_planes(canvas, form, x, z)
    _paint_age(canvas, form, x, z)
    _paint_eyes(canvas, form, x, z)
    _paint_brows(canvas, form, x, z, hair)
    _paint_nose(canvas, form, x, z)
    _paint_mouth(canvas, form, x, z)
    if look.beard in ("stubble", "full"):
        _paint_stubble(canvas, form, x, z, hair, 0.45 if look.beard == "stubble" else 0.85)


class _Canvas:
    """A picture under the brush; strokes fade out away from the front."""

    def __init__(self, pixels: Floats, front: Floats) -> None:
        self.pixels = pixels
        self._front = front

    def blend(self, amount: Floats, colour: tuple[float, ...], part: Part = WHOLE) -> None:
        a = (np.clip(amount, 0, 1) * self._front[part])[..., None]
        self.pixels[part] = self.pixels[part] * (1 - a) + np.array(colour, np.float32) * a

    def shade(self, amount: Floats) -> None:
        """Darken, a little warmer than grey: skin in shadow."""
        a = (np.clip(amount, 0, 1) * self._front)[..., None]
        self.pixels = self.pixels * (1 - a * np.array([0.80, 0.95, 1.0], np.float32))

    def lighten(self, amount: Floats) -> None:
        a = (np.clip(amount, 0, 1) * self._front)[..., None]
        self.pixels = self.pixels + (1 - self.pixels) * a


def _paint_planes(canvas: _Canvas, form: FaceForm, x: Floats, z: Floats) -> None:
    side = np.abs(x)
    ex, ez = eye_at(form, 1)
    canvas.blend(0.22 * bump(side, z, (ex + 0.03, ez - 0.14), (0.09, 0.07)), (0.80, 0.36, 0.28))
    canvas.shade(0.12 * np.clip((side - 0.18) / 0.16, 0, 1))
    canvas.shade(0.25 * np.clip((-0.40 - z) / 0.1, 0, 1))
    canvas.shade(0.07 * bump(side, z, (ex + 0.06, ez - 0.22), (0.07, 0.10)) * form.cheeks)
    canvas.lighten(0.10 * bump(x, z, (0, 0.20), (0.16, 0.10)))
    canvas.lighten(0.07 * bump(side, z, (ex, ez - 0.09), (0.05, 0.03)))
    if form.freckles > 0:
        rng = np.random.default_rng([form.seed, 5])
        for fx, fz in rng.normal((0, ez - 0.12), (0.13, 0.045), (70, 2)):
            part = _around(x, z, (fx, fz), 4 * FRECKLE)
            near = bump(x[part], z[part], (fx, fz), (FRECKLE, FRECKLE))
            canvas.blend(near * 0.5 * form.freckles, (0.50, 0.28, 0.18), part)


def _around(x: Floats, z: Floats, at: tuple[float, float], reach: float) -> Part:
    """The part of the picture that lies that near: a row has one height, and x grows or falls along it."""
    rows = _span(np.abs(z[:, 0] - at[1]) < reach)
    return rows, _span((np.abs(x[rows] - at[0]) < reach).any(axis=0))


def _paint_age(canvas: _Canvas, form: FaceForm, x: Floats, z: Floats) -> None:
    if form.age < 0.2:
        return
    side = np.abs(x)
    ex, ez = eye_at(form, 1)
    mouth = mouth_line(form)
    fold = np.abs(side - (0.062 + 0.35 * np.clip(nose_tip(form) - z, 0, 0.2)))
    here = np.clip(1 - np.abs(z - (mouth + 0.045)) / 0.085, 0, 1)
    canvas.shade(0.45 * form.age * np.exp(-((fold / 0.012) ** 2)) * here)
    canvas.shade(0.40 * form.age * bump(side, z, (ex, ez - 0.082), (0.07, 0.012)))
    if form.age > 0.6:
        for k in range(3):
            line = np.abs(z - (0.20 + 0.045 * k + 0.01 * np.cos(side * 14)))
            canvas.shade(0.22 * np.exp(-((line / 0.007) ** 2)) * np.clip(1 - side / 0.22, 0, 1))
        for k in (-1, 0, 1):
            line = np.abs(z - ez - k * (0.018 + 0.25 * (side - ex - 0.07)))
            near = np.clip((side - ex - 0.07) / 0.02, 0, 1) * np.clip((ex + 0.15 - side) / 0.03, 0, 1)
            canvas.shade(0.35 * np.exp(-((line / 0.006) ** 2)) * near)


def _paint_eyes(canvas: _Canvas, form: FaceForm, x: Floats, z: Floats) -> None:
    for sign in (-1.0, 1.0):
        ex, ez = eye_at(form, sign)
        size = form.eye_size
        canvas.shade(0.30 * bump(x, z, (ex, ez + 0.018), (0.095 * size, 0.062 * size)))
        canvas.shade(0.30 * bump(x, z, (ex - sign * 0.06, ez + 0.02), (0.035, 0.05)))
        canvas.shade(0.55 * bump(x, z, (ex, ez), (0.074 * size, 0.046 * size)) ** 2)
        crease = np.abs(z - (ez + 0.070 * size - 1.9 * (x - ex) ** 2))
        canvas.shade(0.50 * np.exp(-((crease / 0.008) ** 2)) * np.clip(1 - np.abs(x - ex) / (0.085 * size), 0, 1))


def _paint_brows(canvas: _Canvas, form: FaceForm, x: Floats, z: Floats, hair: Colour) -> None:
    dark = tuple(0.62 * c for c in hair) if max(hair) < 0.75 else tuple(0.72 * c for c in hair)
    inner, outer = form.brow_gap, form.eye_apart + 0.105
    side = np.abs(x)
    along = np.clip((side - inner) / (outer - inner), 0, 1)
    middle = eye_at(form, 1)[1] + form.brow_height + form.brow_arch * np.sin(along * np.pi * 0.8)
    middle = middle + (along - 0.4) * (outer - inner) * np.tan(np.radians(form.brow_tilt))
    thick = 0.019 * form.brow_thick * (1 - 0.65 * along**2) * np.clip((side - inner + 0.01) / 0.02, 0.0, 1)
    inside = np.clip((thick - np.abs(z - middle)) / 0.008 + 0.6, 0, 1)
    inside *= np.clip((side - inner + 0.012) / 0.016, 0, 1) * np.clip((outer - side) / 0.02, 0, 1)
    canvas.blend(0.92 * inside, dark)


def _paint_nose(canvas: _Canvas, form: FaceForm, x: Floats, z: Floats) -> None:
    tip, ez = nose_tip(form), eye_at(form, 1)[1]
    wide = form.nose_wide
    side = np.abs(x)
    canvas.blend(0.20 * bump(x, z, (0, tip + 0.015), (0.05 * wide, 0.04)), (0.80, 0.34, 0.27))
    flank = np.abs(side - (0.030 + 0.022 * wide * np.clip((ez - z) / 0.15, 0, 1)))
    canvas.shade(0.20 * np.exp(-((flank / 0.014) ** 2)) * np.clip((ez + 0.04 - z) / 0.04, 0, 1)
                 * np.clip((z - tip + 0.03) / 0.03, 0, 1))  # fmt: skip
    canvas.lighten(0.16 * np.exp(-((x / 0.013) ** 2)) * np.clip((ez + 0.02 - z) / 0.03, 0, 1)
                   * np.clip((z - tip) / 0.03, 0, 1))  # fmt: skip
    canvas.shade(0.42 * bump(x, z, (0, tip - 0.036), (0.062 * wide, 0.013)))
    canvas.shade(0.85 * bump(side, z, (0.026 * wide, tip - 0.028), (0.017 * wide, 0.010)))
    wing = np.abs(np.hypot((side - 0.040 * wide) / 1.0, z - tip + 0.002) - 0.026)
    canvas.shade(0.40 * np.exp(-((wing / 0.007) ** 2)) * np.clip((side - 0.045 * wide) / 0.012, 0, 1))
    canvas.shade(0.14 * np.exp(-((x / 0.014) ** 2)) * np.clip(1 - np.abs(z - tip + 0.07) / 0.03, 0, 1))


def _paint_mouth(canvas: _Canvas, form: FaceForm, x: Floats, z: Floats) -> None:
    middle, half = mouth_line(form), form.mouth_wide
    along = np.clip(np.abs(x) / half, 0, 1.4)
    curve = middle + 0.022 * form.smile * (along**2 - 0.3)
    full = 0.030 * form.lip_full
    top = curve + full * 0.85 * (1 - along**2) * (1 - 0.30 * np.exp(-((x / 0.016) ** 2)))
    bottom = curve - full * 1.15 * np.clip(1 - along**2, 0, 1) ** 0.8
    inside = np.clip((top - z) / 0.006 + 0.5, 0, 1) * np.clip((z - bottom) / 0.006 + 0.5, 0, 1) * (along < 1)
    base = canvas.pixels[TEXELS // 2, canvas.pixels.shape[1] // 2]
    red = np.array([0.66, 0.26, 0.25]) * (0.55 + 0.45 * float(base.mean()) / 0.7)
    lip = tuple(np.clip(base * (1 - form.lip_red) + red * form.lip_red, 0, 1))
    canvas.blend(0.85 * inside, lip)
    canvas.shade(0.22 * inside * (z > curve))
    canvas.lighten(0.10 * bump(x, z, (0, middle - full * 0.6), (0.04, 0.008)))
    line = np.exp(-(((z - curve) / 0.0075) ** 2)) * np.clip((1.08 - along) / 0.1, 0, 1)
    canvas.blend(0.80 * line, (0.24, 0.10, 0.10))
    canvas.shade(0.26 * bump(x, z, (0, middle - full * 1.2 - 0.022), (0.07, 0.014)))
    canvas.shade(0.25 * bump(np.abs(x), z, (half + 0.008, middle + 0.012 * form.smile), (0.012, 0.016)))


def _paint_stubble(canvas: _Canvas, form: FaceForm, x: Floats, z: Floats, hair: Colour, amount: float) -> None:
    side = np.abs(x)
    mouth = mouth_line(form)
    low = np.clip((mouth + 0.03 + 0.75 * np.clip(side - 0.12, 0, 1) - z) / 0.03, 0, 1)
    lip = bump(side, z, (0.045, mouth + 0.052), (0.07, 0.026))
    lips = np.clip(1 - np.hypot(x / (form.mouth_wide * 0.9), (z - mouth) / 0.036), 0, 1) * 2
    canvas.blend(amount * np.clip(np.maximum(low, lip) - np.clip(lips, 0, 1), 0, 1), tuple(0.75 * c for c in hair))
