import pytest
from hypothesis import given
from pydantic import TypeAdapter, ValidationError

from storyengine.plan import Fact, HeldBy, InSceneZone, Place, Set
from storyengine.plan.placement import write_fact

from ..strategies import catalogs, facts

adapter = TypeAdapter(Fact)


@given(catalogs().flatmap(facts))
def test_a_fact_in_one_line_reads_back(fact):
    assert adapter.validate_python(write_fact(fact)) == fact
    assert adapter.validate_json(adapter.dump_json(fact)) == fact


def test_the_forms_of_the_line():
    assert adapter.validate_python("bag held by mina") == Place(entity="bag", placement=HeldBy(holder="mina"))
    assert adapter.validate_python("  mina   at room.door ") == Place(
        entity="mina", placement=InSceneZone(environment="room", zone="door")
    )
    assert adapter.validate_python("door.state=clear of the oven, mouth") == Set(
        entity="door", attribute="state", value="clear of the oven, mouth"
    )


@pytest.mark.parametrize(
    "line", ["bag", "bag under desk", "bag at room", "../bag in box", "Bag in box", "a.b = ", "a in\x00b"]
)
def test_a_wrong_line_shows_the_right_forms(line):
    with pytest.raises(ValidationError, match="not a fact"):
        adapter.validate_python(line)
