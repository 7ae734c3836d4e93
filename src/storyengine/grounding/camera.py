"""The camera solver: a station, a direction and a field of view that hold what the shot wishes to show.

It works on directions seen from the panorama's middle, with a nominal distance to the action for stations beside it.
What it proposes is proven by reprojection: every wish it claims to hold lies in the frame with a margin. Where not all
wishes fit, the smallest set is dropped, least important first, and named.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from storyengine.contract import CameraView
from storyengine.grounding.sphere import Extent, Look, project, turn
from storyengine.plan import SpatialIntent

FIELD_OF_VIEW = {"wide": 74.0, "medium": 60.0, "tight": 44.0}
WIDEST = 92.0
MARGIN = 0.04
"""Share of the frame that stays free around what must be seen."""
DISTANCE = 3.0
"""Metres to the action, where nothing better is known."""
STEP_FORWARD = {"wide": -0.6, "medium": 0.1, "tight": 0.8}
SIDESTEPS = (0.0, 0.6, -0.6, 1.2, -1.2)
"""Metres beside the line to the action; successive shots of a place take different ones, so that views differ."""


@dataclass(frozen=True)
class Wish:
    """Something the view should hold."""

    name: str
    extent: Extent
    importance: int
    """0 is the action itself; larger may be dropped sooner."""


@dataclass(frozen=True)
class Solved:
    """A camera, what it holds, and what it had to drop."""

    view: CameraView
    look: Look
    held: tuple[str, ...]
    dropped: tuple[str, ...]


def solve(wishes: Sequence[Wish], intent: SpatialIntent, aspect: float, shot_in_place: int) -> Solved:
    """The camera that drops the fewest and least important wishes."""
    ordered = sorted(wishes, key=lambda wish: wish.importance)
    for count in range(len(ordered) + 1):
        for dropped in _sets(ordered, count):
            kept = [wish for wish in ordered if wish not in dropped]
            look = _fit([wish.extent for wish in kept], FIELD_OF_VIEW[intent.framing], aspect)
            if look is not None:
                return _solved(look, kept, dropped, intent, shot_in_place)
    raise AssertionError("with every wish dropped there is always a camera")


def unaimed(intent: SpatialIntent, aspect: float) -> Solved:
    """Where nothing tells where the action is, the painter frames it; the view only shows what the place looks like."""
    view = CameraView(framing=intent.framing, move=intent.camera, direction=intent.direction)
    return Solved(view, Look(0.0, -4.0, FIELD_OF_VIEW["wide"], aspect), (), ())


def _sets(wishes: Sequence[Wish], count: int) -> list[tuple[Wish, ...]]:
    """Sets to drop, least important first."""
    choices = list(combinations(wishes, count))
    return sorted(choices, key=lambda chosen: -sum(wish.importance for wish in chosen))


def _fit(extents: Sequence[Extent], usual: float, aspect: float) -> Look | None:
    """The narrowest view from the usual one upwards that holds every extent with its margin."""
    if not extents:
        return Look(0.0, -4.0, usual, aspect)
    yaw, half_width = _hull(extents)
    bottom = min(extent.pitch - extent.half_height for extent in extents)
    top = max(extent.pitch + extent.half_height for extent in extents)
    if half_width > WIDEST / 2:
        return None
    fov = usual
    while fov <= WIDEST:
        look = Look(yaw, (bottom + top) / 2, fov, aspect)
        if all(holds(look, extent) for extent in extents):
            return look
        fov += 4.0
    return None


def _hull(extents: Sequence[Extent]) -> tuple[float, float]:
    """The middle and half width of the smallest arc that covers all extents."""
    start = extents[0].yaw
    edges = [
        (turn(extent.yaw - start) - extent.half_width, turn(extent.yaw - start) + extent.half_width)
        for extent in extents
    ]
    low, high = min(edge[0] for edge in edges), max(edge[1] for edge in edges)
    return turn(start + (low + high) / 2), (high - low) / 2


def holds(look: Look, extent: Extent) -> bool:
    """The proof: all corners of an extent fall into the frame, with a margin."""
    points = [project(look, yaw, pitch) for yaw, pitch in extent.corners()]
    return all(p is not None and MARGIN <= p[0] <= 1 - MARGIN and MARGIN <= p[1] <= 1 - MARGIN for p in points)


def _solved(
    look: Look, kept: Sequence[Wish], dropped: Sequence[Wish], intent: SpatialIntent, shot_in_place: int
) -> Solved:
    """Step beside the panorama's middle, and turn so that the action stays where it was in the frame."""
    forward = STEP_FORWARD[intent.framing]
    side = SIDESTEPS[shot_in_place % len(SIDESTEPS)]
    yaw = math.radians(look.yaw)
    right = side * math.cos(yaw) + forward * math.sin(yaw)
    ahead = -side * math.sin(yaw) + forward * math.cos(yaw)
    target = (DISTANCE * math.sin(yaw), DISTANCE * math.cos(yaw))
    turned = math.degrees(math.atan2(target[0] - right, target[1] - ahead))
    view = CameraView(
        yaw=round(turned, 1),
        pitch=round(look.pitch, 1),
        fov=round(look.fov, 1),
        right=round(right, 2),
        forward=round(ahead, 2),
        framing=intent.framing,
        move=intent.camera,
        direction=intent.direction,
    )
    return Solved(view, look, tuple(w.name for w in kept), tuple(w.name for w in dropped))
