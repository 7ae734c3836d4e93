"""The eye: everything that was found in the frames, each found once and shared by all statements."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import TypeVar

import cv2
import numpy as np

from storyengine.language.claims import Claim, LooksLike, Placed
from storyengine.media import panorama
from storyengine.media.picture import Picture
from storyengine.plan import AttachedTo
from storyengine.previz.evaluator.finding import (
    Crowd,
    HeadSeen,
    Known,
    Region,
    Search,
    find_crowd,
    search,
)
from storyengine.previz.evaluator.networks import Floats
from storyengine.previz.evaluator.places import AROUND, ASIDE, PlaceMatch, aside, is_panorama, match_place
from storyengine.previz.evaluator.seeing import CELL, Sight
from storyengine.previz.evaluator.subjects import PersonSubject, Subjects, ThingSubject
from storyengine.previz.evaluator.windows import face_of, looked_closer, relation, state_odds, surroundings

SEEN, MISSING, SURE = -0.65, -0.9, 3.6
"""Log-odds from which something that should be there is seen, below which it is missing, and from which something
that should not be there is seen. Thresholds were chosen on the scenes of seed 103, and made milder by what false alarms
did to films (`benchmarks/repair.py`), the first and the last twice: what a contract asks for is usually true, so it
takes little to see it. In recorded last frames what is surely there between 2.0 and 3.2 was 10 times not and once left
over, by the networks of then; today's closer look gives 0.4 more."""

EXPLAINED = 0.5
"""Share of its cells by which something may rather be something else."""
SAME, SURER = 0.6, 1.2
"""Share of all cells of two regions that they have in common to be the same, and by how much log-odds one must be surer
than the other to own it: of 836 things that are there 2 are denied so, of 64 that only seemed to be there 9."""
SHARED, ANOTHERS, UNCLAIMED = 0.4, 2.0, 3.0
"""Share of its cells by which a figure is also another's, and by how much log-odds fall for a figure that looks more
like the other, and rise for a head that is nobody else's."""

STANDS = 2.0
"""Log-odds from which something that stands in a place explains what looks like a landmark."""
HAT, UNDER, FAINT_HAT, PLAIN_HAT = "hat", 0.25, 0.0, 2.5
"""The family of things that are worn on heads, the part of a head that one hides, how firm its region is there at
least, and from which on it is plainly somewhere."""
A_BODY = 0.36
"""Share of the cells below a head that show people: of 128 real heads 125 have more, of 7 others none."""
PLAIN_HEAD = 0.65
"""Certainty from which a head that nobody wears is somebody's."""
PLAINLY = 0.6
"""By how much two heads must agree better with each other's owner to change them."""
MANY = 5
"""Frames of a clip from which neighbours show nearly the same."""

Found = TypeVar("Found")


class Eye:
    """Looks at frames of one shot with one knowledge of its people, things and place."""

    def __init__(self, subjects: Subjects, sights: Sequence[Sight], asked: Collection[Claim] = ()) -> None:
        self.subjects = subjects
        self.sights = tuple(sights)
        self.wanted = frozenset(claim.entity for claim in asked if isinstance(claim, LooksLike))
        """Who must be seen: they have the first choice of heads."""
        self.hatted = frozenset(person for claim in asked if (person := _whose_hat(claim, subjects)) is not None)
        """Who is said to wear a hat."""
        self._memory: dict[Hashable, object] = {}

    @property
    def spread(self) -> list[int]:
        """The first frame, the last, and one between: what a search finds in neighbouring frames is mostly the same."""
        last = len(self.sights) - 1
        return sorted({0, last // 2, last})

    @property
    def between(self) -> list[int]:
        """Frames halfway between those of `spread`."""
        last = len(self.sights) - 1
        return sorted({last // 4, last - last // 4} - set(self.spread))

    def beside(self, frame: int) -> int | None:
        """The frame next to a clip's first or last one; None for stills and very few frames."""
        if len(self.sights) < MANY:
            return None
        return 1 if frame == 0 else frame - 1

    def search(self, frame: int, entity: str) -> Search | None:
        """What a frame shows of a person or thing; None for one that no caption knows."""
        person = self.subjects.people.get(entity)
        if person is not None:
            return self._once(("among", frame, entity), lambda: self._among_people(frame, person))
        thing = self.subjects.things.get(entity)
        return None if thing is None else self.searched(frame, thing)

    def searched(self, frame: int, subject: PersonSubject | ThingSubject) -> Search:
        return self._once(("search", frame, subject.entity.id), lambda: self._found(self.sights[frame], subject))

    def _found(self, sight: Sight, subject: PersonSubject | ThingSubject) -> Search:
        found = search(sight, subject.query, subject.known)
        if isinstance(subject, ThingSubject) and subject.shown:
            return looked_closer(sight, found, subject)
        return found

    def _among_people(self, frame: int, person: PersonSubject) -> Search:
        """A figure that looks more like somebody else is theirs; one whose head nobody else claims is likelier."""
        found = self.searched(frame, person)
        best = found.best
        if best is None or person.sheet is None:
            return found
        others = [p for p in self.subjects.people.values() if p is not person and p.sheet is not None]
        searches = [self.searched(frame, other) for other in others]
        rivals = [s for s in searches if s.best is not None and overlap(s.best.likely, best.likely) > SHARED]
        if any(rival.odds > found.odds for rival in rivals):
            return replace(found, odds=found.odds - ANOTHERS)
        has_head = any(_wears(best, head) for head in self.crowd(frame).heads)
        return replace(found, odds=found.odds + UNCLAIMED) if has_head else found

    def double(self, frame: int, thing: str, region: Region) -> str | None:
        """Somebody or something else that has the very same region, and much more surely."""
        for other, surely, own in self._others(frame, thing):
            if surely >= region.odds + SURER and _same(own.likely, region.likely) > SAME:
                return other
        return None

    def claimed(self, frame: int, thing: str, region: Region, less: float) -> str | None:
        """Somebody or something else of the story that a region may be as well: at most so much less surely."""
        for other, _, own in self._others(frame, thing):
            if own.odds >= region.odds - less and overlap(own.likely, region.likely) > EXPLAINED:
                return other
        return None

    def _others(self, frame: int, entity: str) -> Iterator[tuple[str, float, Region]]:
        """Everybody and everything else that may be seen: how surely, and where."""
        for other in (*self.subjects.things, *self.subjects.people):
            found = self.search(frame, other) if other != entity else None
            if found is not None and found.best is not None:
                yield other, found.odds, found.best

    def seen(self, frame: int, entity: str) -> Region | None:
        """Where a person or thing is, if it is seen."""
        found = self.search(frame, entity)
        return found.best if found is not None and found.odds >= SEEN else None

    def crowd(self, frame: int) -> Crowd:
        return self._once(("crowd", frame), lambda: find_crowd(self.sights[frame]))

    def somebodies(self, frame: int) -> list[HeadSeen]:
        """Heads with somebody below them: a sack on a sack looks like one too."""
        crowd = self.crowd(frame)
        return [head for head in crowd.heads if _below(crowd.people, head) >= A_BODY]

    def head(self, frame: int, entity: str) -> HeadSeen | None:
        """The head of a person who was found: one in the upper part of their region that is nobody else's."""
        return self._once(("heads", frame), lambda: self._heads(frame)).get(entity)

    def _heads(self, frame: int) -> dict[str, HeadSeen]:
        """Whose head is whose: those first who must be there, and whose bodies and heads are clearest, so that nobody
        gets a neighbour's. A head that is left over is that of the only one who lacks one."""
        seen = {person: found for person in self.subjects.people if (found := self.seen(frame, person)) is not None}
        pairs = [(person, head) for person in seen for head in self.crowd(frame).heads if _wears(seen[person], head)]

        def fit(pair: tuple[str, HeadSeen]) -> float:
            person, head = pair
            body = float(_body(seen[person].likely, head).mean())
            return body + head.score + (self._agreement(frame, head, person) or 0.0)

        heads: dict[str, HeadSeen] = {}
        for person, head in sorted(pairs, key=lambda pair: (pair[0] in self.wanted, fit(pair)), reverse=True):
            if person not in heads and head not in heads.values():
                heads[person] = head
        lacking = [person for person in seen if person in self.wanted and person not in heads]
        over = [head for head in self.crowd(frame).heads if head.score >= PLAIN_HEAD and head not in heads.values()]
        return self._swapped(frame, heads | ({lacking[0]: over[0]} if len(lacking) == len(over) == 1 else {}))

    def _swapped(self, frame: int, heads: dict[str, HeadSeen]) -> dict[str, HeadSeen]:
        """Two people in like clothes have each other's head where the heads say so plainly."""

        def agrees(person: str, head: HeadSeen) -> float:
            return self._agreement(frame, head, person) or 0.0

        for one, other in combinations(list(heads), 2):
            own = agrees(one, heads[one]) + agrees(other, heads[other])
            if agrees(one, heads[other]) + agrees(other, heads[one]) > own + PLAINLY:
                heads[one], heads[other] = heads[other], heads[one]
        return heads

    def agreement(self, frame: int, entity: str) -> float | None:
        """How much somebody's head is that of their identity sheet, up to 1; None where there is nothing to compare."""
        head = self.head(frame, entity)
        return self._agreement(frame, head, entity) if head is not None else None

    def has_hat(self, frame: int, entity: str) -> bool:
        """Whether a hat of the story may be on somebody's head, where the sheet shows none: one that is said to be, or
        one that is not plainly seen elsewhere."""
        if entity in self.hatted:
            return True
        head = self.head(frame, entity)
        hats = [thing for thing in self.subjects.things.values() if thing.look.family == HAT]
        return head is not None and any(_wears_hat(head, self.searched(frame, hat).regions) for hat in hats)

    def _agreement(self, frame: int, head: HeadSeen, person: str) -> float | None:
        """How much a head is that of the front, side or rear of somebody's sheet."""
        known = self.subjects.people[person].heads if person in self.subjects.people else None
        if known is None:
            return None
        seen = self._once(("face", frame, head), lambda: face_of(self.sights[frame], head))
        return float((known @ seen).max())

    def states(self, frame: int, entity: str, values: Sequence[str]) -> dict[str, float]:
        """Log-odds of those values of which a picture was shown."""
        subject, found = self.subjects.things[entity], self.seen(frame, entity)
        shown = subject.in_states(values)
        if found is None or len(shown) < 2:
            return {}
        key = ("state", frame, entity, tuple(shown))
        odds = self._once(key, lambda: state_odds(self.sights[frame], found, tuple(shown.values())))
        return dict(zip(shown, odds.tolist(), strict=True))

    def relation(self, frame: int, entity: str, target: str) -> dict[str, float] | None:
        """How likely each relation of a thing to another one is; None where one of them is not seen."""
        pair, sight = self.pair(frame, entity, target), self.sights[frame]
        if pair is None:
            return None
        thing, people = pair[0], self.crowd(frame).people
        parts = self._once(("surroundings", frame, entity, thing.rect), lambda: surroundings(sight, thing))
        other = self.subjects.things.get(target)
        looks = (self.subjects.things[entity].numbers, other.numbers if other is not None else None)
        return self._once(("relation", frame, entity, target), lambda: relation(sight, parts, pair, people, looks))

    def gap(self, frame: int, entity: str, target: str) -> float:
        """The shortest way from a thing to another one, in its lengths."""
        pair = self.pair(frame, entity, target)
        return _gap(*pair) if pair is not None else FAR_AWAY

    def pair(self, frame: int, entity: str, target: str) -> tuple[Region, Region] | None:
        """A thing and another one, where both are seen. Of several regions that may be them those that lie nearest: a
        helmet that is worn is one, whatever lampshade looks more like it."""
        if self.seen(frame, entity) is None or self.seen(frame, target) is None:
            return None
        things, others = (_may_be(self.search(frame, name)) for name in (entity, target))
        pairs = [(thing, other) for thing in things for other in others]
        return self._once(("pair", frame, entity, target), lambda: min(pairs, key=lambda pair: _gap(*pair)))

    def place(self, frame: int, place: str) -> PlaceMatch | None:
        subject = self.subjects.places.get(place)
        if subject is None or not subject.views:
            return None
        views, picture = subject.views, self.sights[frame].picture
        return self._once(("place", frame, place), lambda: match_place(picture, views, self.crowd(frame).people))

    def around(self, place: str, landmark: ThingSubject) -> tuple[float, float] | None:
        """How surely a landmark is seen where it must be, somewhere around in the place's panorama, and in which
        direction; None without a panorama."""
        subject = self.subjects.places.get(place)
        views = [view for view in subject.views if is_panorama(view)] if subject is not None else []
        standing = tuple(
            thing.query.tobytes()
            for thing in self.subjects.things.values()
            if thing.shown and "fixed" in thing.entity.roles
        )
        query = landmark.query.tobytes()
        return max((_in_panorama(view, query, landmark.known, standing) for view in views), default=None)

    def explained(self, frame: int, head: HeadSeen, people: Iterable[str]) -> tuple[float, float]:
        """How much of the body just below a head, and of the whole figure, is one of some people's."""
        found = [self.search(frame, person) for person in people]
        maps = [region.likely for search in found if search is not None for region in search.regions]
        feet = head.y - head.radius + head.figure * self.sights[frame].shape[0]
        figures = [_marked(_column(likely, head, feet)) for likely in maps]
        return max((_below(likely, head) for likely in maps), default=0.0), max(figures, default=0.0)

    def is_person(self, entity: str) -> bool:
        return entity in self.subjects.people

    def name(self, entity: str) -> str:
        found = self.subjects.catalog.entities.get(entity)
        return found.name if found else entity

    def _once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        if key not in self._memory:
            self._memory[key] = find()
        return self._memory[key]  # type: ignore[return-value]


FAR_AWAY = 9.0
"""The gap between what is not seen at all."""
SOME, PLAIN = 0.4, 0.85
"""Size of another region that may be the thing, of the first, and how likely its best cell is."""


def _may_be(found: Search | None) -> list[Region]:
    """The likeliest region, and others hardly less likely."""
    if found is None or found.best is None:
        return []
    least = SOME * found.best.share
    return [found.best, *(r for r in found.regions[1:3] if r.share >= least and float(r.likely.max()) >= PLAIN)]


def _gap(thing: Region, other: Region) -> float:
    if not thing.mask.any() or not other.mask.any():
        return FAR_AWAY
    away = cv2.distanceTransform((~other.mask).astype(np.uint8), cv2.DIST_L2, 3)
    length = max(thing.rect.w, thing.rect.h) / CELL
    return max(float(away[thing.mask].min()) - 1.0, 0.0) / length


@lru_cache(maxsize=400)
def _in_panorama(view: Picture, query: bytes, known: Known, standing: tuple[bytes, ...]) -> tuple[float, float]:
    """How surely something is seen around a place, where nothing that stands there explains it, and in which direction.
    Kept, because every take asks it again."""
    found: list[tuple[float, float, Sight, Region | None]] = []
    for turn, sight in _all_around(view):
        seen = search(sight, np.frombuffer(query, np.float32), known)
        for region in seen.regions:
            odds = seen.odds if region is seen.best else region.odds
            found.append((odds, turn + float(aside(region.rect.centre[0] / sight.shape[1])), sight, region))
        if not seen.regions:
            found.append((seen.odds, turn, sight, None))
    found.sort(key=lambda one: -one[0])
    free = (one for one in found if one[3] is None or not _is_thing(one[2], one[3], standing))
    return next(((odds, yaw) for odds, yaw, _, _ in free), found[-1][:2])


def _is_thing(sight: Sight, region: Region, standing: tuple[bytes, ...]) -> bool:
    """Whether a region is rather one of the story's things."""
    seen = (search(sight, np.frombuffer(query, np.float32), "shown") for query in standing)
    return any(
        s.odds >= STANDS and s.best is not None and overlap(s.best.likely, region.likely) > EXPLAINED for s in seen
    )


@lru_cache(maxsize=4)
def _all_around(view: Picture) -> tuple[tuple[float, Sight], ...]:
    """A panorama as eight frames, with their directions. Kept, because a film's shots come back to its places."""
    turns = [k * 360 / AROUND for k in range(AROUND)]
    return tuple((t, Sight(k, 0.0, panorama.view(view, t, 0.0, ASIDE, 512, 288))) for k, t in enumerate(turns))


def _wears(figure: Region, head: HeadSeen) -> bool:
    """Whether a head belongs to a figure: it lies at the top of it, and the figure goes on below."""
    rect = figure.rect.grown(0.4 * head.radius, 2.5 * head.radius)
    if not (rect.x <= head.x <= rect.right and rect.y <= head.y <= rect.y + max(0.45 * rect.h, 3 * head.radius)):
        return False
    return _below(figure.likely, head) > 0.2


def _whose_hat(claim: Claim, subjects: Subjects) -> str | None:
    """The person on whose head a claim puts a hat."""
    if not isinstance(claim, Placed) or not isinstance(claim.placement, AttachedTo):
        return None
    thing = subjects.things.get(claim.entity)
    return claim.placement.support if thing is not None and thing.look.family == HAT else None


def _wears_hat(head: HeadSeen, regions: Sequence[Region]) -> bool:
    on = [region for region in regions if head.rect.shared(region.rect) > UNDER]
    elsewhere = [region for region in regions if region not in on and region.firm >= PLAIN_HAT]
    return any(region.firm >= FAINT_HAT for region in on) and not elsewhere


def _below(likely: Floats, head: HeadSeen) -> float:
    """Share of the cells below a head that a map marks."""
    return _marked(_body(likely, head))


def _body(likely: Floats, head: HeadSeen) -> Floats:
    """The cells below a head."""
    return _column(likely, head, head.y + 5 * head.radius)


def _column(likely: Floats, head: HeadSeen, down: float) -> Floats:
    """The cells from a head's chin down to some height."""
    top, low = int((head.y + 1.2 * head.radius) // CELL), int(down // CELL)
    column, reach = int(head.x // CELL), max(1, int(head.radius // CELL))
    return likely[max(top, 0) : max(low, 0) + 1, max(column - reach, 0) : column + reach + 1]


def _marked(cells: Floats) -> float:
    return float((cells > 0.5).mean()) if cells.size else 0.0


def overlap(a: Floats, b: Floats) -> float:
    """Shared part of two maps' cells, of the smaller."""
    first, second = a > 0.5, b > 0.5
    return float((first & second).sum()) / max(int(min(first.sum(), second.sum())), 1)


def _same(a: Floats, b: Floats) -> float:
    """Shared part of two maps' cells, of all of them."""
    first, second = a > 0.5, b > 0.5
    return float((first & second).sum()) / max(int((first | second).sum()), 1)


def likelihood(odds: float) -> float:
    return float(1 / (1 + np.exp(-odds)))
