"""Draw what the evaluator meets when it looks closely: whatever its first looks find in frames, rightly or wrongly.

    python scripts/evaluator/draw_windows.py FOLDER --files 0:400 [--seed 1]

A file, `windows-0007.pickle`, holds the things of a few casts in one room with their reference pictures, cut free, and
three kinds of windows of composed scenes and of crowded stages, marked with what the first looks took for the thing:

- `sights`: regions that answered when a thing was looked for, or one that is not there: is it the thing, are there two?
- `relations`: surroundings of what was found, and whatever lies near: is it held, on, in, fastened to that?
- `states`: what was found, as it is and in another state: which one is it?
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

import cv2
import filing
import numpy as np
import stage
import words
from cutting import SPARE, jpeg
from draw import cast_in, decoded, draw_scene, staged_frames, thing_record

from storyengine.media.picture import Picture
from storyengine.plan import Entity
from storyengine.previz.appearance import person_look
from storyengine.previz.evaluator.attention import PARTS
from storyengine.previz.evaluator.eye import Eye
from storyengine.previz.evaluator.finding import Region, search
from storyengine.previz.evaluator.networks import Floats
from storyengine.previz.evaluator.relating import PATCH, geometry
from storyengine.previz.evaluator.seeing import CELL, Sight
from storyengine.previz.evaluator.subjects import (
    STATE,
    STATE_SIZE,
    PersonSubject,
    Subjects,
    ThingSubject,
    thing_subject,
)
from storyengine.previz.evaluator.windows import RELATES, RELATION_SIZE
from storyengine.previz.grading.labels import Shown
from storyengine.previz.grading.library import StoryLibrary
from storyengine.previz.grading.scenes import drawn
from storyengine.previz.studio.truth import AGAIN
from storyengine.previz.studio.truth import SEEN as SHOWN

CASTS, SCENES, STAGES = 4, 3, 2
"""Casts of a room; composed scenes and crowded stages of each."""
SIZES = ((640, 360), (640, 360), (1280, 720))
OTHERS = 5
"""Things of the cast before that are looked for though they are not there."""
LEAST, REGIONS = -0.5, 3
"""Firmness of a region that is worth a closer look, and how many of a thing are kept."""
ITS, FOREIGN = 0.5, 0.06
"""Share of a region that the thing has from which it is the thing's, and up to which it is not."""
EACH, HARDLY = 0.2, 0.03
"""Part of what a region shows of a thing, and of a second one, that the lesser of the two has where it shows both, and
where it shows only one."""
NEIGHBOURS = 3
"""Other things to which one does not relate, those that lie nearest, that are asked about."""
RESTATED = 0.5
"""How often a thing that was found is drawn in another state, too: it takes another picture."""

Said = tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, eq=False)
class Look:
    """One frame, what is known of the cast, and what the first looks find."""

    frame: Shown
    eye: Eye

    @property
    def sight(self) -> Sight:
        return self.eye.sights[0]

    @cached_property
    def names(self) -> list[str]:
        """Everybody and everything that is there and seen."""
        some = (*self.eye.subjects.people, *self.eye.subjects.things)
        return [n for n in some if n in self.frame.named and self.eye.seen(0, n) is not None]

    def shown(self, name: str) -> Floats:
        """How much of every cell shows somebody or something."""
        if name not in self.frame.named:
            return np.zeros(self.sight.grid, np.float32)
        own = (self.frame.ids == self.frame.named[name]).astype(np.float32)
        return cv2.resize(own, self.sight.grid[::-1], interpolation=cv2.INTER_AREA)

    def is_right(self, name: str, region: Region) -> bool:
        return float(self.shown(name)[region.mask].mean()) >= ITS

    def half(self, region: Region, reach: float) -> float:
        return max(max(region.rect.w, region.rect.h) / 2 * reach, 0.02 * self.sight.shape[1])

    def window(self, region: Region) -> tuple[bytes, bytes]:
        """Colours, and what shows the region, a little wider than the evaluator cuts them."""
        half, kept = SPARE * self.half(region, STATE), round(SPARE * STATE_SIZE / CELL)
        cells = self.sight.cells(region.likely, region.rect.centre, (half, half), (CELL * kept, CELL * kept))
        small = cv2.resize(cells, (kept, kept), interpolation=cv2.INTER_AREA)
        return self.colours(region, half, STATE_SIZE), _png(small)

    def colours(self, region: Region, half: float, size: int) -> bytes:
        stored = round(SPARE * size)
        return jpeg(self.sight.window(region.rect.centre, (half, half), (stored, stored)), 88)

    def marks(self, region: Region, half: float, maps: list[Floats]) -> bytes:
        """Maps of cells side by side, as relations are told from them."""
        side = (round(SPARE * PARTS * PATCH),) * 2
        return _png(np.hstack([self.sight.cells(m, region.rect.centre, (half, half), side) for m in maps]))


def _png(mask: Floats) -> bytes:
    return cv2.imencode(".png", (mask * 255).astype(np.uint8))[1].tobytes()


# --- is it the thing ------------------------------------------------------------------------------------------------


def sights(look: Look, absent: dict[str, ThingSubject]) -> Iterator[tuple]:
    """(thing, whether it is there, whether a region is the thing, whether it shows two, firmness, share, window) of
    whatever answers."""
    own = {(name, True): subject for name, subject in look.eye.subjects.things.items()}
    for (name, here), subject in (own | {(name, False): s for name, s in absent.items()}).items():
        one, second = (look.shown(n) if here else np.zeros(look.sight.grid) for n in (name, name + AGAIN))
        found = look.eye.searched(0, subject) if here else search(look.sight, subject.query, subject.known)
        for region in found.regions[:REGIONS]:
            share = float((one + second)[region.mask].mean())
            if region.firm < LEAST or FOREIGN < share < ITS:
                continue
            lesser = min(float(one[region.mask].sum()), float(second[region.mask].sum())) / max(
                float((one + second)[region.mask].sum()), 1e-6
            )
            both = None if HARDLY < lesser < EACH else lesser >= EACH
            cut = look.window(region)
            yield name, here, share >= ITS, both, region.firm, region.share, *cut


# --- how does it relate ---------------------------------------------------------------------------------------------


def relations(look: Look) -> Iterator[tuple]:
    """(thing, window, [(other, whether somebody, relation, what shows it, where it lies)]) of whatever is found where
    it is."""
    eye, people = look.eye, look.eye.crowd(0).people
    for name in look.names:
        thing = look.frame.scene.props.get(name)
        if thing is None or name in eye.subjects.people:
            continue
        others = sorted((n for n in look.names if n != name), key=lambda other: eye.gap(0, name, other))
        near = [n for n in others if n in eye.subjects.things and n != thing.target][:NEIGHBOURS]
        found: dict[int, tuple[Region, list[tuple]]] = {}
        for other in [n for n in others if n == thing.target or n in near or n in eye.subjects.people]:
            pair = eye.pair(0, name, other)
            if pair is None or not look.is_right(name, pair[0]) or not look.is_right(other, pair[1]):
                continue
            relation = thing.relation if other == thing.target else "none"
            half = look.half(pair[0], RELATES)
            mask = look.marks(pair[0], SPARE * half, [pair[1].likely])
            where = tuple(geometry(pair[0].rect, pair[1].rect, half).tolist())
            told = (other, other in eye.subjects.people, relation, mask, where)
            found.setdefault(id(pair[0]), (pair[0], []))[1].append(told)
        for region, told in found.values():
            half = SPARE * look.half(region, RELATES)
            colours = look.colours(region, half, RELATION_SIZE)
            yield name, colours, look.marks(region, half, [region.likely, people]), told


# --- which state is it ----------------------------------------------------------------------------------------------


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


def states(look: Look, dice: Random) -> Iterator[tuple]:
    """(thing, its states as they show, its share, window) of everything that is found where it is."""
    frame, things = look.frame, look.eye.subjects.things
    for name in (n for n in look.names if n in things and things[n].entity.attributes):
        entity, region = things[name].entity, look.eye.seen(0, name)
        if region is None or frame.share(name) < SHOWN or frame.is_rim(name):
            continue
        right = look.is_right(name, region)
        shown = shown_states(frame, entity) if right else tuple((a.name, None) for a in entity.attributes)
        if shown:
            yield name, shown, frame.share(name), look.window(region)
        for attribute, now in shown:
            if now is not None and dice.random() < RESTATED:
                values = next(a.values for a in entity.attributes if a.name == attribute)
                other = dice.choice([value for value in values if value != now])
                seen = Look(frame, Eye(look.eye.subjects, [otherwise(frame, name, attribute, other)]))
                yield name, ((attribute, other),), frame.share(name), seen.window(region)


def otherwise(frame: Shown, name: str, attribute: str, value: str) -> Sight:
    """The same picture with a thing in another state."""
    changed = frame.otherwise(frame.scene.props[name].with_state(attribute, value))
    height, width = frame.ids.shape
    return Sight(0, 0.0, Picture(drawn(frame.scene, changed, frame.lens, (width, height)).pixels))


# --- rooms ----------------------------------------------------------------------------------------------------------


def subjects_of(library: StoryLibrary, records: dict[str, dict]) -> Subjects:
    cast = library.cast
    things = {e.id: _subject(library, e, records[e.id]) for e in cast.things}
    people = {
        e.id: PersonSubject(e, person_look(e.name, e.look), decoded(library.images[library.asset(e.id, ()).picture]))
        for e in cast.people
    }
    return Subjects(cast.catalog, things, people, {})


def _subject(library: StoryLibrary, entity: Entity, record: dict) -> ThingSubject:
    pictures = []
    for values, *_ in record["shown"]:
        asset = next(a for (name, _), a in library.assets.items() if name == entity.id and _said(a) == values)
        pictures.append((tuple(v for _, v in values), Picture(decoded(library.images[asset.picture]))))
    return thing_subject(entity, pictures)


def _said(asset: object) -> tuple:
    return tuple((v.attribute, v.value) for v in asset.values)


def frames_of(library: StoryLibrary, number: int, composed: bool, dice: Random) -> list[Shown]:
    """Some looks at a composed scene, or at a crowded stage."""
    size = dice.choice(SIZES)
    if composed:
        return draw_scene(library, number, dice, size)
    place = next(iter(library.cast.catalog.environments))
    return staged_frames(library, stage.staged(library, place, dice), dice, size)[:3]


def draw_windows(number: int, seed: int) -> dict:
    dice = Random(f"{seed} windows {number}")
    environment = words.place(dice)
    made: dict = {"things": {}, "sights": [], "relations": [], "states": [], "place": environment.name, "found": True}
    before: dict[str, ThingSubject] = {}
    for cast_number in range(CASTS):
        library = cast_in(environment, cast_number, dice, f"teach {seed} windows {number}")
        records = {entity.id: thing_record(library, entity, free=True) for entity in library.cast.things}
        subjects = subjects_of(library, records)
        made["things"] |= {f"{cast_number} {name}": record for name, record in records.items()}
        for scene_number in range(SCENES + STAGES):
            own = Random(f"{seed} windows {number} cast {cast_number} scene {scene_number}")
            composed = scene_number < SCENES
            absent = dict(own.sample(sorted(before.items()), min(OTHERS, len(before))))
            try:
                for frame in frames_of(library, 1000 * cast_number + scene_number, composed, own):
                    picture = Picture(np.ascontiguousarray(frame.pixels))
                    look = Look(frame, Eye(subjects, [Sight(0, 0.0, picture, sharp=own.random() < 0.7)]))
                    for name, here, *rest in sights(look, absent):
                        made["sights"].append((f"{cast_number - (not here)} {name}", composed, *rest))
                    made["relations"] += [(cast_number, composed, *one) for one in relations(look)]
                    made["states"] += [(f"{cast_number} {name}", *rest) for name, *rest in states(look, own)]
            except Exception:
                traceback.print_exc(limit=-3)
        before = subjects.things
    return made


def main() -> int:
    args = filing.options(__doc__, "files", "0:20").parse_args()
    cv2.setNumThreads(1)
    filing.fill(args, "windows", lambda number: draw_windows(number, args.seed), _told)
    return 0


def _told(made: dict) -> str:
    right = sum(one[2] for one in made["sights"])
    kinds = (f"{right} of {len(made['sights'])} sights", *(f"{len(made[k])} {k}" for k in ("relations", "states")))
    return f"{made['place']} {len(made['things'])} things, {', '.join(kinds)}"


if __name__ == "__main__":
    sys.exit(main())
