"""Which candidate is used when none satisfies everything: the paper's lexicographic rank.

    Rank = (n_req, n_unk, L_prio, L_cont, L_pref, L_tech), smaller is better, ties by generation order

- n_req: required criteria that failed or are unknown.
- n_unk: all criteria that are unknown.
- L_prio: missed criteria weighted by how much of the story they carry: state transition first (action 4, state and
  placement 3, presence and absence 2, everything else 1); preferences count half.
- L_cont: missed criteria about what continues across cuts: identity, place, light, viewpoint.
- L_pref: missed preferences.
- L_tech: the technical loss of the file, from its checks: 0 for a faultless one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from storyengine.continuity.judgement import Judgement

WEIGHTS = {"action": 4.0, "state": 3.0, "placement": 3.0, "presence": 2.0, "absence": 2.0}
CONTINUING = ("identity", "environment", "light", "camera")


class Rank(NamedTuple):
    """Compared from left to right; smaller is better."""

    missed_required: int
    unknown: int
    priority_loss: float
    continuity_loss: float
    preference_loss: float
    technical_loss: float


def rank(judgement: Judgement, technical_loss: float = 0.0) -> Rank:
    missed = judgement.missed()
    return Rank(
        missed_required=len(judgement.missed_required()),
        unknown=len(judgement.unknown()),
        priority_loss=sum(WEIGHTS.get(c.evidence, 1.0) * (1.0 if c.required else 0.5) for c in missed),
        continuity_loss=float(sum(c.evidence in CONTINUING for c in missed)),
        preference_loss=float(sum(not c.required for c in missed)),
        technical_loss=technical_loss,
    )


@dataclass(frozen=True)
class Ranked:
    """A technically valid candidate with its rank; `order` is the order of generation."""

    order: int
    rank: Rank

    @property
    def accepted(self) -> bool:
        """Whether it satisfies every required criterion."""
        return self.rank.missed_required == 0


def select(candidates: list[Ranked]) -> Ranked | None:
    """The first that satisfies everything required, else the best by rank; None where none is valid."""
    accepted = [candidate for candidate in candidates if candidate.accepted]
    if accepted:
        return min(accepted, key=lambda candidate: candidate.order)
    return min(candidates, key=lambda candidate: (candidate.rank, candidate.order), default=None)
