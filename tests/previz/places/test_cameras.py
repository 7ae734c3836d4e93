"""Cameras show what they must, from where they may stand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from storyengine.errors import InputError
from storyengine.previz.places import PlaceModel, build_place, camera_for, stations
from tests.previz.places.test_places import ROOM, YARD, ZONES


@pytest.fixture(scope="module", params=["room", "yard"])
def place(request: pytest.FixtureRequest) -> PlaceModel:
    return build_place(ROOM if request.param == "room" else YARD, ZONES, seed=4)


def _people(place: PlaceModel, zone: str) -> list[tuple[float, float, float]]:
    spot = place.spots[zone]
    return [(p[0], p[1], z) for p in (spot.position, spot.partner) for z in (0.9, 1.7)]


@pytest.mark.parametrize("framing", ["wide", "medium", "tight"])
@pytest.mark.parametrize("zone", ZONES)
def test_subjects_are_in_the_picture(place: PlaceModel, zone: str, framing: str) -> None:
    subjects = _people(place, zone)
    seen = camera_for(place, subjects, framing).project(np.array(subjects), 1280, 720)  # type: ignore[arg-type]
    assert (seen[:, 2] > 0.5).all()
    assert (seen[:, 0] > 0).all()
    assert (seen[:, 0] < 1280).all()
    assert (seen[:, 1] > 0).all()
    assert (seen[:, 1] < 720).all()


def test_tighter_framings_show_people_larger(place: PlaceModel) -> None:
    subjects = _people(place, ZONES[0])
    heights = []
    for framing in ("wide", "medium", "tight"):
        seen = camera_for(place, subjects, framing).project(np.array(subjects), 1280, 720)  # type: ignore[arg-type]
        heights.append(float(np.ptp(seen[:, 1])))
    assert heights[0] < heights[1] < heights[2]


def test_shots_of_one_place_stand_apart_and_are_repeatable(place: PlaceModel) -> None:
    used: list[tuple[float, float, float]] = []
    for zone in (ZONES[0], ZONES[1], ZONES[0], ZONES[0]):
        camera = camera_for(place, _people(place, zone), "medium", avoid=used)
        assert all(math.dist(camera.station, other) >= 0.5 for other in used)
        used.append(camera.station)
    assert camera == camera_for(place, _people(place, ZONES[0]), "medium", avoid=used[:-1])


def test_a_facing_keeps_the_camera_before_the_face(place: PlaceModel) -> None:
    spot = place.spots[ZONES[1]]
    away_from_wall = (spot.facing + 180) % 360
    camera = camera_for(place, _people(place, ZONES[1]), "medium", facing=away_from_wall)
    bearing = math.degrees(math.atan2(camera.station[0] - spot.position[0], camera.station[1] - spot.position[1]))
    assert abs((bearing - away_from_wall + 180) % 360 - 180) < 75


def test_stations_are_inside_and_see_their_zone(place: PlaceModel) -> None:
    low, high = place.bounds.low, place.bounds.high
    assert len(stations(place)) > 20
    for zone in ZONES:
        found = stations(place, zone)
        assert len(found) >= 4
        for x, y, _ in found:
            assert low[0] <= x <= high[0]
            assert low[1] <= y <= high[1]
            assert math.dist((x, y), place.spots[zone].position[:2]) >= 1.6


def test_mistakes_are_named(place: PlaceModel) -> None:
    with pytest.raises(InputError, match="at least one subject"):
        camera_for(place, [])
    with pytest.raises(InputError, match="wide, medium, tight"):
        camera_for(place, [(1, 1, 1)], "panoramic")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="by the stove"):
        stations(place, "nowhere")
