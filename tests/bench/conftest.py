"""Real stories to break: each test takes one, changes one thing and expects the check to notice."""

import pytest

from storyengine.bench.story import Story, load_story, stories


@pytest.fixture(scope="session")
def n20() -> Story:
    return load_story("n20-bakehouse-peel-rack")


@pytest.fixture(scope="session")
def t20() -> Story:
    return load_story("t20-glassworks-annealing-lehr")


@pytest.fixture(scope="session")
def c20() -> Story:
    return load_story("c20-bell-ringer")


@pytest.fixture(scope="session")
def everything() -> tuple[Story, ...]:
    return stories()
