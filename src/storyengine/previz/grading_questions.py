"""Statements about a graded scene, each with the truth: what the studio's scene and the id buffer say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

import numpy as np

from storyengine.language import (
    Absent,
    Claim,
    FreeOf,
    HasAttribute,
    InEnvironment,
    Lit,
    LooksLike,
    OnlyPeople,
    Placed,
    Present,
    Single,
)
from storyengine.plan import AttachedTo, Catalog, Environment, HeldBy, InContainer, OnSurface, Placement
from storyengine.plan.model import Brightness
from storyengine.previz.studio.scene import Scene, Thing

SHOWN = 0.01
"""Share of the frame from which something counts as shown."""

Random = np.random.Generator


@dataclass(frozen=True)
class Question:
    """A claim and whether it is true."""

    claim: Claim
    true: bool
    planted: str = ""
    """The planted error it must catch; empty for an ordinary question."""

    @property
    def kind(self) -> str:
        if isinstance(self.claim, Placed):
            return f"placed {self.claim.placement.kind}"
        if isinstance(self.claim, FreeOf):
            return f"free of {self.claim.thing}"
        return self.claim.claim


def questions(
    catalog: Catalog, place: Environment, scene: Scene, shares: Mapping[str, float], random: Random
) -> Iterator[Question]:
    """True and false statements about a picture; what shows at less than 1 % of it is not asked about."""
    yield from _presence(catalog, shares)
    for thing in scene.things:
        if shares.get(thing.id, 0.0) >= SHOWN and thing.id in catalog.entities:
            yield from _states(catalog, thing, random)
            yield from _placements(catalog, scene, thing, shares)
    there = tuple(actor.id for actor in scene.actors if actor.id in catalog.entities)
    strangers = [a.id for a in scene.actors if a.id not in catalog.entities and shares.get(a.id, 0.0) >= SHOWN]
    yield Question(OnlyPeople(entities=there), not strangers)
    shown = [person for person in there if shares.get(person, 0.0) >= SHOWN]
    for person in shown:
        yield Question(LooksLike(entity=person), True)
    yield Question(InEnvironment(environment=place.id), True)
    yield from _light(place)
    for thing_name in ("on-screen text", "split screens", "blank frames"):
        yield Question(FreeOf(thing=thing_name), True)  # type: ignore[arg-type]


def _presence(catalog: Catalog, shares: Mapping[str, float]) -> Iterator[Question]:
    for entity in catalog.entities.values():
        share = shares.get(entity.id, 0.0)
        if share >= SHOWN:
            yield Question(Present(entity=entity.id), True)
            yield Question(Absent(entity=entity.id), False)
            if entity.kind == "prop":
                yield Question(Single(entity=entity.id), f"{entity.id}-again" not in shares)
        elif share == 0.0:
            yield Question(Present(entity=entity.id), False)
            yield Question(Absent(entity=entity.id), True)


def _states(catalog: Catalog, thing: Thing, random: Random) -> Iterator[Question]:
    now = dict(thing.states)
    for attribute in catalog.entities[thing.id].attributes:
        value = now.get(attribute.name)
        if value is None or not attribute.visible:
            continue
        yield Question(HasAttribute(entity=thing.id, attribute=attribute.name, value=value), True)
        others = [other for other in attribute.values if other != value]
        other = others[int(random.integers(len(others)))]
        yield Question(HasAttribute(entity=thing.id, attribute=attribute.name, value=other), False)


def placement_of(catalog: Catalog, thing: Thing) -> Placement | None:
    """Where a thing of a scene is, as a claim would say it; None where it merely stands in a zone."""
    if not thing.target or thing.target not in catalog.entities:
        return None
    match thing.relation:
        case "on":
            return OnSurface(surface=thing.target)
        case "in":
            return InContainer(container=thing.target)
        case "held":
            return HeldBy(holder=thing.target)
        case "worn" | "fastened":
            return AttachedTo(support=thing.target)
    return None


def _placements(catalog: Catalog, scene: Scene, thing: Thing, shares: Mapping[str, float]) -> Iterator[Question]:
    true = placement_of(catalog, thing)
    if true is not None and shares.get(thing.target, 0.0) >= SHOWN:
        yield Question(Placed(entity=thing.id, placement=true), True)
    if thing.fixed:
        return
    for actor in scene.actors:
        if actor.id in catalog.entities and shares.get(actor.id, 0.0) >= SHOWN and thing.target != actor.id:
            yield Question(Placed(entity=thing.id, placement=HeldBy(holder=actor.id)), False)
    for other in scene.things:
        if other.id in (thing.id, thing.target) or other.target == thing.id or shares.get(other.id, 0.0) < SHOWN:
            continue
        entity = catalog.entities.get(other.id)
        if entity is not None and "surface" in entity.roles:
            yield Question(Placed(entity=thing.id, placement=OnSurface(surface=other.id)), False)
        if entity is not None and "container" in entity.roles:
            yield Question(Placed(entity=thing.id, placement=InContainer(container=other.id)), False)


def _light(place: Environment) -> Iterator[Question]:
    light = place.light
    yield Question(Lit(environment=place.id, brightness=light.brightness, tone=light.tone), True)
    scale = list(get_args(Brightness))
    at = scale.index(light.brightness)
    far = scale[at + 2] if at < 2 else scale[at - 2]
    yield Question(Lit(environment=place.id, brightness=far, tone=light.tone), False)
