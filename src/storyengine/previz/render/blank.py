"""A blank room, drawn once: `python -m storyengine.previz.render.blank` compiles every kernel that a frame needs."""

from __future__ import annotations

import numpy as np

from storyengine.media.yuv_kernels import to_yuv
from storyengine.previz.render.baking import BakedRoom, Probes
from storyengine.previz.render.lighting import key_light_of
from storyengine.previz.render.painting import light_curve
from storyengine.previz.render.raster_kernels import BAKED
from storyengine.previz.render.renderer import Renderer
from storyengine.previz.render.shapes import sphere
from storyengine.previz.render.textures import TextureHeap
from storyengine.previz.render.values import Camera, Instance, Room, View, placement
from storyengine.previz.render.warming import mark


def blank_room() -> BakedRoom:
    """A wall in the dark: nothing of it was lit or painted."""
    heap = TextureHeap(64)
    wall = heap.add_baked(np.zeros((4, 4), np.uint32))
    one, none = np.ones((4, 3)), Room(())
    return BakedRoom(
        room=none,
        points=np.array([[-9.0, 2, -9], [9, 2, -9], [9, 2, 9], [-9, 2, 9]]),
        uv=np.array([[0.0, 1], [1, 1], [1, 0], [0, 0]]),
        light=one,
        corners=np.array([[0, 1, 2, 3]]),
        texture=np.array([wall]),
        kind=np.array([BAKED]),
        id=np.array([0]),
        group=np.array([0]),
        colour=one[:1],
        heap=heap,
        probes=Probes(np.zeros((2, 2, 2, 13)), np.zeros(3), np.ones(3)),
        key=key_light_of(Room((), stage=((-1, -1, -1), (1, 1, 1))), -1),
        top_frame=np.array([-2.0, -2.0, 0.25, 3.0]),
        exposure=1.0,
        balance=np.ones(3),
        curve=light_curve(),
        fingerprint="blank",
    )


def draw_something() -> None:
    """Use every kernel that a frame needs, with the types it is used with."""
    renderer = Renderer(blank_room())
    ball = Instance(sphere(0.3, (0.5, 0.5, 0.5), 8, 6), placement((0, 1, 0)))
    for _ in range(2):
        frame = renderer.draw(View(Camera((0, 0, 0), 0), (ball,)), 16, 16)
    to_yuv(frame.packed)


if __name__ == "__main__":
    draw_something()
    mark("warm").touch()
