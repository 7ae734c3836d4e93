"""The eye: everything that was found in the frames, each found once and shared by all statements."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np

from storyengine.previz.evaluator.finding import (
    Crowd,
    HeadSeen,
    Region,
    figure_under,
    find_crowd,
    find_person,
    find_thing,
    person_likeness,
)
from storyengine.previz.evaluator.networks import Floats
from storyengine.previz.evaluator.patches import CERTAINTY as PATCHED
from storyengine.previz.evaluator.patches import find_patches
from storyengine.previz.evaluator.places import PlaceMatch, match_place
from storyengine.previz.evaluator.seeing import CELL, Sight
from storyengine.previz.evaluator.subjects import FACE, Subjects, ThingSubject, face_direction

SEEN, MISSING, SURE = 0.12, 0.04, 0.85
"""Certainty from which something that should be there is seen, below which it is missing, and from which something
that should not be there is seen. Chosen by hand so that faultless films pass; `previz grade` prints what they miss."""

Found = TypeVar("Found")


class Eye:
    """Looks at frames of one shot with one knowledge of its people, things and place."""

    def __init__(self, subjects: Subjects, sights: Sequence[Sight]) -> None:
        self.subjects = subjects
        self.sights = tuple(sights)
        self._memory: dict[Hashable, object] = {}

    def thing(self, frame: int, entity: str) -> tuple[Region, ...]:
        subject = self.subjects.things.get(entity)
        return () if subject is None else self.searched(frame, subject)

    def searched(self, frame: int, subject: ThingSubject) -> tuple[Region, ...]:
        return self._once(("thing", frame, subject.entity.id), lambda: self._search(frame, subject))

    def _search(self, frame: int, subject: ThingSubject) -> tuple[Region, ...]:
        """Regions by the network; where it is not sure, patches of the thing's own colour too."""
        found = find_thing(self.sights[frame], subject)
        if found and found[0].score > PATCHED:
            return found
        views = [view for place in self.subjects.places.values() for view in place.views]
        people = [person.look for person in self.subjects.people.values()]
        patches = find_patches(self.sights[frame], subject.look.colour, views, people)
        return tuple(sorted([*found, *patches], key=lambda region: -region.score))

    def person(self, frame: int, entity: str) -> tuple[Region, ...]:
        subject = self.subjects.people.get(entity)
        if subject is None:
            return ()
        return self._once(("person", frame, entity), lambda: find_person(self.sights[frame], subject))

    def crowd(self, frame: int) -> Crowd:
        return self._once(("crowd", frame), lambda: find_crowd(self.sights[frame]))

    def head(self, frame: int, entity: str) -> HeadSeen | None:
        """The head of a person who was found: the surest one in the upper part of their region."""
        found = self.person(frame, entity)
        if not found:
            return None
        own = [head for head in self.crowd(frame).heads if _wears(found[0], head)]
        return max(own, key=lambda head: head.score, default=None)

    def face(self, frame: int, entity: str) -> float | None:
        """Agreement of the face with the identity sheet, up to 1; None where no face can be compared."""
        head, subject = self.head(frame, entity), self.subjects.people.get(entity)
        if head is None or subject is None or not subject.faces:
            return None

        def compared() -> float:
            half = FACE_REACH * head.radius
            crop = self.sights[frame].window((head.x, head.y - FACE_ABOVE * head.radius), (half, half), (FACE, FACE))
            own = face_direction(np.asarray(crop, np.uint8))
            return max(float(own @ face) for face in subject.faces)

        return self._once(("face", frame, entity), compared)

    def place(self, frame: int, place: str) -> PlaceMatch | None:
        subject = self.subjects.places.get(place)
        if subject is None or not subject.views:
            return None
        views, picture = subject.views, self.sights[frame].picture
        return self._once(("place", frame, place), lambda: match_place(picture, views, self.crowd(frame).people))

    def likeness(self, frame: int, head: HeadSeen, people: Sequence[str]) -> float:
        """How alike the figure under a head is to the likest of some people, as log-odds."""
        sight = self.sights[frame]
        features = figure_under(sight, head, self.crowd(frame).people)
        known = [self.subjects.people[person] for person in people if person in self.subjects.people]
        return max((person_likeness(features, subject) for subject in known), default=-9.0)

    def where(self, frame: int, entity: str) -> Region | None:
        """The best region of a person or thing."""
        found = self.person(frame, entity) if self.is_person(entity) else self.thing(frame, entity)
        return found[0] if found else None

    def is_person(self, entity: str) -> bool:
        return entity in self.subjects.people

    def name(self, entity: str) -> str:
        found = self.subjects.catalog.entities.get(entity)
        return found.name if found else entity

    def _once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        if key not in self._memory:
            self._memory[key] = find()
        return self._memory[key]  # type: ignore[return-value]


FACE_REACH, FACE_ABOVE = 1.02, 0.12
"""Half the side of a face's window and how far above the head's middle it lies, in radii of the head."""


def _wears(figure: Region, head: HeadSeen) -> bool:
    """Whether a head belongs to a figure: it lies at the top of it, and the figure goes on below."""
    rect = figure.rect.grown(0.4 * head.radius, 1.2 * head.radius)
    if not (rect.x <= head.x <= rect.right and rect.y <= head.y <= rect.y + max(0.45 * rect.h, 3 * head.radius)):
        return False
    row, column = int((head.y + 1.6 * head.radius) // CELL), int(head.x // CELL)
    reach = max(1, int(head.radius // CELL))
    below = figure.likely[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1]
    return below.size > 0 and float((below > 0.5).mean()) > 0.2


def overlap(a: Floats, b: Floats) -> float:
    """Shared part of two maps' cells, of the smaller."""
    first, second = a > 0.5, b > 0.5
    return float((first & second).sum()) / max(int(min(first.sum(), second.sum())), 1)
