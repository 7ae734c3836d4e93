"""The evaluator on the studio's own pictures: what it must see, and errors that it must catch."""

from dataclasses import replace

import numpy as np
import pytest

from storyengine.backends.ports import (
    Frame,
    JudgeRequest,
    LocateRequest,
    PaintRequest,
    ReferenceImage,
    Statement,
)
from storyengine.language import parse
from storyengine.language.captions import caption, captions_of
from storyengine.media.picture import Picture
from storyengine.previz import make_painter
from storyengine.previz.evaluator import judge, locate
from storyengine.previz.evaluator.eye import Eye
from storyengine.previz.evaluator.finding import find_crowd, search
from storyengine.previz.evaluator.presence import TWICE
from storyengine.previz.evaluator.seeing import CELL, Rect, Sight
from storyengine.previz.evaluator.subjects import read_subjects
from storyengine.previz.evaluator.windows import likeness_odds, looked_closer, photo_odds, twice_odds
from storyengine.previz.studio.compose import recast
from storyengine.previz.studio.drawing import draw_scene
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.scene import Blemish, Lens, Stand
from storyengine.previz.studio.sets import place_of, station_of
from storyengine.previz.studio.staging import bearing
from storyengine.previz.studio.truth import truth_of
from storyengine.prompts import pictures
from tests.previz.studio import prompts

SETTING = "The setting is the classroom."
NOBODY_ELSE = "Nobody but Mina is in frame."
LIGHT = "The light in the classroom is bright and warm."
MINA, BACKPACK = "Mina is in frame.", "Exactly one red backpack is in frame."
BLACKBOARD = "The blackboard of the classroom is in frame."
NO_TEXT = "The picture is free of on-screen text."


class Classroom:
    """The demo's first opening with the references that a film would have."""

    def __init__(self, folder):
        self.painter = make_painter(folder=folder)
        room = prompts.CATALOG.environments["classroom"]
        panorama = self.painter.paint(PaintRequest(prompts.panorama("classroom"), 2048, 1024)).data
        sheet = self.painter.paint(PaintRequest(prompts.sheet(), 1536, 1024)).data
        backpack = prompts.CATALOG.entities["backpack"]
        alone = self.painter.paint(
            PaintRequest(pictures.state_reference(backpack, (), prompts.CATALOG, ""), 768, 768)
        ).data
        self.references = (
            ReferenceImage(caption(room), panorama),
            ReferenceImage(caption(prompts.CATALOG.entities["mina"]), sheet),
            ReferenceImage(caption(backpack), alone),
        )
        prompt = prompts.opening_without_camera(1)
        self.picture = self.painter.paint(PaintRequest(prompt, 1280, 720, self.references)).data
        self.scene = self.painter.index.recognise(Picture.from_bytes(self.picture))

    def asked(self, picture, *statements):
        """The labels of statements about a picture."""
        request = JudgeRequest(
            (Frame(0.0, picture),),
            tuple(Statement(str(n), text, "start") for n, text in enumerate(statements)),
            self.references,
            captions_of(prompts.CATALOG),
        )
        verdicts = judge(request)
        assert [v.id for v in verdicts] == [str(n) for n in range(len(statements))]
        assert all(v.evidence for v in verdicts)
        return [v.label for v in verdicts]

    def drawn(self, scene):
        return draw_scene(scene, 1280, 720).to_png()


@pytest.fixture(scope="module")
def classroom(tmp_path_factory):
    return Classroom(tmp_path_factory.mktemp("classroom"))


def test_a_faultless_opening_is_seen_as_it_is(classroom):
    labels = classroom.asked(classroom.picture, SETTING, NOBODY_ELSE, LIGHT, MINA, BACKPACK, NO_TEXT)
    assert labels == ["PASS"] * 6


def test_the_same_question_has_the_same_answer(classroom):
    assert classroom.asked(classroom.picture, MINA, BACKPACK) == classroom.asked(classroom.picture, MINA, BACKPACK)


def test_another_room_of_the_same_words_is_another_room(classroom):
    rebuilt = replace(classroom.scene.setting, seed=classroom.scene.setting.seed + 1)
    picture = classroom.drawn(replace(classroom.scene, setting=rebuilt))
    assert classroom.asked(picture, SETTING) == ["FAIL"]


def test_drifted_light_is_seen(classroom):
    picture = classroom.drawn(replace(classroom.scene, blemish=Blemish(gain=0.62, warmth=-0.5)))
    assert classroom.asked(picture, LIGHT) == ["FAIL"]


def test_what_was_taken_away_is_missed(classroom):
    picture = classroom.drawn(classroom.scene.without(["red-backpack"]))
    assert classroom.asked(picture, BACKPACK) == ["FAIL"]


def test_what_should_be_elsewhere_is_noticed(classroom):
    gone = "The red backpack is nowhere in frame."
    assert classroom.asked(classroom.picture, gone) == ["FAIL"]
    assert classroom.asked(classroom.drawn(classroom.scene.without(["red-backpack"])), gone) == ["PASS"]


def test_two_where_one_should_be_are_noticed(classroom):
    backpack, mina = classroom.scene.props["red-backpack"], classroom.scene.people["mina"]
    beside = replace(mina.stand, x=mina.stand.x + 0.7, y=mina.stand.y + 0.2)
    twin = replace(backpack, id="twin", relation="stands", target="", stand=beside)
    assert classroom.asked(classroom.drawn(classroom.scene.with_thing(twin)), BACKPACK) == ["FAIL"]


def test_a_thing_that_something_parts_is_one(classroom):
    """Half of its region taken away in the middle, as by somebody's arm: two regions, but not two backpacks."""
    subjects = read_subjects(captions_of(prompts.CATALOG), classroom.references)
    backpack, sight = subjects.things["red-backpack"], Sight(0, 0.0, classroom.picture, sharp=True)
    found = search(sight, backpack.query, backpack.known).best
    columns = np.flatnonzero(found.mask.any(axis=0))
    left, right = found.likely.copy(), found.likely.copy()
    left[:, columns[len(columns) // 3] :] = 0
    right[:, : columns[2 * len(columns) // 3]] = 0
    parts = [replace(found, likely=likely, rect=around(likely)) for likely in (left, right)]
    assert twice_odds(sight, parts[0], parts[1:], backpack) < TWICE


def around(likely):
    rows, columns = np.flatnonzero((likely > 0.5).any(axis=1)), np.flatnonzero((likely > 0.5).any(axis=0))
    left, top = int(columns[0]) * CELL, int(rows[0]) * CELL
    return Rect(left, top, (int(columns[-1]) + 1) * CELL - left, (int(rows[-1]) + 1) * CELL - top)


def test_somebody_else_in_the_same_clothes_is_noticed(classroom):
    mina, looks = classroom.scene.people["mina"], "Mina looks as in the reference picture."
    lens, stand = classroom.scene.lens, mina.stand
    turned = bearing((stand.x, stand.y), (lens.x, lens.y)) + 60  # her head follows what she looks at
    towards = replace(mina, stand=replace(stand, yaw=turned))
    other = recast(mina.look, prompts.CATALOG.entities["mina"], Dice("none", "another"))
    assert classroom.asked(classroom.drawn(classroom.scene.with_actor(towards)), looks) == ["PASS"]
    assert classroom.asked(classroom.drawn(classroom.scene.with_actor(replace(towards, look=other))), looks) == ["FAIL"]


def test_whoever_looks_away_is_known_too(classroom):
    mina, looks = classroom.scene.people["mina"], "Mina looks as in the reference picture."
    away = bearing((mina.stand.x, mina.stand.y), (classroom.scene.lens.x, classroom.scene.lens.y)) + 140
    turned = replace(mina, stand=replace(mina.stand, yaw=away), eyes="")
    other = replace(turned, look=recast(mina.look, prompts.CATALOG.entities["mina"], Dice("none", "another")))
    assert classroom.asked(classroom.drawn(classroom.scene.with_actor(turned)), looks) == ["PASS"]
    assert classroom.asked(classroom.drawn(classroom.scene.with_actor(other)), looks) == ["FAIL"]


@pytest.mark.parametrize("sharp", [False, True])
def test_every_look_tells_in_the_same_pixels_where_something_is(classroom, sharp):
    backpack = read_subjects(captions_of(prompts.CATALOG), classroom.references).things["red-backpack"]
    sight = Sight(0, 0.0, classroom.picture, sharp=sharp)
    found = search(sight, backpack.query, backpack.known)
    assert found.best.likely.shape == sight.grid
    left, top, width, height = truth_of(classroom.scene).box("red-backpack")
    x, y = found.best.rect.centre
    assert found.odds > 0
    assert abs(x / 512 - (left + width / 2)) < 0.03
    assert abs(y / 288 - (top + height / 2)) < 0.03


def test_a_closer_look_tells_a_thing_from_what_it_is_not(classroom):
    subjects = read_subjects(captions_of(prompts.CATALOG), classroom.references)
    backpack, mina = subjects.things["red-backpack"], subjects.people["mina"]
    sight = Sight(0, 0.0, classroom.picture, sharp=True)
    own = search(sight, backpack.query, backpack.known)
    hers = search(sight, mina.query, mina.known).best
    assert likeness_odds(sight, own.best, backpack)[0] > 0 > likeness_odds(sight, hers, backpack)[0]
    assert photo_odds(sight, own.best, backpack) > 0 > photo_odds(sight, hers, backpack)
    closer = looked_closer(sight, own, backpack)
    assert twice_odds(sight, closer.best, [], backpack) < TWICE
    assert closer.best.rect == own.best.rect
    assert closer.odds == closer.best.odds > own.odds


def test_every_look_finds_the_same_head(classroom):
    first, second = (find_crowd(Sight(0, 0.0, classroom.picture, sharp=sharp)).heads[0] for sharp in (False, True))
    assert (second.x, second.y) == pytest.approx((first.x, first.y), abs=6)
    assert (second.radius, second.figure) == pytest.approx((first.radius, first.figure), rel=0.2)


def test_a_landmark_is_seen_by_whoever_looks_at_it(classroom):
    place = place_of(classroom.scene.setting)
    board, empty = place.landmarks["blackboard"], replace(classroom.scene, actors=(), things=())
    x, y, z = station_of(place)
    yaw = bearing((x, y), (board.position[0], board.position[1]))
    labels = [
        classroom.asked(classroom.drawn(replace(empty, lens=Lens(x, y, z, turned, 0.0, 60.0))), BLACKBOARD)[0]
        for turned in (yaw, yaw + 180)
    ]
    assert labels == ["PASS", "FAIL"]


def test_a_stranger_is_counted(classroom):
    mina = classroom.scene.people["mina"]
    beside = Stand(mina.stand.x + 0.7, mina.stand.y, mina.stand.z, mina.stand.yaw)
    stranger = replace(mina, id="stranger", look=replace(mina.look, face=99), stand=beside)
    picture = classroom.drawn(classroom.scene.with_actor(stranger))
    assert classroom.asked(picture, NOBODY_ELSE) == ["FAIL"]


def test_an_empty_room_shows_nobody(classroom):
    picture = classroom.drawn(replace(classroom.scene, actors=(), things=()))
    assert classroom.asked(picture, MINA, "Nobody is in frame.") == ["FAIL", "PASS"]


def test_writing_is_found(classroom):
    picture = classroom.drawn(replace(classroom.scene, blemish=Blemish(text="SCENE ONE")))
    assert classroom.asked(picture, NO_TEXT) == ["FAIL"]


def test_free_text_is_not_judged(classroom):
    assert classroom.asked(classroom.picture, "The mood is one of quiet regret.") == ["UNKNOWN"]


def test_references_that_are_no_pictures_are_passed_over(classroom):
    room = caption(prompts.CATALOG.environments["classroom"])
    frames, asked = (Frame(0.0, classroom.picture),), (Statement("1", SETTING, "start"),)
    told = captions_of(prompts.CATALOG)
    broken = judge(JudgeRequest(frames, asked, (ReferenceImage(room, b"no picture"),), told))
    assert broken == judge(JudgeRequest(frames, asked, (), told))


def test_a_portrait_frame_is_looked_at_too(classroom):
    tall = Picture.from_bytes(classroom.picture).pixels[:, 300:705]
    assert len(classroom.asked(Picture(tall.copy()).to_png(), SETTING, NOBODY_ELSE)) == 2


def test_what_is_not_surely_seen_is_not_located(classroom):
    things = tuple(
        Statement(entity.id, caption(entity), "start")
        for entity in prompts.CATALOG.entities.values()
        if entity.kind == "prop"
    )
    empty = classroom.drawn(replace(classroom.scene, actors=(), things=()))
    boxes = locate(LocateRequest(empty, things))
    assert set(boxes) == {thing.id for thing in things}
    assert boxes["backpack"] is None


def test_without_a_sheet_somebody_is_not_called_missing(classroom):
    request = JudgeRequest(
        (Frame(0.0, classroom.picture),),
        (Statement("1", MINA, "start"), Statement("2", NOBODY_ELSE, "start")),
        (),
        captions_of(prompts.CATALOG),
    )
    assert "FAIL" not in [verdict.label for verdict in judge(request)]


def test_under_a_hat_that_is_said_to_be_worn_no_head_is_compared():
    subjects = read_subjects(("Mina (person): a student", "the blue helmet (thing): a blue helmet"), ())
    worn = parse("The blue helmet is worn by Mina.", subjects.catalog)
    assert Eye(subjects, (), [worn]).has_hat(0, "mina")
    assert not Eye(subjects, (), [parse("Mina is in frame.", subjects.catalog)]).hatted
