"""The whole flow, from a checked plan to a delivered film. Data flows one way; nothing here holds logic of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import anyio

from storyengine.change.record import Changes
from storyengine.check import check_plan
from storyengine.continuity.crew import Crew
from storyengine.continuity.film import open_film, shoot_film
from storyengine.continuity.narration import Drafted, Narrator, Silent, Stage
from storyengine.continuity.opening import OpeningTry
from storyengine.continuity.shooting import Take
from storyengine.contract import RenderContract, compile_contracts
from storyengine.delivery import Film, deliver, keep_take, record_cut
from storyengine.delivery.draft import leave_draft
from storyengine.delivery.live import LiveReport
from storyengine.errors import FolderError, StoryEngineError
from storyengine.grounding import Library, build_library, ground_shots
from storyengine.plan import Catalog, SemanticPlan
from storyengine.state import replay


@dataclass(frozen=True)
class Prepared:
    """Everything that is fixed before the first shot."""

    catalog: Catalog
    library: Library
    contracts: tuple[RenderContract, ...]


NONE = Changes()


async def prepare(
    plan: SemanticPlan, crew: Crew, folder: Path, *, seed: int, narrator: Narrator, changes: Changes = NONE
) -> Prepared:
    """Check the plan, make its references, and compile its contracts."""
    check_plan(plan).raise_if_blocking()
    catalog = Catalog.of(plan)
    trajectory = replay(plan, catalog)
    narrator.tell(Stage("references"))
    library = await build_library(crew, plan, catalog, trajectory, seed, folder, changes)
    contexts = await anyio.to_thread.run_sync(ground_shots, crew, plan, catalog, trajectory, library)
    return Prepared(catalog, library, compile_contracts(plan, trajectory, contexts))


async def make_film(
    plan: SemanticPlan,
    crew: Crew,
    folder: Path,
    *,
    seed: int = 0,
    narrator: Narrator | None = None,
    changes: Changes = NONE,
) -> Film:
    """Make the film that a plan and its author's changes describe.

    Run again after an interruption, it goes on where it stopped. What ends it before the last shot also leaves a
    film of the shots there are.
    """
    narrator = narrator or Silent()
    ready = await prepare(plan, crew, folder, seed=seed, narrator=narrator, changes=changes)
    narrator.tell(Stage("shots"))
    done: list[Take] = []
    rushes: dict[int, str] = {}

    report = LiveReport(crew, plan, folder, changes)

    async def after_shot(takes: Sequence[Take]) -> None:
        known = {take.contract.shot for take in done}
        for take in takes:
            if take.contract.shot not in known:
                keep_take(crew, take, folder)
        done[:] = takes
        await report.rewrite(takes)

    try:
        takes = await shoot_film(
            crew, plan, ready.catalog, ready.contracts, ready.library, seed, changes, narrator, after_shot, rushes
        )
    except (StoryEngineError, anyio.get_cancelled_exc_class()):
        with suppress(FolderError):  # a full disk is what may have ended it
            draft = leave_draft(crew, [rushes[shot] for shot in sorted(rushes)], folder)
            if draft is not None:
                narrator.tell(Drafted(draft, len(rushes), len(ready.contracts)))
        raise
    narrator.tell(Stage("delivery"))
    film = deliver(crew, plan, takes, folder)
    await report.rewrite(takes)
    record_cut(crew, plan, film, changes)
    return film


async def make_storyboard(
    plan: SemanticPlan,
    crew: Crew,
    folder: Path,
    *,
    seed: int = 0,
    narrator: Narrator | None = None,
    changes: Changes = NONE,
) -> tuple[OpeningTry, ...]:
    """Only the openings of a plan."""
    narrator = narrator or Silent()
    ready = await prepare(plan, crew, folder, seed=seed, narrator=narrator, changes=changes)
    narrator.tell(Stage("openings"))
    return await open_film(crew, plan, ready.catalog, ready.contracts, ready.library, seed, changes, narrator)
