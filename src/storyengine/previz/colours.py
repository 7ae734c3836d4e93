"""Colour words and what colour they are, and the palette for what the words leave open."""

from __future__ import annotations

import re

from storyengine.previz.looks import Colour, Pattern, Surface
from storyengine.runs.digest import digest

# Matte, slightly restrained colours: a word means the same everywhere in the studio.
COLOURS: dict[str, Colour] = {
    "white": (0.93, 0.93, 0.91),
    "black": (0.13, 0.13, 0.14),
    "grey": (0.55, 0.56, 0.57),
    "gray": (0.55, 0.56, 0.57),
    "silver": (0.72, 0.73, 0.75),
    "charcoal": (0.24, 0.25, 0.27),
    "slate": (0.36, 0.41, 0.46),
    "ash-grey": (0.66, 0.66, 0.64),
    "red": (0.78, 0.16, 0.14),
    "scarlet": (0.86, 0.15, 0.10),
    "crimson": (0.66, 0.08, 0.16),
    "maroon": (0.42, 0.10, 0.13),
    "burgundy": (0.43, 0.09, 0.17),
    "wine": (0.45, 0.10, 0.20),
    "ruby": (0.64, 0.07, 0.18),
    "cherry": (0.72, 0.10, 0.18),
    "brick": (0.66, 0.32, 0.24),
    "rust": (0.62, 0.29, 0.14),
    "russet": (0.56, 0.29, 0.17),
    "vermilion": (0.87, 0.26, 0.14),
    "pink": (0.90, 0.60, 0.66),
    "rose": (0.83, 0.47, 0.53),
    "coral": (0.91, 0.47, 0.40),
    "salmon": (0.92, 0.58, 0.48),
    "orange": (0.91, 0.48, 0.12),
    "amber": (0.91, 0.62, 0.14),
    "apricot": (0.93, 0.68, 0.45),
    "peach": (0.94, 0.72, 0.57),
    "ginger": (0.76, 0.42, 0.18),
    "copper": (0.73, 0.43, 0.29),
    "bronze": (0.55, 0.41, 0.24),
    "brass": (0.80, 0.64, 0.30),
    "gold": (0.84, 0.66, 0.24),
    "golden": (0.84, 0.66, 0.24),
    "yellow": (0.93, 0.78, 0.16),
    "canary": (0.97, 0.86, 0.22),
    "lemon": (0.95, 0.88, 0.35),
    "mustard": (0.77, 0.60, 0.16),
    "straw": (0.86, 0.76, 0.48),
    "ochre": (0.75, 0.55, 0.23),
    "honey": (0.82, 0.60, 0.28),
    "cream": (0.94, 0.90, 0.78),
    "ivory": (0.94, 0.92, 0.84),
    "oatmeal": (0.84, 0.78, 0.66),
    "beige": (0.83, 0.76, 0.63),
    "buff": (0.82, 0.70, 0.50),
    "tan": (0.73, 0.57, 0.39),
    "fawn": (0.76, 0.63, 0.47),
    "khaki": (0.63, 0.58, 0.40),
    "brown": (0.45, 0.30, 0.19),
    "chestnut": (0.48, 0.27, 0.17),
    "chocolate": (0.33, 0.21, 0.15),
    "umber": (0.38, 0.28, 0.20),
    "walnut": (0.40, 0.28, 0.20),
    "mahogany": (0.42, 0.20, 0.14),
    "tobacco": (0.46, 0.33, 0.20),
    "green": (0.22, 0.50, 0.28),
    "olive": (0.44, 0.45, 0.22),
    "sage": (0.58, 0.65, 0.52),
    "moss": (0.40, 0.47, 0.24),
    "emerald": (0.08, 0.52, 0.34),
    "lime": (0.60, 0.76, 0.22),
    "mint": (0.66, 0.84, 0.72),
    "jade": (0.22, 0.56, 0.44),
    "bottle": (0.09, 0.30, 0.20),
    "bottle-green": (0.09, 0.30, 0.20),
    "forest": (0.13, 0.33, 0.20),
    "leaf": (0.34, 0.58, 0.22),
    "grass": (0.34, 0.58, 0.22),
    "pea": (0.52, 0.62, 0.26),
    "blue": (0.17, 0.37, 0.67),
    "navy": (0.11, 0.17, 0.33),
    "cobalt": (0.12, 0.28, 0.66),
    "sky": (0.53, 0.73, 0.88),
    "azure": (0.28, 0.58, 0.85),
    "indigo": (0.22, 0.20, 0.46),
    "teal": (0.10, 0.46, 0.48),
    "turquoise": (0.18, 0.66, 0.66),
    "aqua": (0.35, 0.74, 0.76),
    "cyan": (0.20, 0.68, 0.80),
    "denim": (0.28, 0.38, 0.53),
    "powder": (0.68, 0.78, 0.88),
    "royal": (0.16, 0.26, 0.66),
    "petrol": (0.08, 0.34, 0.42),
    "purple": (0.45, 0.22, 0.52),
    "violet": (0.48, 0.30, 0.66),
    "lilac": (0.74, 0.62, 0.82),
    "lavender": (0.70, 0.64, 0.84),
    "plum": (0.40, 0.17, 0.34),
    "mauve": (0.66, 0.52, 0.66),
    "magenta": (0.75, 0.17, 0.50),
    "aubergine": (0.28, 0.12, 0.27),
    "post-box": (0.80, 0.10, 0.10),
    "signal": (0.92, 0.42, 0.08),
    "red-lead": (0.68, 0.27, 0.17),
    "blue-black": (0.15, 0.18, 0.24),
    "copper-red": (0.66, 0.32, 0.18),
    "snow-white": (0.96, 0.96, 0.96),
    "jet": (0.10, 0.10, 0.11),
    "pale": (0.86, 0.82, 0.72),
    "dark": (0.24, 0.23, 0.22),
    "whitewashed": (0.92, 0.92, 0.89),
    "limewashed": (0.92, 0.91, 0.87),
    "lime-washed": (0.92, 0.91, 0.87),
    "tarred": (0.15, 0.14, 0.13),
    "sooty": (0.25, 0.23, 0.22),
    "sooted": (0.25, 0.23, 0.22),
    "soot-blackened": (0.18, 0.17, 0.16),
    "blackened": (0.18, 0.17, 0.16),
    "bleached": (0.88, 0.84, 0.75),
    "rusty": (0.55, 0.30, 0.18),
    "rust-red": (0.60, 0.25, 0.16),
    "mud-brown": (0.40, 0.30, 0.20),
    "multicoloured": (0.70, 0.45, 0.45),
}
_VAGUE = frozenset(
    {
        "pale",
        "dark",
        "bottle",
        "lime",
        "signal",
        "royal",
        "powder",
        "grass",
        "leaf",
        "pea",
        "sky",
        "forest",
        "wine",
        "straw",
        "jet",
        "slate",
        "brick",
        "honey",
        "walnut",
        "mahogany",
        "chestnut",
        "lemon",
        "cherry",
        "peach",
        "salmon",
        "olive",
        "mint",
        "tobacco",
        "copper",
        "brass",
        "bronze",
        "rust",
        "petrol",
        "cream",
        "silver",
        "amber",
        "ginger",
    }
)
"""Words that are colours only beside a colour ("bottle green", "dark blue") or as materials."""

MATERIALS: dict[str, tuple[Surface, Colour]] = {
    "wooden": ("wood", (0.66, 0.50, 0.33)),
    "wood": ("wood", (0.66, 0.50, 0.33)),
    "timber": ("wood", (0.60, 0.46, 0.32)),
    "oak": ("wood", (0.68, 0.52, 0.34)),
    "pine": ("wood", (0.80, 0.65, 0.43)),
    "elm": ("wood", (0.60, 0.46, 0.30)),
    "ash": ("wood", (0.82, 0.71, 0.53)),
    "beech": ("wood", (0.80, 0.62, 0.44)),
    "beechwood": ("wood", (0.80, 0.62, 0.44)),
    "boxwood": ("wood", (0.86, 0.74, 0.44)),
    "bentwood": ("wood", (0.50, 0.34, 0.22)),
    "walnut": ("wood", (0.40, 0.28, 0.20)),
    "mahogany": ("wood", (0.42, 0.20, 0.14)),
    "chestnut": ("wood", (0.62, 0.44, 0.30)),
    "plywood": ("wood", (0.80, 0.68, 0.48)),
    "plank": ("wood", (0.62, 0.48, 0.34)),
    "bamboo": ("wood", (0.80, 0.70, 0.44)),
    "cork": ("wood", (0.72, 0.54, 0.36)),
    "steel": ("steel", (0.68, 0.70, 0.72)),
    "tin": ("steel", (0.76, 0.78, 0.79)),
    "zinc": ("steel", (0.62, 0.65, 0.67)),
    "galvanised": ("steel", (0.66, 0.69, 0.70)),
    "galvanized": ("steel", (0.66, 0.69, 0.70)),
    "metal": ("steel", (0.62, 0.64, 0.66)),
    "aluminium": ("steel", (0.78, 0.79, 0.80)),
    "pewter": ("steel", (0.56, 0.57, 0.58)),
    "silver": ("steel", (0.80, 0.81, 0.82)),
    "chrome": ("steel", (0.82, 0.84, 0.86)),
    "nickel": ("steel", (0.74, 0.74, 0.72)),
    "lead": ("steel", (0.42, 0.44, 0.47)),
    "iron": ("iron", (0.25, 0.26, 0.28)),
    "cast-iron": ("iron", (0.25, 0.26, 0.28)),
    "wrought": ("iron", (0.22, 0.22, 0.24)),
    "wire": ("iron", (0.45, 0.46, 0.48)),
    "brass": ("brass", (0.80, 0.64, 0.30)),
    "bronze": ("brass", (0.55, 0.41, 0.24)),
    "gilt": ("brass", (0.86, 0.70, 0.32)),
    "gold": ("brass", (0.86, 0.68, 0.26)),
    "copper": ("copper", (0.74, 0.44, 0.30)),
    "stone": ("stone", (0.62, 0.60, 0.56)),
    "granite": ("stone", (0.56, 0.56, 0.56)),
    "marble": ("stone", (0.88, 0.87, 0.85)),
    "slate": ("stone", (0.36, 0.41, 0.46)),
    "concrete": ("stone", (0.64, 0.64, 0.62)),
    "brick": ("stone", (0.64, 0.36, 0.28)),
    "flint": ("stone", (0.48, 0.49, 0.50)),
    "clay": ("clay", (0.70, 0.46, 0.33)),
    "terracotta": ("clay", (0.74, 0.42, 0.28)),
    "earthenware": ("clay", (0.66, 0.44, 0.30)),
    "stoneware": ("clay", (0.68, 0.62, 0.54)),
    "china": ("clay", (0.94, 0.94, 0.93)),
    "porcelain": ("clay", (0.95, 0.95, 0.94)),
    "ceramic": ("clay", (0.88, 0.85, 0.80)),
    "enamel": ("painted", (0.92, 0.92, 0.90)),
    "glass": ("glass", (0.70, 0.84, 0.82)),
    "plastic": ("painted", (0.62, 0.66, 0.70)),
    "rubber": ("rubber", (0.18, 0.18, 0.19)),
    "cotton": ("cloth", (0.92, 0.91, 0.87)),
    "linen": ("cloth", (0.87, 0.83, 0.73)),
    "cloth": ("cloth", (0.74, 0.70, 0.62)),
    "silk": ("cloth", (0.86, 0.80, 0.72)),
    "felt": ("wool", (0.42, 0.50, 0.42)),
    "velvet": ("cloth", (0.42, 0.14, 0.22)),
    "wool": ("wool", (0.84, 0.80, 0.72)),
    "woollen": ("wool", (0.84, 0.80, 0.72)),
    "knitted": ("wool", (0.74, 0.66, 0.56)),
    "canvas": ("canvas", (0.78, 0.70, 0.54)),
    "hessian": ("canvas", (0.70, 0.56, 0.37)),
    "sackcloth": ("canvas", (0.68, 0.55, 0.38)),
    "burlap": ("canvas", (0.68, 0.55, 0.38)),
    "sailcloth": ("canvas", (0.90, 0.87, 0.78)),
    "tarpaulin": ("canvas", (0.30, 0.36, 0.30)),
    "leather": ("leather", (0.50, 0.32, 0.20)),
    "hide": ("leather", (0.54, 0.37, 0.23)),
    "suede": ("leather", (0.62, 0.46, 0.32)),
    "paper": ("paper", (0.94, 0.92, 0.86)),
    "card": ("paper", (0.82, 0.72, 0.54)),
    "cardboard": ("paper", (0.74, 0.60, 0.42)),
    "parchment": ("paper", (0.90, 0.82, 0.62)),
    "wicker": ("wicker", (0.72, 0.54, 0.33)),
    "willow": ("wicker", (0.72, 0.55, 0.34)),
    "rattan": ("wicker", (0.78, 0.60, 0.38)),
    "straw": ("wicker", (0.86, 0.74, 0.44)),
    "hemp": ("rope", (0.80, 0.70, 0.50)),
    "rope": ("rope", (0.78, 0.66, 0.44)),
    "manila": ("rope", (0.80, 0.66, 0.40)),
    "bone": ("plain", (0.93, 0.90, 0.80)),
    "ivory": ("plain", (0.94, 0.91, 0.82)),
    "wax": ("plain", (0.94, 0.88, 0.70)),
    "bristle": ("plain", (0.40, 0.32, 0.22)),
}

PATTERN_WORDS: dict[str, Pattern] = {
    "checked": "checked",
    "check": "checked",
    "chequered": "checked",
    "tartan": "checked",
    "plaid": "checked",
    "gingham": "checked",
    "striped": "striped",
    "stripes": "striped",
    "stripy": "striped",
    "spotted": "dotted",
    "dotted": "dotted",
    "polka": "dotted",
    "speckled": "dotted",
}
"""Words for patterns in two colours."""

PALETTE: tuple[Colour, ...] = (
    (0.80, 0.26, 0.20),
    (0.18, 0.42, 0.62),
    (0.88, 0.66, 0.20),
    (0.25, 0.50, 0.36),
    (0.46, 0.30, 0.54),
    (0.85, 0.46, 0.18),
    (0.12, 0.50, 0.53),
    (0.70, 0.32, 0.42),
    (0.49, 0.53, 0.24),
    (0.20, 0.24, 0.42),
    (0.78, 0.70, 0.54),
    (0.42, 0.28, 0.20),
)
"""Colours for what text leaves open: as far apart as matte storyboard colours go."""

_SHADES: dict[str, tuple[float, float]] = {
    "dark": (0.62, 0.0),
    "deep": (0.72, 0.0),
    "pale": (1.0, 0.50),
    "light": (1.0, 0.42),
    "bright": (1.04, 0.0),
    "dull": (0.88, 0.12),
    "faded": (0.96, 0.28),
    "soft": (1.0, 0.18),
    "rich": (0.90, 0.0),
    "vivid": (1.05, 0.0),
    "dusty": (0.92, 0.24),
    "smoky": (0.72, 0.14),
    "dirty": (0.78, 0.10),
    "mid": (1.0, 0.0),
    "washed-out": (1.0, 0.36),
}


def shaded(colour: Colour, word: str) -> Colour:
    """The colour as an adjective changes it ("dark", "pale"); the same colour for any other word."""
    factor, lift = _SHADES.get(word, (1.0, 0.0))
    scaled = [min(c * factor, 1.0) for c in colour]
    return (
        scaled[0] + (0.95 - scaled[0]) * lift,
        scaled[1] + (0.95 - scaled[1]) * lift,
        scaled[2] + (0.95 - scaled[2]) * lift,
    )


def tokens(text: str) -> list[str]:
    """Lower-case words with their hyphens, and commas; "post-box" stays one word."""
    return re.findall(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|[,;.:]|\d+", text.lower())


def colour_at(words: list[str], i: int) -> tuple[Colour, int] | None:
    """The colour that starts at word `i` and how many words it takes: "dark bottle green" takes three."""
    if words[i] in _SHADES and i + 1 < len(words):
        following = colour_at(words, i + 1)
        if following is not None:
            return shaded(following[0], words[i]), following[1] + 1
    colour = _one_word(words[i])
    if colour is None:
        return None
    if i + 1 < len(words) and words[i] in (_VAGUE | {"post-box", "post", "pillar-box"}):
        following = colour_at(words, i + 1)
        if following is not None:
            return (colour if words[i] not in ("pale", "dark") else following[0]), following[1] + 1
    return (
        (colour, 1)
        if words[i]
        not in (
            "pale",
            "dark",
            "bottle",
            "lime",
            "signal",
            "royal",
            "grass",
            "leaf",
            "sky",
            "forest",
            "powder",
            "pea",
            "brick",
            "slate",
            "wine",
            "jet",
        )
        else None
    )


def _one_word(word: str) -> Colour | None:
    if word in COLOURS:
        return COLOURS[word]
    for stem in (word[:-3], word[:-4]):  # bluish, reddish
        if word.endswith("ish") and stem in COLOURS:
            return COLOURS[stem]
    if "-" in word and "-and-" not in word:
        first, last = word.split("-", 1)[0], word.rsplit("-", 1)[1]
        if last in COLOURS and last not in ("pale", "dark"):
            base = COLOURS[last]
            if first in _SHADES:
                return shaded(base, first)
            return COLOURS.get(first, base)
        if last in ("coloured", "colored") and first in COLOURS:
            return COLOURS[first]
    return None


def first_colour(text: str) -> Colour | None:
    """The first colour the text names."""
    words = tokens(text)
    for i in range(len(words)):
        found = colour_at(words, i)
        if found is not None:
            return found[0]
    return None


def choice(words: str, count: int, purpose: str) -> int:
    """A number below `count` that follows from the words: the same words choose the same."""
    return int(digest("AppearanceChoice", [purpose, " ".join(words.lower().split())])[:8], 16) % count


def palette_colour(words: str, apart_from: Colour | None = None) -> Colour:
    """A colour for what the words leave open; far from `apart_from` where one is given."""
    if apart_from is None:
        return PALETTE[choice(words, len(PALETTE), "colour")]
    far = sorted(PALETTE, key=lambda c: -sum((a - b) ** 2 for a, b in zip(c, apart_from, strict=True)))
    return far[choice(words, 4, "second colour")]


PART_NOUNS = frozenset(
    """handle shaft grip haft lid rim wheel tyre hoop spout stripe cord edge end knob door pointer band leg
    castor strap trim hub blade lining cap corner button buckle crossbar rail rung foot feet lens pan
    weight plate shade base hand needle chain hinge bolt rivet bar string ribbon label bow tassel sally
    arm neck cork stopper tray spoke hook pole fringe border collar cover dial face""".split()  # noqa: SIM905
)
"""Parts of things: the colour of one of these is the accent, unless the thing itself is called so."""
