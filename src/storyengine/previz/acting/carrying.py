"""How things are carried: where they are in own space, and the hands that hold them."""

from __future__ import annotations

import math

from storyengine.previz.acting.handling import crossed, gripping, grips_of, hands_for
from storyengine.previz.acting.timing import hanging
from storyengine.previz.acting.values import Hands
from storyengine.previz.figures.figure import Figure
from storyengine.previz.figures.skeleton import Side
from storyengine.previz.figures.stance import Stance
from storyengine.previz.props.model import Grip, PropModel
from storyengine.previz.render.values import Floats, composed, placement

TIPPED = 50.0
"""Degrees by which a book or a sheet in one hand is tipped."""


def carried(figure: Figure, model: PropModel, hands: Hands | None = None, turn: float = 0.0) -> Floats:
    """Where a thing is while it is carried, in own space.

    Small things before the chest, tall ones upright, things with a handle at the hanging arm, wide things in both
    hands before the belly, long ones on the shoulder, wheeled ones on the ground ahead. `turn` is the bearing it had in
    own space: nobody turns a thing in the hand more than carrying it needs.
    """
    m = figure.measures
    tall = m.height
    chosen = hands or hands_for(model)
    wide, deep, high = model.size
    top = high if model.hangs else 0.0
    grips = grips_of(model, chosen)
    if model.carry == "push":
        return _pushed(figure, model, grips)
    if model.carry == "on shoulder":
        sign = -1.0 if chosen == "left" else 1.0
        x, z = sign * max(m.shoulder + 0.02, 0.30 * m.head + 0.40 * min(wide, high)), (tall - m.head) * 0.985
        if high > max(wide, deep):
            # A sack or a pole lies across the shoulder, its top ahead.
            return placement((x, 0.04 - high * 0.45 + top, z + 0.4 * deep), pitch=-84)
        return placement((x, 0.06, z + top), yaw=90 if wide > deep else 0)
    if chosen == "both":
        return placement((0.0, 0.115 * tall + deep / 2, 0.60 * tall - grips["left"].at[2]), _nearest(turn, 0.0, 180.0))
    grip = grips[chosen]
    sign = -1.0 if chosen == "left" else 1.0
    level = abs(grip.along[2]) < 0.7
    if bool(model.grips) and level and grip.at[2] + top > 0.55 * high and high > 0.2:
        # The bar of the handle lies along the way the hanging hand holds it: fore and aft.
        hand = hanging(figure, chosen)
        across = math.degrees(math.atan2(grip.along[0], grip.along[1]))
        yaw = _nearest(turn, -across, 180.0 - across)
        x, y = _turned(crossed(grips, placement(yaw=yaw))[chosen], yaw)
        return placement((hand.at[0] + sign * 0.04 - x, hand.at[1] + 0.02 - y, hand.at[2] - 0.01 - grip.at[2]), yaw)
    x, y = _turned(crossed(grips, placement(yaw=turn))[chosen], turn)
    if high > 0.6:
        # A staff or a broom stands upright beside the one who holds it.
        return placement((sign * 0.15 * tall - x, 0.13 * tall - y, 0.58 * tall - grip.at[2]), turn)
    where = placement((sign * 0.075 * tall - 0.5 * x, 0.20 * tall - 0.5 * y, 0.635 * tall - grip.at[2]), turn)
    return composed(where, _tipped(turn, sign)) if _is_leaf(model) else where


def _is_leaf(model: PropModel) -> bool:
    """Whether it is a book or a sheet: flat, and nothing lies on it."""
    wide, deep, high = model.size
    return high < 0.3 * min(wide, deep) and not model.rests


def _tipped(turn: float, sign: float) -> Floats:
    """A flat thing in one hand is tipped ahead and outwards: of a level one others would see no more than an edge."""
    towards = placement(yaw=45.0 * sign - turn)
    return composed(composed(towards, placement(pitch=-TIPPED)), placement(yaw=turn - 45.0 * sign))


def carrying(figure: Figure, model: PropModel, hands: Hands | None = None, turn: float = 0.0) -> Stance:
    """The stance of somebody who carries the thing and stands."""
    chosen = hands or hands_for(model)
    where = carried(figure, model, chosen, turn)
    return gripping(figure, bearing(model, chosen), crossed(grips_of(model, chosen), where), where, curl=0.8)


def bearing(model: PropModel, hands: Hands) -> Stance:
    """How the body bears it: leaning back under a load, forwards behind wheels."""
    return Stance(lean=4.0 if model.carry == "push" else -2.0 if hands == "both" else 0.0)


def _pushed(figure: Figure, model: PropModel, grips: dict[Side, Grip]) -> Floats:
    """Ahead, handles in the hands; a barrow with low handles is lifted about its wheel."""
    tall = figure.measures.height
    low, high = model.bounds()
    back, handle = min(g.at[1] for g in grips.values()), min(g.at[2] for g in grips.values())
    front = high[1] - 0.15 * (high[1] - low[1])
    lift = math.asin(min(max((0.455 * tall - handle) / (front - back), 0.0), 0.4))
    # Where the handles come to when the thing is tipped about its origin, and how high its wheel's foot goes then.
    ahead = back * math.cos(lift) + handle * math.sin(lift)
    return placement((0.0, 0.13 * tall - ahead, front * math.sin(lift)), pitch=-math.degrees(lift))


def _turned(grip: Grip, yaw: float) -> tuple[float, float]:
    """A grip's place in a thing that is turned by a bearing."""
    a = math.radians(yaw)
    x, y, _ = grip.at
    return x * math.cos(a) + y * math.sin(a), -x * math.sin(a) + y * math.cos(a)


def _nearest(turn: float, *choices: float) -> float:
    return min(choices, key=lambda c: abs((turn - c + 180.0) % 360.0 - 180.0))
