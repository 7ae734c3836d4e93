"""What the plan says about a moment, in words: where things are, how they are, and which event made it so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from storyengine.language.sentences import capitalised, the, where_in_words
from storyengine.plan import Catalog, Event, Offscreen, SemanticPlan
from storyengine.state import Change, EventRef, ShotStates, Trajectory, Whereabouts, World, replay, whereabouts


@dataclass(frozen=True)
class Said:
    """One fact about an entity, and the change that made it true."""

    part: str
    """The attribute in words; empty for where the entity is."""
    words: str
    since: Change


@dataclass(frozen=True)
class Story:
    """A plan with its trajectory."""

    plan: SemanticPlan

    @cached_property
    def catalog(self) -> Catalog:
        return Catalog.of(self.plan)

    @cached_property
    def trajectory(self) -> Trajectory:
        return replay(self.plan, self.catalog)

    @cached_property
    def places(self) -> dict[str, int]:
        """A number for every place, in the order in which the film visits them; places get their colour by it."""
        visited = dict.fromkeys([*(shot.environment for shot in self.plan.shots), *self.catalog.environments])
        return {place: number for number, place in enumerate(visited)}

    def states(self, shot: int) -> ShotStates:
        return self.trajectory.shots[shot - 1]

    def world(self, shot: int, *, closing: bool) -> World:
        return self.states(shot).closing if closing else self.states(shot).opening

    def event(self, ref: EventRef) -> Event | None:
        """The event behind a reference; None for the initial world."""
        if ref.shot == 0:
            return None
        shot = self.plan.shots[ref.shot - 1]
        return (shot.events if ref.on_screen else shot.offscreen)[ref.number - 1]

    def where(self, entity: str, shot: int, *, closing: bool) -> Whereabouts:
        return whereabouts(self.catalog, self.world(shot, closing=closing), entity)

    def where_words(self, entity: str, world: World) -> str:
        placement = world[entity].placement
        return "off screen" if isinstance(placement, Offscreen) else where_in_words(placement, self.catalog)

    def facts(self, entity: str, shot: int, *, closing: bool) -> Iterator[Said]:
        """Everything that is true of an entity at a moment."""
        world = self.world(shot, closing=closing)
        since = self.trajectory.cause(entity, shot=shot, closing=closing)
        yield Said("", self.where_words(entity, world), since)
        for attribute, value in world[entity].attributes.items():
            since = self.trajectory.cause(entity, attribute, shot=shot, closing=closing)
            yield Said("" if attribute == "state" else in_words(attribute), value, since)

    def latest_cause(self, entity: str, shot: int, *, closing: bool) -> EventRef:
        """The last event that changed where an entity is, or what hides it: its own, or one of what bears it."""
        links = [entity, *self.where(entity, shot, closing=closing).chain]
        refs = [self.trajectory.cause(link, shot=shot, closing=closing).cause for link in links]
        for link in links[1:]:
            for name, attribute in self.catalog.attributes[link].items():
                if attribute.conceals:
                    refs.append(self.trajectory.cause(link, name, shot=shot, closing=closing).cause)
        return max(refs)

    def sentence(self, entity: str, shot: int, *, closing: bool) -> str:
        """Where an entity is, out to the place that it is in."""
        world, where = self.world(shot, closing=closing), self.where(entity, shot, closing=closing)
        being = self.catalog.entities[entity]
        words = [capitalised(the(being.name)), "are" if being.plural else "is", self.where_words(entity, world)]
        if where.environment is not None and where.chain:
            words.append(f"in {the(self.catalog.environments[where.environment].name)}")
        if where.hidden_in is not None:
            words.append(f"and out of sight in {the(self.catalog.entities[where.hidden_in].name)}")
        return " ".join(words) + "."

    def is_here(self, entity: str, shot: int) -> bool:
        """Whether an entity is in the shot's place as it opens or closes, seen or hidden."""
        place = self.plan.shots[shot - 1].environment
        return any(self.where(entity, shot, closing=closing).environment == place for closing in (False, True))


def in_words(identifier: str) -> str:
    """An id as a sentence would say it."""
    return identifier.replace("-", " ").replace("_", " ")
