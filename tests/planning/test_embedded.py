"""The embedded planner on briefs written by hand: facts that hold, plans that are sound, problems in plain words."""

from itertools import pairwise

import pytest

from storyengine.check import check_plan
from storyengine.errors import PlanUnsound
from storyengine.plan import Catalog, plan_json
from storyengine.planning.embedded import plan_with_rules
from storyengine.planning.embedded.schedule import spread
from storyengine.request import StoryRequest
from storyengine.state import is_visible, replay

from .expected import expected, unplannable, wrong

BRIEFS = expected("briefs")


def plan(idea, shots=4, **fields):
    return plan_with_rules(StoryRequest(idea=idea, shots=shots, **fields))


def test_facts_of_the_written_briefs_hold():
    missed = {brief.name: wrong(plan_with_rules(brief.request).plan, brief.facts) for brief in BRIEFS}
    facts = sum(len(brief.facts) for brief in BRIEFS)
    right = facts - sum(map(len, missed.values()))
    assert right / facts >= 0.90, missed


@pytest.mark.parametrize("brief", BRIEFS, ids=lambda brief: brief.name)
def test_plans_are_sound_and_always_the_same(brief):
    planned = plan_with_rules(brief.request)
    assert not check_plan(planned.plan).blocking
    assert planned.findings == check_plan(planned.plan)
    assert plan_json(plan_with_rules(brief.request).plan) == plan_json(planned.plan)
    assert len(planned.plan.shots) == brief.request.shots


@pytest.mark.parametrize("brief", unplannable(), ids=lambda brief: brief.name)
def test_what_cannot_be_planned_is_explained(brief):
    with pytest.raises(PlanUnsound) as refused:
        plan_with_rules(brief.request)
    said = " ".join(str(finding) for finding in refused.value.findings).lower()
    assert all(words.lower() in said for words in brief.says), said
    assert all(finding.blocking and finding.data()["title"] for finding in refused.value.findings)


def test_a_thing_that_is_needed_elsewhere_is_taken_along_and_that_is_said():
    planned = plan(
        "Shots 1-2 are in the kitchen, shots 3-4 in the garden. In the kitchen Mo puts the red bowl on the table. "
        "In the garden Mo puts the red bowl on the bench."
    )
    actions = [event.action for shot in planned.plan.shots for event in shot.events]
    assert "Mo picks up the red bowl." in actions
    assert any("picks up the red bowl" in line for line in planned.assumptions)


def test_an_anchor_is_brought_across_a_change_of_place():
    planned = plan(
        "Shots 1-2 are in the barn, shots 3-4 in the yard. In the barn Ida fills the tin pail with milk. In the yard "
        "Ida sets the tin pail on the wall bench. Shot 3 opens on the tin pail, and the shot before it ends on it."
    )
    shots, states = planned.plan.shots, replay(planned.plan).shots
    catalog = Catalog.of(planned.plan)
    assert shots[2].anchors == ("pail",)
    assert is_visible(catalog, states[1].closing, "pail", "barn")
    assert is_visible(catalog, states[2].opening, "pail", "yard")


def test_a_one_way_change_is_neither_first_nor_last_in_its_place_and_its_bearer_is_wished_in_frame():
    planned = plan(
        "Everything takes place in the vault. Edda takes the key from the hook. She breaks the wax seal. The seal "
        "stays broken for good. She puts the key on the shelf.",
        shots=5,
    )
    changes = [
        n
        for n, shot in enumerate(planned.plan.shots, 1)
        if any("seal" in str(e) for v in shot.events for e in v.effects)
    ]
    assert len(changes) == 1
    assert 1 < changes[0] < 5
    assert all("seal" in shot.view.subjects for shot in planned.plan.shots)
    seal = next(entity for entity in planned.plan.entities if entity.id == "seal")
    assert seal.attributes[0].one_way


def test_order_rules_hold_even_against_the_order_of_telling():
    planned = plan(
        "Everything takes place in the smithy. 1) Bo shuts the gate. 2) Bo lights the forge. 3) Bo hangs the apron on "
        "the peg. The forge has to be lit before the gate is shut. The order is left to you.",
        shots=3,
    )
    assert planned.plan.order
    assert not check_plan(planned.plan).blocking


def test_what_is_not_understood_is_listed_with_a_reason():
    planned = plan("In the hall Mo takes the cup from the shelf. The quux frobnicates gladly.", shots=2)
    assert [unread.sentence for unread in planned.unread] == ["The quux frobnicates gladly."]
    assert all(unread.reason for unread in planned.unread)


def test_every_shot_has_somebody_in_it_and_an_allowed_length():
    planned = plan("Kim opens the window in the attic.", shots=6)
    assert all(shot.events for shot in planned.plan.shots)
    assert all(shot.seconds in planned.plan.request.delivery.durations for shot in planned.plan.shots)
    assert any("without an event" in line for line in planned.assumptions)


def test_steps_without_bounds_are_spread_in_order():
    assert spread([], ["a", "b"], [], False, frozenset(), {}).shots == {}


def test_people_walk_off_screen_and_carry_what_they_hold():
    planned = plan(
        "Shot 1: Hall. Una takes the lamp from the hook.\nShot 2: Cellar. Una hangs the lamp on the nail.\n"
        "Shot 3: Hall. Una opens the door.",
        shots=3,
    )
    for before, after in pairwise(planned.plan.shots):
        assert before.environment != after.environment
        assert after.offscreen
    assert "lamp" in planned.plan.shots[1].offscreen[0].action


def test_things_are_never_put_into_each_other_in_a_ring():
    planned = plan("In the hall Mo puts the red box into the blue box. Mo puts the blue box into the red box.", shots=2)
    assert not check_plan(planned.plan).blocking


def test_what_is_done_at_a_fixture_is_done_where_it_stands():
    planned = plan(
        "Shots 1-2 in the kitchen, shot 3 in the garden, shot 4 in the kitchen. Tom puts the pie into the oven and "
        "shuts the oven door. He goes into the garden and digs up a carrot. He opens the oven and takes the pie out."
    )
    assert not any("oven" in event.action for event in planned.plan.shots[2].events)
    assert any("opens the oven" in event.action for event in planned.plan.shots[3].events)


def test_every_place_has_a_door_of_its_own():
    planned = plan("In the hall Ina opens the door. She walks into the study and shuts the door behind her.", shots=2)
    assert {entity.name for entity in planned.plan.entities} >= {"door", "study door"}


def test_a_list_of_places_may_say_where_they_lie():
    planned = plan(
        "Two places: the shop, with its long counter, and the yard behind it. Shot 1 in the shop, shot 2 in the yard. "
        "Rosa fills the blue vase. Rosa opens the gate in the yard.",
        shots=2,
    )
    assert [shot.environment for shot in planned.plan.shots] == ["shop", "yard"]


def test_states_deeds_and_remarks_are_no_things():
    told = (
        "In the forge, Ada picks up the red tongs and heats the iron until it is glowing. She shakes the tongs and "
        "stirs the coals with what is left of the poker. The red tongs bridge shot 2. She puts the red tongs on the "
        "anvil."
    )
    names = {entity.name for entity in plan(told).plan.entities}
    assert {"red tongs", "anvil"} <= names
    assert not [name for name in names if {"glowing", "shakes", "stirs", "what", "shot", "2"} & set(name.split())]


def test_a_round_thing_is_described_and_walls_are_no_things():
    found = plan("Ingrid fills the tun. The tun is a great round tub of pale oak. She leans the pole on the brickwork.")
    looks = {entity.name: entity.look for entity in found.plan.entities}
    assert "round tub of pale oak" in looks["tun"]
    assert "brickwork" not in looks


def test_marks_on_a_thing_are_no_things_and_a_trade_is_a_person():
    told = "Emeka, a grafter, takes the saw. He pares the wound and brushes every raw edge. The grafter drops the saw."
    assert {entity.name for entity in plan(told).plan.entities} == {"Emeka", "saw"}


def test_the_same_thing_is_no_second_one():
    told = "Ignatius pushes the hand truck into the cellar. Parveen brings the same orange truck to the scales."
    assert [entity.name for entity in plan(told).plan.entities if "truck" in entity.name] == ["hand truck"]


def test_how_somebody_looks_may_follow_what_they_do():
    idea = (
        "Nothing moves in the bond without the officer. She is Parveen, tall, black plait, green coat. Lien makes the "
        "hoops: a slight woman of thirty with a black bob, in yellow dungarees. Oumar minds the pumps, a stocky young "
        "man in an orange boiler suit. Lien lifts a red box onto the table. Oumar opens the box. Parveen takes the box."
    )
    looks = {e.name: e.look for e in plan(idea).plan.entities if e.kind == "character"}
    assert looks["Lien"] == "a slight woman of thirty with a black bob, in yellow dungarees"
    assert looks["Oumar"] == "a stocky young man in an orange boiler suit"
    assert looks["Parveen"] == "tall, black plait, green coat"


def test_a_thing_is_described_behind_its_name_and_called_by_that_later():
    idea = (
        "Ada pushes the cullet barrow, a two-wheeled barrow painted violet, to the furnace. She leaves the violet "
        "barrow there. Then she lays the trug, a boat-shaped basket of chestnut strips, on the bench."
    )
    things = {e.name: e.look for e in plan(idea).plan.entities if e.kind == "prop"}
    assert things["cullet barrow"] == "a two-wheeled barrow painted violet"
    assert things["trug"] == "a boat-shaped basket of chestnut strips"
    assert not any("basket" in name or "violet" in name for name in things)


def test_two_things_may_be_described_by_each_other():
    idea = (
        "Ada opens the tea chest, a tin box of leaves, by the door. "
        "She lifts the tin box, a tea chest of hers, onto the bench."
    )
    assert plan(idea, shots=2).plan.shots


def test_an_introduction_without_words_is_none():
    assert plan("Lien lifts the red box: — . Then she sets the box on the table.", shots=2).plan.shots


def test_what_is_only_part_of_a_thing_is_that_thing():
    planned = plan(
        "Mo ties the neck of the grain sack. Mo carries the sack to the cart. Mo drops the blue jug and paints the "
        "handle of the jug gold. The handle stays gold for good."
    ).plan
    things = {e.name: e for e in planned.entities if e.kind == "prop"}
    assert {"neck", "handle"}.isdisjoint(things)
    (painted,) = things["blue jug"].attributes
    assert (painted.name, painted.values, painted.one_way) == ("handle", ("unpainted", "gold"), True)


def test_what_is_on_a_thing_or_says_how_many_is_no_thing():
    planned = plan(
        "Mo's other gear is a red bucket and a blue rope. Mo burns a bung hole through the cask, ties a knot and "
        "spreads the folds. Mo puts the red bucket on the cask and coils the blue rope."
    ).plan
    assert {e.name for e in planned.entities if e.kind == "prop"} == {"red bucket", "blue rope", "cask"}


def test_what_burns_in_a_thing_is_the_thing_and_dirt_is_what_it_makes_dirty():
    planned = plan(
        "Mo rakes the drying furnace's fire bright. Mo scrubs the mud off the front of the red tram. Mo lifts a box."
    ).plan
    things = {e.name: [(a.name, a.values) for a in e.attributes] for e in planned.entities if e.kind == "prop"}
    assert things["drying furnace"] == [("fire", ("not yet bright", "bright"))]
    assert things["red tram"] == [("front", ("not yet scrubbed", "scrubbed"))]
    assert {"mud", "fire", "drying furnace's fire"}.isdisjoint(things)
