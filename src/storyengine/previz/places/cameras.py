"""Where to film from: stations with clear sight, and a camera for given subjects and framing.

A station is a point on a grid over the free floor at a few heights. For every station the solver asks: are all
subjects in the picture, at the right size, unhidden, seen from the front; is it clear of equipment and apart from
earlier stations? The best answer wins; ties fall to the first, so the same question gets the same camera.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from storyengine.errors import InputError
from storyengine.previz.places.model import Obstacle, PlaceModel
from storyengine.previz.render import Camera, Vec3
from storyengine.previz.render.values import Floats

Framing = Literal["wide", "medium", "tight"]
APART = 0.5
"""Two stations of one place stand at least this far apart, so that parallax can prove the place."""
GRID = 0.4
MOST = 16
"""Most stations along one side of a place: large places have a wider grid."""
CLEAR = 0.28
"""Distance a camera keeps from equipment."""
HEIGHTS = (1.5, 1.25, 1.8)
CLOSE = 1.3
"""Equipment nearer than this to the lens, metres, counts as in the way."""
ASKED = 60
"""Best framed cameras that are asked for clear sight."""


@dataclass(frozen=True)
class _Lens:
    fovs: tuple[float, ...]
    fill: float
    """Share of the frame (the fuller of width and height) that the subjects take."""
    least: float
    """Nearest distance to any subject, metres."""


LENSES: dict[str, _Lens] = {
    "wide": _Lens((62.0, 70.0, 78.0), 0.46, 2.2),
    "medium": _Lens((48.0, 56.0, 64.0), 0.68, 1.4),
    "tight": _Lens((34.0, 42.0, 50.0), 0.78, 0.9),
}


def stations(place: PlaceModel, zone: str | None = None) -> tuple[Vec3, ...]:
    """Points where a camera can stand; with a zone, those that see its spot, at least 1.6 m away."""
    points = _floor_grid(place)
    free = [p for p in points if _is_free(place, p)]
    if zone is None:
        return tuple((float(x), float(y), HEIGHTS[0]) for x, y in free)
    spot = place.spots.get(zone)
    if spot is None:
        known = ", ".join(place.spots)
        raise InputError(f"There is no zone '{zone}' in this place.", next_step=f"Use one of: {known}.")
    target = np.array([[*spot.position[:2], 1.2]])
    out = []
    for x, y in free:
        at = (float(x), float(y), HEIGHTS[0])
        if math.dist(at[:2], spot.position[:2]) >= 1.6 and _hidden(place.obstacles, at, target) == 0:
            out.append(at)
    return tuple(out)


def camera_for(
    place: PlaceModel,
    subjects: Sequence[Vec3],
    framing: Framing = "medium",
    avoid: Sequence[Vec3] = (),
    facing: float | None = None,
) -> Camera:
    """A camera that shows all subjects.

    `subjects` are the points that must be seen: heads, hands, the thing acted upon. `facing` is the bearing of the
    main face; the camera then stands in front of it, half to the side. `avoid` are earlier stations of the same place.
    """
    if framing not in LENSES:
        raise InputError(f"There is no framing '{framing}'.", next_step=f"Use one of: {', '.join(LENSES)}.")
    points = np.array(subjects, float).reshape(-1, 3)
    if len(points) == 0:
        raise InputError("A camera needs something to look at.", next_step="Give at least one subject point.")
    free = [p for p in _floor_grid(place) if _is_free(place, p)] or [_middle(place)]
    framed: list[tuple[float, int, Camera]] = []
    for x, y in free:
        for fov in _fitting_fovs(points, (float(x), float(y)), framing):
            for height in HEIGHTS:
                camera = _aimed((float(x), float(y), min(height, place.bounds.high[2] - 0.2)), points, fov)
                framed.append((_framed(place, camera, points, framing, avoid, facing), -len(framed), camera))
    framed.sort(reverse=True, key=lambda one: one[:2])
    # What stands in the way costs more to ask, so only the best framed are asked.
    asked = [(score - obstructed(place, camera, points), order, camera) for score, order, camera in framed[:ASKED]]
    return max(asked, key=lambda one: one[:2])[2]


def _fitting_fovs(points: Floats, at: tuple[float, float], framing: Framing) -> tuple[float, ...]:
    """The lenses worth trying at a point: all near the right distance, the widest when too near, else the longest."""
    lens = LENSES[framing]
    extent = max(float(np.linalg.norm(np.ptp(points, axis=0))), 0.4)
    distance = max(float(np.linalg.norm(points[:, :2].mean(axis=0) - np.array(at))), 0.1)
    fills = [extent / (2 * distance * math.tan(math.radians(fov) / 2)) for fov in lens.fovs]
    if min(fills) > 1.6 * lens.fill:
        return lens.fovs[-1:]
    return lens.fovs[:1] if max(fills) < 0.5 * lens.fill else lens.fovs


def _floor_grid(place: PlaceModel) -> Floats:
    low, high = place.bounds.low, place.bounds.high
    nx, ny = (min(max(2, math.ceil((high[i] - low[i]) / GRID)), MOST) for i in range(2))
    xs, ys = np.linspace(low[0], high[0], nx + 1), np.linspace(low[1], high[1], ny + 1)
    return np.array([(x, y) for y in ys for x in xs])


def _middle(place: PlaceModel) -> Floats:
    return np.array(place.bounds.middle[:2])


def _local(obstacle: Obstacle, points: Floats) -> Floats:
    """Points on the floor in an obstacle's own frame."""
    a = math.radians(obstacle.yaw)
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    return np.asarray((points[..., :2] - np.array(obstacle.middle)) @ turn.T)


def _is_free(place: PlaceModel, point: Floats) -> bool:
    for obstacle in place.obstacles:
        margin = CLEAR if obstacle.high > 0.5 else 0.0
        x, y = np.abs(_local(obstacle, np.asarray(point)))
        if x < obstacle.half[0] + margin and y < obstacle.half[1] + margin:
            return False
    return True


def _hidden(obstacles: Sequence[Obstacle], station: Vec3, points: Floats) -> int:
    """How many points a station cannot see because equipment stands between."""
    start = np.array(station)
    steps = np.linspace(0.03, 0.93, 24)[None, :, None]
    lines = start + steps * (points[:, None, :] - start)
    blocked = np.zeros(len(points), bool)
    for obstacle in obstacles:
        inside = (np.abs(_local(obstacle, lines)) < np.array(obstacle.half)).all(axis=2)
        blocked |= (inside & (lines[..., 2] > obstacle.low) & (lines[..., 2] < obstacle.high)).any(axis=1)
    return int(blocked.sum())


def obstructed(place: PlaceModel, camera: Camera, points: Floats) -> float:
    """0 with clear sight; grows with subjects hidden and with equipment that fills the frame close to the lens."""
    subjects = np.vstack([points, points.mean(axis=0)])
    hidden = _hidden(place.obstacles, camera.station, subjects) / len(subjects)
    return 2.5 * hidden + 5.0 * max(0.0, crowded(place, camera) - 0.1)


def crowded(place: PlaceModel, camera: Camera) -> float:
    """Part of the frame that equipment close to the lens takes."""
    right, up, forward = camera.axes()
    wide = math.tan(math.radians(camera.fov) / 2)
    ends = [
        np.array(camera.station) + CLOSE * (forward + x * wide * right + y * wide * 9 / 16 * up)
        for x in (-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9)
        for y in (-0.5, 0.4)
    ]
    return _hidden(place.obstacles, camera.station, np.array(ends)) / len(ends)


def _aimed(station: Vec3, points: Floats, fov: float) -> Camera:
    """Pointed at the middle of the subjects as the station sees them."""
    rays = points - np.array(station)
    distance = np.maximum(np.linalg.norm(rays, axis=1, keepdims=True), 1e-6)
    rays = rays / distance
    middle = (rays.min(axis=0) + rays.max(axis=0)) / 2
    target = np.array(station) + middle * 3.0
    return Camera.looking_at(station, (float(target[0]), float(target[1]), float(target[2])), fov)


def _framed(
    place: PlaceModel, camera: Camera, points: Floats, framing: Framing, avoid: Sequence[Vec3], facing: float | None
) -> float:
    """How good the picture is if nothing stands between: 0 is perfect, faults subtract."""
    lens = LENSES[framing]
    seen = camera.project(points, 1600, 900)
    if np.any(seen[:, 2] < 0.25):
        return -100.0
    x, y = seen[:, 0] / 1600 * 2 - 1, 1 - seen[:, 1] / 900 * 2
    fill = max(float(np.ptp(x)) / 2, float(np.ptp(y)) / 2, 0.05)
    overflow = float(np.maximum(np.abs(np.stack([x, y])) - 0.86, 0).sum())
    near = float(seen[:, 2].min())
    score = -8.0 * overflow - 2.2 * abs(fill - lens.fill) - 3.0 * max(0.0, lens.least - near)
    if any(math.dist(camera.station, other) < APART for other in avoid):
        score -= 20.0
    if avoid:
        score -= _jump(camera, points, avoid)
    if facing is not None:
        score -= _from_behind(camera, points, facing)
    score -= 0.02 * abs(camera.pitch) + 0.25 * abs(camera.station[2] - 1.5)
    return score - 0.5 * _flatness(place, camera)


def _jump(camera: Camera, points: Floats, earlier: Sequence[Vec3]) -> float:
    """0 when the angle to an earlier camera, as the subjects see them, is between 18 and 35 degrees.

    Less looks like a jump and shows too little parallax; more crosses to the other side of the action, and the
    background is no longer recognised.
    """
    middle = points.mean(axis=0)

    def bearing(at: Vec3) -> float:
        return math.degrees(math.atan2(at[0] - middle[0], at[1] - middle[1]))

    here = bearing(camera.station)
    off = min(abs((here - bearing(other) + 180) % 360 - 180) for other in earlier)
    return 0.6 * max(0.0, 18 - off) / 18 + 1.6 * max(0.0, off - 35) / 60


def _from_behind(camera: Camera, points: Floats, facing: float) -> float:
    """0 in front and half to the side, growing towards the back of the head."""
    middle = points.mean(axis=0)
    bearing = math.degrees(math.atan2(camera.station[0] - middle[0], camera.station[1] - middle[1]))
    off = abs((bearing - facing + 180) % 360 - 180)
    if off <= 65:
        return 0.3 * abs(off - 38) / 38
    return 0.3 + 2.6 * (off - 65) / 115


def _flatness(place: PlaceModel, camera: Camera) -> float:
    """1 when the picture looks straight at a wall, 0 into a corner: a corner shows the room and its depth."""
    if place.outdoor:
        return 0.0
    off = camera.yaw % 90
    return 1 - min(off, 90 - off) / 45
