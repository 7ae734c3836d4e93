"""A film of the shots there are, when the work ends before the last one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from storyengine.continuity.crew import Crew
from storyengine.delivery.assembly import join
from storyengine.files import write_bytes


def leave_draft(crew: Crew, clips: Sequence[str], folder: Path) -> Path | None:
    """Write `film.mp4` from the clips so far, by their digests and in their order; None where there are none.

    A film that was once finished is left as it is: it plays, and it is whole. No cut is recorded.
    """
    path = folder / "film.mp4"
    if not clips or (path.exists() and crew.runner.project.journal.records("cut")):
        return None
    write_bytes(path, join([crew.clip(clip) for clip in clips]).data)
    return path
