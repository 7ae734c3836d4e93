"""Places: rooms and open places from looks, with zones to act in, landmarks, light and cameras.

place  = build_place(look, zones=("at the bench", "by the door"), landmarks=(("clock", "wall clock", "a round clock"),))
baked  = bake(place.room)
camera = camera_for(place, subjects, "medium", avoid=earlier_stations)
"""

from storyengine.previz.appearance.fittings import fitting_named, fittings_in
from storyengine.previz.places.build import build_place
from storyengine.previz.places.cameras import camera_for, stations
from storyengine.previz.places.fittings import FITTINGS, Fitting
from storyengine.previz.places.model import Bounds, Landmark, LandmarkWords, PlaceModel, Site, Spot, Top

__all__ = [
    "FITTINGS", "Bounds", "Fitting", "Landmark", "LandmarkWords", "PlaceModel", "Site", "Spot", "Top", "build_place",
    "camera_for", "fitting_named", "fittings_in", "stations",
]  # fmt: skip
