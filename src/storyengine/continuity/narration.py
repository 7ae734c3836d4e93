"""What there is to tell while a film is made. The core never prints; front ends listen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from storyengine.continuity.gate import GateDecision
from storyengine.continuity.opening import OpeningTry
from storyengine.contract import RenderContract


@dataclass(frozen=True)
class Stage:
    """A part of the work begins."""

    name: str


@dataclass(frozen=True)
class ShotBegins:
    """A shot's contract is taken up."""

    contract: RenderContract


@dataclass(frozen=True)
class Gated:
    """The gate has decided about the last shot's tail."""

    shot: int
    decision: GateDecision


@dataclass(frozen=True)
class Opened:
    """An opening was tried."""

    shot: int
    attempt: OpeningTry


@dataclass(frozen=True)
class Shot:
    """A candidate was shot and judged."""

    shot: int
    number: int
    missed: tuple[str, ...]
    """Statements of required criteria that it misses; empty when it is accepted."""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wrapped:
    """A shot is finished."""

    shot: int
    accepted: bool
    candidates: int
    reason: str


@dataclass(frozen=True)
class Drafted:
    """The work stopped before its end; a film of the shots so far is there."""

    film: Path
    shots: int
    of: int


Told = Stage | ShotBegins | Gated | Opened | Shot | Wrapped | Drafted


class Narrator(Protocol):
    """Somebody who listens to a film being made."""

    def tell(self, told: Told) -> None: ...


class Silent:
    """Hears everything, says nothing."""

    def tell(self, told: Told) -> None:
        pass
