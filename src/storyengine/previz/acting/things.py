"""Actions that move a thing: taking, putting, handing over, hanging up, pouring, carrying, pushing."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from storyengine.errors import ContractError
from storyengine.previz.acting.carrying import bearing, carried
from storyengine.previz.acting.handling import (
    bent_to,
    crossed,
    gripping,
    grips_of,
    hands_for,
    holds,
    keyed,
    moved_up,
    own_yaw,
)
from storyengine.previz.acting.timing import Key, between, blended_matrix, ease, with_hand
from storyengine.previz.acting.values import Acted, Hands, Moment, Performance, Stage, own_matrix, to_own
from storyengine.previz.acting.walking import walk
from storyengine.previz.figures.figure import Figure
from storyengine.previz.figures.skeleton import Side
from storyengine.previz.figures.stance import Hand, Stance
from storyengine.previz.props.model import Grip, PropModel
from storyengine.previz.render.values import Floats, Vec3, composed, placement


def _needed(stage: Stage, action: str) -> PropModel:
    if stage.model is None:
        raise ContractError(f"The action {action!r} moves a thing, and its stage has none.")
    return stage.model


def _world(stage: Stage, matrix: Floats) -> Floats:
    return composed(placement((stage.at[0], stage.at[1], 0.0), stage.yaw), matrix)


def _places(stage: Stage, model: PropModel, *, taking: bool) -> tuple[Floats, Floats]:
    """The thing's first and last place in own space; what is not given is where it is carried."""
    given = stage.start if taking else stage.end
    turn = own_yaw(own_matrix(stage.at, stage.yaw, given)) if given is not None else 0.0
    held = carried(stage.figure, model, stage.hands, turn)
    first = own_matrix(stage.at, stage.yaw, stage.start) if stage.start is not None else held
    last = own_matrix(stage.at, stage.yaw, stage.end) if stage.end is not None else held
    return first, last


def _bears(
    figure: Figure, given: Stance, model: PropModel, hands: Hands, grips: dict[Side, Grip], thing: Floats
) -> Stance:
    """The given stance where it says what the hands do, else one that carries the thing."""
    if given.left or given.right:
        return given
    return gripping(figure, bearing(model, hands), grips, thing, 0.8)


def _reaching(figure: Figure, base: Stance, grips: dict[Side, Grip], thing: Floats) -> Stance:
    """Bent to the thing, hands on it."""
    targets = {side: _point(thing, grip.at) for side, grip in grips.items()}
    return gripping(figure, bent_to(figure, base, targets), grips, thing)


def _point(thing: Floats, at: Vec3) -> Vec3:
    p = thing[:, :3] @ np.array(at) + thing[:, 3]
    return (float(p[0]), float(p[1]), float(p[2]))


def _opened(stance: Stance, grips: dict[Side, Grip], curl: float = 0.15) -> Stance:
    """The same stance with the gripping hands open."""
    for side in grips:
        hand = stance.left if side == "left" else stance.right
        if hand is not None:
            hand = replace(hand, curl=curl)
            stance = replace(stance, left=hand) if side == "left" else replace(stance, right=hand)
    return stance


def take(stage: Stage, *, over: float = 0.0) -> Performance:
    """Pick a thing up, take it out (`over` metres up and over an edge) or down from a hook.

    Look, sink a little, reach, grasp, take the weight, rise, settle.
    """
    model, figure = _needed(stage, "take"), stage.figure
    hands = stage.hands or hands_for(model)
    first, last = _places(stage, model, taking=True)
    grips = crossed(grips_of(model, hands), first)
    after = _bears(figure, stage.after, model, hands, grips, last)
    there = _reaching(figure, stage.before, grips, first)
    look = replace(stage.before, gaze=there.gaze, lean=stage.before.lean - 2.0, hips=(0.0, -0.012, -0.012))
    near = gripping(figure, there, grips, first, 0.12, off=0.06)
    load = replace(there, hips=(there.hips[0], there.hips[1], there.hips[2] - 0.018), lean=there.lean + 1.5)
    up = moved_up(first, over) if over else first
    held = holds(hands)
    keys = [
        Key(0.0, stage.before, first),
        Key(0.12, look, first),
        Key(0.38, near, first),
        Key(0.47, there, first, held),
        Key(0.54, load, first, held),
    ]
    if over:
        keys.append(Key(0.70, _reaching(figure, stage.before, grips, up), up, held))
    keys += [Key(0.93, replace(after, lean=after.lean - 1.5), last, held), Key(1.0, after, last, held)]
    return _performance(stage, keys, grips, change=(0.5, 0.9))


def put(stage: Stage, *, over: float = 0.0) -> Performance:
    """Put a held thing down, into something (`over` metres above its edge first) or up on a hook, and let go."""
    model, figure = _needed(stage, "put"), stage.figure
    hands = stage.hands or hands_for(model)
    first, last = _places(stage, model, taking=False)
    grips = crossed(grips_of(model, hands), last)
    before = _bears(figure, stage.before, model, hands, grips, first)
    there = _reaching(figure, stage.after, grips, last)
    look = replace(before, gaze=there.gaze, lean=before.lean - 2.5)
    held = holds(hands)
    off = gripping(figure, there, grips, last, 0.1, off=0.07)
    keys = [Key(0.0, before, first, held), Key(0.13, look, moved_up(first, 0.015), held, 0.05 if not over else 0.0)]
    if over:
        up = moved_up(last, over)
        keys.append(Key(0.36, _reaching(figure, stage.after, grips, up), up, held))
    keys += [
        Key(0.55, there, last, held),
        Key(0.61, _opened(there, grips), last),
        Key(0.70, off, last),
        Key(0.94, replace(stage.after, lean=stage.after.lean - 1.5), last),
        Key(1.0, stage.after, last),
    ]
    return _performance(stage, keys, grips, change=(0.25, 0.56))


def _performance(stage: Stage, keys: list[Key], grips: dict[Side, Grip], change: tuple[float, float]) -> Performance:
    def at(t: float) -> Moment:
        stance, thing = keyed(stage.figure, keys, grips, t)
        world = None if thing is None else _world(stage, thing)
        return Moment(Acted(stage.at, stage.yaw, stance), world, between(t, *change))

    return at


def hold_out(stage: Stage) -> Performance:
    """Reach out towards a point with an open hand, and come back."""
    figure = stage.figure
    point = stage.own(stage.point or (0.0, 0.0, 1.0))
    side: Side = "left" if stage.hands == "left" else "right"
    there = with_hand(bent_to(figure, stage.before, {side: point}), side, Hand(point, curl=0.12))
    keys = [Key(0.0, stage.before), Key(0.12, replace(stage.before, gaze=point, lean=stage.before.lean - 2)),
            Key(0.48, there), Key(0.66, there), Key(1.0, stage.after)]  # fmt: skip
    return _performance(stage, keys, {}, (0.2, 0.5))


def hand_over(stage: Stage) -> Performance:
    """From the actor's hands to the partner's; both look at it, both hold it for a moment."""
    model, figure = _needed(stage, "hand over"), stage.figure
    partner = stage.partner
    if partner is None:
        raise ContractError("The action 'hand over' needs a partner on its stage.")
    hands = stage.hands or hands_for(model)
    first = own_matrix(stage.at, stage.yaw, stage.start) if stage.start is not None else carried(figure, model, hands)
    grips = crossed(grips_of(model, hands), first)
    middle = ((stage.at[0] + stage.partner_at[0]) / 2, (stage.at[1] + stage.partner_at[1]) / 2)
    low = min(figure.measures.height, partner.measures.height)
    grip_z = float(np.mean([g.at[2] for g in grips.values()]))
    meet_world = placement((middle[0], middle[1], 0.66 * low - grip_z), stage.yaw + own_yaw(first))
    meet = own_matrix(stage.at, stage.yaw, meet_world)
    before = _bears(figure, stage.before, model, hands, grips, first)
    eye = to_own(stage.at, stage.yaw, (*stage.partner_at, partner.measures.height * 0.92))
    there = _reaching(figure, Stance(), grips, meet)
    held = holds(hands)
    mine = [
        Key(0.0, before, first, held),
        Key(0.10, replace(before, gaze=eye), first, held),
        Key(0.40, there, meet, held),
        Key(0.54, there, meet, held),
        Key(0.60, _opened(there, grips), meet),
        Key(0.92, replace(stage.after, gaze=eye), meet),
        Key(1.0, replace(stage.after, gaze=stage.after.gaze or eye), meet),
    ]
    theirs, their_grips = _receiving(stage, partner, model, meet_world)

    def at(t: float) -> Moment:
        stance, thing = keyed(figure, mine, grips, t)
        other, got = keyed(partner, theirs, their_grips, t)
        world = _world(stage, thing) if thing is not None else None
        if t >= 0.54 and got is not None:
            world = composed(placement((*stage.partner_at, 0.0), stage.partner_yaw), got)
        return Moment(
            Acted(stage.at, stage.yaw, stance),
            world,
            float(t >= 0.54),
            Acted(stage.partner_at, stage.partner_yaw, other),
        )

    return at


def _receiving(stage: Stage, partner: Figure, model: PropModel, meet: Floats) -> tuple[list[Key], dict[Side, Grip]]:
    """The partner's keys: look, reach out, take, draw in."""
    hands = stage.hands or hands_for(model)
    here = own_matrix(stage.partner_at, stage.partner_yaw, meet)
    grips = crossed(grips_of(model, hands), here)
    last = carried(partner, model, hands, own_yaw(here))
    if stage.end is not None:
        last = own_matrix(stage.partner_at, stage.partner_yaw, stage.end)
    after = _bears(partner, stage.partner_after, model, hands, grips, last)
    eye = to_own(stage.partner_at, stage.partner_yaw, (*stage.at, stage.figure.measures.height * 0.92))
    there = _reaching(partner, Stance(), grips, here)
    near = gripping(partner, there, grips, here, 0.1, off=0.05)
    held = holds(hands)
    keys = [
        Key(0.0, stage.partner_before, here),
        Key(0.14, replace(stage.partner_before, gaze=eye), here),
        Key(0.42, near, here),
        Key(0.50, there, here, held),
        Key(0.58, there, here, held),
        Key(0.92, replace(after, gaze=eye), last, held),
        Key(1.0, replace(after, gaze=after.gaze or eye), last, held),
    ]
    return keys, grips


def pour(stage: Stage) -> Performance:
    """Tip a held vessel over a point and set it upright again; `share` is how much has run out."""
    model, figure = _needed(stage, "pour"), stage.figure
    hands = stage.hands or hands_for(model)
    held_at = carried(figure, model, hands)
    first, last = (
        held_at if given is None else own_matrix(stage.at, stage.yaw, given) for given in (stage.start, stage.end)
    )
    x, y, z = stage.own(stage.point) if stage.point else (0.0, 0.32 * figure.measures.height, 0.5)
    high = model.size[2]
    level = placement((x, y - 0.10 - 0.3 * high, z + 0.16))
    tipped = placement((x, y - 0.16 - 0.55 * high, z + 0.16 + 0.25 * high), pitch=-82)
    grips = crossed(grips_of(model, hands), level)
    before = _bears(figure, stage.before, model, hands, grips, first)
    after = _bears(figure, stage.after, model, hands, grips, last)
    upright, tilting = (_reaching(figure, Stance(), grips, p) for p in (level, tipped))
    gaze = (x, y, z)
    upright, tilting = replace(upright, gaze=gaze), replace(tilting, gaze=gaze, side=-3.0)
    held = holds(hands)
    keys = [
        Key(0.0, before, first, held),
        Key(0.10, replace(before, gaze=gaze), first, held, 0.04),
        Key(0.34, upright, level, held),
        Key(0.50, tilting, tipped, held),
        Key(0.70, tilting, tipped, held),
        Key(0.80, upright, level, held),
        Key(1.0, after, last, held),
    ]
    return _performance(stage, keys, grips, (0.44, 0.74))


def carry(stage: Stage) -> Performance:
    """Walk the path with the thing: in one hand, both hands, on the shoulder, or pushed ahead on its wheels."""
    model, figure = _needed(stage, "carry"), stage.figure
    hands = stage.hands or hands_for(model)
    first = None if stage.start is None else own_matrix(stage.at, stage.yaw, stage.start)
    held = carried(figure, model, hands, 0.0 if first is None else own_yaw(first))
    last = held
    if stage.end is not None and stage.path and stage.yaw_end is not None:
        last = own_matrix(stage.path[-1], stage.yaw_end, stage.end)
    first = held if first is None else first
    grips = crossed(grips_of(model, hands), held)
    pace = gripping(figure, bearing(model, hands), grips, held, 0.8)
    before = _bears(figure, stage.before, model, hands, grips, first)
    after = _bears(figure, stage.after, model, hands, grips, last)
    going = walk(replace(stage, before=before, after=after), pace)
    rolling = model.carry == "push"

    def at(t: float) -> Moment:
        acted = going(t)
        stance = acted.stance
        soon, late = ease(t / 0.18), ease((t - 0.82) / 0.18)
        own = blended_matrix(first, held, soon) if t < 0.5 else blended_matrix(held, last, late)
        if not rolling:
            # What is carried rides on the hips, and follows them softly.
            own = moved_up(own, 0.6 * stance.hips[2] + 0.004 * math.sin(t * stage.seconds * 11) * soon * (1 - late))
            own[0, 3] += 0.5 * stance.hips[0]
        stance = gripping(figure, stance, grips, own, 0.8)
        where = placement((acted.at[0], acted.at[1], 0.0), acted.yaw)
        return Moment(Acted(acted.at, acted.yaw, stance), composed(where, own), ease(t))

    return at


def drag(stage: Stage) -> Performance:
    """Walk backwards along a straight path, pulling the thing along."""
    model, figure = _needed(stage, "pull"), stage.figure
    held = own_matrix(stage.at, stage.yaw, stage.start) if stage.start is not None else carried(figure, model, "both")
    grips = crossed(grips_of(model, stage.hands or "both"), held)
    goal = stage.path[-1] if stage.path else _ahead(stage, -1.0)
    pull = replace(_reaching(figure, Stance(), grips, held), left_foot=None, right_foot=None)
    # A walk from the goal to here, played from its end, is a walk backwards.
    forth = walk(
        replace(stage, at=goal, path=(stage.at,), yaw_end=stage.yaw, before=stage.after, after=stage.before), pull
    )

    def at(t: float) -> Moment:
        acted = forth(1 - t)
        stance = gripping(figure, acted.stance, grips, held, 0.8)
        where = placement((acted.at[0], acted.at[1], 0.0), acted.yaw)
        return Moment(Acted(acted.at, acted.yaw, stance), composed(where, held), ease(t))

    return at


def _ahead(stage: Stage, far: float) -> tuple[float, float]:
    a = math.radians(stage.yaw)
    return stage.at[0] + far * math.sin(a), stage.at[1] + far * math.cos(a)
