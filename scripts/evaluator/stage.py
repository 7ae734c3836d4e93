"""Crowded stages: things and people put anywhere before the camera, in random states, one of them now and then twice.

Composing a film's picture takes a second, putting things about takes none: most of what is learned of states and of
who holds what comes from here. Nothing sinks into anything else, but a wardrobe may well stand in a doorway.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from storyengine.plan import AttachedTo, Entity, HeldBy, OnSurface, Placement, target_of
from storyengine.previz.grading.library import StoryLibrary
from storyengine.previz.grading.stories import relations
from storyengine.previz.places import PlaceModel
from storyengine.previz.render import Camera
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.scene import SLOTS, Actor, Lens, Relation, Scene, Stand, Thing
from storyengine.previz.studio.sets import is_free, place_of, wall_height
from storyengine.previz.studio.staging import Moment, bearing, model_of, rest
from storyengine.previz.studio.truth import AGAIN

TRIES = 14
BESIDE = 3
"""Other things on a stage that is about one."""
Spots = list[tuple[float, float, float]]
"""Taken circles of the floor: x, y, radius."""


def staged(library: StoryLibrary, place: str, dice: Random, about: Entity | None = None) -> Scene:
    """A scene with its camera: most things of a cast, or a few, of which one is `about`."""
    setting = library.setting(place)
    model = place_of(setting)
    eye = floor_point(model, dice)
    toward = dice.uniform(0, 360)
    far = dice.uniform(1.8, 4.6)
    middle = _ahead(model, eye, toward, far)
    scene = Scene("view", setting=setting)
    taken: Spots = [(*eye, 0.5)]
    wide = min(0.28 * math.dist(eye, middle) + 0.5, 1.7)
    for person in dice.sample(
        library.cast.people, dice.choice((0, 1, 2, 2, 3)) if about is None else dice.choice((0, 1, 1, 2))
    ):
        scene = _with_person(scene, library, person, (middle, wide, eye), taken, dice)
    for entity in _chosen(library.cast.things, about, dice):
        scene = _with_thing(scene, library, entity, (middle, wide, eye), taken, dice)
    loose = [t for t in scene.things if max(model_of(t).size) < 1.0]
    for twin in dice.sample(loose, min(len(loose), dice.choice((0, 1, 1, 2)))):
        second = replace(twin, id=twin.id + AGAIN, relation="stands", target="", slot=0.5, turn=0.0)
        scene = _stood(scene, second, (middle, wide, eye), taken, dice)
    scene = _looking(scene, dice)
    return replace(scene, lens=_lens(scene, (*eye, dice.uniform(0.9, 2.0)), middle, dice))


def _chosen(things: Sequence[Entity], about: Entity | None, dice: Random) -> list[Entity]:
    """Which things come on stage, those first that others can be put on or into."""
    some = dice.sample(things, len(things))
    if about is not None:
        some = [about, *[t for t in some[:BESIDE] if t is not about]]
    some.sort(key=lambda t: not {"surface", "container", "mount"} & set(t.roles))
    return some if about is not None else some[: dice.randint(4, len(some))]


def nearer(scene: Scene, dice: Random) -> Scene:
    """The same, closer to somebody or something."""
    assert scene.lens is not None
    lens = scene.lens
    spots = [(t.stand.x, t.stand.y) for t in scene.things if t.stand is not None]
    spots += [(a.stand.x, a.stand.y) for a in scene.actors]
    if not spots:
        return scene
    x, y = dice.choice(spots)
    away = max(math.dist((x, y), (lens.x, lens.y)), 0.6)
    fov = min(max(math.degrees(2 * math.atan(dice.uniform(0.6, 1.6) / away)), 24), 75)
    at = Camera.looking_at((lens.x, lens.y, lens.z), (x, y, dice.uniform(0.3, 1.5)), fov)
    turned = replace(lens, yaw=at.yaw + dice.uniform(-8, 8), pitch=at.pitch + dice.uniform(-4, 4), fov=fov)
    return replace(scene, lens=turned)


def close_up(scene: Scene, dice: Random, about: str) -> tuple[Scene, Moment]:
    """The same, close to a thing, from any side."""
    assert scene.setting is not None
    moment, place = rest(scene), place_of(scene.setting)
    posed = moment.things[about]
    half = max(posed.model.size) / 2
    x, y, z = posed.matrix[:, :3] @ (0.0, 0.0, posed.model.size[2] / 2) + posed.matrix[:, 3]
    away, toward = half + dice.uniform(1.0, 3.2), dice.uniform(0, 2 * math.pi)
    for _ in range(TRIES):
        away, toward = half + dice.uniform(1.0, 3.2), dice.uniform(0, 2 * math.pi)
        if is_free(place, (), x + away * math.sin(toward), y + away * math.cos(toward), 0.2):
            break
    eye = (x + away * math.sin(toward), y + away * math.cos(toward), dice.uniform(0.8, 2.0))
    fov = min(max(2 * math.degrees(math.atan(16 / 9 * half / dice.uniform(0.3, 0.9) / away)), 10), 80)
    at = Camera.looking_at(eye, (x, y, z), fov)
    lens = Lens(*eye, at.yaw + dice.uniform(-0.1, 0.1) * fov, at.pitch + dice.uniform(-0.06, 0.06) * fov, fov)
    return replace(scene, lens=lens), moment


def portrait(scene: Scene, dice: Random) -> Scene:
    """The same, closer to a face; somebody may have turned to the camera."""
    assert scene.lens is not None
    if not scene.actors:
        return nearer(scene, dice)
    lens, actor = scene.lens, dice.choice(scene.actors)
    stand = actor.stand
    if dice.random() < 0.6:
        toward = bearing((stand.x, stand.y), (lens.x, lens.y))
        scene = scene.with_actor(replace(actor, stand=replace(stand, yaw=toward + dice.gauss(0, 30)), eyes=""))
    away = max(math.dist((stand.x, stand.y), (lens.x, lens.y)), 0.6)
    tall = 0.22 / dice.uniform(0.05, 0.25)
    fov = min(max(math.degrees(2 * math.atan(tall * 8 / 9 / away)), 15), 75)
    high = actor.look.height * dice.uniform(0.75, 0.98)
    at = Camera.looking_at((lens.x, lens.y, lens.z), (stand.x, stand.y, high), fov)
    turned = replace(lens, yaw=at.yaw + dice.uniform(-0.2, 0.2) * fov, pitch=at.pitch, fov=fov)
    return replace(scene, lens=turned)


def restated(scene: Scene, library: StoryLibrary, dice: Random) -> Scene:
    """The same with other states."""
    entities = library.cast.catalog.entities
    things = []
    for thing in scene.things:
        entity = entities[thing.id.removesuffix(AGAIN)]
        things.append(replace(thing, states=_states(entity, dice)))
    return replace(scene, things=tuple(things))


# --- who and what stands where -------------------------------------------------------------------------------------

Before = tuple[tuple[float, float], float, tuple[float, float]]
"""The middle of what is seen, how far things stand from it, and where the camera is."""


def floor_point(place: PlaceModel, dice: Random) -> tuple[float, float]:
    """Somewhere to stand."""
    low, high = place.bounds.low, place.bounds.high
    x, y = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
    for _ in range(40):
        x, y = dice.uniform(low[0] + 0.3, high[0] - 0.3), dice.uniform(low[1] + 0.3, high[1] - 0.3)
        if is_free(place, (), x, y, 0.3):
            break
    return (x, y)


def _ahead(place: PlaceModel, eye: tuple[float, float], toward: float, far: float) -> tuple[float, float]:
    """A point that far away, or nearer where a wall comes first."""
    for turn in range(0, 360, 40):
        a = math.radians(toward + turn)
        for share in (1.0, 0.75, 0.55):
            x, y = eye[0] + share * far * math.sin(a), eye[1] + share * far * math.cos(a)
            if is_free(place, (), x, y, 0.2) and share * far > 1.5:
                return (x, y)
    return (eye[0], eye[1] + 1.5)


def _free_stand(scene: Scene, half: float, before: Before, taken: Spots, dice: Random) -> tuple[float, float] | None:
    assert scene.setting is not None
    place = place_of(scene.setting)
    middle, wide, eye = before
    for _ in range(TRIES):
        x, y = dice.gauss(middle[0], wide), dice.gauss(middle[1], wide)
        clear = all(math.dist((x, y), (a, b)) > half + r for a, b, r in taken)
        if clear and is_free(place, (), x, y, min(half, 0.5)) and math.dist((x, y), eye) > 0.8 + half:
            return (x, y)
    return None


def _with_person(
    scene: Scene, library: StoryLibrary, entity: Entity, before: Before, taken: Spots, dice: Random
) -> Scene:
    at = _free_stand(scene, 0.28, before, taken, dice)
    if at is None:
        return scene
    look = library.known(entity.id).actors[0].look
    if dice.random() < 0.4:
        # One other face for each: building one takes half a second.
        look = replace(look, face=Dice("none", library.sample).seed(f"face of {entity.id}"))
    taken.append((*at, 0.28))
    yaw = bearing(at, before[2]) + (dice.gauss(0, 45) if dice.random() < 0.75 else dice.uniform(-180, 180))
    return scene.with_actor(Actor(entity.id, look, Stand(*at, 0.0, yaw)))


def _states(entity: Entity, dice: Random) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((a.name, dice.choice(a.values)) for a in entity.attributes))


def _with_thing(
    scene: Scene, library: StoryLibrary, entity: Entity, before: Before, taken: Spots, dice: Random
) -> Scene:
    look = library.known(entity.id).things[0].look
    shuts = tuple((a.name, value) for a in entity.attributes for value in a.conceals)
    thing = Thing(entity.id, look, states=_states(entity, dice), shuts=shuts)
    entities = library.cast.catalog.entities
    choices: list[Placement] = []
    if dice.random() < 0.72:
        for other in scene.things:
            choices += relations(entity, entities[other.id])
    if dice.random() < 0.6:
        for actor in scene.actors:
            choices += relations(entity, entities[actor.id], taken=bool(scene.held_by(actor.id)))
    if not choices:
        return _stood(scene, thing, before, taken, dice)
    return _hung(scene, thing, dice.choice(choices), dice)


def _hung(scene: Scene, thing: Thing, placement: Placement, dice: Random) -> Scene:
    target = target_of(placement) or ""
    relation: Relation = "in"
    if isinstance(placement, OnSurface):
        relation = "on"
    elif isinstance(placement, HeldBy):
        relation = "held"
    elif isinstance(placement, AttachedTo):
        relation = "worn" if target in scene.people else "fastened"
    used = [t.slot for t in scene.things if t.target == target]
    free = [slot for slot in SLOTS if all(abs(slot - other) > 0.25 for other in used)]
    if relation in ("on", "in", "fastened") and not free:
        return scene
    slot = dice.choice((0.0, 1.0, 1.0)) if relation == "held" else dice.choice(free or [0.5])
    turn = dice.choice((0.0, 0.0, dice.uniform(-60, 60))) if relation == "on" else 0.0
    return scene.with_thing(replace(thing, relation=relation, target=target, slot=slot, turn=turn))


def _stood(scene: Scene, thing: Thing, before: Before, taken: Spots, dice: Random) -> Scene:
    assert scene.setting is not None
    model = model_of(thing)
    half = 0.42 * max(model.size[0], model.size[1])
    at = _free_stand(scene, half, before, taken, dice)
    if at is None:
        return scene
    taken.append((*at, half))
    high = wall_height(place_of(scene.setting), model)
    if high == 0 and max(model.size) < 0.5 and dice.random() < 0.3:
        high = dice.uniform(0.4, 1.1)  # as if on a box's or a bench's height: seen from nearly the side
    facing = bearing(at, before[2])
    yaw = facing + (dice.gauss(0, 40) if dice.random() < 0.8 else dice.uniform(-180, 180))
    return scene.with_thing(replace(thing, stand=Stand(*at, high, yaw)))


def _looking(scene: Scene, dice: Random) -> Scene:
    names = [*scene.people, *scene.props]
    actors = [
        replace(a, eyes=dice.choice([n for n in names if n != a.id] or [""]) if dice.random() < 0.35 else "")
        for a in scene.actors
    ]
    return replace(scene, actors=tuple(actors))


def _lens(scene: Scene, eye: tuple[float, float, float], middle: tuple[float, float], dice: Random) -> Lens:
    away = max(math.dist(eye[:2], middle), 0.8)
    fov = min(max(math.degrees(2 * math.atan(dice.uniform(0.9, 2.6) / away)), 30), 82)
    at = Camera.looking_at(eye, (*middle, dice.uniform(0.4, 1.2)), fov)
    return Lens(*eye, at.yaw + dice.uniform(-10, 10), at.pitch + dice.uniform(-5, 5), fov)
