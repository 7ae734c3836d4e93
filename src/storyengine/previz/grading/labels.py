"""Whether a claim is true of what was drawn: from the scene, the cameras and the renderer's id buffers.

True, False, or None where the truth itself is a matter of taste (half a second of a gesture, a face in three-quarter
profile, a figure between two framings). Such questions are not asked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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
from storyengine.previz.figures.figure import world_matrices
from storyengine.previz.figures.skeleton import INDEX
from storyengine.previz.figures.stance import solve
from storyengine.previz.looks import PersonLook
from storyengine.previz.places.landmarks import landmark_kind
from storyengine.previz.places.model import LandmarkWords
from storyengine.previz.render import Renderer
from storyengine.previz.render.values import Camera
from storyengine.previz.studio.scene import Lens, Scene, Setting, Thing
from storyengine.previz.studio.sets import baked_of, place_of
from storyengine.previz.studio.staging import Moment, Posed, camera_of, figure_of, model_of, numbers, view
from storyengine.previz.studio.truth import SEEN, Truth, holds

CLEAR_FACE, HIDDEN_FACE = 50.0, 85.0
"""Degrees between a face and the camera up to which it can be read, and from which it cannot."""
KNOWN_FACE, KNOWN_HEAD = 70.0, 0.05
"""Up to where somebody else's face can be told from the right one, and from which height of the head."""
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

OTHER_STATE, OTHER_LEVEL = 0.0006, 24
"""Share of the frame that another state changes at least, by so many levels: some 24 × 24 pixels of 1280 × 720. Less
can be told by nobody, as when a shelf is loaded behind somebody's back."""
SMALL = (640, 360)

PARTS = frozenset(("window", "windows", "pane", "wall", "panelling", "vault", "roof", "beam", "beams", "door", "doors"))
"""What every room has of itself."""
AGAIN = "-again"
"""What the studio adds to the id of a second one of something."""

Ids = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Shown:
    """One frame, and everything that is known of it."""

    scene: Scene
    moment: Moment
    lens: Lens
    ids: Ids
    pixels: npt.NDArray[np.uint8]

    @cached_property
    def named(self) -> dict[str, int]:
        """The number of everything in the id buffer, landmarks as `landmark:<id>`."""
        found = numbers(self.scene)
        if self.scene.setting is not None:
            marks = place_of(self.scene.setting).landmarks.values()
            found |= {f"landmark:{mark.id}": mark.number for mark in marks}
        return found

    @cached_property
    def truth(self) -> Truth:
        values, counts = np.unique(self.ids, return_counts=True)
        pixels = dict(zip(values.tolist(), (counts / self.ids.size).tolist(), strict=True))
        return Truth(self.scene, {name: pixels[n] for name, n in self.named.items() if n in pixels})

    def share(self, name: str) -> float:
        return self.truth.shares.get(name, 0.0)

    def box(self, name: str) -> tuple[float, float, float, float]:
        """Left, top, width and height of what can be seen of something, in shares of the frame."""
        rows, columns = np.nonzero(self.ids == self.named[name])
        height, width = self.ids.shape
        left, top = columns.min() / width, rows.min() / height
        return (
            float(left),
            float(top),
            float((columns.max() + 1) / width - left),
            float((rows.max() + 1) / height - top),
        )

    def differs(self, thing: Thing) -> bool:
        """Whether the picture would be another one with a thing in another state: it is drawn, small, to see that."""
        posed = self.moment.things.get(thing.id)
        if posed is None:
            return False
        changed = replace(self.moment, things={**self.moment.things, thing.id: Posed(model_of(thing), posed.matrix)})
        apart = np.abs(self._small(changed) - self._small(self.moment)).max(axis=2) > OTHER_LEVEL
        return bool(apart.mean() >= OTHER_STATE)

    def _small(self, moment: Moment) -> npt.NDArray[np.int16]:
        renderer = Renderer(baked_of(self.scene.setting))
        return renderer.draw(view(self.scene, moment, self.lens), *SMALL).pixels.astype(np.int16)

    @property
    def camera(self) -> Camera:
        return camera_of(self.lens)

    def head(self, person: str) -> tuple[float, float, float] | None:
        """How far a face is turned from the camera, how high the head is in frames, and how much of it is free."""
        actor, body = self.scene.people[person], self.moment.bodies[person]
        figure = figure_of(actor)
        bone = world_matrices(figure, solve(figure, body.stance), body.stand.at, body.stand.yaw)[INDEX["head"]]
        size = figure.measures.head
        middle = bone[:, :3] @ np.array([0.0, 0.0, size * 0.45]) + bone[:, 3]
        ahead = bone[:, :3] @ np.array([0.0, 1.0, 0.0])
        to_camera = np.array(self.camera.station) - middle
        cosine = float(ahead @ to_camera / (np.linalg.norm(ahead) * np.linalg.norm(to_camera)))
        height, width = self.ids.shape
        up = np.array([0.0, 0.0, size / 2])
        ends = np.array([middle - up, middle + up, middle])
        seen = self.camera.project(ends, width, height)
        if seen[:, 2].min() < 0.1:
            return None
        tall = abs(float(seen[0, 1] - seen[1, 1]))
        x, y, r = float(seen[2, 0]), float(seen[2, 1]), max(tall * 0.28, 1.0)
        rows = slice(max(0, int(y - r)), max(0, int(y + r) + 1))
        patch = self.ids[rows, max(0, int(x - r)) : max(0, int(x + r) + 1)]
        whole = (2 * r + 1) ** 2
        free = float((patch == self.named[person]).sum()) / whole
        return math.degrees(math.acos(min(max(cosine, -1.0), 1.0))), tall / height, free

    def tall(self, person: str) -> float:
        """Height of a whole figure in frames, whether or not all of it is in the picture."""
        actor, stand = self.scene.people[person], self.moment.bodies[person].stand
        ends = np.array([(stand.x, stand.y, stand.z), (stand.x, stand.y, stand.z + actor.look.height)])
        seen = self.camera.project(ends, 1600, 900)
        return abs(float(seen[0, 1] - seen[1, 1])) / 900 if seen[:, 2].min() > 0.1 else 99.0


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
            case Changes(after=Placed(entity=entity, placement=InSceneZone())) if self._hardly_went(entity):
                return None
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
            case LooksLike(entity=entity):
                return self._likeness(frame, entity)
            case OnlyPeople(entities=entities):
                return _all_of(self._stranger(frame, a.id, entities) for a in frame.scene.actors)
            case Present(entity=entity) | Single(entity=entity) | Absent(entity=entity) if self._traces(frame, entity):
                return None
            case HasAttribute(entity=entity) if not frame.truth.sees(entity) or not self._shows(frame, claim):
                return None
            case Placed(entity=entity) if not frame.truth.sees(entity) or self._hidden_target(frame, claim):
                return None
        return holds(claim, frame.truth, self.catalog, self.faces)

    def _mistakable(self, landmark: str) -> bool:
        """Whether the place has other equipment of the landmark's kind: any of it might be meant."""
        mark = next(mark for mark in self.setting.marks if mark.id == landmark)
        kind = landmark_kind(LandmarkWords(mark.id, mark.name, mark.look))
        return kind in self.setting.look.fittings or not PARTS.isdisjoint(mark.name.split())

    def _traces(self, frame: Shown, entity: str) -> bool:
        """Whether so little of the thing, or of a second one, is seen that nobody could say it is there."""
        return _seen(frame.share(entity)) is None or _seen(frame.share(entity + AGAIN)) is None

    def _hidden_target(self, frame: Shown, claim: Placed) -> bool:
        """Whether what it is said to be on, in or held by cannot be seen itself."""
        target = target_of(claim.placement)
        return target is not None and not frame.truth.sees(target)

    def _shows(self, frame: Shown, claim: HasAttribute) -> bool:
        """Whether the claim can be told by looking: in the state that is claimed (where it is in that one: in any
        other) the thing would look different from here."""
        thing = frame.scene.props[claim.entity]
        now = dict(thing.states).get(claim.attribute)
        values = self.catalog.attributes[claim.entity][claim.attribute].values
        others = [claim.value] if claim.value != now else [value for value in values if value != now]
        return bool(others) and all(frame.differs(thing.with_state(claim.attribute, value)) for value in others)

    def _likeness(self, frame: Shown, person: str) -> bool | None:
        """Who they are; a face that nobody sees can be neither right nor wrong where only the face differs."""
        if person not in frame.scene.people or not frame.truth.sees(person):
            return None
        if frame.scene.people[person].look.face == self.faces[person].face:
            return True
        turned, tall, free = frame.head(person) or (180.0, 0.0, 0.0)
        return False if turned <= KNOWN_FACE and tall >= KNOWN_HEAD and free >= 0.6 else None

    def _stranger(self, frame: Shown, person: str, allowed: Sequence[str]) -> bool | None:
        """True for somebody who may be there or cannot be seen."""
        seen = _seen(frame.share(person))
        return True if person in allowed or seen is False else (None if seen is None else False)

    def _face(self, frame: Shown, person: str) -> bool | None:
        if person not in frame.scene.people or not frame.truth.sees(person):
            return None
        head = frame.head(person)
        if head is None:
            return None
        turned, tall, free = head
        if turned <= CLEAR_FACE and tall >= LARGE_HEAD and free >= 0.85:
            return True
        return False if turned >= HIDDEN_FACE or tall < SMALL_HEAD or free < 0.1 else None

    def _framed(self, frame: Shown, person: str, framing: str) -> bool | None:
        if person not in frame.scene.people or not frame.truth.sees(person):
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
        if event != self.events[0] or self.omitted:
            return None if done else False
        if "frozen frames" in self.unwanted:
            return False
        if any(
            isinstance(e, Place) and e.entity in event.actors and self._hardly_went(e.entity) for e in event.effects
        ):
            return None
        seen = all(frame.truth.sees(actor) for frame in self.frames for actor in event.actors)
        return True if seen and done else None

    def _hardly_went(self, person: str) -> bool:
        """Whether somebody changed zones without a walk worth the name: zones can be a step apart."""
        ends = [frame.moment.bodies.get(person) for frame in (self.frames[0], self.frames[-1])]
        if ends[0] is None or ends[1] is None:
            return False
        return math.dist(ends[0].stand.at, ends[1].stand.at) < 2 * STEP

    def _effect(self, effect: object) -> bool:
        """Whether the last scene holds what the event brings about, seen or not."""
        last = self.frames[-1]
        if isinstance(effect, Place):
            everything = Truth(last.scene, dict.fromkeys(last.named, 1.0))
            return bool(holds(Placed(entity=effect.entity, placement=effect.placement), everything, self.catalog))
        thing = last.scene.props.get(getattr(effect, "entity", ""))
        return thing is not None and dict(thing.states).get(getattr(effect, "attribute", "")) == getattr(
            effect, "value", None
        )

    def _moves(self, person: str, direction: str) -> bool | None:
        """By where somebody is in the frame and how far away, first and last."""
        ends = [f for f in (self.frames[0], self.frames[-1]) if person in f.moment.bodies and f.truth.sees(person)]
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
