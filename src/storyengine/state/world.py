"""`World`: entity → (placement, attributes), as a frozen value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from storyengine.plan import Fact, Place, Placement, Set


@dataclass(frozen=True, slots=True)
class EntityState:
    """Where one entity is and in which state. The attributes are never changed in place."""

    placement: Placement
    attributes: Mapping[str, str]


class World(Mapping[str, EntityState]):
    """The state of every entity at one moment. Changing it gives a new world; the old one stays."""

    __slots__ = ("_states",)

    def __init__(self, states: Mapping[str, EntityState]) -> None:
        self._states = dict(states)

    def __getitem__(self, entity: str) -> EntityState:
        return self._states[entity]

    def __iter__(self) -> Iterator[str]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def __repr__(self) -> str:
        return f"World({'; '.join(str(fact) for fact in self.facts())})"

    def placed(self, entity: str, placement: Placement) -> World:
        """This world with one entity somewhere else."""
        return self._with(entity, EntityState(placement, self._states[entity].attributes))

    def with_attribute(self, entity: str, attribute: str, value: str) -> World:
        """This world with one attribute changed."""
        state = self._states[entity]
        return self._with(entity, EntityState(state.placement, {**state.attributes, attribute: value}))

    def _with(self, entity: str, state: EntityState) -> World:
        world = World.__new__(World)
        world._states = self._states | {entity: state}
        return world

    def holds(self, fact: Fact) -> bool:
        """Whether a fact is true in this world."""
        state = self._states.get(fact.entity)
        if state is None:
            return False
        if isinstance(fact, Place):
            return state.placement == fact.placement
        return state.attributes.get(fact.attribute) == fact.value

    def facts(self) -> Iterator[Fact]:
        """Every fact of this world, entity by entity."""
        for entity, state in self._states.items():
            yield Place(entity=entity, placement=state.placement)
            for attribute, value in state.attributes.items():
                yield Set(entity=entity, attribute=attribute, value=value)

    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            entity: {"placement": state.placement.model_dump(), "attributes": dict(state.attributes)}
            for entity, state in self._states.items()
        }
