"""Clips made anywhere, held against the contracts of a plan.

No reference is painted for it: the author's own pictures, or those of a project, show how somebody looks. What needs a
reference that is not there is not asked. Technical faults are told first; a clip that cannot be decoded is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from storyengine.backends.hired import Reference
from storyengine.change.projects import audits
from storyengine.continuity.crew import Crew
from storyengine.continuity.judgement import Judgement
from storyengine.contract import Binding, GroundedContext, RenderContract, compile_contracts
from storyengine.errors import InputError
from storyengine.grounding.contexts import expected_in_view
from storyengine.language.captions import caption
from storyengine.media.checks import Fault, TechnicalFinding, check_bytes
from storyengine.plan import Catalog, SemanticPlan
from storyengine.runs.together import together
from storyengine.state import is_visible, replay

SUFFIXES = (".mp4", ".mov", ".mkv", ".webm", ".m4v")


@dataclass(frozen=True)
class Verified:
    """What was found about one shot's clip."""

    shot: int
    file: Path | None
    faults: tuple[TechnicalFinding, ...]
    judgement: Judgement | None
    """None where there is no clip, or none that can be decoded."""

    @property
    def holds(self) -> bool:
        """Whether the clip is sound and satisfies every required criterion."""
        return self.judgement is not None and not self.faults and not self.judgement.missed_required()

    def data(self) -> dict[str, Any]:
        missed = self.judgement.missed() if self.judgement else ()
        return {
            "shot": self.shot,
            "file": str(self.file) if self.file else None,
            "holds": self.holds,
            "faults": [str(fault) for fault in self.faults],
            "criteria": len(self.judgement.criteria) if self.judgement else 0,
            "missed": [
                {
                    "statement": criterion.statement,
                    "required": criterion.required,
                    "label": self.judgement.label(criterion),
                    "evidence": self.judgement.verdicts[criterion.id].evidence,
                }
                for criterion in missed
                if self.judgement
            ],
        }


def find_clips(folder: Path, count: int) -> dict[int, Path]:
    """The clip of each shot: the last number in a file's name is the shot's (`03.mp4`, `shot-3.mov`)."""
    if not folder.is_dir():
        raise InputError(f"There is no folder {folder}.", next_step="Name the folder in which the clips lie.")
    found: dict[int, Path] = {}
    for path in sorted(folder.iterdir()):
        numbers = re.findall(r"\d+", path.stem)
        if path.suffix.lower() not in SUFFIXES or not numbers:
            continue
        shot = int(numbers[-1])
        if shot in found:
            raise InputError(f"{found[shot].name} and {path.name} both claim to be shot {shot}.")
        if 1 <= shot <= count:
            found[shot] = path
    if not found:
        raise InputError(
            f"No clip in {folder} has the number of a shot in its name.",
            next_step=f"Name them 01.mp4 to {count:02d}.mp4; allowed are {', '.join(SUFFIXES)}.",
        )
    return found


def contexts_without_library(plan: SemanticPlan, own: Mapping[str, str]) -> list[GroundedContext]:
    """What is known of shots that were made elsewhere; `own` are digests of the author's pictures by subject."""
    catalog = Catalog.of(plan)
    trajectory = replay(plan, catalog)
    contexts = []
    for shot, states in zip(plan.shots, trajectory.shots, strict=True):
        bindings = tuple(
            Binding(entity=entity, values=(), asset=own[entity])
            for entity in catalog.entities
            if entity in own and is_visible(catalog, states.opening, entity, shot.environment)
        )
        predicted = tuple(expected_in_view(catalog, shot, states))
        contexts.append(GroundedContext(view=own.get(shot.environment), bindings=bindings, predicted=predicted))
    return contexts


def contexts_of_project(folder: Path, plan: SemanticPlan) -> list[GroundedContext]:
    """What a project knows of its shots: views of places and references, by digests in its store."""
    known = audits(folder)
    missing = [str(shot) for shot in range(1, len(plan.shots) + 1) if shot not in known]
    if missing:
        raise InputError(f"The project {folder} has no references for shots {', '.join(missing)} yet.")
    return [
        GroundedContext.model_validate(known[shot]["contract"]["context"]) for shot in range(1, len(plan.shots) + 1)
    ]


def references_of(catalog: Catalog, contract: RenderContract) -> tuple[Reference, ...]:
    """The pictures of a contract's context, each with what it shows."""
    context = contract.context
    found = []
    if context.view is not None:
        found.append(Reference(caption(catalog.environments[contract.environment]), context.view))
    for binding in context.bindings:
        values = "; ".join(value.partition(" = ")[2] for value in binding.values)
        told = caption(catalog.entities[binding.entity]) + (f" — here: {values}" if values else "")
        found.append(Reference(told, binding.asset))
    if context.panorama is not None:
        found.append(Reference(caption(catalog.environments[contract.environment]), context.panorama))
    return tuple(dict.fromkeys(found))


async def verify_clips(
    crew: Crew, plan: SemanticPlan, clips: Mapping[int, Path], contexts: Sequence[GroundedContext]
) -> tuple[Verified, ...]:
    """Judge every clip there is against the contract of its shot."""
    catalog = Catalog.of(plan)
    contracts = compile_contracts(plan, replay(plan, catalog), contexts)
    found: dict[int, Verified] = {}

    async def one(contract: RenderContract) -> None:
        path = clips.get(contract.shot)
        if path is None:
            found[contract.shot] = Verified(contract.shot, None, (), None)
            return
        data = path.read_bytes()
        delivery = plan.request.delivery
        faults = check_bytes(data, width=delivery.width, height=delivery.height, seconds=contract.seconds)
        judgement = None
        if not any(fault.fault in (Fault.UNDECODABLE, Fault.EMPTY) for fault in faults):
            given = references_of(catalog, contract)
            judgement = await crew.judge_clip(f"verify/{contract.shot}", crew.keep(data), contract.criteria, given)
        found[contract.shot] = Verified(contract.shot, path, faults, judgement)

    await together(partial(one, contract) for contract in contracts)
    return tuple(found[contract.shot] for contract in contracts)
