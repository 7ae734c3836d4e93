"""What a sentence says, as typed values: events, and things that are so."""

from __future__ import annotations

from dataclasses import dataclass

from storyengine.language.reading import words as w
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.verbs import Act

IN = w.words("in into inside within")
ON = w.words("on onto upon atop across over")
TO = w.words("to towards toward through")
FROM = w.words("from off")
BY = w.words(
    "by beside near under beneath below against behind between above around round along at underneath opposite "
    "past among beyond"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One event: who does what to what. Names stand without article; pronouns are resolved."""

    act: Act
    verb: str
    agents: tuple[NounPhrase, ...] = ()
    things: tuple[NounPhrase, ...] = ()
    goal: NounPhrase | None = None
    """Recipient, container, surface or destination."""
    source: NounPhrase | None = None
    means: NounPhrase | None = None
    """Instrument, contents or companion thing."""
    where: str = ""
    """A position with its preposition, where it is no goal."""
    beside: NounPhrase | None = None
    """The noun of `where`."""
    place: NounPhrase | None = None
    """The room or open place that the clause names as its setting or destination."""
    relation: str = ""
    """in, on, held, attached or at: the placement that results."""
    state: str = ""
    """The state that results."""
    link: str = ""
    modal: str = ""
    negated: bool = False
    past: bool = False
    """Whether it is told in the past tense."""
    perfect: bool = False
    """Whether it is told as having happened before: `has locked`, `had left`."""
    passive: bool = False
    particle: str = ""
    text: str = ""
    """The clause in the author's words."""
    rest: str = ""
    """What follows the verb, in the author's words."""

    @property
    def who(self) -> tuple[str, ...]:
        return tuple(agent.name for agent in self.agents)

    @property
    def what(self) -> str:
        return " and ".join(thing.name for thing in self.things)

    @property
    def to(self) -> str:
        return self.goal.name if self.goal else ""

    @property
    def from_(self) -> str:
        return self.source.name if self.source else ""

    @property
    def with_(self) -> str:
        return self.means.name if self.means else ""


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that is so rather than happens: `The notebook lies on the desk.`"""

    subject: NounPhrase
    relation: str = ""
    """in, on, held, attached, at; `is` for a description, `has`, `wears`, `state`."""
    target: NounPhrase | None = None
    where: str = ""
    words: str = ""
    """The description or the state."""
    text: str = ""
    modal: str = ""
    negated: bool = False


def base_preposition(preposition: str) -> str:
    """What a long preposition comes down to: `down onto` → onto, `out of` → from."""
    if preposition in ("out of", "away from", "in from", "out from", "off of", "from on top of"):
        return "from"
    if preposition == "clear of":
        return "beside"
    if preposition.startswith("from "):
        return "from"
    if preposition in ("on top of", "on to", "in to"):
        return {"on top of": "on", "on to": "onto", "in to": "into"}[preposition]
    if preposition in (
        "in front of",
        "next to",
        "close to",
        "down next to",
        "right next to",
        "in between",
    ) or preposition.startswith(("at the", "to the side", "in the middle", "on the edge")):
        return "beside"
    return preposition.split()[-1]
