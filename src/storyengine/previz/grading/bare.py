"""The evaluator alone in a process: requests come in as bytes, verdicts go out. Nothing else is known here.

    python -c "from storyengine.previz.grading.bare import main; main()"

Reads and writes frames of eight bytes of length and a pickled value: `JudgeRequest` in, `Answered` out. Ends when its
input ends. Not for bytes of strangers: a pickle can run code.
"""

from __future__ import annotations

import pickle
import struct
import sys
import time
from dataclasses import dataclass
from typing import Any, BinaryIO

import anyio

from storyengine.backends.ports import JudgeRequest, Verdict
from storyengine.errors import StoryEngineError
from storyengine.previz.evaluator import make_judge

_LENGTH = struct.Struct(">Q")


@dataclass(frozen=True)
class Answered:
    """What the evaluator said, and how long it looked."""

    verdicts: tuple[Verdict, ...]
    seconds: float
    error: str = ""
    """Why there are no verdicts."""


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


def answer(request: JudgeRequest) -> Answered:
    start = time.perf_counter()
    try:
        verdicts, error = anyio.run(make_judge().judge, request), ""
    except StoryEngineError as problem:
        verdicts, error = (), str(problem)
    return Answered(verdicts, time.perf_counter() - start, error)


def main() -> None:
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    while (request := receive(incoming)) is not None:
        send(outgoing, answer(request))
