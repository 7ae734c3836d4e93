"""The eye: everything that was found in the frames, each found once and shared by all statements."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from storyengine.previz.evaluator.light import Exposure, Gain
from storyengine.previz.evaluator.people import Figure, find_heads, find_person
from storyengine.previz.evaluator.places import PlaceMatch, match_place
from storyengine.previz.evaluator.search import Candidate, Surroundings, find_thing
from storyengine.previz.evaluator.seeing import Rect, Sight
from storyengine.previz.evaluator.subjects import Subjects, ThingSubject

SURE = 0.75
"""Certainty from which something is there."""
DOUBTFUL = 0.40
"""Certainty below which it is not."""

Found = TypeVar("Found")


class Eye:
    """Looks at frames of one shot with one knowledge of its people, things and place."""

    def __init__(self, subjects: Subjects, sights: Sequence[Sight], gain: Gain | None = None) -> None:
        self.subjects = subjects
        self.sights = tuple(sights)
        self.around = Surroundings(subjects, gain or subjects.gain)
        self._memory: dict[Hashable, object] = {}

    def thing(self, frame: int, entity: str) -> tuple[Candidate, ...]:
        subject = self.subjects.things.get(entity)
        return () if subject is None else self.searched(frame, subject)

    def searched(self, frame: int, subject: ThingSubject) -> tuple[Candidate, ...]:
        key = ("thing", frame, subject.entity.id)
        return self._once(key, lambda: find_thing(self.sights[frame], subject, self.around))

    def person(self, frame: int, entity: str) -> tuple[Figure, ...]:
        subject = self.subjects.people.get(entity)
        if subject is None:
            return ()
        return self._once(("person", frame, entity), lambda: find_person(self.sights[frame], subject, self.around))

    def heads(self, frame: int) -> tuple[Rect, ...]:
        return self._once(("heads", frame), lambda: find_heads(self.sights[frame], self.around))

    def place(self, frame: int, place: str) -> PlaceMatch | None:
        subject = self.subjects.places.get(place)
        view = subject.view if subject else None
        if view is None:
            return None
        return self._once(("place", frame, place), lambda: match_place(self.sights[frame].picture, view))

    def exposure(self, frame: int) -> Exposure:
        return self._once(("exposure", frame), lambda: Exposure(self.sights[frame].small))

    def where(self, frame: int, entity: str) -> tuple[Rect, float] | None:
        """The best region of a person or thing, with its certainty."""
        if entity in self.subjects.people:
            figures = self.person(frame, entity)
            return (figures[0].rect, figures[0].score) if figures else None
        candidates = self.thing(frame, entity)
        return (candidates[0].rect, candidates[0].score) if candidates else None

    def is_person(self, entity: str) -> bool:
        return entity in self.subjects.people

    def name(self, entity: str) -> str:
        found = self.subjects.catalog.entities.get(entity)
        return found.name if found else entity

    def _once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        if key not in self._memory:
            self._memory[key] = find()
        return self._memory[key]  # type: ignore[return-value]
