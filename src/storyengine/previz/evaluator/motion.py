"""Statements about a whole clip: movements of people, things and the camera."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from storyengine.language.claims import CameraMoves, Moves
from storyengine.media.picture import Pixels
from storyengine.previz.evaluator.eye import Eye
from storyengine.previz.evaluator.networks import Floats
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown
from storyengine.previz.evaluator.seeing import Rect, Sight, shrunk

STEADY = 0.010
"""Shift of the background, of the frame's width, that a camera on a tripod may seem to make."""
PANNED = 0.030
ZOOMED = 0.025
"""Change of scale that counts as a push or pull."""
STIRRED = 0.012
"""Share of a region that must change for something to move in it."""
CHANGED = 22
"""Grey levels by which a pixel has changed."""
OPEN = 0.3
"""Share of a thing's surroundings that nobody may hide for it to be compared."""


# --- the camera ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drift:
    """How the background moves from the first to the last frame: shift in frame widths, scale."""

    across: float
    down: float
    scale: float
    points: int


def camera_moves(eye: Eye, claim: CameraMoves) -> Opinion:
    if len(eye.sights) < 2:
        return unknown("one picture shows no camera move")
    drift = shot_drift(eye.sights)
    if drift is None:
        return unknown("the background cannot be followed")
    told = f"the background shifts {drift.across:+.3f} of the width, scale {drift.scale:.3f}"
    sideways, growth = drift.across, drift.scale - 1
    still = abs(sideways) < STEADY and abs(drift.down) < STEADY and abs(growth) < 0.012
    moved = abs(sideways) > PANNED or abs(growth) > ZOOMED or abs(drift.down) > PANNED
    # Perspective lets a pan seem to grow a little, and a push shift what is off centre: the larger one names the move.
    pans, zooms = abs(sideways) > max(PANNED, abs(growth)), abs(growth) > max(ZOOMED, abs(sideways))
    match claim.move:
        case "still":
            right, wrong = still, moved
        case "pan_left":
            right, wrong = sideways > PANNED, still or sideways < -PANNED or zooms
        case "pan_right":
            right, wrong = sideways < -PANNED, still or sideways > PANNED or zooms
        case "push_in":
            right, wrong = growth > ZOOMED and not pans, still or growth < -ZOOMED or pans
        case "pull_out":
            right, wrong = growth < -ZOOMED and not pans, still or growth > ZOOMED or pans
        case "follow":
            right, wrong = moved, still
    last = len(eye.sights) - 1
    return passed(told, last) if right else failed(told, last) if wrong else unknown(told, last)


def shot_drift(sights: Sequence[Sight]) -> Drift | None:
    """From the first frame over one between to the last; by every frame where that is too far to follow."""
    middle = (len(sights) - 1) // 2
    few = background_drift((sights[0], sights[middle], sights[-1])) if middle else None
    return few or background_drift(sights)


def background_drift(sights: Sequence[Sight]) -> Drift | None:
    """Followed from frame to frame; people are outvoted by everything that moves together."""
    total = np.eye(3)
    points = 0
    for before, after in pairwise(sights):
        step = _step(before.grey, after.grey)
        if step is None:
            return None
        total = step[0] @ total
        points = max(points, step[1])
    scale = float(np.sqrt(abs(np.linalg.det(total[:2, :2]))))
    height, width = sights[0].shape
    middle = total @ np.array([width / 2, height / 2, 1.0])
    return Drift(float(middle[0] - width / 2) / width, float(middle[1] - height / 2) / width, scale, points)


def _step(before: Pixels, after: Pixels) -> tuple[Floats, int] | None:
    corners = cv2.goodFeaturesToTrack(before, 240, 0.01, 9)
    if corners is None or len(corners) < 12:
        return None
    follow: Any = cv2.calcOpticalFlowPyrLK  # its stub insists on an output array that may be None
    moved, found, _ = follow(before, after, corners, None, winSize=(21, 21), maxLevel=4)
    back, again, _ = follow(after, before, moved, None, winSize=(21, 21), maxLevel=4)
    true = (found.ravel() > 0) & (again.ravel() > 0) & (np.abs(back - corners).reshape(-1, 2).max(axis=1) < 1.0)
    if true.sum() < 12:
        return None
    cv2.setRNGSeed(7)
    matrix, inside = cv2.estimateAffinePartial2D(corners[true], moved[true], ransacReprojThreshold=2.0)
    if matrix is None or inside.sum() < max(10, 0.35 * true.sum()):
        return None
    return np.vstack([matrix, [0, 0, 1]]), int(inside.sum())


# --- people and things -----------------------------------------------------------------------------------------


def moves(eye: Eye, claim: Moves) -> Opinion:
    """Across the frame, or nearer and farther: in the picture, and beyond what the camera's own move does to it."""
    ends = _ends(eye, claim.entity)
    if ends is None or ends[0].frame == ends[1].frame:
        return unknown(f"{eye.name(claim.entity)} cannot be followed")
    first, end = ends
    last, box = end.frame, eye.sights[end.frame].box(end.rect)
    shift, growth = _apart(first, end)
    told = f"moves {shift:+.2f} of the width, grows to {growth:.2f}"
    own_shift, own_growth = _own(eye, first, end)
    match claim.direction:
        case "left_to_right":
            right, wrong = shift > 0.05 and own_shift > 0.03, min(shift, own_shift) < 0.025
        case "right_to_left":
            right, wrong = shift < -0.05 and own_shift < -0.03, max(shift, own_shift) > -0.025
        case "towards_camera":
            right, wrong = growth > 1.10 and own_growth > 1.05, min(growth, own_growth) < 1.04
        case "away_from_camera":
            right, wrong = growth < 0.92 and own_growth < 0.95, max(growth, own_growth) > 0.96
    return passed(told, last, box) if right else failed(told, last, box) if wrong else unknown(told, last, box)


@dataclass(frozen=True)
class _Seen:
    """Somebody or something in one frame."""

    frame: int
    rect: Rect
    across: float
    """Where, of the frame's width."""
    tall: float
    """How high, of the frame's height."""


def _apart(first: _Seen, last: _Seen) -> tuple[float, float]:
    """By how much of the frame's width something is farther right, and how many times as high."""
    return last.across - first.across, last.tall / max(first.tall, 1e-3)


def _own(eye: Eye, first: _Seen, last: _Seen) -> tuple[float, float]:
    """The same, less what the camera's own move does to it."""
    drift = shot_drift(eye.sights) or Drift(0.0, 0.0, 1.0, 0)
    shift, growth = _apart(first, last)
    return shift - drift.across, growth / drift.scale


WENT, STAYED = 0.105, 0.05
"""How far somebody's middle goes, of the frame's width, when they walk, and when they stay. Things only do the one or
the other."""


def goes(eye: Eye, entity: str) -> Opinion:
    """From one part of the place to another: across the frame, or into or out of it."""
    name, ends = eye.name(entity), _ends(eye, entity)
    if ends is None:
        return unknown(f"{name} cannot be followed")
    first, end = ends
    person, last = eye.is_person(entity), end.frame
    if first.frame > 0 or last < len(eye.sights) - 1:
        if not person:
            return unknown(f"{name} is not seen all the time", last)
        return passed(f"{name} comes into the frame or leaves it", last)
    shift, growth = _own(eye, first, end)
    far = abs(shift) + abs(growth - 1) / 2
    told, box = f"{name} moves by {far:.2f} of the frame", eye.sights[last].box(end.rect)
    if far >= (WENT if person else STAYED):
        return passed(told, last, box)
    return failed(told, last, box) if far <= STAYED else unknown(told, last, box)


def _ends(eye: Eye, entity: str) -> tuple[_Seen, _Seen] | None:
    """Somebody or something where they are first and last seen; None where they never are. People are measured by
    their heads, if both are seen: legs come and go behind things."""
    frames = range(len(eye.sights))
    first = next(((k, found.rect) for k in frames if (found := eye.seen(k, entity)) is not None), None)
    last = next(((k, found.rect) for k in reversed(frames) if (found := eye.seen(k, entity)) is not None), None)
    if first is None or last is None:
        return None
    height, width = eye.sights[0].shape
    heads = [head for frame, _ in (first, last) if (head := eye.head(frame, entity)) is not None]
    if len(heads) == 2:
        begin, end = (head.x / width for head in heads)
        return _Seen(*first, begin, heads[0].figure), _Seen(*last, end, heads[1].figure)
    begin, end = (rect.centre[0] / width for _, rect in (first, last))
    return _Seen(*first, begin, first[1].h / height), _Seen(*last, end, last[1].h / height)


def stir(eye: Eye, person: str) -> float | None:
    """The largest share of the person's surroundings that changes between two frames; None when they are not seen."""
    frames = range(len(eye.sights))
    seen = [found.rect for k in {0, frames[-1] // 2, frames[-1]} if (found := eye.seen(k, person)) is not None]
    if len(seen) < 2:
        return None
    area = seen[0]
    for rect in seen[1:]:
        area = area.joined(rect)
    most = 0.0
    for a, b in pairwise(frames):
        here = np.asarray(area.cut(eye.sights[a].grey), np.int16)
        there = np.asarray(area.cut(eye.sights[b].grey), np.int16)
        most = max(most, float((np.abs(here - there) > CHANGED).mean()))
    return most


SAME = 0.006
"""Share of a thing's surroundings that may differ between two frames in which its state is the same."""


def is_unchanged(eye: Eye, thing: str, frame: int) -> bool:
    """Whether a thing surely looks in a frame as it does in the first."""
    share = changed_share(eye, thing, frame)
    return share is not None and share < SAME


def changed_share(eye: Eye, thing: str, frame: int) -> float | None:
    """Share of a thing's surroundings that is other in a frame than in the first, people passed over.

    None where it cannot be compared: not seen, before a moving camera, or behind somebody.
    """
    first, end = eye.seen(0, thing), eye.seen(frame, thing)
    if first is None or end is None or not _stays(eye, frame):
        return None
    area = first.rect.joined(end.rect)
    people = np.maximum(eye.crowd(0).people, eye.crowd(frame).people)
    size = (eye.sights[0].shape[1], eye.sights[0].shape[0])
    free = np.asarray(area.cut(np.asarray(cv2.resize(people, size))), np.float32) < 0.3
    here, there = (np.asarray(area.cut(eye.sights[k].grey), np.int16) for k in (0, frame))
    return float((np.abs(here - there) > CHANGED)[free].mean()) if free.mean() > OPEN else None


ELSEWHERE = 0.5
"""Lengths of a thing by which it must lie elsewhere to have been moved."""


def is_moved(eye: Eye, thing: str, frame: int) -> bool:
    """Whether a thing surely lies elsewhere in a frame than in the first, before a camera that rests."""
    first, end = eye.seen(0, thing), eye.seen(frame, thing)
    if first is None or end is None or not _stays(eye, frame):
        return False
    length = max(first.rect.w, first.rect.h, end.rect.w, end.rect.h)
    return math.dist(first.rect.centre, end.rect.centre) > ELSEWHERE * length


def _stays(eye: Eye, frame: int) -> bool:
    """Whether the camera sees in a frame what it saw in the first."""
    drift = background_drift((eye.sights[0], eye.sights[frame]))
    return drift is not None and max(abs(drift.across), abs(drift.down), abs(drift.scale - 1)) <= STEADY


LIVELY, NOISE = 16, 6
"""Levels by which some spot of a small copy differs when something moves, and up to which an encoder alone differs."""


def frozen(sights: Sequence[Sight]) -> Opinion:
    """Whether nothing at all changes from the first frame to the last."""
    if len(sights) < 2:
        return unknown("one picture cannot freeze")
    first, most = shrunk(sights[0].small, 160).astype(np.int16), 0
    for sight in reversed(sights[1:]):  # the last differs most, and mostly suffices
        most = max(most, int(np.abs(shrunk(sight.small, 160) - first).max()))
        if most > LIVELY:
            break
    told = f"the frames differ by at most {most} levels"
    return passed(told, len(sights) - 1) if most > LIVELY else failed(told, 0) if most <= NOISE else unknown(told)
