"""What references tell of a thing."""

import numpy as np

from storyengine.media.picture import Picture
from storyengine.plan import Attribute, Entity
from storyengine.previz.evaluator.subjects import thing_subject

CONDITION = Attribute(name="condition", values=("broken", "mended"))
HANDLE = Attribute(name="handle", values=("plain", "gold"))
JUG = Entity(id="jug", name="blue jug", kind="prop", look="a blue jug", attributes=(CONDITION, HANDLE))


def shown(*values, level=0):
    return values, Picture(np.full((32, 32, 3), level, np.uint8))


def test_a_state_is_told_by_pictures_that_have_most_else_in_common():
    jug = thing_subject(JUG, [shown("broken", "plain"), shown("mended", "plain"), shown("mended", "gold")])
    compared = jug.in_states(("plain", "gold"))
    assert {value: picture.values for value, picture in compared.items()} == {
        "plain": ("mended", "plain"),
        "gold": ("mended", "gold"),
    }
    assert jug.in_states(("broken", "mended"))["mended"].values == ("mended", "plain")


def test_only_values_with_pictures_are_compared():
    jug = thing_subject(JUG, [shown("mended", "plain")])
    assert list(jug.in_states(("plain", "gold"))) == ["plain"]
    assert thing_subject(JUG).in_states(("plain", "gold")) == {}
    assert not jug.differs("plain", "gold")


def test_states_differ_where_their_pictures_do():
    jug = thing_subject(JUG, [shown("mended", "plain"), shown("mended", "gold", level=200), shown("broken", "plain")])
    assert jug.differs("plain", "gold")
    assert not jug.differs("mended", "broken")
