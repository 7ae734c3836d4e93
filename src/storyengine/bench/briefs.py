"""The briefs alone: all that a method may see. Nothing here reads a sheet."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from storyengine import documents
from storyengine.bench.index import ENTRIES, MINI, Suite
from storyengine.errors import InputError
from storyengine.request import StoryRequest, read_request

BRIEF = "brief.yaml"


def data() -> Traversable:
    """The folder with one folder per story, inside the installed package."""
    return files("storyengine.bench") / "stories"


def story_ids(suite: Suite | None = None, *, mini: bool = False) -> tuple[str, ...]:
    """The stories of the index in its order, or those of one suite or of the mini set."""
    return tuple(
        entry.story for entry in ENTRIES.values() if suite in (None, entry.suite) and (not mini or entry.story in MINI)
    )


def known(story: str) -> str:
    """The story's id if the index holds it. Raises InputError that suggests the nearest."""
    if story in ENTRIES:
        return story
    near = documents.did_you_mean(story, ENTRIES)
    raise InputError(
        f"The benchmark has no story {story!r}{near}", next_step="`storyengine bench list` shows all of them."
    )


def brief_text(story: str) -> str:
    """The brief as the file has it."""
    return read_member(known(story), BRIEF)


@lru_cache(maxsize=256)
def parsed(text: str, source: str) -> documents.Document:
    """The document of a story's file. Kept, because checks and hashes read the same texts; not to be changed."""
    return documents.parse(text, source)


def load_brief(story: str) -> StoryRequest:
    return read_request(parsed(brief_text(story), f"{story}/{BRIEF}"))


def read_member(story: str, name: str) -> str:
    """The text of one file of a story. Raises InputError where the installation lacks it."""
    try:
        return (data() / story / name).read_text("utf-8")
    except OSError:
        raise InputError(
            f"This installation lacks {story}/{name} of the benchmark.", next_step="Install StoryEngine again."
        ) from None
