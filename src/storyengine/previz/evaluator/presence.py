"""Statements about one moment: who and what is there, how often, how large, in which place and light."""

from __future__ import annotations

from storyengine.language.claims import (
    Absent,
    FaceLegible,
    Framed,
    InEnvironment,
    LandmarkVisible,
    Lit,
    LooksLike,
    OnlyPeople,
    Present,
    Single,
)
from storyengine.plan import Entity
from storyengine.previz.appearance import prop_look
from storyengine.previz.evaluator.eye import DOUBTFUL, SURE, Eye
from storyengine.previz.evaluator.light import LEVELS, brightness_classes, tone_classes
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown
from storyengine.previz.evaluator.people import Figure
from storyengine.previz.evaluator.places import LIKELY, OTHER, PROVEN, described
from storyengine.previz.evaluator.search import Candidate
from storyengine.previz.evaluator.seeing import Rect
from storyengine.previz.evaluator.subjects import ThingSubject

ENTITY_MIN = 0.0025
"""Share of the frame from which not seeing a thing says something about it."""


def present(eye: Eye, frame: int, claim: Present | LooksLike) -> Opinion:
    sight = eye.sights[frame]
    found = eye.where(frame, claim.entity)
    name = eye.name(claim.entity)
    if found is None or found[1] < DOUBTFUL:
        best = f"the best region is {found[1]:.2f} sure" if found else "no region has its colours"
        return failed(f"{name} is not seen: {best}", frame)
    rect, score = found
    if score >= SURE:
        return passed(f"{name} is seen ({score:.2f} sure)", frame, sight.box(rect))
    return unknown(f"a region may be {name} ({score:.2f} sure)", frame, sight.box(rect))


def absent(eye: Eye, frame: int, claim: Absent) -> Opinion:
    seen = present(eye, frame, Present(entity=claim.entity))
    turned = {"PASS": failed, "FAIL": passed, "UNKNOWN": unknown}[seen.label]
    return turned(seen.evidence, frame, seen.box)


def single(eye: Eye, frame: int, claim: Single) -> Opinion:
    """Exactly one: seen, and no second region that is as sure and as large as half of the first."""
    seen = present(eye, frame, Present(entity=claim.entity))
    if seen.label != "PASS" or eye.is_person(claim.entity):
        return seen
    first, *others = eye.thing(frame, claim.entity)
    sight = eye.sights[frame]
    for other in others:
        if other.score >= SURE and other.share > 0.5 * first.share and _alike(first, other):
            return failed(
                f"a second {eye.name(claim.entity)} is seen ({other.score:.2f} sure)", frame, sight.box(other.rect)
            )
    return seen


def _alike(a: Candidate, b: Candidate) -> bool:
    """Whether two regions have the same proportions: parts of one thing rarely do."""
    ratio = (a.rect.w / a.rect.h) / (b.rect.w / b.rect.h)
    return 0.6 < ratio < 1.7 and a.rect.gap(b.rect) > 0.15 * max(a.rect.w, a.rect.h)


def looks_like(eye: Eye, frame: int, claim: LooksLike) -> Opinion:
    seen = present(eye, frame, claim)
    if not eye.is_person(claim.entity) or seen.label == "FAIL":
        return seen
    figures = eye.person(frame, claim.entity)
    subject = eye.subjects.people[claim.entity]
    if not subject.figures:
        return unknown(f"no identity sheet of {eye.name(claim.entity)} was shown", frame, seen.box)
    figure: Figure = figures[0]
    told = f"clothes agree by {figure.composition:.2f}, their order by {figure.order:.2f}"
    if seen.label == "PASS" and figure.composition > 0.45 and figure.order > 0.2:
        return passed(f"{eye.name(claim.entity)} is dressed as in the reference: {told}", frame, seen.box)
    return unknown(f"{eye.name(claim.entity)} cannot be told: {told}", frame, seen.box)


def face_legible(eye: Eye, frame: int, claim: FaceLegible) -> Opinion:
    figures = eye.person(frame, claim.entity)
    if not figures or figures[0].score < SURE:
        return unknown(f"{eye.name(claim.entity)} is not surely seen", frame)
    sight = eye.sights[frame]
    heads = [h for h in eye.heads(frame) if h.overlap(figures[0].rect) > 0.4 * h.area]
    if heads:
        tall = max(h.h for h in heads) / sight.shape[0]
        if tall > 0.05:
            return passed(f"the face shows eyes and is {tall:.0%} of the frame high", frame, sight.box(heads[0]))
    return unknown("no pair of eyes is seen", frame, sight.box(figures[0].rect))


# --- who else --------------------------------------------------------------------------------------------------


def only_people(eye: Eye, frame: int, claim: OnlyPeople) -> Opinion:
    sight = eye.sights[frame]
    named = [f[0] for p in claim.entities if (f := eye.person(frame, p)) and f[0].score >= DOUBTFUL]
    for entity in eye.subjects.people:
        if entity not in claim.entities:
            others = eye.person(frame, entity)
            if others and others[0].score >= 0.9 and others[0].head and not _claimed(others[0].rect, named):
                return failed(f"{eye.name(entity)} is seen too", frame, sight.box(others[0].rect))
    strangers = [head for head in eye.heads(frame) if not _claimed(head, named)]
    if strangers and len(eye.heads(frame)) > len(named):
        return failed(f"{len(strangers)} more face(s) than people named", frame, sight.box(strangers[0]))
    return passed(f"no face beside the {len(claim.entities)} named", frame)


def _claimed(rect: Rect, figures: list[Figure]) -> bool:
    return any(rect.overlap(figure.rect.grown(4, 0.25 * figure.rect.h)) > 0.3 * rect.area for figure in figures)


# --- place, light, camera ----------------------------------------------------------------------------------------


def in_environment(eye: Eye, frame: int, claim: InEnvironment) -> Opinion:
    match = eye.place(frame, claim.environment)
    if match is None:
        return _by_description(eye, frame, claim)
    told = f"{match.inliers} keypoints fit the reference view, colours agree by {match.colours:.2f}"
    if match.inliers >= PROVEN or (match.inliers >= LIKELY and match.colours > 0.5):
        return passed(told, frame)
    if match.colours < OTHER:
        return failed(told, frame)
    return unknown(told, frame)


def _by_description(eye: Eye, frame: int, claim: InEnvironment) -> Opinion:
    place = eye.subjects.places.get(claim.environment)
    if place is None:
        return unknown("nothing is known of this place", frame)
    walls, floor = described(eye.sights[frame].picture, place)
    told = f"walls as described on {walls:.0%} of the frame, floor on {floor:.0%}"
    if walls > 0.06 and floor > 0.04:
        return passed(told, frame)
    return unknown(told, frame) if walls > 0.02 or floor > 0.02 else failed(told, frame)


def landmark_visible(eye: Eye, frame: int, claim: LandmarkVisible) -> Opinion:
    place = eye.subjects.places.get(claim.environment)
    mark = next((m for m in place.environment.landmarks if m.id == claim.landmark), None) if place else None
    if mark is None:
        return unknown("nothing is known of this landmark", frame)
    entity = Entity(id=f"landmark-{mark.id}"[:60], name=mark.name, kind="prop", look=mark.look)
    subject = ThingSubject(entity, prop_look(mark.name, mark.look), ())
    candidates = eye.searched(frame, subject)
    sight = eye.sights[frame]
    if candidates and candidates[0].score >= SURE:
        return passed(f"{mark.name} is seen ({candidates[0].score:.2f} sure)", frame, sight.box(candidates[0].rect))
    return unknown(f"{mark.name} cannot be told from the place", frame)


def lit(eye: Eye, frame: int, claim: Lit) -> Opinion:
    """Against the reference view where there is one, else against the usual levels of the classes."""
    exposure = eye.exposure(frame)
    told = f"mean level {exposure.level:.2f}, red by blue {exposure.warmth:+.2f}"
    bright = claim.brightness in brightness_classes(exposure.level)
    toned = claim.tone in tone_classes(exposure.warmth)
    if bright and toned:
        return passed(told, frame)
    far = abs(LEVELS[claim.brightness] - exposure.level) > 0.24
    opposite = (claim.tone == "warm" and exposure.warmth < -0.08) or (claim.tone == "cool" and exposure.warmth > 0.30)
    return failed(told, frame) if far or opposite else unknown(told, frame)


_HEAD_SIZES = {"wide": (0.0, 0.20), "medium": (0.10, 0.36), "tight": (0.20, 1.0)}
_BODY_SIZES = {"wide": (0.0, 0.95), "medium": (0.4, 1.01), "tight": (0.6, 1.01)}


def framed(eye: Eye, frame: int, claim: Framed) -> Opinion:
    found = eye.where(frame, claim.entity)
    if found is None or found[1] < SURE:
        return unknown(f"{eye.name(claim.entity)} is not surely seen", frame)
    sight, rect = eye.sights[frame], found[0]
    tall = rect.h / sight.shape[0]
    box = sight.box(rect)
    if not eye.is_person(claim.entity):
        return unknown(f"{tall:.0%} of the frame high; framing is told by people", frame, box)
    figure = eye.person(frame, claim.entity)[0]
    if figure.head is not None:
        size = figure.head.h / sight.shape[0]
        low, high = _HEAD_SIZES[claim.framing]
        told = f"the head is {size:.0%} of the frame high"
    else:
        size = tall
        low, high = _BODY_SIZES[claim.framing]
        told = f"the figure is {size:.0%} of the frame high"
    if low <= size <= high:
        return passed(told, frame, box)
    return failed(told, frame, box) if size < 0.6 * low or size > 1.5 * high else unknown(told, frame, box)
