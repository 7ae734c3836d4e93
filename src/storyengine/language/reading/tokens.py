"""Text into sentences, sentences into words. Every token keeps its place, so what is said can be quoted."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ABBREVIATIONS = frozenset(
    ["mr", "mrs", "ms", "dr", "st", "no", "prof", "int", "ext", "approx", "e.g", "i.e", "sgt", "capt", "vs"]
)
_TOKEN = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*(?:['’](?=\s))?|[,;:.!?()\[\]\"“”—–…-]", re.UNICODE)
_SHORT = re.compile(r"(there|here|it|he|she|that|what|who|they|we|you|i)'(s|re|m|ve|ll|d)", re.IGNORECASE)
_END = re.compile(r"[.!?…]+[\"”’)]*(?=\s+[\"“‘(]?[^\W_]|\s*$)")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark of punctuation."""

    text: str
    lower: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text[:1].isalnum()

    @property
    def is_capitalised(self) -> bool:
        return self.text[:1].isupper()

    @property
    def is_shouted(self) -> bool:
        """`CHANGE`: capitals for emphasis or a heading, not a name."""
        return len(self.text) > 1 and self.text.isupper()


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of one paragraph. Abbreviations such as `Mr.` do not end one."""
    flat = " ".join(text.split())
    found, start = [], 0
    for match in _END.finditer(flat):
        before = re.findall(r"[\w.]+$", flat[start : match.start()])
        last = before[0].lower() if before else ""
        if match[0].startswith(".") and (last in _ABBREVIATIONS or re.fullmatch(r"[a-z]", last)):
            continue
        if match[0] == "." and re.fullmatch(r"\d{1,3}", last) and not flat[start : match.start() - len(last)].strip():
            continue  # the number of a list item
        found.append(flat[start : match.end()].strip())
        start = match.end()
    rest = flat[start:].strip()
    return tuple(sentence for sentence in (*found, rest) if sentence)


def tokenize(sentence: str) -> tuple[Token, ...]:
    """Words and punctuation. A title keeps its point: `Mr.` is one word."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(sentence):
        text = match[0].replace("’", "'")
        token = Token(text, text.lower(), match.start(), match.end())
        if (short := _SHORT.fullmatch(text)) is not None:
            tokens.append(Token(short[1], short[1].lower(), match.start(), match.start() + len(short[1])))
            verb = {"s": "is", "re": "are", "m": "am", "ve": "have", "ll": "will", "d": "would"}[short[2].lower()]
            token = Token(verb, verb, match.start() + len(short[1]), match.end())
        if text == "." and tokens and tokens[-1].lower in _ABBREVIATIONS and tokens[-1].end == match.start():
            title = tokens.pop()
            token = Token(title.text + ".", title.lower, title.start, match.end())
        tokens.append(token)
    return tuple(tokens)
