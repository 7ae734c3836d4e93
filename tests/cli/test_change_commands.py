"""redo, pin, unpin, cuts, make --dry-run and --only, why, status, verify, export: as typed on a terminal."""

import json
import os
import shutil

import numpy as np
import pytest

from storyengine.media.picture import Picture
from storyengine.plan import plan_data, plan_yaml
from storyengine.runs.project import Project, journal_path
from tests.film.service import ARGUMENTS, PLUGINS, film_service
from tests.film.test_pipeline import small

ANIMATE = 500_000
"""Micro-dollars of one clip of the service."""


@pytest.fixture(scope="module")
def service():
    with film_service() as service:
        yield service


@pytest.fixture(scope="module")
def made(service, tmp_path_factory):
    """A film of six shots, made once for all tests here."""
    from typer.testing import CliRunner

    from storyengine.cli.main import app

    home = tmp_path_factory.mktemp("home")
    plan = small()
    data = plan_data(plan)
    data["request"]["delivery"]["fps"] = 24
    (home / "story.plan.yaml").write_text(plan_yaml(type(plan).model_validate(data)))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PLUGINS))
        patch.setenv("FILM_SERVICE", service.address)
        words = ["make", str(home / "story.plan.yaml"), "--out", str(home / "films" / "story"), *ARGUMENTS, "--yes"]
        assert CliRunner().invoke(app, words).exit_code == 0
    return home


@pytest.fixture
def home(made, service, tmp_path, monkeypatch):
    """A copy of the film, in the folder where commands are typed."""
    shutil.copytree(made, tmp_path / "home")
    monkeypatch.syspath_prepend(str(PLUGINS))
    monkeypatch.setenv("FILM_SERVICE", service.address)
    monkeypatch.chdir(tmp_path / "home")
    return tmp_path / "home"


def clips(home):
    return [(home / "films/story/shots" / f"{n:02d}.mp4").read_bytes() for n in range(1, 7)]


def openings(home):
    """The opening that each shot was animated from. (The service's clips do not show it.)"""
    records = [json.loads((home / f"films/story/audit/shot-{n:02d}.json").read_text()) for n in range(1, 7)]
    return [record["candidates"][-1]["opening"] for record in records]


def changed(before, after):
    return [number for number, (old, new) in enumerate(zip(before, after, strict=True), start=1) if old != new]


def test_a_dry_run_says_what_would_change_and_spends_nothing(run, home, service):
    orders = dict(service.orders)
    assert "Nothing has to be done" in run("make", "--dry-run").out
    plan = home / "films/story/plan.yaml"
    plan.write_text(plan.read_text().replace("pats her pockets, turns", "pats her pockets twice, turns"))
    found = run("make", "--dry-run", "--json").json
    assert found["changing"] == [3]
    assert [shot["fate"] for shot in found["shots"]] == ["kept", "kept", "made", "kept", "kept", "kept"]
    assert any("pats her pockets twice" in cause for cause in found["shots"][2]["causes"])
    assert ANIMATE <= found["cost_micros"]["least"] <= found["cost_micros"]["expected"] <= found["cost_micros"]["most"]
    text = run("make", "--dry-run").out
    assert "shot 3   made again" in text
    assert "pats her pockets twice" in text
    assert service.orders == orders
    stale = run("why", "3", "--json").json
    assert any("pats her pockets twice" in cause for cause in stale["stale"])


def test_a_dry_run_of_a_new_film_leaves_nothing_behind(run, home):
    found = run("make", "story.plan.yaml", "--out", "films/other", *ARGUMENTS, "--dry-run", "--json").json
    assert found["changing"] == [1, 2, 3, 4, 5, 6]
    assert not (home / "films/other").exists()


def test_redo_with_a_note(run, home):
    before, opened = clips(home), openings(home)
    foreseen = run("redo", "2", "--note", "Mina hums.", "--dry-run", "--json").json
    assert foreseen["changing"] == [2, 3]
    assert foreseen["shots"][2]["ripple"]
    refused = run("redo", "2", "--note", "Mina hums.")
    assert refused.code == 2
    assert "shots: 2, 3" in refused.err
    assert run("make", "--dry-run", "--json").json["changing"] == []  # what nobody agreed to is no change
    done = run("redo", "2", "--note", "Mina hums.", "--yes", "--json")
    assert done.code == 0, done.err
    assert changed(before, clips(home)) == [2] == done.json["changed"]
    assert changed(opened, openings(home)) == [3]
    assert "now asked for: Mina hums." in " ".join(foreseen["shots"][1]["causes"])


def test_redo_only_keeps_the_rest(run, home):
    before = clips(home)
    assert "New in this cut: shots 2." in run("redo", "2", "--only", "--yes").out
    assert changed(before, clips(home)) == [2]
    assert run("redo", "mina", "--only", "--yes").code == 2


def test_cuts_are_listed_and_brought_back(run, home):
    film = (home / "films/story/film.mp4").read_bytes()
    run("redo", "4", "--yes")
    assert (home / "films/story/film.mp4").read_bytes() != film
    listed = run("cuts", "--json").json["cuts"]
    assert [cut["changed"] for cut in listed] == [[1, 2, 3, 4, 5, 6], [4]]
    assert run("cuts", "--restore", "1").code == 0
    assert (home / "films/story/film.mp4").read_bytes() == film
    assert "cut 3" in run("cuts").out
    assert run("cuts", "--restore", "9").code == 2
    assert run("make", "--dry-run", "--json").json["changing"] == []


def test_a_photograph_is_pinned_verified_and_freed(run, home):
    before, opened = clips(home), openings(home)
    pixels = np.random.default_rng(3).integers(50, 220, (120, 300, 3), np.uint8)
    (home / "photo.png").write_bytes(Picture(pixels).to_png())
    pinned = run("pin", "4.opening", "photo.png", "--yes", "--json")
    assert pinned.code == 0, pinned.err
    assert changed(opened, openings(home)) == [4]
    why = run("why", "4.opening", "--json").json
    assert why["openings"][0]["verdict"] == "pinned; satisfies all that is required"
    assert "its opening is pinned" in run("why", "4.opening").out
    assert run("status", "--json").json["pinned"] == ["4.opening"]
    assert run("redo", "4.opening").code == 2
    assert run("unpin", "4.opening", "--yes").code == 0
    assert (clips(home), openings(home)) == (before, opened)
    assert run("unpin", "4.opening").code == 2


def test_a_take_is_pinned_by_its_number(run, home):
    before = clips(home)
    assert "every shot came out as it was" in run("pin", "5", "1").out
    assert clips(home) == before
    record = json.loads((home / "films/story/audit/shot-05.json").read_text())
    assert record["pinned"]
    assert run("pin", "5", "7").code == 2


def test_why_a_shot_is_as_it_is(run, home):
    text = run("why", "3").out
    assert "Candidate 1 is the first that satisfies every required criterion." in text
    assert "The opening is the last frame of the shot before" in text
    assert "Not stale" in text
    assert run("why", home / "films/story", "3").out == text
    assert run("why", "backpack@4").out == run("why", home / "story.plan.yaml", "backpack@4").out
    assert run("why", "9").code == 2


def test_status(run, home):
    found = run("status", "--json").json
    assert found["done"] == [1, 2, 3, 4, 5, 6]
    assert found["missing"] == []
    assert found["running"] is None
    assert found["spent"] >= 6 * ANIMATE or found["reserved"] >= 0
    assert "report.html" in found["next_step"]
    with Project(home / "films/story"):
        assert run("status", "--json").json["running"] == os.getpid()
    assert "6 of 6 shots" in run("status", "--project", home / "films/story").out


def test_the_newest_project_is_meant(run, home):
    shutil.copytree(home / "films/story", home / "films/copy")
    os.utime(journal_path(home / "films/copy"), (1, 1))
    assert run("status", "--json").json["project"].endswith("story")
    os.utime(journal_path(home / "films/story"), (0, 0))
    assert run("status", "--json").json["project"].endswith("copy")


def test_clips_from_anywhere_are_verified(run, home):
    (home / "clips").mkdir()
    for number in range(1, 6):
        shutil.copy(home / f"films/story/shots/{number:02d}.mp4", home / f"clips/my shot {number}.mp4")
    (home / "clips/my shot 5.mp4").write_bytes(b"no film at all")
    found = run("verify", "story.plan.yaml", "clips", "--set", "judge=service", "--yes", "--json")
    assert found.code == 3
    shots = found.json["shots"]
    assert [shot["holds"] for shot in shots] == [True] * 4 + [False] * 2
    assert shots[4]["faults"][0].startswith("undecodable")
    assert shots[5]["file"] is None
    assert "no clip" in run("verify", "story.plan.yaml", "clips", "--set", "judge=service", "--yes").out
    assert run("verify", "story.plan.yaml", home / "nowhere").code == 2
    shutil.copy(home / "films/story/shots/05.mp4", home / "clips/my shot 5.mp4")
    shutil.copy(home / "films/story/shots/06.mp4", home / "clips/my shot 6.mp4")
    at_home = run(
        "verify", "story.plan.yaml", "clips", "--project", "films/story", "--set", "judge=service", "--yes", "--json"
    )
    assert at_home.code == 0, at_home.out
    assert at_home.json["shots"][0]["criteria"] > shots[0]["criteria"]  # faces and places can be told there
    (home / "clips/5.mov").write_bytes(b"")
    twice = run("verify", "story.plan.yaml", "clips", "--set", "judge=service", "--yes")
    assert twice.code == 2
    assert "both claim to be shot 5" in twice.err


def test_export(run, home):
    found = run("export", "--to", "handed-on", "--json").json
    assert sorted(path.name for path in (home / "handed-on").iterdir()) == [
        "film.edl", "film.fcpxml", "film.otio", "shots"
    ]  # fmt: skip
    assert len(found["files"]) == 3 + 6
    assert run("export", "--format", "otio").out == "films/story/film.otio\n"


def test_doctor(run, home, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0000000000")
    found = run("doctor", "--json")
    assert found.code == 0
    assert "sk-very-secret" not in found.out
    symptoms = {symptom["what"]: symptom for symptom in found.json["symptoms"]}
    assert symptoms["Key for openai"]["state"] == "good"
    assert symptoms["painters"]["saw"] == "previz, service"
    assert all(symptom["fix"] for symptom in symptoms.values() if symptom["state"] != "good")
    assert "libx264" in run("doctor").out
    monkeypatch.delenv("OPENAI_API_KEY")
    (home / "profile.yaml").write_text("planner: openai\nanimator: servise\n")
    ill = run("doctor", "--json")
    assert ill.code == 7
    bad = {symptom["what"]: symptom for symptom in ill.json["symptoms"] if symptom["state"] == "bad"}
    assert "OPENAI_API_KEY" in bad["Profile: planner"]["fix"]
    assert "service" in bad["Profile: animator"]["saw"] + bad["Profile: animator"]["fix"]
    assert len(bad) == 2
