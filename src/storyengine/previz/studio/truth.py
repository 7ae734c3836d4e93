"""What the studio's pictures and clips really show: the renderer's truth, for grading alone.

Nothing that judges may import this module. A claim is true, false, or None where the scene cannot say or nobody could
see it: a face that is turned away, a state that would look the same from here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from storyengine.language import (
    Absent,
    Claim,
    FreeOf,
    HasAttribute,
    InEnvironment,
    LandmarkVisible,
    Lit,
    LooksLike,
    OnlyPeople,
    Placed,
    Present,
    Single,
)
from storyengine.plan import AttachedTo, Catalog, HeldBy, InContainer, InSceneZone, OnSurface
from storyengine.previz.figures.figure import world_matrices
from storyengine.previz.figures.skeleton import INDEX
from storyengine.previz.figures.stance import solve
from storyengine.previz.looks import PersonLook
from storyengine.previz.props import only_turned
from storyengine.previz.render import Renderer
from storyengine.previz.render.values import Camera
from storyengine.previz.studio.drawing import draft_whole, draw_view
from storyengine.previz.studio.scene import Lens, Scene, Thing
from storyengine.previz.studio.sets import baked_of, place_of
from storyengine.previz.studio.staging import Moment, Posed, camera_of, figure_of, model_of, numbers, rest, view

Ids = npt.NDArray[np.int32]

SEEN = 0.0004
"""Share of the frame below which a thing counts as not seen."""
AGAIN = "-again"
"""What the studio adds to the id of a second one of something."""
KNOWN_FACE, KNOWN_HEAD, KNOWN_PART = 70.0, 0.06, 0.6
"""Degrees from the camera up to which somebody else's face can be told from the right one, the height of the head (of
the frame's) and the free part of it from which it can."""
OTHER_STATE, OTHER_PART, OTHER_LEVEL = 0.0006, 0.02, 24
"""Share of the frame, and of what is seen of the thing, that another state changes at least, by so many levels: some
24 × 24 pixels of 1280 × 720. Less can be told by nobody, as when a shelf is loaded behind somebody's back."""
SMALL = (640, 360)
RIM, SLIGHT = 0.25, 0.02
"""Part of a thing below which nobody could say whether it is seen, where that part takes less than this share of the
frame: of a bowl behind somebody a rim shows."""


@dataclass(frozen=True)
class Head:
    """A head as the camera sees it."""

    turned: float
    """Degrees between the face and the camera."""
    tall: float
    """Its height, of the frame's."""
    free: float
    """How much of the face nothing hides."""

    @property
    def is_known(self) -> bool:
        """Whether one could tell whose face it is."""
        return self.turned <= KNOWN_FACE and self.tall >= KNOWN_HEAD and self.free >= KNOWN_PART


@dataclass(frozen=True, eq=False)
class Truth:
    """One view, and everything that is known of it."""

    scene: Scene
    moment: Moment
    lens: Lens
    ids: Ids
    """What every pixel shows, by number."""

    @cached_property
    def named(self) -> dict[str, int]:
        """The number of everything in the id buffer, landmarks as `landmark:<id>`."""
        found = numbers(self.scene)
        if self.scene.setting is not None:
            marks = place_of(self.scene.setting).landmarks.values()
            found |= {f"landmark:{mark.id}": mark.number for mark in marks}
        return found

    @cached_property
    def shares(self) -> dict[str, float]:
        """Share of the frame's pixels, of everything that can be seen."""
        values, counts = np.unique(self.ids, return_counts=True)
        pixels = dict(zip(values.tolist(), (counts / self.ids.size).tolist(), strict=True))
        return {name: pixels[n] for name, n in self.named.items() if n in pixels}

    def share(self, name: str) -> float:
        return self.shares.get(name, 0.0)

    def sees(self, name: str) -> bool:
        return self.share(name) >= SEEN

    def is_rim(self, name: str) -> bool:
        """Whether what is seen of a thing is a rim of it, the rest being behind something else."""
        share = self.share(name)
        if name not in self.moment.things or share >= SLIGHT:
            return False
        return share < RIM * draft_whole(replace(self.scene, lens=self.lens), self.moment, name)

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

    @property
    def camera(self) -> Camera:
        return camera_of(self.lens)

    def head(self, person: str) -> Head | None:
        """None behind the camera."""
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
        free = float((patch == self.named[person]).sum()) / (2 * r + 1) ** 2
        return Head(math.degrees(math.acos(min(max(cosine, -1.0), 1.0))), tall / height, free)

    def tall(self, person: str) -> float:
        """Height of a whole figure in frames, whether or not all of it is in the picture."""
        actor, stand = self.scene.people[person], self.moment.bodies[person].stand
        ends = np.array([(stand.x, stand.y, stand.z), (stand.x, stand.y, stand.z + actor.look.height)])
        seen = self.camera.project(ends, 1600, 900)
        return abs(float(seen[0, 1] - seen[1, 1])) / 900 if seen[:, 2].min() > 0.1 else 99.0

    def differs(self, thing: Thing) -> bool:
        """Whether a thing in another state could be told from how it is here. Which way it stands could not."""
        now = self.scene.props.get(thing.id)
        if now is not None and only_turned(thing.look, _values(now), _values(thing)):
            return False
        return self.changed(thing) >= max(OTHER_STATE, OTHER_PART * self.share(thing.id))

    def changed(self, thing: Thing) -> float:
        """Share of the picture that would be another one with a thing in another state: it is drawn, small, to see
        that."""
        apart = np.abs(self._small(self.otherwise(thing)) - self._small(self.moment)).max(axis=2) > OTHER_LEVEL
        return float(apart.mean())

    def otherwise(self, thing: Thing) -> Moment:
        """The same moment with a thing in another state."""
        posed = self.moment.things.get(thing.id)
        if posed is None:
            return self.moment
        return replace(self.moment, things={**self.moment.things, thing.id: Posed(model_of(thing), posed.matrix)})

    def _small(self, moment: Moment) -> npt.NDArray[np.int16]:
        renderer = Renderer(baked_of(self.scene.setting))
        return renderer.draw(view(self.scene, moment, self.lens), *SMALL).pixels.astype(np.int16)


def _values(thing: Thing) -> tuple[str, ...]:
    return tuple(value for _, value in thing.states)


def truth_of(scene: Scene, width: int = 640, height: int = 360) -> Truth:
    """The truth of a view with everybody at rest, from the renderer's id buffer."""
    moment = rest(scene)
    ids = draw_view(scene, moment, width, height, truth=True).ids
    assert ids is not None
    assert scene.lens is not None
    return Truth(scene, moment, scene.lens, ids)


def holds(claim: Claim, found: Truth, catalog: Catalog, faces: Mapping[str, PersonLook] | None = None) -> bool | None:
    """Whether a claim about one moment is true of the picture; None where the scene cannot say.

    `faces` are the canonical looks of people, by which their identity is decided.
    """
    scene = found.scene
    match claim:
        case Present(entity=entity) | Single(entity=entity) if not found.sees(entity):
            return False
        case Placed(entity=entity) | HasAttribute(entity=entity) if not found.sees(entity):
            return False
        case Single(entity=entity) if found.sees(entity + AGAIN):
            return None if found.is_rim(entity + AGAIN) else False
        case Present() | Single() | Placed() | HasAttribute() if found.is_rim(claim.entity):
            return None
        case Present() | Single():
            return True
        case Absent(entity=entity):
            shown = [name for name in (entity, entity + AGAIN) if found.sees(name)]
            return None if shown and all(found.is_rim(name) for name in shown) else not shown
        case Placed():
            return is_placed(claim, scene, catalog)
        case HasAttribute():
            return _has_attribute(claim, found)
        case InEnvironment(environment=place):
            return scene.setting is not None and scene.setting.id == place
        case LandmarkVisible(landmark=landmark):
            return found.sees(f"landmark:{landmark}")
        case OnlyPeople(entities=entities):
            return all(actor.id in entities for actor in scene.actors if found.sees(actor.id))
        case FreeOf(thing="on-screen text"):
            return not scene.blemish.text
        case Lit(brightness=brightness, tone=tone):
            light = scene.setting.look.light if scene.setting is not None else None
            drifted = scene.blemish.gain != 1.0 or scene.blemish.warmth != 0.0
            return light is not None and (light.brightness, light.tone) == (brightness, tone) and not drifted
        case LooksLike(entity=entity) if faces is not None and entity in scene.people and entity in faces:
            if scene.people[entity].look.face == faces[entity].face:
                return True
            # Clothes and hair are as they should be: it takes a face to be somebody else.
            head = found.head(entity)
            return False if head is not None and head.is_known else None
    return None


def _has_attribute(claim: HasAttribute, found: Truth) -> bool | None:
    """A wrong state that looks like the right one from here is nobody's to see."""
    thing = found.scene.props.get(claim.entity)
    if thing is None:
        return False
    if dict(thing.states).get(claim.attribute) == claim.value:
        return True
    return False if found.differs(thing.with_state(claim.attribute, claim.value)) else None


def is_placed(claim: Placed, scene: Scene, catalog: Catalog) -> bool:
    """Whether something is there, seen or not."""
    thing, person = scene.props.get(claim.entity), scene.people.get(claim.entity)
    match claim.placement:
        case InSceneZone(environment=place, zone=zone):
            name = next((z.name for z in catalog.environments[place].zones if z.id == zone), "")
            here = thing.zone if thing is not None else person.zone if person is not None else ""
            return here == name and (thing is None or thing.relation == "stands")
        case OnSurface(surface=target):
            return thing is not None and (thing.relation, thing.target) == ("on", target)
        case InContainer(container=target):
            return thing is not None and (thing.relation, thing.target) == ("in", target)
        case HeldBy(holder=target):
            return thing is not None and (thing.relation, thing.target) == ("held", target)
        case AttachedTo(support=target):
            return thing is not None and thing.relation in ("worn", "fastened") and thing.target == target
    return False
