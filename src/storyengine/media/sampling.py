"""Which frames to look at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from storyengine.media.clip import Frames
from storyengine.media.picture import Picture

BLACK = 12.0
"""Mean grey level (of 255) below which a frame is black."""
WHITE = 245.0
"""Mean grey level above which a frame is white, if it is also flat."""
FLAT = 6.0
"""Standard deviation of grey levels below which a frame shows nothing."""
SAME = 0.35
"""Mean change of grey levels below which a frame repeats the one before it."""


def spread(count: int, wanted: int) -> tuple[int, ...]:
    """Frame numbers: both ends and an even interior. Never more than there are."""
    if count <= 0 or wanted <= 0:
        return ()
    if wanted == 1:
        return (0,)
    if wanted >= count:
        return tuple(range(count))
    return tuple(round(i * (count - 1) / (wanted - 1)) for i in range(wanted))


def at_fractions(count: int, fractions: Sequence[float]) -> tuple[int, ...]:
    """Frame numbers at fractions of the duration (0 is the first frame, 1 the last)."""
    if count <= 0:
        return ()
    return tuple(min(count - 1, max(0, round(f * (count - 1)))) for f in fractions)


def is_blank(thumbnail: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> bool:
    """Black, white or one flat tone."""
    mean, deviation = float(thumbnail.mean()), float(thumbnail.std())
    return mean < BLACK or (deviation < FLAT and (mean > WHITE or deviation < 1.0))


def tail_index(frames: Frames) -> int | None:
    """The last frame before terminal padding (blank frames, then repeats of one frame); None if there is none.

    Of a run of repeats its first frame is taken: it is the one that was really shot.
    """
    small = frames.thumbnails
    last = len(small) - 1
    while last >= 0 and is_blank(small[last]):
        last -= 1
    if last < 0:
        return None
    first = last
    while first > 0 and _change(small[first - 1], small[first]) < 0.02:
        first -= 1
    return first if last - first >= 2 else last


def tail(frames: Frames) -> Picture | None:
    """The last usable frame as a picture, or None."""
    index = tail_index(frames)
    return None if index is None else frames[index]


def _change(
    a: np.ndarray[tuple[int, int], np.dtype[np.uint8]], b: np.ndarray[tuple[int, int], np.dtype[np.uint8]]
) -> float:
    return float(np.abs(a.astype(np.int16) - b.astype(np.int16)).mean())
