"""A network for windows that begins with what EfficientNet-Lite0 knows of photographs.

The layout is that of the published network, so that its weights fit; `marks` and everything behind the last block are
our own.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

STAGES = (
    (1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3), (6, 112, 3, 1, 5), (6, 192, 4, 2, 5),
    (6, 320, 1, 1, 3),
)  # fmt: skip
"""EfficientNet-Lite0: how much a stage's blocks widen, their channels, how many, the first one's step, their size."""
EARLY, LATE, VECTOR = 112, 320, 160
"""Channels of a window at a sixteenth and at a thirty-second of its size, and the length of what is made of it."""
SHARED = 11
"""Blocks of the map; those after it make the vector."""


def unit(a: int, b: int, size: int, stride: int = 1, groups: int = 1, bent: bool = True) -> nn.Sequential:
    layers: list[nn.Module] = [
        nn.Conv2d(a, b, size, stride, size // 2, groups=groups, bias=False), nn.BatchNorm2d(b, eps=1e-3)
    ]  # fmt: skip
    return nn.Sequential(*layers, *([nn.ReLU6()] if bent else []))


class Block(nn.Module):
    """Wide inside, thin outside; what comes in is added to what goes out where both have one size."""

    def __init__(self, a: int, b: int, widen: int, stride: int, size: int) -> None:
        super().__init__()
        wide = a * widen
        first = [unit(a, wide, 1)] if widen > 1 else []
        self.layers = nn.Sequential(*first, unit(wide, wide, size, stride, wide), unit(wide, b, 1, bent=False))
        self.adds = a == b and stride == 1

    def forward(self, x: Tensor) -> Tensor:
        y = self.layers(x)
        return x + y if self.adds else y


def blocks() -> list[Block]:
    found, before = [], 32
    for widen, channels, times, stride, size in STAGES:
        for k in range(times):
            found.append(Block(before, channels, widen, stride if k == 0 else 1, size))
            before = channels
    return found


def knowing(stored: dict[str, Tensor], stem: nn.Sequential | None, some: nn.Module, first: int) -> None:
    """Begin with what a network knows that was taught with photographs."""

    def put(layer: nn.Module, conv: str, norm: str) -> None:
        layer[0].weight.data.copy_(stored[f"{conv}.weight"])
        for part in ("weight", "bias", "running_mean", "running_var"):
            getattr(layer[1], part).data.copy_(stored[f"{norm}.{part}"])

    if stem is not None:
        put(stem, "_conv_stem", "_bn0")
    for number, block in enumerate(some, start=first):
        names = (("_expand_conv", "_bn0"), ("_depthwise_conv", "_bn1"), ("_project_conv", "_bn2"))
        for layer, (conv, norm) in zip(block.layers, names[-len(block.layers) :], strict=True):
            put(layer, f"_blocks.{number}.{conv}", f"_blocks.{number}.{norm}")


class Early(nn.Module):
    """Colours of 0…1 and up to two marked regions to a map."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = unit(3, 32, 3, 2)
        self.marks = nn.Conv2d(2, 32, 3, 2, 1, bias=False)
        nn.init.zeros_(self.marks.weight)  # what knows photographs begins undisturbed
        self.blocks = nn.Sequential(*blocks()[:SHARED])

    def begin(self, stored: dict[str, Tensor]) -> None:
        """With what the published network knows."""
        knowing(stored, self.stem, self.blocks, 0)

    def forward(self, x: Tensor) -> Tensor:
        colours, marks = (x[:, :3] - 0.498) * 1.992, x[:, 3:]
        conv, norm, bent = self.stem
        return self.blocks(bent(norm(conv(colours) + self.marks(marks))))


class Late(nn.Module):
    """The map to a vector."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.Sequential(*blocks()[SHARED:])
        self.last = nn.Linear(2 * LATE, VECTOR)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(pooled(F.relu(self.blocks(x))))


def pooled(x: Tensor) -> Tensor:
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


def mlp(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, outputs)
    )


class PhotoNet(nn.Module):
    """Whether a window shows a thing: a window's vector against one for each picture of the thing."""

    def __init__(self, numbers: int) -> None:
        super().__init__()
        self.early, self.sight = Early(), Late()
        self.thing = mlp(VECTOR + numbers, 256, VECTOR)
        self.same = mlp(4 * VECTOR, 192, 1)

    def begin(self, stored: dict[str, Tensor]) -> None:
        self.early.begin(stored)
        knowing(stored, None, self.sight.blocks, SHARED)

    def seen(self, x: Tensor) -> Tensor:
        return self.sight(self.early(x))

    def known(self, pictures: Tensor, numbers: Tensor) -> Tensor:
        """Vectors of things from those of their pictures and their looks."""
        return self.thing(torch.cat([pictures, numbers], 1))

    def judged(self, seen: Tensor, known: Tensor) -> Tensor:
        """Log-odds for vectors (n, VECTOR) of windows and of things."""
        seen, known = F.dropout(seen, 0.1, self.training), F.dropout(known, 0.1, self.training)
        return self.same(torch.cat([seen, known, seen * known, (seen - known).abs()], 1))[:, 0]
