"""What stands in the way of planning a brief, in words for a filmmaker."""

from __future__ import annotations

from storyengine.check import Code, Finding

PROBLEMS: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "not-english",
            "sense",
            True,
            "The brief is not in English",
            "The embedded planner reads English only. Translate the brief, or plan it with a language model.",
        ),
        Code(
            "nothing-happens",
            "sense",
            True,
            "Nothing happens in the brief",
            "No sentence says who does what. Write at least one event: `Mina puts the backpack into the locker.`",
        ),
        Code(
            "shot-in-two-places",
            "sense",
            True,
            "A shot is set in two places",
            "A shot plays in one place. Give it to one of them.",
        ),
        Code(
            "shot-beyond-film",
            "sense",
            True,
            "The shot plan goes beyond the film",
            "Raise `shots`, or correct the number in the plan.",
        ),
        Code(
            "place-not-listed",
            "sense",
            True,
            "A shot is set in a place that the brief's own list does not have",
            "Add the place to the list, or set the shot elsewhere.",
        ),
        Code(
            "out-of-hands",
            "sense",
            True,
            "Somebody uses a thing that cannot be in reach",
            "Let it be brought or handed over first, or let somebody else use it.",
        ),
        Code(
            "too-many-required",
            "sense",
            True,
            "The story has no use for some required entities",
            "Say what they do or where they are seen, or take them off the list of required entities.",
        ),
    )
}


class BriefProblem(Finding):
    """A finding about the brief itself, made before there is a plan."""

    __slots__ = ()

    @property
    def rule(self) -> Code:
        return PROBLEMS[self.code]
