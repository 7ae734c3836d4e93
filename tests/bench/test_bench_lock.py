import shutil

import pytest

from storyengine import documents
from storyengine.bench.briefs import BRIEF, read_member, story_ids
from storyengine.bench.index import VERSION
from storyengine.bench.lock import LOCK, block_hashes, current, differences, lock_of, read_lock, write_lock
from storyengine.bench.story import SHEET
from storyengine.bench.verify import HOME
from storyengine.errors import InputError

FROZEN = {"1.0.0": "a1c62c57b71c5491f96e6d76c79f97f131d7ea65177b64efaa5fdd89fe1042f5"}
"""Every version ever published and its digest. A new version adds a line; no line ever changes."""


@pytest.fixture(scope="session")
def now():
    return current(HOME)


def plain(story: str, name: str) -> dict:
    return documents.parse(read_member(story, name), name).data


def test_no_block_has_changed_since_it_was_frozen(now):
    assert [str(finding) for finding in differences(read_lock(HOME.parent / LOCK), now)] == []


def test_this_version_is_the_one_that_was_published(now):
    assert FROZEN[VERSION] == now.digest, "stories changed: raise VERSION and add its digest here"


def test_every_story_has_the_blocks_of_its_suite(now):
    common = {"brief", "index", "locations", "cast", "props", "required"}
    own = {"n20": {"events", "distractors"}, "t20": {"anchors", "states"}, "c20": {"lighting"}}
    assert {story: set(blocks) for story, blocks in now.stories.items()} == {
        story: common | own[story[:3]] for story in story_ids()
    }


@pytest.mark.parametrize("story", ["n20-bakehouse-peel-rack", "t20-glassworks-annealing-lehr", "c20-bell-ringer"])
def test_every_field_of_a_story_is_in_exactly_one_block(story):
    brief, sheet = plain(story, BRIEF), plain(story, SHEET)
    before = block_hashes(brief, sheet)
    for field in brief:
        after = block_hashes({**brief, field: "changed"}, sheet)
        assert [block for block in before if before[block] != after[block]] == ["brief"], field
    for field in sheet:
        after = block_hashes(brief, {**sheet, field: "changed"})
        assert len([block for block in before if before[block] != after[block]]) == 1, field


def test_changes_are_named_by_story_and_block(now):
    story = story_ids()[0]
    hashes = {**now.stories, story: {**now.stories[story], "cast": "0" * 64}}
    (finding,) = differences(now, lock_of(hashes))
    assert (finding.story, finding.where) == (story, "cast")
    assert "has changed since version" in finding.message
    gone = {name: blocks for name, blocks in now.stories.items() if name != story}
    assert {"is missing" in f.message for f in differences(now, lock_of(gone))} == {True}
    assert {"was added" in f.message for f in differences(lock_of(gone), now)} == {True}


def test_another_version_or_a_lock_edited_by_hand_is_found(now):
    assert "holds version 0.9" in str(differences(lock_of(now.stories, "0.9"), now)[0])
    edited = now.model_copy(update={"digest": "0" * 64})
    assert "edited by hand" in str(differences(edited, now)[0])


def test_comments_and_layout_do_not_change_a_hash_and_words_do(tmp_path, now):
    home = tmp_path / "stories"
    shutil.copytree(HOME, home)
    story = story_ids()[0]
    file = home / story / SHEET
    file.write_text("# a remark\n" + file.read_text("utf-8"), "utf-8")
    assert differences(now, current(home)) == []
    file = home / story / BRIEF
    file.write_text(file.read_text("utf-8").replace("shots: 10", "shots: 11"), "utf-8")
    assert [finding.where for finding in differences(now, current(home))] == ["brief"]


def test_a_frozen_version_cannot_be_written_over(tmp_path, now):
    path = tmp_path / LOCK
    write_lock(path, now)
    write_lock(path, now)
    assert read_lock(path) == now
    changed = {**now.stories, story_ids()[0]: {"brief": "0" * 64}}
    with pytest.raises(InputError, match="is frozen"):
        write_lock(path, lock_of(changed))
    write_lock(path, lock_of(changed, "1.0.1"))
    assert read_lock(path).version == "1.0.1"


def test_a_missing_lock_is_said(tmp_path):
    with pytest.raises(InputError, match="not frozen"):
        read_lock(tmp_path / LOCK)
