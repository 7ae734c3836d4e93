"""The reducer `R`: everything that decides how an effect changes the world lives in this file.

`reduce` is pure and total. A legal effect gives the new world; an illegal one gives the reason and changes
nothing. Legal means, after the paper: the entity, attribute, target and zone exist; the value is in its domain;
the target can bear the relation (a character holds, a container contains, a surface supports, a character or a
mount has things attached); a zone belongs to the active environment; nothing is placed on itself; the whole
placement graph, not only containment, stays free of cycles; a one-way attribute never moves backwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from storyengine.plan import (
    AttachedTo,
    Catalog,
    Entity,
    Fact,
    HeldBy,
    InContainer,
    InSceneZone,
    Offscreen,
    OnSurface,
    Place,
    Placement,
    Set,
    target_of,
)
from storyengine.state.world import World

Reason = Literal[
    "unknown-entity",
    "unknown-attribute",
    "unknown-environment",
    "unknown-zone",
    "value-outside-domain",
    "target-lacks-role",
    "self-placement",
    "placement-cycle",
    "zone-not-active",
    "one-way-undone",
]


@dataclass(frozen=True, slots=True)
class Illegal:
    """Why an effect cannot be applied."""

    reason: Reason
    saw: str
    wanted: str


def reduce(catalog: Catalog, world: World, effect: Fact, environment: str | None) -> World | Illegal:
    """The world after an effect, or why there is none.

    `environment` is the active one, in which zone placements must lie; None allows every environment, as in
    the initial world.
    """
    match effect:
        case Place(entity=entity, placement=placement):
            problem = _place_problem(catalog, world, entity, placement, environment)
            return problem or world.placed(entity, placement)
        case Set(entity=entity, attribute=attribute, value=value):
            problem = _set_problem(catalog, world, effect)
            return problem or world.with_attribute(entity, attribute, value)


def _set_problem(catalog: Catalog, world: World, effect: Set) -> Illegal | None:
    if effect.entity not in world:
        return _unknown(effect.entity, world)
    attributes = catalog.attributes[effect.entity]
    attribute = attributes.get(effect.attribute)
    if attribute is None:
        return Illegal("unknown-attribute", effect.attribute, f"one of {', '.join(attributes) or 'none'}")
    if effect.value not in attribute.values:
        return Illegal("value-outside-domain", effect.value, f"one of {', '.join(attribute.values)}")
    now = world[effect.entity].attributes.get(effect.attribute)
    if attribute.one_way and now is not None:
        order = attribute.values.index
        if order(effect.value) < order(now):
            return Illegal("one-way-undone", f"{now} → {effect.value}", f"{now} for the rest of the film")
    return None


def _place_problem(
    catalog: Catalog, world: World, entity: str, placement: Placement, environment: str | None
) -> Illegal | None:
    if entity not in world:
        return _unknown(entity, world)
    return (
        misplaced(catalog, entity, placement)
        or _inactive_zone(placement, environment)
        or _cycle(world, entity, placement)
    )


def misplaced(catalog: Catalog, entity: str, placement: Placement) -> Illegal | None:
    """Whether a placement is impossible in itself, whatever the world: unknown, unfit or the entity's own."""
    if isinstance(placement, Offscreen):
        return None
    if isinstance(placement, InSceneZone):
        zones = catalog.zones.get(placement.environment)
        if zones is None:
            return Illegal("unknown-environment", placement.environment, f"one of {', '.join(catalog.environments)}")
        if placement.zone not in zones:
            return Illegal("unknown-zone", placement.zone, f"one of {', '.join(sorted(zones))}")
        return None
    target_id = target_of(placement)
    if target_id == entity:
        return Illegal("self-placement", f"{entity} placed on itself", "another entity")
    target = catalog.entities.get(target_id or "")
    if target is None:
        return Illegal("unknown-entity", str(target_id), "an entity of the plan")
    wanted = _unfit(placement, target)
    return Illegal("target-lacks-role", f"{target.id} ({_described(target)})", wanted) if wanted else None


def _unfit(placement: Placement, target: Entity) -> str | None:
    """What the target would have to be, if it cannot bear the relation."""
    match placement:
        case HeldBy() if target.kind != "character":
            return "a character, to hold it"
        case InContainer() if "container" not in target.roles:
            return "an entity with the role container"
        case OnSurface() if "surface" not in target.roles:
            return "an entity with the role surface"
        case AttachedTo() if target.kind != "character" and "mount" not in target.roles:
            return "a character, or an entity with the role mount"
    return None


def _described(entity: Entity) -> str:
    return f"{entity.kind}, roles: {', '.join(entity.roles) or 'none'}"


def _inactive_zone(placement: Placement, environment: str | None) -> Illegal | None:
    if environment is None or not isinstance(placement, InSceneZone) or placement.environment == environment:
        return None
    return Illegal("zone-not-active", f"{placement.environment}.{placement.zone}", f"a zone of {environment}")


def _cycle(world: World, entity: str, placement: Placement) -> Illegal | None:
    """Follow the chain from the target; meeting the entity again would close a ring."""
    chain = [entity]
    here = target_of(placement)
    while here is not None and here in world:
        if here == entity:
            return Illegal("placement-cycle", " → ".join([*chain, entity]), "a chain that ends in a zone or off screen")
        if here in chain:
            return None  # a ring that was there before and does not involve this entity
        chain.append(here)
        here = target_of(world[here].placement)
    return None


def _unknown(entity: str, world: World) -> Illegal:
    return Illegal("unknown-entity", entity, "an entity of the plan")
