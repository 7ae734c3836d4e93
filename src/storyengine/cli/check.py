"""`storyengine check`: is this brief or plan sound?"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from storyengine import documents
from storyengine.check import Finding, Findings, Fix, check_plan, mend_plan
from storyengine.cli.output import JsonOption, err, finish, open_document, out, print_json
from storyengine.documents import Document, with_lines
from storyengine.errors import ExitCode
from storyengine.files import write_text
from storyengine.plan import Catalog, SemanticPlan, is_plan, plan_json, plan_yaml, read_plan
from storyengine.request import read_request
from storyengine.state import replay


def check(
    file: Annotated[Path, typer.Argument(help="A brief or a plan, YAML or JSON.", show_default=False)],
    fix: Annotated[bool, typer.Option("--fix", help="Apply the fixes that findings offer and save the file.")] = False,
    criteria: Annotated[
        bool, typer.Option("--criteria", help="Count what every shot must show, by phase and kind of evidence.")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Check a brief or a plan before a cent is spent.

    Says what is wrong, where, what was wanted, and what would mend it; every code is explained in
    docs/findings.md. Exit code 0: sound (advice may remain), 1: blocking findings, 2: not a valid brief or plan.
    """
    document = open_document(file)
    if not is_plan(document):
        request = read_request(document)
        if json_output:
            print_json({"ok": True, "file": str(file), "kind": "brief", "shots": request.shots, "findings": []})
        else:
            out().print(f"[bold green]sound[/]  {escape(str(file))}: a brief for {request.shots} shots")
        return
    plan = read_plan(document)
    fixes: tuple[Fix, ...] = ()
    if fix:
        plan, fixes = mend_plan(plan)
        _save(file, document, plan, fixes)
    findings = check_plan(plan)
    code = _verdict(findings)
    counted = _count(plan) if criteria and code is ExitCode.OK else {}
    if json_output:
        print_json(
            {
                "ok": code is ExitCode.OK,
                "file": str(file),
                "kind": "plan",
                "shots": len(plan.shots),
                "fixed": [applied.summary for applied in fixes],
                "findings": [finding.data() for finding in findings],
                **({"criteria": {str(shot): dict(kinds) for shot, kinds in counted.items()}} if counted else {}),
            }
        )
    else:
        _print(file, with_lines(document), findings, fixes, code)
        if counted:
            out().print(_table(counted))
    finish(code)


def _count(plan: SemanticPlan) -> dict[int, Counter[str]]:
    """Required criteria of every shot; which camera shows what is foreseen, since nothing is painted yet."""
    from storyengine.contract import compile_contracts, count_required
    from storyengine.grounding.contexts import planned_contexts  # loads the libraries that paint

    catalog = Catalog.of(plan)
    trajectory = replay(plan, catalog)
    return count_required(compile_contracts(plan, trajectory, planned_contexts(plan, catalog, trajectory)))


def _table(counted: dict[int, Counter[str]]) -> Table:
    phases = ("start", "motion", "end", "always")
    table = Table("shot", "all", *phases, title="Required criteria", box=box.SIMPLE)
    total: Counter[str] = sum(counted.values(), Counter())
    for name, counts in [*counted.items(), ("film", total)]:
        cells = []
        for phase in phases:
            kinds = sorted(kind for kind in counts if kind.startswith(f"{phase} "))
            cells.append(", ".join(f"{counts[kind]} {kind.removeprefix(phase).strip()}" for kind in kinds))
        table.add_row(str(name), str(counts.total()), *cells, end_section=name == len(counted))
    return table


def _verdict(findings: Findings) -> ExitCode:
    if findings.structural:
        return ExitCode.INVALID
    return ExitCode.FINDINGS if findings.blocking else ExitCode.OK


def _save(file: Path, document: Document, plan: SemanticPlan, fixes: tuple[Fix, ...]) -> None:
    """Write the mended plan back; YAML keeps its comments."""
    if not fixes:
        return
    edits = [edit for fix in fixes for edit in fix.edits]
    if document.text.lstrip().startswith("{"):
        write_text(file, plan_json(plan) + "\n")
        return
    text = documents.edit_yaml(document.text, edits)
    if read_plan(documents.parse(text, str(file))) == plan:
        write_text(file, text)
        return
    err().print("[yellow]The comments of the file could not be kept.[/]")
    write_text(file, plan_yaml(plan))


def _print(file: Path, document: Document, findings: Findings, fixes: tuple[Fix, ...], code: ExitCode) -> None:
    console = out()
    for applied in fixes:
        console.print(f"[green]fixed[/]  {escape(applied.summary)}")
    for finding in findings:
        _print_finding(document, finding, located=not fixes)
    blocking, advice = len(findings.blocking), len(findings) - len(findings.blocking)
    verdict = {
        ExitCode.OK: "[bold green]sound[/]",
        ExitCode.FINDINGS: "[bold red]not sound[/]",
        ExitCode.INVALID: "[bold red]not valid[/]",
    }[code]
    counts = f"{blocking} blocking, {advice} advice" if findings else "nothing found"
    console.print(f"{verdict}  {escape(str(file))}: {counts}")
    fixable = len(findings.fixable)
    if fixable and not fixes:
        console.print(f"[dim]{fixable} can be fixed with: storyengine check {escape(str(file))} --fix[/]")


def _print_finding(document: Document, finding: Finding, *, located: bool) -> None:
    console = out()
    colour = "red" if finding.blocking else "yellow"
    at = document.place(finding.path) if located else document.source
    console.print(f"[{colour}]{finding.code}[/]  {escape(finding.where)}  [dim]{escape(at)}[/]")
    console.print(f"    {escape(finding.rule.title)}: saw {escape(finding.saw)}; wanted {escape(finding.wanted)}.")
    if finding.fix:
        console.print(f"    [dim]fix: {escape(finding.fix.summary)}[/]")
