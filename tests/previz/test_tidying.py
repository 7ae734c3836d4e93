"""The cache stays within bounds, and what is in use stays."""

import os
import time

from storyengine.previz import tidying
from storyengine.previz.tidying import YOUNG, keep_within, tidy_studio


def made(path, size, age):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(size))
    then = time.time() - age
    os.utime(path, (then, then))
    return path


def test_the_oldest_goes_first_until_the_rest_fits(tmp_path):
    files = [made(tmp_path / f"{k}.npz", 1000, YOUNG + 1000 - k) for k in range(5)]
    assert keep_within(tmp_path.glob("*"), 2500) == 3000
    assert [file.exists() for file in files] == [False, False, False, True, True]


def test_what_was_used_within_the_hour_stays_however_large(tmp_path):
    young, old = made(tmp_path / "young", 5000, 10), made(tmp_path / "old", 10, 2 * YOUNG)
    keep_within(tmp_path.glob("*"), 100)
    assert young.exists()
    assert not old.exists()


def test_little_is_never_removed(tmp_path):
    file = made(tmp_path / "old", 1000, 99 * YOUNG)
    assert keep_within(tmp_path.glob("*"), 1000) == 0
    assert file.exists()


def test_a_job_goes_as_a_whole_and_the_register_of_calls_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(tidying, "JOBS", 1500)
    for name, age in (("clip-a", 3 * YOUNG), ("clip-b", 2 * YOUNG)):
        folder = tmp_path / "jobs" / name
        made(folder / "result", 1000, age)
        made(folder / "state.json", 10, age)
        os.utime(folder, (time.time() - age,) * 2)
    call = made(tmp_path / "jobs" / "calls" / "one.json", 10, 9 * YOUNG)
    assert tidy_studio(tmp_path) == 1010
    assert not (tmp_path / "jobs" / "clip-a").exists()
    assert (tmp_path / "jobs" / "clip-b" / "result").exists()
    assert call.exists()
