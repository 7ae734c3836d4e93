"""Draw things beside, on, in and held by others, as the evaluator meets them: found by its first looks.

    python scripts/evaluator/draw_relations.py FOLDER --files 0:400 [--seed 1]

A file, `relations-0007.pickle`, holds the looks of the things of a few casts in one room, and windows of composed
scenes and of crowded stages around whatever is found where it is, marked with what the first looks took for it,
for those it may relate to, and for anybody.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import cv2
import filing
import numpy as np
import words
from cutting import SPARE, jpeg
from draw import cast_in, decoded, look_row, thing_record
from draw_sights import ITS, frames_of, subject_of

from storyengine.media.picture import Picture
from storyengine.previz.appearance import person_look
from storyengine.previz.evaluator.attention import PARTS
from storyengine.previz.evaluator.eye import Eye
from storyengine.previz.evaluator.finding import Region
from storyengine.previz.evaluator.networks import Floats
from storyengine.previz.evaluator.relating import PATCH, geometry
from storyengine.previz.evaluator.seeing import Sight
from storyengine.previz.evaluator.subjects import PersonSubject, Subjects
from storyengine.previz.evaluator.windows import RELATES, RELATION_SIZE
from storyengine.previz.grading.labels import Shown
from storyengine.previz.grading.library import StoryLibrary

CASTS, SCENES, STAGES = 6, 4, 3
"""Casts of a room; composed scenes and crowded stages of each."""
STORED, MARKED = round(SPARE * RELATION_SIZE), round(SPARE * PARTS * PATCH)
"""Sides of a window and of what is marked in it, as they are kept."""
NEIGHBOURS = 3
"""Other things to which one does not relate, those that lie nearest, that are asked about."""


def subjects_of(library: StoryLibrary) -> Subjects:
    cast = library.cast
    records = {entity.id: thing_record(library, entity) for entity in cast.things}
    things = {e.id: subject_of(library, e, records[e.id]) for e in cast.things}
    people = {
        e.id: PersonSubject(e, person_look(e.name, e.look), decoded(library.images[library.asset(e.id, ()).picture]))
        for e in cast.people
    }
    return Subjects(cast.catalog, things, people, {})


@dataclass
class Marker:
    """Cuts windows of one frame."""

    sight: Sight
    people: Floats

    def half(self, region: Region) -> float:
        return max(max(region.rect.w, region.rect.h) / 2 * RELATES, 0.02 * self.sight.shape[1])

    def window(self, thing: Region) -> tuple[bytes, bytes]:
        """Colours, and what shows the thing and anybody, side by side."""
        half = SPARE * self.half(thing)
        colours = self.sight.window(thing.rect.centre, (half, half), (STORED, STORED))
        return jpeg(colours, 88), self._png([thing.likely, self.people], thing)

    def other(self, thing: Region, other: Region) -> tuple[bytes, tuple[float, ...]]:
        where = geometry(thing.rect, other.rect, self.half(thing))
        return self._png([other.likely], thing), tuple(where.tolist())

    def _png(self, maps: list[Floats], thing: Region) -> bytes:
        half = SPARE * self.half(thing)
        cells = [self.sight.cells(m, thing.rect.centre, (half, half), (MARKED, MARKED)) for m in maps]
        return cv2.imencode(".png", (np.hstack(cells) * 255).astype(np.uint8))[1].tobytes()


def windows(frame: Shown, subjects: Subjects, dice: Random) -> Iterator[tuple]:
    """(thing, window, [(other, whether somebody, relation, what shows it, where it lies)]) of whatever is found where
    it is."""
    sight = Sight(0, 0.0, Picture(np.ascontiguousarray(frame.pixels)), sharp=dice.random() < 0.75)
    eye = Eye(subjects, [sight])
    marker = Marker(sight, eye.crowd(0).people)

    def is_right(name: str, region: Region) -> bool:
        if name not in frame.named:
            return False
        own = (frame.ids == frame.named[name]).astype(np.float32)
        cells = cv2.resize(own, sight.grid[::-1], interpolation=cv2.INTER_AREA)
        return float(cells[region.mask].mean()) >= ITS

    names = [n for n in (*subjects.people, *subjects.things) if n in frame.named and eye.seen(0, n) is not None]
    for name in names:
        thing = frame.scene.props.get(name)
        if thing is None or name in subjects.people:
            continue
        others = sorted((n for n in names if n != name), key=lambda other: eye.gap(0, name, other))
        near = [n for n in others if n in subjects.things and n != thing.target][:NEIGHBOURS]
        found: dict[int, tuple[Region, list[tuple]]] = {}
        for other in [n for n in others if n == thing.target or n in near or n in subjects.people]:
            pair = eye.pair(0, name, other)
            if pair is None or not is_right(name, pair[0]) or not is_right(other, pair[1]):
                continue
            relation = thing.relation if other == thing.target else "none"
            told = (other, other in subjects.people, relation, *marker.other(*pair))
            found.setdefault(id(pair[0]), (pair[0], []))[1].append(told)
        for region, told in found.values():
            yield (name, *marker.window(region), told)


def draw_relations(number: int, seed: int) -> dict:
    dice = Random(f"{seed} relations {number}")
    environment = words.place(dice)
    made: dict = {"looks": {}, "windows": [], "place": environment.name}
    for cast_number in range(CASTS):
        library = cast_in(environment, cast_number, dice, f"teach {seed} relations {number}")
        subjects = subjects_of(library)
        made["looks"] |= {f"{cast_number} {name}": look_row(thing.look) for name, thing in subjects.things.items()}
        for scene_number in range(SCENES + STAGES):
            own = Random(f"{seed} relations {number} cast {cast_number} scene {scene_number}")
            composed = scene_number < SCENES
            try:
                for frame in frames_of(library, 1000 * cast_number + scene_number, composed, own):
                    made["windows"] += [(cast_number, composed, *one) for one in windows(frame, subjects, own)]
            except Exception:
                traceback.print_exc(limit=-3)
    return made


def main() -> int:
    args = filing.options(__doc__, "files", "0:20").parse_args()
    cv2.setNumThreads(1)
    filing.fill(args, "relations", lambda number: draw_relations(number, args.seed), _told)
    return 0


def _told(made: dict) -> str:
    pairs = [other for *_, others in made["windows"] for other in others]
    true = sum(other[2] != "none" for other in pairs)
    return f"{made['place']} {len(made['windows'])} windows, {true} relations of {len(pairs)}"


if __name__ == "__main__":
    sys.exit(main())
