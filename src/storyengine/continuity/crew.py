"""The crew of a film: painter, animator and judge, asked through the runner and never twice for the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import count

import anyio

from storyengine.backends.hired import Hired, Reference, read_box_file, read_verdict_file
from storyengine.backends.ports import Box, Statement, Verdict
from storyengine.continuity.judgement import Judgement, filled_up, in_form, questions, read_verdicts
from storyengine.contract import Criterion
from storyengine.errors import CorruptData, Malformed, Refused, Unavailable
from storyengine.media.clip import Clip
from storyengine.media.picture import Picture
from storyengine.prompts import pictures
from storyengine.request import Delivery
from storyengine.runs.runner import Runner
from storyengine.runs.step import Failed

CLIP_FRACTIONS = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0)
"""Endpoints and uniformly spread interior frames of a candidate, as the judge sees it."""

ASK_AGAIN = 2
"""A judge that answers out of form is asked so often again. Asking never buys a new picture."""


RECENT = 6
"""Decoded pictures that are kept at hand."""

FAILED_ATTEMPT = (Refused, Unavailable, Malformed)
"""What one attempt at a picture or clip may end in without ending the film: the next attempt has another seed."""


@dataclass(frozen=True)
class Crew:
    """Who makes the film."""

    runner: Runner
    painter: Hired
    animator: Hired
    judge: Hired
    delivery: Delivery
    captions: tuple[str, ...]
    """Everybody and everything of the story in one line each, so that a judge knows what statements speak of."""
    _recent: dict[str, Picture] = field(default_factory=dict, init=False, repr=False, compare=False)

    async def paint(
        self, slot: str, stage: str, prompt: str, references: Sequence[Reference], size: tuple[int, int], seed: int
    ) -> str:
        """A picture for a prompt; returns its digest in the store."""
        width, height = size
        params = {"prompt": prompt, "prompt_version": pictures.VERSION, "width": width, "height": height, "seed": seed}
        allowed = references[: self.painter.backend.capabilities.max_references]
        step = self.painter.step("paint", slot, stage, params, allowed)
        digest = (await self.runner.do(step)).digest
        try:
            await anyio.to_thread.run_sync(self.picture, digest)
        except CorruptData as error:
            raise Malformed(f"The painter returned no readable picture: {error.message}") from None
        return digest

    async def animate(
        self, slot: str, prompt: str, opening: str, references: Sequence[Reference], seconds: float, seed: int
    ) -> str:
        """A clip from an opening; returns its digest in the store."""
        params = {
            "prompt": prompt,
            "prompt_version": pictures.VERSION,
            "seconds": seconds,
            "width": self.delivery.width,
            "height": self.delivery.height,
            "fps": self.delivery.fps,
            "seed": seed,
        }
        allowed = references[: self.animator.backend.capabilities.max_references]
        step = self.animator.step("animate", slot, "clips", params, allowed, {"opening": opening})
        return (await self.runner.do(step)).digest

    async def judge_picture(
        self,
        slot: str,
        stage: str,
        picture: str,
        criteria: tuple[Criterion, ...],
        references: Sequence[Reference],
        *,
        again: bool = False,
    ) -> Judgement:
        """Verdicts on a picture. `again`: a second look, not the answer to the first."""
        return await self._judge(slot, stage, picture, (), criteria, references, look=2 if again else 1)

    async def judge_clip(
        self, slot: str, clip: str, criteria: tuple[Criterion, ...], references: Sequence[Reference]
    ) -> Judgement:
        return await self._judge(slot, "judging", clip, CLIP_FRACTIONS, criteria, references)

    async def _judge(
        self,
        slot: str,
        stage: str,
        media: str,
        fractions: Sequence[float],
        criteria: tuple[Criterion, ...],
        references: Sequence[Reference],
        look: int = 1,
    ) -> Judgement:
        """Exactly one verdict per criterion; a malformed answer is asked for again, a bounded number of times.

        When the bound is reached, what was answered in form counts and the rest is UNKNOWN; where nothing was, the
        judge is of no use and its error ends the run. A judge that declines to look leaves everything UNKNOWN.
        """
        statements = [asdict(question) for question in questions(criteria)]
        asked = 0
        best: dict[str, Verdict] = {}
        for attempt in count():
            params = {
                "statements": statements,
                "fractions": list(fractions),
                "about": list(self.captions),
                "attempt": attempt,
                "look": look,
            }
            step = self.judge.step("judge", slot, stage, params, references, {"media": media})
            result = await self.runner.attempt(step)
            if isinstance(result, Failed):
                if isinstance(result.error, Refused):
                    return filled_up(criteria, {}, f"The judge declined: {result.error.reason}")
                raise result.error
            try:
                verdicts = read_verdict_file(self.read(result.artifact.digest))
                best = max(best, in_form(criteria, verdicts), key=len)
                return read_verdicts(criteria, verdicts)
            except Malformed as error:
                last = error
            if attempt >= ASK_AGAIN and best:
                return filled_up(criteria, best, "The judge gave no verdict in form.")
            asked += not result.hit  # what an earlier run was told out of form does not count in this one
            if asked > ASK_AGAIN:
                break
        raise Malformed(
            f"The judge {self.judge.name!r} answered {asked} times out of form: {last.message}",
            next_step="Choose another judge, or run again later; nothing made so far is lost.",
        )

    async def locate(self, slot: str, picture: str, things: Sequence[Statement]) -> dict[str, Box | None]:
        """Where things are in a picture, by their captions."""
        params = {"things": [asdict(thing) for thing in things]}
        step = self.judge.step("locate", slot, "grounding", params, (), {"media": picture})
        return read_box_file(self.read((await self.runner.do(step)).digest))

    def read(self, digest: str) -> bytes:
        return self.runner.project.store.get(digest)

    def keep(self, data: bytes) -> str:
        """Put something derived into the store; returns its digest."""
        return self.runner.project.store.put(data).digest

    def picture(self, digest: str) -> Picture:
        """A picture of the store; the last few are at hand, since a panorama is looked at many times over."""
        found = self._recent.get(digest)
        if found is None:
            found = self._recent[digest] = Picture.from_bytes(self.read(digest))
            for oldest in list(self._recent)[:-RECENT]:
                self._recent.pop(oldest, None)
        return found

    def clip(self, digest: str) -> Clip:
        return Clip.from_bytes(self.read(digest))
