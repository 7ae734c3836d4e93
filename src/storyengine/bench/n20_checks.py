"""Checks of an N20 story: ten events that are visible as changes and hold together as a history."""

from __future__ import annotations

from storyengine.bench.findings import Finding
from storyengine.bench.history import contradictions, dependencies
from storyengine.bench.index import SHOTS
from storyengine.bench.sheet import Sheet
from storyengine.bench.story import Story
from storyengine.bench.story_checks import Problems, exclude
from storyengine.bench.texts import folded
from storyengine.language import Placed
from storyengine.plan import InSceneZone

EVENTS = 10
DISTRACTORS = 6
EVENTS_PER_SHOT = 2
"""How many events a shot of at most eight seconds can show as changes."""


def check_n20(story: Story) -> list[Finding]:
    sheet = story.sheet
    problems = [
        *_counts(sheet),
        *_references(sheet),
        *_list_in_brief(story),
        *_changes(sheet),
        *_fixed(sheet),
        *_order(sheet),
    ]
    if not problems:  # a history of unknown things would only repeat what was said above
        problems += [*contradictions(sheet), *_schedule(sheet)]
    return [Finding(story.id, where, message) for where, message in problems]


def _counts(sheet: Sheet) -> Problems:
    if len(sheet.events) != EVENTS:
        yield "sheet.events", f"{len(sheet.events)} events; {EVENTS} are asked for"
    if len(sheet.distractors) not in (0, DISTRACTORS):
        yield "sheet.distractors", f"{len(sheet.distractors)} distractors; {DISTRACTORS} are asked for"
    if len(sheet.props) < 4:
        yield "sheet.props", f"{len(sheet.props)} props; N20 has four key props"
    if not 3 <= len(sheet.order) <= 5:
        yield "sheet.order", f"{len(sheet.order)} order rules; three to five are asked for"
    if sheet.anchors or sheet.states or sheet.lighting:
        yield "sheet", "anchors, states and lighting belong to other suites"
    ids = [event.id for event in sheet.events]
    if len(set(ids)) != len(ids):
        yield "sheet.events", "two events have one id"


def _references(sheet: Sheet) -> Problems:
    cast, props = {person.id for person in sheet.cast}, {prop.id for prop in sheet.props}
    places = {place.id for place in sheet.places}
    for event in sheet.events:
        where = f"sheet.events.{event.id}"
        for actor in event.actors:
            if actor not in cast:
                yield where, f"the actor {actor!r} is not in the cast {sorted(cast)}"
        for prop in event.props:
            if prop not in props:
                yield where, f"{prop!r} is not a prop of the sheet"
        if event.place not in places:
            yield where, f"{event.place!r} is not one of the places {sorted(places)}"
        for side in (event.before, event.after):
            subject = getattr(side.claim, "entity", None)
            if subject not in {*event.actors, *event.props}:
                yield where, f"the claim is about {subject!r}, which is neither actor nor prop of the event"


def _list_in_brief(story: Story) -> Problems:
    idea = folded(story.brief.idea)
    for number, event in enumerate(story.sheet.events, start=1):
        wanted = f"{number}) {folded(event.sentence).rstrip('.')}"
        if wanted not in idea:
            yield f"sheet.events.{event.id}.sentence", f"the brief's list does not hold '{wanted}'"


def _changes(sheet: Sheet) -> Problems:
    for event in sheet.events:
        where = f"sheet.events.{event.id}"
        if not exclude(event.before.claim, event.after.claim):
            yield where, "before and after do not exclude each other: one thing, two placements or two values"
        for claim in (event.before.claim, event.after.claim):
            if isinstance(claim, Placed) and isinstance(claim.placement, InSceneZone):
                seen_in = claim.placement.environment
                if seen_in != event.place:
                    yield where, f"a claim puts {claim.entity!r} in {seen_in!r}; the event is seen in {event.place!r}"


def _fixed(sheet: Sheet) -> Problems:
    """Fixed things are never moved and are used in one place alone."""
    home: dict[str, tuple[str, str]] = {}
    fixed = {prop.id for prop in sheet.props if "fixed" in prop.roles}
    for event in sheet.events:
        where = f"sheet.events.{event.id}"
        if isinstance(event.after.claim, Placed) and event.after.claim.entity in fixed:
            yield where, f"{event.after.claim.entity!r} is fixed and cannot be moved"
        for prop in fixed.intersection(event.props):
            place, earlier = home.setdefault(prop, (event.place, event.id))
            if place != event.place:
                yield where, f"{prop!r} is fixed and is used in {place!r} by {earlier}, not in {event.place!r}"


def _order(sheet: Sheet) -> Problems:
    number = {event.id: position for position, event in enumerate(sheet.events, start=1)}
    for position, rule in enumerate(sheet.order):
        where = f"sheet.order[{position}]"
        unknown = [event for event in (rule.first, rule.then) if event not in number]
        if unknown:
            yield where, f"there is no event {unknown[0]!r}"
        elif number[rule.first] >= number[rule.then]:
            # The list by number is the history that the claims are checked against, so no rule may run against it;
            # rules that follow the numbers cannot form a cycle either.
            yield where, f"{rule.first!r} has to come before {rule.then!r}, but stands after it in the list"


def _schedule(sheet: Sheet) -> Problems:
    """Whether the ten shots have room for the events: places, order rules and the world's own order kept."""
    number = {event.id: position for position, event in enumerate(sheet.events)}
    needs = dependencies(sheet)
    for rule in sheet.order:
        needs[number[rule.then]] = needs[number[rule.then]] | {number[rule.first]}
    most = max(map(len, _reachable(sheet, needs)))
    if most < len(sheet.events):
        yield (
            "sheet.location_plan",
            f"only {most} of the {len(sheet.events)} events find room: with the order rules and what each event "
            f"presupposes, {SHOTS} shots of at most {EVENTS_PER_SHOT} events at these places are not enough",
        )


def _reachable(sheet: Sheet, needs: dict[int, frozenset[int]]) -> set[frozenset[int]]:
    """Every set of events that can have been shown by the end of the last shot."""
    done: set[frozenset[int]] = {frozenset()}
    for place in sheet.location_plan:
        here = [position for position, event in enumerate(sheet.events) if event.place == place]
        for _ in range(EVENTS_PER_SHOT):
            done |= {
                state | {position}
                for state in done
                for position in here
                if position not in state and needs[position] <= state
            }
    return done
