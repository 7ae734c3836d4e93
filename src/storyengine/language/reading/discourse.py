"""Who `she` is and what `it` is: people and things by gender, number, recency and what can be done with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from storyengine.language.reading import words as w
from storyengine.language.reading.phrases import NounPhrase


def gender_of(phrase: NounPhrase) -> str:
    """`f`, `m`, or empty when the words do not say."""
    spoken = [phrase.words[0].lower(), phrase.head] if phrase.proper else [phrase.head]
    notes = " ".join(phrase.notes).lower().replace(",", " ").split()
    female = w.FEMALE_NAMES | w.FEMALE_NOUNS | w.words("mrs ms miss mum mother aunt grandmother she her")
    male = w.MALE_NAMES | w.MALE_NOUNS | w.words("mr dad father uncle grandfather he his")
    for word in (*spoken, *(notes[:6])):
        if word in female and not (word in w.FEMALE_NAMES and word not in spoken):
            return "f"
        if word in male and not (word in w.MALE_NAMES and word not in spoken):
            return "m"
    return ""


@dataclass
class Discourse:
    """What has been spoken of so far. Grows while a text is read."""

    people: list[NounPhrase] = field(default_factory=list)
    """The latest last."""
    things: list[NounPhrase] = field(default_factory=list)
    """The most likely meaning of `it` last."""
    agents: tuple[NounPhrase, ...] = ()
    """Who acted last, together."""
    together: tuple[NounPhrase, ...] = ()
    """Things that were last handled together."""
    genders: dict[str, str] = field(default_factory=dict)
    persons: set[str] = field(default_factory=set)
    """Names, in lower case, that are known to be people."""
    container: NounPhrase | None = None
    """What `inside` means: the container last opened or filled."""
    put_inside: bool = False
    """Whether the last thing that happened was putting something into the container."""

    meant: NounPhrase | None = None
    """What `it` meant in the clause before; there it goes on meaning that: `puts the lid on it and carries it off`."""
    means: NounPhrase | None = None
    """What `it` means in this clause."""

    def next_clause(self) -> None:
        self.meant, self.means = self.means, None

    def next_sentence(self) -> None:
        self.meant = self.means = None

    def is_person(self, phrase: NounPhrase) -> bool:
        return phrase.is_person or phrase.name.lower() in self.persons

    def meet(self, phrase: NounPhrase) -> None:
        """Remember somebody or something that was named."""
        if (
            phrase.pronoun
            or not phrase.words
            or phrase.head in ("person", "people", "nobody", "somebody", "someone", "shot", "shots")
        ):
            return
        shelf = self.people if self.is_person(phrase) else self.things
        shelf[:] = [other for other in shelf if other.name.lower() != phrase.name.lower()]
        shelf.append(phrase)
        if self.is_person(phrase) and not self.genders.get(phrase.name.lower()) and (gender := gender_of(phrase)):
            self.genders[phrase.name.lower()] = gender

    def resolve(
        self, phrase: NounPhrase, agents: Iterable[NounPhrase] = (), openable: bool = False
    ) -> tuple[NounPhrase, ...]:
        """What a noun phrase means; itself unless it is a pronoun. `agents` act in the same clause."""
        if not phrase.pronoun:
            return (phrase,)
        word = phrase.head
        if word in w.MALE or word in w.FEMALE:
            return self._person("m" if word in w.MALE else "f", tuple(agents)) or (phrase,)
        if word in ("they", "them", "both", "these", "those", "themselves"):
            return self._several(word, tuple(agents)) or (phrase,)
        if word in ("it", "itself", "this", "that", "one"):
            found = (self.meant,) if self.meant is not None and word == "it" and not openable else self._thing(openable)
            self.means = found[0] if found else None
            return found or (phrase,)
        return (phrase,)

    def _gender(self, person: NounPhrase) -> str:
        return self.genders.get(person.name.lower(), "") or gender_of(person)

    def _person(self, gender: str, agents: tuple[NounPhrase, ...]) -> tuple[NounPhrase, ...]:
        """The same gender first, then unknown; a subject prefers who acted last, an object anyone else."""
        acting = {agent.name.lower() for agent in agents}
        choices = [
            person for person in reversed(self.people) if person.name.lower() not in acting and not person.plural
        ]
        if not agents and len(self.agents) == 1 and self.agents[0] in choices:
            choices = [self.agents[0], *choices]
        for person in choices:
            if self._gender(person) in (gender, ""):
                self.genders.setdefault(person.name.lower(), gender)
                return (person,)
        return ()

    def _several(self, word: str, agents: tuple[NounPhrase, ...]) -> tuple[NounPhrase, ...]:
        if word in ("them", "these", "those"):
            if len(self.together) > 1:
                return self.together
            several = next((thing for thing in reversed(self.things) if thing.plural), None)
            if several is not None:
                return (several,)
        if len(self.agents) > 1:
            return self.agents
        crowd = next((person for person in reversed(self.people) if person.plural), None)
        if crowd is not None:
            return (crowd,)
        if word == "they" and len(self.people) == 1:
            return (self.people[0],)
        if word == "they" and len(self.people) > 1:
            return tuple(self.people[-2:])
        several = next((thing for thing in reversed(self.things) if thing.plural), None)
        return (several,) if several else ()

    def _thing(self, openable: bool) -> tuple[NounPhrase, ...]:
        choices = [thing for thing in reversed(self.things) if not w.is_place_noun(thing.head)]
        if openable and self.put_inside and self.container is not None:
            return (self.container,)
        if openable:
            fitting = [t for t in choices[:4] if t.head in w.OPENABLE | w.PUT_IN | w.FIXTURES]
            if self.container is not None and not (fitting and fitting[0] is choices[0]):
                fitting.insert(0, self.container)
            choices = [*fitting[:1], *choices]
        singular = [thing for thing in choices if not thing.plural]
        return tuple((singular or choices)[:1])
