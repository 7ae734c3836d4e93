"""`storyengine plan`: from a brief to a plan, and the plan's schema."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import anyio
import typer
from rich.markup import escape

from storyengine.backends import Port, TextModel, available, load
from storyengine.check import Findings, check_plan
from storyengine.cli.consent import agree, planning_in_words
from storyengine.cli.output import JsonOption, err, finish, open_document, out, print_json
from storyengine.cli.storyboard_text import print_findings, print_storyboard, storyboard
from storyengine.documents import did_you_mean
from storyengine.errors import ExitCode, InputError, PlanInvalid, PlanUnsound
from storyengine.files import read_text, write_text
from storyengine.plan import SemanticPlan, is_plan, plan_json, plan_schema, plan_yaml, read_plan
from storyengine.planning import Draft, Planned, plan_with_model
from storyengine.planning.model_planner import MAX_CALLS
from storyengine.profile import EMBEDDED, Choice, Profile, read_profile
from storyengine.request import StoryRequest, read_request


@dataclass(frozen=True)
class Options:
    """What the command line says beyond the brief."""

    target: Path
    chosen: Choice
    max_calls: int
    yes: bool
    force: bool
    keep_drafts: bool
    json: bool


def plan(
    brief: Annotated[
        Path | None, typer.Argument(help="A brief, YAML or JSON. A plan is shown and checked.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the plan goes: .yaml or .json. [dim]Default: beside the brief.[/]"),
    ] = None,
    planner: Annotated[
        str | None, typer.Option(help="embedded (rules, free, offline), openai, google, openai-compatible.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="The language model, by its provider's name.")] = None,
    profile: Annotated[
        Path | None, typer.Option(help="Who plans. [dim]Default: profile.yaml beside the brief, if there is one.[/]")
    ] = None,
    max_calls: Annotated[int, typer.Option(min=1, max=20, help="Drafts a language model may write.")] = MAX_CALLS,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before calling a paid model.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a plan that is already there.")] = False,
    keep_drafts: Annotated[bool, typer.Option("--keep-drafts", help="Keep every draft, also on success.")] = False,
    json_output: JsonOption = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of a plan, one line.")] = False,
) -> None:
    """Turn a brief into a plan and show it as a storyboard in words.

    The plan says what is true in every shot; it can be edited, and [bold]storyengine check[/] says whether it still
    holds. What the planner assumed is listed. Exit code 1: no sound plan; the findings say why.
    """
    if schema:
        typer.echo(json.dumps(plan_schema(), ensure_ascii=False))
        return
    if brief is None:
        raise InputError("Which brief? None was given.", next_step="Make one with: storyengine new NAME")
    document = open_document(brief)
    if is_plan(document):
        _show_plan(brief, read_plan(document), output, force=force, json_output=json_output)
        return
    request = read_request(document)
    target = output or brief.with_name(f"{brief.stem}.plan.yaml")
    chosen = _chosen(brief, planner, model, profile)
    options = Options(target, chosen, max_calls, yes, force, keep_drafts, json_output)
    _plan_brief(brief, request, options)


def _show_plan(path: Path, plan: SemanticPlan, output: Path | None, *, force: bool, json_output: bool) -> None:
    """A plan instead of a brief: nothing to plan, but all there is to show."""
    planned = Planned(plan, findings=check_plan(plan))
    written = _write(output, plan, force=force) if output else False
    if json_output:
        print_json({**_result(path, planned, output or path, written), "planner": None})
    else:
        print_storyboard(out(), planned)
        out().print(f"\n{escape(str(path))} is already a plan; nothing was planned.")
        if output:
            _say_where(output, written)
    finish(_verdict(planned.findings))


def _plan_brief(brief: Path, request: StoryRequest, options: Options) -> None:
    try:
        planned = _embedded(request) if options.chosen.backend == EMBEDDED else _by_model(request, options)
    except (PlanUnsound, PlanInvalid) as error:
        _no_plan(brief, error, options)
        return
    written = _write(options.target, planned.plan, force=options.force)
    if options.json:
        print_json({**_result(brief, planned, options.target, written), "planner": options.chosen.backend})
    else:
        print_storyboard(out(), planned)
        out().print()
        _say_where(options.target, written)
    finish(_verdict(planned.findings))


def _embedded(request: StoryRequest) -> Planned:
    from storyengine.planning.embedded import plan_with_rules  # the reader's word lists are not needed elsewhere

    return plan_with_rules(request)


def _verdict(findings: Findings) -> ExitCode:
    return ExitCode.FINDINGS if findings.blocking else ExitCode.OK


def _no_plan(brief: Path, error: PlanUnsound | PlanInvalid, options: Options) -> None:
    """No sound plan: the findings are the result, so they go where results go."""
    findings = Findings(error.findings)
    if options.json:
        body = {"kind": type(error).__name__, "message": error.message, "next_step": error.next_step}
        listed = [finding.data() for finding in findings]
        code = int(ExitCode.FINDINGS)
        print_json({"ok": False, "exit_code": code, "brief": str(brief), "findings": listed, "error": body})
    else:
        out().print(f"[bold red]no sound plan[/]  {escape(str(brief))}")
        if findings:
            print_findings(out(), findings)
        else:
            out().print(escape(error.message))
        if error.next_step:
            out().print(f"[dim]{escape(error.next_step)}[/]")
    finish(ExitCode.FINDINGS)


def _result(source: Path, planned: Planned, target: Path, written: bool) -> dict[str, Any]:
    return {
        "ok": not planned.findings.blocking,
        "source": str(source),
        "plan": str(target),
        "written": written,
        "shots": [shot.data() for shot in storyboard(planned.plan)],
        "assumptions": list(planned.assumptions),
        "unread": [{"sentence": item.sentence, "reason": item.reason} for item in planned.unread],
        "findings": [finding.data() for finding in planned.findings],
        "drafts": [_draft_data(draft) for draft in planned.drafts],
    }


# --- who plans -------------------------------------------------------------------------------------------------


def _chosen(brief: Path, planner: str | None, model: str | None, profile: Path | None) -> Choice:
    """The planner: the command line first, then the profile, then the embedded one."""
    beside = brief.with_name("profile.yaml")
    file = profile or (beside if beside.is_file() else None)
    settings = read_profile(open_document(file)) if file else Profile()
    chosen = settings.planner
    if planner is not None and planner != chosen.backend:
        chosen = Choice(backend=planner)
    names = (EMBEDDED, *available(Port.TEXT))
    if chosen.backend not in names:
        raise InputError(
            f"Unknown planner {chosen.backend!r}{did_you_mean(chosen.backend, names)}",
            next_step=f"Available: {', '.join(names)}.",
        )
    if model is not None and chosen.backend == EMBEDDED:
        raise InputError(
            "The embedded planner has no language model.", next_step=f"Add --planner {' or '.join(names[1:])}."
        )
    return chosen.model_copy(update={"model": model}) if model else chosen


def _by_model(request: StoryRequest, options: Options) -> Planned:
    if options.target.exists() and not options.force:
        raise _in_the_way(options.target)  # before a cent is spent
    text_model: TextModel = load(Port.TEXT, options.chosen.backend)(**options.chosen.options())
    _ask_first(request, text_model, options)
    drafts: list[Draft] = []

    def keep(draft: Draft) -> None:
        drafts.append(draft)
        err().print(f"[dim]{escape(_progress(draft))}[/]")

    async def run() -> Planned:
        return await plan_with_model(request, text_model, max_calls=options.max_calls, keep=keep)

    try:
        planned = anyio.run(run)
    except BaseException:
        _save_drafts(options.target, drafts)  # they were paid for, whatever happened after
        raise
    if options.keep_drafts:
        _save_drafts(options.target, drafts)
    return planned


def _ask_first(request: StoryRequest, text_model: TextModel, options: Options) -> None:
    name = getattr(text_model, "model", options.chosen.backend)
    said = planning_in_words(request, options.chosen.backend, name, options.max_calls)
    free = "The embedded planner is free: --planner embedded."
    agree(said, "A language model", yes=options.yes, instead=free)


def _progress(draft: Draft) -> str:
    if draft.plan is None:
        return f"draft {draft.number}: not a plan ({', '.join(sorted(draft.findings.codes()))})"
    mended = f", {len(draft.fixes)} mended" if draft.fixes else ""
    left = len(draft.left.blocking)
    return f"draft {draft.number}: {'sound' if not left else f'{left} blocking findings'}{mended}"


# --- files -----------------------------------------------------------------------------------------------------


def _write(target: Path, plan: SemanticPlan, *, force: bool) -> bool:
    """Write the plan; False when exactly it is there already. A plan that differs is somebody's work."""
    text = plan_json(plan) + "\n" if target.suffix == ".json" else plan_yaml(plan)
    if target.exists() and not force:
        if target.is_file() and read_text(target) == text:
            return False
        raise _in_the_way(target)
    write_text(target, text)
    return True


def _in_the_way(target: Path) -> InputError:
    return InputError(
        f"{target} is there already and may have been edited.",
        next_step="Add --force to replace it, or name another file with -o.",
    )


def _say_where(target: Path, written: bool) -> None:
    said = "The plan is in" if written else "Nothing changed; the plan is in"
    out().print(f"{said} [bold]{escape(str(target))}[/].")


def _save_drafts(target: Path, drafts: list[Draft]) -> None:
    """Every draft in a folder of its own beside the plan; earlier ones stay."""
    if not drafts:
        return
    name = target.name.split(".")[0]
    runs = (target.parent / "drafts" / f"{name}-{number}" for number in range(1, sys.maxsize))
    folder = next(folder for folder in runs if not folder.exists())
    for draft in drafts:
        write_text(folder / f"{draft.number}-answer.txt", draft.text)
        if draft.plan is not None:
            write_text(folder / f"{draft.number}-mended.plan.yaml", plan_yaml(draft.plan))
        notes = json.dumps(_draft_data(draft), ensure_ascii=False, indent=2)
        write_text(folder / f"{draft.number}-findings.json", notes + "\n")
    err().print(f"Drafts are kept in {escape(str(folder))}.")


def _draft_data(draft: Draft) -> dict[str, Any]:
    return {
        "number": draft.number,
        "model": draft.model,
        "cost_dollars": None if draft.cost is None else draft.cost / 1e6,
        "findings": [finding.data() for finding in draft.findings],
        "fixes": [fix.summary for fix in draft.fixes],
        "left": [finding.data() for finding in draft.left],
    }
