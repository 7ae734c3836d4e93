"""Landmarks as pieces of the room: a fitting where the words name one, otherwise a prop of the shape families."""

from __future__ import annotations

from storyengine.previz.places.assembly import Assembly
from storyengine.previz.places.fittings import FITTINGS
from storyengine.previz.places.model import LandmarkWords, Mount
from storyengine.previz.places.piece import Piece
from storyengine.previz.places.words import fitting_named


def landmark_piece(words: LandmarkWords, work: Assembly, width: float) -> tuple[Piece, Mount]:
    """The piece for a landmark and how it is mounted. The name decides; the look only where the name says nothing."""
    kind = fitting_named(words.name) or fitting_named(words.look) or "crates"
    return work.make(kind, width), FITTINGS[kind].mount
