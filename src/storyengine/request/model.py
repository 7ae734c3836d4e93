"""`StoryRequest`: the brief, from YAML or from Python. Only `idea` and `shots` are mandatory."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from storyengine import documents
from storyengine.wording import Line, Look, Prose, Value

MAX_SHOTS = 1_000
"""More shots than any film planned in one piece; beyond it a file is refused before work begins."""


class Delivery(Value):
    """The technical form of the film."""

    width: Annotated[int, Field(ge=64, le=4096, multiple_of=2)] = 1280
    """Width of the picture in pixels; even."""
    height: Annotated[int, Field(ge=64, le=4096, multiple_of=2)] = 720
    """Height of the picture in pixels; even."""
    fps: Annotated[int, Field(ge=1, le=120)] = 24
    """Frames per second."""
    durations: Annotated[tuple[Annotated[float, Field(gt=0, le=60)], ...], Field(min_length=1, max_length=20)] = (
        4.0,
        6.0,
        8.0,
    )
    """The lengths, in seconds, that a shot may have."""
    audio: bool = True
    """Whether sound that a generator makes is kept."""

    @field_validator("durations")
    @classmethod
    def _ascending(cls, durations: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(sorted(set(durations)))


class Reference(Value):
    """A picture of the author's own that shows how something looks."""

    of: Line
    """The name of the person, thing or place, as the idea calls it."""
    picture: Line
    """Path of the picture, relative to the brief."""


class StoryRequest(Value):
    """What somebody wants to see."""

    title: Look = ""
    """Working title."""
    idea: Prose
    """The story in plain words: who, where, what happens, and in which shots."""
    shots: Annotated[int, Field(ge=1, le=MAX_SHOTS)]
    """How many shots the film has."""
    style: Annotated[Prose | None, Field()] = None
    """The visual style, light included."""
    required_entities: tuple[Line, ...] = ()
    """People and things that must recur, as the idea calls them."""
    forbidden_content: tuple[Line, ...] = ()
    """What may not appear."""
    delivery: Delivery = Delivery()
    """The technical form of the film."""
    references: tuple[Reference, ...] = ()
    """The author's own pictures."""


def read_request(document: documents.Document) -> StoryRequest:
    """Read a brief, or raise InputError listing every problem with file, line and field."""
    return documents.validate(StoryRequest, document)
