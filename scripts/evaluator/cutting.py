"""Windows cut from drawn frames as the evaluator cuts them, and a little wider.

A window is (JPEG of the colours, PNG of one or two masks side by side). Masks are what cells of the frame network would
say if they knew everything.
"""

from __future__ import annotations

import cv2
import numpy as np

from storyengine.previz.evaluator.seeing import CELL, Rect, cut_out
from storyengine.previz.grading.labels import Shown

SPARE = 1.25
"""How much wider than the evaluator's a window is, so that teaching can move it about."""
SMALL = (512, 288)
KEPT_FROM = 0.0012
"""Share of the frame from which a window is worth keeping."""

Window = tuple[bytes, bytes]


def jpeg(pixels: np.ndarray, quality: int = 90) -> bytes:
    coded = cv2.imencode(".jpg", np.ascontiguousarray(pixels[..., ::-1]), [cv2.IMWRITE_JPEG_QUALITY, quality])
    return coded[1].tobytes()


class Cutter:
    """One frame, or a part of one: what its cells show, and windows of it. `small` is the size in which the evaluator
    would look at it."""

    def __init__(self, frame: Shown, shares: dict[str, float], small: tuple[int, int] = SMALL) -> None:
        self.frame, self.shares, self.small = frame, shares, small
        named = [n for n in (*frame.scene.people, *frame.scene.props) if shares.get(n, 0.0) >= KEPT_FROM]
        self.cells = {name: self._cells(name) for name in named}
        self.rects = {name: rect for name, cells in self.cells.items() if (rect := _rect(cells)) is not None}

    def _cells(self, name: str) -> np.ndarray:
        shown = (self.frame.ids == self.frame.named[name]).astype(np.float32)
        return cv2.resize(shown, (self.small[0] // CELL, self.small[1] // CELL), interpolation=cv2.INTER_AREA)

    def window(self, rect: Rect, reach: float, names: list[str], stored: int) -> Window:
        half = SPARE * max(max(rect.w, rect.h) / 2 * reach, 0.02 * SMALL[0])
        scale = self.frame.pixels.shape[1] / self.small[0]
        at = (rect.centre[0] * scale, rect.centre[1] * scale)
        colours = cut_out(self.frame.pixels, at, (half * scale, half * scale), (stored, stored))
        masks = []
        for name in names:
            middle, reach_ = (rect.centre[0] / CELL, rect.centre[1] / CELL), (half / CELL, half / CELL)
            part = cut_out(
                self.cells[name], middle, reach_, (stored // CELL, stored // CELL), border=cv2.BORDER_CONSTANT
            )
            masks.append((part * 255).astype(np.uint8))
        return jpeg(colours, 88), cv2.imencode(".png", np.hstack(masks))[1].tobytes()


def _rect(cells: np.ndarray) -> Rect | None:
    seen = cells > 0.3
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        return None
    left, top = int(columns[0]) * CELL, int(rows[0]) * CELL
    return Rect(left, top, (int(columns[-1]) + 1) * CELL - left, (int(rows[-1]) + 1) * CELL - top)
