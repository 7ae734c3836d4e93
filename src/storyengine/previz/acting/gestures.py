"""What a body says and does without a tool: look, point, wave, sit, kneel, dress, touch, blow."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from storyengine.previz.acting.fixtures import looped
from storyengine.previz.acting.handling import bent_to
from storyengine.previz.acting.timing import Key, between, blended, ease, find_keys, with_hand
from storyengine.previz.acting.values import Acted, Moment, Performance, Stage
from storyengine.previz.acting.works import acting_side, work_spot
from storyengine.previz.figures.stance import Foot, Hand, Stance, standing_foot
from storyengine.previz.props.model import PropModel
from storyengine.previz.render.values import Floats, Vec3


def _acted(stage: Stage, keys: list[Key], change: tuple[float, float] = (0.2, 0.6)) -> Performance:
    def at(t: float) -> Moment:
        first, second, share = find_keys(keys, t)
        stance = blended(stage.figure, first.stance, second.stance, share)
        return Moment(Acted(stage.at, stage.yaw, stance), None, between(t, *change))

    return at


def stand(stage: Stage) -> Performance:
    """Stand at ease; the weight goes from one leg to the other once."""

    def at(t: float) -> Moment:
        stance = blended(stage.figure, stage.before, stage.after, ease(t))
        shift = 0.018 * (math.sin(math.pi * t) ** 2)
        x, y, z = stance.hips
        return Moment(Acted(stage.at, stage.yaw, replace(stance, hips=(x + shift, y, z - 0.2 * shift))), None, ease(t))

    return at


def look_around(stage: Stage) -> Performance:
    tall = stage.figure.measures.height
    spots = [(-1.6, 1.4, 0.86), (-0.4, 2.0, 0.98), (1.7, 1.2, 0.84), (0.2, 2.0, 0.92)]
    keys = [Key(0.0, stage.before)]
    for k, (x, y, z) in enumerate(spots):
        looking = replace(stage.before, gaze=(x, y, z * tall), twist=-7.0 * x)
        keys += [Key(0.16 + 0.2 * k, looking), Key(0.24 + 0.2 * k, looking)]
    return _acted(stage, [*keys, Key(1.0, stage.after)], (0.0, 1.0))


def point(stage: Stage) -> Performance:
    """Look there, draw the arm up, point, hold, drop."""
    side, sign = acting_side(stage)
    target = np.array(work_spot(stage, 1.2, 0.8))
    m = stage.figure.measures
    root = np.array([sign * m.shoulder, 0.0, 0.80 * m.height])
    way = (target - root) / max(float(np.linalg.norm(target - root)), 1e-9)
    there = _tuple(root + way * (m.arm + m.grip) * 0.93)
    fingers = _tuple(way)
    twist = math.degrees(math.atan2(-target[0], max(target[1], 0.2))) * 0.3
    aim = with_hand(
        replace(stage.before, gaze=_tuple(target), twist=twist), side, Hand(there, fingers, (-sign * 0.7, 0, 0.7), 0.05)
    )
    draw = with_hand(
        replace(stage.before, gaze=_tuple(target)), side, Hand((sign * 0.22, 0.16, 0.62 * m.height), curl=0.5)
    )
    keys = [Key(0.0, stage.before), Key(0.20, draw), Key(0.42, aim), Key(0.72, aim), Key(1.0, stage.after)]
    return _acted(stage, keys)


def wave(stage: Stage) -> Performance:
    side, sign = acting_side(stage)
    tall = stage.figure.measures.height
    gaze = work_spot(stage, 2.0, 0.92)

    def work(phase: float) -> Stance:
        a = math.sin(2 * math.pi * phase)
        at = (sign * (0.17 * tall + 0.035 * tall * a), 0.11 * tall, 0.97 * tall)
        hand = Hand(at, (sign * 0.35 * a, 0.1, 1.0), (-sign, 0.0, 0.2), 0.05, (sign, -0.2, -0.6))
        return with_hand(replace(stage.before, gaze=gaze, side=-sign * 2.0), side, hand)

    return looped(stage, work, max(2, round(stage.seconds * 0.62 * 1.6)))


def pat_pockets(stage: Stage) -> Performance:
    """Search the trousers, then the chest, then shrug."""
    m = stage.figure.measures
    tall = m.height
    pockets = replace(
        stage.before,
        left=Hand((-m.hip - 0.09, 0.07, 0.49 * tall), (0.25, 0.1, -1.0), (0.3, 1.0, 0.0), 0.15),
        right=Hand((m.hip + 0.09, 0.07, 0.49 * tall), (-0.25, 0.1, -1.0), (-0.3, 1.0, 0.0), 0.15),
        gaze=(0.15, 0.3, 0.45 * tall),
    )
    chest = replace(
        stage.before,
        left=Hand((0.045, 0.135, 0.70 * tall), (1.0, 0.1, 0.35), (0.0, 0.3, 1.0), 0.1),
        right=Hand((-0.045, 0.150, 0.66 * tall), (-1.0, 0.1, 0.35), (0.0, 0.3, 1.0), 0.1),
        gaze=(-0.1, 0.35, 0.6 * tall),
    )
    off = replace(
        pockets, left=_out(pockets.left, -0.05), right=_out(pockets.right, 0.05), gaze=(-0.2, 0.3, 0.45 * tall)
    )
    shrug = replace(
        stage.before,
        left=Hand((-0.20 * tall, 0.12 * tall, 0.60 * tall), (-0.8, 0.6, 0.1), (-0.3, 0.5, 1.0), 0.1),
        right=Hand((0.20 * tall, 0.12 * tall, 0.60 * tall), (0.8, 0.6, 0.1), (0.3, 0.5, 1.0), 0.1),
        tilt=5.0,
    )
    poses = [stage.before, pockets, off, pockets, chest, pockets, shrug, shrug, stage.after]
    times = (0.0, 0.16, 0.24, 0.32, 0.48, 0.60, 0.76, 0.84, 1.0)
    return _acted(stage, [Key(t, p) for t, p in zip(times, poses, strict=True)], (0.1, 0.8))


def _out(hand: Hand | None, far: float) -> Hand | None:
    return None if hand is None else replace(hand, at=(hand.at[0] + far, hand.at[1], hand.at[2]))


def sit(stage: Stage) -> Performance:
    """Down on a seat behind the actor; the stage's point is the middle of the seat."""
    figure, m = stage.figure, stage.figure.measures
    x, y, z = stage.own(stage.point) if stage.point is not None else (0.0, -0.12 * m.height, 0.26 * m.height)
    hip = m.ankle + m.shin + m.thigh
    down = Stance(
        hips=(x, y, z + 0.05 * m.height - hip),
        lean=4.0,
        left_foot=replace(standing_foot(m, "left", 1.4), at=(-m.hip * 1.5, y + m.thigh * 0.92, 0.0)),
        right_foot=replace(standing_foot(m, "right", 1.4), at=(m.hip * 1.5, y + m.thigh * 0.92, 0.0)),
        left=Hand((-0.07 * m.height, y + 0.62 * m.thigh, z + 0.10 * m.height), (0.1, 1.0, -0.1), (1.0, 0.2, 0.2), 0.15),
        right=Hand(
            (0.07 * m.height, y + 0.62 * m.thigh, z + 0.10 * m.height), (-0.1, 1.0, -0.1), (-1.0, 0.2, 0.2), 0.15
        ),
    )
    half = replace(blended(figure, stage.before, down, 0.5), lean=34.0, gaze=(0.0, 1.0, 0.6))
    glance = replace(stage.before, gaze=(-0.4, -0.2, 0.5), twist=14)
    keys = [Key(0.0, stage.before), Key(0.14, glance), Key(0.46, half), Key(0.72, down),
            Key(0.80, replace(down, lean=1.0)), Key(1.0, replace(down, lean=3.0))]  # fmt: skip
    return _acted(stage, keys, (0.3, 0.7))


def kneel(stage: Stage) -> Performance:
    """Down on one knee, eyes on the stage's point."""
    m = stage.figure.measures
    gaze = work_spot(stage, 0.45, 0.10)
    hip = m.ankle + m.shin + m.thigh
    down = Stance(
        hips=(0.0, -0.04 * m.height, m.shin + 0.06 * m.height + 0.02 - hip),
        lean=16.0,
        left_foot=Foot((-m.hip * 1.2, 0.20 * m.height, 0.0), -5.0),
        right_foot=Foot((m.hip * 1.1, -0.25 * m.height, 0.0), 5.0, 72.0),
        left=Hand((-0.06 * m.height, 0.17 * m.height, 0.31 * m.height), (0.2, 1.0, -0.2), (1.0, 0.2, 0.2), 0.2),
        gaze=gaze,
    )
    ready = replace(stage.before, lean=6.0, gaze=gaze)
    keys = [
        Key(0.0, stage.before),
        Key(0.15, ready),
        Key(0.62, down),
        Key(0.72, replace(down, lean=20.0)),
        Key(1.0, down),
    ]
    return _acted(stage, keys, (0.2, 0.62))


def snap(stage: Stage) -> Performance:
    """Take something in both fists, strain, and break it across; `share` jumps when it gives way."""
    tall = stage.figure.measures.height

    def both(apart: float, tip: float, high: float = 0.62) -> Stance:
        left = Hand((-apart, 0.17 * tall, high * tall), (0.35, 0.9, -0.1), (-tip, 0.0, 1.0), 0.95)
        right = Hand((apart, 0.17 * tall, high * tall), (-0.35, 0.9, -0.1), (tip, 0.0, 1.0), 0.95)
        return replace(stage.before, left=left, right=right, gaze=(0.0, 0.2 * tall, high * tall), nod=3.0)

    strain = replace(both(0.085, -0.5, 0.64), lean=4.0, nod=8.0)
    broken = replace(both(0.19, -1.4, 0.58), lean=-1.0)
    keys = [Key(0.0, stage.before), Key(0.26, both(0.10, 0.0)), Key(0.46, strain), Key(0.56, strain), Key(0.62, broken),
            Key(0.76, broken), Key(1.0, stage.after)]  # fmt: skip
    gentle = _acted(stage, keys)

    def at(t: float) -> Moment:
        return replace(gentle(t), share=float(t > 0.585))

    return at


def to_head(stage: Stage, *, off: bool) -> Performance:
    """Both hands to the head: put a hat on or take it off. `share` turns when it changes place."""
    m = stage.figure.measures
    tall, high = m.height, m.height - 0.16 * m.head
    left = Hand((-0.40 * m.head, 0.06, high), (0.5, 0.2, 0.9), (0.1, 1.0, 0.0), 0.35, (-1.0, 0.2, -0.3))
    right = Hand((0.40 * m.head, 0.06, high), (-0.5, 0.2, 0.9), (-0.1, 1.0, 0.0), 0.35, (1.0, 0.2, -0.3))
    up = replace(stage.before, left=left, right=right, nod=6.0)
    hold = _before_chest(stage.before, tall)
    first, last = (stage.before, hold) if off else (hold, stage.after)
    # Past the face, not through the shoulders.
    ahead = replace(
        stage.before,
        left=Hand((-0.09 * tall, 0.20 * tall, 0.84 * tall), (0.4, 0.7, 0.5), (0.0, 0.5, 0.8), 0.35, (-1.0, -0.3, -0.7)),
        right=Hand((0.09 * tall, 0.20 * tall, 0.84 * tall), (-0.4, 0.7, 0.5), (0.0, 0.5, 0.8), 0.35, (1.0, -0.3, -0.7)),
    )
    keys = [Key(0.0, stage.before), Key(0.18, first), Key(0.32, ahead), Key(0.46, up), Key(0.56, replace(up, nod=-2.0)),
            Key(0.70, ahead), Key(0.84, last), Key(1.0, stage.after)]  # fmt: skip
    gentle = _acted(stage, keys)
    model = stage.model

    def at(t: float) -> Moment:
        moment = gentle(t)
        worn = t < 0.5 if off else t >= 0.5
        thing = None if model is None or worn else _between_hands(stage, moment.actor.stance, model)
        return replace(moment, thing=thing, share=float(t >= 0.5))

    return at


def _before_chest(base: Stance, tall: float) -> Stance:
    left = Hand((-0.085, 0.17 * tall, 0.62 * tall), (0.5, 0.85, 0.1), (-0.2, 0.0, 1.0), 0.4)
    right = Hand((0.085, 0.17 * tall, 0.62 * tall), (-0.5, 0.85, 0.1), (0.2, 0.0, 1.0), 0.4)
    return replace(base, left=left, right=right, gaze=(0.0, 0.2 * tall, 0.62 * tall))


def _between_hands(stage: Stage, stance: Stance, model: PropModel) -> Floats | None:
    if stance.left is None or stance.right is None:
        return None
    middle = (np.array(stance.left.at) + np.array(stance.right.at)) / 2
    a = math.radians(stage.yaw)
    turn = np.array([[math.cos(a), math.sin(a), 0], [-math.sin(a), math.cos(a), 0], [0, 0, 1]])
    out = np.empty((3, 4))
    out[:, :3] = turn
    out[:, 3] = turn @ middle + np.array([stage.at[0], stage.at[1], -model.size[2] * 0.4])
    return out


def put_on(stage: Stage, *, off: bool) -> Performance:
    """Into a garment: arms back and through, then pull it straight. `share` turns when it is on."""
    m = stage.figure.measures
    tall = m.height
    wide = replace(
        stage.before,
        left=Hand((-0.30 * tall, -0.10 * tall, 0.62 * tall), (-0.8, -0.5, -0.3), None, 0.4, (-0.3, -1.0, 0.2)),
        right=Hand((0.30 * tall, -0.10 * tall, 0.62 * tall), (0.8, -0.5, -0.3), None, 0.4, (0.3, -1.0, 0.2)),
        lean=6.0,
    )
    straight = replace(_before_chest(stage.before, tall), lean=-2.0)
    low = replace(
        stage.before,
        left=Hand((-0.06, 0.12 * tall, 0.54 * tall), (0.3, 0.5, -0.8), (0.8, 0.4, 0.4), 0.6),
        right=Hand((0.06, 0.12 * tall, 0.54 * tall), (-0.3, 0.5, -0.8), (-0.8, 0.4, 0.4), 0.6),
        gaze=(0.0, 0.3, 0.5 * tall),
    )
    poses = (
        [stage.before, low, straight, wide, wide, stage.after]
        if off
        else [stage.before, wide, wide, straight, low, stage.after]
    )
    times = (0.0, 0.22, 0.40, 0.58, 0.76, 1.0)
    gentle = _acted(stage, [Key(t, p) for t, p in zip(times, poses, strict=True)])

    def at(t: float) -> Moment:
        return replace(gentle(t), share=float(t >= 0.5))

    return at


def touch(stage: Stage, *, kind: str) -> Performance:
    """One hand to a point and back: light a lamp, throw a switch, press, ring a hand bell on a table."""
    side, sign = acting_side(stage)
    target = work_spot(stage, 0.28, 0.62)
    base = bent_to(stage.figure, stage.before, {side: target})
    hand = Hand(target, (0.0, 1.0, 0.15), (-sign * 0.6, 0.0, 0.8), 0.55 if kind == "light" else 0.2)
    there = with_hand(base, side, hand)
    x, y, z = target
    push = with_hand(there, side, replace(hand, at=(x, y + 0.02, z + (0.02 if kind == "light" else -0.02))))
    back = with_hand(
        replace(base, lean=base.lean - 5), side, replace(hand, at=(x + sign * 0.06, y - 0.14, z - 0.03), curl=0.3)
    )
    glance = replace(stage.before, gaze=target, lean=stage.before.lean - 2)
    keys = [Key(0.0, stage.before), Key(0.12, glance), Key(0.38, there), Key(0.50, push), Key(0.58, push),
            Key(0.72, back), Key(1.0, stage.after)]  # fmt: skip
    gentle = _acted(stage, keys)

    def at(t: float) -> Moment:
        return replace(gentle(t), share=between(t, 0.48, 0.60))

    return at


def blow_out(stage: Stage) -> Performance:
    """Lean to a flame, draw breath, blow."""
    m = stage.figure.measures
    x, y, z = work_spot(stage, 0.30, 0.70)
    need = math.degrees(math.atan2(max(0.0, y - 0.16), max(m.height * 0.93 - z, 0.2)))
    lean = min(max(need * 0.8, 8.0), 48.0)
    near = replace(stage.before, lean=lean, gaze=(x, y, z), hips=(0.0, -0.04, -0.02 - 0.0012 * lean))
    drawn = replace(near, lean=lean - 5, nod=-4.0, breath=1.0)
    blown = replace(near, lean=lean + 4, nod=4.0)
    keys = [
        Key(0.0, stage.before),
        Key(0.30, near),
        Key(0.46, drawn),
        Key(0.56, blown),
        Key(0.68, blown),
        Key(1.0, stage.after),
    ]
    gentle = _acted(stage, keys)

    def at(t: float) -> Moment:
        return replace(gentle(t), share=between(t, 0.54, 0.60))

    return at


def _tuple(values: Floats) -> Vec3:
    return (float(values[0]), float(values[1]), float(values[2]))
