"""Verb groups: `opens`, `is carried`, `has just opened`, `must not be loaded`."""

from __future__ import annotations

from dataclasses import dataclass

from storyengine.language.reading import words as w
from storyengine.language.reading.phrases import PhraseReader
from storyengine.language.reading.verbs import Form, VerbForm, verb_forms


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """The verb of a clause with its helpers."""

    lemma: str
    form: Form
    """The form of the first word: what a coordinated verb has to agree with."""
    end: int
    passive: bool = False
    negated: bool = False
    modal: str = ""
    """`must`, `should`, `will` …; `must` also for `has to`."""
    perfect: bool = False
    auxiliary: bool = False
    progressive: bool = False


def read_verb_group(nouns: PhraseReader, i: int) -> VerbGroup | None:
    """The verb group at `i`, if there is one."""
    lower = nouns.word(i)
    if lower in w.AUXILIARIES or lower.endswith("n't") or lower == "cannot":
        return _with_helpers(nouns, i)
    forms = verb_forms(lower)
    if not forms:
        return None
    order: tuple[Form, ...] = ("s", "past", "base", "participle", "ing")
    best = min(forms, key=lambda form: order.index(form.form))
    group = VerbGroup(best.lemma, best.form, i + 1)
    return _catenated(nouns, group)


def _catenated(nouns: PhraseReader, group: VerbGroup) -> VerbGroup:
    """`begins to wind` is winding; `needs to be` is a rule."""
    if (
        group.lemma not in ("begin", "start", "try", "manage", "continue", "proceed", "need")
        or nouns.word(group.end) != "to"
    ):
        return group
    inner = read_verb_group(nouns, group.end + 1)
    if inner is None:
        return group
    modal = "must" if group.lemma == "need" else inner.modal
    return VerbGroup(inner.lemma, group.form, inner.end, inner.passive, inner.negated, modal, inner.perfect, True)


def _with_helpers(nouns: PhraseReader, i: int) -> VerbGroup | None:
    first = nouns.word(i)
    be = have = progressive = perfect = negated = False
    modal = ""
    j = i
    while True:
        lower = nouns.word(j)
        if lower in w.MODALS or lower == "cannot":
            modal = modal or lower
            negated = negated or lower == "cannot"
        elif lower in w.BE:
            be, have = True, False
        elif lower in w.HAVE or lower in ("need", "needs"):
            have = True
        elif lower in ("do", "does", "did") or lower.endswith("n't"):
            negated = negated or lower.endswith("n't")
            stem = lower.removesuffix("n't")
            be = be or stem in ("is", "are", "was", "were")
            modal = modal or (stem if stem in w.MODALS or stem in ("ca", "wo") else "")
        elif lower in ("not", "never"):
            negated = True
        elif lower == "to" and (have or be) and _base_or_be(nouns, j + 1):
            modal, have, be = "must", False, False
        elif w.is_adverb(lower) and _verb_within(nouns, j + 1):
            pass
        elif lower in ("get", "gets", "got") and any(f.form == "participle" for f in verb_forms(nouns.word(j + 1))):
            be = True
        else:
            break
        j += 1
    form: Form = "past" if first in ("was", "were", "had", "did") else "ing" if first in ("having", "being") else "s"
    main = _main(nouns, j, be, have)
    if main is None:
        lemma = "be" if be else "have" if have else ""
        if not lemma:
            return None
        return VerbGroup(lemma, form, j, False, negated, modal, False, True)
    if main.form == "ing":
        progressive = True
    perfect = have
    passive = be and main.form == "participle"
    return VerbGroup(main.lemma, form, j + 1, passive, negated, modal, perfect, True, progressive)


def _base_or_be(nouns: PhraseReader, j: int) -> bool:
    return nouns.word(j) in ("be", "have", "not") or any(form.form == "base" for form in verb_forms(nouns.word(j)))


def _verb_within(nouns: PhraseReader, j: int) -> bool:
    return any(verb_forms(nouns.word(k)) or nouns.word(k) in w.BE for k in range(j, j + 2))


def _main(nouns: PhraseReader, j: int, be: bool, have: bool) -> VerbForm | None:
    """The main verb after its helpers, in the form that they ask for."""
    word = nouns.word(j)
    forms = {form.form: form for form in verb_forms(word)}
    if be:
        if "participle" in forms and not (word in w.ADJECTIVES and _only_adjective(nouns, j)):
            return forms["participle"]
        return forms.get("ing")
    if have:
        if "participle" in forms and not (
            nouns._noun_follows(j) and nouns.word(j - 1) in w.HAVE and word in w.ADJECTIVES
        ):
            return forms["participle"]
        return None
    return forms.get("base")


def _only_adjective(nouns: PhraseReader, j: int) -> bool:
    """`is shut`, `is open`: a state, unless somebody is named who did it or a time when."""
    return nouns.word(j) in ("open", "set", "clean", "dry", "empty")
