"""`storyengine plan`, with a language model that answers over a real socket."""

import json
import sys

import pytest

from storyengine import documents
from storyengine.cli.storyboard_text import storyboard
from storyengine.demo import demo_plan, plan_text
from storyengine.plan import plan_data, plan_json, plan_schema, plan_yaml, read_plan
from tests.planning.scripted_server import Declines, Fails, Says, serving

KEY = "sk-test-0123456789abcdef0123"


@pytest.fixture
def brief(tmp_path):
    file = tmp_path / "brief.yaml"
    file.write_text(documents.to_yaml(demo_plan().request.model_dump(mode="json", exclude_defaults=True)))
    return file


def good():
    data = plan_data(demo_plan())
    del data["request"], data["storyengine_plan"]
    return data | {"assumptions": ["Mina is alone in the school."]}


def wrong():
    return good() | {"shots": good()["shots"][:5]}


@pytest.fixture
def model(monkeypatch):
    """Serve a script to the OpenAI adapter."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    servers = []

    def start(*script):
        context = serving(*[step if not isinstance(step, dict) else Says(json.dumps(step)) for step in script])
        server = context.__enter__()
        servers.append(context)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.address}/v1")
        return server

    yield start
    for context in servers:
        context.__exit__(None, None, None)


def test_the_schema_is_one_line(run):
    assert run("plan", "--schema").json == plan_schema()


def test_without_a_brief_the_next_step_is_named(run):
    result = run("plan")
    assert result.code == 2
    assert "storyengine new" in result.err


def test_a_brief_becomes_a_storyboard_and_a_plan_beside_it(run, brief, model):
    model(good())
    result = run("plan", brief, "--planner", "openai", "--yes")
    assert result.code == 0, result.err
    assert "about $0." in result.err
    for words in (
        "The forgotten notebook  6 shots, 24 s",
        "locker room  4 s",
        "Mina puts the red backpack into the grey locker.",
        "the red backpack: held by Mina → in the grey locker",
        "Assumed, because the brief does not say",
        "Mina is alone in the school.",
    ):
        assert words in result.out
    written = brief.with_name("brief.plan.yaml")
    assert read_plan(documents.parse(written.read_text(), "x")) == demo_plan()
    assert not (brief.parent / "drafts").exists()


def test_json_is_one_line_with_everything(run, brief, model, tmp_path):
    model(good())
    target = tmp_path / "deep" / "film.json"
    result = run("plan", brief, "--planner", "openai", "--yes", "--json", "-o", target)
    assert result.code == 0
    data = result.json
    assert data["ok"] is data["written"] is True
    assert data["planner"] == "openai"
    assert data["assumptions"] == ["Mina is alone in the school."]
    assert [shot["place"] for shot in data["shots"]][:2] == ["classroom", "locker room"]
    assert data["drafts"][0]["cost_dollars"] == pytest.approx(0.09)
    assert target.read_text() == plan_json(demo_plan()) + "\n"


def test_never_valid_ends_with_findings_exit_1_and_all_drafts_kept(run, brief, model):
    model(wrong(), wrong(), Says("{", finished=False))
    result = run("plan", brief, "--planner", "openai", "--yes")
    assert result.code == 1
    assert "no sound plan" in result.out
    assert "answer-cut-off" in result.out
    folder = brief.parent / "drafts" / "brief-1"
    assert sorted(file.name for file in folder.iterdir()) == [
        "1-answer.txt",
        "1-findings.json",
        "1-mended.plan.yaml",
        "2-answer.txt",
        "2-findings.json",
        "2-mended.plan.yaml",
        "3-answer.txt",
        "3-findings.json",
    ]
    assert (folder / "3-answer.txt").read_text() == "{"
    assert "shot-count" in {f["code"] for f in json.loads((folder / "1-findings.json").read_text())["findings"]}
    assert not brief.with_name("brief.plan.yaml").exists()


def test_never_valid_as_json_is_one_line_with_the_findings(run, brief, model):
    model(wrong())
    result = run("plan", brief, "--planner", "openai", "--yes", "--json", "--max-calls", 1)
    assert result.code == 1
    assert result.json["ok"] is False
    assert "shot-count" in {finding["code"] for finding in result.json["findings"]}


def test_a_refusal_keeps_the_drafts_before_it_and_exits_6(run, brief, model):
    model(wrong(), Declines("Not this story."))
    result = run("plan", brief, "--planner", "openai", "--yes", "--json")
    assert result.code == 6
    assert result.json["error"]["kind"] == "Refused"
    assert (brief.parent / "drafts" / "brief-1" / "1-answer.txt").exists()


def test_drafts_are_kept_on_demand_and_earlier_ones_stay(run, brief, model):
    model(wrong(), good(), good())
    for _ in range(2):
        assert run("plan", brief, "--planner", "openai", "--yes", "--keep-drafts", "--force").code == 0
    kept = {str(file.relative_to(brief.parent)) for file in brief.parent.glob("drafts/*/*-answer.txt")}
    assert kept == {"drafts/brief-1/1-answer.txt", "drafts/brief-1/2-answer.txt", "drafts/brief-2/1-answer.txt"}


def test_what_the_checks_mended_is_said(run, brief, model):
    answer = good()
    answer["initial"] = [fact for fact in answer["initial"] if fact.get("attribute") != "door"]
    model(answer)
    result = run("plan", brief, "--planner", "openai", "--yes")
    assert result.code == 0
    assert "Mended by the checks" in result.out


def test_an_edited_plan_is_never_overwritten_and_nothing_is_paid(run, brief, model):
    server = model(good())
    target = brief.with_name("brief.plan.yaml")
    target.write_text("# my edits\n")
    result = run("plan", brief, "--planner", "openai", "--yes")
    assert result.code == 2
    assert "--force" in result.err
    assert target.read_text() == "# my edits\n"
    assert server.received == []
    assert run("plan", brief, "--planner", "openai", "--yes", "--force").code == 0
    assert target.read_text() == plan_yaml(demo_plan())


def test_nobody_is_charged_without_having_agreed(run, brief, model, monkeypatch):
    server = model(good())
    with open("/dev/null") as nobody:
        monkeypatch.setattr(sys, "stdin", nobody)
        result = run("plan", brief, "--planner", "openai")
    assert result.code == 2
    assert "--yes" in result.err
    assert server.received == []


@pytest.mark.parametrize(("typed", "code", "calls"), [("n\n", 5, 0), ("y\n", 0, 1)])
def test_on_a_terminal_it_asks_before_it_spends(type_in, brief, model, typed, code, calls):
    server = model(good())
    ended, seen = type_in(typed, "plan", brief, "--planner", "openai", cwd=brief.parent)
    assert ended == code
    assert "about $0." in seen
    assert len(server.received) == calls


def test_a_plan_instead_of_a_brief_is_shown_and_checked(run, tmp_path):
    file = tmp_path / "story.yaml"
    file.write_text(plan_text())
    result = run("plan", file)
    assert result.code == 0
    assert "is already a plan" in result.out
    assert [path.name for path in tmp_path.iterdir()] == ["story.yaml"]
    assert run("plan", file, "--json").json["written"] is False
    copy = tmp_path / "story.json"
    assert run("plan", file, "-o", copy).code == 0
    assert copy.read_text() == plan_json(demo_plan()) + "\n"


def test_a_plan_with_blocking_findings_is_shown_with_exit_1(run, tmp_path):
    data = plan_data(demo_plan())
    data["shots"].pop()
    file = tmp_path / "story.json"
    file.write_text(json.dumps(data))
    result = run("plan", file)
    assert result.code == 1
    assert "shot-count" in result.out


def test_the_profile_beside_the_brief_chooses_and_the_command_line_overrules(run, brief, model):
    server = model(good())
    (brief.parent / "profile.yaml").write_text("planner: {backend: openai, model: gpt-from-profile}\n")
    assert run("plan", brief, "--yes").code == 0
    assert server.received[0].body["model"] == "gpt-from-profile"
    server.script.append(Says(json.dumps(good())))
    assert run("plan", brief, "--yes", "--force", "--model", "gpt-other").code == 0
    assert server.received[1].body["model"] == "gpt-other"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--planner", "opneai"], 2, "Did you mean 'openai'?"),
        (["--model", "gpt-5.5"], 2, "no language model"),
        (["--planner", "google", "--yes"], 6, "GEMINI_API_KEY"),
    ],
)
def test_wrong_choices_are_explained(run, brief, monkeypatch, words, code, said):
    for key in ("GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(key, raising=False)
    result = run("plan", brief, *words)
    assert result.code == code
    assert said in result.err


@pytest.mark.parametrize("text", ["planner: {backend: openai, api_key: sk-abcdef0123456789abcd}\n", "studio: x\n"])
def test_a_wrong_profile_is_named_and_shows_no_key(run, brief, text):
    (brief.parent / "profile.yaml").write_text(text)
    result = run("plan", brief, "--json")
    assert result.code == 2
    assert "profile.yaml:1" in result.json["error"]["message"]
    assert "environment" in result.err
    assert "sk-abcdef" not in result.out + result.err


def test_a_service_that_is_down_is_exit_6(run, brief, model):
    model(*[Fails(503)] * 4)
    result = run("plan", brief, "--planner", "openai", "--yes")
    assert result.code == 6
    assert "503" in result.err


def test_the_embedded_planner_is_the_default_and_writes_the_same_plan_twice(run, brief):
    pytest.importorskip("storyengine.planning.embedded")
    first = run("plan", brief)
    assert first.code in (0, 1), first.err
    assert brief.with_name("brief.plan.yaml").exists()
    again = run("plan", brief)
    assert again.code == first.code
    assert "Nothing changed" in again.out


def test_a_storyboard_says_what_the_plan_says():
    second = storyboard(demo_plan())[1]
    assert second.there == ("Mina", "red backpack", "grey locker")
    assert second.anchors == ("red backpack",)
    assert second.before == ("Mina walks to the locker room with the red backpack.",)
    assert second.changes == ("the red backpack: held by Mina → in the grey locker",)
    assert storyboard(demo_plan())[4].changes == ("the grey locker, door: shut → open",)
