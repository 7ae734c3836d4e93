"""The numbers of the benchmark's design, each counted from the data and set beside what is claimed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from storyengine.bench.distractors import check_distractors
from storyengine.bench.index import (
    CATEGORIES,
    DELIVERY,
    ENTRIES,
    FORBIDDEN,
    MINI,
    PLANS,
    SHARED_SETTINGS,
    SUITES,
    Suite,
)
from storyengine.bench.likeness import MOST_ALIKE, likenesses, shared_sentences
from storyengine.bench.n20_checks import DISTRACTORS
from storyengine.bench.sheet import Sheet
from storyengine.bench.story import Story
from storyengine.bench.story_checks import claim_problem, exclude, key_props, letters, propositions
from storyengine.bench.t20_checks import crossings
from storyengine.bench.texts import folded

# The design's own numbers, written out so that a slip in the index cannot hide itself.
_FORBIDDEN_ITEMS: Mapping[Suite, int] = {"N20": 11, "T20": 12, "C20": 15}
_CHARACTERS: Mapping[Suite, int] = {"N20": 2, "T20": 2, "C20": 1}
_CHANGES: Mapping[Suite, str] = {"N20": "5 or 6", "T20": "3 or 4", "C20": "5 or 6"}


@dataclass(frozen=True)
class Figure:
    """A number of the design and what the data says."""

    name: str
    claimed: str
    found: str
    ok: bool


def exactly(name: str, claimed: int, found: int) -> Figure:
    return Figure(name, str(claimed), str(found), claimed == found)


def each(name: str, claimed: int | str, found: Iterable[int | str]) -> Figure:
    """Something that is the same for every story, or one of a few values."""
    values = sorted(set(found))
    shown = " or ".join(str(value) for value in values) or "nothing"
    return Figure(name, str(claimed), shown, shown == str(claimed))


def figures(stories: Sequence[Story]) -> list[Figure]:
    """Every number of the design page, counted from these stories."""
    by_suite = {suite: [story for story in stories if story.sheet.suite == suite] for suite in SUITES}
    return [
        *_index(stories, by_suite),
        *_briefs(stories, by_suite),
        *_plans(by_suite),
        *_n20(by_suite["N20"], stories),
        *_t20([story.sheet for story in by_suite["T20"]]),
        *_c20([story.sheet for story in by_suite["C20"]]),
        *_sentences(stories),
    ]


def _index(stories: Sequence[Story], by_suite: dict[Suite, list[Story]]) -> Iterator[Figure]:
    yield exactly("stories", 60, len(stories))
    cells = Counter((story.sheet.suite, story.sheet.category) for story in stories)
    for suite in SUITES:
        yield exactly(f"{suite} stories", 20, len(by_suite[suite]))
        yield each(f"{suite} stories per category", 4, (cells[suite, category] for category in CATEGORIES))
    held = [story for story in stories if story.id in ENTRIES]
    in_place = [
        story
        for story in held
        if (ENTRIES[story.id].suite, ENTRIES[story.id].category, ENTRIES[story.id].title)
        == (story.sheet.suite, story.sheet.category, story.sheet.title)
    ]
    yield exactly("titles and categories of the index", len(ENTRIES), len({story.id for story in in_place}))
    yield exactly("distinct settings", 50, len({story.sheet.title for story in stories}))
    both = {s.sheet.title for s in by_suite["N20"]} & {s.sheet.title for s in by_suite["T20"]}
    yield exactly("settings in both N20 and T20", 10, len(both))
    yield exactly("of these, named by the design", len(SHARED_SETTINGS), len(both & SHARED_SETTINGS))
    mini = Counter((story.sheet.suite, story.sheet.category) for story in stories if story.id in MINI)
    yield exactly("stories of the mini set", 15, sum(mini.values()))
    yield exactly("suite and category cells with one of them", 15, sum(count == 1 for count in mini.values()))


def _briefs(stories: Sequence[Story], by_suite: dict[Suite, list[Story]]) -> Iterator[Figure]:
    yield each("shots per brief", 10, (story.brief.shots for story in stories))
    yield exactly("briefs with the fixed delivery", 60, sum(story.brief.delivery == DELIVERY for story in stories))
    yield each("required entities per brief", 5, (len(story.brief.required_entities) for story in stories))
    for suite, count in _FORBIDDEN_ITEMS.items():
        found = [story.brief.forbidden_content for story in by_suite[suite]]
        yield each(f"{suite} forbidden items per brief", count, map(len, found))
        yield exactly(f"{suite} briefs with the fixed list", 20, sum(items == FORBIDDEN[suite] for items in found))
    yield each("places per story", 2, (len(story.sheet.places) for story in stories))
    for suite, count in _CHARACTERS.items():
        yield each(f"{suite} named characters per story", count, (len(s.sheet.cast) for s in by_suite[suite]))
    yield exactly("cast members whose look is in the brief", 100, sum(_shown(s, s.sheet.cast) for s in stories))
    keys = sum(len(key_props(story.sheet)) for story in stories)
    yield exactly("key props whose look is in the brief", keys, sum(_shown(s, key_props(s.sheet)) for s in stories))


def _shown(story: Story, entities: Iterable[object]) -> int:
    """How many of the entities have a look that the idea states word for word."""
    idea = folded(story.brief.idea)
    looks = (folded(getattr(entity, "look", "")) for entity in entities)
    return sum(bool(look) and look in idea for look in looks)


def _plans(by_suite: dict[Suite, list[Story]]) -> Iterator[Figure]:
    for suite, changes in _CHANGES.items():
        sheets = [story.sheet for story in by_suite[suite]]
        used = {letters(sheet) for sheet in sheets}
        yield exactly(f"{suite} location plans in use", 4, len(used))
        yield exactly(f"{suite} of these, of the design", 4, len(used & set(PLANS[suite])))
        yield each(f"{suite} location changes per story", changes, map(changes_of_place, sheets))


def changes_of_place(sheet: Sheet) -> int:
    return sum(1 for _ in crossings(sheet))


def _n20(n20: Sequence[Story], stories: Sequence[Story]) -> Iterator[Figure]:
    sheets = [story.sheet for story in n20]
    events = [event for sheet in sheets for event in sheet.events]
    yield exactly("N20 required events", 200, len(events))
    yield each("N20 required events per story", 10, (len(sheet.events) for sheet in sheets))
    opposed = sum(exclude(event.before.claim, event.after.claim) for event in events)
    yield exactly("of these, before and after exclude each other", 200, opposed)
    yield each("N20 key props per story", 4, (len(key_props(sheet)) for sheet in sheets))
    yield exactly("N20 distractor events", 120, sum(len(sheet.distractors) for sheet in sheets))
    yield each("N20 distractors per story", DISTRACTORS, (len(sheet.distractors) for sheet in sheets))
    yield exactly("distractors that are not foreign", 0, len(check_distractors(stories)))


def _t20(sheets: Sequence[Sheet]) -> Iterator[Figure]:
    anchors = [(sheet, anchor) for sheet in sheets for anchor in sheet.anchors]
    yield exactly("T20 anchored cuts", 180, len(anchors))
    across = [anchor for sheet, anchor in anchors if anchor.into_shot in set(crossings(sheet))]
    yield exactly("of these, at a change of place", 71, len(across))
    yield exactly("of these, with a named carrier", 71, sum(anchor.carried_by is not None for anchor in across))
    yield exactly("T20 stories with 3 changes", 9, sum(changes_of_place(sheet) == 3 for sheet in sheets))
    yield exactly("T20 stories with 4 changes", 11, sum(changes_of_place(sheet) == 4 for sheet in sheets))
    states = [(sheet, state) for sheet in sheets for state in sheet.states]
    yield exactly("T20 one-way states", 60, len(states))
    yield each("T20 one-way states per story", 3, (len(sheet.states) for sheet in sheets))
    opposed = sum(exclude(state.before.claim, state.after.claim) for _, state in states)
    yield exactly("of these, before and after exclude each other", 60, opposed)
    both_sides = 0
    for sheet, state in states:
        shots = [shot for shot, place in enumerate(sheet.location_plan, start=1) if place == state.place]
        both_sides += bool(shots) and min(shots) < state.reference_shot < max(shots)
    yield exactly("of these, with their place planned on both sides", 60, both_sides)


def _c20(sheets: Sequence[Sheet]) -> Iterator[Figure]:
    pairs = [pair for sheet in sheets for pair in same_place_pairs(sheet)]
    yield exactly("C20 same-location shot pairs", 415, len(pairs))
    yield exactly("of these, non-adjacent", 340, sum(later - earlier > 1 for earlier, later in pairs))
    yield exactly("C20 stories with 5 changes", 15, sum(changes_of_place(sheet) == 5 for sheet in sheets))
    yield exactly("C20 stories with 6 changes", 5, sum(changes_of_place(sheet) == 6 for sheet in sheets))
    contrasts = [sheet.lighting.contrast for sheet in sheets if sheet.lighting and sheet.lighting.contrast]
    luminance = sum(contrast.relation in ("darker", "brighter") for contrast in contrasts)
    yield exactly("C20 lighting contrasts", 13, len(contrasts))
    yield exactly("of these, in luminance", 11, luminance)
    yield exactly("of these, in colour temperature", 2, len(contrasts) - luminance)
    single = sum(sheet.lighting is not None and sheet.lighting.contrast is None for sheet in sheets)
    yield exactly("C20 stories with a single look", 7, single)


def same_place_pairs(sheet: Sheet) -> list[tuple[int, int]]:
    """Pairs of shots that the plan sets in one place."""
    plan = sheet.location_plan
    return [(a, b) for a, b in combinations(range(1, len(plan) + 1), 2) if plan[a - 1] == plan[b - 1]]


def _sentences(stories: Sequence[Story]) -> Iterator[Figure]:
    catalogs = [(story.sheet, story.sheet.catalog()) for story in stories]
    claims = [(item.claim, catalog) for sheet, catalog in catalogs for _, item in propositions(sheet)]
    said = sum(not claim_problem(claim, catalog) for claim, catalog in claims)
    yield exactly("propositions", 200 * 2 + 180 + 60 * 2, len(claims))
    yield exactly("of these, sayable in the controlled language", len(claims), said)
    yield exactly("sentences shared between stories", 0, len(shared_sentences(stories)))
    nearest = likenesses(stories)[:1]
    highest = nearest[0].similarity if nearest else 0.0
    pair = f" ({nearest[0].first}, {nearest[0].second})" if nearest else ""
    name = "highest similarity of two stories, word 5-grams"
    yield Figure(name, f"< {MOST_ALIKE}", f"{highest:.3f}{pair}", highest < MOST_ALIKE)
