"""Statements about one moment: who and what is there, how often, how large, in which place and light."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storyengine.language.claims import (
    Absent,
    FaceLegible,
    Framed,
    LandmarkVisible,
    Lit,
    LooksLike,
    OnlyPeople,
    Present,
    Single,
)
from storyengine.plan import Entity
from storyengine.previz.appearance import ROOM_PARTS
from storyengine.previz.evaluator.eye import MISSING, SEEN, SURE, Eye, likelihood
from storyengine.previz.evaluator.finding import NEVER, Region, Search
from storyengine.previz.evaluator.light import LEVELS, brightness_classes, level_and_warmth, tone_classes
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown
from storyengine.previz.evaluator.subjects import thing_subject
from storyengine.previz.evaluator.windows import twice_odds


def present(eye: Eye, frame: int, claim: Present | LooksLike | Single) -> Opinion:
    """What is asked for is usually there: it takes little to see it, and less to be sure that it is missing."""
    found, name = eye.search(frame, claim.entity), eye.name(claim.entity)
    if found is None:
        return unknown(f"nothing is known of {name}", frame)
    person = eye.subjects.people.get(claim.entity)
    if person is not None and person.sheet is None and found.odds < SEEN:
        if eye.crowd(frame).heads:
            return unknown(f"somebody is seen; without an identity sheet it cannot be told whether {name}", frame)
        return failed("nobody is seen", frame)
    told = f"{likelihood(found.odds):.2f} sure"
    box = eye.sights[frame].box(found.best.rect) if found.best is not None else None
    if found.odds >= SEEN:
        return passed(f"{name} is seen ({told})", frame, box)
    if found.odds < MISSING:
        return failed(f"{name} is not seen ({told})", frame)
    return unknown(f"{name} may be seen ({told})", frame, box)


AS_SURE = 2.0
"""How much less surely, in log-odds, a region may be something else of the story that explains it."""
SHOWN, TOLD = 3.3, 0.7
"""Log-odds from which a picture by itself shows what should be elsewhere: it takes less than in a clip, since what is
left over in an opening stays; and less still where words alone tell of it, which are never very sure."""


def absent(eye: Eye, frame: int, claim: Absent) -> Opinion:
    """What should be elsewhere usually is: only a sure sight denies it, of something that nothing else explains."""
    found, name = eye.search(frame, claim.entity), eye.name(claim.entity)
    if found is None:
        return unknown(f"nothing is known of {name}", frame)
    told = f"{likelihood(found.odds):.2f} sure"
    for region in _sure_sights(eye, frame, claim.entity, found):
        rival = eye.claimed(frame, claim.entity, region, AS_SURE)
        if rival is None:
            sure = likelihood(region.odds)
            return failed(f"{name} is seen ({sure:.2f} sure)", frame, eye.sights[frame].box(region.rect))
        told += f"; {eye.name(rival)} is"
    return passed(f"{name} is not seen ({told})", frame)


def _sure_sights(eye: Eye, frame: int, entity: str, found: Search) -> list[Region]:
    """Regions that surely show somebody or something."""
    thing = eye.subjects.things.get(entity)
    if thing is None:
        return [found.best] if found.best is not None and found.odds >= SURE else []
    least = SURE if len(eye.sights) > 1 else TOLD if thing.known == "told" else SHOWN
    return [region for region in found.regions if region.odds >= least]


TWICE = -1.5
"""Log-odds from which a region, or two regions together, show a thing twice. Of 450 graded regions of one thing, parted
by whatever stands before it or not, 3 are surer; of 20 with two of it 13 (seed 606)."""
ANOTHER = 5.4
"""Log-odds from which a region further away than either is long is a second one: it is no part of the first."""


def single(eye: Eye, frame: int, claim: Single) -> Opinion:
    """Exactly one: seen where it is not something else of the story, and neither that region shows two of it nor does
    it together with another one."""
    seen, found = present(eye, frame, claim), eye.search(frame, claim.entity)
    thing = eye.subjects.things.get(claim.entity)
    if seen.label != "PASS" or thing is None or found is None:
        return seen
    name = eye.name(claim.entity)
    whose = {r: eye.double(frame, claim.entity, r) for r in found.regions if r.odds >= SEEN}
    own = [region for region, other in whose.items() if other is None]
    if not own:
        double = next(iter(whose.values()), None)
        return failed(f"what looks like {name} is {eye.name(double)}", frame, seen.box) if double else seen
    if not thing.shown:
        return seen
    first, *others = own
    others = [r for r in others if eye.claimed(frame, claim.entity, r, AS_SURE) is None]
    apart = next((r for r in others if r.odds >= ANOTHER and first.rect.away(r.rect) > first.rect.longer(r.rect)), None)
    if apart is not None:
        told = f"a second {name} is seen elsewhere ({likelihood(apart.odds):.2f} sure)"
        return failed(told, frame, eye.sights[frame].box(apart.rect))
    twice = twice_odds(eye.sights[frame], first, others, thing)
    if twice < TWICE:
        return seen
    return failed(f"{name} is seen twice ({likelihood(twice):.2f} sure)", frame, seen.box)


# --- people --------------------------------------------------------------------------------------------------------

SOMEBODY_ELSE, AT_A_GLANCE = 0.55, 0.45
"""Agreement with the sheet's head, from whatever side it is seen, below which it is somebody else's: the mean of
several frames, and that of one alone."""


def looks_like(eye: Eye, frame: int, claim: LooksLike) -> Opinion:
    """By clothes, and by the head in all frames together: nobody becomes somebody else within a shot. Before somebody
    is denied, two more frames have their say."""
    seen = present(eye, frame, claim)
    if not eye.is_person(claim.entity) or seen.label != "PASS":
        return seen
    name = eye.name(claim.entity)
    if eye.subjects.people[claim.entity].sheet is None:
        return unknown(f"no identity sheet of {name} was shown", frame, seen.box)
    agreements = _agreements(eye, claim.entity, eye.spread)
    if _is_somebody_else(agreements):
        agreements |= _agreements(eye, claim.entity, eye.between)
    if not agreements or any(eye.has_hat(at, claim.entity) for at in eye.spread):
        return passed(f"{name} is dressed as in the reference; no bare head can be compared", frame, seen.box)
    told = f"the head agrees with {name}'s by {_mean(agreements):.2f}"
    if not _is_somebody_else(agreements):
        return passed(told, frame, seen.box)
    least = min(agreements, key=lambda at: agreements[at])
    head, sight = eye.head(least, claim.entity), eye.sights[least]
    return failed(told, least, sight.box(head.rect) if head is not None else seen.box)


def _agreements(eye: Eye, person: str, frames: Sequence[int]) -> dict[int, float]:
    return {frame: found for frame in frames if (found := eye.agreement(frame, person)) is not None}


def _is_somebody_else(agreements: Mapping[int, float]) -> bool:
    return _mean(agreements) < (SOMEBODY_ELSE if len(agreements) > 1 else AT_A_GLANCE)


def _mean(agreements: Mapping[int, float]) -> float:
    return sum(agreements.values()) / len(agreements) if agreements else 0.0


LEGIBLE, ILLEGIBLE = 0.058, 0.033
"""Height of a head, of the frame, from which its face can be read, and below which it cannot."""
TOWARDS, AWAY = 0.55, 0.2
"""Cosine between a face and the camera from which it can be read, and below which it cannot."""


def face_legible(eye: Eye, frame: int, claim: FaceLegible) -> Opinion:
    found = eye.seen(frame, claim.entity)
    if found is None:
        return unknown(f"{eye.name(claim.entity)} is not surely seen", frame)
    sight, head = eye.sights[frame], eye.head(frame, claim.entity)
    if head is None:
        return failed("no head is seen", frame, sight.box(found.rect))
    tall, box = 2 * head.radius / sight.shape[0], sight.box(head.rect)
    told = f"the head is {tall:.0%} of the frame high, faces the camera by {head.facing:.2f}, {head.free:.0%} free"
    if tall >= LEGIBLE and head.facing >= TOWARDS and head.free >= 0.6:
        return passed(told, frame, box)
    hidden = head.facing < AWAY or tall < ILLEGIBLE or head.free < 0.3
    return failed(told, frame, box) if hidden else unknown(told, frame, box)


COUNTED, STRANGER = 0.65, 0.5
"""Certainty of a head that counts, and of one that counts because it is nobody's who is named."""
UNLIKE, LEGS = 0.03, 0.35
"""Of nobody who is named is a body with less than this share of their cells, and a whole figure with less than that:
of some people only the trousers are known again."""


def only_people(eye: Eye, frame: int, claim: OnlyPeople) -> Opinion:
    """No more heads than people named, and no head on a body that is none of theirs."""
    sight, people = eye.sights[frame], eye.somebodies(frame)
    heads = [head for head in people if head.score >= COUNTED]
    own = {head for person in claim.entities if (head := eye.head(frame, person)) is not None}
    strangers = [head for head in people if head.score >= STRANGER and head not in own]
    told = f"{len(heads)} heads are seen, {len(claim.entities)} people are named"
    if len(heads) > len(claim.entities):
        return failed(told, frame, sight.box((strangers or heads)[-1].rect))
    for head in strangers:
        body, figure = eye.explained(frame, head, claim.entities)
        if body < UNLIKE and figure < LEGS:
            return failed(f"a figure is unlike everybody named ({figure:.0%})", frame, sight.box(head.rect))
    return passed(told, frame)


# --- place, light, camera --------------------------------------------------------------------------------------------


PLAIN, GONE = 0.2, -2.5
"""Log-odds from which a landmark is seen, and below which it is not in frame, where words alone tell of it."""
NEARLY, LESS = -2.2, -3.2
"""The same against how it is seen in the place's panorama, where it must be somewhere: words tell some landmarks better
than others."""
BESIDE = 0.35
"""Widths of the frame beyond its edges up to which a landmark's direction may lie: it is seen from another station."""
ELSEWHERE = 0.4
"""Widths of the frame from there at which what is seen is something else."""
UNTOLD = -0.9
"""Log-odds in the panorama below which words do not tell the landmark at all."""


def landmark_visible(eye: Eye, frame: int, claim: LandmarkVisible) -> Opinion:
    """Seen about as well as in the panorama, and in a direction into which the frame looks."""
    place = eye.subjects.places.get(claim.environment)
    mark = next((m for m in place.environment.landmarks if m.id == claim.landmark), None) if place else None
    if mark is None:
        return unknown("nothing is known of this landmark", frame)
    entity = Entity(id=f"landmark-{mark.id}"[:60], name=mark.name, kind="prop", look=mark.look)
    subject = thing_subject(entity, fixed=True)
    found, around = _unexplained(eye, frame, eye.searched(frame, subject)), eye.around(claim.environment, subject)
    (low, high), told = (GONE, PLAIN), f"{likelihood(found.odds):.2f} sure"
    if around is not None:
        odds, yaw = around
        (low, high), told = (odds + LESS, odds + NEARLY), f"{found.odds:.1f}, in the panorama {odds:.1f}"
        match = eye.place(frame, claim.environment)
        if match is not None and match.heading is not None and ROOM_PARTS.isdisjoint(mark.name.split()):
            if odds < UNTOLD:
                return unknown(f"{mark.name} is hardly found in the panorama ({told})", frame)
            high = max(high, PLAIN)  # much that is a little like it lies in any direction
            across, seen = match.heading.across(yaw), _middle(eye, frame, found)
            told += f"; it should be at {across:.2f} of the frame's width"
            if not -BESIDE <= across <= 1 + BESIDE:
                return failed(f"{mark.name} is outside the frame ({told})", frame)
            if seen is not None and abs(seen - across) > ELSEWHERE:
                return unknown(f"{mark.name} may be seen, at {seen:.2f} ({told})", frame)
    if found.odds >= high and found.best is not None:
        return passed(f"{mark.name} is seen ({told})", frame, eye.sights[frame].box(found.best.rect))
    if found.odds < low:
        return failed(f"{mark.name} is not seen ({told})", frame)
    return unknown(f"{mark.name} may be seen ({told})", frame)


def _unexplained(eye: Eye, frame: int, found: Search) -> Search:
    """Without regions that something of the story explains."""
    own = tuple(r for r in found.regions if eye.claimed(frame, "", r, less=-SURE) is None)
    if own == found.regions:
        return found
    return Search(own[0].odds if own else NEVER, own)


def _middle(eye: Eye, frame: int, found: Search) -> float | None:
    """Where something was found, of the frame's width."""
    return found.best.rect.centre[0] / eye.sights[frame].shape[1] if found.best is not None else None


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


FIGURES = {"wide": (0.0, 1.0), "medium": (0.72, 1.95), "tight": (1.5, 99.0)}
"""Height of a whole figure, in heights of the frame, that a framing allows."""
DOUBT = 1.04
"""Factor within which a height may be misjudged."""


def framed(eye: Eye, frame: int, claim: Framed) -> Opinion:
    found = eye.seen(frame, claim.entity)
    if found is None:
        return unknown(f"{eye.name(claim.entity)} is not surely seen", frame)
    sight, box = eye.sights[frame], eye.sights[frame].box(found.rect)
    if not eye.is_person(claim.entity):
        return unknown("framing is told by people", frame, box)
    head = eye.head(frame, claim.entity)
    if head is None:
        return unknown(f"{eye.name(claim.entity)}'s head is not seen", frame, box)
    low, high = FIGURES[claim.framing]
    told = f"the whole figure would be {head.figure:.2f} of the frame high"
    if low * DOUBT <= head.figure <= high / DOUBT:
        return passed(told, frame, sight.box(head.rect))
    outside = head.figure < low / DOUBT or head.figure > high * DOUBT
    return failed(told, frame, box) if outside else unknown(told, frame, box)
