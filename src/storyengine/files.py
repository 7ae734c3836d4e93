"""Reading and writing story files on disk. The rooms that decide what is true never import this."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from storyengine.errors import FolderError, InputError

MAX_BYTES = 64_000_000


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, or an InputError that says what stands in the way."""
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; a file is needed.")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InputError(f"{path} has {size:,} bytes; at most {MAX_BYTES:,} are read.")
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {path}.{_neighbours(path)}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from None
    if b"\x00" in data:
        raise InputError(f"{path} is a binary file; a text file in YAML or JSON is needed.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(
            f"{path}:{line}: byte 0x{data[error.start]:02x} is not UTF-8.",
            next_step="Save the file with the encoding UTF-8.",
        ) from None


def _neighbours(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f" The folder {folder} does not exist either."
    names = sorted(p.name for p in folder.iterdir() if p.suffix in (".yaml", ".yml", ".json"))[:6]
    return f" Story files in {folder}: {', '.join(names)}." if names else ""


def write_text(path: Path, text: str) -> None:
    """Replace a text file in one step."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Replace a file in one step, so that a crash leaves the old or the new content, never a torn one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
            os.chmod(temporary, mode)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise FolderError(
            f"{path} cannot be written: {error.strerror or error}.", next_step="Nothing was changed."
        ) from None
