"""The evaluator alone in a process: requests come in as bytes, verdicts go out. Nothing else is known here.

    python -c "from storyengine.previz.grading.bare import main; main()"

Reads and writes frames of eight bytes of length and a pickled value: `JudgeRequest` or `LocateRequest` in, `Answered`
out. Ends when its input ends. Not for bytes of strangers: a pickle can run code.
"""

from __future__ import annotations

import pickle
import struct
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import anyio

from storyengine.backends.ports import Box, JudgeRequest, LocateRequest, Verdict
from storyengine.errors import StoryEngineError
from storyengine.previz.evaluator import make_judge

_LENGTH = struct.Struct(">Q")


@dataclass(frozen=True)
class Answered:
    """What the evaluator said, and how long it looked."""

    seconds: float
    verdicts: tuple[Verdict, ...] = ()
    boxes: Mapping[str, Box | None] = field(default_factory=dict)
    error: str = ""
    """Why there is no answer."""


def send(stream: BinaryIO, value: Any) -> None:
    data = pickle.dumps(value)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """The next value, or None when the stream has ended."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    return pickle.loads(stream.read(*_LENGTH.unpack(head)))


def answer(request: JudgeRequest | LocateRequest) -> Answered:
    start = time.perf_counter()
    try:
        if isinstance(request, LocateRequest):
            boxes = dict(anyio.run(make_judge().locate, request))
            return Answered(time.perf_counter() - start, boxes=boxes)
        verdicts = anyio.run(make_judge().judge, request)
    except StoryEngineError as problem:
        return Answered(time.perf_counter() - start, error=str(problem))
    return Answered(time.perf_counter() - start, verdicts)


def main() -> None:
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    while (request := receive(incoming)) is not None:
        send(outgoing, answer(request))
