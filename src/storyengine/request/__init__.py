"""The brief: what somebody wants to see. The only thing a method is given."""

from storyengine.request.model import MAX_SHOTS, Delivery, Reference, StoryRequest, read_request

__all__ = ["MAX_SHOTS", "Delivery", "Reference", "StoryRequest", "read_request"]
