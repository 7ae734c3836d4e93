"""Blocking: where people stand and which way they face, so that the camera sees faces, hands and things.

Candidates around the thing that matters are scored as a director would: in frame, near enough to act, beside and not
before it, turned so that the face can be read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from storyengine.previz import props
from storyengine.previz.places import PlaceModel
from storyengine.previz.render import Camera, Vec3, composed, placement
from storyengine.previz.studio.scene import Actor, Lens, Scene, Stand, Thing
from storyengine.previz.studio.sets import is_free
from storyengine.previz.studio.staging import (
    Body,
    Posed,
    bearing,
    camera_of,
    held_matrix,
    is_pushed,
    middle_of,
    model_of,
    phrases,
    posed_things,
    rest,
    rotated,
    turned_by,
)

REACH = 0.62
"""How far in front of a thing's edge one stands to handle it."""
CHEAT = 62.0
"""How far a face is turned away from the camera at most when nothing is being done."""


def place_actor(scene: Scene, place: PlaceModel, actor: Actor, focus: Thing | None) -> Actor:
    """The actor at the best point of their zone for the scene's camera."""
    spot = place.spots.get(actor.zone) or next(iter(place.spots.values()))
    target = _focus_point(focus, spot.position, spot.facing)
    best, found = -1e9, Stand(spot.position[0], spot.position[1], 0.0, spot.facing)
    lens = scene.lens
    tall = actor.look.height
    obstacles = [
        _middle(thing, scene) for thing in scene.things if thing.relation in ("stands", "on") and thing is not focus
    ]
    if focus is not None:
        obstacles.append((target[0], target[1], target[2]))
    others = [other.stand for other in scene.actors if other.id != actor.id]
    for x, y in _candidates(scene, place, target, focus, (spot.position, spot.partner)):
        if any(math.dist((x, y), (o.x, o.y)) < 0.7 for o in others) or in_the_way(scene, (x, y)):
            continue
        score = -0.8 * abs(math.dist((x, y), target[:2]) - _reach(focus))
        score -= 0.25 * math.dist((x, y), spot.position[:2])
        if lens is not None:
            score += _seen(camera_of(lens), (x, y), tall, target, obstacles)
            score -= 8.0 * hidden(scene, (x, y), focus.id if focus else "") + 4.0 * _overlaps(lens, (x, y), others)
        if score > best:
            best, found = score, Stand(x, y)
    yaw = facing(found, target[:2], lens)
    return Actor(
        actor.id, actor.look, Stand(found.x, found.y, 0.0, yaw), actor.zone, actor.eyes or (focus.id if focus else "")
    )


def _focus_point(focus: Thing | None, position: tuple[float, ...], toward: float) -> tuple[float, float, float]:
    if focus is not None and focus.stand is not None:
        return (focus.stand.x, focus.stand.y, focus.stand.z + model_of(focus).size[2] * 0.6)
    ahead = rotated(toward, (0.0, 0.9, 0.0))
    return (position[0] + ahead[0], position[1] + ahead[1], 1.1)


def _reach(focus: Thing | None) -> float:
    if focus is None:
        return 0.9
    width, depth, _ = model_of(focus).size
    return (width + depth) / 4 + 0.5


def _middle(thing: Thing, scene: Scene) -> tuple[float, float, float]:
    found: Thing | None = thing
    while found is not None and found.stand is None:
        found = scene.props.get(found.target)
    if found is None or found.stand is None:
        return (0.0, 0.0, -10.0)
    return (found.stand.x, found.stand.y, found.stand.z + model_of(found).size[2] * 0.7)


def _candidates(
    scene: Scene,
    place: PlaceModel,
    target: tuple[float, float, float],
    focus: Thing | None,
    spots: tuple[tuple[float, ...], ...],
) -> Iterator[tuple[float, float]]:
    """Clear points around the focus, the zone's own spots, and points straight before the camera."""
    for spot in spots:
        if is_free(place, scene.things, spot[0], spot[1], 0.2):
            yield spot[0], spot[1]
    reach = _reach(focus)
    for radius in (reach - 0.08, reach, reach + 0.15, reach + 0.35, reach + 0.7):
        for turn in range(0, 360, 15):
            a = math.radians(turn)
            x, y = target[0] + radius * math.sin(a), target[1] + radius * math.cos(a)
            if is_free(place, scene.things, x, y, 0.2):
                yield x, y
    if scene.lens is not None:
        for away in (2.4, 3.0, 3.6):
            for turn in (-12, 0, 12):
                a = math.radians(scene.lens.yaw + turn)
                x, y = scene.lens.x + away * math.sin(a), scene.lens.y + away * math.cos(a)
                if is_free(place, scene.things, x, y, 0.2):
                    yield x, y


def _seen(
    camera: Camera,
    at: tuple[float, float],
    tall: float,
    target: tuple[float, float, float],
    things: list[tuple[float, float, float]],
) -> float:
    """How well the camera sees a person there: 0 is perfect, faults subtract."""
    points = np.array([(*at, tall), (*at, tall * 0.86), (*at, tall * 0.5)])
    seen = camera.project(points, 1600, 900)
    if seen[:, 2].min() < 0.9:
        return -40.0
    x, y = seen[:, 0] / 800 - 1, 1 - seen[:, 1] / 450
    score = -9.0 * float(np.maximum(np.abs(x) - 0.72, 0).max()) - 5.0 * max(0.0, float(np.abs(y[:2]).max()) - 0.92)
    score -= 2.0 * max(0.0, abs(float(y[2])) - 1.0)
    score -= 0.35 * max(0.0, 1.9 - float(seen[0, 2])) * 6 + 0.12 * max(0.0, float(seen[0, 2]) - 3.4)
    # Beside the thing as the camera sees it: profile, hands free to be seen.
    away = math.dist(camera.station[:2], at)
    for thing in things:
        if math.dist(camera.station[:2], thing[:2]) > away - 0.15:
            apart = abs(turned_by(bearing(camera.station[:2], at), bearing(camera.station[:2], thing[:2])))
            cover = math.degrees(math.atan2(0.34, away))
            score -= 2.4 * max(0.0, 1.0 - apart / cover)
    to_thing, to_camera = bearing(at, target[:2]), bearing(at, camera.station[:2])
    turn = abs(turned_by(to_thing, to_camera))
    return score - 1.3 * max(0.0, turn - 80) / 100


def facing(stand: Stand, target: tuple[float, float], lens: Lens | None, cheat: float = CHEAT) -> float:
    """Towards the target, but never turned further from the camera than a face can be read."""
    want = bearing((stand.x, stand.y), target)
    if lens is None:
        return want
    to_camera = bearing((stand.x, stand.y), (lens.x, lens.y))
    off = turned_by(to_camera, want)
    return to_camera + min(max(off, -cheat), cheat)


def work_stand(
    scene: Scene, place: PlaceModel, actor: str, thing: str, way: tuple[Vec3, ...] = (), moving: str = ""
) -> Stand | None:
    """Where to stand, facing where, to handle a thing; None where it is nowhere to be handled.

    `way` is the way that its handle will go, and `moving` a thing whose door is about to move.
    """
    person = scene.people[actor]
    point = _middle_of_way(way, scene, thing) if way else _handle(scene, thing)
    if point is None:
        return None
    tall = person.look.height
    near, far = 0.20 * tall, 0.40 * tall
    here = (person.stand.x, person.stand.y)
    handy = near <= math.dist(here, point[:2]) <= far
    others = [other.stand for other in scene.actors if other.id != actor]
    if handy and not in_the_way(scene, here, 0.16, moving) and not hidden(scene, here, moving):
        return Stand(*here, 0.0, _open_to_camera(here, point[:2], scene.lens))
    things = [t for t in scene.things if t.relation == "stands"]
    # What is in it should stay in sight while somebody stands before it.
    inner = [_middle(scene.props[thing], scene)] if thing in scene.props else []
    best, found = -1e9, here
    for radius in (0.24 * tall, 0.28 * tall, 0.32 * tall, 0.37 * tall, 0.43 * tall):
        for turn in range(0, 360, 12):
            a = math.radians(turn)
            at = (point[0] + radius * math.sin(a), point[1] + radius * math.cos(a))
            if not is_free(place, things, at[0], at[1], 0.14) or any(math.dist(at, (o.x, o.y)) < 0.6 for o in others):
                continue
            score = -0.45 * math.dist(here, at) - 6.0 * max(0.0, radius / tall - 0.28)
            score -= (
                2.0 * _wrong_side(scene, thing, at)
                + 50.0 * in_the_way(scene, at, 0.17, moving)
                + 6.0 * hidden(scene, at, moving)
            )
            if scene.lens is not None:
                score += 0.8 * _seen(camera_of(scene.lens), at, tall, point, [point, *inner])
                score -= 3.0 * _overlaps(scene.lens, at, others)
            if score > best:
                best, found = score, at
    return Stand(found[0], found[1], 0.0, _open_to_camera(found, point[:2], scene.lens))


def _middle_of_way(way: tuple[Vec3, ...], scene: Scene, thing: str) -> tuple[float, float, float]:
    """A point from which the whole way of a handle can be reached: near the shut end, where one also looks in."""
    stand = scene.props[thing].stand
    away = [math.dist(end[:2], (stand.x, stand.y)) if stand is not None else 0.0 for end in (way[0], way[-1])]
    start = 0.88 if away[0] <= away[1] else 0.5
    point = start * np.array(way[0]) + (1 - start) * np.array(way[-1])
    return (float(point[0]), float(point[1]), float(point[2]))


def _handle(scene: Scene, thing: str) -> tuple[float, float, float] | None:
    """The point of a thing that hands go to; for what is in something tall, the middle of its front."""
    bare = replace(scene, things=tuple(_unhidden(t) for t in scene.things))
    posed = posed_things(bare, rest(scene).bodies)
    if thing not in posed:
        return None
    here = posed[thing]
    if here.model.grips and scene.props[thing].relation == "stands":
        ends = [here.matrix[:, :3] @ np.array(g.at) + here.matrix[:, 3] for g in here.model.grips]
        point = np.mean(ends, axis=0)
    else:
        point = middle_of(here)
    outer: Thing | None = scene.props[thing]
    while outer is not None and outer.relation == "in":
        outer = scene.props.get(outer.target)
    if outer is not None and outer.id != thing and outer.stand is not None and (model_of(outer).wall or outer.fixed):
        front = rotated(outer.stand.yaw, (0.0, model_of(outer).size[1] / 2, 0.0))
        point = np.array([outer.stand.x + front[0], outer.stand.y + front[1], point[2]])
    return (float(point[0]), float(point[1]), float(point[2]))


def _unhidden(thing: Thing) -> Thing:
    return replace(thing, shuts=())


@lru_cache(maxsize=512)
def _leaf(thing: Thing, whole: bool) -> npt.NDArray[np.float64]:
    """Points of the floor that a door of the thing takes, in the world, (n, 2): where it is, or all that it sweeps."""
    if thing.stand is None or "open" not in props.FAMILIES.get(thing.look.family, props.FAMILIES["box"]).axes:
        return np.zeros((0, 2))
    look, axes = props.resolve(thing.look, phrases(thing))
    now = dict(axes).get("open", 0.0)
    shut = {part.name: part.matrix for part in props.build_at(look, (("open", 0.0),)).parts}
    where, points = placement(thing.stand.at, thing.stand.yaw), []
    for value in (0.25, 0.5, 0.75, 1.0) if whole or now < 0.3 else (now,):
        for part in props.build_at(look, (("open", value),)).parts:
            if part.name in shut and not np.allclose(part.matrix, shut[part.name], atol=1e-3):
                matrix = composed(where, part.matrix)
                points.append(_seen_from_above((part.mesh.vertices @ matrix[:, :3].T + matrix[:, 3])[:, :2]))
    return np.concatenate(points) if points else np.zeros((0, 2))


def _seen_from_above(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A leaf as points along its length: a slab has corners only, and nobody stands in its middle."""
    middle = points.mean(axis=0)
    axis = np.linalg.svd(points - middle, full_matrices=False)[2][0]
    along = (points - middle) @ axis
    return np.asarray(middle + np.linspace(along.min(), along.max(), 9)[:, None] * axis)


def in_the_way(scene: Scene, at: tuple[float, float], margin: float = 0.22, moving: str = "") -> bool:
    """Whether somebody there would stand in a door, or be hit by the one that is about to move."""
    for thing in scene.things:
        points = _leaf(thing, thing.id == moving)
        if len(points) and float(np.hypot(points[:, 0] - at[0], points[:, 1] - at[1]).min()) < margin:
            return True
    return False


def hidden(scene: Scene, at: tuple[float, float], moving: str = "") -> bool:
    """Whether something tall, or a door that stands open or is about to, hides somebody there from the camera."""
    lens = scene.lens
    if lens is None:
        return False
    eye = (lens.x, lens.y)
    to, away = bearing(eye, at), math.dist(eye, at)
    for thing in scene.things:
        if thing.stand is None or model_of(thing).size[2] < 1.25 or thing.relation != "stands":
            continue
        opens = thing.id == moving or not thing.shut
        points = [*_footprint(thing), *(_leaf(thing, thing.id == moving) if opens else ())]
        turns = [turned_by(to, bearing(eye, (float(p[0]), float(p[1])))) for p in points]
        near = min(math.dist(eye, (float(p[0]), float(p[1]))) for p in points)
        if min(turns) < 3 and max(turns) > -3 and max(turns) - min(turns) < 170 and near < away - 0.1:
            return True
    return False


def _overlaps(lens: Lens, at: tuple[float, float], others: list[Stand]) -> bool:
    """Whether somebody there would hide somebody else from the camera, or be hidden."""
    eye = (lens.x, lens.y)
    for other in others:
        there = (other.x, other.y)
        near = max(min(math.dist(eye, at), math.dist(eye, there)), 0.3)
        if abs(turned_by(bearing(eye, at), bearing(eye, there))) < math.degrees(math.atan2(0.34, near)):
            return True
    return False


def _footprint(thing: Thing) -> list[tuple[float, float]]:
    assert thing.stand is not None
    width, depth, _ = model_of(thing).size
    out = []
    for sx in (-0.5, 0.5):
        for sy in (-0.5, 0.5):
            shift = rotated(thing.stand.yaw, (sx * width, sy * depth, 0.0))
            out.append((thing.stand.x + shift[0], thing.stand.y + shift[1]))
    return out


def _wrong_side(scene: Scene, thing: str, at: tuple[float, float]) -> float:
    """How far behind its front somebody would stand to handle a thing: 0 in front, 1 at its back."""
    found = scene.props.get(thing)
    while found is not None and found.stand is None:
        found = scene.props.get(found.target)
    if found is None or found.stand is None or not (model_of(found).wall or found.fixed):
        return 0.0
    off = abs(turned_by(found.stand.yaw, bearing((found.stand.x, found.stand.y), at)))
    return max(0.0, off - 50) / 60


def _open_to_camera(at: tuple[float, float], target: tuple[float, float], lens: Lens | None) -> float:
    """Towards the target, the shoulders opened to the camera as far as work allows."""
    want = bearing(at, target)
    if lens is None:
        return want
    off = turned_by(want, bearing(at, (lens.x, lens.y)))
    return want + min(max(off, -24.0), 24.0)


def zone_stand(scene: Scene, place: PlaceModel, actor: Actor, zone: str) -> Stand:
    """Where somebody comes to stand in another zone."""
    focus = next((t for t in scene.things if t.relation == "stands" and t.zone == zone), None)
    return place_actor(scene.without([actor.id]), place, replace(actor, zone=zone), focus).stand


def meeting_stands(scene: Scene, place: PlaceModel, actor: str, partner: str) -> tuple[Stand, Stand]:
    """Where two people stand to hand something over: at arm's length, both in profile to the camera."""
    a, b = scene.people[actor], scene.people[partner]
    here, there = (a.stand.x, a.stand.y), (b.stand.x, b.stand.y)
    things = [t for t in scene.things if t.relation == "stands"]

    def clear(at: tuple[float, float]) -> bool:
        return is_free(place, things, at[0], at[1], 0.16) and not in_the_way(scene, at, 0.17)

    best, found = -1e9, (here, there)
    for theirs in (there, *_ring(there, 0.5, 45), *_ring(there, 1.0, 45)):
        if theirs != there and not clear(theirs):
            continue
        for mine in _ring(theirs, 0.82, 15):
            if clear(mine):
                score = _handing_over(scene, mine, theirs, (a.look.height, b.look.height))
                score -= 0.5 * math.dist(here, mine) + 0.7 * math.dist(there, theirs)
                if score > best:
                    best, found = score, (mine, theirs)
    way = bearing(*found)
    return Stand(*found[0], 0.0, way), Stand(*found[1], 0.0, way + 180)


def _ring(middle: tuple[float, float], radius: float, step: int) -> Iterator[tuple[float, float]]:
    for turn in range(0, 360, step):
        a = math.radians(turn)
        yield middle[0] + radius * math.sin(a), middle[1] + radius * math.cos(a)


def _handing_over(
    scene: Scene, mine: tuple[float, float], theirs: tuple[float, float], tall: tuple[float, float]
) -> float:
    """How well the camera sees two people and what passes between them."""
    if scene.lens is None:
        return 0.0
    camera, eye = camera_of(scene.lens), (scene.lens.x, scene.lens.y)
    score = _seen(camera, mine, tall[0], (*theirs, 1.2), [(*theirs, 1.2)])
    score += _seen(camera, theirs, tall[1], (*mine, 1.2), [(*mine, 1.2)])
    apart = abs(turned_by(bearing(eye, mine), bearing(eye, theirs)))
    return score - 0.15 * max(0.0, math.degrees(math.atan2(0.65, math.dist(eye, theirs))) - apart)


def in_frame(lens: Lens, stand: Stand, tall: float) -> bool:
    """Whether the camera sees the upper half of somebody who stands there."""
    points = np.array([(stand.x, stand.y, tall * share) for share in (0.95, 0.55)])
    seen = camera_of(lens).project(points, 1600, 900)
    if seen[:, 2].min() < 0.3:
        return False
    x, y = np.abs(seen[:, 0] / 800 - 1), np.abs(seen[:, 1] / 450 - 1)
    return bool(x.max() < 0.98 and y.min() < 0.9)


def stand_in_frame(scene: Scene, place: PlaceModel, actor: Actor) -> Stand:
    """The nearest clear point where the camera sees somebody who has left the picture."""
    assert scene.lens is not None
    lens, here = scene.lens, (actor.stand.x, actor.stand.y)
    things = [thing for thing in scene.things if thing.relation == "stands"]
    others = [other.stand for other in scene.actors if other.id != actor.id]
    best, found = 1e9, actor.stand
    for away in (1.6, 2.0, 2.4, 2.8, 3.3, 3.8, 4.5):
        for share in (-0.36, -0.26, -0.13, 0.0, 0.13, 0.26, 0.36):
            a = math.radians(lens.yaw + share * lens.fov)
            x, y = lens.x + away * math.sin(a), lens.y + away * math.cos(a)
            at, way = Stand(x, y, 0.0, actor.stand.yaw), math.dist(here, (x, y))
            if way >= best or not in_frame(lens, at, actor.look.height) or hidden(scene, (x, y)):
                continue
            apart = all(math.dist((x, y), (o.x, o.y)) > 0.6 for o in others)
            if apart and is_free(place, things, x, y, 0.2) and not in_the_way(scene, (x, y)):
                best, found = way, at
    return faced(found, lens)


def faced(stand: Stand, lens: Lens | None) -> Stand:
    """The same stand, turned no further from the camera than a face can be read."""
    ahead = rotated(stand.yaw, (0.0, 1.0, 0.0))
    return replace(stand, yaw=facing(stand, (stand.x + ahead[0], stand.y + ahead[1]), lens))


def best_hold(scene: Scene, actor: Actor, thing: Thing) -> float:
    """The slot of a held thing: the hand that the camera sees, unless it is full or would hang out of the frame."""
    full = {other.slot for other in scene.held_by(actor.id) if other.id != thing.id}
    first = visible_hand(actor.stand, scene.lens)
    side = first if first not in full else 1.0 - first
    model = model_of(thing)
    if scene.lens is None or full or is_pushed(model) or model.size[2] < 0.2:
        return side
    hung = replace(thing, relation="held", target=actor.id, slot=side)
    middle = middle_of(Posed(model, held_matrix(actor, Body(actor.stand), hung, model)))
    seen = camera_of(scene.lens).project(middle[None], 1600, 900)[0]
    return 0.5 if seen[2] > 0 and seen[1] > 900 * 0.88 else side


def visible_hand(stand: Stand, lens: Lens | None) -> float:
    """The hand whose side the camera sees: 0 left, 1 right."""
    if lens is None:
        return 1.0
    off = turned_by(stand.yaw, bearing((stand.x, stand.y), (lens.x, lens.y)))
    return 1.0 if off >= -10 else 0.0
