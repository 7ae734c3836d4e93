"""Things no film should show, found in pixels: written text, and a picture split into panels.

Both are made for flat overlays and sharp borders. Not covered: lettering on objects in perspective, hand-written signs
smaller than 2 % of the frame's height, panels with soft borders.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.media.picture import Picture

Grey = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Region:
    """A part of a picture in fractions of its size, from the top left corner, and how sure the finding is (0…1)."""

    left: float
    top: float
    width: float
    height: float
    score: float


WORK_HEIGHT = 720
LEAST_LETTERS = 4
INK_CONTRAST = 70
"""Least difference of grey levels between letters and what lies around them."""


def find_text(picture: Picture) -> tuple[Region, ...]:
    """Lines of overlaid text: rows of letter-sized marks of one flat tone, equal height, even spacing, sharp edges."""
    grey = _working_copy(picture)
    found: list[Region] = []
    for bright in (True, False):
        letters = _letters(grey, bright=bright)
        found += [_region(line, grey) for line in _lines(letters)]
    return tuple(found)


def _working_copy(picture: Picture) -> Grey:
    grey = cv2.cvtColor(picture.pixels, cv2.COLOR_RGB2GRAY)
    if picture.height > WORK_HEIGHT:
        width = round(picture.width * WORK_HEIGHT / picture.height)
        grey = cv2.resize(grey, (width, WORK_HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8)


@dataclass(frozen=True)
class _Letter:
    x: int
    y: int
    w: int
    h: int
    level: float


def _letters(grey: Grey, *, bright: bool) -> list[_Letter]:
    """Small connected marks that are clearly brighter (or darker) than a wide surrounding, and flat inside."""
    around = cv2.medianBlur(cv2.resize(grey, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), 15)
    wide = np.asarray(cv2.resize(around, (grey.shape[1], grey.shape[0])), np.int16)
    difference = grey.astype(np.int16) - wide
    mask = (difference > INK_CONTRAST) if bright else (difference < -INK_CONTRAST)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    height = grey.shape[0]
    out = []
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        tall = 0.013 * height <= h <= 0.16 * height
        if not tall or not 0.12 <= w / h <= 1.7 or not 0.16 <= area / (w * h) <= 0.92:
            continue
        inside = grey[y : y + h, x : x + w][labels[y : y + h, x : x + w] == k]
        core = inside[inside > np.percentile(inside, 40)] if bright else inside[inside < np.percentile(inside, 60)]
        if core.size and float(core.std()) < 12:
            out.append(_Letter(x, y, w, h, float(core.mean())))
    return out


def _lines(letters: list[_Letter]) -> list[list[_Letter]]:
    """Letters side by side with a common base line, similar size and one tone."""
    rest = sorted(letters, key=lambda item: item.x)
    lines: list[list[_Letter]] = []
    while rest:
        line = [rest.pop(0)]
        for other in list(rest):
            last = line[-1]
            size = max(last.h, other.h)
            gap = other.x - (last.x + last.w)
            level = abs((other.y + other.h) - (last.y + last.h)) < 0.28 * size
            alike = 0.5 < other.h / last.h < 2.0 and abs(other.level - line[0].level) < 14
            if -0.2 * size < gap < 1.1 * size and level and alike:
                line.append(other)
                rest.remove(other)
        if _is_text(line):
            lines.append(line)
    return lines


def _is_text(line: list[_Letter]) -> bool:
    if len(line) < LEAST_LETTERS:
        return False
    widths = np.array([item.w / item.h for item in line])
    # Bars of a fence or books on a shelf are all alike; letters differ in width.
    return float(widths.std()) > 0.07


def _region(line: list[_Letter], grey: Grey) -> Region:
    height, width = grey.shape
    left, top = min(i.x for i in line), min(i.y for i in line)
    right, bottom = max(i.x + i.w for i in line), max(i.y + i.h for i in line)
    score = min(1.0, len(line) / 10 + 0.3)
    return Region(left / width, top / height, (right - left) / width, (bottom - top) / height, score)


SPLIT_CONTRAST = 18.0
SPLIT_COVER = 0.97


def find_split(picture: Picture) -> tuple[float, ...]:
    """Borders of panels as fractions of the width (positive) or height (negative); empty for one whole picture.

    A border is a line from edge to edge, exactly upright or level, along which the picture changes almost everywhere
    at once, away from the rim.
    """
    grey = _working_copy(picture).astype(np.float32)
    return (*_borders(grey), *(-position for position in _borders(grey.T)))


def _borders(grey: npt.NDArray[np.float32]) -> list[float]:
    """Upright borders: columns where nearly every row jumps, far more than its neighbourhood does."""
    step = np.abs(np.diff(grey, axis=1))
    columns = step.shape[1]
    jumps = (step > SPLIT_CONTRAST).mean(axis=0)
    margin = columns // 12
    found: list[float] = []
    for x in np.flatnonzero(jumps > 0.60):
        if x < margin or x > columns - margin:
            continue
        band = step[:, max(0, x - 2) : x + 3].max(axis=1)
        cover = float((band > SPLIT_CONTRAST * 0.5).mean())
        beside = np.concatenate([jumps[max(0, x - 24) : x - 4], jumps[x + 5 : x + 25]])
        both_differ = _unlike(grey[:, max(0, x - 12) : x - 1], grey[:, x + 3 : x + 14])
        if cover >= SPLIT_COVER - 0.12 and float(beside.mean()) < 0.25 and both_differ:
            position = (x + 1) / (columns + 1)
            if not found or position - found[-1] > 0.02:
                found.append(position)
    return found


def _unlike(left: npt.NDArray[np.float32], right: npt.NDArray[np.float32]) -> bool:
    """Whether the two sides of a border show different things: their profiles along it do not follow each other."""
    a, b = left.mean(axis=1), right.mean(axis=1)
    a, b = a - a.mean(), b - b.mean()
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return size < 1e-6 or float(a @ b) / size < 0.8
