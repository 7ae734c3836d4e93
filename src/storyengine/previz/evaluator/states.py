"""Statements about a thing's state, told by holding the region against the pictures of its states."""

from __future__ import annotations

import numpy as np

from storyengine.backends.ports import Box
from storyengine.language.claims import HasAttribute
from storyengine.previz.evaluator.eye import DOUBTFUL, SURE, Eye
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown
from storyengine.previz.evaluator.search import Candidate, Palette, like_layout
from storyengine.previz.evaluator.seeing import Sight
from storyengine.previz.evaluator.signature import ALIKE
from storyengine.previz.evaluator.subjects import Appearance

CLEAR = 0.05
"""Difference of likeness between two states' pictures that decides."""
SAME, OTHER = 0.62, 0.40
"""Likeness to the only picture there is, from which the state is shown, and below which it is not."""


def has_attribute(eye: Eye, frame: int, claim: HasAttribute) -> Opinion:
    candidates = eye.thing(frame, claim.entity)
    name = eye.name(claim.entity)
    if not candidates or candidates[0].score < DOUBTFUL:
        return unknown(f"{name} is not seen", frame)
    sight, best = eye.sights[frame], candidates[0]
    box = sight.box(best.rect)
    if best.score < SURE:
        return unknown(f"a region may be {name} ({best.score:.2f} sure)", frame, box)
    subject = eye.subjects.things[claim.entity]
    right = [a for a in subject.appearances if claim.value in a.values]
    wrong = [a for a in subject.appearances if a.values and claim.value not in a.values]
    if not right and not wrong:
        return unknown(f"no picture of {name} in any state was shown", frame, box)
    like = max((state_likeness(eye, sight, best, a) for a in right), default=None)
    unlike = max((state_likeness(eye, sight, best, a) for a in wrong), default=None)
    return _decided(name, claim.value, like, unlike, frame, box)


def _decided(name: str, value: str, like: float | None, unlike: float | None, frame: int, box: Box | None) -> Opinion:
    if like is not None and unlike is not None:
        told = f"likeness to '{value}' {like:.2f}, to another state {unlike:.2f}"
        if abs(like - unlike) < CLEAR:
            return unknown(told, frame, box)
        return passed(told, frame, box) if like > unlike else failed(told, frame, box)
    if like is not None:
        told = f"likeness to the picture of '{value}' {like:.2f}"
        if like >= SAME:
            return passed(told, frame, box)
        return failed(told, frame, box) if like < OTHER else unknown(told, frame, box)
    other = unlike or 0.0
    told = f"likeness to a picture of another state {other:.2f}"
    return failed(told, frame, box) if other >= SAME else unknown(told, frame, box)


def state_likeness(eye: Eye, sight: Sight, candidate: Candidate, appearance: Appearance) -> float:
    """How alike a region and a reference picture are: colours in their shares, silhouette, arrangement."""
    palette: Palette = eye.around.palette_of(appearance.signature)
    rect = candidate.rect.grown(0.08 * candidate.rect.w, 0.08 * candidate.rect.h).within(sight.shape)
    bins = np.asarray(rect.cut(sight.bins), np.uint16)
    shown = palette.any[bins] > ALIKE
    counts = np.bincount(palette.nearest[bins][shown], minlength=len(palette.signature.shares)).astype(np.float32)
    shares = counts / max(float(counts.sum()), 1.0)
    composition = 1 - 0.5 * float(np.abs(shares - palette.signature.shares).sum())
    layout = like_layout(sight, candidate.rect, candidate.mask, appearance.signature)
    aspect = 0.5
    if appearance.signature.aspect is not None:
        aspect = float(np.exp(-abs(np.log(candidate.rect.w / candidate.rect.h / appearance.signature.aspect))))
    return 0.45 * composition + 0.35 * layout + 0.2 * aspect
