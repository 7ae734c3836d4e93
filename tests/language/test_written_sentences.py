"""The written sentences themselves: every expectation keeps to the closed lists and quotes its sentence."""

from pathlib import Path

from storyengine import documents

ACTS = frozenset(
    [
        "take",
        "put",
        "give",
        "carry",
        "go",
        "push",
        "open",
        "close",
        "raise",
        "lower",
        "fill",
        "empty",
        "break",
        "mend",
        "hang",
        "detach",
        "wear",
        "doff",
        "light",
        "douse",
        "turn",
        "change",
        "look",
    ]
)
KEYS = frozenset(["act", "who", "what", "to", "from", "with", "where", "relation", "state"])
QUOTED = ("what", "to", "from", "with", "where")
FILE = Path(__file__).parent / "sentences.yaml"


def sentences():
    return documents.parse(FILE.read_text(encoding="utf-8"), FILE.name).data


def test_every_reading_keeps_to_the_closed_lists():
    entries = sentences()
    assert len({entry["text"] for entry in entries}) == len(entries) >= 160
    assert {reading["act"] for entry in entries for reading in entry["reads"]} == ACTS
    for entry in entries:
        assert set(entry) == {"text", "reads"}
        assert entry["reads"]
        for reading in entry["reads"]:
            assert set(reading) <= KEYS, entry
            assert reading.get("relation", "in") in ("in", "on", "held", "attached", "at"), entry


def test_every_reading_quotes_its_sentence():
    for entry in sentences():
        for reading in entry["reads"]:
            quotes = [reading[key] for key in QUOTED if key in reading] + reading.get("who", [])
            assert all(quote in entry["text"] for quote in quotes), entry
