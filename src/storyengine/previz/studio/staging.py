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
from storyengine.previz.figures.figure import Figure, hand_matrix, pose_instances, world_matrices
from storyengine.previz.figures.skeleton import INDEX, Side
from storyengine.previz.figures.stance import Hand, Stance, solve
from storyengine.previz.props import PropModel
from storyengine.previz.render import Camera, Instance, View, composed, placement
from storyengine.previz.render.values import Floats, Vec3
from storyengine.previz.studio.scene import Actor, Lens, Scene, Stand, Thing

ACTOR_IDS, THING_IDS = 20_000, 30_000
"""Where the ids of people and things begin in the renderer's id buffer; a place's own numbers are lower."""


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
    """Its states as words: `open`, or `half full` for a fill of half."""
    return tuple(value for _, value in thing.states)


# --- a scene at rest -------------------------------------------------------------------------------------------


def rest(scene: Scene, phase: float = 0.0) -> Moment:
    """Everybody at ease, holding what they hold; `phase` is the breath, in breaths."""
    bodies = {actor.id: Body(actor.stand, stance_at_rest(scene, actor, phase)) for actor in scene.actors}
    return Moment(bodies, posed_things(scene, bodies))


def posed_things(scene: Scene, bodies: Mapping[str, Body]) -> dict[str, Posed]:
    """Where every visible thing is, given how people stand."""
    out: dict[str, Posed] = {}

    def pose(thing: Thing, chain: tuple[str, ...]) -> Posed | None:
        if thing.id in out:
            return out[thing.id]
        if thing.id in chain:
            return None
        model = model_of(thing)
        matrix = _matrix(scene, thing, model, bodies, lambda t: pose(t, (*chain, thing.id)))
        if matrix is None:
            return None
        posed = Posed(model, matrix)
        out[thing.id] = posed
        return posed

    for thing in scene.things:
        pose(thing, ())
    return {thing.id: out[thing.id] for thing in scene.things if thing.id in out and not scene.is_hidden(thing.id)}


def _matrix(scene, thing, model, bodies, posed):  # type: ignore[no-untyped-def]
    """The thing's place in the world; None where what it hangs on is not there."""
    match thing.relation:
        case "held":
            body = bodies.get(thing.target)
            return None if body is None else held_matrix(scene.people[thing.target], body, thing, model)
        case "worn":
            body = bodies.get(thing.target)
            return None if body is None else worn_matrix(scene.people[thing.target], body, thing, model)
        case "stands":
            stand = thing.stand
            return None if stand is None else standing_matrix(stand, model)
    target = scene.props.get(thing.target)
    support = None if target is None else posed(target)
    if support is None:
        return None
    if thing.relation == "on":
        return composed(support.matrix, resting_on(thing, model, support.model))
    if thing.relation == "in":
        return composed(support.matrix, lying_in(thing, model, support.model))
    return composed(support.matrix, fastened_to(thing, model, support.model))


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


def lying_in(thing: Thing, model: PropModel, container: PropModel) -> Floats:
    """Inside, made to fit; out of a narrow mouth it peeps."""
    space = container.inside
    low, high = (space.low, space.high) if space is not None else container.bounds()
    room = [max(high[k] - low[k], 0.02) for k in range(3)]
    flat = model.size[2] > room[2] * 1.6
    wide, deep = (model.size[0], model.size[1]) if not flat else (model.size[0], model.size[2])
    scale = min(1.0, 0.96 * room[0] / max(wide, 0.01), 1.25 * room[1] / max(deep, 0.01))
    scale = max(scale, 0.45)
    x = low[0] + room[0] * (0.5 + 0.5 * (thing.slot - 0.5))
    y = (low[1] + high[1]) / 2
    opens_upwards = space is None or room[2] < 0.75
    z = low[2]
    if opens_upwards and model.size[2] * scale < room[2]:
        # What lies deep in a bag or a box would never be seen: its upper part stays above the rim.
        z = high[2] - model.size[2] * scale * 0.45
    return placement((x, y, z + _hang(model) * scale), thing.turn, scale=scale)


def fastened_to(thing: Thing, model: PropModel, support: PropModel) -> Floats:
    """In front of the support, under its top: hung on a hook, screwed to a plate."""
    low, high = support.bounds()
    x = low[0] + (high[0] - low[0]) * (0.5 + 0.5 * (thing.slot - 0.5))
    front = high[1] + (0.02 if model.wall else model.size[1] / 2 + 0.01)
    height = low[2] + (high[2] - low[2]) * 0.78
    if model.hangs:
        return placement((x, front, height), thing.turn)
    return placement((x, front, max(low[2], height - model.size[2])), thing.turn)


def _hang(model: PropModel) -> float:
    return model.size[2] if model.hangs else 0.0


# --- people at rest --------------------------------------------------------------------------------------------


def stance_at_rest(scene: Scene, actor: Actor, phase: float = 0.0) -> Stance:
    """At ease, breathing, hands around what they hold, eyes on what they look at."""
    held = scene.held_by(actor.id)
    stance = breathing(Stance(gaze=gaze_at(scene, actor)), phase, actor)
    for thing in held:
        stance = holding(stance, figure_of(actor), thing, model_of(thing))
    return stance


def breathing(stance: Stance, phase: float, actor: Actor) -> Stance:
    """Chest, hips and lids in slow motion, each person in their own time."""
    own = (actor.look.face % 97) / 97
    wave = math.sin(2 * math.pi * (phase + own))
    sway = math.sin(2 * math.pi * (phase * 0.37 + own))
    blink = max(0.0, 1.0 - abs(((phase * 1.15 + own) % 1.6) - 0.8) / 0.035)
    x, y, z = stance.hips
    return replace(
        stance,
        breath=0.5 + 0.5 * wave,
        hips=(x + 0.006 * sway, y, z),
        side=stance.side + 0.4 * sway,
        lids=max(stance.lids, min(1.0, blink)),
    )


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


def hand_side(thing: Thing) -> Side:
    return "left" if thing.slot < 0.25 else "right"


def hold_style(model: PropModel) -> str:
    """How a thing is held: push, shoulder, both (hands), low (hanging from the arm) or up (before the chest)."""
    width, depth, height = model.size
    if model.carry == "push":
        return "push"
    if model.carry == "on shoulder":
        return "shoulder"
    if model.carry == "two hands front" or (max(width, depth) > 0.55 and height < 1.2):
        return "both"
    if height > 0.7 and max(width, depth) < 0.45:
        return "staff"
    if (model.grips and model.grips[0].at[2] > 0.5 * height and height > 0.2) or height > 0.3:
        return "low"
    return "up"


def holding(stance: Stance, figure: Figure, thing: Thing, model: PropModel) -> Stance:
    """The stance with the hands where the thing is held."""
    tall = figure.measures.height
    side = hand_side(thing)
    sign = -1.0 if side == "left" else 1.0
    match hold_style(model):
        case "push":
            reach = 0.36 * tall * 0.62
            left, right = (Hand((s * 0.24, reach, 0.46 * tall), curl=0.8) for s in (-1, 1))
            return replace(stance, left=left, right=right, lean=stance.lean + 6)
        case "shoulder":
            hand = Hand((sign * 0.20, 0.10, 0.86 * tall), curl=0.5, elbow=(sign * 0.6, 0.7, -0.6))
            return _with_hand(stance, side, hand)
        case "both":
            half = min(max(model.size[0] / 2, 0.10), 0.30)
            z = 0.56 * tall
            left = Hand((-half - 0.01, 0.26, z), fingers=(0.15, 0.9, -0.1), thumb=(0, 0.2, 1), curl=0.25)
            right = Hand((half + 0.01, 0.26, z), fingers=(-0.15, 0.9, -0.1), thumb=(0, 0.2, 1), curl=0.25)
            return replace(stance, left=left, right=right)
        case "staff":
            return _with_hand(stance, side, Hand((sign * 0.30, 0.20, 0.58 * tall), thumb=(0, 0, 1), curl=0.95))
        case "low":
            hang = Hand((sign * 0.25, 0.06, 0.43 * tall), fingers=(0, 0.05, -1), thumb=(0, 1, 0), curl=0.95)
            return _with_hand(stance, side, hang)
    up = Hand((sign * 0.17, 0.27, 0.64 * tall), fingers=(-sign * 0.55, 0.8, 0.1), thumb=(0, 0.1, 1), curl=0.55)
    return _with_hand(stance, side, up)


def _with_hand(stance: Stance, side: Side, hand: Hand) -> Stance:
    return replace(stance, left=hand) if side == "left" else replace(stance, right=hand)


def held_matrix(actor: Actor, body: Body, thing: Thing, model: PropModel) -> Floats:
    """A held thing in the world: upright, its grip in the hand."""
    figure, style = figure_of(actor), hold_style(model)
    stand = body.stand
    if style == "push":
        return pushed_matrix(stand, model, figure.measures.height)
    pose = solve(figure, body.stance)
    side = hand_side(thing)
    hand = hand_matrix(figure, pose, side, stand.at, stand.yaw)[:, 3]
    if style == "both":
        other = hand_matrix(figure, pose, "left" if side == "right" else "right", stand.at, stand.yaw)[:, 3]
        middle = (hand + other) / 2
        ahead = rotated(stand.yaw, (0.0, max(0.0, model.size[1] / 2 - 0.10), 0.0))
        z = middle[2] - model.size[2] * 0.45 + _hang(model)
        return placement((middle[0] + ahead[0], middle[1] + ahead[1], z), stand.yaw + thing.turn)
    if style == "shoulder":
        shoulder = rotated(stand.yaw, ((-1 if side == "left" else 1) * 0.17, -0.03, 0.0))
        at = (stand.x + shoulder[0], stand.y + shoulder[1], figure.measures.height * 0.835 + _hang(model))
        return placement(at, stand.yaw + 90, roll=0)
    turn = stand.yaw + thing.turn + (90.0 if style == "low" else 0.0)
    grip = _held_at(model, style)
    offset = rotated(turn, grip)
    return placement((hand[0] - offset[0], hand[1] - offset[1], hand[2] - grip[2]), turn)


def _held_at(model: PropModel, style: str) -> Vec3:
    """The point of the thing that is in the hand, in its own space."""
    if model.grips:
        grips = model.grips
        if style == "low" or style == "staff" or len(grips) == 1:
            return max(grips, key=lambda g: g.at[2]).at if style == "low" else grips[0].at
    low, high = model.bounds()
    if style == "low":
        return ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2] - 0.02)
    return ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2 - model.size[1] * 0.3, low[2] + (high[2] - low[2]) * 0.3)


def pushed_matrix(stand: Stand, model: PropModel, tall: float) -> Floats:
    """A wheeled thing before the one who pushes it: its handles at the hands."""
    handles = [g.at for g in model.grips[:2]] or [(0.0, -model.size[1] / 2, 0.9)]
    back = sum(h[1] for h in handles) / len(handles)
    ahead = rotated(stand.yaw, (0.0, 0.36 * tall * 0.62 - back, 0.0))
    return placement((stand.x + ahead[0], stand.y + ahead[1], 0.0), stand.yaw)


def worn_matrix(actor: Actor, body: Body, thing: Thing, model: PropModel) -> Floats:
    """Hats sit on the head, packs on the back, everything else at the chest."""
    figure, stand = figure_of(actor), body.stand
    bones = world_matrices(figure, solve(figure, body.stance), stand.at, stand.yaw)
    m = figure.measures
    if thing.look.family in ("hat", "cap", "hat/cap"):
        head = bones[INDEX["head"]]
        return composed(head, placement((0, 0, m.head * 0.52)))
    chest = bones[INDEX["chest"]]
    if thing.look.family in ("backpack", "bag", "basket", "sack"):
        return composed(chest, placement((0, -0.13 - model.size[1] / 2, -model.size[2] * 0.45), 180))
    return composed(chest, placement((0, 0.13, -model.size[2] * 0.4)))


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
            out += posed.model.instances(posed.matrix, numbered[thing.id])
    return tuple(out)


def numbers(scene: Scene) -> dict[str, int]:
    """The number of every person and thing in the id buffer."""
    people = {actor.id: ACTOR_IDS + i for i, actor in enumerate(scene.actors)}
    return people | {thing.id: THING_IDS + i for i, thing in enumerate(scene.things)}


def view(scene: Scene, moment: Moment, lens: Lens | None = None) -> View:
    chosen = lens or scene.lens
    assert chosen is not None
    return View(camera_of(chosen), instances(scene, moment))
