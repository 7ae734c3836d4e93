"""A scene: everything that one picture of the studio shows, as a frozen value that can be drawn again.

Positions are decided when a scene is composed and then kept: what stands somewhere has a `Stand`, what hangs on
something else (on it, in it, held, worn, fastened) names it. So a scene found again in the index is the same scene,
mistakes included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from pydantic import TypeAdapter

from storyengine.previz.looks import PersonLook, PlaceLook, PropLook

Relation = Literal["stands", "on", "in", "held", "worn", "fastened"]
SLOTS = (0.2, 0.8, 0.5, 0.35, 0.65)
"""Where things are put on a surface, in this order."""
Subject = Literal["sheet", "thing", "panorama", "view"]
"""What kind of picture it is: an identity sheet, a thing's reference, a panorama, or a view of a place."""


@dataclass(frozen=True)
class Stand:
    """Where something stands in the world, and where it faces (compass bearing)."""

    x: float
    y: float
    z: float = 0.0
    yaw: float = 0.0

    @property
    def at(self) -> tuple[float, float, float]:
        return (self.x, self.y, self.z)


@dataclass(frozen=True)
class Mark:
    """A landmark of a place as its caption words it."""

    id: str
    name: str
    look: str = ""


@dataclass(frozen=True)
class Setting:
    """The place of a scene. The same look, zones, marks and seed are the same room."""

    id: str
    name: str
    look: PlaceLook
    zones: tuple[str, ...]
    marks: tuple[Mark, ...]
    seed: int


@dataclass(frozen=True)
class Actor:
    """A person in the scene."""

    id: str
    look: PersonLook
    stand: Stand
    zone: str = ""
    eyes: str = ""
    """Whom or what they look at; empty looks ahead."""


@dataclass(frozen=True)
class Thing:
    """A prop in the scene."""

    id: str
    look: PropLook
    relation: Relation = "stands"
    target: str = ""
    """The thing or person it is on, in, held by, worn by or fastened to."""
    stand: Stand | None = None
    """Where it stands; None when it hangs on a target."""
    slot: float = 0.5
    """Where on its target's surface it rests, 0 (left) to 1 (right)."""
    turn: float = 0.0
    """How it lies on or in its target, in degrees."""
    states: tuple[tuple[str, str], ...] = ()
    """Attribute and value."""
    shuts: tuple[tuple[str, str], ...] = ()
    """Attributes and values in which what is inside cannot be seen."""
    zone: str = ""
    fixed: bool = False

    @property
    def shut(self) -> bool:
        return any(state in self.shuts for state in self.states)

    def with_state(self, attribute: str, value: str) -> Thing:
        rest = tuple((name, old) for name, old in self.states if name != attribute)
        return replace(self, states=tuple(sorted((*rest, (attribute, value)))))


@dataclass(frozen=True)
class Lens:
    """The camera: where it stands, where it looks, how wide."""

    x: float
    y: float
    z: float
    yaw: float
    pitch: float
    fov: float


@dataclass(frozen=True)
class Blemish:
    """What a fallible generator did to the picture as a whole."""

    text: str = ""
    """Stray writing."""
    gain: float = 1.0
    """Brightness drift."""
    warmth: float = 0.0
    """Colour drift, -1 (cool) to 1 (warm)."""


@dataclass(frozen=True)
class Scene:
    """What a picture shows."""

    subject: Subject
    setting: Setting | None = None
    actors: tuple[Actor, ...] = ()
    things: tuple[Thing, ...] = ()
    lens: Lens | None = None
    blemish: Blemish = Blemish()

    @cached_property
    def people(self) -> dict[str, Actor]:
        return {actor.id: actor for actor in self.actors}

    @cached_property
    def props(self) -> dict[str, Thing]:
        return {thing.id: thing for thing in self.things}

    def with_thing(self, thing: Thing) -> Scene:
        """With one thing added, or changed."""
        others = tuple(other for other in self.things if other.id != thing.id)
        place = next((i for i, other in enumerate(self.things) if other.id == thing.id), len(others))
        return replace(self, things=(*others[:place], thing, *others[place:]))

    def with_actor(self, actor: Actor) -> Scene:
        others = tuple(other for other in self.actors if other.id != actor.id)
        place = next((i for i, other in enumerate(self.actors) if other.id == actor.id), len(others))
        return replace(self, actors=(*others[:place], actor, *others[place:]))

    def without(self, ids: Iterable[str]) -> Scene:
        """Without some people and things; what hung on them is gone too."""
        gone = set(ids)
        while True:
            more = {t.id for t in self.things if t.target in gone} - gone
            if not more:
                break
            gone |= more
        return replace(
            self,
            actors=tuple(a for a in self.actors if a.id not in gone),
            things=tuple(t for t in self.things if t.id not in gone),
        )

    def held_by(self, actor: str) -> tuple[Thing, ...]:
        return tuple(t for t in self.things if t.relation == "held" and t.target == actor)

    def free_slots(self, relation: Relation, target: str) -> list[float]:
        """Where on or in something another thing fits, the best first."""
        taken = [t.slot for t in self.things if t.target == target and t.relation == relation]
        return [slot for slot in SLOTS if all(abs(slot - other) > 0.15 for other in taken)] or [0.5]

    def is_hidden(self, thing: str) -> bool:
        """Whether a shut container on its chain of targets hides it."""
        return any(outer is not None and found.relation == "in" and outer.shut for found, outer in self._borne(thing))

    def zone_of(self, thing: str) -> str:
        """The zone where a thing stands, or what bears it."""
        return next((found.zone for found, _ in self._borne(thing) if found.zone), "")

    def _borne(self, thing: str) -> Iterator[tuple[Thing, Thing | None]]:
        """A thing and what it is on or in, that one and what bears it, and so on."""
        found = self.props.get(thing)
        seen: set[str] = set()
        while found is not None and found.id not in seen:
            seen.add(found.id)
            outer = self.props.get(found.target) if found.target else None
            yield found, outer
            found = outer


_JSON: TypeAdapter[Scene] = TypeAdapter(Scene)


def to_json(scene: Scene) -> bytes:
    return _JSON.dump_json(scene)


def from_json(data: bytes) -> Scene:
    return _JSON.validate_json(data)
