"""From a state's words to numbers: one table of keywords, and nothing else decides what a phrase shows.

`state_axes("half full")` is `{"fill": 0.5}`. A phrase may speak of several axes ("shut under seal" is shut and
fastened). A phrase that the table does not know gives `{"mark": …}`, a number of its own, so that two unknown values
of one attribute still look different; it is shown as a coloured ribbon.
"""

from __future__ import annotations

import re
from functools import lru_cache

from storyengine.previz.looks import Colour
from storyengine.runs.digest import digest

AXES: dict[str, tuple[str, str]] = {
    "open": ("shut", "open"),
    "raised": ("lowered", "raised"),
    "fill": ("empty", "full"),
    "lit": ("dark", "lit"),
    "broken": ("whole", "broken"),
    "dirty": ("clean", "dirty"),
    "wet": ("dry", "wet"),
    "wound": ("unwound", "wound"),
    "loaded": ("bare", "loaded"),
    "covered": ("uncovered", "covered"),
    "turned": ("straight", "turned"),
    "fastened": ("loose", "fastened"),
    "tipped": ("upright", "tipped over"),
    "spread": ("folded", "spread"),
    "running": ("still", "running"),
    "across": ("in line", "across"),
    "hung": ("taken down", "hung"),
    "pierced": ("unpierced", "pierced"),
}
"""Every axis with the words for its two ends, 0 and 1."""

# Longer phrases are tried first, and the first that matches on an axis decides it. Words match at their beginning ("empt" is empty
# and emptied); " " at the end asks for the whole word, "$" for the phrase's last word.
_TABLE: tuple[tuple[str, str, float], ...] = (
    # half ways
    ("half full", "fill", 0.5), ("half-full", "fill", 0.5), ("half empty", "fill", 0.5), ("half filled", "fill", 0.5),
    ("quarter full", "fill", 0.25), ("three-quarters full", "fill", 0.75), ("nearly full", "fill", 0.85),
    ("nearly empty", "fill", 0.12), ("almost empty", "fill", 0.12), ("half open", "open", 0.45),
    ("half-open", "open", 0.45), ("ajar", "open", 0.28), ("half closed", "open", 0.45), ("half raised", "raised", 0.5),
    ("half lowered", "raised", 0.5), ("half wound", "wound", 0.5), ("half turned", "turned", 0.5),
    # negations before what they negate
    ("not open", "open", 0), ("unopened", "open", 0), ("not shut", "open", 1), ("not closed", "open", 1),
    ("unlit", "lit", 0), ("not lit", "lit", 0), ("unlatched", "fastened", 0), ("unlocked", "fastened", 0),
    ("unbolted", "fastened", 0), ("unsealed", "fastened", 0), ("untied", "fastened", 0), ("unfastened", "fastened", 0),
    ("unhooked", "hung", 0), ("unbroken", "broken", 0), ("undamaged", "broken", 0), ("uncracked", "broken", 0),
    ("unwound", "wound", 0), ("uncoiled", "wound", 0), ("unrolled", "spread", 1), ("unfolded", "spread", 1),
    ("uncovered", "covered", 0), ("unveiled", "covered", 0), ("unwrapped", "covered", 0), ("unloaded", "loaded", 0),
    ("unladen", "loaded", 0), ("unfilled", "fill", 0), ("unpierced", "pierced", 0), ("uncut", "pierced", 0),
    ("undrilled", "pierced", 0), ("unturned", "turned", 0), ("unbuttoned", "open", 1), ("undone", "open", 1),
    ("untouched", "broken", 0), ("unwashed", "dirty", 1), ("unswept", "dirty", 1), ("unstained", "dirty", 0),
    # the phrases of tools and machines
    ("clear of", "across", 0), ("across", "across", 1), ("crosswise", "across", 1), ("in line", "across", 0),
    ("standing on end", "tipped", 1), ("on end ", "tipped", 1), ("on its side", "tipped", 1),
    ("on its nose", "tipped", 1), ("level on", "tipped", 0), ("upside down", "tipped", 1),
    ("upright", "tipped", 0), ("upright", "turned", 0), ("fallen", "tipped", 1), ("toppled", "tipped", 1),
    ("overturned", "tipped", 1), ("tipped", "tipped", 1), ("knocked over", "tipped", 1), ("leaning", "tipped", 0.25),
    ("laid over", "tipped", 0), ("boarded over", "covered", 1), ("laid across", "across", 1), ("stacked", "across", 0),
    ("at the top", "turned", 0), ("at the bottom", "turned", 1), ("over to the right", "turned", 1),
    ("over to the left", "turned", 0), ("fully forward", "turned", 1), ("forward", "turned", 1),
    ("pulled back", "turned", 1), ("pulled", "turned", 1), ("pushed in", "turned", 0), ("pushed", "turned", 1),
    ("turned on", "lit", 1), ("turned off", "lit", 0), ("turned down", "lit", 0.3), ("turned up", "lit", 1),
    ("switched on", "lit", 1), ("switched off", "lit", 0), ("on$", "lit", 1), ("off$", "lit", 0),
    ("turned", "turned", 1), ("straight", "turned", 0), ("centred", "turned", 0), ("neutral", "turned", 0),
    ("engaged", "turned", 1), ("disengaged", "turned", 0), ("thrown over", "turned", 1),
    # open and shut
    ("thrown open", "open", 1), ("thrown back", "open", 1), ("thrown up", "open", 1), ("thrown wide", "open", 1),
    ("wide open", "open", 1), ("swung back", "open", 1), ("folded back", "open", 1), ("pegged up", "open", 1),
    ("prised off", "open", 1), ("prised", "open", 1), ("lifted off", "open", 1), ("taken off", "open", 1),
    ("slit", "open", 1), ("gaping", "open", 1), ("splayed", "open", 1), ("drawn together", "open", 0),
    ("riveted together", "open", 0), ("drawn open", "open", 1), ("drawn shut", "open", 0), ("drawn", "open", 0),
    ("stopped with", "open", 0), ("plugged", "open", 0), ("corked", "open", 0), ("nailed down", "open", 0),
    ("nailed shut", "open", 0), ("screwed down", "open", 0), ("lidded", "open", 0), ("capped", "open", 0),
    ("tied shut", "open", 0), ("open", "open", 1), ("shut", "open", 0), ("clos", "open", 0), ("buttoned", "open", 0),
    ("opened", "open", 1), ("parted", "open", 1),
    # up and down
    ("raised", "raised", 1), ("lifted", "raised", 1), ("hoisted", "raised", 1), ("run up", "raised", 1),
    ("hauled up", "raised", 1), ("drawn up", "raised", 1), ("rolled up", "raised", 1), ("up$", "raised", 1),
    ("aloft", "raised", 1), ("winched up", "raised", 1), ("lowered", "raised", 0), ("sunk", "raised", 0),
    ("dropped", "raised", 0), ("let down", "raised", 0), ("hauled down", "raised", 0), ("down$", "raised", 0),
    # full and empty
    ("full to", "fill", 1), ("brim", "fill", 1), ("heaped", "fill", 1), ("bulging", "fill", 1), ("overflow", "fill", 1),
    ("full", "fill", 1), ("filled", "fill", 1), ("topped up", "fill", 1), ("packed", "fill", 1), ("stuffed", "fill", 1),
    ("charged", "fill", 1), ("empt", "fill", 0), ("drained", "fill", 0), ("limp", "fill", 0), ("dry inside", "fill", 0),
    ("poured out", "fill", 0), ("used up", "fill", 0),
    # loaded and bare
    ("laden", "loaded", 1), ("loaded", "loaded", 1), ("stocked", "loaded", 1), ("piled", "loaded", 1),
    ("covered with", "loaded", 1), ("covered in", "loaded", 1), ("spread with", "loaded", 1), ("set with", "loaded", 1),
    ("laid out", "loaded", 1), ("bare", "loaded", 0), ("cleared", "loaded", 0), ("clear ", "loaded", 0),
    # light and fire
    ("burning", "lit", 1), ("alight", "lit", 1), ("aflame", "lit", 1), ("blazing", "lit", 1), ("glowing", "lit", 1),
    ("lit ", "lit", 1), ("shining", "lit", 1), ("on fire", "lit", 1), ("smouldering", "lit", 0.5), ("hot", "lit", 0.8),
    ("blown out", "lit", 0), ("snuffed", "lit", 0), ("out$", "lit", 0), ("extinguished", "lit", 0), ("dark ", "lit", 0),
    ("cold", "lit", 0), ("dead", "lit", 0), ("lighted", "lit", 1),
    # broken and whole
    ("broken", "broken", 1), ("snapped", "broken", 1), ("cracked", "broken", 1), ("split", "broken", 1),
    ("torn", "broken", 1), ("smashed", "broken", 1), ("shattered", "broken", 1), ("burst", "broken", 1),
    ("in pieces", "broken", 1), ("in two", "broken", 1), ("damaged", "broken", 1), ("bent", "broken", 0.6),
    ("jammed", "broken", 0.5), ("leaking", "wet", 1), ("mended", "broken", 0), ("repaired", "broken", 0),
    ("patched", "broken", 0), ("whole", "broken", 0), ("intact", "broken", 0), ("sound ", "broken", 0),
    ("fixed", "broken", 0), ("joined", "broken", 0), ("spliced", "broken", 0), ("glued", "broken", 0),
    # clean, dirty, wet, dry
    ("caked", "dirty", 1), ("muddy", "dirty", 1), ("mud", "dirty", 1), ("dirty", "dirty", 1), ("soot", "dirty", 1),
    ("dusty", "dirty", 0.7), ("greasy", "dirty", 0.7), ("stained", "dirty", 0.8), ("rusty", "dirty", 1),
    ("filthy", "dirty", 1), ("smeared", "dirty", 0.8), ("tarnished", "dirty", 0.8), ("littered", "dirty", 1),
    ("clean", "dirty", 0), ("scrubbed", "dirty", 0), ("wiped", "dirty", 0), ("polished", "dirty", 0),
    ("washed", "dirty", 0), ("swept", "dirty", 0), ("rinsed", "dirty", 0), ("spotless", "dirty", 0),
    ("streaming", "wet", 1), ("soaked", "wet", 1), ("dripping", "wet", 1), ("drenched", "wet", 1), ("wet", "wet", 1),
    ("damp", "wet", 0.6), ("soaking", "wet", 1), ("dry ", "wet", 0), ("dried", "wet", 0),
    # wound, spread, fastened, hung
    ("wound", "wound", 1), ("coiled", "wound", 1), ("reeled in", "wound", 1), ("paid out", "wound", 0),
    ("run out", "wound", 0), ("slack", "wound", 0), ("taut", "wound", 1), ("tight", "wound", 1),
    ("run down", "wound", 0), ("spread", "spread", 1), ("flat out", "spread", 1), ("stretched", "spread", 1),
    ("rolled", "spread", 0), ("folded", "spread", 0), ("furled", "spread", 0), ("bundled", "spread", 0),
    ("crumpled", "spread", 0.3), ("sealed", "fastened", 1), ("under seal", "fastened", 1), ("locked", "fastened", 1),
    ("bolted", "fastened", 1), ("barred", "fastened", 1), ("latched", "fastened", 1), ("knotted", "fastened", 1),
    ("tied", "fastened", 1), ("strapped", "fastened", 1), ("fastened", "fastened", 1), ("lashed", "fastened", 1),
    ("chained", "fastened", 1), ("loose", "fastened", 0), ("free ", "fastened", 0), ("hung", "hung", 1),
    ("hanging", "hung", 1), ("hooked", "hung", 1), ("screwed to", "hung", 1), ("taken down", "hung", 0),
    # covered, running, pierced
    ("covered", "covered", 1), ("wrapped", "covered", 1), ("draped", "covered", 1), ("sheeted", "covered", 1),
    ("hooded", "covered", 1), ("veiled", "covered", 1), ("spinning", "running", 1), ("running", "running", 1),
    ("turning", "running", 1), ("working", "running", 1), ("ringing", "running", 1), ("ticking", "running", 1),
    ("swinging", "running", 1), ("standing still", "running", 0), ("stopped$", "running", 0), ("still$", "running", 0),
    ("idle", "running", 0), ("silent", "running", 0), ("stationary", "running", 0), ("at rest", "running", 0),
    ("pierced", "pierced", 1), ("morticed", "pierced", 1), ("drilled", "pierced", 1), ("bored", "pierced", 1),
)  # fmt: skip


def _compiled(words: str) -> re.Pattern[str]:
    ending = r"$" if words.endswith("$") else r"\b" if words.endswith(" ") else ""
    return re.compile(r"\b" + re.escape(words.strip(" $")) + ending)


_PATTERNS = [
    (words, _compiled(words), axis, float(value))
    for words, axis, value in sorted(_TABLE, key=lambda row: -len(row[0].strip(" $")))
]


@lru_cache(maxsize=4096)
def axes_of(phrase: str) -> tuple[tuple[str, float], ...]:
    """`state_axes` as a hashable value."""
    text = " ".join(phrase.lower().split())
    found: dict[str, float] = {}
    said: dict[tuple[int, int], str] = {}
    for words, pattern, axis, value in _PATTERNS:
        match = pattern.search(text)
        if match is None or axis in found:
            continue
        # Words that decided one axis say nothing about another: "covered with seed" is a load, not a cover.
        if any(a < match.end() and match.start() < b and words != other for (a, b), other in said.items()):
            continue
        found[axis] = value
        said[match.span()] = words
    if not found and text:
        found["mark"] = round(int(digest("StateMark", text)[:6], 16) / 0xFFFFFF, 2)
    return tuple(found.items())


def state_axes(phrase: str) -> dict[str, float]:
    """The axes that a state's words speak of, each 0…1."""
    return dict(axes_of(phrase))


_CONTENTS: dict[str, Colour] = {
    "flour": (0.95, 0.93, 0.88), "meal": (0.88, 0.80, 0.62), "grain": (0.83, 0.68, 0.36), "seed": (0.76, 0.60, 0.33),
    "rye": (0.70, 0.55, 0.34), "malt": (0.72, 0.50, 0.26), "mash": (0.66, 0.48, 0.28), "corn": (0.90, 0.74, 0.28),
    "water": (0.36, 0.55, 0.66), "brine": (0.45, 0.62, 0.64), "milk": (0.96, 0.95, 0.91), "cream": (0.96, 0.92, 0.80),
    "beer": (0.72, 0.45, 0.14), "wine": (0.45, 0.10, 0.18), "oil": (0.62, 0.50, 0.16), "coal": (0.13, 0.13, 0.14),
    "ash": (0.62, 0.60, 0.58), "ashes": (0.62, 0.60, 0.58), "sand": (0.82, 0.70, 0.46), "salt": (0.95, 0.95, 0.95),
    "sugar": (0.96, 0.95, 0.93), "weed": (0.30, 0.40, 0.20), "straw": (0.86, 0.74, 0.42), "hay": (0.74, 0.68, 0.36),
    "earth": (0.36, 0.26, 0.18), "soil": (0.36, 0.26, 0.18), "mud": (0.36, 0.26, 0.18), "ice": (0.80, 0.90, 0.95),
    "snow": (0.96, 0.97, 0.98), "fish": (0.62, 0.68, 0.72), "herring": (0.62, 0.68, 0.72), "apples": (0.76, 0.24, 0.18),
    "fruit": (0.82, 0.40, 0.20), "potatoes": (0.70, 0.55, 0.35), "bread": (0.76, 0.55, 0.30), "dough": (0.92, 0.86, 0.72),
    "cheese": (0.92, 0.76, 0.36), "butter": (0.96, 0.86, 0.50), "wool": (0.90, 0.87, 0.80), "cotton": (0.95, 0.94, 0.92),
    "oakum": (0.45, 0.33, 0.20), "shavings": (0.86, 0.72, 0.48), "sawdust": (0.84, 0.70, 0.46), "clay": (0.68, 0.45, 0.32),
    "cullet": (0.55, 0.75, 0.62), "glass": (0.60, 0.80, 0.72), "tar": (0.10, 0.09, 0.09), "ink": (0.10, 0.12, 0.25),
    "tea": (0.55, 0.32, 0.14), "coffee": (0.30, 0.19, 0.12), "soup": (0.80, 0.52, 0.22), "letters": (0.94, 0.92, 0.86),
    "papers": (0.94, 0.92, 0.86), "tools": (0.50, 0.52, 0.55), "nails": (0.45, 0.46, 0.48), "hops": (0.52, 0.60, 0.28),
    "wax": (0.90, 0.76, 0.40), "grease": (0.80, 0.68, 0.30), "fibre": (0.50, 0.37, 0.22), "twine": (0.78, 0.66, 0.42),
    "paint": (0.78, 0.26, 0.20), "chips": (0.84, 0.68, 0.44), "curd": (0.96, 0.93, 0.84), "liquor": (0.42, 0.26, 0.14),
    "flowers": (0.86, 0.46, 0.56), "stones": (0.58, 0.57, 0.55), "logs": (0.55, 0.40, 0.26), "wood": (0.66, 0.50, 0.32),
    "honey": (0.90, 0.62, 0.16), "jam": (0.62, 0.10, 0.18),
}  # fmt: skip
PLAIN_CONTENT: Colour = (0.84, 0.76, 0.58)


def content_colour(words: str) -> Colour | None:
    """The colour of what a thing is said to be full of, where the words name it."""
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in _CONTENTS:
            return _CONTENTS[word]
        if word.endswith("s") and word[:-1] in _CONTENTS:
            return _CONTENTS[word[:-1]]
    return None
