"""What makes a brief unplannable, found before planning: another language, contradictions, nothing to film."""

from __future__ import annotations

from collections.abc import Sequence

from storyengine.check import Finding, Findings
from storyengine.errors import PlanUnsound
from storyengine.language.reading import BriefReading
from storyengine.language.reading.sifting import same_place
from storyengine.planning.embedded.problems import BriefProblem
from storyengine.planning.embedded.roster import Roster
from storyengine.planning.embedded.steps import Step
from storyengine.planning.english import looks_foreign
from storyengine.request import StoryRequest

SHOWN_PER_SHOT = 6
"""More required people and things than this in one shot cannot be told apart."""


def unsound(problems: Sequence[Finding]) -> PlanUnsound:
    lines = "\n".join(f"- {problem}" for problem in problems)
    return PlanUnsound(
        f"The brief cannot be planned:\n{lines}", Findings(problems), next_step="Change the brief and plan again."
    )


def refuse_foreign(request: StoryRequest) -> None:
    if looks_foreign(request.idea):
        wanted = "English, which is all that the embedded planner reads"
        raise unsound([BriefProblem("not-english", "the brief", ("idea",), f"“{request.idea[:60].strip()}…”", wanted)])


def refuse_contradictions(request: StoryRequest, reading: BriefReading) -> None:
    """Everything that is wrong with the shot plan at once."""
    problems: list[Finding] = []
    for shot in sorted(reading.shot_places):
        places = reading.shot_places[shot]
        if shot > request.shots:
            saw = f"shot {shot} in the {places[0]}"
            problems.append(
                BriefProblem("shot-beyond-film", f"shot {shot}", ("shots",), saw, f"a shot from 1 to {request.shots}")
            )
        elif len(places) > 1:
            listed = " and ".join(f"the {place}" for place in places)
            problems.append(
                BriefProblem("shot-in-two-places", f"shot {shot}", ("idea",), f"shot {shot} in {listed}", "one place")
            )
        elif reading.closed_places and not any(same_place(place, places[0]) for place in reading.closed_places):
            listed = ", ".join(f"the {place}" for place in reading.closed_places)
            problems.append(
                BriefProblem(
                    "place-not-listed", f"shot {shot}", ("idea",), f"shot {shot} in the {places[0]}", f"one of {listed}"
                )
            )
    if not reading.events:
        problems.append(
            BriefProblem(
                "nothing-happens", "the brief", ("idea",), "nothing that happens", "a sentence that says who does what"
            )
        )
    if problems:
        raise unsound(problems)


def unused_required(
    request: StoryRequest, roster: Roster, steps: Sequence[Step], reading: BriefReading
) -> list[Finding]:
    """Required people and things that the story never uses, where the shots cannot show them all anyway."""
    used = {
        e
        for step in steps
        for e in (
            *step.actors,
            *step.touched,
            *step.means,
            *([step.source] if step.source else ()),
            *([step.beside] if step.beside else ()),
        )
    }
    spoken = " ".join(s.subject.name.lower() for s in reading.statements)
    idle = [m for m in roster.members.values() if m.id not in used and m.name.lower() not in spoken]
    if len(request.required_entities) <= SHOWN_PER_SHOT * request.shots or not idle:
        return []
    names = ", ".join(m.name for m in idle)
    shots = f"{request.shots} shot{'s' if request.shots > 1 else ''}"
    saw = f"{len(request.required_entities)} required entities in {shots}, and nothing about {names}"
    return [
        BriefProblem("too-many-required", "the brief", ("required_entities",), saw, "a use for each required entity")
    ]
