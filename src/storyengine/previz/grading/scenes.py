"""From a seed to a folder of scenes: composed and drawn by the studio, asked about by contracts, labelled by truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.continuity.crew import CLIP_FRACTIONS
from storyengine.contract import RenderContract
from storyengine.grounding.panorama import PROBE_SIZE, RING
from storyengine.grounding.sphere import PROBES
from storyengine.language.captions import caption, captions_of
from storyengine.media import panorama as sphere_views
from storyengine.media.encode import encode
from storyengine.media.picture import Picture, Pixels
from storyengine.plan import Event
from storyengine.previz.grading.folder import Probe, Sample, SceneFolder, png_of
from storyengine.previz.grading.labels import Shown, Take
from storyengine.previz.grading.library import SIZE, StoryLibrary
from storyengine.previz.grading.planting import UNWANTED, Planting, Spoiled
from storyengine.previz.grading.questions import More, questions
from storyengine.previz.grading.stories import SECONDS, Situation, cast_story, invent, plan_of
from storyengine.previz.grading.words import Words
from storyengine.previz.render import Renderer
from storyengine.previz.studio.animator import camera_path
from storyengine.previz.studio.compose import compose_opening
from storyengine.previz.studio.drawing import blemished
from storyengine.previz.studio.events import write_script
from storyengine.previz.studio.performance import timeline
from storyengine.previz.studio.reading import read_prompt
from storyengine.previz.studio.scene import Lens, Scene, Setting
from storyengine.previz.studio.sets import baked_of
from storyengine.previz.studio.staging import Moment, rest, view
from storyengine.prompts import pictures

SCENES_PER_STORY = 20
CLIPS = 0.4
"""Share of scenes in which something happens."""
ERRORS_FROM = 0.004
"""Share of the frame from which errors are planted in things: less would be wasted on what is hardly seen."""
MASK = (640, 360)
_SMALL = (320, 180)
"""Size at which a faultless picture is drawn, only to know how large things would be in it."""


def draw_scenes(
    folder: SceneFolder,
    words: Mapping[str, Words],
    scenes: int,
    seed: int,
    jobs: int,
    tell: Callable[[int], None] = lambda done: None,
) -> None:
    """Draw what the folder lacks, story by story. `tell` hears how many scenes there are."""
    if folder.manifest() is None:
        folder.note(seed, 0, SIZE)
    lacking = sorted(set(range(scenes)) - set(folder.numbers()))
    stories: dict[int, list[int]] = {}
    for number in lacking:
        stories.setdefault(number // SCENES_PER_STORY, []).append(number)
    done = scenes - len(lacking)
    work = partial(_draw_story, folder.path, dict(words), seed)
    for count in _in_parallel(work, list(stories.items()), jobs):
        done += count
        tell(done)
    folder.note(seed, scenes, SIZE)


def _in_parallel(
    work: Callable[[tuple[int, list[int]]], int], stories: list[tuple[int, list[int]]], jobs: int
) -> Iterator[int]:
    if jobs == 1 or len(stories) < 2:
        yield from map(work, stories)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, stories)


def _draw_story(path: Path, words: Mapping[str, Words], seed: int, story: tuple[int, list[int]]) -> int:
    """All scenes of one story that are wanted; returns how many."""
    number, wanted = story
    sources = list(words)
    source = sources[number % len(sources)]
    library = StoryLibrary(cast_story(words[source], Random(f"{seed} story {number}")), f"{seed} story {number}")
    # Both rooms are needed for the error of playing in the wrong one.
    for place in library.cast.catalog.environments:
        library.build(place)
    for index, place in enumerate(library.cast.catalog.environments):
        _draw_probes(SceneFolder(path), library, place, (number * 2 + index) * len(RING))
    for scene in wanted:
        _Maker(SceneFolder(path), library, source, scene, Random(f"{seed} scene {scene}")).make()
    return len(wanted)


def _draw_probes(folder: SceneFolder, library: StoryLibrary, place: str, first: int) -> None:
    """The level probes of a place's panorama, with what they show."""
    catalog, scene = library.cast.catalog, library.scenes[place]
    environment = catalog.environments[place]
    assert scene.lens is not None
    things = [(f"landmark:{mark.id}", f"the {mark.name} (thing; fixed)") for mark in environment.landmarks]
    things += [(e, caption(catalog.entities[e])) for e, zone in library.cast.home if zone.environment == place]
    for number, name in enumerate(RING, start=first):
        look = PROBES[name]
        view_ = sphere_views.view(library.panorama(place), look.yaw, look.pitch, look.fov, PROBE_SIZE, PROBE_SIZE)
        lens = replace(scene.lens, yaw=look.yaw, pitch=look.pitch, fov=look.fov)
        shown = drawn(scene, rest(scene), lens, (PROBE_SIZE, PROBE_SIZE))
        boxes = _boxes(shown)
        found = {thing: boxes[thing] for thing, _ in things if thing in boxes}
        folder.add_probe(number, Probe(folder.keep(png_of(view_.pixels)), tuple(things), found))


@dataclass(frozen=True)
class _Maker:
    """Makes one scene."""

    folder: SceneFolder
    library: StoryLibrary
    source: str
    number: int
    dice: Random

    def make(self) -> None:
        clip = self.dice.random() < CLIPS
        asked = invent(self.library.cast, self.dice, clip=clip)
        expected = self._expected(asked)
        predicted = {e: expected.share(e) for e in self.library.cast.catalog.entities}
        sees = [e for e, share in predicted.items() if share >= ERRORS_FROM]
        spoiled = Planting(self.library.cast, asked, self.dice, sees).plant()
        contract = self.library.contract(asked, self.number, predicted)
        frames = self._frames(spoiled, clip=clip)
        more = More.about(self.library.cast, asked, sees, self.dice)
        take = self._take(spoiled, frames, more.event)
        criteria = (*contract.criteria, *more.criteria())
        names = sorted({name for frame in frames for name in frame.shares})
        sample = Sample(
            number=self.number,
            words=self.source,
            form="clip" if clip else "still",
            framing=spoiled.situation.framing,
            planted=tuple(f"{e.kind}: {e.about}" if e.about else e.kind for e in spoiled.errors),
            frames=self._pictures(spoiled, frames),
            references=tuple((r.caption, self.folder.keep(r.image)) for r in self.library.references(contract)),
            captions=captions_of(self.library.cast.catalog),
            questions=tuple(questions(criteria, spoiled.errors, take, expected)),
            boxes=tuple(_boxes(frame) for frame in frames),
        )
        self.folder.add(sample, ["", *names], np.stack([_mask(frame, names) for frame in frames]))

    # --- what is drawn

    def _frames(self, spoiled: Spoiled, *, clip: bool) -> tuple[Shown, ...]:
        scene, contract = composed(self.library, self.number, spoiled.situation, spoiled)
        assert scene.lens is not None
        if not clip:
            return (drawn(scene, rest(scene), scene.lens, SIZE),)
        plan, catalog = plan_of(self.library.cast, spoiled.situation), self.library.cast.catalog
        asked = read_prompt(pictures.video(plan, catalog, contract), "clip")
        shown = self.library.shown(spoiled.situation.place, spoiled.other_room)
        dice = spoiled.dice(f"{self.library.sample} scene {self.number}", self.library.sample)
        line = timeline(scene, write_script(asked, scene, shown, dice), SECONDS)
        lens_at = camera_path(scene, asked.camera, line)
        frames = []
        for t in _seconds():
            t = 0.0 if spoiled.frozen else t
            now, moment = line.moment(t)
            frames.append(drawn(now, moment, lens_at(t), SIZE))
        return tuple(frames)

    def _expected(self, asked: Situation) -> Shown:
        """The faultless opening, small: how large things would be."""
        scene, _ = composed(self.library, self.number, asked, None)
        assert scene.lens is not None
        return drawn(scene, rest(scene), scene.lens, _SMALL)

    def _pictures(self, spoiled: Spoiled, frames: Sequence[Shown]) -> tuple[tuple[float, str], ...]:
        """Finished pictures; those of a clip have been through the product's encoder."""
        blemish = frames[0].scene.blemish
        finished = [Picture(_laid_over(blemished(frame.pixels, blemish), spoiled.overlay)) for frame in frames]
        if len(finished) == 1:
            return ((0.0, self.folder.keep(png_of(finished[0].pixels))),)
        decoded = encode(finished).frames
        kept = [self.folder.keep(png_of(decoded[k].pixels)) for k in range(len(finished))]
        return tuple(zip(_seconds(), kept, strict=True))

    # --- what is asked

    def _take(self, spoiled: Spoiled, frames: tuple[Shown, ...], other: Event | None) -> Take:
        kinds = {error.kind for error in spoiled.errors}
        return Take(
            frames=frames,
            catalog=self.library.cast.catalog,
            setting=self.library.setting(spoiled.situation.place),
            faces=self.library.faces,
            move=spoiled.situation.move,
            unwanted=frozenset(UNWANTED[kind] for kind in kinds if kind in UNWANTED),
            events=tuple(event for event in (spoiled.situation.event, other) if event is not None),
            omitted="omitted action" in kinds,
        )


def composed(
    library: StoryLibrary, number: int, situation: Situation, spoiled: Spoiled | None
) -> tuple[Scene, RenderContract]:
    """An opening as the studio composes it from the product's prompt."""
    contract = library.contract(situation, number, setting=_setting(library, situation.place, spoiled))
    prompt = pictures.opening(plan_of(library.cast, situation), library.cast.catalog, contract)
    shown = library.shown(situation.place, spoiled is not None and spoiled.other_room)
    dice = (spoiled or Spoiled(situation)).dice(f"{library.sample} scene {number}", library.sample)
    return compose_opening(read_prompt(prompt), shown, dice), contract


def _setting(library: StoryLibrary, place: str, spoiled: Spoiled | None) -> Setting:
    """The room that will be drawn."""
    if spoiled is not None and spoiled.other_room:
        return library.other(place)
    built = library.setting(place)
    if spoiled is not None and spoiled.rebuilt:
        return replace(built, seed=spoiled.dice("", library.sample).seed("room"))
    return built


def _seconds() -> list[float]:
    """The seconds at which a judge looks at a candidate."""
    return [round(share * SECONDS, 3) for share in CLIP_FRACTIONS]


def drawn(scene: Scene, moment: Moment, lens: Lens, size: tuple[int, int]) -> Shown:
    """A frame with its truth."""
    frame = Renderer(baked_of(scene.setting)).draw(view(scene, moment, lens), *size, truth=True)
    assert frame.ids is not None
    return Shown(scene, moment, lens, frame.ids, frame.pixels)


def _laid_over(pixels: Pixels, overlay: str) -> Pixels:
    height, width = pixels.shape[:2]
    if overlay == "split screen":
        half, near = width // 2, height * 3 // 4
        left = pixels[:, width // 4 : width // 4 + half]
        right = np.asarray(cv2.resize(pixels[:near, : half * 3 // 4], (half, height)), np.uint8)
        halves = np.hstack([left, right])
        halves[:, half - 4 : half + 4] = 235
        return np.ascontiguousarray(halves)
    if overlay == "watermark":
        mark = pixels.copy()
        at, r = (int(width * 0.92), int(height * 0.12)), int(height * 0.06)
        cv2.circle(mark, at, r, (255, 255, 255), max(2, r // 6), cv2.LINE_AA)
        x, y, s = at[0], at[1], r // 3
        corners = np.array([(x - s, y - s), (x - s, y + s), (x + s, y)])
        cv2.fillPoly(mark, [corners], (255, 255, 255), cv2.LINE_AA)
        return np.asarray(cv2.addWeighted(mark, 0.6, pixels, 0.4, 0), np.uint8)
    return pixels


def _boxes(frame: Shown) -> dict[str, list[float]]:
    return {name: [round(value, 5) for value in (share, *frame.box(name))] for name, share in frame.shares.items()}


def _mask(frame: Shown, names: Sequence[str]) -> npt.NDArray[np.uint8]:
    step = frame.ids.shape[1] // MASK[0]
    small = frame.ids[::step, ::step]
    out = np.zeros(small.shape, np.uint8)
    for index, name in enumerate(names, start=1):
        if name in frame.named:
            out[small == frame.named[name]] = index
    return out
