"""Baking a room: its light once, its surfaces with that light painted in, and probes for things that move.

The light is kept on disk under the product's cache folder by the room's fingerprint, so a room is lit only once.
"""

from __future__ import annotations

import dataclasses
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from storyengine.media.kernel import cache_folder
from storyengine.previz.render import warming
from storyengine.previz.render.lighting import (
    KeyLight,
    Lighting,
    key_light_of,
    light_room,
    print_of,
    probe_grid,
    surfaces_of,
)
from storyengine.previz.render.painting import Static, light_curve, paint_room
from storyengine.previz.render.textures import TextureHeap
from storyengine.previz.render.values import Floats, Ints, Room
from storyengine.previz.tidying import ROOMS, keep_within
from storyengine.runs.digest import digest_bytes


@dataclass(frozen=True, eq=False)
class Probes:
    grid: Floats
    low: Floats
    step: Floats


@dataclass(frozen=True, eq=False)
class BakedRoom:
    """A room ready to be drawn: static geometry with baked light, and all that moving things need."""

    room: Room
    points: Floats
    uv: Floats
    light: Floats
    corners: Ints
    texture: Ints
    kind: Ints
    id: Ints
    group: Ints
    colour: Floats
    heap: TextureHeap
    probes: Probes
    key: KeyLight
    top_frame: Floats
    exposure: float
    balance: Floats
    curve: Floats
    fingerprint: str


def bake(room: Room) -> BakedRoom:
    """Light a room and paint its surfaces. About a second and a half the first time, a third of that afterwards."""
    cv2.setNumThreads(1)
    warming.start()
    surfaces = surfaces_of(room)
    mark = fingerprint(room)
    path = _cache_path(mark)
    found = _load(path)
    if found is None:
        found = light_room(room, surfaces)
        _keep(path, found)
    exposure, balance = print_of(room, surfaces, found.maps)
    static, heap = Static([], [], [], [], [], [], [], [], []), TextureHeap()
    paint_room(static, heap, room, surfaces, found, exposure, balance)
    low, high = room.bounds()
    margin = 0.4
    size = float(max(high[0] - low[0], high[1] - low[1])) + 2 * margin
    probe_low, _, probe_step = probe_grid(room)
    return BakedRoom(
        room=room,
        points=np.array(static.points),
        uv=np.array(static.uv),
        light=np.array(static.light),
        corners=np.array(static.corners, np.int64),
        texture=np.array(static.texture, np.int64),
        kind=np.array(static.kind, np.int64),
        id=np.array(static.id, np.int64),
        group=np.array(static.group, np.int64),
        colour=np.array(static.colour),
        heap=heap,
        probes=Probes(found.probes, probe_low, probe_step),
        key=key_light_of(room, found.key),
        top_frame=np.array([low[0] - margin, low[1] - margin, 1 / size, max(high[2], low[2] + 2.5) + 1.0]),
        exposure=exposure,
        balance=balance,
        curve=light_curve(),
        fingerprint=mark,
    )


def fingerprint(room: Room) -> str:
    """The same for equal rooms, in every process."""
    return digest_bytes(b"room\n" + _bytes_of(room))


def _bytes_of(value: Any) -> bytes:
    if isinstance(value, np.ndarray):
        return f"{value.shape}{value.dtype}".encode() + np.ascontiguousarray(value).tobytes()
    if isinstance(value, tuple):
        return b"(" + b",".join(_bytes_of(item) for item in value) + b")"
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return type(value).__name__.encode() + b"".join(_bytes_of(getattr(value, f.name)) for f in fields)
    return repr(value).encode()


def _cache_path(room_fingerprint: str) -> Path:
    here = Path(__file__).parent
    recipe = b"".join((here / name).read_bytes() for name in ("lighting.py", "bake_kernels.py", "materials.py"))
    return cache_folder() / "rooms" / f"{digest_bytes(recipe)[:12]}-{room_fingerprint[:32]}.npz"


def _load(path: Path) -> Lighting | None:
    try:
        os.utime(path)  # used now: the oldest are removed first
        with np.load(path, allow_pickle=False) as stored:
            count = {name: int(stored[f"{name}_count"]) for name in ("map", "vertex")}
            return Lighting(
                [stored[f"map{i}"] for i in range(count["map"])],
                [stored[f"vertex{i}"] for i in range(count["vertex"])],
                stored["probes"],
                int(stored["key"]),
            )
    except (OSError, KeyError, ValueError):
        return None


def _keep(path: Path, found: Lighting) -> None:
    arrays: dict[str, Any] = {f"map{i}": m for i, m in enumerate(found.maps)}
    arrays |= {f"vertex{i}": m for i, m in enumerate(found.vertices)}
    arrays |= {"probes": found.probes, "key": np.int64(found.key)}
    arrays |= {"map_count": np.int64(len(found.maps)), "vertex_count": np.int64(len(found.vertices))}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            np.savez(file, **arrays)
        os.replace(file.name, path)
        keep_within(path.parent.glob("*.npz"), ROOMS)
    except OSError:
        return  # a cache that cannot be written costs time, nothing else
