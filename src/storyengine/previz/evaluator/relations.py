"""Statements about where things are: held, on, in, worn or fastened, told from boxes, hands and edges."""

from __future__ import annotations

import numpy as np

from storyengine.language.claims import Placed
from storyengine.plan import AttachedTo, HeldBy, InContainer, InSceneZone, Offscreen, OnSurface
from storyengine.previz.evaluator.eye import DOUBTFUL, SURE, Eye
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown
from storyengine.previz.evaluator.people import wardrobe
from storyengine.previz.evaluator.search import Candidate
from storyengine.previz.evaluator.seeing import Rect, Sight
from storyengine.previz.evaluator.signature import ALIKE


def placed(eye: Eye, frame: int, claim: Placed) -> Opinion:
    where = claim.placement
    if isinstance(where, (InSceneZone, Offscreen)):
        return unknown("a part of a place cannot be told from a picture", frame)
    thing = eye.where(frame, claim.entity)
    name = eye.name(claim.entity)
    if thing is None or thing[1] < DOUBTFUL:
        return failed(f"{name} is not seen", frame)
    sight = eye.sights[frame]
    if thing[1] < SURE:
        return unknown(f"a region may be {name} ({thing[1]:.2f} sure)", frame, sight.box(thing[0]))
    target = _target(where)
    support = eye.where(frame, target)
    if support is None or support[1] < DOUBTFUL:
        return unknown(f"{eye.name(target)} is not seen", frame, sight.box(thing[0]))
    if support[1] < 0.6:
        return unknown(f"{eye.name(target)} is not surely seen", frame, sight.box(thing[0]))
    rect, other = thing[0], support[0]
    match where:
        case HeldBy():
            return _held(eye, frame, claim.entity, target, rect, other)
        case OnSurface():
            return _on(sight, name, eye.name(target), rect, other)
        case InContainer():
            return _inside(sight, name, eye.name(target), rect, other)
        case AttachedTo():
            return _attached(sight, name, eye.name(target), rect, other)
    return unknown("this kind of place cannot be told", frame)


def _target(where: HeldBy | OnSurface | InContainer | AttachedTo) -> str:
    match where:
        case HeldBy(holder=target) | OnSurface(surface=target) | InContainer(container=target):
            return target
        case AttachedTo(support=target):
            return target


def _held(eye: Eye, frame: int, thing: str, person: str, rect: Rect, figure: Rect) -> Opinion:
    """A hand at the thing proves it; a clear distance from the figure denies it."""
    sight = eye.sights[frame]
    box = sight.box(rect)
    away = rect.gap(figure) / max(figure.h, 1)
    touch = hand_contact(eye, frame, person, rect, figure)
    told = f"{away:.2f} of the figure's height away, skin along {touch:.1%} of its rim"
    if away > 0.22:
        return failed(f"{eye.name(thing)} is not at {eye.name(person)}'s hands: {told}", frame, box)
    if touch > 0.015 and away < 0.06:
        return passed(f"{eye.name(thing)} is at {eye.name(person)}'s hand: {told}", frame, box)
    return unknown(told, frame, box)


def hand_contact(eye: Eye, frame: int, person: str, rect: Rect, figure: Rect) -> float:
    """How much of a thing's surroundings is the person's skin, the head left out."""
    subject = eye.subjects.people.get(person)
    if subject is None:
        return 0.0
    sight = eye.sights[frame]
    skin = wardrobe(subject, eye.around).skin
    reach = max(4.0, 0.12 * max(rect.w, rect.h))
    window = rect.grown(reach).within(sight.shape)
    found = skin[np.asarray(window.cut(sight.bins), np.uint16)] > ALIKE
    head_ends = figure.y + round(0.22 * figure.h) - window.y
    found[: max(0, head_ends)] = False
    return float(found.mean()) if found.size else 0.0


def _on(sight: Sight, name: str, support: str, rect: Rect, surface: Rect) -> Opinion:
    frame, box = sight.index, sight.box(rect)
    middle = rect.x + rect.w / 2
    beside = max(surface.x - middle, middle - surface.right, 0) / max(rect.w, 1)
    # The foot of the thing lies on the surface's upper part: not above it, not at its feet.
    foot = (rect.bottom - surface.y) / max(surface.h, 1)
    told = f"its foot is at {foot:.2f} of the {support}'s height, {beside:.2f} of its width beside it"
    if beside > 0.6 or foot < -0.35 or foot > 1.15:
        return failed(f"{name} is not on {support}: {told}", frame, box)
    if beside == 0 and -0.12 <= foot <= 0.72:
        return passed(f"{name} is on {support}: {told}", frame, box)
    return unknown(told, frame, box)


def _inside(sight: Sight, name: str, container: str, rect: Rect, hold: Rect) -> Opinion:
    frame, box = sight.index, sight.box(rect)
    share = rect.overlap(hold) / max(rect.area, 1)
    told = f"{share:.0%} of it lies within the {container}'s outline"
    if share > 0.7 and rect.area < 1.2 * hold.area:
        return passed(f"{name} is in {container}: {told}", frame, box)
    return failed(told, frame, box) if share < 0.25 else unknown(told, frame, box)


def _attached(sight: Sight, name: str, support: str, rect: Rect, other: Rect) -> Opinion:
    frame, box = sight.index, sight.box(rect)
    share = rect.overlap(other.grown(3)) / max(rect.area, 1)
    told = f"{share:.0%} of it lies within the {support}'s outline"
    if share > 0.5:
        return passed(f"{name} is at {support}: {told}", frame, box)
    apart = rect.gap(other) / max(other.h, 1)
    return failed(told, frame, box) if apart > 0.15 else unknown(told, frame, box)


def largest(candidates: tuple[Candidate, ...]) -> Candidate | None:
    return max(candidates, key=lambda c: c.share, default=None)
