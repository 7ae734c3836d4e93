"""Google's language models over `generateContent` with an API key.

Settings come from the environment: GOOGLE_API_KEY or GEMINI_API_KEY (needed), GOOGLE_GEMINI_BASE_URL,
GEMINI_MODEL. Speaks HTTP itself; no SDK is needed.
"""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from storyengine.backends.http import Provider, post_json, read_key
from storyengine.backends.pictures import base64_text, mime_type
from storyengine.backends.ports import TextAnswer, TextCapabilities, TextRequest
from storyengine.backends.prices import price_of
from storyengine.backends.schemas import plain_schema
from storyengine.errors import Malformed, Refused

DEFAULT_MODEL = "gemini-3.6-flash"

_CUT_OFF = frozenset(("MAX_TOKENS", "CONTINUATION"))
_REFUSED = frozenset(("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"))


def make_text_model(*, model: str = "", base_url: str = "") -> GoogleText:
    """A model by name; without one GEMINI_MODEL or the default."""
    key = read_key("GOOGLE_API_KEY", "GEMINI_API_KEY", provider="Google")
    provider = Provider(
        name="Google",
        base_url=base_url or os.environ.get("GOOGLE_GEMINI_BASE_URL") or "https://generativelanguage.googleapis.com",
        headers={"x-goog-api-key": key},
        key_hint="Check GOOGLE_API_KEY or GEMINI_API_KEY (the first one set is used).",
    )
    return GoogleText(provider, model or os.environ.get("GEMINI_MODEL") or DEFAULT_MODEL)


class GoogleText:
    """The text port over `POST /v1/models/{model}:generateContent`."""

    def __init__(self, provider: Provider, model: str) -> None:
        self._provider = provider
        self.model = model

    @property
    def capabilities(self) -> TextCapabilities:
        return TextCapabilities(images=True, schema=True)

    async def write(self, request: TextRequest) -> TextAnswer:
        path = f"/v1/models/{quote(self.model, safe='')}:generateContent"
        return _read(await post_json(self._provider, path, _body(request)), self.model)


def _body(request: TextRequest) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    for picture in request.images:
        parts.append({"text": picture.caption})
        parts.append({"inlineData": {"mimeType": mime_type(picture.image), "data": base64_text(picture.image)}})
    parts.append({"text": request.prompt})
    settings: dict[str, Any] = {"maxOutputTokens": request.max_tokens}
    if request.schema is not None:
        settings["responseMimeType"] = "application/json"
        settings["responseJsonSchema"] = plain_schema(request.schema)
    return {
        "contents": [{"role": "user", "parts": parts}],
        "systemInstruction": {"role": "user", "parts": [{"text": request.system}]},
        "generationConfig": settings,
    }


def _read(answer: dict[str, Any], asked: str) -> TextAnswer:
    """The text of the first candidate. A blocked prompt has none and says why."""
    try:
        blocked = (answer.get("promptFeedback") or {}).get("blockReason")
        if blocked:
            raise Refused(f"Google declined this request: {blocked}.", reason=str(blocked))
        candidate = answer["candidates"][0]
        ended = candidate.get("finishReason", "STOP")
        parts = (candidate.get("content") or {}).get("parts") or []
        text = "".join(part["text"] for part in parts if "text" in part and not part.get("thought"))
        model = str(answer.get("modelVersion") or asked)
        cost = _cost(model, asked, answer.get("usageMetadata") or {})
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise Malformed(f"Google answered in a form that is not a response ({error!r}).") from None
    if ended in _REFUSED:
        raise Refused(f"Google stopped the answer: {ended}.", reason=str(ended))
    if ended != "STOP" and ended not in _CUT_OFF:
        raise Malformed(f"Google ended the answer with {ended!r}.")
    return TextAnswer(text, model, finished=ended == "STOP", cost=cost)


def _cost(model: str, asked: str, usage: dict[str, Any]) -> int | None:
    """Thoughts are billed as output and are not among the candidate's tokens."""
    price = price_of(model) or price_of(asked)
    if price is None or "promptTokenCount" not in usage:
        return None
    written = int(usage.get("candidatesTokenCount", 0)) + int(usage.get("thoughtsTokenCount", 0))
    return price.of(int(usage["promptTokenCount"]), written)
