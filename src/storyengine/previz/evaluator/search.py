"""Finding things: regions of a frame that show a thing's colours, judged by colour, composition, shape and contrast.

The colours that the place itself is full of say little; the search starts from those that it is not, and takes the
others into account where they touch. How sure a candidate is comes from one logistic formula (`certainty`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from storyengine.previz.evaluator.light import Gain
from storyengine.previz.evaluator.seeing import BINS, Floats, Mask, Rect, Sight, bins_of, shrunk
from storyengine.previz.evaluator.signature import ALIKE, Signature, bounding, layout_of, table
from storyengine.previz.evaluator.subjects import PersonSubject, Subjects, ThingSubject

SMALLEST = 0.0006
"""Share of the frame below which nothing is looked for."""
COMMON = 0.05
"""Share of the place's view from which a colour says little."""
MOST = 6
"""Candidates of one thing in one frame that are looked at closely."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A region that may be the thing."""

    rect: Rect
    mask: Mask
    """Of the rectangle."""
    share: float
    """Of the frame."""
    features: Floats
    score: float

    @property
    def touches_rim(self) -> bool:
        return self.rect.x <= 1 or self.rect.y <= 1


@dataclass(frozen=True, eq=False)
class Palette:
    """A signature under a light, ready to be looked up."""

    signature: Signature
    rows: Floats
    """(k, bins)"""
    common: Floats
    """(k,): share of the place's view that each colour explains."""

    @cached_property
    def any(self) -> Floats:
        return np.asarray(self.rows.max(axis=0), np.float32)

    @cached_property
    def nearest(self) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        return np.asarray(self.rows.argmax(axis=0), np.uint8)

    @cached_property
    def core(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """The colours that tell: rare in the place and not a mere speck of the thing."""
        shares = self.signature.shares
        tells = (self.common < COMMON) & (shares > 0.05)
        if tells.any():
            return np.asarray(tells, np.bool_)
        best = (
            np.argmin(np.where(shares > 0.12, self.common, np.inf)) if (shares > 0.12).any() else int(shares.argmax())
        )
        return np.asarray(np.arange(len(shares)) == best, np.bool_)

    @cached_property
    def telling(self) -> Floats:
        return np.asarray(self.rows[self.core].max(axis=0), np.float32)


class Surroundings:
    """What is known before a single thing is looked for: the light, the place's colours, everybody's palettes."""

    def __init__(self, subjects: Subjects, gain: Gain) -> None:
        self.subjects = subjects
        self.gain = gain
        view = subjects.place.view if subjects.place else None
        self.background: Floats | None = _histogram(view.pixels) if view is not None else None
        self._palettes: dict[str, Palette] = {}

    def palette(self, subject: ThingSubject | PersonSubject) -> Palette:
        known = self._palettes.get(subject.entity.id)
        if known is None:
            known = self.palette_of(subject.signature)
            self._palettes[subject.entity.id] = known
        return known

    def palette_of(self, signature: Signature) -> Palette:
        rows = table(signature, self.gain)
        background = self.background if self.background is not None else np.zeros(BINS, np.float32)
        common = np.array([float(background[row > ALIKE].sum()) for row in rows], np.float32)
        return Palette(signature, rows, common)

    def rivals(self, entity: str) -> Floats:
        """For every bin, how well anybody and anything else explains it."""
        best = np.zeros(BINS, np.float32)
        everybody: Mapping[str, ThingSubject | PersonSubject] = {**self.subjects.things, **self.subjects.people}
        for other, subject in everybody.items():
            if other != entity and (not isinstance(subject, ThingSubject) or subject.pictured):
                palette = self.palette(subject)
                best = np.maximum(best, palette.rows[palette.signature.shares > 0.08].max(axis=0, initial=0.0))
        return best


def _histogram(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Floats:
    counts = np.bincount(bins_of(shrunk(pixels, 320)).ravel(), minlength=BINS).astype(np.float32)
    return np.asarray(counts / counts.sum(), np.float32)


def find_thing(
    sight: Sight, subject: ThingSubject, around: Surroundings, free: Mask | None = None
) -> tuple[Candidate, ...]:
    """Candidates for a thing, the most certain first. `free` excludes what is known to be something else."""
    palette = around.palette(subject)
    table_ = palette.telling.copy()
    table_[around.rivals(subject.entity.id) > table_ + 0.2] = 0.0
    seen = table_[sight.bins] > ALIKE
    if free is not None:
        seen &= free
    found = [_candidate(sight, palette, rect) for rect in _regions(seen)]
    kept = [candidate for candidate in found if candidate is not None]
    return tuple(sorted(kept, key=lambda c: -c.score))


def _regions(seen: Mask) -> list[Rect]:
    """Connected regions, gaps of outlines and handles closed, largest first."""
    closed = cv2.morphologyEx(seen.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    closed = cv2.morphologyEx(closed, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    order = np.argsort(-stats[1:, cv2.CC_STAT_AREA]) + 1 if count > 1 else np.array([], int)
    least = SMALLEST * seen.size
    return [Rect(*(int(v) for v in stats[k][:4])) for k in order[:MOST] if stats[k, cv2.CC_STAT_AREA] >= least]


def _candidate(sight: Sight, palette: Palette, core: Rect) -> Candidate | None:
    """The region grown by the thing's other colours where they touch it, with its features."""
    reach = max(3.0, 0.10 * max(core.w, core.h))
    window = core.grown(reach).within(sight.shape)
    bins = np.asarray(window.cut(sight.bins), np.uint16)
    # Colours that the place is full of count only inside the core's own rectangle.
    inner = Rect(core.x - window.x, core.y - window.y, core.w, core.h)
    rare = palette.rows[palette.common < 3 * COMMON]
    wide = rare.max(axis=0)[bins] > ALIKE if len(rare) else np.zeros(bins.shape, bool)
    inside = np.zeros(bins.shape, bool)
    inside[inner.y : inner.bottom, inner.x : inner.right] = True
    mask = wide | (inside & (palette.any[bins] > ALIKE))
    mask = _connected(mask, inner)
    rect = bounding(mask)
    if rect is None or mask.sum() < SMALLEST * sight.bins.size:
        return None
    own = np.asarray(rect.cut(mask), np.bool_)
    where = Rect(window.x + rect.x, window.y + rect.y, rect.w, rect.h)
    features = _features(sight, palette, where, own)
    return Candidate(where, own, sight.share(float(own.sum())), features, certainty(features))


def _connected(mask: Mask, inner: Rect) -> Mask:
    """The parts of a mask that hang together with the core rectangle's content."""
    joined = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, _, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    if count <= 1:
        return mask
    inside = labels[inner.y : inner.bottom, inner.x : inner.right]
    weight = np.bincount(inside.ravel(), minlength=count)
    weight[0] = 0
    keep = weight >= max(0.15 * weight.max(), 1)
    return np.asarray(keep[labels] & (joined > 0), np.bool_)


FEATURES = (
    "likeness", "composition", "size", "fill", "aspect", "rarity", "contrast", "chroma", "layout", "pictured",
    "whole", "bulk",
)  # fmt: skip


def _features(sight: Sight, palette: Palette, rect: Rect, mask: Mask) -> Floats:
    signature = palette.signature
    bins = np.asarray(rect.cut(sight.bins), np.uint16)[mask]
    likeness = float(palette.any[bins].mean())
    seen = np.bincount(palette.nearest[bins], minlength=len(signature.shares)).astype(np.float32)
    seen /= max(float(seen.sum()), 1.0)
    composition = 1 - 0.5 * float(np.abs(seen - signature.shares).sum())
    fill = float(mask.mean())
    cut_off = rect.x <= 1 or rect.y <= 1 or rect.right >= sight.shape[1] - 1 or rect.bottom >= sight.shape[0] - 1
    like_fill = 1 - abs(fill - signature.fill) if signature.fill is not None else 0.6
    like_aspect = 0.5
    if signature.aspect is not None:
        like_aspect = float(np.exp(-abs(np.log(rect.w / rect.h / signature.aspect))))
    rarity = float(1 - min(1.0, float(palette.common[palette.core].max(initial=0.0)) / 0.2))
    return np.array(
        [
            likeness,
            composition,
            np.log10(max(float(mask.sum()) / sight.bins.size, 1e-5)),
            like_fill,
            like_aspect,
            rarity,
            _contrast(sight, rect, mask),
            signature.chroma,
            like_layout(sight, rect, mask, signature),
            float(signature.layout is not None),
            float(not cut_off),
            float(min(1.0, likeness * composition)),
        ],
        np.float32,
    )


def _contrast(sight: Sight, rect: Rect, mask: Mask) -> float:
    """How much of the outline lies on an edge of the picture: things end at lines, patches of a wall do not."""
    padded = np.pad(mask.astype(np.uint8), 1)
    rim = (cv2.dilate(padded, np.ones((3, 3), np.uint8)) - cv2.erode(padded, np.ones((3, 3), np.uint8))) > 0
    window = rect.grown(1)
    inside = window.within(sight.shape)
    rim = rim[inside.y - window.y : inside.bottom - window.y, inside.x - window.x : inside.right - window.x]
    edges = np.asarray(inside.cut(sight.edges), np.float32)[rim]
    return float((edges > 0.12).mean()) if edges.size else 0.0


def like_layout(sight: Sight, rect: Rect, mask: Mask, signature: Signature) -> float:
    """How alike the arrangement of colours is to the reference picture's, the right way or mirrored, 0…1."""
    if signature.layout is None:
        return 0.5
    own = layout_of(np.asarray(rect.cut(sight.small), np.uint8), mask, Rect(0, 0, rect.w, rect.h))
    return max(layout_likeness(own, signature.layout), layout_likeness(own, signature.layout[:, ::-1]))


def layout_likeness(a: Floats, b: Floats) -> float:
    """Silhouettes must overlap, and colours, freed of their common brightness, must agree where they do."""
    here, there = ~np.isnan(a[..., 0]), ~np.isnan(b[..., 0])
    both = here & there
    if both.sum() < 6:
        return 0.0
    overlap = both.sum() / max(int((here | there).sum()), 1)
    x, y = a[both], b[both]
    x, y = x / max(float(x.mean()), 1e-3), y / max(float(y.mean()), 1e-3)
    apart = float(np.abs(x - y).mean())
    return float(overlap * np.exp(-1.6 * apart))


WEIGHTS: Floats = np.array([2.0, 2.0, 0.6, 1.0, 1.0, 2.0, 1.5, 1.0, 2.0, 0.0, 0.3, 1.0], np.float32)
BIAS = -5.2


def certainty(features: Floats) -> float:
    """0…1: how sure a candidate is the thing."""
    return float(1 / (1 + np.exp(-(float(features @ WEIGHTS) + BIAS))))


def best(candidates: Sequence[Candidate]) -> Candidate | None:
    return candidates[0] if candidates else None
