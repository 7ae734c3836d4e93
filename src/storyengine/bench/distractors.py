"""Distractors: events of other N20 stories, whose people and props are strangers to this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storyengine.bench.findings import Finding
from storyengine.bench.n20_checks import DISTRACTORS
from storyengine.bench.sheet import RequiredEvent, Sheet
from storyengine.bench.story import Story
from storyengine.bench.story_checks import called
from storyengine.bench.texts import bare, occurs
from storyengine.plan import Entity


def strangers(event: RequiredEvent, home: Sheet, story: Story) -> list[str]:
    """Nouns for the event's people and props that do occur in the other story; empty for a fit distractor.

    The last word of a name is what counts: a story with a copper lamp is no place for somebody's red lamp.
    """
    entities = {entity.id: entity for entity in (*home.cast, *home.props)}
    own = {noun for entity in (*story.sheet.cast, *story.sheet.props) for noun in _nouns(entity)}
    parts = [entities[part] for part in (*event.actors, *event.props) if part in entities]
    wanted = {noun for entity in parts for noun in _nouns(entity)}
    return sorted(noun for noun in wanted if noun in own or occurs(noun, story.brief.idea))


def _nouns(entity: Entity) -> frozenset[str]:
    return frozenset(name.split()[-1] for name in called(entity))


def check_distractors(stories: Sequence[Story]) -> list[Finding]:
    """Six per N20 story, from six other ones, quoted as they stand there, with strangers only."""
    n20 = {story.id: story for story in stories if story.sheet.suite == "N20"}
    return [Finding(story.id, "sheet.distractors", problem) for story in n20.values() for problem in _own(story, n20)]


def _own(story: Story, n20: Mapping[str, Story]) -> list[str]:
    chosen = story.sheet.distractors
    problems = []
    sources = {distractor.story for distractor in chosen}
    if len(chosen) != DISTRACTORS or len(sources) != DISTRACTORS:
        problems.append(f"{len(chosen)} from {len(sources)} stories; {DISTRACTORS} from as many others are asked for")
    for distractor in chosen:
        home = n20.get(distractor.story)
        events = {event.id: event for event in home.sheet.events} if home else {}
        event = events.get(distractor.event)
        if home is None or event is None or home is story:
            problems.append(f"{distractor.story}/{distractor.event} is no event of another N20 story")
            continue
        if event.sentence != distractor.sentence:
            problems.append(f"{distractor.story}/{distractor.event} reads {event.sentence!r} there")
        if bare(home.sheet.title) == bare(story.sheet.title):
            problems.append(f"{distractor.story} has the same setting")
        if known := strangers(event, home.sheet, story):
            problems.append(f"{distractor.story}/{distractor.event} names {known}, which occurs in this story")
    return problems
