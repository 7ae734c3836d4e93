"""Checks of single stories and of the whole benchmark. Each names everything that is wrong, not just the first.

`python -m storyengine.bench.verify [STORYFOLDER ...]` checks folders one by one, for people who write stories;
`verify` proves the numbers of the design and that nothing has changed since the stories were frozen.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from storyengine import documents
from storyengine.bench.briefs import BRIEF, parsed, story_ids
from storyengine.bench.c20_checks import check_c20
from storyengine.bench.distractors import check_distractors
from storyengine.bench.findings import Finding
from storyengine.bench.index import ENTRIES, VERSION, Suite
from storyengine.bench.likeness import MOST_ALIKE, Likeness, likenesses, shared_sentences
from storyengine.bench.lock import LOCK, current, differences, read_lock
from storyengine.bench.n20_checks import check_n20
from storyengine.bench.sheet import Sheet
from storyengine.bench.story import SHEET, Story
from storyengine.bench.story_checks import check_story
from storyengine.bench.t20_checks import check_t20
from storyengine.bench.totals import Figure, figures
from storyengine.documents import Model
from storyengine.errors import InputError
from storyengine.files import read_text
from storyengine.request import StoryRequest

HOME = Path(__file__).parent / "stories"

_SUITE_CHECKS: Mapping[Suite, Callable[[Story], list[Finding]]] = {
    "N20": check_n20,
    "T20": check_t20,
    "C20": check_c20,
}


def check(story: Story) -> list[Finding]:
    """Everything that is wrong with one story by itself."""
    return [*check_story(story), *_SUITE_CHECKS[story.sheet.suite](story)]


def read_folder(folder: Path) -> tuple[Story | None, list[Finding]]:
    """The story of a folder, or the findings that explain why there is none."""
    if not folder.is_dir():
        return None, [Finding(folder.name, "folder", f"there is no folder {folder}")]
    findings: list[Finding] = []
    brief = _read(StoryRequest, folder / BRIEF, findings)
    sheet = _read(Sheet, folder / SHEET, findings)
    if brief is None or sheet is None:
        return None, findings
    if sheet.story != folder.name:
        findings.append(Finding(folder.name, "sheet.story", f"found {sheet.story!r}; the folder's name is the id"))
    return Story(brief=brief, sheet=sheet), findings


def _read(model: type[Model], file: Path, findings: list[Finding]) -> Model | None:
    try:
        return documents.validate(model, parsed(read_text(file), f"{file.parent.name}/{file.name}"))
    except InputError as error:
        findings += [Finding(file.parent.name, "file", line) for line in str(error).splitlines()]
        return None


def check_folder(folder: Path) -> list[Finding]:
    story, findings = read_folder(folder)
    return findings if story is None else [*findings, *check(story)]


@dataclass(frozen=True)
class Verdict:
    """What was proved about the whole benchmark, and what was not."""

    version: str
    figures: tuple[Figure, ...]
    findings: tuple[Finding, ...]
    nearest: tuple[Likeness, ...]
    """The stories that are most alike."""

    @property
    def ok(self) -> bool:
        return not self.findings and all(figure.ok for figure in self.figures)


def verify(home: Path = HOME) -> Verdict:
    """Check every story, count every number of the design, and compare with the lock."""
    found: list[Story] = []
    findings: list[Finding] = []
    for story in story_ids():
        value, problems = read_folder(home / story)
        findings += problems
        if value is not None:
            found.append(value)
            findings += check(value)
    strays = sorted(path.name for path in home.iterdir() if path.is_dir() and path.name not in ENTRIES)
    findings += [Finding(name, "folder", "is not in the index") for name in strays]
    findings += [*shared_sentences(found), *check_distractors(found), *changes_since_frozen(home)]
    return Verdict(VERSION, tuple(figures(found)), tuple(findings), tuple(likenesses(found)[:5]))


def changes_since_frozen(home: Path) -> list[Finding]:
    """What differs from the lock beside the stories, or that there is none."""
    try:
        return differences(read_lock(home.parent / LOCK), current(home))
    except InputError as error:
        return [Finding("benchmark", LOCK, str(error))]


def main(arguments: Sequence[str]) -> int:
    """Check story folders and say what was found. The whole benchmark is checked by `storyengine bench verify`."""
    folders = [Path(argument) for argument in arguments]
    if not folders:
        folders = sorted(path for path in HOME.iterdir() if path.is_dir())
    wrong = 0
    for folder in folders:
        findings = check_folder(folder.resolve())
        wrong += bool(findings)
        sys.stdout.write(f"{folder.name}: {'ok' if not findings else f'{len(findings)} findings'}\n")
        sys.stdout.writelines(f"  {finding.where}: {finding.message}\n" for finding in findings)
    _say_likeness({folder.name for folder in folders}, {folder.resolve().parent for folder in folders})
    sys.stdout.write(f"{len(folders)} stories, {wrong} with findings.\n")
    return 1 if wrong else 0


def _say_likeness(names: set[str], homes: set[Path]) -> None:
    """Sentences that the checked stories share with any story beside them, and their nearest neighbours."""
    folders = sorted(path for home in homes for path in home.iterdir() if path.is_dir())
    stories = [story for story, _ in map(read_folder, folders) if story is not None]
    shared = [str(finding) for finding in shared_sentences(stories) if any(name in str(finding) for name in names)]
    sys.stdout.writelines(f"{line}\n" for line in shared)
    for pair in likenesses(stories)[:3]:
        if names & {pair.first, pair.second}:
            sys.stdout.write(f"similarity {pair.similarity:.3f} (below {MOST_ALIKE}): {pair.first}, {pair.second}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
