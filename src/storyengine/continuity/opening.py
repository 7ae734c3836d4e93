"""The opening: a first frame that satisfies every hard start criterion before anything is animated.

reuse the tail → compose with what of it is true (reference) → compose afresh; never upwards again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from storyengine.backends.hired import Reference
from storyengine.continuity.crew import FAILED_ATTEMPT, Crew
from storyengine.continuity.direction import Direction
from storyengine.continuity.gate import GateDecision, Mode, fall_back, resolve
from storyengine.continuity.judgement import Judgement
from storyengine.continuity.ranking import rank
from storyengine.contract import Criterion, RenderContract
from storyengine.errors import Refused, StoryEngineError, Unavailable
from storyengine.media.picture import PNG, Picture
from storyengine.plan import Catalog, SemanticPlan
from storyengine.prompts import pictures

ATTEMPTS = {Mode.REUSE: 1, Mode.REFERENCE: 2, Mode.FRESH: 2}
"""How many openings are tried in each mode."""

TAIL_CAPTION = "the last frame of the shot before; keep only what PRESERVE names"


@dataclass(frozen=True)
class OpeningTry:
    """One opening and what the judge said of it."""

    mode: Mode
    picture: str
    judgement: Judgement
    prompt: str = ""
    pinned: bool = False
    """Whether the author chose it: then it is used, accepted or not."""

    @property
    def accepted(self) -> bool:
        return not [c for c in self.judgement.missed() if c.decides_opening]


@dataclass
class Opener:
    """Finds the opening of one shot. Keeps its place: asked again, it goes on, never in a higher mode."""

    crew: Crew
    plan: SemanticPlan
    catalog: Catalog
    contract: RenderContract
    references: tuple[Reference, ...]
    """What the painter and the animator are shown."""
    evidence: tuple[Reference, ...]
    """What the judge is shown."""
    seed: int
    direction: Direction = field(default_factory=Direction)
    decision: GateDecision = field(default_factory=lambda: resolve(None, "it is the first shot"))
    tail: str | None = None
    tries: list[OpeningTry] = field(default_factory=list)
    lost: list[tuple[Mode, StoryEngineError]] = field(default_factory=list)
    """Attempts that gave no picture: refused, failed or unreadable."""

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """What one frame at the start can show."""
        return tuple(c for c in self.contract.criteria if c.phase in ("start", "always") and c.scope == "frame")

    async def meet_tail(self, tail: str | None, unusable: str) -> GateDecision:
        """Hold the last shot's tail against this shot's opening criteria, and decide how it may be used."""
        if tail is None or self.direction.opening is not None:
            self.decision = resolve(None, "its opening is pinned" if self.direction.opening else unusable)
        else:
            slot = f"shot {self.contract.shot}/gate"
            judgement = await self.crew.judge_picture(slot, "gate", tail, self.criteria, self.evidence)
            self.decision, self.tail = resolve(judgement), tail
            if self.direction.opening_seed and self.decision.mode is Mode.REUSE:
                self.decision = replace(fall_back(self.decision, None), reason="the author asked for another opening")
        return self.decision

    async def find(self, repair: Sequence[Criterion] = ()) -> OpeningTry:
        """The first opening that is accepted, else the best that was tried.

        Raises Refused where no attempt gave a picture, and Unavailable where the painter could never be reached.
        """
        if self.direction.opening is not None:
            return await self._pinned(self.direction.opening)
        start = len(self.tries)
        while True:
            for _ in range(self._left()):
                attempt = await self._try(repair)
                if attempt is not None and attempt.accepted:
                    return attempt
            if self.decision.mode is Mode.FRESH:
                break
            self.decision = fall_back(self.decision, self.tries[-1].judgement if self.tries else None)
        candidates = self.tries[start:] or self.tries
        if not candidates:
            raise self._no_opening()
        return min(candidates, key=lambda attempt: rank(attempt.judgement))

    async def recompose(self, before: OpeningTry, repair: Sequence[Criterion]) -> OpeningTry:
        """Another opening, for a repair of a shot: as `find` would, and when its attempts are spent one more, fresh.
        `before` stays where the author chose it, or where no other could be made."""
        if self.direction.opening is not None:
            return before
        if self.decision.mode is not Mode.FRESH or self._left() > 0:
            return await self.find(repair)
        return await self._try(repair) or before

    async def _pinned(self, pin: str) -> OpeningTry:
        """The author's picture in the size of the film; judged like any other."""
        data = self.crew.read(pin)
        own = Picture.from_bytes(data)
        fitted = own.fill(self.crew.delivery.width, self.crew.delivery.height)
        picture = pin if fitted is own and data.startswith(PNG) else self.crew.keep(fitted.to_png())
        slot = f"shot {self.contract.shot}/opening/pinned"
        judgement = await self.crew.judge_picture(slot, "openings", picture, self.criteria, self.evidence)
        self.tries.append(OpeningTry(Mode.FRESH, picture, judgement, pinned=True))
        return self.tries[-1]

    def _no_opening(self) -> StoryEngineError:
        errors = [error for _, error in self.lost]
        if all(isinstance(error, Unavailable) for error in errors):
            return errors[-1]
        last = next(error for error in reversed(errors) if not isinstance(error, Unavailable))
        reason = last.reason if isinstance(last, Refused) else last.message
        return Refused(f"No opening could be made for shot {self.contract.shot}: {reason}", reason)

    def _left(self) -> int:
        modes = [*(attempt.mode for attempt in self.tries), *(mode for mode, _ in self.lost)]
        used = sum(mode is self.decision.mode for mode in modes)
        return max(ATTEMPTS[self.decision.mode] - used, 0)

    async def _try(self, repair: Sequence[Criterion]) -> OpeningTry | None:
        number = len(self.tries) + len(self.lost) + 1
        slot = f"shot {self.contract.shot}/opening {number}"
        prompt = ""
        if self.decision.mode is Mode.REUSE and self.tail is not None:
            picture = self.tail
        else:
            missed = self.tries[-1].judgement.missed_required() if self.tries else ()
            prompt = pictures.opening(
                self.plan,
                self.catalog,
                self.contract,
                preserve=self.decision.preserve if self.decision.mode is Mode.REFERENCE else (),
                do_not_copy=self.decision.do_not_copy if self.decision.mode is Mode.REFERENCE else (),
                repair=tuple(dict.fromkeys((*repair, *missed))),
            )
            prompt = pictures.with_notes(prompt, self.direction.opening_notes)
            size = (self.crew.delivery.width, self.crew.delivery.height)
            references = self._with_tail()
            seed = self.seed + self.direction.opening_seed + number
            try:
                picture = await self.crew.paint(slot, "openings", prompt, references, size, seed)
            except FAILED_ATTEMPT as error:
                self.lost.append((self.decision.mode, error))
                return None
        again = self.decision.mode is Mode.REUSE  # the gate's look at it was the first
        judgement = await self.crew.judge_picture(
            f"{slot}/judge", "openings", picture, self.criteria, self.evidence, again=again
        )
        attempt = OpeningTry(self.decision.mode, picture, judgement, prompt)
        self.tries.append(attempt)
        return attempt

    def _with_tail(self) -> tuple[Reference, ...]:
        if self.decision.mode is Mode.REFERENCE and self.tail is not None:
            return (Reference(TAIL_CAPTION, self.tail), *self.references)
        return self.references
