"""The light of a place, from what a style says about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from storyengine.language.reading.tokens import split_sentences

_DARK = "dark gloomy unlit black night-dark shadowy pitch-dark murky"
_DIM = (
    "dim dimmer low soft candlelit candle lamplit dusky half-dark shaded twilight lantern lamplight dull overcast "
    "gloom darker muted single-bulb shade"
)
_BRIGHT = "bright brighter sunny sunlit dazzling brilliant glaring blazing daylight sun floodlit white-lit fluorescent"
_WARM = (
    "warm warmer golden amber orange candlelit candle firelight lamplight honey sunset tungsten glowing fire-lit "
    "red-glowing lantern gold sun"
)
_COOL = (
    "cool cooler cold colder blue bluish grey gray moonlit moonlight steel icy pale-blue fluorescent north "
    "northern wintry overcast"
)
_SPEAKS_OF_LIGHT = re.compile(
    r"\b(?:light|lit|sun|sunlight|daylight|lamp|lamps|lantern|lamplight|bright|brighter|dim|dimmer|dark|darker|warm|warmer|cool|cooler|cold|colder|glow|glowing|moon|moonlight|"
    r"shadow|shadows|candle|fire|firelight|window|gloom|gloomy|sunny|dusk|dawn|night|golden|overcast)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PlaceLight:
    """How a place is lit."""

    look: str
    brightness: Literal["dark", "dim", "even", "bright"]
    tone: Literal["cool", "neutral", "warm"]


_PLAINLY = re.compile(
    r"\b(?:day|sun|moon|lamp|candle|fire)?light(?:s|ing)?\b(?!\s+(?:the|a|an|her|his)\b)|\blit\s+by\b|\bis\s+(?:dim|dark|bright|sunny)",
    re.IGNORECASE,
)


def light_of(style: str, idea: str, places: tuple[str, ...]) -> dict[str, PlaceLight]:
    """The light of each place, from the style or plainly from the idea.

    A sentence that names no place is about all places that no other sentence describes.
    """
    text = " ".join([style, *(s for s in split_sentences(idea) if _PLAINLY.search(s))])
    said: dict[str, list[str]] = {place: [] for place in places}
    general: list[str] = []
    for sentence in split_sentences(text):
        if not _SPEAKS_OF_LIGHT.search(sentence) or re.search(r"\bshots?\s+\d", sentence, re.IGNORECASE):
            continue
        for part in _parts(sentence, places):
            named = [place for place in places if _names(part, place)]
            for place in named:
                said[place].append(part)
            if not named and _describes(part):
                general.append(part)
    return {
        place: _light(" ".join(parts) or " ".join(general[:1])) for place, parts in said.items() if parts or general
    }


def _parts(sentence: str, places: tuple[str, ...]) -> list[str]:
    """Halves of a sentence that speak of different places."""
    pieces = re.split(r";\s*|,\s*(?:and|but|while|whereas)\s+|\s+(?:while|whereas|but)\s+", sentence)
    return [piece for piece in pieces if piece.strip() and _SPEAKS_OF_LIGHT.search(piece)]


def _names(part: str, place: str) -> bool:
    return bool(re.search(rf"\b{re.escape(place)}\b", part, re.IGNORECASE)) or bool(
        re.search(rf"\bthe\s+{re.escape(place.split()[-1])}\b", part, re.IGNORECASE) and len(place.split()) == 1
    )


def _describes(part: str) -> bool:
    """Whether a part without a place is about the light itself, not about a lamp that somebody carries."""
    return bool(
        re.search(
            r"\b(?:light|daylight|lit|sun|sunlight|moonlight|lamplight|firelight|overcast|dusk|dawn|glow)\b",
            part,
            re.IGNORECASE,
        )
    )


def _light(words: str) -> PlaceLight:
    found = set(re.findall(r"[a-z-]+", words.lower()))

    def any_of(group: str) -> bool:
        return bool(found & set(group.split()))

    brightness: Literal["dark", "dim", "even", "bright"] = "even"
    if any_of(_DARK):
        brightness = "dark"
    elif any_of(_DIM):
        brightness = "dim"
    elif any_of(_BRIGHT):
        brightness = "bright"
    warm, cool = any_of(_WARM), any_of(_COOL)
    tone: Literal["cool", "neutral", "warm"] = (
        "warm" if warm and not cool else "cool" if cool and not warm else "neutral"
    )
    return PlaceLight(" ".join(words.split()).strip(" ,.;")[:300], brightness, tone)
