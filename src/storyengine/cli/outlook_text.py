"""A forecast as text and as data: which shots change, why, and for how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.markup import escape

from storyengine.cli.output import out
from storyengine.runs.ledger import dollars

if TYPE_CHECKING:
    from storyengine.making import Outlook

FATES = {
    "kept": "kept",
    "checked": "kept, judged again",
    "chosen": "another take that is there",
    "made": "made again",
}


def print_outlook(outlook: Outlook) -> None:
    """What would be done, shot by shot."""
    console, forecast = out(), outlook.forecast
    for subject, causes in forecast.references.items():
        console.print(f"[bold]{escape(subject)}[/]  the reference is painted: {escape('; '.join(causes))}")
    for shot in forecast.shots:
        style = {"kept": "dim", "made": "bold yellow"}.get(shot.fate, "bold")
        words = "made again, if it goes on from the shot before" if shot.ripple else FATES[shot.fate]
        console.print(f"[{style}]shot {shot.shot:<3}[/] {words}")
        for cause in shot.causes if shot.fate != "kept" else ():
            console.print(f"         [dim]because[/] {escape(cause)}")
    console.print(f"\n{_calls(outlook)}")
    if any(span.most for span in forecast.calls.values()):
        console.print("Nothing was made. Without --dry-run it is.")


def _calls(outlook: Outlook) -> str:
    spans = [
        f"{part} {_range(span.least, span.most)} (last time: {outlook.forecast.expected[part]})"
        for part, span in outlook.forecast.calls.items()
    ]
    if not any(span.most for span in outlook.forecast.calls.values()):
        return "Nothing has to be done."
    unknown = f", not counting {', '.join(outlook.unknown)}, whose price is not known here" if outlook.unknown else ""
    cost = f"{dollars(outlook.cost.least)} to {dollars(outlook.cost.most)}{unknown}"
    return f"Calls: {', '.join(spans)}.\nCost: {cost if outlook.cost.most or unknown else 'nothing'}."


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def outlook_data(outlook: Outlook) -> dict[str, Any]:
    forecast = outlook.forecast
    return {
        "ok": True,
        "dry_run": True,
        "changing": list(forecast.changing),
        "shots": [
            {"shot": shot.shot, "fate": shot.fate, "causes": list(shot.causes), "ripple": shot.ripple}
            for shot in forecast.shots
        ],
        "references": {subject: list(causes) for subject, causes in forecast.references.items()},
        "calls": {
            part: {"least": span.least, "most": span.most, "expected": forecast.expected[part]}
            for part, span in forecast.calls.items()
        },
        "cost_micros": {"least": outlook.cost.least, "most": outlook.cost.most, "expected": outlook.expected},
        "price_unknown": list(outlook.unknown),
    }
