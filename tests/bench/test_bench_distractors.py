from breaking import item, reworded, sheet

from storyengine.bench.distractors import check_distractors, strangers


def said(stories, changed=None) -> str:
    kept = [changed if changed is not None and story.id == changed.id else story for story in stories]
    return "\n".join(str(finding) for finding in check_distractors(kept))


def test_the_benchmark_has_no_findings(everything):
    assert said(everything) == ""


def test_no_event_distracts_twice_and_every_story_lends_six(everything):
    lent = [(d.story, d.event) for story in everything for d in story.sheet.distractors]
    assert len(set(lent)) == 120
    assert {sum(home == source for source, _ in lent) for home, _ in lent} == {6}


def test_six_from_six_others(everything, n20):
    chosen = n20.sheet.distractors
    assert "5 from 5 stories" in said(everything, sheet(n20, distractors=chosen[:5]))
    assert "6 from 5 stories" in said(everything, sheet(n20, distractors=(*chosen[:5], chosen[0])))


def test_distractors_quote_events_of_other_stories(everything, n20):
    chosen = n20.sheet.distractors
    for change in ({"event": "ghost"}, {"story": "n20-ghost"}, {"story": n20.id, "event": n20.sheet.events[0].id}):
        broken = sheet(n20, distractors=item(chosen, 0, **change))
        assert "is no event of another N20 story" in said(everything, broken)
    broken = sheet(n20, distractors=item(chosen, 0, sentence="Somebody sings."))
    assert "reads" in said(everything, broken)


def test_people_and_props_of_a_distractor_are_strangers(everything, n20):
    home = next(story for story in everything if story.id == n20.sheet.distractors[0].story)
    event = next(event for event in home.sheet.events if event.id == n20.sheet.distractors[0].event)
    assert strangers(event, home.sheet, n20) == []
    actor = next(person for person in home.sheet.cast if person.id in event.actors)
    visited = reworded(n20, "Night work", f"{actor.name} visits. Night work")
    assert strangers(event, home.sheet, visited) == [actor.name.casefold()]
    assert "which occurs in this story" in said(everything, visited)
    named = sheet(n20, props=item(n20.sheet.props, -1, aliases=(actor.name,)))
    assert strangers(event, home.sheet, named) == [actor.name.casefold()]


def test_an_event_of_the_same_setting_is_no_distractor(everything, n20):
    home = next(story for story in everything if story.id == n20.sheet.distractors[0].story)
    twin = sheet(home, title=n20.sheet.title)
    assert "has the same setting" in said(everything, twin)
