"""From events to beats: who does what with what, in which order, and what the scene is after each.

Sentences are read by the language's reader; what the prompt says of the end decides between readings, and whatever it
says that the sentences did not bring about is acted out as well. An event that nobody can act becomes a plausible
gesture at what it names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from storyengine.language import Placed
from storyengine.language.reading import Reading, read_sentence
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.sentence import full_name
from storyengine.plan import AttachedTo, Entity, HeldBy, InContainer, InSceneZone, OnSurface
from storyengine.previz.props import state_axes
from storyengine.previz.studio import reading as asked
from storyengine.previz.studio.blocking import best_hold, work_stand
from storyengine.previz.studio.compose import Shown, describe_thing, free_slot
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.reading import SceneRequest
from storyengine.previz.studio.scene import Relation, Scene, Stand, Thing
from storyengine.previz.studio.sets import floor_near, is_free, place_of
from storyengine.previz.studio.staging import is_pushed, model_of, turned_by

SPEED = 1.15
"""Metres a second of an easy walk."""
STATE_ACTS = frozenset("open close raise lower fill empty break mend light douse turn change".split())


@dataclass(frozen=True)
class Beat:
    """One thing that somebody does. The scene is at rest before and after it."""

    kind: str
    """walk, turn, take, put, give, state, work, look, wear or wait."""
    actor: str
    before: Scene
    after: Scene
    thing: str = ""
    partner: str = ""
    target: str = ""
    """What a thing is put on, in or fastened to; the tool of a state change."""
    manner: str = ""
    """The verb."""
    path: tuple[tuple[float, float], ...] = ()
    event: int = -1
    seconds: float = 1.0
    """How long it takes when nobody is in a hurry."""


@dataclass
class _Script:
    """The beats so far, and the scene after them."""

    request: SceneRequest
    scene: Scene
    shown: Shown
    dice: Dice
    beats: list[Beat] = field(default_factory=list)
    event: int = -1
    half: bool = False
    """Whether the present event is only begun."""

    # --- simple beats

    def add(self, kind: str, actor: str, after: Scene, seconds: float, **more: object) -> None:
        beat = Beat(kind, actor, self.scene, after, event=self.event, seconds=seconds, **more)  # type: ignore[arg-type]
        self.beats.append(beat)
        self.scene = after

    def go(self, actor: str, stand: Stand, zone: str = "") -> None:
        """Walk there, if it is not here; turn there, if it is another way."""
        person = self.scene.people[actor]
        away = math.dist((person.stand.x, person.stand.y), (stand.x, stand.y))
        moved = self.scene.with_actor(replace(person, stand=stand, zone=zone or person.zone))
        if away > 0.12:
            path = _path(self.scene, person.stand, stand)
            length = sum(math.dist(a, b) for a, b in zip(path, path[1:], strict=False))
            self.add("walk", actor, moved, 0.5 + length / SPEED, path=path[1:])
        elif abs(turned_by(person.stand.yaw, stand.yaw)) > 12:
            turned = replace(stand, x=person.stand.x, y=person.stand.y)
            moved = self.scene.with_actor(replace(person, stand=turned))
            self.add("turn", actor, moved, 0.45 + abs(turned_by(person.stand.yaw, stand.yaw)) / 240)

    def approach(self, actor: str, thing: str) -> None:
        """To where the thing can be handled."""
        assert self.scene.setting is not None
        found = self.scene.props.get(thing)
        if found is not None and found.relation in ("held", "worn") and found.target == actor:
            return
        stand = work_stand(self.scene, place_of(self.scene.setting), actor, thing)
        if stand is not None:
            self.go(actor, stand)

    # --- handling

    def take(self, actor: str, thing: str) -> None:
        found = self.scene.props.get(thing)
        if found is None or actor not in self.scene.people or (found.relation == "held" and found.target == actor):
            return
        if found.relation == "held" and found.target in self.scene.people:
            self.give(found.target, thing, actor)
            return
        if self.scene.is_hidden(thing):
            self.uncover(actor, thing)
        self.approach(actor, thing)
        if self.half:
            self.work(actor, thing, "reach")
            return
        slot = best_hold(self.scene, self.scene.people[actor], found)
        held = replace(found, relation="held", target=actor, stand=None, slot=slot, turn=0.0, zone="")
        self.add("take", actor, _eyes(self.scene.with_thing(held), actor, thing), 1.35, thing=thing)

    def put(self, actor: str, thing: str, relation: Relation, target: str, manner: str = "put") -> None:
        """Put a thing on, into, onto (fastened) or down beside."""
        if thing not in self.scene.props or thing == target:
            return
        if self.scene.props[thing].target == target and self.scene.props[thing].relation == relation:
            return
        if target and target not in self.scene.props:
            return
        self.take(actor, thing)
        if self.half:
            return
        if relation == "in" and self.scene.props[target].shut:
            self.uncover(actor, target)
        if target:
            self.approach(actor, target)
        found = self.scene.props[thing]
        if target:
            slot = free_slot(self.scene, relation, target)
            placed = replace(found, relation=relation, target=target, stand=None, slot=slot, turn=0.0)
        else:
            assert self.scene.setting is not None
            person = self.scene.people[actor]
            where = floor_near(place_of(self.scene.setting), person.stand, model_of(found), self.scene)
            placed = replace(found, relation="stands", target="", stand=where, zone=person.zone, turn=0.0)
        after = _eyes(self.scene.with_thing(placed), actor, target or thing)
        self.add("put", actor, after, 1.45, thing=thing, target=target, manner=manner)

    def uncover(self, actor: str, thing: str) -> None:
        """Open the shut container that hides a thing, or that is meant itself."""
        found = self.scene.props.get(thing)
        while found is not None and not found.shut:
            found = self.scene.props.get(found.target)
        if found is None:
            return
        attribute = next(name for name, value in found.states if (name, value) in found.shuts)
        entity = self.request.catalog.entities.get(found.id)
        values = [v for a in (entity.attributes if entity else ()) if a.name == attribute for v in a.values]
        other = next((v for v in values if (attribute, v) not in found.shuts), "open")
        self.change(actor, found.id, attribute, other, "open")

    def give(self, actor: str, thing: str, partner: str) -> None:
        if actor not in self.scene.people or partner not in self.scene.people or actor == partner:
            return
        self.take(actor, thing)
        if thing not in self.scene.props or self.half:
            return
        self._meet(actor, partner)
        held = replace(
            self.scene.props[thing],
            target=partner,
            relation="held",
            slot=best_hold(self.scene, self.scene.people[partner], self.scene.props[thing]),
        )
        after = _eyes(_eyes(self.scene.with_thing(held), partner, thing), actor, partner)
        self.add("give", actor, after, 1.9, thing=thing, partner=partner)

    def _meet(self, actor: str, partner: str) -> None:
        """Within an arm's length of each other, face to face."""
        a, b = self.scene.people[actor].stand, self.scene.people[partner].stand
        away = math.dist((a.x, a.y), (b.x, b.y))
        way = math.degrees(math.atan2(b.x - a.x, b.y - a.y))
        near = min(away, 0.85)
        share = 1 - near / away if away > 1e-6 else 0.0
        self.go(actor, Stand(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, 0.0, way))
        self.go(partner, replace(b, yaw=way + 180))

    def change(self, actor: str, thing: str, attribute: str, value: str, manner: str, tool: str = "") -> None:
        """Bring a thing into another state."""
        found = self.scene.props.get(thing)
        if found is None or dict(found.states).get(attribute) == value:
            return
        if actor in self.scene.people:
            self.approach(actor, thing)
        if self.half:
            self.work(actor, thing, manner)
            return
        after = _eyes(self.scene.with_thing(found.with_state(attribute, value)), actor, thing)
        self.add("state", actor, after, 1.7, thing=thing, manner=manner, target=tool)

    def work(self, actor: str, thing: str, manner: str) -> None:
        """A gesture at something that changes nothing."""
        if actor not in self.scene.people:
            return
        if thing in self.scene.props and self.scene.props[thing].target != actor:
            self.approach(actor, thing)
        self.add("work", actor, _eyes(self.scene, actor, thing), 1.8, thing=thing, manner=manner)

    def leave(self, actor: str) -> None:
        """Out of the frame, with whatever is held."""
        person = self.scene.people.get(actor)
        if person is None:
            return
        exit_ = _out_of_frame(self.scene, person.stand)
        self.go(actor, exit_)
        # Whoever has walked out of the picture is gone at its end.
        last = self.beats[-1] if self.beats and self.beats[-1].actor == actor else None
        gone = self.scene.without([actor])
        if last is not None and last.kind == "walk":
            self.add("wait", "", gone, 0.05)
        self.scene = gone

    def enter(self, actor: str, stand: Stand, newcomer: Scene) -> None:
        """From outside the frame to a stand; `newcomer` is the scene with them there."""
        outside = _out_of_frame(newcomer, stand)
        person = newcomer.people[actor]
        self.scene = newcomer.with_actor(replace(person, stand=replace(outside, yaw=outside.yaw + 180)))
        self.go(actor, stand)


def write_script(request: SceneRequest, scene: Scene, shown: Shown, dice: Dice) -> tuple[Beat, ...]:
    """The beats of a clip that starts from a scene."""
    script = _Script(request, _revealed(request, scene, shown, dice), shown, dice)
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
                replace(thing, relation="in", target=container, slot=free_slot(scene, "in", container))
            )
        elif (
            scene.actors and placed and isinstance(placed.placement, HeldBy) and placed.placement.holder in scene.people
        ):
            scene = scene.with_thing(replace(thing, relation="held", target=placed.placement.holder, slot=1.0))
    return scene


# --- sentences -------------------------------------------------------------------------------------------------


def _act_out(script: _Script, event: str) -> None:
    names = [e.name for e in script.request.catalog.entities.values()]
    before = len(script.beats)
    for read in read_sentence(event, names):
        _act(script, read, event)
    if len(script.beats) == before:
        _gesture(script, event)


def _act(script: _Script, read: Reading, event: str) -> None:
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


def _id(script: _Script, phrase: NounPhrase | None) -> str:
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


def _relation(script: _Script, thing: str, goal: str, read: Reading) -> Relation:
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


def _put_somewhere(script: _Script, actor: str, things: list[str], read: Reading, event: str) -> None:
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


def _other(script: _Script, actor: str) -> str:
    return next((person for person in script.scene.people if person != actor), "")


def _wear(script: _Script, actor: str, thing: str) -> None:
    if thing not in script.scene.props or actor not in script.scene.people:
        return
    script.take(actor, thing)
    worn = replace(script.scene.props[thing], relation="worn", target=actor, stand=None)
    script.add("wear", actor, script.scene.with_thing(worn), 1.6, thing=thing)


def _change(script: _Script, actor: str, thing: str, read: Reading, tool: str) -> None:
    entity = script.request.catalog.entities.get(thing)
    if entity is None:
        return
    found = _value(script, entity, read.state)
    if found is None:
        script.work(actor, thing, read.verb)
        return
    script.change(actor, thing, found[0], found[1], read.act if read.act != "change" else read.verb, tool)


def _value(script: _Script, entity: Entity, state: str) -> tuple[str, str] | None:
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


def _gesture(script: _Script, event: str) -> None:
    """Somebody named does something to something named."""
    words = event.lower()
    people = [p for p in script.request.people if p.name.lower() in words and p.id in script.scene.people]
    actor = people[0].id if people else next(iter(script.scene.people), "")
    things = [t.id for t in script.request.things if t.name.lower() in words and t.id in script.scene.props]
    if actor:
        verb = re.findall(r"[a-z]+", words)
        script.work(actor, things[0] if things else "", " ".join(verb[:12]))


# --- coming and going ------------------------------------------------------------------------------------------


def _zone_in(script: _Script, text: str) -> str:
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


def _to_zone(script: _Script, actor: str, zone: str) -> None:
    from storyengine.previz.studio.blocking import zone_stand

    person = script.scene.people.get(actor)
    if person is None or script.scene.setting is None:
        return
    script.go(actor, zone_stand(script.scene, place_of(script.scene.setting), person, zone), zone)


def _go_somewhere(script: _Script, actors: list[str], read: Reading, event: str) -> None:
    end = asked.placements(script.request.end)
    place = script.request.place
    words = event.lower()
    for actor in actors:
        told = end.get(actor)
        absent = actor in asked.absent(script.request.end)
        leaves = absent or (
            told is None and re.search(r"\b(leaves?|exits?|goes out|walks out|steps out|departs?|walks away)\b", words)
        )
        zone = ""
        if told is not None and isinstance(told.placement, InSceneZone) and place is not None:
            zone = next((z.name for z in place.zones if z.id == told.placement.zone), "")
        zone = zone or _zone_in(script, event)
        goal = _id(script, read.goal) or _id(script, read.beside)
        if actor not in script.scene.people:
            continue
        if leaves:
            script.leave(actor)
        elif goal in script.scene.props:
            script.approach(actor, goal)
        elif zone:
            _to_zone(script, actor, zone)


def _push(script: _Script, actor: str, things: list[str], read: Reading, event: str) -> None:
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


def _let_go(script: _Script, actor: str, thing: str, before: Thing) -> None:
    """Hands off the handles; the barrow stays where it has been pushed."""
    from storyengine.previz.studio.staging import posed_things, rest

    person = script.scene.people.get(actor)
    if person is None:
        return
    matrix = posed_things(script.scene, rest(script.scene).bodies)[thing].matrix
    stand = Stand(float(matrix[0, 3]), float(matrix[1, 3]), 0.0, person.stand.yaw)
    placed = replace(before, relation="stands", target="", stand=stand, zone=person.zone)
    script.add("put", actor, script.scene.with_thing(placed), 0.6, thing=thing, manner="let go")


# --- what the end says -----------------------------------------------------------------------------------------


def _act_out_end(script: _Script) -> None:
    """Whatever the end says that the events have not brought about."""
    script.event = -1
    for claim in script.request.end:
        if isinstance(claim, Placed):
            _bring_about(script, claim)
    for thing, values in asked.states(script.request.end).items():
        found = script.scene.props.get(thing)
        for attribute, value in values if found is not None else ():
            if dict(found.states).get(attribute) != value:  # type: ignore[union-attr]
                script.change(next(iter(script.scene.people), ""), thing, attribute, value, value)


def _bring_about(script: _Script, claim: Placed, actor: str = "") -> None:
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
        case InSceneZone(zone=zone) if found is not None and found.relation == "held" and not found.fixed:
            script.put(found.target, found.id, "stands", "")


# --- ways ------------------------------------------------------------------------------------------------------


def _eyes(scene: Scene, actor: str, thing: str) -> Scene:
    person = scene.people.get(actor)
    return scene if person is None else scene.with_actor(replace(person, eyes=thing))


def _path(scene: Scene, start: Stand, end: Stand) -> tuple[tuple[float, float], ...]:
    """Straight where that is clear, else around by one corner."""
    a, b = (start.x, start.y), (end.x, end.y)
    if scene.setting is None or _clear(scene, a, b):
        return (a, b)
    best: tuple[float, tuple[float, float]] | None = None
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    for radius in (0.5, 0.8, 1.2, 1.7, 2.3):
        for turn in range(0, 360, 30):
            corner = (
                middle[0] + radius * math.sin(math.radians(turn)),
                middle[1] + radius * math.cos(math.radians(turn)),
            )
            length = math.dist(a, corner) + math.dist(corner, b)
            if (best is None or length < best[0]) and _clear(scene, a, corner) and _clear(scene, corner, b):
                best = (length, corner)
    return (a, best[1], b) if best is not None else (a, b)


def _clear(scene: Scene, a: tuple[float, float], b: tuple[float, float]) -> bool:
    assert scene.setting is not None
    place = place_of(scene.setting)
    length = math.dist(a, b)
    standing = [t for t in scene.things if t.relation == "stands"]
    for k in range(1, max(2, int(length / 0.15))):
        w = k * 0.15 / length if length else 1.0
        if 0.2 < w * length < length - 0.2:
            x, y = a[0] + (b[0] - a[0]) * w, a[1] + (b[1] - a[1]) * w
            if not is_free(place, standing, x, y, 0.16):
                return False
    return True


def _out_of_frame(scene: Scene, stand: Stand) -> Stand:
    """Just outside the picture, on the nearer side, facing out."""
    lens = scene.lens
    if lens is None:
        return replace(stand, x=stand.x + 3.0, yaw=90.0)
    to = math.degrees(math.atan2(stand.x - lens.x, stand.y - lens.y))
    away = max(math.dist((stand.x, stand.y), (lens.x, lens.y)), 1.6)
    side = 1.0 if turned_by(lens.yaw, to) >= 0 else -1.0
    out = math.radians(lens.yaw + side * (lens.fov / 2 + 16))
    x, y = lens.x + away * math.sin(out), lens.y + away * math.cos(out)
    return Stand(x, y, 0.0, math.degrees(math.atan2(x - stand.x, y - stand.y)))
