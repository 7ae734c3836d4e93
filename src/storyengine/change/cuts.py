"""Cuts: every film that was delivered, each a choice of takes. None is ever lost; any can be brought back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from storyengine import documents
from storyengine.change.alignment import moved
from storyengine.change.record import Changes, changes_from, plan_of_changes, read_changes, write_changes
from storyengine.delivery.assembly import audit_path, join, shot_path
from storyengine.errors import CorruptData, InputError
from storyengine.files import write_bytes
from storyengine.media.clip import Clip
from storyengine.plan import SemanticPlan, read_plan
from storyengine.runs.journal import JournalReader
from storyengine.runs.project import Project, read_journal, store_path
from storyengine.runs.rows import Record
from storyengine.runs.store import LocalStore, Store


@dataclass(frozen=True)
class Cut:
    """A film as it was delivered."""

    number: int
    """Counted from 1, oldest first."""
    at: datetime
    film: str
    """Digest of the film's file."""
    takes: Mapping[int, str | None]
    """Digest of the clip of each shot; None for a slate."""
    clips: tuple[str, ...]
    """What was joined, slates included."""
    audits: tuple[str, ...]
    plan: str
    report: str
    degraded: tuple[int, ...]
    changes: Changes

    def differs_from(self, other: Cut) -> tuple[int, ...]:
        """Numbers of the shots whose takes are not the same."""
        shots = sorted({*self.takes, *other.takes})
        return tuple(shot for shot in shots if self.takes.get(shot) != other.takes.get(shot))


def list_cuts(journal: JournalReader) -> list[Cut]:
    """Every cut of a project, oldest first."""
    return [_cut(number, record) for number, record in enumerate(journal.records("cut"), start=1)]


def last_takes(journal: JournalReader, store: Store, plan: SemanticPlan) -> dict[int, str | None]:
    """The clip of each shot in the newest cut, by the numbers that its shots have in this plan."""
    cuts = list_cuts(journal)
    if not cuts:
        return {}
    numbers = moved(_plan(store, cuts[-1].plan), plan)
    return {numbers[shot]: clip for shot, clip in cuts[-1].takes.items() if shot in numbers}


def current_changes(journal: JournalReader, store: Store, plan: SemanticPlan) -> Changes:
    """The changes that hold, by the numbers that their shots have in this plan."""
    cuts = list_cuts(journal)
    known = plan_of_changes(journal) or (cuts[-1].plan if cuts else None)
    if known is None:
        return Changes()
    before = _plan(store, known)
    return read_changes(journal).renumbered(moved(before, plan), len(before.shots), len(plan.shots))


def _plan(store: Store, digest: str) -> SemanticPlan:
    return read_plan(documents.parse(store.get(digest).decode(), "plan.yaml"))


def _cut(number: int, record: Record) -> Cut:
    body: dict[str, Any] = record.body
    return Cut(
        number=number,
        at=datetime.fromtimestamp(record.at, UTC),
        film=body["film"],
        takes={int(shot): clip for shot, clip in body["takes"].items()},
        clips=tuple(body["clips"]),
        audits=tuple(body["audits"]),
        plan=body["plan"],
        report=body["report"],
        degraded=tuple(body["degraded"]),
        changes=changes_from(body["changes"]),
    )


def newest_cut(folder: Path) -> tuple[SemanticPlan, dict[int, dict[str, Any]]]:
    """The plan and the records of the shots that the film in a project's folder was cut from."""
    store = LocalStore(store_path(folder))
    with read_journal(folder) as journal:
        cuts = list_cuts(journal)
    if not cuts:
        raise InputError(f"There is no cut in {folder} yet.", next_step=f"Make the film: storyengine make {folder}")
    plan = _plan(store, cuts[-1].plan)
    audits = [json.loads(store.get(audit)) for audit in cuts[-1].audits]
    return plan, {audit["shot"]: audit for audit in audits}


def bring_back(project: Project, number: int) -> Cut:
    """Put a cut's film, shots, plan, report and audit back in place, with the changes that held then.

    Nothing is made or paid. It becomes the newest cut; those in between stay.
    """
    cuts = list_cuts(project.journal)
    if not 1 <= number <= len(cuts):
        there = f"cuts 1 to {len(cuts)}" if cuts else "no cut yet"
        raise InputError(f"There is no cut {number}; the project has {there}.")
    cut, store, folder = cuts[number - 1], project.store, project.folder
    film = join([Clip.from_bytes(store.get(clip)) for clip in cut.clips])
    if film.digest != cut.film:
        raise CorruptData(
            f"Cut {number} no longer gives the film that it was.",
            next_step="Its shots are all there; a newer version of the encoder joins them differently. "
            "Make the film again.",
        )
    for (shot, take), clip, audit in zip(sorted(cut.takes.items()), cut.clips, cut.audits, strict=True):
        write_bytes(audit_path(folder, shot), store.get(audit))
        if take is None:
            shot_path(folder, shot).unlink(missing_ok=True)
        else:
            write_bytes(shot_path(folder, shot), store.get(clip))
    _remove_later_shots(folder, len(cut.takes), max(len(other.takes) for other in cuts))
    write_bytes(folder / "plan.yaml", store.get(cut.plan))
    write_bytes(folder / "report.html", store.get(cut.report))
    write_bytes(folder / "film.mp4", film.data)
    write_changes(project.journal, cut.changes, cut.plan)
    project.journal.append("cut", project.journal.records("cut")[number - 1].body)
    project.journal.commit()
    return list_cuts(project.journal)[-1]


def _remove_later_shots(folder: Path, count: int, most: int) -> None:
    for shot in range(count + 1, most + 1):
        shot_path(folder, shot).unlink(missing_ok=True)
        audit_path(folder, shot).unlink(missing_ok=True)
