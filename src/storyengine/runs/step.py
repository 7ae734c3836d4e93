"""Steps: the unit of work, and what became of it.

A step's key is the digest of all it depends on: kind, version, inputs by content, parameters. Nothing else:
neither its name in this run (`slot`) nor where it runs (`needs`, `warm`) nor what it is expected to cost.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from storyengine.errors import ContractError, StoryEngineError
from storyengine.runs.digest import digest
from storyengine.runs.rows import Effect, StepRow
from storyengine.runs.store import Artifact, Store


@dataclass(frozen=True)
class From:
    """An input that another step of the same graph makes."""

    slot: str


@dataclass(frozen=True)
class Warm:
    """Something that is expensive to start and stays alive between steps: a loaded video model.

    `make` is called once in each worker, without arguments; it must be importable by name.
    """

    name: str
    make: Callable[[], Any]


@dataclass(frozen=True)
class Paid:
    """What a paid step needs to be called: a provider of the runner, and money."""

    provider: str
    stage: str
    """Part of the film it belongs to, for the ledger: "library", "openings", "clips"."""
    estimate: int
    """Micro-dollars this call is expected to cost."""


class Materials:
    """What a step works with: its parameters, its inputs, its warm helper, and a folder for drafts."""

    def __init__(self, inputs: Mapping[str, str], params: Mapping[str, Any], store: Store, helper: Any = None) -> None:
        self.inputs = inputs
        self.params = params
        self.helper = helper
        self._store = store
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    def read(self, name: str) -> bytes:
        """The content of this input, verified."""
        return self._store.get(self.inputs[name])

    def path(self, name: str) -> Path:
        """A file with the content of this input, verified. Read it, never write to it."""
        return self._store.path(self.inputs[name])

    @property
    def scratch(self) -> Path:
        """An empty folder for files in the making; gone when the step's result is stored."""
        if self._scratch is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="storyengine-")
        return Path(self._scratch.name)

    def clear(self) -> None:
        if self._scratch is not None:
            with suppress(OSError):
                self._scratch.cleanup()


Work = Callable[[Materials], bytes | Path]
"""What a pure step does: a function that can be imported by name, so that any worker can run it."""


@dataclass(frozen=True)
class Step:
    """One piece of work: pure with `work`, or paid with `paid`."""

    kind: str
    """What is done: "previz.clip", "paint"."""
    version: str
    """Version of the code and prompts behind the kind; a change redoes every step of this kind."""
    slot: str
    """Its name in the project, for people and for `why`: "shot 3/opening"."""
    inputs: Mapping[str, str | From] = field(default_factory=dict)
    """Digest of each input, by name; in a graph also the step that makes it."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Everything else it depends on, as JSON values. For a paid step: the request."""
    work: Work | None = None
    paid: Paid | None = None
    needs: Mapping[str, int] = field(default_factory=lambda: {"cpu": 1})
    """Resources a pure step holds while it runs."""
    warm: Warm | None = None

    def __post_init__(self) -> None:
        if (self.work is None) == (self.paid is None):
            raise ContractError(f"Step {self.slot!r} must have either work to do or a provider to pay.")

    @property
    def effect(self) -> Effect:
        return Effect.PURE if self.paid is None else Effect.PAID

    @property
    def digests(self) -> dict[str, str]:
        """Digest of each input; a graph fills in those that other steps make."""
        for name, value in self.inputs.items():
            if isinstance(value, From):
                raise ContractError(
                    f"Input {name!r} of step {self.slot!r} comes from {value.slot!r}, which has not run."
                )
        return {name: str(value) for name, value in self.inputs.items()}

    @cached_property
    def key(self) -> str:
        return digest(
            "step",
            {
                "kind": self.kind,
                "version": self.version,
                "inputs": self.digests,
                "params": self.params,
                "effect": self.effect,
            },
        )

    def after(self) -> set[str]:
        """Slots of the steps that must finish first."""
        return {value.slot for value in self.inputs.values() if isinstance(value, From)}

    def filled(self, made: Mapping[str, Artifact]) -> Step:
        """The step with the artifacts of its graph filled in."""
        inputs = {
            name: made[value.slot].digest if isinstance(value, From) else value for name, value in self.inputs.items()
        }
        return replace(self, inputs=inputs)

    def row(self, artifact: Artifact | None = None) -> StepRow:
        """The step as the journal keeps it."""
        return StepRow(
            key=self.key,
            kind=self.kind,
            version=self.version,
            effect=self.effect,
            inputs=self.digests,
            params=dict(self.params),
            digest=artifact.digest if artifact else None,
            size=artifact.size if artifact else None,
            run=0,
            at=0.0,
        )


@dataclass(frozen=True)
class Done:
    """The step has an artifact, made now or found."""

    slot: str
    key: str
    artifact: Artifact
    hit: bool
    """Whether it was finished before this run asked for it."""


@dataclass(frozen=True)
class Failed:
    """The step did not work; the error says whose fault it is and what to do."""

    slot: str
    key: str
    error: StoryEngineError


@dataclass(frozen=True)
class Skipped:
    """The step was not tried, because one before it has no artifact."""

    slot: str
    because: str
    """Slot of the step that failed or was skipped."""


Result = Done | Failed | Skipped
