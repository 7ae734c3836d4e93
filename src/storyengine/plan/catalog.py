"""Everything that has a name in a story, by id: what the reducer, the language and the sheets look up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from storyengine.plan.model import Attribute, Entity, Environment, SemanticPlan


@dataclass(frozen=True, eq=False)
class Catalog:
    """Entities and environments by id. Of two with one id the first counts; `check` reports the other."""

    entities: Mapping[str, Entity]
    environments: Mapping[str, Environment]
    zones: Mapping[str, frozenset[str]]
    """Zone ids of each environment."""
    attributes: Mapping[str, Mapping[str, Attribute]] = field(repr=False)
    """Attributes of each entity by name."""

    @classmethod
    def build(cls, entities: Iterable[Entity], environments: Iterable[Environment]) -> Catalog:
        people_and_things: dict[str, Entity] = {}
        places: dict[str, Environment] = {}
        for entity in entities:
            people_and_things.setdefault(entity.id, entity)
        for environment in environments:
            places.setdefault(environment.id, environment)
        return cls(
            entities=MappingProxyType(people_and_things),
            environments=MappingProxyType(places),
            zones={place.id: frozenset(zone.id for zone in place.zones) for place in places.values()},
            attributes={
                entity.id: {attribute.name: attribute for attribute in reversed(entity.attributes)}
                for entity in people_and_things.values()
            },
        )

    @classmethod
    def of(cls, plan: SemanticPlan) -> Catalog:
        return cls.build(plan.entities, plan.environments)

    def characters(self) -> tuple[Entity, ...]:
        return tuple(entity for entity in self.entities.values() if entity.kind == "character")
