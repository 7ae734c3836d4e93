"""The story that `storyengine demo` tells: its brief and its plan, as files."""

from __future__ import annotations

from importlib import resources

from storyengine import documents
from storyengine.plan import SemanticPlan, read_plan


def plan_text() -> str:
    return resources.files(__package__).joinpath("plan.yaml").read_text(encoding="utf-8")


def demo_plan() -> SemanticPlan:
    return read_plan(documents.parse(plan_text(), "plan.yaml"))
