"""A paid service in a process of its own, reached over a real socket, and the providers that talk to it.

It takes jobs or answers directly, charges for every request it reads, and remembers each charge. It can be
told to kill its caller at a chosen moment: before it charges, after it charged, or right after it answered.
"""

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2

from storyengine.errors import AmbiguousCharge, Refused, Unavailable
from storyengine.runs.provider import Answer, Declined, Limits, Ready, Request, Waiting

PRICE = 40_000
"""Micro-dollars for each call."""


class Service(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, delay: float) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.delay = delay
        self.lock = threading.Lock()
        self.charges: list[str] = []
        self.jobs: dict[str, tuple[str, float]] = {}
        self.calls: dict[str, str] = {}
        self.fault: dict = {}

    def handle_error(self, request, client_address) -> None:
        """Callers die here all the time; that is what this service is for."""

    def strike(self, moment: str, caller: str) -> None:
        with self.lock:
            due = self.fault.get("moment") == moment and len(self.charges) >= self.fault["after"]
            if due:
                self.fault = {}
        if due:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(caller), signal.SIGKILL)

    def charge(self, call: str) -> None:
        with self.lock:
            self.charges.append(call)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service

    def log_message(self, *_) -> None:
        pass

    def reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)
            self.wfile.flush()

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:  # the caller died while sending; half a request is no request
            self.close_connection = True
            return None
        if self.path == "/fault":
            with self.server.lock:
                self.server.fault = json.loads(body)
            return self.reply(200, b"{}")
        call, caller = self.headers["X-Call"], self.headers["X-Process"]
        if self.path == "/once" and call in self.server.calls:
            return self.reply(200, self.server.calls[call].encode())
        self.server.strike("before charge", caller)
        if b'"refuse"' in body:
            return self.reply(422, b"not this content")
        if b'"overload"' in body:
            return self.reply(503, b"later")
        time.sleep(self.server.delay / 4)
        self.server.charge(call)
        self.server.strike("after charge", caller)
        if b'"hang up"' in body:
            self.close_connection = True
            return None
        if self.path == "/answer":
            time.sleep(self.server.delay)
            self.reply(200, result(body))
        else:
            with self.server.lock:
                job = f"job-{len(self.server.jobs) + 1}"
                self.server.jobs[job] = (body.decode(), time.monotonic() + self.server.delay)
                self.server.calls[call] = job
            self.reply(200, job.encode())
        self.server.strike("after response", caller)
        return None

    def do_GET(self) -> None:
        parts = self.path.strip("/").split("/")
        if parts[0] == "charges":
            return self.reply(200, json.dumps(self.server.charges).encode())
        if parts[0] == "calls":
            job = self.server.calls.get(parts[1])
            return self.reply(200 if job else 404, (job or "").encode())
        found = self.server.jobs.get(parts[1])
        if found is None:
            return self.reply(404, b"no such job")
        body, ready_at = found
        if parts[2:] == ["result"]:
            return self.reply(200, result(body.encode()))
        if b'"fail later"' in body.encode():
            return self.reply(200, b"refused")
        return self.reply(200, b"ready" if time.monotonic() >= ready_at else b"waiting")


def result(body: bytes) -> bytes:
    """What the service sells: the same for the same request."""
    return b"picture of " + hashlib.sha256(body).hexdigest().encode() * 8


class Client:
    """Shared by the providers: what HTTP tells about money."""

    def __init__(self, address: str, name: str, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        self._http = httpx2.AsyncClient(base_url=address, timeout=10)

    async def close(self) -> None:
        await self._http.aclose()

    async def post(self, path: str, request: Request) -> bytes:
        inputs = {name: request.materials.read(name).decode() for name in sorted(request.materials.inputs)}
        body = json.dumps({**request.materials.params, "inputs": inputs}, sort_keys=True)
        headers = {"X-Call": request.call, "X-Process": str(os.getpid())}
        try:
            answer = await self._http.post(path, content=body, headers=headers)
        except httpx2.ConnectError as error:
            raise Unavailable(f"{self.name} cannot be reached.") from error
        except httpx2.TransportError as error:
            raise AmbiguousCharge(f"the connection broke ({type(error).__name__})") from error
        if answer.status_code == 422:
            raise Refused("The service declined.", answer.text)
        if answer.status_code != 200:
            raise Unavailable(f"{self.name} answered {answer.status_code}.")
        return answer.content

    async def get(self, path: str) -> httpx2.Response:
        try:
            return await self._http.get(path)
        except httpx2.TransportError as error:
            raise Unavailable(f"{self.name} cannot be reached.") from error


class Jobs(Client):
    """Takes jobs; cannot find a job by the name of its call."""

    async def submit(self, request: Request) -> str:
        return (await self.post("/jobs", request)).decode()

    async def poll(self, job: str) -> Waiting | Ready | Declined:
        answer = await self.get(f"/jobs/{job}")
        if answer.text == "refused":
            return Declined(Refused("The service declined.", "seen too late"), cost=PRICE // 2)
        return Ready() if answer.text == "ready" else Waiting()

    async def fetch(self, job: str) -> Answer:
        answer = await self.get(f"/jobs/{job}/result")
        if answer.status_code != 200:
            raise Unavailable(f"{self.name} no longer has {job}.")
        return Answer(answer.content, cost=PRICE)


class JobsWithLookup(Jobs):
    async def lookup(self, call: str) -> str | None:
        answer = await self.get(f"/calls/{call}")
        return answer.text if answer.status_code == 200 else None


class IdempotentJobs(Jobs):
    """Sending the name of a call twice makes one job."""

    async def submit(self, request: Request) -> str:
        return (await self.post("/once", request)).decode()


class Direct(Client):
    """Answers in the response."""

    async def answer(self, request: Request) -> Answer | Declined:
        return Answer(await self.post("/answer", request), cost=PRICE)


@dataclass
class Running:
    address: str

    def charges(self) -> list[str]:
        return httpx2.get(f"{self.address}/charges").json()

    def kill_caller(self, moment: str, after: int) -> None:
        """Kill whoever makes the next call once there are this many charges. "never" disarms it."""
        httpx2.post(f"{self.address}/fault", json={"moment": moment, "after": after})


@contextlib.contextmanager
def running_service(delay: float = 0.01) -> Iterator[Running]:
    """The service in a process of its own."""
    command = [sys.executable, str(Path(__file__)), str(delay)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        assert process.stdin
        yield Running(f"http://127.0.0.1:{process.stdout.readline().strip()}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stdin.close()


def end_with_caller() -> None:
    """A service whose tests were killed must not stay behind."""
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with_caller, daemon=True).start()
    service = Service(float(sys.argv[1]))
    print(service.server_address[1], flush=True)
    service.serve_forever()
