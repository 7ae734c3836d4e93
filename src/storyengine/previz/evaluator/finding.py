"""Finding people and things in a frame: cells that answer a query, regions that hang together, heads of anybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from storyengine.previz.evaluator.networks import CELLS, PROTOTYPES, SIMILAR, Floats, run
from storyengine.previz.evaluator.seeing import CELL, PART, Mask, Part, Rect, Sight

MOST = 4
"""Regions that are kept, per frame and query."""
SMALLEST = 4
"""Cells that make a region."""
FIRM = 24
"""Cells by which firmness is told."""
LARGER = 0.004
"""What a cell more counts when regions are ordered, in firmness."""
CUT_OFF = 1.0
"""Log-odds by which a part of a frame must be surer that cuts off what it shows."""
Known = Literal["person", "shown", "told"]
"""What a query was made of: an identity sheet, pictures of a thing, or words alone."""
SURENESS: dict[Known, tuple[float, float]] = {"person": (1.40, -3.65), "shown": (0.96, -2.18), "told": (0.61, -1.03)}
"""From the firmness of a frame's best cells to log-odds that it is there: for things a logistic fit to 106 graded
scenes (seed 103, without the words that are kept apart) with as many there as not; for people the middle between the
least sure who is there and the surest who is not."""


@dataclass(frozen=True, eq=False)
class Region:
    """A part of a frame that may show what was looked for."""

    rect: Rect
    likely: Floats
    """How likely each cell of the frame shows it, outside the region 0."""
    share: float
    """Of the frame."""
    firm: float
    """How strongly its best cells answer."""

    @property
    def mask(self) -> Mask:
        """Its cells; where none is likely, the likeliest."""
        return np.asarray(self.likely > min(0.5, 0.8 * float(self.likely.max())), np.bool_)


@dataclass(frozen=True, eq=False)
class Search:
    """What a frame answered to a query."""

    odds: float
    """That it is in the frame at all, as log-odds."""
    regions: tuple[Region, ...]
    """Where, the likeliest first."""

    @property
    def best(self) -> Region | None:
        return self.regions[0] if self.regions else None


def search(sight: Sight, query: Floats, known: Known) -> Search:
    """Look for a person or thing. The first look is at cells by themselves, the second has the whole frame in view."""
    cells, blocks = sight.features
    rows = query[: PROTOTYPES * (CELLS + 1)].reshape(PROTOTYPES, CELLS + 1)
    each = np.tensordot(rows[:, :CELLS], cells[:CELLS], axes=1) * SIMILAR + rows[:, CELLS, None, None]
    coarse = each.reshape(PROTOTYPES, each.shape[1] // 2, 2, each.shape[2] // 2, 2).mean(axis=(2, 4))
    (maps,) = run("second", blocks[None], coarse[None], query[None, PROTOTYPES * (CELLS + 1) :])
    change = maps[0, 0] - _joined(coarse)
    odds = np.asarray(_joined(each) + np.repeat(np.repeat(change, 2, axis=0), 2, axis=1), np.float32)
    return Search(sureness(known, _firmness(odds)), tuple(_regions(odds)))


def sureness(known: Known, firm: float) -> float:
    """Log-odds that what answers so firmly is what was looked for."""
    slope, start = SURENESS[known]
    return slope * firm + start


def search_closely(sight: Sight, query: Floats, known: Known) -> Search:
    """Look for a thing in larger parts of the frame; the surest of them answers, with its regions in the frame. What
    lies across a part's edge is rather told by another one."""
    found = [(search(part.sight, query, known), part) for part in sight.parts]
    best, part = max(found, key=lambda pair: pair[0].odds - (CUT_OFF if is_cut(pair[0], pair[1].sight) else 0.0))
    regions = tuple(_in_frame(region, part, sight) for region in best.regions)
    return Search(best.odds, regions)


def is_cut(found: Search, sight: Sight) -> bool:
    """Whether what was found lies at the picture's edge."""
    if found.best is None:
        return False
    rect, (height, width) = found.best.rect, sight.shape
    return min(rect.x, rect.y, width - rect.right, height - rect.bottom) <= CELL


def _in_frame(region: Region, part: Part, sight: Sight) -> Region:
    """A part's region as one of the frame."""
    rows, columns = sight.shape[0] // CELL, sight.shape[1] // CELL
    tall, across = round(rows * PART), round(columns * PART)
    top, left = min(round(part.top * rows), rows - tall), min(round(part.left * columns), columns - across)
    likely = np.zeros((rows, columns), np.float32)
    small = cv2.resize(region.likely, (across, tall), interpolation=cv2.INTER_AREA)
    likely[top : top + tall, left : left + across] = small
    x, y = left * CELL + region.rect.x * PART, top * CELL + region.rect.y * PART
    rect = Rect(round(x), round(y), max(round(region.rect.w * PART), 1), max(round(region.rect.h * PART), 1))
    return Region(rect, likely, region.share * PART * PART, region.firm)


def _firmness(odds: Floats) -> float:
    """How strongly the best cells answer."""
    return float(np.sort(odds, axis=None)[-FIRM:].mean())


def _joined(each: Floats) -> Floats:
    """The prototypes' answers as one, as log-odds."""
    top = each.max(axis=0)
    return np.asarray(top + np.log(np.exp(2 * (each - top)).sum(axis=0)) / 2, np.float32)


def _regions(odds: Floats) -> list[Region]:
    """Cells that hang together and answer, the strongest first."""
    likely = 1 / (1 + np.exp(-odds))
    level = 0.5 if (odds > 0).sum() >= SMALLEST else float(np.sort(likely.ravel())[-FIRM])
    seen = (likely >= level).astype(np.uint8)
    joined = cv2.dilate(seen, np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    found = []
    for number in range(1, count):
        near = labels == number
        own = near & (seen > 0)
        if own.sum() >= SMALLEST:
            rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
            left, top = int(columns[0]) * CELL, int(rows[0]) * CELL
            rect = Rect(left, top, (int(columns[-1]) + 1) * CELL - left, (int(rows[-1]) + 1) * CELL - top)
            region = np.where(near, likely, 0).astype(np.float32)
            firm = _firmness(odds[near])
            found.append((firm + LARGER * float(own.sum()), Region(rect, region, float((region > 0.5).mean()), firm)))
    found.sort(key=lambda pair: -pair[0])
    return [region for _, region in found[:MOST]]


# --- anybody ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeadSeen:
    """A head: its middle and half its height in pixels of the small picture, and what the network says of it."""

    x: float
    y: float
    radius: float
    facing: float
    """1 faces the camera, -1 turns its back."""
    figure: float
    """Height of the whole figure in heights of the frame, whether or not all of it is seen."""
    free: float
    """Share of the face that nothing covers."""
    score: float

    @property
    def rect(self) -> Rect:
        r = self.radius
        return Rect(round(self.x - r), round(self.y - r), round(2 * r), round(2 * r))


@dataclass(frozen=True, eq=False)
class Crowd:
    """Every head of a frame, and the cells that show people at all."""

    heads: tuple[HeadSeen, ...]
    people: Floats


HEAD = 0.35
"""Likelihood from which a peak is a head."""


def find_crowd(sight: Sight) -> Crowd:
    person, at, radius, facing, figure, free = sight.features[0][CELLS:]
    likely = 1 / (1 + np.exp(-cv2.GaussianBlur(at, (3, 3), 0.8)))
    found: list[HeadSeen] = []
    for index in np.argsort(-likely, axis=None)[:400]:
        row, column = divmod(int(index), likely.shape[1])
        score = float(likely[row, column])
        if score < HEAD:
            break
        size = 20 * float(np.exp(np.clip(radius[row, column], -2.5, 2.5)))
        x, y = column * CELL + CELL / 2, row * CELL + CELL / 2
        if all((h.x - x) ** 2 + (h.y - y) ** 2 > (1.1 * max(h.radius, size)) ** 2 for h in found):
            tall = float(np.exp(np.clip(figure[row, column], -4, 3)))
            turned, open_ = float(facing[row, column]), float(free[row, column])
            found.append(HeadSeen(x, y, size, turned, tall, open_, score))
    return Crowd(tuple(found), np.asarray(1 / (1 + np.exp(-person)), np.float32))
