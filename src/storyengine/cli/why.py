"""`storyengine why`: the chain of events behind a fact."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer
from rich.markup import escape

from storyengine.cli.output import JsonOption, PlanArgument, open_plan, out, print_json
from storyengine.documents import did_you_mean
from storyengine.errors import InputError
from storyengine.language import claim_of, render
from storyengine.language.sentences import capitalised, the
from storyengine.plan import Catalog, SemanticPlan
from storyengine.state import Change, Trajectory, replay, whereabouts


def why(
    plan_file: PlanArgument,
    target: Annotated[
        str, typer.Argument(help="An entity, or an entity as a shot opens: backpack, backpack@4.", show_default=False)
    ],
    json_output: JsonOption = False,
) -> None:
    """Say why something is where it is and as it is: the events that led there, in story order."""
    plan = open_plan(plan_file)
    catalog = Catalog.of(plan)
    entity, shot = _target(target, plan, catalog)
    trajectory = replay(plan, catalog)
    at_end = shot is None
    number = len(plan.shots) if shot is None else shot
    chains = {
        attribute: trajectory.causes(entity, attribute, shot=number, closing=at_end)
        for attribute in (None, *catalog.attributes[entity])
    }
    if json_output:
        print_json(_data(plan, catalog, trajectory, entity, number, at_end, chains))
    else:
        _print(plan, catalog, trajectory, entity, number, at_end, chains)


def _target(target: str, plan: SemanticPlan, catalog: Catalog) -> tuple[str, int | None]:
    match = re.fullmatch(r"([^@]+)(?:@(\d+))?", target)
    if not match:
        raise InputError(f"{target!r} is no target.", next_step="Write an entity, or entity@shot: backpack@4.")
    entity, shot = match[1], int(match[2]) if match[2] else None
    by_name = {known.name.lower(): known.id for known in catalog.entities.values()}
    entity = by_name.get(entity.lower(), entity)
    if entity not in catalog.entities:
        raise InputError(
            f"The plan holds no entity {entity!r}{did_you_mean(entity, catalog.entities)}",
            next_step=f"It holds: {', '.join(catalog.entities)}.",
        )
    if shot is not None and not 1 <= shot <= len(plan.shots):
        raise InputError(f"There is no shot {shot}; the plan has shots 1 to {len(plan.shots)}.")
    return entity, shot


Chains = dict[str | None, tuple[Change, ...]]


def _data(
    plan: SemanticPlan, catalog: Catalog, trajectory: Trajectory, entity: str, shot: int, at_end: bool, chains: Chains
) -> dict[str, Any]:
    states = trajectory.shots[shot - 1]
    where = whereabouts(catalog, states.closing if at_end else states.opening, entity)
    return {
        "entity": entity,
        "shot": shot,
        "moment": "closing" if at_end else "opening",
        "environment": where.environment,
        "hidden_in": where.hidden_in,
        "facts": [
            {
                "fact": str(chain[-1].after),
                "statement": render(claim_of(chain[-1].after), catalog),
                "chain": [_change_data(plan, change) for change in chain],
            }
            for chain in chains.values()
        ],
    }


def _change_data(plan: SemanticPlan, change: Change) -> dict[str, Any]:
    return {
        "cause": str(change.cause),
        "shot": change.cause.shot,
        "on_screen": change.cause.on_screen,
        "action": _action(plan, change),
        "before": str(change.before) if change.before else None,
        "after": str(change.after),
    }


def _action(plan: SemanticPlan, change: Change) -> str | None:
    if change.cause.shot == 0:
        return None
    shot = plan.shots[change.cause.shot - 1]
    return (shot.events if change.cause.on_screen else shot.offscreen)[change.cause.number - 1].action


def _print(
    plan: SemanticPlan, catalog: Catalog, trajectory: Trajectory, entity: str, shot: int, at_end: bool, chains: Chains
) -> None:
    console = out()
    moment = f"at the end of shot {shot}" if at_end else f"as shot {shot} opens"
    console.print(f"[bold]{escape(capitalised(the(catalog.entities[entity].name)))}[/] {moment}")
    for chain in chains.values():
        console.print(f"\n  {escape(render(claim_of(chain[-1].after), catalog))}")
        for change in reversed(chain):
            action = _action(plan, change)
            because = f"{change.cause}: {action}" if action else "so from the beginning"
            console.print(f"    [dim]{'because' if change is chain[-1] else 'before that'}[/]  {escape(because)}")
    states = trajectory.shots[shot - 1]
    where = whereabouts(catalog, states.closing if at_end else states.opening, entity)
    if where.chain:
        here = the(catalog.environments[where.environment].name) if where.environment else "off screen"
        links = " → ".join(the(catalog.entities[link].name) for link in where.chain)
        hidden = f", out of sight in {the(catalog.entities[where.hidden_in].name)}" if where.hidden_in else ""
        console.print(f"\n  [dim]so it is with[/] {escape(links)} [dim]in[/] {escape(here)}{escape(hidden)}")
