"""The renderer's truth, which only grading may ask."""

from dataclasses import replace

import numpy as np
import pytest

from storyengine.language import Absent, HasAttribute, OnlyPeople, Placed, Present, Single
from storyengine.plan import InContainer, OnSurface
from storyengine.previz.studio.compose import Shown, compose_opening
from storyengine.previz.studio.events import write_script
from storyengine.previz.studio.reading import read_prompt
from storyengine.previz.studio.truth import AGAIN, holds, truth_of
from tests.previz.studio import prompts
from tests.previz.studio.test_compose import GIVEN, dice


def opening(shot):
    return compose_opening(read_prompt(prompts.opening_without_camera(shot)), GIVEN, dice())


@pytest.mark.slow
def test_the_truth_of_an_opening_and_of_an_end():
    request = read_prompt(prompts.video(2))
    catalog = request.catalog
    start = opening(2)
    shut = HasAttribute(entity="grey-locker", attribute="door", value="shut")
    claims = [
        Present(entity="red-backpack"), Absent(entity="green-notebook"), shut, OnlyPeople(entities=("mina",)),
        Placed(entity="red-backpack", placement=InContainer(container="grey-locker")),
    ]  # fmt: skip
    seen = truth_of(start)
    assert [holds(claim, seen, catalog) for claim in claims] == [True, True, True, True, False]
    end = write_script(request, start, Shown(), dice())[-1].after
    seen = truth_of(end)
    # Hidden in a shut locker: no picture shows that it is in there.
    assert [holds(claim, seen, catalog) for claim in claims] == [False, True, True, True, False]


@pytest.mark.slow
def test_a_thing_on_a_desk_is_seen_on_it():
    catalog = read_prompt(prompts.opening(1)).catalog
    claim = Placed(entity="red-backpack", placement=OnSurface(surface="wooden-desk"))
    found = truth_of(opening(1))
    assert found.shares["mina"] > 0.01
    assert holds(claim, found, catalog) is True


@pytest.mark.slow
def test_a_second_one_that_hardly_shows_is_nobodys_to_count():
    catalog, scene = read_prompt(prompts.opening(1)).catalog, opening(1)
    only = Single(entity="red-backpack")
    twin = replace(scene.props["red-backpack"], id="red-backpack" + AGAIN, slot=0.8)
    assert holds(only, truth_of(scene), catalog) is True
    found = truth_of(scene.with_thing(twin))
    assert holds(only, found, catalog) is False
    pixels = np.flatnonzero(found.ids == found.named[twin.id])
    ids = found.ids.copy()
    ids.ravel()[pixels[len(pixels) // 10 :]] = 0
    assert holds(only, replace(found, ids=ids), catalog) is None
    ids.ravel()[pixels] = 0
    assert holds(only, replace(found, ids=ids), catalog) is True
