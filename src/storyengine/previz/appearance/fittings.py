"""Which fitting a description means: "a row of dented lockers" → lockers."""

from __future__ import annotations

import re

_NOT_ITS_PART = r"(?! (door|gate|wall|window|roof|floor|light|lamp|bench|table|stove|shelf|shelves)s?\b)"
"""A shed door is a door and no shed."""


def _grown(woods: str) -> str:
    """A single tree by its kind, where the kind is not the timber of something: "an old oak", never "an oak door"."""
    whole = r"(?= (?:by|at|in|on|near|beside|behind|before|over|and|with|outside|stands|grows)\b|[^\w -]|$)"
    return rf"(a|an|the|one) (?:(big|old|great|gnarled|lone|tall|single|young) )*({woods}){whole}|({woods}) trees?"


# Order matters: the first pattern found names the fitting, so the narrower words come first.
_WORDS: tuple[tuple[str, str], ...] = (
    ("bookshelf", r"book ?(shel(f|ves)|cases?)|librar(y|ies)|archives?"),
    ("wall shelf", r"wall shel(f|ves)|narrow shel(f|ves)"),
    ("tool rack", r"tool ?(racks?|boards?|walls?)|rows? of tools|hanging tools|racks? of (tools|tongs|chisels)"),
    ("workbench", r"work ?bench(es)?|potting bench(es)?|bench vices?"),
    ("blackboard", r"(black|chalk) ?boards?|slates? (board|on the wall)"),
    ("switchboard", r"switch ?boards?|control (panels?|desks?)|panels? of (dials|switches)|consoles?"),
    ("lockers", r"lockers?"),
    ("drawers", r"drawers?|type cases?|seed cabinets?"),
    ("cupboard", r"cupboards?|wardrobes?|dressers?|cabinets?"),
    ("pegs", r"pegs?|coat (hooks|rails?)|hooks"),
    ("nets", r"nets?"),
    ("furnace", r"furnaces?|forges?|smithy|smithies|kilns?|crucibles?"),
    ("oven", r"ovens?|bake ?house|bakery"),
    ("stove", r"stoves?|ranges?|cookers?"),
    ("fireplace", r"fire ?places?|hearths?|chimney ?pieces?|mantel(pieces?)?s?"),
    ("boiler", r"boilers?|stills|(copper|pot|gin|whisky) still"),
    ("pipes", r"pipes?|pipework|(water|gas|steam) mains?|ducts?"),
    ("sinks", r"sinks?|troughs?|wash ?(basins?|stands?)|taps"),
    ("vats", r"vats?|tuns?|tubs?|coppers|cisterns?|tanks?"),
    ("barrels", r"barrels?|casks?|kegs?|butts?"),
    ("sacks", r"sacks?|bales?|bags of"),
    ("crates", r"crates?|packing cases?|boxes|chests?"),
    ("baskets", r"baskets?|hampers?"),
    ("loom", r"looms?|weav(ing|er)"),
    ("press", r"press(es)?"),
    ("machine", r"machines?|machinery|engines?|lathes?|pumps?|mills?|turbines?"),
    ("counter", r"counters?|shop|serving hatch"),
    ("desk", r"desks?|office"),
    ("market stall", r"(market )?stalls?"),
    ("table", r"tables?"),
    ("stairs", r"stairs?|staircases?|steps|stairway"),
    ("railing", r"railings?|handrails?|rails?|balustrades?"),
    ("columns", r"columns?|pillars?"),
    ("beams", r"(tie |log |roof )?beams?|rafters?|trusses|joists?"),
    ("lamp post", r"(street|gas) ?lamps?|lamp ?posts?"),
    ("hanging lamps", r"lamps?|lanterns|chandeliers?|bulbs?"),
    ("pictures", r"pictures?|posters?|paintings?|photographs?|prints|portraits?|maps?"),
    ("clock", r"clocks?"),
    ("plants", r"pot(ted)? plants?|ferns?|palms?|plants?|vines?"),
    ("rug", r"rugs?|carpets?|mats?"),
    ("bed", r"beds?|bunks?|cots?"),
    ("ladder", r"ladders?"),
    ("brooms", r"brooms?|rakes?|shovels?|spades?|mops?"),
    ("shelves", r"shel(f|ves|ving)|racks?|staging|pantry|larder|storage"),
    ("conifers", rf"conifers?|spruces|firs|pines|larches|cypress(es)?|{_grown('spruce|fir|pine|larch')}"),
    ("trees", r"orchards?|woodland|forest(?![ -]green)|trees?|"
              rf"oaks|willows|birches|elms|{_grown('oak|willow|birch|elm')}"),
    ("hedge", r"hedges?|hawthorns?"),
    ("bushes", r"bush(es)?|shrubs?|reeds?|brambles?|gorse"),
    ("boat", r"boats?|skiffs?|dinghy|dinghies|barges?|punts?"),
    ("quay wall", r"quays?|piers?|jetty|jetties|wharf|wharves|harbour|docks?|landing stage|landing"),
    ("posts", r"posts|mooring posts?|bollards?|stakes?|mooring"),
    ("tracks", r"tracks?|railway|sidings?"),
    ("haystack", r"hay ?(stacks?|ricks?)|straw (stacks?|ricks?)|ricks?"),
    ("woodpile", r"wood ?piles?|log ?(piles?|stacks?)|timber stacks?|stacked (logs|timber)"),
    ("shed", rf"(sheds?|huts?|cabins?|barns?|bothy){_NOT_ITS_PART}"),
    ("well", r"(?<!as )(?<!-)wells?(?!-| (lit|worn|kept|used|swept|made|stocked|ordered|scrubbed))"),
    ("fence", r"fences?|palings?|hurdles?"),
    ("hills", r"hills?|dunes?|mounds?|banks?|slopes?"),
    ("stone wall", r"(stone|dry|garden|boundary) wall|(dry|drystone|garden|boundary|field) walls"),
    ("bench", r"bench(es)?|settles?|pews?|seats?"),
    ("door", r"doors?|doorways?|gates?"),
)  # fmt: skip
NAMES = tuple(name for name, _ in _WORDS)
"""All fittings that words can name."""
_PATTERNS = tuple((name, re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)) for name, pattern in _WORDS)


def fitting_named(text: str) -> str | None:
    """The fitting that a few words name, or None; where several could be meant, the more particular one."""
    for name, pattern in _PATTERNS:
        if pattern.search(text):
            return name
    return None


def fittings_in(text: str) -> tuple[str, ...]:
    """All fittings that a description names, in the order in which the text names them."""
    found: dict[str, int] = {}
    left = text
    for name, pattern in _PATTERNS:
        match = pattern.search(left)
        if match and name not in found:
            found[name] = match.start()
            left = left[: match.start()] + "_" * (match.end() - match.start()) + left[match.end() :]
    return tuple(sorted(found, key=lambda name: found[name]))
