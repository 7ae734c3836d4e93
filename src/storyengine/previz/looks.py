"""Looks: what a description comes down to, for props, people and places. Frozen values, shared by all of previz.

`appearance` turns words into looks; `props`, `figures` and `places` build them. Painter and evaluator share
`appearance` and the words of states (`props.states`), and nothing else: what everybody knows a red barrow looks like.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Colour = tuple[float, float, float]
"""sRGB, 0…1."""

Surface = Literal["painted", "wood", "steel", "iron", "brass", "copper", "stone", "clay", "glass", "cloth", "canvas",
                  "leather", "wool", "paper", "wicker", "rubber", "rope", "plain"]  # fmt: skip
Pattern = Literal["plain", "checked", "striped", "dotted"]
Age = Literal["child", "young", "adult", "old"]
Build = Literal["slim", "average", "broad"]
HairStyle = Literal["bald", "cropped", "short", "curly", "long", "tied back", "bun", "braid", "plaits", "afro"]
Beard = Literal["none", "moustache", "stubble", "full"]
GarmentKind = Literal[
    "shirt", "t-shirt", "blouse", "jumper", "cardigan", "waistcoat", "jacket", "coat", "raincoat", "overall",
    "boiler suit", "smock", "apron", "leather apron", "tabard", "dress", "skirt", "trousers", "shorts", "dungarees",
    "cap", "flat cap", "head-cloth", "hard hat", "wide hat", "woolly hat", "headscarf", "scarf", "neckerchief",
    "gloves", "fingerless gloves",
    "boots", "shoes", "clogs", "waders", "belt", "back-brace", "goggles", "spectacles", "braces",
    "sash", "cape", "oilskin", "uniform",
]  # fmt: skip


@dataclass(frozen=True)
class PropLook:
    """How a thing looks apart from its state."""

    family: str
    """Shape family, one of `props.FAMILIES`; `box` when nothing matches."""
    colour: Colour
    """The main colour, by which people recognise it."""
    accent: Colour
    """The colour of its second part: a handle, a lid, a rim."""
    surface: Surface = "plain"
    pattern: Pattern = "plain"
    size: float = 1.0
    """Relative to the usual size of its family."""
    count: int = 1
    """How many of them: "loaves" are several."""
    content: Colour | None = None
    """The colour of what the description says is in it ("full of oak shavings"); None when it speaks of nothing."""


@dataclass(frozen=True)
class Garment:
    """Something worn."""

    kind: GarmentKind
    colour: Colour
    second: Colour
    pattern: Pattern = "plain"


@dataclass(frozen=True)
class PersonLook:
    """How a person looks."""

    skin: Colour
    hair: HairStyle
    hair_colour: Colour
    beard: Beard
    age: Age
    build: Build
    height: float
    """In metres."""
    feminine: float
    """0 to 1: proportions of body and face."""
    garments: tuple[Garment, ...]
    face: int
    """Seed of the face's proportions: the same number is the same face."""


@dataclass(frozen=True)
class SurfaceLook:
    """A wall, floor or ceiling: a pattern of the renderer in a colour."""

    pattern: str
    colour: Colour


@dataclass(frozen=True)
class LightLook:
    """The light of a place."""

    brightness: Literal["dark", "dim", "even", "bright"] = "even"
    tone: Literal["cool", "neutral", "warm"] = "neutral"
    source: Literal["window", "lamp", "sun", "overcast", "fire", "skylight", "moon"] = "window"


@dataclass(frozen=True)
class PlaceLook:
    """How a place looks apart from what people bring into it."""

    outdoor: bool
    walls: SurfaceLook
    """Outdoors: the building or fence behind."""
    floor: SurfaceLook
    ceiling: SurfaceLook
    width: float
    depth: float
    height: float
    light: LightLook
    fittings: tuple[str, ...]
    """Kinds of fixed equipment, of `places.FITTINGS`."""
    skyline: str = "hills"
    seed: int = 0
    """Varies layout and small things: fifty workshops look like fifty places."""
