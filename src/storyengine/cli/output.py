"""How commands speak: results on stdout, everything else on stderr, one JSON line when asked."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from storyengine import documents
from storyengine.documents import Document
from storyengine.errors import ExitCode, InputError, StoryEngineError
from storyengine.files import read_text
from storyengine.plan import SemanticPlan, is_plan, read_plan

JsonOption = Annotated[bool, typer.Option("--json", help="Print exactly one JSON line on stdout.")]
PlanArgument = Annotated[Path, typer.Argument(help="A plan, YAML or JSON.", show_default=False)]


def out() -> Console:
    """Made anew each time, so that it writes to today's stdout."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def err() -> Console:
    return Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(data: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n")


def print_error(error: StoryEngineError, *, as_json: bool) -> None:
    if as_json:
        body = {"kind": type(error).__name__, "message": error.message, "next_step": error.next_step}
        print_json({"ok": False, "exit_code": int(error.exit_code), "error": body})
    err().print(f"[bold red]error:[/] {escape(error.message)}")
    if error.next_step:
        err().print(f"[dim]{escape(error.next_step)}[/]")


def finish(code: ExitCode) -> None:
    """End the command with an exit code; returns only for OK."""
    if code is not ExitCode.OK:
        raise typer.Exit(int(code))


def open_document(path: Path) -> Document:
    return documents.parse(read_text(path), str(path))


def open_plan(path: Path) -> SemanticPlan:
    """A plan from a file; a brief given by mistake is recognised."""
    document = open_document(path)
    if not is_plan(document) and isinstance(document.data, dict) and "idea" in document.data:
        raise InputError(
            f"{path} is a brief, and a plan is needed here.", next_step=f"Make one with: storyengine plan {path}"
        )
    return read_plan(document)
