"""Looking closely: a window cut from the full picture around what was found, held against references.

Teaching cut its windows in the same way (`scripts/evaluator`): as wide as the longer side of the region and a margin,
with the region marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from storyengine.previz.evaluator.attention import PARTS, parts_of
from storyengine.previz.evaluator.comparing import compared
from storyengine.previz.evaluator.finding import HeadSeen, Region, Search
from storyengine.previz.evaluator.networks import Floats, layers, run
from storyengine.previz.evaluator.relating import PATCH, RELATIONS, geometry, other_numbers, related
from storyengine.previz.evaluator.seeing import Rect, Sight
from storyengine.previz.evaluator.subjects import (
    FACE_SIZE,
    PHOTO_SIZE,
    SIGHT_SIZE,
    STATE,
    STATE_SIZE,
    Appearance,
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
    seen = _plain(_window(sight, region.rect, STATE, STATE_SIZE, [region.likely, np.zeros_like(region.likely)]))
    mask = cv2.resize(seen[0, 3], (PARTS, PARTS), interpolation=cv2.INTER_AREA).ravel()
    pictures = [appearance.parts for appearance in appearances]
    return compared(parts_of("state", seen), mask, pictures, [appearance.numbers for appearance in appearances])


WORTH, CLOSELY, AGAINST, FAIR = -3.0, 0.9, -1.5, 1.35
"""Log-odds of a region from which it is looked at more closely, what that counts, how much it may count against the
first looks at most, and what all such regions gain, so that one threshold tells what must be there with a closer look
and without. In last frames of films 20 of 278 things that are there are denied so, and 43 of 45 that are not."""


def looked_closer(sight: Sight, found: Search, known: Mapping[str, Floats]) -> Search:
    """Regions that may show a thing, held against pictures of it; the surest first."""
    worth = [region for region in found.regions if region.odds >= WORTH]
    odds = [region.odds + max(CLOSELY * sight_odds(sight, region, known), AGAINST) + FAIR for region in worth]
    regions = [replace(region, odds=surely) for region, surely in zip(worth, odds, strict=True)]
    regions.sort(key=lambda region: -region.odds)
    return Search(regions[0].odds, tuple(regions)) if regions else found


def sight_odds(sight: Sight, region: Region, known: Mapping[str, Floats]) -> float:
    """Whether a region shows a thing, as log-odds: by the picture of it that fits best, and the mean of two networks.
    One learned from drawings alone, the other knew photographs before; they err in different places."""
    (seen,) = run("sight_window", _window(sight, region.rect, CLOSER, SIGHT_SIZE, [region.likely]))
    (photo,) = run("photo_look", _plain(_window(sight, region.rect, CLOSER, PHOTO_SIZE, [region.likely])))
    return (_agreement("sight", seen, known["sight"]) + _agreement("photo", photo, known["photo"])) / 2


def _plain(window: Floats) -> Floats:
    """The same window, with colours and marks from 0 to 1."""
    return np.concatenate([window[:, :3] / 4 + 0.5, (window[:, 3:] + 1) / 2], axis=1)


def _agreement(network: str, seen: Floats, known: Floats) -> float:
    seen = np.repeat(seen, len(known), axis=0)
    judged = layers(network, "same", np.concatenate([seen, known, seen * known, np.abs(seen - known)], axis=1))
    return float(judged.max())


def surroundings(sight: Sight, thing: Region) -> Floats:
    """A window around a thing, part by part: whatever it may relate to."""
    masks = [thing.likely, np.zeros_like(thing.likely)]
    return parts_of("relation", _plain(_window(sight, thing.rect, RELATES, RELATION_SIZE, masks)))


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
    half = _half(sight, rect, reach)
    colours = sight.window(rect.centre, (half, half), (size, size)).astype(np.float32) / 255
    meant = [sight.cells(mask, rect.centre, (half, half), (size, size)) * 2 - 1 for mask in masks]
    return np.concatenate([(colours.transpose(2, 0, 1) - 0.5) / 0.25, np.stack(meant)])[None].astype(np.float32)


def _half(sight: Sight, rect: Rect, reach: float) -> float:
    """Half the side of a window around a region, in pixels of the small picture."""
    return max(max(rect.w, rect.h) / 2 * reach, 0.02 * sight.shape[1])
