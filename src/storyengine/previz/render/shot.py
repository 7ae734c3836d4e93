"""A shot: two threads draw the frames by turns, one stream encodes them in order."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from storyengine.media.clip import Clip
from storyengine.media.encode import Encoder
from storyengine.media.yuv_kernels import to_yuv
from storyengine.previz.render.baking import BakedRoom
from storyengine.previz.render.renderer import Renderer
from storyengine.previz.render.values import View

THREADS = 2
LEAD = 8
"""How many frames drawing may run ahead of the encoder."""


def shoot(
    baked: BakedRoom,
    view_at: Callable[[int], View],
    frames: int,
    *,
    width: int = 1280,
    height: int = 720,
    fps: int = 24,
    ink: float = 1.0,
    retouch: Callable[[int, npt.NDArray[np.uint32]], None] | None = None,
) -> Clip:
    """Draw and encode `frames` frames. `view_at(i)` is called from two threads and must be pure.

    `retouch(i, packed)` may paint into a finished frame (0x__BBGGRR) before it is encoded.
    """
    line = _Line(frames)
    workers = [
        threading.Thread(
            target=_work, args=(line, turn, Renderer(baked, ink=ink), view_at, width, height, retouch), daemon=True
        )
        for turn in range(min(THREADS, frames))
    ]
    for worker in workers:
        worker.start()
    try:
        with Encoder(width, height, fps) as encoder:
            for number in range(frames):
                planes = line.take(number)
                encoder.add(planes)
                line.give_back(planes)
    finally:
        line.stop()
        for worker in workers:
            worker.join()
    return encoder.clip


def _work(
    line: _Line,
    turn: int,
    renderer: Renderer,
    view_at: Callable[[int], View],
    width: int,
    height: int,
    retouch: Callable[[int, npt.NDArray[np.uint32]], None] | None,
) -> None:
    """Every second frame: which ones a thread draws must not depend on the clock, since a renderer remembers."""
    try:
        packed = np.empty((height, width), np.uint32)
        for number in range(turn, line.frames, THREADS):
            if not line.wait_for_turn(number):
                return
            renderer.draw(view_at(number), width, height, into=packed)
            if retouch is not None:
                retouch(number, packed)
            line.put(number, to_yuv(packed, line.free_planes(width, height)))
    except BaseException as error:
        line.fail(error)


class _Line:
    """Frames on their way from the drawing threads to the encoder, in order."""

    def __init__(self, frames: int) -> None:
        self.frames = frames
        self._taken = 0
        self._ready: dict[int, npt.NDArray[np.uint8]] = {}
        self._free: list[npt.NDArray[np.uint8]] = []
        self._error: BaseException | None = None
        self._stopped = False
        self._change = threading.Condition()

    def wait_for_turn(self, number: int) -> bool:
        """Until the encoder is near enough to this frame; False when the line has stopped."""
        with self._change:
            self._change.wait_for(lambda: self._stopped or number - self._taken < LEAD)
            return not self._stopped

    def free_planes(self, width: int, height: int) -> npt.NDArray[np.uint8]:
        """Memory for a frame: one that the encoder is done with, or a new one."""
        with self._change:
            return self._free.pop() if self._free else np.empty((height * 3 // 2, width), np.uint8)

    def give_back(self, planes: npt.NDArray[np.uint8]) -> None:
        with self._change:
            self._free.append(planes)

    def put(self, number: int, planes: npt.NDArray[np.uint8]) -> None:
        with self._change:
            self._ready[number] = planes
            self._change.notify_all()

    def take(self, number: int) -> npt.NDArray[np.uint8]:
        with self._change:
            self._change.wait_for(lambda: number in self._ready or self._error is not None)
            if self._error is not None:
                raise self._error
            self._taken = number + 1
            self._change.notify_all()
            return self._ready.pop(number)

    def fail(self, error: BaseException) -> None:
        with self._change:
            self._error = self._error or error
            self._change.notify_all()

    def stop(self) -> None:
        with self._change:
            self._stopped = True
            self._change.notify_all()
