"""A window held against pictures of a thing in its states, part by part: which of them does it agree with?

Every part of the window and of the pictures knows how well it finds itself in the others.
`scripts/evaluator/state_net.py` is the same, as it learns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from storyengine.previz.evaluator.attention import answer
from storyengine.previz.evaluator.networks import Floats, direction, linear, tables


def compared(window: Floats, mask: Floats, pictures: Sequence[Floats], numbers: Sequence[Floats]) -> Floats:
    """Log-odds of every state, to be compared with each other. `mask` tells which parts show the thing; a state is the
    parts of a picture of it, and numbers of its axes and its look."""
    told = linear("state", "told", np.stack(numbers))
    match = tables("state")["match.weight"].T
    seen = [direction(part @ match) for part in (window, *pictures)]
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
    tokens = [
        kind[:1],
        linear("state", "window", np.concatenate([window, marks], axis=1)) + where + kind[1],
        linear("state", "picture", np.concatenate([pair[0], found_a], axis=1)) + where + kind[2],
        linear("state", "picture", np.concatenate([pair[1], found_b], axis=1)) + where + kind[3],
        told[0][None] + kind[4],
        told[1][None] + kind[5],
    ]
    return float(answer("state", np.concatenate(tokens).astype(np.float32))[0])
