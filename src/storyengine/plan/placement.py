"""Where a thing is, and in which state: the six placements, and the two kinds of fact made from them.

A fact is what an event brings about, what the initial world consists of, and what a plan may assert about a
later state. In YAML it is written in one line:

    backpack held by mina          HeldBy
    backpack in locker             InContainer
    notebook on desk               OnSurface
    cap attached to mina           AttachedTo (worn, hung, tied, screwed on)
    mina at classroom.doorway      InSceneZone
    teacher offscreen              Offscreen
    locker.door = shut             an attribute's value
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from storyengine.wording import Id, Phrase, Value


class InSceneZone(Value):
    """Standing or lying in a zone of an environment."""

    kind: Literal["in_scene_zone"] = "in_scene_zone"
    environment: Id
    zone: Id


class OnSurface(Value):
    """Resting on an entity that is a surface."""

    kind: Literal["on_surface"] = "on_surface"
    surface: Id


class InContainer(Value):
    """Inside an entity that is a container."""

    kind: Literal["in_container"] = "in_container"
    container: Id


class HeldBy(Value):
    """In the hands of a character."""

    kind: Literal["held_by"] = "held_by"
    holder: Id


class AttachedTo(Value):
    """Worn by a character, or fastened to an entity that is a mount."""

    kind: Literal["attached_to"] = "attached_to"
    support: Id


class Offscreen(Value):
    """Nowhere the camera goes."""

    kind: Literal["offscreen"] = "offscreen"


Placement = Annotated[
    InSceneZone | OnSurface | InContainer | HeldBy | AttachedTo | Offscreen, Field(discriminator="kind")
]


def target_of(placement: Placement) -> str | None:
    """The entity that a placement hangs on, if it hangs on one."""
    match placement:
        case OnSurface(surface=target) | InContainer(container=target):
            return target
        case HeldBy(holder=target) | AttachedTo(support=target):
            return target
        case _:
            return None


class Place(Value):
    """The fact that an entity is somewhere."""

    fact: Literal["place"] = "place"
    entity: Id
    placement: Placement

    def __str__(self) -> str:
        return write_fact(self)


class Set(Value):
    """The fact that an attribute of an entity has a value."""

    fact: Literal["set"] = "set"
    entity: Id
    attribute: Id
    value: Phrase

    def __str__(self) -> str:
        return write_fact(self)


_ID = r"[a-z0-9]+(?:[-_][a-z0-9]+)*"
_RELATIONS: dict[str, tuple[str, str]] = {
    "on": ("on_surface", "surface"),
    "in": ("in_container", "container"),
    "held by": ("held_by", "holder"),
    "attached to": ("attached_to", "support"),
}
_SET = re.compile(rf"({_ID})\.({_ID})\s*=\s*(.+)")
_RELATED = re.compile(rf"({_ID})\s+(on|in|held by|attached to)\s+({_ID})")
_ZONE = re.compile(rf"({_ID})\s+at\s+({_ID})\.({_ID})")
_OFFSCREEN = re.compile(rf"({_ID})\s+offscreen")

FACT_FORMS = (
    "`thing in container`, `thing on surface`, `thing held by person`, `thing attached to mount`, "
    "`thing at place.zone`, `thing offscreen` or `thing.attribute = value`"
)


def read_fact(line: str) -> dict[str, Any]:
    """The typed form of a fact written in one line. Raises ValueError that shows the allowed forms."""
    text = " ".join(line.split())
    if match := _SET.fullmatch(text):
        return {"fact": "set", "entity": match[1], "attribute": match[2], "value": match[3]}
    if match := _RELATED.fullmatch(text):
        kind, name = _RELATIONS[match[2]]
        return {"fact": "place", "entity": match[1], "placement": {"kind": kind, name: match[3]}}
    if match := _ZONE.fullmatch(text):
        zone = {"kind": "in_scene_zone", "environment": match[2], "zone": match[3]}
        return {"fact": "place", "entity": match[1], "placement": zone}
    if match := _OFFSCREEN.fullmatch(text):
        return {"fact": "place", "entity": match[1], "placement": {"kind": "offscreen"}}
    raise ValueError(f"this is not a fact; write {FACT_FORMS}, with ids")


def write_fact(fact: Place | Set) -> str:
    """The fact in one line; the exact inverse of `read_fact`."""
    if isinstance(fact, Set):
        return f"{fact.entity}.{fact.attribute} = {fact.value}"
    return f"{fact.entity} {write_placement(fact.placement)}"


def write_placement(placement: Placement) -> str:
    """`in locker`, `held by mina`, `at classroom.doorway`, `offscreen`."""
    match placement:
        case InSceneZone(environment=environment, zone=zone):
            return f"at {environment}.{zone}"
        case OnSurface(surface=target):
            return f"on {target}"
        case InContainer(container=target):
            return f"in {target}"
        case HeldBy(holder=target):
            return f"held by {target}"
        case AttachedTo(support=target):
            return f"attached to {target}"
        case Offscreen():
            return "offscreen"


def _from_line(value: Any) -> Any:
    return read_fact(value) if isinstance(value, str) else value


Fact = Annotated[Annotated[Place | Set, Field(discriminator="fact")], BeforeValidator(_from_line)]
"""A placement or an attribute value; accepts the one-line form."""
