"""Stand-ins for what a rehearsal does not make: pictures and clips that nobody will see, verdicts as they were.

Each is made from the key of its step, so that whatever follows from it differs exactly when the step does. A judge is
taken to say of a new picture what it last said in the same place; about statements that are new, that they hold.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from storyengine.backends.hired import read_verdict_file
from storyengine.errors import Malformed
from storyengine.media.encode import encode
from storyengine.media.picture import Picture
from storyengine.runs.project import Project
from storyengine.runs.step import Step

SHRINK = 8
"""Stand-ins of pictures are so many times smaller; only their digests matter."""
FPS = 4


class StandIns:
    """Bytes for a step that is not done."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def __call__(self, step: Step) -> bytes:
        match step.kind:
            case "paint":
                return _picture(step.key, step.params["width"], step.params["height"])
            case "animate":
                return _clip(step.key, step.params["width"], step.params["height"], step.params["seconds"])
            case "judge":
                return json.dumps({"verdicts": self._verdicts(step)}).encode()
            case _:
                return self._last(step) or json.dumps({"boxes": {}}).encode()

    def _verdicts(self, step: Step) -> list[dict[str, Any]]:
        labels = self._last_labels(step)
        return [
            {
                "id": statement["id"],
                "label": labels.get(statement["text"], "PASS"),
                "evidence": "not looked at",
                "frame": None,
                "box": None,
            }
            for statement in step.params["statements"]
        ]

    def _last_labels(self, step: Step) -> dict[str, str]:
        """Labels by statement, as they were given last under this step's name."""
        row, data = self._project.journal.in_slot(step.slot), self._last(step)
        if row is None or data is None:
            return {}
        texts = {statement["id"]: statement["text"] for statement in row.params["statements"]}
        try:
            return {texts[verdict.id]: verdict.label for verdict in read_verdict_file(data) if verdict.id in texts}
        except Malformed:
            return {}

    def _last(self, step: Step) -> bytes | None:
        row = self._project.journal.in_slot(step.slot)
        there = row is not None and row.digest is not None and self._project.store.has(row.digest)
        return self._project.store.get(row.digest) if row and row.digest and there else None


def _picture(key: str, width: int, height: int) -> bytes:
    pixels = np.zeros((max(height // SHRINK, 16), max(width // SHRINK, 16), 3), np.uint8)
    pixels[:] = np.frombuffer(bytes.fromhex(key[:6]), np.uint8)
    pixels[0, :10] = np.frombuffer(bytes.fromhex(key[:60]), np.uint8).reshape(10, 3)
    return Picture(pixels).to_png()


def _clip(key: str, width: int, height: int, seconds: float) -> bytes:
    """A clip that passes every technical check, with the key in a box that players skip."""
    name = bytes.fromhex(key)
    return _moving(width, height, seconds) + (8 + len(name)).to_bytes(4, "big") + b"free" + name


@cache
def _moving(width: int, height: int, seconds: float) -> bytes:
    frames = max(round(seconds * FPS), 2)
    slope = np.linspace(40, 200, width, dtype=np.float32)

    def frame(number: int) -> Picture:
        row = np.roll(slope, number * max(width // frames, 1)).astype(np.uint8)
        return Picture(np.repeat(np.tile(row, (height, 1))[..., None], 3, axis=2))

    return encode((frame(number) for number in range(frames)), FPS).data
