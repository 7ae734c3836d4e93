"""The evaluator's small networks: loaded once per thread, fed with arrays, run by OpenCV.

They were trained on pictures of the studio's shapes with words made up for the purpose (`docs/previz-evaluator.md`).
`frame` gives every cell of a picture a vector, and a query made from a reference picture and a look tells which cells
show it. `crop_thing` and `crop_person` hold a region that was cut out against a query. `face` gives a face a direction
by which two pictures of it agree.
"""

from __future__ import annotations

import math
import threading
from functools import cache
from importlib.resources import files
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.previz.looks import PersonLook, PropLook

Floats = npt.NDArray[np.float32]

FEATURES, PROTOTYPES = 64, 4
"""Length of a cell's vector, and the number of vectors that make a query."""

_own = threading.local()


def run(name: str, *inputs: Floats) -> Floats:
    """The output of a network. Nets keep state, so every thread has its own."""
    nets: dict[str, Any] = _own.__dict__.setdefault("nets", {})
    if name not in nets:
        nets[name] = cv2.dnn.readNetFromONNX(np.frombuffer(_stored(f"{name}.onnx"), np.uint8))
    net = nets[name]
    for number, values in enumerate(inputs):
        net.setInput(np.ascontiguousarray(values, np.float32), f"x{number}")
    return np.asarray(net.forward(), np.float32)


def _stored(name: str) -> bytes:
    return (files(__package__) / "weights" / name).read_bytes()


@cache
def _tables(name: str) -> dict[str, npt.NDArray[Any]]:
    with np.load(files(__package__) / "weights" / f"{name}.npz") as stored:  # type: ignore[arg-type]
        tables = {key: stored[key] for key in stored}
    return {key: t.astype(np.float32) if t.dtype == np.float16 else t for key, t in tables.items()}


def layers(name: str, part: str, values: Floats) -> Floats:
    """A small stack of fully connected layers, by the names that training gave them."""
    tables = _tables(name)
    for number in (0, 2, 4):
        weight, bias = tables[f"{part}_f.{number}.weight"], tables[f"{part}_f.{number}.bias"]
        values = values @ weight.T + bias
        if number < 4:
            values = np.maximum(values, 0)
    return np.asarray(values, np.float32)


# --- looks as numbers --------------------------------------------------------------------------------------------

_PATTERNS = ("plain", "checked", "striped", "dotted")
_AXES = (
    "open", "raised", "fill", "lit", "broken", "dirty", "wet", "wound", "loaded", "covered", "turned", "fastened",
    "tipped", "spread", "running", "across", "hung", "pierced",
)  # fmt: skip
_HAIR = ("bald", "cropped", "short", "curly", "long", "tied back", "bun", "braid", "plaits", "afro")
_BEARD = ("none", "moustache", "stubble", "full")
_AGE = ("child", "young", "adult", "old")
_WORN = (
    ("shirt", "t-shirt", "blouse", "jumper", "cardigan", "dress", "uniform"),
    ("waistcoat", "jacket", "coat", "raincoat", "overall", "boiler suit", "smock", "oilskin", "cape"),
    ("apron", "leather apron", "tabard", "dungarees"),
    ("skirt", "trousers", "shorts", "waders"),
    ("cap", "flat cap", "head-cloth", "hard hat", "wide hat", "woolly hat", "headscarf"),
    ("scarf", "neckerchief", "sash", "braces", "belt", "back-brace", "goggles", "spectacles"),
    ("gloves", "fingerless gloves"),
    ("boots", "shoes", "clogs"),
)
_SLOT = {kind: number for number, kinds in enumerate(_WORN) for kind in kinds}


def thing_numbers(look: PropLook, axes: tuple[tuple[str, float], ...] = ()) -> Floats:
    """A thing's look and state as training wrote them: family, surface, pattern, colours, size, axes."""
    tables = _tables("frame_query")
    families, surfaces = list(tables["fams"]), list(tables["surf"])
    shape = [float(look.family == family) for family in families]
    surface = [float(look.surface == surface) for surface in surfaces]
    pattern = [float(look.pattern == pattern) for pattern in _PATTERNS]
    content = look.content or (0.0, 0.0, 0.0)
    rest = [float(look.content is not None), math.log(look.size), min(look.count, 6) / 6, 1.0]
    state = np.zeros(2 * len(_AXES), np.float32)
    for axis, value in axes:
        if axis in _AXES:
            at = 2 * _AXES.index(axis)
            state[at : at + 2] = 1.0, value * 2 - 1
    return np.array([*shape, *surface, *pattern, *look.colour, *look.accent, *content, *rest, *state], np.float32)


def person_numbers(look: PersonLook) -> Floats:
    """A person's look as training wrote it: skin, hair, beard, age, height, and a colour for each kind of garment."""
    worn = np.zeros((len(_WORN), 4), np.float32)
    for garment in look.garments:
        slot = worn[_SLOT.get(garment.kind, 5)]
        if not slot[0]:
            slot[:] = 1.0, *garment.colour
    hair = [float(look.hair == name) for name in _HAIR]
    beard = [float(look.beard == name) for name in _BEARD]
    age = [float(look.age == name) for name in _AGE]
    return np.array([*look.skin, *look.hair_colour, *hair, *beard, *age, look.height - 1.7, *worn.ravel()], np.float32)


# --- queries -------------------------------------------------------------------------------------------------------


def picture_input(pixels: npt.NDArray[np.uint8], width: int, height: int) -> Floats:
    """Pixels as a network takes them: one picture, channels first, 0…1."""
    small = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small.transpose(2, 0, 1)[None] / 255, np.float32)


def thing_query(stage: str, picture: npt.NDArray[np.uint8] | None, numbers: Floats) -> Floats:
    """What to look for: `stage` is `frame` (cells of a frame) or `crop` (a region cut out)."""
    seen = np.zeros(192 if stage == "frame" else 224, np.float32)
    if picture is not None:
        seen = run(f"{stage}_thing_picture", picture_input(picture, 128, 128))[0]
    return layers(f"{stage}_query", "tq", np.array([*seen, float(picture is not None), *numbers], np.float32))


def person_query(stage: str, figures: list[npt.NDArray[np.uint8]], numbers: Floats) -> Floats:
    """Whom to look for, by the three figures of a sheet (or none) and the look."""
    seen = [run(f"{stage}_person_picture", picture_input(figure, 96, 160))[0] for figure in figures]
    flat = np.concatenate(seen) if len(seen) == 3 else np.zeros(384, np.float32)
    return layers(f"{stage}_query", "pq", np.array([*flat, float(len(seen) == 3), *numbers], np.float32))
