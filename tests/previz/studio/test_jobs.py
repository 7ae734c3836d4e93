import threading
import time

import pytest

from storyengine.backends.ports import PaintRequest, ReferenceImage
from storyengine.errors import Refused, Unavailable
from storyengine.previz.studio.index import Index
from storyengine.previz.studio.jobs import JobDesk, Outcome
from storyengine.runs.provider import Declined, Ready, Waiting

REQUEST = PaintRequest("a box", 64, 64, (ReferenceImage("a box", b"pixels"),), 3)


def finished(desk, job):
    for _ in range(400):
        state = desk.poll(job)
        if not isinstance(state, Waiting):
            return state
        time.sleep(0.01)
    raise AssertionError("the job never ended")


def desk(folder, work):
    return JobDesk(Index(folder), "picture", PaintRequest, work)


def test_a_job_is_done_in_the_background_and_fetched_as_often_as_wanted(tmp_path):
    go = threading.Event()

    def work(request):
        go.wait(5)
        return Outcome(request.references[0].image + b"!")

    mine = desk(tmp_path, work)
    job = mine.submit(REQUEST, "call 1")
    assert isinstance(mine.poll(job), Waiting)
    go.set()
    assert isinstance(finished(mine, job), Ready)
    assert mine.fetch(job) == mine.fetch(job) == b"pixels!"
    assert mine.lookup("call 1") == job
    assert mine.lookup("call 2") is None


def test_the_same_call_is_the_same_job(tmp_path):
    runs = []
    mine = desk(tmp_path, lambda r: runs.append(1) or Outcome(b"x"))
    job = mine.submit(REQUEST, "call")
    finished(mine, job)
    assert mine.submit(REQUEST, "call") == job
    assert runs == [1]


def test_a_job_survives_the_process_that_took_it(tmp_path):
    def dies(request):
        raise KeyboardInterrupt  # what a killed worker leaves behind: a request, and no state

    first = desk(tmp_path, dies)
    job = first.submit(REQUEST, "call")
    for _ in range(200):
        if all(future.done() for future in first._running.values()):
            break
        time.sleep(0.01)
    second = desk(tmp_path, lambda r: Outcome(r.prompt.encode()))
    assert second.lookup("call") == job
    assert isinstance(finished(second, job), Ready)
    assert second.fetch(job) == b"a box"


def test_a_refusal_and_a_bug_are_answers(tmp_path):
    refuse = desk(tmp_path / "a", lambda r: Outcome(error=Refused("no", "simulated")))
    state = finished(refuse, refuse.submit(REQUEST, "call"))
    assert isinstance(state, Declined)
    assert isinstance(state.error, Refused)
    assert state.error.reason == "simulated"
    broken = desk(tmp_path / "b", lambda r: 1 / 0)
    job = broken.submit(REQUEST, "call")
    assert "ZeroDivisionError" in str(finished(broken, job).error)
    with pytest.raises(Unavailable):
        broken.fetch(job)


def test_an_unknown_job_is_told_so(tmp_path):
    with pytest.raises(Unavailable, match="no job"):
        desk(tmp_path, lambda r: Outcome()).poll("picture-0")


def test_a_slow_job_keeps_its_client_waiting(tmp_path):
    slow = desk(tmp_path, lambda r: Outcome(b"x", seconds=60.0))
    job = slow.submit(REQUEST, "call")
    while slow._state(job) is None:
        time.sleep(0.01)
    assert isinstance(slow.poll(job), Waiting)
