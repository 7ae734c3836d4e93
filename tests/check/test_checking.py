import pytest
from hypothesis import given

from storyengine.check import CODES, check_plan, mend_plan
from storyengine.check.checking import edited
from storyengine.check.examples import EXAMPLES
from storyengine.demo import demo_plan
from storyengine.documents import Edit
from storyengine.errors import PlanInvalid, PlanUnsound
from storyengine.plan import SemanticPlan, plan_data

from ..strategies import plans

DEMO = plan_data(demo_plan())


def changed(*edits):
    return SemanticPlan.model_validate(edited(DEMO, edits))


def test_the_demo_story_is_sound():
    assert check_plan(demo_plan()) == ()


def test_every_code_has_an_example_and_every_example_a_code():
    assert set(CODES) == set(EXAMPLES)
    assert len(CODES) >= 25


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_example_of_a_code_triggers_it(code):
    findings = [finding for finding in check_plan(changed(*EXAMPLES[code])) if finding.code == code]
    assert findings
    for finding in findings:
        assert finding.where
        assert finding.saw
        assert finding.wanted
        assert finding.data()["blocking"] == CODES[code].blocking


FIXED = {
    "unknown-entity", "unknown-environment", "value-outside-domain", "initial-value-missing", "initial-contradiction",
    "actor-absent", "container-shut", "fixed-thing-moved", "one-way-undone", "change-unseen", "anchor-without-cut",
    "duration-not-allowed", "holder-not-acting", "no-change", "subject-unseen",
}  # fmt: skip


@pytest.mark.parametrize("code", sorted(FIXED))
def test_fixes_settle_their_findings(code):
    mended, fixes = mend_plan(changed(*EXAMPLES[code]))
    assert fixes
    assert check_plan(mended) == ()


def test_mending_a_missing_actor_keeps_what_only_looked_idle():
    """With Mina absent her wish to be in frame looks idle; bringing her in must not lose it."""
    mended, _ = mend_plan(changed(*EXAMPLES["actor-absent"]))
    assert mended.shots[3].view == demo_plan().shots[3].view
    assert mended.shots[4:] == demo_plan().shots[4:]


@given(plans())
def test_random_plans_are_checked_without_a_crash(plan):
    findings = check_plan(plan)
    for finding in findings:
        assert finding.code in CODES
        str(finding)
    assert check_plan(plan) == findings


@given(plans(max_shots=3))
def test_random_plans_are_mended_without_a_crash(plan):
    mended, fixes = mend_plan(plan)
    if not fixes:
        assert mended == plan
    assert len(check_plan(mended).structural) <= len(check_plan(plan).structural)


@given(plans())
def test_random_structure_is_sound_only_if_every_effect_was_legal(plan):
    from storyengine.plan import Catalog
    from storyengine.state import walk

    refused = [moment for moment in walk(Catalog.of(plan), plan) if moment.refused]
    if not check_plan(plan).blocking:
        assert not refused


def test_structure_stops_as_invalid_and_sense_as_unsound():
    with pytest.raises(PlanInvalid, match="unknown-zone"):
        check_plan(changed(*EXAMPLES["unknown-zone"])).raise_if_blocking()
    with pytest.raises(PlanUnsound, match="anchor-invisible"):
        check_plan(changed(*EXAMPLES["anchor-invisible"])).raise_if_blocking()
    check_plan(changed(*EXAMPLES["look-missing"])).raise_if_blocking()


def test_people_may_enter_on_screen_with_what_they_carry():
    plan = changed(
        Edit("remove", ("shots", 1, "offscreen")),
        Edit("insert", ("shots", 1, "events", 0, "effects", 0), "mina at locker-room.lockers"),
        Edit("remove", ("shots", 1, "anchors")),
        Edit("put", ("shots", 1, "view", "subjects"), ["locker"]),
    )
    assert check_plan(plan) == ()


def test_a_wheeled_thing_may_be_pushed_off_screen():
    barrow = {"id": "barrow", "name": "red barrow", "kind": "prop", "look": "red", "roles": ["wheeled", "surface"]}
    edits = [
        Edit("insert", ("entities", -1), barrow),
        Edit("insert", ("initial", -1), "barrow at classroom.desks"),
        Edit("insert", ("shots", 1, "offscreen", 0, "effects", -1), "barrow at locker-room.bench"),
        Edit("put", ("shots", 1, "anchors"), ["barrow"]),
    ]
    assert check_plan(changed(*edits)) == ()
    alone = edited(DEMO, tuple(edits))
    alone["entities"][-1]["roles"] = ["surface"]
    assert "offscreen-moves-alone" in check_plan(SemanticPlan.model_validate(alone)).codes()


def test_an_anchor_carried_across_a_change_of_place_holds():
    findings = check_plan(changed(Edit("put", ("shots", 4, "anchors"), ["notebook"])))
    assert findings == ()
    findings = check_plan(changed(Edit("put", ("shots", 4, "anchors"), ["desk"])))
    assert [finding.code for finding in findings] == ["anchor-invisible"]
    assert "the wooden desk is in the classroom at the start of shot 5" in findings[0].saw
