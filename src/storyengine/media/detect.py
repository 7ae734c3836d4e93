"""Things no film should show, found in pixels: written text, and a picture split into panels.

Both are made for flat overlays and sharp borders. Not covered: lettering on objects in perspective, hand-written signs
smaller than 2 % of the frame's height, panels with soft borders, a bright panel beside a dark one without a divider.
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
    filled: float
    """Share of its box that is ink."""


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
        filled = area / (w * h)
        if not tall or not 0.12 <= w / h <= 1.7 or filled < 0.16 or (filled > 0.92 and w > 0.5 * h):
            continue
        inside = grey[y : y + h, x : x + w][labels[y : y + h, x : x + w] == k]
        core = inside[inside >= np.percentile(inside, 40)] if bright else inside[inside <= np.percentile(inside, 60)]
        if float(core.std()) < 14:
            out.append(_Letter(x, y, w, h, float(core.mean()), filled))
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
    # Wires and slats are much narrower than letters. Bars of a fence or books on a shelf are all alike; letters differ
    # in width, or in how much of their box is ink.
    inks = np.array([item.filled for item in line])
    if float(np.median(widths)) < 0.3:
        return False
    return float(widths.std()) > 0.07 or (len(line) > LEAST_LETTERS and float(inks.std()) > 0.05)


def _region(line: list[_Letter], grey: Grey) -> Region:
    height, width = grey.shape
    left, top = min(i.x for i in line), min(i.y for i in line)
    right, bottom = max(i.x + i.w for i in line), max(i.y + i.h for i in line)
    score = min(1.0, len(line) / 10 + 0.3)
    return Region(left / width, top / height, (right - left) / width, (bottom - top) / height, score)


SPLIT_CONTRAST = 16.0
SPLIT_COVER = 0.75
"""Share of the rows that must jump at a border."""
SPLIT_TENTH = 0.4
"""Share of the rows that must jump in every tenth of a border: it runs from edge to edge."""


def find_split(picture: Picture) -> tuple[float, ...]:
    """Borders of panels as fractions of the width (positive) or height (negative); empty for one whole picture.

    A border is a line from edge to edge, exactly upright or level, along which the picture changes almost everywhere
    at once, away from the rim, and whose two sides show different things.
    """
    small = picture if picture.height <= WORK_HEIGHT else picture.resize(
        round(picture.width * WORK_HEIGHT / picture.height), WORK_HEIGHT
    )  # fmt: skip
    pixels = small.pixels.astype(np.int16)
    return (*_borders(pixels), *(-position for position in _borders(pixels.transpose(1, 0, 2))))


def _borders(pixels: npt.NDArray[np.int16]) -> list[float]:
    """Upright borders. The jump is measured over two columns, because encoders soften edges."""
    apart = np.abs(pixels[:, 2:] - pixels[:, :-2])
    # Three planes are compared faster than one axis of three is searched.
    jump = np.maximum(np.maximum(apart[..., 0], apart[..., 1]), apart[..., 2]) > SPLIT_CONTRAST
    columns = jump.shape[1]
    share = jump.mean(axis=0)
    margin = columns // 12
    found: list[float] = []
    for x in np.flatnonzero(share >= SPLIT_COVER):
        if x < margin or x > columns - margin:
            continue
        tenths = [part.mean() for part in np.array_split(jump[:, x], 10)]
        beside = np.concatenate([share[max(0, x - 24) : x - 4], share[x + 5 : x + 25]])
        left, right = pixels[:, max(0, x - 10) : x - 1].mean(axis=(1, 2)), pixels[:, x + 4 : x + 13].mean(axis=(1, 2))
        differs = _unlike(left, right) and _both_ways(pixels, int(x))
        if min(tenths) >= SPLIT_TENTH and beside.mean() < 0.3 and differs:
            position = float((x + 1.5) / (columns + 2))
            if not found or position - found[-1] > 0.02:
                found.append(position)
    return found


def _both_ways(pixels: npt.NDArray[np.int16], x: int) -> bool:
    """Whether the picture gets lighter in some rows and darker in others, or a flat divider begins or ends here.

    Where two walls meet in a corner one of them is lighter all along; two scenes side by side cross.
    """
    step = (pixels[:, x + 2] - pixels[:, x]).mean(axis=1)
    lighter = float((step > 0).mean())
    flat = min(float(pixels[:, x].std(axis=0).max()), float(pixels[:, x + 2].std(axis=0).max()))
    return min(lighter, 1 - lighter) >= 0.1 or flat < 4


def _unlike(left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> bool:
    """Whether the two sides of a border show different things: their profiles along it do not follow each other."""
    a, b = left - left.mean(), right - right.mean()
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return size < 1e-6 or float(a @ b) / size < 0.6
