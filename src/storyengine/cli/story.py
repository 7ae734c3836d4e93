"""The plan of a story file: read, found in the project, or made from a brief."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from storyengine.backends import Port
from storyengine.backends.prices import price_of
from storyengine.check import check_plan
from storyengine.cli.consent import agree, planning_in_words
from storyengine.cli.output import err, open_document
from storyengine.errors import PlanUnsound
from storyengine.files import write_text
from storyengine.plan import SemanticPlan, is_plan, plan_yaml, read_plan
from storyengine.planning import Planned, plan_with_model
from storyengine.planning.model_planner import MAX_CALLS, effort, first_question
from storyengine.profile import EMBEDDED, Choice, Profile
from storyengine.request import StoryRequest, read_request
from storyengine.runs.executor import LocalExecutor
from storyengine.runs.interrupt import until_interrupted
from storyengine.runs.payment import never_repay, repay_all
from storyengine.runs.project import INSIDE, Project, journal_path, read_journal
from storyengine.runs.runner import Runner

if TYPE_CHECKING:
    from storyengine.backends.hired import Hired


@dataclass(frozen=True)
class Paying:
    """What the command line says about money."""

    yes: bool = False
    max_cost: int | None = None
    """Micro-dollars."""
    repay: bool = False


def project_folder(story: Path) -> Path:
    """Where a story is made unless somebody says otherwise: the project it lies in, else films/NAME."""
    if (story.parent / INSIDE).is_dir():
        return story.parent
    return Path("films") / story.stem.removesuffix(".plan")


def story_plan(story: Path, folder: Path, settings: Profile, paying: Paying) -> SemanticPlan:
    """The sound plan of a story, which also lies in the project folder afterwards.

    A brief whose plan is there already, beside it or in the project, is not planned again: that plan may have been
    edited, and it may have been paid for.
    """
    document = open_document(story)
    if is_plan(document):
        plan = read_plan(document)
        check_plan(plan).raise_if_blocking()
    else:
        request = read_request(document)
        plan = _planned_before(story, folder, request) or _new_plan(story, folder, request, settings, paying)
    keep_plan(folder / "plan.yaml", plan)
    return plan


def keep_plan(path: Path, plan: SemanticPlan) -> None:
    """Write the plan, unless exactly it is there: the file may have comments."""
    if not path.is_file() or read_plan(open_document(path)) != plan:
        write_text(path, plan_yaml(plan))


def _planned_before(story: Path, folder: Path, request: StoryRequest) -> SemanticPlan | None:
    """The plan beside a brief, else the project's, if it was made for exactly this brief."""
    beside = story.with_name(f"{story.stem}.plan.yaml")
    if beside.is_file():
        plan = read_plan(open_document(beside))
        check_plan(plan).raise_if_blocking()
        return plan
    kept = folder / "plan.yaml"
    if not kept.is_file():
        return None
    plan = read_plan(open_document(kept))
    if plan.request != request:
        return None
    check_plan(plan).raise_if_blocking()
    return plan


def _new_plan(story: Path, folder: Path, request: StoryRequest, settings: Profile, paying: Paying) -> SemanticPlan:
    if settings.planner.backend != EMBEDDED:
        return _by_model(folder, request, settings.planner, paying).plan
    from storyengine.planning.embedded import plan_with_rules  # the reader's word lists are not needed elsewhere

    planned = plan_with_rules(request)
    if planned.findings.blocking:
        raise PlanUnsound(
            f"No sound plan came out of {story}.",
            planned.findings,
            next_step=f"See what is wrong: storyengine plan {story}",
        )
    return planned.plan


def _by_model(folder: Path, request: StoryRequest, choice: Choice, paying: Paying) -> Planned:
    """Plan with a language model, as steps of the project: what was once written is not paid for again."""
    from storyengine.backends.hired import TextProvider  # brings the media libraries along
    from storyengine.planning.journalled import JournalledModel

    hired = _planner(request, choice)
    if not _begun(folder, hired, request):
        said = planning_in_words(request, choice.backend, hired.backend.model, MAX_CALLS)
        free = "The embedded planner is free: --set planner=embedded."
        agree(said, "A language model", yes=paying.yes, instead=free)

    async def run() -> Planned:
        repay = repay_all if paying.repay else never_repay
        with Project(folder) as project:
            async with (
                LocalExecutor("threads") as executor,
                Runner(project, executor, providers=[TextProvider(hired)], cap=paying.max_cost, repay=repay) as runner,
            ):
                model = JournalledModel(runner, hired)
                return await until_interrupted(lambda: plan_with_model(request, model))

    planned = anyio.run(run)
    err().print(f"[dim]Planned in {len(planned.drafts)} draft{'s' if len(planned.drafts) != 1 else ''}.[/]")
    return planned


def _planner(request: StoryRequest, choice: Choice) -> Hired:
    from storyengine.backends.hired import Hired, hire  # as above

    hired = hire(Port.TEXT, choice.backend, choice.options())
    work, price = effort(request), price_of(hired.backend.model)
    estimate = price.of(work.read, work.written) if price else 0
    identity = {**hired.identity, "model": hired.backend.model}
    return Hired(f"planner {choice.backend}", hired.backend, identity, estimate, hired.limits)


def _begun(folder: Path, hired: Hired, request: StoryRequest) -> bool:
    """Whether planning this brief was agreed to and begun before."""
    if not journal_path(folder).exists():
        return False
    from storyengine.planning.journalled import writing_step  # as above

    question = first_question(request, hired.backend.capabilities.schema)
    with read_journal(folder) as journal:
        return journal.call(writing_step(hired, question, "plan/draft 1").key) is not None
