"""A third party's backends: painter, animator and judge that talk to `tests/film/service.py` over HTTP.

Registered like any other plugin, by entry points of an installed distribution. The address is in FILM_SERVICE.
"""

import base64
import os

from storyengine.backends import AnimatorCapabilities, Box, JudgeCapabilities, PainterCapabilities, Verdict
from storyengine.backends.http import Provider, post_json
from storyengine.errors import Malformed, Refused
from storyengine.runs.provider import Declined, Limits, Ready, Waiting


def _text(image):
    return base64.b64encode(image).decode()


class _Service:
    estimate = 20_000

    def __init__(self):
        address = os.environ["FILM_SERVICE"]
        self._provider = Provider("The film service", address, {}, key_hint="", attempts=2, first_pause=0.01)

    async def ask(self, path, **body):
        return await post_json(self._provider, path, body)


class _Jobs(_Service):
    limits = Limits(poll_seconds=0.005, settle_seconds=0.05)

    async def poll(self, job):
        answer = await self.ask("/poll", job=job)
        if answer["state"] == "refused":
            return Declined(Refused("The film service declined the job.", answer["reason"]))
        return Ready() if answer["state"] == "ready" else Waiting()

    async def fetch(self, job):
        return base64.b64decode((await self.ask("/fetch", job=job))["data"])

    async def lookup(self, call):
        return (await self.ask("/lookup", call=call))["job"]


class Painter(_Jobs):
    capabilities = PainterCapabilities(max_references=16, max_width=512, seed=True)

    async def submit(self, request, call):
        size = {"width": request.width, "height": request.height}
        return (await self.ask("/paint", call=call, prompt=request.prompt, seed=request.seed, **size))["job"]


class Animator(_Jobs):
    estimate = 500_000
    capabilities = AnimatorCapabilities(durations=(), sizes=(), fps=(), max_references=16, seed=True, audio=False)

    async def submit(self, request, call):
        answer = await self.ask(
            "/animate",
            call=call,
            prompt=request.prompt,
            seed=request.seed,
            opening=_text(request.opening),
            seconds=request.seconds,
            fps=request.fps,
            width=request.width,
            height=request.height,
        )
        return answer["job"]


class Judge(_Service):
    estimate = 10_000
    limits = Limits(idempotent=True)  # the service charges once for one question
    capabilities = JudgeCapabilities(max_frames=16, locate=True)

    async def judge(self, request):
        answer = await self.ask(
            "/judge",
            frames=[_text(frame.image) for frame in request.frames],
            statements=[[statement.id, statement.text] for statement in request.statements],
        )
        try:
            return tuple(Verdict(key, label, "seen") for key, label in answer["verdicts"])
        except (KeyError, TypeError, ValueError) as error:
            raise Malformed(f"The film service gave no verdicts ({error!r}).") from None

    async def locate(self, request):
        names = [thing.id for thing in request.things]
        found = await self.ask("/locate", image=_text(request.image), things=names)
        return {name: Box(*box) for name, box in found["boxes"].items()}
