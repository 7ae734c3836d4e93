"""What the brief says about the start: where things lie, and in which state they are."""

from __future__ import annotations

from collections.abc import Sequence

from storyengine.language.reading import Statement
from storyengine.language.reading import words as w
from storyengine.plan import Placement
from storyengine.planning.embedded.roster import Roster
from storyengine.planning.embedded.scene import related
from storyengine.planning.embedded.stage import Stage
from storyengine.planning.embedded.steps import Step, StepBuilder


def settle_statement(
    stage: Stage, builder: StepBuilder, roster: Roster, statement: Statement, steps: Sequence[Step]
) -> None:
    """Put one statement into the initial world, unless a step only later makes it so."""
    subject = statement.subject
    if statement.negated or statement.modal:
        return
    thing = roster.known_person(subject) or roster.thing(subject, create=statement.relation in ("in", "on", "attached"))
    if thing is None:
        return
    if statement.relation == "state":
        _state(stage, roster, thing, statement.words)
        return
    placement = _placement(stage, builder, roster, statement, thing)
    if placement is not None and not _made_so(steps, thing, statement, roster):
        stage.settle(thing, placement)


def _state(stage: Stage, roster: Roster, thing: str, words: str) -> None:
    for name, values in roster.members[thing].values.items():
        value = next((v for v in values if v in words.split() or (v == "shut" and "closed" in words)), None)
        if value is not None and (thing, name) not in stage.values:
            stage.values[(thing, name)] = stage.initial_values[(thing, name)] = value


def _placement(
    stage: Stage, builder: StepBuilder, roster: Roster, statement: Statement, thing: str
) -> Placement | None:
    target = statement.target
    if target is None or target.pronoun:
        return None
    place = builder.place(target)
    if (
        statement.relation == "at"
        and place is not None
        and place in stage.zones
        and roster.members[thing].kind == "prop"
    ):
        return stage.middle(place)
    if statement.relation not in ("in", "on", "attached") or roster.members[thing].kind == "character":
        return None
    support = roster.known_person(target) or roster.thing(target)
    if support is None or support == thing:
        return None
    member = roster.members[support]
    if member.kind == "character":
        return None
    role = {"in": "container", "on": "surface", "attached": "mount"}[statement.relation]
    member.roles.add(role)
    if member.head in w.FIXTURES and not member.handled:
        member.roles.add("fixed")
    return related(statement.relation, support)


def _made_so(steps: Sequence[Step], thing: str, statement: Statement, roster: Roster) -> bool:
    """Whether some step brings about what the statement says."""
    target = roster.thing(statement.target, create=False) if statement.target is not None else None
    return any(thing in step.things and step.target == target and step.target is not None for step in steps)
