"""What the grade asks: only what somebody could tell by looking."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from storyengine.language import Changes, Happens, Placed
from storyengine.plan import Event, InSceneZone
from storyengine.plan import Place as Places
from storyengine.previz.grading.labels import Shown, Take
from storyengine.previz.studio.scene import Scene
from storyengine.previz.studio.staging import rest
from tests.previz.studio import prompts
from tests.previz.studio.test_compose import faultless

DESKS, DOOR = "desks", "doorway"


def in_zone(zone: str) -> Placed:
    return Placed(entity="mina", placement=InSceneZone(environment="classroom", zone=zone))


GOES = Event(
    action="Mina walks to the door.",
    actors=("mina",),
    effects=(Places(entity="mina", placement=in_zone(DOOR).placement),),
)
LEAVES = Changes(before=in_zone(DESKS), after=in_zone(DOOR))


def frame(scene: Scene) -> Shown:
    """A frame of which only the scene matters, with everybody in view."""
    assert scene.lens is not None
    drawn = Shown(scene, rest(scene), scene.lens, np.zeros((9, 16), np.int32), np.zeros((9, 16, 3), np.uint8))
    ids = np.full((9, 16), drawn.named["mina"], np.int32)
    return replace(drawn, ids=ids)


def walk(metres: float, zone: str, omitted: bool = False) -> Take:
    first = faultless(1)
    assert first.setting is not None
    mina = first.people["mina"]
    name = next(z.name for z in prompts.CATALOG.environments["classroom"].zones if z.id == zone)
    stand = replace(mina.stand, x=mina.stand.x + metres)
    last = first.with_actor(replace(mina, stand=stand, zone=name))
    return Take((frame(first), frame(last)), prompts.CATALOG, first.setting, {}, "still", frozenset(), (GOES,), omitted)


def test_a_walk_to_where_it_was_meant_to_go_is_true() -> None:
    take = walk(1.5, DOOR)
    assert take.label(LEAVES, "motion") is True
    assert take.label(Happens(action=GOES.action), "motion") is True


def test_nobody_can_tell_into_which_part_of_the_place_somebody_walked() -> None:
    assert walk(1.5, DESKS).label(LEAVES, "motion") is None
    assert walk(1.5, DESKS, omitted=True).label(Happens(action=GOES.action), "motion") is None


def test_a_step_is_no_walk_and_no_standstill() -> None:
    assert walk(0.3, DOOR).label(LEAVES, "motion") is None


def test_who_stays_where_they_are_has_not_gone() -> None:
    take = walk(0.0, DESKS, omitted=True)
    assert take.label(LEAVES, "motion") is False
    assert take.label(Happens(action=GOES.action), "motion") is False
