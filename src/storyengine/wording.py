"""The kinds of text that briefs and plans are made of, each with its limits."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

MAX_PROSE = 50_000
MAX_LINE = 1_000
MAX_NAME = 80

# Sentences are taken apart at these words; inside a name they would make sentences ambiguous.
JOINING_WORDS = frozenset(("is", "are", "and", "then", "nobody", "first"))


def _printable(text: str) -> str:
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") and character not in "\n\t":
            raise ValueError(f"the text holds the control character U+{ord(character):04X}; remove it")
    return text


def _one_line(text: str) -> str:
    if "\n" in text or "\t" in text:
        raise ValueError("this must be a single line")
    return " ".join(text.split(" "))


def _speakable(name: str) -> str:
    if not re.fullmatch(r"[^\W_](?:[\w' -]*[^\W_])?", name) or "  " in name:
        raise ValueError("a name is made of words, digits, hyphens and apostrophes, such as 'red backpack'")
    joining = JOINING_WORDS.intersection(name.lower().split())
    if joining:
        raise ValueError(
            f"a name cannot contain the word {sorted(joining)[0]!r}; sentences about it would be ambiguous"
        )
    return name


Prose = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_PROSE),
    AfterValidator(_printable),
]
"""Free text of any number of lines."""

Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_LINE),
    AfterValidator(_printable),
    AfterValidator(_one_line),
]
"""One line of free text."""

Look = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=MAX_LINE),
    AfterValidator(_printable),
    AfterValidator(_one_line),
]
"""A description of how something looks; may be empty."""

Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$", max_length=64)]
"""A stable identifier: lower-case letters and digits, joined by hyphens or underscores. Never a path."""

Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME),
    AfterValidator(_printable),
    AfterValidator(_speakable),
]
"""What sentences call a thing, without article: `red backpack`, or a proper name: `Mina`."""

Phrase = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME, pattern=r"^[^\W_][\w', -]*$"),
    AfterValidator(_printable),
]
"""Words that complete a sentence: a state (`clear of the oven mouth`) or a position (`by the window`)."""


class Value(BaseModel):
    """A frozen value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, validate_default=True)
