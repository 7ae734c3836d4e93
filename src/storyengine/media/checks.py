"""Technical checks of a clip: is it a film at all? Nothing here knows what it should show.

Each check returns a typed finding; an empty tuple means the clip is technically valid. Little motion alone is no
failure: people stand still, and cameras rest. `FROZEN` means that nothing at all changes from the first frame to the
last, not even a breath, or that the decoder gave up before the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from storyengine.errors import CorruptData
from storyengine.media.clip import Clip, Frames
from storyengine.media.sampling import BLACK, WHITE, is_blank


class Fault(StrEnum):
    UNDECODABLE = "undecodable"
    EMPTY = "empty"
    SIZE = "size"
    DURATION = "duration"
    BLACK = "black"
    WHITE = "white"
    FROZEN = "frozen"


@dataclass(frozen=True)
class TechnicalFinding:
    """One technical fault: what was seen, what was wanted, where."""

    fault: Fault
    saw: str
    wanted: str
    frame: int | None = None

    def __str__(self) -> str:
        where = "" if self.frame is None else f" (from frame {self.frame})"
        return f"{self.fault}: {self.saw}, wanted {self.wanted}{where}"


BLANK_SHARE = 0.2
"""Share of blank frames from which a clip counts as black or white."""


STILL = 3
"""Grey levels of a thumbnail by which an encoder may make one and the same picture differ."""


def check_bytes(data: bytes, *, width: int, height: int, seconds: float) -> tuple[TechnicalFinding, ...]:
    """All technical faults of a file that should be a clip."""
    if not data:
        return (TechnicalFinding(Fault.EMPTY, "no bytes", "a clip"),)
    try:
        clip = Clip.from_bytes(data)
    except CorruptData as error:
        return (TechnicalFinding(Fault.UNDECODABLE, error.message, "a clip that can be decoded"),)
    return check_clip(clip, width=width, height=height, seconds=seconds)


def check_clip(clip: Clip, *, width: int, height: int, seconds: float) -> tuple[TechnicalFinding, ...]:
    """All technical faults of a clip. The duration may differ by a tenth or two frames, whichever is more."""
    frames = clip.frames
    if not len(frames):
        saw = frames.broken or "no frames"
        fault = Fault.UNDECODABLE if frames.broken else Fault.EMPTY
        return (TechnicalFinding(fault, saw, "at least one frame"),)
    found = []
    if (clip.width, clip.height) != (width, height):
        found.append(TechnicalFinding(Fault.SIZE, f"{clip.width}×{clip.height}", f"{width}×{height}"))
    slack = max(0.1 * seconds, float(2 / clip.fps))
    if abs(frames.seconds - seconds) > slack + 1e-9:
        found.append(TechnicalFinding(Fault.DURATION, f"{frames.seconds:.2f} s", f"{seconds:.2f} s ± {slack:.2f} s"))
    found += _blank(frames)
    found += _frozen(frames)
    return tuple(found)


def _blank(frames: Frames) -> list[TechnicalFinding]:
    small = frames.thumbnails
    blank = np.array([is_blank(t) for t in small])
    if blank.mean() < BLANK_SHARE:
        return []
    first = int(blank.argmax())
    level = float(small[blank].mean())
    saw = f"{int(blank.sum())} of {len(small)} frames blank, mean level {level:.0f}"
    fault = Fault.BLACK if level < (BLACK + WHITE) / 2 else Fault.WHITE
    return [TechnicalFinding(fault, saw, f"fewer than {BLANK_SHARE:.0%}", first)]


def _frozen(frames: Frames) -> list[TechnicalFinding]:
    if frames.broken:
        saw = f"decoding failed after {len(frames)} frames: {frames.broken}"
        return [TechnicalFinding(Fault.FROZEN, saw, "every frame decodable", len(frames) - 1)]
    if len(frames) < 3:
        return []
    small = frames.thumbnails.astype(np.int16)
    most = int(np.abs(small - small[0]).max())
    if most > STILL:
        return []
    saw = f"no place of the picture ever changes by more than {most} grey levels"
    return [TechnicalFinding(Fault.FROZEN, saw, f"more than {STILL} somewhere, at some time", 0)]
