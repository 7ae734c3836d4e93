"""The outline of a brief: paragraphs, lists, shot headings, sluglines, tables, sections."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from storyengine.language.reading import words as w
from storyengine.language.reading.shotplan import numbers_in, place_core
from storyengine.language.reading.tokens import split_sentences
from storyengine.language.reading.verbs import verb_forms

_NUM = r"\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_SLUG = re.compile(
    r"^\s*(?:(?:shot|scene)?\s*(?P<number>\d{1,3})\s*[.):-]?\s*)?(?P<side>INT|EXT|I/E|INT/EXT|INT\./EXT|Int|Ext)\.?[\s:]+(?P<place>[^-–—.(]+?)"
    r"(?:\s*[-–—,]\s*(?P<time>[^.()]+?))?\s*(?:\([^)]*\))?[.:]?\s*$"
)
_SHOT_HEAD = re.compile(
    rf"^\s*[-*•]?\s*(?:in\s+)?(?P<head>shots?\s*#?\s*(?P<list>(?:{_NUM})(?:\s*(?:-|–|—|to|and|,|&)\s*(?:{_NUM}))*))\s*"
    r"(?P<mark>[:.|,(—–-])(?!\s*\d)\s*(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_INLINE_SHOT = re.compile(
    rf"(?:(?<=[.!?;:])[ \t]+|^)(?=shots?\s+(?:{_NUM})(?:\s*(?:-|–|—|to|and|,|&)\s*(?:{_NUM}))*"
    r"[ \t]*(?:,|\(|:|—|–|-)[^.\n]*?[:)][^\n])",
    re.IGNORECASE,
)
_PLACED_SHOT = re.compile(
    rf"(?<=[.!?])[ \t]+(?=shots?\s+(?:{_NUM})(?:\s*(?:-|–|—|to|and|,|&)\s*(?:{_NUM}))*[ \t]*[:—–][ \t]+\S)",
    re.IGNORECASE,
)
_INLINE_SLUG = re.compile(
    r"(?:^|(?<=[^\d][.!?:;])[ \t]+)(?P<slug>(?:INT\./EXT|INT/EXT|I/E|INT|EXT|Int|Ext)\.[ \t]+[^-–—.:\n(]{2,40}?"
    r"(?:[ \t]*[-–—,][ \t]*[A-Za-z ]{2,20})?)[ \t]*[.:][ \t]+(?=\S)",
    re.MULTILINE,
)
_TABLE = re.compile(
    r"^\s*\|?\s*(?:shots?\s*)?(?P<list>\d{1,3}(?:\s*[-–]\s*\d{1,3})?)\s*\|\s*(?P<place>[^|]{2,60}?)\s*\|\s*(?P<rest>[^|]+?)\s*\|?\s*$",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s*(?:(?P<number>\d{1,3})\s*[.)]|[-*•])\s+(?P<rest>.+)$", re.DOTALL)
_IN_BRACKETS = re.compile(r"^\((?P<place>[^)]{2,40})\)\s*(?P<rest>.+)$", re.DOTALL)
_LABEL = re.compile(r"^\s*(?P<key>[A-Za-z][A-Za-z ']{1,40}?)\s*:\s*(?P<rest>.*)$", re.DOTALL)
_PLACE_KEYS = w.words("location locations place places setting settings set sets where")
_CAST_KEYS = w.words("cast people characters character person who persons")
_SKIP_KEYS = w.words("to re from date subject cc client length format title duration genre logline tone music sound")


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence with what the outline says about it."""

    text: str
    shots: tuple[int, ...] = ()
    """The shots whose heading it stands under."""
    place: str = ""
    """The place that its heading names."""
    kind: str = "prose"
    """prose, item (of a list), places, cast, heading."""
    number: int = 0
    """The number of a list item, or 0."""
    scene: int = 0
    """The number of the slugline it stands under, or 0."""


def outline(idea: str) -> tuple[Segment, ...]:
    """The sentences of a brief in order, each with its headings."""
    found: list[Segment] = []
    heading = Segment("")
    section = ""
    scenes = 0
    for block in _story_after_plan(_blocks(idea)):
        if slug := _SLUG.match(block):
            scenes += 1
            shots = numbers_in(slug["number"] or "") if slug["number"] else ()
            heading = Segment("", shots, slug["place"].strip().lower(), scene=scenes)
            found.append(replace(heading, kind="heading", text=block.strip()))
            section = "script"
        elif table := _TABLE.match(block):
            base = Segment("", numbers_in(table["list"]), _place(table["place"]))
            found += _sentences(table["rest"], base)
        elif head := _SHOT_HEAD.match(block):
            base, rest = _under_head(head)
            found.append(replace(base, kind="heading", text=head["head"]))
            found += _sentences(rest, base)
            if not rest.strip():
                planned = len(found) > 1 and found[-2].kind == "heading" and found[-2].shots and base.place
                heading, section = (Segment(""), "") if planned else (base, "script")
        elif _is_title(block):
            section, heading = _section(block), Segment("")
            found.append(Segment(block.strip(), kind="title"))
        elif item := _ITEM.match(block):
            found += _item(item, section, heading)
        else:
            found += _paragraph(block, heading if section == "script" else Segment(""), section)
    return tuple(found)


def _blocks(idea: str) -> list[str]:
    """Lines that stand alone, and runs of plain lines as one paragraph; lists inside a paragraph are broken up."""
    text = _broken_up(idea.replace("\r", ""))
    blocks: list[str] = []
    for line in text.split("\n"):
        alone = _stands_alone(line)
        if not line.strip():
            blocks.append("")
        elif blocks and blocks[-1] and not alone and not _ends_block(blocks[-1]) and _goes_on(blocks[-1], line):
            blocks[-1] += " " + line.strip()
        else:
            blocks.append(line.strip())
    return [block for block in blocks if block]


def _story_after_plan(blocks: list[str]) -> list[str]:
    """`Shots 1-2: hall. Shots 3-4: yard. Bea takes …`: after a run of bare headings the story is a paragraph again."""
    found: list[str] = []
    left = list(reversed(blocks))
    bare = 0
    while left:
        block = left.pop()
        head = _SHOT_HEAD.match(block)
        base, rest = _under_head(head) if head else (Segment(""), "")
        if head and base.place and not rest.strip():
            bare += 1
        elif head and base.place and bare and block.endswith(rest):
            block = block[: -len(rest)].strip()
            left.append(rest)
            bare += 1
        else:
            bare = 0
        found.append(block)
    return found


def _stands_alone(line: str) -> bool:
    return bool(
        _SLUG.match(line) or _TABLE.match(line) or _SHOT_HEAD.match(line) or _ITEM.match(line) or _is_title(line)
        or (_LABEL.match(line) and line.split(":")[0].strip().lower() in _PLACE_KEYS | _CAST_KEYS | _SKIP_KEYS)
    )  # fmt: skip


def _goes_on(block: str, line: str) -> bool:
    """A list item goes on in indented lines only."""
    label = _LABEL.match(block)
    labelled = label is not None and label["key"].strip().lower() in _PLACE_KEYS | _CAST_KEYS | _SKIP_KEYS
    return not (_ITEM.match(block) or labelled) or line[:1] in " \t"


def _ends_block(block: str) -> bool:
    return bool(_SLUG.match(block) or _is_title(block) or _TABLE.match(block))


def _broken_up(text: str) -> str:
    """Put inline shot headings and inline numbering on lines of their own."""
    text = _INLINE_SHOT.sub("\n", text)
    text = _PLACED_SHOT.sub("\n", text)
    marks = list(re.finditer(r"(?:(?<=\s)|^)\(?(\d{1,2})\)\s+(?=\S)", text))
    numbers = [int(mark[1]) for mark in marks]
    if len(numbers) >= 3 and numbers[:3] == [1, 2, 3]:
        for mark in reversed(marks):
            text = f"{text[: mark.start()]}\n{mark[1]}) {text[mark.end() :]}"
    return text


def sluglines_apart(text: str) -> str:
    """Put sluglines that stand in running text on lines of their own."""
    return _INLINE_SLUG.sub(lambda match: f"\n{match['slug']}\n", text)


def _is_title(line: str) -> bool:
    """A short line without verb that heads what follows: `RULES`, `Beats:`, `What happens`."""
    text = line.strip()
    if not text or len(text.split()) > 6 or text.endswith((".", "!", "?", ",", ";")) or re.match(r"^\d", text):
        return False
    bare = text.rstrip(":").strip()
    if text.isupper() or text.endswith(":"):
        return not re.search(r"\bshots?\s+\d", bare, re.IGNORECASE)
    return bare.lower() in (
        "places and shots", "people", "what happens", "story", "rules", "cast", "events", "jobs", "beats", "characters",
        "order", "anchors", "setting", "shot plan", "shots", "places", "plan", "plot", "the story", "action",
        "shot list",
    )  # fmt: skip


def _section(line: str) -> str:
    words = set(re.findall(r"[a-z]+", line.lower()))
    if words & (_CAST_KEYS | {"people"}):
        return "cast"
    if words & (_PLACE_KEYS | {"places"}):
        return "places"
    return "list"


def _place(text: str) -> str:
    return re.sub(r"^(?:the|a|an)\s+", "", text.strip(" .,:;|-–—()").lower())


def _under_head(head: re.Match[str]) -> tuple[Segment, str]:
    """`Shot 3: Garden. Bea walks …`: the shots, the place where one stands first, and the rest."""
    rest = head["rest"].strip()
    shots = numbers_in(head["list"])
    if head["mark"] == "(" and ")" in rest:
        place, _, rest = rest.partition(")")
        return Segment("", shots, _place(place)), rest.lstrip(" :.-–—,")
    place, body = _leading_place(rest, strict=head["mark"] in ".,")
    return Segment("", shots, place), body


def _leading_place(rest: str, strict: bool = False) -> tuple[str, str]:
    """A place in front of what happens: `Hall. Bea takes …`, `street - Lou wheels …`, `INT. KITCHEN. …`."""
    match = re.match(
        r"^(?:INT|EXT)\.?\s+(?P<place>[^-–—.:(]+?)\s*(?:[-–—]\s*(?:DAY|NIGHT|DUSK|DAWN|MORNING|EVENING|AFTERNOON)\s*)?[.:–—-]\s*(?P<body>.*)$",
        rest,
        re.DOTALL,
    )
    match = match or re.match(
        r"^(?:in|at|on|inside)?\s*(?P<place>(?:the\s+|a\s+)?[A-Za-zé][\w'’-]*(?:\s+[\w'’-]+){0,6})\s*(?:[.:|;]|\s[-–—]+\s|—|,(?=\s*(?:wide|close|medium|day|night)))\s*(?P<body>.*)$",
        rest,
        re.DOTALL | re.IGNORECASE,
    )
    if match is None:
        return "", rest
    place, body = _place(match["place"]), match["body"].strip()
    core = place_core(place)[0]
    if w.is_place_noun(core[-1]) and place.split()[-1] not in ("above", "below"):
        place = " ".join(core)
    words = place.split()
    if len(words) > 4:
        return "", rest
    verbs = any(
        form.form in ("s", "past") for word in words[1:] for form in verb_forms(word) if not w.is_place_noun(word)
    )
    framing = words[0] in ("wide", "close", "medium", "tight", "close-up", "insert", "pov") or words[-1] in (
        "close-up",
        "wide",
        "action",
        "note",
    )
    listed = rest.startswith("the ") and rest.endswith(";") and len(words) <= 3
    if listed and not verbs and not framing:
        return place, body
    if verbs or framing or (not body and not w.is_place_noun(words[-1])) or (strict and not w.is_place_noun(words[-1])):
        return "", rest
    return place, body


def _item(item: re.Match[str], section: str, heading: Segment) -> list[Segment]:
    number = int(item["number"] or 0)
    rest = item["rest"].strip()
    if bracket := _IN_BRACKETS.match(rest):
        return _sentences(
            bracket["rest"], Segment("", (number,) if number else (), _place(bracket["place"]), number=number)
        )
    if section in ("cast", "places"):
        return [Segment(rest, kind=section)]
    if slug := re.match(r"^(?:INT|EXT)\.?\s", rest):
        place, body = _leading_place(rest)
        del slug
        return _sentences(body, Segment("", (number,) if number else (), place, number=number))
    found = _sentences(rest, Segment("", heading.shots, heading.place, "item", number))
    return [found[0], *(_loosened(segment) for segment in found[1:])] if number else found


def _loosened(segment: Segment) -> Segment:
    """A later sentence of a numbered item that lays down a rule is no part of the item."""
    rule = re.search(r"\b(?:must|has to|have to|before|after|until|only|left to you|yours|order)\b", segment.text)
    return replace(segment, kind="prose", number=0) if rule else segment


def _paragraph(block: str, heading: Segment, section: str) -> list[Segment]:
    label = _LABEL.match(block)
    if label is not None:
        key = label["key"].strip().lower()
        words = set(key.split())
        if words & _SKIP_KEYS and len(words) <= 2 and label["key"][:1].isupper():
            return [Segment(block, kind="title")]
        first, *others = split_sentences(label["rest"]) or ("",)
        if words & _PLACE_KEYS and len(words) <= 2:
            return [Segment(first, kind="places"), *(s for other in others for s in _sentences(other, heading))]
        if words & _CAST_KEYS and len(words) <= 2:
            return [Segment(sentence, kind="cast") for sentence in (first, *others)]
    entry = (
        re.match(r"^[A-Z][\w'’.-]+(?:\s[A-Z][\w'’.-]+)*\s*[,(:–—-]", block)
        if section == "cast"
        else len(block.split()) < 8
    )
    if section in ("cast", "places") and entry and not heading.scene:
        return [Segment(sentence, kind=section) for sentence in split_sentences(block)]
    return _sentences(block, heading)


def _sentences(text: str, base: Segment) -> list[Segment]:
    """The sentences of a text; a list of jobs after a colon is taken apart."""
    found: list[Segment] = []
    for sentence in split_sentences(text):
        intro, jobs = _jobs(sentence)
        if jobs:
            found += [replace(base, text=intro)] if intro else []
            found += [replace(base, text=job, kind="item") for job in jobs]
        else:
            found.append(replace(base, text=sentence))
    return found


def _is_order(text: str) -> bool:
    """Whether a text begins like an order: `polish its lens`."""
    first = text.split()[0].lower() if text.split() else ""
    return len(text.split()) > 1 and any(form.form == "base" for form in verb_forms(first))


def _jobs(sentence: str) -> tuple[str, list[str]]:
    """`The jobs: wheel the rack clear; raise the door; …` → the intro and the jobs."""
    intro, colon, rest = sentence.partition(":")
    if not colon and ";" in sentence and _is_order(sentence):
        return "", [job.strip(" .") for job in sentence.split(";") if job.strip(" .")]
    listed = [part.strip(" .") for part in re.split(r",\s+(?:and\s+)?", rest)]
    if colon and ";" not in rest and len(listed) > 1 and all(map(_is_order, listed)):
        return intro.strip() + ".", listed
    if not colon or ";" not in rest:
        return sentence, []
    jobs = [re.sub(r"^(?:and|then)\s+", "", job.strip(" .")) for job in rest.split(";")]
    if re.search(r"\bshots?\s+\d", rest, re.IGNORECASE):
        return sentence, []
    return intro.strip() + ".", [job for job in jobs if job]
