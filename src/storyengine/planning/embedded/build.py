"""The plan from the played stage: entities, environments with zones and landmarks, the initial world, shots, views."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storyengine.language.reading import BriefReading
from storyengine.language.reading import words as w
from storyengine.plan import (
    Catalog,
    Entity,
    Environment,
    Event,
    Fact,
    InSceneZone,
    Landmark,
    Light,
    Offscreen,
    OrderRule,
    Place,
    SemanticPlan,
    Set,
    Shot,
    SpatialIntent,
    Zone,
)
from storyengine.plan.model import Framing
from storyengine.planning.embedded.colouring import coloured
from storyengine.planning.embedded.placing import Placing
from storyengine.planning.embedded.roster import Roster, slug
from storyengine.planning.embedded.stage import ShotDraft, Stage, sentence
from storyengine.request import StoryRequest
from storyengine.state import Trajectory, is_visible, replay

MAX_SUBJECTS = 6


def build_plan(
    request: StoryRequest,
    reading: BriefReading,
    roster: Roster,
    placing: Placing,
    stage: Stage,
    rules: Sequence[tuple[int, int]],
) -> SemanticPlan:
    """The whole plan; views last, since they follow from what can be seen."""
    _settle_the_rest(roster, placing, stage)
    _fill_empty_shots(roster, stage)
    for place in placing.ids.values():
        stage.zones.setdefault(place, {})
    for place, zones in stage.zones.items():
        if not zones:
            stage.middle(place)
    used = [place for place in placing.names if place in stage.zones]
    plan = SemanticPlan(
        title=request.title,
        request=request,
        entities=_entities(roster, stage),
        environments=tuple(_environment(place, placing, stage, reading) for place in used),
        initial=tuple(_initial(roster, stage)),
        shots=tuple(_shot(request, stage, draft) for draft in stage.drafts),
        order=tuple(_order(stage, rules)),
    )
    return _with_views(plan, stage, roster)


def _entities(roster: Roster, stage: Stage) -> tuple[Entity, ...]:
    entities, chosen = coloured(roster.entities())
    if chosen:
        each = ", ".join(f"{name} {colour}" for name, colour in chosen)
        stage.assumptions.append(f"Colours that the brief leaves open were chosen far apart: {each}.")
    return entities


def _settle_the_rest(roster: Roster, placing: Placing, stage: Stage) -> None:
    """Whoever and whatever no step needs: people and required things are seen in the first place."""
    first = placing.shots[0]
    for member in list(roster.members.values()):
        root = stage.root(member.id)
        if root not in stage.world:
            stage.settle(root, stage._zone(first, root))
            stage.assumptions.append(
                f"The brief does not say where {stage.called(root)} is at first; it is in the {placing.names[first]}."
            )


def _fill_empty_shots(roster: Roster, stage: Stage) -> None:
    seen: dict[str, list[str]] = {}
    for number, draft in enumerate(stage.drafts, start=1):
        if draft.events:
            continue
        present = [m.id for m in roster.people() if _attends(stage, number, m.id)]
        if not present:
            continue
        who = stage.called(present[0])
        action = sentence(f"{who} pauses and looks around the {stage.names[draft.place]}.")
        draft.events.append(Event(action=action, actors=(present[0],)))
        draft.subjects.append(present[0])
        seen.setdefault(f"{who} is seen in the {stage.names[draft.place]}", []).append(str(number))
    for what, shots in seen.items():
        which = f"shot {shots[0]}" if len(shots) == 1 else f"shots {', '.join(shots[:-1])} and {shots[-1]}"
        stage.assumptions.append(f"The brief leaves {which} without an event; {what}.")


def _attends(stage: Stage, number: int, person: str) -> bool:
    """Whether somebody is in the place of a shot when it opens, replaying what was drafted."""
    placement = stage.initial.get(person)
    for draft in stage.drafts[:number]:
        for event in (*draft.offscreen, *(() if draft is stage.drafts[number - 1] else draft.events)):
            for effect in event.effects:
                if isinstance(effect, Place) and effect.entity == person:
                    placement = effect.placement
    return isinstance(placement, InSceneZone) and placement.environment == stage.drafts[number - 1].place


def _environment(place: str, placing: Placing, stage: Stage, reading: BriefReading) -> Environment:
    name = placing.names[place]
    light = reading.lights.get(name) or next((lit for n, lit in reading.lights.items() if slug(n) == place), None)
    zones = tuple(Zone(id=identifier, name=words) for identifier, words in stage.zones[place].items())
    return Environment(
        id=place,
        name=name,
        look=_look_of_place(name, reading),
        zones=zones,
        landmarks=tuple(_landmarks(place, stage)),
        light=Light(look=light.look, brightness=light.brightness, tone=light.tone) if light else Light(),
    )


def _look_of_place(name: str, reading: BriefReading) -> str:
    """What the brief says about how a place looks."""
    head = name.split()[-1].lower()
    said = [
        f"{s.target.name}{''.join(' ' + n for n in s.target.notes)}"
        if s.target is not None and s.relation == "has"
        else s.words
        for s in reading.statements
        if s.subject.head == head and s.relation in ("is", "has") and (s.words or s.target is not None)
    ]
    return " ".join(", ".join(filter(None, said)).split())[:400]


def _landmarks(place: str, stage: Stage) -> list[Landmark]:
    """Fixed features that positions are named after and that are nobody's prop: `by the window`."""
    taken = {w.singular(member.head) for member in stage.roster.members.values()}
    found: dict[str, Landmark] = {}
    for identifier, words in stage.zones[place].items():
        match = re.search(r"\bthe ([a-z][a-z' -]+)$", words)
        if (
            match
            and match[1] not in ("middle", "doorway", "floor", "ground")
            and w.singular(match[1].split()[-1]) not in taken
        ):
            found.setdefault(slug(match[1]), Landmark(id=slug(match[1]), name=match[1], zone=identifier))
    return list(found.values())


def _initial(roster: Roster, stage: Stage) -> list[Fact]:
    facts: list[Fact] = []
    for member in roster.members.values():
        facts.append(Place(entity=member.id, placement=stage.initial.get(member.id, Offscreen())))
        for name, values in member.values.items():
            if len(values) > 1:
                value = stage.initial_values.get((member.id, name), values[0])
                facts.append(Set(entity=member.id, attribute=name, value=value))
    return facts


def _shot(request: StoryRequest, stage: Stage, draft: ShotDraft) -> Shot:
    return Shot(
        environment=draft.place,
        seconds=_seconds(request, len(draft.events)),
        offscreen=tuple(draft.offscreen),
        events=tuple(draft.events),
        anchors=tuple(dict.fromkeys(draft.anchors)),
    )


def _seconds(request: StoryRequest, events: int) -> float:
    """The shortest allowed length that leaves each event about three seconds."""
    allowed = request.delivery.durations
    return next((seconds for seconds in allowed if seconds >= 3 * max(1, events)), allowed[-1])


def _order(stage: Stage, rules: Sequence[tuple[int, int]]) -> list[OrderRule]:
    ids = {event.id for draft in stage.drafts for event in draft.events if event.id}
    names = stage.step_ids
    return [
        OrderRule(first=names[first], then=names[then])
        for first, then in dict.fromkeys(rules)
        if names.get(first) in ids and names.get(then) in ids
    ]


# --- views


def _with_views(plan: SemanticPlan, stage: Stage, roster: Roster) -> SemanticPlan:
    catalog = Catalog.of(plan)
    trajectory = replay(plan, catalog)
    shots = tuple(
        shot.model_copy(update={"view": _view(plan, catalog, trajectory, stage, roster, number)})
        for number, shot in enumerate(plan.shots, start=1)
    )
    return plan.model_copy(update={"shots": shots})


def _view(
    plan: SemanticPlan, catalog: Catalog, trajectory: Trajectory, stage: Stage, roster: Roster, number: int
) -> SpatialIntent:
    shot, draft, states = plan.shots[number - 1], stage.drafts[number - 1], trajectory.shots[number - 1]
    following = plan.shots[number].anchors if number < len(plan.shots) else ()
    final = [m.id for m in roster.members.values() if m.one_way]
    wished = dict.fromkeys((*shot.anchors, *following, *draft.subjects, *final))
    seen = [
        entity for entity in wished
        if any(is_visible(catalog, world, entity, shot.environment) for world in (states.opening, states.closing))
    ]  # fmt: skip
    place = catalog.environments[shot.environment]
    zones = {zone.id for zone in place.zones}
    region = draft.zone if draft.zone in zones else place.zones[0].id
    marks = tuple(mark.id for mark in place.landmarks if mark.zone in (None, region))[:2]
    kept = [
        *[e for e in seen if e in final or e in shot.anchors or e in following],
        *[e for e in seen if e not in final],
    ]
    return SpatialIntent(
        region=region, subjects=tuple(dict.fromkeys(kept))[:MAX_SUBJECTS], landmarks=marks, framing=_framing(shot, seen)
    )


def _framing(shot: Shot, seen: Sequence[str]) -> Framing:
    """Wide when people come or go, tight on one hand at one thing, else medium."""
    moves = [
        e
        for event in shot.events
        for e in event.effects
        if isinstance(e, Place) and isinstance(e.placement, (InSceneZone, Offscreen))
    ]
    if moves or len(seen) > 4:
        return "wide"
    return "tight" if len(shot.events) == 1 and len(seen) <= 2 and shot.events[0].effects else "medium"
