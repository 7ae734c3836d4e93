"""Numbered files of drawings, made by several processes side by side until there is enough or time is over."""

from __future__ import annotations

import argparse
import pickle
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path


def options(about: str, what: str, default: str) -> argparse.ArgumentParser:
    """What every script that draws can be told; `what` its files are called."""
    said = argparse.ArgumentParser(description=about.splitlines()[0])
    said.add_argument("folder", type=Path)
    said.add_argument(f"--{what}", dest="files", default=default)
    said.add_argument("--seed", type=int, default=1)
    said.add_argument("--part", default="0/1", help="every n-th file, for several processes: 2/16")
    said.add_argument("--until", type=float, default=1e12, help="start no file after this time (seconds since 1970)")
    return said


def missing(args: argparse.Namespace, stem: str) -> Iterator[tuple[int, Path]]:
    """The files that are still to be drawn, as long as there is time."""
    args.folder.mkdir(parents=True, exist_ok=True)
    first, last = map(int, args.files.split(":"))
    part, parts = map(int, args.part.split("/"))
    for number in range(first + part, last, parts):
        path = args.folder / f"{stem}-{number:04d}.pickle"
        if time.time() > args.until:
            return
        if not path.exists():
            yield number, path


def fill(args: argparse.Namespace, stem: str, draw: Callable[[int], dict], told: Callable[[dict], str]) -> None:
    """Draw what is missing; a file that cannot be drawn is left out."""
    for number, path in missing(args, stem):
        began = time.time()
        try:
            made = draw(number)
        except Exception:
            traceback.print_exc(limit=-4)
            continue
        keep(path, made)
        print(number, told(made), f"{time.time() - began:.1f} s", flush=True)


def keep(path: Path, made: dict) -> None:
    """Whole or not at all: lessons read files while others are being written."""
    path.with_suffix(".part").write_bytes(pickle.dumps(made))
    path.with_suffix(".part").rename(path)
