"""What the evaluator thinks of one statement at one moment, and how moments make a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from storyengine.backends.ports import Box, Label


@dataclass(frozen=True)
class Opinion:
    """A label with the evidence for it."""

    label: Label
    evidence: str
    frame: int | None = None
    box: Box | None = None

    @property
    def decided(self) -> bool:
        return self.label != "UNKNOWN"


def passed(evidence: str, frame: int | None = None, box: Box | None = None) -> Opinion:
    return Opinion("PASS", evidence, frame, box)


def failed(evidence: str, frame: int | None = None, box: Box | None = None) -> Opinion:
    return Opinion("FAIL", evidence, frame, box)


def unknown(evidence: str, frame: int | None = None, box: Box | None = None) -> Opinion:
    return Opinion("UNKNOWN", evidence, frame, box)


CONTRARY = 0.25
"""Share of the frames that must fail for a statement about all of them to fail."""


def throughout(opinions: Sequence[Opinion]) -> Opinion:
    """A statement that holds always: a clear minority of failures denies it, half of the frames must show it."""
    if not opinions:
        return unknown("there is no frame to look at")
    wrong = [o for o in opinions if o.label == "FAIL"]
    right = [o for o in opinions if o.label == "PASS"]
    if wrong and len(wrong) >= CONTRARY * len(opinions):
        return wrong[len(wrong) // 2]
    if right and not wrong and 2 * len(right) >= len(opinions):
        return right[0]
    if right and wrong and len(right) >= 3 * len(wrong):
        return right[0]
    doubtful = [o for o in opinions if o.label == "UNKNOWN"]
    first = doubtful[0] if doubtful else opinions[0]
    return unknown(first.evidence, first.frame, first.box)


def first_decided(opinions: Sequence[Opinion]) -> Opinion:
    """The first opinion that decides, else the first."""
    return next(
        (o for o in opinions if o.decided), opinions[0] if opinions else unknown("there is no frame to look at")
    )


def mostly(opinions: Sequence[Opinion]) -> Opinion:
    """What at least two of some moments say, where one alone may err: who is there at all stays for a while."""
    denied = [opinion for opinion in opinions if opinion.label == "FAIL"]
    if len(denied) >= min(2, len(opinions)):
        return denied[0]
    return next(opinion for opinion in opinions if opinion.label != "FAIL")
