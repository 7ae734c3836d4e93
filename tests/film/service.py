"""A paid film service on a real socket: paints flat pictures, films stamps, judges; and misbehaves when told to.

Everything it is asked to make is kept in `orders`, so that a second order for the same thing shows. Makers talk to it
through the plugin in `plugins/`, as they would to any third party.
"""

import base64
import contextlib
import hashlib
import json
import os
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from storyengine.media.encode import encode

from .small_crew import flat, painted

PLUGINS = Path(__file__).with_name("plugins")
ARGUMENTS = [word for part in ("painter", "animator", "judge") for word in ("--set", f"{part}=service")]
"""What a command needs to work with the service."""


def environment(service):
    """The environment in which a program finds the plugin and the service."""
    return {**os.environ, "PYTHONPATH": str(PLUGINS), "FILM_SERVICE": service.address}


class FilmService(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, fault):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.fault = fault
        """`fault(what, body, how often before)` → None, "refuse", "garbage", "partial" or an HTTP status."""
        self.lock = threading.Lock()
        self.jobs, self.calls = {}, {}
        self.orders, self.asked = Counter(), Counter()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def repeated(self):
        """Orders for a picture or clip that came more than once."""
        return {what: count for what, count in self.orders.items() if count > 1}

    def handle_error(self, request, client_address):
        """Callers are killed here; that is no news."""

    def answer(self, what, body):
        with self.lock:
            before = self.asked[what]
            self.asked[what] += 1
        fault = self.fault(what, body, before)
        if isinstance(fault, int):
            return fault, {"error": {"code": "overloaded", "message": "not now"}}
        if fault == "refuse":
            return 400, {"error": {"code": "content_policy_violation", "message": "too exciting"}}
        if fault == "garbage":
            return 200, {"opinion": "I rather liked it."}
        return 200, getattr(self, what)(body, fault)

    def paint(self, body, fault):
        return self._order("paint", body, painted(f"{body['prompt']}{body['seed']}", body["width"], body["height"]))

    def animate(self, body, fault):
        text, size = f"{body['prompt']}{body['seed']}", (body["width"], body["height"])
        frames = (flat(text, *size, 3 * i) for i in range(round(body["seconds"] * body["fps"])))
        return self._order("animate", body, encode(frames, body["fps"]).data)

    def _order(self, what, body, data):
        plain = json.dumps({key: value for key, value in body.items() if key != "call"}, sort_keys=True)
        job = hashlib.sha256(body["call"].encode()).hexdigest()[:16]
        with self.lock:
            self.orders[f"{what} {hashlib.sha256(plain.encode()).hexdigest()[:16]}"] += 1
            self.jobs[job], self.calls[body["call"]] = data, job
        return {"job": job}

    def poll(self, body, fault):
        return {"state": "ready" if body["job"] in self.jobs else "unknown"}

    def fetch(self, body, fault):
        return {"data": base64.b64encode(self.jobs[body["job"]]).decode()}

    def lookup(self, body, fault):
        return {"job": self.calls.get(body["call"])}

    def judge(self, body, fault):
        statements = body["statements"][1:] if fault == "partial" else body["statements"]
        return {"verdicts": [[key, "PASS"] for key, _ in statements]}

    def locate(self, body, fault):
        return {"boxes": {name: [0.4, 0.4, 0.2, 0.3] for name in body["things"]}}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FilmService

    def log_message(self, *_):
        pass

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:  # the caller died while sending
            self.close_connection = True
            return
        status, answer = self.server.answer(self.path.strip("/"), json.loads(body))
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(data)


@contextlib.contextmanager
def film_service(fault=lambda what, body, before: None):
    server = FilmService(fault)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
