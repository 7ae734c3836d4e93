"""The light of a place from its `LightLook`: how bright, how warm, and where it comes from.

Four brightnesses and three tones are plainly different in the finished print: brightness is the print's exposure, tone
its white balance together with the colour of the light itself.
"""

from __future__ import annotations

import math

from storyengine.previz.looks import LightLook, PlaceLook
from storyengine.previz.places.tones import shaded
from storyengine.previz.render import Colour, Sky, Sun

BRIGHTNESS: dict[str, float] = {"dark": 0.15, "dim": 0.25, "even": 0.41, "bright": 0.66}
WARMTH: dict[str, float] = {"cool": -0.85, "neutral": 0.0, "warm": 0.85}
_LAMP: dict[str, Colour] = {"cool": (0.88, 0.95, 1.0), "neutral": (1.0, 0.92, 0.80), "warm": (1.0, 0.80, 0.54)}
_DAY: dict[str, Colour] = {"cool": (0.74, 0.89, 1.0), "neutral": (0.90, 0.95, 1.0), "warm": (1.0, 0.88, 0.70)}
_SKY = {"dark": 0.3, "dim": 0.66, "even": 0.88, "bright": 1.0}
"""How bright the sky itself is in the picture."""
_HAZE: dict[str, Colour] = {"cool": (0.83, 0.89, 0.93), "neutral": (0.89, 0.91, 0.89), "warm": (0.95, 0.89, 0.78)}


def exposure_of(look: PlaceLook) -> float:
    """The print's brightness: dark surfaces get a little more light, so that a sooty forge is still readable."""
    surfaces = (look.walls, look.floor) if not look.outdoor else (look.floor,)
    tones = [0.3 * s.colour[0] + 0.6 * s.colour[1] + 0.1 * s.colour[2] for s in surfaces]
    lift = math.sqrt(0.55 / max(sum(tones) / len(tones), 0.1))
    return BRIGHTNESS[look.light.brightness] * min(max(lift, 0.92), 1.6)


def lamp_colour(light: LightLook) -> Colour:
    return _LAMP[light.tone]


def day_colour(light: LightLook) -> Colour:
    return (0.55, 0.68, 1.0) if light.source == "moon" else _DAY[light.tone]


def has_windows(light: LightLook) -> bool:
    return light.source in ("window", "sun", "overcast", "moon")


def window_power(light: LightLook) -> float:
    """Relative to a lamp of power 1."""
    return {"sun": 1.5, "window": 1.0, "overcast": 0.8, "moon": 0.5, "skylight": 1.2}.get(light.source, 0.2)


def lamp_power(light: LightLook) -> float:
    """Lamps carry the light where there is no day; otherwise they only fill."""
    return {"lamp": 1.0, "fire": 0.16, "moon": 0.05}.get(light.source, 0.12)


def lamps_lit(light: LightLook) -> bool:
    return light.source in ("lamp", "fire")


def sky_of(light: LightLook, skyline: str, seed: int) -> Sky:
    """What is seen outside, and what lights an open place."""
    if light.source == "moon" or light.brightness == "dark":
        night: Colour = (0.16, 0.21, 0.32) if light.tone != "warm" else (0.24, 0.20, 0.26)
        glow: Colour = (0.34, 0.40, 0.50) if light.tone != "warm" else (0.52, 0.40, 0.34)
        return Sky(night, glow, (0.16, 0.18, 0.19), skyline, 0.35, 1.0, seed=seed)
    share = _SKY[light.brightness]
    haze = shaded(_HAZE[light.tone], share)
    if light.source == "overcast":
        grey: Colour = (haze[0] * 0.80, haze[1] * 0.82, haze[2] * 0.84)
        return Sky(grey, haze, (0.46, 0.48, 0.42), skyline, 0.9 * share, 1.0, seed=seed)
    blue: Colour = {"cool": (0.50, 0.67, 0.85), "neutral": (0.58, 0.71, 0.83), "warm": (0.66, 0.70, 0.76)}[light.tone]
    return Sky(shaded(blue, share), haze, shaded((0.50, 0.52, 0.42), share), skyline, 0.45 * share, 1.0, seed=seed)


def sun_of(light: LightLook, bearing: float) -> Sun | None:
    """Direct light of an open place: none under cloud, low and golden when warm, silver by night."""
    if light.source == "overcast":
        return None
    if light.source == "moon" or light.brightness == "dark":
        return Sun(bearing, 42, (0.62, 0.74, 1.0), 0.8, 0.10)
    height = {"cool": 40.0, "neutral": 48.0, "warm": 24.0}[light.tone]
    colour: Colour = {"cool": (1.0, 0.97, 0.92), "neutral": (1.0, 0.93, 0.80), "warm": (1.0, 0.80, 0.52)}[light.tone]
    strength = {"dim": 0.7, "even": 1.0, "bright": 1.5}[light.brightness]
    return Sun(bearing, height, colour, strength, 0.07)
