"""The evaluator behind the judge port: frames, references and statements in, verdicts with evidence out."""

from __future__ import annotations

from collections.abc import Mapping

import anyio.to_thread

from storyengine.backends.ports import Box, JudgeCapabilities, JudgeRequest, LocateRequest, Statement, Verdict
from storyengine.language.captions import read_caption
from storyengine.media.picture import Picture
from storyengine.plan import Entity
from storyengine.previz.evaluator.deciding import decide
from storyengine.previz.evaluator.eye import SURE, Eye
from storyengine.previz.evaluator.seeing import Sight, look_at
from storyengine.previz.evaluator.subjects import Subjects, read_subjects

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
    eye = Eye(subjects, look_at(request.frames))
    return tuple(decide(eye, statement) for statement in request.statements)


def locate(request: LocateRequest) -> dict[str, Box | None]:
    """Boxes of things by their captions; None for what is not surely seen."""
    named = {thing.id: entity for thing in request.things if (entity := _entity(thing)) is not None}
    captions = tuple(thing.text for thing in request.things)
    subjects = read_subjects(captions, ())
    eye = Eye(subjects, (Sight(0, 0.0, Picture.from_bytes(request.image)),))
    return {thing.id: _box(eye, subjects, named.get(thing.id)) for thing in request.things}


def _entity(thing: Statement) -> Entity | None:
    subject = read_caption(thing.text)
    return subject if isinstance(subject, Entity) else None


def _box(eye: Eye, subjects: Subjects, entity: Entity | None) -> Box | None:
    found = eye.where(0, entity.id) if entity is not None else None
    return eye.sights[0].box(found.rect) if found is not None and found.score >= SURE else None
