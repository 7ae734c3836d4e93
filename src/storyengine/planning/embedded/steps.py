"""Events of the brief as steps of a plan: who acts, what is handled, what changes, where it can happen."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from storyengine.language.reading import BriefEvent, BriefReading, NounPhrase, Reading, Statement
from storyengine.language.reading import words as w
from storyengine.language.reading.sifting import same_place
from storyengine.language.reading.verbs import third_person
from storyengine.planning.embedded.roster import DIRT, SURROUNDINGS, Roster

_BEFORE = {
    "open": "shut", "close": "open", "raise": "lowered", "lower": "raised", "fill": "empty", "empty": "full",
    "break": "whole", "mend": "broken", "light": "unlit", "douse": "lit", "turn": "not yet turned",
}  # fmt: skip
_GROUP = {
    "open": "open", "close": "open", "raise": "raise", "lower": "raise", "fill": "fill", "empty": "fill",
    "break": "break",
    "mend": "break", "light": "light", "douse": "light", "turn": "turn", "change": "change",
}  # fmt: skip
_BRINGING = w.words("bring carry take haul deliver fetch lug wheel return")
_OPPOSITE = {"shut": "open", "open": "shut", "raised": "lowered", "lowered": "raised", "full": "empty", "empty": "full"}


@dataclass(frozen=True, slots=True)
class Setting:
    """A state that a step brings about."""

    bearer: str
    attribute: str
    value: str
    before: str


@dataclass
class Step:
    """One event, tied to the people, things and places of the plan."""

    event: BriefEvent
    index: int
    act: str
    actors: list[str] = field(default_factory=list)
    things: list[str] = field(default_factory=list)
    target: str | None = None
    relation: str = ""
    source: str | None = None
    means: list[str] = field(default_factory=list)
    sets: list[Setting] = field(default_factory=list)
    place: str | None = None
    """Where the brief says it happens."""
    dest: str | None = None
    """The place that people go, carry or push to."""
    origin: str | None = None
    """The place that they come from."""
    beside: str | None = None
    """The thing that a position is named after."""
    where: str = ""
    whole: str | None = None
    """What the changed thing is a part of: the bale of `the sacking of the bale`."""
    shots: tuple[int, ...] = ()
    action: str = ""
    id: str = ""
    added: bool = False
    """Whether the planner put it in."""

    @property
    def touched(self) -> set[str]:
        return {*self.things, *(s.bearer for s in self.sets), *([self.target] if self.target else ())}

    @property
    def stands(self) -> list[str]:
        """Things whose place would be the step's place."""
        things = (self.target, self.source, *(s.bearer for s in self.sets), self.beside, self.whole)
        return [thing for thing in things if thing is not None]

    @property
    def visits(self) -> list[str]:
        """Whoever or whatever the words go to: `brings the dome down to Benoit`, `walks over to her`."""
        if self.act == "give" and self.event.reading.verb in _BRINGING:
            return [self.target] if self.target else []
        return [self.beside] if self.act in ("go", "carry", "push") and self.beside else []

    @property
    def comes_back(self) -> bool:
        """`They come back`, without a place."""
        reading = self.event.reading
        return self.act in ("go", "carry") and (
            reading.verb == "return" or bool(re.search(r"\bback\b", f"{reading.particle} {reading.rest}"))
        )


class StepBuilder:
    """Turns events into steps, filling the roster on the way."""

    def __init__(self, reading: BriefReading, roster: Roster, places: dict[str, str]) -> None:
        self.reading = reading
        self.roster = roster
        self.places = places
        """Place name → id."""

    def build(self) -> list[Step]:
        self.named = self._names()
        for event in self.reading.events:
            for agent in event.reading.agents:
                self._actors(agent)
        self._introduce()
        steps = [self._step(event, index) for index, event in enumerate(self.reading.events)]
        return _with_results([step for step in steps if step is not None])

    def _names(self) -> set[str]:
        """Proper names that somebody acts under at least once in a handling or going way, or that are introduced."""
        handling = {a.name for e in self.reading.events for a in e.reading.agents if a.proper}
        receiving = {
            e.reading.goal.name
            for e in self.reading.events
            if e.reading.act == "give" and e.reading.goal and e.reading.goal.proper
        }
        known = {word for name in self.reading.names for word in name.split()}
        spoken = {name for name in handling | receiving if known & set(name.split())}
        return spoken | {member.name for member in self.roster.people()}

    def place(self, phrase: NounPhrase | None) -> str | None:
        if phrase is None or phrase.pronoun:
            return None
        exact = self.places.get(phrase.name.lower())
        return exact or next((i for name, i in self.places.items() if same_place(name, phrase.name)), None)

    def _actors(self, agent: NounPhrase) -> list[str]:
        if agent.pronoun and agent.head in ("it", "this", "that"):
            return []
        if agent.pronoun or self.roster.known_person(agent) is not None or self._may_act(agent):
            return list(self.roster.persons(agent))
        return []

    def _may_act(self, agent: NounPhrase) -> bool:
        """Names act, and nouns for people; an unknown noun acts only where nobody has a name."""
        if agent.proper:
            return agent.name in self.named or agent.words[0].lower() in w.FEMALE_NAMES | w.MALE_NAMES | w.TITLES
        if w.is_person_noun(agent.head) or agent.head in w.ANIMALS:
            return not agent.of or agent.of.determiner == ""
        thing = (
            w.FIXTURES | w.PUT_IN | w.ABSTRACT | w.LIQUIDS | w.WHEELED | w.LAMPS | SURROUNDINGS | w.PARTS | w.GARMENTS
        )
        lives = agent.head.endswith(
            ("er", "or", "man", "woman", "ist", "hand", "smith", "ant", "eer", "ian", "boy", "girl", "maid")
        )
        return not self.named and lives and agent.head not in thing and not w.is_place_noun(agent.head)

    def _introduce(self) -> None:
        """Descriptions that stand apart: `The potter is Haruki, a quiet man`, `Brigid wears a jumper`."""
        for statement in self.reading.statements:
            subject = statement.subject
            target = statement.target
            if statement.relation == "is" and target is not None and target.proper and not subject.proper:
                self.roster.person(target, look=", ".join((f"the {subject.name}", *target.notes)))
            elif (
                statement.relation in ("is", "has", "wears")
                and (known := self.roster.known_person(subject)) is not None
            ):
                self.roster.person(
                    subject
                    if subject.proper
                    else NounPhrase(tuple(self.roster.members[known].name.split()), proper=True),
                    look=_described(statement),
                )
            elif (
                statement.relation in ("is", "has")
                and not subject.pronoun
                and not subject.proper
                and self.place(subject) is None
            ):
                self._describe(statement)

    def _describe(self, statement: Statement) -> None:
        """`The red barrow is a two-wheeled sack barrow painted red`: how a thing of the story looks."""
        subject = statement.subject
        words = _described(statement)
        if subject.determiner == "the" and words and len(words.split()) > 1 and subject.head not in w.ABSTRACT:
            found = self.roster.thing(subject, create=subject.head not in SURROUNDINGS)
            if (
                found is not None
                and self.roster.members[found].kind == "prop"
                and words not in self.roster.members[found].look
            ):
                self.roster.members[found].look.append(words)

    # --- one step

    def _step(self, event: BriefEvent, index: int) -> Step | None:
        r = event.reading
        step = Step(event, index, r.act, shots=event.shots)
        step.actors = list(dict.fromkeys(a for agent in r.agents for a in self._actors(agent)))
        if not r.agents and event.listed and len(self.roster.people()) >= 1:
            step.actors = [self._somebody(r, index)]
        step.place = self.place(_phrase(event.place)) if event.place else self._place_in_name(r)
        self.roster.here = step.place or ""
        self._where(step, r)
        getattr(self, f"_{_KIND.get(r.act, 'states')}")(step, r)
        self._means(step, r)
        if not step.sets and not step.things and not step.target and (not r.agents or not step.actors):
            return None
        if step.actors:
            self.latest = step.actors[0]
        step.action = self._action(step, r)
        return step

    latest: str = ""

    def _somebody(self, r: Reading, index: int) -> str:
        """Who does a job that the list gives to nobody: who carries the thing at a cut, else each in turn."""
        for anchor in self.reading.anchors:
            if anchor.carrier and any(thing.head == anchor.phrase.head for thing in r.things):
                person = self.roster.known_person(NounPhrase((anchor.carrier,), proper=True))
                if person is not None:
                    return person
        people = self.roster.people()
        return people[index % len(people)].id

    def _place_in_name(self, r: Reading) -> str | None:
        """`the vault shelf` stands in the vault."""
        source = None if r.act in ("go", "carry", "push") else r.source
        for phrase in (source, r.goal, *r.things, *(t.of for t in r.things if t.of)):
            if phrase is not None and not phrase.pronoun and self.place(phrase) is None:
                name = phrase.name.lower()
                for place, identifier in self.places.items():
                    if name.startswith((f"{place} ", f"{place.split()[-1]} ")) or f" {place} " in name:
                        return identifier
        return None

    def homes(self) -> dict[str, str]:
        """Things that the brief says stand in a place."""
        found: dict[str, str] = {}
        for statement in self.reading.statements:
            place = self.place(statement.target) if statement.relation == "at" else None
            thing = self.roster.thing(statement.subject, create=False) if place else None
            if place and thing and self.roster.members[thing].kind == "prop":
                found.setdefault(thing, place)
        for noun, name in self.reading.fittings:
            place, thing = self.place(_phrase(name)), self.roster.thing(noun, create=False)
            if place and thing and self.roster.members[thing].kind == "prop" and not self.roster.members[thing].handled:
                found.setdefault(thing, place)
        return found

    def _where(self, step: Step, r: Reading) -> None:
        step.where = r.where
        if (
            r.beside is not None
            and not r.beside.pronoun
            and r.beside.head not in SURROUNDINGS
            and self.place(r.beside) is None
        ):
            if r.where.split()[0] in ("in", "at") and r.beside.head in (
                "shot",
                "end",
                "morning",
                "evening",
                "night",
                "line",
            ):
                step.where = ""
            elif r.beside.head in w.FIXTURES | w.PUT_ON | w.PUT_IN | w.OPENABLE | w.WHEELED or self.roster.thing(
                r.beside, create=False
            ):
                step.beside = self.roster.thing(r.beside)

    def _things(self, step: Step, r: Reading) -> None:
        for phrase in r.things:
            found = self.roster.thing(phrase)
            if found is not None and found not in step.things:
                step.things.append(found)

    def _moves(self, step: Step, r: Reading) -> None:
        """Taking, putting, giving, hanging, wearing."""
        if self._lid(step, r):
            return
        self._things(step, r)
        for thing in step.things:
            self.roster.members[thing].handled = True
        step.source = self._entity(r.source)
        if (
            r.act == "take"
            and r.source is None
            and r.particle == "out"
            and self.roster.container not in (None, *step.things)
        ):
            step.source = self.roster.container
            self._role(str(step.source), "in")
        elif step.source is not None:
            self._role(step.source, self._source_relation(r))
            self.roster.container = step.source
        step.relation = r.relation
        if r.act == "give" and r.goal is not None:
            people = self.roster.persons(r.goal)
            step.target = people[0] if people else None
        elif r.goal is not None and self.place(r.goal) is not None:
            step.place = step.place or self.place(r.goal)
            step.relation = "at"
        elif r.goal is not None and r.goal.head in SURROUNDINGS and r.relation != "attached":
            step.where, step.relation = f"{'on' if r.relation == 'on' else 'by'} the {r.goal.head}", "at"
        elif r.goal is not None:
            self._onto(step, r)
        if r.act == "wear":
            step.target, step.relation = None, "worn"

    def _onto(self, step: Step, r: Reading) -> None:
        assert r.goal is not None
        step.target = self._entity(r.goal)
        if step.target is None:
            step.relation = "held" if r.act in ("take", "detach", "doff") else "at"
            return
        if self.roster.members[step.target].kind == "character":
            step.relation = "attached" if r.act == "hang" else "held"
            return
        self._role(step.target, r.relation)
        if r.relation == "in":
            self.roster.container = step.target

    def _lid(self, step: Step, r: Reading) -> bool:
        """`lifts the lid from the hive`, `puts the lid on the pot`: opening and shutting."""
        if r.things and r.act in ("take", "put") and self.roster.part(r.things[0]):
            self._part_moved(step, r)
            return True
        if not r.things or r.things[0].head not in ("lid", "cover", "cap") or r.act not in ("take", "put"):
            return False
        owner = self._entity(r.source if r.act == "take" else r.goal)
        if owner is None:
            return False
        value, before = ("open", "shut") if r.act == "take" else ("shut", "open")
        name = self.roster.state(owner, "open", value, before, part="lid", conceals="shut")
        step.sets.append(Setting(owner, name, value, before))
        self.roster.container = owner
        self.roster.members[owner].roles.add("container")
        return True

    def _part_moved(self, step: Step, r: Reading) -> None:
        """`throws back the lid of the bin`: the bin stays where it is."""
        owner, part = self.roster.thing(r.things[0]), self.roster.part(r.things[0])
        assert owner is not None
        shuts = r.act == "put" and r.particle in ("down", "on", "")
        value, before = ("shut", "open") if shuts else ("open", "shut")
        name = self.roster.state(owner, "open", value, before, part=part, conceals="shut")
        step.sets.append(Setting(owner, name, value, before))
        self.roster.container = owner

    def _entity(self, phrase: NounPhrase | None) -> str | None:
        if phrase is None or phrase.pronoun or self.place(phrase) is not None or phrase.head in SURROUNDINGS - {"wall"}:
            return None
        return self.roster.thing(phrase)

    def _source_relation(self, r: Reading) -> str:
        assert r.source is not None
        head = r.source.head
        if head in w.MOUNTS and head not in w.PUT_ON | {"rack"}:
            return "attached"
        if re.search(r"\bout\b|\binside\b|\bfrom (?:in|inside|within)\b", r.rest) or (
            head in w.PUT_IN and head not in w.PUT_ON
        ):
            return "in"
        return "on" if head in w.PUT_ON | w.FIXTURES else "in"

    def _role(self, identifier: str, relation: str) -> None:
        role = {"in": "container", "on": "surface", "attached": "mount"}.get(relation)
        member = self.roster.members[identifier]
        if role and member.kind == "prop":
            member.roles.add(role)

    def _travels(self, step: Step, r: Reading) -> None:
        """Going, carrying, pushing."""
        self._things(step, r)
        for thing in step.things:
            self.roster.members[thing].handled = True
            if r.act == "push":
                self.roster.members[thing].roles.add("wheeled")
        step.dest = self.place(r.goal) or (self.place(r.place) if r.act == "go" else None)
        step.origin = self.place(r.source)
        if step.dest is None and r.goal is not None and self.place(r.goal) is None:
            found = self._entity(r.goal)
            if found is not None and r.act == "carry" and r.relation in ("on", "in"):
                step.target, step.relation = found, r.relation
                self._role(found, r.relation)
            elif found is not None:
                step.beside, step.where = found, f"by the {self.roster.members[found].name}"
        if step.dest is not None and step.place == step.dest:
            step.place = None
        if r.act == "push" and r.beside is not None and r.where.startswith("on ") and step.beside:
            vehicle = self.roster.members[step.beside]
            if vehicle.head in w.WHEELED:
                vehicle.roles |= {"surface", "wheeled"}
                vehicle.handled = True
                step.means.append(step.beside)

    def _states(self, step: Step, r: Reading) -> None:
        """Everything that changes how a thing is."""
        group = _GROUP.get(r.act, "change")
        bearers = [r.goal] if r.act == "fill" and r.goal is not None else list(r.things)
        if r.act == "change" and r.source is not None and r.things and r.things[0].head in DIRT:
            bearers = [r.source]  # who scrubs the mud off the tram scrubs the tram
        for phrase in bearers:
            found = self.roster.thing(phrase) if phrase is not None and self.place(phrase) is None else None
            if found is None or self.roster.members[found].kind == "character":
                continue
            part = self.roster.part(phrase) if phrase is not None else ""
            value, before = self._value(r, phrase)
            conceals = (
                "shut"
                if group == "open"
                else "lowered"
                if group == "raise" and part in ("door", "lid", "hatch")
                else ""
            )
            name = self.roster.state(found, group, value, before, part, conceals)
            step.sets.append(Setting(found, name, value, before))
            if r.act in ("open", "close"):
                self.roster.container = found
        whole = next((p.of for p in r.things if p.of is not None and p.of.determiner), None)
        if step.sets and whole is not None and step.beside is None:
            owner = self.roster.thing(whole)
            if owner is not None and owner != step.sets[0].bearer and self.roster.members[owner].kind == "prop":
                step.whole = owner
        if r.act in ("break", "change", "lower") and r.goal is not None and r.things and r.relation != "at":
            self._into(step, r)

    def _into(self, step: Step, r: Reading) -> None:
        target = self._entity(r.goal)
        thing = self.roster.thing(r.things[0])
        if target is not None and thing is not None and target != thing and self.roster.members[target].kind == "prop":
            step.things, step.target = [thing], target
            step.relation = "on" if r.goal is not None and r.goal.head in w.PUT_ON else "in"
            self._role(target, step.relation)

    def _value(self, r: Reading, phrase: NounPhrase | None) -> tuple[str, str]:
        value = re.sub(r"[^\w', -]", "", r.state) or "changed"
        if r.act == "mend" and phrase is not None:
            torn = next(
                (word for word in phrase.words if word.lower() in ("torn", "cracked", "broken", "split")), "broken"
            )
            return value, torn.lower()
        if r.act == "change":
            return value, "unpainted" if r.verb == "paint" else f"not yet {value}"
        return value, _BEFORE.get(r.act, f"not yet {value}")

    def _looks(self, step: Step, r: Reading) -> None:
        for phrase in r.things:
            if not phrase.proper and self.place(phrase) is None and self.roster.known_person(phrase) is None:
                found = self.roster.thing(phrase, create=phrase.head not in w.ABSTRACT)
                if found is not None and self.roster.members[found].kind == "prop":
                    step.means.append(found)

    def _means(self, step: Step, r: Reading) -> None:
        if r.means is None or r.means.pronoun or r.means.head in w.LIQUIDS | w.TOOLS | SURROUNDINGS:
            return
        if r.means.proper or self.roster.known_person(r.means) is not None:
            step.actors += [p for p in self.roster.persons(r.means) if p not in step.actors]
            return
        found = self.roster.thing(r.means)
        if found is not None and found not in step.touched:
            step.means.append(found)

    # --- words

    def _action(self, step: Step, r: Reading) -> str:
        """The event in one plain sentence, with names for pronouns."""
        names = [self._called(actor) for actor in step.actors]
        if step.event.number and not step.event.shots:
            return _sentence(step.event.sentence)
        if not names:
            meant = next(iter((*step.things, *(s.bearer for s in step.sets))), None)
            said = r.text or step.event.sentence
            return _sentence(re.sub(r"^(?:it|they)\b", self._called(meant), said, flags=re.I) if meant else said)
        who = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        plural = len(names) > 1
        rest = self._rest(step, r)
        return _sentence(f"{who} {r.verb if plural else third_person(r.verb)} {rest}")

    def _called(self, identifier: str) -> str:
        name = self.roster.members[identifier].name
        return name if name[:1].isupper() else f"the {name}"

    def _rest(self, step: Step, r: Reading) -> str:
        passive = r.passive and bool(r.things)
        moved = [self._called(t) for t in (step.things or [s.bearer for s in step.sets])]
        if passive or (
            r.things and not _mentions(r.rest, r.things) and not re.search(r"\b(?:it|them|him|her)\b", r.rest)
        ):
            kept = re.sub(r"\bby\s+[^,]+$", "", r.rest).strip()
            return f"{moved[0] if moved else r.what} {kept}".strip()
        if (
            r.act == "carry"
            and r.verb == "carry"
            and r.link != "carry"
            and not _mentions(r.rest, r.things)
            and not re.search(r"\b(?:it|them)\b", r.rest)
        ):
            return f"{moved[0] if moved else r.what} to the {r.to}" if r.to else f"{moved[0] if moved else r.what}"
        rest = r.rest
        other = (
            next((self._called(e) for e in (step.target, step.source, step.beside) if e), "")
            if _mentions(rest, r.things)
            else ""
        )
        handled = self.roster.thing(r.things[0], create=False) if r.things else None
        meant = other or (self._called(handled) if handled else moved[0] if moved else "")
        if meant:
            rest = re.sub(r"\b(?:it|them)\b", meant, rest, count=1)
        if r.goal is not None and r.goal.proper:
            rest = re.sub(
                r"\b(?:him|her)\b(?!\s+(?!(?:an?|the|two|three|some|his)\b)[a-z])", r.goal.name, rest, count=1
            )
        return rest


_KIND = {
    "take": "moves", "put": "moves", "give": "moves", "hang": "moves", "detach": "moves", "wear": "moves",
    "doff": "moves",
    "go": "travels", "carry": "travels", "push": "travels", "look": "looks",
}  # fmt: skip


def _with_results(steps: list[Step]) -> list[Step]:
    """`Benoit drops the clock and it breaks` is one happening: what comes of an act belongs to it."""
    found: list[Step] = []
    for step in steps:
        last = found[-1] if found else None
        follows = last is not None and last.event.sentence == step.event.sentence and bool(last.actors)
        if last is None or not follows or step.actors or step.things or not step.sets:
            found.append(step)
        elif {s.bearer for s in step.sets} <= last.touched and not step.event.number and last.act != "look":
            last.sets += step.sets
            said = step.event.reading.text
            last.action = f"{last.action.rstrip('.')}, and {said[:1].lower()}{said[1:]}."
        else:
            found.append(step)
    return found


def _mentions(rest: str, things: tuple[NounPhrase, ...]) -> bool:
    return any(thing.head in rest.lower() for thing in things)


def _sentence(text: str) -> str:
    text = " ".join(text.split()).strip(" ,;.")
    return f"{text[:1].upper()}{text[1:]}."[:900]


def _described(statement: Statement) -> str:
    if statement.relation == "wears" and statement.target is not None:
        return f"in {_article(statement.target)}{statement.target.name}"
    if statement.relation == "has" and statement.target is not None:
        return f"with {_article(statement.target)}{statement.target.name}"
    return statement.words


def _article(phrase: NounPhrase) -> str:
    return f"{phrase.determiner} " if phrase.determiner in ("a", "an") else ""


def _phrase(name: str) -> NounPhrase:
    return NounPhrase(tuple(name.split()), "the")
