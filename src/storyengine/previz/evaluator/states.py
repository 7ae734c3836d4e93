"""Statements about a thing's state: the region held against the thing as it looks in each state it could have."""

from __future__ import annotations

from storyengine.language.claims import HasAttribute
from storyengine.previz.evaluator.eye import SEEN, Eye
from storyengine.previz.evaluator.finding import Region, state_odds
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown

CONTRARY = 2.0
"""Difference of log-odds by which another state must look likelier to deny the one that is claimed."""


def has_attribute(eye: Eye, frame: int, claim: HasAttribute) -> Opinion:
    found, name = eye.thing(frame, claim.entity), eye.name(claim.entity)
    if not found or found[0].score < SEEN:
        return unknown(f"{name} is not surely seen", frame)
    best = found[0]
    box = eye.sights[frame].box(best.rect)
    odds = odds_of_states(eye, frame, claim.entity, claim.attribute, best)
    others = {value: odd for value, odd in odds.items() if value != claim.value}
    if claim.value not in odds or not others:
        return unknown(f"{name} has no states of which '{claim.value}' is one", frame, box)
    rival = max(others, key=lambda value: others[value])
    margin = odds[claim.value] - others[rival]
    told = f"'{claim.value}' against '{rival}': {margin:+.1f}"
    return failed(told, frame, box) if margin < -CONTRARY else passed(told, frame, box)


def odds_of_states(eye: Eye, frame: int, entity: str, attribute: str, region: Region) -> dict[str, float]:
    """Log-odds of every value that an attribute can have."""
    subject = eye.subjects.things[entity]
    known = next((a for a in subject.entity.attributes if a.name == attribute), None)
    if known is None:
        return {}
    return {value: state_odds(eye.sights[frame], region, subject, value) for value in known.values}
