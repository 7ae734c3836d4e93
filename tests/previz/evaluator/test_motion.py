"""Camera moves and frozen shots, told from frames alone."""

import cv2
import numpy as np
import pytest

from storyengine.backends.ports import Frame
from storyengine.language.claims import CameraMoves
from storyengine.media.picture import Picture
from storyengine.previz.evaluator.eye import Eye
from storyengine.previz.evaluator.motion import camera_moves, frozen
from storyengine.previz.evaluator.seeing import look_at
from storyengine.previz.evaluator.subjects import read_subjects

SHOTS = {
    "still": lambda t: (0.0, 1.0),
    "pan_left": lambda t: (-90.0 * t, 1.0),
    "pan_right": lambda t: (90.0 * t, 1.0),
    "push_in": lambda t: (0.0, 1.0 + 0.14 * t),
    "pull_out": lambda t: (0.0, 1.0 - 0.12 * t),
}
"""How far a camera has turned, in pixels, and how near it is, after a part of the shot."""


def room():
    random = np.random.default_rng(5)
    wall = np.full((600, 1000, 3), 140, np.uint8)
    for _ in range(260):
        x, y = int(random.integers(0, 960)), int(random.integers(0, 560))
        w, h = (int(v) for v in random.integers(10, 50, 2))
        cv2.rectangle(wall, (x, y), (x + w, y + h), tuple(int(c) for c in random.integers(20, 235, 3)), -1)
    return wall


def shot(move, frames=8):
    """A shot of a wall, with somebody in front who walks from one side to the other."""
    wall, out = room(), []
    for k in range(frames):
        turned, near = SHOTS[move](k / (frames - 1))
        to = np.array([[near, 0, 320 - near * (500 + turned)], [0, near, 180 - near * 300]])
        picture = cv2.warpAffine(wall, to, (640, 360))
        cv2.rectangle(picture, (60 + 50 * k, 120), (110 + 50 * k, 360), (30, 60, 160), -1)
        out.append(Frame(0.5 * k, Picture(picture).to_png()))
    return look_at(out)


@pytest.mark.parametrize("made", SHOTS)
def test_every_move_is_told_from_every_other(made):
    eye = Eye(read_subjects((), ()), shot(made))
    labels = {asked: camera_moves(eye, CameraMoves(move=asked)).label for asked in SHOTS}
    assert labels == {asked: "PASS" if asked == made else "FAIL" for asked in SHOTS}


def test_one_picture_shows_no_move():
    eye = Eye(read_subjects((), ()), shot("still")[:1])
    assert camera_moves(eye, CameraMoves(move="still")).label == "UNKNOWN"


def test_a_shot_in_which_nothing_changes_is_frozen():
    first = shot("still")[0]
    noisy = np.clip(first.picture.pixels.astype(np.int16) + 3, 0, 255).astype(np.uint8)
    frames = look_at([Frame(0.0, first.image), Frame(1.0, Picture(noisy).to_png())])
    assert frozen(frames).label == "FAIL"


def test_somebody_who_walks_is_enough_not_to_be_frozen():
    assert frozen(shot("still")).label == "PASS"
