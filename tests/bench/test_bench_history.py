"""The replay on small histories, written out claim by claim."""

import pytest
from breaking import sheet

from storyengine.bench.history import contradictions, dependencies
from storyengine.bench.sheet import RequiredEvent


def history(story, *lines):
    """The story with these events: `place: before -> after`."""
    events = []
    for number, line in enumerate(lines, start=1):
        place, _, change = line.partition(": ")
        before, _, after = change.partition(" -> ")
        events.append(
            RequiredEvent.model_validate(
                {
                    "id": f"e{number}",
                    "sentence": "Something happens.",
                    "actors": ["ewa"],
                    "place": place,
                    "before": {"sentence": "Before.", "claim": before},
                    "after": {"sentence": "After.", "claim": after},
                }
            )
        )
    return sheet(story, events=tuple(events)).sheet


@pytest.mark.parametrize(
    "lines",
    [
        ("store: peel at store.rank -> peel held by tam", "bakehouse: peel held by tam -> peel at bakehouse.oven"),
        ("store: barrow visible -> barrow absent", "bakehouse: barrow absent -> barrow at bakehouse.oven"),
        ("store: ewa at store.rank -> ewa at store.bin", "bakehouse: ewa at bakehouse.oven -> ewa absent"),
        ("store: bin.lid = shut -> bin.lid = thrown back", "store: peel held by tam -> peel in bin"),
        ("store: barrow visible -> barrow absent", "store: barrow absent -> barrow visible"),
        (
            "store: barrow at store.bin -> barrow at store.rank",
            "store: loaves held by tam -> loaves on barrow",
            "bakehouse: loaves on barrow -> loaves held by ewa",  # the barrow is pushed over between the shots
        ),
    ],
)
def test_histories_that_hold(n20, lines):
    assert list(contradictions(history(n20, *lines))) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ("store: bin.lid = shut -> bin.lid = thrown back", "store: bin.lid = shut -> bin.lid = thrown back"),
            "bin.lid is 'thrown back' since e1, not 'shut'",
        ),
        (
            ("store: peel at store.rank -> peel held by tam", "store: peel at store.rank -> peel held by ewa"),
            "'peel' is 'held by tam' since e1, not 'at store.rank'",
        ),
        (
            ("store: barrow visible -> barrow absent", "store: barrow visible -> barrow absent"),
            "'barrow' left 'store' in e1 and has not come back",
        ),
        (
            ("store: barrow visible -> barrow absent", "store: barrow at store.rank -> barrow at store.bin"),
            "'barrow' left 'store' in e1",
        ),
        (
            ("store: peel held by tam -> peel at store.rank", "store: peel absent -> peel visible"),
            "'peel' is in 'store' since e1, not absent",
        ),
        (
            ("store: peel held by tam -> peel at store.rank", "bakehouse: peel visible -> peel absent"),
            "'peel' is in 'store', not in 'bakehouse'",
        ),
        (
            (
                "store: bin absent -> bin at store.rank",
                "store: bin.lid = shut -> bin.lid = thrown back",
                "store: loaves held by tam -> loaves in bin",
                "bakehouse: loaves in bin -> loaves held by ewa",
            ),
            "'loaves' is in 'store', not in 'bakehouse'",
        ),
        (
            ("store: bin.lid = thrown back -> bin.lid = shut", "store: peel held by tam -> peel in bin"),
            "'peel' in 'bin' cannot be seen or reached: it is 'shut' since e1",
        ),
        (
            ("store: bin.lid = thrown back -> bin.lid = shut", "store: peel in bin -> peel held by tam"),
            "'peel' in 'bin' cannot be seen or reached",
        ),
    ],
)
def test_histories_that_contradict_themselves(n20, lines, expected):
    assert expected in "\n".join(message for _, message in contradictions(history(n20, *lines)))


def test_events_about_one_thing_depend_on_each_other(n20):
    found = dependencies(
        history(
            n20,
            "store: bin.lid = shut -> bin.lid = thrown back",
            "store: peel held by tam -> peel in bin",
            "store: bin.lid = thrown back -> bin.lid = shut",
            "bakehouse: peel visible -> peel absent",
        )
    )
    assert found == {0: frozenset(), 1: frozenset(), 2: frozenset({0}), 3: frozenset({1})}
