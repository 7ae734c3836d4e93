"""One HTTP call to a provider: the only place that retries, and where foreign exceptions become ours.

Retried, a few times and politely: a connection that was never made, and answers that say "not now" (408, 429,
5xx), for which nobody charges. Never retried: a request that may have arrived without an answer coming back.
Sending that again could be paid twice, so it ends as AmbiguousCharge and a person decides.
"""

from __future__ import annotations

import json
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import anyio
import httpx2

from storyengine.errors import AmbiguousCharge, BackendError, Malformed, Misconfigured, Refused, Unavailable
from storyengine.runs.secrecy import guard, redact

MAX_ANSWER = 32_000_000
"""Bytes; no plan, verdict or message is longer, and an endless body must not fill the memory."""

NOT_NOW = frozenset((408, 425, 429, 500, 502, 503, 504, 529))
LONGEST_PAUSE = 60.0

REFUSALS = frozenset(("content_policy_violation", "moderation_blocked", "content_filter", "invalid_prompt"))
"""Codes with which a provider declines the content of a request."""

OUT_OF_MONEY = frozenset(("insufficient_quota", "billing_hard_limit_reached"))


@dataclass(frozen=True)
class Provider:
    """Where a provider is reached, and how often it is asked."""

    name: str
    """What messages call it: `OpenAI`."""
    base_url: str
    headers: Mapping[str, str]
    key_hint: str
    """What to check when it does not accept the key."""
    attempts: int = 4
    first_pause: float = 1.0
    """Seconds before the second attempt; doubled each time, unless the provider names a time."""
    patience: float = 600.0
    """Seconds to wait for an answer. Long plans take minutes."""


def read_key(*names: str, provider: str) -> str:
    """The first of these environment variables that is set, hidden from logs from now on."""
    for name in names:
        key = os.environ.get(name, "").strip()
        if not key:
            continue
        if not (key.isascii() and key.isprintable()):
            raise Misconfigured(f"{name} holds characters that no key has.", next_step="Copy the key again.")
        guard(key)
        return key
    raise Misconfigured(
        f"{provider} needs a key, and none is set.", next_step=f"Set the environment variable {' or '.join(names)}."
    )


async def post_json(provider: Provider, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Send a JSON body and return the JSON object that comes back."""
    url = provider.base_url.rstrip("/") + path
    pause = provider.first_pause
    for attempt in range(1, provider.attempts + 1):
        last = attempt == provider.attempts
        try:
            response, data = await _send(provider, url, body)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            if last:
                raise _unreachable(provider, error) from None
            await anyio.sleep(pause)
        else:
            if response.status_code == 200:
                return _object(provider, data)
            problem = _problem(provider, response.status_code, data)
            if last or not isinstance(problem, Unavailable):
                raise problem
            await anyio.sleep(_asked_pause(response, pause))
        pause = min(pause * 2, LONGEST_PAUSE)
    raise AssertionError("the last attempt returns or raises")


@cache
def _certificates() -> ssl.SSLContext:
    """Read once: it takes longer than most requests."""
    return httpx2.create_ssl_context()


async def _send(provider: Provider, url: str, body: Mapping[str, Any]) -> tuple[httpx2.Response, bytes]:
    timeout = httpx2.Timeout(provider.patience, connect=20.0)
    try:
        async with (
            httpx2.AsyncClient(timeout=timeout, verify=_certificates()) as client,
            client.stream("POST", url, json=body, headers=dict(provider.headers)) as response,
        ):
            data = bytearray()
            async for piece in response.aiter_bytes():
                data += piece
                if len(data) > MAX_ANSWER:
                    raise Malformed(f"{provider.name} answered with more than {MAX_ANSWER:,} bytes.")
            return response, bytes(data)
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
        raise
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
        raise Misconfigured(
            f"{url!r} is no address that {provider.name} can be reached at: {error}.",
            next_step="An address looks like https://api.example.com/v1.",
        ) from None
    except httpx2.HTTPError as error:
        raise AmbiguousCharge(
            f"{provider.name} got a request, but its answer did not arrive ({type(error).__name__}).",
            next_step="It may have been charged. Run the same command again to ask anew.",
        ) from None


def _object(provider: Provider, data: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise Malformed(
            f"{provider.name} answered with {len(data):,} bytes that are no JSON object.",
            next_step=f"Check that {provider.base_url} is the right address.",
        )
    return answer


def _problem(provider: Provider, status: int, data: bytes) -> BackendError:
    """An answer other than 200 as an error of the family."""
    code, message = _details(data)
    said = f"{provider.name} answered {status}: {message}"
    if code in REFUSALS:
        return Refused(f"{provider.name} declined this request: {message}", reason=code)
    if code in OUT_OF_MONEY:
        return Misconfigured(said, next_step=f"Add credit to the account at {provider.name}, then run it again.")
    if status in (401, 403):
        return Misconfigured(said, next_step=provider.key_hint)
    if status == 404:
        return Misconfigured(said, next_step="Check the model's name and the address; models are retired at times.")
    if status in NOT_NOW:
        return Unavailable(f"{said} (after all retries)", next_step="Try again in a few minutes.")
    if 400 <= status < 500:
        return Misconfigured(said, next_step="This model may not support what was asked; try another one.")
    return Malformed(said, next_step=f"Check that {provider.base_url} is the right address.")


def _details(data: bytes) -> tuple[str, str]:
    """Code and message of an error body, in the forms that providers use; never with a key in it."""
    try:
        error = json.loads(data)["error"]
    except (ValueError, RecursionError, KeyError, TypeError):
        error = data[:300].decode("utf-8", "replace")
    if isinstance(error, dict):
        code = str(error.get("code") or error.get("status") or error.get("type") or "")
        message = str(error.get("message") or code)
    else:
        code, message = "", str(error)
    return code, redact(" ".join(message.split()))[:500] or "nothing more"


def _unreachable(provider: Provider, error: Exception) -> Unavailable:
    return Unavailable(
        f"{provider.name} cannot be reached at {redact(provider.base_url)}: {str(error) or type(error).__name__}.",
        next_step="Check the network and the address, then run the same command again.",
    )


def _asked_pause(response: httpx2.Response, otherwise: float) -> float:
    """How long the provider asks to wait, within reason."""
    for header, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            asked = float(response.headers[header]) * scale
        except (KeyError, ValueError):
            continue
        if 0 <= asked < float("inf"):
            return min(asked, LONGEST_PAUSE)
    return otherwise
