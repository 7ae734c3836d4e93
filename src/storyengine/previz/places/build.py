"""From a place's look to the place: one function, the same place every time."""

from __future__ import annotations

from dataclasses import replace

from storyengine.previz.looks import PlaceLook
from storyengine.previz.places.assembly import words_of
from storyengine.previz.places.exterior import build_exterior
from storyengine.previz.places.interior import build_interior
from storyengine.previz.places.model import PlaceModel

MARKS = 999_983
"""Places are told apart by so many different sets of marks on their surfaces."""


def build_place(
    look: PlaceLook, zones: tuple[str, ...], landmarks: tuple[tuple[str, ...], ...] = (), seed: int = 0
) -> PlaceModel:
    """Lays out a place.

    `zones` are names; their words matter ("under the wall pegs" gets pegs). `landmarks` are (id, name, look) or
    (id, name, look, zone name). The same arguments give the same place; another seed gives another place of the same
    description. Rooms grow beyond the look's size where their zones need more wall.
    """
    streams = (seed & 0xFFFFFFFF, look.seed & 0xFFFFFFFF)
    build = build_exterior if look.outdoor else build_interior
    place = build(look, zones or ("middle",), words_of(landmarks), streams)
    return replace(place, room=replace(place.room, seed=(streams[0] * 48271 + streams[1] * 69621 + 1) % MARKS))
