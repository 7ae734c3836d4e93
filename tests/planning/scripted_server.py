"""A local server that speaks the wire protocols of three language-model services and answers by script.

It reads real requests on a real socket: the Responses API, chat completions and generateContent, routed by path.
Every request it gets is kept, so that tests can look at what was really sent.
"""

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Says:
    """The model answers with this text."""

    text: str
    finished: bool = True


@dataclass(frozen=True)
class Declines:
    """The model refuses, in the way of each protocol."""

    reason: str = "I cannot help with that."


@dataclass(frozen=True)
class Fails:
    """The service answers with an HTTP error."""

    status: int
    code: str = "server_error"
    message: str = "Something went wrong."
    headers: dict[str, str] = field(default_factory=lambda: {"retry-after-ms": "1"})


@dataclass(frozen=True)
class Sends:
    """The service answers 200 with exactly these bytes."""

    body: bytes


@dataclass(frozen=True)
class HangsUp:
    """The connection drops after the request was read."""


@dataclass(frozen=True)
class Stalls:
    """The service reads the request and then keeps silent until the test is over."""


Step = Says | Declines | Fails | Sends | HangsUp | Stalls


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class ScriptedServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *script: Step) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = list(script)
        self.received: list[Received] = []
        self.over = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address) -> None:
        """Dropped connections are part of the script."""


@contextlib.contextmanager
def serving(*script: Step) -> Iterator[ScriptedServer]:
    with ScriptedServer(*script) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedServer

    def log_message(self, *_) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.received.append(Received(self.path, headers, body))
        step = self.server.script.pop(0) if self.server.script else Fails(400, message="The script is over.")
        match step:
            case HangsUp():
                self.close_connection = True
            case Stalls():
                self.server.over.wait(60)
                self.close_connection = True
            case Sends(body=data):
                self.reply(200, data)
            case Fails(status=status, code=code, message=message, headers=extra):
                error = {"error": {"message": message, "code": code, "type": "error", "param": None}}
                self.reply(status, json.dumps(error).encode(), extra)
            case Says() | Declines():
                self.reply(200, json.dumps(self.answer(step, body)).encode())

    def reply(self, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def answer(self, step: Says | Declines, body: dict[str, Any]) -> dict[str, Any]:
        if self.path.endswith("/responses"):
            return response(step, body["model"])
        if self.path.endswith("/chat/completions"):
            return chat_completion(step, body["model"])
        assert self.path.endswith(":generateContent")
        return generated_content(step, self.path.rsplit("/", 1)[-1].partition(":")[0])


def response(step: Says | Declines, model: str) -> dict[str, Any]:
    """OpenAI's Responses API."""
    if isinstance(step, Says):
        content = {"type": "output_text", "text": step.text, "annotations": []}
        finished = step.finished
    else:
        content, finished = {"type": "refusal", "refusal": step.reason}, True
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed" if finished else "incomplete",
        "model": f"{model}-2026-04-23",
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [content]},
        ],
        "usage": {
            "input_tokens": 6000,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 2000,
            "output_tokens_details": {"reasoning_tokens": 500},
            "total_tokens": 8000,
        },
        "error": None,
        "incomplete_details": None if finished else {"reason": "max_output_tokens"},
        "tools": [],
        "tool_choice": "auto",
        "parallel_tool_calls": True,
    }


def chat_completion(step: Says | Declines, model: str) -> dict[str, Any]:
    """Chat completions as compatible servers answer them."""
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if isinstance(step, Says):
        message["content"] = step.text
    else:
        message["refusal"] = step.reason
    ended = "length" if isinstance(step, Says) and not step.finished else "stop"
    choice = {"index": 0, "message": message, "finish_reason": ended}
    return {"id": "chat_1", "object": "chat.completion", "created": 1, "model": model, "choices": [choice]}


def generated_content(step: Says | Declines, model: str) -> dict[str, Any]:
    """Google's generateContent; a declined prompt has no candidates."""
    usage = {"promptTokenCount": 6000, "candidatesTokenCount": 1500, "thoughtsTokenCount": 500, "totalTokenCount": 8000}
    if isinstance(step, Declines):
        return {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": usage, "modelVersion": model}
    parts = [{"text": "thinking", "thought": True}, {"text": step.text}]
    candidate = {
        "content": {"role": "model", "parts": parts},
        "finishReason": "STOP" if step.finished else "MAX_TOKENS",
        "index": 0,
    }
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": model, "responseId": "r1"}
