"""Ctrl-C and SIGTERM end a run cleanly: calls already sent are received and booked, then the run stops."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

from storyengine.errors import Interrupted

T = TypeVar("T")
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


async def until_interrupted(work: Callable[[], Awaitable[T]]) -> T:
    """Await `work`; a first signal cancels it and raises Interrupted, a second one kills the process."""
    loop = asyncio.get_running_loop()
    with anyio.CancelScope() as scope:

        def stop() -> None:
            scope.cancel()
            _restore(loop)

        for number in _SIGNALS:
            loop.add_signal_handler(number, stop)
        try:
            return await work()
        finally:
            _restore(loop)
    raise Interrupted("Stopped before the end.", next_step="Run the same command again to resume.")


def _restore(loop: asyncio.AbstractEventLoop) -> None:
    for number in _SIGNALS:
        loop.remove_signal_handler(number)
