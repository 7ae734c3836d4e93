"""What the author gets: the film, its shots, and the record of how they came to be."""

from storyengine.delivery.assembly import Film, deliver, keep_take, record_cut

__all__ = ["Film", "deliver", "keep_take", "record_cut"]
