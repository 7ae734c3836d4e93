"""The four ports. They speak text and pixels, nothing else: no side door carries the plan to a backend.

A painter and an animator take jobs (submit, poll, fetch), because real ones take minutes and are paid for; the
runner asks for the result later, also after a crash. A text model and a judge answer at once. All raise only
errors of the family in `errors.py`; a refusal of content is `Refused`, never an empty answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from storyengine.runs.provider import Declined, Ready, Waiting

Image = bytes
"""An encoded picture, PNG or JPEG."""

Label = Literal["PASS", "FAIL", "UNKNOWN"]


@dataclass(frozen=True)
class ReferenceImage:
    """A picture that shows how something looks, and what it shows."""

    caption: str
    image: Image = field(repr=False)


# --- text and vision -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TextRequest:
    """A question to a language model."""

    system: str
    prompt: str
    images: tuple[ReferenceImage, ...] = ()
    schema: Mapping[str, Any] | None = None
    """JSON Schema that the answer must follow; None for free text."""
    max_tokens: int = 16_000


@dataclass(frozen=True)
class TextAnswer:
    """What it said."""

    text: str
    model: str
    """The model that the server reports, which may differ from the one asked for."""
    finished: bool = True
    """False when the answer was cut off at the token limit."""
    cost: int | None = None
    """Micro-dollars, where the provider says."""


@dataclass(frozen=True)
class TextCapabilities:
    images: bool
    schema: bool
    """Whether the model is held to a schema; where not, the schema goes into the prompt."""


class TextModel(Protocol):
    @property
    def capabilities(self) -> TextCapabilities: ...
    async def write(self, request: TextRequest) -> TextAnswer: ...


# --- painting --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PaintRequest:
    """A picture to be made."""

    prompt: str
    width: int
    height: int
    references: tuple[ReferenceImage, ...] = ()
    seed: int = 0


@dataclass(frozen=True)
class PainterCapabilities:
    max_references: int
    max_width: int
    """Widest picture it makes; panoramas want 4096."""
    seed: bool
    """Whether the same seed gives the same picture."""


class Painter(Protocol):
    @property
    def capabilities(self) -> PainterCapabilities: ...
    async def submit(self, request: PaintRequest, call: str) -> str:
        """Start the job and return its id. `call` names it uniquely, for idempotency and look-up."""

    async def poll(self, job: str) -> Waiting | Ready | Declined: ...
    async def fetch(self, job: str) -> bytes:
        """The finished picture; may be asked for more than once."""


# --- animating -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AnimateRequest:
    """A clip to be made from its first frame."""

    prompt: str
    opening: Image = field(repr=False)
    seconds: float
    width: int
    height: int
    fps: int
    references: tuple[ReferenceImage, ...] = ()
    seed: int = 0


@dataclass(frozen=True)
class AnimatorCapabilities:
    durations: tuple[float, ...]
    """Lengths in seconds that it can make; empty for any."""
    sizes: tuple[tuple[int, int], ...]
    """Sizes in pixels that it can make; empty for any."""
    fps: tuple[int, ...]
    """Frame rates that it can make; empty for any."""
    max_references: int
    seed: bool
    audio: bool


class Animator(Protocol):
    @property
    def capabilities(self) -> AnimatorCapabilities: ...
    async def submit(self, request: AnimateRequest, call: str) -> str:
        """Start the job and return its id. `call` names it uniquely, for idempotency and look-up."""

    async def poll(self, job: str) -> Waiting | Ready | Declined: ...
    async def fetch(self, job: str) -> bytes:
        """The finished clip as a file's bytes; may be asked for more than once."""


# --- judging ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Frame:
    """A frame of a clip, or a picture at second 0. Bare pixels: no lineage, no metadata."""

    seconds: float
    image: Image = field(repr=False)


@dataclass(frozen=True)
class Statement:
    """A criterion's canonical sentence."""

    id: str
    text: str
    phase: Literal["start", "motion", "end", "always"]


@dataclass(frozen=True)
class JudgeRequest:
    """Frames to be held against statements."""

    frames: tuple[Frame, ...]
    statements: tuple[Statement, ...]
    references: tuple[ReferenceImage, ...] = ()
    captions: tuple[str, ...] = ()
    """What the statements speak of, one line for each person, thing and place (`language.captions`)."""


@dataclass(frozen=True)
class Box:
    """A part of a picture, in fractions of its size from the top left corner."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class Verdict:
    """What a judge saw of one statement. The model reports; code decides what follows."""

    id: str
    label: Label
    evidence: str
    """The visual reason, in a sentence."""
    frame: int | None = None
    """Index of the frame that shows it."""
    box: Box | None = None
    """Where it shows in that frame."""


@dataclass(frozen=True)
class LocateRequest:
    """Things to be found in a picture, by name and description."""

    image: Image = field(repr=False)
    things: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class JudgeCapabilities:
    max_frames: int
    locate: bool


class Judge(Protocol):
    @property
    def capabilities(self) -> JudgeCapabilities: ...
    async def judge(self, request: JudgeRequest) -> tuple[Verdict, ...]:
        """One verdict per statement, in any order."""

    async def locate(self, request: LocateRequest) -> Mapping[str, Box | None]:
        """For each id the box that holds the thing, or None where it cannot be found."""
