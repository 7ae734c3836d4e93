"""Frames as the evaluator sees them: decoded once, made small once, and shared by every question about them.

Colours are looked up, not computed: each pixel has the number of its colour bin (32 levels per channel), and whoever
asks for a likeness gives a table of 32 768 values. So a question costs one look-up per pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.backends.ports import Box, Frame
from storyengine.media.picture import Picture, Pixels

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Bins = npt.NDArray[np.uint16]

WIDTH = 640
"""Frames are looked at in this width; 0.1 % of a 16:9 frame is then 230 pixels."""
LEVELS = 32
BINS = LEVELS**3


def _centres() -> Floats:
    level = (np.arange(LEVELS, dtype=np.float32) + 0.5) / LEVELS
    grid = np.stack(np.meshgrid(level, level, level, indexing="ij"), axis=-1).reshape(BINS, 3)
    return grid.astype(np.float32)


CENTRES: Floats = _centres()
"""The colour of every bin, sRGB 0…1."""


def bins_of(pixels: Pixels) -> Bins:
    """The colour bin of every pixel."""
    level = (pixels >> 3).astype(np.uint16)
    return np.asarray((level[..., 0] << 10) | (level[..., 1] << 5) | level[..., 2], np.uint16)


def shrunk(pixels: Pixels, width: int = WIDTH) -> Pixels:
    """The picture at most so wide, averaged."""
    if pixels.shape[1] <= width:
        return pixels
    height = max(1, round(pixels.shape[0] * width / pixels.shape[1]))
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True)
class Rect:
    """A rectangle in pixels of the small picture."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    @property
    def area(self) -> int:
        return self.w * self.h

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x + self.w / 2, self.y + self.h / 2)

    def grown(self, dx: float, dy: float | None = None) -> Rect:
        """Larger by some pixels on every side; may reach outside the picture."""
        ex, ey = round(dx), round(dx if dy is None else dy)
        return Rect(self.x - ex, self.y - ey, self.w + 2 * ex, self.h + 2 * ey)

    def within(self, shape: tuple[int, ...]) -> Rect:
        left, top = max(0, self.x), max(0, self.y)
        right, bottom = min(shape[1], self.right), min(shape[0], self.bottom)
        return Rect(left, top, max(0, right - left), max(0, bottom - top))

    def joined(self, other: Rect) -> Rect:
        left, top = min(self.x, other.x), min(self.y, other.y)
        return Rect(left, top, max(self.right, other.right) - left, max(self.bottom, other.bottom) - top)

    def overlap(self, other: Rect) -> int:
        """Shared area in pixels."""
        w = min(self.right, other.right) - max(self.x, other.x)
        h = min(self.bottom, other.bottom) - max(self.y, other.y)
        return max(0, w) * max(0, h)

    def gap(self, other: Rect) -> float:
        """Distance between the rectangles; 0 when they touch."""
        dx = max(self.x - other.right, other.x - self.right, 0)
        dy = max(self.y - other.bottom, other.y - self.bottom, 0)
        return float(np.hypot(dx, dy))

    def cut(self, picture: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        inside = self.within(picture.shape)
        return picture[inside.y : inside.bottom, inside.x : inside.right]


@dataclass(frozen=True, eq=False)
class Sight:
    """One frame."""

    index: int
    seconds: float
    picture: Picture

    @cached_property
    def small(self) -> Pixels:
        return shrunk(self.picture.pixels)

    @property
    def shape(self) -> tuple[int, int]:
        return (int(self.small.shape[0]), int(self.small.shape[1]))

    @cached_property
    def bins(self) -> Bins:
        return bins_of(self.small)

    @cached_property
    def grey(self) -> Pixels:
        return np.asarray(cv2.cvtColor(self.small, cv2.COLOR_RGB2GRAY), np.uint8)

    @cached_property
    def edges(self) -> Floats:
        """Strength of the strongest channel's gradient, 0…1: outlines of things are drawn, so they show."""
        soft = cv2.GaussianBlur(self.small, (0, 0), 0.8).astype(np.float32) / 255
        gx = np.abs(cv2.Sobel(soft, cv2.CV_32F, 1, 0)).max(axis=2)
        gy = np.abs(cv2.Sobel(soft, cv2.CV_32F, 0, 1)).max(axis=2)
        return np.asarray(np.minimum(gx + gy, 1.0), np.float32)

    def box(self, rect: Rect) -> Box:
        """A rectangle as fractions of the frame."""
        inside = rect.within(self.shape)
        height, width = self.shape
        return Box(
            round(inside.x / width, 4),
            round(inside.y / height, 4),
            round(inside.w / width, 4),
            round(inside.h / height, 4),
        )

    def share(self, pixels: float) -> float:
        """Pixels as a share of the frame."""
        return float(pixels) / (self.shape[0] * self.shape[1])


def look_at(frames: Sequence[Frame]) -> tuple[Sight, ...]:
    """Decode the frames. Raises CorruptData for bytes that are no picture."""
    return tuple(Sight(i, frame.seconds, Picture.from_bytes(frame.image)) for i, frame in enumerate(frames))
