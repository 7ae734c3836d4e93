"""Which act a verb is, given what it is done to: `takes off the coat` is doffing, `takes off the lid` is taking."""

from __future__ import annotations

from dataclasses import dataclass

from storyengine.language.reading import words as w
from storyengine.language.reading.clause import Clause, Prepositional
from storyengine.language.reading.discourse import Discourse
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.readings import FROM, IN, ON, TO, base_preposition
from storyengine.language.reading.verbs import Act, act_of

LEVERS = w.words("lever rope cord chain switch handle bell trigger crank valve plug toggle knob")
_SWUNG = w.words("pull push swing slide throw fling slam prise pry lever kick draw ease nudge flip prop lift")
_TAKEN_OFF = w.words("take pull slip shrug remove throw kick peel strip")
PICKING = w.words("pick gather collect harvest pluck")
_SHIFTED = w.words("slide shove push slip drag roll pull haul heave hoist lug")
_FASTENED = w.words("fix screw nail bolt tape stick glue tie sew")
_RISING = w.OPENABLE | w.words("latch barrier sluice paddle anchor flag sail portcullis bar boom awning grating")


@dataclass(frozen=True, slots=True)
class _Case:
    """A verb with what decides its act."""

    clause: Clause
    act: Act
    head: str
    """The noun that it is done to, or empty."""
    goals: tuple[Prepositional, ...]
    sources: tuple[Prepositional, ...]

    @property
    def lemma(self) -> str:
        return self.clause.lemma

    @property
    def particle(self) -> str:
        return self.clause.particle

    @property
    def has_object(self) -> bool:
        verb = self.clause.verb
        return bool(self.clause.objects) or bool(verb and verb.passive)

    @property
    def is_lamp(self) -> bool:
        return self.head in w.LAMPS or w.singular(self.head) in w.LAMPS

    def goes(self, *prepositions: str) -> bool:
        return any(base_preposition(p.preposition) in prepositions for p in self.goals)


class ActChooser:
    """Knows places and people, and from them what a verb does."""

    def __init__(self, discourse: Discourse, places: frozenset[str] = frozenset()) -> None:
        self.discourse = discourse
        self.places = places
        """Names of places that are known, in lower case."""

    def is_place(self, phrase: NounPhrase | None) -> bool:
        if phrase is None or phrase.pronoun:
            return False
        name = phrase.name.lower()
        if name in self.places or any(p.endswith(f" {name}") for p in self.places):
            return True
        numbered = (
            len(phrase.words) > 1
            and w.number_word(phrase.head) is not None
            and w.is_place_noun(phrase.words[-2].lower())
        )
        return (w.is_place_noun(phrase.head) or numbered) and not phrase.proper

    def choose_act(self, clause: Clause) -> Act | None:
        """The act of a clause; None for a verb that is not known."""
        objects = [noun for group in clause.objects for noun in group]
        if not objects and clause.verb and clause.verb.passive:
            objects = list(clause.subject)
        head = self.discourse.resolve(objects[-1], clause.subject)[-1].head if objects else ""
        result = next((a for a in (*clause.adjectives, *clause.adverbs) if a in ("open", "shut", "closed", "ajar")), "")
        if result and clause.lemma in _SWUNG:
            return "open" if result in ("open", "ajar") else "close"
        act = (act_of(clause.lemma, clause.particle) if clause.particle else None) or act_of(clause.lemma)
        if act is None:
            return None
        goals = tuple(p for p in clause.phrases if base_preposition(p.preposition) in IN | ON | TO and not p.fronted)
        sources = tuple(p for p in clause.phrases if base_preposition(p.preposition) in FROM)
        case = _Case(clause, act, head, goals, sources)
        for rule in (_worn, _lit, self._moved, self._lifted, self._shifted, _worked, _without_object, self._brought):
            found = rule(case)
            if found is not None:
                return found
        return act

    def _moved(self, case: _Case) -> Act | None:
        """Leaving, returning, moving: with an object or without."""
        if case.lemma in ("move", "shift") and not case.has_object:
            return "go"
        if case.lemma == "knock" and not case.has_object:
            return "look"
        if case.lemma in PICKING and case.has_object and case.goes("into", "onto") and not case.particle:
            return "put"
        if case.lemma == "return":
            return "put" if case.has_object else "go"
        if case.lemma == "reach" and case.clause.objects and self.is_place(case.clause.objects[0][0]):
            return "go"
        if case.lemma == "leave":
            noun = case.clause.objects[0][0] if case.clause.objects else None
            return "put" if case.has_object and not (self.is_place(noun) and not case.goals) else "go"
        return None

    def _lifted(self, case: _Case) -> Act | None:
        if case.lemma in ("lift", "pull") and case.particle in ("", "up"):
            if case.goals and case.has_object and case.lemma == "lift":
                return "put"
            if case.sources and case.has_object:
                return "take"
            if case.head in _RISING and case.lemma == "lift":
                return "raise"
        return "turn" if case.lemma in ("pull", "throw") and case.head in LEVERS else None

    def _shifted(self, case: _Case) -> Act | None:
        """Sliding and dragging: into something it is putting; taking somewhere is carrying."""
        into = any(p.phrase and self._holds(p.phrase) for p in case.goals) and case.goes(*IN, *ON)
        inside = "inside" in case.clause.adverbs and self.discourse.container is not None
        if case.lemma in _SHIFTED and (into or inside) and case.has_object and case.head not in w.WHEELED:
            return "put"
        if case.lemma == "slip" and not case.has_object:
            return "go"
        if case.lemma == "slide" and case.has_object and not case.goals:
            return "push"
        if case.lemma == "take" and case.has_object and not case.sources and any(map(self._is_destination, case.goals)):
            return "carry"
        return None

    def _brought(self, case: _Case) -> Act | None:
        to_person = any(p.phrase and self.discourse.is_person(p.phrase) for p in case.goals)
        if case.act == "carry" and to_person and case.goes("to"):
            return "give"
        return "carry" if case.lemma == "deliver" and not to_person else None

    def _is_destination(self, phrase: Prepositional) -> bool:
        base = base_preposition(phrase.preposition)
        if phrase.phrase is None or phrase.phrase.pronoun or base not in TO | IN:
            return False
        return base in ("to", "into", "through") or self.is_place(phrase.phrase)

    def _holds(self, phrase: NounPhrase) -> bool:
        return not self.is_place(phrase) and phrase.head not in w.words("side bank wall way shore")


def _worn(case: _Case) -> Act | None:
    garment = case.head in w.GARMENTS
    if (case.particle == "off" or (case.lemma == "remove" and not case.sources)) and case.lemma in _TAKEN_OFF:
        return "doff" if case.head in w.STRICT_GARMENTS or (garment and case.lemma != "remove") else "take"
    if case.particle == "on" and case.lemma in w.words("put pull slip throw"):
        return "wear" if garment else "light" if case.is_lamp else "put"
    return "wear" if case.lemma == "tie" and garment and not case.goals else None


def _lit(case: _Case) -> Act | None:
    if case.lemma == "set" and case.head == "fire":
        return "light"
    if case.lemma == "put" and case.particle == "out":
        return "douse" if case.is_lamp else "put"
    if case.lemma in ("start", "strike") and (not case.has_object or (case.lemma == "start" and not case.is_lamp)):
        return "look"
    if case.lemma == "stop":
        return "douse" if case.has_object and case.is_lamp else "look"
    return None


def _worked(case: _Case) -> Act | None:
    """Verbs of work whose act depends on the noun or the preposition."""
    lemma, head = case.lemma, case.head
    if lemma == "draw":
        curtain = head in w.words("curtain curtains blind blinds")
        return "take" if case.sources else "close" if curtain else "change"
    if lemma in _FASTENED and case.goes("to", "onto", "on"):
        again = "back" in case.clause.adverbs or case.particle == "back"
        return "mend" if lemma == "glue" or again else "hang"
    if lemma == "press":
        return "turn" if head in w.words("button switch pedal key lever bell doorbell") else "change"
    filled = not case.goals and case.has_object and not any(p.preposition == "with" for p in case.clause.phrases)
    if lemma in ("pack", "load", "charge") and filled:
        return "fill" if head in w.PUT_IN else "put"
    if lemma == "unscrew" and head not in w.OPENABLE | w.PUT_IN | {"cap", "top"}:
        return "detach"
    if (lemma == "feed" and not case.goals) or (lemma == "drive" and case.has_object and head not in w.WHEELED):
        return "change"
    if lemma == "roll" and case.particle == "out" and head in w.words("dough pastry clay"):
        return "change"
    return "fill" if lemma in ("tip", "clear") and any(map(_into_something, case.goals)) else None


def _into_something(phrase: Prepositional) -> bool:
    noun = phrase.phrase
    inside = base_preposition(phrase.preposition) in IN | ON
    return inside and noun is not None and noun.determiner != "its" and noun.head not in ("end", "side")


def _without_object(case: _Case) -> Act | None:
    if case.lemma == "get" and case.has_object and (case.clause.adjectives or case.head == "ready"):
        return "look"
    if case.has_object:
        return None
    resting = w.words("stand sit rest lean settle perch drop stick sink nestle set")
    if case.act == "turn" or (case.act == "put" and case.lemma in resting):
        return "look"
    return "go" if case.lemma == "get" else None
