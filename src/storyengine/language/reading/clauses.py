"""Sentences into clauses: subject, verb with particle, objects, phrases of place, and how clauses hang together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from storyengine.language.reading import words as w
from storyengine.language.reading.clause import Clause, Prepositional
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.scanning import ALIKE, Scanner
from storyengine.language.reading.tokens import Token
from storyengine.language.reading.verbgroups import VerbGroup, read_verb_group
from storyengine.language.reading.verbs import NOUNISH, act_of, takes_particle, verb_forms

MAX_TOKENS = 400
"""Longer sentences are not read; nobody films them."""
_RESULTS = w.words(
    "open shut closed apart red green white black blue clean dry flat loose free tight smooth straight empty full "
    "ajar upright lit clear"
)
_PERCEIVING = w.words("see watch hear help let make notice find leave feel keep")
_COPULAS = w.words("be stay remain keep look seem get become stand lie feel")


def read_clauses(tokens: tuple[Token, ...], names: frozenset[str] = frozenset()) -> list[Clause]:
    """The clauses of one sentence in the order of the text."""
    return _ClauseReader(tokens[:MAX_TOKENS], names).run()


class _ClauseReader(Scanner):
    """Takes one token or phrase after the other into the open clause, or opens the next."""

    def run(self) -> list[Clause]:
        while self.i < len(self.tokens):
            before = self.i
            if not any(step() for step in self._steps()):
                self.i = before + 1
        self._finish()
        for clause in self.clauses:
            self._fill_gap(clause)
        return sorted((c for c in self.clauses if c.verb), key=lambda c: c.start)

    def _fill_gap(self, clause: Clause) -> None:
        """`the notebook that she left`: what she left is the notebook."""
        where = self.nouns.word(clause.start) == "where"
        other = clause.antecedent is not None and clause.subject[:1] != (clause.antecedent,)
        if clause.link != "relative" or not other or where or clause.verb is None or clause.objects:
            return
        if not clause.verb.passive and clause.antecedent is not None:
            clause.objects.append((clause.antecedent,))

    def _steps(self) -> tuple[Callable[[], bool], ...]:
        return (
            self._punctuation, self._conjunction, self._subordinate, self._relative, self._infinitive,
            self._particle, self._verb, self._result, self._prepositional, self._adverb, self._noun,
        )  # fmt: skip

    def _punctuation(self) -> bool:
        text = self.tokens[self.i].text
        if self.tokens[self.i].is_word:
            return False
        if text == "(":
            self._parenthesis()
            return True
        if text in ":—–" and self.clause.lemma == "be" and self.nouns.word(self.i + 1) in ("a", "an"):
            self._explanation()
        elif text in ";:—–-" and self.clause.verb:
            self._next(";")
        elif text == ",":
            self._comma()
        self.i += 1
        return True

    def _comma(self) -> None:
        self.noting = False
        if self.clause.link in ("relative", "ing") and self.clause.verb and self.outer:
            self._pop()
        self.joint = self.joint or ","

    def _explanation(self) -> None:
        """`Signe is tower keeper: a young woman …`: the rest says more about her."""
        ends = (k for k in range(self.i + 1, len(self.tokens)) if self.tokens[k].text in ";.")
        end = next(ends, len(self.tokens))
        self._note(self._text(self.i + 1, end))
        self.i = end - 1

    def _parenthesis(self) -> None:
        close = next((k for k in range(self.i, len(self.tokens)) if self.tokens[k].text == ")"), len(self.tokens))
        note = self._text(self.i + 1, close)
        self._note(note)
        self.i = close + 1

    def _conjunction(self) -> bool:
        if self.word not in w.CONJUNCTIONS:
            return False
        if self.word == "so" and self.nouns.word(self.i + 1) == "that":
            self.i += 1
        self.joint = "then" if self.word == "then" or self.joint == "then" else "and"
        self.i += 1
        return True

    def _subordinate(self) -> bool:
        if self.word not in w.SUBORDINATORS or not self._clause_after(self.i + 1):
            return False
        link = self.word
        if link == "where" and self.last in ("noun", "phrase"):
            return False
        self._next(link)
        self.i += 1
        if self.nouns.word(self.i) == "if" or self.nouns.word(self.i) == "though":
            self.i += 1
        return True

    def _relative(self) -> bool:
        if self.word not in w.RELATIVES or self.last not in ("noun", "phrase"):
            return False
        after = self.i + 1
        if (
            self.word == "that"
            and self.nouns.starts(after)
            and not self._noun_with_verb(after)
            and not self._finite(after, True)
        ):
            return False
        antecedent = self._latest_noun()
        if antecedent is None:
            return False
        self.outer.append(self.clause)
        self.clause = Clause(link="relative", antecedent=antecedent, start=self.i)
        if self._finite(after, many=True) and not self._noun_with_verb(after):
            self.clause.subject = (antecedent,)
        self.i, self.joint, self.last = after, "", ""
        return True

    def _pop(self) -> None:
        """Back from a relative clause to the one it stands in."""
        self.clause.end = self.i
        self.clauses.append(self.clause)
        self.clause = self.outer.pop()
        self.last = "noun"

    def _next(self, link: str) -> None:
        """Close this clause and begin another."""
        subject = self.clause.subject
        self._finish()
        self.clause = Clause(subject=subject, link=link, start=self.i, inherited=True)
        self.joint, self.last = "", ""

    def _finish(self) -> None:
        self.clause.end = self.i
        while self.outer:
            self.clauses.append(self.clause)
            self.clause = self.outer.pop()
            self.clause.end = self.i
        self.clauses.append(self.clause)

    def _infinitive(self) -> bool:
        if self.word != "to" or not any(form.form == "base" for form in verb_forms(self.nouns.word(self.i + 1))):
            return False
        following = self.nouns.word(self.i + 2)
        lemma = self.nouns.word(self.i + 1)
        if lemma in NOUNISH and self.clause.verb and not self._object_like(self.i + 2) and following not in w.PARTICLES:
            return False
        self._next("to")
        self.i += 1
        return self._verb()

    def _verb(self) -> bool:
        if not self._may_be_verb():
            return False
        group = read_verb_group(self.nouns, self.i)
        if (
            group is not None
            and group.form == "past"
            and not self.clause.subject
            and not group.auxiliary
            and not self.clauses
        ):
            plain = [form for form in verb_forms(self.word) if form.form == "base"]
            group = replace(group, form="base") if plain else group
        if group is None or not self._fits(group):
            return False
        if self.clause.verb is not None:
            if self.clause.verb.passive and group.form in ("participle", "past") and not group.auxiliary and self.joint:
                group = replace(group, passive=True)
            if self.outer and not self.joint and self.outer[-1].verb is None:
                self._pop()
            else:
                self._next(self.joint if self.joint == "then" else "ing" if group.form == "ing" else "and")
        elif group.form == "ing" and not group.auxiliary and self._stands_within():
            self.outer.append(self.clause)
            self.clause = Clause(subject=self.clause.subject, link="ing", start=self.i, inherited=True)
        elif group.form == "ing" and not group.auxiliary:
            self.clause.link = self.clause.link or "ing"
        if not self.clause.subject and self.clause.inherited is False:
            self.clause.inherited = True
        self.clause.verb = group
        if self.clause.start == 0 and self.clauses:
            self.clause.start = self.i
        self.i, self.joint, self.last = group.end, "", "verb"
        return True

    def _stands_within(self) -> bool:
        """`Mina, wiping her hands, …` and `the man carrying the sack opens …`."""
        own = bool(self.clause.subject) and not self.clause.inherited
        return own and (self.joint == "," or self.nouns._finite_later(self.i + 1))

    def _may_be_verb(self) -> bool:
        lower = self.word
        if not (verb_forms(lower) or lower in w.AUXILIARIES or lower.endswith("n't")):
            return False
        if self.clause.verb is None or self.joint:
            return True
        if self.outer and self.outer[-1].verb is None:
            return True
        return self._after_object()

    def _after_object(self) -> bool:
        """`helps Tam lift the box`, `sees Tam carrying a sack`."""
        if self.last == "phrase":
            return any(form.form == "participle" for form in verb_forms(self.word)) and bool(self.clause.phrases)
        return self.last == "noun" and bool(self.clause.objects) and bool(verb_forms(self.word))

    def _fits(self, group: VerbGroup) -> bool:
        """Whether a verb in this form can stand here."""
        clause = self.clause
        if clause.verb is None:
            return self._fits_first(group)
        if self.outer and self.outer[-1].verb is None and not self.joint and group.form in ("s", "past"):
            return self.nouns._begins_complement(group.end)
        if self._after_object() and not self.joint:
            return self._takes_object_as_subject(group)
        if group.auxiliary:
            return True
        agrees = group.form in ALIKE[clause.verb.form] or (group.form == "ing" and self.joint == ",")
        if clause.verb.auxiliary and clause.verb.form != "ing":
            agrees = agrees or group.form in ("s", "past", "participle", "base")
        if not agrees:
            return False
        after = group.end
        if group.form == "ing":
            return True
        return group.lemma not in NOUNISH or self.nouns._begins_complement(after)

    def _fits_first(self, group: VerbGroup) -> bool:
        clause = self.clause
        if group.form == "participle" and not group.auxiliary and clause.subject:
            return self._reduced(group)
        if group.form == "past" and not group.auxiliary and clause.subject and self._is_reduced():
            return self._reduced(group)
        if (
            not clause.subject
            and group.form == "base"
            and not group.auxiliary
            and w.is_adjective(self.word)
            and self.nouns._finite_later(self.i + 1)
        ):
            return False  # `Wet leaves are on the line.`
        if not clause.subject and group.form == "base" and not group.auxiliary:
            plainly = group.lemma not in NOUNISH or self.nouns._begins_complement(group.end)
            return self.last == "" and (plainly or not self.nouns._finite_later(group.end))
        if not clause.subject and not clause.inherited and group.form == "s" and self.last == "":
            return self.nouns._begins_complement(group.end)
        return True

    def _is_reduced(self) -> bool:
        """`a door painted red hangs …`: the real verb is still to come."""
        return self.nouns._finite_later(self.i + 1) and self.last == "noun" and not self.clause.subject[-1].proper

    def _reduced(self, group: VerbGroup) -> bool:
        """Take a participle after a noun as a note about the noun. Always answers False: it is no verb."""
        end = group.end
        while end < len(self.tokens) and self.tokens[end].is_word and not self._finite(end, many=False):
            if self.nouns.word(end) in w.CONJUNCTIONS:
                break
            end += 1
        self._note(self._text(self.i, end))
        self.i = end
        return False

    def _takes_object_as_subject(self, group: VerbGroup) -> bool:
        assert self.clause.verb is not None
        if self.last == "phrase":
            return self._reduced(group)
        actors = self.clause.objects[-1]
        if group.form == "base" and self.clause.verb.lemma in _PERCEIVING and not group.auxiliary:
            if actors[-1].is_person:
                self._hand_down(actors)
                return True
            return False
        if group.form == "ing" and not group.auxiliary:
            if actors[-1].is_person and not actors[-1].pronoun:
                self._hand_down(actors)
                return True
            if group.lemma in ("lie", "stand", "hang", "sit", "wait", "rest", "lean"):
                self.clause.adverbs.append(self.word)
                self.i = group.end
            return False
        if group.form == "participle" and not group.auxiliary and self.nouns._begins_complement(group.end):
            return self._reduced(group)
        return False

    def _hand_down(self, actors: tuple[NounPhrase, ...]) -> None:
        self._finish()
        self.clause = Clause(subject=actors, link="while", start=self.i)

    def _particle(self) -> bool:
        verb, lower = self.clause.verb, self.word
        if (
            verb is None
            or lower not in w.PARTICLES | _RESULTS
            or self.joint
            or self.clause.particle
            or self.last == "phrase"
        ):
            return False
        known = takes_particle(verb.lemma, lower)
        if not known and lower not in w.PARTICLES:
            return False
        if (phrase := self._phrase_preposition(self.i)) is not None:
            # `puts it down on the step`: the particle belongs to the verb, the rest is a phrase of its own
            if not known or lower not in ("up", "out", "back", "down") or phrase[0].split()[-1] == "of":
                return False
            self.clause.particle = lower
            self.i += 1
            return True
        ends = not self.nouns.starts(self.i + 1)
        if not known and not (ends and self.last in ("verb", "noun")):
            return False
        if not ends and self.last == "verb" and act_of(verb.lemma) == "go":
            return False
        if not ends and self.last == "noun" and not verb.passive:
            return False
        if not ends and verb.passive and lower in w.PREPOSITIONS and self.nouns.starts(self.i + 1):
            return False
        self.clause.particle = lower
        self.i += 1
        return True

    def _result(self) -> bool:
        """`pulls the drawer open`, `is shut`, `paints the fence green`."""
        lower = self.word
        verb = self.clause.verb
        if verb is None or (self.joint and verb.lemma != "be") or self._phrase_preposition(self.i):
            return False
        copula = verb.lemma in _COPULAS or verb.passive
        plain = w.is_adjective(lower) or lower in _RESULTS or (copula and self._participle_state(lower))
        if not plain or not (copula or self.last == "noun"):
            return False
        if self.nouns.starts(self.i + 1) and not self._finite(self.i + 1, many=False):
            following = self.nouns.word(self.i + 1)
            if following not in w.DETERMINERS and following not in w.PRONOUNS and not w.is_adverb(following):
                return False
        self.clause.adjectives.append(lower)
        self.i += 1
        return True

    def _participle_state(self, lower: str) -> bool:
        return any(form.form == "participle" for form in verb_forms(lower))

    def _prepositional(self) -> bool:
        found = self._phrase_preposition(self.i)
        preposition, j = found if found else (self.word, self.i + 1)
        if found is None and preposition not in w.PREPOSITIONS:
            return False
        if preposition in ("as", "than", "like") and not self.nouns.starts(j):
            return False
        ing = [form for form in verb_forms(self.nouns.word(j)) if form.form == "ing"]
        if (
            ing
            and preposition in ("by", "after", "before", "without", "while", "from")
            and not self.nouns._noun_follows(j)
        ):
            return False
        read = self.nouns.read(j, subject=self.clause.verb is None or self._verb_due())
        if read is None:
            self._bare_preposition(preposition)
            return True
        phrase, end = read
        phrases, end = self._coordinated(phrase, end)
        self._attach(Prepositional(preposition, phrase, phrases), self._text(self.i, end))
        self.i, self.last = end, "phrase"
        return True

    def _bare_preposition(self, preposition: str) -> None:
        self.i += 1
        if preposition in w.PARTICLES | frozenset(("inside", "outside", "across")):
            self.clause.adverbs.append(preposition)

    def _attach(self, phrase: Prepositional, text: str) -> None:
        """A phrase belongs to the noun before it while there is no verb, and when it describes a part of it."""
        clause = self.clause
        noun = phrase.phrase
        if (
            (clause.verb is None and clause.subject and not clause.inherited and self.last in ("noun", "phrase"))
            or (
                phrase.preposition == "with"
                and self.last == "noun"
                and noun is not None
                and noun.head in w.PARTS
                and not noun.definite
                and clause.objects
                and not clause.objects[-1][-1].pronoun
            )
            or (
                phrase.preposition == "with"
                and self.last == "noun"
                and noun
                and noun.head in w.PARTS
                and clause.verb
                and act_of(clause.verb.lemma) not in ("close", "open")
                and bool(clause.objects)
                and not clause.objects[-1][-1].pronoun
            )
            or (self.noting and phrase.preposition in ("in", "with") and not self.joint)
        ):
            self._note(text)
        else:
            clause.phrases.append(replace(phrase, fronted=clause.verb is None))
        self.joint = ""

    def _adverb(self) -> bool:
        lower = self.word
        if not w.is_adverb(lower) or (self.nouns.is_name(self.i)):
            return False
        if w.is_adjective(lower) and self.nouns._noun_follows(self.i) and lower not in ("back", "inside", "outside"):
            return False
        if lower == "then" or (lower in ("afterwards", "next", "finally") and self.clause.verb is None):
            self.joint = self.joint or "then"
        else:
            self.clause.adverbs.append(lower)
        self.i += 1
        return True

    def _noun(self) -> bool:
        clause = self.clause
        if clause.verb is not None and self.joint and self._noun_with_verb(self.i):
            self._next(self.joint if self.joint in ("then", ";") else "and")
            clause = self.clause
            clause.subject, clause.inherited = (), False
        elif clause.verb is not None and not self.joint and self.last == "phrase" and self._new_subject():
            self._next(",")
            clause = self.clause
            clause.subject, clause.inherited = (), False
        read = self.nouns.read(self.i, subject=clause.verb is None or self._verb_due())
        if read is None:
            return False
        phrase, end = read
        if clause.verb is None:
            self._take_subject(phrase, end)
        elif self.joint == "," and self.last == "phrase" and self._apposition(phrase, end):
            self.i, self.joint = end, ""
            return True
        elif self.joint and clause.objects and self.last in ("noun", "phrase"):
            if self.last == "noun" and not self._apposition(phrase, end):
                clause.objects[-1] = (*clause.objects[-1], phrase)
            self.i = end
        else:
            phrases, end = self._coordinated(phrase, end)
            clause.objects.append(phrases)
            self.i = end
        self.joint, self.last = "", "noun"
        return True

    def _new_subject(self) -> bool:
        return self.nouns.word(self.i) in ("he", "she", "they") and self._noun_with_verb(self.i)

    def _take_subject(self, phrase: NounPhrase, end: int) -> None:
        clause = self.clause
        if clause.subject and not clause.inherited and self.joint == "," and self._apposition(phrase, end):
            pass
        elif clause.subject and not clause.inherited and self.joint == "and":
            clause.subject = (*clause.subject, phrase)
        elif clause.subject and not clause.inherited and self.joint == "," and w.is_adjective(phrase.head):
            pass
        elif clause.subject and not clause.inherited and self.joint == "," and self.nouns.word(end) in ("and", ","):
            clause.subject = (*clause.subject, phrase)
        else:
            clause.subject, clause.inherited = (phrase,), False
            if not clause.start and self.clauses:
                clause.start = self.i
        self.i = end

    def _apposition(self, phrase: NounPhrase, end: int) -> bool:
        """`Mina, a student`: the second noun says who the first is."""
        latest = self._latest_noun()
        if latest is None or self.joint != "," or phrase.pronoun:
            return False
        of_name = latest.is_person or (latest.determiner in w.DETERMINERS and self.nouns.word(end) == ",")
        if phrase.proper and not latest.proper and of_name and self.clause.verb is None:
            named = replace(phrase, notes=(*phrase.notes, f"{latest.determiner} {latest.name}".strip(), *latest.notes))
            self.clause.subject = (*self.clause.subject[:-1], named)
            return True
        if phrase.proper and phrase.notes and latest.is_person and self.clause.verb is None:
            return self._apposition(replace(phrase, notes=()), end)
        explains = phrase.determiner in ("a", "an") or (
            latest.proper and not phrase.determiner and w.is_person_noun(phrase.head)
        )
        if not explains and not (phrase.determiner == "the" and latest.proper and phrase.is_person):
            return False
        if self.nouns.word(end) == "and" and not latest.proper:
            return False
        self._note(self._text(self.i, end))
        self.noting = True
        return True
