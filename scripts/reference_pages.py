"""The reference pages under docs/ that are generated, each as a function that returns its text."""

import json
import os
from pathlib import Path
from unittest.mock import patch

from typer.testing import CliRunner

from storyengine import documents
from storyengine.check import CODES, check_plan
from storyengine.check.checking import edited
from storyengine.check.examples import EXAMPLES
from storyengine.demo import demo_plan
from storyengine.documents import Edit, field_name
from storyengine.errors import ExitCode
from storyengine.plan import SemanticPlan, plan_data, plan_schema

NOTICE = "<!-- Made by scripts/docs; edit the code instead. -->\n"


def findings_page() -> str:
    """Every code with its reason and an example that triggers it, taken from a real run of the check."""
    demo = plan_data(demo_plan())
    parts = [NOTICE, "# Findings\n"]
    parts.append(
        f"`storyengine check` knows {len(CODES)} kinds of finding. *Structure* makes a file a plan at all (exit code "
        "2); *sense* makes the story hold (exit code 1); *advice* may be ignored. The examples change the demo story, "
        "[plan.yaml](../src/storyengine/demo/plan.yaml).\n"
    )
    for code in CODES.values():
        kind = code.kind if code.blocking else "advice"
        plan = SemanticPlan.model_validate(edited(demo, EXAMPLES[code.code]))
        finding = next(f for f in check_plan(plan) if f.code == code.code)
        fix = f"\n> fix: {finding.fix.summary}" if finding.fix else ""
        parts.append(
            f"## {code.code}\n\n*{kind}* · {code.title}. {code.reason}\n\n"
            f"```yaml\n{_shown(EXAMPLES[code.code])}```\n\n"
            f"> {finding.where}: saw {finding.saw}; wanted {finding.wanted}.{fix}\n"
        )
    return "\n".join(parts)


def _shown(edits: tuple[Edit, ...]) -> str:
    lines = []
    for edit in edits:
        path = field_name(edit.path[:-1] if edit.op == "insert" else edit.path)
        verb = {"put": "becomes", "insert": "gains", "remove": "is removed"}[edit.op]
        lines.append(f"# {path} {verb}")
        if edit.op != "remove":
            value = [edit.value] if edit.op == "insert" else edit.value
            text = documents.to_yaml(value) if isinstance(value, (list, dict)) else f"{json.dumps(value)}\n"
            lines.append(text.rstrip("\n"))
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """The help of every command, as the terminal prints it."""
    parts = [NOTICE, "# Commands\n"]
    for command in _commands():
        text = _help(command)
        parts.append(f"## {' '.join(['storyengine', *command])}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def _commands() -> list[list[str]]:
    from storyengine.cli.main import app

    found: list[list[str]] = [[]]
    found += sorted([c.name or c.callback.__name__.replace("_", "-")] for c in app.registered_commands)
    for group in app.registered_groups:
        found.append([group.name])
        found += sorted([group.name, c.name or c.callback.__name__] for c in group.typer_instance.registered_commands)
    return found


def _help(command: list[str]) -> str:
    from storyengine.cli.main import app

    settings = {"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1", "TERM": "dumb"}
    with patch.dict(os.environ, settings):
        result = CliRunner().invoke(app, [*command, "--help"], prog_name="storyengine")
    return "\n".join(line.rstrip() for line in result.stdout.strip("\n").splitlines())


def exit_codes_page() -> str:
    rows = [f"| {int(code)} | {code.name.lower()} | {_sentence(code)} |" for code in ExitCode]
    table = "\n".join(["| code | name | meaning |", "|---|---|---|", *rows])
    return f"{NOTICE}\n# Exit codes\n\nOne table for every command.\n\n{table}\n"


def _sentence(code: ExitCode) -> str:
    """The docstring under the member, read from the source: enums keep none at run time."""
    source = (Path(__file__).parent.parent / "src/storyengine/errors.py").read_text(encoding="utf-8")
    after = source.split(f"    {code.name} = {int(code)}\n", 1)[1]
    return after.split('"""', 2)[1].strip()


def schema_page() -> str:
    return json.dumps(plan_schema(), indent=2, ensure_ascii=False) + "\n"


PAGES = {
    "findings.md": findings_page,
    "commands.md": commands_page,
    "exit-codes.md": exit_codes_page,
    "plan.schema.json": schema_page,
}
