"""What every rule looks at: the plan, its catalog and its trajectory, and the words for places in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from storyengine.check.findings import Finding, Fix
from storyengine.documents import Edit, Path
from storyengine.language.sentences import the
from storyengine.plan import Catalog, Event, SemanticPlan, Shot
from storyengine.state import EventRef, Trajectory, World, is_visible, whereabouts
from storyengine.state.replay import replay


@dataclass(frozen=True, eq=False)
class Story:
    """A plan with everything that follows from it."""

    plan: SemanticPlan

    @cached_property
    def catalog(self) -> Catalog:
        return Catalog.of(self.plan)

    @cached_property
    def trajectory(self) -> Trajectory:
        return replay(self.plan, self.catalog)

    def shot(self, number: int) -> Shot:
        return self.plan.shots[number - 1]

    def place_of(self, world: World, entity: str) -> str | None:
        """The environment an entity is in, or None when it is off screen."""
        return whereabouts(self.catalog, world, entity).environment

    def sees(self, world: World, entity: str, environment: str) -> bool:
        return entity in world and is_visible(self.catalog, world, entity, environment)

    def name(self, entity: str) -> str:
        """What to call an entity or environment in a message."""
        known = self.catalog.entities.get(entity) or self.catalog.environments.get(entity)
        return the(known.name) if known else repr(entity)

    def whereabouts_in_words(self, world: World, entity: str) -> str:
        where = whereabouts(self.catalog, world, entity)
        if where.environment is None:
            return f"{self.name(entity)} is off screen"
        hidden = f", hidden in {self.name(where.hidden_in)}" if where.hidden_in else ""
        return f"{self.name(entity)} is in {self.name(where.environment)}{hidden}"


def shot_path(number: int, *rest: str | int) -> Path:
    return ("shots", number - 1, *rest)


def event_path(ref: EventRef, *rest: str | int) -> Path:
    return shot_path(ref.shot, "events" if ref.on_screen else "offscreen", ref.number - 1, *rest)


def event_words(ref: EventRef, event: Event) -> str:
    """`shot 3, event 2 (“Mina opens the locker.”)`."""
    action = event.action if len(event.action) <= 60 else f"{event.action[:57]}…"
    return f"{ref} (“{action}”)"


def removal(path: Path, summary: str) -> Fix:
    return Fix(summary, (Edit("remove", path),))


def replacement(path: Path, value: object, summary: str) -> Fix:
    return Fix(summary, (Edit("put", path, value),))


__all__ = [
    "Finding",
    "Fix",
    "Story",
    "event_path",
    "event_words",
    "removal",
    "replacement",
    "shot_path",
]
