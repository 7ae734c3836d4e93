"""A whole brief as typed values."""

from __future__ import annotations

from dataclasses import dataclass

from storyengine.language.reading.directions import Anchor, OrderHint
from storyengine.language.reading.light import PlaceLight
from storyengine.language.reading.persons import Person
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.readings import Reading, Statement
from storyengine.language.reading.sentence import SentenceReading


@dataclass(frozen=True, slots=True)
class UnreadSentence:
    """A sentence that the reader could not use, and why."""

    sentence: str
    why: str


@dataclass(frozen=True, slots=True)
class BriefEvent:
    """Something that the brief says happens."""

    reading: Reading
    sentence: str
    """The author's own words."""
    shots: tuple[int, ...] = ()
    """The shots it belongs to; empty when the brief leaves that open."""
    place: str = ""
    """The place that the sentence or its heading names for it."""
    number: int = 0
    """Its number in a numbered list, or 0."""
    listed: bool = False
    """Whether it stands in a list of things to do, whose order may be free."""


@dataclass(frozen=True, slots=True)
class BriefReading:
    """All that a brief says, as far as it was understood."""

    people: tuple[Person, ...]
    names: tuple[str, ...]
    """Every proper name in the text."""
    places: tuple[str, ...]
    """Names without article, in order of appearance."""
    closed_places: tuple[str, ...]
    """The places of a list that the brief calls complete, or none."""
    shot_places: dict[int, tuple[str, ...]]
    """For each shot that the brief sets somewhere, the places it names; more than one is a contradiction."""
    events: tuple[BriefEvent, ...]
    statements: tuple[Statement, ...]
    orders: tuple[OrderHint, ...]
    one_way: tuple[SentenceReading, ...]
    """Sentences that call a change final."""
    anchors: tuple[Anchor, ...]
    lights: dict[str, PlaceLight]
    unread: tuple[UnreadSentence, ...]
    mentions: tuple[NounPhrase, ...]
    """Things that the brief introduces without saying what happens to them."""
    looks: tuple[tuple[str, str], ...]
    """Things as the brief describes them behind their names: `the hand truck, an upright barrow painted orange`."""
    fittings: tuple[tuple[NounPhrase, str], ...]
    """Things that the description of a place puts there."""
    alone: bool
    """Whether the brief says that there is only one person."""
    free_order: bool
    """Whether the brief leaves the order of its list to the planner."""
