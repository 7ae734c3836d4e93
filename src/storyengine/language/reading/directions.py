"""What a brief says about the film rather than the story: anchors at cuts, orders, changes that are final, remarks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from storyengine.language.reading import words as w
from storyengine.language.reading.phrases import NounPhrase, PhraseReader
from storyengine.language.reading.readings import Reading
from storyengine.language.reading.sentence import SentenceReading
from storyengine.language.reading.tokens import tokenize

_N = r"(?P<{0}>\d{{1,3}}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_NUMBERS = r"\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_OPENS = re.compile(
    rf"\bshot\s+{_N.format('shot')}\s+(?:then\s+|also\s+)?(?:has\s+to\s+|must\s+|should\s+|will\s+)?"
    r"(?:opens?|begins?|starts?|picks?\s+up|comes?\s+in|fades?\s+up|open|begin|start)\s+(?:up\s+)?(?:on|with|from|over)\s+(?P<thing>[^;.]+)",
    re.IGNORECASE,
)
_CUT_INTO = re.compile(
    rf"\b(?:the\s+)?(?:cut|transition|edit|join)\s+(?:in)?to\s+(?:shot\s+)?{_N.format('shot')}\b[^.;]*?\b(?:anchored|held|hung|hangs?|holds?|rests?|turns?|made|carried|bridged|anchors?|pivots?|matched|sits?|happens?)\b"
    r"\s*(?:together\s+)?(?:by|on|with|through|is)\s+(?P<thing>[^;.]+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"\b(?:from\s+shot\s+\d+\s+(?:in)?to|between\s+shots?\s+\d+\s+and)\s+(?:shot\s+)?{_N.format('shot')}\b,?[^.;]*?(?:\b(?:by|on|with|is|holds|stays|keep|keeps|carries)\b|,|:)\s+(?P<thing>(?:the|a|an|his|her|same)\s[^;.]+)",
    re.IGNORECASE,
)
_ANCHORS_CUT = re.compile(
    r"(?P<thing>(?:the|a|an)\s[^,;.]+?|[A-Z]\w+(?:'s\s[\w -]+?)?)\s+"
    r"(?:is\s+(?:the\s+)?anchors?|anchors|bridges|links|joins|carries|holds)\s+(?:of\s+|for\s+)?(?:the\s+)?"
    rf"(?:cut|transition)\s+(?:in)?to\s+(?:shot\s+)?{_N.format('shot')}",
    re.IGNORECASE,
)
_ENDS = re.compile(
    rf"\bshot\s+{_N.format('last')}\s+(?:has\s+(?:to\s+)?|must\s+)?"
    r"(?:ends?|ended|closes?|closed|finishe[sd]|finish)\s+on\s+(?P<thing>[^;.,]+?)(?:,|\s+and|\s+so)\s[^.;]*?"
    rf"shot\s+{_N.format('shot')}\s+(?:opens?|begins?|starts?)\s+(?:on|with)\s+(?:it|them|him|her|the same)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A thing in frame on both sides of the cut into a shot."""

    shot: int
    phrase: NounPhrase
    carrier: str = ""
    """Who brings it across, where the brief says."""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class OrderHint:
    """One thing has to happen before another, in the brief's words."""

    first: Reading | None
    then: Reading | None
    numbers: tuple[int, int] = (0, 0)
    """The numbers of list items, where the rule names those."""
    sentence: str = ""
    words: tuple[str, str] = ("", "")
    """Both sides in plain words, for matching by vocabulary."""


def find_anchors(sentence: str, before: Sequence[Anchor], known: Sequence[str] = ()) -> list[Anchor]:
    """The anchors that a sentence sets; none when it is about something else."""
    found: list[Anchor] = []
    for pattern in (_ENDS, _OPENS, _CUT_INTO, _BETWEEN, _ANCHORS_CUT):
        for match in pattern.finditer(sentence):
            number = w.number_word(match["shot"].lower())
            phrase = _noun(match["thing"])
            if number is None or phrase is None or any(anchor.shot == number for anchor in found):
                continue
            if phrase.pronoun or phrase.head == "same":
                earlier = re.search(r"\bends?\s+on\s+([^,;.]+)", sentence[: match.start()], re.IGNORECASE)
                phrase = (_noun(earlier[1]) if earlier else None) or (before[-1].phrase if before else None)
            if phrase is not None:
                found.append(Anchor(number, phrase, _carrier(sentence), sentence))
    return found or _paired_anchor(sentence, known)


_PAIR_WORDS = re.compile(
    r"\b(?:cut|join|joins|meet|meets|share|shares|bridges?|common|carr(?:y|ies|ied|ying)|push(?:es|ed|ing)?|wears?|worn|wheels?|wheeled|end(?:s|ed)?|open(?:s|ed)?|start(?:s|ed)?|"
    r"begins?|finish(?:es|ed)?|rests?|wakes?|passage|both|leaves?|enters?|arrives?|quits?|holds?|held|brings?|brought|takes?|closes?|closed|stays?|stands?|remains?|from\s+shot|into\s+shot)\b",
    re.IGNORECASE,
)
_NO_ANCHOR = w.words(
    "cut join joins passage end last first start final beginning shot shots film frame place room same side "
    "moment close opening rest thing one hand hands arm arms shoulder head back way yard camera"
)


def paired_shots(sentence: str) -> int:
    """The later of two neighbouring shots that a sentence ties together, or 0."""
    numbers: list[int] = []
    for match in re.finditer(
        rf"\bshots?\s+({_NUMBERS})(?:(?:\s+(?:and|to|into)\s+|\s*[-–]\s*)({_NUMBERS}))?", sentence, re.IGNORECASE
    ):
        numbers += [n for part in match.groups() if part and (n := w.number_word(part.lower())) is not None]
    found = sorted(set(numbers))
    return found[1] if len(found) == 2 and found[1] == found[0] + 1 and _PAIR_WORDS.search(sentence) else 0


def _paired_anchor(sentence: str, known: Sequence[str]) -> list[Anchor]:
    """`Shots 1 and 2 meet on the yellow can`; `Parveen pushes the truck out of shot 1 into shot 2`."""
    shot = paired_shots(sentence)
    nouns = nouns_in(sentence) if shot else []
    if not nouns:
        return []
    heads = {name.lower().split(" of ")[0].split()[-1] for name in known}
    chosen = next((noun for noun in nouns if noun.head in heads), nouns[0])
    return [Anchor(shot, chosen, _carrier(sentence) or _first_name(sentence, known), sentence)]


def nouns_in(sentence: str) -> list[NounPhrase]:
    """Things named with an article, in order; nothing that is about the film or a body."""
    tokens = tokenize(sentence)
    reader = PhraseReader(tokens, frozenset())
    found: list[NounPhrase] = []
    for i, token in enumerate(tokens):
        if token.lower in ("the", "a", "an", "his", "her") and (read := reader.read(i, subject=True)):
            noun = read[0]
            if (
                not noun.pronoun
                and noun.head not in _NO_ANCHOR
                and not w.is_person_noun(noun.head)
                and not w.is_place_noun(noun.head)
            ):
                found.append(noun)
    return found


_APPOSED = (
    r"\b(?:[Tt]he|[Hh]is|[Hh]er|[Tt]heir)\s+(?P<name>[a-z][\w'-]*(?:\s+[a-z][\w'-]*){0,2}),\s+"
    r"(?P<look>an?\s[^,;:.()]+)(?=[,;:.)])"
)


def apposed_looks(idea: str) -> tuple[tuple[str, str], ...]:
    """Things that the text describes right behind their names: (`lehr hook`, `a red-and-white striped pole …`)."""
    found: dict[str, str] = {}
    for match in re.finditer(_APPOSED, " ".join(idea.split())):
        head, told = match["name"].split()[-1].lower(), match["look"].lower().split()
        foreign = w.is_person_noun(head) or w.is_place_noun(head) or any(map(w.is_person_noun, told[:5]))
        adds = w.is_adverb(told[-1]) or told[-1] in w.PREPOSITIONS  # `the barrow, a fresh sack aboard`
        if not foreign and not adds and head not in _NO_ANCHOR:
            found[match["name"]] = max(found.get(match["name"], ""), match["look"], key=len)
    return tuple(found.items())


def described_thing(text: str) -> NounPhrase | None:
    """`a low ringing box painted pale grey` in a list of things: the box, with all of it as its look."""
    match = re.match(r"^(?:an?|the)\s+\w", text.strip(), re.IGNORECASE)
    if match is None:
        return None
    noun = _noun(text)
    if noun is None or noun.pronoun or noun.proper:
        return None
    return replace(noun, notes=(text.strip(" .")[:1].lower() + text.strip(" .")[1:],))


def _first_name(sentence: str, known: Sequence[str]) -> str:
    return next(
        (
            name.split()[0]
            for name in known
            if name[:1].isupper() and re.search(rf"\b{re.escape(name.split()[0])}\b", sentence)
        ),
        "",
    )


def _noun(text: str) -> NounPhrase | None:
    text = re.sub(r"^(?:the\s+same|same|that\s+same)\s+", "the ", text.strip(), flags=re.IGNORECASE)
    tokens = tokenize(text)
    reader = PhraseReader(tokens, frozenset())
    for start in range(min(3, len(tokens))):
        if start == 0 and tokens[0].is_capitalised and tokens[0].lower not in w.DETERMINERS:
            owner = tokens[0].text
            if not owner.endswith("'s"):
                return NounPhrase((owner,), proper=True)
        found = reader.read(start, subject=True)
        if found is not None:
            return found[0]
    return None


def _carrier(sentence: str) -> str:
    patterns = (
        r"(?:carried|pushed|wheeled|worn|brought|held|pulled|borne|taken|dragged|rolled)\b[^.;]*?\bby\s+([A-Z][\w'-]+)",
        r"\b([A-Z][\w'-]+)(?:'s\s+(?:hands?|arms?|back|shoulders?|head))",
        r"\b([A-Z][\w'-]+)\s+(?:is\s+)?(?:carries|carrying|pushes|pushing|wheels|wheeling|wears|wearing|brings|bringing|holds|holding|pulls|takes|bears|has\s+it|walks|comes|drags|rolls)",
        r"\bin\s+([A-Z][\w'-]+)(?:'s)",
        r"\bon\s+([A-Z][\w'-]+)(?:'s)",
    )
    for pattern in patterns:
        if (match := re.search(pattern, sentence)) and match[1].lower() not in ("shot", "the", "it"):
            return match[1].removesuffix("'s")
    return ""


_ONE_WAY = re.compile(
    r"\bnever\s+(?:\w+\s+){0,4}?(?:undone|whole|mended|repaired|back|again|reversed|restored|closed|shut|opened|lowered|raised|goes\s+back|be)\b"
    r"|\bone-?way\b|\bcannot\s+be\s+undone\b|\bcan(?:not|'t|\s+never|\s+no\s+longer)\b[^.;]*\b(?:again|undone|back|be)\b|\bfor\s+good\b|\bpermanent(?:ly)?\b"
    r"|\birreversibl[ey]\b|\b(?:stays?|remains?)\s+(?:\w+\s+)?(?:broken|open|shut|cut|torn|lit|raised|lowered|painted|sealed|empty|full|so|that\s+way|up|down|cracked|gone|closed|snapped|split)\b"
    r"|\bonce\s+\w+,?\s+(?:it\s+)?(?:stays|remains|never)\b|\bno\s+going\s+back\b|\bno\s+longer\s+be\s+undone\b|\bnot\s+be\s+undone\b|\bfrom\s+then\s+on\b",
    re.IGNORECASE,
)


def is_one_way(sentence: str) -> bool:
    """Whether a sentence calls a change final."""
    return bool(_ONE_WAY.search(sentence))


_RULE = re.compile(
    r"\b(?:must|has\s+to|have\s+to|needs?\s+to|should|may|can|is\s+to|are\s+to|cannot)\b|\bonly\s+(?:after|once|when|then|if)\b|\bnot\s+(?:\w+\s+){0,3}(?:before|until)\b|\bnever\s+before\b|\balways\s+before\b|\bno\s+sooner\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"^\W*(?:step|event|number|job|item|no\.?|beat)?\s*(?P<a>\d{1,2})\b[^.]*?\b(?P<word>before|after|precede[s]?|follow[s]?)\b\s+(?:step|event|number|job|item|no\.?|beat)?\s*(?P<b>\d{1,2})\b",
    re.IGNORECASE,
)


def is_rule(sentence: str) -> bool:
    """Whether a sentence demands an order: `must … before`, `only after`."""
    return bool(_RULE.search(sentence)) and bool(
        re.search(r"\b(?:before|after|until|once|when|then|first)\b", sentence, re.IGNORECASE)
    )


_CONNECTIVE = re.compile(
    r"\b(?P<word>only after|only when|only once|not until|until|before|after|once|when)\b", re.IGNORECASE
)


def is_order(text: str) -> bool:
    return bool(_CONNECTIVE.search(text))


def worded_order(part: str) -> OrderHint | None:
    """Both sides of a `before` as plain words, where the reader does not know the verbs."""
    match = _CONNECTIVE.search(part)
    if match is None:
        return None
    left, right = part[: match.start()].strip(" ,"), part[match.end() :].strip(" ,.")
    if len(left.split()) < 2 or len(right.split()) < 2:
        return None
    first, then = (left, right) if match["word"].lower() == "before" else (right, left)
    return OrderHint(None, None, sentence=part, words=(first, then))


_COUNT = re.compile(
    r"\b(?P<count>two|three|four|five|\d)\s+(?:\w+\s+){0,3}?(?:that\s+)?(?:are|is|of\s+them\s+are|of\s+these\s+are|changes|jobs|tasks)?\s*(?:\w+\s+){0,2}?one-?way\b",
    re.IGNORECASE,
)


def one_way_count(sentence: str) -> int:
    """`Three tasks are one-way.` announces three."""
    match = _COUNT.search(sentence)
    if match is None or re.search(r"\bfirst\b|\bof\s+these\b|\babove\b", sentence, re.IGNORECASE):
        return 0
    return w.number_word(match["count"].lower()) or 0


def order_hint(sentence: str, reading: SentenceReading) -> OrderHint | None:
    """The order that a sentence demands, or None when it demands none."""
    if match := _NUMBERED.search(sentence):
        pair = (int(match["a"]), int(match["b"]))
        later = match["word"].lower() in ("after", "follow", "follows")
        return OrderHint(None, None, pair[::-1] if later else pair, sentence)
    if not is_rule(sentence) and not re.search(r"\bnothing\b.*\buntil\b", sentence, re.IGNORECASE):
        return None
    events = list(reading.readings)
    worded = worded_order(sentence)
    words_ = worded.words if worded else ("", "")
    if len(events) < 2:
        return worded
    bound = next((r for r in events if r.link in ("before", "after", "until", "till", "once", "when")), None)
    if bound is None:
        return OrderHint(events[0], events[1], sentence=sentence, words=words_)
    others = [r for r in events if r is not bound]
    other = next((r for r in others if r.link not in w.SUBORDINATORS), others[0])
    if bound.link == "before":
        negated = re.search(r"\b(?:not|never|cannot|nobody|no\s+one)\b[^.]*\bbefore\b", sentence, re.IGNORECASE)
        pair_ = (bound, other) if negated else (other, bound)
    else:
        pair_ = (bound, other)
    return OrderHint(*pair_, sentence=sentence, words=words_)


_REMARK = re.compile(
    r"\b(?:wide|close|medium|tight|shots?|film|camera|frame|framing|cuts?|scenes?|montage|dialogue|style|look|colou?rs?|audience|viewer|brief|planner|logo|logos|recognisable|recognizable|legible|"
    r"on\s+screen|close-up|mood|tone|story|light|music|voice-?over|text|anchors?|order|steps?|jobs?|events?|places?|rooms?|locations?|nobody\s+else)\b",
    re.IGNORECASE,
)


_TO_THE_FILMMAKER = re.compile(
    r"\bleft\s+to\s+you\b|\byours\s+to\s+decide\b|\bup\s+to\s+you\b|\bin\s+view\s+of\s+the\s+camera\b|\bmust\s+be\s+legible\b|\blegible\b|\bthe\s+film\b|\bthis\s+film\b|"
    r"\beach\s+cut\b|\bevery\s+cut\b|\bhas\s+to\s+look\b|\bmust\s+(?:look|be\s+the\s+same)\b|\bno\s+dialogue\b|\bkeep\s+it\b|\bin\s+every\s+shot\b|\bin\s+all\s+\w+\s+shots\b",
    re.IGNORECASE,
)


def is_for_the_filmmaker(sentence: str) -> bool:
    """Whether a whole sentence is about how to make the film, whatever verbs it has."""
    return bool(_TO_THE_FILMMAKER.search(sentence))


def is_direction(sentence: str) -> bool:
    """Whether a sentence speaks to the filmmaker about the film; such sentences are kept with the brief."""
    return bool(_REMARK.search(sentence))
