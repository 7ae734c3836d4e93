"""Accepted shots become a film: joined without re-encoding where they fit together, with a slate for a missing one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from storyengine.continuity.crew import Crew
from storyengine.continuity.shooting import Take, audit
from storyengine.errors import ExitCode, InputError
from storyengine.files import write_bytes
from storyengine.media.clip import Clip
from storyengine.media.encode import concat, encode
from storyengine.media.picture import Picture
from storyengine.plan import SemanticPlan, plan_yaml


@dataclass(frozen=True)
class Film:
    """A finished film on disk."""

    folder: Path
    path: Path
    takes: tuple[Take, ...]

    @property
    def degraded(self) -> tuple[int, ...]:
        """Numbers of shots that miss a required criterion."""
        return tuple(take.contract.shot for take in self.takes if not take.accepted)

    @property
    def exit_code(self) -> ExitCode:
        return ExitCode.DEGRADED if self.degraded else ExitCode.OK


def deliver(crew: Crew, plan: SemanticPlan, takes: Sequence[Take], folder: Path) -> Film:
    """Write film, shots, plan and audit; the cut is recorded last, so that it exists only when all is there."""
    clips = [_clip(crew, plan, take) for take in takes]
    for take, clip in zip(takes, clips, strict=True):
        if take.clip is not None:
            write_bytes(folder / "shots" / f"{take.contract.shot:02d}.mp4", clip.data)
        record = json.dumps(audit(take), ensure_ascii=False, indent=1, sort_keys=True)
        write_bytes(folder / "audit" / f"shot-{take.contract.shot:02d}.json", record.encode())
    write_bytes(folder / "plan.yaml", plan_yaml(plan).encode())
    film = join(clips)
    write_bytes(folder / "film.mp4", film.data)
    crew.runner.project.journal.append(
        "cut", {"film": film.digest, "takes": {str(take.contract.shot): take.clip for take in takes}}
    )
    crew.runner.project.journal.commit()
    return Film(folder, folder / "film.mp4", tuple(takes))


def join(clips: Sequence[Clip]) -> Clip:
    """One clip from many: by their packets where they are alike, encoded anew where they are not."""
    try:
        return concat(clips)
    except InputError:
        return encode((frame for clip in clips for frame in clip.frames), clips[0].fps)


def _clip(crew: Crew, plan: SemanticPlan, take: Take) -> Clip:
    return crew.clip(take.clip) if take.clip is not None else slate(plan, take)


def slate(plan: SemanticPlan, take: Take) -> Clip:
    """A still card in place of a shot that has no valid candidate, as long as the shot would be."""
    delivery = plan.request.delivery
    card = Image.new("RGB", (delivery.width, delivery.height), (38, 40, 44))
    draw = ImageDraw.Draw(card)
    size = max(delivery.height // 14, 12)
    state = "no valid take" if take.candidates or take.openings else "no take"
    lines = [f"Shot {take.contract.shot}", state, *(event.action for event in take.contract.events)]
    for row, line in enumerate(lines):
        colour = (235, 230, 220) if row == 0 else (160, 160, 165)
        at = (delivery.width // 2, delivery.height // 3 + row * size * 3 // 2)
        font = ImageFont.load_default(size if row == 0 else size * 2 // 3)
        draw.text(at, line[:70], fill=colour, font=font, anchor="mm")
    picture = Picture(np.asarray(card, np.uint8).copy())
    frames = round(take.contract.seconds * delivery.fps)
    return encode((picture for _ in range(frames)), delivery.fps)
