"""A window held against pictures of a thing in its states, part by part: which of them does it agree with?

Window and pictures are maps of 10×10 parts. Every part knows how well it finds itself in the others; a few layers of
attention tell which of two pictures the window agrees with. `scripts/evaluator/state_net.py` is the same, as it learns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from storyengine.previz.evaluator.networks import Floats, linear, run, tables

PARTS, HEADS, LAYERS = 10, 4, 3
"""Parts each way; heads and layers of attention."""
NO_LENGTH, NO_SPREAD = 1e-4, 1e-5
"""Length of a vector below which it has no direction, and what is added to a variance, as in teaching."""


def parts_of(picture: Floats) -> Floats:
    """Colours and marks (1, 5, size, size) to (parts, channels)."""
    (found,) = run("state_parts", picture)
    return _level(np.ascontiguousarray(found[0].reshape(found.shape[1], -1).T))


def compared(window: Floats, mask: Floats, pictures: Sequence[Floats], numbers: Sequence[Floats]) -> Floats:
    """Log-odds of every state, to be compared with each other. `mask` tells which parts show the thing; a state is the
    parts of a picture of it, and numbers of its axes and its look."""
    told = linear("state", "told", np.stack(numbers))
    seen = [_direction(part) for part in (window, *pictures)]
    odds = np.zeros((len(pictures), len(pictures)), np.float32)
    for one, other in combinations(range(len(pictures)), 2):
        pair = (pictures[one], pictures[other])
        directions = (seen[0], seen[1 + one], seen[1 + other])
        odds[one, other] = _first(window, mask, pair, directions, (told[one], told[other]))
        odds[other, one] = -odds[one, other]
    return np.asarray(odds.mean(axis=1), np.float32)


def _first(
    window: Floats, mask: Floats, pair: tuple[Floats, Floats], directions: tuple[Floats, ...], told: tuple[Floats, ...]
) -> float:
    """Log-odds of the first of two states."""
    w, a, b = directions
    with_a, with_b, between = w @ a.T, w @ b.T, a @ b.T
    hidden = (1 - mask)[:, None]
    in_a, in_b = with_a.max(axis=1), with_b.max(axis=1)
    marks = np.stack([mask, in_a, in_b, 4 * (in_a - in_b)], axis=1)
    found_a = np.stack([(with_a - hidden).max(axis=0), between.max(axis=1)], axis=1)
    found_b = np.stack([(with_b - hidden).max(axis=0), between.max(axis=0)], axis=1)
    known = tables("state")
    where, kind = known["where"], known["kind"]
    x = np.concatenate(
        [
            kind[:1],
            linear("state", "window", np.concatenate([window, marks], axis=1)) + where + kind[1],
            linear("state", "picture", np.concatenate([pair[0], found_a], axis=1)) + where + kind[2],
            linear("state", "picture", np.concatenate([pair[1], found_b], axis=1)) + where + kind[3],
            told[0][None] + kind[4],
            told[1][None] + kind[5],
        ]
    ).astype(np.float32)
    for number in range(LAYERS):
        x = _attended(x, f"layers.{number}")
    return float(linear("state", "last", _normal(x[:1], "norm"))[0, 0])


def _attended(x: Floats, layer: str) -> Floats:
    """Tokens look at each other, then each by itself."""
    asked = linear("state", f"{layer}.ask", _normal(x, f"{layer}.first"))
    query, key, value = (part.reshape(len(x), HEADS, -1).transpose(1, 0, 2) for part in np.split(asked, 3, axis=1))
    odds = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(query.shape[2]))
    weight = np.exp(odds - odds.max(axis=2, keepdims=True))
    seen = (weight / weight.sum(axis=2, keepdims=True)) @ value
    x = x + linear("state", f"{layer}.give", seen.transpose(1, 0, 2).reshape(x.shape))
    up = np.maximum(linear("state", f"{layer}.up", _normal(x, f"{layer}.second")), 0)
    return x + linear("state", f"{layer}.down", up)


def _normal(x: Floats, name: str) -> Floats:
    known = tables("state")
    return np.asarray(_level(x) * known[f"{name}.weight"] + known[f"{name}.bias"], np.float32)


def _level(x: Floats) -> Floats:
    """Every row with a mean of nothing and a spread of one."""
    apart = x - x.mean(axis=1, keepdims=True)
    return np.asarray(apart / np.sqrt((apart**2).mean(axis=1, keepdims=True) + NO_SPREAD), np.float32)


def _direction(parts: Floats) -> Floats:
    seen = parts @ tables("state")["match.weight"].T
    return np.asarray(seen / np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), NO_LENGTH), np.float32)
