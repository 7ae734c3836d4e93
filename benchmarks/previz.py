"""The embedded studio's numbers, through its ports: a shot, a panorama, a verdict, coverage, sameness, faces.

    python benchmarks/previz.py [--only shot,panorama,judge,phases,first,poses,same,faces] [--models FOLDER]

The bars, on two idle cores and warm: a shot of 144 frames at 1280×720, encoded, in 3.0 s; a panorama of 4096×2048 in
0.3 s; a candidate judged against 25 criteria in 1.0 s; no uncovered pixel over 500 poses; the same seed gives the same
bytes in two processes; YuNet finds 95 % of the faces and SFace tells 40 characters apart with AUC 0.95.

Machines are shared. A time passes by the wall clock, or by processor seconds (a shot's over its two threads) where the
wall clock was disturbed; both are printed. Faces need model files: `--models` or STORYENGINE_MODELS names their folder.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.previz.figures.cast import cast as forty_people
from tests.previz.figures.test_faces import SIDE, portraits, studio

from storyengine.backends.ports import AnimateRequest, Frame, JudgeRequest, PaintRequest, ReferenceImage, Statement
from storyengine.language.captions import read_catalog
from storyengine.language.claims import FaceLegible, FreeOf, InEnvironment, LooksLike, OnlyPeople, Present, Single
from storyengine.language.sentences import render
from storyengine.media.clip import Clip
from storyengine.media.encode import Encoder
from storyengine.media.picture import Picture
from storyengine.media.yuv_kernels import to_yuv
from storyengine.previz import make_animator, make_painter
from storyengine.previz.render import Camera, Renderer, View, bake
from storyengine.previz.studio import gallery
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.sets import baked_of, place_of
from storyengine.previz.studio.staging import view
from storyengine.runs.digest import digest_bytes

WIDTH, HEIGHT, FRAMES, FPS = 1280, 720, 144, 24
SHOTS = (0, 2, 9)
"""Scenes of the gallery: a loaf is taken up, a letter handed over, a locker opened."""
CORES = 2
PARTS = ("shot", "panorama", "judge", "phases", "first", "poses", "same", "faces")
DETECTOR, RECOGNISER = "face_detection_yunet_2023mar.onnx", "face_recognition_sface_2021dec.onnx"
CLUSTERING = 0.363
"""Likeness from which SFace's authors call two faces the same."""


def processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def timed(work: Callable[[], Any], times: int) -> tuple[float, float, Any]:
    """Best wall seconds, best processor seconds, last result."""
    wall, core, result = math.inf, math.inf, None
    for _ in range(times):
        t, c = time.perf_counter(), processor_seconds()
        result = work()
        wall, core = min(wall, time.perf_counter() - t), min(core, processor_seconds() - c)
    return wall, core, result


def request_of(number: int, folder: Path) -> AnimateRequest:
    """A scene of the gallery as an animator gets it: the prompt and the opening that the painter made."""
    opening, video = gallery.prompts(number)
    picture = make_painter(folder=folder).paint(PaintRequest(opening, WIDTH, HEIGHT, seed=number))
    return AnimateRequest(video, picture.data, FRAMES / FPS, WIDTH, HEIGHT, FPS, seed=number)


def shot(folder: Path) -> dict[str, Any]:
    """Shots through the animator's port, warm: the first run of each is not counted."""
    walls, cores = [], []
    for number in SHOTS:
        request, animator = request_of(number, folder), make_animator(folder=folder)
        animator.animate(request)
        wall, core, outcome = timed(lambda r=request, a=animator: a.animate(r), 2)
        walls.append(wall)
        cores.append(core)
        size = len(outcome.data) / 1e3
        print(f"shot of {FRAMES} frames, scene {number}: {wall:.2f} s, {core:.2f} processor seconds, {size:.0f} kB")
    wall, core = float(np.mean(walls)), float(np.mean(cores))
    print(f"mean: {wall:.2f} s by the clock, {core / CORES:.2f} s of each of two cores")
    return {"shot_s": wall, "shot_core_s": core, "ok": min(wall, core / CORES) <= 3.0}


def panorama(folder: Path) -> dict[str, Any]:
    scene = _scene(0, folder)
    renderer = Renderer(baked_of(scene.setting))
    low, high = place_of(scene.setting).bounds.low, place_of(scene.setting).bounds.high
    station = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 1.6)
    renderer.panorama(station, width=4096)
    wall, core, _ = timed(lambda: renderer.panorama(station, width=4096), 4)
    print(f"panorama of 4096×2048: {wall:.3f} s, {core:.3f} processor seconds")
    return {"panorama_s": wall, "panorama_core_s": core, "ok": min(wall, core) <= 0.3}


def _scene(number: int, folder: Path) -> Any:
    animator, request = make_animator(folder=folder), request_of(number, folder)
    return animator.index.recognise(Picture.from_bytes(request.opening))


def judge(folder: Path) -> dict[str, Any]:
    """A candidate of six seconds against 25 criteria, by eight of its frames, warm."""
    from storyengine.previz.evaluator import make_judge

    asked, wanted = judge_request(0, folder), make_judge()
    anyio.run(wanted.judge, asked)
    wall, core, verdicts = timed(lambda: anyio.run(wanted.judge, asked), 3)
    labels = {label: sum(v.label == label for v in verdicts) for label in ("PASS", "FAIL", "UNKNOWN")}
    print(f"judging {len(asked.statements)} criteria: {wall:.2f} s, {core:.2f} processor seconds; {labels}")
    return {"judge_s": wall, "judge_core_s": core, "ok": min(wall, core) <= 1.0}


def judge_request(number: int, folder: Path) -> JudgeRequest:
    request = request_of(number, folder)
    clip = Clip.from_bytes(make_animator(folder=folder).animate(request).data)
    frames = [clip.frames[k] for k in np.linspace(0, len(clip.frames) - 1, 8).astype(int).tolist()]
    lines = gallery.captions(number)
    painter = make_painter(folder=folder)
    sheets = []
    for line in lines[:2]:
        prompt = gallery.write_sections({"TASK": "Paint an identity sheet.", "WHO AND WHAT": [line]})
        sheets.append(ReferenceImage(line, painter.paint(PaintRequest(prompt, 768, 432)).data))
    texts = (25 * sentences(number))[:25]
    return JudgeRequest(
        tuple(Frame(k * 0.8, frame.to_png()) for k, frame in enumerate(frames)),
        tuple(Statement(f"c{k}", text, "always") for k, text in enumerate(texts)),
        tuple(sheets),
        lines,
    )


def sentences(number: int) -> list[str]:
    """What a contract would ask of a scene: everybody and everything, where they are, the place, and nothing else."""
    catalog = read_catalog(gallery.captions(number))
    people = [e.id for e in catalog.entities.values() if e.kind == "character"]
    claims: list[Any] = [InEnvironment(environment=p) for p in catalog.environments]
    claims += [kind(entity=e) for e in catalog.entities for kind in (Present, Single)]
    claims += [kind(entity=e) for e in people for kind in (LooksLike, FaceLegible)]
    claims += [FreeOf(thing=thing) for thing in ("on-screen text", "split screens", "frozen frames", "blank frames")]
    claims.append(OnlyPeople(entities=tuple(people)))
    return [*gallery.statements(number), *(render(claim, catalog) for claim in claims)]


def phases(folder: Path) -> dict[str, Any]:
    """Milliseconds of processor time of a frame by stage, on one thread, while the camera rests."""
    number = SHOTS[0]
    animator, request = make_animator(folder=folder), request_of(number, folder)
    scene = animator.index.recognise(Picture.from_bytes(request.opening))
    assert scene is not None
    played = animator._shot(request, scene, Dice("none", "phases"), FRAMES)
    renderer = Renderer(baked_of(scene.setting))
    packed = np.empty((HEIGHT, WIDTH), np.uint32)
    spent: dict[str, list[float]] = {"acting": [], "drawing": [], "to 4:2:0": [], "encoding": []}
    clock = time.thread_time
    with Encoder(WIDTH, HEIGHT, FPS) as encoder:
        for k in range(0, FRAMES, 2):
            t0 = clock()
            seen = view(*played.line.moment(k / FPS), played.lens_at(k / FPS))
            t1 = clock()
            renderer.draw(seen, WIDTH, HEIGHT, into=packed)
            t2 = clock()
            planes = to_yuv(packed)
            t3, c3 = clock(), processor_seconds()
            encoder.add(planes)
            for name, value in zip(spent, (t1 - t0, t2 - t1, t3 - t2, processor_seconds() - c3), strict=True):
                spent[name].append(value * 1e3)
    first = spent["drawing"][0]
    found = {name: float(np.median(values)) for name, values in spent.items()}
    faces = sum(len(i.mesh.faces) for i in seen.instances)
    print(f"a frame of {faces} faces before {len(renderer._baked.corners)} of the room, processor milliseconds:")
    print("  " + ", ".join(f"{name} {value:.1f}" for name, value in found.items()) + f"; a new camera {first:.1f}")
    return {**{f"{name.replace(' ', '_')}_ms": v for name, v in found.items()}, "new_camera_ms": first, "ok": True}


def first(folder: Path) -> dict[str, Any]:
    """A machine that has never drawn: one picture in an empty cache, then once more."""
    with tempfile.TemporaryDirectory() as empty:
        cold, again = (float(_task("first", empty)) for _ in range(2))
    print(f"first picture ever (compiling, surfaces, light): {cold:.1f} s; in a later process {again:.1f} s")
    return {"first_run_s": cold, "first_run_warm_s": again, "ok": True}


def _task(name: str, cache: str | None = None) -> str:
    """What a fresh process prints; `cache` gives it a cache of its own."""
    command = [sys.executable, __file__, "--task", name]
    environment = {**os.environ, "STORYENGINE_CACHE": cache} if cache else None
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()[-1]


def task_first() -> None:
    t = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        make_painter(folder=Path(folder)).paint(PaintRequest(gallery.prompts(0)[0], WIDTH, HEIGHT))
    print(time.perf_counter() - t)


def task_same() -> None:
    with tempfile.TemporaryDirectory() as name:
        request = request_of(1, Path(name))
        short = AnimateRequest(request.prompt, request.opening, 1.5, 640, 360, FPS, seed=1)
        clip = make_animator(folder=Path(name)).animate(short)
        print(digest_bytes(request.opening + clip.data))


def same(folder: Path) -> dict[str, Any]:
    equal = _task("same") == _task("same")
    print(f"a picture and a clip of one seed in two processes: {'the same' if equal else 'DIFFERENT'} bytes")
    return {"same_bytes": equal, "ok": equal}


def poses(folder: Path, count: int = 500) -> dict[str, Any]:
    """Random cameras inside a furnished room."""
    scene = _scene(SHOTS[0], folder)
    place, renderer = place_of(scene.setting), Renderer(baked_of(scene.setting))
    random = np.random.default_rng(5)
    low, high = np.array(place.bounds.low) + 0.1, np.array(place.bounds.high) - 0.1
    uncovered = 0
    for _ in range(count):
        at = random.uniform(low, high)
        camera = Camera(tuple(at), *(float(random.uniform(*r)) for r in ((0, 360), (-80, 80), (20, 110))))
        uncovered += renderer.draw(View(camera), WIDTH // 2, HEIGHT // 2).uncovered
    print(f"uncovered pixels over {count} random poses: {uncovered}")
    return {"poses": count, "uncovered_pixels": uncovered, "ok": uncovered == 0}


def faces(folder: Path, models: Path | None) -> dict[str, Any]:
    """Forty characters before a real detector and a real recogniser."""
    missing = [name for name in (DETECTOR, RECOGNISER) if models is None or not (models / name).is_file()]
    if models is None or missing:
        print(f"faces: skipped, since --models or STORYENGINE_MODELS names no folder with {' and '.join(missing)}")
        return {"faces": "skipped", "ok": True}
    find = cv2.FaceDetectorYN.create(str(models / DETECTOR), "", (SIDE, SIDE), 0.6)
    recognise = cv2.FaceRecognizerSF.create(str(models / RECOGNISER), "")
    found, features, who = [], [], []
    views = portraits(Renderer(bake(studio())), forty_people(40), (0, 20, -35, 50, 60), (42, 90, 200))
    for number, yaw, pixels, picture in views:
        seen = find.detect(picture)[1]
        found.append(seen is not None)
        if seen is not None and pixels >= 90 and abs(yaw) <= 35:
            best = max(seen, key=lambda face: face[-1])
            features.append(recognise.feature(recognise.alignCrop(picture, best)).ravel())
            who.append(number)
    unit = np.array(features) / np.linalg.norm(features, axis=1, keepdims=True)
    upper = np.triu_indices(len(who), 1)
    likeness, alike = (unit @ unit.T)[upper], np.equal.outer(who, who)[upper]
    others = np.sort(likeness[~alike])
    area = float(np.searchsorted(others, likeness[alike]).mean() / len(others))
    share, above = float(np.mean(found)), float(np.mean(others > CLUSTERING))
    print(f"faces, {len(found)} views of 40 characters at 42 to 200 pixels, 0 to 60 degrees: {share:.1%} found")
    print(f"  same from different: AUC {area:.4f}; different pairs above the clustering threshold: {above:.1%}")
    return {"faces_found": share, "faces_auc": area, "different_above": above, "ok": share >= 0.95 and area >= 0.95}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--models", type=Path, default=os.environ.get("STORYENGINE_MODELS"))
    parser.add_argument("--task", choices=("first", "same"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.task:
        {"first": task_first, "same": task_same}[asked.task]()
        return
    figures: dict[str, Any] = {"name": "previz"}
    passed = []
    with tempfile.TemporaryDirectory() as name:
        for part in asked.only.split(","):
            if part not in PARTS:
                parser.error(f"There is no part '{part}'. Use some of: {', '.join(PARTS)}.")
            more = (asked.models and Path(asked.models),) if part == "faces" else ()
            found = globals()[part](Path(name), *more)
            passed.append(found.pop("ok"))
            figures |= {k: round(v, 4) if isinstance(v, float) else v for k, v in found.items()}
    print(json.dumps({**figures, "ok": all(passed)}))


if __name__ == "__main__":
    main()
