"""What is true before and after every shot, why it is true, and what of it a camera could see."""

from storyengine.state.reducer import Illegal, reduce
from storyengine.state.replay import (
    Change,
    EventRef,
    Moment,
    ShotStates,
    Trajectory,
    opening_world,
    replay,
    walk,
)
from storyengine.state.visibility import Whereabouts, is_visible, whereabouts
from storyengine.state.world import EntityState, World

__all__ = [
    "Change",
    "EntityState",
    "EventRef",
    "Illegal",
    "Moment",
    "ShotStates",
    "Trajectory",
    "Whereabouts",
    "World",
    "is_visible",
    "opening_world",
    "reduce",
    "replay",
    "walk",
    "whereabouts",
]
