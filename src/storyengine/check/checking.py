"""`check_plan` looks at everything at once; `mend_plan` applies the fixes that findings carry."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from storyengine.check.events import check_event
from storyengine.check.film import check_film
from storyengine.check.findings import Finding, Findings, Fix
from storyengine.check.shots import check_shot
from storyengine.check.story import Story
from storyengine.check.structure import (
    check_catalog,
    check_event_references,
    check_initial,
    check_order_references,
    check_shot_references,
)
from storyengine.documents import Edit, Path, apply_edit
from storyengine.plan import SemanticPlan, plan_data
from storyengine.state import walk

MAX_PASSES = 30
"""Fixing one thing can uncover another; beyond this many rounds a person should look."""


def check_plan(plan: SemanticPlan) -> Findings:
    """Everything that is wrong with a plan, structure and sense, in the order of the film."""
    return Findings(_all(Story(plan)))


def _all(story: Story) -> Iterator[Finding]:
    yield from check_catalog(story)
    yield from check_initial(story)
    yield from check_order_references(story)
    moments = walk(story.catalog, story.plan)
    moment = next(moments, None)
    for number, shot in enumerate(story.plan.shots, start=1):
        yield from check_shot_references(story, number, shot)
        while moment is not None and moment.ref.shot == number:
            yield from check_event_references(story, moment)
            yield from check_event(story, moment)
            moment = next(moments, None)
        yield from check_shot(story, number, shot, story.trajectory.shots[number - 1])
    yield from check_film(story)


def mend_plan(plan: SemanticPlan) -> tuple[SemanticPlan, tuple[Fix, ...]]:
    """Apply fixes until none is left: the mended plan, and what was done, in order.

    Structure comes first, then sense, and advice last and only on a sound plan: what looks idle in a broken
    story may be needed once it is mended. A fix that does not settle its finding is not tried twice.
    """
    data, applied = plan_data(plan), []
    tried: set[tuple[str, Path, str]] = set()
    for _ in range(MAX_PASSES):
        fixes = _one_round(check_plan(plan), tried)
        if not fixes:
            break
        for fix in fixes:
            changed = edited(data, fix.edits)
            try:
                plan = SemanticPlan.model_validate(changed)
            except ValidationError:
                continue
            data = changed
            applied.append(fix)
    return plan, tuple(applied)


def _one_round(findings: Findings, tried: set[tuple[str, Path, str]]) -> list[Fix]:
    """Fixes that do not disturb each other: in one list only one, since positions shift."""
    chosen: list[Fix] = []
    touched: set[Path] = set()
    for finding in _most_pressing(findings).fixable:
        assert finding.fix is not None
        mark = (finding.code, finding.path, finding.saw)
        lists = {_list_of(edit) for edit in finding.fix.edits}
        if mark not in tried and not any(_overlap(path, other) for path in lists for other in touched):
            tried.add(mark)
            touched |= lists
            chosen.append(finding.fix)
    return chosen


def _most_pressing(findings: Findings) -> Findings:
    for pressing in (findings.structural, findings.blocking):
        if pressing:
            return pressing
    return findings


def _list_of(edit: Edit) -> Path:
    """What an edit disturbs: the whole list for insertions and removals, the value itself for a put."""
    appended = edit.op == "insert" and edit.path[-1] == -1
    return (*edit.path, str(edit.value)) if appended else edit.path if edit.op == "put" else edit.path[:-1]


def _overlap(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def edited(data: dict[str, Any], edits: tuple[Edit, ...]) -> dict[str, Any]:
    """A copy of a plan's data with edits applied."""
    changed = copy.deepcopy(data)
    for edit in edits:
        apply_edit(changed, edit)
    return changed
