"""Two small films to report on: one where much goes wrong, and one where nothing does."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from storyengine.backends import Box
from storyengine.continuity.shooting import Take
from storyengine.plan import SemanticPlan
from storyengine.runs.project import Project
from tests.film.small_crew import SmallAnimator, SmallJudge
from tests.film.test_pipeline import PLAN, make

HELD = "The green notebook is held by Mina."
LOCKED = "The red backpack is nowhere in frame."


@dataclass(frozen=True)
class Made:
    folder: Path
    plan: SemanticPlan
    takes: tuple[Take, ...]

    def read(self, digest):
        with Project(self.folder) as project:
            return project.store.get(digest)


def wordy(verdicts, again):
    """Evidence as a judge gives it: a sentence, and for some a frame and a box."""
    return tuple(
        replace(
            verdict,
            evidence=f"{verdict.id}: the shape & colour at the left <edge> are as they are described, 0.{number:02d}",
            frame=number % 8 if number % 2 else None,
            box=Box(0.1, 0.2, 0.3, 0.4) if number % 4 == 1 else None,
        )
        for number, verdict in enumerate(verdicts)
    )


def opinion(text, request, asked):
    if text == HELD:
        return "FAIL"
    return "UNKNOWN" if text == LOCKED and len(request.frames) == 1 and asked <= 2 else "PASS"


@pytest.fixture(scope="session")
def rough(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rough")
    breaking = SmallAnimator(
        refuses=lambda request: "pats her pockets" in request.prompt,
        breaks=lambda request: "puts the red backpack into" in request.prompt,
    )
    film, *_ = make(folder, animator=breaking, judge=SmallJudge(opinion, wordy))
    return Made(folder, PLAN, film.takes)


@pytest.fixture(scope="session")
def smooth(tmp_path_factory):
    folder = tmp_path_factory.mktemp("smooth")
    film, *_ = make(folder)
    return Made(folder, PLAN, film.takes)
