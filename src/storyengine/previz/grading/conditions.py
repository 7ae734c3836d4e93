"""What happens to pictures on their way: compression, another exposure, a soft lens."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import av
import cv2
import numpy as np

from storyengine.backends.ports import Frame, JudgeRequest
from storyengine.media.clip import Clip
from storyengine.media.picture import Picture, Pixels
from storyengine.previz.grading.folder import png_of

CLEAN: Final = "clean"
BLUR = 1.2
"""Standard deviation of the blur in pixels of a 1280-pixel frame."""


def degraded(request: JudgeRequest, condition: str) -> JudgeRequest:
    """The request with its frames spoiled; references stay as they are."""
    if condition == CLEAN:
        return request
    pixels = CONDITIONS[condition]([Picture.from_bytes(frame.image).pixels for frame in request.frames])
    frames = [Frame(f.seconds, png_of(p)) for f, p in zip(request.frames, pixels, strict=True)]
    return replace(request, frames=tuple(frames))


def _compressed(frames: Sequence[Pixels]) -> list[Pixels]:
    """Through H.264 at crf 32, as a careless upload would."""
    file = io.BytesIO()
    height, width = frames[0].shape[:2]
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=24)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = {"crf": "32", "preset": "veryfast", "threads": "1"}
        for pixels in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")))
        container.mux(stream.encode())
    decoded = Clip.from_bytes(file.getvalue()).frames
    return [decoded[k].pixels for k in range(len(frames))]


def _gained(gain: float, frames: Sequence[Pixels]) -> list[Pixels]:
    return [np.clip(pixels.astype(np.float32) * gain, 0, 255).astype(np.uint8) for pixels in frames]


def _blurred(frames: Sequence[Pixels]) -> list[Pixels]:
    return [np.asarray(cv2.GaussianBlur(p, (0, 0), BLUR * p.shape[1] / 1280), np.uint8) for p in frames]


CONDITIONS: Final[dict[str, Callable[[Sequence[Pixels]], list[Pixels]]]] = {
    "H.264 crf 32": _compressed,
    "gain +20 %": lambda frames: _gained(1.2, frames),
    "gain -20 %": lambda frames: _gained(0.8, frames),
    "blur": _blurred,
}
