"""What acting is asked and what it answers.

A `Stage` says who acts, from which stance to which, and with what; a `Performance` answers where everybody's hands,
feet and eyes are, and where the thing is, at any share of the time. Points of a stage are in the world; stances are in
the figure's own space, as in `figures`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from storyengine.previz.figures.figure import Figure
from storyengine.previz.figures.skeleton import Side
from storyengine.previz.figures.stance import Stance
from storyengine.previz.props.model import PropModel
from storyengine.previz.render.values import Floats, Vec3

Hands = Literal["left", "right", "both"]


@dataclass(frozen=True, eq=False)
class Stage:
    """The marks of one action. Only what the action needs has to be given."""

    figure: Figure
    at: tuple[float, float]
    yaw: float
    before: Stance = field(default_factory=Stance)
    """How the actor stands when the action begins…"""
    after: Stance = field(default_factory=Stance)
    """…and when it is over: with the thing in hand, say."""
    seconds: float = 4.0
    """How long it takes: steps, breath and work keep their natural pace."""
    hands: Hands | None = None
    """Which hands do it; None takes what the thing asks for."""
    model: PropModel | None = None
    """The thing handled, or the tool used."""
    start: Floats | None = None
    """Where the thing is at first, 3×4."""
    end: Floats | None = None
    """Where it is in the end."""
    point: Vec3 | None = None
    """Where work is done, what is looked or pointed at."""
    track: tuple[Vec3, ...] = ()
    """The way of a handle from the first state of a fixture to the last: see `handle_track`."""
    path: tuple[tuple[float, float], ...] = ()
    """Where to walk, from the actor's place on."""
    yaw_end: float | None = None
    """Which way to face in the end."""
    partner: Figure | None = None
    partner_at: tuple[float, float] = (0.0, 0.0)
    partner_yaw: float = 0.0
    partner_before: Stance = field(default_factory=Stance)
    partner_after: Stance = field(default_factory=Stance)
    seed: int = 0
    clock: float = 0.0
    """Seconds of breathing and blinking before the action: keeps people's breath steady from action to action."""

    def own(self, point: Vec3 | Floats) -> Vec3:
        """A point of the world as the actor sees it from where the action begins."""
        return to_own(self.at, self.yaw, point)


@dataclass(frozen=True, eq=False)
class Acted:
    """A person at a moment."""

    at: tuple[float, float]
    yaw: float
    stance: Stance


@dataclass(frozen=True, eq=False)
class Moment:
    """Everybody at a moment, where the thing is, and how much of its change has happened."""

    actor: Acted
    thing: Floats | None = None
    """The thing's place, 3×4; None where the action does not move one."""
    share: float = 0.0
    """Of the change of state that the action makes: 0 before, 1 after."""
    partner: Acted | None = None


Performance = Callable[[float], Moment]
"""From a share of the time, 0 to 1, to the moment."""


def to_own(at: tuple[float, float], yaw: float, point: Vec3 | Floats) -> Vec3:
    """A point of the world in the own space of a figure at a place, facing a bearing."""
    a = math.radians(yaw)
    x, y = float(point[0]) - at[0], float(point[1]) - at[1]
    return (x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a), float(point[2]))


def to_world(at: tuple[float, float], yaw: float, point: Vec3 | Floats) -> Vec3:
    """The way back."""
    a = math.radians(yaw)
    x, y = float(point[0]), float(point[1])
    return (at[0] + x * math.cos(a) + y * math.sin(a), at[1] - x * math.sin(a) + y * math.cos(a), float(point[2]))


def own_matrix(at: tuple[float, float], yaw: float, matrix: Floats) -> Floats:
    """A 3×4 placement of the world in a figure's own space."""
    a = math.radians(yaw)
    turn = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    out = np.empty((3, 4))
    out[:, :3] = turn @ matrix[:, :3]
    out[:, 3] = turn @ (matrix[:, 3] - np.array([at[0], at[1], 0.0]))
    return out


def sides_of(hands: Hands) -> tuple[Side, ...]:
    return ("left", "right") if hands == "both" else (hands,)
