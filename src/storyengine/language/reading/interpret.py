"""Clauses into readings: which act it is, who does it, with what, from where, to where, and what results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from storyengine.language.reading import words as w
from storyengine.language.reading.acts import ActChooser
from storyengine.language.reading.clause import Clause, Prepositional
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.readings import BY, FROM, IN, ON, TO, Reading, Statement, base_preposition
from storyengine.language.reading.verbs import Act, participle

_ERGATIVE: frozenset[Act] = frozenset(
    ("open", "close", "raise", "lower", "fill", "empty", "break", "light", "douse", "turn", "change")
)
_STATES: dict[Act, str] = {
    "open": "open", "close": "shut", "raise": "raised", "lower": "lowered", "fill": "full", "empty": "empty",
    "break": "broken", "mend": "mended", "light": "lit", "douse": "unlit", "turn": "turned",
}  # fmt: skip
_MARKING = w.words("write print stamp draw mark sign scribble chalk engrave etch type")
"""What these change is what they leave their mark on."""
_REFLEXIVE = w.words("himself herself themselves itself")
_CORNERS = w.words(
    "corner middle centre center doorway shade shadow sun light background foreground distance air way dark rain "
    "line row circle queue entrance"
)


@dataclass
class _Slots:
    """The phrases of a clause, sorted by what they say."""

    goal: NounPhrase | None = None
    goal_kind: str = ""
    source: NounPhrase | None = None
    means: NounPhrase | None = None
    where: str = ""
    beside: NounPhrase | None = None
    place: NounPhrase | None = None
    agent: tuple[NounPhrase, ...] = ()


class Interpreter(ActChooser):
    """Turns clauses into readings and statements, resolving pronouns along the way."""

    def read(self, clause: Clause, text: str, rest: str = "") -> tuple[tuple[Reading, ...], tuple[Statement, ...]]:
        """The events and the statements of one clause; neither when the verb is not understood."""
        assert clause.verb is not None
        resting = w.words("be sit stand lie hang lean rest wait live")
        if (
            clause.lemma in resting and not clause.subject and clause.objects and clause.verb.form != "base"
        ):  # `On the sledge stands a churn.`
            clause.subject, clause.objects = clause.objects[0], clause.objects[1:]
        if clause.lemma in ("be", "have") or self._is_stative(clause):
            return (), self._statements(clause, text)
        act = self.choose_act(clause)
        if act is None:
            self._remember(clause, ())
            return (), ()
        reading = self._made(replace(self._reading(clause, act, text), rest=rest), clause)
        self._learn(reading)
        if reading.act == "look" and clause.lemma in ("stay", "remain", "keep"):
            return (), self._statements(clause, text)
        return self._both(reading), ()

    def _is_stative(self, clause: Clause) -> bool:
        """`The coat hangs on the hook`, `Mina wears a raincoat`: nothing happens."""
        verb = clause.verb
        assert verb is not None
        things = clause.subject and not any(self.discourse.is_person(s) or s.pronoun for s in clause.subject)
        if clause.lemma in ("wear", "contain", "own") and not verb.passive:
            return True
        if clause.lemma in ("stay", "remain"):
            return True
        resting = clause.lemma in w.words("hang stand lie lean rest sit wait remain stay perch")
        return bool(things) and resting and not clause.objects and not verb.passive

    def _statements(self, clause: Clause, text: str) -> tuple[Statement, ...]:
        verb = clause.verb
        assert verb is not None
        subjects = [found for s in clause.subject for found in self.discourse.resolve(s)]
        for subject in subjects:
            self.discourse.meet(subject)
        if subjects:
            self.discourse.agents = tuple(s for s in subjects if self.discourse.is_person(s)) or self.discourse.agents
        found = [s for subject in subjects for s in self._about(subject, clause)]
        found = found or [Statement(subject, "is") for subject in subjects]
        for group in (*clause.objects, *((p.phrase,) for p in clause.phrases if p.phrase)):
            for noun in group:
                if noun is not None and clause.lemma != "be":
                    self.discourse.meet(noun)
        return tuple(replace(s, text=text, modal=verb.modal, negated=verb.negated) for s in found)

    def _about(self, subject: NounPhrase, clause: Clause) -> Iterable[Statement]:
        if clause.lemma in ("have", "own", "contain"):
            for thing in (noun for group in clause.objects for noun in group):
                yield Statement(subject, "has", thing)
        elif clause.lemma == "wear":
            for thing in (noun for group in clause.objects for noun in group):
                yield Statement(subject, "wears", thing)
        elif clause.lemma == "be" and clause.objects and clause.objects[0][0] is not subject:
            for noun in clause.objects[0]:
                article = f"{noun.determiner} " if noun.determiner in ("a", "an", "the") else ""
                yield Statement(subject, "is", noun, words=" ".join((f"{article}{noun.name}", *noun.notes)))
        if clause.adjectives:
            yield Statement(subject, "state", words=" ".join(clause.adjectives))
        container = self.discourse.container
        if (
            "inside" in clause.adverbs
            and container is not None
            and container.name != subject.name
            and not clause.phrases
        ):
            yield Statement(subject, "in", container)
        for adverb in clause.adverbs:
            if adverb in w.words("open shut ajar apart upright"):
                yield Statement(subject, "state", words=adverb)
        for phrase in clause.phrases:
            if phrase.phrase is None:
                continue
            base = base_preposition(phrase.preposition)
            target = self.discourse.resolve(phrase.phrase)[0]
            if base in ("with", "in") and self.discourse.is_person(subject) and not self.is_place(target):
                yield Statement(subject, "is", target, words=f"{phrase.preposition} {_with_article(phrase.phrase)}")
            elif base in IN | ON | BY | {"beside"}:
                relation = self._relation(base, target, "at")
                if clause.lemma == "hang" and relation in ("on", "in"):
                    relation = "attached"
                yield Statement(subject, relation, target, where=f"{phrase.preposition} {_with_article(phrase.phrase)}")

    def _made(self, reading: Reading, clause: Clause) -> Reading:
        """`folds a sheet into a boat`: what comes of it is what matters."""
        into = next(
            (
                p.phrase
                for p in clause.phrases
                if p.preposition == "into" and p.phrase and p.phrase.determiner in ("a", "an")
            ),
            None,
        )
        if reading.verb in _MARKING and reading.act == "change" and (reading.goal or reading.beside):
            bearer = reading.goal or reading.beside
            assert bearer is not None
            return replace(reading, things=(bearer,), goal=None, where="", beside=None, relation="")
        if into is None or reading.verb not in w.words(
            "fold make carve shape twist roll bend build turn cut whittle knit weave"
        ):
            return reading
        return replace(
            reading,
            act="change",
            things=(into,),
            goal=None,
            where="",
            beside=None,
            relation="",
            state=participle(reading.verb),
        )

    def _reading(self, clause: Clause, act: Act, text: str) -> Reading:
        verb = clause.verb
        assert verb is not None
        agents = tuple(found for s in clause.subject for found in self.discourse.resolve(s))
        groups = [list(group) for group in clause.objects]
        if verb.passive:
            groups, agents = [list(agents), *groups], ()
        elif act in _ERGATIVE and not groups and agents and not any(self.discourse.is_person(a) for a in agents):
            groups, agents = [list(agents)], ()
        slots = self._slots(clause, act, agents, groups)
        agents = agents or slots.agent
        openable = act in ("open", "close")
        things, recipient = self._objects(groups, act, agents, openable)
        goal = slots.goal or recipient
        reading = Reading(
            act, clause.lemma, agents, things, goal, slots.source, slots.means, slots.where, slots.beside, slots.place,
            link=clause.link, modal=verb.modal, negated=verb.negated, past=verb.form == "past", perfect=verb.perfect,
            passive=verb.passive,
            particle=clause.particle, text=text,
        )  # fmt: skip
        if "aside" in (clause.particle, *clause.adverbs) and not reading.where:
            reading = replace(reading, where="to one side")
        return self._completed(reading, clause, slots)

    def _objects(
        self, groups: list[list[NounPhrase]], act: Act, agents: tuple[NounPhrase, ...], openable: bool
    ) -> tuple[tuple[NounPhrase, ...], NounPhrase | None]:
        """The things handled, and the person who gets them where two objects stand side by side."""
        others = [group for group in groups if group and group[0].head not in _REFLEXIVE]
        resolved = [
            [found for noun in group for found in self.discourse.resolve(noun, agents, openable)] for group in others
        ]
        if act in ("give", "carry", "take", "look") and len(resolved) > 1 and self.discourse.is_person(resolved[0][0]):
            return tuple(resolved[1]), resolved[0][0]
        return (tuple(resolved[0]) if resolved else ()), None

    def _slots(
        self, clause: Clause, act: Act, agents: tuple[NounPhrase, ...], groups: list[list[NounPhrase]]
    ) -> _Slots:
        slots = _Slots()
        for phrase in clause.phrases:
            if phrase.phrase is not None:
                self._sort(phrase, act, slots, agents, clause)
        return slots

    def _sort(
        self, phrase: Prepositional, act: Act, slots: _Slots, agents: tuple[NounPhrase, ...], clause: Clause
    ) -> None:
        assert phrase.phrase is not None
        assert clause.verb is not None
        base = base_preposition(phrase.preposition)
        noun = self.discourse.resolve(phrase.phrase, agents if base not in ("in", "on", "from", "off") else ())[0]
        words = f"{phrase.preposition} {_with_article(phrase.phrase)}"
        if phrase.phrase.pronoun:
            noun = self.discourse.means = self._container_meant(noun, clause, base)
        if base == "by" and clause.verb.passive and not self.is_place(noun):
            slots.agent = tuple(found for one in phrase.all or (noun,) for found in self.discourse.resolve(one))
        elif base == "with":
            slots.means = slots.means or noun
        elif base in FROM:
            slots.source = slots.source or noun
            if self.is_place(noun) and act != "go":
                slots.place = slots.place
        elif base in IN | ON | TO and not phrase.fronted and self._is_goal(base, act, noun, slots):
            slots.goal, slots.goal_kind = noun, base
            if self.is_place(noun):
                slots.place = noun
        elif self.is_place(noun) and base in IN | ON | {"at"}:
            slots.place = noun
        elif (
            act in ("take", "detach", "doff")
            and base in IN | ON
            and slots.source is None
            and noun.head not in _CORNERS | w.TOOLS | {"shot"}
            and (not phrase.fronted)
        ):
            slots.source = noun
        elif base in IN | ON | BY | TO | {"beside", "up", "down", "for"}:
            self._position(words, noun, act, base, slots)

    def _container_meant(self, noun: NounPhrase, clause: Clause, base: str) -> NounPhrase:
        """`takes the bell out of it`: not the bell itself."""
        own = {thing.name.lower() for group in clause.objects for thing in group}
        if base in IN | FROM and noun.head not in w.PUT_IN | w.FIXTURES | w.OPENABLE:
            holding = [
                t for t in reversed(self.discourse.things[-4:]) if t.head in w.PUT_IN and t.name.lower() not in own
            ]
            if holding:
                return holding[0]
        if noun.name.lower() in own or (noun.pronoun and base in ("in", "into", "from", "inside")):
            others = [t for t in reversed(self.discourse.things) if t.name.lower() not in own]
            return others[0] if others else noun
        if base in IN | FROM and self.discourse.container and self.discourse.container.name.lower() not in own:
            return self.discourse.container
        return noun

    def _position(self, words: str, noun: NounPhrase, act: Act, base: str, slots: _Slots) -> None:
        if act == "go" and base in ("up", "down", "at") and slots.goal is None:
            slots.goal = noun
        elif not slots.where and base != "for":
            slots.where, slots.beside = words, noun

    def _is_goal(self, base: str, act: Act, noun: NounPhrase, slots: _Slots) -> bool:
        if (
            slots.goal is not None
            or noun.head in ("brim", "rim", "full")
            or (noun.determiner == "its" and noun.head in w.PARTS | {"nose", "end", "side"})
        ):
            return False
        if noun.head in _CORNERS and base in ("in", "on", "into") and act != "hang":
            return False
        if act == "go":
            return base in TO | {"into", "onto", "inside"} or (base in ("in", "on") and self.is_place(noun))
        if act in ("lower", "raise", "break"):
            return base in ("to", "into", "onto", "over")
        if act in ("put", "hang", "fill"):
            return not (base in ("in", "on", "across", "over") and self.is_place(noun) and act == "fill") and not (
                act == "put" and self.is_place(noun) and base in ("in", "at")
            )
        if act == "carry":
            return base in TO | {"into", "onto", "inside"} or (
                base in ("on", "in") and noun.head in w.PUT_ON | w.FIXTURES
            )
        if act == "push":
            return base in ("to", "into", "onto", "towards", "toward", "inside")
        if act == "give":
            return base in ("to", "into")
        if act == "mend":
            return base in ("to", "onto", "on")
        if act == "change":
            return base in ("into", "onto")
        if act in ("empty", "wear"):
            return base in ("into", "onto")
        return False

    def _relation(self, base: str, noun: NounPhrase, fallback: str) -> str:
        if self.is_place(noun) or noun.head in _CORNERS:
            return "at"
        if base in IN:
            return "in"
        if base in ON:
            return "on"
        if base == "to":
            return "on" if noun.head in w.PUT_ON else "in" if noun.head in w.PUT_IN else fallback
        return fallback

    def _completed(self, reading: Reading, clause: Clause, slots: _Slots) -> Reading:
        """Fill in what follows from the act: the place gone to, the relation and the state that result."""
        act = reading.act
        if act == "go":
            return self._gone(reading, clause)
        state = _STATES.get(act, "")
        if act == "change":
            result = next((a for a in clause.adjectives), "")
            state = result or participle(reading.verb)
        elif (
            act == "light"
            and reading.things
            and w.singular(reading.things[0].head) in w.words("radio fan engine motor machine pump mixer")
        ):
            state = "running"
        reading = replace(reading, state=state)
        if act == "put":
            return self._put(reading, clause, slots)
        if act == "take" and reading.source is None and (reading.particle == "out" or "out" in clause.adverbs):
            own = {thing.name for thing in reading.things}
            container = self.discourse.container
            source = container if container is not None and container.name not in own else None
            return replace(reading, relation="held", source=source)
        if act in ("take", "give", "detach", "doff"):
            return replace(reading, relation="held")
        if act in ("hang", "wear"):
            return replace(reading, relation="attached")
        if act == "carry":
            relation = (
                self._relation(slots.goal_kind, reading.goal, "held")
                if reading.goal and slots.goal_kind in ("onto", "on", "into", "in")
                else "held"
            )
            return replace(reading, relation=relation)
        if act == "push":
            return replace(reading, relation="at")
        if act == "fill" and reading.goal is not None:
            return replace(reading, relation="in")
        if reading.verb == "light" and act == "light":
            return reading
        return reading

    def _gone(self, reading: Reading, clause: Clause) -> Reading:
        things, goal, source = reading.things, reading.goal, reading.source
        lifeless = reading.agents and not any(
            self.discourse.is_person(a) or a.head in w.ANIMALS for a in reading.agents
        )
        if lifeless and reading.means is not None and self.discourse.is_person(reading.means):
            return replace(
                reading,
                act="carry",
                verb="carry",
                agents=(reading.means,),
                things=reading.agents,
                means=None,
                relation="held",
            )
        if lifeless and clause.lemma in ("fall", "tumble", "drop"):
            place = reading.goal or reading.beside
            where = reading.where or (f"on the {place.name}" if place else "")
            return replace(reading, act="put", things=reading.agents, agents=(), where=where, relation="at")
        if lifeless and not reading.means and (way := _way(clause)):
            return replace(
                reading, act=way, things=reading.agents, agents=(), goal=None, relation="", state=_STATES[way]
            )
        if things and clause.lemma in ("leave", "exit", "depart"):
            source, things = things[0], ()
        elif things and goal is None:
            goal, things = things[0], ()
        place = reading.place or (goal if self.is_place(goal) else None)
        return replace(reading, things=things, goal=goal, source=source, place=place, relation="at")

    def _put(self, reading: Reading, clause: Clause, slots: _Slots) -> Reading:
        if (
            reading.goal is None
            and reading.verb in ("load", "pack", "stack", "stuff", "cram")
            and reading.means
            and reading.things
        ):
            goal = reading.things[0]
            kind = "on" if goal.head in w.PUT_ON | w.WHEELED else "in"
            return replace(reading, things=(reading.means,), goal=goal, means=None, relation=kind)
        inside = any(a in ("inside", "in") for a in (*clause.adverbs, clause.particle))
        if reading.goal is None and inside and not reading.where and self.discourse.container is not None:
            own = {thing.name for thing in reading.things}
            if self.discourse.container.name not in own:
                return replace(reading, goal=self.discourse.container, relation="in")
        if reading.goal is None and reading.verb in ("knock", "drop") and reading.source and not reading.where:
            return replace(reading, relation="at", where="on the floor")
        if reading.goal is None:
            return replace(reading, relation="at" if reading.where or reading.place else "")
        return replace(reading, relation=self._relation(slots.goal_kind or "to", reading.goal, "on"))

    def _both(self, reading: Reading) -> tuple[Reading, ...]:
        """`locks the bag in the safe` is two things: putting it in, and shutting the safe."""
        if reading.verb == "leave" and reading.act == "put" and not (reading.goal or reading.where or reading.place):
            return ()  # `leaves it up`: it stays as it is
        locked = reading.act == "close" and reading.verb in ("lock", "shut") and reading.place is not None
        if locked and reading.things and not self._shuts(reading.things[0]):
            return (replace(reading, act="put", goal=None, relation="at", state=""),)
        inside = reading.where.startswith(("in ", "inside ", "into "))
        if reading.verb == "wrap" and inside:
            return (replace(reading, means=reading.means or reading.beside, where="", beside=None),)
        if reading.act == "close" and reading.things and inside and reading.beside:
            thing = reading.things[0]
            if (
                reading.verb in ("lock", "shut", "close", "bolt", "zip")
                and thing.head not in w.OPENABLE | w.FIXTURES
                and reading.beside.head not in _CORNERS
            ):
                put = replace(reading, act="put", goal=reading.beside, where="", beside=None, relation="in", state="")
                return put, replace(reading, things=(reading.beside,), where="", beside=None)
        if reading.act == "put" and reading.verb == "lock" and reading.goal is not None:
            return reading, replace(reading, act="close", things=(reading.goal,), goal=None, relation="", state="shut")
        return (reading,)

    def _shuts(self, thing: NounPhrase) -> bool:
        """Whether a thing is something that one shuts, rather than something that one locks away."""
        return thing.head in w.OPENABLE | w.FIXTURES | w.PUT_IN or self.is_place(thing)

    def _learn(self, reading: Reading) -> None:
        animals = [agent for agent in reading.agents if not self.discourse.is_person(agent)]
        for noun in (*animals, reading.beside, reading.means, reading.source, reading.goal, *reading.things):
            if noun is not None and not self.is_place(noun):
                self.discourse.meet(noun)
        for agent in reading.agents:
            if self.discourse.is_person(agent) or not reading.things:
                self.discourse.meet(agent)
        if reading.agents:
            self.discourse.agents = reading.agents
        if len(reading.things) > 1:
            self.discourse.together = reading.things
        elif reading.things:
            self.discourse.together = ()
        self.discourse.put_inside = (
            reading.relation == "in" and reading.goal is not None and reading.act in ("put", "fill", "carry")
        )
        if (
            reading.act == "open"
            and reading.things
            and reading.things[0].head not in w.words("door window curtain gate")
        ):
            self.discourse.container = reading.things[0]
        elif reading.act == "open" and reading.things and (owner := _owner(reading.things[0])):
            self.discourse.container = owner
        elif reading.relation == "in" and reading.goal is not None:
            self.discourse.container = reading.goal

    def _remember(self, clause: Clause, nouns: Iterable[NounPhrase]) -> None:
        for subject in clause.subject:
            for found in self.discourse.resolve(subject):
                self.discourse.meet(found)
        for noun in nouns:
            self.discourse.meet(noun)


def _owner(door: NounPhrase) -> NounPhrase | None:
    """The shed of `the door of the shed`, the oven of `the oven door`."""
    if door.of is not None and not door.of.pronoun:
        return door.of
    before = door.words[-2].lower() if len(door.words) > 1 else ""
    return NounPhrase((before,), "the") if before in w.PUT_IN | w.FIXTURES else None


def _way(clause: Clause) -> Act | None:
    """`the door goes up`: a thing that goes up is raised."""
    words = {clause.particle, *clause.adverbs, *(p.preposition for p in clause.phrases)}
    return "raise" if "up" in words else "lower" if "down" in words else None


def _with_article(phrase: NounPhrase) -> str:
    return phrase.name if phrase.proper else f"{phrase.determiner} {phrase.name}".strip()
