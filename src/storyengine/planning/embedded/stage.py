"""The stage: steps are played shot by shot in a world that is filled in backwards from first use.

A thing has no place until somebody needs it; then it is where that first use needs it, and has been there from
the start. What is needed where it cannot be is answered with a `Wish`: something to add to an earlier shot, such
as that somebody picks the thing up before leaving. The planner grants the wish and plays again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from storyengine.language.reading import words as w
from storyengine.plan import (
    AttachedTo,
    Event,
    Fact,
    HeldBy,
    InContainer,
    InSceneZone,
    Offscreen,
    OnSurface,
    Place,
    Placement,
    Set,
    target_of,
)
from storyengine.planning.embedded.roster import CARRIED, Roster, slug
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


class Stage:
    """The world during planning, and the shots as they come out."""

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
        self.seen_first: dict[str, int] = {}
        """Person → the first shot they are in."""
        self.step_ids: dict[int, str] = {}
        """Step index → id of its event, where a rule names it."""
        self.number = 0
        for wish in wishes:
            if wish.kind == "start":
                self.settle(wish.entity, self._zone(wish.place, wish.entity))
            elif wish.kind == "attend":
                self.attend.setdefault(wish.shot, []).append(wish.person or wish.entity)
            elif wish.kind == "lift":
                self.attend.setdefault(wish.shot, []).append(wish.person)

    # --- where things are

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

    # --- the play

    def play(self, steps: dict[int, list[Step]], anchors: dict[int, list[tuple[str, str]]]) -> None:
        """All shots in order. `anchors`: shot → (entity, carrier or empty)."""
        self.anchors = anchors
        for self.number in range(1, len(self.places) + 1):
            self.steps = steps.get(self.number, [])
            self._open_shot()
            for position, step in enumerate(self.steps):
                self.rest = self.steps[position + 1 :]
                self._play(step)
            for wish in self.wishes:
                if wish.kind == "lift" and wish.shot == self.number:
                    self._lift(wish.entity, wish.person)
            self._close_shot()

    @property
    def here(self) -> str:
        return self.places[self.number - 1]

    @property
    def draft(self) -> ShotDraft:
        return self.drafts[self.number - 1]

    def _open_shot(self) -> None:
        arriving = {
            a
            for step in self.steps
            if step.act in ("go", "carry", "push") and step.dest == self.here
            for a in step.actors
        }
        needed = [a for step in self.steps for a in self._people_of(step)]
        for person in dict.fromkeys([*needed, *self.attend.get(self.number, ())]):
            self._bring_in(person, person in arriving)
            self.seen_first.setdefault(person, self.number)
        for entity, _ in self.anchors.get(self.number, ()):
            self.draft.anchors.append(entity)

    def _people_of(self, step: Step) -> Iterator[str]:
        yield from step.actors
        if step.target is not None and self.roster.members[step.target].kind == "character":
            yield step.target

    def _bring_in(self, person: str, arriving: bool) -> None:
        if not self.is_placed(person):
            self.settle(person, self._start_of(person, arriving))
        if self.place_of(person) == self.here:
            return
        zone = self.zone(self.here, "in the doorway") if arriving else self._action_zone()
        tow = [
            thing for thing, by in self.towed.items() if by == person and self.place_of(thing) == self.place_of(person)
        ]
        carried = [*self._carried(person), *tow]
        effects: list[Fact] = [Place(entity=person, placement=zone)]
        effects += [Place(entity=thing, placement=zone) for thing in tow]
        for thing in tow:
            del self.towed[thing]
        name, place = self.called(person), self.names[self.here]
        verb = "comes to" if not carried else "brings"
        what = f"{self._listed(carried)} to the {place}" if carried else f"the {place}"
        self._off_screen(f"{name} {verb} {what}.", [person], effects)

    def _start_of(self, person: str, arriving: bool) -> Placement:
        """Where somebody is before the film: where they come from, off screen if they enter, else where they are seen."""
        first = next((s for s in self.steps if person in self._people_of(s)), None)
        if first is not None and first.origin is not None and first.origin in self.zones:
            return self.middle(first.origin)
        if arriving and self.here in self.places[: self.number - 1]:
            return Offscreen()
        return self._action_zone()

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

    def _off_screen(self, action: str, actors: list[str], effects: list[Fact]) -> None:
        self._apply(effects)
        self.draft.offscreen.append(Event(action=sentence(action), actors=tuple(actors), effects=tuple(effects)))

    def _apply(self, effects: Sequence[Fact]) -> None:
        for effect in effects:
            if isinstance(effect, Place):
                self.world[effect.entity] = effect.placement
            else:
                self.values[(effect.entity, effect.attribute)] = effect.value

    # --- reaching

    def reach(self, thing: str, step: Step, start: Placement | None = None) -> None:
        """Make sure that a thing is here and in sight; where it has no place yet, this is its place."""
        root = self.root(thing)
        if root not in self.world:
            given = start is not None and root == thing
            self.settle(root, start if given and start is not None else self._zone(self.here, root))
            if not given:
                self.assumptions.append(
                    f"{sentence(self.called(root))} {self._is(root)} in the {self.names[self.here]} from the start; it is first used there."
                )
            elif (
                isinstance(start, (HeldBy, AttachedTo))
                and self.roster.members[target_of(start) or ""].kind == "character"
            ):
                self.assumptions.append(
                    f"{sentence(self.called(target_of(start) or ''))} has {self.called(root)} from the start."
                )
        self.touched_in.setdefault(thing, self.number)
        if self.place_of(thing) != self.here:
            raise Unplayable(self._fetching(thing, step), step)
        self.touched_in[thing] = self.number
        shut = self.hidden_in(thing)
        if shut is not None:
            self._unshut(shut, step)

    def _fetching(self, thing: str, step: Step) -> Wish:
        """Who could have brought a thing here, and from which shot on."""
        origin = self.place_of(thing)
        last = self.touched_in.get(thing, 0)
        if last in (0, self.number) and self.root(thing) == thing and thing not in self.moved:
            return Wish("start", 0, thing, place=self.here)
        leaving = [n for n in range(max(1, last), self.number) if self.places[n - 1] == origin]
        person = self._carrier(thing, step)
        shut = self.hidden_in(thing)
        whole = shut or thing
        if not leaving or not person or (shut is not None and self.roster.members[shut].one_way):
            return Wish("none", self.number, thing)
        return Wish("lift", leaving[-1], whole, person)

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
            f"In shot {self.number} {self.called(actor)} opens the {self.roster.members[container].name} first; the brief does not say so."
        )

    def _on_screen(
        self, action: str, actors: list[str], effects: list[Fact], required: bool = False, identifier: str = ""
    ) -> None:
        effects = [e for e in effects if not self._holds(e)]
        before = [self.world.get(e.entity) for e in effects if isinstance(e, Place)]
        holders = [p.holder for p in before if isinstance(p, HeldBy) and self.place_of(p.holder) == self.here]
        self._apply(effects)
        for effect in effects:
            self.touched_in[effect.entity] = self.number
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

    # --- steps

    def _play(self, step: Step) -> None:
        if step.index in self.muted:
            self._on_screen(
                step.action,
                [a for a in step.actors if self.place_of(a) == self.here],
                [],
                required=True,
                identifier=step.id,
            )
            return
        if not step.actors and step.act != "look":
            self._cast(step)
        effects = list(self._effects(step))
        if step.id:
            self.step_ids[step.index] = step.id
        self._on_screen(step.action, step.actors, effects, required=not step.added, identifier=step.id)
        self.draft.subjects += [t for t in (*step.things, *step.means) if self.place_of(t) == self.here]
        if self.draft.zone is None:
            self.draft.zone = self._zone_of_step(step)

    def _zone_of_step(self, step: Step) -> str | None:
        for entity in (step.beside, step.target, step.source, *(s.bearer for s in step.sets), *step.actors):
            if entity is not None and self.place_of(entity) == self.here:
                return self.zone_of(entity)
        return None

    def _cast(self, step: Step) -> None:
        """Somebody has to do what the brief puts in the passive: who holds the thing, or who is there."""
        holders = [p.holder for t in step.things if isinstance(p := self.world.get(t), HeldBy)]
        present = [m.id for m in self.roster.people() if self.place_of(m.id) == self.here and m.id != step.target]
        things_break = step.act in ("break", "turn") and not step.things
        choice = next((p for p in (*holders, *present) if p != step.target), None)
        if choice is None or (things_break and not step.event.listed):
            return
        step.actors = [choice]
        self.assumptions.append(
            f"The brief does not say who does it: in shot {self.number} {self.called(choice)} does (“{step.event.sentence.strip()[:80]}”)."
        )

    def _effects(self, step: Step) -> Iterator[Fact]:
        actor = step.actors[0] if step.actors else ""
        for tool in step.means:
            self._tool(tool, step, actor)
        match step.act:
            case "go" | "carry" | "push":
                yield from self._travel(step, actor)
            case "look":
                return
            case "take" | "detach" | "doff":
                yield from self._taking(step, actor)
            case "wear":
                for thing in step.things:
                    self.reach(thing, step)
                    yield Place(entity=thing, placement=AttachedTo(support=actor))
            case "put" | "give" | "hang":
                yield from self._putting(step, actor)
        for setting in step.sets:
            yield from self._setting(step, setting.bearer, setting.attribute, setting.value, setting.before, actor)
        if step.act in ("break", "change", "lower") and step.target is not None and step.things:
            yield from self._putting(step, actor)

    def _tool(self, tool: str, step: Step, actor: str) -> None:
        """An instrument is in its user's hands unless it is known to be somewhere."""
        if step.act in ("go", "look") and self.is_placed(tool) and self.place_of(tool) != self.here:
            if step.act == "go" or "wheeled" in self.roster.members[tool].roles:
                raise Unplayable(self._fetching(tool, step), step)
        if not self.is_placed(tool):
            member = self.roster.members[tool]
            held = actor and member.head not in w.FIXTURES | w.WHEELED and step.act in ("go", "carry")
            self.settle(tool, HeldBy(holder=actor) if held else self._zone(self.here, tool))
        if step.act in ("go", "look", "push") or self.place_of(tool) == self.here:
            self.touched_in[tool] = self.number

    def _taking(self, step: Step, actor: str) -> Iterator[Fact]:
        if step.source is not None:
            self.reach(step.source, step)
        for thing in step.things:
            self.reach(thing, step, self._at_source(thing, step, actor))
            if actor:
                yield Place(entity=thing, placement=HeldBy(holder=actor))

    def _at_source(self, thing: str, step: Step, actor: str) -> Placement | None:
        if step.act == "doff" and actor:
            return AttachedTo(support=actor)
        if step.source is None or step.source == thing:
            return None
        roles = self.roster.members[step.source].roles
        if self.roster.members[step.source].kind == "character":
            return HeldBy(holder=step.source)
        if "container" in roles and not (
            "surface" in roles and step.event.reading.source is not None and step.event.reading.source.head in w.PUT_ON
        ):
            return InContainer(container=step.source)
        return OnSurface(surface=step.source) if "surface" in roles else AttachedTo(support=step.source)

    def _putting(self, step: Step, actor: str) -> Iterator[Fact]:
        if step.target is not None and self.roster.members[step.target].kind == "prop":
            self.reach(step.target, step, self._own(step.target, actor))
        for thing in step.things:
            if step.act == "put" and step.event.reading.verb == "leave" and self.is_placed(thing):
                pass
            self.reach(thing, step, self._in_hand(thing, step, actor))
            placement = self._goal(step, thing)
            if placement is None or self._ring(thing, placement):
                continue
            if isinstance(placement, InContainer) and self.is_shut(placement.container):
                self._unshut(placement.container, step)
            self._presume_open(placement)
            yield Place(entity=thing, placement=placement)

    def _presume_open(self, placement: Placement) -> None:
        """What something is put into without being opened has been open from the start."""
        if not isinstance(placement, InContainer):
            return
        member = self.roster.members[placement.container]
        for name, hiding in member.conceals.items():
            key = (placement.container, name)
            if key not in self.values:
                value = next((v for v in member.values[name] if v not in hiding), None)
                if value is not None:
                    self.values[key] = self.initial_values[key] = value

    def _own(self, target: str, actor: str) -> Placement | None:
        """Pockets, satchels and the like are on the person who uses them."""
        member = self.roster.members[target]
        if actor and member.head in CARRIED:
            member.roles.discard("fixed")
            return AttachedTo(support=actor)
        return None

    def _in_hand(self, thing: str, step: Step, actor: str) -> Placement | None:
        member = self.roster.members[thing]
        if not actor or member.kind == "character":
            return None
        own = any(p.determiner in w.POSSESSIVES for p in step.event.reading.things if p.head == member.head)
        if step.act == "hang" and own and member.head in w.GARMENTS:
            return AttachedTo(support=actor)
        if self.number > self.seen_first.get(actor, self.number) and step.act != "carry":
            return None  # the hands have been seen before
        return HeldBy(holder=actor)

    def _goal(self, step: Step, thing: str) -> Placement | None:
        if step.target is not None:
            if self.roster.members[step.target].kind == "character":
                return AttachedTo(support=step.target) if step.relation == "attached" else HeldBy(holder=step.target)
            return {
                "in": InContainer(container=step.target),
                "on": OnSurface(surface=step.target),
                "attached": AttachedTo(support=step.target),
            }.get(step.relation)
        if step.where:
            return self.zone(self.here, _zone_name(step.where))
        if step.act == "put" and step.relation == "at":
            return self.middle(self.here)
        if step.act == "put":
            return self._zone(self.here, thing)
        return None

    def _setting(self, step: Step, bearer: str, attribute: str, value: str, before: str, actor: str) -> Iterator[Fact]:
        member = self.roster.members[bearer]
        portable = (
            member.handled and actor and step.act in ("fill", "empty") and member.head not in w.FIXTURES | w.PUT_ON
        )
        start = self._resting(step, bearer)
        self.reach(bearer, step, start or (HeldBy(holder=actor) if portable else None))
        key = (bearer, attribute)
        if key not in self.values:
            self.values[key] = self.initial_values[key] = before
            self.assumptions.append(
                f"{sentence(self.called(bearer))} {self._is(bearer)} {before} before it is {value} in shot {self.number}."
            )
        yield Set(entity=bearer, attribute=attribute, value=value)

    def _resting(self, step: Step, bearer: str) -> Placement | None:
        """`kneads the dough on the board`: it lies there; `the sacking of the bale` is on the bale."""
        if step.whole is not None:
            self.roster.members[step.whole].roles.add("mount")
            if not self.is_placed(step.whole):
                self.settle(step.whole, self._zone(self.here, step.whole))
            return AttachedTo(support=step.whole)
        if step.beside is None or step.beside == bearer or not step.where.startswith("on "):
            return None
        member = self.roster.members[step.beside]
        if member.kind == "character":
            return None
        member.roles.add("surface")
        if not self.is_placed(step.beside):
            self.settle(step.beside, self._zone(self.here, step.beside))
        return OnSurface(surface=step.beside) if self.place_of(step.beside) == self.here else None

    # --- travelling

    def _travel(self, step: Step, actor: str) -> Iterator[Fact]:
        for thing in step.things:
            yield from self._along(step, thing, actor)
        if step.dest is not None and step.dest != self.here:
            later = any(actor in self._people_of(other) for other in self.rest)
            if step.act == "go" and not later and actor:
                yield Place(entity=actor, placement=Offscreen())
            return
        if (
            step.act == "go"
            and step.dest is None
            and step.beside is None
            and step.where == ""
            and step.event.reading.verb in ("leave", "exit", "depart")
        ):
            yield Place(entity=actor, placement=Offscreen())
            return
        if step.target is not None and step.things:
            yield from self._putting(step, actor)
            return
        yield from self._arrival(step)

    def _arrival(self, step: Step) -> Iterator[Fact]:
        zone = self._arrival_zone(step)
        for person in step.actors:
            if self.world.get(person) != zone and (step.dest is not None or step.beside is not None):
                yield Place(entity=person, placement=zone)
        for thing in (*step.things, *step.means):
            if (
                "wheeled" in self.roster.members[thing].roles
                and self.place_of(thing) == self.here
                and not isinstance(self.world[thing], HeldBy)
            ):
                if self.world[thing] != zone and isinstance(self.world[thing], InSceneZone):
                    yield Place(entity=thing, placement=zone)

    def _arrival_zone(self, step: Step) -> InSceneZone:
        if step.beside is not None:
            if not self.is_placed(step.beside):
                self.settle(step.beside, self._zone(self.here, step.beside))
            if self.place_of(step.beside) == self.here:
                return self.zone(self.here, f"by the {self.roster.members[step.beside].name}")
        if step.where and step.dest is None:
            return self.zone(self.here, _zone_name(step.where))
        zone = self._action_zone()
        return zone

    def _along(self, step: Step, thing: str, actor: str) -> Iterator[Fact]:
        """What is carried or pushed: it has to be with its carrier."""
        member = self.roster.members[thing]
        pushed = step.act == "push"
        if not self.is_placed(thing):
            self._start_along(step, thing, actor, pushed)
        self.reach(thing, step)
        if pushed:
            vehicle = next((m for m in step.means if "wheeled" in self.roster.members[m].roles), None)
            if vehicle is not None and vehicle != thing and self.world[thing] != OnSurface(surface=vehicle):
                self.reach(vehicle, step)
                yield Place(entity=thing, placement=OnSurface(surface=vehicle))
            if step.dest is not None and step.dest != self.here:
                self.towed[vehicle or thing] = actor
            if (
                isinstance(self.world[thing], (OnSurface, InContainer, HeldBy))
                and vehicle is None
                and member.head not in w.WHEELED
            ):
                yield Place(entity=thing, placement=self._action_zone())
        elif actor and step.target is None:
            yield Place(entity=thing, placement=HeldBy(holder=actor))

    def _start_along(self, step: Step, thing: str, actor: str, pushed: bool) -> None:
        if not pushed:
            self.settle(thing, HeldBy(holder=actor) if actor else self.middle(self.here))
            return
        start = self.zone(self.here, "in the doorway") if step.dest == self.here else self.middle(self.here)
        self.settle(thing, start)

    def _lift(self, thing: str, person: str) -> None:
        """Somebody takes a thing along when leaving, because it is needed elsewhere later."""
        member = self.roster.members[thing]
        member.roles.discard("fixed")
        member.handled = True
        if "wheeled" in member.roles:
            self.towed[thing] = person
            return
        placement = self.world.get(thing)
        if isinstance(placement, (HeldBy, AttachedTo)) and target_of(placement) == person:
            return
        if (shut := self.hidden_in(thing)) is not None:
            raise Unplayable(Wish("none", self.number, thing, place=shut))
        self._on_screen(
            f"{self.called(person)} picks up the {member.name}.",
            [person],
            [Place(entity=thing, placement=HeldBy(holder=person))],
        )
        self.assumptions.append(
            f"{self.called(person)} picks up the {member.name} at the end of shot {self.number}, since it is needed elsewhere later."
        )

    # --- cuts

    def _close_shot(self) -> None:
        """Anchors of the next cut: in sight here, and brought along where the place changes."""
        following = self.number + 1
        for entity, carrier in self.anchors.get(following, ()) if following <= len(self.places) else ():
            there = self.places[following - 1]
            self._hold_in_sight(entity, carrier, there)

    def _hold_in_sight(self, entity: str, carrier: str, there: str) -> None:
        if self.roster.members[entity].kind == "character":
            if self.place_of(entity) != self.here:
                raise Unplayable(Wish("attend", self.number, entity, entity))
            if there != self.here:
                self.attend.setdefault(self.number + 1, []).append(entity)
            return
        if not self.is_placed(entity):
            self.settle(self.root(entity), self._zone(self.here, self.root(entity)))
        self.touched_in.setdefault(entity, self.number)
        if self.place_of(entity) != self.here:
            raise Unplayable(self._fetching_for_cut(entity, carrier))
        self.touched_in[entity] = self.number
        self.draft.subjects.append(entity)
        if there == self.here:
            return
        person = carrier or self._bearer(entity) or self._next_person() or self._carrier(entity, None)
        if not person:
            return
        if self.place_of(person) != self.here:
            raise Unplayable(Wish("attend", self.number, person, person))
        whole = self._vehicle(entity)
        self.attend.setdefault(self.number + 1, []).append(person)
        if self._bearer(entity) != person:
            self._lift(whole, person)

    def _vehicle(self, entity: str) -> str:
        """The wheeled thing that it stands on, or the thing itself."""
        here = entity
        while (target := target_of(self.world[here])) is not None and self.roster.members[target].kind == "prop":
            here = target
            if "wheeled" in self.roster.members[here].roles:
                return here
        return entity

    def _bearer(self, entity: str) -> str:
        root = self.root(entity)
        if self.roster.members[root].kind == "character":
            return root
        return self.towed.get(self._vehicle(entity), "")

    def _next_person(self) -> str:
        return next((m.id for m in self.roster.people() if self.place_of(m.id) == self.here), "")

    def _fetching_for_cut(self, entity: str, carrier: str) -> Wish:
        origin = self.place_of(entity)
        if entity not in self.moved and self.touched_in.get(entity, self.number) == self.number:
            return Wish("start", 0, self.root(entity), place=self.here)
        last = self.touched_in.get(entity, 0)
        leaving = [n for n in range(max(1, last), self.number) if self.places[n - 1] == origin]
        person = carrier or self._bearer(entity) or self._carrier(entity, None)
        if self._bearer(entity) == person and person:
            return Wish("attend", self.number, person, person)
        if not leaving or not person:
            return Wish("none", self.number, entity)
        return Wish("lift", leaving[-1], self._vehicle(entity), person)

    # --- words

    def _is(self, entity: str) -> str:
        return "are" if self.roster.members[entity].plural else "is"

    def called(self, entity: str) -> str:
        name = self.roster.members[entity].name
        return name if name[:1].isupper() else f"the {name}"

    def _listed(self, entities: Sequence[str]) -> str:
        names = [self.called(entity) for entity in entities]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def sentence(text: str) -> str:
    text = " ".join(text.split())
    return text[:1].upper() + text[1:]


def _zone_name(where: str) -> str:
    """A position as a zone's name: `by her oven` → `by the oven`."""
    kept = [word for word in where.replace("back ", "").split()]
    words = ["the" if word in w.POSSESSIVES or word in ("a", "an") else word for word in kept]
    return " ".join(word for word in words if word.replace("'", "").replace("-", "").isalnum())[:60] or "in the middle"
