"""What a check of the benchmark has to say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Finding:
    """Something that is not as it should be."""

    story: str
    """The story's folder, or `benchmark` for the whole."""
    where: str
    """The file and field."""
    message: str
    """What was found, what is asked for."""

    def __str__(self) -> str:
        return f"{self.story}: {self.where}: {self.message}"
