"""Checks of a T20 story: an anchor at every cut, and three changes that are never undone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storyengine.bench.findings import Finding
from storyengine.bench.index import SHOTS
from storyengine.bench.sheet import Anchor, OneWayState, Sheet
from storyengine.bench.story import Story
from storyengine.bench.story_checks import Problems, called, exclude
from storyengine.bench.texts import folded, occurs, sentences
from storyengine.language import HasAttribute, Present

STATES = 3


def check_t20(story: Story) -> list[Finding]:
    sheet = story.sheet
    problems = [
        *_counts(sheet),
        *(problem for anchor in sheet.anchors for problem in _anchor(anchor, sheet)),
        *_anchored_places(sheet),
        *_anchor_sentences(story),
        *(problem for state in sheet.states for problem in _state(state, sheet)),
        *_jobs(story),
    ]
    return [Finding(story.id, where, message) for where, message in problems]


def _counts(sheet: Sheet) -> Problems:
    into = [anchor.into_shot for anchor in sheet.anchors]
    if into != list(range(2, SHOTS + 1)):
        yield "sheet.anchors", f"anchors into shots {into}; one for each of 2 to {SHOTS}, in order, is asked for"
    if len(sheet.states) != STATES:
        yield "sheet.states", f"{len(sheet.states)} states; {STATES} are asked for"
    if not 4 <= len(sheet.props) <= 7:
        yield "sheet.props", f"{len(sheet.props)} props; four to seven are asked for"
    if sheet.events or sheet.order or sheet.distractors or sheet.lighting:
        yield "sheet", "events, order, distractors and lighting belong to other suites"
    ids = [state.id for state in sheet.states]
    if len(set(ids)) != len(ids):
        yield "sheet.states", "two states have one id"


def changes_place(sheet: Sheet, into_shot: int) -> bool:
    """Whether the cut into a shot is a change of place."""
    return sheet.location_plan[into_shot - 2] != sheet.location_plan[into_shot - 1]


def _anchor(anchor: Anchor, sheet: Sheet) -> Problems:
    where = f"sheet.anchors.{anchor.into_shot}"
    props = {prop.id: prop for prop in sheet.props}
    if anchor.entity not in props:
        yield where, f"{anchor.entity!r} is not a prop of the sheet"
        return
    roles = props[anchor.entity].roles
    if anchor.proposition.claim != Present(entity=anchor.entity):
        yield where, f"the claim of an anchor is '{anchor.entity} visible'"
    if not changes_place(sheet, anchor.into_shot):
        if anchor.carried_by or anchor.how:
            yield where, "carried_by and how are given only at a change of place; this cut stays in one"
        return
    if anchor.carried_by is None or anchor.how is None:
        yield where, "this cut changes the place: carried_by and how say who takes the anchor along"
    elif anchor.carried_by not in {person.id for person in sheet.cast}:
        yield where, f"{anchor.carried_by!r} is not in the cast"
    if "fixed" in roles:
        yield where, f"{anchor.entity!r} is fixed and cannot be taken to another place"
    if anchor.how == "pushed" and "wheeled" not in roles:
        yield where, f"{anchor.entity!r} is pushed, but lacks the role wheeled"
    if anchor.how in ("carried", "worn") and "wheeled" in roles:
        yield where, f"{anchor.entity!r} is wheeled: it is pushed, not {anchor.how}"


def _anchored_places(sheet: Sheet) -> Problems:
    """Fixed things and state bearers stay in their place, so they can anchor cuts there alone."""
    staying = {prop.id: "is fixed" for prop in sheet.props if "fixed" in prop.roles}
    staying |= {state.entity: "bears a state that is seen in one place" for state in sheet.states}
    home = {state.entity: state.place for state in sheet.states}
    for anchor in sheet.anchors:
        if anchor.entity not in staying:
            continue
        for shot in (anchor.into_shot - 1, anchor.into_shot):
            place = sheet.location_plan[shot - 1]
            if home.setdefault(anchor.entity, place) != place:
                yield (
                    f"sheet.anchors.{anchor.into_shot}",
                    f"{anchor.entity!r} {staying[anchor.entity]} ({home[anchor.entity]!r}) and cannot be in frame in "
                    f"shot {shot}, which is in {place!r}",
                )
                break


def _anchor_sentences(story: Story) -> Problems:
    """Each cut's sentence names the shot it opens, the anchor, and the one who takes it along."""
    entities = {entity.id: entity for entity in (*story.sheet.cast, *story.sheet.props)}
    spoken = sentences(story.brief.idea)
    for anchor in story.sheet.anchors:
        if anchor.entity not in entities:
            continue
        where, shot = f"sheet.anchors.{anchor.into_shot}", anchor.into_shot
        named = [sentence for sentence in spoken if _names_shot(sentence, shot)]
        told = [sentence for sentence in named if _speaks_of(sentence, called(entities[anchor.entity]))]
        if not told:
            yield where, f"no sentence of the idea names both shot {shot} and the {entities[anchor.entity].name}"
        elif anchor.carried_by in entities:
            name = entities[anchor.carried_by].name
            if not any(occurs(name, sentence) for sentence in told):
                yield where, f"no sentence about shot {shot} and its anchor says that {name} takes it along"


def _names_shot(sentence: str, shot: int) -> bool:
    return re.search(rf"\bshots? (?:\d+(?:, | and | to |-|–))*{shot}\b", folded(sentence)) is not None


def _speaks_of(sentence: str, names: frozenset[str]) -> bool:
    """Whether a sentence names a thing in full or by its last word: `the barrow` for the red barrow."""
    return any(occurs(name, sentence) or occurs(name.split()[-1], sentence) for name in names)


def _state(state: OneWayState, sheet: Sheet) -> Problems:
    where = f"sheet.states.{state.id}"
    before, after = state.before.claim, state.after.claim
    if not exclude(before, after):
        yield where, "before and after do not exclude each other"
    if not (isinstance(before, HasAttribute) and isinstance(after, HasAttribute)):
        yield where, "a one-way state is the value of an attribute"
    else:
        yield from _one_way(where, before, after, sheet)
    if state.entity not in {prop.id for prop in sheet.props}:
        yield where, f"{state.entity!r} is not a prop of the sheet"
    for claim in (before, after):
        if getattr(claim, "entity", None) != state.entity:
            yield where, f"a claim is not about the state's entity {state.entity!r}"
    yield from _planned_on_both_sides(where, state, sheet)


def _one_way(where: str, before: HasAttribute, after: HasAttribute, sheet: Sheet) -> Problems:
    attribute = sheet.catalog().attributes.get(before.entity, {}).get(before.attribute)
    if attribute is None:
        yield where, f"{before.entity!r} has no attribute {before.attribute!r}"
    elif not attribute.one_way:
        yield where, f"{before.entity}.{before.attribute} is not marked one_way"
    elif attribute.values != (before.value, after.value):
        yield where, f"the values of {before.entity}.{before.attribute} are {attribute.values}, not [before, after]"


def _planned_on_both_sides(where: str, state: OneWayState, sheet: Sheet) -> Problems:
    shots = {number for number, place in enumerate(sheet.location_plan, start=1) if place == state.place}
    if not shots:
        yield where, f"{state.place!r} is not a place of the location plan"
    elif state.reference_shot not in shots:
        yield where, f"reference shot {state.reference_shot} is not at {state.place!r}, which has shots {sorted(shots)}"
    elif not min(shots) < state.reference_shot < max(shots):
        yield where, f"{state.place!r} is not planned both before and after shot {state.reference_shot}"


def _jobs(story: Story) -> Problems:
    for state in story.sheet.states:
        if not occurs(state.job, story.brief.idea):
            yield f"sheet.states.{state.id}.job", f"the brief does not hold the job in these words: {state.job!r}"


def crossings(sheet: Sheet) -> Iterator[int]:
    """The shots whose opening cut changes the place."""
    return (shot for shot in range(2, len(sheet.location_plan) + 1) if changes_place(sheet, shot))
