"""From a state's words to axes."""

from __future__ import annotations

import pytest

from storyengine.previz.props import AXES, state_axes
from storyengine.previz.props.states import content_colour


@pytest.mark.parametrize(
    ("phrase", "axes"),
    [
        ("open", {"open": 1.0}),
        ("shut", {"open": 0.0}),
        ("closed", {"open": 0.0}),
        ("ajar", {"open": 0.4}),
        ("not open", {"open": 0.0}),
        ("thrown back", {"open": 1.0}),
        ("half full", {"fill": 0.5}),
        ("full to the brim", {"fill": 1.0}),
        ("heaped with flour", {"fill": 1.0}),
        ("empty", {"fill": 0.0}),
        ("raised", {"raised": 1.0}),
        ("lowered", {"raised": 0.0}),
        ("lit", {"lit": 1.0}),
        ("unlit", {"lit": 0.0}),
        ("out", {"lit": 0.0}),
        ("on", {"lit": 1.0}),
        ("switched off", {"lit": 0.0}),
        ("unpainted", {}),
        ("not varnished", {}),
        ("still unglazed", {}),
        ("broken", {"broken": 1.0}),
        ("mended", {"broken": 0.0, "mended": 1.0}),
        ("not yet mended", {"broken": 1.0, "mended": 0.0}),
        ("not yet turned", {"turned": 0.0}),
        ("not yet polished", {"dirty": 1.0}),
        ("not yet stirred", {}),
        ("shut but not locked", {"open": 0.0, "fastened": 0.0}),
        ("caked with mud", {"dirty": 1.0}),
        ("scrubbed clean", {"dirty": 0.0}),
        ("soaking wet", {"wet": 1.0}),
        ("dry", {"wet": 0.0}),
        ("wound", {"wound": 1.0}),
        ("unwound", {"wound": 0.0}),
        ("covered with seed", {"loaded": 1.0}),
        ("covered", {"covered": 1.0}),
        ("bare", {"loaded": 0.0}),
        ("laden with a cask", {"loaded": 1.0}),
        ("shut under seal", {"open": 0.0, "fastened": 1.0}),
        ("level on its wheels", {"tipped": 0.0}),
        ("standing on end", {"tipped": 1.0}),
        ("prised off", {"open": 1.0}),
        ("upright", {"tipped": 0.0, "turned": 0.0}),
        ("fully forward", {"turned": 1.0}),
        ("standing still", {"running": 0.0}),
        ("spinning", {"running": 1.0}),
    ],
)
def test_phrases(phrase: str, axes: dict[str, float]) -> None:
    assert state_axes(phrase) == axes
    assert set(axes) <= set(AXES)


def test_unknown_states_still_differ() -> None:
    one, other = state_axes("frobnicated"), state_axes("defrobnicated twice")
    assert set(one) == set(other) == {"mark"}
    assert one != other
    assert state_axes("frobnicated") == one
    assert state_axes("") == {}


def test_contents_have_their_colour() -> None:
    flour, coal = content_colour("heaped with flour"), content_colour("full of coal")
    assert flour is not None
    assert coal is not None
    assert min(flour) > 0.8 > max(coal)
    assert content_colour("full to the brim") is None
