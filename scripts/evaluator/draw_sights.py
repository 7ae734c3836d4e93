"""Draw what the evaluator's first looks take for a thing, rightly or wrongly, for a closer look that tells which.

    python scripts/evaluator/draw_sights.py FOLDER --files 0:400 [--seed 1]

A file, `sights-0007.pickle`, holds the things of a few casts in one room with their reference pictures, and windows of
frames in which `finding.search` answered when it was asked for one of them, or for one that is not there. The first
looks are those that ship: what they mistake is what must be learned.
"""

from __future__ import annotations

import sys
import traceback
from random import Random

import cv2
import filing
import numpy as np
import stage
import words
from cutting import SPARE, STORED, jpeg
from draw import cast_in, decoded, draw_scene, staged_frames, thing_record

from storyengine.media.picture import Picture
from storyengine.plan import Entity
from storyengine.previz.evaluator.finding import Region, search
from storyengine.previz.evaluator.seeing import CELL, Sight
from storyengine.previz.evaluator.subjects import ThingSubject, thing_subject
from storyengine.previz.evaluator.windows import CLOSER
from storyengine.previz.grading.labels import Shown
from storyengine.previz.grading.library import StoryLibrary
from storyengine.previz.studio.truth import AGAIN

CASTS, SCENES, STAGES = 8, 2, 2
"""Casts of a room; composed scenes and crowded stages of each."""
SIZES = ((640, 360), (640, 360), (1280, 720))
OTHERS = 5
"""Things of the cast before that are asked for though they are not there."""
LEAST, REGIONS = -1.5, 3
"""Log-odds of a region that is worth a closer look, and how many of a thing are kept."""
ITS, FOREIGN = 0.5, 0.06
"""Share of a region that the thing has from which it is the thing's, and up to which it is not."""


def subject_of(library: StoryLibrary, entity: Entity, record: dict) -> ThingSubject:
    pictures = []
    for values, _, _, _ in record["shown"]:
        asset = next(a for (name, _), a in library.assets.items() if name == entity.id and _said(a) == values)
        pictures.append((tuple(v for _, v in values), Picture(decoded(library.images[asset.picture]))))
    return thing_subject(entity, pictures)


def _said(asset: object) -> tuple:
    return tuple((v.attribute, v.value) for v in asset.values)


def regions(frame: Shown, subjects: dict[str, ThingSubject], dice: Random) -> list[tuple]:
    """(thing, whether it is the thing, firmness, share, window, mask) for whatever answers in a frame."""
    sight = Sight(0, 0.0, Picture(np.ascontiguousarray(frame.pixels)), sharp=dice.random() < 0.7)
    found = []
    for name, subject in subjects.items():
        entity = name.partition(" ")[2]
        own = [frame.named[n] for n in (entity, entity + AGAIN) if n in frame.named]
        shown = np.isin(frame.ids, own).astype(np.float32) if name.startswith("here") else np.zeros(frame.ids.shape)
        cells = cv2.resize(shown.astype(np.float32), sight.grid[::-1], interpolation=cv2.INTER_AREA)
        for region in search(sight, subject.query, subject.known).regions[:REGIONS]:
            if region.odds < LEAST:
                continue
            share = float(cells[region.mask].mean())
            if share >= ITS or share <= FOREIGN:
                found.append((name, share >= ITS, region.firm, region.share, *window(sight, region, CLOSER, STORED)))
    return found


def window(sight: Sight, region: Region, reach: float, stored: int) -> tuple[bytes, bytes]:
    half = SPARE * max(max(region.rect.w, region.rect.h) / 2 * reach, 0.02 * sight.shape[1])
    colours = sight.window(region.rect.centre, (half, half), (stored, stored))
    mask = sight.cells(region.likely, region.rect.centre, (half, half), (stored, stored))
    small = cv2.resize(mask, (stored // CELL, stored // CELL), interpolation=cv2.INTER_AREA)
    return jpeg(colours, 90), cv2.imencode(".png", (small * 255).astype(np.uint8))[1].tobytes()


def frames_of(library: StoryLibrary, number: int, composed: bool, dice: Random) -> list[Shown]:
    """Some looks at a composed scene, or at a crowded stage."""
    size = dice.choice(SIZES)
    if composed:
        return draw_scene(library, number, dice, size)
    place = next(iter(library.cast.catalog.environments))
    return staged_frames(library, stage.staged(library, place, dice), dice, size)[:3]


def draw_sights(number: int, seed: int) -> dict:
    dice = Random(f"{seed} sights {number}")
    environment = words.place(dice)
    made: dict = {"things": {}, "sights": [], "place": environment.name}
    before: dict[str, ThingSubject] = {}
    for cast_number in range(CASTS):
        library = cast_in(environment, cast_number, dice, f"teach {seed} {number}")
        cast = library.cast
        records = {entity.id: thing_record(library, entity) for entity in cast.things}
        known = {e.id: subject_of(library, e, records[e.id]) for e in cast.things}
        made["things"] |= {f"{cast_number} {name}": record for name, record in records.items()}
        for scene_number in range(SCENES + STAGES):
            own = Random(f"{seed} sights {number} cast {cast_number} scene {scene_number}")
            try:
                frames = frames_of(library, 1000 * cast_number + scene_number, scene_number < SCENES, own)
            except Exception:
                traceback.print_exc(limit=-3)
                continue
            absent = dict(own.sample(sorted(before.items()), min(OTHERS, len(before))))
            asked = {f"here {name}": s for name, s in known.items()}
            asked |= {f"there {name}": s for name, s in absent.items()}
            for frame in frames:
                for name, *rest_ in regions(frame, asked, own):
                    here, _, entity = name.partition(" ")
                    of = f"{cast_number - (here == 'there')} {entity}"
                    made["sights"].append((of, scene_number < SCENES, *rest_))
        before = known
    return made


def main() -> int:
    args = filing.options(__doc__, "files", "0:20").parse_args()
    cv2.setNumThreads(1)
    filing.fill(args, "sights", lambda number: draw_sights(number, args.seed), _told)
    return 0


def _told(made: dict) -> str:
    right = sum(one[2] for one in made["sights"])
    return f"{made['place']} {len(made['things'])} things, {right} sights of {len(made['sights'])} are right"


if __name__ == "__main__":
    sys.exit(main())
