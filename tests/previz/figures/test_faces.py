"""Faces: a real detector finds them, a real recogniser tells them apart."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from storyengine.previz.figures import Figure, Stance, pose_instances, solve
from storyengine.previz.looks import PersonLook
from storyengine.previz.render import Camera, Renderer, View, bake
from tests.previz.figures.cast import cast, model_file, studio

SIDE = 320
Views = list[tuple[int, float, int, np.ndarray]]


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(bake(studio()))


def portraits(
    renderer: Renderer, people: list[PersonLook], yaws: tuple[int, ...], heights: tuple[int, ...]
) -> Iterator[tuple[int, int, int, np.ndarray]]:
    """(who, yaw, face height in pixels, BGR picture) of each person turned away by some degrees."""
    for number, look in enumerate(people):
        figure = Figure.build(look)
        eyes = figure.measures.height - figure.measures.head * 0.5
        for yaw in yaws:
            people_now = pose_instances(figure, solve(figure, Stance()), (3.0, 2.6, 0.0), 180.0 + yaw, 10)
            for pixels in heights:
                fov = 2 * np.degrees(np.arctan(SIDE / 2 * figure.measures.head / pixels / 1.6))
                camera = Camera.looking_at((3.05, 1.0, eyes + 0.08), (3.0, 2.6, eyes), float(min(fov, 100)))
                drawn = renderer.draw(View(camera, people_now), SIDE, SIDE).pixels
                yield number, yaw, pixels, np.ascontiguousarray(drawn[..., ::-1])


def detector() -> cv2.FaceDetectorYN:
    return cv2.FaceDetectorYN.create(model_file("face_detection_yunet_2023mar.onnx"), "", (SIDE, SIDE), 0.6)


def test_a_real_detector_finds_the_faces_of_a_small_cast(renderer: Renderer) -> None:
    find = detector()
    seen = [find.detect(p)[1] is not None for *_, p in portraits(renderer, cast(4), (0, 35, -60), (45, 120))]
    assert np.mean(seen) >= 0.95


@pytest.mark.slow
def test_forty_characters_are_found_and_told_apart(renderer: Renderer) -> None:
    find = detector()
    recognise = cv2.FaceRecognizerSF.create(model_file("face_recognition_sface_2021dec.onnx"), "")
    found, features, who = [], [], []
    for number, yaw, pixels, picture in portraits(renderer, cast(40), (0, 20, -35, 50, 60), (42, 90, 200)):
        faces = find.detect(picture)[1]
        found.append(faces is not None)
        if faces is not None and pixels >= 90 and abs(yaw) <= 35:
            best = max(faces, key=lambda face: face[-1])
            features.append(recognise.feature(recognise.alignCrop(picture, best)).ravel())
            who.append(number)
    assert np.mean(found) >= 0.95
    unit = np.array(features) / np.linalg.norm(features, axis=1, keepdims=True)
    upper = np.triu_indices(len(who), 1)
    likeness, same = (unit @ unit.T)[upper], np.equal.outer(who, who)[upper]
    others = np.sort(likeness[~same])
    area = np.searchsorted(others, likeness[same]).mean() / len(others)
    assert area >= 0.95, f"AUC {area:.4f}; {np.mean(others > 0.363):.0%} of different pairs above the usual 0.363"


def test_a_blink_changes_the_picture_and_a_glance_too(renderer: Renderer) -> None:
    figure = Figure.build(cast(1)[0])
    camera = Camera.looking_at((3.0, 1.2, 1.62), (3.0, 2.6, 1.58), 18.0)

    def drawn(stance: Stance) -> np.ndarray:
        people_now = pose_instances(figure, solve(figure, stance), (3.0, 2.6, 0.0), 180.0, 10)
        return renderer.draw(View(camera, people_now), SIDE, SIDE).pixels.astype(int)

    plain = drawn(Stance())
    assert np.abs(plain - drawn(Stance(lids=1.0))).max() > 60
    assert np.abs(plain - drawn(Stance(gaze=(1.0, 1.5, 1.6)))).max() > 60
