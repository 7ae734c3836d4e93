"""Checks of a C20 story: one person, two places that come back, light that follows from the style."""

from __future__ import annotations

from typing import get_args

from storyengine.bench.findings import Finding
from storyengine.bench.sheet import LightContrast, Lighting, Sheet
from storyengine.bench.story import Story
from storyengine.bench.story_checks import Problems
from storyengine.bench.texts import flat
from storyengine.plan import Environment
from storyengine.plan.model import Brightness, Tone

_BRIGHTNESS: tuple[str, ...] = get_args(Brightness)
_TONE: tuple[str, ...] = get_args(Tone)


def check_c20(story: Story) -> list[Finding]:
    sheet = story.sheet
    problems = list(_counts(sheet))
    if sheet.lighting is None:
        problems.append(("sheet.lighting", "C20 stories have a lighting block"))
    else:
        problems += [*_quote(story, sheet.lighting), *_segments(sheet, sheet.lighting)]
    return [Finding(story.id, where, message) for where, message in problems]


def _counts(sheet: Sheet) -> Problems:
    if not 4 <= len(sheet.props) <= 5:
        yield "sheet.props", f"{len(sheet.props)} props; four or five are asked for"
    if sheet.events or sheet.order or sheet.distractors or sheet.anchors or sheet.states:
        yield "sheet", "events, order, distractors, anchors and states belong to other suites"


def _quote(story: Story, lighting: Lighting) -> Problems:
    if flat(lighting.quote) not in flat(story.brief.style or ""):
        yield "sheet.lighting.quote", "the quote is not part of the style, word for word"


def _segments(sheet: Sheet, lighting: Lighting) -> Problems:
    places = {place.id: place for place in sheet.places}
    covered = sorted(place for segment in lighting.segments for place in segment.places)
    if covered != sorted(places):
        yield "sheet.lighting.segments", f"they cover {covered}; each of {sorted(places)} stands in one segment"
        return
    if lighting.contrast is None:
        if len(lighting.segments) != 1:
            yield "sheet.lighting", "without a contrast both places share one segment: a single look"
        yield from _single_look(sheet)
        return
    if len(lighting.segments) != 2:
        yield "sheet.lighting.segments", "a contrast stands between two segments"
    yield from _contrast(lighting.contrast, places)


def _single_look(sheet: Sheet) -> Problems:
    first, second = (place.light for place in sheet.places)
    if (first.brightness, first.tone) != (second.brightness, second.tone):
        yield "sheet.places", "a single look, but the light of the two places differs in brightness or tone"


def _contrast(contrast: LightContrast, places: dict[str, Environment]) -> Problems:
    where = "sheet.lighting.contrast"
    if {contrast.place, contrast.than} != set(places):
        yield where, f"it stands between {contrast.place!r} and {contrast.than!r}; the places are {sorted(places)}"
        return
    light, other = places[contrast.place].light, places[contrast.than].light
    if contrast.relation in ("darker", "brighter"):
        step = _BRIGHTNESS.index(light.brightness) - _BRIGHTNESS.index(other.brightness)
        agrees = step < 0 if contrast.relation == "darker" else step > 0
        said = f"brightness is {light.brightness!r} and {other.brightness!r}"
    else:
        step = _TONE.index(light.tone) - _TONE.index(other.tone)
        agrees = step < 0 if contrast.relation == "cooler" else step > 0
        said = f"tone is {light.tone!r} and {other.tone!r}"
    if not agrees:
        yield where, f"{contrast.place!r} is {contrast.relation} than {contrast.than!r}, but their {said}"
