"""Keeps secrets out of logs, the journal and progress.

Three nets, because each has holes: values of environment variables that are named like secrets, values that
a backend registered with `guard`, and shapes that credentials have in headers, addresses and messages.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

HIDDEN = "[hidden]"

_SECRET_NAME = re.compile(r"(API_?KEY|ACCESS_?KEY|SECRET|TOKEN|PASSW|CREDENTIAL|PRIVATE_?KEY|_KEY$)", re.I)
_SECRET_FIELD = re.compile(
    r"(api_?key|access_?key|private_?key|secret|passw|authorization|credential|(access|auth)_?token|^token$)", re.I
)
_SHORTEST = 8
"""Shorter values are words, not secrets: hiding them would make every log unreadable."""

_SHAPES = (
    # Authorization: Bearer abc, 'x-api-key': 'abc', api_key=abc, "token": "abc"
    re.compile(
        r"""(?P<keep>["']?(?:authorization|proxy-authorization|[\w-]*api[_-]?key|[\w-]*token|secret|password)
        ["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+|key\s+)?)
        (?P<hide>[^\s"'&,;)}\]]{6,})""",
        re.I | re.X,
    ),
    # Only in addresses: a story may well say "the key: made of brass".
    re.compile(r"(?P<keep>[?&](?:key|sig|x-[a-z]+-signature|signature)=)(?P<hide>[^\s&\"']+)", re.I),
    re.compile(r"(?P<keep>\bbearer\s+)(?P<hide>[\w.~+/=-]{8,})", re.I),
    re.compile(r"(?P<keep>://[^/\s:@]+:)(?P<hide>[^@\s/]+)(?=@)"),
    re.compile(r"(?P<keep>)(?P<hide>\b(?:sk|pk|rk|fal|gsk|xai|r8|hf|ghp|AKIA|AIza)[-_A-Za-z0-9]{16,})"),
)

_guarded: set[str] = set()


def guard(secret: str) -> None:
    """Hide this value from now on, wherever it appears. Backends call it for every key they read."""
    if len(secret) >= _SHORTEST:
        _guarded.add(secret)


def redact(text: str) -> str:
    """The text with every secret replaced by `[hidden]`."""
    return _without(text, _secrets())


def redact_value(value: Any) -> Any:
    """The same for every text inside a JSON value; the shape of the value stays."""
    return _value_without(value, _secrets())


def _secrets() -> list[str]:
    """Longest first: one may be a part of another."""
    return sorted(_guarded | _from_environment(os.environ), key=len, reverse=True)


def _without(text: str, secrets: list[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    for shape in _SHAPES:
        text = shape.sub(lambda found: found["keep"] + HIDDEN, text)
    return text


def _value_without(value: Any, secrets: list[str]) -> Any:
    if isinstance(value, str):
        return _without(value, secrets)
    if isinstance(value, Mapping):
        return {name: _value_without(_named(name, item), secrets) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_value_without(item, secrets) for item in value]
    return value


def redact_logs() -> None:
    """Redact every log record of this process, message and exception, before any handler sees it."""
    make = logging.getLogRecordFactory()
    if getattr(make, "redacts", False):
        return

    def make_redacted(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make(*args, **kwargs)
        record.msg, record.args = redact(record.getMessage()), ()
        if record.exc_info:
            # A formatter prints exc_text as it is when it is already there.
            record.exc_text = redact(logging.Formatter().formatException(record.exc_info))
        return record

    make_redacted.redacts = True  # type: ignore[attr-defined]
    logging.setLogRecordFactory(make_redacted)


def _from_environment(environment: Mapping[str, str]) -> set[str]:
    # Names first: there are many variables, few secrets, and this is asked for everything that is written down.
    return {value for name in environment if _is_secret(name) and len(value := environment[name]) >= _SHORTEST}


@cache
def _is_secret(name: str) -> bool:
    return _SECRET_NAME.search(name) is not None


def _named(name: str, item: Any) -> Any:
    secret = isinstance(item, str) and len(item) >= _SHORTEST and _SECRET_FIELD.search(name)
    return HIDDEN if secret else item
