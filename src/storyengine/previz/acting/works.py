"""Work that repeats, with tools or bare hands: hammer, saw, sweep, rake, wipe, knead, stir, write, read."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from storyengine.previz.acting.fixtures import looped
from storyengine.previz.acting.handling import bent_to, grips_of
from storyengine.previz.acting.timing import ease, with_hand
from storyengine.previz.acting.values import Performance, Stage
from storyengine.previz.figures.figure import hand_matrix
from storyengine.previz.figures.skeleton import Side
from storyengine.previz.figures.stance import Foot, Hand, Stance, solve, standing_foot
from storyengine.previz.props.model import PropModel
from storyengine.previz.render.values import Floats, Vec3


def work_spot(stage: Stage, ahead: float, high: float) -> Vec3:
    """Where work is done, in own space: the stage's point, else so many body heights ahead and up."""
    tall = stage.figure.measures.height
    return stage.own(stage.point) if stage.point is not None else (0.0, ahead * tall, high * tall)


def acting_side(stage: Stage) -> tuple[Side, float]:
    return ("left", -1.0) if stage.hands == "left" else ("right", 1.0)


def in_fist(stage: Stage, stance: Stance, side: Side, model: PropModel) -> Floats:
    """A tool in a fist, in the world: its bar lies along the hand's, its working end on the thumb's side."""
    hand = hand_matrix(stage.figure, solve(stage.figure, stance), side, (*stage.at, 0.0), stage.yaw)
    grip = grips_of(model, side)[side]
    along = np.array(grip.along, float) / max(float(np.linalg.norm(grip.along)), 1e-9)
    return _aligned(along, hand[:, 1], np.array(grip.at), hand[:, 3], hand[:, 0])


def _aligned(own: Floats, wanted: Floats, grip: Floats, at: Floats, aside: Floats) -> Floats:
    """A placement that turns direction `own` into `wanted`, with point `grip` at `at`."""
    helper = np.array([1.0, 0.0, 0.0]) if abs(own[0]) < 0.8 else np.array([0.0, 1.0, 0.0])
    a2 = np.cross(own, helper)
    a2 /= np.linalg.norm(a2)
    frame = np.stack([own, a2, np.cross(own, a2)], axis=1)
    b1 = wanted / max(float(np.linalg.norm(wanted)), 1e-9)
    b2 = aside - b1 * (aside @ b1)
    b2 /= max(float(np.linalg.norm(b2)), 1e-9)
    turned = np.stack([b1, b2, np.cross(b1, b2)], axis=1)
    out = np.empty((3, 4))
    out[:, :3] = turned @ frame.T
    out[:, 3] = at - out[:, :3] @ grip
    return out


def hammer(stage: Stage) -> Performance:
    """Lift, strike, rebound; `share` grows with the blows."""
    side, sign = acting_side(stage)
    x, y, z = work_spot(stage, 0.30, 0.50)
    figure = stage.figure

    def work(phase: float) -> Stance:
        u = phase % 1.0
        high = ease(u / 0.50) if u < 0.50 else max(0.0, 1 - ((u - 0.50) / 0.26) ** 2)
        if u > 0.76:
            high = 0.10 * math.sin(math.pi * (u - 0.76) / 0.24)
        at = (x + sign * 0.03, y - 0.20 - 0.10 * high, z + 0.06 + 0.42 * high)
        stance = bent_to(figure, replace(stage.before, lean=10 - 7 * high), {side: at}, gaze=(x, y, z))
        lift = 0.15 + 0.95 * high
        hand = Hand(at, (0.0, 1.0, -0.25 + 0.5 * high), (0.0, math.cos(lift) * 0.9, math.sin(lift)), 0.95)
        other: Side = "left" if side == "right" else "right"
        rest = Hand((x - sign * 0.12, y - 0.02, z + 0.03), (0.2 * sign, 1.0, -0.3), None, 0.5)
        return with_hand(with_hand(stance, side, hand), other, rest)

    model = stage.model
    tool = None if model is None else lambda stance, phase: in_fist(stage, stance, side, model)
    return looped(stage, work, max(2, round(stage.seconds * 0.62 / 0.95)), tool)


def sweep(stage: Stage, *, pull: bool = False) -> Performance:
    """A long tool in both hands: sweep from side to side, or rake towards oneself."""
    figure, tall = stage.figure, stage.figure.measures.height
    x, y, _ = work_spot(stage, 0.45, 0.0)
    floor = stage.own(stage.point)[2] if stage.point is not None else 0.0
    below = _beyond_grip(stage.model) if stage.model is not None else 1.1

    def shaft(phase: float) -> tuple[Floats, Floats]:
        """The tool's working end on the floor, and the upper hand on its shaft."""
        a = 2 * math.pi * phase
        up = 0.05 * max(0.0, math.sin(a + (0.5 if pull else 0.0)))
        if pull:
            low = np.array([x, y + 0.20 * math.cos(a), floor + up])
        else:
            low = np.array([x + 0.32 * math.cos(a), y + 0.04 * math.sin(a), floor + up])
        top = np.array([0.10 * tall + 0.05 * math.cos(a), 0.12 * tall, 0.70 * tall])
        way = (top - low) / np.linalg.norm(top - low)
        return low, low + way * below

    def work(phase: float) -> Stance:
        low, top = shaft(phase)
        way = (top - low) / np.linalg.norm(top - low)
        upper, lower = _tuple(top), _tuple(low + way * below * 0.66)
        base = replace(stage.before, lean=12.0, twist=0.0 if pull else 12 * math.cos(2 * math.pi * phase))
        stance = replace(
            base,
            gaze=_tuple(low),
            right_foot=_stride(stage, 0.08),
            left_foot=standing_foot(figure.measures, "left", 1.3),
        )
        right = Hand(upper, (-0.8, 0.7, -0.1), _tuple(way), 0.9)
        left = Hand(lower, (0.7, 0.8, -0.2), _tuple(way), 0.9)
        return replace(stance, right=right, left=left)

    def tool(stance: Stance, phase: float) -> Floats | None:
        model = stage.model
        if model is None or stance.right is None or stance.left is None:
            return None
        upper, lower = np.array(stance.right.at), np.array(stance.left.at)
        down = lower - upper
        down /= max(float(np.linalg.norm(down)), 1e-9)
        grip = grips_of(model, "right")["right"]
        a = math.radians(stage.yaw)
        turn = np.array([[math.cos(a), math.sin(a), 0], [-math.sin(a), math.cos(a), 0], [0, 0, 1]])
        at = turn @ upper + np.array([stage.at[0], stage.at[1], 0.0])
        return _aligned(np.array(grip.along, float), turn @ down, np.array(grip.at), at, turn @ np.array([1.0, 0, 0]))

    return looped(stage, work, max(2, round(stage.seconds * 0.62 / 1.25)), tool)


def _beyond_grip(model: PropModel) -> float:
    """How far a tool reaches beyond the hand, towards its working end."""
    grip = grips_of(model, "right")["right"]
    low, high = model.bounds()
    along = np.array(grip.along, float) / max(float(np.linalg.norm(grip.along)), 1e-9)
    end = np.where(along > 0, high, low)
    return max(float((end - np.array(grip.at)) @ along), 0.3)


def _stride(stage: Stage, ahead: float) -> Foot:
    plain = standing_foot(stage.figure.measures, "right", 1.3)
    return replace(plain, at=(plain.at[0], ahead * stage.figure.measures.height, 0.0))


def rub(stage: Stage, *, kind: str) -> Performance:
    """Hands at work on a surface: wipe in circles, knead with both fists, stir around, write in lines."""
    figure, tall = stage.figure, stage.figure.measures.height
    side, sign = acting_side(stage)
    x, y, z = work_spot(stage, 0.27, 0.53)
    both = kind == "knead"
    rate = {"wipe": 0.9, "knead": 1.0, "stir": 0.85, "write": 1.5}[kind]
    other: Side = "left" if side == "right" else "right"

    def work(phase: float) -> Stance:
        a = 2 * math.pi * phase
        if kind == "write":
            at = (
                x + sign * 0.02 + 0.05 * (phase % 1.0 - 0.5) + 0.004 * math.sin(9 * a),
                y + 0.012 * math.sin(7 * a),
                z + 0.02,
            )
        elif kind == "knead":
            at = (x + sign * 0.06, y + 0.05 * math.sin(a), z + 0.05 - 0.03 * math.cos(a))
        else:
            wide = 0.15 if kind == "wipe" else 0.07
            at = (x + wide * math.cos(a), y + 0.6 * wide * math.sin(a), z + (0.02 if kind == "wipe" else 0.10))
        targets: dict[Side, Vec3] = {side: at}
        push = 5.0 * math.sin(a) if both else 0.0
        stance = bent_to(figure, replace(stage.before, lean=stage.before.lean + 14 + push), targets, gaze=(x, y, z))
        fingers = {
            "wipe": (0.0, 1.0, -0.35),
            "knead": (0.0, 0.8, -0.7),
            "stir": (0.0, 0.7, -0.75),
            "write": (-0.5 * sign, 0.8, -0.4),
        }[kind]
        thumb = (-sign, 0.1, 0.0) if kind in ("wipe", "knead") else (-0.3 * sign, 0.2, 1.0)
        curl = {"wipe": 0.12, "knead": 0.7, "stir": 0.85, "write": 0.62}[kind]
        stance = with_hand(stance, side, Hand(at, fingers, thumb, curl))
        if both:
            at2 = (x - sign * 0.06, y - 0.05 * math.sin(a), z + 0.05 + 0.03 * math.cos(a))
            return with_hand(stance, other, Hand(at2, fingers, (sign, 0.1, 0.0), curl))
        steady = Hand((x - sign * 0.11 * tall, y - 0.02, z + 0.015), (0.3 * sign, 1.0, -0.1), (sign, 0.1, 0.0), 0.1)
        return with_hand(stance, other, steady)

    model = stage.model
    tool = None if model is None else lambda stance, phase: in_fist(stage, stance, side, model)
    return looped(stage, work, max(2, round(stage.seconds * 0.62 * rate)), tool)


def read(stage: Stage) -> Performance:
    """Hold something before the chest and let the eyes run along its lines."""
    tall = stage.figure.measures.height
    at = np.array([0.0, 0.20 * tall, 0.66 * tall])

    def work(phase: float) -> Stance:
        row = phase % 1.0
        gaze = (0.10 * (row - 0.5), float(at[1]) + 0.02, float(at[2]) + 0.06 - 0.02 * (phase % 3))
        left = Hand((-0.085, float(at[1]), float(at[2])), (0.45, 0.75, 0.35), (-0.3, -0.35, 1.0), 0.5)
        right = Hand((0.085, float(at[1]), float(at[2])), (-0.45, 0.75, 0.35), (0.3, -0.35, 1.0), 0.5)
        return replace(stage.before, left=left, right=right, gaze=gaze, nod=4.0)

    def tool(stance: Stance, phase: float) -> Floats | None:
        if stage.model is None or stance.left is None or stance.right is None:
            return None
        middle = (np.array(stance.left.at) + np.array(stance.right.at)) / 2
        a = math.radians(stage.yaw)
        turn = np.array([[math.cos(a), math.sin(a), 0], [-math.sin(a), math.cos(a), 0], [0, 0, 1]])
        tip = math.radians(58)
        tilt = np.array([[1, 0, 0], [0, math.cos(tip), -math.sin(tip)], [0, math.sin(tip), math.cos(tip)]])
        out = np.empty((3, 4))
        out[:, :3] = turn @ tilt
        out[:, 3] = turn @ middle + np.array([stage.at[0], stage.at[1], 0.0])
        return out

    return looped(stage, work, max(2, round(stage.seconds * 0.62 * 0.7)), tool)


def saw(stage: Stage) -> Performance:
    """To and fro with one hand, the other steadies the work."""
    side, sign = acting_side(stage)
    x, y, z = work_spot(stage, 0.30, 0.46)
    other: Side = "left" if side == "right" else "right"

    def work(phase: float) -> Stance:
        a = math.sin(2 * math.pi * phase)
        at = (x + sign * 0.08, y - 0.14 + 0.13 * a, z + 0.10 - 0.04 * a)
        stance = bent_to(
            stage.figure, replace(stage.before, lean=16 + 4 * a, twist=6 * a * sign), {side: at}, gaze=(x, y, z)
        )
        stance = with_hand(stance, side, Hand(at, (0.0, 0.45, -0.9), (0.0, 1.0, -0.1), 0.95))
        return with_hand(stance, other, Hand((x - sign * 0.14, y, z + 0.02), (0.0, 1.0, -0.2), (sign, 0.0, 0.3), 0.3))

    model = stage.model
    tool = None if model is None else lambda stance, phase: in_fist(stage, stance, side, model)
    return looped(stage, work, max(2, round(stage.seconds * 0.62 / 0.7)), tool)


def _tuple(values: Floats) -> Vec3:
    return (float(values[0]), float(values[1]), float(values[2]))
