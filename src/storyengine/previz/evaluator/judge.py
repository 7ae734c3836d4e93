"""The evaluator behind the judge port: frames, references and statements in, verdicts with evidence out."""

from __future__ import annotations

from collections.abc import Mapping

import anyio.to_thread

from storyengine.backends.ports import Box, JudgeCapabilities, JudgeRequest, LocateRequest, Statement, Verdict
from storyengine.language import parse
from storyengine.language.captions import read_caption
from storyengine.plan import Entity
from storyengine.previz.evaluator.deciding import decide
from storyengine.previz.evaluator.eye import Eye
from storyengine.previz.evaluator.finding import search
from storyengine.previz.evaluator.seeing import Sight, look_at
from storyengine.previz.evaluator.subjects import read_subjects, thing_subject

MOST_FRAMES = 16


class PrevizJudge:
    """Looks at pixels and nothing else. The same frames and statements give the same verdicts."""

    @property
    def capabilities(self) -> JudgeCapabilities:
        return JudgeCapabilities(max_frames=MOST_FRAMES, locate=True)

    async def judge(self, request: JudgeRequest) -> tuple[Verdict, ...]:
        return await anyio.to_thread.run_sync(judge, request)

    async def locate(self, request: LocateRequest) -> Mapping[str, Box | None]:
        return await anyio.to_thread.run_sync(locate, request)


def judge(request: JudgeRequest) -> tuple[Verdict, ...]:
    """One verdict per statement. Raises CorruptData when a frame is no picture."""
    subjects = read_subjects(request.captions, request.references)
    claims = (parse(statement.text, subjects.catalog) for statement in request.statements)
    eye = Eye(subjects, look_at(request.frames), [claim for claim in claims if claim is not None])
    return tuple(decide(eye, statement) for statement in request.statements)


LOCATED = 2.0
"""Log-odds from which something that is looked for is located. A camera aimed at the wrong thing costs more than one
that is left to the painter: on probes of seed 103 six in seven boxes are right from here on, half of those above 0."""


def locate(request: LocateRequest) -> dict[str, Box | None]:
    """Boxes of things by their captions; None for what is not surely seen."""
    sight = Sight(0, 0.0, request.image, sharp=True)
    return {thing.id: _box(sight, thing) for thing in request.things}


def _box(sight: Sight, thing: Statement) -> Box | None:
    """What has no pictures of its own is looked for as a thing and as equipment of a place; the surer one counts."""
    entity = read_caption(thing.text)
    if not isinstance(entity, Entity) or entity.kind != "prop":
        return None
    kinds = (thing_subject(entity), thing_subject(entity, fixed=True))
    best = max((search(sight, subject.query, subject.known) for subject in kinds), key=lambda found: found.odds)
    return sight.box(best.best.rect) if best.odds >= LOCATED and best.best is not None else None
