from storyengine.contract.model import SMALLEST_SHARE
from storyengine.demo import demo_plan
from storyengine.grounding.contexts import planned_contexts
from storyengine.plan import Catalog, SemanticPlan, plan_data
from storyengine.state import replay


def shares(name: str, framing: str) -> dict[str, float]:
    """What the camera of shot 4 is expected to show, with another name for the notebook."""
    data = plan_data(demo_plan())
    next(entity for entity in data["entities"] if entity["id"] == "notebook")["name"] = name
    data["shots"][3]["view"]["framing"] = framing
    plan = SemanticPlan.model_validate(data)
    return dict(planned_contexts(plan, Catalog.of(plan), replay(plan))[3].predicted)


def test_small_fittings_are_no_furniture():
    """A locker is decided from afar; a hook on the wall is not."""
    data = plan_data(demo_plan())
    locker = next(entity for entity in data["entities"] if entity["id"] == "locker")
    for name, framing, enough in (("grey locker", "wide", True), ("hook", "wide", False), ("hook", "medium", True)):
        locker["name"] = name
        data["shots"][1]["view"] |= {"framing": framing, "subjects": ["mina", "locker"]}
        plan = SemanticPlan.model_validate(data)
        predicted = dict(planned_contexts(plan, Catalog.of(plan), replay(plan))[1].predicted)
        assert (predicted["locker"] >= SMALLEST_SHARE) is enough


def test_what_fingertips_hold_is_large_enough_in_tight_framings_only():
    assert shares("green notebook", "medium")["notebook"] >= SMALLEST_SHARE
    assert shares("brass key", "medium")["notebook"] < SMALLEST_SHARE
    assert shares("brass keys", "medium")["notebook"] < SMALLEST_SHARE
    assert shares("brass key", "tight")["notebook"] >= SMALLEST_SHARE


def handed_over(*subjects: str) -> list[tuple[str, ...]]:
    """With a second shot in the classroom that looks at the notebook, after one that looks at some subjects."""
    data = plan_data(demo_plan())
    data["shots"][0]["view"]["subjects"] = list(subjects)
    data["shots"].insert(1, {"environment": "classroom", "events": [], "view": {"subjects": ["notebook"]}})
    plan = SemanticPlan.model_validate(data)
    return [context.handed_over for context in planned_contexts(plan, Catalog.of(plan), replay(plan))]


def test_a_shot_hands_over_what_the_next_one_in_its_place_begins_with():
    assert handed_over("mina")[:2] == [("notebook",), ()]


def test_what_a_shot_must_show_anyway_is_not_handed_over_nor_what_lies_in_a_locker():
    assert handed_over("mina", "notebook") == [()] * 7
