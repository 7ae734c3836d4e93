import json

import pytest

from storyengine.check.checking import edited
from storyengine.check.examples import EXAMPLES
from storyengine.demo import demo_plan, plan_text
from storyengine.documents import canonical_json
from storyengine.plan import plan_data, plan_schema

from .running import installed, storyengine


@pytest.fixture
def plan_file(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text(plan_text())
    return path


def broken(tmp_path, code):
    path = tmp_path / "broken.json"
    path.write_text(canonical_json(edited(plan_data(demo_plan()), EXAMPLES[code])))
    return path


def test_check_of_a_sound_plan(plan_file):
    ran = installed("check", plan_file)
    assert (ran.code, ran.stderr) == (0, "")
    assert "sound" in ran.stdout
    assert storyengine("check", plan_file, "--json").json == {
        "ok": True, "file": str(plan_file), "kind": "plan", "shots": 6, "fixed": [], "findings": [],
    }  # fmt: skip


def test_check_of_a_brief(tmp_path):
    brief = tmp_path / "brief.yaml"
    brief.write_text("idea: A walk.\nshots: 3\n")
    assert storyengine("check", brief).code == 0
    assert storyengine("check", brief, "--json").json["kind"] == "brief"


@pytest.mark.parametrize(("code", "exit_code"), [("anchor-invisible", 1), ("unknown-zone", 2), ("look-missing", 0)])
def test_exit_codes_tell_sense_structure_and_advice_apart(tmp_path, code, exit_code):
    ran = storyengine("check", broken(tmp_path, code), "--json")
    assert ran.code == exit_code
    assert code in [finding["code"] for finding in ran.json["findings"]]


def test_a_finding_points_at_its_line(tmp_path, plan_file):
    plan_file.write_text(plan_text().replace("anchors: [locker]", "anchors: [notebook]"))
    ran = storyengine("check", plan_file)
    line = 1 + plan_file.read_text().splitlines().index("    anchors: [notebook]")
    assert f"plan.yaml:{line}" in ran.stdout
    assert "the green notebook is in the classroom" in ran.stdout


def test_fix_mends_the_file_and_keeps_its_comments(plan_file):
    plan_file.write_text(plan_text().replace("seconds: 4.0", "seconds: 5.0 # long", 1))
    assert storyengine("check", plan_file).code == 1
    ran = storyengine("check", plan_file, "--fix")
    assert ran.code == 0
    assert "fixed" in ran.stdout
    text = plan_file.read_text()
    assert "# The forgotten notebook" in text
    assert "seconds: 4.0 # long" in text
    assert storyengine("check", plan_file).code == 0


def test_fix_without_anything_to_fix_leaves_the_file_alone(plan_file):
    before = plan_file.read_bytes()
    assert storyengine("check", plan_file, "--fix").code == 0
    assert plan_file.read_bytes() == before


def test_state_shows_changes_and_what_is_out_of_sight(plan_file):
    ran = storyengine("state", plan_file, "--shot", "4")
    assert ran.code == 0
    assert "on the wooden desk → held by Mina" in ran.stdout
    row = next(line for line in ran.stdout.splitlines() if "red backpack" in line)
    assert "○" in row
    data = storyengine("state", plan_file, "--json").json
    assert len(data["shots"]) == 6
    assert data["shots"][3]["changed"] == ["notebook"]
    assert data["shots"][3]["opening"]["backpack"] == {
        "placement": {"kind": "in_container", "container": "locker"}, "attributes": {}, "visible": False,
    }  # fmt: skip


def test_state_of_a_shot_that_does_not_exist(plan_file):
    ran = storyengine("state", plan_file, "--shot", "7")
    assert ran.code == 2
    assert "shots 1 to 6" in ran.stderr


def test_why_gives_the_chain_of_events(plan_file):
    ran = storyengine("why", plan_file, "backpack@4")
    assert ran.code == 0
    assert "because  shot 2, event 2: Mina puts the red backpack into the grey locker." in ran.stdout
    data = storyengine("why", plan_file, "backpack@4", "--json").json
    assert data["hidden_in"] == "locker"
    assert [step["cause"] for step in data["facts"][0]["chain"]] == [
        "the initial world", "shot 1, event 1", "shot 2, event 2",
    ]  # fmt: skip
    assert storyengine("why", plan_file, "red backpack@4", "--json").json == data


def test_why_of_something_unknown_suggests_the_nearest(plan_file):
    ran = storyengine("why", plan_file, "backpak")
    assert ran.code == 2
    assert "Did you mean 'backpack'?" in ran.stderr
    assert storyengine("why", plan_file, "backpack@99").code == 2


def test_the_schema_is_one_line_of_json():
    assert storyengine("plan", "--schema").json == plan_schema()


def test_a_brief_given_as_a_plan_is_recognised(tmp_path):
    (tmp_path / "brief.yaml").write_text("idea: A walk.\nshots: 3\n")
    ran = storyengine("state", tmp_path / "brief.yaml")
    assert ran.code == 2
    assert "is a brief" in ran.stderr


BAD = {
    "empty": b"",
    "binary": bytes(range(256)),
    "a list": b"- a\n- b\n",
    "plain words": b"once upon a time",
    "a number": b"42",
    "unknown field": b"idea: x\nshots: 2\nmoood: dark\n",
    "no shots": b"idea: x\nshots: 0\n",
    "five thousand shots": b"idea: x\nshots: 5000\n",
    "duplicate key": b"idea: x\nidea: y\nshots: 2\n",
    "ten megabytes of idea": b"idea: " + b"x" * 10_000_000 + b"\nshots: 2\n",
    "ten megabytes of idea as JSON": b'{"idea": "' + b"x" * 10_000_000 + b'", "shots": 2}',
    "deep JSON": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "deep YAML": b"a: " + b"[" * 3000 + b"]" * 3000,
    "YAML bomb": b"a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]\n",
    "newer version": plan_text().replace("storyengine_plan: 1", "storyengine_plan: 99").encode(),
    "latin-1": "idea: café\nshots: 2\n".encode("latin-1"),
    "path in an id": plan_text().replace("id: desk\n", "id: ../../desk\n").encode(),
    "control character in an id": plan_text().replace("id: desk\n", 'id: "d\\x07esk"\n').encode(),
    "unknown id": plan_text().replace("backpack on desk", "backpack on shelf").encode(),
    "duplicate id": plan_text().replace("id: desk\n", "id: locker\n").encode(),
    "cyclic placement": plan_text().replace("- notebook on desk", "- notebook in backpack", 1)
    .replace("- backpack on desk", "- backpack in notebook", 1)
    .replace("elastic band\n", "elastic band\n    roles: [container]\n").encode(),
    "five thousand shots in a plan": canonical_json(
        {**plan_data(demo_plan()), "shots": plan_data(demo_plan())["shots"][:1] * 5000}
    ).encode(),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_ends_with_a_message_exit_code_2_and_nothing_written(tmp_path, name):
    path = tmp_path / "story.yaml"
    path.write_bytes(BAD[name])
    ran = storyengine("check", path, "--fix", "--json", cwd=tmp_path)
    assert ran.code == 2, ran.stderr
    assert "Traceback" not in ran.stderr
    body = ran.json
    assert not body["ok"]
    assert body.get("findings") or body["error"]["message"]
    assert len(ran.stdout) < 20_000
    if body.get("error"):
        assert path.read_bytes() == BAD[name]
    assert [entry.name for entry in tmp_path.iterdir()] == ["story.yaml"]


def test_a_file_that_is_not_there_names_its_neighbours(tmp_path):
    (tmp_path / "brief.yaml").write_text("x")
    ran = storyengine("check", tmp_path / "breif.yaml")
    assert ran.code == 2
    assert "brief.yaml" in ran.stderr
    assert storyengine("check", tmp_path).code == 2


def test_a_wrong_command_line_is_exit_code_2():
    assert storyengine("check").code == 2
    assert storyengine("chekc", "x").code == 2


def test_help_teaches():
    ran = storyengine("--help")
    assert ran.code == 0
    for word in ("demo", "check", "state", "why", "plan", "Exit codes"):
        assert word in ran.stdout
    assert storyengine("--version").stdout.startswith("storyengine ")


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_demo_makes_a_film_a_report_and_a_plan_to_work_with(tmp_path):
    film = tmp_path / "film"
    ran = storyengine("demo", "--out", film, timeout=1100)
    assert ran.code == 0, ran.stderr
    assert (film / "film.mp4").stat().st_size > 100_000
    assert "<video" in (film / "report.html").read_text()
    assert storyengine("check", film / "plan.yaml").code == 0


def test_json_errors_are_one_line(tmp_path):
    ran = storyengine("why", tmp_path / "nothing.yaml", "x", "--json")
    assert ran.code == 2
    assert json.loads(ran.stdout)["error"]["kind"] == "InputError"
