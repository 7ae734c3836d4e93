"""Figures: every garment, hair and body builds; the same look is the same figure."""

import hashlib
import subprocess
import sys
import typing

import numpy as np
import pytest

from storyengine.previz.figures import BONES, Figure, Pose, Stance, hand_matrix, pose_instances, solve, world_matrices
from storyengine.previz.figures.hats import HATS
from storyengine.previz.looks import Beard, GarmentKind, HairStyle
from tests.previz.figures.cast import cast, garment, person

KINDS = typing.get_args(GarmentKind)


def well_made(figure: Figure) -> bool:
    for mesh in figure.meshes:
        if mesh is None:
            continue
        lengths = np.linalg.norm(mesh.normals[np.unique(mesh.faces[mesh.faces >= 0])], axis=1)
        if not np.isfinite(mesh.vertices).all() or not np.allclose(lengths, 1.0, atol=1e-6):
            return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_every_garment_is_seen_in_its_colour(kind: GarmentKind) -> None:
    colour = (0.11, 0.62, 0.93)
    figure = Figure.build(person(garments=(garment(kind, colour),)))
    assert well_made(figure)
    shades = np.vstack([m.colours for m in figure.meshes if m is not None])
    share = shades / np.maximum(shades.max(axis=1, keepdims=True), 1e-9)
    assert (np.abs(share - np.array(colour) / max(colour)).max(axis=1) < 1e-6).sum() >= 8


@pytest.mark.parametrize("pattern", ["checked", "striped", "dotted"])
def test_patterns_carry_both_colours(pattern: str) -> None:
    figure = Figure.build(person(garments=(garment("shirt", (0.8, 0.1, 0.1), pattern),)))
    chest = figure.meshes[BONES.index("chest")]
    assert chest is not None
    pixels = chest.textures[0].pixels.reshape(-1, 3)
    assert {tuple(p) for p in pixels.tolist()} >= {(204, 25, 25), (229, 224, 204)}


@pytest.mark.parametrize("hair", typing.get_args(HairStyle))
@pytest.mark.parametrize("hatted", [False, True])
def test_every_hair_under_every_condition(hair: HairStyle, hatted: bool) -> None:
    worn = (garment("cap"),) if hatted else ()
    figure = Figure.build(person(hair=hair, garments=worn))
    assert well_made(figure)
    head = figure.meshes[BONES.index("head")]
    bald = Figure.build(person(hair="bald", garments=worn)).meshes[BONES.index("head")]
    assert head is not None
    assert bald is not None
    assert hair == "bald" or len(head.faces) > len(bald.faces)


@pytest.mark.parametrize("beard", typing.get_args(Beard))
def test_beards_differ(beard: Beard) -> None:
    head = Figure.build(person(beard=beard)).meshes[BONES.index("head")]
    plain = Figure.build(person()).meshes[BONES.index("head")]
    assert head is not None
    assert plain is not None
    same = len(head.faces) == len(plain.faces) and np.array_equal(head.textures[0].pixels, plain.textures[0].pixels)
    assert same == (beard == "none")


@pytest.mark.parametrize("height", [0.3, 1.1, 2.2, 9.0])
@pytest.mark.parametrize("age", ["child", "old"])
def test_absurd_bodies_still_stand(height: float, age: str) -> None:
    figure = Figure.build(person(height=height, age=age, build="broad"))
    tall = figure.measures.height
    assert 0.8 <= tall <= 2.3
    points = np.vstack(
        [i.mesh.vertices @ i.matrix[:, :3].T + i.matrix[:, 3] for i in pose_instances(figure, Pose(), (0, 0, 0), 0, 1)]
    )
    assert points[:, 2].max() == pytest.approx(tall, abs=0.12 * tall)
    assert -0.03 < points[:, 2].min() < 0.03


def test_equal_looks_share_one_figure_and_meshes_are_never_rebuilt() -> None:
    figure = Figure.build(person(5))
    assert Figure.build(person(5)) is figure
    first, second = (pose_instances(figure, solve(figure, Stance(lean=x)), (1, 2, 0), 90, 7) for x in (0.0, 30.0))
    assert [i.mesh for i in first] == [i.mesh for i in second]
    assert {i.id for i in first} == {7}


def test_a_hat_comes_off() -> None:
    figure = Figure.build(person(garments=(garment("cap"), garment("apron"))))
    bare = figure.without("cap")
    assert [g.kind for g in bare.look.garments] == ["apron"]
    assert [g.kind for g in figure.wearing("cap").look.garments] == ["cap"]
    assert set(HATS) >= {"cap"}


def print_of_cast() -> str:
    found = hashlib.sha256()
    for look in cast(2):
        for mesh in Figure.build(look).meshes:
            if mesh is not None:
                textures = b"".join(texture.pixels.tobytes() for texture in mesh.textures)
                found.update(mesh.vertices.tobytes() + mesh.colours.tobytes() + textures)
    return found.hexdigest()


def test_figures_are_the_same_in_every_process() -> None:
    script = "from tests.previz.figures.test_figure import print_of_cast; print(print_of_cast())"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == print_of_cast()


def test_yaw_turns_the_figure_clockwise() -> None:
    figure = Figure.build(person())
    east = hand_matrix(figure, Pose(), "right", (0, 0, 0), 90)[:, 3]
    assert east[1] < -0.1
    nose = world_matrices(figure, Pose(), (0, 0, 0), 90)[BONES.index("left eye")][:, 3]
    assert nose[0] > 0.05


def test_the_chest_breathes() -> None:
    figure = Figure.build(person())
    out, in_ = (world_matrices(figure, Pose(breath=b), (0, 0, 0), 0)[BONES.index("chest")] for b in (0.0, 1.0))
    assert np.linalg.norm(in_[:, 1]) > np.linalg.norm(out[:, 1])
