"""Where an entity is in the end, and whether a camera in a place could see it.

Both follow from the chain of placements: a notebook in a backpack on a bench is where the bench is, and it is
hidden while any container on the chain conceals its contents. What the camera frames is not decided here.
"""

from __future__ import annotations

from dataclasses import dataclass

from storyengine.plan import Catalog, HeldBy, InContainer, InSceneZone, target_of
from storyengine.state.world import World


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The end of an entity's chain of placements."""

    environment: str | None
    """None when it is off screen."""
    zone: str | None
    chain: tuple[str, ...]
    """The entities it hangs on, nearest first."""
    hidden_in: str | None
    """The nearest container that conceals it."""
    carrier: str | None
    """The character who holds or wears it, directly or inside something carried."""


def whereabouts(catalog: Catalog, world: World, entity: str) -> Whereabouts:
    """Follow the chain of placements to a zone or off screen."""
    chain: list[str] = []
    hidden_in: str | None = None
    carrier: str | None = None
    placement = world[entity].placement
    while (target := target_of(placement)) is not None:
        if hidden_in is None and isinstance(placement, InContainer) and conceals(catalog, world, target):
            hidden_in = target
        if carrier is None and (isinstance(placement, HeldBy) or catalog.entities[target].kind == "character"):
            carrier = target
        chain.append(target)
        placement = world[target].placement
    if isinstance(placement, InSceneZone):
        return Whereabouts(placement.environment, placement.zone, tuple(chain), hidden_in, carrier)
    return Whereabouts(None, None, tuple(chain), hidden_in, carrier)


def conceals(catalog: Catalog, world: World, container: str) -> bool:
    """Whether a container's contents are out of sight and reach now."""
    values = world[container].attributes
    return any(values[name] in attribute.conceals for name, attribute in catalog.attributes[container].items())


def is_visible(catalog: Catalog, world: World, entity: str, environment: str) -> bool:
    """Whether a camera somewhere in the environment could see the entity."""
    where = whereabouts(catalog, world, entity)
    return where.environment == environment and where.hidden_in is None
