"""Statements about where things are: held, on, in, worn or fastened, told from a close look at both."""

from __future__ import annotations

import math

from storyengine.language.claims import Placed
from storyengine.plan import AttachedTo, HeldBy, InContainer, InSceneZone, Offscreen, OnSurface
from storyengine.previz.evaluator.eye import MISSING, Eye
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown

SEEN, LIKELY, UNLIKELY = 0.35, 0.3, 0.12
"""Likelihood of the relation that is claimed: from which it is seen, from which it may well be so, and up to which it
is denied. Of 369 true and 296 false statements of seeds 505 and 606 2 true and 6 false ones more would pass from 0.15
(what is held: from 0.3), and one true and 2 false ones fewer from 0.5, as a bowl on a stool would in an example."""
MEETS, APART = 0.1, 0.5
"""Gap between two regions, in lengths of the thing, up to which they meet, and from which they do not."""
HOLDS, RATHER = 0.9, 2.0
"""Likelihood from which somebody surely holds a thing, and by how much log-odds more surely than it is where it should
be."""


def holder(eye: Eye, frame: int, thing: str) -> str | None:
    """Who surely holds a thing."""
    likely, person = _surest(eye, frame, thing)
    return person if likely >= HOLDS else None


def likelihood_of(eye: Eye, frame: int, thing: str, kind: str, target: str) -> float | None:
    """How likely a thing is held by, on, in or fastened to something; None where one of them is not seen. What stands
    in a barrow lies on it as well."""
    found = eye.relation(frame, thing, target)
    if found is None:
        return None
    return found["on"] + found["in"] if kind in ("on", "in") else found[kind]


def _surest(eye: Eye, frame: int, thing: str) -> tuple[float, str]:
    """Who holds a thing, and how surely."""
    seen = ((found["held"], person) for person in eye.subjects.people if (found := eye.relation(frame, thing, person)))
    return max(seen, default=(0.0, ""))


def _another_holder(eye: Eye, frame: int, thing: str, kind: str, target: str) -> str | None:
    """Who rather holds a thing that should be elsewhere. What is worn may seem held by whoever wears it, and what lies
    behind somebody by them: where it seems to lie as well it may."""
    if kind != "held" and eye.is_person(target):
        return None
    likely, person = _surest(eye, frame, thing)
    claimed = likelihood_of(eye, frame, thing, kind, target) or 0.0
    rather = person != target and likely >= HOLDS and log_odds(likely) > log_odds(claimed) + RATHER
    lies = kind != "held" and claimed >= LIKELY
    return person if rather and not lies else None


def seems_to_lie(eye: Eye, frame: int, thing: str) -> bool:
    """Whether a thing may lie on or in anything at all."""
    others = (other for other in eye.subjects.things if other != thing)
    return any((likelihood_of(eye, frame, thing, "on", other) or 0.0) >= LIKELY for other in others)


def log_odds(likely: float) -> float:
    return math.log(max(likely, 1e-6) / max(1 - likely, 1e-6))


def placed(eye: Eye, frame: int, claim: Placed) -> Opinion:
    where = claim.placement
    if isinstance(where, (InSceneZone, Offscreen)):
        return unknown("a part of a place cannot be told from a picture", frame)
    kind, target = _asked(where)
    found, name = eye.search(frame, claim.entity), eye.name(claim.entity)
    if found is None or found.best is None or found.odds < MISSING:
        return failed(f"{name} is not seen", frame)
    box = eye.sights[frame].box(found.best.rect)
    who = _another_holder(eye, frame, claim.entity, kind, target)
    if who is not None:
        return failed(f"{name} is held by {eye.name(who)}", frame, box)
    likely = likelihood_of(eye, frame, claim.entity, kind, target)
    if likely is None:
        return unknown(f"{name} or {eye.name(target)} is not surely seen", frame, box)
    gap = eye.gap(frame, claim.entity, target)
    told = f"{name} is {kind} ({likely:.2f} sure), {gap:.1f} of its length from {eye.name(target)}"
    blind = kind == "fastened" or (kind == "held" and eye.subjects.things[claim.entity].is_pushed)
    meets = blind and gap <= MEETS  # seams and wheels tell the close look nothing
    if meets or likely >= SEEN:
        return passed(told, frame, box)
    denied = likely <= UNLIKELY and not (blind and gap <= APART)
    return failed(told, frame, box) if denied else unknown(told, frame, box)


def _asked(where: HeldBy | OnSurface | InContainer | AttachedTo) -> tuple[str, str]:
    """The relation, as the close look names it, and to whom or what."""
    match where:
        case HeldBy(holder=target):
            return "held", target
        case OnSurface(surface=target):
            return "on", target
        case InContainer(container=target):
            return "in", target
        case AttachedTo(support=target):
            return "fastened", target
