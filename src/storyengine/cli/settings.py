"""The profile that a command works with."""

from __future__ import annotations

from pathlib import Path

from storyengine.cli.output import open_document
from storyengine.documents import did_you_mean
from storyengine.errors import InputError
from storyengine.profile import Choice, Profile, read_profile


def read_settings(profile: Path | None, beside: Path, changes: list[str], default: Profile | None = None) -> Profile:
    """The profile: a file, the one beside the story, or the default, with parts changed by `part=backend`."""
    file = profile or (beside if beside.is_file() else None)
    settings = read_profile(open_document(file)) if file else default or Profile()
    parts = tuple(Profile.model_fields)
    for change in changes:
        part, equals, backend = change.partition("=")
        if not equals or not backend or part not in parts:
            guess = did_you_mean(part, parts) if equals else "."
            raise InputError(
                f"--set {change!r} is not understood{guess}",
                next_step=f"Write part=backend; parts: {', '.join(parts)}.",
            )
        settings = settings.model_copy(update={part: Choice(backend=backend)})
    return settings
