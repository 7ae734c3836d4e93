"""The embedded planner: from a brief to a sound plan by rules, offline, always the same.

read the brief → refuse contradictions → roster, places, steps → schedule → play → build → check
"""

from storyengine.planning.embedded.planner import plan_with_rules
from storyengine.planning.embedded.problems import PROBLEMS, BriefProblem

__all__ = ["PROBLEMS", "BriefProblem", "plan_with_rules"]
