"""Whether a claim is true of what was drawn: from the scene, the cameras and the renderer's id buffers.

True, False, or None where the truth itself is a matter of taste (half a second of a gesture, a face in three-quarter
profile, a figure between two framings). Such questions are not asked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from storyengine.language import (
    Absent,
    CameraMoves,
    Changes,
    Claim,
    FaceLegible,
    Framed,
    FreeOf,
    Happens,
    HasAttribute,
    InEnvironment,
    LandmarkVisible,
    Lit,
    LooksLike,
    Moves,
    OnlyPeople,
    Placed,
    Present,
    Single,
)
from storyengine.plan import Catalog, Event, InSceneZone, Place, target_of
from storyengine.plan.model import CameraMove
from storyengine.previz.appearance import ROOM_PARTS
from storyengine.previz.looks import PersonLook
from storyengine.previz.places.landmarks import landmark_kind
from storyengine.previz.places.model import LandmarkWords
from storyengine.previz.studio.scene import Setting
from storyengine.previz.studio.truth import AGAIN, SEEN, Truth, holds, is_placed

CLEAR_FACE, HIDDEN_FACE = 50.0, 85.0
"""Degrees between a face and the camera up to which it can be read, and from which it cannot."""
LARGE_HEAD, SMALL_HEAD = 0.06, 0.03
"""Height of a head, as a share of the frame's, from which a face can be read, and below which it cannot."""
TALL = {"wide": (0.0, 1.0), "medium": (0.72, 1.95), "tight": (1.5, 99.0)}
"""Height of a whole figure, in frames, that a framing allows; a figure in two ranges fits both."""
BETWEEN = 1.08
"""Factor of a range's end within which it is a matter of taste."""
CROSSES, STANDS = 0.10, 0.03
"""Share of the frame's width that a movement crosses at least, and below which it is none."""
STEP = 0.4
"""Metres that somebody must have gone to have moved at all."""
NEARER, LEVEL = 0.22, 0.06
"""The same for the distance to the camera, as a share of it."""


@dataclass(frozen=True, eq=False)
class Shown(Truth):
    """One frame, and everything that is known of it."""

    pixels: npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Take:
    """What was drawn: one frame or several, with what was asked for and what was done to it."""

    frames: tuple[Shown, ...]
    catalog: Catalog
    setting: Setting
    """The place as the references show it."""
    faces: Mapping[str, PersonLook]
    move: CameraMove
    unwanted: frozenset[str]
    events: tuple[Event, ...] = ()
    """What happens, and what is asked about though it does not."""
    omitted: bool = False

    def label(self, claim: Claim, phase: str) -> bool | None:
        """Whether the claim is true, or None where nobody could say."""
        if "split screens" in self.unwanted and not isinstance(claim, FreeOf):
            return None
        if self.frames[0].scene.blemish.gain != 1.0 and not isinstance(claim, Lit):
            return None  # no clean picture any more: only its light is a question
        match claim:
            case FreeOf(thing=thing):
                return thing not in self.unwanted
            case CameraMoves(move=move):
                return self._camera(move)
            case Moves(entity=entity, direction=direction):
                return self._moves(entity, direction)
            case Happens(action=action):
                return self._happens(next(event for event in self.events if event.action == action))
            case Changes(before=before, after=Placed(entity=entity, placement=InSceneZone()) as after):
                return self._goes(entity, _both(self._at(before, 0), self._at(after, -1)))
            case Changes(before=before, after=after):
                return _both(self._at(before, 0), self._at(after, -1))
        if phase == "start" or len(self.frames) == 1:
            return self._at(claim, 0)
        if phase == "end":
            return self._at(claim, -1)
        answers = {self._at(claim, k) for k in range(len(self.frames))}
        return answers.pop() if len(answers) == 1 else None

    def _at(self, claim: Claim, index: int) -> bool | None:
        """The truth of a claim about one frame."""
        frame = self.frames[index]
        match claim:
            case InEnvironment():
                return frame.scene.setting == self.setting
            case Lit() | LandmarkVisible() if frame.scene.setting != self.setting:
                return None  # the light and the landmarks of another room are nobody's question
            case LandmarkVisible(landmark=mark):
                seen = _seen(frame.share(f"landmark:{mark}"))
                return None if seen is False and self._mistakable(mark) else seen
            case FaceLegible(entity=entity):
                return self._face(frame, entity)
            case Framed(entity=entity, framing=framing):
                return self._framed(frame, entity, framing)
            case LooksLike(entity=entity) if not frame.sees(entity):
                return None
            case OnlyPeople(entities=entities):
                return _all_of(self._stranger(frame, a.id, entities) for a in frame.scene.actors)
            case Present(entity=entity) | Single(entity=entity) | Absent(entity=entity) if self._traces(frame, entity):
                return None
            case HasAttribute(entity=entity) if not frame.sees(entity) or not self._shows(frame, claim):
                return None
            case Placed(entity=entity) if not frame.sees(entity) or self._hidden_target(frame, claim):
                return None
        return holds(claim, frame, self.catalog, self.faces)

    def _mistakable(self, landmark: str) -> bool:
        """Whether the place has other equipment of the landmark's kind: any of it might be meant."""
        mark = next(mark for mark in self.setting.marks if mark.id == landmark)
        kind = landmark_kind(LandmarkWords(mark.id, mark.name, mark.look))
        return kind in self.setting.look.fittings or not ROOM_PARTS.isdisjoint(mark.name.split())

    def _traces(self, frame: Shown, entity: str) -> bool:
        """Whether so little of the thing, or of a second one, is seen that nobody could say it is there."""
        return _seen(frame.share(entity)) is None or _seen(frame.share(entity + AGAIN)) is None

    def _hidden_target(self, frame: Shown, claim: Placed) -> bool:
        """Whether what it is said to be on, in or held by cannot be seen itself."""
        target = target_of(claim.placement)
        return target is not None and not frame.sees(target)

    def _shows(self, frame: Shown, claim: HasAttribute) -> bool:
        """Whether the claim can be told by looking: in the state that is claimed (where it is in that one: in any
        other) the thing would look different from here."""
        thing = frame.scene.props[claim.entity]
        now = dict(thing.states).get(claim.attribute)
        values = self.catalog.attributes[claim.entity][claim.attribute].values
        others = [claim.value] if claim.value != now else [value for value in values if value != now]
        return bool(others) and all(frame.differs(thing.with_state(claim.attribute, value)) for value in others)

    def _stranger(self, frame: Shown, person: str, allowed: Sequence[str]) -> bool | None:
        """True for somebody who may be there or cannot be seen."""
        seen = _seen(frame.share(person))
        return True if person in allowed or seen is False else (None if seen is None else False)

    def _face(self, frame: Shown, person: str) -> bool | None:
        if person not in frame.scene.people or not frame.sees(person):
            return None
        head = frame.head(person)
        if head is None:
            return None
        if head.turned <= CLEAR_FACE and head.tall >= LARGE_HEAD and head.free >= 0.85:
            return True
        return False if head.turned >= HIDDEN_FACE or head.tall < SMALL_HEAD or head.free < 0.1 else None

    def _framed(self, frame: Shown, person: str, framing: str) -> bool | None:
        if person not in frame.scene.people or not frame.sees(person):
            return None
        tall = frame.tall(person)
        low, high = TALL[framing]
        if any(bound / BETWEEN < tall < bound * BETWEEN for bound in (low, high) if bound):
            return None
        return low <= tall <= high

    # --- what only a clip shows

    def _camera(self, move: CameraMove) -> bool | None:
        if len(self.frames) < 2 or "follow" in (move, self.move):
            return None
        return (move == self.move and "frozen frames" not in self.unwanted) or (
            move == "still" and "frozen frames" in self.unwanted
        )

    def _happens(self, event: Event) -> bool | None:
        done = all(self._effect(effect) for effect in event.effects)
        goers = [e.entity for e in event.effects if isinstance(e, Place) and e.entity in event.actors]
        if event != self.events[0] or self.omitted:
            return None if done or any(self._went(person) is not False for person in goers) else False
        if "frozen frames" in self.unwanted:
            return False
        if any(self._went(person) is not True for person in goers):
            return None
        seen = all(frame.sees(actor) for frame in self.frames for actor in event.actors)
        return True if seen and done else None

    def _goes(self, entity: str, zones: bool | None) -> bool | None:
        """Whether somebody goes from one part of the place to another. Whether it is the right one no picture tells:
        nothing shows where it begins."""
        went = self._went(entity)
        if went is None or (went and not zones):
            return None
        return went and zones

    def _went(self, person: str) -> bool | None:
        """Whether somebody walked. Zones can be a step apart: that is no walk worth the name."""
        ends = [frame.moment.bodies.get(person) for frame in (self.frames[0], self.frames[-1])]
        if ends[0] is None or ends[1] is None:
            return None
        walked = math.dist(ends[0].stand.at, ends[1].stand.at)
        return True if walked >= 2 * STEP else (False if walked < STEP / 4 else None)

    def _effect(self, effect: object) -> bool:
        """Whether the last scene holds what the event brings about, seen or not."""
        last = self.frames[-1]
        if isinstance(effect, Place):
            return is_placed(Placed(entity=effect.entity, placement=effect.placement), last.scene, self.catalog)
        thing = last.scene.props.get(getattr(effect, "entity", ""))
        return thing is not None and dict(thing.states).get(getattr(effect, "attribute", "")) == getattr(
            effect, "value", None
        )

    def _moves(self, person: str, direction: str) -> bool | None:
        """By where somebody is in the frame and how far away, first and last."""
        ends = [f for f in (self.frames[0], self.frames[-1]) if person in f.moment.bodies and f.sees(person)]
        if len(ends) < 2:
            return None
        first, last = (frame.moment.bodies[person].stand for frame in ends)
        walked = math.dist((first.x, first.y), (last.x, last.y))
        if walked < STEP:
            return (
                False if walked < STEP / 4 else None
            )  # what a moving camera does to somebody is no movement of theirs
        points = [self._spot(frame, person) for frame in ends]
        across = points[1][0] - points[0][0]
        nearer = (points[0][1] - points[1][1]) / points[0][1]
        amount = {
            "left_to_right": across / CROSSES,
            "right_to_left": -across / CROSSES,
            "towards_camera": nearer / NEARER,
            "away_from_camera": -nearer / NEARER,
        }[direction]
        none = STANDS / CROSSES if "left" in direction else LEVEL / NEARER
        return True if amount >= 1 else (False if amount <= none else None)

    def _spot(self, frame: Shown, person: str) -> tuple[float, float]:
        stand = frame.moment.bodies[person].stand
        seen = frame.camera.project(np.array([(stand.x, stand.y, 1.2)]), 1000, 1000)[0]
        return float(seen[0]) / 1000, float(seen[2])


def _seen(share: float) -> bool | None:
    """A trace of something is neither there nor missing."""
    return True if share >= SEEN else (False if share == 0.0 else None)


def _both(first: bool | None, second: bool | None) -> bool | None:
    if first is False or second is False:
        return False
    return None if first is None or second is None else True


def _all_of(answers: object) -> bool | None:
    found = set(answers)  # type: ignore[call-overload]
    return False if False in found else (None if None in found else True)
