"""The annotation sheet of a story, in typed blocks. Never shown to a method.

Every proposition is an English sentence for people and vision models, and the typed claim it stands for. The
location plan, cast and props use the same values as a semantic plan, so that claims are checked against a
catalog like any other.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from storyengine.bench.index import Category, Suite
from storyengine.language import Claim
from storyengine.plan import Catalog, Entity, Environment
from storyengine.wording import Id, Line, Value

ShotNumber = Annotated[int, Field(ge=1, le=10)]


class Proposition(Value):
    """Something a picture can show."""

    sentence: Line
    """In words that a person or a vision model can check."""
    claim: Claim
    """The typed claim it stands for."""


class RequiredEvent(Value):
    """An event that the brief demands, visible as a change (N20)."""

    id: Id
    sentence: Line
    """The event in the words of the brief."""
    actors: Annotated[tuple[Id, ...], Field(min_length=1)]
    props: tuple[Id, ...] = ()
    """Props of the sheet that take part."""
    place: Id
    """The place where it happens."""
    before: Proposition
    after: Proposition


class DistractorEvent(Value):
    """An event of another N20 story, whose people and props do not occur in this one."""

    story: Id
    event: Id
    sentence: Line


class EventOrder(Value):
    """One required event comes before another."""

    first: Id
    then: Id


class Anchor(Value):
    """The thing in frame on both sides of the cut into a shot (T20)."""

    into_shot: Annotated[int, Field(ge=2, le=10)]
    entity: Id
    proposition: Proposition
    carried_by: Id | None = None
    """Across a change of place: the character who takes it along."""
    how: Literal["carried", "worn", "pushed"] | None = None
    """Across a change of place: how it is taken along."""


class OneWayState(Value):
    """A change that is never undone (T20)."""

    id: Id
    job: Line
    """The job in the words of the brief."""
    entity: Id
    place: Id
    """Where the state can be seen."""
    reference_shot: ShotNumber
    """A position at which the change may happen; its place is planned before and after it."""
    before: Proposition
    after: Proposition


class LightSegment(Value):
    """Shots that share one lighting condition."""

    id: Id
    places: Annotated[tuple[Id, ...], Field(min_length=1)]


class LightContrast(Value):
    """How the light of one place differs from that of the other, and the words of the style that say so."""

    place: Id
    relation: Literal["darker", "brighter", "cooler", "warmer"]
    than: Id


class Lighting(Value):
    """Lighting conditions, derived from the visual style alone (C20)."""

    quote: Line
    """The words of the style text from which the block is derived."""
    segments: Annotated[tuple[LightSegment, ...], Field(min_length=1, max_length=2)]
    contrast: LightContrast | None = None


class Sheet(Value):
    """Everything a story is scored against."""

    story: Id
    suite: Suite
    category: Category
    title: Line
    places: Annotated[tuple[Environment, ...], Field(min_length=2, max_length=2)]
    """Location descriptions."""
    location_plan: Annotated[tuple[Id, ...], Field(min_length=10, max_length=10)]
    """The place of each shot."""
    cast: Annotated[tuple[Entity, ...], Field(min_length=1, max_length=2)]
    props: Annotated[tuple[Entity, ...], Field(min_length=1)]
    required: Annotated[tuple[Id, ...], Field(min_length=5, max_length=5)]
    """The five required recurring entities, in the order of the brief."""
    events: tuple[RequiredEvent, ...] = ()
    order: tuple[EventOrder, ...] = ()
    distractors: tuple[DistractorEvent, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    states: tuple[OneWayState, ...] = ()
    lighting: Lighting | None = None

    def catalog(self) -> Catalog:
        return Catalog.build((*self.cast, *self.props), self.places)
