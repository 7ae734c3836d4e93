"""The statistics table of the data card, counted from the stories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from storyengine.bench.index import SUITES, Suite
from storyengine.bench.story import Story
from storyengine.bench.t20_checks import crossings
from storyengine.bench.totals import changes_of_place, same_place_pairs

Count = Callable[[Sequence[Story]], str]


def _range(values: Iterable[int]) -> str:
    """`2`, or `5–6` where stories differ."""
    found = sorted(set(values))
    return "–".join(str(value) for value in dict.fromkeys((found[0], found[-1])))


def _contrasts(stories: Sequence[Story]) -> list[str]:
    return [s.sheet.lighting.contrast.relation for s in stories if s.sheet.lighting and s.sheet.lighting.contrast]


def _anchored(stories: Sequence[Story]) -> str:
    across = sum(anchor.into_shot in set(crossings(s.sheet)) for s in stories for anchor in s.sheet.anchors)
    return f"{sum(len(s.sheet.anchors) for s in stories)} / {across}"


def _pairs(stories: Sequence[Story]) -> str:
    pairs = [pair for s in stories for pair in same_place_pairs(s.sheet)]
    return f"{len(pairs)} / {sum(b - a > 1 for a, b in pairs)}"


def _lights(stories: Sequence[Story]) -> str:
    relations = _contrasts(stories)
    luminance = sum(relation in ("darker", "brighter") for relation in relations)
    return f"{len(relations)} ({luminance} + {len(relations) - luminance})"


_ROWS: tuple[tuple[str, tuple[Suite, ...], Count], ...] = (
    ("Stories / shots", SUITES, lambda all_: f"{len(all_)} / {sum(s.brief.shots for s in all_)}"),
    ("Locations per story", SUITES, lambda all_: _range(len(s.sheet.places) for s in all_)),
    ("Location plans in use", SUITES, lambda all_: str(len({_shape(s) for s in all_}))),
    ("Location changes per story", SUITES, lambda all_: _range(changes_of_place(s.sheet) for s in all_)),
    ("Named characters per story", SUITES, lambda all_: _range(len(s.sheet.cast) for s in all_)),
    ("Required entities per brief", SUITES, lambda all_: _range(len(s.brief.required_entities) for s in all_)),
    ("Forbidden-content items per brief", SUITES, lambda all_: _range(len(s.brief.forbidden_content) for s in all_)),
    ("Words per idea", SUITES, lambda all_: _range(len(s.brief.idea.split()) for s in all_)),
    (
        "Required / distractor events",
        ("N20",),
        lambda all_: f"{sum(len(s.sheet.events) for s in all_)} / {sum(len(s.sheet.distractors) for s in all_)}",
    ),
    ("Anchored cuts / at a change of location", ("T20",), _anchored),
    ("One-way state changes", ("T20",), lambda all_: str(sum(len(s.sheet.states) for s in all_))),
    ("Same-location shot pairs / non-adjacent", ("C20",), _pairs),
    ("Lighting contrasts (luminance + colour temperature)", ("C20",), _lights),
)


def _shape(story: Story) -> tuple[bool, ...]:
    plan = story.sheet.location_plan
    return tuple(place == plan[0] for place in plan)


def statistics_table(stories: Sequence[Story]) -> str:
    """The table in Markdown."""
    lines = [f"| | {' | '.join(SUITES)} |", "|---|---|---|---|"]
    for name, suites, count in _ROWS:
        cells = [count([s for s in stories if s.sheet.suite == suite]) if suite in suites else "–" for suite in SUITES]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
