"""Timing: eased shares, blended stances, keys, and the small life of a body that does nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from storyengine.previz.figures.figure import Figure, hand_matrix
from storyengine.previz.figures.skeleton import Side
from storyengine.previz.figures.stance import Foot, Hand, Stance, solve, standing_foot
from storyengine.previz.render.values import Floats, Vec3


def ease(t: float) -> float:
    """Slow, fast, slow; flat at both ends."""
    t = min(max(t, 0.0), 1.0)
    return t * t * t * (10 + t * (6 * t - 15))


def between(t: float, start: float, end: float) -> float:
    """The eased share of the way from one time to another."""
    return ease((t - start) / (end - start)) if end > start else float(t >= end)


def settle(t: float) -> float:
    """An eased share that goes a little too far and comes back: weight that settles."""
    t = min(max(t, 0.0), 1.0)
    return ease(min(t / 0.86, 1.0)) + 0.035 * math.sin(math.pi * min(max((t - 0.62) / 0.38, 0.0), 1.0))


@dataclass(frozen=True, eq=False)
class Key:
    """How things are at a time. Hands named in `holds` stay on the thing on the way to the next key."""

    t: float
    stance: Stance
    thing: Floats | None = None
    """In the actor's own space."""
    holds: frozenset[Side] = frozenset()
    lift: float = 0.0
    """How far the thing rises above the straight way to the next key, in metres."""


def find_keys(keys: Sequence[Key], t: float) -> tuple[Key, Key, float]:
    """The keys around a time, and the eased share between them."""
    t = min(max(t, keys[0].t), keys[-1].t)
    for first, second in pairwise(keys):
        if t <= second.t:
            return first, second, between(t, first.t, second.t)
    return keys[-1], keys[-1], 0.0


# ------------------------------------------------------------------------------------------------ blending


def blended(figure: Figure, a: Stance, b: Stance, share: float) -> Stance:
    """A stance between two; a hanging arm counts as a hand beside the thigh."""
    if share <= 0:
        return a
    if share >= 1:
        return b

    def mix(x: float, y: float) -> float:
        return x + (y - x) * share

    left = None if a.left is None and b.left is None else _hand(figure, a, b, "left", share)
    right = None if a.right is None and b.right is None else _hand(figure, a, b, "right", share)
    return Stance(
        left=left,
        right=right,
        left_foot=_foot(figure, a.left_foot, b.left_foot, "left", share),
        right_foot=_foot(figure, a.right_foot, b.right_foot, "right", share),
        hips=_mix3(a.hips, b.hips, share),
        lean=mix(a.lean, b.lean),
        side=mix(a.side, b.side),
        twist=mix(a.twist, b.twist),
        gaze=_gaze(figure, a.gaze, b.gaze, share),
        nod=mix(a.nod, b.nod),
        tilt=mix(a.tilt, b.tilt),
        breath=mix(a.breath, b.breath),
        lids=mix(a.lids, b.lids),
        swing=(mix(a.swing[0], b.swing[0]), mix(a.swing[1], b.swing[1])),
    )


def hand_of(figure: Figure, stance: Stance, side: Side) -> Hand:
    """The hand of a stance; for a hanging arm, where it hangs."""
    given = stance.left if side == "left" else stance.right
    if given is not None:
        return given
    swing = stance.swing[0 if side == "left" else 1]
    if not stance.lean and not stance.side and not stance.twist and not any(stance.hips) and not swing:
        return hanging(figure, side)
    bare = replace(stance, gaze=None, left=None, right=None)
    return _measured(figure, bare, side)


@lru_cache(maxsize=512)
def hanging(figure: Figure, side: Side) -> Hand:
    """A hand that hangs beside the thigh of a standing figure."""
    return _measured(figure, Stance(), side)


def _measured(figure: Figure, stance: Stance, side: Side) -> Hand:
    grip = hand_matrix(figure, solve(figure, stance), side)
    sign = -1.0 if side == "left" else 1.0
    return Hand(_vec(grip[:, 3]), _vec(-grip[:, 2]), _vec(grip[:, 1]), 0.32, (sign * 0.45, -0.9, -0.1))


def with_hand(stance: Stance, side: Side, hand: Hand | None) -> Stance:
    return replace(stance, left=hand) if side == "left" else replace(stance, right=hand)


def _hand(figure: Figure, a: Stance, b: Stance, side: Side, share: float) -> Hand:
    return blended_hand(hand_of(figure, a, side), hand_of(figure, b, side), share, side)


def blended_hand(a: Hand, b: Hand, share: float, side: Side) -> Hand:
    sign = -1.0 if side == "left" else 1.0
    lost = (sign * 0.75, -0.55, -0.75)
    elbow = _mix3(a.elbow or lost, b.elbow or lost, share)
    fingers, thumb = a.fingers or b.fingers, a.thumb or b.thumb
    if a.fingers and b.fingers:
        fingers = _mix3(a.fingers, b.fingers, share)
    elif (share > 0.5 and not b.fingers) or (share <= 0.5 and not a.fingers):
        fingers = None if not (a.fingers or b.fingers) else fingers
    if a.thumb and b.thumb:
        thumb = _mix3(a.thumb, b.thumb, share)
    return Hand(_mix3(a.at, b.at, share), fingers, thumb, a.curl + (b.curl - a.curl) * share, elbow)


def _foot(figure: Figure, a: Foot | None, b: Foot | None, side: Side, share: float) -> Foot | None:
    if a is None and b is None:
        return None
    plain = standing_foot(figure.measures, side)
    a, b = a or plain, b or plain
    at = _mix3(a.at, b.at, share)
    far = math.dist(a.at, b.at)
    if far > 0.02:
        # A foot that goes somewhere is lifted.
        at = (at[0], at[1], at[2] + min(0.25 * far, 0.07) * math.sin(math.pi * share))
    return Foot(at, a.yaw + (b.yaw - a.yaw) * share, a.heel + (b.heel - a.heel) * share)


def _gaze(figure: Figure, a: Vec3 | None, b: Vec3 | None, share: float) -> Vec3 | None:
    if a is None and b is None:
        return None
    # Eyes lead: the gaze arrives before the body does.
    early = min(1.0, share * 1.6)
    ahead = (0.0, 3.0, figure.measures.height * 0.9)
    return _mix3(a or ahead, b or ahead, early)


def blended_matrix(a: Floats, b: Floats, share: float, lift: float = 0.0) -> Floats:
    """A placement between two, turning the short way, along a path that rises by `lift` in the middle."""
    if share <= 0:
        return a
    if share >= 1:
        return b
    out = np.empty((3, 4))
    out[:, :3] = turned_between(a[:, :3], b[:, :3], share)
    out[:, 3] = a[:, 3] * (1 - share) + b[:, 3] * share
    out[2, 3] += lift * math.sin(math.pi * share)
    return out


def turned_between(a: Floats, b: Floats, share: float) -> Floats:
    """A rotation a share of the way from one to another, about one axis."""
    way = a.T @ b
    angle = math.acos(min(max((float(np.trace(way)) - 1) / 2, -1.0), 1.0))
    if angle < 1e-6:
        return a
    axis = np.array([way[2, 1] - way[1, 2], way[0, 2] - way[2, 0], way[1, 0] - way[0, 1]])
    if angle > math.pi - 1e-3:
        # Half a turn: the axis is the direction that stays.
        values, vectors = np.linalg.eigh((way + way.T) / 2)
        axis = vectors[:, int(values.argmax())]
    axis = axis / max(float(np.linalg.norm(axis)), 1e-12)
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    part = angle * share
    turn = np.eye(3) + math.sin(part) * cross + (1 - math.cos(part)) * (cross @ cross)
    return np.asarray(a @ turn)


def _mix3(a: Vec3, b: Vec3, share: float) -> Vec3:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share)


def _vec(values: Floats) -> Vec3:
    return (float(values[0]), float(values[1]), float(values[2]))


# ------------------------------------------------------------------------------------------------ life


def alive(stance: Stance, seconds: float, seed: int) -> Stance:
    """Breath, a slow sway, blinks and small glances: nobody is ever bit-frozen."""
    rng = np.random.default_rng([seed & 0xFFFFFFFF, 9])
    phase, rate, first, gap = (
        rng.uniform(0, 6.28),
        rng.uniform(0.24, 0.32),
        rng.uniform(0.4, 2.2),
        rng.uniform(2.3, 4.1),
    )
    wave = math.sin(2 * math.pi * rate * seconds + phase)
    sway = math.sin(2 * math.pi * rate * 0.41 * seconds + phase * 1.7)
    since = (seconds - first) % gap
    blink = max(0.0, 1.0 - abs(since - 0.10) / 0.10) if seconds > first - 0.2 else 0.0
    x, y, z = stance.hips
    return replace(
        stance,
        breath=0.5 + 0.5 * wave,
        lids=max(stance.lids, min(1.0, blink * 1.4)),
        hips=(x + 0.005 * sway, y + 0.003 * wave, z),
        lean=stance.lean + 0.25 * wave,
        side=stance.side + 0.35 * sway,
        tilt=stance.tilt + 0.8 * sway,
    )
