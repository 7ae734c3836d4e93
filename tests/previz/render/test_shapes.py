"""Primitives: closed, wound outwards, of the right size."""

import numpy as np
import pytest

from storyengine.previz.render import Camera, Mesh, composed, merged, placement, shapes
from storyengine.previz.render.materials import PATTERNS, tile_at
from storyengine.previz.render.values import Material, smooth_split

SOLIDS = {
    "box": (shapes.box((1, 2, 3)), 6.0),
    "bevelled box": (shapes.box((1, 1, 1), bevel=0.05), 0.98),
    "cylinder": (shapes.cylinder(0.5, 2, segments=64), np.pi * 0.25 * 2),
    "bevelled cylinder": (shapes.cylinder(0.5, 2, segments=64, bevel=0.02), np.pi * 0.25 * 2),
    "cone": (shapes.cone(0.5, 0, 3, segments=64), np.pi * 0.25),
    "sphere": (shapes.sphere(0.5, segments=64, rings=48), np.pi / 6),
    "capsule": (shapes.capsule(0.2, 0.2, 1, segments=48, rings=16), np.pi * 0.04 * (1 + 0.8 / 3)),
    "torus": (shapes.torus(1, 0.2, segments=96, sides=48), 2 * np.pi**2 * 0.04),
    "notched": (shapes.extruded([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], 1), 3.0),
    "tube": (shapes.tube([(0, 0, 0), (0, 0, 1), (0, 0, 2)], 0.1, sides=48), np.pi * 0.02),
}


def volume(mesh: Mesh) -> float:
    total = 0.0
    for face in mesh.faces:
        ring = [mesh.vertices[i] for i in face if i >= 0]
        for k in range(1, len(ring) - 1):
            total += np.dot(ring[0], np.cross(ring[k], ring[k + 1])) / 6
    return float(total)


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_wound_outwards(name):
    mesh, wanted = SOLIDS[name]
    assert volume(mesh) == pytest.approx(wanted, rel=0.03)


@pytest.mark.parametrize("name", SOLIDS)
def test_normals_are_of_unit_length_and_agree_with_the_faces(name):
    mesh, _ = SOLIDS[name]
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-6)
    for face in mesh.faces:
        ring = [i for i in face if i >= 0]
        flat = np.cross(
            mesh.vertices[ring[1]] - mesh.vertices[ring[0]], mesh.vertices[ring[2]] - mesh.vertices[ring[0]]
        )
        if np.linalg.norm(flat) > 1e-9:
            assert mesh.normals[ring].mean(axis=0) @ flat > 0


@pytest.mark.parametrize("name", SOLIDS)
def test_splitting_curved_faces_keeps_the_solid(name):
    mesh, wanted = SOLIDS[name]
    assert volume(smooth_split(mesh)) == pytest.approx(wanted, rel=0.03)


def test_moving_keeps_or_mirrors_the_winding():
    mesh = shapes.box((1, 1, 1))
    assert volume(mesh.moved(placement((3, 2, 1), 30, 20, 10, 2.0))) == pytest.approx(8.0)
    assert volume(mesh.moved(placement(scale=(-1, 1, 1)))) == pytest.approx(1.0)


def test_merging_keeps_every_part():
    both = merged([shapes.box((1, 1, 1)), shapes.sphere(0.5).moved(placement((3, 0, 0)))])
    assert volume(both) == pytest.approx(1 + np.pi / 6, rel=0.05)
    assert both.groups.max() == 6


def test_placements_compose_like_matrices():
    inner, outer = placement((1, 0, 0), 90), placement((0, 2, 0), 0, 30)
    point = np.array([0.3, -0.2, 0.5])
    moved = outer[:, :3] @ (inner[:, :3] @ point + inner[:, 3]) + outer[:, 3]
    whole = composed(outer, inner)
    assert np.allclose(whole[:, :3] @ point + whole[:, 3], moved)


def test_yaw_is_a_compass_bearing():
    east = placement(yaw=90)[:, :3] @ np.array([0, 1, 0])
    assert np.allclose(east, (1, 0, 0), atol=1e-9)
    assert np.allclose(Camera((0, 0, 0), 90).axes()[2], (1, 0, 0), atol=1e-9)
    assert Camera.looking_at((0, 0, 0), (1, 1, 0)).yaw == pytest.approx(45)


def test_shapes_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="crosses itself"):
        shapes.extruded([(0, 0), (2, 2), (2, 0), (0, 2)], 1)


@pytest.mark.parametrize("pattern", ["plaster", "brick", "planks", "cobbles"])
def test_patterns_are_calm_and_repeat_without_a_seam(pattern):
    tile = tile_at(Material(pattern, (0.6, 0.5, 0.4)), 64).astype(int)
    shade = tile[..., 1]
    assert 1 < shade.std() < 22
    inside = np.abs(np.diff(shade, axis=1)).mean()
    assert np.abs(shade[:, 0] - shade[:, -1]).mean() < 3 * inside + 2


def test_there_are_enough_patterns():
    assert len(PATTERNS) >= 12


@pytest.mark.slow
@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_every_pattern_paints(pattern):
    for scale in (0.3, 1.0, 3.0):
        tile = tile_at(Material(pattern, (0.6, 0.5, 0.4), scale=scale), 32)
        assert tile.shape == (256, 256, 3)
        assert tile[..., :2].std() > 1
