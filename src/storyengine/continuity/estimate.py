"""How many calls a film takes: at least, when everything is right at once; at most, when every bound is reached.

At least: every reference passes its screening, every tail that may be used is reused, every first candidate is
accepted. At most: nothing ever is. Answers out of form, which are asked for again, are not counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from storyengine.check.film import plain
from storyengine.continuity.gate import Mode
from storyengine.continuity.opening import ATTEMPTS
from storyengine.continuity.shooting import REPAIRS
from storyengine.grounding.library import TRIES, planned_appearances
from storyengine.grounding.sphere import PROBES
from storyengine.plan import Catalog, SemanticPlan
from storyengine.state import replay

Until = Literal["references", "openings", "film"]
Part = Literal["painter", "animator", "judge"]


@dataclass(frozen=True)
class Span:
    """From the least to the most."""

    least: int = 0
    most: int = 0

    def __add__(self, other: Span) -> Span:
        return Span(self.least + other.least, self.most + other.most)

    def times(self, factor: int) -> Span:
        return Span(self.least * factor, self.most * factor)


def film_calls(plan: SemanticPlan, until: Until) -> dict[Part, Span]:
    """Calls of each part, for a film, its openings alone, or its references alone."""
    painted, screened = _references(plan)
    marked = sum(bool(place.landmarks) for place in plan.environments)
    located = Span(marked, len(plan.environments)).times(len(PROBES))
    calls: dict[Part, Span] = {"painter": painted, "animator": Span(), "judge": screened + located}
    follows = [False, *(before.environment == shot.environment for before, shot in pairwise(plan.shots))]
    fresh, reference = ATTEMPTS[Mode.FRESH], ATTEMPTS[Mode.REFERENCE]
    for has_tail in follows if until != "references" else ():
        composed = reference + fresh if has_tail and until == "film" else fresh
        composed += REPAIRS if until == "film" else 0  # each repair may compose one more
        reused = ATTEMPTS[Mode.REUSE] if has_tail and until == "film" else 0
        calls["painter"] += Span(0 if reused else 1, composed)
        calls["judge"] += Span(1 + reused, composed + 2 * reused)  # the gate looks at a tail, and a reuse once more
        if until == "film":
            calls["animator"] += Span(1, REPAIRS + 1)
            calls["judge"] += Span(1, REPAIRS + 1)
    return calls


def _references(plan: SemanticPlan) -> tuple[Span, Span]:
    """Pictures of the canonical library, and looks at them; an author's own picture is looked at, not painted."""
    catalog = Catalog.of(plan)
    trajectory = replay(plan, catalog)
    wanted = sum(len(planned_appearances(catalog, trajectory, entity)) for entity in catalog.entities)
    wanted += len(catalog.environments)
    names = {plain(name) for e in catalog.entities.values() for name in (e.name, *e.aliases)}
    names |= {plain(place.name) for place in catalog.environments.values()}
    own = sum(plain(reference.of) in names for reference in plan.request.references)
    made = Span(wanted - own, (wanted - own) * TRIES)
    return made, made + Span(own, own)


def cost(calls: Mapping[Part, Span], prices: Mapping[Part, int]) -> Span:
    """Micro-dollars for calls, by the price of one call of each part."""
    total = Span()
    for part, span in calls.items():
        total += span.times(prices[part])
    return total
