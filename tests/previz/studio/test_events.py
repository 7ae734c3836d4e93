"""Events acted out: the scene after the last beat is what the prompt says of the end."""

import math
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest

from storyengine.language import HasAttribute, Placed, Present
from storyengine.language.sections import write_sections
from storyengine.plan import HeldBy, InContainer, InSceneZone, OnSurface
from storyengine.previz.studio.animator import Shot
from storyengine.previz.studio.compose import Shown, compose_opening
from storyengine.previz.studio.events import write_script
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.performance import action_for_words, timeline
from storyengine.previz.studio.reading import read_prompt
from storyengine.previz.studio.scene import Blemish, Scene
from storyengine.previz.studio.script import Script
from storyengine.previz.studio.staging import rest
from tests.previz.studio import prompts
from tests.previz.studio.test_compose import dice, opening

RELATIONS = {HeldBy: "held", InContainer: "in", OnSurface: "on"}


@lru_cache
def beats_of(shot: int, luck: Dice | None = None):
    return write_script(read_prompt(prompts.video(shot)), opening(shot), Shown(), luck or dice())


def satisfied(scene: Scene, claim) -> bool:
    match claim:
        case Placed(entity=entity, placement=placement) if type(placement) in RELATIONS:
            return scene.props[entity].relation == RELATIONS[type(placement)]
        case HasAttribute(entity=entity, attribute=attribute, value=value):
            return dict(scene.props[entity].states)[attribute] == value
        case Present(entity=entity):
            return entity in scene.people or (entity in scene.props and not scene.is_hidden(entity))
    return True


@pytest.mark.parametrize("shot", range(1, 7))
def test_the_last_scene_is_what_the_end_says(shot):
    request = read_prompt(prompts.video(shot))
    beats = beats_of(shot)
    last = beats[-1].after if beats else opening(shot)
    missed = [claim for claim in request.end if not satisfied(last, claim)]
    assert not missed


def test_a_locker_is_opened_filled_and_shut_in_this_order():
    kinds = [(beat.kind, beat.thing) for beat in beats_of(2) if beat.kind not in ("walk", "turn")]
    assert kinds == [("state", "grey-locker"), ("put", "red-backpack"), ("state", "grey-locker")]


def test_what_turns_up_when_a_door_opens_was_behind_it():
    first = beats_of(5)[0].before
    assert first.props["red-backpack"].target == "grey-locker"
    assert first.is_hidden("red-backpack")


def test_each_beat_begins_where_the_last_one_ended():
    for shot in range(1, 7):
        beats = beats_of(shot)
        assert all(a.after == b.before for a, b in pairwise(beats))


def test_an_omitted_action_changes_nothing():
    missed = next(
        luck
        for seed in range(400)
        if (luck := dice(seed, "high")).fails("omitted action", prompts.PLAN.shots[0].events[0].action)
    )
    beats = beats_of(1, missed)
    assert all(beat.after.props["red-backpack"].target == "wooden-desk" for beat in beats)


def test_a_timeline_fits_its_clip_and_never_stops_breathing():
    beats = beats_of(2)
    line = timeline(opening(2), beats, 4.0)
    assert line.ends[-1] < 4.0
    assert all(a <= b for a, b in zip(line.ends, line.starts[1:], strict=False))
    still = timeline(opening(3), (), 2.0)
    first, second = (still.moment(t)[1].bodies["mina"].stance for t in (0.2, 0.7))
    assert first.breath != second.breath


def test_hands_and_things_move_without_jumps():
    line = timeline(opening(1), beats_of(1), 4.0)
    places = [line.moment(k / 48)[1].things["red-backpack"].matrix[:, 3] for k in range(192)]
    assert max(float(abs(b - a).max()) for a, b in pairwise(places)) < 0.12


@pytest.mark.parametrize(
    ("words", "action"),
    [("hammers the nail", "hammer"), ("sweeps the floor", "sweep"), ("reads the letter", "read"),
     ("frobnicates", "reach"), ("waves", "wave"), ("Nothing changes; people breathe and look.", "look around")],
)  # fmt: skip
def test_verbs_find_their_action(words, action):
    assert action_for_words(words) == action


KITCHEN = {
    "PLACE": ["the kitchen (place; at the stove | by the sink; even warm light): white tiles"],
    "WHO AND WHAT": [
        "Ida (person): a cook in a white apron",
        "Jon (person): a boy in a green jumper",
        "the blue jug (thing): a blue jug",
    ],
}


def kitchen_beats(event: str, *end: str):
    shown = {
        "TASK": "Paint the opening picture of a shot.",
        **KITCHEN,
        "MUST SHOW": ["Ida is at the stove in the kitchen."],
    }
    start = compose_opening(read_prompt(write_sections(shown)), Shown(), dice())
    assert set(start.people) == {"ida"}
    asked = {"VIDEO TASK": "Animate it.", "EVENTS": [event], **KITCHEN, "AT THE END": list(end)}
    return write_script(read_prompt(write_sections(asked)), start, Shown(), dice())


def test_somebody_who_was_not_there_walks_in_with_what_they_hold():
    beats = kitchen_beats(
        "Jon walks in with the blue jug.", "Jon is by the sink in the kitchen.", "The blue jug is held by Jon."
    )
    assert [beat.kind for beat in beats][:2] == ["wait", "walk"]
    last = beats[-1].after
    assert last.people["jon"].zone == "by the sink"
    assert last.held_by("jon")[0].id == "blue-jug"


def test_somebody_who_is_absent_at_the_end_walks_out():
    beats = kitchen_beats("Ida leaves the kitchen.", "Ida is nowhere in frame.")
    assert beats[0].kind == "walk"
    assert beats[-1].after.people == {}


def test_a_frame_belongs_to_a_scene_as_soon_as_everything_is_where_it_stays():
    """The last frame of a clip that looks finished is finished, though a hand is still on its way back."""
    start, seconds, fps = opening(2), 6.0, 24
    line = timeline(start, beats_of(2), seconds)
    track = Shot(line, lambda t: start.lens, Blemish()).track(round(seconds * fps), fps)
    ends = [math.ceil(t * fps) for t, _ in line.scenes()]
    assert list(track.firsts) == sorted(set(track.firsts))
    assert any(first < end for first, end in zip(track.firsts, ends, strict=True))
    for first, scene in zip(track.firsts, track.scenes, strict=True):
        shown, there = line.moment(first / fps)[1].things, rest(scene).things
        assert shown.keys() == there.keys()
        assert all(np.allclose(shown[name].matrix, there[name].matrix, atol=0.02) for name in there)


def test_whoever_stands_at_a_thing_is_in_its_zone_if_that_is_where_they_are_going():
    scene, request = opening(2), read_prompt(prompts.video(2))
    zone = next(zone for zone in request.place.zones if zone.name == scene.zone_of("grey-locker"))
    there = Placed(entity="mina", placement=InSceneZone(environment=request.place.id, zone=zone.id))
    away = scene.with_actor(replace(scene.people["mina"], zone="in the doorway"))
    for end, where in (((there,), zone.name), ((), "in the doorway")):
        script = Script(replace(request, end=end), away, Shown(), dice())
        script.approach("mina", "grey-locker")
        assert script.scene.people["mina"].zone == where
