"""Things no film should show, found in pixels: written text, and a picture split into panels.

Both are made for flat overlays and sharp borders. Not covered: lettering on objects in perspective, letters smaller
than 2 % of the frame's height or in a tone that shades off, panels with soft borders and no divider, a bright panel
beside a dark one without a divider. Marks in a corner are looked for in `marks`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.media.picture import Picture, Pixels

Grey = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Region:
    """A part of a picture in fractions of its size, from the top left corner, and how sure the finding is (0…1)."""

    left: float
    top: float
    width: float
    height: float
    score: float


# --- text ------------------------------------------------------------------------------------------------------

TEXT_HEIGHT = 540
"""Text is looked for in pictures of this height: strokes keep two or three pixels."""
STROKE = 15
"""Pixels that no stroke of a letter is wide; what is wider is no ink."""
CONTRASTS = (40, 90)
"""Grey levels by which ink stands out: the lower finds faint letters, the higher parts others from what they touch."""
FLAT = 14
"""Grey levels within which the ink of a letter lies: writing has one tone, things are shaded."""
THICK = 0.45
"""Width of the widest stroke, in heights of the letter."""
ONE_TONE = 8
"""Grey levels by which the letters of one line may differ."""
FEWEST_LETTERS = 3
"""Letters of a line; one more in a picture that is less than `TEXT_HEIGHT` high, where much looks like a letter."""

READABLE = 9
"""Pixels of a picture that a line must be high to be read."""


def find_text(picture: Picture) -> tuple[Region, ...]:
    """Lines of overlaid text: rows of marks of one flat tone, drawn with strokes, equally high, on one base line."""
    grey = scaled_down(cv2.cvtColor(picture.pixels, cv2.COLOR_RGB2GRAY), TEXT_HEIGHT)
    fewest = FEWEST_LETTERS
    if grey.shape[0] < TEXT_HEIGHT:  # strokes of one pixel have no inside, by whose tone letters are told
        grey = np.asarray(cv2.resize(grey, (round(grey.shape[1] * TEXT_HEIGHT / grey.shape[0]), TEXT_HEIGHT)), np.uint8)
        fewest = FEWEST_LETTERS + 1
    found: list[Region] = []
    for shape in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT):  # bright letters, dark letters
        ink = np.asarray(cv2.morphologyEx(grey, shape, np.ones((STROKE, STROKE), np.uint8)), np.uint8)
        for contrast in CONTRASTS:
            lines = _lines(_letters(grey, ink > contrast))
            found += [_region(line, grey) for line in lines if len(line) >= fewest]
    return tuple(region for region in dict.fromkeys(found) if region.height * picture.height >= READABLE)


def scaled_down(pixels: cv2.typing.MatLike, height: int) -> npt.NDArray[np.uint8]:
    """Pixels at most so high, averaged."""
    if pixels.shape[0] > height:
        size = (round(pixels.shape[1] * height / pixels.shape[0]), height)
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return np.asarray(pixels, np.uint8)


@dataclass(frozen=True)
class _Letter:
    x: int
    y: int
    w: int
    h: int
    level: float
    filled: float
    """Share of its box that is ink."""
    stroke: float
    """Widest stroke, in heights of the letter."""
    spread: float
    """Grey levels between its darkest and lightest ink."""


def _letters(grey: Grey, ink: npt.NDArray[np.bool_]) -> list[_Letter]:
    """Connected marks as large as letters, drawn with strokes of one tone."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    width, height, area = stats[:, 2], stats[:, 3], stats[:, 4]
    sized = (height >= 0.013 * grey.shape[0]) & (height <= 0.16 * grey.shape[0])
    shaped = (width >= 0.1 * height) & (width <= 1.7 * height) & (area >= 0.12 * width * height)
    out = []
    for k in np.flatnonzero(sized & shaped & (np.arange(count) > 0)):
        x, y, w, h, area_ = (int(v) for v in stats[k])
        mark = (labels[y : y + h, x : x + w] == k).astype(np.uint8)
        deep = cv2.distanceTransform(np.pad(mark, 1), cv2.DIST_L2, 3)[1:-1, 1:-1]
        most = float(deep.max())
        if 2 * most >= THICK * h:
            continue
        tones = np.sort(grey[y : y + h, x : x + w][deep >= min(0.6 * most, 2.0)])
        low, middle, high = (float(tones[int(share * (len(tones) - 1))]) for share in (0.1, 0.5, 0.9))
        if high - low < FLAT:
            out.append(_Letter(x, y, w, h, middle, area_ / (w * h), 2 * most / h, high - low))
    return out


def _lines(letters: list[_Letter]) -> list[list[_Letter]]:
    """Letters side by side with a common base line, similar size and one tone; one or two may be lost between."""
    rest = sorted(letters, key=lambda item: item.x)
    lines: list[list[_Letter]] = []
    while rest:
        line = [rest.pop(0)]
        for other in list(rest):
            last = line[-1]
            size = max(last.h, other.h)
            gap = other.x - (last.x + last.w)
            level = abs((other.y + other.h) - (last.y + last.h)) < 0.15 * size
            alike = 0.5 < other.h / last.h < 2.0 and abs(other.level - line[0].level) < ONE_TONE
            if -0.2 * size < gap < 1.9 * size and level and alike:
                line.append(other)
                rest.remove(other)
        if _is_text(line):
            lines.append(line)
    return lines


def _is_text(line: list[_Letter]) -> bool:
    """Bars of a fence or books on a shelf are all alike; letters differ in width, or in how much of a box is ink."""
    if len(line) < FEWEST_LETTERS:
        return False
    widths = np.array([item.w / item.h for item in line])
    inks = np.array([item.filled for item in line])
    heights = np.array([item.h for item in line])
    high = max(item.y + item.h for item in line) - min(item.y for item in line)
    if high > 1.6 * heights.max() or heights.max() > 2.2 * heights.min():  # a row that climbs or grows
        return False
    if float(np.median(widths)) < 0.3:  # wires and slats
        return False
    even = float(heights.std() / heights.mean()) < 0.06
    if len(line) > FEWEST_LETTERS:
        # Four are capitals, or as close together as a word: jars on a shelf and slats of a crate are neither.
        word = max(b.x - a.x - a.w for a, b in pairwise(line)) < 0.8 * heights.max() and float(np.median(widths)) > 0.4
        varied = float(widths.std()) > 0.07 or float(inks.std()) > 0.05
        return varied and (len(line) > FEWEST_LETTERS + 1 or even or word)
    # Three must be capitals of one height, plainly drawn.
    even = even and float(heights.mean()) > 0.025 * TEXT_HEIGHT
    plain = all(item.spread < 8 and item.stroke < 0.36 for item in line)
    return even and plain and (float(widths.std()) > 0.025 or float(inks.std()) > 0.025)


def _region(line: list[_Letter], grey: Grey) -> Region:
    height, width = grey.shape
    left, top = min(i.x for i in line), min(i.y for i in line)
    right, bottom = max(i.x + i.w for i in line), max(i.y + i.h for i in line)
    score = min(1.0, len(line) / 10 + 0.3)
    return Region(left / width, top / height, (right - left) / width, (bottom - top) / height, score)


# --- panels ----------------------------------------------------------------------------------------------------

SPLIT_HEIGHT = 720
SPLIT_CONTRAST = 16.0
SPLIT_COVER = 0.75
"""Share of the rows that must jump at a border."""
SPLIT_TENTH = 0.4
"""Share of the rows that must jump in every tenth of a border: it runs from edge to edge."""
DIVIDER_SPREAD = 5.0
"""Deviation of the grey levels along a divider, from edge to edge."""
DIVIDER_SHADE = 4.0
"""Grey levels within which the columns of a divider lie: posts and rails are shaded across."""
DIVIDER_SAME = 0.75
"""Share of the rows that may look alike on both sides: behind a thing, the same scene goes on."""
DIVIDER_APART = 12
"""Grey levels by which the picture beside a divider differs from it, on `DIVIDER_COVER` of both sides."""
DIVIDER_COVER = 0.3


def find_split(picture: Picture) -> tuple[float, ...]:
    """Borders of panels as fractions of the width (positive) or height (negative); empty for one whole picture.

    A border is a line from edge to edge, exactly upright or level and away from the rim: either a divider of one tone,
    or a line along which the picture changes almost everywhere at once and whose two sides show different things.
    """
    small = scaled_down(picture.pixels, SPLIT_HEIGHT)
    turned = np.asarray(cv2.transpose(small), np.uint8)
    upright, level = (_dividers(pixels) or _borders(pixels) for pixels in (small, turned))
    return (*upright, *(-position for position in level))


def _dividers(pixels: Pixels) -> list[float]:
    """Upright bands of one tone, two pixels to 4 % of the width wide. No thing in a scene is so even."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.float32)
    width = grey.shape[1]
    mean = cv2.reduce(grey, 0, cv2.REDUCE_AVG).ravel()
    square = cv2.reduce(grey * grey, 0, cv2.REDUCE_AVG).ravel()
    even = np.sqrt(np.maximum(square - mean * mean, 0)) < DIVIDER_SPREAD
    even[: width // 12], even[-(width // 12) :] = False, False
    ends = np.flatnonzero(np.diff(even.astype(np.int8), prepend=0, append=0))
    return [
        float((first + after) / 2 / width)
        for first, after in list(pairwise(ends))[::2]
        if 2 <= after - first <= 0.04 * width
        and float(np.ptp(mean[first:after])) < DIVIDER_SHADE
        and _runs_through(grey[:, first:after])
        and _parts(float(mean[first:after].mean()), grey[:, first - 9 : first - 4], grey[:, after + 4 : after + 9])
    ]


def _runs_through(band: npt.NDArray[np.float32]) -> bool:
    """Whether a band has its tone all along: the edge of a cupboard ends, even where the wall above is nearly alike."""
    parts = np.array([part.mean() for part in np.array_split(band, 30)])
    return bool(np.abs(parts - np.median(parts)).max() < DIVIDER_SHADE)


def _parts(tone: float, left: npt.NDArray[np.float32], right: npt.NDArray[np.float32]) -> bool:
    """Whether a band of one tone differs from both sides, and these from each other."""
    apart = min(float((np.abs(side - tone) > DIVIDER_APART).mean()) for side in (left, right))
    same = float((np.abs(left.mean(axis=1) - right.mean(axis=1)) < DIVIDER_APART).mean())
    return apart > DIVIDER_COVER and same < DIVIDER_SAME


def _borders(pixels: Pixels) -> list[float]:
    """Upright borders. The jump is measured over two columns, because encoders soften edges."""
    red, green, blue = cv2.split(cv2.absdiff(pixels[:, 2:], pixels[:, :-2]))
    jump = (cv2.max(cv2.max(red, green), blue) > SPLIT_CONTRAST).astype(np.uint8)
    columns = jump.shape[1]
    share = cv2.reduce(jump, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S).ravel() / len(jump)
    margin = columns // 12
    found: list[float] = []
    for x in np.flatnonzero(share >= SPLIT_COVER):
        if x < margin or x > columns - margin:
            continue
        tenths = [part.mean() for part in np.array_split(jump[:, x], 10)]
        beside = np.concatenate([share[max(0, x - 24) : x - 4], share[x + 5 : x + 25]])
        left, right = pixels[:, max(0, x - 10) : x - 1].mean(axis=(1, 2)), pixels[:, x + 4 : x + 13].mean(axis=(1, 2))
        differs = _unlike(left, right) and _both_ways(pixels, int(x))
        if min(tenths) >= SPLIT_TENTH and beside.max() < 0.5 and differs:
            position = float((x + 1.5) / (columns + 2))
            if not found or position - found[-1] > 0.02:
                found.append(position)
    return found


def _both_ways(pixels: Pixels, x: int) -> bool:
    """Whether the picture gets lighter in some rows and darker in others.

    Where two walls meet in a corner one of them is lighter all along; two scenes side by side cross.
    """
    lighter = float((pixels[:, x + 2].mean(axis=1) > pixels[:, x].mean(axis=1)).mean())
    return min(lighter, 1 - lighter) >= 0.1


def _unlike(left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> bool:
    """Whether the two sides of a border show different things: their profiles along it do not follow each other."""
    a, b = left - left.mean(), right - right.mean()
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return size < 1e-6 or float(a @ b) / size < 0.6
