"""Drawn rooms as tensors on the GPU: frames, what their pixels show, references, looks as numbers."""

from __future__ import annotations

import math
import pickle
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from storyengine.previz.evaluator.networks import AGE, BEARD, HAIR, PATTERNS, SLOT, SURFACES, WORN, axis_numbers

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
AGAIN = "-again"
REFERENCE, FIGURE = 128, (96, 160)
WIDE_FRAME = (960, 540)
HELD_BACK = 12
"""Rooms whose name comes to this are never learned from."""


def picture(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(data)))


def look_numbers(row: tuple, families: list[str]) -> np.ndarray:
    family, colour, accent, content, pattern, surface, size, count = row
    shape = [float(family == name) for name in families]
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


@dataclass
class Frame:
    room: int
    cast: tuple[int, int]
    names: list[str]
    shares: dict[str, float]
    things: dict
    heads: dict


class Rooms:
    """Everything that was drawn."""

    def __init__(self, folder: Path, most: int = 10_000, threads: int = 16) -> None:
        files = sorted(folder.glob("room-*.pickle"))[:most]
        rooms = [pickle.loads(f.read_bytes()) for f in files]
        self.families = (Path(__file__).parent / "families.txt").read_text().splitlines()
        self.subjects: dict[tuple[int, int, str], Subject] = {}
        self.casts: dict[tuple[int, int], list[tuple[int, int, str]]] = {}
        self.frames: list[Frame] = []
        shots, ids, references, sheets = [], [], [], []
        for number, room in enumerate(rooms):
            for key, thing in room["things"].items():
                cast, _, name = key.partition(" ")
                self._thing(number, int(cast), name, thing, references)
            for key, person in room["people"].items():
                cast, _, name = key.partition(" ")
                known = Subject(name, "person", person_numbers(person["look"]), len(sheets), 1)
                self._add((number, int(cast), name), known)
                sheets.append(person["figures"])
            for frame in room["frames"]:
                own = (number, frame["cast"])
                shots.append(frame["jpg"])
                ids.append(frame["ids"])
                self.frames.append(Frame(number, own, frame["names"], frame["shares"], frame["things"], frame["heads"]))
            for name, mark in room["marks"].items():
                for cast in {frame["cast"] for frame in room["frames"]}:
                    known = Subject(name, "mark", look_numbers(mark["look"], self.families), family=mark["look"][0])
                    self._add((number, cast, name), known)
        del rooms
        with ThreadPoolExecutor(threads) as pool:
            self.references = self._stack(pool, picture, references)
            self.figures = self._stack(pool, lambda d: np.stack(np.split(picture(d), 3, axis=1)), sheets)
            self.ids = self._stack(pool, picture, ids)
            self.full = self._stack(pool, picture, shots)
        self.valid_rooms = {k for k, f in enumerate(files) if zlib.crc32(f.stem.encode()) % 16 == HELD_BACK}
        print(
            len(files),
            "rooms",
            len(shots),
            "frames",
            len(references),
            "references",
            len(sheets),
            "people",
            len(self.families),
            "families",
            flush=True,
        )

    def _add(self, key: tuple[int, int, str], subject: Subject) -> None:
        self.subjects[key] = subject
        self.casts.setdefault(key[:2], []).append(key)

    def _thing(self, room: int, cast: int, name: str, thing: dict, references: list) -> None:
        family = thing["look"][0]
        known = Subject(
            name,
            "thing",
            look_numbers(thing["look"], self.families),
            len(references),
            len(thing["shown"]),
            family=family,
        )
        known.attributes = thing["attributes"]
        for values, _, axes, data in thing["shown"]:
            known.states.append((values, axis_numbers(axes)))
            references.append(data)
        self._add((room, cast, name), known)

    @staticmethod
    def _stack(pool: ThreadPoolExecutor, read, items: list) -> torch.Tensor:
        out = None
        for k in range(0, len(items), 512):
            part = torch.from_numpy(np.stack(list(pool.map(read, items[k : k + 512]))))
            if out is None:
                out = torch.empty((len(items), *part.shape[1:]), dtype=part.dtype, device=DEVICE)
            out[k : k + len(part)] = part.to(DEVICE)
        return out
