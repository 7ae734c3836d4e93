import pytest
from pydantic import TypeAdapter

from storyengine.demo import demo_plan
from storyengine.plan import Catalog, Fact
from storyengine.plan.placement import read_fact
from storyengine.state import Illegal, opening_world, reduce

PLAN = demo_plan()
CATALOG = Catalog.of(PLAN)
WORLD = opening_world(CATALOG, PLAN)


def fact(line):
    return TypeAdapter(Fact).validate_python(read_fact(line))


@pytest.mark.parametrize(
    "line",
    [
        "backpack held by mina",
        "backpack in locker",
        "notebook on desk",
        "notebook in backpack",
        "backpack attached to mina",
        "mina at classroom.doorway",
        "mina offscreen",
        "locker.door = open",
    ],
)
def test_a_legal_effect_makes_its_fact_true_and_leaves_the_old_world(line):
    before = dict(WORLD)
    after = reduce(CATALOG, WORLD, fact(line), "classroom")
    assert not isinstance(after, Illegal)
    assert after.holds(fact(line))
    assert dict(WORLD) == before
    changed = [entity for entity in WORLD if WORLD[entity] != after[entity]]
    assert changed in ([], [fact(line).entity])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ghost held by mina", "unknown-entity"),
        ("backpack held by ghost", "unknown-entity"),
        ("backpack held by desk", "target-lacks-role"),
        ("backpack in desk", "target-lacks-role"),
        ("backpack on locker", "target-lacks-role"),
        ("backpack attached to desk", "target-lacks-role"),
        ("backpack in backpack", "self-placement"),
        ("mina at classroom.roof", "unknown-zone"),
        ("mina at moon.crater", "unknown-environment"),
        ("mina at locker-room.bench", "zone-not-active"),
        ("locker.door = ajar", "value-outside-domain"),
        ("locker.lid = open", "unknown-attribute"),
        ("ghost.door = open", "unknown-entity"),
    ],
)
def test_an_illegal_effect_is_refused_with_its_reason(line, reason):
    result = reduce(CATALOG, WORLD, fact(line), "classroom")
    assert isinstance(result, Illegal)
    assert result.reason == reason


def test_rings_over_several_relations_are_refused():
    world = WORLD
    for line in ("backpack held by mina", "notebook in backpack"):
        world = reduce(CATALOG, world, fact(line), "classroom")
    closing = reduce(CATALOG, world, fact("mina attached to mina"), "classroom")
    assert isinstance(closing, Illegal)
    data = demo_plan().model_dump()
    data["entities"][2]["roles"] = ["mount"]
    catalog = Catalog.of(type(PLAN).model_validate(data))
    ring = reduce(catalog, world, fact("mina attached to notebook"), "classroom")
    assert isinstance(ring, Illegal)
    assert ring.reason == "placement-cycle"
    assert ring.saw == "mina → notebook → backpack → mina"


def test_the_initial_world_may_name_any_environment():
    assert not isinstance(reduce(CATALOG, WORLD, fact("mina at locker-room.bench"), None), Illegal)


def test_one_way_attributes_only_move_forward():
    data = demo_plan().model_dump()
    data["entities"][2]["attributes"] = [{"name": "seal", "values": ["whole", "cut", "gone"], "one_way": True}]
    plan = type(PLAN).model_validate(data)
    catalog = Catalog.of(plan)
    world = opening_world(catalog, plan)
    world = reduce(catalog, world, fact("notebook.seal = cut"), None)
    back = reduce(catalog, world, fact("notebook.seal = whole"), None)
    assert isinstance(back, Illegal)
    assert back.reason == "one-way-undone"
    assert not isinstance(reduce(catalog, world, fact("notebook.seal = cut"), None), Illegal)
    assert not isinstance(reduce(catalog, world, fact("notebook.seal = gone"), None), Illegal)
