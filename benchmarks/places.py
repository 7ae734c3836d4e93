"""Places by parallax: two views of one place match geometrically, views of two different places do not.

    python benchmarks/places.py [--rooms 100] [--seed 7] [--twins 20]
    python benchmarks/places.py --sheet docs/images/previz-places.jpg      # only draws twelve workplaces

The test is that of geometric place consistency: at most 2000 SIFT keypoints, ratio 0.75 with one match per keypoint,
a fundamental matrix and a homography by USAC-MAGSAC at 3 pixels. A pair verifies with at least 15 inliers in at least
3 of 4 × 4 cells, fewer than 85 % of them on one homography. The bar: two views of one place at least 0.5 m apart verify
in at least 95 of 100 places; views of two different places fail in at least 95 of 100. `twins` are places of one
description laid out with another seed: the hardest strangers, reported and not part of the bar.
"""

import argparse
import json
import math
import time
from dataclasses import dataclass

import cv2
import numpy as np

from storyengine.previz.appearance import person_look, place_look
from storyengine.previz.figures import Figure, Stance, pose_instances, solve
from storyengine.previz.looks import LightLook, PlaceLook, SurfaceLook
from storyengine.previz.places import FITTINGS, PlaceModel, build_place, camera_for
from storyengine.previz.render import Camera, Instance, Renderer, View, bake

WIDTH, HEIGHT = 1280, 720
INLIERS, CELLS, PLANAR = 15, 3, 0.85
WALLS = ("plaster", "brick", "stone", "tiles", "cladding", "panelling", "concrete", "metal", "corrugated", "wallpaper")
FLOORS = ("planks", "tiles", "chequer", "parquet", "concrete", "stone", "cobbles", "earth", "metal")
GROUNDS = ("grass", "gravel", "cobbles", "earth", "asphalt", "concrete")
OPEN = ("edge", "beyond")


WORKPLACES = (
    ("bakehouse", "low whitewashed bakehouse with a brick oven, quarry-tile floor, a long table, flour sacks, shelves",
     "low amber lamplight, dim, warm", ("at the oven", "by the table")),
    ("forge", "smithy with dark stone walls, packed earth floor, heavy tie beams, a furnace, a workbench, barrels",
     "low orange glow of the furnace fire, dark, warm", ("before the furnace", "around the anvil")),
    ("signal room", "a timber room with cream panelling, board floor, a switchboard, lockers, a clock, a stove",
     "bright cool daylight through windows, bright, cool", ("at the switchboard", "by the stove")),
    ("classroom", "a classroom with pale green plaster walls, parquet floor, a blackboard, desks, bookshelves, a plant",
     "plain even daylight, even, neutral", ("at the desk", "by the bookshelf")),
    ("boiler room", "a brick boiler room with a concrete floor, two boilers, pipes along the wall, tanks, a tool rack",
     "hard lamp light, dim, neutral", ("at the boiler", "by the gauge")),
    ("weaving mill", "a tall mill hall with whitewashed brick walls, plank floor, iron columns, looms, baskets",
     "broad white daylight from a glazed roof, bright, neutral", ("at the loom", "by the columns")),
    ("brewery", "white-tiled walls, a grey stone floor, copper vats, casks, sinks, pipes",
     "even daylight through windows, even, neutral", ("at the vat", "by the casks")),
    ("library", "a library with dark panelling, parquet floor, bookshelves, a desk, a fireplace, a rug, pictures",
     "warm lamplight, even, warm", ("at the desk", "by the bookshelf")),
    ("quay", "a cobbled quay with bollards, a boat, crates and barrels, a shed",
     "overcast light, even, cool", ("at the edge", "by the boat")),
    ("orchard", "an orchard of trees on grass with a fence, a shed, baskets and a ladder",
     "bright sunny morning, bright, warm", ("by the ladder", "by the baskets")),
    ("market yard", "an open-air market in a cobbled yard with stalls, a well, lamp posts, brick walls",
     "late golden sun, even, warm", ("at the stall", "by the well")),
    ("railway yard", "a cinder yard beside the railway tracks with a brick wall, a woodpile, posts, a lamp post",
     "moonlight, dark, cool", ("by the tracks", "at the lamp post")),
)  # fmt: skip
"""Name, look, light and zones of twelve places that should look like twelve places."""
PEOPLE = (
    (
        "a woman with a brown bun in a mustard smock, grey skirt and boots",
        "a broad man in a navy jumper, grey trousers",
    ),
    ("a man in a white shirt, brown leather apron and cap", "a young woman in a red jacket and blue trousers"),
)


@dataclass(frozen=True)
class Features:
    """Keypoints of one picture."""

    points: np.ndarray
    descriptors: np.ndarray


def random_look(random: np.random.Generator) -> PlaceLook:
    """Any place: four of five are rooms."""
    outdoor = bool(random.random() < 0.2)
    kinds = [f.name for f in FITTINGS.values() if outdoor or f.mount not in OPEN]
    size = random.uniform((9, 8, 3), (14, 12, 4)) if outdoor else random.uniform((5.4, 4.8, 2.6), (9.0, 7.0, 3.8))

    def surface(patterns: tuple[str, ...]) -> SurfaceLook:
        r, g, b = random.uniform(0.3, 0.85) + random.uniform(-0.08, 0.08, 3)
        return SurfaceLook(patterns[int(random.integers(len(patterns)))], (float(r), float(g), float(b)))

    light = LightLook(
        brightness=("dim", "even", "bright")[int(random.integers(3))],
        tone=("cool", "neutral", "warm")[int(random.integers(3))],
        source=("sun", "overcast")[int(random.integers(2))] if outdoor else ("window", "lamp")[int(random.integers(2))],
    )
    return PlaceLook(
        outdoor, surface(WALLS), surface(GROUNDS if outdoor else FLOORS), surface(("plaster", "planks")),
        *(float(s) for s in size), light, tuple(str(k) for k in random.choice(kinds, 6, replace=False)),
        ("hills", "trees", "roofs", "works", "sea")[int(random.integers(5))], int(random.integers(1 << 30)),
    )  # fmt: skip


def two_cameras(place: PlaceModel) -> tuple[Camera, Camera]:
    """A wide and a medium shot of one zone, as a film would cut them."""
    spot = next(iter(place.spots.values()))
    subjects = [(*p[:2], z) for p in (spot.position, spot.partner) for z in (0.3, 1.7)]
    first = camera_for(place, subjects, "wide")
    return first, camera_for(place, subjects, "medium", avoid=(first.station,))


def features(pixels: np.ndarray) -> Features:
    points, descriptors = cv2.SIFT_create(2000).detectAndCompute(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), None)
    if descriptors is None:
        return Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32))
    return Features(np.array([p.pt for p in points[:2000]]), descriptors[:2000])


def verified(a: Features, b: Features) -> tuple[bool, int]:
    """Whether two pictures show one place, and the inliers of the fundamental matrix."""
    if len(a.points) < 8 or len(b.points) < 8:
        return False, 0
    pairs = cv2.BFMatcher().knnMatch(a.descriptors, b.descriptors, k=2)
    passed = [m for m, n in pairs if m.distance < 0.75 * n.distance]
    # A keypoint is the same as one other at most: many matches onto one point would fit any epipolar geometry.
    nearest = {m.trainIdx: m for m in sorted(passed, key=lambda m: -m.distance)}
    good = list(nearest.values())
    if len(good) < 8:
        return False, 0
    p, q = a.points[[m.queryIdx for m in good]], b.points[[m.trainIdx for m in good]]
    _, mask = cv2.findFundamentalMat(p, q, cv2.USAC_MAGSAC, 3.0, 0.999, 10_000)
    if mask is None:
        return False, 0
    inside = mask.ravel() > 0
    count = int(inside.sum())
    _, flat = cv2.findHomography(p, q, cv2.USAC_MAGSAC, 3.0, maxIters=10_000, confidence=0.999)
    planar = 0 if flat is None else int((inside & (flat.ravel() > 0)).sum())
    cells = {(int(x * 4 / WIDTH), int(y * 4 / HEIGHT)) for x, y in p[inside]}
    return count >= INLIERS and len(cells) >= CELLS and planar < PLANAR * count, count


def shots(look: PlaceLook, seed: int) -> tuple[Features, Features, float]:
    place = build_place(look, ("at the first", "by the second"), seed=seed)
    renderer = Renderer(bake(place.room))
    first, second = two_cameras(place)
    pictures = [renderer.draw(View(camera), WIDTH, HEIGHT).pixels for camera in (first, second)]
    return features(pictures[0]), features(pictures[1]), math.dist(first.station, second.station)


def workplace(number: int, width: int = 640, height: int = 360) -> np.ndarray:
    """One of the twelve, with two people in its first zone."""
    name, look, light, zones = WORKPLACES[number]
    place = build_place(place_look(name, look, light), zones, seed=number)
    spot = place.spots[zones[0]]
    people: list[Instance] = []
    turns = (spot.facing + 145, spot.facing - 100)
    for k, (at, yaw) in enumerate(zip((spot.position, spot.partner), turns, strict=True)):
        figure = Figure.build(person_look(f"person {number} {k}", PEOPLE[number % 2][k]))
        people += pose_instances(figure, solve(figure, Stance()), at, yaw, id=10 + k)
    subjects = [(*p[:2], z) for p in (spot.position, spot.partner) for z in (0.1, 1.75)]
    camera = camera_for(place, subjects, "wide", facing=(spot.facing + 180) % 360)
    return Renderer(bake(place.room)).draw(View(camera, tuple(people)), width, height).pixels


def draw_sheet(path: str) -> None:
    pictures = [workplace(number) for number in range(len(WORKPLACES))]
    rows = [np.hstack(pictures[k : k + 3]) for k in range(0, len(pictures), 3)]
    cv2.imwrite(path, np.vstack(rows)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 88])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--twins", type=int, default=20)
    parser.add_argument("--sheet", help="draw twelve workplaces into this file and stop")
    asked = parser.parse_args()
    if asked.sheet:
        draw_sheet(asked.sheet)
        print(json.dumps({"name": "places", "sheet": asked.sheet, "ok": True}))
        return
    random = np.random.default_rng(asked.seed)
    looks = [random_look(random) for _ in range(asked.rooms)]
    same, strangers, twins, nearest = 0, 0, 0, math.inf
    before: Features | None = None
    opening: Features | None = None
    counts = []
    start = time.perf_counter()
    for number, look in enumerate(looks):
        first, second, apart = shots(look, 0)
        good, count = verified(first, second)
        same += good
        counts.append(count)
        nearest = min(nearest, apart)
        alike = before is not None and verified(before, first)[0]
        strangers += before is not None and not alike
        opening = opening or first
        before = first
        if number < asked.twins:
            twins += not verified(first, shots(look, 1)[0])[0]
        where = "open" if look.outdoor else "room"
        mark = ("verified" if good else "NOT verified") + (", TAKEN FOR THE ONE BEFORE" if alike else "")
        print(
            f"{number:3} {where} {look.walls.pattern:>10} on {look.floor.pattern:<9} {count:4} inliers  {mark}",
            flush=True,
        )
    if before is not None and opening is not None and asked.rooms > 1:
        strangers += not verified(before, opening)[0]
    number_of_twins = min(asked.twins, asked.rooms)
    print(f"one place, two views at least {nearest:.2f} m apart: {same} of {asked.rooms} verify")
    print(f"two different places: {strangers} of {asked.rooms} fail")
    print(f"twins (one description, two layouts): {twins} of {number_of_twins} fail")
    print(f"median inliers of one place: {int(np.median(counts))}; {time.perf_counter() - start:.0f} s")
    print(
        json.dumps(
            {
                "name": "places",
                "places": asked.rooms,
                "same_verified": same,
                "different_failed": strangers,
                "twins": number_of_twins,
                "twins_failed": twins,
                "median_inliers": int(np.median(counts)),
                "least_apart_m": round(nearest, 2),
                "ok": same >= 0.95 * asked.rooms and strangers >= 0.95 * asked.rooms and nearest >= 0.5,
            }
        )
    )


if __name__ == "__main__":
    main()
