"""Frames as the evaluator sees them: decoded once, made small once, and shared by every question about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.backends.ports import Box, Frame
from storyengine.media.picture import Picture, Pixels
from storyengine.previz.evaluator.networks import Floats, run

Mask = npt.NDArray[np.bool_]

AREA, SHARP = 512 * 288, 736 * 414
"""Frames are looked at in about so many pixels, whatever their shape, and those that matter most in so many. What is
found is told in pixels of the first."""
CELL = 4
"""Pixels of the small picture per cell of the feature map, each way."""
_BLOCK = 32
"""The network halves a picture five times."""


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

    def shared(self, other: Rect) -> float:
        """Part of it that another one has too."""
        across = min(self.right, other.right) - max(self.x, other.x)
        down = min(self.bottom, other.bottom) - max(self.y, other.y)
        return max(across, 0) * max(down, 0) / max(self.w * self.h, 1)

    def away(self, other: Rect) -> int:
        """Pixels between both, across or down."""
        across = max(self.x, other.x) - min(self.right, other.right)
        down = max(self.y, other.y) - min(self.bottom, other.bottom)
        return max(across, down, 0)

    def longer(self, other: Rect) -> int:
        """The longest side of both."""
        return max(self.w, self.h, other.w, other.h)

    def joined(self, other: Rect) -> Rect:
        left, top = min(self.x, other.x), min(self.y, other.y)
        return Rect(left, top, max(self.right, other.right) - left, max(self.bottom, other.bottom) - top)

    def cut(self, picture: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        inside = self.within(picture.shape)
        return picture[inside.y : inside.bottom, inside.x : inside.right]


@dataclass(frozen=True, eq=False)
class Sight:
    """One frame, decoded when it is first looked at: many statements need only the first and the last."""

    index: int
    seconds: float
    image: bytes | Picture = field(repr=False)
    sharp: bool = False
    """Whether small things matter in it."""

    @cached_property
    def picture(self) -> Picture:
        """Raises CorruptData for bytes that are no picture."""
        return self.image if isinstance(self.image, Picture) else Picture.from_bytes(self.image)

    @cached_property
    def small(self) -> Pixels:
        return self._scaled(AREA)

    def _scaled(self, area: int) -> Pixels:
        """About so many pixels, both sides a multiple of what the network halves."""
        height, width = self.picture.pixels.shape[:2]
        side = (area / (width * height)) ** 0.5
        size = [max(_BLOCK, _BLOCK * round(length * side / _BLOCK)) for length in (width, height)]
        way = cv2.INTER_AREA if side < 1 else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(self.picture.pixels, size, interpolation=way), np.uint8)

    @property
    def shape(self) -> tuple[int, int]:
        return (int(self.small.shape[0]), int(self.small.shape[1]))

    @cached_property
    def grey(self) -> Pixels:
        return np.asarray(cv2.cvtColor(self.small, cv2.COLOR_RGB2GRAY), np.uint8)

    @cached_property
    def features(self) -> tuple[Floats, Floats]:
        """What the frame network says of every cell, and of blocks of two by two cells: (channels, rows, columns)."""
        picture = self._scaled(SHARP) if self.sharp else self.small
        values = np.asarray(picture.transpose(2, 0, 1)[None] / 255, np.float32)
        cells, blocks = run("frame", values, outputs=2)
        return cells[0], blocks[0]

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of cells."""
        return (self.shape[0] // CELL, self.shape[1] // CELL)

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

    def window(self, middle: tuple[float, float], half: tuple[float, float], size: tuple[int, int]) -> Pixels:
        """A part of the full picture around a point of the small one, as large as asked; borders are stretched."""
        picture = self.picture.pixels
        scale_x, scale_y = picture.shape[1] / self.shape[1], picture.shape[0] / self.shape[0]
        at, reach = (middle[0] * scale_x, middle[1] * scale_y), (half[0] * scale_x, half[1] * scale_y)
        return np.asarray(cut_out(picture, at, reach, size), np.uint8)

    def cells(
        self, values: Floats, middle: tuple[float, float], half: tuple[float, float], size: tuple[int, int]
    ) -> Floats:
        """The same part of a map of cells."""
        coarse = (max(size[0] // CELL, 1), max(size[1] // CELL, 1))
        at, reach = (middle[0] / CELL, middle[1] / CELL), (half[0] / CELL, half[1] / CELL)
        part = np.asarray(cut_out(values, at, reach, coarse, border=cv2.BORDER_CONSTANT), np.float32)
        return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_LINEAR), np.float32)


def cut_out(
    picture: npt.NDArray[Any],
    middle: tuple[float, float],
    half: tuple[float, float],
    size: tuple[int, int],
    border: int = cv2.BORDER_REPLICATE,
) -> npt.NDArray[Any]:
    """A window of a picture at (width, height), averaged where it shrinks."""
    left, top = round(middle[0] - half[0]), round(middle[1] - half[1])
    right, bottom = max(round(middle[0] + half[0]), left + 1), max(round(middle[1] + half[1]), top + 1)
    height, width = picture.shape[:2]
    part = picture[max(top, 0) : max(min(bottom, height), 1), max(left, 0) : max(min(right, width), 1)]
    if part.size == 0:
        part = picture[:1, :1]
    edges = (max(-top, 0), max(bottom - height, 0), max(-left, 0), max(right - width, 0))
    if any(edges):
        part = cv2.copyMakeBorder(part, *edges, border, value=0)
    shrinks = part.shape[1] > size[0]
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR))


def look_at(frames: Sequence[Frame]) -> tuple[Sight, ...]:
    """The first and the last frame are looked at sharply: most statements are about them."""
    ends = (0, len(frames) - 1)
    return tuple(Sight(k, frame.seconds, frame.image, sharp=k in ends) for k, frame in enumerate(frames))


def shrunk(pixels: Pixels, width: int) -> Pixels:
    """The picture at most so wide, averaged."""
    if pixels.shape[1] <= width:
        return pixels
    height = max(1, round(pixels.shape[0] * width / pixels.shape[1]))
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
