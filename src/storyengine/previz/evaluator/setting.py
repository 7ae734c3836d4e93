"""Whether a frame shows the place it should: proven by keypoints, or, without a picture of the place, by its words."""

from __future__ import annotations

from storyengine.language.claims import InEnvironment
from storyengine.previz.evaluator.eye import Eye
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown
from storyengine.previz.evaluator.places import described


def in_environment(eye: Eye, frame: int, claim: InEnvironment) -> Opinion:
    match = eye.place(frame, claim.environment)
    if match is None:
        return _by_description(eye, frame, claim)
    share = f"{match.inliers} of {match.points} keypoints, in {match.cells} of 16 cells"
    told = f"{share}, fit a reference view; {match.needed:.0f} would prove it"
    if match.proven:
        return passed(told, frame)
    return failed(told, frame) if match.denied else unknown(told, frame)


def _by_description(eye: Eye, frame: int, claim: InEnvironment) -> Opinion:
    place = eye.subjects.places.get(claim.environment)
    if place is None:
        return unknown("nothing is known of this place", frame)
    walls, floor = described(eye.sights[frame].picture, place)
    told = f"walls as described on {walls:.0%} of the frame, floor on {floor:.0%}"
    if walls > 0.04 or floor > 0.04:
        return passed(told, frame)
    return failed(told, frame)
