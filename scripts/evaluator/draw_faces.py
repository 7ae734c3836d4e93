"""Draw faces in threes that share everything but the face, for teaching who is who.

    python scripts/evaluator/draw_faces.py FOLDER --people 0:280

A file holds, per face, its front and side as a sheet shows them, and views from other sides and heights.
"""

from __future__ import annotations

import argparse
import math
import pickle
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import words

from storyengine.previz.appearance import person_look
from storyengine.previz.figures.figure import Figure, pose_instances
from storyengine.previz.figures.stance import Stance, solve
from storyengine.previz.looks import PersonLook
from storyengine.previz.render import Camera, Renderer, View
from storyengine.previz.studio.sets import baked_of

FACES, VIEWS = 3, 6
AWAY = 2.6
"""Metres between camera and head."""
REFERENCE, VIEW = 96, 112


def coded(pixels: np.ndarray, kind: str = ".jpg") -> bytes:
    options = [cv2.IMWRITE_JPEG_QUALITY, 88] if kind == ".jpg" else []
    return cv2.imencode(kind, np.ascontiguousarray(pixels), options)[1].tobytes()


class Portraits:
    def __init__(self) -> None:
        self.renderer = Renderer(baked_of(None))

    def head(self, look: PersonLook, yaw: float, wide: float, up: float, size: int) -> tuple[np.ndarray, np.ndarray]:
        """A head, and which of its pixels are it. `wide` is 1 for the frame of a sheet."""
        figure = Figure.build(look)
        z = look.height - 0.07
        fov = wide * 2 * math.degrees(math.atan(0.095 * look.height / AWAY))
        camera = Camera.looking_at((0, -AWAY, z + up), (0, 0, z - 0.01), fov)
        parts = pose_instances(figure, solve(figure, Stance()), (0, 0, 0), yaw, 1)
        frame = self.renderer.draw(View(camera, parts), size, size, truth=True)
        assert frame.ids is not None
        return frame.pixels[..., ::-1], (frame.ids == 1).astype(np.uint8) * 255

    def face(self, look: PersonLook, dice: Random) -> dict:
        views = []
        for number in range(VIEWS):
            turned = dice.gauss(0, 38) if number < VIEWS - 1 else dice.uniform(-120, 120)
            pixels, mask = self.head(look, 180 + turned, 1.4, dice.uniform(-0.5, 0.9), VIEW)
            views.append((turned, coded(pixels), coded(mask, ".png")))
        sheet = [coded(self.head(look, yaw, 1.0, 0.0, REFERENCE)[0]) for yaw in (180, 90)]
        return {"sheet": sheet, "views": views}


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    said.add_argument("folder", type=Path)
    said.add_argument("--people", default="0:280")
    said.add_argument("--seed", type=int, default=1)
    args = said.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    first, last = map(int, args.people.split(":"))
    portraits, made = Portraits(), {}
    for number in range(first, last):
        dice = Random(f"{args.seed} face {number}")
        person = words.person(dice, number)
        base = person_look(person.name, person.look)
        for k in range(FACES):
            made[number, k] = portraits.face(replace(base, face=dice.randrange(1 << 30)), dice)
        print(number, flush=True)
    (args.folder / f"faces-{first:04d}.pickle").write_bytes(pickle.dumps(made))


if __name__ == "__main__":
    main()
