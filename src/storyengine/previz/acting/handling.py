"""Hands and things: which grip a hand takes, how a body bends to reach it, and keyed motion of thing and hands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from storyengine.previz.acting.timing import Key, blended, blended_hand, blended_matrix, find_keys, hand_of, with_hand
from storyengine.previz.acting.values import Hands, sides_of
from storyengine.previz.figures.figure import Figure
from storyengine.previz.figures.skeleton import Side
from storyengine.previz.figures.stance import Foot, Hand, Stance, shoulder, standing_foot
from storyengine.previz.props.model import Grip, PropModel
from storyengine.previz.render.values import Floats, Vec3

COMFORT = 0.90
"""Share of the arm's length at which a body still need not bend."""


# ------------------------------------------------------------------------------------------------ grips


def hands_for(model: PropModel | None) -> Hands:
    """What a thing asks for."""
    if model is None:
        return "right"
    both = model.carry in ("two hands front", "push") or max(model.size[:2]) > 0.55
    return "both" if both else "right"


def grips_of(model: PropModel, hands: Hands) -> dict[Side, Grip]:
    """The grip of each hand, in the thing's own space. Things without grips are held by their sides."""
    wide, _, high = model.size
    drop = -high if model.hangs else 0.0
    if hands == "both":
        pair = sorted(model.grips, key=lambda g: g.at[0])
        if len(pair) >= 2 and pair[-1].at[0] - pair[0].at[0] > 0.06:
            return {"left": pair[0], "right": pair[-1]}
        z = drop + high * 0.45
        return {
            "left": Grip((-wide / 2, 0, z), (0, 1, 0), (-1, 0, 0)),
            "right": Grip((wide / 2, 0, z), (0, 1, 0), (1, 0, 0)),
        }
    if model.grips:
        return {hands: max(model.grips, key=lambda g: g.at[2])}
    return {hands: Grip((0.0, 0.0, drop + high * 0.7), (0, 0, 1), (0, -1, 0))}


def crossed(grips: dict[Side, Grip], thing: Floats) -> dict[Side, Grip]:
    """The same grips, each taken by the hand that is nearer in own space.

    One hand alone takes a small thing by its near side, whichever way its handle looks.
    """
    if len(grips) == 1:
        ((side, grip),) = grips.items()
        sign = -1.0 if side == "left" else 1.0
        palm = thing[:, :3] @ np.array(grip.palm, float)
        if palm[0] * sign > -0.5:
            return grips
        (x, y, z), (px, py, pz) = grip.at, grip.palm
        return {side: Grip((-x, -y, z), grip.along, (-px, -py, pz))}
    left, right = (thing[:, :3] @ np.array(grips[s].at) for s in ("left", "right"))
    if left[0] <= right[0]:
        return grips
    return {"left": grips["right"], "right": grips["left"]}


def hand_on(grip: Grip, thing: Floats, side: Side, root: Floats, curl: float = 0.72) -> Hand:
    """A hand around a grip of a thing placed in own space; the fist closes the way that suits the arm."""
    at = thing[:, :3] @ np.array(grip.at) + thing[:, 3]
    along = _unit(thing[:, :3] @ np.array(grip.along, float))
    palm = _unit(thing[:, :3] @ np.array(grip.palm, float))
    inwards = 1.0 if side == "left" else -1.0
    x = -palm * inwards
    arm = _unit(at - root)
    best: tuple[float, Floats, Floats] | None = None
    for y in (along, -along):
        y = _unit(y - x * (y @ x))
        fingers = -np.cross(x, y)
        ease = float(fingers @ arm) + 0.35 * float(y[2]) + 0.15 * float(y[1])
        if best is None or ease > best[0]:
            best = (ease, fingers, y)
    assert best is not None
    # A wrist bends so far and no further.
    fingers = _unit(best[1] + 0.55 * arm)
    return Hand(_vec(at), _vec(fingers), _vec(best[2]), curl)


def gripping(
    figure: Figure, stance: Stance, grips: dict[Side, Grip], thing: Floats, curl: float = 0.72, off: float = 0.0
) -> Stance:
    """The stance with its hands on the thing, or `off` metres before it."""
    for side, grip in grips.items():
        root = shoulder(figure, stance, side)
        hand = hand_on(grip, thing, side, root, curl)
        if off:
            palm = _unit(thing[:, :3] @ np.array(grip.palm, float))
            hand = replace(hand, at=_vec(np.array(hand.at) + palm * off))
        stance = with_hand(stance, side, hand)
    return stance


# ------------------------------------------------------------------------------------------------ bending


def bent_to(figure: Figure, base: Stance, targets: dict[Side, Vec3], gaze: Vec3 | None = None) -> Stance:
    """The stance bent just as far as its hands need to reach points of own space: lean first, then knees."""
    m = figure.measures
    middle = np.mean([np.array(t) for t in targets.values()], axis=0)
    low = min(max((0.52 * m.height - float(middle[2])) / (0.14 * m.height), 0.0), 1.0)
    twist = 0.0
    if len(targets) == 1:
        twist = math.degrees(math.atan2(-middle[0], max(middle[1], 0.15))) * 0.35
    reach = (m.arm + m.grip) * COMFORT

    def at(bend: float) -> Stance:
        lean = base.lean + (48.0 + 14.0 * low) * bend
        knees = (0.06 + 0.24 * low) * m.height * max(0.0, bend - 0.12)
        back = 0.07 * m.height * bend
        return replace(
            base,
            lean=lean,
            twist=base.twist + twist * min(1.0, 0.4 + bend),
            hips=(base.hips[0] + 0.12 * float(middle[0]) * bend, base.hips[1] - back, base.hips[2] - knees),
            left_foot=_apart(figure, base.left_foot, "left", bend * low),
            right_foot=_apart(figure, base.right_foot, "right", bend * low),
            gaze=gaze if gaze is not None else _vec(middle),
        )

    if float(middle[2]) > 0.80 * m.height:
        return _stretched(figure, at(0.0), float(middle[2]))
    # Nobody doubles up for a handle at chest height: what is too far is stretched for.
    low_end, high_end = 0.0, 0.70 + 0.55 * low
    if _reaches(figure, at(0.0), targets, reach):
        return at(0.0)
    for _ in range(8):
        half = (low_end + high_end) / 2
        if _reaches(figure, at(half), targets, reach):
            high_end = half
        else:
            low_end = half
    return at(high_end)


def _stretched(figure: Figure, stance: Stance, height: float) -> Stance:
    """Up on the toes for what is high."""
    m = figure.measures
    missing = min(max(height - 0.80 * m.height - (m.arm + m.grip) * 0.86, 0.0), 0.05 * m.height)
    if missing <= 0:
        return stance
    heel = missing / (0.05 * m.height) * 34.0
    x, y, z = stance.hips
    feet = [replace(standing_foot(m, side), heel=heel) for side in ("left", "right")]
    return replace(stance, hips=(x, y + 0.03, z + missing), left_foot=feet[0], right_foot=feet[1])


def _apart(figure: Figure, foot: Foot | None, side: Side, bend: float) -> Foot | None:
    """Who stoops low puts one foot back a little."""
    deep = min(max(bend - 0.1, 0.0), 1.0)
    if foot is not None or deep <= 0:
        return foot
    plain = standing_foot(figure.measures, side, 1.0 + 0.25 * deep)
    if side == "left":
        return plain
    x, y, z = plain.at
    return Foot((x, y - 0.10 * figure.measures.height * deep, z), plain.yaw, 24.0 * deep)


def _reaches(figure: Figure, stance: Stance, targets: dict[Side, Vec3], reach: float) -> bool:
    return all(
        float(np.linalg.norm(np.array(t) - shoulder(figure, stance, side))) <= reach for side, t in targets.items()
    )


def standing_spot(figure: Figure, target: Vec3, side: tuple[float, float]) -> tuple[tuple[float, float], float]:
    """Where to stand, and facing where, to handle something: `side` is the direction from it to the actor."""
    size = math.hypot(*side) or 1.0
    tall = figure.measures.height
    far = (0.24 if target[2] < 0.4 * tall else 0.27) * tall
    at = (target[0] + side[0] / size * far, target[1] + side[1] / size * far)
    return at, math.degrees(math.atan2(-side[0], -side[1]))


# ------------------------------------------------------------------------------------------------ keyed motion


def keyed(figure: Figure, keys: Sequence[Key], grips: dict[Side, Grip], t: float) -> tuple[Stance, Floats | None]:
    """Stance and thing at a time. Where a hand holds from one key to the next, it stays on its grip exactly."""
    first, second, share = find_keys(keys, t)
    stance = blended(figure, first.stance, second.stance, share)
    thing = second.thing if first.thing is None else first.thing
    if first.thing is not None and second.thing is not None:
        thing = blended_matrix(first.thing, second.thing, share, first.lift)
    if thing is None:
        return stance, None
    for side, grip in grips.items():
        if side not in first.holds:
            continue
        root = shoulder(figure, stance, side)
        a, b = (hand_of(figure, k.stance, side) for k in (first, second))
        held = hand_on(grip, thing, side, root, a.curl + (b.curl - a.curl) * share)
        # Near a key the hand takes the key's own turn of the wrist, so that it joins without a jump.
        way = blended_hand(a, b, share, side)
        stance = with_hand(stance, side, replace(held, fingers=way.fingers, thumb=way.thumb, elbow=way.elbow))
    return stance, thing


def own_yaw(matrix: Floats) -> float:
    """The bearing that a placement faces."""
    return math.degrees(math.atan2(matrix[0, 1], matrix[1, 1]))


def holds(hands: Hands) -> frozenset[Side]:
    return frozenset(sides_of(hands))


def moved_up(matrix: Floats, height: float) -> Floats:
    out = matrix.copy()
    out[2, 3] += height
    return out


def _unit(v: Floats) -> Floats:
    return np.asarray(v / max(float(np.linalg.norm(v)), 1e-9))


def _vec(values: Floats) -> Vec3:
    return (float(values[0]), float(values[1]), float(values[2]))
