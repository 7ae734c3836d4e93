"""Statements about a thing's state: the region held against the thing as its references show it in each state."""

from __future__ import annotations

from storyengine.backends.ports import Box
from storyengine.language.claims import HasAttribute
from storyengine.previz.evaluator.eye import Eye
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown

CONTRARY = -0.5
"""Log-odds of the state that is claimed against the likeliest other one, below which it is denied: where pictures show
two states alike, nothing speaks for either. Of 720 states of graded scenes (seeds 505 and 606) 4 true ones more would
pass from -1.2, and 7 false ones."""


def has_attribute(eye: Eye, frame: int, claim: HasAttribute) -> Opinion:
    found, name = eye.seen(frame, claim.entity), eye.name(claim.entity)
    if found is None:
        return unknown(f"{name} is not surely seen", frame)
    box = eye.sights[frame].box(found.rect)
    known = next((a for a in eye.subjects.things[claim.entity].entity.attributes if a.name == claim.attribute), None)
    if known is None or claim.value not in known.values:
        return unknown(f"{name} has no states of which '{claim.value}' is one", frame, box)
    odds = eye.states(frame, claim.entity, known.values)
    if claim.value not in odds:
        return _unrivalled(eye, frame, claim, box)
    rival = max((value for value in odds if value != claim.value), key=lambda value: odds[value])
    if eye.subjects.things[claim.entity].only_turned(claim.value, rival):
        return passed(f"{name} is seen; which way it stands no picture tells", frame, box)
    margin = odds[claim.value] - odds[rival]
    told = f"'{claim.value}' against '{rival}': {margin:+.1f}"
    return failed(told, frame, box) if margin < CONTRARY else passed(told, frame, box)


def _unrivalled(eye: Eye, frame: int, claim: HasAttribute, box: Box) -> Opinion:
    """A story that never shows a thing otherwise has no picture to compare with: that it is seen must do."""
    subject, name = eye.subjects.things[claim.entity], eye.name(claim.entity)
    if subject.in_state(claim.value) is not None:
        return passed(f"{name} is seen; no picture shows it other than '{claim.value}'", frame, box)
    return unknown(f"no picture shows {name} as '{claim.value}'", frame, box)
