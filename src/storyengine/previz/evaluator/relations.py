"""Statements about where things are: held, on, in, worn or fastened, told from how two regions meet."""

from __future__ import annotations

from storyengine.language.claims import Placed
from storyengine.plan import AttachedTo, HeldBy, InContainer, InSceneZone, Offscreen, OnSurface
from storyengine.previz.evaluator.eye import MISSING, SEEN, Eye
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown

SO, NOT_SO = 0.25, 0.06
"""Likelihood of a relation from which it holds, and below which it does not."""

_WORDS = {"on": "on", "in": "in", "held": "held by", "worn": "worn by", "apart": "apart from"}


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
    target, wanted = _wanted(where)
    other = eye.where(frame, target)
    if other is None or other.score < MISSING:
        return unknown(f"{eye.name(target)} is not surely seen", frame, box)
    likely = eye.relation(frame, thing, other, person=eye.is_person(target))
    so = sum(likely[kind] for kind in wanted)
    most = max(likely, key=lambda kind: likely[kind])
    told = f"{name} seems {_WORDS[most]} {eye.name(target)} ({likely[most]:.2f} sure)"
    if so >= SO:
        return passed(told, frame, box)
    return failed(told, frame, box) if so < NOT_SO else unknown(told, frame, box)


def _wanted(where: HeldBy | OnSurface | InContainer | AttachedTo) -> tuple[str, tuple[str, ...]]:
    """The other one, and the relations that a picture of it may show: what lies in a tray also lies on it."""
    match where:
        case HeldBy(holder=target):
            return target, ("held", "worn")
        case OnSurface(surface=target):
            return target, ("on", "in")
        case InContainer(container=target):
            return target, ("in", "on")
        case AttachedTo(support=target):
            return target, ("worn", "held", "on", "in")
