"""Redo, pin, unpin, --only and cuts, on the ten small shots."""

import copy

import numpy as np
import pytest

from storyengine.change.alignment import moved
from storyengine.change.cuts import bring_back, current_changes, last_takes, list_cuts
from storyengine.change.pinning import choose
from storyengine.change.projects import audit_of, audits, find_project
from storyengine.change.reasons import reasons
from storyengine.change.record import SEED_STEP, Changes, read_changes, write_changes
from storyengine.change.target import Target, read_target
from storyengine.continuity.film import SEED_STEP as SHOT_SEEDS
from storyengine.continuity.gate import Mode
from storyengine.errors import InputError
from storyengine.language.sections import read_sections
from storyengine.making import kept
from storyengine.media.clip import Clip
from storyengine.media.encode import encode
from storyengine.media.picture import Picture
from storyengine.plan import SemanticPlan, Shot, plan_yaml
from storyengine.runs.digest import digest_bytes
from storyengine.runs.project import Project
from storyengine.runs.tidy import find_removable, remove

from .ten_shots import PLAN, Animator, forecast, make, plan_dict

PLAN_DIGEST = digest_bytes(plan_yaml(PLAN).encode())
"""Where the base film's plan lies in its store."""


def changed(before, after):
    return {shot for shot, clip in after.clips.items() if clip != before.clips[shot]}


def shows(before, entity):
    return {
        take.contract.shot
        for take in before.film.takes
        if any(binding.entity == entity for binding in take.contract.context.bindings)
    }


# --- targets and the record ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("4", "shot", "4"),
        ("4.opening", "opening", "4"),
        ("ada", "character", "ada"),
        ("Ada", "character", "ada"),
        ("blue mug", "prop", "mug"),
        ("yard", "place", "yard"),
    ],
)
def test_targets(text, kind, name):
    assert read_target(text, PLAN) == Target(kind, name)


@pytest.mark.parametrize("text", ["0", "11", "11.opening", "adda", "4.closing", ""])
def test_what_is_no_target_is_told(text):
    with pytest.raises(InputError):
        read_target(text, PLAN)


def test_the_record_is_kept_in_the_journal(tmp_path):
    changes = Changes().redone("4", "slower").redone("4").pinned("ada", "0" * 64, "ada.jpg")
    with Project(tmp_path) as project:
        assert read_changes(project.journal) == Changes()
        write_changes(project.journal, changes, PLAN_DIGEST)
    with Project(tmp_path) as project:
        assert read_changes(project.journal) == changes
    assert changes.seed("4") == 2 * SEED_STEP
    assert changes.notes("4") == ("slower",)
    assert changes.seed("5") == 0
    assert changes.pinned("ada", "1" * 64, "b").pin("ada") == "1" * 64
    assert changes.unpinned("ada").pins == ()


def test_changes_follow_their_shots_through_an_edited_plan(film):
    folder, before = film
    data = plan_dict()
    data["shots"].insert(2, copy.deepcopy(data["shots"][2]))
    data["shots"][2]["events"] = [{"action": "Ada yawns.", "actors": ["ada"]}]
    data["shots"][0]["events"][0]["action"] = "Ada grabs the blue mug."
    del data["shots"][5:7]  # what were shots 5 and 6
    plan = SemanticPlan.model_construct(**{**dict(PLAN), "shots": tuple(map(Shot.model_validate, data["shots"]))})
    assert moved(PLAN, plan) == {1: 1, 2: 2, 3: 4, 4: 5, 7: 6, 8: 7, 9: 8, 10: 9}
    changes = Changes().redone("3", "slower").redone("5").pinned("10.opening", "0" * 64, "x").redone("ada")
    with Project(folder) as project:
        write_changes(project.journal, changes, PLAN_DIGEST)
        now = current_changes(project.journal, project.store, plan)
        takes = last_takes(project.journal, project.store, plan)
    assert [redo.target for redo in now.redos] == ["4", "ada"]
    assert [now.number(shot) for shot in range(1, 10)] == [1, 2, 11, 3, 4, 7, 8, 9, 10]
    assert [pin.target for pin in now.pins] == ["9.opening"]
    assert takes[9] == before.clips[10]
    assert 3 not in takes


def with_a_shot_more():
    """The plan with a fifth shot in the kitchen; those after it move on by one."""
    data = plan_dict()
    data["shots"].insert(4, copy.deepcopy(data["shots"][3]))
    data["shots"][4]["events"] = [{"action": "Ada hums a tune.", "actors": ["ada"]}]
    data["request"]["shots"] = 11
    return SemanticPlan.model_validate(data)


def test_a_shot_that_is_put_in_makes_only_itself(film):
    folder, before = film
    plan = with_a_shot_more()
    with Project(folder) as project:
        changes = current_changes(project.journal, project.store, plan)
        last = last_takes(project.journal, project.store, plan)
    foreseen = forecast(folder, plan, changes, last)
    assert foreseen.changing == (5,)
    after = make(folder, plan, changes=changes)
    assert [after.clips[shot] for shot in (1, 2, 3, 4)] == [before.clips[shot] for shot in (1, 2, 3, 4)]
    assert [after.clips[shot + 1] for shot in range(5, 11)] == [before.clips[shot] for shot in range(5, 11)]
    with Project(folder) as project:
        write_changes(project.journal, changes, list_cuts(project.journal)[-1].plan)
        assert current_changes(project.journal, project.store, PLAN) == Changes()  # and back again


# --- redo ------------------------------------------------------------------------------------------------------


def test_redo_of_a_shot_keeps_its_opening_and_ripples_through_tails_that_are_used(film):
    folder, before = film
    changes = Changes().redone("2", "Ada looks into the camera.")
    foreseen = forecast(folder, changes=changes)
    after = make(folder, changes=changes)
    assert changed(before, after) == {2, 3, 4}  # in the kitchen every tail is reused
    assert foreseen.changing == (2, 3, 4)
    assert [shot.ripple for shot in foreseen.shots[:4]] == [False, False, True, True]
    assert foreseen.shots[2].causes == ("the last frame of shot 2 changes", "its opening changes")
    assert any("Ada looks into the camera." in cause for cause in foreseen.shots[1].causes)
    assert after.film.takes[1].openings == before.film.takes[1].openings
    asked = [request for request in after.animator.requests if request.seed // SHOT_SEEDS % 2000 == 2]
    assert read_sections(asked[0].prompt)["NOTES OF THE AUTHOR"] == ["Ada looks into the camera."]


def test_redo_of_an_opening_does_not_go_on_from_the_tail(film):
    folder, before = film
    after = make(folder, changes=Changes().redone("3.opening"))
    assert 3 in changed(before, after) <= {3, 4}
    assert before.film.takes[2].gate.mode is Mode.REUSE
    assert after.film.takes[2].gate.mode is not Mode.REUSE
    assert "asked for another opening" in after.film.takes[2].gate.reason


def test_redo_of_a_look_makes_the_shots_that_show_it_and_no_others(film):
    folder, before = film
    changes = Changes().redone("ben", "Ben is older.")
    foreseen = forecast(folder, changes=changes)
    after = make(folder, changes=changes)
    assert shows(before, "ben") == {5, 6, 7, 8, 9, 10}
    assert changed(before, after) == shows(before, "ben")
    assert set(foreseen.changing) == shows(before, "ben")
    assert list(foreseen.references) == ["ben"]
    assert all("the reference of Ben changes" in shot.causes for shot in foreseen.shots[4:])
    sheets = [request for request in after.painter.requests if "identity sheet" in request.prompt]
    assert len(sheets) == 1
    assert "Ben is older." in sheets[0].prompt


@pytest.mark.slow
def test_redo_of_a_place(film):
    folder, before = film
    after = make(folder, changes=Changes().redone("workshop"))
    assert changed(before, after) == {5, 6, 7}


@pytest.mark.slow
def test_a_forecast_bounds_what_is_called(film):
    folder, _ = film
    changes = Changes().redone("2")
    calls = forecast(folder, changes=changes).calls
    after = make(folder, changes=changes)
    done = {"painter": after.painter, "animator": after.animator, "judge": after.judge}
    for part, worker in done.items():
        assert calls[part].least <= len(worker.requests) <= calls[part].most


def test_nothing_to_do_is_foreseen(film):
    foreseen = forecast(film[0])
    assert {shot.fate for shot in foreseen.shots} == {"kept"}
    assert all(span.most == 0 for span in foreseen.calls.values())


def test_what_was_refused_is_refused_again_and_not_wanted(tmp_path):
    animator = Animator(refuses=lambda request: "looks at the sky" in request.prompt)
    made = make(tmp_path / "film", animator=animator)
    assert made.clips[8] is None
    foreseen = forecast(tmp_path / "film")
    assert {shot.fate for shot in foreseen.shots} == {"kept"}
    assert all(span.most == 0 for span in foreseen.calls.values())


@pytest.mark.slow
def test_a_film_that_was_never_made_is_all_new(tmp_path):
    foreseen = forecast(tmp_path / "new")
    assert foreseen.changing == tuple(range(1, 11))
    assert all(shot.causes for shot in foreseen.shots)


# --- only ------------------------------------------------------------------------------------------------------


def test_only_keeps_later_shots_and_verifies_them(film):
    folder, before = film
    with Project(folder) as project:
        changes = kept(Changes().redone("2"), last_takes(project.journal, project.store, PLAN), [2])
    after = make(folder, changes=changes)
    assert changed(before, after) == {2}
    assert after.film.degraded == ()
    assert all(take.candidates[0].judgement for take in after.film.takes)
    with Project(folder) as project:
        assert list_cuts(project.journal)[-1].changes == Changes().redone("2")  # what is kept for one run is no pin


@pytest.mark.slow
def test_only_holds_the_others_against_the_edited_plan(film):
    folder, before = film
    data = plan_dict()
    data["shots"][1]["events"][0]["effects"] = []
    data["shots"][1]["events"][0]["action"] = "Ada looks into the blue mug."
    plan = SemanticPlan.model_validate(data)
    with Project(folder) as project:
        changes = kept(Changes(), last_takes(project.journal, project.store, PLAN), [2])
    held = "The blue mug is held by Ada."
    after = make(folder, plan, changes=changes, opinion=lambda text, *_: "FAIL" if text == held else "PASS")
    assert changed(before, after) == {2}
    assert 3 in after.film.degraded  # it still shows the mug on the shelf, and the plan has it in Ada's hand now
    assert before.film.degraded == ()


# --- pins ------------------------------------------------------------------------------------------------------


def test_a_pinned_photograph_opens_the_shot_and_is_verified(film, tmp_path):
    folder, before = film
    photo = tmp_path / "photo.png"
    pixels = np.random.default_rng(1).integers(60, 200, (90, 200, 3), np.uint8)
    photo.write_bytes(Picture(pixels).to_png())
    with Project(folder) as project:
        target = Target("opening", "6")
        digest, source = choose(folder, target, str(photo), PLAN.request.delivery, project.store)
    assert source == "photo.png"
    after = make(folder, changes=Changes().pinned("6.opening", digest, source))
    take = after.film.takes[5]
    assert changed(before, after) == {6, 7}
    assert take.openings[0].pinned
    with Project(folder) as project:
        used = Picture.from_bytes(project.store.get(take.openings[0].picture))
    assert used.digest == Picture(pixels).fill(64, 64).digest
    asked = [request for request in after.animator.requests if request.seed // SHOT_SEEDS == 6]
    assert {Picture.from_bytes(request.opening).digest for request in asked} == {used.digest}
    looked_at = [request for request in after.judge.requests if len(request.frames) == 1]
    assert any(Picture.from_bytes(request.frames[0].image).digest == used.digest for request in looked_at)


@pytest.mark.slow
def test_a_pinned_opening_that_fails_is_used_and_the_shot_says_so(film):
    folder, _ = film
    with Project(folder) as project:
        digest = project.store.put(Picture(np.full((64, 64, 3), 90, np.uint8)).to_png()).digest
    after = make(folder, changes=Changes().pinned("6.opening", digest, "grey"), opinion=lambda *_: "FAIL")
    take = after.film.takes[5]
    assert [attempt.pinned for attempt in take.openings] == [True]
    assert len(take.candidates) == 4
    assert 6 in after.film.degraded


def test_a_pinned_take_is_never_made_again_and_still_judged(film):
    folder, before = film
    with Project(folder) as project:
        digest, source = choose(folder, Target("shot", "3"), "1", PLAN.request.delivery, project.store)
    assert (digest, source) == (before.clips[3], "candidate 1")
    changes = Changes().pinned("3", digest, source).redone("2")
    after = make(folder, changes=changes)
    assert changed(before, after) == {2}  # the tail of the pinned take is still what shot 4 goes on from
    assert after.film.takes[2].pinned
    failing = make(folder, changes=changes, opinion=lambda *_: "PASS")
    assert failing.clips[3] == before.clips[3]


@pytest.mark.slow
def test_a_pinned_character_is_the_reference(film, tmp_path):
    folder, before = film
    photo = tmp_path / "ben.jpg"
    photo.write_bytes(Picture(np.full((64, 64, 3), 120, np.uint8)).to_png())
    with Project(folder) as project:
        digest, _ = choose(folder, Target("character", "ben"), str(photo), PLAN.request.delivery, project.store)
    after = make(folder, changes=Changes().pinned("ben", digest, "ben.jpg"))
    assert changed(before, after) == shows(before, "ben")
    assert not [request for request in after.painter.requests if "identity sheet" in request.prompt]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["2", "2.opening", "ada", "kitchen"])
def test_pinning_what_is_there_changes_nothing(film, text):
    folder, before = film
    target = read_target(text, PLAN)
    with Project(folder) as project:
        digest, _ = choose(folder, target, None, PLAN.request.delivery, project.store)
    after = make(folder, changes=Changes().pinned(target, digest, "as it was"))
    assert changed(before, after) == set()


@pytest.mark.parametrize("what", ["9", "missing.mp4", "deadbeef00"])
def test_what_cannot_be_pinned_is_told(film, what):
    with Project(film[0]) as project, pytest.raises(InputError):
        choose(film[0], Target("shot", "3"), what, PLAN.request.delivery, project.store)


@pytest.mark.slow
def test_a_clip_of_another_size_is_refused_and_one_of_the_right_size_taken(film, tmp_path):
    folder, before = film
    shades = np.linspace(40, 220, 6).astype(np.uint8)
    for size, fits in ((32, False), (64, True)):
        path = tmp_path / f"own-{size}.mp4"
        frames = [np.full((size, size, 3), shade, np.uint8) for shade in shades]
        for frame in frames:
            frame[:, size // 2 :] //= 2
        path.write_bytes(encode((Picture(frame) for frame in frames), 12).data)
        with Project(folder) as project:
            if not fits:
                with pytest.raises(InputError, match="32×32"):
                    choose(folder, Target("shot", "8"), str(path), PLAN.request.delivery, project.store)
                continue
            digest, _ = choose(folder, Target("shot", "8"), str(path), PLAN.request.delivery, project.store)
    after = make(folder, changes=Changes().pinned("8", digest, path.name))
    assert changed(before, after) == {8}
    assert (folder / "shots" / "08.mp4").read_bytes() == path.read_bytes()
    assert len(Clip.from_bytes(after.film.path.read_bytes()).frames) == 60


# --- cuts ------------------------------------------------------------------------------------------------------


def test_a_cut_from_before_is_brought_back(film):
    folder, before = film
    names = ["film.mp4", "plan.yaml", "report.html", *(f"shots/{n:02d}.mp4" for n in range(1, 11))]
    names += [f"audit/shot-{n:02d}.json" for n in range(1, 11)]
    was = {name: (folder / name).read_bytes() for name in names}
    plan = PLAN.model_copy(update={"title": "Another title"})
    changes = Changes().redone("2")
    with Project(folder) as project:
        write_changes(project.journal, changes, PLAN_DIGEST)
    after = make(folder, plan, changes=changes)
    assert after.film.path.read_bytes() != was["film.mp4"]
    with Project(folder) as project:
        assert [cut.number for cut in list_cuts(project.journal)] == [1, 2]
        assert list_cuts(project.journal)[1].differs_from(list_cuts(project.journal)[0]) == (2, 3, 4)
        remove(project, find_removable(project.journal, project.store, superseded=True))
        back = bring_back(project, 1)
        assert back.number == 3
        assert back.takes == before.clips
        assert read_changes(project.journal) == Changes()
        with pytest.raises(InputError, match="cuts 1 to 3"):
            bring_back(project, 9)
    assert {name: (folder / name).read_bytes() for name in names} == was
    again = make(folder)
    assert again.animator.requests == []
    assert again.film.path.read_bytes() == was["film.mp4"]


# --- why -------------------------------------------------------------------------------------------------------


def test_reasons_of_a_shot(film):
    folder, _ = film
    assert sorted(audits(folder)) == list(range(1, 11))
    found = reasons(audit_of(folder, 3), ("the author asked for it again",))
    assert found.gate_mode == "reuse"
    assert found.gate.startswith("The opening is the last frame of the shot before")
    assert found.take == "Candidate 1 is the first that satisfies every required criterion."
    assert [attempt.used for attempt in found.candidates] == [True]
    assert found.data()["stale"] == ("the author asked for it again",)
    with pytest.raises(InputError, match="not been shot"):
        audit_of(folder, 99)


# --- projects --------------------------------------------------------------------------------------------------


def test_the_newest_project_is_meant(tmp_path):
    with pytest.raises(InputError, match="no project"):
        find_project(None, tmp_path)
    for name in ("films/a", "films/b", "c"):
        with Project(tmp_path / name):
            pass
    assert find_project(None, tmp_path) == tmp_path / "c"
    assert find_project(None, tmp_path / "films" / "a") == tmp_path / "films" / "a"
    assert find_project(tmp_path / "films" / "a") == tmp_path / "films" / "a"
    with pytest.raises(InputError, match="no project"):
        find_project(tmp_path / "films")
