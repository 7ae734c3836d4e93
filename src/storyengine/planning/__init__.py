"""From a brief to a sound plan: by a language model when there is one, by rules when there is none."""

from storyengine.planning.model_planner import plan_with_model
from storyengine.planning.planned import Draft, Planned, Unread

__all__ = ["Draft", "Planned", "Unread", "plan_with_model"]
