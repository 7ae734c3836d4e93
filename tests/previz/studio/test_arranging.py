"""What must be seen is in sight: on the wall, out from behind things, past people, inside the frame."""

import math
from dataclasses import replace

from storyengine.language import Absent, Present
from storyengine.language.sections import write_sections
from storyengine.previz.appearance import prop_look
from storyengine.previz.studio.arranging import CLEAR, SEEN, arranged, lost, stepped_aside
from storyengine.previz.studio.blocking import in_frame
from storyengine.previz.studio.compose import Shown, compose_panorama
from storyengine.previz.studio.drawing import draft_shares, draft_whole
from storyengine.previz.studio.events import write_script
from storyengine.previz.studio.filming import aimed
from storyengine.previz.studio.reading import read_prompt
from storyengine.previz.studio.scene import Scene, Stand, Thing
from storyengine.previz.studio.staging import rest
from storyengine.previz.studio.truth import holds, truth_of
from tests.previz.studio import prompts
from tests.previz.studio.test_compose import dice, opening


def before_the_lens(scene: Scene, share: float = 0.45, thing: str = "wooden-desk") -> Stand:
    """A point between the camera and a thing."""
    at, lens = scene.props[thing].stand, scene.lens
    return Stand(lens.x + (at.x - lens.x) * share, lens.y + (at.y - lens.y) * share)


def test_what_stands_before_a_wanted_thing_is_moved():
    scene = opening(1).without(["mina"])
    cupboard = Thing("cupboard", prop_look("cupboard", "a large cupboard"), stand=before_the_lens(scene))
    hidden = scene.with_thing(cupboard)
    assert lost(hidden, ["green-notebook"]) == ["green-notebook"]
    assert lost(arranged(hidden, ["green-notebook"], lambda moved: moved), ["green-notebook"]) == []


def test_who_stands_before_a_wanted_thing_steps_aside_and_leaves_things_alone():
    scene = opening(1)
    notebook = rest(scene).things["green-notebook"].matrix[:, 3]
    lens, mina = scene.lens, scene.people["mina"]
    at = [here + (float(there) - here) * 0.4 for here, there in zip((lens.x, lens.y), notebook[:2], strict=True)]
    hidden = scene.with_actor(replace(mina, stand=Stand(at[0], at[1], 0.0, mina.stand.yaw)))
    assert lost(hidden, ["green-notebook"]) == ["green-notebook"]
    seen = stepped_aside(hidden, ["green-notebook"])
    assert lost(seen, ["green-notebook"]) == []
    assert seen.things == hidden.things


def test_of_what_somebody_holds_more_than_a_sliver_is_seen():
    scene, wanted = opening(1), ["mina", "green-notebook"]
    held = replace(scene.props["green-notebook"], relation="held", target="mina", slot=1.0, stand=None)
    mina = scene.people["mina"]
    turned = (
        scene.with_thing(held).with_actor(replace(mina, stand=replace(mina.stand, yaw=float(yaw))))
        for yaw in range(0, 360, 15)
    )
    sliver = next(s for s in turned if SEEN <= draft_shares(s).get("green-notebook", 0.0) < CLEAR)
    shown = arranged(sliver, wanted, lambda moved: moved)
    assert draft_shares(shown)["green-notebook"] >= CLEAR
    assert lost(shown, wanted) == []


def test_nothing_is_lost_where_everything_is_seen():
    scene = opening(1)
    assert arranged(scene, ["mina", "wooden-desk"], lambda moved: moved) == scene


def test_hooks_and_clocks_hang_on_walls():
    prompt = write_sections(
        {
            "TASK": "Paint a seamless panorama all around the middle of an empty place.",
            "PLACE": ["the hall (place; by the door | by the stairs; bright warm light): a bare hall"],
            "FIXED THINGS": ["the hook (thing; mount, fixed)", "the locker (thing; container, fixed)"],
            "WHERE THEY ARE": ["The hook is by the door in the hall.", "The locker is by the stairs in the hall."],
        }
    )
    scene = compose_panorama(read_prompt(prompt), Shown(), dice())
    assert scene.props["hook"].stand.z > 1
    assert scene.props["locker"].stand.z == 0
    helmet = Thing("helmet", prop_look("helmet", "a steel helmet"), relation="fastened", target="hook")
    height = rest(scene.with_thing(helmet)).things["helmet"].matrix[2, 3]
    assert 0.8 < height < scene.props["hook"].stand.z + 0.2


def test_a_camera_that_cannot_hold_what_it_must_goes_elsewhere():
    scene = opening(1)
    desk = scene.props["wooden-desk"].stand
    beside = replace(scene.lens, x=desk.x, y=desk.y, yaw=scene.lens.yaw + 180)
    request = read_prompt(prompts.opening_without_camera(1))
    found = aimed(replace(scene, lens=beside), request, ("by the front desks",), None)
    assert math.dist((found.lens.x, found.lens.y), (desk.x, desk.y)) > 1
    assert in_frame(found.lens, found.people["mina"].stand, found.people["mina"].look.height)


def test_whoever_must_be_seen_at_the_end_does_not_leave_for_a_word():
    prompt = prompts.video(1).replace("EVENTS:", "EVENTS:\n- Mina leaves the door open and walks away from the desk.")
    scene = opening(1)
    last = write_script(read_prompt(prompt), scene, Shown(), dice())[-1].after
    mina = last.people["mina"]
    assert in_frame(last.lens, mina.stand, mina.look.height)


def test_a_thing_of_which_a_rim_is_seen_is_lost_and_nobody_can_say_whether_it_is_there():
    scene = opening(1)
    backpack = rest(scene).things["red-backpack"].matrix[:, 3]
    lens, mina = scene.lens, scene.people["mina"]
    at = [here + (float(there) - here) * 0.4 for here, there in zip((lens.x, lens.y), backpack[:2], strict=True)]
    aside = [
        scene.with_actor(replace(mina, stand=Stand(at[0] + k / 50, at[1], 0.0, mina.stand.yaw))) for k in range(-30, 30)
    ]
    rim = next(s for s in aside if SEEN <= draft_shares(s).get("red-backpack", 0.0) < 0.22 * whole(s))
    assert lost(rim, ["red-backpack"]) == ["red-backpack"]
    there, gone = Present(entity="red-backpack"), Absent(entity="red-backpack")
    catalog = read_prompt(prompts.opening(1)).catalog
    for shown, answers in (
        (rim, (None, None)),
        (scene, (True, False)),
        (scene.without(["red-backpack"]), (False, True)),
    ):
        assert (holds(there, truth_of(shown), catalog), holds(gone, truth_of(shown), catalog)) == answers


def whole(scene: Scene) -> float:
    return draft_whole(scene, rest(scene), "red-backpack")
