"""What statements speak of, as the evaluator knows it: from captions (the catalog), looks and reference pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from storyengine.backends.ports import ReferenceImage
from storyengine.errors import CorruptData
from storyengine.language.captions import read_caption, read_catalog
from storyengine.media.picture import Picture, Pixels
from storyengine.plan import Catalog, Entity, Environment
from storyengine.previz.appearance import person_look, place_look, prop_look
from storyengine.previz.evaluator.light import PLAIN, Gain, expected_gain
from storyengine.previz.evaluator.seeing import Floats, Mask
from storyengine.previz.evaluator.signature import (
    Signature,
    bounding,
    read_reference,
    signature_from_words,
    signature_of,
)
from storyengine.previz.looks import PersonLook, PlaceLook, PropLook

_HERE = " — here: "


@dataclass(frozen=True, eq=False)
class Appearance:
    """A thing as a reference picture shows it."""

    values: tuple[str, ...]
    """The state it shows; empty where the caption says none."""
    signature: Signature
    pixels: Pixels = field(repr=False)
    mask: Mask = field(repr=False)


@dataclass(frozen=True, eq=False)
class ThingSubject:
    """A thing that statements speak of."""

    entity: Entity
    look: PropLook
    appearances: tuple[Appearance, ...]

    @cached_property
    def signature(self) -> Signature:
        """Its colours in any state: those of its pictures, or of its description."""
        if not self.appearances:
            return signature_from_words((self.look.colour, self.look.accent), (0.7, 0.3))
        if len(self.appearances) == 1:
            return self.appearances[0].signature
        own = [a.signature for a in self.appearances]
        colours = np.concatenate([s.colours for s in own])
        shares = (np.concatenate([s.shares for s in own]) / len(own)).astype(np.float32)
        first = own[0]
        return Signature(colours, shares, first.aspect, first.fill, first.layout)

    @property
    def pictured(self) -> bool:
        return bool(self.appearances)


@dataclass(frozen=True, eq=False)
class PersonSubject:
    """A person that statements speak of."""

    entity: Entity
    look: PersonLook
    figures: tuple[Appearance, ...]
    """Front, side and back of the identity sheet, as far as there is one."""

    @cached_property
    def signature(self) -> Signature:
        if self.figures:
            colours = np.concatenate([f.signature.colours for f in self.figures])
            together = np.concatenate([f.signature.shares for f in self.figures]) / len(self.figures)
            shares = together.astype(np.float32)
            return Signature(colours, shares)
        return self.words

    @cached_property
    def words(self) -> Signature:
        """What the description says: large garments, skin, hair."""
        colours = [g.colour for g in self.look.garments] + [self.look.skin, self.look.hair_colour]
        shares = [_GARMENT_SHARES.get(g.kind, 0.25) for g in self.look.garments] + [0.10, 0.06]
        return signature_from_words(colours, shares)


_GARMENT_SHARES = {
    "cap": 0.03, "flat cap": 0.03, "head-cloth": 0.04, "hard hat": 0.04, "wide hat": 0.05, "woolly hat": 0.04,
    "headscarf": 0.06, "scarf": 0.04, "neckerchief": 0.03, "gloves": 0.03, "fingerless gloves": 0.02, "boots": 0.06,
    "shoes": 0.03, "clogs": 0.03, "belt": 0.01, "back-brace": 0.05, "goggles": 0.01, "spectacles": 0.005,
    "braces": 0.02, "sash": 0.03, "apron": 0.2, "leather apron": 0.2,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class PlaceSubject:
    """A place that statements speak of."""

    environment: Environment
    look: PlaceLook
    view: Picture | None

    @property
    def gain(self) -> Gain:
        return expected_gain(self.environment.light)


@dataclass(frozen=True, eq=False)
class Subjects:
    """Everybody and everything, by the ids that captions make."""

    catalog: Catalog
    things: dict[str, ThingSubject]
    people: dict[str, PersonSubject]
    places: dict[str, PlaceSubject]

    @property
    def place(self) -> PlaceSubject | None:
        """The place whose view was shown with the frames: where the shot should play."""
        shown = [place for place in self.places.values() if place.view is not None]
        return shown[0] if shown else None

    @property
    def gain(self) -> Gain:
        place = self.place or (next(iter(self.places.values())) if len(self.places) == 1 else None)
        return place.gain if place else PLAIN


def read_subjects(captions: Sequence[str], references: Sequence[ReferenceImage]) -> Subjects:
    """The story's people, things and places with what their pictures show. Unreadable pictures are passed over."""
    lines = [*captions, *(reference.caption.partition(_HERE)[0] for reference in references)]
    catalog = read_catalog(lines)
    pictures = [(r.caption, p) for r in references if (p := _picture(r.image)) is not None]
    shown: dict[str, list[tuple[tuple[str, ...], Picture]]] = {}
    for caption, picture in pictures:
        told, _, here = caption.partition(_HERE)
        subject = read_caption(told)
        if subject is not None:
            values = tuple(here.split("; ")) if here else ()
            shown.setdefault(subject.id, []).append((values, picture))
    things = {e.id: _thing(e, shown.get(e.id, ())) for e in catalog.entities.values() if e.kind == "prop"}
    people = {e.id: _person(e, shown.get(e.id, ())) for e in catalog.characters()}
    places = {p.id: _place(p, shown.get(p.id, ())) for p in catalog.environments.values()}
    return Subjects(catalog, things, people, places)


def _picture(data: bytes) -> Picture | None:
    try:
        return Picture.from_bytes(data)
    except CorruptData:
        return None


def _thing(entity: Entity, shown: Iterable[tuple[tuple[str, ...], Picture]]) -> ThingSubject:
    appearances = []
    for values, picture in shown:
        pixels, mask = read_reference(picture.pixels)
        signature = signature_of(pixels, mask)
        if signature is not None:
            appearances.append(Appearance(values, signature, pixels, mask))
    return ThingSubject(entity, prop_look(entity.name, entity.look), tuple(appearances))


def _person(entity: Entity, shown: Iterable[tuple[tuple[str, ...], Picture]]) -> PersonSubject:
    figures: list[Appearance] = []
    for values, picture in shown:
        pixels, mask = read_reference(picture.pixels)
        for figure in _standing(mask):
            signature = signature_of(pixels, figure)
            if signature is not None:
                figures.append(Appearance(values, signature, pixels, figure))
    return PersonSubject(entity, person_look(entity.name, entity.look), tuple(figures))


def _standing(mask: Mask) -> list[Mask]:
    """The figures of a sheet, from left to right: parts wide enough and nearly as tall as the tallest."""
    columns = mask.any(axis=0)
    starts = np.flatnonzero(np.diff(np.concatenate([[0], columns.astype(np.int8), [0]])) == 1)
    ends = np.flatnonzero(np.diff(np.concatenate([[0], columns.astype(np.int8), [0]])) == -1)
    found: list[Mask] = []
    for start, end in zip(starts, ends, strict=True):
        part = np.zeros_like(mask)
        part[:, start:end] = mask[:, start:end]
        rect = bounding(part)
        if rect is not None and rect.h > 0.4 * mask.shape[0] and rect.w > 6:
            found.append(part)
    return found


def _place(
    environment: Environment,
    shown: Sequence[tuple[tuple[str, ...], Picture]] | Iterable[tuple[tuple[str, ...], Picture]],
) -> PlaceSubject:
    pictures = [picture for _, picture in shown]
    light = environment.light
    words = f"{light.look} {light.brightness}, {light.tone}"
    look = place_look(environment.name, environment.look, words)
    return PlaceSubject(environment, look, pictures[0] if pictures else None)


def floats(colour: tuple[float, float, float]) -> Floats:
    return np.array(colour, np.float32)


def resized(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
