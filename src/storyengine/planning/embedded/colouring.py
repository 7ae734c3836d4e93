"""Colours for things that the brief leaves without one, as far apart as a story allows.

A look that nobody settled would be invented anew by every picture. What has a colour of its own (bread, sand, a
herring), is made of something that has one (oak, brass), is part of something else or furniture is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storyengine.language.reading import words as w
from storyengine.plan import Entity

WHEEL = ("red", "orange", "yellow", "green", "turquoise", "blue", "purple", "pink")
"""Colours in the order of the rainbow: neighbours are alike."""
FIRST = ("blue", "red", "yellow", "green", "orange", "purple", "turquoise", "pink")
"""Which is taken where several would do."""
_SHADES = {
    "crimson": "red", "scarlet": "red", "maroon": "red", "cherry": "red", "rust": "orange", "amber": "orange",
    "peach": "orange", "ginger": "orange", "copper": "orange", "gold": "yellow", "golden": "yellow", "ochre": "yellow",
    "mustard": "yellow", "brass": "yellow", "olive": "green", "emerald": "green", "mint": "green", "teal": "turquoise",
    "navy": "blue", "indigo": "blue", "sky": "blue", "violet": "purple", "lilac": "purple", "lavender": "purple",
    "plum": "purple", "magenta": "pink", "rose": "pink",
}  # fmt: skip
_ALIKE = (1.0, 0.3)
"""What a thing of the same colour, and one of a neighbouring colour, counts against it."""
_SAME_SHAPE, _WORN = 4.0, 0.5
"""How much more that counts for things of one shape, and less for clothes."""
_FURNITURE = w.words(
    "table desk bench workbench shelf shelves cupboard cabinet wardrobe dresser sideboard chair stool bed counter "
    "bookcase bookshelf door gate trestle"
)
"""What is left as wood is, so that a room stays calm and what is handled stands out."""
_NATURAL = (
    w.LIQUIDS
    | w.ANIMALS
    | w.MATERIALS
    | w.FRAGMENTS
    | w.words(
        "bread loaf loaves dough roll bun cake pie pastry biscuit cheese butter egg meat ham sausage bacon fish "
        "herring salmon trout eel mackerel crab lobster apple pear plum lemon orange cherry berry grape fruit nut "
        "potato carrot onion cabbage turnip beet tomato pumpkin mushroom herb leaf leaves flower rose tulip bouquet "
        "plant seedling sapling scion twig branch bark log stump root moss weed reed tree bush vine ivy petal garland "
        "wreath stone pebble rock boulder shell mud earth dirt dust ash ashes soot smoke steam fire flame ember spark "
        "light snow ice frost puddle foam fog cloud moon sun malt grist mash rye barley spelt bran meal starter yeast "
        "crumb shaving sawdust chip cullet oakum cutch tar pitch glue resin gum mortar cement putty grease lard "
        "tallow feather bone hide skin blood bandage honeycomb wound cut hole gap sump wall floor ceiling roof window "
        "doorway mirror pane letter note page paper stamp coin plank board heap pile load "
        "nail hook peg pin screw rivet bolt anvil chain sink bath stove oven kiln furnace forge"
    )
)
"""What has a colour of its own."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A colour of the story, the shape that has it (none for clothes), and what it counts."""

    colour: str
    shape: str
    counts: float


def coloured(entities: Sequence[Entity]) -> tuple[tuple[Entity, ...], tuple[tuple[str, str], ...]]:
    """The entities, those without a colour given one; and which got which, by name."""
    seen = [one for entity in entities for one in _colours(entity)]
    made, chosen = [], []
    for entity in entities:
        if is_open(entity):
            colour = _farthest(_shape(entity), seen)
            seen.append(_Seen(colour, _shape(entity), 1.0))
            chosen.append((entity.name, colour))
            entity = entity.model_copy(update={"look": with_colour(entity, colour)})
        made.append(entity)
    return tuple(made), tuple(chosen)


def is_open(entity: Entity) -> bool:
    """Whether the words leave a thing's colour open; `beechwood` and `bleached` do not."""
    spoken = _spoken(entity)
    said = any(
        w.is_colour(word) or w.MATERIALS.intersection(word.split("-")) or word.endswith(("wood", "bleached"))
        for word in spoken
    )
    heads = {phrase.split()[-1] for phrase in entity.name.lower().split(" of ")}
    natural = (_NATURAL | _FURNITURE) & {form for head in heads for form in (head, w.singular(head))}
    of = " of " in entity.look  # part of something, or made of it
    return entity.kind == "prop" and not said and not of and not natural


def with_colour(entity: Entity, colour: str) -> str:
    """Its look with a colour: `a deep drawer` is a red deep drawer."""
    look = entity.look or entity.name
    bare = re.sub(r"^(?:an?|the)\s+", "", look, flags=re.IGNORECASE)
    article = "" if entity.plural else "an " if colour[0] in "aeiou" else "a "
    return f"{article}{colour} {bare}"


def _farthest(shape: str, seen: Iterable[_Seen]) -> str:
    def against(colour: str) -> float:
        return sum(
            _ALIKE[apart] * one.counts * (_SAME_SHAPE if one.shape == shape else 1.0)
            for one in seen
            if (apart := _apart(colour, one.colour)) < len(_ALIKE)
        )

    seen = tuple(seen)
    return min(FIRST, key=against)


def _apart(one: str, other: str) -> int:
    steps = abs(WHEEL.index(one) - WHEEL.index(other))
    return min(steps, len(WHEEL) - steps)


def _colours(entity: Entity) -> list[_Seen]:
    words = [part for word in _spoken(entity) for part in word.split("-")]
    found = {_SHADES.get(word, word) for word in words} & set(WHEEL)
    shape, counts = (_shape(entity), 1.0) if entity.kind == "prop" else ("", _WORN)
    return [_Seen(colour, shape, counts) for colour in sorted(found)]


def _shape(entity: Entity) -> str:
    return w.singular(entity.name.lower().split()[-1])


def _spoken(entity: Entity) -> list[str]:
    return re.findall(r"[\w'-]+", f"{entity.name} {entity.look}".lower())
