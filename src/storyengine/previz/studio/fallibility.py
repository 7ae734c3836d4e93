"""How the studio fails on purpose: one table of failures, their rates, and what makes them rarer or likelier.

A rate is the chance per sample, per person, per thing or per event under the profile `default`, with nothing but the
prompt. Good conditioning multiplies it, the way pictures of a face or of a room help real generators; a repair target
lowers the rate of what it names. The multipliers are assumptions: `flat` has the rates of `default` with every
multiplier at 1, and claims about methods are repeated on it.

Failures are drawn from the sample's own seed, so a run repeats exactly.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from storyengine.documents import did_you_mean
from storyengine.errors import Misconfigured
from storyengine.runs.digest import digest

PROFILES: Final = MappingProxyType({"none": 0.0, "low": 0.35, "default": 1.0, "high": 2.0, "flat": 1.0})
"""What every rate is multiplied with."""


@dataclass(frozen=True)
class Failure:
    """One way to fail."""

    per: str
    """Counted once per sample, person, thing or event."""
    rate: float
    when: MappingProxyType[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """Multipliers by condition."""


def _failure(per: str, rate: float, **when: float) -> Failure:
    return Failure(per, rate, MappingProxyType(when))


# Conditions: sheet (identity sheet of that person), view (view of the place), tail (last frame of the shot before),
# reference (picture of that thing in that state), repair (a repair target names it), busy (three things or more that
# move), opening (the clip starts from a picture that shows it).
TABLE: Final = MappingProxyType(
    {
        # what a picture shows
        "identity drift": _failure("person", 0.14, sheet=0.25, tail=0.5, repair=0.35, opening=0.12),
        "extra person": _failure("sample", 0.04, sheet=0.7, tail=0.6, repair=0.25, opening=0.2),
        "missing object": _failure("thing", 0.06, reference=0.5, tail=0.6, repair=0.3, busy=1.3, opening=0.15),
        "misplaced object": _failure("thing", 0.07, reference=0.8, tail=0.5, repair=0.3, busy=1.3, opening=0.0),
        "duplicated object": _failure("thing", 0.025, reference=0.7, tail=0.7, repair=0.25, opening=0.1),
        "wrong state": _failure("thing", 0.10, reference=0.35, tail=0.6, repair=0.3, opening=0.0),
        "place drift": _failure("sample", 0.10, view=0.2, tail=0.3, repair=0.35, opening=0.0),
        "light drift": _failure("sample", 0.06, view=0.4, tail=0.4, repair=0.35, opening=0.5),
        "stray text": _failure("sample", 0.025, repair=0.25, opening=0.6),
        # what a clip shows
        "omitted action": _failure("event", 0.10, repair=0.35, busy=1.4),
        "half-done action": _failure("event", 0.06, repair=0.35, busy=1.3),
        # files and jobs
        "black file": _failure("sample", 0.004),
        "frozen file": _failure("sample", 0.006),
        "short file": _failure("sample", 0.005),
        "wrong size": _failure("sample", 0.004),
        "undecodable file": _failure("sample", 0.003),
        "refusal": _failure("sample", 0.002),
        "failing job": _failure("sample", 0.004),
        "slow job": _failure("sample", 0.02),
    }
)


@dataclass(frozen=True)
class Dice:
    """The luck of one sample. Every failure has its own throw, so adding one to the table moves no other."""

    profile: str
    sample: str
    """Key of the request and its seed."""

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise Misconfigured(
                f"Unknown fallibility {self.profile!r}{did_you_mean(self.profile, tuple(PROFILES))}",
                next_step=f"Available: {', '.join(PROFILES)}.",
            )

    def fails(self, kind: str, about: str = "", given: Collection[str] = ()) -> bool:
        """Whether this failure happens, to this person, thing or event."""
        return self.number(kind, about) < rate(self.profile, kind, given)

    def number(self, kind: str, about: str = "") -> float:
        """A number from 0 to 1 that belongs to the sample, for choices."""
        return int(digest("StudioDice", [self.sample, kind, about])[:12], 16) / 16**12

    def seed(self, what: str) -> int:
        """A seed that belongs to the sample, for what it invents."""
        return int(digest("StudioSeed", [self.sample, what])[:8], 16)


def rate(profile: str, kind: str, given: Collection[str] = ()) -> float:
    """The chance of a failure under a profile and conditions."""
    failure = TABLE[kind]
    chance = failure.rate * PROFILES[profile]
    if profile != "flat":
        for condition, factor in failure.when.items():
            if condition in given:
                chance *= factor
    return min(chance, 0.9)
