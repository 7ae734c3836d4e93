import pytest

from storyengine import documents
from storyengine.errors import InputError
from storyengine.request import Delivery, StoryRequest, read_request


def read(text):
    return read_request(documents.parse(text, "brief.yaml"))


def test_idea_and_shots_are_enough():
    request = read("idea: A student forgets her notebook.\nshots: 6\n")
    assert request == StoryRequest(idea="A student forgets her notebook.", shots=6)
    assert (request.delivery.width, request.delivery.height, request.delivery.fps) == (1280, 720, 24)
    assert request.delivery.durations == (4.0, 6.0, 8.0)


def test_a_full_brief():
    request = read(
        """
title: Night shift
idea: |
  A guard walks.
  She finds a lamp.
shots: 4
style: dim and warm
required_entities: [the guard, lamp]
forbidden_content: [on-screen text]
delivery: {width: 720, height: 1280, fps: 25, durations: [8, 4, 4], audio: false}
references: [{of: the guard, picture: guard.png}]
"""
    )
    assert request.idea == "A guard walks.\nShe finds a lamp."
    assert request.delivery == Delivery(width=720, height=1280, fps=25, durations=(4, 8), audio=False)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("shots: 3", ["brief.yaml:1: idea: this field is missing"]),
        ("idea: x\nshots: 0", ["brief.yaml:2: shots: found 0", "greater than or equal to 1"]),
        ("idea: x\nshots: 5000", ["brief.yaml:2: shots: found 5000", "1000"]),
        ("idea: x\nshots: six", ['brief.yaml:2: shots: found "six"', "integer"]),
        ("idea: x\nshots: 2\nstlye: calm", ["brief.yaml:3: stlye: unknown field", "Did you mean 'style'?"]),
        ("idea: x\nshots: 2\ndelivery:\n  widht: 3", ["brief.yaml:4: delivery.widht", "'width'", "durations"]),
        ("idea: x\nshots: 2\ndelivery: {width: 30}", ["delivery.width: found 30", "64"]),
        ("idea: [a]\nshots: 2", ["brief.yaml:1: idea: found [", "string"]),
        ("- idea\n- shots", ["expected a mapping", "found a list"]),
        ("just words", ["expected a mapping", "found plain text"]),
        ('{"idea": "x", "shots": 2, "shotz": 1}', ["brief.yaml:1: shotz", "Did you mean 'shots'?"]),
        ('{"idea": "a\\u0007b", "shots": 2}', ["control character U+0007"]),
        ("idea: " + "x" * 60_000 + "\nshots: 2", ["idea: found", "at most 50000"]),
    ],
)
def test_errors_name_file_line_field_and_what_is_allowed(text, messages):
    with pytest.raises(InputError) as caught:
        read(text)
    for message in messages:
        assert message in str(caught.value)


def test_every_problem_is_reported_at_once():
    with pytest.raises(InputError) as caught:
        read("shots: none\nstlye: x\n")
    assert len(str(caught.value).splitlines()) == 3
