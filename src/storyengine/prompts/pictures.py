"""Prompts for painters and animators: concise instructions made from a contract, in sections.

The wording is part of a step's key through `VERSION`. Statements are quoted as they stand in the contract, so that a
paraphrase can never change what a candidate is judged by.
"""

from __future__ import annotations

from collections.abc import Sequence

from storyengine.contract import CameraView, Criterion, RenderContract
from storyengine.language import Changes, Happens, HasAttribute, Placed, Present, Single, render
from storyengine.language.captions import caption
from storyengine.language.sections import write_sections
from storyengine.plan import Catalog, Entity, Environment, Place, SemanticPlan, Set
from storyengine.state import World, is_visible

VERSION = 2

_NOTHING_ELSE = "Do not add people, things, writing, logos or watermarks that are not listed."


def identity_sheet(person: Entity, style: str) -> str:
    """A character, full body, three times."""
    return write_sections(
        {
            "TASK": "Paint the identity sheet of one person: the same person three times, full body, seen from the "
            "front, from the side and from behind, evenly lit, on a plain light background.",
            "SUBJECT": [caption(person)],
            "STYLE": style,
            "LEAVE OUT": _NOTHING_ELSE,
        }
    )


def state_reference(thing: Entity, values: Sequence[HasAttribute], catalog: Catalog, style: str) -> str:
    """A prop in one of its planned states."""
    return write_sections(
        {
            "TASK": "Paint the reference picture of one thing, whole, large and alone, evenly lit, on a plain light "
            "background. If a picture of it is given, it is the very same thing.",
            "SUBJECT": [caption(thing)],
            "STATE": [render(value, catalog) for value in values],
            "STYLE": style,
            "LEAVE OUT": _NOTHING_ELSE,
        }
    )


def panorama(place: Environment, fixed: Sequence[Entity], world: World, catalog: Catalog, style: str) -> str:
    """A place all around, empty of people, with the things that never move."""
    where = [
        render(Placed(entity=thing.id, placement=world[thing.id].placement), catalog)
        for thing in fixed
        if is_visible(catalog, world, thing.id, place.id)
    ]
    return write_sections(
        {
            "TASK": "Paint a seamless panorama all around the middle of an empty place, twice as wide as it is high.",
            "PLACE": [caption(place)],
            "FIXED THINGS": [caption(thing) for thing in fixed],
            "WHERE THEY ARE": where,
            "STYLE": style,
            "LEAVE OUT": "People, and everything that is not listed; no writing, logos or watermarks.",
        }
    )


def opening(
    plan: SemanticPlan,
    catalog: Catalog,
    contract: RenderContract,
    *,
    preserve: Sequence[Criterion] = (),
    do_not_copy: Sequence[Criterion] = (),
    repair: Sequence[Criterion] = (),
) -> str:
    """The first frame of a shot under its fixed contract."""
    shown = [c for c in contract.criteria if c.phase in ("start", "always") and c.scope == "frame"]
    return write_sections(
        {
            "TASK": "Paint the opening picture of a shot, exactly as described.",
            **_who_and_where(catalog, contract),
            "MUST SHOW": [c.statement for c in shown if c.required],
            "SHOULD SHOW": [c.statement for c in shown if not c.required],
            "LEAVE ROOM FOR": _still_to_come(catalog, contract),
            "IF IT FITS": [render(Present(entity=e), catalog) for e in contract.context.handed_over],
            "PRESERVE": [c.statement for c in preserve],
            "DO NOT COPY": [c.statement for c in do_not_copy],
            "CAMERA AND LAYOUT": camera_words(contract.context.camera),
            "STYLE": plan.request.style or "",
            "REPAIR TARGETS": [c.statement for c in repair],
            "LEAVE OUT": [_NOTHING_ELSE, *contract.context.exclusions],
        }
    )


def video(plan: SemanticPlan, catalog: Catalog, contract: RenderContract, *, repair: Sequence[Criterion] = ()) -> str:
    """The shot itself, from its accepted opening through its events."""
    by_phase = {
        phase: [c.statement for c in contract.criteria if c.phase == phase and c.required]
        for phase in ("start", "motion", "end", "always")
    }
    return write_sections(
        {
            "VIDEO TASK": f"Animate the given opening picture for {contract.seconds:g} seconds through these events.",
            "EVENTS": [event.action for event in contract.events] or ["Nothing changes; people breathe and look."],
            **_who_and_where(catalog, contract),
            "AT THE START": by_phase["start"],
            "IN BETWEEN": by_phase["motion"],
            "AT THE END": [*by_phase["end"], *_other_facts(catalog, contract, by_phase["end"])],
            "ALWAYS": by_phase["always"],
            "CAMERA AND LAYOUT": camera_words(contract.context.camera),
            "STYLE": plan.request.style or "",
            "KEEP": "Faces, clothes, things, their states, the place, its light and the direction of movement.",
            "REPAIR TARGETS": [c.statement for c in repair],
            "LEAVE OUT": [_NOTHING_ELSE, *contract.context.exclusions],
        }
    )


def with_notes(prompt: str, notes: Sequence[str]) -> str:
    """A prompt with what the author noted beyond the plan; it comes last and changes no criterion."""
    return "\n".join([prompt, write_sections({"NOTES OF THE AUTHOR": list(notes)})]) if notes else prompt


def _who_and_where(catalog: Catalog, contract: RenderContract) -> dict[str, list[str]]:
    there = [catalog.entities[entity] for entity in _entities_there(catalog, contract)]
    return {
        "PLACE": [caption(catalog.environments[contract.environment])],
        "WHO AND WHAT": [caption(entity) for entity in there],
    }


def _entities_there(catalog: Catalog, contract: RenderContract) -> list[str]:
    """Everything that a statement of the contract speaks of, or that takes part in its events."""
    words = " ".join(c.statement for c in contract.criteria)
    acting = {actor for event in contract.events for actor in event.actors}
    return [e.id for e in catalog.entities.values() if e.name in words or e.id in acting]


def _still_to_come(catalog: Catalog, contract: RenderContract) -> list[str]:
    """What happens in the shot, where things will be by its end, and what must be seen then: it is framed for that."""
    required = [c for c in contract.criteria if c.required]
    ends = [c.claim.after for c in required if isinstance(c.claim, Changes)]
    acts = [c.statement for c in required if isinstance(c.claim, Happens)]
    seen = {c.claim.entity for c in required if c.phase == "start" and isinstance(c.claim, Present | Single)}
    comes = [c for c in required if c.phase == "end" and isinstance(c.claim, Present) and c.claim.entity not in seen]
    return [*(render(end, catalog) for end in ends if isinstance(end, Placed)), *acts, *(c.statement for c in comes)]


def _other_facts(catalog: Catalog, contract: RenderContract, said: Sequence[str]) -> list[str]:
    """What the events bring about and no criterion says, so that the animator need not guess it."""
    changed = {effect.entity for event in contract.events for effect in event.effects}
    facts = []
    for fact in contract.closing:
        if fact.entity not in changed:
            continue
        if isinstance(fact, Set):
            facts.append(render(HasAttribute(entity=fact.entity, attribute=fact.attribute, value=fact.value), catalog))
        elif isinstance(fact, Place) and fact.placement.kind != "offscreen":
            facts.append(render(Placed(entity=fact.entity, placement=fact.placement), catalog))
    return [fact for fact in facts if fact not in said]


def camera_words(camera: CameraView | None) -> str:
    """The camera in numbers and words, or nothing without spatial grounding."""
    if camera is None:
        return ""
    if camera.yaw is None:
        return f"{camera.framing} framing; camera {camera.move.replace('_', ' ')}"
    words = (
        f"{camera.framing} framing; turned {camera.yaw:.1f} degrees, tilted {camera.pitch:.1f} degrees, field of view "
        f"{camera.fov:.1f} degrees; standing {camera.right:.2f} m right and {camera.forward:.2f} m forward of the "
        f"panorama's middle; camera {camera.move.replace('_', ' ')}"
    )
    return f"{words}; movement {camera.direction.replace('_', ' ')}" if camera.direction else words
