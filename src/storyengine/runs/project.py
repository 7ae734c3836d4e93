"""A project folder: one store and one journal, held by one process at a time.

film/                        whatever the author keeps here
└── .storyengine/
    ├── lock                 held while a process works on the project
    ├── journal.sqlite       what was done, what was paid (plus -wal and -shm while it is open)
    ├── journal.backup       the journal as it was when the last run ended well
    └── store/               artifacts by digest, tmp/ and corrupt/
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from storyengine.runs.folder import FolderLock, folder_errors, make_folder
from storyengine.runs.journal import Journal, JournalReader
from storyengine.runs.store import LocalStore

INSIDE = ".storyengine"


def journal_path(folder: Path) -> Path:
    return folder / INSIDE / "journal.sqlite"


def store_path(folder: Path) -> Path:
    return folder / INSIDE / "store"


def read_journal(folder: Path) -> JournalReader:
    """Look into a project without holding it, also while another process works on it."""
    return JournalReader(journal_path(folder))


class Project:
    """A project folder that this process holds. Use as a context manager.

    `store` may lie elsewhere, on a disk that a cluster shares; the journal never may.
    """

    def __init__(self, folder: Path, *, store: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        inside = folder / INSIDE
        with folder_errors("make", inside):
            make_folder(inside)
        self._lock = FolderLock(inside / "lock")
        try:
            self.journal = Journal(journal_path(folder), clock=clock)
        except BaseException:
            self._lock.release()
            raise
        self.store = LocalStore(store or store_path(folder))

    def close(self) -> None:
        try:
            self.journal.close()
        finally:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
