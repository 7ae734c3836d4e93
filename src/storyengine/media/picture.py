"""A picture is pixels and a digest; one that was derived from another also says from which, and how.

The derivation travels inside the PNG as ordinary text metadata. A picture that came from elsewhere has none, and
`to_png(bare=True)` leaves it out: judges get pixels and nothing else.
"""

from __future__ import annotations

import io
import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from storyengine.errors import CorruptData, InputError
from storyengine.runs.digest import digest_bytes, is_digest

Pixels = npt.NDArray[np.uint8]

LARGEST_SIDE = 16384
PNG = b"\x89PNG\r\n\x1a\n"
"""How every PNG file begins."""
_PARENT, _TRANSFORM = "storyengine:parent", "storyengine:transform"
_COMPRESSION = [
    cv2.IMWRITE_PNG_COMPRESSION, 1,
    cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_DEFAULT,
    cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP,
]  # fmt: skip
"""Trying all filters on every row takes 1.6 times as long, to write and to read, for files a fifth smaller."""
_HEADER = len(PNG) + 25
"""Where the header of a PNG ends and its other chunks begin."""
_DEPTH_AND_COLOUR = slice(24, 26)


@dataclass(frozen=True)
class Derivation:
    """From which picture or clip, and by what transform."""

    parent: str
    """Digest of the parent's pixels, or of the clip's file for a frame."""
    transform: str
    """`frame`, `crop`, `resize` or `view`."""
    values: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __hash__(self) -> int:
        return hash((self.parent, self.transform, tuple(sorted(self.values.items()))))


@dataclass(frozen=True, eq=False)
class Picture:
    """sRGB bytes (height, width, 3), never written to. Equal pixels of equal size have equal digests."""

    pixels: Pixels
    derivation: Derivation | None = None

    def __post_init__(self) -> None:
        if self.pixels.ndim != 3 or self.pixels.shape[2] != 3 or self.pixels.dtype != np.uint8 or not self.pixels.size:
            raise InputError(
                f"A picture needs 8-bit (height, width, 3) pixels, not {self.pixels.dtype} {self.pixels.shape}."
            )
        frozen = np.ascontiguousarray(self.pixels)
        if frozen is self.pixels and frozen.flags.writeable:
            frozen = frozen.copy()
        frozen.setflags(write=False)
        object.__setattr__(self, "pixels", frozen)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and self.digest == other.digest and self.derivation == other.derivation

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    @cached_property
    def digest(self) -> str:
        """Of the pixels and their size; how the file was compressed plays no part."""
        return digest_bytes(f"picture {self.width}x{self.height}\n".encode() + self.pixels.tobytes())

    def crop(self, left: int, top: int, width: int, height: int) -> Picture:
        """A part of the picture; it must lie inside."""
        inside = left >= 0 and top >= 0 and width > 0 and height > 0
        if not inside or left + width > self.width or top + height > self.height:
            raise InputError(
                f"A crop of {width}×{height} at ({left}, {top}) does not lie inside a picture of "
                f"{self.width}×{self.height}."
            )
        values = {"left": left, "top": top, "width": width, "height": height}
        return Picture(
            self.pixels[top : top + height, left : left + width].copy(), Derivation(self.digest, "crop", values)
        )

    def resize(self, width: int, height: int) -> Picture:
        """The whole picture at another size; shrinking averages, growing interpolates."""
        if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
            raise InputError(f"A picture cannot be made {width}×{height}; sides are 1 to {LARGEST_SIDE} pixels.")
        shrinks = width * height < self.width * self.height
        how = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
        pixels = np.asarray(cv2.resize(self.pixels, (width, height), interpolation=how), np.uint8)
        return Picture(pixels, Derivation(self.digest, "resize", {"width": width, "height": height}))

    def fill(self, width: int, height: int) -> Picture:
        """The picture at another size and shape: what sticks out of the middle on two sides is cut away."""
        if (self.width, self.height) == (width, height):
            return self
        scale = min(self.width / width, self.height / height)
        across, down = max(1, round(width * scale)), max(1, round(height * scale))
        middle = self.crop((self.width - across) // 2, (self.height - down) // 2, across, down)
        return middle.resize(width, height)

    def to_png(self, *, bare: bool = False) -> bytes:
        """PNG bytes; the same picture gives the same bytes. `bare` leaves the derivation out."""
        _, encoded = cv2.imencode(".png", cv2.cvtColor(self.pixels, cv2.COLOR_RGB2BGR), _COMPRESSION)
        file = encoded.tobytes()
        if self.derivation is None or bare:
            return file
        transform = {"name": self.derivation.transform, **self.derivation.values}
        notes = _text(_PARENT, self.derivation.parent) + _text(_TRANSFORM, json.dumps(transform, sort_keys=True))
        return file[:_HEADER] + notes + file[_HEADER:]

    def _repr_png_(self) -> bytes:
        """How notebooks show a picture."""
        return self.to_png(bare=True)

    @classmethod
    def from_bytes(cls, data: bytes) -> Picture:
        """A PNG or JPEG (or anything Pillow reads) as a picture. Transparency is laid on white."""
        notes_of_ours = _notes_of_ours(data)
        if notes_of_ours is not None:
            decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
            if decoded is not None:  # else it is damaged, and Pillow says how
                own = np.asarray(decoded, np.uint8)
                own.setflags(write=False)
                return cls(own, _derivation_from(notes_of_ours))
        try:
            with Image.open(io.BytesIO(data)) as image:
                if max(image.size) > LARGEST_SIDE:
                    raise InputError(f"A picture of {image.width}×{image.height} is too large; {LARGEST_SIDE} at most.")
                notes = dict(getattr(image, "text", {}) or {})
                if image.mode in ("RGBA", "LA", "P", "PA"):
                    layer = image.convert("RGBA")
                    flat = Image.new("RGBA", layer.size, (255, 255, 255, 255))
                    image_rgb = Image.alpha_composite(flat, layer).convert("RGB")
                else:
                    image_rgb = image.convert("RGB")
                pixels = np.asarray(image_rgb, np.uint8).copy()
        except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
            raise CorruptData(f"These {len(data)} bytes are no readable picture: {error}.") from error
        return cls(pixels, _derivation_from(notes))


def _is_plain(data: bytes) -> bool:
    """Whether this is a PNG of eight bits a channel without transparency and interlacing."""
    return data.startswith(PNG) and data[_DEPTH_AND_COLOUR] == b"\x08\x02" and data[_HEADER - 5] == 0


def _notes_of_ours(data: bytes) -> dict[str, str] | None:
    """The text of a PNG as this module writes it, with nothing else before its pixels; None for any other file.

    OpenCV decodes those twice as fast as Pillow.
    """
    if not _is_plain(data) or data[-8:-4] != b"IEND" or max(struct.unpack(">II", data[16:24])) > LARGEST_SIDE:
        return None
    notes: dict[str, str] = {}
    at = _HEADER
    while data[at + 4 : at + 8] == b"tEXt":
        end = at + 8 + int.from_bytes(data[at : at + 4])
        key, _, value = data[at + 8 : end].partition(b"\0")
        notes[key.decode("latin-1")] = value.decode("latin-1")
        at = end + 4
    return notes if data[at + 4 : at + 8] == b"IDAT" else None


def bare_png(data: bytes) -> bytes:
    """The pixels of an encoded picture as a PNG that holds nothing else. A plain PNG is not encoded again."""
    if not _is_plain(data):
        return Picture.from_bytes(data).to_png(bare=True)
    kept, at = [PNG], len(PNG)
    while at < len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4])
        if data[at + 4 : at + 8] in (b"IHDR", b"IDAT", b"IEND"):
            kept.append(data[at:end])
        at = end
    return b"".join(kept)


def _text(key: str, value: str) -> bytes:
    """A text chunk of a PNG."""
    body = b"tEXt" + key.encode("ascii") + b"\0" + value.encode("ascii")
    return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))


def _derivation_from(notes: Mapping[str, Any]) -> Derivation | None:
    """Notes that are not exactly ours are ignored: they came from elsewhere."""
    parent, text = notes.get(_PARENT), notes.get(_TRANSFORM)
    if not is_digest(parent) or not isinstance(text, str):
        return None
    try:
        transform = json.loads(text)
        name = transform.pop("name")
        values = {str(key): float(value) for key, value in transform.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return Derivation(str(parent), str(name), values)
