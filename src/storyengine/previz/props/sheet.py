"""Every family in its states on one picture.

python -m storyengine.previz.props.sheet docs/images/previz-props.jpg
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.previz.appearance import prop_look
from storyengine.previz.looks import PropLook
from storyengine.previz.props import AXES, FAMILIES, PropModel, build_at
from storyengine.previz.render import (
    BakedRoom,
    Camera,
    Lamp,
    Material,
    Renderer,
    Room,
    View,
    bake,
    placement,
    shell,
)

Pixels = npt.NDArray[np.uint8]
CELL = 112
LABEL = 13
ACROSS = 22

_GENERAL: tuple[tuple[str, str, str], ...] = (
    ("chest", "dirty", "dirty"),
    ("bucket", "wet", "wet"),
    ("jug", "broken", "broken"),
    ("jug", "mended", "mended"),
    ("rake", "mended", "mended"),
    ("tank", "open", "lid open"),
    ("table", "covered", "covered"),
    ("box", "fastened", "sealed"),
    ("chair", "tipped", "tipped over"),
    ("table", "loaded", "loaded"),
    ("engine", "covered", "covered"),
    ("rack", "across", "across"),
    ("crate", "raised", "raised"),
    ("door", "mark", "unknown state"),
    ("hat", "hung", "hung"),
)


def studio() -> BakedRoom:
    """A pale corner with soft light from above and in front; things stand in its middle, one metre large."""
    paper = Material("paint", (0.83, 0.82, 0.79))
    floor = Material("paint", (0.74, 0.73, 0.70))
    surfaces = shell(4.0, 4.0, 3.0, floor, paper, (paper, paper, paper, paper))
    return bake(
        Room(surfaces=surfaces, lamps=(Lamp((2.9, 3.3, 2.75), (1.0, 0.95, 0.88), 1.0, 0.4, 0.3),), brightness=0.62)
    )


def portrait(renderer: Renderer, model: PropModel, side: int) -> Pixels:
    """The model alone, from its front right and a little above, filling a square picture."""
    low, high = (np.array(x) for x in model.bounds())
    reach = float(np.linalg.norm(high - low)) / 2
    scale = 0.52 / max(reach, 1e-6)
    middle = (low + high) / 2
    at = (2.0 - float(middle[0]) * scale, 2.0 - float(middle[1]) * scale, -float(low[2]) * scale)
    target = (2.0, 2.0, float(high[2] - low[2]) / 2 * scale)
    steep = 0.95 if high[2] - low[2] < 0.4 * max(high[0] - low[0], high[1] - low[1]) else 0.72
    camera = Camera.looking_at((2.0 + 0.85, 2.0 + 1.55, target[2] + steep), target, fov=34)
    frame = renderer.draw(View(camera, model.instances(placement(at, scale=scale), 5)), side * 2, side * 2)
    return np.asarray(cv2.resize(frame.pixels, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def cells() -> list[tuple[str, PropLook, tuple[tuple[str, float], ...]]]:
    """Label, look and state of every cell: a family's usual look, then each of its own states."""
    out: list[tuple[str, PropLook, tuple[tuple[str, float], ...]]] = []
    for name, family in sorted(FAMILIES.items()):
        look = prop_look(name)
        out.append((name, look, ()))
        seen = [build_at(look)]
        for axis in family.axes:
            for value in (0.0, 1.0):
                model = build_at(look, ((axis, value),))
                if not any(_same(model, other) for other in seen):
                    seen.append(model)
                    out.append((f"- {AXES[axis][round(value)]}", look, ((axis, value),)))
    for name, axis, label in _GENERAL:
        out.append((f"{name}: {label}", prop_look(name), ((axis, 0.62 if axis == "mark" else 1.0),)))
    return out


def _same(a: PropModel, b: PropModel) -> bool:
    """Whether two models show the same parts in the same poses."""
    return len(a.parts) == len(b.parts) and all(
        p.mesh is q.mesh and np.allclose(p.matrix, q.matrix) and p.glow == q.glow
        for p, q in zip(a.parts, b.parts, strict=True)
    )


def contact_sheet(chosen: list[tuple[str, PropLook, tuple[tuple[str, float], ...]]], across: int = ACROSS) -> Pixels:
    renderer = Renderer(studio())
    rows = -(-len(chosen) // across)
    sheet = np.full((rows * (CELL + LABEL), across * CELL, 3), 232, np.uint8)
    for k, (label, look, axes) in enumerate(chosen):
        y, x = (k // across) * (CELL + LABEL), (k % across) * CELL
        sheet[y : y + CELL, x : x + CELL] = portrait(renderer, build_at(look, axes), CELL)
        ink = (90, 84, 80) if label.startswith("-") else (20, 20, 20)
        cv2.putText(sheet, label[:19], (x + 3, y + CELL + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.34, ink, 1, cv2.LINE_AA)
    return sheet


def main() -> None:
    sheet = contact_sheet(cells())
    Path(sys.argv[1]).write_bytes(cv2.imencode(".jpg", sheet[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 72])[1].tobytes())


if __name__ == "__main__":
    main()
