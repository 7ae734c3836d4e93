"""Where held things are: in hands, and on what both hands carry."""

from dataclasses import replace

import pytest

from storyengine.previz import props
from storyengine.previz.appearance import person_look, prop_look
from storyengine.previz.colours import first_colour
from storyengine.previz.studio.scene import Actor, Scene, Stand, Thing
from storyengine.previz.studio.staging import BOARD, HOOKS, carried_on, phrases, rest

EMEKA = Actor("emeka", person_look("Emeka", "a young man"), Stand(0, 0, 0, 180))
CRATE = Thing("crate", prop_look("crate", "a wooden crate"), "held", "emeka")
SAW = Thing("saw", prop_look("saw", "a saw with an orange handle"), "held", "emeka", slot=1.0)


def test_what_else_is_held_stands_on_what_both_hands_carry():
    scene = Scene("view", actors=(EMEKA,), things=(CRATE, SAW))
    assert carried_on(scene, SAW) == CRATE
    assert carried_on(scene, CRATE) is None
    crate, saw = rest(scene).things["crate"], rest(scene).things["saw"]
    assert saw.matrix[2, 3] > crate.matrix[2, 3] + 0.9 * crate.model.size[2]


def test_alone_it_is_in_the_hand():
    assert carried_on(Scene("view", actors=(EMEKA,), things=(SAW,)), SAW) is None


def test_of_two_things_for_both_hands_the_larger_one_bears_the_other():
    rope = Thing("rope", prop_look("rope", "a long rope"), "held", "emeka")
    scene = Scene("view", actors=(EMEKA,), things=(CRATE, rope))
    bears = {thing.id: carried_on(scene, thing) for thing in (CRATE, rope)}
    assert sorted(bears, key=lambda name: bears[name] is not None) == ["rope", "crate"]


def test_a_coil_is_carried_below_the_face():
    rope = Thing("rope", prop_look("rope", "a long rope"), "held", "emeka")
    held = rest(Scene("view", actors=(EMEKA,), things=(rope,))).things["rope"]
    assert held.matrix[2, 3] + held.model.size[2] < 0.8 * EMEKA.look.height


def test_what_hangs_on_a_hook_is_on_one_of_its_two_and_not_before_it():
    hook = Thing("hook", prop_look("hook", "a board with two hooks"), stand=Stand(0, 0, 1.6, 0))
    left, right = (
        Thing(f"coat {slot}", prop_look("coat", "a grey coat"), "fastened", "hook", slot=slot) for slot in (0.2, 0.8)
    )
    things = rest(Scene("view", things=(hook, left, right))).things
    board = things["hook"].model.bounds()[0]
    for name, side in (("coat 0.2", -1), ("coat 0.8", 1)):
        x, y = (float(v) for v in things[name].matrix[:2, 3])
        assert x == side * HOOKS
        assert y == pytest.approx(board[1] + BOARD + things[name].model.size[1] / 2)


def test_a_part_that_is_painted_colours_that_part():
    jug = Thing("jug", prop_look("blue jug", "a blue jug"), states=(("handle", "gold"),))
    look, _ = props.resolve(jug.look, phrases(jug))
    assert look.colour == jug.look.colour
    assert look.accent == first_colour("gold") != jug.look.accent
    whole, _ = props.resolve(jug.look, phrases(replace(jug, states=(("state", "gold"),))))
    assert whole.colour == first_colour("gold")
