"""A place all around: the panorama, its six probes, and where things are in it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import anyio

from storyengine.backends.ports import Box, Statement
from storyengine.continuity.crew import Crew
from storyengine.grounding.sphere import PROBES, Extent, extent, joined
from storyengine.language.captions import caption
from storyengine.language.sentences import the
from storyengine.media import panorama as sphere_views
from storyengine.plan import Entity, Environment
from storyengine.runs.together import together

PROBE_SIZE = 640
"""Pixels across a probe; fewer where the panorama itself is coarser."""
EDGE = 0.02
"""A box that comes this close to a probe's side is cut by it."""


@dataclass(frozen=True)
class Panorama:
    """The canonical picture of a place, and the directions of what was found in it."""

    environment: str
    picture: str
    accepted: bool
    tries: int
    found: Mapping[str, Extent]
    """Directions of landmarks and fixed things, by id."""
    missing: tuple[str, ...]
    """Landmarks and fixed things that no probe shows: layout failures."""


async def look_around(
    crew: Crew, place: Environment, fixed: Sequence[Entity], picture: str, *, accepted: bool, tries: int
) -> Panorama:
    """Ask in six probes where the landmarks and fixed things are, and turn the answers into directions."""
    things = [Statement(mark.id, _landmark_words(place, mark.id), "always") for mark in place.landmarks]
    things += [Statement(entity.id, caption(entity), "always") for entity in fixed]
    boxes: dict[str, dict[str, Box | None]] = {}
    views: dict[str, str] = {}

    def cut() -> None:
        whole = crew.picture(picture)
        size = min(PROBE_SIZE, round(whole.width / math.pi))  # as fine in the middle of a probe as the panorama is
        for name, look in PROBES.items():
            view = sphere_views.view(whole, look.yaw, look.pitch, look.fov, size, size)
            views[name] = crew.keep(view.to_png())

    async def probe(name: str) -> None:
        boxes[name] = await crew.locate(f"library/{place.id}/probe {name}", views[name], things)

    if things:
        await anyio.to_thread.run_sync(cut)
        await together(partial(probe, name) for name in PROBES)
    found = {thing.id: seen for thing in things if (seen := _direction(thing.id, boxes)) is not None}
    missing = tuple(thing.id for thing in things if thing.id not in found)
    return Panorama(place.id, picture, accepted, tries, found, missing)


def _landmark_words(place: Environment, landmark: str) -> str:
    mark = next(mark for mark in place.landmarks if mark.id == landmark)
    return f"{the(mark.name)} (thing; fixed)" + (f": {mark.look}" if mark.look else "")


RING = ("front", "right", "back", "left")
LARGEST_SHARE = 0.5
"""A box that fills more of a probe than this found nothing in particular."""


def _direction(thing: str, boxes: Mapping[str, Mapping[str, Box | None]]) -> Extent | None:
    """The largest sighting, joined with its continuation in a neighbouring probe.

    Sightings in different directions contradict each other: then nothing is known, rather than the wrong thing.
    """
    sightings = [(name, box) for name in RING if (box := boxes[name].get(thing)) is not None]
    sightings = [(name, box) for name, box in sightings if box.width * box.height <= LARGEST_SHARE]
    if not sightings:
        return None
    sightings.sort(key=lambda sighting: -sighting[1].width * sighting[1].height)
    name, box = sightings[0]
    where = extent(PROBES[name], box)
    for other, part in sightings[1:]:
        if not _continues(RING.index(name), box, RING.index(other), part):
            return None
        where = joined(where, extent(PROBES[other], part))
    return where


def _continues(here: int, box: Box, there: int, part: Box) -> bool:
    """Whether two boxes touch the edge that their probes share."""
    to_the_right = (here + 1) % 4 == there and box.left + box.width > 1 - EDGE and part.left < EDGE
    to_the_left = (there + 1) % 4 == here and part.left + part.width > 1 - EDGE and box.left < EDGE
    return to_the_right or to_the_left
