"""Directions on the sphere around a panorama's middle, and how boxes in perspective views become them.

Yaw is degrees to the right of the panorama's middle column, pitch degrees upwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from storyengine.backends.ports import Box


@dataclass(frozen=True)
class Look:
    """A perspective view: where it looks and how wide it sees. `aspect` is width over height."""

    yaw: float
    pitch: float
    fov: float
    aspect: float = 16 / 9

    @property
    def vertical_fov(self) -> float:
        return math.degrees(2 * math.atan(math.tan(math.radians(self.fov) / 2) / self.aspect))


@dataclass(frozen=True)
class Extent:
    """Where something is as seen from the middle: its centre and half sizes, in degrees."""

    yaw: float
    pitch: float
    half_width: float
    half_height: float

    def corners(self) -> tuple[tuple[float, float], ...]:
        return tuple(
            (self.yaw + x * self.half_width, self.pitch + y * self.half_height) for x in (-1, 1) for y in (-1, 1)
        )


PROBES = {
    "front": Look(0, 0, 90, 1.0),
    "right": Look(90, 0, 90, 1.0),
    "back": Look(180, 0, 90, 1.0),
    "left": Look(-90, 0, 90, 1.0),
    "up": Look(0, 89.9, 90, 1.0),
    "down": Look(0, -89.9, 90, 1.0),
}
"""The six canonical probes of a panorama."""


def turn(degrees: float) -> float:
    """An angle between -180 and 180."""
    return (degrees + 180.0) % 360.0 - 180.0


def direction(look: Look, x: float, y: float) -> tuple[float, float]:
    """Yaw and pitch of a point of a view, given in fractions of its width and height from the top left."""
    half = math.tan(math.radians(look.fov) / 2)
    right, up = (2 * x - 1) * half, (1 - 2 * y) * half / look.aspect
    pitch, yaw = math.radians(look.pitch), math.radians(look.yaw)
    # the ray in the view's own axes (right, up, forward), tilted and turned into the world
    level = math.cos(pitch) - up * math.sin(pitch)
    height = math.sin(pitch) + up * math.cos(pitch)
    east = right * math.cos(yaw) + level * math.sin(yaw)
    north = -right * math.sin(yaw) + level * math.cos(yaw)
    return math.degrees(math.atan2(east, north)), math.degrees(math.atan2(height, math.hypot(east, north)))


def project(look: Look, yaw: float, pitch: float) -> tuple[float, float] | None:
    """Where a direction falls in a view, in fractions; None behind the camera."""
    relative, tilt, level = math.radians(yaw - look.yaw), math.radians(pitch), math.radians(look.pitch)
    right = math.cos(tilt) * math.sin(relative)
    ahead = math.cos(tilt) * math.cos(relative)
    forward = ahead * math.cos(level) + math.sin(tilt) * math.sin(level)
    up = -ahead * math.sin(level) + math.sin(tilt) * math.cos(level)
    if forward <= 1e-6:
        return None
    half = math.tan(math.radians(look.fov) / 2)
    return (right / forward / half + 1) / 2, (1 - up / forward / half * look.aspect) / 2


def extent(look: Look, box: Box) -> Extent:
    """The directions that a box in a view covers."""
    points = [
        direction(look, box.left + fx * box.width, box.top + fy * box.height)
        for fx in (0, 0.5, 1)
        for fy in (0, 0.5, 1)
    ]
    middle_yaw, middle_pitch = direction(look, box.left + box.width / 2, box.top + box.height / 2)
    sideways = [turn(yaw - middle_yaw) for yaw, _ in points]
    low, high = min(sideways), max(sideways)
    pitches = [pitch for _, pitch in points]
    return Extent(
        yaw=turn(middle_yaw + (low + high) / 2),
        pitch=(min(pitches) + max(pitches)) / 2 if pitches else middle_pitch,
        half_width=(high - low) / 2,
        half_height=(max(pitches) - min(pitches)) / 2,
    )


def joined(one: Extent, other: Extent) -> Extent:
    """One extent that covers both: a thing cut by the edge between two probes."""
    shift = turn(other.yaw - one.yaw)
    low = min(-one.half_width, shift - other.half_width)
    high = max(one.half_width, shift + other.half_width)
    bottom = min(one.pitch - one.half_height, other.pitch - other.half_height)
    top = max(one.pitch + one.half_height, other.pitch + other.half_height)
    return Extent(turn(one.yaw + (low + high) / 2), (bottom + top) / 2, (high - low) / 2, (top - bottom) / 2)
