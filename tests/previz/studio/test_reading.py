from dataclasses import replace

import pytest

from storyengine.language import Absent, Happens, HasAttribute, Placed
from storyengine.plan import Catalog, Entity, HeldBy, OnSurface
from storyengine.previz.studio import reading
from storyengine.previz.studio.reading import read_camera, read_prompt
from tests.previz.studio import prompts


def test_an_opening_prompt_is_understood_exactly():
    request = read_prompt(prompts.opening(1))
    assert request.task == "opening"
    assert request.place is not None
    assert request.place.name == "classroom"
    assert {e.name for e in request.people} == {"Mina"}
    assert Placed(entity="red-backpack", placement=OnSurface(surface="wooden-desk")) in request.claims
    assert request.camera is not None
    assert (request.camera.yaw, request.camera.right, request.camera.forward) == (12.5, 0.4, -0.6)


def test_a_video_prompt_tells_events_and_the_end():
    request = read_prompt(prompts.video(2))
    assert request.task == "clip"
    assert request.events[0] == "Mina opens the grey locker."
    assert Absent(entity="red-backpack") in request.end
    assert HasAttribute(entity="grey-locker", attribute="door", value="shut") in request.end


@pytest.mark.parametrize(
    ("prompt", "task"),
    [(prompts.sheet(), "sheet"), (prompts.panorama("classroom"), "panorama"), ("a red box", "opening")],
)
def test_the_task_is_recognised(prompt, task):
    assert read_prompt(prompt).task == task


def test_repair_targets_name_what_they_are_about():
    missed = [c for c in prompts.CONTRACTS[0].criteria if "backpack" in c.statement][:1]
    assert "red-backpack" in read_prompt(prompts.opening(1, repair=missed)).repaired


def test_free_text_names_people_things_and_places():
    request = read_prompt(
        "Mina stands in a dark workshop and holds a green lantern. A wooden chest is open on the floor."
    )
    assert request.free
    assert [e.id for e in request.people] == ["mina"]
    assert {e.id for e in request.things} == {"green-lantern", "wooden-chest"}
    assert request.place is not None
    assert request.place.light.brightness == "dark"
    assert Placed(entity="green-lantern", placement=HeldBy(holder="mina")) in request.claims
    assert reading.states(request.claims)["wooden-chest"] == (("state", "open"),)


def test_a_baker_keeps_his_apron():
    request = read_prompt("A baker in a white apron puts a loaf on the oak table.")
    assert request.people[0].look == "baker, in white apron"
    assert {e.id for e in request.things} == {"loaf", "oak-table"}


@pytest.mark.parametrize(
    "text",
    ["", " \n\t", "x" * 100_000, "打开门 红色的箱子", "🎈" * 50, "MUST SHOW:\n- The moon is in frame.",
     "TASK:\nPLACE:\n-",
     "The door is open. The door is shut. Nobody is here. Mina is here.",
     "CAMERA AND LAYOUT: turned 1e999 degrees"],
    ids=range(9),
)  # fmt: skip
def test_any_text_is_read_as_something(text):
    assert read_prompt(text).task in ("opening", "clip", "sheet", "panorama", "thing")


def test_absurd_cameras_are_held_within_sense():
    camera = read_camera("tilted -400.0 degrees, field of view 900.0 degrees")
    assert camera is not None
    assert (camera.pitch, camera.fov, camera.yaw) == (-80.0, 120.0, None)
    assert read_camera("") is None


@pytest.mark.parametrize(
    ("action", "things"),
    [
        ("Mina winds the small blue ship's clock.", {"ships-clock"}),
        ("Mina winds the ship's clock.", {"ships-clock"}),
        ("Mina looks at the clock.", set()),
        ("Mina opens the case.", {"orange-case"}),
        ("Mina opens the suitcase.", set()),
    ],
)
def test_an_event_names_a_thing_by_the_end_of_its_name_that_no_other_has(action, things):
    named = {"ships-clock": "small blue ship's clock", "wall-clock": "wall clock", "orange-case": "orange case"}
    catalog = Catalog.build([Entity(id=key, name=name, kind="prop") for key, name in named.items()], [])
    request = replace(read_prompt(prompts.opening(1)), catalog=catalog, later=(Happens(action=action),))
    assert request.handled == things
