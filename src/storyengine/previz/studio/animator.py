"""The animator behind its port: text and an opening in, a clip out, by jobs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.backends.ports import AnimateRequest, AnimatorCapabilities
from storyengine.errors import InputError, Misconfigured
from storyengine.media.clip import Clip
from storyengine.media.encode import Encoder
from storyengine.media.picture import Picture
from storyengine.media.yuv_kernels import to_yuv
from storyengine.plan import Entity
from storyengine.previz.render import View, shoot
from storyengine.previz.studio.compose import recast
from storyengine.previz.studio.drawing import written
from storyengine.previz.studio.events import write_script
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.index import Index, Track
from storyengine.previz.studio.jobs import JobDesk, Outcome
from storyengine.previz.studio.painter import SLOW, broken_job, known
from storyengine.previz.studio.performance import Timeline, timeline
from storyengine.previz.studio.reading import CameraWords, SceneRequest, read_prompt
from storyengine.previz.studio.scene import Blemish, Lens, Scene
from storyengine.previz.studio.sets import baked_of, is_free, place_of
from storyengine.previz.studio.staging import Moment, bearing, turned_by, view
from storyengine.runs.digest import digest, digest_bytes
from storyengine.runs.provider import Declined, Ready, Waiting

SHORTEST, LONGEST_SECONDS = 0.5, 60.0
STAYS = 0.005
"""Metres by which a thing may move and still be where it was."""
Packed = npt.NDArray[np.uint32]


class StudioAnimator:
    """Animates on this machine. The same request gives the same bytes."""

    def __init__(self, fallibility: str = "none", folder: Path | None = None) -> None:
        self.fallibility = Dice(fallibility, "").profile
        self.index = Index(folder)
        self._desk = JobDesk(self.index, "clip", AnimateRequest, self.animate)

    @property
    def capabilities(self) -> AnimatorCapabilities:
        return AnimatorCapabilities(durations=(), sizes=(), fps=(), max_references=16, seed=True, audio=False)

    async def submit(self, request: AnimateRequest, call: str) -> str:
        check_clip(request)
        return self._desk.submit(request, f"{self.fallibility} {call}")

    async def poll(self, job: str) -> Waiting | Ready | Declined:
        return self._desk.poll(job)

    async def fetch(self, job: str) -> bytes:
        return self._desk.fetch(job)

    async def lookup(self, call: str) -> str | None:
        return self._desk.lookup(f"{self.fallibility} {call}")

    def animate(self, request: AnimateRequest) -> Outcome:
        """The clip at once, without a job."""
        check_clip(request)
        dice = Dice(self.fallibility, _sample_key(request))
        spoiled = broken_job(dice)
        if spoiled is not None:
            return Outcome(error=spoiled)
        scene = self.index.recognise_file(request.opening)
        frames = max(2, round(request.seconds * request.fps))
        if dice.fails("short file"):
            frames = max(2, frames // 3)
        if scene is None or scene.subject != "view" or scene.lens is None or scene.setting is None:
            clip = _backdrop_clip(Picture.from_bytes(request.opening), request, frames)
            track = None
        else:
            shot = self._shot(request, scene, dice, frames)
            clip = shot.film(request, frames, dice)
            track = shot.track(frames, request.fps)
        if track is not None:
            self.index.keep_clip(clip.digest, track)
        data = clip.data
        if dice.fails("undecodable file"):
            data = data[: len(data) // 4]
        return Outcome(data, seconds=SLOW if dice.fails("slow job") else 0.0)

    def _shot(self, request: AnimateRequest, scene: Scene, dice: Dice, frames: int) -> Shot:
        asked = read_prompt(request.prompt, "clip")
        shown = known(self.index, request.references)
        scene = _drifted(scene, asked, dice)
        beats = write_script(asked, scene, shown, dice)
        line = timeline(scene, beats, frames / request.fps)
        assert scene.lens is not None
        return Shot(line, camera_path(scene, asked.camera, line), _blemish(scene, dice))


def check_clip(request: AnimateRequest) -> None:
    """A clear error for a clip that cannot be made."""
    sizes = 16 <= request.width <= 4096 and 16 <= request.height <= 4096
    if not sizes or request.width % 2 or request.height % 2:
        raise Misconfigured(
            f"The studio cannot make a clip of {request.width}×{request.height}.",
            next_step="Both sides must be even and between 16 and 4096.",
        )
    if not SHORTEST <= request.seconds <= LONGEST_SECONDS or not 1 <= request.fps <= 120:
        raise Misconfigured(
            f"The studio cannot make a clip of {request.seconds} s at {request.fps} frames per second.",
            next_step=f"Ask for {SHORTEST} to {LONGEST_SECONDS:g} seconds at 1 to 120 frames per second.",
        )


def _sample_key(request: AnimateRequest) -> str:
    asked = asdict(request)
    asked["opening"] = digest_bytes(request.opening)
    asked["references"] = [[r.caption, digest_bytes(r.image)] for r in request.references]
    return digest("StudioClip", asked)


@dataclass(frozen=True, eq=False)
class Shot:
    """Everything that happens in a clip, and the camera that sees it."""

    line: Timeline
    lens_at: Callable[[float], Lens]
    blemish: Blemish

    def film(self, request: AnimateRequest, frames: int, dice: Dice) -> Clip:
        setting = self.line.opening.setting
        frozen = dice.fails("frozen file")
        black = dice.fails("black file")
        size = (request.width, request.height)
        if dice.fails("wrong size"):
            size = (request.width // 2 // 2 * 2, request.height // 2 // 2 * 2)

        def view_at(number: int) -> View:
            t = 0.0 if frozen else number / request.fps
            scene, moment = self.line.moment(t)
            return view(scene, moment, self.lens_at(t))

        def retouch(number: int, packed: Packed) -> None:
            if black:
                packed[:] = 0
            else:
                _spoil(packed, self.blemish, number / max(frames - 1, 1))

        changes = black or self.blemish != Blemish()
        return shoot(
            baked_of(setting), view_at, frames, width=size[0], height=size[1], fps=request.fps,
            retouch=retouch if changes else None,
        )  # fmt: skip

    def track(self, frames: int, fps: int) -> Track:
        """What the clip shows, for the index: a frame belongs to the last scene that was complete.

        A scene is complete when everything is where it stays: hands may still be on their way back.
        """
        scenes = self.line.scenes()
        firsts = [0]
        for (_, before), (t, after) in pairwise(scenes):
            number = min(math.ceil(t * fps), frames - 1)
            firsts.append(number if before.things == after.things else self._settled(number, firsts[-1], fps))
        return Track(
            firsts=tuple(firsts),
            scenes=tuple(replace(scene, blemish=self.blemish) for _, scene in scenes),
            lenses=tuple(self.lens_at(number / fps) for number in range(frames)),
        )

    def _settled(self, number: int, after: int, fps: int) -> int:
        """The first frame from which things and people are where they are in this one."""
        there = self.line.moment(number / fps)[1]
        while number - 1 > after and _stays(self.line.moment((number - 1) / fps)[1], there):
            number -= 1
        return number


def _stays(moment: Moment, there: Moment) -> bool:
    """Whether nothing and nobody is elsewhere, or in another state, than in another moment."""
    if moment.things.keys() != there.things.keys() or moment.bodies.keys() != there.bodies.keys():
        return False
    same = all(
        posed.model is there.things[name].model and np.allclose(posed.matrix, there.things[name].matrix, atol=STAYS)
        for name, posed in moment.things.items()
    )
    return same and all(
        math.dist(body.stand.at, there.bodies[name].stand.at) < STAYS and body.stand.yaw == there.bodies[name].stand.yaw
        for name, body in moment.bodies.items()
    )


# --- the camera ------------------------------------------------------------------------------------------------


def camera_path(scene: Scene, words: CameraWords | None, line: Timeline) -> Callable[[float], Lens]:
    """The opening's camera, moved gently as the prompt asks."""
    lens = scene.lens
    assert lens is not None
    move = words.move if words is not None else "still"
    seconds = line.seconds

    def at(t: float) -> Lens:
        w = min(max(t / seconds, 0.0), 1.0)
        w = w * w * (3 - 2 * w)
        match move:
            case "pan_left":
                return replace(lens, yaw=lens.yaw - 9.0 * w)
            case "pan_right":
                return replace(lens, yaw=lens.yaw + 9.0 * w)
            case "push_in" | "pull_out":
                return dollied(lens, scene, (0.45 if move == "push_in" else -0.45) * w)
            case "follow":
                return replace(lens, yaw=lens.yaw + _followed(line, lens, t))
        return lens

    return at


def dollied(lens: Lens, scene: Scene, metres: float) -> Lens:
    """Forwards or backwards; where something stands in the way the lens narrows or widens instead."""
    assert scene.setting is not None
    a = math.radians(lens.yaw)
    x, y = lens.x + metres * math.sin(a), lens.y + metres * math.cos(a)
    if is_free(place_of(scene.setting), scene.things, x, y, 0.15):
        return replace(lens, x=x, y=y)
    return replace(lens, fov=min(max(lens.fov * (1 - metres * 0.18), 12.0), 100.0))


def _followed(line: Timeline, lens: Lens, t: float) -> float:
    """How far the main actor has moved across the picture, smoothed over half a second."""
    if not line.opening.actors and not (line.beats and line.beats[0].actor):
        return 0.0
    who = line.beats[0].actor if line.beats else line.opening.actors[0].id
    first = line.opening.people.get(who)
    if first is None:
        return 0.0
    start = bearing((lens.x, lens.y), (first.stand.x, first.stand.y))
    turns = []
    for k in range(-3, 4):
        _, moment = line.moment(min(max(t + k * 0.14, 0.0), line.seconds))
        body = moment.bodies.get(who)
        if body is not None:
            turns.append(turned_by(start, bearing((lens.x, lens.y), (body.stand.x, body.stand.y))))
    return min(max(sum(turns) / len(turns), -40.0), 40.0) * 0.8 if turns else 0.0


# --- what goes wrong -------------------------------------------------------------------------------------------


def _drifted(scene: Scene, request: SceneRequest, dice: Dice) -> Scene:
    """People who become somebody else and things that are lost between the opening and the clip."""
    told = {person.id: person for person in request.people}
    for actor in scene.actors:
        given = {"opening"} | ({"repair"} if actor.id in request.repaired else set())
        if dice.fails("identity drift", actor.id, given):
            person = told.get(actor.id) or Entity(id=actor.id, name=actor.id, kind="character")
            scene = scene.with_actor(replace(actor, look=recast(actor.look, person, dice)))
    for thing in scene.things:
        given = {"opening"} | ({"repair"} if thing.id in request.repaired else set())
        if not thing.fixed and thing.id in scene.props and dice.fails("missing object", thing.id, given):
            scene = scene.without([thing.id])
    return scene


def _blemish(scene: Scene, dice: Dice) -> Blemish:
    """The opening's own blemishes stay; a clip adds its own."""
    blemish = scene.blemish
    if dice.fails("stray text", given={"opening"}):
        blemish = replace(blemish, text="THE END")
    if dice.fails("light drift", given={"opening"}):
        blemish = replace(blemish, gain=blemish.gain * (0.6 if dice.number("which light") < 0.5 else 1.4))
    return blemish


def _spoil(packed: Packed, blemish: Blemish, share: float) -> None:
    """Drifted light and stray writing, in place."""
    rgba = packed.view(np.uint8).reshape(*packed.shape, 4)
    pixels = np.ascontiguousarray(rgba[..., :3])
    if blemish.gain != 1.0 or blemish.warmth:
        gain = 1 + (blemish.gain - 1) * min(1.0, 0.35 + share)
        gains = gain * np.array([1 + 0.14 * blemish.warmth, 1.0, 1 - 0.18 * blemish.warmth], np.float32)
        pixels = np.clip(pixels * gains, 0, 255).astype(np.uint8)
    if blemish.text:
        pixels = written(pixels, blemish.text)
    rgba[..., :3] = pixels


# --- pictures from elsewhere -----------------------------------------------------------------------------------


def _backdrop_clip(opening: Picture, request: AnimateRequest, frames: int) -> Clip:
    """A flat backdrop under a slow camera: what can be done with a picture that the studio did not make."""
    with Encoder(request.width, request.height, request.fps) as encoder:
        for number in range(frames):
            share = number / max(frames - 1, 1)
            encoder.add(to_yuv(_zoomed(opening.pixels, request.width, request.height, share)))
    return encoder.clip


def _zoomed(pixels: npt.NDArray[np.uint8], width: int, height: int, share: float) -> Packed:
    """The picture filling the frame, up to four per cent closer."""
    rows, columns = pixels.shape[:2]
    scale = max(width / columns, height / rows) * (1 + 0.04 * share * share * (3 - 2 * share))
    matrix = np.array([[scale, 0, (width - columns * scale) / 2], [0, scale, (height - rows * scale) / 2]])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    moved = cv2.warpAffine(pixels, matrix, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE)
    out = np.zeros((height, width, 4), np.uint8)
    out[..., :3] = moved
    return np.ascontiguousarray(out.view(np.uint32)[..., 0])


def make_animator(*, fallibility: str = "none", folder: str | Path | None = None) -> StudioAnimator:
    """The embedded animator. `fallibility` is none, low, default, high or flat; `folder` holds its index and jobs."""
    if folder is not None and not str(folder):
        raise InputError("The studio's folder has an empty name.", next_step="Leave it out, or name a folder.")
    return StudioAnimator(fallibility, Path(folder) if folder is not None else None)
