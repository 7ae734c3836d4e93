"""The painter behind its port: text and pictures in, a picture out, by jobs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np

from storyengine.backends.ports import PainterCapabilities, PaintRequest, ReferenceImage
from storyengine.errors import InputError, Refused, StoryEngineError, Unavailable
from storyengine.media.picture import Picture
from storyengine.previz.studio import compose
from storyengine.previz.studio.drawing import check_size, draw_scene
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.index import Index
from storyengine.previz.studio.jobs import JobDesk, Outcome
from storyengine.previz.studio.reading import SceneRequest, Task, read_prompt
from storyengine.previz.studio.scene import Scene
from storyengine.runs.digest import digest, digest_bytes
from storyengine.runs.provider import Declined, Ready, Waiting

SLOW = 4.0
"""Seconds that a slow job keeps its client waiting."""


class StudioPainter:
    """Paints on this machine. The same request gives the same bytes."""

    def __init__(self, fallibility: str = "none", folder: Path | None = None) -> None:
        self.fallibility = Dice(fallibility, "").profile
        self.index = Index(folder)
        self._desk = JobDesk(self.index, "picture", PaintRequest, self.paint)

    @property
    def capabilities(self) -> PainterCapabilities:
        return PainterCapabilities(max_references=16, max_width=8192, seed=True)

    async def submit(self, request: PaintRequest, call: str) -> str:
        check_size(request.width, request.height)
        return self._desk.submit(request, f"{self.fallibility} {call}")

    async def poll(self, job: str) -> Waiting | Ready | Declined:
        return self._desk.poll(job)

    async def fetch(self, job: str) -> bytes:
        return self._desk.fetch(job)

    async def lookup(self, call: str) -> str | None:
        return self._desk.lookup(f"{self.fallibility} {call}")

    def paint(self, request: PaintRequest, task: Task | None = None) -> Outcome:
        """The picture at once, without a job. `task` overrides what kind of picture the prompt asks for."""
        check_size(request.width, request.height)
        dice = Dice(self.fallibility, sample_key(request))
        spoiled = broken_job(dice)
        if spoiled is not None:
            return Outcome(error=spoiled)
        shown = known(self.index, request.references)
        scene = compose_scene(read_prompt(request.prompt, task), shown, dice)
        picture = _spoiled(draw_scene(scene, request.width, request.height), dice)
        self.index.keep(picture, scene)
        data = picture.to_png()
        if dice.fails("undecodable file"):
            data = data[: len(data) // 3]
        return Outcome(data, seconds=SLOW if dice.fails("slow job") else 0.0)


def compose_scene(request: SceneRequest, shown: compose.Shown, dice: Dice) -> Scene:
    match request.task:
        case "sheet":
            return compose.compose_sheet(request, shown, dice)
        case "thing":
            return compose.compose_thing(request, shown, dice)
        case "panorama":
            return compose.compose_panorama(request, shown, dice)
    return compose.compose_opening(request, shown, dice)


def sample_key(request: PaintRequest) -> str:
    """What the luck of a sample hangs on: everything that was asked, and the seed."""
    asked = asdict(request)
    asked["references"] = [[r.caption, digest_bytes(r.image)] for r in request.references]
    return digest("StudioPicture", asked)


def known(index: Index, references: tuple[ReferenceImage, ...]) -> compose.Shown:
    """The references that the studio recognises. A file that is no picture is a fault of the request."""
    found = []
    for reference in references:
        scene = index.recognise_file(reference.image)
        if scene is not None:
            found.append((reference.caption, scene))
    return compose.Shown(tuple(found))


def broken_job(dice: Dice) -> StoryEngineError | None:
    """A refusal or a failing job, where the dice say so."""
    if dice.fails("refusal"):
        return Refused(
            "The studio declined this content.", "simulated refusal", next_step="Change the words, or the seed."
        )
    if dice.fails("failing job"):
        return Unavailable("The job failed on the studio's side.", next_step="Submit it again.")
    return None


def _spoiled(picture: Picture, dice: Dice) -> Picture:
    if dice.fails("black file"):
        return Picture(np.zeros_like(picture.pixels))
    if dice.fails("wrong size"):
        smaller = picture.resize(max(16, picture.width * 3 // 4), max(16, picture.height * 3 // 4))
        return Picture(smaller.pixels)
    return picture


def make_painter(*, fallibility: str = "none", folder: str | Path | None = None) -> StudioPainter:
    """The embedded painter. `fallibility` is none, low, default, high or flat; `folder` holds its index and jobs."""
    if folder is not None and not str(folder):
        raise InputError("The studio's folder has an empty name.", next_step="Leave it out, or name a folder.")
    return StudioPainter(fallibility, Path(folder) if folder is not None else None)
