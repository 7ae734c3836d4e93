"""From events to beats: sentences are read by the language's reader, and what the prompt says of the end decides.

Whatever the end says that the sentences did not bring about is acted out as well. An event that nobody can act becomes
a plausible gesture at what it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from storyengine.language import Absent, Placed
from storyengine.language.reading import Reading, read_sentence
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.sentence import full_name
from storyengine.plan import AttachedTo, Entity, HeldBy, InContainer, InSceneZone, OnSurface
from storyengine.previz.props import state_axes
from storyengine.previz.studio import reading as asked
from storyengine.previz.studio.blocking import place_actor, zone_stand
from storyengine.previz.studio.compose import Shown, describe_thing, face_of
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.reading import SceneRequest
from storyengine.previz.studio.scene import Actor, Relation, Scene, Stand, Thing
from storyengine.previz.studio.script import Beat, Script
from storyengine.previz.studio.sets import place_of
from storyengine.previz.studio.staging import is_pushed, model_of, posed_things, rest

STATE_ACTS = frozenset(
    ("open", "close", "raise", "lower", "fill", "empty", "break", "mend", "light", "douse", "turn", "change")
)


def write_script(request: SceneRequest, scene: Scene, shown: Shown, dice: Dice) -> tuple[Beat, ...]:
    """The beats of a clip that starts from a scene."""
    script = Script(request, _revealed(request, scene, shown, dice), shown, dice)
    given = {"busy"} if len(request.events) >= 3 else set()
    repaired = " ".join(_words_of(request.repair)) if request.repair else ""
    for number, event in enumerate(request.events):
        script.event = number
        conditions = given | ({"repair"} if repaired and _speaks_of(repaired, event, request) else set())
        if dice.fails("omitted action", event, conditions):
            continue
        script.half = dice.fails("half-done action", event, conditions)
        _act_out(script, event)
    script.half = False
    missed = {
        e
        for n, e in enumerate(request.events)
        if dice.fails("omitted action", e, given) or dice.fails("half-done action", e, given)
    }
    if not missed:
        _act_out_end(script)
    script.settle()
    return tuple(script.beats)


def _words_of(claims: Iterable[object]) -> Iterator[str]:
    for claim in claims:
        yield str(getattr(claim, "action", "")) + " " + str(getattr(claim, "entity", ""))


def _speaks_of(repaired: str, event: str, request: SceneRequest) -> bool:
    names = [e for e in request.catalog.entities.values() if e.name.lower() in event.lower()]
    return event in repaired or any(e.id in repaired for e in names)


def _revealed(request: SceneRequest, scene: Scene, shown: Shown, dice: Dice) -> Scene:
    """With the things that will be seen at the end and are not yet: in what is opened, or with who comes in."""
    seen = asked.present(request.end) | asked.placements(request.end).keys()
    told = asked.placements(request.end)
    opened = [
        t.id
        for t in scene.things
        if t.shut and any(w in " ".join(request.events).lower() for w in ("open", "lift", "unlock", "raise"))
    ]
    for entity in request.things:
        if entity.id in scene.props or entity.id not in seen or entity.id in asked.absent(request.end):
            continue
        placed = told.get(entity.id)
        thing = describe_thing(entity, request, shown, dice)
        target = placed.placement.container if placed and isinstance(placed.placement, InContainer) else ""
        container = target if target in scene.props else next(iter(opened), "")
        if container:
            scene = scene.with_thing(
                replace(thing, relation="in", target=container, slot=scene.free_slots("in", container)[0])
            )
        elif (
            scene.actors and placed and isinstance(placed.placement, HeldBy) and placed.placement.holder in scene.people
        ):
            scene = scene.with_thing(replace(thing, relation="held", target=placed.placement.holder, slot=1.0))
    return scene


# --- sentences -------------------------------------------------------------------------------------------------


def _act_out(script: Script, event: str) -> None:
    names = [e.name for e in script.request.catalog.entities.values()]
    before = len(script.beats)
    for person in script.request.people:
        if person.id not in script.scene.people and re.search(rf"\b{re.escape(person.name)}\b", event):
            _come_in(script, person)
    for read in read_sentence(event, names):
        _act(script, read, event)
    if len(script.beats) == before:
        _gesture(script, event)


def _come_in(script: Script, person: Entity) -> None:
    """Somebody who was not in the opening walks in, with what they hold at the end and nobody has seen yet."""
    end, setting = script.request.end, script.scene.setting
    told = asked.placements(end)
    if person.id in asked.absent(end) or setting is None or not (person.id in told or person.id in asked.present(end)):
        return
    look = face_of(person, script.shown, script.dice, script.request)
    zone = script.told_zone(person.id)
    actor = place_actor(script.scene, place_of(setting), Actor(person.id, look, Stand(0.0, 0.0), zone), None)
    newcomer = script.scene.with_actor(actor)
    for entity in script.request.things:
        placed = told.get(entity.id)
        if entity.id not in newcomer.props and placed is not None and placed.placement == HeldBy(holder=person.id):
            thing = describe_thing(entity, script.request, script.shown, script.dice)
            newcomer = newcomer.with_thing(replace(thing, relation="held", target=person.id, slot=1.0))
    script.enter(person.id, actor.stand, newcomer)


def _act(script: Script, read: Reading, event: str) -> None:
    actors = [i for i in (_id(script, agent) for agent in read.agents) if i in script.scene.people]
    actor = actors[0] if actors else next(iter(script.scene.people), "")
    things = [i for i in (_id(script, thing) for thing in read.things) if i]
    goal, means = _id(script, read.goal), _id(script, read.means)
    match read.act:
        case "take" | "detach" | "doff":
            for thing in things:
                script.take(actor, thing)
        case "put" | "hang" | "carry" | "fill" if (
            things and goal and script.scene.props.get(goal) and read.act != "fill"
        ):
            relation = _relation(script, things[0], goal, read)
            for thing in things:
                script.put(actor, thing, relation, goal, read.act)
        case "put" if things:
            _put_somewhere(script, actor, things, read, event)
        case "give":
            for thing in things:
                script.give(actor, thing, goal or _other(script, actor))
        case "carry":
            for thing in things:
                script.take(actor, thing)
            _go_somewhere(script, actors or [actor], read, event)
        case "push":
            _push(script, actor, things, read, event)
        case "go":
            _go_somewhere(script, actors or [actor], read, event)
        case "wear":
            for thing in things:
                _wear(script, actor, thing)
        case act if act in STATE_ACTS:
            for thing in [t for t in things if t in script.scene.props] or [
                t for t in (goal,) if t in script.scene.props
            ]:
                _change(script, actor, thing, read, means)
        case _:
            pass


def _id(script: Script, phrase: NounPhrase | None) -> str:
    """The id of what a phrase names, or empty."""
    if phrase is None:
        return ""
    entities = script.request.catalog.entities.values()
    own = phrase.name.lower()
    for entity in entities:
        if entity.name.lower() == own:
            return entity.id
    short = full_name(phrase, [e.name for e in entities])
    return next((e.id for e in entities if e.name == short), "") if short else ""


def _relation(script: Script, thing: str, goal: str, read: Reading) -> Relation:
    """On, in or fastened: as the end says, else as the sentence does."""
    end = asked.placements(script.request.end).get(thing)
    if end is not None:
        match end.placement:
            case InContainer(container=target) if target == goal:
                return "in"
            case OnSurface(surface=target) if target == goal:
                return "on"
            case AttachedTo(support=target) if target == goal:
                return "fastened"
    if read.act == "hang":
        return "fastened"
    return "in" if read.relation == "in" else "on"


def _put_somewhere(script: Script, actor: str, things: list[str], read: Reading, event: str) -> None:
    end = asked.placements(script.request.end)
    for thing in things:
        placed = end.get(thing)
        if placed is not None and isinstance(placed.placement, OnSurface | InContainer | AttachedTo):
            _bring_about(script, placed, actor)
        elif not (
            read.verb == "leave"
            and script.scene.props.get(thing, None) is not None
            and script.scene.props[thing].target != actor
        ):
            zone = _zone_in(script, event)
            if zone:
                _to_zone(script, actor, zone)
            script.put(actor, thing, "stands", "", read.verb)


def _other(script: Script, actor: str) -> str:
    return next((person for person in script.scene.people if person != actor), "")


def _wear(script: Script, actor: str, thing: str) -> None:
    if thing not in script.scene.props or actor not in script.scene.people:
        return
    script.take(actor, thing)
    worn = replace(script.scene.props[thing], relation="worn", target=actor, stand=None)
    script.add("wear", actor, script.scene.with_thing(worn), 1.6, thing=thing)


def _change(script: Script, actor: str, thing: str, read: Reading, tool: str) -> None:
    entity = script.request.catalog.entities.get(thing)
    if entity is None:
        return
    found = _value(script, entity, read.state)
    if found is None:
        script.work(actor, thing, read.verb)
        return
    script.change(actor, thing, found[0], found[1], read.act if read.act != "change" else read.verb, tool)


def _value(script: Script, entity: Entity, state: str) -> tuple[str, str] | None:
    """The attribute and value that a word of state means for a thing."""
    now = dict(script.scene.props[entity.id].states) if entity.id in script.scene.props else {}
    wanted = state_axes(state) if state else {}
    for attribute in entity.attributes:
        for value in attribute.values:
            axes = state_axes(value)
            same = value == state or any(a in axes and abs(axes[a] - v) < 0.3 for a, v in wanted.items() if a != "mark")
            if same and now.get(attribute.name) != value:
                return attribute.name, value
    ends = dict(asked.states(script.request.end).get(entity.id, ()))
    for name, value in ends.items():
        if now.get(name) != value:
            return name, value
    return None


def _gesture(script: Script, event: str) -> None:
    """Somebody named does something to something named."""
    words = event.lower()
    people = [p for p in script.request.people if p.name.lower() in words and p.id in script.scene.people]
    actor = people[0].id if people else next(iter(script.scene.people), "")
    things = [t.id for t in script.request.things if t.name.lower() in words and t.id in script.scene.props]
    if actor:
        verb = re.findall(r"[a-z]+", words)
        script.work(actor, things[0] if things else "", " ".join(verb[:12]))


# --- coming and going ------------------------------------------------------------------------------------------


def _zone_in(script: Script, text: str) -> str:
    """The zone whose words a sentence uses."""
    spoken = set(re.findall(r"[a-z]+", text.lower()))
    best, found = 0, ""
    for zone in script.scene.setting.zones if script.scene.setting else ():
        own = {
            w for w in re.findall(r"[a-z]+", zone.lower()) if w not in ("the", "a", "by", "at", "in", "on", "of", "to")
        }
        count = len(own & spoken)
        if own and count >= max(1, len(own) - 1) and count > best:
            best, found = count, zone
    return found


def _to_zone(script: Script, actor: str, zone: str) -> None:
    person = script.scene.people.get(actor)
    if person is None or script.scene.setting is None:
        return
    script.go(actor, zone_stand(script.scene, place_of(script.scene.setting), person, zone), zone)


def _go_somewhere(script: Script, actors: list[str], read: Reading, event: str) -> None:
    end = asked.placements(script.request.end)
    words = event.lower()
    for actor in actors:
        told = end.get(actor)
        absent = actor in asked.absent(script.request.end)
        stays = told is not None or actor in asked.present(script.request.end)
        leaves = absent or (
            not stays and re.search(r"\b(leaves?|exits?|goes out|walks out|steps out|departs?|walks away)\b", words)
        )
        zone = script.told_zone(actor) or _zone_in(script, event)
        goal = _id(script, read.goal) or _id(script, read.beside)
        if actor not in script.scene.people:
            continue
        if leaves:
            script.leave(actor)
        elif goal in script.scene.props:
            script.approach(actor, goal)
        elif zone:
            _to_zone(script, actor, zone)


def _push(script: Script, actor: str, things: list[str], read: Reading, event: str) -> None:
    for thing in things:
        if thing not in script.scene.props:
            continue
        wheeled = is_pushed(model_of(script.scene.props[thing]))
        before = script.scene.props[thing]
        if not wheeled:
            script.work(actor, thing, "push")
            continue
        script.take(actor, thing)
        _go_somewhere(script, [actor], read, event)
        end = asked.placements(script.request.end).get(thing)
        if end is None or not isinstance(end.placement, HeldBy):
            _let_go(script, actor, thing, before)


def _let_go(script: Script, actor: str, thing: str, before: Thing) -> None:
    """Hands off the handles; the barrow stays where it has been pushed."""
    person = script.scene.people.get(actor)
    if person is None:
        return
    matrix = posed_things(script.scene, rest(script.scene).bodies)[thing].matrix
    stand = Stand(float(matrix[0, 3]), float(matrix[1, 3]), 0.0, person.stand.yaw)
    placed = replace(before, relation="stands", target="", stand=stand, zone=person.zone)
    script.add("put", actor, script.scene.with_thing(placed), 0.6, thing=thing, manner="let go")


# --- what the end says -----------------------------------------------------------------------------------------


def _act_out_end(script: Script) -> None:
    """Whatever the end says that the events have not brought about."""
    script.event = -1
    for claim in script.request.end:
        if isinstance(claim, Absent):
            _put_away(script, claim.entity)
        elif isinstance(claim, Placed):
            _bring_about(script, claim)
    for thing, values in asked.states(script.request.end).items():
        found = script.scene.props.get(thing)
        for attribute, value in values if found is not None else ():
            if dict(found.states).get(attribute) != value:  # type: ignore[union-attr]
                script.change(next(iter(script.scene.people), ""), thing, attribute, value, value)


def _bring_about(script: Script, claim: Placed, actor: str = "") -> None:
    found = script.scene.props.get(claim.entity)
    person = script.scene.people.get(claim.entity)
    actor = actor or next(iter(script.scene.people), "")
    match claim.placement:
        case InSceneZone(zone=zone) if person is not None and script.request.place is not None:
            name = next((z.name for z in script.request.place.zones if z.id == zone), "")
            if name and person.zone != name:
                _to_zone(script, person.id, name)
        case HeldBy(holder=holder) if found is not None and holder in script.scene.people:
            script.take(holder, found.id)
        case OnSurface(surface=target) if found is not None and actor:
            script.put(actor, found.id, "on", target)
        case InContainer(container=target) if found is not None and actor:
            script.put(actor, found.id, "in", target)
        case AttachedTo(support=target) if found is not None and actor:
            if target in script.scene.people:
                _wear(script, target, found.id) if found.relation != "worn" else None
            else:
                script.put(actor, found.id, "fastened", target)
        case InSceneZone(zone=zone) if found is not None and not found.fixed:
            _bring_to(script, found, zone, actor)


def _put_away(script: Script, thing: str) -> None:
    """What may not be seen at the end goes into what is shut by then, if there is such a thing."""
    found, ends = script.scene.props.get(thing), asked.states(script.request.end)
    if found is None or found.fixed or script.scene.is_hidden(thing):
        return
    for container in script.scene.things:
        if container.id != thing and any(state in container.shuts for state in ends.get(container.id, ())):
            holder = found.target if found.relation == "held" else next(iter(script.scene.people), "")
            if holder in script.scene.people and found.target != container.id:
                script.put(holder, thing, "in", container.id)
            return


def _bring_to(script: Script, thing: Thing, zone: str, actor: str) -> None:
    """Put down where it is held, or carried over from another zone."""
    place = script.request.place
    name = next((z.name for z in place.zones if z.id == zone), "") if place is not None else ""
    if thing.relation == "stands" and name in ("", thing.zone):
        return
    carrier = thing.target if thing.relation == "held" else actor
    script.take(carrier, thing.id)
    if carrier in script.scene.people and name not in ("", script.scene.people[carrier].zone):
        _to_zone(script, carrier, name)
    script.put(carrier, thing.id, "stands", "")
