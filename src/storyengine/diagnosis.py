"""What is installed, configured and missing on this machine. Looks, and changes nothing but a file it removes again."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

from storyengine import documents
from storyengine.backends.registry import Port, available, load
from storyengine.errors import StoryEngineError
from storyengine.files import read_text
from storyengine.profile import EMBEDDED, PREVIZ, Choice, read_profile
from storyengine.runs.folder import free_bytes

OLDEST_PYTHON = (3, 11)
ENOUGH_DISK = 2_000_000_000
"""Bytes below which a film of some length may not fit."""
KEYS = {"openai": ("OPENAI_API_KEY",), "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY")}
"""Environment variables that hold a provider's key; one of each line is enough."""

PARTS = {"planner": Port.TEXT, "painter": Port.PAINTER, "animator": Port.ANIMATOR, "judge": Port.JUDGE}

State = Literal["good", "optional", "bad"]


@dataclass(frozen=True)
class Symptom:
    """One thing that was looked at. `optional`: missing, and only needed for more than the embedded default."""

    what: str
    state: State
    saw: str
    fix: str = ""


def examine(folder: Path) -> tuple[Symptom, ...]:
    """Everything, in the order in which it should be mended."""
    return (
        _python(),
        *_packages(),
        _encoder(),
        _disk(folder),
        _writable(folder),
        *_extras(),
        *_keys(),
        *_backends(),
        *_profile(folder / "profile.yaml"),
    )


def _python() -> Symptom:
    saw = ".".join(map(str, sys.version_info[:3]))
    wanted = ".".join(map(str, OLDEST_PYTHON))
    good = sys.version_info[:2] >= OLDEST_PYTHON
    return Symptom("Python", "good" if good else "bad", saw, "" if good else f"Install Python {wanted} or newer.")


def _packages() -> Iterator[Symptom]:
    """What the embedded default needs."""
    for requirement in requires("storyengine") or ():
        if "extra ==" in requirement:
            continue
        name = re.match(r"[A-Za-z0-9_.-]+", requirement)
        if name:
            yield _package(name[0], "bad", "pip install storyengine")


def _package(name: str, otherwise: State, fix: str) -> Symptom:
    try:
        return Symptom(name, "good", version(name))
    except PackageNotFoundError:
        return Symptom(name, otherwise, "not installed", fix)


def _encoder() -> Symptom:
    """H.264 comes with the wheels of PyAV; builds from source may lack it."""
    if importlib.util.find_spec("av") is None:
        return Symptom("H.264 encoder", "bad", "no PyAV", "pip install av")
    import av

    if "libx264" in av.codecs_available:
        return Symptom("H.264 encoder", "good", "libx264")
    return Symptom("H.264 encoder", "bad", "missing", "pip install --force-reinstall --only-binary av av")


def _disk(folder: Path) -> Symptom:
    free = free_bytes(folder)
    enough = free >= ENOUGH_DISK
    fix = "" if enough else "Free some space; storyengine clean shows what a project no longer needs."
    return Symptom("Free disk space", "good" if enough else "bad", f"{free / 1e9:.1f} GB", fix)


def _writable(folder: Path) -> Symptom:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return Symptom("This folder", "good", "can be written to")
    except OSError as error:
        return Symptom("This folder", "bad", error.strerror or str(error), "Go to a folder that you may write to.")


def _extras() -> Iterator[Symptom]:
    """What is installed on request, by extra."""
    for requirement in requires("storyengine") or ():
        match = re.match(r"([A-Za-z0-9_.-]+).*extra == ['\"]([a-z0-9-]+)['\"]", requirement)
        if match and match[2] != "dev" and match[1] != "storyengine":
            found = _package(match[1], "optional", f'pip install "storyengine[{match[2]}]"')
            yield Symptom(f"{match[1]} (for {match[2]})", found.state, found.saw, found.fix)


def _keys() -> Iterator[Symptom]:
    """Whether a key is there; never what it is."""
    for provider, names in KEYS.items():
        there = next((name for name in names if os.environ.get(name)), None)
        if there:
            yield Symptom(f"Key for {provider}", "good", f"{there} is set")
        else:
            yield Symptom(f"Key for {provider}", "optional", "not set", f"export {names[0]}=…")


def _profile(path: Path) -> Iterator[Symptom]:
    """Whether everybody that the profile of this folder names can be hired. Nobody is called."""
    if not path.is_file():
        yield Symptom("Profile", "good", "none here, so everything is embedded")
        return
    try:
        profile = read_profile(documents.parse(read_text(path), str(path)))
    except StoryEngineError as error:
        yield Symptom("Profile", "bad", error.message, error.next_step)
        return
    for part, port in PARTS.items():
        choice: Choice = getattr(profile, part)
        what = f"Profile: {part}"
        if choice.backend in (EMBEDDED, PREVIZ):
            yield Symptom(what, "good", choice.backend)
            continue
        try:
            load(port, choice.backend)(**choice.options())
            yield Symptom(what, "good", " ".join((choice.backend, choice.model)).strip())
        except StoryEngineError as error:
            yield Symptom(what, "bad", error.message, error.next_step)


def _backends() -> Iterator[Symptom]:
    for port in Port:
        try:
            names = available(port)
        except StoryEngineError as error:
            yield Symptom(f"{port.noun}s", "bad", error.message, error.next_step)
            continue
        own = EMBEDDED if port is Port.TEXT else PREVIZ
        listed = ", ".join(names) if port is not Port.TEXT else ", ".join((own, *names))
        yield Symptom(f"{port.noun}s", "good", listed)
