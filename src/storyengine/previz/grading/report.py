"""The grade: precision, recall and UNKNOWN rate per kind of claim and per view condition, and what was caught.

PASS is held to precision and recall: of what was passed, how much is true; of what is true, how much was passed. The
same figures of FAIL and false are printed beside them; what FAIL is for, catching errors, is held by the planted ones.
UNKNOWN counts against recall and never against precision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from storyengine.backends.ports import Box
from storyengine.previz.grading.conditions import CLEAN
from storyengine.previz.grading.judging import DEGRADED_EVERY, Answer, Judged, Sighting

PRECISION, RECALL = 0.97, 0.90
"""The bars, for PASS of every kind of claim, on clean pictures of what shows large enough."""
SMALLEST = 0.01
"""Share of the frame from which a thing counts for the bars; what is smaller is reported apart."""
OVERLAP = 0.3
"""Intersection over union from which a box is where the thing is."""
FEWEST = 10
"""With fewer true (or false) questions of a kind, nothing is said about its PASS (or FAIL)."""
CAUGHT: Final = ("wrong state", "missing object", "extra person", "wrong room", "recast face")
"""Planted errors that must be caught, at the bar of recall."""
UNSEEABLE: Final = ("placed in a zone",)
"""Kinds that no picture decides: the zones of a place have no visible border. They are counted, but held to no bar."""
SHARES: Final = (
    (0.0, "a) under 0.25 %"),
    (0.0025, "b) 0.25 to 1 %"),
    (0.01, "c) 1 to 3 %"),
    (0.03, "d) 3 to 10 %"),
    (0.10, "e) 10 % or more"),
)
"""Classes of size, from the share on; the letters keep them in order."""


@dataclass(frozen=True)
class Tally:
    """How often each verdict was given to true and to false statements."""

    counts: Counter[tuple[bool, str]]

    @classmethod
    def of(cls, answers: Iterable[Answer]) -> Tally:
        return cls(Counter((a.question.truth, a.label) for a in answers))

    def number(self, truth: bool) -> int:
        return sum(n for (t, _), n in self.counts.items() if t is truth)

    def precision(self, label: str) -> float | None:
        right = self.counts[(label == "PASS", label)]
        wrong = self.counts[(label != "PASS", label)]
        return right / (right + wrong) if right + wrong else None

    def recall(self, label: str) -> float | None:
        asked = self.number(label == "PASS")
        return self.counts[(label == "PASS", label)] / asked if asked else None

    @property
    def unknown(self) -> float | None:
        asked = sum(self.counts.values())
        return (self.counts[(True, "UNKNOWN")] + self.counts[(False, "UNKNOWN")]) / asked if asked else None

    def holds(self, label: str) -> bool | None:
        """Whether PASS (or FAIL) holds the bars; None where it was asked too rarely to say."""
        if self.number(label == "PASS") < FEWEST:
            return None
        return (self.precision(label) or 0.0) >= PRECISION and (self.recall(label) or 0.0) >= RECALL

    def data(self) -> dict[str, Any]:
        return {
            "true": self.number(True),
            "false": self.number(False),
            "pass": {"precision": _rounded(self.precision("PASS")), "recall": _rounded(self.recall("PASS"))},
            "fail": {"precision": _rounded(self.precision("FAIL")), "recall": _rounded(self.recall("FAIL"))},
            "unknown": _rounded(self.unknown),
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def counts_for_bars(answer: Answer) -> bool:
    share = answer.question.share
    return answer.condition == CLEAN and (share is None or share >= SMALLEST)


def grade(judged: Judged, scenes: int, seed: int) -> dict[str, Any]:
    """The whole report as plain data."""
    counted = [a for a in judged.answers if counts_for_bars(a)]
    small = [a for a in judged.answers if a.condition == CLEAN and not counts_for_bars(a)]
    large = [a for a in judged.answers if a.question.share is None or a.question.share >= SMALLEST]
    clean = [*counted, *small]
    kinds = _by(counted, lambda a: a.question.kind)
    planted = _planted(counted)
    short = [kind for kind, tally in kinds.items() if tally.holds("PASS") is False and kind not in UNSEEABLE]
    missed = [kind for kind in CAUGHT if planted.get(kind, {}).get("caught", 0.0) < RECALL]
    return {
        "name": "previz grade",
        "scenes": scenes,
        "seed": seed,
        "questions": len(judged.answers),
        "kinds": {kind: {**tally.data(), "ok": tally.holds("PASS")} for kind, tally in kinds.items()},
        "small": _data(_by(small, lambda a: a.question.kind)),
        "framings": _data(_by(counted, lambda a: a.framing)),
        "shares": _data(_by([a for a in clean if a.question.share is not None], _bucket)),
        "forms": _data(_by(counted, lambda a: a.form)),
        "words": _data(_by(counted, lambda a: a.words)),
        "conditions": _data(_by([a for a in large if _comparable(a)], lambda a: a.condition)),
        "planted": planted,
        "locate": _located(judged.sightings),
        "seconds": {"median": _rounded(median(judged.seconds)), "largest": _rounded(max(judged.seconds))},
        "bars": {"precision": PRECISION, "recall": RECALL, "share": SMALLEST, "fewest": FEWEST},
        "short": short,
        "missed": missed,
        "ok": not short and not missed,
    }


def _comparable(answer: Answer) -> bool:
    """Another exposure is another light: its claims are no fair question then. Conditions are taken on equal scenes."""
    gained = answer.condition.startswith("gain") and answer.question.kind == "lit"
    return not gained and answer.scene % DEGRADED_EVERY == 0


def _bucket(answer: Answer) -> str:
    share = answer.question.share or 0.0
    reached = sum(share >= bound for bound, _ in SHARES)
    return SHARES[reached - 1][1]


def _by(answers: Iterable[Answer], key: Callable[[Answer], str]) -> dict[str, Tally]:
    groups: dict[str, list[Answer]] = {}
    for answer in answers:
        groups.setdefault(key(answer), []).append(answer)
    return {name: Tally.of(groups[name]) for name in sorted(groups)}


def _data(tallies: dict[str, Tally]) -> dict[str, Any]:
    return {name: tally.data() for name, tally in tallies.items()}


def _located(sightings: Sequence[Sighting]) -> dict[str, Any]:
    """How often things in the probes of places were found: no bar, but cameras are aimed by it.

    A box is right when it shares `OVERLAP` of its union with the true one. Traces of things are left out.
    """
    shown = [s for s in sightings if s.true is not None and s.share >= SMALLEST]
    named = [s for s in sightings if s.said is not None and (s.share >= SMALLEST or s.share == 0.0)]
    right = sum(overlap(s.true, s.said) >= OVERLAP for s in shown)
    return {
        "shown": len(shown),
        "said": len(named),
        "precision": _rounded(right / len(named)) if named else None,
        "recall": _rounded(right / len(shown)) if shown else None,
    }


def overlap(a: Box | None, b: Box | None) -> float:
    """Intersection over union."""
    if a is None or b is None:
        return 0.0
    wide = min(a.left + a.width, b.left + b.width) - max(a.left, b.left)
    high = min(a.top + a.height, b.top + b.height) - max(a.top, b.top)
    both = max(wide, 0.0) * max(high, 0.0)
    return both / (a.width * a.height + b.width * b.height - both)


def _planted(answers: Iterable[Answer]) -> dict[str, dict[str, Any]]:
    """Per planted error: how often a statement that it makes false was failed, left unknown or passed.

    An error is one scene and kind and subject; of several statements that it makes false the best answer counts.
    """
    best: dict[tuple[str, int, str], str] = {}
    order = ("FAIL", "UNKNOWN", "PASS")
    for answer in answers:
        if answer.question.planted:
            key = (answer.question.planted, answer.scene, answer.question.subject)
            best[key] = min(best.get(key, "PASS"), answer.label, key=order.index)
    report: dict[str, dict[str, Any]] = {}
    for kind in sorted({kind for kind, _, _ in best}):
        labels = Counter(label for (name, _, _), label in best.items() if name == kind)
        number = sum(labels.values())
        report[kind] = {
            "number": number,
            "caught": round(labels["FAIL"] / number, 4),
            "unknown": round(labels["UNKNOWN"] / number, 4),
            "passed": round(labels["PASS"] / number, 4),
        }
    return report
