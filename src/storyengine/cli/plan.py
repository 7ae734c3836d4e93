"""`storyengine plan`: from a brief to a plan, and the plan's schema."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from storyengine.errors import InputError
from storyengine.plan import plan_schema


def plan(
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of a plan, one line.")] = False,
) -> None:
    """Print the JSON Schema of a plan, for language models and editors."""
    if not schema:
        raise InputError(
            "Planning a brief is not built yet.", next_step="`storyengine plan --schema` prints the schema of a plan."
        )
    typer.echo(json.dumps(plan_schema(), ensure_ascii=False))
