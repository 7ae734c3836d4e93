"""Recognising a place: the same corners and textures as in its reference views, under the same light.

Two views of one room share keypoints that fit one camera motion; two rooms do not, however alike their walls are
coloured. A panorama stands for views in all directions. The colours around shared keypoints tell how the light differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.media import panorama
from storyengine.media.picture import Picture
from storyengine.previz.evaluator.networks import Floats
from storyengine.previz.evaluator.seeing import shrunk
from storyengine.previz.evaluator.subjects import PlaceSubject

Indices = npt.NDArray[np.intp]

WIDTH = 800
KEYPOINTS = 2000
RATIO = 0.8
PANORAMA = 4096
"""Width from which a panorama is shrunk to it: what is finer shows in no frame."""
AROUND, ASIDE = 8, 70.0
"""Views that a panorama is cut into, and how wide each is."""
GLANCE, LIKELIEST = 4, 2
"""Every fourth keypoint tells which two views are worth a closer look."""
ENOUGH = 300
"""Keypoints of the frame from which not finding the place says something."""
PROVING, LEAST, MOST = 0.018, 13, 20
"""Share of a frame's keypoints that must fit one camera motion to prove the place, and the bounds of that number. Ten
or so of any two pictures fit; rooms built from the same words share a few more."""
CELLS, SPREAD, PLENTY = 4, 5, 2
"""A frame has so many cells each way; in how many of them the keypoints that prove the place must lie, unless there are
so many times as many: one window looks like the next."""
STRANGE = 0.85
"""Part of that number up to which the place is denied."""
FITTING = 8
"""Keypoints from which a camera motion is looked for, and light and direction are told."""
NARROWEST, WIDEST = 15.0, 200.0
"""Degrees across a frame that can be."""


@dataclass(frozen=True)
class Heading:
    """Directions of a panorama across a frame. Roughly: frame and panorama are seen from two stations."""

    left: float
    """Degrees at the frame's left edge."""
    wide: float
    """Degrees from there to the right edge."""

    def across(self, yaw: float) -> float:
        """Where a direction lies, from 0 (left edge) to 1; beyond them outside the frame."""
        middle = self.left + self.wide / 2
        return 0.5 + ((yaw - middle + 180) % 360 - 180) / self.wide


@dataclass(frozen=True)
class PlaceMatch:
    """What a frame shares with the reference views."""

    inliers: int
    """Keypoints that fit one camera motion, in the best view."""
    points: int
    """Keypoints of the frame outside people."""
    cells: int
    """Cells of the frame in which those that fit lie."""
    gain: float | None
    """How much brighter the frame is where both show the same point; None where they share too little."""
    warmth: float | None
    """How much redder than bluer, as a logarithm."""
    heading: Heading | None = None
    """Where the frame looks, as far as a panorama tells."""

    @property
    def needed(self) -> float:
        """Keypoints that must fit to prove the place."""
        return min(max(PROVING * self.points, LEAST), MOST)

    @property
    def proven(self) -> bool:
        return self.inliers >= self.needed * (1 if self.cells >= SPREAD else PLENTY)

    @property
    def denied(self) -> bool:
        """Whether the place is another one, or was built anew: much is seen and hardly anything fits."""
        return self.points >= ENOUGH and self.inliers <= STRANGE * self.needed


@dataclass(frozen=True, eq=False)
class _Points:
    where: Floats
    what: Floats
    colours: Floats
    yaws: Floats | None = None
    """Directions of a panorama."""


def match_place(frame: Picture, views: Sequence[Picture], people: Floats | None = None) -> PlaceMatch:
    """How well a frame and a place's reference views agree; people in the frame are passed over."""
    here = _outside(_points(frame), people, frame)
    around = [there for view in views for there in _all_points(view)]
    glance = _Points(*(part[::GLANCE] for part in (here.where, here.what, here.colours)))
    around.sort(key=lambda there: -len(_pairs(glance, there)[0]))
    found = [(_inliers(here, there), there) for there in around[:LIKELIEST]]
    if not found:
        return PlaceMatch(0, len(here.where), 0, None, None)
    (starts, ends), there = max(found, key=lambda one: len(one[0][0]))
    gain = warmth = None
    if len(starts) >= FITTING:
        ratio = np.log((here.colours[starts] + 0.02) / (there.colours[ends] + 0.02))
        gain = float(np.exp(np.median(ratio.mean(axis=1))))
        warmth = float(np.median(ratio[:, 0] - ratio[:, 2]))
    width = min(WIDTH, frame.pixels.shape[1])
    height = width * frame.pixels.shape[0] / frame.pixels.shape[1]
    cells = np.unique((here.where[starts] / (width, height) * CELLS).astype(int), axis=0)
    seen = [
        (here.where[starts, 0] / width, there.yaws[ends])
        for (starts, ends), there in found
        if there.yaws is not None and len(starts) >= FITTING
    ]
    return PlaceMatch(len(starts), len(here.where), len(cells), gain, warmth, _heading(seen))


def _heading(seen: Sequence[tuple[Floats, Floats]]) -> Heading | None:
    """The line from columns to directions that fits most keypoints; near things lie beside it."""
    if not seen:
        return None
    across, yaws = (np.concatenate(part) for part in zip(*seen, strict=True))
    middle = float(np.degrees(np.angle(np.exp(1j * np.radians(yaws)).mean())))
    aside = (yaws - middle + 180) % 360 - 180
    wide = left = 0.0
    for _ in range(5):
        wide, left = np.polyfit(across, aside, 1)
        off = np.abs(left + wide * across - aside)
        kept = off <= max(float(np.percentile(off, 80)), 2.0)
        across, aside = across[kept], aside[kept]
    return Heading(middle + float(left), float(wide)) if NARROWEST < wide < WIDEST else None


def _outside(points: _Points, people: Floats | None, frame: Picture) -> _Points:
    if people is None or not len(points.where):
        return points
    height, width = frame.pixels.shape[:2]
    scale = min(1.0, WIDTH / width)
    rows = np.clip(points.where[:, 1] / (height * scale) * people.shape[0], 0, people.shape[0] - 1).astype(int)
    columns = np.clip(points.where[:, 0] / (width * scale) * people.shape[1], 0, people.shape[1] - 1).astype(int)
    kept = people[rows, columns] < 0.5
    return _Points(points.where[kept], points.what[kept], points.colours[kept])


def is_panorama(view: Picture) -> bool:
    height, width = view.pixels.shape[:2]
    return bool(abs(width / height - 2) < 0.02 and width >= 1024)


@lru_cache(maxsize=12)
def _all_points(view: Picture) -> tuple[_Points, ...]:
    if not is_panorama(view):
        return (_points(view),)
    small = Picture(shrunk(view.pixels, PANORAMA))
    found = []
    for turn in (k * 360 / AROUND for k in range(AROUND)):
        points = _points(panorama.view(small, turn, -4.0, ASIDE, WIDTH, WIDTH * 3 // 4))
        found.append(replace(points, yaws=np.asarray(turn + aside(points.where[:, 0] / WIDTH), np.float32)))
    return tuple(found)


def aside(across: npt.ArrayLike) -> Floats:
    """Degrees from the middle of one of the panorama's views, of columns from 0 to 1."""
    return np.asarray(np.degrees(np.arctan((2 * np.asarray(across) - 1) * np.tan(np.radians(ASIDE / 2)))), np.float32)


@lru_cache(maxsize=24)
def _points(picture: Picture) -> _Points:
    pixels = shrunk(picture.pixels, WIDTH)
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    # Light may differ by a gain; features live on local contrast.
    grey = cv2.createCLAHE(2.0, (8, 8)).apply(grey)
    found, what = cv2.SIFT.create(KEYPOINTS, contrastThreshold=0.03).detectAndCompute(grey, None)
    if what is None or len(found) < 8:
        return _Points(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32), np.zeros((0, 3), np.float32))
    where = np.array([p.pt for p in found], np.float32)
    soft = cv2.blur(pixels, (7, 7))
    columns = np.clip(where[:, 0].round().astype(int), 0, pixels.shape[1] - 1)
    rows = np.clip(where[:, 1].round().astype(int), 0, pixels.shape[0] - 1)
    what = np.asarray(what, np.float32)
    what = np.sqrt(what / np.maximum(what.sum(axis=1, keepdims=True), 1e-6))  # compares like histograms
    return _Points(where, what.astype(np.float32), (soft[rows, columns] / 255).astype(np.float32))


def _pairs(here: _Points, there: _Points) -> tuple[Indices, Indices]:
    """Keypoints that look alike, and clearly more so than the next best: numbers here and there."""
    if not len(here.where) or len(there.where) < 2:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    alike = here.what @ there.what.T  # unit vectors: the nearest has the largest product
    rows = np.arange(len(alike))
    target = alike.argmax(axis=1)
    nearest = np.sqrt(np.maximum(2 - 2 * alike[rows, target], 0))
    alike[rows, target] = -1
    good = np.flatnonzero(nearest < RATIO * np.sqrt(np.maximum(2 - 2 * alike.max(axis=1), 0)))
    # Repeated patterns send many points to one: each target counts once, with the nearest.
    good = good[np.argsort(nearest[good], kind="stable")]
    ends, first = np.unique(target[good], return_index=True)
    return good[first], ends


def _inliers(here: _Points, there: _Points) -> tuple[Indices, Indices]:
    """Pairs that fit one camera motion: numbers here and there."""
    starts, ends = _pairs(here, there)
    none = starts[:0], ends[:0]
    if len(starts) < FITTING:
        return none
    try:
        # Of a few dozen pairs most are wrong: a plain search of some hundred draws misses motions that this one finds.
        _, inside = cv2.findFundamentalMat(here.where[starts], there.where[ends], cv2.USAC_MAGSAC, 1.5, 0.999, 5000)
    except cv2.error:  # pairs that tell of no motion
        return none
    if inside is None:
        return none
    kept = inside.ravel() > 0
    return starts[kept], ends[kept]


def described(frame: Picture, place: PlaceSubject) -> tuple[float, float]:
    """Shares of a frame that have the colours of the place's walls and floor, as its description says them."""
    pixels = shrunk(frame.pixels, 320).reshape(-1, 3).astype(np.float32) / 255
    out = []
    for surface in (place.look.walls, place.look.floor):
        colour = np.array(surface.colour, np.float32)
        multiple = np.clip(pixels @ colour / float(colour @ colour + 1e-6), 0.3, 1.5)
        apart = np.linalg.norm(pixels - multiple[:, None] * colour, axis=1)
        out.append(float((apart < 0.05 + 0.10 * np.linalg.norm(pixels, axis=1)).mean()))
    return out[0], out[1]
