import pytest
from breaking import item, reworded, sheet

from storyengine.bench.n20_checks import check_n20
from storyengine.bench.sheet import EventOrder
from storyengine.language import HasAttribute, Placed
from storyengine.plan import HeldBy, InSceneZone


def said(story) -> str:
    return "\n".join(str(finding) for finding in check_n20(story))


def event(story, number, **changes):
    return sheet(story, events=item(story.sheet.events, number - 1, **changes))


def claims(story, number, **sides):
    """The story with the claims of one event replaced."""
    old = story.sheet.events[number - 1]
    return event(
        story, number, **{side: getattr(old, side).model_copy(update={"claim": c}) for side, c in sides.items()}
    )


def at(entity, place, zone):
    return Placed(entity=entity, placement=InSceneZone(environment=place, zone=zone))


def test_a_real_story_has_no_findings(n20):
    assert said(n20) == ""


def test_numbers(n20, t20, c20):
    events, order = n20.sheet.events, n20.sheet.order
    assert "9 events; 10 are asked for" in said(sheet(n20, events=events[:-1]))
    assert "2 order rules; three to five" in said(sheet(n20, order=order[:2]))
    assert "3 props; N20 has four key props" in said(sheet(n20, props=n20.sheet.props[:3]))
    assert "belong to other suites" in said(sheet(n20, anchors=t20.sheet.anchors))
    assert "belong to other suites" in said(sheet(n20, lighting=c20.sheet.lighting))
    assert "two events have one id" in said(event(n20, 2, id=events[0].id))
    one = {"story": "n20-cooperage-hoop", "event": "e", "sentence": "Something happens."}
    assert "1 distractors; 6 are asked for" in said(sheet(n20, distractors=(one,)))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"actors": ("ghost",)}, "the actor 'ghost' is not in the cast"),
        ({"props": ("barrow", "ghost")}, "'ghost' is not a prop of the sheet"),
        ({"place": "attic"}, "'attic' is not one of the places"),
        ({"props": ()}, "the claim is about 'barrow', which is neither actor nor prop"),
        ({"place": "store"}, "puts 'barrow' in 'bakehouse'; the event is seen in 'store'"),
        ({"sentence": "Tam flies."}, "the brief's list does not hold '1) tam flies'"),
    ],
)
def test_events_are_about_the_story(n20, change, expected):
    assert expected in said(event(n20, 1, **change))


def test_the_list_of_the_brief_is_numbered(n20):
    assert "the brief's list does not hold '2) " in said(reworded(n20, " 2) ", " b) "))


def test_before_and_after_exclude_each_other(n20):
    same = n20.sheet.events[0].before.claim
    assert "do not exclude each other" in said(claims(n20, 1, after=same))


def test_order_rules_follow_the_numbers_and_know_their_events(n20):
    first, *rest = n20.sheet.order
    turned = EventOrder(first=first.then, then=first.first)
    assert "stands after it in the list" in said(sheet(n20, order=(turned, *rest)))
    unknown = EventOrder(first=first.first, then="ghost")
    assert "there is no event 'ghost'" in said(sheet(n20, order=(unknown, *rest)))


def test_fixed_things_stay_where_they_are(n20):
    moved = event(n20, 2, props=("scales",))
    moved = claims(moved, 2, before=at("scales", "bakehouse", "oven"), after=at("scales", "bakehouse", "trough"))
    assert "'scales' is fixed and cannot be moved" in said(moved)
    assert "'bin' is fixed and is used in 'bakehouse' by weigh, not in 'store'" in said(
        event(n20, 2, props=("scales", "bin"))
    )


def test_a_history_that_contradicts_itself_is_found(n20):
    door = HasAttribute(entity="oven", attribute="door", value="lowered")
    again = event(n20, 9, props=("peel", "oven"))
    up = door.model_copy(update={"value": "raised"})
    assert "oven.door is 'raised' since door-raised, not 'lowered'" in said(claims(again, 9, before=door, after=up))


def test_events_need_room_under_the_location_plan(n20):
    plan = ("store",) * 9 + ("bakehouse",)
    assert "of the 10 events find room" in said(sheet(n20, location_plan=plan))
    late = tuple("bakehouse" if shot < 6 else "store" for shot in range(10))
    assert said(sheet(n20, location_plan=late)) == ""


def test_what_is_held_goes_along_but_not_to_someone_else(n20):
    held = Placed(entity="peel", placement=HeldBy(holder="tam"))
    story = event(n20, 8, props=("loaves", "rack", "peel", "oven"))
    story = claims(story, 8, before=at("peel", "bakehouse", "oven"), after=held)
    assert "'peel' is 'held by tam' since loaves-set, not 'held by ewa'" in said(story)
