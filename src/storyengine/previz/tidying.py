"""The cache stays within bounds: what was used longest ago goes first, and nothing that was used within the hour."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable
from pathlib import Path

MEGABYTE = 1_000_000
ROOMS = 1500 * MEGABYTE
"""Light of places: 3 to 10 MB each."""
JOBS = 1500 * MEGABYTE
"""Results of painter and animator, which the runs that asked for them have copied long since."""
BLOBS = 500 * MEGABYTE
SCENES = 200 * MEGABYTE
"""What pictures show. One that is forgotten is a stranger's picture to the studio."""
YOUNG = 3600.0
"""Seconds for which nothing is removed after its last use."""


def keep_within(entries: Iterable[Path], most: int) -> int:
    """Remove the oldest files and folders until the rest takes at most so many bytes; returns the bytes freed.

    Other processes may use and tidy the same folder: what is gone already counts as removed by them.
    """
    sized = []
    for entry in entries:
        try:
            sized.append((entry.stat().st_mtime, _size(entry), entry))
        except OSError:
            continue
    excess = sum(size for _, size, _ in sized) - most
    limit = time.time() - YOUNG
    freed = 0
    for used, size, entry in sorted(sized, key=lambda one: one[0]):
        if freed >= excess or used > limit:
            break
        if entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)
        freed += size
    return freed


def _size(entry: Path) -> int:
    if entry.is_dir():
        return sum(file.stat().st_size for file in entry.rglob("*") if file.is_file())
    return entry.stat().st_size


def tidy_studio(folder: Path) -> int:
    """The studio's own folder: jobs by folder, everything else by file."""
    jobs = [job for job in (folder / "jobs").glob("*") if job.name != "calls"]
    freed = keep_within(jobs, JOBS)
    freed += keep_within((folder / "jobs" / "calls").glob("*"), SCENES)
    freed += keep_within((folder / "blobs").glob("*/*"), BLOBS)
    for kind in ("scenes", "clips"):
        freed += keep_within((folder / kind).glob("*/*"), SCENES)
    return freed
