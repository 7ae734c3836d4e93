import pytest
from breaking import brief

from storyengine.bench.index import CLAUSES
from storyengine.bench.likeness import MOST_ALIKE, likenesses, shared_sentences


def test_fixed_clauses_do_not_count_as_shared(n20):
    again = n20.model_copy(update={"sheet": n20.sheet.model_copy(update={"story": "n20-cooperage-hoop"})})
    clauses = " ".join(CLAUSES["N20"])
    one, two = brief(n20, idea=f"Ewa bakes bread. {clauses}"), brief(again, idea=f"Rolf bends hoops. {clauses}")
    one, two = brief(one, style="Slow. Warm."), brief(two, style="Quick. Cold.")
    assert shared_sentences([one, two]) == []


def test_a_sentence_of_two_stories_is_found_whatever_its_capitals(n20, c20):
    sentence = "the lamp burns low all night."
    one = brief(n20, idea=f"{n20.brief.idea} {sentence.capitalize()}")
    two = brief(c20, style=f"{c20.brief.style} The lamp  burns low all night.")
    (finding,) = shared_sentences([one, two])
    assert finding.story == c20.id
    assert n20.id in finding.message
    assert "lamp burns low" in finding.message


def test_similarity_is_the_share_of_common_runs_of_five_words(n20, c20):
    one = brief(n20, idea="one two three four five six.", style="Nothing.")
    two = brief(c20, idea="one two three four five seven.", style="Nothing.")
    (pair,) = likenesses([one, two])
    assert pair.similarity == pytest.approx(1 / 3)
    copy = brief(c20, idea=n20.brief.idea, style=n20.brief.style)
    assert likenesses([n20, copy])[0].similarity == 1.0 > MOST_ALIKE


def test_the_most_alike_come_first(everything):
    found = [pair.similarity for pair in likenesses(everything)]
    assert len(found) == 60 * 59 // 2
    assert found == sorted(found, reverse=True)
