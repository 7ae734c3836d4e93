"""Whether a text is written in English, as far as small words and letters tell.

Covered: other scripts; longer texts in the larger languages written with Latin letters, by their articles and
prepositions. Not covered: single words, names, and languages without a list here.
"""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def _words(*lists: str) -> frozenset[str]:
    return frozenset(word for words in lists for word in words.split())


_ENGLISH = _words(
    "the a an of to and in on at with from into by for her his their its she he it they is are then up off out",
    "over under as while through back down away onto this that who which",
)

# Words that are also English words, such as German `die` or French `pour`, are left out on purpose.
_FOREIGN = _words(
    "der das und ein eine einen einem einer den dem mit auf aus von zu nach ist sich ihr ihre sein seine im zum zur",
    "le la les un une des du et dans avec est elle il sa ses au aux vers puis à sur",
    "el los las una del con para su y lo se desde hacia por",
    "gli della dello nel nella che di sul dal dalla nello suo sua",
    "os um uma com da pelo pela seu ao",
    "het een op naar uit zijn haar de en",
    "i w z na się jest ze od",
    "och ett på av från som og et til fra",
)

_FEW_LETTERS = 4


def looks_foreign(text: str) -> bool:
    """Whether the text is clearly not English. Short or mixed texts get the benefit of the doubt."""
    letters = [character for character in text if character.isalpha()]
    strange = sum(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    if len(letters) >= _FEW_LETTERS and strange > 0.3 * len(letters):
        return True
    words = [word.lower() for word in _WORD.findall(text)]
    foreign = sum(word in _FOREIGN for word in words)
    return foreign >= 2 and foreign > sum(word in _ENGLISH for word in words)
