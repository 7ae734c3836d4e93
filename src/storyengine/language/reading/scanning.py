"""Looking ahead in a sentence: whether a clause begins, a list goes on, a noun has its verb."""

from __future__ import annotations

from dataclasses import replace

from storyengine.language.reading import words as w
from storyengine.language.reading.clause import Clause
from storyengine.language.reading.phrases import NounPhrase, PhraseReader
from storyengine.language.reading.tokens import Token
from storyengine.language.reading.verbs import NOUNISH, verb_forms

ALIKE: dict[str, tuple[str, ...]] = {
    "s": ("s",), "past": ("past", "participle"), "participle": ("participle", "past"),
    "base": ("base", "s", "past"), "ing": ("ing", "s", "past"),
}  # fmt: skip
"""The forms that a verb joined on by `and` may have."""


class Scanner:
    """A sentence that is being read, with the clause that is open and what was read last."""

    def __init__(self, tokens: tuple[Token, ...], names: frozenset[str]) -> None:
        self.tokens = tokens
        self.nouns = PhraseReader(tokens, names)
        self.i = 0
        self.clauses: list[Clause] = []
        self.clause = Clause()
        self.outer: list[Clause] = []
        self.joint = ""
        """The comma or conjunction just passed."""
        self.last: str = ""
        """What was read last: noun, verb, phrase, or nothing."""
        self.noting = False
        """Whether the words go on describing the latest noun, after `Yusuf, a mechanic …`."""

    @property
    def word(self) -> str:
        return self.nouns.word(self.i)

    def _noun_with_verb(self, j: int) -> bool:
        """Whether a noun phrase at `j` is the subject of a verb to come."""
        found = self.nouns.read(j, subject=True)
        if found is None:
            return False
        phrase, k = found
        many = phrase.plural
        for _ in range(8):
            lower = self.nouns.word(k)
            if lower == "(":
                k = next((m + 1 for m in range(k, len(self.tokens)) if self.tokens[m].text == ")"), len(self.tokens))
            elif w.is_adverb(lower) and lower not in ("back", "open", "shut"):
                k += 1
            elif lower == "and" and (more := self.nouns.read(k + 1, subject=True)):
                k, many = more[1], True
            elif lower in w.PREPOSITIONS and (more := self.nouns.read(k + 1, subject=True)):
                if self._finite(k, many):
                    return True
                k = more[1]
            elif lower in ("who", "which", "whose"):
                return True
            else:
                break
        return self._finite(k, many)

    def _finite(self, k: int, many: bool) -> bool:
        lower = self.nouns.word(k)
        if lower in w.BE | w.HAVE | w.MODALS or lower in ("does", "do", "did") or lower.endswith("n't"):
            return True
        forms = {form.form for form in verb_forms(lower)}
        before = self.nouns.word(k - 1)
        plain = many or before in ("i", "you", "we", "they", "who")
        return bool(forms & {"s", "past"}) or ("base" in forms and plain)

    def _clause_after(self, j: int) -> bool:
        """Whether a clause begins here: a noun with its verb, or an -ing form."""
        while w.is_adverb(self.nouns.word(j)) and not self.nouns.is_name(j):
            j += 1
        if any(form.form == "ing" for form in verb_forms(self.nouns.word(j))):
            return True
        return self._noun_with_verb(j)

    def _object_like(self, j: int) -> bool:
        lower = self.nouns.word(j)
        return lower in w.DETERMINERS or lower in w.PRONOUNS or self.nouns.is_name(j) or w.is_adjective(lower)

    def _phrase_preposition(self, i: int) -> tuple[str, int] | None:
        for length in (4, 3, 2):
            phrase = " ".join(self.nouns.word(k) for k in range(i, i + length))
            if phrase in w.PHRASE_PREPOSITIONS and self.nouns.starts(i + length):
                return phrase, i + length
        return None

    def _verb_due(self) -> bool:
        """Whether the clause around this one still waits for its verb."""
        return bool(self.outer) and self.outer[-1].verb is None

    def _coordinated(self, phrase: NounPhrase, end: int) -> tuple[tuple[NounPhrase, ...], int]:
        """`the cups and the saucers`, as long as no new clause begins."""
        found = [phrase]
        while True:
            j = end
            if self.nouns.word(j) == "," and self._list_goes_on(j):
                j += 1
            if self.nouns.word(j) == "and":
                j += 1
            if j == end or self._noun_with_verb(j) or self.nouns.word(j) == "then":
                return tuple(found), end
            if self._verb_like(j):
                return tuple(found), end
            more = self.nouns.read(j, subject=False)
            if more is None:
                return tuple(found), end
            found.append(more[0])
            end = more[1]

    def _list_goes_on(self, j: int) -> bool:
        """After a comma: another noun, and further on an `and` before the next verb."""
        for k in range(j + 1, min(j + 12, len(self.tokens))):
            if self.nouns.word(k) == "and":
                return not self._verb_like(k + 1) and not self._noun_with_verb(k + 1)
            if self.tokens[k].text == "," or not self.tokens[k].is_word:
                continue
            if self._verb_like(k) and self.nouns.word(k - 1) == ",":
                return False
        return False

    def _verb_like(self, j: int) -> bool:
        forms = verb_forms(self.nouns.word(j))
        if not forms or self.nouns.is_name(j):
            return bool(self.nouns.word(j) in w.AUXILIARIES)
        if self.clause.verb is not None and not self.clause.verb.auxiliary:
            alike = ALIKE[self.clause.verb.form]
            if not any(form.form in alike for form in forms):
                return any(form.form == "ing" for form in forms)
        return forms[0].lemma not in NOUNISH or self.nouns._begins_complement(j + 1)

    def _latest_noun(self) -> NounPhrase | None:
        clause = self.clause
        if clause.verb is None:
            return clause.subject[-1] if clause.subject else None
        if self.last == "phrase" and clause.phrases:
            return clause.phrases[-1].phrase
        return clause.objects[-1][-1] if clause.objects else None

    def _note(self, note: str) -> None:
        """Add words about the latest noun."""
        clause = self.clause
        if clause.verb is None and clause.subject:
            clause.subject = (*clause.subject[:-1], clause.subject[-1].noted(note))
        elif self.last == "phrase" and clause.phrases and clause.phrases[-1].phrase is not None:
            last = clause.phrases[-1]
            noted = last.phrase.noted(note) if last.phrase else None
            clause.phrases[-1] = replace(last, phrase=noted)
        elif clause.objects:
            clause.objects[-1] = (*clause.objects[-1][:-1], clause.objects[-1][-1].noted(note))

    def _text(self, start: int, end: int) -> str:
        """The words between two positions as the sentence has them."""
        parts = ""
        for token in self.tokens[start:end]:
            parts += token.text if not token.is_word and token.text in ",;:.)" else f" {token.text}"
        return parts.strip(" ,;")
