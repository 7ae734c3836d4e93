"""Any server that speaks OpenAI's chat completions: vLLM, llama.cpp, Ollama, LM Studio, gateways.

Settings come from the environment: OPENAI_COMPATIBLE_BASE_URL and OPENAI_COMPATIBLE_MODEL (both needed),
OPENAI_COMPATIBLE_API_KEY (many servers need none). Servers differ in how far they hold a model to a schema, so
the schema also goes into the prompt, and whoever asks checks the answer.
"""

from __future__ import annotations

import os
from typing import Any

from storyengine.backends.http import Provider, post_json, read_key
from storyengine.backends.pictures import data_url
from storyengine.backends.ports import TextAnswer, TextCapabilities, TextRequest
from storyengine.backends.schemas import strict_schema
from storyengine.errors import Malformed, Misconfigured, Refused


def make_text_model(*, model: str = "", base_url: str = "") -> ChatText:
    """A model on a server; what is not given comes from the environment."""
    url = base_url or os.environ.get("OPENAI_COMPATIBLE_BASE_URL", "")
    name = model or os.environ.get("OPENAI_COMPATIBLE_MODEL", "")
    if not url or not name:
        raise Misconfigured(
            "An OpenAI-compatible server needs an address and the name of a model.",
            next_step="Set OPENAI_COMPATIBLE_BASE_URL (such as http://localhost:11434/v1) and OPENAI_COMPATIBLE_MODEL.",
        )
    headers = {}
    if os.environ.get("OPENAI_COMPATIBLE_API_KEY"):
        headers["Authorization"] = f"Bearer {read_key('OPENAI_COMPATIBLE_API_KEY', provider='The server')}"
    hint = "Check OPENAI_COMPATIBLE_API_KEY."
    return ChatText(Provider(f"The server at {url}", url, headers, key_hint=hint), name)


class ChatText:
    """The text port over `POST /chat/completions`."""

    def __init__(self, provider: Provider, model: str) -> None:
        self._provider = provider
        self.model = model

    @property
    def capabilities(self) -> TextCapabilities:
        return TextCapabilities(images=True, schema=False)

    async def write(self, request: TextRequest) -> TextAnswer:
        answer = await post_json(self._provider, "/chat/completions", _body(self.model, request))
        return _read(answer, self._provider.name, self.model)


def _body(model: str, request: TextRequest) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    for picture in request.images:
        content.append({"type": "text", "text": picture.caption})
        content.append({"type": "image_url", "image_url": {"url": data_url(picture.image)}})
    content.append({"type": "text", "text": request.prompt})
    body: dict[str, Any] = {
        "model": model,
        "messages": [
            {"role": "system", "content": request.system},
            # Servers without vision take plain text only.
            {"role": "user", "content": content if request.images else request.prompt},
        ],
        "max_tokens": request.max_tokens,
    }
    if request.schema is not None:
        schema = {"name": "answer", "strict": True, "schema": strict_schema(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def _read(answer: dict[str, Any], server: str, asked: str) -> TextAnswer:
    try:
        choice = answer["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content") or "", message.get("refusal")
        ended = choice.get("finish_reason") or "stop"
        if not isinstance(text, str):
            raise TypeError("the content is not text")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise Malformed(f"{server} answered in a form that is no chat completion ({error!r}).") from None
    if refusal:
        raise Refused(f"{server} declined this request: {refusal}", reason=str(refusal))
    if ended == "content_filter":
        raise Refused(f"{server} stopped the answer with a content filter.", reason="content_filter")
    return TextAnswer(text, str(answer.get("model") or asked), finished=ended != "length")
