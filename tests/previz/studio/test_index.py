import numpy as np
import pytest

from storyengine.errors import CorruptData
from storyengine.media.panorama import view
from storyengine.media.picture import Derivation, Picture
from storyengine.previz.studio.index import Index, Track
from storyengine.previz.studio.scene import Lens
from tests.previz.studio.test_scene import LOCKER, SCENE


def picture(seed: int, width: int = 64, height: int = 32) -> Picture:
    return Picture(np.random.default_rng(seed).integers(0, 255, (height, width, 3), np.uint8))


def test_a_kept_picture_is_recognised_and_a_strange_one_is_not(tmp_path):
    index = Index(tmp_path)
    index.keep(picture(1), SCENE)
    assert Index(tmp_path).recognise(Picture.from_bytes(picture(1).to_png())) == SCENE
    assert index.recognise(picture(2)) is None


def test_a_file_that_was_strange_is_recognised_once_its_picture_is_kept(tmp_path):
    index = Index(tmp_path)
    file = picture(1).to_png()
    assert index.recognise_file(file) is None
    index.keep(picture(1), SCENE)
    assert index.recognise_file(file) == SCENE
    with pytest.raises(CorruptData):
        index.recognise_file(b"no picture")


def test_a_view_of_a_panorama_leads_to_its_scene_and_angles(tmp_path):
    index = Index(tmp_path)
    index.keep(picture(1, 256, 128), SCENE)
    cut = view(picture(1, 256, 128), 40.0, 5.0, 70.0, 64, 36)
    found = index.recognise(Picture.from_bytes(cut.to_png()))
    assert found is not None
    assert found.setting == SCENE.setting
    assert (found.lens.yaw, found.lens.pitch, found.lens.fov) == (40.0, 5.0, 70.0)


def test_what_is_cut_from_something_recognised_is_recognised_too(tmp_path):
    index = Index(tmp_path)
    index.keep(picture(1, 256, 128), SCENE)
    cut = view(picture(1, 256, 128), 40.0, 5.0, 70.0, 64, 36)
    assert index.recognise(cut) is not None
    assert index.recognise(cut.resize(32, 18)) is not None
    assert index.recognise(Picture(cut.pixels)) is not None  # by its pixels


def test_a_frame_of_a_clip_is_the_scene_of_its_time(tmp_path):
    index = Index(tmp_path)
    later = SCENE.with_thing(LOCKER.with_state("door", "open"))
    lenses = tuple(Lens(1, 1, 1.6, float(k), 0, 60) for k in range(10))
    index.keep_clip("c" * 64, Track((0, 6), (SCENE, later), lenses))
    early = index.recognise(Picture(picture(3).pixels, Derivation("c" * 64, "frame", {"index": 5})))
    last = index.recognise(Picture(picture(4).pixels, Derivation("c" * 64, "frame", {"index": 9})))
    assert early.props["locker"].states == (("door", "shut"),)
    assert last.props["locker"].states == (("door", "open"),)
    assert last.lens.yaw == 9.0


def test_a_scene_that_another_version_wrote_is_forgotten(tmp_path):
    index = Index(tmp_path)
    index.keep(picture(1), SCENE)
    (path,) = (tmp_path / "scenes").rglob("*.json")
    path.write_text('{"subject": "opera"}')
    assert index.recognise(picture(1)) is None
