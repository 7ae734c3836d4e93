"""Proportions of faces: who is unlike whom."""

from dataclasses import replace

import numpy as np

from storyengine.previz.appearance import person_look
from storyengine.previz.figures.head import face_form, surface_grid, unlike

LOOK = person_look("Mina", "a young woman with short black hair")
HEIGHTS, ANGLES = np.linspace(-0.45, 0.45, 9), np.linspace(-90, 90, 9)


def other(face, **looks):
    return replace(LOOK, face=face, **looks)


def relief(look):
    return surface_grid(face_form(look), HEIGHTS, ANGLES)


def test_somebody_unlike_is_never_the_same_face():
    assert unlike(LOOK, [LOOK, other(7)]) == other(7)


def test_skin_and_hair_make_unlike_too():
    dark, fair = other(7, skin=(0.3, 0.2, 0.15)), other(7, skin=(0.93, 0.78, 0.68))
    assert unlike(dark, [dark, fair]) == fair
    assert unlike(fair, [dark, fair]) == dark
    assert unlike(LOOK, [other(7), other(7, hair="curly")]).hair == "curly"


def test_the_least_alike_of_some_faces_is_farther_than_most():
    others = [other(face) for face in range(1, 40)]
    far = [np.abs(relief(unlike(LOOK, others[k : k + 6])) - relief(LOOK)).mean() for k in range(0, 36, 6)]
    usual = [np.abs(relief(one) - relief(LOOK)).mean() for one in others]
    assert np.mean(far) > np.mean(usual)
