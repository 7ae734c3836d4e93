"""How things are carried: where they are in own space, and the hands that hold them."""

from __future__ import annotations

from storyengine.previz.acting.handling import gripping, grips_of, hands_for
from storyengine.previz.acting.timing import hanging
from storyengine.previz.acting.values import Hands
from storyengine.previz.figures.figure import Figure
from storyengine.previz.figures.stance import Stance
from storyengine.previz.props.model import PropModel
from storyengine.previz.render.values import Floats, placement


def carried(figure: Figure, model: PropModel, hands: Hands | None = None) -> Floats:
    """Where a thing is while it is carried, in own space.

    Small things before the chest, things with a handle at the hanging arm, wide things in both hands before the belly,
    long ones on the shoulder, wheeled ones on the ground ahead.
    """
    m = figure.measures
    tall = m.height
    chosen = hands or hands_for(model)
    wide, deep, high = model.size
    top = high if model.hangs else 0.0
    grips = grips_of(model, chosen)
    if model.carry == "push":
        back = min(g.at[1] for g in grips.values())
        return placement((0.0, 0.24 * tall - back, 0.0))
    if model.carry == "on shoulder":
        sign = -1.0 if chosen == "left" else 1.0
        x, z = sign * (m.shoulder + 0.02), (1.0 * tall - m.head) * 0.985
        if high > max(wide, deep):
            # A sack or a pole lies across the shoulder, its top ahead.
            return placement((x, 0.04 - high * 0.45 + top, z + 0.4 * deep), pitch=-84)
        return placement((x, 0.06, z + top), yaw=90 if wide > deep else 0)
    if chosen == "both":
        z = 0.60 * tall - grips["left"].at[2]
        return placement((0.0, 0.115 * tall + deep / 2, z))
    grip = grips[chosen]
    sign = -1.0 if chosen == "left" else 1.0
    hand = hanging(figure, chosen)
    handled = bool(model.grips) and grip.at[2] + top > 0.55 * high and high > 0.2
    if handled or high > 0.32:
        turn = 90.0 if abs(grip.along[0]) > 0.7 else 0.0
        x, y = (grip.at[1], -grip.at[0]) if turn else (grip.at[0], grip.at[1])
        return placement(
            (hand.at[0] + sign * 0.04 - x, hand.at[1] + 0.02 - y, hand.at[2] - 0.01 - grip.at[2]), yaw=turn
        )
    return placement((sign * 0.075 * tall - grip.at[0], 0.20 * tall - grip.at[1], 0.635 * tall - grip.at[2]))


def carrying(figure: Figure, model: PropModel, hands: Hands | None = None) -> Stance:
    """The stance of somebody who carries the thing and stands."""
    chosen = hands or hands_for(model)
    base = Stance(lean=-2.0 if chosen == "both" and model.carry != "push" else 5.0 if model.carry == "push" else 0.0)
    return gripping(figure, base, grips_of(model, chosen), carried(figure, model, chosen), curl=0.8)
