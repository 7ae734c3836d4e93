import json

import pytest
from typer.testing import CliRunner

from storyengine.bench.briefs import brief_text
from storyengine.cli.bench import app
from storyengine.errors import ExitCode, InputError

runner = CliRunner()


def run(*arguments):
    return runner.invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "160", "NO_COLOR": "1"})


def one_json_line(result):
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def test_list_for_people_and_for_programs():
    shown = run("list", "--suite", "T20", "--mini")
    assert shown.exit_code == 0
    assert "t20-tramshed-pit-road" in shown.stdout
    assert "t20-ferry-slip-ramp" not in shown.stdout
    assert "A A B B B A A A B B" in shown.stdout
    data = one_json_line(run("list", "--json"))
    assert len(data["stories"]) == 60
    assert sum(story["mini"] for story in data["stories"]) == 15
    assert {"story", "suite", "category", "title", "plan", "mini"} == set(data["stories"][0])


def test_the_suite_may_be_written_in_any_case_and_must_exist():
    assert len(one_json_line(run("list", "--suite", "c20", "--json"))["stories"]) == 20
    assert run("list", "--suite", "X20").exit_code == ExitCode.INVALID


@pytest.mark.parametrize(
    ("story", "parts"),
    [
        ("n20-bakehouse-peel-rack", ("required events", "distractors", "order", "flour store")),
        ("t20-glassworks-annealing-lehr", ("anchors", "one-way states", "by ")),
        ("c20-bell-ringer", ("lighting", "than")),
    ],
)
def test_show_has_brief_places_and_blocks(story, parts):
    shown = run("show", story)
    assert shown.exit_code == 0
    for part in ("all that a method sees", "forbidden", "places", "cast and props", *parts):
        assert part in shown.stdout


def test_show_colours_the_strip():
    coloured = runner.invoke(app, ["show", "c20-bell-ringer"], env={"FORCE_COLOR": "1", "TERM": "xterm-256color"})
    assert "\x1b[30;46m" in coloured.stdout
    assert "\x1b[30;43m" in coloured.stdout


def test_an_unknown_story_suggests_the_nearest():
    result = run("show", "c20-bell-ringr")
    assert isinstance(result.exception, InputError)
    assert "Did you mean 'c20-bell-ringer'?" in str(result.exception)


def test_briefs_are_exported_alone_and_never_written_over(tmp_path):
    result = run("briefs", tmp_path / "out", "--suite", "N20", "--mini")
    assert (result.exit_code, result.stdout) == (0, "")
    files = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert len(files) == 5
    assert all(file.endswith("/brief.yaml") for file in files)
    story = "n20-bakehouse-peel-rack"
    mine = tmp_path / "out" / story / "brief.yaml"
    assert mine.read_text("utf-8") == brief_text(story)
    assert run("briefs", tmp_path / "out", "--suite", "N20", "--mini").exit_code == 0
    mine.write_text("idea: mine\n", "utf-8")
    refused = run("briefs", tmp_path / "out", "--suite", "N20")
    assert isinstance(refused.exception, InputError)
    assert str(mine) in str(refused.exception)
    assert mine.read_text("utf-8") == "idea: mine\n"
    assert len(list((tmp_path / "out").iterdir())) == 5


def test_verify_proves_the_numbers():
    shown = run("verify")
    assert shown.exit_code == ExitCode.OK, shown.stdout
    assert "Everything is as claimed." in shown.stdout
    data = one_json_line(run("verify", "--json"))
    assert data["ok"] is True
    assert data["findings"] == []
    assert {figure["name"]: figure["found"] for figure in data["figures"]}["distinct settings"] == "50"
    assert 0 < data["nearest"][0]["similarity"] < 0.15
