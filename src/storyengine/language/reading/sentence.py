"""`read_sentence`: one sentence into its events; `read_in_context`: with statements and what was not understood."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from storyengine.language.reading import words as w
from storyengine.language.reading.clause import Clause
from storyengine.language.reading.clauses import read_clauses
from storyengine.language.reading.discourse import Discourse
from storyengine.language.reading.interpret import Interpreter
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.readings import Reading, Statement
from storyengine.language.reading.tokens import Token, tokenize


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """All that a sentence says, as far as it was understood."""

    text: str
    readings: tuple[Reading, ...] = ()
    statements: tuple[Statement, ...] = ()
    phrases: tuple[NounPhrase, ...] = ()
    """Subjects in the order of the text, with their notes."""
    why: str = ""
    """Why nothing was understood; empty when something was."""


def read_sentence(text: str, known: Iterable[str] = ()) -> tuple[Reading, ...]:
    """The events of a sentence in the order in which they happen.

    `known` names people, things and places that the story already has; names among them are recognised at the
    start of a sentence too, and a shorter way to call one of them (`the peel`) is read as its full name.
    """
    names = tuple(known)
    discourse = Discourse()
    discourse.persons.update(name.lower() for name in names if name[:1].isupper())
    reading = read_in_context(text, discourse, names=names)
    return tuple(_in_full(found, names) for found in reading.readings if not found.negated)


def read_in_context(
    text: str, discourse: Discourse, names: Iterable[str] = (), places: frozenset[str] = frozenset()
) -> SentenceReading:
    """Read a sentence of a longer text; the discourse carries who and what was spoken of before."""
    tokens = tokenize(text)
    first_words = frozenset(name.split()[0].lower() for name in names if name[:1].isupper())
    clauses = read_clauses(tokens, first_words)
    if not clauses:
        return SentenceReading(text, why="no verb was found in it")
    interpreter = Interpreter(discourse, places)
    discourse.next_sentence()
    _share_subjects(clauses)
    readings: list[Reading] = []
    statements: list[Statement] = []
    missed: list[str] = []
    for clause in _in_story_order(clauses):
        assert clause.verb is not None
        rest = re.split(r",?\s+(?:where|who|which)\s", words_between(tokens, clause.verb.end, clause.end))[0]
        events, facts = interpreter.read(clause, words_between(tokens, clause.start, clause.end), rest)
        discourse.next_clause()
        readings += events
        statements += facts
        if not events and not facts:
            missed.append(clause.lemma)
    readings = _with_agents(_with_instruments(readings))
    why = (
        ""
        if readings or statements
        else f"the verb {missed[0]!r} is not among those it knows"
        if missed
        else "nothing in it"
    )
    phrases = tuple(subject for clause in clauses for subject in clause.subject if not clause.inherited)
    return SentenceReading(text, tuple(readings), tuple(statements), phrases, why)


def _with_agents(readings: list[Reading]) -> list[Reading]:
    """`is carried to the bench and mended by Ludmila`: she does both."""
    found = list(readings)
    for position in range(len(found) - 2, -1, -1):
        here, following = found[position], found[position + 1]
        if (
            not here.agents
            and following.agents
            and here.things
            and here.things == following.things
            and following.link == "and"
        ):
            found[position] = replace(here, agents=following.agents)
    return found


def words_between(tokens: tuple[Token, ...], start: int, end: int) -> str:
    """The words as the sentence has them."""
    parts = ""
    for token in tokens[start:end]:
        parts += token.text if token.text in ",;:.)!?" else f" {token.text}"
    text = parts.strip(" ,;.:—–-")
    while (joint := text.rpartition(" ")[2]) in ("and", "then", "but", "or", "while", "so", "as"):
        text = text.removesuffix(joint).strip(" ,;.:—–-")
    return text


def _share_subjects(clauses: list[Clause]) -> None:
    """A clause without subject of its own takes the one before, or at the start the one after."""
    for position, clause in enumerate(clauses):
        others = [other for other in clauses[position + 1 :] if other.subject and other.link != "relative"]
        joined = clause.link in ("ing", "after", "before", "while", "once", "")
        open_ing = clause.verb is not None and clause.verb.form == "ing" and not clause.subject and clause.inherited
        if open_ing and joined and others:
            clause.subject = others[0].subject
    for position, clause in enumerate(clauses):
        if position == 0 and clause.subject and clause.subject[0].pronoun and clause.link in w.SUBORDINATORS:
            later = next((c.subject for c in clauses[1:] if c.subject and not c.subject[0].pronoun), None)
            if later is not None and not clause.subject[0].plural and clause.subject[0].is_person:
                clause.subject = later


def _with_instruments(readings: list[Reading]) -> list[Reading]:
    """`Using a pole, Henk pushes the raft`: what is used belongs to the act it is used for."""
    found: list[Reading] = []
    used: NounPhrase | None = None
    for reading in readings:
        if reading.verb == "use" and reading.things:
            used = reading.things[0]
            continue
        found.append(replace(reading, means=reading.means or used) if used else reading)
        used = None
    return found


def _in_story_order(clauses: list[Clause]) -> list[Clause]:
    """As told, but what a `before` clause says comes after the clause it hangs on, and `after` before it."""
    ordered: list[Clause] = []
    held: list[Clause] = []
    for position, clause in enumerate(clauses):
        if clause.link == "before":
            if position == 0:
                held.append(clause)
            else:
                ordered.append(clause)
        elif clause.link in ("after", "once") and ordered and position > 0:
            ordered.insert(_main_before(ordered), clause)
        else:
            ordered.append(clause)
    return ordered + held


def _main_before(ordered: list[Clause]) -> int:
    return len(ordered) - 1


def _in_full(reading: Reading, names: tuple[str, ...]) -> Reading:
    """Short references as the full names of what the story already has."""
    if not names:
        return reading

    def full(phrase: NounPhrase | None) -> NounPhrase | None:
        if phrase is None:
            return None
        name = full_name(phrase, names)
        return replace(phrase, words=tuple(name.split()), of=None) if name else phrase

    return replace(
        reading,
        agents=tuple(full(a) or a for a in reading.agents),
        things=tuple(full(t) or t for t in reading.things),
        goal=full(reading.goal),
        source=full(reading.source),
        means=full(reading.means),
        beside=full(reading.beside),
        place=full(reading.place),
    )


def full_name(phrase: NounPhrase, names: Iterable[str]) -> str:
    """The one known name that a phrase is short for, or the empty string."""
    own = phrase.name.lower()
    exact = [name for name in names if name.lower() == own]
    if exact:
        return exact[0]
    spoken = {word.lower() for word in phrase.words}
    fitting = [
        name
        for name in names
        if name.lower().split(" of ")[0].split()[-1] == phrase.head
        and spoken <= {word.lower() for word in name.split()}
    ]
    return fitting[0] if len(fitting) == 1 else ""
