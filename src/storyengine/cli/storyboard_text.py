"""A plan as a storyboard in words: shot by shot where it plays, who is there, what happens, what changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from storyengine.check import Finding, Findings
from storyengine.language.sentences import the, where_in_words
from storyengine.plan import Catalog, Offscreen, SemanticPlan, Shot
from storyengine.planning.planned import Planned
from storyengine.state import EntityState, ShotStates, is_visible, replay


@dataclass(frozen=True)
class ShotText:
    """One shot in words."""

    number: int
    place: str
    seconds: float
    there: tuple[str, ...]
    """People seen in the shot, then the things that the camera wants in frame."""
    before: tuple[str, ...]
    """What happens unseen before the shot opens."""
    happens: tuple[str, ...]
    changes: tuple[str, ...]
    """What is different when the shot closes: `the red backpack: held by Mina → in the grey locker`."""
    anchors: tuple[str, ...]
    """What is in frame on both sides of the cut into this shot."""
    shows: tuple[str, ...]
    """What the shot must or should show besides."""

    def data(self) -> dict[str, Any]:
        return asdict(self)


def storyboard(plan: SemanticPlan) -> tuple[ShotText, ...]:
    """The whole plan in words. Works on any plan, also one with findings."""
    catalog = Catalog.of(plan)
    trajectory = replay(plan, catalog)
    return tuple(
        _shot_text(catalog, number, shot, states)
        for number, (shot, states) in enumerate(zip(plan.shots, trajectory.shots, strict=True), start=1)
    )


def _shot_text(catalog: Catalog, number: int, shot: Shot, states: ShotStates) -> ShotText:
    place = catalog.environments.get(shot.environment)
    return ShotText(
        number=number,
        place=place.name if place else shot.environment,
        seconds=shot.seconds,
        there=tuple(_there(catalog, shot, states)),
        before=tuple(event.action for event in shot.offscreen),
        happens=tuple(event.action for event in shot.events),
        changes=tuple(_changes(catalog, states)),
        anchors=tuple(_names(catalog, shot.anchors)),
        shows=tuple(requirement.statement for requirement in shot.requirements),
    )


def _there(catalog: Catalog, shot: Shot, states: ShotStates) -> Iterator[str]:
    wanted = [entity.id for entity in catalog.characters()]
    wanted += [entity for entity in shot.view.subjects if entity in catalog.entities and entity not in wanted]
    for entity in wanted:
        if any(is_visible(catalog, world, entity, shot.environment) for world in (states.opening, states.closing)):
            yield catalog.entities[entity].name


def _names(catalog: Catalog, entities: Iterable[str]) -> Iterator[str]:
    for entity in entities:
        yield catalog.entities[entity].name if entity in catalog.entities else entity


def _changes(catalog: Catalog, states: ShotStates) -> Iterator[str]:
    for entity, opening in states.opening.items():
        closing = states.closing[entity]
        name = the(catalog.entities[entity].name)
        if opening.placement != closing.placement:
            yield f"{name}: {_where(catalog, opening)} → {_where(catalog, closing)}"
        for attribute, before in opening.attributes.items():
            after = closing.attributes[attribute]
            if before != after:
                part = "" if attribute == "state" else f", {attribute.replace('-', ' ').replace('_', ' ')}"
                yield f"{name}{part}: {before} → {after}"


def _where(catalog: Catalog, state: EntityState) -> str:
    return "off screen" if isinstance(state.placement, Offscreen) else where_in_words(state.placement, catalog)


# --- printing --------------------------------------------------------------------------------------------------


def print_storyboard(console: Console, planned: Planned) -> None:
    """The storyboard, then what the planner assumed and did not use, then what the checks say."""
    plan = planned.plan
    seconds = sum(shot.seconds for shot in plan.shots)
    title = plan.title or plan.request.title or "Untitled"
    console.print(Text.assemble((title, "bold"), (f"  {len(plan.shots)} shots, {seconds:g} s", "dim")))
    for shot in storyboard(plan):
        console.print(Padding(_shot_block(shot), (1, 0, 0, 0), expand=False))
    _print_notes(console, "Assumed, because the brief does not say", planned.assumptions)
    unread = [f"{item.sentence}  ({item.reason})" for item in planned.unread]
    _print_notes(console, "Not used of the brief", unread)
    if planned.drafts:
        _print_notes(console, "Mended by the checks", (fix.summary for fix in planned.drafts[-1].fixes))
    print_findings(console, planned.findings)


def _shot_block(shot: ShotText) -> RenderableType:
    block = Table.grid(padding=(0, 2))
    block.add_column(justify="right", style="dim", min_width=7)
    block.add_column(overflow="fold")
    block.add_row(
        Text(f"{shot.number}", style="bold"),
        Text.assemble((shot.place, "bold cyan"), (f"  {shot.seconds:g} s", "dim")),
    )
    for label, lines, style in (
        ("there", (", ".join(shot.there),) if shot.there else (), ""),
        ("cut on", (", ".join(shot.anchors),) if shot.anchors else (), "magenta"),
        ("before", shot.before, "dim italic"),
        ("happens", shot.happens, ""),
        ("changes", shot.changes, "green"),
        ("shows", shot.shows, ""),
    ):
        for position, line in enumerate(lines):
            block.add_row(label if position == 0 else "", Text(line, style=style))
    return block


def _print_notes(console: Console, heading: str, notes: Iterable[str]) -> None:
    lines = list(notes)
    if lines:
        console.print()
        console.print(Text(heading, style="bold"))
        for line in lines:
            console.print(Text(f"  · {line}"))


def print_findings(console: Console, findings: Findings) -> None:
    """Findings in the words of a filmmaker; blocking ones in red."""
    if findings:
        console.print()
        console.print(Text("Findings", style="bold"))
    for finding in findings:
        console.print(_finding_line(finding))


def _finding_line(finding: Finding) -> Text:
    colour = "red" if finding.blocking else "yellow"
    text = Text.assemble(
        "  ",
        (finding.code, colour),
        f"  {finding.where}: {finding.rule.title}: saw {finding.saw}; wanted {finding.wanted}.",
    )
    if finding.fix:
        text.append(f" Fix: {finding.fix.summary}", style="dim")
    return text
