"""Finding: which cells of a frame show a query, which regions they make, and how sure each region is the thing."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from storyengine.previz.evaluator.networks import FEATURES, Floats, run
from storyengine.previz.evaluator.seeing import CELL, Mask, Rect, Sight
from storyengine.previz.evaluator.subjects import Appearance, PersonSubject, ThingSubject

MOST = 4
"""Regions that are looked at more closely, per frame and query."""
SMALLEST = 6
"""Cells that make a region."""
FIRM = 96
"""Cells by which a region's firmness is told."""
MARGIN = 1.2
"""How much wider than the region the window is that is looked at."""
THING, PERSON = (96, 96), (96, 128)
"""Width and height of the windows."""


@dataclass(frozen=True, eq=False)
class Region:
    """A part of a frame that may show what was looked for."""

    rect: Rect
    likely: Floats
    """How likely each cell of the frame shows it, outside the region 0."""
    share: float
    """Of the frame."""
    score: float
    """0…1: how sure it is."""

    @property
    def mask(self) -> Mask:
        """Its cells; where none is likely, the likeliest."""
        return np.asarray(self.likely > min(0.5, 0.8 * float(self.likely.max())), np.bool_)


def answers(sight: Sight, query: Floats) -> Floats:
    """How strongly each cell answers a query, as log-odds."""
    vectors = sight.features[:FEATURES]
    each = np.tensordot(query[:, :FEATURES], vectors, axes=1) * (2 / FEATURES**0.5) + query[:, FEATURES, None, None]
    top = each.max(axis=0)
    return np.asarray(top + np.log(np.exp(2 * (each - top)).sum(axis=0)) / 2, np.float32)


def find_thing(sight: Sight, subject: ThingSubject) -> tuple[Region, ...]:
    """Regions that may be the thing, the surest first. Words and pictures are asked apart: each errs its own way.

    The weights of the certainty are a logistic fit to sixty graded scenes (seed 101) with as many things there as not.
    """
    told = answers(sight, subject.described.search)
    shown = np.max([answers(sight, a.search) for a in subject.shown], axis=0) if subject.shown else told
    odds = np.asarray((told + shown) / 2, np.float32)
    found = []
    for likely, rect in _regions(odds):
        near = likely > 0
        firm = (_firmness(told, near), _firmness(shown, near))
        share = float((likely > 0.5).mean())
        found.append(Region(rect, likely, share, _certainty(0.69 * firm[0] + 0.19 * firm[1] + 1.12)))
    return tuple(sorted(found, key=lambda region: -region.score))


def find_person(sight: Sight, subject: PersonSubject) -> tuple[Region, ...]:
    """Regions that may be the person, the surest first."""
    odds = answers(sight, subject.search)
    found = []
    for likely, rect in _regions(odds):
        features = features_of(sight, rect, likely, PERSON)
        alike = person_likeness(features, subject)
        share = float((likely > 0.5).mean())
        score = _certainty(1.6 * _firmness(odds, likely > 0) + 0.4 * alike - 1.5)
        found.append(Region(rect, likely, share, score))
    return tuple(sorted(found, key=lambda region: -region.score))


def _firmness(odds: Floats, near: Mask) -> float:
    """How strongly the best cells of a region answer."""
    return float(np.sort(odds[near])[-FIRM:].mean())


def _regions(odds: Floats) -> list[tuple[Floats, Rect]]:
    """Cells that hang together and answer, the strongest first: their likelihood and rectangle."""
    likely = 1 / (1 + np.exp(-odds))
    level = 0.5 if (odds > 0).sum() >= SMALLEST else float(np.sort(likely.ravel())[-FIRM])
    seen = (likely >= level).astype(np.uint8)
    joined = cv2.dilate(seen, np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    found = []
    for number in range(1, count):
        near = labels == number
        own = near & (seen > 0)
        if own.sum() >= SMALLEST:
            rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
            left, top = int(columns[0]) * CELL, int(rows[0]) * CELL
            rect = Rect(left, top, (int(columns[-1]) + 1) * CELL - left, (int(rows[-1]) + 1) * CELL - top)
            strength = _firmness(odds, near) + 0.002 * float(own.sum())
            found.append((strength, np.where(near, likely, 0).astype(np.float32), rect))
    found.sort(key=lambda region: -region[0])
    return [(region, rect) for _, region, rect in found[:MOST]]


def state_odds(sight: Sight, region: Region, subject: ThingSubject, value: str) -> float:
    """Log-odds that a region shows the thing with a value of an attribute, to be compared with those of others."""
    features = features_of(sight, region.rect, region.likely, THING)
    return max(float(_held_against(features, appearance)[1]) for appearance in subject.in_state(value))


def features_of(sight: Sight, rect: Rect, likely: Floats, size: tuple[int, int]) -> Floats:
    """A window around a region as the close look takes it: colours, and which part of it is meant."""
    width, height = size
    if width == height:
        reach = max(rect.w, rect.h) / 2 * MARGIN
        half = (reach, reach)
    else:
        tall = max(rect.h / 2, rect.w / 2 * height / width) * MARGIN
        half = (tall * width / height, tall)
    colours = sight.window(rect.centre, half, size).astype(np.float32) / 255
    meant = sight.cells(likely, rect.centre, half, size)
    window = np.concatenate([(colours.transpose(2, 0, 1) - 0.5) / 0.25, meant[None] * 2 - 1])[None]
    return run("crop_thing" if width == height else "crop_person", window)


def person_likeness(features: Floats, subject: PersonSubject) -> float:
    """That a figure is the person, as log-odds."""
    return float(run("crop_person_head", features, subject.check[None])[0][0])


def _held_against(features: Floats, appearance: Appearance) -> Floats:
    """(the same thing, in the same state) as log-odds."""
    return np.asarray(run("crop_thing_head", features, appearance.check[None])[0], np.float32)


def _certainty(odds: float) -> float:
    return float(1 / (1 + np.exp(-odds)))


# --- people whom nobody named --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeadSeen:
    """A head: its middle and half its height in pixels of the small picture, and where it faces."""

    x: float
    y: float
    radius: float
    facing: float
    """1 faces the camera, -1 turns its back."""
    score: float

    @property
    def rect(self) -> Rect:
        r = self.radius
        return Rect(round(self.x - r), round(self.y - r), round(2 * r), round(2 * r))


@dataclass(frozen=True, eq=False)
class Crowd:
    """Every head of a frame, and the cells that show people at all."""

    heads: tuple[HeadSeen, ...]
    people: Floats


def find_crowd(sight: Sight) -> Crowd:
    people = 1 / (1 + np.exp(-sight.features[FEATURES]))
    return Crowd(tuple(_heads(sight)), np.asarray(people, np.float32))


HEAD = 0.35
"""Likelihood from which a peak is a head."""


def _heads(sight: Sight) -> list[HeadSeen]:
    at = sight.features[FEATURES + 1]
    likely = 1 / (1 + np.exp(-cv2.GaussianBlur(at, (3, 3), 0.8)))
    found: list[HeadSeen] = []
    for index in np.argsort(-likely, axis=None)[:400]:
        row, column = divmod(int(index), likely.shape[1])
        score = float(likely[row, column])
        if score < HEAD:
            break
        radius = 20 * float(np.exp(np.clip(sight.features[FEATURES + 2, row, column], -2.5, 2.5)))
        x, y = column * CELL + CELL / 2, row * CELL + CELL / 2
        if all((h.x - x) ** 2 + (h.y - y) ** 2 > (1.1 * max(h.radius, radius)) ** 2 for h in found):
            facing = float(np.clip(sight.features[FEATURES + 3, row, column], -1, 1))
            found.append(HeadSeen(x, y, radius, facing, score))
    return found


def figure_under(sight: Sight, head: HeadSeen, people: Floats) -> Floats:
    """The figure that a head belongs to, as the close look takes it: down to the knees, with room for the arms."""
    tall, wide = 9 * head.radius, 4.5 * head.radius
    rect = Rect(round(head.x - wide / 2), round(head.y - 1.2 * head.radius), round(wide), round(tall)).within(
        sight.shape
    )
    inside = np.zeros_like(people)
    rows = slice(rect.y // CELL, max(rect.bottom // CELL, 1))
    columns = slice(rect.x // CELL, max(rect.right // CELL, 1))
    inside[rows, columns] = people[rows, columns]
    return features_of(sight, rect, inside, PERSON)
