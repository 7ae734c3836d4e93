"""Finding people: garments in their colours, under a head; and heads of people whom nobody named.

A named person is the region of their garments' colours, in the order from head to foot that their identity sheet
shows. A head is skin of a face's proportions above a body, with hair, a hat or a bald crown on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from storyengine.previz.evaluator.search import Palette, Surroundings
from storyengine.previz.evaluator.seeing import Floats, Mask, Rect, Sight
from storyengine.previz.evaluator.signature import ALIKE, Signature, bounding, likeness
from storyengine.previz.evaluator.subjects import Appearance, PersonSubject

SMALLEST = 0.002
SURE, DOUBTFUL = 0.6, 0.35


@dataclass(frozen=True, eq=False)
class Figure:
    """A region that may be the person."""

    rect: Rect
    mask: Mask
    share: float
    score: float
    """0…1."""
    order: float
    """Agreement of the colours' order from top to bottom with the sheet's, -1…1."""
    composition: float
    head: Rect | None
    """Where the head is, where it can be told."""


@dataclass(frozen=True, eq=False)
class Wardrobe:
    """A person's palette with the height at which each colour is worn: 0 is the crown, 1 the sole."""

    palette: Palette
    heights: Floats
    skin: Floats
    """Table of the person's skin."""


def wardrobe(subject: PersonSubject, around: Surroundings) -> Wardrobe:
    palette = around.palette(subject)
    heights = _heights(subject.figures, palette.signature) if subject.figures else _word_heights(subject)
    skin = likeness(np.array(subject.look.skin, np.float32), around.gain)
    return Wardrobe(palette, heights, skin)


def _heights(figures: tuple[Appearance, ...], signature: Signature) -> Floats:
    total = np.zeros(len(signature.colours))
    weight = np.full(len(signature.colours), 1e-6)
    for figure in figures:
        rect = bounding(figure.mask)
        if rect is None:
            continue
        pixels = np.asarray(rect.cut(figure.pixels), np.float32) / 255
        mask = np.asarray(rect.cut(figure.mask), np.bool_)
        rows = np.broadcast_to(np.arange(rect.h)[:, None] / rect.h, mask.shape)[mask]
        nearest = np.argmin(((pixels[mask][:, None] - signature.colours[None]) ** 2).sum(axis=2), axis=1)
        total += np.bincount(nearest, weights=rows, minlength=len(total))
        weight += np.bincount(nearest, minlength=len(total))
    return np.asarray(total / weight, np.float32)


_WORN_AT = {"trousers": 0.7, "shorts": 0.6, "skirt": 0.68, "dress": 0.5, "boots": 0.93, "shoes": 0.97, "clogs": 0.97,
            "waders": 0.75, "belt": 0.46, "gloves": 0.5, "fingerless gloves": 0.5, "apron": 0.5, "leather apron": 0.5,
            "coat": 0.45, "raincoat": 0.45, "overall": 0.55, "boiler suit": 0.5, "dungarees": 0.55}  # fmt: skip
_ON_HEAD = {"cap", "flat cap", "head-cloth", "hard hat", "wide hat", "woolly hat", "headscarf", "goggles", "spectacles"}


def _word_heights(subject: PersonSubject) -> Floats:
    worn = [0.05 if g.kind in _ON_HEAD else _WORN_AT.get(g.kind, 0.32) for g in subject.look.garments]
    return np.array([*worn, 0.12, 0.05], np.float32)


def find_person(sight: Sight, subject: PersonSubject, around: Surroundings) -> tuple[Figure, ...]:
    """Candidates for a person, the most certain first."""
    worn = wardrobe(subject, around)
    palette = worn.palette
    telling = palette.telling.copy()
    telling[around.rivals(subject.entity.id) > telling + 0.25] = 0.0
    telling_pixels = (telling[sight.bins] > ALIKE).astype(np.uint8)
    opened = cv2.morphologyEx(telling_pixels, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    seen = np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((13, 9), np.uint8)), np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(seen, connectivity=8)
    order = np.argsort(-stats[1:, cv2.CC_STAT_AREA]) + 1 if count > 1 else np.array([], int)
    found = []
    for k in order[:5]:
        if stats[k, cv2.CC_STAT_AREA] >= 0.4 * SMALLEST * seen.size:
            figure = _figure(sight, worn, Rect(*(int(v) for v in stats[k][:4])))
            if figure is not None:
                found.append(figure)
    return tuple(sorted(found, key=lambda figure: -figure.score))


def _figure(sight: Sight, worn: Wardrobe, core: Rect) -> Figure | None:
    """The region with the head above it and the rest of the clothes below it."""
    palette = worn.palette
    up, down, side = round(0.75 * core.w + 0.25 * core.h), round(0.9 * core.w + 0.3 * core.h), round(0.22 * core.w) + 3
    window = Rect(core.x - side, core.y - up, core.w + 2 * side, core.h + up + down).within(sight.shape)
    bins = np.asarray(window.cut(sight.bins), np.uint16)
    mask = palette.any[bins] > ALIKE
    mask |= worn.skin[bins] > ALIKE
    joined = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    joined = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, _, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    inner = labels[core.y - window.y : core.bottom - window.y, core.x - window.x : core.right - window.x]
    if count <= 1 or not inner.size:
        return None
    weight = np.bincount(inner.ravel(), minlength=count)
    weight[0] = 0
    keep = weight >= max(0.2 * weight.max(), 1)
    own = np.asarray(keep[labels], np.bool_)
    rect = bounding(own)
    if rect is None or own.sum() < SMALLEST * sight.bins.size:
        return None
    where = Rect(window.x + rect.x, window.y + rect.y, rect.w, rect.h)
    cut = np.asarray(rect.cut(own), np.bool_)
    return _scored(sight, worn, where, cut)


def _scored(sight: Sight, worn: Wardrobe, rect: Rect, mask: Mask) -> Figure:
    palette = worn.palette
    bins = np.asarray(rect.cut(sight.bins), np.uint16)
    rows = np.broadcast_to(np.arange(rect.h)[:, None] / max(rect.h, 1), mask.shape)[mask]
    values, nearest = palette.any[bins[mask]], palette.nearest[bins[mask]]
    size = len(palette.signature.shares)
    counts = np.bincount(nearest, minlength=size).astype(np.float32)
    mean = (np.bincount(nearest, weights=rows, minlength=size) / np.maximum(counts, 1)).astype(np.float32)
    shares = counts / max(float(counts.sum()), 1.0)
    order = _agreement(worn.heights, mean, np.minimum(shares, palette.signature.shares))
    cut_off = rect.bottom >= sight.shape[0] - 2
    expected = palette.signature.shares if not cut_off else _upper(palette.signature.shares, worn.heights)
    composition = 1 - 0.5 * float(np.abs(shares - expected).sum())
    head = _head(sight, worn, rect, mask)
    upright = float(np.clip(rect.h / max(rect.w, 1) / 1.3, 0, 1)) if not cut_off else 1.0
    telling = float((palette.telling[bins[mask]] > ALIKE).mean())
    z = -3.6 + 2.2 * float(values.mean()) + 2.6 * composition + 1.1 * order + 1.3 * (head is not None)
    z += 0.8 * upright + 1.2 * telling + 0.5 * np.log10(max(sight.share(float(mask.sum())), 1e-4) / 0.02)
    score = float(1 / (1 + np.exp(-z)))
    return Figure(rect, mask, sight.share(float(mask.sum())), score, order, composition, head)


def _agreement(wanted: Floats, seen: Floats, weight: Floats) -> float:
    """Weighted correlation of heights on the sheet and in the picture."""
    use = weight > 0.02
    if use.sum() < 2:
        return 0.3
    w = weight[use] / weight[use].sum()
    a, b = wanted[use] - (wanted[use] * w).sum(), seen[use] - (seen[use] * w).sum()
    size = float(np.sqrt((w * a * a).sum() * (w * b * b).sum()))
    return float((w * a * b).sum() / size) if size > 1e-4 else 0.3


def _upper(shares: Floats, heights: Floats) -> Floats:
    """What a figure cut off below the hips shows."""
    kept = shares * np.where(heights > 0.62, 0.15, 1.0)
    return np.asarray(kept / max(float(kept.sum()), 1e-6), np.float32)


def _head(sight: Sight, worn: Wardrobe, rect: Rect, mask: Mask) -> Rect | None:
    """Skin or hair at the top of the figure, of a head's proportions."""
    top = max(4, round(0.34 * rect.h))
    bins = np.asarray(rect.cut(sight.bins), np.uint16)[:top]
    skin = (worn.skin[bins] > ALIKE) & mask[:top]
    part = bounding(skin)
    if part is None or skin.sum() < 0.006 * mask.sum():
        return None
    # From the crown of the figure in these columns down to the end of the skin.
    columns = mask[: part.bottom, part.x : part.right]
    rows = np.flatnonzero(columns.any(axis=1))
    crown = int(rows[0]) if rows.size else part.y
    head = Rect(rect.x + part.x, rect.y + crown, part.w, part.bottom - crown)
    return head if 0.4 < head.w / max(head.h, 1) < 1.9 and head.h >= 5 else None


# --- heads of anybody ------------------------------------------------------------------------------------------

SKINS = (
    (0.93, 0.78, 0.68), (0.86, 0.62, 0.52), (0.90, 0.73, 0.61), (0.78, 0.60, 0.45), (0.74, 0.55, 0.40),
    (0.56, 0.38, 0.27), (0.40, 0.27, 0.19), (0.30, 0.20, 0.15),
)  # fmt: skip


@lru_cache(maxsize=16)
def _skin_table(gain: tuple[float, float, float]) -> Floats:
    return np.asarray(np.max([likeness(np.array(c, np.float32), gain) for c in SKINS], axis=0), np.float32)


def find_heads(
    sight: Sight, around: Surroundings, skins: tuple[tuple[float, float, float], ...] = SKINS
) -> tuple[Rect, ...]:
    """Faces of anybody: round patches of skin with a pair of eyes: two dark marks, level, with skin between."""
    if skins is SKINS:
        lut = _skin_table(around.gain)
    else:
        lut = np.max([likeness(np.array(c, np.float32), around.gain) for c in skins], axis=0)
    patches = (lut[sight.bins] > 0.3).astype(np.uint8)
    skin = np.asarray(cv2.morphologyEx(patches, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(skin, connectivity=4)
    heads = []
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        if area < 0.0004 * skin.size or not 0.45 < w / h < 1.25 or area / (w * h) < 0.42 or h < 14:
            continue
        if _has_eyes(sight, Rect(x, y, w, h), labels == k):
            heads.append(Rect(x, y, w, h))
    return tuple(heads)


def _has_eyes(sight: Sight, rect: Rect, skin: Mask) -> bool:
    """Two dark marks level with each other in the upper half of the patch, left and right of its middle."""
    grey = np.asarray(rect.cut(sight.grey), np.float32)
    own = np.asarray(rect.cut(skin), np.bool_)
    level = float(np.median(grey[own]))
    filled = cv2.morphologyEx(own.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)) > 0
    dark = (grey < 0.74 * level) & filled
    band = dark[round(0.12 * rect.h) : round(0.62 * rect.h)]
    count, _, stats, centres = cv2.connectedComponentsWithStats(band.astype(np.uint8), connectivity=8)
    marks = [
        (float(centres[k][0]), float(centres[k][1]))
        for k in range(1, count)
        if 0.003 * rect.area <= stats[k, cv2.CC_STAT_AREA] <= 0.12 * rect.area
        and stats[k, cv2.CC_STAT_WIDTH] < 0.45 * rect.w
    ]
    for i, a in enumerate(marks):
        for b in marks[i + 1 :]:
            if abs(a[1] - b[1]) < 0.12 * rect.h and 0.2 * rect.w < abs(a[0] - b[0]) < 0.8 * rect.w:
                return True
    return False
