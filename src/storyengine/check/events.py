"""Sense of single events: who acts is there, what is handled is in reach, off-screen events stay modest."""

from __future__ import annotations

from collections.abc import Iterator

from storyengine.check.story import Finding, Fix, Story, event_path, event_words, removal, shot_path
from storyengine.check.structure import action_zone
from storyengine.documents import Edit
from storyengine.plan import Fact, HeldBy, InContainer, InSceneZone, Place, Set, target_of
from storyengine.plan.placement import write_fact
from storyengine.state import Illegal, Moment, World, reduce, whereabouts
from storyengine.state.visibility import conceals

HANDS = 2


def check_event(story: Story, moment: Moment) -> Iterator[Finding]:
    """All rules about one event. Effects are looked at one by one, each in the world that it meets."""
    yield from _actors(story, moment)
    if not moment.ref.on_screen:
        yield from _off_screen(story, moment)
    place = story.shot(moment.ref.shot).environment
    world = moment.before
    for position, effect in enumerate(moment.event.effects):
        result = reduce(story.catalog, world, effect, place)
        if isinstance(result, Illegal):
            continue  # reported with the structure
        yield from _effect(story, moment, position, effect, world, place)
        world = result
    if moment.ref.on_screen:
        yield from _hands(story, moment)


def _actors(story: Story, moment: Moment) -> Iterator[Finding]:
    ref, event = moment.ref, moment.event
    place = story.shot(ref.shot).environment
    for position, actor in enumerate(event.actors):
        if actor not in moment.before:
            continue
        where, path = event_words(ref, event), event_path(ref, "actors", position)
        if story.catalog.entities[actor].kind != "character":
            yield Finding("actor-not-a-character", where, path, f"{actor}, a prop", "a character")
        elif ref.on_screen and story.place_of(moment.before, actor) != place and not _enters(moment, actor, place):
            saw = story.whereabouts_in_words(moment.before, actor)
            wanted = f"{story.name(actor)} in {story.name(place)}"
            yield Finding("actor-absent", where, path, saw, wanted, bring_in(story, actor, ref.shot))
    if event.effects and not event.actors and ref.on_screen:
        where = event_words(ref, event)
        yield Finding("nobody-acts", where, event_path(ref), "effects without actors", "who does it")


def _enters(moment: Moment, actor: str, place: str) -> bool:
    """Whether walking into the place is part of the event itself."""
    return any(
        isinstance(effect, Place)
        and effect.entity == actor
        and isinstance(effect.placement, InSceneZone)
        and effect.placement.environment == place
        for effect in moment.event.effects
    )


def bring_in(story: Story, actor: str, number: int) -> Fix | None:
    """Let somebody come in off screen before a shot opens."""
    shot = story.shot(number)
    place = story.catalog.environments.get(shot.environment)
    if place is None:
        return None
    zone = action_zone(story, shot, place).zone
    name = story.name(actor)
    event = {
        "action": f"{name[:1].upper()}{name[1:]} comes into {story.name(place.id)}.",
        "actors": [actor],
        "effects": [f"{actor} at {place.id}.{zone}"],
    }
    edit = Edit("insert", shot_path(number, "offscreen", -1), event)
    return Fix(f"Let {name} come in before shot {number} opens.", (edit,))


def _off_screen(story: Story, moment: Moment) -> Iterator[Finding]:
    ref, event = moment.ref, moment.event
    where = event_words(ref, event)
    if event.required:
        yield Finding("offscreen-required", where, event_path(ref, "required"), "a required event", "it on screen")
    for position, effect in enumerate(event.effects):
        entity = story.catalog.entities.get(effect.entity)
        if entity is None:
            continue
        path = event_path(ref, "effects", position)
        if isinstance(effect, Set):
            yield Finding("offscreen-changes-state", where, path, f"“{write_fact(effect)}”", "it in a shot")
        elif entity.kind == "prop" and not ("wheeled" in entity.roles and _pushed(story, moment, effect)):
            saw = f"“{write_fact(effect)}”"
            yield Finding("offscreen-moves-alone", where, path, saw, "only people, and wheeled things they push")


def _pushed(story: Story, moment: Moment, effect: Place) -> bool:
    """Whether an actor was with the thing and goes where it goes."""
    origin = story.place_of(moment.before, effect.entity)
    goal = story.place_of(moment.after, effect.entity)
    return any(
        story.place_of(moment.before, actor) == origin and story.place_of(moment.after, actor) == goal
        for actor in moment.event.actors
        if actor in moment.before
    )


def _effect(story: Story, moment: Moment, position: int, effect: Fact, world: World, place: str) -> Iterator[Finding]:
    where, path = event_words(moment.ref, moment.event), event_path(moment.ref, "effects", position)
    if world.holds(effect):
        fix = removal(path, f"Drop the effect “{write_fact(effect)}”.")
        yield Finding("no-change", where, path, f"“{write_fact(effect)}” already", "a change", fix)
    if isinstance(effect, Place) and "fixed" in story.catalog.entities[effect.entity].roles:
        fix = removal(path, f"Drop the effect “{write_fact(effect)}”.")
        saw = f"{story.name(effect.entity)} moved"
        yield Finding("fixed-thing-moved", where, path, saw, "it in its place", fix)
    if moment.ref.on_screen:
        yield from _reach(story, moment, position, effect, world, place)
        yield from _shut(story, moment, position, effect, world)
        yield from _hand_over(story, moment, position, effect, world)


def _reach(story: Story, moment: Moment, position: int, effect: Fact, world: World, place: str) -> Iterator[Finding]:
    where, path = event_words(moment.ref, moment.event), event_path(moment.ref, "effects", position)
    handled = [effect.entity]
    if isinstance(effect, Place):
        if story.catalog.entities[effect.entity].kind == "character":
            handled = []  # people may come from anywhere
        handled += [target for target in (target_of(effect.placement),) if target is not None]
    for entity in handled:
        if story.place_of(world, entity) != place:
            saw, wanted = story.whereabouts_in_words(world, entity), f"it in {story.name(place)}"
            yield Finding("out-of-reach", where, path, saw, wanted)
    if isinstance(effect, Set) and story.catalog.attributes[effect.entity][effect.attribute].visible:
        hidden_in = whereabouts(story.catalog, world, effect.entity).hidden_in
        if hidden_in is not None:
            saw = story.whereabouts_in_words(world, effect.entity)
            yield Finding(
                "change-unseen",
                where,
                path,
                saw,
                "it in sight when it changes",
                _opening(story, path, world, hidden_in),
            )


def _shut(story: Story, moment: Moment, position: int, effect: Fact, world: World) -> Iterator[Finding]:
    if not isinstance(effect, Place):
        return
    inside = effect.placement.container if isinstance(effect.placement, InContainer) else None
    outside = whereabouts(story.catalog, world, effect.entity).hidden_in
    for container in dict.fromkeys(filter(None, (inside, outside))):
        if conceals(story.catalog, world, container):
            path = event_path(moment.ref, "effects", position)
            where, saw = event_words(moment.ref, moment.event), f"{story.name(container)} shut"
            fix = _opening(story, path, world, container)
            yield Finding("container-shut", where, path, saw, "it open at that moment", fix)


def _opening(story: Story, path: tuple[str | int, ...], world: World, container: str) -> Fix | None:
    """Open a container just before the effect at `path`."""
    for name, attribute in story.catalog.attributes[container].items():
        if world[container].attributes[name] in attribute.conceals:
            open_values = [value for value in attribute.values if value not in attribute.conceals]
            if open_values:
                line = f"{container}.{name} = {open_values[0]}"
                return Fix(f"First “{line}”.", (Edit("insert", path, line),))
    return None


def _hand_over(story: Story, moment: Moment, position: int, effect: Fact, world: World) -> Iterator[Finding]:
    if not isinstance(effect, Place) or effect.placement == world[effect.entity].placement:
        return
    placement = world[effect.entity].placement
    if isinstance(placement, HeldBy) and placement.holder not in moment.event.actors:
        path = event_path(moment.ref, "actors")
        where, saw = (
            event_words(moment.ref, moment.event),
            f"{story.name(effect.entity)} held by {story.name(placement.holder)}",
        )
        edit = Edit("insert", (*path, -1), placement.holder)
        fix = Fix(f"Name {story.name(placement.holder)} among the actors.", (edit,))
        yield Finding("holder-not-acting", where, path, saw, f"{story.name(placement.holder)} among the actors", fix)


def _hands(story: Story, moment: Moment) -> Iterator[Finding]:
    receivers = {
        effect.placement.holder
        for effect in moment.event.effects
        if isinstance(effect, Place) and isinstance(effect.placement, HeldBy)
    }
    for holder in sorted(receivers & set(moment.after)):
        held = [
            entity
            for entity, state in moment.after.items()
            if isinstance(state.placement, HeldBy) and state.placement.holder == holder
        ]
        if len(held) > HANDS:
            where = event_words(moment.ref, moment.event)
            saw = f"{story.name(holder)} holding {', '.join(story.name(thing) for thing in held)}"
            yield Finding("hands-full", where, event_path(moment.ref), saw, f"at most {HANDS} things in hand")
