"""Where the shots of an earlier plan are in an edited one: changes belong to shots, and shots are known by number."""

from __future__ import annotations

from difflib import SequenceMatcher

from storyengine.plan import SemanticPlan


def moved(before: SemanticPlan, after: SemanticPlan) -> dict[int, int]:
    """The new number of every shot that is still there. A shot is known by its place and what happens in it.

    Where as many shots were replaced as there are now, they are taken to be the same ones, rewritten.
    """
    matcher = SequenceMatcher(a=_keys(before), b=_keys(after), autojunk=False)
    numbers: dict[int, int] = {}
    for tag, old, old_end, new, new_end in matcher.get_opcodes():
        if tag == "equal" or old_end - old == new_end - new:
            numbers.update(zip(range(old + 1, old_end + 1), range(new + 1, new_end + 1), strict=True))
    return numbers


def _keys(plan: SemanticPlan) -> list[tuple[str, ...]]:
    return [(shot.environment, *(event.action for event in shot.events)) for shot in plan.shots]
