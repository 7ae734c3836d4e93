"""The whole film loop on small real ports: gate, opening, repair, rank, delivery, resuming."""

import json

import anyio
import pytest

from storyengine.check.checking import edited
from storyengine.continuity.crew import Crew
from storyengine.continuity.gate import Mode
from storyengine.demo import demo_plan
from storyengine.documents import Edit
from storyengine.errors import ExitCode, Malformed, PlanUnsound
from storyengine.language.captions import caption
from storyengine.language.sections import read_sections
from storyengine.media.clip import Clip
from storyengine.pipeline import make_film
from storyengine.plan import Catalog, SemanticPlan, plan_data
from storyengine.runs.executor import LocalExecutor
from storyengine.runs.project import Project, read_journal
from storyengine.runs.runner import Runner

from .small_crew import SmallAnimator, SmallJudge, SmallPainter, hire

SMALL = {"width": 64, "height": 64, "fps": 12, "durations": [0.5]}


def small(plan=None):
    """The demo story as a film of stamps."""
    data = plan_data(plan or demo_plan())
    data["request"]["delivery"] = SMALL
    for shot in data["shots"]:
        shot["seconds"] = 0.5
    return SemanticPlan.model_validate(data)


PLAN = small()


def make(folder, plan=PLAN, painter=None, animator=None, judge=None):
    painter, animator, judge = painter or SmallPainter(), animator or SmallAnimator(), judge or SmallJudge()

    async def run():
        hired, providers = hire(painter, animator, judge)
        catalog = Catalog.of(plan)
        captions = tuple(caption(s) for s in (*catalog.entities.values(), *catalog.environments.values()))
        with Project(folder) as project:
            async with LocalExecutor("threads") as executor, Runner(project, executor, providers=providers) as runner:
                crew = Crew(runner, *hired, plan.request.delivery, captions)
                return await make_film(plan, crew, folder)

    return anyio.run(run), painter, animator, judge


def test_a_film_where_all_goes_well(tmp_path):
    film, painter, animator, _ = make(tmp_path)
    assert film.exit_code is ExitCode.OK
    assert [len(take.candidates) for take in film.takes] == [1] * 6
    clip = Clip.from_bytes((tmp_path / "film.mp4").read_bytes())
    assert len(clip.frames) == 6 * 6
    assert sorted(p.name for p in (tmp_path / "shots").iterdir()) == [f"{n:02d}.mp4" for n in range(1, 7)]
    assert len(animator.requests) == 6
    # shots 3 and 6 follow a shot in the same place, so that their tails are reused and nothing is painted for them
    assert [take.gate.mode for take in film.takes] == [
        Mode.FRESH,
        Mode.FRESH,
        Mode.REUSE,
        Mode.FRESH,
        Mode.FRESH,
        Mode.REUSE,
    ]
    openings = [request for request in painter.requests if request.prompt.startswith("TASK: Paint the opening")]
    assert len(openings) == 4


def test_run_again_it_does_nothing_and_gives_the_same_film(tmp_path):
    first, *_ = make(tmp_path)
    before = first.path.read_bytes()
    again, painter, animator, judge = make(tmp_path)
    assert again.path.read_bytes() == before
    assert painter.requests == animator.requests == judge.requests == []
    with read_journal(tmp_path) as journal:
        assert len(list(journal.records("cut"))) == 2


def test_a_missed_motion_is_repaired_from_the_same_opening(tmp_path):
    change = "First the green notebook is on the wooden desk; then the green notebook is held by Mina."
    judge = SmallJudge(lambda text, request, asked: "FAIL" if text == change and asked < 3 else "PASS")
    film, _, animator, _ = make(tmp_path, judge=judge)
    take = film.takes[3]
    assert take.accepted
    assert [bool(c.judgement.missed_required()) for c in take.candidates] == [True, True, False]
    assert len({c.opening.picture for c in take.candidates}) == 1
    prompts = [r.prompt for r in animator.requests if "picks up the green notebook" in r.prompt]
    assert [read_sections(p).get("REPAIR TARGETS") for p in prompts] == [None, [change], [change]]
    assert len({(r.prompt, r.seed) for r in animator.requests}) == len(animator.requests)


def test_a_missed_opening_is_recomposed_before_anything_is_animated(tmp_path):
    absent = "The red backpack is nowhere in frame."

    def opinion(text, request, asked):
        return "UNKNOWN" if text == absent and len(request.frames) == 1 and asked <= 2 else "PASS"

    film, painter, animator, _ = make(tmp_path, judge=SmallJudge(opinion))
    rejected = [attempt for take in film.takes for attempt in take.openings if not attempt.accepted]
    assert rejected
    assert film.exit_code is ExitCode.OK
    animated = {request.opening for request in animator.requests}
    with Project(tmp_path) as project:
        assert not {project.store.get(attempt.picture) for attempt in rejected} & animated
    repaired = [r.prompt for r in painter.requests if "REPAIR TARGETS" in r.prompt]
    assert repaired
    assert all(absent in read_sections(prompt)["REPAIR TARGETS"] for prompt in repaired)


HELD, SHUT = "The red backpack is held by Mina.", "The grey locker's door is shut."


def not_held_in_shot_2(pictures, clips):
    """A judge that denies so many pictures and clips of the second shot, which alone has both statements."""
    left = {False: pictures, True: clips}

    def opinion(text, request, asked):
        clip = len(request.frames) > 1
        starts = {statement.text for statement in request.statements if statement.phase == "start"}
        if text != HELD or not {HELD, SHUT} <= starts or left[clip] == 0:
            return "PASS"
        left[clip] -= 1
        return "FAIL"

    return SmallJudge(opinion)


def test_a_repair_composes_another_opening_when_the_attempts_at_one_are_spent(tmp_path):
    take = make(tmp_path, judge=not_held_in_shot_2(pictures=2, clips=1))[0].takes[1]
    assert take.accepted
    assert [attempt.accepted for attempt in take.openings] == [False, False, True]
    assert [candidate.opening for candidate in take.candidates] == [take.openings[0], take.openings[2]]


def test_an_opening_that_stays_wrong_is_composed_once_for_every_repair(tmp_path):
    take = make(tmp_path, judge=not_held_in_shot_2(pictures=99, clips=99))[0].takes[1]
    assert not take.accepted
    assert (len(take.openings), len(take.candidates)) == (5, 4)


def test_what_two_takes_from_a_reused_frame_miss_is_tried_with_an_opening_of_its_own(tmp_path):
    def opinion(text, request, asked):
        return "FAIL" if text.startswith("This happens: Mina slips") and asked <= 2 else "PASS"

    take = make(tmp_path, judge=SmallJudge(opinion))[0].takes[5]
    assert take.accepted
    assert [c.opening.mode for c in take.candidates] == [Mode.REUSE, Mode.REUSE, Mode.REFERENCE]


def test_a_bad_tail_falls_back_and_never_up_again(tmp_path):
    def opinion(text, request, asked):
        bad = text in ("Mina is in frame.", "Exactly one grey locker is in frame.", "The grey locker is in frame.")
        return "FAIL" if bad and len(request.frames) == 1 and asked in (2, 3) else "PASS"

    film, *_ = make(tmp_path, judge=SmallJudge(opinion))
    for take in film.takes:
        modes = [take.gate.mode, *(attempt.mode for attempt in take.openings)]
        assert modes == sorted(modes, reverse=True)


def test_a_spent_budget_delivers_the_best_and_says_so(tmp_path):
    held = "The green notebook is held by Mina."
    judge = SmallJudge(lambda text, request, asked: "UNKNOWN" if text == held else "PASS")
    film, *_ = make(tmp_path, judge=judge)
    assert film.exit_code is ExitCode.DEGRADED
    assert 4 in film.degraded
    assert len(film.takes[3].candidates) == 4
    assert "best rank" in film.takes[3].reason
    record = json.loads((tmp_path / "audit" / "shot-04.json").read_text())
    assert record["degraded"]
    assert [c["candidate"] for c in record["candidates"]] == [1, 2, 3, 4]
    assert record["candidates"][1]["repair"]


@pytest.mark.parametrize("fault", ["refuses", "breaks"])
def test_a_shot_without_any_valid_candidate_gets_a_slate(tmp_path, fault):
    animator = SmallAnimator(**{fault: lambda request: "pats her pockets" in request.prompt})
    film, *_ = make(tmp_path, animator=animator)
    assert film.degraded == (3,)
    assert film.takes[2].clip is None
    assert not (tmp_path / "shots" / "03.mp4").exists()
    assert len(Clip.from_bytes(film.path.read_bytes()).frames) == 36


def test_a_malformed_verdict_is_asked_again_and_buys_no_new_clip(tmp_path):
    judge = SmallJudge(answers=lambda verdicts, again: verdicts if again else verdicts[1:])
    film, _, animator, _ = make(tmp_path, judge=judge)
    assert film.exit_code is ExitCode.OK
    assert len(animator.requests) == 6


def test_a_judge_that_answers_garbage_ends_with_a_message_and_a_resumable_project(tmp_path):
    with pytest.raises(Malformed, match="out of form"):
        make(tmp_path, judge=SmallJudge(answers=lambda verdicts, again: verdicts[:0]))
    film, painter, *_ = make(tmp_path)
    assert film.exit_code is ExitCode.OK
    sheets = [r for r in painter.requests if "identity sheet" in r.prompt]
    assert sheets == []


def test_an_unsound_plan_is_stopped_before_money(tmp_path):
    plan = SemanticPlan.model_validate(edited(plan_data(PLAN), (Edit("put", ("shots", 3, "anchors"), ["backpack"]),)))
    painter = SmallPainter()
    with pytest.raises(PlanUnsound):
        make(tmp_path, plan=plan, painter=painter)
    assert painter.requests == []


def test_the_judge_gets_bare_pixels_and_every_caption(tmp_path):
    _, _, _, judge = make(tmp_path)
    for request in judge.requests:
        assert any(line.startswith("Mina (person)") for line in request.captions)
        for frame in request.frames:
            assert b"storyengine:parent" not in frame.image


def test_the_judge_is_shown_what_must_not_be_there(tmp_path):
    _, _, _, judge = make(tmp_path)
    gone = "The red backpack is nowhere in frame."
    asked = [request for request in judge.requests if gone in {statement.text for statement in request.statements}]
    assert asked
    for request in asked:
        assert any("red backpack" in reference.caption for reference in request.references)
