"""Windows as maps of parts that look at each other: what the networks for states and for relations have in common.

The first blocks of a network turn a window into 10×10 parts; each becomes a token, and a few layers of attention weigh
them against each other. Blocks are run by OpenCV, attention by numpy. `scripts/evaluator/state_net.py` is the same, as
it learns.
"""

from __future__ import annotations

import numpy as np

from storyengine.previz.evaluator.networks import Floats, linear, run, tables

PARTS, HEADS, LAYERS = 10, 4, 3
"""Parts each way; heads and layers of attention."""
NO_SPREAD = 1e-5
"""What is added to a variance, as in teaching."""


def parts_of(network: str, picture: Floats) -> Floats:
    """Colours and marks (1, 5, size, size) to (parts, channels)."""
    (found,) = run(f"{network}_parts", picture)
    return _level(np.ascontiguousarray(found[0].reshape(found.shape[1], -1).T))


def answer(network: str, tokens: Floats) -> Floats:
    """What the first token has become after all layers."""
    for number in range(LAYERS):
        tokens = _attended(network, f"layers.{number}", tokens)
    return np.asarray(linear(network, "last", _normal(network, "norm", tokens[:1]))[0], np.float32)


def _attended(network: str, layer: str, x: Floats) -> Floats:
    """Tokens look at each other, then each by itself."""
    asked = linear(network, f"{layer}.ask", _normal(network, f"{layer}.first", x))
    query, key, value = (part.reshape(len(x), HEADS, -1).transpose(1, 0, 2) for part in np.split(asked, 3, axis=1))
    odds = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(query.shape[2]))
    weight = np.exp(odds - odds.max(axis=2, keepdims=True))
    seen = (weight / weight.sum(axis=2, keepdims=True)) @ value
    x = x + linear(network, f"{layer}.give", seen.transpose(1, 0, 2).reshape(x.shape))
    up = np.maximum(linear(network, f"{layer}.up", _normal(network, f"{layer}.second", x)), 0)
    return x + linear(network, f"{layer}.down", up)


def _normal(network: str, name: str, x: Floats) -> Floats:
    known = tables(network)
    return np.asarray(_level(x) * known[f"{name}.weight"] + known[f"{name}.bias"], np.float32)


def _level(x: Floats) -> Floats:
    """Every row with a mean of nothing and a spread of one."""
    apart = x - x.mean(axis=1, keepdims=True)
    return np.asarray(apart / np.sqrt((apart**2).mean(axis=1, keepdims=True) + NO_SPREAD), np.float32)
