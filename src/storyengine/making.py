"""Making from a profile: hire the crew, open the project, do the work. What every front end shares."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import anyio

from storyengine.backends import Port
from storyengine.backends.hired import AnimateProvider, Hired, JudgeProvider, PaintProvider, hire
from storyengine.change.cuts import current_changes, last_takes
from storyengine.change.forecast import Forecast, foresee
from storyengine.change.projects import Remembered, remember
from storyengine.change.record import Changes, read_changes, write_changes
from storyengine.change.verifying import (
    Verified,
    contexts_of_project,
    contexts_without_library,
    find_clips,
    verify_clips,
)
from storyengine.continuity.crew import Crew
from storyengine.continuity.estimate import Part, Span, Until, cost, film_calls
from storyengine.continuity.narration import Narrator
from storyengine.delivery import Film
from storyengine.delivery.storyboard import sheet
from storyengine.errors import InputError
from storyengine.files import write_bytes
from storyengine.grounding import Library
from storyengine.grounding.library import own_pictures
from storyengine.language.captions import captions_of
from storyengine.pipeline import make_film, make_storyboard, prepare
from storyengine.plan import Catalog, SemanticPlan, plan_data, plan_yaml
from storyengine.profile import PREVIZ, Choice, Profile
from storyengine.runs.digest import digest
from storyengine.runs.executor import LocalExecutor
from storyengine.runs.interrupt import until_interrupted
from storyengine.runs.ledger import dollars
from storyengine.runs.payment import never_repay, repay_all
from storyengine.runs.project import Project, journal_path, read_journal, store_path
from storyengine.runs.provider import Limits, Provider
from storyengine.runs.runner import Runner
from storyengine.runs.store import LocalStore

T = TypeVar("T")

PARTS: dict[Part, Port] = {"painter": Port.PAINTER, "animator": Port.ANIMATOR, "judge": Port.JUDGE}

Work = Until | Literal["verdicts"]
"""What is wanted of a crew; verdicts are what `verify` asks for."""

Agree = Callable[[str, str, str], None]
"""Asks whether paid work may be sent: what is said, who is paid, what is free instead. Returns only on agreement."""


def nobody_agrees(said: str, who: str, instead: str) -> None:
    """Where nobody can be asked."""
    raise InputError(
        f"{said} {who} may cost money, and nobody agreed to it.", next_step=f"Agree to it first. {instead}"
    )


@dataclass(frozen=True)
class Making:
    """How a film is made: with whom, for how much, and how faulty the embedded studio pretends to be."""

    profile: Profile
    fallibility: str = "none"
    max_cost: int | None = None
    """Micro-dollars."""
    repay: bool = False
    agree: Agree = nobody_agrees
    """Asked once for the same plan and profile, and never where everything is free."""


def hire_crew(making: Making) -> dict[Part, Hired]:
    """Painter, animator and judge of a profile."""
    return {part: _hire(part, getattr(making.profile, part), making) for part in PARTS}


def with_crew(
    plan: SemanticPlan,
    folder: Path,
    making: Making,
    work: Callable[[Crew], Awaitable[T]],
    until: Work = "film",
    *,
    seed: int = 0,
    only: Sequence[int] = (),
    changes: Changes | None = None,
) -> T:
    """Open the project, hire the crew, and do the work; Ctrl-C leaves a project that can be resumed.

    Paid work is agreed to first, once for the same plan, changes and profile.
    """
    hired = hire_crew(making)
    agreement = agree_to_film(plan, folder, making, hired, until, seed=seed, only=only, changes=changes)

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
                crew = _crew(runner, hired, plan)
                if threading.current_thread() is not threading.main_thread():
                    return await work(crew)
                return await until_interrupted(lambda: work(crew))

    return run_here(run)


def run_here(run: Callable[[], Awaitable[T]]) -> T:
    """Run to the end, also from a notebook, whose own loop is running in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return anyio.run(run)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(anyio.run, run).result()


def _crew(runner: Runner, hired: Mapping[Part, Hired], plan: SemanticPlan) -> Crew:
    captions = captions_of(Catalog.of(plan))
    return Crew(runner, hired["painter"], hired["animator"], hired["judge"], plan.request.delivery, captions)


def agree_to_film(
    plan: SemanticPlan,
    folder: Path,
    making: Making,
    hired: Mapping[Part, Hired],
    until: Work,
    *,
    seed: int = 0,
    only: Sequence[int] = (),
    changes: Changes | None = None,
) -> dict[str, Any] | None:
    """Have the cost of a film agreed to; the record of it, or None where nothing has to be asked.

    A film that was made before is rehearsed first, so that only what would be made now is asked for.
    """
    prices = {part: _price(one) for part, one in hired.items()}
    if all(price == 0 for price in prices.values()):
        return None
    agreed: set[str] = set()
    cut_before = False
    if journal_path(folder).exists():
        with read_journal(folder) as journal:
            store = LocalStore(store_path(folder))
            changes = current_changes(journal, store, plan) if changes is None else changes
            cut_before = bool(journal.records("cut"))
            agreed = {record.body["about"] for record in journal.records("agreed")}
    about = _about(plan, making, until, changes or Changes(), only)
    if about in agreed:
        return None
    what = "Judging" if until == "verdicts" else "Making"
    what += f" {len(plan.shots)} shots"
    if until == "film" and cut_before:
        look = outlook(plan, folder, making, seed=seed, only=only, changes=changes)
        if not any(span.most for span in look.forecast.calls.values()):
            return None
        span = look.cost
        changing = ", ".join(map(str, look.forecast.changing))
        what = f"Making again what changed (shots: {changing or 'none, only verdicts'})"
    else:
        judged: dict[Part, Span] = {"judge": Span(len(plan.shots), len(plan.shots))}
        calls = judged if until == "verdicts" else film_calls(plan, until)
        span = cost(calls, {part: price or 0 for part, price in prices.items()})
    _ask(what, making, hired, prices, span)
    return {"about": about, "least": span.least, "most": span.most}


def _about(plan: SemanticPlan, making: Making, until: Work, changes: Changes, only: Sequence[int]) -> str:
    """What an agreement is about; the same thing is not asked for twice."""
    profile = making.profile.model_dump(mode="json")
    return digest("Agreement", [plan_data(plan), profile, until, changes.data(), list(only)])


def _ask(what: str, making: Making, hired: Mapping[Part, Hired], prices: Mapping[Part, int | None], span: Span) -> None:
    unknown = [f"{part} {hired[part].backend_name}" for part, price in prices.items() if price is None]
    who = ", ".join(f"{part} {one.backend_name}" for part, one in hired.items() if prices[part] != 0)
    said = f"{what} with {who}: about {dollars(span.least)} to {dollars(span.most)}"
    said += f", not counting {', '.join(unknown)}, whose price is not known here" if unknown else ""
    said += f"; never more than {dollars(making.max_cost)}" if making.max_cost is not None else ""
    said += ". What is already made is not paid for again."
    free = "The embedded studio is free: --set painter=previz --set animator=previz --set judge=previz."
    making.agree(said, who[:1].upper() + who[1:], free)


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


# --- what can be made ------------------------------------------------------------------------------------------


def film(
    plan: SemanticPlan,
    folder: Path,
    making: Making,
    *,
    seed: int = 0,
    narrator: Narrator | None = None,
    only: Sequence[int] = (),
    changes: Changes | None = None,
) -> Film:
    """Make a film with all its author's changes. With `only`, every other shot keeps its take, and is verified.

    `changes` are those that shall hold from now on; they are written down once what they cost is agreed to.
    """

    async def work(crew: Crew) -> Film:
        journal, store = crew.runner.project.journal, crew.runner.project.store
        asked = current_changes(journal, store, plan) if changes is None else changes
        if asked != read_changes(journal):  # new ones, or shots that have another number now
            write_changes(journal, asked, crew.keep(plan_yaml(plan).encode()))
        remember(journal, Remembered(making.profile, making.fallibility, seed))
        asked = kept(asked, last_takes(journal, store, plan), only)
        return await make_film(plan, crew, folder, seed=seed, narrator=narrator, changes=asked)

    return with_crew(plan, folder, making, work, seed=seed, only=only, changes=changes)


def kept(changes: Changes, last: Mapping[int, str | None], only: Sequence[int]) -> Changes:
    """The changes of a run that touches only some shots: the others keep the clips they have."""
    if not only:
        return changes
    return changes.keeping({shot: clip for shot, clip in last.items() if clip is not None and shot not in only})


@dataclass(frozen=True)
class Outlook:
    """A forecast with its price."""

    forecast: Forecast
    cost: Span
    """Micro-dollars."""
    expected: int
    """Micro-dollars, if everything goes as it went last time."""
    unknown: tuple[str, ...]
    """Backends whose price is not known here."""


def outlook(
    plan: SemanticPlan,
    folder: Path,
    making: Making,
    *,
    seed: int = 0,
    changes: Changes | None = None,
    only: Sequence[int] = (),
) -> Outlook:
    """What making the film would change and cost. Nothing is made; a project that is not there yet stays so."""
    hired = hire_crew(making)

    async def run(home: Path) -> Forecast:
        with Project(home) as project:
            last = last_takes(project.journal, project.store, plan)
            asked = current_changes(project.journal, project.store, plan) if changes is None else changes
            async with LocalExecutor("threads") as executor:
                crew_of = partial(_crew, hired=hired, plan=plan)
                wanted = kept(asked, last, only)
                return await foresee(plan, crew_of, project, executor, folder, seed=seed, changes=wanted, last=last)

    if journal_path(folder).exists():
        found = run_here(lambda: run(folder))
    else:
        with tempfile.TemporaryDirectory(prefix="storyengine-") as empty:
            found = run_here(lambda: run(Path(empty)))
    prices = {part: _price(one) for part, one in hired.items()}
    known = {part: price or 0 for part, price in prices.items()}
    expected = sum(count * known[part] for part, count in found.expected.items())
    unknown = tuple(f"{part} {hired[part].backend_name}" for part, price in prices.items() if price is None)
    return Outlook(found, cost(found.calls, known), expected, unknown)


def verify_folder(
    plan: SemanticPlan, clips: Path, keep: Path, making: Making, *, beside: Path, project: Path | None = None
) -> tuple[Verified, ...]:
    """Judge the clips in a folder against a plan. Verdicts are steps of the project in `keep`.

    References are those of `project`, where one is given, which then keeps the verdicts too; else the author's own
    pictures, which lie `beside` the plan.
    """
    found = find_clips(clips, len(plan.shots))
    nobody = Choice(backend=PREVIZ)  # nothing is painted or animated, so neither needs a key
    profile = making.profile.model_copy(update={"painter": nobody, "animator": nobody})

    async def work(crew: Crew) -> tuple[Verified, ...]:
        if project is not None:
            contexts = contexts_of_project(project, plan)
        else:
            own = own_pictures(plan, Catalog.of(plan), beside)
            contexts = contexts_without_library(plan, {subject: crew.keep(data) for subject, data in own.items()})
        return await verify_clips(crew, plan, found, contexts)

    return with_crew(plan, project or keep, replace(making, profile=profile), work, "verdicts")


@dataclass(frozen=True)
class Board:
    """A storyboard on disk."""

    path: Path
    accepted: tuple[bool, ...]

    def _repr_png_(self) -> bytes:
        """How notebooks show it."""
        return self.path.read_bytes()


def board(
    plan: SemanticPlan, folder: Path, making: Making, *, seed: int = 0, narrator: Narrator | None = None
) -> Board:
    """Paint the openings of a plan and lay them out on one sheet."""

    async def work(crew: Crew) -> Board:
        changes = current_changes(crew.runner.project.journal, crew.runner.project.store, plan)
        openings = await make_storyboard(plan, crew, folder, seed=seed, narrator=narrator, changes=changes)
        path = folder / "storyboard.png"
        write_bytes(path, sheet(plan, [crew.picture(opening.picture) for opening in openings]).to_png())
        return Board(path, tuple(opening.accepted for opening in openings))

    return with_crew(plan, folder, making, work, "openings")


def references(plan: SemanticPlan, folder: Path, making: Making, *, seed: int, narrator: Narrator) -> Path:
    """Make only the canonical library, and lay its pictures out in a folder to look at."""
    target = folder / "references"

    async def work(crew: Crew) -> Path:
        changes = current_changes(crew.runner.project.journal, crew.runner.project.store, plan)
        ready = await prepare(plan, crew, folder, seed=seed, narrator=narrator, changes=changes)
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
