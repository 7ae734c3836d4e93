"""The embedded studio: painter, animator and evaluator that work offline on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from storyengine.previz.studio.animator import StudioAnimator
    from storyengine.previz.studio.painter import StudioPainter

__all__ = ["make_animator", "make_painter"]

# The studio compiles kernels when it is imported; asking for a name of this package must not cost that.


def make_painter(**options: Any) -> StudioPainter:
    """The embedded painter. Options: `fallibility` (none, low, default, high, flat) and `folder`."""
    from storyengine.previz.studio.painter import make_painter as make

    return make(**options)


def make_animator(**options: Any) -> StudioAnimator:
    """The embedded animator. Options: `fallibility` (none, low, default, high, flat) and `folder`."""
    from storyengine.previz.studio.animator import make_animator as make

    return make(**options)
