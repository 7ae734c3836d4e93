"""The register of fittings: fixed equipment by the word people use for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from storyengine.previz.places.model import Mount
from storyengine.previz.places.piece import Piece, Random
from storyengine.previz.places.tones import Tones

Build = Callable[[Random, Tones, float], Piece]
"""`build(random, tones, width)`: `width` is the length of wall it may take, within the fitting's own limits."""


@dataclass(frozen=True)
class Fitting:
    """A kind of fixed equipment."""

    name: str
    mount: Mount
    least: float
    """Shortest wall it fits on, metres."""
    most: float
    """Longest wall it fills."""
    build: Build


FITTINGS: dict[str, Fitting] = {}
"""All fittings by name."""


def fitting(mount: Mount, least: float, most: float, name: str = "") -> Callable[[Build], Build]:
    """Registers a builder under `name` or its function's name (underscores are spaces)."""

    def register(build: Build) -> Build:
        known = name or build.__name__.strip("_").replace("_", " ")
        FITTINGS[known] = Fitting(known, mount, least, most, build)
        return build

    return register
