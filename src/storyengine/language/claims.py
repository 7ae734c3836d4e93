"""Claims: what a sentence about a picture or clip says, as typed values.

Claims about a state have a one-line form, used where people write them (annotation sheets):

    barrow visible                 Present
    barrow absent                  Absent
    sack on barrow                 Placed (any placement but `offscreen`)
    oven-door.state = raised       HasAttribute
    <state> -> <state>             Changes
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator

from storyengine.plan import Fact, Offscreen, Place, Placement, Set
from storyengine.plan.model import Brightness, CameraMove, Direction, Framing, Tone
from storyengine.plan.placement import read_fact
from storyengine.wording import Id, Line, Phrase, Value


class Present(Value):
    """The entity can be seen."""

    claim: Literal["present"] = "present"
    entity: Id


class Absent(Value):
    """The entity cannot be seen anywhere."""

    claim: Literal["absent"] = "absent"
    entity: Id


class Single(Value):
    """The entity can be seen exactly once: there is no second one like it."""

    claim: Literal["single"] = "single"
    entity: Id


class Placed(Value):
    """The entity can be seen to be somewhere."""

    claim: Literal["placed"] = "placed"
    entity: Id
    placement: Placement

    @field_validator("placement")
    @classmethod
    def _can_be_seen(cls, placement: Placement) -> Placement:
        if isinstance(placement, Offscreen):
            raise ValueError("no picture shows that something is off screen; claim that it is absent")
        return placement


class HasAttribute(Value):
    """An attribute of the entity can be seen to have a value."""

    claim: Literal["has_attribute"] = "has_attribute"
    entity: Id
    attribute: Id
    value: Phrase


class InEnvironment(Value):
    """The shot plays in the environment."""

    claim: Literal["in_environment"] = "in_environment"
    environment: Id


class LandmarkVisible(Value):
    """A landmark of the environment can be seen."""

    claim: Literal["landmark_visible"] = "landmark_visible"
    environment: Id
    landmark: Id


class LooksLike(Value):
    """The entity looks like its canonical reference."""

    claim: Literal["looks_like"] = "looks_like"
    entity: Id


class FaceLegible(Value):
    """The character's face is large and clear enough to be recognised."""

    claim: Literal["face_legible"] = "face_legible"
    entity: Id


class Framed(Value):
    """The entity is shown in a shot of this size."""

    claim: Literal["framed"] = "framed"
    entity: Id
    framing: Framing


class CameraMoves(Value):
    """The camera moves so, or stays still."""

    claim: Literal["camera_moves"] = "camera_moves"
    move: CameraMove


class Moves(Value):
    """The entity moves across the screen in this direction."""

    claim: Literal["moves"] = "moves"
    entity: Id
    direction: Direction


class Lit(Value):
    """The environment has this light."""

    claim: Literal["lit"] = "lit"
    environment: Id
    brightness: Brightness
    tone: Tone


Unwanted = Literal[
    "on-screen text",
    "logos and watermarks",
    "split screens",
    "frozen frames",
    "blank frames",
    "reflections of people",
    "depictions of people",
    "a visible film crew",
    "aerial viewpoints",
    "extreme close-ups of body parts",
]


class FreeOf(Value):
    """The picture holds none of something unwanted."""

    claim: Literal["free_of"] = "free_of"
    thing: Unwanted


class OnlyPeople(Value):
    """No people but these can be seen; with none named, nobody at all."""

    claim: Literal["only_people"] = "only_people"
    entities: tuple[Id, ...] = ()

    @field_validator("entities")
    @classmethod
    def _in_order(cls, entities: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(set(entities)))


class Happens(Value):
    """An event can be seen to happen during the shot."""

    claim: Literal["happens"] = "happens"
    action: Line


StateClaim = Annotated[Present | Absent | Placed | HasAttribute, Field(discriminator="claim")]
"""A claim that one moment can show."""


class Changes(Value):
    """One state is seen first, and another one later in the same shot."""

    claim: Literal["changes"] = "changes"
    before: StateClaim
    after: StateClaim


_SEEN = re.compile(r"([a-z0-9]+(?:[-_][a-z0-9]+)*)\s+(visible|absent)")


def read_claim(line: str) -> dict[str, Any]:
    """The typed form of a claim written in one line. Raises ValueError that shows the allowed forms."""
    before, arrow, after = line.partition("->")
    if arrow:
        return {"claim": "changes", "before": read_claim(before), "after": read_claim(after)}
    if match := _SEEN.fullmatch(" ".join(line.split())):
        return {"claim": "present" if match[2] == "visible" else "absent", "entity": match[1]}
    try:
        fact = read_fact(line)
    except ValueError as error:
        raise ValueError(f"{error}; or `thing visible`, `thing absent`, `before -> after`") from None
    kind = "placed" if fact.pop("fact") == "place" else "has_attribute"
    return {"claim": kind, **fact}


def _from_line(value: Any) -> Any:
    return read_claim(value) if isinstance(value, str) else value


Claim = Annotated[
    Annotated[
        Present
        | Absent
        | Single
        | Placed
        | HasAttribute
        | InEnvironment
        | LandmarkVisible
        | LooksLike
        | FaceLegible
        | Framed
        | CameraMoves
        | Moves
        | Lit
        | FreeOf
        | OnlyPeople
        | Happens
        | Changes,
        Field(discriminator="claim"),
    ],
    BeforeValidator(_from_line),
]
"""Any claim; accepts the one-line form."""


def claim_of(fact: Fact) -> StateClaim:
    """What a camera would have to see for a fact to show. Something off screen shows by being absent."""
    match fact:
        case Set(entity=entity, attribute=attribute, value=value):
            return HasAttribute(entity=entity, attribute=attribute, value=value)
        case Place(entity=entity, placement=Offscreen()):
            return Absent(entity=entity)
        case Place(entity=entity, placement=placement):
            return Placed(entity=entity, placement=placement)
