"""A folder of drawn scenes: drawn once, judged as often as one likes.

    manifest.json           {"version", "seed", "scenes", "size"}; `scenes`, how many are complete, is written last
    scenes/0007.json        one `Sample`: frames, references, captions, questions with their truth, what was planted
    pictures/<digest>.png   frames and references, each once
    probes/0012.json        one `Probe`: a view of an empty place in which things are to be found
    masks/0007.npz          `ids` (frames, 360, 640): index into `names` of what each pixel shows, 0 for the place

Questions hold everything a grade needs; boxes and masks are for people who want to see why. A judge is given none of
it: `Sample.request` builds its request from frames, references, captions and statements alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, cast

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.backends.ports import Frame, JudgeRequest, LocateRequest, ReferenceImage, Statement
from storyengine.errors import CorruptData, FolderError
from storyengine.media.picture import Pixels
from storyengine.runs.digest import digest_bytes

VERSION = 1
Phase = Literal["start", "motion", "end", "always"]


@dataclass(frozen=True)
class Question:
    """A statement and whether it is true."""

    id: str
    phase: Phase
    text: str
    kind: str
    """Of claim: `present`, `placed on`, `free of text`, …"""
    subject: str
    """The entity or landmark it is about; empty for the whole picture."""
    truth: bool
    share: float | None
    """Share of the frame of what it is about, or would be in a faultless picture; None where size plays no part."""
    planted: str = ""
    """The planted error that makes it false."""


@dataclass(frozen=True)
class Sample:
    """One scene with its questions."""

    number: int
    words: str
    """Where its descriptions come from."""
    form: Literal["still", "clip"]
    framing: str
    planted: tuple[str, ...]
    frames: tuple[tuple[float, str], ...]
    """Second and picture."""
    references: tuple[tuple[str, str], ...]
    """Caption and picture."""
    captions: tuple[str, ...]
    questions: tuple[Question, ...]
    boxes: tuple[Mapping[str, Sequence[float]], ...]
    """Per frame: share, left, top, width, height of everything that can be seen."""

    def request(self, folder: SceneFolder, only: Sequence[str] = ()) -> JudgeRequest:
        """What a judge gets. `only` keeps the questions of some kinds."""
        asked = [q for q in self.questions if not only or q.kind in only]
        return JudgeRequest(
            frames=tuple(Frame(seconds, folder.picture(name)) for seconds, name in self.frames),
            statements=tuple(Statement(q.id, q.text, q.phase) for q in asked),
            references=tuple(ReferenceImage(told, folder.picture(name)) for told, name in self.references),
            captions=self.captions,
        )


@dataclass(frozen=True)
class Probe:
    """A part of a place's panorama, as grounding asks where landmarks and fixed things are."""

    picture: str
    things: tuple[tuple[str, str], ...]
    """Id and caption of everything that is looked for."""
    boxes: Mapping[str, Sequence[float]]
    """Share, left, top, width, height of what can be seen of it."""

    def request(self, folder: SceneFolder) -> LocateRequest:
        things = tuple(Statement(name, told, "always") for name, told in self.things)
        return LocateRequest(folder.picture(self.picture), things)


@dataclass(frozen=True)
class SceneFolder:
    """Where drawn scenes lie."""

    path: Path

    # --- reading

    def manifest(self) -> dict[str, Any] | None:
        """What the folder holds; None for an empty one."""
        try:
            data = json.loads((self.path / "manifest.json").read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise CorruptData(f"{self.path / 'manifest.json'} cannot be read: {error}.") from error
        if data.get("version") != VERSION:
            raise FolderError(
                f"{self.path} holds scenes of format {data.get('version')}; this StoryEngine reads {VERSION}.",
                next_step="Name another folder, or delete this one.",
            )
        return cast("dict[str, Any]", data)

    def numbers(self) -> tuple[int, ...]:
        return tuple(sorted(int(path.stem) for path in (self.path / "scenes").glob("[0-9]*.json")))

    def sample(self, number: int) -> Sample:
        data = json.loads((self.path / "scenes" / f"{number:04d}.json").read_bytes())
        return Sample(
            number=data["number"],
            words=data["words"],
            form=data["form"],
            framing=data["framing"],
            planted=tuple(data["planted"]),
            frames=tuple((seconds, name) for seconds, name in data["frames"]),
            references=tuple((told, name) for told, name in data["references"]),
            captions=tuple(data["captions"]),
            questions=tuple(Question(**question) for question in data["questions"]),
            boxes=tuple(data["boxes"]),
        )

    def samples(self) -> Iterator[Sample]:
        return (self.sample(number) for number in self.numbers())

    def probes(self) -> Iterator[Probe]:
        for path in sorted((self.path / "probes").glob("[0-9]*.json")):
            data = json.loads(path.read_bytes())
            yield Probe(data["picture"], tuple((name, told) for name, told in data["things"]), data["boxes"])

    def picture(self, name: str) -> bytes:
        return _read(self.path / "pictures" / f"{name}.png")

    # --- writing

    def keep(self, png: bytes) -> str:
        """Store a picture; returns its name."""
        name = digest_bytes(png)[:32]
        path = self.path / "pictures" / f"{name}.png"
        if not path.exists():
            self._write(path, png)
        return name

    def add(self, sample: Sample, names: Sequence[str], ids: npt.NDArray[np.uint8]) -> None:
        masks = self.path / "masks" / f"{sample.number:04d}.npz"
        masks.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(masks, names=np.array(names), ids=ids)
        data = json.dumps(asdict(sample), ensure_ascii=False).encode()
        self._write(self.path / "scenes" / f"{sample.number:04d}.json", data)

    def add_probe(self, number: int, probe: Probe) -> None:
        self._write(self.path / "probes" / f"{number:04d}.json", json.dumps(asdict(probe), ensure_ascii=False).encode())

    def note(self, seed: int, scenes: int, size: tuple[int, int]) -> None:
        data = {"version": VERSION, "seed": seed, "scenes": scenes, "size": size}
        self._write(self.path / "manifest.json", json.dumps(data).encode())

    def _write(self, path: Path, data: bytes) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.part")
            part.write_bytes(data)
            part.replace(path)
        except OSError as error:
            raise FolderError(f"{path} cannot be written: {error.strerror}.") from error


def png_of(pixels: Pixels) -> bytes:
    """A bare PNG, written fast: thousands are."""
    done, data = cv2.imencode(".png", pixels[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])
    assert done
    return data.tobytes()


@lru_cache(maxsize=64)
def _read(path: Path) -> bytes:
    """A picture's file. References are shared by the scenes of a story."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise CorruptData(f"{path} cannot be read: {error.strerror}.") from error
