"""Sense of the whole film: the brief is answered, orders hold, things can be told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from storyengine.check.story import Finding, Fix, Story, event_path
from storyengine.check.structure import event_ids
from storyengine.documents import Edit
from storyengine.plan import Entity

COLOURS = frozenset(
    """red orange yellow green blue navy purple violet pink brown tan beige cream white grey gray black silver gold
    copper brass steel teal turquoise crimson scarlet maroon olive khaki amber rust lilac""".split()  # noqa: SIM905
)


def check_film(story: Story) -> Iterator[Finding]:
    yield from _shot_count(story)
    yield from _required(story)
    yield from _order(story)
    yield from _references(story)
    yield from _unused(story)
    yield from _looks(story)


def _shot_count(story: Story) -> Iterator[Finding]:
    found, wanted = len(story.plan.shots), story.plan.request.shots
    if found != wanted:
        yield Finding("shot-count", "the film", ("shots",), f"{found} shots", f"{wanted}, as in the brief")


def plain(name: str) -> str:
    """A name without article, capitals and doubled spaces, for comparison."""
    return re.sub(r"^(the|a|an) ", "", " ".join(name.lower().split()))


def _named(entity: Entity, phrase: str) -> bool:
    return plain(phrase) in (plain(entity.name), *map(plain, entity.aliases))


def _required(story: Story) -> Iterator[Finding]:
    for position, phrase in enumerate(story.plan.request.required_entities):
        path = ("request", "required_entities", position)
        entity = next((e for e in story.plan.entities if _named(e, phrase)), None)
        if entity is None:
            if any(plain(phrase) == plain(place.name) for place in story.plan.environments):
                continue
            yield Finding(
                "required-entity-missing",
                "the brief",
                path,
                f"“{phrase}”",
                "an entity of that name",
                _alias(story, phrase),
            )
        elif not _ever_seen(story, entity.id):
            yield Finding(
                "required-entity-unseen", "the film", path, f"{story.name(entity.id)} in no shot", "it in sight once"
            )


def _alias(story: Story, phrase: str) -> Fix | None:
    """The one entity whose name shares the most words with the brief's, if it is the only such."""
    words = set(plain(phrase).split())
    shared = [(len(words & set(plain(entity.name).split())), i) for i, entity in enumerate(story.plan.entities)]
    best = max(shared, default=(0, 0))
    if best[0] == 0 or sum(1 for count, _ in shared if count == best[0]) > 1:
        return None
    edit = Edit("insert", ("entities", best[1], "aliases", -1), phrase)
    return Fix(f"Call {story.name(story.plan.entities[best[1]].id)} also “{phrase}”.", (edit,))


def _ever_seen(story: Story, entity: str) -> bool:
    return any(
        story.sees(states.opening, entity, shot.environment) or story.sees(states.closing, entity, shot.environment)
        for shot, states in zip(story.plan.shots, story.trajectory.shots, strict=True)
    )


def _order(story: Story) -> Iterator[Finding]:
    refs = dict(reversed(event_ids(story)))
    for rule in story.plan.order:
        first, then = refs.get(rule.first), refs.get(rule.then)
        if first is not None and then is not None and first >= then:
            saw = f"{rule.first} in {first}, {rule.then} in {then}"
            yield Finding("order-broken", str(then), event_path(then), saw, f"{rule.first} before {rule.then}")


def _references(story: Story) -> Iterator[Finding]:
    names = {plain(place.name) for place in story.plan.environments}
    for position, reference in enumerate(story.plan.request.references):
        if plain(reference.of) not in names and not any(_named(e, reference.of) for e in story.plan.entities):
            path = ("request", "references", position)
            yield Finding("reference-unmatched", "the brief", path, f"“{reference.of}”", "a name of the plan")


def _unused(story: Story) -> Iterator[Finding]:
    used = {shot.environment for shot in story.plan.shots}
    for position, place in enumerate(story.plan.environments):
        if place.id not in used:
            yield Finding("environment-unused", place.id, ("environments", position), "no shot there", "at least one")
    required = story.plan.request.required_entities
    for position, entity in enumerate(story.plan.entities):
        if any(_named(entity, phrase) for phrase in required):
            continue  # reported as required-entity-unseen
        if not _ever_seen(story, entity.id):
            saw = f"{story.name(entity.id)} in no shot"
            yield Finding("never-seen", entity.id, ("entities", position), saw, "a use for it")


def _looks(story: Story) -> Iterator[Finding]:
    positions = {id(entity): i for i, entity in enumerate(story.plan.entities)}
    for entity in story.plan.entities:
        if not entity.look:
            path = ("entities", positions[id(entity)], "look")
            yield Finding("look-missing", entity.id, path, "no look", "its colour, material and size")
    for one, other in combinations((e for e in story.plan.entities if e.kind == "prop"), 2):
        if (
            _shape(one) == _shape(other)
            and _colours(one) == _colours(other)
            and _share_a_place(story, one.id, other.id)
        ):
            path = ("entities", positions[id(other)], "look")
            saw = f"{story.name(one.id)} and {story.name(other.id)}"
            yield Finding("looks-alike", other.id, path, saw, "a difference in colour or shape")


def _shape(entity: Entity) -> str:
    """What kind of thing it is: the last word of its name."""
    return plain(entity.name).split()[-1]


def _colours(entity: Entity) -> frozenset[str]:
    words = re.findall(r"[a-z]+", f"{entity.name} {entity.look}".lower())
    return COLOURS.intersection(words)


def _share_a_place(story: Story, one: str, other: str) -> bool:
    return any(
        story.sees(states.opening, one, shot.environment) and story.sees(states.opening, other, shot.environment)
        for shot, states in zip(story.plan.shots, story.trajectory.shots, strict=True)
    )
