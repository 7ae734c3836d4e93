"""Errors planted on purpose: the picture is made from another situation, or with one failure of the studio's table.

An error belongs to the claims that it makes false. What it really made false is decided by the truth of the picture,
never by the intention: a thing misplaced to where it belongs is no error.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, Literal

from storyengine.language import (
    Absent,
    CameraMoves,
    Changes,
    Claim,
    Framed,
    FreeOf,
    Happens,
    HasAttribute,
    InEnvironment,
    Lit,
    LooksLike,
    OnlyPeople,
    Placed,
    Present,
    Single,
)
from storyengine.plan import Entity, InSceneZone, Offscreen, Placement, target_of
from storyengine.previz.grading.stories import FRAMINGS, MOVES, Cast, Situation, is_there, relations
from storyengine.previz.studio.fallibility import Dice

Overlay = Literal["", "watermark", "split screen"]


@dataclass(frozen=True)
class PlantedDice(Dice):
    """The studio's dice with the failures fixed: those named happen, all others do not."""

    failures: frozenset[tuple[str, str]] = frozenset()
    """Kind and whom or what it is about; empty for the whole sample."""
    story: str = ""
    """Names the story. A room that is built anew is the same wrong room throughout: baking one takes seconds."""

    def seed(self, what: str) -> int:
        return Dice("none", self.story).seed(what) if what == "room" else super().seed(what)

    def fails(self, kind: str, about: str = "", given: Collection[str] = ()) -> bool:
        del given
        return (kind, about) in self.failures


@dataclass(frozen=True)
class Planted:
    """One error."""

    kind: str
    about: str = ""

    def spoils(self, claim: Claim) -> bool:
        """Whether a false claim of this kind is the one that shows this error."""
        entity = getattr(claim, "entity", None)
        if isinstance(claim, Changes):
            entity = claim.after.entity
        return isinstance(claim, SPOILED[self.kind]) and (
            (self.about in (entity, "")) if not isinstance(claim, FreeOf) else claim.thing == UNWANTED.get(self.kind)
        )


SPOILED: Final[dict[str, tuple[type, ...]]] = {
    "wrong state": (HasAttribute,),
    "missing object": (Present, Single),
    "misplaced object": (Placed,),
    "duplicated object": (Single,),
    "extra object": (Absent,),
    "extra person": (OnlyPeople,),
    "missing person": (Present,),
    "misplaced person": (Placed,),
    "recast face": (LooksLike,),
    "wrong room": (InEnvironment,),
    "rebuilt room": (InEnvironment,),
    "light drift": (Lit,),
    "stray text": (FreeOf,),
    "watermark": (FreeOf,),
    "split screen": (FreeOf,),
    "frozen frames": (FreeOf,),
    "omitted action": (Changes, Happens),
    "wrong framing": (Framed,),
    "wrong camera move": (CameraMoves,),
}
"""Every error, with the kinds of claim that it makes false."""
UNWANTED: Final = {
    "stray text": "on-screen text",
    "watermark": "logos and watermarks",
    "split screen": "split screens",
    "frozen frames": "frozen frames",
}
WHOLE, MOST = 0.45, 4
"""Chance of an error of the whole picture; the most errors of single people and things."""
ALONE: Final = ("light drift", "split screen")
"""Errors beside which nothing else is asked."""
OFTEN: Final = {
    "wrong state": 5,
    "misplaced object": 4,
    "missing object": 2,
    "duplicated object": 2,
    "extra object": 3,
    "recast face": 2,
    "misplaced person": 2,
}
"""Errors of single things may be planted several times in a scene: there are many more true claims about things."""
STUDIO_NAMES: Final = {"recast face": "identity drift", "rebuilt room": "place drift"}
"""What the studio's table of failures calls them, where that differs."""


@dataclass(frozen=True)
class Spoiled:
    """What is to be drawn instead of the situation that is asked about."""

    situation: Situation
    errors: tuple[Planted, ...] = ()
    failures: frozenset[tuple[str, str]] = frozenset()
    """For the studio's dice."""
    other_room: bool = False
    """Whether it plays in the story's other place, under the name of this one."""
    overlay: Overlay = ""
    frozen: bool = False

    @property
    def rebuilt(self) -> bool:
        """Whether the place is built anew from the same words."""
        return ("place drift", "") in self.failures

    def dice(self, sample: str, story: str) -> PlantedDice:
        return PlantedDice("none", sample, self.failures, story)


@dataclass
class Planting:
    """Plants errors into one situation. What the event is about is left alone: it must still be possible."""

    cast: Cast
    asked: Situation
    dice: Random
    sees: Collection[str]
    """Who and what the faultless picture shows: errors elsewhere would not be seen."""
    made: Spoiled = field(init=False)

    def __post_init__(self) -> None:
        self.made = Spoiled(self.asked)

    def plant(self) -> Spoiled:
        """Up to four errors of single people, things and the camera, and now and then one of the whole picture."""
        if self.dice.random() < WHOLE:
            moving = self.asked.event is not None
            kind = self.dice.choice([k for k in _WHOLE_PICTURE if moving or k != "frozen frames"])
            _WHOLE_PICTURE[kind](self, kind)
            if kind in ALONE:
                return self.made
        count = len(self.made.errors) + self.dice.randint(0, MOST)
        options = [kind for kind in _PLANTERS for _ in range(OFTEN.get(kind, 1))]
        self.dice.shuffle(options)
        for kind in options:
            if len(self.made.errors) >= count:
                break
            if kind in OFTEN or all(error.kind != kind for error in self.made.errors):
                _PLANTERS[kind](self, kind)
        return self.made

    # --- what is there

    def _things(self) -> list[Entity]:
        """Things of the scene that no error and no event is about, and that nothing hangs on."""
        spoken = {e.about for e in self.made.errors} | self.asked.acting
        targets = {target_of(p) for _, p in self.asked.places}
        return [
            t
            for t in self.cast.things
            if t.id not in spoken and t.id not in targets and t.id in self.sees and "fixed" not in t.roles
        ]

    def _people(self) -> list[Entity]:
        spoken = {e.about for e in self.made.errors} | self.asked.acting
        return [p for p in self.cast.people if p.id not in spoken and p.id in self.sees]

    def _is_here(self, entity: str) -> bool:
        return is_there(self.asked, entity)

    def _stage(self) -> Placement:
        """Where the first person stands: the camera looks there."""
        return self.asked.where(next(p.id for p in self.cast.people if self._is_here(p.id)))

    def _done(self, kind: str, about: str = "", situation: Situation | None = None, **more: object) -> None:
        errors = (*self.made.errors, Planted(kind, about))
        self.made = replace(
            self.made,
            errors=errors,
            situation=situation or self.made.situation,
            **more,  # type: ignore[arg-type]
        )

    def _fails(self, kind: str, about: str = "") -> None:
        name = STUDIO_NAMES.get(kind, kind)
        self._done(kind, about, failures=self.made.failures | {(name, about)})

    # --- the errors

    def wrong_state(self, kind: str) -> None:
        spoken = {e.about for e in self.made.errors} | self.asked.acting
        targets = {target_of(p) for _, p in self.asked.places}
        choices = [
            (t, a)
            for t in self.cast.things
            for a in t.attributes
            if t.id in self.sees and a.visible and t.id not in spoken and not (a.conceals and t.id in targets)
        ]
        if choices:
            thing, attribute = self.dice.choice(choices)
            now = self.asked.value(thing.id, attribute.name)
            other = self.dice.choice([v for v in attribute.values if v != now])
            self._done(kind, thing.id, self.made.situation.changed(thing.id, attribute.name, other))

    def missing_object(self, kind: str) -> None:
        if things := self._things():
            thing = self.dice.choice(things).id
            self._done(kind, thing, self.made.situation.moved(thing, Offscreen()))

    def misplaced_object(self, kind: str) -> None:
        if things := self._things():
            thing = self.dice.choice(things)
            now = self.asked.where(thing.id)
            others: list[Placement] = []
            for other in self.cast.catalog.entities.values():
                if other.id != thing.id and other.id in self.sees:
                    others += relations(thing, other)
            others.append(self._stage())
            others = [p for p in others if p != now]
            if others:
                self._done(kind, thing.id, self.made.situation.moved(thing.id, self.dice.choice(others)))

    def misplaced_person(self, kind: str) -> None:
        place = self.cast.catalog.environments[self.asked.place]
        if (people := self._people()) and len(place.zones) > 1:
            person = self.dice.choice(people).id
            zones = [InSceneZone(environment=place.id, zone=zone.id) for zone in place.zones]
            others = [zone for zone in zones if zone != self.asked.where(person)]
            self._done(kind, person, self.made.situation.moved(person, self.dice.choice(others)))

    def missing_person(self, kind: str) -> None:
        held = {target_of(p) for _, p in self.asked.places}
        people = [p for p in self._people() if p.id not in held]
        here = [p for p in self.cast.people if self._is_here(p.id)]
        if people and len(here) > 1:
            person = self.dice.choice(people).id
            self._done(kind, person, self.made.situation.moved(person, Offscreen()))

    def extra_person(self, kind: str) -> None:
        """Somebody nobody knows, or somebody of the story who should not be there."""
        away = [p.id for p in self.cast.people if isinstance(self.asked.where(p.id), Offscreen)]
        if away and self.dice.random() < 0.5:
            zones = self.cast.catalog.environments[self.asked.place].zones
            where = InSceneZone(environment=self.asked.place, zone=self.dice.choice(zones).id)
            self._done(kind, situation=self.made.situation.moved(self.dice.choice(away), where))
        else:
            self._fails(kind)

    def extra_object(self, kind: str) -> None:
        """Something of the story that should be elsewhere."""
        away = [t for t in self.cast.things if isinstance(self.asked.where(t.id), Offscreen) and "fixed" not in t.roles]
        if away:
            thing = self.dice.choice(away)
            places: list[Placement] = [self._stage()]
            for other in self.cast.catalog.entities.values():
                places += relations(thing, other, taken=True) if other.id in self.sees else []
            self._done(kind, thing.id, self.made.situation.moved(thing.id, self.dice.choice(places)))

    def duplicated_object(self, kind: str) -> None:
        if things := self._things():
            self._fails(kind, self.dice.choice(things).id)

    def recast_face(self, kind: str) -> None:
        if people := [p for p in self.cast.people if p.id in self.sees]:
            self._fails(kind, self.dice.choice(people).id)

    def wrong_room(self, kind: str) -> None:
        self._done(kind, other_room=True)

    def whole_picture(self, kind: str) -> None:
        self._fails(kind)

    def overlay(self, kind: str) -> None:
        self._done(kind, overlay="watermark" if kind == "watermark" else "split screen")

    def frozen_frames(self, kind: str) -> None:
        self._done(kind, frozen=True)

    def omitted_action(self, kind: str) -> None:
        if self.asked.event is not None:
            name = self.asked.event.action
            self._done(kind, failures=self.made.failures | {("omitted action", name)})

    def wrong_framing(self, kind: str) -> None:
        other = self.dice.choice([f for f in FRAMINGS if f != self.asked.framing])
        self._done(kind, situation=replace(self.made.situation, framing=other))

    def wrong_camera_move(self, kind: str) -> None:
        if self.asked.event is not None:
            other = self.dice.choice([m for m in MOVES if m != self.asked.move])
            self._done(kind, situation=replace(self.made.situation, move=other))


Planter = Callable[[Planting, str], None]
_PLANTERS: Final[dict[str, Planter]] = {
    "wrong state": Planting.wrong_state,
    "missing object": Planting.missing_object,
    "misplaced object": Planting.misplaced_object,
    "duplicated object": Planting.duplicated_object,
    "extra object": Planting.extra_object,
    "extra person": Planting.extra_person,
    "missing person": Planting.missing_person,
    "misplaced person": Planting.misplaced_person,
    "recast face": Planting.recast_face,
    "omitted action": Planting.omitted_action,
    "wrong framing": Planting.wrong_framing,
    "wrong camera move": Planting.wrong_camera_move,
}
_WHOLE_PICTURE: Final[dict[str, Planter]] = {
    "wrong room": Planting.wrong_room,
    "rebuilt room": Planting.whole_picture,
    "light drift": Planting.whole_picture,
    "stray text": Planting.whole_picture,
    "watermark": Planting.overlay,
    "split screen": Planting.overlay,
    "frozen frames": Planting.frozen_frames,
}
