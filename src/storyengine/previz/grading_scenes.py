"""Seeded random scenes for grading the evaluator: pictures as the studio makes them, and the truth about them.

People, things and places come from the benchmark's sheets, whose descriptions were written without looking at the
studio. A scene is asked for in a prompt like any other; what it really shows is read from the studio's own scene and
from the renderer's id buffer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from storyengine.backends.ports import PaintRequest, ReferenceImage
from storyengine.bench.story import load_story
from storyengine.language import Claim, HasAttribute, OnlyPeople, Placed, Present, render
from storyengine.language.captions import caption, read_catalog
from storyengine.language.sections import write_sections
from storyengine.media import panorama as sphere_views
from storyengine.media.picture import Picture
from storyengine.plan import Catalog, Entity, Environment, HeldBy, InContainer, InSceneZone, OnSurface, Placement
from storyengine.previz.studio.drawing import blemished, draw_view
from storyengine.previz.studio.painter import StudioPainter
from storyengine.previz.studio.scene import Scene, Thing
from storyengine.previz.studio.staging import numbers, rest
from storyengine.prompts import pictures

WIDTH, HEIGHT = 1280, 720
SHEET_SIZE, THING_SIZE, PANORAMA_WIDTH = (1152, 768), (512, 512), 4096

Random = np.random.Generator


@dataclass(frozen=True, eq=False)
class Staged:
    """A picture and what is true of it."""

    catalog: Catalog
    captions: tuple[str, ...]
    place: Environment
    scene: Scene
    picture: Picture
    shares: Mapping[str, float]
    """Share of the frame that everybody and everything in the scene shows."""
    references: tuple[ReferenceImage, ...] = field(repr=False)

    def shows(self, entity: str, least: float = 0.01) -> bool:
        return self.shares.get(entity, 0.0) >= least


@dataclass(frozen=True, eq=False)
class Company:
    """A story's people and things in one of its places, with the pictures that show them."""

    catalog: Catalog
    place: Environment
    painter: StudioPainter
    panorama: Picture
    seed: int

    @property
    def captions(self) -> tuple[str, ...]:
        subjects = (*self.catalog.entities.values(), *self.catalog.environments.values())
        return tuple(caption(subject) for subject in subjects)

    def sheet(self, person: Entity) -> ReferenceImage:
        return ReferenceImage(caption(person), self._paint(pictures.identity_sheet(person, ""), SHEET_SIZE))

    def reference(self, thing: Entity, values: tuple[tuple[str, str], ...]) -> ReferenceImage:
        claims = [HasAttribute(entity=thing.id, attribute=name, value=value) for name, value in values]
        prompt = pictures.state_reference(thing, claims, self.catalog, "")
        words = "; ".join(value for _, value in values)
        told = caption(thing) + (f" — here: {words}" if words else "")
        return ReferenceImage(told, self._paint(prompt, THING_SIZE))

    def view(self, yaw: float = 0.0, pitch: float = 0.0, fov: float = 70.0) -> ReferenceImage:
        picture = sphere_views.view(self.panorama, yaw, pitch, fov, WIDTH, HEIGHT)
        return ReferenceImage(caption(self.place), picture.to_png())

    def _paint(self, prompt: str, size: tuple[int, int], references: tuple[ReferenceImage, ...] = ()) -> bytes:
        return _paint(self.painter, prompt, size, references, self.seed)


def _paint(
    painter: StudioPainter, prompt: str, size: tuple[int, int], references: tuple[ReferenceImage, ...], seed: int
) -> bytes:
    outcome = painter.paint(PaintRequest(prompt, size[0], size[1], references, seed))
    if outcome.error is not None:
        raise outcome.error
    return outcome.data


def assemble(story: str, place: int, folder: Path, seed: int) -> Company:
    """The company of a story in one of its places. The painter is faultless and keeps its index in the folder."""
    sheet = load_story(story).sheet
    subjects = (*sheet.cast, *sheet.props, *sheet.places)
    catalog = read_catalog([caption(subject) for subject in subjects])
    where = list(catalog.environments.values())[place % len(catalog.environments)]
    painter = StudioPainter("none", folder)
    fixed = [e for e in catalog.entities.values() if "fixed" in e.roles][:4]
    there = [_at(entity, where, number) for number, entity in enumerate(fixed)]
    prompt = write_sections(
        {
            "TASK": "Paint a seamless panorama all around the middle of an empty place, twice as wide as it is high.",
            "PLACE": [caption(where)],
            "FIXED THINGS": [caption(entity) for entity in fixed],
            "WHERE THEY ARE": [render(claim, catalog) for claim in there],
        }
    )
    data = _paint(painter, prompt, (PANORAMA_WIDTH, PANORAMA_WIDTH // 2), (), seed)
    return Company(catalog, where, painter, Picture.from_bytes(data), seed)


def _at(entity: Entity, where: Environment, number: int) -> Placed:
    zone = where.zones[number % len(where.zones)]
    return Placed(entity=entity.id, placement=InSceneZone(environment=where.id, zone=zone.id))


def stage(company: Company, random: Random) -> Staged:
    """One random scene of a company: who is there, what stands, lies, is held, in which states."""
    catalog = company.catalog
    claims = tuple(_draw(catalog, company.place, random))
    named = {claim.entity for claim in claims if isinstance(claim, Placed | Present | HasAttribute)}
    there = [catalog.entities[e] for e in catalog.entities if e in named]
    framing = ("wide", "medium", "medium", "tight")[int(random.integers(4))]
    sheets = [company.sheet(entity) for entity in there if entity.kind == "character"]
    prompt = write_sections(
        {
            "TASK": "Paint the opening picture of a shot, exactly as described.",
            "PLACE": [caption(company.place)],
            "WHO AND WHAT": [caption(entity) for entity in there],
            "MUST SHOW": [render(claim, catalog) for claim in claims],
            "CAMERA AND LAYOUT": f"{framing} framing; camera still",
        }
    )
    data = company._paint(prompt, (WIDTH, HEIGHT), (company.view(), *sheets))
    picture = Picture.from_bytes(data)
    scene = company.painter.index.recognise(picture)
    assert scene is not None, "the studio knows what it painted"
    return staged(company, scene, picture, sheets, random)


def staged(
    company: Company, scene: Scene, picture: Picture, sheets: Sequence[ReferenceImage], random: Random
) -> Staged:
    """A scene with its picture, its truth and the references that a judge of it is shown."""
    lens = scene.lens
    assert lens is not None
    references = [company.view(lens.yaw, lens.pitch, lens.fov), *sheets]
    for entity in company.catalog.entities.values():
        if entity.kind == "prop" and entity.id in scene.props:
            references += _pictured(company, entity, scene.props[entity.id], random)
    return Staged(
        company.catalog, company.captions, company.place, scene, picture, shown_shares(scene), tuple(references)
    )


def _pictured(company: Company, entity: Entity, thing: Thing, random: Random) -> Iterator[ReferenceImage]:
    """The thing in its state; half of the time also in another one, as in a shot that changes it."""
    yield company.reference(entity, thing.states)
    if entity.attributes and random.random() < 0.5:
        attribute = entity.attributes[int(random.integers(len(entity.attributes)))]
        now = dict(thing.states).get(attribute.name)
        other = next(value for value in attribute.values if value != now)
        yield company.reference(entity, thing.with_state(attribute.name, other).states)


def drawn(scene: Scene) -> Picture:
    """A scene of the grade as pixels: for scenes that were changed on purpose."""
    frame = draw_view(scene, rest(scene), WIDTH, HEIGHT)
    return Picture(blemished(np.ascontiguousarray(frame.pixels[:HEIGHT, :WIDTH]), scene.blemish))


def id_buffer(scene: Scene) -> npt.NDArray[np.int32]:
    frame = draw_view(scene, rest(scene), WIDTH // 2, HEIGHT // 2, truth=True)
    assert frame.ids is not None
    return np.asarray(frame.ids, np.int32)


def shown_shares(scene: Scene) -> dict[str, float]:
    """How much of the frame everybody and everything in a scene shows."""
    ids = id_buffer(scene)
    found, counts = np.unique(ids, return_counts=True)
    by_number = dict(zip(found.tolist(), (counts / ids.size).tolist(), strict=True))
    return {name: by_number.get(number, 0.0) for name, number in numbers(scene).items()}


# --- what a scene shall hold ----------------------------------------------------------------------------------


def _draw(catalog: Catalog, place: Environment, random: Random) -> Iterator[Claim]:
    people = list(catalog.characters())
    cast = people[: 1 + int(random.random() < 0.45 and len(people) > 1)]
    for person in cast:
        yield Present(entity=person.id)
        zone = place.zones[int(random.integers(len(place.zones)))]
        yield Placed(entity=person.id, placement=InSceneZone(environment=place.id, zone=zone.id))
    yield OnlyPeople(entities=tuple(person.id for person in cast))
    props = [e for e in catalog.entities.values() if e.kind == "prop"]
    chosen = [props[i] for i in random.permutation(len(props))[: 3 + int(random.integers(4))]]
    held: set[str] = set()
    for thing in chosen:
        for attribute in thing.attributes:
            value = attribute.values[int(random.integers(len(attribute.values)))]
            yield HasAttribute(entity=thing.id, attribute=attribute.name, value=value)
        placement = _somewhere(thing, chosen, cast, place, held, random)
        yield Present(entity=thing.id)
        yield Placed(entity=thing.id, placement=placement)


def _somewhere(
    thing: Entity, chosen: Sequence[Entity], cast: Sequence[Entity], place: Environment, held: set[str], random: Random
) -> Placement:
    """A placement that the thing's roles allow; only what bears nothing itself is put on, in or into hands."""
    zone = place.zones[int(random.integers(len(place.zones)))]
    standing = InSceneZone(environment=place.id, zone=zone.id)
    if thing.roles and not {"fixed", "wheeled", "surface"}.isdisjoint(thing.roles):
        return standing
    surfaces = [e for e in chosen if "surface" in e.roles and e.id != thing.id]
    containers = [e for e in chosen if "container" in e.roles and e.id != thing.id and "fixed" in e.roles]
    choice = random.random()
    if choice < 0.35 and surfaces:
        return OnSurface(surface=surfaces[int(random.integers(len(surfaces)))].id)
    if choice < 0.5 and containers and not thing.roles:
        return InContainer(container=containers[int(random.integers(len(containers)))].id)
    free = [person for person in cast if person.id not in held]
    if choice < 0.85 and free:
        held.add(free[0].id)
        return HeldBy(holder=free[0].id)
    return standing


@lru_cache(maxsize=1)
def story_names() -> tuple[str, ...]:
    from storyengine.bench.briefs import story_ids

    return tuple(story_ids(mini=True))


def with_face(scene: Scene, person: str, face: int) -> Scene:
    """The scene with somebody else's face on a person."""
    actor = scene.people[person]
    return scene.with_actor(replace(actor, look=replace(actor.look, face=face)))
