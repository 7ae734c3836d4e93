"""The world while a film is being planned: where things are so far, what is in reach, what was seen to happen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from storyengine.plan import (
    AttachedTo,
    Event,
    Fact,
    HeldBy,
    InContainer,
    InSceneZone,
    OnSurface,
    Place,
    Placement,
    Set,
    target_of,
)
from storyengine.planning.embedded.roster import Roster, slug
from storyengine.planning.embedded.steps import Step

MAX_ZONES = 6


@dataclass(frozen=True, slots=True)
class Wish:
    """What an earlier shot has to add so that a later one can be played."""

    kind: str
    """`lift`: somebody takes the thing along; `attend`: somebody is there; `start`: the thing starts elsewhere."""
    shot: int
    entity: str
    person: str = ""
    place: str = ""


class Unplayable(Exception):
    """A step cannot be played as things stand; carries the wish that would help."""

    def __init__(self, wish: Wish, step: Step | None = None) -> None:
        super().__init__(wish)
        self.wish = wish
        self.step = step


@dataclass
class ShotDraft:
    """One shot while it is being played."""

    place: str
    offscreen: list[Event] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    zone: str | None = None


class Scene:
    """A world that is filled in backwards from first use, and the shots as they come out."""

    def __init__(
        self,
        roster: Roster,
        places: Sequence[str],
        names: dict[str, str],
        wishes: Sequence[Wish],
        muted: frozenset[int] = frozenset(),
    ) -> None:
        self.roster = roster
        self.places = places
        self.names = names
        """Place id → name."""
        self.wishes = wishes
        self.muted = muted
        """Steps that are shown without changing anything, since what they need cannot be there."""
        self.initial: dict[str, Placement] = {}
        self.world: dict[str, Placement] = {}
        self.initial_values: dict[tuple[str, str], str] = {}
        self.values: dict[tuple[str, str], str] = {}
        self.towed: dict[str, str] = {}
        """Wheeled thing → who pushes it along."""
        self.zones: dict[str, dict[str, str]] = {place: {} for place in dict.fromkeys(places)}
        self.drafts = [ShotDraft(place) for place in places]
        self.attend: dict[int, list[str]] = {}
        self.touched_in: dict[str, int] = {}
        """Thing → the last shot in which it was used on screen."""
        self.assumptions: list[str] = []
        self.first_used: dict[str, list[str]] = {}
        """Place → what is there from the start because the story first needs it there."""
        self.owned: dict[str, list[str]] = {}
        """Person → what they have from the start."""
        self.at_first: list[tuple[str, str]] = []
        """Thing and the state that it is taken to be in until the story changes it."""
        self.steps: list[Step] = []
        """The steps of the shot that is being played."""
        self.rest: list[Step] = []
        """Those of them that are still to come."""
        self.seen_first: dict[str, int] = {}
        """Person → the first shot they are in."""
        self.step_ids: dict[int, str] = {}
        """Step index → id of its event, where a rule names it."""
        self.script: dict[int, list[Step]] = {}
        """All steps by shot."""
        self.number = 0
        for wish in wishes:
            if wish.kind == "start":
                self.settle(wish.entity, self._zone(wish.place, wish.entity))
            elif wish.kind == "attend":
                self.attend.setdefault(wish.shot, []).append(wish.person or wish.entity)
            elif wish.kind == "lift":
                self.attend.setdefault(wish.shot, []).append(wish.person)

    def settle(self, entity: str, placement: Placement) -> None:
        """Say where something is at the start; it has not moved since."""
        if entity not in self.initial and not self._ring(entity, placement):
            self.initial[entity] = placement
            self.world[entity] = placement

    def _ring(self, entity: str, placement: Placement) -> bool:
        here = target_of(placement)
        while here is not None:
            if here == entity:
                return True
            here = target_of(self.world[here]) if here in self.world else None
        return False

    def root(self, entity: str) -> str:
        """The end of the chain of placements: what stands in a zone, or has no place yet."""
        while entity in self.world and (target := target_of(self.world[entity])) is not None:
            entity = target
        return entity

    def place_of(self, entity: str) -> str | None:
        placement = self.world.get(self.root(entity))
        return placement.environment if isinstance(placement, InSceneZone) else None

    def zone_of(self, entity: str) -> str | None:
        placement = self.world.get(self.root(entity))
        return placement.zone if isinstance(placement, InSceneZone) else None

    def is_placed(self, entity: str) -> bool:
        return self.root(entity) in self.world

    def hidden_in(self, entity: str) -> str | None:
        """The nearest shut container around a thing."""
        placement = self.world.get(entity)
        while placement is not None and (target := target_of(placement)) is not None:
            if isinstance(placement, InContainer) and self.is_shut(target):
                return target
            placement = self.world.get(target)
        return None

    def is_shut(self, container: str) -> bool:
        member = self.roster.members[container]
        return any(self.values.get((container, name)) in values for name, values in member.conceals.items())

    def zone(self, place: str, name: str) -> InSceneZone:
        """A zone of a place, made when it is first needed."""
        zones = self.zones[place]
        identifier = slug(name)
        if identifier not in zones and len(zones) >= MAX_ZONES:
            identifier = next(iter(zones))
        zones.setdefault(identifier, name)
        return InSceneZone(environment=place, zone=identifier)

    def middle(self, place: str) -> InSceneZone:
        return self.zone(place, "in the middle")

    def _zone(self, place: str, entity: str) -> InSceneZone:
        """Where a thing stands when nothing else is said: fittings have a zone of their own."""
        member = self.roster.members[entity]
        own = sum(1 for name in self.zones[place].values() if name.startswith("by the "))
        if "fixed" in member.roles and own < MAX_ZONES - 3:
            return self.zone(place, f"by the {member.name}")
        return self.middle(place)

    @property
    def here(self) -> str:
        return self.places[self.number - 1]

    @property
    def draft(self) -> ShotDraft:
        return self.drafts[self.number - 1]

    def _people_of(self, step: Step) -> Iterator[str]:
        yield from step.actors
        if step.target is not None and self.roster.members[step.target].kind == "character":
            yield step.target

    def _action_zone(self) -> InSceneZone:
        """Where the first step of the shot takes place."""
        for step in self.steps:
            for thing in (
                step.beside,
                step.target,
                step.source,
                *(s.bearer for s in step.sets),
                *(self._support(t) for t in step.things),
            ):
                if (
                    thing is not None
                    and self.roster.members[thing].kind == "prop"
                    and "fixed" in self.roster.members[thing].roles
                ):
                    if not self.is_placed(thing):
                        return self._zone(self.here, thing)
                    if self.place_of(thing) == self.here:
                        return InSceneZone(environment=self.here, zone=str(self.zone_of(thing)))
        return self.middle(self.here)

    def _support(self, thing: str) -> str | None:
        """What a thing lies on or in, at the end of the chain."""
        root = self.root(thing)
        return root if root != thing and root in self.world else None

    def _carried(self, person: str) -> list[str]:
        return [e for e, p in self.world.items() if isinstance(p, HeldBy) and p.holder == person]

    def _apply(self, effects: Sequence[Fact]) -> None:
        for effect in effects:
            if isinstance(effect, Place):
                self.world[effect.entity] = effect.placement
            else:
                self.values[(effect.entity, effect.attribute)] = effect.value

    def reach(self, thing: str, step: Step, start: Placement | None = None) -> None:
        """Make sure that a thing is here and in sight; where it has no place yet, this is its place."""
        root = self.root(thing)
        if root not in self.world and root == thing and not isinstance(start, (InContainer, OnSurface)):
            start = self._taken_from_later(thing, step) or start
        if root not in self.world:
            given = start is not None and root == thing
            self.settle(root, start if given and start is not None else self._zone(self.here, root))
            if not given:
                self.first_used.setdefault(self.here, []).append(root)
            elif (
                isinstance(start, (HeldBy, AttachedTo))
                and self.roster.members[target_of(start) or ""].kind == "character"
            ):
                self.owned.setdefault(target_of(start) or "", []).append(root)
        self.touched_in.setdefault(thing, self.number)
        if self.place_of(thing) != self.here:
            raise Unplayable(self._fetching(thing, step), step)
        self.touched_in[thing] = self.number
        shut = self.hidden_in(thing)
        if shut is not None:
            self._unshut(shut, step)

    def _taken_from_later(self, thing: str, step: Step) -> Placement | None:
        """What a step only changes and a later one takes from somewhere here has been there from the start."""
        if thing in step.things:
            return None
        later = ((n, s) for n in sorted(self.script) for s in self.script[n] if s.index > step.index)
        found = next(((n, s) for n, s in later if thing in s.things), None)
        if found is None or found[1].source in (None, thing) or self.places[found[0] - 1] != self.here:
            return None
        source = str(found[1].source)
        member = self.roster.members[source]
        if member.kind != "prop" or (self.is_placed(source) and self.place_of(source) != self.here):
            return None
        if not self.is_placed(source):
            self.settle(source, self._zone(self.here, source))
        relation = "on" if "surface" in member.roles else "attached" if "mount" in member.roles else "in"
        return related(relation, source)

    def start_assumed(self) -> list[str]:
        """What the planner took for granted about the start, in a line of each kind."""
        there = [f"in the {self.names[place]} {self._listed(things)}" for place, things in self.first_used.items()]
        hands = [f"{self.called(person)} has {self._listed(things)}" for person, things in self.owned.items()]
        states = [f"{self.called(thing)} {self._is(thing)} {state}" for thing, state in self.at_first]
        lines = [f"Where the story first needs them: {'; '.join(there)}."] if there else []
        lines += [f"From the start {'; '.join(hands)}."] if hands else []
        return lines + ([f"Until the story changes it, {', '.join(states)}."] if states else [])

    def _fetching(self, thing: str, step: Step) -> Wish:
        """Who could have brought a thing here, and from which shot on."""
        origin = self.place_of(thing)
        last = self.touched_in.get(thing, 0)
        if last in (0, self.number) and self.root(thing) == thing and thing not in self.moved:
            return Wish("start", 0, thing, place=self.here)
        leaving = [n for n in range(max(1, last), self.number) if self.places[n - 1] == origin]
        person = self._traveller(leaving) if not isinstance(self.world.get(thing), HeldBy) else ""
        person = person or self._carrier(thing, step)
        shut = self.hidden_in(thing)
        whole = shut or thing
        if self.roster.members[whole].stays_put:
            return Wish("none", self.number, thing)
        if not leaving or not person or (shut is not None and self.roster.members[shut].one_way):
            return Wish("none", self.number, thing)
        return Wish("lift", leaving[-1], whole, person)

    def _traveller(self, leaving: Sequence[int]) -> str:
        """Who acts where a thing is, and then here: nobody has to be sent for it."""
        here = {
            actor
            for n in range(leaving[-1] + 1 if leaving else self.number, self.number + 1)
            if self.places[n - 1] == self.here
            for step in self.script.get(n, ())
            for actor in step.actors
        }
        there = [actor for n in reversed(leaving) for step in self.script.get(n, ()) for actor in step.actors]
        return next((actor for actor in there if actor in here), "")

    @property
    def moved(self) -> set[str]:
        return {e for e, p in self.world.items() if self.initial.get(e) != p}

    def _carrier(self, thing: str, step: Step | None) -> str:
        placement = self.world.get(thing)
        if isinstance(placement, HeldBy):
            return placement.holder
        if step is not None and step.actors:
            return step.actors[0]
        people = self.roster.people()
        return people[0].id if people else ""

    def _unshut(self, container: str, step: Step) -> None:
        """Open what is shut, before the step: the brief takes it for granted."""
        name = next(
            n
            for n, values in self.roster.members[container].conceals.items()
            if self.values.get((container, n)) in values
        )
        opened = next(
            (
                v
                for v in self.roster.members[container].values[name]
                if v not in self.roster.members[container].conceals[name]
            ),
            None,
        )
        if opened is None or not step.actors:
            return
        actor = step.actors[0]
        self._on_screen(
            f"{self.called(actor)} opens the {self.roster.members[container].name}.",
            [actor],
            [Set(entity=container, attribute=name, value=opened)],
        )
        self.assumptions.append(
            f"In shot {self.number} {self.called(actor)} opens the {self.roster.members[container].name} first; "
            "the brief does not say so."
        )

    def _on_screen(
        self, action: str, actors: list[str], effects: list[Fact], required: bool = False, identifier: str = ""
    ) -> None:
        kept: list[Fact] = []
        holders: list[str] = []
        for effect in effects:
            if self._holds(effect) or self._impossible(effect):
                continue
            before = self.world.get(effect.entity)
            if isinstance(effect, Place) and isinstance(before, HeldBy) and self.place_of(before.holder) == self.here:
                holders.append(before.holder)
            self._apply([effect])
            self.touched_in[effect.entity] = self.number
            kept.append(effect)
        effects = kept
        people = tuple(dict.fromkeys([*actors, *holders]))
        self._record(
            Event(
                action=sentence(action), id=identifier or None, actors=people, effects=tuple(effects), required=required
            )
        )
        self.draft.subjects += [
            *people,
            *(e.entity for e in effects),
            *(t for e in effects if isinstance(e, Place) and (t := target_of(e.placement))),
        ]

    def _impossible(self, effect: Fact) -> bool:
        """Whether an effect would put a thing into, or onto, what is itself in or on it."""
        return isinstance(effect, Place) and self._ring(effect.entity, effect.placement)

    def _record(self, event: Event) -> None:
        """Clauses of one numbered item are one event, told in the item's own words."""
        last = self.draft.events[-1] if self.draft.events else None
        if last is None or last.action != event.action or not event.required:
            self.draft.events.append(event)
            return
        merged = {
            "id": last.id or event.id,
            "actors": tuple(dict.fromkeys((*last.actors, *event.actors))),
            "effects": (*last.effects, *event.effects),
        }
        self.draft.events[-1] = last.model_copy(update=merged)

    def _holds(self, effect: Fact) -> bool:
        if isinstance(effect, Place):
            return self.world.get(effect.entity) == effect.placement
        return self.values.get((effect.entity, effect.attribute)) == effect.value

    def _is(self, entity: str) -> str:
        return "are" if self.roster.members[entity].plural else "is"

    def called(self, entity: str) -> str:
        name = self.roster.members[entity].name
        return name if name[:1].isupper() else f"the {name}"

    def _listed(self, entities: Sequence[str]) -> str:
        names = [self.called(entity) for entity in entities]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def related(relation: str, target: str) -> Placement | None:
    """The placement of a relation word; None for one that places nothing."""
    match relation:
        case "in":
            return InContainer(container=target)
        case "on":
            return OnSurface(surface=target)
        case "attached":
            return AttachedTo(support=target)
    return None


def sentence(text: str) -> str:
    text = " ".join(text.split())
    return text[:1].upper() + text[1:]
