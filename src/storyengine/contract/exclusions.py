"""Forbidden content: what a test of pixels can decide becomes a claim, the rest a recorded exclusion.

No still and no clip shows "no flashback". Such prohibitions go into the prompt and into the record as
*unverified*, never into the count of hard criteria: a judge would answer UNKNOWN and drain every budget.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from storyengine.language import FreeOf
from storyengine.language.claims import Unwanted

VERIFIABLE: dict[str, tuple[Unwanted, ...]] = {
    "text": ("on-screen text",),
    "caption": ("on-screen text",),
    "subtitle": ("on-screen text",),
    "logo": ("logos and watermarks",),
    "watermark": ("logos and watermarks",),
    "split screen": ("split screens",),
    "split-screen": ("split screens",),
    "frozen": ("frozen frames",),
    "freeze": ("frozen frames",),
}
"""Words of a prohibition → the claims that a test of pixels decides."""

PEOPLE = ("second person", "bystander", "other people", "crowd", "extras", "extra person")
"""Prohibitions that the criterion about who is in frame already covers."""


@dataclass(frozen=True)
class Exclusions:
    """The brief's prohibitions, sorted by what can be verified."""

    claims: tuple[FreeOf, ...]
    """Verified on every candidate."""
    covered: tuple[str, ...]
    """Verified through the criterion that names everybody in frame."""
    unverified: tuple[str, ...]
    """Told to the generator, recorded, and not verified."""


def read_exclusions(forbidden: Iterable[str]) -> Exclusions:
    """Sort the forbidden content of a brief."""
    things: dict[Unwanted, None] = {}
    covered, unverified = [], []
    for item in forbidden:
        words = item.lower()
        found = [thing for word, claims in VERIFIABLE.items() if word in words for thing in claims]
        if found:
            things.update(dict.fromkeys(found))
        elif any(word in words for word in PEOPLE):
            covered.append(item)
        else:
            unverified.append(item)
    return Exclusions(tuple(FreeOf(thing=thing) for thing in things), tuple(covered), tuple(unverified))
