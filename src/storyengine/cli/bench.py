"""`storyengine bench`: look at the benchmark, export what a method may see, prove its numbers."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from storyengine.bench.briefs import BRIEF, brief_text, known, story_ids
from storyengine.bench.index import ENTRIES, MINI, VERSION, Suite
from storyengine.bench.sheet import Lighting, Sheet
from storyengine.bench.story import Story, load_story
from storyengine.bench.story_checks import letters
from storyengine.bench.t20_checks import changes_place
from storyengine.bench.verify import Verdict, verify
from storyengine.cli.output import JsonOption, err, finish, out, print_json
from storyengine.errors import ExitCode, InputError
from storyengine.files import read_text, write_text

app = typer.Typer(
    name="bench", help="The 60-story benchmark: list it, read it, export its briefs, verify it.", no_args_is_help=True
)

_SuiteOption = Annotated[Suite | None, typer.Option("--suite", help="Only this suite.", case_sensitive=False)]
_MiniOption = Annotated[bool, typer.Option("--mini", help="Only the fifteen stories of the mini set.")]

_COLOURS = {"A": "black on cyan", "B": "black on yellow"}


@app.command("list")
def list_stories(suite: _SuiteOption = None, mini: _MiniOption = False, as_json: JsonOption = False) -> None:
    """List the stories with their category and location plan."""
    plans = {story: letters(load_story(story).sheet) for story in story_ids(suite, mini=mini)}
    if as_json:
        rows = [{**asdict(ENTRIES[story]), "plan": plan, "mini": story in MINI} for story, plan in plans.items()]
        print_json({"ok": True, "version": VERSION, "stories": rows})
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("story", "category", "shots by place", "mini"):
        table.add_column(heading, no_wrap=True)
    for story, plan in plans.items():
        table.add_row(story, ENTRIES[story].category, _strip(plan), "mini" if story in MINI else "")
    console = out()
    console.print(table)
    console.print(f"{len(plans)} stories, benchmark version {VERSION}", style="dim")


def _strip(plan: str) -> Text:
    """The location plan as coloured cells; the letters say it where there are no colours."""
    return Text.assemble(*((f"{letter} ", _COLOURS[letter]) for letter in plan))


@app.command()
def show(story: Annotated[str, typer.Argument(help="The story, such as n20-bakehouse-peel-rack.")]) -> None:
    """Show a story: its brief, its places over the ten shots, and what it is scored against."""
    found = load_story(story)
    console = out()
    entry = ENTRIES[found.id]
    mark = " · mini set" if found.id in MINI else ""
    console.rule(Text(f"{entry.title}  ·  {entry.suite}  ·  {entry.category}{mark}", style="bold"))
    for part in (*_brief(found), _places(found.sheet), *_suite_blocks(found.sheet)):
        # Text inside a frame or a column has to be broken, even where a pipe would let lines run on.
        console.print(Padding(part, (1, 0, 0, 0)), soft_wrap=False)


def _brief(story: Story) -> list[RenderableType]:
    brief = story.brief
    size = f"{brief.delivery.width}×{brief.delivery.height}, {brief.delivery.fps} fps"
    facts = Table.grid(padding=(0, 2))
    facts.add_row(Text("style", style="bold"), Text(brief.style or ""))
    facts.add_row(Text("required", style="bold"), Text(", ".join(brief.required_entities)))
    facts.add_row(Text("forbidden", style="bold"), Text(", ".join(brief.forbidden_content)))
    facts.add_row(Text("delivery", style="bold"), Text(f"{brief.shots} shots, {size}"))
    return [Panel(Text(_reflowed(brief.idea)), title="brief: all that a method sees", title_align="left"), facts]


def _reflowed(text: str) -> str:
    """Paragraphs and list items as the author meant them, without the line ends of the file."""
    return re.sub(r"(?<!\n)\n(?!\n| *(?:-|\d+[.)]) )\s*", " ", text)


def _places(sheet: Sheet) -> RenderableType:
    plan = letters(sheet)
    numbers = Text.assemble(*((f" {shot:^3} ", _COLOURS[letter]) for shot, letter in enumerate(plan, start=1)))
    marks = Text.assemble(*((f" {letter:^3} ", _COLOURS[letter]) for letter in plan))
    legend = Table.grid(padding=(0, 2))
    for letter, place in zip("AB", sheet.places, strict=True):
        legend.add_row(Text(f" {letter} ", style=_COLOURS[letter]), Text(place.name, style="bold"), Text(place.look))
    return Group(Text("places", style="bold"), numbers, marks, legend)


def _suite_blocks(sheet: Sheet) -> list[RenderableType]:
    people = Table.grid(padding=(0, 2))
    for entity in (*sheet.cast, *sheet.props):
        people.add_row(Text(entity.name, style="bold"), Text(entity.look))
    blocks: list[RenderableType] = [Group(Text("cast and props", style="bold"), people)]
    if sheet.events:
        blocks += [_events(sheet), _order(sheet)]
    if sheet.distractors:
        blocks.append(_distractors(sheet))
    if sheet.anchors:
        blocks += [_anchors(sheet), _states(sheet)]
    if sheet.lighting:
        blocks.append(_lighting(sheet, sheet.lighting))
    return blocks


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", header_style="dim", box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading)
    return table


def _events(sheet: Sheet) -> Table:
    places = {place.id: place.name for place in sheet.places}
    table = _table("required events", "", "event", "place", "before", "after")
    for number, event in enumerate(sheet.events, start=1):
        row = (str(number), event.sentence, places[event.place], event.before.sentence, event.after.sentence)
        table.add_row(*map(Text, row))
    return table


def _order(sheet: Sheet) -> Text:
    rules = "; ".join(f"{rule.first} before {rule.then}" for rule in sheet.order)
    return Text.assemble(("order  ", "bold"), rules)


def _distractors(sheet: Sheet) -> Table:
    table = _table("distractors", "from", "event")
    for distractor in sheet.distractors:
        table.add_row(Text(distractor.story), Text(distractor.sentence))
    return table


def _anchors(sheet: Sheet) -> Table:
    names = {entity.id: entity.name for entity in (*sheet.cast, *sheet.props)}
    table = _table("anchors", "cut into", "anchor", "across")
    for anchor in sheet.anchors:
        across = f"{anchor.how} by {names.get(anchor.carried_by or '', '')}" if anchor.how else ""
        style = "bold" if changes_place(sheet, anchor.into_shot) else ""
        table.add_row(*(Text(cell, style=style) for cell in (str(anchor.into_shot), names[anchor.entity], across)))
    return table


def _states(sheet: Sheet) -> Table:
    places = {place.id: place.name for place in sheet.places}
    table = _table("one-way states", "job", "place", "before", "after")
    for state in sheet.states:
        table.add_row(*map(Text, (state.job, places[state.place], state.before.sentence, state.after.sentence)))
    return table


def _lighting(sheet: Sheet, lighting: Lighting) -> Group:
    places = {place.id: place.name for place in sheet.places}
    said = "a single look"
    if contrast := lighting.contrast:
        said = f"the {places[contrast.place]} is {contrast.relation} than the {places[contrast.than]}"
    return Group(Text.assemble(("lighting  ", "bold"), said), Text(f"“{lighting.quote}”", style="italic"))


@app.command()
def briefs(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put one folder per story.")],
    suite: _SuiteOption = None,
    mini: _MiniOption = False,
) -> None:
    """Export the briefs, which are all that a method may see: DIR/STORY/brief.yaml."""
    wanted = {folder / known(story) / BRIEF: brief_text(story) for story in story_ids(suite, mini=mini)}
    other = [path for path, text in wanted.items() if path.exists() and read_text(path) != text]
    if other:
        raise InputError(
            f"{other[0]} exists and differs from the benchmark's brief, as do {len(other) - 1} others."
            if len(other) > 1
            else f"{other[0]} exists and differs from the benchmark's brief.",
            next_step="Nothing was written. Choose another folder, or move these files away.",
        )
    for path, text in wanted.items():
        write_text(path, text)
    err().print(f"{len(wanted)} briefs in {folder}", markup=False)


@app.command("verify")
def verify_command(as_json: JsonOption = False) -> None:
    """Prove every number of the benchmark from its data, and that no story has changed since it was frozen."""
    verdict = verify()
    if as_json:
        print_json(_verdict_data(verdict))
    else:
        _print_verdict(verdict, out())
    finish(ExitCode.OK if verdict.ok else ExitCode.FINDINGS)


def _verdict_data(verdict: Verdict) -> dict[str, Any]:
    return {"ok": verdict.ok, "version": verdict.version} | {
        name: [asdict(item) for item in getattr(verdict, name)] for name in ("figures", "findings", "nearest")
    }


def _print_verdict(verdict: Verdict, console: Console) -> None:
    table = _table(f"benchmark {verdict.version}", "figure", "claimed", "found", "ok")
    for figure in verdict.figures:
        good = Text("ok", style="green") if figure.ok else Text("NO", style="bold red")
        table.add_row(Text(figure.name), Text(figure.claimed), Text(figure.found), good)
    console.print(table)
    alike = _table("most alike", "similarity", "stories")
    for pair in verdict.nearest:
        alike.add_row(f"{pair.similarity:.3f}", f"{pair.first}, {pair.second}")
    console.print(Padding(alike, (1, 0)))
    for finding in verdict.findings:
        console.print(Text(str(finding)))
    wrong = len(verdict.findings) + sum(not figure.ok for figure in verdict.figures)
    console.print("Everything is as claimed." if verdict.ok else f"{wrong} problems.", style="bold")
