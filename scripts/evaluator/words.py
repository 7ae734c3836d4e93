"""Made-up people, things and places for teaching the evaluator: nothing of the benchmark or the grade is among them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from storyengine.language.captions import read_caption, slug
from storyengine.plan import Attribute, Entity, Environment
from storyengine.previz import props
from storyengine.previz.appearance import prop_look
from storyengine.previz.appearance.nouns import NOUNS


def listed(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


COLOURS = listed(
    "red, navy, green, mustard, grey, white, black, brown, teal, orange, purple, cream, khaki, maroon, pink, olive, "
    "charcoal, rust, tan, lilac, yellow, blue, turquoise, crimson, beige, silver, scarlet, ochre, violet, emerald, "
    "indigo, ivory, amber, sky blue, bottle green, dark green, pale blue, bright red, dark blue, pale green, light grey"
)
MATERIALS = listed(
    "wooden, steel, brass, oak, iron, canvas, leather, copper, tin, clay, wicker, painted, glass, cloth, pine, zinc, "
    "enamel, beech, granite, pewter, walnut"
)
SIZES = ("", "", "", "small ", "large ", "tall ", "squat ", "long ")
PAIRS: dict[str, tuple[tuple[str, ...], ...]] = {
    "open": (("shut", "open"), ("closed", "standing open"), ("closed", "thrown back"), ("shut", "half open", "open")),
    "raised": (("lowered", "raised"), ("let down", "hoisted"), ("lowered", "half raised", "raised")),
    "fill": (
        ("empty", "full"), ("dry", "full of water"), ("empty", "heaped with apples"), ("empty", "brimming with milk"),
        ("empty", "full of coal"), ("empty", "half full", "full"), ("empty", "full of grain"),
    ),
    "lit": (("unlit", "lit"), ("out", "burning"), ("off", "on"), ("dark", "glowing")),
    "broken": (("whole", "broken"), ("intact", "cracked"), ("mended", "smashed")),
    "dirty": (("clean", "dirty"), ("spotless", "muddy"), ("polished", "stained")),
    "wet": (("dry", "wet"), ("dry", "soaked")),
    "wound": (("unwound", "wound"), ("uncoiled", "coiled")),
    "loaded": (("bare", "loaded"), ("unloaded", "laden")),
    "covered": (("uncovered", "covered"), ("bare", "covered with a cloth")),
    "turned": (("straight", "turned"), ("upright", "thrown over")),
    "fastened": (("loose", "fastened"), ("unlocked", "locked")),
    "tipped": (("upright", "tipped over"), ("standing", "fallen")),
    "spread": (("folded", "spread"), ("rolled up", "spread out")),
    "running": (("still", "running"), ("stopped", "spinning")),
    "across": (("in line", "across"),),
    "hung": (("taken down", "hung"),),
    "pierced": (("unpierced", "pierced"),),
}  # fmt: skip
PARTS = ("state", "condition", "lid", "fill", "flame", "front", "side", "cover")

HAIR = (
    "short black hair", "long brown hair", "ginger hair", "grey hair in a bun", "blond plaits", "a bald head",
    "curly dark hair", "a black braid", "white hair", "cropped brown hair", "brown hair tied back", "a blond bob",
    "a full black beard", "a grey moustache", "an afro", "long red hair", "cropped grey hair", "two brown plaits",
)  # fmt: skip
UPPER = (
    "shirt", "jumper", "cardigan", "waistcoat", "jacket", "coat", "raincoat", "overall", "boiler suit", "smock",
    "apron", "tabard", "dress", "dungarees", "uniform", "blouse", "t-shirt", "striped jumper", "checked shirt",
    "oilskin",
)  # fmt: skip
LOWER = ("trousers", "skirt", "shorts", "trousers", "long skirt")
MORE = (
    "cap", "flat cap", "head-cloth", "hard hat", "wide hat", "woolly hat", "headscarf", "scarf", "boots", "gloves",
    "apron", "neckerchief", "spectacles", "", "", "", "", "",
)  # fmt: skip
WHO = (
    "young man", "young woman", "tall man", "tall woman", "broad man", "old man", "old woman", "small woman", "boy",
    "girl", "middle-aged man", "middle-aged woman", "stout man", "thin woman", "girl of ten", "woman in her thirties",
)  # fmt: skip
SKIN = ("", "", "", ", dark-skinned", ", brown-skinned", ", olive-skinned", ", pale")

WALLS = (
    "whitewashed stone walls", "red brick walls", "plank walls painted {c}", "{c} plaster walls", "{c} tiled walls",
    "concrete walls", "panelled oak walls", "rough stone walls", "{c} painted walls", "corrugated iron walls",
    "{c} wallpaper", "{c} boards", "glazed {c} tiles", "log walls",
)  # fmt: skip
FLOORS = (
    "a flagstone floor", "oak floorboards", "a concrete floor", "a {c} tiled floor", "an earth floor", "checked tiles",
    "worn planks", "a brick floor", "cobbles", "parquet", "a slate floor", "a {c} carpet",
)  # fmt: skip
CEILINGS = ("", "", ", a low white ceiling", ", a beamed ceiling", ", a vaulted ceiling", ", steel beams overhead")
TONES = listed("pale green, cream, grey, pale blue, white, ochre, sage, brown, dark red, buff, teal, pink, mint, sand")
FITTINGS = (
    "shelves", "a workbench", "racks of tools", "pipes", "a stove", "barrels", "sacks", "crates", "hanging lamps",
    "a row of lockers", "a sink", "bookshelves", "a counter", "a blackboard", "pegs", "a ladder", "a furnace",
    "columns", "a desk", "baskets", "vats", "a clock on the wall", "pictures", "a rug", "plants", "a cupboard", "nets",
)  # fmt: skip
MARKS = (
    "stove", "sink", "workbench", "counter", "ladder", "clock", "blackboard", "cupboard", "bookcase", "furnace",
    "desk", "row of lockers", "barrels", "stairs", "oven", "mirror", "bench", "window", "table", "tool rack", "well",
    "lamp", "press", "loom", "boiler", "fireplace", "column", "crates", "chest", "switchboard", "bed", "pump", "shelf",
)  # fmt: skip
ROOMS = listed(
    "workshop, storeroom, kitchen, classroom, laboratory, mill, office, library, laundry, dairy, cellar, garage, hall, "
    "bakery, forge, studio, cabin, shed, warehouse, chapel, kiosk, depot, attic, parlour"
)
OUTSIDE = (
    "a yard with a fence and a shed", "a quay with posts and a boat", "a market square with stalls",
    "a garden with trees and a hedge", "a farmyard with a haystack", "a railway siding with a brick wall",
    "a gravelled courtyard between ochre walls", "a meadow behind a wire fence, a few birches",
)  # fmt: skip
ZONES = (
    "by the wall", "in the middle", "at the bench", "by the door", "near the far corner", "under the lamp",
    "beside the shelf", "at the front", "by the post", "on the left side",
)  # fmt: skip


def things(dice: Random) -> list[Entity]:
    """Enough for a cast: what can be put on and into, small things to carry, and some of any kind."""
    surfaces = _where(dice, 2, lambda e, size: "surface" in e.roles and size < 2.5)
    containers = _where(dice, 2, lambda e, size: "container" in e.roles and 0.35 < size < 1.6)
    small = _where(dice, 7, lambda e, size: size < 0.6 and "fixed" not in e.roles)
    return [*surfaces, *containers, *small, *_where(dice, 5, lambda e, size: size < 2.6)]


def _where(dice: Random, count: int, fits: Callable[[Entity, float], bool]) -> list[Entity]:
    found: list[Entity] = []
    while len(found) < count:
        entity = thing(dice)
        if fits(entity, max(props.build(prop_look(entity.name, entity.look)).size)):
            found.append(entity)
    return found


def thing(dice: Random) -> Entity:
    """A thing of any kind that the studio knows, in made-up colours, mostly with a state or two."""
    noun = dice.choice(sorted(NOUNS))
    colour, material = dice.choice(COLOURS), dice.choice(MATERIALS)
    name = f"{dice.choice((colour, material, 'old', 'spare', 'new', 'second'))} {noun}"
    told = dice.choice(
        (
            f"a {dice.choice(SIZES)}{colour} {material} {noun}",
            f"a {material} {noun} with {colour} trim",
            f"a {dice.choice(SIZES)}{colour} {noun}",
            f"a {material} {noun} painted {colour}, with a {dice.choice(COLOURS)} handle",
            f"a {dice.choice(('striped', 'checked', 'dotted', 'plain'))} {colour} {noun}",
        )
    )
    look = prop_look(name, told)
    attributes, conceals = _attributes(look.family, dice)
    model = props.build(look)
    roles = []
    if model.rests:
        roles.append("surface")
    if model.inside is not None and dice.random() < 0.8:
        roles.append("container")
    if look.family in ("rack", "hook", "pole") and dice.random() < 0.5:
        roles.append("mount")
    if model.carry == "push":
        roles.append("wheeled")
    elif model.carry == "fixed" or (max(model.size) > 1.0 and dice.random() < 0.4):
        roles.append("fixed")
    hides = conceals if "container" in roles else ()
    made = tuple(
        Attribute(name=part, values=values, conceals=tuple(v for v in values if v in hides))
        for part, values in attributes
    )
    return Entity(id=slug(name), name=name, kind="prop", look=told, roles=tuple(roles), attributes=made)


def _attributes(family: str, dice: Random) -> tuple[list[tuple[str, tuple[str, ...]]], tuple[str, ...]]:
    own = [axis for axis in props.FAMILIES[family].axes if axis in PAIRS]
    axes: list[str] = []
    if own and dice.random() < 0.85:
        axes.append(dice.choice(own))
    if dice.random() < 0.12:
        axes.append(dice.choice([*own, *PAIRS]))
    found = []
    hides: tuple[str, ...] = ()
    for part, axis in zip(dice.sample(PARTS, 2), dict.fromkeys(axes), strict=False):
        values = dice.choice(PAIRS[axis])
        found.append((part, values))
        if axis == "open":
            hides = values[:1]
    return found, hides


def person(dice: Random, number: int) -> Entity:
    more = dice.choice(MORE)
    look = (
        f"a {dice.choice(WHO)} with {dice.choice(HAIR)}, in a {dice.choice(COLOURS)} {dice.choice(UPPER)} and "
        f"{dice.choice(COLOURS)} {dice.choice(LOWER)}"
        + (f" and a {dice.choice(COLOURS)} {more}" if more else "")
        + dice.choice(SKIN)
    )
    name = dice.choice("BDFGKLMNPRSTVZ") + dice.choice("aeiou") + dice.choice("lmnrst") + dice.choice("aeio")
    name += chr(ord("a") + number % 26)
    return Entity(id=slug(name), name=name, kind="character", look=look)


def place(dice: Random) -> Environment:
    zones = " | ".join(dice.sample(ZONES, dice.randint(2, 3)))
    marks = [
        f"{dice.choice((dice.choice(COLOURS), dice.choice(MATERIALS)))} {mark}"
        for mark in (*dice.sample(MARKS, dice.randint(2, 4)), *dice.sample(sorted(NOUNS), dice.choice((0, 0, 1))))
    ]
    light = (
        f"{dice.choice(('dim', 'even', 'bright', 'even', 'bright'))} {dice.choice(('cool', 'neutral', 'warm'))} light"
    )
    if dice.random() < 0.15:
        name, look = "yard", dice.choice(OUTSIDE)
    else:
        name = dice.choice(ROOMS)
        told = [
            dice.choice(WALLS),
            dice.choice(FLOORS) + dice.choice(CEILINGS),
            *dice.sample(FITTINGS, dice.randint(1, 3)),
        ]
        look = ", ".join(part.replace("{c}", dice.choice(TONES)) for part in told)
    found = read_caption(f"the {name} (place; {zones}; with {', '.join(marks)}; {light}): {look}")
    assert isinstance(found, Environment)
    return found
