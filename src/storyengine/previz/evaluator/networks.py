"""The evaluator's small networks: loaded once per thread, fed with arrays, run by OpenCV.

They were taught with pictures of the studio's own shapes and words made up for the purpose (`scripts/evaluator`,
`docs/previz-evaluator.md`). `frame` gives every cell of a picture a vector; a query, made from reference pictures and
words, tells which cells show what is looked for; `second` looks again, with the whole picture in view, and corrects
that. The others look at windows: the state of a thing, a face, how two things relate.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.previz.looks import PersonLook, PropLook

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

CELLS, PROTOTYPES = 64, 4
"""Length of a cell's vector, and the number of vectors by which a query asks cells."""
SIMILAR = 2 / CELLS**0.5

_own = threading.local()


def run(name: str, *inputs: Floats, outputs: int = 1) -> tuple[Floats, ...]:
    """The outputs of a network. Nets keep state, so every thread has its own."""
    nets: dict[str, Any] = _own.__dict__.setdefault("nets", {})
    if name not in nets:
        nets[name] = cv2.dnn.readNetFromONNX(np.frombuffer(_stored(f"{name}.onnx"), np.uint8))
    net = nets[name]
    for number, values in enumerate(inputs):
        net.setInput(np.ascontiguousarray(values, np.float32), f"x{number}")
    return tuple(np.asarray(found, np.float32) for found in net.forward([f"y{k}" for k in range(outputs)]))


def _stored(name: str) -> bytes:
    return (files(__package__) / "weights" / name).read_bytes()


@cache
def tables(name: str) -> dict[str, npt.NDArray[Any]]:
    """The weights of small layers, by the names that teaching gave them."""
    with np.load(files(__package__) / "weights" / f"{name}.npz") as stored:  # type: ignore[arg-type]
        found = {key: stored[key] for key in stored}
    return {key: t.astype(np.float32) if t.dtype == np.float16 else t for key, t in found.items()}


def linear(name: str, part: str, values: Floats) -> Floats:
    known = tables(name)
    return np.asarray(values @ known[f"{part}.weight"].T + known[f"{part}.bias"], np.float32)


NO_LENGTH = 1e-4
"""Length of a vector below which it has no direction, as in teaching."""


def direction(vectors: Floats) -> Floats:
    """Every row with a length of one."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), NO_LENGTH), np.float32)


def layers(name: str, part: str, values: Floats) -> Floats:
    """Three fully connected layers."""
    for number in (0, 2, 4):
        values = linear(name, f"{part}_{number}", values)
        if number < 4:
            values = np.maximum(values, 0)
    return values


# --- looks as numbers --------------------------------------------------------------------------------------------

SURFACES = (
    "painted", "wood", "steel", "iron", "brass", "copper", "stone", "clay", "glass", "cloth", "canvas", "leather",
    "wool", "paper", "wicker", "rubber", "rope", "plain",
)  # fmt: skip
PATTERNS = ("plain", "checked", "striped", "dotted")
AXES = (
    "open", "raised", "fill", "lit", "broken", "dirty", "wet", "wound", "loaded", "covered", "turned", "fastened",
    "tipped", "spread", "running", "across", "hung", "pierced",
)  # fmt: skip
HAIR = ("bald", "cropped", "short", "curly", "long", "tied back", "bun", "braid", "plaits", "afro")
BEARD = ("none", "moustache", "stubble", "full")
AGE = ("child", "young", "adult", "old")
WORN = (
    ("shirt", "t-shirt", "blouse", "jumper", "cardigan", "dress", "uniform"),
    ("waistcoat", "jacket", "coat", "raincoat", "overall", "boiler suit", "smock", "oilskin", "cape"),
    ("apron", "leather apron", "tabard", "dungarees"),
    ("skirt", "trousers", "shorts", "waders"),
    ("cap", "flat cap", "head-cloth", "hard hat", "wide hat", "woolly hat", "headscarf"),
    ("scarf", "neckerchief", "sash", "braces", "belt", "back-brace", "goggles", "spectacles"),
    ("gloves", "fingerless gloves"),
    ("boots", "shoes", "clogs"),
)
SLOT = {kind: number for number, kinds in enumerate(WORN) for kind in kinds}


def thing_numbers(look: PropLook, family: str | None = None) -> Floats:
    """A thing's look as teaching wrote it: family, surface, pattern, colours, size. `family` names a fitting."""
    shape = [float((family or look.family) == known) for known in tables("query")["families"]]
    surface = [float(look.surface == surface) for surface in SURFACES]
    pattern = [float(look.pattern == pattern) for pattern in PATTERNS]
    content = look.content or (0.0, 0.0, 0.0)
    rest = [float(look.content is not None), math.log(look.size), min(look.count, 6) / 6, 1.0]
    return np.array([*shape, *surface, *pattern, *look.colour, *look.accent, *content, *rest], np.float32)


def axis_numbers(axes: Sequence[tuple[str, float]]) -> Floats:
    """How far a thing is open, raised, full and so on."""
    state = np.zeros(2 * len(AXES), np.float32)
    for axis, value in axes:
        if axis in AXES:
            at = 2 * AXES.index(axis)
            state[at : at + 2] = 1.0, value * 2 - 1
    return state


def person_numbers(look: PersonLook) -> Floats:
    """A person's look as teaching wrote it: skin, hair, beard, age, height, and a colour for each kind of garment."""
    worn = np.zeros((len(WORN), 4), np.float32)
    for garment in look.garments:
        slot = worn[SLOT.get(garment.kind, 5)]
        if not slot[0]:
            slot[:] = 1.0, *garment.colour
    hair = [float(look.hair == name) for name in HAIR]
    beard = [float(look.beard == name) for name in BEARD]
    age = [float(look.age == name) for name in AGE]
    return np.array([*look.skin, *look.hair_colour, *hair, *beard, *age, look.height - 1.7, *worn.ravel()], np.float32)


# --- queries -------------------------------------------------------------------------------------------------------


def picture_input(pixels: Bytes, width: int, height: int) -> Floats:
    """Pixels as a network takes them: one picture, channels first, 0…1."""
    small = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small.transpose(2, 0, 1)[None] / 255, np.float32)


def thing_query(pictures: Sequence[Bytes], numbers: Floats) -> Floats:
    """What to look for, by pictures of it in any state (or none) and its look."""
    seen = np.zeros(tables("query")["thing_body.0.weight"].shape[1] - len(numbers) - 1, np.float32)
    if pictures:
        every = [run("thing_picture", picture_input(picture, 128, 128))[0][0] for picture in pictures]
        seen = np.mean(every, axis=0)
    return _query("thing", np.array([*seen, float(bool(pictures)), *numbers], np.float32))


def person_query(figures: Sequence[Bytes], numbers: Floats) -> Floats:
    """Whom to look for, by the three figures of a sheet (or none) and the look."""
    seen = np.zeros(tables("query")["person_body.0.weight"].shape[1] - len(numbers) - 1, np.float32)
    if len(figures) == 3:
        seen = np.concatenate([run("person_picture", picture_input(figure, 96, 160))[0][0] for figure in figures])
    return _query("person", np.array([*seen, float(len(figures) == 3), *numbers], np.float32))


def _query(kind: str, values: Floats) -> Floats:
    for part in ("body.0", "body.2"):
        values = np.maximum(linear("query", f"{kind}_{part}", values), 0)
    parts = [linear("query", f"{kind}_{part}", values) for part in ("cells", "look")]
    return np.concatenate(parts).astype(np.float32)
