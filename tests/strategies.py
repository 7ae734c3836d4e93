"""Random stories for property tests: small catalogs, any facts about them, and plans made of both."""

import random

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
ZONES = ["by the door", "at the long bench", "under the window"]
ROLES = ["surface", "container", "mount", "fixed", "wheeled"]

ATTRIBUTES = ["state", "door", "fill-level", "is_lit"]
attribute_names = st.sampled_from(ATTRIBUTES)
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
    zones = tuple(Zone(id=f"z{i}", name=ZONES[i]) for i in range(draw(st.integers(1, 3))))
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


def plans(max_shots=5):
    """Any plan of the right shape, sound or not.

    Hypothesis chooses the size and a seed, and an ordinary random generator fills in the rest: a plan has hundreds of
    choices, and drawing them one by one would make ten thousand examples take hours. Sizes still shrink.
    """
    return st.builds(random_plan, st.integers(0, 2**32), st.integers(1, 6), st.integers(1, max_shots))


def random_plan(seed, entities, shots):
    dice = random.Random(seed)
    catalog = random_catalog(dice, entities)
    return SemanticPlan(
        request=StoryRequest(
            idea=random_text(dice),
            shots=dice.randint(1, 9),
            style=dice.choice([None, random_text(dice)]),
            required_entities=tuple(dice.sample(NAMES, dice.randint(0, 2))),
            delivery=Delivery(durations=dice.choice([(4.0,), (4.0, 6.0, 8.0)])),
        ),
        title=dice.choice(["", "A day", "no", "1.5", "null"]),
        entities=tuple(catalog.entities.values()),
        environments=tuple(catalog.environments.values()),
        initial=tuple(random_fact(dice, catalog) for _ in range(dice.randint(0, 12))),
        shots=tuple(random_shot(dice, catalog) for _ in range(shots)),
        order=dice.choice([(), (OrderRule(first="a", then="b"),)]),
    )


def random_text(dice):
    letters = "abc XYZ 0'-,.;:#&*!?|>%@`\"{}[]äß中🎬\u00a0\u200b~="
    return "x" + "".join(dice.choice(letters) for _ in range(dice.randint(0, 30))) + "y"


def random_catalog(dice, count):
    names = dice.sample(NAMES, count)
    things = [random_entity(dice, f"e{i}", name) for i, name in enumerate(names)]
    places = [random_environment(dice, f"p{i}", ["bakehouse", "flour store"][i]) for i in range(dice.randint(1, 2))]
    return Catalog.build(things, places)


def random_entity(dice, identifier, name):
    return Entity(
        id=identifier,
        name=name,
        kind=dice.choice(["character", "prop"]),
        look=dice.choice(["", "a red thing", "größe: 5 # no comment"]),
        roles=tuple(dice.sample(ROLES, dice.randint(0, 3))),
        attributes=tuple(
            random_attribute(dice, a)
            for a in dice.sample(["state", "door", "fill-level", "is_lit"], dice.randint(0, 2))
        ),
        plural=name in ("loaves", "glasses"),
    )


def random_attribute(dice, name):
    values = tuple(dice.sample(VALUES, dice.randint(2, 4)))
    one_way, visible = dice.random() < 0.5, dice.random() < 0.8
    return Attribute(name=name, values=values, one_way=one_way, visible=visible, conceals=values[: dice.randint(0, 1)])


def random_environment(dice, identifier, name):
    zones = tuple(Zone(id=f"z{i}", name=ZONES[i]) for i in range(dice.randint(1, 3)))
    landmarks = tuple(Landmark(id=f"m{i}", name=["stove", "tall clock"][i]) for i in range(dice.randint(0, 2)))
    light = Light(brightness=dice.choice(["dim", "bright"]), tone=dice.choice(["cool", "warm"]))
    return Environment(id=identifier, name=name, zones=zones, landmarks=landmarks, light=light)


def random_fact(dice, catalog):
    """Any fact, legal or not."""
    someone = dice.choice([*catalog.entities] * 4 + ["nobody"])
    if dice.random() < 0.4:
        own = [*catalog.attributes.get(someone, {}).values()]
        if own and dice.random() < 0.8:
            attribute = dice.choice(own)
            return Set(entity=someone, attribute=attribute.name, value=dice.choice(attribute.values))
        return Set(entity=someone, attribute="door", value=dice.choice([*VALUES, "purple"]))
    other = dice.choice([*catalog.entities] * 4 + ["nobody"])
    place = dice.choice([*catalog.environments] * 6 + ["p9"])
    placement = dice.choice(
        [
            InSceneZone(environment=place, zone=dice.choice(["z0", "z0", "z0", "z1", "z9"])),
            InSceneZone(environment=place, zone="z0"),
            OnSurface(surface=other),
            InContainer(container=other),
            HeldBy(holder=other),
            AttachedTo(support=other),
            Offscreen(),
        ]
    )
    return Place(entity=someone, placement=placement)


def random_event(dice, catalog):
    return Event(
        action=random_text(dice),
        id=dice.choice([None, None, "a", "b"]),
        actors=tuple(dice.sample([*catalog.entities], min(len(catalog.entities), dice.randint(0, 2)))),
        effects=tuple(random_fact(dice, catalog) for _ in range(dice.randint(0, 3))),
        required=dice.random() < 0.3,
    )


def random_shot(dice, catalog):
    some = [*catalog.entities][: dice.randint(0, 2)]
    phases = ["start", "motion", "end", "always"]
    return Shot(
        environment=dice.choice([*catalog.environments] * 5 + ["p9"]),
        seconds=dice.choice([4.0, 6.0, 2.5]),
        offscreen=tuple(random_event(dice, catalog) for _ in range(dice.randint(0, 2))),
        events=tuple(random_event(dice, catalog) for _ in range(dice.randint(0, 3))),
        view=SpatialIntent(region=dice.choice([None, "z0", "z9"]), subjects=tuple(some)),
        requirements=tuple(
            Requirement(statement=random_text(dice), phase=dice.choice(phases)) for _ in range(dice.randint(0, 1))
        ),
        anchors=tuple(some),
        opens_with=tuple(random_fact(dice, catalog) for _ in range(dice.randint(0, 1))),
    )
