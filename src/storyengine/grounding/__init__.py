"""Grounding: canonical references, panoramas, and a camera for every shot."""

from storyengine.grounding.contexts import ground_shots
from storyengine.grounding.library import Asset, Library, build_library
from storyengine.grounding.panorama import Panorama

__all__ = ["Asset", "Library", "Panorama", "build_library", "ground_shots"]
