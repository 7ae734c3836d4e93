"""Beats: what people do one after another, and what the scene is after each.

A `Script` writes them down while it goes along: whoever takes something walks there first, opens what hides it, and
uses the hand that the camera sees.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from storyengine.plan import InSceneZone
from storyengine.previz.render.values import Vec3
from storyengine.previz.studio import reading as asked
from storyengine.previz.studio.arranging import lost, stepped_aside
from storyengine.previz.studio.blocking import best_hold, faced, in_frame, meeting_stands, stand_in_frame, work_stand
from storyengine.previz.studio.compose import Shown
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.reading import SceneRequest
from storyengine.previz.studio.scene import Relation, Scene, Stand, Thing
from storyengine.previz.studio.sets import floor_near, is_free, place_of
from storyengine.previz.studio.staging import handle_way, model_of, turned_by

SPEED = 1.15
"""Metres a second of an easy walk."""


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
class Script:
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
            length = sum(math.dist(a, b) for a, b in itertools.pairwise(path))
            self.add("walk", actor, moved, 0.5 + length / SPEED, path=path[1:])
        elif abs(turned_by(person.stand.yaw, stand.yaw)) > 12:
            turned = replace(stand, x=person.stand.x, y=person.stand.y)
            moved = self.scene.with_actor(replace(person, stand=turned))
            self.add("turn", actor, moved, 0.45 + abs(turned_by(person.stand.yaw, stand.yaw)) / 240)

    def approach(self, actor: str, thing: str, way: tuple[Vec3, ...] = (), moving: str = "") -> None:
        """To where the thing can be handled."""
        assert self.scene.setting is not None
        found = self.scene.props.get(thing)
        if found is not None and found.relation in ("held", "worn") and found.target == actor:
            return
        stand = work_stand(self.scene, place_of(self.scene.setting), actor, thing, way, moving)
        if stand is not None:
            # Whoever stands at the locker is by the locker. Elsewhere a long arm may reach into a zone.
            arrives = self.told_zone(actor) == self.scene.zone_of(thing)
            self.go(actor, stand, self.told_zone(actor) if arrives else "")

    def told_zone(self, person: str) -> str:
        """The zone that the end puts somebody in."""
        told, place = asked.placements(self.request.end).get(person), self.request.place
        if told is None or place is None or not isinstance(told.placement, InSceneZone):
            return ""
        return next((zone.name for zone in place.zones if zone.id == told.placement.zone), "")

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
            laid = replace(found, relation=relation, target=target, stand=None, turn=0.0)
            placed = self._seen([replace(laid, slot=slot) for slot in self.scene.free_slots(relation, target)])
        else:
            placed = self._on_floor(actor, found)
        after = _eyes(self.scene.with_thing(placed), actor, target or thing)
        self.add("put", actor, after, 1.45, thing=thing, target=target, manner=manner)

    def _on_floor(self, actor: str, thing: Thing) -> Thing:
        """A thing put down beside somebody, where the camera sees it if it can."""
        assert self.scene.setting is not None
        person = self.scene.people[actor]
        floors = floor_near(place_of(self.scene.setting), person.stand, model_of(thing), self.scene)
        options = [
            replace(thing, relation="stands", target="", stand=stand, zone=person.zone, turn=0.0) for stand in floors
        ]
        return self._seen(options)

    def _seen(self, options: Sequence[Thing]) -> Thing:
        """The first of some places for a thing where the camera sees it, or the first."""
        seen = (one for one in options if not lost(self.scene.with_thing(one), (one.id,)))
        return next(seen, options[0])

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
        assert self.scene.setting is not None
        mine, theirs = meeting_stands(self.scene, place_of(self.scene.setting), actor, partner)
        self.go(partner, theirs)
        self.go(actor, mine)

    def change(self, actor: str, thing: str, attribute: str, value: str, manner: str, tool: str = "") -> None:
        """Bring a thing into another state."""
        found = self.scene.props.get(thing)
        if found is None or dict(found.states).get(attribute) == value:
            return
        changed = self.scene.with_thing(found.with_state(attribute, value))
        if actor in self.scene.people:
            self.approach(actor, thing, handle_way(self.scene, changed, thing), thing)
        if self.half:
            self.work(actor, thing, manner)
            return
        after = _eyes(self.scene.with_thing(found.with_state(attribute, value)), actor, thing)
        self.add("state", actor, after, 1.7, thing=thing, manner=manner, target=tool)

    def settle(self) -> None:
        """At the end nobody who is to be seen is out of the frame, and nobody shows the camera their back."""
        acted = dict.fromkeys(beat.actor for beat in self.beats)
        seen = asked.present(self.request.end)
        for actor in acted:
            person, lens = self.scene.people.get(actor), self.scene.lens
            if person is None or lens is None or self.scene.setting is None:
                continue
            if actor in seen and not in_frame(lens, person.stand, person.look.height):
                self.go(actor, stand_in_frame(self.scene, place_of(self.scene.setting), person))
            else:
                self.go(actor, faced(person.stand, lens))
        aside = stepped_aside(self.scene, seen)
        for person in aside.actors:
            self.go(person.id, person.stand)

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
        arriving = newcomer.with_actor(replace(person, stand=replace(outside, yaw=outside.yaw + 180)))
        self.add("wait", "", arriving, 0.05)
        self.go(actor, stand)


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
