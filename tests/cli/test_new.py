"""`storyengine new`: by flags, by questions on a real terminal, with and without keys."""

import os
import sys
from pathlib import Path

import pytest

from storyengine import documents
from storyengine.cli.new import EXAMPLE_IDEA, brief_text
from storyengine.profile import Choice, Profile, read_profile
from storyengine.request import StoryRequest, read_request

KEY = "sk-test-0123456789abcdef0123"


@pytest.fixture(autouse=True)
def no_keys_and_no_terminal(monkeypatch):
    for key in ("OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(key, raising=False)
    with open(os.devnull) as nobody:
        monkeypatch.setattr(sys, "stdin", nobody)
        yield


def brief_of(folder: Path) -> StoryRequest:
    return read_request(documents.parse((folder / "brief.yaml").read_text(), "brief.yaml"))


def profile_of(folder: Path) -> Profile:
    return read_profile(documents.parse((folder / "profile.yaml").read_text(), "profile.yaml"))


def test_without_flags_an_example_is_written_that_works_as_it_is(run, tmp_path):
    folder = tmp_path / "first-film"
    result = run("new", folder)
    assert result.code == 0
    assert brief_of(folder).title == "First film"
    assert brief_of(folder).idea.startswith(EXAMPLE_IDEA)
    assert profile_of(folder) == Profile()
    assert f"storyengine plan {folder / 'brief.yaml'}" in result.out


def test_flags_make_the_brief(run, tmp_path):
    folder = tmp_path / "film"
    words = ["--idea", "Ida: reads #1.\n\nThen 'she' sleeps.", "--shots", 3, "--style", "Ink.", "--title", "Yes: no"]
    result = run("new", folder, *words, "--require", "Ida", "--forbid", "rain", "--forbid", "snow", "--json")
    assert result.json["ok"] is True
    assert brief_of(folder) == StoryRequest(
        title="Yes: no",
        idea="Ida: reads #1.\n\nThen 'she' sleeps.",
        shots=3,
        style="Ink.",
        required_entities=("Ida",),
        forbidden_content=("rain", "snow"),
    )


def test_nothing_is_overwritten(run, tmp_path):
    folder = tmp_path / "film"
    folder.mkdir()
    (folder / "profile.yaml").write_text("mine")
    result = run("new", folder, "--json")
    assert result.code == 2
    assert result.json["error"]["kind"] == "InputError"
    assert [file.name for file in folder.iterdir()] == ["profile.yaml"]
    assert run("new", folder / "profile.yaml").code == 2
    assert (folder / "profile.yaml").read_text() == "mine"


def test_a_wrong_value_leaves_nothing_behind(run, tmp_path):
    assert run("new", tmp_path / "film", "--idea", "a\x07b").code == 2
    assert run("new", tmp_path / "film", "--shots", 0).code == 2
    assert not (tmp_path / "film").exists()


@pytest.mark.parametrize(
    ("variables", "planner"),
    [
        (["OPENAI_API_KEY"], "openai"),
        (["GEMINI_API_KEY"], "google"),
        (["GOOGLE_API_KEY", "OPENAI_API_KEY"], "openai"),
    ],
)
def test_keys_are_found_and_never_written(run, tmp_path, monkeypatch, variables, planner):
    for variable in variables:
        monkeypatch.setenv(variable, KEY)
    folder = tmp_path / "film"
    result = run("new", folder, "--json")
    assert set(result.json["keys"]) == set(variables)
    assert profile_of(folder).planner == Choice(backend=planner)
    everything = result.out + result.err + "".join(file.read_text() for file in folder.iterdir())
    assert KEY not in everything


def test_a_blank_key_is_no_key(run, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "  ")
    assert run("new", tmp_path / "film", "--json").json["profile"]["planner"] == "embedded"


def test_a_folder_with_a_blank_in_its_name_gives_commands_that_can_be_pasted(run, tmp_path):
    result = run("new", tmp_path / "my film", "--json")
    assert result.json["next"][0] == f"storyengine plan '{tmp_path / 'my film' / 'brief.yaml'}'"


@pytest.mark.parametrize(
    "idea", ["- a list?", "{a: b}", "null", "yes", "12", "Ends with a colon:", "# not a comment", "ü 学 \\ \" '"]
)
def test_any_idea_survives_the_way_through_yaml(idea):
    request = StoryRequest(title="on", idea=idea, shots=2)
    read = read_request(documents.parse(brief_text(request), "brief.yaml"))
    assert (read.title, read.idea, read.shots) == ("on", idea, 2)


def test_on_a_terminal_it_asks(type_in, tmp_path):
    code, seen = type_in("Ida reads a letter in the kitchen.\n4\nInk drawings.\n", "new", "film", cwd=tmp_path)
    assert code == 0
    assert "How many shots?" in seen
    brief = brief_of(tmp_path / "film")
    assert (brief.idea, brief.shots, brief.style) == ("Ida reads a letter in the kitchen.", 4, "Ink drawings.")


def test_whoever_stops_at_a_question_gets_nothing(type_in, tmp_path):
    code, _ = type_in("\x04", "new", "film", cwd=tmp_path)
    assert code == 5
    assert not (tmp_path / "film").exists()
