import json

import pytest
import typer
from typer.testing import CliRunner

from storyengine.cli.clean import clean
from storyengine.errors import FolderError
from storyengine.runs.project import Project
from storyengine.runs.runner import Runner
from storyengine.runs.step import Done
from storyengine.runs.tidy import find_removable, remove
from tests.runs.work import graph, paid_step, text_step


def command(*words):
    app = typer.Typer()
    app.command()(clean)
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def untidy(folder, in_runner):
    """A project with everything in it: used, orphaned, unfinished, damaged, replaced, cut, paid."""

    async def use(runner: Runner):
        await runner.run(graph(10))
        await runner.do(text_step("title", "old title"))
        await runner.do(text_step("title", "new title"))
        await runner.do(text_step("take", "take one"))
        await runner.do(paid_step("opening", "old opening"))
        await runner.do(paid_step("opening", "new opening"))
        take = await runner.do(text_step("take", "take two"))
        store = runner.project.store
        kept = {"source": store.put(b"an author's picture")}
        await runner.do(text_step("uses source", source=kept["source"].digest))
        first = await runner.do(text_step("cut take", "in a cut"))
        await runner.do(text_step("cut take", "no longer in the slot"))
        runner.project.journal.append("cut", {"takes": [{"shot 1": first.digest}, take.digest]})
        return store.put(b"nobody wants me"), store.put(b"damaged")

    orphan, damaged = in_runner(use)
    store = folder / ".storyengine" / "store"
    (store / "tmp" / "1234-abc").write_bytes(b"half a pic")
    path = store / damaged.digest[:2] / damaged.digest[2:]
    path.chmod(0o644)
    path.write_bytes(b"DAMAGED")
    with Project(folder) as project, pytest.raises(FolderError):
        project.store.get(damaged.digest)
    return orphan, damaged


def test_only_what_nobody_needs_is_found(folder, untidy):
    orphan, damaged = untidy
    with Project(folder) as project:
        found = {item.name: item.why for item in find_removable(project.journal, project.store)}
    assert found == {
        orphan.digest: "nothing refers to it",
        damaged.digest: "damaged and moved aside",
        "1234-abc": "a write that was never finished",
    }


def test_replaced_results_go_on_request_and_paid_or_cut_ones_stay(folder, untidy, in_runner):
    with Project(folder) as project:
        found = find_removable(project.journal, project.store, superseded=True)
        replaced = [project.store.get(item.name) for item in found if item.keys]
        assert sorted(replaced) == [b"old title", b"take one"]
        freed = remove(project, found)
        assert freed == sum(item.size for item in found)
        assert find_removable(project.journal, project.store, superseded=True) == []

    async def again(runner: Runner):
        steps = [*graph(10), text_step("title", "old title"), paid_step("opening", "old opening")]
        return await runner.run(steps)

    results = in_runner(again)
    assert all(isinstance(result, Done) for result in results.values())
    assert [slot for slot, result in results.items() if not result.hit] == ["title"]


def test_the_command_shows_before_it_removes(folder, untidy):
    orphan, _ = untidy
    shown = command(folder)
    assert shown.exit_code == 0
    assert orphan.digest[:16] in shown.output
    assert "Would remove 3 files" in shown.output
    listed = json.loads(command(folder, "--json").stdout)
    assert listed["removed"] is False
    assert len(listed["items"]) == 3
    done = json.loads(command(folder, "--yes", "--json").stdout)
    assert done["freed"] == sum(item["size"] for item in done["items"]) > 0
    assert "nothing to remove" in command(folder, "--yes").output


def test_a_folder_without_a_project_is_left_alone(tmp_path):
    for words in ([tmp_path], [tmp_path, "--yes"]):
        with pytest.raises(FolderError, match="no project"):
            command(*words)
    assert list(tmp_path.iterdir()) == []
