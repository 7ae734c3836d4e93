"""Backends at work: a port behind the runner's paid-call protocol, and requests as plain steps.

The runner makes every call, so that nothing is done or paid twice. A request is written into a step's parameters and
inputs here, and read back into the port's own value when the runner sends it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import anyio

from storyengine.backends.ports import (
    AnimateRequest,
    Animator,
    Box,
    Frame,
    Judge,
    JudgeRequest,
    Label,
    LocateRequest,
    Painter,
    PaintRequest,
    ReferenceImage,
    Statement,
    TextAnswer,
    TextModel,
    TextRequest,
    Verdict,
)
from storyengine.backends.registry import Port, load
from storyengine.errors import AmbiguousCharge, Malformed, StoryEngineError
from storyengine.media.clip import Clip
from storyengine.media.picture import bare_png
from storyengine.media.sampling import at_fractions
from storyengine.runs.provider import Answer, Declined, Limits, Ready, Request, Waiting
from storyengine.runs.step import Materials, Paid, Step


@dataclass(frozen=True)
class Reference:
    """A picture in the store, and what it shows."""

    caption: str
    digest: str


@dataclass(frozen=True)
class Hired:
    """A backend for one port, under the name that records use, with what a call is expected to cost."""

    name: str
    backend: Any
    identity: Mapping[str, Any] = field(default_factory=dict)
    """Model, options and version: part of every step's key."""
    estimate: int = 0
    """Micro-dollars per call."""
    limits: Limits = field(default_factory=Limits)

    @property
    def backend_name(self) -> str:
        """The name it is registered under, without its part: `previz` of `painter previz`."""
        return self.name.rpartition(" ")[2]

    def step(
        self,
        kind: str,
        slot: str,
        stage: str,
        params: Mapping[str, Any],
        references: Sequence[Reference] = (),
        inputs: Mapping[str, str] | None = None,
    ) -> Step:
        named = {f"reference-{i:02d}": reference.digest for i, reference in enumerate(references)}
        captions = [reference.caption for reference in references]
        return Step(
            kind=kind,
            version="1",
            slot=slot,
            inputs={**(inputs or {}), **named},
            params={**params, "captions": captions, "backend": {"name": self.name, **self.identity}},
            paid=Paid(self.name, stage, self.estimate),
        )


def _references(materials: Materials) -> tuple[ReferenceImage, ...]:
    captions = materials.params["captions"]
    return tuple(ReferenceImage(caption, materials.read(f"reference-{i:02d}")) for i, caption in enumerate(captions))


class _JobProvider:
    """What painters and animators have in common."""

    def __init__(self, hired: Hired) -> None:
        self.name = hired.name
        self.limits = hired.limits
        self._backend = hired.backend
        if hasattr(hired.backend, "lookup"):  # only then may the runner ask whether a call arrived
            self.lookup = hired.backend.lookup

    async def poll(self, job: str) -> Waiting | Ready | Declined:
        return cast("Waiting | Ready | Declined", await self._backend.poll(job))

    async def fetch(self, job: str) -> Answer:
        return Answer(await self._backend.fetch(job))


class PaintProvider(_JobProvider):
    """A painter, as the runner calls it."""

    async def submit(self, request: Request) -> str:
        params = request.materials.params
        paint = PaintRequest(
            prompt=params["prompt"],
            width=params["width"],
            height=params["height"],
            references=_references(request.materials),
            seed=params["seed"],
        )
        return await cast(Painter, self._backend).submit(paint, request.call)


class AnimateProvider(_JobProvider):
    """An animator, as the runner calls it."""

    async def submit(self, request: Request) -> str:
        params = request.materials.params
        animate = AnimateRequest(
            prompt=params["prompt"],
            opening=request.materials.read("opening"),
            seconds=params["seconds"],
            width=params["width"],
            height=params["height"],
            fps=params["fps"],
            references=_references(request.materials),
            seed=params["seed"],
        )
        return await cast(Animator, self._backend).submit(animate, request.call)


class JudgeProvider:
    """A judge, as the runner calls it: `judge` and `locate` are two kinds of step."""

    def __init__(self, hired: Hired) -> None:
        self.name = hired.name
        self.limits = hired.limits
        self._judge = cast(Judge, hired.backend)

    async def answer(self, request: Request) -> Answer | Declined:
        try:
            found = await (self._locate(request) if request.kind == "locate" else self._verdicts(request))
        except Malformed as error:
            # A malformed answer was paid for; it is kept, so that asking again is a step of its own.
            found = {"malformed": str(error)}
        except StoryEngineError as error:
            return Declined(error)
        return Answer(json.dumps(found, ensure_ascii=False, sort_keys=True).encode())

    async def _verdicts(self, request: Request) -> dict[str, Any]:
        params = request.materials.params
        verdicts = await self._judge.judge(
            JudgeRequest(
                frames=await anyio.to_thread.run_sync(_frames, request.materials, params["fractions"]),
                statements=tuple(Statement(**statement) for statement in params["statements"]),
                references=_references(request.materials),
                captions=tuple(params["about"]),
            )
        )
        return {"verdicts": [_verdict_data(verdict) for verdict in verdicts]}

    async def _locate(self, request: Request) -> dict[str, Any]:
        things = tuple(Statement(**thing) for thing in request.materials.params["things"])
        image = bare_png(request.materials.read("media"))
        boxes = await self._judge.locate(LocateRequest(image, things))
        return {"boxes": {name: vars(box) if box else None for name, box in boxes.items()}}


class TextProvider:
    """A language model, as the runner calls it."""

    def __init__(self, hired: Hired) -> None:
        self.name = hired.name
        self.limits = hired.limits
        self._model = cast(TextModel, hired.backend)
        self._estimate = hired.estimate

    async def answer(self, request: Request) -> Answer | Declined:
        params = request.materials.params
        asked = TextRequest(
            params["system"], params["prompt"], schema=params["schema"], max_tokens=params["max_tokens"]
        )
        try:
            written = await self._model.write(asked)
        except AmbiguousCharge:
            raise
        except Malformed as error:
            return Declined(error, cost=self._estimate)
        except StoryEngineError as error:
            return Declined(error)
        return Answer(json.dumps(vars(written), ensure_ascii=False, sort_keys=True).encode(), cost=written.cost)


def read_text_file(data: bytes) -> TextAnswer:
    """What a language model wrote, as its step holds it."""
    return TextAnswer(**json.loads(data))


def _frames(materials: Materials, fractions: Sequence[float]) -> tuple[Frame, ...]:
    return bare_frames(materials.read("media"), fractions)


def bare_frames(data: bytes, fractions: Sequence[float]) -> tuple[Frame, ...]:
    """Frames of a clip at fractions of its length, or a picture as its one frame; pixels only."""
    if not fractions:
        return (Frame(0.0, bare_png(data)),)
    frames = Clip.from_bytes(data).frames
    chosen = at_fractions(len(frames), fractions)
    return tuple(Frame(float(index / frames.fps), frames[index].to_png(bare=True)) for index in chosen)


def _verdict_data(verdict: Verdict) -> dict[str, Any]:
    return {**vars(verdict), "box": vars(verdict.box) if verdict.box else None}


def read_verdict_file(data: bytes) -> tuple[Verdict, ...]:
    """The verdicts that a judge's step holds, or Malformed where its answer was not in the agreed form."""
    found = json.loads(data)
    if "malformed" in found:
        raise Malformed(found["malformed"])
    return tuple(
        Verdict(
            id=item["id"],
            label=cast(Label, item["label"]),
            evidence=item["evidence"],
            frame=item["frame"],
            box=Box(**item["box"]) if item["box"] else None,
        )
        for item in found["verdicts"]
    )


def read_box_file(data: bytes) -> dict[str, Box | None]:
    """The boxes that a `locate` step holds."""
    found = json.loads(data)
    return {name: Box(**box) if box else None for name, box in found.get("boxes", {}).items()}


def hire(port: Port, name: str, options: Mapping[str, Any]) -> Hired:
    """Load a backend by name. It may say how it wants to be called: `limits`, `identity`, `estimate`."""
    backend = load(port, name)(**options)
    return Hired(
        name=f"{port.noun} {name}",
        backend=backend,
        identity={**options, **getattr(backend, "identity", {})},
        estimate=getattr(backend, "estimate", 0),
        limits=getattr(backend, "limits", Limits()),
    )
