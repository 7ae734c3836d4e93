"""What is asked about a scene: the criteria of its contract and some more, each with its truth and its size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

from storyengine.contract import Criterion
from storyengine.language import (
    Absent,
    CameraMoves,
    Changes,
    Claim,
    Framed,
    FreeOf,
    Happens,
    HasAttribute,
    LandmarkVisible,
    OnlyPeople,
    Placed,
    Single,
    claim_of,
    render,
)
from storyengine.plan import Event, Fact, Place, Set, target_of
from storyengine.plan.model import Phase
from storyengine.previz.grading.folder import Question
from storyengine.previz.grading.labels import Shown, Take
from storyengine.previz.grading.planting import Planted
from storyengine.previz.grading.stories import FRAMINGS, MOVES, Cast, Situation, possible, relations
from storyengine.previz.studio.truth import AGAIN

RELATIONS = {
    "in_scene_zone": "in a zone",
    "on_surface": "on",
    "in_container": "in",
    "held_by": "held by",
    "attached_to": "attached to",
}


def questions(
    criteria: Sequence[Criterion], errors: Sequence[Planted], take: Take, expected: Shown
) -> Iterator[Question]:
    """A question for every criterion that the scene decides. `expected` is the faultless picture."""
    still = len(take.frames) == 1
    asked: set[tuple[Phase, str]] = set()
    for criterion in criteria:
        claim, key = criterion.claim, (criterion.phase, criterion.statement)
        if claim is None or key in asked or (still and (criterion.scope == "clip" or criterion.phase == "end")):
            continue
        asked.add(key)
        truth = take.label(claim, criterion.phase)
        if truth is None:
            continue
        made = [error.kind for error in errors if error.spoils(claim)] if not truth else []
        yield Question(
            id=criterion.id,
            phase=criterion.phase,
            text=criterion.statement,
            kind=kind_of(claim),
            subject=subject_of(claim),
            truth=truth,
            share=_share(claim, criterion.phase, truth, take, expected),
            planted=made[0] if made and not criterion.id.startswith(ALSO) else "",
        )


def kind_of(claim: Claim) -> str:
    """The kind of claim, by which errors are counted."""
    match claim:
        case Placed(placement=placement):
            return f"placed {RELATIONS[placement.kind]}"
        case Changes(after=after):
            return "changes state" if isinstance(after, HasAttribute) else "changes place"
        case FreeOf(thing=thing):
            return f"free of {thing.split()[-1]}"
    return claim.claim.replace("_", " ")


def subject_of(claim: Claim) -> str:
    match claim:
        case Changes(after=after):
            return after.entity
        case LandmarkVisible(landmark=landmark):
            return f"landmark:{landmark}"
    return str(getattr(claim, "entity", ""))


# --- how large it is -------------------------------------------------------------------------------------------


def _share(claim: Claim, phase: Phase, truth: bool, take: Take, expected: Shown) -> float | None:
    """How large the thing in question is, in the frames that count; in a faultless picture where it is missing."""
    frames = {"start": take.frames[:1], "end": take.frames[-1:]}.get(phase, take.frames)
    match claim:
        case OnlyPeople(entities=entities):
            strange = [max(f.share(a.id) for f in frames) for a in frames[0].scene.actors if a.id not in entities]
            return None if truth else max(strange, default=None)
        case Absent() | LandmarkVisible() if truth is isinstance(claim, Absent):
            return None
        case Changes():
            return _at_best(subject_of(claim), take, expected)
        case Happens(action=action):
            event = next(event for event in take.events if event.action == action)
            return min(_at_best(effect.entity, take, expected) for effect in event.effects)
        case Single(entity=entity) if not truth and frames[0].share(entity + AGAIN) > 0:
            return min(frames[0].share(entity + AGAIN), frames[0].share(entity))
        case Placed(placement=placement) if (target := target_of(placement)) is not None:
            return median(min(_size(claim.entity, f, expected), _size(target, f, expected)) for f in frames)
    subject = subject_of(claim)
    return median(_size(subject, frame, expected) for frame in frames) if subject else None


def _at_best(name: str, take: Take, expected: Shown) -> float:
    """At the start or at the end, whichever shows more of it."""
    return max(_size(name, frame, expected) for frame in (take.frames[0], take.frames[-1]))


def _size(name: str, frame: Shown, expected: Shown) -> float:
    return frame.share(name) or expected.share(name)


# --- more than the contract asks -------------------------------------------------------------------------------

ALSO = "also"


@dataclass(frozen=True)
class More:
    """Claims of the contract's kinds that it does not make; most of them are false.

    Not of kinds that one reference picture speaks for (identity, place, light): a false claim would contradict it.
    """

    cast: Cast
    asked: Situation
    sees: tuple[str, ...]
    event: Event | None
    """Something else that the actor might have done."""
    dice: Random

    @classmethod
    def about(cls, cast: Cast, asked: Situation, sees: Sequence[str], dice: Random) -> More:
        others: list[Event] = []
        if asked.event is not None:
            done, actors = asked.event.effects[0].entity, asked.event.actors
            others = [e for e in possible(cast, asked) if e.actors == actors and e.effects[0].entity != done]
        return cls(cast, asked, tuple(sees), dice.choice(others) if others else None, dice)

    def criteria(self) -> Iterator[Criterion]:
        claims = (*self._placed(), *self._in_states(), *self._framed(), *self._moving())
        for number, (phase, claim) in enumerate(claims, start=1):
            yield Criterion(
                id=f"{ALSO}-{number}",
                phase=phase,
                scope="clip" if phase == "motion" else "frame",
                priority="preferred",
                statement=render(claim, self.cast.catalog),
                evidence="presence",
                claim=claim,
            )

    def _placed(self) -> Iterator[tuple[Phase, Claim]]:
        entities = self.cast.catalog.entities
        for thing in (t for t in self.cast.things if t.id in self.sees):
            choices = [p for e in self.sees if e != thing.id for p in relations(thing, entities[e])]
            choices = [p for p in choices if p != self.asked.where(thing.id)]
            if choices:
                yield "start", Placed(entity=thing.id, placement=self.dice.choice(choices))

    def _in_states(self) -> Iterator[tuple[Phase, Claim]]:
        for thing in (t for t in self.cast.things if t.id in self.sees):
            for attribute in (a for a in thing.attributes if a.visible):
                now = self.asked.value(thing.id, attribute.name)
                others = [value for value in attribute.values if value != now]
                other = self.dice.choice(others)
                yield "start", HasAttribute(entity=thing.id, attribute=attribute.name, value=other)

    def _framed(self) -> Iterator[tuple[Phase, Claim]]:
        for person in (p for p in self.cast.people if p.id in self.sees):
            yield "start", Framed(entity=person.id, framing=self.dice.choice(FRAMINGS))

    def _moving(self) -> Iterator[tuple[Phase, Claim]]:
        if self.event is not None:
            yield "motion", Happens(action=self.event.action)
            yield "motion", CameraMoves(move=self.dice.choice(MOVES))
            for effect in (e for e in self.event.effects if e.entity in self.sees):
                yield "motion", Changes(before=claim_of(self._before(effect)), after=claim_of(effect))

    def _before(self, effect: Fact) -> Fact:
        if isinstance(effect, Set):
            now = self.asked.value(effect.entity, effect.attribute)
            return Set(entity=effect.entity, attribute=effect.attribute, value=now)
        return Place(entity=effect.entity, placement=self.asked.where(effect.entity))
