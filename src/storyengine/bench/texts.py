"""Reading the prose of briefs: sentences, word runs, and the location plan as the idea states it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+|\s+(?=\d{1,2}\)\s)")
_LIST_NUMBER = re.compile(r"^\d{1,2}\)\s*")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)


def flat(text: str) -> str:
    """The text on one line with single spaces."""
    return " ".join(text.split())


def folded(text: str) -> str:
    """The text for comparing: one line, no capitals, plain apostrophes and hyphens."""
    return flat(text).casefold().replace("’", "'").replace("‑", "-")


def bare(name: str) -> str:
    """A name for comparing, without its article."""
    return _ARTICLE.sub("", folded(name))


def sentences(text: str) -> list[str]:
    """The sentences of a text in order; the items of a numbered list count as sentences."""
    parts = (_LIST_NUMBER.sub("", part).strip() for part in _SENTENCE_END.split(flat(text)))
    return [part for part in parts if part]


def words(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def runs(text: str, length: int = 5) -> frozenset[tuple[str, ...]]:
    """Every run of so many consecutive words."""
    found = words(text)
    return frozenset(tuple(found[i : i + length]) for i in range(len(found) - length + 1))


def occurs(phrase: str, text: str) -> bool:
    """Whether a phrase stands in a text as whole words, whatever the spacing, capitals and final full stop."""
    wanted = re.escape(folded(phrase).rstrip(".;,"))
    return re.search(rf"(?<!\w){wanted}(?!\w)", folded(text)) is not None


def stated_plan(idea: str, places: Iterable[str]) -> Mapping[int, frozenset[str]]:
    """Shot number → the places in which the idea sets it, from `shots 1-3 in the bakehouse`.

    Only such statements are read; a shot that is set in no place is missing, one that is set in two has both.
    """
    names = sorted((folded(name) for name in places), key=len, reverse=True)
    original = {folded(name): name for name in places}
    statement = re.compile(
        r"\bshots? (\d+)(?: ?(?:-|–|to|and) ?(\d+))?(?: \w+){0,2}? (?:in|on|at|inside|aboard|by) (?:the )?("
        + "|".join(re.escape(name) for name in names)
        + r")(?![\w-])"
    )
    plan: dict[int, set[str]] = {}
    for first, last, place in statement.findall(folded(idea)):
        for shot in range(int(first), int(last or first) + 1):
            plan.setdefault(shot, set()).add(original[place])
    return {shot: frozenset(found) for shot, found in sorted(plan.items())}
