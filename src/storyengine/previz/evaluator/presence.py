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
from storyengine.previz.evaluator.eye import MISSING, SEEN, SURE, Eye, overlap
from storyengine.previz.evaluator.finding import Region
from storyengine.previz.evaluator.light import LEVELS, brightness_classes, level_and_warmth, tone_classes
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown
from storyengine.previz.evaluator.places import ENOUGH, described
from storyengine.previz.evaluator.subjects import thing_subject


def present(eye: Eye, frame: int, claim: Present | LooksLike) -> Opinion:
    """What is asked for is usually there: it takes little to see it, and less to be sure that it is missing."""
    found, name = eye.where(frame, claim.entity), eye.name(claim.entity)
    person = eye.subjects.people.get(claim.entity)
    if person is not None and person.sheet is None and (found is None or found.score < SEEN):
        if eye.crowd(frame).heads:
            return unknown(f"somebody is seen; without an identity sheet it cannot be told whether {name}", frame)
        return failed("nobody is seen", frame)
    if found is None or found.score < MISSING:
        best = f"the best region is {found.score:.2f} sure" if found else "no region answers"
        return failed(f"{name} is not seen: {best}", frame)
    told, box = f"{found.score:.2f} sure", eye.sights[frame].box(found.rect)
    if found.score >= SEEN:
        return passed(f"{name} is seen ({told})", frame, box)
    return unknown(f"a region may be {name} ({told})", frame, box)


def absent(eye: Eye, frame: int, claim: Absent) -> Opinion:
    """What should be elsewhere usually is: only a sure sight denies it."""
    found, name = eye.where(frame, claim.entity), eye.name(claim.entity)
    if found is None or found.score < SURE:
        best = f"the best region is {found.score:.2f} sure" if found else "no region answers"
        return passed(f"{name} is not seen: {best}", frame)
    return failed(f"{name} is seen ({found.score:.2f} sure)", frame, eye.sights[frame].box(found.rect))


def single(eye: Eye, frame: int, claim: Single) -> Opinion:
    """Exactly one: seen, and no second region that is as sure and of comparable size."""
    seen = present(eye, frame, Present(entity=claim.entity))
    if seen.label != "PASS" or eye.is_person(claim.entity):
        return seen
    first, *others = eye.thing(frame, claim.entity)
    for other in others:
        if other.score >= SURE and other.share > 0.35 * first.share and not _is_other_thing(eye, frame, claim, other):
            box = eye.sights[frame].box(other.rect)
            return failed(f"a second {eye.name(claim.entity)} is seen ({other.score:.2f} sure)", frame, box)
    return seen


def _is_other_thing(eye: Eye, frame: int, claim: Single, region: Region) -> bool:
    """Whether a region is better explained by another thing of the story."""
    for entity in eye.subjects.things:
        best = eye.where(frame, entity) if entity != claim.entity else None
        if best is not None and best.score > region.score and overlap(best.likely, region.likely) > 0.5:
            return True
    return False


# --- people --------------------------------------------------------------------------------------------------------

OTHER_FACE = 0.2
"""Agreement of two faces below which they are not one person's."""
FACES = 0.85
"""How straight a head must face the camera (cosine) for its face to be compared."""
SMALLEST_FACE = 12.0
"""Half the height of a head in pixels of the small picture, from which its face can be compared."""


def looks_like(eye: Eye, frame: int, claim: LooksLike) -> Opinion:
    """By clothes and hair; a face denies it only when it is large, straight and clearly another."""
    seen = present(eye, frame, claim)
    if not eye.is_person(claim.entity) or seen.label != "PASS":
        return seen
    name, head = eye.name(claim.entity), eye.head(frame, claim.entity)
    if eye.subjects.people[claim.entity].sheet is None:
        return unknown(f"no identity sheet of {name} was shown", frame, seen.box)
    agreement = eye.face(frame, claim.entity)
    if head is None or agreement is None or head.facing < FACES or head.radius < SMALLEST_FACE:
        return passed(f"{name} is dressed as in the reference; the face cannot be compared", frame, seen.box)
    told = f"the face agrees with {name}'s by {agreement:.2f}"
    if agreement < OTHER_FACE:
        return failed(told, frame, eye.sights[frame].box(head.rect))
    return passed(told, frame, seen.box)


LEGIBLE = 0.055
"""Height of a head, of the frame, from which its face can be read."""


def face_legible(eye: Eye, frame: int, claim: FaceLegible) -> Opinion:
    found = eye.person(frame, claim.entity)
    if not found or found[0].score < SEEN:
        return unknown(f"{eye.name(claim.entity)} is not surely seen", frame)
    sight, head = eye.sights[frame], eye.head(frame, claim.entity)
    if head is None:
        return failed("no head is seen", frame, sight.box(found[0].rect))
    tall = 2 * head.radius / sight.shape[0]
    told = f"the head is {tall:.0%} of the frame high and faces the camera by {head.facing:.2f}"
    if tall >= LEGIBLE and head.facing > 0.25:
        return passed(told, frame, sight.box(head.rect))
    return (
        failed(told, frame, sight.box(head.rect)) if head.facing < 0.0 or tall < 0.6 * LEGIBLE else unknown(told, frame)
    )


STRANGER, UNLIKE = 0.55, -4.0
"""Certainty of a head that counts, and log-odds of a figure below which it is nobody named."""


def only_people(eye: Eye, frame: int, claim: OnlyPeople) -> Opinion:
    """No more heads than people named, and no head on a figure that is unlike all of them."""
    sight, heads = eye.sights[frame], [h for h in eye.crowd(frame).heads if h.score >= STRANGER]
    own = {head for person in claim.entities if (head := eye.head(frame, person)) is not None}
    strangers = [head for head in heads if head not in own]
    told = f"{len(heads)} heads are seen, {len(claim.entities)} people are named"
    if len(heads) > len(claim.entities):
        return failed(told, frame, sight.box((strangers or heads)[-1].rect))
    for head in strangers:
        alike = eye.likeness(frame, head, claim.entities)
        if alike < UNLIKE:
            return failed(f"a figure is unlike everybody named ({alike:+.1f})", frame, sight.box(head.rect))
    return passed(told, frame)


# --- place, light, camera --------------------------------------------------------------------------------------------

PROVEN, STRANGE = 18, 11
"""Keypoints that fit one camera motion: so many prove the place, and so few deny it."""


def in_environment(eye: Eye, frame: int, claim: InEnvironment) -> Opinion:
    match = eye.place(frame, claim.environment)
    if match is None:
        return _by_description(eye, frame, claim)
    told = f"{match.inliers} of {match.points} keypoints fit a reference view"
    if match.inliers >= PROVEN:
        return passed(told, frame)
    if match.inliers <= STRANGE and match.points >= ENOUGH:
        return failed(told, frame)
    return unknown(told, frame)


def _by_description(eye: Eye, frame: int, claim: InEnvironment) -> Opinion:
    place = eye.subjects.places.get(claim.environment)
    if place is None:
        return unknown("nothing is known of this place", frame)
    walls, floor = described(eye.sights[frame].picture, place)
    told = f"walls as described on {walls:.0%} of the frame, floor on {floor:.0%}"
    if walls > 0.04 or floor > 0.04:
        return passed(told, frame)
    return failed(told, frame)


PLAIN = 0.6
"""Certainty from which a landmark, which nobody carried in, is seen."""


def landmark_visible(eye: Eye, frame: int, claim: LandmarkVisible) -> Opinion:
    place = eye.subjects.places.get(claim.environment)
    mark = next((m for m in place.environment.landmarks if m.id == claim.landmark), None) if place else None
    if mark is None:
        return unknown("nothing is known of this landmark", frame)
    entity = Entity(id=f"landmark-{mark.id}"[:60], name=mark.name, kind="prop", look=mark.look)
    found = eye.searched(frame, thing_subject(entity))
    if found and found[0].score >= PLAIN:
        return passed(f"{mark.name} is seen ({found[0].score:.2f} sure)", frame, eye.sights[frame].box(found[0].rect))
    return unknown(f"{mark.name} cannot be told from the place", frame)


DARKER, BRIGHTER, TINTED = 0.80, 1.22, 0.11
"""Brightness where both show the same point, and shift of the logarithm of red by blue, that another light has."""


def lit(eye: Eye, frame: int, claim: Lit) -> Opinion:
    """Against the reference view where there is one, else against the usual levels of the classes."""
    match = eye.place(frame, claim.environment)
    place = eye.subjects.places.get(claim.environment)
    meant = place.environment.light if place else None
    if match is not None and match.gain is not None and match.warmth is not None and meant is not None:
        told = f"{match.gain:.2f} times as bright as the reference, {match.warmth:+.2f} warmer"
        same = (meant.brightness, meant.tone) == (claim.brightness, claim.tone)
        drifted = not DARKER < match.gain < BRIGHTER or abs(match.warmth) > TINTED
        if same:
            return failed(told, frame) if drifted else passed(told, frame)
        return unknown(told, frame) if drifted else failed(f"the light is that of the reference: {told}", frame)
    level, warmth = level_and_warmth(eye.sights[frame].picture.pixels)
    told = f"mean level {level:.2f}, red by blue {warmth:+.2f}"
    if claim.brightness in brightness_classes(level) and claim.tone in tone_classes(warmth):
        return passed(told, frame)
    far = abs(LEVELS[claim.brightness] - level) > 0.24
    opposite = (claim.tone == "warm" and warmth < -0.08) or (claim.tone == "cool" and warmth > 0.30)
    return failed(told, frame) if far or opposite else unknown(told, frame)


_HEAD_SIZES = {"wide": (0.0, 0.20), "medium": (0.10, 0.36), "tight": (0.20, 1.0)}
_BODY_SIZES = {"wide": (0.0, 0.95), "medium": (0.4, 1.01), "tight": (0.6, 1.01)}


def framed(eye: Eye, frame: int, claim: Framed) -> Opinion:
    found = eye.where(frame, claim.entity)
    if found is None or found.score < SEEN:
        return unknown(f"{eye.name(claim.entity)} is not surely seen", frame)
    sight, box = eye.sights[frame], eye.sights[frame].box(found.rect)
    tall = found.rect.h / sight.shape[0]
    if not eye.is_person(claim.entity):
        return unknown(f"{tall:.0%} of the frame high; framing is told by people", frame, box)
    head = eye.head(frame, claim.entity)
    size, (low, high) = tall, _BODY_SIZES[claim.framing]
    told = f"the figure is {size:.0%} of the frame high"
    if head is not None:
        size, (low, high) = 2 * head.radius / sight.shape[0], _HEAD_SIZES[claim.framing]
        told = f"the head is {size:.0%} of the frame high"
    if low <= size <= high:
        return passed(told, frame, box)
    return failed(told, frame, box) if size < 0.6 * low or size > 1.5 * high else unknown(told, frame, box)
