"""What the author wants of one shot beyond its plan: another try, a note, or bytes of their own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Direction:
    """Nothing, unless the author asked for it."""

    opening: str | None = None
    """Digest of the picture that is the opening, whatever the judge says of it."""
    take: str | None = None
    """Digest of the clip that is the take, whatever the judge says of it."""
    opening_seed: int = 0
    """Added to the seeds of openings; not zero where the author asked for another one."""
    opening_notes: tuple[str, ...] = ()
    take_seed: int = 0
    """Added to the seeds of candidates."""
    take_notes: tuple[str, ...] = ()
