"""Stances: hands and feet go where they are told, eyes look where they are told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyengine.previz.figures import (
    BONES,
    Figure,
    Foot,
    Hand,
    Pose,
    Stance,
    hand_matrix,
    reach,
    solve,
    world_matrices,
)
from storyengine.previz.figures.skeleton import PARENTS, bone_matrices
from tests.previz.figures.cast import person

FIGURE = Figure.build(person())
NEAR = st.floats(-0.35, 0.35)


def bone(pose: Pose, name: str) -> np.ndarray:
    return bone_matrices(FIGURE.rest, pose)[BONES.index(name)]


@given(NEAR, st.floats(0.2, 0.45), st.floats(0.9, 1.45), st.sampled_from(["left", "right"]), st.booleans())
def test_a_hand_within_reach_is_exactly_there(x: float, y: float, z: float, side: str, turned: bool) -> None:
    hand = Hand((x, y, z), (0.0, 1.0, 0.2) if turned else None, (0.0, 0.0, 1.0) if turned else None)
    pose = solve(FIGURE, Stance(left=hand) if side == "left" else Stance(right=hand))
    grip = hand_matrix(FIGURE, pose, side)  # type: ignore[arg-type]
    within = np.linalg.norm(np.array([x, y, z]) - bone(pose, f"{side} upper arm")[:, 3]) < FIGURE.measures.arm
    assert not within or np.linalg.norm(grip[:, 3] - (x, y, z)) < 0.002


@given(NEAR, st.floats(0.2, 2.0), st.floats(0.0, 2.4))
def test_every_pose_keeps_bones_whole(x: float, y: float, z: float) -> None:
    pose = solve(FIGURE, Stance(right=Hand((x, y, z)), lean=40, twist=20, side=10, gaze=(x, y, z), hips=(0, 0, -0.3)))
    matrices = bone_matrices(FIGURE.rest, pose)
    assert np.isfinite(matrices).all()
    for number, name in enumerate(BONES):
        turn = matrices[number, :, :3]
        if name not in ("skirt", "apron"):
            assert np.allclose(turn @ turn.T, np.eye(3), atol=1e-6), name
        if PARENTS[number] > 0:
            gap = np.linalg.norm(matrices[number, :, 3] - matrices[PARENTS[number], :, 3])
            assert gap == pytest.approx(np.linalg.norm(FIGURE.rest[number]), abs=1e-6)


def test_a_hand_out_of_reach_points_the_way() -> None:
    pose = solve(FIGURE, Stance(right=Hand((0.2, 3.0, 1.3))))
    wrist, root = bone(pose, "right palm")[:, 3], bone(pose, "right upper arm")[:, 3]
    assert np.linalg.norm(wrist - root) == pytest.approx(FIGURE.measures.arm, rel=0.01)
    assert (wrist - root)[1] > 0.9 * FIGURE.measures.arm


@pytest.mark.parametrize("side", ["left", "right"])
def test_feet_stand_where_they_are_put(side: str) -> None:
    foot = Foot((0.15 if side == "right" else -0.15, 0.25, 0.0), 20.0)
    pose = solve(FIGURE, Stance(left_foot=foot) if side == "left" else Stance(right_foot=foot))
    ankle = bone(pose, f"{side} foot")
    assert np.allclose(ankle[:, 3], (foot.at[0], foot.at[1], FIGURE.measures.ankle), atol=1e-6)
    assert ankle[:, 2] @ (0, 0, 1) == pytest.approx(1.0, abs=1e-9)


def test_a_wide_step_sinks_the_hips_and_no_leg_is_stretched() -> None:
    pose = solve(FIGURE, Stance(left_foot=Foot((-0.1, 0.5, 0)), right_foot=Foot((0.1, -0.5, 0))))
    assert pose.shift[2] < -0.1
    for side in ("left", "right"):
        leg = np.linalg.norm(bone(pose, f"{side} foot")[:, 3] - bone(pose, f"{side} thigh")[:, 3])
        assert leg <= FIGURE.measures.thigh + FIGURE.measures.shin


def test_knees_and_elbows_bend_the_human_way() -> None:
    pose = solve(FIGURE, Stance(hips=(0, 0, -0.35), left=Hand((-0.2, 0.3, 1.1)), right=Hand((0.2, 0.3, 1.1))))
    for side in ("left", "right"):
        thigh, shin, foot = (bone(pose, f"{side} {b}")[:, 3] for b in ("thigh", "shin", "foot"))
        assert shin[1] > max(thigh[1], foot[1])
        upper, fore, palm = (bone(pose, f"{side} {b}")[:, 3] for b in ("upper arm", "forearm", "palm"))
        assert fore[1] < max(upper[1], palm[1])
        assert fore[2] < upper[2]


@given(st.floats(-60, 60), st.floats(-25, 25))
def test_eyes_and_head_together_look_at_the_point(yaw: float, pitch: float) -> None:
    pose = Pose()
    start = bone(pose, "head")[:, 3] + (0, 0.1, 0.05)
    a, b = np.radians(yaw), np.radians(pitch)
    target = start + 4 * np.array([np.sin(a) * np.cos(b), np.cos(a) * np.cos(b), np.sin(b)])
    pose = solve(FIGURE, Stance(gaze=tuple(target)))
    eye = bone(pose, "left eye")
    wanted = target - eye[:, 3]
    assert eye[:, 1] @ wanted / np.linalg.norm(wanted) > np.cos(np.radians(9))


def test_lids_close() -> None:
    open_, shut = (solve(FIGURE, Stance(lids=x)) for x in (0.0, 1.0))
    assert bone(shut, "left lid")[2, 1] < bone(open_, "left lid")[2, 1] - 0.5


def test_reach_moves_one_arm_and_nothing_else() -> None:
    before = solve(FIGURE, Stance(lean=10))
    after = reach(FIGURE, before, "right", Hand((0.2, 0.4, 1.2), (0, 1, 0), (0, 0, 1)))
    changed = {BONES[k] for k in range(len(BONES)) if not np.allclose(before.turns[k], after.turns[k])}
    assert changed <= {f"right {b}" for b in ("upper arm", "forearm", "palm", "fingers", "fingertips", "thumb")}
    assert np.allclose(hand_matrix(FIGURE, after, "right")[:, 3], (0.2, 0.4, 1.2), atol=0.002)


def test_skirts_cover_a_striding_thigh() -> None:
    wide = solve(FIGURE, Stance(left_foot=Foot((-0.1, 0.4, 0)), right_foot=Foot((0.1, -0.4, 0))))
    still = solve(FIGURE, Stance())
    depth = [np.linalg.norm(world_matrices(FIGURE, p, (0, 0, 0), 0)[BONES.index("skirt")][:, 1]) for p in (still, wide)]
    assert depth[1] > depth[0] * 1.3
