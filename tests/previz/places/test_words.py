"""Words name fittings; materials, adverbs and the place itself name none."""

from __future__ import annotations

import pytest

from storyengine.previz.appearance import place_look
from storyengine.previz.places import fitting_named, fittings_in


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("an old oak", "trees"),
        ("an old oak by the gate", "trees"),
        ("a birch tree", "trees"),
        ("under the pine", "conifers"),
        ("tall pines", "conifers"),
        ("a garden shed", "shed"),
        ("the shed door", "door"),
        ("a dry stone wall", "stone wall"),
        ("the old well", "well"),
        ("copper stills", "boiler"),
    ],
)
def test_words_name_their_fitting(text: str, kind: str) -> None:
    assert kind in fittings_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "an oak table and a pine bench",
        "oak-panelled walls",
        "a floor of polished oak.",
        "elm boards, larch posts",
        "thick stone walls",
        "a well-lit room, well swept",
        "the main room lies still",
        "forest green walls",
    ],
)
def test_materials_and_adverbs_are_no_fittings(text: str) -> None:
    wrong = {"trees", "conifers", "stone wall", "well", "pipes", "boiler", "shed"}
    assert not wrong & set(fittings_in(text))


def test_the_head_of_a_name_decides() -> None:
    assert fitting_named("shed door") == "door"
    assert fitting_named("barn window") is None
    assert fitting_named("oak table") == "table"


def test_a_place_that_is_a_shed_has_no_shed_in_it() -> None:
    look = place_look("boat shed", "a long timber shed with stone walls and an oak bench", "even daylight")
    assert not look.outdoor
    assert "shed" not in look.fittings
    assert "trees" not in look.fittings
    yard = place_look("the shed yard", "a cobbled yard with a fence and a pump", "bright sun")
    assert yard.outdoor
