"""The light of a place shows in its pictures: four brightnesses and three tones, in their order."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest

from storyengine.previz.looks import LightLook, PlaceLook
from storyengine.previz.places import build_place
from storyengine.previz.render import Renderer, bake
from tests.previz.places.test_places import ROOM, YARD

pytestmark = pytest.mark.slow


@lru_cache
def _mean(look: PlaceLook, light: LightLook) -> np.ndarray:
    """Mean colour all around the middle of the place."""
    place = build_place(replace(look, light=light, fittings=("bench", "crates", "table", "pegs")), ("middle",), seed=1)
    x, y, _ = place.bounds.middle
    frame = Renderer(bake(place.room)).panorama((x, y, 1.5), width=512)
    assert frame.uncovered == 0
    return np.asarray(frame.pixels.reshape(-1, 3).mean(axis=0))


@pytest.mark.parametrize(("look", "source"), [(ROOM, "window"), (ROOM, "lamp"), (YARD, "sun")])
def test_brightnesses_are_plainly_different(look: PlaceLook, source: str) -> None:
    means = [float(_mean(look, LightLook(b, "neutral", source)).mean()) for b in ("dark", "dim", "even", "bright")]  # type: ignore[arg-type]
    for darker, brighter in pairwise(means):
        assert brighter > darker * 1.12, means


@pytest.mark.parametrize(("look", "source"), [(ROOM, "window"), (ROOM, "lamp"), (YARD, "sun")])
def test_tones_are_plainly_different(look: PlaceLook, source: str) -> None:
    means = [_mean(look, LightLook("even", t, source)) for t in ("cool", "neutral", "warm")]  # type: ignore[arg-type]
    ratios = [float(m[0] / m[2]) for m in means]
    for cooler, warmer in pairwise(ratios):
        assert warmer > cooler * 1.08, ratios
