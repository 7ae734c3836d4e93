"""Why a shot is as it is in the film: its take, its opening, the gate's mode. Read off the record of the shot."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

MODES = {
    "reuse": "The opening is the last frame of the shot before",
    "reference": "The opening was composed with the last frame of the shot before as a reference",
    "fresh": "The opening was composed afresh",
}


@dataclass(frozen=True)
class Attempt:
    """One candidate or opening, and why it was used or not."""

    name: str
    used: bool
    verdict: str
    """In a few words: accepted, what it misses, or what ended it."""
    missed: tuple[str, ...]
    """Statements that the judge did not see to hold, required ones first."""


@dataclass(frozen=True)
class Reasons:
    """Why this take, why this opening, why this gate mode."""

    shot: int
    take: str
    gate_mode: str
    gate: str
    degraded: tuple[str, ...]
    """Statements of required criteria that the take misses."""
    candidates: tuple[Attempt, ...]
    openings: tuple[Attempt, ...]
    stale: tuple[str, ...] = ()
    """Why the next `make` would touch the shot; empty where it would not."""

    def data(self) -> dict[str, Any]:
        return asdict(self)


def reasons(audit: dict[str, Any], stale: tuple[str, ...] = ()) -> Reasons:
    """From the record of a shot."""
    criteria = {criterion["id"]: criterion for criterion in audit["contract"]["criteria"]}
    used = next((c for c in audit["candidates"] if c["candidate"] == audit["take"]), None)
    mode = audit["gate"]["mode"]
    return Reasons(
        shot=audit["shot"],
        take=f"{audit['reason'][:1].upper()}{audit['reason'][1:]}.",
        gate_mode=mode,
        gate=f"{MODES[mode]}: {audit['gate']['reason']}.",
        degraded=tuple(criteria[name]["statement"] for name in audit["degraded"]),
        candidates=tuple(_candidate(c, criteria, c is used) for c in audit["candidates"]),
        openings=tuple(
            _opening(number, opening, criteria, used is not None and opening["picture"] == used["opening"])
            for number, opening in enumerate(audit["openings"], start=1)
        ),
        stale=stale,
    )


def _candidate(candidate: dict[str, Any], criteria: dict[str, Any], used: bool) -> Attempt:
    name = f"candidate {candidate['candidate']}"
    if candidate["refusal"]:
        return Attempt(name, used, f"refused or failed: {candidate['refusal']}", ())
    if candidate["faults"] and not candidate["verdicts"]:
        return Attempt(name, used, "; ".join(candidate["faults"]), ())
    return Attempt(name, used, *_judged(candidate["verdicts"], criteria))


def _opening(number: int, opening: dict[str, Any], criteria: dict[str, Any], used: bool) -> Attempt:
    verdict, missed = _judged(opening["verdicts"], criteria)
    pinned = "pinned; " if opening["pinned"] else ""
    return Attempt(f"opening {number} ({opening['mode']})", used, pinned + verdict, missed)


def _judged(verdicts: list[dict[str, Any]], criteria: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    missed = [(criteria[v["id"]], v["label"]) for v in verdicts if v["label"] != "PASS"]
    required = [criterion for criterion, _ in missed if criterion["priority"] == "required"]
    words = f"misses {len(required)} of what is required" if required else "satisfies all that is required"
    ordered = sorted(missed, key=lambda found: found[0]["priority"] != "required")
    return words, tuple(f"{criterion['statement']} ({label})" for criterion, label in ordered)
