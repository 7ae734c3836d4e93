"""The story of a film being made, on the terminal: what a shot must keep true, what was caught, what was repaired."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from storyengine.continuity.gate import Mode
from storyengine.continuity.narration import Drafted, Gated, Opened, Shot, ShotBegins, Stage, Told, Wrapped
from storyengine.continuity.ranking import WEIGHTS
from storyengine.contract import Criterion, RenderContract
from storyengine.plan import SemanticPlan

SHOWN = 3
"""Criteria of a shot that are told one by one: those that carry most of the story."""
_STAGES = {
    "references": "Painting references and places …",
    "shots": "Shooting …",
    "openings": "Painting openings …",
    "delivery": "Cutting the film together …",
}
_MODES = {
    Mode.REUSE: "goes on from the last frame of the shot before",
    Mode.REFERENCE: "keeps of the last frame before only what is true",
}
_WHEN = {"start": "at the start", "motion": "in between", "end": "at the end", "always": "always"}


class Teller:
    """A narrator. Shots are made side by side; each is told as a whole when it is done, so that none cuts in.

    Everything about a shot is told between its beginning and its end; what comes in between is kept until then.
    """

    def __init__(self, plan: SemanticPlan, console: Console) -> None:
        self._plan = plan
        self._console = console
        self._places = {place.id: place.name for place in plan.environments}
        self._contracts: dict[int, RenderContract] = {}
        self._notes: dict[int, list[str]] = {}
        self._stills = False
        """Whether only openings are made: then a shot ends with its opening."""

    def tell(self, told: Told) -> None:
        match told:
            case Stage(name=name):
                self._console.print(f"[bold]{_STAGES.get(name, name)}[/]")
                self._stills = name == "openings"
            case ShotBegins(contract=contract):
                self._contracts[contract.shot] = contract
                self._notes[contract.shot] = []
            case Gated(shot=shot, decision=decision) if decision.mode is not Mode.FRESH:
                self._note(shot, f"[dim]{_MODES[decision.mode]}[/]")
            case Opened(shot=shot, attempt=attempt) if not attempt.accepted:
                missed = next(c.statement for c in attempt.judgement.missed() if c.decides_opening)
                line = f"[yellow]✗ opening rejected[/]: not so: {escape(missed)}"
                if self._stills:
                    self._console.print(f"  shot {shot}: {line}")
                else:
                    self._note(shot, line)
            case Opened(shot=shot) if self._stills:
                self._console.print(f"  shot {shot}: [green]✓[/]")
            case Shot(shot=shot, number=number, missed=missed, faults=faults) if missed or faults:
                what = f"not so: {missed[0]}" if missed else faults[0]
                self._note(shot, f"[yellow]✗ take {number} rejected[/]: {escape(what)}")
            case Wrapped():
                self._wrap(told)
            case Drafted(film=film, shots=shots, of=of):
                self._console.print(f"\nThe film so far, {shots} of {of} shots: {escape(str(film))}")
            case _:
                pass

    def _note(self, shot: int, line: str) -> None:
        self._notes.setdefault(shot, []).append(line)

    def _wrap(self, told: Wrapped) -> None:
        contract, console = self._contracts[told.shot], self._console
        actions = " ".join(event.action for event in contract.events) or "Nothing changes."
        required = [criterion for criterion in contract.criteria if criterion.required]
        console.print(f"\n[bold]Shot {told.shot}[/] · {escape(self._places[contract.environment])}")
        console.print(f"  [italic]{escape(actions)}[/]")
        console.print(f"  [dim]must keep {len(required)} things true, among them[/]")
        for criterion in telling(required):
            console.print(f"  [dim]· {escape(criterion.statement)} ({_WHEN[criterion.phase]})[/]")
        for line in self._notes.pop(told.shot, ()):
            console.print(f"  {line}")
        console.print(f"  {_end(told)}")


def telling(criteria: list[Criterion]) -> list[Criterion]:
    """The criteria that carry most of the story, in the order of the shot."""
    heaviest = sorted(criteria, key=lambda c: -WEIGHTS.get(c.evidence, 1.0))[:SHOWN]
    return [criterion for criterion in criteria if criterion in heaviest]


def _end(told: Wrapped) -> str:
    if not told.accepted:
        return f"[red]degraded[/]: {escape(told.reason)}"
    if told.candidates == 1:
        return "[green]✓ take 1[/]"
    return f"[green]✓ take {told.candidates} mends it[/]"
