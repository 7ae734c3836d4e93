"""From a scene to what the renderer draws: bodies in stances, things in the world, everything where it belongs.

    Moment = bodies (who stands where, and how) + posed things
    rest(scene) → Moment                 nobody moves
    view(scene, moment) → View           instances and camera

The animator makes other moments between two scenes at rest; how they become instances is decided here alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from storyengine.previz import props
from storyengine.previz.acting.carrying import carried, carrying
from storyengine.previz.acting.fixtures import handle_track
from storyengine.previz.acting.handling import hands_for
from storyengine.previz.acting.timing import alive
from storyengine.previz.acting.values import Hands
from storyengine.previz.colours import PART_NOUNS, first_colour
from storyengine.previz.figures.figure import Figure, pose_instances, world_matrices
from storyengine.previz.figures.skeleton import INDEX
from storyengine.previz.figures.stance import Stance, solve
from storyengine.previz.props import PropModel
from storyengine.previz.render import Camera, Instance, View, composed, placement
from storyengine.previz.render.values import Floats, Vec3
from storyengine.previz.studio.scene import Actor, Lens, Scene, Stand, Thing

ACTOR_IDS, THING_IDS = 20_000, 30_000
"""Where the ids of people and things begin in the renderer's id buffer; a place's own numbers are lower."""


HATS = frozenset(("hat", "cap", "helmet", "crown", "bonnet"))
PACKS = frozenset(("backpack", "bag", "basket", "sack", "satchel"))
ON_WALLS = {"hook": 1.45, "gauge": 1.3, "clock": 1.75, "picture": 1.4, "window": 0.9, "blind": 0.9}
"""What hangs on walls though it could lie on a floor, with the height of its lower edge, metres."""
TALL = 0.85
"""A container whose room is higher than this is reached into from the front; lower ones from above."""


@dataclass(frozen=True, eq=False)
class Body:
    """A person at a moment."""

    stand: Stand
    stance: Stance = field(default_factory=Stance)


@dataclass(frozen=True, eq=False)
class Posed:
    """A thing at a moment: its model in its present state, and where it is."""

    model: PropModel
    matrix: Floats


@dataclass(frozen=True, eq=False)
class Moment:
    """Everybody and everything at one instant. Hidden things are left out."""

    bodies: Mapping[str, Body]
    things: Mapping[str, Posed]


# --- models ----------------------------------------------------------------------------------------------------


def figure_of(actor: Actor) -> Figure:
    return Figure.build(actor.look)


def model_of(thing: Thing) -> PropModel:
    return props.build(thing.look, phrases(thing))


def phrases(thing: Thing) -> tuple[str, ...]:
    """Its states as words: `open`, or `handle gold` where only a part has a colour."""
    return tuple(
        f"{attribute} {value}" if attribute in PART_NOUNS and first_colour(value) is not None else value
        for attribute, value in thing.states
    )


# --- a scene at rest -------------------------------------------------------------------------------------------


def rest(scene: Scene, clock: float = 0.0) -> Moment:
    """Everybody at ease, holding what they hold; `clock` is the time by which they breathe."""
    bodies = {actor.id: Body(actor.stand, stance_at_rest(scene, actor, clock)) for actor in scene.actors}
    return Moment(bodies, posed_things(scene, bodies))


def posed_things(
    scene: Scene, bodies: Mapping[str, Body], moved: Mapping[str, Posed] | None = None
) -> dict[str, Posed]:
    """Where every visible thing is, given how people stand and what is on its way somewhere (`moved`)."""
    out: dict[str, Posed] = dict(moved or {})
    posed = {thing.id: _posed(scene, thing, bodies, out, ()) for thing in scene.things}
    shown = (thing for thing in scene.things if (moved and thing.id in moved) or not scene.is_hidden(thing.id))
    return {thing.id: found for thing in shown if (found := posed[thing.id]) is not None}


def _posed(
    scene: Scene, thing: Thing, bodies: Mapping[str, Body], known: dict[str, Posed], chain: tuple[str, ...]
) -> Posed | None:
    """A thing and, before it, what it hangs on; None where that is not there."""
    if thing.id in known:
        return known[thing.id]
    if thing.id in chain:
        return None
    support: Posed | None = None
    target = scene.props.get(thing.target) if thing.relation in ("on", "in", "fastened") else carried_on(scene, thing)
    if target is not None:
        support = _posed(scene, target, bodies, known, (*chain, thing.id))
    model = model_of(thing)
    matrix = _matrix(scene, thing, model, bodies, support)
    if matrix is None:
        return None
    known[thing.id] = Posed(model, matrix)
    return known[thing.id]


def _matrix(
    scene: Scene, thing: Thing, model: PropModel, bodies: Mapping[str, Body], support: Posed | None
) -> Floats | None:
    """The thing's place in the world; None where what it hangs on is not there."""
    if thing.relation == "stands":
        return None if thing.stand is None else standing_matrix(thing.stand, model)
    if thing.relation == "held" and support is not None:
        return composed(support.matrix, upright_on(thing, model, support.model))
    if thing.relation in ("held", "worn"):
        body = bodies.get(thing.target)
        if body is None:
            return None
        place = held_matrix if thing.relation == "held" else worn_matrix
        return place(scene.people[thing.target], body, thing, model)
    if support is None:
        return None
    if thing.relation == "fastened":
        return composed(support.matrix, fastened_to(thing, model, support.model, float(support.matrix[2, 3])))
    hang = {"on": resting_on, "in": lying_in}[thing.relation]
    return composed(support.matrix, hang(thing, model, support.model))


def standing_matrix(stand: Stand, model: PropModel) -> Floats:
    lift = model.size[2] if model.hangs and stand.z < 0.05 else 0.0
    return placement((stand.x, stand.y, stand.z + lift), stand.yaw)


def resting_on(thing: Thing, model: PropModel, support: PropModel) -> Floats:
    """On the support's widest level, at the thing's slot along its width."""
    if not support.rests:
        low, high = support.bounds()
        x, y, z = 0.0, 0.0, high[2] if not support.hangs else low[2]
        span = support.size[0] * 0.3
        return placement((x + (thing.slot - 0.5) * span, y, z + _hang(model)), thing.turn)
    level = max(support.rests, key=lambda r: ((r.high[0] - r.low[0]) * (r.high[1] - r.low[1]), r.z))
    half = min(model.size[0] / 2, (level.high[0] - level.low[0]) / 2)
    low_x, high_x = level.low[0] + half, level.high[0] - half
    deep = min(model.size[1] / 2, (level.high[1] - level.low[1]) / 2)
    y = min(max((level.low[1] + level.high[1]) / 2, level.low[1] + deep), level.high[1] - deep)
    return placement((low_x + (high_x - low_x) * thing.slot, y, level.z + _hang(model)), thing.turn)


def upright_on(thing: Thing, model: PropModel, support: PropModel) -> Floats:
    """On something at the height of the chest, flat things on edge: lying there they would not be seen."""
    place = resting_on(thing, model, support)
    _, deep, thick = model.size
    if thick > 0.4 * deep or model.hangs:
        return place
    x, y, z = place[:, 3]
    return placement((float(x), float(y), float(z) + deep / 2), thing.turn, pitch=90)


def lying_in(thing: Thing, model: PropModel, container: PropModel) -> Floats:
    """Inside, made to fit: on a shelf or hook of what is tall, peeping out of what is low."""
    space = container.inside
    low, high = (space.low, space.high) if space is not None else container.bounds()
    room = [max(high[k] - low[k], 0.02) for k in range(3)]
    scale = min(1.0, 0.98 * room[0] / max(model.size[0], 0.01), 1.15 * room[1] / max(model.size[1], 0.01))
    scale = max(scale, 0.5)
    tall = model.size[2] * scale
    x = low[0] + room[0] * (0.5 + 0.5 * (thing.slot - 0.5))
    y = (low[1] + high[1]) / 2
    if room[2] > TALL:
        return placement(
            (x, y, _level_in(model, container, tall, low[2], high[2]) + _hang(model) * scale), thing.turn, scale=scale
        )
    # What lies deep in a bag or a box would never be seen: its upper part stays above the rim, flat things on edge.
    _, deep, thick = (scale * side for side in model.size)
    if thick < 0.4 * deep and room[1] < 1.4 * deep and not model.hangs:
        rim = max(high[2] - 0.08 * deep, container.size[2] - 0.25 * deep)
        return placement((x, y, rim), thing.turn, pitch=90, scale=scale)
    z = max(low[2], high[2] - 0.55 * tall)
    return placement((x, y, z + _hang(model) * scale), thing.turn, scale=scale)


def _level_in(model: PropModel, container: PropModel, tall: float, low: float, high: float) -> float:
    """The height at which a thing is put into something tall: hung by its handle, on a shelf, or on its floor."""
    handled = bool(model.grips) and max(g.at[2] for g in model.grips) > 0.8 * model.size[2] and tall > 0.25
    if handled and high > 1.2:
        return high - tall - 0.04
    shelves = [r.z for r in container.rests if low < r.z < high + 0.1 and r.z < 1.5]
    return max(shelves) if shelves else low


HOOKS, BOARD = 0.14, 0.035
"""How far from the middle of its board each of two hooks is, and how thick the board is, metres."""


def fastened_to(thing: Thing, model: PropModel, support: PropModel, raised: float = 0.0) -> Floats:
    """In front of the support, under its top: hung on a hook, screwed to a plate.

    What is fastened to something on a wall, `raised` metres above the floor, may hang down as far as the floor.
    """
    low, high = support.bounds()
    x = low[0] + (high[0] - low[0]) * (0.5 + 0.5 * (thing.slot - 0.5))
    front = high[1] + (0.02 if model.wall else model.size[1] / 2 + 0.01)
    if support.look.family == "hook":  # it is on the hook, not before it
        x, front = math.copysign(HOOKS, thing.slot - 0.49), low[1] + BOARD + model.size[1] / 2
    height = low[2] + (high[2] - low[2]) * 0.78
    if model.hangs:
        return placement((x, front, height), thing.turn)
    lowest = -raised if support.look.family in ON_WALLS else low[2]
    return placement((x, front, max(lowest, height - model.size[2])), thing.turn)


def _hang(model: PropModel) -> float:
    return model.size[2] if model.hangs else 0.0


# --- people at rest --------------------------------------------------------------------------------------------


def stance_at_rest(scene: Scene, actor: Actor, clock: float = 0.0) -> Stance:
    """At ease, breathing, hands around what they hold, eyes on what they look at."""
    return alive(stance_of(scene, actor), clock, actor.look.face)


def stance_of(scene: Scene, actor: Actor) -> Stance:
    """The same without breath: what acting begins from and ends in."""
    stance = Stance(gaze=gaze_at(scene, actor))
    for thing in scene.held_by(actor.id):
        if carried_on(scene, thing) is None:
            stance = holding(stance, figure_of(actor), thing, model_of(thing))
    return stance


TRAY = 0.18
"""How large a thing is, each way, in metres, on which others can be carried."""


def carried_on(scene: Scene, thing: Thing) -> Thing | None:
    """What somebody carries with both hands bears what else they hold, which would be hidden behind it; of two things
    for both hands the larger one."""
    if thing.relation != "held":
        return None
    own = model_of(thing)
    for other in scene.held_by(thing.target):
        model = model_of(other)
        if other.id == thing.id or not _is_tray(model):
            continue
        larger = (math.prod(model.size), other.id) > (math.prod(own.size), thing.id)
        if larger if _is_tray(own) else min(model.size) >= 1.5 * min(own.size):
            return other
    return None


def _is_tray(model: PropModel) -> bool:
    return hands_for(model) == "both" and not is_pushed(model) and min(model.size) >= TRAY


def gaze_at(scene: Scene, actor: Actor) -> Vec3 | None:
    """The point that the actor looks at, in their own space."""
    if not actor.eyes:
        return None
    if actor.eyes in scene.people:
        other = scene.people[actor.eyes]
        return to_own(actor.stand, (other.stand.x, other.stand.y, other.look.height * 0.92))
    thing = scene.props.get(actor.eyes)
    seen: set[str] = set()
    while thing is not None and thing.stand is None and thing.id not in seen:
        seen.add(thing.id)
        if thing.target == actor.id:
            return (0.15, 0.45, 0.95)
        thing = scene.props.get(thing.target)
    if thing is None or thing.stand is None:
        return None
    return to_own(actor.stand, (thing.stand.x, thing.stand.y, thing.stand.z + model_of(thing).size[2] * 0.8))


def hands_of(thing: Thing, model: PropModel) -> Hands:
    """The hands that hold it: both for what is wide, else those of its slot (0 left, 1 right, ½ both)."""
    if hands_for(model) == "both" or 0.25 <= thing.slot <= 0.75:
        return "both"
    return "left" if thing.slot < 0.25 else "right"


def is_pushed(model: PropModel) -> bool:
    return model.carry == "push"


def holding(stance: Stance, figure: Figure, thing: Thing, model: PropModel) -> Stance:
    """The stance with the hands where the thing is held."""
    hands = hands_of(thing, model)
    held = carrying(figure, model, hands)
    if hands != "right":
        stance = replace(stance, left=held.left)
    if hands != "left":
        stance = replace(stance, right=held.right)
    return replace(stance, lean=stance.lean + held.lean)


def held_matrix(actor: Actor, body: Body, thing: Thing, model: PropModel) -> Floats:
    """A held thing in the world."""
    stand = body.stand
    return composed(placement(stand.at, stand.yaw), carried(figure_of(actor), model, hands_of(thing, model)))


def worn_matrix(actor: Actor, body: Body, thing: Thing, model: PropModel) -> Floats:
    """Hats sit on the head, packs on the back, everything else at the chest."""
    figure, stand = figure_of(actor), body.stand
    bones = world_matrices(figure, solve(figure, body.stance), stand.at, stand.yaw)
    m = figure.measures
    if thing.look.family in HATS:
        head = bones[INDEX["head"]]
        return composed(head, placement((0, 0, m.head * 0.52)))
    chest = bones[INDEX["chest"]]
    if thing.look.family in PACKS:
        return composed(chest, placement((0, -0.13 - model.size[1] / 2, -model.size[2] * 0.45), 180))
    return composed(chest, placement((0, 0.13, -model.size[2] * 0.4)))


def changing_axis(before: Thing, after: Thing) -> tuple[str, float, float]:
    """The axis of state that changes most between two states of a thing, with its first and last value."""
    _, axes_a = props.resolve(before.look, phrases(before))
    _, axes_b = props.resolve(after.look, phrases(after))
    a, b = dict(axes_a), dict(axes_b)
    names = sorted({*a, *b} - {"mark"}) or ["mark"]
    axis = max(names, key=lambda name: abs(a.get(name, 0.0) - b.get(name, 0.0)))
    return axis, a.get(axis, 0.0), b.get(axis, 0.0)


def handle_way(before: Scene, after: Scene, thing: str) -> tuple[Vec3, ...]:
    """The way of a thing's handle while its state changes, in the world; empty where nothing moves."""
    found = posed_things(before, {actor.id: Body(actor.stand) for actor in before.actors}).get(thing)
    axis, first, last = changing_axis(before.props[thing], after.props[thing])
    if found is None or axis not in props.AXES:
        return ()
    look, axes = props.resolve(before.props[thing].look, phrases(before.props[thing]))
    others = tuple((name, value) for name, value in axes if name not in (axis, "mark"))
    return handle_track(look, axis, first, last, found.matrix, others)


# --- geometry --------------------------------------------------------------------------------------------------


def rotated(yaw: float, own: Vec3) -> Vec3:
    """A vector of something's own space, seen in the world (compass bearing)."""
    a = math.radians(yaw)
    return (
        own[0] * math.cos(a) + own[1] * math.sin(a),
        -own[0] * math.sin(a) + own[1] * math.cos(a),
        own[2],
    )


def to_own(stand: Stand, point: Vec3) -> Vec3:
    """A world point in the space of somebody who stands there."""
    dx, dy = point[0] - stand.x, point[1] - stand.y
    a = math.radians(stand.yaw)
    return (dx * math.cos(a) - dy * math.sin(a), dx * math.sin(a) + dy * math.cos(a), point[2] - stand.z)


def bearing(start: tuple[float, float], end: tuple[float, float]) -> float:
    return math.degrees(math.atan2(end[0] - start[0], end[1] - start[1]))


def turned_by(start: float, end: float) -> float:
    """The shorter way from one bearing to another, -180 to 180."""
    return (end - start + 180.0) % 360.0 - 180.0


def middle_of(posed: Posed) -> Floats:
    low, high = posed.model.bounds()
    own = (np.array(low) + np.array(high)) / 2
    return np.asarray(posed.matrix[:, :3] @ own + posed.matrix[:, 3])


# --- into the picture ------------------------------------------------------------------------------------------


def camera_of(lens: Lens) -> Camera:
    return Camera((lens.x, lens.y, lens.z), lens.yaw, lens.pitch, lens.fov)


def instances(scene: Scene, moment: Moment) -> tuple[Instance, ...]:
    """Everything that moves, with its number in the id buffer (see `numbers`)."""
    numbered = numbers(scene)
    out: list[Instance] = []
    for actor in scene.actors:
        body = moment.bodies[actor.id]
        pose = solve(figure_of(actor), body.stance)
        out += pose_instances(figure_of(actor), pose, body.stand.at, body.stand.yaw, numbered[actor.id])
    for thing in scene.things:
        posed = moment.things.get(thing.id)
        if posed is not None:
            lifted = thing.relation in ("held", "worn")
            out += posed.model.instances(posed.matrix, numbered[thing.id], lifted=lifted)
    return tuple(out)


def numbers(scene: Scene) -> dict[str, int]:
    """The number of every person and thing in the id buffer."""
    people = {actor.id: ACTOR_IDS + i for i, actor in enumerate(scene.actors)}
    return people | {thing.id: THING_IDS + i for i, thing in enumerate(scene.things)}


def view(scene: Scene, moment: Moment, lens: Lens | None = None) -> View:
    chosen = lens or scene.lens
    assert chosen is not None
    return View(camera_of(chosen), instances(scene, moment))
