"""Places are laid out deterministically, keep their stage clear, and have what their words name."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from storyengine.previz.looks import LightLook, PlaceLook, SurfaceLook
from storyengine.previz.places import FITTINGS, PlaceModel, build_place, fitting_named, fittings_in
from storyengine.previz.places.assembly import FIRST_NUMBER
from storyengine.previz.places.model import Obstacle
from storyengine.previz.places.tones import tones_of
from storyengine.previz.render import PATTERNS, fingerprint

ROOM = PlaceLook(
    outdoor=False,
    walls=SurfaceLook("plaster", (0.80, 0.76, 0.68)),
    floor=SurfaceLook("planks", (0.56, 0.44, 0.32)),
    ceiling=SurfaceLook("plaster", (0.86, 0.84, 0.79)),
    width=6.4,
    depth=5.2,
    height=3.0,
    light=LightLook("even", "warm", "window"),
    fittings=("workbench", "shelves", "tool rack", "barrels", "stove", "beams"),
    seed=3,
)
YARD = replace(
    ROOM,
    outdoor=True,
    floor=SurfaceLook("cobbles", (0.5, 0.5, 0.48)),
    width=12.0,
    depth=10.0,
    light=LightLook("bright", "neutral", "sun"),
    fittings=("fence", "trees", "shed", "crates", "lamp post"),
)
ZONES = ("at the bench", "by the stove", "under the clock", "by the door")
LANDMARKS = (
    ("clock", "wall clock", "a round clock", "under the clock"),
    ("bell", "brass bell", "a big brass bell on a bracket"),
    ("beams", "tie beams", "heavy oak beams"),
)


@pytest.mark.parametrize("look", [ROOM, YARD], ids=["room", "yard"])
def test_the_same_words_give_the_same_place_and_another_seed_another(look: PlaceLook) -> None:
    first, again, other = (build_place(look, ZONES, LANDMARKS, seed=seed) for seed in (5, 5, 6))
    assert fingerprint(first.room) == fingerprint(again.room)
    assert first.spots == again.spots
    assert first.landmarks == again.landmarks
    assert fingerprint(first.room) != fingerprint(other.room)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("look", [ROOM, YARD, replace(ROOM, width=3.0, depth=2.0)], ids=["room", "yard", "closet"])
def test_every_zone_has_clear_floor_for_two_people_and_a_site(look: PlaceLook, seed: int) -> None:
    place = build_place(look, ZONES, LANDMARKS, seed=seed)
    assert set(place.spots) == set(ZONES)
    for spot in place.spots.values():
        assert math.isclose(math.dist(spot.position, spot.partner), 0.9, abs_tol=1e-6)
        for person in (spot.position, spot.partner):
            assert _inside(place, person), spot
            assert _clearance(place, person) > 0.25, spot
        assert _clearance(place, spot.sites[0].position) > 0.3, "the site at the wall is free"


@pytest.mark.parametrize("seed", range(4))
def test_equipment_stands_inside_the_room_and_not_in_itself(seed: int) -> None:
    place = build_place(ROOM, ZONES[:2], seed=seed)
    low, high = place.room.bounds()
    standing = [o for o in place.obstacles if o.low < 0.1]
    for one in standing:
        for corner in _corners(one):
            assert low[0] - 0.02 <= corner[0] <= high[0] + 0.02, one
            assert low[1] - 0.02 <= corner[1] <= high[1] + 0.02, one
    for i, one in enumerate(standing):
        for other in standing[:i]:
            assert not _overlap(one, other), (one, other)


def test_landmarks_are_where_their_zone_is_and_numbered() -> None:
    place = build_place(ROOM, ZONES, LANDMARKS, seed=2)
    assert set(place.landmarks) == {"clock", "bell", "beams"}
    numbers = [landmark.number for landmark in place.landmarks.values()]
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) > FIRST_NUMBER
    drawn = {box.id for box in place.room.boxes} | {thing.id for thing in place.room.fittings}
    assert set(numbers) <= drawn
    clock, zone = place.landmarks["clock"], place.spots["under the clock"]
    assert math.dist(clock.position[:2], zone.position[:2]) < 3.5
    assert clock.box.low[2] > 1.2


def test_windows_can_be_landmarks() -> None:
    place = build_place(ROOM, ZONES[:1], (("tall", "tall windows", "three iron-framed windows"),), seed=1)
    window = place.landmarks["tall"]
    assert window.number in {pane.id for pane in place.room.windows}
    assert 0.9 < window.box.low[2] < window.box.high[2] < ROOM.height


def test_many_zones_make_the_room_grow() -> None:
    names = tuple(f"zone {k}" for k in range(9))
    place = build_place(ROOM, names)
    assert set(place.spots) == set(names)
    spots = [spot.position for spot in place.spots.values()]
    nearest = min(math.dist(a, b) for i, a in enumerate(spots) for b in spots[:i])
    assert nearest > 0.9


def test_a_place_without_zones_has_a_middle() -> None:
    assert list(build_place(ROOM, ()).spots) == ["middle"]


@pytest.mark.parametrize("kind", sorted(FITTINGS))
def test_every_fitting_fits_the_room_it_asks_for(kind: str) -> None:
    fitting = FITTINGS[kind]
    random = np.random.default_rng(4)
    for width in (fitting.least, fitting.most):
        piece = fitting.build(random, tones_of(random), width)
        assert piece.boxes or piece.meshes
        points = [part.mesh.vertices for part in piece.meshes]
        reach = max((float(np.abs(p[:, 0]).max()) for p in points), default=0.0)
        if fitting.mount in ("wall", "corner", "hung"):
            assert piece.width <= fitting.most + 0.7
            assert reach <= piece.width / 2 + 0.35, "nothing sticks far out of its footprint"
        for box in piece.boxes:
            assert box.material.pattern in PATTERNS
            assert min(box.size) > 0


def test_there_are_enough_kinds_of_equipment() -> None:
    inside = [f for f in FITTINGS.values() if f.mount in ("wall", "corner", "hung", "ceiling", "floor")]
    outside = [f for f in FITTINGS.values() if f.mount in ("edge", "beyond")]
    assert len(inside) >= 25
    assert len(outside) >= 8


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("a row of dented lockers", "lockers"),
        ("under the wall pegs", "pegs"),
        ("heavy tie beams", "beams"),
        ("black spruces", "conifers"),
        ("a gas lamp", "lamp post"),
        ("dark wood panelling", None),
        ("", None),
        ("ящик 箱", None),
    ],
)
def test_words_name_equipment(words: str, kind: str | None) -> None:
    assert fitting_named(words) == kind


def test_all_equipment_of_a_description_in_its_order() -> None:
    text = "a brick oven, a long table, flour sacks and shelves"
    assert fittings_in(text) == ("oven", "table", "sacks", "shelves")


def test_all_named_words_are_equipment() -> None:
    from storyengine.previz.appearance.fittings import NAMES

    assert set(NAMES) <= set(FITTINGS)


def _inside(place: PlaceModel, point: tuple[float, float, float]) -> bool:
    low, high = place.bounds.low, place.bounds.high
    return low[0] <= point[0] <= high[0] and low[1] <= point[1] <= high[1]


def _local(obstacle: Obstacle, point: tuple[float, ...]) -> tuple[float, float]:
    a = math.radians(obstacle.yaw)
    x, y = point[0] - obstacle.middle[0], point[1] - obstacle.middle[1]
    return x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)


def _clearance(place: PlaceModel, point: tuple[float, float, float]) -> float:
    """Distance from the nearest thing that stands on the floor."""
    nearest = math.inf
    for obstacle in place.obstacles:
        if obstacle.low > 1.9:
            continue
        x, y = _local(obstacle, point)
        nearest = min(nearest, math.hypot(max(abs(x) - obstacle.half[0], 0), max(abs(y) - obstacle.half[1], 0)))
    return nearest


def _corners(obstacle: Obstacle) -> list[tuple[float, float]]:
    a = math.radians(-obstacle.yaw)
    out = []
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * obstacle.half[0], sy * obstacle.half[1]
            turned = (x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a))
            out.append((obstacle.middle[0] + turned[0], obstacle.middle[1] + turned[1]))
    return out


def _overlap(one: Obstacle, other: Obstacle) -> bool:
    """Walls are square to each other, so comparing bounds is exact."""
    a, b = np.array(_corners(one)), np.array(_corners(other))
    gap = np.maximum(a.min(axis=0) - b.max(axis=0), b.min(axis=0) - a.max(axis=0))
    return bool(gap.max() < -0.02)
