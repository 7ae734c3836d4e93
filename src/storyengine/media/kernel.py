"""Compiled inner loops: one decorator, one cache folder that belongs to the product.

Kernels live in modules named `*_kernels.py`. numba notices a change of a kernel's own file but not of a kernel it
calls in another file, so the folder's name carries a digest of all of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

from storyengine.runs.digest import digest_bytes


def cache_folder() -> Path:
    """Where the product keeps what it can always make again. `STORYENGINE_CACHE` overrides the platform's place."""
    own = os.environ.get("STORYENGINE_CACHE")
    if own:
        return Path(own)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "storyengine"


@cache
def _use_own_cache() -> None:
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    package = Path(__file__).resolve().parent.parent
    sources = b"".join(path.read_bytes() for path in sorted(package.rglob("*_kernels.py")))
    setattr(numba.config, "CACHE_DIR", str(cache_folder() / f"kernels-{digest_bytes(sources)[:16]}"))  # noqa: B010


def kernel(function: Callable[..., Any]) -> Any:
    """Compile to machine code: no GIL, no fast-math (frames must not depend on the processor), cached on disk."""
    _use_own_cache()
    options: dict[str, Any] = {"nogil": True, "cache": True, "fastmath": False, "error_model": "numpy"}
    return numba.njit(**options)(function)


def part(function: Callable[..., Any]) -> Any:
    """A piece of kernels, called by them alone: it gets no entry from Python, which halves its compile time."""
    return numba.njit(**_INNER)(function)


def inline_part(function: Callable[..., Any]) -> Any:
    """The same, always pasted into its callers: for the few lines that run for every pixel."""
    return numba.njit(**_INNER, forceinline=True)(function)


_INNER: dict[str, Any] = {
    "nogil": True,
    "fastmath": False,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
