"""The network that tells whether a window shows a thing, and whether it shows two: held against a picture of it, part
by part."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from photo_nets import EARLY, Early
from state_net import LAYERS, MATCH, WIDE, Attention
from torch import Tensor, nn

SIDE = 8
"""Parts of a window and of a picture, each way."""


class LikenessNet(nn.Module):
    """Log-odds that the marked region of a window is a thing, and that there are two of it. A thing is a picture of it,
    and numbers of its look."""

    def __init__(self, numbers: int) -> None:
        super().__init__()
        self.early = Early()
        self.match = nn.Linear(EARLY, MATCH, bias=False)
        nn.init.orthogonal_(self.match.weight)
        self.window, self.picture = nn.Linear(EARLY + 2, WIDE), nn.Linear(EARLY + 1, WIDE)
        self.told = nn.Linear(numbers, WIDE)
        self.where = nn.Parameter(torch.randn(SIDE * SIDE, WIDE) * 0.02)
        self.kind = nn.Parameter(torch.randn(4, WIDE) * 0.02)
        """Of the answer, the window, the picture, and what is told."""
        self.layers = nn.ModuleList(Attention() for _ in range(LAYERS))
        self.norm, self.last = nn.LayerNorm(WIDE), nn.Linear(WIDE, 2)

    def parts(self, x: Tensor) -> Tensor:
        """Pictures or windows (n, 5, size, size) to (n, parts, EARLY)."""
        return F.layer_norm(self.early(x).flatten(2).transpose(1, 2), (EARLY,))

    def nearest(self, window: Tensor, mask: Tensor, pictures: Tensor) -> Tensor:
        """Which of some pictures (n, k, parts, EARLY) finds itself best in what is marked."""
        seen, known = (F.normalize(self.match(x), dim=-1, eps=1e-4) for x in (window, pictures))
        found = (seen[:, None] @ known.mT).amax(3)
        return (found * mask[:, None]).sum(2).argmax(1)

    def alike(self, window: Tensor, mask: Tensor, picture: Tensor, told: Tensor) -> Tensor:
        """`window` and `picture` (n, parts, EARLY); `mask` (n, parts); `told` (n, numbers)."""
        seen, known = (F.normalize(self.match(x), dim=2, eps=1e-4) for x in (window, picture))
        agree = seen @ known.mT
        found = (agree - (1 - mask)[:, :, None]).amax(1)
        tokens = [
            self.kind[0].expand(len(window), 1, -1),
            self.window(torch.cat([window, torch.stack([mask, agree.amax(2)], 2)], 2)) + self.where + self.kind[1],
            self.picture(torch.cat([picture, found[:, :, None]], 2)) + self.where + self.kind[2],
            (self.told(told) + self.kind[3])[:, None],
        ]
        x = torch.cat(tokens, 1)
        for layer in self.layers:
            x = layer(x)
        return self.last(self.norm(x[:, 0]))
