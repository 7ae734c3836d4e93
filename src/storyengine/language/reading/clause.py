"""A clause as it is read off a sentence: one verb with what belongs to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.verbgroups import VerbGroup


@dataclass(frozen=True, slots=True)
class Prepositional:
    """`into the locker`; without a noun for `inside`."""

    preposition: str
    phrase: NounPhrase | None
    all: tuple[NounPhrase, ...] = ()
    """Every noun of `to the shelf and the rack`."""
    fronted: bool = False
    """Whether it stands before subject and verb: a setting, never a goal."""


@dataclass
class Clause:
    """One verb with what belongs to it. Mutable only while it is being read."""

    subject: tuple[NounPhrase, ...] = ()
    verb: VerbGroup | None = None
    particle: str = ""
    objects: list[tuple[NounPhrase, ...]] = field(default_factory=list)
    phrases: list[Prepositional] = field(default_factory=list)
    adverbs: list[str] = field(default_factory=list)
    adjectives: list[str] = field(default_factory=list)
    link: str = ""
    """Empty, or how it joins on: and, then, while, before, after, once, relative, to, ing."""
    antecedent: NounPhrase | None = None
    start: int = 0
    end: int = 0
    inherited: bool = False
    """Whether the subject was taken over from the clause before."""

    @property
    def lemma(self) -> str:
        return self.verb.lemma if self.verb else ""
