"""A rehearsal: the same steps asked for in the same order, and nothing done.

What was finished or refused before is found, as in a run. For everything else somebody provides a stand-in, and the
step is noted as wanted. Stand-ins live in memory; store and journal are not written to, and nobody is called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from storyengine.runs.digest import digest_bytes
from storyengine.runs.executor import Executor
from storyengine.runs.payment import refusal
from storyengine.runs.project import Project
from storyengine.runs.rows import CallState
from storyengine.runs.runner import Runner
from storyengine.runs.step import Step
from storyengine.runs.store import Artifact, LocalStore
from storyengine.runs.why import Why


@dataclass(frozen=True)
class Wanted:
    """A step that a run would do, and why."""

    step: Step
    why: Why


class Rehearsal(Runner):
    """Asked like a runner, inside or outside its context. `wanted` grows as steps are asked for."""

    def __init__(self, project: Project, executor: Executor, stand_in: Callable[[Step], bytes]) -> None:
        super().__init__(project, executor)
        self.wanted: dict[str, Wanted] = {}
        self._stand_in = stand_in
        project.store = _Overlay(project.store.root)

    async def _make(self, step: Step) -> Artifact:
        call = self.project.journal.call(step.key)
        if call is not None and call.state is CallState.REFUSED:
            raise refusal(call)
        self.wanted.setdefault(step.slot, Wanted(step, self.why(step)))
        return self.project.store.put(self._stand_in(step))

    def _note_found(self, step: Step, found: Artifact) -> None:
        pass


class _Overlay(LocalStore):
    """A store that keeps in memory what is put into it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._memory: dict[str, bytes] = {}

    def put(self, data: bytes | Path) -> Artifact:
        content = data if isinstance(data, bytes) else data.read_bytes()
        address = digest_bytes(content)
        self._memory[address] = content
        return Artifact(address, len(content))

    def get(self, digest: str) -> bytes:
        return self._memory[digest] if digest in self._memory else super().get(digest)

    def has(self, digest: str, size: int | None = None) -> bool:
        return digest in self._memory or super().has(digest, size)

    def size(self, digest: str) -> int:
        return len(self._memory[digest]) if digest in self._memory else super().size(digest)
