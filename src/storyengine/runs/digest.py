"""The one home of hashing. Everything that needs an address or a key gets it here.

Two kinds of digests, both SHA-256 in lower-case hex:

- *content addresses* (`digest_bytes`, `digest_file`): the plain hash of the bytes, so `sha256sum` agrees;
- *keys* (`digest`): the hash of a tag and a value in canonical JSON, so equal values of different kinds
  (a step and a seal, say) never share a key.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from storyengine.errors import ContractError

_CHUNK = 1 << 20
_HEX = re.compile(r"[0-9a-f]{64}")


def canonical(value: object) -> bytes:
    """The value as JSON with sorted keys, no spaces, UTF-8 and finite numbers: equal values, equal bytes.

    Takes None, booleans, numbers, strings, lists, tuples and mappings with string keys. A tuple equals a
    list; 2 and 2.0 differ, because JSON writes them differently.
    """
    text = json.dumps(
        _plain(value, "value"), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ContractError(f"Text that is not valid Unicode cannot be hashed: {error.reason}.") from error


def digest(tag: str, value: object) -> str:
    """The key of a value of the kind that `tag` names."""
    return hashlib.sha256(b"storyengine:" + tag.encode() + b"\n" + canonical(value)).hexdigest()


def digest_bytes(data: bytes) -> str:
    """The content address of these bytes."""
    return hashlib.sha256(data).hexdigest()


def digest_file(path: Path) -> str:
    """The content address of a file, read in pieces: a long clip never lies in memory as a whole."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class ContentHash:
    """The content address of bytes that arrive in pieces."""

    chunk = _CHUNK

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def update(self, data: bytes) -> None:
        self._hash.update(data)

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


def is_digest(text: object) -> bool:
    """Whether this could be a digest; says nothing about whether anything has it."""
    return isinstance(text, str) and _HEX.fullmatch(text) is not None


def _plain(value: Any, where: str) -> Any:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ContractError(f"{where} is {value}; only finite numbers can be hashed.")
        return value
    if isinstance(value, Mapping):
        for name in value:
            # json.dumps would quietly turn 1 into "1" and give two values one key.
            if not isinstance(name, str):
                raise ContractError(f"{where} has the key {name!r}; only text can be a key.")
        return {name: _plain(item, f"{where}.{name}") for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{where}[{index}]") for index, item in enumerate(value)]
    raise ContractError(f"{where} is a {type(value).__name__}, which has no canonical form.")
