"""Statements about where things are: held, on, in, worn or fastened, told from how far two regions lie apart.

A picture shows that two things meet; whether one stands on the other or before it, it shows rarely. So what meets is
taken for what was claimed, and what lies clearly apart denies it.
"""

from __future__ import annotations

import cv2
import numpy as np

from storyengine.language.claims import Placed
from storyengine.plan import AttachedTo, HeldBy, InContainer, InSceneZone, Offscreen, OnSurface
from storyengine.previz.evaluator.eye import MISSING, SEEN, Eye
from storyengine.previz.evaluator.finding import Region
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown

MEETS, APART = 0.25, 0.8
"""Gap between two regions, in lengths of the thing, that still meets, and that denies."""


def placed(eye: Eye, frame: int, claim: Placed) -> Opinion:
    where = claim.placement
    if isinstance(where, (InSceneZone, Offscreen)):
        return unknown("a part of a place cannot be told from a picture", frame)
    thing, name = eye.where(frame, claim.entity), eye.name(claim.entity)
    if thing is None or thing.score < MISSING:
        return failed(f"{name} is not seen", frame)
    box = eye.sights[frame].box(thing.rect)
    if thing.score < SEEN:
        return unknown(f"a region may be {name} ({thing.score:.2f} sure)", frame, box)
    target = _target(where)
    other = eye.where(frame, target)
    if other is None or other.score < SEEN:
        return unknown(f"{eye.name(target)} is not surely seen", frame, box)
    gap = gap_between(thing, other)
    told = f"{name} and {eye.name(target)} lie {gap:.1f} of its length apart"
    if gap <= MEETS:
        return passed(told, frame, box)
    return failed(told, frame, box) if gap > APART else unknown(told, frame, box)


def _target(where: HeldBy | OnSurface | InContainer | AttachedTo) -> str:
    match where:
        case HeldBy(holder=target) | OnSurface(surface=target) | InContainer(container=target):
            return target
        case AttachedTo(support=target):
            return target


def gap_between(thing: Region, other: Region) -> float:
    """The shortest way between two regions, in lengths of the first."""
    away = cv2.distanceTransform((~other.mask).astype(np.uint8), cv2.DIST_L2, 3)
    cells = thing.mask
    if not cells.any() or not other.mask.any():
        return 9.0
    length = max(np.ptp(np.flatnonzero(cells.any(axis=0))), np.ptp(np.flatnonzero(cells.any(axis=1)))) + 1
    return max(float(away[cells].min()) - 1.0, 0.0) / float(length)
