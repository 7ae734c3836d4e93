"""`storyengine previz draw`: words in, a file out."""

import json

import pytest
from typer.testing import CliRunner

from storyengine.cli.previz import app
from storyengine.errors import InputError, Misconfigured
from storyengine.media.clip import Clip
from storyengine.media.picture import Picture


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("STORYENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def draw(*words):
    return CliRunner().invoke(app, ["draw", *words], catch_exceptions=True)


def test_a_sheet_is_drawn_and_named(tmp_path):
    result = draw("a cook in a white apron", "--as", "sheet", "--out", "cook.png", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["file"] == "cook.png"
    picture = Picture.from_bytes((tmp_path / "cook.png").read_bytes())
    assert (picture.width, picture.height) == (1280, 720)


def test_a_wrong_ending_and_an_unknown_profile_are_told():
    assert isinstance(draw("a cook", "--out", "cook.gif").exception, InputError)
    assert isinstance(draw("a cook", "--fallibility", "often").exception, Misconfigured)


@pytest.mark.slow
def test_a_clip_and_a_panorama_are_drawn(tmp_path):
    assert draw("Ann takes a red book from the oak table.", "--as", "clip", "--seconds", "1").exit_code == 0
    assert len(Clip.from_bytes((tmp_path / "drawing.mp4").read_bytes()).frames) == 24
    assert draw("a bright kitchen", "--as", "panorama").exit_code == 0
    assert Picture.from_bytes((tmp_path / "drawing.png").read_bytes()).width == 4096
