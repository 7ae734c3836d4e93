"""From a request to a scene: what the prompt says, what the pictures show, and for the rest the sample's own invention.

No view of the room: another room. No sheet of a person: another face in the described clothes. Failures are drawn
here too, where a generator would make them: while it decides what the picture holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from storyengine.language import InEnvironment, Lit, LooksLike, Placed
from storyengine.language.captions import read_caption
from storyengine.plan import (
    AttachedTo,
    Entity,
    Environment,
    HeldBy,
    InContainer,
    InSceneZone,
    OnSurface,
    Placement,
    target_of,
)
from storyengine.previz.appearance import person_look, place_look, prop_look
from storyengine.previz.figures.head import unlike
from storyengine.previz.looks import PersonLook, PropLook
from storyengine.previz.studio import reading
from storyengine.previz.studio.arranging import arranged, lost
from storyengine.previz.studio.blocking import best_hold, faced, place_actor
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.filming import aimed, first_lens, is_held, is_loose
from storyengine.previz.studio.reading import SceneRequest
from storyengine.previz.studio.scene import Actor, Blemish, Lens, Mark, Relation, Scene, Setting, Stand, Thing
from storyengine.previz.studio.sets import place_of, site_for, station_of
from storyengine.previz.studio.staging import bearing, model_of, turned_by

T = TypeVar("T")

_ORIGIN = Stand(0.0, 0.0)


@dataclass(frozen=True)
class Shown:
    """The pictures given with a request, as far as the studio knows them: caption and scene."""

    scenes: tuple[tuple[str, Scene], ...] = ()

    def sheet(self, person: str) -> PersonLook | None:
        """How the identity sheet of a person shows them."""
        for caption, scene in self.scenes:
            if scene.subject == "sheet" and scene.actors and person in (scene.actors[0].id, _named(caption)):
                return scene.actors[0].look
        return None

    def reference(self, thing: str) -> Thing | None:
        """A thing as its reference picture shows it."""
        for caption, scene in self.scenes:
            if scene.subject == "thing" and scene.things and thing in (scene.things[0].id, _named(caption)):
                return scene.things[0]
        return None

    def view(self, place: str | None) -> Scene | None:
        """A picture of the empty place."""
        return next((s for s in self._of(place) if not s.actors), None)

    def tail(self, place: str | None = None) -> Scene | None:
        """A picture of the place with people in it: the end of an earlier shot."""
        return next((s for s in self._of(place) if s.actors), None)

    def _of(self, place: str | None) -> list[Scene]:
        found = [scene for _, scene in self.scenes if scene.setting is not None]
        return [s for s in found if place is None or (s.setting is not None and s.setting.id == place)]


def _named(caption: str) -> str:
    subject = read_caption(caption)
    return subject.id if subject is not None else ""


# --- single subjects -------------------------------------------------------------------------------------------


def compose_sheet(request: SceneRequest, shown: Shown, dice: Dice) -> Scene:
    """One person, three times."""
    person = next(iter(request.people), None) or _somebody()
    look = face_of(person, shown, dice, request)
    return Scene("sheet", actors=(Actor(person.id, look, _ORIGIN),))


def compose_thing(request: SceneRequest, shown: Shown, dice: Dice) -> Scene:
    """One thing in a state."""
    entity = next(iter(request.things), None) or Entity(id="thing", name="box", kind="prop", look="a plain box")
    values = reading.states(request.claims).get(entity.id, ())
    thing = _thing(entity, request, shown, dice, values)
    return Scene("thing", things=(replace(thing, stand=_ORIGIN),))


def compose_panorama(request: SceneRequest, shown: Shown, dice: Dice) -> Scene:
    """An empty place with the things that never move."""
    scene = Scene("panorama", setting=_setting(request, shown, dice))
    scene = _with_things(scene, request, shown, dice)
    scene = replace(scene, things=tuple(t for t in scene.things if t.relation in ("stands", "on", "in", "fastened")))
    assert scene.setting is not None
    x, y, z = station_of(place_of(scene.setting))
    return replace(scene, lens=Lens(x, y, z, 0.0, 0.0, 90.0), blemish=_blemish(request, shown, dice))


# --- openings --------------------------------------------------------------------------------------------------


def compose_opening(request: SceneRequest, shown: Shown, dice: Dice) -> Scene:
    """The first frame of a shot."""
    setting = _setting(request, shown, dice)
    scene = _fixed_things(Scene("view", setting=setting), request, shown)
    scene = _with_things(scene, request, shown, dice)
    tail = shown.tail(setting.id)
    zones = tuple(dict.fromkeys((*_zones(request), *_later_zones(scene, request))))
    before = tail.lens if tail else None
    roomy = _welcoming(scene, request, shown, dice, zones, before) if request.welcome else None
    scene = roomy or _arranged(scene, request, shown, dice, zones, before)
    scene = _mishaps(scene, request, shown, dice)
    return replace(scene, blemish=_blemish(request, shown, dice))


def _arranged(
    scene: Scene, request: SceneRequest, shown: Shown, dice: Dice, zones: tuple[str, ...], before: Lens | None
) -> Scene:
    """Everybody and everything in front of the camera."""
    framed = _framed(scene, request, shown, dice, zones, before)
    if not is_held(framed, request, zones):  # what is going to happen may happen outside; what must be seen may not
        framed = _framed(scene, request.without_events(), shown, dice, zones, before)
    return arranged(framed, request.wanted or (), lambda moved: aimed(moved, request, zones, before))


def _welcoming(
    scene: Scene, request: SceneRequest, shown: Shown, dice: Dice, zones: tuple[str, ...], before: Lens | None
) -> Scene | None:
    """The same with all that is welcome; None where that would loosen the framing or hide anything."""
    asked = request.with_welcome()
    framed = _framed(scene, asked, shown, dice, zones, before)
    if not is_held(framed, asked, zones) or is_loose(framed, asked):
        return None
    found = arranged(framed, asked.wanted or (), lambda moved: aimed(moved, asked, zones, before))
    return None if lost(found, asked.wanted or ()) or is_loose(found, asked) else found


def _framed(
    scene: Scene, request: SceneRequest, shown: Shown, dice: Dice, zones: tuple[str, ...], before: Lens | None
) -> Scene:
    """People where the camera sees them, and the camera where it sees everything."""
    scene = replace(scene, lens=first_lens(scene, request, zones, before))
    scene = _with_people(scene, request, shown, dice)
    return _hands(aimed(_hands(scene), request, zones, before))


def _setting(request: SceneRequest, shown: Shown, dice: Dice) -> Setting:
    """The room that was shown, or one of the sample's own."""
    place = request.place
    found = shown.view(place.id if place else None)
    tail = shown.tail(place.id if place else None)
    if found is None and tail is not None and not any(isinstance(c, InEnvironment | Lit) for c in request.refuse):
        found = tail
    given = _given(request, shown, place.id if place else "")
    if found is not None and found.setting is not None and not dice.fails("place drift", given=given):
        return found.setting
    if place is None:
        place = Environment.model_validate(
            {"id": "room", "name": "room", "zones": [{"id": "middle", "name": "in the middle"}]}
        )
    light = f"{place.light.brightness} {place.light.tone} {place.light.look}".strip()
    return Setting(
        id=place.id,
        name=place.name,
        look=place_look(place.name, place.look, light, request.style),
        zones=tuple(zone.name for zone in place.zones),
        marks=tuple(Mark(mark.id, mark.name, mark.look) for mark in place.landmarks),
        seed=dice.seed("room"),
    )


def _given(request: SceneRequest, shown: Shown, about: str = "") -> set[str]:
    """The conditions that hold for the whole sample."""
    given = set()
    if shown.view(None) is not None:
        given.add("view")
    if shown.tail(None) is not None:
        given.add("tail")
    if about and about in request.repaired:
        given.add("repair")
    if len(request.things) >= 4 or len(request.events) >= 3:
        given.add("busy")
    return given


def _fixed_things(scene: Scene, request: SceneRequest, shown: Shown) -> Scene:
    """What never moves stands where the view or the tail shows it, in whatever state the prompt tells."""
    source = next((s for _, s in shown.scenes if s.setting == scene.setting and s.things), None)
    if source is None:
        return scene
    told = reading.states(request.claims)
    kept = []
    for thing in source.things:
        if thing.fixed and thing.id not in reading.absent(request.claims):
            for attribute, value in told.get(thing.id, ()):
                thing = thing.with_state(attribute, value)
            kept.append(thing)
    return replace(scene, things=tuple(kept))


def _zones(request: SceneRequest) -> tuple[str, ...]:
    """The zones that the prompt puts people in, now or later, else those of its things."""
    told, later = reading.placements(request.claims), reading.placements(request.later)
    people = [_zone_name(told[p.id].placement, request) for p in request.people if p.id in told]
    people += [_zone_name(later[p.id].placement, request) for p in request.people if p.id in later]
    things = [_zone_name(told[t.id].placement, request) for t in request.things if t.id in told]
    return tuple(dict.fromkeys(zone for zone in people or things if zone))


def _later_zones(scene: Scene, request: SceneRequest) -> list[str]:
    """Where people will go to put something on or in a thing that stands elsewhere."""
    targets = [target_of(claim.placement) for claim in reading.placements(request.later).values()]
    return [scene.props[target].zone for target in targets if target in scene.props and scene.props[target].zone]


# --- things ----------------------------------------------------------------------------------------------------


def _thing(
    entity: Entity, request: SceneRequest, shown: Shown, dice: Dice, values: tuple[tuple[str, str], ...]
) -> Thing:
    """The thing as described; as shown where a picture of it is given."""
    reference = shown.reference(entity.id)
    look = reference.look if reference is not None else _own_cut(prop_look(entity.name, entity.look), dice, entity.id)
    return Thing(
        id=entity.id,
        look=look,
        states=_all_states(entity, values),
        shuts=tuple((a.name, value) for a in entity.attributes for value in a.conceals),
        fixed="fixed" in entity.roles,
    )


def describe_thing(entity: Entity, request: SceneRequest, shown: Shown, dice: Dice) -> Thing:
    """A thing that turns up while a clip runs, in the state that its end tells."""
    return _thing(entity, request, shown, dice, reading.states(request.end).get(entity.id, ()))


def _own_cut(look: PropLook, dice: Dice, name: str) -> PropLook:
    """Without a picture of it, a thing comes out a little larger or smaller each time."""
    return replace(look, size=round(look.size * (0.92 + 0.16 * dice.number("own size", name)), 3))


def _all_states(entity: Entity, values: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Told values; what is not told has the attribute's first value."""
    told = dict(values)
    return tuple(sorted((a.name, told.get(a.name, a.values[0])) for a in entity.attributes) or sorted(values))


def _with_things(scene: Scene, request: SceneRequest, shown: Shown, dice: Dice) -> Scene:
    """All things that the request puts into the picture, supports before what rests on them."""
    told, away = reading.placements(request.claims), reading.absent(request.claims)
    seen, values = reading.present(request.claims), reading.states(request.claims)
    tail = shown.tail(scene.setting.id if scene.setting else None)
    entities = {entity.id: entity for entity in request.things}
    queue = sorted(entities.values(), key=lambda e: _depth(e.id, told))
    for entity in queue:
        placed = told.get(entity.id)
        hidden = placed is not None and isinstance(placed.placement, InContainer)
        if entity.id in scene.props or (entity.id in away and not hidden):
            continue
        mentioned = entity.id in seen or placed is not None or request.free
        if not mentioned:
            continue
        thing = _thing(entity, request, shown, dice, values.get(entity.id, ()))
        placement = placed.placement if placed is not None else _guess(entity.id, tail)
        scene = _put(scene, thing, placement, request, tail)
    return scene


def _depth(thing: str, told: dict[str, Placed]) -> int:
    depth, seen = 0, {thing}
    while (placed := told.get(thing)) is not None:
        target = (
            getattr(placed.placement, "surface", None)
            or getattr(placed.placement, "container", None)
            or getattr(placed.placement, "support", None)
        )
        if target is None or target in seen:
            break
        depth, thing = depth + 1, target
        seen.add(target)
    return depth


def _guess(thing: str, tail: Scene | None) -> Placement | None:
    """Where a tail shows a thing of which the prompt says only that it is there."""
    shown = tail.props.get(thing) if tail is not None else None
    if shown is None:
        return None
    match shown.relation:
        case "on":
            return OnSurface(surface=shown.target)
        case "in":
            return InContainer(container=shown.target)
        case "held":
            return HeldBy(holder=shown.target)
    return None


def _put(scene: Scene, thing: Thing, placement: Placement | None, request: SceneRequest, tail: Scene | None) -> Scene:
    """The scene with a thing where it is told to be; what it should hang on may itself be missing."""
    match placement:
        case OnSurface(surface=target):
            return _hang_on(scene, thing, "on", target)
        case InContainer(container=target):
            return _hang_on(scene, thing, "in", target)
        case AttachedTo(support=target):
            worn = any(e.id == target and e.kind == "character" for e in request.people)
            return scene.with_thing(replace(thing, relation="worn" if worn else "fastened", target=target))
        case HeldBy(holder=target):
            return scene.with_thing(replace(thing, relation="held", target=target, slot=1.0))
    before = tail.props.get(thing.id) if tail is not None and tail.setting == scene.setting else None
    zone = _zone_name(placement, request)
    if before is not None and before.stand is not None and zone in ("", before.zone):
        return scene.with_thing(replace(thing, stand=before.stand, zone=before.zone))
    return _stand_in(scene, thing, zone)


def _stand_in(scene: Scene, thing: Thing, zone: str) -> Scene:
    assert scene.setting is not None
    place = place_of(scene.setting)
    here = zone or next(iter(place.spots))
    order = sum(other.zone == here for other in scene.things)
    stand = site_for(place, here, model_of(thing), scene.things, order)
    return scene.with_thing(replace(thing, relation="stands", target="", stand=stand, zone=here))


def _zone_name(placement: Placement | None, request: SceneRequest) -> str:
    if isinstance(placement, InSceneZone) and request.place is not None:
        return next((zone.name for zone in request.place.zones if zone.id == placement.zone), "")
    return ""


def _hang_on(scene: Scene, thing: Thing, relation: Relation, target: str) -> Scene:
    if target not in scene.props:
        return _stand_in(scene, thing, "")
    return scene.with_thing(
        replace(thing, relation=relation, target=target, stand=None, slot=scene.free_slots(relation, target)[0])
    )


# --- people ----------------------------------------------------------------------------------------------------


def _somebody() -> Entity:
    return Entity(id="somebody", name="somebody", kind="character")


def face_of(person: Entity, shown: Shown, dice: Dice, request: SceneRequest) -> PersonLook:
    """The person as their sheet shows them; without one (or by drift) somebody else in the same clothes."""
    sheet = shown.sheet(person.id)
    refused = any(isinstance(c, LooksLike) and c.entity == person.id for c in request.refuse)
    tail = None if refused else next((s.people[person.id] for _, s in shown.scenes if person.id in s.people), None)
    look = sheet or (tail.look if tail else None)
    given = _given(request, shown, person.id) | ({"sheet"} if sheet else set())
    if look is not None and not dice.fails("identity drift", person.id, given):
        return look
    return recast(look or person_look(person.name, person.look), person, dice)


CASTINGS = 6
"""People of whom the least alike plays somebody else."""


def recast(look: PersonLook, person: Entity, dice: Dice) -> PersonLook:
    """Somebody else, plainly, to whom the same words apply, in the same clothes."""
    seeds = (dice.seed(f"face {k} of {person.id}") for k in range(CASTINGS))
    others = (person_look(person.name, person.look, seed) for seed in seeds)
    return unlike(
        look, [replace(look, face=o.face, skin=o.skin, hair=o.hair, hair_colour=o.hair_colour) for o in others]
    )


def _with_people(scene: Scene, request: SceneRequest, shown: Shown, dice: Dice) -> Scene:
    told, away = reading.placements(request.claims), reading.absent(request.claims)
    only, seen = reading.only_people(request.claims), reading.present(request.claims)
    assert scene.setting is not None
    place = place_of(scene.setting)
    holders = {t.target for t in scene.things if t.relation in ("held", "worn")}
    tail = shown.tail(scene.setting.id)
    for person in request.people:
        named = person.id in seen or person.id in told or person.id in holders or request.free
        if person.id in away or (only is not None and person.id not in only and not named) or not named:
            continue
        look = face_of(person, shown, dice, request)
        placed = told.get(person.id)
        zone = _zone_name(placed.placement if placed else None, request) or _zone_of(scene)
        before = tail.people.get(person.id) if tail is not None and tail.setting == scene.setting else None
        if before is not None and zone in ("", before.zone) and _in_sight(scene.lens, before.stand):
            scene = scene.with_actor(replace(before, look=look, stand=faced(before.stand, scene.lens)))
            continue
        actor = Actor(person.id, look, _ORIGIN, zone)
        scene = scene.with_actor(place_actor(scene, place, actor, _focus(scene, person.id, zone)))
    return _looking(
        scene.without(t.id for t in scene.things if t.relation in ("held", "worn") and t.target not in scene.people)
    )


def _zone_of(scene: Scene) -> str:
    """Where somebody is of whom no zone is told: with the things of the scene."""
    return next((t.zone for t in scene.things if t.zone and not t.fixed), "") or next(
        (t.zone for t in scene.things if t.zone), ""
    )


def _in_sight(lens: Lens | None, stand: Stand) -> bool:
    return lens is None or abs(turned_by(lens.yaw, bearing((lens.x, lens.y), (stand.x, stand.y)))) < lens.fov * 0.42


def _focus(scene: Scene, person: str, zone: str) -> Thing | None:
    """What somebody has to do with: a thing in their zone, best one that carries something."""
    here = [t for t in scene.things if t.relation == "stands" and t.zone == zone]
    bearing_things = {t.target for t in scene.things if t.relation in ("on", "in")}
    return next((t for t in here if t.id in bearing_things), here[0] if here else None)


def _looking(scene: Scene) -> Scene:
    """Two people look at each other, one at what they have to do with."""
    if len(scene.actors) < 2:
        return scene
    for number, actor in enumerate(scene.actors):
        other = scene.actors[1 - number] if number < 2 else scene.actors[0]
        scene = scene.with_actor(replace(actor, eyes=other.id))
    return scene


def _hands(scene: Scene) -> Scene:
    """Held things in hands that the camera sees."""
    for actor in scene.actors:
        for thing in scene.held_by(actor.id):
            scene = scene.with_thing(replace(thing, target="nobody"))
        for thing in scene.things:
            if thing.relation == "held" and thing.target == "nobody":
                scene = scene.with_thing(replace(thing, target=actor.id, slot=best_hold(scene, actor, thing)))
    return scene


# --- mishaps ---------------------------------------------------------------------------------------------------


def _mishaps(scene: Scene, request: SceneRequest, shown: Shown, dice: Dice) -> Scene:
    """What goes wrong with single things and people."""
    entities = {entity.id: entity for entity in request.things}
    for thing in scene.things:
        entity = entities.get(thing.id)
        if entity is None or thing.id not in scene.props:
            continue
        given = _given(request, shown, thing.id) | ({"reference"} if shown.reference(thing.id) else set())
        if dice.fails("missing object", thing.id, given) and not thing.fixed:
            scene = scene.without([thing.id])
        elif dice.fails("misplaced object", thing.id, given) and not thing.fixed:
            scene = _stand_in(scene.without([thing.id]), thing, _other_zone(scene, thing, dice))
        elif dice.fails("duplicated object", thing.id, given) and not thing.fixed:
            scene = _stand_in(scene, replace(thing, id=f"{thing.id}-again"), thing.zone)
        if thing.id in scene.props and thing.states and dice.fails("wrong state", thing.id, given):
            scene = scene.with_thing(_other_state(scene.props[thing.id], entity, dice))
    given = _given(request, shown) | ({"repair"} if reading.only_people(request.repair) is not None else set())
    if dice.fails("extra person", given=given):
        scene = _with_stranger(scene, dice)
    return scene


def _other_zone(scene: Scene, thing: Thing, dice: Dice) -> str:
    assert scene.setting is not None
    zones = scene.setting.zones
    return _pick(zones, dice, "which zone", thing.id) if zones else ""


def _other_state(thing: Thing, entity: Entity, dice: Dice) -> Thing:
    attribute = _pick(entity.attributes, dice, "which attribute", thing.id)
    now = dict(thing.states).get(attribute.name)
    others = [value for value in attribute.values if value != now]
    return thing.with_state(attribute.name, _pick(others, dice, "which value", thing.id))


def _pick(choices: Sequence[T], dice: Dice, what: str, about: str = "") -> T:
    return choices[int(dice.number(what, about) * len(choices)) % len(choices)]


def _with_stranger(scene: Scene, dice: Dice) -> Scene:
    """Somebody whom nobody asked for, within the camera's sight."""
    assert scene.setting is not None
    garments = ("a grey coat", "a green jacket", "a brown jumper", "a blue overall", "a white shirt")
    words = _pick(garments, dice, "stranger")
    look = replace(person_look("stranger", f"a person in {words}"), face=dice.seed("stranger"))
    actor = Actor("stranger", look, _ORIGIN, scene.actors[0].zone if scene.actors else "")
    return scene.with_actor(place_actor(scene, place_of(scene.setting), actor, None))


def _blemish(request: SceneRequest, shown: Shown, dice: Dice) -> Blemish:
    """Drifting light and stray writing."""
    given = _given(request, shown)
    repaired = {"repair"} if any(getattr(c, "thing", "") == "on-screen text" for c in request.repair) else set()
    text = ""
    if dice.fails("stray text", given=given | repaired):
        words = ("SCENE 4", "THE END", "© STUDIO", "CH. 2", "EXIT", "TUESDAY")
        text = _pick(words, dice, "which words")
    lit = {"repair"} if any(isinstance(c, Lit) for c in request.repair) else set()
    if dice.fails("light drift", given=given | lit):
        darker = dice.number("which light") < 0.5
        return Blemish(text, 0.62 if darker else 1.38, 0.5 if dice.number("which tone") < 0.5 else -0.5)
    return Blemish(text)
