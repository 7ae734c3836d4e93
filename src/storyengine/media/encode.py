"""Writing clips with fixed settings, so that the same frames always give the same file.

H.264 by x264: veryfast, crf 20, two threads (another number gives another file), closed groups of 12 frames without
B-frames (every frame within 20 ms), BT.709 limited. Joining clips copies packets; nothing is encoded again.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from types import TracebackType

import av
import av.error
import numpy as np
import numpy.typing as npt

from storyengine.errors import InputError
from storyengine.media.clip import Clip
from storyengine.media.picture import Picture
from storyengine.media.yuv_kernels import to_yuv

GROUP = 12
SETTINGS = {
    "preset": "veryfast",
    "crf": "20",
    "threads": "2",
    "g": str(GROUP),
    "keyint_min": str(GROUP),
    "bf": "0",
    "sc_threshold": "0",
    "flags": "+bitexact+cgop",
}
"""Part of the key of every step that encodes."""
_BT709 = 1
_LIMITED = 1


class Encoder:
    """Frames in, one clip out. Use as a context: `with Encoder(w, h, fps) as e: e.add(planes)`, then `e.clip`."""

    def __init__(self, width: int, height: int, fps: Fraction | int = 24) -> None:
        if width % 2 or height % 2 or width < 16 or height < 16:
            raise InputError(f"A clip of {width}×{height} cannot be encoded; both sides must be even and at least 16.")
        self._size = (width, height)
        self._file = io.BytesIO()
        self._container = av.open(self._file, "w", format="mp4", options={"fflags": "+bitexact"})
        rate = Fraction(fps)
        stream = self._container.add_stream("libx264", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = dict(SETTINGS)
        context = stream.codec_context
        context.time_base = 1 / rate
        context.color_range, context.colorspace = _LIMITED, _BT709
        context.color_primaries, context.color_trc = _BT709, _BT709
        self._stream, self._count, self._open = stream, 0, True

    def add(self, planes: npt.NDArray[np.uint8]) -> None:
        """One frame as yuv420p (height·3/2, width)."""
        frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.pts, frame.time_base = self._count, self._stream.codec_context.time_base
        self._container.mux(self._stream.encode(frame))
        self._count += 1

    def close(self) -> None:
        if self._open:
            self._open = False
            self._container.mux(self._stream.encode())
            self._container.close()

    @property
    def clip(self) -> Clip:
        self.close()
        return Clip.from_bytes(self._file.getvalue())

    def __enter__(self) -> Encoder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._open = False
            self._container.close()


def encode(pictures: Iterable[Picture], fps: Fraction | int = 24) -> Clip:
    """Pictures of one size as a clip; an odd last row or column is left out."""
    encoder: Encoder | None = None
    size = (0, 0)
    for picture in pictures:
        if encoder is None:
            size = (picture.width, picture.height)
            encoder = Encoder(size[0] // 2 * 2, size[1] // 2 * 2, fps)
        if (picture.width, picture.height) != size:
            raise InputError(f"A frame is {picture.width}×{picture.height}, the first one {size[0]}×{size[1]}.")
        encoder.add(to_yuv(_packed(picture)))
    if encoder is None:
        raise InputError("A clip needs at least one frame.")
    return encoder.clip


def _packed(picture: Picture) -> npt.NDArray[np.uint32]:
    height, width = picture.height // 2 * 2, picture.width // 2 * 2
    rgba = np.zeros((height, width, 4), np.uint8)
    rgba[..., :3] = picture.pixels[:height, :width]
    return rgba.view(np.uint32)[..., 0]


def concat(clips: Sequence[Clip]) -> Clip:
    """Clips end to end without encoding again. They must agree in size, rate and codec settings."""
    if not clips:
        raise InputError("There is nothing to join.")
    first = clips[0]
    for clip in clips[1:]:
        if (clip.width, clip.height, clip.fps) != (first.width, first.height, first.fps):
            raise InputError(
                f"A clip of {clip.width}×{clip.height} at {clip.fps} fps cannot follow one of "
                f"{first.width}×{first.height} at {first.fps} fps.",
                next_step="Encode it again with the settings of the first.",
            )
    file = io.BytesIO()
    with av.open(file, "w", format="mp4", options={"fflags": "+bitexact"}) as target:
        stream = None
        start = 0
        for clip in clips:
            with av.open(io.BytesIO(clip.data), "r") as source:
                incoming = source.streams.video[0]
                if stream is None:
                    stream = target.add_stream_from_template(incoming)
                    header = incoming.codec_context.extradata
                elif incoming.codec_context.extradata != header:
                    raise InputError("Two clips were encoded with different settings and cannot be joined as they are.")
                start = _copy_packets(source, target, incoming, stream, start)
    return Clip.from_bytes(file.getvalue())


def _copy_packets(
    source: av.container.InputContainer,
    target: av.container.OutputContainer,
    incoming: av.VideoStream,
    stream: av.VideoStream,
    start: int,
) -> int:
    """Append one clip's packets, `start` ticks in; returns where the next one starts."""
    end = start
    for packet in source.demux(incoming):
        if packet.dts is None or packet.pts is None:
            continue
        packet.pts += start
        packet.dts += start
        end = max(end, packet.pts + (packet.duration or 0))
        packet.stream = stream
        target.mux(packet)
    return end
