"""`replay`: the opening and closing world of every shot, and the event behind every fact.

    S_open(1)  = R(initial, offscreen_1)        S_close(i) = R(S_open(i), events_i)
    S_open(i)  = R(S_close(i-1), offscreen_i)

With no off-screen events this is the paper's S_{i+1} = R(S_i, A_i). Later states that a planner supplied are
assertions for `check`; nothing here reads them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from storyengine.plan import Catalog, Event, Fact, Offscreen, Place, Placement, SemanticPlan, Set, target_of
from storyengine.state.reducer import Illegal, misplaced, reduce
from storyengine.state.world import EntityState, World


class EventRef(NamedTuple):
    """Where an event stands in the plan; references compare in story order."""

    shot: int
    """Number of the shot, from 1. 0 is the initial world."""
    on_screen: bool
    """Whether it happens in the shot or unseen before it opens."""
    number: int
    """Number of the event in its list, from 1."""

    def __str__(self) -> str:
        if self.shot == 0:
            return "the initial world"
        place = f"shot {self.shot}" if self.on_screen else f"before shot {self.shot}"
        return f"{place}, event {self.number}"


INITIAL = EventRef(0, False, 0)

Key = tuple[str, str | None]
"""What a fact is about: an entity and its attribute, or None for its placement."""


class Refusal(NamedTuple):
    """An effect that the reducer refused."""

    effect: int
    """Position in the event's effects, from 0."""
    illegal: Illegal


@dataclass(frozen=True, slots=True)
class Moment:
    """One event with the worlds around it."""

    ref: EventRef
    event: Event
    before: World
    after: World
    refused: tuple[Refusal, ...] = ()


class Change(NamedTuple):
    """A fact that an event made true, and what it replaced (None in the initial world)."""

    cause: EventRef
    before: Fact | None
    after: Fact


@dataclass(frozen=True, slots=True)
class ShotStates:
    """The semantic state contract of a shot."""

    opening: World
    closing: World


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The whole film as states and causes."""

    initial: World
    shots: tuple[ShotStates, ...]
    history: Mapping[Key, tuple[Change, ...]]
    """For every entity's placement and attribute, its changes in story order."""

    def cause(self, entity: str, attribute: str | None = None, *, shot: int, closing: bool = False) -> Change:
        """The change that made a fact what it is when a shot opens, or closes."""
        return self.causes(entity, attribute, shot=shot, closing=closing)[-1]

    def causes(
        self, entity: str, attribute: str | None = None, *, shot: int, closing: bool = False
    ) -> tuple[Change, ...]:
        """Every change up to that point: the chain of events behind a fact."""
        changes = self.history[(entity, attribute)]
        end = EventRef(shot, True, 1 << 30) if closing else EventRef(shot, False, 1 << 30)
        return changes[: bisect_right(changes, end, key=lambda change: change.cause)]


def opening_world(catalog: Catalog, plan: SemanticPlan) -> World:
    """The initial world, complete and legal whatever the plan says.

    `check` reports what is missing or impossible in `plan.initial`; here an unplaced entity is off screen, a
    missing attribute has its first value, and of contradicting facts the first counts.
    """
    places: dict[str, Placement] = {}
    values: dict[Key, str] = {}
    for fact in plan.initial:
        if fact.entity not in catalog.entities:
            continue
        if isinstance(fact, Place):
            if misplaced(catalog, fact.entity, fact.placement) is None:
                places.setdefault(fact.entity, fact.placement)
        else:
            attribute = catalog.attributes[fact.entity].get(fact.attribute)
            if attribute is not None and fact.value in attribute.values:
                values.setdefault((fact.entity, fact.attribute), fact.value)
    for entity in rings(places):
        places[entity] = Offscreen()
    return World(
        {
            entity: EntityState(
                places.get(entity, Offscreen()),
                {name: values.get((entity, name), attribute.values[0]) for name, attribute in attributes.items()},
            )
            for entity, attributes in catalog.attributes.items()
        }
    )


def rings(places: Mapping[str, Placement]) -> list[str]:
    """One entity of every ring in a placement graph, in the order of the graph."""
    found: list[str] = []
    settled: set[str] = set()
    for start in places:
        chain: list[str] = []
        here: str | None = start
        while here is not None and here in places and here not in settled:
            if here in chain:
                found.append(min(chain[chain.index(here) :], key=list(places).index))
                break
            chain.append(here)
            here = target_of(places[here])
        settled.update(chain)
    return found


def walk(catalog: Catalog, plan: SemanticPlan, world: World | None = None, first_shot: int = 1) -> Iterator[Moment]:
    """Every event in story order with the worlds around it. Refused effects change nothing."""
    world = opening_world(catalog, plan) if world is None else world
    for position, shot in enumerate(plan.shots[first_shot - 1 :], start=first_shot):
        for on_screen, events in ((False, shot.offscreen), (True, shot.events)):
            for number, event in enumerate(events, start=1):
                moment = happen(catalog, world, event, EventRef(position, on_screen, number), shot.environment)
                world = moment.after
                yield moment


def happen(catalog: Catalog, world: World, event: Event, ref: EventRef, environment: str) -> Moment:
    """One event: its effects in order, each applied or refused."""
    before, refused = world, []
    for position, effect in enumerate(event.effects):
        result = reduce(catalog, world, effect, environment)
        if isinstance(result, Illegal):
            refused.append(Refusal(position, result))
        else:
            world = result
    return Moment(ref, event, before, world, tuple(refused))


def replay(plan: SemanticPlan, catalog: Catalog | None = None) -> Trajectory:
    """Recompute the whole trajectory from the initial world."""
    catalog = catalog or Catalog.of(plan)
    initial = opening_world(catalog, plan)
    history: dict[Key, list[Change]] = {_key(fact): [Change(INITIAL, None, fact)] for fact in initial.facts()}
    openings, closings = [initial] * len(plan.shots), [initial] * len(plan.shots)
    world, reached = initial, 0
    for moment in walk(catalog, plan, initial):
        _note_changes(moment, history)
        position = moment.ref.shot - 1
        for passed in range(reached, position):  # shots without (further) events
            closings[passed] = openings[passed + 1] = world
        reached, world = position, moment.after
        closings[position] = world
        if not moment.ref.on_screen:
            openings[position] = world
    for passed in range(reached, len(plan.shots)):
        closings[passed] = world
        if passed + 1 < len(plan.shots):
            openings[passed + 1] = world
    shots = tuple(ShotStates(*states) for states in zip(openings, closings, strict=True))
    return Trajectory(initial, shots, {key: tuple(changes) for key, changes in history.items()})


def _key(fact: Fact) -> Key:
    return (fact.entity, fact.attribute if isinstance(fact, Set) else None)


def _note_changes(moment: Moment, history: dict[Key, list[Change]]) -> None:
    """Record each effect that took hold, with what it replaced."""
    for effect in moment.event.effects:
        key = _key(effect)
        changes = history.get(key)
        if changes is None or not moment.after.holds(effect):
            continue
        before = changes[-1].after
        if changes[-1].cause == moment.ref:  # the event changed it twice: one change, from first to last
            changes[-1] = Change(moment.ref, changes[-1].before, effect)
        elif before != effect:
            changes.append(Change(moment.ref, before, effect))
