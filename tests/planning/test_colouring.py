"""Colours for what a brief leaves open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyengine.plan import Entity
from storyengine.planning.embedded import plan_with_rules
from storyengine.planning.embedded.colouring import WHEEL, coloured, is_open
from storyengine.request import StoryRequest


def thing(name, look="", plural=False, kind="prop"):
    return Entity(id=name.replace(" ", "-").lower(), name=name, look=look, plural=plural, kind=kind)


NOUNS = (
    "desk",
    "barrow",
    "slack tub",
    "lever",
    "hook",
    "clock",
    "basket",
    "bell",
    "drum",
    "oak door",
    "red bowl",
    "rye",
    "cake of wax",
    "jug",
    "locker",
)


@pytest.mark.parametrize(
    ("name", "look"),
    [
        ("green notebook", ""),
        ("locker", "a grey steel locker"),
        ("oak cask", ""),
        ("mallet", "a squat beechwood mallet"),
        ("hatch", "a sky-blue hatch"),
        ("herring", ""),
        ("desk", "a long desk"),
        ("loaves", ""),
        ("cake of wax", "a cake of wax"),
        ("neck", "a neck of the sack"),
    ],
)
def test_what_has_a_colour_is_left_alone(name, look):
    assert not is_open(thing(name, look))
    assert coloured([thing(name, look)]) == ((thing(name, look),), ())


def test_people_are_left_alone():
    assert not is_open(thing("Mina", "tall, with short black hair", kind="character"))


@pytest.mark.parametrize(
    ("entity", "look"),
    [
        (thing("tub"), "a blue tub"),
        (thing("oakum basket", "an oakum basket"), "a blue oakum basket"),
        (thing("rails", plural=True), "blue rails"),
    ],
)
def test_a_colour_stands_before_the_look(entity, look):
    (made,), chosen = coloured([entity])
    assert made.look == look
    assert chosen == ((entity.name, "blue"),)


def test_things_of_one_shape_get_colours_far_apart():
    (_, one, other), _ = coloured([thing("red lever"), thing("long lever"), thing("short lever")])
    assert {word for e in (one, other) for word in e.look.split()} & {"red", "orange", "pink"} == set()
    assert one.look.split()[1] != other.look.split()[1]


def test_clothes_count_too():
    (_, made), _ = coloured([thing("Mina", "a woman in a blue coat", kind="character"), thing("tub")])
    assert "blue" not in made.look


@given(st.lists(st.sampled_from(NOUNS), unique=True, max_size=len(NOUNS)), st.integers(0, 3))
def test_seven_things_get_a_colour_each_and_nothing_else_changes(names, worn):
    people = [thing(f"Person {k}", f"in a {WHEEL[k]} coat", kind="character") for k in range(worn)]
    before = [thing(name) for name in names] + people
    after, chosen = coloured(before)
    assert coloured(before) == (after, chosen)
    assert [e.model_copy(update={"look": ""}) for e in after] == [e.model_copy(update={"look": ""}) for e in before]
    assert not any(is_open(e) for e in after)
    assert {name for name, _ in chosen} == {e.name for e in before if is_open(e)}
    said = [colour for _, colour in chosen]
    assert len(set(said)) >= min(len(said), len(WHEEL) - 1)  # the bowl is red already


def test_a_plan_says_which_colours_were_chosen():
    request = StoryRequest(idea="Mo puts the cup on the barrow. Mo takes the cup. Mo puts the cup in the tub.", shots=3)
    planned = plan_with_rules(request)
    looks = {e.name: e.look for e in planned.plan.entities if e.kind == "prop"}
    assert len(set(looks.values())) == len(looks) == 3
    assert all(looks.values())
    assert any(line.startswith("Colours that the brief leaves open") for line in planned.assumptions)
    assert "looks-alike" not in {finding.code for finding in planned.findings}
