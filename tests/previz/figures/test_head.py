"""Proportions of faces: who is unlike whom."""

from dataclasses import replace

import numpy as np

from storyengine.previz.appearance import person_look
from storyengine.previz.figures.head import face_form, surface_grid, unlike

LOOK = person_look("Mina", "a young woman with short black hair")
HEIGHTS, ANGLES = np.linspace(-0.45, 0.45, 9), np.linspace(-90, 90, 9)


def relief(face):
    return surface_grid(face_form(replace(LOOK, face=face)), HEIGHTS, ANGLES)


def test_somebody_unlike_is_never_the_same_face():
    assert unlike(LOOK, [LOOK.face, 7]) == 7


def test_the_least_alike_of_some_faces_is_farther_than_most():
    faces = list(range(1, 40))
    far = [np.abs(relief(unlike(LOOK, faces[k : k + 6])) - relief(LOOK.face)).mean() for k in range(0, 36, 6)]
    usual = [np.abs(relief(face) - relief(LOOK.face)).mean() for face in faces]
    assert np.mean(far) > np.mean(usual)
