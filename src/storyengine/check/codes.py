"""Every kind of finding, as one table. Codes are stable: tools and people may rely on them.

*Structure* makes a document a plan at all: references, types, domains, cycles. *Sense* makes the story hold.
A blocking finding must be settled before money is spent; advice may be ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding."""

    code: str
    kind: Literal["structure", "sense"]
    blocking: bool
    title: str
    """What is wrong, in a few words."""
    reason: str
    """Why it matters, and what to do."""


def _structure(code: str, title: str, reason: str) -> Code:
    return Code(code, "structure", True, title, reason)


def _sense(code: str, title: str, reason: str) -> Code:
    return Code(code, "sense", True, title, reason)


def _advice(code: str, title: str, reason: str) -> Code:
    return Code(code, "sense", False, title, reason)


CODES: dict[str, Code] = {
    code.code: code
    for code in (
        _structure(
            "duplicate-id",
            "Two things share an id",
            "An id means the same thing everywhere, so every entity, environment, zone, landmark, attribute and "
            "named event needs one of its own.",
        ),
        _structure(
            "ambiguous-name",
            "A phrase could mean two things",
            "Criteria are sentences that quote names. Give the two things names that differ.",
        ),
        _structure("unknown-entity", "An entity is named that the plan does not hold", "Add it, or correct the id."),
        _structure(
            "unknown-environment", "An environment is named that the plan does not hold", "Add it, or correct the id."
        ),
        _structure(
            "unknown-zone", "A zone is named that its environment does not have", "Add the zone, or correct the id."
        ),
        _structure(
            "unknown-landmark", "A landmark is named that the environment does not have", "Add it, or correct the id."
        ),
        _structure(
            "unknown-attribute", "An attribute is named that the entity does not have", "Declare it with its values."
        ),
        _structure(
            "unknown-event",
            "An order rule names an event that no shot holds",
            "Give an event that id, or drop the rule.",
        ),
        _structure(
            "value-outside-domain",
            "A value is not among the attribute's values",
            "Use a declared value, or declare this one.",
        ),
        _structure(
            "target-lacks-role",
            "Something is placed on, in or at a thing that cannot bear it",
            "Only characters hold, containers contain, surfaces support, mounts and characters have things attached.",
        ),
        _structure("self-placement", "A thing is placed on itself", "Name another entity."),
        _structure(
            "placement-cycle",
            "Placements form a ring",
            "A chain of placements must end in a zone or off screen; a bag cannot be in a box that is in the bag.",
        ),
        _structure(
            "zone-not-active",
            "An event places something in another environment",
            "A shot plays in one place. People go to the next place off screen, before the next shot opens.",
        ),
        _structure(
            "initial-placement-missing",
            "An entity has no place in the initial world",
            "The initial world is complete: every entity is somewhere, if only off screen.",
        ),
        _structure(
            "initial-value-missing",
            "An attribute has no value in the initial world",
            "The initial world is complete: every attribute has a value.",
        ),
        _structure(
            "initial-contradiction",
            "The initial world says two things about one fact",
            "Keep one of the two lines.",
        ),
        _sense(
            "actor-not-a-character", "Somebody acts who is not a character", "Actors are characters; name who does it."
        ),
        _sense(
            "actor-absent",
            "An actor is not in the room",
            "Let them come in off screen before the shot opens, or enter as part of the event.",
        ),
        _sense(
            "out-of-reach",
            "An event handles something that is not there",
            "What an event moves, changes or uses must be in the same place at that moment.",
        ),
        _sense(
            "container-shut",
            "Something goes into or comes out of a shut container",
            "Open it first, with an effect of this event or an earlier one.",
        ),
        _sense("fixed-thing-moved", "A fixed thing is moved", "Drop the effect, or the role `fixed`."),
        _sense(
            "one-way-undone",
            "A one-way change is undone",
            "The attribute was declared one-way; its value only moves forward through its list.",
        ),
        _sense(
            "change-unseen",
            "A visible change happens where no camera sees it",
            "The thing is inside something shut when it changes. Open it, or let the change happen elsewhere.",
        ),
        _sense(
            "offscreen-changes-state",
            "A state changes off screen",
            "Off-screen events move people and what they carry, wear or push. Show the change in a shot.",
        ),
        _sense(
            "offscreen-moves-alone",
            "A thing moves off screen by itself",
            "Off screen, only people move, with what they carry or wear, and wheeled things that an actor pushes.",
        ),
        _sense("offscreen-required", "A required event happens off screen", "Move it into a shot."),
        _sense(
            "anchor-invisible",
            "An anchor cannot be seen at its cut",
            "The plan itself puts it elsewhere or out of sight at the end of one shot or the start of the next.",
        ),
        _sense("anchor-without-cut", "The first shot has an anchor", "Anchors hold across a cut; no cut leads here."),
        _sense("order-broken", "Events stand in the wrong order", "Move one of the two events."),
        _sense(
            "required-entity-missing",
            "A required entity is not in the plan",
            "Add it, or list the brief's words among the aliases of the entity that is meant.",
        ),
        _sense("required-entity-unseen", "A required entity is never seen", "Bring it into sight in some shot."),
        _sense(
            "assertion-failed",
            "A shot asserts a state that the events do not lead to",
            "States follow from events alone. Correct the assertion, or the events before it.",
        ),
        _sense(
            "requirement-contradicts-state",
            "A requirement contradicts the state of its shot",
            "No picture can satisfy both. Change the requirement, or the events.",
        ),
        _sense("shot-count", "The plan has another number of shots than the brief", "Add or remove shots."),
        _sense("duration-not-allowed", "A shot has a length that the brief does not allow", "Use an allowed length."),
        _advice(
            "holder-not-acting",
            "Something is taken from somebody who takes no part",
            "Name the holder among the actors, so that the hand-over is seen.",
        ),
        _advice(
            "nobody-acts", "Something changes and nobody does it", "Name who does it, unless it happens by itself."
        ),
        _advice("no-change", "An effect changes nothing", "It is already so. Drop the effect."),
        _advice("hands-full", "A character holds more than two things", "Put something down or into something first."),
        _advice(
            "subject-unseen",
            "The camera wishes for something that is not there",
            "Drop it from the view's subjects, or bring it into the shot.",
        ),
        _advice("shot-without-event", "Nothing happens in a shot", "Give it an event, if only a small one."),
        _advice("look-missing", "Something is seen whose look is not described", "Say its colour, material and size."),
        _advice(
            "looks-alike",
            "Two things in one place look alike",
            "Neither people nor machines can tell them apart. Give one of them another colour.",
        ),
        _advice("never-seen", "An entity is never seen", "Remove it, or bring it into a shot."),
        _advice("environment-unused", "No shot plays in an environment", "Remove it, or set a shot there."),
        _advice(
            "reference-unmatched",
            "A reference picture shows nothing of the plan",
            "Name a person, thing or place as the plan calls it.",
        ),
    )
}
