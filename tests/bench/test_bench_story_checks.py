"""Every check of single stories is shown to notice the one thing that it is for."""

import re

import pytest
from breaking import brief, item, reworded, sheet, without_look

from storyengine.bench.index import CLAUSES, PLANS
from storyengine.bench.story_checks import check_story, exclude, key_props, letters
from storyengine.language import Absent, HasAttribute, Placed, Present, Single
from storyengine.plan import HeldBy, InContainer, InSceneZone, OnSurface
from storyengine.request import Reference


def said(story) -> str:
    return "\n".join(str(finding) for finding in check_story(story))


def first_event(story, **changes):
    return sheet(story, events=item(story.sheet.events, 0, **changes))


def claimed(story, claim):
    event = story.sheet.events[0]
    return first_event(story, before=event.before.model_copy(update={"claim": claim}))


def test_real_stories_have_no_findings(n20, t20, c20):
    assert said(n20) == said(t20) == said(c20) == ""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"story": "n20-nowhere"}, "'n20-nowhere' is not in the index"),
        ({"category": "Transit"}, "found 'Transit'; the index says 'Food'"),
        ({"title": "Bakehouse"}, "sheet.title: found 'Bakehouse'"),
        ({"required": ("ewa", "ewa", "barrow", "peel", "rack")}, "listed twice"),
        ({"required": ("ewa", "tam", "barrow", "peel", "ghost")}, "'ghost' is neither cast nor prop"),
        ({"required": ("tam", "ewa", "barrow", "peel", "rack")}, "'Ewa' is neither the name nor an alias of 'tam'"),
    ],
)
def test_the_sheet_fits_index_and_brief(n20, change, expected):
    assert expected in said(sheet(n20, **change))


def test_the_suite_is_that_of_the_index(n20):
    assert "sheet.suite: found 'T20'; the index says 'N20'" in said(sheet(n20, suite="T20"))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"title": "Other"}, "brief.title: found 'Other'"),
        ({"shots": 9}, "found 9; every story has 10"),
        ({"references": (Reference(of="Ewa", picture="ewa.png"),)}, "no reference pictures"),
        ({"required_entities": ("Ewa", "Tam")}, "2 entries; exactly five"),
        ({"style": "One sentence only."}, "1 sentences; two or three"),
        ({"idea": "Too short."}, "2 words; 200 to 520"),
    ],
)
def test_the_brief_has_its_fixed_form(n20, change, expected):
    assert expected in said(brief(n20, **change))


def test_delivery_is_fixed(n20):
    assert "the delivery is fixed" in said(brief(n20, delivery=n20.brief.delivery.model_copy(update={"audio": True})))


@pytest.mark.parametrize("suite", ["n20", "t20", "c20"])
def test_the_forbidden_list_is_fixed_in_wording_and_order(request, suite):
    story = request.getfixturevalue(suite)
    items = story.brief.forbidden_content
    assert f"missing [{items[-1]!r}]" in said(brief(story, forbidden_content=items[:-1]))
    assert "extra ['rain']" in said(brief(story, forbidden_content=(*items, "rain")))
    assert "another order" in said(brief(story, forbidden_content=(items[1], items[0], *items[2:])))


@pytest.mark.parametrize("suite", ["n20", "t20", "c20"])
def test_fixed_clauses_stand_word_for_word(request, suite):
    story = request.getfixturevalue(suite)
    for clause in CLAUSES[story.sheet.suite]:
        assert f"word for word: {clause!r}" in said(reworded(story, clause, clause.replace(" ", " really ", 1)))


def test_the_location_plan_is_one_of_the_suite(n20):
    plan = n20.sheet.location_plan
    assert "is not a plan of N20" in said(sheet(n20, location_plan=(*plan[:-1], plan[0])))
    assert "'attic' is not one of the places" in said(sheet(n20, location_plan=(*plan[:-1], "attic")))


def test_the_idea_states_the_location_plan(n20):
    assert "shot 6 is set nowhere" in said(reworded(n20, "shot 6 in", "later in"))
    assert "shot 6 is set in ['flour store']" in said(
        reworded(n20, "shot 6 in the bakehouse", "shot 6 in the flour store")
    )
    assert "a shot 11 is set in a place" in said(reworded(n20, "shot 10 in", "shots 10-11 in"))


def test_plans_are_written_from_the_first_place(n20):
    assert letters(n20.sheet) == PLANS["N20"][0]


def test_the_cast_are_named_characters(n20, c20):
    assert "1 characters; N20 has 2" in said(sheet(n20, cast=n20.sheet.cast[:1]))
    assert "2 characters; C20 has 1" in said(sheet(c20, cast=(*c20.sheet.cast, n20.sheet.cast[0])))
    assert "the cast are characters" in said(sheet(n20, cast=item(n20.sheet.cast, 0, kind="prop")))
    assert "'ewa' is no proper name" in said(sheet(n20, cast=item(n20.sheet.cast, 0, name="ewa")))
    assert "props are props" in said(sheet(n20, props=item(n20.sheet.props, 0, kind="character")))


@pytest.mark.parametrize("suite", ["n20", "t20", "c20"])
def test_looks_of_cast_and_key_props_stand_in_the_idea(request, suite):
    story = request.getfixturevalue(suite)
    shown = (*story.sheet.cast, *key_props(story.sheet))
    assert len(key_props(story.sheet)) >= 4
    for entity in shown:
        assert f"the look of {entity.id!r} does not occur" in said(without_look(story, entity.look))
    assert "has no look" in said(sheet(story, cast=item(story.sheet.cast, 0, look="")))


def test_key_things_are_called_by_their_names(n20):
    renamed = sheet(n20, props=item(n20.sheet.props, 0, name="purple barrow", aliases=()))
    assert "'purple barrow' is never called" in said(renamed)


def test_names_ids_and_phrases_are_unique(n20):
    props = n20.sheet.props
    assert "the id 'ewa' is given 2 times" in said(sheet(n20, props=item(props, -1, id="ewa")))
    assert "'ewa' is the name or alias of" in said(sheet(n20, props=item(props, -1, aliases=("Ewa",))))
    assert "could mean two things" in said(sheet(n20, props=item(props, -1, name=props[0].name)))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"zones": ()}, "0 zones; three or four"),
        ({"landmarks": ()}, "0 landmarks; two to four"),
        ({"look": ""}, "no look; say walls"),
    ],
)
def test_places_are_described(n20, change, expected):
    assert expected in said(sheet(n20, places=item(n20.sheet.places, 0, **change)))


def test_places_are_consistent(n20):
    place = n20.sheet.places[0]
    dark = place.light.model_copy(update={"look": ""})
    assert "no light.look" in said(sheet(n20, places=item(n20.sheet.places, 0, light=dark)))
    twice = (*place.zones[:-1], place.zones[0])
    assert "two zones have one id" in said(sheet(n20, places=item(n20.sheet.places, 0, zones=twice)))
    astray = item(place.landmarks, 0, zone="attic")
    assert "stands in 'attic'" in said(sheet(n20, places=item(n20.sheet.places, 0, landmarks=astray)))


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (Single(entity="barrow"), "a claim of the kind 'single'"),
        (Present(entity="ghost"), "'ghost' is not a thing of this story"),
        (HasAttribute(entity="barrow", attribute="mood", value="glad"), "'barrow' has no attribute 'mood'"),
        (HasAttribute(entity="barrow", attribute="state", value="glad"), "'glad' is not among the values"),
        (Placed(entity="peel", placement=InSceneZone(environment="store", zone="attic")), "no zone store.attic"),
        (Placed(entity="peel", placement=OnSurface(surface="ghost")), "'ghost' is not a thing of this story"),
        (Placed(entity="barrow", placement=OnSurface(surface="barrow")), "cannot be placed on itself"),
        (Placed(entity="barrow", placement=OnSurface(surface="peel")), "'peel' lacks the role surface"),
        (Placed(entity="barrow", placement=InContainer(container="peel")), "'peel' lacks the role container"),
        (Placed(entity="barrow", placement=HeldBy(holder="peel")), "'peel' is no character"),
    ],
)
def test_claims_are_sayable_about_things_of_the_story(n20, claim, expected):
    assert expected in said(claimed(n20, claim))


def test_propositions_are_sentences(n20):
    event = n20.sheet.events[0]
    assert "full stop" in said(first_event(n20, before=event.before.model_copy(update={"sentence": "No stop"})))


def test_a_claim_that_does_not_read_back_is_found(n20):
    props = item(n20.sheet.props, 0, name=n20.sheet.cast[0].name)
    assert re.search("does not read back", said(sheet(n20, props=props)))


def test_what_excludes_what():
    shut = HasAttribute(entity="bin", attribute="lid", value="shut")
    held = Placed(entity="bin", placement=HeldBy(holder="ewa"))
    assert exclude(shut, shut.model_copy(update={"value": "open"}))
    assert not exclude(shut, shut)
    assert not exclude(shut, shut.model_copy(update={"entity": "box", "value": "open"}))
    assert not exclude(shut, shut.model_copy(update={"attribute": "fill", "value": "open"}))
    assert exclude(held, held.model_copy(update={"placement": HeldBy(holder="tam")}))
    assert not exclude(held, held)
    assert exclude(held, Absent(entity="bin"))
    assert exclude(Absent(entity="bin"), Present(entity="bin"))
    assert not exclude(Present(entity="bin"), held)
    assert not exclude(Absent(entity="box"), Present(entity="bin"))
    assert not exclude(shut, held)
