"""The studio's sets: places built and baked once per process, and where on their floor things and people can be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

import numpy as np

from storyengine.previz.places import PlaceModel, build_place
from storyengine.previz.places.model import Obstacle
from storyengine.previz.props import PropModel
from storyengine.previz.render import BakedRoom, Material, Quad, Room, Texture, Vec3, bake
from storyengine.previz.render.values import Lamp
from storyengine.previz.studio.scene import Lens, Scene, Setting, Stand, Thing
from storyengine.previz.studio.staging import ON_WALLS, model_of, rotated

EYE = 1.6
"""Height of a panorama's station, and of a camera whose height nobody tells."""


@lru_cache(maxsize=64)
def place_of(setting: Setting) -> PlaceModel:
    marks = tuple((mark.id, mark.name, mark.look) for mark in setting.marks)
    return build_place(setting.look, setting.zones, marks, setting.seed)


@lru_cache(maxsize=8)
def baked_of(setting: Setting | None) -> BakedRoom:
    """The place ready to be drawn; without a setting, the plain light studio of sheets and references."""
    return bake(place_of(setting).room if setting is not None else _backdrop())


def _backdrop() -> Room:
    """A wide pale floor running into a pale wall, evenly lit from the front."""
    paper = Material("paint", (0.93, 0.92, 0.90), picture=Texture(np.full((8, 8, 3), (237, 235, 230), np.uint8)))
    return Room(
        surfaces=(
            Quad((-6, -6, 0), (12, 0, 0), (0, 9, 0), paper),
            Quad((-6, 3, 0), (12, 0, 0), (0, 0, 6), paper),
            Quad((6, -6, 0), (-12, 0, 0), (0, 0, 6), paper),
            Quad((-6, -6, 0), (0, 9, 0), (0, 0, 6), paper),
            Quad((6, 3, 0), (0, -9, 0), (0, 0, 6), paper),
            Quad((-6, 3, 6), (12, 0, 0), (0, -9, 0), paper),
        ),
        lamps=(
            Lamp((-2.2, -3.4, 4.2), (1.0, 0.97, 0.93), 1.0, 0.9, 0.0),
            Lamp((2.6, -3.0, 3.6), (1.0, 0.98, 0.95), 0.7, 0.9, 0.0),
        ),
        brightness=0.62,
    )


def station_of(place: PlaceModel) -> Vec3:
    """Where the place's panorama is taken from: the clear point nearest its middle. It looks north."""
    low, high = place.bounds.low, place.bounds.high
    middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
    for radius in (0.0, 0.4, 0.8, 1.2, 1.6):
        for k in range(1 if radius == 0 else 8):
            x = middle[0] + radius * math.sin(k * math.pi / 4)
            y = middle[1] + radius * math.cos(k * math.pi / 4)
            if is_free(place, (), x, y, 0.35):
                return (x, y, min(EYE, high[2] - 0.3))
    return (middle[0], middle[1], min(EYE, high[2] - 0.3))


def inside(place: PlaceModel, x: float, y: float, margin: float = 0.0) -> bool:
    low, high = place.bounds.low, place.bounds.high
    return low[0] + margin <= x <= high[0] - margin and low[1] + margin <= y <= high[1] - margin


def is_free(place: PlaceModel, things: Iterable[Thing], x: float, y: float, margin: float) -> bool:
    """Whether a point of the floor is inside the place and clear of its equipment and of standing things."""
    if not inside(place, x, y):
        return False
    if any(_within(obstacle, x, y, margin) for obstacle in place.obstacles if obstacle.low < 1.7):
        return False
    return not any(_under(thing, x, y, margin) for thing in things)


def _within(obstacle: Obstacle, x: float, y: float, margin: float) -> bool:
    a = math.radians(obstacle.yaw)
    dx, dy = x - obstacle.middle[0], y - obstacle.middle[1]
    across, along = dx * math.cos(a) - dy * math.sin(a), dx * math.sin(a) + dy * math.cos(a)
    return abs(across) < obstacle.half[0] + margin and abs(along) < obstacle.half[1] + margin


def _under(thing: Thing, x: float, y: float, margin: float) -> bool:
    stand = thing.stand
    if stand is None or stand.z > 1.7:
        return False
    width, depth, _ = model_of(thing).size
    obstacle = Obstacle((stand.x, stand.y), (width / 2, depth / 2), stand.yaw, 0.0, 1.0)
    return _within(obstacle, x, y, margin)


# --- where things stand ----------------------------------------------------------------------------------------


def _is_furniture(model: PropModel) -> bool:
    """Whether things are put on it at sitting height or above: a stool stands on the floor, a tray on a table."""
    return any(rest.z >= 0.3 for rest in model.rests)


def site_for(place: PlaceModel, zone: str, model: PropModel, things: tuple[Thing, ...], order: int = 0) -> Stand:
    """A stand for a thing in a zone: against the zone's wall if it belongs there, else on clear floor close by."""
    spot = place.spots.get(zone) or next(iter(place.spots.values()))
    width, depth, _ = model.size
    if max(model.size) < 0.55 and model.carry != "fixed" and not model.hangs and not _is_furniture(model):
        for top in spot.tops:
            slots = (0.0, -0.28, 0.28)
            for slot in slots:
                shift = rotated(top.yaw, (slot * top.width, 0.0, 0.0))
                at = (top.position[0] + shift[0], top.position[1] + shift[1])
                if all(math.dist(at, (t.stand.x, t.stand.y)) > 0.3 for t in things if t.stand is not None):
                    return Stand(at[0], at[1], top.position[2], top.yaw)
    for number, site in enumerate(spot.sites):
        if number == 0 and not (model.wall or model.hangs or model.carry == "fixed" or (order == 0 and width > 0.5)):
            continue
        back = site.depth / 2 - depth / 2 - 0.02 if number == 0 else 0.0
        high = wall_height(place, model) if number == 0 else hanging_height(place, model)
        for slot in (0.0, -0.5, 0.5, -1.0, 1.0):
            reach = max(site.width - width, 0.0) / 2 if number == 0 else 0.0
            shift = rotated(site.yaw, (slot * reach, -back, 0.0))
            x, y = site.position[0] + shift[0], site.position[1] + shift[1]
            if _clear_of(things, x, y, max(width, depth) / 2, high) and inside(place, x, y, -0.3):
                return Stand(x, y, high, site.yaw)
    return _anywhere(place, spot.position, spot.facing, model, things)


def hanging_height(place: PlaceModel, model: PropModel) -> float:
    """Zero for what stands; what hangs gets its hanging point within reach under the ceiling."""
    if not model.hangs:
        return 0.0
    return min(max(1.95, model.size[2] + 0.9), place.bounds.high[2] - 0.1)


def wall_height(place: PlaceModel, model: PropModel) -> float:
    """How high against a wall a thing is put: zero for furniture, at eye height for what is looked at or hung on."""
    edge = None if place.outdoor else ON_WALLS.get(model.look.family)
    if edge is None:
        return hanging_height(place, model)
    return max(0.0, min(edge, place.bounds.high[2] - model.size[2] - 0.1))


def _clear_of(things: tuple[Thing, ...], x: float, y: float, half: float, above: float = 0.0) -> bool:
    """Whether nothing that reaches higher than `above` stands within `half` metres of a point."""
    for thing in things:
        if thing.stand is not None and thing.relation == "stands":
            width, depth, tall = model_of(thing).size
            near = math.dist((x, y), (thing.stand.x, thing.stand.y)) < half * 0.9 + max(width, depth) * 0.45 + 0.04
            if near and thing.stand.z + tall >= above:
                return False
    return True


def _anywhere(place: PlaceModel, near: Vec3, facing: float, model: PropModel, things: tuple[Thing, ...]) -> Stand:
    """Clear floor, as near as possible to a point but not on it."""
    beside = Stand(near[0] + 0.8, near[1] + 0.4, hanging_height(place, model), facing + 180)
    return next(_clear_floor(place, near, facing, model, things, 0.75), beside)


def _clear_floor(
    place: PlaceModel, near: Vec3, facing: float, model: PropModel, things: tuple[Thing, ...], least: float
) -> Iterator[Stand]:
    """Points of clear floor around another, nearest first."""
    half = max(model.size[0], model.size[1]) / 2
    for radius in (least, 1.0, 1.3, 1.6, 2.0, 2.5, 3.0):
        for turn in (40, -40, 75, -75, 10, -10, 110, -110, 150, -150, 180):
            shift = rotated(facing + turn, (0.0, radius, 0.0))
            x, y = near[0] + shift[0], near[1] + shift[1]
            if is_free(place, (), x, y, half) and _clear_of(things, x, y, half):
                yield Stand(x, y, hanging_height(place, model), facing + 180)


def floor_near(place: PlaceModel, near: Stand, model: PropModel, scene: Scene) -> tuple[Stand, ...]:
    """Clear floor beside somebody, for what is put down there: the nearest points, at least one."""
    found = tuple(islice(_clear_floor(place, near.at, near.yaw, model, scene.things, 0.55), 12))
    return found or (_anywhere(place, near.at, near.yaw, model, scene.things),)


# --- where cameras stand ---------------------------------------------------------------------------------------


def lens_from(place: PlaceModel, yaw: float, pitch: float, fov: float, right: float, forward: float) -> Lens:
    """The camera that a contract asks for, moved as little as needed out of walls and equipment."""
    station = station_of(place)
    low, high = place.bounds.low, place.bounds.high
    for share in (1.0, 0.85, 0.7, 0.55, 0.4, 0.2, 0.0):
        x = min(max(station[0] + right * share, low[0] + 0.05), high[0] - 0.05)
        y = min(max(station[1] + forward * share, low[1] + 0.05), high[1] - 0.05)
        if is_free(place, (), x, y, 0.12):
            return Lens(x, y, station[2], yaw, pitch, fov)
    return Lens(station[0], station[1], station[2], yaw, pitch, fov)
