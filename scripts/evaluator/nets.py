"""The evaluator's networks, as they are taught. The product runs them as ONNX through OpenCV."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

CELLS = 64
"""Length of a cell's vector."""
PROTOTYPES = 4
"""Vectors that make a query for cells."""
WIDE = 64
"""Channels of the second look."""
SIGNS = 6
"""Person, head, log radius, facing, log height of the figure, free share of the face."""
SIMILAR = 2.0 / CELLS**0.5


def conv(a: int, b: int, size: int = 3, stride: int = 1, groups: int = 1) -> nn.Sequential:
    layer = nn.Conv2d(a, b, size, stride, size // 2, groups=groups, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(b), nn.ReLU())


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.second(self.first(x)))


class FrameNet(nn.Module):
    """A frame to cells of 4×4 pixels (vectors and signs) and to a coarser map for the second look."""

    def __init__(self) -> None:
        super().__init__()
        self.at2 = conv(3, 24, stride=2)
        self.at4 = nn.Sequential(conv(24, 48, stride=2), Residual(48))
        self.at8 = nn.Sequential(conv(48, 96, stride=2), Residual(96), Residual(96))
        self.at16 = nn.Sequential(conv(96, 176, stride=2), Residual(176), Residual(176))
        self.at32 = nn.Sequential(conv(176, 224, stride=2), Residual(224), Residual(224))
        self.whole = nn.Linear(224, 224)
        self.up16 = nn.Conv2d(224, 96, 1)
        self.side16 = nn.Conv2d(176, 96, 1)
        self.mix16 = conv(96, 96)
        self.side8 = nn.Conv2d(96, 96, 1)
        self.mix8 = conv(96, 96)
        self.second = nn.Conv2d(96, WIDE, 1)
        self.up4 = nn.Conv2d(96, 64, 1)
        self.side4 = nn.Conv2d(48, 64, 1)
        self.mix4 = conv(64, 64)
        self.out = nn.Conv2d(64, CELLS + SIGNS, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x4 = self.at4(self.at2(x))
        x8 = self.at8(x4)
        x16 = self.at16(x8)
        x32 = self.at32(x16)
        x32 = x32 + self.whole(x32.mean((2, 3)))[:, :, None, None]
        y16 = self.mix16(twice(self.up16(x32)) + self.side16(x16))
        y8 = self.mix8(twice(y16) + self.side8(x8))
        y4 = self.mix4(twice(self.up4(y8)) + self.side4(x4))
        return self.out(y4), self.second(y8)


def twice(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


class PictureNet(nn.Module):
    """A reference picture to a vector."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            conv(3, 24, stride=2), conv(24, 48, stride=2), Residual(48), conv(48, 80, stride=2), Residual(80),
            conv(80, 128, stride=2), Residual(128),
        )  # fmt: skip
        self.last = nn.Linear(256, width)

    def forward(self, x: Tensor) -> Tensor:
        y = self.layers(x)
        return self.last(torch.cat([y.mean((2, 3)), y.amax((2, 3))], 1))


class QueryNet(nn.Module):
    """What a picture shows and what words say, to what is looked for."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 384), nn.ReLU(), nn.Linear(384, 320), nn.ReLU())
        self.cells = nn.Linear(320, PROTOTYPES * (CELLS + 1))
        self.look = nn.Linear(320, 2 * WIDE)

    def forward(self, x: Tensor) -> Tensor:
        y = self.body(x)
        return torch.cat([self.cells(y), self.look(y)], 1)


QUERY = PROTOTYPES * (CELLS + 1) + 2 * WIDE


def similarity(cells: Tensor, query: Tensor) -> Tensor:
    """Log-odds of every cell for every prototype: (frames, queries, prototypes, rows, columns)."""
    rows = query[..., : PROTOTYPES * (CELLS + 1)].unflatten(-1, (PROTOTYPES, CELLS + 1))
    each = torch.einsum("bdhw,bnkd->bnkhw", cells, rows[..., :CELLS]) * SIMILAR
    return each + rows[..., CELLS, None, None]


def answer(each: Tensor) -> Tensor:
    """The prototypes' answers as one."""
    return torch.logsumexp(each * 2, 2) / 2


class SecondLook(nn.Module):
    """A query held against the coarser map: corrected odds (per 8×8 pixels), middles, whether it is there at all."""

    def __init__(self) -> None:
        super().__init__()
        self.start = nn.Conv2d(WIDE + PROTOTYPES, WIDE, 1)
        self.deep = nn.ModuleList(Residual(WIDE) for _ in range(1))
        self.out = nn.Conv2d(WIDE, 2, 1)
        self.there = nn.Sequential(nn.Linear(2 * WIDE + 2 + 2 * WIDE, 96), nn.ReLU(), nn.Linear(96, 1))

    def forward(self, coarse: Tensor, each: Tensor, look: Tensor) -> tuple[Tensor, Tensor]:
        """`coarse` (n, WIDE, h, w), `each` (n, PROTOTYPES, h, w), `look` (n, 2·WIDE)."""
        scale, shift = look[:, :WIDE, None, None], look[:, WIDE:, None, None]
        x = F.relu(self.start(torch.cat([F.relu(coarse * (1 + scale) + shift), each * 0.25], 1)))
        for deep in self.deep:
            x = deep(x)
        maps = self.out(x)
        odds = maps[:, :1] + torch.logsumexp(each * 2, 1, keepdim=True) / 2
        weight = torch.exp(torch.clamp(odds, -12.0, 12.0))
        total = weight.sum((2, 3))
        seen = (x * weight).sum((2, 3)) / total
        strength = torch.cat([torch.log(total + 1e-6) * 0.2, odds.amax((2, 3)) * 0.2], 1)
        there = self.there(torch.cat([seen, x.amax((2, 3)), strength, look], 1))
        return torch.cat([odds, maps[:, 1:]], 1), there
