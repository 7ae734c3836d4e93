"""List prices of language models, for estimates and for bills that the provider leaves to us.

Taken from a public catalogue on 2026-11-15 and not confirmed by a bill: an estimate made from them says so.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Price:
    """Micro-dollars per token, which is dollars per million tokens."""

    read: float
    written: float

    def of(self, read: int, written: int) -> int:
        """Micro-dollars for tokens read and written."""
        return round(read * self.read + written * self.written)


PRICES: dict[str, Price] = {
    "gpt-5.5": Price(5.0, 30.0),
    "gemini-3.5-flash": Price(1.5, 9.0),
    "gemini-3.6-flash": Price(0.75, 3.75),
    "gemini-3.7-flash": Price(0.75, 3.75),
    "gemini-3.8-flash": Price(0.75, 3.75),
}


def price_of(model: str) -> Price | None:
    """The price of a model or of its dated version (`gpt-5.5-2026-04-23`); None where it is not known."""
    family = next((name for name in PRICES if model == name or model.startswith(f"{name}-20")), None)
    return PRICES[family] if family else None
