"""The harness of expected facts, on a plan made by hand: true facts hold, false ones say what is true instead."""

import pytest

from storyengine.demo import demo_plan

from .facts import head, holds, same_value, words

DEMO = demo_plan()

TRUE = """
character: Mina
prop: red backpack
prop: backpack
prop: red canvas backpack
place: locker room
place: the classroom
shot 1 in classroom
shot 3 in locker room
opens 1: backpack on desk
closes 1: red backpack held by Mina
opens 2: backpack held by Mina
opens 2: Mina at locker room
opens 2: Mina at locker room/by the lockers
closes 2: backpack in grey locker
closes 2: locker is shut
closes 2: locker is closed
closes 2: locker door is shut
closes 2: door is shut
opens 4: backpack in locker
opens 4: notebook on wooden desk
opens 4: backpack at locker room
closes 5: locker is open
closes 6: notebook in backpack
closes 6: notebook in locker
hidden 4: backpack
hidden 3: backpack
hidden 2: green notebook
seen 5: notebook
seen 6: backpack
seen 2: backpack
event 2: Mina stores backpack
event 4: Mina picks up the green notebook
event *: Mina opens locker
event 2: Mina shuts locker door
event 5: Mina opens door
order: stores backpack < takes notebook
order: Mina lifts backpack < slips notebook
anchor 6: red backpack
""".strip().splitlines()

FALSE = """
character: Tam
character: the student
character: backpack
prop: Mina
prop: green backpack
prop: school bag
place: kitchen
place: locker
shot 2 in classroom
shot 9 in classroom
opens 1: backpack held by Mina
opens 2: Mina at classroom
opens 2: Mina at locker room/at the bench
closes 2: backpack in desk
closes 2: locker is open
closes 2: locker window is shut
closes 6: notebook on desk
closes 6: notebook held by Mina
closes 1: Mina offscreen
opens 4: backpack at classroom
hidden 1: backpack
hidden 5: notebook
seen 4: backpack
seen 3: notebook
event 3: Mina stores backpack
event 2: Mina takes notebook
event *: Mina breaks window
event 4: Mina opens door
order: takes notebook < stores backpack
order: slips notebook < lifts backpack
one-way: locker
anchor 3: notebook
""".strip().splitlines()


@pytest.mark.parametrize("fact", TRUE)
def test_true_facts_hold(fact):
    assert holds(fact, DEMO) is True


@pytest.mark.parametrize("fact", FALSE)
def test_false_facts_say_what_is_true_instead(fact):
    found = holds(fact, DEMO)
    assert isinstance(found, str)
    assert len(found.split()) > 3


@pytest.mark.parametrize("line", ["backpack in locker", "opens: backpack in locker", "opens 2: backpack", ""])
def test_a_line_that_is_no_fact_is_refused(line):
    with pytest.raises(ValueError, match="not a fact"):
        holds(line, DEMO)


def test_a_one_way_attribute_is_found():
    plan = DEMO
    lockers = [thing for thing in plan.entities if thing.id == "locker"]
    door = lockers[0].attributes[0].model_copy(update={"one_way": True})
    locker = lockers[0].model_copy(update={"attributes": (door,)})
    changed = plan.model_copy(update={"entities": (*(e for e in plan.entities if e.id != "locker"), locker)})
    assert holds("one-way: locker", changed) is True


def test_a_thing_off_the_film_is_offscreen():
    plan = DEMO
    away = plan.model_copy(update={"initial": tuple(fact for fact in plan.initial if fact.entity != "desk")})
    assert holds("opens 1: desk offscreen", away) is True
    assert holds("opens 1: notebook offscreen", away) is True


def test_two_things_with_one_head_are_told_apart():
    plan = DEMO
    blue = plan.entities[1].model_copy(update={"id": "blue-backpack", "name": "blue backpack", "look": "a blue one"})
    plan = plan.model_copy(update={"entities": (*plan.entities, blue)})
    assert holds("closes 2: red backpack in locker", plan) is True
    assert holds("closes 2: blue backpack in locker", plan) is not True
    assert holds("event 2: Mina stores blue backpack", plan) is not True


def test_words_heads_and_values():
    assert words("the baker's two Red Buckets") == ("baker", "two", "red", "bucket")
    assert head("big jar of honey") == "jar"
    assert same_value("full", "full of water")
    assert same_value("closed", "shut")
    assert not same_value("lit", "not lit")
    assert not same_value("open", "shut")
