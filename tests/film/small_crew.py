"""A crew of real ports, small and quick: flat pictures, tiny clips, and a judge whose opinions a test decides."""

import hashlib
from collections import Counter

import numpy as np

from storyengine.backends import (
    AnimatorCapabilities,
    Box,
    JudgeCapabilities,
    PainterCapabilities,
    Verdict,
)
from storyengine.backends.hired import AnimateProvider, Hired, JudgeProvider, PaintProvider
from storyengine.errors import Refused
from storyengine.media.encode import encode
from storyengine.media.picture import Picture
from storyengine.runs.provider import Limits, Ready

LARGEST = 128
LIMITS = Limits(poll_seconds=0.001, idempotent=True)


def flat(text, width, height, shift=0):
    shade = np.frombuffer(hashlib.sha256(text.encode()).digest()[:3], np.uint8) // 4 + 40  # its opposite is light
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = shade
    pixels[: height // 3, shift % width :] = 255 - shade
    return Picture(pixels)


def painted(text, width, height):
    """A flat picture as a file. Painters do not always paint as large as asked; this one saves everybody's time."""
    shrink = max(1, max(width, height) // LARGEST)
    return flat(text, width // shrink, height // shrink).to_png()


class Jobs:
    """Submit, poll, fetch; counts what was asked for."""

    def __init__(self):
        self.done = {}
        self.requests = []

    async def poll(self, job):
        return Ready()

    async def fetch(self, job):
        return self.done[job]


class SmallPainter(Jobs):
    capabilities = PainterCapabilities(max_references=16, max_width=512, seed=True)

    async def submit(self, request, call):
        self.requests.append(request)
        self.done[call] = painted(f"{request.prompt}{request.seed}", request.width, request.height)
        return call


class SmallAnimator(Jobs):
    capabilities = AnimatorCapabilities(durations=(), sizes=(), fps=(), max_references=16, seed=True, audio=False)

    def __init__(self, refuses=lambda request: False, breaks=lambda request: False):
        super().__init__()
        self.refuses, self.breaks = refuses, breaks

    async def submit(self, request, call):
        self.requests.append(request)
        if self.refuses(request):
            raise Refused("The animator refused.", "too exciting")
        frames = round(request.seconds * request.fps)
        moving = (flat(f"{request.prompt}{request.seed}", request.width, request.height, 3 * i) for i in range(frames))
        self.done[call] = b"" if self.breaks(request) else encode(moving, request.fps).data
        return call


class SmallJudge:
    """Passes everything but what `opinion(statement, request, how often asked)` says otherwise."""

    capabilities = JudgeCapabilities(max_frames=16, locate=True)

    def __init__(self, opinion=lambda text, request, asked: "PASS", answers=lambda verdicts, again: verdicts):
        self.opinion, self.answers = opinion, answers
        self.asked = Counter()
        self.requests = []

    async def judge(self, request):
        self.requests.append(request)
        verdicts = []
        for statement in request.statements:
            self.asked[statement.text, len(request.frames) > 1] += 1
            count = self.asked[statement.text, len(request.frames) > 1]
            verdicts.append(Verdict(statement.id, self.opinion(statement.text, request, count), "seen"))
        return self.answers(tuple(verdicts), request in self.requests[:-1])

    async def locate(self, request):
        return {thing.id: Box(0.4, 0.4, 0.2, 0.3) for thing in request.things}


def hire(painter, animator, judge):
    """The three as the runner and the crew need them."""
    hired = [
        Hired("painter", painter, {"version": 1}, 0, LIMITS),
        Hired("animator", animator, {"version": 1}, 0, LIMITS),
        Hired("judge", judge, {"version": 1}, 0, LIMITS),
    ]
    providers = [PaintProvider(hired[0]), AnimateProvider(hired[1]), JudgeProvider(hired[2])]
    return hired, providers
