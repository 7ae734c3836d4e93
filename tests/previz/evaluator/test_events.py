"""Events in which something changes: told by what the frames show, wherever in the shot."""

from dataclasses import replace

import pytest

from storyengine.backends.ports import Frame, JudgeRequest, PaintRequest, ReferenceImage, Statement
from storyengine.language import HasAttribute
from storyengine.language.captions import caption, captions_of
from storyengine.media.picture import Picture
from storyengine.previz import make_painter
from storyengine.previz.evaluator import judge
from storyengine.previz.evaluator.events import later
from storyengine.previz.studio.drawing import draw_scene
from storyengine.prompts import pictures
from tests.previz.studio import prompts

LOCKER = prompts.CATALOG.entities["locker"]
OPENS = "This happens: Mina opens the grey locker."


class LockerRoom:
    """Mina before the locker, and pictures of the locker in both states."""

    def __init__(self, folder):
        painter = make_painter(folder=folder)
        self.references = tuple(
            ReferenceImage(f"{caption(LOCKER)} — here: {value}", self._locker(painter, value))
            for value in ("shut", "open")
        )
        sheet = painter.paint(PaintRequest(prompts.sheet(), 1536, 1024)).data
        around = painter.paint(PaintRequest(prompts.panorama("locker-room"), 2048, 1024)).data
        self.references += (
            ReferenceImage(caption(prompts.CATALOG.entities["mina"]), sheet),
            ReferenceImage(caption(prompts.CATALOG.environments["locker-room"]), around),
        )
        opening = painter.paint(PaintRequest(prompts.opening_without_camera(2), 1280, 720, self.references)).data
        self.scene = painter.index.recognise(Picture.from_bytes(opening)).without(["red-backpack"])

    @staticmethod
    def _locker(painter, value):
        state = (HasAttribute(entity="locker", attribute="door", value=value),)
        prompt = pictures.state_reference(LOCKER, state, prompts.CATALOG, "")
        return painter.paint(PaintRequest(prompt, 768, 768)).data

    def asked(self, doors, *statements, pan=0.0):
        """The labels of statements about a shot in which the door is one after the other so, and the camera turns by
        some degrees from frame to frame."""
        frames = tuple(Frame(float(k), self._drawn(k, door, pan)) for k, door in enumerate(doors))
        told = tuple(Statement(str(n), text, "motion") for n, text in enumerate(statements))
        return [v.label for v in judge(JudgeRequest(frames, told, self.references, captions_of(prompts.CATALOG)))]

    def _drawn(self, number, door, pan):
        mina = self.scene.people["mina"]
        turned = replace(mina, stand=replace(mina.stand, yaw=mina.stand.yaw + 25 * number))
        scene = self.scene.with_actor(turned).with_thing(self.scene.props["grey-locker"].with_state("door", door))
        scene = replace(scene, lens=replace(scene.lens, yaw=scene.lens.yaw + pan * number))
        return draw_scene(scene, 1280, 720).to_png()


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    return LockerRoom(tmp_path_factory.mktemp("lockers"))


def test_a_door_that_stays_shut_was_not_opened(room):
    assert room.asked(("shut", "shut", "shut"), OPENS) == ["FAIL"]


def test_what_is_open_from_the_start_was_not_worked_on_until_it_is_open(room):
    until_open = "This happens: Mina works on the door of the grey locker until it is open."
    assert room.asked(("shut", "shut", "open"), until_open) == ["PASS"]
    assert room.asked(("open", "open", "shut"), until_open) == ["FAIL"]


def test_who_only_turns_while_the_camera_pans_went_nowhere(room):
    walks = "This happens: Mina walks to the window."
    assert room.asked(("shut", "shut", "shut"), walks, pan=4.0) != ["PASS"]


@pytest.mark.parametrize(("frames", "order"), [(2, [1]), (3, [2, 1]), (8, [7, 3, 1, 2, 4, 5, 6])])
def test_every_frame_after_the_first_may_show_the_change(frames, order):
    assert later(frames) == order


class Desk:
    """Mina at her desk, and pictures of her, the desk and the backpack that lies on it."""

    def __init__(self, folder):
        painter = make_painter(folder=folder)
        entities = prompts.CATALOG.entities
        things = [entities[name] for name in ("desk", "backpack")]
        self.references = (
            ReferenceImage(caption(entities["mina"]), painter.paint(PaintRequest(prompts.sheet(), 1536, 1024)).data),
            *(ReferenceImage(caption(thing), self._thing(painter, thing)) for thing in things),
        )
        opening = painter.paint(PaintRequest(prompts.opening_without_camera(1), 1280, 720, self.references)).data
        self.scene = painter.index.recognise(Picture.from_bytes(opening))
        self.lies = self.scene.props["red-backpack"]
        self.held = replace(self.lies, relation="held", target="mina", stand=None)

    @staticmethod
    def _thing(painter, thing):
        return painter.paint(PaintRequest(pictures.state_reference(thing, (), prompts.CATALOG, ""), 768, 768)).data

    def happens(self, where, action):
        return self.asked(where, f"This happens: {action}")

    def asked(self, where, statement):
        mina = self.scene.people["mina"]
        frames = []
        for number, thing in enumerate(where):
            turned = replace(mina, stand=replace(mina.stand, yaw=mina.stand.yaw + 25 * number))
            scene = self.scene.with_actor(turned).with_thing(thing)
            frames.append(Frame(float(number), draw_scene(scene, 1280, 720).to_png()))
        told = (Statement("0", statement, "motion"),)
        (found,) = judge(JudgeRequest(tuple(frames), told, self.references, captions_of(prompts.CATALOG)))
        return found.label


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    return Desk(tmp_path_factory.mktemp("desk"))


def test_what_is_taken_is_held_later_and_was_not_before(desk):
    takes = "Mina takes the red backpack from the wooden desk."
    assert desk.happens((desk.lies, desk.held), takes) == "PASS"
    assert desk.happens((desk.lies, desk.lies), takes) == "FAIL"
    assert desk.happens((desk.held, desk.held), takes) != "PASS"


def test_what_is_put_down_was_held_before(desk):
    puts = "Mina puts the red backpack on the wooden desk."
    assert desk.happens((desk.held, desk.lies), puts) == "PASS"
    assert desk.happens((desk.lies, desk.lies), puts) != "PASS"


def test_what_leaves_for_a_part_of_the_place_need_only_move(desk):
    leaves = "First the red backpack is on the wooden desk; then the red backpack is in the doorway in the classroom."
    mina = desk.scene.people["mina"].stand
    stands = replace(desk.lies, relation="stands", target="", stand=replace(mina, x=mina.x + 0.5))
    assert desk.asked((desk.lies, stands), leaves) == "PASS"
    assert desk.asked((desk.lies, desk.lies), leaves) == "FAIL"
    assert desk.asked((desk.lies, desk.held), leaves) == "FAIL"


def test_a_thing_that_is_elsewhere_was_moved(desk):
    first, then = "the red backpack is by the front desks in the classroom", "the red backpack is in the doorway in"
    moves = f"First {first}; then {then} the classroom."
    mina = desk.scene.people["mina"].stand
    stands, pushed = (
        replace(desk.lies, relation="stands", target="", stand=replace(mina, x=mina.x + aside)) for aside in (0.4, 0.9)
    )
    assert desk.asked((stands, pushed), moves) == "PASS"
    assert desk.asked((stands, stands), moves) == "FAIL"


def test_whose_legs_are_hidden_does_not_walk_away(desk):
    scene, stands = desk.scene.without(["red-backpack"]), desk.scene.people["mina"].stand
    wide = scene.props["wooden-desk"]
    near = [mine + 0.4 * (lens - mine) for mine, lens in ((stands.x, scene.lens.x), (stands.y, scene.lens.y))]
    before = scene.with_thing(replace(wide, stand=replace(wide.stand, x=near[0], y=near[1])))
    frames = tuple(Frame(float(k), draw_scene(shown, 1280, 720).to_png()) for k, shown in enumerate((scene, before)))
    told = (Statement("0", "Mina moves away from the camera.", "motion"),)
    (found,) = judge(JudgeRequest(frames, told, desk.references, captions_of(prompts.CATALOG)))
    assert found.label != "PASS"
