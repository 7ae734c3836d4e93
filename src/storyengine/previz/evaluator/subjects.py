"""What statements speak of, as the evaluator knows it: from captions (the catalog), looks and reference pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations, product
from typing import ClassVar

import cv2
import numpy as np

from storyengine.backends.ports import ReferenceImage
from storyengine.errors import CorruptData
from storyengine.language.captions import read_caption, read_catalog
from storyengine.media.picture import Picture, Pixels
from storyengine.plan import Catalog, Entity, Environment
from storyengine.previz.appearance import landmark_fitting, person_look, place_look, prop_look
from storyengine.previz.evaluator.attention import parts_of
from storyengine.previz.evaluator.finding import Known
from storyengine.previz.evaluator.networks import (
    Floats,
    axis_numbers,
    layers,
    person_numbers,
    person_query,
    picture_input,
    run,
    thing_numbers,
    thing_query,
)
from storyengine.previz.evaluator.seeing import Mask, cut_out
from storyengine.previz.looks import PersonLook, PlaceLook, PropLook
from storyengine.previz.props import only_turned, resolve
from storyengine.previz.props.model import FAMILIES

STATE_SIZE, STATE = 160, 1.25
"""Side of a window, and of a picture, that tell the state of a thing, and half of it in halves of the thing's longer
side."""
LIKENESS_SIZE, PHOTO_SIZE = 128, 112
"""Sides of windows, and of pictures, that tell which thing it is, for each of the two networks."""
OTHER_LEVEL, OTHER_PART = 24, 0.01
"""Levels by which, and part of a picture in which, another state looks different."""
_HERE = " — here: "
_COLUMNS = (0.2, 0.5, 0.8)
"""Where front, side and rear stand on an identity sheet, of its width."""


@dataclass(frozen=True, eq=False)
class Appearance:
    """A thing as a reference picture shows it."""

    values: tuple[str, ...]
    """Its state; empty where nothing says one."""
    look: PropLook
    pixels: Pixels = field(repr=False)

    @cached_property
    def numbers(self) -> Floats:
        """How far it is open, full and so on, and its look."""
        _, axes = resolve(self.look, self.values)
        return np.concatenate([axis_numbers(axes), thing_numbers(self.look)])

    @cached_property
    def parts(self) -> Floats:
        """The picture, to be compared with a window part by part: which state is it in?"""
        return self._parts("state", STATE_SIZE)

    @cached_property
    def likeness(self) -> Floats:
        """The same: is it this thing at all?"""
        return self._parts("likeness", LIKENESS_SIZE)

    def _parts(self, network: str, size: int) -> Floats:
        picture = picture_input(self._free, size, size)
        return parts_of(network, np.concatenate([picture, np.zeros_like(picture[:, :2])], axis=1))

    @cached_property
    def _free(self) -> Pixels:
        return cut_free(self.pixels)


@dataclass(frozen=True, eq=False)
class ThingSubject:
    """A thing that statements speak of."""

    entity: Entity
    look: PropLook
    shown: tuple[Appearance, ...]
    """As reference pictures show it."""

    fitting: str | None = None
    """The kind of equipment that a landmark is."""

    @property
    def known(self) -> Known:
        return "shown" if self.shown else "told"

    @property
    def is_pushed(self) -> bool:
        """Whether it goes on wheels: who moves it holds its handles."""
        return FAMILIES[self.look.family].carry == "push"

    @cached_property
    def numbers(self) -> Floats:
        """Its look."""
        return thing_numbers(self.look)

    @cached_property
    def query(self) -> Floats:
        """What to look for in a frame."""
        return thing_query([a.pixels for a in self.shown], thing_numbers(self.look, self.fitting))

    @cached_property
    def photos(self) -> Floats:
        """Its pictures, one row each, as the network that knew photographs compares them with a window."""
        unmarked = np.zeros((1, 1, PHOTO_SIZE, PHOTO_SIZE), np.float32)
        pictures = [picture_input(a.pixels, PHOTO_SIZE, PHOTO_SIZE) for a in self.shown]
        known = [run("photo_look", np.concatenate([picture, unmarked], axis=1))[0][0] for picture in pictures]
        return layers("photo", "told", np.concatenate([np.array(known), [self.numbers] * len(known)], axis=1))

    def in_state(self, value: str) -> Appearance | None:
        """How it appears with a value of an attribute, where a picture shows it."""
        return next((a for a in self.shown if value in a.values), None)

    def in_states(self, values: Sequence[str]) -> dict[str, Appearance]:
        """How it appears with each value of an attribute, where a picture shows it: those with most else in common,
        so that a jug with a plain handle is not told from one with a gold handle by its being broken."""
        shown = {v: pictures for v in values if (pictures := [a for a in self.shown if v in a.values])}

        def alike(some: Iterable[Appearance]) -> int:
            rest = [set(picture.values) - {value} for value, picture in zip(shown, some, strict=True)]
            return sum(len(one & other) for one, other in combinations(rest, 2))

        return dict(zip(shown, max(product(*shown.values()), key=alike), strict=True))

    def only_turned(self, value: str, other: str) -> bool:
        """Whether a thing in two states differs only by the way it stands."""
        return only_turned(self.look, (value,), (other,))

    def differs(self, value: str, other: str) -> bool:
        """Whether pictures show a thing in two states, and differently."""
        both = self.in_states((value, other))
        if len(both) < 2 or both[value].pixels.shape != both[other].pixels.shape:
            return False
        first, second = both[value], both[other]
        apart = np.abs(first.pixels.astype(np.int16) - second.pixels).max(axis=2) > OTHER_LEVEL
        return bool(apart.mean() >= OTHER_PART)


@dataclass(frozen=True, eq=False)
class PersonSubject:
    """A person that statements speak of."""

    entity: Entity
    look: PersonLook
    sheet: Pixels | None = field(repr=False)
    known: ClassVar[Known] = "person"

    @cached_property
    def _figures(self) -> list[Pixels]:
        """Front, side and rear of the identity sheet, where there is one."""
        if self.sheet is None:
            return []
        width = self.sheet.shape[1]
        half = int(0.15 * width)
        return [self.sheet[:, max(0, int(c * width) - half) : int(c * width) + half] for c in _COLUMNS]

    @cached_property
    def query(self) -> Floats:
        """Whom to look for in a frame."""
        return person_query(self._figures, person_numbers(self.look))

    @cached_property
    def heads(self) -> Floats | None:
        """The head of the sheet's front, side and rear, each as a direction; None without them."""
        crops = [crop for figure in self._figures if (crop := _head_of(figure)) is not None]
        return np.stack([face_direction(crop) for crop in crops]) if crops else None


FACE_SIZE = 80
"""Side of a face as the face network takes it."""


def face_direction(pixels: Pixels) -> Floats:
    direction = run("face", picture_input(pixels, FACE_SIZE, FACE_SIZE))[0][0]
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
    return np.asarray(cut_out(figure, middle, (half, half), (FACE_SIZE, FACE_SIZE)), np.uint8)


def cut_free(pixels: Pixels) -> Pixels:
    """The thing before a plain backdrop as a window shows it: with a margin, and square."""
    seen = _silhouette(pixels)
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if not len(rows):
        rows, columns = np.arange(seen.shape[0]), np.arange(seen.shape[1])
    half = STATE * max(rows[-1] - rows[0], columns[-1] - columns[0], 8) / 2
    middle = ((columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2)
    return np.asarray(cut_out(pixels, middle, (half, half), (STATE_SIZE, STATE_SIZE)), np.uint8)


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


def thing_subject(
    entity: Entity, shown: Sequence[tuple[tuple[str, ...], Picture]] = (), *, fixed: bool = False
) -> ThingSubject:
    """`fixed` things are landmarks: perhaps equipment of the place, which looks otherwise than a prop of that name."""
    look = prop_look(entity.name, entity.look)
    pictures = tuple(Appearance(values, look, picture.pixels) for values, picture in shown)
    kind = landmark_fitting(entity.name, entity.look) if fixed else None
    return ThingSubject(entity, look, pictures, f"fitting {kind}" if kind else None)


def _person(entity: Entity, shown: Sequence[tuple[tuple[str, ...], Picture]]) -> PersonSubject:
    sheet = shown[0][1].pixels if shown else None
    return PersonSubject(entity, person_look(entity.name, entity.look), sheet)


def _place(environment: Environment, shown: Sequence[tuple[tuple[str, ...], Picture]]) -> PlaceSubject:
    light = environment.light
    words = f"{light.look} {light.brightness}, {light.tone}"
    look = place_look(environment.name, environment.look, words)
    return PlaceSubject(environment, look, tuple(picture for _, picture in shown))
