"""`storyengine state`: who and what is where, before and after every shot."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from storyengine.cli.output import JsonOption, PlanArgument, open_plan, out, print_json
from storyengine.errors import InputError
from storyengine.language.sentences import the, where_in_words
from storyengine.plan import Catalog, Offscreen, SemanticPlan
from storyengine.state import ShotStates, Trajectory, World, is_visible, replay


def state(
    plan_file: PlanArgument,
    shot: Annotated[int | None, typer.Option(help="Only this shot, counted from 1.")] = None,
    json_output: JsonOption = False,
) -> None:
    """Show the world before and after every shot, with changes marked.

    ● can be seen from a camera in the shot's place, ○ cannot. What changed during a shot is shown as
    [bold]before → after[/]; what changed off screen, before it opened, is marked ↷.
    """
    plan = open_plan(plan_file)
    if shot is not None and not 1 <= shot <= len(plan.shots):
        raise InputError(f"There is no shot {shot}; {plan_file} has shots 1 to {len(plan.shots)}.")
    catalog = Catalog.of(plan)
    trajectory = replay(plan, catalog)
    numbers = [shot] if shot else range(1, len(plan.shots) + 1)
    if json_output:
        shots = [_shot_data(plan, catalog, trajectory, number) for number in numbers]
        print_json({"plan": str(plan_file), "initial": trajectory.initial.data(), "shots": shots})
        return
    for number in numbers:
        out().print(shot_table(plan, catalog, trajectory, number))


def _shot_data(plan: SemanticPlan, catalog: Catalog, trajectory: Trajectory, number: int) -> dict[str, Any]:
    states, place = trajectory.shots[number - 1], plan.shots[number - 1].environment
    return {
        "shot": number,
        "environment": place,
        "opening": _world_data(catalog, states.opening, place),
        "closing": _world_data(catalog, states.closing, place),
        "changed": [entity for entity in states.opening if states.opening[entity] != states.closing[entity]],
    }


def _world_data(catalog: Catalog, world: World, place: str) -> dict[str, Any]:
    data = world.data()
    for entity, entry in data.items():
        entry["visible"] = is_visible(catalog, world, entity, place)
    return data


def shot_table(plan: SemanticPlan, catalog: Catalog, trajectory: Trajectory, number: int) -> Table:
    shot, states = plan.shots[number - 1], trajectory.shots[number - 1]
    place = catalog.environments.get(shot.environment)
    name = place.name if place else shot.environment
    table = Table(
        title=f"Shot {number} · {escape(name)} · {shot.seconds:g} s",
        title_style="bold",
        title_justify="left",
        caption="\n".join(escape(event.action) for event in shot.events) or None,
        caption_justify="left",
        caption_style="italic",
        expand=False,
    )
    for heading in ("", "who or what", "where", "state"):
        table.add_column(heading)
    before_opening = trajectory.shots[number - 2].closing if number > 1 else trajectory.initial
    for entity in catalog.entities:
        table.add_row(*_entity_row(catalog, entity, before_opening, states, shot.environment))
    return table


def _entity_row(catalog: Catalog, entity: str, earlier: World, states: ShotStates, place: str) -> tuple[str, ...]:
    opening, closing = states.opening[entity], states.closing[entity]
    visible = [is_visible(catalog, world, entity, place) for world in (states.opening, states.closing)]
    mark = "●" if all(visible) else "◐" if any(visible) else "○"
    arrived = "↷ " if earlier[entity].placement != opening.placement else ""
    wheres = [_where(catalog, world, entity) for world in (states.opening, states.closing)]
    values = [(name, opening.attributes[name], closing.attributes[name]) for name in opening.attributes]
    attributes = ", ".join(f"{name} {_change(before, after)}" for name, before, after in values)
    style = "" if any(visible) else "dim"
    cells = (mark, escape(the(catalog.entities[entity].name)), arrived + _change(*wheres), attributes)
    return tuple(f"[{style}]{cell}[/]" if style and cell else cell for cell in cells)


def _where(catalog: Catalog, world: World, entity: str) -> str:
    placement = world[entity].placement
    return "off screen" if isinstance(placement, Offscreen) else where_in_words(placement, catalog)


def _change(before: str, after: str) -> str:
    return escape(before) if before == after else f"[bold]{escape(before)} → {escape(after)}[/]"
