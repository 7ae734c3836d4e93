import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from storyengine.demo import demo_plan
from storyengine.errors import ContractError
from storyengine.language import (
    Absent,
    CameraMoves,
    Changes,
    Claim,
    FaceLegible,
    Framed,
    FreeOf,
    Happens,
    HasAttribute,
    InEnvironment,
    LandmarkVisible,
    Lit,
    LooksLike,
    Moves,
    OnlyPeople,
    Placed,
    Present,
    Single,
    claim_of,
    collisions,
    parse,
    render,
)
from storyengine.plan import (
    AttachedTo,
    Catalog,
    Entity,
    Environment,
    HeldBy,
    InContainer,
    InSceneZone,
    Offscreen,
    OnSurface,
    Place,
    Set,
    Zone,
)

from ..strategies import speakable_catalogs, text

CATALOG = Catalog.of(demo_plan())
adapter = TypeAdapter(Claim)


@st.composite
def state_claims(draw, catalog):
    entity = draw(st.sampled_from([*catalog.entities]))
    target = draw(st.sampled_from([*catalog.entities]))
    people = [e.id for e in catalog.characters()]
    zones = [InSceneZone(environment=p.id, zone=z.id) for p in catalog.environments.values() for z in p.zones]
    placements = [OnSurface(surface=target), InContainer(container=target), AttachedTo(support=target), *zones]
    placements += [HeldBy(holder=person) for person in people]
    choices = [Present(entity=entity), Absent(entity=entity)]
    choices += [Placed(entity=entity, placement=placement) for placement in placements]
    choices += [
        HasAttribute(entity=entity, attribute=attribute.name, value=value)
        for attribute in catalog.entities[entity].attributes
        for value in attribute.values
    ]
    return draw(st.sampled_from(choices))


@st.composite
def claims(draw, catalog):
    entity = draw(st.sampled_from([*catalog.entities]))
    place = draw(st.sampled_from(list(catalog.environments.values())))
    people = draw(st.lists(st.sampled_from([*catalog.entities]), max_size=4, unique=True))
    choices = [
        Single(entity=entity),
        LooksLike(entity=entity),
        FaceLegible(entity=entity),
        InEnvironment(environment=place.id),
        OnlyPeople(entities=tuple(people)),
        Framed(entity=entity, framing=draw(st.sampled_from(["wide", "medium", "tight"]))),
        CameraMoves(move=draw(st.sampled_from(["still", "pan_left", "push_in", "follow"]))),
        Moves(entity=entity, direction=draw(st.sampled_from(["left_to_right", "towards_camera"]))),
        Lit(environment=place.id, brightness=draw(st.sampled_from(["dark", "even"])), tone="warm"),
        FreeOf(thing=draw(st.sampled_from(["on-screen text", "split screens"]))),
        Changes(before=draw(state_claims(catalog)), after=draw(state_claims(catalog))),
        draw(state_claims(catalog)),
        *(LandmarkVisible(environment=place.id, landmark=mark.id) for mark in place.landmarks),
    ]
    return draw(st.sampled_from(choices) | text.map(lambda action: Happens(action=action)))


@given(st.data())
def test_parse_of_render_is_the_claim(data):
    catalog = data.draw(speakable_catalogs)
    claim = data.draw(claims(catalog))
    sentence = render(claim, catalog)
    assert parse(sentence, catalog) == claim
    assert sentence[0].upper() == sentence[0]


@given(st.data())
def test_claims_round_trip_through_json(data):
    claim = data.draw(claims(data.draw(speakable_catalogs)))
    assert adapter.validate_json(adapter.dump_json(claim)) == claim


@given(text)
def test_free_text_parses_to_nothing_or_to_itself(sentence):
    claim = parse(sentence, CATALOG)
    assert claim is None or render(claim, CATALOG).lower() == " ".join(sentence.split()).lower()


SPOKEN = {
    Present(entity="mina"): "Mina is in frame.",
    Absent(entity="backpack"): "The red backpack is nowhere in frame.",
    Single(entity="backpack"): "Exactly one red backpack is in frame.",
    Placed(entity="backpack", placement=InContainer(container="locker")): "The red backpack is in the grey locker.",
    Placed(entity="notebook", placement=OnSurface(surface="desk")): "The green notebook is on the wooden desk.",
    Placed(entity="notebook", placement=HeldBy(holder="mina")): "The green notebook is held by Mina.",
    Placed(entity="backpack", placement=AttachedTo(support="mina")): "The red backpack is worn by Mina.",
    Placed(
        entity="backpack", placement=AttachedTo(support="locker")
    ): "The red backpack is fastened to the grey locker.",
    Placed(
        entity="mina", placement=InSceneZone(environment="locker-room", zone="lockers")
    ): "Mina is by the lockers in the locker room.",
    HasAttribute(entity="locker", attribute="door", value="shut"): "The grey locker's door is shut.",
    InEnvironment(environment="classroom"): "The setting is the classroom.",
    LandmarkVisible(environment="classroom", landmark="blackboard"): "The blackboard of the classroom is in frame.",
    LooksLike(entity="mina"): "Mina looks as in the reference picture.",
    FaceLegible(entity="mina"): "Mina's face can be read clearly.",
    Framed(entity="mina", framing="tight"): "Mina is framed in a tight shot.",
    CameraMoves(move="follow"): "The camera follows the action.",
    Moves(entity="mina", direction="right_to_left"): "Mina moves from right to left across the screen.",
    Lit(environment="locker-room", brightness="dim", tone="cool"): "The light in the locker room is dim and cool.",
    FreeOf(thing="logos and watermarks"): "The picture is free of logos and watermarks.",
    OnlyPeople(): "Nobody is in frame.",
    OnlyPeople(entities=("mina",)): "Nobody but Mina is in frame.",
    Happens(action="Mina opens the locker."): "This happens: Mina opens the locker.",
    Changes(
        before=HasAttribute(entity="locker", attribute="door", value="open"), after=Absent(entity="backpack")
    ): "First the grey locker's door is open; then the red backpack is nowhere in frame.",
}


@pytest.mark.parametrize("claim", SPOKEN, ids=lambda claim: claim.claim)
def test_claims_as_they_are_said(claim):
    assert render(claim, CATALOG) == SPOKEN[claim]
    assert parse(SPOKEN[claim], CATALOG) == claim


def test_sentences_about_other_things_are_free_text():
    for sentence in (
        "The blue bag is in frame.",
        "Mina is happy.",
        "",
        "Mina",
        "The red backpack is in the desk lamp.",
    ):
        assert parse(sentence, CATALOG) is None


def test_two_things_of_one_name_collide():
    zone = (Zone(id="z", name="by the door"),)
    room = Environment(id="room", name="room", zones=zone)
    bags = [Entity(id="a", name="bag", kind="prop"), Entity(id="b", name="bag", kind="prop")]
    assert "the bag" in collisions(Catalog.build(bags, [room]))
    assert collisions(CATALOG) == ()


def test_a_claim_about_something_unknown_is_our_mistake():
    with pytest.raises(ContractError, match="ghost"):
        render(Present(entity="ghost"), CATALOG)


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("barrow visible", Present(entity="barrow")),
        ("barrow absent", Absent(entity="barrow")),
        ("sack on barrow", Placed(entity="sack", placement=OnSurface(surface="barrow"))),
        ("door.state = raised", HasAttribute(entity="door", attribute="state", value="raised")),
        ("a visible -> a absent", Changes(before=Present(entity="a"), after=Absent(entity="a"))),
    ],
)
def test_claims_in_one_line(line, claim):
    assert adapter.validate_python(line) == claim


@pytest.mark.parametrize("line", ["barrow", "barrow near oven", "sack offscreen", "a -> b -> c"])
def test_wrong_lines_are_refused(line):
    with pytest.raises(ValidationError):
        adapter.validate_python(line)


def test_facts_become_claims():
    assert claim_of(Set(entity="a", attribute="b", value="c")) == HasAttribute(entity="a", attribute="b", value="c")
    assert claim_of(Place(entity="a", placement=Offscreen())) == Absent(entity="a")
