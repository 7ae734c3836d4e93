"""Sense of single shots: anchors, assertions, requirements, views, lengths."""

from __future__ import annotations

from collections.abc import Iterator

from storyengine.check.story import Finding, Story, removal, replacement, shot_path
from storyengine.language import Absent, HasAttribute, Placed, Present, parse
from storyengine.plan import Fact, Place, Requirement, Set, Shot
from storyengine.plan.placement import write_fact
from storyengine.state import ShotStates, World


def check_shot(story: Story, number: int, shot: Shot, states: ShotStates) -> Iterator[Finding]:
    if shot.environment not in story.catalog.environments:
        return  # reported with the structure
    yield from _anchors(story, number, shot, states)
    yield from _assertions(story, number, "opens_with", shot.opens_with, states.opening)
    yield from _assertions(story, number, "closes_with", shot.closes_with, states.closing)
    for position, requirement in enumerate(shot.requirements):
        yield from _requirement(story, number, position, requirement, states)
    yield from _view(story, number, shot, states)
    yield from _length(story, number, shot)
    if not shot.events:
        yield Finding("shot-without-event", f"shot {number}", shot_path(number), "no event", "at least one")


def _anchors(story: Story, number: int, shot: Shot, states: ShotStates) -> Iterator[Finding]:
    for position, anchor in enumerate(shot.anchors):
        if anchor not in story.catalog.entities:
            continue
        path = shot_path(number, "anchors", position)
        if number == 1:
            fix = removal(path, f"Drop the anchor {anchor}.")
            yield Finding("anchor-without-cut", "shot 1", path, anchor, "no anchor", fix)
            continue
        cut = f"the cut into shot {number}"
        before, closing = story.shot(number - 1), story.trajectory.shots[number - 2].closing
        for side, world, place in (
            (f"the end of shot {number - 1}", closing, before.environment),
            (f"the start of shot {number}", states.opening, shot.environment),
        ):
            if not story.sees(world, anchor, place):
                saw = f"{story.whereabouts_in_words(world, anchor)} at {side}"
                yield Finding("anchor-invisible", cut, path, saw, f"it in sight in {story.name(place)}")


def _assertions(story: Story, number: int, part: str, facts: tuple[Fact, ...], world: World) -> Iterator[Finding]:
    for position, fact in enumerate(facts):
        if fact.entity in world and not world.holds(fact):
            path = shot_path(number, part, position)
            saw = write_fact(_actual(fact, world))
            yield Finding("assertion-failed", f"shot {number}", path, f"“{saw}”", f"“{write_fact(fact)}”")


def _actual(fact: Fact, world: World) -> Fact:
    """What is really so, where a fact claims something."""
    state = world[fact.entity]
    if isinstance(fact, Set) and fact.attribute in state.attributes:
        return Set(entity=fact.entity, attribute=fact.attribute, value=state.attributes[fact.attribute])
    return Place(entity=fact.entity, placement=state.placement)


def _requirement(
    story: Story, number: int, position: int, requirement: Requirement, states: ShotStates
) -> Iterator[Finding]:
    """A requirement in the controlled language can be held against the state of the shot."""
    worlds = {"start": [states.opening], "end": [states.closing], "always": [states.opening, states.closing]}
    claim = parse(requirement.statement, story.catalog)
    place = story.shot(number).environment
    for world in worlds.get(requirement.phase, []):
        match claim:
            case Placed(entity=entity, placement=placement):
                wrong = not world.holds(Place(entity=entity, placement=placement))
            case HasAttribute(entity=entity, attribute=attribute, value=value):
                wrong = not world.holds(Set(entity=entity, attribute=attribute, value=value))
            case Present(entity=entity):
                wrong = not story.sees(world, entity, place)
            case Absent(entity=entity):
                continue  # a camera may always look away
            case _:
                return
        if wrong:
            path = shot_path(number, "requirements", position)
            saw = f"“{requirement.statement}” ({requirement.phase})"
            wanted = f"nothing that the state denies: {_state_in_words(story, world, entity)}"
            yield Finding("requirement-contradicts-state", f"shot {number}", path, saw, wanted)
            return


def _state_in_words(story: Story, world: World, entity: str) -> str:
    values = ", ".join(f"{name} {value}" for name, value in world[entity].attributes.items())
    return story.whereabouts_in_words(world, entity) + (f"; {values}" if values else "")


def _view(story: Story, number: int, shot: Shot, states: ShotStates) -> Iterator[Finding]:
    for position, subject in enumerate(shot.view.subjects):
        if subject not in story.catalog.entities:
            continue
        if not any(story.sees(world, subject, shot.environment) for world in (states.opening, states.closing)):
            path = shot_path(number, "view", "subjects", position)
            fix = removal(path, f"Drop {subject} from the view.")
            saw = story.whereabouts_in_words(states.opening, subject)
            yield Finding("subject-unseen", f"shot {number}", path, saw, "something that is there", fix)


def _length(story: Story, number: int, shot: Shot) -> Iterator[Finding]:
    allowed = story.plan.request.delivery.durations
    if shot.seconds not in allowed:
        nearest = min(allowed, key=lambda seconds: (abs(seconds - shot.seconds), seconds))
        path = shot_path(number, "seconds")
        fix = replacement(path, nearest, f"Make it {nearest:g} s.")
        wanted = f"one of {', '.join(f'{seconds:g}' for seconds in allowed)} s"
        yield Finding("duration-not-allowed", f"shot {number}", path, f"{shot.seconds:g} s", wanted, fix)
