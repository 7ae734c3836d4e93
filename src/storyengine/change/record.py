"""What an author changed after the first film: things asked for again, and things pinned.

A redo gives exactly one thing another seed, and its notes a place in the prompt; a pin puts given bytes in its place.
Both reach the film through the keys of the steps that make it, so that nothing else is made again. Every change writes
the whole record anew into the journal, where nothing is ever overwritten: an earlier one can be brought back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import count
from typing import Any

from storyengine.continuity.direction import Direction
from storyengine.runs.journal import Journal, JournalReader

SEED_STEP = 2_000_000
"""Seeds of one film's shots lie within this range; every redo takes the next one."""
KIND = "change"
KEPT = "kept for one run"
"""Source of a pin that `--only` makes and nobody writes down."""


@dataclass(frozen=True)
class Redo:
    """Something was asked for again."""

    target: str
    note: str = ""
    """What should be different, in the author's words; may be empty."""


@dataclass(frozen=True)
class Pin:
    """Given bytes stand for a take, an opening or a reference: never made again, still verified."""

    target: str
    digest: str
    source: str
    """What was pinned, for people: `candidate 2`, `portrait.jpg`."""


@dataclass(frozen=True)
class Changes:
    """All changes of a project that hold now."""

    redos: tuple[Redo, ...] = ()
    pins: tuple[Pin, ...] = ()
    numbers: tuple[tuple[int, int], ...] = ()
    """Shots that once had another number, with the number that their seeds come from: moving one makes nothing new."""

    def number(self, shot: int) -> int:
        """The number that a shot's seeds come from."""
        return dict(self.numbers).get(shot, shot)

    def redone(self, target: object, note: str = "") -> Changes:
        return replace(self, redos=(*self.redos, Redo(str(target), note)))

    def pinned(self, target: object, digest: str, source: str) -> Changes:
        return replace(self.unpinned(target), pins=(*self.unpinned(target).pins, Pin(str(target), digest, source)))

    def unpinned(self, target: object) -> Changes:
        return replace(self, pins=tuple(pin for pin in self.pins if pin.target != str(target)))

    def keeping(self, clips: Mapping[int, str]) -> Changes:
        """With these clips in place of their shots, unless something else is pinned there."""
        kept = tuple(Pin(str(shot), clip, KEPT) for shot, clip in clips.items() if self.pin(shot) is None)
        return replace(self, pins=(*self.pins, *kept))

    def lasting(self) -> Changes:
        """Without the clips that one run keeps."""
        return replace(self, pins=tuple(pin for pin in self.pins if pin.source != KEPT))

    def pin(self, target: object) -> str | None:
        """Digest of what is pinned for a target."""
        return next((pin.digest for pin in self.pins if pin.target == str(target)), None)

    def seed(self, target: object) -> int:
        """What is added to the seed of everything that is made for a target."""
        return SEED_STEP * sum(redo.target == str(target) for redo in self.redos)

    def notes(self, target: object) -> tuple[str, ...]:
        """Every note about a target, oldest first."""
        return tuple(redo.note for redo in self.redos if redo.target == str(target) and redo.note)

    def direction(self, shot: int) -> Direction:
        """What the author wants of one shot beyond its plan."""
        opening = f"{shot}.opening"
        return Direction(
            opening=self.pin(opening),
            take=self.pin(shot),
            opening_seed=self.seed(opening),
            opening_notes=self.notes(opening),
            take_seed=self.seed(shot),
            take_notes=self.notes(shot),
        )

    def renumbered(self, numbers: Mapping[int, int], before: int, after: int) -> Changes:
        """For a plan whose shots have other numbers; what belongs to a shot that is gone, goes with it.

        `before` and `after` are how many shots there were and are. A new shot gets a number that none ever had here.
        """

        def now(target: str) -> str | None:
            shot, dot, part = target.partition(".")
            if not shot.isdecimal():
                return target
            return f"{numbers[int(shot)]}{dot}{part}" if int(shot) in numbers else None

        redos = tuple(replace(redo, target=new) for redo in self.redos if (new := now(redo.target)) is not None)
        pins = tuple(replace(pin, target=new) for pin in self.pins if (new := now(pin.target)) is not None)
        return Changes(redos, pins, self._seed_numbers(numbers, before, after))

    def _seed_numbers(self, numbers: Mapping[int, int], before: int, after: int) -> tuple[tuple[int, int], ...]:
        was = {new: self.number(old) for old, new in numbers.items()}
        unused = count(max([before, *(number for _, number in self.numbers)]) + 1)
        now = {shot: was[shot] if shot in was else next(unused) for shot in range(1, after + 1)}
        return tuple((shot, number) for shot, number in now.items() if shot != number)

    def data(self) -> dict[str, Any]:
        """Plain data, for the journal."""
        return asdict(self)


def read_changes(journal: JournalReader) -> Changes:
    """The changes that hold in a project, by the numbers of the plan that they were made for."""
    records = journal.records(KIND)
    return changes_from(records[-1].body) if records else Changes()


def plan_of_changes(journal: JournalReader) -> str | None:
    """Digest of the plan that the changes were made for; None where there are none."""
    records = journal.records(KIND)
    return records[-1].body["plan"] if records else None


def changes_from(body: Mapping[str, Any]) -> Changes:
    redos = tuple(Redo(**redo) for redo in body["redos"])
    numbers = tuple((shot, number) for shot, number in body.get("numbers", ()))
    return Changes(redos, tuple(Pin(**pin) for pin in body["pins"]), numbers)


def write_changes(journal: Journal, changes: Changes, plan: str) -> None:
    """Make these the changes that hold, for the plan with this digest; durable when it returns."""
    journal.append(KIND, {**changes.data(), "plan": plan})
    journal.commit()
