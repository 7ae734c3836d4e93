from storyengine.previz.appearance import person_look, place_look, prop_look
from storyengine.previz.studio.scene import Actor, Blemish, Lens, Mark, Scene, Setting, Stand, Thing, from_json, to_json

LOCKER = Thing(
    "locker", prop_look("locker", "a grey locker"), stand=Stand(1, 2, 0, 90), states=(("door", "shut"),),
    shuts=(("door", "shut"),), zone="by the lockers", fixed=True,
)  # fmt: skip
PACK = Thing("pack", prop_look("pack", "a red backpack"), "in", "locker")
BOOK = Thing("book", prop_look("book", "a green notebook"), "in", "pack")
MINA = Actor(
    "mina", person_look("Mina", "a student in a yellow raincoat"), Stand(2, 2, 0, -40), "by the lockers", "locker"
)
SCENE = Scene(
    "view",
    Setting("hall", "hall", place_look("hall", "white walls"), ("by the lockers",), (Mark("clock", "clock"),), 7),
    (MINA,),
    (LOCKER, PACK, BOOK),
    Lens(1, 1, 1.6, 30, -2, 60),
    Blemish("EXIT", 0.8, 0.2),
)


def test_a_scene_comes_back_from_json_as_it_was():
    assert from_json(to_json(SCENE)) == SCENE


def test_what_is_in_a_shut_container_is_hidden_and_so_is_what_is_in_it():
    assert SCENE.is_hidden("pack")
    assert SCENE.is_hidden("book")
    opened = SCENE.with_thing(LOCKER.with_state("door", "open"))
    assert not opened.is_hidden("pack")
    assert not opened.is_hidden("book")


def test_what_hangs_on_something_goes_with_it():
    assert [thing.id for thing in SCENE.without(["pack"]).things] == ["locker"]
    assert SCENE.without(["mina"]).actors == ()


def test_changing_a_thing_keeps_its_place_in_the_order():
    changed = SCENE.with_thing(LOCKER.with_state("door", "open"))
    assert [thing.id for thing in changed.things] == ["locker", "pack", "book"]
    assert changed.props["locker"].states == (("door", "open"),)


def test_a_circle_of_containers_does_not_hang():
    a = Thing("a", PACK.look, "in", "b")
    b = Thing("b", PACK.look, "in", "a")
    assert not Scene("view", things=(a, b)).is_hidden("a")
