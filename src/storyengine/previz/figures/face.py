"""A face: the head's surface with a painted skin, eyeballs that turn, lids that close, ears."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from storyengine.previz.figures.complexion import paint_face
from storyengine.previz.figures.head import (
    CENTRE,
    FaceForm,
    eye_at,
    face_form,
    surface_grid,
)
from storyengine.previz.figures.loft import loft, section, surface
from storyengine.previz.looks import PersonLook
from storyengine.previz.render.values import Colour, Floats, Mesh, Texture, merged

EYE_RADIUS = 0.060
LID_OPEN = 30.0
"""Degrees above the line of sight at which an open lid's edge rests."""
LID_TRAVEL = 52.0

_HEIGHTS = np.concatenate(
    [[-0.5, -0.49, -0.46], np.linspace(-0.43, 0.13, 26), [0.18, 0.25, 0.33, 0.41, 0.465, 0.49, 0.5]]
)
_ANGLES = np.concatenate([[-180, -145, -115, -90, -72, -58], np.linspace(-46, 46, 23), [58, 72, 90, 115, 145, 180]])


@dataclass(frozen=True, eq=False)
class Face:
    """Meshes of a head, in metres about the joint it nods about; eyes and lids about their own middles."""

    skin: Mesh
    eyes: tuple[Mesh, Mesh]
    """Left, right; looking along +y."""
    lids: tuple[Mesh, Mesh]
    eye_centres: tuple[tuple[float, float, float], tuple[float, float, float]]


@lru_cache(maxsize=64)
def build_face(look: PersonLook, head: float, scalp: Colour | None) -> Face:
    """The face of a look at a head height in metres. `scalp` is painted where hair grows."""
    form = face_form(look)
    grid = surface_grid(form, _HEIGHTS, _ANGLES)
    picture = Texture(paint_face(form, look, grid, scalp))
    mesh = surface(grid * head + np.array(CENTRE) * head, (1.0, 1.0, 1.0))
    columns, rows = np.meshgrid(np.linspace(0, 1, len(_ANGLES)), np.linspace(0, 1, len(_HEIGHTS)))
    mesh = Mesh(mesh.vertices, mesh.normals, np.stack([columns, 1 - rows], axis=-1).reshape(-1, 2), mesh.faces,
                mesh.colours, mesh.groups)  # fmt: skip
    centres = tuple(_eye_centre(form, sign) for sign in (-1.0, 1.0))
    iris = _eye_picture(form)
    lids = tuple(_lids(form, look.skin, sign, head) for sign in (-1.0, 1.0))
    eye = _eyeball(form, iris, head)
    lower = [mesh_.moved(_at(c, head)) for (_, mesh_), c in zip(lids, centres, strict=True)]
    ears = [_ear(form, look.skin, sign, head) for sign in (-1.0, 1.0)]
    left, right = (tuple(float(v) for v in (np.array(c) + CENTRE) * head) for c in centres)
    return Face(
        skin=merged([mesh.textured(picture), *lower, *ears]),
        eyes=(eye, eye),
        lids=(lids[0][0], lids[1][0]),
        eye_centres=(left, right),  # type: ignore[arg-type]
    )


def _at(centre: tuple[float, float, float], head: float) -> Floats:
    out = np.zeros((3, 4))
    out[:, :3] = np.eye(3)
    out[:, 3] = (np.array(centre) + CENTRE) * head
    return out


def _eye_centre(form: FaceForm, sign: float) -> tuple[float, float, float]:
    x, z = eye_at(form, sign)
    angles = np.linspace(0, -80 * sign, 161)
    ring = surface_grid(form, np.array([z]), angles)[0]
    y = float(np.interp(abs(x), np.abs(ring[:, 0]), ring[:, 1]))
    return x, y - 0.52 * EYE_RADIUS * form.eye_size, z


def _eyeball(form: FaceForm, picture: Texture, head: float) -> Mesh:
    radius = EYE_RADIUS * form.eye_size * head
    tilt = np.radians(np.linspace(95, 0, 6))
    around = np.linspace(0, 2 * np.pi, 13)
    points = np.stack(
        [
            np.sin(tilt)[:, None] * np.cos(around)[None, :],
            np.repeat(np.cos(tilt)[:, None], 13, axis=1),
            -np.sin(tilt)[:, None] * np.sin(around)[None, :],
        ],
        axis=-1,
    )
    mesh = surface(points * radius, (1.0, 1.0, 1.0))
    uv = np.stack([0.5 + points[..., 0] * 0.49, 0.5 - points[..., 2] * 0.49], axis=-1).reshape(-1, 2)
    normals = points.reshape(-1, 3) * (1, 1, 1)
    mesh = Mesh(mesh.vertices, normals, uv, mesh.faces, mesh.colours, mesh.groups)
    return mesh.textured(picture)


def _eye_picture(form: FaceForm) -> Texture:
    z, x = np.mgrid[1:-1:128j, -1:1:128j]
    far = np.hypot(x, z)
    out = np.empty((128, 128, 3))
    out[:] = (0.93, 0.91, 0.88)
    out *= 1 - 0.16 * np.clip(far - 0.55, 0, 1)[..., None] * 2
    iris = np.array(form.iris)
    size = 0.47
    shade = np.clip((size - far) / 0.05, 0, 1)[..., None]
    body = iris * (0.85 + 0.5 * np.clip(-z, 0, 1))[..., None]
    out = out * (1 - shade) + body * shade
    rim = np.clip(1 - np.abs(far - size + 0.02) / 0.06, 0, 1)[..., None]
    out = out * (1 - 0.75 * rim) + iris * 0.25 * 0.75 * rim
    pupil = np.clip((0.22 - far) / 0.04, 0, 1)[..., None]
    out = out * (1 - pupil) + 0.03 * pupil
    glint = np.clip((0.12 - np.hypot(x + 0.16, z - 0.20)) / 0.05, 0, 1)[..., None]
    out = out * (1 - glint) + 0.98 * glint
    return Texture(np.clip(out * 255, 0, 255).astype(np.uint8))


def _lids(form: FaceForm, skin: Colour, sign: float, head: float) -> tuple[Mesh, Mesh]:
    """The upper lid about the eye's middle, and the lower one that stays."""
    radius = EYE_RADIUS * form.eye_size * head
    lash = (0.10, 0.07, 0.06)
    shade = tuple(0.90 * c for c in skin)
    tilt = np.radians(form.eye_tilt) * sign
    open_ = LID_OPEN * form.eye_open
    upper = merged(
        [
            _wedge(radius * 1.10, open_ + 4, 140.0, shade, tilt),
            _wedge(radius * 1.15, open_ - 4, open_ + 9, lash, tilt),
        ]
    )
    lower = merged(
        [
            _wedge(radius * 1.07, -120.0, -0.98 * open_, skin, tilt),
            _wedge(radius * 1.075, -0.98 * open_ - 2, -0.98 * open_ + 3, tuple(0.62 * c for c in skin), tilt),
        ]
    )
    return upper, lower


def _wedge(radius: float, low: float, high: float, colour: tuple[float, ...], tilt: float) -> Mesh:
    """Part of a ball between two angles about the x axis (0 is forwards, 90 up): lids meet in the eye's corners."""
    turn = np.radians(np.linspace(high, low, max(2, round((high - low) / 24) + 1)))
    across = np.radians(np.linspace(-88, 88, 10))
    points = np.empty((len(turn), len(across), 3))
    points[..., 0] = -np.sin(across)[None, :]
    points[..., 1] = np.cos(across)[None, :] * np.cos(turn)[:, None]
    points[..., 2] = np.cos(across)[None, :] * np.sin(turn)[:, None]
    c, s = np.cos(tilt), np.sin(tilt)
    x, z = points[..., 0].copy(), points[..., 2].copy()
    points[..., 0], points[..., 2] = c * x - s * z, s * x + c * z
    mesh = surface(points[::-1] * radius, (colour[0], colour[1], colour[2]), closed=False)
    return Mesh(mesh.vertices, mesh.vertices / radius, mesh.uv, mesh.faces, mesh.colours, mesh.groups)


def _ear(form: FaceForm, skin: Colour, sign: float, head: float) -> Mesh:
    size = form.ears
    colour = (skin[0] * 0.97, skin[1] * 0.90, skin[2] * 0.88)
    z = eye_at(form, 1)[1] - 0.06
    x = 0.335 * form.width
    rows = [
        section(-0.085 * size, 0.016, 0.022, 0, 0.012),
        section(-0.03 * size, 0.030, 0.048, 0.006, 0.0),
        section(0.04 * size, 0.034, 0.066, 0.012, -0.012),
        section(0.085 * size, 0.022, 0.048, 0.012, -0.012),
    ]
    rows = [(a * head, b * head, c * head, sign * d * head, e * head) for a, b, c, d, e in rows]
    mesh = loft(rows, colour, sides=8, rings=4, cap=(0.02 * head, 0.02 * head))
    out = np.zeros((3, 4))
    turn = np.radians(-22 * sign)
    out[:, :3] = [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
    out[:, 3] = (np.array([sign * (x + 0.004), -0.02, z]) + CENTRE) * head
    return mesh.moved(out)
