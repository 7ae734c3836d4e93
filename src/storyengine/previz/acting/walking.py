"""Walking: feet that stay where they are put, hips that ride over them, arms that swing against the legs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from storyengine.previz.acting.timing import blended, ease
from storyengine.previz.acting.values import Acted, Stage, to_own
from storyengine.previz.figures.figure import Figure
from storyengine.previz.figures.stance import Foot, Stance, standing_foot
from storyengine.previz.render.values import Floats

STEP = 0.36
"""Length of a step in body heights."""
CORNER = 0.35
"""Metres over which a bend of the path is rounded."""


@dataclass(frozen=True, eq=False)
class Route:
    """A path as evenly spaced points with the way it heads."""

    points: Floats
    length: float
    yaws: Floats
    """Unwrapped bearings along it."""

    def place(self, distance: float) -> tuple[float, float]:
        at = np.linspace(0, self.length, len(self.points))
        d = min(max(distance, 0.0), self.length)
        return float(np.interp(d, at, self.points[:, 0])), float(np.interp(d, at, self.points[:, 1]))

    def yaw(self, distance: float) -> float:
        at = np.linspace(0, self.length, len(self.points))
        return float(np.interp(min(max(distance, 0.0), self.length), at, self.yaws))


def route(path: tuple[tuple[float, float], ...]) -> Route:
    """A rounded path through the given points; points closer than a centimetre count once."""
    marks = [path[0]]
    for mark in path[1:]:
        if math.dist(mark, marks[-1]) > 0.01:
            marks.append(mark)
    if len(marks) < 2:
        return Route(np.array([marks[0], marks[0]], float), 0.0, np.zeros(2))
    line = np.array(marks, float)
    steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
    at = np.concatenate([[0], steps.cumsum()])
    count = max(24, int(at[-1] / 0.05))
    fine = np.linspace(0, at[-1], count)
    dense = np.stack([np.interp(fine, at, line[:, k]) for k in (0, 1)], axis=1)
    reach = max(1, int(CORNER / (at[-1] / count)))
    smooth = dense.copy()
    for k in range(count):
        r = min(reach, k, count - 1 - k)
        smooth[k] = dense[k - r : k + r + 1].mean(axis=0)
    length = float(np.linalg.norm(np.diff(smooth, axis=0), axis=1).sum())
    way = np.gradient(smooth, axis=0)
    yaws = np.degrees(np.unwrap(np.arctan2(way[:, 0], way[:, 1])))
    return Route(smooth, length, yaws)


def walk(stage: Stage, pace: Stance | None = None) -> Callable[[float], Acted]:
    """From the actor's place along the path. `pace` is how the upper body is held on the way (carrying, pushing).

    The first steps turn into the path, the last ones into `yaw_end`; a path of no length turns on the spot.
    """
    figure = stage.figure
    way = route((stage.at, *stage.path))
    if way.length < 0.02:
        return turn(stage)
    tall = figure.measures.height
    steps = max(2, round(way.length / (STEP * tall)))
    first, last = _near(way.yaws[0], stage.yaw), 0.0
    shift = first - way.yaws[0]
    end = stage.yaw_end if stage.yaw_end is not None else way.yaw(way.length)
    last = _near(end, way.yaw(way.length) + shift)
    upper = pace or Stance()

    def body(p: float) -> tuple[float, float, float]:
        """Place and facing at a number of steps; the body starts and stops softly."""
        share = min(max(p / (steps + 1), 0.0), 1.0)
        d = way.length * _glide(share)
        yaw = way.yaw(d) + shift
        turn_in, turn_out = 1 - ease(p / 1.2), ease((p - steps + 0.4) / 1.4)
        yaw = yaw * (1 - turn_in) + stage.yaw * turn_in
        yaw = yaw * (1 - turn_out) + last * turn_out
        x, y = way.place(d)
        return x, y, yaw

    def foot(side: int, p: float) -> Foot:
        """World place of a foot: side 0 swings in even steps, 1 in odd ones."""
        k = math.floor(p)
        swinging = k % 2 == side and p < steps + 1
        done = k if swinging else k + 1
        # Steps of this foot end at side+1, side+3, …; it stands where its last one put it.
        last_step = done - 1 if (done - 1) % 2 == side else done - 2
        old = (
            _plant(body, figure, side, last_step + 1.5, steps)
            if last_step >= 0
            else _plant(body, figure, side, 0.0, steps)
        )
        if not swinging:
            since = p - (last_step + 1)
            heel = 38.0 * ease((since - 0.30) / 0.75) if since >= 0 and p < steps + 0.2 else 0.0
            return replace(old, heel=heel if last_step >= 0 or since > 0.4 else 0.0)
        u = p - k
        new = _plant(body, figure, side, k + 1.5, steps)
        far = math.dist(old.at[:2], new.at[:2])
        s = ease(u)
        x, y = (old.at[i] + (new.at[i] - old.at[i]) * s for i in (0, 1))
        z = min(0.06, 0.03 + 0.06 * far) * math.sin(math.pi * u) ** 1.2 * min(1.0, far / 0.15 + 0.35)
        heel = (
            34.0 * (1 - u) ** 1.5 * math.sin(math.pi * min(u * 2 + 0.35, 1)) - 13.0 * math.sin(math.pi * u) * u
        ) * min(1, far / 0.4)
        return Foot((x, y, z), old.yaw + _near(new.yaw - old.yaw, 0) * s, heel)

    def at(t: float) -> Acted:
        p = min(max(t, 0.0), 1.0) * (steps + 1)
        x, y, yaw = body(p)
        feet = [foot(side, p) for side in (0, 1)]
        right, left = (_seen((x, y), yaw, f) for f in feet)
        return Acted((x, y), yaw, _gait(stage, upper, left, right, p, steps))

    return at


def _gait(stage: Stage, upper: Stance, left: Foot, right: Foot, p: float, steps: int) -> Stance:
    """The body over the feet at a number of steps."""
    tall = stage.figure.measures.height
    stride = right.at[1] - left.at[1]
    swing = max(-26.0, min(26.0, -stride / tall * 62))
    under = math.sin(math.pi * (p % 1.0))
    over = -1.0 if int(p) % 2 == 0 else 1.0
    lively = min(1.0, p, max(steps + 1 - p, 0.0))
    stance = replace(
        upper,
        left_foot=left,
        right_foot=right,
        hips=(over * 0.020 * under * lively, upper.hips[1], upper.hips[2] - 0.012 * (1 - under) * lively),
        lean=upper.lean + 3.0 * lively,
        side=upper.side + over * 1.6 * under * lively,
        twist=upper.twist + swing * 0.16,
        swing=(upper.swing[0] - swing, upper.swing[1] + swing),
    )
    start, stop = ease(p / 0.9), ease((p - steps) / 1.0)
    if start < 1:
        stance = _keeping_feet(blended(stage.figure, stage.before, stance, start), stance)
    if stop > 0:
        stance = _keeping_feet(blended(stage.figure, stance, stage.after, stop), stance)
    return stance


def _keeping_feet(stance: Stance, feet: Stance) -> Stance:
    return replace(stance, left_foot=feet.left_foot, right_foot=feet.right_foot)


def _glide(share: float) -> float:
    """Distance over time: soft at both ends, even in between."""
    soft = 0.16
    top = 1 / (1 - soft)
    if share < soft:
        return top * share * share / (2 * soft)
    if share > 1 - soft:
        return 1 - top * (1 - share) ** 2 / (2 * soft)
    return top * (share - soft / 2)


def _plant(
    body: Callable[[float], tuple[float, float, float]], figure: Figure, side: int, p: float, steps: int
) -> Foot:
    """Where a foot lands: below the hip of where the body will be then."""
    # The last step of each foot goes to where the body comes to rest.
    x, y, yaw = body(max(p, 0.0) if p < steps + 0.4 else steps + 1.0)
    own = standing_foot(figure.measures, "right" if side == 0 else "left", 0.9)
    a = math.radians(yaw)
    ox, oy, _ = own.at
    return Foot((x + ox * math.cos(a) + oy * math.sin(a), y - ox * math.sin(a) + oy * math.cos(a), 0.0), yaw + own.yaw)


def _seen(at: tuple[float, float], yaw: float, foot: Foot) -> Foot:
    """A foot of the world in own space."""
    x, y, _ = to_own(at, yaw, foot.at)
    return Foot((x, y, foot.at[2]), foot.yaw - yaw, foot.heel)


def _near(angle: float, other: float) -> float:
    """The same bearing within half a turn of another."""
    return other + (angle - other + 180.0) % 360.0 - 180.0


def turn(stage: Stage) -> Callable[[float], Acted]:
    """Turn on the spot in small steps; eyes first, then shoulders, then feet."""
    end = _near(stage.yaw_end if stage.yaw_end is not None else stage.yaw, stage.yaw)
    whole = end - stage.yaw
    count = max(2, math.ceil(abs(whole) / 45.0))

    def stand(k: float, side: int) -> Foot:
        own = standing_foot(stage.figure.measures, "right" if side == 0 else "left")
        yaw = stage.yaw + whole * min(max(k / count, 0.0), 1.0)
        a = math.radians(yaw)
        x, y, _ = own.at
        return Foot((x * math.cos(a) + y * math.sin(a), -x * math.sin(a) + y * math.cos(a), 0.0), yaw + own.yaw)

    def foot(side: int, p: float) -> Foot:
        k = math.floor(p)
        if k % 2 != side or p >= count:
            done = min(k + 1 if k % 2 != side else k, count)
            last = done if (done - 1) % 2 == side else done - 1
            return stand(count if p >= count else max(last, 0), side)
        u = ease(p - k)
        old, new = stand(max(k - 1, 0), side), stand(min(k + 1, count), side)
        x, y = (old.at[i] + (new.at[i] - old.at[i]) * u for i in (0, 1))
        return Foot((x, y, 0.035 * math.sin(math.pi * (p - k))), old.yaw + (new.yaw - old.yaw) * u)

    def at(t: float) -> Acted:
        share = ease(t)
        yaw = stage.yaw + whole * share
        p = min(t * (count + 0.001), count)
        right, left = (_seen((0.0, 0.0), yaw, foot(side, p)) for side in (0, 1))
        stance = blended(stage.figure, stage.before, stage.after, share)
        ahead = ease(min(1.0, t * 1.7)) - share
        a = math.radians(whole * ahead)
        far = (2 * math.sin(a), 2 * math.cos(a), stage.figure.measures.height * 0.9)
        stance = replace(stance, left_foot=left, right_foot=right, twist=stance.twist - whole * ahead * 0.25)
        if abs(ahead) > 0.02:
            stance = replace(stance, gaze=far)
        return Acted(stage.at, yaw, stance)

    return at
