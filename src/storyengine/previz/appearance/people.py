"""People: hair, skin, build, age and garments by their words; the rest follows from the name."""

from __future__ import annotations

import re
from functools import lru_cache

from storyengine.previz.colours import MATERIALS, PATTERN_WORDS, choice, colour_at, palette_colour, tokens
from storyengine.previz.looks import Age, Beard, Build, Colour, Garment, GarmentKind, HairStyle, Pattern, PersonLook
from storyengine.runs.digest import digest

LONGEST = 4000

_WOMAN = re.compile(
    r"\b(?:wom[ae]n|girl|lady|she|her|hers|female|mother|sister|daughter|aunt|grandmother|waitress|actress|"
    r"wife|widow|queen|nun|midwife|bride|mum|granny)\b"
)
_MAN = re.compile(
    r"\b(?:m[ae]n|boy|he|his|him|male|father|brother|son|uncle|grandfather|lad|gentleman|husband|king|monk|"
    r"bloke|fellow|dad|whiskers|beard|bearded|moustache|moustached)\b"
)

_SKINS: dict[str, Colour] = {
    "fair": (0.93, 0.78, 0.68),
    "pale": (0.94, 0.81, 0.73),
    "ruddy": (0.86, 0.62, 0.52),
    "light": (0.90, 0.73, 0.61),
    "olive": (0.78, 0.60, 0.45),
    "tan": (0.74, 0.55, 0.40),
    "brown": (0.56, 0.38, 0.27),
    "dark": (0.40, 0.27, 0.19),
    "deep": (0.30, 0.20, 0.15),
}
_SKIN_WORDS: tuple[tuple[str, str], ...] = (
    (r"\b(?:dark|deep)[- ](?:brown )?skin(?:ned)?\b", "dark"),
    (r"\bbrown[- ]skin(?:ned)?\b", "brown"),
    (r"\b(?:a |tall |young |old )?black (?:wom[ae]n|m[ae]n|girl|boy|person)\b", "dark"),
    (r"\bdreadlocks\b|\bafro\b", "dark"),
    (r"\bolive[- ]skin(?:ned)?\b", "olive"),
    (r"\b(?:tanned|sunburnt|weathered|sun-browned)\b", "tan"),
    (r"\b(?:pale|fair|light)[- ](?:skin(?:ned)?|complexion|faced)\b", "fair"),
    (r"\bfreckle[ds]?\b", "fair"),
    (r"\b(?:ginger|red|copper|copper-red)\b.{0,14}\b(?:hair|plait|bob|braid|beard)\b|\bred-haired\b", "pale"),
    (r"\bruddy\b|\bred-faced\b", "ruddy"),
    (r"\b(?:blond|blonde|fair)[- ]hair", "fair"),
)
_HAIR_COLOURS: dict[str, Colour] = {
    "black": (0.10, 0.09, 0.09),
    "dark": (0.17, 0.12, 0.10),
    "brown": (0.33, 0.21, 0.14),
    "chestnut": (0.42, 0.22, 0.13),
    "auburn": (0.47, 0.20, 0.11),
    "ginger": (0.74, 0.38, 0.15),
    "red": (0.64, 0.25, 0.12),
    "copper": (0.68, 0.33, 0.17),
    "copper-red": (0.66, 0.29, 0.14),
    "blond": (0.83, 0.69, 0.41),
    "blonde": (0.83, 0.69, 0.41),
    "fair": (0.79, 0.66, 0.43),
    "sandy": (0.73, 0.57, 0.36),
    "golden": (0.83, 0.66, 0.33),
    "straw": (0.84, 0.72, 0.45),
    "grey": (0.58, 0.58, 0.58),
    "gray": (0.58, 0.58, 0.58),
    "greying": (0.45, 0.43, 0.42),
    "silver": (0.76, 0.77, 0.79),
    "white": (0.92, 0.92, 0.90),
    "steel-grey": (0.50, 0.52, 0.54),
    "iron-grey": (0.42, 0.43, 0.45),
    "jet-black": (0.08, 0.08, 0.09),
}
_HAIR_NOUNS = r"(?:hair|haired|bob|plaits?|braids?|bun|curls|ponytail|locks|crop|fringe|topknot|dreadlocks|afro|mane)"
_STYLES: tuple[tuple[str, HairStyle], ...] = (
    (r"\b(?:bald|shaved head|shaven|shaven-headed|hairless)\b", "bald"),
    (r"\bafro\b", "afro"),
    (r"\bdreadlocks|\blocs\b", "afro"),
    (r"\b(?:close-cropped|cropped|crew[- ]cut|buzz(?:ed)?|stubbly hair)\b", "cropped"),
    (r"\bplaits\b|\bpigtails\b|\bbraids\b", "plaits"),
    (r"\bplait(?:ed hair)?\b|\bbraid(?:ed hair)?\b(?! ?(?:red |black |grey )?beard)", "braid"),
    (r"\b(?:bun|topknot|chignon)\b", "bun"),
    (r"\b(?:tied back|ponytail|pony-tail|swept back|pinned up|hair tied)\b", "tied back"),
    (r"\b(?:curly|curls|frizzy|wavy)\b", "curly"),
    (r"\blong\b.{0,24}\b(?:hair|locks|mane)\b|\blong-haired\b", "long"),
    (r"\bshort\b.{0,24}\bhair\b|\bbob\b|\bshort-haired\b", "short"),
)

# Longer names first; each is (pattern, kind). What is not listed is not worn.
_GARMENTS: tuple[tuple[str, GarmentKind], ...] = (
    (r"leather apron|hide apron", "leather apron"),
    (r"(?:bib |rubber |canvas )?apron|pinafore", "apron"),
    (r"boiler[- ]suit|coveralls?|jumpsuit|flight suit", "boiler suit"),
    (r"dungarees|bib overalls", "dungarees"),
    (r"overalls?", "overall"),
    (r"oilskins?", "oilskin"),
    (r"rain ?coat|mackintosh|mac\b|sou'wester coat", "raincoat"),
    (r"roll-neck|polo-neck|jumper|sweater|jersey|pullover|guernsey|sweatshirt|hoodie", "jumper"),
    (r"cardigan", "cardigan"),
    (r"waistcoat|gilet|(?<!under)(?:hi-vis |orange |safety )vest|bodywarmer|doublet", "waistcoat"),
    (r"warehouse coat|dust ?coat|shop coat|greatcoat|overcoat|lab coat|frock coat|coat|gown|robe|duster", "coat"),
    (r"cape|cloak|poncho", "cape"),
    (r"uniform|tunic", "uniform"),
    (r"blazer|jacket|reefer|donkey jacket|anorak|parka", "jacket"),
    (r"undershirt|t-shirt|tee-shirt|singlet|white vest|(?:\w+ )?vest", "t-shirt"),
    (r"smock|kaftan", "smock"),
    (r"tabard", "tabard"),
    (r"blouse", "blouse"),
    (r"shirt", "shirt"),
    (r"dress|frock|sari", "dress"),
    (r"skirt|kilt", "skirt"),
    (r"shorts", "shorts"),
    (r"trousers|jeans|breeches|cords|slacks|leggings", "trousers"),
    (r"fingerless (?:\w+ )?gloves|mittens", "fingerless gloves"),
    (r"gloves|gauntlets", "gloves"),
    (r"hard hat|helmet", "hard hat"),
    (r"flat (?:\w+ )?cap|cloth cap|newsboy cap", "flat cap"),
    (r"knitted cap|woolly hat|woollen hat|beanie|bobble hat|knit cap", "woolly hat"),
    (r"peaked (?:\w+ )?cap|baseball cap|cap|kepi", "cap"),
    (r"head-cloth|headcloth|head cloth|bandana|turban|headwrap|head-wrap", "head-cloth"),
    (r"headscarf|head-scarf|hijab|head scarf|kerchief on her head", "headscarf"),
    (r"(?:straw |wide |broad-brimmed |felt |bush )?hat|sou'wester|bonnet|stetson", "wide hat"),
    (r"neckerchief|neckcloth|cravat|kerchief", "neckerchief"),
    (r"scarf|muffler|shawl", "scarf"),
    (r"waders", "waders"),
    (r"boots|wellingtons|wellies", "boots"),
    (r"clogs", "clogs"),
    (r"shoes|trainers|sandals|plimsolls", "shoes"),
    (r"back-brace|back brace", "back-brace"),
    (r"goggles", "goggles"),
    (r"spectacles|glasses|pince-nez|monocle", "spectacles"),
    (r"braces|suspenders", "braces"),
    (r"sash", "sash"),
    (r"belt", "belt"),
)
_NATURAL: dict[GarmentKind, Colour] = {
    "leather apron": (0.50, 0.34, 0.22),
    "boots": (0.22, 0.17, 0.14),
    "shoes": (0.20, 0.16, 0.14),
    "clogs": (0.72, 0.56, 0.36),
    "spectacles": (0.20, 0.19, 0.19),
    "goggles": (0.30, 0.26, 0.22),
    "back-brace": (0.76, 0.68, 0.52),
    "belt": (0.32, 0.22, 0.15),
    "gloves": (0.66, 0.50, 0.33),
    "waders": (0.26, 0.34, 0.26),
    "oilskin": (0.90, 0.74, 0.18),
    "hard hat": (0.93, 0.78, 0.16),
    "t-shirt": (0.90, 0.89, 0.86),
    "blouse": (0.92, 0.89, 0.82),
    "braces": (0.30, 0.28, 0.27),
}
_WHOLE = frozenset({"boiler suit", "overall", "dungarees", "dress", "waders"})
_TOPS = frozenset(
    {
        "shirt",
        "t-shirt",
        "blouse",
        "jumper",
        "cardigan",
        "jacket",
        "coat",
        "raincoat",
        "smock",
        "oilskin",
        "uniform",
        "boiler suit",
        "overall",
        "dress",
    }
)


@lru_cache(maxsize=2048)
def person_look(name: str, look: str = "", casting: int = 0) -> PersonLook:
    """How a person looks. What the words leave open follows from them too, the face above all: the same words are the
    same person. Another casting is somebody else to whom they apply."""
    name, text = name[:LONGEST], " ".join(look[:LONGEST].lower().split())
    key = f"{name.lower()}|{text}" + (f"|{casting}" if casting else "")
    feminine = _feminine(name, text)
    age = _age(text)
    build = _build(text)
    style = _hair(text, feminine, age, key)
    skin = _skin(text, key)
    return PersonLook(
        skin=skin,
        hair=style,
        hair_colour=_hair_colour(text, age, skin, key),
        beard=_beard(text, feminine),
        age=age,
        build=build,
        height=_height(text, feminine, age, key),
        feminine=feminine,
        garments=_garments(text, key),
        face=int(digest("Face", key)[:12], 16),
    )


def _feminine(name: str, text: str) -> float:
    if _WOMAN.search(text):
        return 0.9
    if _MAN.search(text):
        return 0.1
    # Names ending in a vowel sound like women's more often than not; without words it is only a guess.
    guess = 0.8 if re.search(r"(?:a|e|i|ie|eh|ine|een|eth)$", name.lower()) else 0.2
    return guess if name else 0.5


def _age(text: str) -> Age:
    if re.search(
        r"\b(?:child|boy|girl|toddler|kid|schoolboy|schoolgirl)\b|\b(?:six|seven|eight|nine|ten|eleven|"
        r"twelve)-year-old\b",
        text,
    ):
        return "child"
    if re.search(
        r"\b(?:old (?:man|woman|lady)|elderly|aged|ancient|grandmother|grandfather|sixty|seventy|eighty|"
        r"ninety|sixties|seventies|"
        r"eighties|sixty-\w+|seventy-\w+|silver-bearded|white-haired|wizened|wrinkled|an old)\b|\bof "
        r"(?:6|7|8)\d\b|\bwhite (?:beard|side-whiskers)\b",
        text,
    ):
        return "old"
    if re.search(
        r"\b(?:young|teenage|teenager|youth|apprentice|twenties|twenty|twenty-\w+|nineteen|eighteen|"
        r"seventeen|sixteen|lad)\b",
        text,
    ):
        return "young"
    return "adult"


def _build(text: str) -> Build:
    if re.search(
        r"\b(?:broad|broad-shouldered|stocky|stout|big|heavy|burly|sturdy|fat|plump|thickset|thick-set|"
        r"muscular|massive|hefty|round-faced)\b",
        text,
    ):
        return "broad"
    if re.search(r"\b(?:slim|thin|lanky|slight|lean|wiry|skinny|gaunt|slender|narrow|bony|willowy|small)\b", text):
        return "slim"
    return "average"


def _hair(text: str, feminine: float, age: Age, key: str) -> HairStyle:
    for pattern, style in _STYLES:
        if re.search(pattern, text):
            return style
    options: tuple[HairStyle, ...] = (
        ("short", "tied back", "bun", "long", "curly") if feminine > 0.5 else ("short", "cropped", "short", "curly")
    )
    return options[choice(key, len(options), "hair")]


def _hair_colour(text: str, age: Age, skin: Colour, key: str) -> Colour:
    names = "|".join(sorted(_HAIR_COLOURS, key=len, reverse=True))
    for pattern in (
        rf"\b({names})(?:[- ]\w+){{0,2}}?[- ]{_HAIR_NOUNS}\b",
        rf"\b({names})[- ](?:\w+ )?(?:beard|bearded|moustache|moustached|side-whiskers|whiskers|stubble)\b",
    ):
        match = re.search(pattern, text)
        if match:
            return _HAIR_COLOURS[match.group(1)]
    if age == "old":
        return _HAIR_COLOURS[("grey", "white", "silver")[choice(key, 3, "old hair")]]
    dark: tuple[str, ...] = (
        ("black", "dark", "brown") if sum(skin) < 1.5 else ("dark", "brown", "chestnut", "black", "sandy", "auburn")
    )
    return _HAIR_COLOURS[dark[choice(key, len(dark), "hair colour")]]


def _beard(text: str, feminine: float) -> Beard:
    if re.search(r"\b(?:clean-shaven|beardless)\b", text):
        return "none"
    if re.search(r"\bbeard(?:ed)?\b|-bearded\b", text):
        return "full"
    if re.search(r"\b(?:moustache|moustached|mustache|whiskers|side-whiskers|sideburns)\b|-moustached\b", text):
        return "moustache"
    return "stubble" if re.search(r"\b(?:stubble|unshaven)\b", text) else "none"


def _skin(text: str, key: str) -> Colour:
    for pattern, name in _SKIN_WORDS:
        if re.search(pattern, text):
            return _SKINS[name]
    names = tuple(_SKINS)
    return _SKINS[names[choice(key, len(names), "skin")]]


def _height(text: str, feminine: float, age: Age, key: str) -> float:
    if age == "child":
        return 1.28
    middle = 1.78 - 0.12 * feminine + 0.01 * (choice(key, 7, "height") - 3)
    if re.search(r"\b(?:tall|lanky|towering|long-legged)\b", text):
        middle += 0.10
    elif re.search(
        r"\b(?:short (?:man|woman|person)|small (?:man|woman|person)|tiny|petite|stocky|slight|little)\b", text
    ):
        middle -= 0.09
    return round(middle - (0.04 if age == "old" else 0.0), 2)


def _garments(text: str, key: str) -> tuple[Garment, ...]:
    """What the text dresses the person in, from the skin outwards, completed to a decent outfit."""
    worn: list[tuple[int, Garment]] = []
    taken: list[tuple[int, int]] = []
    for pattern, kind in _GARMENTS:
        for match in re.finditer(rf"\b(?:{pattern})\b", text):
            if any(a < match.end() and match.start() < b for a, b in taken):
                continue
            taken.append(match.span())
            worn.append((match.start(), _garment(kind, text, match.start(), match.end(), key)))
    outfit = list({g.kind: g for _, g in sorted(worn, key=lambda pair: -pair[0])}.values())[::-1]
    return tuple(sorted(_completed(outfit, key), key=lambda g: _LAYERS.get(g.kind, 3)))


_LAYERS: dict[GarmentKind, int] = {
    "t-shirt": 0,
    "shirt": 0,
    "blouse": 0,
    "trousers": 0,
    "shorts": 0,
    "skirt": 0,
    "dress": 0,
    "shoes": 0,
    "boots": 0,
    "clogs": 0,
    "jumper": 1,
    "boiler suit": 1,
    "overall": 1,
    "dungarees": 1,
    "waders": 1,
    "waistcoat": 2,
    "cardigan": 2,
    "braces": 2,
    "jacket": 3,
    "uniform": 3,
    "smock": 3,
    "back-brace": 4,
    "coat": 4,
    "raincoat": 4,
    "oilskin": 4,
    "apron": 5,
    "leather apron": 5,
    "tabard": 5,
    "cape": 6,
    "scarf": 6,
    "neckerchief": 6,
    "belt": 6,
    "sash": 6,
}


def _garment(kind: GarmentKind, text: str, start: int, end: int, key: str) -> Garment:
    before = tokens(text[:start])[-6:]
    for stop in ("and", "with", "in", "over", ",", "under", "wearing", "a", "an", "the"):
        if stop in before:
            before = before[len(before) - before[::-1].index(stop) :]
    colours, pattern = _described(before, text[start:end])
    after = re.match(r"\s*(?:in|of) ([\w-]+(?: [\w-]+)?)", text[end:])
    if not colours and after:
        colours, more = _described(tokens(after.group(1)), "")
        pattern = pattern if pattern != "plain" else more
    main = colours[0] if colours else _NATURAL.get(kind) or palette_colour(f"{key} {kind}")
    second = colours[1] if len(colours) > 1 else _second(main, pattern)
    return Garment(kind, main, second, pattern)


def _described(words: list[str], inside: str) -> tuple[list[Colour], Pattern]:
    colours: list[Colour] = []
    pattern: Pattern = "plain"
    material: Colour | None = None
    every = [*words, *tokens(inside)]
    i = 0
    while i < len(every):
        word = every[i]
        step = 1
        pattern = PATTERN_WORDS.get(word.rsplit("-", 1)[-1], pattern)
        found = colour_at(every, i) or (colour_at([word.split("-")[0]], 0) if "-" in word else None)
        if found is not None and not (word in MATERIALS and word not in ("copper", "gold", "silver", "bronze")):
            colours.append(found[0])
            step = found[1]
        elif word in MATERIALS and material is None:
            material = MATERIALS[word][1]
        i += step
    if not colours and material is not None:
        colours.append(material)
    return colours, pattern


def _second(main: Colour, pattern: Pattern) -> Colour:
    """White beside a colour where the pattern needs a partner, a darker tone of itself otherwise."""
    if pattern != "plain":
        return (0.94, 0.93, 0.90) if sum(main) < 2.2 else (0.25, 0.30, 0.42)
    return (main[0] * 0.7, main[1] * 0.7, main[2] * 0.7)


def _completed(outfit: list[Garment], key: str) -> list[Garment]:
    kinds = {g.kind for g in outfit}
    out = list(outfit)

    def wear(kind: GarmentKind, colours: tuple[Colour, ...]) -> None:
        colour = colours[choice(key, len(colours), f"plain {kind}")]
        out.append(Garment(kind, colour, _second(colour, "plain")))

    plain_tops: tuple[Colour, ...] = ((0.86, 0.84, 0.78), (0.60, 0.66, 0.70), (0.72, 0.66, 0.56), (0.48, 0.52, 0.48))
    plain_legs: tuple[Colour, ...] = ((0.28, 0.30, 0.34), (0.36, 0.31, 0.26), (0.24, 0.28, 0.36), (0.42, 0.40, 0.36))
    if not kinds & (_TOPS - {"coat", "raincoat", "oilskin"}):
        wear("shirt", plain_tops)
    if not kinds & (_WHOLE | {"trousers", "shorts", "skirt"}):
        wear("trousers", plain_legs)
    if not kinds & {"boots", "shoes", "clogs", "waders"}:
        wear("boots", ((0.20, 0.16, 0.14), (0.30, 0.21, 0.15), (0.14, 0.14, 0.15)))
    return out
