"""The report while a film is made: rewritten after every shot, beside the work and never in its way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import anyio

from storyengine.change.record import Changes
from storyengine.continuity.crew import Crew
from storyengine.continuity.shooting import Take
from storyengine.delivery.report import credit, write_report
from storyengine.plan import SemanticPlan
from storyengine.runs.ledger import Line


class LiveReport:
    """One writer at a time, in a thread of its own. Who comes while it writes leaves newer takes and goes on."""

    def __init__(self, crew: Crew, plan: SemanticPlan, folder: Path, changes: Changes) -> None:
        self._crew, self._plan, self._folder, self._changes = crew, plan, folder, changes
        self._newest: Sequence[Take] | None = None
        self._writing = False

    async def rewrite(self, takes: Sequence[Take]) -> None:
        self._newest = takes
        if self._writing:
            return
        self._writing = True
        try:
            while self._newest is not None:
                newest, self._newest = self._newest, None
                runner = self._crew.runner
                worked = runner.project.journal.worked_seconds()
                await anyio.to_thread.run_sync(self._write, newest, runner.ledger.lines(), worked)
        finally:
            self._writing = False

    def _write(self, takes: Sequence[Take], costs: Sequence[Line], worked: float) -> None:
        crew = self._crew
        made_with = credit(*(hired.backend_name for hired in (crew.painter, crew.animator, crew.judge)))
        write_report(
            self._folder,
            self._plan,
            takes,
            crew.read,
            made_with=made_with,
            costs=costs,
            seconds=worked,
            changes=self._changes,
        )
