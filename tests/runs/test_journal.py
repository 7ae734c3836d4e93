import multiprocessing
import os
import shutil
import sqlite3
import subprocess
from dataclasses import replace

import pytest

from storyengine.errors import CorruptData, FolderError, FolderLocked
from storyengine.runs.journal import Journal
from storyengine.runs.project import Project, journal_path, read_journal
from storyengine.runs.rows import Call, CallState, Effect, StepRow
from tests.runs.machines import make_read_only, mounted


def step(key, digest="d" * 64, effect=Effect.PURE, **more):
    return StepRow(key, "kind", "1", effect, {"a": "b" * 64}, {"text": "x", **more}, digest, 3, 0, 0.0)


def call(name, state=CallState.INTENT, **more):
    base = Call(name, "k" * 64, 1, "slot", "provider", "stage", state, None, None, None, 10, None, "", 0, 0.0)
    return replace(base, **more)


def die_after(use):
    """Run `use` in a process that then dies without closing anything."""

    def main():
        use()
        os._exit(9)

    child = multiprocessing.get_context("fork").Process(target=main)
    child.start()
    child.join()
    assert child.exitcode == 9


def test_rows_come_back_as_they_were_written(folder):
    with Project(folder) as project:
        project.journal.finish_step(step("k1"), "shot 1")
        project.journal.write_call(call("c1"))
        done = call("c1", CallState.DONE, digest="e" * 64, size=7, actual=9)
        written = project.journal.write_call(done)
        number = project.journal.append("cut", {"takes": ["f" * 64]})
    with read_journal(folder) as journal:
        assert journal.in_slot("shot 1") == journal.step("k1")
        assert journal.step("k1").inputs == {"a": "b" * 64}
        assert journal.step("unknown") is None
        assert journal.calls() == [written]
        assert journal.call("k" * 64) == written
        assert [(r.id, r.body) for r in journal.records("cut")] == [(number, {"takes": ["f" * 64]})]


def test_a_reader_sees_what_is_committed_while_a_writer_works(folder):
    with Project(folder) as project:
        project.journal.finish_step(step("k1"), "shot 1")
        with read_journal(folder) as reader:
            assert reader.steps() == []
            project.journal.commit()
            assert len(reader.steps()) == 1
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                reader._db.execute("DELETE FROM steps")


def test_committed_rows_survive_a_kill_and_others_do_not(folder):
    def use():
        project = Project(folder)
        project.journal.finish_step(step("k1"), "shot 1")
        project.journal.commit()
        project.journal.finish_step(step("k2"), "shot 2")

    die_after(use)
    with Project(folder) as project:
        assert [row.key for row in project.journal.steps()] == ["k1"]
        assert project.journal.was_cut_short
    with Project(folder) as project:
        assert not project.journal.was_cut_short


def test_records_are_final(folder):
    with Project(folder) as project:
        project.journal.append("cut", {"takes": []})
        project.journal.commit()
        for statement in ("DELETE FROM records", "UPDATE records SET body = 'x'"):
            with pytest.raises(sqlite3.IntegrityError, match="records are final"):
                project.journal._db.execute(statement)


def test_two_processes_on_one_folder(folder):
    with Project(folder):
        refused = multiprocessing.get_context("fork").Queue()

        def other():
            try:
                Project(folder)
            except FolderLocked as error:
                refused.put(str(error))

        child = multiprocessing.get_context("fork").Process(target=other)
        child.start()
        child.join()
        message = refused.get(timeout=5)
        assert str(os.getpid()) in message
        assert "run the same command again" in message
        with pytest.raises(FolderLocked):
            Project(folder)
    Project(folder).close()


def test_a_dead_process_holds_no_lock(folder):
    die_after(lambda: Project(folder))
    Project(folder).close()


@pytest.mark.parametrize("cut", [1, 100, 5000, 20_000])
def test_a_truncated_tail_loses_the_last_rows_and_nothing_else(folder, cut):
    def use():
        project = Project(folder)
        for index in range(40):
            project.journal.finish_step(step(f"k{index:02}"), f"shot {index}")
            project.journal.commit()

    die_after(use)
    tail = journal_path(folder).with_name("journal.sqlite-wal")
    os.truncate(tail, tail.stat().st_size - cut)
    with Project(folder) as project:
        keys = [row.key for row in project.journal.steps()]
        assert keys == [f"k{index:02}" for index in range(len(keys))]
        assert len(keys) < 40
        assert project.journal.was_cut_short
        project.journal.finish_step(step("new"), "new")


def test_a_missing_tail_is_noticed(folder):
    """Somebody copied journal.sqlite without its -wal: the last run looks cut short, so calls are looked up."""

    def use():
        project = Project(folder)
        project.journal.finish_step(step("k1"), "shot 1")
        project.journal.commit()

    Project(folder).close()
    die_after(use)
    journal_path(folder).with_name("journal.sqlite-wal").unlink()
    with Project(folder) as project:
        assert project.journal.steps() == []
        assert project.journal.was_cut_short


@pytest.mark.parametrize("damage", ["half", "zeros", "text"])
def test_a_damaged_journal_is_refused_and_its_copy_still_good(folder, damage):
    with Project(folder) as project:
        for index in range(200):
            project.journal.finish_step(step(f"k{index:03}"), f"shot {index}")
    path = journal_path(folder)
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes(
        {
            "half": data[:middle],
            "zeros": data[:4096] + b"\0" * 8192 + data[12288:],
            "text": b"This was a journal.",
        }[damage]
    )
    with pytest.raises(CorruptData, match=r"journal\.backup"):
        Project(folder)
    shutil.copy(path.with_name("journal.backup"), path)
    with Project(folder) as project:
        assert len(project.journal.steps()) == 200
        assert project.journal.was_cut_short  # so that paid calls are looked up before they are sent


def test_a_flipped_bit_inside_a_row_is_refused(folder):
    with Project(folder) as project:
        project.journal.finish_step(step("k1", digest="a" * 64), "shot 1")
        project.journal.write_call(call("c1", CallState.DONE, digest="c" * 64, size=1, actual=5))
    path = journal_path(folder)
    data = path.read_bytes()
    assert data.count(b"a" * 64) == 1
    path.write_bytes(data.replace(b"a" * 64, b"a" * 63 + b"b"))
    with Project(folder) as project:
        with pytest.raises(CorruptData, match="does not match its seal"):
            project.journal.step("k1")
        assert len(project.journal.calls()) == 1
    with Project(folder) as project:
        project.journal._db.execute("UPDATE calls SET actual = 4")
        with pytest.raises(CorruptData, match="seal"):
            project.journal.calls()
        project.journal._db.execute("UPDATE calls SET state = 'dnne'")
        with pytest.raises(CorruptData, match="cannot be read"):
            project.journal.calls()


def test_a_clock_set_back_changes_no_order(folder):
    clock = iter(range(10_000, 0, -100))
    back = lambda: float(next(clock))  # noqa: E731
    with Project(folder, clock=back) as project:
        project.journal.finish_step(step("old"), "shot 1")
        project.journal.append("cut", "first")
    with Project(folder, clock=back) as project:
        project.journal.finish_step(step("new"), "shot 1")
        project.journal.append("cut", "second")
        project.journal.write_call(call("c1", CallState.AMBIGUOUS))
        project.journal.write_call(call("c2", CallState.DONE, attempt=2))
    with Project(folder, clock=back) as project:
        assert not project.journal.was_cut_short
        assert project.journal.in_slot("shot 1").key == "new"
        assert [record.body for record in project.journal.records("cut")] == ["first", "second"]
        assert project.journal.call("k" * 64).name == "c2"


def test_a_full_disk_stops_the_journal_and_loses_nothing_committed(tmp_path):
    with mounted(tmp_path / "disk", "size=300k") as disk:
        project = Project(disk / "film")
        with pytest.raises(FolderError, match=r"disk is full.*Free some space"):
            fill(project.journal, committed := [])
        with pytest.raises(FolderError, match="disk is full"):
            project.journal.append("cut", {})
        project.close()
        # Room again: everything that was committed is there, and work goes on.
        make_room(disk)
        with Project(disk / "film") as again:
            keys = [row.key for row in again.journal.steps()]
            assert len(keys) > 5
            assert keys == [f"k{index:04}" for index in range(len(keys))]
            assert keys[-1] == committed[-1]
            again.journal.append("cut", {})


def fill(journal, committed):
    for index in range(10_000):
        journal.finish_step(step(f"k{index:04}", more="x" * 500), f"shot {index}")
        journal.commit()
        committed.append(f"k{index:04}")


def make_room(disk):
    subprocess.run(["mount", "-o", "remount,size=4m", str(disk)], check=True)


def test_a_read_only_folder_is_refused_for_work_and_open_for_reading(tmp_path):
    with mounted(tmp_path / "disk", "size=2m") as disk:
        with Project(disk / "film") as project:
            project.journal.finish_step(step("k1"), "shot 1")
        make_read_only(disk)
        with pytest.raises(FolderError, match=r"read-only file system.*Choose a folder"):
            Project(disk / "film")
        with pytest.raises(FolderError, match="read-only"):
            Project(disk / "new film")
        with read_journal(disk / "film") as journal:
            assert journal.in_slot("shot 1").key == "k1"


def test_a_folder_of_somebody_else(tmp_path):
    """Permission bits, as a user who is not root."""
    if os.getuid() != 0:
        pytest.skip("only root can become somebody else")
    place = tmp_path / "theirs"
    place.mkdir(mode=0o755)
    for above in place.parents:
        if not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)

    def main():
        os.setuid(65534)
        try:
            Project(place / "film")
        except FolderError as error:
            os._exit(0 if "permission was denied" in str(error) else 1)
        os._exit(2)

    child = multiprocessing.get_context("fork").Process(target=main)
    child.start()
    child.join()
    assert child.exitcode == 0


def test_a_journal_of_another_format_is_refused(folder):
    Project(folder).close()
    with sqlite3.connect(journal_path(folder)) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(FolderError, match="format 99"):
        Project(folder)
    with pytest.raises(FolderError, match="format 99"):
        read_journal(folder)


def test_no_project_here(tmp_path):
    with pytest.raises(FolderError, match="no project"):
        read_journal(tmp_path)


def test_forgetting_drops_free_steps_only(folder):
    with Project(folder) as project:
        journal: Journal = project.journal
        journal.finish_step(step("free"), "a")
        journal.finish_step(step("paid", effect=Effect.PAID), "b")
        journal.forget(["free", "paid"])
        assert [row.key for row in journal.steps()] == ["paid"]
