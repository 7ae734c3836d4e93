"""Statements that something happens: what the action would bring about is looked for later in the shot.

The sentence is free text, so only the commonest verbs of change are known. Of any other action it is asked whether
those it names are there and the people among them move.
"""

from __future__ import annotations

import re

from storyengine.language.claims import Happens
from storyengine.previz.evaluator.eye import Eye
from storyengine.previz.evaluator.motion import STIRRED, goes, is_moved, is_unchanged, stir
from storyengine.previz.evaluator.opinion import Opinion, failed, passed, unknown
from storyengine.previz.evaluator.relations import (
    APART,
    LIKELY,
    MEETS,
    RATHER,
    UNLIKELY,
    holder,
    likelihood_of,
    log_odds,
    seems_to_lie,
)
from storyengine.previz.evaluator.states import CONTRARY

_PUTS = re.compile(r"\b(?:puts|sets|lays|places|drops|stows|slides|tucks)\b.*?\b(onto|on|into|inside|in)\b")
_HANGS = re.compile(r"\bhangs\b.*?\bon\b")
_GIVES = re.compile(r"\b(?:hands|gives|passes|throws)\b.* to\b")
_TAKES = re.compile(r"\b(?:picks up|takes|lifts|grabs|collects|fetches)\b")
_WALKS = re.compile(r"\b(?:walks|goes|runs|steps|strides|moves|crosses)\b")
_TURNS = re.compile(
    r"\b(?:opens|closes|shuts|raises|lowers|lights|puts out|fills|empties|turns|unlocks|locks|breaks|mends|covers|"
    r"wipes|cleans|lifts|until it is)\b"
)


def happens(eye: Eye, claim: Happens) -> Opinion:
    if len(eye.sights) < 2:
        return unknown("one picture shows no event")
    named = _named(eye, claim.action)
    people = [entity for entity in named if eye.is_person(entity)]
    things = [entity for entity in named if not eye.is_person(entity)]
    if not people:
        return unknown("the event names nobody whom this evaluator knows")
    stirred = {person: stir(eye, person) for person in people}
    seen = [value for value in stirred.values() if value is not None]
    if not seen:
        return unknown(f"{eye.name(people[0])} is not seen")
    if max(seen) < STIRRED:
        return failed(f"nobody acts: {eye.name(people[0])} stirs {max(seen):.1%} of their outline")
    effect = _effect(eye, claim.action, people, things)
    if effect is not None:
        return effect
    if max(seen) > 3 * STIRRED:
        return passed(f"{eye.name(people[0])} acts: {max(seen):.1%} of their outline stirs", len(eye.sights) // 2)
    return unknown(f"{eye.name(people[0])} hardly acts: {max(seen):.1%} of their outline stirs")


def _named(eye: Eye, action: str) -> list[str]:
    """Whom and what an action names, in its order."""
    found = [(action.find(e.name), e.id) for e in eye.subjects.catalog.entities.values() if e.name in action]
    return [entity for _, entity in sorted(found)]


def _effect(eye: Eye, action: str, people: list[str], things: list[str]) -> Opinion | None:
    """What the action would bring about, as later frames show it; None for an action that is not known."""
    if _HANGS.search(action) and len(things) > 1:
        return _hung(eye, things[0], things[1])
    if (put := _PUTS.search(action)) and len(things) > 1:
        return _ends(eye, things[0], things[1], "on" if put[1].startswith("on") else "in")
    if _GIVES.search(action) and things and len(people) > 1:
        return _ends(eye, things[0], people[-1], "held")
    if _TAKES.search(action) and things:
        return _ends(eye, things[0], people[0], "held")
    if _TURNS.search(action) and things:
        return _turned(eye, things[-1], action.partition(" until it is ")[2].rstrip("."))
    return goes(eye, people[0]) if _WALKS.search(action) and not things else None


def _hung(eye: Eye, thing: str, target: str) -> Opinion:
    """Whether a thing that was held or elsewhere meets what it is hung on in the end: seams tell the close look
    nothing. A helmet on somebody's head before a hook meets that from the start, but it moves."""
    last, name = len(eye.sights) - 1, eye.name(thing)
    if eye.seen(last, thing) is None or eye.seen(last, target) is None:
        return unknown(f"{name} or {eye.name(target)} is not surely seen later", last)
    before, after = eye.gap(0, thing, target), eye.gap(last, thing, target)
    told = f"{name} is {before:.1f} of its length from {eye.name(target)} first, {after:.1f} in the end"
    if after > MEETS:
        return failed(told, last) if after > APART else unknown(told, last)
    elsewhere = before > MEETS or holder(eye, 0, thing) is not None or is_moved(eye, thing, last)
    return passed(told, last) if elsewhere else unknown(told, last)


def _ends(eye: Eye, thing: str, target: str, kind: str) -> Opinion:
    """Whether a thing is held, on or in something later. What is taken may be put down again within the shot, so the
    frames between count too. What seems to be so from the start must become so more surely, since where people stand
    close either may seem to hold what the other does; or may have been elsewhere."""
    last, name = len(eye.sights) - 1, eye.name(thing)
    seen = [(found, k) for k in later(last + 1) if (found := likelihood_of(eye, k, thing, kind, target)) is not None]
    if not seen:
        if kind == "in" and eye.seen(0, thing) is not None and eye.seen(last, thing) is None:
            return passed(f"{name} is seen at the start and no longer at the end", last)
        return unknown(f"{name} or {eye.name(target)} is not surely seen later", last)
    likely, frame = max(seen)
    before = likelihood_of(eye, 0, thing, kind, target)
    told = f"later {name} is {kind} ({eye.name(target)}): {likely:.2f} sure"
    if likely <= UNLIKELY:
        return failed(told, frame)
    already = before is not None and before >= LIKELY and log_odds(likely) < log_odds(before) + RATHER
    if likely < LIKELY or (already and not _was_elsewhere(eye, thing, kind, frame)):
        return unknown(told, frame)
    return passed(told, frame)


def _was_elsewhere(eye: Eye, thing: str, kind: str, frame: int) -> bool:
    """Whether a thing may have been elsewhere at first: one that lies later was surely held; one that is held later has
    moved, or seemed to lie somewhere and is surely held."""
    if kind != "held":
        return holder(eye, 0, thing) is not None
    return is_moved(eye, thing, frame) or (holder(eye, frame, thing) is not None and seems_to_lie(eye, 0, thing))


TURNED, SURELY = 0.5, 2.0
"""Log-odds by which another state is likelier later than the one before, for something to have been done, and by which
a thing is surely from the start what it should become."""


def _turned(eye: Eye, thing: str, until: str) -> Opinion | None:
    """Whether any of a thing's states may be another one later; None where pictures show it in one state only.

    What is opened and shut again within a shot is as before at its end, so the frames between count too. Denied is only
    what is clearly as before, like a state that is claimed. `until` may name the state that is brought about.
    """
    subject, same, other = eye.subjects.things[thing], None, []
    for attribute in subject.entity.attributes:
        first = eye.states(0, thing, attribute.values)
        before = max(first, key=lambda value: first[value], default="")
        if (
            first
            and until == before
            and first[before] - max(first[value] for value in first if value != before) > SURELY
        ):
            return failed(f"{eye.name(thing)} is {before} from the start", 0)
        for frame in later(len(eye.sights)) if first else ():
            odds = eye.states(frame, thing, attribute.values)
            if odds and is_unchanged(eye, thing, frame):
                same = frame
            elif odds:
                rival = max((value for value in odds if value != before), key=lambda value: odds[value])
                other.append((odds[rival] - odds[before], before, rival, frame))
    if other:
        margin, before, rival, frame = max(other)
        told = f"{eye.name(thing)} is first {before}; later '{rival}' against '{before}': {margin:+.1f}"
        if margin < CONTRARY:
            return failed(told, frame)
        return passed(told, frame) if margin >= TURNED else unknown(told, frame)
    if same is not None:
        return failed(f"{eye.name(thing)} looks the same all the time", same)
    if any(len([v for v in a.values if subject.in_state(v)]) > 1 for a in subject.entity.attributes):
        return unknown(f"{eye.name(thing)} is not surely seen at the start and later")
    return None


def later(frames: int) -> list[int]:
    """The last frame and the middle one, which others look at anyway, then those between."""
    first = [k for k in dict.fromkeys((frames - 1, (frames - 1) // 2)) if k > 0]
    return [*first, *(k for k in range(1, frames - 1) if k not in first)]
