"""Sound that generators make: kept through the cut, each clip's as long as its picture, silence where there is none.

Pictures are never encoded again for it: their packets are copied, the sound of the whole film is encoded once (AAC,
48 kHz, stereo).
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction

import av
import av.error
import numpy as np
import numpy.typing as npt

from storyengine.media.clip import Clip

RATE = 48_000
FRAME = 1_024
"""Samples of one AAC frame."""

Samples = npt.NDArray[np.float32]
"""(2, n): left and right."""


def has_sound(clip: Clip) -> bool:
    with av.open(io.BytesIO(clip.data), "r") as container:
        return bool(container.streams.audio)


def frame_count(clip: Clip) -> int:
    """How many pictures a clip holds, without decoding them."""
    with av.open(io.BytesIO(clip.data), "r") as container:
        return sum(packet.pts is not None for packet in container.demux(container.streams.video[0]))


def sound_of(clips: Sequence[Clip]) -> Samples | None:
    """The sound of clips end to end; None where none of them has any."""
    if not any(has_sound(clip) for clip in clips):
        return None
    parts, frames = [], Fraction(0)
    for clip in clips:
        before = round(frames * RATE)
        frames += frame_count(clip) / clip.fps
        parts.append(_exactly(_decoded(clip), round(frames * RATE) - before))
    return np.concatenate(parts, axis=1)


def _decoded(clip: Clip) -> Samples:
    """All sound of a clip that can be decoded."""
    resampler = av.AudioResampler(format="fltp", layout="stereo", rate=RATE)
    pieces: list[Samples] = [np.zeros((2, 0), np.float32)]
    with av.open(io.BytesIO(clip.data), "r") as container:
        if not container.streams.audio:
            return pieces[0]
        try:
            for frame in container.decode(container.streams.audio[0]):
                pieces += [np.asarray(piece.to_ndarray(), np.float32) for piece in resampler.resample(frame)]
            pieces += [np.asarray(piece.to_ndarray(), np.float32) for piece in resampler.resample(None)]
        except (av.error.FFmpegError, ValueError):
            pass  # damaged sound ends early; the picture decides whether a clip is usable
    return np.concatenate(pieces, axis=1)


def _exactly(samples: Samples, count: int) -> Samples:
    missing = max(count - samples.shape[1], 0)
    return np.pad(samples[:, :count], ((0, 0), (0, missing)))


def with_sound(clip: Clip, samples: Samples | None) -> Clip:
    """The same pictures with this sound, or with none."""
    file = io.BytesIO()
    with (
        av.open(io.BytesIO(clip.data), "r") as source,
        av.open(file, "w", format="mp4", options={"fflags": "+bitexact"}) as target,
    ):
        pictures = source.streams.video[0]
        video = target.add_stream_from_template(pictures)
        sound = None
        if samples is not None:
            sound = target.add_stream("aac", rate=RATE, layout="stereo")
            sound.options = {"flags": "+bitexact"}
        for packet in source.demux(pictures):
            if packet.dts is not None:
                packet.stream = video
                target.mux(packet)
        if sound is not None and samples is not None:
            _mux_sound(target, sound, samples)
    return Clip.from_bytes(file.getvalue())


def _mux_sound(target: av.container.OutputContainer, stream: av.AudioStream, samples: Samples) -> None:
    for start in range(0, samples.shape[1], FRAME):
        piece = np.ascontiguousarray(samples[:, start : start + FRAME])
        frame = av.AudioFrame.from_ndarray(piece, format="fltp", layout="stereo")
        frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
        target.mux(stream.encode(frame))
    target.mux(stream.encode(None))


def silent(clip: Clip) -> Clip:
    """The clip without its sound; itself where it has none."""
    return with_sound(clip, None) if has_sound(clip) else clip
