"""Accepted shots become a film: joined without re-encoding where they fit together, with a slate for a missing one."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from storyengine import documents
from storyengine.change.record import Changes
from storyengine.continuity.crew import Crew
from storyengine.continuity.shooting import Take, audit
from storyengine.errors import ExitCode, InputError
from storyengine.files import read_text, write_bytes
from storyengine.media.clip import Clip
from storyengine.media.encode import concat, encode
from storyengine.media.picture import Picture
from storyengine.media.sound import silent, sound_of, with_sound
from storyengine.plan import SemanticPlan, plan_yaml, read_plan


@dataclass(frozen=True)
class Film:
    """A finished film on disk."""

    folder: Path
    path: Path
    takes: tuple[Take, ...]
    digest: str
    """Of the film's file."""
    clips: tuple[str, ...]
    """Digests of what was joined, slates included."""

    @property
    def degraded(self) -> tuple[int, ...]:
        """Numbers of shots that miss a required criterion."""
        return tuple(take.contract.shot for take in self.takes if not take.accepted)

    @property
    def exit_code(self) -> ExitCode:
        return ExitCode.DEGRADED if self.degraded else ExitCode.OK

    def shot(self, number: int) -> Clip:
        """A shot as a clip, counted from 1; its frames are pictures."""
        path = shot_path(self.folder, number)
        if not path.is_file():
            raise InputError(f"Shot {number} has no file; the film has shots 1 to {len(self.takes)}.")
        return Clip.from_bytes(path.read_bytes())

    def _repr_html_(self) -> str:
        """How notebooks show a film: it plays in the page."""
        film = base64.b64encode(self.path.read_bytes()).decode()
        words = f"{len(self.takes)} shots" + (
            f", degraded: {', '.join(map(str, self.degraded))}" if self.degraded else ""
        )
        return (
            f'<figure><video controls style="max-width:100%" src="data:video/mp4;base64,{film}"></video>'
            f"<figcaption>{words} · {html.escape(str(self.path))}</figcaption></figure>"
        )


def deliver(crew: Crew, plan: SemanticPlan, takes: Sequence[Take], folder: Path) -> Film:
    """Write film, shots and plan. A shot without a take has no file, and its slate in the film.

    Sound that a generator made is kept, unless the brief wants none.
    """
    clips = [_clip(crew, plan, take) for take in takes]
    if not plan.request.delivery.audio:
        clips = [silent(clip) for clip in clips]
    for take, clip in zip(takes, clips, strict=True):
        if clip.digest != take.clip:
            crew.keep(clip.data)  # a slate, or a clip without its sound: what brings this cut back
        path = shot_path(folder, take.contract.shot)
        if take.clip is not None:
            write_bytes(path, clip.data)
        else:
            path.unlink(missing_ok=True)
    write_plan(folder, plan)
    film = join(clips)
    write_bytes(folder / "film.mp4", film.data)
    return Film(folder, folder / "film.mp4", tuple(takes), film.digest, tuple(clip.digest for clip in clips))


def shot_path(folder: Path, shot: int) -> Path:
    return folder / "shots" / f"{shot:02d}.mp4"


def audit_path(folder: Path, shot: int) -> Path:
    return folder / "audit" / f"shot-{shot:02d}.json"


def write_plan(folder: Path, plan: SemanticPlan) -> None:
    """The plan as a file; one that already says the same keeps its comments and layout."""
    path = folder / "plan.yaml"
    with suppress(InputError):
        if path.is_file() and read_plan(documents.parse(read_text(path), str(path))) == plan:
            return
    write_bytes(path, plan_yaml(plan).encode())


def keep_take(crew: Crew, take: Take, folder: Path) -> None:
    """What was decided about a shot, as a file and for good: a record in the journal leads to it."""
    record = _audit_bytes(take)
    write_bytes(audit_path(folder, take.contract.shot), record)
    crew.runner.project.journal.append("take", {"shot": take.contract.shot, "audit": crew.keep(record)})


def _audit_bytes(take: Take) -> bytes:
    return json.dumps(audit(take), ensure_ascii=False, indent=1, sort_keys=True).encode()


def record_cut(crew: Crew, plan: SemanticPlan, film: Film, changes: Changes) -> None:
    """The cut is recorded last, so that it exists only when all of it is there. It holds what brings it back."""
    crew.runner.project.journal.append(
        "cut",
        {
            "film": film.digest,
            "takes": {str(take.contract.shot): take.clip for take in film.takes},
            "clips": list(film.clips),
            "audits": [crew.keep(_audit_bytes(take)) for take in film.takes],
            "plan": crew.keep(plan_yaml(plan).encode()),
            "report": crew.keep((film.folder / "report.html").read_bytes()),
            "degraded": list(film.degraded),
            "changes": changes.lasting().data(),
        },
    )
    crew.runner.project.journal.commit()


def join(clips: Sequence[Clip]) -> Clip:
    """One clip from many, with their sound: by their packets where they are alike, encoded anew where they are not."""
    try:
        film = concat(clips)
    except InputError:
        film = encode((frame for clip in clips for frame in clip.frames), clips[0].fps)
    sound = sound_of(clips)
    return film if sound is None else with_sound(film, sound)


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
