"""Artifacts by content. What was put is either there, whole, or not there at all.

Writing goes to a temporary name, is fsynced, renamed, and the folder is fsynced: a crash at any moment
leaves the old state or the new one. Reading checks the content against its address; what does not match is
moved aside and refused. Nothing is ever overwritten by something else, because the name is the content.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from storyengine.errors import ContractError, CorruptData, FolderError
from storyengine.runs.digest import ContentHash, digest_bytes, digest_file, is_digest
from storyengine.runs.folder import folder_errors, make_folder, sync_folder


@dataclass(frozen=True)
class Artifact:
    """Something that lies in a store."""

    digest: str
    """SHA-256 of the content; its name in the store."""
    size: int
    """Length in bytes."""


class Store(Protocol):
    """Where artifacts lie. A folder today; an object store can implement the same verbs.

    `get` and `path` raise CorruptData rather than return anything that does not match its digest.
    """

    def put(self, data: bytes | Path) -> Artifact:
        """Keep these bytes, or a copy of this file, durably. Putting the same content twice is free of harm."""

    def get(self, digest: str) -> bytes:
        """The content, verified."""

    def path(self, digest: str) -> Path:
        """A local file with the content, verified. Read it, never write to it."""

    def has(self, digest: str, size: int | None = None) -> bool:
        """Whether it is there, and has this size where one is given. Does not read the content."""

    def size(self, digest: str) -> int:
        """Length in bytes, without reading the content."""

    def digests(self) -> Iterator[str]:
        """Every artifact, in no particular order."""

    def delete(self, digest: str) -> None:
        """Remove an artifact; nothing happens when it is not there."""


class LocalStore:
    """A store in a folder: `ab/cdef…` per artifact, `tmp/` for unfinished ones, `corrupt/` for refused ones."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, data: bytes | Path) -> Artifact:
        with folder_errors("write to the store", self.root):
            return self._put_bytes(data) if isinstance(data, bytes) else self._put_file(data)

    def get(self, digest: str) -> bytes:
        path = self._existing(digest)
        with folder_errors("read the artifact", path):
            data = path.read_bytes()
        if digest_bytes(data) != digest:
            raise self._refused(digest, path)
        return data

    def path(self, digest: str) -> Path:
        path = self._existing(digest)
        with folder_errors("read the artifact", path):
            sound = digest_file(path) == digest
        if not sound:
            raise self._refused(digest, path)
        return path

    def has(self, digest: str, size: int | None = None) -> bool:
        try:
            found = self._place(digest).stat()
        except OSError:
            return False
        return size is None or found.st_size == size

    def digests(self) -> Iterator[str]:
        for shard in sorted(self.root.glob("[0-9a-f][0-9a-f]")):
            for path in sorted(shard.iterdir()):
                if is_digest(shard.name + path.name):
                    yield shard.name + path.name

    def delete(self, digest: str) -> None:
        path = self._place(digest)
        with folder_errors("remove", path):
            path.unlink(missing_ok=True)

    def size(self, digest: str) -> int:
        with folder_errors("look at", self._place(digest)):
            return self._place(digest).stat().st_size

    def leftovers(self) -> Iterator[Path]:
        """Unfinished writes of processes that died, and corrupt artifacts that were moved aside."""
        for name in ("tmp", "corrupt"):
            if (self.root / name).is_dir():
                yield from sorted((self.root / name).iterdir())

    def _put_bytes(self, data: bytes) -> Artifact:
        artifact = Artifact(digest_bytes(data), len(data))
        if not self._already(artifact):
            temporary = self._temporary()
            try:
                with temporary.open("xb") as file:
                    file.write(data)
                    _sync(file)
                self._publish(temporary, artifact)
            finally:
                temporary.unlink(missing_ok=True)
        return artifact

    def _put_file(self, source: Path) -> Artifact:
        temporary = self._temporary()
        content, size = ContentHash(), 0
        try:
            with source.open("rb") as reader, temporary.open("xb") as file:
                while piece := reader.read(ContentHash.chunk):
                    content.update(piece)
                    size += file.write(piece)
                _sync(file)
            artifact = Artifact(content.hexdigest(), size)
            if not self._already(artifact):
                self._publish(temporary, artifact)
        finally:
            temporary.unlink(missing_ok=True)
        return artifact

    def _already(self, artifact: Artifact) -> bool:
        """Whether a sound copy is there. A damaged one does not count and will be replaced."""
        path = self._place(artifact.digest)
        if not self.has(artifact.digest, artifact.size) or digest_file(path) != artifact.digest:
            return False
        # Another process may have died between its rename and its fsync of the folder.
        sync_folder(path.parent)
        return True

    def _publish(self, temporary: Path, artifact: Artifact) -> None:
        path = self._place(artifact.digest)
        make_folder(path.parent)
        temporary.chmod(0o444)
        os.replace(temporary, path)
        sync_folder(path.parent)

    def _temporary(self) -> Path:
        make_folder(self.root / "tmp")
        return self.root / "tmp" / f"{os.getpid()}-{secrets.token_hex(8)}"

    def _place(self, digest: str) -> Path:
        if not is_digest(digest):
            raise ContractError(f"{digest!r} is not a digest.")
        return self.root / digest[:2] / digest[2:]

    def _existing(self, digest: str) -> Path:
        path = self._place(digest)
        if not path.is_file():
            raise FolderError(
                f"The artifact {digest[:12]} is not in the store {self.root}.",
                next_step="Run the same command again; what is missing is made again.",
            )
        return path

    def _refused(self, digest: str, path: Path) -> CorruptData:
        aside = self.root / "corrupt" / digest
        # On a read-only disk it stays where it is; refusing it does not depend on moving it.
        with suppress(OSError):
            make_folder(aside.parent)
            os.replace(path, aside)
        return CorruptData(
            f"The artifact {digest[:12]} in {self.root} is damaged: its content does not match its digest.",
            next_step="It was moved aside. Run the same command again: free work is done again, paid work is "
            "fetched from its provider again where that is possible. Check the disk.",
        )


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
