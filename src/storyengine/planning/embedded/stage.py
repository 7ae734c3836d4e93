"""The stage: steps are played shot by shot in a world that is filled in backwards from first use.

A thing has no place until somebody needs it; then it is where that first use needs it, and has been there from
the start. What is needed where it cannot be is answered with a `Wish`: something to add to an earlier shot, such
as that somebody picks the thing up before leaving. The planner grants the wish and plays again.
"""

from __future__ import annotations

from storyengine.plan import (
    Event,
    Fact,
    Offscreen,
    Place,
    Placement,
    target_of,
)
from storyengine.planning.embedded.effects import Effects
from storyengine.planning.embedded.scene import ShotDraft, Unplayable, Wish, sentence
from storyengine.planning.embedded.steps import Step

__all__ = ["ShotDraft", "Stage", "Unplayable", "Wish", "sentence"]


class Stage(Effects):
    """Plays the shots in order: people come in, steps happen, anchors are held over the cut."""

    def play(self, steps: dict[int, list[Step]], anchors: dict[int, list[tuple[str, str]]]) -> None:
        """All shots in order. `anchors`: shot → (entity, carrier or empty)."""
        self.anchors = anchors
        self.script = steps
        for number in range(1, len(self.places) + 1):
            self.number = number
            self.steps = steps.get(self.number, [])
            self._open_shot()
            for position, step in enumerate(self.steps):
                self.rest = self.steps[position + 1 :]
                self._play(step)
            for wish in self.wishes:
                if wish.kind == "lift" and wish.shot == self.number:
                    self._lift(wish.entity, wish.person)
            self._close_shot()

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
        """Where somebody is before the film: where they come from, off screen if they enter, else where they act."""
        first = next((s for s in self.steps if person in self._people_of(s)), None)
        if first is not None and first.origin is not None and first.origin in self.zones:
            return self.middle(first.origin)
        if arriving and self.here in self.places[: self.number - 1]:
            return Offscreen()
        return self._action_zone()

    def _off_screen(self, action: str, actors: list[str], effects: list[Fact]) -> None:
        self._apply(effects)
        self.draft.offscreen.append(Event(action=sentence(action), actors=tuple(actors), effects=tuple(effects)))

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
