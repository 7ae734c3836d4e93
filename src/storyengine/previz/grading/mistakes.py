"""Wrong and undecided verdicts as pictures, so that a person can look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from storyengine.language.captions import read_caption
from storyengine.media.picture import Picture, Pixels
from storyengine.previz.grading.folder import Sample, SceneFolder
from storyengine.previz.grading.judging import Answer
from storyengine.previz.grading.report import counts_for_bars

MOST = 40
"""Pictures per kind of claim and verdict."""
_SIZE = (960, 540)
_SIDE = 320
_YELLOW, _GREEN, _WHITE = (255, 220, 0), (60, 220, 90), (245, 245, 245)


def save_mistakes(folder: SceneFolder, answers: Iterable[Answer], target: Path) -> int:
    """One picture for each answer that counts for the bars and is not right. Returns how many were written."""
    counts: Counter[str] = Counter()
    for answer in answers:
        right = "PASS" if answer.question.truth else "FAIL"
        if not counts_for_bars(answer) or answer.label == right:
            continue
        name = f"{answer.question.kind}/{'true' if answer.question.truth else 'false'} but {answer.label}"
        counts[name] += 1
        if counts[name] <= MOST:
            path = target / name / f"{answer.scene:04d}-{answer.question.id}.jpg"
            path.parent.mkdir(parents=True, exist_ok=True)
            pixels = explained(folder, folder.sample(answer.scene), answer)
            path.write_bytes(cv2.imencode(".jpg", pixels[..., ::-1])[1].tobytes())
    return sum(min(count, MOST) for count in counts.values())


def explained(folder: SceneFolder, sample: Sample, answer: Answer) -> Pixels:
    """The frame with the evaluator's box (yellow) and the true one (green), the reference, and what was said."""
    question = answer.question
    last = len(sample.frames) - 1
    number = answer.frame if answer.frame is not None else (last if question.phase == "end" else 0)
    number = min(max(number, 0), last)
    frame = _fitted(Picture.from_bytes(folder.picture(sample.frames[number][1])).pixels, *_SIZE)
    true_box = sample.boxes[number].get(question.subject)
    if true_box is not None:
        _rectangle(frame, tuple(true_box[1:5]), _GREEN)
    if answer.box is not None:
        _rectangle(frame, (answer.box.left, answer.box.top, answer.box.width, answer.box.height), _YELLOW)
    side = np.zeros((_SIZE[1], _SIDE, 3), np.uint8)
    pictures = [name for told, name in sample.references if _is_of(told, question.subject)] or [sample.references[0][1]]
    for place, name in enumerate(pictures[:2]):
        reference = _fitted(Picture.from_bytes(folder.picture(name)).pixels, _SIDE, _SIZE[1] // 2)
        side[place * (_SIZE[1] // 2) : place * (_SIZE[1] // 2) + reference.shape[0], : reference.shape[1]] = reference
    lines = (
        question.text,
        f"{answer.label}; it is {str(question.truth).lower()}. {answer.evidence}",
        f"scene {sample.number}, {sample.form}, {question.phase}, frame {number}, {sample.framing}, "
        f"share {question.share}, planted: {', '.join(sample.planted) or 'nothing'}",
    )
    words = np.zeros((66, _SIZE[0] + _SIDE, 3), np.uint8)
    for row, line in enumerate(lines):
        plain = line.encode("ascii", "replace").decode()
        cv2.putText(words, plain, (6, 18 + row * 20), cv2.FONT_HERSHEY_SIMPLEX, 0.45, _WHITE, 1, cv2.LINE_AA)
    return np.vstack([np.hstack([frame, side]), words])


def _is_of(caption: str, subject: str) -> bool:
    found = read_caption(caption.partition(" — here: ")[0])
    return found is not None and found.id == subject


def _fitted(pixels: Pixels, width: int, height: int) -> Pixels:
    scale = min(width / pixels.shape[1], height / pixels.shape[0])
    size = (round(pixels.shape[1] * scale), round(pixels.shape[0] * scale))
    return np.array(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _rectangle(pixels: Pixels, box: tuple[float, ...], colour: tuple[int, int, int]) -> None:
    height, width = pixels.shape[:2]
    left, top = round(box[0] * width), round(box[1] * height)
    corner = (round((box[0] + box[2]) * width), round((box[1] + box[3]) * height))
    cv2.rectangle(pixels, (left, top), corner, colour, 2)
