"""What in a brief belongs to the story, and what only speaks about the film."""

from __future__ import annotations

import re
from dataclasses import replace

from storyengine.language.reading import words as w
from storyengine.language.reading.discourse import Discourse
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.sentence import SentenceReading
from storyengine.language.reading.shotplan import place_core
from storyengine.language.reading.told import BriefEvent

TRADES = w.words(
    "repair mend fix make sell build bake brew deliver paint teach grow keep collect restore bind tune breed raise "
    "carve sew print design clean drive catch clear guard tend shoe train write"
)
"""Verbs of what people do for a living."""
FREE_ORDER = r"left to you|whatever order|any order|no set order|yours to decide|order is (?:free|open|yours)|up to you"


def to_be_seen(events: list[BriefEvent], free: bool) -> tuple[BriefEvent, ...]:
    """Where the brief lists what has to happen, the rest only describes."""
    numbered = len({event.number for event in events if event.number and not event.shots}) >= 3
    listed = free and len({event.sentence for event in events if event.listed}) >= 3
    if numbered:
        return tuple(event for event in events if event.number or event.shots)
    return tuple(event for event in events if event.listed or event.shots) if listed else tuple(events)


def share(shots: int, weights: list[int]) -> list[range]:
    """Shots given out in order to scenes of different weight, at least one each while they last."""
    total, found, start = sum(weights), [], 1
    passed = 0
    for position, weight in enumerate(weights):
        passed += weight
        left = len(weights) - position - 1
        end = max(start, min(round(shots * passed / total), shots - left)) if position < len(weights) - 1 else shots
        found.append(range(start, end + 1))
        start = end + 1
    return found


def same_place(one: str, other: str) -> bool:
    """`market` and `covered market` are one place; `hot shop` and `cold shop` are two."""
    (first, tail), (second, other_tail) = place_core(one), place_core(other)
    if first[-1:] != second[-1:] or (tail and other_tail and tail[:1] != other_tail[:1]):
        return False
    return set(first) <= set(second) or set(second) <= set(first)


def without_shouting(idea: str) -> str:
    """`MARGIT (60s, grey bun)` in a screenplay is Margit."""
    known = set(re.findall(r"\b[A-Z][a-z]{2,}\b", idea))

    def calm(match: re.Match[str]) -> str:
        word = match[0]
        return word.capitalize() if word.capitalize() in known or idea[match.end() : match.end() + 2] == " (" else word

    lines = [
        line if re.match(r"\s*(?:\d+[.)]?\s*)?(?:INT|EXT)\b", line) else re.sub(r"\b[A-Z]{3,}\b", calm, line)
        for line in idea.split("\n")
    ]
    return "\n".join(lines)


def roles_apart(idea: str) -> str:
    """`Emil the postman leans …` is Emil, a postman."""

    def apart(match: re.Match[str]) -> str:
        return f"{match[1]}, a {match[2]}," if w.is_person_noun(match[2]) else match[0]

    return re.sub(r"\b([A-Z][a-z]+) the ([a-z]+)\b(?=\s+[a-z])", apart, idea)


CAMERA_WORDS = re.compile(
    r"^(?:(?:extreme\s+)?(?:wide|close(?:-?\s?up)?|medium|tight|insert|pov|overhead|full)(?:\s+shot)?(?:\s+(?:on|of)\s+[^:.]{1,40})?\s*[:.]\s*)+",
    re.IGNORECASE,
)


LABEL = re.compile(
    r"^(?:the\s+)?(?:story|plot|action|what happens|synopsis|outline|idea|beat|scene|then|note|start|end|middle|first|"
    r"last|finally)\s*\d*\s*:\s+",
    re.IGNORECASE,
)


_META = w.words(
    "shot shots film films story camera cut cuts scene scenes plan brief event events job jobs anchor anchors "
    "step steps change changes people person nothing everything we i you frame picture order rest place places "
    "room order thing things dialogue sentence audience viewer team spot energy vibe brand"
)


def about_the_story(reading: SentenceReading, discourse: Discourse) -> SentenceReading:
    """Leave out what is about the film rather than in it, and looks that nobody gives."""
    kept = tuple(
        r for r in reading.readings
        if not any(is_meta(noun) for noun in (*r.agents, *r.things))
        and not (r.act == "look" and not any(discourse.is_person(a) for a in r.agents))
    )  # fmt: skip
    facts = tuple(s for s in reading.statements if not is_meta(s.subject) and not (s.target and is_meta(s.target)))
    return replace(reading, readings=kept, statements=facts)


def is_meta(noun: NounPhrase) -> bool:
    """Whether a noun means the film itself: `the shots`, `shot 3`, `we`, `this`."""
    if noun.pronoun:
        return noun.head not in w.MALE | w.FEMALE | w.PLURAL_PRONOUNS
    if noun.words[0].lower() in ("shot", "shots") or w.number_word(noun.head) is not None:
        return True
    return noun.head in _META and len(noun.words) == 1 and noun.of is None


def tells(reading: SentenceReading, text: str) -> bool:
    """Whether a sentence with a rule in it also tells something new: `She breaks the seal for good.`

    A job without a person does so too: `Nail boards along the trough, never to be lifted.`
    """
    first = reading.readings[0] if reading.readings else None
    said_otherwise = first is None or first.agents or first.passive or first.past or first.link or first.modal
    if first is not None and first.things and not said_otherwise:
        return True
    return any(
        any(a.is_person for a in r.agents) and not r.modal and not r.negated and r.link not in w.SUBORDINATORS
        for r in reading.readings
    )
