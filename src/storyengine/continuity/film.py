"""All shots of a film: one after another where a tail may be used, side by side where the plan rules it out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import anyio

from storyengine.backends.hired import Reference
from storyengine.change.record import Changes
from storyengine.continuity.crew import Crew
from storyengine.continuity.narration import Gated, Narrator, Opened, Shot, ShotBegins, Wrapped
from storyengine.continuity.opening import Opener, OpeningTry
from storyengine.continuity.shooting import Shooting, Take, tail_of
from storyengine.contract import RenderContract
from storyengine.errors import StoryEngineError
from storyengine.grounding.library import Library
from storyengine.language import Absent
from storyengine.language.captions import caption
from storyengine.plan import Catalog, SemanticPlan
from storyengine.runs.together import together

SEED_STEP = 1_000
"""Seeds of one shot's attempts lie within this range."""


async def shoot_film(
    crew: Crew,
    plan: SemanticPlan,
    catalog: Catalog,
    contracts: Sequence[RenderContract],
    library: Library,
    seed: int,
    changes: Changes,
    narrator: Narrator,
    after_shot: Callable[[Sequence[Take]], Awaitable[None]],
    rushes: dict[int, str],
) -> tuple[Take, ...]:
    """A take for every shot. A shot waits for the one before it only where both play in the same place.

    What ends one run of shots does not end the others; the first such error is raised when all have ended. `rushes`
    holds, at any time, a clip for every shot that has one.
    """
    takes: dict[int, Take] = {}
    errors: list[StoryEngineError] = []

    async def run(chain: Sequence[RenderContract]) -> None:
        try:
            await shoot_chain(chain)
        except StoryEngineError as error:
            errors.append(error)

    async def shoot_chain(chain: Sequence[RenderContract]) -> None:
        before: Take | None = None
        for contract in chain:
            opener = _opener(crew, plan, catalog, contract, library, seed, changes)
            before = takes[contract.shot] = await _shoot(Shooting(opener, rushes), before, narrator)
            if before.clip is not None:
                rushes[contract.shot] = before.clip
            await after_shot([takes[number] for number in sorted(takes)])

    await together(partial(run, chain) for chain in chains(contracts))
    if errors:
        raise errors[0]
    return tuple(takes[contract.shot] for contract in contracts)


async def open_film(
    crew: Crew,
    plan: SemanticPlan,
    catalog: Catalog,
    contracts: Sequence[RenderContract],
    library: Library,
    seed: int,
    changes: Changes,
    narrator: Narrator,
) -> tuple[OpeningTry, ...]:
    """Only the openings, each composed afresh and all at once: a storyboard."""
    openings: dict[int, OpeningTry] = {}

    async def one(contract: RenderContract) -> None:
        opener = _opener(crew, plan, catalog, contract, library, seed, changes)
        narrator.tell(ShotBegins(contract))
        openings[contract.shot] = await opener.find()
        narrator.tell(Opened(contract.shot, openings[contract.shot]))

    await together(partial(one, contract) for contract in contracts)
    return tuple(openings[contract.shot] for contract in contracts)


def chains(contracts: Sequence[RenderContract]) -> list[list[RenderContract]]:
    """Runs of shots in one place. Across a change of place the tail shows another place and is ruled out."""
    runs: list[list[RenderContract]] = []
    for contract in contracts:
        if runs and runs[-1][-1].environment == contract.environment:
            runs[-1].append(contract)
        else:
            runs.append([contract])
    return runs


def _opener(
    crew: Crew,
    plan: SemanticPlan,
    catalog: Catalog,
    contract: RenderContract,
    library: Library,
    seed: int,
    changes: Changes,
) -> Opener:
    references = shot_references(catalog, contract, library)
    evidence = judge_references(catalog, contract, library)
    direction = changes.direction(contract.shot)
    shot_seed = seed + SEED_STEP * changes.number(contract.shot)
    return Opener(crew, plan, catalog, contract, references, evidence, shot_seed, direction)


def shot_references(catalog: Catalog, contract: RenderContract, library: Library) -> tuple[Reference, ...]:
    """The view of the place, then the state-appropriate reference of everybody and everything bound."""
    context = contract.context
    references = []
    if context.view is not None:
        references.append(Reference(caption(catalog.environments[contract.environment]), context.view))
    by_picture = {asset.picture: asset for asset in library.assets}
    for binding in context.bindings:
        if binding.asset in by_picture:
            references.append(by_picture[binding.asset].reference())
    return tuple(dict.fromkeys(references))


def judge_references(catalog: Catalog, contract: RenderContract, library: Library) -> tuple[Reference, ...]:
    """What a judge is shown besides: the whole place, bound things in their other states, to tell them apart, and one
    picture of what must not be there, to know it if it is."""
    place = contract.environment
    around = Reference(caption(catalog.environments[place]), library.panoramas[place].picture)
    bound = {binding.entity for binding in contract.context.bindings}
    states = [asset.reference() for asset in library.assets if asset.entity in bound]
    absent = {c.claim.entity for c in contract.criteria if isinstance(c.claim, Absent)} - bound
    first = {asset.entity: asset.reference() for asset in reversed(library.assets) if asset.entity in absent}
    return tuple(dict.fromkeys([*shot_references(catalog, contract, library), around, *states, *first.values()]))


async def _shoot(shooting: Shooting, before: Take | None, narrator: Narrator) -> Take:
    contract = shooting.contract
    narrator.tell(ShotBegins(contract))
    if contract.shot == 1:
        tail, unusable = None, "it is the first shot"
    elif before is None:
        tail, unusable = None, "the shot before plays in another place"
    else:
        tail, unusable = await anyio.to_thread.run_sync(tail_of, shooting.crew, before)
    take = await shooting.shoot(tail, unusable)
    narrator.tell(Gated(contract.shot, take.gate))
    for attempt in take.openings:
        narrator.tell(Opened(contract.shot, attempt))
    for candidate in take.candidates:
        missed = candidate.judgement.missed_required() if candidate.judgement else ()
        faults = tuple(map(str, candidate.faults)) or ((candidate.refusal,) if candidate.refusal else ())
        narrator.tell(Shot(contract.shot, candidate.order + 1, tuple(c.statement for c in missed), faults))
    narrator.tell(Wrapped(contract.shot, take.accepted, len(take.candidates), take.reason))
    return take
