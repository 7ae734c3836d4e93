import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyengine import documents
from storyengine.documents import Edit
from storyengine.errors import InputError

from .strategies import text

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(text, children, max_size=4),
    max_leaves=12,
)


def test_yaml_keeps_words_that_other_readers_turn_into_booleans():
    data = documents.parse("no: off\nyes: on\ntime: 12:30:45\nversion: 1\n", "x").data
    assert data == {"no": "off", "yes": "on", "time": "12:30:45", "version": 1}


def test_lines_are_known_for_every_value():
    document = documents.parse("a: 1\nb:\n  - x\n  - c: 2\n", "brief.yaml")
    assert document.place(("b", 1, "c")) == "brief.yaml:4"
    assert document.place(("b", 0)) == "brief.yaml:3"
    assert document.place(("b", 7, "deeper")) == "brief.yaml:2"


@given(st.dictionaries(text, plain, min_size=1, max_size=4))
def test_written_yaml_reads_back(data):
    assert documents.parse(documents.to_yaml(data), "x").data == data


@given(plain)
def test_canonical_json_is_canonical(data):
    text = documents.canonical_json(data)
    assert json.loads(text) == data
    assert documents.canonical_json(json.loads(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("   \n\n", "is empty"),
        ("a: [1, 2", "not valid YAML"),
        ("a: 1\na: 2\n", "x:2: the key 'a' appears twice"),
        ('{"a": 1, "a": 2}', "appears twice"),
        ("a: &x 1\nb: *x\n", "aliases"),
        ("a: 1\n---\nb: 2\n", "one document"),
        ("? [1, 2]\n: 3\n", "a key must be plain text"),
        ("[" * 5000 + "]" * 5000, "nested"),
        ('{"a":' * 200 + "1" + "}" * 200, "nested"),
        ('{"a":' * 100_000, "nested|valid"),
        ("a: \x07\n", "not valid YAML"),
        ('{"a": NaN}', "NaN"),
        ("a: " + "x" * 5_000_000, "characters"),
    ],
)
def test_what_no_story_file_needs_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        documents.parse(text, "x")


def test_a_yaml_bomb_is_refused_at_its_first_alias():
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20)
    )
    with pytest.raises(InputError, match="aliases"):
        documents.parse(bomb, "bomb.yaml")


def test_edits_keep_comments():
    text = "# my plan\ninitial:\n  # the bag\n  - bag on desk\n  - cup on desk # mine\n"
    edits = [Edit("put", ("initial", 0), "bag in box"), Edit("insert", ("initial", -1), "key offscreen")]
    changed = documents.edit_yaml(text, edits)
    assert "# my plan" in changed
    assert "# the bag" in changed
    assert "# mine" in changed
    assert documents.parse(changed, "x").data == {"initial": ["bag in box", "cup on desk", "key offscreen"]}


def test_an_insertion_makes_the_lists_it_needs():
    data = {"shots": [{}]}
    documents.apply_edit(data, Edit("insert", ("shots", 0, "offscreen", -1), {"action": "x"}))
    assert data == {"shots": [{"offscreen": [{"action": "x"}]}]}
