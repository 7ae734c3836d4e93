"""Steps spread over shots: every step in a shot of its place, orders kept, shots filled evenly.

The order of telling holds, except in a list whose order the brief leaves open: there only steps that share a
thing keep it. For each step the earliest and the latest shot follow from its place and its neighbours; within
these bounds it goes where the shots are emptiest and a one-way change is neither first nor last in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from storyengine.planning.embedded.steps import Step
from storyengine.planning.embedded.telling import Told, Wanted, told_in_order


@dataclass(frozen=True, slots=True)
class Schedule:
    """The shot of each step, and which steps could not be given a shot of their place."""

    shots: dict[int, int]
    """Step index → shot number."""
    misplaced: tuple[int, ...] = ()


def spread(
    steps: Sequence[Step],
    places: Sequence[str],
    rules: Sequence[tuple[int, int]],
    free: bool,
    one_way: frozenset[int],
    homes: dict[str, str],
    fixtures: frozenset[str] = frozenset(),
) -> Schedule:
    """Give every step a shot. `places` is the place of each shot; `rules` are pairs of step indexes.

    `fixtures` are things that nobody moves: what is done at one is done where it stands.
    """
    before = _precedence(steps, rules, free)
    order = _in_order(steps, before)
    wanted = _wanted_places(steps, order, places, free, homes, fixtures)
    candidates = {step.index: _candidates(step, places, wanted) for step in steps}
    pinned = {step.index: list(candidates[step.index]) for step in steps}
    earliest, latest, loose = _bounds(order, before, candidates, len(places))
    by_index = {step.index: step for step in steps}
    assigned: dict[int, int] = {}
    if not free and steps:
        evenly = _windows(order, candidates, earliest, latest)
        told = [Told(by_index[i], wanted[i], frozenset(pinned[i]), evenly[i], i in one_way) for i in order]
        return Schedule(told_in_order(told, places, _edges(places)), tuple(loose))
    load: Counter[int] = Counter()
    windows = _windows(order, candidates, earliest, latest)
    for index in order:
        together = _item_mate(by_index[index], by_index, assigned)
        if together is not None:
            assigned[index] = assigned[together]
            continue
        low = max((assigned[other] for other in before[index] if other in assigned), default=1)
        fitting = [shot for shot in candidates[index] if max(low, 1) <= shot <= latest[index]] or [
            max(low, min(latest[index], len(places)))
        ]
        ideal = windows[index]
        edge = _edges(places) if index in one_way else frozenset()
        near = {places[assigned[o] - 1] for o in assigned if _movables(by_index[o]) & _movables(by_index[index])}

        costs = {
            s: 3 * load[s]
            + abs(s - ideal) * 4
            + (6 if s in edge else 0)
            + (5 if near and places[s - 1] not in near else 0)
            for s in fitting
        }
        shot = min(fitting, key=lambda s: (costs[s], s))
        assigned[index] = shot
        load[shot] += 1
    _fill_gaps(assigned, load, before, candidates, places, one_way, by_index)
    return Schedule(assigned, tuple(loose))


def _item_mate(step: Step, steps: dict[int, Step], assigned: dict[int, int]) -> int | None:
    """Another step of the same numbered item: both belong into one shot."""
    if not step.event.number or step.shots:
        return None
    return next(
        (
            i
            for i in assigned
            if steps[i].event.number == step.event.number and steps[i].event.sentence == step.event.sentence
        ),
        None,
    )


def _fill_gaps(
    assigned: dict[int, int],
    load: Counter[int],
    before: dict[int, set[int]],
    candidates: dict[int, list[int]],
    places: Sequence[str],
    one_way: frozenset[int],
    steps: dict[int, Step],
) -> None:
    """Move a step from a full shot into an empty one, where its place and the order allow it."""
    for empty in (shot for shot in range(1, len(places) + 1) if not load[shot]):
        crowded = [
            i
            for i, shot in assigned.items()
            if load[shot] > 1 and empty in candidates[i] and places[shot - 1] == places[empty - 1]
        ]
        for index in sorted(crowded, key=lambda i: (abs(assigned[i] - empty), i if empty < assigned[i] else -i)):
            after_first = all(assigned[other] <= empty for other in before[index])
            before_last = all(assigned[other] >= empty for other in before if index in before[other])
            mates = [
                i
                for i in assigned
                if i != index
                and assigned[i] == assigned[index]
                and _item_mate(steps[i], {index: steps[index]}, {index: 0}) is not None
            ]
            if after_first and before_last and not mates and not (index in one_way and empty in _edges(places)):
                load[assigned[index]] -= 1
                load[empty] += 1
                assigned[index] = empty
                break


def _precedence(steps: Sequence[Step], rules: Sequence[tuple[int, int]], free: bool) -> dict[int, set[int]]:
    """For each step the steps that have to come before it."""
    before: dict[int, set[int]] = {step.index: set() for step in steps}
    for first, then in rules:
        if first in before and then in before and first not in _reach(before, first, then):
            before[then].add(first)
    for position, step in enumerate(steps):
        for earlier in steps[:position]:
            tied = (
                not free or bool(_movables(earlier) & _movables(step)) or earlier.event.sentence == step.event.sentence
            )
            if tied and not _leads(before, step.index, earlier.index):
                before[step.index].add(earlier.index)
    return before


def _reach(before: dict[int, set[int]], first: int, then: int) -> set[int]:
    return {first} if _leads(before, then, first) else set()


def _leads(before: dict[int, set[int]], start: int, goal: int) -> bool:
    """Whether `start` already has to come before `goal`."""
    stack, seen = [goal], set()
    while stack:
        here = stack.pop()
        if here == start:
            return True
        if here not in seen:
            seen.add(here)
            stack.extend(before[here])
    return False


def _movables(step: Step) -> set[str]:
    return {*step.touched, *([step.source] if step.source else ())}


def _in_order(steps: Sequence[Step], before: dict[int, set[int]]) -> list[int]:
    """Topological order, as told wherever there is a choice."""
    left = [step.index for step in steps]
    done: list[int] = []
    while left:
        ready = next((i for i in left if before[i] <= set(done)), left[0])
        done.append(ready)
        left.remove(ready)
    return done


def _wanted_places(
    steps: Sequence[Step],
    order: Sequence[int],
    places: Sequence[str],
    free: bool,
    homes: dict[str, str],
    fixtures: frozenset[str],
) -> dict[int, Wanted]:
    """The place each step needs, and how surely: said, where a fitting stands, or where its people are.

    People stay where they were until words take them elsewhere; who is brought something stays, too.
    """
    by_index = {step.index: step for step in steps}
    homes = dict(homes)
    for step in steps if free else ():
        for thing in (step.target, step.source, *(s.bearer for s in step.sets)) if step.place else ():
            if thing is not None:
                homes.setdefault(thing, str(step.place))
    wanted: dict[int, Wanted] = {}
    here: dict[str, str] = {}
    left: dict[str, str] = {}
    story: str | None = None if free else places[0]
    for index in order:
        step = by_index[index]
        said = step.dest or step.place
        fixture = next((homes[t] for t in step.stands if t in homes), None)
        current = next((here[a] for a in step.actors if a in here), story)
        if said is None and step.shots:
            found = Wanted(None)
            held = {places[shot - 1] for shot in step.shots if 1 <= shot <= len(places)}
            said = held.pop() if len(held) == 1 else None
        elif said:
            found = Wanted(said, "said")
        elif free:
            found = Wanted(fixture, "stands")
        else:
            meets = next((here[p] for p in step.visits if p in here), None)
            back = next((left[a] for a in step.actors if step.comes_back and a in left), None)
            stands = next((homes[t] for t in step.stands if t in fixtures and t in homes), None)
            sure = Wanted(meets, "met") if meets else Wanted(stands, "stands") if stands else None
            found = sure or Wanted(back or current or fixture, "stays")
        wanted[index] = found
        there = said or found.place
        if there is None or free:
            continue
        story = there
        for thing in step.stands:
            homes.setdefault(thing, there)
        for actor in step.actors:
            if here.get(actor, there) != there:
                left[actor] = here[actor]
            here[actor] = there
    return wanted


def _candidates(step: Step, places: Sequence[str], wanted: dict[int, Wanted]) -> list[int]:
    everywhere = range(1, len(places) + 1)
    if step.shots:
        inside = [shot for shot in step.shots if 1 <= shot <= len(places)]
        place = step.dest or step.place
        fitting = [shot for shot in inside if places[shot - 1] == place]
        return (fitting if place and fitting else inside) or list(everywhere)
    place = wanted[step.index].place
    return [shot for shot in everywhere if place is None or places[shot - 1] == place] or list(everywhere)


def _bounds(
    order: Sequence[int], before: dict[int, set[int]], candidates: dict[int, list[int]], shots: int
) -> tuple[dict[int, int], dict[int, int], list[int]]:
    """The first and last shot of each step; a step without any is let loose from its place."""
    loose: list[int] = []
    earliest: dict[int, int] = {}
    for index in order:
        low = max((earliest[other] for other in before[index] if other in earliest), default=1)
        fitting = [shot for shot in candidates[index] if shot >= low]
        if not fitting:
            loose.append(index)
            candidates[index] = list(range(low, shots + 1))
            fitting = candidates[index]
        earliest[index] = min(fitting)
    latest: dict[int, int] = {}
    for index in reversed(order):
        high = min((latest[other] for other in order if index in before[other] and other in latest), default=shots)
        fitting = [shot for shot in candidates[index] if shot <= high]
        latest[index] = max(fitting) if fitting else max(earliest[index], 1)
    return earliest, latest, loose


def _windows(
    order: Sequence[int], candidates: dict[int, list[int]], earliest: dict[int, int], latest: dict[int, int]
) -> dict[int, int]:
    """Steps that share a run of shots are spread over it evenly: the shot that would be ideal for each."""
    groups: dict[tuple[int, int], list[int]] = {}
    for index in order:
        groups.setdefault((earliest[index], latest[index]), []).append(index)
    ideal: dict[int, int] = {}
    for (low, high), members in groups.items():
        for position, index in enumerate(members):
            shots = [shot for shot in candidates[index] if low <= shot <= high] or [low]
            ideal[index] = shots[min(len(shots) - 1, position * len(shots) // max(len(members), 1))]
    return ideal


def _edges(places: Sequence[str]) -> frozenset[int]:
    """The first and the last shot of every place that has more than two."""
    found: set[int] = set()
    for place in set(places):
        shots = [number for number, other in enumerate(places, start=1) if other == place]
        if len(shots) > 2:
            found |= {shots[0], shots[-1]}
    return frozenset(found)
