"""Places told from each other by what fits one camera motion."""

import cv2
import numpy as np
import pytest

from storyengine.media import panorama
from storyengine.media.picture import Picture
from storyengine.previz.evaluator import places
from storyengine.previz.evaluator.places import LEAST, MOST, PlaceMatch, match_place


def poster_wall(seed):
    """A wide wall of posters: many corners, each of its own kind."""
    random = np.random.default_rng(seed)
    wall = np.full((600, 1400, 3), 150, np.uint8)
    for _ in range(700):
        x, y = int(random.integers(0, 1340)), int(random.integers(0, 560))
        w, h = (int(v) for v in random.integers(10, 44, 2))
        colour = tuple(int(c) for c in random.integers(20, 235, 3))
        if random.random() < 0.5:
            cv2.rectangle(wall, (x, y), (x + w, y + h), colour, -1)
        else:
            cv2.ellipse(wall, (x, y), (w, h // 2), int(random.integers(0, 180)), 0, 360, colour, -1)
    return wall


def seen(wall, left, nearer=1.0, gain=1.0):
    part = cv2.warpAffine(wall, np.array([[nearer, 0, -left], [0, nearer, -20.0]]), (800, 450))
    return Picture(np.clip(part * gain, 0, 255).astype(np.uint8))


def test_a_place_is_proven_from_another_station():
    wall = poster_wall(1)
    match = match_place(seen(wall, 180, 1.1), [seen(poster_wall(2), 100), seen(wall, 100)])
    assert match.proven
    assert not match.denied
    assert match.inliers > 3 * MOST


@pytest.mark.parametrize("seed", range(2, 6))
def test_another_place_of_the_same_kind_is_denied(seed):
    match = match_place(seen(poster_wall(seed), 180), [seen(poster_wall(1), 100), seen(poster_wall(1), 400)])
    assert match.denied
    assert not match.proven


def test_light_is_compared_where_both_show_the_same_point():
    wall = poster_wall(3)
    match = match_place(seen(wall, 150, 1.05, 0.7), [seen(wall, 100)])
    assert match.gain == pytest.approx(0.7, abs=0.04)
    assert match.warmth == pytest.approx(0.0, abs=0.04)


def test_people_are_passed_over():
    wall = poster_wall(4)
    everywhere = np.ones((90, 160), np.float32)
    match = match_place(seen(wall, 150), [seen(wall, 100)], everywhere)
    assert (match.inliers, match.points, match.gain) == (0, 0, None)
    assert not match.denied


def test_a_bare_frame_neither_proves_nor_denies():
    blank = Picture(np.full((450, 800, 3), 120, np.uint8))
    match = match_place(blank, [seen(poster_wall(1), 100)])
    assert not match.proven
    assert not match.denied


def test_the_more_a_frame_shows_the_more_must_fit():
    few, many = PlaceMatch(14, 200, 6, None, None), PlaceMatch(14, 1200, 6, None, None)
    assert (few.needed, many.needed) == (LEAST, MOST)
    assert few.proven
    assert many.denied


def test_a_window_looks_like_the_next_one():
    """What fits must lie about the frame, unless there is plenty of it."""
    about, close, plenty = (PlaceMatch(n, 1200, cells, None, None) for n, cells in ((25, 6), (25, 3), (50, 3)))
    assert about.proven
    assert not close.proven
    assert plenty.proven


@pytest.mark.parametrize("yaw", [20.0, 200.0, 350.0])
def test_a_panorama_tells_where_a_frame_looks(yaw):
    around = Picture(np.hstack([poster_wall(seed)[:, :1024] for seed in (5, 6)]))
    around = Picture(cv2.resize(around.pixels, (2048, 1024)))
    heading = match_place(panorama.view(around, yaw, 0.0, 60.0, 800, 450), [around]).heading
    assert heading is not None
    for aside, across in ((-20.0, 0.19), (0.0, 0.5), (20.0, 0.81)):
        assert heading.across(yaw + aside) == pytest.approx(across, abs=0.05)
    assert not 0 <= heading.across(yaw + 90) <= 1


def test_a_camera_motion_is_found_among_twice_as_many_wrong_pairs():
    """As before a cluttered frame, where most keypoints lie on things that the panorama does not show."""
    random = np.random.default_rng(3)
    room = random.uniform((-3, -2, 4), (3, 2, 9), (20, 3))
    turn, _ = cv2.Rodrigues(np.array([0.02, 0.25, 0.01]))
    moved = room @ turn.T + np.array([0.6, 0.1, 0.2])
    seen = [500 * points[:, :2] / points[:, 2:] + 320 for points in (room, moved)]
    wrong = random.uniform(0, 640, (2, 40, 2))
    here, there = (np.vstack(part).astype(np.float32) for part in zip(seen, wrong, strict=True))
    what = random.normal(size=(60, 128)).astype(np.float32)
    what /= np.linalg.norm(what, axis=1, keepdims=True)
    colours = np.zeros((60, 3), np.float32)
    starts, ends = places._inliers(places._Points(here, what, colours), places._Points(there, what, colours))
    assert (starts == ends).all()
    assert (starts < 20).sum() >= 18
