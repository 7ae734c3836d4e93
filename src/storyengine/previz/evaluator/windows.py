"""Looking closely: a window cut from the full picture around what was found, held against references.

Teaching cut its windows in the same way (`scripts/evaluator`): as wide as the longer side of the region and a margin,
with the region marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from storyengine.previz.evaluator.attention import PARTS, parts_of
from storyengine.previz.evaluator.comparing import compared
from storyengine.previz.evaluator.finding import NEVER, HeadSeen, Region, Search
from storyengine.previz.evaluator.likeness import COARSE, alike
from storyengine.previz.evaluator.networks import Floats, layers, run
from storyengine.previz.evaluator.relating import PATCH, RELATIONS, geometry, other_numbers, related
from storyengine.previz.evaluator.seeing import Rect, Sight
from storyengine.previz.evaluator.subjects import (
    FACE_SIZE,
    LIKENESS_SIZE,
    PHOTO_SIZE,
    STATE,
    STATE_SIZE,
    Appearance,
    ThingSubject,
    face_direction,
)

RELATES, FACE, CLOSER = 2.2, 0.7, 1.3
"""Half a window, in halves of the longer side (how it relates, which thing it is) or heights of the head."""
BELOW = 0.08
"""How far below the head's middle a face's window lies, in heights of the head."""
RELATION_SIZE = 160
"""Side of a window that tells how a thing relates."""


def state_odds(sight: Sight, region: Region, appearances: Sequence[Appearance]) -> Floats:
    """Which of some appearances a region shows, as log-odds to be compared with each other."""
    seen = _window(sight, region.rect, STATE, STATE_SIZE, [region.likely, np.zeros_like(region.likely)])
    mask = cv2.resize(seen[0, 3], (PARTS, PARTS), interpolation=cv2.INTER_AREA).ravel()
    pictures = [appearance.parts for appearance in appearances]
    return compared(parts_of("state", seen), mask, pictures, [appearance.numbers for appearance in appearances])


WORTH, AGAINST, FAIR = -3.0, -4.0, 1.75
"""Log-odds of a region from which it is looked at more closely, how much that may count against the first looks at
most, and what all such regions gain, so that one threshold tells what must be there with a closer look and without. At
the thresholds of `eye` 1.7 in a hundred that should be there are denied, 13 of 88 that are not are seen, and 1 in a
hundred that should be elsewhere is a false alarm (seed 606)."""


def looked_closer(sight: Sight, found: Search, thing: ThingSubject) -> Search:
    """Regions that may show a thing, held against pictures of it; the surest first."""
    worth = [_looked_at(sight, region, thing) for region in found.regions if region.odds >= WORTH]
    worth.sort(key=lambda region: -region.odds)
    return Search(worth[0].odds, tuple(worth)) if worth else found


def _looked_at(sight: Sight, region: Region, thing: ThingSubject) -> Region:
    """By the mean of two networks, which err in different places: one compares part by part, the other all at once."""
    same, two = likeness_odds(sight, region, thing)
    closer = max((same + photo_odds(sight, region, thing)) / 2, AGAINST)
    return replace(region, odds=region.odds + closer + FAIR, two=two)


def twice_odds(sight: Sight, first: Region, others: Sequence[Region], thing: ThingSubject) -> float:
    """Whether a region shows a thing twice, or does so together with another one, as log-odds."""
    return max(first.two, *(likeness_odds(sight, first.joined(other), thing)[1] for other in others), NEVER)


def likeness_odds(sight: Sight, region: Region, thing: ThingSubject) -> tuple[float, float]:
    """Whether a region shows a thing, and whether it shows two of it, as log-odds."""
    seen = _window(sight, region.rect, STATE, LIKENESS_SIZE, [region.likely, np.zeros_like(region.likely)])
    mask = cv2.resize(seen[0, 3], (COARSE, COARSE), interpolation=cv2.INTER_AREA).ravel()
    pictures, told = [a.likeness for a in thing.shown], [a.numbers for a in thing.shown]
    return alike(parts_of("likeness", seen), mask, pictures, told)


def photo_odds(sight: Sight, region: Region, thing: ThingSubject) -> float:
    """Whether a region shows a thing, as log-odds, by the picture of it that fits best."""
    known = thing.photos
    (photo,) = run("photo_look", _window(sight, region.rect, CLOSER, PHOTO_SIZE, [region.likely]))
    seen = np.repeat(photo, len(known), axis=0)
    judged = layers("photo", "same", np.concatenate([seen, known, seen * known, np.abs(seen - known)], axis=1))
    return float(judged.max())


def surroundings(sight: Sight, thing: Region) -> Floats:
    """A window around a thing, part by part: whatever it may relate to."""
    masks = [thing.likely, np.zeros_like(thing.likely)]
    return parts_of("relation", _window(sight, thing.rect, RELATES, RELATION_SIZE, masks))


def relation(
    sight: Sight, parts: Floats, found: tuple[Region, Region], people: Floats, looks: tuple[Floats, Floats | None]
) -> dict[str, float]:
    """How likely each relation of a thing to another one is, or to a person. `parts` are the thing's surroundings,
    `people` the cells that show anybody, `looks` the numbers of the thing's look and the other's: None for people."""
    thing, other = found
    half, side = _half(sight, thing.rect, RELATES), (PARTS * PATCH, PARTS * PATCH)
    maps = (thing.likely, other.likely, people)
    masks = np.stack([sight.cells(cells, thing.rect.centre, (half, half), side) for cells in maps])
    odds = related(parts, masks, looks[0], other_numbers(looks, geometry(thing.rect, other.rect, half)))
    likely = np.exp(odds - odds.max())
    return dict(zip(RELATIONS, (likely / likely.sum()).tolist(), strict=True))


def face_of(sight: Sight, head: HeadSeen) -> Floats:
    """A face as a direction, by which it agrees with others of the same person."""
    tall = 2 * head.radius
    crop = sight.window((head.x, head.y + BELOW * tall), (FACE * tall, FACE * tall), (FACE_SIZE, FACE_SIZE))
    return face_direction(crop)


def _window(sight: Sight, rect: Rect, reach: float, size: int, masks: Sequence[Floats]) -> Floats:
    """Colours and marks from 0 to 1 (1, 3 and as many as there are masks, size, size)."""
    half = _half(sight, rect, reach)
    colours = sight.window(rect.centre, (half, half), (size, size)).transpose(2, 0, 1) / 255
    marks = [sight.cells(mask, rect.centre, (half, half), (size, size)) for mask in masks]
    return np.concatenate([colours, np.stack(marks)])[None].astype(np.float32)


def _half(sight: Sight, rect: Rect, reach: float) -> float:
    """Half the side of a window around a region, in pixels of the small picture."""
    return max(max(rect.w, rect.h) / 2 * reach, 0.02 * sight.shape[1])
