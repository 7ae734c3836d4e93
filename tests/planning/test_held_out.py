"""Briefs that nobody looks at while working on the embedded planner: how well it reads what it was not built on.

The report names the share of facts that hold and never the facts, so that the set stays held out.
"""

from storyengine.errors import StoryEngineError
from storyengine.planning.embedded import plan_with_rules

from .expected import Expected, expected, wrong


def share_right(brief: Expected) -> tuple[int, int]:
    """How many of a brief's facts hold, and how many there are. A brief without a plan has none right."""
    try:
        plan = plan_with_rules(brief.request).plan
    except StoryEngineError:
        return 0, len(brief.facts)
    return len(brief.facts) - len(wrong(plan, brief.facts)), len(brief.facts)


def test_most_facts_of_unknown_briefs_hold():
    counts = [share_right(brief) for brief in expected("held_out")]
    right, facts = (sum(column) for column in zip(*counts, strict=True))
    print(f"held-out briefs: {right} of {facts} facts hold ({right / facts:.1%})")
    assert right / facts >= 0.75, "too few facts of the held-out briefs hold"
