"""Random stories for property tests: small catalogs, any facts about them, and plans made of both."""

from hypothesis import strategies as st

from storyengine.language import collisions
from storyengine.plan import (
    AttachedTo,
    Attribute,
    Catalog,
    Entity,
    Environment,
    Event,
    HeldBy,
    InContainer,
    InSceneZone,
    Landmark,
    Light,
    Offscreen,
    OnSurface,
    OrderRule,
    Place,
    Requirement,
    SemanticPlan,
    Set,
    Shot,
    SpatialIntent,
    Zone,
)
from storyengine.request import Delivery, StoryRequest

NAMES = [
    "red backpack", "Mina", "oven", "baker's peel", "sack of flour", "loaves", "tall lamp", "Tam", "box", "No 7 key",
    "blue-handled peel", "jar", "Ewa", "état chair", "hook", "rope", "tin tray", "big box", "look box", "glasses",
]  # fmt: skip
VALUES = ["shut", "open", "clear of the oven mouth", "half full", "on fire", "raised", "lowered", "in pieces"]
ROLES = ["surface", "container", "mount", "fixed", "wheeled"]

attribute_names = st.sampled_from(["state", "door", "fill-level", "is_lit"])
text = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=40
).filter(str.strip)


@st.composite
def attributes(draw, name):
    values = tuple(draw(st.lists(st.sampled_from(VALUES), min_size=2, max_size=4, unique=True)))
    conceals = tuple(draw(st.lists(st.sampled_from(values), max_size=1)))
    return Attribute(
        name=name, values=values, one_way=draw(st.booleans()), visible=draw(st.booleans()), conceals=conceals
    )


@st.composite
def entities(draw, identifier, name):
    kind = draw(st.sampled_from(["character", "prop"]))
    roles = tuple(draw(st.lists(st.sampled_from(ROLES), max_size=3, unique=True)))
    own = tuple(draw(attributes(n)) for n in draw(st.lists(attribute_names, max_size=2, unique=True)))
    look = draw(st.sampled_from(["", "a red thing", "größe: 5 # no comment"]))
    return Entity(
        id=identifier,
        name=name,
        kind=kind,
        roles=roles,
        attributes=own,
        look=look,
        plural=name in ("loaves", "glasses"),
    )


@st.composite
def environments(draw, identifier, name):
    zones = tuple(
        Zone(id=f"z{i}", name=["by the door", "at the long bench", "under the window"][i])
        for i in range(draw(st.integers(1, 3)))
    )
    landmarks = tuple(Landmark(id=f"m{i}", name=["stove", "tall clock"][i]) for i in range(draw(st.integers(0, 2))))
    light = Light(brightness=draw(st.sampled_from(["dim", "bright"])), tone=draw(st.sampled_from(["cool", "warm"])))
    return Environment(id=identifier, name=name, zones=zones, landmarks=landmarks, light=light)


@st.composite
def catalogs(draw, min_entities=1, max_entities=7):
    names = draw(st.lists(st.sampled_from(NAMES), min_size=min_entities, max_size=max_entities, unique=True))
    things = [draw(entities(f"e{i}", name)) for i, name in enumerate(names)]
    places = [draw(environments(f"p{i}", ["bakehouse", "flour store"][i])) for i in range(draw(st.integers(1, 2)))]
    return Catalog.build(things, places)


speakable_catalogs = catalogs().filter(lambda catalog: not collisions(catalog))


def placements(catalog):
    """Any placement, legal or not."""
    anyone = st.sampled_from([*catalog.entities, "nobody"])
    zones = st.sampled_from(
        [InSceneZone(environment=p.id, zone=z.id) for p in catalog.environments.values() for z in p.zones]
        + [InSceneZone(environment="p9", zone="z0"), InSceneZone(environment="p0", zone="z9")]
    )
    return st.one_of(
        zones,
        anyone.map(lambda e: OnSurface(surface=e)),
        anyone.map(lambda e: InContainer(container=e)),
        anyone.map(lambda e: HeldBy(holder=e)),
        anyone.map(lambda e: AttachedTo(support=e)),
        st.just(Offscreen()),
    )


def facts(catalog):
    """Any fact about the catalog's entities, legal or not."""
    anyone = st.sampled_from([*catalog.entities, "nobody"])
    place = st.builds(lambda e, p: Place(entity=e, placement=p), anyone, placements(catalog))
    setting = st.builds(
        lambda e, a, v: Set(entity=e, attribute=a, value=v),
        anyone,
        attribute_names,
        st.sampled_from([*VALUES, "purple"]),
    )
    return st.one_of(place, setting)


@st.composite
def events(draw, catalog):
    actors = tuple(draw(st.lists(st.sampled_from([*catalog.entities]), max_size=2, unique=True)))
    return Event(
        action=draw(text),
        actors=actors,
        effects=tuple(draw(st.lists(facts(catalog), max_size=3))),
        required=draw(st.booleans()),
    )


@st.composite
def shots(draw, catalog):
    someone = st.lists(st.sampled_from([*catalog.entities]), max_size=2, unique=True)
    return Shot(
        environment=draw(st.sampled_from([*catalog.environments, "p0", "p9"])),
        seconds=draw(st.sampled_from([4.0, 6.0, 2.5])),
        offscreen=tuple(draw(st.lists(events(catalog), max_size=2))),
        events=tuple(draw(st.lists(events(catalog), max_size=3))),
        view=SpatialIntent(region=draw(st.sampled_from([None, "z0", "z9"])), subjects=tuple(draw(someone))),
        requirements=tuple(
            Requirement(statement=s, phase=draw(st.sampled_from(["start", "motion", "end", "always"])))
            for s in draw(st.lists(text, max_size=1))
        ),
        anchors=tuple(draw(someone)),
        opens_with=tuple(draw(st.lists(facts(catalog), max_size=1))),
    )


@st.composite
def plans(draw, max_shots=5):
    """Any plan of the right shape, sound or not."""
    catalog = draw(catalogs())
    film = tuple(draw(st.lists(shots(catalog), min_size=1, max_size=max_shots)))
    return SemanticPlan(
        request=StoryRequest(
            idea=draw(text),
            shots=draw(st.integers(1, 9)),
            style=draw(st.none() | text),
            required_entities=tuple(draw(st.lists(st.sampled_from(NAMES), max_size=2))),
            delivery=Delivery(durations=draw(st.sampled_from([(4.0,), (4.0, 6.0, 8.0)]))),
        ),
        title=draw(st.sampled_from(["", "A day", "no", "1.5", "null"])),
        entities=tuple(catalog.entities.values()),
        environments=tuple(catalog.environments.values()),
        initial=tuple(draw(st.lists(facts(catalog), max_size=12))),
        shots=film,
        order=tuple(draw(st.lists(st.just(OrderRule(first="a", then="b")), max_size=1))),
    )
