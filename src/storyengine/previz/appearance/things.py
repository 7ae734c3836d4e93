"""Things: the shape family by their nouns, colours by what they stand beside, size by comparison."""

from __future__ import annotations

import re
from functools import lru_cache

from storyengine.previz.appearance.fittings import fitting_named
from storyengine.previz.appearance.nouns import NOUNS, PARTS
from storyengine.previz.colours import (
    MATERIALS,
    PART_NOUNS,
    PATTERN_WORDS,
    choice,
    colour_at,
    palette_colour,
    shaded,
    tokens,
)
from storyengine.previz.looks import Colour, Pattern, PropLook, Surface
from storyengine.previz.props import FAMILIES
from storyengine.previz.props.states import content_colour

LONGEST = 4000
"""Characters of a description that are read; more says nothing about a look."""

_BREAKS = frozenset(
    {
        ",",
        ";",
        ".",
        ":",
        "with",
        "on",
        "in",
        "of",
        "from",
        "for",
        "by",
        "to",
        "over",
        "at",
        "under",
        "beside",
        "as",
        "along",
        "behind",
        "against",
        "into",
        "painted",
        "made",
        "set",
        "standing",
    }
)
_NUMBERS = {"two": 2, "pair": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "several": 4, "dozen": 6}
_HANDLED = frozenset(
    {
        "peel",
        "rake",
        "broom",
        "spade",
        "fork",
        "hammer",
        "axe",
        "saw",
        "knife",
        "brush",
        "scoop",
        "tongs",
        "paddle",
        "lever",
        "umbrella",
    }
)
"""Families whose accent is the handle and whose main colour is the head."""
_HANDLES = frozenset({"handle", "shaft", "pole", "grip", "haft", "staff", "stick", "stock", "helve", "knob"})
_CONTENTS = re.compile(r"\b(?:heaped|filled|full|brimming|loaded|laden|packed|stuffed|charged) (?:with|of)\b(.*)")
_HOLDS = re.compile(
    r"\b(?:barrel|cask|tub|well|pit|bucket|pail|jug|can|sack|bag|box|crate|bowl|cup|jar|bottle|tank|vat) of (.*)"
)


@lru_cache(maxsize=4096)
def prop_look(name: str, look: str = "") -> PropLook:
    """How a thing looks, from its name and its description. Unknown things are a plain box in their colours."""
    name, look = name[:LONGEST], look[:LONGEST]
    said, contents = _without_contents(look)
    family = family_of(name, said)
    colours = _Colours.read(said, name, family)
    shape = FAMILIES[family]
    words = f"{name} {look}"
    surface = colours.surface or shape.surface
    stuff = content_colour(words) if family in ("heap", "fruit") else None
    main = colours.main or stuff or colours.material or shape.colour or palette_colour(words)
    if colours.main is not None and colours.surface is None and surface in ("steel", "iron", "brass", "copper"):
        surface = "painted"
    second = colours.second or (shape.accent if shape.accent is not None else _contrast(main, words))
    pattern = _pattern(said + " " + name)
    if family in _HANDLED and colours.second is None and colours.main is not None and _only_handle(words):
        main, second = shape.colour or main, colours.main
    return PropLook(
        family=family,
        colour=main,
        accent=second,
        surface=surface,
        pattern=pattern,
        size=_size(f"{said} {name}", family, _usual_size(name, look)),
        count=_count(name, look),
        content=content_colour(contents) if contents else _fullness(words),
    )


def family_of(words: str, look: str = "") -> str:
    """The shape family that the words name: the name's head noun, else the description's; `box` otherwise.

    A description that says it more exactly wins: a "red barrow" that is "a sack barrow" is a sack barrow.
    """
    part = _part(words, look)
    if part is not None:
        return PARTS[part][0]
    named, described = _head_noun(words), _head_noun(_head(look))
    if _ends_in_part(words) is not None and described is not None:
        return NOUNS[described[0]]
    if named is not None and described is not None and described[0].endswith(" " + named[0]):
        return NOUNS[described[0]]
    found = named or described or _head_noun(look)
    return NOUNS[found[0]] if found is not None else "box"


def _part(name: str, look: str) -> str | None:
    """The part of something else that a thing is: by its name, or by how its description begins.

    A description that begins with a thing of its own knows better: a "capstan bar" that is "a pole" is a pole.
    """
    named, described = _ends_in_part(name), _ends_in_part(look)
    if named is None:
        return described if _head_noun(name) is None and " of " in look else None
    return named if described is not None or _head_noun(_first_phrase(look)) is None else None


def _first_phrase(text: str) -> str:
    words = tokens(text)
    return " ".join(words[: next((i for i, word in enumerate(words) if word in _BREAKS), len(words))])


def _ends_in_part(text: str) -> str | None:
    """ "The handle | of the jug" and "the jug handle | with a chip" are handles; "a jug with a handle" is none."""
    words = _first_phrase(text).split()
    if not words or any(" ".join(words[-n:]) in NOUNS for n in (1, 2, 3)):  # a brake handle is a lever
        return None
    return next((word for word in (words[-1], words[-1].removesuffix("s")) if word in PARTS), None)


def _head(text: str) -> str:
    """The noun phrase a description begins with: "a two-wheeled barrow | with …"."""
    out: list[str] = []
    for word in tokens(text):
        if word in _BREAKS and any(_noun(w) for w in out):
            break
        out.append(word)
    return " ".join(out)


_COLLECTIVES = frozenset(
    [
        "string",
        "bed",
        "row",
        "rank",
        "pair",
        "wall",
        "set",
        "bunch",
        "line",
        "stack",
        "pile",
        "heap",
        "rows",
        "sheaves",
        "dozens",
        "hundreds",
    ]
)


def _head_noun(text: str) -> tuple[str, int] | None:
    """The last known noun of the first noun phrase, and where it stands; "a row of sacks" are sacks."""
    words = tokens(text)
    found: tuple[str, int] | None = None
    i = 0
    while i < len(words):
        length, noun = next(
            ((n, k) for n in (4, 3, 2, 1) if i + n <= len(words) and (k := _noun(" ".join(words[i : i + n])))),
            (1, None),
        )
        if noun is not None:
            found = (noun, i)
        i += length
        if found is not None and i < len(words) and words[i] in _BREAKS:
            if words[i] == "of" and words[i - 1] in _COLLECTIVES:
                rest = _head_noun(" ".join(words[i + 1 :]))
                return rest or found
            break
    return found


def _noun(word: str) -> str | None:
    """The noun as the table has it: plurals and compounds with a hyphen are found by their singular and their end."""
    if word in NOUNS:
        return word
    for ending, instead in (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("oes", "o"), ("es", ""), ("s", ""), ("'s", "")):
        if word.endswith(ending) and word[: -len(ending)] + instead in NOUNS:
            return word[: -len(ending)] + instead
    if "-" in word and " " not in word and word.rsplit("-", 1)[1] in NOUNS:
        return word.rsplit("-", 1)[1]
    return None


class _Colours:
    """The colours and materials of a description, sorted into the body's and the second part's."""

    def __init__(self) -> None:
        self.main: Colour | None = None
        self.second: Colour | None = None
        self.material: Colour | None = None
        self.surface: Surface | None = None

    @classmethod
    def read(cls, look: str, name: str, family: str) -> _Colours:
        out = cls()
        for text in (look, name):
            out._scan(tokens(text), family)
        return out

    def _scan(self, words: list[str], family: str) -> None:
        """Colours before the head noun and after "of" or "in" are the body's; after "with" or "on" a part's."""
        i, noun, tail = 0, False, False
        while i < len(words):
            step = 1
            tail = tail or (noun and words[i] in _TAILS)
            apart = tail and family not in _HANDLED
            found = colour_at(words, i)
            if found is not None and not (found[1] == 1 and words[i] in MATERIALS):
                step = found[1]
                self._take(found[0], None, apart or _of_part(words, i, step, family), _beside(words, i))
            elif words[i] in MATERIALS and not (words[i] == "tin" and family == "tin"):
                surface, colour = MATERIALS[words[i]]
                if i > 0:
                    colour = shaded(colour, {"pale": "soft"}.get(words[i - 1], words[i - 1]))
                self._take(colour, surface, apart or _of_part(words, i, 1, family), False)
            elif "-" in words[i]:
                self._compound(words[i])
            noun = noun or _noun(words[i]) is not None
            i += step

    def _take(self, colour: Colour, surface: Surface | None, part: bool, beside: bool) -> None:
        if part or (beside and self.main is not None):
            self.second = self.second or colour
        elif surface is None:
            self.main = self.main or colour
        elif self.material is None:
            self.material, self.surface = colour, surface

    def _compound(self, word: str) -> None:
        """ "Blue-handled", "red-painted", "iron-strapped", "red-and-white"."""
        pieces = word.split("-")
        found = [colour_at([piece], 0) for piece in (pieces[0], pieces[-1])]
        first = found[0][0] if found[0] else MATERIALS[pieces[0]][1] if pieces[0] in MATERIALS else None
        if first is None:
            return
        if len(pieces) == 3 and pieces[1] == "and" and found[1] is not None:
            self.main, self.second = self.main or first, self.second or found[1][0]
        elif pieces[-1] in ("painted", "coloured", "washed", "glazed", "enamelled", "lacquered"):
            self.main = self.main or first
        else:
            self.second = self.second or first


_TAILS = frozenset(
    [
        "with",
        "on",
        "beside",
        "by",
        "over",
        "under",
        "at",
        "against",
        "tied",
        "bolted",
        "topped",
        "holding",
        "edged",
        "ringed",
        "belted",
    ]
)


def _beside(words: list[str], i: int) -> bool:
    """The second of two colours: "black and yellow", "red below and cream above"."""
    return "and" in words[max(i - 2, 0) : i]


_TRIMMED = frozenset(
    ["edged", "ringed", "banded", "belted", "trimmed", "tipped", "bound", "hooped", "strapped", "rimmed"]
)


def _of_part(words: list[str], i: int, step: int, family: str) -> bool:
    """Whether what stands at `i` speaks of a part ("a yellow handle", "edged in tin") and not of the whole."""
    if any(w in _TRIMMED for w in words[max(i - 3, 0) : i]):
        return True
    for word in words[i + step : i + step + 5]:
        if word in _BREAKS:
            return False
        singular = word[:-1] if word.endswith("s") else word
        if family in _HANDLED:
            if singular in _HANDLES:
                return True
        elif singular in PART_NOUNS:
            return NOUNS.get(singular) != family
        if _noun(word) is not None and colour_at([word], 0) is None:
            return False
    return False


def _only_handle(words: str) -> bool:
    return re.search(r"-(?:handled|shafted|hafted)\b", words.lower()) is not None


def _contrast(main: Colour, words: str) -> Colour:
    """A second colour in the same key: darker on light things, lighter on dark ones, sometimes a true second colour."""
    light = 0.3 * main[0] + 0.6 * main[1] + 0.1 * main[2]
    if choice(words, 3, "accent") == 0:
        return palette_colour(words, apart_from=main)
    factor = 0.55 if light > 0.35 else 1.0
    lift = 0.0 if light > 0.35 else 0.38
    r, g, b = (min(c * factor + lift, 1.0) for c in main)
    return (r, g, b)


def _pattern(text: str) -> Pattern:
    if "black and yellow" in text.lower():
        return "striped"
    words = (word.rsplit("-", 1)[-1] for word in tokens(text))
    return next((PATTERN_WORDS[word] for word in words if word in PATTERN_WORDS), "plain")


_HEIGHTS = {
    "knee": 0.5,
    "hip": 0.95,
    "waist": 1.0,
    "chest": 1.3,
    "breast": 1.3,
    "shoulder": 1.45,
    "head": 1.75,
    "ankle": 0.12,
    "thigh": 0.75,
    "man": 1.75,
}
_LENGTHS: tuple[tuple[str, float], ...] = (
    (r"(?:as )?(?:long|tall|high) as two men", 3.2),
    (r"as (?:long|tall|high) as a man's chest", 1.3),
    (r"as (?:long|tall|high) as a man\b", 1.75),
    (r"man-(?:long|high|sized?)", 1.75),
    (r"taller than a man", 2.1),
    (r"as (?:long|tall|high) as a (?:person|woman)", 1.65),
    (r"arm's length|arm-long|as long as an arm", 0.7),
    (r"as long as a hand|hand-long|hand-sized|palm-sized", 0.19),
    (r"as big as a pumpkin", 0.42),
    (r"as big as a (?:boot|shoe|fist)|shoe-long|fist-sized", 0.3),
    (r"as (?:large|big) as a paperback", 0.2),
    (r"as wide as a dustbin lid", 0.6),
    (r"as (?:wide|big) as a cartwheel", 1.1),
    (r"twice as long as a broom", 2.7),
    (r"an arm-span wide", 1.5),
    (r"as long as a (?:cart|park bench)", 1.8),
    (r"as wide as a door", 0.9),
)
_RELATIVE: tuple[tuple[frozenset[str], float], ...] = (
    (frozenset({"tiny", "miniature"}), 0.55),
    (frozenset({"huge", "giant", "enormous", "massive", "oversized", "great", "paving-slab"}), 1.5),
    (frozenset({"small", "little", "stubby", "short", "low", "slight", "pocket"}), 0.78),
    (frozenset({"big", "large", "deep", "tall", "fat", "long", "heavy", "broad", "wide"}), 1.22),
    (frozenset({"squat", "narrow", "slim"}), 0.9),
)


def _size(text: str, family: str, usual_size: float = 1.0) -> float:
    """Relative to the family's size; comparisons with bodies and well-known things beat adjectives."""
    low = text.lower()
    usual = FAMILIES[family].size
    match = re.search(
        r"\b(" + "|".join(_HEIGHTS) + r")[- ](?:high|height|tall)\b|\bas (?:high|tall) as \S+ (chest|waist|knee)\b", low
    )
    if match:
        return _bounded(_HEIGHTS[match.group(1) or match.group(2)] / usual[2])
    for pattern, length in _LENGTHS:
        if re.search(pattern, low):
            return _bounded(length / max(usual))
    for words, factor in _RELATIVE:
        if words & set(tokens(_head(low))):
            return usual_size * factor
    return usual_size


def _usual_size(name: str, look: str) -> float:
    """A part is as large as such parts are, however large the things are after which it is drawn."""
    part = _part(name, look)
    if part is None:
        return 1.0
    family, length = PARTS[part]
    return round(length / max(FAMILIES[family].size), 3)


def _bounded(size: float) -> float:
    return round(min(max(size, 0.4), 2.0), 3)


_ALWAYS_SEVERAL = frozenset(
    {
        "scales",
        "tongs",
        "stairs",
        "trousers",
        "scissors",
        "pliers",
        "shears",
        "bellows",
        "glass",
        "press",
        "spectacles",
        "glasses",
        "dress",
        "drawers",
        "harness",
        "boots",
        "shoes",
        "clogs",
        "gloves",
        "steps",
    }
)


def _count(name: str, look: str) -> int:
    """How many: a number in a plural name or where its description begins, three for a plural without one."""
    words = tokens(name)
    last = words[-1] if words else ""
    plural = last.endswith("s") and not last.endswith("ss") and last not in _ALWAYS_SEVERAL and last not in NOUNS
    if not plural or (_noun(last) is None and last.removesuffix("s") not in PARTS):
        return 1
    return next((_NUMBERS[w] for w in [*words, *tokens(look)[:3]] if w in _NUMBERS), 3)


def _without_contents(look: str) -> tuple[str, str]:
    """The description without what the thing is full of, and that: "half barrel of | dark water"."""
    low = look.lower()
    match = _CONTENTS.search(low)
    if match is not None:
        return look[: match.start()], match.group(1)
    held = _HOLDS.search(low)
    if held is not None and content_colour(" ".join(held.group(1).split()[:3])) is not None:
        return look[: held.start(1)], held.group(1)
    return look, ""


def _fullness(words: str) -> Colour | None:
    """ "A full flour sack" is full of flour."""
    return content_colour(words) if re.search(r"\bfull\b", words.lower()) else None


_WINDOWS = re.compile(r"\b(windows?|skylights?|panes?|roof lantern|glazing bars)\b", re.IGNORECASE)


def names_window(landmark: str) -> bool:
    """Whether a landmark is a window of the room, whatever else its name says: "bench windows" are no bench."""
    return _WINDOWS.search(landmark) is not None


def landmark_fitting(name: str, look: str) -> str | None:
    """The equipment of a place that a landmark is, or None for a thing or a window. The name decides before the
    description."""
    if names_window(name):
        return None
    named = fitting_named(name)
    if named is not None:
        return named
    return fitting_named(look) if prop_look(name, look).family == "box" else None
