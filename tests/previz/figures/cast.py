"""People for tests: a seeded cast, and a plain studio to draw them in."""

import os
from pathlib import Path

import numpy as np
import pytest

from storyengine.previz.looks import Garment, HairStyle, PersonLook
from storyengine.previz.render import Lamp, Material, Room, Sky, shell, window

SKINS = (
    (0.93, 0.76, 0.65), (0.86, 0.66, 0.52), (0.74, 0.53, 0.40), (0.55, 0.37, 0.27), (0.40, 0.26, 0.19),
    (0.90, 0.78, 0.70),
)  # fmt: skip
HAIRS = ((0.15, 0.11, 0.09), (0.35, 0.22, 0.13), (0.62, 0.44, 0.24), (0.55, 0.24, 0.12), (0.60, 0.60, 0.60))
STYLES: tuple[HairStyle, ...] = (
    "bald", "cropped", "short", "curly", "long", "tied back", "bun", "braid", "plaits", "afro",
)  # fmt: skip
HATS = ("cap", "flat cap", "head-cloth", "hard hat", "wide hat", "woolly hat", "headscarf", "spectacles", "goggles")


def garment(kind: str, colour: tuple[float, float, float] = (0.3, 0.4, 0.6), pattern: str = "plain") -> Garment:
    return Garment(kind, colour, (0.9, 0.88, 0.8), pattern)  # type: ignore[arg-type]


def person(seed: int = 1, **changes: object) -> PersonLook:
    values: dict[str, object] = {
        "skin": SKINS[seed % len(SKINS)], "hair": "short", "hair_colour": HAIRS[seed % len(HAIRS)], "beard": "none",
        "age": "adult", "build": "average", "height": 1.72, "feminine": 0.0,
        "garments": (garment("jumper"), garment("trousers", (0.3, 0.3, 0.3))), "face": seed,
    }  # fmt: skip
    return PersonLook(**(values | changes))  # type: ignore[arg-type]


def cast(count: int) -> list[PersonLook]:
    """Different people: skin, hair, age, beard, hats, all from their number."""
    out = []
    for number in range(count):
        rng = np.random.default_rng(1000 + number)
        feminine = float(rng.integers(2))
        beards = ("none", "none", "moustache", "stubble", "full")
        worn = [garment("jumper", tuple(rng.uniform(0.2, 0.8, 3)))]
        if rng.random() < 0.4:
            worn.append(garment(HATS[rng.integers(len(HATS))], tuple(rng.uniform(0.2, 0.8, 3))))
        out.append(
            person(
                int(rng.integers(1 << 30)),
                skin=SKINS[rng.integers(len(SKINS))],
                hair=STYLES[rng.integers(len(STYLES))],
                hair_colour=HAIRS[rng.integers(len(HAIRS))],
                beard="none" if feminine else beards[rng.integers(len(beards))],
                age=("young", "adult", "adult", "old")[rng.integers(4)],
                feminine=feminine,
                garments=tuple(worn),
            )
        )
    return out


def studio() -> Room:
    plaster = Material("plaster", (0.78, 0.76, 0.71))
    pane = window("south", along=3, sill=1.0, size=(1.8, 1.3), room=(6, 5), view=Sky(), frame=plaster)[0]
    return Room(
        surfaces=shell(6, 5, 3, Material("planks", (0.60, 0.49, 0.37)), plaster, (plaster,) * 4),
        lamps=(Lamp((3, 1.6, 2.6)),),
        windows=(pane,),
    )


def model_file(name: str) -> str:
    """A real face model; the test skips where it is not to be had."""
    folder = Path(os.environ.get("STORYENGINE_MODELS", Path(__file__).parents[4] / "shared" / "models"))
    if not (folder / name).is_file():
        pytest.skip(f"needs {name} in STORYENGINE_MODELS")
    return str(folder / name)
