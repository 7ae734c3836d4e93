"""The cost ledger: reserve before a call, settle after it.

There is no second set of books. A call's row in the journal is its reservation (its estimate, while the
outcome is open) and its settlement (its actual cost, written in the same commit as its result), so money
and work can never disagree, whatever crashes. Amounts are whole micro-dollars.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from storyengine.errors import BudgetExhausted, InputError
from storyengine.runs.rows import OPEN_STATES, Call, CallState

MICRO = 1_000_000


def micro_dollars(dollars: str | float) -> int:
    """Whole micro-dollars of an amount in dollars, as a person writes it."""
    try:
        amount = Decimal(str(dollars).removeprefix("$"))
        micros = int((amount * MICRO).to_integral_value())
    except (InvalidOperation, OverflowError, ValueError) as error:
        raise InputError(f"{dollars!r} is not an amount of money.", next_step="Write it like 2.50.") from error
    if micros < 0:
        raise InputError(f"{dollars!r} is negative.", next_step="Write an amount of zero or more.")
    return micros


def dollars(micros: int) -> str:
    """An amount for people: "$1.25", "$0.0004"."""
    text = f"{micros / MICRO:.6f}"
    whole, part = text.split(".")
    return f"${whole}.{part.rstrip('0').ljust(2, '0')}"


@dataclass(frozen=True)
class Line:
    """What one provider cost in one stage."""

    stage: str
    provider: str
    calls: int
    estimate: int
    """Expected for all calls, before they were made."""
    actual: int
    """Charged for calls whose outcome is known."""
    reserved: int
    """Expected for calls that are on their way."""
    uncertain: int
    """Expected for calls that may or may not have been made."""


class Ledger:
    """The money of a project, over all its runs. `cap` bounds the sum of what is spent and what may be."""

    def __init__(self, calls: Iterable[Call] = (), cap: int | None = None) -> None:
        self.cap = cap
        self._calls: dict[str, Call] = {}
        self._exposure = 0
        for call in calls:
            self.note(call)

    @property
    def exposure(self) -> int:
        """Spent, reserved and uncertain together."""
        return self._exposure

    @property
    def spent(self) -> int:
        return sum(call.actual or 0 for call in self._calls.values())

    def require(self, estimate: int, slot: str) -> None:
        """Refuse a call that could exceed the cap, before it is made."""
        if self.cap is not None and self._exposure + estimate > self.cap:
            raise BudgetExhausted(
                f"{slot} would cost about {dollars(estimate)}; {dollars(self._exposure)} of the cap of "
                f"{dollars(self.cap)} is spent or reserved.",
                next_step="Everything done so far is kept. Raise the cap and run the same command again.",
            )

    def note(self, call: Call) -> None:
        """A call as the journal has it now."""
        before = self._calls.get(call.name)
        self._exposure += call.exposure - (before.exposure if before else 0)
        self._calls[call.name] = call

    def lines(self) -> list[Line]:
        """The account by stage and provider, in alphabetical order."""
        groups: dict[tuple[str, str], list[Call]] = {}
        for call in self._calls.values():
            groups.setdefault((call.stage, call.provider), []).append(call)
        return [_line(stage, provider, calls) for (stage, provider), calls in sorted(groups.items())]


def _line(stage: str, provider: str, calls: list[Call]) -> Line:
    open_calls = [call for call in calls if call.state in OPEN_STATES]
    return Line(
        stage=stage,
        provider=provider,
        calls=len(calls),
        estimate=sum(call.estimate for call in calls),
        actual=sum(call.actual or 0 for call in calls),
        reserved=sum(call.exposure for call in open_calls if call.state is not CallState.AMBIGUOUS),
        uncertain=sum(call.exposure for call in open_calls if call.state is CallState.AMBIGUOUS),
    )
