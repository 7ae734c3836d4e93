"""The semantic plan as frozen values. Every field has a sentence; language models see them as the schema.

Here only shapes are checked. Whether ids exist and the story holds is the work of `check/`, which reports
everything it finds at once instead of stopping at the first mistake.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from storyengine.plan.placement import Fact
from storyengine.request import StoryRequest
from storyengine.wording import Id, Line, Look, Name, Phrase, Value

PLAN_VERSION: Final = 1

Kind = Literal["character", "prop"]
Role = Literal["surface", "container", "mount", "fixed", "wheeled"]
Framing = Literal["wide", "medium", "tight"]
CameraMove = Literal["still", "pan_left", "pan_right", "push_in", "pull_out", "follow"]
Direction = Literal["left_to_right", "right_to_left", "towards_camera", "away_from_camera"]
Phase = Literal["start", "motion", "end", "always"]
Priority = Literal["required", "preferred"]
Brightness = Literal["dark", "dim", "even", "bright"]
Tone = Literal["cool", "neutral", "warm"]


class Attribute(Value):
    """Something about an entity that can change and matters to the story."""

    name: Id
    """What it is called: `door`, `fill`; `state` when it describes the whole thing."""
    values: Annotated[tuple[Phrase, ...], Field(min_length=2)]
    """Every value it can have. For a one-way attribute in the order in which they are passed through."""
    visible: bool = True
    """Whether a camera can see it."""
    one_way: bool = False
    """Whether a change can never be undone: values only move forward through the list."""
    conceals: tuple[Phrase, ...] = ()
    """Values in which what is inside this container cannot be seen or reached, such as `shut`."""

    @model_validator(mode="after")
    def _values_fit(self) -> Attribute:
        if len(set(self.values)) != len(self.values):
            raise ValueError("each value may be listed once")
        foreign = [value for value in self.conceals if value not in self.values]
        if foreign:
            raise ValueError(f"`conceals` names {foreign[0]!r}, which is not among the values {list(self.values)}")
        return self


class Entity(Value):
    """A person or thing that recurs. Its id means the same one everywhere; its look follows its state."""

    id: Id
    name: Name
    """What sentences call it, without article (`red backpack`), or a proper name (`Mina`)."""
    kind: Kind
    """Whether it is a character, who can act and hold, or a prop."""
    look: Look = ""
    """How it looks: colour, material, size; for people hair, build, age, clothes."""
    roles: tuple[Role, ...] = ()
    """What it can do for other things: surface, container, mount (things are fastened to it); and how it
    moves: fixed (never), wheeled (it is pushed)."""
    attributes: tuple[Attribute, ...] = ()
    """The states it can be in."""
    aliases: tuple[Line, ...] = ()
    """Other words for it in the brief, such as an entry of the required entities."""
    plural: bool = False
    """Whether its name is a plural: `loaves`."""


class Zone(Value):
    """A part of an environment where people and things can be."""

    id: Id
    name: Phrase
    """Where that is, as a sentence would put it: `by the lockers`, `at the long bench`."""
    look: Look = ""


class Landmark(Value):
    """A fixed feature by which a place is recognised, and which is nobody's prop."""

    id: Id
    name: Name
    look: Look = ""
    zone: Id | None = None
    """The zone it stands in, if that matters."""


class Light(Value):
    """The light of a place. It belongs to the place and stays the same whenever the film returns."""

    look: Look = ""
    """In words: `cool daylight from a high window`."""
    brightness: Brightness = "even"
    tone: Tone = "neutral"


class Environment(Value):
    """A place. Its identity is separate from the views that cameras take of it."""

    id: Id
    name: Name
    look: Look = ""
    """Walls, floor, ceiling, fittings, size."""
    zones: Annotated[tuple[Zone, ...], Field(min_length=1)]
    landmarks: tuple[Landmark, ...] = ()
    light: Light = Light()


class Event(Value):
    """Something that happens, and what it changes in the world."""

    action: Line
    """The event in one plain sentence: who does what, with what, where."""
    id: Id | None = None
    """Needed only where an order rule names the event."""
    actors: tuple[Id, ...] = ()
    """The characters who do it."""
    effects: tuple[Fact, ...] = ()
    """What is true afterwards that was not before, in order. Empty for an event that changes nothing."""
    required: bool = False
    """Whether the brief demands that this event is seen."""


class SpatialIntent(Value):
    """How the camera should present the shot."""

    region: Id | None = None
    """The zone of the environment where the action is."""
    subjects: tuple[Id, ...] = ()
    """Entities wished in frame."""
    landmarks: tuple[Id, ...] = ()
    """Landmarks of the environment wished in frame."""
    framing: Framing = "medium"
    camera: CameraMove = "still"
    direction: Direction | None = None
    """The way the main movement goes across the screen."""


class Requirement(Value):
    """Something a shot must or should show beyond its state and events."""

    statement: Line
    """One positive, visually testable sentence."""
    phase: Phase = "always"
    priority: Priority = "required"


class Shot(Value):
    """One continuous camera take in one environment."""

    environment: Id
    seconds: Annotated[float, Field(gt=0, le=60)] = 6.0
    offscreen: tuple[Event, ...] = ()
    """What happens unseen before the shot opens: people come and go with what they carry, wear or push."""
    events: tuple[Event, ...] = ()
    """What happens on screen, in order."""
    view: SpatialIntent = SpatialIntent()
    requirements: tuple[Requirement, ...] = ()
    anchors: tuple[Id, ...] = ()
    """Entities in frame on both sides of the cut into this shot."""
    opens_with: tuple[Fact, ...] = ()
    """Facts asserted about the opening; checked, never believed."""
    closes_with: tuple[Fact, ...] = ()
    """Facts asserted about the ending; checked, never believed."""


class OrderRule(Value):
    """One event has to happen before another."""

    first: Id
    then: Id


class SemanticPlan(Value):
    """The whole film as facts and events."""

    storyengine_plan: Literal[1] = PLAN_VERSION
    """Version of this format."""
    title: Look = ""
    request: StoryRequest
    """The brief that the plan answers."""
    entities: tuple[Entity, ...] = ()
    environments: Annotated[tuple[Environment, ...], Field(min_length=1)]
    initial: tuple[Fact, ...] = ()
    """The complete world before the first shot: a placement for every entity, a value for every attribute."""
    shots: Annotated[tuple[Shot, ...], Field(min_length=1)]
    order: tuple[OrderRule, ...] = ()
