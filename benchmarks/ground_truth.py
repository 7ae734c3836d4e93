"""What the studio's pictures and clips really show, criterion by criterion. Not a benchmark itself.

A witness answers from the renderer's truth; a truthful judge is a witness behind the judge's port, so that the loop
can be measured apart from the evaluator. What the truth cannot say (a gesture, light on a face) is None, and PASS with
the judge.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from storyengine.backends.ports import Box, JudgeCapabilities, JudgeRequest, LocateRequest, Verdict
from storyengine.continuity.crew import CLIP_FRACTIONS
from storyengine.language import Changes, Claim, FreeOf, Happens, InEnvironment, parse
from storyengine.language.captions import captions_of, read_caption, read_catalog
from storyengine.media.clip import Clip
from storyengine.media.picture import Picture
from storyengine.media.sampling import at_fractions, tail_index
from storyengine.plan import Catalog, SemanticPlan
from storyengine.previz.looks import PersonLook
from storyengine.previz.studio.drawing import draw_view
from storyengine.previz.studio.index import Index, Track
from storyengine.previz.studio.scene import Scene, Setting
from storyengine.previz.studio.sets import place_of
from storyengine.previz.studio.staging import numbers, rest
from storyengine.previz.studio.truth import Truth, holds, truth_of
from storyengine.runs.digest import digest_bytes

SIZE = (640, 360)
"""Size at which ids are drawn: large enough for the smallest thing that counts as seen."""
PROBE, LOCATED = 320, 0.001
"""Size at which a probe is looked at, and the share of it from which a thing is found there."""


@dataclass(frozen=True)
class Canon:
    """The canonical places and faces of a story, as its references show them."""

    settings: Mapping[str, Setting]
    faces: Mapping[str, PersonLook]

    @staticmethod
    def of(scenes: Iterable[Scene | None]) -> "Canon":
        """From what views, panoramas and identity sheets show."""
        settings, faces = {}, {}
        for scene in scenes:
            if scene is not None and scene.setting is not None and not scene.actors:
                settings[scene.setting.id] = scene.setting
            elif scene is not None and scene.subject == "sheet" and scene.actors:
                faces[scene.actors[0].id] = scene.actors[0].look
        return Canon(settings, faces)


@dataclass(frozen=True)
class Witness:
    """Knows what a few moments show, in their order."""

    scenes: tuple[Scene, ...]
    catalog: Catalog
    """As the studio knows it: from captions."""
    canon: Canon

    @cached_property
    def truths(self) -> tuple[Truth, ...]:
        return tuple(truth_of(scene, *SIZE) for scene in self.scenes)

    def says(self, statement: str, phase: str) -> bool | None:
        """Whether a statement is true in its phase; None where the truth cannot say."""
        claim = parse(statement, self.catalog)
        if claim is None or isinstance(claim, Happens):
            return None
        if isinstance(claim, Changes):
            return _both(self._at(claim.before, 0), self._at(claim.after, -1))
        if phase == "start":
            return self._at(claim, 0)
        if phase == "end":
            return self._at(claim, -1)
        return _all(self._at(claim, number) for number in range(len(self.scenes)))

    def _at(self, claim: Claim, number: int) -> bool | None:
        truth = self.truths[number]
        if isinstance(claim, InEnvironment) and claim.environment in self.canon.settings:
            return truth.scene.setting == self.canon.settings[claim.environment]
        if isinstance(claim, FreeOf) and claim.thing != "on-screen text":
            return True  # the studio never makes these; frozen files fail the technical checks
        return holds(claim, truth, self.catalog, self.canon.faces)


def studio_catalog(plan: SemanticPlan) -> Catalog:
    """The catalog as the studio reads it from captions: ids are made from names there."""
    return read_catalog(captions_of(Catalog.of(plan)))


def seen_by_judge(track: Track) -> tuple[Scene, ...]:
    """The moments of a clip that a judge is shown."""
    return tuple(track.at(number) for number in at_fractions(len(track.lenses), CLIP_FRACTIONS))


def _both(first: bool | None, second: bool | None) -> bool | None:
    if first is False or second is False:
        return False
    return None if first is None or second is None else True


def _all(answers: Iterable[bool | None]) -> bool | None:
    found = set(answers)
    return False if False in found else (None if None in found else True)


class TruthfulJudge:
    """A judge that knows. It recognises frames by their pixels, and what is cut out of panoramas too."""

    capabilities = JudgeCapabilities(max_frames=16, locate=True)

    def __init__(self, index: Index, plan: SemanticPlan) -> None:
        self._index, self._catalog = index, studio_catalog(plan)
        self._frames: dict[str, Scene] = {}
        self._references: dict[str, Scene | None] = {}

    def watch(self, animator: Any) -> None:
        """Remember what the frames of every clip show, as it is fetched."""
        fetch: Callable[[str], Any] = animator.fetch

        async def fetched(job: str) -> bytes:
            data: bytes = await fetch(job)
            self.remember(data)
            return data

        animator.fetch = fetched

    def remember(self, data: bytes) -> None:
        try:
            clip = Clip.from_bytes(data)
        except Exception:  # a broken file shows nothing
            return
        track = self._index.track(clip.digest)
        if track is None:
            return
        frames = clip.frames
        last = tail_index(frames)
        wanted = {*at_fractions(len(frames), CLIP_FRACTIONS), *([last] if last is not None else [])}
        for number in wanted:
            self._frames[frames[number].digest] = track.at(number)

    async def judge(self, request: JudgeRequest) -> tuple[Verdict, ...]:
        scenes = [self._scene(frame.image) for frame in request.frames]
        canon = Canon.of(self._reference(reference.image) for reference in request.references)
        known = tuple(scene for scene in scenes if scene is not None)
        if len(known) < len(scenes) or any(scene.subject != "view" for scene in known):
            # A reference or a backdrop: nothing in it is a scene that could be wrong.
            return tuple(Verdict(s.id, "PASS", "not a scene") for s in request.statements)
        witness = Witness(known, self._catalog, canon)
        return tuple(self._verdict(witness, s.id, s.text, s.phase) for s in request.statements)

    def _verdict(self, witness: Witness, key: str, text: str, phase: str) -> Verdict:
        answer = witness.says(text, phase)
        return Verdict(key, "FAIL" if answer is False else "PASS", "known" if answer is not None else "nobody can say")

    def _reference(self, image: bytes) -> Scene | None:
        """What a reference shows; a panorama takes long to read, and every request has one."""
        key = digest_bytes(image)
        if key not in self._references:
            self._references[key] = self._index.recognise(Picture.from_bytes(image))
        return self._references[key]

    def _scene(self, image: bytes) -> Scene | None:
        picture = Picture.from_bytes(image)
        return self._frames.get(picture.digest) or self._index.scene(picture.digest)

    async def locate(self, request: LocateRequest) -> Mapping[str, Box | None]:
        scene = self._scene(request.image)
        if scene is None or scene.setting is None:
            return dict.fromkeys((thing.id for thing in request.things), None)
        ids = draw_view(scene, rest(scene), PROBE, PROBE, truth=True).ids
        assert ids is not None
        marks = {mark.id: mark.number for mark in place_of(scene.setting).landmarks.values()}
        known = {**marks, **numbers(scene)}
        subjects = {thing.id: read_caption(thing.text) for thing in request.things}
        return {
            name: box_of(ids == known[subject.id]) if subject is not None and subject.id in known else None
            for name, subject in subjects.items()
        }


def box_of(seen: npt.NDArray[np.bool_]) -> Box | None:
    """The box around some pixels; None for too few of them."""
    if seen.mean() < LOCATED:
        return None
    height, width = seen.shape
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    left, top = float(columns[0]) / width, float(rows[0]) / height
    return Box(left, top, float(columns[-1] + 1) / width - left, float(rows[-1] + 1) / height - top)


def canon_of(index: Index, read: Callable[[str], bytes], pictures: Sequence[str]) -> Canon:
    """The canon behind the digests of a library's pictures."""
    return Canon.of(index.recognise(Picture.from_bytes(read(digest))) for digest in pictures)
