"""Fixed equipment of places by name: `FITTINGS`. Every module registers its own when it is imported."""

from storyengine.previz.places.fittings import building, fire, outdoors, storage, work
from storyengine.previz.places.fittings.registry import FITTINGS, Fitting

__all__ = ["FITTINGS", "Fitting", "building", "fire", "outdoors", "storage", "work"]
