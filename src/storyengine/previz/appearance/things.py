"""Things: the shape family by their nouns, colours by what they stand beside, size by comparison."""

from __future__ import annotations

import re
from functools import lru_cache

from storyengine.previz.appearance.nouns import NOUNS, PART_NOUNS
from storyengine.previz.colours import MATERIALS, choice, colour_at, palette_colour, shaded, tokens
from storyengine.previz.looks import Colour, Pattern, PropLook, Surface
from storyengine.previz.props import FAMILIES
from storyengine.previz.props.states import content_colour

LONGEST = 4000
"""Characters of a description that are read; more says nothing about a look."""

_BREAKS = frozenset([",", ";", ".", ":", "with", "on", "in", "of", "from", "for", "by", "to", "over", "at", "under", "beside", "as", "along", "behind", "against", "into"])
_NUMBERS = {"two": 2, "pair": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "several": 4, "dozen": 6}
_HANDLED = frozenset({"peel", "rake", "broom", "spade", "fork", "hammer", "axe", "saw", "knife", "brush", "scoop", "tongs",
                      "pole", "paddle", "lever", "flag", "umbrella"})  # fmt: skip
"""Families whose accent is the handle and whose main colour is the head."""
_HANDLES = frozenset({"handle", "shaft", "pole", "grip", "haft", "staff", "stick", "stock", "helve", "knob"})
_CONTENTS = re.compile(r"\b(?:heaped|filled|full|brimming|loaded|laden|packed|stuffed|charged) (?:with|of)\b(.*)")


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
    main = colours.main or colours.material or shape.colour or palette_colour(words)
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
        size=_size(f"{said} {name}", family),
        count=_count(name, look),
        content=content_colour(contents) if contents else _fullness(look),
    )


def family_of(words: str, look: str = "") -> str:
    """The shape family that the words name: the name's last known noun, else the description's; `box` otherwise."""
    for text in (words, _head(look), look):
        found = _last_noun(text)
        if found in FAMILIES:
            return str(found)
    return "box"


def _head(text: str) -> str:
    """The noun phrase a description begins with: "a two-wheeled barrow | with …"."""
    out: list[str] = []
    for word in tokens(text):
        if word in _BREAKS and out and any(_noun(w) for w in out):
            break
        out.append(word)
    return " ".join(out)


def _last_noun(text: str) -> str | None:
    """The last known noun; in a whole sentence, the first noun phrase counts."""
    words = [w for w in tokens(text) if w not in (",", ".", ";", ":")]
    found = None
    for i in range(len(words)):
        for length in (3, 2, 1):
            phrase = " ".join(words[i : i + length])
            family = _noun(phrase) if i + length <= len(words) else None
            if family is not None and not (length == 1 and found is not None and _inside_longer(words, i)):
                found = family
                break
        if found is not None and i + 1 < len(words) and words[i + 1] in _BREAKS:
            break
    return found


def _inside_longer(words: list[str], i: int) -> bool:
    """Whether this word is the tail of a longer known noun that was already read ("weighing machine")."""
    pairs = (" ".join(words[max(i - k, 0) : i + 1]) for k in (1, 2) if i - k >= 0)
    return any(_noun(pair) is not None for pair in pairs)


def _noun(word: str) -> str | None:
    if word in NOUNS:
        return NOUNS[word]
    for ending, instead in (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("oes", "o"), ("es", ""), ("s", ""), ("'s", "")):
        if word.endswith(ending) and word[: -len(ending)] + instead in NOUNS:
            return NOUNS[word[: -len(ending)] + instead]
    if "-" in word and word.rsplit("-", 1)[1] in NOUNS:
        return NOUNS[word.rsplit("-", 1)[1]]
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
        i = 0
        while i < len(words):
            step = 1
            found = colour_at(words, i)
            if found is not None and not _is_material(words, i, found[1]):
                step = found[1]
                self._place(found[0], words, i, step, family)
            elif words[i] in MATERIALS and not (words[i] == "tin" and family == "tin"):
                self._place_material(words, i, family)
            elif "-" in words[i]:
                self._compound(words[i], family)
            i += step

    def _place(self, colour: Colour, words: list[str], i: int, step: int, family: str) -> None:
        if _of_part(words, i, step, family):
            self.second = self.second or colour
        elif self.main is None:
            self.main = colour
        elif (i > 0 and words[i - 1] in ("and", "or")) or (self.second is None and _follows_and(words, i)):
            self.second = self.second or colour

    def _place_material(self, words: list[str], i: int, family: str) -> None:
        surface, colour = MATERIALS[words[i]]
        if i > 0 and words[i - 1] in ("pale", "light", "dark", "deep", "bright", "dull", "raw"):
            colour = shaded(colour, words[i - 1] if words[i - 1] != "pale" else "soft")
        if _of_part(words, i, 1, family):
            self.second = self.second or colour
        elif self.material is None:
            self.material, self.surface = colour, surface

    def _compound(self, word: str, family: str) -> None:
        """"Blue-handled", "red-painted", "iron-strapped", "brass-bound"."""
        first, last = word.split("-", 1)[0], word.rsplit("-", 1)[1]
        found = colour_at([first], 0)
        colour = found[0] if found else MATERIALS[first][1] if first in MATERIALS else None
        if colour is None:
            return
        if last in ("painted", "coloured", "washed", "glazed", "enamelled"):
            self.main = self.main or colour
        else:
            self.second = self.second or colour


def _is_material(words: list[str], i: int, step: int) -> bool:
    """"Brass", "copper", "straw" before a noun are what it is made of; beside a colour word they are a shade."""
    return step == 1 and words[i] in MATERIALS


def _of_part(words: list[str], i: int, step: int, family: str) -> bool:
    """Whether what stands at `i` speaks of a part ("a yellow handle", "edged in tin") and not of the whole."""
    before = words[max(i - 3, 0) : i]
    if any(w in ("edged", "ringed", "banded", "belted", "trimmed", "tipped", "bound", "hooped", "strapped", "topped", "rimmed",
                 "striped") for w in before):  # fmt: skip
        return True
    for word in words[i + step : i + step + 5]:
        if word in _BREAKS:
            return False
        singular = word[:-1] if word.endswith("s") else word
        if family in _HANDLED and singular in _HANDLES:
            return True
        if word in PART_NOUNS or singular in PART_NOUNS:
            return NOUNS.get(singular) != family
        if _noun(word) is not None and colour_at([word], 0) is None:
            return False
    return False


def _follows_and(words: list[str], i: int) -> bool:
    return "and" in words[max(i - 3, 0) : i] or "above" in words[i : i + 3]


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
    low = text.lower()
    if re.search(r"\b(?:\w+-)?(?:checked|chequered|check|tartan|plaid|gingham)\b", low):
        return "checked"
    if re.search(r"\bstrip(?:ed|es|y)\b|\bblack and yellow\b", low):
        return "striped"
    if re.search(r"\b(?:spotted|dotted|polka|speckled)\b", low):
        return "dotted"
    return "plain"


_HEIGHTS = {"knee": 0.5, "hip": 0.95, "waist": 1.0, "chest": 1.3, "breast": 1.3, "shoulder": 1.45, "head": 1.75, "ankle": 0.12,
            "thigh": 0.75, "man": 1.75}  # fmt: skip
_LENGTHS: tuple[tuple[str, float], ...] = (
    (r"(?:as )?(?:long|tall|high) as two men", 3.2), (r"as (?:long|tall|high) as a man's chest", 1.3),
    (r"as (?:long|tall|high) as a man\b", 1.75), (r"man-(?:long|high|sized?)", 1.75), (r"taller than a man", 2.1),
    (r"as (?:long|tall|high) as a (?:person|woman)", 1.65), (r"arm's length|arm-long|as long as an arm", 0.7),
    (r"as long as a hand|hand-long|hand-sized|palm-sized", 0.19), (r"as big as a pumpkin", 0.42),
    (r"as big as a (?:boot|shoe|fist)|shoe-long|fist-sized", 0.3), (r"as (?:large|big) as a paperback", 0.2),
    (r"as wide as a dustbin lid", 0.6), (r"as (?:wide|big) as a cartwheel", 1.1), (r"twice as long as a broom", 2.7),
    (r"an arm-span wide", 1.5), (r"as long as a (?:cart|park bench)", 1.8), (r"as wide as a door", 0.9),
)  # fmt: skip
_RELATIVE: tuple[tuple[str, float], ...] = (
    (r"\b(?:tiny|miniature)\b", 0.55), (r"\b(?:small|little|stubby|short|low|slight|pocket)\b", 0.78),
    (r"\b(?:huge|giant|enormous|massive|oversized|great|paving-slab)\b", 1.5), (r"\b(?:big|large|deep|tall|fat|long|heavy|broad|wide)\b", 1.22),
    (r"\b(?:squat|narrow|slim)\b", 0.9),
)  # fmt: skip


def _size(text: str, family: str) -> float:
    """Relative to the family's usual size; comparisons with bodies and well-known things beat adjectives."""
    low = text.lower()
    usual = FAMILIES[family].size
    match = re.search(r"\b(" + "|".join(_HEIGHTS) + r")[- ](?:high|height|tall)\b|\bas (?:high|tall) as \S+ (chest|waist|knee)\b", low)
    if match:
        return _bounded(_HEIGHTS[match.group(1) or match.group(2)] / usual[2])
    for pattern, length in _LENGTHS:
        if re.search(pattern, low):
            return _bounded(length / max(usual))
    for pattern, factor in _RELATIVE:
        if re.search(pattern, _head(low)):
            return factor
    return 1.0


def _bounded(size: float) -> float:
    return round(min(max(size, 0.35), 2.5), 3)


_ALWAYS_SEVERAL = frozenset({"scales", "tongs", "stairs", "trousers", "scissors", "pliers", "shears", "bellows", "glass", "press",
                             "spectacles", "glasses", "dress", "drawers", "harness"})  # fmt: skip


def _count(name: str, look: str) -> int:
    """How many: a number word in name or head phrase, three for a plural name."""
    words = tokens(name)
    for word in [*words, *tokens(_head(look))]:
        if word in _NUMBERS:
            return _NUMBERS[word]
    last = words[-1] if words else ""
    if last.endswith("s") and not last.endswith("ss") and last not in _ALWAYS_SEVERAL and last not in NOUNS and _noun(last):
        return 3
    return 1


def _without_contents(look: str) -> tuple[str, str]:
    """The description without what the thing is full of, and that."""
    match = _CONTENTS.search(look.lower())
    if match is None:
        return look, ""
    return look[: match.start()], match.group(1)


def _fullness(look: str) -> Colour | None:
    """"A full flour sack" is full of flour."""
    return content_colour(look) if re.search(r"\bfull\b", look.lower()) else None
