"""Logos and watermarks: white marks laid over a corner of the picture, in a still or through a shot.

A see-through white mark leaves the same share of the distance to white everywhere, in every colour, whatever is behind
it; nothing that stands in a scene does. Its edge goes straight from one side to the other, without the darker rim that
things have, and in a shot it stays where it is. Not covered: opaque, dark or coloured marks, marks away from the
corners or made of separate parts, marks less than 4.5 % of the frame high or wide, on what is itself white, or across
strong edges. A written mark is text: see `detect`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.media.detect import Region, scaled_down
from storyengine.media.picture import Picture, Pixels

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]

HEIGHT = 720
CORNER = (0.30, 0.34)
"""Width and height of a corner, of the frame's."""
NEAR = (0.1, 0.14)
"""How far from the frame's edges a mark lies at most, of its width and height: panes and pictures lie farther away."""
SMALLEST, LARGEST = 0.045, 0.25
"""Width and height of a mark, of the frame's height."""
BESIDE = 12
"""Pixels around a mark that are looked at."""
SOLID, TILE, PATTERN = 0.5, 0.35, 4
"""How much of its box a shape fills to be solid, or to be a tile or a pane, and how many of a size make a pattern."""

DARK = 0.15
"""Share of a mark's gaps that may be darker than what is around it."""

_UNITS = 56
_TABLE = np.round(_UNITS * np.log(258 / (258 - np.arange(256)))).astype(np.uint8)
"""Distance to white as a logarithm: a mark of one opacity adds the same everywhere."""
_ADDED = (0.22, 0.42, 0.75)
"""Logarithms by which a mark stands out."""


@dataclass(frozen=True)
class _Veil:
    """How well a white layer over what is around a mark explains what is inside it."""

    opacity: float
    contrast: float
    """Mean difference of levels between inside and around."""
    left: float
    """Levels that one opacity does not explain."""
    tinted: float
    """The same, of the worst colour."""
    steady: float
    """Share of the edge where the opacity is the same, within 0.12."""
    exact: float
    """Share of the edge where inside follows from outside to a tenth of the contrast."""
    rimmed: float
    """Share of the edge with a dark rim."""
    dark: float
    """Share of its gaps that are darker than what is around it: a mark only brightens."""

    def is_mark(self, filled: float) -> bool:
        """`filled`: how much of its box the mark fills. Solid shapes are likelier things; less may be left of them."""
        allowed = min(6 + 0.06 * self.contrast, 1.5 + 0.3 * self.contrast, 12.0)
        if filled > SOLID:
            allowed = min(allowed, 1.5 + 0.1 * self.contrast)
        layer = 0.36 < self.opacity < 0.87 and self.contrast >= 4 and self.left < allowed
        edge = self.steady > 0.78 and self.exact > 0.7 and self.rimmed < 0.13
        return layer and edge and self.dark < DARK and self.tinted < 2 + 0.03 * self.contrast


@dataclass(frozen=True, eq=False)
class _Mark:
    x: int
    y: int
    mask: Mask
    """With `BESIDE` pixels around it, or up to the frame's edge."""
    veil: _Veil

    def stays(self, pixels: Pixels) -> bool:
        """Whether another moment shows it in the same place."""
        high, wide = self.mask.shape
        veil = _veil(pixels[self.y : self.y + high, self.x : self.x + wide].astype(np.float32), self.mask)
        return veil is not None and abs(veil.opacity - self.veil.opacity) < 0.12 and veil.steady > 0.6

    def region(self, pixels: Pixels) -> Region:
        rows, columns = np.flatnonzero(self.mask.any(axis=1)), np.flatnonzero(self.mask.any(axis=0))
        height, width = pixels.shape[:2]
        left, top = (self.x + columns[0]) / width, (self.y + rows[0]) / height
        size = (columns[-1] + 1 - columns[0]) / width, (rows[-1] + 1 - rows[0]) / height
        return Region(float(left), float(top), float(size[0]), float(size[1]), self.veil.steady)


def find_marks(moments: Sequence[Picture]) -> tuple[Region, ...]:
    """Marks that every one of some pictures of a shot shows in the same place; for a still, give it alone."""
    first, *others = (scaled_down(picture.pixels, HEIGHT) for picture in moments)
    return tuple(mark.region(first) for mark in _marks(first) if all(mark.stays(pixels) for pixels in others))


def _marks(pixels: Pixels) -> Iterator[_Mark]:
    """The first mark of each corner."""
    height, width = pixels.shape[:2]
    wide, high = int(CORNER[0] * width), int(CORNER[1] * height)
    for x in (0, width - wide):
        for y in (0, height - high):
            corner = pixels[y : y + high, x : x + wide]
            for left, top, mask, filled in _shapes(corner, height):
                part = corner[top : top + mask.shape[0], left : left + mask.shape[1]]
                veil = _veil(part.astype(np.float32), mask)
                if veil is None or not veil.is_mark(filled):
                    continue
                mark = _Mark(x + left, y + top, mask, veil)
                if _is_near(mark.region(pixels)):
                    yield mark
                    break


def _is_near(found: Region) -> bool:
    """Whether something lies near a corner of the frame."""
    aside = min(found.left, 1 - found.left - found.width)
    return aside <= NEAR[0] and min(found.top, 1 - found.top - found.height) <= NEAR[1]


def _shapes(corner: Pixels, height: int) -> Iterator[tuple[int, int, Mask, float]]:
    """Connected shapes that are nearer to white than what is around them: place, mask, how much of its box it fills."""
    whiteness = np.asarray(cv2.LUT(corner, _TABLE).mean(axis=2), np.uint8)
    strokes = cv2.morphologyEx(whiteness, cv2.MORPH_TOPHAT, np.ones((15, 15), np.uint8))
    quarter = cv2.resize(whiteness, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    around = cv2.resize(cv2.medianBlur(quarter, 21), (whiteness.shape[1], whiteness.shape[0]))
    for added in (strokes, cv2.subtract(whiteness, around)):
        faint: cv2.typing.MatLike | None = None
        for least in _ADDED:
            shapes = (np.asarray(added) > least * _UNITS).astype(np.uint8)
            # A corner holds fewer shapes than sixteen bits can count, and counting so is three times as fast.
            _, labels, stats, _ = cv2.connectedComponentsWithStats(shapes, connectivity=8, ltype=cv2.CV_16U)
            faint = stats if faint is None else faint
            for k in _mark_sized(stats, whiteness.shape, height):
                x, y, w, h, area = (int(v) for v in stats[k])
                if area > TILE * w * h and _alike(faint, area) >= PATTERN:
                    continue
                left, top = max(0, x - BESIDE), max(0, y - BESIDE)
                mask = labels[top : y + h + BESIDE, left : x + w + BESIDE] == k
                yield left, top, mask.astype(np.uint8), area / (w * h)


def _alike(stats: cv2.typing.MatLike, area: int) -> int:
    """How many shapes, faint ones among them, are about as large as one."""
    areas = stats[1:, cv2.CC_STAT_AREA]
    return int(((areas > 0.4 * area) & (areas < 2.5 * area)).sum())


def _mark_sized(stats: cv2.typing.MatLike, shape: tuple[int, ...], height: int) -> npt.NDArray[np.intp]:
    """Which shapes are as large as marks, and do not go on beyond the corner."""
    x, y, w, h, area = stats.T
    sized = (np.minimum(w, h) >= SMALLEST * height) & (np.maximum(w, h) <= LARGEST * height) & (area >= 0.05 * w * h)
    inside = (x > 1) & (y > 1) & (x + w < shape[1] - 1) & (y + h < shape[0] - 1)
    return np.flatnonzero(sized & inside)


def _veil(part: Floats, mask: Mask) -> _Veil | None:
    """None where there is too little inside or around to compare."""
    deep, away = cv2.distanceTransform(mask, cv2.DIST_L2, 3), cv2.distanceTransform(1 - mask, cv2.DIST_L2, 3)
    core, ring = deep > 1.6, (away > 2.5) & (away <= 6.5)  # soft edges belong to neither
    behind, known = _mean_of(part, ring, 25)
    at = core & (known >= 8)
    if at.sum() < 40 or ring.sum() < 80:
        return None
    contrast, lever = part[at] - behind[at], 255 - behind[at]
    each = (contrast * lever).sum(axis=0) / np.maximum((lever**2).sum(axis=0), 1)
    opacity = float((contrast * lever).sum() / max(float((lever**2).sum()), 1))
    left = float(np.sqrt(((contrast - opacity * lever) ** 2).mean()))
    tinted = float((np.abs(each - opacity) * lever.mean(axis=0)).max())
    mean = float(contrast.mean())
    edge = _edge(part, core, ring, (deep > 0) & (deep <= 1.5), (away > 0.5) & (away <= 2.0), mean)
    return None if edge is None else _Veil(opacity, mean, left, tinted, *edge, _dark(part, mask, ring, mean))


def _dark(part: Floats, mask: Mask, ring: npt.NDArray[np.bool_], contrast: float) -> float:
    """Share of the gaps inside a shape that are darker than what is around it, like the hands of a clock."""
    whole = cv2.fillConvexPoly(np.zeros_like(mask), cv2.convexHull(cv2.findNonZero(mask)), 1)
    gaps = (cv2.erode(whole, np.ones((5, 5), np.uint8)) > 0) & (mask == 0)
    if gaps.sum() < 12:
        return 0.0
    around = part[ring].mean(axis=1)
    level = float(around.mean()) - max(0.15 * contrast, 2 * float(around.std()))
    return float((part[gaps].mean(axis=1) < level).mean())


def _edge(
    part: Floats,
    core: npt.NDArray[np.bool_],
    ring: npt.NDArray[np.bool_],
    edge: npt.NDArray[np.bool_],
    rim: npt.NDArray[np.bool_],
    contrast: float,
) -> tuple[float, float, float] | None:
    """Shares of the edge: the same opacity, inside explained by outside, a dark rim."""
    inside, some = _mean_of(part, core, 9)
    outside, known = _mean_of(part, ring, 13)
    edge, rim = edge & (some >= 3) & (known >= 3), rim & (known >= 3)
    if edge.sum() < 30 or not rim.any():
        return None
    step, lever = inside[edge] - outside[edge], 255 - outside[edge]
    opacity = step.sum(axis=1) / np.maximum(lever.sum(axis=1), 1)
    middle = float(np.median(opacity))
    unexplained = np.abs(step - middle * lever).max(axis=1)
    grain = float(np.median(np.abs(part[ring] - outside[ring]).mean(axis=1)))
    darker = (outside[rim] - part[rim]).mean(axis=1) > max(0.15 * contrast, 2 * grain)
    steady, exact = np.abs(opacity - middle) < 0.12, unexplained < 3 + 0.1 * contrast
    return float(steady.mean()), float(exact.mean()), float(darker.mean())


def _mean_of(values: Floats, where: npt.NDArray[np.bool_], size: int) -> tuple[Floats, Floats]:
    """Around every pixel, the mean of those that are marked, and how many are."""
    weight = where.astype(np.float32)
    window = {"normalize": False, "borderType": cv2.BORDER_CONSTANT}
    count = cv2.boxFilter(weight, -1, (size, size), **window)  # type: ignore[call-overload]
    total = cv2.boxFilter(values * weight[..., None], -1, (size, size), **window)  # type: ignore[call-overload]
    return total / np.maximum(count, 1)[..., None], count
