"""Several things at once; if one fails, the others stop and its error is what the caller sees."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import anyio

from storyengine.errors import StoryEngineError


async def together(jobs: Iterable[Callable[[], Coroutine[Any, Any, None]]]) -> None:
    """Run jobs side by side. A failure cancels the rest and is raised as itself, not wrapped in a group."""
    try:
        async with anyio.create_task_group() as tasks:
            for job in jobs:
                tasks.start_soon(job)
    except BaseExceptionGroup as group:
        raise _telling(group) from group


def _telling(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error to show: one of the family if there is any, else the first."""
    leaves = list(_leaves(group))
    return next((error for error in leaves if isinstance(error, StoryEngineError)), leaves[0])


def _leaves(error: BaseException) -> Iterable[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
