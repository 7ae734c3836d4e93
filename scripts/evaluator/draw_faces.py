"""Draw people in threes, for teaching who is who: one, the same with another face alone, and whoever the studio would
cast instead, in the same clothes.

    python scripts/evaluator/draw_faces.py FOLDER --files 0:40 [--seed 1]

A file, `faces-0007.pickle`, holds a few people in a few rooms: per face its front, side and rear as a sheet shows them,
and views from other sides and heights, in the light of a room or of the sheet.
"""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import cv2
import filing
import numpy as np
import words
from stage import floor_point

from storyengine.plan import Catalog, Environment
from storyengine.previz.appearance import person_look
from storyengine.previz.figures.figure import Figure, pose_instances
from storyengine.previz.figures.stance import Stance, solve
from storyengine.previz.looks import PersonLook
from storyengine.previz.render import Camera, Renderer, View
from storyengine.previz.studio.compose import Shown, compose_panorama, recast
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.reading import read_prompt
from storyengine.previz.studio.scene import Setting
from storyengine.previz.studio.sets import baked_of, place_of
from storyengine.prompts import pictures
from storyengine.state import World

PEOPLE, VIEWS = 24, 7
"""People of a file, and views of each face."""
ROOMS = 1
AT_EASE = Stance()
AWAY = 2.6
"""Metres between camera and head."""
REFERENCE, VIEW = 96, 112
SHEET = (0, -90, 180)
"""How the figures of a sheet are turned."""
SHOWN = 0.12
"""Share of a view that the figure must take: less, and something stands before it."""


def coded(pixels: np.ndarray, kind: str = ".jpg") -> bytes:
    options = [cv2.IMWRITE_JPEG_QUALITY, 88] if kind == ".jpg" else []
    return cv2.imencode(kind, np.ascontiguousarray(pixels), options)[1].tobytes()


class Portraits:
    """Heads before a camera, in one light."""

    def __init__(self, setting: Setting | None) -> None:
        self.setting = setting
        self.renderer = Renderer(baked_of(setting))

    def head(
        self,
        look: PersonLook,
        turned: float,
        wide: float,
        up: float,
        size: int,
        dice: Random,
        stance: Stance = AT_EASE,
    ) -> tuple[np.ndarray, np.ndarray]:
        """A head, turned from the camera, and which pixels are its figure's. `wide` is 1 for the frame of a sheet."""
        figure = Figure.build(look)
        z = look.height - 0.07
        fov = wide * 2 * math.degrees(math.atan(0.095 * look.height / AWAY))
        x, y = floor_point(place_of(self.setting), dice) if self.setting else (0.0, 0.0)
        toward = dice.uniform(0, 360) if self.setting else 180.0
        a = math.radians(toward)
        eye = (x + AWAY * math.sin(a), y + AWAY * math.cos(a), z + up)
        camera = Camera.looking_at(eye, (x, y, z - 0.01), fov)
        parts = pose_instances(figure, solve(figure, stance), (x, y, 0), toward + turned, 1)
        frame = self.renderer.draw(View(camera, parts), size, size, truth=True)
        assert frame.ids is not None
        return frame.pixels[..., ::-1], (frame.ids == 1).astype(np.uint8) * 255


def at_work(dice: Random) -> Stance:
    """Heads are often bowed over what hands do, a little to one side, lids lowered."""
    bowed = dice.random() < 0.6
    return Stance(
        nod=dice.uniform(-6, 30) if bowed else 0.0,
        tilt=dice.gauss(0, 5) if bowed else 0.0,
        lids=dice.uniform(0, 0.5) if bowed else 0.0,
    )


def face(look: PersonLook, studio: Portraits, rooms: list[Portraits], dice: Random) -> dict:
    views = []
    while len(views) < VIEWS:
        light = dice.choice(rooms) if dice.random() < 0.7 else studio
        turned = dice.gauss(0, 45) if dice.random() < 0.75 else dice.uniform(-180, 180)
        pixels, mask = light.head(look, turned, 1.4, dice.uniform(-0.5, 0.9), VIEW, dice, at_work(dice))
        if mask.mean() / 255 >= SHOWN:
            views.append((turned, coded(pixels), coded(mask, ".png")))
    sheet = [coded(studio.head(look, turned, 1.0, 0.0, REFERENCE, dice)[0]) for turned in SHEET]
    return {"sheet": sheet, "views": views}


def room(environment: Environment) -> Setting:
    """A place as the studio builds it."""
    asked = pictures.panorama(environment, [], World({}), Catalog.build([], [environment]), "")
    found = compose_panorama(read_prompt(asked), Shown(), Dice("none", environment.name)).setting
    assert found is not None
    return found


def draw_people(number: int, seed: int) -> dict:
    dice = Random(f"{seed} faces {number}")
    studio, rooms = Portraits(None), [Portraits(room(words.place(dice))) for _ in range(ROOMS)]
    made = {}
    for k in range(PEOPLE):
        person = words.person(dice, k)
        base = person_look(person.name, person.look)
        another = replace(base, face=dice.randrange(1 << 30))
        instead = recast(base, person, Dice("none", f"{seed} faces {number} {k}"))
        for which, look in enumerate((base, another, instead)):
            made[k, which] = face(look, studio, rooms, dice)
    return made


def main() -> None:
    args = filing.options(__doc__, "files", "0:20").parse_args()
    filing.fill(args, "faces", lambda number: draw_people(number, args.seed), lambda made: f"{len(made)} looks")


if __name__ == "__main__":
    main()
