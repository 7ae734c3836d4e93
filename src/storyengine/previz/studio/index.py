"""The studio's private memory: which scene a picture or clip of its own shows, and its jobs.

    scenes/ab/<digest of the pixels>.json      what a picture shows
    clips/ab/<digest of the file>.json         what a clip shows, moment by moment
    jobs/<id>/                                 request, state and result of a job

A picture is recognised by its pixels, or by the derivation that `media` wrote into the PNG: a frame of a clip, a view
of a panorama, a crop or a resize of something recognised. Everything is written to a temporary name and renamed.
Nothing here is told to a judge.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from storyengine.errors import FolderError
from storyengine.media.kernel import cache_folder
from storyengine.media.picture import Derivation, Picture
from storyengine.previz.studio.scene import Lens, Scene, from_json, to_json
from storyengine.runs.digest import digest_bytes

REMEMBERED = 1000
"""Files whose pixels need not be looked at again."""


@dataclass(frozen=True)
class Track:
    """What a clip shows: scenes in the order of their first frames, and the camera of every frame."""

    firsts: tuple[int, ...]
    scenes: tuple[Scene, ...]
    lenses: tuple[Lens, ...]

    def at(self, frame: int) -> Scene:
        """The scene of a frame: the last one whose changes were complete by then."""
        number = min(max(frame, 0), len(self.lenses) - 1)
        found = max(i for i, first in enumerate(self.firsts) if first <= number)
        return replace(self.scenes[found], lens=self.lenses[number])


_TRACK: TypeAdapter[Track] = TypeAdapter(Track)


class Index:
    """Scenes and clips on disk, by digest."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder() / "studio"
        self._lineages: dict[str, tuple[str, Derivation | None]] = {}

    def keep(self, picture: Picture, scene: Scene) -> None:
        write_whole(self._path("scenes", picture.digest), to_json(scene))

    def keep_clip(self, clip_digest: str, track: Track) -> None:
        write_whole(self._path("clips", clip_digest), _TRACK.dump_json(track))

    def scene(self, picture_digest: str) -> Scene | None:
        data = _read(self._path("scenes", picture_digest))
        try:
            return None if data is None else from_json(data)
        except ValidationError:
            # Written by another version of the studio: it no longer knows the picture.
            return None

    def track(self, clip_digest: str) -> Track | None:
        data = _read(self._path("clips", clip_digest))
        try:
            return None if data is None else _TRACK.validate_json(data)
        except ValidationError:
            return None

    def recognise(self, picture: Picture) -> Scene | None:
        """The scene of a picture that the studio made itself, or that was derived from one; else None."""
        return self._recognised(picture.digest, picture.derivation)

    def recognise_file(self, image: bytes) -> Scene | None:
        """The same for an encoded picture; raises CorruptData for bytes that are none.

        References come with every job, so the lineage of a file is remembered and its pixels are read once.
        """
        file = digest_bytes(image)
        known = self._lineages.get(file)
        if known is None:
            picture = Picture.from_bytes(image)
            known = self._lineages[file] = (picture.digest, picture.derivation)
            for oldest in list(self._lineages)[:-REMEMBERED]:
                self._lineages.pop(oldest, None)
        return self._recognised(*known)

    def _recognised(self, digest: str, derivation: Derivation | None) -> Scene | None:
        found = self.scene(digest)
        if found is not None or derivation is None:
            return found
        found = self._derived(derivation)
        if found is not None:
            # A derivation names only one parent; what is cut from this picture later leads here.
            write_whole(self._path("scenes", digest), to_json(found))
        return found

    def _derived(self, derivation: Derivation) -> Scene | None:
        if derivation.transform == "frame":
            track = self.track(derivation.parent)
            return None if track is None else track.at(int(derivation.values.get("index", 0)))
        parent = self.scene(derivation.parent)
        if parent is None or derivation.transform != "view" or parent.lens is None:
            return parent
        values = derivation.values
        lens = replace(
            parent.lens, yaw=values.get("yaw", 0.0), pitch=values.get("pitch", 0.0), fov=values.get("fov", 60.0)
        )
        return replace(parent, subject="view", lens=lens)

    def _path(self, kind: str, name: str) -> Path:
        return self.folder / kind / name[:2] / f"{name}.json"


def write_whole(path: Path, data: bytes) -> None:
    """All of it or nothing: a temporary file beside it, renamed when it is complete."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError as error:
        raise FolderError(
            f"The studio cannot write to {path.parent}: {error.strerror}.",
            next_step="Free space there, or set STORYENGINE_CACHE to another folder.",
        ) from error


def write_json(path: Path, value: Any) -> None:
    write_whole(path, json.dumps(value, sort_keys=True).encode())


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FolderError(f"The studio cannot read {path}: {error.strerror}.") from error
