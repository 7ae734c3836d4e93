"""What `make`, `storyboard`, `redo` and `demo` share: making with consent asked on the terminal, and told there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from storyengine import making
from storyengine.change.record import Changes
from storyengine.cli.consent import agree
from storyengine.continuity.gate import Mode
from storyengine.continuity.narration import Drafted, Gated, Opened, Shot, ShotBegins, Stage, Told, Wrapped
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


class Teller:
    """Tells on the terminal what each shot must keep true, which mistakes were caught, and what was repaired."""

    def __init__(self, plan: SemanticPlan, console: Console) -> None:
        self._plan = plan
        self._console = console
        self._places = {place.id: place.name for place in plan.environments}

    def tell(self, told: Told) -> None:
        match told:
            case Stage(name=name):
                self._console.print(f"[bold]{_STAGES.get(name, name)}[/]")
            case ShotBegins(contract=contract):
                shot = self._plan.shots[contract.shot - 1]
                required = sum(criterion.required for criterion in contract.criteria)
                place = self._places[contract.environment]
                actions = " ".join(event.action for event in shot.events) or "Nothing changes."
                self._console.print(
                    f"\n[bold]Shot {contract.shot}[/] · {escape(place)} · must keep {required} things true"
                )
                self._console.print(f"  [italic]{escape(actions)}[/]")
            case Gated(shot=shot_number, decision=decision) if decision.mode is not Mode.FRESH:
                self._console.print(f"  [dim]{shot_number}: the last frame before is {_MODES[decision.mode]}[/]")
            case Opened(shot=shot_number, attempt=attempt) if not attempt.accepted:
                missed = [c.statement for c in attempt.judgement.missed() if c.decides_opening]
                self._console.print(f"  [yellow]{shot_number}: opening rejected[/]: not so: {escape(missed[0])}")
            case Shot(shot=shot_number, number=number, missed=missed, faults=faults) if missed or faults:
                what = f"not so: {missed[0]}" if missed else faults[0]
                self._console.print(f"  [yellow]{shot_number}: take {number} rejected[/]: {escape(what)}")
            case Wrapped(shot=shot_number, accepted=accepted, candidates=candidates):
                takes = f"{candidates} take{'s' if candidates != 1 else ''}"
                mark = "[green]✓[/]" if accepted else "[red]degraded[/]"
                self._console.print(f"  {mark} [dim]shot {shot_number}, {takes}[/]")
            case Drafted(film=film, shots=shots, of=of):
                self._console.print(f"\nThe film so far, {shots} of {of} shots: {escape(str(film))}")
            case _:
                pass


_STAGES = {
    "references": "Painting references and places …",
    "shots": "Shooting …",
    "openings": "Painting openings …",
    "delivery": "Cutting the film together …",
}
_MODES = {Mode.REUSE: "good enough to go on from", Mode.REFERENCE: "used in part, as a reference"}


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
