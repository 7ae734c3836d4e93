"""What a planner hands over: the plan, and everything a filmmaker should know about how it came to be."""

from __future__ import annotations

from dataclasses import dataclass, field

from storyengine.check import Findings, Fix
from storyengine.plan import SemanticPlan


@dataclass(frozen=True, slots=True)
class Unread:
    """A sentence of the brief, or a part of one, that a planner could not use."""

    sentence: str
    """The author's own words."""
    reason: str
    """What stood in the way, in a few words."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One answer of a language model on the way to a plan. Kept whatever became of it."""

    number: int
    """Which call it answers, from 1."""
    text: str = field(repr=False)
    """The answer as it came."""
    plan: SemanticPlan | None
    """The plan in it, mended; None where the answer is no plan."""
    findings: Findings
    """What was wrong with the answer as it came."""
    fixes: tuple[Fix, ...] = ()
    """What the checks mended by themselves, without another call."""
    left: Findings = field(default_factory=Findings)
    """What is still wrong after mending."""
    model: str = ""
    """The model that the server reports."""
    cost: int | None = None
    """Micro-dollars, where the provider says or the price is known."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan with its planner's notes."""

    plan: SemanticPlan
    assumptions: tuple[str, ...] = ()
    """What the planner decided although the brief does not say it, one sentence each."""
    unread: tuple[Unread, ...] = ()
    """What the planner did not use of the brief."""
    findings: Findings = field(default_factory=Findings)
    """What the checks say about the plan; nothing blocking when a language model wrote it."""
    drafts: tuple[Draft, ...] = ()
    """Every answer of the language model, in order; empty for the embedded planner."""
