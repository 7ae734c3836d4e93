"""Random stories of one shot: who and what is where, in which state, and what happens; as plans and contracts.

A story is cast once (two places, three people, nine things) and gives several situations, as a film gives shots. The
questions about a scene are those of its contract, compiled by the product's own compiler.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from storyengine.language import FaceLegible, Moves, render
from storyengine.plan import (
    AttachedTo,
    Catalog,
    Entity,
    Environment,
    Event,
    Fact,
    HeldBy,
    InContainer,
    InSceneZone,
    Offscreen,
    OnSurface,
    Place,
    Placement,
    Requirement,
    SemanticPlan,
    Set,
    Shot,
    SpatialIntent,
    target_of,
)
from storyengine.plan.model import CameraMove, Direction, Framing
from storyengine.previz import props
from storyengine.previz.appearance import prop_look
from storyengine.previz.grading.words import Words
from storyengine.request import StoryRequest

PLACES, PEOPLE, THINGS = 2, 3, 9
SECONDS = 5.0
FORBIDDEN = ("on-screen text", "logos and watermarks", "split screens", "frozen frames")
FRAMINGS: tuple[Framing, ...] = ("wide", "medium", "tight")
MOVES: tuple[CameraMove, ...] = ("still", "still", "still", "pan_left", "pan_right", "push_in", "pull_out")
WORN = frozenset(("hat", "cap", "helmet", "bonnet", "backpack", "satchel"))
VERBS = {
    "open": "opens", "standing open": "opens", "shut": "closes", "closed": "closes", "thrown back": "opens",
    "raised": "raises", "lowered": "lowers", "lit": "lights", "burning": "lights", "unlit": "puts out",
    "out": "puts out", "empty": "empties", "full": "fills",
}  # fmt: skip


@dataclass(frozen=True)
class Cast:
    """Who and what a story is about."""

    catalog: Catalog
    home: tuple[tuple[str, InSceneZone], ...]
    """Where the things stand that never move."""

    @property
    def people(self) -> tuple[Entity, ...]:
        return self.catalog.characters()

    @property
    def things(self) -> tuple[Entity, ...]:
        return tuple(e for e in self.catalog.entities.values() if e.kind == "prop")


@dataclass(frozen=True)
class Situation:
    """One moment of a story, or one shot where something happens."""

    place: str
    places: tuple[tuple[str, Placement], ...]
    """Where everybody and everything is."""
    values: tuple[tuple[str, str, str], ...]
    """Entity, attribute, value."""
    event: Event | None = None
    framing: Framing = "medium"
    move: CameraMove = "still"
    direction: Direction = "left_to_right"

    def where(self, entity: str) -> Placement:
        return dict(self.places)[entity]

    def value(self, entity: str, attribute: str) -> str:
        return next(v for e, a, v in self.values if (e, a) == (entity, attribute))

    def moved(self, entity: str, placement: Placement) -> Situation:
        return replace(self, places=tuple((e, placement if e == entity else p) for e, p in self.places))

    def changed(self, entity: str, attribute: str, value: str) -> Situation:
        values = tuple((e, a, value if (e, a) == (entity, attribute) else v) for e, a, v in self.values)
        return replace(self, values=values)

    @property
    def acting(self) -> frozenset[str]:
        """Everybody and everything that the event is about."""
        if self.event is None:
            return frozenset()
        targets = [target_of(e.placement) for e in self.event.effects if isinstance(e, Place)]
        return frozenset((*self.event.actors, *(e.entity for e in self.event.effects), *(t for t in targets if t)))


# --- casting ---------------------------------------------------------------------------------------------------


def cast_story(words: Words, dice: Random) -> Cast:
    """Two places, three people, nine things of nine shapes; at least one surface and one container among them."""
    places = _distinct(dice.sample(words.places, len(words.places)), PLACES)
    people = dice.sample(words.people, min(PEOPLE, len(words.people)))
    shuffled = dice.sample(words.things, len(words.things))
    surfaces = [t for t in shuffled if "surface" in t.roles][:2]
    containers = [t for t in shuffled if "container" in t.roles and t not in surfaces][:2]
    things: list[Entity] = []
    shapes: set[str] = set()
    for thing in (*surfaces, *containers, *shuffled):
        family = prop_look(thing.name, thing.look).family
        if len(things) < THINGS and family not in shapes and not _alike(thing.name, (*places, *people, *things)):
            things.append(thing)
            shapes.add(family)
    fixed = [t for t in things if "fixed" in t.roles]
    home = tuple((t.id, _some_zone(dice.choice(places), dice)) for t in fixed)
    return Cast(Catalog.build([*people, *things], places), home)


def _distinct(places: Sequence[Environment], count: int) -> list[Environment]:
    chosen: list[Environment] = []
    for place in places:
        if len(chosen) < count and not _alike(place.name, chosen):
            chosen.append(place)
    return chosen


def _alike(name: str, others: Sequence[Entity | Environment]) -> bool:
    """Whether a name says, or is said by, another one: sentences about them would be ambiguous."""
    return any(name in other.name or other.name in name for other in others)


def _some_zone(place: Environment, dice: Random) -> InSceneZone:
    return InSceneZone(environment=place.id, zone=dice.choice(place.zones).id)


# --- situations ------------------------------------------------------------------------------------------------


def invent(cast: Cast, dice: Random, *, clip: bool) -> Situation:
    """Somewhere in the story: some of its people and things, in random states and relations."""
    place = dice.choice(list(cast.catalog.environments.values()))
    stage = dice.choice(place.zones).id
    there: dict[str, Placement] = dict(cast.home)
    here = [thing for thing, zone in cast.home if zone.environment == place.id]
    for number, person in enumerate(dice.sample(cast.people, len(cast.people))):
        stays = number == 0 or dice.random() < 0.45
        zone = stage if number == 0 or dice.random() < 0.75 else dice.choice(place.zones).id
        there[person.id] = InSceneZone(environment=place.id, zone=zone) if stays else Offscreen()
        here += [person.id] if stays else []
    movable = [t for t in cast.things if t.id not in there]
    dice.shuffle(movable)
    wanted = dice.randint(3, 8)
    for thing in sorted(movable, key=lambda t: not {"surface", "container"} & set(t.roles)):
        if sum(cast.catalog.entities[e].kind == "prop" for e in here) < wanted and dice.random() < 0.85:
            there[thing.id] = _put(thing, cast, here, there, InSceneZone(environment=place.id, zone=stage), dice)
            here.append(thing.id)
        else:
            there[thing.id] = Offscreen()
    values = tuple((t.id, a.name, dice.choice(a.values)) for t in cast.things for a in t.attributes)
    situation = Situation(
        place.id,
        tuple((e, there[e]) for e in cast.catalog.entities),
        values,
        framing=dice.choice(FRAMINGS),
        move=dice.choice(MOVES) if clip else "still",
        direction=dice.choice(("left_to_right", "right_to_left", "towards_camera", "away_from_camera")),
    )
    return replace(situation, event=_event(cast, situation, dice)) if clip else situation


def _put(
    thing: Entity, cast: Cast, here: Sequence[str], there: dict[str, Placement], floor: InSceneZone, dice: Random
) -> Placement:
    """One of the relations that a thing can have to what is already there."""
    choices: list[Placement] = [floor]
    held = {target_of(p) for p in there.values() if isinstance(p, HeldBy)}
    for other in (cast.catalog.entities[e] for e in here):
        choices += relations(thing, other, taken=other.id in held)
    return dice.choice(choices[1:]) if len(choices) > 1 and dice.random() < 0.75 else floor


def relations(thing: Entity, other: Entity, *, taken: bool = False) -> list[Placement]:
    """What a thing can be to another one: held, worn, on, in, fastened. `taken` hands hold no second thing."""
    model = props.build(prop_look(thing.name, thing.look))
    bulk, portable = max(model.size), is_portable(thing)
    found: list[Placement] = []
    if other.kind == "character":
        if portable and not taken:
            found.append(HeldBy(holder=other.id))
        if model.look.family in WORN:
            found.append(AttachedTo(support=other.id))
        return found
    size = props.build(prop_look(other.name, other.look)).size
    if "surface" in other.roles and portable and bulk <= 0.9 * max(size[0], size[1]):
        found.append(OnSurface(surface=other.id))
    if "container" in other.roles and portable and bulk <= 0.9 * max(size):
        found.append(InContainer(container=other.id))
    if "mount" in other.roles and portable:
        found.append(AttachedTo(support=other.id))
    return found


def is_portable(thing: Entity) -> bool:
    model = props.build(prop_look(thing.name, thing.look))
    return not {"fixed", "wheeled"} & set(thing.roles) and max(model.size) <= 1.2 and model.carry not in (
        "fixed", "push",
    )  # fmt: skip


# --- events ----------------------------------------------------------------------------------------------------


def _event(cast: Cast, situation: Situation, dice: Random) -> Event | None:
    """Something that somebody there can do; now and then nothing happens."""
    options = possible(cast, situation)
    return dice.choice(options) if options and dice.random() < 0.9 else None


def possible(cast: Cast, situation: Situation) -> list[Event]:
    """Everything that somebody there can do."""
    there = [p for p in cast.people if isinstance(situation.where(p.id), InSceneZone)]
    options: list[Event] = []
    for person in there:
        hands = _held(cast, situation, person)
        for thing in hands:
            options += _puts(person, thing, cast, situation)
            options += _hands_over(person, thing, [p for p in there if p != person], cast, situation)
        options += _picks_up(person, cast, situation) if not hands else []
        options += _turns(person, cast, situation)
        options += _walks(person, cast, situation)
    return [option for option in options if all(is_there(situation, e.entity) for e in option.effects)]


def _held(cast: Cast, situation: Situation, person: Entity) -> list[Entity]:
    return [thing for thing in cast.things if situation.where(thing.id) == HeldBy(holder=person.id)]


def _puts(person: Entity, thing: Entity, cast: Cast, situation: Situation) -> list[Event]:
    found = []
    for target in cast.things:
        for placement in relations(thing, target):
            if isinstance(placement, OnSurface | InContainer) and _is_open(target, situation):
                word = "on" if isinstance(placement, OnSurface) else "in"
                action = f"{person.name} puts the {thing.name} {word} the {target.name}."
                found.append(_does(action, person, Place(entity=thing.id, placement=placement)))
    return [event for event in found if all(is_there(situation, _target(e)) for e in event.effects)]


def _hands_over(
    person: Entity, thing: Entity, others: Sequence[Entity], cast: Cast, situation: Situation
) -> list[Event]:
    return [
        _does(
            f"{person.name} hands the {thing.name} to {other.name}.",
            person,
            Place(entity=thing.id, placement=HeldBy(holder=other.id)),
        )
        for other in others
        if not _held(cast, situation, other)
    ]


def _picks_up(person: Entity, cast: Cast, situation: Situation) -> list[Event]:
    return [
        _does(
            f"{person.name} picks up the {thing.name}.",
            person,
            Place(entity=thing.id, placement=HeldBy(holder=person.id)),
        )
        for thing in cast.things
        if is_portable(thing) and isinstance(situation.where(thing.id), InSceneZone | OnSurface)
    ]


def _walks(person: Entity, cast: Cast, situation: Situation) -> list[Event]:
    place = cast.catalog.environments[situation.place]
    zones = [(zone.name, InSceneZone(environment=place.id, zone=zone.id)) for zone in place.zones]
    return [
        _does(f"{person.name} walks and stands {name}.", person, Place(entity=person.id, placement=zone))
        for name, zone in zones
        if zone != situation.where(person.id)
    ]


def _turns(person: Entity, cast: Cast, situation: Situation) -> list[Event]:
    """Changes of state that the person can bring about."""
    found = []
    for thing in cast.things:
        for attribute in thing.attributes:
            now = situation.value(thing.id, attribute.name)
            for value in attribute.values:
                if value != now and attribute.visible:
                    part = "" if attribute.name == "state" else f"the {attribute.name} of "
                    verb = VERBS.get(value)
                    told = (
                        f"{verb} the {thing.name}" if verb else f"works on {part}the {thing.name} until it is {value}"
                    )
                    fact = Set(entity=thing.id, attribute=attribute.name, value=value)
                    found.append(_does(f"{person.name} {told}.", person, fact))
    return found


def _does(action: str, person: Entity, fact: Fact) -> Event:
    return Event(action=action, actors=(person.id,), effects=(fact,), required=True)


def _target(fact: Fact) -> str:
    return (target_of(fact.placement) if isinstance(fact, Place) else None) or fact.entity


def is_there(situation: Situation, entity: str) -> bool:
    """Whether something is on the scene, through whatever it hangs on."""
    here: str | None = entity
    for _ in range(len(situation.places)):
        if here is None:
            return False
        placement = situation.where(here)
        if isinstance(placement, InSceneZone):
            return placement.environment == situation.place
        here = target_of(placement)
    return False


def _is_open(thing: Entity, situation: Situation) -> bool:
    return not any(situation.value(thing.id, a.name) in a.conceals for a in thing.attributes)


# --- as a plan -------------------------------------------------------------------------------------------------


def plan_of(cast: Cast, situation: Situation) -> SemanticPlan:
    """The situation as a film of one shot."""
    catalog = cast.catalog
    initial: list[Fact] = [Place(entity=e, placement=p) for e, p in situation.places]
    initial += [Set(entity=e, attribute=a, value=v) for e, a, v in situation.values]
    people = [p for p in cast.people if isinstance(situation.where(p.id), InSceneZone)]
    return SemanticPlan(
        request=StoryRequest(idea="A scene for grading.", shots=1, forbidden_content=FORBIDDEN),
        entities=tuple(catalog.entities.values()),
        environments=tuple(catalog.environments.values()),
        initial=tuple(initial),
        shots=(
            Shot(
                environment=situation.place,
                seconds=SECONDS,
                events=(situation.event,) if situation.event else (),
                view=SpatialIntent(
                    subjects=tuple(p.id for p in people), framing=situation.framing, camera=situation.move
                ),
                requirements=tuple(_requirements(people, situation, catalog)),
            ),
        ),
    )


def _requirements(people: Sequence[Entity], situation: Situation, catalog: Catalog) -> list[Requirement]:
    """What only authors ask for: a face that can be read, a movement across the screen."""
    asked = [
        Requirement(statement=render(FaceLegible(entity=p.id), catalog), phase="start", priority="preferred")
        for p in people
    ]
    if situation.event is not None:
        moves = Moves(entity=situation.event.actors[0], direction=situation.direction)
        asked.append(Requirement(statement=render(moves, catalog), phase="motion", priority="preferred"))
    return asked
