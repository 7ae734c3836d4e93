"""Progress in a terminal. Apart from `progress`, so that workers need not load a drawing library."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from storyengine.runs.ledger import dollars
from storyengine.runs.progress import CallMoved, Event, RunStarted, StepDone, StepFailed, StepFound, StepStarted
from storyengine.runs.secrecy import redact


class Terminal:
    """One live line of counts and money; failures and ambiguous calls stay on the screen above it."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._live = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=self._console
        )
        self._line = self._live.add_task("starting", total=None)
        self._running: dict[str, str] = {}
        self._counts = {"done": 0, "found": 0, "failed": 0}
        self._money = 0

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def tell(self, event: Event) -> None:
        match event:
            case StepStarted():
                self._running[event.key] = event.slot
            case StepFound():
                self._counts["found"] += 1
            case StepDone():
                self._settle(event.key, "done")
            case StepFailed():
                self._settle(event.key, "failed")
                self._say(f"{event.slot}: {event.message}", "red")
            case CallMoved():
                self._money = event.exposure
                if event.state == "ambiguous":
                    self._say(f"{event.slot}: {event.reason}", "yellow")
            case RunStarted(cut_short=True):
                self._say("The last run was cut short; taking up where it stopped.", "yellow")
        self._live.update(self._line, description=self._summary())

    def _settle(self, key: str, how: str) -> None:
        self._running.pop(key, None)
        self._counts[how] += 1

    def _say(self, text: str, style: str) -> None:
        self._live.console.print(Text(redact(text), style=style))

    def _summary(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self._counts.items() if count) or "starting"
        money = f" · {dollars(self._money)}" if self._money else ""
        now = f" · {next(reversed(self._running.values()))}" if self._running else ""
        # Square brackets would be read as markup.
        return redact(f"{counts}{money}{now}").replace("[", "\\[")
