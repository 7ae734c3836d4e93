"""`storyengine why`: the chain of events behind a fact; in a project also why a shot is as it is, or stale."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from storyengine.change.projects import audit_of, find_project, project_plan, recall
from storyengine.change.reasons import Attempt, Reasons, reasons
from storyengine.change.target import Target, read_target
from storyengine.cli.output import JsonOption, open_plan, out, print_json
from storyengine.documents import did_you_mean
from storyengine.errors import BackendError, InputError
from storyengine.language import claim_of, render
from storyengine.language.sentences import capitalised, the
from storyengine.plan import Catalog, SemanticPlan
from storyengine.runs.project import read_journal
from storyengine.state import Change, Trajectory, replay, whereabouts


def why(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WHERE] TARGET",
            help="WHERE is a plan or a project's folder [dim](default: the newest here)[/]. TARGET is an entity, "
            "or an entity as a shot opens (backpack, backpack@4); in a project also a shot (4) or its opening "
            "(4.opening).",
            show_default=False,
        ),
    ],
    json_output: JsonOption = False,
) -> None:
    """Say why something is as it is.

    Of an entity: the events that led there, in story order. Of a shot or opening: why this take, why this gate mode,
    and why the next [bold]make[/] would touch it.
    """
    where, target = _words(words)
    if re.fullmatch(r"\d+(\.opening)?", target):
        _why_shot(find_project(_folder(where)), target, json_output=json_output)
    else:
        _why_fact(_plan_file(where), target, json_output=json_output)


def _words(words: list[str]) -> tuple[Path | None, str]:
    if len(words) > 2:
        raise InputError(f"{len(words)} words are too many.", next_step="Write: storyengine why [WHERE] TARGET")
    return (Path(words[0]), words[1]) if len(words) == 2 else (None, words[0])


def _folder(where: Path | None) -> Path | None:
    """A project's folder, also where its plan was named."""
    return where.parent if where is not None and where.is_file() else where


def _plan_file(where: Path | None) -> Path:
    if where is None or where.is_dir():
        return find_project(where) / "plan.yaml"
    return where


def _why_shot(folder: Path, text: str, *, json_output: bool) -> None:
    """From the record of the shot, and from a rehearsal of what `make` would do now."""
    plan = project_plan(folder)
    target = read_target(text, plan)
    assert target.shot is not None
    audit = audit_of(folder, target.shot)
    try:
        stale = _stale(folder, plan, target.shot)
    except BackendError as error:  # a backend that cannot be hired here, for want of a key
        stale = (f"not known: {error.message}",)
    found = reasons(audit, stale)
    if json_output:
        print_json({"ok": True, "project": str(folder), "target": str(target), **found.data()})
    else:
        _print_reasons(found, target)


def _stale(folder: Path, plan: SemanticPlan, shot: int) -> tuple[str, ...]:
    from storyengine.making import Making, outlook  # numpy, OpenCV and numba are loaded only where they are needed

    with read_journal(folder) as journal:
        before = recall(journal)
    found = outlook(plan, folder, Making(before.profile, before.fallibility), seed=before.seed).forecast
    forecast = next(one for one in found.shots if one.shot == shot)
    if forecast.fate == "kept":
        return ()
    return forecast.causes or ("another take is chosen",)


def _print_reasons(found: Reasons, target: Target) -> None:
    console = out()
    console.print(f"[bold]Shot {found.shot}[/]")
    if target.kind == "shot":
        console.print(f"\n  [bold]This take:[/] {escape(found.take)}")
        _print_attempts(found.candidates)
    console.print(f"\n  [bold]This opening:[/] {escape(found.gate)}")
    _print_attempts(found.openings)
    for statement in found.degraded:
        console.print(f"  [yellow]required, and missed:[/] {escape(statement)}")
    if found.stale:
        console.print("\n  [bold]Stale:[/] the next make touches it")
        for cause in found.stale:
            console.print(f"    [dim]because[/] {escape(cause)}")
    else:
        console.print("\n  [dim]Not stale: the next make keeps it.[/]")


def _print_attempts(attempts: tuple[Attempt, ...]) -> None:
    for attempt in attempts:
        mark = "[green]in the film[/]" if attempt.used else "[dim]not used[/]"
        out().print(f"    {escape(attempt.name)}: {escape(attempt.verdict)} ({mark})")
        for statement in attempt.missed[:3]:
            out().print(f"      [dim]not so:[/] {escape(statement)}")


def _why_fact(plan_file: Path, target: str, *, json_output: bool) -> None:
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
