"""Jobs like those of a real provider: submitted, worked on in the background, polled, fetched, also after a crash.

A job lies in its own folder with everything it needs, so a process that finds it unfinished simply works on it again:
the same request always gives the same result.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from storyengine.backends.ports import AnimateRequest, PaintRequest, ReferenceImage
from storyengine.errors import (
    BackendError,
    ContractError,
    FolderError,
    InputError,
    Misconfigured,
    Refused,
    StoryEngineError,
    Unavailable,
)
from storyengine.previz.studio.index import Index, write_json, write_whole
from storyengine.previz.tidying import tidy_studio
from storyengine.runs.digest import digest, digest_bytes
from storyengine.runs.provider import Declined, Ready, Waiting

R = TypeVar("R", PaintRequest, AnimateRequest)

WORKERS = 2
"""Jobs at once; drawing a clip takes two threads of its own."""
_POOL = ThreadPoolExecutor(WORKERS, thread_name_prefix="studio")


@dataclass(frozen=True)
class Outcome:
    """What working on a job came to: a file, or an error; and how long the provider pretends to need."""

    data: bytes = b""
    error: StoryEngineError | None = None
    seconds: float = 0.0


class JobDesk(Generic[R]):
    """The jobs of one port. `work` turns a request into an outcome; it must be pure."""

    def __init__(self, index: Index, kind: str, request_type: type[R], work: Callable[[R], Outcome]) -> None:
        self._folder = index.folder / "jobs"
        self._blobs = index.folder / "blobs"
        self._kind = kind
        self._type: type[R] = request_type
        self._work: Callable[[R], Outcome] = work
        self._running: dict[str, Future[None]] = {}
        self._tidied = False
        self._lock = threading.Lock()

    def submit(self, request: R, call: str) -> str:
        """Start a job. The same call with the same request is the same job."""
        job = f"{self._kind}-{digest('StudioJob', [call, self._key(request)])[:24]}"
        self._tidy()
        if not (self._folder / job / "request.json").exists():
            write_json(self._folder / job / "request.json", self._packed(request, call))
            write_json(self._folder / "calls" / f"{digest('StudioCall', [self._kind, call])}.json", job)
        self._start(job)
        return job

    def _tidy(self) -> None:
        """Once per desk, beside the work: old jobs must not fill the disk."""
        with self._lock:
            if not self._tidied:
                self._tidied = True
                _POOL.submit(tidy_studio, self._folder.parent)

    def lookup(self, call: str) -> str | None:
        """The job of a call, or None where it never arrived."""
        path = self._folder / "calls" / f"{digest('StudioCall', [self._kind, call])}.json"
        return str(json.loads(path.read_bytes())) if path.exists() else None

    def poll(self, job: str) -> Waiting | Ready | Declined:
        running = self._running.get(job)
        if running is not None and not running.done():
            return Waiting()  # asked some fifty times a second: the disk knows no more than this
        state = self._state(job)
        if state is None:
            self._start(job)
            return Waiting()
        if state["until"] > time.time():
            return Waiting()
        if state["error"]:
            return Declined(_error_from(state["error"]))
        return Ready()

    def fetch(self, job: str) -> bytes:
        state = self._state(job)
        if state is None or state["error"]:
            raise Unavailable(f"The job {job} has no result to fetch.", next_step="Poll it until it is ready.")
        return (self._folder / job / "result").read_bytes()

    def _state(self, job: str) -> dict[str, Any] | None:
        path = self._folder / job / "state.json"
        return json.loads(path.read_bytes()) if path.exists() else None

    def _start(self, job: str) -> None:
        folder = self._folder / job
        if not (folder / "request.json").exists():
            raise Unavailable(f"The studio has no job {job}.", next_step="Submit it again.")
        with self._lock:
            running = self._running.get(job)
            if self._state(job) is None and (running is None or running.done()):
                self._running[job] = _POOL.submit(self._run, job)

    def _run(self, job: str) -> None:
        folder = self._folder / job
        try:
            outcome = self._work(self._unpacked(json.loads((folder / "request.json").read_bytes())))
        except StoryEngineError as error:
            outcome = Outcome(error=error)
        except Exception as error:  # a bug must end in an answer, not in a job that waits for ever
            outcome = Outcome(error=ContractError(f"The studio failed on a job: {type(error).__name__}: {error}."))
        if outcome.error is None:
            write_whole(folder / "result", outcome.data)
        until = time.time() + outcome.seconds if outcome.seconds else 0.0
        write_json(folder / "state.json", {"until": until, "error": _error_to(outcome.error)})

    # --------------------------------------------------------------------------------- requests on disk

    def _key(self, request: R) -> Any:
        plain = asdict(request)
        plain["references"] = [[r.caption, digest_bytes(r.image)] for r in request.references]
        if isinstance(request, AnimateRequest):
            plain["opening"] = digest_bytes(request.opening)
        return plain

    def _packed(self, request: R, call: str) -> Any:
        for image in [r.image for r in request.references] + (
            [request.opening] if isinstance(request, AnimateRequest) else []
        ):
            path = self._blob(digest_bytes(image))
            if not path.exists():
                write_whole(path, image)
        return {"call": call, "request": self._key(request)}

    def _unpacked(self, packed: Any) -> R:
        plain = dict(packed["request"])
        plain["references"] = tuple(ReferenceImage(c, self._blob(d).read_bytes()) for c, d in plain["references"])
        if "opening" in plain:
            plain["opening"] = self._blob(plain["opening"]).read_bytes()
        made: R = self._type(**plain)
        return made

    def _blob(self, name: str) -> Path:
        return self._blobs / name[:2] / name


def _error_to(error: StoryEngineError | None) -> dict[str, str] | None:
    if error is None:
        return None
    reason = error.reason if isinstance(error, Refused) else ""
    return {"kind": type(error).__name__, "message": error.message, "reason": reason, "next_step": error.next_step}


def _error_from(saved: dict[str, str]) -> StoryEngineError:
    if saved["kind"] == "Refused":
        return Refused(saved["message"], saved["reason"], next_step=saved["next_step"])
    kinds = {kind.__name__: kind for kind in (Unavailable, Misconfigured, InputError, FolderError, ContractError)}
    return kinds.get(saved["kind"], BackendError)(saved["message"], next_step=saved["next_step"])
