"""The embedded studio as a crew, for benchmarks that look into it. Not a benchmark itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ground_truth import TruthfulJudge

from storyengine import documents
from storyengine.backends.hired import AnimateProvider, Hired, JudgeProvider, PaintProvider
from storyengine.bench.briefs import load_brief, story_ids
from storyengine.continuity.crew import Crew
from storyengine.language.captions import captions_of
from storyengine.media.picture import Picture
from storyengine.plan import Catalog, SemanticPlan, plan_data, read_plan
from storyengine.planning.embedded import plan_with_rules
from storyengine.previz import make_animator, make_painter
from storyengine.previz.evaluator import make_judge
from storyengine.runs.executor import LocalExecutor
from storyengine.runs.project import Project
from storyengine.runs.provider import Limits
from storyengine.runs.runner import Runner

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LIMITS = Limits(concurrency=2, poll_seconds=0.02, settle_seconds=0.0, idempotent=True)
"""As `storyengine make` asks the studio."""
PNG = b"\x89PNG"


@dataclass(frozen=True)
class Studio:
    """Painter, animator and judge of one measurement, with an index of their own."""

    painter: Any
    animator: Any
    judge: Any

    @staticmethod
    def at(folder: Path, fallibility: str, judge: Any = None) -> "Studio":
        options = {"fallibility": fallibility, "folder": folder}
        return Studio(make_painter(**options), make_animator(**options), judge or make_judge())


class WatchedCrew(Crew):
    """Shows the studio what is cut out of its panoramas, so that a judge who knows can recognise the bare pixels."""

    def keep(self, data: bytes) -> str:
        if data.startswith(PNG):
            self.painter.backend.index.recognise(Picture.from_bytes(data))
        return super().keep(data)


@asynccontextmanager
async def studio_crew(plan: SemanticPlan, folder: Path, studio: Studio) -> AsyncIterator[Crew]:
    """A crew in a project folder."""
    identity = {"fallibility": studio.painter.fallibility}
    painter = Hired("painter previz", studio.painter, identity, 0, LIMITS)
    animator = Hired("animator previz", studio.animator, identity, 0, LIMITS)
    judge = Hired("judge previz", studio.judge, {}, 0, LIMITS)
    providers = [PaintProvider(painter), AnimateProvider(animator), JudgeProvider(judge)]
    with Project(folder) as project:
        async with LocalExecutor("threads") as executor, Runner(project, executor, providers=providers) as runner:
            captions = captions_of(Catalog.of(plan))
            crew = WatchedCrew if isinstance(studio.judge, TruthfulJudge) else Crew
            yield crew(runner, painter, animator, judge, plan.request.delivery, captions)


def resized(
    plan: SemanticPlan,
    width: int,
    height: int,
    seconds: float | None = None,
    fps: int = 24,
    shots: int | None = None,
) -> SemanticPlan:
    """The same story in another size, with shots of another length, and only the first so many of them."""
    data = plan_data(plan)
    if shots is not None and shots < len(plan.shots):
        # What the brief asks of the rest cannot be asked of a part.
        data["shots"] = data["shots"][:shots]
        data["request"] |= {"shots": shots, "required_entities": []}
        data["order"] = []
    durations = [seconds] if seconds else sorted({shot.seconds for shot in plan.shots})
    data["request"]["delivery"] = {"width": width, "height": height, "fps": fps, "durations": durations}
    for shot in data["shots"]:
        shot["seconds"] = seconds or shot["seconds"]
    return SemanticPlan.model_validate(data)


def example_stories() -> dict[str, SemanticPlan]:
    """The plans of all examples."""
    files = sorted(EXAMPLES.glob("*/plan.yaml"))
    return {file.parent.name: read_plan(documents.parse(file.read_text(), str(file))) for file in files}


def stories(count: int | None = None, longest: int = 12) -> dict[str, SemanticPlan]:
    """Plans to measure on: the examples, then the mini set of the benchmark as the embedded planner plans it.

    Stories without a sound plan are left out, and those with more shots than `longest`, since forty shots would
    outweigh all others. Held stories are never touched.
    """
    found = example_stories()
    for story in story_ids(mini=True):
        planned = plan_with_rules(load_brief(story))
        if not planned.findings.blocking:
            found[story] = planned.plan
    return dict([item for item in found.items() if len(item[1].shots) <= longest][:count])
