"""The reader on single sentences and on the parts of a brief."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyengine import documents
from storyengine.language.reading import read_brief, read_sentence
from storyengine.language.reading.shotplan import shot_mentions
from storyengine.language.reading.tokens import split_sentences
from storyengine.language.reading.verbs import verb_forms
from storyengine.request import StoryRequest

SENTENCES = documents.parse(
    (Path(__file__).parent / "sentences.yaml").read_text(encoding="utf-8"), "sentences.yaml"
).data


def plain(words):
    return re.sub(
        r"^(the|a|an|her|his|their|its|some|two|six) ", "", " ".join(str(words).lower().replace(".", "").split())
    )


def found(reading, key):
    if key == "who":
        return [plain(name) for name in reading.who]
    attribute = {"from": "from_", "with": "with_"}.get(key, key)
    return plain(getattr(reading, attribute))


def is_right(entry):
    readings = read_sentence(entry["text"])
    if len(readings) != len(entry["reads"]):
        return False
    return all(
        found(reading, key) == ([plain(name) for name in value] if key == "who" else plain(value))
        for reading, expected in zip(readings, entry["reads"], strict=True)
        for key, value in expected.items()
    )


def test_single_sentences_are_read_right():
    missed = [entry["text"] for entry in SENTENCES if not is_right(entry)]
    assert len(SENTENCES) >= 120
    assert 1 - len(missed) / len(SENTENCES) >= 0.95, missed


@pytest.mark.parametrize(
    ("sentence", "shots"),
    [
        ("Shots 1-2 in the bakehouse, shot 3 in the store.", {1: "bakehouse", 2: "bakehouse", 3: "store"}),
        ("Shot 6 is set in the store.", {6: "store"}),
        ("The first two shots play in the yard.", {1: "yard", 2: "yard"}),
        ("Shots one to four: the attic", {1: "attic", 2: "attic", 3: "attic", 4: "attic"}),
        ("1–2 kitchen, 3 hall", {1: "kitchen", 2: "kitchen", 3: "hall"}),
        ("The film begins in the burrow (shot 1).", {1: "burrow"}),
        ("Use shots 1 and 2 for the lobby.", {1: "lobby", 2: "lobby"}),
        ("All six shots are in the depot.", dict.fromkeys(range(1, 7), "depot")),
        ("The last two shots are on the terrace.", {5: "terrace", 6: "terrace"}),
        ("Shot 3 opens on the red barrow.", {3: ""}),
    ],
)  # fmt: skip
def test_shot_plans_in_many_wordings(sentence, shots):
    assert {n: m.place for m in shot_mentions(sentence, 6) for n in m.shots} == shots


@pytest.mark.parametrize(
    ("sentence", "shot", "thing"),
    [
        ("Shot 3 opens on the red barrow, and the shot before it ends on it.", 3, "red barrow"),
        ("The cut into shot 4 is anchored by the bowl.", 4, "bowl"),
        ("Shots 1 and 2 meet on the yellow can.", 2, "yellow can"),
        ("Cut 2, shot 2 to shot 3: the white-handled shovel, carried by Desta.", 3, "white-handled shovel"),
        ("Parveen pushes the orange truck out of shot 5 and into shot 6.", 6, "orange truck"),
    ],
)
def test_anchors_in_many_wordings(sentence, shot, thing):
    idea = f"Desta and Parveen work in the shed. Desta opens the gate. {sentence}"
    anchors = read_brief(StoryRequest(idea=idea, shots=6)).anchors
    assert [(anchor.shot, anchor.phrase.name) for anchor in anchors] == [(shot, thing)]


def test_known_names_make_short_references_full():
    (reading,) = read_sentence("Ewa leans the peel by the oven.", known=["Ewa", "blue-handled peel", "red barrow"])
    assert reading.what == "blue-handled peel"


def test_pronouns_follow_gender_number_and_what_can_be_done():
    readings = read_sentence("Karl hands Ines the box, and she puts it in the safe and shuts it.")
    assert [(r.who, r.what, r.to) for r in readings[1:]] == [(("Ines",), "box", "safe"), (("Ines",), "safe", "")]


def test_orders_one_way_changes_and_light_are_read():
    brief = read_brief(
        StoryRequest(
            idea="Jo breaks the seal in the vault. The seal stays broken for good. Jo opens the box. "
            "The seal has to be broken before the box is opened.",
            shots=3,
            style="The vault is dim and warm.",
        )
    )
    assert [(o.first.what, o.then.what) for o in brief.orders if o.first and o.then] == [("seal", "box")]
    assert brief.one_way
    assert (brief.lights["vault"].brightness, brief.lights["vault"].tone) == ("dim", "warm")


def test_what_is_not_understood_is_reported_per_sentence():
    brief = read_brief(StoryRequest(idea="Jo takes the cup in the hall. The quux frobnicates gladly.", shots=2))
    assert [unread.sentence for unread in brief.unread] == ["The quux frobnicates gladly."]


@pytest.mark.parametrize(
    ("word", "lemma"),
    [("took", "take"), ("hung", "hang"), ("lit", "light"), ("carries", "carry"), ("putting", "put"), ("slid", "slide")],
)
def test_verbs_are_known_in_all_their_forms(word, lemma):
    assert lemma in {form.lemma for form in verb_forms(word)}


def test_sentences_end_at_full_stops_but_not_at_titles():
    assert split_sentences("Mr. Bell opens it. He smiles.") == ("Mr. Bell opens it.", "He smiles.")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read_without_a_crash(text):
    read_sentence(text)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(re.findall(r"\S+", " ".join(entry["text"] for entry in SENTENCES))), min_size=1, max_size=40
    )
)
def test_any_heap_of_words_is_read_without_a_crash(words):
    read_brief(StoryRequest(idea=" ".join(words), shots=3))
