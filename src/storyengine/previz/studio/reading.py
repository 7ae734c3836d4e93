"""What a prompt asks for: sections of controlled English are understood exactly, other text as well as possible.

Nothing but the prompt is read here. Names become ids the way captions make them, so the same thing has the same id
in every prompt that speaks of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from storyengine.language import (
    Absent,
    Claim,
    Framed,
    Happens,
    HasAttribute,
    InEnvironment,
    Lit,
    OnlyPeople,
    Placed,
    Present,
    Single,
    parse,
)
from storyengine.language.captions import read_catalog
from storyengine.language.sections import read_sections
from storyengine.plan import Catalog, Entity, Environment, InSceneZone, target_of

Task = Literal["sheet", "thing", "panorama", "opening", "clip"]

LONGEST = 20_000
"""Characters of a prompt that are read; what follows is passed over, as a text encoder would."""


@dataclass(frozen=True)
class CameraWords:
    """The camera as CAMERA AND LAYOUT tells it; None for what it leaves open."""

    framing: str = "medium"
    yaw: float | None = None
    pitch: float = 0.0
    fov: float = 60.0
    right: float = 0.0
    forward: float = 0.0
    move: str = "still"
    direction: str = ""


@dataclass(frozen=True)
class SceneRequest:
    """A prompt, understood."""

    task: Task
    catalog: Catalog
    """People, things and places that it names, with their looks."""
    place: Environment | None
    claims: tuple[Claim, ...] = ()
    """What the picture must or should show; of a clip, what holds at its start and always."""
    must: tuple[Claim, ...] = ()
    """Those among the claims that it must show; empty where a prompt does not tell them apart."""
    later: tuple[Claim, ...] = ()
    """What an opening must leave room for: it comes true in the course of the shot."""
    welcome: tuple[Claim, ...] = ()
    """What it may hold besides, if its camera can: a later shot begins with it."""
    end: tuple[Claim, ...] = ()
    """What holds at the end of a clip."""
    events: tuple[str, ...] = ()
    repair: tuple[Claim, ...] = ()
    """What an earlier sample missed."""
    preserve: tuple[Claim, ...] = ()
    refuse: tuple[Claim, ...] = ()
    """What must not be copied from the pictures given."""
    camera: CameraWords | None = None
    style: str = ""
    free: bool = False
    """Whether it is free text: everything it names is there, whether or not it says where."""

    @property
    def people(self) -> tuple[Entity, ...]:
        return tuple(e for e in self.catalog.entities.values() if e.kind == "character")

    @property
    def things(self) -> tuple[Entity, ...]:
        return tuple(e for e in self.catalog.entities.values() if e.kind == "prop")

    @property
    def wanted(self) -> frozenset[str] | None:
        """Ids of what must be in frame, now or later in the shot; None where a prompt does not tell."""
        if not self.must:
            return None
        targets = {target_of(claim.placement) for claim in self.later if isinstance(claim, Placed)}
        named = named_in(self.must) | named_in(self.later) | self.handled
        return (named | {t for t in targets if t}) - absent(self.must)

    @property
    def later_zones(self) -> tuple[str, ...]:
        """The zones that people or things will come to."""
        names = {zone.id: zone.name for zone in self.place.zones} if self.place is not None else {}
        ends = [claim.placement for claim in self.later if isinstance(claim, Placed)]
        return tuple(
            dict.fromkeys(names[end.zone] for end in ends if isinstance(end, InSceneZone) and end.zone in names)
        )

    @property
    def handled(self) -> frozenset[str]:
        """Ids of the things that coming events name, by the whole name or the end of it that no other thing shares. A
        longer name hides a shorter one in it."""
        calls = _calls(self.things)
        found = set()
        for claim in self.later:
            rest = claim.action.lower() if isinstance(claim, Happens) else ""
            for words in sorted(calls, key=len, reverse=True):
                rest, count = re.subn(rf"\b{re.escape(words)}\b", " ", rest)
                if count:
                    found.add(calls[words])
        return frozenset(found)

    def with_welcome(self) -> SceneRequest:
        """The same request with what is welcome asked for."""
        return replace(self, later=(*self.later, *self.welcome))

    def without_events(self) -> SceneRequest:
        """The same request with no word of what will be done."""
        return replace(self, later=tuple(claim for claim in self.later if not isinstance(claim, Happens)))

    @property
    def repaired(self) -> frozenset[str]:
        """Ids that a repair target speaks of."""
        return frozenset(found for claim in self.repair for found in _ids(claim))


def _printable(text: str) -> str:
    """Without control characters, which no name may hold."""
    return "".join(c if c in "\n\t" or unicodedata.category(c)[0] != "C" else " " for c in text)


def read_prompt(text: str, task: Task | None = None) -> SceneRequest:
    """The request that a prompt makes. `task` overrides what its TASK says (or does not say)."""
    text = _printable(text[:LONGEST])
    sections = read_sections(text)
    named = _lines(sections, "PLACE", "WHO AND WHAT", "FIXED THINGS", "SUBJECT")
    catalog = read_catalog(named)
    if not catalog.entities and not catalog.environments:
        from storyengine.previz.studio.free_text import read_free_text

        return read_free_text(text, task)
    return SceneRequest(
        task=task or _task(sections),
        catalog=catalog,
        place=next(iter(catalog.environments.values()), None),
        claims=_claims(
            sections, catalog, "MUST SHOW", "SHOULD SHOW", "STATE", "WHERE THEY ARE", "AT THE START", "ALWAYS"
        ),
        must=_claims(sections, catalog, "MUST SHOW", "AT THE START"),
        later=_claims(sections, catalog, "LEAVE ROOM FOR"),
        welcome=_claims(sections, catalog, "IF IT FITS"),
        end=_claims(sections, catalog, "AT THE END", "ALWAYS"),
        events=tuple(_lines(sections, "EVENTS")),
        repair=_claims(sections, catalog, "REPAIR TARGETS"),
        preserve=_claims(sections, catalog, "PRESERVE"),
        refuse=_claims(sections, catalog, "DO NOT COPY"),
        camera=read_camera(" ".join(_lines(sections, "CAMERA AND LAYOUT"))),
        style=" ".join(_lines(sections, "STYLE")),
    )


def _lines(sections: dict[str, list[str]], *headings: str) -> list[str]:
    return [line for heading in headings for line in sections.get(heading, [])]


def _claims(sections: dict[str, list[str]], catalog: Catalog, *headings: str) -> tuple[Claim, ...]:
    found = (parse(line, catalog) for line in _lines(sections, *headings))
    return tuple(dict.fromkeys(claim for claim in found if claim is not None))


def _task(sections: dict[str, list[str]]) -> Task:
    if "VIDEO TASK" in sections or "EVENTS" in sections:
        return "clip"
    words = " ".join(_lines(sections, "TASK")).lower()
    if "identity sheet" in words or "three times" in words:
        return "sheet"
    if "panorama" in words:
        return "panorama"
    if "reference picture" in words:
        return "thing"
    return "opening"


_NUMBER = r"(-?\d+(?:\.\d+)?)"
_TURNED = re.compile(rf"turned {_NUMBER} degrees")
_TILTED = re.compile(rf"tilted {_NUMBER} degrees")
_FIELD = re.compile(rf"field of view {_NUMBER} degrees")
_STANDING = re.compile(rf"standing {_NUMBER} m right and {_NUMBER} m forward")
_FRAMING = re.compile(r"\b(wide|medium|tight)\b")
_MOVE = re.compile(r"camera (still|pan left|pan right|push in|pull out|follow)")
_DIRECTION = re.compile(r"movement (left to right|right to left|towards camera|away from camera)")


def read_camera(words: str) -> CameraWords | None:
    """The camera of a CAMERA AND LAYOUT section; None when it says nothing."""
    if not words:
        return None
    turned, tilted, field = _TURNED.search(words), _TILTED.search(words), _FIELD.search(words)
    standing, framing = _STANDING.search(words), _FRAMING.search(words)
    move, direction = _MOVE.search(words), _DIRECTION.search(words)
    return CameraWords(
        framing=framing[1] if framing else "medium",
        yaw=float(turned[1]) if turned else None,
        pitch=min(max(float(tilted[1]), -80.0), 80.0) if tilted else 0.0,
        fov=min(max(float(field[1]), 10.0), 120.0) if field else 60.0,
        right=float(standing[1]) if standing else 0.0,
        forward=float(standing[2]) if standing else 0.0,
        move=move[1].replace(" ", "_") if move else "still",
        direction=direction[1].replace(" ", "_") if direction else "",
    )


# --- questions to claims ----------------------------------------------------------------------------------------


def _ids(claim: Claim) -> tuple[str, ...]:
    match claim:
        case OnlyPeople(entities=entities):
            return entities
        case InEnvironment(environment=place) | Lit(environment=place):
            return (place,)
        case _:
            entity = getattr(claim, "entity", None)
            return (entity,) if entity else ()


def named_in(claims: Iterable[Claim]) -> frozenset[str]:
    """Ids of everything that some claims speak of."""
    return frozenset(found for claim in claims for found in _ids(claim))


def placements(claims: Iterable[Claim]) -> dict[str, Placed]:
    """Where each thing or person is said to be; the first statement counts."""
    found: dict[str, Placed] = {}
    for claim in claims:
        if isinstance(claim, Placed):
            found.setdefault(claim.entity, claim)
    return found


def absent(claims: Iterable[Claim]) -> frozenset[str]:
    return frozenset(claim.entity for claim in claims if isinstance(claim, Absent))


def present(claims: Iterable[Claim]) -> frozenset[str]:
    """What is said to be in frame, in so many words or by saying something of it that must be seen."""
    return frozenset(claim.entity for claim in claims if isinstance(claim, Present | Single | Framed))


def states(claims: Iterable[Claim]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Attribute values by thing; the first statement about an attribute counts."""
    found: dict[str, dict[str, str]] = {}
    for claim in claims:
        if isinstance(claim, HasAttribute):
            found.setdefault(claim.entity, {}).setdefault(claim.attribute, claim.value)
    return {entity: tuple(sorted(values.items())) for entity, values in found.items()}


def only_people(claims: Iterable[Claim]) -> frozenset[str] | None:
    """Who alone may be in frame; None where nothing is said."""
    for claim in claims:
        if isinstance(claim, OnlyPeople):
            return frozenset(claim.entities)
    return None


def _calls(things: Iterable[Entity]) -> dict[str, str]:
    """Whom words mean: names, and ends of names that one thing alone has (`the ship's clock`)."""
    names = {thing.name.lower(): thing.id for thing in things}
    ends = {name: [" ".join(name.split()[k:]) for k in range(len(name.split()))] for name in names}
    shared = Counter(words for each in ends.values() for words in each)
    return {words: names[name] for name, each in ends.items() for words in each if shared[words] == 1} | names
