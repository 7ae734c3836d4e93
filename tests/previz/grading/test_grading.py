"""Scenes with their truth: what a contract asks of them, what was planted, and a judge that sees pixels alone."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from storyengine.backends.ports import Frame, JudgeRequest, Statement
from storyengine.language import HasAttribute, OnlyPeople, Single, parse
from storyengine.language.captions import read_caption, read_catalog
from storyengine.media.picture import Picture
from storyengine.plan import Catalog, HeldBy, Offscreen
from storyengine.previz.grading import scenes
from storyengine.previz.grading.conditions import CONDITIONS, degraded
from storyengine.previz.grading.folder import Sample, SceneFolder
from storyengine.previz.grading.judging import BareJudge, judge_scenes
from storyengine.previz.grading.mistakes import explained
from storyengine.previz.grading.planting import SPOILED, Planted, Planting
from storyengine.previz.grading.questions import kind_of
from storyengine.previz.grading.stories import Cast, cast_story, invent, plan_of, relations
from storyengine.previz.grading.words import Words, own_words, unseen_words, words_of
from storyengine.state import replay

pytestmark = pytest.mark.timeout(600)  # drawing bakes places, which takes a minute on a busy machine


@pytest.fixture(scope="module")
def cast() -> Cast:
    return cast_story(own_words(), Random("a story"))


@pytest.mark.parametrize("words", [own_words(), unseen_words()], ids=["own", "unseen"])
def test_words_read_back_from_their_captions(words: Words) -> None:
    assert len(words.places) >= 5
    assert len(words.people) >= 6
    assert len({thing.id for thing in words.things}) == len(words.things) >= 20
    assert words_of((*words.people, *words.things), words.places) == words


def test_situations_are_sound_films_of_one_shot(cast: Cast) -> None:
    """The reducer refuses nothing, so contracts ask what the situation says."""
    for seed in range(30):
        situation = invent(cast, Random(seed), clip=True)
        trajectory = replay(plan_of(cast, situation))
        assert all(trajectory.initial[entity].placement == where for entity, where in situation.places)
        effects = situation.event.effects if situation.event else ()
        assert all(trajectory.shots[0].closing.holds(effect) for effect in effects)


def test_only_what_fits_is_held_or_put_somewhere(cast: Cast) -> None:
    table = next(t for t in own_words().things if t.name == "pine table")
    jug = next(t for t in own_words().things if t.name == "enamel jug")
    assert HeldBy(holder=cast.people[0].id) in relations(jug, cast.people[0])
    assert relations(table, cast.people[0]) == []
    assert relations(jug, cast.people[0], taken=True) == []


def test_planted_errors_leave_the_event_possible(cast: Cast) -> None:
    for seed in range(40):
        asked = invent(cast, Random(seed), clip=True)
        spoiled = Planting(cast, asked, Random(seed), list(cast.catalog.entities)).plant()
        moved = {e for (e, a), (_, b) in zip(asked.places, spoiled.situation.places, strict=True) if a != b}
        assert not moved & asked.acting
        assert spoiled.situation.event == asked.event
        assert {error.kind for error in spoiled.errors} <= set(SPOILED)


def test_an_error_belongs_to_the_claims_it_makes_false() -> None:
    assert Planted("wrong state", "jug").spoils(HasAttribute(entity="jug", attribute="fill", value="empty"))
    assert not Planted("wrong state", "jug").spoils(HasAttribute(entity="lamp", attribute="flame", value="out"))
    assert not Planted("wrong state", "jug").spoils(Single(entity="jug"))
    assert Planted("extra person").spoils(OnlyPeople())


def picture(shade: int = 90) -> bytes:
    pixels = np.full((360, 640, 3), shade, np.uint8)
    pixels[120:240, 160:320] = (200, 40, 30)
    return Picture(pixels).to_png(bare=True)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_degraded_frames_keep_their_size_and_nothing_else_changes(condition: str) -> None:
    request = JudgeRequest((Frame(0.0, picture()), Frame(1.0, picture(120))), (), captions=("a caption",))
    spoiled = degraded(request, condition)
    assert replace(spoiled, frames=request.frames) == request
    for before, after in zip(request.frames, spoiled.frames, strict=True):
        a, b = Picture.from_bytes(before.image).pixels, Picture.from_bytes(after.image).pixels
        assert a.shape == b.shape
        assert (a != b).any()
        assert np.abs(a.astype(int) - b.astype(int)).mean() < 45


def test_the_judge_runs_alone_and_never_loads_the_studio() -> None:
    code = (
        "import sys, storyengine.previz.grading.bare\n"
        "print([m for m in sys.modules if m.startswith('storyengine.previz.studio') or 'grading.labels' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_judge_in_a_process_of_its_own_answers_every_statement() -> None:
    asked = (
        Statement("a", "The picture is free of on-screen text.", "always"),
        Statement("b", "Something nobody can parse", "start"),
    )
    with BareJudge(threads=1) as judge:
        answered = judge.ask(JudgeRequest((Frame(0.0, picture()),), asked))
        broken = judge.ask(JudgeRequest((Frame(0.0, b"no picture"),), asked))
    assert {verdict.id for verdict in answered.verdicts} == {"a", "b"}
    assert answered.seconds > 0
    assert broken.error
    assert broken.verdicts == ()


# --- drawn scenes ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> SceneFolder:
    """Two scenes: drawing bakes a place, which takes seconds."""
    folder = SceneFolder(tmp_path_factory.mktemp("scenes"))
    scenes.draw_scenes(folder, {"own": own_words()}, 2, 2, 1)
    return folder


def catalog_of(sample: Sample) -> Catalog:
    return read_catalog(sample.captions)


@pytest.mark.slow
def test_a_folder_holds_what_a_judge_gets_and_what_it_must_not_get(drawn: SceneFolder) -> None:
    assert drawn.manifest() == {"version": 1, "seed": 2, "scenes": 2, "size": [1280, 720]}
    for sample in drawn.samples():
        request = sample.request(drawn)
        assert len(request.statements) == len(sample.questions) >= 1
        assert Picture.from_bytes(request.frames[0].image).pixels.shape == (720, 1280, 3)
        assert all(Picture.from_bytes(r.image).width for r in request.references)
        assert b"storyengine" not in request.frames[0].image
        told = json.dumps([s.text for s in request.statements] + list(request.captions))
        assert "planted" not in told
    assert any(len(sample.questions) > 10 for sample in drawn.samples())


@pytest.mark.slow
def test_a_judge_is_shown_what_must_not_be_there(drawn: SceneFolder) -> None:
    """As in a film, whose library knows it from other shots."""
    asked = [(s, q.subject) for s in drawn.samples() for q in s.questions if q.kind == "absent"]
    assert asked
    for sample, subject in asked:
        assert any(told.partition(" — here: ")[0] == known(sample, subject) for told, _ in sample.references)


def known(sample: Sample, subject: str) -> str:
    return next(line for line in sample.captions if (one := read_caption(line)) is not None and one.id == subject)


@pytest.mark.slow
def test_questions_are_sentences_of_the_language_with_the_kind_they_say(drawn: SceneFolder) -> None:
    for sample in drawn.samples():
        for question in sample.questions:
            claim = parse(question.text, catalog_of(sample))
            assert claim is not None
            assert kind_of(claim) == question.kind
            assert question.share is None or 0 <= question.share <= 1


@pytest.mark.slow
def test_masks_and_boxes_agree(drawn: SceneFolder) -> None:
    for sample in drawn.samples():
        with np.load(drawn.path / "masks" / f"{sample.number:04d}.npz") as masks:
            names, ids = masks["names"].tolist(), masks["ids"]
        assert ids.shape == (len(sample.frames), 360, 640)
        for name, (share, *_) in sample.boxes[0].items():
            assert abs(float((ids[0] == names.index(name)).mean()) - share) < 0.004


@pytest.mark.slow
def test_the_same_seed_draws_the_same_scenes_and_a_folder_is_completed(drawn: SceneFolder, tmp_path: Path) -> None:
    again = SceneFolder(tmp_path)
    scenes.draw_scenes(again, {"own": own_words()}, 1, 2, 1)
    assert again.sample(0) == drawn.sample(0)
    scenes.draw_scenes(again, {"own": own_words()}, 2, 2, 1)
    assert again.sample(1) == drawn.sample(1)


@pytest.mark.slow
def test_a_missing_thing_is_labelled_as_missing(drawn: SceneFolder) -> None:
    """Truth comes from the id buffer: whatever is asked about as present and has a box is there, and the reverse."""
    for sample in drawn.samples():
        for question in (q for q in sample.questions if q.kind == "present" and q.phase == "start"):
            assert question.truth == (question.subject in sample.boxes[0])


@pytest.mark.slow
def test_judging_a_folder_answers_every_question_of_the_kinds_asked(drawn: SceneFolder) -> None:
    kinds = ("free of text", "free of watermarks")
    judged = judge_scenes(drawn, drawn.numbers(), 1, clean=True, only=kinds)
    asked = [(s.number, q.id) for s in drawn.samples() for q in s.questions if q.kind in kinds]
    assert [(a.scene, a.question.id) for a in judged.answers] == asked
    assert len(judged.seconds) == len(drawn.numbers())
    assert explained(drawn, drawn.sample(0), judged.answers[0]).shape == (606, 1280, 3)


def test_an_absent_person_is_off_screen(cast: Cast) -> None:
    situation = invent(cast, Random(3), clip=False)
    person = cast.people[0].id
    assert situation.moved(person, Offscreen()).where(person) == Offscreen()


def grade_command(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    start = "from storyengine.cli import main; main()"
    command = [sys.executable, "-c", start, "previz", "grade", "--json", "--jobs", "1", "--clean"]
    return subprocess.run([*command, "--scenes-from", str(folder), *more], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_command_prints_tables_and_one_json_line(drawn: SceneFolder, tmp_path: Path) -> None:
    done = grade_command(drawn.path, "--scenes", "2", "--seed", "2", "--only", "free of text", "--save", str(tmp_path))
    report = json.loads(done.stdout)
    assert done.returncode == 1, "two scenes cannot show that every planted error is caught"
    assert report["ok"] is False
    assert set(report["kinds"]) == {"free of text"}
    assert report["missed"] == ["wrong state", "missing object", "extra person", "wrong room", "recast face"]
    assert "Planted errors" in done.stderr


def test_scenes_of_another_seed_are_not_mixed(tmp_path: Path) -> None:
    SceneFolder(tmp_path).note(3, 2, (1280, 720))
    done = grade_command(tmp_path, "--scenes", "2", "--seed", "4")
    assert done.returncode == 7
    assert json.loads(done.stdout)["error"]["message"] == f"{tmp_path} holds scenes of seed 3, not 4."
