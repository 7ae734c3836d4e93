"""Drawn rooms on their way to the GPU, also while others are still being drawn; looks as numbers."""

from __future__ import annotations

import math
import pickle
import queue
import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import torch

from storyengine.previz.evaluator.networks import AGE, BEARD, HAIR, PATTERNS, SLOT, SURFACES, WORN, axis_numbers

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
FAMILIES = (Path(__file__).parent / "families.txt").read_text().splitlines()
HELD_BACK = 16
"""Every so many rooms one is never learned from."""


def picture(data: bytes) -> np.ndarray:
    """Red, green and blue, or what a mask says."""
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    return found[..., ::-1] if found.ndim == 3 else found


def normal(x: torch.Tensor) -> torch.Tensor:
    """Bytes as networks take them."""
    return (x / 255 - 0.5) / 0.25


def look_numbers(row: tuple) -> np.ndarray:
    family, colour, accent, content, pattern, surface, size, count = row
    shape = [float(family == name) for name in FAMILIES]
    made = [float(surface == name) for name in SURFACES] + [float(pattern == name) for name in PATTERNS]
    inside = content or (0.0, 0.0, 0.0)
    rest = [float(content is not None), math.log(size), min(count, 6) / 6, 1.0]
    return np.array([*shape, *made, *colour, *accent, *inside, *rest], np.float32)


def person_numbers(row: tuple) -> np.ndarray:
    skin, hair, hair_colour, beard, age, _, height, garments = row
    worn = np.zeros((len(WORN), 4), np.float32)
    for kind, colour, _, _ in garments:
        slot = worn[SLOT.get(kind, 5)]
        if not slot[0]:
            slot[:] = 1.0, *colour
    hairs = [float(hair == name) for name in HAIR] + [float(beard == name) for name in BEARD]
    ages = [float(age == name) for name in AGE]
    return np.array([*skin, *hair_colour, *hairs, *ages, height - 1.7, *worn.ravel()], np.float32)


@dataclass
class Subject:
    """A thing, a person or a landmark: where its pictures begin, how many, its numbers."""

    name: str
    kind: str
    numbers: np.ndarray
    first: int = 0
    count: int = 0
    states: list = field(default_factory=list)
    """Per picture: ((attribute, value), …) and the numbers of its axes."""
    attributes: list = field(default_factory=list)
    family: str = ""


class Store:
    """Pictures of one size on the GPU, to which more can be added."""

    def __init__(self, most: int) -> None:
        self.most = most if DEVICE == "cuda" else most // 50  # without a GPU a lesson is only tried out
        self.count = 0
        self.rows: torch.Tensor | None = None

    def add(self, pictures: Sequence[np.ndarray]) -> int:
        """Adds some and tells where they begin; room for all of them is taken at once."""
        first = self.count
        if len(pictures):
            part = torch.from_numpy(np.stack(pictures))
            if self.rows is None:
                self.rows = torch.empty((self.most, *part.shape[1:]), dtype=part.dtype, device=DEVICE)
            self.rows[first : first + len(part)] = part.to(DEVICE)
            self.count += len(part)
        return first

    def __getitem__(self, rows: list[int] | torch.Tensor) -> torch.Tensor:
        assert self.rows is not None
        return self.rows[torch.as_tensor(rows, device=DEVICE)]


class Reader(threading.Thread):
    """Reads drawn files as they appear in a folder, and decodes of them what a lesson needs."""

    def __init__(self, folder: Path, drawn: str, decode: Callable[[dict], dict], most: int) -> None:
        super().__init__(daemon=True)
        self.folder, self.drawn, self.decode, self.most = folder, drawn, decode, most
        self.ready: queue.Queue[tuple[int, dict]] = queue.Queue(maxsize=6)
        self.start()

    def run(self) -> None:
        cv2.setNumThreads(1)
        done: set[Path] = set()
        with ThreadPoolExecutor(2) as pool:
            while len(done) < self.most:
                new = [path for path in sorted(self.folder.glob(self.drawn)) if path not in done]
                for path, room in zip(new, pool.map(self._read, new), strict=True):
                    done.add(path)
                    if room is not None:
                        self.ready.put((int(re.sub(r"\D", "", path.stem)), room))
                time.sleep(1)

    def _read(self, path: Path) -> dict | None:
        try:
            return self.decode(pickle.loads(path.read_bytes()))
        except (pickle.UnpicklingError, EOFError, cv2.error) as wrong:
            print("left out", path.name, wrong, flush=True)
            return None

    def next(self, wait: float = 0.0) -> tuple[int, dict] | None:
        try:
            return self.ready.get(timeout=wait) if wait else self.ready.get_nowait()
        except queue.Empty:
            return None


def is_held_back(room: int) -> bool:
    return room % HELD_BACK == HELD_BACK // 2


def things_of(room: dict, first: int) -> dict[tuple[int, str], Subject]:
    """By cast and name. Their pictures begin at `first`."""
    found = {}
    for key, thing in room["things"].items():
        cast, _, name = key.partition(" ")
        look = thing["look"]
        known = Subject(name, "thing", look_numbers(look), first, len(thing["shown"]), family=look[0])
        known.attributes = thing["attributes"]
        known.states = [(values, axis_numbers(axes)) for values, _, axes, _ in thing["shown"]]
        first += known.count
        found[int(cast), name] = known
    return found


THING = len(look_numbers(("", (0, 0, 0), (0, 0, 0), None, "", "", 1.0, 1)))
PERSON = len(person_numbers(((0, 0, 0), "", (0, 0, 0), "", "", "", 1.7, [])))
"""How many numbers a look becomes."""
