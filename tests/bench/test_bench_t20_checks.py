import pytest
from breaking import item, reworded, sheet

from storyengine.bench.t20_checks import changes_place, check_t20, crossings
from storyengine.language import Absent, HasAttribute, Present


def said(story) -> str:
    return "\n".join(str(finding) for finding in check_t20(story))


def anchor(story, position, **changes):
    return sheet(story, anchors=item(story.sheet.anchors, position, **changes))


def state(story, position, **changes):
    return sheet(story, states=item(story.sheet.states, position, **changes))


def roles(story, entity, *given):
    position = next(i for i, prop in enumerate(story.sheet.props) if prop.id == entity)
    return sheet(story, props=item(story.sheet.props, position, roles=given))


@pytest.fixture(scope="session")
def across(t20):
    """Position of an anchor that is taken to another place."""
    return next(i for i, anchor in enumerate(t20.sheet.anchors) if changes_place(t20.sheet, anchor.into_shot))


@pytest.fixture(scope="session")
def within(t20):
    """Position of an anchor at a cut inside a place."""
    return next(i for i, anchor in enumerate(t20.sheet.anchors) if not changes_place(t20.sheet, anchor.into_shot))


def test_a_real_story_has_no_findings(t20):
    assert said(t20) == ""


def test_numbers(t20, n20):
    anchors, states, props = t20.sheet.anchors, t20.sheet.states, t20.sheet.props
    assert "one for each of 2 to 10, in order" in said(sheet(t20, anchors=anchors[:-1]))
    assert "one for each of 2 to 10, in order" in said(sheet(t20, anchors=(anchors[1], anchors[0], *anchors[2:])))
    assert "2 states; 3 are asked for" in said(sheet(t20, states=states[:2]))
    assert "3 props; four to seven" in said(sheet(t20, props=props[:3]))
    assert "belong to other suites" in said(sheet(t20, events=n20.sheet.events))
    assert "two states have one id" in said(state(t20, 1, id=states[0].id))


def test_anchors_are_props_that_are_visible(t20, across):
    assert "'ghost' is not a prop of the sheet" in said(anchor(t20, across, entity="ghost"))
    assert "is not a prop of the sheet" in said(anchor(t20, across, entity=t20.sheet.cast[0].id))
    thing = t20.sheet.anchors[across]
    hidden = thing.proposition.model_copy(update={"claim": Absent(entity=thing.entity)})
    assert f"the claim of an anchor is '{thing.entity} visible'" in said(anchor(t20, across, proposition=hidden))
    other = thing.proposition.model_copy(update={"claim": Present(entity=t20.sheet.cast[0].id)})
    assert "the claim of an anchor is" in said(anchor(t20, across, proposition=other))


def test_carriers_are_named_exactly_at_changes_of_place(t20, across, within):
    person = t20.sheet.cast[0].id
    assert "given only at a change of place" in said(anchor(t20, within, carried_by=person, how="carried"))
    assert "carried_by and how say who" in said(anchor(t20, across, carried_by=None))
    assert "carried_by and how say who" in said(anchor(t20, across, how=None))
    assert "'ghost' is not in the cast" in said(anchor(t20, across, carried_by="ghost"))


def test_what_is_taken_along_can_be(t20, across):
    entity = t20.sheet.anchors[across].entity
    assert f"{entity!r} is fixed and cannot be taken" in said(roles(t20, entity, "fixed"))
    pushed = anchor(roles(t20, entity), across, how="pushed")
    assert f"{entity!r} is pushed, but lacks the role wheeled" in said(pushed)
    carried = anchor(roles(t20, entity, "wheeled"), across, how="carried")
    assert f"{entity!r} is wheeled: it is pushed, not carried" in said(carried)


def moved_anchor(story, entity, home):
    """The story with a thing as anchor of a cut inside the place that is not its home."""
    plan = story.sheet.location_plan
    away = [i for i, a in enumerate(story.sheet.anchors) if plan[a.into_shot - 2] == plan[a.into_shot - 1] != home]
    shown = story.sheet.anchors[away[-1]].proposition.model_copy(update={"claim": Present(entity=entity)})
    return anchor(story, away[-1], entity=entity, proposition=shown)


def test_state_bearers_anchor_cuts_of_their_place_alone(t20):
    bearer, home = t20.sheet.states[0].entity, t20.sheet.states[0].place
    assert f"{bearer!r} bears a state that is seen in one place ({home!r})" in said(moved_anchor(t20, bearer, home))


def test_fixed_things_anchor_cuts_of_one_place_alone(t20):
    bearers = {state.entity for state in t20.sheet.states}
    fixed = {prop.id for prop in t20.sheet.props if "fixed" in prop.roles} - bearers
    used = next(a for a in t20.sheet.anchors if a.entity in fixed)
    home = t20.sheet.location_plan[used.into_shot - 1]
    assert f"{used.entity!r} is fixed ({home!r})" in said(moved_anchor(t20, used.entity, home))


def test_each_cut_is_told_in_the_brief(t20, across):
    thing = t20.sheet.anchors[across]
    name = next(entity.name for entity in t20.sheet.props if entity.id == thing.entity)
    shot = thing.into_shot
    told = f"no sentence of the idea names both shot {shot} and the {name}"
    assert told in said(reworded(t20, name.split()[-1], "thing"))
    carrier = next(person.name for person in t20.sheet.cast if person.id == thing.carried_by)
    assert f"says that {carrier} takes it along" in said(reworded(t20, carrier, "Somebody"))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"entity": "ghost"}, "'ghost' is not a prop of the sheet"),
        ({"place": "attic"}, "'attic' is not a place of the location plan"),
        ({"job": "juggle knives"}, "the brief does not hold the job in these words: 'juggle knives'"),
    ],
)
def test_states_are_about_the_story(t20, change, expected):
    assert expected in said(state(t20, 0, **change))


def test_states_exclude_each_other_and_run_one_way(t20):
    old = t20.sheet.states[0]
    claim = old.before.claim
    assert "do not exclude each other" in said(state(t20, 0, after=old.before))
    seen = old.before.model_copy(update={"claim": Present(entity=old.entity)})
    assert "is the value of an attribute" in said(state(t20, 0, before=seen))
    foreign = old.before.model_copy(update={"claim": claim.model_copy(update={"entity": "ghost"})})
    assert "is not about the state's entity" in said(state(t20, 0, before=foreign))
    unknown = HasAttribute(entity=old.entity, attribute="mood", value="glad")
    assert "has no attribute 'mood'" in said(state(t20, 0, before=old.before.model_copy(update={"claim": unknown})))
    assert "not [before, after]" in said(state(t20, 0, before=old.after, after=old.before))


def test_the_attribute_is_marked_one_way(t20):
    old = t20.sheet.states[0]
    position = next(i for i, prop in enumerate(t20.sheet.props) if prop.id == old.entity)
    attributes = tuple(a.model_copy(update={"one_way": False}) for a in t20.sheet.props[position].attributes)
    assert "is not marked one_way" in said(sheet(t20, props=item(t20.sheet.props, position, attributes=attributes)))


def test_the_place_of_a_state_is_planned_on_both_sides(t20):
    old = t20.sheet.states[0]
    plan = t20.sheet.location_plan
    here = [shot for shot in range(1, 11) if plan[shot - 1] == old.place]
    elsewhere = next(shot for shot in range(1, 11) if plan[shot - 1] != old.place)
    for shot in (here[0], here[-1]):
        assert "is not planned both before and after" in said(state(t20, 0, reference_shot=shot))
    assert f"reference shot {elsewhere} is not at {old.place!r}" in said(state(t20, 0, reference_shot=elsewhere))


def test_crossings_are_the_cuts_that_change_the_place(t20):
    plan = t20.sheet.location_plan
    assert list(crossings(t20.sheet)) == [shot for shot in range(2, 11) if plan[shot - 2] != plan[shot - 1]]
