"""Draw things in their states as the evaluator meets them: found by its first looks, held, half hidden, cut off.

    python scripts/evaluator/draw_states.py FOLDER --files 0:400 [--seed 1]

A file, `states-0007.pickle`, holds the things of a few casts in one room with their reference pictures, cut free, and
windows of composed scenes and of crowded stages, marked with what the first looks took for the thing. It is read by the
same lesson as what `draw_things.py` draws.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from random import Random

import cv2
import filing
import numpy as np
import words
from draw import cast_in, thing_record
from draw_sights import ITS, frames_of, subject_of, window
from draw_things import STORED, told

from storyengine.media.picture import Picture
from storyengine.plan import Entity
from storyengine.previz.evaluator.eye import SEEN
from storyengine.previz.evaluator.finding import search
from storyengine.previz.evaluator.seeing import Sight
from storyengine.previz.evaluator.subjects import STATE, ThingSubject
from storyengine.previz.evaluator.windows import looked_closer
from storyengine.previz.grading.labels import Shown
from storyengine.previz.grading.scenes import drawn
from storyengine.previz.studio.truth import SEEN as SHOWN

CASTS, SCENES, STAGES = 6, 3, 2
"""Casts of a room; composed scenes and crowded stages of each."""

Said = tuple[tuple[str, str | None], ...]


def shown_states(frame: Shown, entity: Entity) -> Said:
    """Attributes and their values as the frame shows them; None for one of which nobody could tell from here."""
    thing = frame.scene.props[entity.id]
    found: list[tuple[str, str | None]] = []
    for attribute in entity.attributes:
        now = dict(thing.states)[attribute.name]
        others = [thing.with_state(attribute.name, value) for value in attribute.values if value != now]
        differ = [frame.differs(other) for other in others]
        if all(differ):
            found.append((attribute.name, now))
        elif not any(differ):
            found.append((attribute.name, None))
    return tuple(found)


def windows(frame: Shown, things: dict[str, tuple[Entity, ThingSubject]], dice: Random) -> Iterator[tuple]:
    """(thing, its states as they show, its share, window) of everything that is found where it is."""
    sight = Sight(0, 0.0, Picture(np.ascontiguousarray(frame.pixels)), sharp=dice.random() < 0.7)
    for name, (entity, subject) in things.items():
        if not frame.share(name) >= SHOWN or frame.is_rim(name):
            continue
        found = looked_closer(sight, search(sight, subject.query, subject.known), subject.sights)
        if found.best is None or found.odds < SEEN:
            continue
        own = (frame.ids == frame.named[name]).astype(np.float32)
        cells = cv2.resize(own, sight.grid[::-1], interpolation=cv2.INTER_AREA)
        right = float(cells[found.best.mask].mean()) >= ITS
        shown = shown_states(frame, entity) if right else tuple((a.name, None) for a in entity.attributes)
        if shown:
            yield name, shown, frame.share(name), window(sight, found.best, STATE, STORED)
        for attribute, now in shown:
            if now is not None:
                values = next(a.values for a in entity.attributes if a.name == attribute)
                other = dice.choice([value for value in values if value != now])
                seen = otherwise(frame, name, attribute, other)
                yield name, ((attribute, other),), frame.share(name), window(seen, found.best, STATE, STORED)


def otherwise(frame: Shown, name: str, attribute: str, value: str) -> Sight:
    """The same picture with a thing in another state."""
    changed = frame.otherwise(frame.scene.props[name].with_state(attribute, value))
    height, width = frame.ids.shape
    return Sight(0, 0.0, Picture(drawn(frame.scene, changed, frame.lens, (width, height)).pixels))


def draw_states(number: int, seed: int) -> dict:
    dice = Random(f"{seed} states {number}")
    environment = words.place(dice)
    made: dict = {"things": {}, "states": [], "place": environment.name, "found": True}
    for cast_number in range(CASTS):
        library = cast_in(environment, cast_number, dice, f"teach {seed} states {number}")
        some = [entity for entity in library.cast.things if entity.attributes]
        records = {entity.id: thing_record(library, entity, free=True) for entity in some}
        known = {e.id: (e, subject_of(library, e, records[e.id])) for e in some}
        made["things"] |= {f"{cast_number} {name}": record for name, record in records.items()}
        for scene_number in range(SCENES + STAGES):
            own = Random(f"{seed} states {number} cast {cast_number} scene {scene_number}")
            try:
                for frame in frames_of(library, 1000 * cast_number + scene_number, scene_number < SCENES, own):
                    made["states"] += [(f"{cast_number} {n}", *rest) for n, *rest in windows(frame, known, own)]
            except Exception:
                traceback.print_exc(limit=-3)
    return made


def main() -> int:
    args = filing.options(__doc__, "files", "0:20").parse_args()
    cv2.setNumThreads(1)
    filing.fill(args, "states", lambda number: draw_states(number, args.seed), told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
