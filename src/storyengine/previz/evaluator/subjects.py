"""What statements speak of, as the evaluator knows it: from captions (the catalog), looks and reference pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import cv2
import numpy as np

from storyengine.backends.ports import ReferenceImage
from storyengine.errors import CorruptData
from storyengine.language.captions import read_caption, read_catalog
from storyengine.media.picture import Picture, Pixels
from storyengine.plan import Catalog, Entity, Environment
from storyengine.previz.appearance import person_look, place_look, prop_look
from storyengine.previz.evaluator.networks import (
    FEATURES,
    PROTOTYPES,
    Floats,
    person_numbers,
    person_query,
    run,
    thing_numbers,
    thing_query,
)
from storyengine.previz.evaluator.seeing import Mask, cut_out
from storyengine.previz.looks import PersonLook, PlaceLook, PropLook
from storyengine.previz.props import resolve

_HERE = " — here: "
_COLUMNS = (0.2, 0.5, 0.8)
"""Where front, side and rear stand on an identity sheet, of its width."""


@dataclass(frozen=True, eq=False)
class Appearance:
    """A thing as a picture shows it, or as words alone describe it."""

    values: tuple[str, ...]
    """The state; empty where nothing says one."""
    look: PropLook
    pixels: Pixels | None = field(repr=False, default=None)

    @cached_property
    def _numbers(self) -> Floats:
        look, axes = resolve(self.look, self.values)
        return thing_numbers(look, axes)

    @cached_property
    def search(self) -> Floats:
        """What to look for in the cells of a frame."""
        return thing_query("frame", self.pixels, self._numbers).reshape(PROTOTYPES, FEATURES + 1)

    @cached_property
    def check(self) -> Floats:
        """What to hold against a region."""
        return thing_query("crop", self.pixels, self._numbers)


@dataclass(frozen=True, eq=False)
class ThingSubject:
    """A thing that statements speak of."""

    entity: Entity
    look: PropLook
    shown: tuple[Appearance, ...]
    """As reference pictures show it."""

    @cached_property
    def described(self) -> Appearance:
        """As its words alone describe it."""
        return Appearance((), self.look)

    def in_state(self, value: str) -> tuple[Appearance, ...]:
        """How it appears with a value of an attribute: by pictures of it, else by the words."""
        pictured = tuple(a for a in self.shown if value in a.values)
        return pictured or (Appearance((value,), self.look),)


@dataclass(frozen=True, eq=False)
class PersonSubject:
    """A person that statements speak of."""

    entity: Entity
    look: PersonLook
    sheet: Pixels | None = field(repr=False)

    @cached_property
    def _figures(self) -> list[Pixels]:
        """Front, side and rear of the identity sheet, where there is one."""
        if self.sheet is None:
            return []
        width = self.sheet.shape[1]
        half = int(0.15 * width)
        return [self.sheet[:, max(0, int(c * width) - half) : int(c * width) + half] for c in _COLUMNS]

    @cached_property
    def search(self) -> Floats:
        query = person_query("frame", self._figures, person_numbers(self.look))
        return query.reshape(PROTOTYPES, FEATURES + 1)

    @cached_property
    def check(self) -> Floats:
        return person_query("crop", self._figures, person_numbers(self.look))

    @cached_property
    def faces(self) -> tuple[Floats, ...]:
        """The directions of the sheet's front and side face."""
        found = []
        for figure in self._figures[:2]:
            crop = _head_of(figure)
            if crop is not None:
                found.append(face_direction(crop))
        return tuple(found)


FACE = 80
"""Side of a face as the face network takes it."""


def face_direction(pixels: Pixels) -> Floats:
    values = np.asarray(pixels.transpose(2, 0, 1)[None] / 255, np.float32)
    direction = run("face", values)[0]
    return np.asarray(direction / max(float(np.linalg.norm(direction)), 1e-6), np.float32)


def _head_of(figure: Pixels) -> Pixels | None:
    """The head of a figure that stands alone before a plain backdrop."""
    mask = _silhouette(figure)
    rows = np.flatnonzero(mask.sum(axis=1) > 2)
    if len(rows) < 20:
        return None
    top, tall = int(rows[0]), int(rows[-1] - rows[0])
    columns = np.flatnonzero(mask[top : top + max(int(0.12 * tall), 2)].sum(axis=0) > 1)
    if len(columns) == 0:
        return None
    middle = ((columns[0] + columns[-1]) / 2, top + 0.052 * tall)
    half = 0.095 * tall
    return np.asarray(cut_out(figure, middle, (half, half), (FACE, FACE)), np.uint8)


def _silhouette(figure: Pixels) -> Mask:
    """What differs from the backdrop, which the upper corners show, row by row."""
    edge = np.concatenate([figure[:, :6], figure[:, -6:]], axis=1).astype(np.int16)
    backdrop = np.median(edge, axis=1)[:, None]
    apart = np.abs(figure.astype(np.int16) - backdrop).max(axis=2).astype(np.uint8)
    solid = cv2.morphologyEx((apart > 26).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(solid, np.bool_)


@dataclass(frozen=True, eq=False)
class PlaceSubject:
    """A place that statements speak of."""

    environment: Environment
    look: PlaceLook
    views: tuple[Picture, ...]
    """Reference views, among them perhaps a panorama."""


@dataclass(frozen=True, eq=False)
class Subjects:
    """Everybody and everything, by the ids that captions make."""

    catalog: Catalog
    things: dict[str, ThingSubject]
    people: dict[str, PersonSubject]
    places: dict[str, PlaceSubject]


@lru_cache(maxsize=6)
def read_subjects(captions: tuple[str, ...], references: tuple[ReferenceImage, ...]) -> Subjects:
    """The story's people, things and places with what their pictures show. Unreadable pictures are passed over.

    Remembered, because a shot's gate, openings and candidates are judged with the same references.
    """
    lines = [*captions, *(reference.caption.partition(_HERE)[0] for reference in references)]
    catalog = read_catalog(lines)
    shown: dict[str, list[tuple[tuple[str, ...], Picture]]] = {}
    for reference in references:
        told, _, here = reference.caption.partition(_HERE)
        subject, picture = read_caption(told), _picture(reference.image)
        if subject is not None and picture is not None:
            shown.setdefault(subject.id, []).append((tuple(here.split("; ")) if here else (), picture))
    things = {e.id: thing_subject(e, shown.get(e.id, [])) for e in catalog.entities.values() if e.kind == "prop"}
    people = {e.id: _person(e, shown.get(e.id, [])) for e in catalog.characters()}
    places = {p.id: _place(p, shown.get(p.id, [])) for p in catalog.environments.values()}
    return Subjects(catalog, things, people, places)


def _picture(data: bytes) -> Picture | None:
    try:
        return Picture.from_bytes(data)
    except CorruptData:
        return None


def thing_subject(entity: Entity, shown: Sequence[tuple[tuple[str, ...], Picture]] = ()) -> ThingSubject:
    look = prop_look(entity.name, entity.look)
    return ThingSubject(entity, look, tuple(Appearance(values, look, picture.pixels) for values, picture in shown))


def _person(entity: Entity, shown: Sequence[tuple[tuple[str, ...], Picture]]) -> PersonSubject:
    sheet = shown[0][1].pixels if shown else None
    return PersonSubject(entity, person_look(entity.name, entity.look), sheet)


def _place(environment: Environment, shown: Sequence[tuple[tuple[str, ...], Picture]]) -> PlaceSubject:
    light = environment.light
    words = f"{light.look} {light.brightness}, {light.tone}"
    look = place_look(environment.name, environment.look, words)
    return PlaceSubject(environment, look, tuple(picture for _, picture in shown))
