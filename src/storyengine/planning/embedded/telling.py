"""A story told in order: the cheapest way to lay its steps over the shots without turning back.

Costs stand for what a viewer minds: a step outside the place that the words give it, somebody moved without words,
crowded shots, empty shots, a final change at the edge of its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from storyengine.planning.embedded.steps import Step

OUTSIDE = {"said": 1000, "stands": 300, "met": 200, "stays": 60, "": 0}
"""What a step costs in another place than it wants, by how surely it wants it."""
UNPINNED = 10_000
CROWDED = 6
EMPTY = 12
AWAY = 2
EDGE = 8


@dataclass(frozen=True, slots=True)
class Wanted:
    """The place that a step wants."""

    place: str | None
    why: str = ""
    """said, stands (a fitting is there), met (somebody is there), stays (its people are there)."""


@dataclass(frozen=True, slots=True)
class Told:
    """A step with what decides its shot."""

    step: Step
    wanted: Wanted
    shots: frozenset[int]
    """Where the brief pins it, if it does."""
    ideal: int
    final: bool


@dataclass(frozen=True, slots=True)
class _Way:
    """The cheapest way so far that ends with this many steps in this shot."""

    cost: float
    shot: int
    load: int
    before: _Way | None


def told_in_order(steps: Sequence[Told], places: Sequence[str], edges: frozenset[int]) -> dict[int, int]:
    """Step index → shot, never falling along `steps`."""
    ways: list[_Way] = [_Way(0, 0, 0, None)]
    previous: Told | None = None
    for told in steps:
        ways = _extended(ways, told, previous, places, edges)
        previous = told
    way: _Way | None = min(ways, key=lambda w: (w.cost + EMPTY * (len(places) - w.shot), w.shot, w.load))
    found: dict[int, int] = {}
    for told in reversed(steps):
        assert way is not None
        found[told.step.index] = way.shot
        way = way.before
    return found


def _extended(
    ways: Sequence[_Way], told: Told, previous: Told | None, places: Sequence[str], edges: frozenset[int]
) -> list[_Way]:
    """Every way one step longer: into the same shot, or into a later one; the shots between stay empty."""
    together = previous is not None and _one_item(previous.step, told.step)
    goes_on = previous is not None and bool({*previous.step.actors} & {*told.step.actors})
    found = [_stay(way, told, goes_on, together, places, edges) for way in ways if way.shot]
    if together:
        return found
    cheapest: dict[str, _Way] = {}
    by_shot: dict[int, list[_Way]] = {}
    for way in ways:
        by_shot.setdefault(way.shot, []).append(way)
    for shot in range(1, len(places) + 1):
        for way in by_shot.get(shot - 1, ()):
            key = places[way.shot - 1] if way.shot else ""
            if key not in cheapest or _ahead(way) < _ahead(cheapest[key]):
                cheapest[key] = way
        options = [
            _Way(
                way.cost + EMPTY * (shot - way.shot - 1) + _cost(told, shot, way, goes_on, places, edges), shot, 1, way
            )
            for way in cheapest.values()
        ]
        if options:
            found.append(min(options, key=lambda w: w.cost))
    return found


def _ahead(way: _Way) -> float:
    return way.cost - EMPTY * way.shot


def _stay(way: _Way, told: Told, goes_on: bool, together: bool, places: Sequence[str], edges: frozenset[int]) -> _Way:
    if together:
        return _Way(way.cost, way.shot, way.load, way)
    cost = way.cost + CROWDED * way.load + _cost(told, way.shot, way, goes_on, places, edges)
    return _Way(cost, way.shot, way.load + 1, way)


def _cost(told: Told, shot: int, way: _Way, goes_on: bool, places: Sequence[str], edges: frozenset[int]) -> float:
    place, wanted = places[shot - 1], told.wanted
    cost: float = AWAY * abs(shot - told.ideal) + (EDGE if told.final and shot in edges else 0)
    if told.step.shots and shot not in told.shots:
        cost += UNPINNED
    already_there = goes_on and way.shot and places[way.shot - 1] == place and wanted.why == "stays"
    if wanted.place is not None and wanted.place != place and not already_there:
        cost += OUTSIDE[wanted.why]
    return cost


def _one_item(one: Step, other: Step) -> bool:
    """Whether two steps come from one numbered item: both belong into one shot."""
    same = one.event.number == other.event.number and one.event.sentence == other.event.sentence
    return bool(one.event.number) and same and not other.shots
