"""Looking closely: a window cut from the full picture around what was found, held against references.

Teaching cut its windows in the same way (`scripts/evaluator/teach_close.py`): as wide as the longer side of the region
and a margin, with the region marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from storyengine.previz.evaluator.finding import HeadSeen, Region, Search
from storyengine.previz.evaluator.networks import Floats, layers, linear, run
from storyengine.previz.evaluator.seeing import Rect, Sight
from storyengine.previz.evaluator.subjects import FACE_SIZE, SIGHT_SIZE, Appearance, face_direction

STATE, NEAR, FAR, FACE, CLOSER = 1.25, 2.2, 1.15, 0.7, 1.3
"""Half a window, in halves of the longer side (a state, a relation from near and far, which thing it is) or heights of
the head."""
BELOW = 0.08
"""How far below the head's middle a face's window lies, in heights of the head."""
WINDOW, PAIR = 112, 96
RELATIONS = ("held", "on", "in", "fastened", "none")


def state_odds(sight: Sight, region: Region, appearances: Sequence[Appearance]) -> Floats:
    """Which of some appearances a region shows, as log-odds to be compared with each other."""
    (stem,) = run("state_stem", _window(sight, region.rect, STATE, WINDOW, [region.likely]))
    pictures = np.stack([appearance.vector for appearance in appearances])
    told = linear("close", "state_told", np.stack([appearance.numbers for appearance in appearances]))
    parts = [pictures, pictures - pictures.mean(axis=0), told, told - told.mean(axis=0)]
    asked = layers("close", "state", np.concatenate(parts, axis=1))
    return np.array([run("state_look", stem, ask[None])[0][0, 0] for ask in asked], np.float32)


WORTH, CLOSELY, FAIR = -3.0, 0.4, 1.35
"""Log-odds of a region from which it is looked at more closely, what that counts against the first looks, and what all
such regions gain, so that one threshold tells what must be there with it and without: of things in last frames it then
denies 10 of 356 that are there, and 58 of 68 that are not."""


def looked_closer(sight: Sight, found: Search, known: Floats) -> Search:
    """Regions that may show a thing, held against pictures of it; the surest first."""
    worth = [region for region in found.regions if region.odds >= WORTH]
    odds = [region.odds + CLOSELY * sight_odds(sight, region, known) + FAIR for region in worth]
    regions = [replace(region, odds=surely) for region, surely in zip(worth, odds, strict=True)]
    regions.sort(key=lambda region: -region.odds)
    return Search(regions[0].odds, tuple(regions)) if regions else found


def sight_odds(sight: Sight, region: Region, known: Floats) -> float:
    """Whether a region shows a thing, as log-odds: by the picture of it that fits best."""
    (seen,) = run("sight_window", _window(sight, region.rect, CLOSER, SIGHT_SIZE, [region.likely]))
    seen = np.repeat(seen, len(known), axis=0)
    judged = layers("sight", "same", np.concatenate([seen, known, seen * known, np.abs(seen - known)], axis=1))
    return float(judged.max())


def relation(sight: Sight, thing: Region, other: Region, person: bool) -> dict[str, float]:
    """How likely each relation of a thing to another one is, or to a person."""
    masks = [thing.likely, other.likely]
    (near,) = run("relation_near", _window(sight, thing.rect, NEAR, PAIR, masks))
    (far,) = run("relation_far", _window(sight, thing.rect.joined(other.rect), FAR, PAIR, masks))
    odds = layers("close", "relation", np.concatenate([near[0], far[0], [float(person)]]).astype(np.float32))
    likely = np.exp(odds - odds.max())
    return dict(zip(RELATIONS, (likely / likely.sum()).tolist(), strict=True))


def face_of(sight: Sight, head: HeadSeen) -> Floats:
    """A face as a direction, by which it agrees with others of the same person."""
    tall = 2 * head.radius
    crop = sight.window((head.x, head.y + BELOW * tall), (FACE * tall, FACE * tall), (FACE_SIZE, FACE_SIZE))
    return face_direction(crop)


def _window(sight: Sight, rect: Rect, reach: float, size: int, masks: Sequence[Floats]) -> Floats:
    half = max(max(rect.w, rect.h) / 2 * reach, 0.02 * sight.shape[1])
    colours = sight.window(rect.centre, (half, half), (size, size)).astype(np.float32) / 255
    meant = [sight.cells(mask, rect.centre, (half, half), (size, size)) * 2 - 1 for mask in masks]
    return np.concatenate([(colours.transpose(2, 0, 1) - 0.5) / 0.25, np.stack(meant)])[None].astype(np.float32)
