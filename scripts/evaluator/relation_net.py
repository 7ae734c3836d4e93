"""The network that tells how things relate: a window around a thing, looked at once, and who is where in it."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from photo_nets import EARLY, Early
from state_net import LAYERS, SIDE, WIDE, Attention
from torch import Tensor, nn

from storyengine.previz.evaluator.relating import PATCH, RELATIONS

MASKS = 3
"""What shows the thing, the other one, and anybody."""


class RelationNet(nn.Module):
    """Log-odds of relations."""

    def __init__(self, thing: int, other: int) -> None:
        super().__init__()
        self.early = Early()
        self.window = nn.Linear(EARLY + MASKS * PATCH**2, WIDE)
        self.thing, self.other = nn.Linear(thing, WIDE), nn.Linear(other, WIDE)
        self.where = nn.Parameter(torch.randn(SIDE * SIDE, WIDE) * 0.02)
        self.kind = nn.Parameter(torch.randn(4, WIDE) * 0.02)
        """Of the answer, the window, and what is told of thing and other."""
        self.layers = nn.ModuleList(Attention() for _ in range(LAYERS))
        self.norm, self.last = nn.LayerNorm(WIDE), nn.Linear(WIDE, len(RELATIONS))

    def parts(self, x: Tensor) -> Tensor:
        """Windows (n, 5, size, size) to (n, parts, EARLY)."""
        return F.layer_norm(self.early(x).flatten(2).transpose(1, 2), (EARLY,))

    def related(self, parts: Tensor, masks: Tensor, thing: Tensor, other: Tensor) -> Tensor:
        """`parts` (n, parts, EARLY); `masks` (n, MASKS, SIDE × PATCH, SIDE × PATCH)."""
        patches = masks.unflatten(3, (SIDE, PATCH)).unflatten(2, (SIDE, PATCH)).permute(0, 2, 4, 1, 3, 5)
        tokens = [
            self.kind[0].expand(len(parts), 1, -1),
            self.window(torch.cat([parts, patches.flatten(3).flatten(1, 2)], 2)) + self.where + self.kind[1],
            (self.thing(thing) + self.kind[2])[:, None],
            (self.other(other) + self.kind[3])[:, None],
        ]
        x = torch.cat(tokens, 1)
        for layer in self.layers:
            x = layer(x)
        return self.last(self.norm(x[:, 0]))
