"""Checks of stories: `python -m storyengine.bench.verify [STORYFOLDER ...]` names everything that is wrong.

A story that cannot be read is a finding like any other; checking never stops at the first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from storyengine import documents
from storyengine.bench.briefs import BRIEF
from storyengine.bench.c20_checks import check_c20
from storyengine.bench.findings import Finding
from storyengine.bench.index import Suite
from storyengine.bench.n20_checks import check_n20
from storyengine.bench.sheet import Sheet
from storyengine.bench.story import SHEET, Story
from storyengine.bench.story_checks import check_story
from storyengine.bench.t20_checks import check_t20
from storyengine.documents import Model
from storyengine.errors import InputError
from storyengine.files import read_text
from storyengine.request import StoryRequest

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
        return documents.validate(model, documents.parse(read_text(file), file.name))
    except InputError as error:
        findings += [Finding(file.parent.name, "file", line) for line in str(error).splitlines()]
        return None


def check_folder(folder: Path) -> list[Finding]:
    story, findings = read_folder(folder)
    return findings if story is None else [*findings, *check(story)]


def main(arguments: Sequence[str]) -> int:
    """Check story folders and say what was found. The whole benchmark is checked by `storyengine bench verify`."""
    folders = [Path(argument) for argument in arguments]
    if not folders:
        home = Path(__file__).parent / "stories"
        folders = sorted(path for path in home.iterdir() if path.is_dir())
    wrong = 0
    for folder in folders:
        findings = check_folder(folder.resolve())
        wrong += bool(findings)
        sys.stdout.write(f"{folder.name}: {'ok' if not findings else f'{len(findings)} findings'}\n")
        sys.stdout.writelines(f"  {finding.where}: {finding.message}\n" for finding in findings)
    sys.stdout.write(f"{len(folders)} stories, {wrong} with findings.\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
