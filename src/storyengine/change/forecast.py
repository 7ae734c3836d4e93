"""What making the film now would change, why, and for how much, before anything is spent.

The film is rehearsed by the same code that makes it; every step that is not finished is wanted. Where a shot is made
again, its last frame changes too, and the next shot of the same place may go on from it: that ripple is told apart from
shots that change by themselves. What a judge will say is not known; it is taken to say what it last said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from storyengine.change.causes import FOLLOWING, causes
from storyengine.change.record import Changes
from storyengine.change.standins import StandIns
from storyengine.continuity.crew import Crew
from storyengine.continuity.estimate import Part, Span
from storyengine.continuity.film import chains, shoot_film
from storyengine.continuity.gate import Mode
from storyengine.continuity.narration import Silent
from storyengine.continuity.opening import ATTEMPTS
from storyengine.continuity.shooting import REPAIRS, Take
from storyengine.contract import RenderContract
from storyengine.grounding.library import TRIES
from storyengine.grounding.sphere import PROBES
from storyengine.pipeline import prepare
from storyengine.plan import SemanticPlan
from storyengine.runs.executor import Executor
from storyengine.runs.project import Project
from storyengine.runs.rehearsal import Rehearsal, Wanted
from storyengine.runs.runner import Runner

Fate = Literal["kept", "checked", "chosen", "made"]
"""Kept as it is; held against its contract once more and kept unless it fails; another clip that is there takes its
place; made again."""
PART_OF: dict[str, Part] = {"paint": "painter", "animate": "animator", "judge": "judge", "locate": "judge"}


@dataclass(frozen=True)
class ShotForecast:
    """What becomes of one shot."""

    shot: int
    fate: Fate
    causes: tuple[str, ...] = ()
    ripple: bool = False
    """Whether it changes only because the shot before it does."""


@dataclass(frozen=True)
class Forecast:
    """What a run would do."""

    shots: tuple[ShotForecast, ...]
    references: Mapping[str, tuple[str, ...]]
    """People, things and places whose pictures are made again, with the causes."""
    calls: Mapping[Part, Span]
    expected: Mapping[Part, int]
    """Calls, if everything goes as it went last time."""

    @property
    def changing(self) -> tuple[int, ...]:
        """Numbers of the shots that are made again or get another clip."""
        return tuple(shot.shot for shot in self.shots if shot.fate in ("made", "chosen"))


async def foresee(
    plan: SemanticPlan,
    crew_of: Callable[[Runner], Crew],
    project: Project,
    executor: Executor,
    folder: Path,
    *,
    seed: int,
    changes: Changes,
    last: Mapping[int, str | None],
) -> Forecast:
    """Rehearse the film with the crew that works on a runner.

    `last` is the clip of each shot in the cut that the film is compared with.
    """
    rehearsal = Rehearsal(project, executor, StandIns(project))
    crew = crew_of(rehearsal)
    ready = await prepare(plan, crew, folder, seed=seed, narrator=Silent(), changes=changes)
    takes = await shoot_film(
        crew, plan, ready.catalog, ready.contracts, ready.library, seed, changes, Silent(), _unheard, {}
    )
    wanted = list(rehearsal.wanted.values())
    shots = tuple(
        _shot(take.contract.shot, wanted, changed=last.get(take.contract.shot) != take.clip) for take in takes
    )
    references: dict[str, tuple[str, ...]] = {}
    for step in wanted:
        room, _, rest = step.step.slot.partition("/")
        if room == "library" and step.step.kind == "paint":
            subject = rest.partition("/")[0]
            references[subject] = tuple(dict.fromkeys((*references.get(subject, ()), *causes(step))))
    pinned = [number for number in range(1, len(plan.shots) + 1) if changes.pin(number) is not None]
    return Forecast(shots, references, _span(wanted, shots, ready.contracts, pinned), _count(wanted))


async def _unheard(takes: Sequence[Take]) -> None:
    """Nobody reports on a rehearsal."""


def _shot(number: int, wanted: Sequence[Wanted], *, changed: bool) -> ShotForecast:
    own = [step for step in wanted if step.step.slot.startswith(f"shot {number}/")]
    making = [step for step in own if step.step.kind in ("paint", "animate")]
    if not own:
        return ShotForecast(number, "chosen" if changed else "kept")
    told = tuple(dict.fromkeys(cause for step in own for cause in causes(step)))
    told = tuple(cause for cause in told if cause not in FOLLOWING) or told
    if not making:
        return ShotForecast(number, "chosen" if changed else "checked", told)
    direct = [cause for cause in told if cause not in (tail_cause(number), OPENING)]
    ripple = tail_cause(number) in told and not direct
    return ShotForecast(number, "made", tuple(direct) or told, ripple)


OPENING = "its opening changes"


def tail_cause(shot: int) -> str:
    return f"the last frame of shot {shot - 1} changes"


def _count(wanted: Iterable[Wanted]) -> dict[Part, int]:
    counts: dict[Part, int] = dict.fromkeys(("painter", "animator", "judge"), 0)
    for step in wanted:
        counts[PART_OF[step.step.kind]] += 1
    return counts


def _span(
    wanted: Sequence[Wanted],
    shots: Sequence[ShotForecast],
    contracts: Sequence[RenderContract],
    pinned: Sequence[int],
) -> dict[Part, Span]:
    """At least: what changes by itself, right at once. At most: all of it and all that may follow, at every bound."""
    pictures = {step.step.slot.rpartition("/")[0] for step in wanted if _is_reference(step)}
    probes = sum(step.step.kind == "locate" for step in wanted)
    painter = Span(len(pictures), len(pictures) * TRIES)
    judge = Span(len(pictures), len(pictures) * TRIES) + Span(probes, max(probes, _panoramas(pictures) * len(PROBES)))
    animator = Span()
    fates = {shot.shot: shot for shot in shots}
    for chain in chains(contracts):
        reached = False
        for position, contract in enumerate(chain):
            shot = fates[contract.shot]
            if contract.shot in pinned:
                looks = sum(step.step.slot.startswith(f"shot {contract.shot}/") for step in wanted)
                judge += Span(looks, looks)
                reached = shot.fate == "chosen"
                continue
            direct = shot.fate == "made" and not shot.ripple
            reached = reached or shot.fate != "kept"
            if not reached:
                continue
            composed = ATTEMPTS[Mode.FRESH] + (ATTEMPTS[Mode.REFERENCE] if position else 0)
            looks = composed + (2 * ATTEMPTS[Mode.REUSE] if position else 0)
            painter += Span(0, composed)
            animator += Span(int(direct), REPAIRS + 1)
            judge += Span(int(direct), looks + REPAIRS + 1)
    return {"painter": painter, "animator": animator, "judge": judge}


def _is_reference(step: Wanted) -> bool:
    return step.step.kind == "paint" and step.step.slot.startswith("library/")


def _panoramas(pictures: Iterable[str]) -> int:
    return sum(picture.endswith("/panorama") for picture in pictures)
