"""Which bytes a pin means: a candidate or opening by its number, a digest, a file, or what is in the film now."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from storyengine.change.projects import audit_of, audits
from storyengine.change.target import Target
from storyengine.errors import CorruptData, InputError
from storyengine.files import MAX_BYTES
from storyengine.media.clip import Clip
from storyengine.media.picture import Picture
from storyengine.request import Delivery
from storyengine.runs.store import LocalStore


def choose(folder: Path, target: Target, what: str | None, delivery: Delivery, store: LocalStore) -> tuple[str, str]:
    """Digest of what is pinned, which lies in the store afterwards, and its name for people."""
    if what is None:
        return _current(folder, target), "as it was in the film"
    if what.isdecimal() and target.shot is not None:
        return _numbered(folder, target, int(what))
    if re.fullmatch(r"[0-9a-f]{8,64}", what) and not Path(what).exists():
        return _by_digest(store, what), what[:12]
    data = _read(Path(what))
    if target.kind == "shot":
        _check_clip(data, Path(what), delivery)
    else:
        _check_picture(data, Path(what))
    return store.put(data).digest, Path(what).name


def _current(folder: Path, target: Target) -> str:
    """What the film shows for a target now."""
    if target.shot is not None:
        audit = audit_of(folder, target.shot)
        used = next((c for c in audit["candidates"] if c["candidate"] == audit["take"]), None)
        found = used and (used["clip"] if target.kind == "shot" else used["opening"])
    else:
        found = next((digest for audit in audits(folder).values() if (digest := _reference(audit, target))), None)
    if not found:
        raise InputError(f"Nothing was made for {target} yet.", next_step="Name a file to pin.")
    return str(found)


def _reference(audit: dict[str, Any], target: Target) -> str | None:
    context = audit["contract"]["context"]
    if target.kind == "place":
        return context["panorama"] if audit["contract"]["environment"] == target.name else None
    return next((b["asset"] for b in context["bindings"] if b["entity"] == target.name and not b["at_end"]), None)


def _numbered(folder: Path, target: Target, number: int) -> tuple[str, str]:
    assert target.shot is not None
    audit = audit_of(folder, target.shot)
    noun, field = ("candidate", "clip") if target.kind == "shot" else ("opening", "picture")
    tried = audit["candidates" if target.kind == "shot" else "openings"]
    if not 1 <= number <= len(tried) or not tried[number - 1][field]:
        there = ", ".join(str(i) for i, one in enumerate(tried, start=1) if one[field]) or "none"
        raise InputError(f"Shot {target.shot} has no {noun} {number} with a file; it has: {there}.")
    return tried[number - 1][field], f"{noun} {number}"


def _by_digest(store: LocalStore, start: str) -> str:
    found = [digest for digest in store.digests() if digest.startswith(start)]
    if len(found) != 1:
        raise InputError(
            f"{start} names {len(found)} artifacts of this project; exactly one is needed.",
            next_step="Write more of the digest, or a file.",
        )
    return found[0]


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > 16 * MAX_BYTES:
            raise InputError(f"{path} has more than {16 * MAX_BYTES:,} bytes.")
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror or error}.",
            next_step="Name a file, or a candidate or opening by its number.",
        ) from None


def _check_clip(data: bytes, path: Path, delivery: Delivery) -> None:
    """A film is cut from clips of one size and rate; another one would have to be encoded anew."""
    try:
        clip = Clip.from_bytes(data)
    except CorruptData as error:
        raise InputError(f"{path} is no clip: {error.message}") from None
    if (clip.width, clip.height, clip.fps) != (delivery.width, delivery.height, Fraction(delivery.fps)):
        raise InputError(
            f"{path} is {clip.width}×{clip.height} at {float(clip.fps):g} frames a second; the film is "
            f"{delivery.width}×{delivery.height} at {delivery.fps}.",
            next_step="Convert it first, for example with ffmpeg.",
        )


def _check_picture(data: bytes, path: Path) -> None:
    try:
        Picture.from_bytes(data)
    except CorruptData as error:
        raise InputError(f"{path} is no picture: {error.message}") from None
