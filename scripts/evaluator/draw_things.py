"""Draw many different things, each in all its states from a few sides: states are learned from things that differ.

    python scripts/evaluator/draw_things.py FOLDER --files 0:40 [--seed 1]

A file, `things-0007.pickle`, holds eighty things with their reference pictures, cut free, and windows. Each thing is on
a small stage of its own; from every side it is drawn once in every state, with everything else the same, so that only
the state can tell the pictures apart, or it is noted that nothing can.
"""

from __future__ import annotations

import math
import sys
import traceback
from dataclasses import replace
from random import Random

import filing
import numpy as np
import stage
import words
from cutting import SMALL, SPARE, Cutter
from draw import thing_record

from storyengine.plan import Catalog, Entity
from storyengine.previz.evaluator.seeing import CELL
from storyengine.previz.evaluator.subjects import STATE, STATE_SIZE
from storyengine.previz.grading.labels import Shown
from storyengine.previz.grading.library import StoryLibrary
from storyengine.previz.grading.scenes import drawn
from storyengine.previz.grading.stories import Cast
from storyengine.previz.grading.words import words_of
from storyengine.previz.studio.scene import Lens, Scene
from storyengine.previz.studio.staging import rest
from storyengine.previz.studio.truth import OTHER_LEVEL, OTHER_PART, OTHER_STATE

THINGS, SIDES = 80, 5
"""Things of a file, and sides from which each is seen."""
SEEN = (18.0, 190.0)
"""How long a thing is, in pixels of the size in which the evaluator looks at a frame."""
AROUND = 2.4
"""Width of what is drawn, in lengths of the thing."""
LARGEST = 400
STORED = round(SPARE * STATE_SIZE)


def things(dice: Random) -> list[Entity]:
    """Different names, and something to tell apart about each."""
    found: dict[str, Entity] = {}
    while len(found) < THINGS:
        thing = words.thing(dice)
        if thing.attributes:
            found.setdefault(thing.id, thing)
    return list(found.values())


class Part:
    """Part of a frame, around a thing, drawn in one of its states."""

    def __init__(self, scene: Scene, thing: str, lens: Lens, wide: float, size: int) -> None:
        self.scene, self.thing, self.wide = scene, thing, wide
        self.frame: Shown = drawn(scene, rest(scene), lens, (size, size))
        self.own = self.frame.ids == self.frame.named[thing]

    def share(self) -> float:
        """Of the whole frame."""
        return float(self.own.mean()) * self.wide**2 / (SMALL[0] * SMALL[1])

    def differs(self, other: Part) -> bool:
        """Whether the thing looks different there."""
        apart = np.abs(self.frame.pixels.astype(np.int16) - other.frame.pixels).max(axis=2) > OTHER_LEVEL
        changed = (apart & (self.own | other.own)).mean() * self.wide**2 / (SMALL[0] * SMALL[1])
        return bool(changed >= max(OTHER_STATE, OTHER_PART * self.share()))

    def state(self, shown: tuple[tuple[str, str | None], ...]) -> tuple | None:
        """The thing, its states as they show (None: nobody could tell from here), its share, the evaluator's window."""
        cutter = Cutter(self.frame, {self.thing: self.share()}, (round(self.wide), round(self.wide)))
        rect = cutter.rects.get(self.thing)
        return rect and (f"0 {self.thing}", shown, self.share(), cutter.window(rect, STATE, [self.thing], STORED))


def seen_from(scene: Scene, thing: str, dice: Random) -> tuple[Lens, float, int]:
    """A camera for a part of a frame, the part's width in the evaluator's pixels, and its size."""
    close, moment = stage.close_up(scene, dice, thing)
    lens, posed = close.lens, moment.things[thing]
    assert lens is not None
    long = math.exp(dice.uniform(math.log(SEEN[0]), math.log(SEEN[1])))
    wide = CELL * math.ceil(max(AROUND * long, SPARE * 0.05 * SMALL[0]) / CELL)
    x, y, z = posed.matrix[:, :3] @ (0.0, 0.0, posed.model.size[2] / 2) + posed.matrix[:, 3]
    away = math.dist((x, y, z), (lens.x, lens.y, lens.z))
    focal = long * away / max(posed.model.size)
    fov = min(2 * math.degrees(math.atan(wide / 2 / focal)), 100.0)
    size = 2 * round(min(LARGEST, wide * dice.choice((1.25, 2.5))) / 2)
    return replace(lens, fov=fov), wide, size


def states_of(scene: Scene, entity: Entity, dice: Random) -> list[tuple]:
    """From one side: a window of the thing as it is, and one for every way in which one attribute can be otherwise."""
    lens, wide, size = seen_from(scene, entity.id, dice)
    now = scene.props[entity.id]
    first = Part(scene, entity.id, lens, wide, size)
    found: list[tuple | None] = []
    shows: list[tuple[str, str | None]] = []
    for attribute in entity.attributes:
        others = {
            value: Part(scene.with_thing(now.with_state(attribute.name, value)), entity.id, lens, wide, size)
            for value in attribute.values
            if value != dict(now.states)[attribute.name]
        }
        parts = [first, *others.values()]
        differ = [a.differs(b) for k, a in enumerate(parts) for b in parts[:k]]
        if all(differ):
            shows.append((attribute.name, dict(now.states)[attribute.name]))
            found += [other.state(((attribute.name, value),)) for value, other in others.items()]
        elif not any(differ):
            shows.append((attribute.name, None))
    if shows:
        found.append(first.state(tuple(shows)))
    return [one for one in found if one is not None]


def draw_things(number: int, seed: int) -> dict:
    dice = Random(f"{seed} things {number}")
    known = words_of([*(words.person(dice, k) for k in range(2)), *things(dice)], [words.place(dice)])
    library = StoryLibrary(
        Cast(Catalog.build([*known.people, *known.things], known.places), ()), f"teach {seed} things {number}"
    )
    place = known.places[0].id
    library.build(place)
    made: dict = {"things": {}, "states": [], "place": known.places[0].name}
    for entity in known.things:
        own = Random(f"{seed} things {number} {entity.id}")
        try:
            made["things"][f"0 {entity.id}"] = thing_record(library, entity, free=True)
            scene = stage.staged(library, place, own, entity)
            if entity.id not in rest(scene).things:
                continue
            for _ in range(SIDES):
                made["states"] += states_of(_otherwise(scene, library, own), entity, own)
        except Exception:
            traceback.print_exc(limit=-3)
    return made


def _otherwise(scene: Scene, library: StoryLibrary, dice: Random) -> Scene:
    """The same with other states, none of which shuts anything away."""
    for _ in range(8):
        other = stage.restated(scene, library, dice)
        if set(rest(other).things) >= set(rest(scene).things):
            return other
    return scene


def main() -> int:
    args = filing.options(__doc__, "files", "0:20").parse_args()
    filing.fill(args, "things", lambda number: draw_things(number, args.seed), told)
    return 0


def told(made: dict) -> str:
    """What a file holds."""
    return f"{made['place']} {len(made['things'])} things, {len(made['states'])} windows"


if __name__ == "__main__":
    sys.exit(main())
