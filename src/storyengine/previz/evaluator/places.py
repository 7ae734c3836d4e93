"""Recognising a place: the same corners and textures as in its reference view, and the same colours.

Two views of one room share keypoints that fit one camera motion; two rooms do not, however alike their walls are
coloured. Colours alone can deny a place, never prove it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from storyengine.media.picture import Picture, Pixels
from storyengine.previz.evaluator.light import PLAIN
from storyengine.previz.evaluator.seeing import BINS, CENTRES, Floats, bins_of, shrunk
from storyengine.previz.evaluator.signature import likeness
from storyengine.previz.evaluator.subjects import PlaceSubject

WIDTH = 768
KEYPOINTS = 1200
RATIO = 0.78
PROVEN, LIKELY = 14, 8
"""Keypoints that fit one camera motion: as many prove the place; half of them do where colours agree too."""
OTHER = 0.42
"""Agreement of colours (0…1) below which it is another place."""


@dataclass(frozen=True)
class PlaceMatch:
    inliers: int
    colours: float
    """Shared part of the colour histograms, 0…1."""


@dataclass(frozen=True, eq=False)
class _Points:
    where: Floats
    what: Floats


def match_place(frame: Picture, view: Picture) -> PlaceMatch:
    """How well a frame and a place's reference view agree."""
    here, there = _points(frame), _points(view)
    return PlaceMatch(_inliers(here, there), colour_agreement(frame.pixels, view.pixels))


@lru_cache(maxsize=32)
def _points(picture: Picture) -> _Points:
    grey = cv2.cvtColor(shrunk(picture.pixels, WIDTH), cv2.COLOR_RGB2GRAY)
    # Light may differ by a gain; features live on local contrast.
    grey = cv2.createCLAHE(2.0, (8, 8)).apply(grey)
    found, what = cv2.SIFT.create(KEYPOINTS, contrastThreshold=0.03).detectAndCompute(grey, None)
    if what is None or len(found) < 8:
        return _Points(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
    return _Points(np.array([p.pt for p in found], np.float32), np.asarray(what, np.float32))


def _inliers(here: _Points, there: _Points) -> int:
    if len(here.where) < 8 or len(there.where) < 8:
        return 0
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(here.what, there.what, k=2)
    good = [m for m, n in (pair for pair in pairs if len(pair) == 2) if m.distance < RATIO * n.distance]
    # Repeated patterns send many points to one: each target counts once.
    best: dict[int, cv2.DMatch] = {}
    for m in good:
        if m.trainIdx not in best or m.distance < best[m.trainIdx].distance:
            best[m.trainIdx] = m
    if len(best) < 8:
        return 0
    a = np.array([here.where[m.queryIdx] for m in best.values()])
    b = np.array([there.where[m.trainIdx] for m in best.values()])
    cv2.setRNGSeed(7)
    _, inside = cv2.findFundamentalMat(a, b, cv2.FM_RANSAC, 2.0, 0.99, 800)
    return int(inside.sum()) if inside is not None else 0


def colour_agreement(a: Pixels, b: Pixels) -> float:
    """Shared part of two coarse histograms of hue and brightness, after their mean brightness is made equal."""
    first, second = _coarse(a), _coarse(b)
    return float(np.minimum(first, second).sum())


def _coarse(pixels: Pixels) -> Floats:
    small = shrunk(pixels, 160).astype(np.float32) / 255
    small = np.clip(small * (0.5 / max(float(small.mean()), 0.05)), 0, 1)
    lab = cv2.cvtColor(small, cv2.COLOR_RGB2LAB)
    light = np.clip(lab[..., 0] / 100 * 6, 0, 5.99).astype(int)
    a = np.clip((lab[..., 1] + 40) / 80 * 10, 0, 9.99).astype(int)
    b = np.clip((lab[..., 2] + 40) / 80 * 10, 0, 9.99).astype(int)
    counts = np.bincount(((light * 10 + a) * 10 + b).ravel(), minlength=600).astype(np.float32).reshape(6, 10, 10)
    soft = cv2.GaussianBlur(counts.reshape(60, 10), (3, 3), 0.8).reshape(6, 10, 10)
    return np.asarray(soft / soft.sum(), np.float32)


def described(frame: Picture, place: PlaceSubject) -> tuple[float, float]:
    """Shares of a frame that have the colours of the place's walls and floor, as its description says them."""
    counts = np.bincount(bins_of(shrunk(frame.pixels, 320)).ravel(), minlength=BINS).astype(np.float32)
    counts /= counts.sum()
    gain = place.gain if place else PLAIN
    out = []
    for surface in (place.look.walls, place.look.floor):
        near = likeness(np.array(surface.colour, np.float32), gain)
        out.append(float(counts[near > 0.15].sum()))
    return out[0], out[1]


def mean_colour(frame: Picture) -> Floats:
    counts = np.bincount(bins_of(shrunk(frame.pixels, 160)).ravel(), minlength=BINS).astype(np.float32)
    return np.asarray((CENTRES * counts[:, None]).sum(axis=0) / counts.sum(), np.float32)
