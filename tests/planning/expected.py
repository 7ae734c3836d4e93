"""The briefs that people wrote for these tests, and what a right plan of each one has to bear out.

`briefs/` and `held_out/` hold a brief and `facts` (see `facts.py`). `unplannable/` holds a brief that has no plan,
`why`, and `says`: words that the findings' messages, taken together, have to contain, in any case.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storyengine import documents
from storyengine.plan import SemanticPlan
from storyengine.request import StoryRequest

from .facts import film_of, holds_in

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Expected:
    """A brief with the facts that follow plainly from its text."""

    name: str
    request: StoryRequest
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Unplannable:
    """A brief that cannot be planned, and the words that tell a filmmaker so."""

    name: str
    request: StoryRequest
    says: tuple[str, ...]
    why: str


def _read(path: Path) -> tuple[StoryRequest, dict[str, Any]]:
    data = documents.parse(path.read_text(encoding="utf-8"), path.name).data
    return documents.validate(StoryRequest, documents.Document(path.name, data.pop("brief"))), data


def expected(folder: str) -> list[Expected]:
    found = [(path.stem, *_read(path)) for path in sorted((HERE / folder).glob("*.yaml"))]
    return [Expected(name, request, tuple(data["facts"])) for name, request, data in found]


def unplannable() -> list[Unplannable]:
    found = [(path.stem, *_read(path)) for path in sorted((HERE / "unplannable").glob("*.yaml"))]
    return [Unplannable(name, request, tuple(data["says"]), data["why"]) for name, request, data in found]


def wrong(plan: SemanticPlan, facts: tuple[str, ...]) -> dict[str, str]:
    """The facts that the plan does not bear out, each with what was found instead."""
    film = film_of(plan)
    answers = {fact: holds_in(fact, film) for fact in facts}
    return {fact: answer for fact, answer in answers.items() if isinstance(answer, str)}
