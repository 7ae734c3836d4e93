"""Appearance: from words to looks, deterministically. Painter and evaluator share this and nothing else.

It is what everybody knows a red barrow looks like. What the words leave open follows from the words themselves
(a digest of them), so that the same description always looks the same.
"""

from storyengine.previz.appearance.nouns import ROOM_PARTS
from storyengine.previz.appearance.people import person_look
from storyengine.previz.appearance.places import place_look
from storyengine.previz.appearance.things import family_of, landmark_fitting, names_window, prop_look

__all__ = ["ROOM_PARTS", "family_of", "landmark_fitting", "names_window", "person_look", "place_look", "prop_look"]
