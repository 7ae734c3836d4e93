"""Captions: everything the catalog knows of a person, thing or place, in one line that reads back.

Backends get text and pixels only. A caption beside a reference picture, or in a prompt, tells a generator what it
is looking at and lets the embedded studio rebuild the catalog it needs to understand sentences:

    Mina (person): a student with short black hair, in a yellow raincoat
    the red backpack (thing; container): a red canvas backpack with a flap
    the grey locker (thing; container, fixed; door shut or open, contents hidden when shut): a tall grey locker
    the classroom (place; by the front desks | in the doorway; with blackboard; bright warm light): white walls

Ids, aliases and one-way rules are not part of a caption: ids are made from names, and the rest is the plan's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import get_args

from pydantic import ValidationError

from storyengine.language.sentences import the
from storyengine.plan import Attribute, Catalog, Entity, Environment, Landmark, Light, Zone
from storyengine.plan.model import Brightness, Role, Tone

_CAPTION = re.compile(
    r"(?P<name>.+?) \((?P<kind>person|people|thing|things|place)(?:; (?P<facts>.*?))?\)(?:: (?P<look>.*))?"
)
_NUMBER = {
    "person": ("character", False),
    "people": ("character", True),
    "thing": ("prop", False),
    "things": ("prop", True),
}


def caption(subject: Entity | Environment) -> str:
    """The one line about an entity or environment."""
    kind, facts = _place_facts(subject) if isinstance(subject, Environment) else _entity_facts(subject)
    inside = "; ".join([kind, *facts])
    return f"{the(subject.name)} ({inside})" + (f": {subject.look}" if subject.look else "")


def _entity_facts(entity: Entity) -> tuple[str, list[str]]:
    kind = {value: key for key, value in _NUMBER.items()}[(entity.kind, entity.plural)]
    facts = [", ".join(entity.roles)] if entity.roles else []
    for attribute in entity.attributes:
        values = " or ".join(attribute.values)
        hidden = f", contents hidden when {' or '.join(attribute.conceals)}" if attribute.conceals else ""
        unseen = "" if attribute.visible else ", not visible"
        facts.append(f"{attribute.name} {values}{hidden}{unseen}")
    return kind, facts


def _place_facts(place: Environment) -> tuple[str, list[str]]:
    facts = [" | ".join(zone.name for zone in place.zones)]
    if place.landmarks:
        facts.append("with " + ", ".join(landmark.name for landmark in place.landmarks))
    facts.append(f"{place.light.brightness} {place.light.tone} light")
    return "place", facts


def slug(name: str) -> str:
    """An id made from a name."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return plain[:60].strip("-") or "thing"


def read_caption(line: str) -> Entity | Environment | None:
    """The entity or environment a caption describes, with an id made from its name; None for other text."""
    match = _CAPTION.fullmatch(line.strip())
    if match is None:
        return None
    name = match["name"].removeprefix("the ").removeprefix("The ")
    facts = [fact for fact in (match["facts"] or "").split("; ") if fact]
    try:
        if match["kind"] == "place":
            return _read_place(name, match["look"] or "", facts)
        return _read_entity(name, match["kind"], match["look"] or "", facts)
    except (ValidationError, IndexError, ValueError):
        return None


def _read_entity(name: str, word: str, look: str, facts: list[str]) -> Entity:
    kind, plural = _NUMBER[word]
    roles: tuple[str, ...] = ()
    if facts and all(role in get_args(Role) for role in facts[0].split(", ")):
        roles = tuple(facts.pop(0).split(", "))
    attributes = tuple(_read_attribute(fact) for fact in facts)
    data = {"id": slug(name), "name": name, "kind": kind, "look": look, "roles": roles, "plural": plural}
    return Entity.model_validate({**data, "attributes": attributes})


def _read_attribute(fact: str) -> Attribute:
    visible = not fact.endswith(", not visible")
    fact = fact.removesuffix(", not visible")
    body, _, hidden = fact.partition(", contents hidden when ")
    name, _, values = body.partition(" ")
    conceals = tuple(hidden.split(" or ")) if hidden else ()
    return Attribute(name=name, values=tuple(values.split(" or ")), visible=visible, conceals=conceals)


def _read_place(name: str, look: str, facts: list[str]) -> Environment:
    light_words = facts.pop().split() if facts and facts[-1].endswith(" light") else ["even", "neutral", "light"]
    landmarks = facts.pop().removeprefix("with ").split(", ") if len(facts) > 1 else []
    zones = facts[0].split(" | ") if facts else ["in the middle"]
    brightness = light_words[0] if light_words[0] in get_args(Brightness) else "even"
    tone = light_words[1] if light_words[1] in get_args(Tone) else "neutral"
    return Environment(
        id=slug(name),
        name=name,
        look=look,
        zones=tuple(Zone(id=slug(zone), name=zone) for zone in zones),
        landmarks=tuple(Landmark(id=slug(mark), name=mark) for mark in landmarks),
        light=Light.model_validate({"brightness": brightness, "tone": tone}),
    )


def read_catalog(lines: Iterable[str]) -> Catalog:
    """The catalog that a list of captions describes; other lines are passed over."""
    subjects = [subject for line in lines if (subject := read_caption(line)) is not None]
    return Catalog.build(
        [subject for subject in subjects if isinstance(subject, Entity)],
        [subject for subject in subjects if isinstance(subject, Environment)],
    )


def captions_of(catalog: Catalog) -> tuple[str, ...]:
    """A caption for everybody and everything, people and things first."""
    entities = [caption(entity) for entity in catalog.entities.values()]
    return (*entities, *(caption(place) for place in catalog.environments.values()))
