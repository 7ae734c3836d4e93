"""Scenes as pixels: sheets, references, panoramas and views."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.errors import Misconfigured
from storyengine.media.picture import Picture
from storyengine.previz.figures.figure import pose_instances
from storyengine.previz.figures.stance import Stance, solve
from storyengine.previz.render import BakedRoom, Camera, Frame, Instance, Renderer, View
from storyengine.previz.render.blank import blank_room
from storyengine.previz.studio.scene import Blemish, Scene
from storyengine.previz.studio.sets import baked_of, place_of
from storyengine.previz.studio.staging import Moment, figure_of, instances, numbers, posed_things, rest, view

SMALLEST, LARGEST, MOST_PIXELS = 16, 8192, 40_000_000
DRAFT = (320, 180)
_SHEET_YAWS = (180.0, 90.0, 0.0)
"""Facing south is facing the sheet's camera: front, side, rear."""


def draw_scene(scene: Scene, width: int, height: int) -> Picture:
    """The scene's picture at any size."""
    check_size(width, height)
    match scene.subject:
        case "sheet":
            pixels = _sheet(scene, width, height)
        case "thing":
            pixels = _thing(scene, width, height)
        case "panorama":
            pixels = _panorama(scene, width, height)
        case "view":
            pixels = draw_view(scene, rest(scene), width, height).pixels
    return Picture(blemished(np.ascontiguousarray(pixels[:height, :width]), scene.blemish))


def check_size(width: int, height: int) -> None:
    fits = SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST
    if not fits or width * height > MOST_PIXELS:
        raise Misconfigured(
            f"The studio cannot make a picture of {width}×{height}.",
            next_step=f"Sides are {SMALLEST} to {LARGEST} pixels, {MOST_PIXELS // 1_000_000} million pixels in all.",
        )


def draw_view(scene: Scene, moment: Moment, width: int, height: int, *, truth: bool = False) -> Frame:
    """A view of a place at a moment; `truth` adds the id buffer: who and what is seen where."""
    renderer = Renderer(baked_of(scene.setting))
    return renderer.draw(view(scene, moment), width + width % 2, height + height % 2, truth=truth)


def draft_shares(scene: Scene) -> dict[str, float]:
    """Share of the frame's pixels by id of people and things that can be seen, from a small draft without light, paint
    or walls: no room is baked for it."""
    assert scene.setting is not None
    drafted = view(scene, rest(scene))
    standing = tuple(replace(fitting, id=0) for fitting in place_of(scene.setting).room.fittings)
    whole = View(drafted.camera, (*drafted.instances, *standing))
    found = _shares_by_number(Renderer(_nowhere()).draw(whole, *DRAFT, truth=True))
    return {name: found[number] for name, number in numbers(scene).items() if number in found}


def draft_whole(scene: Scene, moment: Moment, name: str) -> float:
    """Share of the frame that a thing would take if nothing stood before it."""
    drafted, number = view(scene, moment), numbers(scene)[name]
    alone = View(drafted.camera, tuple(part for part in drafted.instances if part.id == number))
    return _shares_by_number(Renderer(_nowhere()).draw(alone, *DRAFT, truth=True)).get(number, 0.0)


@lru_cache(maxsize=1)
def _nowhere() -> BakedRoom:
    """A room whose one wall is too far away to be seen."""
    blank = blank_room()
    return replace(blank, points=blank.points + np.array([0.0, 5_000.0, 0.0]))


def _shares_by_number(frame: Frame) -> dict[int, float]:
    assert frame.ids is not None
    found, counts = np.unique(frame.ids, return_counts=True)
    return dict(zip(found.tolist(), (counts / frame.ids.size).tolist(), strict=True))


def _sheet(scene: Scene, width: int, height: int) -> npt.NDArray[np.uint8]:
    """Three times the same person, as large as the frame allows."""
    actor = scene.actors[0]
    figure = figure_of(actor)
    tall = actor.look.height + 0.14
    parts: list[Instance] = []
    for number, yaw in enumerate(_SHEET_YAWS):
        pose = solve(figure, Stance())
        parts += pose_instances(figure, pose, ((number - 1) * 0.95, 0.0, 0.0), yaw, 1 + number)
    return _studio_shot(tuple(parts), 3.0, tall, width, height)


def _thing(scene: Scene, width: int, height: int) -> npt.NDArray[np.uint8]:
    """One thing, whole and large, half turned to the camera."""
    posed = next(iter(posed_things(scene, {}).values()))
    low, high = posed.model.bounds()
    a = math.radians(28)
    lift = max(0.0, -low[2])
    matrix = np.array([[-math.cos(a), math.sin(a), 0, 0.0], [-math.sin(a), -math.cos(a), 0, 0.0], [0, 0, 1, lift]])
    middle = (np.array(low) + np.array(high)) / 2
    matrix[:2, 3] = -(matrix[:2, :3] @ middle)[:2]
    wide = (high[0] - low[0]) * math.cos(a) + (high[1] - low[1]) * math.sin(a)
    deep = (high[0] - low[0]) * math.sin(a) + (high[1] - low[1]) * math.cos(a)
    parts = posed.model.instances(matrix, 1)
    return _studio_shot(
        parts, max(wide * 1.25, 0.12), max((high[2] - low[2]) + deep * 0.35, 0.08) * 1.15, width, height
    )


def _studio_shot(
    parts: tuple[Instance, ...], wide: float, tall: float, width: int, height: int
) -> npt.NDArray[np.uint8]:
    """From the front, a little above the middle, the subject filling the frame."""
    fov = 24.0
    aspect = width / height
    half = math.tan(math.radians(fov) / 2)
    away = max(wide / 2 / half, tall / 2 * aspect / half) * 1.06 + wide * 0.18
    away = min(away, 40.0)
    # Far subjects would need a studio larger than it is: a wider lens brings the camera closer.
    if away > 5.2:
        half, away = half * away / 5.2, 5.2
    camera_fov = math.degrees(2 * math.atan(half))
    eye = (0.0, -away, tall * 0.5 + min(0.55, away * 0.16))
    camera = Camera.looking_at(eye, (0.0, 0.0, tall * 0.47), camera_fov)
    frame = Renderer(baked_of(None)).draw(View(camera, parts), width + width % 2, height + height % 2)
    return frame.pixels


def _panorama(scene: Scene, width: int, height: int) -> npt.NDArray[np.uint8]:
    """All around the station; resized where the asked size is not twice as wide as high."""
    assert scene.lens is not None
    exact = max(256, (width + 3) // 4 * 4)
    station = (scene.lens.x, scene.lens.y, scene.lens.z)
    frame = Renderer(baked_of(scene.setting)).panorama(station, instances(scene, rest(scene)), min(exact, LARGEST))
    pixels = frame.pixels
    if pixels.shape[:2] != (height, width):
        pixels = np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return pixels


# --- what spoils a picture -------------------------------------------------------------------------------------


def blemished(pixels: npt.NDArray[np.uint8], blemish: Blemish) -> npt.NDArray[np.uint8]:
    """Drifted light and stray writing over finished pixels."""
    if blemish.gain != 1.0 or blemish.warmth:
        gains = blemish.gain * np.array([1 + 0.14 * blemish.warmth, 1.0, 1 - 0.18 * blemish.warmth])
        pixels = np.clip(pixels.astype(np.float32) * gains.astype(np.float32), 0, 255).astype(np.uint8)
    if blemish.text:
        pixels = written(pixels.copy(), blemish.text)
    return pixels


def written(pixels: npt.NDArray[np.uint8], text: str) -> npt.NDArray[np.uint8]:
    """White letters with a dark rim in the lower part of the frame."""
    height, width = pixels.shape[:2]
    size = max(0.4, width / 640)
    thick = max(1, round(size * 2))
    face = cv2.FONT_HERSHEY_SIMPLEX
    (wide, _), _ = cv2.getTextSize(text, face, size, thick)
    at = ((width - wide) // 2, int(height * 0.9))
    cv2.putText(pixels, text, at, face, size, (20, 20, 20), thick * 2 + 1, cv2.LINE_AA)
    cv2.putText(pixels, text, at, face, size, (245, 245, 240), thick, cv2.LINE_AA)
    return pixels
