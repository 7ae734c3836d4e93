import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyengine.backends import Verdict
from storyengine.continuity.gate import Mode, fall_back, resolve
from storyengine.continuity.judgement import questions, read_verdicts
from storyengine.continuity.ranking import Ranked, rank, select
from storyengine.contract import Criterion
from storyengine.errors import Malformed


def criterion(number, evidence="presence", priority="required", phase="start", scope="frame"):
    return Criterion(
        id=f"c{number}", phase=phase, scope=scope, priority=priority, statement=f"Thing {number}.", evidence=evidence
    )


def judged(*pairs):
    criteria = tuple(c for c, _ in pairs)
    return read_verdicts(criteria, [Verdict(id=c.id, label=label, evidence="") for c, label in pairs])


HARD = [criterion(n) for n in range(4)]
WHO = criterion(10, "identity", phase="always")
WISH = criterion(11, "camera", priority="preferred")
MOTION = criterion(12, "action", phase="motion", scope="clip")


@pytest.mark.parametrize(
    ("pairs", "mode", "missed"),
    [
        ([(HARD[0], "PASS"), (HARD[1], "PASS")], Mode.REUSE, 0),
        ([(HARD[0], "FAIL"), (HARD[1], "PASS")], Mode.REUSE, 1),
        ([(HARD[0], "UNKNOWN"), (HARD[1], "PASS")], Mode.REUSE, 1),
        ([(HARD[0], "FAIL"), (HARD[1], "UNKNOWN")], Mode.FRESH, 2),
        ([(HARD[0], "FAIL"), (HARD[1], "FAIL"), (WHO, "PASS")], Mode.REFERENCE, 2),
        ([(HARD[0], "FAIL"), (HARD[1], "FAIL"), (WHO, "UNKNOWN")], Mode.FRESH, 3),
        ([(HARD[0], "FAIL"), (WISH, "FAIL"), (MOTION, "FAIL")], Mode.REUSE, 1),
    ],
)
def test_the_resolver_follows_the_paper(pairs, mode, missed):
    decision = resolve(judged(*pairs))
    assert (decision.mode, decision.missed) == (mode, missed)
    assert decision.reason


def test_without_a_usable_tail_the_opening_is_fresh():
    assert resolve(None, "the last frame is black").mode is Mode.FRESH
    assert "black" in resolve(None, "the last frame is black").reason


def test_reference_says_what_to_preserve_and_what_not_to_copy():
    decision = resolve(judged((HARD[0], "FAIL"), (HARD[1], "UNKNOWN"), (WHO, "PASS")))
    assert decision.preserve == (WHO,)
    assert decision.do_not_copy == (HARD[0], HARD[1])


@given(st.lists(st.sampled_from(["PASS", "FAIL", "UNKNOWN"]), min_size=5, max_size=5), st.data())
def test_fallback_only_goes_down_and_never_readmits_what_was_rejected(labels, data):
    decision = resolve(judged(*zip([*HARD, WHO], labels, strict=True)))
    rejected = set(decision.do_not_copy)
    while decision.mode is not Mode.FRESH:
        again = data.draw(st.lists(st.sampled_from(["PASS", "FAIL", "UNKNOWN"]), min_size=5, max_size=5))
        lower = fall_back(decision, judged(*zip([*HARD, WHO], again, strict=True)))
        assert lower.mode < decision.mode
        if lower.mode is Mode.REFERENCE:
            assert rejected <= set(lower.do_not_copy)
            assert not set(lower.preserve) & set(lower.do_not_copy)
        decision = lower


def test_a_malformed_verdict_is_recognised():
    ok = Verdict(id="c0", label="PASS", evidence="")
    with pytest.raises(Malformed, match="twice"):
        read_verdicts((HARD[0],), [ok, ok])
    with pytest.raises(Malformed, match="left out c1"):
        read_verdicts((HARD[0], HARD[1]), [ok])
    with pytest.raises(Malformed, match="not asked"):
        read_verdicts((HARD[1],), [ok])
    with pytest.raises(Malformed, match="PERHAPS"):
        read_verdicts((HARD[0],), [Verdict(id="c0", label="PERHAPS", evidence="")])


def test_questions_are_the_canonical_statements():
    assert [(q.id, q.text) for q in questions([WHO])] == [("c10", "Thing 10.")]


def test_the_rank_puts_the_story_before_polish():
    story_missed = judged((MOTION, "FAIL"), (WISH, "PASS"))
    polish_missed = judged((MOTION, "PASS"), (WISH, "FAIL"))
    assert rank(polish_missed) < rank(story_missed)
    assert rank(polish_missed).missed_required == 0
    assert rank(judged((MOTION, "UNKNOWN"))).missed_required == 1
    assert rank(judged((MOTION, "FAIL"))) < rank(judged((MOTION, "UNKNOWN")))


def test_selection_takes_the_first_that_satisfies_and_breaks_ties_by_order():
    good, better, bad = (
        judged((MOTION, "PASS"), (WISH, "FAIL")),
        judged((MOTION, "PASS"), (WISH, "PASS")),
        judged((MOTION, "FAIL"), (WISH, "PASS")),
    )
    assert select([Ranked(0, rank(bad)), Ranked(1, rank(good)), Ranked(2, rank(better))]).order == 1
    assert select([Ranked(1, rank(bad)), Ranked(0, rank(bad))]).order == 0
    assert select([]) is None
