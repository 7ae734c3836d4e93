"""What `make`, `storyboard` and `demo` share: the crew from a profile, a project, and the telling of the story."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import anyio
from rich.console import Console
from rich.markup import escape

from storyengine.backends import Port
from storyengine.backends.hired import AnimateProvider, Hired, JudgeProvider, PaintProvider, hire
from storyengine.cli.output import open_document
from storyengine.continuity.crew import Crew
from storyengine.continuity.gate import Mode
from storyengine.continuity.narration import Drafted, Gated, Opened, Shot, ShotBegins, Stage, Told, Wrapped
from storyengine.delivery import Film
from storyengine.delivery.storyboard import sheet
from storyengine.errors import InputError
from storyengine.files import write_bytes
from storyengine.language.captions import captions_of
from storyengine.pipeline import make_film, make_storyboard
from storyengine.plan import Catalog, SemanticPlan
from storyengine.profile import PREVIZ, Choice, Profile, read_profile
from storyengine.runs.executor import LocalExecutor
from storyengine.runs.interrupt import until_interrupted
from storyengine.runs.payment import never_repay, repay_all
from storyengine.runs.project import Project
from storyengine.runs.provider import Limits, Provider
from storyengine.runs.runner import Runner

T = TypeVar("T")

PARTS = {"painter": Port.PAINTER, "animator": Port.ANIMATOR, "judge": Port.JUDGE}


@dataclass(frozen=True)
class Making:
    """How a film is made: with whom, for how much, and how faulty the embedded studio pretends to be."""

    profile: Profile
    fallibility: str = "none"
    max_cost: int | None = None
    """Micro-dollars."""
    repay: bool = False


def read_settings(profile: Path | None, beside: Path, changes: list[str]) -> Profile:
    """The profile: a file, or the one beside the story, with single parts changed by `part=backend`."""
    file = profile or (beside if beside.is_file() else None)
    settings = read_profile(open_document(file)) if file else Profile()
    for change in changes:
        part, equals, backend = change.partition("=")
        if not equals or part not in Profile.model_fields:
            raise InputError(
                f"--set {change!r} is not understood.", next_step=f"Write part=backend; parts: {', '.join(PARTS)}."
            )
        settings = settings.model_copy(update={part: Choice(backend=backend)})
    return settings


def with_crew(plan: SemanticPlan, folder: Path, making: Making, work: Callable[[Crew], Awaitable[T]]) -> T:
    """Open the project, hire the crew, and do the work; Ctrl-C leaves a project that can be resumed."""
    hired = {part: _hire(part, getattr(making.profile, part), making) for part in PARTS}
    captions = captions_of(Catalog.of(plan))

    async def run() -> T:
        providers: list[Provider] = [
            PaintProvider(hired["painter"]),
            AnimateProvider(hired["animator"]),
            JudgeProvider(hired["judge"]),
        ]
        repay = repay_all if making.repay else never_repay
        with Project(folder) as project:
            async with (
                LocalExecutor("threads") as executor,
                Runner(project, executor, providers=providers, cap=making.max_cost, repay=repay) as runner,
            ):
                delivery = plan.request.delivery
                crew = Crew(runner, hired["painter"], hired["animator"], hired["judge"], delivery, captions)
                return await until_interrupted(lambda: work(crew))

    return anyio.run(run)


def _hire(part: str, choice: Choice, making: Making) -> Hired:
    options = dict(choice.options())
    if choice.backend == PREVIZ and part != "judge":
        options["fallibility"] = making.fallibility
    hired = replace(hire(PARTS[part], choice.backend, options), name=f"{part} {choice.backend}")
    if choice.backend == PREVIZ:  # our own machine: ask often, two at a time, and sending twice costs nothing
        limits = Limits(concurrency=2, poll_seconds=0.02, settle_seconds=0.0, idempotent=True)
        hired = replace(hired, limits=limits)
    return hired


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


def film(plan: SemanticPlan, folder: Path, making: Making, seed: int, console: Console) -> Film:
    """Make a film and tell about it."""
    teller = Teller(plan, console)
    return with_crew(plan, folder, making, lambda crew: make_film(plan, crew, folder, seed=seed, narrator=teller))


@dataclass(frozen=True)
class Board:
    """A storyboard on disk."""

    path: Path
    accepted: tuple[bool, ...]


def board(plan: SemanticPlan, folder: Path, making: Making, seed: int, console: Console) -> Board:
    """Paint the openings of a plan and lay them out on one sheet."""

    async def work(crew: Crew) -> Board:
        openings = await make_storyboard(plan, crew, folder, seed=seed, narrator=Teller(plan, console))
        path = folder / "storyboard.png"
        write_bytes(path, sheet(plan, [crew.picture(opening.picture) for opening in openings]).to_png())
        return Board(path, tuple(opening.accepted for opening in openings))

    return with_crew(plan, folder, making, work)
