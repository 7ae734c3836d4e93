"""The written briefs themselves: they read, their facts are facts, and nothing in them is out of range."""

import re

import pytest

from storyengine import documents
from storyengine.demo import demo_plan
from storyengine.plan import read_plan

from .expected import HERE, expected, unplannable, wrong
from .facts import film_of, holds_in

DEMO = demo_plan()
FILM = film_of(DEMO)
WRITTEN = [*expected("briefs"), *expected("held_out")]


@pytest.mark.parametrize("brief", WRITTEN, ids=lambda brief: brief.name)
def test_every_expected_fact_is_a_fact_about_this_film(brief):
    assert 8 <= len(brief.facts) <= 16
    assert len(set(brief.facts)) == len(brief.facts)
    for fact in brief.facts:
        holds_in(fact, FILM)  # raises ValueError for a line that is no fact
        numbers = re.findall(r"^(?:shot|opens|closes|hidden|seen|event|anchor) (\d+)", fact)
        assert all(1 <= int(number) <= brief.request.shots for number in numbers), fact


@pytest.mark.parametrize("brief", WRITTEN, ids=lambda brief: brief.name)
def test_every_fact_speaks_in_words_of_its_brief(brief):
    known = {_plain(word) for word in re.findall(r"\w+", f"{brief.request.idea} {brief.request.required_entities}")}
    for fact in brief.facts:
        if match := re.fullmatch(r"(?:character|prop|place|one-way|hidden \d+|seen \d+|anchor \d+): (.+)", fact):
            assert {_plain(word) for word in re.findall(r"\w+", match[1])} <= known, fact


def _plain(word):
    return word.lower().rstrip("s")


def test_another_film_bears_out_none_of_the_briefs():
    for brief in WRITTEN:
        assert len(wrong(DEMO, brief.facts)) > len(brief.facts) * 0.8, brief.name


@pytest.mark.parametrize("path", sorted((HERE / "right").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_right_plan_made_by_hand_bears_out_every_fact(path):
    plan = read_plan(documents.parse(path.read_text(encoding="utf-8"), path.name))
    facts = next(brief.facts for brief in WRITTEN if brief.name == path.stem)
    assert wrong(plan, facts) == {}


def test_there_are_enough_briefs_of_different_length():
    assert len(expected("briefs")) >= 30
    assert {brief.request.shots for brief in expected("briefs")} >= {3, 4, 5, 6, 7, 8, 14, 16}
    assert len({brief.name for brief in WRITTEN}) == len(WRITTEN)


def test_unplannable_briefs_say_what_a_filmmaker_needs():
    briefs = unplannable()
    assert len(briefs) >= 8
    for brief in briefs:
        assert brief.says
        assert brief.why.endswith(".")
