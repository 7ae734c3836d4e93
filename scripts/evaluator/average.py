"""Write the mean of what two lessons kept, where the second went on from the first.

python scripts/evaluator/average.py frame BEFORE.pt AFTER.pt OUT
"""

from __future__ import annotations

import argparse
from pathlib import Path

import teach_face
import teach_frame
import teach_likeness
import teach_photo
import teach_relation
import teach_state
import torch
from data import DEVICE
from torch import Tensor, nn

LESSONS = {
    "frame": (teach_frame.Teacher, teach_frame.export_all),
    "face": (teach_face.Faces, teach_face.export_all),
    "likeness": (teach_likeness.Likeness, teach_likeness.export_all),
    "photo": (teach_photo.Photo, teach_photo.export_all),
    "relation": (teach_relation.Relations, teach_relation.export_all),
    "state": (teach_state.States, teach_state.export_all),
}


def mean(before: dict[str, Tensor], after: dict[str, Tensor]) -> dict[str, Tensor]:
    """Of all weights; counters are those of the later lesson."""
    return {
        name: (value.float() + before[name].float()) / 2 if value.is_floating_point() else value
        for name, value in after.items()
    }


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    said.add_argument("lesson", choices=LESSONS)
    said.add_argument("before", type=Path)
    said.add_argument("after", type=Path)
    said.add_argument("out", type=Path)
    args = said.parse_args()
    begin, export_all = LESSONS[args.lesson]
    lesson = begin()
    before, after = (torch.load(path, map_location=DEVICE, weights_only=False) for path in (args.before, args.after))
    parts: dict[str, nn.Module] = lesson.parts
    for name, part in parts.items():
        part.load_state_dict(mean(before[name], after[name]))
        part.eval()
    args.out.mkdir(parents=True, exist_ok=True)
    export_all(lesson, args.out)


if __name__ == "__main__":
    main()
