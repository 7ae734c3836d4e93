"""How much stories resemble each other: sentences they share, and the runs of five words they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from storyengine.bench.findings import Finding
from storyengine.bench.index import CLAUSES
from storyengine.bench.story import Story
from storyengine.bench.texts import runs, sentences, words

MOST_ALIKE = 0.15
"""Two stories stay below this similarity."""

_FIXED = frozenset(tuple(words(clause)) for clauses in CLAUSES.values() for clause in clauses)


@dataclass(frozen=True)
class Likeness:
    """Two stories and the share of their five-word runs that both have (Jaccard)."""

    first: str
    second: str
    similarity: float


def own_sentences(story: Story) -> list[str]:
    """The sentences of idea and style, without the fixed clauses."""
    text = [*sentences(story.brief.idea), *sentences(story.brief.style or "")]
    return [sentence for sentence in text if tuple(words(sentence)) not in _FIXED]


def shared_sentences(stories: Sequence[Story]) -> list[Finding]:
    """One finding for each sentence that two stories have in common."""
    owners: dict[tuple[str, ...], tuple[str, str]] = {}
    findings = []
    for story in stories:
        for sentence in own_sentences(story):
            key = tuple(words(sentence))
            owner, said = owners.setdefault(key, (story.id, sentence))
            if owner != story.id:
                findings.append(Finding(story.id, "brief", f"shares a sentence with {owner}: {said!r}"))
    return findings


def likenesses(stories: Sequence[Story]) -> list[Likeness]:
    """Every pair of stories, the most alike first."""
    # Runs are taken sentence by sentence, so that leaving a clause out makes no run that nobody wrote.
    found = {story.id: frozenset().union(*(runs(text) for text in own_sentences(story))) for story in stories}
    pairs = [
        Likeness(a, b, len(found[a] & found[b]) / max(1, len(found[a] | found[b]))) for a, b in combinations(found, 2)
    ]
    return sorted(pairs, key=lambda pair: (-pair.similarity, pair.first, pair.second))
