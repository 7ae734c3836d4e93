"""Free text as a request: nouns become people, things and a place; verbs and prepositions say where they are.

Understands what `language.reading` understands, and otherwise draws every noun that it can name. Limits: one place,
eight people, sixteen things; what is said of nobody in particular is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import get_args

from pydantic import ValidationError

from storyengine.language import Claim, HasAttribute, Placed
from storyengine.language.captions import slug
from storyengine.language.reading import Reading, Statement
from storyengine.language.reading import words as w
from storyengine.language.reading.discourse import Discourse
from storyengine.language.reading.phrases import NounPhrase, PhraseReader
from storyengine.language.reading.sentence import full_name, read_in_context
from storyengine.language.reading.tokens import split_sentences, tokenize
from storyengine.language.reading.verbs import verb_forms
from storyengine.plan import (
    AttachedTo,
    Attribute,
    Catalog,
    Entity,
    Environment,
    HeldBy,
    InContainer,
    Light,
    OnSurface,
    Placement,
    Zone,
)
from storyengine.previz.looks import GarmentKind
from storyengine.previz.studio.reading import SceneRequest, Task, read_camera

MOST_PEOPLE, MOST_THINGS, MOST_SENTENCES = 8, 16, 40
_SCALE = w.words(
    "picture photo photograph image painting drawing shot scene view frame panorama still clip video close-up"
)
_BODY = w.words(
    "hair eye eyes face hand hands arm arms head shoulder shoulders beard moustache light sun air floor wall walls "
    "ceiling morning evening afternoon night day noon background foreground side front back style"
)
_WORN = frozenset(kind.split()[-1] for kind in get_args(GarmentKind))


@dataclass
class _Found:
    """What a text names, while it is read."""

    people: dict[str, str] = field(default_factory=dict)
    things: dict[str, str] = field(default_factory=dict)
    """Name and look."""
    place: str = ""
    claims: list[tuple[str, str, str]] = field(default_factory=list)
    """Subject, relation, target."""
    states: list[tuple[str, str]] = field(default_factory=list)


def read_free_text(text: str, task: Task | None = None) -> SceneRequest:
    """A request made of ordinary English. Never fails: what is not understood is not drawn."""
    found = _Found()
    sentences = split_sentences(text)[:MOST_SENTENCES]
    discourse = Discourse()
    readings: list[Reading] = []
    for sentence in sentences:
        _nouns(sentence, found)
        said = read_in_context(sentence, discourse)
        readings += [reading for reading in said.readings if not reading.negated]
        for statement in said.statements:
            _state(statement, found)
    moves = (task or "opening") == "clip"
    for reading in readings:
        (_before if moves else _after)(reading, found)
    catalog = _catalog(found, text)
    return SceneRequest(
        task=task or "opening",
        catalog=catalog,
        place=next(iter(catalog.environments.values())),
        claims=tuple(_claims(found, catalog)),
        events=tuple(sentences) if moves else (),
        camera=read_camera(" ".join(re.findall(r"\b(?:wide|medium|tight)\b", text.lower())[:1])),
        free=True,
    )


def _nouns(sentence: str, found: _Found) -> None:
    """Every noun phrase, and the preposition that ties it to the thing before it."""
    tokens = tokenize(sentence)
    reader = PhraseReader(tokens, frozenset())
    i, last, before = 0, "", ""
    while i < len(tokens):
        read = reader.read(i, subject=True)
        if read is None or read[1] <= i:
            before = reader.word(i) if reader.word(i) in w.PREPOSITIONS else before if before == "with" else ""
            i += 1
            continue
        phrase, i = read
        name = _note(phrase, before, last, found)
        tied = last in found.things and name in found.things and last != name
        if tied and before in ("in", "on", "inside", "onto", "into", "upon"):
            found.claims.append((last, "in" if before.startswith("in") else "on", name))
        last = name or last
        before = ""


def _note(phrase: NounPhrase, before: str, last: str, found: _Found) -> str:
    """Remember what a phrase names; the name under which it is kept, or empty."""
    if phrase.pronoun or phrase.head in _SCALE:
        return ""
    if not phrase.determiner and not phrase.proper and verb_forms(phrase.head):
        return ""
    name, look = phrase.name, " ".join(phrase.words)
    if last in found.people and before in ("with", "in", "wearing") and (phrase.head in w.GARMENTS | _WORN | _BODY):
        found.people[last] += f", {before} {look}"
        return last
    if phrase.head in _BODY:
        return ""
    if phrase.is_person:
        if len(found.people) < MOST_PEOPLE:
            found.people.setdefault(name, look if not phrase.proper else "")
        return name
    if w.is_place_noun(phrase.head) and not found.place:
        found.place = look
        return ""
    if w.is_place_noun(phrase.head):
        return ""
    if len(found.things) < MOST_THINGS and all(word.isascii() for word in phrase.words):
        found.things.setdefault(name, look)
    return name if name in found.things else ""


def _state(statement: Statement, found: _Found) -> None:
    subject = statement.subject.name
    if statement.negated:
        return
    if statement.relation in ("is", "wears") and subject in found.people:
        said = statement.words or (statement.target.name if statement.target else "")
        found.people[subject] += f", {'in ' if statement.relation == 'wears' else ''}{said}"
    elif statement.relation == "state":
        found.states.append((subject, statement.words))
    elif statement.relation in ("in", "on", "held", "attached") and statement.target is not None:
        found.claims.append((subject, statement.relation, statement.target.name))


def _before(reading: Reading, found: _Found) -> None:
    """A clip starts with what its events need: what is taken lies somewhere, what is put down is in a hand."""
    agent = reading.who[0] if reading.who else ""
    for thing in reading.things:
        if reading.act == "take" and reading.source is not None:
            inside = reading.source.head in w.PUT_IN and reading.source.head not in w.PUT_ON
            found.claims.append((thing.name, "in" if inside else "on", reading.source.name))
        elif (
            reading.act in ("put", "give", "hang", "carry") and agent and thing.name not in (c[0] for c in found.claims)
        ):
            found.claims.append((thing.name, "held", agent))


def _after(reading: Reading, found: _Found) -> None:
    """A still shows what an event has brought about."""
    agent = reading.who[0] if reading.who else ""
    for thing in reading.things:
        if reading.state:
            found.states.append((thing.name, reading.state))
        if reading.relation in ("in", "on") and reading.goal is not None:
            found.claims.insert(0, (thing.name, reading.relation, reading.goal.name))
        elif reading.relation == "held" and (reading.to if reading.act == "give" else agent):
            found.claims.insert(0, (thing.name, "held", reading.to if reading.act == "give" else agent))


def _catalog(found: _Found, text: str) -> Catalog:
    entities = list(_entities(found))
    head = found.place or "room"
    zone = Zone(id="in-the-middle", name="in the middle")
    # The place is described by all that is said: colours and materials of things do no harm to walls that nobody names.
    place = Environment(
        id=slug(head), name=_speakable(head), look=" ".join(text.split())[:600], zones=(zone,), light=_light(text)
    )
    return Catalog.build(entities, [place])


def _entities(found: _Found) -> Iterator[Entity]:
    states: dict[str, list[str]] = {}
    for name, value in found.states:
        states.setdefault(name, []).append(value)
    for kind, named in (("character", found.people), ("prop", found.things)):
        for name, look in named.items():
            values = tuple(dict.fromkeys([*states.get(name, ())[:1], "as usual"]))
            attributes = (Attribute(name="state", values=values),) if len(values) > 1 and kind == "prop" else ()
            data = {"id": slug(name), "name": name, "kind": kind, "look": look[:900], "attributes": attributes}
            try:
                yield Entity.model_validate(data)
            except ValidationError:
                continue


def _speakable(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9' -]", " ", name)
    return " ".join(word for word in plain.split() if word.lower() not in ("is", "are", "and", "then"))[:60] or "room"


def _light(text: str) -> Light:
    spoken = set(re.findall(r"[a-z]+", text.lower()))
    brightness = "even"
    for value, signs in (
        ("dark", "dark night midnight moonlit gloomy"),
        ("dim", "dim evening dusk twilight candlelit lamplit"),
        ("bright", "bright sunny noon sunlit glaring"),
    ):
        if spoken & set(signs.split()):
            brightness = value
            break
    tone = "neutral"
    for value, signs in (
        ("warm", "warm sunset golden lamplit candlelit candle fire firelit sunny afternoon"),
        ("cool", "cool cold moonlit moon blue winter snow overcast night"),
    ):
        if spoken & set(signs.split()):
            tone = value
            break
    return Light.model_validate({"brightness": brightness, "tone": tone})


def _claims(found: _Found, catalog: Catalog) -> Iterator[Claim]:
    names = [entity.name for entity in catalog.entities.values()]
    ids = {entity.name.lower(): entity.id for entity in catalog.entities.values()}

    def known(name: str) -> str | None:
        exact = ids.get(name.lower())
        short = "" if exact else full_name(NounPhrase(tuple(name.split())), names)
        return exact or ids.get(short.lower())

    for subject, relation, target in found.claims:
        thing, other = known(subject), known(target)
        if thing and other and thing != other and catalog.entities[thing].kind == "prop":
            placement = _placement(relation, other, catalog.entities[other].kind == "character")
            if placement is not None:
                yield Placed(entity=thing, placement=placement)
    for name, value in found.states:
        bearer = known(name)
        if bearer and any(value in a.values for a in catalog.entities[bearer].attributes):
            yield HasAttribute(entity=bearer, attribute="state", value=value)


def _placement(relation: str, target: str, person: bool) -> Placement | None:
    if person:
        return AttachedTo(support=target) if relation == "attached" else HeldBy(holder=target)
    match relation:
        case "in":
            return InContainer(container=target)
        case "on":
            return OnSurface(surface=target)
        case "attached":
            return AttachedTo(support=target)
    return None
