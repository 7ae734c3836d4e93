"""What `make`, `storyboard` and `demo` share: the crew from a profile, a project, and the telling of the story."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import anyio
from rich.console import Console
from rich.markup import escape

from storyengine.backends import Port
from storyengine.backends.hired import AnimateProvider, Hired, JudgeProvider, PaintProvider, hire
from storyengine.cli.consent import agree
from storyengine.continuity.crew import Crew
from storyengine.continuity.estimate import Part, Until, cost, film_calls
from storyengine.continuity.gate import Mode
from storyengine.continuity.narration import Drafted, Gated, Opened, Shot, ShotBegins, Stage, Told, Wrapped
from storyengine.delivery import Film
from storyengine.delivery.storyboard import sheet
from storyengine.files import write_bytes
from storyengine.grounding import Library
from storyengine.language.captions import captions_of
from storyengine.pipeline import make_film, make_storyboard, prepare
from storyengine.plan import Catalog, SemanticPlan, plan_data
from storyengine.profile import PREVIZ, Choice, Profile
from storyengine.runs.digest import digest
from storyengine.runs.executor import LocalExecutor
from storyengine.runs.interrupt import until_interrupted
from storyengine.runs.ledger import dollars
from storyengine.runs.payment import never_repay, repay_all
from storyengine.runs.project import Project, journal_path, read_journal
from storyengine.runs.provider import Limits, Provider
from storyengine.runs.runner import Runner

T = TypeVar("T")

PARTS: dict[Part, Port] = {"painter": Port.PAINTER, "animator": Port.ANIMATOR, "judge": Port.JUDGE}


@dataclass(frozen=True)
class Making:
    """How a film is made: with whom, for how much, and how faulty the embedded studio pretends to be."""

    profile: Profile
    fallibility: str = "none"
    max_cost: int | None = None
    """Micro-dollars."""
    repay: bool = False
    yes: bool = False
    """Whether what it costs is agreed to beforehand."""


def with_crew(
    plan: SemanticPlan,
    folder: Path,
    making: Making,
    work: Callable[[Crew], Awaitable[T]],
    until: Until = "film",
) -> T:
    """Open the project, hire the crew, and do the work; Ctrl-C leaves a project that can be resumed.

    Paid work is agreed to first, once for the same plan and profile.
    """
    hired = {part: _hire(part, getattr(making.profile, part), making) for part in PARTS}
    agreement = agree_to_film(plan, folder, making, hired, until)
    captions = captions_of(Catalog.of(plan))

    async def run() -> T:
        providers: list[Provider] = [
            PaintProvider(hired["painter"]),
            AnimateProvider(hired["animator"]),
            JudgeProvider(hired["judge"]),
        ]
        repay = repay_all if making.repay else never_repay
        with Project(folder) as project:
            if agreement is not None:
                project.journal.append("agreed", agreement)
                project.journal.commit()
            async with (
                LocalExecutor("threads") as executor,
                Runner(project, executor, providers=providers, cap=making.max_cost, repay=repay) as runner,
            ):
                delivery = plan.request.delivery
                crew = Crew(runner, hired["painter"], hired["animator"], hired["judge"], delivery, captions)
                return await until_interrupted(lambda: work(crew))

    return anyio.run(run)


def agree_to_film(
    plan: SemanticPlan, folder: Path, making: Making, hired: Mapping[Part, Hired], until: Until
) -> dict[str, Any] | None:
    """Have the cost of a film agreed to; the record of it, or None where nothing has to be asked."""
    prices = {part: _price(one) for part, one in hired.items()}
    if all(price == 0 for price in prices.values()):
        return None
    profile = making.profile.model_dump(mode="json")
    about = digest("Agreement", [plan_data(plan), profile, until])
    if journal_path(folder).exists():
        with read_journal(folder) as journal:
            if any(record.body["about"] == about for record in journal.records("agreed")):
                return None
    span = cost(film_calls(plan, until), {part: price or 0 for part, price in prices.items()})
    unknown = [f"{part} {hired[part].backend_name}" for part, price in prices.items() if price is None]
    who = ", ".join(f"{part} {one.backend_name}" for part, one in hired.items() if prices[part] != 0)
    said = f"Making {len(plan.shots)} shots with {who}: about {dollars(span.least)} to {dollars(span.most)}"
    said += f", not counting {', '.join(unknown)}, whose price is not known here" if unknown else ""
    said += f"; never more than {dollars(making.max_cost)}" if making.max_cost is not None else ""
    said += ". What is already made is not paid for again."
    free = "The embedded studio is free: --set painter=previz --set animator=previz --set judge=previz."
    agree(said, who[:1].upper() + who[1:], yes=making.yes, instead=free)
    return {"about": about, "least": span.least, "most": span.most}


def _price(hired: Hired) -> int | None:
    """Micro-dollars a call; None where the backend does not say."""
    if hired.backend_name == PREVIZ:
        return 0
    price: int | None = getattr(hired.backend, "estimate", None)
    return price


def _hire(part: Part, choice: Choice, making: Making) -> Hired:
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

    return with_crew(plan, folder, making, work, "openings")


def references(plan: SemanticPlan, folder: Path, making: Making, seed: int, console: Console) -> Path:
    """Make only the canonical library, and lay its pictures out in a folder to look at."""
    target = folder / "references"

    async def work(crew: Crew) -> Path:
        ready = await prepare(plan, crew, folder, seed=seed, narrator=Teller(plan, console))
        for name, picture in _named(ready.library):
            write_bytes(target / f"{name}.png", crew.read(picture))
        return target

    return with_crew(plan, folder, making, work, "references")


def _named(library: Library) -> Iterator[tuple[str, str]]:
    numbers: Counter[str] = Counter()
    for asset in library.assets:
        numbers[asset.entity] += 1
        yield f"{asset.entity}-{numbers[asset.entity]}", asset.picture
    for place, panorama in library.panoramas.items():
        yield f"{place}-panorama", panorama.picture
