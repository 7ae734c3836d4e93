"""OpenAI's language models over the Responses API.

Settings come from the environment: OPENAI_API_KEY (needed), OPENAI_BASE_URL, OPENAI_MODEL. Speaks HTTP itself;
no SDK is needed. Answers are not stored at the provider.
"""

from __future__ import annotations

import os
from typing import Any

from storyengine.backends.http import Provider, post_json, read_key
from storyengine.backends.pictures import data_url
from storyengine.backends.ports import TextAnswer, TextCapabilities, TextRequest
from storyengine.backends.prices import price_of
from storyengine.backends.schemas import strict_schema
from storyengine.errors import Malformed, Refused, Unavailable

DEFAULT_MODEL = "gpt-5.5"


def make_text_model(*, model: str = "", base_url: str = "") -> OpenAIText:
    """A model by name; without one OPENAI_MODEL or the default."""
    key = read_key("OPENAI_API_KEY", provider="OpenAI")
    provider = Provider(
        name="OpenAI",
        base_url=base_url or os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1",
        headers={"Authorization": f"Bearer {key}"},
        key_hint="Check OPENAI_API_KEY, and that the project may use this model.",
    )
    return OpenAIText(provider, model or os.environ.get("OPENAI_MODEL") or DEFAULT_MODEL)


class OpenAIText:
    """The text port over `POST /responses`."""

    def __init__(self, provider: Provider, model: str) -> None:
        self._provider = provider
        self.model = model

    @property
    def capabilities(self) -> TextCapabilities:
        return TextCapabilities(images=True, schema=True)

    async def write(self, request: TextRequest) -> TextAnswer:
        answer = await post_json(self._provider, "/responses", _body(self.model, request))
        return _read(answer, self.model)


def _body(model: str, request: TextRequest) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    for picture in request.images:
        content.append({"type": "input_text", "text": picture.caption})
        content.append({"type": "input_image", "image_url": data_url(picture.image), "detail": "high"})
    content.append({"type": "input_text", "text": request.prompt})
    body: dict[str, Any] = {
        "model": model,
        "instructions": request.system,
        "input": [{"role": "user", "content": content}],
        "max_output_tokens": request.max_tokens,
        "store": False,
    }
    if request.schema is not None:
        schema = strict_schema(request.schema)
        body["text"] = {"format": {"type": "json_schema", "name": "answer", "strict": True, "schema": schema}}
    return body


def _read(answer: dict[str, Any], asked: str) -> TextAnswer:
    """The text of a response, whichever way it ended."""
    try:
        parts = [part for item in answer["output"] if item["type"] == "message" for part in item["content"]]
        text = "".join(part["text"] for part in parts if part["type"] == "output_text")
        refusal = "".join(part["refusal"] for part in parts if part["type"] == "refusal")
        status = answer["status"]
        why = (answer.get("incomplete_details") or {}).get("reason")
        failure = (answer.get("error") or {}).get("message")
        model = str(answer.get("model") or asked)
        cost = _cost(model, asked, answer.get("usage") or {})
    except (KeyError, TypeError, AttributeError) as error:
        raise Malformed(f"OpenAI answered in a form that is not a response ({error!r}).") from None
    if refusal:
        raise Refused(f"OpenAI declined this request: {refusal}", reason=refusal)
    if why == "content_filter":
        raise Refused("OpenAI's content filter stopped the answer.", reason="content_filter")
    if status == "failed":
        raise Unavailable(f"OpenAI could not finish the answer: {failure or 'no reason given'}.")
    if status not in ("completed", "incomplete"):
        raise Malformed(f"OpenAI answered with the status {status!r}.")
    return TextAnswer(text, model, finished=status == "completed", cost=cost)


def _cost(model: str, asked: str, usage: dict[str, Any]) -> int | None:
    price = price_of(model) or price_of(asked)
    if price is None or "output_tokens" not in usage:
        return None
    return price.of(int(usage.get("input_tokens", 0)), int(usage["output_tokens"]))
