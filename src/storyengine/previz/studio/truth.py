"""What the studio's pictures and clips really show: the renderer's truth, for grading alone.

Nothing that judges may import this module. Claims about what needs eyes (identity, framing, light drift) are answered
from the scene and its reference; claims that the scene cannot answer are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

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
from storyengine.previz.looks import PersonLook
from storyengine.previz.studio.drawing import shares
from storyengine.previz.studio.index import Index
from storyengine.previz.studio.scene import Scene
from storyengine.previz.studio.staging import Moment

SEEN = 0.0004
"""Share of the frame below which a thing counts as not seen."""
_AGAIN = "-again"


@dataclass(frozen=True)
class Truth:
    """What a picture shows."""

    scene: Scene
    shares: Mapping[str, float]
    """Share of the frame's pixels, by id of everything that can be seen; landmarks as `landmark:<id>`."""

    def sees(self, subject: str) -> bool:
        return self.shares.get(subject, 0.0) >= SEEN


def truth_of(scene: Scene, moment: Moment | None = None, width: int = 640, height: int = 360) -> Truth:
    """The truth of a view, from the renderer's id buffer."""
    return Truth(scene, shares(scene, moment, width, height))


def truth(index: Index, digest: str, frame: int | None = None) -> Truth | None:
    """The truth of a picture by its digest, or of a clip's frame (the last one by default); None where unknown."""
    scene = index.scene(digest)
    if scene is None:
        track = index.track(digest)
        if track is None:
            return None
        scene = track.at(len(track.lenses) - 1 if frame is None else frame)
    return truth_of(scene) if scene.subject == "view" else Truth(scene, {})


def holds(claim: Claim, found: Truth, catalog: Catalog, faces: Mapping[str, PersonLook] | None = None) -> bool | None:
    """Whether a claim about one moment is true of the picture; None where the scene cannot say.

    `faces` are the canonical looks of people, by which their identity is decided.
    """
    scene = found.scene
    match claim:
        case Present(entity=entity):
            return found.sees(entity)
        case Absent(entity=entity):
            return not found.sees(entity) and not found.sees(entity + _AGAIN)
        case Single(entity=entity):
            return found.sees(entity) and not found.sees(entity + _AGAIN)
        case Placed(entity=entity):
            return found.sees(entity) and _is_placed(claim, scene, catalog)
        case HasAttribute(entity=entity, attribute=attribute, value=value):
            thing = scene.props.get(entity)
            return thing is not None and found.sees(entity) and dict(thing.states).get(attribute) == value
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
            return scene.people[entity].look.face == faces[entity].face
    return None


def _is_placed(claim: Placed, scene: Scene, catalog: Catalog) -> bool:
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


def facts(found: Truth, claims: Iterable[Claim], catalog: Catalog) -> dict[Claim, bool]:
    """Every claim that the picture decides, with its truth."""
    answers = ((claim, holds(claim, found, catalog)) for claim in claims)
    return {claim: answer for claim, answer in answers if answer is not None}
