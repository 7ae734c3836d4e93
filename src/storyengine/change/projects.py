"""Which project a command means, and what a project remembers of how it was made."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from storyengine import documents
from storyengine.errors import InputError
from storyengine.files import read_text
from storyengine.plan import SemanticPlan, read_plan
from storyengine.profile import Profile
from storyengine.runs.journal import Journal, JournalReader
from storyengine.runs.project import journal_path, read_journal, store_path
from storyengine.runs.store import LocalStore

KIND = "making"


def find_project(folder: Path | None = None, start: Path = Path()) -> Path:
    """The project in `folder`; without one the newest in `start`, its folders, or its folder `films`."""
    if folder is not None:
        if not journal_path(folder).exists():
            raise InputError(f"There is no project in {folder}.", next_step="Make a film: storyengine make STORY")
        return folder
    found = sorted(_projects(start), key=lambda project: journal_path(project).stat().st_mtime)
    if not found:
        raise InputError(
            f"There is no project in {start.resolve()}.",
            next_step="Make a film (storyengine make STORY), or name the project's folder with --project.",
        )
    return found[-1]


def _projects(start: Path) -> Iterator[Path]:
    if journal_path(start).exists():
        yield start
        return
    for parent in (start, start / "films"):
        if parent.is_dir():
            yield from (folder for folder in parent.iterdir() if journal_path(folder).exists())


def project_plan(folder: Path) -> SemanticPlan:
    """The plan that lies in a project, with the author's edits."""
    path = folder / "plan.yaml"
    return read_plan(documents.parse(read_text(path), str(path)))


@dataclass(frozen=True)
class Remembered:
    """How a project was made last; a redo is made in the same way."""

    profile: Profile
    fallibility: str = "none"
    seed: int = 0


def remember(journal: Journal, how: Remembered) -> None:
    """Write down how the film is made, unless that is what was written last."""
    body = {**asdict(how), "profile": how.profile.model_dump(mode="json")}
    records = journal.records(KIND)
    if not records or records[-1].body != body:
        journal.append(KIND, body)
        journal.commit()


def recall(journal: JournalReader) -> Remembered:
    """How the film was made last; the embedded studio where nothing was written down."""
    records = journal.records(KIND)
    if not records:
        return Remembered(Profile())
    body: dict[str, Any] = records[-1].body
    return Remembered(Profile.model_validate(body["profile"]), body["fallibility"], body["seed"])


def audits(folder: Path) -> dict[int, dict[str, Any]]:
    """The newest record of every shot: all that was tried and decided."""
    store = LocalStore(store_path(folder))
    with read_journal(folder) as journal:
        newest = {record.body["shot"]: record.body["audit"] for record in journal.records("take")}
    return {shot: json.loads(store.get(digest)) for shot, digest in sorted(newest.items())}


def audit_of(folder: Path, shot: int) -> dict[str, Any]:
    """The newest record of one shot, or InputError where it was never shot."""
    found = audits(folder).get(shot)
    if found is None:
        raise InputError(f"Shot {shot} has not been shot yet.", next_step=f"Make the film in {folder} first.")
    return found
