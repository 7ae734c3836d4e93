"""`storyengine doctor`: what is installed, configured and missing, with the command that fixes it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from rich.markup import escape

from storyengine.cli.output import JsonOption, finish, out, print_json
from storyengine.diagnosis import examine
from storyengine.errors import ExitCode

MARKS = {"good": "[green]✓[/]", "optional": "[dim]·[/]", "bad": "[red]✗[/]"}


def doctor(json_output: JsonOption = False) -> None:
    """Say what is installed, configured and missing, and how to mend it.

    Exit code 7: something that the embedded default needs is not in order. What is only needed for more is marked ·.
    """
    found = examine(Path())
    sound = all(symptom.state != "bad" for symptom in found)
    if json_output:
        print_json({"ok": sound, "symptoms": [asdict(symptom) for symptom in found]})
    else:
        for symptom in found:
            out().print(f"{MARKS[symptom.state]} {escape(symptom.what):<28} {escape(symptom.saw)}")
            if symptom.fix and symptom.state != "good":
                out().print(f"    [dim]{escape(symptom.fix)}[/]")
    finish(ExitCode.OK if sound else ExitCode.MACHINE)
