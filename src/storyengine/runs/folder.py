"""What the machine does to a folder: full disks, read-only mounts, two processes, durable writes."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storyengine.errors import FolderError, FolderLocked

_NEXT_STEPS = {
    errno.ENOSPC: ("the disk is full", "Free some space and run the same command again; nothing is lost."),
    errno.EDQUOT: ("the disk quota is used up", "Free some space and run the same command again."),
    errno.EFBIG: ("the file would be larger than allowed", "Raise the limit (ulimit -f) and run it again."),
    errno.EROFS: ("it is on a read-only file system", "Choose a folder that can be written to."),
    errno.EACCES: ("permission was denied", "Change its permissions or choose another folder."),
    errno.EPERM: ("permission was denied", "Change its permissions or choose another folder."),
    errno.ENOENT: ("it does not exist", "Check the path."),
    errno.ENOTDIR: ("part of its path is a file", "Check the path."),
    errno.EIO: ("the disk reports a fault", "Check the disk; copy the project folder to another one."),
}


@contextmanager
def folder_errors(doing: str, path: Path) -> Iterator[None]:
    """Turn what the operating system says about a path into a FolderError with a next step."""
    try:
        yield
    except OSError as error:
        found, next_step = _NEXT_STEPS.get(
            error.errno or 0, (os.strerror(error.errno or 0), "Check the folder and run it again.")
        )
        raise FolderError(f"Cannot {doing} {path}: {found}.", next_step=next_step) from error


def sync_folder(folder: Path) -> None:
    """Make renames and new names in this folder survive a power loss."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make the folder and those above it, durably."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)


def free_bytes(folder: Path) -> int:
    """Bytes that this user may still write in the file system of this folder."""
    space = os.statvfs(folder)
    return space.f_bavail * space.f_frsize


class FolderLock:
    """One process at a time works on a folder. The kernel drops the lock when the process dies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with folder_errors("write in", path.parent):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(self._file, 100).decode(errors="replace").strip() or "unknown"
            os.close(self._file)
            raise FolderLocked(
                f"Another StoryEngine process (process id {holder}) is working in {path.parent.parent}.",
                next_step="Wait for it to end, or stop it, and run the same command again.",
            ) from error
        with folder_errors("write in", path.parent):
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        # The file stays: removing it would let two processes hold locks on two files of one name.
        os.close(self._file)
