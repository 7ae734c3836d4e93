"""A language model whose answers are kept in a project: what was once written is never paid for again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storyengine.backends.hired import Hired, read_text_file
from storyengine.backends.ports import TextAnswer, TextCapabilities, TextRequest
from storyengine.runs.runner import Runner
from storyengine.runs.step import Step


class JournalledModel:
    """The text port over a runner. A question that was answered before gets the same answer, free."""

    def __init__(self, runner: Runner, hired: Hired) -> None:
        self._runner = runner
        self._hired = hired
        self._asked = 0

    @property
    def capabilities(self) -> TextCapabilities:
        found: TextCapabilities = self._hired.backend.capabilities
        return found

    async def write(self, request: TextRequest) -> TextAnswer:
        self._asked += 1
        artifact = await self._runner.do(writing_step(self._hired, request, f"plan/draft {self._asked}"))
        return read_text_file(self._runner.project.store.get(artifact.digest))


def writing_step(hired: Hired, request: TextRequest, slot: str) -> Step:
    """A question to a language model as a paid step. Pictures are not part of it."""
    params: Mapping[str, Any] = {
        "system": request.system,
        "prompt": request.prompt,
        "schema": request.schema,
        "max_tokens": request.max_tokens,
    }
    return hired.step("write", slot, "planning", params)
