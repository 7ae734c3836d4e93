"""Landmarks as pieces of the place: a fitting where the words name one, otherwise a prop of the shape families.

Either way it wears the colours that its description names, by the same `prop_look` that everyone else uses.
"""

from __future__ import annotations

from dataclasses import replace

from storyengine.previz import props
from storyengine.previz.appearance import landmark_fitting, prop_look
from storyengine.previz.looks import PropLook
from storyengine.previz.places.assembly import Assembly
from storyengine.previz.places.fittings import FITTINGS
from storyengine.previz.places.model import LandmarkWords, Mount
from storyengine.previz.places.piece import Piece
from storyengine.previz.places.tones import Tones

LARGEST = 3.0
"""Longest side of a landmark that is built from a prop family, metres."""


def landmark_kind(words: LandmarkWords) -> str | None:
    """The fitting that a landmark is, or None for a prop."""
    return landmark_fitting(words.name, words.look)


def landmark_piece(words: LandmarkWords, work: Assembly, width: float) -> tuple[Piece, Mount]:
    """The piece for a landmark and how it is mounted."""
    look = prop_look(words.name, words.look)
    kind = landmark_kind(words)
    if kind is None:
        return _prop_piece(look, work)
    own = replace(work, tones=_tones_of(look, work.tones))
    piece = own.make(kind, width)
    work.count = own.count
    return piece, FITTINGS[kind].mount


def _tones_of(look: PropLook, tones: Tones) -> Tones:
    """The place's palette with the landmark's own colours in front."""
    return replace(tones, wood=look.colour, paint=look.colour, second=look.colour, cloth=look.accent, metal=look.colour)


def _prop_piece(look: PropLook, work: Assembly) -> tuple[Piece, Mount]:
    """A prop in its usual state. Small ones stand on a low plinth, so that they can be seen as landmarks."""
    model = props.build(look)
    low, high = model.bounds()
    size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
    width, depth = (min(max(side, 0.3), LARGEST) for side in size[:2])
    piece = Piece(work.stream(4, work.count), work.tones, width, depth, size[2])
    lift = 0.0
    if not model.hangs and size[2] < 0.6 and max(size) < 0.8:
        lift = 0.75
        piece.block((0, 0, 0), (max(width, 0.4), max(depth, 0.4), lift), work.tones.timber())
        piece.width, piece.depth, piece.height = max(width, 0.4), max(depth, 0.4), lift + size[2]
    for part in model.parts:
        piece.add(part.mesh.moved(part.matrix), (0, 0, lift), glow=part.glow)
    if model.hangs:
        return piece, "hung"
    return piece, "wall"
