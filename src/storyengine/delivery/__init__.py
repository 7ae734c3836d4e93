"""What the author gets: the film, its shots, and the record of how they came to be."""

from storyengine.delivery.assembly import Film, deliver

__all__ = ["Film", "deliver"]
