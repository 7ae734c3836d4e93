"""One shot, from its contract to its take.

shoot → check technically → judge → (repair → shoot)* until every required criterion passes or the budget is spent.
Failed motion or end criteria animate the accepted opening once more; failed criteria of the opening recompose it. The
contract never changes; a repair names the canonical statements that failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from storyengine.continuity.crew import FAILED_ATTEMPT, Crew
from storyengine.continuity.gate import GateDecision, Mode, resolve
from storyengine.continuity.judgement import Judgement
from storyengine.continuity.opening import Opener, OpeningTry
from storyengine.continuity.ranking import Rank, Ranked, rank, select
from storyengine.contract import Criterion, RenderContract, contract_data
from storyengine.errors import Refused, StoryEngineError, Unavailable
from storyengine.media.checks import TechnicalFinding, check_bytes
from storyengine.media.sampling import tail
from storyengine.prompts import pictures
from storyengine.runs.digest import digest

REPAIRS = 3
"""`T`: repairs after the first candidate, so at most four candidates."""


@dataclass(frozen=True)
class Candidate:
    """One attempt at a clip, with everything that was said about it."""

    order: int
    opening: OpeningTry
    clip: str | None
    """Digest of the file; None where the animator refused or failed."""
    faults: tuple[TechnicalFinding, ...]
    judgement: Judgement | None
    repair: tuple[Criterion, ...] = ()
    """What this attempt was asked to mend."""
    refusal: str = ""
    prompt: str = ""

    @property
    def rank(self) -> Rank | None:
        return rank(self.judgement) if self.judgement else None


@dataclass(frozen=True)
class Take:
    """What became of a shot."""

    contract: RenderContract
    gate: GateDecision
    openings: tuple[OpeningTry, ...]
    candidates: tuple[Candidate, ...]
    chosen: Candidate | None
    """None where no candidate is technically valid: the film gets a slate."""
    reason: str
    pinned: bool = False
    """Whether the author chose it."""

    @property
    def degraded(self) -> tuple[Criterion, ...]:
        """Required criteria that the take misses."""
        if self.chosen is None or self.chosen.judgement is None:
            return tuple(c for c in self.contract.criteria if c.required)
        return self.chosen.judgement.missed_required()

    @property
    def accepted(self) -> bool:
        return self.chosen is not None and not self.degraded

    @property
    def clip(self) -> str | None:
        return self.chosen.clip if self.chosen else None


@dataclass
class Shooting:
    """The loop of one shot."""

    opener: Opener
    rushes: dict[int, str] = field(default_factory=dict)
    """The last technically valid clip of every shot, judged or not: what can be shown if the work ends here."""
    candidates: list[Candidate] = field(default_factory=list)
    lost: list[StoryEngineError] = field(default_factory=list)
    """What ended attempts that gave no clip."""

    @property
    def contract(self) -> RenderContract:
        return self.opener.contract

    @property
    def crew(self) -> Crew:
        return self.opener.crew

    async def shoot(self, tail_picture: str | None, unusable: str) -> Take:
        """Gate, opening, candidates and repairs; the first that satisfies everything wins, else the best rank.

        A shot for which nothing could be made becomes a slate; a generator that could never be reached ends the run.
        """
        if self.opener.direction.take is not None:
            return await self._pinned(self.opener.direction.take)
        gate = await self.opener.meet_tail(tail_picture, unusable)
        try:
            opening = await self.opener.find()
        except Refused as error:
            return Take(self.contract, gate, (), (), None, error.message)
        repair: tuple[Criterion, ...] = ()
        for _ in range(REPAIRS + 1):
            candidate = await self._candidate(opening, repair)
            self.candidates.append(candidate)
            if candidate.judgement is not None and not candidate.judgement.missed_required():
                break
            repair = candidate.judgement.missed_required() if candidate.judgement else ()
            broken = [c for c in repair if c.decides_opening] or self._missed_twice()
            if broken and len(self.candidates) <= REPAIRS:
                opening = await self.opener.recompose(opening, broken)
        if len(self.lost) == len(self.candidates) and all(isinstance(e, Unavailable) for e in self.lost):
            raise self.lost[-1]
        return self._take(gate)

    def _missed_twice(self) -> list[Criterion]:
        """What two takes in a row from the same reused frame missed. That frame was made for another shot, and what
        happens in this one may happen outside it."""
        if len(self.candidates) < 2:
            return []
        before, last = self.candidates[-2:]
        if last.opening is not before.opening or last.opening.mode is not Mode.REUSE:
            return []
        missed = [c.judgement.missed_required() if c.judgement is not None else () for c in (before, last)]
        return [criterion for criterion in missed[1] if criterion in missed[0]]

    async def _pinned(self, clip: str) -> Take:
        """The author's choice: judged like any other, and used whatever is said of it."""
        slot = f"shot {self.contract.shot}/pinned/judge"
        judgement = await self.crew.judge_clip(slot, clip, self.contract.criteria, self.opener.evidence)
        first = self.crew.keep(self.crew.clip(clip).frames[0].to_png())
        opening = OpeningTry(Mode.FRESH, first, Judgement(self.opener.criteria, judgement.verdicts), pinned=True)
        chosen = Candidate(0, opening, clip, self._technical(clip), judgement)
        gate = resolve(None, "its take is pinned")
        return Take(self.contract, gate, (), (chosen,), chosen, "the author chose it", pinned=True)

    async def _candidate(self, opening: OpeningTry, repair: tuple[Criterion, ...]) -> Candidate:
        order = len(self.candidates)
        contract = self.contract
        prompt = pictures.video(self.opener.plan, self.opener.catalog, contract, repair=repair)
        prompt = pictures.with_notes(prompt, self.opener.direction.take_notes)
        slot = f"shot {contract.shot}/candidate {order + 1}"
        seed = self.opener.seed + self.opener.direction.take_seed + 100 + order
        try:
            clip = await self.crew.animate(
                slot, prompt, opening.picture, self.opener.references, contract.seconds, seed
            )
        except FAILED_ATTEMPT as error:
            self.lost.append(error)
            why = error.reason if isinstance(error, Refused) else error.message
            return Candidate(order, opening, None, (), None, repair, refusal=why, prompt=prompt)
        faults = await anyio.to_thread.run_sync(self._technical, clip)
        if faults:
            return Candidate(order, opening, clip, faults, None, repair, prompt=prompt)
        self.rushes[contract.shot] = clip
        judgement = await self.crew.judge_clip(f"{slot}/judge", clip, contract.criteria, self.opener.evidence)
        return Candidate(order, opening, clip, (), judgement, repair, prompt=prompt)

    def _technical(self, clip: str) -> tuple[TechnicalFinding, ...]:
        delivery = self.crew.delivery
        data = self.crew.read(clip)
        return check_bytes(data, width=delivery.width, height=delivery.height, seconds=self.contract.seconds)

    def _take(self, gate: GateDecision) -> Take:
        valid = [c for c in self.candidates if c.rank is not None]
        best = select([Ranked(c.order, c.rank) for c in valid if c.rank is not None])
        chosen = next((c for c in valid if best is not None and c.order == best.order), None)
        if best is None:
            reason = "no candidate is technically valid"
        elif best.accepted:
            reason = f"candidate {best.order + 1} is the first that satisfies every required criterion"
        else:
            reason = f"the budget is spent; candidate {best.order + 1} has the best rank"
        return Take(self.contract, gate, tuple(self.opener.tries), tuple(self.candidates), chosen, reason)


def tail_of(crew: Crew, take: Take | None) -> tuple[str | None, str]:
    """The last usable frame of a take, kept as a picture that knows its clip; or why there is none."""
    if take is None or take.clip is None:
        return None, "the shot before has no clip"
    picture = tail(crew.clip(take.clip).frames)
    if picture is None:
        return None, "the shot before ends in unusable frames"
    return crew.keep(picture.to_png()), ""


def audit(take: Take) -> dict[str, Any]:
    """Everything that was decided about a shot, as plain data."""
    return {
        "shot": take.contract.shot,
        "contract": contract_data(take.contract),
        "contract_digest": digest("RenderContract", contract_data(take.contract)),
        "gate": {
            "mode": take.gate.mode.name.lower(),
            "reason": take.gate.reason,
            "missed": take.gate.missed,
            "preserve": [c.id for c in take.gate.preserve],
            "do_not_copy": [c.id for c in take.gate.do_not_copy],
        },
        "openings": [
            {
                "mode": attempt.mode.name.lower(),
                "picture": attempt.picture,
                "pinned": attempt.pinned,
                "accepted": attempt.accepted,
                "prompt": attempt.prompt,
                "verdicts": _verdicts(attempt.judgement),
            }
            for attempt in take.openings
        ],
        "candidates": [_candidate_data(candidate) for candidate in take.candidates],
        "take": take.chosen.order + 1 if take.chosen else None,
        "clip": take.clip,
        "reason": take.reason,
        "pinned": take.pinned,
        "degraded": [c.id for c in take.degraded],
    }


def _candidate_data(candidate: Candidate) -> dict[str, Any]:
    return {
        "candidate": candidate.order + 1,
        "opening": candidate.opening.picture,
        "clip": candidate.clip,
        "faults": [str(fault) for fault in candidate.faults],
        "refusal": candidate.refusal,
        "repair": [c.id for c in candidate.repair],
        "prompt": candidate.prompt,
        "rank": candidate.rank._asdict() if candidate.rank else None,
        "verdicts": _verdicts(candidate.judgement) if candidate.judgement else [],
    }


def _verdicts(judgement: Judgement) -> list[dict[str, Any]]:
    verdicts: Sequence[Any] = [judgement.verdicts[criterion.id] for criterion in judgement.criteria]
    return [
        {
            "id": verdict.id,
            "label": verdict.label,
            "evidence": verdict.evidence,
            "frame": verdict.frame,
            "box": vars(verdict.box) if verdict.box else None,
        }
        for verdict in verdicts
    ]
