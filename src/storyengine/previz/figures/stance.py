"""Stances: a body told by where its hands, feet, hips and eyes are; and the pose that does it.

A stance is what an actor is asked for; `solve` finds the joints by two-bone inverse kinematics. All points and
directions of a stance are in the figure's own space (origin on the ground, facing +y, right is +x).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from storyengine.previz.figures.face import LID_TRAVEL
from storyengine.previz.figures.figure import Figure, grip_offset
from storyengine.previz.figures.skeleton import BONES, INDEX, Measures, Pose, Side, rotation
from storyengine.previz.render.values import Floats, Vec3

SIDES: tuple[Side, Side] = ("left", "right")
_REST = np.tile(np.eye(3), (len(BONES), 1, 1))


@dataclass(frozen=True)
class Hand:
    """Where a hand holds."""

    at: Vec3
    """The middle of the closed hand."""
    fingers: Vec3 | None = None
    """Where the straight fingers point; None follows the forearm."""
    thumb: Vec3 | None = None
    """Where the thumb's side looks: the way a held bar points out of the fist."""
    curl: float = 0.35
    """0 is a flat hand, 1 a fist."""
    elbow: Vec3 | None = None
    """Which way the elbow points; None lets it hang down, back and out."""


@dataclass(frozen=True)
class Foot:
    """Where a foot stands: the sole's point under the ankle."""

    at: Vec3
    yaw: float = 0.0
    """Clockwise from the way the figure faces, in degrees."""
    heel: float = 0.0
    """Degrees that the heel is raised about the ball of the foot; negative lifts the toes."""


@dataclass(frozen=True)
class Stance:
    """How a body stands, leans, reaches and looks. Defaults stand at ease."""

    left: Hand | None = None
    right: Hand | None = None
    """None lets the arm hang."""
    left_foot: Foot | None = None
    right_foot: Foot | None = None
    """None stands below the hip."""
    hips: Vec3 = (0.0, 0.0, 0.0)
    """How far the hips are moved; they sink by themselves where the legs are too short."""
    lean: float = 0.0
    """Degrees forwards, shared by hips, waist and chest."""
    side: float = 0.0
    """Degrees to the left; negative to the right."""
    twist: float = 0.0
    """Degrees that the shoulders turn to the left."""
    gaze: Vec3 | None = None
    """The point looked at; None looks straight ahead."""
    nod: float = 0.0
    """Degrees that the head bows besides looking."""
    tilt: float = 0.0
    breath: float = 0.0
    lids: float = 0.0
    """0 open, 1 shut."""
    swing: tuple[float, float] = field(default=(0.0, 0.0))
    """Degrees that a hanging left and right arm swings forwards."""


def solve(figure: Figure, stance: Stance) -> Pose:
    """The pose of a stance. Hands and feet out of reach are stretched for as far as they go."""
    m = figure.measures
    feet = [_foot(m, stance, side) for side in SIDES]
    turns = _REST.copy()
    turns[:3] = _trunk(stance)
    shift = _hips_within_reach(figure, stance.hips, turns[0], feet)
    spine = _spine(figure, turns, shift)
    _turn_head(turns, figure, stance, spine[2])
    for side in SIDES:
        _arm(turns, figure, stance, side, spine[2])
    flexes = [_leg(turns, figure, foot, side, spine[0]) for side, foot in zip(SIDES, feet, strict=True)]
    _drape(turns, m, flexes, spine[0])
    lid = rotation(-LID_TRAVEL * stance.lids)
    turns[INDEX["left lid"]] = turns[INDEX["right lid"]] = lid
    return Pose(turns, shift, stance.breath)


def reach(figure: Figure, pose: Pose, side: Side, hand: Hand) -> Pose:
    """The pose with one hand put somewhere (own space); the rest of the body stays as it is."""
    turns = pose.turns.copy()
    spine = _spine(figure, turns, pose.shift)
    _place_hand(turns, figure, hand, side, spine[2])
    return replace(pose, turns=turns)


def shoulder(figure: Figure, stance: Stance, side: Side) -> Floats:
    """Where a shoulder is, in the figure's own space: to see how far an arm has to go."""
    turns = _trunk(stance)
    feet = [_foot(figure.measures, stance, s) for s in SIDES]
    shift = _hips_within_reach(figure, stance.hips, turns[0], feet)
    chest = _spine(figure, turns, shift)[2]
    return np.asarray(chest[:, :3] @ figure.rest[INDEX[f"{side} upper arm"]] + chest[:, 3])


# ------------------------------------------------------------------------------------------------ spine and head


def _trunk(stance: Stance) -> Floats:
    """Turns of pelvis, waist and chest: they share lean, side and twist."""
    shares = ((0.30, 0.30, 0.15), (0.34, 0.35, 0.40), (0.36, 0.35, 0.45))
    return np.stack([rotation(-a * stance.lean, b * stance.side, c * stance.twist) for a, b, c in shares])


def _spine(figure: Figure, turns: Floats, shift: Vec3) -> Floats:
    """Pelvis, waist and chest in own space, (3, 3, 4)."""
    out = np.empty((3, 3, 4))
    out[0, :, :3] = turns[0]
    out[0, :, 3] = figure.rest[0] + shift
    for k in (1, 2):
        out[k, :, :3] = out[k - 1, :, :3] @ turns[k]
        out[k, :, 3] = out[k - 1, :, :3] @ figure.rest[k] + out[k - 1, :, 3]
    return out


def _turn_head(turns: Floats, figure: Figure, stance: Stance, chest: Floats) -> None:
    """Neck, head and eyes share the way to the gaze; without one the head stays level-ish."""
    neck, head = INDEX["neck"], INDEX["head"]
    yaw, pitch = 0.0, 0.35 * stance.lean
    eyes = (0.0, 0.0)
    if stance.gaze is not None:
        joint = chest[:, :3] @ (figure.rest[neck] + figure.rest[head] + (0, 0.02, 0.05)) + chest[:, 3]
        way = chest[:, :3].T @ (np.array(stance.gaze) - joint)
        flat = math.hypot(way[0], way[1])
        want_yaw = math.degrees(math.atan2(-way[0], way[1]))
        want_pitch = math.degrees(math.atan2(way[2], max(flat, 1e-6)))
        yaw = _within(want_yaw * 0.86, 78)
        # Eyes do much of looking down: a head that is bowed deeply shows no face.
        pitch = _within(want_pitch * 0.6, 34)
        eyes = (_within(want_yaw - yaw, 26), _within(want_pitch - pitch, 24))
    pitch -= stance.nod
    turns[neck] = rotation(0.4 * pitch, 0.4 * stance.tilt, 0.4 * yaw)
    turns[head] = rotation(0.6 * pitch, 0.6 * stance.tilt, 0.6 * yaw)
    look = rotation(eyes[1], 0.0, eyes[0])
    turns[INDEX["left eye"]] = turns[INDEX["right eye"]] = look


def _within(value: float, limit: float) -> float:
    return min(max(value, -limit), limit)


# ------------------------------------------------------------------------------------------------ arms


def _arm(turns: Floats, figure: Figure, stance: Stance, side: Side, chest: Floats) -> None:
    hand = stance.left if side == "left" else stance.right
    if hand is not None:
        _place_hand(turns, figure, hand, side, chest)
        return
    sign = -1.0 if side == "left" else 1.0
    swing = stance.swing[0 if side == "left" else 1]
    # A hanging arm hangs towards the ground however the chest leans.
    upper = chest[:, :3].T @ rotation(swing + 2, sign * 8, sign * 4)
    turns[INDEX[f"{side} upper arm"]] = upper
    turns[INDEX[f"{side} forearm"]] = rotation(14 + 0.35 * max(swing, 0.0), -sign * 3)
    turns[INDEX[f"{side} palm"]] = rotation(0, 0, sign * 14)
    _curl(turns, side, 0.32)


def _place_hand(turns: Floats, figure: Figure, hand: Hand, side: Side, chest: Floats) -> None:
    m = figure.measures
    sign = -1.0 if side == "left" else 1.0
    root = chest[:, :3] @ figure.rest[INDEX[f"{side} upper arm"]] + chest[:, 3]
    target = np.array(hand.at, float)
    grip = grip_offset(m, side)
    pole = np.array(hand.elbow if hand.elbow is not None else (sign * 0.75, -0.55, -0.75))
    if hand.fingers is not None:
        palm = _palm_frame(np.array(hand.fingers, float), hand.thumb, sign)
        upper, fore = _two_bones(root, target - palm @ grip, m.upper_arm, m.forearm, pole, +1.0)
    else:
        way = target - root
        palm = _palm_frame(way, hand.thumb, sign)
        for _ in range(3):
            upper, fore = _two_bones(root, target - palm @ grip, m.upper_arm, m.forearm, pole, +1.0)
            straight, palm = palm, _palm_frame(-fore[:, 2], hand.thumb, sign)
        # The hand has to be where it is asked, so the wrist takes what is left to straighten.
        palm = straight
    turns[INDEX[f"{side} upper arm"]] = chest[:, :3].T @ upper
    turns[INDEX[f"{side} forearm"]] = upper.T @ fore
    turns[INDEX[f"{side} palm"]] = fore.T @ palm
    _curl(turns, side, hand.curl)


def _palm_frame(fingers: Floats, thumb: Vec3 | None, sign: float) -> Floats:
    """Axes of a palm: -z along the fingers, y towards the thumb's side."""
    z = -fingers / max(_length(fingers), 1e-9)
    y = np.array(thumb if thumb is not None else (-sign * 0.45, 0.25, 1.0), float)
    y = y - z * (y @ z)
    size = _length(y)
    if size < 1e-3:
        y = np.array([0.0, 1.0, 0.0]) - z * z[1]
        size = _length(y)
    y = y / size
    return np.array([_cross(y, z), y, z]).T


def _two_bones(
    root: Floats, tip: Floats, first: float, second: float, pole: Floats, bend: float
) -> tuple[Floats, Floats]:
    """Rotations (own space) of two bones that hang along -z at rest, from root to tip, bulging towards the pole.

    `bend` +1 folds the lower bone forwards (an elbow), -1 backwards (a knee).
    """
    way = tip - root
    size = _length(way)
    far = min(max(size, abs(first - second) + 1e-4, 0.12 * (first + second)), (first + second) * 0.9995)
    way = way / max(size, 1e-9)
    pole = pole / max(_length(pole), 1e-9)
    pole = pole - way * (pole @ way)
    vague = max(0.0, 0.4 - _length(pole))
    if vague > 0:
        # A pole along the limb says nothing; a spare one keeps the joint from flipping.
        spare = np.array([0.0, -0.8, 0.6]) if bend > 0 else np.array([0.0, 0.8, 0.6])
        pole = pole + 2.5 * vague * (spare - way * (spare @ way))
    pole = pole / max(_length(pole), 1e-9)
    cosine = (first * first + far * far - second * second) / (2 * first * far)
    sine = math.sqrt(max(0.0, 1 - cosine * cosine))
    upper = way * cosine + pole * sine
    lower = (way * far - upper * first) / second
    hinge = _cross(pole, way) * bend
    return _bone_frame(upper, hinge), _bone_frame(lower, hinge)


def _cross(a: Floats, b: Floats) -> Floats:
    # numpy's own is made for long arrays and costs twenty times as much on one pair.
    ax, ay, az = a.tolist()
    bx, by, bz = b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def _length(v: Floats) -> float:
    return math.sqrt(float(v @ v))


def _bone_frame(down: Floats, hinge: Floats) -> Floats:
    z = -down / max(_length(down), 1e-9)
    return np.array([hinge, _cross(z, hinge), z]).T


def _curl(turns: Floats, side: Side, curl: float) -> None:
    """Fingers bend into the palm; the thumb closes over them."""
    inwards = 1.0 if side == "left" else -1.0
    turns[INDEX[f"{side} fingers"]] = rotation(0, inwards * (8 + 78 * curl))
    turns[INDEX[f"{side} fingertips"]] = rotation(0, inwards * (6 + 92 * curl))
    turns[INDEX[f"{side} thumb"]] = rotation(-8 * curl, inwards * (12 + 50 * curl), 0)


# ------------------------------------------------------------------------------------------------ legs and cloth


def standing_foot(m: Measures, side: Side, apart: float = 1.0) -> Foot:
    """A foot below its hip, toes a little outwards."""
    sign = -1.0 if side == "left" else 1.0
    return Foot((sign * (m.hip + 0.012) * apart, 0.0, 0.0), sign * 7.0)


def _foot(m: Measures, stance: Stance, side: Side) -> Foot:
    given = stance.left_foot if side == "left" else stance.right_foot
    return given if given is not None else standing_foot(m, side)


def _ankle(m: Measures, foot: Foot) -> tuple[Floats, Floats]:
    """Where the ankle is, and the foot's rotation, in own space."""
    turn = rotation(-foot.heel, 0.0, -foot.yaw) if foot.heel else rotation(0.0, 0.0, -foot.yaw)
    level = rotation(0.0, 0.0, -foot.yaw)
    if foot.heel:
        turn = level @ rotation(-foot.heel)
        pivot = np.array([0.0, m.foot * (0.45 if foot.heel > 0 else -0.2), -m.ankle])
        return np.array(foot.at) + (0, 0, m.ankle) + level @ pivot - turn @ pivot, turn
    return np.array(foot.at) + np.array([0.0, 0.0, m.ankle]), turn


def _hips_within_reach(figure: Figure, hips: Vec3, pelvis: Floats, feet: list[Foot]) -> Vec3:
    """Sink the hips until both feet are within the length of the legs."""
    m = figure.measures
    longest = (m.thigh + m.shin) * 0.9985
    sink = 0.0
    base = figure.rest[0] + hips
    for side, foot in zip(SIDES, feet, strict=True):
        joint = base + pelvis @ figure.rest[INDEX[f"{side} thigh"]]
        ankle = _ankle(m, foot)[0]
        flat = math.hypot(joint[0] - ankle[0], joint[1] - ankle[1])
        tall = math.sqrt(max(longest * longest - flat * flat, 0.01))
        sink = max(sink, float(joint[2] - ankle[2]) - tall)
    return (hips[0], hips[1], hips[2] - sink)


def _leg(turns: Floats, figure: Figure, foot: Foot, side: Side, pelvis: Floats) -> Floats:
    """Set a leg; returns where its knee is relative to the hip."""
    m = figure.measures
    sign = -1.0 if side == "left" else 1.0
    root = pelvis[:, :3] @ figure.rest[INDEX[f"{side} thigh"]] + pelvis[:, 3]
    ankle, sole = _ankle(m, foot)
    toes = rotation(0, 0, -foot.yaw)[:, 1]
    pole = toes + np.array([sign * 0.12, 0.0, 0.0])
    upper, lower = _two_bones(root, ankle, m.thigh, m.shin, pole, -1.0)
    turns[INDEX[f"{side} thigh"]] = pelvis[:, :3].T @ upper
    turns[INDEX[f"{side} shin"]] = upper.T @ lower
    turns[INDEX[f"{side} foot"]] = lower.T @ sole
    return np.asarray(-upper[:, 2] * m.thigh)


def _drape(turns: Floats, m: Measures, knees: list[Floats], pelvis: Floats) -> None:
    """Skirts widen and apron fronts lift where the thighs go. Cloth bones are stretched, not only turned."""
    upright = pelvis[:, :3].T
    ahead = max(k[1] for k in knees)
    behind = min(k[1] for k in knees)
    down = max(-float(np.mean([k[2] for k in knees])) / m.thigh, 0.30)
    thick = 0.050 * m.height
    depth = 0.100 * m.height
    front, back = max(depth, ahead + thick), max(depth, -behind + thick)
    cloth = np.eye(3)
    cloth[1, 1] = (front + back) / (2 * depth)
    cloth[1, 2] = -(front - back) / 2 / m.thigh
    cloth[2, 2] = max(down, 0.45)
    turns[INDEX["skirt"]] = upright @ cloth
    lift = math.degrees(math.atan2(max(ahead, 0.0), max(-min(k[2] for k in knees if k[1] == ahead), 0.05)))
    turns[INDEX["apron"]] = upright @ rotation(min(lift, 86.0) * 0.96)
