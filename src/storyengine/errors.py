"""Everything that can go wrong, on one page, split by whose fault it is and what to do next.

    StoryEngineError
    ├── InputError            the author's: a file or value cannot be read as what it should be
    │   └── PlanInvalid       the author's: the plan breaks the rules of plans; carries its findings
    ├── PlanUnsound           the author's: a well-formed plan whose story does not hold; carries findings
    ├── MissingDependency     the installation's: an extra is needed; names the install command
    ├── FolderError           the machine's: a folder or file cannot be used as needed
    │   ├── FolderLocked      another process works on the same project
    │   └── CorruptData       something on disk is not what was written; never served
    ├── ContractError         ours: a promise inside StoryEngine was broken; please report it
    ├── BackendError          a generator, judge or language model
    │   ├── Misconfigured     no key, unknown model, unsupported size: a person must change something
    │   ├── Unavailable       cannot be reached or is overloaded after all retries: try again later
    │   ├── Refused           the provider declined this content; carries its reason
    │   └── Malformed         it answered, but not in the agreed form
    ├── AmbiguousCharge       a paid call may or may not have been made; a person decides
    ├── BudgetExhausted       the next call would exceed the cap; everything done so far is kept
    └── Interrupted           stopped by the user; the project can be resumed

Foreign exceptions never leave the module that talks to the foreign library.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storyengine.check.findings import Finding


class ExitCode(IntEnum):
    """What a command's exit status means. One table for the whole product."""

    OK = 0
    """Done; the plan is sound; the film satisfies every required criterion."""
    FINDINGS = 1
    """Blocking findings: the input was understood, and something in it must change."""
    INVALID = 2
    """The input cannot be read or is invalid, or the command line is wrong. Nothing was written."""
    DEGRADED = 3
    """Delivered, but at least one shot misses a required criterion; the report says which."""
    BUDGET = 4
    """The cost cap was reached; nothing is lost, raise the cap and run the same command again."""
    INTERRUPTED = 5
    """Stopped before the end; run the same command again to resume."""
    BACKEND = 6
    """A generator, judge or language model failed or refused; the message says what to do."""
    MACHINE = 7
    """A folder, disk or installation problem on this machine; nothing is lost."""
    BUG = 70
    """An error inside StoryEngine. Please report it."""


class StoryEngineError(Exception):
    """Base of the family. `next_step` is what the reader can do about it."""

    exit_code: ExitCode = ExitCode.BUG

    def __init__(self, message: str, *, next_step: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.message} {self.next_step}".rstrip()


class InputError(StoryEngineError):
    """A file or value cannot be read as what it should be.

    The message names the file, line and field, what was found and what is allowed.
    """

    exit_code = ExitCode.INVALID


class PlanInvalid(InputError):
    """The plan breaks the rules that make it a plan (references, types, domains, cycles)."""

    def __init__(self, message: str, findings: Sequence[Finding], *, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.findings = tuple(findings)


class PlanUnsound(StoryEngineError):
    """The plan is well-formed, but its story does not hold together."""

    exit_code = ExitCode.FINDINGS

    def __init__(self, message: str, findings: Sequence[Finding], *, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.findings = tuple(findings)


class MissingDependency(StoryEngineError):
    """An optional part is not installed."""

    exit_code = ExitCode.MACHINE

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed.", next_step=f'Install it with: pip install "storyengine[{extra}]"')


class FolderError(StoryEngineError):
    """A folder or file cannot be used: missing, read-only, full."""

    exit_code = ExitCode.MACHINE


class FolderLocked(FolderError):
    """Another process is working on the same project folder."""


class CorruptData(FolderError):
    """Something on disk is not what was written. It is reported and never served."""


class ContractError(StoryEngineError):
    """A promise inside StoryEngine was broken. Please report it."""


class BackendError(StoryEngineError):
    """A generator, judge or language model did not deliver."""

    exit_code = ExitCode.BACKEND


class Misconfigured(BackendError):
    """No key, unknown model, unsupported size: trying again will not help."""


class Unavailable(BackendError):
    """Out of reach or overloaded, after every retry the border allows."""


class Refused(BackendError):
    """The provider declined this content. A refusal is neither a fault nor a bad picture."""

    def __init__(self, message: str, reason: str, *, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.reason = reason


class Malformed(BackendError):
    """The backend answered, but not in the agreed form."""


class AmbiguousCharge(StoryEngineError):
    """A paid call was about to be sent when the process died, and the provider cannot say whether it was."""

    exit_code = ExitCode.INTERRUPTED


class BudgetExhausted(StoryEngineError):
    """The next call would exceed the cap. Everything done so far is kept."""

    exit_code = ExitCode.BUDGET


class Interrupted(StoryEngineError):
    """Stopped by the user or the system. The project can be resumed."""

    exit_code = ExitCode.INTERRUPTED
