from pathlib import Path

import jsonschema
import pytest
from hypothesis import given

from storyengine import documents
from storyengine.demo import demo_plan, plan_text
from storyengine.errors import InputError
from storyengine.plan import is_plan, plan_data, plan_json, plan_schema, plan_yaml, read_plan

from ..strategies import plans

SCHEMA = jsonschema.Draft202012Validator(plan_schema())
SAVED = Path(__file__).parent.parent / "saved"


def read(text, name="plan.yaml"):
    return read_plan(documents.parse(text, name))


@given(plans())
def test_yaml_and_json_round_trips_are_exact(plan):
    assert read(plan_yaml(plan)) == plan
    assert read(plan_json(plan)) == plan
    assert plan_json(read(plan_yaml(plan))) == plan_json(plan)


@given(plans(max_shots=2))
def test_the_schema_accepts_every_plan(plan):
    SCHEMA.validate(plan_data(plan))


def test_the_schema_refuses_what_the_reader_refuses():
    data = plan_data(demo_plan())
    data["shots"][0]["moood"] = 1
    with pytest.raises(jsonschema.ValidationError):
        SCHEMA.validate(data)


def test_yaml_puts_the_sentence_of_an_event_first():
    text = plan_yaml(demo_plan())
    assert "      - action: Mina opens the grey locker.\n        actors: [mina]\n        effects:\n" in text
    assert "- locker.door = open" in text.replace("[", "- ").replace("]", "")


def test_the_demo_plan_is_recognised_as_a_plan_and_a_brief_is_not():
    assert is_plan(documents.parse(plan_text(), "x"))
    assert not is_plan(documents.parse("idea: x\nshots: 1", "x"))


@pytest.mark.parametrize("path", sorted(SAVED.glob("plan-*")), ids=lambda path: path.name)
def test_plans_of_every_version_stay_readable(path):
    plan = read(path.read_text(), path.name)
    assert plan.shots[1].offscreen
    assert plan.shots[1].anchors == ("backpack",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("storyengine_plan: 1", "storyengine_plan: 2"), "Install a newer StoryEngine"),
        (("storyengine_plan: 1", "storyengine_plan: one"), "whole number"),
        (("storyengine_plan: 1\n", ""), "begins with `storyengine_plan: 1`"),
        (("id: desk", "id: ../desk"), 'entities\\[3\\].id: found "../desk"'),
        (("id: desk", 'id: "de\\x01sk"'), "entities\\[3\\].id"),
        (("id: desk", "id: Desk"), "entities\\[3\\].id"),
        (("name: wooden desk", "name: desk that is wooden"), "the word 'is'"),
        (("name: wooden desk", "name: desk; drop"), "words, digits"),
        (("kind: character", "kind: hero"), "Allowed: character, prop"),
        (("conceals: [shut]", "conceals: [closed]"), "not among the values"),
        (("framing: tight", "framing: tigth"), "Did you mean 'tight'"),
        (("backpack held by mina", "backpack given to mina"), "this is not a fact|This is not a fact"),
        (("seconds: 4.0", "seconds: -1"), "greater than 0"),
    ],
)
def test_a_plan_that_cannot_be_read_says_where_and_why(change, message):
    text = plan_text()
    assert change[0] in text
    with pytest.raises(InputError, match=message):
        read(text.replace(*change, 1))


def test_more_shots_than_any_film_has_are_refused():
    data = plan_data(demo_plan())
    data["shots"] = data["shots"][:1] * 5000
    with pytest.raises(InputError, match="5,000"):
        read(documents.canonical_json(data))
    data["shots"] = []
    with pytest.raises(InputError, match="shots"):
        read(documents.canonical_json(data))
