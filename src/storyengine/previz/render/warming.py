"""Warming up: on a machine that has never drawn, a second process compiles the drawing kernels beside the first.

numba compiles one kernel at a time in a process. While the first process compiles and bakes a room's light, this one
draws a blank room (`blank.py`); the kernels come back through the cache on disk. Where that fails, the first process
compiles them all.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from pathlib import Path

import numba

LONGEST = 120.0
"""Seconds for which the first process waits for the second."""
_helper: subprocess.Popen[bytes] | None = None


def start() -> None:
    """Begin to warm up in a process of its own, once per machine and version of the kernels."""
    global _helper
    if _helper is not None or mark("warm").exists():
        return
    try:
        mark("warm").parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(mark("warming"), os.O_CREAT | os.O_EXCL))
        command = [sys.executable, "-m", "storyengine.previz.render.blank"]
        _helper = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return  # somebody else is at it, or nothing can be written: this process compiles for itself
    atexit.register(_helper.kill)


def wait() -> None:
    """Until the second process is done."""
    if _helper is not None and _helper.poll() is None:
        try:
            _helper.wait(LONGEST)
        except subprocess.TimeoutExpired:
            _helper.kill()


def mark(name: str) -> Path:
    folder = Path(str(getattr(numba.config, "CACHE_DIR")))  # noqa: B009 - unknown to its type stubs
    return folder / name
