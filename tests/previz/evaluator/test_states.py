"""States of things, told from another side than that of the reference pictures."""

from dataclasses import replace

import pytest

from storyengine.backends.ports import Frame, JudgeRequest, PaintRequest, ReferenceImage, Statement
from storyengine.language import HasAttribute, render
from storyengine.language.captions import caption, read_caption
from storyengine.media.picture import Picture
from storyengine.plan import Catalog
from storyengine.previz import make_painter
from storyengine.previz.evaluator import judge
from storyengine.previz.studio.drawing import draw_scene
from storyengine.prompts import pictures

THINGS = (
    "the zinc tub (thing; container; fill empty or full of water): a round zinc tub",
    "the malt sack (thing; neck tied shut or slit open): a canvas sack",
    "the blue jug (thing; state whole or broken): a blue jug",
)


class Shown:
    """A thing with a reference picture of each of two states, and drawn from another side in both."""

    def __init__(self, line, painter):
        self.entity = read_caption(line)
        assert self.entity is not None, line
        self.catalog = Catalog.build([self.entity], [])
        self.attribute = self.entity.attributes[0]
        pictured = {value: self._picture(painter, value) for value in self.attribute.values}
        self.references = tuple(
            ReferenceImage(f"{caption(self.entity)} — here: {value}", data) for value, data in pictured.items()
        )
        self.frames = {value: self._turned(painter, data) for value, data in pictured.items()}

    def _claim(self, value):
        return HasAttribute(entity=self.entity.id, attribute=self.attribute.name, value=value)

    def _picture(self, painter, value):
        prompt = pictures.state_reference(self.entity, (self._claim(value),), self.catalog, "")
        return painter.paint(PaintRequest(prompt, 768, 768)).data

    def _turned(self, painter, data):
        scene = painter.index.recognise(Picture.from_bytes(data))
        thing = scene.things[0]
        turned = replace(thing, stand=replace(thing.stand, yaw=thing.stand.yaw + 35))
        return draw_scene(scene.with_thing(turned), 1280, 720).to_png()

    def label(self, shown, claimed, frames=1):
        statement = Statement("1", render(self._claim(claimed), self.catalog), "start")
        seen = tuple(Frame(float(k), self.frames[shown]) for k in range(frames))
        return judge(JudgeRequest(seen, (statement,), self.references, (caption(self.entity),)))[0].label


@pytest.fixture(scope="module")
def painter(tmp_path_factory):
    return make_painter(folder=tmp_path_factory.mktemp("states"))


@pytest.mark.parametrize("line", THINGS, ids=lambda line: line.partition(" (")[0])
def test_a_state_is_told_from_another_side(line, painter):
    thing = Shown(line, painter)
    one, other = thing.attribute.values
    assert thing.label(one, one) == thing.label(other, other) == "PASS"
    assert thing.label(one, other) == thing.label(other, one) == "FAIL"


def test_states_that_look_the_same_are_not_told_apart(painter):
    """Where pictures of both are alike, a thing that is seen is as it should be: nothing could tell."""
    ladder = Shown("the ash ladder (thing; state counted or not yet checked off): an ash ladder", painter)
    one, other = ladder.attribute.values
    same = ReferenceImage(f"{caption(ladder.entity)} — here: {other}", ladder.references[0].image)
    ladder.references = (ladder.references[0], same)
    assert ladder.label(one, one) == ladder.label(one, other) == "PASS"


@pytest.mark.parametrize("done", ["turned", "mended", "polished", "painted blue"])
def test_what_is_not_yet_done_is_told_from_what_is(done, painter):
    valve = Shown(f"the red valve (thing; work {done} or not yet {done}): a red valve", painter)
    assert valve.label(done, done) == valve.label(f"not yet {done}", f"not yet {done}") == "PASS"
    assert valve.label(f"not yet {done}", done) == "FAIL"
