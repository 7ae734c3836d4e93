"""The events of an N20 story replayed in the order of their numbers: what is known, and what contradicts it.

Only what claims say is known; everything else is open. People walk freely between events; things stay where
they were left, and what is held, or lies on something that can be moved, goes along with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from storyengine.bench.sheet import RequiredEvent, Sheet
from storyengine.language import Absent, Claim, HasAttribute, Placed, Present
from storyengine.plan import Catalog, InContainer, InSceneZone, Placement, target_of
from storyengine.plan.placement import write_placement


@dataclass
class _World:
    """What has been said so far, and by which event."""

    catalog: Catalog
    values: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """(entity, attribute) → value and the event that said so."""
    placements: dict[str, tuple[Placement, str]] = field(default_factory=dict)
    gone: dict[str, tuple[str, str]] = field(default_factory=dict)
    """entity → the place it was last seen to leave, and the event."""

    def place_of(self, entity: str) -> str | None:
        """The place where a thing was left: in a zone, or on or in something fixed there.

        People are anywhere, and so are things on what can be carried or pushed along between shots.
        """
        if self._is_person(entity) or entity not in self.placements:
            return None
        placement, _ = self.placements[entity]
        if isinstance(placement, InSceneZone):
            return placement.environment
        support = target_of(placement)
        if support is None or "fixed" not in self.catalog.entities[support].roles:
            return None
        return self.place_of(support)

    def _is_person(self, entity: str) -> bool:
        return self.catalog.entities[entity].kind == "character"

    def against(self, claim: Claim, event: RequiredEvent) -> str:
        """Why a claim cannot hold now, or nothing."""
        match claim:
            case HasAttribute(entity=entity, attribute=attribute, value=value):
                known = self.values.get((entity, attribute))
                if known and known[0] != value:
                    return f"{entity}.{attribute} is {known[0]!r} since {known[1]}, not {value!r}"
            case Placed(entity=entity, placement=placement) if not self._is_person(entity):
                return self._moved(entity, placement) or self._elsewhere(entity, event)
            case Absent(entity=entity) if self.place_of(entity) == event.place:
                return f"{entity!r} is in {event.place!r} since {self.placements[entity][1]}, not absent"
            case Present(entity=entity):
                return self._elsewhere(entity, event)
        return ""

    def _moved(self, entity: str, placement: Placement) -> str:
        known = self.placements.get(entity)
        if known and known[0] != placement:
            said = write_placement(known[0])
            return f"{entity!r} is {said!r} since {known[1]}, not {write_placement(placement)!r}"
        return ""

    def _elsewhere(self, entity: str, event: RequiredEvent) -> str:
        if entity in self.gone and self.gone[entity][0] == event.place:
            return f"{entity!r} left {event.place!r} in {self.gone[entity][1]} and has not come back"
        place = self.place_of(entity)
        if place not in (None, event.place):
            return f"{entity!r} is in {place!r}, not in {event.place!r} where the event is seen"
        return ""

    def shut_away(self, claim: Claim) -> str:
        """The container in a concealing state that the claim reaches into, or nothing."""
        if not (isinstance(claim, Placed) and isinstance(claim.placement, InContainer)):
            return ""
        container = claim.placement.container
        for attribute in self.catalog.attributes.get(container, {}).values():
            known = self.values.get((container, attribute.name))
            if known and known[0] in attribute.conceals:
                return (
                    f"{claim.entity!r} in {container!r} cannot be seen or reached: it is {known[0]!r} since {known[1]}"
                )
        return ""

    def take(self, claim: Claim, event: RequiredEvent) -> None:
        """Believe a claim from now on."""
        match claim:
            case HasAttribute(entity=entity, attribute=attribute, value=value):
                self.values[entity, attribute] = (value, event.id)
            case Placed(entity=entity, placement=placement):
                self.placements[entity] = (placement, event.id)
                self.gone.pop(entity, None)
            case Absent(entity=entity):
                self.placements.pop(entity, None)
                self.gone[entity] = (event.place, event.id)
            case Present(entity=entity):
                self.gone.pop(entity, None)


def contradictions(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Field and message of each event that the events before it rule out."""
    world = _World(sheet.catalog())
    for event in sheet.events:
        where = f"sheet.events.{event.id}"
        if problem := world.against(event.before.claim, event):
            yield f"{where}.before", f"contradicts the events before it: {problem}"
        for claim in (event.before.claim, event.after.claim):
            if problem := world.shut_away(claim):
                yield where, problem
        world.take(event.before.claim, event)
        world.take(event.after.claim, event)


def dependencies(sheet: Sheet) -> dict[int, frozenset[int]]:
    """Position of each event → positions of the earlier events that speak of the same thing or of what holds it."""
    topics = [_topics(event) for event in sheet.events]
    return {
        later: frozenset(earlier for earlier in range(later) if topics[earlier] & topics[later])
        for later in range(len(topics))
    }


def _topics(event: RequiredEvent) -> frozenset[tuple[str, str]]:
    """What an event settles: an attribute of a thing, or its whereabouts."""
    found = set()
    for claim in (event.before.claim, event.after.claim):
        match claim:
            case HasAttribute(entity=entity, attribute=attribute):
                found.add((entity, attribute))
            case Placed(entity=entity) | Present(entity=entity) | Absent(entity=entity):
                found.add((entity, "whereabouts"))
    return frozenset(found)
