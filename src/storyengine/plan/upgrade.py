"""Older plans become newer ones, one small step per version. Steps work on plain data, before validation.

When the format changes: raise PLAN_VERSION, add `v1_to_v2`, list it in STEPS, and keep an old plan in
`tests/saved/` for good.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from storyengine.errors import InputError
from storyengine.plan.model import PLAN_VERSION

VERSION_FIELD = "storyengine_plan"


def v0_to_v1(data: dict[str, Any]) -> dict[str, Any]:
    """Drafts before version 1 called the off-screen events `between` and had one `anchor` per shot."""
    shots = []
    for shot in data.get("shots", []):
        shot = dict(shot)
        if "between" in shot:
            shot["offscreen"] = shot.pop("between")
        if "anchor" in shot:
            shot["anchors"] = [shot.pop("anchor")]
        shots.append(shot)
    return {**data, "shots": shots}


STEPS: tuple[Callable[[dict[str, Any]], dict[str, Any]], ...] = (v0_to_v1,)
"""STEPS[n] leads from version n to n + 1."""


def upgrade(data: dict[str, Any], source: str) -> dict[str, Any]:
    """The same plan in today's version."""
    version = data.get(VERSION_FIELD)
    if isinstance(version, bool) or not isinstance(version, int) or version < 0:
        raise InputError(
            f"{source}: {VERSION_FIELD}: found {version!r}; the version of the plan format is a whole number.",
            next_step=f"Today's version is {PLAN_VERSION}.",
        )
    if version > PLAN_VERSION:
        raise InputError(
            f"{source} is a plan of version {version}; this StoryEngine reads versions up to {PLAN_VERSION}.",
            next_step="Install a newer StoryEngine.",
        )
    for step in STEPS[version:]:
        data = step(data)
    return {**data, VERSION_FIELD: PLAN_VERSION}
