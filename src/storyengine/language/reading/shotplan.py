"""Which shots a text speaks of, and the place it sets them in.

Understood: `shots 1-3 in the bakehouse`, `shot 6 is set in the store`, `the first two shots play in the yard`,
`shots one to four: the attic`, `1-2 kitchen, 3 hall`, `the kitchen (shots 1 and 2)`, `workshop: shots 1-5`,
`use shots 1 to 4 for the lobby`, `the next three in the workshop`, `all six shots are in the depot`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from storyengine.language.reading import words as w
from storyengine.language.reading.verbs import verb_forms

_NUMBER = (
    r"(?:\d{1,4}(?:st|nd|rd|th)?|(?:twenty|thirty|forty)-(?:one|two|three|four|five|six|seven|eight|nine)|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    r"eighteen|nineteen|twenty|thirty|forty)"
)
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\d{1,3}(?:st|nd|rd|th)|"
    r"opening|last|final|closing|next|following|remaining|other)"
)
_RANGE = rf"{_NUMBER}(?:\s*(?:-|–|—|to|through|until|till)\s*(?:shot\s+)?{_NUMBER})?\b"
_FUNCTION = (
    r"(?:to|and|in|at|are|is|for|on|set|play|plays|take|takes|should|will|must|happen|happens|show|both|all|was|were|go|"
    r"belong|stay|inside|we|you|then|it|they|with|where)"
)
_LIST = (
    rf"{_RANGE}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)(?:shots?\s+)?"
    rf"(?!{_NUMBER}\s+(?!{_FUNCTION}\b)[a-z]){_RANGE})*"
)
_SPEC = re.compile(
    rf"\bshots?\s+(?:no\.?\s*|numbers?\s*)?(?P<list>{_LIST})"
    rf"|\b(?:the\s+)?(?P<ordinals>{_ORDINAL}(?:(?:\s+and\s+|\s*,\s*|\s+to\s+)(?:the\s+)?{_ORDINAL})*)"
    rf"(?:\s+(?P<count>{_NUMBER}))?(?:\s+(?:shots?|ones?)\b|(?=\s+(?:is|are|play|plays|set|take|takes|in|on|at)\b))"
    rf"|\b(?P<all>all(?:\s+(?:of\s+)?(?:the\s+|its\s+)?(?:{_NUMBER}\s+)?)shots?|every\s+shot|each\s+shot|the\s+whole\s+film|"
    rf"the\s+entire\s+film|everything\s+(?=takes|happens|plays|is)|all\s+of\s+it)",
    re.IGNORECASE,
)
_BETWEEN = (
    r"(?:should|will|must|can|all|both|is|are|be|being|play|plays|played|take|takes|place|happen|happens|set|unfold|unfolds|belong|"
    r"belongs|stay|stays|go|goes|return|returns|move|moves|we|it|back|again|located|filmed|shot|they|remain|then|"
    r"you|come|comes|show|shows|entirely|only|spent|run|runs|'re|'s)"
)
_FORWARD = re.compile(
    rf"^\s*(?:[,:=(|—–-]\s*)?(?P<link>(?:{_BETWEEN}\s+)*)(?P<prep>in|at|on|inside|to|within|for|outside|aboard|of|by|into)?\s*"
    r"(?P<article>the|a|an|his|her|their)?\s*(?P<place>[a-zé][\w'’-]*(?:\s+[a-zé][\w'’-]*){0,4})",
    re.IGNORECASE,
)
_BACKWARD = re.compile(
    r"(?P<prep>in|at|on|inside|to|from|into)?\s*\b(?P<article>the|a|an)?\s*(?P<place>[a-zé][\w'’-]*(?:\s+[a-zé][\w'’-]*){0,3}?)"
    r"\s*(?:[,:(—–-]|\bfor\b|\bduring\b|\bin\b|\bover\b|\bthrough\b)\s*$",
    re.IGNORECASE,
)
_STOPS = w.words(
    "and then while with where when but or which who that again for shots shot before after until the a an as so "
    "every twice once throughout only too also please above below"
) - w.words("above below")
_NEVER = w.words(
    "frame view order sequence black colour color close-up close-ups which turn time one it them itself general "
    "all silence detail sight total other others"
)


_TAIL = w.PREPOSITIONS - {"of"} | w.words("above below where which that whose next")


def place_core(name: str) -> tuple[list[str], list[str]]:
    """`courtyard behind it` is the courtyard; what follows only says where it lies or what it has."""
    words = name.lower().split()
    cut = next((k for k, word in enumerate(words) if k and word in _TAIL), len(words))
    return words[:cut], words[cut:]


@dataclass(frozen=True, slots=True)
class ShotMention:
    """Shots that a sentence names."""

    shots: tuple[int, ...]
    start: int
    end: int
    place: str = ""
    """The place that the sentence sets them in, if it does."""


def numbers_in(text: str) -> tuple[int, ...]:
    """`1-3, 5 and 7` as numbers."""
    found: list[int] = []
    for match in re.finditer(_RANGE, text, re.IGNORECASE):
        parts = [w.number_word(part.lower()) for part in re.findall(_NUMBER, match[0], re.IGNORECASE)]
        values = [part for part in parts if part is not None]
        if len(values) == 2 and values[0] <= values[1] <= values[0] + 1000:
            found += range(values[0], values[1] + 1)
        else:
            found += values
    return tuple(dict.fromkeys(found))


def shot_mentions(
    sentence: str, shots: int, known: frozenset[str] = frozenset(), after: int = 0
) -> tuple[ShotMention, ...]:
    """Every mention of shots in a sentence, with its place. `after` is the last shot named before."""
    found: list[ShotMention] = list(_bare_list(sentence, shots))
    if found:
        return tuple(found)
    last = after
    matches = [m for m in _SPEC.finditer(sentence) if _is_spec(m, sentence)]
    for position, match in enumerate(matches):
        numbers = _numbers(match, shots, last)
        if not numbers:
            continue
        last = max(numbers)
        stop = matches[position + 1].start() if position + 1 < len(matches) else len(sentence)
        start = matches[position - 1].end() if position else 0
        place = _place_after(sentence[match.end() : stop], known) or _place_before(
            sentence[start : match.start()], known
        )
        found.append(ShotMention(numbers, match.start(), match.end(), place))
    return tuple(found)


def _is_spec(match: re.Match[str], sentence: str) -> bool:
    """An ordinal without the word `shot` counts only in a sentence about shots."""
    if match["ordinals"] and not re.search(r"shots?\b|ones?\b", match[0], re.IGNORECASE):
        about = re.search(r"\bshots?\b", sentence[: match.start()], re.IGNORECASE)
        return bool(about) and match["ordinals"].lower().split()[0] in (
            "next",
            "last",
            "first",
            "final",
            "other",
            "remaining",
            "following",
            "second",
            "third",
        )
    if match["ordinals"] and re.search(r"\bones?$", match[0], re.IGNORECASE):
        return bool(re.search(r"\bshots?\b", sentence, re.IGNORECASE))
    return True


def _numbers(match: re.Match[str], shots: int, last: int) -> tuple[int, ...]:
    if match["all"]:
        return tuple(range(1, shots + 1))
    if match["list"]:
        return numbers_in(match["list"])
    ordinals = re.findall(_ORDINAL, match["ordinals"], re.IGNORECASE)
    count = w.number_word(match["count"].lower()) if match["count"] else None
    found: list[int] = []
    for word in (o.lower() for o in ordinals):
        found += _ordinal(word, count or 1, shots, last)
    if re.search(r"\sto\s", match["ordinals"]) and len(found) == 2:
        found = list(range(found[0], found[1] + 1))
    return tuple(dict.fromkeys(found))


def _ordinal(word: str, count: int, shots: int, last: int) -> range:
    if word in ("last", "final", "closing"):
        return range(max(1, shots - count + 1), shots + 1)
    if word in ("next", "following"):
        return range(last + 1, min(shots, last + count) + 1)
    if word in ("remaining", "other"):
        return range(last + 1, shots + 1)
    first = 1 if word == "opening" else w.number_word(word) or 1
    return range(first, first + (count if first == 1 else 1))


def _bare_list(sentence: str, shots: int) -> list[ShotMention]:
    """`Shots: 1 corridor, 2-3 ward.` and `1-2 kitchen, 3 hall`."""
    body = re.sub(
        r"^\W*(?:(?:the\s+)?(?:shots?|shot plan|plan|location plan|locations?|places?)\s*:)?\s*",
        "",
        sentence,
        flags=re.IGNORECASE,
    )
    parts = [part.strip() for part in re.split(r"[,;|]\s*(?=\d)|\band\s+(?=\d)", body.rstrip(" .")) if part.strip()]
    found = []
    for part in parts:
        match = re.fullmatch(
            r"(?P<list>\d{1,3}(?:\s*[-–—]\s*\d{1,3})?(?:\s*(?:,|and|&)\s*\d{1,3}(?:\s*[-–—]\s*\d{1,3})?)*)\s*[:=.-]?\s*(?:in|at|on)?\s*(?:the\s+)?"
            r"(?P<place>[a-zé][\w'’ -]{1,40})",
            part,
            re.IGNORECASE,
        )
        if (
            match is None
            or len(match["place"].split()) > 4
            or (len(parts) == 1 and not re.match(r"\W*shots?\b", sentence, re.IGNORECASE))
        ):
            return []
        found.append(ShotMention(numbers_in(match["list"]), 0, len(sentence), _cleaned(match["place"])))
    return found


def _place_after(text: str, known: frozenset[str]) -> str:
    match = _FORWARD.match(text)
    if match is None:
        return ""
    words = _cut(match["place"], known)
    if not words or words[-1].lower() in _NEVER or w.is_person_noun(words[-1].lower()):
        return ""
    name = _cleaned(" ".join(words))
    strong = bool(match["prep"]) and match["prep"].lower() != "of"
    placelike = w.is_place_noun(words[-1].lower()) or name.lower() in known
    if (
        match["prep"]
        and match["prep"].lower() in ("on", "for", "to", "by", "into")
        and not (placelike or match["link"].strip())
    ):
        return name if match["prep"].lower() in ("for", "on") and match["article"] and not _is_happening(words) else ""
    if not strong and not placelike:
        short = (
            len(words) <= 3
            and re.match(r"\s*[:(—–|-]", text)
            and text[match.end() :].strip(" )") in ("", ".", ",", ";")
        )
        return name if short and not _is_happening(words) else ""
    return name if not _is_happening(words) else ""


def _place_before(text: str, known: frozenset[str]) -> str:
    match = _BACKWARD.search(text)
    if match is None:
        return ""
    words = match["place"].split()
    for k in range(len(words) - 1, -1, -1):
        if words[k].lower() in _STOPS | w.PREPOSITIONS | w.AUXILIARIES or w.is_adverb(words[k].lower()):
            words = words[k + 1 :]
            break
    if not words:
        return ""
    name = _cleaned(" ".join(words))
    placelike = w.is_place_noun(words[-1].lower()) or name.lower() in known
    alone = match.start() == 0 and text.rstrip()[-1:] in ":,(-–—" and len(words) <= 3
    said = rf"\b(?:in|at|on|inside|to|into)\s+(?:the|a|an)\s+{re.escape(' '.join(words))}\s*[,(:—–-]?\s*$"
    if placelike or (alone and not _is_happening(words)) or re.search(said, text, re.IGNORECASE):
        return name
    return ""


def _is_happening(words: list[str]) -> bool:
    """Whether the words are a clause rather than a place: `opens on the barrow`."""
    return any(
        form.form in ("s", "past") and not w.is_place_noun(word.lower())
        for word in words[:2]
        for form in verb_forms(word.lower())
    ) and not w.is_place_noun(words[-1].lower())


def _cut(place: str, known: frozenset[str]) -> list[str]:
    words = place.split()
    for k in range(len(words), 0, -1):
        if " ".join(words[:k]).lower() in known:
            return words[:k]
    kept: list[str] = []
    for word in words:
        lower = word.lower()
        if lower in _STOPS or lower in w.PREPOSITIONS - w.words("above below") or lower in w.BE | w.HAVE | w.MODALS:
            break
        if (
            kept
            and w.is_place_noun(kept[-1].lower())
            and not w.is_place_noun(lower)
            and lower not in ("above", "below", "front", "floor", "side")
        ):
            break
        kept.append(word)
    return kept


def _cleaned(name: str) -> str:
    name = re.sub(r"^(?:the|a|an|one|same)\s+", "", name.strip(" .,;:()"), flags=re.IGNORECASE)
    return (
        name.lower()
        if name.isupper() or (name[:1].isupper() and name[1:].islower() and " " not in name)
        else name[:1].lower() + name[1:]
    )
