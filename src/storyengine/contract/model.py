"""`r_i = (S_i, A_i, S_{i+1}, U_i, K_i)` as frozen values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from storyengine.language import Claim
from storyengine.plan import Event, Fact
from storyengine.plan.model import CameraMove, Direction, Framing, Phase, Priority
from storyengine.wording import Id, Line, Value

Scope = Literal["frame", "clip"]
Evidence = Literal[
    "presence", "absence", "placement", "state", "identity", "environment", "light", "camera", "action", "technical",
    "free text",
]  # fmt: skip

SMALLEST_SHARE = 0.01
"""A fact is required only where the camera predicts it at this share of the frame or more."""


class Criterion(Value):
    """One statement that a clip is held against."""

    id: Id
    phase: Phase
    """When it must hold: at the start, during the motion, at the end, or always."""
    scope: Scope
    """Whether one frame can show it, or only the clip."""
    priority: Priority
    statement: Line
    """The canonical sentence; the judge sees exactly this."""
    evidence: Evidence
    """What kind of evidence decides it."""
    claim: Claim | None = None
    """What it says, typed; None for free text of the author."""

    @property
    def required(self) -> bool:
        return self.priority == "required"

    @property
    def decides_opening(self) -> bool:
        """Whether gate and opening count it: required, decided by one frame, at the start or always."""
        return self.required and self.scope == "frame" and self.phase in ("start", "always")


class CameraView(Value):
    """How the camera looks into the place's panorama, and where it stands."""

    yaw: float | None = None
    """Degrees to the right of the panorama's middle; None where nothing tells where the action is, and the painter
    is free to frame it."""
    pitch: float = 0.0
    """Degrees upwards."""
    fov: Annotated[float, Field(gt=0, lt=170)] = 60.0
    """Horizontal field of view in degrees."""
    right: float = 0.0
    """Where it stands: metres to the right of the panorama's middle, facing the panorama's own middle column."""
    forward: float = 0.0
    """Where it stands: metres forward of the panorama's middle."""
    framing: Framing = "medium"
    move: CameraMove = "still"
    direction: Direction | None = None


class Binding(Value):
    """The canonical asset that belongs to an entity in its present state."""

    entity: Id
    values: tuple[Line, ...]
    """The attribute values that select the asset, as `door = shut`."""
    asset: Line
    """Digest of the reference picture."""
    at_end: bool = False
    """Whether it shows the state after the shot's events."""


class GroundedContext(Value):
    """`U_i`: what grounding found for one shot."""

    view: Line | None = None
    """Digest of the scene view cut from the panorama; None without spatial grounding."""
    panorama: Line | None = None
    camera: CameraView | None = None
    bindings: tuple[Binding, ...] = ()
    landmarks: tuple[Id, ...] = ()
    """Landmarks that the view holds."""
    predicted: tuple[tuple[Id, float], ...] = ()
    """Entities that the camera is predicted to show, with their share of the frame."""
    handed_over: tuple[Id, ...] = ()
    """What the next shot in the same place begins with: wished for, so that it can begin with this one's last frame."""
    dropped: tuple[Line, ...] = ()
    """Wishes of the view that could not all be held, and why."""
    exclusions: tuple[Line, ...] = ()
    """What the generator is told to leave out; not all of it can be verified."""


class RenderContract(Value):
    """Everything one shot must satisfy. Fixed before its first candidate."""

    shot: Annotated[int, Field(ge=1)]
    environment: Id
    seconds: float
    opening: tuple[Fact, ...]
    """`S_i`: the world as the shot opens."""
    events: tuple[Event, ...]
    """`A_i`: what happens, in order."""
    closing: tuple[Fact, ...]
    """`S_{i+1}`: the world as it ends."""
    context: GroundedContext
    criteria: tuple[Criterion, ...]

    def criterion(self, identifier: str) -> Criterion:
        return next(criterion for criterion in self.criteria if criterion.id == identifier)


def contract_data(contract: RenderContract) -> dict[str, Any]:
    """Plain data, for digests and the audit record."""
    return contract.model_dump(mode="json")


def count_required(contracts: Iterable[RenderContract]) -> dict[int, Counter[str]]:
    """How many required criteria of each kind every shot has."""
    return {
        contract.shot: Counter(
            f"{criterion.phase} {criterion.evidence}" for criterion in contract.criteria if criterion.required
        )
        for contract in contracts
    }
