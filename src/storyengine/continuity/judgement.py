"""What a judge said about one picture or clip, held against the criteria it was asked about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from storyengine.backends.ports import Statement, Verdict
from storyengine.contract import Criterion
from storyengine.errors import Malformed

LABELS = ("PASS", "FAIL", "UNKNOWN")


@dataclass(frozen=True)
class Judgement:
    """One verdict for every criterion asked. UNKNOWN is never PASS."""

    criteria: tuple[Criterion, ...]
    verdicts: Mapping[str, Verdict]

    def label(self, criterion: Criterion) -> str:
        return self.verdicts[criterion.id].label

    def passed(self) -> tuple[Criterion, ...]:
        return tuple(c for c in self.criteria if self.label(c) == "PASS")

    def missed(self) -> tuple[Criterion, ...]:
        """`B_i`: what failed or could not be told, required first."""
        missed = [c for c in self.criteria if self.label(c) != "PASS"]
        return tuple(sorted(missed, key=lambda c: not c.required))

    def missed_required(self) -> tuple[Criterion, ...]:
        return tuple(c for c in self.missed() if c.required)

    def unknown(self) -> tuple[Criterion, ...]:
        return tuple(c for c in self.criteria if self.label(c) == "UNKNOWN")


def questions(criteria: Iterable[Criterion]) -> tuple[Statement, ...]:
    """The canonical statements, as a judge is asked them."""
    return tuple(Statement(id=c.id, text=c.statement, phase=c.phase) for c in criteria)


def read_verdicts(criteria: tuple[Criterion, ...], verdicts: Iterable[Verdict]) -> Judgement:
    """Exactly one verdict per criterion, or Malformed: a judge that answers otherwise is asked again."""
    given: dict[str, Verdict] = {}
    asked = {criterion.id for criterion in criteria}
    for verdict in verdicts:
        if verdict.id in given or verdict.id not in asked:
            kind = "twice" if verdict.id in given else "about something that was not asked"
            raise Malformed(f"The judge answered {verdict.id!r} {kind}.")
        if verdict.label not in LABELS:
            raise Malformed(f"The judge answered {verdict.label!r}; allowed are PASS, FAIL and UNKNOWN.")
        given[verdict.id] = verdict
    missing = sorted(asked - set(given))
    if missing:
        raise Malformed(f"The judge left out {', '.join(missing[:5])}.")
    return Judgement(criteria, MappingProxyType(given))


def in_form(criteria: tuple[Criterion, ...], verdicts: Iterable[Verdict]) -> dict[str, Verdict]:
    """What of an answer can be used: the first verdict with a known label about each criterion that was asked."""
    asked = {criterion.id for criterion in criteria}
    usable: dict[str, Verdict] = {}
    for verdict in verdicts:
        if verdict.id in asked and verdict.label in LABELS:
            usable.setdefault(verdict.id, verdict)
    return usable


def filled_up(criteria: tuple[Criterion, ...], given: Mapping[str, Verdict], why: str) -> Judgement:
    """A judgement in which everything that was not answered is UNKNOWN, for the reason given."""
    verdicts = {c.id: given.get(c.id) or Verdict(c.id, "UNKNOWN", why) for c in criteria}
    return Judgement(criteria, MappingProxyType(verdicts))
