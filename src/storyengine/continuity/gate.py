"""The continuity gate: may the last shot's tail be reused, referenced, or must it be dropped?

The paper's resolver, to the letter. A judge reports on the tail; this code decides; nothing here can write state.

1. No usable tail: *fresh*.
2. q ≤ 1 hard opening criteria missed: *reuse* is proposed, and evaluated once more before it is used.
3. q ≥ 2, but evidence of identity, wardrobe, place or viewpoint passed: *reference*, with what to preserve and what
   not to copy.
4. Otherwise: *fresh*.

Not covered: whether the tail is beautiful, background extras, reflections, text on signs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from storyengine.continuity.judgement import Judgement
from storyengine.contract import Criterion

MOST_MISSED_FOR_REUSE = 1
ISOLABLE = ("identity", "environment", "camera")
"""Evidence that can be kept apart from the rest of a frame. Wardrobe is part of identity."""


class Mode(IntEnum):
    """How much of the tail is used. Fallback only ever goes down."""

    FRESH = 0
    REFERENCE = 1
    REUSE = 2


@dataclass(frozen=True)
class GateDecision:
    """The continuity input `c_i`, and why."""

    mode: Mode
    reason: str
    missed: int
    """q: hard opening criteria that the tail failed or left unknown."""
    preserve: tuple[Criterion, ...] = ()
    """Statements that the tail shows truly."""
    do_not_copy: tuple[Criterion, ...] = ()
    """Statements that the tail breaks; nothing of it may be carried over."""


def resolve(tail: Judgement | None, unusable: str = "") -> GateDecision:
    """Decide from the verdicts on a tail. None stands for no usable tail, for the reason given."""
    if tail is None:
        return GateDecision(Mode.FRESH, unusable or "there is no usable tail", 0)
    missed = tuple(c for c in tail.missed() if c.decides_opening)
    preserve = tuple(c for c in tail.passed() if c.evidence in ISOLABLE)
    if len(missed) <= MOST_MISSED_FOR_REUSE:
        reason = "the tail misses no hard criterion" if not missed else f"the tail misses only “{missed[0].statement}”"
        return GateDecision(Mode.REUSE, reason, len(missed), preserve, missed)
    if preserve:
        reason = f"the tail misses {len(missed)} hard criteria, but shows truly: {preserve[0].statement}"
        return GateDecision(Mode.REFERENCE, reason, len(missed), preserve, missed)
    return GateDecision(
        Mode.FRESH, f"the tail misses {len(missed)} hard criteria and nothing of it can be kept", len(missed)
    )


def fall_back(decision: GateDecision, rejected: Judgement | None) -> GateDecision:
    """The next mode down after an opening was rejected, or none could be made; what it broke may not be copied."""
    missed = tuple(c for c in rejected.missed() if c.decides_opening) if rejected else ()
    broken = tuple(dict.fromkeys((*decision.do_not_copy, *missed)))
    preserve = tuple(c for c in decision.preserve if c not in broken)
    if decision.mode is Mode.REUSE and preserve:
        return GateDecision(Mode.REFERENCE, "the reused tail was rejected", len(broken), preserve, broken)
    return GateDecision(Mode.FRESH, f"the {decision.mode.name.lower()} opening was rejected", len(broken))
