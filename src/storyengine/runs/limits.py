"""How much may happen at once: resources that steps hold, and the pace of requests to a provider."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio

from storyengine.errors import InputError


class Resources:
    """Counted resources ("cpu", "gpu_video"). A step takes all it needs at once, so two never deadlock.

    First come, first served: a step that needs much is not overtaken for ever by those that need little.
    """

    def __init__(self, capacity: Mapping[str, int]) -> None:
        self.capacity = dict(capacity)
        self._free = dict(capacity)
        self._queue: list[tuple[Mapping[str, int], anyio.Event]] = []

    def require(self, needs: Mapping[str, int], slot: str) -> None:
        """Raise when these needs can never be met."""
        for name, amount in needs.items():
            if amount > self.capacity.get(name, 0):
                raise InputError(
                    f"Step {slot!r} needs {amount} {name}, but this executor has {self.capacity.get(name, 0)}.",
                    next_step=f"Give the executor more {name}, or choose a backend that needs less.",
                )

    @asynccontextmanager
    async def hold(self, needs: Mapping[str, int]) -> AsyncIterator[None]:
        turn = anyio.Event()
        self._queue.append((needs, turn))
        self._serve()
        try:
            await turn.wait()
        except BaseException:
            if turn.is_set():
                self._give_back(needs)
            else:
                self._queue = [waiting for waiting in self._queue if waiting[1] is not turn]
                self._serve()
            raise
        try:
            yield
        finally:
            self._give_back(needs)

    def _give_back(self, needs: Mapping[str, int]) -> None:
        for name, amount in needs.items():
            self._free[name] += amount
        self._serve()

    def _serve(self) -> None:
        while self._queue and all(self._free[name] >= amount for name, amount in self._queue[0][0].items()):
            needs, turn = self._queue.pop(0)
            for name, amount in needs.items():
                self._free[name] -= amount
            turn.set()


class Pace:
    """Evenly spaced starts (the generic cell rate algorithm with no burst), on a clock nobody can set back."""

    def __init__(self, per_second: float | None) -> None:
        self._gap = 1 / per_second if per_second else 0.0
        self._next = -math.inf

    async def turn(self) -> None:
        """Return when the next request may start."""
        if not self._gap:
            return
        now = anyio.current_time()
        mine = max(now, self._next)
        self._next = mine + self._gap
        await anyio.sleep_until(mine)
