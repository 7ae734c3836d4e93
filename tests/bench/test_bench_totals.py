"""Each figure is shown to fail when the data is not as claimed."""

import pytest
from breaking import brief, item, sheet, without_look

from storyengine.bench.totals import figures, same_place_pairs


def wrong(stories) -> set[str]:
    return {figure.name for figure in figures(stories) if not figure.ok}


def replaced(stories, story):
    return [story if other.id == story.id else other for other in stories]


def test_every_number_of_the_design_holds(everything):
    assert wrong(everything) == set()


def test_a_missing_story_is_missed(everything):
    n20 = wrong([story for story in everything if story.id != "n20-bakehouse-peel-rack"])
    assert {
        "stories",
        "N20 stories",
        "N20 stories per category",
        "titles and categories of the index",
        "settings in both N20 and T20",
        "of these, named by the design",
        "stories of the mini set",
        "suite and category cells with one of them",
        "briefs with the fixed delivery",
        "N20 briefs with the fixed list",
        "cast members whose look is in the brief",
        "N20 required events",
        "N20 distractor events",
        "propositions",
    } <= n20
    t20 = wrong([story for story in everything if story.id != "t20-glassworks-annealing-lehr"])
    assert {"distinct settings", "T20 anchored cuts", "T20 one-way states", "of these, at a change of place"} <= t20
    assert {"of these, with a named carrier"} <= t20
    assert {"T20 stories with 3 changes", "T20 stories with 4 changes"} & t20
    c20 = wrong([story for story in everything if story.id != "c20-bell-ringer"])
    assert {"C20 same-location shot pairs", "of these, non-adjacent", "C20 lighting contrasts"} <= c20
    assert {"C20 stories with 5 changes", "C20 stories with 6 changes"} & c20


@pytest.mark.parametrize(
    ("change", "figure"),
    [
        ({"shots": 9}, "shots per brief"),
        ({"required_entities": ("Ewa",)}, "required entities per brief"),
        ({"forbidden_content": ("rain",)}, "N20 forbidden items per brief"),
    ],
)
def test_briefs_are_counted(everything, n20, change, figure):
    assert figure in wrong(replaced(everything, brief(n20, **change)))


def test_looks_are_counted(everything, n20):
    key = without_look(n20, n20.sheet.props[0].look)
    assert wrong(replaced(everything, key)) == {"key props whose look is in the brief"}
    person = without_look(n20, n20.sheet.cast[0].look)
    assert wrong(replaced(everything, person)) == {"cast members whose look is in the brief"}


def test_plans_are_counted(everything, n20, c20):
    odd = n20.sheet.location_plan[:-1] + n20.sheet.location_plan[:1]
    found = wrong(replaced(everything, sheet(n20, location_plan=odd)))
    assert "N20 location plans in use" in found
    still = (c20.sheet.location_plan[0],) * 10
    found = wrong(replaced(everything, sheet(c20, location_plan=still)))
    assert {"C20 location changes per story", "C20 location plans in use", "C20 same-location shot pairs"} <= found


def test_casts_and_places_are_counted(everything, n20):
    assert "N20 named characters per story" in wrong(replaced(everything, sheet(n20, cast=n20.sheet.cast[:1])))
    assert "places per story" in wrong(replaced(everything, sheet(n20, places=n20.sheet.places * 2)))


def test_events_and_distractors_are_counted(everything, n20):
    event = n20.sheet.events[0]
    same = sheet(n20, events=item(n20.sheet.events, 0, after=event.before))
    assert "of these, before and after exclude each other" in wrong(replaced(everything, same))
    fewer = sheet(n20, distractors=n20.sheet.distractors[:5])
    found = wrong(replaced(everything, fewer))
    assert {"N20 distractor events", "N20 distractors per story", "distractors that are not foreign"} <= found
    assert "N20 required events per story" in wrong(replaced(everything, sheet(n20, events=n20.sheet.events[:9])))
    assert "N20 key props per story" in wrong(replaced(everything, sheet(n20, props=n20.sheet.props[:3])))


def test_states_are_counted(everything, t20):
    late = sheet(t20, states=item(t20.sheet.states, 0, reference_shot=10))
    early = sheet(late, states=item(late.sheet.states, 0, reference_shot=1))
    both = wrong(replaced(everything, late)) | wrong(replaced(everything, early))
    assert "of these, with their place planned on both sides" in both
    assert "T20 one-way states per story" in wrong(replaced(everything, sheet(t20, states=t20.sheet.states[:2])))


def test_lights_are_counted(everything, c20):
    lighting = c20.sheet.lighting
    warmer = lighting.model_copy(update={"contrast": lighting.contrast.model_copy(update={"relation": "warmer"})})
    found = wrong(replaced(everything, sheet(c20, lighting=warmer)))
    assert found == {"of these, in luminance", "of these, in colour temperature"}
    none = lighting.model_copy(update={"contrast": None})
    found = wrong(replaced(everything, sheet(c20, lighting=none)))
    assert {"C20 lighting contrasts", "C20 stories with a single look"} <= found


def test_sentences_and_claims_are_counted(everything, n20, c20):
    copied = brief(c20, idea=n20.brief.idea, style=n20.brief.style)
    found = wrong(replaced(everything, copied))
    assert {"sentences shared between stories", "highest similarity of two stories, word 5-grams"} <= found
    event = n20.sheet.events[0]
    ghost = event.before.model_copy(update={"claim": event.before.claim.model_copy(update={"entity": "ghost"})})
    broken = sheet(n20, events=item(n20.sheet.events, 0, before=ghost))
    assert "of these, sayable in the controlled language" in wrong(replaced(everything, broken))


def test_pairs_of_one_place(c20):
    plan = "".join("A" if place == c20.sheet.location_plan[0] else "B" for place in c20.sheet.location_plan)
    size = {letter: plan.count(letter) for letter in "AB"}
    assert len(same_place_pairs(c20.sheet)) == sum(n * (n - 1) // 2 for n in size.values())
