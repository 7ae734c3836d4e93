"""The film as a timeline that editors open: OpenTimelineIO, and EDL and FCPXML made from it.

Every shot is a clip that points to its own file. Its markers say what was required and seen, how the gate let it begin,
and what it misses. EDL and FCPXML carry the names of the markers; the `.otio` file holds everything about them, under
the key `storyengine`. EDL is a list of cuts in pictures alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from storyengine.delivery.assembly import shot_path
from storyengine.errors import InputError, MissingDependency
from storyengine.files import write_bytes
from storyengine.media.clip import Clip
from storyengine.media.sound import frame_count, has_sound
from storyengine.plan import SemanticPlan

if TYPE_CHECKING:
    import opentimelineio as otio

Format = Literal["otio", "edl", "fcpxml"]
FORMATS: tuple[Format, ...] = ("otio", "edl", "fcpxml")
ADAPTERS = {"otio": "otio_json", "edl": "cmx_3600", "fcpxml": "fcpx_xml"}
KEY = "storyengine"
COLOURS = {"PASS": "GREEN", "FAIL": "RED", "UNKNOWN": "YELLOW"}
GATES = {"reuse": "CYAN", "reference": "BLUE", "fresh": "WHITE"}


@dataclass(frozen=True)
class _Shot:
    """What a timeline needs to know of one shot."""

    number: int
    audit: Mapping[str, Any]
    file: Path | None
    frames: int
    sound: bool
    rate: float

    @property
    def name(self) -> str:
        return f"shot {self.number:02d}"


def build_timeline(folder: Path, plan: SemanticPlan, audits: Mapping[int, Mapping[str, Any]]) -> otio.schema.Timeline:
    """The timeline of the film in a project folder; files are named relative to it."""
    otio = _library()
    shots = list(_shots(folder, plan, audits))
    title = plan.title or plan.request.title or folder.name
    timeline = otio.schema.Timeline(name=title, global_start_time=otio.opentime.RationalTime(0, shots[0].rate))
    delivery = plan.request.delivery
    timeline.metadata[KEY] = {"width": delivery.width, "height": delivery.height, "fps": delivery.fps}
    pictures = otio.schema.Track(name="film", kind=otio.schema.TrackKind.Video)
    for shot in shots:
        clip = _clip(otio, shot)
        for marker in _markers(otio, shot):
            clip.markers.append(marker)
        pictures.append(clip)
    timeline.tracks.append(pictures)
    if any(shot.sound for shot in shots):
        sound = otio.schema.Track(name="sound", kind=otio.schema.TrackKind.Audio)
        for shot in shots:
            sound.append(_clip(otio, shot) if shot.sound else otio.schema.Gap(source_range=_range(otio, shot)))
        timeline.tracks.append(sound)
    return timeline


def _library() -> Any:
    try:
        import opentimelineio
    except ModuleNotFoundError:
        raise MissingDependency("OpenTimelineIO", "timeline") from None
    return opentimelineio


def _shots(folder: Path, plan: SemanticPlan, audits: Mapping[int, Mapping[str, Any]]) -> Iterator[_Shot]:
    rate = float(plan.request.delivery.fps)
    for number, shot in enumerate(plan.shots, start=1):
        if number not in audits:
            raise InputError(f"Shot {number} has not been shot yet.", next_step="Make the film first.")
        file = shot_path(folder, number)
        if audits[number]["clip"] is None or not file.is_file():
            yield _Shot(number, audits[number], None, round(shot.seconds * rate), False, rate)
            continue
        clip = Clip.from_bytes(file.read_bytes())
        yield _Shot(number, audits[number], file, frame_count(clip), has_sound(clip), rate)


def _clip(otio: Any, shot: _Shot) -> Any:
    """A shot, or the slate in its place, which has no file of its own."""
    reference = otio.schema.MissingReference()
    if shot.file is not None:
        url = f"shots/{shot.file.name}"
        reference = otio.schema.ExternalReference(target_url=url, available_range=_range(otio, shot))
        reference.name = shot.name
    audit = shot.audit
    clip = otio.schema.Clip(name=shot.name, media_reference=reference, source_range=_range(otio, shot))
    clip.metadata[KEY] = {
        "shot": shot.number,
        "action": " ".join(event["action"] for event in audit["contract"]["events"]),
        "environment": audit["contract"]["environment"],
        "take": audit["take"],
        "clip": audit["clip"],
        "reason": audit["reason"],
        "pinned": audit["pinned"],
        "gate": audit["gate"]["mode"],
        "degraded": list(audit["degraded"]),
    }
    clip.metadata["cmx_3600"] = {"reel": f"SHOT{shot.number:04d}"}
    return clip


def _range(otio: Any, shot: _Shot, start: int = 0, count: int | None = None) -> Any:
    time = otio.opentime.RationalTime
    length = shot.frames if count is None else count
    return otio.opentime.TimeRange(time(start, shot.rate), time(length, shot.rate))


def _markers(otio: Any, shot: _Shot) -> Iterator[Any]:
    """The gate at the first frame, every criterion at its phase, and what the shot misses."""
    audit = shot.audit
    gate = audit["gate"]
    yield _marker(otio, shot, f"gate: {gate['mode']}", GATES[gate["mode"]], "gate", dict(gate), 0, 1)
    used = next((c for c in audit["candidates"] if c["candidate"] == audit["take"]), None)
    verdicts = {verdict["id"]: verdict for verdict in used["verdicts"]} if used else {}
    for criterion in audit["contract"]["criteria"]:
        verdict = verdicts.get(criterion["id"], {"label": "UNKNOWN", "evidence": "not judged"})
        told = {
            **{name: criterion[name] for name in ("id", "phase", "priority", "statement")},
            "label": verdict["label"],
            "evidence": verdict["evidence"],
        }
        start, count = _phase(criterion["phase"], shot.frames)
        name = f"{verdict['label']}: {criterion['statement']}"
        yield _marker(otio, shot, name, COLOURS[verdict["label"]], "criterion", told, start, count)
    if audit["degraded"]:
        told = {"missed": list(audit["degraded"])}
        yield _marker(otio, shot, "degraded", "MAGENTA", "degradation", told, 0, shot.frames)


def _phase(phase: str, frames: int) -> tuple[int, int]:
    return {"start": (0, 1), "end": (max(frames - 1, 0), 1)}.get(phase, (0, frames))


def _marker(
    otio: Any, shot: _Shot, name: str, colour: str, kind: str, told: Mapping[str, Any], start: int, count: int
) -> Any:
    marker = otio.schema.Marker(name=name, marked_range=_range(otio, shot, start, count), color=colour)
    marker.metadata[KEY] = {"kind": kind, **told}
    return marker


def export_timeline(
    folder: Path,
    plan: SemanticPlan,
    audits: Mapping[int, Mapping[str, Any]],
    to: Path,
    formats: Sequence[Format] = FORMATS,
) -> tuple[Path, ...]:
    """Write `film.otio`, `film.edl` and `film.fcpxml`; with the shots' files, where `to` is not the project itself."""
    otio = _library()
    timeline = build_timeline(folder, plan, audits)
    written = []
    for suffix in formats:
        path = to / f"film.{suffix}"
        write_bytes(path, _text(otio, timeline, suffix).encode())
        written.append(path)
    if to.resolve() != folder.resolve():
        for number in range(1, len(plan.shots) + 1):
            source = shot_path(folder, number)
            if source.is_file():
                write_bytes(shot_path(to, number), source.read_bytes())
                written.append(shot_path(to, number))
    return tuple(written)


def _text(otio: Any, timeline: Any, suffix: Format) -> str:
    rate = float(timeline.global_start_time.rate)
    options = {}
    if suffix != "otio" and not otio.opentime.RationalTime.is_smpte_timecode_rate(rate):
        raise InputError(
            f"A film with {rate:g} frames a second has no {suffix.upper()}: time codes know 24, 25, 30, 48, 50 and 60.",
            next_step="Export it with --format otio.",
        )
    if suffix == "edl":
        timeline = timeline.deepcopy()
        for track in [track for track in timeline.tracks if track.kind != otio.schema.TrackKind.Video]:
            timeline.tracks.remove(track)
        options["rate"] = rate
    return str(otio.adapters.write_to_string(timeline, adapter_name=ADAPTERS[suffix], **options))
