"""Places by parallax: two views of one place match geometrically, views of two different places do not.

    python benchmarks/places.py [--rooms 100] [--seed 7] [--twins 20]

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

from storyengine.previz.looks import LightLook, PlaceLook, SurfaceLook
from storyengine.previz.places import FITTINGS, PlaceModel, build_place, camera_for
from storyengine.previz.render import Camera, Renderer, View, bake

WIDTH, HEIGHT = 1280, 720
INLIERS, CELLS, PLANAR = 15, 3, 0.85
WALLS = ("plaster", "brick", "stone", "tiles", "cladding", "panelling", "concrete", "metal", "corrugated", "wallpaper")
FLOORS = ("planks", "tiles", "chequer", "parquet", "concrete", "stone", "cobbles", "earth", "metal")
GROUNDS = ("grass", "gravel", "cobbles", "earth", "asphalt", "concrete")
OPEN = ("edge", "beyond")


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--twins", type=int, default=20)
    asked = parser.parse_args()
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
        if before is not None:
            strangers += not verified(before, first)[0]
        opening = opening or first
        before = first
        if number < asked.twins:
            twins += not verified(first, shots(look, 1)[0])[0]
        where = "open" if look.outdoor else "room"
        mark = "verified" if good else "NOT verified"
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
