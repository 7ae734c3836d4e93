"""StoryEngine turns a story brief into a coherent multi-shot film.

The names below are the public ones; everything else may be rearranged.
"""

from storyengine.check import Finding, Findings, check_plan, mend_plan
from storyengine.documents import parse as parse_document
from storyengine.errors import ExitCode, StoryEngineError
from storyengine.language import Claim, parse, render
from storyengine.plan import Catalog, SemanticPlan, plan_json, plan_schema, plan_yaml, read_plan
from storyengine.request import StoryRequest, read_request
from storyengine.state import Trajectory, World, is_visible, reduce, replay, whereabouts

__version__ = "0.1.0"

__all__ = [
    "Catalog",
    "Claim",
    "ExitCode",
    "Finding",
    "Findings",
    "SemanticPlan",
    "StoryEngineError",
    "StoryRequest",
    "Trajectory",
    "World",
    "check_plan",
    "is_visible",
    "mend_plan",
    "parse",
    "parse_document",
    "plan_json",
    "plan_schema",
    "plan_yaml",
    "read_plan",
    "read_request",
    "reduce",
    "render",
    "replay",
    "whereabouts",
]
