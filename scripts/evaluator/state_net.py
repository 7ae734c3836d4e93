"""The network that tells states: a window held against pictures of the thing in two states, part by part.

A window and pictures become maps by the first blocks of EfficientNet-Lite0. Every part of them is a token that knows
how well it finds itself in the others; a few layers of attention tell which picture the window agrees with. What makes
two states differ is mostly small (a neck that is tied, a door ajar), so nothing is averaged before it was compared.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from photo_nets import EARLY, Early
from torch import Tensor, nn

WIDE, HEADS, LAYERS, MATCH = 128, 4, 3, 64
"""Length of a token, heads and layers of attention, and numbers by which parts are compared."""
SIDE = 10
"""Parts of a window and of a picture, each way."""


class Attention(nn.Module):
    """One layer: tokens look at each other, then each by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDE), nn.LayerNorm(WIDE)
        self.ask = nn.Linear(WIDE, 3 * WIDE)
        self.give = nn.Linear(WIDE, WIDE)
        self.up, self.down = nn.Linear(WIDE, 2 * WIDE), nn.Linear(2 * WIDE, WIDE)

    def forward(self, x: Tensor) -> Tensor:
        query, key, value = self.ask(self.first(x)).unflatten(2, (3, HEADS, -1)).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(query, key, value)
        x = x + self.give(seen.transpose(1, 2).flatten(2))
        return x + self.down(F.relu(self.up(self.second(x))))


class StateNet(nn.Module):
    """Log-odds that a window shows the first of two states. A state is a picture of it, and numbers of its axes and
    its look."""

    def __init__(self, numbers: int) -> None:
        super().__init__()
        self.early = Early()
        self.match = nn.Linear(EARLY, MATCH, bias=False)
        nn.init.orthogonal_(self.match.weight)
        self.window = nn.Linear(EARLY + 4, WIDE)
        self.picture = nn.Linear(EARLY + 2, WIDE)
        self.told = nn.Linear(numbers, WIDE)
        self.where = nn.Parameter(torch.randn(SIDE * SIDE, WIDE) * 0.02)
        self.kind = nn.Parameter(torch.randn(6, WIDE) * 0.02)
        """Of the answer, the window, the two pictures, and what is told of them."""
        self.layers = nn.ModuleList(Attention() for _ in range(LAYERS))
        self.norm, self.last = nn.LayerNorm(WIDE), nn.Linear(WIDE, 1)

    def parts(self, x: Tensor) -> Tensor:
        """Pictures or windows (n, 5, size, size) to (n, parts, EARLY)."""
        return F.layer_norm(self.early(x).flatten(2).transpose(1, 2), (EARLY,))

    def compared(self, window: Tensor, mask: Tensor, one: Tensor, other: Tensor, told: Tensor) -> Tensor:
        """`window`, `one` and `other` (n, parts, EARLY); `mask` (n, parts); `told` (n, 2, numbers)."""
        w, a, b = (F.normalize(self.match(x), dim=2, eps=1e-4) for x in (window, one, other))
        with_a, with_b, between = w @ a.mT, w @ b.mT, a @ b.mT
        hidden = (1 - mask)[:, :, None]
        in_a, in_b = with_a.amax(2), with_b.amax(2)
        seen = torch.cat([window, torch.stack([mask, in_a, in_b, 4 * (in_a - in_b)], 2)], 2)
        found_a = torch.stack([(with_a - hidden).amax(1), between.amax(2)], 2)
        found_b = torch.stack([(with_b - hidden).amax(1), between.amax(1)], 2)
        told_a, told_b = self.told(told).unbind(1)
        tokens = [
            self.kind[0].expand(len(window), 1, -1),
            self.window(seen) + self.where + self.kind[1],
            self.picture(torch.cat([one, found_a], 2)) + self.where + self.kind[2],
            self.picture(torch.cat([other, found_b], 2)) + self.where + self.kind[3],
            (told_a + self.kind[4])[:, None],
            (told_b + self.kind[5])[:, None],
        ]
        x = torch.cat(tokens, 1)
        for layer in self.layers:
            x = layer(x)
        return self.last(self.norm(x[:, 0]))[:, 0]
