"""A benchmark story as a frozen value: the brief that methods see and the sheet that they never do."""

from __future__ import annotations

from storyengine import documents
from storyengine.bench.briefs import known, load_brief, parsed, read_member, story_ids
from storyengine.bench.index import Suite
from storyengine.bench.sheet import Sheet
from storyengine.request import StoryRequest
from storyengine.wording import Value

SHEET = "sheet.yaml"


class Story(Value):
    """One story of the benchmark."""

    brief: StoryRequest
    sheet: Sheet

    @property
    def id(self) -> str:
        return self.sheet.story


def load_story(story: str) -> Story:
    """A story by its id. Raises InputError that suggests the nearest one."""
    text = read_member(known(story), SHEET)
    sheet = documents.validate(Sheet, parsed(text, f"{story}/{SHEET}"))
    return Story(brief=load_brief(story), sheet=sheet)


def stories(suite: Suite | None = None, *, mini: bool = False) -> tuple[Story, ...]:
    """All stories in the order of the index, or those of one suite or of the mini set."""
    return tuple(load_story(story) for story in story_ids(suite, mini=mini))
