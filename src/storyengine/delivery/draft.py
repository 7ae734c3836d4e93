"""A film of the shots there are, when the work ends before the last one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from storyengine.continuity.crew import Crew
from storyengine.continuity.shooting import Take
from storyengine.delivery.assembly import join
from storyengine.files import write_bytes


def leave_draft(crew: Crew, takes: Sequence[Take], folder: Path) -> Path | None:
    """Write `film.mp4` from the shots so far, in their order; None where there is none to show.

    A film that was once finished is left as it is: it plays, and it is whole. No cut is recorded.
    """
    path = folder / "film.mp4"
    clips = [crew.clip(take.clip) for take in takes if take.clip is not None]
    if not clips or (path.exists() and crew.runner.project.journal.records("cut")):
        return None
    write_bytes(path, join(clips).data)
    return path
