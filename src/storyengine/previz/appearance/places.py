"""Places: walls, floor and ceiling by their phrases, indoors or out, size, light and fittings."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, TypeVar

from storyengine.previz.appearance.fittings import fittings_in
from storyengine.previz.colours import MATERIALS, choice, colour_at, shaded, tokens
from storyengine.previz.looks import Colour, LightLook, PlaceLook, SurfaceLook
from storyengine.runs.digest import digest

LONGEST = 6000
Side = Literal["wall", "floor", "ceiling"]
Brightness = Literal["dark", "dim", "even", "bright"]
Tone = Literal["cool", "neutral", "warm"]
Source = Literal["window", "lamp", "sun", "overcast", "fire", "skylight", "moon"]
Word = TypeVar("Word", bound=str)
_LEVELS: dict[str, Brightness] = {"dark": "dark", "dim": "dim", "even": "even", "bright": "bright"}
_CASTS: dict[str, Tone] = {"cool": "cool", "neutral": "neutral", "warm": "warm"}

_SIDES: dict[Side, str] = {
    "wall": r"walls?|walled|panelling|panelled|brickwork|sides|vault|shaft|hall of|shed of|hut of|room of|lean-to of|"
    r"cabin with|cabin of|on every wall",
    "floor": r"floors?|floorboards|floor plates|flags|flagstones?|setts|cobbles|cobbled|underfoot|carpet|grass|"
    r"cinders|paving|boards underfoot|yard of|strip of|decking|ground|linoleum|lino|gravel|sand\b|mud\b|turf|lawn|"
    r"meadow|tarmac",
    "ceiling": r"ceilings?|roof|rafters|trusses|vault",
}
# Material words to the renderer's pattern and a usual colour; the first that a phrase names decides.
_SURFACES: tuple[tuple[str, str, Colour], ...] = (
    (r"chequered (?:floor|iron|steel) ?plates?|chequer ?plate", "metal", (0.52, 0.54, 0.55)),
    (r"chequered|chequerboard|black-and-white tiles", "chequer", (0.86, 0.84, 0.80)),
    (r"glazed[\w ]* brick|glazed brick|cream-glazed brick", "brick", (0.86, 0.81, 0.68)),
    (r"brick\w*", "brick", (0.63, 0.36, 0.28)),
    (r"quarry-?tiles?|quarry tile", "tiles", (0.64, 0.34, 0.26)),
    (r"tile[ds]?|tiles|white-tiled", "tiles", (0.88, 0.89, 0.88)),
    (r"parquet|herringbone", "parquet", (0.62, 0.46, 0.30)),
    (r"setts|cobble[ds]?|cobbles|beach cobbles|cobblestones?", "cobbles", (0.52, 0.51, 0.50)),
    (r"flagstones?|flags|stone-flag|stone flags|slate slabs|paving|slate", "tiles", (0.56, 0.55, 0.52)),
    (r"granite|rubble|stone|flint|masonry|drystone|limestone|sandstone|boulders|rock", "stone", (0.60, 0.58, 0.54)),
    (r"concrete|cement", "concrete", (0.62, 0.62, 0.60)),
    (r"corrugated|roller", "corrugated", (0.60, 0.63, 0.64)),
    (r"iron[- ]plated?|iron plates|steel|iron|metal|riveted|grating|zinc|plates", "metal", (0.48, 0.50, 0.52)),
    (
        r"tongue-and-groove|boarded|boarding|weatherboard\w*|clapboard|cladding|slatted|louvre\w*|logs?",
        "cladding",
        (0.74, 0.66, 0.52),
    ),
    (r"panelling|panelled|wainscot\w*", "panelling", (0.56, 0.42, 0.29)),
    (
        r"planks?|boards?|floorboards|timber|wooden|wood|oak|pine|rafters|raftered|deck(?:ing)?|attic|barn",
        "planks",
        (0.60, 0.46, 0.33),
    ),
    (r"wallpaper\w*|papered", "wallpaper", (0.76, 0.72, 0.62)),
    (r"carpet\w*|rug|matting|linoleum|lino", "cloth", (0.44, 0.48, 0.42)),
    (r"earth\w*|mud|clay|cinders?|cinder|ash-strewn|soil|dirt", "earth", (0.42, 0.36, 0.30)),
    (r"gravel|shingle|sand", "gravel", (0.70, 0.64, 0.52)),
    (r"grass\w*|lawn|turf|meadow|orchard|pasture", "grass", (0.44, 0.53, 0.30)),
    (r"asphalt|tarmac|road", "asphalt", (0.34, 0.35, 0.36)),
    (r"plaster\w*|whitewash\w*|limewash\w*|lime-wash\w*|stucco|distemper\w*|rendered", "plaster", (0.86, 0.84, 0.78)),
    (r"glass|glazed|panes", "panelling", (0.72, 0.80, 0.80)),
    (r"paint\w*", "paint", (0.70, 0.70, 0.64)),
    (r"canvas|tent|cloth", "cloth", (0.80, 0.74, 0.60)),
)
_DEFAULTS: dict[Side, tuple[tuple[str, Colour], ...]] = {
    "wall": (
        ("plaster", (0.80, 0.77, 0.70)),
        ("brick", (0.60, 0.40, 0.33)),
        ("cladding", (0.66, 0.60, 0.50)),
        ("plaster", (0.62, 0.68, 0.66)),
        ("stone", (0.62, 0.60, 0.56)),
        ("panelling", (0.55, 0.44, 0.33)),
        ("plaster", (0.76, 0.66, 0.56)),
        ("tiles", (0.84, 0.85, 0.83)),
    ),
    "floor": (
        ("planks", (0.58, 0.46, 0.35)),
        ("concrete", (0.60, 0.60, 0.58)),
        ("tiles", (0.56, 0.54, 0.51)),
        ("planks", (0.45, 0.36, 0.28)),
        ("chequer", (0.72, 0.70, 0.66)),
        ("parquet", (0.60, 0.45, 0.30)),
    ),
    "ceiling": (("plaster", (0.84, 0.82, 0.77)), ("planks", (0.52, 0.43, 0.33)), ("plaster", (0.78, 0.76, 0.70))),
}
_OUTDOOR = re.compile(
    r"\b(?:yard|orchard|garden|field|meadow|street|quay|quayside|dockside|beach|shore|harbour|"
    r"towpath|lane|road|market ?place|town square|"
    r"courtyard|park|hill(?:side|top)?|forest|wood(?:land)?s?|clearing|riverbank|bank of|canal|"
    r"bridge|jetty|pier|slipway|allotment|vineyard|"
    r"hop garden|salt ?pans?|salt marsh|marsh|moor|farmyard|platform|trackside|outdoors?|open air|"
    r"open sky|rooftop|terrace|deck of)\b"
)
_INDOOR = re.compile(
    r"\b(?:room|hall|shed|house|cellar|vault|chamber|shop|loft|attic|kitchen|cabin|office|workshop|"
    r"store|mill|factory|studio|barn|hut|tower|"
    r"smithy|bakehouse|greenhouse|stable|garage|bay|booth|ceiling|rafters|corridor|library|classroom|"
    r"laboratory|station hall|hangar|inside|well|shaft|floor|stair)\b"
)
_LARGE = re.compile(
    r"\b(?:hall|hangar|shed|factory|warehouse|church|station|high|tall|long|vast|huge|big|great|"
    r"cathedral|mill|glasshouse)\b"
)
_SMALL = re.compile(r"\b(?:small|hut|cabin|narrow|tiny|booth|closet|cramped|low|cell|cupboard|box|little|snug)\b")


@lru_cache(maxsize=1024)
def place_look(name: str, look: str = "", light_words: str = "", style: str = "") -> PlaceLook:
    """How a place looks. `light_words` is about its light ("low amber lamplight, dim"), `style` about the film's."""
    name, look, light_words = name[:LONGEST], look[:LONGEST], light_words[:LONGEST]
    text = " ".join(f"{name}. {look}".lower().split())
    key = f"{name}|{look}".lower()
    outdoor = _is_outdoor(name.lower(), text)
    width, depth, height = _dimensions(text, key, outdoor)
    return PlaceLook(
        outdoor=outdoor,
        walls=_surface("wall", text, key, outdoor),
        floor=_surface("floor", text, key, outdoor),
        ceiling=_surface("ceiling", text, key, outdoor),
        width=width,
        depth=depth,
        height=height,
        light=_light(" ".join(f"{light_words} {style}".lower().split()), text, outdoor),
        fittings=_fittings(f"{name}. {look}", key, outdoor),
        skyline=_skyline(text, key),
        seed=int(digest("Place", key)[:8], 16) % 1_000_000,
    )


def _is_outdoor(name: str, text: str) -> bool:
    """The name decides where it can, then the description's balance of words."""
    inside, outside = _INDOOR.search(name), _OUTDOOR.search(name)
    if bool(inside) != bool(outside):
        return bool(outside)
    return len(_OUTDOOR.findall(text)) > len(_INDOOR.findall(text))


def _dimensions(text: str, key: str, outdoor: bool) -> tuple[float, float, float]:
    def vary(base: float, purpose: str) -> float:
        return round(base * (0.88 + 0.04 * choice(key, 7, purpose)), 2)

    if outdoor:
        return vary(13.0, "width"), vary(11.0, "depth"), vary(3.2, "height")
    head = " ".join(re.split(r"[,.;]|\bwith\b", text)[:2])  # the name, and what kind of room it is
    large, small = len(_LARGE.findall(head)), len(_SMALL.findall(head))
    scale = 1.25 if large > small else 0.85 if small > large else 1.0
    tall = 1.0
    if re.search(r"\b(?:high|tall|lofty|towering)\b", head):
        tall = 1.3
    elif re.search(r"\b(?:low|cellar|vault|attic|lean-to)\b", head):
        tall = 0.85
    stretch = 1.2 if re.search(r"\b(?:long|narrow)\b", head) else 1.0
    return (
        vary(6.6 * scale * stretch, "width"),
        vary(5.6 * scale / stretch, "depth"),
        min(max(vary(3.1 * min(scale, 1.2) * tall, "height"), 2.4), 4.6),
    )


def _surface(side: Side, text: str, key: str, outdoor: bool) -> SurfaceLook:
    """The phrase that speaks of this side: its material and colour."""
    for phrase in re.split(r",|;|\.|(?<!-)\band\b(?!-)|\bwith\b|\bunder\b|\bover\b|\bround\b", text):
        if re.search(rf"\b(?:{_SIDES[side]})\b", phrase) and not _speaks_of_other(side, phrase):
            found = _material(phrase)
            if found is not None:
                return found
    if side == "wall":  # "a small hut of whitewashed brick" names no wall
        head = re.split(r",|;|\bwith\b", text.split(". ", 1)[-1])[0]
        found = _material(head)
        if found is not None and not (outdoor and found.pattern in ("grass", "earth", "gravel")):
            return found
    if outdoor:
        return {
            "floor": SurfaceLook("grass", (0.46, 0.52, 0.33)),
            "wall": SurfaceLook("brick", (0.60, 0.47, 0.40)),
            "ceiling": SurfaceLook("plaster", (0.85, 0.85, 0.82)),
        }[side]
    pattern, colour = _DEFAULTS[side][choice(key, len(_DEFAULTS[side]), f"{side} surface")]
    return SurfaceLook(pattern, colour)


def _speaks_of_other(side: Side, phrase: str) -> bool:
    """ "A brick oven built into the end wall" speaks of an oven."""
    return (
        side == "wall"
        and re.search(r"\b(?:built into|against|along|hung on|on the) (?:\w+ ){0,2}walls?\b", phrase) is not None
    )


def _material(phrase: str) -> SurfaceLook | None:
    for pattern, name, usual in _SURFACES:
        match = re.search(rf"\b(?:{pattern})\b", phrase)
        if match:
            said = _colour(phrase, match.end())
            return SurfaceLook(name, _calm(usual if said is None else _natural(said, usual, name)))
    colour = _colour(phrase, len(phrase))
    return SurfaceLook("plaster", _calm(colour)) if colour is not None else None


_WASHES = re.compile(r"\b(whitewashed|limewashed|lime-washed|white-painted|whitewash)\b")
_STAINS = re.compile(r"\b(soot\w*|smoke-stained|black with|blackened|tarred|varnished black|oil-stained|smoky)\b")


def _colour(phrase: str, before: int) -> Colour | None:
    """The colour nearest before the material, darkened by soot and lightened by whitewash."""
    if _WASHES.search(phrase):
        return (0.90, 0.89, 0.85)
    words = tokens(phrase[:before])
    found: Colour | None = None
    i = 0
    while i < len(words):
        hit = colour_at(words, i)
        if hit is None and "-" in words[i]:
            hit = colour_at([words[i].split("-")[0]], 0)
        if hit is not None and words[i] not in MATERIALS:
            found = hit[0]
        i += hit[1] if hit else 1
    if found is None and re.search(r"\bdark\b", phrase):
        usual = next((c for p, _, c in _SURFACES if re.search(rf"\b(?:{p})\b", phrase)), None)
        found = shaded(usual, "dark") if usual else None
    if _STAINS.search(phrase):
        base = found or next((c for p, _, c in _SURFACES if re.search(rf"\b(?:{p})\b", phrase)), (0.5, 0.45, 0.4))
        own = next((c for p, _, c in _SURFACES if re.search(rf"\b(?:{p})\b", phrase)), base)
        r, g, b = ((x + y) / 2 * 0.6 for x, y in zip(base, own, strict=True))
        return (r, g, b)
    return found


def _natural(said: Colour, usual: Colour, pattern: str) -> Colour:
    """Red brick is brick that is red: natural materials keep half of their own colour."""
    keep = 0.5 if pattern in ("brick", "stone", "planks", "cobbles", "earth", "gravel", "grass") else 0.0
    if abs(sum(said) - sum(usual)) > 0.4:  # whitewashed or blackened: the coat is what one sees
        keep = 0.1
    r, g, b = (s + (u - s) * keep for s, u in zip(said, usual, strict=True))
    return (r, g, b)


def _calm(colour: Colour) -> Colour:
    """Surroundings are slightly desaturated, so that key things stand out; never so dark that light finds nothing."""
    grey = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]
    keep = 0.72
    r, g, b = (min(max(grey + (c - grey) * keep, 0.14), 0.94) for c in colour)
    return (round(r, 3), round(g, 3), round(b, 3))


_BRIGHTNESS: tuple[tuple[str, Brightness], ...] = (
    (r"\b(?:dark|near-black|gloom|gloomy|night|moonlit|moonlight|pitch|glimmer|ember|dusky glow|candlelit)\b", "dark"),
    (r"\b(?:dim|low|faint|half-light|dusk|twilight|weak|subdued|lamplit|evening|thin)\b", "dim"),
    (r"\b(?:bright|brilliant|glaring|hard white|full sun|sunny|sunlit|noon|dazzling|strong)\b", "bright"),
    (r"\b(?:even|plain|soft|steady|neutral|overcast|flat)\b", "even"),
)
_TONES: tuple[tuple[str, Tone], ...] = (
    (
        r"\b(?:warm|amber|golden|honey|honey-coloured|orange|ember|embers|firelight|fire|furnace|sunset|"
        r"tobacco|candle\w*|tungsten|oil lamps?|yellow)\b",
        "warm",
    ),
    (r"\b(?:cool|cold|blue|bluish|moon\w*|north light|icy|steely|grey dawn|fluorescent)\b", "cool"),
    (r"\b(?:neutral|white|grey|plain|overcast|daylight)\b", "neutral"),
)
_SOURCES: tuple[tuple[str, Source], ...] = (
    (r"\b(?:moon\w*|night sky)\b", "moon"),
    (r"\b(?:fire\w*|furnace|ember\w*|forge|glow of|hearth)\b", "fire"),
    (
        r"\b(?:skylight|roof|lantern in the roof|roof lantern|hatch(?:es)?|glazed roof|louvres|from "
        r"above)\b",
        "skylight",
    ),
    (r"\b(?:lamp\w*|bulbs?|tubes|candle\w*|lantern\w*|electric|strip light\w*|caged)\b", "lamp"),
    (r"\b(?:sun|sunny|sunlight|sunlit|sunset|sunrise|noon)\b", "sun"),
    (r"\b(?:overcast|cloud\w*|white sky|grey sky|dusk|mist\w*|fog\w*)\b", "overcast"),
    (r"\b(?:windows?|panes?|daylight|gable|doorway|gate)\b", "window"),
)


def _light(words: str, text: str, outdoor: bool) -> LightLook:
    brightness: Brightness = _first(_BRIGHTNESS, words, "bright" if outdoor else "even")
    tone: Tone = _first(_TONES, words, "neutral")
    # An explicit brightness or tone at the end ("…, dim, warm") outweighs the prose before it.
    tail = re.findall(r"\b(dark|dim|even|bright|cool|neutral|warm)\b", words)
    for word in tail:
        brightness = _LEVELS.get(word, brightness)
        tone = _CASTS.get(word, tone)
    source: Source = _first(_SOURCES, words or text, "overcast" if outdoor else "window")
    if outdoor and source in ("window", "skylight"):
        source = "overcast"
    if not outdoor and source == "overcast":
        source = "window"
    return LightLook(brightness, tone, source)


def _first(table: tuple[tuple[str, Word], ...], words: str, otherwise: Word) -> Word:
    return next((value for pattern, value in table if re.search(pattern, words)), otherwise)


_COMMON_INSIDE = (
    "shelves",
    "crates",
    "barrels",
    "pegs",
    "hanging lamps",
    "pictures",
    "wall shelf",
    "ladder",
    "brooms",
    "tool rack",
    "workbench",
    "cupboard",
    "pipes",
    "clock",
    "sacks",
    "baskets",
)
_COMMON_OUTSIDE = (
    "fence",
    "trees",
    "bushes",
    "posts",
    "barrels",
    "crates",
    "shed",
    "woodpile",
    "hedge",
    "lamp post",
    "bench",
)
_ONLY_OUTSIDE = frozenset(
    {
        "shed",
        "trees",
        "conifers",
        "hedge",
        "bushes",
        "quay wall",
        "well",
        "stone wall",
        "fence",
        "hills",
        "haystack",
        "lamp post",
        "posts",
        "woodpile",
    }
)
FEWEST_FITTINGS = 4


def _fittings(text: str, key: str, outdoor: bool) -> tuple[str, ...]:
    """What the description names, and a few usual things where it names little: an empty room tells nothing."""
    named = [f for f in fittings_in(text) if outdoor or f not in _ONLY_OUTSIDE]
    common = _COMMON_OUTSIDE if outdoor else _COMMON_INSIDE
    start = choice(key, len(common), "fittings")
    step = 1 + choice(key, 4, "fitting step")
    for k in range(len(common)):
        if len(named) >= FEWEST_FITTINGS:
            break
        candidate = common[(start + k * step) % len(common)]
        if candidate not in named:
            named.append(candidate)
    return tuple(named)


def _skyline(text: str, key: str) -> str:
    for pattern, skyline in (
        (r"\b(?:sea|quay|dock|harbour|beach|shore|pier|slipway|tide|coast)\b", "sea"),
        (r"\b(?:orchard|wood\w*|forest|trees?|park|garden)\b", "trees"),
        (r"\b(?:street|square|town|city|roof\w*|market|courtyard)\b", "roofs"),
        (r"\b(?:railway|works|factory|yard|colliery|sidings?|furnace)\b", "works"),
        (r"\b(?:hill\w*|field|meadow|moor|farm\w*)\b", "hills"),
    ):
        if re.search(pattern, text):
            return skyline
    return ("hills", "trees", "roofs")[choice(key, 3, "skyline")]
