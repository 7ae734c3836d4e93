"""Recognising a place: the same corners and textures as in its reference views, under the same light.

Two views of one room share keypoints that fit one camera motion; two rooms do not, however alike their walls are
coloured. A panorama stands for views in all directions. The colours around shared keypoints tell how the light differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from storyengine.media import panorama
from storyengine.media.picture import Picture
from storyengine.previz.evaluator.networks import Floats
from storyengine.previz.evaluator.seeing import shrunk
from storyengine.previz.evaluator.subjects import PlaceSubject

WIDTH = 800
KEYPOINTS = 1200
RATIO = 0.8
AROUND, ASIDE = 8, 70.0
"""Views that a panorama is cut into, and how wide each is."""
ENOUGH = 60
"""Keypoints of the frame from which not finding the place says something."""


@dataclass(frozen=True)
class PlaceMatch:
    """What a frame shares with the reference views."""

    inliers: int
    """Keypoints that fit one camera motion, in the best view."""
    points: int
    """Keypoints of the frame outside people."""
    gain: float | None
    """How much brighter the frame is where both show the same point; None where they share too little."""
    warmth: float | None
    """How much redder than bluer, as a logarithm."""


@dataclass(frozen=True, eq=False)
class _Points:
    where: Floats
    what: Floats
    colours: Floats


def match_place(frame: Picture, views: Sequence[Picture], people: Floats | None = None) -> PlaceMatch:
    """How well a frame and a place's reference views agree; people in the frame are passed over."""
    here = _outside(_points(frame), people, frame)
    best: tuple[int, Floats] = (0, np.zeros((0, 2, 3), np.float32))
    for view in views:
        for there in _all_points(view):
            found = _inliers(here, there)
            if found[0] > best[0]:
                best = found
    gain = warmth = None
    if best[0] >= 8:
        ratio = np.log((best[1][:, 0] + 0.02) / (best[1][:, 1] + 0.02))
        gain = float(np.exp(np.median(ratio.mean(axis=1))))
        warmth = float(np.median(ratio[:, 0] - ratio[:, 2]))
    return PlaceMatch(best[0], len(here.where), gain, warmth)


def _outside(points: _Points, people: Floats | None, frame: Picture) -> _Points:
    if people is None or not len(points.where):
        return points
    height, width = frame.pixels.shape[:2]
    scale = min(1.0, WIDTH / width)
    rows = np.clip(points.where[:, 1] / (height * scale) * people.shape[0], 0, people.shape[0] - 1).astype(int)
    columns = np.clip(points.where[:, 0] / (width * scale) * people.shape[1], 0, people.shape[1] - 1).astype(int)
    kept = people[rows, columns] < 0.5
    return _Points(points.where[kept], points.what[kept], points.colours[kept])


@lru_cache(maxsize=12)
def _all_points(view: Picture) -> tuple[_Points, ...]:
    height, width = view.pixels.shape[:2]
    if abs(width / height - 2) > 0.02 or width < 1024:
        return (_points(view),)
    small = Picture(shrunk(view.pixels, 3072))
    turns = [k * 360 / AROUND for k in range(AROUND)]
    return tuple(_points(panorama.view(small, yaw, -4.0, ASIDE, 640, 480)) for yaw in turns)


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


def _inliers(here: _Points, there: _Points) -> tuple[int, Floats]:
    """How many pairs fit one camera motion, and the colours of both ends of those."""
    none = (0, np.zeros((0, 2, 3), np.float32))
    if len(here.where) < 8 or len(there.where) < 8:
        return none
    alike = here.what @ there.what.T  # unit vectors: the nearest has the largest product
    order = np.argpartition(-alike, 1, axis=1)[:, :2]
    top = np.take_along_axis(alike, order, axis=1)
    swap = top[:, 1] > top[:, 0]
    order[swap], top[swap] = order[swap][:, ::-1], top[swap][:, ::-1]
    near, next_ = np.sqrt(np.maximum(2 - 2 * top[:, 0], 0)), np.sqrt(np.maximum(2 - 2 * top[:, 1], 0))
    good = np.flatnonzero(near < RATIO * next_)
    # Repeated patterns send many points to one: each target counts once.
    best: dict[int, int] = {}
    for k in good:
        target = int(order[k, 0])
        if target not in best or near[k] < near[best[target]]:
            best[target] = int(k)
    if len(best) < 8:
        return none
    ends, starts = list(best), list(best.values())
    a, b = here.where[starts], there.where[ends]
    cv2.setRNGSeed(7)
    _, inside = cv2.findFundamentalMat(a, b, cv2.FM_RANSAC, 2.0, 0.99, 600)
    if inside is None:
        return none
    kept = inside.ravel() > 0
    colours = np.stack([here.colours[starts], there.colours[ends]], axis=1)[kept]
    return int(kept.sum()), np.asarray(colours, np.float32)


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
