"""Small pictures beside the report: thumbnails of pictures, posters and filmstrips of clips.

A file is named after what it shows, so that a report that is rewritten after every shot makes each of them once.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from storyengine.continuity.crew import CLIP_FRACTIONS
from storyengine.errors import CorruptData
from storyengine.files import write_bytes
from storyengine.media.clip import Clip
from storyengine.media.picture import Picture, Pixels
from storyengine.media.sampling import at_fractions

FOLDER = "report"
WIDTH = 480
STRIP_WIDTH = 240
STRIP_COLUMNS = 4
STRIP_ROWS = -(-len(CLIP_FRACTIONS) // STRIP_COLUMNS)
QUALITY = 80
EDGE, DARK = 2, 12


@dataclass(frozen=True)
class Thumbnails:
    """Writes small JPEGs into the film's folder and gives links to them; None for what cannot be read."""

    folder: Path
    read: Callable[[str], bytes]

    def picture(self, digest: str) -> str | None:
        return self._made(digest, "still", lambda data: _small(Picture.from_bytes(data), WIDTH))

    def poster(self, clip: str) -> str | None:
        """The frame in the middle of a clip."""
        return self._made(clip, "poster", lambda data: _small(_frames(data, (0.5,))[0], WIDTH))

    def strip(self, clip: str) -> str | None:
        """The frames that the judge saw, in rows of four."""
        return self._made(clip, "strip", lambda data: _laid_out(_frames(data, CLIP_FRACTIONS)))

    def _made(self, digest: str, kind: str, make: Callable[[bytes], Picture]) -> str | None:
        link = f"{FOLDER}/{digest[:20]}-{kind}.jpg"
        if not (self.folder / link).exists():
            try:
                picture = make(self.read(digest))
            except CorruptData:
                return None
            write_bytes(self.folder / link, _jpeg(picture))
        return link


def _frames(data: bytes, fractions: tuple[float, ...]) -> list[Picture]:
    frames = Clip.from_bytes(data).frames
    if not len(frames):
        raise CorruptData(f"No frame of this clip of {len(data)} bytes can be decoded.")
    return [frames[index] for index in at_fractions(len(frames), fractions)]


def _small(picture: Picture, width: int) -> Picture:
    """A thumbnail, never larger than the picture. It leads nowhere, so no digest of the picture is reckoned for it."""
    width = min(width, picture.width)
    size = (width, max(1, round(width * picture.height / picture.width)))
    return Picture(np.asarray(cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA), np.uint8))


def _laid_out(frames: list[Picture]) -> Picture:
    tiles = [_edged(_small(frame, STRIP_WIDTH)) for frame in frames]
    rows = [np.hstack(tiles[at : at + STRIP_COLUMNS]) for at in range(0, len(tiles), STRIP_COLUMNS)]
    return Picture(np.vstack(rows))


def _edged(frame: Picture) -> Pixels:
    """The frame with a dark edge drawn into it: its place in the strip stays what boxes reckon with."""
    pixels = frame.pixels.copy()
    pixels[:EDGE] = pixels[-EDGE:] = pixels[:, :EDGE] = pixels[:, -EDGE:] = DARK
    return pixels


def _jpeg(picture: Picture) -> bytes:
    out = io.BytesIO()
    Image.fromarray(picture.pixels).save(out, "JPEG", quality=QUALITY, optimize=True)
    return out.getvalue()
