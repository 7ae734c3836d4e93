"""`storyengine demo`: what StoryEngine can do today, on a story that comes with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from storyengine.check import check_plan
from storyengine.cli.output import out
from storyengine.cli.state import shot_table
from storyengine.demo import demo_plan, plan_text
from storyengine.files import write_text
from storyengine.plan import Catalog
from storyengine.state import replay


def demo(
    folder: Annotated[Path, typer.Option("--out", help="Where to put the plan.")] = Path("films/notebook"),
) -> None:
    """Tell the story of the forgotten notebook: its plan, its checks, its world shot by shot."""
    console = out()
    plan = demo_plan()
    catalog = Catalog.of(plan)
    trajectory = replay(plan, catalog)
    console.print(f"[bold]{escape(plan.title)}[/]\n{escape(plan.request.idea)}\n")
    for number in range(1, len(plan.shots) + 1):
        console.print(shot_table(plan, catalog, trajectory, number))
        console.print()
    findings = check_plan(plan)
    console.print(
        f"Checked: {len(findings.blocking)} blocking findings, {len(findings) - len(findings.blocking)} advice."
    )
    path = folder / "plan.yaml"
    write_text(path, plan_text())
    console.print(f"\nThe plan is in [bold]{escape(str(path))}[/]. No film is rendered yet; try:")
    for command in (f"why {path} backpack@4", f"state {path} --shot 4", f"check {path}"):
        console.print(f"  storyengine {escape(command)}")
