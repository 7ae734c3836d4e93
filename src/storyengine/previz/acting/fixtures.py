"""Actions on things that stay where they are: doors, lids, levers, wheels, cranks, ropes, switches."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from storyengine.previz.acting.carrying import carried, carrying
from storyengine.previz.acting.handling import bent_to, grips_of
from storyengine.previz.acting.timing import between, blended, ease, hand_of, turned_between, with_hand
from storyengine.previz.acting.values import Acted, Hands, Moment, Performance, Stage, own_matrix, sides_of
from storyengine.previz.figures.figure import Figure
from storyengine.previz.figures.skeleton import Side
from storyengine.previz.figures.stance import Hand, Stance
from storyengine.previz.looks import PropLook
from storyengine.previz.props import PropModel, build_at
from storyengine.previz.render.values import Floats, Vec3, composed, placement

TRACK = 13
"""Points of a handle's way."""


def handle_track(
    look: PropLook, axis: str, first: float, last: float, where: Floats, others: tuple[tuple[str, float], ...] = ()
) -> tuple[Vec3, ...]:
    """The way of a fixture's handle while a state goes from one value to another, in the world.

    That is its first grip where it moves, else the free edge of the part that moves most; empty where nothing moves.
    """
    models = [build_at(look, (*others, (axis, first + (last - first) * k / (TRACK - 1)))) for k in range(TRACK)]
    grips = [np.array(model.grips[0].at) for model in models if model.grips]
    if len(grips) == TRACK and np.ptp(np.array(grips), axis=0).max() > 0.02:
        points = grips
    else:
        points = _edge_of_moving_part(models)
    return tuple(_tuple(where[:, :3] @ p + where[:, 3]) for p in points)


def _edge_of_moving_part(models: list[PropModel]) -> list[Floats]:
    """The middle of the edge that travels farthest: the free edge of a lid or leaf. Empty where no part moves."""
    best: tuple[float, str, Floats] | None = None
    ends = {part.name: part for part in models[-1].parts}
    for part in models[0].parts:
        if part.name not in ends:
            continue
        points = np.concatenate([part.mesh.vertices, np.ones((len(part.mesh.vertices), 1))], axis=1)
        way = np.linalg.norm(points @ (ends[part.name].matrix - part.matrix).T, axis=1)
        if best is None or way.max() > best[0] + 1e-6:
            best = (float(way.max()), part.name, part.mesh.vertices[way >= 0.92 * way.max()].mean(axis=0))
    if best is None or best[0] < 0.02:
        return []
    out = []
    for model in models:
        matrix = next((p.matrix for p in model.parts if p.name == best[1]), None)
        if matrix is None:
            return []
        out.append(matrix[:, :3] @ best[2] + matrix[:, 3])
    return out


def _tuple(values: Floats) -> Vec3:
    return (float(values[0]), float(values[1]), float(values[2]))


def follow(track: tuple[Vec3, ...], share: float) -> Vec3:
    """A point on the way."""
    line = np.array(track)
    at = np.linspace(0, 1, len(track))
    s = min(max(share, 0.0), 1.0)
    return (
        float(np.interp(s, at, line[:, 0])),
        float(np.interp(s, at, line[:, 1])),
        float(np.interp(s, at, line[:, 2])),
    )


def _arc(centre: Vec3, start: Vec3, axis: Vec3, degrees: float) -> tuple[Vec3, ...]:
    """Points of a turn about an axis through a centre."""
    k = np.array(axis, float) / np.linalg.norm(axis)
    r = np.array(start) - np.array(centre)
    out = []
    for share in np.linspace(0, 1, TRACK):
        a = math.radians(degrees * float(share))
        p = r * math.cos(a) + np.cross(k, r) * math.sin(a) + k * (k @ r) * (1 - math.cos(a)) + np.array(centre)
        out.append((float(p[0]), float(p[1]), float(p[2])))
    return tuple(out)


def _usual_track(stage: Stage, kind: str) -> tuple[Vec3, ...]:
    """A plausible way of the handle where the stage knows none, in own space."""
    tall = stage.figure.measures.height
    x, y, z = stage.own(stage.point) if stage.point else (0.08 * tall, 0.30 * tall, 0.58 * tall)
    if kind == "door":
        return _arc((x + 0.75, y, z), (x, y, z), (0, 0, 1), 52)
    if kind == "lid":
        return _arc((x, y + 0.42, z), (x, y, z), (1, 0, 0), -78)
    if kind == "lever":
        return _arc((x, y + 0.05, z - 0.55), (x, y, z), (1, 0, 0), 42)
    if kind == "raise":
        return ((x, y, z), (x, y, z + 0.32 * tall))
    if kind == "lower":
        return ((x, y, z + 0.32 * tall), (x, y, z))
    if kind == "rope":
        return ((x, y, z), (x, y - 0.05, z - 0.24 * tall))
    return ((x, y, z), (x, y + 0.06, z))


def operate(stage: Stage, kind: str, hands: tuple[Side, ...] | None = None, *, back: bool = False) -> Performance:
    """Take a handle, move it along its way, let go. `back` lets it return before it is let go (a bell rope)."""
    figure = stage.figure
    track = tuple(stage.own(p) for p in stage.track) if stage.track else _usual_track(stage, kind)
    sides = hands or sides_of(stage.hands or "right")
    bar: Vec3 = (1.0, 0.0, 0.0) if kind in ("lid", "raise", "lower", "drawer") else (0.0, 0.0, 1.0)
    apart = 0.0 if len(sides) == 1 else 0.11
    heavy = 1.0 if kind in ("raise", "lower", "lever") else 0.4

    def on_handle(share: float, curl: float) -> Stance:
        point = follow(track, share)
        targets = {s: _beside(point, s, apart if bar[0] else 0.0) for s in sides}
        stance = bent_to(figure, stage.before, targets)
        for s, target in targets.items():
            grip = (
                target[0],
                target[1],
                target[2] - (0.10 if s == "left" and kind == "rope" and len(sides) == 2 else 0.0),
            )
            stance = with_hand(stance, s, _bar_hand(grip, bar, s, curl))
        return stance

    first, last = on_handle(0.0, 0.8), on_handle(1.0, 0.8)
    near = on_handle(0.0, 0.1)

    def at(t: float) -> Moment:
        share = between(t, 0.36, 0.74)
        if back:
            share = math.sin(math.pi * min(max((t - 0.36) / 0.40, 0.0), 1.0)) ** 2
        if t < 0.12:
            glance = replace(stage.before, gaze=near.gaze, lean=stage.before.lean - 1.5)
            stance = blended(figure, stage.before, glance, ease(t / 0.12))
        elif t < 0.30:
            glance = replace(stage.before, gaze=near.gaze, lean=stage.before.lean - 1.5)
            stance = blended(figure, glance, near, between(t, 0.12, 0.30))
        elif t < 0.36:
            stance = blended(figure, near, first, between(t, 0.30, 0.36))
        elif t < 0.78:
            stance = on_handle(share, 0.8)
            effort = math.sin(math.pi * min(max((t - 0.36) / 0.38, 0.0), 1.0)) * heavy
            x, y, z = stance.hips
            stance = replace(stance, hips=(x, y - 0.03 * effort, z - 0.02 * effort), nod=stance.nod + 3 * effort)
        else:
            end = first if back else last
            loose = _let_go(end, sides)
            stance = blended(figure, end, loose, between(t, 0.78, 0.83)) if t < 0.83 else blended(
                figure, loose, stage.after, between(t, 0.83, 1.0)
            )  # fmt: skip
        return Moment(Acted(stage.at, stage.yaw, stance), None, share)

    return at


def _let_go(stance: Stance, sides: tuple[Side, ...]) -> Stance:
    for side in sides:
        hand = stance.left if side == "left" else stance.right
        if hand is not None:
            x, y, z = hand.at
            stance = with_hand(stance, side, replace(hand, curl=0.15, at=(x, y - 0.04, z)))
    return stance


def _beside(point: Vec3, side: Side, apart: float) -> Vec3:
    return (point[0] + (-apart if side == "left" else apart), point[1], point[2])


def _bar_hand(at: Vec3, bar: Vec3, side: Side, curl: float) -> Hand:
    """A fist around a bar before the actor: thumb inwards on a level bar, up on an upright one."""
    sign = -1.0 if side == "left" else 1.0
    thumb = (-sign, 0.0, 0.15) if bar[0] else (-sign * 0.2, 0.0, 1.0)
    return Hand(at, (0.0, 0.85, -0.25 if bar[0] else 0.1), thumb, curl)


# ------------------------------------------------------------------------------------------------ turning


def turn_wheel(stage: Stage) -> Performance:
    """A big wheel, hand over hand: pull down with one, take again with the other. `share` is the turning done."""
    figure = stage.figure
    tall = figure.measures.height
    cx, cy, cz = stage.own(stage.point) if stage.point else (0.0, 0.30 * tall, 0.62 * tall)
    radius = 0.8 * min(stage.model.size[0], stage.model.size[2]) / 2 if stage.model is not None else 0.20
    radius = min(max(radius, 0.10), 0.34)
    strokes = max(2, round(stage.seconds * 0.62 / 0.9))

    def hand(side: Side, phase: float) -> tuple[Vec3, float]:
        """Each hand pulls its side of the rim down for half the stroke and goes up again open."""
        u = phase % 1.0
        sign = -1.0 if side == "left" else 1.0
        pulling = u < 0.58
        s = ease(u / 0.58) if pulling else 1 - ease((u - 0.58) / 0.42)
        angle = math.radians(62 - 96 * s)
        out = 0.0 if pulling else 0.05 * math.sin(math.pi * (u - 0.58) / 0.42)
        at = (cx + sign * radius * math.cos(angle), cy - out, cz + radius * math.sin(angle))
        return at, 0.8 if pulling else 0.3

    def work(phase: float) -> Stance:
        spots = {s: hand(s, phase + (0.5 if s == "left" else 0.0)) for s in ("left", "right")}
        typed: dict[Side, Vec3] = {"left": spots["left"][0], "right": spots["right"][0]}
        stance = bent_to(figure, stage.before, typed, gaze=(cx, cy, cz))
        rock = math.sin(2 * math.pi * phase)
        for side, sign in (("left", -1.0), ("right", 1.0)):
            at, curl = spots[side]
            hand_ = Hand(at, (0.0, 1.0, 0.1), (-sign * 0.4, 0.1, 1.0), curl)
            stance = replace(stance, left=hand_) if side == "left" else replace(stance, right=hand_)
        return replace(stance, side=stance.side + 3.5 * rock, twist=stance.twist + 3 * rock)

    return looped(stage, work, strokes)


def crank(stage: Stage) -> Performance:
    """Wind a crank handle around, the body going with it."""
    figure = stage.figure
    tall = figure.measures.height
    cx, cy, cz = stage.own(stage.point) if stage.point else (0.10 * tall, 0.30 * tall, 0.55 * tall)
    side: Side = "left" if stage.hands == "left" else "right"
    radius = 0.16
    turns = max(2, round(stage.seconds * 0.62 / 1.1))

    def work(phase: float) -> Stance:
        a = 2 * math.pi * phase
        at = (cx, cy + radius * math.sin(a), cz + radius * math.cos(a))
        base = replace(stage.before, lean=stage.before.lean + 8 + 5 * math.sin(a))
        stance = bent_to(figure, base, {side: at}, gaze=(cx, cy, cz))
        x, y, z = stance.hips
        stance = replace(stance, hips=(x, y + 0.02 * math.sin(a), z + 0.014 * math.cos(a) - 0.014))
        sign = -1.0 if side == "left" else 1.0
        return with_hand(stance, side, Hand(at, (0.0, 0.9, -0.3), (-sign, 0.0, 0.1), 0.85))

    return looped(stage, work, turns)


Tool = Callable[[Stance, float], Floats | None]
"""Where a tool is in the world, given the stance of the one who uses it and the cycle of work."""


def looped(stage: Stage, work: Callable[[float], Stance], cycles: int, tool: Tool | None = None) -> Performance:
    """Work that repeats: come to it, do it `cycles` times, leave it.

    A tool is brought from where it is held to the work and back; the stage's `start` and `end` say where else.
    """
    figure, model = stage.figure, stage.model
    before, after = stage.before, stage.after
    if tool is not None and model is not None:
        before = before if before.left or before.right else carrying(figure, model)
        after = after if after.left or after.right else carrying(figure, model)
    first, last = work(0.0), work(float(cycles))

    def at(t: float) -> Moment:
        share = min(max((t - 0.20) / 0.62, 0.0), 1.0)
        phase = share * cycles
        if t < 0.20:
            stance = blended(figure, before, first, ease(t / 0.20))
        elif t <= 0.82:
            stance = work(phase)
        else:
            stance = blended(figure, last, after, ease((t - 0.82) / 0.18))
        thing = None if tool is None else tool(stance, phase)
        if thing is not None and model is not None:
            own = own_matrix(stage.at, stage.yaw, thing)
            brought = ease(t / 0.20) if t < 0.5 else 1 - ease((t - 0.82) / 0.18)
            if brought < 1:
                given = stage.start if t < 0.5 else stage.end
                held = carried(figure, model) if given is None else own_matrix(stage.at, stage.yaw, given)
                own = _in_hand(figure, stance, model, turned_between(held[:, :3], own[:, :3], brought), stage.hands)
            thing = composed(placement((stage.at[0], stage.at[1], 0.0), stage.yaw), own)
        return Moment(Acted(stage.at, stage.yaw, stance), thing, share)

    return at


def _in_hand(figure: Figure, stance: Stance, model: PropModel, turn: Floats, hands: Hands | None) -> Floats:
    """A tool with its grip in the hand, turned some way, in own space."""
    side: Side = "left" if hands == "left" else "right"
    out = np.empty((3, 4))
    out[:, :3] = turn
    out[:, 3] = np.array(hand_of(figure, stance, side).at) - turn @ np.array(grips_of(model, side)[side].at)
    return out
