"""Structure: what makes a document a plan at all. References, types, domains, cycles, completeness."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from storyengine.check.story import Finding, Fix, Story, event_path, event_words, removal, replacement, shot_path
from storyengine.documents import Edit, Path
from storyengine.language import HasAttribute, collisions, parse, render
from storyengine.plan import (
    Entity,
    Environment,
    Event,
    Fact,
    InSceneZone,
    Offscreen,
    Place,
    Placement,
    Set,
    Shot,
    target_of,
)
from storyengine.plan.placement import write_fact
from storyengine.state import EventRef, Illegal, Moment
from storyengine.state.reducer import misplaced
from storyengine.state.replay import rings


def check_catalog(story: Story) -> Iterator[Finding]:
    plan = story.plan
    yield from _duplicates((e.id for e in plan.entities), ("entities",), "the entities")
    yield from _duplicates((e.id for e in plan.environments), ("environments",), "the environments")
    for i, entity in enumerate(plan.entities):
        names = (attribute.name for attribute in entity.attributes)
        yield from _duplicates(names, ("entities", i, "attributes"), f"the attributes of {entity.id}")
        yield from _ambiguous_values(story, entity, ("entities", i))
    for i, place in enumerate(plan.environments):
        for part, ids in (("zones", [z.id for z in place.zones]), ("landmarks", [m.id for m in place.landmarks])):
            yield from _duplicates(ids, ("environments", i, part), f"the {part} of {place.id}")
        for k, landmark in enumerate(place.landmarks):
            if landmark.zone is not None and landmark.zone not in story.catalog.zones[place.id]:
                path = ("environments", i, "landmarks", k, "zone")
                zones = story.catalog.zones[place.id]
                yield _unknown("unknown-zone", f"landmark {landmark.id}", path, landmark.zone, zones)
    for phrase in collisions(story.catalog):
        yield Finding("ambiguous-name", "the catalog", (), f"“{phrase}” for two things", "a name for each")


def _duplicates(ids: Iterable[str], path: Path, where: str) -> Iterator[Finding]:
    seen: set[str] = set()
    for position, identifier in enumerate(ids):
        if identifier in seen:
            yield Finding("duplicate-id", where, (*path, position), f"{identifier} twice", "one of each")
        seen.add(identifier)


def _ambiguous_values(story: Story, entity: Entity, path: Path) -> Iterator[Finding]:
    """A value such as `in frame` would read back as another claim."""
    if story.catalog.entities[entity.id] is not entity:
        return
    for i, attribute in enumerate(entity.attributes):
        for value in attribute.values:
            claim = HasAttribute(entity=entity.id, attribute=attribute.name, value=value)
            sentence = render(claim, story.catalog)
            if parse(sentence, story.catalog) != claim and not collisions(story.catalog):
                at = (*path, "attributes", i)
                yield Finding("ambiguous-name", entity.id, at, f"“{sentence}”", "a value that reads unmistakably")


def check_initial(story: Story) -> Iterator[Finding]:
    first: dict[tuple[str, str | None], Fact] = {}
    places: dict[str, Placement] = {}
    for position, fact in enumerate(story.plan.initial):
        path: Path = ("initial", position)
        problem = _fact_problem(story, fact)
        if problem is not None:
            yield _illegal(story, problem, "the initial world", path, fact)
            continue
        key = (fact.entity, fact.attribute if isinstance(fact, Set) else None)
        if key in first:
            saw = f"“{write_fact(first[key])}” and “{write_fact(fact)}”"
            fix = removal(path, f"Drop “{write_fact(fact)}”.")
            yield Finding("initial-contradiction", "the initial world", path, saw, "one of them", fix)
            continue
        first[key] = fact
        if isinstance(fact, Place):
            places[fact.entity] = fact.placement
    for entity in rings(places):
        yield Finding("placement-cycle", "the initial world", ("initial",), _ring(entity, places), _RING_WANTED)
    yield from _incomplete(story, first)


_RING_WANTED = "a chain that ends in a zone or off screen"


def _ring(entity: str, places: dict[str, Placement]) -> str:
    chain = [entity]
    while (here := target_of(places[chain[-1]])) is not None and here != entity:
        chain.append(here)
    return " → ".join([*chain, entity])


def _incomplete(story: Story, stated: dict[tuple[str, str | None], Fact]) -> Iterator[Finding]:
    for entity in story.catalog.entities.values():
        if (entity.id, None) not in stated:
            line = write_fact(Place(entity=entity.id, placement=_first_place(story, entity.id)))
            fix = Fix(f"Add “{line}”.", (Edit("insert", ("initial", -1), line),))
            saw = f"no placement of {entity.id}"
            yield Finding("initial-placement-missing", "the initial world", ("initial",), saw, "one", fix)
        for attribute in entity.attributes:
            if (entity.id, attribute.name) not in stated:
                line = f"{entity.id}.{attribute.name} = {attribute.values[0]}"
                fix = Fix(f"Add “{line}”.", (Edit("insert", ("initial", -1), line),))
                saw = f"no value of {entity.id}.{attribute.name}"
                wanted = f"one of {', '.join(attribute.values)}"
                yield Finding("initial-value-missing", "the initial world", ("initial",), saw, wanted, fix)


def _first_place(story: Story, entity: str) -> Placement:
    """The place of the first shot that uses an entity: where it would have to be."""
    for shot in story.plan.shots:
        used = {entity for event in shot.events for entity in (*event.actors, *(e.entity for e in event.effects))}
        place = story.catalog.environments.get(shot.environment)
        if place and entity in used | set(shot.view.subjects) | set(shot.anchors):
            return action_zone(story, shot, place)
    return Offscreen()


def action_zone(story: Story, shot: Shot, place: Environment) -> InSceneZone:
    """Where in its place a shot's action is: the region of the view, or the first zone."""
    known = shot.view.region in story.catalog.zones[place.id]
    return InSceneZone(environment=place.id, zone=str(shot.view.region) if known else place.zones[0].id)


def _fact_problem(story: Story, fact: Fact) -> Illegal | None:
    """Whether a fact that stands alone names unknown things or impossible values."""
    if fact.entity not in story.catalog.entities:
        return Illegal("unknown-entity", fact.entity, "an entity of the plan")
    if isinstance(fact, Place):
        return misplaced(story.catalog, fact.entity, fact.placement)
    attribute = story.catalog.attributes[fact.entity].get(fact.attribute)
    if attribute is None:
        known = ", ".join(story.catalog.attributes[fact.entity]) or "none"
        return Illegal("unknown-attribute", fact.attribute, f"one of {known}")
    if fact.value not in attribute.values:
        return Illegal("value-outside-domain", fact.value, f"one of {', '.join(attribute.values)}")
    return None


def check_shot_references(story: Story, number: int, shot: Shot) -> Iterator[Finding]:
    where, entities = f"shot {number}", story.catalog.entities
    place = story.catalog.environments.get(shot.environment)
    if place is None:
        path = shot_path(number, "environment")
        yield _unknown("unknown-environment", where, path, shot.environment, story.catalog.environments)
    else:
        zones = story.catalog.zones[place.id]
        if shot.view.region is not None and shot.view.region not in zones:
            yield _unknown("unknown-zone", where, shot_path(number, "view", "region"), shot.view.region, zones)
        marks = [mark.id for mark in place.landmarks]
        yield from _unknowns(
            "unknown-landmark", where, shot_path(number, "view", "landmarks"), shot.view.landmarks, marks
        )
    yield from _unknowns("unknown-entity", where, shot_path(number, "view", "subjects"), shot.view.subjects, entities)
    yield from _unknowns("unknown-entity", where, shot_path(number, "anchors"), shot.anchors, entities)
    for part, facts in (("opens_with", shot.opens_with), ("closes_with", shot.closes_with)):
        for position, fact in enumerate(facts):
            if (problem := _fact_problem(story, fact)) is not None:
                yield _illegal(story, problem, where, shot_path(number, part, position), fact)


def check_event_references(story: Story, moment: Moment) -> Iterator[Finding]:
    where = event_words(moment.ref, moment.event)
    path = event_path(moment.ref, "actors")
    yield from _unknowns("unknown-entity", where, path, moment.event.actors, story.catalog.entities)
    for position, illegal in moment.refused:
        at = event_path(moment.ref, "effects", position)
        yield _illegal(story, illegal, where, at, moment.event.effects[position])


def check_order_references(story: Story) -> Iterator[Finding]:
    ids = event_ids(story)
    seen: set[str] = set()
    for identifier, ref in ids:
        if identifier in seen:
            yield Finding("duplicate-id", str(ref), event_path(ref, "id"), f"{identifier} twice", "one of each")
        seen.add(identifier)
    for position, rule in enumerate(story.plan.order):
        for part, identifier in (("first", rule.first), ("then", rule.then)):
            if identifier not in seen:
                path: Path = ("order", position, part)
                yield _unknown("unknown-event", f"order rule {position + 1}", path, identifier, seen)


def event_ids(story: Story) -> list[tuple[str, EventRef]]:
    """Every event that has an id, with its place in the story."""

    def of(events: tuple[Event, ...], shot: int, on_screen: bool) -> Iterator[tuple[str, EventRef]]:
        for number, event in enumerate(events, start=1):
            if event.id is not None:
                yield event.id, EventRef(shot, on_screen, number)

    found: list[tuple[str, EventRef]] = []
    for number, shot in enumerate(story.plan.shots, start=1):
        found += [*of(shot.offscreen, number, False), *of(shot.events, number, True)]
    return found


def _unknowns(code: str, where: str, path: Path, ids: Iterable[str], known: Iterable[str]) -> Iterator[Finding]:
    for position, identifier in enumerate(ids):
        if identifier not in known:
            yield _unknown(code, where, (*path, position), identifier, known)


def _unknown(code: str, where: str, path: Path, identifier: str, known: Iterable[str]) -> Finding:
    choices = sorted(known)
    wanted = f"one of {', '.join(choices[:12])}{' …' if len(choices) > 12 else ''}" if choices else "none exists"
    return Finding(code, where, path, identifier, wanted, _nearest(path, identifier, choices))


def _nearest(path: Path, word: str, choices: Iterable[str]) -> Fix | None:
    near = difflib.get_close_matches(word, list(choices), n=1, cutoff=0.75)
    return replacement(path, near[0], f"Write {near[0]!r} instead of {word!r}.") if near else None


def _illegal(story: Story, illegal: Illegal, where: str, path: Path, fact: Fact) -> Finding:
    return Finding(illegal.reason, where, path, illegal.saw, illegal.wanted, _legal_fact(story, illegal, path, fact))


def _legal_fact(story: Story, illegal: Illegal, path: Path, fact: Fact) -> Fix | None:
    """The obvious mending of an illegal fact, where there is one."""
    match illegal.reason, fact:
        case "one-way-undone", _:
            return removal(path, f"Drop the effect “{write_fact(fact)}”.")
        case "zone-not-active", Place(entity=entity):
            line = f"{entity} offscreen"
            return replacement(path, line, f"Let {story.name(entity)} leave: “{line}”.")
        case "target-lacks-role", Place(placement=placement):
            return _give_role(story, placement)
        case "value-outside-domain", Set(entity=entity, attribute=attribute, value=value):
            choices = story.catalog.attributes[entity][attribute].values
            near = difflib.get_close_matches(value, choices, n=1, cutoff=0.6)
            line = f"{entity}.{attribute} = {near[0]}" if near else ""
            return replacement(path, line, f"Write “{line}”.") if near else None
    return None


def _give_role(story: Story, placement: Placement) -> Fix | None:
    role = {"in_container": "container", "on_surface": "surface", "attached_to": "mount"}.get(placement.kind)
    target = target_of(placement)
    position = next((i for i, entity in enumerate(story.plan.entities) if entity.id == target), None)
    if role is None or position is None or story.plan.entities[position].kind == "character":
        return None
    edit = Edit("insert", ("entities", position, "roles", -1), role)
    return Fix(f"Give {story.name(str(target))} the role {role}.", (edit,))
