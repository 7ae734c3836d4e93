"""Logos in a corner, planted and absent, in stills and through shots."""

import cv2
import numpy as np
import pytest

from storyengine.media.marks import find_marks
from storyengine.media.picture import Picture

SIZE = (1280, 720)


def wall(seed=0, shift=0):
    """A soft wall with boards and a window, seen by a camera that has turned by some pixels."""
    random = np.random.default_rng(seed)
    colour = random.integers(70, 190, 3)
    grain = cv2.resize(random.normal(0, 6, (90, 200)), (1600, 720), interpolation=cv2.INTER_CUBIC)
    picture = np.clip(colour + grain[..., None], 0, 255).astype(np.uint8)
    for x in range(40, 1600, 170):
        cv2.line(picture, (x, 0), (x + 12, 720), tuple(int(c) // 2 for c in colour), 3)
    cv2.rectangle(picture, (960, 60), (1060, 240), (40, 40, 60), -1)
    cv2.rectangle(picture, (980, 80), (1040, 220), (190, 205, 225), -1)
    return picture[:, shift : shift + 1280].copy()


def ring(mask, x, y):
    cv2.circle(mask, (x, y), 42, 1.0, 7, cv2.LINE_AA)
    cv2.fillPoly(mask, [np.array([(x - 14, y - 14), (x - 14, y + 14), (x + 14, y)])], 1.0, cv2.LINE_AA)


def sparkle(mask, x, y):
    points = [(0, -40), (9, -9), (40, 0), (9, 9), (0, 40), (-9, 9), (-40, 0), (-9, -9)]
    cv2.fillPoly(mask, [np.array([(x + dx, y + dy) for dx, dy in points])], 1.0, cv2.LINE_AA)


def square(mask, x, y):
    cv2.rectangle(mask, (x - 32, y - 32), (x + 32, y + 32), 1.0, 6)
    cv2.line(mask, (x - 18, y + 18), (x + 18, y - 18), 1.0, 6, cv2.LINE_AA)


def marked(pixels, draw, at, opacity=0.6):
    mask = np.zeros(pixels.shape[:2], np.float32)
    draw(mask, *at)
    veil = opacity * mask[..., None]
    return np.clip(pixels * (1 - veil) + 255 * veil + 0.5, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("draw", [ring, sparkle, square])
@pytest.mark.parametrize("at", [(1180, 90), (100, 90), (100, 640), (1180, 630)])
@pytest.mark.parametrize("opacity", [0.4, 0.6, 0.8])
def test_a_see_through_mark_is_found_where_it_is(draw, at, opacity):
    found = find_marks([Picture(marked(wall(3), draw, at, opacity))])
    assert len(found) == 1
    middle = (found[0].left + found[0].width / 2, found[0].top + found[0].height / 2)
    assert middle == pytest.approx((at[0] / SIZE[0], at[1] / SIZE[1]), abs=0.02)


@pytest.mark.parametrize("seed", range(6))
def test_a_wall_with_a_window_has_no_mark(seed):
    assert find_marks([Picture(wall(seed))]) == ()


def tile(mask, x, y):
    cv2.fillPoly(mask, [np.array([(x - 44, y - 18), (x + 36, y - 18), (x + 44, y + 18), (x - 36, y + 18)])], 1.0)


def test_one_pale_tile_would_be_a_mark_but_a_floor_of_them_is_a_pattern():
    floor = wall(3)
    assert find_marks([Picture(marked(floor, tile, (1140, 620)))])
    for x, y in ((1140, 620), (1000, 620), (1230, 620), (1070, 680), (1210, 680)):
        floor = marked(floor, tile, (x, y))
    assert find_marks([Picture(floor)]) == ()


@pytest.mark.parametrize("at", [(640, 360), (1050, 110), (1180, 240)])
def test_a_mark_away_from_the_corners_is_not_looked_for(at):
    assert find_marks([Picture(marked(wall(1), ring, at))]) == ()


@pytest.mark.parametrize("seed", range(3))
def test_in_a_shot_a_mark_stays_while_the_camera_turns(seed):
    shot = [Picture(marked(wall(seed, shift), ring, (1180, 90))) for shift in (0, 60, 120)]
    assert len(find_marks(shot)) == 1


def test_what_moves_with_the_room_is_no_mark():
    """The same white ring, painted on the wall."""
    shot = [Picture(marked(wall(2, shift), ring, (1180 - shift, 90))) for shift in (0, 60)]
    assert find_marks(shot[:1])
    assert find_marks(shot) == ()


def test_a_plate_with_a_dark_rim_is_no_mark():
    pixels = wall(4)
    cv2.circle(pixels, (1000, 100), 44, (25, 25, 25), -1, cv2.LINE_AA)
    cv2.circle(pixels, (1000, 100), 40, (225, 222, 215), -1, cv2.LINE_AA)
    assert find_marks([Picture(pixels)]) == ()


def test_a_clock_is_no_mark():
    """What is darker inside than the wall is no gap of a mark, which only brightens."""
    layer = np.zeros((720, 1280), np.float32)
    ring(layer, 1150, 110)
    picture = (wall(3) * (1 - 0.56 * layer[..., None]) + 255 * 0.56 * layer[..., None]).astype(np.uint8)
    assert find_marks([Picture(picture)])
    cv2.circle(picture, (1150, 110), 26, (10, 10, 10), -1, cv2.LINE_AA)
    assert not find_marks([Picture(picture)])
