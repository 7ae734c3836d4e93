"""What a step changes: taking, putting, wearing, changing states, going, carrying and pushing."""

from __future__ import annotations

from collections.abc import Iterator

from storyengine.language.reading import words as w
from storyengine.language.reading.acts import PICKING
from storyengine.plan import (
    AttachedTo,
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
from storyengine.planning.embedded.roster import CARRIED
from storyengine.planning.embedded.scene import Scene, Unplayable, Wish, related
from storyengine.planning.embedded.steps import Step


class Effects(Scene):
    """Every act as effects on the world, each asking first that what it needs is there."""

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
            f"The brief does not say who does it: in shot {self.number} {self.called(choice)} does "
            f"(“{step.event.sentence.strip()[:80]}”)."
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
                for thing in step.things if actor else ():
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
        elsewhere = self.is_placed(tool) and self.place_of(tool) != self.here
        comes_along = step.act == "go" or (step.act == "look" and "wheeled" in self.roster.members[tool].roles)
        if elsewhere and comes_along:
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
            at_source = self._at_source(thing, step, actor) if step.act == "put" else None
            self.reach(thing, step, at_source or self._in_hand(thing, step, actor))
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
        if not actor or member.kind == "character" or step.event.reading.verb in PICKING:
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
            return related(step.relation, step.target)
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
            self.at_first.append((bearer, before))
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

    def _travel(self, step: Step, actor: str) -> Iterator[Fact]:
        for thing in step.things:
            yield from self._along(step, thing, actor)
        departs = step.event.reading.verb in ("leave", "exit", "depart") and not (
            step.dest or step.beside or step.where
        )
        if departs or (step.dest is not None and step.dest != self.here):
            for person in step.actors if step.act == "go" else ():
                if not any(person in self._people_of(other) for other in self.rest):
                    yield Place(entity=person, placement=Offscreen())
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
            stands_here = isinstance(self.world[thing], InSceneZone) and self.place_of(thing) == self.here
            if "wheeled" in self.roster.members[thing].roles and stands_here and self.world[thing] != zone:
                yield Place(entity=thing, placement=zone)

    def _arrival_zone(self, step: Step) -> InSceneZone:
        if step.beside is not None:
            if not self.is_placed(step.beside):
                self.settle(step.beside, self._zone(self.here, step.beside))
            if self.place_of(step.beside) == self.here:
                return self.zone(self.here, f"by the {self.roster.members[step.beside].name}")
        if step.where and step.dest is None:
            return self.zone(self.here, _zone_name(step.where))
        return self._action_zone()

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
            f"{self.called(person)} picks up the {member.name} at the end of shot {self.number}, "
            "since it is needed elsewhere later."
        )


def _zone_name(where: str) -> str:
    """A position as a zone's name: `by her oven` → `by the oven`."""
    said = where.replace("back ", "").split()
    words = ["the" if word in w.POSSESSIVES or word in ("a", "an") else word for word in said]
    return " ".join(word for word in words if word.replace("'", "").replace("-", "").isalnum())[:60] or "in the middle"
