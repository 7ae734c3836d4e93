"""Paid work is told, with what it may cost, and agreed to before it is sent: on the terminal, or with --yes."""

from __future__ import annotations

import sys

import typer
from rich.markup import escape

from storyengine.backends.prices import price_of
from storyengine.cli.output import err
from storyengine.errors import InputError, Interrupted
from storyengine.planning.model_planner import effort
from storyengine.request import StoryRequest


def agree(said: str, who: str, *, yes: bool, instead: str) -> None:
    """Say what is about to be paid for; returns only when somebody agrees.

    `who` is what may cost money, as the subject of a sentence; `instead` is what is free.
    """
    err().print(escape(said))
    if yes:
        return
    if not sys.stdin.isatty():
        raise InputError(f"{who} may cost money, and nobody is here to agree to it.", next_step="Add --yes to go on.")
    if not _agreed():
        raise Interrupted("Nothing was sent.", next_step=instead)


def _agreed() -> bool:
    try:
        return typer.confirm("Go on?", err=True)
    except typer.Abort:
        return False


def planning_in_words(request: StoryRequest, backend: str, model: str, max_calls: int) -> str:
    """What planning a brief with a language model takes, by list price where there is one."""
    work, price = effort(request), price_of(model)
    calls = f"at most {max_calls} call{'s' if max_calls > 1 else ''}"
    if price:
        dollars = price.of(work.read, work.written) / 1e6
        cost = f"about ${dollars:.2f} a call by list price, thinking not counted, {calls}"
    else:
        cost = f"the price is not known here, {calls}"
    return f"Planning {request.shots} shots with {backend} ({model}): {cost}."
