"""From statements to verdicts: which frames a statement is about, who decides it, and how moments add up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.backends.ports import Box, Statement, Verdict
from storyengine.language import parse
from storyengine.language.claims import (
    Absent,
    CameraMoves,
    Changes,
    Claim,
    FaceLegible,
    Framed,
    FreeOf,
    Happens,
    HasAttribute,
    InEnvironment,
    LandmarkVisible,
    Lit,
    LooksLike,
    Moves,
    OnlyPeople,
    Placed,
    Present,
    Single,
    StateClaim,
)
from storyengine.media.detect import Region, find_split, find_text
from storyengine.media.marks import find_marks
from storyengine.media.sampling import is_blank
from storyengine.plan import InSceneZone
from storyengine.previz.evaluator import events, motion, presence, relations, setting, states
from storyengine.previz.evaluator.eye import Eye
from storyengine.previz.evaluator.opinion import Opinion, failed, first_decided, mostly, passed, throughout, unknown

SPARSE = (InEnvironment, LooksLike, Lit, FreeOf, LandmarkVisible)
"""Claims about what does not change within a shot: two frames tell as much as eight."""


def decide(eye: Eye, statement: Statement) -> Verdict:
    """One verdict for one statement. Free text and sentences that the catalog cannot say are UNKNOWN."""
    claim = parse(statement.text, eye.subjects.catalog)
    if claim is None:
        opinion = unknown("this sentence is free text, which this evaluator does not judge")
    elif not eye.sights:
        opinion = unknown("there is no frame to look at")
    else:
        opinion = _opinion(eye, claim, statement.phase)
    return Verdict(statement.id, opinion.label, opinion.evidence, opinion.frame, opinion.box)


def _opinion(eye: Eye, claim: Claim, phase: str) -> Opinion:
    match claim:
        case Changes():
            return changes(eye, claim)
        case Happens():
            return events.happens(eye, claim)
        case CameraMoves():
            return motion.camera_moves(eye, claim)
        case Moves():
            return motion.moves(eye, claim)
        case FreeOf(thing="frozen frames"):
            return motion.frozen(eye.sights)
    last = len(eye.sights) - 1
    if isinstance(claim, FreeOf) and claim.thing == "logos and watermarks":
        return free_of_marks(eye, {"start": [0], "end": [last]}.get(phase, sorted({0, last})))
    if phase == "start":
        return at_end(eye, 0, claim)
    if phase == "end":
        return at_end(eye, last, claim)
    frames = sorted({0, last}) if isinstance(claim, SPARSE) else eye.spread
    if phase == "motion":
        return first_decided([at_moment(eye, frame, claim) for frame in frames])
    found = [at_moment(eye, frame, claim) for frame in frames]
    return mostly(found) if isinstance(claim, OnlyPeople) else throughout(found)


_MOMENTS: dict[type, Callable[[Eye, int, Any], Opinion]] = {
    Present: presence.present,
    Absent: presence.absent,
    Single: presence.single,
    Placed: relations.placed,
    HasAttribute: states.has_attribute,
    InEnvironment: setting.in_environment,
    LandmarkVisible: presence.landmark_visible,
    LooksLike: presence.looks_like,
    FaceLegible: presence.face_legible,
    Framed: presence.framed,
    Lit: presence.lit,
    OnlyPeople: presence.only_people,
}


def at_moment(eye: Eye, frame: int, claim: Claim) -> Opinion:
    """What one frame says of a claim."""
    if isinstance(claim, FreeOf):
        return free_of(eye, frame, claim)
    return _MOMENTS[type(claim)](eye, frame, claim)


SEEN_BESIDE = (Present, Single, Placed, HasAttribute)
"""Claims for which the frame beside the first or the last may speak: somebody passes, a hand is in the way."""


def at_end(eye: Eye, frame: int, claim: Claim) -> Opinion:
    """What a clip's first or last frame says of a claim, or the frame beside it where that one passes it."""
    opinion = at_moment(eye, frame, claim)
    beside = eye.beside(frame)
    if opinion.label == "PASS" or beside is None or not isinstance(claim, SEEN_BESIDE):
        return opinion
    again = at_moment(eye, beside, claim)
    return again if again.label == "PASS" else opinion


def changes(eye: Eye, claim: Changes) -> Opinion:
    """One state first, another later: the end must show the second; the start the first, or surely not the second."""
    last = len(eye.sights) - 1
    if last == 0:
        return unknown("one picture shows no change")
    if _in_zone(claim.before) and _in_zone(claim.after):
        return motion.goes(eye, claim.after.entity)
    if _tells(eye, claim) and motion.is_unchanged(eye, claim.after.entity, last):
        return failed(f"{eye.name(claim.after.entity)} looks the same at the end", last)
    for frame, state in ((0, claim.before), (last, claim.after)):
        if _in_zone(state) and (who := relations.holder(eye, frame, state.entity)) is not None:
            return failed(
                f"{eye.name(state.entity)} is held by {eye.name(who)} at the {'end' if frame else 'start'}", frame
            )
    leaves = _in_zone(claim.after)
    claim = Changes(before=_seen_there(claim.before), after=_seen_there(claim.after))
    after, before = at_end(eye, last, claim.after), at_end(eye, 0, claim.before)
    if after.label == "FAIL":
        return failed(f"at the end: {after.evidence}", last, after.box)
    if before.label == "FAIL":
        return failed(f"at the start: {before.evidence}", 0, before.box)
    told = f"first: {before.evidence}; then: {after.evidence}"
    if after.label == "PASS" and before.label == "PASS":
        return passed(told, last, after.box)
    if after.label == "PASS" and leaves:
        # Where it comes to cannot be told, and that it is in frame was so before: that it moved must do.
        moved = motion.changed_share(eye, claim.after.entity, last) is not None
        return passed(told, last, after.box) if moved else unknown(told, last, after.box)
    if after.label == "PASS":
        already = at_moment(eye, 0, claim.after)
        if already.label == "FAIL":
            return passed(told, last, after.box)
        if already.label == "PASS":
            return failed(f"it was so from the start: {already.evidence}", 0, already.box)
    return unknown(told, last, after.box)


def _tells(eye: Eye, claim: Changes) -> bool:
    """Whether a change would show: where a thing is does, its state where pictures of it differ. Of some words (cut,
    tied, scrubbed) nothing can be seen."""
    before, after = claim.before, claim.after
    thing = eye.subjects.things.get(after.entity)
    if thing is None or not isinstance(before, HasAttribute) or not isinstance(after, HasAttribute):
        return thing is not None and isinstance(after, Placed)
    return thing.differs(before.value, after.value)


def _in_zone(claim: StateClaim) -> bool:
    return isinstance(claim, Placed) and isinstance(claim.placement, InSceneZone)


def _seen_there(claim: StateClaim) -> StateClaim:
    """No picture tells one part of a place from another: being seen must do."""
    return Present(entity=claim.entity) if _in_zone(claim) else claim


def free_of(eye: Eye, frame: int, claim: FreeOf) -> Opinion:
    sight = eye.sights[frame]
    if claim.thing == "on-screen text":
        found = [r for r in find_text(sight.picture) if not _is_worn(eye, frame, r) and not _is_woven(eye, frame, r)]
        if not found:
            return passed("no lettering is found", frame)
        region = max(found, key=lambda r: r.score)
        return failed(f"a row of letters is found ({region.score:.2f} sure)", frame, _box(region))
    if claim.thing == "split screens":
        borders = find_split(sight.picture)
        return (
            failed(f"a border from edge to edge at {borders[0]:.2f}", frame)
            if borders
            else passed("one picture", frame)
        )
    if claim.thing == "blank frames":
        grey = np.asarray(cv2.resize(sight.grey, (160, 90), interpolation=cv2.INTER_AREA), np.uint8)
        return failed("the frame is blank", frame) if is_blank(grey) else passed("the frame shows something", frame)
    return unknown(f"this evaluator does not look for {claim.thing}", frame)


WORN = 0.7
"""Part of some lettering that lies on people from which it is a pattern of their clothes: stripes make good letters."""


WOVEN, ROPES = 0.5, ("rope", "wicker")
"""Part of some lettering that lies on a coil of rope, a net or a basket from which it is its strands; and of what such
things are made."""


def _is_worn(eye: Eye, frame: int, region: Region) -> bool:
    return _covered(eye.crowd(frame).people, region) >= WORN


def _is_woven(eye: Eye, frame: int, region: Region) -> bool:
    woven = [thing for thing, subject in eye.subjects.things.items() if subject.look.surface in ROPES]
    seen = (eye.seen(frame, thing) for thing in woven)
    return any(_covered(found.likely, region) >= WOVEN for found in seen if found is not None)


def _covered(cells: npt.NDArray[np.float32], region: Region) -> float:
    """How much of a region some cells show."""
    height, width = cells.shape
    rows = slice(int(region.top * height), int((region.top + region.height) * height) + 1)
    columns = slice(int(region.left * width), int((region.left + region.width) * width) + 1)
    return float(cells[rows, columns].mean())


def free_of_marks(eye: Eye, frames: list[int]) -> Opinion:
    """A mark stays where it is: frames are looked at together."""
    found = find_marks([eye.sights[frame].picture for frame in frames])
    if not found:
        return passed("no mark is laid over a corner", frames[0])
    return failed("a white mark is laid over a corner", frames[0], _box(found[0]))


def _box(region: Region) -> Box:
    return Box(round(region.left, 4), round(region.top, 4), round(region.width, 4), round(region.height, 4))
