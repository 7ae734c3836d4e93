import pytest

from storyengine.errors import FolderError, InputError
from storyengine.files import read_text, write_text


def test_reading_says_what_stands_in_the_way(tmp_path):
    (tmp_path / "brief.yaml").write_text("idea: x")
    (tmp_path / "film.mp4").write_bytes(b"\x00\x01")
    (tmp_path / "latin.yaml").write_bytes("idea: ok\nstyle: café".encode("latin-1"))
    with pytest.raises(InputError, match=r"no file .*brief\.yaml"):
        read_text(tmp_path / "brif.yaml")
    with pytest.raises(InputError, match="binary"):
        read_text(tmp_path / "film.mp4")
    with pytest.raises(InputError, match=r"latin\.yaml:2: byte 0xe9 is not UTF-8"):
        read_text(tmp_path / "latin.yaml")
    with pytest.raises(InputError, match="folder"):
        read_text(tmp_path)
    with pytest.raises(InputError, match="does not exist either"):
        read_text(tmp_path / "nowhere" / "x.yaml")


def test_a_byte_order_mark_is_no_text(tmp_path):
    (tmp_path / "a.yaml").write_bytes(b"\xef\xbb\xbfidea: x")
    assert read_text(tmp_path / "a.yaml") == "idea: x"


def test_writing_replaces_in_one_step_and_leaves_no_scraps(tmp_path):
    path = tmp_path / "deep" / "plan.yaml"
    write_text(path, "one")
    write_text(path, "two")
    assert path.read_text() == "two"
    assert [p.name for p in path.parent.iterdir()] == ["plan.yaml"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(FolderError, match="cannot be written"):
        write_text(tmp_path / "file" / "plan.yaml", "x")
