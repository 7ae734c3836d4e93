"""What `make`, `storyboard`, `redo` and `demo` share: making with consent asked on the terminal, and told there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from storyengine import making
from storyengine.change.record import Changes
from storyengine.cli.consent import agree
from storyengine.cli.telling import Teller
from storyengine.delivery import Film
from storyengine.making import Board, Making
from storyengine.plan import SemanticPlan
from storyengine.profile import Profile

__all__ = ["Board", "Making", "Teller", "board", "film", "how", "references"]


def how(
    profile: Profile,
    fallibility: str = "none",
    max_cost: int | None = None,
    *,
    repay: bool = False,
    yes: bool = False,
) -> Making:
    """Making as a command wants it; paid work is agreed to on the terminal, or with --yes."""

    def ask(said: str, who: str, instead: str) -> None:
        agree(said, who, yes=yes, instead=instead)

    return Making(profile, fallibility, max_cost, repay, ask)


def film(
    plan: SemanticPlan,
    folder: Path,
    how: Making,
    seed: int,
    console: Console,
    only: Sequence[int] = (),
    changes: Changes | None = None,
) -> Film:
    """Make a film and tell about it."""
    return making.film(plan, folder, how, seed=seed, narrator=Teller(plan, console), only=only, changes=changes)


def board(plan: SemanticPlan, folder: Path, how: Making, seed: int, console: Console) -> Board:
    """Paint the openings of a plan and tell about it."""
    return making.board(plan, folder, how, seed=seed, narrator=Teller(plan, console))


def references(plan: SemanticPlan, folder: Path, how: Making, seed: int, console: Console) -> Path:
    """Make only the canonical library and tell about it."""
    return making.references(plan, folder, how, seed=seed, narrator=Teller(plan, console))
