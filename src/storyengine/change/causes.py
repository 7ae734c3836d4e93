"""Why a step is wanted, in the words of film: read off what it depends on and what that was before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storyengine.language.sections import read_sections
from storyengine.runs.rehearsal import Wanted
from storyengine.runs.why import Change, Status

MOST_LINES = 3
"""Changed lines of a prompt that are quoted."""
SETTINGS = {"seconds": "its length", "width": "the width", "height": "the height", "fps": "the frame rate"}


def causes(wanted: Wanted) -> tuple[str, ...]:
    """Every cause, the telling ones first; what only follows from them is left out where they are known."""
    found = tuple(dict.fromkeys(_causes(wanted)))
    telling = tuple(cause for cause in found if cause not in FOLLOWING)
    return telling or found


FOLLOWING = ("its criteria change", "it has to be judged")


def _causes(wanted: Wanted) -> Iterator[str]:
    step, why = wanted.step, wanted.why
    if why.status is Status.LOST:
        yield "its file is missing or was damaged"
    elif why.status is Status.NEW:
        yield "it has to be judged" if step.kind in ("judge", "locate") else "it was not made before"
    for change in why.changes:
        yield from _change(wanted, change, why.changes)


def _change(wanted: Wanted, change: Change, all_changes: Sequence[Change]) -> Iterator[str]:
    step = wanted.step
    match change.what, change.name:
        case "input", "media":
            yield from _media(step.slot)
        case "input", "opening":
            yield "its opening changes"
        case "input", name if name.startswith("reference-"):
            yield from _reference(wanted, name)
        case "param", "prompt":
            yield from _prompt(str(change.before or ""), str(change.after or ""))
        case "param", "seed":
            if not any(other.name == "prompt" for other in all_changes) or _redone(change):
                yield "the author asked for it again" if _redone(change) else "the film has another seed"
        case "param", "backend":
            yield "it is made by another backend, or by another version of it"
        case "param", "statements":
            yield "its criteria change"
        case "param", name if name in SETTINGS:
            yield f"{SETTINGS[name]} changes from {change.before} to {change.after}"
        case ("param", "prompt_version") | ("version", _) | ("kind", _):
            yield "StoryEngine itself asks for it differently now"
        case _:
            pass


def _redone(change: Change) -> bool:
    from storyengine.change.record import SEED_STEP

    before, after = change.before, change.after
    return isinstance(before, int) and isinstance(after, int) and before // SEED_STEP != after // SEED_STEP


def _media(slot: str) -> Iterator[str]:
    match = re.fullmatch(r"shot (\d+)/gate", slot)
    if match:
        yield f"the last frame of shot {int(match[1]) - 1} changes"
    else:
        yield "it has to be judged"


def _reference(wanted: Wanted, name: str) -> Iterator[str]:
    captions = wanted.step.params.get("captions", ())
    number = int(name.removeprefix("reference-"))
    if number < len(captions):
        caption = str(captions[number])
        if not caption.startswith("the last frame of the shot before"):
            yield f"the reference of {re.split(r' [(]|:| — ', caption)[0]} changes"


def _prompt(before: str, after: str) -> Iterator[str]:
    """The lines that a prompt gained or lost, the author's own notes first."""
    old = {line for lines in read_sections(before).values() for line in lines}
    new = {line for lines in read_sections(after).values() for line in lines}
    gained = [line for lines in read_sections(after).values() for line in lines if line not in old]
    lost = [line for lines in read_sections(before).values() for line in lines if line not in new]
    for line in gained[:MOST_LINES]:
        yield f"now asked for: {line}"
    for line in lost[: max(MOST_LINES - len(gained), 0)]:
        yield f"no longer asked for: {line}"
