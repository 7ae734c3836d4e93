"""Disks that misbehave: a tiny one that gets full, one that nobody may write to."""

import contextlib
import subprocess

import pytest


@contextlib.contextmanager
def mounted(place, options):
    """A memory disk at `place`. Mounting needs rights that not every machine gives."""
    place.mkdir(exist_ok=True)
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"this machine does not let the tests mount a disk: {made.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def make_read_only(place):
    subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
