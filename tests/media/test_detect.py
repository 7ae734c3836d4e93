"""Text and split screens, planted and absent."""

import cv2
import numpy as np
import pytest

from storyengine.media.detect import find_split, find_text
from storyengine.media.picture import Picture


def backdrop(seed=0, height=360, width=640):
    """Soft shapes, a few hard edges, no writing."""
    random = np.random.default_rng(seed)
    small = random.integers(60, 200, (9, 16, 3)).astype(np.uint8)
    picture = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    for _ in range(6):
        x, y = random.integers(0, width - 80), random.integers(0, height - 80)
        w, h = random.integers(20, 160, 2)
        colour = tuple(int(c) for c in random.integers(40, 220, 3))
        cv2.rectangle(picture, (int(x), int(y)), (int(x + w), int(y + h)), colour, -1)
    return picture


@pytest.mark.parametrize("seed", range(8))
def test_a_caption_is_found_where_it_stands(seed):
    pixels = backdrop(seed)
    cv2.putText(
        pixels, "Meanwhile, at the mill", (120, 330), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (255, 255, 255), 2, cv2.LINE_AA
    )
    found = find_text(Picture(pixels))
    assert found
    best = max(found, key=lambda region: region.width)
    assert best.top > 0.75
    assert best.width > 0.15


@pytest.mark.parametrize("seed", range(8))
def test_a_picture_without_writing_has_none(seed):
    assert find_text(Picture(backdrop(seed))) == ()


def test_a_row_of_equal_bars_is_no_writing():
    pixels = np.full((360, 640, 3), 60, np.uint8)
    for k in range(14):
        pixels[150:190, 60 + 30 * k : 72 + 30 * k] = 230
    assert find_text(Picture(pixels)) == ()


@pytest.mark.parametrize("seed", range(6))
def test_two_panels_side_by_side_are_found(seed):
    left, right = backdrop(seed), 255 - backdrop(seed + 50)
    pixels = np.hstack([left[:, :320], right[:, 320:]])
    found = find_split(Picture(pixels))
    assert any(abs(abs(position) - 0.5) < 0.02 and position > 0 for position in found)


def test_two_panels_one_above_the_other_are_found():
    pixels = np.vstack([backdrop(1)[:180], 255 - backdrop(60)[180:]])
    assert any(abs(position + 0.5) < 0.02 for position in find_split(Picture(pixels)))


@pytest.mark.parametrize("seed", range(8))
def test_a_whole_picture_is_not_split(seed):
    assert find_split(Picture(backdrop(seed))) == ()


def test_an_upright_post_is_no_split():
    pixels = backdrop(3)
    pixels[40:, 300:318] = (30, 30, 30)
    assert find_split(Picture(pixels)) == ()


@pytest.mark.parametrize("words", ["SCENE 4", "EXIT", "CH. 2"])
def test_a_few_capitals_are_writing(words):
    pixels = backdrop(2, 720, 1280)
    cv2.putText(pixels, words, (500, 650), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (245, 245, 240), 4, cv2.LINE_AA)
    found = find_text(Picture(pixels))
    assert found
    assert all(region.top > 0.8 for region in found)


def test_four_jars_on_a_shelf_are_no_writing():
    """Of one tone and on one line, but neither of one height nor as close together as a word."""
    pixels = np.full((540, 960, 3), 60, np.uint8)
    for left, wide, high in ((100, 9, 22), (162, 12, 25), (200, 12, 22), (230, 8, 19)):
        cv2.rectangle(pixels, (left, 300 - high), (left + wide, 300), (200, 200, 200), 3)
    assert find_text(Picture(pixels)) == ()
    cv2.putText(pixels, "acne", (400, 300), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (200, 200, 200), 3, cv2.LINE_AA)
    assert [round(region.left, 1) for region in find_text(Picture(pixels))] == [0.4]


def test_checked_cloth_is_no_writing():
    pixels = backdrop(5, 720, 1280)
    for row in range(12):
        for column in range(16):
            x, y = 500 + 20 * column, 300 + 20 * row
            level = 215 + 12 * ((row + column) % 3)
            pixels[y : y + 13, x : x + 13] = (level, level, level - 10)
    assert find_text(Picture(pixels)) == ()


@pytest.mark.parametrize("tone", [235, 10])
def test_a_thin_divider_of_one_tone_is_a_split(tone):
    """Also between panels that are hardly brighter or darker than it."""
    pixels = np.clip(backdrop(7).astype(np.int16) + (60 if tone > 128 else -60), 0, 255).astype(np.uint8)
    pixels[:, 317:323] = tone
    found = find_split(Picture(pixels))
    assert [round(position, 2) for position in found] == [0.5]


def test_the_edge_of_a_cupboard_before_a_wall_of_nearly_its_tone_is_no_divider():
    pixels = backdrop(3)
    width = pixels.shape[1]
    band = slice(width // 3, width // 3 + width // 80)
    pixels[:, band] = 90
    assert find_split(Picture(pixels)) != ()
    pixels[: len(pixels) // 8, band] = 98
    assert find_split(Picture(pixels)) == ()


def test_an_even_frame_has_no_divider():
    assert find_split(Picture(np.full((360, 640, 3), 128, np.uint8))) == ()
