"""Drawn rooms made small enough to travel to the machine that teaches.

    python scripts/evaluator/pack.py DRAWN PACKED

Frames shrink to 960×540, references and sheets to what the networks take.
"""

from __future__ import annotations

import argparse
import pickle
from pathlib import Path

import cv2
import numpy as np
from data import FIGURE, REFERENCE, WIDE_FRAME

COLUMNS = (0.2, 0.5, 0.8)
"""Where front, side and rear stand on an identity sheet, of its width."""


def picture(data: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def shrunk(pixels: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    method = cv2.INTER_AREA if pixels.shape[1] > size[0] else cv2.INTER_LINEAR
    return cv2.resize(pixels, size, interpolation=method)


def jpeg(pixels: np.ndarray, quality: int) -> bytes:
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def figures(sheet: np.ndarray) -> list[np.ndarray]:
    width = sheet.shape[1]
    half = int(0.15 * width)
    return [np.ascontiguousarray(sheet[:, max(0, int(c * width) - half) : int(c * width) + half]) for c in COLUMNS]


def packed(room: dict) -> dict:
    for thing in room["things"].values():
        thing["shown"] = [(v, r, a, jpeg(shrunk(picture(d), (REFERENCE,) * 2), 92)) for v, r, a, d in thing["shown"]]
    for person in room["people"].values():
        own = figures(picture(person.pop("sheet")))
        person["figures"] = jpeg(np.hstack([shrunk(f, FIGURE) for f in own]), 92)
    for frame in room["frames"]:
        frame["jpg"] = jpeg(shrunk(picture(frame["jpg"]), WIDE_FRAME), 78)
    return room


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    said.add_argument("drawn", type=Path)
    said.add_argument("packed", type=Path)
    args = said.parse_args()
    args.packed.mkdir(parents=True, exist_ok=True)
    for path in sorted(args.drawn.glob("room-*.pickle")):
        out = args.packed / f"room-{args.drawn.name}-{path.stem[5:]}.pickle"
        if not out.exists():
            out.with_suffix(".part").write_bytes(pickle.dumps(packed(pickle.loads(path.read_bytes()))))
            out.with_suffix(".part").rename(out)


if __name__ == "__main__":
    main()
