"""Where the camera stands: as the prompt tells, or as the studio would film it; aimed so that what matters is seen."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from storyengine.previz.places import PlaceModel, camera_for, stations
from storyengine.previz.places.cameras import APART, Framing, crowded, obstructed
from storyengine.previz.places.model import Obstacle
from storyengine.previz.studio.blocking import faced
from storyengine.previz.studio.reading import CameraWords, SceneRequest
from storyengine.previz.studio.scene import Lens, Scene
from storyengine.previz.studio.sets import lens_from, place_of, station_of
from storyengine.previz.studio.staging import camera_of, middle_of, model_of, posed_things, rest

WIDEST = {"wide": 78.0, "medium": 70.0, "tight": 58.0}
WIDE_OPEN = 84.0
"""Degrees of view that no camera exceeds, whatever must be seen."""
NARROWEST = {"wide": 56.0, "medium": 42.0, "tight": 28.0}
EDGE = 0.90
"""How near to the frame's edge a subject may come, as a share of half the frame."""
TURN = 30.0
"""Degrees by which a told camera may turn to hold its subjects: the words decide what is seen, the numbers how."""

LOW = 0.7
"""Metres below which the middle of a standing thing makes it a low one, to be held down to the floor."""
LOST = 0.06
"""How far beyond the edge a subject may lie, in half frames, before a told camera is given up."""
NEAR = 1.4
"""Metres from the camera within which a subject fills the picture."""
ARM = 1.1
"""Metres within which not even a told camera has a subject."""
FILLED = 0.25
"""Part of the frame that equipment close to the lens may take."""
LARGE = 1.0
"""Width or depth in metres from which a subject counts as an obstacle too."""
AFAR = 0.45
"""Height of the tallest figure, of the frame, below which everybody is far away."""
LOOKED = 40
"""Best framing stations that are asked for clear sight."""

Point = tuple[float, float, float]


def framing_of(camera: CameraWords | None) -> Framing:
    if camera is not None and camera.framing == "wide":
        return "wide"
    return "tight" if camera is not None and camera.framing == "tight" else "medium"


def first_lens(scene: Scene, request: SceneRequest, zones: tuple[str, ...], before: Lens | None) -> Lens:
    """The camera before anybody has been placed: told by numbers, or in front of the action's zones.

    `before` is the camera of an earlier shot; the studio's own choice keeps away from it.
    """
    assert scene.setting is not None
    camera = request.camera
    if camera is not None and camera.yaw is not None:
        place = _furnished(place_of(scene.setting), scene, frozenset())
        return lens_from(place, camera.yaw, camera.pitch, camera.fov, camera.right, camera.forward)
    return _own_lens(scene, request, zones, before)


def _own_lens(scene: Scene, request: SceneRequest, zones: tuple[str, ...], before: Lens | None) -> Lens:
    """As the studio would film it: everything wanted in the picture, nothing between."""
    assert scene.setting is not None
    place = _furnished(place_of(scene.setting), scene, request.wanted or frozenset())
    points, ahead = _stage_points(scene, place, zones, request.wanted)
    avoid = [(before.x, before.y, before.z)] if before is not None else []
    found = camera_for(place, points, framing_of(request.camera), avoid, ahead)
    x, y, z = found.station
    return Lens(x, y, z, found.yaw, found.pitch, found.fov)


def _elsewhere(scene: Scene, request: SceneRequest, points: list[Point], before: Lens | None) -> Lens:
    """Of all stations the one that holds most: near enough, with the clearest sight, through the longest lens."""
    assert scene.setting is not None
    place = _furnished(place_of(scene.setting), scene, request.wanted or frozenset())
    framing, there = framing_of(request.camera), np.array(points)
    found: list[tuple[float, int, Lens]] = []
    for x, y, z in stations(place) or (station_of(place),):
        lens = _pointed(Lens(x, y, z, 0.0, 0.0, 60.0), points, framing, loose=False)
        lost, near = max(_overflow(lens, points), 0.0), float(np.hypot(there[:, 0] - x, there[:, 1] - y).min())
        jump = before is not None and math.dist((x, y), (before.x, before.y)) < APART
        score = -20.0 * lost - 3.0 * max(0.0, NEAR - near) - 0.02 * lens.fov - 5.0 * jump
        found.append((score, -len(found), lens))
    best = sorted(found, reverse=True, key=lambda one: one[:2])[:LOOKED]
    return max(best, key=lambda one: (one[0] - 2.0 * obstructed(place, camera_of(one[2]), there), one[1]))[2]


def _furnished(place: PlaceModel, scene: Scene, subjects: frozenset[str]) -> PlaceModel:
    """The place with what the story put there in the camera's way, but for what is to be seen itself.

    What is large stands in the way of everything else even then.
    """
    boxes = []
    for name, posed in posed_things(scene, {}).items():
        across, along, tall = posed.model.size
        if posed.model.hangs or (name in subjects and max(across, along) <= LARGE):
            continue
        x, y, low = (float(value) for value in posed.matrix[:, 3])
        yaw = math.degrees(math.atan2(posed.matrix[0, 1], posed.matrix[1, 1]))
        boxes.append(Obstacle((x, y), (across / 2, along / 2), yaw, low, low + tall))
    return replace(place, obstacles=(*place.obstacles, *boxes))


def _stage_points(
    scene: Scene, place: PlaceModel, zones: tuple[str, ...], wanted: frozenset[str] | None
) -> tuple[list[Point], float | None]:
    """What an empty stage will show: its things, and where people will stand; and the side it is seen from."""
    points: list[Point] = []
    ahead: float | None = None
    for zone in zones or tuple(place.spots)[:1]:
        spot = place.spots.get(zone)
        if spot is not None:
            people = [(spot.position[0], spot.position[1], z) for z in (0.75, 1.75)]
            points += [*people, (spot.partner[0], spot.partner[1], 1.2)]
            ahead = spot.facing + 180 if ahead is None else ahead
    for thing in scene.things:
        seen = (not zones or thing.zone in zones) if wanted is None else thing.id in wanted
        if thing.stand is not None and seen:
            high = thing.stand.z + (0.0 if model_of(thing).hangs else model_of(thing).size[2])
            points.append((thing.stand.x, thing.stand.y, min(high, 1.9)))
            points.append((thing.stand.x, thing.stand.y, max(thing.stand.z - 0.3, 0.5)))
    return points or [(*station_of(place)[:2], 1.2)], ahead


def subjects_of(scene: Scene, wide: bool, request: SceneRequest, zones: tuple[str, ...]) -> list[Point]:
    """Points that the picture should hold: heads and hips (feet in a wide shot), what is wanted, where people go."""
    assert scene.setting is not None
    points: list[Point] = []
    spots = place_of(scene.setting).spots
    for zone in request.later_zones:
        if zone in spots:
            points += [(spots[zone].position[0], spots[zone].position[1], z) for z in (0.8, 1.7)]
    for actor in scene.actors:
        tall = actor.look.height
        low = 0.02 if wide else tall * 0.48
        points += [(actor.stand.x, actor.stand.y, tall + 0.14), (actor.stand.x, actor.stand.y, low)]
    for name, posed in rest(scene).things.items():
        if not _matters(scene, name, request, zones):
            continue
        middle = middle_of(posed)
        points.append((float(middle[0]), float(middle[1]), float(middle[2])))
        stand = scene.props[name].stand
        if request.wanted is not None and stand is not None and middle[2] < LOW:
            points.append((stand.x, stand.y, stand.z))  # a hatch or a lid may lie flat by the end
    return points


def _matters(scene: Scene, thing: str, request: SceneRequest, zones: tuple[str, ...]) -> bool:
    """Whether the picture is to hold a thing: what is wanted; where nobody tells, what is where the action is."""
    if request.wanted is not None:
        return thing in request.wanted
    found, chain = scene.props.get(thing), {thing}
    while found is not None and found.relation != "stands" and found.target not in chain:
        chain.add(found.target)
        found = scene.props.get(found.target)
    return found is None or not found.fixed or not zones or found.zone in zones


def aimed(scene: Scene, request: SceneRequest, zones: tuple[str, ...], before: Lens | None) -> Scene:
    """The scene with its camera turned and zoomed to its subjects; a told camera only as far as it must.

    Where the camera cannot hold what must be seen even then, another station is found, also for a told one: the words
    of a prompt weigh more than its numbers.
    """
    lens = scene.lens
    framing = framing_of(request.camera)
    points = subjects_of(scene, framing == "wide", request, zones)
    if lens is None or not points:
        return scene
    told = request.camera is not None and request.camera.yaw is not None
    assert scene.setting is not None
    place = _furnished(place_of(scene.setting), scene, request.wanted or frozenset())
    if told and _overflow(lens, points) <= 0 and not _is_blocked(lens, place) and not _is_cramped(lens, points, ARM):
        return scene
    loose = request.wanted is None
    best = _pointed(lens, points, framing, loose=loose)
    if told:
        best = min((_no_further(lens, best), lens), key=lambda one: _overflow(one, points))
    poor = _overflow(best, points) > LOST or _is_cramped(best, points, ARM if told else NEAR)
    if not (loose and not told) and (poor or _is_blocked(best, place)):
        own = _pointed(_own_lens(scene, request, zones, before), points, framing, loose=False) if told else best
        others = (best, own, _elsewhere(scene, request, points, before))
        best = min(
            others,
            key=lambda one: (
                max(_overflow(one, points), LOST),
                _is_blocked(one, place),
                _is_cramped(one, points, NEAR),
            ),
        )
    return _facing_camera(replace(scene, lens=best), lens)


def is_held(scene: Scene, request: SceneRequest, zones: tuple[str, ...]) -> bool:
    """Whether the camera holds everything that it is to hold."""
    points = subjects_of(scene, framing_of(request.camera) == "wide", request, zones)
    return scene.lens is None or not points or _overflow(scene.lens, points) <= LOST


def is_loose(scene: Scene, request: SceneRequest) -> bool:
    """Whether the camera sees more than its framing does where there is room, or everybody from afar."""
    lens = scene.lens
    if lens is None:
        return False
    ends = [(a.stand.x, a.stand.y, z) for a in scene.actors for z in (0.0, a.look.height)]
    rows = camera_of(lens).project(np.array(ends), 1600, 900)[:, 1] if ends else np.array([900.0, 0.0])
    return lens.fov > WIDEST[framing_of(request.camera)] or float(np.max(rows[::2] - rows[1::2])) < AFAR * 900


def _facing_camera(scene: Scene, before: Lens) -> Scene:
    """Where the camera has gone elsewhere, nobody shows it their back."""
    lens = scene.lens
    assert lens is not None
    if (lens.x, lens.y) == (before.x, before.y):
        return scene
    return replace(scene, actors=tuple(replace(one, stand=faced(one.stand, lens)) for one in scene.actors))


def _overflow(lens: Lens, points: list[Point]) -> float:
    """How far the farthest subject lies beyond the edge, in half frames; 0 or less when all are held."""
    seen = camera_of(lens).project(np.array(points), 1600, 900)
    if np.any(seen[:, 2] < 0.1):
        return 9.0
    x, y = np.abs(seen[:, 0] / 800 - 1), np.abs(seen[:, 1] / 450 - 1)
    return float(max(x.max(), y.max())) - EDGE


def _is_cramped(lens: Lens, points: list[Point], least: float) -> bool:
    """Whether a subject is so near that it would fill the picture."""
    return min(math.dist((lens.x, lens.y), point[:2]) for point in points) < least


def _is_blocked(lens: Lens, place: PlaceModel) -> bool:
    """Whether something close to the lens, a cupboard's back perhaps, takes a good part of the picture."""
    return crowded(place, camera_of(lens)) > FILLED


def _pointed(lens: Lens, points: list[Point], framing: Framing, *, loose: bool) -> Lens:
    """From the same station at the middle of all subjects, as narrow as the framing allows.

    `loose`: what does not fit may stay outside; otherwise the view opens further than the framing asks.
    """
    rays = np.array(points) - np.array([lens.x, lens.y, lens.z])
    yaws = np.degrees(np.arctan2(rays[:, 0], rays[:, 1]))
    turns = (yaws - yaws[0] + 180) % 360 - 180
    pitches = np.degrees(np.arctan2(rays[:, 2], np.hypot(rays[:, 0], rays[:, 1])))
    yaw = float(yaws[0] + (turns.min() + turns.max()) / 2)
    pitch = float((pitches.min() + pitches.max()) / 2)
    fov = NARROWEST[framing]
    while (
        fov < (WIDEST[framing] if loose else WIDE_OPEN)
        and _overflow(replace(lens, yaw=yaw, pitch=pitch, fov=fov), points) > -0.06
    ):
        fov += 2.0
    return replace(lens, yaw=yaw, pitch=pitch, fov=fov)


def _no_further(told: Lens, wanted: Lens) -> Lens:
    """Towards another camera, within what may be changed in a told one."""
    off = (wanted.yaw - told.yaw + 180) % 360 - 180
    tilt = wanted.pitch - told.pitch
    return replace(
        told,
        yaw=told.yaw + min(max(off, -TURN), TURN),
        pitch=told.pitch + min(max(tilt, -12.0), 12.0),
        fov=min(max(told.fov, wanted.fov), told.fov + 16.0),
    )
