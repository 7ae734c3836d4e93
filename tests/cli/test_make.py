"""`storyengine make` with painter, animator and judge behind a real socket, and with all that may go wrong there."""

import json
import os
import signal
import subprocess
import time

import pytest

from storyengine.media.clip import Clip
from storyengine.plan import plan_data, plan_yaml
from storyengine.runs.project import read_journal
from tests.cli.running import PROGRAM
from tests.film.service import ARGUMENTS, PLUGINS, environment, film_service
from tests.film.test_pipeline import small
from tests.planning.scripted_server import Says, serving
from tests.runs.machines import make_read_only, mounted

FRAMES = 6
"""Frames of one small shot."""


@pytest.fixture(autouse=True)
def plugin(monkeypatch):
    monkeypatch.syspath_prepend(str(PLUGINS))


@pytest.fixture
def plan(tmp_path):
    file = tmp_path / "story.plan.yaml"
    file.write_text(plan_yaml(small()))
    return file


@pytest.fixture
def make(run, plan, tmp_path, monkeypatch):
    """Make the film with a service; `--yes` unless told otherwise."""

    def make(service, *words, agreed=True):
        monkeypatch.setenv("FILM_SERVICE", service.address)
        yes = ["--yes"] if agreed else []
        return run("make", plan, "--out", tmp_path / "film", *ARGUMENTS, *yes, *words)

    return make


def shots_in(folder):
    return len(Clip.from_bytes((folder / "film.mp4").read_bytes()).frames) / FRAMES


# --- all goes well --------------------------------------------------------------------------------------------


def test_a_film_is_made_once_and_found_after_that(make, tmp_path):
    with film_service() as service:
        made = make(service, "--json")
        assert made.code == 0, made.err
        assert made.json["candidates"] == [1] * 6
        orders = dict(service.orders)
        film = (tmp_path / "film" / "film.mp4").read_bytes()
        assert make(service).code == 0
    assert service.orders == orders
    assert not service.repeated()
    assert (tmp_path / "film" / "film.mp4").read_bytes() == film


def test_an_edited_plan_redoes_only_what_changed(make, plan, tmp_path):
    with film_service() as service:
        make(service)
        before = set(service.orders)
        plan.write_text(plan.read_text().replace("Mina pats her pockets", "Mina searches her pockets"))
        assert make(service).code == 0
        new = sorted(order.split()[0] for order in set(service.orders) - before)
    # shot 3 is filmed anew from the same opening; nobody follows it in the same place
    assert new == ["animate"]
    assert not service.repeated()


def test_stopping_early_leaves_something_to_look_at(make, tmp_path):
    folder = tmp_path / "film"
    with film_service() as service:
        assert make(service, "--until", "plan", agreed=False).code == 0
        assert not service.asked
        assert (folder / "plan.yaml").exists()
        result = make(service, "--until", "references", "--json")
        assert result.json["references"] == str(folder / "references")
        names = {file.name for file in (folder / "references").iterdir()}
        assert {"mina-1.png", "classroom-panorama.png"} <= names
        assert set(service.asked) == {"paint", "poll", "fetch", "judge", "locate"}
        painted = service.asked["paint"]
        assert make(service, "--until", "openings").code == 0
        assert (folder / "storyboard.png").exists()
        assert service.asked["paint"] == painted + 6
        assert make(service).code == 0
    assert not service.repeated()


# --- money ----------------------------------------------------------------------------------------------------


def test_paid_work_is_told_and_nobody_pays_by_accident(make, tmp_path):
    with film_service() as service:
        result = make(service, agreed=False)
        assert result.code == 2
        assert "Making 6 shots with painter service, animator service, judge service: about $3." in result.err
        assert "Add --yes" in result.err
        assert not service.asked


def test_what_was_agreed_to_once_is_resumed_without_a_question(make):
    with film_service() as service:
        assert make(service, "--max-cost", "1").code == 4
        result = make(service, agreed=False)
        assert result.code == 0
        assert "Making 6 shots" not in result.err


def test_the_embedded_studio_never_asks(run, plan, tmp_path):
    result = run("make", plan, "--out", tmp_path / "film", "--until", "plan")
    assert result.code == 0
    assert result.err == ""


@pytest.fixture
def brief(tmp_path, plan):
    file = tmp_path / "brief.json"
    file.write_text(json.dumps(plan_data(small())["request"]))
    return file


def answered():
    data = plan_data(small())
    del data["request"], data["storyengine_plan"]
    return json.dumps(data)


def plan_by_model(run, brief, tmp_path, monkeypatch, server, *words):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef0123")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.address}/v1")
    where = ("--out", tmp_path / "film", "--set", "planner=openai")
    return run("make", brief, *where, "--until", "plan", *words)


def test_planning_by_a_model_is_asked_for_and_never_paid_again(run, brief, tmp_path, monkeypatch):
    folder = tmp_path / "film"
    with serving(Says("no plan"), Says(answered())) as server:
        result = plan_by_model(run, brief, tmp_path, monkeypatch, server)
        assert result.code == 2
        assert "Planning 6 shots with openai (gpt-5.5): about $0." in result.err
        assert not server.received
        assert plan_by_model(run, brief, tmp_path, monkeypatch, server, "--yes").code == 0
        made = (folder / "plan.yaml").read_text()
        (folder / "plan.yaml").unlink()
        again = plan_by_model(run, brief, tmp_path, monkeypatch, server)
        assert again.code == 0, again.err
    assert (folder / "plan.yaml").read_text() == made
    assert len(server.received) == 2
    with read_journal(folder) as journal:
        calls = [(call.slot, call.actual) for call in journal.calls()]
    assert [slot for slot, _ in calls] == ["plan/draft 1", "plan/draft 2"]
    assert all(actual for _, actual in calls)


def test_the_cap_holds_for_planning_too(run, brief, tmp_path, monkeypatch):
    with serving(Says(answered())) as server:
        result = plan_by_model(run, brief, tmp_path, monkeypatch, server, "--yes", "--max-cost", "0.01")
        assert result.code == 4
        assert not server.received


def test_a_plan_that_was_edited_in_the_project_is_kept(run, brief, tmp_path):
    folder = tmp_path / "film"
    words = ("make", brief, "--out", folder, "--until", "plan")
    (folder).mkdir()
    edited = "# my own words\n" + plan_yaml(small())
    (folder / "plan.yaml").write_text(edited)
    assert run(*words).code == 0
    assert (folder / "plan.yaml").read_text() == edited


# --- backends that fail ---------------------------------------------------------------------------------------


def test_an_unreachable_service_is_named_and_the_project_goes_on_later(make, tmp_path):
    with film_service() as gone:
        pass
    result = make(gone)
    assert result.code == 6
    assert "The film service" in result.err
    with film_service() as service:
        assert make(service).code == 0


def test_a_service_that_goes_away_leaves_the_shots_so_far(make, tmp_path):
    folder = tmp_path / "film"
    with film_service(lambda what, body, before: 503 if what == "animate" and before >= 2 else None) as service:
        result = make(service, "--json")
        assert result.code == 6
        assert result.json["error"]["kind"] == "Unavailable"
        assert "The film so far, 2 of 6 shots" in result.err
    assert shots_in(folder) == 2
    with film_service() as service:
        assert make(service).code == 0
        assert service.asked["animate"] == 4
    assert shots_in(folder) == 6


def test_a_refused_shot_becomes_a_slate_and_the_film_goes_on(make, tmp_path):
    def fault(what, body, before):
        return "refuse" if "Mina pats her pockets" in body.get("prompt", "") else None

    with film_service(fault) as service:
        result = make(service, "--json")
    assert result.code == 3
    assert result.json["degraded"] == [3]
    assert shots_in(tmp_path / "film") == 6
    record = json.loads((tmp_path / "film" / "audit" / "shot-03.json").read_text())
    assert record["clip"] is None
    assert "content_policy_violation" in json.dumps(record)


def test_a_painter_that_refuses_everything_is_named(make):
    with film_service(lambda what, body, before: "refuse" if what == "paint" else None) as service:
        result = make(service)
    assert result.code == 6
    assert "declined" in result.err


def test_a_judge_that_talks_garbage_is_asked_again_and_then_ends_the_run(make, tmp_path):
    with film_service(lambda what, body, before: "garbage" if what == "judge" and before >= 20 else None) as service:
        result = make(service)
    assert result.code == 6
    assert "answered 3 times out of form" in result.err
    assert "Choose another judge" in result.err
    bought = service.asked["animate"]
    with film_service() as service:
        assert make(service).code == 0
        assert service.asked["animate"] == 6 - bought


@pytest.mark.slow
def test_verdicts_that_never_come_are_unknown_and_recorded(make, tmp_path):
    def fault(what, body, before):
        return "partial" if what == "judge" and len(body["frames"]) > 1 else None

    with film_service(fault) as service:
        result = make(service, "--json")
    assert result.code == 3
    assert result.json["candidates"] == [4] * 6  # a verdict that never came is UNKNOWN, and UNKNOWN is never PASS
    record = json.loads((tmp_path / "film" / "audit" / "shot-01.json").read_text())
    verdicts = record["candidates"][0]["verdicts"]
    assert [v["label"] for v in verdicts].count("UNKNOWN") == 1
    assert "no verdict in form" in json.dumps(verdicts)


def test_a_judge_that_declines_to_look_leaves_everything_unknown(make, tmp_path):
    def fault(what, body, before):
        return "refuse" if what == "judge" and len(body["frames"]) > 1 and before < 40 else None

    with film_service(fault) as service:
        result = make(service, "--json")
    assert shots_in(tmp_path / "film") == 6
    records = [json.loads(file.read_text()) for file in (tmp_path / "film" / "audit").iterdir()]
    first = [
        v for r in records for v in r["candidates"][0]["verdicts"] if v["evidence"].startswith("The judge declined")
    ]
    assert first
    assert {verdict["label"] for verdict in first} == {"UNKNOWN"}
    assert result.json["candidates"] != [1] * 6


def test_a_spent_budget_leaves_the_shots_so_far_and_goes_on_with_more(make, tmp_path):
    folder = tmp_path / "film"
    with film_service() as service:
        result = make(service, "--max-cost", "2.20")
        assert result.code == 4
        assert "of the cap of $2.20" in result.err
        assert 0 < service.asked["animate"] < 6
        assert shots_in(folder) == service.asked["animate"]
        assert make(service, "--max-cost", "5").code == 0
        assert service.asked["animate"] == 6
    assert shots_in(folder) == 6
    assert not service.repeated()


# --- machines that fail ---------------------------------------------------------------------------------------


def test_a_folder_that_is_a_file(run, plan, tmp_path):
    (tmp_path / "film").write_text("")
    result = run("make", plan, "--out", tmp_path / "film", "--json")
    assert result.code == 7
    assert str(tmp_path / "film") in result.json["error"]["message"]


def test_a_read_only_folder(make, tmp_path):
    with mounted(tmp_path / "film", "size=1m") as folder, film_service() as service:
        make_read_only(folder)
        result = make(service)
        assert result.code == 7
        assert "read-only" in result.err.lower()
        assert not service.asked


def test_a_full_disk_stops_before_anything_more_is_bought_and_resumes(make, tmp_path):
    with mounted(tmp_path / "film", "size=80m") as folder, film_service() as service:
        ballast = folder / "ballast"

        def fill(what, body, before):
            if what == "animate" and before == 1:
                ballast.write_bytes(b"x" * 30_000_000)

        service.fault = fill
        result = make(service)
        assert result.code == 7, result.err
        assert "full" in result.err
        assert "run the same command again" in result.err
        assert 0 < shots_in(folder) <= service.asked["animate"] < 6
        ballast.unlink()
        assert make(service).code == 0
        assert not service.repeated()


@pytest.mark.slow
def test_ctrl_c_leaves_the_shots_so_far_and_resumes(plan, tmp_path):
    folder = tmp_path / "film"
    with film_service() as service:
        command = [PROGRAM, "make", plan, "--out", folder, *ARGUMENTS, "--yes"]
        stop = []

        def fault(what, body, before):
            if what == "animate" and before == 5:
                os.kill(stop[0], signal.SIGINT)
                time.sleep(0.3)

        service.fault = fault
        process = subprocess.Popen(
            command, env=environment(service), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        stop.append(process.pid)
        told, errors = process.communicate(timeout=60)
        assert process.returncode == 5, errors
        assert "The film so far" in told
        assert shots_in(folder) >= 1
        service.fault = lambda what, body, before: None
        done = subprocess.run(command, env=environment(service), capture_output=True, timeout=60, check=False)
        assert done.returncode == 0
    assert shots_in(folder) == 6
    assert not service.repeated()


def test_what_every_shot_must_show_is_counted_as_it_will_be_judged(run, make, plan, tmp_path):
    counted = run("check", plan, "--criteria", "--json").json["criteria"]
    with film_service() as service:
        assert make(service).code == 0
    for shot, kinds in counted.items():
        record = json.loads((tmp_path / "film" / "audit" / f"shot-{int(shot):02d}.json").read_text())
        required = [c for c in record["contract"]["criteria"] if c["priority"] == "required"]
        assert sum(kinds.values()) == len(required)
    assert "Required criteria" in run("check", plan, "--criteria").out
