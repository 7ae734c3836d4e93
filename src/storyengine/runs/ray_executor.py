"""Runs pure steps on a Ray cluster. Needs the extra: pip install "storyengine[ray]".

The same steps, the same results. Workers get a job and either the store itself (`shared_store=True`: a disk
that every node sees under the same path) or the bytes of the inputs through Ray's own object store. Ray may
retry a step when a worker or a node dies; it only ever gets steps for which that is harmless.
"""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import anyio.to_thread

from storyengine.errors import ContractError, MissingDependency, StoryEngineError, Unavailable
from storyengine.runs.digest import digest_bytes
from storyengine.runs.executor import RETRIES, Lanes, artifact_of, lost_for_good
from storyengine.runs.store import Artifact, LocalStore, Store
from storyengine.runs.worker import Fault, Job, Outcome, perform

_SHIPPED_AT_ONCE = 256
"""Inputs kept in Ray's object store for the next step that needs them."""


class RayExecutor:
    """Pure steps on Ray. Connects to `address` ("auto" for the cluster of this machine), or starts Ray here.

    A warm helper lives in an actor that holds the step's resources for as long as this executor is open.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        shared_store: bool = False,
        capacity: Mapping[str, int] | None = None,
        **init: Any,
    ) -> None:
        self._ray = _load_ray()
        self._started_here = not self._ray.is_initialized()
        if self._started_here:
            init = {"include_dashboard": False, "log_to_driver": False, "configure_logging": False, **init}
            try:
                self._ray.init(address=address, **init)
            except Exception as error:
                raise Unavailable(
                    f"Ray cannot be reached at {address or 'this machine'}: {error}.",
                    next_step="Check that the cluster runs and that RAY_AUTH_MODE and the token are set here too.",
                ) from error
        self._shared = shared_store
        self._capacity = dict(capacity) if capacity else _cluster_capacity(self._ray)
        self._lanes = Lanes()
        self._shipped: OrderedDict[str, Any] = OrderedDict()
        self._plain = self._ray.remote(_run)
        self._actor = self._ray.remote(_Helper)

    @property
    def capacity(self) -> Mapping[str, int]:
        return self._capacity

    async def run(self, job: Job, store: Store) -> Artifact:
        place, blobs = await self._parcel(job, store)
        outcome, data = await self._submit(job, place, blobs)
        if data is not None and isinstance(outcome, Artifact):
            stored = await anyio.to_thread.run_sync(store.put, data)
            if stored != outcome:
                raise ContractError(f"The result of step {job.slot!r} changed on its way from the worker.")
        return artifact_of(outcome, job)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        for actor in self._lanes.empty():
            self._ray.kill(actor)
        self._shipped.clear()
        if self._started_here:
            self._ray.shutdown()

    async def _parcel(self, job: Job, store: Store) -> tuple[Store | None, list[Any]]:
        """The store for workers that share it; otherwise a reference to each input's bytes."""
        if self._shared:
            return store, []
        blobs = []
        for digest in job.inputs.values():
            if digest not in self._shipped:
                data = await anyio.to_thread.run_sync(store.get, digest)
                self._shipped[digest] = self._ray.put(data)
            self._shipped.move_to_end(digest)
            blobs.append(self._shipped[digest])
        while len(self._shipped) > _SHIPPED_AT_ONCE:
            self._shipped.popitem(last=False)
        return None, blobs

    async def _submit(self, job: Job, place: Store | None, blobs: list[Any]) -> tuple[Outcome, bytes | None]:
        if job.warm:
            return await self._submit_warm(job, place, blobs)
        ref = self._plain.options(max_retries=RETRIES, **_options(job.needs)).remote(job, place, *blobs)
        try:
            answer: tuple[Outcome, bytes | None] = await ref
        except self._ray.exceptions.RayError as error:
            raise self._translated(error, job) from error
        except BaseException:
            self._ray.cancel(ref, force=True)
            raise
        return answer

    async def _submit_warm(self, job: Job, place: Store | None, blobs: list[Any]) -> tuple[Outcome, bytes | None]:
        actor = (
            self._lanes.take(job)
            or self._actor.options(max_restarts=-1, max_task_retries=RETRIES, **_options(job.needs)).remote()
        )
        try:
            answer: tuple[Outcome, bytes | None] = await actor.run.remote(job, place, *blobs)
        except self._ray.exceptions.RayError as error:
            self._ray.kill(actor)
            raise self._translated(error, job) from error
        except BaseException:
            self._ray.kill(actor)
            raise
        self._lanes.give(job, actor)
        return answer

    def _translated(self, error: Exception, job: Job) -> StoryEngineError:
        crashes = (
            self._ray.exceptions.WorkerCrashedError,
            self._ray.exceptions.NodeDiedError,
            self._ray.exceptions.ActorDiedError,
            self._ray.exceptions.OutOfMemoryError,
        )
        if isinstance(error, crashes):
            return lost_for_good(job)
        return Unavailable(f"Ray could not run step {job.slot!r}: {error}.", next_step="Run the same command again.")


def _run(job: Job, place: Store | None, *blobs: bytes) -> tuple[Outcome, bytes | None]:
    return _perform(job, place, blobs, {})


class _Helper:
    def __init__(self) -> None:
        self._helpers: dict[str, Any] = {}

    def run(self, job: Job, place: Store | None, *blobs: bytes) -> tuple[Outcome, bytes | None]:
        return _perform(job, place, blobs, self._helpers)


def _perform(
    job: Job, place: Store | None, blobs: tuple[bytes, ...], helpers: dict[str, Any]
) -> tuple[Outcome, bytes | None]:
    if place is not None:
        return perform(job, place, helpers), None
    parcel = _Parcel(dict(zip(job.inputs.values(), blobs, strict=True)))
    outcome = perform(job, parcel, helpers)
    return outcome, None if isinstance(outcome, Fault) else parcel.get(outcome.digest)


class _Parcel:
    """A store for one step on a machine that does not see the project: its inputs, then its result."""

    def __init__(self, blobs: dict[str, bytes]) -> None:
        self._blobs = blobs

    def put(self, data: bytes | Path) -> Artifact:
        content = data if isinstance(data, bytes) else data.read_bytes()
        artifact = Artifact(digest_bytes(content), len(content))
        self._blobs[artifact.digest] = content
        return artifact

    def get(self, digest: str) -> bytes:
        return self._blobs[digest]

    def path(self, digest: str) -> Path:
        # Content-addressed, so steps on one machine may share what they unpack.
        return self._unpacked(LocalStore(Path(tempfile.gettempdir()) / "storyengine-parcels"), digest)

    def has(self, digest: str, size: int | None = None) -> bool:
        return digest in self._blobs and size in (None, len(self._blobs[digest]))

    def size(self, digest: str) -> int:
        return len(self._blobs[digest])

    def digests(self) -> Iterator[str]:
        return iter(self._blobs)

    def delete(self, digest: str) -> None:
        self._blobs.pop(digest, None)

    def _unpacked(self, place: LocalStore, digest: str) -> Path:
        place.put(self._blobs[digest])
        return place.path(digest)


def _load_ray() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise MissingDependency("Ray", "ray") from error
    return ray


def _cluster_capacity(ray: Any) -> dict[str, int]:
    """What the cluster has now, in our words."""
    names = {"CPU": "cpu", "GPU": "gpu"}
    found = {names.get(name, name): int(amount) for name, amount in ray.cluster_resources().items()}
    return {name: amount for name, amount in found.items() if amount > 0 and not name.startswith("node:")}


def _options(needs: Mapping[str, int]) -> dict[str, Any]:
    others = {name: amount for name, amount in needs.items() if name not in ("cpu", "gpu")}
    return {"num_cpus": needs.get("cpu", 0), "num_gpus": needs.get("gpu", 0), "resources": others}
