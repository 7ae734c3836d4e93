"""Colour signatures: the few colours something is made of, how much of each, and which pixels may show them.

Light and shade multiply a surface's colour, so a pixel matches when it is a colour's multiple within the range that
light allows; how far the multiple lies from the expected one costs a little, the direction of the colour costs much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.media.picture import Pixels
from storyengine.previz.evaluator.seeing import BINS, CENTRES, Floats, Mask, Rect, bins_of, shrunk

REFERENCE_WIDTH = 384
DARKEST, BRIGHTEST = 0.42, 1.45
"""Multiples of a colour that light and shade make of it."""
NOISE, SPREAD = 0.030, 0.085
"""Error of a matching colour: a part of its own and a part of its brightness."""
SHADE = 0.38
"""Usual spread of the logarithm of the multiple."""
CLUSTERS = 7
SHADOW = 0.66
"""A shadow on a plain backdrop leaves at least this much of its light."""
ALIKE = 0.45
"""Likelihood from which a pixel counts as showing a colour."""


@dataclass(frozen=True, eq=False)
class Signature:
    """Colours (k, 3) in sRGB 0…1 under even light, their shares, and the outline's proportions where known."""

    colours: Floats
    shares: Floats
    aspect: float | None = None
    """Width by height of the silhouette."""
    fill: float | None = None
    """Share of its bounding box that the silhouette covers."""
    layout: Floats | None = field(default=None, repr=False)
    """The picture in its bounding box, `LAYOUT` squared, sRGB 0…1, background NaN."""

    @property
    def chroma(self) -> float:
        """How colourful the strongest tenth of it is, 0…1."""
        spread = self.colours.max(axis=1) - self.colours.min(axis=1)
        order = np.argsort(-spread)
        total = np.cumsum(self.shares[order])
        return float(spread[order][int(np.searchsorted(total, 0.1))])


LAYOUT = 16


def likeness(colour: Floats, gain: tuple[float, float, float]) -> Floats:
    """For every colour bin, how well it shows a colour under a light (gain of each channel), 0…1."""
    seen = np.minimum(colour * np.array(gain, np.float32), 1.0).astype(np.float32)
    norm = float(seen @ seen) + 1e-6
    multiple = np.clip(CENTRES @ seen / norm, DARKEST, BRIGHTEST)
    error = np.linalg.norm(CENTRES - np.minimum(multiple[:, None] * seen, 1.0), axis=1)
    size = np.linalg.norm(CENTRES, axis=1)
    wrong = error / (NOISE + SPREAD * size)
    shade = np.log(multiple) / SHADE
    return np.asarray(np.exp(-0.5 * (wrong**2 + shade**2)), np.float32)


def table(signature: Signature, gain: tuple[float, float, float]) -> Floats:
    """(k, bins): the likeness of every bin to every colour of a signature."""
    rows = [_row(tuple(float(c) for c in colour), gain) for colour in np.round(signature.colours, 3)]
    return np.stack(rows) if rows else np.zeros((0, BINS), np.float32)


@lru_cache(maxsize=2048)
def _row(colour: tuple[float, float, float], gain: tuple[float, float, float]) -> Floats:
    return likeness(np.array(colour, np.float32), gain)


# --- from reference pictures -----------------------------------------------------------------------------------


def foreground(pixels: Pixels) -> Mask:
    """What stands before a plain light background: what differs from the rim beside it, and what outlines enclose.

    Specks of the backdrop are smaller than the blur; soft shadows keep the backdrop's tint and are no darker than
    `SHADOW` of it.
    """
    soft = cv2.medianBlur(pixels, 7).astype(np.float32) / 255
    rim = np.concatenate([soft[:, :10], soft[:, -10:]], axis=1)
    ground = cv2.GaussianBlur(np.median(rim, axis=1, keepdims=True).astype(np.float32), (1, 0), 0, sigmaY=6)
    ground = ground.reshape(-1, 1, 3)
    size, base = np.linalg.norm(soft, axis=2), np.linalg.norm(ground, axis=2)
    cosine = (soft * ground).sum(axis=2) / np.maximum(size * base, 1e-6)
    away = np.linalg.norm(soft - ground, axis=2)
    tinted = np.sqrt(np.maximum(0, 1 - cosine**2)) > 0.075
    multiple = size / base
    sure = (away > 0.07) & (tinted | (multiple < SHADOW) | (multiple > 1.13))
    mask = sure.astype(np.uint8) | (_enclosed(soft.astype(np.float32), sure) & (away > 0.035))
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return _without_specks(np.asarray(opened, np.uint8))


def _enclosed(soft: Floats, sure: Mask) -> npt.NDArray[np.uint8]:
    """Areas that lines and certain parts fence off from the rim, such as a grey door before a grey wall."""
    grey = (soft.mean(axis=2) * 255).astype(np.uint8)
    fence = (cv2.Canny(grey, 24, 60) > 0) | sure
    fence = cv2.dilate(fence.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, labels, _, _ = cv2.connectedComponentsWithStats(1 - fence, connectivity=4)
    open_to_rim = np.zeros(count, bool)
    for edge in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
        open_to_rim[np.unique(edge)] = True
    return np.asarray(~open_to_rim[labels] & (fence == 0), np.uint8)


def _without_specks(mask: npt.NDArray[np.uint8]) -> Mask:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count <= 1:
        return mask > 0
    largest = stats[1:, cv2.CC_STAT_AREA].max()
    keep = np.zeros(count, bool)
    keep[1:] = stats[1:, cv2.CC_STAT_AREA] > 0.02 * largest
    return np.asarray(keep[labels], np.bool_)


def bounding(mask: Mask) -> Rect | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    return Rect(int(columns[0]), int(rows[0]), int(columns[-1] - columns[0] + 1), int(rows[-1] - rows[0] + 1))


def signature_of(pixels: Pixels, mask: Mask) -> Signature | None:
    """The signature of what a mask shows; None when it shows next to nothing."""
    rect = bounding(mask)
    if rect is None or int(mask.sum()) < 60:
        return None
    inner = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if int(inner.sum()) < 60:
        inner = mask
    colours, shares = palette(pixels[inner])
    return Signature(colours, shares, rect.w / rect.h, float(mask.sum()) / rect.area, layout_of(pixels, mask, rect))


def layout_of(pixels: Pixels, mask: Mask, rect: Rect) -> Floats:
    """What is inside a rectangle, at `LAYOUT` squared; NaN where there is nothing of the thing."""
    inside = np.asarray(rect.cut(pixels), np.float32) / 255
    covered = np.asarray(rect.cut(mask), np.float32)
    size = (LAYOUT, LAYOUT)
    weight = cv2.resize(covered, size, interpolation=cv2.INTER_AREA)
    colour = cv2.resize(inside * covered[..., None], size, interpolation=cv2.INTER_AREA)
    out = colour / np.maximum(weight, 1e-3)[..., None]
    out[weight < 0.35] = np.nan
    return np.asarray(out, np.float32)


def palette(samples: Pixels, clusters: int = CLUSTERS) -> tuple[Floats, Floats]:
    """A few colours and their shares: k-means from fixed seeds over the colour bins that occur."""
    counts = np.bincount(bins_of(samples.reshape(1, -1, 3))[0], minlength=BINS)
    used = np.flatnonzero(counts)
    points, weights = CENTRES[used], counts[used].astype(np.float32)
    middle = _farthest(points, weights, min(clusters, len(used)))
    for _ in range(8):
        nearest = np.argmin(((points[:, None] - middle[None]) ** 2).sum(axis=2), axis=1)
        for k in range(len(middle)):
            own = nearest == k
            if own.any():
                middle[k] = np.average(points[own], axis=0, weights=weights[own])
    nearest = np.argmin(((points[:, None] - middle[None]) ** 2).sum(axis=2), axis=1)
    shares = np.bincount(nearest, weights=weights, minlength=len(middle)).astype(np.float32)
    return _joined(middle, shares / max(float(shares.sum()), 1.0))


def _farthest(points: Floats, weights: Floats, count: int) -> Floats:
    """Starting colours far apart: the commonest, then always the one that weighs most in distance."""
    chosen = [int(np.argmax(weights))]
    distance = ((points - points[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < count:
        chosen.append(int(np.argmax(distance * np.sqrt(weights))))
        distance = np.minimum(distance, ((points - points[chosen[-1]]) ** 2).sum(axis=1))
    return points[chosen].copy()


def _joined(colours: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Colours that are one another's shade count as one; specks are left out."""
    order = np.argsort(-shares)
    kept: list[Floats] = []
    weight: list[float] = []
    for k in order:
        for i, other in enumerate(kept):
            multiple = float(colours[k] @ other / (other @ other + 1e-6))
            off = np.linalg.norm(colours[k] - multiple * other) / (NOISE + SPREAD * np.linalg.norm(colours[k]))
            if off < 0.9 and 0.66 < multiple < 1.5:
                weight[i] += float(shares[k])
                break
        else:
            if shares[k] > 0.012:
                kept.append(colours[k])
                weight.append(float(shares[k]))
    if not kept:
        return colours[order[:1]], np.ones(1, np.float32)
    total = np.array(weight, np.float32)
    return np.stack(kept).astype(np.float32), total / total.sum()


def signature_from_words(colours: Sequence[tuple[float, float, float]], shares: Sequence[float]) -> Signature:
    """What a description alone says of something's colours."""
    weights = np.array(shares, np.float32)
    return Signature(np.array(colours, np.float32).reshape(-1, 3), weights / max(float(weights.sum()), 1e-6))


def read_reference(pixels: Pixels) -> tuple[Pixels, Mask]:
    """A reference picture made small, and what stands in it."""
    small = shrunk(pixels, REFERENCE_WIDTH)
    return small, foreground(small)
