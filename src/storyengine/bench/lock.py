"""Freezing: a hash for every block of every story, kept in `lock.json` beside them.

A hash covers a block's values as the file states them, not its comments or layout, and not how this version of
the code completes them; so it changes exactly when the story does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from storyengine import documents
from storyengine.bench.briefs import BRIEF, parsed, story_ids
from storyengine.bench.findings import Finding
from storyengine.bench.index import VERSION
from storyengine.bench.story import SHEET
from storyengine.errors import InputError
from storyengine.files import read_text, write_text
from storyengine.runs.digest import digest
from storyengine.wording import Value

LOCK = "lock.json"

_BLOCKS: Mapping[str, tuple[str, ...]] = {
    "index": ("story", "suite", "category", "title"),
    "locations": ("places", "location_plan"),
    "cast": ("cast",),
    "props": ("props",),
    "required": ("required",),
    "events": ("events", "order"),
    "distractors": ("distractors",),
    "anchors": ("anchors",),
    "states": ("states",),
    "lighting": ("lighting",),
}
"""Block of a sheet → its fields."""


class Lock(Value):
    """The frozen state of the benchmark."""

    version: str
    digest: str
    """The hash of all hashes."""
    stories: dict[str, dict[str, str]]
    """Story → block → hash."""


def block_hashes(brief: Mapping[str, Any], sheet: Mapping[str, Any]) -> dict[str, str]:
    """The hash of each block that a story has, from the plain data of its two files."""
    hashes = {"brief": digest("bench-block:brief", brief)}
    for block, fields in _BLOCKS.items():
        value = {field: sheet[field] for field in fields if field in sheet}
        if value:
            hashes[block] = digest(f"bench-block:{block}", value)
    return hashes


def lock_of(hashes: dict[str, dict[str, str]], version: str = VERSION) -> Lock:
    return Lock(version=version, digest=digest("bench-lock", hashes), stories=hashes)


def current(home: Path) -> Lock:
    """The lock that the files under `home`, one folder per story, would have. Unreadable stories are left out."""
    hashes = {}
    for story in story_ids():
        with suppress(InputError):
            brief, sheet = (_plain(home / story / name) for name in (BRIEF, SHEET))
            hashes[story] = block_hashes(brief, sheet)
    return lock_of(hashes)


def _plain(path: Path) -> dict[str, Any]:
    found = parsed(read_text(path), f"{path.parent.name}/{path.name}").data
    if not isinstance(found, dict):
        raise InputError(f"{path} holds no fields.")
    return found


def read_lock(path: Path) -> Lock:
    if not path.exists():
        raise InputError("The benchmark is not frozen: there is no lock file.")
    return documents.validate(Lock, documents.parse(read_text(path), path.name))


def differences(lock: Lock, found: Lock) -> list[Finding]:
    """What has changed since the lock was written, block by block."""
    findings = []
    if lock.version != found.version:
        findings.append(Finding("benchmark", LOCK, f"holds version {lock.version}; the data claims {found.version}"))
    if lock.digest != digest("bench-lock", lock.stories):
        findings.append(Finding("benchmark", LOCK, "its own digest does not fit its hashes: it was edited by hand"))
    for story in sorted({*lock.stories, *found.stories}):
        frozen, now = lock.stories.get(story, {}), found.stories.get(story, {})
        for block in sorted({*frozen, *now}):
            if frozen.get(block) != now.get(block):
                what = "was added" if block not in frozen else "is missing" if block not in now else "has changed"
                message = f"the block {what} since version {lock.version} was frozen; a change needs a new version"
                findings.append(Finding(story, block, message))
    return findings


def write_lock(path: Path, lock: Lock) -> None:
    """Freeze. Refuses to replace a lock of the same version by one with other hashes."""
    if path.exists():
        old = read_lock(path)
        if old.version == lock.version and old.stories != lock.stories:
            raise InputError(
                f"Version {lock.version} of the benchmark is frozen, and the stories differ from it.",
                next_step="Raise VERSION in storyengine/bench/index.py, or take the change back.",
            )
    write_text(path, json.dumps(lock.model_dump(mode="json"), indent=1, sort_keys=True) + "\n")
