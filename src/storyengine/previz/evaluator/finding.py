"""Finding people and things in a frame: cells that answer a query, regions that hang together, heads of anybody."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from storyengine.previz.evaluator.networks import CELLS, PROTOTYPES, SIMILAR, Floats, run
from storyengine.previz.evaluator.seeing import CELL, Mask, Rect, Sight

MOST = 4
"""Regions that are kept, per frame and query."""
SMALLEST = 4
"""Cells that make a region."""
FIRM = 24
"""Cells by which firmness is told."""
LARGER = 0.004
"""What a cell more counts when regions are ordered, in firmness."""
MORE_CELLS = 0.6
"""Log-odds less for a thing in a sharp look: of more cells some answer by chance."""
NEVER = -99.0
"""Log-odds of what nothing speaks for."""
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
    odds: float
    """That it shows it, as log-odds."""
    two: float = NEVER
    """That it shows two, as the closer look tells."""

    @property
    def mask(self) -> Mask:
        """Its cells; where none is likely, the likeliest."""
        return np.asarray(self.likely > min(0.5, 0.8 * float(self.likely.max())), np.bool_)

    def joined(self, other: Region) -> Region:
        """Both as one."""
        likely = np.maximum(self.likely, other.likely)
        return replace(self, rect=self.rect.joined(other.rect), likely=likely, share=self.share + other.share)


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
    return Search(sureness(known, _firmness(odds), sharp=sight.sharp), tuple(_regions(odds, sight, known)))


def sureness(known: Known, firm: float, *, sharp: bool) -> float:
    """Log-odds that what answers so firmly is what was looked for."""
    slope, start = SURENESS[known]
    odds = slope * firm + start
    return odds - MORE_CELLS if sharp and known != "person" else odds


def _firmness(odds: Floats) -> float:
    """How strongly the best cells answer."""
    return float(np.sort(odds, axis=None)[-FIRM:].mean())


def _joined(each: Floats) -> Floats:
    """The prototypes' answers as one, as log-odds."""
    top = each.max(axis=0)
    return np.asarray(top + np.log(np.exp(2 * (each - top)).sum(axis=0)) / 2, np.float32)


def _regions(odds: Floats, sight: Sight, known: Known) -> list[Region]:
    """Cells that hang together and answer, the strongest first; a sharp look's cells become those of any other."""
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
            region = np.where(near, likely, 0).astype(np.float32)
            firm, share = _firmness(odds[near]), float((region > 0.5).mean())
            cells = _on_grid(region, sight.grid)
            order = firm + LARGER * float(own.mean()) * cells.size
            sure = sureness(known, firm, sharp=sight.sharp)
            found.append((order, Region(_around(own, sight), cells, share, firm, sure)))
    found.sort(key=lambda pair: -pair[0])
    return [region for _, region in found[:MOST]]


def _around(cells: Mask, sight: Sight) -> Rect:
    """The rectangle around some cells of a look, in pixels of the small picture."""
    down, across = sight.shape[0] / cells.shape[0], sight.shape[1] / cells.shape[1]
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    left, top = round(int(columns[0]) * across), round(int(rows[0]) * down)
    right, bottom = round((int(columns[-1]) + 1) * across), round((int(rows[-1]) + 1) * down)
    return Rect(left, top, max(right - left, 1), max(bottom - top, 1))


def _on_grid(cells: Floats, grid: tuple[int, int]) -> Floats:
    """A look's cells as those of the small picture."""
    if cells.shape == grid:
        return cells
    return np.asarray(cv2.resize(cells, grid[::-1], interpolation=cv2.INTER_AREA), np.float32)


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
    down, across = sight.shape[0] / at.shape[0], sight.shape[1] / at.shape[1]
    scale = down / CELL  # the network was taught sizes in pixels of the small picture
    likely = 1 / (1 + np.exp(-cv2.GaussianBlur(at, (3, 3), 0.8)))
    found: list[HeadSeen] = []
    for index in np.argsort(-likely, axis=None)[:400]:
        row, column = divmod(int(index), likely.shape[1])
        score = float(likely[row, column])
        if score < HEAD:
            break
        size = 20 * scale * float(np.exp(np.clip(radius[row, column], -2.5, 2.5)))
        x, y = (column + 0.5) * across, (row + 0.5) * down
        if all((h.x - x) ** 2 + (h.y - y) ** 2 > (1.1 * max(h.radius, size)) ** 2 for h in found):
            tall = scale * float(np.exp(np.clip(figure[row, column], -4, 3)))
            turned, open_ = float(facing[row, column]), float(free[row, column])
            found.append(HeadSeen(x, y, size, turned, tall, open_, score))
    people = np.asarray(1 / (1 + np.exp(-person)), np.float32)
    return Crowd(tuple(found), _on_grid(people, sight.grid))
