"""StoryEngine from Python: every command as a function, every result as a typed value that a notebook can show.

Stories are files, `StoryRequest` or `SemanticPlan` values; projects are folders. Everything is free and offline unless
a profile says otherwise; paid work needs `agreed=True`, and `max_cost` bounds it. Also usable where an event loop is
running already, as in notebooks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from storyengine import documents, making
from storyengine.change import cuts as change_cuts
from storyengine.change.cuts import Cut
from storyengine.change.pinning import choose
from storyengine.change.projects import Remembered, audit_of, find_project, project_plan, recall
from storyengine.change.reasons import Reasons, reasons
from storyengine.change.record import Changes
from storyengine.change.status import Status, look_at
from storyengine.change.target import Target, read_target
from storyengine.change.verifying import Verified
from storyengine.check import check_plan
from storyengine.continuity.narration import Narrator
from storyengine.delivery import Film
from storyengine.delivery.timeline import FORMATS, Format, export_timeline
from storyengine.errors import InputError, PlanUnsound
from storyengine.files import read_text
from storyengine.making import Board, Making, Outlook, nobody_agrees
from storyengine.plan import SemanticPlan, is_plan, read_plan
from storyengine.planning.embedded import plan_with_rules
from storyengine.profile import Profile
from storyengine.request import StoryRequest, read_request
from storyengine.runs.ledger import micro_dollars
from storyengine.runs.project import Project, journal_path, read_journal, store_path
from storyengine.runs.store import LocalStore

Story = str | Path | StoryRequest | SemanticPlan
Folder = str | Path


def make_plan(story: Story) -> SemanticPlan:
    """The checked plan of a story: read, or made from a brief by the embedded planner."""
    if isinstance(story, SemanticPlan):
        plan = story
    elif isinstance(story, StoryRequest):
        plan = _planned(story)
    else:
        document = documents.parse(read_text(Path(story)), str(story))
        plan = read_plan(document) if is_plan(document) else _planned(read_request(document))
    check_plan(plan).raise_if_blocking()
    return plan


def _planned(request: StoryRequest) -> SemanticPlan:
    planned = plan_with_rules(request)
    if planned.findings.blocking:
        raise PlanUnsound(
            "No sound plan came out of the brief.",
            planned.findings,
            next_step="Its findings say why; or plan it with a language model: storyengine plan BRIEF --planner openai",
        )
    return planned.plan


@dataclass(frozen=True)
class _How:
    """How a film is made, with what is not said taken from how it was made before."""

    making: Making
    seed: int


def make_film(
    story: Story,
    folder: Folder,
    *,
    profile: Profile | None = None,
    fallibility: str | None = None,
    seed: int | None = None,
    only: Sequence[int] = (),
    agreed: bool = False,
    max_cost: float | None = None,
    narrator: Narrator | None = None,
) -> Film:
    """Make a film, or go on with one. What was made before is found, not made again."""
    how = _how(Path(folder), profile, fallibility, seed, agreed=agreed, max_cost=max_cost)
    plan = make_plan(story)
    return making.film(plan, Path(folder), how.making, seed=how.seed, narrator=narrator, only=only)


def make_storyboard(
    story: Story, folder: Folder, *, profile: Profile | None = None, seed: int | None = None, agreed: bool = False
) -> Board:
    """Paint only the opening of every shot, on one sheet."""
    how = _how(Path(folder), profile, None, seed, agreed=agreed)
    return making.board(make_plan(story), Path(folder), how.making, seed=how.seed)


def forecast(
    folder: Folder,
    story: Story | None = None,
    *,
    redo: str | None = None,
    note: str = "",
    only: Sequence[int] = (),
) -> Outlook:
    """What making the film now would change, why, and for how much; with `redo`, after asking for that again."""
    home = Path(folder)
    plan = project_plan(home) if story is None else make_plan(story)
    how = _how(home)
    changes = None
    if redo is not None:
        changes = _changes(home, plan).redone(read_target(redo, plan), note)
    return making.outlook(plan, home, how.making, seed=how.seed, changes=changes, only=only)


def redo(
    folder: Folder,
    target: str | int,
    note: str = "",
    *,
    only: bool = False,
    agreed: bool = False,
    max_cost: float | None = None,
) -> Film:
    """Ask for one thing again: a shot, an opening, or the look of a character, a prop or a place."""
    home, plan, wanted = _target(folder, target)
    changes = _changes(home, plan)
    if changes.pin(wanted) is not None:
        raise InputError(f"{wanted} is pinned.", next_step="Unpin it first.")
    if only and wanted.shot is None:
        raise InputError(f"`only` keeps every shot but one, and {wanted} is no shot.")
    shots = [wanted.shot] if only and wanted.shot is not None else []
    return _apply(home, plan, changes.redone(wanted, note), shots, agreed=agreed, max_cost=max_cost)


def pin(
    folder: Folder,
    target: str | int,
    what: str | int | Path | None = None,
    *,
    agreed: bool = False,
    max_cost: float | None = None,
) -> Film:
    """Fix a take, an opening or a reference: a candidate or opening by number, a digest, a file, or what is there."""
    home, plan, wanted = _target(folder, target)
    chosen = None if what is None else str(what)
    with Project(home) as project:
        digest, source = choose(home, wanted, chosen, plan.request.delivery, project.store)
    changes = _changes(home, plan).pinned(wanted, digest, source)
    return _apply(home, plan, changes, [], agreed=agreed, max_cost=max_cost)


def unpin(folder: Folder, target: str | int, *, agreed: bool = False, max_cost: float | None = None) -> Film:
    """Free what was pinned."""
    home, plan, wanted = _target(folder, target)
    return _apply(home, plan, _changes(home, plan).unpinned(wanted), [], agreed=agreed, max_cost=max_cost)


def cuts(folder: Folder) -> list[Cut]:
    """Every film that a project delivered, oldest first."""
    with read_journal(Path(folder)) as journal:
        return change_cuts.list_cuts(journal)


def restore_cut(folder: Folder, number: int) -> Cut:
    """Bring an earlier cut back; nothing is made or paid."""
    with Project(Path(folder)) as project:
        return change_cuts.bring_back(project, number)


def why(folder: Folder, shot: int) -> Reasons:
    """Why a shot is as it is in the film: its take, its opening, the gate's mode."""
    return reasons(audit_of(Path(folder), shot))


def status(folder: Folder | None = None) -> Status:
    """Where a project stands; without a folder the newest here."""
    return look_at(find_project(None if folder is None else Path(folder)))


def verify(
    plan: Story,
    clips: Folder,
    keep: Folder,
    *,
    project: Folder | None = None,
    profile: Profile | None = None,
    agreed: bool = False,
) -> tuple[Verified, ...]:
    """Judge clips made anywhere against a plan. Verdicts are kept in the folder `keep` and not asked for twice.

    With `project`, its references are used, and it keeps the verdicts.
    """
    beside = Path(plan).parent if isinstance(plan, (str, Path)) else Path()
    how = Making(profile or Profile(), agree=_always if agreed else nobody_agrees)
    home = None if project is None else find_project(Path(project))
    return making.verify_folder(make_plan(plan), Path(clips), Path(keep), how, beside=beside, project=home)


def export(folder: Folder, to: Folder | None = None, formats: Sequence[Format] = FORMATS) -> tuple[Path, ...]:
    """Write the timeline of a project's film as OpenTimelineIO, EDL and FCPXML."""
    plan, audits = change_cuts.newest_cut(Path(folder))
    return export_timeline(Path(folder), plan, audits, Path(to) if to else Path(folder), formats)


def _always(said: str, who: str, instead: str) -> None:
    """The caller agreed."""


def _how(
    folder: Path,
    profile: Profile | None = None,
    fallibility: str | None = None,
    seed: int | None = None,
    *,
    agreed: bool = False,
    max_cost: float | None = None,
) -> _How:
    before = Remembered(Profile())
    if journal_path(folder).exists():
        with read_journal(folder) as journal:
            before = recall(journal)
    cap = None if max_cost is None else micro_dollars(max_cost)
    return _How(
        Making(
            profile or before.profile,
            before.fallibility if fallibility is None else fallibility,
            cap,
            agree=_always if agreed else nobody_agrees,
        ),
        before.seed if seed is None else seed,
    )


def _target(folder: Folder, target: str | int) -> tuple[Path, SemanticPlan, Target]:
    home = find_project(Path(folder))
    plan = project_plan(home)
    return home, plan, read_target(str(target), plan)


def _changes(home: Path, plan: SemanticPlan) -> Changes:
    with read_journal(home) as journal:
        return change_cuts.current_changes(journal, LocalStore(store_path(home)), plan)


def _apply(
    home: Path, plan: SemanticPlan, changes: Changes, only: Sequence[int], *, agreed: bool, max_cost: float | None
) -> Film:
    how = _how(home, agreed=agreed, max_cost=max_cost)
    return making.film(plan, home, how.making, seed=how.seed, only=only, changes=changes)
