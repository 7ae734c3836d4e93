"""Patches: small things of a strong colour, found by that colour where nothing else in the shot has it.

The frame network sees little of what covers less than a hundredth of the frame. A key thing has a colour of its own;
where neither the place nor anybody's clothes show it, a patch of it is the thing.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from storyengine.media.picture import Picture, Pixels
from storyengine.previz.evaluator.finding import Region
from storyengine.previz.evaluator.networks import Floats
from storyengine.previz.evaluator.seeing import CELL, Mask, Rect, Sight, shrunk
from storyengine.previz.looks import Colour, PersonLook

STRONG = 0.22
"""How colourful a thing must be."""
RARE = 0.0008
"""Share of the place that may have its colour."""
SMALLEST = 24
"""Pixels of the small picture that make a patch."""
CERTAINTY = 0.35
MOST = 2


def find_patches(sight: Sight, colour: Colour, views: Iterable[Picture], people: Iterable[PersonLook]) -> list[Region]:
    """Patches of a thing's colour, the largest first; none where the colour is weak or others have it too."""
    wanted = _tint(np.array([[colour]], np.float32))[0, 0]
    strength = float(np.linalg.norm(wanted))
    worn = [g.colour for person in people for g in person.garments]
    if strength < STRONG or any(_near(_tint(np.array([[c]], np.float32)), wanted)[0, 0] for c in worn):
        return []
    if any(_share(view.pixels, wanted) > RARE for view in views):
        return []
    seen = _near(_tint(np.asarray(sight.small / 255, np.float32)), wanted).astype(np.uint8)
    joined = cv2.morphologyEx(seen, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    largest = sorted(range(1, count), key=lambda k: -int(stats[k, cv2.CC_STAT_AREA]))[:MOST]
    return [_region(sight, labels == k, stats[k]) for k in largest if stats[k, cv2.CC_STAT_AREA] >= SMALLEST]


def _region(sight: Sight, own: Mask, stats: Floats) -> Region:
    left, top, width, height = (int(n) for n in stats[:4])
    size = (sight.shape[1] // CELL, sight.shape[0] // CELL)
    # A patch thinner than a cell still marks the cells it touches.
    likely = cv2.resize(own.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    touched = np.minimum(likely * 4, 1).astype(np.float32)
    return Region(Rect(left, top, width, height), touched, float(own.mean()), CERTAINTY)


def _share(pixels: Pixels, wanted: Floats) -> float:
    return float(_near(_tint(np.asarray(shrunk(pixels, 512) / 255, np.float32)), wanted).mean())


def _tint(colours: Floats) -> Floats:
    """Colour without brightness."""
    total = colours.sum(axis=2) + 0.15
    red, green, blue = colours[..., 0], colours[..., 1], colours[..., 2]
    return np.asarray(np.dstack([(red - green) / total, (blue - green) / total]), np.float32)


def _near(tints: Floats, wanted: Floats) -> Mask:
    strength = float(np.linalg.norm(wanted))
    apart = np.linalg.norm(tints - wanted, axis=2)
    return np.asarray((apart < 0.03 + 0.3 * strength) & (np.linalg.norm(tints, axis=2) > 0.55 * strength), np.bool_)
