"""Noun phrases: what a sentence calls people, things and places."""

from __future__ import annotations

from dataclasses import dataclass, replace

from storyengine.language.reading import words as w
from storyengine.language.reading.tokens import Token
from storyengine.language.reading.verbs import NOUNISH, verb_forms

_RESULTING = w.words(
    "gold silver pink violet crimson scarlet beige navy red orange yellow green blue purple white black grey "
    "brown clean dry smooth straight full empty dark bright ready flush taut level upright"
)
"""Adjectives that end a noun phrase they follow: `paints the fence green`."""


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """`the long blue-handled peel`, `Ewa`, `her`, `a sack of flour`."""

    words: tuple[str, ...]
    """The words without article or possessive, the head noun last; of a pronoun the pronoun."""
    determiner: str = ""
    """`the`, `a`, `her`, `two`, or empty."""
    proper: bool = False
    pronoun: bool = False
    of: NounPhrase | None = None
    possessor: str = ""
    """The name before 's: `Tam` of `Tam's coat`."""
    notes: tuple[str, ...] = ()
    """What the text adds: `with short black hair`, `a student`, `in a yellow raincoat`."""
    start: int = 0
    end: int = 0
    """The words' place in the sentence, as token positions."""

    @property
    def head(self) -> str:
        return self.words[-1].lower() if self.words else ""

    @property
    def name(self) -> str:
        """What to call it, without article."""
        own = " ".join(self.words)
        if self.of is None:
            return own
        article = f"{self.of.determiner} " if self.of.determiner in ("the", "his", "her", "their") else ""
        return f"{own} of {article}{self.of.name}"

    @property
    def plural(self) -> bool:
        if self.pronoun:
            return self.head in w.PLURAL_PRONOUNS
        if self.determiner in ("a", "an", "one", "each", "every", "this", "that"):
            return False
        return not self.proper and w.is_plural(self.head)

    @property
    def definite(self) -> bool:
        return (
            self.proper or self.pronoun or self.determiner in ("the", *w.POSSESSIVES, "this", "that", "these", "those")
        )

    @property
    def is_person(self) -> bool:
        if self.pronoun:
            return self.head in w.MALE | w.FEMALE | frozenset(("i", "you", "we", "who"))
        return self.proper or w.is_person_noun(self.head)

    def noted(self, note: str) -> NounPhrase:
        return replace(self, notes=(*self.notes, note)) if note else self


class PhraseReader:
    """Reads noun phrases off a row of tokens."""

    def __init__(self, tokens: tuple[Token, ...], names: frozenset[str]) -> None:
        self.tokens = tokens
        self.names = names
        """First words of names that are known from elsewhere in the text, in lower case."""

    def word(self, i: int) -> str:
        return self.tokens[i].lower if 0 <= i < len(self.tokens) else ""

    def is_name(self, i: int) -> bool:
        """Whether a capitalised word is a proper name rather than the start of a sentence."""
        if not 0 <= i < len(self.tokens):
            return False
        token = self.tokens[i]
        lower = token.lower.removesuffix("'s")
        if not token.is_capitalised or (token.is_shouted and lower not in self.names) or not token.text[0].isalpha():
            return False
        if lower in self.names:
            return True
        if lower in w.DETERMINERS | w.PRONOUNS | w.PREPOSITIONS | w.SUBORDINATORS | w.CONJUNCTIONS | w.AUXILIARIES:
            return False
        if not self._opens_sentence(i):
            return lower not in w.COUNTS and w.number_word(lower) is None
        return self._first_word_is_name(i, lower)

    def _opens_sentence(self, i: int) -> bool:
        return i == 0 or self.tokens[i - 1].text in '.!?:"“”)(—–-'

    def _first_word_is_name(self, i: int, lower: str) -> bool:
        titled = self.tokens[i + 1 : i + 2] and self.tokens[i + 1].is_capitalised and not self.tokens[i + 1].is_shouted
        if lower in w.FEMALE_NAMES | w.MALE_NAMES or (titled and lower in w.TITLES | w.PEOPLE):
            return True
        if w.is_adverb(lower) or lower in w.ADJECTIVES | w.COUNTS | w.LIQUIDS | w.ABSTRACT or w.number_word(lower):
            return False
        if any(form.form == "base" for form in verb_forms(lower)):
            return False  # `Nail boards along the trough.`
        if w.is_plural(lower) and not verb_forms(self.word(i + 1)) and self.word(i + 1) not in w.AUXILIARIES:
            return False
        following = self.word(i + 1)
        if any(form.form in ("s", "past") for form in verb_forms(following)) or following in w.BE | w.HAVE | w.MODALS:
            return not w.is_plural(lower)
        if following in (",", "(") or following == "and":
            return not verb_forms(lower) and self.tokens[i + 2 : i + 3] != () and not w.is_place_noun(lower)
        return self.tokens[i].text.endswith("'s") and not w.is_place_noun(lower)

    def starts(self, i: int) -> bool:
        """Whether a noun phrase can begin here."""
        if not 0 <= i < len(self.tokens) or not self.tokens[i].is_word:
            return False
        lower = self.word(i)
        if self.is_name(i) or lower in w.DETERMINERS or lower in w.PRONOUNS or w.number_word(lower) is not None:
            return True
        closed = w.PREPOSITIONS | w.CONJUNCTIONS | w.SUBORDINATORS | w.AUXILIARIES | w.NEGATIONS
        if lower == "can" and self.word(i - 1) in w.DETERMINERS:
            return True
        return lower not in closed and not (w.is_adverb(lower) and not w.is_adjective(lower))

    def read(self, i: int, subject: bool) -> tuple[NounPhrase, int] | None:
        """The noun phrase at `i` and the position after it. In subject position a verb ends it."""
        if not self.starts(i):
            return None
        lower = self.word(i)
        if self.is_name(i):
            return self._name(i, subject)
        if self._is_pronoun(i, subject):
            return NounPhrase((lower,), pronoun=True, start=i, end=i + 1), i + 1
        return self._common(i, subject)

    def _is_pronoun(self, i: int, subject: bool) -> bool:
        lower, following = self.word(i), self.word(i + 1)
        if lower not in w.PRONOUNS:
            return False
        if lower in ("her", "this", "that", "these", "those", "both", "his"):
            if not self.starts(i + 1) or following in w.PRONOUNS or following in w.ARTICLES:
                return True
            if self.is_name(i + 1) and lower == "her":
                return True
            finite = any(form.form in ("s", "past") for form in verb_forms(following))
            return finite and verb_forms(following)[0].lemma not in NOUNISH and not self.starts(i + 2)
        return True

    def _name(self, i: int, subject: bool) -> tuple[NounPhrase, int] | None:
        words, j = [], i
        while j < len(self.tokens) and (j == i or self._continues_name(j)):
            text = self.tokens[j].text
            j += 1
            if text.endswith(("'s", "'")):
                words.append(text.rstrip("s").rstrip("'"))
                return self._possessed(" ".join(words), i, j, subject)
            words.append(text)
        return NounPhrase(tuple(words), proper=True, start=i, end=j), j

    def _continues_name(self, j: int) -> bool:
        token = self.tokens[j]
        return (
            token.is_capitalised
            and not token.is_shouted
            and token.lower not in w.DETERMINERS | w.PRONOUNS | w.PREPOSITIONS | w.SUBORDINATORS
            and not self._opens_sentence(j)
        )

    def _possessed(self, owner: str, i: int, j: int, subject: bool) -> tuple[NounPhrase, int] | None:
        inner = self._common(j, subject) if self.starts(j) else None
        if inner is None:
            return NounPhrase((owner,), proper=True, start=i, end=j), j
        phrase, end = inner
        if phrase.proper:
            return phrase, end
        return replace(phrase, possessor=owner, determiner="the", start=i), end

    def _common(self, i: int, subject: bool) -> tuple[NounPhrase, int] | None:
        j, determiner = self._determiner(i)
        words: list[str] = []
        nouns = 0
        start = j
        while j < len(self.tokens) and self.tokens[j].is_word:
            if self._ends(j, nouns, subject, start):
                break
            lower = self.word(j)
            if words and self.is_name(j) and self._opens_sentence(j) is False and not self.tokens[j - 1].is_capitalised:
                break
            if lower.endswith("'s") and self.starts(j + 1) and nouns == 0 and lower[:-2] in self.names:
                return self._possessed(self.tokens[j].text[:-2], i, j + 1, subject)
            words.append(self.tokens[j].text if not self.tokens[j].is_shouted else lower)
            if not (w.is_adjective(lower) and self._noun_follows(j)) or self._stuff_with_verb(j, subject):
                nouns += 1
            j += 1
            if self.word(j) == "," and self._adjective_list(j, nouns):
                j += 1
        if not words:
            if determiner and (
                w.number_word(determiner) is not None
                or determiner in ("both", "all", "some", "these", "those", "this", "that", "another")
            ):
                return NounPhrase((determiner,), pronoun=True, start=i, end=j), j
            return None
        words[0] = words[0] if not (i == 0 and words[0][:1].isupper()) else words[0].lower()
        phrase = NounPhrase(tuple(words), determiner, start=i, end=j)
        phrase, j = self._with_of(phrase, j, subject)
        return self._called(phrase, j)

    def _stuff_with_verb(self, j: int, subject: bool) -> bool:
        """`The rope snaps`: a material that is itself the noun."""
        verb = self.is_verb_here(j + 1, plural=False, subject=subject)
        return self.word(j) in w.MATERIALS and verb and self._begins_complement(j + 2)

    def _noun_follows(self, j: int) -> bool:
        following = self.word(j + 1)
        if following == "round":  # `a great round tub`, but `the rope round the drum`
            return self._noun_follows(j + 1)
        return bool(following) and following[:1].isalpha() and not self._closed(following)

    def _adjective_list(self, j: int, nouns: int) -> bool:
        """`a long, heavy rope`: a comma between adjectives."""
        return nouns == 0 and w.is_adjective(self.word(j - 1)) and self._noun_follows(j) and not self.is_name(j + 1)

    def _determiner(self, i: int) -> tuple[int, str]:
        j, found = i, ""
        while j < len(self.tokens) and (self.word(j) in w.DETERMINERS or w.number_word(self.word(j)) is not None):
            lower = self.word(j)
            if lower in ("second", "third", "first", "last") and found:
                break
            found = found or lower
            j += 1
            if self.word(j) == "of" and lower in ("all", "both", "some", "each", "half", "one", "two", "three"):
                j += 1
        return j, found

    def _closed(self, lower: str) -> bool:
        return (
            lower in w.PREPOSITIONS
            or lower in w.CONJUNCTIONS
            or lower in w.SUBORDINATORS
            or lower in w.RELATIVES
            or lower in w.DETERMINERS
            or lower in w.PRONOUNS
            or (lower in w.AUXILIARIES and lower not in ("can", "will", "might", "need", "must"))
            or lower in w.NEGATIONS
        )

    def _ends(self, j: int, nouns: int, subject: bool, start: int) -> bool:
        lower = self.word(j)
        if lower == "can":
            return self._is_modal(j)
        if lower in ("called", "named") or (nouns and lower in ("stays", "remains", "stayed", "remained")):
            return True
        if lower in (
            "back",
            "past",
            "outside",
            "inside",
            "open",
            "light",
            "front",
            "round",
            "flat",
            "right",
            "left",
            "well",
            "set",
        ):
            if nouns == 0 and self._noun_follows(j):
                return False
            if nouns == 0 and j > start - 1 and lower in ("light", "well", "set", "back", "front"):
                return False
        if nouns == 0 and j == start and lower in ("till", "down", "past", "round", "inside", "outside", "while", "in"):
            return self._noun_follows(j) or self.starts(j + 1) or j == 0 or self.word(j - 1) not in w.DETERMINERS
        if self._closed(lower) or lower in w.MODALS:
            return True
        if nouns and lower in _RESULTING and not self._noun_follows(j):
            return True
        if w.is_adverb(lower) and not (w.is_adjective(lower) and nouns == 0 and self._noun_follows(j)):
            return not (nouns == 0 and lower.endswith("ly") and self._noun_follows(j))
        if nouns == 0:
            return False
        return self.is_verb_here(j, plural=w.is_plural(self.word(j - 1)), subject=subject)

    def _with_of(self, phrase: NounPhrase, j: int, subject: bool) -> tuple[NounPhrase, int]:
        if self.word(j) != "of" or not self.starts(j + 1):
            return phrase, j
        inner = self.read(j + 1, subject)
        if inner is None:
            return phrase, j
        of, end = inner
        return replace(phrase, of=of, end=end), end

    def _called(self, phrase: NounPhrase, j: int) -> tuple[NounPhrase, int]:
        """`a hedgehog called Pim`, `the porter Anselm`: the name, with the noun as a note."""
        start = j + 1 if self.word(j) in ("called", "named") else j
        if not self.is_name(start) or (
            start == j and not w.is_person_noun(phrase.head) and phrase.determiner not in w.POSSESSIVES
        ):
            return phrase, j
        found = self._name(start, subject=False)
        if found is None or not found[0].proper or self.tokens[found[1] - 1].text.endswith("'s"):
            return phrase, j
        name, end = found
        article = f"{phrase.determiner} " if phrase.determiner in w.DETERMINERS else ""
        return replace(name, notes=(f"{article}{phrase.name}",), start=phrase.start), end

    def _is_modal(self, j: int) -> bool:
        return any(form.form == "base" for form in verb_forms(self.word(j + 1))) or self.word(j + 1) in (
            "be", "not", "have", "only",
        )  # fmt: skip

    def is_verb_here(self, j: int, plural: bool, subject: bool) -> bool:
        """Whether a word that follows a noun is the verb of its clause."""
        lower = self.word(j)
        forms = {form.form for form in verb_forms(lower)}
        if not forms:
            return False
        if not subject:
            return False
        agrees = "s" in forms or "past" in forms or ("base" in forms and plural) or "participle" in forms
        if not agrees:
            return "ing" in forms and self._begins_complement(j + 1)
        if self._finite_follows(j + 1):
            return False
        lemma = verb_forms(lower)[0].lemma
        if self._begins_complement(j + 1):
            return True
        if "base" in forms and not forms & {"s", "past"}:
            return lemma not in NOUNISH
        if "past" in forms or "participle" in forms:
            return not self._finite_later(j + 1)
        return lemma not in NOUNISH or not self._finite_later(j + 1)

    def _begins_complement(self, j: int) -> bool:
        """What follows could be an object, a particle, a phrase of place or the end."""
        if j >= len(self.tokens) or not self.tokens[j].is_word:
            return True
        lower = self.word(j)
        return (
            lower in w.DETERMINERS
            or lower in w.PRONOUNS
            or lower in w.PREPOSITIONS
            or lower in w.CONJUNCTIONS
            or lower in w.SUBORDINATORS
            or w.is_adverb(lower)
            or w.number_word(lower) is not None
            or self.is_name(j)
        )

    def _finite_follows(self, j: int) -> bool:
        lower = self.word(j)
        if lower in w.BE | w.HAVE | w.MODALS:
            return True
        forms = verb_forms(lower)
        return (
            any(form.form in ("s", "past") for form in forms)
            and self._begins_complement(j + 1)
            and (forms[0].lemma not in NOUNISH or self.word(j + 1) in w.DETERMINERS | w.PRONOUNS)
        )

    def _finite_later(self, j: int) -> bool:
        """Whether the clause still has a plain finite verb to come."""
        for k in range(j, len(self.tokens)):
            token = self.tokens[k]
            if not token.is_word or token.lower in w.CONJUNCTIONS:
                return False
            if token.lower in w.BE | w.HAVE | w.MODALS:
                return True
            forms = verb_forms(token.lower)
            if any(form.form in ("s", "past") for form in forms) and self._begins_complement(k + 1):
                return forms[0].lemma not in NOUNISH or self.word(k + 1) in w.DETERMINERS | w.PRONOUNS
        return False
