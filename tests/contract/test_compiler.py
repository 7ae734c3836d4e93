import pytest
from hypothesis import given, settings

from storyengine.check import check_plan
from storyengine.contract import CameraView, GroundedContext, compile_contracts, count_required, read_exclusions
from storyengine.contract.model import Binding
from storyengine.demo import demo_plan
from storyengine.errors import ContractError
from storyengine.language import FreeOf, parse
from storyengine.plan import Catalog, SemanticPlan, plan_data
from storyengine.state import replay

from ..strategies import plans

PLAN = demo_plan()
CATALOG = Catalog.of(PLAN)


def context(*shown, bound=()):
    camera = CameraView(yaw=0, pitch=0, fov=60)
    bindings = tuple(Binding(entity=entity, values=(), asset="a" * 8) for entity in bound)
    return GroundedContext(camera=camera, predicted=tuple((entity, 0.05) for entity in shown), bindings=bindings)


CONTEXTS = [context(*shot.view.subjects, bound=("mina",)) for shot in PLAN.shots]
CONTRACTS = compile_contracts(PLAN, replay(PLAN), CONTEXTS)


def statements(shot, phase, priority="required"):
    return {c.statement for c in CONTRACTS[shot - 1].criteria if c.phase == phase and c.priority == priority}


def test_the_classroom_shot_reads_in_full():
    """While Mina fetches the notebook, the backpack is in the shut locker and must not turn up."""
    assert statements(4, "start") == {
        "Mina is in frame.",
        "Exactly one green notebook is in frame.",
        "The red backpack is nowhere in frame.",
    }
    assert statements(4, "motion") == {
        "First the green notebook is on the wooden desk; then the green notebook is held by Mina."
    }
    assert statements(4, "end") == {
        "Mina is in frame.",
        "Exactly one green notebook is in frame.",
        "The green notebook is held by Mina.",
        "The green notebook is in frame.",
        "The red backpack is nowhere in frame.",
    }
    assert statements(4, "always") == {
        "The setting is the classroom.",
        "Nobody but Mina is in frame.",
        "Mina looks as in the reference picture.",
        "The picture is free of on-screen text.",
        "The picture is free of logos and watermarks.",
        "The picture is free of split screens.",
    }


def test_an_anchor_is_a_hard_criterion_on_both_sides_of_its_cut():
    assert "The red backpack is in frame." in statements(1, "end")
    assert "The red backpack is in frame." in statements(2, "start")


def test_what_the_camera_is_not_predicted_to_show_is_only_preferred():
    assert "The wooden desk is in frame." in statements(4, "start", "preferred")
    assert "The wooden desk is in frame." not in statements(4, "start")


def test_a_thing_that_vanishes_into_something_is_seen_to_change():
    assert "First the red backpack is held by Mina; then the red backpack is nowhere in frame." in statements(
        2, "motion"
    )


def test_every_statement_parses_back_to_its_claim():
    for contract in CONTRACTS:
        for criterion in contract.criteria:
            assert parse(criterion.statement, CATALOG) == criterion.claim


def test_ids_are_unique_and_gate_criteria_are_frames_at_the_start():
    for contract in CONTRACTS:
        ids = [criterion.id for criterion in contract.criteria]
        assert len(ids) == len(set(ids))
        for criterion in contract.criteria:
            if criterion.decides_opening:
                assert (criterion.scope, criterion.priority) == ("frame", "required")


def test_free_statements_are_kept_as_free_text():
    data = plan_data(PLAN)
    data["shots"][0]["requirements"] = [{"statement": "Dust dances in the sunlight.", "priority": "preferred"}]
    plan = SemanticPlan.model_validate(data)
    contract = compile_contracts(plan, replay(plan), CONTEXTS)[0]
    (free,) = [c for c in contract.criteria if c.evidence == "free text"]
    assert (free.statement, free.claim, free.priority) == ("Dust dances in the sunlight.", None, "preferred")


def test_attributes_that_no_camera_sees_are_never_tested():
    data = plan_data(PLAN)
    data["entities"][4]["attributes"][0]["visible"] = False
    plan = SemanticPlan.model_validate(data)
    for contract in compile_contracts(plan, replay(plan), CONTEXTS):
        assert not [c for c in contract.criteria if "door is" in c.statement]


def test_prohibitions_that_pixels_cannot_decide_are_recorded_not_counted():
    forbidden = ["on-screen text", "split screens", "flashback treatments", "speed ramping", "bystanders"]
    exclusions = read_exclusions(forbidden)
    assert exclusions.claims == (FreeOf(thing="on-screen text"), FreeOf(thing="split screens"))
    assert exclusions.covered == ("bystanders",)
    assert exclusions.unverified == ("flashback treatments", "speed ramping")


def test_required_criteria_are_counted_per_kind_and_shot():
    counts = count_required(CONTRACTS)
    assert counts[4]["start absence"] == 1
    assert counts[4]["motion action"] == 1
    assert sum(counts[4].values()) == sum(c.required for c in CONTRACTS[3].criteria)


def test_contexts_and_shots_must_match():
    with pytest.raises(ContractError, match="1 grounded contexts for 6 shots"):
        compile_contracts(PLAN, replay(PLAN), CONTEXTS[:1])


@given(plans(max_shots=3))
@settings(max_examples=30)
def test_any_structurally_valid_plan_compiles_to_sentences_that_read_back(plan):
    if check_plan(plan).structural:
        return
    contexts = [context(*Catalog.of(plan).entities) for _ in plan.shots]
    for contract in compile_contracts(plan, replay(plan), contexts):
        for criterion in contract.criteria:
            assert criterion.claim is None or parse(criterion.statement, Catalog.of(plan)) == criterion.claim


def test_what_lies_in_a_container_is_wished_for_and_the_act_is_required():
    """A rim may hide it, even where the container is open."""
    act = "Mina puts the green notebook into the red backpack."
    inside = "The green notebook is in the red backpack."
    data = plan_data(PLAN)
    data["shots"] = data["shots"][:1]
    data["request"] |= {"shots": 1, "required_entities": []}
    data["order"] = []
    data["shots"][0] |= {
        "events": [
            {"action": act, "actors": ["mina"], "effects": ["notebook in backpack"]},
        ],
        "anchors": [],
    }
    plan = SemanticPlan.model_validate(data)
    (contract,) = compile_contracts(plan, replay(plan), [context("mina", "notebook", "backpack")])
    priority = {c.statement: c.priority for c in contract.criteria if c.phase in ("motion", "end")}
    assert priority[inside] == "preferred"
    assert priority["The green notebook is in frame."] == "preferred"
    assert (
        priority[f"First the green notebook is on the wooden desk; then {inside[0].lower()}{inside[1:]}"] == "preferred"
    )
    assert [statement for statement, found in priority.items() if act.rstrip(".") in statement and found == "required"]
