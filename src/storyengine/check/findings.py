"""What a check reports: typed, complete, with a fix where there is an obvious one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from storyengine.check.codes import CODES, Code
from storyengine.documents import Edit, Path, field_name
from storyengine.errors import PlanInvalid, PlanUnsound


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that would settle a finding, as edits to the plan's document."""

    summary: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a plan."""

    code: str
    where: str
    """The place in the words of film: `shot 3, event 2`."""
    path: Path
    """The place in the document."""
    saw: str
    wanted: str
    fix: Fix | None = None

    @property
    def rule(self) -> Code:
        return CODES[self.code]

    @property
    def blocking(self) -> bool:
        return self.rule.blocking

    def __str__(self) -> str:
        return f"{self.where}: {self.rule.title} [{self.code}]: saw {self.saw}; wanted {self.wanted}."

    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "code": self.code,
            "kind": self.rule.kind,
            "blocking": self.blocking,
            "title": self.rule.title,
            "where": self.where,
            "path": field_name(self.path),
            "saw": self.saw,
            "wanted": self.wanted,
            "fix": self.fix.summary if self.fix else None,
        }


class Findings(tuple[Finding, ...]):
    """All findings of a plan, in the order of the plan's document."""

    __slots__ = ()

    @property
    def blocking(self) -> Findings:
        return Findings(finding for finding in self if finding.blocking)

    @property
    def structural(self) -> Findings:
        return Findings(finding for finding in self if finding.rule.kind == "structure")

    @property
    def fixable(self) -> Findings:
        return Findings(finding for finding in self if finding.fix)

    def codes(self) -> set[str]:
        return {finding.code for finding in self}

    def raise_if_blocking(self) -> None:
        """Stop before money is spent: PlanInvalid for structure, PlanUnsound for sense."""
        if self.structural:
            raise PlanInvalid(_summary("The plan is not valid", self.structural), self)
        if self.blocking:
            raise PlanUnsound(_summary("The plan is not sound", self.blocking), self)


def _summary(opening: str, findings: Iterable[Finding]) -> str:
    lines = [f"- {finding}" for finding in findings]
    more = [f"- … and {len(lines) - 12} more"] if len(lines) > 12 else []
    return "\n".join([f"{opening}:", *lines[:12], *more])
