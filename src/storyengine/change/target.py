"""What a change is about: a shot (`4`), its opening (`4.opening`), a character, a prop or a place (by id or name)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from storyengine.documents import did_you_mean
from storyengine.errors import InputError
from storyengine.plan import SemanticPlan

TargetKind = Literal["shot", "opening", "character", "prop", "place"]


@dataclass(frozen=True)
class Target:
    """Something of a film that can be redone or pinned."""

    kind: TargetKind
    name: str
    """Number of the shot, or id of the character, prop or place."""

    @property
    def shot(self) -> int | None:
        """The shot that it is or belongs to; None for people, things and places."""
        return int(self.name) if self.kind in ("shot", "opening") else None

    def __str__(self) -> str:
        return f"{self.name}.opening" if self.kind == "opening" else self.name


def read_target(text: str, plan: SemanticPlan) -> Target:
    """The target that an author names, or InputError with what the plan holds."""
    match = re.fullmatch(r"(\d+)(\.opening)?", text.strip())
    if match:
        number = int(match[1])
        if not 1 <= number <= len(plan.shots):
            raise InputError(f"There is no shot {number}; the plan has shots 1 to {len(plan.shots)}.")
        return Target("opening" if match[2] else "shot", str(number))
    known = known_targets(plan)
    names = {entity.name.lower(): entity.id for entity in plan.entities}
    names |= {place.name.lower(): place.id for place in plan.environments}
    wanted = names.get(text.strip().lower(), text.strip())
    if wanted not in known:
        raise InputError(
            f"{text!r} is no target{did_you_mean(text, [*known, *names])}",
            next_step=f"Targets are shots (4), openings (4.opening), and: {', '.join(known)}.",
        )
    return known[wanted]


def known_targets(plan: SemanticPlan) -> dict[str, Target]:
    """Characters, props and places by id."""
    entities = {entity.id: Target(entity.kind, entity.id) for entity in plan.entities}
    return entities | {place.id: Target("place", place.id) for place in plan.environments}
