"""`make_film`: the whole flow, from a checked plan to a delivered film. Data flows one way."""

from __future__ import annotations

from pathlib import Path

from storyengine.check import check_plan
from storyengine.continuity.crew import Crew
from storyengine.continuity.film import shoot_film
from storyengine.continuity.narration import Narrator, Silent, Stage
from storyengine.contract import compile_contracts
from storyengine.delivery import Film, deliver
from storyengine.grounding import build_library, ground_shots
from storyengine.plan import Catalog, SemanticPlan
from storyengine.state import replay


async def make_film(
    plan: SemanticPlan, crew: Crew, folder: Path, *, seed: int = 0, narrator: Narrator | None = None
) -> Film:
    """Make the film that a plan describes. Run again after an interruption, it goes on where it stopped."""
    narrator = narrator or Silent()
    check_plan(plan).raise_if_blocking()
    catalog = Catalog.of(plan)
    trajectory = replay(plan, catalog)
    narrator.tell(Stage("references"))
    library = await build_library(crew, plan, catalog, trajectory, seed, folder)
    contexts = ground_shots(crew, plan, catalog, trajectory, library)
    contracts = compile_contracts(plan, trajectory, contexts)
    narrator.tell(Stage("shots"))
    takes = await shoot_film(crew, plan, catalog, contracts, library, seed, narrator)
    narrator.tell(Stage("delivery"))
    return deliver(crew, plan, takes, folder)
