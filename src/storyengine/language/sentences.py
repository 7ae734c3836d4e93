"""`render` says a claim in one positive, visually testable sentence; `parse` reads it back exactly.

Names are quoted from the catalog, so the parser never guesses: it takes a sentence apart at its verb and looks
both halves up in a table of everything the catalog can say. A sentence that is not in the table is free text,
and `parse` answers None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar, get_args

from pydantic import ValidationError

from storyengine.errors import ContractError
from storyengine.language.claims import (
    Absent,
    CameraMoves,
    Changes,
    Claim,
    FaceLegible,
    Framed,
    FreeOf,
    Happens,
    HasAttribute,
    InEnvironment,
    LandmarkVisible,
    Lit,
    LooksLike,
    Moves,
    OnlyPeople,
    Placed,
    Present,
    Single,
    Unwanted,
)
from storyengine.plan import (
    AttachedTo,
    Catalog,
    Entity,
    HeldBy,
    InContainer,
    InSceneZone,
    OnSurface,
    Placement,
)
from storyengine.plan.model import Brightness, Direction, Framing, Tone

_CAMERA = {
    "still": "stays still",
    "pan_left": "pans left",
    "pan_right": "pans right",
    "push_in": "pushes in",
    "pull_out": "pulls out",
    "follow": "follows the action",
}
_DIRECTION = {
    "left_to_right": "from left to right across the screen",
    "right_to_left": "from right to left across the screen",
    "towards_camera": "towards the camera",
    "away_from_camera": "away from the camera",
}
_HAPPENS = "This happens: "


def the(name: str) -> str:
    """A name as a sentence uses it: proper names as they are, others with their article."""
    return name if name[:1].isupper() else f"the {name}"


def capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _is(entity: Entity) -> str:
    return "are" if entity.plural else "is"


def _words(identifier: str) -> str:
    return identifier.replace("-", " ").replace("_", " ")


def _whose(entity: Entity) -> str:
    apostrophe = "'" if entity.plural and entity.name.endswith("s") else "'s"
    return the(entity.name) + apostrophe


def render(claim: Claim, catalog: Catalog) -> str:
    """The claim as a sentence. Raises ContractError for a claim about something that is not in the catalog."""
    try:
        return capitalised(_sentence(claim, catalog))
    except KeyError as missing:
        raise ContractError(f"The claim {claim!r} names {missing}, which the catalog does not hold.") from None


def _sentence(claim: Claim, catalog: Catalog) -> str:
    match claim:
        case OnlyPeople(entities=entities):
            return f"{_nobody_but(entities, catalog)} is in frame."
        case InEnvironment(environment=place):
            return f"the setting is {the(catalog.environments[place].name)}."
        case LandmarkVisible(environment=place, landmark=landmark):
            return f"{_landmark(catalog, place, landmark)} is in frame."
        case CameraMoves(move=move):
            return f"the camera {_CAMERA[move]}."
        case Lit(environment=place, brightness=brightness, tone=tone):
            return f"the light in {the(catalog.environments[place].name)} is {brightness} and {tone}."
        case FreeOf(thing=thing):
            return f"the picture is free of {thing}."
        case Happens(action=action):
            return f"{_HAPPENS}{action}"
        case Changes(before=before, after=after):
            return f"first {_clause(before, catalog)}; then {_clause(after, catalog)}."
        case _:
            return _about(catalog.entities[claim.entity], claim, catalog)


def _about(entity: Entity, claim: Claim, catalog: Catalog) -> str:
    """Sentences whose subject is one entity."""
    subject, verb = the(entity.name), _is(entity)
    match claim:
        case Present():
            return f"{subject} {verb} in frame."
        case Absent():
            return f"{subject} {verb} nowhere in frame."
        case Single():
            return f"exactly one {'set of ' if entity.plural else ''}{entity.name} is in frame."
        case Placed(placement=placement):
            return f"{subject} {verb} {where_in_words(placement, catalog)}."
        case HasAttribute(attribute=attribute, value=value):
            _ = catalog.attributes[entity.id][attribute]
            return f"{_bearer(entity, attribute)} {_bearer_verb(entity, attribute)} {value}."
        case LooksLike():
            return f"{subject} look{'' if entity.plural else 's'} as in the reference picture."
        case FaceLegible():
            return f"{_whose(entity)} face can be read clearly."
        case Framed(framing=framing):
            return f"{subject} {verb} framed in a {framing} shot."
        case Moves(direction=direction):
            return f"{subject} move{'' if entity.plural else 's'} {_DIRECTION[direction]}."
    raise ContractError(f"There is no sentence for {claim!r}.")


def _bearer(entity: Entity, attribute: str) -> str:
    """What has the value: the thing itself for its `state`, else the part named by the attribute."""
    return the(entity.name) if attribute == "state" else f"{_whose(entity)} {_words(attribute)}"


def _bearer_verb(entity: Entity, attribute: str) -> str:
    return _is(entity) if attribute == "state" else "is"


def where_in_words(placement: Placement, catalog: Catalog) -> str:
    match placement:
        case InSceneZone(environment=place, zone=zone):
            environment = catalog.environments[place]
            phrase = {z.id: z.name for z in environment.zones}[zone]
            return f"{phrase} in {the(environment.name)}"
        case OnSurface(surface=target):
            return f"on {the(catalog.entities[target].name)}"
        case InContainer(container=target):
            return f"in {the(catalog.entities[target].name)}"
        case HeldBy(holder=target):
            return f"held by {the(catalog.entities[target].name)}"
        case AttachedTo(support=target):
            support = catalog.entities[target]
            return f"{'worn by' if support.kind == 'character' else 'fastened to'} {the(support.name)}"
    raise ContractError(f"There is no phrase for {placement!r}.")


def _landmark(catalog: Catalog, place: str, landmark: str) -> str:
    environment = catalog.environments[place]
    name = {mark.id: mark.name for mark in environment.landmarks}[landmark]
    return f"{the(name)} of {the(environment.name)}"


def _nobody_but(entities: tuple[str, ...], catalog: Catalog) -> str:
    names = [the(catalog.entities[entity].name) for entity in entities]
    if not names:
        return "nobody"
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"nobody but {listed}"


def _clause(claim: Claim, catalog: Catalog) -> str:
    return _sentence(claim, catalog).removesuffix(".")


@dataclass(frozen=True, eq=False)
class _Lexicon:
    """Every phrase a catalog can put before or after the verb, with what it means."""

    subjects: dict[str, str]
    """Entity id of `the red backpack`."""
    bearers: dict[str, list[tuple[str, str]]]
    """Entity id and attribute of `the locker's door`."""
    places: dict[str, str]
    """Environment id of `the classroom`."""
    whereabouts: dict[str, Placement]
    """Placement of `in the locker`, `by the window in the classroom`."""
    landmarks: dict[str, tuple[str, str]]
    fixed: dict[str, Claim]
    """Whole sentences that need no look-up by halves."""
    clashes: tuple[str, ...]
    """Phrases that two things share."""


@lru_cache(maxsize=64)
def _lexicon(catalog: Catalog) -> _Lexicon:
    clashes: list[str] = []
    subjects: dict[str, str] = {}
    bearers: dict[str, list[tuple[str, str]]] = {}
    for entity in catalog.entities.values():
        _enter(subjects, the(entity.name), entity.id, clashes)
        for attribute in catalog.attributes[entity.id]:
            phrase = _bearer(entity, attribute)
            bearers.setdefault(phrase, []).append((entity.id, attribute))
            if attribute != "state" and (phrase in subjects or len(bearers[phrase]) > 1):
                clashes.append(phrase)
    places: dict[str, str] = {}
    landmarks: dict[str, tuple[str, str]] = {}
    for environment in catalog.environments.values():
        _enter(places, the(environment.name), environment.id, clashes)
        for landmark in environment.landmarks:
            phrase = _landmark(catalog, environment.id, landmark.id)
            _enter(landmarks, phrase, (environment.id, landmark.id), clashes)
    whereabouts: dict[str, Placement] = {}
    for placement in _all_placements(catalog):
        _enter(whereabouts, where_in_words(placement, catalog), placement, clashes)
    return _Lexicon(subjects, bearers, places, whereabouts, landmarks, _fixed(catalog), tuple(clashes))


Meaning = TypeVar("Meaning")


def _enter(table: dict[str, Meaning], phrase: str, meaning: Meaning, clashes: list[str]) -> None:
    if phrase in table:
        clashes.append(phrase)
    else:
        table[phrase] = meaning


def _all_placements(catalog: Catalog) -> Iterator[Placement]:
    for environment in catalog.environments.values():
        for zone in environment.zones:
            yield InSceneZone(environment=environment.id, zone=zone.id)
    for entity in catalog.entities.values():
        if entity.kind == "character":
            yield HeldBy(holder=entity.id)
        yield OnSurface(surface=entity.id)
        yield InContainer(container=entity.id)
        yield AttachedTo(support=entity.id)


def _fixed(catalog: Catalog) -> dict[str, Claim]:
    claims: list[Claim] = [OnlyPeople()]
    claims += [CameraMoves(move=move) for move in _CAMERA]
    claims += [FreeOf(thing=thing) for thing in get_args(Unwanted)]
    for place in catalog.environments:
        claims.append(InEnvironment(environment=place))
        claims += [
            Lit(environment=place, brightness=brightness, tone=tone)
            for brightness in get_args(Brightness)
            for tone in get_args(Tone)
        ]
    claims += [Single(entity=entity) for entity in catalog.entities]
    claims += [FaceLegible(entity=entity) for entity in catalog.entities]
    return {_sentence(claim, catalog): claim for claim in reversed(claims)}


def collisions(catalog: Catalog) -> tuple[str, ...]:
    """Phrases that could mean two things. A story without any reads back exactly."""
    return _lexicon(catalog).clashes


def parse(sentence: str, catalog: Catalog) -> Claim | None:
    """The claim that a sentence of the controlled language makes, or None for free text."""
    text = " ".join(sentence.split()) if not sentence.startswith(_HAPPENS) else sentence
    if text.startswith(_HAPPENS):
        return _happens(text.removeprefix(_HAPPENS))
    if not text.endswith("."):
        return None
    lexicon = _lexicon(catalog)
    for form in (text, text[:1].lower() + text[1:]):
        for reading in (_whole, _change, _only_people, _two_halves):
            if (claim := reading(form, lexicon, catalog)) is not None:
                return claim
    return None


def _happens(action: str) -> Claim | None:
    try:
        return Happens(action=action)
    except ValidationError:
        return None


def _whole(text: str, lexicon: _Lexicon, catalog: Catalog) -> Claim | None:
    return lexicon.fixed.get(text)


def _change(text: str, lexicon: _Lexicon, catalog: Catalog) -> Claim | None:
    before, separator, after = text.removesuffix(".").partition("; then ")
    if not separator or not before.startswith("first "):
        return None
    states = [_two_halves(f"{clause}.", lexicon, catalog) for clause in (before.removeprefix("first "), after)]
    if not all(isinstance(state, (Present, Absent, Placed, HasAttribute)) for state in states):
        return None
    return Changes(before=states[0], after=states[1])


def _only_people(text: str, lexicon: _Lexicon, catalog: Catalog) -> Claim | None:
    if not (text.startswith("nobody but ") and text.endswith(" is in frame.")):
        return None
    listed = text.removeprefix("nobody but ").removesuffix(" is in frame.")
    rest, _, last = listed.rpartition(" and ")
    names = [*rest.split(", "), last] if rest else [last]
    people = tuple(lexicon.subjects.get(name, "") for name in names)
    return OnlyPeople(entities=people) if all(people) else None


def _two_halves(text: str, lexicon: _Lexicon, catalog: Catalog) -> Claim | None:
    """Take the sentence apart at each verb it may have; the halves must both be known, and say it back."""
    body = text.removesuffix(".")
    for verb, reading in _VERBS.items():
        start = body.find(verb)
        while start >= 0:
            claim = reading(body[:start], body[start + len(verb) :], lexicon, catalog)
            if claim is not None and _sentence(claim, catalog) == text:
                return claim
            start = body.find(verb, start + 1)
    return None


def _being(subject: str, predicate: str, lexicon: _Lexicon, catalog: Catalog) -> Claim | None:
    if landmark := lexicon.landmarks.get(subject):
        return LandmarkVisible(environment=landmark[0], landmark=landmark[1]) if predicate == "in frame" else None
    if entity := lexicon.subjects.get(subject):
        if predicate == "in frame":
            return Present(entity=entity)
        if predicate == "nowhere in frame":
            return Absent(entity=entity)
        if placement := lexicon.whereabouts.get(predicate):
            return Placed(entity=entity, placement=placement)
        for framing in get_args(Framing):
            if predicate == f"framed in a {framing} shot":
                return Framed(entity=entity, framing=framing)
    for owner, attribute in lexicon.bearers.get(subject, ()):
        if predicate in catalog.attributes[owner][attribute].values:
            return HasAttribute(entity=owner, attribute=attribute, value=predicate)
    return None


def _looking(subject: str, predicate: str, lexicon: _Lexicon, catalog: Catalog) -> Claim | None:
    entity = lexicon.subjects.get(subject)
    return LooksLike(entity=entity) if entity and predicate == "as in the reference picture" else None


def _moving(subject: str, predicate: str, lexicon: _Lexicon, catalog: Catalog) -> Claim | None:
    entity = lexicon.subjects.get(subject)
    for direction in get_args(Direction):
        if entity and predicate == _DIRECTION[direction]:
            return Moves(entity=entity, direction=direction)
    return None


_VERBS: dict[str, Callable[[str, str, _Lexicon, Catalog], Claim | None]] = {
    " is ": _being,
    " are ": _being,
    " looks ": _looking,
    " look ": _looking,
    " moves ": _moving,
    " move ": _moving,
}
