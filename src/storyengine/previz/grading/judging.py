"""Asking the evaluator about every scene of a folder, in processes of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from types import TracebackType
from typing import BinaryIO, cast

from storyengine.backends.ports import Box, JudgeRequest, Label, LocateRequest
from storyengine.errors import ContractError
from storyengine.previz.grading.bare import Answered, receive, send
from storyengine.previz.grading.conditions import CLEAN, CONDITIONS, degraded
from storyengine.previz.grading.folder import Probe, Question, Sample, SceneFolder

DEGRADED_EVERY = 5
"""Every fifth scene is also judged under each degraded condition."""


@dataclass(frozen=True)
class Answer:
    """A question, and what the evaluator said to it."""

    scene: int
    condition: str
    form: str
    framing: str
    words: str
    question: Question
    label: Label
    evidence: str
    frame: int | None
    box: Box | None


@dataclass(frozen=True)
class Sighting:
    """A thing that was looked for in a probe: where it is, and where the evaluator says it is."""

    share: float
    true: Box | None
    said: Box | None


@dataclass(frozen=True)
class Judged:
    """Everything that was said about a folder."""

    answers: tuple[Answer, ...]
    sightings: tuple[Sighting, ...]
    seconds: tuple[float, ...]
    """How long the evaluator looked at each request."""


_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "OPENCV_FOR_THREADS_NUM")


class BareJudge:
    """One evaluator process. It gets the bytes of a request and gives verdicts; it starts in an empty folder.

    `threads` is how many it may use: several that each take all cores stand in each other's way.
    """

    def __init__(self, threads: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="storyengine-judge-")
        command = [sys.executable, "-c", "from storyengine.previz.grading.bare import main; main()"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self._folder.name,
            env=os.environ | dict.fromkeys(_THREADS, str(threads)),
        )  # fmt: skip

    def ask(self, request: JudgeRequest | LocateRequest) -> Answered:
        send(cast(BinaryIO, self._process.stdin), request)
        answered = receive(cast(BinaryIO, self._process.stdout))
        if answered is None:
            raise ContractError(f"The evaluator's process ended with status {self._process.wait()}.")
        return cast(Answered, answered)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        self._folder.cleanup()

    def __enter__(self) -> BareJudge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class _Work:
    folder: SceneFolder
    only: tuple[str, ...]
    answers: list[Answer] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def locate(self, judge: BareJudge, probe: Probe) -> None:
        answered = judge.ask(probe.request(self.folder))
        if answered.error:
            raise ContractError(f"The evaluator failed on a probe: {answered.error}")
        for name, _ in probe.things:
            share, *true = probe.boxes.get(name, (0.0,))
            self.sightings.append(Sighting(share, Box(*true) if true else None, answered.boxes.get(name)))

    def judge(self, judge: BareJudge, sample: Sample, condition: str) -> None:
        request = sample.request(self.folder, self.only)
        if not request.statements:
            return
        answered = judge.ask(degraded(request, condition))
        if answered.error:
            raise ContractError(f"The evaluator failed on scene {sample.number}: {answered.error}")
        self.seconds.append(answered.seconds)
        said = {verdict.id: verdict for verdict in answered.verdicts}
        for question in sample.questions:
            if question.id in said:
                verdict = said[question.id]
                self.answers.append(
                    Answer(
                        sample.number, condition, sample.form, sample.framing, sample.words, question,
                        verdict.label, verdict.evidence, verdict.frame, verdict.box,
                    )
                )  # fmt: skip


def judge_scenes(
    folder: SceneFolder,
    numbers: Sequence[int],
    jobs: int,
    *,
    only: Sequence[str] = (),
    clean: bool = False,
    tell: Callable[[int], None] = lambda done: None,
) -> Judged:
    """Every scene as it is, and every fifth under degraded conditions (not with `clean`)."""
    tasks = [(number, CLEAN) for number in numbers]
    if not clean:
        tasks += [(n, condition) for condition in CONDITIONS for n in numbers if n % DEGRADED_EVERY == 0]
    probes = list(folder.probes()) if not only else []
    work = _Work(folder, tuple(only))

    stop, threads = Event(), max(1, (os.cpu_count() or 1) // jobs)

    def run(part: int) -> None:
        mine: list[tuple[int, str] | Probe] = [*tasks[part::jobs], *probes[part::jobs]]
        try:
            with BareJudge(threads) as judge:
                for task in (task for task in mine if not stop.is_set()):
                    if isinstance(task, Probe):
                        work.locate(judge, task)
                    else:
                        work.judge(judge, folder.sample(task[0]), task[1])
                        tell(len(work.seconds))
        except BaseException:
            stop.set()  # one evaluator that fails ends the grade; the others need not judge on
            raise

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, range(jobs)))
    order = {condition: k for k, condition in enumerate((CLEAN, *CONDITIONS))}
    ordered = sorted(work.answers, key=lambda a: (order[a.condition], a.scene))
    return Judged(tuple(ordered), tuple(work.sightings), tuple(work.seconds))
