import pytest

from storyengine.bench.texts import bare, occurs, runs, sentences, stated_plan


def test_sentences_end_at_full_stops_and_at_the_items_of_a_list():
    text = "Ewa bakes.\nAll of it: 1) Tam lifts the sack. 2) Ewa shuts the bin; then waits. Is it done? Yes."
    assert sentences(text) == [
        "Ewa bakes.",
        "All of it:",
        "Tam lifts the sack.",
        "Ewa shuts the bin; then waits.",
        "Is it done?",
        "Yes.",
    ]


@pytest.mark.parametrize(("phrase", "found"), [("Red  Barrow.", True), ("red bar", False), ("sack", False)])
def test_a_phrase_occurs_as_whole_words_whatever_spacing_and_capitals(phrase, found):
    assert occurs(phrase, "He wheels the red\nbarrow in.") is found


def test_names_are_compared_without_their_article():
    assert bare("The Red barrow") == bare("red barrow") == "red barrow"
    assert bare("theatre lamp") == "theatre lamp"


def test_runs_are_of_five_words():
    assert runs("one two three four five six") == {
        ("one", "two", "three", "four", "five"),
        ("two", "three", "four", "five", "six"),
    }
    assert not runs("too few words here")


def test_the_stated_plan_is_read_from_the_idea():
    idea = "Shots 1-2 in the bell chamber above, shot 3 in the bell chamber,\nshots 4–5 in the Bell Chamber above."
    plan = stated_plan(idea, ["bell chamber", "bell chamber above"])
    assert {shot: set(places) for shot, places in plan.items()} == {
        1: {"bell chamber above"},
        2: {"bell chamber above"},
        3: {"bell chamber"},
        4: {"bell chamber above"},
        5: {"bell chamber above"},
    }


def test_a_shot_that_is_set_in_two_places_has_both():
    plan = stated_plan("shots 1-3 in the loft, shot 3 in the yard", ["loft", "yard"])
    assert plan[3] == {"loft", "yard"}


def test_a_place_is_not_read_from_a_longer_word():
    assert stated_plan("shot 1 in the storehouse", ["store"]) == {}
