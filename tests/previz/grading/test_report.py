"""The arithmetic of a grade, on answers whose figures can be counted by hand."""

from __future__ import annotations

from storyengine.backends.ports import Box, Label
from storyengine.previz.grading.folder import Question
from storyengine.previz.grading.judging import Answer, Judged, Sighting
from storyengine.previz.grading.report import Tally, grade


def answer(truth: bool, label: Label, *, kind: str = "present", scene: int = 0, **more: object) -> Answer:
    details: dict[str, object] = {"share": 0.05, "planted": "", "condition": "clean", "subject": "jug", **more}
    question = Question(
        id="start-1", phase="start", text="The jug is in frame.", kind=kind, subject=str(details["subject"]),
        truth=truth, share=details["share"], planted=str(details["planted"]),  # type: ignore[arg-type]
    )  # fmt: skip
    condition = str(details["condition"])
    return Answer(scene, condition, "still", "medium", "own", question, label, "", None, None)


def test_precision_and_recall_of_both_labels() -> None:
    answers = [answer(True, "PASS")] * 6 + [answer(True, "FAIL")] * 1 + [answer(True, "UNKNOWN")] * 3
    answers += [answer(False, "FAIL")] * 3 + [answer(False, "PASS")] * 2
    tally = Tally.of(answers)
    assert tally.precision("PASS") == 6 / 8
    assert tally.recall("PASS") == 6 / 10
    assert tally.precision("FAIL") == 3 / 4
    assert tally.recall("FAIL") == 3 / 5
    assert tally.unknown == 3 / 15


def test_nothing_is_said_of_a_side_that_was_hardly_asked() -> None:
    assert Tally.of([answer(True, "FAIL")] * 9).holds("PASS") is None
    assert Tally.of([answer(True, "FAIL")] * 10).holds("PASS") is False
    assert Tally.of([answer(True, "PASS")] * 10).holds("PASS") is True
    assert Tally.of([answer(False, "UNKNOWN")] * 10).holds("FAIL") is False


def caught(kind: str, label: Label = "FAIL") -> list[Answer]:
    return [answer(False, label, planted=kind, scene=n, kind=kind) for n in range(20)]


PLANTED = [a for kind in ("wrong state", "missing object", "extra person", "wrong room", "recast face")
           for a in caught(kind)]  # fmt: skip


def test_a_faultless_judge_holds_the_bars() -> None:
    answers = [answer(True, "PASS", scene=n) for n in range(20)] + PLANTED
    report = grade(Judged(tuple(answers), (), (0.5, 1.0, 3.0)), 20, 7)
    assert report["ok"] is True
    assert report["kinds"]["present"]["pass"] == {"precision": 1.0, "recall": 1.0}
    assert report["seconds"] == {"median": 1.0, "largest": 3.0}


def test_one_kind_short_of_a_bar_is_named() -> None:
    answers = [answer(True, "PASS" if n else "UNKNOWN", scene=n) for n in range(8)] * 2 + PLANTED
    report = grade(Judged(tuple(answers), (), (1.0,)), 20, 7)
    assert report["ok"] is False
    assert report["short"] == ["present"]


def test_an_error_that_is_not_caught_or_never_planted_is_named() -> None:
    answers = [a for a in PLANTED if a.question.planted != "wrong room"]
    missed = [a for a in answers if a.question.planted != "recast face"] + caught("recast face", "UNKNOWN")
    report = grade(Judged(tuple(missed), (), (1.0,)), 20, 7)
    assert report["missed"] == ["wrong room", "recast face"]
    assert report["planted"]["recast face"] == {"number": 20, "caught": 0.0, "unknown": 1.0, "passed": 0.0}


def test_small_things_and_degraded_pictures_have_no_bar() -> None:
    small = [answer(True, "FAIL", share=0.009, scene=n) for n in range(20)]
    blurred = [answer(True, "FAIL", condition="blur", scene=n) for n in range(20)]
    report = grade(Judged((*small, *blurred, *PLANTED), (), (1.0,)), 20, 7)
    assert report["ok"] is True
    assert report["small"]["present"]["true"] == 20
    assert report["conditions"]["blur"]["true"] == 4, "every fifth scene"


def test_locating_counts_right_boxes_among_those_shown_and_those_named() -> None:
    here, there = Box(0.1, 0.1, 0.2, 0.2), Box(0.6, 0.6, 0.2, 0.2)
    sightings = (
        Sighting(0.04, here, here),
        Sighting(0.04, here, there),
        Sighting(0.04, here, None),
        Sighting(0.0, None, there),
        Sighting(0.0, None, None),
        Sighting(0.002, here, there),
    )
    report = grade(Judged(tuple(PLANTED), sightings, (1.0,)), 20, 7)
    assert report["locate"] == {"shown": 3, "said": 3, "precision": 0.3333, "recall": 0.3333}


def test_what_no_picture_decides_is_counted_and_held_to_no_bar() -> None:
    zones = [answer(True, "UNKNOWN", kind="placed in a zone", scene=n) for n in range(20)]
    report = grade(Judged((*zones, *PLANTED), (), (1.0,)), 20, 7)
    assert report["ok"] is True
    assert report["kinds"]["placed in a zone"]["ok"] is False
