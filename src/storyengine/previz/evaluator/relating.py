"""How a thing relates to another one or to somebody: held, on, in, fastened to, or none of these.

A window around the thing is looked at once, part by part; for whatever it may relate to, attention weighs its parts
with what shows the thing, the other and anybody in each of them. `scripts/evaluator/relation_net.py` is the same, as it
learns.
"""

from __future__ import annotations

import math

import numpy as np

from storyengine.previz.evaluator.attention import PARTS, answer
from storyengine.previz.evaluator.networks import Floats, linear, tables
from storyengine.previz.evaluator.seeing import Rect

RELATIONS = ("held", "on", "in", "fastened", "none")
PATCH = 4
"""Numbers of a mask in each part, each way."""
FARTHEST = 4.0
"""Half windows beyond which it does not matter how far away something is."""


def geometry(thing: Rect, other: Rect, half: float) -> Floats:
    """Where the other one lies, seen from the thing, and how large both are, in halves of the window."""
    across, down = other.centre[0] - thing.centre[0], other.centre[1] - thing.centre[1]
    lengths = [across, down, other.w, other.h, thing.w, thing.h]
    near = [min(max(length / half, -FARTHEST), FARTHEST) for length in lengths]
    return np.array([*near, math.log(half / 50)], np.float32)


def other_numbers(looks: tuple[Floats, Floats | None], where: Floats) -> Floats:
    """What is told of the other one: its look (None for people), whether it is somebody, and where it lies."""
    thing, other = looks
    return np.concatenate([np.zeros_like(thing) if other is None else other, [float(other is None)], where])


def related(parts: Floats, masks: Floats, thing: Floats, other: Floats) -> Floats:
    """Log-odds of each relation. `masks` (3, 40, 40) tell what shows the thing, the other one and anybody; `thing` and
    `other` are what is told of them."""
    known = tables("relation")
    kind = known["kind"]
    patches = masks.reshape(len(masks), PARTS, PATCH, PARTS, PATCH).transpose(1, 3, 0, 2, 4).reshape(PARTS**2, -1)
    tokens = [
        kind[:1],
        linear("relation", "window", np.concatenate([parts, patches], axis=1)) + known["where"] + kind[1],
        linear("relation", "thing", thing)[None] + kind[2],
        linear("relation", "other", other)[None] + kind[3],
    ]
    return answer("relation", np.concatenate(tokens).astype(np.float32))
