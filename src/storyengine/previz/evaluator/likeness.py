"""Whether a window shows a thing, and whether it shows two of it: held against a picture of the thing, part by part.

`scripts/evaluator/likeness_net.py` is the same, as it learns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from storyengine.previz.evaluator.attention import answer
from storyengine.previz.evaluator.networks import Floats, direction, linear, tables

COARSE = 8
"""Parts of a window and of a picture, each way."""


def alike(window: Floats, mask: Floats, pictures: Sequence[Floats], told: Sequence[Floats]) -> tuple[float, float]:
    """Log-odds that what is marked is the thing, and that there are two of it, by the picture that it looks like most.
    `window` and `pictures` (parts, channels); `mask` tells which parts are marked; `told` is what is known beside each
    picture."""
    match = tables("likeness")["match.weight"].T
    seen = direction(window @ match)
    agreements = [seen @ direction(picture @ match).T for picture in pictures]
    nearest = max(range(len(pictures)), key=lambda k: float((agreements[k].max(axis=1) * mask).sum()))
    agree, picture = agreements[nearest], pictures[nearest]
    marks = np.stack([mask, agree.max(axis=1)], axis=1)
    found = (agree - (1 - mask)[:, None]).max(axis=0)[:, None]
    known = tables("likeness")
    where, kind = known["where"], known["kind"]
    tokens = [
        kind[:1],
        linear("likeness", "window", np.concatenate([window, marks], axis=1)) + where + kind[1],
        linear("likeness", "picture", np.concatenate([picture, found], axis=1)) + where + kind[2],
        linear("likeness", "told", told[nearest])[None] + kind[3],
    ]
    same, two = answer("likeness", np.concatenate(tokens).astype(np.float32))
    return float(same), float(two)
