"""Hair and beards: shells that grow out of the head's surface along a hairline, with knots, tails and plaits."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from storyengine.previz.figures.head import CENTRE, FaceForm, mouth_line, surface_grid
from storyengine.previz.figures.loft import both_sides, kept, loft, section, surface
from storyengine.previz.looks import Beard, Colour, HairStyle
from storyengine.previz.render import shapes
from storyengine.previz.render.values import Floats, Mesh, Texture, Vec3, merged, placement

_HEIGHTS = np.concatenate([np.linspace(-0.47, 0.40, 22), [0.45, 0.48, 0.495, 0.5]])
_ANGLES = np.linspace(-180, 180, 37)

_AROUND = (0, 30, 52, 63, 73, 85, 96, 112, 135, 180)
# Height of the hairline at these degrees from the front.
_LINES: dict[str, tuple[float, ...]] = {
    "cropped": (0.33, 0.32, 0.26, 0.13, 0.00, -0.03, -0.02, -0.12, -0.26, -0.30),
    "short": (0.305, 0.295, 0.23, 0.10, -0.04, -0.09, -0.06, -0.16, -0.32, -0.36),
    "full": (0.30, 0.28, 0.17, 0.02, -0.14, -0.20, -0.24, -0.28, -0.34, -0.38),
}


def _thickness(style: HairStyle) -> float:
    return {"bald": 0.0, "cropped": 0.016, "short": 0.050, "curly": 0.085, "long": 0.050, "tied back": 0.028,
            "bun": 0.032, "braid": 0.034, "plaits": 0.034, "afro": 0.200}[style]  # fmt: skip


def build_hair(style: HairStyle, colour: Colour, form: FaceForm, head: float, *, under_hat: bool) -> Mesh | None:
    """Hair in metres about the joint of the head; None for a bald one. Under a hat it lies flat."""
    if style == "bald":
        return None
    line = "cropped" if style == "cropped" else "full" if style in ("long", "afro", "curly") else "short"
    thick = _thickness(style)
    if under_hat:
        thick = min(thick, 0.014)
    parts = [_cap(form, line, thick, style, colour, head)]
    extra = _extras(style, colour, form)
    if under_hat and style in ("bun", "afro"):
        extra = []
    parts += [m.moved(placement(scale=head)) for m in extra]
    return merged(parts).textured(_strands(style))


def shell(form: FaceForm, offset: Callable[[Floats, Floats], Floats], colour: Colour, head: float) -> Mesh:
    """The head's surface pushed out by `offset(angle from the front, height)`; where that is negative it is cut away.

    Offsets just below zero run into the skin and make the hairline or the hem.
    """
    grid = surface_grid(form, _HEIGHTS, _ANGLES, features=False)
    turn, z = np.meshgrid(np.abs(_ANGLES), _HEIGHTS)
    push = offset(turn, z)
    out = grid.copy()
    flat = np.linalg.norm(grid[..., :2], axis=2, keepdims=True)
    up = np.clip((grid[..., 2:] - 0.12) / 0.38, 0, 1)
    direction = np.concatenate([grid[..., :2] / np.maximum(flat, 1e-6) * np.sqrt(1 - up**2), up], axis=2)
    direction = np.where(flat < 1e-6, np.array([0.0, 0.0, 1.0]), direction)
    out += direction * push[..., None]
    mesh = surface(out * head + np.array(CENTRE) * head, colour)
    high = push.reshape(-1)[np.where(mesh.faces >= 0, mesh.faces, mesh.faces[:, :1])].max(axis=1)
    return kept(mesh, high > -0.012)


def edge(cover: Floats, thick: Floats | float, soft: float = 0.05) -> Floats:
    """An offset that rises to `thick` inside a line and dips under the skin outside."""
    s = np.clip((cover + 0.012) / (soft + 0.012), 0, 1)
    s = s * s * (3 - 2 * s)
    return np.where(cover > -0.04, -0.014 + (thick + 0.014) * s, -0.05)


def _cap(form: FaceForm, line: str, thick: float, style: HairStyle, colour: Colour, head: float) -> Mesh:
    low = _LINES[line]
    rng = np.random.default_rng([form.seed, 3])
    parting = float(rng.uniform(-1, 1))
    phase = rng.uniform(0, 6.28, 6)

    def offset(turn: Floats, z: Floats) -> Floats:
        cover = z + form.forehead * np.clip(1 - turn / 60, 0, 1) - np.interp(turn, _AROUND, low)
        if style in ("short", "long", "tied back"):
            aside = np.sin(np.radians(np.broadcast_to(_ANGLES, turn.shape)) * 2) * (turn < 90)
            cover = cover - 0.05 * parting * aside
        signed = turn * np.sign(np.broadcast_to(_ANGLES, turn.shape))
        wave = 1.0 + 0.12 * np.sin(signed * 0.06 + phase[0]) + 0.10 * np.sin(z * 14 + phase[1])
        if style in ("curly", "afro"):
            wave = wave + 0.20 * np.sin(signed * 0.21 + phase[2]) * np.sin(z * 31 + phase[3])
        if style in ("short", "long"):
            fringe = np.clip(1 - turn / 70, 0, 1) * np.clip(1 - (z - 0.25) / 0.2, 0, 1)
            wave = wave + 0.5 * fringe * (1 + parting * np.sin(np.radians(signed) * 1.5))
        top = 1 + 0.5 * np.clip((z - 0.2) / 0.3, 0, 1) if style in ("short", "curly") else 1.0
        return edge(cover, thick * wave * top, 0.035 if thick < 0.03 else 0.06)

    return shell(form, offset, colour, head)


def _extras(style: HairStyle, colour: Colour, form: FaceForm) -> list[Mesh]:
    """What hangs or is knotted, in head heights about the joint."""
    band = (0.45, 0.16, 0.15) if form.seed % 3 == 0 else (0.18, 0.20, 0.26)
    x, y, z = CENTRE
    if style == "bun":
        knot = shapes.ellipsoid((0.15, 0.13, 0.14), colour, 14, 9)
        return [knot.moved(placement(at=(x, y - 0.42, z + 0.26)))]
    if style == "tied back":
        tail = loft(
            [section(-0.62, 0.03, 0.03, 0, -0.06), section(-0.35, 0.085, 0.075, 0, -0.08),
             section(-0.1, 0.09, 0.08, 0, -0.05), section(0.0, 0.05, 0.05)],
            colour, sides=10, rings=7, cap=(0.03, 0.03),
        )  # fmt: skip
        ring = shapes.torus(0.05, 0.018, band, 12, 6)
        at = placement(at=(x, y - 0.45, z + 0.10))
        return [tail.moved(at), ring.moved(at)]
    if style == "braid":
        return _plait(colour, band, (x, y - 0.44, z - 0.10), 0.075, (0.0, -0.004))
    if style == "plaits":
        sides = ((-0.30, -0.02), (0.30, 0.02))
        return [m for px, way in sides for m in _plait(colour, band, (x + px, y - 0.10, z - 0.26), 0.062, (way, 0.014))]
    if style == "long":
        return [_curtain(colour, form)]
    return []


def _plait(colour: Colour, band: Colour, at: Vec3, thick: float, drift: tuple[float, float]) -> list[Mesh]:
    """A chain of strands that hangs down from a point, tied at the end."""
    out = []
    for k in range(7):
        wide = thick - 0.0035 * k
        here = (at[0] + drift[0] * k + 0.012 * (-1) ** k, at[1] + drift[1] * k, at[2] - 0.088 * k)
        strand = shapes.ellipsoid((wide, wide * 0.85, 0.064), colour, 8, 5)
        out.append(strand.moved(placement(at=here, roll=25 * (-1) ** k)))
    end = (at[0] + drift[0] * 7, at[1] + drift[1] * 7, at[2] - 0.61)
    return [*out, shapes.ellipsoid((0.04, 0.04, 0.03), band, 8, 5).moved(placement(at=end))]


def _curtain(colour: Colour, form: FaceForm) -> Mesh:
    """Hair that falls behind the ears to the shoulders."""
    turn = np.radians(np.linspace(68, 292, 23))
    rows = np.linspace(-0.66, 0.12, 8)
    points = np.empty((len(rows), len(turn), 3))
    for k, z in enumerate(rows):
        drop = (0.12 - z) / 0.78
        wide = (0.365 + 0.05 * np.sin(drop * 2.2)) * form.width
        deep = 0.455 - 0.10 * drop
        wave = 1 + 0.025 * np.sin(turn * 9 + form.seed % 7) * drop
        points[k, :, 0] = -wide * np.sin(turn) * wave + CENTRE[0]
        points[k, :, 1] = deep * np.cos(turn) * wave + CENTRE[1] - 0.01
        points[k, :, 2] = z + CENTRE[2] + 0.05 * drop * np.cos(2 * turn)
    return both_sides(surface(points, colour, closed=False))


def build_beard(beard: Beard, colour: Colour, form: FaceForm, head: float) -> Mesh | None:
    mouth = mouth_line(form)
    parts = []
    if beard == "full":

        def offset(turn: Floats, z: Floats) -> Floats:
            top = np.interp(
                turn, (0, 16, 26, 40, 60, 78, 92), (-0.345, -0.335, mouth + 0.02, -0.25, -0.20, -0.06, -0.06)
            )
            cover = np.minimum(top - z, (92 - turn) / 150)
            return edge(cover, 0.055 * np.clip(1.4 - turn / 90, 0.4, 1), 0.05)

        parts.append(shell(form, offset, colour, head))
    if beard in ("full", "moustache"):
        front = float(surface_grid(form, np.array([mouth + 0.045]), np.array([0.0]))[0, 0, 1])
        for sign in (-1.0, 1.0):
            half = shapes.ellipsoid((0.072, 0.030, 0.024), colour, 10, 7)
            at = (CENTRE[0] + sign * 0.052, CENTRE[1] + front - 0.004, CENTRE[2] + mouth + 0.044)
            parts.append(half.moved(placement(at=at, roll=sign * 16, yaw=sign * 14)).moved(placement(scale=head)))
    return merged(parts).textured(_strands("short")) if parts else None


@lru_cache(maxsize=16)
def _strands(style: HairStyle) -> Texture:
    """Light and dark strands that multiply the hair's colour."""
    rng = np.random.default_rng(11)
    if style in ("curly", "afro"):
        noise = rng.uniform(0.70, 1.0, (32, 32))
        grain = (noise + np.roll(noise, 1, 0) + np.roll(noise, 1, 1)) / 3
        picture = np.kron(grain, np.ones((2, 2)))
    else:
        strand = rng.uniform(0.74, 1.0, 64)
        strand = 0.5 * strand + 0.5 * np.roll(strand, 1)
        picture = np.tile(strand, (64, 1)) * (1 - 0.05 * rng.random((64, 1)))
    return Texture(np.repeat((picture * 255).astype(np.uint8)[..., None], 3, axis=2))
