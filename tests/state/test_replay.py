import pytest
from hypothesis import given

from storyengine.demo import demo_plan
from storyengine.plan import Catalog, HeldBy, InContainer, OnSurface
from storyengine.state import EventRef, is_visible, replay, walk, whereabouts

from ..strategies import plans

PLAN = demo_plan()
CATALOG = Catalog.of(PLAN)
FILM = replay(PLAN)


def test_the_backpack_stays_in_the_shut_locker_while_mina_is_in_the_classroom():
    classroom = FILM.shots[3].opening
    assert classroom["backpack"].placement == InContainer(container="locker")
    assert classroom["locker"].attributes == {"door": "shut"}
    assert classroom["notebook"].placement == OnSurface(surface="desk")
    assert not is_visible(CATALOG, classroom, "backpack", "classroom")
    assert not is_visible(CATALOG, classroom, "backpack", "locker-room")
    assert is_visible(CATALOG, classroom, "notebook", "classroom")


def test_the_notebook_ends_in_the_backpack_in_the_open_locker():
    end = whereabouts(CATALOG, FILM.shots[5].closing, "notebook")
    assert end.chain == ("backpack", "locker")
    assert end.environment == "locker-room"
    assert end.zone == "lockers"
    assert end.hidden_in is None


def test_carried_things_go_with_their_carrier():
    opening = FILM.shots[1].opening
    assert opening["backpack"].placement == HeldBy(holder="mina")
    assert whereabouts(CATALOG, opening, "backpack").environment == "locker-room"
    assert whereabouts(CATALOG, opening, "backpack").carrier == "mina"


def test_every_fact_knows_its_cause():
    assert FILM.cause("backpack", shot=4).cause == EventRef(2, True, 2)
    assert FILM.cause("backpack", shot=2).cause == EventRef(1, True, 1)
    assert FILM.cause("backpack", shot=1).cause == EventRef(0, False, 0)
    assert FILM.cause("locker", "door", shot=5).cause == EventRef(2, True, 3)
    assert FILM.cause("locker", "door", shot=5, closing=True).cause == EventRef(5, True, 1)
    assert FILM.cause("mina", shot=4).cause == EventRef(4, False, 1)
    assert [str(change.cause) for change in FILM.causes("backpack", shot=6, closing=True)] == [
        "the initial world",
        "shot 1, event 1",
        "shot 2, event 2",
    ]


@given(plans())
def test_random_replay_is_deterministic(plan):
    one, other = replay(plan), replay(plan)
    assert one.shots == other.shots
    assert one.history == other.history


@given(plans())
def test_random_states_follow_the_events(plan):
    """Openings and closings are exactly the worlds that the walk passes through."""
    catalog, film = Catalog.of(plan), replay(plan)
    assert len(film.shots) == len(plan.shots)
    world = film.initial
    moments = list(walk(catalog, plan))
    for number, states in enumerate(film.shots, start=1):
        for on_screen, reached in ((False, states.opening), (True, states.closing)):
            for moment in moments:
                if moment.ref[:2] == (number, on_screen):
                    assert moment.before == world
                    world = moment.after
            assert reached == world


@given(plans())
def test_random_prefix_then_rest_equals_the_whole(plan):
    catalog, film = Catalog.of(plan), replay(plan)
    whole = list(walk(catalog, plan))
    for cut in range(1, len(plan.shots) + 1):
        prefix = [moment for moment in whole if moment.ref.shot < cut]
        world = film.shots[cut - 2].closing if cut > 1 else film.initial
        assert prefix + list(walk(catalog, plan, world, first_shot=cut)) == whole


@given(plans())
def test_random_causes_explain_every_fact_of_every_shot(plan):
    film = replay(plan)
    for number, states in enumerate(film.shots, start=1):
        for world, closing in ((states.opening, False), (states.closing, True)):
            for fact in world.facts():
                attribute = getattr(fact, "attribute", None)
                change = film.cause(fact.entity, attribute, shot=number, closing=closing)
                assert change.after == fact
                assert change.cause.shot <= number


def test_an_event_that_refuses_one_effect_still_applies_the_others():
    data = PLAN.model_dump()
    data["shots"][0]["events"][0]["effects"] = ["backpack in desk", "notebook held by mina"]
    moment = next(walk(CATALOG, type(PLAN).model_validate(data)))
    assert [refusal.effect for refusal in moment.refused] == [0]
    assert moment.after["notebook"].placement == HeldBy(holder="mina")
    assert moment.after["backpack"] == moment.before["backpack"]


@pytest.mark.parametrize("shot", range(1, 7))
def test_shots_hang_together(shot):
    if shot > 1 and not PLAN.shots[shot - 1].offscreen:
        assert FILM.shots[shot - 1].opening == FILM.shots[shot - 2].closing
