"""A clip is an encoded file and a digest. Its frames are decoded once and shared by everybody who looks at them."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import av
import av.error
import cv2
import numpy as np
import numpy.typing as npt

from storyengine.errors import CorruptData
from storyengine.media.picture import Derivation, Picture, Pixels
from storyengine.media.yuv_kernels import to_rgb
from storyengine.runs.digest import digest_bytes

SHARED_BYTES = 600_000_000
"""How much decoded film is kept for others; the least recently used goes first."""
THUMBNAIL_WIDTH = 160
"""Widest thumbnail; small clips get an eighth of their width, so that compression noise averages out."""
MOST_FRAMES = 20_000


@dataclass(frozen=True, eq=False)
class Clip:
    """An MP4 (or anything FFmpeg reads) as bytes, with what its header says."""

    data: bytes = field(repr=False)
    width: int
    height: int
    fps: Fraction
    digest: str

    @classmethod
    def from_bytes(cls, data: bytes) -> Clip:
        """Read the header; frames are decoded when somebody asks for them."""
        try:
            with av.open(io.BytesIO(data), "r") as container:
                if not container.streams.video:
                    raise CorruptData(f"These {len(data)} bytes hold no video.")
                stream = container.streams.video[0]
                rate = stream.average_rate or stream.base_rate or Fraction(24)
                return cls(data, int(stream.width), int(stream.height), Fraction(rate), digest_bytes(data))
        except (av.error.FFmpegError, ValueError, OSError) as error:
            raise CorruptData(f"These {len(data)} bytes are no readable clip: {error}.") from error

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Clip) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def frames(self) -> Frames:
        """The decoded frames; the first call decodes, later ones share."""
        return _SHARED.of(self)


@dataclass(frozen=True, eq=False)
class Frames(Sequence[Picture]):
    """The frames of a clip. `broken` is the decoder's message when it gave up before the end."""

    clip_digest: str
    fps: Fraction
    planes: tuple[Pixels, ...] = field(repr=False)
    """yuv420p, BT.709 limited, each (height·3/2, width)."""
    broken: str | None = None

    def __len__(self) -> int:
        return len(self.planes)

    def __getitem__(self, index: int) -> Picture:  # type: ignore[override]
        """One frame as a picture that knows where it comes from. Negative numbers count from the end."""
        number = index if index >= 0 else len(self) + index
        if not 0 <= number < len(self):
            raise IndexError(f"frame {index} of {len(self)}")
        return Picture(to_rgb(self.planes[number]), Derivation(self.clip_digest, "frame", {"index": number}))

    def __iter__(self) -> Iterator[Picture]:
        return (self[i] for i in range(len(self)))

    @property
    def seconds(self) -> float:
        return float(len(self) / self.fps)

    @cached_property
    def thumbnails(self) -> npt.NDArray[np.uint8]:
        """Small grey copies of all frames (n, h, w), for measuring change."""
        if not self.planes:
            return np.zeros((0, 1, 1), np.uint8)
        rows, width = self.planes[0].shape
        height = rows * 2 // 3
        across = max(16, min(THUMBNAIL_WIDTH, width // 8))
        size = (across, max(1, round(height * across / width)))
        small = [cv2.resize(p[:height], size, interpolation=cv2.INTER_AREA) for p in self.planes]
        return np.stack(small).astype(np.uint8)

    @property
    def nbytes(self) -> int:
        return sum(p.nbytes for p in self.planes)


def decode(clip: Clip) -> Frames:
    """All frames that can be decoded, in order. Damage ends the list early and is told in `broken`."""
    planes: list[Pixels] = []
    broken: str | None = None
    try:
        with av.open(io.BytesIO(clip.data), "r") as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            for frame in container.decode(stream):
                planes.append(_plane(frame))
                if len(planes) >= MOST_FRAMES:
                    broken = f"more than {MOST_FRAMES} frames"
                    break
    except (av.error.FFmpegError, ValueError, OSError) as error:
        broken = str(error)
    return Frames(clip.digest, clip.fps, tuple(planes), broken)


def _plane(frame: av.VideoFrame) -> Pixels:
    width, height = frame.width - frame.width % 2, frame.height - frame.height % 2
    if frame.format.name != "yuv420p" or (width, height) != (frame.width, frame.height):
        frame = frame.reformat(width=width, height=height, format="yuv420p", dst_colorspace="ITU709")
    out = np.asarray(frame.to_ndarray(), np.uint8)
    out.setflags(write=False)
    return out


class _SharedFrames:
    """Decoded clips by digest, up to a number of bytes. Two askers at once decode once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Frames] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, clip: Clip) -> Frames:
        with self._lock:
            found = self._kept.get(clip.digest)
            if found is None:
                found = decode(clip)
                self._kept[clip.digest] = found
            self._kept.move_to_end(clip.digest)
            total = sum(f.nbytes for f in self._kept.values())
            while total > SHARED_BYTES and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                total -= gone.nbytes
            return found


_SHARED = _SharedFrames()
