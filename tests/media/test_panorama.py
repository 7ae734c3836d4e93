"""Views out of panoramas: angles, wrapping, filtering, refusals."""

import numpy as np
import pytest

from storyengine.errors import InputError
from storyengine.media.panorama import view
from storyengine.media.picture import Picture


def compass(width=1024) -> Picture:
    """Red says how far east a direction points, green how far north, blue how high."""
    height = width // 2
    lon = ((np.arange(width) + 0.5) / width * 2 - 1) * np.pi
    lat = (0.5 - (np.arange(height) + 0.5) / height) * np.pi
    flat = np.cos(lat)[:, None]
    rays = np.stack([flat * np.sin(lon), flat * np.cos(lon), np.repeat(np.sin(lat)[:, None], width, 1)], -1)
    return Picture(np.rint(127.5 + 127.5 * rays).astype(np.uint8))


def middle(picture: Picture):
    y, x = picture.height // 2, picture.width // 2
    return picture.pixels[y - 1 : y + 1, x - 1 : x + 1].reshape(-1, 3).mean(axis=0) / 127.5 - 1


@pytest.mark.parametrize(
    ("yaw", "pitch", "direction"),
    [
        (0, 0, (0, 1, 0)),
        (90, 0, (1, 0, 0)),
        (180, 0, (0, -1, 0)),
        (-90, 0, (-1, 0, 0)),
        (0, 90, (0, 0, 1)),
        (270, -90, (0, 0, -1)),
    ],
)
def test_the_middle_of_a_view_looks_where_it_is_told(yaw, pitch, direction):
    assert np.abs(middle(view(compass(), yaw, pitch, 60, 200, 120)) - direction).max() < 0.02


def test_the_field_of_view_is_horizontal():
    seen = view(compass(), 0, 0, 90, 400, 200).pixels
    right = seen[100, -1] / 127.5 - 1
    assert abs(right[0] - np.sin(np.pi / 4)) < 0.02


def test_the_wrap_around_south_leaves_no_seam():
    seen = view(compass(), 180, 0, 60, 400, 200).pixels.astype(int)
    assert np.abs(np.diff(seen[:, 190:210], axis=1)).max() <= 3


def test_a_coarse_view_is_filtered():
    noise = Picture(np.random.default_rng(0).integers(0, 256, (1024, 2048, 3)).astype(np.uint8))
    assert view(noise, 10, 0, 100, 96, 64).pixels.std() < 0.45 * noise.pixels.std()


def test_a_view_remembers_its_panorama():
    whole = compass()
    seen = view(whole, 30, -5, 70, 320, 180)
    assert seen.derivation is not None
    assert seen.derivation.parent == whole.digest
    assert dict(seen.derivation.values) == {"yaw": 30, "pitch": -5, "fov": 70, "width": 320, "height": 180}


def test_what_is_no_panorama_is_refused():
    with pytest.raises(InputError, match="twice as wide"):
        view(Picture(np.zeros((100, 100, 3), np.uint8)), 0, 0, 60)
    with pytest.raises(InputError, match="cannot be taken"):
        view(compass(64), 0, 0, 170)
