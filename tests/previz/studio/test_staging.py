"""Where held things are: in hands, and on what both hands carry."""

from storyengine.previz.appearance import person_look, prop_look
from storyengine.previz.studio.scene import Actor, Scene, Stand, Thing
from storyengine.previz.studio.staging import carried_on, rest

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
