import shutil
import subprocess
import sys
from contextlib import suppress

import pytest
from pydantic import ValidationError

from storyengine.bench.lock import LOCK
from storyengine.bench.sheet import Sheet
from storyengine.bench.story import SHEET
from storyengine.bench.verify import HOME, changes_since_frozen, check, check_folder, verify


@pytest.fixture
def home(tmp_path):
    """A copy of the whole benchmark that may be broken."""
    shutil.copytree(HOME, tmp_path / "stories")
    shutil.copy(HOME.parent / LOCK, tmp_path / LOCK)
    return tmp_path / "stories"


def test_the_benchmark_is_as_claimed():
    verdict = verify()
    assert [str(finding) for finding in verdict.findings] == []
    assert [figure for figure in verdict.figures if not figure.ok] == []
    assert verdict.ok


def test_every_story_passes_its_own_checks(everything):
    assert [str(finding) for story in everything for finding in check(story)] == []


def test_a_lost_story_a_stray_folder_and_a_changed_block_are_found(home):
    shutil.rmtree(home / "c20-bell-ringer")
    (home / "n20-moon-landing").mkdir()
    file = home / "n20-bakehouse-peel-rack" / SHEET
    file.write_text(file.read_text("utf-8").replace("category: Food", "category: Store"), "utf-8")
    verdict = verify(home)
    said = "\n".join(str(finding) for finding in verdict.findings)
    assert "c20-bell-ringer: folder: there is no folder" in said
    assert "c20-bell-ringer: brief: the block is missing" in said
    assert "n20-moon-landing: folder: is not in the index" in said
    assert "n20-bakehouse-peel-rack: sheet.category: found 'Store'" in said
    assert "n20-bakehouse-peel-rack: index: the block has changed since version 1.0.0 was frozen" in said
    assert not verdict.ok


def test_without_a_lock_the_benchmark_is_not_frozen(home):
    assert changes_since_frozen(home) == []
    (home.parent / LOCK).unlink()
    assert [str(finding) for finding in changes_since_frozen(home)] == [
        "benchmark: lock.json: The benchmark is not frozen: there is no lock file."
    ]


def test_a_file_that_cannot_be_read_is_a_finding(home):
    folder = home / "n20-bakehouse-peel-rack"
    (folder / SHEET).write_text("story: [", "utf-8")
    assert "not valid YAML" in "\n".join(str(finding) for finding in check_folder(folder))
    (folder / SHEET).unlink()
    assert "There is no file" in "\n".join(str(finding) for finding in check_folder(folder))
    other = home / "n20-elsewhere"
    shutil.copytree(home / "t20-bakehouse-peel-rack", other)
    assert "the folder's name is the id" in "\n".join(str(finding) for finding in check_folder(other))


def test_writers_can_check_a_folder(home):
    command = [sys.executable, "-m", "storyengine.bench.verify"]
    good = subprocess.run([*command, home / "c20-bell-ringer"], capture_output=True, text=True, check=False)
    assert good.returncode == 0, good.stdout
    assert "c20-bell-ringer: ok" in good.stdout
    file = home / "c20-bell-ringer" / SHEET
    file.write_text(file.read_text("utf-8").replace("suite: C20", "suite: N20"), "utf-8")
    bad = subprocess.run([*command, home / "c20-bell-ringer"], capture_output=True, text=True, check=False)
    assert bad.returncode == 1
    assert "sheet.suite: found 'N20'; the index says 'C20'" in bad.stdout


@pytest.mark.parametrize("suite", ["n20", "t20", "c20"])
def test_whatever_is_missing_nothing_crashes(request, suite):
    story = request.getfixturevalue(suite)
    for name, values in story.sheet:
        for position in range(len(values)) if isinstance(values, tuple) else ():
            data = {**dict(story.sheet), name: values[:position] + values[position + 1 :]}
            with suppress(ValidationError):  # what the sheet itself refuses needs no check
                broken = story.model_copy(update={"sheet": Sheet.model_validate(data)})
                # Props that nobody uses and a fourth or fifth order rule may go; anything else is missed.
                assert check(broken) or name in ("props", "order"), (name, position)
